"""What people in a room are told: everything once, and then whatever has changed."""

from __future__ import annotations

from dataclasses import dataclass

from papan.web.models import Board
from papan.web.rooms.clocks import Clocks
from papan.web.rooms.messages import ClockFaces, Question, Standing
from papan.web.rooms.room_game import RoomGame


@dataclass(frozen=True)
class Crowd:
    """Who is in a room."""

    present: tuple[bool, bool]
    spectators: int


def standing(room_game: RoomGame, board: Board, crowd: Crowd, now: float) -> Standing:
    """How things stand in a game, apart from its *board*."""
    end, blame = room_game.given_up or (board.end, None)
    return Standing(
        taken=(room_game.keys[0] is not None, room_game.keys[1] is not None),
        present=crowd.present,
        spectators=crowd.spectators,
        end=end,
        winner=board.winner if blame is None else 1 - blame,
        blame=blame,
        asks=room_game.asks and Question(what=room_game.asks[0], seat=room_game.asks[1]),
        clock=None if room_game.clocks is None else _faces(room_game.clocks, now),
        games=room_game.games,
    )


def _faces(clocks: Clocks, now: float) -> ClockFaces:
    return ClockFaces(
        seconds=clocks.seconds,
        increment=clocks.increment,
        left=clocks.at(now),
        running=clocks.running,
    )
