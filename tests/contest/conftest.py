"""Contests without processes: checks that only look at the source, a referee that knows the end."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from papan.contest import checks as checking
from papan.contest import ladder as ladders
from papan.contest import run as running
from papan.contest.checks import Check
from papan.contest.folder import Contest, new_contest
from papan.contest.plan import ContestPlan
from papan.contest.submissions import Version
from papan.core import PapanError
from papan.lab.tournament.plan import parse_assignment
from papan.lab.work import Executor
from tests.contest.test_marks import WIN, game

GOOD = "def choose(position): return position.moves()[0]\n"
BAD = "def choose(position) return 1\n"

Put = Callable[[str, str], None]
Checked = list[tuple[str, bool]]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A contest of four students."""
    new_contest(tmp_path / "cup", "tictactoe", "en", "The Cup")
    plan = tmp_path / "cup" / "plan.toml"
    text = plan.read_text(encoding="utf-8").replace("pairs = 2", "pairs = 1")
    text = text.replace('["random", "level:1", "level:2", "level:3"]', '["random"]')
    plan.write_text(text.partition("# The first grade")[0], encoding="utf-8")
    names = "number,name\n2,Budi\n1,Ani\n3,Citra\n4,Dewi\n"
    (tmp_path / "cup" / "students.csv").write_text(names, encoding="utf-8")
    return tmp_path / "cup"


@pytest.fixture
def put(cup: Path) -> Put:
    """Hands in a file, each a second later than the last one."""
    moments = iter(range(1000, 2000))

    def put(name: str, text: str) -> None:
        path = cup / "submissions" / name
        path.write_text(text, encoding="utf-8")
        moment = next(moments)
        os.utime(path, (moment, moment))

    return put


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Checked:
    """The bots that were checked, each with whether outside the sandbox: only GOOD is legal."""
    found = Checked()

    def check(plan: ContestPlan, version: Version, unconfined: bool) -> Check:
        found.append((version.player, unconfined))
        error = None if GOOD in version.source() else PapanError("contest.empty")
        return Check(version.student, version.number, error, seconds=0.25)

    monkeypatch.setattr(checking, "check_version", check)
    return found


def opened(cup: Path) -> Contest:
    contest = Contest.open(cup)
    contest.check(lambda check: None, unconfined=True)
    return contest


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
def no_referees(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in = StandIn()

    @contextmanager
    def this_machine(pool: StandIn, concurrency: int) -> Iterator[Executor]:
        assert pool is stand_in and concurrency > 0
        yield Executor(pool.play, lambda: 1)

    monkeypatch.setattr(running, "RefereePool", lambda: stand_in)
    monkeypatch.setattr(running, "this_machine", this_machine)
    monkeypatch.setattr(ladders, "MOST_PAIRS", 1)
    return stand_in
