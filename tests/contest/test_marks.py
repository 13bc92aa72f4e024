"""Marks by truth: hidden positions, reviews, formulas, look-alikes and pages."""

import csv
import io
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

import papan
from papan.contest import truth as truths
from papan.contest.alike import likeness, likenesses, runs, tokens
from papan.contest.checks import Check
from papan.contest.folder import Contest, ContestGame
from papan.contest.marks import marks_csv, marks_of
from papan.contest.pages import cross_table_html, student_page, write_report
from papan.contest.plan import ContestPlan, Grade, HousePlan, LadderPlan, MarksPlan, TruthPlan
from papan.contest.standings import standings_of
from papan.contest.students import Student
from papan.contest.submissions import LONGEST_SOURCE, SubmissionError, keep_version
from papan.contest.truth import (
    ExactJudgement,
    GameReview,
    HiddenPosition,
    Moment,
    _keep,
    _lost_games,
    _read_answers,
    _read_reviews,
    _terms,
    draw_hidden,
    find_truth,
    hidden_positions,
    kept_truth,
    review_game,
)
from papan.core import Limit, PapanError, Position, Progress, Record
from papan.core.message import text_of
from papan.core.printable import to_json
from papan.lab.referee import Forfeit

FIRST = b"def choose(position): return position.moves()[0]\n"


@cache
def best(position: Position) -> float:
    """The margin of the seat to move with best play, by looking at everything."""
    if not position.moves():
        return papan.margin(position, position.turn)
    return max(-best(position.child(move)) for move in position.moves())


@pytest.mark.thorough
def test_what_moves_lose_on_hidden_positions_is_what_brute_force_says() -> None:
    found = draw_hidden("tictactoe", 8, seed=3)
    assert len(found) == 8
    for each in found:
        position = papan.position(each.position)
        want = {
            position.game.move_name(move): best(position) + best(position.child(move))
            for move in position.moves()
        }
        assert dict(each.losses) == want
        assert any(want.values()) and not all(want.values())
    assert draw_hidden("tictactoe", 8, seed=3) == found
    assert draw_hidden("tictactoe", 0, seed=3) == []


@pytest.mark.parametrize(
    ("losses", "difficulty"),
    [((0, 0, 1), "easy"), ((0, 1), "easy"), ((0, 1, 1, 1), "medium"), ((0, 1, 1, 1, 2), "hard")],
)
def test_a_position_is_hard_where_few_moves_are_best(
    losses: tuple[float, ...], difficulty: str
) -> None:
    named = {f"m{n}": float(loss) for n, loss in enumerate(losses)}
    assert HiddenPosition("x", named).difficulty == difficulty


HIDDEN = [
    HiddenPosition(f"p{n}", {"a": 0.0, "b": 2.0, "c": 1.0, "d": 2.0, "e": 2.0}) for n in range(10)
]


def test_accuracy_and_regret_count_failures_as_the_worst_move() -> None:
    truth = ExactJudgement(HIDDEN[:4], {"x": ["a", "c", None, "z"]})
    assert truth.losses("x") == [0, 1, 2, 2]
    assert truth.accuracy("x") == 0.25
    assert truth.by_difficulty("x") == {"easy": (0, 0), "medium": (0, 0), "hard": (1, 4)}
    assert (truth.losses("nobody"), truth.accuracy("nobody")) == ([], 0.0)


def game(first: str, second: str, moves: str, pair: int, blame: int | None = None) -> ContestGame:
    """A game of Tic Tac Toe from its start."""
    positions = [papan.position("tictactoe")]
    for name in moves.split():
        positions.append(positions[-1].play(name))
    last = positions[-1]
    record = Record(
        "tictactoe:3,3,3",
        str(positions[0]),
        (first, second),
        moves,
        last.scores(),
        "crash" if blame else last.result,
        blame,
        "boom <script>" if blame else "",
        output="Traceback <script>alert(1)</script>" if blame else "",
    )
    costs = ((0.01,), (0.02,))
    return ContestGame((first, second), pair, record, 1.0, costs, (25 << 19, 0))


WIN = "a1 b1 a2 b2 a3"
"""The first seat wins, after the second seat has let it."""


def contest(tmp_path: Path) -> Contest:
    """Three students, one of whom is set aside, and a house bot."""
    plan = ContestPlan(
        "Cup <b>",
        "tictactoe",
        house=HousePlan(("random",), 1),
        truth=TruthPlan(positions=4, games=2, seconds=2),
        marks=MarksPlan(
            "50 * vs_random + 50 * accuracy",
            (Grade("A", "vs_random > 0.5 and rank == 1"), Grade("B", "points >= 10")),
        ),
    )
    students = [Student("1", "Ani"), Student("2", "=SUM(A1)"), Student("3", "<img src=x>")]
    found = Contest(tmp_path, plan, students)
    for number, code in (("1", FIRST), ("2", FIRST.replace(b"[0]", b"[-1]"))):
        version = keep_version(tmp_path, number, {"main.py": code})
        found.newest[number] = version
        found.checks[number, 1] = Check(number, 1)
    found.refused["3"] = SubmissionError("contest.late", deadline="x")
    found.games = [
        game("1 v1", "2 v1", WIN, 0),
        game("2 v1", "1 v1", WIN, 0),
        game("1 v1", "random", WIN, 1),
        game("random", "1 v1", "a1 b1", 1, blame=1),
        game("2 v1", "random", "b2", 2, blame=1),
        game("random", "2 v1", WIN, 2),
        game("1 v1", "2 v1", WIN, 3),
    ]
    return found


def test_k6_marks_come_from_the_plans_formula(tmp_path: Path) -> None:
    made = contest(tmp_path)
    truth = ExactJudgement(HIDDEN[:4], {"1 v1": ["a", "a", "b", "b"], "2 v1": ["b", "b", "b", "c"]})
    first, second, third = marks_of(made, truth, "en")
    assert first.measures["vs_random"] == 1.0
    assert first.measures["points"] == 50 + 25
    assert (first.grade, first.measures["rank"]) == ("A", 1)
    assert (second.measures["vs_random"], second.measures["points"]) == (0, 0)
    assert (second.grade, second.measures["forfeits"], second.measures["regret"]) == ("", 1, 1.75)
    assert (third.place, third.remark) == (None, "Handed in after the deadline (x).")
    assert len(made.counted()) == 6  # half a pair does not count
    made.plan = replace(made.plan, game="connect4", house=HousePlan((), 0), marks=MarksPlan("1"))
    assert made.counted() == []  # nor do games of another game


def test_k6_marks_are_a_table_for_a_spreadsheet(tmp_path: Path) -> None:
    text = marks_csv(contest(tmp_path), ExactJudgement(HIDDEN[:4], {"1 v1": ["a"] * 4}), "id")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["number"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["accuracy"] == "1.0" and rows[0]["grade"] == "A"
    assert rows[1]["name"] == "'=SUM(A1)"
    assert {row["memory_mb"] for row in rows} == {"", "12.5"}  # a bot whose memory was measured
    assert rows[2]["remark"] == "Dikumpulkan setelah batas akhir (x)."
    assert len({len(row) for row in rows}) == 1 and None not in rows[2]


def test_lost_games_are_reviewed_for_the_one_who_lost(tmp_path: Path) -> None:
    made = contest(tmp_path)
    lost = _lost_games(made)
    assert [(player, each.pair) for player, each in lost] == [
        ("1 v1", 0),
        ("2 v1", 0),
        ("2 v1", 2),
    ]
    found = review_game(made.games[0], "2 v1", seconds=2)
    assert (found.moves, found.judged) == (2, 2)
    [moment] = [each for each in found.moments if each.changed]
    assert (moment.ply, moment.move, moment.better) == (1, "b1", "b2")  # the one reply that draws
    assert moment.proved
    assert "b2" in moment.text["id"] and "2 v1" in moment.text["id"]


def test_a_student_is_told_who_won_in_words_and_not_by_a_spec(tmp_path: Path) -> None:
    made = contest(tmp_path)
    house = [("random", "the random player", "pemain acak"), ("level:2", "level 2", "tingkat 2")]
    for spec, english, indonesian in house:
        assert [made.person(spec, each) for each in ("en", "id")] == [english, indonesian]
    for spec in ("mcts", "mcts:iterations=5", "level", "1 v9"):
        assert made.person(spec, "id") == spec
    assert made.person("1 v1", "id") == made.names()["1"]
    names = {each: ["Ani", made.person("level:1", each)] for each in ("en", "id")}
    (moment, *_) = review_game(made.games[0], "2 v1", 2, names).moments
    assert "ingkat 1" in moment.text["id"] and "evel 1" in moment.text["en"]


SAME = b"""
def choose(position):
    best = None
    for move in position.moves():  # look at all
        value = len(position.play(move).moves())
        if best is None or value > best[0]:
            best = (value, move)
    return best[1]
"""


def test_k6_look_alikes_are_shown_with_what_they_share(tmp_path: Path) -> None:
    renamed = SAME.replace(b"best", b"top").replace(b"move ", b"m ").replace(b"# look at all", b"")
    other = b"import random\ndef choose(position):\n    return random.choice(position.moves())\n"
    players = {
        f"{number} v1": keep_version(tmp_path, str(number), {"main.py": code})
        for number, code in enumerate((SAME, renamed, other), 1)
    }
    truth = ExactJudgement(HIDDEN, {name: ["a", "b"] * 5 for name in players})
    truth.answers["3 v1"] = ["d"] * 10
    [found] = likenesses(players, truth)
    assert (found.first, found.second, found.source) == ("1 v1", "2 v1", 1.0)
    assert (found.moves, found.asked, found.mistakes) == (1.0, 10, 5)
    truth.answers["3 v1"] = ["a", "b"] * 5
    assert len(likenesses(players, truth)) == 3
    truth.answers = dict.fromkeys(players, ["a"] * 10)  # all right: that is no sign of copying
    assert len(likenesses(players, truth)) == 1


def test_comments_layout_and_names_do_not_hide_a_copy() -> None:
    c = 'int f(int a) { /* x */ return a + 1; } // "y"\n'
    assert runs(c) == runs("int  g(int b)\n{ return b+2; }")
    assert runs(c) != runs("int g(int b) { return b*2; }")


def test_a_comment_or_text_without_its_end_is_one_token() -> None:
    """A look for the end from each of its 100,000 beginnings would take minutes."""
    assert list(tokens("a " + "/* " * 100_000)) == ["name"]
    assert list(tokens("'" + '"' * 5 + "\n'")) == ["text", "text"]
    assert list(tokens('"a\\" + 1\n')) == ["text"]
    assert list(tokens("\\" * 9)) == ["\\"] * 9


def test_of_an_endless_source_the_beginning_is_compared(tmp_path: Path) -> None:
    version = keep_version(tmp_path, "1", {"main.py": b"x = 1\n" * 1_000_000})
    assert len(version.source()) == LONGEST_SOURCE
    assert version.source().startswith("x = 1\n")


@pytest.mark.parametrize("place", ["report", "report/students", "report/lecturer"])
def test_pages_are_never_written_through_a_link(tmp_path: Path, place: str) -> None:
    elsewhere, made = tmp_path / "elsewhere", contest(tmp_path / "cup")
    elsewhere.mkdir()
    (made.folder / place).parent.mkdir(exist_ok=True)
    (made.folder / place).symlink_to(elsewhere)
    with pytest.raises(PapanError, match="link"):
        write_report(made, ExactJudgement())
    assert not list(elsewhere.iterdir())


def test_pages_show_everything_escaped(tmp_path: Path) -> None:
    made = contest(tmp_path)
    truth = ExactJudgement(HIDDEN[:4], {"1 v1": ["a"] * 4, "2 v1": ["b"] * 4})
    truth.reviews["2 v1"] = [review_game(made.games[0], "2 v1", seconds=2)]
    for language in ("en", "id"):
        made.plan = replace(made.plan, language=language)
        index = write_report(made, truth)
        pages = {path.name: path.read_text() for path in index.parent.rglob("*.html")}
        assert sorted(pages) == [
            "1.html",
            "2.html",
            "3.html",
            "alike.html",
            "index.html",
            "live.html",
        ]
        assert all("<script" not in text and "<img" not in text for text in pages.values())
        assert all("Cup &lt;b&gt;" in text for text in pages.values())
        assert all(f'<html lang="{language}">' in text for text in pages.values())
        assert "<svg" in pages["2.html"] and "b1? b2!" in pages["2.html"]
        assert "Traceback &lt;script&gt;" in pages["2.html"]
        assert "refresh" in pages["live.html"] and "refresh" not in pages["index.html"]
        assert "&lt;img src=x&gt;" in pages["index.html"]
    assert (index.parent / "lecturer" / "marks.csv").exists()


@pytest.mark.thorough
def test_bots_are_asked_about_hidden_positions_once(tmp_path: Path) -> None:
    made = contest(tmp_path)
    found = find_truth(made, unconfined=True)
    assert len(found.answers["1 v1"]) == len(found.hidden) > 0
    for player, pick in (("1 v1", 0), ("2 v1", -1)):
        want = [papan.position(each.position).move_names()[pick] for each in found.hidden]
        assert found.answers[player] == want
    assert {player: len(each) for player, each in found.reviews.items()} == {"1 v1": 1, "2 v1": 2}
    before = {path.name: path.read_bytes() for path in (tmp_path / "work").glob("*.json*")}
    again = find_truth(made, unconfined=True)
    assert (again.answers, again.hidden) == (found.answers, found.hidden)
    assert again.moments("2 v1") == found.moments("2 v1")
    assert {path.name: path.read_bytes() for path in (tmp_path / "work").glob("*.json*")} == before


def test_a_lost_game_is_reviewed_although_its_twin_was_and_the_judging_stopped_between(
    tmp_path: Path,
) -> None:
    made = contest(tmp_path)
    made.games = [game("1 v1", "2 v1", WIN, 0), game("2 v1", "1 v1", "a1 b1 a2 b2 c3 b3", 0)]
    made.plan = replace(made.plan, truth=TruthPlan(positions=0, games=2, seconds=2))

    def stop(progress: Progress) -> None:
        if progress.done == 3:  # two players are asked nothing, then the first review
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_truth(made, stop, unconfined=True)
    found = find_truth(made, unconfined=True)
    assert [(each.seat, each.moves) for each in found.reviews["2 v1"]] == [(1, 2), (0, 3)]


MOMENT = {
    "pair": 0,
    "ply": 1,
    "position": "tictactoe:3,3,3 x../.../... o",
    "move": "b1",
    "better": "b2",
    "line": ["a1"],
    "lost": 1.0,
    "proved": True,
    "changed": True,
    "text": {"en": "x"},
}
REVIEW = {"player": "2 v1", "pair": 0, "moves": 2, "judged": 2, "best": 1, "moments": [MOMENT]}


def kept(made: Contest, name: str, text: str) -> Contest:
    """The contest with a file among its work."""
    (made.folder / "work" / name).write_text(text, encoding="utf-8")
    return made


def test_a_review_that_was_kept_is_read(tmp_path: Path) -> None:
    truth = ExactJudgement()
    _read_reviews(kept(contest(tmp_path), "reviews.jsonl", f"{to_json(REVIEW)}\n"), truth)
    assert [(each.move, each.better) for each in truth.moments("2 v1")] == [("b1", "b2")]


@pytest.mark.parametrize(
    "facts",
    [
        [],
        {},
        {**REVIEW, "player": 1},
        {**REVIEW, "pair": "0"},
        {**REVIEW, "best": None},
        {**REVIEW, "moments": 3},
        {**REVIEW, "strange": 3},
        {**REVIEW, "seat": "0"},
        *(
            {**REVIEW, "moments": [{**MOMENT, key: value}]}
            for key, value in {
                "ply": "1",
                "position": "tictactoe:3,3,3 ????",
                "move": "a3 b3",
                "better": 5,
                "line": [1],
                "lost": "much",
                "proved": "yes",
                "text": {"en": 5},
                "lesson": None,
                "strange": 1,
            }.items()
        ),
        {**REVIEW, "moments": [{**MOMENT, "move": "a1"}]},
    ],
)
def test_a_damaged_or_forged_review_gets_one_sentence(tmp_path: Path, facts: object) -> None:
    made = kept(contest(tmp_path), "reviews.jsonl", f"{to_json(facts)}\n")
    with pytest.raises(PapanError, match=r"reviews\.jsonl"):
        _read_reviews(made, ExactJudgement())


def test_a_line_that_was_cut_short_does_not_spoil_the_next_one(tmp_path: Path) -> None:
    """A power cut left half a line, the next one was added to it, and no page was made again."""
    line = to_json(REVIEW)
    made = kept(contest(tmp_path), "reviews.jsonl", f"{line}\n{line[:50]}")
    _keep(made, "reviews.jsonl", REVIEW)
    truth = ExactJudgement()
    _read_reviews(made, truth)
    assert len(truth.reviews["2 v1"]) == 2
    assert (made.folder / "work" / "reviews.jsonl").read_text() == f"{line}\n{line}\n"


@pytest.mark.parametrize("line", ["{}", "[]", "3", '{"answers": 3}', "\x00", "[" * 9999])
def test_a_damaged_line_of_answers_gets_one_sentence(tmp_path: Path, line: str) -> None:
    made = kept(contest(tmp_path), "answers.jsonl", f"{line}\n")
    with pytest.raises(PapanError, match=r"answers\.jsonl"):
        _read_answers(made, ExactJudgement())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"terms": TERMS}',
        '{"terms": TERMS, "positions": [3]}',
        '{"terms": TERMS, "positions": [["p", {}]]}',
        '{"terms": TERMS, "positions": [["p", {"a": NaN}]]}',
        '{"terms": TERMS, "positions": [["p", {"a": "x"}]]}',
        '{"terms": TERMS, "positions": [["p", [1]]]}',
        "[" * 9999,
    ],
)
def test_damaged_hidden_positions_get_one_sentence(tmp_path: Path, text: str) -> None:
    made = contest(tmp_path)
    terms = to_json(_terms(made))
    with pytest.raises(PapanError, match=r"hidden\.json"):
        hidden_positions(kept(made, "hidden.json", text.replace("TERMS", terms)))


def test_y7_a_game_that_was_forfeited_is_not_reviewed(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.games = [game("1 v1", "2 v1", "a1", 0, blame=2), game("2 v1", "1 v1", "", 0, blame=1)]
    assert len(made.counted()) == 2
    assert _lost_games(made) == []


def test_y7_a_drawn_game_is_half_a_point(tmp_path: Path) -> None:
    made = contest(tmp_path)
    drawn = "a1 b1 c1 a2 b2 a3 c2 c3 b3"
    made.games = [game("1 v1", "2 v1", drawn, 0), game("2 v1", "1 v1", WIN, 0)]
    points = {each.student: (each.points, each.games) for each in standings_of(made)}
    assert points == {"1": (0.5, 2), "2": (1.5, 2)}


def test_y7_the_moments_that_are_shown_are_the_worst_ones() -> None:
    def moment(ply: int, lost: float, proved: bool, changed: bool) -> Moment:
        return Moment(0, ply, "", "", "", (), lost, proved, changed, {})

    found = [
        moment(1, 2, True, False),
        moment(2, 9, True, False),
        moment(3, 1, False, True),
        moment(4, 1, True, True),
        moment(5, 20, False, False),
        moment(6, 3, True, True),
    ]
    truth = ExactJudgement(reviews={"x": [GameReview("x", 0, 9, 9, 3, tuple(found))]})
    assert [each.ply for each in truth.moments("x")] == [6, 4, 3]
    truth.reviews["x"] = [GameReview("x", 0, 9, 9, 3, (found[0], found[1], found[4]))]
    assert [each.ply for each in truth.moments("x")] == [2, 1, 5]


def test_y7_the_games_that_are_reviewed_were_lost_to_each_rival_in_turn(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.games = [
        game(*names, WIN, pair)
        for pair, rival in enumerate(("1 v1", "1 v1", "random"))
        for names in ((rival, "2 v1"), ("2 v1", rival))
    ]
    assert [each.pair for player, each in _lost_games(made) if player == "2 v1"] == [0, 2]


def test_y7_positions_where_two_bots_fail_do_not_make_them_alike() -> None:
    answers = {"x": [None, "b", "a", None], "y": [None, "b", "c", "a"]}
    texts = {"x": frozenset({("x",)}), "y": frozenset({("y",)})}
    found = likeness("x", "y", texts, ExactJudgement(HIDDEN[:4], answers))
    assert (found.moves, found.asked, found.mistakes) == (0.25, 4, 1)


def test_y7_every_measure_of_a_student_is_what_its_name_says(tmp_path: Path) -> None:
    made = contest(tmp_path)
    drawn = "a1 b1 c1 a2 b2 a3 c2 c3 b3"
    made.games[2] = game("1 v1", "random", drawn, 1)
    truth = ExactJudgement(HIDDEN[:4], {"1 v1": ["a", "c", None, "a"], "2 v1": ["a"] * 4})
    first, second, _ = marks_of(made, truth, "en")
    assert first.measures == {
        "rank": 1,
        "students": 2,
        "score": 2.5 / 4,
        "house": 1.5 / 2,
        "accuracy": 0.5,
        "hidden": 4,
        "regret": (0 + 1 + 2 + 0) / 4,
        "forfeits": 0,
        "vs_random": 0.75,
        "points": 50 * 0.75 + 50 * 0.5,
    }
    assert (second.measures["rank"], second.measures["house"], second.measures["accuracy"]) == (
        2,
        0,
        1,
    )
    assert (first.student, first.name, first.remark) == ("1", "Ani", "")
    unasked, _, _ = marks_of(made, ExactJudgement(), "en")
    assert [unasked.measures[key] for key in ("hidden", "regret", "accuracy")] == [0, 0, 0]


def test_y7_the_first_grade_that_applies_is_given(tmp_path: Path) -> None:
    made = contest(tmp_path)
    grades = (Grade("A", "rank < 1"), Grade("B", "rank <= 2"), Grade("C", "1"))
    made.plan = replace(made.plan, marks=MarksPlan("score", grades))
    assert [each.grade for each in marks_of(made, ExactJudgement(), "en")] == ["B", "B", ""]


def test_y7_every_column_of_the_marks_has_its_own_value(tmp_path: Path) -> None:
    made = contest(tmp_path)
    truth = ExactJudgement(HIDDEN[:4], {"2 v1": ["a", "b", "c", None]})
    truth.reviews["2 v1"] = [GameReview("2 v1", 0, 9, 7, 5), GameReview("2 v1", 2, 4, 3, 1)]
    row = list(csv.DictReader(io.StringIO(marks_csv(made, truth, "en"))))[1]
    rating = made.ladder().rating("2 v1")
    assert rating is not None
    elo = {"elo": rating.value, "elo_low": rating.low, "elo_high": rating.high}
    assert {key: row[key] for key in elo} == {key: str(round(elo[key], 1)) for key in elo}
    want = {"number": "2", "version": "1", "games": "4", "rank": "2.0", "students": "2.0"}
    want |= {"own_moves": "13", "own_judged": "10", "own_best": "6", "score": "0.25"}
    want |= {
        "accuracy": "0.25",
        "hidden": "4.0",
        "regret": "1.25",
        "forfeits": "1.0",
        "house": "0.0",
    }
    assert {key: row[key] for key in want} == want
    assert float(row["cpu_seconds"]) == 0.015 and row["memory_mb"] == "12.5"
    assert (row["grade"], row["remark"]) == ("B", "")


@pytest.mark.parametrize(
    ("asked", "same", "wrong", "alike"),
    [(10, 9, 1, True), (10, 8, 1, False), (9, 9, 1, False), (20, 18, 18, True), (10, 10, 0, False)],
)
def test_y7_bots_are_alike_that_answer_nine_of_ten_positions_alike(
    tmp_path: Path, asked: int, same: int, wrong: int, alike: bool
) -> None:
    sources = (b"a = 1\n" * 9, b"def f(): return {}\n" * 9)
    players = {
        f"{number} v1": keep_version(tmp_path, number, {"main.py": code})
        for number, code in zip("12", sources)
    }
    first = ["d"] * wrong + ["a"] * (asked - wrong)
    second = [*first[:same], *["b" if each != "b" else "a" for each in first[same:]]]
    hidden = [HIDDEN[0]] * asked
    truth = ExactJudgement(hidden, {"1 v1": list(first), "2 v1": list(second)})
    found = likenesses(players, truth)
    assert bool(found) is alike
    if found:
        assert (found[0].moves, found[0].asked) == (same / asked, asked)
        assert found[0].mistakes == wrong and found[0].source < 0.1


def test_y7_the_pairs_that_are_most_alike_come_first(tmp_path: Path) -> None:
    codes = {"1": SAME, "2": SAME, "3": SAME + b"x = 1\ny = x\n" * 3}
    players = {f"{n} v1": keep_version(tmp_path, n, {"main.py": codes[n]}) for n in codes}
    found = likenesses(players, ExactJudgement())
    names = [(each.first[0], each.second[0]) for each in found]
    assert names == [("1", "2"), ("1", "3"), ("2", "3")]
    assert found[0].source == 1.0 > found[1].source == found[2].source >= 0.6


def cells(page: str) -> list[list[str]]:
    """The text of the cells of each row of a page's tables."""
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    return [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows]


def test_y7_the_cross_table_has_the_points_of_each_against_each(tmp_path: Path) -> None:
    rows = cells(cross_table_html(contest(tmp_path), "en"))[1:]
    assert rows == [["1. 1 v1", "", "1/2", "2/2"], ["2. 2 v1", "1/2", "", "0/2"]]


def test_y7_the_page_of_a_student_has_its_measures_games_and_versions(tmp_path: Path) -> None:
    made = contest(tmp_path)
    keep_version(tmp_path, "2", {"main.py": FIRST + b"# more"})
    truth = ExactJudgement(HIDDEN[:4], {"2 v1": ["a", "b", "b", "b"]})
    _, mark, aside = marks_of(made, truth, "en")
    rows = cells(student_page(made, truth, mark))
    values = [row[1] for row in rows if len(row) == 2]
    assert values[:5] == ["2 / 2", "25%", "0%", "25%", "0%"]  # rank, score, house, accuracy, random
    assert values[5:8] == ["0 / 0", "0 / 0", "1 / 4"]  # easy, medium and hard positions
    assert values[8] == "1.50"  # points given away in each of four positions
    games = [row for row in rows if len(row) == 4]
    assert [row[:2] for row in games] == [
        ["1 v1", "2"],
        ["1 v1", "1"],
        ["random", "1"],
        ["random", "2"],
    ]
    ends = [f"{text_of('contest.result_-1', 'en')} (", f"{text_of('contest.result_1', 'en')} ("]
    assert [row[2].startswith(ends[place]) for row, place in zip(games, (0, 1, 0, 0))] == [True] * 4
    assert [row[1:] for row in rows if row and row[0] in ("2 v1", "2 v2")] == [
        ["py", "1/5"],
        ["py", "0/0"],
    ]
    assert "Handed in after the deadline" in student_page(made, truth, aside)


def test_y7_the_page_of_a_bot_that_is_set_aside_has_its_board_and_output(tmp_path: Path) -> None:
    made = contest(tmp_path)
    place = "tictactoe:3,3,3 x../.../... o"
    made.checks["2", 1] = Check("2", 1, PapanError("contest.empty"), place, "printed <this>")
    mark = marks_of(made, ExactJudgement(), "en")[1]
    page = student_page(made, ExactJudgement(), mark)
    assert place in page and "<svg" in page and "printed &lt;this&gt;" in page
    made.checks["2", 1] = Check("2", 1, PapanError("contest.empty"))
    page = student_page(made, ExactJudgement(), mark)
    assert "<svg" not in page and "<pre>" not in page


def test_tokens_are_signs_words_of_the_languages_and_kinds() -> None:
    source = "static int x1 = 'a' + 1.5e3; // c\nreturn /* d */ _y['b'] # e"
    first = ["static", "int", "name", "=", "text", "+", "number", ";"]
    assert list(tokens(source)) == [*first, "return", "name", "[", "text", "]"]


def test_runs_have_seven_tokens() -> None:
    assert runs("") == {()}
    assert runs("a b c") == {("name",) * 3}
    assert runs("( 1 2 3 4 5 )") == {("(", *["number"] * 5, ")")}
    eight = ("(", *["number"] * 6, ")")
    assert runs("( 1 2 3 4 5 6 )") == {eight[:7], eight[1:]}


def test_equally_alike_pairs_come_by_name_after_those_that_are_more_alike(tmp_path: Path) -> None:
    codes = {"3": SAME, "1": SAME + b"x = 1\ny = x\n" * 3, "2": SAME}
    players = {f"{n} v1": keep_version(tmp_path, n, {"main.py": codes[n]}) for n in codes}
    found = likenesses(players, ExactJudgement())
    assert [(each.first, each.second) for each in found] == [
        ("2 v1", "3 v1"),
        ("1 v1", "2 v1"),
        ("1 v1", "3 v1"),
    ]


def test_what_is_kept_has_answers_and_reviews_of_the_present_plan(tmp_path: Path) -> None:
    made = contest(tmp_path)
    hidden = hidden_positions(made)
    assert kept_truth(made) == ExactJudgement(hidden)
    _keep(made, "reviews.jsonl", REVIEW)
    stale, now = "of another plan", _terms(made)
    for player, terms, answers in (
        ("1 v1", now, ["a1", None]),
        ("2 v1", now, ["a2"]),
        ("1 v1", stale, ["b1"]),
        ("2 v1", now, ["c3"]),
        ("3 v1", stale, ["b2"]),
    ):
        _keep(made, "answers.jsonl", {"player": player, "terms": terms, "answers": answers})
    kept_now = kept_truth(made)
    assert kept_now is not None and kept_now.hidden == hidden
    assert kept_now.answers == {"1 v1": ["a1", None], "2 v1": ["c3"]}
    [review] = kept_now.reviews["2 v1"]
    assert (review.moves, review.judged, review.best, review.seat) == (2, 2, 1, None)
    assert review.moments == (
        Moment(0, 1, str(MOMENT["position"]), "b1", "b2", ("a1",), 1.0, True, True, {"en": "x"}),
    )


def test_the_work_of_a_contest_is_private_from_its_first_file_on(tmp_path: Path) -> None:
    plan = ContestPlan("Cup", "tictactoe", truth=TruthPlan(positions=0))
    for name, act in (("one", hidden_positions), ("two", lambda made: _keep(made, "x", {}))):
        act(Contest(tmp_path / name, plan, []))
        assert (tmp_path / name / "work").stat().st_mode & 0o777 == 0o700
        [file] = (tmp_path / name / "work").iterdir()
        assert file.stat().st_mode & 0o777 == 0o600


class Fake:
    """A bot without a process, which a test asks in its place."""

    def __init__(self, spec: str) -> None:
        self.spec = spec

    def __enter__(self) -> "Fake":
        return self

    def __exit__(self, *raised: object) -> None: ...


def test_every_bot_is_asked_and_every_lost_game_reviewed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, asked = contest(tmp_path), list[str]()

    def ask(agent: Fake, position: Position, limit: Limit) -> int:
        assert limit == made.plan.limit
        asked.append(agent.spec)
        if len(asked) == 2:
            raise Forfeit("crash", PapanError("contest.empty"))
        return position.moves()[-1]

    def review(record: Record, seconds: float) -> None:
        assert seconds == made.plan.truth.seconds
        raise PapanError("contest.empty")

    monkeypatch.setattr("papan.contest.truth.catalog.external_agent", Fake)
    monkeypatch.setattr(truths, "ask_move", ask)
    monkeypatch.setattr("papan.contest.truth.api.review", review)
    made.plan = replace(made.plan, ladder=LadderPlan(at_a_time=1))
    reported = list[tuple[float, float, object]]()

    def note(progress: Progress) -> None:
        reported.append((progress.done, progress.total, progress.label))

    found = find_truth(made, note, unconfined=True)
    lasts = [papan.position(each.position).move_names()[-1] for each in found.hidden]
    assert found.answers == {"1 v1": [lasts[0], None, *lasts[2:]], "2 v1": lasts}
    specs = [made.players[each].spec(made.plan, unconfined=True) for each in ("1 v1", "2 v1")]
    assert asked == [specs[0]] * 4 + [specs[1]] * 4
    lost = ["1 v1", "2 v1", "2 v1"]
    assert reported == [(n, 5, each) for n, each in enumerate(("1 v1", "2 v1", *lost), 1)]
    unread = {"1 v1": [(0, 1)], "2 v1": [(0, 1), (2, 1)]}
    assert {
        player: [(each.pair, each.seat) for each in reviews]
        for player, reviews in found.reviews.items()
    } == unread
    assert {each.moves for reviews in found.reviews.values() for each in reviews} == {0}
    reported.clear()
    assert find_truth(made, note) == found == kept_truth(made)
    assert reported == [] and len(asked) == 8
    made.newest["3"] = keep_version(tmp_path, "3", {"main.py": FIRST})
    made.checks["3", 1] = Check("3", 1)
    del made.refused["3"]
    find_truth(made, note)
    assert reported == [(1, 1, "3 v1")] and set(asked[8:]) == {made.players["3 v1"].spec(made.plan)}


@pytest.mark.parametrize(("sure", "proved"), [("estimate", False), ("proved", True)])
@pytest.mark.parametrize(("kind", "changed"), [("changed", True), ("points", False)])
def test_a_review_keeps_the_mistakes_of_one_player_in_words(
    monkeypatch: pytest.MonkeyPatch, sure: str, proved: bool, kind: str, changed: bool
) -> None:
    place, played = papan.position("connect4"), game("1 v1", "2 v1", WIN, 7)

    def verdict(seat: int, better: tuple[int, ...]) -> SimpleNamespace:
        return SimpleNamespace(
            seat=seat,
            ply=3 + seat,
            position=place,
            name="4",
            better=better,
            refutation=(0, 1, 2, 3, 4, 5, 6) * 2,
            lost=2,
            sure=sure,
            kind=kind,
            lesson="lesson.key",
            text=lambda language, names: f"{language} {names[seat]} {names[1 - seat]}",
        )

    review = SimpleNamespace(
        counts=lambda seat: {"moves": 9 + seat, "judged": 7 + seat, "best": 5 + seat},
        mistakes=[verdict(0, (2, 3)), verdict(1, (2, 3)), verdict(1, ())],
    )
    monkeypatch.setattr("papan.contest.truth.api.review", lambda record, seconds: review)
    found = review_game(played, "2 v1", 2, {"en": ["A", "B"], "id": ["C", "D"]})
    line = ("1", "2", "3", "4", "5", "6", "7", "1", "2", "3", "4", "5")  # twelve of fourteen
    texts = {"en": "en B A", "id": "id D C"}
    first, second = (
        Moment(7, 4, str(place), "4", better, line, 2.0, proved, changed, texts, "lesson.key")
        for better in ("3", "")
    )
    assert found == GameReview("2 v1", 7, 10, 8, 6, (first, second), 1)
    (named,) = review_game(played, "1 v1", 2).moments
    assert named.text == {"en": "en 1 v1 2 v1", "id": "id 1 v1 2 v1"}
    assert review_game(played, "1 v1", 2).seat == 0
    with pytest.raises(ValueError, match="not in tuple"):
        review_game(played, "3 v1", 2)
