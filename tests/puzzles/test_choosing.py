"""Which puzzle is asked next: ratings, repetition, the puzzle of the day."""

from dataclasses import FrozenInstanceError, replace
from datetime import date, timedelta
from textwrap import dedent
from typing import Any

import pytest

from papan import catalog, puzzles
from papan.core import InvalidSpecError
from papan.puzzles import Puzzle, PuzzleProgress
from tests.plugin_package import NIM
from tests.puzzles.claims import TODAY, WIN


def test_the_puzzle_of_the_day_is_the_same_for_all_and_another_tomorrow() -> None:
    week = [puzzles.daily(TODAY + timedelta(day)) for day in range(7)]
    assert week[0] == puzzles.daily(TODAY)
    assert len(set(week)) == 7


def test_puzzles_come_near_the_rating_and_not_those_just_seen() -> None:
    wanted = puzzles.chosen_puzzles("dots")
    first = puzzles.near(wanted, 1200, 1, ())
    assert abs(first.rating - 1200) < 200
    assert puzzles.near(wanted, 1200, 1, {first.name}) != first


def test_the_last_hundred_puzzles_are_those_that_were_seen() -> None:
    names, progress = [each.name for each in puzzles.shipped()[:102]], PuzzleProgress()
    for each in (*puzzles.shipped()[:102], puzzles.shipped()[50]):
        progress = progress.after(each, True, TODAY)
    assert progress.seen == (*names[2:50], *names[51:], names[50])


def test_a_rating_rises_with_what_is_solved_and_falls_with_what_is_missed() -> None:
    start = PuzzleProgress()
    solved, missed = (start.after(WIN, right, TODAY) for right in (True, False))
    assert missed.rating < start.rating < solved.rating
    assert (solved.streak, missed.streak) == (1, 0)


def test_what_was_missed_comes_back_later_each_time_until_it_is_known() -> None:
    progress, day = PuzzleProgress().after(WIN, False, TODAY), TODAY
    assert progress.due(TODAY) == []
    for days in puzzles.DAYS:
        day += timedelta(days)
        assert progress.due(day - timedelta(1)) == []
        assert [puzzles.recalled(each) for each in progress.due(day)] == [WIN]
        progress = progress.after(WIN, True, day)
    assert not progress.missed


def test_daily_puzzles_count_days_in_a_row() -> None:
    progress = (
        PuzzleProgress().after_daily(TODAY).after_daily(TODAY).after_daily(TODAY + timedelta(1))
    )
    assert progress.days == 2
    assert progress.after_daily(TODAY + timedelta(5)).days == 1


def test_what_papan_brings_is_kept_by_its_name_and_what_it_does_not_as_a_whole() -> None:
    brought = puzzles.shipped()[0]
    progress = PuzzleProgress().after(brought, False, TODAY).after(WIN, False, TODAY)
    assert list(progress.missed) == [brought.name, WIN.kept]
    assert [*map(puzzles.recalled, progress.missed)] == [brought, WIN]
    assert puzzles.recalled("0123456789") is None


def test_a_sample_is_of_the_difficulty_that_was_asked_for_and_begins_with_what_is_easy() -> None:
    wanted = puzzles.chosen_puzzles("connect4", "", "medium")
    drawn = puzzles.sample(wanted, 12, 5)
    assert {each.difficulty for each in drawn} == {"medium"}
    assert [each.rating for each in drawn] == sorted(each.rating for each in drawn)
    assert len(set(drawn)) == 12
    assert drawn == puzzles.sample(wanted, 12, 5) != puzzles.sample(wanted, 12, 6)


THEMES = (
    "cross, take, handout, fewest, safe, chains, last, trap, "
    "zugzwang, pair, clear, one, block, fork, stack, win, draw, only"
)


@pytest.mark.parametrize(
    ("asked", "key", "known"),
    [
        (("chess",), "unknown_game", "tictactoe, connect4, dots, adjacency, onet"),
        (("", "mate"), "unknown_theme", THEMES),
        (("onet", "", "mad"), "unknown_difficulty", "easy, medium, hard"),
        (
            ("onet", "cross"),
            "none",
            "clear (easy), clear (hard), clear (medium), pair (easy), pair (hard), pair (medium)",
        ),
    ],
)
def test_what_there_is_not_is_told_with_what_there_is(
    asked: tuple[str, ...], key: str, known: str
) -> None:
    with pytest.raises(InvalidSpecError) as refused:
        puzzles.chosen_puzzles(*asked)
    assert (refused.value.key, refused.value.values["known"]) == (f"puzzle.{key}", known)


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "win",
        "win 900",
        "win -5 tictactoe:3,3,3 xxo/.../... o",
        "win 12345 tictactoe",
        "win x y",
    ],
)
def test_what_is_no_puzzle_is_not_recalled(kept: str) -> None:
    assert puzzles.recalled(kept) is None


def test_a_file_has_each_puzzle_once_by_game_rating_and_name() -> None:
    one = Puzzle("one", 450, "tictactoe:3,3,3 xx./oo./... x")
    pair = Puzzle("pair", 500, "onet:1,4 1,1,2,2")
    large = replace(WIN, text="tictactoe:4,4,3 xxo./..../..../.... o")
    alike = replace(one, text="tictactoe:3,3,3 oo./xx./... x")
    both = sorted([one, alike], key=lambda each: each.name)
    text = puzzles.write_puzzles([large, WIN, one, pair, alike, WIN])
    assert text == (
        "onet:1,4\n"
        "pair 500 1,1,2,2\n"
        "tictactoe:3,3,3\n"
        f"one 450 {both[0].text.partition(' ')[2]}\n"
        f"one 450 {both[1].text.partition(' ')[2]}\n"
        "win 900 xxo/.../... o\n"
        "tictactoe:4,4,3\n"
        "win 900 xxo./..../..../.... o\n"
    )
    assert [*puzzles.read(text)] == [pair, *both, WIN, large]
    assert (puzzles.write_puzzles([]), [*puzzles.read("")]) == ("", [])
    with pytest.raises(ValueError, match="'much'"):
        [*puzzles.read("tictactoe:3,3,3\none much xx./oo./... x\n")]


def test_a_name_follows_from_theme_and_position_and_not_from_the_rating() -> None:
    names = [each.name for each in (WIN, replace(WIN, rating=5), replace(WIN, theme="only"))]
    assert names[0] == names[1] != names[2]
    assert all(len(each) == 10 and int(each, 16) >= 0 for each in names)
    assert (WIN.game, str(WIN.position)) == ("tictactoe", WIN.text)


def test_a_game_without_shipped_puzzles_may_have_any_of_its_themes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: dict[str, Any] = {"__name__": __name__}
    exec(dedent(NIM), names)
    monkeypatch.setitem(catalog.GAMES, "nim", names["Nim"])
    nim = catalog.game("nim:7")
    for theme in ("", "only", "draw"):
        puzzles.check_can_make(nim, theme, "hard")
    with pytest.raises(InvalidSpecError) as refused:
        puzzles.check_can_make(nim, "cross")
    assert (refused.value.key, refused.value.values["name"]) == ("puzzle.unknown_theme", "cross")
    assert refused.value.values["known"] == THEMES.partition("trap, ")[2]


def test_who_has_tried_nothing_begins_at_600_with_nothing_to_repeat() -> None:
    progress = PuzzleProgress()
    assert progress == PuzzleProgress(600.0, 0, 0, 0, "", {}, (), {})
    assert progress.due(TODAY) == []
    with pytest.raises(FrozenInstanceError):
        progress.rating = 700.0  # type: ignore[misc]


def test_a_missed_puzzle_waits_1_3_7_and_16_days() -> None:
    progress, asked = PuzzleProgress().after(WIN, False, date(2026, 2, 27)), []
    while progress.missed:
        solved, day = progress.missed[WIN.kept]
        asked.append((solved, day))
        progress = progress.after(WIN, True, date.fromisoformat(day))
    assert asked == [(0, "2026-02-28"), (1, "2026-03-03"), (2, "2026-03-10"), (3, "2026-03-26")]


def test_y7_who_has_a_low_rating_is_asked_nothing_harder() -> None:
    assert PuzzleProgress(rating=450, tried=15).next_rating() == 450
    assert PuzzleProgress(rating=900, tried=15).next_rating() == puzzles.EASIEST + 150


def test_y7_a_game_that_is_new_to_somebody_begins_with_easy_puzzles() -> None:
    progress = PuzzleProgress(rating=900, tried=50, games={"dots": 45, "onet": 5})
    wanted = {"dots": 900, "onet": puzzles.EASIEST + 50, "connect4": puzzles.EASIEST, "": 900}
    assert {game: progress.next_rating(game) for game in wanted} == wanted


@pytest.mark.parametrize(
    ("rating", "difficulty"),
    [(-5, "easy"), (400, "easy"), (699, "easy"), (700, "medium"), (999, "medium"), (1000, "hard")],
)
def test_y7_the_difficulty_follows_from_the_rating(rating: int, difficulty: str) -> None:
    assert replace(WIN, rating=rating).difficulty == difficulty


def test_y7_the_puzzle_of_a_day_suits_everybody() -> None:
    ratings = [puzzles.daily(TODAY + timedelta(day)).rating for day in range(60)]
    assert min(ratings) >= 500 and max(ratings) < 1000
    assert len(set(ratings)) > 5


def test_y7_one_of_the_eight_nearest_puzzles_is_drawn_and_never_none() -> None:
    wanted = [replace(WIN, rating=rating) for rating in range(400, 1600, 10)]
    wanted = [replace(each, text=f"{each.text}{number}") for number, each in enumerate(wanted)]
    drawn = {puzzles.near(wanted, 902, seed, ()).rating for seed in range(200)}
    assert drawn == {870, 880, 890, 900, 910, 920, 930, 940}
    assert puzzles.near(wanted[:1], 902, 1, {wanted[0].name}) == wanted[0]


@pytest.mark.parametrize(
    ("own", "tried", "solved", "rating"),
    [
        (900, 0, True, 900 + 40 / 2),
        (900, 19, False, 900 - 40 / 2),
        (900, 20, True, 900 + 20 / 2),
        (1300, 20, True, 1300 + 20 / 11),  # 400 points above: ten of eleven were expected
        (500, 19, True, 500 + 40 * 10 / 11),
    ],
)
def test_y7_a_rating_changes_as_elo_says_and_less_after_twenty_puzzles(
    own: float, tried: int, solved: bool, rating: float
) -> None:
    progress = PuzzleProgress(rating=own, tried=tried, streak=3)
    after = progress.after(WIN, solved, TODAY)
    assert after.rating == pytest.approx(rating)
    assert (after.tried, after.streak) == (tried + 1, 4 if solved else 0)
    assert after.games == {"tictactoe:3,3,3".partition(":")[0]: 1}


def test_y7_the_first_twenty_puzzles_climb_by_ten_points() -> None:
    ratings = [PuzzleProgress(rating=900, tried=tried).next_rating() for tried in (0, 1, 19, 20)]
    assert ratings == [400, 410, 590, 900]


def test_y7_only_what_was_missed_is_repeated_and_a_new_miss_begins_anew() -> None:
    progress = PuzzleProgress().after(WIN, True, TODAY)
    assert progress.missed == {}
    other = puzzles.shipped()[0]
    progress = progress.after(WIN, False, TODAY).after(other, False, TODAY - timedelta(2))
    assert progress.due(TODAY + timedelta(1)) == [other.name, WIN.kept], "the oldest first"
    again = progress.after(WIN, True, TODAY).after(WIN, True, TODAY)
    assert again.missed[WIN.kept] == (2, (TODAY + timedelta(7)).isoformat())
    lost = again.after(WIN, False, TODAY)
    assert lost.missed[WIN.kept] == (0, (TODAY + timedelta(1)).isoformat())


@pytest.mark.parametrize("rating", [5, 400, 1600])
def test_y7_a_puzzle_that_is_not_shipped_is_recalled_whole(rating: int) -> None:
    own = replace(WIN, rating=rating)
    assert own.kept == f"win {rating} {WIN.text}"
    assert puzzles.recalled(own.kept) == own
    assert puzzles.recalled(f"mate {rating} {WIN.text}") is None


def test_y7_a_sample_differs_by_its_seed_and_not_by_the_order_of_puzzles() -> None:
    wanted = puzzles.shipped()[:100]
    drawn = puzzles.sample(wanted, 10, 1)
    assert puzzles.sample(wanted[::-1], 10, 1) == sorted(drawn, key=lambda each: each.rating)
    assert set(drawn) != set(puzzles.sample(wanted, 10, 2))
    assert len(puzzles.sample(wanted, 200, 1)) == 100
