"""How puzzles are made: games of a careless player, each position solved, and rated by agents.

Everything follows from the spec of the game and a seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import count

from papan import catalog
from papan.core import Agent, Game, Limit, Position, native_form
from papan.core.agent import Cancelled, never
from papan.puzzles import Puzzle
from papan.puzzles.themes import PuzzleThemes, lasting, possible, right_moves, theme_of, truth

PLAYER = "level:3"
"""Who plays the games: well enough to make sense, badly enough to get into trouble."""
CARELESS = 0.25
"""How often it makes just any move, beyond its own carelessness: games differ by that."""
APART = 4
"""How many moves lie between two puzzles of a game that have one theme."""

PANEL: Sequence[tuple[str, int]] = (
    ("alphabeta:depth=1", 800),
    ("alphabeta:depth=2", 1000),
    ("mcts:iterations=100", 1100),
    ("alphabeta:depth=3", 1200),
    ("alphabeta:depth=4", 1350),
    ("mcts:iterations=1000", 1500),
    ("alphabeta:depth=6", 1650),
    ("alphabeta:depth=8", 1900),
)
"""The agents that try each puzzle, and the ratings that they are given: a scale by convention."""
GUESSER = 500
"""The rating of whoever picks any move."""
NATIVE, PLAIN_NODES = 20_000, 500
"""What an agent may look at, compiled or in plain Python."""
TRIES = 2
"""How often each agent tries, with another seed."""
MIDDLE = 1300
"""The one who is drawn with: keeps the ratings of what all or none find within reason."""


def make(game: Game, seed: int, theme: str = "", cancelled: Cancelled = never) -> Iterator[Puzzle]:
    """Puzzles of one theme, if it is named, until *cancelled*; those of a game differ in theme.

    Boards can be too large to be solved: nothing comes of them, however long one waits.
    """
    for number in count():
        if cancelled():
            return
        rng = random.Random(f"puzzles {seed} {number} {game.spec}")
        yield from of_a_game(game, rng, theme, cancelled)


def of_a_game(
    game: Game, rng: random.Random, theme: str = "", cancelled: Cancelled = never
) -> Iterator[Puzzle]:
    """The puzzles in one game."""
    for kind, position in found_in_a_game(game, rng, theme, cancelled):
        yield Puzzle(kind, rating(position, kind), str(position))


def found_in_a_game(
    game: Game, rng: random.Random, theme: str = "", cancelled: Cancelled = never
) -> Iterator[tuple[str, Position]]:
    """The same before they are rated: of each theme a few that are some moves apart."""
    found: dict[str, list[tuple[int, Position]]] = {}
    for ply, position in reversed([*enumerate(played_positions(game, rng, cancelled))]):
        if cancelled():
            return
        if not possible(theme, position):
            continue
        known = truth(position)
        if known is None:  # what comes before takes even longer
            break
        kind = theme_of(position, known)
        if kind and theme in ("", kind):
            found.setdefault(kind, []).append((ply, position))
    for kind, places in found.items():
        while places:
            taken, position = rng.choice(places)
            yield kind, position
            places = [each for each in places if abs(each[0] - taken) >= APART]


def puzzle_look(position: Position) -> str:
    """The same for puzzles too much alike: those turned, mirrored, or with another score."""
    return f"{position.game.spec} {position.image().write()[0]}"


def played_positions(
    game: Game, rng: random.Random, cancelled: Cancelled = never
) -> list[Position]:
    """The positions of one game, first to last, or until *cancelled*."""
    seed = rng.randrange(1, 10**6)
    agent = catalog.agent(PLAYER, seed=seed)
    position = PuzzleThemes.of(game).first_position(seed, rng)
    positions = []
    while not position.is_over and not cancelled():
        positions.append(position)
        careless = game.seats == 1 or rng.random() < CARELESS
        move = rng.choice(position.moves()) if careless else agent.analyse(position).move
        position = position.child(move)
    return positions


def rating(position: Position, theme: str) -> int:
    """How hard a puzzle is, measured: the rating at which the panel would solve what it solved."""
    results = [(GUESSER, chance(position, theme)), (MIDDLE, 0.5)]
    for spec, strength in PANEL:
        agents = (catalog.agent(spec, seed=seed) for seed in range(1, TRIES + 1))
        solved = sum(solves(agent, position, theme) for agent in agents)
        results.append((strength, solved / TRIES))
    return performance(results)


def chance(position: Position, theme: str) -> float:
    """How likely just any moves are right."""
    share = 1.0
    for legal, right in _decisions(None, position, theme):
        share *= right / legal
    return share


def solves(agent: Agent, position: Position, theme: str) -> bool:
    """Does *agent* find every move of a puzzle?"""
    return all(right for _, right in _decisions(agent, position, theme))


def _decisions(agent: Agent | None, position: Position, theme: str) -> Iterator[tuple[int, int]]:
    """For each decision the legal moves, and how many are right; of an agent's own, 1 or 0.

    Of a win only the first move is asked for: it is the one that is hard to find.
    """
    nodes = PLAIN_NODES if native_form(position) is None else NATIVE
    while not position.is_over:
        found = truth(position)
        assert found is not None, f"{position} was solved before"
        right = right_moves(position, found)
        move = found.move
        if agent is None:
            yield len(position.moves()), len(right)
        else:
            move = agent.analyse(position, Limit(nodes=nodes)).move
            yield 1, int(move in right)
        if not lasting(theme) or position.game.seats > 1:
            return
        position = position.child(move)


def performance(results: Sequence[tuple[float, float]]) -> int:
    """The rating of a puzzle that was solved so often by each of these, by Elo's curve."""
    low, high = 0.0, 3000.0
    solved = sum(share for _, share in results)
    while high - low > 0.5:
        middle = (low + high) / 2
        expected = sum(1 / (1 + 10 ** ((middle - strength) / 400)) for strength, _ in results)
        low, high = (middle, high) if expected > solved else (low, middle)
    return round((low + high) / 2)
