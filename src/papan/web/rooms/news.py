"""What people in a room are told: everything once, and then whatever has changed."""

from __future__ import annotations

from dataclasses import dataclass

from papan.web.models import Board
from papan.web.rooms.clocks import Clocks
from papan.web.rooms.messages import ClockFaces, Question, Standing
from papan.web.rooms.table import Table


@dataclass(frozen=True)
class Crowd:
    """Who is in a room."""

    present: tuple[bool, bool]
    spectators: int


def standing(table: Table, board: Board, crowd: Crowd, now: float) -> Standing:
    """How things stand at a table, apart from its *board*."""
    end, blame = table.given_up or (board.end, None)
    return Standing(
        taken=(table.keys[0] is not None, table.keys[1] is not None),
        present=crowd.present,
        spectators=crowd.spectators,
        end=end,
        winner=board.winner if blame is None else 1 - blame,
        blame=blame,
        asks=table.asks and Question(what=table.asks[0], seat=table.asks[1]),
        clock=None if table.clocks is None else _faces(table.clocks, now),
        games=table.games,
    )


def _faces(clocks: Clocks, now: float) -> ClockFaces:
    return ClockFaces(
        seconds=clocks.seconds,
        increment=clocks.increment,
        left=clocks.at(now),
        running=clocks.running,
    )
