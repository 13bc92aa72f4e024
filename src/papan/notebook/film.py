"""A whole game in one picture: the boards after its moves, side by side, as SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papan.core import Move, Position, View
from papan.core.drawing import document, label

FRAME = 132
"""How wide a board is."""
GAP = 14
CAPTION = 24
IN_A_ROW = 6
MOST = 24
"""How many boards are drawn: a longer game leaves out boards between the first and the last."""


def film(positions: Sequence[Position], moves: Sequence[Move], title: str) -> str:
    """The boards of a game that began with the first of *positions*; *moves* led to the others."""
    played = tuple(zip(positions, moves))
    shown = sampled(len(positions))
    boards = [positions[ply].svg(View(played=played[:ply])) for ply in shown]
    height = max(map(_height, boards)) + CAPTION
    parts = []
    for place, (ply, board) in enumerate(zip(shown, boards)):
        row, column = divmod(place, IN_A_ROW)
        x, y = GAP + column * (FRAME + GAP), GAP + row * (height + GAP)
        parts.append(label(x + FRAME / 2, y + CAPTION / 2, _caption(positions, moves, ply)))
        parts.append(_placed(board, x, y + CAPTION))
    columns, rows = min(len(shown), IN_A_ROW), -(-len(shown) // IN_A_ROW)
    width = GAP + columns * (FRAME + GAP)
    return document(width, GAP + rows * (height + GAP), title, _words(positions, moves), parts)


def sampled(count: int) -> list[int]:
    """Which of *count* boards are drawn: all, or some at equal distances, both ends among them."""
    most = min(count, MOST)
    return [round(place * (count - 1) / max(most - 1, 1)) for place in range(most)]


def _caption(positions: Sequence[Position], moves: Sequence[Move], ply: int) -> str:
    return f"{ply}. {_name(positions, moves, ply)}" if ply else ""


def _words(positions: Sequence[Position], moves: Sequence[Move]) -> str:
    """All moves by name, and the last board in characters."""
    names = (_name(positions, moves, ply) for ply in range(1, len(positions)))
    return "\n".join((" ".join(names), positions[-1].picture()))


def _name(positions: Sequence[Position], moves: Sequence[Move], ply: int) -> str:
    return positions[0].game.move_name(moves[ply - 1])


def _height(board: str) -> float:
    """How high a board is when it is as wide as a frame."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', board)
    assert found is not None
    return FRAME * float(found[2]) / float(found[1])


def _placed(board: str, x: float, y: float) -> str:
    """A board as a part of a larger picture."""
    opening, rest = board.split(">", 1)
    opening = re.sub(r' (?:width|height|role)="[^"]*"', "", opening)
    return f'{opening} x="{x:g}" y="{y:g}" width="{FRAME}" height="{_height(board):g}">{rest}'
