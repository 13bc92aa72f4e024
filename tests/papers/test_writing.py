"""Reports: well formed in every format and both languages, complete by themselves, repeatable."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from math import inf
from pathlib import Path
from time import sleep
from typing import Any, Literal
from xml.etree import ElementTree

import pytest

from papan.core import InvalidSpecError
from papan.core.message import Message, catalogue
from papan.lab.figures import check_chart, draw_chart
from papan.lab.log import ResumableLog, read_log
from papan.lab.plotting import linear_ticks, log_ticks
from papan.lab.results import (
    Answer,
    Cell,
    Chart,
    Evidence,
    Finding,
    Measure,
    ReportTable,
    Series,
    all_tables,
    always,
    cell_json,
    cell_text,
    has_numbers_only,
    markdown,
    sometimes,
    table_csv,
    table_markdown,
    table_text,
    with_verdicts,
)
from papan.lab.work import WorkItem, Workload, run_all
from papan.papers import PAPERS
from papan.papers.paper import Report, reference
from papan.papers.report import (
    conclusion,
    report_data,
    report_html,
    report_markdown,
    report_text,
    summary,
)

pytestmark = pytest.mark.thorough

VOID = {"meta", "br"}

HALF = {"value": 0.5, "low": 0.25, "high": 0.75, "form": "share"}

SMALL = ReportTable(
    "small",
    Message("lab.comparison"),
    (Message("lab.agent"), Message("lab.points"), Message("lab.games")),
    (
        ("a_b & 50%", Measure(0.625, 0.5, 0.75, "share"), 12345),
        ("{c}", Measure(-1.5), None),
    ),
)


@pytest.mark.parametrize(
    ("cell", "english", "indonesian"),
    [
        (Measure(0.625, 0.5, 0.75, "share"), "62.5% [50, 75]", "62,5% [50; 75]"),
        (Measure(-1.5, -2.25, -0.75), "\u22121.5 [\u22122.25, \u22120.75]", None),
        (Measure(0.0, 0.0, 1.0, "share"), "no cases", "tanpa kasus"),  # T13
        (Measure(0.0, 0.0, 0.975, "share"), "0% [0, 97.5]", "0% [0; 97,5]"),
        (Measure(0.0015, form="seconds"), "1.5 ms", "1,5 ms"),
        (Measure(93.1, 90, 95.21, "seconds"), "93.1 s [90, 95.2]", "93,1 s [90; 95,2]"),
        (Measure(85791.3), "85,791", "85.791"),
        (387420489, "387,420,489", "387.420.489"),
        (1234, "1234", "1234"),
        (-0.001, "0", "0"),
        (None, "\u2013", "\u2013"),
        (Message("lab.of", {"part": 1, "all": 2}), "1 of 2", "1 dari 2"),
    ],
)
def test_numbers_are_written_as_each_language_does(
    cell: Measure, english: str, indonesian: str | None
) -> None:
    assert cell_text(cell, "en") == english
    if indonesian is not None:
        assert cell_text(cell, "id") == indonesian


def test_csv_has_plain_numbers_and_columns_for_intervals() -> None:
    rows = list(csv.reader(io.StringIO(table_csv(SMALL, "id"))))
    assert rows == [
        ["agen", "poin", "poin (low)", "poin (high)", "permainan"],
        ["a_b & 50%", "0.625", "0.5", "0.75", "12345"],
        ["{c}", "-1.5", "", "", ""],
    ]


def test_markdown_says_nothing_that_markdown_would_misread() -> None:
    assert table_markdown(SMALL, "en", "a*b").splitlines() == [
        r"**a\*b**",
        "",
        "| agent | points | games |",
        "| :-- | --: | --: |",
        r"| a\_b & 50% | 62.5% [50, 75] | 12,345 |",
        "| {c} | \u22121.5 | \u2013 |",
    ]
    risky = replace(SMALL, rows=((r"a|b\c*d`e<f", None, None),))
    assert table_markdown(risky, "en").splitlines()[-1].startswith(r"| a\|b\\c\*d\`e\<f |")


@pytest.mark.parametrize("language", ["en", "id"])
def test_every_table_is_well_formed_in_every_format(reports: list[Report], language: str) -> None:
    for report in reports:
        for table in all_tables(report.conclusions):
            rows = list(csv.reader(io.StringIO(table_csv(table, language))))
            assert len(rows) == len(table.rows) + 1
            assert len({len(row) for row in rows}) == 1
            lines = table_markdown(table, language).splitlines()
            assert len(lines) == len(table.rows) + 4
            assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines[2:]} == {
                len(table.headings) + 1
            }
            text = table_text(table, language)
            assert max(map(len, text.splitlines()[2:])) <= 110
            said = " ".join(cell_text(cell, language) for row in table.rows for cell in row)
            words = {*re.sub(r"(?<=\w):(?=\w)", ": ", said).split()}
            text = re.sub(r"(?<=\w):(?=\w)", ": ", text)
            assert words <= {*text.split()}, "Q12: no word is broken or cut off"


@pytest.mark.parametrize(
    ("cell", "data"),
    [
        (None, None),
        (12345, 12345),
        ("a1f1", "a1f1"),
        (Measure(0.5, 0.25, 0.75, "share"), HALF),
        (Measure(2.0, -inf, inf), {"value": 2.0, "low": None, "high": None, "form": "number"}),
        (Message("game.onet"), "Onet"),
        (
            Message("lab.of", {"part": 1, "all": 2}),
            {"text": "1 of 2", "values": {"part": 1, "all": 2}},
        ),
        (Answer("open"), "undecided"),
    ],
)
def test_t14_a_program_gets_numbers_as_numbers(cell: Cell, data: object) -> None:
    assert cell_json(cell, "en") == data


def test_t14_the_data_of_a_report_has_rows_and_the_page_s_words(reports: list[Report]) -> None:
    for report, facts in zip(reports, report_data(reports, "en"), strict=True):
        assert json.loads(json.dumps(facts, allow_nan=False)) == facts
        for line, finding in zip(facts["findings"], report.conclusions.findings, strict=True):
            assert line["agrees"] == finding.agrees
            assert line["verdict"] == cell_text(Answer(finding.agrees), "en")
        for table in report.conclusions.tables:
            data = facts["tables"][table.name]
            assert len(data["rows"]) == len(table.rows)
            assert {len(row) for row in data["rows"]} == {len(data["headings"])}
        assert facts["conclusion"] == dict(conclusion(report, "en"))


class Page(HTMLParser):
    """Reads a page and notes what is open, what is linked, what is named."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.targets: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.names.append(value or "")
            if name in ("href", "src", "xlink:href"):
                self.targets.append(value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def pages(reports: list[Report]) -> dict[str, str]:
    return {"en": report_html(reports, "en"), "id": report_html(reports[4:5], "id")}


@pytest.mark.parametrize(("language", "papers"), [("en", len(PAPERS)), ("id", 1)])
def test_the_html_page_is_whole_and_needs_nothing_else(
    pages: dict[str, str], language: str, papers: int
) -> None:
    text = pages[language]
    page = Page(text)
    assert page.open == []
    assert len(set(page.names)) == len(page.names)
    local = [target[1:] for target in page.targets if target.startswith("#")]
    assert set(local) <= set(page.names)
    assert all(target.startswith(("#", "data:")) for target in page.targets)
    assert "script" not in page.tags
    assert not re.search(r"url\((?!#)", text)
    assert f'<html lang="{language}">' in text
    assert page.tags.count("table") == page.tags.count("caption")
    assert page.tags.count("figure") == text.count('role="img"') >= 2 * papers
    assert text.count("<section") == papers


def test_an_english_page_quotes_the_paper_in_its_own_language_too(pages: dict[str, str]) -> None:
    original, translated = "Dua level terbawah dapat dimenangkan", "two lowest levels"
    assert original in pages["en"]
    assert original in pages["id"]
    assert translated in pages["en"]
    assert translated not in pages["id"]


def test_a_page_says_in_which_language_each_paper_is_quoted(pages: dict[str, str]) -> None:
    """A voice read the English titles and sentences of an English paper as Indonesian."""
    sections = pages["en"].split("<section ")[1:]
    assert len(sections) == len(PAPERS)
    for paper, text in zip(PAPERS, sections):
        said = {*re.findall(r'<(?:cite|blockquote><p) lang="(\w+)"', text)}
        assert said == {paper.language}, paper.number


@pytest.mark.parametrize("language", ["en", "id"])
def test_the_markdown_report_has_all_tables_and_all_words(
    reports: list[Report], language: str
) -> None:
    page = report_markdown(reports, language)
    for number, report in enumerate(reports, 1):
        assert page.split("\n## ")[number].startswith(report.run.paper.number)
        for table in all_tables(report.conclusions):
            assert table_markdown(table, language).partition("\n\n")[2].rstrip() in page
        for _, sentences in conclusion(report, language):
            assert markdown(sentences) in page
    assert page.count("\n### ") == sum(4 + bool(each.run.paper.errata) for each in reports)


def test_n06_pages_tables_and_figures_are_numbered_in_order(
    pages: dict[str, str], reports: list[Report]
) -> None:
    tables = [int(number) for number in re.findall(r"<span>Table (\d+)\. ", pages["en"])]
    figures = [int(number) for number in re.findall(r"<figcaption>Figure (\d+)\. ", pages["en"])]
    all_of = [each.conclusions for each in reports]
    assert tables == list(range(1, 2 + sum(len(all_tables(each)) for each in all_of)))
    assert figures == list(range(1, 1 + sum(len(each.charts) for each in all_of)))
    assert "Gambar 1. " in pages["id"]
    assert "counter(page)" in pages["id"]


def test_n06_a_summary_counts_the_verdicts_of_each_paper(reports: list[Report]) -> None:
    for report, row in zip(reports, summary(reports).rows, strict=True):
        number, _, lines, *counts, cpu = row
        assert number == report.run.paper.number
        assert sum(map(int, counts)) == lines == len(report.conclusions.findings)  # type: ignore[arg-type]
        assert isinstance(cpu, Measure)
        assert cpu.value >= 0


def test_n06_cpu_time_is_not_the_time_on_the_wall(tmp_path: Path) -> None:
    log = ResumableLog(tmp_path / "log", {}, {})
    log.open()
    run_all([Workload(log, [WorkItem("asleep", sleep, (0.2,))])], 0)
    found = read_log(log.path)
    assert found is not None
    assert found.cpu is not None
    assert found.cpu < found.seconds
    old = log.path.read_text().replace('"cpu"', '"other"')
    log.path.write_text(old)
    again = read_log(log.path)
    assert again is not None
    assert again.cpu is None  # a run of an earlier version does not say


def test_figures_are_pictures_and_the_same_each_time(reports: list[Report]) -> None:
    for report in reports:
        for chart in report.conclusions.charts:
            picture = draw_chart(chart, "id")
            tree = ElementTree.fromstring(picture)
            assert tree.tag.endswith("svg")
            assert tree.get("aria-label") == cell_text(chart.title, "id")
            assert "style" not in picture
            assert picture == draw_chart(chart, "id")
            shown = {each.text for each in tree.iter() if each.tag.endswith("text")}
            assert {cell_text(chart.x, "id"), cell_text(chart.y, "id")} <= shown
            if len(chart.series) > 1:
                assert {cell_text(each.label, "id") for each in chart.series} <= shown


def test_a_chart_of_many_series_tells_them_apart_without_colour() -> None:
    series = tuple(Series(str(n), (1.0, 2.0), (1.0, 2.0), (0.5, 1.5), (1.5, 2.5)) for n in range(7))
    chart = Chart(
        "many", Message("lab.time"), Message("lab.ply"), Message("lab.time"), series, log=True
    )
    picture = draw_chart(chart, "en")
    assert len(set(re.findall(r'stroke-dasharray="([^"]+)"', picture))) >= 4
    assert len(set(re.findall(r'd="([^"]+)" transform="translate', picture))) == 6


@pytest.mark.parametrize("values", [(0.0,), (-30.0, 0.0, 40.0), (-5.0, -5.0), (1e-9, 1e12)])
def test_bars_of_any_values_stay_inside_the_drawing(values: tuple[float, ...]) -> None:
    for names in ("short", "a name that is too long to stand below"):
        chart = Chart(
            "bars",
            Message("lab.time"),
            Message("lab.agent"),
            Message("lab.points"),
            (Series("one", values), Series("other", values)),
            kind="bars",
            categories=(names,) * len(values),
        )
        tree = ElementTree.fromstring(draw_chart(chart, "en"))
        width, height = (float(str(tree.get(side))) for side in ("width", "height"))
        for bar in tree.iter("{http://www.w3.org/2000/svg}rect"):
            x, y, wide, high = (float(bar.get(n, "0")) for n in ("x", "y", "width", "height"))
            assert x >= 0 and y >= 0 and wide >= 0 and high >= 0
            assert x + wide <= width and y + high <= height


def test_ticks_are_round_and_inside_their_axis() -> None:
    assert linear_ticks(0, 1.02, 8) == (0, 0.2, 0.4, 0.6, 0.8, 1)
    assert linear_ticks(-0.4, 3.2, 10, least=1.0) == (0, 1, 2, 3)
    assert log_ticks(0.5, 2e8, 7) == (1, 100, 10_000, 1_000_000, 100_000_000)
    assert log_ticks(0.0003, 0.0008, 7) == (0.0005,)
    assert log_ticks(3, 70, 7) == (5, 10, 20, 50)


def test_the_text_report_names_seed_version_machine_and_command(reports: list[Report]) -> None:
    text = report_text(reports, "en")
    assert "papan lab run 004 --quick --seed 0 (seed 0); papan 0.1.0, Python 3." in text
    assert text.count("UTC") == len(PAPERS)
    assert "benih 0" in report_text(reports, "id")


ROOT = Path(__file__).parents[2]


def test_every_item_of_the_papers_names_a_test_that_exists() -> None:
    page = (ROOT / "docs" / "papers" / "coverage.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:-1] for line in page.splitlines() if re.match(r"\| [0-9]+ \|", line)]
    assert len(rows) == 141
    tests = "\n".join(each.read_text(encoding="utf-8") for each in ROOT.glob("tests/**/test_*.py"))
    known = set(re.findall(r"def (test_\w+)", tests))
    for number, says, where, test, there in rows:
        named = set(re.findall(r"`(test_\w+)`", test))
        assert named <= known, (number, says)
        if there.strip() == "yes":
            assert named, (number, says)
            assert where.strip(" \u2013"), (number, says)


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_report_ends_in_words_for_each_paper(reports: list[Report], language: str) -> None:
    page = report_text(reports, language)
    for each in reports:
        parts = [": ".join(part) for part in conclusion(each, language)]
        assert len(parts) >= 3
        assert all(part in page for part in parts)
        assert "\u201c" in "".join(parts), "it quotes the paper"


def test_q12_no_word_of_a_report_is_broken_and_no_page_is_begun_for_nothing() -> None:
    style = files("papan").joinpath("papers", "report.css").read_text(encoding="utf-8")
    assert "anywhere" not in style and "break-all" not in style and "hyphens: auto" not in style
    assert style.count("break-before: page") == 1 and "break-after: page" not in style
    assert re.search(r"td\.yes[^}]*nowrap", style) and ".whole { white-space: nowrap; }" in style
    assert "thead th.number { white-space: normal; }" in style, "else tables leave the paper"


def test_q12_quantities_have_names_that_say_what_they_are() -> None:
    names = {
        "paper001.fit_at_once": "first generation already has the greatest possible fitness",
        "paper001.match": "{first} as X beats {second} as O, {rounds} rounds",
        "paper002.part_of": "that differ",
        "paper003.call": "fixed cost of one call",
        "paper003.factor": "empty cells / with {fewer}",
        "paper003.likely": "share of random games that end at this ply",
    }
    for key, words in names.items():
        assert words in catalogue("en")[key]
        assert key in catalogue("id")


def test_q12_a_test_without_any_doubt_about_chance_says_p_is_1_and_not_100_percent() -> None:
    nothing = Evidence("pairs", 4, if_wrong=1.0, if_right=1.0)
    (line,) = with_verdicts([Finding(Message("lab.points"), None, evidence=nothing)])
    assert line.basis is not None
    assert cell_text(line.basis, "en").endswith("p = 1")
    assert cell_text(line.basis, "id").endswith("p = 1")


def test_q12_our_full_run_as_text_is_that_of_the_results_that_papan_brings_along() -> None:
    kept = (ROOT / "docs" / "papers" / "full-run.txt").read_text(encoding="utf-8")
    shipped = [reference(paper, Path()) for paper in PAPERS]
    assert kept.endswith(report_text(shipped, "en")), "run tools/make_reference.py"


def test_t13_a_share_of_no_cases_is_no_number() -> None:
    table = replace(SMALL, rows=(*SMALL.rows, ("d", Measure(0.0, 0.0, 1.0, "share"), 0)))
    assert table_csv(table, "en").splitlines()[-1] == "d,,,,0"
    assert "no cases" in table_text(table, "en")


# Y7: numbers and verdicts, by hand


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (999.5, "999.5"),
        (0.126, "0.13"),
        (1000.6, "1001"),
        (9999, "9999"),
        (10_000, "10,000"),
        (-12_345.6, "\u221212,346"),
        (-0.5, "\u22120.5"),
        (inf, "\u221e"),
        (-inf, "\u2212\u221e"),
        (Measure(0.12345, form="share"), "12.3%"),
        (Measure(1.0, form="seconds"), "1 s"),
        (Measure(0.999, form="seconds"), "999 ms"),
        (Measure(0.001, form="seconds"), "1 ms"),
        (Measure(2.5e-6, form="seconds"), "2.5 \u00b5s"),
        (Measure(4e-8, form="seconds"), "0.04 \u00b5s"),
        (Measure(-0.002, form="seconds"), "\u22122 ms"),
        (Measure(99.96), "100"),
        (Measure(12.34), "12.3"),
        (Measure(101.6), "102"),
        (Measure(2.0, 1.0, inf), "2 [1, \u221e]"),
        (Measure(0.0, 0.0, 1.0), "0 [0, 1]"),
        (Measure(0.0, -inf, inf, "seconds"), "0 \u00b5s (too few for a 95% interval)"),
    ],
)
def test_y7_numbers_have_as_many_digits_as_they_deserve(cell: Cell, text: str) -> None:
    assert cell_text(cell, "en") == text


def test_y7_csv_tells_the_lower_end_from_the_upper_one_and_a_count_has_none() -> None:
    head = tuple(Message(f"lab.{name}") for name in ("points", "games", "agent"))
    rows: tuple[tuple[Cell, ...], ...] = (
        (Measure(2.0, 1.0, 4.0), Measure(7), Measure(0.0, 0.0, 0.9, "share")),
        (None, Measure(8), 3),
    )
    found = table_csv(ReportTable("small", Message("lab.comparison"), head, rows), "en")
    assert found.splitlines() == [
        "points,points (low),points (high),games,agent,agent (low),agent (high)",
        "2.0,1.0,4.0,7,0.0,0.0,0.9",
        ",,,8,3,,",
    ]


def test_y7_a_column_of_numbers_is_one_that_has_some() -> None:
    rows: tuple[tuple[Cell, ...], ...] = ((1, None, "a", 2), (None, None, None, "b"))
    heads = (Message("lab.points"),) * 4
    table = ReportTable("small", Message("lab.comparison"), heads, rows)
    assert [has_numbers_only(table, column) for column in range(4)] == [True, False, False, False]


def test_y7_a_program_gets_no_number_that_json_does_not_know() -> None:
    assert [cell_json(each, "en") for each in (inf, -inf, 0.5, 0)] == [None, None, 0.5, 0]


@pytest.mark.parametrize(
    ("evidence", "doubt", "equivalent"),
    [
        (Evidence("games", 9, 0.01, 0.9), 0.02, False),
        (Evidence("games", 9, 0.9, 0.01, 0.5), 0.03, False),
        (Evidence("games", 9, 0.4, 0.5, 0.02), 0.06, True),
        (Evidence("games", 9, 0.8, 0.9), 1.0, False),
    ],
)
def test_y7_the_surest_of_two_or_three_tests_counts_so_many_times(
    evidence: Evidence, doubt: float, equivalent: bool
) -> None:
    assert evidence.doubt == pytest.approx(doubt)
    assert evidence.equivalent == equivalent


@pytest.mark.parametrize(
    ("evidence", "verdict", "p"),
    [
        (Evidence("games", 9, 0.0249, 0.9), "yes", "p = 5%"),
        (Evidence("games", 9, 0.0251, 0.9), "open", "p = 5%"),
        (Evidence("games", 9, 0.9, 0.0005), "no", "p = 0.1%"),
        (Evidence("games", 9, 0.9, 0.0004), "no", "p < 0.1%"),
        (Evidence("games", 9, 0.499, 0.9), "open", "p = 99.8%"),
        (Evidence("games", 9, 0.4, 0.9, 0.0001), "no", "p < 0.1%"),
    ],
)
def test_y7_a_verdict_is_wrong_in_one_case_of_twenty_at_most(
    evidence: Evidence, verdict: str, p: str
) -> None:
    (line,) = with_verdicts([Finding(Message("lab.points"), None, evidence=evidence)])
    assert line.agrees == verdict
    assert line.basis is not None and line.basis.values["count"] == 9
    assert cell_text(line.basis, "en").endswith(p)


@pytest.mark.parametrize(
    ("judge", "count", "proof", "verdict", "basis"),
    [
        (always, 1, None, "no", ("lab.by_exception", 1)),
        (always, 0, Message("lab.by_count"), "yes", ("lab.by_count", None)),
        (always, 0, None, "open", ("lab.no_exception", 30)),
        (sometimes, 1, None, "yes", ("lab.by_example", 1)),
        (sometimes, 0, Message("lab.by_count"), "no", ("lab.by_count", None)),
        (sometimes, 0, None, "open", ("lab.no_example", 30)),
    ],
)
def test_y7_one_exception_refutes_always_and_one_example_confirms_sometimes(
    judge: Callable[[Finding, int, int, Message | None], Finding],
    count: int,
    proof: Message | None,
    verdict: str,
    basis: tuple[str, int | None],
) -> None:
    line = judge(Finding(Message("lab.points"), None), 30, count, proof)
    assert line.basis is not None
    assert (line.agrees, (line.basis.key, line.basis.values.get("count"))) == (verdict, basis)
    assert line.rule == Message(f"lab.rule_{judge.__name__}")


def test_y7_an_end_of_a_band_that_is_not_known_lies_on_its_line() -> None:
    found = [Measure(2.0, 1.0, 4.0), Measure(3.0), Measure(5.0, -inf, inf), Measure(6.0, 5.0, inf)]
    series = Series.of("a", found, range(4))
    assert (series.x, series.y) == ((0, 1, 2, 3), (2, 3, 5, 6))
    assert (series.low, series.high) == ((1, 3, 5, 5), (4, 3, 5, 6))


# Y7: what charts show, by hand


def bars(values: tuple[float, ...], names: tuple[str, ...], **look: Any) -> str:
    heads = (Message("lab.points"), Message("lab.agent"), Message("lab.points"))
    series = (Series("one", values),)
    return draw_chart(Chart("bars", *heads, series, kind="bars", categories=names, **look), "en")


def shown_texts(picture: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(picture).iter() if each.text]


def test_y7_shares_are_drawn_from_nothing_to_all() -> None:
    picture = bars((0.2, 0.4), ("a", "b"), form="share")
    ticks = [each for each in shown_texts(picture) if each.endswith("%")]
    assert ticks == ["0%", "20%", "40%", "60%", "80%", "100%"]
    heights = [float(each) for each in re.findall(r'<rect[^>]* height="([0-9.]+)"', picture)]
    assert heights[1] == pytest.approx(2 * heights[0], abs=0.02)


@pytest.mark.parametrize(("letters", "height"), [(12, 340), (13, 100 + 22 * 2 * 1.6)])
def test_y7_bars_lie_where_names_have_more_than_twelve_letters(letters: int, height: float) -> None:
    tree = ElementTree.fromstring(bars((1.0, 2.0), ("a" * letters, "b")))
    assert float(str(tree.get("height"))) == pytest.approx(height, abs=1)


@pytest.mark.parametrize("level", [0.5, 7.0, -3.0])
def test_y7_a_level_beyond_all_values_is_inside_the_drawing_too(level: float) -> None:
    picture = bars((1.0, 2.0), ("a", "b"), level=level)
    (line,) = re.findall(r'<path d="M[0-9.]+ (-?[0-9.]+)H[0-9.]+" [^>]*dasharray', picture)
    assert 0 < float(line) < 300
    assert not re.findall(r'd="M[^"]*" [^>]*stroke-dasharray="5 4"', bars((1.0, 2.0), ("a", "b")))


def test_y7_steps_go_across_before_they_go_up() -> None:
    heads = (Message("lab.points"), Message("lab.agent"), Message("lab.points"))
    series = (Series("one", (1.0, 3.0, 2.0), (1.0, 2.0, 3.0)),)
    lines, steps = (draw_chart(Chart("c", *heads, series, kind=kind), "en") for kind in KINDS)
    assert lines != steps and steps.count("H") > lines.count("H")


KINDS: tuple[Literal["lines"], Literal["steps"]] = ("lines", "steps")


@pytest.mark.parametrize("name", ["a.png", "a", "a.svg.txt", "svg"])
def test_y7_a_chart_is_svg_and_nothing_else(name: str) -> None:
    check_chart(Path("a.svg"))
    with pytest.raises(InvalidSpecError):
        check_chart(Path(name))
