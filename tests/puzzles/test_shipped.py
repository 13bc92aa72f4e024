"""The puzzles that papan ships: each has what its theme claims."""

from collections import Counter
from dataclasses import replace
from statistics import median

import pytest

from papan import puzzles
from papan.puzzles import PuzzleProgress, making, themes
from tests.puzzles import puzzle_truth
from tests.puzzles.claims import GAMES, TODAY, WIN, check

QUICK = {
    "tictactoe:3,3,3",
    "connect4:5,6",
    "dots:2,3",
    "adjacency:6,6,12",
    "onet:4,6,kinds=8",
}
"""Boards of each game that are solved at once."""
SIZES = {each.text.split()[0]: each.text.split()[0] in QUICK for each in puzzles.shipped()}


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(spec, marks=[] if quick else pytest.mark.thorough)
        for spec, quick in SIZES.items()
    ],
)
def test_y1_a_puzzle_of_each_board_and_theme_has_what_it_claims(spec: str) -> None:
    of_board = [each for each in puzzles.shipped() if each.text.split()[0] == spec]
    of_board.sort(key=lambda each: -len(each.position.moves()))
    for each in {each.theme: each for each in of_board}.values():  # that with the fewest moves
        check(each)


@pytest.mark.slow
@pytest.mark.timeout(7200)  # minutes where nothing else runs
@pytest.mark.parametrize("spec", SIZES)
def test_y1_every_puzzle_of_a_board_has_what_it_claims(spec: str) -> None:
    for each in puzzles.shipped():
        if each.text.split()[0] == spec:
            check(each)


@pytest.mark.parametrize("game", GAMES)
def test_e10_the_first_twenty_of_every_game_are_solved_by_sight(game: str) -> None:
    wanted, progress = puzzles.chosen_puzzles(game), PuzzleProgress()
    for number in range(20):
        each = puzzles.near(wanted, progress.next_rating(game), number, progress.seen)
        assert 400 <= each.rating <= 700, (number, each)
        progress = progress.after(each, solved=True, today=TODAY)
    assert progress.next_rating(game) == progress.rating > puzzles.FIRST_RATING


def test_e10_puzzles_of_lines_look_like_games() -> None:
    """At least a third of the cells is taken, and both seats have moved in turn."""
    for each in puzzles.shipped():
        if each.game in ("connect4", "tictactoe"):
            board = each.text.split()[1].replace("/", "")
            assert 3 * sum(cell != "." for cell in board) >= len(board), each
            assert board.count("x") - board.count("o") == each.position.turn, each


def test_e10_themes_build_up() -> None:
    """What is seen at once comes before one idea, and that before several."""
    steps = {
        "connect4": ("one", "block", "fork", "win"),
        "tictactoe": ("one", "block", "fork", "win"),
        "dots": ("take", "fewest", "handout", "cross", "chains"),
        "adjacency": ("last", "trap"),
    }
    for game, order in steps.items():
        ratings = [[each.rating for each in puzzles.chosen_puzzles(game, name)] for name in order]
        middles = [median(each) for each in ratings]
        assert middles == sorted(middles), (game, middles)


@pytest.mark.thorough
def test_no_puzzle_looks_like_another() -> None:
    looks = {making.puzzle_look(each.position) for each in puzzles.shipped()}
    assert len(looks) == len(puzzles.shipped())


def test_y1_a_false_puzzle_is_found_by_the_truth_of_the_tests() -> None:
    for theme in ("win", "only", "draw"):
        assert not puzzle_truth.is_true(replace(WIN, theme=theme))


def test_there_are_puzzles_of_all_games_and_themes_in_a_small_file() -> None:
    found = puzzles.shipped()
    assert {each.game for each in found} == {"tictactoe", "connect4", "dots", "adjacency", "onet"}
    assert {each.theme for each in found} == set(puzzles.all_themes())
    assert len({each.name for each in found}) == len(found) >= 700
    assert min(Counter(each.theme for each in found).values()) >= 5
    assert min(Counter(each.game for each in found).values()) >= 80
    assert len(puzzles.write_puzzles(found)) < 60_000


def test_a_file_of_puzzles_reads_back() -> None:
    found = [*puzzles.shipped()[:5], WIN]
    assert set(puzzles.read(puzzles.write_puzzles(found))) == set(found)


@pytest.mark.thorough
def test_zugzwang_is_more_than_a_threat() -> None:
    each = next(each for each in puzzles.shipped() if each.theme == "zugzwang")
    found = themes.solved(each.position)
    after = each.position.child(found.move)
    assert all(after.child(move).turn == each.position.turn for move in after.moves())
    assert all(after.scores() == after.child(move).scores() for move in after.moves())
