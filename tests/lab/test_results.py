"""Results as text: tables for a terminal, charts in words, and how a line was found."""

import pytest

from papan.core.message import Message
from papan.lab.results import (
    Answer,
    Cell,
    Chart,
    Conclusions,
    Evidence,
    Finding,
    Measure,
    ReportTable,
    Series,
    all_tables,
    cell_json,
    comparison_table,
    counted,
    finding_reason,
    incomparable,
    markdown,
    measured,
    numbers,
    quoted,
    scaled,
    table_text,
)

WHAT, RULE, WHY = Message("lab.points"), Message("lab.rule_always"), Message("lab.by_count")


def table(*rows: tuple[Cell, ...]) -> ReportTable:
    heads = (Message("lab.agent"), Message("lab.points"), Message("lab.games"))
    return ReportTable("small", Message("lab.comparison"), heads[: len(rows[0])], rows)


def test_a_table_for_a_terminal_has_its_numbers_to_the_right() -> None:
    small = table(("minimax:depth=3", Measure(0.625, 0.5, 0.75, "share"), 12345), ("b", None, None))
    assert table_text(small, "en").splitlines() == [
        "The paper and our measurements",
        "",
        "agent                    points   games",
        "minimax:depth=3  62.5% [50, 75]  12,345",
        "b                             \u2013       \u2013",
    ]


def test_long_cells_share_what_words_leave_of_the_width() -> None:
    """Words take 5 and 5 of 108; the other 98 are shared as 135 to 35, the letters in excess."""
    _, _, head, *rows = table_text(
        table(("one two three " * 10, "four five " * 4)), "en"
    ).splitlines()
    assert head == "agent" + " " * 79 + "points"[:6]
    assert len(rows) == 2 and max(map(len, rows)) <= 110
    assert rows[0][84:].startswith("four five")


def test_an_agent_and_its_settings_stand_on_two_lines_where_there_is_no_room() -> None:
    wide = table(("a", f"alpha:{'x' * 60}", f"beta:{'y' * 40}"))
    rows = table_text(wide, "en").splitlines()[3:]
    assert [row.split() for row in rows] == [["a", "alpha:", "beta:"], ["x" * 60, "y" * 40]]


def test_a_chart_in_words_has_each_series_with_its_points() -> None:
    heads = WHAT, WHAT, WHAT
    lines = (Series("one", (0.5, 0.75), (1.0, 2.5)), Series(Message("game.onet"), (3.0,), (4.0,)))
    assert [*numbers(Chart("n", *heads, lines), "en")] == [
        ("one", "1: 0.5; 2.5: 0.75"),
        ("Onet", "4: 3"),
    ]
    bars = Chart("n", *heads, (Series("one", (0.5, 2.0)),), kind="bars", categories=("a", 7))
    assert [*numbers(bars, "id")] == [("one", "a: 0,5; 7: 2")]


@pytest.mark.parametrize(
    ("line", "agrees", "basis", "rule"),
    [
        (counted(WHAT, 1, 2, True), "yes", "lab.by_count", "lab.rule_equal"),
        (counted(WHAT, 1, 2, False, RULE), "no", "lab.by_count", "lab.rule_always"),
        (measured(WHAT, 1, 2, True, RULE), "yes", "lab.by_measure", "lab.rule_always"),
        (measured(WHAT, 1, 2, False, RULE), "no", "lab.by_measure", "lab.rule_always"),
        (incomparable(WHAT, 1, 2, WHY), "incomparable", "lab.by_count", None),
        (quoted(WHAT, 1, 2), "quoted", None, None),
        (quoted(WHAT, 1, 2, WHY), "quoted", "lab.by_count", None),
        (quoted(WHAT, 1), "quoted", None, None),
    ],
)
def test_a_line_says_how_it_was_found_and_by_which_rule(
    line: Finding, agrees: str, basis: str | None, rule: str | None
) -> None:
    assert (line.what, line.paper, line.agrees) == (WHAT, 1, agrees)
    assert line.ours in (2, None)
    assert (line.basis and line.basis.key, line.rule and line.rule.key) == (basis, rule)
    reason = finding_reason(line)
    if rule and basis:
        assert reason == Message("lab.by_rule", {"basis": line.basis, "rule": line.rule})
    else:
        assert reason == line.basis


def test_the_comparison_comes_before_the_tables_behind_it() -> None:
    behind = table(("a", 1, 2))
    line = Finding(WHAT, 1, 2, "open", WHY, Evidence("games", 3, 0.1, 0.2))
    conclusions = Conclusions((line,), (behind,))
    compared = comparison_table(conclusions)
    assert all_tables(conclusions) == (compared, behind)
    assert compared.rows == ((WHAT, 1, 2, Answer("open"), WHY),)
    keys = ["what", "paper_value", "our_value", "agrees", "basis"]
    assert [each.key for each in compared.headings] == [f"lab.{key}" for key in keys]
    assert (compared.name, compared.title.key) == ("claims", "lab.comparison")


def test_markdown_is_one_line_without_marks_of_its_own() -> None:
    assert markdown(" a\n\n*b*_c_ `d` <e> f|g \\h ") == r"a \*b\*\_c\_ \`d\` \<e> f\|g \\h"


def test_messages_as_data_have_their_values_where_these_are_no_text() -> None:
    plain = Message("lab.of", {"part": "x", "all": "y"})
    assert cell_json(plain, "en") == "x of y"
    mixed = Message("lab.of", {"part": "x", "all": Measure(0.5, form="share")})
    half = {"value": 0.5, "low": None, "high": None, "form": "share"}
    assert cell_json(mixed, "id") == {"text": "x dari 50%", "values": {"part": "x", "all": half}}


def test_a_value_is_scaled_to_its_unit() -> None:
    assert scaled(0.125, "share", "id") == "12,5%"
    assert scaled(0.0032, "seconds", "en") == "3.2 ms"
    assert scaled(7, "number", "en") == "7"
