"""The handlers of jobs, by kind: each goes on where it was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from papan import catalog
from papan.lab.machine import cores

JobHandler = Callable[[Path, dict[str, Any]], None]
"""Work in a folder, on an order; raises PapanError where it cannot be done."""

CATALOG = "papan"
"""Where referee processes find agents."""


def play_tournament(folder: Path, order: dict[str, Any]) -> None:
    """Play what is missing of the tournament in *folder*."""
    from papan.lab.tournament.executor import RefereePool, probed, this_machine
    from papan.lab.tournament.folder import reopen
    from papan.lab.tournament.run import run

    made = reopen(folder)
    for spec in made.plan.agents:
        catalog.agent(spec)  # only what is installed: raises for files and programs
    with closing(RefereePool()) as pool:
        probed(pool, made.plan, CATALOG)
        with this_machine(pool, order["concurrency"]) as executor:
            run(made, executor, CATALOG)


def run_paper(folder: Path, order: dict[str, Any]) -> None:
    """Measure what is missing of a run; finished, it takes the place of older results."""
    from papan.lab.work import run_all
    from papan.papers import chosen
    from papan.papers.run import Run

    (paper,) = chosen([order["paper"]])
    run = Run(paper, order["size"], order["seed"], folder)
    run_all([run.job()], lambda done, total: None, cores())
    run.path.replace(folder.parent / run.path.name)


JOB_HANDLERS: dict[str, JobHandler] = {"tournament": play_tournament, "lab": run_paper}
