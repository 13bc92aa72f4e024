"""How a run plays: which games, what is on the disk, when it ends; the referee is a stand-in."""

import json
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from papan.contest import ladder as ladders
from papan.contest import run as running
from papan.contest.folder import Contest
from papan.contest.plan import HousePlan, LadderPlan, MarksPlan
from papan.contest.run import run_contest
from papan.core import PapanError, Progress
from papan.core.interrupts import Interrupted
from papan.lab.tournament.plan import parse_assignment
from papan.lab.work import Executor
from papan.process.host import lock
from tests.contest.test_marks import WIN, contest, game

GAMES = Path("work") / "games.jsonl"


class StandIn:
    """In place of the referees: the seat that begins wins, in no time and with known costs."""

    def __init__(self) -> None:
        self.played = list[tuple[str, ...]]()
        self.closed = False

    def close(self) -> None:
        self.closed = True

    def play(self, text: str) -> Future[Any]:
        order = parse_assignment(text)
        seats = tuple(each.agent for each in order.orders())
        self.played.append(seats)
        record = replace(game("a", "b", WIN, 0).record, agents=seats)
        effort = [[(9, 0.5, 0.25)] * 3, [(9, 0.5, 0.125)] * 2]
        found: Future[Any] = Future()
        found.set_result(asdict(record) | {"effort": effort, "memory": [11, 22]})
        return found


@pytest.fixture
def referees(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in = StandIn()

    @contextmanager
    def this_machine(pool: StandIn, concurrency: int) -> Iterator[Executor]:
        assert pool is stand_in and concurrency == 1
        yield Executor(pool.play, lambda: concurrency)

    monkeypatch.setattr(running, "RefereePool", lambda: stand_in)
    monkeypatch.setattr(running, "this_machine", this_machine)
    monkeypatch.setattr(ladders, "MOST_PAIRS", 1)
    return stand_in


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
    tmp_path: Path, referees: StandIn
) -> None:
    made, told = begun(tmp_path), list[tuple[float, str]]()
    seen = list[int]()

    def note(progress: Progress) -> None:
        lines = (tmp_path / GAMES).read_text(encoding="utf-8").splitlines()
        assert len(lines) == len(made.games)  # it is on the disk before anybody is told
        assert 0 <= progress.done <= progress.total == 30 * 60
        told.append((progress.total, progress.text("en")))

    assert run_contest(made, note, lambda run: seen.append(len(run.games)), unconfined=True)
    pairs = [("1 v1", "2 v1"), ("1 v1", "random"), ("2 v1", "random")]
    seats = [each for pair in pairs for each in (pair, pair[::-1])]
    assert [each.players for each in made.games] == seats
    assert referees.played == [specs(made, *each) for each in seats] and referees.closed
    assert [each.pair for each in made.games] == [0, 0, 1, 1, 2, 2]
    assert {each.record.agents for each in made.games} == set(seats)
    assert [each.outcome("1 v1") for each in made.games[:2]] == [1, -1]
    assert {each.processor for each in made.games} == {((0.25,) * 3, (0.125,) * 2)}
    assert {each.memory for each in made.games} == {(11, 22)}
    assert all(each.seconds >= 0 for each in made.games)
    assert seen == [1, 2, 3, 4, 5, 6]
    assert told[1][1].startswith("2 v1 - 1 v1")
    again = replace(made, games=[])
    again.read_games()
    assert [each.players for each in again.games] == seats
    assert run_contest(again, unconfined=True) and len(referees.played) == 6  # all is told
    work = tmp_path / "work"
    assert {(work / name).stat().st_mode & 0o777 for name in ("games.jsonl", "lock")} == {0o600}


def test_a_run_goes_on_with_the_other_game_of_a_pair(tmp_path: Path, referees: StandIn) -> None:
    made = begun(tmp_path, games=1)
    with (tmp_path / GAMES).open("a") as file:
        file.write('{"players": ["1 v')  # as a power cut leaves it
    assert run_contest(made, unconfined=True)
    assert referees.played[0] == specs(made, "2 v1", "1 v1")
    assert [each.pair for each in made.games] == [0, 0, 1, 1, 2, 2]
    assert (tmp_path / GAMES).read_text(encoding="utf-8").count("\n") == 6


def test_a_run_ends_when_somebody_has_seen_enough(tmp_path: Path, referees: StandIn) -> None:
    made = begun(tmp_path)
    assert run_contest(made, unconfined=True, enough=lambda: len(made.games) == 3)
    assert len(made.games) == len(referees.played) == 3


def test_a_run_ends_when_its_time_is_over(tmp_path: Path, referees: StandIn) -> None:
    made = begun(tmp_path, games=2, minutes=0.02)  # 1.2 seconds; two games of a second each
    assert made.games[0].seconds == 1
    assert not run_contest(made, unconfined=True)
    assert referees.played == []


def test_ctrl_c_gives_the_contest_with_the_games_that_are_over(
    tmp_path: Path, referees: StandIn
) -> None:
    made = begun(tmp_path)

    def stop(progress: Progress) -> None:
        if len(made.games) == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        run_contest(made, stop, unconfined=True)
    assert caught.value.result is made and len(made.games) == 2 and referees.closed
    assert (tmp_path / GAMES).read_text(encoding="utf-8").count("\n") == 2


def test_only_one_run_plays_a_contest_at_a_time(tmp_path: Path, referees: StandIn) -> None:
    made = begun(tmp_path)
    with (tmp_path / "work" / "lock").open("ab") as guard:
        lock(guard)
        with pytest.raises(PapanError, match="Another process"):
            run_contest(made, unconfined=True)
    assert referees.played == []
    assert run_contest(made, unconfined=True)  # the lock ends with the process or its file


@pytest.mark.parametrize("unconfined", [True, False])
def test_a_sandbox_is_needed_unless_bots_are_trusted(
    tmp_path: Path, referees: StandIn, monkeypatch: pytest.MonkeyPatch, unconfined: bool
) -> None:
    looks = list[int]()
    monkeypatch.setattr(running, "find_sandbox", lambda: looks.append(1))
    made = begun(tmp_path)
    assert run_contest(made, unconfined=unconfined, enough=lambda: len(made.games) == 1)
    assert looks == [1] * (not unconfined)
    assert ("confined=folder" in referees.played[0][0]) is not unconfined


def test_a_game_that_cannot_be_written_ends_the_run(
    tmp_path: Path, referees: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*which: object) -> None:
        raise OSError(28, "No space left on device")

    made = begun(tmp_path)
    monkeypatch.setattr(running, "append_line", full)
    with pytest.raises(OSError, match=r"games\.jsonl"):
        run_contest(made, unconfined=True)
    assert made.games == [] and referees.closed
