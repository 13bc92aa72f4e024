"""Genetic: paper 001's fifteen steps, which breed whole games until one is steady to its end."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

Genes: TypeAlias = tuple[Move, ...]

PARENTS = 4
"""How many the authors' program keeps as parents, and how many children they have."""

MOST_EMITTED = 50
"""How many chromosomes of a generation are told of."""


class Chromosome(NamedTuple):
    """A game from here to its end."""

    genes: Genes
    turns: tuple[int, ...]
    """The seat that makes each move."""
    margin: float
    """How the game ends for the seat that thinks."""


class Generation(NamedTuple):
    """A population with the values of its reservation tree and the fitness of each chromosome."""

    population: list[Chromosome]
    values: Mapping[Genes, float]
    fitness: list[int]

    @property
    def fittest(self) -> Chromosome:
        return self.population[self.fitness.index(max(self.fitness))]


@dataclass
class Genetic(Agent):
    """Breeds chromosomes, which are games of unique moves, and plays the first gene of the fittest.

    It plays games in which a move stays legal until it is made, so that genes can change places.
    """

    population: int = 5
    """N: how many chromosomes there are."""
    generations: int = 20
    """M: how often they are selected and swapped."""
    swap: float = 0.5
    """P: how likely two neighbours swap genes. The paper leaves it open."""
    program: bool = False
    """Breed as the authors' program does, which played the matches of their section F: parents
    are drawn from the four fittest, two of them cross over at one point, each child exchanges two
    genes, and children join the population, which grows."""
    seed: int = 0

    name: ClassVar[str] = "genetic"
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.demand("population", 1)
        self.demand("generations", 0)
        self.demand("swap", 0, 1)

    def plays(self, game: Game) -> bool:
        return game.moves_stay

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        breeder = _Breeder(self, position, thinking)
        why = "done"
        try:
            breeder.sample(self.population)
            for number in range(self.generations):
                breeder.emit(number)
                if self.program:
                    breeder.breed_as_the_program()
                else:
                    breeder.breed(self.swap)
            breeder.emit(self.generations)
        except OutOfBudget as stop:
            why = str(stop)
        return breeder.analysis(why)


class _Breeder:
    """Plays chromosomes out and makes new ones from old ones."""

    def __init__(self, agent: Genetic, position: Position, thinking: Thinking) -> None:
        self.root, self.thinking = position, thinking
        self.rng = random.Random(f"{agent.seed} {position}")
        self.generation = Generation([], {}, [])
        self.swaps = 0

    def sample(self, size: int) -> None:
        """Steps 4 to 7: random chromosomes."""
        population: list[Chromosome] = []
        try:
            for _ in range(size):
                population.append(self._play(()))
        finally:  # a few are better than none when the time is over
            self.generation = judge(population, self.root.turn)

    def breed(self, probability: float) -> None:
        """Steps 8 to 11, then 5 to 7 again: select by fitness, swap, judge."""
        old, rng = self.generation, self.rng
        chosen = rng.choices(old.population, weights=old.fitness, k=len(old.population))
        for first in range(0, len(chosen) - 1, 2):
            if rng.random() < probability:
                one, other = chosen[first].genes, chosen[first + 1].genes
                place, place2 = rng.randrange(len(one)), rng.randrange(len(other))
                one, other = swap(one, other, place, place2)
                chosen[first : first + 2] = self._play(one), self._play(other)
                self.swaps += 1
        self.generation = judge(chosen, self.root.turn)

    def breed_as_the_program(self) -> None:
        """One generation of the authors' program; only its first pair of parents crosses over."""
        old, rng = self.generation, self.rng
        ranked = sorted(zip(old.fitness, old.population), key=lambda each: -each[0])[:PARENTS]
        chosen = rng.choices(
            [each.genes for _, each in ranked], weights=[fit for fit, _ in ranked], k=PARENTS
        )
        chosen[:2] = crossover(chosen[0], chosen[1], rng.randrange(len(chosen[0])))
        children = [exchange(genes, rng) for genes in chosen]
        self.swaps += 1
        grown = old.population + [self._play(genes) for genes in children]
        self.generation = judge(grown, self.root.turn)

    def _play(self, genes: Genes) -> Chromosome:
        """The game that these genes play: cut at its end, or played on at random until then."""
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

    def analysis(self, why: str) -> Analysis:
        """Steps 14 and 15: the fittest chromosome and its first gene."""
        generation = self.generation
        if not generation.population:
            return Analysis(tuple(self.root.moves()[:1]), why=why)
        firsts: dict[Move, list[Chromosome]] = {}
        for each in generation.population:
            firsts.setdefault(each.genes[0], []).append(each)
        values = {
            move: Guess(generation.values[(move,)], nodes=len(group), line=group[0].genes[1:])
            for move, group in firsts.items()
        }
        line = generation.fittest.genes
        return Analysis(line, values[line[0]].margin, values=values, why=why)

    def emit(self, number: int) -> None:
        """Tell how fit a generation is, how diverse, and what its fittest would play."""
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
        return [self.root.game.move_name(gene) for gene in genes]


def judge(population: list[Chromosome], seat: int) -> Generation:
    """Steps 5 to 7: the chromosomes joined to a tree, its nodes valued, and who is how fit."""
    values = reservation_tree(population, seat)
    paths = (
        [values[each.genes[:length]] for length in range(len(each.genes), -1, -1)]
        for each in population
    )
    return Generation(population, values, [fitness(path) for path in paths])


def reservation_tree(population: Sequence[Chromosome], seat: int) -> dict[Genes, float]:
    """The minimax value for *seat* of every node: of every run of first genes, the root's is ()."""
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
    """How many of the *values*, from the leaf to the root, are equal to the leaf's in one run."""
    run = 0
    while run < len(values) and values[run] == values[0]:
        run += 1
    return run


def crossover(one: Genes, other: Genes, point: int) -> tuple[Genes, Genes]:
    """Both chromosomes with what follows *point* exchanged.

    The program leaves squares twice in a chromosome then, and its search plays them twice; here the
    genes that are already there are left out, and those that are missing follow in their old order.
    """
    pairs = ((one, other), (other, one))
    first, second = (
        tuple(dict.fromkeys((*mine[:point], *theirs[point:], *mine))) for mine, theirs in pairs
    )
    return first, second


def exchange(genes: Genes, rng: random.Random) -> Genes:
    """*genes* with two places exchanged, drawn at random, which may be the same."""
    changed, (one, other) = list(genes), (rng.randrange(len(genes)), rng.randrange(len(genes)))
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def swap(one: Genes, other: Genes, place: int, other_place: int) -> tuple[Genes, Genes]:
    """Both chromosomes with one gene exchanged, and repaired so that no gene is there twice."""
    mine, theirs = one[place], other[other_place]
    return _with_gene(one, place, theirs), _with_gene(other, other_place, mine)


def _with_gene(genes: Genes, place: int, new: Move) -> Genes:
    """*genes* with a *new* one in its place; where it was before comes the gene that had to go."""
    old = genes[place]
    changed = [old if gene == new else gene for gene in genes]
    changed[place] = new
    return tuple(changed)
