"""A paper as an experiment that can be run again: what it claims, what to do, what was found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from papan.lab.match import unit_seed
from papan.lab.results import Cell, Conclusions, Finding, Text, Verdict
from papan.lab.work import Json, WorkItem

Size = Literal["quick", "full"]


Part = Literal["holds", "fails", "unknown", "today"]


@dataclass(frozen=True)
class Says:
    """A sentence of the conclusion, ``says.NUMBER_NAME``, and the part it belongs to where a run
    bears it out. It rests on the claim of certain lines of the comparison, taken together; without
    lines it is so whatever a run finds."""

    part: Part
    name: str
    lines: tuple[str, ...] = ()
    """The names of their texts."""
    where: Mapping[str, Cell] = field(default_factory=dict)
    """The values that tell its lines from others with the same text; the sentence has them too."""

    def heading(self, number: str, findings: Iterable[Finding]) -> str:
        """Where it stands after a run: in its own part only where the verdict is what it says."""
        if not self.lines:
            return self.part
        keys = {f"paper{number}.{line}" for line in self.lines}
        verdict = joint(
            each.agrees
            for each in findings
            if each.what.key in keys and self.where.items() <= each.what.values.items()
        )
        if verdict == "open":
            return "open"
        return self.part if verdict == EXPECTED[self.part] else "contrary"


EXPECTED: Mapping[Part, Verdict] = {"holds": "yes", "fails": "no"}


def joint(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict on a claim that several lines make up: it holds with all, and falls with one."""
    given = {each for each in verdicts if each in ("yes", "no", "open")}
    return "no" if "no" in given else "yes" if given == {"yes"} else "open"


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
    says: tuple[Says, ...]
    """What follows, sentence by sentence."""

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

    def conclusion(self, findings: Iterable[Finding]) -> Iterator[tuple[Text, list[Text]]]:
        """What follows from the verdicts of a run, in words: what holds, what does not, what it
        does not decide or finds otherwise, what nobody could know, and what is better today."""
        parts: dict[str, list[Text]] = {}
        lines = list(findings)
        for each in self.says:
            sentence = Text(f"says.{self.number}_{each.name}", each.where)
            parts.setdefault(each.heading(self.number, lines), []).append(sentence)
        for part in ("holds", "fails", "open", "contrary", "unknown", "today"):
            if part in parts:
                yield Text(f"lab.says_{part}"), parts[part]

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
