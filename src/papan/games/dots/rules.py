"""Dots and Boxes: draw a line between two dots; completing a box wins it and another turn.

The game ends when every line is drawn; the seat with more boxes wins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from papan.core import (
    Game,
    Grid,
    InvalidMoveError,
    InvalidPositionError,
    InvalidSpecError,
    Move,
    Position,
)

LARGEST = 25  # boxes in a row, so that the letters suffice for its dots


@dataclass(frozen=True)
class Dots(Game):
    """The rules of Dots and Boxes on *rows* by *columns* boxes (1 to 25 each); a move is a line.

    Lines are numbered from 0, row by row: first all lines across, then all lines down. Boxes are
    numbered from 0, row by row, too. A bitboard of lines is an int in which bit n stands for line
    n. Raise InvalidSpecError for other sizes.
    """

    rows: int = 3
    columns: int = 3

    name: ClassVar[str] = "dots"
    fields: ClassVar[tuple[str, ...]] = ("lines", "turn", "boxes")
    moves_stay: ClassVar[bool] = True

    def __post_init__(self) -> None:
        shorter, longer = sorted((self.rows, self.columns))
        if not 1 <= shorter <= longer <= LARGEST:
            raise InvalidSpecError("dots.bad_size", spec=self.spec, largest=LARGEST)

    @cached_property
    def dots(self) -> Grid:
        """The grid of dots: one more each way than boxes, numbered row by row from the top left."""
        return Grid(self.rows + 1, self.columns + 1)

    @cached_property
    def lines(self) -> tuple[tuple[int, int], ...]:
        """For each line, by number, the numbers of its two dots, the upper or left one first."""
        dots = range(self.dots.size)
        across = [(dot, dot + 1) for dot in dots if dot % self.dots.columns < self.columns]
        down = [
            (dot, dot + self.dots.columns) for dot in dots if dot // self.dots.columns < self.rows
        ]
        return (*across, *down)

    @cached_property
    def sides(self) -> tuple[tuple[Move, Move, Move, Move], ...]:
        """For each box, by its number, the numbers of its four lines: top, left, right, bottom."""
        all_across = self.dots.rows * self.columns
        sides = []
        for box in range(self.rows * self.columns):
            left = all_across + box + box // self.columns  # a row has one more line down than boxes
            sides.append((box, left, left + 1, box + self.columns))
        return tuple(sides)

    @cached_property
    def boxes(self) -> tuple[int, ...]:
        """For each box, by its number, the four lines around it as a bitboard of lines."""
        return tuple(sum(1 << line for line in lines) for lines in self.sides)

    @cached_property
    def beside(self) -> tuple[tuple[int, ...], ...]:
        """For each line, by its number, the numbers of the boxes beside it: two, at the rim one."""
        found: list[list[int]] = [[] for _ in range(self.move_count)]
        for box, lines in enumerate(self.sides):
            for line in lines:
                found[line].append(box)
        return tuple(map(tuple, found))

    @cached_property
    def touching(self) -> tuple[tuple[int, ...], ...]:
        """For each line, by number, the four sides of each box beside it as a bitboard of lines.

        These are two bitboards, or one for a line at the rim.
        """
        return tuple(tuple(self.boxes[box] for box in boxes) for boxes in self.beside)

    @cached_property
    def images(self) -> tuple[tuple[Move, ...], ...]:
        """The symmetries of the board, as tuples: item n is the number of the line that n becomes.

        There are eight on square boards, else four; the identity is one of them.
        """
        place = {line: move for move, line in enumerate(self.lines)}
        return tuple(
            tuple(place[min(dots[a], dots[b]), max(dots[a], dots[b])] for a, b in self.lines)
            for dots in self.dots.images
        )

    @property
    def move_count(self) -> int:
        return len(self.lines)

    @property
    def largest_margin(self) -> float:
        """The number of boxes, by which a seat wins that owns them all."""
        return len(self.boxes)

    def start(self) -> DotsPosition:
        return DotsPosition(self)

    def move_name(self, move: Move) -> str:
        """Return the names of the two dots of line *move*, such as ``a1b1``."""
        first, second = self.lines[move]
        return self.dots.names[first] + self.dots.names[second]

    def parse_move(self, text: str) -> Move:
        """Return the number of the line between two dots in either order: ``a1b1`` or ``0,0 0,1``.

        In numbers a dot is its row and its column, from 0 at the top left. Raise InvalidMoveError
        if the text is not two neighbouring dots. Whether the line is drawn already is not asked.
        """
        first, second = sorted(self.dots.parse(text, count=2))
        if (first, second) not in self.lines:
            raise InvalidMoveError("dots.not_a_line", text=text, example=self.move_name(0))
        return self.lines.index((first, second))

    def split_moves(self, text: str) -> list[str]:
        return self.dots.split(text, count=2)

    def read(self, fields: Sequence[str]) -> DotsPosition:
        """Return the position of the *fields* of a text: lines, seat and boxes.

        These are a digit for each line (1 if drawn), the player to move (1 or 2), and the boxes of
        both, such as ``110110011100``, ``1`` and ``1-0``. Raise InvalidPositionError if one of them
        is malformed, or the boxes of both are not as many as the lines complete.
        """
        lines, turn, boxes = fields
        if not re.fullmatch(f"[01]{{{self.move_count}}}", lines):
            raise InvalidPositionError("dots.not_lines", text=lines, count=self.move_count)
        if turn not in ("1", "2"):
            raise InvalidPositionError("dots.not_a_seat", text=turn)
        drawn = int(lines[::-1], 2)
        complete = self.complete(drawn)
        owned = re.fullmatch("([0-9]{1,3})-([0-9]{1,3})", boxes)
        if not owned or int(owned[1]) + int(owned[2]) != complete:
            raise InvalidPositionError("dots.wrong_boxes", text=boxes, complete=complete)
        return DotsPosition(self, drawn, int(turn) - 1, (int(owned[1]), int(owned[2])))

    def complete(self, drawn: int) -> int:
        """Return how many boxes have all their sides among the lines *drawn*, a bitboard."""
        return sum(box & drawn == box for box in self.boxes)


@dataclass(frozen=True, slots=True, repr=False)
class DotsPosition(Position):
    """A position: lines drawn (a bitboard), the seat to move (0 or 1), and each seat's boxes.

    A bitboard of lines has bit n set if line n is drawn.
    """

    game: Dots = field(hash=False)
    drawn: int = 0
    """The lines drawn, each as the bit of its number."""
    turn: int = 0
    owned: tuple[int, int] = (0, 0)
    """How many boxes seat 0 owns, and how many seat 1."""

    def moves(self) -> list[Move]:
        """Return the numbers of the undrawn lines in ascending order; empty at the end."""
        return [move for move in range(self.game.move_count) if not self.drawn >> move & 1]

    @property
    def is_over(self) -> bool:
        """True if every line is drawn; counting them is quicker than listing the moves."""
        return self.drawn.bit_count() == self.game.move_count

    def child(self, move: Move) -> DotsPosition:
        """Return the position after line *move*, which must be undrawn: not checked.

        The seat that completes a box moves again.
        """
        drawn = self.drawn | 1 << move
        won = sum(box & drawn == box for box in self.game.touching[move])
        if not won:
            return DotsPosition(self.game, drawn, 1 - self.turn, self.owned)
        first, second = self.owned
        owned = (first + won, second) if self.turn == 0 else (first, second + won)
        return DotsPosition(self.game, drawn, self.turn, owned)

    def image(self) -> DotsPosition:
        """Return the position turned or mirrored so that its bitboard of lines is the least one."""
        lines = [move for move in range(self.game.move_count) if self.drawn >> move & 1]
        least = min(sum(1 << image[line] for line in lines) for image in self.game.images)
        return DotsPosition(self.game, least, self.turn, self.owned)

    def scores(self) -> tuple[float, float]:
        """Return how many boxes seat 0 owns, and how many seat 1."""
        return self.owned

    def write(self) -> tuple[str, str, str]:
        """Return the fields of the position's text: lines, player and boxes; see `Dots.read`."""
        lines = f"{self.drawn:0{self.game.move_count}b}"[::-1]
        return lines, str(self.turn + 1), f"{self.owned[0]}-{self.owned[1]}"
