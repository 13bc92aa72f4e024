"""The check of a submission: what is asked, what is kept, and what a student is told."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from papan.contest import checks
from papan.contest.checks import Check, build, check_all, check_of, check_version
from papan.contest.plan import BotBudget, ContestPlan, LadderPlan
from papan.contest.submissions import SubmissionError, Version, keep_version
from papan.core import Limit, PapanError
from papan.lab.referee import BotFault, BotTrial, TrialPlan

PLAN = ContestPlan("Cup", "tictactoe", limits=BotBudget(0.5), ladder=LadderPlan(seed=7))
CHOOSE = b"def choose(position): return position.moves()[0]\n"


class FakeBot:
    """A bot without a process: it fails when it is started if it is given an error."""

    def __init__(self, error: PapanError | None = None) -> None:
        self.error, self.ended = error, False

    def __enter__(self) -> "FakeBot":
        return self

    def __exit__(self, *raised: object) -> None:
        self.ended = True

    def check_plays(self, game: object) -> None:
        assert game == PLAN.rules
        if self.error is not None:
            raise self.error

    def close(self) -> None: ...

    def peak_memory(self) -> int:
        return 5 << 20


@pytest.fixture
def version(tmp_path: Path) -> Version:
    return keep_version(tmp_path, "12", {"main.py": CHOOSE})


Tried = Callable[..., tuple[FakeBot, list[Any]]]


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Tried:
    """Lets the next check find a result without any process; returns the bot and what was asked."""

    def tried(trial: BotTrial, error: PapanError | None = None) -> tuple[FakeBot, list[Any]]:
        bot, asked = FakeBot(error), list[Any]()

        def start(spec: str) -> FakeBot:
            asked.append(spec)
            bot.ended = False
            return bot

        def try_out(agent: FakeBot, plan: TrialPlan, restart: object) -> BotTrial:
            assert agent is bot and restart == bot.close and not bot.ended
            asked.append(plan)
            return trial

        monkeypatch.setattr("papan.contest.checks.catalog.external_agent", start)
        monkeypatch.setattr(checks, "try_out", try_out)
        return bot, asked

    return tried


def test_a_bot_that_answers_is_fine_and_has_its_median_time(version: Version, tried: Tried) -> None:
    bot, asked = tried(BotTrial((), (0.1, 0.5, 0.2), 5, ("a position",)))
    found = check_version(PLAN, version, unconfined=True)
    assert found == Check("12", 1, seconds=0.2, memory=5 << 20) and found.fine and bot.ended
    spec, plan = asked
    assert spec == version.spec(PLAN, unconfined=True)
    assert plan == TrialPlan(
        [PLAN.rules], 20, 5, PLAN.ladder.shown_seed("trial"), Limit(seconds=0.5)
    )
    _, asked = tried(BotTrial((), (), 0, ()))
    assert check_version(PLAN, version).seconds == 0
    assert asked[0] == version.spec(PLAN) != spec  # in the sandbox


def test_of_a_bot_with_faults_the_first_one_is_told_without_paths(
    version: Version, tried: Tried
) -> None:
    home = version.folder.resolve()
    error = PapanError("forfeit.late", agent=f"bot:{home}/main.py", granted="1", waited=home)
    first = BotFault("timeout", "a position", error, f"File {home}/main.py, line 3")
    other = BotFault("crash", "another", PapanError("contest.empty"), "no")
    tried(BotTrial((first, other), (0.1,), 0, ()))
    found = check_version(PLAN, version)
    assert (found.student, found.version, found.position) == ("12", 1, "a position")
    assert (found.output, found.seconds, found.memory) == ("File main.py, line 3", 0, 5 << 20)
    assert found.error is not None and not found.fine
    assert found.error.key == "forfeit.late"
    assert found.error.values == {"agent": "12 v1", "granted": "1", "waited": home}


def test_a_bot_that_does_not_start_is_told_why_with_what_it_printed(
    version: Version, tried: Tried
) -> None:
    home = version.folder.resolve()
    error = PapanError("contest.not_stored", why=f"{home}/main.py is odd", agent="bot:x")
    error.add_note("first line")
    error.add_note(f"{home}/main.py, line 1")
    bot, _ = tried(BotTrial((), (), 0, ()), error)
    found = check_version(PLAN, version)
    assert bot.ended
    assert found.error is not None and found.error.values == {
        "why": "main.py is odd",
        "agent": "12 v1",
    }
    assert found == Check("12", 1, found.error, output="first line\nmain.py, line 1")


def test_a_program_in_c_is_built_once_and_with_its_own_walls(
    tmp_path: Path, tried: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    version, built = keep_version(tmp_path, "1", {"main.c": b""}), list[Any]()
    tried(BotTrial((), (0.1,), 0, ()))
    monkeypatch.setattr(checks, "build", lambda *which: built.append(which))
    check_version(PLAN, version, unconfined=True)
    check_version(PLAN, version)
    assert built == [(version, True), (version, False)]
    version.built.touch()
    check_version(PLAN, version)
    assert len(built) == 2
    check_version(PLAN, keep_version(tmp_path, "2", {"main.py": CHOOSE}))
    assert len(built) == 2


@pytest.mark.parametrize("unconfined", [False, True])
def test_a_build_that_fails_is_a_fault_of_the_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unconfined: bool
) -> None:
    version, asked = keep_version(tmp_path, "1", {"main.c": b""}), list[Any]()

    def compile_bot(main: Path, built: Path, confined: bool, refused: type[PapanError]) -> None:
        asked.append((main, built, confined))
        error = refused("contest.not_built")
        error.add_note(f"{main}: no")
        raise error

    monkeypatch.setattr(checks, "compile_bot", compile_bot)
    with pytest.raises(SubmissionError):
        build(version, unconfined)
    assert asked == [((version.folder / "main.c").resolve(), version.built, not unconfined)]
    found = check_version(PLAN, version, unconfined)
    assert found.output == "main.c: no" and str(found.error) == "The compiler refuses it."


def test_checks_are_told_in_their_order_until_somebody_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = [keep_version(tmp_path, str(n), {"main.py": CHOOSE}) for n in range(9)]

    def check(plan: ContestPlan, version: Version, unconfined: bool) -> Check:
        begun.append(version.student)
        return Check(version.student, version.number, memory=int(unconfined))

    begun, reported = list[str](), list[tuple[str, int]]()
    monkeypatch.setattr(checks, "check_version", check)
    check_all(
        versions,
        PLAN,
        3,
        lambda found: reported.append((found.student, found.memory)),
        unconfined=True,
    )
    assert reported == [(str(n), 1) for n in range(9)]

    def stop(found: Check) -> None:
        reported.append((found.student, found.memory))
        raise KeyboardInterrupt

    reported.clear()
    with pytest.raises(KeyboardInterrupt):
        check_all(versions, PLAN, 0, stop)  # one at a time, at least
    assert reported == [("0", 0)]


def test_an_error_of_the_disk_ends_the_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(*which: object) -> Check:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(checks, "check_version", check)
    versions = [keep_version(tmp_path, "1", {"main.py": CHOOSE})]
    with pytest.raises(OSError, match="full"):
        check_all(versions, PLAN, 2, lambda found: None)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"student": None}, None),
        ({"version": "x"}, ValueError),
        ({"version": float("inf")}, OverflowError),
        ({"seconds": None}, TypeError),
        ({"error": "late"}, TypeError),
        ({"error": {"key": "x", "values": [1]}}, AttributeError),
        ({"error": {"key": "x"}}, KeyError),
    ],
)
def test_a_check_of_another_form_is_not_read(
    change: dict[str, object], error: type[Exception] | None
) -> None:
    facts = Check("1", 2).json() | change
    if error is None:
        assert check_of(facts).student == "None"
    else:
        with pytest.raises(error):
            check_of(facts)


def test_an_older_check_has_no_memory() -> None:
    facts = Check("1", 2, memory=9).json()
    del facts["memory"]
    assert check_of(facts) == Check("1", 2)
