"""The pages of a contest: standings, the cross-table, a page for each student, and look-alikes.

Each page is one file without scripts. Names and outputs come from strangers, so every text is
escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from papan import catalog
from papan.contest.alike import likenesses
from papan.contest.marks import Mark, marks_csv, marks_of
from papan.contest.plan import measure_of
from papan.contest.standings import forfeited, standing_rows, standings_of
from papan.contest.submissions import versions_of
from papan.core.drawing import View
from papan.core.files import check_folder
from papan.core.message import text_of
from papan.core.numbers import in_figures, megabytes
from papan.core.parts import Drawing
from papan.lab.files import PUBLIC, make_private, write_whole, writing

if TYPE_CHECKING:
    from papan.contest.folder import Contest, ContestGame
    from papan.contest.truth import ExactJudgement, Moment

REPORT_FOLDER = "report"
LIVE_PAGE, INDEX_PAGE = "live.html", "index.html"
MARKS_PAGE, ALIKE_PAGE = "lecturer/marks.csv", "lecturer/alike.html"
MOST_ALIKE = 20
"""Pairs of look-alikes that are shown side by side."""
MOST_FAULTS_SHOWN = 3
REFRESH_SECONDS = 10
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1d2230; background: #fbf7f0;
  margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #cbbfad; text-align: left;
  vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
code { overflow-wrap: anywhere; }
pre { background: #f6f0e6; padding: .7rem; overflow-x: auto; white-space: pre-wrap; }
.live { font-size: 1.8rem; }
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
    """Return a whole HTML page around *body*, which is HTML, with *title*, which is escaped.

    *title* is its heading, too. *language* is that of the page, en or id. A browser reloads it
    every *refresh* seconds (0: never).
    """
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
    """Return an HTML table of *rows*, under *headings*; cells are escaped unless they are `Html`.

    Headings are always escaped. *numbers* are the indices, from 0, of right-aligned columns.
    """
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
    """Text that is HTML already: it is not escaped again."""


def _cell(text: str) -> str:
    """Return *text* as HTML: escaped unless it is `Html`."""
    return text if isinstance(text, Html) else escape(text)


COLUMNS = ("rank", "number", "name", "elo", "points", "forfeits", "processor", "memory")


def standings_table(contest: Contest, language: str) -> str:
    """Return the standings as an HTML table, one row for each student, the strongest first.

    Students who do not take part are left out. Headings and figures are in *language* (en or id).
    """
    headings = [text_of(f"contest.column_{key}", language) for key in COLUMNS]
    return table(headings, standing_rows(contest, language), (0, 3, 4, 6, 7))


def cross_table_html(contest: Contest, language: str) -> str:
    """Return an HTML table of the points of each player against each, the strongest first.

    A cell is ``POINTS/GAMES`` of the player of its row against that of its column, empty if they
    have not met. Columns are headed by places in the standings; the last ones are house bots, which
    have no rows. *language* is en or id.
    """
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
    """Write the page for the projector, which reloads every `REFRESH_SECONDS`; return its path.

    Raise PapanError if it cannot be written.
    """
    language = contest.plan.language
    left = in_figures(f"{contest.seconds_left() / 60:.1f}", language)
    facts = {"games": len(contest.games), "minutes": left}
    state = text_of("contest.live", language, **facts)
    body = f'<div class="live"><p>{escape(state)}</p>{standings_table(contest, language)}</div>'
    return write_page(
        contest, LIVE_PAGE, whole_page(contest.plan.title, body, language, REFRESH_SECONDS)
    )


def write_page(contest: Contest, name: str, text: str) -> Path:
    """Write the page *name*, a relative path, into the report's folder; return its path.

    *name* may have one folder, which is created. The page is written whole or not at all, with a
    file mode that lets everyone read it, and replaces an older one. Raise PapanError if it cannot
    be written, such as if *name* has two folders and the first is missing, or if the report's
    folder or the page's is a link.
    """
    path = contest.folder / REPORT_FOLDER / name
    for place in (contest.folder / REPORT_FOLDER, path.parent):
        check_folder(place)
    with writing(path):
        make_private(contest.folder / REPORT_FOLDER)
        path.parent.mkdir(exist_ok=True)
        return write_whole(path, text, PUBLIC)  # so are copies of it, on a web server


# The report.


def write_report(contest: Contest, truth: ExactJudgement) -> Path:
    """Write all pages and the marks of a contest, and return the path of the first page.

    There is a page for each student of the list; `write_live`'s is among them. Raise PapanError if
    a page cannot be written, a formula of the plan cannot be read, or a stored position or move is
    invalid; PapanError or OSError if a bot's files cannot be read.
    """
    language = contest.plan.language
    marks = marks_of(contest, truth, language)
    for mark in marks:
        write_page(contest, f"students/{mark.student}.html", student_page(contest, truth, mark))
    write_page(contest, MARKS_PAGE, marks_csv(contest, truth, language))
    write_page(contest, ALIKE_PAGE, alike_page(contest, truth))
    write_live(contest)
    return write_page(contest, INDEX_PAGE, index_page(contest, marks))


def index_page(contest: Contest, marks: Sequence[Mark]) -> str:
    """Return the first HTML page: standings, cross-table, and students whose bots are set aside.

    *marks* are those of all students; those without a place are set aside.
    """
    language = contest.plan.language
    said = _Said(language)
    aside = [[mark.student, mark.name, mark.remark] for mark in marks if mark.place is None]
    body = [said("contest.page_intro", games=len(contest.counted()), game=contest.plan.game)]
    body.append(standings_table(contest, language))
    body.append(said("contest.page_method"))
    body.append(said.heading("contest.page_cross"))
    body.append(cross_table_html(contest, language))
    if aside:
        headings = [text_of(f"contest.column_{key}", language) for key in ("number", "name", "why")]
        body += [said.heading("contest.page_aside"), table(headings, aside, ())]
    return whole_page(contest.plan.title, "\n".join(body), language)


def student_page(contest: Contest, truth: ExactJudgement, mark: Mark) -> str:
    """Return a student's HTML page: place, measures, worst mistakes, forfeits, games, versions.

    *mark* is that student's. If the bot does not take part, the page has only the reason, and the
    position and output of its check. Raise PapanError if a stored position or move is invalid, or
    as `versions_of`.
    """
    language = contest.plan.language
    said, title = _Said(language), f"{contest.plan.title}: {mark.student} {mark.name}"
    if mark.place is None:
        body = [f"<p>{escape(mark.remark)}</p>", *_failed_check(contest, mark.student, said)]
        return whole_page(title, "\n".join(body), language)
    player = mark.place.player
    games = [game for game in contest.counted() if player in game.players]
    body = [_measures_table(contest, truth, mark), said("contest.page_measures")]
    if moments := truth.moments(player):
        body += [said.heading("contest.page_moments"), said("contest.page_moments_about")]
        body.append(f'<div class="boards">{"".join(_moment(each, said) for each in moments)}</div>')
    body += _faults(games, player, said)
    body += [said.heading("contest.page_games"), _games_table(games, player, said)]
    body += [said.heading("contest.page_versions"), _versions(contest, mark.student, said)]
    return whole_page(title, "\n".join(body), language)


def _failed_check(contest: Contest, student: str, said: _Said) -> Iterator[str]:
    """Yield the position in which *student*'s newest version failed its check, and its output.

    *student* is a number. Both are HTML, the output with its heading. Yield nothing for a position
    or an output that is empty, or without a check. Raise PapanError if the position is invalid.
    """
    version = contest.newest.get(student)
    check = contest.checks.get((student, version.number)) if version else None
    if check and check.position:
        board = _board(check.position, "", "")
        yield (
            f'<div class="boards"><figure>{board}<figcaption><code>{escape(check.position)}'
            "</code></figcaption></figure></div>"
        )
    if check and check.output:
        yield said.heading("contest.page_output")
        yield f"<pre>{escape(check.output)}</pre>"


class _Said:
    """Texts of the catalogue and numbers in *language* (en or id), for HTML pages."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of *key*, filled with *values*, as an HTML paragraph, escaped."""
        return f"<p>{escape(self.text(key, **values))}</p>"

    def text(self, key: str, **values: object) -> str:
        """Return the text of *key*, filled with *values*, not escaped."""
        return text_of(key, self.language, **values)

    def heading(self, key: str) -> str:
        """Return the text of *key* as an HTML heading, escaped."""
        return f"<h2>{escape(self.text(key))}</h2>"

    def number(self, amount: float, form: str) -> str:
        """Return *amount* in the format *form*, such as ``.2f``, as the language writes it."""
        return in_figures(f"{amount:{form}}", self.language)


def _measures_table(contest: Contest, truth: ExactJudgement, mark: Mark) -> str:
    """Return an HTML table of what was measured of a student, one line each, with points and grade.

    *mark* is the student's and must have a place; else raise AssertionError.
    """
    said, place, found = _Said(contest.plan.language), mark.place, mark.measures
    assert place is not None
    shares = [(f"contest.m_{key}", found[key]) for key in ("score", "house", "accuracy")]
    rows = [[said.text("contest.m_rank"), f"{place.rank} / {found['students']:.0f}"]]
    rows += [[said.text(key), said.number(share, ".0%")] for key, share in shares]
    for agent in contest.plan.house.agents:
        share = said.number(found[measure_of(agent)], ".0%")
        rows.append([said.text("contest.m_against", agent=agent), share])
    for difficulty, (right, asked) in truth.by_difficulty(place.player).items():
        rows.append([said.text(f"contest.m_{difficulty}"), f"{right} / {asked}"])
    moves, judged, best = truth.own_games(place.player)
    rows.append([said.text("contest.m_regret"), said.number(found["regret"], ".2f")])
    own = said.text("contest.m_own_of", moves=moves, judged=judged, best=best)
    rows.append([said.text("contest.m_own"), own])
    rows.append([said.text("contest.m_processor"), said.number(place.processor, ".4f")])
    rows.append([said.text("contest.m_memory"), megabytes(place.memory, said.language)])
    rows.append([said.text("contest.m_forfeits"), said.number(found["forfeits"], ".0f")])
    rows.append([said.text("contest.m_points"), said.number(found["points"], ".1f")])
    rows.append([said.text("contest.m_grade"), mark.grade or "-"])
    return table([said.text("contest.m_what"), said.text("contest.m_value")], rows, (1,))


def _moment(moment: Moment, said: _Said) -> str:
    """Return a mistake as HTML: board with both moves, reason, and a command to analyse it.

    Raise PapanError if its position or a move is invalid.
    """
    words = said.text("contest.moment", move=moment.move, better=moment.better)
    sure = said.text("contest.proved" if moment.proved else "contest.guessed")
    line = said.text("contest.line", line=" ".join(moment.line)) if moment.line else ""
    lesson = said.text("contest.lesson", text=said.text(moment.lesson)) if moment.lesson else ""
    command = f'papan analyse "{moment.position}"'
    return (
        f"<figure>{_board(moment.position, moment.move, moment.better)}<figcaption>"
        f"<strong>{escape(words)}</strong> {escape(moment.text.get(said.language, ''))} "
        f'{escape(line)} {escape(lesson)} <span class="quiet">{escape(sure)}</span><br>'
        f"<code>{escape(command)}</code></figcaption></figure>"
    )


def _board(position: str, move: str, better: str) -> str:
    """Return a position, given as text, as SVG with two moves, given by name ("": none).

    *move*, which was played, is marked ?, *better* is highlighted and marked !. Raise PapanError if
    the position or a move is invalid.
    """
    place = catalog.position(position)
    moves = {name: place.legal_move(name) for name in (move, better) if name}
    labels = {number: "?" if name == move else "!" for name, number in moves.items()}
    best = tuple(number for name, number in moves.items() if name == better)
    return Drawing.of(place).svg(View(highlights=best, labels=labels))


def _faults(games: Sequence[ContestGame], player: str, said: _Said) -> list[str]:
    """Return HTML on the first `MOST_FAULTS_SHOWN` of *games* that *player* forfeited, in parts.

    They are a heading, and for each of these games the reason and the bot's output, ``""`` if it
    has none. The list is empty if no game was forfeited.
    """
    lost = [game for game in games if forfeited(game, player)]
    if not lost:
        return []
    parts = [said.heading("contest.page_faults")]
    for game in lost[:MOST_FAULTS_SHOWN]:
        parts.append(f"<p>{escape(game.record.reason_in(said.language))}</p>")
        parts.append(f"<pre>{escape(game.record.output)}</pre>" if game.record.output else "")
    return parts


def _games_table(games: Sequence[ContestGame], player: str, said: _Said) -> str:
    """Return an HTML table with a row for each of *games*, in all of which *player* must play.

    A row has rival, seat (1 or 2), result, and start and moves to replay it. Raise ValueError if
    *player* is not in a game.
    """
    rows = []
    for game in games:
        seat = game.players.index(player)
        result = said.text(f"contest.result_{game.outcome(player)}")
        end = said.text(f"end.{game.record.end}")
        start = f"{game.record.start} : {game.record.moves}"
        rows.append([game.players[1 - seat], str(seat + 1), f"{result} ({end})", start])
    keys = ("rival", "seat", "result", "moves")
    return table([said.text(f"contest.column_{key}") for key in keys], rows, (1,))


def _versions(contest: Contest, student: str, said: _Said) -> str:
    """Return an HTML table of the versions that a student handed in, with the points of each.

    *student* is the number in the list. Points are ``POINTS/GAMES`` of all games, also those that
    do not count. Raise PapanError as `versions_of`.
    """
    rows = []
    for version in versions_of(contest.folder, student):
        own = [game for game in contest.games if version.player in game.players]
        points = sum((game.outcome(version.player) + 1) / 2 for game in own)
        score = in_figures(f"{points:g}/{len(own)}", said.language)
        rows.append([version.player, version.language, score])
    keys = ("version", "language", "points")
    return table([said.text(f"contest.column_{key}") for key in keys], rows, (2,))


def alike_page(contest: Contest, truth: ExactJudgement) -> str:
    """Return the lecturer's HTML page of the suspicious pairs, with both sources side by side.

    It has at most the `MOST_ALIKE` pairs that are most alike; without any it says so. Raise
    PapanError or OSError if a source cannot be read.
    """
    language = contest.plan.language
    said, players = _Said(language), contest.players
    found = likenesses(players, truth)[:MOST_ALIKE]
    body = [said("contest.alike_about")]
    if not found:
        body.append(said("contest.alike_none"))
    for each in found:
        facts = {"source": said.number(each.source, ".0%"), "moves": said.number(each.moves, ".0%")}
        words = said("contest.alike", asked=each.asked, mistakes=each.mistakes, **facts)
        sources = (
            f"<td><pre>{escape(players[name].source())}</pre></td>"
            for name in (each.first, each.second)
        )
        body.append(f"<h2>{escape(each.first)} · {escape(each.second)}</h2>{words}")
        body.append(f"<table><tr>{''.join(sources)}</tr></table>")
    title = f"{contest.plan.title}: {said.text('contest.alike_title')}"
    return whole_page(title, "\n".join(body), language)
