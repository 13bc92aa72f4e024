"""Boards read from their texts, with the rules of their games once more.

Nothing here uses the code that finds sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from papan.core import Move, Position
from papan.games.onet.rules import OnetPosition


def listed(places: object) -> list[str]:
    return str(places).split(", ")


def places(value: Any) -> set[str]:
    """The cells of a sentence: one, or several with *and*."""
    return {value} if isinstance(value, str) else {*value.values["some"], value.values["last"]}


# Games of lines.


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


def threatened(board: Lines, place: str, mark: str = "") -> bool:
    """Does *mark*, else the one to move, lack only this cell on a line?"""
    mark = mark or board.mover
    return any(
        place in each and sum(board.cells[name] == mark for name in each) == board.need - 1
        for each in board.open_for(mark)
    )


# Dots and Boxes.


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


# Adjacency.


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


# Onet.


def cells_of_pair(pair: str) -> list[str]:
    return re.findall("[a-z]+[0-9]+", pair)


@cache
def fewest_left(position: Position) -> int:
    """The fewest tiles that any way of taking pairs leaves."""
    assert isinstance(position, OnetPosition)
    tiles = sum(map(bool, position.tiles))
    return min((fewest_left(position.child(move)) for move in position.moves()), default=tiles)


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
