"""Blind spots where a line wins: lines that a weak player does not see, and what follows from it.

A player likes a cell by the open lines through it, own ones and those of the rival. With a blind
spot some lines are not looked at. All sets of cells are bitboards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from papan.core.game import Move
from papan.core.lines import Side, cell_names, each_bit, line_name
from papan.core.message import Message
from papan.core.slips import BlindSpots, Slip, in_any_order, most_liked

if TYPE_CHECKING:
    from papan.core.marks import LineGame, LinePosition

LINE_SPOTS: BlindSpots = {
    "diagonals": range(1, 5),
    "rival": range(1, 3),
    "far": range(1, 3),
    "count": range(1, 2),
}
"""The levels with each blind spot: does not see diagonals; does not look at the lines of its rival;
looks around one mark only; does not count the marks on a line."""
FALLING_SPOTS: BlindSpots = {**LINE_SPOTS, "above": range(1, 5)}
"""The same where marks fall; there one may overlook the cell above one's own mark, too."""

COMPLETES, STOPS, OPENS = 1e6, 1e5, -1e4
"""Likings for a cell that wins, that keeps the rival from winning, and that lets it win."""
EMPTY_LINE, NOT_COUNTED, OTHERS = 0.1, 1.0, 0.9
"""Likings for a line without marks, and for any other by somebody who does not count; the factor
for a line of the rival."""
FEWEST_NAMED = 2
"""Marks of an overlooked line, at least; all but two where a line is longer than four."""


@lru_cache(maxsize=8)
def diagonals(game: LineGame) -> frozenset[int]:
    """Return the diagonal lines of *game*, both ways, as bitboards; cached for eight games."""
    return frozenset(each for each in game.lines if line_name(game, each).key == "lines.diagonal")


class LineSight:
    """The lines that a player sees in a position: all, or those that a blind spot leaves.

    *moves* are the legal ones that the player thinks of, at least one; *spots* are the blind spots
    of the game, such as `LINE_SPOTS`. Cells and lines are bitboards; all is seen by the seat to
    move.
    """

    def __init__(self, position: LinePosition, moves: Sequence[Move], spots: BlindSpots) -> None:
        self.position, self.game, self.spots = position, position.game, spots
        self.side = Side(self.game, *position.sides)
        self.length = self.game.lines[0].bit_count()
        self.marks = {move: position.mark_of(move) for move in moves}

    def slip(self, level: int, rng: Random) -> Slip | None:
        """Return a move of a player of *level* (1 to 4) who overlooks a line here, and which line.

        None if none of the level's blind spots leads to such a move. *rng* draws the order in which
        they are tried, and one of equal moves.
        """
        best = self._likings(self.game.lines)
        for spot in in_any_order(self.spots, level, rng):
            hidden = self._hidden(spot, rng)
            seen = [line for line in self.game.lines if line not in hidden]
            likings = self._likings(seen, spot != "count", spot != "above")
            move = most_liked(likings, likings.__getitem__, rng)
            better = max(best, key=lambda each: (best[each], each == move))
            overlooked = [line for line in self.game.lines if spot == "count" or line in hidden]
            if move != better and (found := self._slip_by(spot, move, better, overlooked)):
                return found
        return None

    def _hidden(self, spot: str, rng: Random) -> frozenset[int]:
        """Return the lines, as bitboards, that a player with the blind *spot* does not see.

        *spot* is a name of `FALLING_SPOTS`. For ``far`` *rng* draws a mark of the rival, around
        which alone the player looks. Empty for a spot that hides no whole line, such as ``count``,
        and for ``far`` before the rival has a mark.
        """
        if spot == "diagonals":
            return diagonals(self.game)
        if spot == "rival":
            return frozenset(line for line in self.game.lines if line & self.side.theirs)
        if spot == "far" and self.side.theirs:
            return self._far_from(rng.choice([*each_bit(self.side.theirs)]))
        return frozenset()

    def _far_from(self, mark: int) -> frozenset[int]:
        """Return the lines, as bitboards, with a cell that no line through *mark*, a bit, reaches.

        That is a cell that lies a line's length or more away, in rows or columns.
        """
        wide, at = self.game.grid.columns, self.game.cell_at[mark]
        near = sum(
            bit
            for cell, bit in enumerate(self.game.bits)
            if abs(cell // wide - at // wide) < self.length > abs(cell % wide - at % wide)
        )
        return frozenset(line for line in self.game.lines if line & ~near)

    def _likings(
        self, lines: Iterable[int], counts: bool = True, looks_above: bool = True
    ) -> dict[Move, float]:
        """Return for each move how much it is liked: the sum of `_weight` of *lines* through it.

        If the player *counts* marks and *looks_above*, `OPENS` (negative) is added for a cell that
        lets the rival complete a line above it.
        """
        liked = dict.fromkeys(self.marks.values(), 0.0)
        near, threatened = sum(liked), 0
        for line in lines:
            weight = self._weight(line, counts)
            threatened |= line if weight == STOPS else 0
            for cell in each_bit(line & near if weight else 0):
                liked[cell] += weight
        if counts and looks_above:
            for cell in liked:
                liked[cell] += OPENS if self._opened(cell) & threatened else 0
        return {move: liked[cell] for move, cell in self.marks.items()}

    def _weight(self, line: int, counts: bool) -> float:
        """Return what *line* adds to the liking of its cells; 0 if both seats have marks on it.

        It is `EMPTY_LINE` for a line without marks, and `COMPLETES` or `STOPS` for one that lacks
        one mark, the own or the rival's; else growth ** marks, times `OTHERS` for the rival's.
        Without *counts* every line with a mark adds `NOT_COUNTED`.
        """
        own, rival = self.side.count(line), self.side.other.count(line)
        if own and rival:
            return 0
        if not (marks := own or rival):
            return EMPTY_LINE
        if not counts:
            return NOT_COUNTED
        if marks == self.length - 1:
            return COMPLETES if own else STOPS
        return float(self.game.growth**marks) * (1 if own else OTHERS)

    def _opened(self, cell: int) -> int:
        """Return the cells, as a bitboard, that can be marked only after *cell*, a bit, is.

        Where marks fall that is the cell above, if any; 0 in a game in which they do not fall.
        """
        return self.game.free_cells(self.position.taken | cell) & ~self.side.free

    def _slip_by(self, spot: str, move: Move, better: Move, lines: Sequence[int]) -> Slip | None:
        """Return the slip *move* with the strongest fact that it overlooks; None if there is none.

        None, too, if *move* wins at once. *spot* is the name of the blind spot, *lines* are the
        lines in which something was overlooked (bitboards), and *better* is the move that somebody
        who sees them likes most.
        """
        mark = self.marks[move]
        if any(hole == mark for hole in self.side.wins):
            return None
        if spot == "above":
            return self._lets_win(move, mark)
        return (
            self._passed_by("win", self.side, move, lines)
            or self._passed_by("block", self.side.other, move, lines)
            or self._left_alone(move, better, lines)
        )

    def _passed_by(self, key: str, side: Side, move: Move, lines: Sequence[int]) -> Slip | None:
        """Return the slip *move* if it overlooks one of *lines* that *side* completes at once.

        Else None. *key* chooses the sentence: ``win`` for the mover's *side*, ``block`` for the
        rival's. *lines* are bitboards.
        """
        for line in lines:
            hole = side.lacking(line)
            if hole & self.side.free and hole != self.marks[move]:
                facts = {"better": self._name(self.position.move_to(hole))}
                return self._slip(key, move, line, facts)
        return None

    def _left_alone(self, move: Move, better: Move, lines: Sequence[int]) -> Slip | None:
        """Return the slip *move* if it leaves alone one of *lines* on which a seat has many marks.

        Else None. *better* is the move that a player who sees *lines* (bitboards) likes most: the
        line runs through its cell, not through that of *move*. Many are all but two of the line's
        cells, and no fewer than `FEWEST_NAMED`, of one seat and none of the other: the rival's are
        to be stopped, own ones to be built on.
        """
        least, cell = max(FEWEST_NAMED, self.length - 2), self.marks[better]
        for line in lines:
            if line & cell and not line & self.marks[move]:
                for key, side in (("stop", self.side.other), ("build", self.side)):
                    if not line & side.theirs and side.count(line) >= least:
                        many = Message(f"lines.many_{side.count(line)}")
                        return self._slip(
                            key, move, line, {"many": many, "better": self._name(better)}
                        )
        return None

    def _lets_win(self, move: Move, mark: int) -> Slip | None:
        """Return the slip *move* if the rival then completes a line on a cell that the move opens.

        Else None. *mark* is the cell of the move, a bit.
        """
        for hole, line in self.side.other.holes.items():
            if hole & self._opened(mark):
                (place,) = cell_names(self.game, [hole])
                return self._slip("above", move, line, {"move": self._name(move), "place": place})
        return None

    def _name(self, move: Move) -> str:
        return self.game.move_name(move)

    def _slip(self, key: str, move: Move, line: int, facts: Mapping[str, object]) -> Slip:
        """Return the slip *move* with the message ``slip.line_KEY`` about *line*, a bitboard.

        *facts* are further values of the message; the slip points out the cells of the line.
        """
        message = Message(f"slip.line_{key}", {"line": line_name(self.game, line), **facts})
        return Slip(move, message, cell_names(self.game, each_bit(line)))
