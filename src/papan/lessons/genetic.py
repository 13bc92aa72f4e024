"""The genetic algorithm: whole games are bred until one is steady to its end."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import NamedTuple

from papan import catalog
from papan.core import Move, Position, margin
from papan.lessons.lesson import (
    Lesson,
    Node,
    Role,
    Scene,
    StepTable,
    Story,
    Text,
    TextValue,
    Truth,
    some,
)

START = "adjacency:4,4,4 x.oo/.oox/xo.x/xx.. o"
POPULATION, GENERATIONS, SWAP, SEED = 4, 3, 0.5, 9

Genes = tuple[Move, ...]


class Game(NamedTuple):
    """A chromosome: a game from here to its end, and who makes each move."""

    genes: Genes
    turns: tuple[int, ...]
    margin: float


class Breeding:
    """The algorithm as the pseudo-code has it, with a step of the lesson for each action."""

    def __init__(self, story: Story, root: Position) -> None:
        self.story, self.root = story, root
        self.rng = random.Random(f"{SEED} {root}")
        self.games: list[Game] = []
        self.fitness: list[int] = []
        self.curves: dict[str, list[float]] = {"best": [], "mean": [], "worst": []}

    def run(self) -> Genes:
        """Breed, and give the fittest game."""
        self._sample()
        for generation in range(1, GENERATIONS + 1):
            self._judge(generation - 1)
            chosen = self._select(generation)
            self.games = self._swap(chosen, generation)
        self._judge(GENERATIONS)
        fittest = self.games[self.fitness.index(max(self.fitness))]
        return fittest.genes

    def _sample(self) -> None:
        for number in range(1, POPULATION + 1):
            self.games.append(self._play(()))
            self.add_step(
                "lesson.genetic_sample",
                "sample",
                number=number,
                line=self._names(self.games[-1].genes),
                margin=self.games[-1].margin,
            )

    def _judge(self, generation: int) -> None:
        """Value the tree that the games form; a game is as fit as its value is steady."""
        values = tree_values(self.games, self.root.turn)
        paths = [
            [values[game.genes[:n]] for n in range(len(game.genes), -1, -1)] for game in self.games
        ]
        fitness = [steady(path) for path in paths]
        if generation < 2:
            path = ", ".join(f"{value:g}".replace("-", "\u2212") for value in paths[0])
            self.add_step("lesson.genetic_path", "judge", path=path)
            leaf = len(self.games[0].genes)  # the first game comes first in the tree
            tree = self.reserved(values)
            self.story.steps[-1] = replace(self.story.steps[-1], tree=tree, current=leaf)
            values_ = paths[0]
            self.story.ask_number(
                "fitness",
                fitness[0],
                "lesson.genetic_ask",
                why="lesson.genetic_why",
                slips={
                    "lesson.genetic_slip_root": steady(values_[::-1]),
                    "lesson.genetic_slip_all": len(values_),
                    "lesson.genetic_slip_steps": fitness[0] - 1,
                },
                path=path,
            )
        self.fitness = fitness
        mean = round(sum(fitness) / len(fitness), 2)
        for name, value in (("best", max(fitness)), ("mean", mean), ("worst", min(fitness))):
            self.curves[name].append(value)
        self.add_step(
            "lesson.genetic_fitness",
            "judge",
            generation=generation,
            best=max(fitness),
            fitness=fitness[0],
        )

    def reserved(self, values: dict[Genes, float]) -> tuple[Node, ...]:
        """The paper's reservation tree: every beginning of a game once, with its minimax value."""
        numbers: dict[Genes, int] = {}
        nodes: list[Node] = []
        for game in self.games:
            for length in range(len(game.genes) + 1):
                here = game.genes[:length]
                if here not in numbers:
                    numbers[here] = len(nodes)
                    chooser = game.turns[min(length, len(game.turns) - 1)]
                    role: Role = "max" if chooser == self.root.turn else "min"
                    name = self._names(here[-1:])
                    up = numbers[here[:-1]] if here else None
                    nodes.append(Node(len(nodes), up, name, role, values[here], "done"))
        return tuple(nodes)

    def _select(self, generation: int) -> list[Game]:
        """Draw as many games as before; the fitter, the likelier."""
        chosen = self.rng.choices(self.games, weights=self.fitness, k=POPULATION)
        order = [self.games.index(game) + 1 for game in chosen]
        self.add_step(
            "lesson.genetic_select",
            "select",
            order=", ".join(map(str, order)),
            generation=generation,
        )
        return chosen

    def _swap(self, games: list[Game], generation: int) -> list[Game]:
        """Neighbours may swap one gene; what would be there twice is repaired."""
        swaps = 0
        for first in range(0, POPULATION - 1, 2):
            if self.rng.random() < SWAP:
                one, other = games[first].genes, games[first + 1].genes
                places = self.rng.randrange(len(one)), self.rng.randrange(len(other))
                mine, theirs = one[places[0]], other[places[1]]
                games[first] = self._play(with_gene(one, places[0], theirs))
                games[first + 1] = self._play(with_gene(other, places[1], mine))
                swaps += 1
        self.games, self.fitness = games, []
        self.add_step("lesson.genetic_swap", "swap", swaps=swaps, generation=generation)
        return games

    def _play(self, genes: Genes) -> Game:
        """The game that genes play, at random where they end."""
        position, waiting = self.root, list(genes)
        played: list[Move] = []
        turns: list[int] = []
        while moves := position.moves():
            played.append(waiting.pop(0) if waiting else self.rng.choice(moves))
            turns.append(position.turn)
            position = position.child(played[-1])
        return Game(tuple(played), tuple(turns), margin(position, self.root.turn))

    def add_step(self, key: str, step: str, **values: TextValue) -> None:
        rows: list[tuple[TextValue, ...]] = [
            (number, self._names(game.genes), game.margin, *self.fitness[number - 1 : number])
            for number, game in enumerate(self.games, 1)
        ]
        head = (
            "lesson.head_number",
            "lesson.head_game",
            "lesson.head_margin",
            "lesson.head_fitness",
        )
        shown = ("generation", "fitness", "swaps", "margin", "move")
        self.story.add_step(
            key,
            values,
            line=step,
            variables=some(values, *shown),
            table=StepTable(head[: len(rows[0])], tuple(rows)),
            curves={name: tuple(points) for name, points in self.curves.items() if points},
        )

    def _names(self, genes: Genes) -> str:
        return " ".join(map(self.root.game.move_name, genes))


def tree_values(games: list[Game], seat: int) -> dict[Genes, float]:
    """The minimax value of every beginning that the games share."""
    values = {game.genes: game.margin for game in games}
    longest = max(len(game.genes) for game in games)
    for length in range(longest - 1, -1, -1):
        for game in games:
            if length < len(game.genes):
                below = {
                    each.genes[: length + 1]
                    for each in games
                    if each.genes[:length] == game.genes[:length]
                }
                best = max if game.turns[length] == seat else min
                values[game.genes[:length]] = best(values[node] for node in below)
    return values


def steady(path: list[float]) -> int:
    """How long the value stays that of the leaf, from the leaf towards the root."""
    return next((n for n, value in enumerate(path) if value != path[0]), len(path))


def with_gene(genes: Genes, place: int, new: Move) -> Genes:
    """The genes with a *new* one in a place; the old one goes where the new one was before."""
    old = genes[place]
    changed = [old if gene == new else gene for gene in genes]
    changed[place] = new
    return tuple(changed)


def breed(story: Story) -> Breeding:
    """The whole lesson; what has been bred."""
    root = catalog.position(START)
    story.scene = Scene(root)
    story.add_step("lesson.genetic_start", {"count": len(root.moves())}, line="sample")
    breeding = Breeding(story, root)
    genes = breeding.run()
    story.scene = Scene(root, marks=genes[:1])
    name = root.game.move_name
    why: dict[TextValue, Text] = {}
    for move in root.moves():
        fits = [fit for game, fit in zip(breeding.games, breeding.fitness) if game.genes[0] == move]
        key = "lesson.genetic_why_less" if fits else "lesson.genetic_why_none"
        facts: dict[str, TextValue] = {"fitness": max(fits, default=0)}
        why[name(move)] = Text(key, {"move": name(move), "best": max(breeding.fitness), **facts})
    names = list(map(name, root.moves()))
    story.ask_choice("move", name(genes[0]), names, "lesson.genetic_ask_move", why=why)
    breeding.add_step("lesson.genetic_done", "return", move=name(genes[0]))
    _compare(story, root, genes[0])
    return breeding


def _compare(story: Story, root: Position, played: Move) -> None:
    """What the exact truth says of the move that was bred."""
    truth, name = Truth(), root.game.move_name
    values, good = truth.moves(root), truth.best(root)[0]
    story.scene = Scene(root, values=values, proved=True, best=good)
    facts = {"end": values[played], "truth": values[good]}
    story.add_step(
        "lesson.genetic_truth", {"move": name(played), "good": name(good), **facts}, line="return"
    )


LESSON = Lesson(
    "genetic",
    "adjacency",
    breed,
    ("sample", "repeat", "judge", "select", "swap", "return"),
    agent="genetic",
    variants=("genetic", "genetic:population=50"),
    place=9,
)
