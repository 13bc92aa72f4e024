"""A small report, word by word, in every format: what a reader of a run sees."""

import json
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan.core import message
from papan.core.message import Message, text_of
from papan.lab.figures import inline_chart
from papan.lab.log import RunLog
from papan.lab.machine import machine
from papan.lab.results import (
    Answer,
    Chart,
    Conclusions,
    Finding,
    Measure,
    ReportTable,
    Series,
    table_csv,
    table_markdown,
)
from papan.papers import PAPERS
from papan.papers.paper import Report, Run, Says, from_file, to_file
from papan.papers.report import (
    SHORT,
    content,
    contents,
    report_data,
    report_html,
    report_markdown,
    report_text,
    summary,
    write_figures,
    write_tables,
)

PAPER = replace(
    PAPERS[2],
    number="009",
    game="onet",
    title="A <title>",
    authors="A. Author & B.",
    year=1999,
    affiliation="C < D",
    language="id",
    abstract=Message("lab.of", {"part": 1, "all": 2}),
    claims=(Message("lab.of", {"part": 3, "all": 4}),),
    says=(Says("today", "x"), Says("holds", "y", ("claim",))),
    remarks=(Message("remark <1>"), Message("remark *2*")),
    choices=(Message("choice <1>"),),
    errata=(),
)
LINES = (
    Finding(
        Message("paper009.claim"),
        12,
        Measure(0.5, 0.25, 0.75, "share"),
        "yes",
        Message("lab.by_count"),
        rule=Message("lab.rule_equal"),
    ),
    Finding(Message("other: minimax:depth=3"), None, "a|b", "open"),
)
TABLE = ReportTable(
    "small",
    Message("Small <table>"),
    (Message("lab.agent"), Message("lab.points"), Message("lab.agrees")),
    (
        ("mcts:iterations=5", Measure(1.5, 1, 2), Answer("no")),
        ("p = 4%", None, Answer("none")),
    ),
)
CHART = Chart(
    "bars",
    Message("Chart <1>"),
    Message("lab.agent"),
    Message("lab.points"),
    (Series("one & two", (1.0, 2.5)),),
    kind="bars",
    categories=("a", "b"),
)
HEADER = {"machine": dict.fromkeys(machine(), "M"), "began": "2026-01-02T03:04:05+00:00"}
REPORT = Report(
    Run(PAPER, "quick", 3, Path("runs")),
    RunLog(HEADER, {}, 9.5, 7.6),
    Conclusions(LINES, (TABLE,), (CHART,)),
)
COLOPHON = (
    "papan lab run 009 --quick --seed 3 (seed 3); papan M, Python M, M, M, cores: M; "
    "begun 2026-01-02 03:04:05 UTC, CPU time 8 s."
)


DASH = "\u2013"
"""What is shown where there is no value: ~ in the pages here."""


def words(page: str) -> list[str]:
    """The words and tags of a page, without its style, its drawings and the files in its links."""
    body = re.sub(r"<svg.*?</svg>", "<svg/>", page.partition("<body>")[2], flags=re.DOTALL)
    body = re.sub(r"base64,[A-Za-z0-9+/=]*", "base64,", body)
    return re.sub(r"(<[^>]*>)", r" \1 ", body).split()


PAGE = """<body>
<a class="skip" href="#main"> Skip to the results </a>
<header>
<h1> Papers, measured again </h1>
<p> What the papers say beside what papan measures: every value with its 95% interval where it
is an estimate, and none where it was counted. </p>
<nav aria-label="Papers">
<ul> <li> <a href="#p009"> 009 Onet </a> </li> </ul> </nav> </header>
<main id="main">
<div class="scroll short" role="region" tabindex="0" aria-label="Table 1. Summary: the lines of
each paper by verdict">
<table> <caption> <span> Table 1. Summary: the lines of each paper by verdict </span> </caption>
<thead>
<tr> <th scope="col"> paper </th> <th scope="col"> game </th> <th scope="col" class="number">
lines </th> <th scope="col" class="number"> yes </th> <th scope="col" class="number"> no </th>
<th scope="col" class="number"> undecided </th> <th scope="col" class="number"> not comparable
</th> <th scope="col" class="number"> quoted only </th> <th scope="col" class="number"> no claim
</th> <th scope="col" class="number"> CPU time </th> </tr> </thead> <tbody>
<tr> <td> 009 </td> <td> Onet </td> <td class="number"> 2 </td> <td class="number"> 1 </td> <td
class="number"> 0 </td> <td class="number"> 1 </td> <td class="number"> 0 </td> <td
class="number"> 0 </td> <td class="number"> 0 </td> <td class="number"> 7.6 s </td> </tr>
</tbody>
</table> </div>
<section id="p009" aria-labelledby="h009">
<h2 id="h009"> 009 Onet </h2>
<p> <cite lang="id"> A &lt;title&gt; </cite> <br> A. Author &amp; B., 1999 <br> C &lt; D </p>
<p> 1 of 2 </p>
<h3> Claims of the paper </h3>
<blockquote>
<p lang="id"> 3 dari 4 </p>
<p> 3 of 4 </p> </blockquote>
<div class="scroll short" role="region" tabindex="0" aria-label="Table 2. The paper and our
measurements">
<table> <caption> <span> Table 2. The paper and our measurements </span> </caption> <thead>
<tr> <th scope="col"> what is compared </th> <th scope="col" class="number"> paper </th> <th
scope="col"> ours [95%] </th> <th scope="col"> agrees? </th> <th scope="col"> how it was found,
and what decides </th> </tr> </thead> <tbody>
<tr> <td> paper009.claim </td> <td class="number"> 12 </td> <td class="whole"> 50% [25, 75]
</td> <td class="yes"> <span aria-hidden="true"> ✓ </span> yes </td> <td> counted: no chance in
it; yes if both are equal </td> </tr>
<tr> <td> other: <span class="whole"> minimax:depth=3 </span> </td> <td class="number"> ~ </td>
<td> a|b </td> <td class="open"> <span aria-hidden="true"> ? </span> undecided </td> <td> ~
</td> </tr> </tbody>
</table> </div>
<p class="files"> <a download="009-claims.csv" href="data:text/plain;charset=utf-8;base64,">
009-claims.csv </a> <a download="009-claims.md" href="data:text/plain;charset=utf-8;base64,">
009-claims.md </a> </p>
<figure>
<div class="scroll" role="region" tabindex="0" aria-label="Figure 1. Chart &lt;1&gt;"> <svg/>
</div>
<figcaption> Figure 1. Chart &lt;1&gt; </figcaption>
<details> <summary> The numbers in this figure </summary> <dl> <dt> one &amp; two </dt> <dd> a:
1; b: 2.5 </dd> </dl> </details> </figure>
<div class="scroll short" role="region" tabindex="0" aria-label="Table 3. Small &lt;table&gt;">
<table> <caption> <span> Table 3. Small &lt;table&gt; </span> </caption> <thead>
<tr> <th scope="col"> agent </th> <th scope="col" class="number"> points </th> <th scope="col">
agrees? </th> </tr> </thead> <tbody>
<tr> <td> <span class="whole"> mcts:iterations=5 </span> </td> <td class="number"> 1.5 [1, 2]
</td> <td class="no"> <span aria-hidden="true"> ✗ </span> no </td> </tr>
<tr> <td> <span class="whole"> p = 4% </span> </td> <td class="number"> ~ </td> <td
class="none"> ~ </td> </tr> </tbody>
</table> </div>
<p class="files"> <a download="009-small.csv" href="data:text/plain;charset=utf-8;base64,">
009-small.csv </a> <a download="009-small.md" href="data:text/plain;charset=utf-8;base64,">
009-small.md </a> </p>
<h3> What follows </h3>
<p> What holds: says.009_y </p>
<p> What is better today: says.009_x </p>
<h3> Differences and their causes </h3>
<p> remark &lt;1&gt; </p>
<p> remark *2* </p>
<h3> What the paper leaves open, and what we chose </h3>
<ul> <li> choice &lt;1&gt; </li> </ul>
<p class="colophon"> papan lab run 009 --quick --seed 3 (seed 3); papan M, Python M, M, M,
cores: M; begun 2026-01-02 03:04:05 UTC, CPU time 8 s. </p> </section> </main> </body> </html>
"""


def test_a_report_as_a_page() -> None:
    page = report_html([REPORT], "en")
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n')
    assert "<title>Papers, measured again</title>\n<style>\n" in page
    assert words(page) == words(PAGE.replace("~", DASH))
    assert report_html([REPORT], "id").count(' lang="id"') == 3  # page, title and claim
    assert [each for each in words(report_html([REPORT], "id")) if "dari" in each] == ["dari"] * 2


MARKDOWN = r"""
# Papers, measured again

INTRODUCTION

**Table 1. Summary: the lines of each paper by verdict**

| paper | game | lines | yes | no | undecided | not comparable | quoted only | no claim | CPU time |
| :-- | :-- | --: | --: | --: | --: | --: | --: | --: | --: |
| 009 | Onet | 2 | 1 | 0 | 1 | 0 | 0 | 0 | 7.6 s |

## 009 Onet

*A \<title>*. A. Author & B., 1999. C \< D

1 of 2

### Claims of the paper

> 3 dari 4

> 3 of 4

**Table 2. The paper and our measurements**

| what is compared | paper | ours [95%] | agrees? | how it was found, and what decides |
| :-- | --: | :-- | :-- | :-- |
| paper009.claim | 12 | 50% [25, 75] | yes | counted: no chance in it; yes if both are equal |
| other: minimax:depth=3 | ~ | a\|b | undecided | ~ |

**Figure 1. Chart \<1>**

- one & two: a: 1; b: 2.5

**Table 3. Small \<table>**

| agent | points | agrees? |
| :-- | --: | :-- |
| mcts:iterations=5 | 1.5 [1, 2] | no |
| p = 4% | ~ | ~ |

### What follows

What holds: says.009\_y

What is better today: says.009\_x

### Differences and their causes

remark \<1>

remark \*2\*

### What the paper leaves open, and what we chose

- choice \<1>

COLOPHON
"""


def test_a_report_as_markdown() -> None:
    introduction = text_of("lab.introduction", "en")
    page = (
        MARKDOWN.replace("~", DASH)
        .replace("COLOPHON", COLOPHON)
        .replace("INTRODUCTION", introduction)
    )
    assert report_markdown([REPORT], "en") == page.lstrip()


TEXT = """
009  A <title> (A. Author & B., 1999)

The paper and our measurements

what is compared        paper  ours [95%]    agrees?    how it was found, and what decides
paper009.claim             12  50% [25, 75]  yes        counted: no chance in it; \
yes if both are equal
other: minimax:depth=3      ~  a|b           undecided  ~

Small <table>

agent                  points  agrees?
mcts:iterations=5  1.5 [1, 2]  no
p = 4%                      ~  ~

What holds: says.009_y

What is better today: says.009_x

remark <1>

remark *2*

choice <1>

COLOPHON
"""


def test_a_report_as_text() -> None:
    page = TEXT.lstrip().replace("~", DASH).replace("COLOPHON", COLOPHON)
    assert report_text([REPORT], "en") == page
    assert report_text([REPORT, REPORT], "en") == f"{page}\n\n{page}"


def test_a_report_as_data() -> None:
    share = {"value": 0.5, "low": 0.25, "high": 0.75, "form": "share"}
    rows = [
        ["mcts:iterations=5", {"value": 1.5, "low": 1, "high": 2, "form": "number"}, "tidak"],
        ["p = 4%", None, "\u2013"],
    ]
    finding = {"what": "paper009.claim", "paper": 12, "ours": share, "agrees": "yes"}
    finding |= {"verdict": "ya", "basis": "dihitung: tanpa unsur kebetulan"}
    other = {"what": "other: minimax:depth=3", "paper": None, "ours": "a|b", "agrees": "open"}
    assert report_data([REPORT], "id") == [
        {
            "paper": "009",
            "size": "quick",
            "seed": 3,
            "began": "2026-01-02T03:04:05+00:00",
            "seconds": 9.5,
            "cpu": 7.6,
            "machine": HEADER["machine"],
            "findings": [
                finding | {"rule": "ya bila keduanya sama"},
                other | {"verdict": "belum pasti", "basis": None, "rule": None},
            ],
            "tables": {
                "small": {
                    "title": "Small <table>",
                    "headings": ["agen", "poin", "sesuai?"],
                    "rows": rows,
                }
            },
            "conclusion": {
                "Yang berlaku": "says.009_y",
                "Yang lebih baik kini": "says.009_x",
            },
        }
    ]


def test_a_run_of_an_earlier_version_does_not_say_its_processor_time() -> None:
    old = replace(REPORT, log=replace(REPORT.log, cpu=None))
    assert summary([REPORT]).rows[0][2:] == (2, 1, 0, 1, 0, 0, 0, Measure(7.6, form="seconds"))
    assert summary([old]).rows[0][-1] is None
    assert report_text([old], "en").endswith("UTC, CPU time \u2013 s.\n")


def test_every_file_of_a_report_has_its_content() -> None:
    names = ["report.json", "claims.csv", "claims.md", "small.csv", "small.md", "bars.svg"]
    names += ["report.html", "report.md"]
    assert contents(REPORT) == names
    files = {name: content(REPORT, name, "id") or "" for name in names}
    assert json.loads(files["report.json"]) == report_data([REPORT], "id")[0]
    assert (
        files["report.json"].startswith('{\n "paper": "009",\n')
        and "\u2013" in files["report.json"]
    )
    assert files["small.csv"] == table_csv(TABLE, "id")
    assert files["small.md"] == table_markdown(TABLE, "id")
    assert "| paper009.claim | 12 | 50% [25; 75] | ya |" in files["claims.md"]
    assert files["report.html"] == report_html([REPORT], "id")
    assert files["report.md"] == report_markdown([REPORT], "id")
    assert files["bars.svg"] == inline_chart(CHART, "009-bars", "id")
    assert content(REPORT, "other.csv", "id") is None


def test_tables_and_figures_are_written_as_files_of_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    written = [*write_tables([REPORT], folder, "id"), *write_figures([REPORT], folder, "id")]
    names = ["009-claims.md", "009-claims.csv", "009-small.md", "009-small.csv", "009-bars.svg"]
    assert written == [folder / name for name in names]
    assert (folder / "009-small.csv").read_text("utf-8") == table_csv(TABLE, "id")
    assert (folder / "009-small.md").read_text("utf-8") == table_markdown(TABLE, "id")
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o644}
    with pytest.raises(OSError, match="009-small"):
        next(write_tables([REPORT], tmp_path / "new" / "folder" / "009-small.md", "en"))


@pytest.mark.parametrize(("language", "axis"), [("en", "points"), ("id", "poin")])
def test_y7_files_of_a_report_speak_its_language(language: str, axis: str, tmp_path: Path) -> None:
    [figure] = write_figures([REPORT], tmp_path, language)
    assert f">{axis}</text>" in figure.read_text("utf-8")
    small = [path for path in write_tables([REPORT], tmp_path, language) if "small" in path.name]
    assert len(small) == 2
    for table in small:
        assert axis in re.split(r"[^a-z]+", table.read_text("utf-8"))


@pytest.mark.parametrize(("language", "number"), [("en", "2.5"), ("id", "2,5")])
def test_y7_the_numbers_of_a_figure_are_written_as_its_language_does(
    language: str, number: str
) -> None:
    page = report_html([REPORT], language)
    folded = page[page.index("<details>") :]
    found = [folded[: folded.index("</details>")], report_markdown([REPORT], language)]
    assert [re.findall(r"(?<!\d)2[.,]5", each) for each in found] == [[number]] * 2


@pytest.mark.parametrize("language", ["en", "id"])
def test_y7_the_files_in_the_links_of_a_page_are_in_its_language(language: str) -> None:
    link = re.compile(r'download="([^"]+)" href="data:text/plain;charset=utf-8;base64,([^"]+)"')
    files = {
        name: b64decode(data).decode()
        for name, data in link.findall(report_html([REPORT], language))
    }
    assert files["009-small.csv"] == table_csv(TABLE, language)
    assert files["009-small.md"] == table_markdown(TABLE, language)


FORMS: dict[str, Callable[[Report, str], object]] = {
    "html": lambda report, language: report_html([report, report], language),
    "markdown": lambda report, language: report_markdown([report, report], language),
    "text": lambda report, language: report_text([report, report], language),
    "data": lambda report, language: report_data([report, report], language),
    **{
        name: lambda report, language, name=name: content(report, name, language)  # type: ignore[misc]
        for name in contents(REPORT)
    },
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(("language", "other"), [("en", "id"), ("id", "en")])
def test_y7_no_word_of_a_report_is_of_another_language(
    language: str,
    other: str,
    form: Callable[[Report, str], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every text of the other one is marked, and no mark comes out."""
    texts = message.catalogue(language)
    marked = {key: f"{text}\N{PILCROW SIGN}" for key, text in message.catalogue(other).items()}
    monkeypatch.setattr(message, "catalogue", lambda asked: marked if asked == other else texts)
    said: dict[str, Any] = dict.fromkeys(("remarks", "choices"), PAPER.claims)
    paper = replace(PAPER, language=language, **said)  # claims are quoted in its own language, too
    [claim] = PAPER.claims
    lines = (replace(LINES[0], what=claim, paper=claim, ours=claim), LINES[1])
    found = Conclusions(lines, (replace(TABLE, title=claim),), (CHART,))
    report = replace(REPORT, run=replace(REPORT.run, paper=paper), conclusions=found)
    assert "\N{PILCROW SIGN}" in str(form(report, other)), "that is what a mark looks like"
    assert "\N{PILCROW SIGN}" not in str(form(report, language))


@pytest.mark.parametrize(("rows", "short"), [(SHORT, True), (SHORT + 1, False)])
def test_a_short_table_is_printed_on_one_page(rows: int, short: bool) -> None:
    table = replace(TABLE, rows=TABLE.rows[:1] * rows)
    report = replace(REPORT, conclusions=Conclusions((), (table,)))
    page = report_html([report], "en")
    assert SHORT == 14
    assert page.count('class="scroll short"') == 2 + short  # those of two lines are short anyway


def test_a_report_that_is_shipped_has_its_times_rounded_and_can_be_read() -> None:
    log = replace(REPORT.log, seconds=9.46, cpu=7.64)
    kept = json.loads(to_file(replace(REPORT, log=log)))
    conclusions = kept.pop("conclusions")
    assert kept == {
        "size": "quick",
        "seed": 3,
        "began": "2026-01-02T03:04:05+00:00",
        "seconds": 9.5,
        "cpu": 7.6,
        "machine": HEADER["machine"],
    }
    assert conclusions["findings"][1] == {
        "what": {"key": "other: minimax:depth=3"},
        "paper": None,
        "ours": "a|b",
        "agrees": "open",
    }
    text = to_file(REPORT)
    assert from_file(text) == json.loads(text) | {"conclusions": REPORT.conclusions}
    assert json.loads(to_file(replace(REPORT, log=replace(log, cpu=None))))["cpu"] is None
    assert REPORT.name == "quick-3" and replace(REPORT, reference=True).name == "reference"
