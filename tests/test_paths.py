"""The four paths of docs/architecture.md are those that the program really takes.

Each path runs under a profiler, in all of its processes. Every hop that the page names, a file and
a function of it, must have been called, each for the first time after the hop before it.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.web.server import serving

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "papan"
PAGE = ROOT / "docs" / "architecture.md"
HOP = re.compile(r"`([\w/]+\.(?:py|js))`\s\(`([\w.]+)`")
PROFILER = """
import os, sys, threading, time
source, calls = os.environ["PATHS_SOURCE"], os.environ["PATHS_CALLS"]
seen = set()

def profile(frame, event, argument):
    code = frame.f_code
    if event != "call" or code in seen:
        return
    seen.add(code)
    if code.co_flags & 1 and code.co_filename.startswith(source):  # a function, not a class body
        line = f"{time.monotonic_ns()} {code.co_filename[len(source) + 1:]} {code.co_qualname}\\n"
        file = os.open(calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, line.encode())
        os.close(file)

sys.setprofile(profile)
threading.setprofile(profile)
"""


def path(title: str) -> list[tuple[str, str]]:
    """Return the hops of the path whose paragraph begins with *title*: files and functions."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.partition("## Four paths")[2].partition("\n## ")[0]
    paragraph = next(each for each in section.split("\n\n") if each.startswith(f"**{title}"))
    return HOP.findall(paragraph)


def environment(folder: Path) -> dict[str, str]:
    """Return an environment in which every Python process writes its calls into *folder*."""
    (folder / "sitecustomize.py").write_text(PROFILER, encoding="utf-8")
    paths = {"PATHS_SOURCE": str(SOURCE), "PATHS_CALLS": str(folder / "calls")}
    return {**os.environ, **paths, "PYTHONPATH": str(folder), "XDG_DATA_HOME": str(folder)}


def first_calls(folder: Path) -> dict[tuple[str, str], int]:
    """Return when each function was first called, in any process."""
    calls: dict[tuple[str, str], int] = {}
    lines = (folder / "calls").read_text(encoding="utf-8").splitlines()
    for time, file, name in sorted((int(t), f, n) for t, f, n in map(str.split, lines)):
        calls.setdefault((file, name), time)
    return calls


def assert_taken(hops: list[tuple[str, str]], folder: Path) -> None:
    calls = first_calls(folder)
    assert [hop for hop in hops if hop not in calls] == []
    taken = sorted(hops, key=lambda hop: calls[hop])
    assert [calls[hop] for hop in hops] == sorted(calls[hop] for hop in hops), taken


def run(folder: Path, *command: str) -> None:
    arguments = [sys.executable, "-P", "-m", "papan", *command]
    subprocess.run(arguments, env=environment(folder), check=True, stdout=subprocess.DEVNULL)


def test_the_page_has_four_paths_with_hops() -> None:
    titles = ("A move in the browser", "`papan solve", "`papan tournament run", "`papan lab run")
    assert all(len(path(title)) >= 6 for title in titles)


@pytest.mark.thorough
def test_papan_solve_takes_the_path_of_the_page(tmp_path: Path) -> None:
    run(tmp_path, "solve", "connect4 444444333333")
    assert_taken(path("`papan solve"), tmp_path)


@pytest.mark.thorough
def test_papan_tournament_takes_the_path_of_the_page(tmp_path: Path) -> None:
    command = f"tournament run {tmp_path}/cup random level:1 --game tictactoe --pairs 1"
    run(tmp_path, *command.split())
    assert_taken(path("`papan tournament run"), tmp_path)


@pytest.mark.slow
def test_papan_lab_takes_the_path_of_the_page(tmp_path: Path) -> None:
    command = f"lab run 004 --quick --workers 2 --folder {tmp_path}/lab"
    run(tmp_path, *command.split())
    assert_taken(path("`papan lab run"), tmp_path)


@pytest.mark.thorough
def test_a_move_in_the_browser_takes_the_path_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    turn = {"start": "connect4", "moves": "", "move": "4", "agents": ["human", "level:2"]}
    with serving(tmp_path / "data", warm=True) as (address, _):
        answer = httpx2.post(f"{address}/api/v1/turn", json=turn, timeout=300)
        assert '"t": "analysis"' in answer.text or '"t":"analysis"' in answer.text
    scripts = [hop for hop in path("A move in the browser") if hop[0].startswith("js/")]
    for file, name in scripts:
        text = (SOURCE / "web" / "static" / file).read_text(encoding="utf-8")
        assert re.search(rf"\b{name.rpartition('.')[2]}\b", text), (file, name)
    assert_taken([hop for hop in path("A move in the browser") if hop not in scripts], tmp_path)
