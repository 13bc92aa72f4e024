"""Every sentence about a move is true: checked by the rules and by brute force alone.

Nothing here uses the code that finds the sentences. Boards are read from their texts, and what a
position is worth is found by trying everything, or by the solver where that would take too long.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from papan import api, catalog
from papan.core import Analysis, Coach, Game, Limit, Move, Position, Proved
from papan.core.message import LANGUAGES, Message, catalogue, text_of
from papan.core.reasons import (
    Mistake,
    Reason,
    _worse,
    deeds,
    deeds_by_rules,
    fault,
    forced_win,
    reason,
    with_people,
)
from papan.core.review import Verdict
from papan.games.onet.rules import Onet, OnetPosition
from tests.brute_force import tried
from tests.core.test_review import MISTAKES, verdict_on


def listed(places: object) -> list[str]:
    return str(places).split(", ")


# What positions are worth: the final margin of the seat to move, and in how many plies.

MOST_TRIED = 9
"""So many plies are tried out; before that the solver is asked."""


def best_play(position: Position) -> tuple[float, int | None]:
    if len(position.moves()) <= MOST_TRIED and position.game.name != "connect4":
        return tried(position)
    if position.game.name == "connect4" and str(position).count(".") <= MOST_TRIED:
        return tried(position)
    found = api.solve(position)
    assert found.exact
    return found.proved.low, found.distance


def best_for(position: Position, seat: int) -> float:
    value = best_play(position)[0]
    return value if position.turn == seat else -value


# Games of lines, read from their texts.


class Lines:
    """A board of marks, with the rules of its game once more."""

    def __init__(self, position: Any) -> None:
        self.names: Sequence[str] = position.game.grid.names
        self.rows, self.columns = position.game.rows, position.game.columns
        self.need = getattr(position.game, "connect", 4)
        self.falls = position.game.name == "connect4"
        board, mark = position.write()
        self.cells = dict(zip(self.names, board.replace("/", ""), strict=True))
        self.mover, self.rival = mark, "xo"[mark == "x"]

    def put(self, name: str, mark: str) -> Lines:
        copy = object.__new__(Lines)
        copy.__dict__ = self.__dict__ | {"cells": self.cells | {name: mark}}
        return copy

    def free(self) -> list[str]:
        """The cells where a mark can go."""
        empty = [number for number, name in enumerate(self.names) if self.cells[name] == "."]
        if self.falls:
            below = {number: number + self.columns for number in empty}
            empty = [each for each in empty if below[each] not in below]
        return [self.names[number] for number in empty]

    def lands(self, move: str) -> str:
        """The cell that a move marks, by the name of the move or of the cell."""
        if not self.falls or move in self.free():
            return move
        (cell,) = (name for name in self.free() if ord(name[0]) - ord("a") + 1 == int(move))
        return cell

    @property
    def lines(self) -> list[tuple[str, ...]]:
        return _lines(self.rows, self.columns, self.need, tuple(self.names))

    def wins(self, mark: str) -> set[str]:
        """The cells with which *mark* has a line at once."""
        free = set(self.free())
        found = set()
        for line in self.lines:
            marks = Counter(self.cells[name] for name in line)
            if marks[mark] == self.need - 1 and marks["."] == 1:
                found |= {name for name in line if self.cells[name] == "."} & free
        return found

    def open_for(self, mark: str) -> list[tuple[str, ...]]:
        other = "xo"[mark == "x"]
        return [line for line in self.lines if all(self.cells[name] != other for name in line)]

    def most(self, mark: str) -> int:
        counts = [sum(self.cells[each] == mark for each in line) for line in self.open_for(mark)]
        return max(counts, default=0)

    def wins_next(self, mark: str) -> bool:
        """Does *mark*, which has just moved, win with its next move whatever the other does?"""
        other = "xo"[mark == "x"]
        answers = self.free()
        return (
            bool(answers)
            and not self.wins(other)
            and all(self.put(each, other).wins(mark) for each in answers)
        )


@cache
def _lines(rows: int, columns: int, need: int, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    found = []
    for row, column, (down, right) in product(
        range(rows), range(columns), ((0, 1), (1, 0), (1, 1), (1, -1))
    ):
        cells = [(row + down * step, column + right * step) for step in range(need)]
        if all(0 <= r < rows and 0 <= c < columns for r, c in cells):
            found.append(tuple(names[r * columns + c] for r, c in cells))
    return found


def is_double(after: Lines, mark: str, values: Any) -> bool:
    places = listed(values["place"])
    return len(places) > 1 and {*places} == after.wins(mark) and after.wins_next(mark)


def is_stacked(after: Lines, mark: str, values: Any) -> bool:
    blocked = after.put(values["place"], "xo"[mark == "x"])
    opened = {*listed(values["next"])}
    return (
        after.wins(mark) == {values["place"]}
        and bool(opened)
        and opened <= blocked.wins(mark)
        and after.wins_next(mark)
    )


def is_squeeze(after: Lines, mark: str, values: Any) -> bool:
    other, places = "xo"[mark == "x"], {*listed(values["place"])}
    every = [after.put(each, other).wins(mark) for each in after.free()]
    only_answer = len(after.free()) == 1
    return (
        (only_answer or not after.wins(mark))
        and after.wins_next(mark)
        and all(places & each for each in every)
        and places <= set().union(*every)
    )


FORCED = {"double": is_double, "stacked": is_stacked, "squeeze": is_squeeze}


# Dots and Boxes, read from the names of its lines.


def dot(row: int, column: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"


class Strings:
    """The lines that are drawn and the boxes around them."""

    def __init__(self, position: Any) -> None:
        rows, columns = position.game.rows, position.game.columns
        self.boxes = [
            {
                dot(row, column) + dot(row, column + 1),
                dot(row + 1, column) + dot(row + 1, column + 1),
                dot(row, column) + dot(row + 1, column),
                dot(row, column + 1) + dot(row + 1, column + 1),
            }
            for row, column in product(range(rows), range(columns))
        ]
        names = [position.game.move_name(move) for move in range(position.game.move_count)]
        drawn = position.write()[0]
        self.drawn = {name for name, mark in zip(names, drawn, strict=True) if mark == "1"}
        self.left = [name for name in names if name not in self.drawn]

    def full(self, drawn: set[str]) -> int:
        return sum(box <= drawn for box in self.boxes)

    def takes(self, line: str) -> int:
        return self.full(self.drawn | {line}) - self.full(self.drawn)

    def rest(self, also: Sequence[str] = ()) -> set[str]:
        """The lines drawn once every box has been taken that can be."""
        drawn = self.drawn | {*also}
        while ready := [box - drawn for box in self.boxes if len(box - drawn) == 1]:
            drawn |= ready[0]
        return drawn

    def to_take(self, also: Sequence[str] = ()) -> int:
        return self.full(self.rest(also)) - self.full(self.drawn | {*also})

    def safe(self, drawn: set[str]) -> list[str]:
        """The lines that give nothing away that was not there to be taken."""
        return [
            line
            for line in self.left
            if line not in drawn and all(len(box - drawn) > 2 for box in self.boxes if line in box)
        ]


def first_without(position: Position, line: Sequence[Move], long: bool) -> int | None:
    """Who first has no box to take and no safe line on the way, and *long* chains alone."""
    for move in line:
        board = Strings(position)
        if not board.to_take() and not board.safe(board.drawn):
            given = [board.to_take([each]) for each in board.left]
            if not long or min(given) >= 3:
                return position.turn
        position = position.child(move)
    return None


def first_taken(position: Position, line: Sequence[Move]) -> tuple[int, int]:
    seat, count = -1, 0
    for move in line:
        taken = Strings(position).takes(position.game.move_name(move))
        if count and not taken:
            break
        if taken:
            seat, count = position.turn, count + taken
        position = position.child(move)
    return seat, count


def declines(board: Strings, line: str) -> set[int]:
    """How many boxes a rival can leave after *line*, with the turn, giving away nothing else."""
    start, found, rest = frozenset(board.drawn | {line}), set[int](), board.rest([line])
    seen, waiting = {start}, [start]
    while waiting:
        drawn = waiting.pop()
        for each in {*rest} - drawn:
            now = drawn | {each}
            if board.full({*now}) > board.full({*drawn}):
                if now not in seen:
                    seen.add(now)
                    waiting.append(now)
            elif board.rest([*now]) == rest:
                found.add(board.full(rest) - board.full({*now}))
    return found


# Adjacency, read from its text.


def flips(position: Any, name: str) -> int:
    names, (board, mark) = position.game.grid.names, position.write()
    cells, columns = board.replace("/", ""), position.game.columns
    at = names.index(name)
    beside = [at - columns, at + columns]
    beside += [at - 1] if at % columns else []
    beside += [at + 1] if (at + 1) % columns else []
    return sum(0 <= each < len(cells) and cells[each] == "xo"[mark == "x"] for each in beside)


def most_flipped(position: Position) -> int:
    return max((flips(position, name) for name in position.move_names()), default=0)


def beside_empty(position: Any, mark: str) -> int:
    rows = position.write()[0].split("/")
    count = 0
    for row, column in product(range(len(rows)), range(len(rows[0]))):
        near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        inside = [(r, c) for r, c in near if 0 <= r < len(rows) and 0 <= c < len(rows[0])]
        count += rows[row][column] == mark and any(rows[r][c] == "." for r, c in inside)
    return count


# Onet.


@cache
def fewest_left(position: Position) -> int:
    """The fewest tiles that any way of taking pairs leaves."""
    assert isinstance(position, OnetPosition)
    tiles = sum(map(bool, position.tiles))
    return min((fewest_left(position.child(move)) for move in position.moves()), default=tiles)


# Each sentence with what makes it true.


@dataclass
class Said:
    """A sentence about a move: its key, its values, and all that it may speak of."""

    key: str
    values: Any
    position: Any
    move: Move
    verdict: Verdict | None = None

    @property
    def seat(self) -> int:
        return int(self.position.turn)

    @property
    def after(self) -> Any:
        return self.position.child(self.move)

    @property
    def better(self) -> Any:
        assert self.verdict is not None
        return self.position.child(self.verdict.plan[0])

    @property
    def name(self) -> str:
        return str(self.position.game.move_name(self.move))

    @property
    def better_name(self) -> str:
        assert self.verdict is not None
        return str(self.position.game.move_name(self.verdict.plan[0]))

    @property
    def lines(self) -> tuple[Lines, Lines, Lines]:
        """The boards before and after the move, and after the better one."""
        return Lines(self.position), Lines(self.after), Lines(self.better)

    @property
    def plays(self) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        """The play after the move, with it, and the better play."""
        assert self.verdict is not None
        return (self.move, *self.verdict.refutation), self.verdict.plan

    def values_of_both(self) -> tuple[float, float]:
        """What the better move and the move are worth to who made it, by brute force."""
        return best_for(self.better, self.seat), best_for(self.after, self.seat)


def rule_deeds(said: Said) -> bool:
    """What the rules alone say of a move in a game that is won at once."""
    board, after = Lines(said.position), Lines(said.after)
    mover, kind = board.mover, said.key.removeprefix("reason.")
    gone = board.lands(said.name)
    if kind == "wins":
        return gone in board.wins(mover)
    if kind == "blocks":
        return said.values["place"] == gone and gone in board.wins(board.rival)
    if kind == "threatens":
        places = {*listed(said.values["place"])}
        return places == after.wins(mover) and not after.wins(board.rival)
    return FORCED[kind](after, mover, said.values)


def places(value: Any) -> set[str]:
    """The cells of a sentence: one, or several with *and*."""
    return {value} if isinstance(value, str) else {*value.values["some"], value.values["last"]}


def cells_of(board: Lines, line: Any) -> list[str]:
    """The cells of a line from end to end, if it runs the way that is said."""
    at = {name: divmod(number, board.columns) for number, name in enumerate(board.names)}
    first, last = (at[name] for name in line.values["ends"].split("-"))
    down, right = last[0] - first[0], last[1] - first[1]
    way = "column" if not right else "row" if not down else "diagonal"
    steps = max(abs(down), abs(right))
    assert line.key == f"lines.{way}" and (not down or not right or abs(down) == abs(right))
    names = {place: name for name, place in at.items()}
    return [
        names[first[0] + down // steps * step, first[1] + right // steps * step]
        for step in range(steps + 1)
    ]


def makes_two(after: Lines, mark: str, said: set[str]) -> bool:
    """Has *mark* just made two threats, side by side or one above the other, in these cells?"""
    wins = after.wins(mark)
    if not after.wins_next(mark) or len(said) < 2:
        return False
    if len(wins) == 1:
        (stop,) = wins
        return said <= wins | after.put(stop, "xo"[mark == "x"]).wins(mark)
    return said == wins


def can_make_two(board: Lines, mark: str) -> bool:
    return any(
        len(each.wins(mark)) > 1 and each.wins_next(mark)
        for each in (board.put(name, mark) for name in board.free())
    )


def deeds_of_lines(said: Said) -> Any:  # noqa: C901
    board, after, values = Lines(said.position), Lines(said.after), said.values
    mover, rival, gone = board.mover, board.rival, board.lands(said.name)
    line = cells_of(board, values["line"]) if "line" in values else []
    on_line = Counter(board.cells[name] for name in line)
    then = Counter(after.cells[name] for name in line)
    danger, left = board.wins(rival), after.wins(rival)
    named = places(values["place"]) if "place" in values else set()
    two = places(values["places"]) if "places" in values else set()
    if "many" in values:
        assert values["many"].key == f"lines.many_{values['count']}"
        assert not two or len(two) == values["count"]
    match said.key.removeprefix("lines.reason_"):
        case "wins":
            return gone in line and then[mover] == len(line) >= board.need
        case "passes_win":
            hole = board.lands(values["better"])
            won = all(after.cells[name] == mover for name in line)
            return hole in board.wins(mover) and hole in line and not won
        case "forced":
            only = danger == {gone} and not left and not board.wins(mover)
            return only and gone in line and on_line[rival] == board.need - 1
        case "blocks":
            stops = gone in danger and gone in line and on_line[rival] == board.need - 1
            return stops and not left and bool(board.wins(mover))
        case "blocks_one":
            stops = gone in danger and gone in line and on_line[rival] == board.need - 1
            return stops and named == left != set()
        case "leaves":
            holes = {name for name in line if after.cells[name] == "."}
            closed = on_line[rival] == board.need - 1 and holes == left == danger
            return gone not in danger and danger and named == left and closed
        case "lets":
            return gone not in danger and danger and named == left and len(left) > 1
        case "opens":
            holes = {name for name in line if after.cells[name] == "."}
            return not danger and named == left and holes <= left and then[rival] == board.need - 1
        case "only_safe":
            others = [name for name in board.free() if name != gone]
            spoilt = all(board.put(name, mover).wins(rival) for name in others)
            forced = not board.wins(mover) and bool(others)
            return not danger and not left and forced and spoilt
        case "double":
            return len(two) > 1 and two == after.wins(mover) and after.wins_next(mover)
        case "stacked":
            return is_stacked(after, mover, values)
        case "squeeze":
            every = [after.put(name, rival).wins(mover) for name in after.free()]
            return not after.wins(mover) and all(every) and two == set().union(*every)
        case "threatens":
            hole = after.lands(values["reply"])
            alone = after.wins(mover) == {hole} and not left and hole in line
            made = gone in line and then[mover] == values["count"] == board.need - 1
            return alone and made
        case "opens_own":
            hole = after.lands(values["reply"])
            alone = after.wins(mover) == named == {hole} and not left and hole in line
            return alone and hole not in board.free() and on_line[mover] == board.need - 1
        case "then_double" | "then_forced":
            for name in ("reply", "first", "second"):
                if name in values:
                    cell = after.lands(values[name])
                    if name != "first":
                        assert after.wins(mover) == {cell} and not after.wins(rival)
                    after = after.put(cell, mover if name == "first" else rival)
            return makes_two(after.put(after.lands(values["next"]), mover), mover, two)
        case "open_three":
            marks = [name for name in line if after.cells[name] == mover]
            fours = [after.put(name, mover) for name in after.free()]
            both = [four for four in fours if len(four.wins(mover)) > 1]
            left_alone = any(
                sum(four.cells[name] == mover for name in each) == board.need - 1
                and {*marks} <= {*each}
                for four in both
                for each in four.open_for(mover)
            )
            return gone in line and len(marks) == board.need - 2 and left_alone
        case "prepares":
            following = after.put(after.lands(values["next"]), mover)
            return makes_two(following, mover, two)
        case "stops_double":
            return makes_two(board.put(gone, rival), rival, two)
        case "stops_next":
            could = makes_two(board.put(board.lands(values["next"]), rival), rival, two)
            return could and not can_make_two(after, rival)
        case "stops_lines":
            there = board.put(gone, rival)
            full = [each for each in there.open_for(rival) if gone in each]
            counts = [sum(there.cells[name] == rival for name in each) for each in full]
            return counts.count(values["count"]) > 1
        case "waits":
            (hole,) = named
            waits = after.cells[hole] == "." and hole not in after.free() and hole in line
            return waits and then[mover] == values["count"] == board.need - 1 and gone in line
        case "builds":
            return gone in line and then[mover] == values["count"] > 1 and not then[rival]
        case "breaks":
            return gone in line and on_line[rival] == values["count"] > 1 and not on_line[mover]
        case "many" | "lies":
            through = {
                name: sum(name in each for each in board.open_for(mover)) for name in board.free()
            }
            most = max(through.values())
            return (
                named == {gone}
                and values["count"] == through[gone]
                and (through[gone] == most or "lies" in said.key)
            )
        case "closes" | "dead":
            theirs, own = (
                sum(gone in each for each in board.open_for(side)) for side in (rival, mover)
            )
            return named == {gone} and not own and theirs == values.get("count", 0)
    return False


def runs_out_first(board: Strings, drawn: frozenset[str], known: dict[Any, bool]) -> bool:
    """Does the seat to move find no safe line first, by trying every order of safe lines?"""
    if drawn not in known:
        answers = (drawn | {line} for line in board.safe({*drawn}))
        known[drawn] = not any(runs_out_first(board, each, known) for each in answers)
    return known[drawn]


MOST_SAFE = 11
"""Safe lines of which every order is tried; with more of them the sentence is not checked."""


def deeds_of_boxes(said: Said) -> Any:
    board, values, kind = Strings(said.position), said.values, said.key.removeprefix("dots.reason_")
    there, taken, after = board.to_take(), board.takes(said.name), Strings(said.after)
    own, rival = (int(said.after.scores()[seat]) for seat in (said.seat, 1 - said.seat))
    opened = 0 if taken else board.to_take([said.name]) - there
    given = {line: board.to_take([line]) for line in board.left}
    others = [given[line] for line in board.left if line != said.name]
    safe, left = board.safe(board.drawn), after.safe(after.drawn)
    if taken or kind in ("takes", "takes_more", "majority", "ends"):
        ended = {"own": own, "rival_boxes": rival, "all": len(board.boxes)}.items()
        return (
            values["boxes"] == taken > 0
            and {
                "takes": not after.to_take(),
                "takes_more": after.to_take() == values.get("more") and after.to_take() > 0,
                "ends": not after.left and ended <= values.items(),
                "majority": 2 * own > len(board.boxes) >= 2 * (own - taken)
                and ended <= values.items(),
            }[kind]
        )
    if kind.startswith("leaves") or kind == "double_cross":
        rest = board.rest()
        again = len(rest) < len(board.drawn) + len(board.left)
        same = board.rest([said.name]) == rest
        gives = [
            len(
                [box for box in board.boxes if box <= board.rest([*rest, line]) and not box <= rest]
            )
            for line in board.left
            if line not in rest
        ]
        return (
            values["boxes"] == there > 0
            and {
                "leaves": same and again and not opened,
                "leaves_open": not opened,
                "leaves_and_gives": opened == values.get("given") and opened > 0,
                "double_cross": same
                and again
                and not board.safe(rest)
                and there in (1, 2, 3, 4)
                and min(gives, default=0) == values.get("least"),
            }[kind]
        )
    if kind in ("gives_only", "gives_best"):
        ends = [best_for(said.position.after(line), said.seat) for line in safe if "best" in kind]
        best = best_for(said.after, said.seat) if ends else 0
        return not there and values["boxes"] == opened > 0 and all(best > each for each in ends)
    if kind in ("gives", "gives_but_one", "fewest", "fewest_too", "more"):
        example = given.get(values["example"])
        return (
            not there
            and values["boxes"] == opened > 0
            and {
                "gives": len(safe) == values.get("safe") and example == 0 and bool(safe),
                "gives_but_one": safe == [values["example"]],
                "fewest": not safe and opened < values.get("fewest", 0) == min(others, default=-1),
                "fewest_too": not safe
                and opened == values.get("fewest") == min(others, default=-1),
                "more": not safe and opened > values.get("fewest", 0) == example == min(others),
            }[kind]
        )
    if kind == "hard_hearted":
        return not there and opened == 2 and not {1, 2} & declines(board, said.name)
    if there or opened:
        return False
    if kind == "last_safe":
        return not left and values["least"] == min(after.to_take([line]) for line in after.left)
    if values["safe"] != len(left) or not left:
        return False
    if kind == "safe" or len(left) > MOST_SAFE:
        return True
    return runs_out_first(after, frozenset(after.drawn), {}) == (kind == "safe_forces")


class Marks:
    """A board of Adjacency, read from its text."""

    def __init__(self, position: Any) -> None:
        board, mark = position.write()
        rows = board.split("/")
        names = iter(position.game.grid.names)
        places = product(range(len(rows)), range(len(rows[0])))
        self.at = {place: next(names) for place in places}
        self.marks = {name: rows[r][c] for (r, c), name in self.at.items()}
        self.mover, self.rival = mark, "xo"[mark == "x"]

    def beside(self, name: str) -> list[str]:
        ((row, column),) = [place for place, each in self.at.items() if each == name]
        near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        return [self.at[each] for each in near if each in self.at]

    def turned(self, name: str) -> list[str]:
        return [each for each in self.beside(name) if self.marks[each] == self.rival]

    def for_good(self, name: str) -> bool:
        return all(self.marks[each] != "." for each in self.beside(name))


def deeds_of_marks(said: Said) -> Any:  # noqa: C901
    before, after, values = Marks(said.position), Marks(said.after), said.values
    turned, kind = before.turned(said.name), said.key.removeprefix("adjacency.reason_")
    kept = [name for name in turned if after.for_good(name)]
    most = most_flipped(said.after)
    own, rival = (int(said.after.scores()[seat]) for seat in (said.seat, 1 - said.seat))
    match kind:
        case "ends":
            over = not said.after.moves()
            return over and (values["own"], values["rival_marks"]) == (own, rival)
        case "last_wins" | "last_draws" | "last_loses":
            reply = said.after.child(said.after.legal_move(values["reply"]))
            ends = [said.after.child(move) for move in said.after.moves()]
            ahead = min(each.scores()[said.seat] - each.scores()[1 - said.seat] for each in ends)
            sign = {"last_wins": 1, "last_draws": 0, "last_loses": -1}[kind]
            return (
                all(each.is_over for each in ends)
                and reply in ends
                and values["marks"] == most == flips(said.after, values["reply"])
                and ahead == sign * values["ahead"]
            )
        case "turns":
            return values["marks"] == len(turned) > 0 == len(kept)
        case "turns_for_good":
            return (values["marks"], values["kept"]) == (len(turned), len(kept)) and bool(kept)
        case "turns_all_for_good":
            return values["marks"] == len(turned) == len(kept) > 0
        case "safe":
            return after.for_good(said.name)
        case "takes_away":
            mine = [name for name in before.beside(said.name) if before.marks[name] == before.mover]
            return values["marks"] == len(mine) > 1
        case "greedy":
            other = said.position.child(said.position.legal_move(values["greedy"]))
            return (
                values["more"] == flips(said.position, values["greedy"]) > len(turned)
                and values["back"] == most_flipped(other) == flips(other, values["reply"])
                and values["left"] == most < values["back"]
            )
        case "fewest_exposed":
            counts = {
                name: beside_empty(said.position.after(name), before.mover)
                for name in said.position.move_names()
            }
            mine_left = counts.pop(said.name)
            others = values["rival_marks"] == beside_empty(said.after, before.rival)
            return others and values["marks"] == mine_left < min(counts.values())
        case "turns_none":
            reply_turns = flips(said.after, values["reply"])
            return not turned and values["marks"] == most == reply_turns > 0
        case "turns_none_at_all":
            return not turned and most == 0
    return False


def deeds_of_pairs(said: Said) -> Any:  # noqa: C901
    position, after, values = said.position, said.after, said.values
    kind, tiles = said.key.removeprefix("onet.reason_"), sum(map(bool, after.tiles))
    names = position.game.grid.names
    known, now = ({*each.move_names()} for each in (position, after))
    cells = _cells(said.name)
    kinds = [position.tiles[names.index(cell)] for cell in cells]
    assert len(cells) == 2 and kinds[0] == kinds[1] > 0
    match kind:
        case "clears":
            return tiles == 0
        case "stuck":
            return not now and values["tiles"] == tiles > 0
        case "leaves":
            return values["pairs"] == len(now)
        case "frees":
            had = {cell for pair in known for cell in _cells(pair)}
            freed = {cell for pair in now - known for cell in _cells(pair)} - had
            shown_cells = {cell for cell in values["cells"] if cell != "\u2026"}
            whole = shown_cells == freed if "\u2026" not in values["cells"] else shown_cells < freed
            return bool(shown_cells) and whole and values["pairs"] == len(now - known)
        case "opens":
            return values["pairs"] == len(now - known) > 0
        case "opens_none":
            return now <= known and values["left"] == len(now)
        case "last_two":
            return [*position.tiles].count(kinds[0]) == 2
        case "other_pair" | "other_pair_none":
            assert (kind == "other_pair_none") == (values["fewer"] == 0)
            other = {*position.after(values["other"]).move_names()} - known
            shared = len({*_cells(values["other"])} & {*cells}) == 1
            return shared and len(other) == values["fewer"] < values["pairs"] == len(now - known)
        case "never_meet":
            at = names.index(values["cell"])
            return at in kept_for_ever(after) and not kept_for_ever(position)
        case "only":
            others = [each for each in position.moves() if each != said.move]
            cleared = fewest_left(after) == 0
            return cleared and all(fewest_left(position.child(each)) for each in others)
        case "wrong":
            return fewest_left(position.after(values["other"])) > 0 == fewest_left(after)
    return False


def _cells(pair: str) -> list[str]:
    return re.findall("[a-z]+[0-9]+", pair)


def kept_for_ever(position: Any) -> set[int]:
    """The cells of tiles that no way of taking pairs takes, by trying every way."""
    seen, waiting = {position}, [position]
    staying = {cell for cell, tile in enumerate(position.tiles) if tile}
    while waiting and staying:
        here = waiting.pop()
        staying &= {cell for cell, tile in enumerate(here.tiles) if tile}
        for move in here.moves():
            if (child := here.child(move)) not in seen:
                seen.add(child)
                waiting.append(child)
    return staying


def not_blocked(said: Said) -> bool:
    board, after, better = said.lines
    places, rival = {*listed(said.values["place"])}, board.rival
    stood = places <= board.wins(rival) and places <= after.wins(rival)
    return bool(places) and stood and not better.wins(rival)


def allowed_win(said: Said) -> bool:
    board, after, better = said.lines
    places, rival = {*listed(said.values["place"])}, board.rival
    new = not places & board.wins(rival) or len(board.free()) == 2
    return places == after.wins(rival) and new and not better.wins(rival)


def missed_force(said: Said) -> bool:
    board, _, better = said.lines
    return FORCED[said.key.removeprefix("review.missed_")](better, board.mover, said.values)


def allowed_force(said: Said) -> bool:
    board, after, _ = said.lines
    answered = after.put(after.lands(said.values["reply"]), board.rival)
    kind = said.key.removeprefix("review.allowed_")
    return FORCED[kind](answered, board.rival, said.values)


def missed_line(said: Said) -> bool:
    value, plies = best_play(said.position)
    assert said.verdict is not None and plies is not None
    moves = listed(said.values["line"])
    shown = min(said.values["moves"], 4)
    lost = best_for(said.after, said.seat) < 1
    return (
        (value, (plies + 1) // 2) == (1, said.values["moves"])
        and lost
        and plies == said.values["plies"]
        and moves[0] == said.better_name
        and len([each for each in moves if each != "\u2026"]) == shown
    )


def allowed_line(said: Said) -> bool:
    value, plies = best_play(said.after)
    assert plies is not None
    counted = (plies, (plies + 1) // 2) == (said.values["plies"], said.values["moves"])
    return value == 1 and counted and said.values_of_both()[0] > -1


def could_win_in(said: Said) -> bool:
    value, plies = best_play(said.position)
    return plies is not None and (value, (plies + 1) // 2) == (1, said.values["moves"])


def gave_more(said: Said) -> bool:
    board, after, better = said.lines
    rival, values = board.rival, said.values

    def best(where: Lines) -> int:
        return max((where.put(each, rival).most(rival) for each in where.free()), default=0)

    def through(where: Lines, cell: str) -> int:
        there = where.put(cell, rival)
        lines = [line for line in there.open_for(rival) if cell in line]
        counts = [sum(there.cells[each] == rival for each in line) for line in lines]
        return max(counts, default=0)

    most = max((through(better, each) for each in better.free()), default=0)
    there, fewer = through(after, after.lands(values["reply"])), int(values["fewer"])
    return there == int(values["count"]) > fewer == most


def filled_less(said: Said) -> bool:
    board, after, better = said.lines
    counts = after.most(board.mover), better.most(board.mover)
    return (said.values["count"], said.values["instead"]) == counts and counts[0] < counts[1]


def open_less(said: Said) -> bool:
    board, after, better = said.lines
    counts, mark = [], board.mover if said.key == "lines.open_less" else board.rival
    for other in (after, better):
        (gone,) = {name for name in other.cells if board.cells[name] != other.cells[name]}
        counts.append(sum(gone in line for line in board.open_for(mark)))
    return [said.values["count"], said.values["instead"]] == counts and counts[0] < counts[1]


def changed(said: Said) -> bool:
    """What became of the result."""
    before, _, after = said.key.removeprefix("review.").rpartition("_to_")
    signs = {"win": 1, "draw": 0, "loss": -1}
    found = [(value > 0) - (value < 0) for value in said.values_of_both()]
    return found == [signs[before], signs[after]]


def same_result(said: Said) -> bool:
    instead, now = said.values_of_both()
    sign = 1 if said.key == "review.wins_less" else -1
    return instead * sign > 0 and now * sign > 0 and instead - now == said.values["lost"]


def left_boxes(said: Said) -> bool:
    board = Strings(said.position)
    return not board.takes(said.name) and board.to_take() == said.values["boxes"] > 0


def opened(said: Said) -> bool:
    """How many boxes a line opens: those that lay there already do not count."""
    board, values, key = Strings(said.position), said.values, said.key.removeprefix("dots.")
    there, safe = board.to_take(), board.safe(board.drawn)
    given, least = (board.to_take([each]) - there for each in (said.name, said.better_name))
    counted = (values["boxes"], values["fewer"]) == (given, least) and given > least
    if board.takes(said.name) or board.takes(said.better_name) or not counted:
        return False
    if key in ("gave_boxes", "opened_long_chain"):
        chain = key == "gave_boxes" or given >= 3
        return chain and least == 0 and values["safe"] == len(safe) > 0
    return least > 0 if key == "opened_longer" else least == 0


def refused(said: Said) -> bool:
    """Taking was wrong: who takes everything has to move again, and to give boxes away."""
    board, better = Strings(said.position), said.better_name
    rest = board.rest()
    again = len(rest) < len(board.drawn) + len(board.left)
    gives = not board.safe(rest)
    return (
        board.takes(said.name) > 0
        and not board.takes(better)
        and board.rest([better]) == rest
        and board.to_take([better]) == said.values["left"] > 0
        and again
        and gives == (said.key == "dots.refused_double_cross")
    )


def allowed_cross(said: Said) -> bool:
    board = Strings(said.position)
    return said.values["left"] in declines(board, said.name) and not {2, 4} & declines(
        board, said.better_name
    )


def runs_out(said: Said) -> bool:
    long = said.key == "dots.lost_control"
    ends = [first_without(said.position, line, long) for line in said.plays]
    return ends == [said.seat, 1 - said.seat]


def takes_next(said: Said) -> bool:
    now, instead = (first_taken(said.position, line) for line in said.plays)
    wanted = (1 - said.seat, said.values["boxes"]), (said.seat, said.values["instead"])
    return (now, instead) == wanted


def fewer_boxes(said: Said) -> bool:
    own = said.position.scores()[said.seat]
    boxes = len(Strings(said.position).boxes)
    instead, now = ((boxes + value) / 2 - own for value in said.values_of_both())
    left = boxes - sum(said.position.scores())
    values = said.values
    return (values["boxes"], values["instead"], values["left"]) == (now, instead, left)


def frontier(said: Said) -> bool:
    values = said.values
    reply = flips(said.after, values["reply"])
    most = most_flipped(said.after), most_flipped(said.better)
    return (values["marks"], values["fewer"]) == most and most[1] < most[0] == reply


def flipped(said: Said) -> bool:
    counts = [flips(said.position, name) for name in (said.name, said.better_name)]
    fewer = said.key == "adjacency.turned_fewer"
    return [said.values["marks"], said.values["instead"]] == counts and (
        counts[0] < counts[1] if fewer else counts[0] > counts[1]
    )


def exposed(said: Said) -> bool:
    counts = [beside_empty(each, "xo"[said.seat]) for each in (said.after, said.better)]
    return [said.values["marks"], said.values["fewer"]] == counts and counts[0] > counts[1]


def ends_with(said: Said) -> bool:
    marks = 8 + 2 * said.position.game.rounds
    instead, now = ((marks + value) / 2 for value in said.values_of_both())
    return (said.values["marks"], said.values["instead"]) == (now, instead)


def wrong_pair(said: Said) -> bool:
    """The plan clears the board, and takes one of the tiles with another one."""
    game, values = said.position.game, said.values
    assert said.verdict is not None
    end = said.position
    for pair in said.verdict.plan:
        end = end.play(pair)
    cells = {*game.cells(said.move)}
    pairs = [pair for pair in said.verdict.plan if cells & {*game.cells(pair)}]
    alike = said.position.tiles.count(said.position.tiles[game.cells(said.move)[0]])
    return (
        end.cleared
        and values["pair"] in map(game.move_name, pairs)
        and values["pair"] != said.name
        and values["count"] == alike > 2
        and fewest_left(said.after) > 0
    )


def left_over(said: Said) -> bool:
    falls = said.position.game.gravity != "none"
    right = falls == (said.key == "onet.fell_apart")
    tiles: int = said.values["tiles"]
    return right and 0 < tiles <= fewest_left(said.after)


def uncleared(said: Said) -> bool:
    return fewest_left(said.after) > 0 == fewest_left(said.better)


def in_one(said: Said) -> bool:
    board = said.lines[0]
    return {*map(board.lands, listed(said.values["place"]))} == board.wins(board.mover) != set()


TRUE: dict[str, Callable[[Said], Any]] = {
    **dict.fromkeys(
        (
            "reason.wins",
            "reason.blocks",
            "reason.threatens",
            "reason.double",
            "reason.stacked",
            "reason.squeeze",
        ),
        rule_deeds,
    ),
    **{key: deeds_of_lines for key in catalogue("en") if key.startswith("lines.reason_")},
    **{key: deeds_of_boxes for key in catalogue("en") if key.startswith("dots.reason_")},
    **{key: deeds_of_marks for key in catalogue("en") if key.startswith("adjacency.reason_")},
    **{key: deeds_of_pairs for key in catalogue("en") if key.startswith("onet.reason_")},
    "review.missed_win": in_one,
    "review.not_blocked": not_blocked,
    "review.allowed_win": allowed_win,
    **dict.fromkeys((f"review.missed_{kind}" for kind in FORCED), missed_force),
    **dict.fromkeys((f"review.allowed_{kind}" for kind in FORCED), allowed_force),
    "review.missed_line": missed_line,
    "review.allowed_line": allowed_line,
    "review.could_win_in": could_win_in,
    "review.loses_in": allowed_line,
    **dict.fromkeys(("review.win_to_draw", "review.win_to_loss", "review.draw_to_loss"), changed),
    **dict.fromkeys(("review.wins_less", "review.loses_more"), same_result),
    "review.uncleared": uncleared,
    "lines.gave_more": gave_more,
    "lines.filled_less": filled_less,
    **dict.fromkeys(("lines.open_less", "lines.closed_less"), open_less),
    "dots.left_boxes": left_boxes,
    **dict.fromkeys(
        (
            "dots.gave_boxes",
            "dots.opened_long_chain",
            "dots.opened_longer",
            "dots.opened_more",
        ),
        opened,
    ),
    **dict.fromkeys(("dots.refused_double_cross", "dots.refused_turn"), refused),
    "dots.allowed_double_cross": allowed_cross,
    **dict.fromkeys(("dots.lost_control", "dots.ran_out"), runs_out),
    "dots.takes_next": takes_next,
    "dots.fewer_boxes": fewer_boxes,
    "adjacency.gave_frontier": frontier,
    **dict.fromkeys(("adjacency.too_greedy", "adjacency.turned_fewer"), flipped),
    "adjacency.exposed_more": exposed,
    "adjacency.ends_with": ends_with,
    "onet.wrong_pair": wrong_pair,
    **dict.fromkeys(("onet.fell_apart", "onet.left_over"), left_over),
}
OUTCOMES = {
    *("review.win_to_draw", "review.win_to_loss", "review.draw_to_loss"),
    *("review.wins_less", "review.loses_more", "review.uncleared"),
    *("review.could_win_in", "review.loses_in", "review.at_least"),
    *("review.guessed", "review.guessed_better"),
}
"""What became of the game: not why."""


def demand(said: Said) -> None:
    """That a sentence is true, and can be said in every language."""
    text = text_of(said.key, "en", player="X", rival="O", **said.values)
    sentence = f"{said.position}, {said.name}: {text}"
    for language in LANGUAGES:
        assert "{" not in text_of(said.key, language, player="X", rival="O", **said.values), (
            sentence
        )
    assert TRUE[said.key](said), sentence


# Positions and games by chance.


def game_by_chance(game: Game, rng: Random) -> tuple[list[Position], list[Move]]:
    positions, moves = [game.start()], list[Move]()
    while not positions[-1].is_over:
        moves.append(rng.choice(positions[-1].moves()))
        positions.append(positions[-1].child(moves[-1]))
    return positions, moves


def verdicts(positions: Sequence[Position], moves: Sequence[Move]) -> Iterator[Verdict]:
    return api.reviewer(positions, moves, seconds=60).verdicts()


def demand_verdict(verdict: Verdict) -> None:
    for each in verdict.said:
        demand(Said(each.key, each.values, verdict.position, verdict.move, verdict))


def test_y5_every_reason_and_every_deed_has_a_check_of_its_own() -> None:
    started = (
        "review.missed",
        "review.allowed",
        "review.not_",
        "lines.reason_",
        "lines.gave",
        "lines.filled",
        "lines.open",
        "lines.closed",
    )
    assert {key for key in catalogue("en") if key.startswith(started)} <= {*TRUE}


@pytest.mark.parametrize("key", MISTAKES)
def test_y5_every_sentence_of_the_examples_is_true(key: str) -> None:
    demand_verdict(verdict_on(*MISTAKES[key]))


# The sentences that were false, each where it was.


@pytest.mark.parametrize(
    ("text", "move", "key", "values"),
    [
        # the move itself opened d5
        (
            "connect4:5,5 ooo../xox../xxoo./ooxxo/xxxox x",
            "4",
            "review.allowed_win",
            {"place": "d5"},
        ),
        # b5 was no threat before
        (
            "connect4:5,5 ..x../x.oox/xoxoo/oxooo/xxoxx x",
            "2",
            "review.not_blocked",
            {"place": "d5"},
        ),
        # safe lines are left, so nobody has to open a chain
        (
            "dots:3,3 001010001110101110100101 1 0-0",
            "c2d2",
            "dots.refused_turn",
            {"left": 2},
        ),
    ],
)
def test_y5_a_reason_that_was_false_is_true_now(
    text: str, move: str, key: str, values: dict[str, object]
) -> None:
    verdict = verdict_on(text, move)
    assert verdict.said[0].key == key
    assert values.items() <= verdict.said[0].values.items()
    demand_verdict(verdict)


TWO_THREATS_TOO_LATE = (
    ("tictactoe:3,3,3 xxo/..o/... x", "b2"),
    ("tictactoe:4,4,3 ..x./..../..x./.o.. o", "c4"),
    ("connect4:4,5 ....o/x...x/x.o.o/xoxox o", "4"),
    ("connect4:6,7 ......./......./......./..o..../.ooxx../.xoxox. x", "4"),
)
"""Moves that make two threats while the rival wins first."""
FALLS_SHORT = {
    f"lines.reason_{kind}" for kind in ("leaves", "lets", "opens", "blocks_one", "passes_win")
}
"""What is said of moves after which the rival wins at once."""


@pytest.mark.parametrize(("text", "name"), TWO_THREATS_TOO_LATE)
def test_y7_two_threats_are_none_where_the_rival_wins_first(text: str, name: str) -> None:
    position = catalog.position(text)
    move = position.legal_move(name)
    board, after = Lines(position), Lines(position.child(move))
    assert len(after.wins(board.mover)) > 1 and after.wins(board.rival)
    assert {each.message.key for each in deeds(position, move)} <= FALLS_SHORT
    assert forced_win(position.child(move), position.turn) is None
    missed = Mistake(position, position.moves()[0], (move,), ())
    said = fault(missed)
    assert said is None or said.key != "review.missed_double"


@pytest.mark.parametrize(
    ("text", "move", "better"),
    [
        ("tictactoe:3,3,3 xx./ox./..o o", "a3", "c2"),  # x wins with c1 after either
        ("connect4:4,5 ...../...../.oo../.xxx. o", "2", "3"),
        ("connect4:5,5 ..x../x.oox/xoxoo/oxooo/xxoxx x", "2", "1"),
    ],
)
def test_y7_nobody_let_the_rival_win_where_the_better_move_does_too(
    text: str, move: str, better: str
) -> None:
    before = catalog.position(text)
    moves = [before.legal_move(name) for name in (move, better)]
    assert all(Lines(before.child(each)).wins("xo"[1 - before.turn]) for each in moves)
    said = fault(Mistake(before, moves[0], (moves[1],), ()))
    assert said is None or said.key not in ("review.allowed_win", "review.not_blocked")


def positions_by_chance(spec: str, count: int) -> Iterator[tuple[Position, Move]]:
    """Moves of games by chance, from every part of a game."""
    rng = Random(f"sentences {spec}")
    while count > 0:
        positions, moves = game_by_chance(catalog.game(spec), rng)
        for ply in rng.sample(range(len(moves)), min(len(moves), 8, count)):
            yield positions[ply], moves[ply]
            count -= 1


LOOKED_AT = {
    "tictactoe": 40,
    "tictactoe:4,4,3": 40,
    "tictactoe:5,6,4": 40,
    "tictactoe:9,9,5": 8,
    "connect4:4,4": 60,
    "connect4:5,5": 40,
    "connect4": 40,
    "connect4:7,10": 16,
    "dots:1,3": 20,
    "dots:2,2": 40,
    "dots:3,3": 40,
    "dots:4,5": 24,
    "dots:6,6": 8,
    "adjacency:4,4,4": 20,
    "adjacency:5,6,8": 20,
    "adjacency:9,9,10": 8,
    "onet:2,5,kinds=3": 20,
    "onet:3,4,kinds=3": 16,
    "onet:2,5,kinds=3,gravity=left": 8,
    "onet:4,6,kinds=4,rule=paper": 8,
}
"""How many moves of each board are looked at in a quick test."""


def deeds_by_chance(spec: str, count: int) -> Counter[str]:
    found = Counter[str]()
    for position, move in positions_by_chance(spec, count):
        said = [each.message for each in deeds(position, move)]
        for each in said:
            demand(Said(each.key, each.values, position, move))
            found[each.key] += 1
        if not {each.key for each in said} - WEAK and position.game.largest_margin == 1:
            demand_nothing(position, move)
    return found


def beginners(spec: str, count: int) -> Iterator[tuple[Position, Move]]:
    """Moves of players who mostly win if they can and block if they must, each with another one."""
    rng = Random(f"beginners {spec}")
    while count > 0:
        position = catalog.game(spec).start()
        while not position.is_over and count > 0:
            board, moves = Lines(position), position.moves()
            urgent = board.wins(board.mover) or board.wins(board.rival)
            fit = [move for move in moves if board.lands(position.game.move_name(move)) in urgent]
            move = rng.choice(fit if fit and rng.random() < 0.8 else moves)
            yield position, move
            yield position, rng.choice(moves)
            position, count = position.child(move), count - 1


LIVELY = {"connect4:4,5": 40, "connect4": 40, "connect4:7,10": 12, "tictactoe:5,6,4": 16}
"""How many moves of beginners are looked at in a quick test."""


def deeds_of_beginners(spec: str, count: int) -> Counter[str]:
    found = Counter[str]()
    for position, move in beginners(spec, count):
        for each in deeds(position, move):
            demand(Said(each.message.key, each.message.values, position, move))
            found[each.message.key] += 1
    return found


@pytest.mark.parametrize("spec", LIVELY)
def test_e3_what_moves_of_beginners_do_is_true(spec: str) -> None:
    assert deeds_of_beginners(spec, LIVELY[spec])


@pytest.mark.slow
def test_e3_every_kind_of_reason_on_lines_is_true_of_thousands_of_moves() -> None:
    found = Counter[str]()
    for spec, count in {**LIVELY, "tictactoe": 40, "tictactoe:9,9,5": 20}.items():
        found += deeds_of_beginners(spec, 60 * count)
    assert {*found} == {key for key in catalogue("en") if key.startswith("lines.reason_")}


def test_e3_two_lines_that_are_completed_at_once_are_not_taken_for_one() -> None:
    """Two diagonals cross here; they were called the row c4-g4."""
    text = "connect4:6,7 ......./.....x./..ox.xo/..xo.oo/o.xx.ox/oxxoxox o"
    position = catalog.position(text)
    (won,) = deeds(position, position.legal_move("5"))
    assert str(won.message) == "5 wins: the diagonal d1-g4."
    demand(Said(won.message.key, won.message.values, position, position.legal_move("5")))


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        (
            "connect4:6,7 ......./...ox../...ooo./...xox./..xxox./..oxxxo o",
            "3",
            "3 opens c4, where X would complete the row c4-f4: O must answer 3.",
        ),
        (
            "connect4:6,7 ..x..../.oo..x./.oxxoo./oxooxo./xxoxxx./oxxoox. o",
            "5",
            "5 does not block: O wins at d5 or g1.",
        ),
        (
            "connect4:6,7 ......./......./......./......./......./....... x",
            "4",
            "d1 lies on 7 lines that X can still complete; "
            "no cell that can be filled now lies on more.",
        ),
        (
            "connect4:6,7 .....x./.....x./x....o./oo...x./ox.x.xo/oxoooxx o",
            "3",
            "3 prepares c3, which would make two threats: d3 and c4.",
        ),
        (
            "connect4:6,7 ......./......./......o/......x/xxxo.oo/xoxx.oo x",
            "1",
            "Then c3 forces c4, and b3 makes two threats: d3 and d4.",
        ),
        (
            "connect4:4,5 .ooox/.xxox/.oxxo/xxoxo o",
            "1",
            "1 leaves O only answers that open a win: a4.",
        ),
    ],
)
def test_e3_lines_and_cells_of_a_reason_are_the_right_ones(
    text: str, name: str, sentence: str
) -> None:
    """The mover is called X here, the rival O."""
    position = catalog.position(text)
    move, said = position.legal_move(name), []
    for each in deeds(position, move):
        demand(Said(each.message.key, each.message.values, position, move))
        said.append(text_of(each.message.key, "en", player="X", rival="O", **each.message.values))
    assert sentence in said


WEAK = {
    f"lines.reason_{kind}" for kind in ("builds", "breaks", "many", "lies", "waits", "stops_lines")
}
"""Deeds of moves that force nobody to anything."""


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:4,4,3", "connect4:4,4", "connect4"])
def test_y5_what_the_rules_alone_say_of_a_move_is_true(spec: str) -> None:
    """So it is for a game of which only the rules are known."""
    for position, move in positions_by_chance(spec, 40):
        for each in deeds_by_rules(position, move):
            demand(Said(each.message.key, each.message.values, position, move))


def demand_reason(found: Reason) -> Iterator[str]:  # noqa: C901
    """That each sentence of a reason is true; yields the keys of what follows and of contrasts."""
    position, move = found.position, found.move
    for clause in found.clauses:
        key, values = clause.message.key, clause.message.values
        before = position
        for each in clause.line:
            assert before.allows(each)
            before = before.child(each)
        match key:
            case "reason.then":
                reply, later = clause.line[1:]
                assert values["reply"] == position.game.move_name(reply)
                before = position.child(move).child(reply)
                said = Said(values["deed"].key, values["deed"].values, before, later)
            case "reason.instead":
                deed = values["deed"]
                other = position.legal_move(deed.values["move"])
                assert other != move
                said = Said(deed.key, deed.values, position, other)
            case "reason.instead_reply":
                before = position.child(position.legal_move(values["other"]))
                theirs, reply = values["theirs"], before.legal_move(values["reply"])
                said = Said(theirs.key, theirs.values, before, reply)
            case "reason.instead_draws" | "reason.instead_loses" | "reason.instead_worse":
                after = position.child(position.legal_move(values["other"]))
                worse, best = best_for(after, position.turn), best_play(position)[0]
                assert worse < best, (str(position), values)
                assert key != "reason.instead_draws" or worse == 0
                assert key != "reason.instead_loses" or worse < 0
                assert "points" not in values or values["points"].amount == best - worse
                yield key
                continue
            case "connect4.reason_parity" | "connect4.reason_parity_new":
                demand_parity(position, clause.line, values)
                there = threatened(Lines(position), values["place"])
                assert there == (key == "connect4.reason_parity")
                continue
            case "reason.only_move":
                assert [*position.moves()] == [move]
                continue
            case "reason.puts_off":
                (value, plies), answer = best_play(position), best_play(position.child(move))
                assert plies is not None and plies > 2, str(position)
                assert value < 0 and answer == (1, plies - 1), str(position)
                continue
            case "reason.quiet":
                continue
            case _:
                said = Said(key, values, position, move)
        demand(said)
        if clause.kind in ("then", "instead"):
            yield key


def threatened(board: Lines, place: str, mark: str = "") -> bool:
    """Does *mark*, else the one to move, lack only this cell on a line?"""
    mark = mark or board.mover
    return any(
        place in each and sum(board.cells[name] == mark for name in each) == board.need - 1
        for each in board.open_for(mark)
    )


def demand_parity(position: Position, line: Sequence[Move], values: Any) -> None:
    """That the win is proved, and that the rival opens a threat of now at the end of the line."""
    played = [position]
    for move in line:
        played.append(played[-1].child(move))
    board, after, stuck = Lines(position), Lines(played[1]), Lines(played[-3])
    place, mover = values["place"], board.mover
    assert best_play(position) == (1, values["plies"]) and len(line) == values["plies"]
    assert played[-1].winner == position.turn
    assert Lines(played[-2]).lands(position.game.move_name(line[-1])) == place
    assert after.cells[place] == "." and place not in after.free()
    assert threatened(after, place, mover) and place not in stuck.free()
    assert place in Lines(played[-2]).free()
    assert all(stuck.put(name, board.rival).wins(mover) for name in stuck.free())


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("connect4:6,7 ......./......./.x..ox./.x.xooo/.o.xxxo/.o.oxxo x", "c3"),
        ("connect4:6,7 ......./.....x./ox...o./ox...x./xo.xooo/ooxxxox x", "c3"),
        ("connect4:6,7 ......./..o..../o.oox../o.xxo../xoxxox./xooxxox x", "b4"),
    ],
)
def test_e3_parity_is_told_where_the_solver_proves_it(text: str, place: str) -> None:
    position = catalog.position(text)
    analysis = api.solve(position)
    found = reason(position, analysis.move, analysis)
    assert found.clauses[0].message.key.startswith("connect4.reason_parity")
    assert found.certainty.kind == "proved"
    assert found.clauses[0].message.values["place"] == place
    for _ in demand_reason(found):
        pass


def test_e3_parity_claims_no_more_than_the_line_that_was_found() -> None:
    """Other defences of the same length end elsewhere; and the threat was not there before."""
    text = "connect4:6,7 ......./...ox../..xooo./..oxox./..xxox./..oxxxo o"
    position = catalog.position(text)
    found = reason(position, position.legal_move("1"), api.solve(position))
    first = found.clauses[0].message
    assert text_of(first.key, "en", player="X", rival="O", **first.values) == (
        "1 makes a threat on b2. The win is proved (15 plies); "
        "in the line found, O opens that cell in the end."
    )
    for _ in demand_reason(found):
        pass


def reason_in(text: str, name: str) -> Reason:
    """The reason of a move by what the solver has proved; each of its sentences is true."""
    position = catalog.position(text)
    found = reason(position, position.legal_move(name), api.solve(position))
    for _ in demand_reason(found):
        pass
    return found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("dots:3,3 111111100101000011001101 1 2-0", "b4c4"),
        ("dots:3,3 000111110101010000011101 2 0-1", "c1d1"),
    ],
)
def test_e3_no_contrast_is_drawn_with_a_move_that_is_as_good(text: str, name: str) -> None:
    found = reason_in(text, name)
    mine = best_for(found.position.after(name), found.position.turn)
    for each in found.messages:
        if each.key == "reason.instead":
            other = found.position.after(each.values["deed"].values["move"])
            assert best_for(other, found.position.turn) < mine


def test_e3_no_move_is_forced_beside_a_win() -> None:
    """The first column wins, so neither is the last one forced nor does every other one lose."""
    text = "connect4:5,5 .ooo./.xxo./oxox./xoxo./xxox. x"
    keys = [each.key for each in api.why(text, "5").messages]
    assert keys == ["lines.reason_passes_win"]


def test_e3_a_sacrifice_that_is_best_is_no_reproach() -> None:
    found = reason_in("dots:3,3 111111100101000011001101 1 2-0", "b3c3")
    said = "b3c3 gives 1 box away, but ends better than any safe line (proved)."
    assert found.text().startswith(said)
    assert "although" not in found.text()


def test_e3_a_missed_win_is_told_although_other_moves_miss_it_too() -> None:
    text = "connect4:6,7 ......./......./...ox../...xo../...oxo./.xoxxo. x"
    position = catalog.position(text)
    for analysis in (None, api.solve(position)):
        found = reason(position, position.legal_move("7"), analysis)
        assert "lines.reason_passes_win" in [each.key for each in found.messages]


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        # the score stands the other way round on the page, so it is said whose it is
        ("dots:3,3 111111111101111111111111 2 2-6", "b4c4", "ends the game 7 : 2 for player 2."),
        ("adjacency:4,4,4 oooo/oxxx/xxxo/xxx. o", "d4", "the game ends 8 : 8 for player 2."),
        # not "but open only 0 instead of 1"
        (
            "onet:6,12 0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,18,0/0,0,0,0,0,0,0,0,0,0,0,0/"
            "2,0,0,0,0,8,0,2,0,2,2,0/19,0,0,0,0,2,0,0,0,0,0,0/18,0,0,0,0,18,2,8,19,0,0,18",
            "k2a6",
            "k2f6 would take one of these tiles too, but open no new pair.",
        ),
    ],
    ids=["dots", "adjacency", "onet"],
)
def test_e3_a_reason_reads_well(text: str, name: str, said: str) -> None:
    assert api.why(text, name).text().endswith(said)


@pytest.mark.parametrize(
    "text",
    ["connect4:4,5 ...x./o..o./xx.o./xooxx o", "connect4:4,5 ..x../.xo../.ox.x/oox.o x"],
)
def test_e3_a_lost_position_has_a_reason_for_the_longest_defence(text: str) -> None:
    position = catalog.position(text)
    found = api.solve(position)
    assert found.proved.high < 0, found
    said = api.why(text, position.game.move_name(found.move), found)
    assert said.messages[0].key == "reason.puts_off" and [*demand_reason(said)] == []


def test_e13_the_name_of_a_column_runs_into_no_other_word() -> None:
    said = verdict_on("connect4:4,4 ..../...o/..xo/xxox o", "2").text()
    assert re.search(r"After 2, .* can play \d and have \d marks on one open line; after", said)


def test_e3_a_safe_line_beside_another_is_not_called_the_last() -> None:
    found = reason_in("dots:3,3 000111110101010000011101 2 0-1", "c1d1")
    assert found.text().startswith("After c1d1 no safe line is left: now player 1 must give away")


def test_e3_a_safe_line_that_is_forced_to_open_has_no_but() -> None:
    found = reason_in("dots:3,3 111111100101000011001101 1 2-0", "b4c4")
    assert found.text().startswith("b4c4 gives nothing away; with 1 safe line left player 2 can")


def test_e3_the_one_safe_line_is_named_and_no_instance_of_it() -> None:
    position = catalog.position("dots:2,2 110100011101 1 1-0")
    said = reason(position, position.legal_move("a2b2")).text()
    assert said == "a2b2 gives 1 box away, although one safe line is left: a3b3."


def test_e3_nobody_asks_for_the_fewest_boxes_where_all_lines_give_as_many() -> None:
    position = catalog.position("dots:2,2 111100111101 2 1-1")
    board = Strings(position)
    assert len({board.to_take([line]) for line in board.left}) == 1
    idea = Coach.of(position).idea(position.legal_move("a3b3"))
    assert idea.text("en") == "Every line gives boxes away now, and each as many."


def test_e3_a_move_of_which_nothing_is_known_is_not_said_to_threaten_nothing() -> None:
    assert text_of("reason.quiet", "en", move="a1") == "a1 does nothing at once that can be seen."


def test_e3_marks_beside_empty_cells_are_those_of_the_player() -> None:
    position = catalog.position("adjacency:4,4,4 ..oo/..oo/xoo./xxo. x")
    found = {each.message.key: each for each in deeds(position, position.legal_move("a2"))}
    values = found["adjacency.reason_fewest_exposed"].message.values
    said = text_of("adjacency.reason_fewest_exposed", "en", player="Ani", rival="Budi", **values)
    assert said.startswith("After a2, Ani has 1 mark beside empty cells, fewer than after any")


def test_e3_no_kind_with_two_tiles_is_looked_for_where_every_kind_has_two() -> None:
    ideas = {
        text: Coach.of(position).idea(position.legal_move("a1b1")).key
        for text in ("onet:2,2 1,1/2,2", "onet:1,6 1,1,2,2,2,2")
        for position in [catalog.position(text)]
    }
    assert [*ideas.values()] == ["idea.look", "onet.idea_last_two"]


REASONED = {
    ("tictactoe", "minimax"): 10,
    ("tictactoe:4,4,3", "alphabeta:depth=2"): 10,
    ("connect4:4,5", "alphabeta:depth=4"): 12,
    ("connect4", "alphabeta:depth=2"): 12,
    ("dots:2,3", "alphabeta:depth=3"): 10,
    ("dots:2,2", "solver"): 10,
    ("adjacency:4,4,4", "alphabeta:depth=3"): 10,
}
"""How many reasons of an agent's moves are looked at in a quick test."""


def reasons_of_agents(spec: str, agent: str, count: int) -> Counter[str]:
    found = Counter[str]()
    for position, _ in positions_by_chance(spec, count):
        analysis = catalog.agent(agent).analyse(position, Limit(nodes=20_000))
        found.update(demand_reason(reason(position, analysis.move, analysis)))
    return found


@pytest.mark.parametrize(("spec", "agent"), REASONED)
def test_e3_what_follows_and_what_another_move_would_allow_is_true(spec: str, agent: str) -> None:
    reasons_of_agents(spec, agent, REASONED[spec, agent])


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "agent"), REASONED)
def test_e3_what_follows_is_true_of_hundreds_of_moves(spec: str, agent: str) -> None:
    assert reasons_of_agents(spec, agent, 40 * REASONED[spec, agent])


MOST_ANSWERS = 30
"""Each costs time: on larger boards a win after any answer is looked for only where it is said."""


def demand_nothing(position: Position, move: Move) -> None:
    """That a move of which nothing is said wins nothing, stops nothing and threatens nothing."""
    board, after = Lines(position), Lines(position.child(move))
    (gone,) = {name for name in after.cells if board.cells[name] != after.cells[name]}
    sentence = f"{position}, {gone}"
    assert gone not in board.wins(board.mover), sentence
    others = [name for name in board.free() if name not in (gone, *board.wins(board.mover))]
    assert gone not in board.wins(board.rival) or not others, sentence
    if not after.wins(board.rival) and len(after.free()) > 2:
        assert not after.wins(board.mover), sentence
        assert len(after.free()) > MOST_ANSWERS or not after.wins_next(board.mover), sentence


@pytest.mark.parametrize("spec", LOOKED_AT)
def test_y5_what_a_move_does_is_true_on_boards_by_chance(spec: str) -> None:
    assert deeds_by_chance(spec, LOOKED_AT[spec])


@pytest.mark.slow
@pytest.mark.parametrize("spec", LOOKED_AT)
def test_y5_what_thousands_of_moves_do_is_true(spec: str) -> None:
    found = deeds_by_chance(spec, 40 * LOOKED_AT[spec])
    assert len(found) > (1 if "adjacency" not in spec else 0)


REVIEWED = {
    "tictactoe": 4,
    "tictactoe:4,4,3": 2,
    "connect4:4,4": 4,
    "connect4:4,5": 3,
    "dots:1,4": 3,
    "dots:2,2": 4,
    "dots:2,4": 3,
    "dots:3,3": 3,
    "adjacency:4,4,2": 3,
    "adjacency:4,4,4": 3,
    "adjacency:5,5,4": 2,
}
"""How many games of each board are reviewed in a quick test."""


def reasons_by_chance(spec: str, games: int) -> list[str]:
    """The keys of the reasons of all mistakes in some games, "" where there is none."""
    reasons, rng = list[str](), Random(f"reviews {spec}")
    for _ in range(games):
        for verdict in verdicts(*game_by_chance(catalog.game(spec), rng)):
            demand_verdict(verdict)
            if verdict.wrong:
                keys = [each.key for each in verdict.said if each.key not in OUTCOMES]
                reasons.append(keys[0] if keys else "")
    return reasons


@pytest.mark.thorough
@pytest.mark.parametrize("spec", REVIEWED)
def test_y6_every_proved_mistake_has_a_reason_and_every_sentence_is_true(spec: str) -> None:
    reasons = reasons_by_chance(spec, REVIEWED[spec])
    assert reasons and "" not in reasons


@pytest.mark.slow
@pytest.mark.parametrize("spec", REVIEWED)
def test_y6_reasons_are_true_in_hundreds_of_games(spec: str) -> None:
    reasons = reasons_by_chance(spec, 40 * REVIEWED[spec])
    assert reasons.count("") <= len(reasons) / 100


def traps(spec: str, count: int) -> Iterator[tuple[Position, Move]]:
    """Boards of Onet by chance that can be cleared, each with a pair after which they cannot."""
    rng, game = Random(f"traps {spec}"), catalog.game(spec)
    assert isinstance(game, Onet)
    kinds = range(1, game.kinds + 1)
    while count > 0:
        pairs = [*kinds, *rng.choices(kinds, k=game.grid.size // 2 - game.kinds)]
        position = OnetPosition(game, tuple(rng.sample(pairs * 2, game.grid.size)))
        if fewest_left(position):
            continue
        wrong = [move for move in position.moves() if fewest_left(position.child(move))]
        if wrong:
            yield position, rng.choice(wrong)
            count -= 1


TRAPPED = {
    "onet:2,5,kinds=3": 3,
    "onet:2,5,kinds=3,gravity=left": 3,
    "onet:2,5,kinds=3,gravity=right": 3,
    "onet:2,5,kinds=3,rule=paper": 4,
}
"""How many mistakes on each board are looked at in a quick test."""


def trapped(spec: str, count: int) -> Counter[str]:
    found = Counter[str]()
    for position, move in traps(spec, count):
        (verdict,) = verdicts([position, position.child(move)], [move])
        demand_verdict(verdict)
        found[verdict.said[0].key] += verdict.wrong
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("spec", TRAPPED)
def test_y6_every_wrong_pair_of_onet_has_a_reason_that_is_true(spec: str) -> None:
    assert "review.uncleared" not in trapped(spec, TRAPPED[spec])


def test_y6_where_tiles_stay_in_pairs_it_is_told_how_many_are_left_over() -> None:
    """By the paper's rule a pair may be right later and wrong now."""
    position = catalog.position("onet:2,5,kinds=3,rule=paper 1,2,1,3,1/2,2,3,1,2")
    move = position.legal_move("a1e1")
    mistake = Mistake(position, move, (move,), (), now=Proved(high=6))
    said = fault(mistake)
    assert said is not None and (said.key, said.values["tiles"]) == ("onet.left_over", 4)
    demand(Said(said.key, said.values, position, move))


def test_y7_two_equal_tiles_are_never_the_wrong_pair() -> None:
    """There is no other tile that one of them could have gone with."""
    position = catalog.position("onet:2,4,kinds=3 1,2,3,1/2,3,0,0")
    for move in position.moves():
        others = tuple(other for other in position.moves() if other != move)
        said = fault(Mistake(position, move, (*others, move), (), now=Proved(high=6)))
        assert said is not None and said.key == "onet.left_over"


@pytest.mark.slow
@pytest.mark.parametrize("spec", TRAPPED)
def test_y6_reasons_of_many_wrong_pairs_are_true(spec: str) -> None:
    assert "review.uncleared" not in trapped(spec, 25 * TRAPPED[spec])


LARGE = ("tictactoe:15,15,5", "connect4", "connect4:7,10", "dots:5,5", "adjacency")
NEEDS_VALUES = {changed, same_result, missed_line, allowed_line, could_win_in}
NEEDS_VALUES |= {fewer_boxes, ends_with}
"""Checks that would take long on a large board; the others need the rules alone."""


@pytest.mark.slow
@pytest.mark.parametrize("spec", LARGE)
def test_y6_mistakes_on_large_boards_have_reasons_too_and_they_are_true(spec: str) -> None:
    rng, count, bare = Random(f"large {spec}"), 0, 0
    for _ in range(2):
        game = game_by_chance(catalog.game(spec), rng)
        for verdict in api.reviewer(*game, seconds=5).verdicts():
            said = [each for each in verdict.said if each.key in TRUE]
            for each in said:
                if TRUE[each.key] not in NEEDS_VALUES:
                    demand(Said(each.key, each.values, verdict.position, verdict.move, verdict))
            count += verdict.wrong
            bare += verdict.wrong and all(each.key in OUTCOMES for each in verdict.said)
    assert count > 10 and bare <= max(1, count / 20)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("dots:2,2 011100110010 1 0-0", "a1b1", "By contrast, a3b3 would end 4 points worse."),
        ("adjacency:4,4,2 .xxo/..oo/xx../xx.. o", "c4", "a1 would end 2 points worse."),
    ],
)
def test_y7_a_contrast_tells_by_how_many_points_the_other_move_is_worse(
    text: str, name: str, said: str
) -> None:
    position = catalog.position(text)
    found = reason(position, position.legal_move(name), api.solve(position, all_moves=True))
    assert [*demand_reason(found)] == ["reason.instead_worse"]
    assert found.text().endswith(said)


def test_y7_the_two_change_places_where_a_sentence_is_about_the_answer() -> None:
    theirs = Message("lines.reason_leaves", {"move": "4", "line": "row a1-d1", "place": "d1"})
    said = Message("reason.instead_reply", {"other": "3", "reply": "4", "theirs": theirs})
    assert with_people(said, {"player": "Ani", "rival": "Budi"}).text() == (
        "By contrast, after 3, Budi could play 4: 4 leaves the row a1-d1 open: Ani wins at d1."
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [("dots:2,2 000101000011 2 0-1", "b1c1"), ("dots:2,2 010100011000 2 0-1", "a1b1")],
)
def test_y7_boxes_that_were_owned_before_are_not_among_those_left(text: str, name: str) -> None:
    found = verdict_on(text, name)
    [said] = [each for each in found.said if each.key == "dots.fewer_boxes"]
    assert found.position.scores()[found.seat] > 0
    demand(Said(said.key, said.values, found.position, found.move, found))


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (Proved(0, 0), "reason.instead_draws"),
        (Proved(-1, 0), None),
        (Proved(-1, -1), "reason.instead_loses"),
        (Proved(high=-1), "reason.instead_loses"),
    ],
)
def test_y7_a_move_of_which_only_a_bound_is_proved_is_not_said_to_draw(
    value: Proved, key: str | None
) -> None:
    position = catalog.position("tictactoe")
    won = Proved.exactly(1)
    found = Analysis((4,), None, won, {4: won, 0: value}, position=position)
    clause = _worse(position, 0, found)
    assert (clause and clause.message.key) == key
