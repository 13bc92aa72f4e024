"""What jobs do, by their kind: each goes on where it was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from papan import catalog
from papan.lab.machine import cores

Errand = Callable[[Path, dict[str, Any]], None]
"""Work in a folder, on an order; raises PapanError where it cannot be done."""

TABLES = "papan"
"""Where the processes of tables find agents."""


def hold_tournament(folder: Path, order: dict[str, Any]) -> None:
    """Play what is missing of the tournament in *folder*."""
    from papan.lab.tournament.folder import reopen
    from papan.lab.tournament.hall import Hall, auditioned
    from papan.lab.tournament.run import run
    from papan.lab.tournament.venue import this_machine

    made = reopen(folder)
    for spec in made.plan.agents:
        catalog.agent(spec)  # only what is installed: raises for files and programs
    with closing(Hall()) as hall:
        auditioned(hall, made.plan, TABLES)
        with this_machine(hall, order["concurrency"]) as venue:
            run(made, venue, TABLES)


def run_paper(folder: Path, order: dict[str, Any]) -> None:
    """Measure what is missing of a run; finished, it takes the place of older results."""
    from papan.lab.runs import Run
    from papan.lab.shelf import chosen
    from papan.lab.units import carry_out

    (paper,) = chosen([order["paper"]])
    run = Run(paper, order["size"], order["seed"], folder)
    carry_out([run.job()], lambda done, total: None, cores())
    run.path.replace(folder.parent / run.path.name)


ERRANDS: dict[str, Errand] = {"tournament": hold_tournament, "lab": run_paper}
