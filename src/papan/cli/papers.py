"""The work of ``papan lab``: papers chosen, run, shown and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from papan.core import PapanError
from papan.lab.work import run_all
from papan.papers import chosen
from papan.papers import report as writing
from papan.papers.paper import Paper, Report, Run, Size, reference, reports, runs_folder, saved_runs
from papan.terminal.output import Bar, language, print_json, print_table, program, progress, say


def show_list(folder: Path | None, json: bool) -> None:
    """All papers, and what is kept of each."""
    place = _folder(folder)
    rows = [(paper, list(saved_runs(place, paper))) for paper in chosen(["all"])]
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


def chosen_runs(name: str, size: Size, seed: int, folder: Path | None) -> list[Run]:
    """The runs that are meant."""
    return [Run(paper, size, seed, _folder(folder)) for paper in chosen([name])]


def run_papers(runs: Sequence[Run], workers: int, again: bool, command: str) -> None:
    """Do what is missing; *command* is what to type to go on after an interruption."""
    for each in runs:
        if each.done() == 1 and not again:
            progress(say("lab.kept", paper=each.paper.number, began=each.report().began))
    seconds = sum(each.seconds_left(again) for each in runs) / workers
    try:
        jobs = [each.job(again) for each in runs]
        if seconds:
            time = f"{int(seconds) // 60}:{int(seconds) % 60:02}"
            progress(say("lab.takes", time=time, processes=workers))
        with Bar(" ".join(each.paper.number for each in runs)) as bar:
            run_all(jobs, bar.update, workers)
    except KeyboardInterrupt:
        progress(say("lab.resume", command=f"{program()} {command}"))
        raise
    except OSError as error:
        raise _unwritable(runs[0].folder, error) from None


def show_reports(found: Sequence[Report], json: bool) -> None:
    """What runs found, for people or for programs."""
    if json:
        for each in writing.as_data(found, language()):
            print_json(each)
    else:
        print(writing.as_plain(found, language()), end="")


def finished_reports(papers: Sequence[str], folder: Path | None) -> list[Report]:
    """The newest finished run of each paper, or the results that papan brings along.

    Whoever names a folder means what is there.
    """
    place, asked = _folder(folder), chosen(papers or ["all"])
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


def write_reports(found: Sequence[Report], html: bool, pdf: bool) -> list[Path]:
    """Write the tables, and the pages that were asked for; these are returned."""
    pages = found[0].run.folder / f"report-{language()}"
    try:
        tables = list(writing.write_tables(found, pages / "tables", language()))
        paths = list(_pages(found, pages, html, pdf))
    except OSError as error:
        raise _unwritable(pages, error) from None
    progress(say("lab.tables_in", folder=tables[0].parent))
    return paths


def _pages(found: Sequence[Report], pages: Path, html: bool, pdf: bool) -> Iterator[Path]:
    """The files that were asked for, and the figures that they show."""
    if html or pdf:
        list(writing.write_figures(found, pages / "figures", language()))
    if html:
        yield writing.write_html(found, pages, language())
    if pdf:
        yield writing.write_pdf(found, pages, language())


def _folder(folder: Path | None) -> Path:
    return runs_folder() if folder is None else folder


def _unwritable(path: Path, error: OSError) -> PapanError:
    return PapanError("error.cannot_write", path=path, why=error.strerror or error)


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
