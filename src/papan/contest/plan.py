"""The plan of a contest: a file in TOML that the lecturer reads and edits."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from dataclasses import dataclass, field, fields
from datetime import datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, Literal, get_args, get_origin, get_type_hints

from papan import catalog
from papan.contest.formula import Formula
from papan.core import Game, InvalidSpecError, Limit
from papan.core.files import read_regular
from papan.core.spec import nearest
from papan.lab.match import check_opening

PLAN, STUDENTS, SUBMISSIONS = "plan.toml", "students.csv", "submissions"
"""What a lecturer edits in the folder of a contest."""
LARGEST_PLAN = 64_000
"""Most bytes of a plan; a new one has 3,000. Reading one takes a server less than 50 ms."""
LARGEST_SEED = 2**63 - 1
MEASURES = (
    "points",
    "rank",
    "students",
    "score",
    "house",
    "accuracy",
    "hidden",
    "regret",
    "forfeits",
)
"""What a formula can use beside the shares against house bots, such as ``vs_level_2``.

``points`` is the value of the formula of the points, ``rank`` the place from 1 and ``students`` how
many take part; ``score`` and ``house`` are shares of points, 0 to 1, in all games and against house
bots; ``accuracy`` is the share of hidden positions in which no points were lost, ``hidden`` their
number, and ``regret`` the mean of the points lost there; ``forfeits`` is a number of games.
"""


@dataclass(frozen=True)
class BotBudget:
    """The limits of every bot for a move: seconds, megabytes, and whether it may use papan.

    Raise InvalidSpecError if one is out of range.
    """

    seconds: float = 0.1
    """Seconds for a move, 0.01 to 600: by the clock, and of processor time of all its processes
    together.
    """
    memory: int = 512
    """Memory of all its processes together, 64 to 1,000,000 megabytes."""
    searches: bool = False
    """True if bots may use papan's own searches and solvers."""

    def __post_init__(self) -> None:
        _demand("limits.seconds", self.seconds, 0.01, 600)
        _demand("limits.memory", self.memory, 64, 1_000_000)


@dataclass(frozen=True)
class LadderPlan:
    """The plan of the games: minutes in all, random opening plies, seed, and games at a time.

    Raise InvalidSpecError for a value out of range.
    """

    minutes: float = 30
    """Time for all games, in minutes by the clock: 0.01 to 1,000,000."""
    opening: int = 4
    """Random plies before the bots take over: 0 to 100."""
    seed: int = 0
    """The number that all chance is drawn from: openings, hidden positions, and the agents' seeds.

    It is from 0 to `LARGEST_SEED`.
    """
    at_a_time: int = 0
    """Number of games at the same time, at most 1024; 0: one for each core."""

    def __post_init__(self) -> None:
        _demand("ladder.minutes", self.minutes, 0.01, 1_000_000)
        _demand("ladder.opening", self.opening, 0, 100)
        _demand("ladder.seed", self.seed, 0, LARGEST_SEED)
        _demand("ladder.at_a_time", self.at_a_time, 0, 1024)

    def shown_seed(self, purpose: str) -> int:
        """Return the seed for *purpose*, such as ``game 3``: 0 to 2**31 - 1, always the same.

        Bots are told it, and pages show what is drawn from it. `seed` itself, from which anyone
        could draw the hidden positions, cannot be computed from it.
        """
        return int.from_bytes(sha256(f"{self.seed} {purpose}".encode()).digest()[:4], "big") >> 1


@dataclass(frozen=True)
class HousePlan:
    """The house bots: agents of papan that every bot meets in *pairs* pairs of games.

    They are not ranked. Raise InvalidSpecError if *pairs* is out of range.
    """

    agents: tuple[str, ...] = ("random", "level:1", "level:2", "level:3")
    """Their specs, which `ContestPlan` checks."""
    pairs: int = 2
    """Pairs of games of each bot against each of them: 0 to 1000."""

    def __post_init__(self) -> None:
        _demand("house.pairs", self.pairs, 0, 1000)


@dataclass(frozen=True)
class TruthPlan:
    """How bots are judged by exact values: numbers of hidden positions and of reviewed games.

    Raise InvalidSpecError for a value out of range.
    """

    positions: int = 30
    """Number of hidden positions, 0 to 1000."""
    games: int = 3
    """Number of lost games of each bot that are reviewed, at most: 0 to 1000."""
    seconds: float = 4
    """Seconds for the review of one game, about: 0.1 to 600."""

    def __post_init__(self) -> None:
        _demand("truth.positions", self.positions, 0, 1000)
        _demand("truth.games", self.games, 0, 1000)
        _demand("truth.seconds", self.seconds, 0.1, 600)


@dataclass(frozen=True)
class Grade:
    """A grade, and the formula *when*: the first grade for which it is not 0 is given."""

    grade: str
    """The grade as text, such as B."""
    when: str
    """A formula over the measures, such as ``vs_level_2 > 0.5``."""


@dataclass(frozen=True)
class MarksPlan:
    """The formula of a student's points, and the grades with a formula each."""

    points: str = "60 * house + 40 * accuracy"
    """A formula over the `MEASURES` other than points, and over `measure_of` each house bot."""
    grades: tuple[Grade, ...] = ()
    """The grades in the order in which they are tried."""


@dataclass(frozen=True)
class ContestPlan:
    """The whole plan of a contest, checked: title, game, deadline, limits, and how to mark.

    Raise InvalidSpecError for a value that is wrong, also in a formula or a spec; another
    PapanError if a house bot does not play the game.
    """

    title: str
    """The title of the contest, for people."""
    game: str
    """The spec of a game for two, such as ``connect4``."""
    language: Literal["en", "id"] = "en"
    """The language of its pages and reports."""
    deadline: str = ""
    """The last moment at which a file may be handed in, as ``2026-12-01 23:59``; empty: none.

    It is local time unless it names a zone, as in ``2026-12-01 23:59+07:00``.
    """
    submissions_a_day: int = 20
    """Versions, 1 to 10000, that a student may hand in over the web on one day, local time."""
    limits: BotBudget = field(default_factory=BotBudget)
    ladder: LadderPlan = field(default_factory=LadderPlan)
    house: HousePlan = field(default_factory=HousePlan)
    truth: TruthPlan = field(default_factory=TruthPlan)
    marks: MarksPlan = field(default_factory=MarksPlan)
    disqualified: dict[str, str] = field(default_factory=dict)
    """The reason by the number of each student who does not take part."""

    def __post_init__(self) -> None:
        rules = self.rules
        if rules.seats != 2:
            raise InvalidSpecError("contest.one_seat", game=self.game)
        check_opening(rules, self.ladder.opening)
        for spec in self.house.agents:
            catalog.agent(spec).check_plays(rules)
        _demand("submissions_a_day", self.submissions_a_day, 1, 10_000)
        if self.deadline:
            self.last_moment()
        names = (*MEASURES, *map(measure_of, self.house.agents))
        Formula(self.marks.points, [name for name in names if name != "points"])
        for grade in self.marks.grades:
            Formula(grade.when, names)

    @property
    def rules(self) -> Game:
        """The game that is played."""
        return catalog.game(self.game)

    @property
    def limit(self) -> Limit:
        """The limit of a move: its seconds by the clock; nodes are not limited."""
        return Limit(seconds=self.limits.seconds)

    def last_moment(self) -> float:
        """Return the deadline as a Unix time in seconds; infinite without one.

        It is read as local time unless it names a zone. Raise InvalidSpecError if it cannot be
        read.
        """
        if not self.deadline:
            return float("inf")
        try:
            return datetime.fromisoformat(self.deadline).timestamp()
        except (ValueError, OverflowError, OSError):  # also a year that no clock has
            raise InvalidSpecError("contest.bad_deadline", text=self.deadline) from None


def measure_of(agent: str) -> str:
    """Return the name of the measure of a house bot, such as ``vs_level_2`` for ``level:2``.

    The measure is a student's share of points, 0 to 1, against *agent*, the spec of that bot.
    """
    return "vs_" + "".join(letter if letter.isalnum() else "_" for letter in agent)


def _demand(key: str, amount: float, least: float, most: float) -> None:
    """Raise InvalidSpecError, about *key*, unless *amount* is from *least* to *most*.

    Both ends are allowed.
    """
    if not least <= amount <= most:
        bounds = {"least": f"{least:g}", "most": f"{most:g}"}
        raise InvalidSpecError("contest.out_of_bounds", key=key, amount=amount, **bounds)


def new_plan(title: str, game: str, seed: int, language: str) -> str:
    """Return the text of a new plan in TOML, with every key explained in *language* (en or id).

    *game* is a spec and *seed* a number; neither is checked. Characters of *title* that TOML would
    not take are replaced. Raise OSError for another language.
    """
    name = f"contest.{language}.txt"
    text = files("papan").joinpath("templates", name).read_text(encoding="utf-8")
    plain = "".join(letter if letter.isprintable() else " " for letter in title)
    quoted = plain.replace("\\", " ").replace('"', "'").strip()
    return Template(text).substitute(title=quoted, game=game, seed=seed, language=language)


def read_plan(path: Path) -> ContestPlan:
    """Return the plan in the file *path*.

    Raise InvalidSpecError if the file is missing or cannot be read; another PapanError if it is no
    regular file or has over `LARGEST_PLAN` bytes; and what `parse_contest_plan` raises.
    """
    try:
        data = read_regular(path, LARGEST_PLAN)
    except OSError as error:
        raise InvalidSpecError("contest.no_plan", path=path, why=error.strerror) from None
    return parse_contest_plan(data, path)


def parse_contest_plan(data: bytes, path: str | Path = PLAN) -> ContestPlan:
    """Return the plan with the content *data*, TOML in UTF-8; a missing key has its default.

    Raise InvalidSpecError if *data* is too large or no TOML, in which case the error names *path*;
    if a key is unknown, or title, game, or a grade's grade or when is missing; or if a value is
    wrong. Raise another PapanError if a house bot does not play the game.
    """
    if len(data) > LARGEST_PLAN:
        raise InvalidSpecError("error.large_file", path=path, most=LARGEST_PLAN)
    try:
        facts = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # also a number or a nesting without end
        raise InvalidSpecError("contest.bad_plan", path=path, why=error) from None
    plan = _built(ContestPlan, facts, "")
    assert isinstance(plan, ContestPlan)
    return plan


DISQUALIFIED = re.compile(r"^\[disqualified\][^\n]*\n?", re.MULTILINE)


def with_disqualified(text: str, student: str, why: str) -> str:
    """Return the TOML text of a plan with one more student who does not take part.

    *text* is the plan, *student* the number in the list, printable, *why* the reason; a *why* that
    is empty or blank lets the student take part again. The entry replaces the student's old one and
    is put first in the table ``[disqualified]``, which is added if it is missing; all other lines,
    comments too, stay as they are. Raise what `parse_contest_plan` raises if *text* is no plan, and
    InvalidSpecError if the table was written in a form in which lines cannot be exchanged.
    """
    line = re.compile(rf'^[ \t]*"?{re.escape(student)}"?[ \t]*=[^\n]*\n?', re.MULTILINE)
    found = DISQUALIFIED.search(text)
    if found is None:
        text = f"{text.rstrip()}\n\n[disqualified]\n"
        found = DISQUALIFIED.search(text)
    assert found is not None
    before, own, rest = text[: found.end()], *_until_table(text[found.end() :])
    reason = "".join(each if each.isprintable() else " " for each in why).strip()
    entry = f"{_quoted(student)} = {_quoted(reason)}\n" if reason else ""
    changed = f"{before.rstrip()}\n{entry}{line.sub('', own)}{rest}"
    wanted = parse_contest_plan(text.encode()).disqualified | {student: reason}
    if parse_contest_plan(changed.encode()).disqualified != {
        key: wanted[key] for key in wanted if wanted[key]
    }:
        raise InvalidSpecError("contest.bad_key", key="disqualified", wanted='{ name = "text" }')
    return changed


def _until_table(text: str) -> tuple[str, str]:
    """Return the lines of a TOML text before the next table, and all others, each as one text.

    A table begins with a line whose first character that is not blank is ``[``. Without such a line
    the second text is "".
    """
    lines = text.splitlines(keepends=True)
    end = next((n for n, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    return "".join(lines[:end]), "".join(lines[end:])


def _quoted(text: str) -> str:
    """Return *text* as a string of TOML with its quotation marks; it must be printable.

    For printable text JSON's strings are the same.
    """
    return json.dumps(text, ensure_ascii=False)


def _built(kind: type, facts: Any, prefix: str) -> object:
    """Return the dataclass *kind* with the values of *facts*, a table of TOML as Python reads it.

    *prefix* is the path of its keys, such as ``ladder.``. A missing key has its default, but title,
    game, grade and when have none. Raise InvalidSpecError for an unknown or missing key, or a value
    of another type, and what *kind* raises for its values.
    """
    hints = get_type_hints(kind)
    known = [each.name for each in fields(kind)]
    if not isinstance(facts, dict):
        raise InvalidSpecError("contest.bad_key", key=prefix.rstrip("."), wanted="[ ]")
    for key in facts:
        if key not in known:
            close = nearest(str(key), known)
            raise InvalidSpecError("contest.unknown_key", key=f"{prefix}{key}", nearest=close)
    for key in ("title", "game", "grade", "when"):
        if key in known and key not in facts:
            raise InvalidSpecError("contest.missing_key", key=f"{prefix}{key}")
    return kind(**{key: _value(hints[key], facts[key], f"{prefix}{key}") for key in facts})


def _value(kind: Any, given: Any, key: str) -> object:
    """Return *given*, the TOML value of *key* as Python reads it, converted to the type *kind*.

    A table becomes a dataclass, a list a tuple, and a whole number a float where *kind* is that.
    Raise InvalidSpecError, which names *key*, for another type; for a dataclass what `_built`
    raises.
    """
    if hasattr(kind, "__dataclass_fields__"):
        return _built(kind, given, f"{key}.")
    if get_origin(kind) is tuple and isinstance(given, list):
        return tuple(_value(get_args(kind)[0], each, key) for each in given)
    if not _is_of(kind, given):
        raise InvalidSpecError("contest.bad_key", key=key, wanted=_example(kind))
    return float(given) if kind is float else given


def _is_of(kind: Any, given: Any) -> bool:
    """Return whether *given*, a value of TOML as Python reads it, is of the simple type *kind*.

    That is int, float, str, bool, a Literal of texts, or a dict of texts. A whole number is a float
    as well; a bool is no number, and no float is infinite or nan.
    """
    if kind is float:
        return type(given) in (int, float) and abs(given) <= sys.float_info.max
    if kind in (str, int, bool):
        return type(given) is kind
    if get_origin(kind) is dict:
        return isinstance(given, dict) and all(isinstance(each, str) for each in given.values())
    return given in get_args(kind)


def _example(kind: Any) -> str:
    """Return a value of the type *kind* as TOML, such as ``0.5``, to show what is wanted.

    For a tuple it is a list of two elements, for a dataclass a table with all of its keys, and for
    a Literal all of its values, separated by `` | ``.
    """
    examples = {str: '"text"', int: "3", float: "0.5", bool: "true, false"}
    examples |= {dict[str, str]: '{ name = "text" }'}
    if get_origin(kind) is tuple:
        part = _example(get_args(kind)[0])
        return f"[{part}, {part}]"
    if hasattr(kind, "__dataclass_fields__"):
        parts = (f"{key} = {_example(each)}" for key, each in get_type_hints(kind).items())
        return f"{{ {', '.join(parts)} }}"
    return examples.get(kind, " | ".join(map(str, get_args(kind))))
