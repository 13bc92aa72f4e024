"""A paper as an experiment that can be run again: what to do, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from papan.lab.results import Conclusions, Text
from papan.lab.work import Json, WorkItem

Size = Literal["quick", "full"]


@dataclass(frozen=True)
class Paper:
    """A recipe: `plan` splits the work into units, `conclude` reads what they found."""

    number: str
    game: str
    title: str
    """In the language of the paper."""
    authors: str
    year: int
    claims: tuple[Text, ...]
    """What the paper says, in its own words (Indonesian) and in English."""
    recipe: Text
    """What is done to test it."""
    remarks: tuple[Text, ...]
    """Where we differ from it, and why."""
    amounts: Mapping[Size, Any]
    """How much is played and measured; each recipe has its own kind of amount."""
    plan: Callable[[Any, int], Iterable[WorkItem]]
    conclude: Callable[[Found], Conclusions]

    def items(self, size: Size, seed: int) -> list[WorkItem]:
        """All the work of a run."""
        return list(self.plan(self.amounts[size], seed))


class Found:
    """What the units found, by name; names with a common beginning belong together."""

    def __init__(self, found: Mapping[str, Json]) -> None:
        self._found = found

    def __getitem__(self, name: str) -> Json:
        return self._found[name]

    def under(self, beginning: str) -> Iterator[Json]:
        """What all units with names like ``beginning/1`` found, in the order of those numbers."""
        parts = [name for name in self._found if name.rpartition("/")[0] == beginning]
        for name in sorted(parts, key=lambda name: int(name.rpartition("/")[2])):
            yield self._found[name]

    def joined(self, beginning: str) -> list[Json]:
        """The lists that all those units found, as one."""
        return [item for part in self.under(beginning) for item in part]


def parts(beginning: str, total: int, largest: int) -> Iterator[tuple[str, int, int]]:
    """Pieces of at most *largest* out of *total*: the name of a unit, its first, and how many."""
    for number, first in enumerate(range(0, total, largest), start=1):
        yield f"{beginning}/{number}", first, min(largest, total - first)
