"""The four paths of docs/architecture.md are those that the program really takes.

Each hop that the page names, a file and a function of it, writes down when it is called, in all
processes of a path. Every one must have been called, each for the first time after the hop before
it.
"""

import json
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
Hops = list[tuple[str, str]]
"""Files and functions."""
WATCHER = """
import ast, builtins, json, os, time
from functools import wraps
from importlib.machinery import SourceFileLoader

source, calls = os.environ["PATHS_SOURCE"], os.environ["PATHS_CALLS"]
hops = json.loads(os.environ["PATHS_HOPS"])
seen = set()
get_code = SourceFileLoader.get_code

def note_call(file, name):
    if (file, name) not in seen:
        seen.add((file, name))
        written = os.open(calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(written, f"{time.monotonic_ns()} {file} {name}\\n".encode())
        os.close(written)

def noting(file, name):
    def decorate(function):
        @wraps(function)
        def noted(*arguments, **named):
            note_call(file, name)
            return function(*arguments, **named)
        return noted
    return decorate

def decorate(node, file, outer):
    for child in ast.iter_child_nodes(node):
        name = outer + getattr(child, "name", "")
        if isinstance(child, ast.ClassDef):
            decorate(child, file, name + ".")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and name in hops[file]:
            (inner,) = ast.parse(f"_noting({file!r}, {name!r})").body
            child.decorator_list.append(inner.value)

def watched_code(self, module):
    file = self.path[len(source) + 1:] if self.path.startswith(source) else ""
    if file not in hops:
        return get_code(self, module)
    tree = ast.parse(self.get_data(self.path))
    decorate(tree, file, "")
    return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)

builtins._noting = noting
SourceFileLoader.get_code = watched_code
"""


def path(title: str) -> Hops:
    """Return the hops of the path whose paragraph begins with *title*."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.partition("## Four paths")[2].partition("\n## ")[0]
    paragraph = next(each for each in section.split("\n\n") if each.startswith(f"**{title}"))
    return HOP.findall(paragraph)


def environment(folder: Path, hops: Hops) -> dict[str, str]:
    """Return an environment in which every Python process writes its calls into *folder*."""
    (folder / "sitecustomize.py").write_text(WATCHER, encoding="utf-8")
    names = {file: [name for each, name in hops if each == file] for file, _ in hops}
    paths = {"PATHS_SOURCE": str(SOURCE), "PATHS_CALLS": str(folder / "calls")}
    paths |= {"PATHS_HOPS": json.dumps(names), "PYTHONPATH": str(folder)}
    return {**os.environ, **paths, "XDG_DATA_HOME": str(folder)}


def first_calls(folder: Path) -> dict[tuple[str, str], int]:
    """Return when each function was first called, in any process."""
    calls: dict[tuple[str, str], int] = {}
    lines = (folder / "calls").read_text(encoding="utf-8").splitlines()
    for time, file, name in sorted((int(t), f, n) for t, f, n in map(str.split, lines)):
        calls.setdefault((file, name), time)
    return calls


def assert_taken(hops: Hops, folder: Path) -> None:
    calls = first_calls(folder)
    assert [hop for hop in hops if hop not in calls] == []
    taken = sorted(hops, key=lambda hop: calls[hop])
    assert [calls[hop] for hop in hops] == sorted(calls[hop] for hop in hops), taken


def assert_runs(folder: Path, title: str, *command: str) -> None:
    """Run ``papan`` with a command: it must take the path whose paragraph begins with *title*."""
    hops = path(title)
    arguments = [sys.executable, "-P", "-m", "papan", *command]
    subprocess.run(arguments, env=environment(folder, hops), check=True, stdout=subprocess.DEVNULL)
    assert_taken(hops, folder)


def test_the_page_has_four_paths_with_hops() -> None:
    titles = ("A move in the browser", "`papan solve", "`papan tournament run", "`papan lab run")
    assert all(len(path(title)) >= 6 for title in titles)


@pytest.mark.thorough
def test_papan_solve_takes_the_path_of_the_page(tmp_path: Path) -> None:
    assert_runs(tmp_path, "`papan solve", "solve", "connect4 444444333333")


@pytest.mark.thorough
def test_papan_tournament_takes_the_path_of_the_page(tmp_path: Path) -> None:
    command = f"tournament run {tmp_path}/cup random level:1 --pairs 1 --concurrency 1"
    assert_runs(tmp_path, "`papan tournament run", *command.split())


@pytest.mark.slow
def test_papan_lab_takes_the_path_of_the_page(tmp_path: Path) -> None:
    command = f"lab run 004 --quick --workers 2 --folder {tmp_path}/lab"
    assert_runs(tmp_path, "`papan lab run", *command.split())


@pytest.mark.thorough
def test_a_move_in_the_browser_takes_the_path_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hops = path("A move in the browser")
    scripts = [hop for hop in hops if hop[0].startswith("js/")]
    hops = [hop for hop in hops if hop not in scripts]
    for name, value in environment(tmp_path, hops).items():
        monkeypatch.setenv(name, value)
    turn = {"start": "connect4", "moves": "", "move": "4", "agents": ["human", "level:2"]}
    with serving(tmp_path / "data") as (address, _):
        answer = httpx2.post(f"{address}/api/v1/turn", json=turn, timeout=300)
        assert '"t": "analysis"' in answer.text or '"t":"analysis"' in answer.text
    for file, name in scripts:
        text = (SOURCE / "web" / "static" / file).read_text(encoding="utf-8")
        assert re.search(rf"\b{name.rpartition('.')[2]}\b", text), (file, name)
    assert_taken(hops, tmp_path)
