"""Metaheuristics: random moves, three kinds of local search, and a genetic algorithm.

Paper 001's steepest ascent, two other kinds of local search, and its genetic algorithm in fifteen
steps. That breeds whole games; a game is the fitter, the further up from its end the minimax value
equals its final margin.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import exp
from typing import ClassVar, NamedTuple, TypeAlias

from papan.core import (
    Agent,
    Analysis,
    Game,
    Guess,
    Move,
    OutOfBudget,
    Position,
    Thinking,
    margin,
)
from papan.core.analysis import root_moves


@dataclass
class Random(Agent):
    """An agent that lists the legal moves, looking at every place, and plays one of them at random.

    Paper 003's random-iterative agent, the yardstick every other agent must beat.
    """

    seed: int = 0
    """Decides the move: the same seed chooses the same one in the same position."""

    name: ClassVar[str] = "random"
    ends_by_itself: ClassVar[bool] = True

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        with suppress(OutOfBudget):  # the list is made in any case
            for _ in range(position.game.move_count):
                thinking.tick()
        moves = position.moves()
        choice = random.Random(f"{self.seed} {position}").choice(moves)
        if thinking.watched:
            names = position.game.move_name
            share = 1 / len(moves)
            candidates = [{"m": names(move), "v": share, "k": "visits", "n": 1} for move in moves]
            thinking.emit_root(1, names(choice), candidates)
        return Analysis((choice,))


# Local search sees no further than its own next move. Paper 001 calls two of the three kinds less
# suitable; they are in the authors' program too.


class Climb:
    """One climb from *position*: its present move `place`, and the `values` of moves evaluated.

    Values are by move: the margin, in points for the seat to move, right after it. The climb begins
    with the first legal move, not evaluated; raise IndexError if there is none. *thinking* counts
    its nodes and gets its events.
    """

    def __init__(self, position: Position, thinking: Thinking) -> None:
        self.position, self.thinking = position, thinking
        self.moves = position.moves()
        self.place = self.moves[0]
        self.values: dict[Move, Guess] = {}

    def rise(self, move: Move) -> float:
        """Return by how many points the margin after *move* exceeds that after the present move.

        Evaluate *move* and count a node; a move that was evaluated before counts again, but keeps
        its value. Raise KeyError unless the present move was evaluated before or is *move*,
        OutOfBudget if the budget is spent before.
        """
        self.thinking.tick()
        if move not in self.values:
            height = margin(self.position.child(move), self.position.turn)
            self.values[move] = Guess(height, nodes=1)
        return self.values[move].margin - self.values[self.place].margin

    def go(self, move: Move, step: int) -> None:
        """Make *move* the present one, and emit it as step *step*, from 1.

        Raise KeyError if *move* was not evaluated.

        The "climb" event has ``step``, the margin ``v`` in points, as ``nbrs`` the number of moves
        evaluated so far, ``restart``, always 0, and the move's name ``m``.
        """
        self.place = move
        height, name = self.values[move].margin, self.position.game.move_name(move)
        self.thinking.emit("climb", step=step, v=height, nbrs=len(self.values), restart=0, m=name)

    def analysis(self) -> Analysis:
        """Return the analysis of the present move, with the margins of all evaluated moves.

        Emit a "root" event: ``here`` is the margin before the move, ``plateau`` how many moves have
        the margin of the present one. If the budget ended before the present move was evaluated,
        the analysis is that move alone, and nothing is emitted.
        """
        if self.place not in self.values:
            return Analysis((self.place,))
        best, position = self.values[self.place].margin, self.position
        if self.thinking.watched:
            self.thinking.emit_root(
                1,
                position.game.move_name(self.place),
                root_moves(position.game, self.values),
                here=margin(position, position.turn),
                plateau=[value.margin for value in self.values.values()].count(best),
            )
        return Analysis((self.place,), best, values=self.values)


class LocalSearch(Agent):
    """Base of agents that evaluate moves one by one, and go from one to another that they accept.

    A subclass implements `walk`, which decides the moves to evaluate and to accept. The last one
    that was accepted is played when it returns or the budget is spent.
    """

    ends_by_itself: ClassVar[bool] = True

    @abstractmethod
    def walk(self, climb: Climb) -> None:
        """Evaluate moves by ``climb.rise``, accept some by ``climb.go``, until there are enough.

        Raise OutOfBudget if the budget is spent before.
        """

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        climb = Climb(position, thinking)
        with thinking.until_stopped():
            self.walk(climb)
        return climb.analysis()


@dataclass
class HillClimb(LocalSearch):
    """An agent that takes the move with the largest margin right after it.

    Of equal moves the first. It knows no rival, no sideways step and no restart: in a game a step
    cannot be taken back, so each move is one climb of one step.
    """

    name: ClassVar[str] = "hillclimb"

    def walk(self, climb: Climb) -> None:
        for move in climb.moves:
            if climb.rise(move) > 0 or move == climb.place:
                climb.go(move, step=1)


class Wander(LocalSearch):
    """Base of agents that begin with a random move and evaluate others at random, with repeats.

    A subclass implements `steps`, how many, and `accepts`, which of them become the present move.
    """

    seed: int
    """Decides all random choices, together with the position."""

    @abstractmethod
    def steps(self, moves: int) -> int:
        """Return how many moves to draw after the first, given the number of legal *moves*."""

    @abstractmethod
    def accepts(self, rise: float, left: int, rng: random.Random) -> bool:
        """Return whether to accept a drawn move, whose margin is *rise* points higher.

        *rise* may be 0 or negative. *left* is the number of evaluations still to come after this
        one; *rng* decides what is left to chance.
        """

    def walk(self, climb: Climb) -> None:
        rng, taken = random.Random(f"{self.seed} {climb.position}"), 0
        climb.place = rng.choice(climb.moves)
        climb.rise(climb.place)
        for left in reversed(range(self.steps(len(climb.moves)))):
            other = rng.choice(climb.moves)
            if self.accepts(climb.rise(other), left, rng) and other != climb.place:
                taken += 1
                climb.go(other, taken)


@dataclass
class Stochastic(Wander):
    """An agent by stochastic hill climbing: it accepts only moves that increase the margin.

    A drawn move is accepted if the margin right after it is larger than after the present move.
    Raise InvalidSpecError unless *looks* is from 0 to 100,000.
    """

    looks: int = 100
    """Moves that are drawn and evaluated; the authors' program draws a hundred."""
    seed: int = 0
    """Decides which moves are drawn."""

    name: ClassVar[str] = "stochastic"

    def __post_init__(self) -> None:
        self.demand("looks", 0, 100_000)

    def steps(self, moves: int) -> int:
        return self.looks

    def accepts(self, rise: float, left: int, rng: random.Random) -> bool:
        return rise > 0


@dataclass
class Annealing(Wander):
    """An agent by simulated annealing: now and then it accepts a move that is d points lower.

    The probability is exp(-d / temperature); the temperature falls with each evaluation. A move
    with an equal margin is accepted as long as the temperature is above 0. Raise InvalidSpecError
    unless *temperature* is from 0 to 1000 and *cooling* from 0.001 to 1000.
    """

    temperature: float = 0.0
    """Initial temperature in points; 0: the number of legal moves. The authors' program begins with
    the number of plies left, which is the same where the board will be full.
    """
    cooling: float = 0.1
    """Points by which it falls with each evaluation; at 0 only rises are accepted."""
    seed: int = 0
    """Decides which moves are drawn and accepted."""

    name: ClassVar[str] = "annealing"

    def __post_init__(self) -> None:
        self.demand("temperature", 0, 1000)
        self.demand("cooling", 0.001, 1000)

    def steps(self, moves: int) -> int:
        return int((self.temperature or moves) / self.cooling)

    def accepts(self, rise: float, left: int, rng: random.Random) -> bool:
        heat = left * self.cooling
        return rise > 0 or (heat > 0 and rng.random() < exp(rise / heat))


# The genetic agent.

Genes: TypeAlias = tuple[Move, ...]
"""The moves of a game from the root on, or of its beginning."""

MOST_EMITTED = 50
"""Chromosomes of a generation that are emitted at most."""


class Chromosome(NamedTuple):
    """A game from the root to its end, as a sequence of moves (genes)."""

    genes: Genes
    """Its moves, from the root on; none if the root is the end of the game."""
    turns: tuple[int, ...]
    """The seat that makes each move."""
    margin: float
    """The final margin of the seat to move at the root."""


class Generation(NamedTuple):
    """A population of games with the minimax values and the fitness that they give each other.

    The values are those of paper 001's reservation tree: its nodes are the beginnings of all these
    games, see `reservation_tree`.
    """

    population: list[Chromosome]
    """The games, in the order in which they were bred."""
    values: Mapping[Genes, float]
    """The minimax value of each prefix of genes, in points for the seat to move at the root."""
    fitness: list[int]
    """For each chromosome, how many nodes from its leaf up have the leaf's value: see `fitness`."""

    @property
    def fittest(self) -> Chromosome:
        """The chromosome with the highest fitness; the first of equals.

        Raises ValueError if there is none.
        """
        return self.population[self.fitness.index(max(self.fitness))]


@dataclass
class Genetic(Agent):
    """An agent that breeds games, and plays the first move of the fittest one.

    A game is a chromosome, and its moves are genes, of which none comes twice. The agent plays
    games in which a move stays legal until it is made, so that genes can change places. Raise
    InvalidSpecError unless *population* is from 1 to 100,000, *generations* from 0 to 1,000,000 and
    *swap* from 0 to 1.
    """

    population: int = 5
    """N: number of chromosomes."""
    generations: int = 20
    """M: number of generations."""
    swap: float = 0.5
    """P: probability that two neighbours swap genes. The paper leaves it open."""
    seed: int = 0
    """Decides all random choices."""

    name: ClassVar[str] = "genetic"
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.demand("population", 1, 100_000)
        self.demand("generations", 0, 1_000_000)
        self.demand("swap", 0, 1)

    def plays(self, game: Game) -> bool:
        return game.moves_stay

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        breeder = _Breeder(self, position, thinking)
        with thinking.until_stopped():
            breeder.sample(self.population)
            for number in range(self.generations):
                breeder.emit(number)
                breeder.breed(self.swap)
            breeder.emit(self.generations)
        return breeder.analysis()


class _Breeder:
    """The `generation` of one decision of *agent*, how it is bred, and the `swaps` so far.

    Games begin at *position*; *thinking* counts their moves as nodes and gets the events.
    """

    def __init__(self, agent: Genetic, position: Position, thinking: Thinking) -> None:
        self.root, self.thinking = position, thinking
        self.rng = random.Random(f"{agent.seed} {position}")
        self.generation = Generation([], {}, [])
        self.swaps = 0

    def sample(self, size: int) -> None:
        """Play *size* random games from the root, judge them, and make them the generation.

        These are steps 4 to 7 of the paper; see `judge_population`. Raise OutOfBudget if the budget
        is spent before; the games finished by then are the generation, which may be empty.
        """
        population: list[Chromosome] = []
        try:
            for _ in range(size):
                population.append(self._play(()))
        finally:  # a few are better than none when the time is over
            self.generation = judge_population(population, self.root.turn)

    def breed(self, probability: float) -> None:
        """Replace the generation by the next one: select by fitness, swap genes, and judge.

        *probability* (0 to 1) is that of a swap in each pair of neighbours; the last one of an odd
        number has no neighbour. Steps 8 to 11 of the paper, then 5 to 7 again. Raise OutOfBudget if
        the budget is spent before; then the old generation stays. It must not be empty.
        """
        old, rng = self.generation, self.rng
        chosen = rng.choices(old.population, weights=old.fitness, k=len(old.population))
        for first in range(0, len(chosen) - 1, 2):
            if rng.random() < probability:
                one, other = chosen[first].genes, chosen[first + 1].genes
                place, place2 = rng.randrange(len(one)), rng.randrange(len(other))
                one, other = swap(one, other, place, place2)
                chosen[first : first + 2] = self._play(one), self._play(other)
                self.swaps += 1
        self.generation = judge_population(chosen, self.root.turn)

    def _play(self, genes: Genes) -> Chromosome:
        """Return the chromosome of the game that begins with *genes*, from the root.

        They must be legal in this order; not checked. Those after the end of the game are dropped;
        if they end before, random moves follow. Each move counts as a node. Raise OutOfBudget if
        the budget is spent before.
        """
        position, waiting = self.root, list(reversed(genes))
        played: list[Move] = []
        turns: list[int] = []
        while moves := position.moves():
            self.thinking.tick()
            move = waiting.pop() if waiting else self.rng.choice(moves)
            played.append(move)
            turns.append(position.turn)
            position = position.child(move)
        return Chromosome(tuple(played), tuple(turns), margin(position, self.root.turn))

    def analysis(self) -> Analysis:
        """Return the analysis: the fittest game as line, each first gene with its minimax value.

        The values are guesses in points for the seat to move (steps 14 and 15 of the paper).
        Without any game it is the first legal move alone, without a value.
        """
        generation = self.generation
        if not generation.population:
            return Analysis(tuple(self.root.moves()[:1]))
        firsts: dict[Move, list[Chromosome]] = {}
        for each in generation.population:
            firsts.setdefault(each.genes[0], []).append(each)
        values = {
            move: Guess(generation.values[(move,)], nodes=len(group), line=group[0].genes[1:])
            for move, group in firsts.items()
        }
        line = generation.fittest.genes
        return Analysis(line, values[line[0]].margin, values=values)

    def emit(self, number: int) -> None:
        """Emit a "gen" event on generation *number*, from 0: fitness, diversity, fittest line.

        Its number is ``g``; the fitness is ``best``, ``mean`` and ``worst``; the diversity ``div``
        is the share of distinct games, 0 to 1; ``line`` has the names of the fittest game's moves,
        ``swaps`` is the number of swaps so far, and ``population`` the first `MOST_EMITTED` games,
        each with ``line``, ``fitness`` and its final margin ``v`` in points for the seat to move at
        the root. Nothing is emitted if nobody listens; else the generation must not be empty.
        """
        if not self.thinking.watched:
            return
        population, _, fitness = self.generation
        self.thinking.emit(
            "gen",
            g=number,
            best=max(fitness),
            mean=round(sum(fitness) / len(fitness), 4),
            worst=min(fitness),
            div=round(len({each.genes for each in population}) / len(population), 4),
            line=self._names(self.generation.fittest.genes),
            swaps=self.swaps,
            population=[
                {"line": self._names(each.genes), "fitness": fit, "v": each.margin}
                for each, fit in list(zip(population, fitness))[:MOST_EMITTED]
            ],
        )

    def _names(self, genes: Genes) -> list[str]:
        """Return the names of the moves *genes*, in the same order."""
        return [self.root.game.move_name(gene) for gene in genes]


def judge_population(population: list[Chromosome], seat: int) -> Generation:
    """Return the generation of these games: their minimax values for *seat*, and each fitness.

    The values are as `reservation_tree` returns them. These are steps 5 to 7 of the paper. An empty
    population gives one without values.
    """
    values = reservation_tree(population, seat)
    paths = (
        [values[each.genes[:length]] for length in range(len(each.genes), -1, -1)]
        for each in population
    )
    return Generation(population, values, [fitness(path) for path in paths])


def reservation_tree(population: Sequence[Chromosome], seat: int) -> dict[Genes, float]:
    """Return the minimax value of every node, by its genes from the root on; the root's are ().

    It is in points for *seat*, which chooses the largest where it is to move; other seats choose
    the smallest. Only the games of *population* are looked at: without any there are no values.
    """
    values = {each.genes: each.margin for each in population}
    turns = {each.genes[:ply]: turn for each in population for ply, turn in enumerate(each.turns)}
    children: dict[Genes, set[Genes]] = {}
    for node in (*turns, *values):
        if node:
            children.setdefault(node[:-1], set()).add(node)
    for node in sorted(turns, key=len, reverse=True):
        best = max if turns[node] == seat else min
        values[node] = best(values[child] for child in children[node])
    return values


def fitness(values: Sequence[float]) -> int:
    """Return the length of the longest prefix of *values* in which all are equal.

    The values are the minimax values of the nodes from a leaf up to the root. 0 if there are none.
    """
    run = 0
    while run < len(values) and values[run] == values[0]:
        run += 1
    return run


def swap(one: Genes, other: Genes, place: int, other_place: int) -> tuple[Genes, Genes]:
    """Return both chromosomes with one gene exchanged, repaired so that no gene is there twice.

    ``one[place]`` and ``other[other_place]`` are exchanged. If the gene that comes in is elsewhere
    in the chromosome already, the gene that leaves takes that place. Whether the moves are legal is
    not checked.
    """
    mine, theirs = one[place], other[other_place]
    return _with_gene(one, place, theirs), _with_gene(other, other_place, mine)


def _with_gene(genes: Genes, place: int, new: Move) -> Genes:
    """Return *genes* with the move *new* at index *place*, where there was another.

    If *new* was elsewhere in them, the replaced gene goes there.
    """
    old = genes[place]
    changed = [old if gene == new else gene for gene in genes]
    changed[place] = new
    return tuple(changed)
