"""The contests of a server, without one: what is read again and when, checks, jobs and links."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from papan.contest.checks import Check
from papan.contest.folder import Contest, new_contest
from papan.contest.standings import standings_of
from papan.contest.submissions import SubmissionError, Version
from papan.core import PapanError
from papan.core.message import Message
from papan.core.printable import to_json
from papan.web import contests
from papan.web.contest_routes import add_contests
from papan.web.contests import (
    CHECK_AGAIN_SECONDS,
    CheckQueue,
    Contests,
    FollowedContest,
    hand_in_link,
)
from papan.web.hand_in import add_hand_in
from papan.web.jobs import JobQueue
from papan.web.links import SecretLinks
from papan.web.owner import FolderLock, Owner
from papan.web.search_queue import SearchQueue
from papan.web.settings import ServerSettings
from papan.web.wire import Refused, add_refusals
from tests.contest.test_marks import FIRST, WIN, game
from tests.web.asking import QUIET, TOKEN, ask, client

STUDENTS = "number,name\n1,Ani\n2,Budi\n"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """The folder of a contest of two students, each with a bot that was not checked."""
    folder = tmp_path / "cup"
    new_contest(folder, "tictactoe", "en", "Cup")
    (folder / "students.csv").write_text(STUDENTS)
    for number in "12":
        (folder / "submissions" / f"{number}.py").write_bytes(FIRST + number.encode())
    return folder


def journal(folder: Path, *games: Any) -> None:
    """Add games to those that were played."""
    (folder / "work").mkdir(exist_ok=True)
    with (folder / "work" / "games.jsonl").open("a") as file:
        file.writelines(f"{to_json(each.json())}\n" for each in games)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds of the clock of the contests of this test."""
    now = [1000.0]
    monkeypatch.setattr(contests, "monotonic", lambda: now[0])
    return now


# What is read again.


def test_a_contest_is_the_same_until_one_of_its_files_changes(cup: Path) -> None:
    followed = FollowedContest(cup)
    first = followed.look()
    assert followed.look() is first and [*first.newest] == ["1", "2"]
    journal(cup, game("1 v1", "2 v1", WIN, 0))
    assert followed.look() is first and len(first.games) == 1
    seen = [first]

    def is_new() -> bool:
        seen.append(followed.look())
        return seen[-1] is not seen[-2] and len(seen[-1].games) == 1

    plan = cup / "plan.toml"
    plan.write_text(plan.read_text() + "\n# changed\n")
    assert is_new()
    (cup / "students.csv").write_text(STUDENTS + "3,Citra\n")
    assert is_new() and len(seen[-1].students) == 3
    (cup / "submissions" / "3.py").write_bytes(FIRST)
    assert is_new() and [*seen[-1].newest] == ["1", "2", "3"]
    checks = cup / "work" / "checks.jsonl"
    line = Check("1", 1).json() | {"terms": seen[-1]._terms()}
    checks.write_text(f"{to_json(line)}\n")
    assert is_new() and seen[-1].players.keys() == {"1 v1"}
    plan.write_text("nonsense")
    with pytest.raises(PapanError):
        followed.look()


def test_a_contest_whose_files_the_system_does_not_let_read_says_which(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(folder: Path) -> object:
        raise PermissionError(13, "Permission denied", str(folder / "plan.toml"))

    monkeypatch.setattr(contests, "contest_state", refused)
    for ask_for in (FollowedContest.look, FollowedContest.standings, FollowedContest.truth):
        with pytest.raises(PapanError, match=r"plan\.toml cannot be read: Permission denied"):
            ask_for(FollowedContest(cup))


def test_standings_are_computed_once_a_second_and_as_rarely_as_they_cost(
    cup: Path, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    costs, counted = [0.0], list[int]()

    def computed(contest: Contest) -> Any:
        counted.append(len(contest.games))
        clock[0] += costs[0]
        return standings_of(contest)

    monkeypatch.setattr(contests, "standings_of", computed)
    followed, games = FollowedContest(cup), [game("1 v1", "2 v1", WIN, pair) for pair in range(5)]

    def at(seconds: float) -> list[int]:
        clock[0] = seconds
        followed.standings()
        return counted

    assert at(1000) == [0] and at(1000.2) == [0]
    journal(cup, games[0])
    assert at(1000.5) == [0, 1]  # at once: there was no game before
    journal(cup, games[1])
    assert at(1001.4) == [0, 1] and at(1001.5) == [0, 1, 2]
    costs[0] = 0.5
    journal(cup, games[2])
    assert at(1003) == [0, 1, 2, 3]  # until 1003.5: the next one 5 seconds later
    journal(cup, games[3])
    assert at(1008.4) == [0, 1, 2, 3] and at(1008.5) == [0, 1, 2, 3, 4]


def test_codes_are_made_for_students_of_the_list_and_kept(cup: Path) -> None:
    followed = FollowedContest(cup)
    codes = followed.codes()
    assert [*codes] == ["1", "2"] and len({*codes.values()}) == 2
    (cup / "students.csv").write_text("number,name\n3,Citra\n2,Budi\n")
    again = followed.codes()
    assert [*again] == ["3", "2"] and again["2"] == codes["2"]
    assert followed.links.holder(codes["1"]) == "1"  # it is kept, and opens nothing


# Checks.


def version(student: str, number: int = 1) -> Version:
    return Version(student, number, Path("/nowhere"), "main.py")


ONE, OTHER = Path("/contests/one"), Path("/contests/other")
FAILED = Message("jobs.died", {"code": "9"})


def with_checks(
    monkeypatch: pytest.MonkeyPatch, act: Callable[[CheckQueue, list[Any], asyncio.Event], Any]
) -> None:
    """Test checks that wait for an event and then say what the list `reasons` has next."""

    async def run() -> None:
        ends, begun = asyncio.Event(), list[Any]()

        async def checked(folder: Path, student: str) -> Message | None:
            begun.append((folder, student))
            await ends.wait()
            return FAILED if student == "broken" else None

        monkeypatch.setattr(contests, "_checked", checked)
        monkeypatch.setattr(contests, "cores", lambda: 3)
        queue = CheckQueue()
        await act(queue, begun, ends)
        await queue.stop()

    asyncio.run(run())


async def settled() -> None:
    for _ in range(9):
        await asyncio.sleep(0)


def test_checks_run_a_few_at_a_time_and_one_for_each_student(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def act(queue: CheckQueue, begun: list[Any], ends: asyncio.Event) -> None:
        for folder, student in ((ONE, "1"), (ONE, "1"), (OTHER, "1"), (ONE, "2")):
            queue.start(folder, version(student))
        queue.start(ONE, version("1", 2))
        await settled()
        assert begun == [(ONE, "1"), (OTHER, "1")]  # one core less than there are
        assert queue.running(ONE, "2") and not queue.running(OTHER, "2")
        ends.set()
        await settled()
        assert begun[2:] == [(ONE, "2")] and not queue.running(ONE, "2")

    with_checks(monkeypatch, act)


def test_the_checks_of_one_contest_are_stopped_and_those_of_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def act(queue: CheckQueue, begun: list[Any], ends: asyncio.Event) -> None:
        for folder, student in ((ONE, "1"), (OTHER, "1"), (ONE, "2")):
            queue.start(folder, version(student))
        await settled()
        await queue.stop(ONE)
        assert [queue.running(ONE, each) for each in "12"] == [False, False]
        assert queue.running(OTHER, "1")
        await queue.stop()
        assert not queue.running(OTHER, "1") and len(begun) == 2
        queue.start(ONE, version("1"))
        await queue.stop(ONE)  # before it has begun
        assert not queue.running(ONE, "1") and len(begun) == 2

    with_checks(monkeypatch, act)


def test_a_check_that_could_not_be_made_is_tried_again_after_a_while(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    async def act(queue: CheckQueue, begun: list[Any], ends: asyncio.Event) -> None:
        ends.set()
        broken = version("broken")

        async def tried(at: float, wanted: Version = broken) -> int:
            clock[0] = at
            queue.start(ONE, wanted)
            await settled()
            return len(begun)

        assert queue.failure(ONE, broken) is None
        assert await tried(1000) == 1
        assert queue.failure(ONE, broken) == FAILED
        assert queue.failure(OTHER, broken) is queue.failure(ONE, version("broken", 2)) is None
        until = 1000 + CHECK_AGAIN_SECONDS
        assert await tried(until - 0.1) == 1
        assert await tried(until - 0.1, version("broken", 2)) == 2  # a new one is tried at once
        assert await tried(until) == 3
        assert await tried(until, version("fine")) == 4
        assert queue.failure(ONE, version("fine")) is None

    with_checks(monkeypatch, act)


class Process:
    """A process that ends with a code, after it has written a line."""

    pid = 77

    def __init__(self, line: bytes, code: int) -> None:
        self.stdout, self.line, self.code, self.waited = self, line, code, 0

    async def readline(self) -> bytes:
        return self.line

    async def wait(self) -> int:
        self.waited += 1
        return self.code


REASON = {"key": "contest.no_compiler", "values": {"a": "b"}}


@pytest.mark.parametrize(
    ("line", "code", "why"),
    [
        (b"", 0, None),
        (b"noise\n", 0, None),
        (json.dumps({"t": "error", **REASON}).encode(), 1, Message(**REASON)),  # type: ignore[arg-type]
        (b'{"t": "error", "ke', -9, Message("jobs.died", {"code": "-9"})),
        (b"{}", 1, Message("jobs.died", {"code": "1"})),
    ],
)
def test_a_check_tells_why_it_could_not_be_made_and_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch, line: bytes, code: int, why: Message | None
) -> None:
    process, asked, killed = Process(line, code), list[Any](), list[int]()

    async def started(*command: str) -> Process:
        asked.append(command)
        return process

    monkeypatch.setattr(contests, "start_module", started)
    monkeypatch.setattr(contests, "kill_group", killed.append)
    assert asyncio.run(contests._checked(ONE, "7")) == why
    assert asked == [("papan.web.check_process", str(ONE), "7")]
    assert killed == [77] and process.waited == 2


@pytest.mark.parametrize(
    ("error", "why"),
    [(OSError(12, "Cannot allocate memory"), "Cannot allocate memory"), (OSError(), "OSError")],
)
def test_a_check_for_which_there_is_no_process_says_so(
    monkeypatch: pytest.MonkeyPatch, error: OSError, why: str
) -> None:
    async def started(*command: str) -> Process:
        raise error

    monkeypatch.setattr(contests, "start_module", started)
    found = asyncio.run(contests._checked(ONE, "7"))
    assert found == Message("jobs.cannot_start", {"why": why})


# The contests of a server.


def of_server(data: Path, **settings: Any) -> Contests:
    """The contests of a server that runs no job."""
    chosen = ServerSettings(data=data, jobs=0, **settings)
    return Contests(chosen, JobQueue(chosen, FolderLock(data)))


def test_a_folder_of_the_command_line_with_a_plan_is_a_paused_contest(
    tmp_path: Path, cup: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    server = of_server(tmp_path / "data", contests=(cup, empty))
    (job,) = server.all()
    assert (job.state, job.kind, server.folder(job)) == ("paused", "class", cup)
    assert [each.id for each in server.all()] == [job.id]
    assert server.job(job.id).id == job.id
    with pytest.raises(Refused) as refused:
        server.job("nothing")
    assert (refused.value.status, refused.value.key) == (404, "class.gone")
    assert server.followed(job) is server.followed(job)


def test_a_contest_that_is_made_is_paused_in_a_folder_of_its_own(tmp_path: Path) -> None:
    server = of_server(tmp_path)
    job = server.make("tictactoe:4,4,3", "Cup", "id")
    assert (job.state, server.folder(job)) == ("paused", tmp_path / "class" / job.id)
    plan = server.followed(job).look().plan
    assert (plan.title, plan.game, plan.language) == ("Cup", "tictactoe:4,4,3", "id")
    with pytest.raises(PapanError) as refused:
        server.make("onet", "Cup", "en")
    assert refused.value.key == "contest.one_seat"
    assert [each.id for each in server.all()] == [job.id]
    newer = server.make("dots", "New", "en")
    newer.made = "9999"
    assert [each.id for each in server.all()] == [newer.id, job.id]


def test_a_secret_link_belongs_to_one_student_who_is_still_in_the_list(
    tmp_path: Path, cup: Path
) -> None:
    server = of_server(tmp_path / "data", contests=(cup,))
    damaged, other = (server.make("tictactoe", name, "en") for name in ("Damaged", "Other"))
    (server.folder(damaged) / "plan.toml").write_text("nonsense")
    (job,) = (each for each in server.all() if server.folder(each) == cup)
    codes = server.followed(job).codes()
    found = server.holder(codes["2"])
    assert found is not None and (found.job.id, found.student) == (job.id, "2")
    assert found.followed is server.followed(job)
    assert server.holder("") is server.holder("aaaa-bbbb-cccc-dddd") is None
    (cup / "students.csv").write_text("number,name\n1,Ani\n")
    assert server.holder(codes["2"]) is None
    assert server.holder(codes["1"]) is not None and other.state == "paused"


def test_secret_links_are_found_though_those_of_another_contest_cannot_be_read(
    tmp_path: Path, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = of_server(tmp_path / "data", contests=(cup,))
    other = server.make("tictactoe", "Other", "en")
    (job,) = (each for each in server.all() if server.folder(each) == cup)
    code, holder = server.followed(job).codes()["1"], SecretLinks.holder
    locked = server.followed(other).links

    def refused(self: SecretLinks, code: str) -> str | None:
        if self is locked:
            raise PermissionError(13, "Permission denied")
        return holder(self, code)

    monkeypatch.setattr(SecretLinks, "holder", refused)
    found = server.holder(code)
    assert found is not None and found.job.id == job.id


@pytest.mark.parametrize(
    ("state", "then"),
    [("done", "waiting"), ("paused", "paused"), ("failed", "failed"), ("waiting", "waiting")],
)
def test_only_a_contest_that_was_done_goes_on_by_itself(
    tmp_path: Path, state: Any, then: str
) -> None:
    server = of_server(tmp_path)
    job = server.make("tictactoe", "Cup", "en")
    job.state = state
    server.go_on(job)
    assert job.state == then


def test_a_contest_stays_done_if_too_many_jobs_wait(tmp_path: Path) -> None:
    server = of_server(tmp_path, waiting_jobs=0)
    job = server.make("tictactoe", "Cup", "en")
    job.state = "done"
    server.go_on(job)
    assert job.state == "done"


def test_a_contest_is_deleted_with_its_files_and_strange_ones_stay(
    tmp_path: Path, cup: Path
) -> None:
    (cup / "notes.txt").write_text("mine")
    (cup / "report").mkdir()
    other = tmp_path / "other"
    new_contest(other, "tictactoe", "en", "Other")
    server = of_server(tmp_path / "data", contests=(cup, other))
    own = server.make("tictactoe", "Cup", "en")

    async def delete() -> None:
        for job in server.all():
            await server.delete(job)

    before = server.followed(own)
    asyncio.run(delete())
    assert server.followed(own) is not before  # nothing of a deleted one is remembered
    assert [each.name for each in cup.iterdir()] == ["notes.txt"]
    assert not server.folder(own).exists() and not other.exists() and server.all() == []


@pytest.mark.parametrize(
    ("origin", "valid"),
    [
        ("https://papan.example", True),
        ("http://localhost:8321", True),
        ("http://[::1]:8321", True),
        ("http://[fe80::1]", True),
        ("http://a:123456", False),
        ("ftp://papan.example", False),
        ("https://papan.example/", False),
        ("javascript://x", False),
        ("https://a b", False),
        ("", False),
    ],
)
def test_a_link_begins_with_the_address_of_a_server(origin: str, valid: bool) -> None:
    if valid:
        assert hand_in_link(origin, "abcd") == f"{origin}/hand-in#abcd"
        return
    with pytest.raises(Refused) as refused:
        hand_in_link(origin, "abcd")
    assert (refused.value.status, refused.value.key) == (422, "class.bad_origin")
    assert refused.value.values == {"origin": origin}


# Handing in.


class HandedIn:
    """A contest whose game is over, at which students hand in; nothing is checked."""

    def __init__(self, data: Path, cup: Path) -> None:
        self.contests = of_server(data, contests=(cup,), upload=2_000)
        (self.job,) = self.contests.all()
        self.checked: list[str] = []
        self.contests.checks.start = (  # type: ignore[method-assign]
            lambda folder, version: self.checked.append(version.player)
        )
        self.code = self.contests.followed(self.job).codes()["1"]
        self.api = FastAPI()
        add_hand_in(self.api, self.contests, SearchQueue(self.contests.settings))
        add_refusals(self.api)

    def ask(self, method: str = "GET", code: str | None = None, **request: Any) -> Any:
        async def question() -> Any:
            async with client(self.api, token=self.code if code is None else code) as student:
                return await student.request(method, "/v1/hand-in", **request)

        return asyncio.run(question())

    def send(self, content: bytes, name: str = "bot.py") -> tuple[int, Any]:
        answer = self.ask("PUT", params={"name": name}, content=content)
        return answer.status_code, answer.json()


@pytest.fixture
def door(tmp_path: Path, cup: Path) -> HandedIn:
    return HandedIn(tmp_path / "data", cup)


def test_a_student_sees_their_own_page_and_starts_their_own_check(door: HandedIn) -> None:
    page = door.ask().json()
    assert (page["number"], page["name"], page["most_bytes"]) == ("1", "Ani", 2_000)
    assert door.checked == ["1 v1"]
    for code in ("", "aaaa-bbbb-cccc-dddd"):
        answer = door.ask(code=code)
        assert (answer.status_code, answer.json()["key"]) == (404, "class.no_link")


def test_a_file_becomes_a_version_is_checked_and_wakes_the_contest(door: HandedIn) -> None:
    done: Any = "done"
    door.job.state = done
    status, page = door.send(FIRST + b"# new", "../x/MY BOT.PY")
    assert (status, page["submission"]["version"], page["running"]) == (201, 2, "waiting")
    assert [each["number"] for each in page["versions"]] == [2, 1]
    assert door.checked == ["1 v2"] and door.job.state == "waiting"


def test_what_cannot_be_handed_in_has_a_status_that_says_why(
    door: HandedIn, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = cup / "plan.toml"
    text = plan.read_text()
    changes = (
        ("submissions_a_day = 20", "submissions_a_day = 1", 429, "contest.too_many_today"),
        ('deadline = ""', 'deadline = "2001-01-01"', 403, "contest.late"),
        ("[disqualified]", '[disqualified]\n1 = "copied"', 403, "contest.disqualified"),
    )
    for old, new, status, key in changes:
        assert old in text, old
        plan.write_text(text.replace(old, new))
        found, facts = door.send(FIRST + key.encode())
        assert (found, facts["key"]) == (status, key)
    plan.write_text(text)
    assert door.send(FIRST, "bot.exe")[0] == 422

    def full(*_: Any) -> None:
        raise SubmissionError("contest.not_stored", why="full")

    monkeypatch.setattr("papan.web.hand_in.hand_in", full)
    assert door.send(FIRST)[0] == 503
    assert door.job.state == "paused"


def test_a_student_may_send_five_files_at_once(
    door: HandedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.web.guard.monotonic", lambda: 100.0)
    statuses = [door.send(b"no bot", "bot.exe")[0] for _ in range(6)]
    assert statuses == [422] * 5 + [429]
    answer = door.ask("PUT", params={"name": "a.py"}, content=b"")
    assert (answer.json()["key"], answer.headers["retry-after"]) == ("web.too_many", "10")
    other = door.contests.followed(door.job).codes()["2"]
    assert door.ask("PUT", other, params={"name": "a.exe"}, content=b"").status_code == 422


# Its pages.


@pytest.fixture
def served(tmp_path: Path, cup: Path) -> tuple[ServerSettings, str]:
    """A server with the contest, and the address of that."""
    settings = replace(QUIET, data=tmp_path / "data", contests=(cup,), jobs=0)
    (listed,) = ask("GET", "/api/v1/class", settings).json()
    return settings, f"/api/v1/class/{listed['id']}"


@pytest.mark.thorough
def test_games_are_listed_by_the_players_who_take_part(
    served: tuple[ServerSettings, str], cup: Path
) -> None:
    settings, address = served
    pairs = (("1 v1", "2 v1"), ("2 v1", "1 v1"), ("random", "1 v1"))
    journal(cup, *(game(*pairs[number % 3], WIN, number) for number in range(51 * 3)))

    def listed(query: str = "") -> tuple[int, list[int]]:
        found = ask("GET", f"{address}/games?{query}", settings).json()
        return found["total"], [each["number"] for each in found["games"]]

    assert listed() == (153, [*range(50)])
    assert listed("after=150") == (153, [150, 151, 152])
    assert listed("after=153") == (153, [])
    assert listed("one=random") == listed("other=random") == (51, [*range(2, 152, 3)])
    both = [number for number in range(153) if number % 3 < 2]
    assert listed("one=2 v1&other=1 v1&after=3") == (102, both[3:53])
    assert listed("one=2 v1&other=random") == listed("one=nobody") == (0, [])


def test_what_is_not_there_or_cannot_be_is_told(
    served: tuple[ServerSettings, str], cup: Path
) -> None:
    settings, address = served

    def answered(method: str, path: str, **body: Any) -> tuple[int, str]:
        answer = ask(method, f"{address}{path}", settings, **body)
        return answer.status_code, answer.json()["key"]

    nobody = {"number": "9"}
    assert answered("GET", "/files/marks.csv") == (404, "class.not_judged")
    assert answered("POST", "/links", json=nobody) == (404, "class.no_student")
    assert answered("POST", "/disqualify", json=nobody) == (404, "class.no_student")
    assert answered("GET", "/sheet.html?origin=ftp://x") == (422, "class.bad_origin")
    assert answered("PUT", "/plan", content=b"x") == (422, "contest.bad_plan")
    assert answered("PUT", "/students", content=b"1,A\n1,B\n") == (422, "contest.bad_list")
    assert (cup / "students.csv").read_text() == STUDENTS
    (cup / "students.csv").unlink()
    assert answered("GET", "/students") == (422, "error.cannot_read")


def test_a_text_is_stored_without_its_mark_and_with_simple_line_ends(
    served: tuple[ServerSettings, str], cup: Path
) -> None:
    settings, address = served
    sent = b"\xef\xbb\xbfnumber,name\r\n7,Dewi\r\n"
    answer = ask("PUT", f"{address}/students", settings, content=sent)
    assert (answer.status_code, answer.json()["students"]) == (200, 1)
    assert (cup / "students.csv").read_bytes() == b"number,name\n7,Dewi\n"
    (cup / "students.csv").write_bytes(b"\xef\xbb\xbf8,Eka\n")
    assert ask("GET", f"{address}/students", settings).json() == {"text": "8,Eka\n"}


def test_a_student_is_disqualified_with_a_reason_and_let_in_again(
    served: tuple[ServerSettings, str], cup: Path
) -> None:
    settings, address = served
    followed = FollowedContest(cup)
    for why, seen in (("copied", {"2": "copied"}), ("", {})):
        order = {"number": "2", "why": why}
        assert ask("POST", f"{address}/disqualify", settings, json=order).status_code == 200
        assert followed.look().plan.disqualified == seen


@pytest.mark.parametrize(
    ("before", "minutes", "after"),
    [
        ("done", 31, ("done", True)),
        ("done", 10_000, ("waiting", False)),
        ("paused", 10_000, ("paused", False)),
    ],
)
def test_more_minutes_wake_a_contest_that_has_used_its_own(
    tmp_path: Path, cup: Path, before: Any, minutes: int, after: tuple[str, bool]
) -> None:
    journal(cup, *(replace(game("1 v1", "2 v1", WIN, n), seconds=600.0) for n in range(9)))
    plan = (cup / "plan.toml").read_text()
    one = plan.replace("at_a_time = 0", "at_a_time = 1")
    (cup / "plan.toml").write_text(one)
    server = of_server(tmp_path / "data", contests=(cup,), token=TOKEN)
    (job,) = server.all()
    job.state = before
    api = FastAPI()
    add_contests(api, server, Owner(server.settings), SearchQueue(server.settings))

    async def changed() -> dict[str, Any]:
        content = one.replace("minutes = 30", f"minutes = {minutes}").encode()
        async with client(api, token=TOKEN) as owner:
            answer = await owner.put(f"/v1/class/{job.id}/plan", content=content)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    found = asyncio.run(changed())
    assert (found["state"], found["time_over"]) == after
    assert found["minutes_left"] == max(0, minutes - 90)
