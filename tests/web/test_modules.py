"""The modules of the web server import each other in one direction, within functions too."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import papan.web

FOLDER = Path(papan.web.__file__).parent


def imported(path: Path) -> set[str]:
    """Return the modules of the web server that a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "papan.web":
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("papan.web."):
            names.add(str(node.module).removeprefix("papan.web."))
    return names


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = {path.stem: imported(path) for path in FOLDER.glob("*.py")}
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)  # raises for a cycle


def test_a_worker_does_without_the_server() -> None:
    graph = {path.stem: imported(path) for path in FOLDER.glob("*.py")}
    needed, ahead = set[str](), {"worker"}
    while ahead:
        needed |= ahead
        ahead = {name for each in ahead for name in graph[each]} - needed
    shared = {"worker_protocol", "boards", "puzzle_turns", "bundle", "settings"}
    assert needed == {"worker", *shared, "bot_runs", "offline", "link_sheet", "network"}
