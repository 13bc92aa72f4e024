"""One name, one meaning: a public name that other modules import is defined once in papan."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "papan"

CONVENTIONS = {
    "main": "the way into a process",
    "COMMANDS": "the commands of a group, by name",
    "exhibits": "every paper has a function of this name, which papers/__init__.py calls",
    **dict.fromkeys(
        [
            "choose",
            "match",
            "new",
            "play",
            "prove",
            "replay",
            "review",
            "run",
            "solve",
            "strength",
        ],
        "a command's function has the name of the command",
    ),
    **dict.fromkeys(
        ["evaluate", "margin", "play"], "the questions that compiled rules answer (engine/board.py)"
    ),
}
"""Names with several definitions, and the convention that explains each."""


def defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module defines at its top level."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        for target in targets:
            parts = target.elts if isinstance(target, ast.Tuple) else [target]
            yield from (each.id for each in parts if isinstance(each, ast.Name))


def imported(tree: ast.Module, modules: set[str]) -> Iterator[tuple[str, str]]:
    """Yield what a module takes from others, as (module, name): by import, or as an attribute."""
    aliases, attributes = {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in modules:
                    aliases[alias.asname or alias.name] = whole
                else:
                    yield node.module or "", alias.name
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            attributes.add((node.value.id, node.attr))
    for name, attribute in attributes:
        yield aliases.get(name, ""), attribute


def module_name(path: Path) -> str:
    parts = ("papan", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts).removesuffix(".__init__")


@pytest.mark.thorough
def test_a_public_name_that_is_imported_elsewhere_is_defined_once() -> None:
    modules = {module_name(path): path for path in SOURCE.rglob("*.py")}
    homes = defaultdict(set)
    users = defaultdict(set)
    for name, path in modules.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))  # one at a time: together they are large
        for each in defined(tree):
            homes[each].add(name)
        for source, each in imported(tree, {*modules}):
            users[source, each].add(name)
    several = {
        name: sorted(places)
        for name, places in homes.items()
        if not name.startswith("_") and len(places) > 1
        if any(users[place, name] - {place} for place in places)
    }
    assert {name: where for name, where in several.items() if name not in CONVENTIONS} == {}
    assert CONVENTIONS.keys() <= several.keys(), "a convention that is not needed any more"
