"""The results of an experiment as typed data, and as text, CSV and Markdown in any language.

Words are keys of the catalogues, so that one result can be written in any language.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite
from typing import Literal, TypeAlias

from papan.core.message import Message, text_of
from papan.core.numbers import MINUS, in_figures
from papan.lab.files import csv_text
from papan.lab.log import Json
from papan.lab.statistics.intervals import Interval

FindingVerdict = Literal["yes", "no", "open", "incomparable", "quoted", "none"]
"""Verdict on a claim. *open*: the observations do not decide it; *incomparable*: what we can
measure is not what the paper did; *quoted*: it is quoted and not tested; *none*: it claims nothing.
"""

ReportForm = Literal["number", "share", "seconds"]
"""Format of a measure: plain number, percent, or a suitable unit of time."""


@dataclass(frozen=True)
class Measure:
    """A number with its 95 % interval; without an interval it was counted, not estimated.

    Infinite ends: there were too few values for an interval.
    """

    value: float
    """In the unit of its form: a share is from 0 to 1, a time in seconds."""
    low: float | None = None
    """Lower end of the interval, in the same unit; None if it was counted."""
    high: float | None = None
    """Upper end of the interval; None if it was counted."""
    form: ReportForm = "number"
    """How it is written: see `ReportForm`."""

    @classmethod
    def of(cls, interval: Interval, form: ReportForm = "number") -> Measure:
        """Return the measure with the value and the ends of *interval*, written as *form* says."""
        return cls(interval.value, interval.low, interval.high, form)

    @property
    def counted(self) -> bool:
        """True if it has no interval."""
        return self.low is None

    @property
    def empty(self) -> bool:
        """True if it is a share of no cases: 0 with the interval from 0 to 1."""
        return self.form == "share" and (self.value, self.low, self.high) == (0, 0, 1)


@dataclass(frozen=True)
class Answer:
    """A table cell that shows the verdict on a claim."""

    verdict: FindingVerdict
    """See `FindingVerdict`."""


Cell: TypeAlias = "int | float | str | Message | Measure | Answer | None"
"""Content of a cell of a table; None: nothing, shown as a dash."""


Method = Literal["pairs", "games", "share"]
"""Test of a claim: by points of pairs of games, by points of single games, or by a share."""


@dataclass(frozen=True)
class Evidence:
    """Evidence for a claim: the p-values (0 to 1) of its tests, and the number of observations.

    *if_wrong* is the probability of these or more extreme observations if the claim is wrong,
    *if_right* that of these or less extreme ones if it is right.
    """

    method: Method
    """What was observed: points of pairs of games, points of single games, or a share of cases."""
    observations: int
    """Number of independent observations."""
    if_wrong: float
    if_right: float
    if_different: float | None = None
    """The p-value if there is a difference worth mentioning: small if both sides are equivalent.
    None: equivalence is not tested.
    """

    @property
    def doubt(self) -> float:
        """The smallest p-value, times the number of tests (2 or 3), at most 1."""
        tests = [self.if_wrong, self.if_right]
        if self.if_different is not None:
            tests.append(self.if_different)
        return min(1.0, len(tests) * min(tests))

    @property
    def equivalent(self) -> bool:
        """True if *if_different* is smaller than both other p-values; False if it is None."""
        other = min(self.if_wrong, self.if_right)
        return self.if_different is not None and self.if_different < other


@dataclass(frozen=True)
class Finding:
    """One line of the comparison: the paper's value, ours, and the verdict whether they agree."""

    what: Message
    """What is compared: the claim, or the name of the value."""
    paper: Cell
    """The value that the paper prints."""
    ours: Cell = None
    """The value that was found here; None if there is none."""
    agrees: FindingVerdict = "none"
    """Whether they agree: see `FindingVerdict`."""
    basis: Message | None = None
    """How it was found: counted, measured, proved or sampled (the test and the number of
    observations); or the reason why there is no verdict.
    """
    evidence: Evidence | None = None
    """Evidence from which `with_verdicts` computes the verdict; None if it is not tested."""
    rule: Message | None = None
    """The rule by which the verdict was decided, for readers (`finding_reason`); None if none is to
    be shown.
    """


@dataclass(frozen=True)
class ReportTable:
    """A table of a report: rows of cells under as many headings."""

    name: str
    """The name of its files, without a suffix."""
    title: Message
    headings: tuple[Message, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Series:
    """One line, or one kind of bar, of a chart; *low* and *high* are the ends of its 95 % band.

    Both are as long as *y*, or empty if there is no band.
    """

    label: Cell
    y: tuple[float, ...]
    """The values, in the unit of the chart's form."""
    x: tuple[float, ...] = ()
    """For a line, where each value is; empty for bars, which stand over the chart's categories."""
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()

    @classmethod
    def of(cls, label: Cell, found: Sequence[Measure], x: Iterable[float] = ()) -> Series:
        """Return a series named *label* of the measures *found*: bars, or a line over the values
        *x*.

        Each has its interval; a missing or infinite end is drawn at the value itself.
        """
        low = tuple(_drawn(each.low, each.value) for each in found)
        high = tuple(_drawn(each.high, each.value) for each in found)
        return cls(label, tuple(each.value for each in found), tuple(x), low, high)


def _drawn(end: float | None, value: float) -> float:
    """Return the coordinate of an end of an interval: *value* itself if the end is None or
    infinite.
    """
    return end if end is not None and isfinite(end) else value


@dataclass(frozen=True)
class Chart:
    """The content of a figure, independent of how it is drawn."""

    name: str
    """The name of its files, without a suffix."""
    title: Message
    x: Message
    """What is along the x axis."""
    y: Message
    """What is along the y axis, with its unit."""
    series: tuple[Series, ...]
    """Lines or kinds of bars; of bars, each has a value for each category."""
    kind: Literal["lines", "steps", "bars"] = "lines"
    categories: tuple[Cell, ...] = ()
    """Names along the x axis of bars."""
    log: bool = False
    """True if the y axis is logarithmic."""
    form: ReportForm = "number"
    """Format of the numbers on the y axis: shares are from 0 to 1, times in seconds."""
    level: float | None = None
    """A value to compare with, drawn as a line; None: no line."""


@dataclass(frozen=True)
class Conclusions:
    """Results of one paper's experiments: findings, tables and charts."""

    findings: tuple[Finding, ...]
    tables: tuple[ReportTable, ...] = ()
    charts: tuple[Chart, ...] = ()


PAGE_RISK = 0.05
"""Upper bound of the probability that any verdict on a page is wrong."""


def with_verdicts(*groups: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings of all *groups* in order, each with the verdict that its evidence gives.

    Those without evidence are unchanged. The verdict of another one is yes if its *if_wrong* is
    smaller than its *if_right*, no if it is not, or if both sides are equivalent; but *open* if its
    *doubt* is too large. That is corrected for the number of findings after Holm (1979): the
    smallest of n doubts must be at most `PAGE_RISK` / n, the next one `PAGE_RISK` / (n - 1), and so
    on; from the first one that is not, all are open. The *basis* becomes how it was found.
    """
    lines = [*chain(*groups)]
    tested = [place for place, line in enumerate(lines) if line.evidence is not None]
    tested.sort(key=lambda place: _evidence(lines[place]).doubt)
    reached = 0.0
    for rank, place in enumerate(tested):
        evidence = _evidence(lines[place])
        reached = min(1.0, max(reached, (len(tested) - rank) * evidence.doubt))
        above = evidence.if_wrong < evidence.if_right and not evidence.equivalent
        side: FindingVerdict = "yes" if above else "no"
        decided = reached <= PAGE_RISK
        how = "alike" if decided and evidence.equivalent else evidence.method
        values = {"count": evidence.observations, "p": _probability(reached)}
        basis = Message(f"lab.by_{how}", values)
        lines[place] = replace(lines[place], agrees=side if decided else "open", basis=basis)
    return tuple(lines)


def _evidence(line: Finding) -> Evidence:
    """Return the evidence of *line*, which must have some."""
    assert line.evidence is not None
    return line.evidence


LEAST_SHOWN = 0.001
"""Smallest probability that is written as a number; below it only that it is smaller."""
ALMOST_ONE = 0.9995
"""A probability from here on is written as 1: as a percentage it would read like a certainty."""


def _probability(value: float) -> Message:
    """Return a probability, 0 to 1, as a message: a percentage, 1, or that it is below
    `LEAST_SHOWN`.
    """
    key = "lab.p_is" if value >= LEAST_SHOWN else "lab.p_below"
    form: ReportForm = "number" if value >= ALMOST_ONE else "share"
    return Message(key, {"value": Measure(max(value, LEAST_SHOWN), form=form)})


EQUAL_RULE = Message("lab.rule_equal")
"""The rule "yes if both values are equal"."""


def counted(
    what: Message, paper: Cell, ours: Cell, claim: bool, rule: Message = EQUAL_RULE
) -> Finding:
    """Return a finding about values counted without chance: yes if *claim* is True, else no.

    *what*, *paper* and *ours* are those of `Finding`; *claim* is whether the claim holds, *rule*
    the rule that says so.
    """
    return Finding(what, paper, ours, holds(claim), Message("lab.by_count"), rule=rule)


def measured(what: Message, paper: Cell, ours: Cell, claim: bool, rule: Message) -> Finding:
    """Return a finding about measured times or memory: yes if *claim* is True, else no.

    *what*, *paper* and *ours* are those of `Finding`; *claim* is whether the claim holds, *rule*
    the rule that says so.
    """
    return Finding(what, paper, ours, holds(claim), Message("lab.by_measure"), rule=rule)


def incomparable(what: Message, paper: Cell, ours: Cell, why: Message) -> Finding:
    """Return a finding ``incomparable``: its values do not measure the same thing, as *why* tells.

    *why* becomes its basis.

    *what*, *paper* and *ours* are those of `Finding`.
    """
    return Finding(what, paper, ours, "incomparable", why)


def quoted(what: Message, paper: Cell, ours: Cell = None, why: Message | None = None) -> Finding:
    """Return a finding ``quoted``: it quotes the paper beside what is known here, without a test.

    *what*, *paper* and *ours* are those of `Finding`; *why* is its basis, None for none.
    """
    return Finding(what, paper, ours, "quoted", why)


def always(line: Finding, cases: int, exceptions: int, proof: Message | None = None) -> Finding:
    """Return *line* with the verdict on a claim about all cases: one exception refutes it.

    *cases* are how many were looked at, *exceptions* how many of them contradict the claim. Without
    exceptions it is confirmed if there is a *proof*, which becomes its basis; without one (None) it
    is open, and the basis tells the number of *cases*.
    """
    line = replace(line, rule=Message("lab.rule_always"))
    if exceptions:
        return replace(line, agrees="no", basis=Message("lab.by_exception", {"count": exceptions}))
    if proof is not None:
        return replace(line, agrees="yes", basis=proof)
    return replace(line, agrees="open", basis=Message("lab.no_exception", {"count": cases}))


def sometimes(line: Finding, cases: int, examples: int, refuted: Message | None = None) -> Finding:
    """Return *line* with the verdict on a claim about some cases: one example confirms it.

    *cases* are how many were looked at, *examples* how many of them are as claimed. Without
    examples it is refuted if there is a proof of that, *refuted*, which becomes its basis; without
    one (None) it is open, and the basis tells the number of *cases*.
    """
    line = replace(line, rule=Message("lab.rule_sometimes"))
    if examples:
        return replace(line, agrees="yes", basis=Message("lab.by_example", {"count": examples}))
    if refuted is not None:
        return replace(line, agrees="no", basis=refuted)
    return replace(line, agrees="open", basis=Message("lab.no_example", {"count": cases}))


def holds(claim: bool) -> FindingVerdict:
    """Return the verdict ``yes`` if *claim* is True, else ``no``."""
    return "yes" if claim else "no"


UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "\u00b5s"))


def cell_text(cell: Cell, language: str) -> str:
    """Return the text of a cell in *language*, numbers with their intervals; a dash for None."""
    if cell is None:
        return "\u2013"
    if isinstance(cell, Message):
        values = {name: cell_text(value, language) for name, value in cell.values.items()}
        return text_of(cell.key, language, **values)
    if isinstance(cell, Answer):
        return text_of(f"lab.verdict_{cell.verdict}", language)
    if isinstance(cell, Measure):
        return _measure(cell, language)
    return cell if isinstance(cell, str) else number_text(cell, language)


def numbers(chart: Chart, language: str) -> Iterator[tuple[str, str]]:
    """Yield for each series of a chart its label and its points, as text in *language*, ``en`` or
    ``id``.

    It is the text alternative of the chart. Points have the form ``1: 0.5; 2: 0.75``.
    """
    for series in chart.series:
        places: Sequence[Cell] = chart.categories or series.x
        points = (
            f"{cell_text(place, language)}: {cell_text(value, language)}"
            for place, value in zip(places, series.y)
        )
        yield cell_text(series.label, language), "; ".join(points)


def number_text(value: float, language: str) -> str:
    """Return a number in *language*: at most two decimals, a typographic minus, ``∞``.

    From 1000 on it has no decimals, from 10,000 on separated thousands.
    """
    if not isfinite(value):
        return f"{MINUS if value < 0 else ''}\u221e"
    small = abs(value) < 1000 and not float(value).is_integer()
    text = f"{abs(value):,.2f}".rstrip("0").rstrip(".") if small else f"{abs(value):,.0f}"
    if abs(value) < 10_000:
        text = text.replace(",", "")
    return (MINUS if value < 0 and text.strip("0.,") else "") + in_figures(text, language)


def scaled(value: float, form: ReportForm, language: str) -> str:
    """Return a value as text in its *form* with its unit, such as 12.5%, 3.2 ms or 7, in
    *language*.

    *value* is from 0 to 1 for a share, and in seconds for a time.
    """
    factor, unit = _scale(value, form)
    return _digits(value / factor, form, language) + unit


def _measure(cell: Measure, language: str) -> str:
    """Return a measure as text in *language*, with its interval in brackets unless it was counted.

    Instead of the interval it says so if there were too few values for one; of a share of no cases
    it says only that there were none.
    """
    if cell.empty:
        return text_of("lab.no_cases", language)
    factor, unit = _scale(cell.value, cell.form)
    text = _digits(cell.value / factor, cell.form, language) + unit
    if cell.low is None or cell.high is None:
        return text
    if not (isfinite(cell.low) or isfinite(cell.high)):
        return text_of("lab.too_few", language, value=text)
    ends = (_digits(end / factor, cell.form, language) for end in (cell.low, cell.high))
    return f"{text} [{in_figures(', ', language).join(ends)}]"


def _scale(value: float, form: ReportForm) -> tuple[float, str]:
    """Return the divisor of a value for display, and the unit after it, such as `` ms``.

    A share becomes percent (the divisor is 0.01, the unit ``%``), seconds become one of `UNITS` by
    their size; a number has the divisor 1 and no unit.
    """
    if form == "share":
        return 0.01, "%"
    if form == "number":
        return 1.0, ""
    size, unit = next((each for each in UNITS if abs(value) >= each[0]), UNITS[-1])
    return size, f" {unit}"


def _digits(value: float, form: ReportForm, language: str) -> str:
    """Return *value*, with its divisor applied (see `_scale`), as text in *language*.

    A share, in percent, has one decimal at most; other forms are rounded as by `_significant`.
    """
    return number_text(round(value, 1) if form == "share" else _significant(value), language)


def _significant(value: float) -> float:
    """Return a number rounded to three significant digits, or to an integer from 100 on."""
    return float(f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}")


WIDTH = 110


def comparison_table(conclusions: Conclusions) -> ReportTable:
    """Return the table of findings: the paper's value, ours, the verdict, and its basis."""
    rows = tuple(
        (each.what, each.paper, each.ours, Answer(each.agrees), finding_reason(each))
        for each in conclusions.findings
    )
    keys = ("lab.what", "lab.paper_value", "lab.our_value", "lab.agrees", "lab.basis")
    return ReportTable("claims", Message("lab.comparison"), tuple(map(Message, keys)), rows)


def finding_reason(line: Finding) -> Message | None:
    """Return how a line was found and by which rule it was decided; None if it has no basis.

    Without a rule it is the basis alone.
    """
    if line.rule is None or line.basis is None:
        return line.basis
    return Message("lab.by_rule", {"basis": line.basis, "rule": line.rule})


def all_tables(conclusions: Conclusions) -> tuple[ReportTable, ...]:
    """Return all tables: the comparison first, then the tables behind it."""
    return comparison_table(conclusions), *conclusions.tables


def has_numbers_only(table: ReportTable, column: int) -> bool:
    """Return whether the column of this index, from 0, has only numbers, to be aligned to the
    right.

    Empty cells are ignored; False if all are empty.
    """
    cells = [row[column] for row in table.rows if row[column] is not None]
    return bool(cells) and all(isinstance(cell, (int, float, Measure)) for cell in cells)


def table_text(table: ReportTable, language: str) -> str:
    """Return the table in *language* as text for a terminal, below its title and an empty line.

    The table is at most `WIDTH` characters wide: long cells are folded, not cut.
    """
    from rich import table as rich_table
    from rich.console import Console
    from rich.text import Text as RichText

    grid = rich_table.Table(box=None, pad_edge=False, title_justify="left")
    texts = [[cell_text(cell, language) for cell in row] for row in (table.headings, *table.rows)]
    widths: Sequence[int | None] | None = _widths(texts)
    if widths is None:  # an agent and its settings may stand on two lines
        texts = [[re.sub(r"(?<=\w):(?=\w)", ":\n", text) for text in row] for row in texts]
        widths = _widths(texts) or [None] * len(table.headings)
    for column, (heading, width) in enumerate(zip(texts[0], widths)):
        side = "right" if has_numbers_only(table, column) else "left"
        words = RichText(heading)
        grid.add_column(words, justify=side, overflow="fold", width=width)  # type: ignore[arg-type]
    for row in texts[1:]:
        grid.add_row(*map(RichText, row))
    page = io.StringIO()
    Console(file=page, width=WIDTH, no_color=True, highlight=False).print(grid)
    lines = [line.rstrip() for line in page.getvalue().splitlines()]
    return "\n".join([cell_text(table.title, language), "", *lines])


def _widths(rows: Sequence[Sequence[str]]) -> list[int] | None:
    """Return the width of each column in characters, at least that of its longest word.

    *rows* are the texts of the cells, headings included; two characters are between columns. If the
    longest cells fit into `WIDTH` side by side, each column is as wide as its longest cell. If not,
    each gets its longest word, and a share of the characters that are still free, in proportion to
    how much longer its longest cell is. None if not even the longest words fit: one would have to
    be broken.
    """
    columns = [*zip(*rows)]
    words = [max(map(len, " ".join(cells).split()), default=1) for cells in columns]
    whole = [max(map(len, cells)) for cells in columns]
    room = WIDTH - 2 * (len(columns) - 1)
    if sum(whole) <= room:
        return whole
    if sum(words) > room:
        return None
    spare = (room - sum(words)) / sum(most - least for least, most in zip(words, whole))
    return [least + int(spare * (most - least)) for least, most in zip(words, whole)]


def table_csv(table: ReportTable, language: str) -> str:
    """Return the table as CSV with plain numbers (a share from 0 to 1, a time in seconds).

    Words are in *language*, ``en`` or ``id``. The first row has the headings. A column in which a
    measure has an interval is followed by two for its ends, ``NAME (low)`` and ``NAME (high)``.
    Cells are empty for None, for a share of no cases, and where there is no end of an interval.
    """
    columns = range(len(table.headings))
    widths = [3 if _has_interval(table, column) else 1 for column in columns]
    shown = (cell_text(heading, language) for heading in table.headings)
    names = ((name, f"{name} (low)", f"{name} (high)") for name in shown)
    plain = [[_plain(cell, language) for cell in row] for row in table.rows]
    return csv_text(
        [each for cell, width in zip(row, widths) for each in cell[:width]]
        for row in [names, *plain]
    )


def _has_interval(table: ReportTable, column: int) -> bool:
    """Return whether a cell in *column*, from 0, is a measure with an interval."""
    cells = (row[column] for row in table.rows)
    return any(isinstance(cell, Measure) and not cell.counted for cell in cells)


def table_markdown(table: ReportTable, language: str, title: str = "") -> str:
    """Return the table in Markdown, in *language*, below *title* (empty: its own).

    Numbers are aligned to the right.
    """
    columns = range(len(table.headings))
    sides = ("--:" if has_numbers_only(table, column) else ":--" for column in columns)
    lines = [(markdown(cell_text(cell, language)) for cell in row) for row in table.rows]
    heads = (markdown(cell_text(each, language)) for each in table.headings)
    grid = "".join(f"| {' | '.join(line)} |\n" for line in (heads, sides, *lines))
    return f"**{markdown(title or cell_text(table.title, language))}**\n\n{grid}"


def markdown(text: str) -> str:
    """Return *text* on one line, with characters escaped that mean something in Markdown."""
    return re.sub(r"([\\`*_<|])", r"\\\1", " ".join(text.split()))


def _plain(cell: Cell, language: str) -> tuple[object, object, object]:
    """Return a cell's value and the two ends of its interval, as CSV has them; words in *language*.

    All three are "" if the cell is None or a share of no cases. The ends are "" if the cell is no
    measure, and None for a measure that was counted.
    """
    if isinstance(cell, Measure):
        return ("", "", "") if cell.empty else (cell.value, cell.low, cell.high)
    if cell is None:
        return "", "", ""
    return cell if isinstance(cell, (int, float)) else cell_text(cell, language), "", ""


def cell_json(cell: Cell, language: str) -> Json:
    """Return a cell as JSON data: a number, a text, or an object; None for None.

    A measure is an object with ``value``, ``low``, ``high`` and ``form``; a message one with
    ``text`` and ``values`` if any of its values is no text, else a text. A number that is not
    finite is None. Texts are in *language*, ``en`` or ``id``.
    """
    if isinstance(cell, Measure):
        ends = {"value": cell.value, "low": cell.low, "high": cell.high}
        finite = {name: cell_json(each, language) for name, each in ends.items()}
        return finite | {"form": cell.form}
    if isinstance(cell, Message) and any(
        not isinstance(each, str) for each in cell.values.values()
    ):
        values = {name: cell_json(each, language) for name, each in cell.values.items()}
        return {"text": cell_text(cell, language), "values": values}
    if isinstance(cell, float) and not isfinite(cell):
        return None
    return cell if cell is None or isinstance(cell, (int, float)) else cell_text(cell, language)
