"""Imports may only point down the layers. See docs/architecture.md for the picture."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "papan"

MAY_IMPORT = {
    "core": "core",
    "engine": "core engine",
    "games": "core engine",  # and its own game
    "process": "core process",
    "agents": "core engine",  # and itself
    "agents.minimax": "core engine agents",  # alpha-beta that does not prune
    "agents.solver": "core engine agents",  # the net plays where nothing is proved in time
    "agents.level": "core engine agents",  # a level is a cast of other agents
    "agents.learned": "core engine agents",  # and its tables
    "agents.external": "core process",  # bots of users
    "lab": "core lab process",
    "catalog": "core games agents",
    "api": "core agents lab catalog",
    "library": "core lab catalog api notebook",  # all that is offered
    "plugins": "",
    "training": "core engine agents lab catalog api",  # a player meets others
    "lessons": "core games agents catalog lessons",  # it knows what it is about
    "puzzles": "core games lab catalog api puzzles",
    "contest": "core lab catalog api process contest",
    "bot_main": "core lab catalog process",
    "papers": "core lab catalog api papers",  # a recipe names games and agents as people do
    "terminal": "core lab catalog terminal",
    "cli": "core lab catalog api contest papers puzzles process web terminal cli",
    "cli.agents": "core agents lab catalog terminal training cli",
    "cli.doctor": "core engine lab catalog api process web terminal cli",
    "web": "core contest lab lessons catalog api papers puzzles process training web",
    "notebook": "core lab catalog api web notebook",
}
"""For each part of papan, the parts that it may import."""


def unit(parts: list[str]) -> str:
    """The part of papan a module belongs to; each game and each agent is a unit of its own."""
    pair = ".".join(parts[:2])
    return pair if parts[0] in ("games", "agents") or pair in MAY_IMPORT else parts[0]


def room(parts: list[str]) -> list[str]:
    """The lesson and the puzzles of a game lie in its folder, but its rules do not know them."""
    rooms = {"lesson": "lessons", "puzzles": "puzzles"}
    own = rooms.get("".join(parts[2:3])) if parts[0] == "games" else None
    return [own, *parts] if own else parts


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a module, whatever they are in; no expressions, which are many."""
    for part in ("body", "orelse", "handlers", "finalbody", "cases"):
        for node in getattr(tree, part, ()):
            yield node
            yield from statements(node)


@cache
def imports_of(path: Path) -> list[tuple[str, list[str]]]:
    """What a module imports, anywhere in it: of which module which names; none: all of it."""
    found = list[tuple[str, list[str]]]()
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports in full, not as 'from .'"
            found.append((node.module or "", [alias.name for alias in node.names]))
        elif isinstance(node, ast.Import):
            found += [(alias.name, []) for alias in node.names]
    return found


def papan_imports(path: Path) -> set[str]:
    modules = {module for module, _ in imports_of(path)}
    for module, names in imports_of(path):
        if module == "papan":  # from papan import catalog
            modules.update(f"papan.{name}" for name in names)
    return {module.removeprefix("papan.") for module in modules if module.startswith("papan.")}


def all_imports() -> Iterator[tuple[list[str], list[str]]]:
    """Every import inside papan: the parts of the module's name, and of what it imports."""
    for path in sorted(SOURCE.rglob("*.py")):
        parts = list(path.relative_to(SOURCE).with_suffix("").parts)
        if parts not in (["__init__"], ["__main__"]):
            for module in papan_imports(path):
                yield room(parts), room(module.split("."))


def cycle(imports: Iterable[tuple[list[str], list[str]]]) -> list[str]:
    """The packages that import each other in a circle, over any number of steps; none is right."""
    graph: dict[str, set[str]] = {}
    for (package, *_), (target, *_) in imports:
        if package != target:
            graph.setdefault(package, set()).add(target)
    sorter = TopologicalSorter(graph)
    try:
        sorter.prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


@pytest.mark.thorough
def test_imports_point_down_and_never_in_a_circle() -> None:
    imports = [*all_imports()]  # to read them takes a second
    for parts, target in imports:
        allowed = MAY_IMPORT.get(unit(parts), MAY_IMPORT[parts[0]]).split()
        fine = target[0] in allowed or unit(target) == unit(parts)
        assert fine, f"{'.'.join(parts)} must not import papan.{'.'.join(target)}"

    assert cycle(imports) == []
    assert cycle([*imports, (["lab", "match"], ["papers", "dots"])]), "by way of papers"


@pytest.mark.thorough
def test_the_package_imports_none_of_the_tools() -> None:
    for path in SOURCE.rglob("*.py"):
        assert not [name for name, _ in imports_of(path) if name.partition(".")[0] == "tools"], path


def test_a_package_that_comes_back_to_itself_is_found() -> None:
    """As it was once: a module of the laboratory had papers, which know the catalogue."""
    once = [
        (["lab", "registry"], ["lab", "papers"]),
        (["lab", "papers", "dots"], ["catalog"]),
        (["catalog"], ["lab", "match"]),
    ]
    assert set(cycle(once)) == {"lab", "catalog"}


def test_every_decision_is_in_the_index() -> None:
    decisions = SOURCE.parents[1] / "docs" / "decisions"
    index = (decisions / "README.md").read_text(encoding="utf-8")
    for page in decisions.glob("0*.md"):
        title = page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# 0123456789.")
        assert f"[{title}]({page.name})" in index
