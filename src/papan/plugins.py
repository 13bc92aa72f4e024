"""Games and agents from other packages, found by their entry points; a broken one does no harm."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from papan.core import Agent, Game, PapanError

T = TypeVar("T", Game, Agent)


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
        return " ".join(f"{type(self.error).__name__}: {self.error}".split())[:300]


def load(
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
