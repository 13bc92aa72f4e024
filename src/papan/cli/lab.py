"""``papan lab``: the five papers as experiments that anyone can run again.

What the commands do is imported when one is called: no other command waits for it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from papan.cli.arguments import Json, Seed, Workers, completion, worker_count
from papan.core import PapanError
from papan.lab.files import writing
from papan.lab.work import run_all
from papan.terminal.output import Bar, language, print_json, print_table, program, progress, say

if TYPE_CHECKING:
    from papan.papers.paper import Report, Run, Size


def papers_and_all() -> list[str]:
    """What can be run."""
    from papan.papers import names

    return ["all", *names()]


complete_paper = completion(papers_and_all)
PaperArgument = Annotated[
    str, typer.Argument(metavar="PAPER", autocompletion=complete_paper, show_default=False)
]
PapersArgument = Annotated[
    Optional[list[str]],  # noqa: UP045 - typer reads it
    typer.Argument(metavar="[PAPER]...", autocompletion=complete_paper, show_default=False),
]
Folder = Annotated[Optional[Path], typer.Option(metavar="DIR", show_default=False)]  # noqa: UP045


def papers(folder: Folder = None, json: Json = False) -> None:
    """All papers, and what is kept of each."""
    from papan.papers import chosen
    from papan.papers.paper import runs_folder, saved_runs

    place = folder or runs_folder()
    rows = [(paper, list(saved_runs(place, paper))) for paper in chosen(["all"])]
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


def _state(runs: Sequence[Run]) -> str:
    """What is kept of a paper, in words."""
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


def run(
    paper: PaperArgument,
    quick: Annotated[bool, typer.Option("--quick")] = False,
    seed: Seed = 0,
    again: Annotated[bool, typer.Option("--again")] = False,
    workers: Workers = None,
    folder: Folder = None,
    json: Json = False,
) -> None:
    """Run what is missing, then show what was found."""
    from papan.papers import chosen
    from papan.papers.paper import Run, runs_folder

    count = worker_count(workers)
    size: Size = "quick" if quick else "full"
    runs = [Run(each, size, seed, folder or runs_folder()) for each in chosen([paper])]
    try:
        _run_missing(runs, count, again)
    except KeyboardInterrupt:
        command = f"{program()} lab run {paper}{' --quick' if quick else ''} --seed {seed}"
        command += "" if folder is None else f" --folder {shlex.quote(str(folder))}"
        progress(say("lab.resume", command=command))
        raise
    _show([each.report() for each in runs], json)


def _run_missing(runs: Sequence[Run], workers: int, again: bool) -> None:
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
            run_all(jobs, bar.update, workers)


def _show(found: Sequence[Report], json: bool) -> None:
    """What runs found, for people or for programs."""
    from papan.papers import report as writer

    if json:
        for each in writer.as_data(found, language()):
            print_json(each)
    else:
        print(writer.as_plain(found, language()), end="")


def report(
    papers: PapersArgument = None,
    html: Annotated[bool, typer.Option("--html")] = False,
    pdf: Annotated[bool, typer.Option("--pdf")] = False,
    folder: Folder = None,
    json: Json = False,
) -> None:
    """What the newest finished runs found."""
    from papan.papers import report as writer

    found = _finished(papers or ["all"], folder)
    pages = found[0].run.folder / f"report-{language()}"
    with writing(pages):
        tables = list(writer.write_tables(found, pages / "tables", language()))
        if html or pdf:
            list(writer.write_figures(found, pages / "figures", language()))
        kinds = (("html", html, writer.as_html), ("pdf", pdf, writer.as_pdf))
        paths = [
            writer.write(pages / f"report.{kind}", page(found, language()))
            for kind, wanted, page in kinds
            if wanted
        ]
    progress(say("lab.tables_in", folder=tables[0].parent))
    for path in paths:
        print(path)
    if not paths:
        _show(found, json)


def _finished(papers: Sequence[str], folder: Path | None) -> list[Report]:
    """The newest finished run of each paper, or the results that papan brings along.

    Whoever names a folder means what is there.
    """
    from papan.papers import chosen
    from papan.papers.paper import reference, reports, runs_folder

    place, asked = folder or runs_folder(), chosen(papers)
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


COMMANDS: dict[str, Callable[..., None]] = {"list": papers, "run": run, "report": report}
