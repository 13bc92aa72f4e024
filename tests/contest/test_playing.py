"""How a run plays: which games, what is on the disk, when it ends; the referee is a stand-in."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from papan.contest import run as running
from papan.contest.folder import Contest
from papan.contest.plan import HousePlan, LadderPlan, MarksPlan
from papan.contest.run import run_contest
from papan.contest.standings import standings_of
from papan.core import PapanError, Progress
from papan.core.interrupts import Interrupted
from papan.process.host import lock
from tests.contest.conftest import BAD, GOOD, Checked, Put, StandIn, opened
from tests.contest.test_marks import contest

GAMES = Path("work") / "games.jsonl"


def begun(tmp_path: Path, games: int = 0, **ladder: float) -> Contest:
    """A contest of two bots and the random player, of which the first games are over."""
    made = contest(tmp_path)
    plan = LadderPlan(at_a_time=1, **ladder)  # type: ignore[arg-type]
    made.plan = replace(
        made.plan, ladder=plan, house=HousePlan(("random",), 1), marks=MarksPlan("1")
    )
    lines = [json.dumps(each.json()) for each in made.games[:games]]
    if lines:
        (tmp_path / GAMES).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return made


def specs(made: Contest, *players: str) -> tuple[str, ...]:
    """The specs with which players come to the referee, outside the sandbox."""
    bots = made.players
    return tuple(
        bots[each].spec(made.plan, unconfined=True) if each in bots else each for each in players
    )


def test_a_run_plays_every_pair_from_both_seats_and_keeps_every_game(
    tmp_path: Path, no_referees: StandIn
) -> None:
    made, reported = begun(tmp_path), list[tuple[float, str]]()
    seen = list[int]()

    def note(progress: Progress) -> None:
        lines = (tmp_path / GAMES).read_text(encoding="utf-8").splitlines()
        assert len(lines) == len(made.games)  # it is on the disk before anybody is told
        assert 0 <= progress.done < 600 < progress.total == 30 * 60
        reported.append((progress.total, progress.text("en")))

    assert run_contest(made, note, lambda run: seen.append(len(run.games)), unconfined=True)
    pairs = [("1 v1", "2 v1"), ("1 v1", "random"), ("2 v1", "random")]
    seats = [each for pair in pairs for each in (pair, pair[::-1])]
    assert [each.players for each in made.games] == seats
    assert no_referees.played == [specs(made, *each) for each in seats] and no_referees.closed
    assert [each.pair for each in made.games] == [0, 0, 1, 1, 2, 2]
    assert {each.record.agents for each in made.games} == set(seats)
    assert [each.outcome("1 v1") for each in made.games[:2]] == [1, -1]
    assert {each.processor for each in made.games} == {((0.25,) * 3, (0.125,) * 2)}
    assert {each.memory for each in made.games} == {(11, 22)}
    assert all(each.seconds >= 0 for each in made.games)
    assert seen == [1, 2, 3, 4, 5, 6]
    assert reported[1][1].startswith("2 v1 - 1 v1")
    again = replace(made, games=[])
    again.read_games()
    assert [each.players for each in again.games] == seats
    assert run_contest(again, unconfined=True) and len(no_referees.played) == 6  # all is told
    work = tmp_path / "work"
    assert {(work / name).stat().st_mode & 0o777 for name in ("games.jsonl", "lock")} == {0o600}


def test_a_run_goes_on_with_the_other_game_of_a_pair(tmp_path: Path, no_referees: StandIn) -> None:
    made = begun(tmp_path, games=1)
    with (tmp_path / GAMES).open("a") as file:
        file.write('{"players": ["1 v')  # as a power cut leaves it
    assert run_contest(made, unconfined=True)
    assert no_referees.played[0] == specs(made, "2 v1", "1 v1")
    assert [each.pair for each in made.games] == [0, 0, 1, 1, 2, 2]
    assert (tmp_path / GAMES).read_text(encoding="utf-8").count("\n") == 6


def test_a_run_ends_when_somebody_has_seen_enough(tmp_path: Path, no_referees: StandIn) -> None:
    made = begun(tmp_path)
    assert run_contest(made, unconfined=True, enough=lambda: len(made.games) == 3)
    assert len(made.games) == len(no_referees.played) == 3


def test_a_run_ends_when_its_time_is_over(tmp_path: Path, no_referees: StandIn) -> None:
    made = begun(tmp_path, games=2, minutes=0.02)  # 1.2 seconds; two games of a second each
    assert made.games[0].seconds == 1
    assert not run_contest(made, unconfined=True)
    assert no_referees.played == []


def test_ctrl_c_gives_the_contest_with_the_games_that_are_over(
    tmp_path: Path, no_referees: StandIn
) -> None:
    made = begun(tmp_path)

    def stop(progress: Progress) -> None:
        if len(made.games) == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        run_contest(made, stop, unconfined=True)
    assert caught.value.result is made and len(made.games) == 2 and no_referees.closed
    assert (tmp_path / GAMES).read_text(encoding="utf-8").count("\n") == 2


def test_only_one_run_plays_a_contest_at_a_time(tmp_path: Path, no_referees: StandIn) -> None:
    made = begun(tmp_path)
    with (tmp_path / "work" / "lock").open("ab") as guard:
        lock(guard)
        with pytest.raises(PapanError, match="Another process"):
            run_contest(made, unconfined=True)
    assert no_referees.played == []
    assert run_contest(made, unconfined=True)  # the lock ends with the process or its file


def test_a_contest_without_bots_is_over_at_once(tmp_path: Path, no_referees: StandIn) -> None:
    plan = begun(tmp_path / "other").plan
    assert run_contest(Contest(tmp_path / "cup", plan, []), unconfined=True)
    assert no_referees.played == []
    assert (tmp_path / "cup" / "work").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("unconfined", [True, False])
def test_a_sandbox_is_needed_unless_bots_are_trusted(
    tmp_path: Path, no_referees: StandIn, monkeypatch: pytest.MonkeyPatch, unconfined: bool
) -> None:
    looks = list[int]()
    monkeypatch.setattr(running, "find_sandbox", lambda: looks.append(1))
    made = begun(tmp_path)
    assert run_contest(made, unconfined=unconfined, enough=lambda: len(made.games) == 1)
    assert looks == [1] * (not unconfined)
    assert ("confined=folder" in no_referees.played[0][0]) is not unconfined


def test_a_game_that_cannot_be_written_ends_the_run(
    tmp_path: Path, no_referees: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*which: object) -> None:
        raise OSError(28, "No space left on device")

    made = begun(tmp_path)
    monkeypatch.setattr(running, "append_line", full)
    with pytest.raises(OSError, match=r"games\.jsonl"):
        run_contest(made, unconfined=True)
    assert made.games == [] and no_referees.closed


def test_k6_the_newest_legal_version_plays_on_until_a_newer_one_is_legal(
    cup: Path, put: Put, checked: Checked, no_referees: StandIn
) -> None:
    """A version that does not start took a working bot, and its rivals' games, off the ladder."""
    put("1.py", GOOD)
    put("2.py", GOOD + "# other\n")
    assert run_contest(opened(cup), unconfined=True)
    played = len(Contest.open(cup).counted())
    put("1.py", BAD)
    waiting = Contest.open(cup)
    assert sorted(waiting.players) == ["1 v1", "2 v1"]  # also while it is checked
    broken = opened(cup)
    for each in (broken, Contest.open(cup)):
        assert sorted(each.players) == ["1 v1", "2 v1"]
        assert len(each.counted()) == played == len(no_referees.played) > 0
        assert str(each.fault("1")) == str(PapanError("contest.empty"))
        assert each.verdict("1") is None
        assert each.newest["1"].number == 2
    put("1.py", GOOD)
    again = opened(cup)
    assert again.newest["1"].number == 1  # the same files are the same version
    assert again.fault("1") is None and len(again.counted()) == played
    put("1.py", BAD)
    plan = cup / "plan.toml"
    plan.write_text(plan.read_text().replace("seconds = 0.1", "seconds = 2"), encoding="utf-8")
    assert [each.player for each in Contest.open(cup).unchecked()] == ["1 v2", "2 v1", "1 v1"]
    assert sorted(opened(cup).players) == ["1 v1", "2 v1"]  # checked under the new limits
    put("1.py", GOOD + "# third\n")
    latest = opened(cup)
    assert sorted(latest.players) == ["1 v3", "2 v1"]
    assert [each.players for each in latest.counted()] == [("2 v1", "random"), ("random", "2 v1")]


def test_a_journal_without_memory_is_read(
    cup: Path, put: Put, checked: Checked, no_referees: StandIn
) -> None:
    put("1.py", GOOD)
    put("2.py", GOOD + "# other\n")
    run_contest(opened(cup), unconfined=True, enough=lambda: len(no_referees.played) == 2)
    assert [each.memory for each in standings_of(Contest.open(cup))] == [22, 22]
    for name in ("checks.jsonl", "games.jsonl"):
        path = cup / "work" / name
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        older = [{key: each[key] for key in each if key != "memory"} for each in lines]
        path.write_text("".join(json.dumps(each) + "\n" for each in older), encoding="utf-8")
    again = Contest.open(cup)
    assert len(again.games) == 2 and sorted(again.players) == ["1 v1", "2 v1"]
    assert [each.memory for each in standings_of(again)] == [0, 0]
