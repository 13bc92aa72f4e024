"""Checks what a puzzle claims; and an example that is not shipped."""

from dataclasses import replace
from datetime import date

from papan.core import Proved
from papan.puzzles import Puzzle, themes
from tests.puzzles import puzzle_truth

TODAY = date(2026, 11, 16)
GAMES = ("adjacency", "connect4", "dots", "onet", "tictactoe")
WIN = Puzzle("win", 900, "tictactoe:3,3,3 xxo/.../... o")


def check(puzzle: Puzzle) -> None:
    """The theme's claim, and all that a question tells, by a truth that is not papan's own."""
    position, found = puzzle.position, themes.truth(puzzle.position)
    assert found is not None, f"{puzzle.text} is not solved soon"
    values = puzzle_truth.values(position)
    assert puzzle_truth.CLAIMS[puzzle.theme](position, values), puzzle.text
    assert themes.theme_of(position, found) == puzzle.theme, puzzle.text
    if position.game.seats == 2:
        exact = {move: Proved.exactly(value) for move, value in values.items()}
        known = {move: replace(value, nodes=0, line=()) for move, value in found.values.items()}
        assert known == exact, puzzle.text
    best = [move for move, value in values.items() if value == max(values.values())]
    if puzzle.theme != "clear":
        assert themes.right_moves(position, found) == sorted(best), puzzle.text
        assert len(best) == 1 or puzzle.theme == "fewest", puzzle.text
    if puzzle.theme in PLIES_TO_WIN:
        plies = puzzle_truth.plies_to_win(position)
        assert 2 * themes.moves_to_win(found) - 1 == plies in PLIES_TO_WIN[puzzle.theme]


PLIES_TO_WIN = {"one": (1,), "fork": (3,), "stack": (3,), "win": (3, 5, 7, 9)}
