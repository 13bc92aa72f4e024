"""The pages of a contest, word by word."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from papan import catalog
from papan.contest import pages
from papan.contest.folder import Contest
from papan.contest.marks import marks_csv, marks_of
from papan.contest.pages import (
    Html,
    alike_page,
    index_page,
    standings_table,
    student_page,
    table,
    whole_page,
    write_live,
    write_page,
)
from papan.contest.plan import LadderPlan
from papan.contest.submissions import keep_version
from papan.contest.truth import ExactJudgement, GameReview, Moment
from papan.core import PapanError
from papan.core.drawing import View
from papan.core.parts import Drawing
from tests.contest.test_marks import FIRST, HIDDEN, SAME, contest, game

PLACE = "tictactoe:3,3,3 x../.../... o"
REASONS = {"en": "Because <so>.", "id": "Sebab <itu>."}
LOST = Moment(0, 1, PLACE, "b1", "b2", ("a2", "c1"), 2.0, True, True, REASONS, "lesson.yes")


def judged(tmp_path: Path) -> tuple[Contest, ExactJudgement]:
    """Three students, the third without a bot; the second has two versions and a lost moment."""
    made = contest(tmp_path)
    made.plan = replace(made.plan, title="Cup", ladder=LadderPlan(at_a_time=2))
    keep_version(tmp_path, "2", {"main.py": FIRST + b"# more"})
    answers: dict[str, list[str | None]] = {
        "1 v1": ["a", "b", "c", "a"],
        "2 v1": ["a", "b", "b", "b"],
    }
    review = GameReview("2 v1", 0, 9, 7, 5, (LOST,), 0)
    return made, ExactJudgement(HIDDEN[:4], answers, {"2 v1": [review]})


def lines(page: str) -> list[str]:
    """What a reader sees of a page, line by line, the cells of a row between bars."""
    body = re.sub(r"<svg.*?</svg>", "[board]", page.partition("<body>")[2], flags=re.DOTALL)
    body = re.sub(r"</t[dh]><t[dh][^>]*>", " | ", body)
    ends = r"</?(?:tr|p|h1|h2|table|thead|tbody|pre|figcaption|br)\b[^>]*>"
    text = unescape(re.sub(r"<[^>]*>", "", re.sub(ends, "\n", body)))
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


SECOND = """
Cup: 2 =SUM(A1)
measure | value
place | 2 / 2
points in all games | 25%
points against the house bots | 0%
best moves on hidden positions | 25%
points against random | 0%
easy hidden positions (every second move is best) | 0 / 0
medium hidden positions (every fourth) | 0 / 0
hard hidden positions (fewer than every fourth) | 1 / 4
points lost a move on hidden positions | 1.50
moves in games that were lost | 9, 7 judged, 5 best
processor seconds a move (median) | 0.0150
memory in MB, the most in one game | 12
forfeits | 1
points | 12.5
grade | B
Hidden positions have values that are proved: a best move loses nothing against perfect play.
Lost moments
The costliest mistakes of your bot in games that it lost: ? is what it played, ! what was better.
[board]
b1? b2! Because <so>. It goes on: a2 c1. In the lesson: “yes” Proved.
papan analyse "tictactoe:3,3,3 x../.../... o"
Games lost by a fault of the program
boom <script>
Traceback <script>alert(1)</script>
All games
rival | seat | result | start : moves
1 v1 | 2 | lost (win) | tictactoe:3,3,3 .../.../... x : a1 b1 a2 b2 a3
1 v1 | 1 | won (win) | tictactoe:3,3,3 .../.../... x : a1 b1 a2 b2 a3
random | 1 | lost (crash) | tictactoe:3,3,3 .../.../... x : b2
random | 2 | lost (win) | tictactoe:3,3,3 .../.../... x : a1 b1 a2 b2 a3
Versions
version | language | points
2 v1 | py | 1/5
2 v2 | py | 0/0
"""
"""The fifth game of the first version is half a pair, which counts for no other number."""


def test_the_page_of_a_student_word_by_word(tmp_path: Path) -> None:
    made, truth = judged(tmp_path)
    first, second, third = marks_of(made, truth, "en")
    assert lines(student_page(made, truth, second)) == SECOND.strip().splitlines()
    best = lines(student_page(made, truth, first))
    assert "Lost moments" not in best and "Games lost by a fault of the program" not in best
    assert lines(student_page(made, truth, third)) == [
        "Cup: 3 <img src=x>",
        "Handed in after the deadline (x).",
    ]


def test_a_moment_that_is_guessed_and_has_no_line_says_so(tmp_path: Path) -> None:
    made, truth = judged(tmp_path)
    made.plan = replace(made.plan, language="id")
    moment = replace(LOST, proved=False, line=(), lesson="")
    truth.reviews["2 v1"] = [GameReview("2 v1", 0, 9, 7, 5, (moment,), 0)]
    page = lines(student_page(made, truth, marks_of(made, truth, "id")[1]))
    assert (
        page[page.index("[board]") + 1] == "b1? b2! Sebab <itu>. Tidak terbukti: perkiraan mesin."
    )


INDEX = """
Cup
tictactoe, 6 games.
# | number | name | Elo | points | forfeits | CPU s a move | memory (MB)
1 | 1 | Ani | +131 ± 267 | 3/4 | 0 | 0.0150 | 12
2 | 2 | =SUM(A1) | \N{MINUS SIGN}131 ± 267 | 1/4 | crash 1 | 0.0150 | 12
Elo by Bradley-Terry with 95 % intervals, relative to the mean of all, house bots among them. \
Where intervals overlap, the order may be chance.
Who scored against whom
number | 1 | 2 | random
1. 1 v1 | | 1/2 | 2/2
2. 2 v1 | 1/2 | | 0/2
Set aside
number | name | remark
3 | <img src=x> | Handed in after the deadline (x).
"""
"""Elo 131 ahead of the mean scores 2 * 0.68 of 2 and 2 * 0.82 of 2 games: 3 points."""


def test_the_first_page_word_by_word(tmp_path: Path) -> None:
    made, truth = judged(tmp_path)
    marks = marks_of(made, truth, "en")
    assert lines(index_page(made, marks)) == INDEX.strip().splitlines()
    assert lines(index_page(made, marks[:2])) == INDEX.strip().splitlines()[:-3]


def test_the_page_for_the_projector_word_by_word(tmp_path: Path) -> None:
    made, _ = judged(tmp_path)
    page = write_live(made)
    text = page.read_text(encoding="utf-8")
    assert page == tmp_path / "report" / "live.html"
    table_lines = INDEX.strip().splitlines()[2:5]
    assert lines(text) == ["Cup", "7 games; 29.9 min left.", *table_lines]
    assert '<meta http-equiv="refresh" content="10">' in text
    assert page.stat().st_mode & 0o777 == 0o644  # so are copies of it, on a web server
    assert page.parent.stat().st_mode & 0o777 == 0o700


def test_numbers_of_the_standings_are_right_aligned(tmp_path: Path) -> None:
    made, _ = judged(tmp_path)
    row = standings_table(made, "en").partition("<tbody>")[2].partition("</tr>")[0]
    sides = re.findall(r"<td(.*?)>", row)
    assert [bool(side) for side in sides] == [True, False, False, True, True, False, True, True]


def test_a_moment_shows_on_its_board_what_was_played_and_what_was_better(tmp_path: Path) -> None:
    made, truth = judged(tmp_path)
    page = student_page(made, truth, marks_of(made, truth, "en")[1])
    position = catalog.position(PLACE)
    played, better = position.legal_move("b1"), position.legal_move("b2")
    view = View(highlights=(better,), labels={played: "?", better: "!"})
    assert Drawing.of(position).svg(view) in page


MARKS = """\
number,name,version,elo,elo_low,elo_high,games,cpu_seconds,memory_mb,points,rank,students,score,\
house,accuracy,hidden,regret,forfeits,vs_random,own_moves,own_judged,own_best,grade,remark
1,Ani,1,131.4,-135.6,398.4,4,0.015,12.5,75.0,1.0,2.0,0.75,\
1.0,0.5,4.0,0.75,0.0,1.0,0,0,0,A,
2,'=SUM(A1),1,-131.4,-398.4,135.6,4,0.015,12.5,12.5,2.0,2.0,0.25,\
0.0,0.25,4.0,1.5,1.0,0.0,9,7,5,B,
3,<img src=x>,,,,,,,,,,,,,,,,,,,,,,Handed in after the deadline (x).
"""


def test_the_marks_letter_by_letter(tmp_path: Path) -> None:
    assert marks_csv(*judged(tmp_path), "en") == MARKS


def test_bots_without_games_have_no_elo_in_the_marks(tmp_path: Path) -> None:
    made, truth = judged(tmp_path)
    made.games = []
    _, first, *_ = marks_csv(made, truth, "en").splitlines()
    assert first.startswith("1,Ani,1,,,,0,0.0,,25.0,1.0,2.0,0.0,0.0,0.5,")


def test_marks_are_rounded_to_what_can_be_read(tmp_path: Path) -> None:
    made, truth = judged(tmp_path)
    games = [replace(each, processor=((0.0123456,), (0.0123456,))) for each in made.games[:2]]
    made.games = [replace(each, memory=(1_300_000, 1_300_000)) for each in games]
    truth.answers["1 v1"] = ["a", "b", "c"]
    row = marks_csv(made, truth, "en").splitlines()[1].split(",")
    assert row[6:9] == ["2", "0.01235", "1.2"] and row[14:17] == ["0.3333", "3.0", "1.0"]


def test_look_alikes_are_side_by_side_the_most_alike_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, truth = judged(tmp_path)
    assert lines(alike_page(made, truth))[-1] == "No two bots look alike."
    for number, code in (("1", SAME), ("2", SAME + b"x = '<i>'\n")):
        version = keep_version(tmp_path, number, {"main.py": code})
        made.newest[number] = version
        made.checks[number, version.number] = replace(
            made.checks[number, 1], version=version.number
        )
    first, second = (made.players[each].player for each in made.players)
    truth.answers = {first: ["b", "b", "a", "a"], second: ["b", "c", "a", None]}
    page = alike_page(made, truth)
    title, _, heading, words, *sources = lines(page)
    assert (title, heading) == ("Cup: look-alikes", f"{first} · {second}")
    assert words == (  # 51 of 54 runs of seven tokens are the same; b is a wrong answer
        "Same source, names and comments left out: 94%. "
        "Same answers to 4 hidden positions: 50%, 1 of them the same mistake."
    )
    assert sources.count("best = None") == 2 and "x = '<i>'" in sources
    monkeypatch.setattr(pages, "MOST_ALIKE", 0)
    assert lines(alike_page(made, truth))[-1] == "No two bots look alike."


def test_three_games_that_were_forfeited_are_shown(tmp_path: Path) -> None:
    made, truth = judged(tmp_path)
    crashed = [game("2 v1", "random", "b2", pair, blame=1) for pair in (4, 4, 5, 5)]
    for number, each in enumerate(crashed):
        record = replace(each.record, reason=f"reason {number}", output=f"out {number}" * number)
        made.games.append(replace(each, record=record))
    page = lines(student_page(made, truth, marks_of(made, truth, "en")[1]))
    begin = page.index("Games lost by a fault of the program")
    want = ["boom <script>", "Traceback <script>alert(1)</script>", "reason 0", "reason 1", "out 1"]
    assert page[begin + 1 : page.index("All games")] == want


def test_a_table_escapes_all_but_html() -> None:
    rows: Sequence[Sequence[str]] = [("a<b", Html("<i>1</i>")), ("&", "2")]
    assert table(("x", "<y>"), rows, (1,)) == (
        "<table><thead><tr><th>x</th><th>&lt;y&gt;</th></tr></thead><tbody>"
        '<tr><td>a&lt;b</td><td class="n"><i>1</i></td></tr>'
        '<tr><td>&amp;</td><td class="n">2</td></tr></tbody></table>'
    )


def test_a_page_runs_no_scripts_and_is_read_again_only_if_it_says_so() -> None:
    page = whole_page("a < b", "<p>c</p>", "id")
    assert page.startswith('<!doctype html>\n<html lang="id"><head><meta charset="utf-8">')
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in page
    assert "<title>a &lt; b</title>" in page and "refresh" not in page
    assert page.endswith("<body><h1>a &lt; b</h1>\n<p>c</p>\n</body></html>\n")
    assert 'http-equiv="refresh" content="7">' in whole_page("a", "", "en", 7)


def test_a_page_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    made = contest(tmp_path)
    (tmp_path / "report").write_text("no folder")
    with pytest.raises(PapanError, match=r"report/index\.html"):
        write_page(made, "index.html", "x")
