"""Adjacency: place a mark, and the rival marks above, below, left and right of it become yours.

X begins with four marks in the bottom left corner, O with four in the top right one. A round is
one move of each. After *rounds* rounds, whoever owns more marks wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from papan.core import (
    Agent,
    Feature,
    Graph,
    Grid,
    InvalidPositionError,
    InvalidSpecError,
    Message,
    Move,
    Native,
    Patterns,
    Planes,
    Position,
    board,
    editing,
    margin,
    option,
)
from papan.core.drawing import COLOURS, PLAIN, UNIT, View, tag
from papan.core.editing import Dial, Draft, GridDraft
from papan.core.marks import MARKS, MarkGame, MarkPosition

if TYPE_CHECKING:
    from papan.core.reasons import Mistake

SMALLEST, LARGEST = 4, 15  # on fewer than 4 rows or columns the corners would touch
MARKS_AT_START = 8


@dataclass(frozen=True)
class Adjacency(MarkGame):
    """The rules: the size of the board, how many rounds are played, and who begins."""

    rows: int = 8
    columns: int = 8
    rounds: int = 28
    first: Literal["x", "o"] = option("x")

    name: ClassVar[str] = "adjacency"
    place: ClassVar[int] = 4
    presets: ClassVar[tuple[str, ...]] = ("adjacency:8,8,8", "adjacency:8,8,16")
    sample: ClassVar[str] = "adjacency c7 f2 c6 f3 d5 e4 d4 e5"
    solver_examples: ClassVar[tuple[str, ...]] = ("adjacency:4,4,4", "adjacency:4,4,2")
    moves_stay: ClassVar[bool] = True
    lesson_steps: ClassVar[Mapping[str, str]] = {
        "adjacency.gave_frontier": "lesson.adjacency_patience_task",
        "adjacency.too_greedy": "lesson.adjacency_patience_task",
        "adjacency.turned_fewer": "lesson.adjacency_flips",
    }

    def __post_init__(self) -> None:
        shorter, longer = sorted((self.rows, self.columns))
        if not SMALLEST <= shorter <= longer <= LARGEST:
            raise InvalidSpecError(
                "adjacency.bad_size", spec=self.spec, smallest=SMALLEST, largest=LARGEST
            )
        if not 1 <= self.rounds <= self.most_rounds:
            raise InvalidSpecError("adjacency.bad_rounds", spec=self.spec, most=self.most_rounds)

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.rows, self.columns)

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """The bit of each cell."""
        return tuple(1 << cell for cell in range(self.grid.size))

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """The cells above, left, right and below of each cell, as a bitboard."""
        return tuple(sum(self.bits[cell] for cell in cells) for cells in self.grid.neighbours)

    @cached_property
    def board(self) -> int:
        """All cells, as a bitboard."""
        return (1 << self.grid.size) - 1

    def around(self, cells: int) -> int:
        """Every cell that has one of *cells* beside it, as a bitboard."""
        left, right = self._but_last_column & cells, self._but_first_column & cells
        shifted = left << 1 | right >> 1 | cells << self.columns | cells >> self.columns
        return shifted & self.board

    @cached_property
    def _but_first_column(self) -> int:
        return sum(bit for cell, bit in enumerate(self.bits) if cell % self.columns)

    @cached_property
    def _but_last_column(self) -> int:
        return self._but_first_column >> 1

    @property
    def move_count(self) -> int:
        return self.grid.size

    def start(self) -> AdjacencyPosition:
        wide = self.columns
        corner = 0b11 | 0b11 << wide  # two cells of each of two rows
        bottom_left = corner << (self.rows - 2) * wide
        top_right = corner << wide - 2
        return AdjacencyPosition(self, (bottom_left, top_right), MARKS.index(self.first))

    def read(self, fields: Sequence[str]) -> AdjacencyPosition:
        position = self.sketch(fields)
        marks = self.grid.size - position.empty.bit_count()
        most = MARKS_AT_START + 2 * self.rounds
        if not MARKS_AT_START <= marks <= most:
            raise InvalidPositionError(
                "adjacency.bad_marks", board=fields[0], marks=marks, least=MARKS_AT_START, most=most
            )
        return position

    def sketch(self, fields: Sequence[str]) -> AdjacencyPosition:
        text, turn = fields
        placed = self.parse_marks(text)
        if turn not in ("x", "o"):
            raise InvalidPositionError("adjacency.bad_turn", turn=turn)
        return AdjacencyPosition(self, placed, MARKS.index(turn))

    @property
    def most_rounds(self) -> int:
        """How many rounds the board has room for."""
        return (self.grid.size - MARKS_AT_START) // 2

    def draft(self, position: Position) -> Draft:
        assert isinstance(position, AdjacencyPosition)
        return AdjacencyDraft(position, self.grid, editing.marks())

    def evaluate(self, position: Position, seat: int) -> float:
        assert isinstance(position, AdjacencyPosition)
        return estimate(position, seat)

    @property
    def has_solver(self) -> bool:
        """Does the board fit into one machine word?"""
        return max(self.rows, self.columns) <= 8

    @property
    def forgiving(self) -> float:
        """In a long game a slip is made up for."""
        return 1.75 if self.rounds > 16 else 1

    def solver(self, **settings: Any) -> Agent | None:
        from papan.games.adjacency.solver import AdjacencySolver  # brings Numba

        return AdjacencySolver(**settings) if self.has_solver else None

    def native(self, position: Position) -> Native | None:
        assert isinstance(position, AdjacencyPosition)
        from papan.games.adjacency.kernel_state import form  # brings Numba

        return form(position)

    def patterns(self) -> Patterns | None:
        from papan.games.adjacency.kernel_patterns import patterns  # brings Numba

        return patterns(self)

    def planes(self, position: Position) -> Planes:
        assert isinstance(position, AdjacencyPosition)
        import numpy as np  # which play does not need

        moves, ahead = tuple(position.moves()), np.array(margin(position, position.turn))
        seen = image(*position.arrays(), np.array(position.plies_left))
        return Planes(seen, moves, 0.0 if moves else float(utility(ahead)))


@dataclass(frozen=True, slots=True, repr=False)
class AdjacencyPosition(MarkPosition):
    """The marks of each seat, as one bitboard each, and whose turn it is."""

    game: Adjacency = field(hash=False)
    marks: tuple[int, int]
    turn: int = 0

    @property
    def empty(self) -> int:
        """The cells without a mark, as a bitboard."""
        return self.game.board & ~self.taken

    @property
    def plies_left(self) -> int:
        """How many moves are still to come: every move so far has left one more mark."""
        placed = self.game.grid.size - self.empty.bit_count() - MARKS_AT_START
        return 2 * self.game.rounds - placed

    @property
    def rounds_left(self) -> int:
        """How many rounds are not finished, the current one among them."""
        return (self.plies_left + 1) // 2

    def moves(self) -> list[Move]:
        if not self.plies_left:
            return []
        empty = self.empty
        return [move for move, bit in enumerate(self.game.bits) if empty & bit]

    def flips(self, move: Move) -> list[int]:
        """The cells whose marks *move* would turn."""
        return [cell for cell in self.game.grid.neighbours[move] if self._turned(move) >> cell & 1]

    def most_turned(self) -> tuple[int, str]:
        """How many marks the next move can turn at most, and where."""
        turned = ((len(self.flips(move)), self.game.move_name(move)) for move in self.moves())
        return max(turned, key=lambda each: each[0], default=(0, ""))

    def child(self, move: Move) -> AdjacencyPosition:
        turned = self._turned(move)
        gained = self.game.bits[move] | turned
        x, o = self.marks
        marks = (x | gained, o ^ turned) if self.turn == 0 else (x ^ turned, o | gained)
        return AdjacencyPosition(self.game, marks, 1 - self.turn)

    def scores(self) -> tuple[float, float]:
        x, o = self.marks
        return x.bit_count(), o.bit_count()

    def fault(self, mistake: Mistake) -> Message | None:
        """What the rival can turn because of a move, what it turned or exposed, or how it ends."""
        after, other, names = self.child(mistake.move), self.child(mistake.better), mistake.names
        (given, reply), (kept, _) = after.most_turned(), other.most_turned()
        if given > kept:
            facts = {"reply": reply, "marks": given, "fewer": kept}
            return Message("adjacency.gave_frontier", names | facts)
        now, instead = len(self.flips(mistake.move)), len(self.flips(mistake.better))
        if now != instead:
            key = "adjacency.turned_fewer" if now < instead else "adjacency.too_greedy"
            return Message(key, names | {"marks": now, "instead": instead})
        open_now, open_instead = after.exposed(self.turn), other.exposed(self.turn)
        if open_now > open_instead and after.plies_left:
            facts = {"marks": open_now, "fewer": open_instead}
            return Message("adjacency.exposed_more", names | facts)
        if not (mistake.now.exact and mistake.instead.exact):
            return None
        marks = MARKS_AT_START + 2 * self.game.rounds
        ends = [int(marks + each.low) // 2 for each in (mistake.now, mistake.instead)]
        return Message("adjacency.ends_with", names | {"marks": ends[0], "instead": ends[1]})

    def exposed(self, seat: int) -> int:
        """How many marks of *seat* have an empty cell beside them: only these can be turned."""
        return (self.game.around(self.empty) & self.marks[seat]).bit_count()

    def features(self) -> list[Feature]:
        """How long the game still lasts."""
        return [Feature("adjacency.rounds_left", {"rounds": self.rounds_left})]

    def graphs(self) -> tuple[Graph]:
        return (board.grid_graph(self.game.grid, self.cells()),)

    def _turned(self, move: Move) -> int:
        """The rival marks beside the cell of *move*, as a bitboard."""
        return self.game.beside[move] & self.marks[1 - self.turn]

    def svg(self, view: View = PLAIN) -> str:
        """The board, the last move and what it turned, highlighted moves with theirs, labels."""
        grid = self.game.grid
        parts = [board.tray(grid.columns * UNIT, grid.rows * UNIT)]
        for cell, mark in enumerate(self.cells()):
            x, y = board.centre(grid, cell)
            slot = {"x": x - TILE, "y": y - TILE, "width": 2 * TILE, "height": 2 * TILE}
            parts.append(tag("rect", **slot, rx=ROUNDING, fill=COLOURS["slot"], class_="slot"))
            lit = {"class_": "cell last"} if cell == view.last else {}
            parts.append(board.square(grid, cell, **lit))
            if mark in MARKS:
                body = board.solid(x, y, MARKS.index(mark), TILE, ROUNDING)
                parts.append(board.piece(grid.names[cell], body, "tile"))
        for before, move in view.played[-1:]:
            parts.append(board.gold(*board.centre(grid, move), TILE, ROUNDING, "latest"))
            just_turned = cast("AdjacencyPosition", before).flips(move)
            parts += [_turned(grid, cell, "quiet", "turned") for cell in just_turned]
        parts += [self.highlight(move) for move in view.highlights]
        parts += [board.value(grid, cell, text) for cell, text in view.labels.items()]
        return board.sheet(grid, str(self), self.picture(), parts)

    def highlight(self, move: Move) -> str:
        """A frame around the cell of *move*, and around every mark that it would turn."""
        grid = self.game.grid
        turns = (_turned(grid, cell, "highlight", "turns") for cell in self.flips(move))
        return board.ring(grid, move) + "".join(turns)


TILE = UNIT * 0.43
"""Half the side of a tile."""
ROUNDING = 9


def _turned(grid: Grid, cell: int, colour: str, name: str) -> str:
    """A dotted frame around a mark that changes hands."""
    x, y = board.corner(grid, cell)
    shape = {"x": x + 5, "y": y + 5, "width": UNIT - 10, "height": UNIT - 10, "fill": "none"}
    pen = {"stroke": COLOURS[colour], "stroke_width": 4, "stroke_dasharray": "1 7"}
    return tag("rect", **shape, **pen, stroke_linecap="round", class_=name)


@dataclass(frozen=True)
class AdjacencyDraft(GridDraft):
    """A board, and the rounds of the game: those left follow from the marks."""

    position: AdjacencyPosition

    def dials(self) -> tuple[Dial, ...]:
        game = self.position.game
        return (Dial("rounds", game.rounds, 1, game.most_rounds),)

    def dialled(self, name: str, value: int) -> AdjacencyPosition:
        return replace(self.position, game=replace(self.position.game, rounds=value))


SAFE = 0.5
"""What a mark that nobody can turn any more is worth on top of being a mark."""


def estimate(position: AdjacencyPosition, seat: int) -> float:
    """The margin, with half a mark more for each mark that can no longer be turned.

    A mark is turned only by a move beside it: with no empty cell there, it is safe to the end.
    """
    mine, theirs = position.marks[seat], position.marks[1 - seat]
    margin = mine.bit_count() - theirs.bit_count()
    if not position.plies_left:
        return margin
    exposed = position.game.around(position.empty)
    return margin + SAFE * ((mine & ~exposed).bit_count() - (theirs & ~exposed).bit_count())


# The planes of a net, written with what NumPy and JAX have in common: play and training see the
# same.

UTILITY_UNIT = 16.0
"""How many marks count as much as the win itself."""


def image(own: Any, rival: Any, left: Any) -> Any:
    """The marks of both, the board, and how many moves are left: in all, near the end, who ends."""
    xp = own.__array_namespace__()
    board = xp.ones(own.shape, dtype=xp.float32)
    marks = [xp.astype(plane, xp.float32) for plane in (own, rival)]
    clocks = (left / 56, xp.minimum(left, xp.asarray(8)) / 8, left % 2)
    return xp.stack([*marks, board, *(board * clock for clock in clocks)], axis=-1)


def utility(ahead: Any) -> Any:
    """What an end *ahead* marks ahead is utility: half for winning at all, half for by how much."""
    xp = ahead.__array_namespace__()
    return 0.5 * xp.sign(ahead) + 0.5 * xp.tanh(ahead / UTILITY_UNIT)
