"""Make puzzles: let levels play games, solve the positions, and rate puzzles by what people see.

Levels are agents of growing strength, ``level:1`` and so on. The spec of the game and a seed
determine the result.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from papan import api, catalog
from papan.core import Agent, Analysis, Game, Position
from papan.core.parts import Card, Drawing
from papan.core.session import dealt_start
from papan.core.thinking import Cancelled, never
from papan.puzzles import Puzzle
from papan.puzzles.sight import PicturePoint, rating
from papan.puzzles.themes import possible, theme_of, truth

PLAYING_LEVELS = (2, 3, 4)
"""Levels that play the games: strong enough for sensible ones, weak enough to make mistakes."""
APART = 4
"""Least number of moves between two puzzles of one theme in a game."""
VISIBLE = 9
"""The harm of a wrong move must show in fewer plies than this."""


class Candidate(NamedTuple):
    """A puzzle before it is rated: its theme, its position, and where the last move was made.

    The theme is a name of `PuzzleThemes.claims`, such as "win".
    """

    theme: str
    position: Position
    last: PicturePoint | None
    """The point of the picture, in SVG units, of the last move; None if there was none."""


def make(game: Game, seed: int, theme: str = "", cancelled: Cancelled = never) -> Iterator[Puzzle]:
    """Yield new puzzles of *game*, endlessly, until *cancelled* returns True.

    They have the *theme* of that name ("": any). The spec of *game* and *seed* determine them. For
    a board that is too large to be solved, or a theme that the game does not have, nothing is
    yielded, and it goes on until *cancelled* returns True. *cancelled* is asked before each game
    and each position.
    """
    for number in count():
        if cancelled():
            return
        rng = random.Random(f"puzzles {seed} {number} {game.spec}")
        for kind, position, last in found_in_a_game(game, rng, theme, cancelled):
            yield Puzzle(kind, rating(position, kind, last), str(position))


def found_in_a_game(
    game: Game, rng: random.Random, theme: str = "", cancelled: Cancelled = never
) -> Iterator[Candidate]:
    """Yield the puzzles of one random game, drawn by *rng*, before they are rated.

    Those of one theme are `APART` moves apart or more; *theme* "" is any. Positions before the last
    one that `truth` cannot solve are not looked at. Nothing is yielded if *cancelled* returns True
    while the game is played or its positions are solved.
    """
    found: dict[str, list[tuple[int, Candidate]]] = {}
    for ply, (position, last) in reversed([*enumerate(played_positions(game, rng, cancelled))]):
        if cancelled():
            return
        if not possible(theme, position):
            continue
        known = truth(position)
        if known is None:  # earlier positions take even longer
            break
        kind = theme_of(position, known)
        if kind and theme in ("", kind) and is_visible(position, known, kind):
            found.setdefault(kind, []).append((ply, Candidate(kind, position, last)))
    for places in found.values():
        while places:
            taken, puzzle = rng.choice(places)
            yield puzzle
            places = [each for each in places if abs(each[0] - taken) >= APART]


def is_visible(position: Position, found: Analysis, theme: str) -> bool:
    """Return whether every wrong move of a puzzle with the theme "draw" is soon seen to lose.

    Each such loss must come in fewer than `VISIBLE` plies after the wrong move; a loss of unknown
    distance counts as seen. True for other themes, and in games that count points. *found* is the
    analysis that solves *position*; the positions after wrong moves are solved here without a
    limit, which may take long.
    """
    if theme != "draw" or position.game.largest_margin != 1:
        return True
    wrong = (position.child(move) for move in position.moves() if move not in found.best)
    return all((api.solve(each).distance or 0) < VISIBLE for each in wrong)


def puzzle_look(position: Position) -> str:
    """Return a text that is equal for positions whose boards differ only by symmetry.

    It is the spec of the game and the first word of the position's text, which is the board, after
    turning or mirroring the position into the one that stands for all of its symmetric forms. The
    other words, such as scores, do not count.
    """
    return f"{position.game.spec} {position.image().write()[0]}"


def players(game: Game, rng: random.Random) -> list[Agent]:
    """Return an agent for each seat, drawn by *rng*: one of `PLAYING_LEVELS` that the game has.

    A level is a number, from 1, for the agent ``level:NUMBER`` of that strength. If the game has
    none of `PLAYING_LEVELS`, one of its own is drawn. Raise IndexError if it has no levels at all.
    """
    known = Card.of(game).levels
    levels = [level for level in PLAYING_LEVELS if level in known] or known
    chosen = [rng.choice(levels) for _ in range(game.seats)]
    return [catalog.agent(f"level:{level}", seed=rng.randrange(1, 10**6)) for level in chosen]


def played_positions(
    game: Game, rng: random.Random, cancelled: Cancelled = never
) -> list[tuple[Position, PicturePoint | None]]:
    """Return the positions of one game between levels, first to last but without the finished one.

    Each has the point (x, y) of the picture, in SVG units, where the last move was made; None for
    the first, and if the drawing has no such points. When *cancelled*, asked before each move,
    returns True, the positions so far are returned.
    """
    agents = players(game, rng)
    dealt = dealt_start(game.start(), rng.randrange(1, 10**6))
    position = game.read(dealt.write())  # which does not tell how it was dealt
    last: PicturePoint | None = None
    positions = list[tuple[Position, PicturePoint | None]]()
    while not position.is_over and not cancelled():
        positions.append((position, last))
        move = agents[position.turn].analyse(position).move
        last = Drawing.of(position).label_point(move)
        position = position.child(move)
    return positions
