"""``papan lab``: the five papers as experiments that anyone can run again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Optional

import typer
from platformdirs import user_data_path

from papan.cli.arguments import Json, Seed
from papan.cli.language import language, say
from papan.cli.output import print_json, print_table, progress
from papan.cli.progress import Bar
from papan.core import PapanError
from papan.lab.machine import cores
from papan.lab.papers import PAPERS
from papan.lab.papers.paper import Paper, Size
from papan.lab.runs import Report, Run, kept_runs, reports
from papan.lab.units import carry_out
from papan.lab.writing import folder as writing


def names() -> list[str]:
    """What to type for a paper."""
    return [each for paper in PAPERS for each in (paper.number, paper.game)]


def complete_paper(incomplete: str) -> list[str]:
    """The papers that begin like this."""
    return [name for name in ("all", *names()) if name.startswith(incomplete)]


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
    place = _folder(folder)
    rows = [(paper, list(kept_runs(place, paper))) for paper in PAPERS]
    if json:
        print_json([_facts(paper, runs) for paper, runs in rows])
        return
    headings = [say(f"lab.{key}") for key in ("number", "paper_title", "state")]
    print_table(
        headings,
        [
            [paper.number, f"{say(f'game.{paper.game}')}: {paper.title}", _state(runs)]
            for paper, runs in rows
        ],
    )


def run(
    paper: PaperArgument,
    quick: Annotated[bool, typer.Option("--quick")] = False,
    seed: Seed = 0,
    again: Annotated[bool, typer.Option("--again")] = False,
    workers: Annotated[Optional[int], typer.Option(metavar="N", show_default=False)] = None,  # noqa: UP045
    folder: Folder = None,
    json: Json = False,
) -> None:
    """Run what is missing, then show what was found."""
    place = _folder(folder)
    chosen = _chosen([paper])
    count = cores() if workers is None else workers
    if count < 1:
        raise PapanError("lab.bad_workers", workers=count)
    runs = [Run(each, _size(quick), seed, place) for each in chosen]
    for each in runs:
        if each.done() == 1 and not again:
            progress(say("lab.kept", paper=each.paper.number, began=each.report().began))
    try:
        with Bar(" ".join(each.paper.number for each in runs)) as bar:
            carry_out([each.job(again) for each in runs], bar.told, count)
    except KeyboardInterrupt:
        command = f"lab run {paper}{' --quick' if quick else ''} --seed {seed}"
        progress(say("lab.resume", command=f"{_program()} {command}"))
        raise
    except OSError as error:
        raise PapanError("lab.cannot_write", path=place, why=error.strerror or error) from None
    _print([each.report() for each in runs], json)


def report(
    papers: PapersArgument = None,
    html: Annotated[bool, typer.Option("--html")] = False,
    pdf: Annotated[bool, typer.Option("--pdf")] = False,
    folder: Folder = None,
    json: Json = False,
) -> None:
    """What the newest finished runs found."""
    place, chosen = _folder(folder), _chosen(papers or ["all"])
    found = reports(place, chosen)
    if not found:
        raise PapanError("lab.nothing", folder=place)
    _tell_missing(chosen, found)
    pages = place / f"report-{language()}"
    try:
        tables = list(writing.write_tables(found, pages / "tables", language()))
        paths = list(_pages(found, pages, html, pdf))
    except OSError as error:
        raise PapanError("lab.cannot_write", path=pages, why=error.strerror or error) from None
    progress(say("lab.tables_in", folder=tables[0].parent))
    for path in paths:
        print(path)
    if not paths:
        _print(found, json)


def _pages(found: Sequence[Report], pages: Path, html: bool, pdf: bool) -> Iterator[Path]:
    """The files that were asked for, and the figures that they show."""
    if html or pdf:
        list(writing.write_figures(found, pages / "figures", language()))
    if html:
        yield writing.write_html(found, pages, language())
    if pdf:
        yield writing.write_pdf(found, pages, language())


def _print(found: Sequence[Report], json: bool) -> None:
    if json:
        for each in writing.as_data(found, language()):
            print_json(each)
    else:
        print(writing.as_plain(found, language()), end="")


def _tell_missing(chosen: Sequence[Paper], found: Sequence[Report]) -> None:
    """Say what the report lacks, and how to add it."""
    there = {each.run.paper.number for each in found}
    for paper in chosen:
        if paper.number not in there:
            command = f"{_program()} lab run {paper.number} --quick"
            progress(say("lab.not_run", paper=paper.number, command=command))


def _chosen(words: Sequence[str]) -> list[Paper]:
    """The papers that are meant: by number, by game, or all of them."""
    found = []
    for word in words:
        same = [paper for paper in PAPERS if word in ("all", paper.number, paper.game)]
        if not same:
            known = ", ".join([*names(), "all"])
            raise PapanError("lab.unknown_paper", name=word, known=known)
        found += [paper for paper in same if paper not in found]
    return found


def _folder(folder: Path | None) -> Path:
    return user_data_path("papan") / "lab" if folder is None else folder


def _size(quick: bool) -> Size:
    return "quick" if quick else "full"


def _program() -> str:
    """What the user types for papan."""
    return os.environ.get("PAPAN_COMMAND", "papan")


def _facts(paper: Paper, runs: Sequence[Run]) -> dict[str, object]:
    return {
        "number": paper.number,
        "game": paper.game,
        "title": paper.title,
        "authors": paper.authors,
        "year": paper.year,
        "runs": [{"size": each.size, "seed": each.seed, "done": each.done()} for each in runs],
    }


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
