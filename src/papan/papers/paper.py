"""A paper as an experiment that can be run again: what it claims, what to do, what was found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from papan.lab.match import unit_seed
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
    claimed: tuple[str, ...]
    remarked: tuple[str, ...]
    """The names of its `claims` and `remarks`."""
    amounts: Mapping[Size, Any]
    """How much is played and measured; each recipe has its own kind of amount."""
    plan: Callable[[Any, int], Iterable[WorkItem]]
    conclude: Callable[[Found], Conclusions]

    @property
    def claims(self) -> tuple[Text, ...]:
        """What the paper says, in its own words (Indonesian) and in English."""
        return tuple(Text(f"paper{self.number}.claim_{name}") for name in self.claimed)

    @property
    def recipe(self) -> Text:
        """What is done to test it."""
        return Text(f"paper{self.number}.recipe")

    @property
    def remarks(self) -> tuple[Text, ...]:
        """Where we differ from it, and why."""
        return tuple(Text(f"paper{self.number}.remark_{name}") for name in self.remarked)

    @property
    def conclusion(self) -> tuple[tuple[Text, Text], ...]:
        """What follows, in words: what holds, what does not, what nobody could know, and today."""
        return tuple(
            (Text(f"lab.says_{part}"), Text(f"says.{part}_{self.number}"))
            for part in ("holds", "fails", "unknown", "today")
        )

    def items(self, size: Size, seed: int) -> list[WorkItem]:
        """All the work of a run; a plan counts on from the seed of the first unit."""
        return list(self.plan(self.amounts[size], unit_seed(seed, 0)))


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


@dataclass(frozen=True)
class Stage:
    """A part of the course that leads to a paper; its text is ``course.NUMBER_NAME``."""

    name: str
    address: str
    """The page: a lesson, a board, an agent to watch, two variants, or the experiment."""


def course(paper: Paper) -> tuple[Stage, ...]:
    """From the first idea of a paper to its experiment, in the order in which it is best taken."""
    return tuple(Stage(name, address) for name, address in _courses()[paper.number])


@cache
def _courses() -> dict[str, Json]:
    text = files("papan").joinpath("papers", "courses.json").read_text(encoding="utf-8")
    courses: dict[str, Json] = json.loads(text)
    return courses
