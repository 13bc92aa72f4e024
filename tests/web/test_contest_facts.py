"""What pages show of a contest: each field, for its owner and for a student."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from papan.contest.checks import Check
from papan.contest.folder import Contest
from papan.contest.plan import LadderPlan
from papan.contest.standings import StudentPlace, standings_of
from papan.contest.submissions import Version, keep_version
from papan.contest.truth import ExactJudgement, GameReview, Moment
from papan.core import PapanError
from papan.core.message import Message
from papan.web.contest_facts import (
    NO_TIME,
    SHOWN_GAMES,
    board_of,
    contest_facts,
    contest_page,
    game_facts,
    hand_in_page,
    is_over,
    ladder_page,
    marks_page,
    submission_facts,
    time_over,
    version_facts,
)
from papan.web.contests import CheckQueue, FollowedContest, HandedIn
from papan.web.jobs import BackgroundJob
from papan.web.links import SecretLinks
from papan.web.settings import ServerSettings
from tests.contest.test_marks import FIRST, HIDDEN, WIN, contest, game

JOB = BackgroundJob("class", "abc", {}, "2026-01-02T03:04:05Z", "done")


class Followed:
    """A contest that is not on a disk."""

    def __init__(self, made: Contest, truth: ExactJudgement | None = None) -> None:
        self.folder, self._made, self._truth = made.folder, made, truth

    def look(self) -> Contest:
        return self._made

    def standings(self) -> list[StudentPlace]:
        return standings_of(self._made)

    def truth(self) -> ExactJudgement | None:
        return self._truth


def followed(made: Contest, truth: ExactJudgement | None = None) -> FollowedContest:
    return cast(FollowedContest, Followed(made, truth))


class Checks:
    """Checks of which one runs, or one has failed."""

    def __init__(self, runs: bool = False, failed: Message | None = None) -> None:
        self.runs, self.failed = runs, failed

    def running(self, folder: Path, student: str) -> bool:
        return self.runs

    def failure(self, folder: Path, version: Version) -> Message | None:
        return self.failed


def checks(*state: Any) -> CheckQueue:
    return cast(CheckQueue, Checks(*state))


def test_y7_the_entry_of_a_contest_has_its_numbers(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.plan = replace(
        made.plan, ladder=LadderPlan(minutes=30, at_a_time=1), deadline="2030-01-01"
    )
    facts = contest_facts(replace(JOB, state="running"), followed(made))
    assert facts.model_dump() == {
        "id": "abc",
        "state": "running",
        "why": None,
        "made": "2026-01-02T03:04:05Z",
        "folder": str(tmp_path),
        "title": "Cup <b>",
        "game": "tictactoe:3,3,3",
        "deadline": "2030-01-01",
        "students": 3,
        "playing": 2,
        "games": 7,
        "minutes_left": (1800 - 7) / 60,
        "time_over": False,
    }


def test_y7_a_contest_whose_file_is_invalid_says_which_and_shows_nothing_else(
    tmp_path: Path,
) -> None:
    def broken() -> Contest:
        raise PapanError("contest.empty")

    source = Followed(contest(tmp_path))
    source.look = broken  # type: ignore[method-assign]
    page = ladder_page(JOB, cast(FollowedContest, source))
    assert page.why == Message("contest.empty", {})
    assert (page.title, page.students, page.standings, page.folder) == ("", 0, [], str(tmp_path))


def test_a_contest_without_a_title_is_shown_all_the_same(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.plan = replace(made.plan, title="")
    page = contest_page(JOB, followed(made), checks(), None)
    assert (page.title, len(page.people), len(page.standings)) == ("", 3, 2)
    assert ladder_page(JOB, followed(made)).standings == page.standings


@pytest.mark.parametrize(
    ("state", "left", "over"),
    [
        ("done", 0.0, True),
        ("done", NO_TIME - 1, True),
        ("done", NO_TIME, False),
        ("paused", 0, False),
    ],
)
def test_y7_time_is_over_where_a_contest_is_done_and_has_none_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: Any, left: float, over: bool
) -> None:
    made = contest(tmp_path)
    monkeypatch.setattr(Contest, "seconds_left", lambda self: left)
    assert time_over(replace(JOB, state=state), made) is over


def test_y7_the_owner_sees_students_standings_and_who_scored_against_whom(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.strange = [f"{n}.txt" for n in range(101)]
    truth = ExactJudgement(HIDDEN[:4], {"2 v1": ["a"] * 4})
    page = contest_page(JOB, followed(made, truth), checks(), Message("sandbox.none", {}))
    assert [each.number for each in page.people] == ["1", "2", "3"]
    assert [each.submission.state for each in page.people] == ["plays", "plays", "aside"]
    assert [(each.rank, each.player, each.points, each.games) for each in page.standings] == [
        (1, "1 v1", 3, 4),
        (2, "2 v1", 1, 4),
    ]
    assert page.standings[1].forfeits == {"crash": 1} and page.standings[0].elo is not None
    assert page.cross == [[None, (1, 0, 1), (2, 0, 0)], [(1, 0, 1), None, (0, 0, 2)]]
    assert (page.house, len(page.strange), page.judged) == (["random"], 100, True)
    assert page.sandbox == Message("sandbox.none", {})
    assert not contest_page(JOB, followed(made, ExactJudgement(HIDDEN)), checks(), None).judged
    assert not contest_page(JOB, followed(made), checks(), None).judged


def test_y7_a_submission_is_nothing_checked_played_or_set_aside(tmp_path: Path) -> None:
    made = contest(tmp_path)

    def state(number: str, *of: Any) -> tuple[object, ...]:
        facts = submission_facts(made, number, checks(*of))
        return facts.state, facts.version, facts.why.key if facts.why else None

    assert state("1") == ("plays", 1, None)
    assert state("3") == ("aside", None, "contest.late")
    assert state("4") == ("nothing", None, None)
    del made.checks["1", 1]
    failed = Message("process.crashed", {})
    assert state("1") == ("checking", 1, None)
    assert state("1", False, failed) == ("aside", 1, "process.crashed")
    assert state("1", True, failed) == ("checking", 1, None)  # again
    made.checks["1", 1] = Check("1", 1, PapanError("contest.empty"))
    assert state("1", True) == ("aside", 1, "contest.empty")


def test_y7_a_submission_shows_its_check_and_the_version_that_plays_instead(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.checks["1", 1] = Check("1", 1, seconds=0.25, memory=5 << 20)
    fine = submission_facts(made, "1", checks())
    assert (fine.seconds, fine.memory, fine.language, fine.plays_on) == (0.25, 5 << 20, "py", None)
    assert (fine.board, fine.output, fine.position) == ("", "", "")
    newer = keep_version(tmp_path, "1", {"main.js": b"//"})
    made.earlier["1"], made.newest["1"] = made.newest["1"], newer
    place = "tictactoe:3,3,3 x../.../... o"
    made.checks["1", 2] = Check("1", 2, PapanError("contest.empty"), place, "boom", 0.5, 7)
    broken = submission_facts(made, "1", checks())
    assert (broken.state, broken.version, broken.plays_on, broken.language) == ("aside", 2, 1, "js")
    assert (broken.seconds, broken.memory, broken.output) == (None, 7, "boom")
    assert broken.position == place and broken.board.startswith("<svg")


def test_y7_versions_have_the_points_of_all_their_games_the_newest_first(tmp_path: Path) -> None:
    made = contest(tmp_path)
    keep_version(tmp_path, "1", {"main.py": FIRST + b"#"})
    drawn = "a1 b1 c1 a2 b2 a3 c2 c3 b3"
    made.games += [game("1 v2", "random", drawn, 9), game("11 v1", "random", WIN, 10)]
    found = [(each.number, each.points, each.games) for each in version_facts(made, "1")]
    assert found == [(2, 0.5, 1), (1, 4.0, 5)]
    assert version_facts(made, "9") == []


def test_y7_games_are_listed_with_names_of_students_and_house_bots(tmp_path: Path) -> None:
    made = contest(tmp_path)
    facts = game_facts(made, 3, made.games[3])
    assert facts.number == 3 and facts.players == ["random", "Ani v1"]
    assert (facts.winner, facts.end, facts.moves) == (1, "crash", "a1 b1")
    assert facts.spec == "tictactoe:3,3,3" and facts.start.startswith("tictactoe:3,3,3 ")


def judged() -> ExactJudgement:
    place = "tictactoe:3,3,3 x../.../... o"
    moment = Moment(0, 1, place, "b1", "b2", ("a1", "c3"), 1, True, True, {"en": "x"}, "lesson.x")
    truth = ExactJudgement(HIDDEN[:4], {"2 v1": ["a"] * 4})
    truth.reviews["2 v1"] = [GameReview("2 v1", 0, 9, 9, 3, (moment,))]
    return truth


def test_y7_a_student_sees_own_games_place_and_mistakes(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.plan = replace(made.plan, submissions_a_day=3)
    link = HandedIn(JOB, followed(made, judged()), "2")
    page = hand_in_page(link, checks(), ServerSettings(data=tmp_path, upload=77))
    assert (page.number, page.name, page.title) == ("2", "=SUM(A1)", "Cup <b>")
    assert (page.left_today, page.most_bytes, page.over, page.deadline) == (2, 77, False, "")
    assert (page.seconds, page.memory, page.students) == (0.1, 512, 2)
    assert page.place is not None and page.place.rank == 2
    assert {".py", ".zip"} <= set(page.suffixes)
    assert [(each.number, each.seat, each.result) for each in page.games] == [
        (6, 1, -1),
        (5, 1, -1),
        (4, 0, -1),
        (1, 0, 1),
        (0, 1, -1),
    ]
    seen = [(each.why is not None, each.output != "") for each in page.games]
    assert seen == [(False, False), (False, False), (True, True), (False, False), (False, False)]
    [moment] = page.moments
    assert (moment.move, moment.better, moment.line, moment.lesson) == (
        "b1",
        "b2",
        ["a1", "c3"],
        "lesson.x",
    )
    assert ">?<" in moment.board and ">!<" in moment.board
    other = hand_in_page(HandedIn(JOB, followed(made, judged()), "1"), checks(), ServerSettings())
    assert other.moments == [] and other.place is not None and other.place.rank == 1
    assert not any(each.output or each.why for each in other.games)  # those of its rivals
    aside = hand_in_page(HandedIn(JOB, followed(made), "3"), checks(), ServerSettings())
    assert (aside.place, aside.games, aside.moments) == (None, [], [])


def test_y7_the_newest_games_of_a_student_are_shown(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.games = [game("1 v1", "2 v1", WIN, pair) for pair in range(SHOWN_GAMES + 5)]
    page = hand_in_page(HandedIn(JOB, followed(made), "1"), checks(), ServerSettings())
    assert [each.number for each in page.games] == list(range(SHOWN_GAMES + 4, 4, -1))


def test_y7_marks_are_shown_once_a_run_was_judged(tmp_path: Path) -> None:
    made = contest(tmp_path)
    none = marks_page(followed(made), "en")
    assert (none.judged, none.marks, none.alike) == (False, [], [])
    page = marks_page(followed(made, judged()), "id")
    assert page.judged
    assert [(each.number, each.rank, each.points, each.grade) for each in page.marks] == [
        ("1", 1, 50, "A"),
        ("2", 2, 50, "B"),
        ("3", None, None, ""),
    ]
    assert page.marks[2].remark == "Dikumpulkan setelah batas akhir (x)."
    assert page.alike == []
    made.newest["2"] = keep_version(tmp_path, "2", {"main.py": FIRST + b"# mine"})
    made.checks["2", 2] = Check("2", 2)
    [alike] = marks_page(followed(made, judged()), "en").alike
    assert (alike.first, alike.second, alike.asked, alike.mistakes) == ("1 v1", "2 v2", 0, 0)
    assert (alike.shared_source, alike.shared_answers) == (1, 0)
    assert alike.sources == (FIRST.decode(), f"{FIRST.decode()}# mine")


def test_y7_a_deadline_passes(tmp_path: Path) -> None:
    made = contest(tmp_path)
    found = []
    for deadline in ("", "2001-01-01 12:00", "2999-01-01 12:00"):
        made.plan = replace(made.plan, deadline=deadline)
        found.append(is_over(made))
    assert found == [False, True, False]


def test_y7_a_board_that_cannot_be_drawn_is_left_out() -> None:
    place = "tictactoe:3,3,3 x../.../... o"
    assert board_of("nonsense") == board_of(place, "a1") == ""
    assert ">?<" not in board_of(place) and ">?<" in board_of(place, "b1")


def test_y7_a_link_is_secret_and_opens_for_one_student_until_it_is_renewed(tmp_path: Path) -> None:
    links = SecretLinks(tmp_path)
    assert links.codes() == {} and links.holder("x") is None
    codes = dict(links.complete(["1", "2"]))
    assert set(codes) == {"1", "2"} and len(set(codes.values())) == 2
    assert min(map(len, codes.values())) >= 16
    assert links.complete(["2"]) == codes
    assert [links.holder(codes[each]) for each in "12"] == ["1", "2"]
    assert (tmp_path / "work" / "links.json").stat().st_mode & 0o777 == 0o600
    more = links.complete(["2", "3"])
    assert {each: more[each] for each in "12"} == codes and "3" in more
    new = links.renew("1")
    assert new != codes["1"] and links.holder(new) == "1"
    assert links.holder(codes["1"]) is None and links.holder(codes["2"]) == "2"
    assert SecretLinks(tmp_path).codes() == links.codes()  # another server reads the same
    assert links.holder("") is None and links.holder("\u00e9") is None
    (tmp_path / "work" / "links.json").write_text("[]")
    with pytest.raises(PapanError, match=r"links\.json"):
        links.holder(new)
