"""The command that plays a plan again."""

from __future__ import annotations

import shlex
from math import inf

from papan.lab.tournament.plan import Plan


def command(plan: Plan, folder: str = "cup") -> str:
    """What to type in a terminal for the same tournament in another *folder*."""
    words = ["papan", "tournament", "run", folder, *plan.agents, *_options(plan)]
    return shlex.join(words)


def _options(plan: Plan) -> list[str]:
    """Whatever differs from what the command does by itself, and what decides the games."""
    options = ["--game", plan.game, "--pairs", str(plan.pairs), "--seed", str(plan.seed)]
    options += ["--opening", str(plan.opening)]
    for name, bound in (("nodes", plan.limit.nodes), ("seconds", plan.limit.seconds)):
        options += [f"--{name}", f"{bound:.15g}"] if bound != inf else []
    options += ["--gauntlet"] if plan.gauntlet else []
    if sprt := plan.stopping.sprt:
        errors = f"alpha={sprt.alpha:g},beta={sprt.beta:g}"
        test = f"elo0={sprt.elo0:g},elo1={sprt.elo1:g},{errors},model={sprt.model}"
        options += ["--sprt", test]
    if plan.stopping.error is not None:
        options += ["--until-error", f"{plan.stopping.error:g}"]
    return options
