"""Which games and agents there are: by papan's own folders, and by entry points of other packages.

A folder in ``papan/games`` with a ``rules.py`` is a game. A module in ``papan/agents``, and the
``paper.py`` of a game, bring agents. There is no list to edit.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import MISSING, dataclass, fields
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from papan.core import Agent, Game, PapanError
from papan.core.text import in_one_line

T = TypeVar("T", Game, Agent)


def games() -> dict[str, type[Game]]:
    """The games in papan's folder by their names, in the order of menus."""
    found = _classes("papan.games", "*/rules.py", Game)  # type: ignore[type-abstract]
    return {game.name: game for game in sorted(found, key=lambda game: (game.place, game.name))}


def agents() -> dict[str, type[Agent]]:
    """The agents in papan's folders by their names; those that know one game come last."""
    found: dict[str, type[Agent]] = {}
    for package, pattern in (("papan.agents", "[!_]*"), ("papan.games", "*/paper.py")):
        kinds = _classes(package, pattern, Agent)  # type: ignore[type-abstract]
        found |= {kind.name: kind for kind in sorted(kinds, key=lambda kind: kind.name)}
    return found


def _classes(package: str, pattern: str, kind: type[T]) -> Iterator[type[T]]:
    """The classes of *kind* in the modules of a package that their name alone can build."""
    for module in modules(package, pattern):
        for each in vars(module).values():
            if isinstance(each, type) and issubclass(each, kind) and _own(each, module):
                yield each


def modules(package: str, pattern: str) -> Iterator[ModuleType]:
    """The modules of a package whose files match *pattern*, imported one by one."""
    for folder in map(Path, import_module(package).__path__):
        for path in sorted(folder.glob(pattern)):
            if path.suffix == ".py" or path.joinpath("__init__.py").exists():
                parts = path.relative_to(folder).with_suffix("").parts
                yield import_module(".".join((package, *parts)))


def _own(kind: type[Game] | type[Agent], module: ModuleType) -> bool:
    """Is it defined there, under a name of its own, and does every setting have a default?"""
    here = f"{kind.__module__}.".startswith(f"{module.__name__}.")
    if not here or "name" not in vars(kind) or isabstract(kind):
        return False
    return all((each.default, each.default_factory) != (MISSING, MISSING) for each in fields(kind))


@dataclass(frozen=True)
class Broken:
    """A plug-in that cannot be used, and why."""

    name: str
    package: str
    error: BaseException

    def why(self, language: str) -> str:
        """What is wrong with it, in one line."""
        if isinstance(self.error, PapanError):
            return self.error.text(language)
        return in_one_line(self.error)[:300]


def plugins(
    group: str, kind: type[T], taken: Container[str]
) -> tuple[dict[str, type[T]], list[Broken]]:
    """The classes of *kind* that other packages offer in *group*, by name, and what is broken."""
    found: dict[str, type[T]] = {}
    broken = []
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        try:
            offered = _checked(point, kind)
            if offered.name in taken or offered.name in found:
                raise PapanError("plugin.name_taken", taken=offered.name)
            found[offered.name] = offered
        except (Exception, SystemExit) as error:  # it is not ours, and may do anything
            package = point.dist.name if point.dist else "?"
            broken.append(Broken(point.name, package, error))
    return found, broken


def _checked(point: EntryPoint, kind: type[T]) -> type[T]:
    """The class behind an entry point, if it is one and its text names it."""
    offered = point.load()
    if not (isinstance(offered, type) and issubclass(offered, kind)):
        raise PapanError("plugin.wrong_kind", value=point.value, kind=kind.__name__)
    if offered().spec.partition(":")[0] != offered.name:
        raise PapanError("plugin.wrong_name", name=offered.name, spec=offered().spec)
    return offered
