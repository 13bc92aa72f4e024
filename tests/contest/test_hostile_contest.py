"""Twelve submissions in three languages, four of them hostile, through one kill -9."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from papan.cli.agents import new as new_bot
from papan.contest.folder import Contest, new_contest
from papan.contest.pages import write_report
from papan.contest.standings import standings_of
from papan.contest.truth import find_truth
from papan.process.supervisor import processes, read_system_file
from tests.bubblewrap import sandbox_or_skip
from tests.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="a sandbox")]

GOOD = {
    "01": "def choose(position): return position.moves()[0]\n",
    "02": "def choose(position): return position.moves()[-1]\n",
    "03": "import random\ndef choose(position): return random.choice(position.moves())\n",
    "04": "def choose(position): return 4 if 4 in position.moves() else position.moves()[0]\n",
}
HOSTILE = {
    "09": "import os\nwhile True: os.fork()\n",
    "10": "def choose(position): return open('PLAN').read()\n",
    "11": "import os\ndef choose(position): os.kill(-1, 9); return bytearray(1 << 40)\n",
    "12": "def choose(position):\n    while True: print('x' * 1000)\n",
}


def test_a_contest_with_hostile_bots_goes_from_the_plan_to_the_marks(tmp_path: Path) -> None:
    sandbox_or_skip()
    cup = tmp_path / "cup"
    new_contest(cup, "tictactoe", "id")
    plan = cup / "plan.toml"
    text = plan.read_text(encoding="utf-8").replace("minutes = 30", "minutes = 0.7")
    text = text.replace("opening = 4", "opening = 1").replace("seconds = 0.1", "seconds = 0.5")
    plan.write_text(text.replace("pairs = 2", "pairs = 1"), encoding="utf-8")
    handed = {f"{number:02}" for number in range(1, 13)}
    names = "".join(f"{number},Student {number}\n" for number in sorted(handed))
    (cup / "students.csv").write_text(f"number,name\n{names}", encoding="utf-8")
    for number, code in (GOOD | HOSTILE).items():
        file = cup / "submissions" / f"{number}.py"
        file.write_text(code.replace("PLAN", str(plan)), encoding="utf-8")
    tools = {"05": ("gcc", ".c"), "06": ("gcc", ".c"), "07": ("node", ".js"), "08": ("node", ".js")}
    for number, (tool, suffix) in tools.items():
        if shutil.which(tool, path="/usr/bin:/bin"):
            new_bot(cup / "submissions" / f"{number}{suffix}")
    command = [sys.executable, "-P", "-m", "papan", "class", "run", str(cup)]
    journal = cup / "work" / "games.jsonl"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        until(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 5)
        run.kill()
    until(lambda: not _left(cup))
    before = journal.read_bytes().count(b"\n")
    subprocess.run(command, check=True, capture_output=True)
    assert journal.read_bytes().count(b"\n") > before
    contest = Contest.open(cup)
    assert all(contest.verdict(number) for number in HOSTILE)
    playing = {each.student for each in standings_of(contest)}
    assert playing == {*GOOD, *(each for each in tools if each in contest.newest)}
    assert not any(each.forfeits for each in standings_of(contest))
    index = write_report(contest, find_truth(contest))
    rows = (index.parent / "lecturer" / "marks.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 13
    assert len(list((index.parent / "students").iterdir())) == 12
    assert "seed" not in (index.parent / "students" / "10.html").read_text(encoding="utf-8")
    until(lambda: not _left(cup))


def _left(cup: Path) -> list[int]:
    """The processes that run something out of a folder."""
    word = str(cup / "work" / "versions").encode()
    return [each for each in processes() if word in read_system_file(f"/proc/{each}/cmdline")]
