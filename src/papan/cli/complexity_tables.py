"""A survey of a game's complexity in words and tables."""

from __future__ import annotations

from math import isfinite

from papan.cli.language import say
from papan.cli.output import print_table
from papan.lab.complexity import Board, Growth, Run, Survey, Sweep
from papan.lab.complexity.formulas import FORMULAS
from papan.lab.complexity.survey import expected


def print_survey(found: Survey) -> None:
    """The game of each size, the searches in it, and the growth over the sizes."""
    for board in found.boards:
        _print_tree(board)
        for sweep in board.sweeps:
            _print_sweep(board, sweep)
    if found.exponents:
        print(say("complexity.over_sizes"))
        keys = ("agent", "depth", "nodes_law", "seconds_law")
        print_table(
            [say(f"complexity.{key}") for key in keys],
            [
                [each.agent, _or_dash(each.depth), _power(each.nodes), _power(each.seconds)]
                for each in found.exponents
            ],
        )


def _print_tree(board: Board) -> None:
    known = "complexity.all" if board.tree.complete else "complexity.some"
    print(say(known, game=board.game, positions=board.tree.positions))
    print_table(
        [say(f"complexity.{key}") for key in ("ply", "positions", "lines", "branching")],
        [
            [str(ply.ply), str(ply.positions), str(ply.lines), f"{ply.branching:.2f}"]
            for ply in board.tree.plies
        ],
    )
    print()


def _print_sweep(board: Board, sweep: Sweep) -> None:
    print(say("complexity.title", agent=sweep.agent, game=board.game, moves=board.moves))
    keys = ("depth", "nodes", "seconds", "spread", "memory")
    headings = [say(f"complexity.{key}") for key in keys]
    print_table([*headings, *FORMULAS], [_row(board, run) for run in sweep.runs])
    print(say(f"complexity.end_{sweep.end}"))
    if sweep.growth is not None:
        base = _with_ends(sweep.growth)
        print(say("complexity.growth", factor=f"{sweep.growth.factor:.3g}", base=base))
    print()


def _row(board: Board, run: Run) -> list[str]:
    return [
        _or_dash(run.depth),
        str(run.nodes),
        f"{run.seconds.value:.3g}",
        f"{run.seconds.low:.3g} \u2013 {run.seconds.high:.3g}",
        f"{run.memory / 1024:.0f}",
        *(_or_dash(expected(board, run, name)) for name in FORMULAS),
    ]


def _power(growth: Growth) -> str:
    return f"{growth.factor:.3g} \u00b7 n^{_with_ends(growth)}"


def _with_ends(growth: Growth) -> str:
    """The rate and its 95 % interval; that of two points is not known."""
    value, low, high = growth.rate.value, growth.rate.low, growth.rate.high
    if not (isfinite(low) and isfinite(high)):
        return f"{value:.3g}"
    below, above = f"{value - low:.2g}", f"{high - value:.2g}"
    ends = f"\u00b1 {above}" if below == above else f"[{low:.3g}, {high:.3g}]"
    return f"{value:.3g} {ends}"


def _or_dash(amount: int | None) -> str:
    return "-" if amount is None else str(amount)
