"""Games in which two seats, x and o, mark cells of a grid; and those of them that a line wins.

`MarkGame` and `MarkPosition` are a ready board of x and o: names of cells, text, pictures in
characters and SVG, setting up by clicks. A game on them says what its grid is, and when it is over.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import tanh
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from papan.core import board
from papan.core.board import Grid
from papan.core.drawing import COLOURS, PLAIN, UNIT, View, tag
from papan.core.editing import Draft, GridDraft, mark_pieces
from papan.core.errors import IllegalMoveError, InvalidPositionError
from papan.core.game import Game, Move, Position
from papan.core.graph import Edge, Graph
from papan.core.line_slips import LINE_SPOTS, LineSight
from papan.core.message import Message
from papan.core.parts import Coach, Drawing, Setup, Support
from papan.core.slips import BlindSpots, Slip

if TYPE_CHECKING:
    from papan.core.reasons import Clause, Mistake

MARKS, EMPTY = "xo", "."
"""The mark of each seat, and a cell without one, in the text of a board."""


class MarkGame(Game):
    """Two seats mark the cells of a grid. Default: a move is a cell, and the seats alternate.

    Cells are numbered row by row from 0 at the top left. A set of cells is a bitboard, in which
    each cell has its bit of `bits`.
    """

    @property
    @abstractmethod
    def grid(self) -> Grid:
        """The grid of the cells that are marked."""

    @abstractmethod
    def position(self, marks: tuple[int, int], turn: int) -> MarkPosition:
        """Return the position with these *marks*, one bitboard for each seat; seat *turn* moves.

        Nothing is checked; `read` checks what it reads.
        """

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """The bit of each cell in a bitboard, row by row. Default: 1 << the cell's number."""
        return tuple(1 << cell for cell in range(self.grid.size))

    @property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The ways to turn or mirror the board that change nothing.

        Each is a tuple that, for every cell, has the cell whose content comes there. Default: only
        the board as it is, which is right for any game. Where a square may be turned and mirrored,
        return ``self.grid.images``.
        """
        return (tuple(range(self.grid.size)),)

    @property
    def move_count(self) -> int:
        return self.grid.size

    def start(self) -> MarkPosition:
        return self.position((0, 0), 0)

    def move_name(self, move: Move) -> str:
        return self.grid.names[move]

    def parse_move(self, text: str) -> Move:
        return self.grid.parse(text, count=1)[0]

    def split_moves(self, text: str) -> list[str]:
        return self.grid.split(text, count=1)

    def read(self, fields: Sequence[str]) -> MarkPosition:
        """Return the position that a board and a turn describe, if seats have moved in turn.

        Seat x moves first. Raises InvalidPositionError as `sketched` does, and if x has neither as
        many marks as o (x to move) nor one more (o to move). *fields* must be two words.
        """
        text, turn = fields
        position = self.sketched(fields)
        counts = text.count("x"), text.count("o")
        lead = counts[0] - counts[1]
        if lead not in (0, 1):
            raise InvalidPositionError("error.wrong_counts", x=counts[0], o=counts[1], board=text)
        if (lead, position.turn) not in {(0, 0), (1, 1)}:
            raise InvalidPositionError("error.wrong_turn", turn=turn, board=text)
        return position

    def sketched(self, fields: Sequence[str]) -> MarkPosition:
        """Return the position that a board and a turn describe, whether play leads to it or not.

        *fields* are these two words, such as ``x../.o./...`` and ``x``. Raises InvalidPositionError
        for text that is no board of this size, or no turn.
        """
        text, turn = fields
        marks = self.parse_marks(text)
        if turn not in ("x", "o"):
            raise InvalidPositionError("error.no_turn", turn=turn)
        return self.position(marks, MARKS.index(turn))

    def parse_marks(self, text: str) -> tuple[int, int]:
        """Return the marks of each seat in the text of a board, as one bitboard each.

        *text* is such as ``x../.o./...``. Raises InvalidPositionError if it is no board of this
        size.
        """
        cells = self.grid.parse_board(text, MARKS + EMPTY)
        x, o = (sum(bit for bit, cell in zip(self.bits, cells) if cell == mark) for mark in MARKS)
        return x, o

    def write_marks(self, marks: tuple[int, int]) -> str:
        """Return *marks*, a bitboard for each seat, as text: ``x``, ``o`` or ``.`` for each cell.

        Row by row from the top, without the ``/`` that `parse_marks` reads: see `Grid.board`.
        """
        x, o = marks
        return "".join("x" if x & bit else "o" if o & bit else EMPTY for bit in self.bits)


class MarkPosition(Position):
    """A position of a MarkGame. Default: any empty cell may be marked, until none is left.

    `marks` has one bitboard for each seat, and `turn` is the seat to move.
    """

    __slots__ = ()
    game: MarkGame
    marks: tuple[int, int]
    """The marks of each seat, as one bitboard each."""

    def moves(self) -> Sequence[Move]:
        taken = self.taken
        return [move for move, bit in enumerate(self.game.bits) if not taken & bit]

    def child(self, move: Move) -> Self:
        x, o = self.marks
        bit = self.game.bits[move]
        marks = (x | bit, o) if self.turn == 0 else (x, o | bit)
        return cast("Self", self.game.position(marks, 1 - self.turn))

    def cells(self) -> str:
        """Return the cells row by row from the top, one character each: ``x``, ``o`` or ``.``."""
        return self.game.write_marks(self.marks)

    @property
    def sides(self) -> tuple[int, int]:
        """The marks of the seat to move and those of its rival, as one bitboard each."""
        return self.marks[self.turn], self.marks[1 - self.turn]

    @property
    def taken(self) -> int:
        """The marks of both seats together, as one bitboard."""
        return self.marks[0] | self.marks[1]

    def arrays(self) -> tuple[Any, Any]:
        """Return the marks of the seat to move and those of its rival, as one boolean array each.

        Their shape is (rows, columns), the top row first.
        """
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
        """Return the same position for all that `MarkGame.symmetries` turn into each other.

        Of their texts, as `cells` returns them, it is the first in alphabetical order.
        """
        cells = self.cells()
        least = min("".join(cells[cell] for cell in image) for image in self.game.symmetries)
        marks = self.game.parse_marks(self.game.grid.board(least))
        return cast("Self", self.game.position(marks, self.turn))


class MarkDrawing(Drawing, game=MarkGame):
    """A plain board of x and o, in characters and as SVG, for all games of marks without another.

    A move must be the number of its cell, as is the default.
    """

    position: MarkPosition

    def picture(self, view: View = PLAIN) -> str:
        return board.picture(self.position.game.grid, self.position.cells())

    def spots(self) -> Mapping[str, Sequence[tuple[int, int]]]:
        return board.spots(self.position.game.grid, self.position.cells())

    def label_point(self, move: Move) -> tuple[float, float]:
        return board.centre(self.position.game.grid, move)

    def highlight(self, move: Move) -> str:
        return board.ring(self.position.game.grid, move)

    def pointed_out(self, cells: Sequence[str]) -> str:
        return board.glow(self.position.game.grid, cells)

    def svg(self, view: View = PLAIN) -> str:
        """Return the board as an SVG document, with the last move, highlights and labels of *view*.

        The elements of `on_top` are drawn last.
        """
        grid = self.position.game.grid
        parts = [board.tray(grid.columns * UNIT, grid.rows * UNIT)]
        for cell in range(grid.size):
            parts.append(board.square(grid, cell, **(board.LIT if cell == view.last else {})))
        parts.append(_ruled_lines(grid))
        for cell, mark in enumerate(self.position.cells()):
            if mark in MARKS:
                shape = board.cross if mark == "x" else board.nought
                parts.append(board.piece(grid.names[cell], shape(*board.centre(grid, cell)), "pen"))
        parts += [self.highlight(move) for move in view.highlights]
        parts += [board.value(grid, move, text) for move, text in view.labels.items()]
        return board.sheet(grid, str(self.position), self.picture(), [*parts, *self.on_top()])

    def on_top(self) -> Sequence[str]:
        """Return SVG elements above the marks, such as a stroke through a line that has won.

        In the coordinates of `svg`. Default: none.
        """
        return ()


def _ruled_lines(grid: Grid) -> str:
    """Return the ruled lines between the cells of *grid* as one SVG path."""
    edge, width, height = board.EDGE, grid.columns * UNIT, grid.rows * UNIT
    down = [f"M{edge + x * UNIT:g} {edge + 4:g}v{height - 8:g}" for x in range(1, grid.columns)]
    across = [f"M{edge + 4:g} {edge + y * UNIT:g}h{width - 8:g}" for y in range(1, grid.rows)]
    pen = {"stroke": COLOURS["faint"], "stroke_width": 3, "stroke_linecap": "round"}
    return tag("path", d="".join(down + across), fill="none", class_="rule", **pen)


class MarkCoach(Coach, game=MarkGame):
    """Explanations of moves that mark a cell: why one is not allowed, and where to look."""

    position: MarkPosition

    def why_illegal(self, move: Move) -> IllegalMoveError:
        return IllegalMoveError("error.cell_taken", move=self.position.game.move_name(move))

    def area(self, move: Move) -> tuple[str, ...]:
        """Return the names of the move's cell and of the free ones among the eight around it.

        They are in no order. *move* must be legal and the number of its cell.
        """
        grid = self.position.game.grid
        row, column = divmod(move, grid.columns)
        near = {
            (row + down) * grid.columns + column + right
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if 0 <= column + right < grid.columns
        }
        return tuple(map(self.position.game.move_name, near.intersection(self.position.moves())))


class MarkSetup(Setup, game=MarkGame):
    """A board that is set up cell by cell, each empty, x or o: see `GridDraft`."""

    game: MarkGame

    def sketch(self, fields: Sequence[str]) -> MarkPosition:
        return self.game.sketched(fields)

    def draft(self, position: Position) -> Draft:
        return GridDraft(position, self.game.grid, mark_pieces())


# Those of them in which a line wins.


def open_lines(lines: Iterable[int], mine: int, theirs: int, growth: float) -> float:
    """Return the value of the open lines of *mine* less that of *theirs*.

    *lines*, *mine* and *theirs* are bitboards. A line with n > 0 marks of one side and none of the
    other is worth *growth* ** n, any other 0. The unit is that of an evaluation, not points.
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
    """Return the hypergraph named ``wins``: the cells, and the winning lines as edges.

    *cells* has one character (``x``, ``o`` or ``.``) for each cell, row by row; each of *lines* has
    the numbers of its cells. The mark of an edge is ``first`` or ``second`` if only that seat has
    marks on it, ``open`` if none has, and ``dead`` if both have.
    """
    edges = tuple(_line(grid, cells, line) for line in lines)
    left = Counter(edge.mark for edge in edges)
    facts = {mark: left[mark] for mark in ("first", "second", "open", "dead")}
    vertices = board.cell_vertices(grid, cells)
    return Graph("wins", vertices, edges, notes=(Message("graph.lines_left", facts),))


def _line(grid: Grid, cells: str, line: Sequence[int]) -> Edge:
    """Return the edge of a *line*, the numbers of its cells, with its mark: see `line_graph`."""
    marks = {cells[cell] for cell in line} - {EMPTY}
    mark = "dead" if len(marks) == 2 else board.SEATS.get("".join(marks), "open")
    names = tuple(grid.names[cell] for cell in line)
    return Edge(names, f"{names[0]}-{names[-1]}", mark)


class LineGame(MarkGame):
    """Two seats mark cells in turn. The first to own a line wins; a full board is a draw.

    A bitboard has the cells strip by strip from bit 0 on; a strip is a row or a column of `strip`
    cells. An unused bit after each strip keeps lines from wrapping around.
    """

    growth: ClassVar[float]
    """The factor by which each further mark raises the value of an open line."""
    most: ClassVar[float] = 0.9
    """The bound of an evaluation: less than 1, the value of a win."""

    @property
    @abstractmethod
    def strip(self) -> int:
        """The number of cells in a strip: a row or a column of the grid, as bitboards have them."""

    @property
    @abstractmethod
    def lines(self) -> tuple[int, ...]:
        """Every line that wins, as a bitboard; at least one, and all of the same length."""

    @cached_property
    def lines_through(self) -> dict[int, tuple[int, ...]]:
        """For each cell, by its bit, the winning lines through it, as bitboards."""
        return {bit: tuple(line for line in self.lines if line & bit) for bit in self.bits}

    @cached_property
    def cell_at(self) -> dict[int, int]:
        """For the bit of each cell the number of the cell, which counts row by row from 0."""
        return {bit: cell for cell, bit in enumerate(self.bits)}

    @cached_property
    def every_cell(self) -> int:
        """All cells, as a bitboard; the unused bits are 0."""
        return sum(self.bits)

    def free_cells(self, taken: int) -> int:
        """Return the cells that can be marked when those of *taken* are; both are bitboards.

        Default: all others. Whether the game is over is not looked at.
        """
        return self.every_cell & ~taken

    @abstractmethod
    def has_line(self, marks: int) -> bool:
        """Return whether *marks*, a bitboard, contain one of `lines`; unused bits must be 0."""

    @abstractmethod
    def position(self, marks: tuple[int, int], turn: int) -> LinePosition: ...

    @property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        return self.grid.images

    @property
    def largest_margin(self) -> float:
        return 1

    def read(self, fields: Sequence[str]) -> MarkPosition:
        """Return the position as `MarkGame.read` does; the seat to move must own no line.

        Raises InvalidPositionError if it does, too.
        """
        position = super().read(fields)
        if self.has_line(position.marks[position.turn]):
            text, turn = fields
            raise InvalidPositionError("error.already_won", turn=turn, board=text)
        return position

    @property
    def full_line(self) -> float:
        """The value of a full line, growth ** its length, in the unit of `open_lines`."""
        return self.growth ** self.lines[0].bit_count()

    def without_gaps(self, marks: int) -> int:
        """Return the bitboard *marks* without the unused bit after each strip.

        The cells of each strip then follow those of the one before, from bit 0 on.
        """
        length, strip = self.strip, (1 << self.strip) - 1
        strips = range(self.grid.size // length)
        return sum((marks >> at * (length + 1) & strip) << at * length for at in strips)


_SOON = 0.1
"""The part of a win's utility that falls to 0 with the last mark: nets then finish won games."""


class LinePosition(MarkPosition):
    """A position of a LineGame: 1 point for the seat that owns a line, else none."""

    __slots__ = ()
    game: LineGame

    def scores(self) -> tuple[float, float]:
        if not self.just_won():
            return (0, 0)
        return (0, 1) if self.turn == 0 else (1, 0)

    def mark_of(self, move: Move) -> int:
        """Return the cell that a legal *move* marks, as a bit; that it is legal is not checked."""
        return self.child(move).taken & ~self.taken

    def move_to(self, cell: int) -> Move:
        """Return the legal move that marks *cell*, a bit; raises StopIteration if there is none."""
        return next(move for move in self.moves() if self.mark_of(move) == cell)

    def just_won(self) -> bool:
        """Return whether the seat that moved last owns a line: only that seat can have won."""
        return self.game.has_line(self.marks[1 - self.turn])

    def utility(self) -> float:
        """Return the value that a net learns for the seat to move: 0 unless the game is lost.

        A loss is -(0.9 + 0.1 * the share of empty cells), from -1 to -0.9: the sooner, the worse.
        """
        left = 1 - self.taken.bit_count() / self.game.grid.size
        return -(1 - _SOON + _SOON * left) if self.just_won() else 0.0

    def without_gaps(self) -> tuple[int, int]:
        """Return the marks of seat 0 and of seat 1, as bitboards without unused bits.

        See `LineGame.without_gaps`.
        """
        first, second = map(self.game.without_gaps, self.marks)
        return first, second


class LineDrawing(MarkDrawing, game=LineGame):
    """A board of x and o with the hypergraph of its winning lines."""

    position: LinePosition

    def graphs(self) -> tuple[Graph]:
        game = self.position.game
        lines = [[cell for cell, bit in enumerate(game.bits) if line & bit] for line in game.lines]
        return (line_graph(game.grid, self.position.cells(), lines),)


class LineSupport(Support, game=LineGame):
    """An evaluation by open lines, and slips by lines that are not seen.

    `blind_spots` are those that `slip` draws from.
    """

    game: LineGame
    blind_spots: ClassVar[BlindSpots] = LINE_SPOTS

    def slip(self, position: Position, level: int, rng: Random) -> Slip | None:
        assert isinstance(position, LinePosition)
        near = [move for move in position.moves() if not self.is_remote(position, move)]
        return LineSight(position, near, self.blind_spots).slip(level, rng) if near else None

    def evaluate(self, position: Position, seat: int) -> float:
        """Return an estimate of the margin of *seat*, above -1 and below 1.

        It is most * tanh(balance / full_line), with the balance of `open_lines`.
        """
        assert isinstance(position, LinePosition)
        game, mine, theirs = self.game, position.marks[seat], position.marks[1 - seat]
        balance = open_lines(game.lines, mine, theirs, game.growth)
        return game.most * tanh(balance / game.full_line)


class LineCoach(MarkCoach, game=LineGame):
    """Reasons by open lines: a line is open for a seat while its rival has no mark on it."""

    position: LinePosition
    ideas = {
        "lines.reason_wins": "lines.idea_win",
        "lines.reason_forced": "lines.idea_block",
        "lines.reason_only_safe": "lines.idea_only",
        "lines.reason_double": "lines.idea_double",
        "lines.reason_stacked": "lines.idea_stacked",
        "lines.reason_squeeze": "lines.idea_squeeze",
        "lines.reason_then_double": "lines.idea_then",
        "lines.reason_then_forced": "lines.idea_then",
        "lines.reason_stops_double": "lines.idea_stop",
        "lines.reason_stops_next": "lines.idea_stop",
        "lines.reason_threatens": "lines.idea_threat",
        "lines.reason_opens_own": "lines.idea_threat",
        "lines.reason_open_three": "lines.idea_prepare",
        "lines.reason_prepares": "lines.idea_prepare",
        "lines.reason_stops_lines": "lines.idea_stop",
        "lines.reason_waits": "lines.idea_waits",
        "lines.reason_builds": "lines.idea_build",
        "lines.reason_breaks": "lines.idea_break",
        "lines.reason_many": "lines.idea_many",
    }

    def deeds(self, move: Move) -> Iterator[Clause]:
        """Yield clauses on what a legal *move* completes, threatens, stops or lets happen.

        The strongest first: see `LineDeeds`.
        """
        from papan.core.lines import LineDeeds  # which needs what is here

        return iter(LineDeeds(self.position, move))

    def fault(self, mistake: Mistake) -> Message | None:
        """Return a message on what the better move does better with open lines; None if nothing.

        The message is on the first of these that the better move does: it leaves the rival fewer
        marks on its fullest open line after the answer, it puts more own marks on one line, or it
        lies on more lines that are open for the mover, or on more that are open for the rival. Only
        numbers above 1 count.
        """
        after, other = mistake.after, self.position.child(mistake.better)
        assert isinstance(after, LinePosition)
        seat = self.position.turn
        (given, reply), (left, _) = longest(after, 1 - seat), longest(other, 1 - seat)
        if given > max(left, 1):
            facts = {"reply": reply, "count": given, "fewer": left}
            return Message("lines.gave_more", mistake.names | facts)
        compared = {
            "lines.filled_less": (filled(after, seat), filled(other, seat)),
            "lines.open_less": self._lines_through(mistake, seat),
            "lines.closed_less": self._lines_through(mistake, 1 - seat),
        }
        for key, (now, instead) in compared.items():
            if now < instead > 1:
                return Message(key, mistake.names | {"count": now, "instead": instead})
        return None

    def _lines_through(self, mistake: Mistake, seat: int) -> tuple[int, int]:
        """Return how many lines open for *seat* run through the move, and through the better one.

        A line is open for a seat while its rival has no mark on it.
        """
        rival = self.position.marks[1 - seat]
        lines = [line for line in self.position.game.lines if not line & rival]
        bits = self.position.mark_of(mistake.move), self.position.mark_of(mistake.better)
        now, instead = (sum(bool(line & bit) for line in lines) for bit in bits)
        return now, instead


def longest(position: LinePosition, seat: int) -> tuple[int, str]:
    """Return the most marks that *seat* can have on an open line after one more mark.

    With it comes the name of the move that makes it: (marks, name), or (0, "") if there is no open
    line. The moves are the legal ones of *position*, whoever is to move there.
    """
    mine, theirs = position.marks[seat], position.marks[1 - seat]
    most, at = 0, ""
    for move in position.moves():
        bit = position.mark_of(move)
        lines = (line for line in position.game.lines if line & bit and not line & theirs)
        count = max(((line & mine).bit_count() + 1 for line in lines), default=0)
        if count > most:
            most, at = count, position.game.move_name(move)
    return most, at


def filled(position: LinePosition, seat: int) -> int:
    """Return the most marks that *seat* has on one open line; 0 if no line is open for it."""
    mine, theirs = position.marks[seat], position.marks[1 - seat]
    lines = (line for line in position.game.lines if not line & theirs)
    return max(((line & mine).bit_count() for line in lines), default=0)
