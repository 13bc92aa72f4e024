"""A paper as an experiment that can be run again: its claims, its work, and its results.

Runs are carried out in pieces and stored in a folder, from which reports are made. Papan ships a
full run of each paper, with machine and date, which is shown until there is another one:
`tools/make_reference.py` writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from papan.core import InvalidRecordError
from papan.core.errors import in_one_line
from papan.core.message import Message
from papan.lab.files import data_folder
from papan.lab.log import Json, ResumableLog, RunLog, read_log
from papan.lab.machine import machine, sources_mark
from papan.lab.match import unit_seed
from papan.lab.results import (
    Answer,
    Cell,
    Conclusions,
    Finding,
    FindingVerdict,
    Measure,
    ReportTable,
)
from papan.lab.work import WorkItem, Workload

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")
Size = Literal["quick", "full"]

Part = Literal["holds", "fails", "unknown", "today"]
"""A part of a conclusion: what holds, fails, cannot be known, or is done better today."""


@dataclass(frozen=True)
class Says:
    """A sentence of the conclusion, and the part to which it belongs if a run confirms it.

    It depends on the joint verdict of certain lines of the comparison; without lines it is true
    independently of any run.
    """

    part: Part
    """The part of the conclusion to which it belongs if a run confirms it.

    With *lines* it is ``holds`` or ``fails``.
    """
    name: str
    """The end of the key of its text, ``says.NUMBER_NAME``."""
    lines: tuple[str, ...] = ()
    """Names of the texts of its lines: ``final`` stands for the key ``paper000.final``."""
    where: Mapping[str, Cell] = field(default_factory=dict)
    """Values that distinguish its lines from others with the same text; they also fill the
    sentence.
    """

    def heading(self, number: str, findings: Iterable[Finding]) -> str:
        """Return the part of the conclusion to which the sentence belongs after a run.

        *findings* are those of the run, *number* is that of the paper. Without `lines` it is
        `part`. Else, if the `joint` verdict of its lines is *open*, it is ``open``; if that verdict
        is the one that `part` claims (*yes* for ``holds``, *no* for ``fails``), it is `part`; else
        it is ``contrary``. Raise KeyError if there are lines and `part` is neither of these two.
        """
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


EXPECTED: Mapping[Part, FindingVerdict] = {"holds": "yes", "fails": "no"}


def joint(verdicts: Iterable[FindingVerdict]) -> FindingVerdict:
    """Return the joint verdict of several lines: *no* if one is, *yes* if all are, else *open*.

    Lines without a verdict (quoted, incomparable, none) do not count; without any other line the
    joint verdict is *open*.
    """
    given = {each for each in verdicts if each in ("yes", "no", "open")}
    return "no" if "no" in given else "yes" if given == {"yes"} else "open"


@dataclass(frozen=True)
class Stage:
    """A stage of the course that leads to a paper: the text ``course.NUMBER_NAME`` and a page."""

    name: str
    address: str
    """Address of the page on the server, such as ``/learn/minimax``: a lesson, a board, an agent to
    watch, two variants, or the experiment.
    """


@dataclass(frozen=True)
class ProgramEntry:
    """A feature of the authors' program, and where papan has it."""

    text: Message
    """What it does there, in words."""
    address: str
    """Address of the page here, such as ``/play/dots:3,3?seats=human|chains``."""
    command: str
    """The same in a terminal, such as ``papan play dots:3,3 --vs chains``."""


FlowKind = Literal["begin", "step", "choice", "end"]


@dataclass(frozen=True)
class Flowchart:
    """A flowchart of a paper: its title, and its boxes in order, each with its kind and text."""

    title: Message
    boxes: tuple[tuple[FlowKind, Message], ...]


@dataclass(frozen=True)
class PaperPosition:
    """A position to open: the start of the game, the moves made, and the moves that follow."""

    start: str
    """Text of a position, such as ``dots:3,3``."""
    moves: str = ""
    """Names of the moves from there to the position, separated by spaces."""
    then: str = ""
    """Names of the moves that follow in the paper, separated by spaces."""
    agents: tuple[str, ...] = ()
    """Specs of one agent that analyses the position, or of two that play from it."""


@dataclass(frozen=True)
class Exhibit:
    """A game or a table that a paper prints, and the positions that its rows open."""

    table: ReportTable
    places: tuple[PaperPosition, ...]
    """One position for each row of the table, in their order."""


@dataclass(frozen=True)
class Paper:
    """A paper and its recipe: `plan` splits the work into items, `conclude` reads their results."""

    number: str
    """Three digits, such as ``003``."""
    game: str
    """Name of the game that it is about."""
    title: str
    """Title in the language of the paper."""
    authors: str
    year: int
    affiliation: str
    language: str
    """Language of its text, as a code such as id or en."""
    abstract: Message
    """Summary in our own words."""
    claims: tuple[Message, ...]
    """Claims in the paper's own words, and translated."""
    recipe: Message
    """Description of the experiment, as a sentence."""
    says: tuple[Says, ...]
    """Sentences of the conclusion, in order."""
    remarks: tuple[Message, ...]
    """Differences between our experiment and the paper's, with reasons."""
    choices: tuple[Message, ...]
    """What the paper leaves open: our choice, and what the others would give."""
    errata: tuple[Message, ...]
    """Slips that the paper itself or its authors' program shows, each with its source."""
    programs: tuple[ProgramEntry, ...]
    """Features of the authors' program, in the order of its menu."""
    flows: tuple[Flowchart, ...]
    """Flowcharts that the paper draws."""
    listing: str
    """Its program in our own words, as Python that can be run; empty if it prints none."""
    course: tuple[Stage, ...]
    """Stages from the paper's first idea to its experiment, in the recommended order."""
    amounts: Mapping[Size, Any]
    """Numbers of games and measurements, by size of run; each recipe has its own type of amount."""
    plan: Callable[[Any, int], Iterable[WorkItem]]
    """Yields the work of a run, given its amounts and the first of its random seeds."""
    conclude: Callable[[Found], Conclusions]
    """Returns findings, tables and charts, given the results of all the work."""
    exhibits: Callable[[], Iterable[Exhibit]]
    """Returns all that the paper prints and the board can show."""

    @classmethod
    def declared(
        cls,
        number: str,
        amounts: Mapping[Size, Any],
        plan: Callable[[Any, int], Iterable[WorkItem]],
        conclude: Callable[[Found], Conclusions],
        exhibits: Callable[[], Iterable[Exhibit]],
    ) -> Paper:
        """Return the paper *number* from its declaration in JSON and the parts of its recipe.

        The other arguments are the fields of the same names. Raise KeyError if it has no
        declaration, or a required entry is missing there.
        """
        facts = declarations()[number]
        plain = ("game", "title", "authors", "year", "affiliation")
        errata = (
            {"text": Message(f"printed.{number}_erratum_{each}"), "source": source}
            for each, source in enumerate(map(_source, facts["errata"]), start=1)
        )
        return cls(
            number,
            **{key: facts[key] for key in plain},
            language=facts.get("language", "id"),
            abstract=Message(f"printed.{number}_abstract"),
            claims=tuple(Message(f"paper{number}.claim_{name}") for name in facts["claims"]),
            recipe=Message(f"paper{number}.recipe"),
            says=tuple(Says(*each) for each in facts["says"]),
            remarks=tuple(Message(f"paper{number}.remark_{name}") for name in facts["remarks"]),
            choices=tuple(Message(f"paper{number}.choice_{name}") for name in facts["choices"]),
            errata=tuple(Message("printed.erratum", each) for each in errata),
            programs=tuple(
                ProgramEntry(Message(f"program.{number}_{name}"), *places)
                for name, *places in facts.get("programs", ())
            ),
            flows=tuple(
                _flowchart(number, name, kinds) for name, kinds in facts.get("flows", {}).items()
            ),
            listing=_listing(number),
            course=tuple(Stage(*each) for each in facts["course"]),
            amounts=amounts,
            plan=plan,
            conclude=conclude,
            exhibits=exhibits,
        )

    def conclusion(self, findings: Iterable[Finding]) -> Iterator[tuple[Message, list[Message]]]:
        """Yield the conclusion of a run with *findings*: each heading with its sentences.

        In order: what holds, what fails, what is undecided, what is contrary, what is unknowable,
        and what is better today. Headings without sentences are left out.
        """
        parts: dict[str, list[Message]] = {}
        lines = list(findings)
        for each in self.says:
            sentence = Message(f"says.{self.number}_{each.name}", each.where)
            parts.setdefault(each.heading(self.number, lines), []).append(sentence)
        for part in ("holds", "fails", "open", "contrary", "unknown", "today"):
            if part in parts:
                yield Message(f"lab.says_{part}"), parts[part]

    def items(self, size: Size, seed: int) -> list[WorkItem]:
        """Return all work items of a run of *size* (``quick`` or ``full``) with *seed*.

        The random seeds of the work count up from ``unit_seed(seed, 0)``, so that runs with
        different seeds share none. Raise KeyError for another size.
        """
        return list(self.plan(self.amounts[size], unit_seed(seed, 0)))


def listing_place(number: str) -> Traversable:
    """Return the path of the listing of paper *number* in the package; the file may not exist."""
    return files("papan").joinpath("papers", "listings", f"{number}.txt")


def _listing(number: str) -> str:
    """Return the text of the listing of paper *number*; empty if it has none."""
    place = listing_place(number)
    return place.read_text(encoding="utf-8") if place.is_file() else ""


def _flowchart(number: str, name: str, kinds: Sequence[FlowKind]) -> Flowchart:
    """Return the flowchart *name* of paper *number*: one box of each of *kinds*, in order.

    The texts are ``flow.NUMBER_NAME_title`` and ``flow.NUMBER_NAME_1``, ``_2`` and so on.
    """
    texts = (Message(f"flow.{number}_{name}_{place}") for place in range(1, len(kinds) + 1))
    return Flowchart(Message(f"flow.{number}_{name}_title"), tuple(zip(kinds, texts)))


def _source(name: str) -> Message:
    """Return in words where a slip stands; *name* is ``paper``, ``picture`` or ``repository``."""
    return Message(f"printed.source_{name}")


class Found:
    """Results of the work items of a run by name: ``found["games/1"]`` is what that item returned.

    It is JSON data. KeyError is raised for a name without a result.
    """

    def __init__(self, found: Mapping[str, Json]) -> None:
        self._found = found

    def __getitem__(self, name: str) -> Json:
        return self._found[name]

    def under(self, beginning: str) -> Iterator[Json]:
        """Yield the results of all items called ``BEGINNING/NUMBER``, in the order of numbers.

        Nothing if there are none. Raise ValueError if a name does not end in a number.
        """
        parts = [name for name in self._found if name.rpartition("/")[0] == beginning]
        for name in sorted(parts, key=lambda name: int(name.rpartition("/")[2])):
            yield self._found[name]

    def joined(self, beginning: str) -> list[Json]:
        """Return the lists of all items called ``BEGINNING/NUMBER`` as one, in the order of
        numbers.

        Empty if there are none. Raise ValueError if a name does not end in a number.
        """
        return [item for part in self.under(beginning) for item in part]


def batches(piece: WorkItem, seed: int, total: int, largest: int) -> Iterator[WorkItem]:
    """Yield work items ``NAME/1``, ``NAME/2`` … that together do *piece* *total* times.

    *piece* has the NAME, the function, its first arguments, and the weight of one time. Each item
    calls the function with two arguments more: the random seed of its first time, and how many
    times, at most *largest*, which must be 1 or more (else ValueError). The seeds count up from
    *seed*. Nothing if *total* is 0.
    """
    for number, first in enumerate(range(0, total, largest), start=1):
        count = min(largest, total - first)
        arguments = (*piece.arguments, seed + first, count)
        yield WorkItem(f"{piece.name}/{number}", piece.work, arguments, piece.weight * count)


DECLARATION = "paper.json"
"""Name of the file that makes a folder a paper."""


@cache
def declarations() -> dict[str, Json]:
    """Return by number (``003``) the facts of each paper as JSON, with its ``module``, cached.

    They are those of ``papers.json``, and of every folder beside it with a ``paper.json``, in the
    order of the numbers; do not change them. Raise OSError or ValueError for a file that cannot be
    read, KeyError for an entry of ``papers.json`` without a game or a ``paper.json`` without a
    number. Other keys are not checked.
    """
    here = files("papan").joinpath("papers")
    facts: dict[str, Json] = json.loads(here.joinpath("papers.json").read_text(encoding="utf-8"))
    for each in facts.values():
        each["module"] = each["game"]
    for folder in here.iterdir():
        if folder.joinpath(DECLARATION).is_file():
            own = json.loads(folder.joinpath(DECLARATION).read_text(encoding="utf-8"))
            facts[own["number"]] = own | {"module": f"{folder.name}.recipe"}
    return dict(sorted(facts.items()))


def exhibit(
    name: str,
    title: Message,
    headings: Iterable[str],
    rows: Iterable[tuple[Cell, ...]],
    places: Iterable[PaperPosition],
) -> Exhibit:
    """Return the exhibit of a printed table, with the position that each row opens, in *places*.

    *headings* are whole keys of texts, such as ``lab.rounds``, or words that are shown as they are;
    *rows* have a cell for each of them, *places* a position for each row. *name* is that of the
    table's files.
    """
    table = ReportTable(name, title, tuple(map(Message, headings)), tuple(rows))
    return Exhibit(table, tuple(places))


def each_ply(start: str, moves: Sequence[str], agent: str) -> list[PaperPosition]:
    """Return the position before each move of a game, with the moves made and those that follow.

    *start* is the text of the first position, *moves* are names of moves, *agent* is the spec of
    the agent that analyses each position. The position after the last move is left out.
    """
    return [
        PaperPosition(start, " ".join(moves[:ply]), " ".join(moves[ply:]), (agent,))
        for ply in range(len(moves))
    ]


def as_pairs(name: str) -> str:
    """Return the cells in a move's name as papers 000 and 002 print them: (row, column), from 0.

    The cells of ``a1b3`` are ``(0, 0) (2, 1)``; empty if *name* has none.
    """
    cells = re.findall("([a-z])([0-9]+)", name)
    return " ".join(f"({int(row) - 1}, {ord(column) - ord('a')})" for column, row in cells)


def runs_folder(data: Path | None = None) -> Path:
    """Return the folder of runs, ``lab`` in *data*; in the user's data folder if that is None.

    It may not exist.
    """
    return (data_folder() if data is None else data) / "lab"


@dataclass(frozen=True)
class Run:
    """A run of a paper, finished or not: its size, its seed, and the folder of its log."""

    paper: Paper
    size: Size
    """How much is played and measured: quick or full, see `Paper.amounts`."""
    seed: int
    """Number that all chance of the run is drawn from."""
    folder: Path
    """The folder with its log, ``NUMBER-SIZE-SEED.jsonl``."""

    @property
    def name(self) -> str:
        """Name that distinguishes the runs of a paper: ``SIZE-SEED``, such as ``quick-0``."""
        return f"{self.size}-{self.seed}"

    @property
    def path(self) -> Path:
        """The file of its log, ``NUMBER-SIZE-SEED.jsonl`` in `folder`, which may not exist."""
        return self.folder / f"{self.paper.number}-{self.name}.jsonl"

    @property
    def command(self) -> str:
        """The command that repeats this run in a terminal, without its folder."""
        quick = " --quick" if self.size == "quick" else ""
        return f"papan lab run {self.paper.number}{quick} --seed {self.seed}"

    @property
    def identity(self) -> dict[str, Json]:
        """What decides the results, by name: ``paper``, ``size``, ``seed`` and ``sources``.

        ``sources`` is `sources_mark`, a hash of papan's sources.
        """
        return {
            "paper": self.paper.number,
            "size": self.size,
            "seed": self.seed,
            "sources": sources_mark(),
        }

    def done(self) -> float:
        """Return the share of the work that is done, by weight, 0 to 1.

        It is 0 if there is no log of this run, or its log is of other sources of papan. Raise
        PapanError if its path is no regular file.
        """
        log = read_log(self.path)
        if log is None or not log.is_of(self.identity):
            return 0.0
        items = self.paper.items(self.size, self.seed)
        total = sum(item.weight for item in items)
        return sum(item.weight for item in items if item.name in log.found) / total

    def seconds_left(self, afresh: bool = False) -> float:
        """Return the estimated seconds that one core needs for the rest of the work.

        With *afresh* it is for all of the work, done or not. Raise PapanError as `done`.
        """
        total = sum(item.weight for item in self.paper.items(self.size, self.seed))
        return total * (1.0 if afresh else 1 - self.done())

    def job(self, afresh: bool = False) -> Workload:
        """Return this run as a workload: its log, opened for writing, and all its work items.

        A log of this run by the same sources of papan is continued; another one at this path is
        replaced, and with *afresh* any. Raise PapanError if the path is no regular file, OSError if
        it cannot be written.
        """
        facts = {"machine": machine(), "began": datetime.now(UTC).isoformat(timespec="seconds")}
        log = ResumableLog(self.path, self.identity, facts)
        log.open(afresh)
        return Workload(log, self.paper.items(self.size, self.seed))

    def report(self) -> Report:
        """Return the report of the finished run.

        Whether its log was written by the same sources of papan is not checked. Raise
        AssertionError if there is no log, or none that can be read; InvalidRecordError if it is
        damaged or lacks results; another PapanError if it is no regular file.
        """
        log = read_log(self.path)
        assert log is not None
        try:
            if not machine().keys() <= log.header["machine"].keys():
                raise ValueError("it does not say where it was measured")
            return Report(self, log, self.paper.conclude(Found(log.found)))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            why = in_one_line(error)  # findings have many forms, and anyone can write a file
            raise InvalidRecordError("lab.bad_run", path=self.path, why=why) from error


@dataclass(frozen=True)
class Report:
    """Conclusions of a finished run, and the machine on which it was measured."""

    run: Run
    log: RunLog
    """Its header and times; the reference's has no results."""
    conclusions: Conclusions
    """Findings, tables and charts."""
    reference: bool = False
    """True if the report was shipped with papan, False if its run was made by the user."""

    @property
    def name(self) -> str:
        """Name that distinguishes the reports of a paper: ``reference`` or the name of the run."""
        return "reference" if self.reference else self.run.name

    @property
    def machine(self) -> dict[str, str]:
        """The machine on which the run was measured, with the keys of `lab.machine.machine`."""
        return dict(self.log.header["machine"])

    @property
    def began(self) -> str:
        """The time at which the run began, in ISO 8601 and UTC."""
        return str(self.log.header["began"])


def saved_runs(folder: Path, paper: Paper) -> Iterable[Run]:
    """Yield the runs of *paper* in *folder* whose logs have some results, the latest written first.

    Logs that other sources of papan have written are left out, and so are files without the name of
    a run, ``NUMBER-SIZE-SEED.jsonl``. Nothing if there is no such folder. Raise PapanError if a log
    is no regular file.
    """
    found = folder.glob(f"{paper.number}-*.jsonl")
    for path in sorted(found, key=lambda path: -path.lstat().st_mtime):
        for size in paper.amounts:
            seed = path.stem.removeprefix(f"{paper.number}-{size}-")
            if re.fullmatch("-?[0-9]{1,18}", seed):
                run = Run(paper, size, int(seed), folder)
                if run.done():
                    yield run


def reports(folder: Path, papers: Sequence[Paper]) -> list[Report]:
    """Return the report of the newest finished run of each of *papers* that has one in *folder*.

    They are in the order of *papers*. Raise InvalidRecordError for a damaged run, another
    PapanError as `saved_runs`.
    """
    found = []
    for paper in papers:
        finished = (run for run in saved_runs(folder, paper) if run.done() == 1)
        if run := next(iter(finished), None):
            found.append(run.report())
    return found


def finished_report(paper: Paper, folder: Path, name: str | None = None) -> Report | None:
    """Return the report of the finished run *name*, or of the newest one, in *folder*.

    If *name* is None, it is the newest finished run, or without any the report shipped with papan;
    if *name* is ``reference``, the shipped one; for any other name that no finished run has, return
    None. Reports are cached until the run's file changes. Raise InvalidRecordError for a damaged
    run, another PapanError as `saved_runs`, and what `reference` raises.
    """
    for run in saved_runs(folder, paper):
        if name in (None, run.name) and run.done() == 1:
            return _cached_report(run, run.path.stat().st_mtime_ns)
    return reference(paper, folder) if name in (None, "reference") else None


_reports: dict[Path, tuple[int, Report]] = {}


def _cached_report(run: Run, changed: int) -> Report:
    """Return the report of *run*, from the cache if *changed* is the same as at the last call.

    *changed* is the time at which its file was changed, in nanoseconds. Raise InvalidRecordError
    for a damaged run.
    """
    cached = _reports.get(run.path)
    if cached is None or cached[0] != changed:
        cached = _reports[run.path] = changed, run.report()
    return cached[1]


FOLDER = "reference"
"""Folder with a JSON file for each paper that has no folder of its own."""


def to_file(report: Report) -> str:
    """Return *report* as JSON text: the conclusions of its run, and how they were measured.

    `from_file` reads it. Its keys are ``size``, ``seed``, ``began``, ``seconds``, ``cpu``
    (processor seconds or null), ``machine`` and ``conclusions``. `tools/make_reference.py` ships it
    with papan.
    """
    run, log = report.run, report.log
    kept = {
        "size": run.size,
        "seed": run.seed,
        "began": report.began,
        "seconds": round(log.seconds, 1),
        "cpu": None if log.cpu is None else round(log.cpu, 1),
        "machine": report.machine,
        "conclusions": _form(Conclusions).dump_python(report.conclusions, exclude_defaults=True),
    }
    return json.dumps(kept, ensure_ascii=False, indent=1) + "\n"


def reference(paper: Paper, folder: Path) -> Report:
    """Return the report shipped with *paper*; *folder* becomes the folder of its run.

    Nothing is read or written in *folder*. The log of the report has no results. Raise OSError if
    there is no such report; KeyError, ValueError, TypeError or AttributeError if it is damaged.
    """
    kept = _kept(paper.number)
    log = RunLog(kept, {}, kept["seconds"], kept["cpu"])
    run = Run(paper, kept["size"], kept["seed"], folder)
    return Report(run, log, kept["conclusions"], reference=True)


@cache
def _kept(number: str) -> Json:
    """Return the shipped run of paper *number*, as `from_file` reads it; cached.

    Do not change it. Raise OSError if there is none, KeyError if the number is unknown, and what
    `from_file` raises if it is damaged.
    """
    return from_file(reference_place(number).read_text(encoding="utf-8"))


def reference_place(number: str) -> Traversable:
    """Return the path of the shipped run of paper *number*; the file may not exist.

    It is in the paper's own folder, or if it has none, in `FOLDER`. Raise KeyError for an unknown
    number.
    """
    here, (folder, _, own) = files("papan").joinpath("papers"), _module(number).partition(".")
    if own:
        return here.joinpath(folder, f"{FOLDER}.json")
    return here.joinpath(FOLDER, f"{number}.json")


def _module(number: str) -> str:
    """Return the module of paper *number* within `papan.papers`, such as ``dots``.

    Raise KeyError if the number is unknown.
    """
    return str(declarations()[number]["module"])


def from_file(text: str) -> Json:
    """Return the dict that `to_file` wrote, with `Conclusions` under ``conclusions``.

    The other values are JSON data. Raise ValueError, TypeError or AttributeError if the text is
    damaged, KeyError if it has no conclusions. Whether the other keys are there is not checked.
    """
    kept = json.loads(text)
    conclusions = _form(Conclusions).validate_python(_with_cells(kept["conclusions"]))
    return kept | {"conclusions": conclusions}


def _with_cells(data: Json) -> Json:
    """Return *data* (JSON) with the dicts that stand for cells as objects.

    A dict with ``key`` is a message, one with ``verdict`` an answer, one with ``value`` a measure.
    Raise ValueError if a measure is damaged, AttributeError if a message has no dict of values.
    """
    if isinstance(data, list):
        return [_with_cells(each) for each in data]
    if not isinstance(data, dict):
        return data
    if "key" in data:
        values = data.get("values", {})
        return Message(data["key"], {name: _with_cells(each) for name, each in values.items()})
    if "verdict" in data:
        return Answer(data["verdict"])
    if "value" in data:
        return _form(Measure).validate_python(data)
    return {name: _with_cells(each) for name, each in data.items()}


@cache
def _form(kind: type[T]) -> TypeAdapter[T]:
    """Return pydantic's reader and writer of *kind*, cached."""
    from pydantic import TypeAdapter  # slow to import, and only stored runs need it

    return TypeAdapter(kind)
