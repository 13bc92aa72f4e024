"""The papers with hardly anything to do: every experiment runs, none takes long."""

import fcntl
import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from papan import api, catalog
from papan.core import Agent
from papan.lab.work import run_all
from papan.papers import PAPERS, adjacency, connect4, dots, experiment, onet, tictactoe
from papan.papers.allis import recipe as allis
from papan.papers.paper import Paper, Report, Run
from tests.conftest import SHARED

agent = experiment.paper_agent
TINY: dict[str, Any] = {
    "000": dots.Amount(pairs=1, chain_pairs=1),
    "001": adjacency.Amount(
        (2, 0, 0), (1, 0, 0), levels=1, matches=1, endgames=3, searches=1, breedings=1
    ),
    "002": onet.Amount(boards=(1, 1)),
    "003": tictactoe.Amount(timed=1, most_empty=6, judged=4, pairs=1, probes=10, large_nodes=500),
    "004": connect4.Amount(pairs=1, strategies=1),
    "005": allis.Amount(),
}


def tiny(paper: Paper) -> Paper:
    amount = TINY.get(paper.number, paper.amounts["quick"])
    return replace(paper, amounts={"quick": amount, "full": amount})


def stand_in(spec: str) -> Agent:
    """Whoever plays matches for an agent, which must be there: chance, which is quick."""
    assert agent(spec).spec
    return catalog.agent("random")


@cache
def report(number: str) -> Report:
    """The report of a tiny run, done once for all tests and all processes that test."""
    paper = next(tiny(each) for each in PAPERS if each.number == number)
    folder = shared_folder()
    with (folder / f"{number}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run = Run(paper, "quick", 0, folder)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(experiment, "paper_agent", stand_in)
            patch.setattr(api, "solve", cache(api.solve))  # who stand in play the same games
            patch.setattr(adjacency, "REPEATS", 2)
            run_all([run.job()], 0)  # nothing is left to do for another
        return run.report()


def shared_folder() -> Path:
    """Where all processes of this run of the tests keep what they measure."""
    folder = Path(os.environ[SHARED]) / "lab"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def reports() -> list[Report]:
    return [report(paper.number) for paper in PAPERS]
