"""Tables and charts of paper 000."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from papan.lab.papers.games import Tally, match_headings, match_row, points_chart
from papan.lab.papers.paper import Found
from papan.lab.papers.published import dots as published
from papan.lab.results import Chart, Measure, ReportTable, Series, Text
from papan.lab.work import Json


def review_table(plies: Json) -> ReportTable:
    """Every ply with its exact value before and after, and what would have been better."""
    rows = []
    for number, (seat, name, before, after, best) in enumerate(plies, start=1):
        who = Text("paper000.program" if seat else "paper000.person")
        lost = before - after
        better = " ".join(best) if lost else ""
        rows.append((number, who, name, Measure(before), Measure(after), Measure(lost), better))
    keys = ("ply", "player", "move", "before", "after", "given_away", "better")
    headings = tuple(Text(f"lab.{key}") for key in keys)
    return ReportTable("review", Text("paper000.table_review"), headings, tuple(rows))


def match_table(found: Found, agents: Sequence[str], rivals: Sequence[str]) -> ReportTable:
    """The paper's agent and the corrected one against every rival."""
    rows = [
        match_row(agent, rival, Tally.of(found, f"{agent}/{rival}"))
        for agent in agents
        for rival in rivals
    ]
    return ReportTable("matches", Text("paper000.table_matches"), match_headings(), tuple(rows))


def board_table(boards: Mapping[int, Mapping[str, int]]) -> ReportTable:
    """The graphs of full boards of each size, as the degrees of their dots, beside the formula."""
    rows = []
    for size, degrees in boards.items():
        found = " ".join(map(str, sorted(set(degrees.values()))))
        lines = sum(degrees.values()) // 2
        rows.append((f"{size}x{size}", len(degrees), published.lines(len(degrees)), lines, found))
    keys = ("board", "dots", "lines_paper", "lines_ours", "degrees")
    headings = tuple(Text(f"paper000.{key}") for key in keys)
    return ReportTable("graph", Text("paper000.table_graph"), headings, tuple(rows))


def value_chart(plies: Json) -> Chart:
    """The exact final margin of the program, ply by ply: each fall is a mistake of its own."""
    margins = [plies[0][2] * -1]
    margins += [after if seat else -after for seat, _, _, after, _ in plies]
    return Chart(
        "value",
        Text("paper000.chart_value"),
        Text("lab.ply"),
        Text("paper000.margin_of_program"),
        (Series(Text("paper000.program"), tuple(margins), tuple(range(len(margins)))),),
        kind="steps",
        level=3,
    )


def match_chart(found: Found, agents: Sequence[str], rivals: Sequence[str]) -> Chart:
    """The points of each agent against every rival."""
    return points_chart(
        Text("paper000.chart_matches"),
        agents,
        rivals,
        lambda agent, rival: Tally.of(found, f"{agent}/{rival}").points,
    )
