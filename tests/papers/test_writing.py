"""Reports: well formed in every format and both languages, complete by themselves, repeatable."""

import csv
import io
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from math import inf
from pathlib import Path
from time import sleep
from xml.etree import ElementTree

import pytest

from papan.core.message import Message
from papan.lab.figures import draw
from papan.lab.log import ResumableLog, read_log
from papan.lab.results import (
    TALL,
    Answer,
    Cell,
    Chart,
    Measure,
    ReportTable,
    Series,
    all_tables,
    as_csv,
    as_json,
    as_latex,
    as_text,
    show,
)
from papan.lab.work import WorkItem, Workload, run_all
from papan.papers.paper import Report
from papan.papers.report import as_data, as_document, as_html, as_pdf, as_plain, conclusion, summary

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
    assert show(cell, "en") == english
    if indonesian is not None:
        assert show(cell, "id") == indonesian


def test_csv_has_plain_numbers_and_columns_for_intervals() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(SMALL, "id"))))
    assert rows == [
        ["agen", "poin", "poin (low)", "poin (high)", "permainan"],
        ["a_b & 50%", "0.625", "0.5", "0.75", "12345"],
        ["{c}", "-1.5", "", "", ""],
    ]


def test_latex_says_nothing_that_latex_would_misread() -> None:
    page = as_latex(SMALL, "en", "small")
    assert r"a\_b \& 50\% & 62.5\% [50, 75] & 12,345 \\" in page
    assert r"\{c\} & $-$1.5 & -- \\" in page
    assert page.isascii()


@pytest.mark.parametrize("language", ["en", "id"])
def test_every_table_is_well_formed_in_every_format(reports: list[Report], language: str) -> None:
    for report in reports:
        for table in all_tables(report.conclusions):
            rows = list(csv.reader(io.StringIO(as_csv(table, language))))
            assert len(rows) == len(table.rows) + 1
            assert len({len(row) for row in rows}) == 1
            page = as_latex(table, language, table.name)
            bare = page.replace(r"\{", "").replace(r"\}", "")
            assert bare.count("{") == bare.count("}")
            assert page.count(r"\begin{") == page.count(r"\end{") == 1 + (len(table.rows) <= TALL)
            inner = page.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
            body = inner.replace(r"\endhead", "").strip().splitlines()
            assert {line.replace(r"\&", "").count("&") for line in body} <= {
                len(table.headings) - 1
            }
            assert page.isascii()
            assert max(map(len, as_text(table, language).splitlines()[2:])) <= 110


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
    assert as_json(cell, "en") == data


def test_t14_the_data_of_a_report_has_rows_and_the_page_s_words(reports: list[Report]) -> None:
    for report, facts in zip(reports, as_data(reports, "en"), strict=True):
        assert json.loads(json.dumps(facts, allow_nan=False)) == facts
        for line, finding in zip(facts["findings"], report.conclusions.findings, strict=True):
            assert line["agrees"] == finding.agrees
            assert line["verdict"] == show(Answer(finding.agrees), "en")
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
    return {"en": as_html(reports, "en"), "id": as_html(reports[-1:], "id")}


@pytest.mark.parametrize(("language", "papers"), [("en", 5), ("id", 1)])
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


@pytest.mark.slow  # that of one paper is written by papan lab report, in every run of the tests
@pytest.mark.parametrize(("language", "most"), [("id", 1), ("en", 5)])
def test_the_pdf_has_pages_text_and_title(reports: list[Report], language: str, most: int) -> None:
    page = as_pdf(reports[:most], language)
    assert page.startswith(b"%PDF-")
    assert page.rstrip().endswith(b"%%EOF")
    assert page.count(b"/Type /Page\n") >= most
    assert f"/Lang ({language})".encode() in page


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
        assert cpu.value > 0


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


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no TeX to try it with")
@pytest.mark.parametrize("language", ["en", "id"])
def test_n06_the_tables_compile_with_a_real_tex(
    reports: list[Report], language: str, tmp_path: Path
) -> None:
    (tmp_path / "report.tex").write_text(as_document(reports, language), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-2000:]
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_figures_are_pictures_and_the_same_each_time(reports: list[Report]) -> None:
    for report in reports[:2]:
        chart = report.conclusions.charts[0]
        picture = draw(chart, "id", "svg")
        assert ElementTree.fromstring(picture).tag.endswith("svg")
        assert picture == draw(chart, "id", "svg")
    assert draw(chart, "id", "pdf").startswith(b"%PDF")


def test_a_chart_of_many_series_tells_them_apart_without_colour() -> None:
    series = tuple(Series(str(n), (1.0, 2.0), (1.0, 2.0), (0.5, 1.5), (1.5, 2.5)) for n in range(7))
    chart = Chart(
        "many", Message("lab.time"), Message("lab.ply"), Message("lab.time"), series, log=True
    )
    assert (
        len(set(re.findall(r"stroke-dasharray: ([^;\"]+)", draw(chart, "en", "svg").decode()))) >= 4
    )


def test_the_text_report_names_seed_version_machine_and_command(reports: list[Report]) -> None:
    text = as_plain(reports, "en")
    assert "papan lab run 004 --quick --seed 0 (seed 0); papan 0.1.0, Python 3." in text
    assert text.count("UTC") == 5
    assert "benih 0" in as_plain(reports, "id")


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
    page = as_plain(reports, language)
    for each in reports:
        parts = [": ".join(part) for part in conclusion(each, language)]
        assert len(parts) >= 4
        assert all(part in page for part in parts)
        assert "\u201c" in "".join(parts), "it quotes the paper"


def test_t13_a_share_of_no_cases_is_no_number() -> None:
    table = replace(SMALL, rows=(*SMALL.rows, ("d", Measure(0.0, 0.0, 1.0, "share"), 0)))
    assert as_csv(table, "en").splitlines()[-1] == "d,,,,0"
    assert "no cases" in as_text(table, "en")
