"""``papan lab``: the five papers as experiments that anyone can run again.

What the commands do is imported when one is called: no other command waits for it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Optional

import typer

from papan.cli.arguments import Json, Seed
from papan.core import PapanError
from papan.lab.machine import cores


def complete_paper(incomplete: str) -> list[str]:
    """The papers that begin like this."""
    from papan.papers import names

    return [name for name in ("all", *names()) if name.startswith(incomplete)]


PaperArgument = Annotated[
    str, typer.Argument(metavar="PAPER", autocompletion=complete_paper, show_default=False)
]
PapersArgument = Annotated[
    Optional[list[str]],  # noqa: UP045 - typer reads it
    typer.Argument(metavar="[PAPER]...", autocompletion=complete_paper, show_default=False),
]
Folder = Annotated[Optional[Path], typer.Option(metavar="DIR", show_default=False)]  # noqa: UP045
Workers = Annotated[Optional[int], typer.Option(metavar="N", show_default=False)]  # noqa: UP045


def papers(folder: Folder = None, json: Json = False) -> None:
    """All papers, and what is kept of each."""
    from papan.cli.papers import show_list

    show_list(folder, json)


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
    from papan.cli.papers import chosen_runs, run_papers, show_reports

    count = cores() if workers is None else workers
    if count < 1:
        raise PapanError("lab.bad_workers", workers=count)
    runs = chosen_runs(paper, "quick" if quick else "full", seed, folder)
    command = f"lab run {paper}{' --quick' if quick else ''} --seed {seed}"
    if folder is not None:
        command += f" --folder {shlex.quote(str(folder))}"
    run_papers(runs, count, again, command)
    show_reports([each.report() for each in runs], json)


def report(
    papers: PapersArgument = None,
    html: Annotated[bool, typer.Option("--html")] = False,
    pdf: Annotated[bool, typer.Option("--pdf")] = False,
    folder: Folder = None,
    json: Json = False,
) -> None:
    """What the newest finished runs found."""
    from papan.cli.papers import finished_reports, show_reports, write_reports

    found = finished_reports(papers or [], folder)
    paths = write_reports(found, html, pdf)
    for path in paths:
        print(path)
    if not paths:
        show_reports(found, json)


COMMANDS: dict[str, Callable[..., None]] = {"list": papers, "run": run, "report": report}
