"""Lessons on local search: hill climbing and its relatives, and the genetic algorithm."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from papan import catalog
from papan.agents.metaheuristics import Chromosome, Genes, fitness, judge_population, swap
from papan.core import Agent, Event, Move, Position, margin
from papan.lessons import (
    Lesson,
    Node,
    NodeRole,
    Scene,
    Story,
    TextValue,
    Truth,
    columns,
    reply,
)

# Hill climbing: the step that leads highest, what it does not see, and its two relatives.

STATES = ((5, 8), (5, 2))
"""The paper's two states: own marks and the rival's marks."""
CLIMBED = "adjacency:4,4,4 ..oo/.oox/xoxx/xx.o x"


def climb(story: Story) -> dict[Move, float]:
    """Add the steps of the lesson on hill climbing; return the height after each move, by move.

    The height is the margin in marks of the seat that moves, at once after the move.
    """
    root = catalog.position(CLIMBED)
    name = root.game.move_name
    story.scene = Scene(root)
    here = margin(root, root.turn)
    story.add_step("hillclimb_start", {"height": here}, line="function", variables="height")
    rows = ((own, rival, own, own - rival) for own, rival in STATES)
    table = columns("own rival own_alone difference", rows)
    claim = {"claim": "says.001_objective"}  # as the laboratory says it
    story.add_step("hillclimb_objective", claim, line="look", table=table)
    heights: dict[Move, float] = {}
    best = root.moves()[0]
    for move in root.moves():
        facts: dict[str, TextValue] = {"move": name(move)}
        if heights:
            facts["best"] = heights[best]
        story.scene = Scene(
            root, marks=(move,), values=dict(heights), best=best if heights else None
        )
        story.add_step("hillclimb_look", facts, line="look", variables="move best")
        height = margin(root.child(move), root.turn)
        turned = (height - here - 1) / 2
        slips = {
            "hillclimb_slip_new": here + 1,
            "hillclimb_slip_once": here + 1 + turned,
            "hillclimb_slip_mark": here + 2 * turned,
        }
        story.ask_number("height", height, "hillclimb_height", slips, move=name(move), here=here)
        higher = not heights or height > heights[best]
        best = move if higher else best
        heights[move] = height
        story.scene = Scene(root, marks=(move,), values=dict(heights), best=best)
        key = "hillclimb_higher" if higher else "hillclimb_lower"
        facts = {"move": name(move), "height": height, "best": heights[best]}
        story.add_step(key, facts, line="keep", variables="move height best")
    story.scene = Scene(root, values=heights, best=best)
    why = {
        name(move): reply("hillclimb_move_why", move=name(move), height=height)
        for move, height in heights.items()
    }
    chosen = name(best)
    story.ask_choice("chosen", chosen, list(why), "hillclimb_move", why)
    facts = {"move": chosen, "height": heights[best], "chosen": chosen}
    story.add_step("hillclimb_play", facts, line="return", variables="chosen")
    _show_truth(story, "hillclimb_truth", root, best)
    compare(story)
    return heights


def _show_truth(story: Story, key: str, root: Position, played: Move) -> None:
    """Add a step with the text *key* that compares *played* with the exact values of all moves.

    *played* is a legal move in *root*. The text, ``lesson.KEY``, gets four values: ``move``, the
    name of *played*, and ``end``, its exact value; ``good``, the name of a best move, and
    ``truth``, its exact value. These are final margins in points for the seat to move. The board
    shows all exact values; the line of pseudo-code is ``return``.
    """
    truth, name = Truth(), root.game.move_name
    values, good = truth.moves(root), truth.best(root)[0]
    story.scene = Scene(root, values=values, proved=True, best=good)
    facts: dict[str, TextValue] = {"end": values[played], "truth": values[good]}
    story.add_step(key, {"move": name(played), "good": name(good), **facts}, line="return")


LANDSCAPE = "adjacency f2 c8 g3 g4 f4 e4 b6 e2 c7 e5 e6 a6"
SEEDS = 100
"""Runs of each climber that measure how often it reaches the top."""


def compare(story: Story) -> dict[str, tuple[int, float, int]]:
    """Add steps that compare three climbers which may look at equally many moves.

    Return three numbers by climber (the name of its agent): how many moves it looked at, the height
    of the move that it chose (margin in marks after it), and how many of its `SEEDS` runs chose a
    highest move. `SEEDS` is 100, so that this number is a percentage.
    """
    spec, _, moves = LANDSCAPE.partition(" ")
    root = catalog.position(spec).after(moves)
    heights = {move: margin(root.child(move), root.turn) for move in root.moves()}
    top = max(heights.values())
    summits = list(heights.values()).count(top)
    story.scene = Scene(root, values=heights)
    facts: dict[str, TextValue] = {"moves": len(heights), "top": top, "summits": summits}
    facts["height"] = top
    story.add_step("hillclimb_landscape", facts, line="each", variables="height")
    found: dict[str, tuple[int, float, int]] = {}
    curves: dict[str, tuple[float, ...]] = {}
    for kind, settings in climbers(len(heights)).items():
        climbed: list[float] = []
        agent = catalog.agent(kind, **settings)
        analysis = agent.analyse(root, listener=partial(_note, climbed))
        reached = sum(heights[each.analyse(root).move] == top for each in _sent(kind, settings))
        looks, height = analysis.nodes, heights[analysis.move]
        found[kind] = (looks, height, reached)
        curves[kind] = tuple(climbed)
        rows = ((_climber(each), *facts) for each, facts in found.items())
        table = columns("climber looks_at height at_the_top", rows, marked=len(found) - 1)
        story.scene = Scene(root, values=heights, best=analysis.move)
        facts = {"move": root.game.move_name(analysis.move), "height": height}
        facts |= {"steps": len(climbed), "looks": looks, "reached": reached}
        story.add_step(f"hillclimb_{kind}", facts, line="keep", table=table, curves=dict(curves))
    surest = _climber(max(found, key=lambda kind: found[kind][2]))
    why = {
        _climber(kind): reply("hillclimb_surest_why", climber=_climber(kind), reached=reached)
        for kind, (_, _, reached) in found.items()
    }
    story.ask_choice("surest", surest, list(why), "hillclimb_surest", why)
    facts = {"surest": surest}
    story.add_step("hillclimb_end", facts, line="return", variables="surest", table=table)
    return found


def _climber(kind: str) -> str:
    """Return the key of the name of a climber, an agent such as ``annealing``."""
    return f"lesson.hillclimb_is_{kind}"


def climbers(moves: int) -> dict[str, dict[str, float]]:
    """Return the settings of three climbers, by the name of the agent: each looks at *moves* moves.

    Settings are values by name; they are for a position with *moves* legal moves.
    """
    drawn = moves - 1
    return {
        "hillclimb": {},
        "stochastic": {"looks": drawn},
        "annealing": {"temperature": drawn / 8, "cooling": 1 / 8},
    }


def _sent(kind: str, settings: dict[str, float]) -> list[Agent]:
    """Return `SEEDS` agents of one *kind*, a name, with *settings* and the seeds from 0 on.

    Of ``hillclimb``, which draws nothing, they are all equal, with its usual settings.
    """
    if kind == "hillclimb":  # it draws no random numbers
        return [catalog.agent(kind)] * SEEDS
    return [catalog.agent(kind, **settings, seed=seed) for seed in range(SEEDS)]


def _note(climbed: list[float], event: Event) -> None:
    """Append to *climbed* the height in *event* if that is a step of a climb; else do nothing."""
    if event["t"] == "climb":
        climbed.append(event["v"])


HILLCLIMB = Lesson(
    "hillclimb",
    "adjacency",
    climb,
    ("function", "each", "look", "keep", "return"),
    agent="hillclimb",
    variants=("hillclimb", "annealing:temperature=20"),
    place=8,
)


# The genetic algorithm: whole games are bred until one is steady to its end.

BRED = "adjacency:4,4,4 x.oo/.oox/xo.x/xx.. o"
POPULATION, GENERATIONS, SWAP, SEED = 4, 3, 0.5, 9


class Breeding:
    """The genetic algorithm as the pseudo-code has it; each action adds a step to *story*.

    A *chromosome* is a game from *root* to its end, its *genes* are the moves. A *generation* is a
    list of games; all of them together make a tree, in which minimax gives each node a value. The
    *fitness* of a game is how many nodes on its path, counted from its end towards the root without
    a break, have the value of its end.

    `games` is the generation at hand, `fitness` that of each of its games; empty before it is
    judged. `curves` has the best, mean and worst fitness of each generation judged.
    """

    def __init__(self, story: Story, root: Position) -> None:
        self.story, self.root = story, root
        self.rng = random.Random(f"{SEED} {root}")
        self.games: list[Chromosome] = []
        self.fitness: list[int] = []
        self.curves: dict[str, list[float]] = {"best": [], "mean": [], "worst": []}

    def run(self) -> Genes:
        """Breed all generations, and return the moves of the fittest game of the last one.

        Of equally fit games it is the first one.
        """
        self._sample()
        for generation in range(1, GENERATIONS + 1):
            self._judge(generation - 1)
            chosen = self._select(generation)
            self.games = self._swap(chosen, generation)
        self._judge(GENERATIONS)
        fittest = self.games[self.fitness.index(max(self.fitness))]
        return fittest.genes

    def _sample(self) -> None:
        """Fill `games` with random games from the root to the end, with a step for each."""
        for number in range(1, POPULATION + 1):
            game = self._play(())
            self.games.append(game)
            line = self._names(game.genes)
            facts: dict[str, TextValue] = {"number": number, "line": line, "margin": game.margin}
            self.add_step("genetic_sample", "sample", facts)

    def _judge(self, number: int) -> None:
        """Compute the fitness of each game in generation *number* (from 0), and add a step.

        In the first two generations also ask for the fitness of the first game.
        """
        _, values, fits = judge_population(self.games, self.root.turn)
        if number < 2:
            self._ask(values, fits[0])
        self.fitness = fits
        mean = round(sum(fits) / len(fits), 2)
        for name, value in (("best", max(fits)), ("mean", mean), ("worst", min(fits))):
            self.curves[name].append(value)
        facts = {"generation": number, "best": max(fits), "fitness": fits[0]}
        self.add_step("genetic_fitness", "judge", facts)

    def _ask(self, values: Mapping[Genes, float], fit: int) -> None:
        """Add a step on the path of the first game through the tree, and ask for its fitness.

        That is *fit*. *values* has the minimax value of each node, in marks for the seat at the
        root, by the moves that lead to it.
        """
        genes = self.games[0].genes
        way = [values[genes[:length]] for length in range(len(genes), -1, -1)]
        path = ", ".join(f"{value:g}".replace("-", "\u2212") for value in way)
        self.add_step("genetic_path", "judge", {"path": path})
        tree = self.reserved(values)  # the first game comes first in it
        self.story.steps[-1] = replace(self.story.steps[-1], tree=tree, current=len(genes))
        slips = {
            "genetic_slip_root": fitness(way[::-1]),
            "genetic_slip_all": len(way),
            "genetic_slip_steps": fit - 1,
        }
        self.story.ask_number("fitness", fit, "genetic_fitness", slips, path=path)

    def reserved(self, values: Mapping[Genes, float]) -> tuple[Node, ...]:
        """Return the paper's reservation tree: a node for each beginning of a game in `games`.

        *values* has the minimax value of each, in marks for the seat at the root, by its moves;
        raise KeyError if it lacks one. Each node comes after its parent, the root first.
        """
        numbers: dict[Genes, int] = {}
        nodes: list[Node] = []
        for game in self.games:
            for length in range(len(game.genes) + 1):
                here = game.genes[:length]
                if here not in numbers:
                    numbers[here] = len(nodes)
                    chooser = game.turns[min(length, len(game.turns) - 1)]
                    role: NodeRole = "max" if chooser == self.root.turn else "min"
                    name = self._names(here[-1:])
                    up = numbers[here[:-1]] if here else None
                    nodes.append(Node(len(nodes), up, name, role, values[here], "done"))
        return tuple(nodes)

    def _select(self, generation: int) -> list[Chromosome]:
        """Return `POPULATION` of the `games`, drawn with probabilities proportional to `fitness`.

        A game may be drawn several times. A step about it is added. *generation* is the number of
        the generation to be bred.
        """
        chosen = self.rng.choices(self.games, weights=self.fitness, k=POPULATION)
        order = ", ".join(str(self.games.index(game) + 1) for game in chosen)
        self.add_step("genetic_select", "select", {"order": order, "generation": generation})
        return chosen

    def _swap(self, games: list[Chromosome], generation: int) -> list[Chromosome]:
        """Exchange one random gene between some neighbours in *games*, in place; return *games*.

        Neighbours are the games 1 and 2, 3 and 4, and so on; each two do it with the probability
        `SWAP`. If a game has the new gene already, that one moves to the place of the gene that
        leaves. `games` becomes this list, `fitness` empty. *generation* is the number of the new
        generation, for the step that is added.
        """
        swaps = 0
        for first in range(0, POPULATION - 1, 2):
            if self.rng.random() < SWAP:
                one, other = games[first].genes, games[first + 1].genes
                places = self.rng.randrange(len(one)), self.rng.randrange(len(other))
                games[first : first + 2] = map(self._play, swap(one, other, *places))
                swaps += 1
        self.games, self.fitness = games, []
        self.add_step("genetic_swap", "swap", {"swaps": swaps, "generation": generation})
        return games

    def _play(self, genes: Genes) -> Chromosome:
        """Return the game that *genes* play from the root, with random moves after their end.

        They must be legal in turn (not checked); those left after the end of the game are dropped.
        """
        position, waiting = self.root, list(genes)
        played: list[Move] = []
        turns: list[int] = []
        while moves := position.moves():
            played.append(waiting.pop(0) if waiting else self.rng.choice(moves))
            turns.append(position.turn)
            position = position.child(played[-1])
        return Chromosome(tuple(played), tuple(turns), margin(position, self.root.turn))

    def add_step(self, key: str, line: str, values: Mapping[str, TextValue]) -> None:
        """Add a step with the text *key*, filled with *values*, with a table of all games.

        It has their fitness if they are judged, and the step the `curves` so far. *line* is the
        name of the line of pseudo-code to highlight.
        """
        rows: list[tuple[TextValue, ...]] = [
            (number, self._names(game.genes), game.margin, *self.fitness[number - 1 : number])
            for number, game in enumerate(self.games, 1)
        ]
        names = "number game margin fitness" if self.fitness else "number game margin"
        self.story.add_step(
            key,
            values,
            line=line,
            variables="generation fitness swaps margin move",
            table=columns(names, rows),
            curves={name: tuple(points) for name, points in self.curves.items() if points},
        )

    def _names(self, genes: Genes) -> str:
        """Return the names of the moves *genes*, separated by spaces."""
        return " ".join(map(self.root.game.move_name, genes))


def breed(story: Story) -> Breeding:
    """Add the steps of the lesson on the genetic algorithm; return the finished breeding."""
    root = catalog.position(BRED)
    story.scene = Scene(root)
    story.add_step("genetic_start", {"count": len(root.moves())}, line="sample")
    breeding = Breeding(story, root)
    genes = breeding.run()
    story.scene = Scene(root, marks=genes[:1])
    names, best = list(map(root.game.move_name, root.moves())), max(breeding.fitness)
    why = {}
    for move, name in zip(root.moves(), names):
        fits = [fit for game, fit in zip(breeding.games, breeding.fitness) if game.genes[0] == move]
        key = "genetic_why_less" if fits else "genetic_why_none"
        why[name] = reply(key, move=name, best=best, fitness=max(fits, default=0))
    played = root.game.move_name(genes[0])
    story.ask_choice("move", played, names, "genetic_move", why)
    breeding.add_step("genetic_done", "return", {"move": played})
    _show_truth(story, "genetic_truth", root, genes[0])
    return breeding


GENETIC = Lesson(
    "genetic",
    "adjacency",
    breed,
    ("sample", "repeat", "judge", "select", "swap", "return"),
    agent="genetic",
    variants=("genetic", "genetic:population=50"),
    place=9,
)
