"""Moves of Tic Tac Toe that are the same after turning or mirroring the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.core import Feature

if TYPE_CHECKING:
    from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition


def features(position: TicTacToePosition) -> list[Feature]:
    """How many of the legal moves really differ."""
    moves = len(position.moves())
    if not moves:
        return []
    return [Feature("tictactoe.distinct", {"moves": moves, "distinct": distinct_moves(position)})]


def distinct_moves(position: TicTacToePosition) -> int:
    """The number of moves, those that a symmetry of the position turns into each other once."""
    cells = position.cells()
    kept = [
        image
        for image in images(position.game)
        if all(cells[cell] == cells[image[cell]] for cell in range(len(cells)))
    ]
    return len({min(image[move] for image in kept) for move in position.moves()})


def images(game: TicTacToe) -> list[list[int]]:
    """Where each cell goes, for every way to turn or mirror the board: eight if it is square."""
    rows, columns = game.rows, game.columns
    places = [divmod(cell, columns) for cell in range(rows * columns)]
    flips = [(down, right) for down in (False, True) for right in (False, True)]

    def image(down: bool, right: bool, turned: bool) -> list[int]:
        moved = (
            (rows - 1 - row if down else row, columns - 1 - column if right else column)
            for row, column in places
        )
        return [
            column * columns + row if turned else row * columns + column for row, column in moved
        ]

    ways = (False, True) if rows == columns else (False,)
    return [image(down, right, turned) for turned in ways for down, right in flips]
