"""Imports may only point down the layers. See docs/architecture.md for the picture."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "papan"

MAY_IMPORT = {
    "core": {"core"},
    "kernels": {"core", "kernels"},
    "games": {"core", "kernels"},  # and its own game
    "agents": {"core", "kernels"},  # and itself
    "agents.level": {"core", "agents"},  # a level is a cast of other agents
    "lab": {"core", "lab"},
    "lab.papers": {"core", "lab", "catalog"},  # a recipe names games and agents as people do
    "plugins": {"core"},
    "catalog": {"core", "games", "agents", "lab", "plugins"},
    "lessons": {"core", "games", "catalog", "lessons"},  # a lesson looks into the game it is about
    "host": {"core", "lab", "catalog"},
    "cli": {"core", "lab", "catalog", "web", "cli"},
    "cli.doctor": {"core", "kernels", "lab", "catalog", "web", "cli"},  # tries the compiled code
    "web": {"core", "lab", "lessons", "catalog", "web"},
    "notebook": {"core", "lab", "catalog", "web", "notebook"},
}


def unit(parts: list[str]) -> str:
    """The part of papan a module belongs to; each game and each agent is a unit of its own."""
    pair = ".".join(parts[:2])
    return pair if parts[0] in ("games", "agents") or pair in MAY_IMPORT else parts[0]


def papan_imports(path: Path) -> set[str]:
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports in full, not as 'from .'"
            modules.add(node.module or "")
        elif isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
    return {module.removeprefix("papan.") for module in modules if module.startswith("papan.")}


@pytest.mark.thorough
def test_imports_point_down() -> None:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = list(path.relative_to(SOURCE).with_suffix("").parts)
        if parts in (["__init__"], ["__main__"]):
            continue
        allowed = MAY_IMPORT.get(unit(parts), MAY_IMPORT[parts[0]])
        for module in papan_imports(path):
            target = module.split(".")
            fine = target[0] in allowed or unit(target) == unit(parts)
            assert fine, f"{'.'.join(parts)} must not import papan.{module}"
