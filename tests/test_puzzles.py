"""Puzzles: each has what its theme claims; ratings, repetition, the terminal."""

import json
import random
import re
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice, pairwise
from math import inf
from pathlib import Path
from statistics import median

import pytest

from papan import catalog, puzzles
from papan.cli.puzzle import Attempt, ask_all
from papan.core import Analysis, Drawing, InvalidSpecError, Proved
from papan.core.message import text_of
from papan.puzzles import Puzzle, PuzzleProgress, making, sight, themes
from papan.puzzles.answers import PuzzleAnswer, sentences

from . import puzzle_truth
from .cli.conftest import Papan, papan  # noqa: F401 - a fixture

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


SOME = [each for game in GAMES for each in puzzles.sample(puzzles.chosen_puzzles(game), 6, 1)]


@pytest.mark.parametrize("puzzle", SOME, ids=lambda each: each.name)
def test_e10_the_solution_and_the_refutation_are_true(puzzle: Puzzle) -> None:
    position, answer = puzzle.position, PuzzleAnswer.of(puzzle)
    values = puzzle_truth.outcomes(position, puzzle_truth.values(position))
    exact = puzzle_truth.values(position)
    wrong = answer.likeliest_wrong
    assert wrong is not None and exact[wrong] < max(exact.values())
    assert exact[answer.move] == max(exact.values())
    assert position.game.move_name(answer.move) in answer.area
    refuted = answer.refutation(wrong)
    cost = refuted.verdict.key.removeprefix("puzzle.wrong_")
    assert {"game": -1, "win": 0}.get(cost, values[wrong]) == values[wrong]
    position.child(wrong).after(refuted.line)  # legal
    end = position.after(answer.line)
    if puzzle.theme in PLIES_TO_WIN:
        assert end.winner == position.turn
    for language in ("en", "id"):
        for said in (*puzzles.question(puzzle, answer.found), answer.idea, *sentences(answer)):
            text = said.text(language)
            assert text != said.key and "{" not in text, said


@pytest.mark.parametrize(
    ("theme", "text", "asked"),
    [
        ("fork", "tictactoe:3,3,3 oxo/.../x.. x", "You are ✕ (blue). Win in two moves."),
        ("win", "tictactoe:3,3,3 xxo/.../... o", "You are ◯ (red). Win in three moves."),
    ],
)
def test_e10_a_question_says_who_one_is_and_what_is_asked(
    theme: str, text: str, asked: str
) -> None:
    puzzle = Puzzle(theme, 900, text)
    found = themes.solved(puzzle.position)
    assert puzzles.in_words(puzzles.question(puzzle, found)[:2], "en") == asked
    plain = puzzles.question(puzzle, found, plain=True)[0].text("id")
    assert plain == f"Anda adalah {text[-1]}."


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
    ],
)
def test_diagonals_and_costly_gains_are_blind_spots(
    text: str, last: sight.PicturePoint | None, spots: set[str]
) -> None:
    position = catalog.position(text)
    assert sight.blind_spots(position, themes.solved(position), last) == spots


def test_what_lies_far_from_the_last_move_is_a_blind_spot() -> None:
    position = catalog.position("tictactoe:1,9,3 xx.....oo x")
    found = themes.solved(position)
    point = Drawing.of(position).label_point(found.move)
    assert point is not None
    near, far = (point[0] + 100, point[1]), (point[0] + 300, point[1])
    assert "far" not in sight.blind_spots(position, found, near)
    assert "far" in sight.blind_spots(position, found, far)


@pytest.mark.thorough
def test_no_puzzle_looks_like_another() -> None:
    looks = {making.puzzle_look(each.position) for each in puzzles.shipped()}
    assert len(looks) == len(puzzles.shipped())


ELEVEN_WIN = (
    "adjacency:8,8,28 oxoxxxxo/xxxoxoox/....xxox/.....oxx/oox..oox/oxx.oooo/oox..xxx/xox...ox o"
)


@pytest.mark.parametrize("nodes", [20_000, themes.PROOF_NODES, inf])
def test_y1_what_is_only_bounded_is_no_truth(nodes: float) -> None:
    """It was shipped as *just one move wins*: the others were bounded, and read as lost."""
    position = catalog.position(ELEVEN_WIN)
    found = themes.truth(position, nodes)
    assert (found is None) == (nodes < inf)
    if found is not None:
        assert all(isinstance(each, Proved) and each.exact for each in found.values.values())
        assert themes.theme_of(position, found) is None
        assert sum(each.number > 0 for each in found.values.values()) == 11


def test_y1_a_false_puzzle_is_found_by_the_truth_of_the_tests() -> None:
    for theme in ("win", "only", "draw"):
        assert not puzzle_truth.is_true(replace(WIN, theme=theme))


def test_boards_that_turn_into_each_other_or_differ_in_the_score_look_alike() -> None:
    boards = ("xo./.../... x", "..x/..o/... x"), ("xo./.../... x", "x../.o./... x")
    first, second = ([f"tictactoe:3,3,3 {each}" for each in pair] for pair in boards)
    dots = [f"dots:1,2 1000000 {rest}" for rest in ("2 0-0", "1 0-0")]
    tiles = [f"onet:2,4 {each}" for each in ("1,1,2,0/2,3,3,0", "0,3,1,1/0,2,2,3")]
    for pair, alike in ((first, True), (second, False), (dots, True), (tiles, True)):
        one, other = (making.puzzle_look(catalog.position(each)) for each in pair)
        assert (one == other) == alike, pair


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


@pytest.mark.thorough
def test_the_same_seed_makes_the_same_puzzles() -> None:
    game = catalog.game("dots:2,2")
    made = [list(islice(making.make(game, seed), 2)) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]
    for each in made[0]:
        check(each)


@pytest.mark.parametrize("seed", range(5))
def test_puzzles_of_one_theme_are_some_moves_apart(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    game = catalog.game("dots:3,3")
    whole = [game.start().after(range(count)) for count in range(20)]
    played = [(position, None) for position in whole]
    monkeypatch.setattr(making, "played_positions", lambda *given: played)
    monkeypatch.setattr(making, "truth", lambda position: Analysis(()))
    monkeypatch.setattr(making, "theme_of", lambda position, known: "only")
    found = making.found_in_a_game(game, random.Random(seed))
    plies = sorted(whole.index(each.position) for each in found)
    assert len(plies) > 2
    assert all(later - sooner >= 4 for sooner, later in pairwise(plies)), plies


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


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("tictactoe:5,5,4 ...../...../..x../...../..... o", "4 in a row wins."),
        (
            "dots:1,2 1110110 1 1-0",
            "Boxes with * are taken already: you have 1, the opponent has 0.",
        ),
        ("dots:1,2 1000000 2 0-0", "No box is taken yet."),
        (
            "adjacency:4,4,2 xxoo/..../..../xxoo x",
            "You have 4 marks, the opponent has 4; 4 moves to go, 2 of them yours.",
        ),
        ("onet:2,2,gravity=down 1,1/2,2", "After each pair the tiles move down."),
    ],
)
def test_a_question_tells_what_is_not_seen_on_the_board(text: str, known: str) -> None:
    (fact,) = puzzles.situation(catalog.position(text))
    assert text_of(fact.key, "en", **fact.values) == known


def test_a_sample_is_of_the_difficulty_that_was_asked_for_and_begins_with_what_is_easy() -> None:
    wanted = puzzles.chosen_puzzles("connect4", "", "medium")
    drawn = puzzles.sample(wanted, 12, 5)
    assert {each.difficulty for each in drawn} == {"medium"}
    assert [each.rating for each in drawn] == sorted(each.rating for each in drawn)
    assert len(set(drawn)) == 12
    assert drawn == puzzles.sample(wanted, 12, 5) != puzzles.sample(wanted, 12, 6)


@pytest.mark.parametrize(("game", "theme"), [("chess", ""), ("", "mate"), ("onet", "cross")])
def test_what_there_is_not_is_told_with_what_there_is(game: str, theme: str) -> None:
    with pytest.raises(InvalidSpecError, match=r"choose from|there are"):
        puzzles.chosen_puzzles(game, theme)


@pytest.mark.thorough
def test_the_terminal_refutes_what_is_wrong_and_keeps_what_was_missed(
    papan: Papan,  # noqa: F811
    tmp_path: Path,
) -> None:
    wanted = ("puzzle", "dots", "--theme", "cross", "--seed", "3", "--count", "1")
    facts = json.loads(papan(*wanted, "--json").out)
    position = catalog.position(facts["position"])
    wrong = next(name for name in position.move_names() if name not in facts["right"])
    typed = f"nonsense\nhint\n{wrong}\n{facts['right'][0]}\n"
    out = papan(*wanted, typed=typed).out
    assert f"This happens: {wrong}" in out
    assert "Solved." in out
    assert re.search(r"-[0-9]+ points: your rating is 5[0-9]{2} now[.]", out)
    kept = json.loads((tmp_path / "data" / "papan" / "puzzles.json").read_text())
    assert list(kept["missed"]) == [facts["name"]]


def test_who_had_a_hint_has_not_solved_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(("hint", "c1"))
    monkeypatch.setattr("builtins.input", lambda *_: next(typed))
    attempt = Attempt(Puzzle("win", 900, "tictactoe:3,3,3 xx./oo./... x"))
    assert (attempt.run(), attempt.solved) == (False, True)


@pytest.mark.thorough
def test_who_quits_after_a_hint_gets_no_other_puzzle(papan: Papan) -> None:  # noqa: F811
    asked = papan("puzzle", "tictactoe", "--theme", "draw", typed="hint\nquit\nhint\n").out
    assert asked.count("You are") == asked.count("Hint 1 of 3, the idea:") == 1


@pytest.mark.thorough
def test_a_win_is_played_to_its_end_against_the_best_defence(papan: Papan) -> None:  # noqa: F811
    wanted = ("puzzle", "connect4", "--theme", "win", "--seed", "3", "--count", "1")
    facts = json.loads(papan(*wanted, "--json").out)
    out = papan(*wanted, typed="\n".join([*facts["line"][::2], ""])).out
    assert "Right. Go on." in out
    assert "Solved." in out
    assert re.search(r"\+[0-9]+ points: your rating is 6[0-9]{2} now[.]", out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "There is no game 'chess' with puzzles; choose from"),
        (["--theme", "mate"], "There is no puzzle theme 'mate'; choose from "),
        (["onet", "--theme", "win"], "There is no such puzzle of onet; there are: clear (easy)"),
        (["--new"], "New puzzles of which game?"),
        (["--difficulty", "mad"], "There is no difficulty 'mad'; choose from easy, medium, hard"),
    ],
)
def test_bad_input_is_told_in_one_line(
    papan: Papan,  # noqa: F811
    arguments: list[str],
    message: str,
) -> None:
    ran = papan("puzzle", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_sheet_has_a_board_for_each_puzzle_and_its_answer(
    papan: Papan,  # noqa: F811
    tmp_path: Path,
) -> None:
    wanted = ("puzzle", "dots", "--theme", "cross", "--seed", "3", "--count", "2")
    page = tmp_path / "class.html"
    assert papan(*wanted, "--sheet", str(page)).out == f"{page}\n"
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    drawn = puzzles.sample(puzzles.chosen_puzzles("dots", "cross"), 2, 3)
    right = [each.position.game.move_name(themes.solved(each.position).move) for each in drawn]
    assert all(each in text.partition("<h1>Answers")[2] for each in right)
    assert text.count(">Answer:<") == 2
    for other in ("class.pdf", "class.doc"):
        refused = papan(*wanted, "--sheet", other)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert "for a PDF, open the sheet in a browser and print it" in refused.err


@pytest.mark.parametrize("count", ["-1", "0"])
def test_t10_the_number_of_puzzles_is_one_or_more(
    papan: Papan,  # noqa: F811
    count: str,
) -> None:
    ran = papan("puzzle", "--count", count)
    assert (ran.code, ran.err) == (2, f"--count must be more than 0, not {count}.\n")


def test_more_puzzles_may_be_asked_for_than_a_machine_can_count(papan: Papan) -> None:  # noqa: F811
    daily = papan("puzzle", "--daily", "--json", "--count", "9" * 20)
    assert (daily.code, daily.out.count("\n")) == (0, 1)


def test_y7_who_has_a_low_rating_is_asked_nothing_harder() -> None:
    assert PuzzleProgress(rating=450, tried=15).next_rating() == 450
    assert PuzzleProgress(rating=900, tried=15).next_rating() == puzzles.EASIEST + 150


@pytest.mark.parametrize(("typed", "days"), [("solution", 0), ("right", 1)])
def test_y7_a_puzzle_of_the_day_that_was_given_up_is_no_day_in_a_row(
    monkeypatch: pytest.MonkeyPatch, typed: str, days: int
) -> None:
    kept = [PuzzleProgress()]
    asked = Puzzle("one", 900, "tictactoe:3,3,3 xx./oo./... x")
    monkeypatch.setattr("builtins.input", lambda *_: "c1" if typed == "right" else typed)
    monkeypatch.setattr("papan.cli.puzzle._load", lambda: kept[-1])
    monkeypatch.setattr("papan.cli.puzzle._save", kept.append)
    ask_all([asked], TODAY, daily=True)
    assert kept[-1].days == days


def test_y7_of_a_draw_only_the_move_that_was_asked_for_is_played() -> None:
    drawn = next(each for each in puzzles.shipped() if each.theme == "draw")
    answer = PuzzleAnswer.of(drawn)
    assert len(answer.found.line) > 1
    assert answer.line == (answer.move,)


@pytest.mark.parametrize(("share", "rated"), [(0.0, sight.HARDEST), (1.0, puzzles.EASIEST)])
def test_y7_no_puzzle_is_rated_beyond_the_hardest_or_the_easiest(
    monkeypatch: pytest.MonkeyPatch, share: float, rated: int
) -> None:
    monkeypatch.setattr(sight, "share_solved", lambda *_: share)
    assert sight.rating(WIN.position, "win") == rated


def test_e10_a_block_is_explained_by_what_it_blocks() -> None:
    board = "connect4:6,7 x..o.../o.ox..o/x.xo.ox/x.oxxxo/x.oooxx/o.oxxox o"
    assert str(PuzzleAnswer.of(Puzzle("block", 500, board)).why) == (
        "5 is forced: it blocks the diagonal d5-g2, which the opponent was about to complete."
    )


@pytest.mark.parametrize(
    ("theme", "text", "said"),
    [
        # not only that it takes a cell: what that brings
        (
            "only",
            "adjacency:6,6,12 xoxoxo/.xx.ox/.xxx.x/ooxx../ooxxx./xoxooo o",
            "d2 takes the cell where the opponent could have turned 2 marks. "
            "With best play you then win by 2; after any other move you do not win.",
        ),
        # what it leaves, not that it is forced
        (
            "zugzwang",
            "connect4:6,7 o..o.oo/xx.x.xx/oo.o.oo/xx.x.xx/xo.o.xx/oxoxoox o",
            "2 leaves the opponent only answers that open a win: ",
        ),
        # that it gives the fewest, not that it lies between them
        (
            "fewest",
            "dots:3,3 101111111111001100000000 1 1-0",
            "Every line gives boxes away now: b1b2 gives 2, and no other gives fewer.",
        ),
        (
            "clear",
            "onet:4,6,kinds=8,gravity=left 3,6,2,3,0,0/7,3,8,0,0,0/6,7,8,0,0,0/2,3,0,0,0,0",
            "After c2c3 (butterfly) 5 pairs can be taken. The board can still be cleared after it.",
        ),
        # one line out of many, its moves named as everywhere
        (
            "win",
            "connect4:5,6 ..x.xo/..x.ox/..o.oo/o.x.xo/x.ooxx x",
            "1 wins in 4 moves, whatever the opponent does; for instance 1, 1, 2, 4.",
        ),
    ],
    ids=lambda each: each if each in themes.GENERAL else None,
)
def test_e10_an_answer_says_why_the_move_is_right(theme: str, text: str, said: str) -> None:
    answer = PuzzleAnswer.of(Puzzle(theme, 800, text))
    assert answer.why.text().startswith(said), answer.why.text()
    assert theme != "only" or answer.found.proved == Proved.exactly(2)


def test_e10_the_only_winning_move_is_explained_where_no_points_are_counted() -> None:
    answer = PuzzleAnswer.of(Puzzle("only", 800, "tictactoe:3,3,3 oxo/.../x.. x"))
    assert "threats" in answer.why.text()


def test_e10_the_idea_of_a_handout_is_not_to_give_the_fewest() -> None:
    board = "dots:2,3 10011010100111101 2 0-1"
    answer = PuzzleAnswer.of(Puzzle("handout", 700, board))
    assert answer.idea.key == "puzzle.idea_handout"


def test_y7_a_game_that_is_new_to_somebody_begins_with_easy_puzzles() -> None:
    progress = PuzzleProgress(rating=900, tried=50, games={"dots": 45, "onet": 5})
    wanted = {"dots": 900, "onet": puzzles.EASIEST + 50, "connect4": puzzles.EASIEST, "": 900}
    assert {game: progress.next_rating(game) for game in wanted} == wanted
