"""The pages of a contest: standings for the projector, the cross-table, and the games to replay.

Each is one file without scripts. Names and outputs come from strangers: every text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from papan.contest.standings import standing_rows, standings_of
from papan.core.files import check_folder
from papan.core.message import text_of
from papan.core.numbers import in_figures
from papan.lab.files import PUBLIC, write_whole, writing

if TYPE_CHECKING:
    from papan.contest.run import Contest

REPORT_FOLDER = "report"
LIVE_PAGE, INDEX_PAGE = "live.html", "index.html"
REFRESH_SECONDS = 10
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1d2230; background: #fbf7f0;
  margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #cbbfad; text-align: left;
  vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { background: #f6f0e6; padding: .7rem; overflow-x: auto; white-space: pre-wrap; }
.live { font-size: 1.6rem; }
.boards { display: flex; flex-wrap: wrap; gap: 1.5rem; }
.boards figure { margin: 0; max-width: 20rem; }
.boards svg { width: 100%; height: auto; }
.quiet { color: #585e6c; }
@media (prefers-color-scheme: dark) {
  body { background: #14171f; color: #ece6da; }
  pre { background: #222733; }
  th, td { border-color: #444b5a; }
  .quiet { color: #aab0bd; }
  a { color: #9db7ff; }
}
"""


def whole_page(title: str, body: str, language: str, refresh: int = 0) -> str:
    """Return a whole page; *body* is HTML, *refresh* the seconds after which it is read again."""
    again = f'<meta http-equiv="refresh" content="{refresh}">' if refresh else ""
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">"
        f"{again}<title>{escape(title)}</title><style>{STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int]) -> str:
    """Return a table of escaped cells; *numbers* are the columns that stand to the right."""
    head = "".join(f"<th>{escape(each)}</th>" for each in headings)
    lines = []
    for row in rows:
        cells = (
            f'<td class="n">{_cell(cell)}</td>' if place in numbers else f"<td>{_cell(cell)}</td>"
            for place, cell in enumerate(row)
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


class Html(str):
    """Text that is HTML already."""


def _cell(text: str) -> str:
    return text if isinstance(text, Html) else escape(text)


COLUMNS = ("rank", "number", "name", "elo", "points", "forfeits", "processor")


def standings_table(contest: Contest, language: str) -> str:
    """Return the standings as HTML; a line under a rank means that it is told from the next."""
    headings = [text_of(f"contest.column_{key}", language) for key in COLUMNS]
    return table(headings, standing_rows(contest, language), (0, 3, 4, 6))


def cross_table_html(contest: Contest, language: str) -> str:
    """Return the points of each against each, the strongest first; house bots come last."""
    ladder = contest.ladder()
    order = [each.player for each in standings_of(contest, ladder)]
    everyone = [*order, *contest.plan.house.agents]
    rows = []
    for place, player in enumerate(order, 1):
        cells = []
        for other in everyone:
            wins, draws, losses = ladder.score(player, other)
            games = wins + draws + losses
            cells.append(in_figures(f"{wins + draws / 2:g}/{games}", language) if games else "")
        rows.append([f"{place}. {player}", *cells])
    heads = [str(place) for place in range(1, len(order) + 1)]
    headings = [text_of("contest.column_number", language), *heads, *contest.plan.house.agents]
    return table(headings, rows, range(1, len(headings)))


def write_live(contest: Contest) -> Path:
    """Write the page for the projector, which reads itself again every few seconds."""
    language = contest.plan.language
    left = in_figures(f"{contest.seconds_left() / 60:.1f}", language)
    facts = {"games": len(contest.games), "minutes": left}
    state = text_of("contest.live", language, **facts)
    body = f'<p>{escape(state)}</p><div class="live">{standings_table(contest, language)}</div>'
    return write_page(
        contest, LIVE_PAGE, whole_page(contest.plan.title, body, language, REFRESH_SECONDS)
    )


def write_page(contest: Contest, name: str, text: str) -> Path:
    """Write a page into the folder of the report, whole or not at all."""
    path = contest.folder / REPORT_FOLDER / name
    check_folder(contest.folder / REPORT_FOLDER)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        return write_whole(path, text, PUBLIC)
