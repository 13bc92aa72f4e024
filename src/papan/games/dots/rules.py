"""Dots and Boxes: draw a line between two dots; whoever completes a box owns it and moves again.

The game ends when every line is drawn; whoever owns most boxes wins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from papan.core import (
    Agent,
    Game,
    Grid,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidSpecError,
    Move,
    Native,
    PapanError,
    Planes,
    Position,
    margin,
)
from papan.core.editing import Draft
from papan.games.dots import chains, draw

LARGEST = 25  # boxes in a row, so that the letters suffice for its dots


@dataclass(frozen=True)
class Dots(Game):
    """The rules: *rows* by *columns* boxes.

    Lines and boxes are numbered row by row: first all lines across, then all lines down.
    """

    rows: int = 3
    columns: int = 3

    name: ClassVar[str] = "dots"
    place: ClassVar[int] = 3
    presets: ClassVar[tuple[str, ...]] = ("dots:2,2", "dots:4,4", "dots:5,5", "dots:6,6")
    sample: ClassVar[str] = "dots a1b1 a2b2 a1a2 b1b2 c1d1 d1d2 c2d2 b3c3 a3a4 d3d4"
    fields: ClassVar[tuple[str, ...]] = ("lines", "turn", "boxes")
    solver_examples: ClassVar[tuple[str, ...]] = ("dots:3,3",)
    moves_stay: ClassVar[bool] = True
    lesson_steps: ClassVar[Mapping[str, str]] = {
        "dots.left_boxes": "lesson.dots_take_task",
        "dots.opened_long_chain": "lesson.dots_safe_task",
        "dots.gave_boxes": "lesson.dots_safe_task",
        "dots.opened_longer": "lesson.dots_chains",
        "dots.refused_double_cross": "lesson.dots_cross_task",
        "dots.lost_control": "lesson.dots_long",
    }

    def __post_init__(self) -> None:
        shorter, longer = sorted((self.rows, self.columns))
        if not 1 <= shorter <= longer <= LARGEST:
            raise InvalidSpecError("dots.bad_size", spec=self.spec, largest=LARGEST)

    @cached_property
    def dots(self) -> Grid:
        return Grid(self.rows + 1, self.columns + 1)

    @cached_property
    def lines(self) -> tuple[tuple[int, int], ...]:
        """The two dots of each line, the upper or left one first."""
        dots = range(self.dots.size)
        across = [(dot, dot + 1) for dot in dots if dot % self.dots.columns < self.columns]
        down = [
            (dot, dot + self.dots.columns) for dot in dots if dot // self.dots.columns < self.rows
        ]
        return (*across, *down)

    @cached_property
    def sides(self) -> tuple[tuple[Move, Move, Move, Move], ...]:
        """The four lines around each box: top, left, right, bottom."""
        all_across = self.dots.rows * self.columns
        sides = []
        for box in range(self.rows * self.columns):
            left = all_across + box + box // self.columns  # a row has one more line down than boxes
            sides.append((box, left, left + 1, box + self.columns))
        return tuple(sides)

    @cached_property
    def boxes(self) -> tuple[int, ...]:
        """The four lines around each box, as a bitboard."""
        return tuple(sum(1 << line for line in lines) for lines in self.sides)

    @cached_property
    def beside(self) -> tuple[tuple[int, ...], ...]:
        """The one or two boxes that each line is a side of."""
        return tuple(
            tuple(box for box, lines in enumerate(self.sides) if line in lines)
            for line in range(self.move_count)
        )

    @cached_property
    def touching(self) -> tuple[tuple[int, ...], ...]:
        """The same boxes, as the bitboards of their sides."""
        return tuple(tuple(self.boxes[box] for box in boxes) for boxes in self.beside)

    @cached_property
    def images(self) -> tuple[tuple[Move, ...], ...]:
        """The line that each line becomes when the board is turned or mirrored onto itself."""
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
        return len(self.boxes)

    def start(self) -> DotsPosition:
        return DotsPosition(self)

    def move_name(self, move: Move) -> str:
        first, second = self.lines[move]
        return self.dots.names[first] + self.dots.names[second]

    def parse_move(self, text: str) -> Move:
        """The line between two dots, given in either order: ``a1b1``, or ``0,0 0,1``."""
        first, second = sorted(self.dots.parse(text, count=2))
        if (first, second) not in self.lines:
            raise InvalidMoveError("dots.not_a_line", text=text, example=self.move_name(0))
        return self.lines.index((first, second))

    def split_moves(self, text: str) -> list[str]:
        return self.dots.split(text, count=2)

    def read(self, fields: Sequence[str]) -> DotsPosition:
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
        """How many boxes have all their sides drawn."""
        return sum(box & drawn == box for box in self.boxes)

    def draft(self, position: Position) -> Draft:
        assert isinstance(position, DotsPosition)
        return draw.DotsDraft(position)

    def evaluate(self, position: Position, seat: int) -> float:
        assert isinstance(position, DotsPosition)
        return estimate(position, seat)

    @property
    def has_solver(self) -> bool:
        """Does the board fit the solver: its dots into one machine word?"""
        return len(self.boxes) <= 36 and self.dots.size <= 64

    def solver(self, **settings: Any) -> Agent | None:
        from papan.games.dots.solver import DotsSolver  # brings Numba, which play does not need

        return DotsSolver(**settings) if self.has_solver else None

    @classmethod
    def databases(cls) -> dict[str, PapanError | None]:
        from papan.games.dots.endgame_db_file import databases

        return databases()

    @property
    def forgiving(self) -> float:
        """A slip gives a whole chain away; a short game has fewer moves to slip with."""
        return 0.45 if len(self.boxes) < 10 else 0.3

    def proof_nodes(self, position: Position) -> int:
        # What cannot be proved is played out, and that takes longer, the more lines the longer.
        return min(200_000, 8_000_000 // self.move_count)

    def native(self, position: Position) -> Native | None:
        assert isinstance(position, DotsPosition)
        from papan.games.dots.kernel_state import form  # brings Numba

        return form(position)

    def planes(self, position: Position) -> Planes:
        assert isinstance(position, DotsPosition)
        import numpy as np  # which play does not need

        places = line_places(self)
        shape = self.dots.rows, self.dots.columns
        lines, drawn = np.zeros((2, *shape, 2), bool)
        lines.reshape(-1)[places] = True
        drawn.reshape(-1)[places] = [
            bool(position.drawn >> move & 1) for move in range(len(places))
        ]
        boxes = np.zeros(shape, bool)
        boxes[:-1, :-1] = True
        seen = image(drawn, np.ones(shape, bool), boxes, lines)
        ahead = margin(position, position.turn) / UTILITY_UNIT
        return Planes(seen, tuple(places[move] for move in position.moves()), ahead)


@dataclass(frozen=True, slots=True, repr=False)
class DotsPosition(Position):
    """The lines drawn, as a bitboard, whose turn it is, and how many boxes each seat owns."""

    game: Dots = field(hash=False)
    drawn: int = 0
    turn: int = 0
    owned: tuple[int, int] = (0, 0)

    picture = draw.picture
    spots = draw.spots
    svg = draw.svg
    highlight = draw.highlight
    label_point = draw.label_point
    fault = chains.fault
    features = chains.features
    graphs = chains.graphs

    def moves(self) -> list[Move]:
        return [move for move in range(self.game.move_count) if not self.drawn >> move & 1]

    def child(self, move: Move) -> DotsPosition:
        drawn = self.drawn | 1 << move
        won = sum(box & drawn == box for box in self.game.touching[move])
        if not won:
            return DotsPosition(self.game, drawn, 1 - self.turn, self.owned)
        first, second = self.owned
        owned = (first + won, second) if self.turn == 0 else (first, second + won)
        return DotsPosition(self.game, drawn, self.turn, owned)

    def image(self) -> DotsPosition:
        lines = [move for move in range(self.game.move_count) if self.drawn >> move & 1]
        least = min(sum(1 << image[line] for line in lines) for image in self.game.images)
        return DotsPosition(self.game, least, self.turn, self.owned)

    def scores(self) -> tuple[float, float]:
        return self.owned

    def write(self) -> tuple[str, str, str]:
        lines = f"{self.drawn:0{self.game.move_count}b}"[::-1]
        return lines, str(self.turn + 1), f"{self.owned[0]}-{self.owned[1]}"

    def why_illegal(self, move: Move) -> IllegalMoveError:
        return IllegalMoveError("dots.already_drawn", line=self.game.move_name(move))


CONTROL = 0.25
"""The share of the open boxes that whoever is not forced to open them may hope to gain."""

SOON = 2
"""With more safe lines than this, nobody can tell yet who will run out of them."""


def estimate(position: DotsPosition, seat: int) -> float:
    """The boxes owned, those there for the taking, and a guess about who must open the chains."""
    ahead = chains.boxes_to_take(position) or control(position)
    return margin(position, seat) + (ahead if seat == position.turn else -ahead)


def control(position: DotsPosition) -> float:
    """What the seat to move may hope for when no box can be taken.

    Whoever finds no safe line must give boxes away, so the seat to move wants an odd number of
    them: then it draws the last one.
    """
    safe = len(chains.safe_lines(position))
    if safe > SOON:
        return 0.0
    expected = CONTROL * (len(position.game.boxes) - sum(position.owned))
    return expected if safe % 2 else -expected


# The planes of a net over the dots, each with its two lines, written with what NumPy and JAX have
# in common: play and training see the same.

UTILITY_UNIT = 8.0
"""How many boxes ahead count as one."""


def sides(drawn: Any) -> Any:
    """How many sides of the box below right of each dot are drawn; 0 where there is no box."""
    xp = drawn.__array_namespace__()
    across, down = (xp.astype(drawn[..., kind], xp.int32) for kind in (0, 1))
    boxes = across[:-1, :-1] + across[1:, :-1] + down[:-1, :-1] + down[:-1, 1:]
    wide = xp.concat([boxes, xp.zeros_like(boxes[:, :1])], axis=1)
    return xp.concat([wide, xp.zeros_like(wide[:1])], axis=0)


def image(drawn: Any, dots: Any, boxes: Any, lines: Any) -> Any:
    """The lines right and down of each dot, boxes by their sides, and how many lines are left.

    *dots*, *boxes* and *lines* tell which of the array belong to the board.
    """
    xp = drawn.__array_namespace__()
    count = sides(drawn)
    left = xp.sum(xp.astype(lines & ~drawn, xp.float32))
    whole = xp.sum(xp.astype(lines, xp.float32))
    planes = [drawn[..., 0], drawn[..., 1], *(boxes & (count == each) for each in (2, 3, 4)), boxes]
    flat = [xp.astype(plane, xp.float32) for plane in (*planes, dots)]
    return xp.stack([*flat, flat[-1] * (left / whole), flat[-1] * (left % 2)], axis=-1)


def line_places(game: Dots) -> list[int]:
    """For each line its place among the two lines of each dot."""
    return [2 * first + (second - first != 1) for first, second in game.lines]
