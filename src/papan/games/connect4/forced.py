"""What a player must do: win at once, stop a win at once, or move where every move loses."""

from __future__ import annotations

from typing import NamedTuple

from papan.core import Move
from papan.games.connect4.layout import Layout


class Stones(NamedTuple):
    """A position as bitboards: the stones of the seat to move, and of its rival."""

    own: int
    rival: int


def winning_cells(layout: Layout, stones: int) -> int:
    """Every cell that makes four with three of *stones*, taken or not, as a bitboard."""
    cells = stones << 1 & stones << 2 & stones << 3
    for step in (layout.step - 1, layout.step, layout.step + 1):
        pairs = stones & stones << step
        cells |= pairs << step & (stones << 3 * step | stones >> step)
        cells |= pairs >> 2 * step & (stones << step | stones >> 3 * step)
    return cells & layout.cells


def landing_cells(layout: Layout, stones: Stones) -> int:
    """Where the next stone may land: in each column the lowest empty cell."""
    return stones.own + stones.rival + layout.floor & layout.cells


def play(stones: Stones, cell: int) -> Stones:
    """The position after a stone in *cell*."""
    return Stones(stones.rival, stones.own | cell)


def forced_cell(layout: Layout, stones: Stones) -> int:
    """The cell that must be played, as a bitboard: 0 if there is a choice, or nothing to play.

    Of two wins to be stopped, and of moves that all lose at once, any one will do.
    """
    landing = landing_cells(layout, stones)
    threats = winning_cells(layout, stones.rival)
    must = winning_cells(layout, stones.own) & landing or threats & landing
    if not must and not landing & ~(threats >> 1):
        must = landing
    return must & -must


def has_four(layout: Layout, stones: int) -> bool:
    """Do these stones hold four in a row?"""
    return bool(winning_cells(layout, stones) & stones)


def forced_line(layout: Layout, stones: Stones) -> tuple[list[Move], Stones]:
    """The moves that are forced one after the other, and the position after them."""
    line: list[Move] = []
    while not has_four(layout, stones.rival) and (cell := forced_cell(layout, stones)):
        line.append((cell.bit_length() - 1) // layout.step)
        stones = play(stones, cell)
    return line, stones


def final_score(layout: Layout, stones: Stones) -> int | None:
    """The score of a game that is over for the seat to move; None if it is not over."""
    empty = layout.empty(stones.own | stones.rival)
    if has_four(layout, stones.rival):
        return -(empty // 2 + 1)
    return None if empty else 0
