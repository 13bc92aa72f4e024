"""A contest from an empty folder on: checked, played, interrupted, killed and continued."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from papan import catalog
from papan.agents.external import Bot
from papan.contest import checks as checking
from papan.contest import folder as folders
from papan.contest import run as running
from papan.contest.checks import Check
from papan.contest.folder import Contest, new_contest
from papan.contest.plan import ContestPlan
from papan.contest.run import estimate_run, run_contest
from papan.contest.standings import standings_of
from papan.contest.submissions import Version
from papan.core import Move, PapanError, Position, Progress
from papan.lab.match import opening
from papan.lab.referee import ask_move, conduct
from papan.lab.tournament.plan import parse_assignment
from tests.bubblewrap import sandbox_or_skip
from tests.waiting import until

pytestmark = pytest.mark.thorough

FIRST = "def choose(position): return position.moves()[0]\n"
LAST = "def choose(position): return position.moves()[-1]\n"
BROKEN = "def choose(position) return 1\n"
ILLEGAL = "def choose(position): print('hm'); return 99\n"

Put = Callable[[str, str], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A contest of four students on a small board, with one house bot and little time."""
    path = tmp_path / "cup"
    new_contest(path, "tictactoe", "en")
    plan = path / "plan.toml"
    text = plan.read_text(encoding="utf-8")
    text = text.replace("opening = 4", "opening = 1").replace("pairs = 2", "pairs = 1")
    text = text.replace('["random", "level:1", "level:2", "level:3"]', '["random"]')
    text = text.replace("seconds = 0.1", "seconds = 1").partition("# The first grade")[0]
    plan.write_text(text, encoding="utf-8")
    names = "number,name\n1,Ani\n2,Budi\n3,Citra\n4,Dewi\n"
    (path / "students.csv").write_text(names, encoding="utf-8")
    return path


@pytest.fixture
def put(folder: Path) -> Put:
    def put(name: str, text: str) -> None:
        (folder / "submissions" / name).write_text(text, encoding="utf-8")

    return put


def opened(folder: Path) -> Contest:
    contest = Contest.open(folder)
    contest.check(lambda check: None, unconfined=True)
    return contest


def test_k3_broken_submissions_are_set_aside_with_their_reasons(folder: Path, put: Put) -> None:
    for name, text in (("1.py", FIRST), ("2.py", BROKEN), ("3.py", ILLEGAL), ("9.py", FIRST)):
        put(name, text)
    contest = opened(folder)
    assert list(contest.players) == ["1 v1"]
    reasons = {each: str(contest.verdict(each)) for each in "1234"}
    assert reasons["1"] == "None"
    assert "2 v1 cannot be used: SyntaxError" in reasons["2"]
    assert "3 v1 answered 99" in reasons["3"] and "legal: " in reasons["3"]
    assert reasons["4"] == "Nothing was handed in."
    assert contest.strange == ["9.py"]
    assert "hm" in contest.checks["3", 1].output
    again = Contest.open(folder)  # all of it is on the disk
    assert not again.unchecked()
    assert {each: str(again.verdict(each)) for each in "1234"} == reasons


class Stop:
    """Presses Ctrl-C after so many games."""

    def __init__(self, games: int) -> None:
        self.left = games

    def __call__(self, progress: Progress) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


class Referee:
    """In place of all referee processes: plays in this process, so that a game takes no time."""

    def close(self) -> None:
        """There is nothing to close."""

    def play(self, task: str) -> dict[str, Any]:
        assignment = parse_assignment(task)
        plan = assignment.plan
        start = opening(catalog.game(plan.game), plan.opening, assignment.seed)
        agents = [order.agent for order in assignment.orders()]
        record = conduct(start, [self._player(each) for each in agents], agents)
        return asdict(record) | {"effort": [(), ()], "memory": [0, 0]}

    @staticmethod
    def _player(spec: str) -> Callable[[Position], Move]:
        agent = catalog.agent_from_user(spec)
        if not isinstance(agent, Bot):
            return lambda position: ask_move(agent, position)
        found: dict[str, Any] = {}
        exec(Path(agent.file).read_text(encoding="utf-8"), found)
        return lambda position: found["choose"](position)


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each submission is legal, and games take no process."""

    def check(plan: ContestPlan, version: Version, unconfined: bool) -> Check:
        return Check(version.student, version.number, seconds=0.25)

    monkeypatch.setattr(checking, "check_version", check)
    monkeypatch.setattr(running, "RefereePool", Referee)
    monkeypatch.setattr("papan.contest.ladder.MOST_PAIRS", 1)


@pytest.mark.usefixtures("in_this_process")
def test_k3_a_contest_is_interrupted_continued_and_joined_by_latecomers(
    folder: Path, put: Put
) -> None:
    put("1.py", FIRST)
    put("2.py", LAST)
    with pytest.raises(KeyboardInterrupt):
        run_contest(opened(folder), Stop(1), unconfined=True)
    half = opened(folder)
    assert len(half.games) == 1
    assert half.counted() == []
    assert run_contest(half, unconfined=True)
    pairs = Counter(game.pair for game in half.games)
    assert set(pairs.values()) == {2}
    for number in pairs:
        first, second = (game for game in half.games if game.pair == number)
        assert first.players == second.players[::-1]
        assert first.record.start == second.record.start
    assert {each.student for each in standings_of(half)} == {"1", "2"}
    assert all("random" in ladder_rivals(half, each) for each in half.players)
    before = len(half.games)
    put("3.py", FIRST + "# another\n")
    put("1.py", LAST + "# better\n")
    late = opened(folder)
    assert sorted(late.players) == ["1 v2", "2 v1", "3 v1"]
    assert run_contest(late, unconfined=True)
    assert len(late.games) > before
    assert all("1 v1" not in game.players for game in late.games[before:])
    assert {each.player for each in standings_of(late)} == {"1 v2", "2 v1", "3 v1"}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_k1_the_memory_of_a_bot_is_kept_with_its_check_and_its_games(
    folder: Path, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.contest.ladder.MOST_PAIRS", 1)
    plan = folder / "plan.toml"
    plan.write_text(plan.read_text().replace('["random"]', "[]"), encoding="utf-8")
    put("1.py", FIRST)
    put("2.py", f"held = bytearray(90 << 20)\n{LAST}")
    assert run_contest(opened(folder), unconfined=True)
    again = Contest.open(folder)
    small, large = (again.checks[number, 1].memory for number in "12")
    assert 0 < small < 90 << 20 <= large
    used: dict[str, list[int]] = {"1 v1": [], "2 v1": []}
    for game in again.games:
        for player, memory in zip(game.players, game.memory):
            used[player].append(memory)
    assert 0 < min(used["1 v1"]) <= max(used["1 v1"]) < 90 << 20 <= min(used["2 v1"])
    places = {each.student: each for each in standings_of(again)}
    assert places["2"].memory == max(used["2 v1"])
    assert places["1"].memory < 90 << 20


def ladder_rivals(contest: Contest, player: str) -> set[str]:
    """Whom a player has met."""
    return {each for game in contest.counted() if player in game.players for each in game.players}


def test_the_time_of_the_plan_is_kept_over_several_runs(folder: Path, put: Put) -> None:
    put("1.py", FIRST)
    put("2.py", LAST)
    contest = opened(folder)
    guess = estimate_run(contest)
    assert guess.games > 0 and guess.round_robin_hours > 0
    assert guess.minutes == 30
    plan = folder / "plan.toml"
    plan.write_text(plan.read_text().replace("minutes = 30", "minutes = 0.01"), encoding="utf-8")
    assert not run_contest(opened(folder), unconfined=True)


def test_a_run_that_is_killed_loses_no_game_that_was_over(folder: Path, put: Put) -> None:
    put("1.py", FIRST)
    put("2.py", LAST)
    journal = folder / "work" / "games.jsonl"
    command = [sys.executable, "-P", "-m", "papan", "class", "run", str(folder)]
    command.append("--trust-submissions")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        until(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 3)
        with pytest.raises(PapanError, match="Another process"):
            run_contest(Contest.open(folder), unconfined=True)
        run.kill()
    with journal.open("ab") as file:
        file.write(b'{"players": ["1 v')  # as a power cut leaves it
    before = len(Contest.open(folder).games)
    assert before >= 3
    contest = opened(folder)
    with pytest.raises(KeyboardInterrupt):
        run_contest(contest, Stop(1), unconfined=True)
    lines = journal.read_text(encoding="utf-8").splitlines()
    assert len(lines) == before + 1
    assert all(json.loads(line)["game"] for line in lines)


def test_a_folder_with_a_contest_is_not_made_again(folder: Path) -> None:
    with pytest.raises(PapanError, match="has a contest already"):
        new_contest(folder, "tictactoe", "en")


def test_a_link_in_the_place_of_the_work_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "work").symlink_to(tmp_path)
    with pytest.raises(PapanError, match="link"):
        Contest.open(folder)


@pytest.mark.parametrize("name", ["checks.jsonl", "games.jsonl"])
@pytest.mark.parametrize("line", ["{}", "[]", "3", '{"student": [], "version": 1e999}', "[" * 9999])
def test_a_forged_journal_gets_one_sentence(folder: Path, name: str, line: str) -> None:
    (folder / "work").mkdir()
    (folder / "work" / name).write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(PapanError, match=name):
        Contest.open(folder)


def test_a_game_without_moves_is_not_believed(folder: Path) -> None:
    start = "tictactoe:3,3,3 .../.../... x".partition(" ")
    facts = {"players": ["1 v1", "random"], "pair": 0, "processor": [], "seconds": 1}
    record = {"game": start[0], "start": start[2], "agents": ["1 v1", "random"], "moves": ""}
    line = json.dumps(facts | record | {"scores": [1, -1], "end": "win"})
    (folder / "work").mkdir()
    (folder / "work" / "games.jsonl").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(PapanError, match=r"games\.jsonl"):
        Contest.open(folder)


def test_without_a_sandbox_the_code_of_others_is_refused(
    folder: Path, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> None:
        raise PapanError("sandbox.none")

    for module in (running, folders):
        monkeypatch.setattr(module, "find_sandbox", none)
    put("1.py", FIRST)
    contest = Contest.open(folder)
    with pytest.raises(PapanError, match="sudo apt install bubblewrap"):
        contest.check(lambda check: None)
    with pytest.raises(PapanError, match="sudo apt install bubblewrap"):
        run_contest(contest)
    assert not contest.checks


def test_z25_a_line_of_c_does_not_fill_the_disk(folder: Path, put: Put) -> None:
    sandbox_or_skip()
    if not shutil.which("gcc"):
        pytest.skip("no compiler")
    put("1.c", "char large[9 << 20] = {1};\nint main(void) { return large[0]; }\n")
    contest = Contest.open(folder)
    contest.check(lambda check: None)
    assert str(contest.checks["1", 1].error) == "The submission is larger than 8 MB."
    assert not [*folder.glob("work/versions/1/*/compiled")]


def test_k5_submissions_are_built_checked_and_played_confined(folder: Path, put: Put) -> None:
    sandbox_or_skip()
    secret = folder / "plan.toml"
    put("1.py", f"open({str(secret)!r})\n{FIRST}")
    put("2.py", FIRST)
    put("3.c", f'#include "{secret}"\nint main(void) {{ return 0; }}\n')
    put("4.py", "import os\ndef choose(position):\n    return os.listdir('..')[0]\n")
    contest = Contest.open(folder)
    contest.check(lambda check: None)
    assert list(contest.players) == ["2 v1"]
    assert "No such file" in str(contest.verdict("1"))
    compiled = contest.checks["3", 1]
    assert str(compiled.error) in (
        "The compiler refuses it.",
        "This machine has no compiler for C (gcc).",
    )
    assert "seed" not in compiled.output
    with pytest.raises(KeyboardInterrupt):
        run_contest(contest, Stop(1))
    assert contest.games[0].record.end in ("win", "draw")
    assert str(folder) not in json.dumps(contest.games[0].json())
