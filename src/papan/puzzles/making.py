"""Make puzzles: play games carelessly, solve each position, and rate puzzles by agents.

The spec of the game and a seed determine the result.
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
"""Agent that plays the games: strong enough for sensible ones, weak enough to make mistakes."""
CARELESS = 0.25
"""Maximum probability of a random move in addition to the agent's own mistakes; varies by game."""
APART = 4
"""Least number of moves between two puzzles of one theme in a game."""

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
"""Agents that try each puzzle, and the ratings assigned to them by convention."""
GUESSER = 500
"""Rating of a player that picks random moves."""
NATIVE, PLAIN_NODES = 20_000, 500
"""Nodes that an agent may search, compiled or in plain Python."""
TRIES = 2
"""Number of tries of each agent, each with another seed."""
MIDDLE = 1300
"""Rating of a virtual opponent with a drawn result, which keeps ratings finite."""


def make(game: Game, seed: int, theme: str = "", cancelled: Cancelled = never) -> Iterator[Puzzle]:
    """Yield puzzles, of one theme if it is named, until *cancelled*; those of a game differ in
    theme.

    Boards can be too large to be solved: they yield no puzzle, however long the search.
    """
    for number in count():
        if cancelled():
            return
        rng = random.Random(f"puzzles {seed} {number} {game.spec}")
        yield from of_a_game(game, rng, theme, cancelled)


def of_a_game(
    game: Game, rng: random.Random, theme: str = "", cancelled: Cancelled = never
) -> Iterator[Puzzle]:
    """Yield the rated puzzles of one game."""
    for kind, position in found_in_a_game(game, rng, theme, cancelled):
        yield Puzzle(kind, rating(position, kind), str(position))


def found_in_a_game(
    game: Game, rng: random.Random, theme: str = "", cancelled: Cancelled = never
) -> Iterator[tuple[str, Position]]:
    """Yield unrated themes and positions of one game: a few of each theme, some moves apart."""
    found: dict[str, list[tuple[int, Position]]] = {}
    for ply, position in reversed([*enumerate(played_positions(game, rng, cancelled))]):
        if cancelled():
            return
        if not possible(theme, position):
            continue
        known = truth(position)
        if known is None:  # earlier positions take even longer
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
    """Return a key that is equal for puzzles alike: turned, mirrored, or with another score."""
    return f"{position.game.spec} {position.image().write()[0]}"


def played_positions(
    game: Game, rng: random.Random, cancelled: Cancelled = never
) -> list[Position]:
    """Return the positions of one game, first to last, or until *cancelled*."""
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
    """Return the rating of a puzzle: the one at which Elo predicts the results of the panel."""
    results = [(GUESSER, chance(position, theme)), (MIDDLE, 0.5)]
    for spec, strength in PANEL:
        agents = (catalog.agent(spec, seed=seed) for seed in range(1, TRIES + 1))
        solved = sum(solves(agent, position, theme) for agent in agents)
        results.append((strength, solved / TRIES))
    return performance(results)


def chance(position: Position, theme: str) -> float:
    """Return the probability that random moves solve the puzzle."""
    share = 1.0
    for legal, right in _decisions(None, position, theme):
        share *= right / legal
    return share


def solves(agent: Agent, position: Position, theme: str) -> bool:
    """Return whether *agent* plays every move of a puzzle right."""
    return all(right for _, right in _decisions(agent, position, theme))


def _decisions(agent: Agent | None, position: Position, theme: str) -> Iterator[tuple[int, int]]:
    """Yield for each decision the number of legal and of right moves; for an agent's move 1 and 0
    or 1.

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
    """Return the rating of a puzzle by Elo's curve, 0 to 3000.

    *results* are pairs of a solver's strength, in Elo, and the share that it solved, 0 to 1.
    """
    low, high = 0.0, 3000.0
    solved = sum(share for _, share in results)
    while high - low > 0.5:
        middle = (low + high) / 2
        expected = sum(1 / (1 + 10 ** ((middle - strength) / 400)) for strength, _ in results)
        low, high = (middle, high) if expected > solved else (low, middle)
    return round((low + high) / 2)
