"""``papan lab``, ``complexity``, ``elo``, ``strength``: run papers as experiments, and measure.

The modules of the papers are imported when a command needs them: other commands start faster.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import fields
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from papan import api, catalog
from papan.cli.arguments import (
    USUAL,
    Agents,
    GameArgument,
    JsonOption,
    Nodes,
    Seconds,
    Seed,
    Workers,
    agent_for,
    argument,
    check_form,
    completion,
    limit_of,
    limit_text,
    worker_count,
)
from papan.cli.tournament import evidence, sprt_lines, tally_lines
from papan.core import Game, InvalidSpecError, Limit, PapanError, Progress
from papan.core.files import check_folder
from papan.core.numbers import MINUS
from papan.core.session import PERSON
from papan.lab.complexity import (
    FORMULAS,
    BoardSurvey,
    SearchRun,
    Survey,
    SurveyLimit,
    Sweep,
    scan,
    survey,
)
from papan.lab.figures import check_chart, draw_survey
from papan.lab.files import writing
from papan.lab.statistics.elo import ScoreTally, Sprt
from papan.lab.statistics.intervals import Growth
from papan.lab.strength import AgentStrength, Strengths
from papan.lab.work import run_all
from papan.terminal.output import (
    Bar,
    figure,
    in_local_figures,
    language,
    print_json,
    print_table,
    program,
    progress,
    say,
    show_result,
)

if TYPE_CHECKING:
    from papan.papers.paper import Report, Size
    from papan.papers.paper import Run as PaperRun


# The five papers as experiments that anyone can run again.


def papers_and_all() -> list[str]:
    """Return the words that select papers: ``all``, then the number and the game of each."""
    from papan.papers import paper_names

    return ["all", *paper_names()]


complete_paper = completion(papers_and_all)
PaperArgument = Annotated[str, argument("PAPER", complete_paper)]
PapersArgument = Annotated[list[str] | None, argument("[PAPER]...", complete_paper)]
Folder = Annotated[Path | None, typer.Option(metavar="DIR", show_default=False)]


def papers(folder: Folder = None, json: JsonOption = False) -> None:
    """Print all papers and the stored runs of each, as a table or as JSON.

    *folder* is that of the runs; None: the user's. JSON is a list of dicts: number, game, title,
    authors and year of the paper, and runs: size, seed and done (0 to 1) of each. Raise PapanError
    if the log of a run is no regular file.
    """
    from papan.papers import chosen_papers
    from papan.papers.paper import runs_folder, saved_runs

    place = folder or runs_folder()
    rows = [(paper, list(saved_runs(place, paper))) for paper in chosen_papers(["all"])]
    if json:
        facts = ("number", "game", "title", "authors", "year")
        print_json(
            [
                {name: getattr(paper, name) for name in facts}
                | {"runs": [{"size": x.size, "seed": x.seed, "done": x.done()} for x in runs]}
                for paper, runs in rows
            ]
        )
        return
    print_table(
        [say(f"lab.{key}") for key in ("number", "paper_title", "state")],
        [
            [paper.number, f"{say(f'game.{paper.game}')}: {paper.title}", _state(runs)]
            for paper, runs in rows
        ],
    )


def authors_program(
    paper: PaperArgument, listing: Annotated[bool, typer.Option("--listing")] = False
) -> None:
    """Print the features of the program of a paper's authors, and papan's command for each.

    *paper* is a number, a game or ``all``. With *listing*, a paper that has a listing gets that
    instead: the program in our words, as Python. A paper without a program gets a sentence that
    says so. Raise PapanError if the paper is unknown.
    """
    from papan.papers import chosen_papers

    for each in chosen_papers([paper]):
        if listing and each.listing:
            print(each.listing.rstrip())
            continue
        rows = [[say(entry.text.key), entry.command] for entry in each.programs]
        if rows:
            print_table([say("lab.program"), say("lab.command")], rows)
        else:
            print(say("lab.no_program", paper=each.number))


def _state(runs: Sequence[PaperRun]) -> str:
    """Return the stored runs of a paper in words: size, seed and percent done of each.

    Without runs the text says that there is none.
    """
    words = (
        say(
            "lab.state_run",
            size=say(f"lab.size_{each.size}"),
            seed=each.seed,
            percent=int(100 * each.done()),
        )
        for each in runs
    )
    return "; ".join(words) or say("lab.state_none")


def run_paper(
    paper: PaperArgument,
    quick: Annotated[bool, typer.Option("--quick")] = False,
    seed: Seed = 0,
    again: Annotated[bool, typer.Option("--again")] = False,
    workers: Workers = None,
    folder: Folder = None,
    json: JsonOption = False,
) -> None:
    """Measure the missing parts of *paper* (a number, a game or ``all``), then print the results.

    *quick* measures a small sample, *again* measures everything anew; *seed* draws all chance;
    *workers* is the number of processes (None: one per core), *folder* that of the runs (None: the
    user's); *json* prints JSON. After Ctrl-C, print the runs that are finished and how to resume,
    and raise KeyboardInterrupt. Raise PapanError if a paper or an option is invalid, or a file
    cannot be written.
    """
    from papan.papers import chosen_papers
    from papan.papers.paper import Run as PaperRun
    from papan.papers.paper import runs_folder

    count = worker_count(workers)
    size: Size = "quick" if quick else "full"
    runs = [PaperRun(each, size, seed, folder or runs_folder()) for each in chosen_papers([paper])]
    try:
        _run_missing(runs, count, again)
    except KeyboardInterrupt:
        finished = [each.report() for each in runs if each.done() == 1]
        if finished:
            _show(finished, json)
        for each in runs:
            progress(f"{each.paper.number}  {_state([each])}")
        command = f"{program()} lab run {paper}{' --quick' if quick else ''} --seed {seed}"
        command += "" if folder is None else f" --folder {shlex.quote(str(folder))}"
        progress(say("lab.resume", command=command))
        raise
    _show([each.report() for each in runs], json)


def _run_missing(runs: Sequence[PaperRun], workers: int, again: bool) -> None:
    """Measure what is missing of *runs* (all if *again*) in *workers* processes; show progress.

    *runs* must not be empty; all are in the folder of the first. Raise PapanError if a file cannot
    be written.
    """
    for each in runs:
        if each.done() == 1 and not again:
            progress(say("lab.kept", paper=each.paper.number, began=each.report().began))
    seconds = sum(each.seconds_left(again) for each in runs) / workers
    with writing(runs[0].folder):
        jobs = [each.job(again) for each in runs]
        if seconds:
            time = f"{int(seconds) // 60}:{int(seconds) % 60:02}"
            progress(say("lab.takes", time=time, processes=workers))
        with Bar(" ".join(each.paper.number for each in runs)) as bar:
            run_all(jobs, workers, bar.update)


def _show(found: Sequence[Report], json: bool) -> None:
    """Print the reports *found* as text, or with *json* as a line of JSON for each."""
    from papan.papers import report as writer

    if json:
        for each in writer.report_data(found, language()):
            print_json(each)
    else:
        print(writer.report_text(found, language()), end="")


def report(
    papers: PapersArgument = None,
    html: Annotated[bool, typer.Option("--html")] = False,
    markdown: Annotated[bool, typer.Option("--markdown")] = False,
    folder: Folder = None,
    json: JsonOption = False,
) -> None:
    """Print the results of the newest finished runs, or write them as HTML or Markdown files.

    *papers* are numbers or games (None: all), *folder* is that of the runs (None: the user's).
    *html* and *markdown* write a page in that form and print its path; without them the results are
    printed, as JSON if *json*. Tables are always written, as CSV and Markdown, to
    ``report-LANGUAGE`` in the folder of runs, and with a page its figures, too. A paper without a
    finished run has the one shipped with papan. Raise PapanError if a paper is unknown, *folder* is
    given and has no finished run of any, or a file cannot be written.
    """
    from papan.papers import report as writer

    found = _finished(papers or ["all"], folder)
    pages = found[0].run.folder / f"report-{language()}"
    for each in (pages, pages / "tables", pages / "figures"):
        check_folder(each)
    with writing(pages):
        tables = list(writer.write_tables(found, pages / "tables", language()))
        if html or markdown:
            list(writer.write_figures(found, pages / "figures", language()))
        kinds = (("html", html, writer.report_html), ("md", markdown, writer.report_markdown))
        paths = [
            writer.write_report_file(pages / f"report.{kind}", page(found, language()))
            for kind, wanted, page in kinds
            if wanted
        ]
    progress(say("lab.tables_in", folder=tables[0].parent))
    for path in paths:
        print(path)
    if not paths:
        _show(found, json)


def _finished(papers: Sequence[str], folder: Path | None) -> list[Report]:
    """Return the newest finished run's report of each paper, or else the one shipped with papan.

    *papers* are numbers, games or ``all``; *folder* is that of the runs (None: the user's). Each
    report that was shipped is mentioned on standard error. Raise PapanError if a paper is unknown,
    or if *folder* is given and has no finished run of any.
    """
    from papan.papers import chosen_papers
    from papan.papers.paper import reference, reports, runs_folder

    place, asked = folder or runs_folder(), chosen_papers(papers)
    own = {each.run.paper.number: each for each in reports(place, asked)}
    if folder is not None and not own:
        raise PapanError("lab.nothing", folder=place)
    found = [own.get(paper.number) or reference(paper, place) for paper in asked]
    for each in found:
        if each.reference:
            number = each.run.paper.number
            command = f"{program()} lab run {number} --quick"
            progress(say("lab.reference", paper=number, began=each.began[:10], command=command))
    return found


COMMANDS: dict[str, Callable[..., None]] = {
    "list": papers,
    "program": authors_program,
    "run": run_paper,
    "report": report,
}


# Complexity: how fast a game and the searches in it grow.

TREE_FORMULAS = ("b^m", "nPr")
"""Formulas of the papers for the number of leaves of a tree."""


def complexity(
    game: GameArgument,
    searchers: Agents = "minimax,alphabeta",
    sizes: Annotated[str, typer.Option(metavar="N,\u2026|AxB,\u2026")] = "",
    deepest: Annotated[int | None, typer.Option("--depth", metavar="N")] = None,
    nodes: Annotated[int, typer.Option(metavar="N")] = SurveyLimit.nodes,
    positions: Annotated[int, typer.Option(metavar="N")] = SurveyLimit.positions,
    repeats: Annotated[int, typer.Option(metavar="N")] = SurveyLimit.repeats,
    chart: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    as_csv: Annotated[bool, typer.Option("--csv")] = False,
    json: JsonOption = False,
) -> None:
    """Measure counts, times, memory and fitted growth of searches; print tables, CSV or JSON.

    *game* is a spec, *searchers* are agents, *sizes* such as ``3,4`` or ``4x5,5x6`` (empty: that of
    *game*). *deepest* (plies; None: no limit), *nodes* of a search, *positions* that are counted
    and *repeats* of each measurement are the limits of a `SurveyLimit`. *chart* also draws the
    result to an SVG file. Raise PapanError if one is invalid, or both *as_csv* and *json* are
    given. After an interrupt, print the boards that are finished, without a chart, and raise
    Interrupted.
    """
    if chart is not None:
        check_chart_file(chart)
    check_form(json, as_csv)
    effort = SurveyLimit(deepest, nodes, positions, repeats)
    thinkers = [catalog.agent_from_user(spec) for spec in split_agents(searchers)]
    boards = sized(game, sizes)

    def show(found: Survey) -> None:
        if len(found.boards) < len(boards):
            progress(say("cli.so_far", done=len(found.boards), total=len(boards)))
        elif chart is not None:
            try:
                draw_survey(found, chart, language())
            except OSError as error:
                raise InvalidSpecError("error.cannot_write", path=chart, why=error) from None
            progress(say("complexity.drawn", path=chart))
        if json:
            print_json(found.json())
        elif as_csv:
            print(found.csv(), end="")
        else:
            print_survey(found)

    show_result(lambda: survey(boards, thinkers, effort, _show_progress), show)


def split_agents(text: str) -> list[str]:
    """Return the specs in *text*, separated by commas, such as ``mcts:seed=1,c=2,random``.

    That text has two: a word with = and without : before it is a setting of the agent to its left.
    Raise InvalidSpecError if the list is empty or has a person in it; specs are not checked
    otherwise.
    """
    specs: list[str] = []
    for word in filter(None, text.split(",")):
        name, equals, _ = word.partition("=")
        if specs and equals and ":" not in name:
            specs[-1] += f",{word}"
        else:
            specs.append(word)
    if not specs:
        raise InvalidSpecError("complexity.no_agents")
    if PERSON in (spec.partition(":")[0] for spec in specs):
        raise InvalidSpecError("complexity.person")
    return specs


def sized(spec: str, sizes: str) -> list[Game]:
    """Return the game *spec* in every one of *sizes*, such as ``3,4`` or ``4x5,5x6``.

    One number sets all dimensions: 4 means 4,4,4 where there are three. Options of *spec* other
    than its size are lost. If *sizes* is empty, the list has the game *spec* itself. Raise
    InvalidSpecError for an unknown game or a size that it refuses.
    """
    first = catalog.game(spec)
    count = sum(not field.metadata.get("option") for field in fields(first))
    games = []
    for size in filter(None, sizes.split(",")):
        words = size.lower().split("x")
        if not all(word.isdecimal() for word in words):
            raise InvalidSpecError("complexity.bad_size", size=size)
        numbers = words * count if len(words) == 1 else words
        games.append(catalog.game(f"{first.name}:{','.join(numbers)}"))
    return games or [first]


def check_chart_file(path: Path) -> None:
    """Raise InvalidSpecError if no chart can be written to *path*; call it before the work.

    *path* must end in ``.svg`` and be no folder, and the folder that it is in must exist.
    """
    check_chart(path)
    if not path.parent.is_dir() or path.is_dir():
        raise InvalidSpecError("complexity.no_folder", path=path)


def _show_progress(made: Progress) -> None:
    """Print the label of *made* as a line on standard error."""
    progress(made.text(language()))


def print_survey(found: Survey) -> None:
    """Print a survey: for each board the tree, searches and graphs, then the growth over sizes."""
    for board in found.boards:
        _print_tree(board)
        for sweep in board.sweeps:
            _print_sweep(board, sweep)
        _print_walks(board)
        for each in found.conclusions(board):
            print(say(each.key, **each.values))
        print()
    if found.exponents:
        print(say("complexity.over_sizes", depth=_or_dash(found.depth)))
        rows = [
            [each.agent, _or_dash(each.depth), _power(each.nodes), _power(each.seconds)]
            for each in found.exponents
        ]
        _print_columns("agent depth nodes_law seconds_law", rows)
    if found.walk_laws:
        print(say("complexity.walk_laws"))
        laws = found.walk_laws.items()
        rows = [[graph, *(_power(law, "V") for law in both)] for graph, both in laws]
        _print_columns("graph lists matrix", rows)


def _print_columns(keys: str, rows: Sequence[Sequence[str]], *formulas: str) -> None:
    """Print a table with the headings of *keys*, text keys after ``complexity.``, and *formulas*.

    *keys* is a text of words separated by spaces. *formulas* are further headings, printed as they
    are. Each row has a text for each heading.
    """
    print_table([*(say(f"complexity.{key}") for key in keys.split()), *formulas], rows)


def _print_tree(board: BoardSurvey) -> None:
    """Print what is counted ply by ply from the start of *board*, beside the papers' formulas."""
    known = "complexity.all" if board.tree.complete else "complexity.some"
    print(say(known, game=board.game, positions=board.tree.positions))
    formulas = [name for name in TREE_FORMULAS if board.formula(name, 1) is not None]
    rows = [
        [
            *map(str, (ply.ply, ply.positions, ply.lines, ply.ended)),
            *map(str, (board.tree.leaves(ply.ply), board.tree.nodes(ply.ply))),
            figure(ply.branching, ".2f"),
            *(_or_dash(board.formula(name, ply.ply)) for name in formulas),
        ]
        for ply in board.tree.plies
    ]
    _print_columns("ply positions lines ended leaves tree_nodes branching", rows, *formulas)
    print()


def _print_walks(board: BoardSurvey) -> None:
    """Print the work of breadth-first search on each graph of the board, by lists and by matrix.

    The last columns are the formulas V+2E and V^2. Nothing is printed if the board has no graph.
    """
    if not board.walks:
        return
    print(say("complexity.walks"))
    rows = [
        [
            each.graph,
            *map(str, (each.vertices, each.edges, each.lists, each.matrix)),
            *map(str, (each.vertices + 2 * each.edges, each.vertices**2)),
        ]
        for each in board.walks
    ]
    _print_columns("graph vertices edges lists matrix", rows, "V+2E", "V^2")
    print()


def _print_sweep(board: BoardSurvey, sweep: Sweep) -> None:
    """Print the searches of one agent, depth by depth, why they ended, and the fitted growth."""
    print(say("complexity.title", agent=sweep.agent, game=board.game, moves=board.moves))
    named = [name for name in FORMULAS if board.formula(name, 1) is not None]
    formulas = ["n^2"] if sweep.end == "once" else named
    rows = [_row(board, run, formulas) for run in sweep.runs]
    _print_columns("depth nodes seconds spread memory", rows, *formulas)
    print(say(f"complexity.end_{sweep.end}"))
    if sweep.growth is not None:
        base = _with_ends(sweep.growth)
        print(say("complexity.growth", factor=figure(sweep.growth.factor, ".3g"), base=base))
    print()


def _row(board: BoardSurvey, run: SearchRun, formulas: list[str]) -> list[str]:
    """Return the texts of a row about one search: depth, nodes, seconds, spread and memory.

    They are plies, nodes, the median of the seconds, their quartiles, and KiB. The values of
    *formulas* (names) at that depth follow; ``-`` stands for a depth or value that there is not.
    """
    return [
        _or_dash(run.depth),
        str(run.nodes),
        figure(run.seconds.value, ".3g"),
        f"{figure(run.seconds.low, '.3g')} \u2013 {figure(run.seconds.high, '.3g')}",
        figure(run.memory / 1024, ".0f"),
        *(
            figure(scan(board.side)) if name == "n^2" else _or_dash(board.formula(name, run.depth))
            for name in formulas
        ),
    ]


def _power(growth: Growth, size: str = "n") -> str:
    """Return a fitted power law as text, such as ``0.5 · n^1.2 ± 0.1``; *size* names its variable.

    The interval is that of the exponent: see `_with_ends`.
    """
    return f"{figure(growth.factor, '.3g')} \u00b7 {size}^{_with_ends(growth)}"


def _with_ends(growth: Growth) -> str:
    """Return a growth rate and its 95 % interval as text, ``1.5 ± 0.2`` or ``1.5 [1.4, 1.8]``.

    The first form is for an interval whose halves are equal in two digits. If an end is infinite,
    it is the rate alone.
    """
    value, low, high = growth.rate.value, growth.rate.low, growth.rate.high
    if not (isfinite(low) and isfinite(high)):
        return figure(value, ".3g")
    below, above = figure(value - low, ".2g"), figure(high - value, ".2g")
    ends = (
        f"\u00b1 {above}"
        if below == above
        else in_local_figures(f"[{low:.3g}, {high:.3g}]".replace("-", MINUS))
    )
    return f"{figure(value, '.3g')} {ends}"


def _or_dash(amount: int | None) -> str:
    return "-" if amount is None else str(amount)


# Strength: Elo of a result, and of every agent of a game.

Bound = Annotated[float | None, typer.Option(metavar="ELO")]
Risk = Annotated[float, typer.Option(metavar="P")]
RISK = 0.05
"""Default probability of each kind of error of a sequential test."""


def elo(
    counts: Annotated[list[int], argument("W D L")],
    elo0: Bound = None,
    elo1: Bound = None,
    alpha: Risk = RISK,
    beta: Risk = RISK,
    model: Annotated[
        Literal["normalised", "logistic"], typer.Option(metavar="normalised|logistic")
    ] = "normalised",
    json: JsonOption = False,
) -> None:
    """Print Elo, normalised Elo and likelihood of superiority of a result, and an SPRT if wanted.

    *counts* are wins, draws and losses, or five counts of pairs by points, 0 to 2 (pentanomial).
    *elo0* or *elo1* ask for the SPRT: they are the differences of its two hypotheses (None: 0 and
    5) on the scale *model*; *alpha* and *beta* are the probabilities to accept the second or the
    first one wrongly. Raise PapanError if counts or options are invalid.
    """
    tally = ScoreTally(tuple(counts if len(counts) == 5 else counts[::-1]))
    tested = elo0 is not None or elo1 is not None
    if not tested and (alpha, beta, model) != (RISK, RISK, "normalised"):
        raise InvalidSpecError("elo.no_test")
    test = Sprt(elo0 or 0.0, 5.0 if elo1 is None else elo1, alpha, beta, model) if tested else None
    if json:
        print_json(evidence(tally, test))
        return
    print("\n".join(tally_lines(tally)))
    if test:
        print("\n".join(sprt_lines(test, tally)))


def strength(
    game: GameArgument,
    measured: Agents = "",
    meetings: Annotated[int, typer.Option("--games", metavar="N")] = Strengths.games,
    known: Annotated[int, typer.Option("--positions", metavar="N")] = Strengths.positions,
    seed: Seed = 0,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: JsonOption = False,
) -> None:
    """Measure and print Elo and mean regret (points a move) of agents, the strongest first.

    *game* is a spec, *measured* has specs separated by commas (empty: all that play). *meetings* is
    the number of games against each anchor, an agent that all are compared with; *known* is the
    number of proved positions in which the regret is measured; *seed* draws games and positions;
    *seconds* and *nodes* limit a move (None: the usual limit); *json* prints JSON. After an
    interrupt, print the result so far and raise Interrupted. Raise PapanError if an agent or an
    option is invalid.
    """
    rules = catalog.game(game)
    limit = limit_of(seconds, nodes, USUAL["cli.strength"])
    agents = [agent_for(spec, rules) for spec in split_agents(measured)] if measured else None
    effort = {"games": meetings, "positions": known, "seed": seed}

    def measure() -> list[AgentStrength]:
        with Bar(rules.spec) as bar:
            return api.strength(rules, agents, limit, bar.update, **effort)

    def show(found: list[AgentStrength]) -> None:
        if json:
            print_json([each.json() for each in found])
        else:
            _print_strengths(rules, limit, found)

    show_result(measure, show)


def _print_strengths(rules: Game, limit: Limit, found: Sequence[AgentStrength]) -> None:
    """Print Elo and regret (points a move) of each measured agent, in the order of *found*.

    *rules* is the game in which they were measured, *limit* was that of each move.
    """
    anchor = api.ANCHORS[0]
    print(say("strength.title", game=rules.spec, limit=limit_text(limit), anchor=anchor))
    rows = []
    for each in found:
        elo, lost = each.elo, each.regret
        judged = (
            [f"{lost.right}/{lost.positions}", figure(lost.mean, ".2f")] if lost else ["-", "-"]
        )
        span = f"{figure(elo.low, '.0f')} .. {figure(elo.high, '.0f')}"
        rows.append([each.agent, figure(elo.value, ".0f"), span, str(each.games), *judged])
    keys = ("agent", "elo", "interval", "games", "right", "regret")
    print_table([say(f"strength.{key}") for key in keys], rows)
    print(say("strength.about"))
