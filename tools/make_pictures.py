"""Draw the pictures of the README and the documentation into docs/images."""

from __future__ import annotations

from pathlib import Path

import papan
from papan.core import View
from papan.core.parts import Drawing
from papan.core.session import Session

IMAGES = Path(__file__).parents[1] / "docs" / "images"

SCENES = {
    "tictactoe": ("tictactoe", "b2 a1 c3 a3 a2 c2 b3 b1"),
    "connect4": ("connect4", "4453433556"),
    "dots": ("dots", "c3d3 a1b1 a2b2 b1c1 c1c2 c1d1 c2c3 a3b3 b3b4 c3c4 b2c2 b1b2 a1a2"),
    "adjacency": ("adjacency:8,8,8", "f1 c8 g3 b6 h3 c6 f2 a6"),
    "onet": ("onet:4,6,8,5", ""),
}
"""Scene of each picture: the game, and the moves that lead to the position."""


def picture(game: str, moves: str) -> str:
    """Return the SVG of a position after *moves*, with a hint in a game for one."""
    start = papan.position(game)
    session = Session(start, [None] * start.game.seats)
    for name in start.game.split_moves(moves):
        session.play(session.position.legal_move(name))
    position = session.position
    hint = () if position.game.seats == 2 else (position.moves()[0],)
    return Drawing.of(position).svg(View(tuple(session.plies), hint))


def main() -> None:
    """Write one picture for each game into docs/images."""
    for name, scene in SCENES.items():
        (IMAGES / f"{name}.svg").write_text(picture(*scene) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
