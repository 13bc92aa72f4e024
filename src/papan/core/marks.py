"""Games in which two seats mark cells of a grid, and those of them in which a line wins."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import tanh
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from papan.core import board
from papan.core.board import Grid
from papan.core.drawing import PLAIN, View
from papan.core.editing import Draft, GridDraft
from papan.core.editing import marks as mark_pieces
from papan.core.errors import IllegalMoveError, InvalidPositionError
from papan.core.game import Game, Move, Position
from papan.core.graph import Edge, Graph
from papan.core.message import Message

if TYPE_CHECKING:
    from papan.core.reasons import Mistake

MARKS, EMPTY = "xo", "."
"""The mark of each seat, and a cell without one, in the text of a board."""


class MarkGame(Game):
    """Two seats mark cells of a grid; where a move is not a cell, the game says so itself."""

    @property
    @abstractmethod
    def grid(self) -> Grid:
        """The cells."""

    @property
    @abstractmethod
    def bits(self) -> tuple[int, ...]:
        """The bit of each cell."""

    def move_name(self, move: Move) -> str:
        return self.grid.names[move]

    def parse_move(self, text: str) -> Move:
        return self.grid.parse(text, count=1)[0]

    def split_moves(self, text: str) -> list[str]:
        return self.grid.split(text, count=1)

    def parse_marks(self, text: str) -> tuple[int, int]:
        """The marks of each seat in the text of a board, as one bitboard each."""
        cells = self.grid.parse_board(text, MARKS + EMPTY)
        x, o = (sum(bit for bit, cell in zip(self.bits, cells) if cell == mark) for mark in MARKS)
        return x, o

    def write_marks(self, marks: tuple[int, int]) -> str:
        """The marks cell by cell, one character each."""
        x, o = marks
        return "".join("x" if x & bit else "o" if o & bit else EMPTY for bit in self.bits)


class MarkPosition(Position):
    """A position of such a game: how it is written, turned and pointed at."""

    __slots__ = ()
    game: MarkGame
    marks: tuple[int, int]

    def cells(self) -> str:
        """The marks row by row from the top, one character each."""
        return self.game.write_marks(self.marks)

    @property
    def sides(self) -> tuple[int, int]:
        """The marks of the seat to move, and those of its rival."""
        return self.marks[self.turn], self.marks[1 - self.turn]

    @property
    def taken(self) -> int:
        """All marks, as one bitboard."""
        return self.marks[0] | self.marks[1]

    def arrays(self) -> tuple[Any, Any]:
        """The marks of the seat to move and those of its rival, as arrays of truths."""
        import numpy as np  # which play does not need

        shape = self.game.grid.rows, self.game.grid.columns
        own, rival = (
            np.array([bool(marks & bit) for bit in self.game.bits]).reshape(shape)
            for marks in self.sides
        )
        return own, rival

    def write(self) -> tuple[str, str]:
        return self.game.grid.board(self.cells()), MARKS[self.turn]

    def image(self) -> Self:
        grid = self.game.grid
        least = grid.board(grid.least_image(self.cells()))
        return cast("Self", self.game.sketch((least, MARKS[self.turn])))

    def picture(self, view: View = PLAIN) -> str:
        return board.picture(self.game.grid, self.cells())

    def spots(self) -> Mapping[str, Sequence[tuple[int, int]]]:
        return board.spots(self.game.grid, self.cells())

    def why_illegal(self, move: Move) -> IllegalMoveError:
        return IllegalMoveError("error.cell_taken", move=self.game.move_name(move))

    def label_point(self, move: Move) -> tuple[float, float]:
        return board.centre(self.game.grid, move)


# Those of them in which a line wins.


def open_lines(lines: Iterable[int], mine: int, theirs: int, growth: float) -> float:
    """What lines with marks of one side alone promise, *mine* less *theirs*; all are bitboards.

    Each mark makes a line *growth* times as good.
    """
    balance = 0.0
    for line in lines:
        own, rival = line & mine, line & theirs
        if own and not rival:
            balance += growth ** own.bit_count()
        elif rival and not own:
            balance -= growth ** rival.bit_count()
    return balance


def line_graph(grid: Grid, cells: str, lines: Sequence[Sequence[int]]) -> Graph:
    """The lines that win as edges of a hypergraph over the cells, each marked by who can have it.

    *first* and *second*: only that seat has marks on it; *open*: nobody; *dead*: both.
    """
    edges = tuple(_line(grid, cells, line) for line in lines)
    left = Counter(edge.mark for edge in edges)
    facts = {mark: left[mark] for mark in ("first", "second", "open", "dead")}
    vertices = board.cell_vertices(grid, cells)
    return Graph("wins", vertices, edges, notes=(Message("graph.lines_left", facts),))


def _line(grid: Grid, cells: str, line: Sequence[int]) -> Edge:
    marks = {cells[cell] for cell in line} - {EMPTY}
    mark = "dead" if len(marks) == 2 else board.SEATS.get("".join(marks), "open")
    names = tuple(grid.names[cell] for cell in line)
    return Edge(names, f"{names[0]}-{names[-1]}", mark)


class LineGame(MarkGame):
    """Two seats mark cells in turn. The first to own a line wins; a full board is a draw.

    A bitboard has its cells strip by strip, which are rows or columns. An unused bit after each of
    them keeps lines from wrapping around.
    """

    growth: ClassVar[float]
    """How much more a line is worth with each mark."""
    most: ClassVar[float] = 0.9
    """However good it looks, a position is worth less than a game that is won."""

    @property
    @abstractmethod
    def strip(self) -> int:
        """How many cells a strip has."""

    @property
    @abstractmethod
    def lines(self) -> tuple[int, ...]:
        """Every line that wins, as a bitboard."""

    @abstractmethod
    def has_line(self, marks: int) -> bool:
        """Do these marks hold such a line?"""

    @abstractmethod
    def position(self, marks: tuple[int, int], turn: int) -> LinePosition:
        """The position with these marks."""

    @property
    def largest_margin(self) -> float:
        return 1

    def read(self, fields: Sequence[str]) -> LinePosition:
        text, turn = fields
        position = self.sketch(fields)
        lead = text.count("x") - text.count("o")
        if (lead, position.turn) not in {(0, 0), (1, 1)}:
            raise InvalidPositionError("error.wrong_turn", turn=turn, board=text)
        if self.has_line(position.marks[position.turn]):
            raise InvalidPositionError("error.already_won", turn=turn, board=text)
        return position

    def sketch(self, fields: Sequence[str]) -> LinePosition:
        text, turn = fields
        marks = self.parse_marks(text)
        if turn not in ("x", "o"):
            raise InvalidPositionError("error.wrong_turn", turn=turn, board=text)
        return self.position(marks, MARKS.index(turn))

    def draft(self, position: Position) -> Draft:
        return GridDraft(position, self.grid, mark_pieces())

    def evaluate(self, position: Position, seat: int) -> float:
        """A guess, from -1 to 1: the lines open to each side, those with most marks count most."""
        assert isinstance(position, LinePosition)
        mine, theirs = position.marks[seat], position.marks[1 - seat]
        balance = open_lines(self.lines, mine, theirs, self.growth)
        return self.most * tanh(balance / self.full_line)

    @property
    def full_line(self) -> float:
        """What a line is worth when it is full."""
        return self.growth ** self.lines[0].bit_count()

    def without_gaps(self, marks: int) -> int:
        """A bitboard without the unused bits."""
        length, strip = self.strip, (1 << self.strip) - 1
        strips = range(self.grid.size // length)
        return sum((marks >> at * (length + 1) & strip) << at * length for at in strips)


SOON = 0.1
"""How much of a win is lost if it comes with the last mark: so that nets finish a won game."""


class LinePosition(MarkPosition):
    """A position of such a game."""

    __slots__ = ()
    game: LineGame

    def scores(self) -> tuple[float, float]:
        if not self.just_won():
            return (0, 0)
        return (0, 1) if self.turn == 0 else (1, 0)

    def just_won(self) -> bool:
        """Only the seat that has just moved can own a new line."""
        return self.game.has_line(self.marks[1 - self.turn])

    def fault(self, mistake: Mistake) -> Message | None:
        """Which open line the rival can fill further because of a move, or the move fills less."""
        after, other, seat = mistake.after, self.child(mistake.better), self.turn
        assert isinstance(after, LinePosition)
        (given, reply), (kept, _) = after.longest(1 - seat), other.longest(1 - seat)
        if given > max(kept, 1):
            facts = {"reply": reply, "count": given, "fewer": kept}
            return Message("lines.gave_more", mistake.names | facts)
        compared = {
            "lines.filled_less": (after.filled(seat), other.filled(seat)),
            "lines.open_less": self._lines_through(mistake, seat),
            "lines.closed_less": self._lines_through(mistake, 1 - seat),
        }
        for key, (now, instead) in compared.items():
            if now < instead > 1:
                return Message(key, mistake.names | {"count": now, "instead": instead})
        return None

    def longest(self, seat: int) -> tuple[int, str]:
        """How many marks *seat* can have on one open line with one more mark, and where.

        A line is open as long as the rival has no mark on it.
        """
        mine, theirs = self.marks[seat], self.marks[1 - seat]
        found, at = 0, ""
        for move in self.moves():
            bit = self.bit_of(move)
            lines = (line for line in self.game.lines if line & bit and not line & theirs)
            count = max(((line & mine).bit_count() + 1 for line in lines), default=0)
            if count > found:
                found, at = count, self.place_of(move)
        return found, at

    def filled(self, seat: int) -> int:
        """The most marks that *seat* has on one open line."""
        mine, theirs = self.marks[seat], self.marks[1 - seat]
        lines = (line for line in self.game.lines if not line & theirs)
        return max(((line & mine).bit_count() for line in lines), default=0)

    def _lines_through(self, mistake: Mistake, seat: int) -> tuple[int, int]:
        """How many lines open for *seat* run through the move, and through the better one."""
        lines = [line for line in self.game.lines if not line & self.marks[1 - seat]]
        bits = self.bit_of(mistake.move), self.bit_of(mistake.better)
        now, instead = (sum(bool(line & bit) for line in lines) for bit in bits)
        return now, instead

    def bit_of(self, move: Move) -> int:
        """The cell that a legal *move* takes, as a bitboard."""
        return self.child(move).taken & ~self.taken

    def utility(self) -> float:
        """What a net expects of a game that is over, for the seat to move; 0 before."""
        left = 1 - self.taken.bit_count() / self.game.grid.size
        return -(1 - SOON + SOON * left) if self.just_won() else 0.0

    def without_gaps(self) -> tuple[int, int]:
        """The marks of each seat without unused bits."""
        first, second = map(self.game.without_gaps, self.marks)
        return first, second

    def graphs(self) -> tuple[Graph]:
        bits = self.game.bits
        lines = [[cell for cell, bit in enumerate(bits) if line & bit] for line in self.game.lines]
        return (line_graph(self.game.grid, self.cells(), lines),)
