"""The tests themselves: what they need is there wherever they run, and their tools work."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import take_interruptions

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / "tools"

COUNT_LOOPS = """
import os
from pathlib import Path
for stat in Path("/proc").glob("[0-9]*/stat"):
    try:
        parent = stat.read_text().rpartition(")")[2].split()[1]
    except OSError:
        continue
    if int(parent) == os.getppid() and int(stat.parent.name) != os.getpid():
        print(stat.parent.name)
"""


@contextmanager
def signals_kept() -> Iterator[None]:
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def test_tests_without_a_browser_and_the_quick_ones_start_none() -> None:
    files = sorted((ROOT / "tests" / "web" / "browser").glob("test_*.py"))
    assert len(files) > 20
    assert [
        each.name for each in files if "pytestmark = pytest.mark.browser\n" not in _text(each)
    ] == []


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_l02_no_test_waits_for_a_fixed_time_or_asserts_one() -> None:
    fixed = re.compile(
        r"wait_for_timeout\(|set_default_timeout\(\d|(perf_counter|monotonic)\(\) - "
    )
    here = Path(__file__)
    others = [path for path in (ROOT / "tests").rglob("test_*.py") if path != here]
    assert [path.name for path in others if fixed.search(path.read_text(encoding="utf-8"))] == []


def test_v06_processes_of_tests_hear_ctrl_c_even_behind_nohup() -> None:
    script = "import signal; signal.raise_signal(signal.SIGINT)"
    with signals_kept():
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        take_interruptions()
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode == -signal.SIGINT


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_l02_a_command_runs_beside_busy_loops_of_which_none_stays() -> None:
    command = [sys.executable, str(TOOLS / "beside-busy-loops"), "-n", "3"]
    watch = [sys.executable, "-c", COUNT_LOOPS + "raise SystemExit(7)"]
    done = subprocess.run([*command, *watch], capture_output=True, text=True, check=False)
    assert done.returncode == 7
    loops = done.stdout.split()
    assert len(loops) == 3
    assert not any(Path(f"/proc/{loop}").exists() for loop in loops)


def test_l02_repeating_tests_counts_which_failed_how_often(tmp_path: Path) -> None:
    script = (
        f"echo x >> {tmp_path}/runs\n"
        "echo 'FAILED tests/test_a.py::test_always[1 - 2] - assert 1 == 2'\n"
        f"[ $(wc -l < {tmp_path}/runs) = 2 ] && echo 'ERROR tests/test_b.py::test_once'; exit 1"
    )
    command = [sys.executable, str(TOOLS / "repeat"), "3", "sh", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    summary = re.sub(r"\s+", " ", done.stdout.partition("3 of 3 runs failed.")[2]).strip()
    assert summary == "3 tests/test_a.py::test_always[1 - 2] 1 tests/test_b.py::test_once"
