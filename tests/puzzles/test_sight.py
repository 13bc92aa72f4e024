"""How hard a puzzle is: what is seen without searching, and what is overlooked."""

import pytest

from papan import catalog, puzzles
from papan.core import Drawing
from papan.core.drawing import UNIT
from papan.puzzles import Puzzle, sight, themes
from papan.puzzles.answers import PuzzleAnswer
from tests.puzzles import puzzle_truth
from tests.puzzles.claims import WIN


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("tictactoe:3,3,3 xx./oo./... x", 1),
        ("tictactoe:3,3,3 x../oo./x.. x", 2),
        ("tictactoe:3,3,3 oxo/.../x.. x", 3),
    ],
)
def test_a_move_is_seen_from_its_number_of_turns_on(text: str, turns: int) -> None:
    position = catalog.position(text)
    for seen in range(5):
        best = sight.best_by_sight(position, seen)
        if seen < turns:
            assert len(best) > 1, seen
        else:
            values = puzzle_truth.values(position)
            assert {values[move] for move in best} == {max(values.values())}, seen


@pytest.mark.parametrize(
    ("text", "last", "spots"),
    [
        ("tictactoe:3,3,3 x.o/.xo/... x", None, {"shape"}),
        ("tictactoe:3,3,3 xx./oo./... x", None, set()),
        ("dots:1,3 1111110000 1 0-0", None, set()),
        ("dots:2,3 10111101011011001 1 1-0", None, {"greed"}),  # a double-cross
        ("adjacency:6,6,12 x.oxxo/...oox/.xxxox/oxxoox/ooxoxo/xoxx.. o", None, {"greed"}),
    ],
)
def test_diagonals_and_costly_gains_are_blind_spots(
    text: str, last: sight.PicturePoint | None, spots: set[str]
) -> None:
    position = catalog.position(text)
    assert sight.blind_spots(position, themes.solved(position), last) == spots
    assert spots < {*sight.BLIND_SPOTS}


def test_what_lies_far_from_the_last_move_is_a_blind_spot() -> None:
    position = catalog.position("tictactoe:1,9,3 xx.....oo x")
    found = themes.solved(position)
    point = Drawing.of(position).label_point(found.move)
    assert point is not None
    near, far = (point[0] + 100, point[1]), (point[0] + 300, point[1])
    assert "far" not in sight.blind_spots(position, found, near)
    assert "far" in sight.blind_spots(position, found, far)


def test_what_more_agents_miss_is_rated_higher() -> None:
    some, half, none = (
        sight.performance([(1000, share), (1500, share), (1300, 0.5)]) for share in (1, 0.5, 0)
    )
    assert 0 < some < half < none < 3000


@pytest.mark.parametrize(("share", "rating"), [(0.5, 1300), (10 / 11, 900), (1 / 11, 1700)])
def test_a_puzzle_that_is_solved_ten_times_of_eleven_is_400_points_easier(
    share: float, rating: int
) -> None:
    assert sight.performance([(1300, share)]) == pytest.approx(rating, abs=1)


@pytest.mark.parametrize(("share", "rated"), [(0.0, sight.HARDEST), (1.0, puzzles.EASIEST)])
def test_y7_no_puzzle_is_rated_beyond_the_hardest_or_the_easiest(
    monkeypatch: pytest.MonkeyPatch, share: float, rated: int
) -> None:
    monkeypatch.setattr(sight, "share_solved", lambda *_: share)
    assert sight.rating(WIN.position, "win") == rated


def test_y7_every_solver_of_puzzles_counts_with_its_own_strength_and_sight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[float, float]] = []
    monkeypatch.setattr(sight, "share_solved", lambda position, theme, turns: 0.1 + turns / 10)
    monkeypatch.setattr(sight, "blind_spots", lambda *_: frozenset({"far"}))

    def judge(results: list[tuple[float, float]]) -> int:
        asked.extend(results)
        return 777

    monkeypatch.setattr(sight, "performance", judge)
    assert sight.rating(WIN.position, "win", None) == 777
    expected = [(900, 0.5)]
    for turns, strength in ((1, 500), (2, 700), (4, 1000), (6, 1300)):
        seen, last = 0.1 + turns / 10, turns / 10
        blind = strength - 100
        expected += [(strength, seen), (blind, seen), (blind, 0.1), (blind, last), (blind, seen)]
    assert sorted(asked) == [pytest.approx(each) for each in sorted(expected)]


def test_y7_a_right_guess_counts_half_and_what_is_seen_counts_whole() -> None:
    position = catalog.position("tictactoe:3,3,3 oxo/.../x.. x")  # one of five moves wins
    shares = [sight.share_solved(position, "only", turns) for turns in range(4)]
    assert shares == pytest.approx([0.5 / 5, 0.5 / 5, 0.5 / 5, 1])


def test_y7_alone_at_a_board_the_right_pair_must_be_found_each_time() -> None:
    position = catalog.position("onet:1,5 1,1,1,1,0")
    found = themes.solved(position)
    alone = sight.share_solved(position, "pair", 0)
    right = themes.right_moves(position, found)
    first = len(right) / len(position.moves())
    assert alone == pytest.approx(1 if first == 1 else first / 2)
    assert sight.share_solved(position, "clear", 0) <= alone


def test_y7_too_many_positions_for_two_turns_are_looked_at_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "connect4:5,6 .xo.x./.xo.oo/.ox.xx/oxo.oo/xxo.xx o"
    answer = PuzzleAnswer.of(Puzzle("win", 800, text))
    monkeypatch.setattr(sight, "MOST_LOOKED_AT", 2)
    assert answer.likeliest_wrong == answer.position.legal_move("4")
    assert set(sight.values_by_sight(answer.position, 6).values()) == {0}


@pytest.mark.parametrize(("cells", "far"), [(2.9, False), (3, False), (3.1, True)])
def test_y7_more_than_three_cells_away_is_far(cells: float, far: bool) -> None:
    position = catalog.position("tictactoe:1,9,3 xx.....oo x")
    found = themes.solved(position)
    point = Drawing.of(position).label_point(found.move)
    assert point is not None
    spots = sight.blind_spots(position, found, (point[0] + cells * UNIT, point[1]))
    assert ("far" in spots) == far


@pytest.mark.parametrize(
    ("most", "turns", "seen"),
    [
        (4, 2, [1, 0, -1, -1, -1]),  # one position after each move that does not end the game
        (3, 2, [1, 0, 0, 0, 0]),
        (3, 1, [1, 0, 0, 0, 0]),
        (1, 0, [0, 0, 0, 0, 0]),
    ],
)
def test_y7_as_many_positions_are_looked_at_as_may_be_and_no_more(
    monkeypatch: pytest.MonkeyPatch, most: int, turns: int, seen: list[float]
) -> None:
    position = catalog.position("tictactoe:3,3,3 xx./oo./... x")  # c1 wins, and o threatens c2
    monkeypatch.setattr(sight, "MOST_LOOKED_AT", most)
    assert [*sight.values_by_sight(position, turns).values()] == seen


@pytest.mark.parametrize(
    ("results", "rating"),
    [
        ([], 0),
        ([(500, 1.0), (1300, 1.0)], 0),
        ([(500, 0.0), (1300, 0.0)], 3000),
        ([(1000, 0.5), (1000, 0.5)], 1000),
        ([(800, 0.5), (1200, 0.5)], 1000),
    ],
)
def test_a_rating_is_where_elo_expects_what_was_solved(
    results: list[tuple[float, float]], rating: int
) -> None:
    assert sight.performance(results) == rating


def test_further_moves_of_ones_own_take_no_turn_but_alone_each_is_one() -> None:
    chain = catalog.position("dots:1,3 1111111000 1 0-0")  # three boxes in a row, open at one end
    assert [*sight.values_by_sight(chain, 1).values()] == [3, 0, 0]
    assert [*sight.values_by_sight(chain, 2).values()] == [3, -3, -3]
    tiles = catalog.position("onet:1,6 1,1,2,2,3,3")
    for turns, cleared in ((1, 2), (2, 4), (3, 6), (4, 6)):
        assert set(sight.values_by_sight(tiles, turns).values()) == {cleared}
