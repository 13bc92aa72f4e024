"""``papan elo``: what the results of a match prove about the difference in strength."""

from __future__ import annotations

from typing import Annotated, Literal, Optional

import typer

from papan.cli.arguments import Json
from papan.cli.language import say
from papan.cli.output import print_json
from papan.core import InvalidSpecError
from papan.lab.statistics import (
    Sprt,
    Tally,
    elo_difference,
    normalised_elo,
    superiority,
)
from papan.lab.statistics.facts import sprt_facts, tally_facts
from papan.lab.statistics.intervals import with_ends

Bound = Annotated[Optional[float], typer.Option(metavar="ELO")]  # noqa: UP045 - typer reads it
Risk = Annotated[float, typer.Option(metavar="P")]
RISK = 0.05
"""How often a test may be wrong, unless somebody says otherwise."""


def elo(
    counts: Annotated[list[int], typer.Argument(metavar="W D L", show_default=False)],
    elo0: Bound = None,
    elo1: Bound = None,
    alpha: Risk = RISK,
    beta: Risk = RISK,
    model: Annotated[
        Literal["normalised", "logistic"], typer.Option(metavar="normalised|logistic")
    ] = "normalised",
    json: Json = False,
) -> None:
    """Elo, normalised Elo, likelihood of superiority; a sequential test if asked."""
    tally = Tally(tuple(counts if len(counts) == 5 else counts[::-1]))
    tested = elo0 is not None or elo1 is not None
    if not tested and (alpha, beta, model) != (RISK, RISK, "normalised"):
        raise InvalidSpecError("elo.no_test")
    test = Sprt(elo0 or 0.0, 5.0 if elo1 is None else elo1, alpha, beta, model) if tested else None
    if json:
        print_json(tally_facts(tally) | (sprt_facts(test, tally) if test else {}))
        return
    print("\n".join(tally_lines(tally)))
    if test:
        print("\n".join(sprt_lines(test, tally)))


def tally_lines(tally: Tally) -> list[str]:
    """What a tally proves, for people."""
    return [
        say("elo.games", games=tally.games, score=f"{tally.score:.1%}"),
        say("elo.elo", value=with_ends(elo_difference(tally))),
        say("elo.normalised", value=with_ends(normalised_elo(tally))),
        say("elo.superiority", share=f"{superiority(tally):.2%}"),
        say("elo.method"),
    ]


def sprt_lines(test: Sprt, tally: Tally) -> list[str]:
    """How a test stands, for people."""
    low, high = test.bounds
    ratio = f"{test.ratio(tally):.3f}"
    hypotheses = {"elo0": f"{test.elo0:g}", "elo1": f"{test.elo1:g}"}
    return [
        say("elo.ratio", ratio=ratio, low=f"{low:.3f}", high=f"{high:.3f}", **hypotheses),
        say(f"elo.verdict_{test.verdict(tally)}", **hypotheses),
    ]
