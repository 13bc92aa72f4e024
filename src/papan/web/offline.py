"""Data with which pages work while the server is gone: facts about games, deals, solved puzzles.

A game with a script ``offline.js`` in its folder can be played then: the script does what its rules
and its drawing do here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, timedelta
from itertools import groupby, islice
from pathlib import Path
from random import Random
from typing import get_args, get_type_hints

from pydantic import BaseModel

from papan import catalog, puzzles
from papan.core.errors import PapanError
from papan.core.game import Game
from papan.core.parts import Card, Setup, Support
from papan.puzzles.themes import lasting
from papan.web.bundle import GAME_SCRIPT
from papan.web.puzzle_turns import PuzzleFacts, PuzzleTurn, puzzle_facts, puzzle_turn

DEALS, LEVEL_DEALS = 6, 1
"""Boards dealt of each size on the first level, and on each further one."""
MOST_SEEDS = 999_999
PUZZLES = 3
"""Number of puzzles in an `OfflineKit` of each game and theme."""
MOST_TURNS = 24
"""Positions of one puzzle that are asked about; with more of them it is left out."""
DAYS = 3
"""Number of days, from today on, whose daily puzzle is in an `OfflineKit`."""


class OfflineFacts(BaseModel):
    """What pages know of a game without the server: facts about all its boards, and dealt starts.

    A spot is a place in the picture that a person can pick to name a move.
    """

    seats: int
    """Number of seats, 1 or 2."""
    spots_in_a_move: int
    """Number of spots that name a move together: 2 where a pair is picked, else 1."""
    upright: bool
    """True if the picture is not turned for the other seat."""
    counters: list[str]
    """Keys of the features of a position (`Feature.key`) that players see all the time, such as the
    number of rounds left.
    """
    shuffles: bool
    """True if players may have the pieces of a position put in another order."""
    solved_sizes: list[str]
    """Specs of the usual sizes that have an exact solver."""
    deals: list[str]
    """Starts that were dealt at random, as positions in text; empty if the game has no chance."""


class OfflinePuzzle(PuzzleFacts):
    """A puzzle, and in addition the answer to each position that is asked about."""

    difficulty: puzzles.Difficulty
    """``easy``, ``medium`` or ``hard``, by its rating."""
    turns: dict[str, PuzzleTurn]
    """The rival's reply and the next answer, by position (as text): that after the right moves so
    far, before the reply to the last of them.
    """


class OfflineKit(BaseModel):
    """Everything besides scripts and texts that is needed to play without the server."""

    games: dict[str, OfflineFacts]
    """Facts by the name of the game, of each game with a script of its own."""
    puzzles: list[OfflinePuzzle]
    """The puzzles of these games that are stored, those of *days* first."""
    days: dict[str, str]
    """The short name or whole text of the puzzle of a day, by its date (YYYY-MM-DD), where it is
    stored.
    """


def offline_folders() -> dict[str, Path]:
    """Return the folder of each game that has a script `GAME_SCRIPT`, by name of the game."""
    folders = {}
    for name, kind in catalog.GAMES.items():
        module = sys.modules[kind.__module__]
        alone = not (module.__name__.endswith(".rules") or hasattr(module, "__path__"))
        if alone or module.__file__ is None:
            continue  # a game that is one module has no folder
        folder = Path(module.__file__).parent
        if (folder / GAME_SCRIPT).is_file():
            folders[name] = folder
    return folders


def offline_kit(day: date, cancelled: Callable[[], bool] = lambda: False) -> OfflineKit:
    """Return the data with which pages work without the server from *day* on, for `DAYS` days.

    Games and puzzles that were not reached when *cancelled* began to return True are left out.
    """
    names = [name for name in offline_folders() if not cancelled()]
    daily = {day + timedelta(each): puzzles.daily(day + timedelta(each)) for each in range(DAYS)}
    chosen = [each for each in _chosen(names, [*daily.values()]) if not cancelled()]
    kept = {each.name for each in chosen}
    return OfflineKit(
        games={name: offline_facts(catalog.GAMES[name](), day.toordinal()) for name in names},
        puzzles=chosen,
        days={str(each): puzzle.kept for each, puzzle in daily.items() if puzzle.kept in kept},
    )


def offline_facts(game: Game, seed: int) -> OfflineFacts:
    """Return the facts of a *game*, with boards that are dealt from *seed* (the same for the same
    seed).
    """
    card = Card.of(game)
    sizes = [game.spec, *card.presets]
    return OfflineFacts(
        seats=game.seats,
        spots_in_a_move=card.spots_in_a_move,
        upright=card.upright,
        counters=list(card.counters),
        shuffles=Setup.of(game).shuffles,
        solved_sizes=[each for each in sizes if Support.of(catalog.game(each)).has_solver],
        deals=[*_deals(game, sizes, Random(seed))] if Setup.of(game).deal(1) != game else [],
    )


def _deals(game: Game, sizes: list[str], rng: Random) -> Iterator[str]:
    """Yield dealt starts as texts, for each of *sizes* (specs) and each level of the game (see
    `_levels`).

    There are `DEALS` for the usual level of each size and `LEVEL_DEALS` for each other one. *rng*
    draws what they are dealt from.
    """
    for size in sizes:
        for number, level in enumerate(_levels(game)):
            spec = f"{size},{level}" if number else size
            for _ in range(LEVEL_DEALS if number else DEALS):
                yield str(Setup.of(catalog.game(spec)).deal(rng.randint(1, MOST_SEEDS)).start())


def _levels(game: Game) -> list[str]:
    """Return each level of a game as an option of its spec, such as ``gravity=left``; the first is
    the usual one.

    ``[""]`` if the game has no levels.
    """
    option = Card.of(game).level_option
    choices = get_args(get_type_hints(type(game)).get(option))
    return [f"{option}={each}" for each in choices] or [""]


def _chosen(names: list[str], first: list[puzzles.Puzzle]) -> Iterator[OfflinePuzzle]:
    """Yield the puzzles to store of the games *names*: those of *first* that are of these games,
    then some of each theme.

    The latter are `PUZZLES` further ones of each game and theme, or all if there are fewer, spread
    from easy to hard as far as possible. None comes twice; one without answers (see `puzzle_turns`)
    is left out.
    """
    known = set[str]()

    def kept(some: list[puzzles.Puzzle]) -> Iterator[OfflinePuzzle]:
        for puzzle in some:
            if puzzle.kept not in known and (turns := puzzle_turns(puzzle)):
                known.add(puzzle.kept)
                facts = puzzle_facts(puzzle).model_dump()
                yield OfflinePuzzle(**facts, difficulty=puzzle.difficulty, turns=turns)

    yield from kept([each for each in first if each.game in names])
    themes = sorted(puzzles.shipped(), key=lambda each: (each.game, each.theme, each.rating))
    for (name, _), group in groupby(themes, key=lambda each: (each.game, each.theme)):
        if name in names:
            some = [*group]
            spread = some[:: max(1, len(some) // PUZZLES)]
            yield from islice(kept([*spread, *some]), PUZZLES)


def puzzle_turns(puzzle: puzzles.Puzzle) -> dict[str, PuzzleTurn]:
    """Return the reply and the answer after each sequence of right moves in a puzzle, by position
    as text.

    The position is the one before the reply. A puzzle whose theme does not last (`lasting`) has its
    first question only. Empty if there are more than `MOST_TURNS` positions, or one is too hard to
    solve.
    """
    turns: dict[str, PuzzleTurn] = {}
    waiting = [""]
    with suppress(PapanError):
        for moves in waiting:
            position = puzzle.position.after(moves)
            if str(position) in turns or position.is_over:
                continue
            turn = turns[str(position)] = puzzle_turn(puzzle, moves)
            if len(turns) > MOST_TURNS:
                break
            if turn.answer and lasting(puzzle.theme):
                before = [*moves.split(), *turn.reply]
                waiting += [" ".join((*before, move)) for move in turn.answer.right]
        else:
            return turns
    return {}
