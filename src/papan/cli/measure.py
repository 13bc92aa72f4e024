"""``papan complexity``, ``elo`` and ``strength``: how searches grow, and who is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from importlib.util import find_spec as find_library
from math import isfinite
from pathlib import Path
from typing import Annotated, Literal, Optional

import typer

from papan import catalog
from papan.cli.arguments import (
    USUAL,
    Agents,
    GameArgument,
    Json,
    Nodes,
    Seconds,
    Seed,
    agent_for,
    check_form,
    limit_of,
    limit_text,
)
from papan.cli.tournament import evidence, sprt_lines, tally_lines
from papan.core import Agent, Game, InvalidSpecError, PapanError
from papan.core.session import PERSON
from papan.lab.complexity import (
    FORMULAS,
    Board,
    Effort,
    Run,
    Survey,
    Sweep,
    expected,
    scan,
    survey,
)
from papan.lab.figures import SUFFIXES, draw_survey
from papan.lab.match import Survey as Strengths
from papan.lab.statistics import Growth, Sprt, Tally
from papan.terminal.output import Bar, language, print_json, print_table, progress, say

TREE_FORMULAS = ("b^m", "nPr")
"""What papers say about the leaves of a tree."""


def complexity(
    game: GameArgument,
    searchers: Agents = "minimax,alphabeta",
    sizes: Annotated[str, typer.Option(metavar="N,\u2026|AxB,\u2026")] = "",
    deepest: Annotated[Optional[int], typer.Option("--depth", metavar="N")] = None,  # noqa: UP045
    nodes: Annotated[int, typer.Option(metavar="N")] = Effort.nodes,
    positions: Annotated[int, typer.Option(metavar="N")] = Effort.positions,
    repeats: Annotated[int, typer.Option(metavar="N")] = Effort.repeats,
    chart: Annotated[Optional[Path], typer.Option(metavar="FILE")] = None,  # noqa: UP045
    as_csv: Annotated[bool, typer.Option("--csv")] = False,
    json: Json = False,
) -> None:
    """Counts, times, memory and fitted growth, as tables, data or a chart."""
    check_chart(chart)
    check_form(json, as_csv)
    effort = Effort(deepest, nodes, positions, repeats)
    thinkers = [catalog.agent_from_user(spec) for spec in split_agents(searchers)]
    found = survey(sized(game, sizes), thinkers, effort, _show_progress)
    if chart is not None:
        try:
            draw_survey(found, chart, language())
        except OSError as error:
            raise InvalidSpecError("error.cannot_write", path=chart, why=error) from None
        progress(say("complexity.drawn", path=chart))
    if json:
        print_json(found.json())
    elif as_csv:
        print(found.csv(), end="")
    else:
        print_survey(found)


def split_agents(text: str) -> list[str]:
    """The agents in a list; a setting after a comma belongs to the agent before it."""
    specs: list[str] = []
    for word in filter(None, text.split(",")):
        name, equals, _ = word.partition("=")
        if specs and equals and ":" not in name:
            specs[-1] += f",{word}"
        else:
            specs.append(word)
    if not specs:
        raise InvalidSpecError("complexity.no_agents")
    if PERSON in (spec.partition(":")[0] for spec in specs):
        raise InvalidSpecError("complexity.person")
    return specs


def sized(spec: str, sizes: str) -> list[Game]:
    """The game in every size; a number alone stands for all of its sizes: 4 for 4,4,4."""
    first = catalog.game(spec)
    count = sum(not field.metadata.get("option") for field in fields(first))
    games = []
    for size in filter(None, sizes.split(",")):
        words = size.lower().split("x")
        if not all(word.isdecimal() for word in words):
            raise InvalidSpecError("complexity.bad_size", size=size)
        numbers = words * count if len(words) == 1 else words
        games.append(catalog.game(f"{first.name}:{','.join(numbers)}"))
    return games or [first]


def check_chart(path: Path | None) -> None:
    """Refuse a chart that could not be written, before the work and not after it."""
    if path is None:
        return
    if find_library("matplotlib") is None:
        raise PapanError("lab.needs_extra")
    if path.suffix not in SUFFIXES:
        raise InvalidSpecError("complexity.bad_chart", path=path, known=", ".join(SUFFIXES))
    if not path.parent.is_dir() or path.is_dir():
        raise InvalidSpecError("complexity.no_folder", path=path)


def _show_progress(game: Game, agent: Agent, run: Run) -> None:
    what = {"game": game.spec, "agent": agent.spec, "nodes": run.nodes}
    if run.depth is None:
        progress(say("complexity.told", **what))
    else:
        progress(say("complexity.told_depth", depth=run.depth, **what))


def print_survey(found: Survey) -> None:
    """The game of each size, the searches in it, and the growth over the sizes."""
    for board in found.boards:
        _print_tree(board)
        for sweep in board.sweeps:
            _print_sweep(board, sweep)
        _print_walks(board)
        for each in found.conclusions(board):
            print(say(each.key, **each.values))
        print()
    if found.exponents:
        print(say("complexity.over_sizes", depth=_or_dash(found.depth)))
        rows = [
            [each.agent, _or_dash(each.depth), _power(each.nodes), _power(each.seconds)]
            for each in found.exponents
        ]
        _print_columns("agent depth nodes_law seconds_law", rows)
    if found.walk_laws:
        print(say("complexity.walk_laws"))
        laws = found.walk_laws.items()
        rows = [[graph, *(_power(law, "V") for law in both)] for graph, both in laws]
        _print_columns("graph lists matrix", rows)


def _print_columns(keys: str, rows: Sequence[Sequence[str]], *formulas: str) -> None:
    """A table whose columns have names in every language, and those that are formulas."""
    print_table([*(say(f"complexity.{key}") for key in keys.split()), *formulas], rows)


def _print_tree(board: Board) -> None:
    known = "complexity.all" if board.tree.complete else "complexity.some"
    print(say(known, game=board.game, positions=board.tree.positions))
    formulas = [name for name in TREE_FORMULAS if board.formula(name, 1) is not None]
    rows = [
        [
            *map(str, (ply.ply, ply.positions, ply.lines, ply.ended)),
            *map(str, (board.tree.leaves(ply.ply), board.tree.nodes(ply.ply))),
            f"{ply.branching:.2f}",
            *(_or_dash(board.formula(name, ply.ply)) for name in formulas),
        ]
        for ply in board.tree.plies
    ]
    _print_columns("ply positions lines ended leaves tree_nodes branching", rows, *formulas)
    print()


def _print_walks(board: Board) -> None:
    """BFS on the graphs of the board: O(V+E) with lists, O(V^2) with a matrix."""
    if not board.walks:
        return
    print(say("complexity.walks"))
    rows = [
        [
            each.graph,
            *map(str, (each.vertices, each.edges, each.lists, each.matrix)),
            *map(str, (each.vertices + 2 * each.edges, each.vertices**2)),
        ]
        for each in board.walks
    ]
    _print_columns("graph vertices edges lists matrix", rows, "V+2E", "V^2")
    print()


def _print_sweep(board: Board, sweep: Sweep) -> None:
    print(say("complexity.title", agent=sweep.agent, game=board.game, moves=board.moves))
    named = [name for name in FORMULAS if board.formula(name, 1) is not None]
    formulas = ["n^2"] if sweep.end == "once" else named
    rows = [_row(board, run, formulas) for run in sweep.runs]
    _print_columns("depth nodes seconds spread memory", rows, *formulas)
    print(say(f"complexity.end_{sweep.end}"))
    if sweep.growth is not None:
        base = _with_ends(sweep.growth)
        print(say("complexity.growth", factor=f"{sweep.growth.factor:.3g}", base=base))
    print()


def _row(board: Board, run: Run, formulas: list[str]) -> list[str]:
    return [
        _or_dash(run.depth),
        str(run.nodes),
        f"{run.seconds.value:.3g}",
        f"{run.seconds.low:.3g} \u2013 {run.seconds.high:.3g}",
        f"{run.memory / 1024:.0f}",
        *(
            f"{scan(board.side):g}" if name == "n^2" else _or_dash(expected(board, run, name))
            for name in formulas
        ),
    ]


def _power(growth: Growth, size: str = "n") -> str:
    return f"{growth.factor:.3g} \u00b7 {size}^{_with_ends(growth)}"


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


# Strength: Elo of a result, and of every agent of a game.

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
        print_json(evidence(tally, test))
        return
    print("\n".join(tally_lines(tally)))
    if test:
        print("\n".join(sprt_lines(test, tally)))


def strength(
    game: GameArgument,
    measured: Agents = "",
    meetings: Annotated[int, typer.Option("--games", metavar="N")] = Strengths.games,
    known: Annotated[int, typer.Option("--positions", metavar="N")] = Strengths.positions,
    seed: Seed = 0,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Elo and regret of every agent, strongest first."""
    rules = catalog.game(game)
    limit = limit_of(seconds, nodes, USUAL["cli.strength"])
    agents = [agent_for(spec, rules) for spec in split_agents(measured)] if measured else None
    with Bar(rules.spec) as bar:
        effort = {"games": meetings, "positions": known, "seed": seed}
        found = catalog.strength(rules, agents, limit, bar.update, **effort)
    if json:
        print_json([each.json() for each in found])
        return
    anchor = catalog.ANCHORS[0]
    print(say("strength.title", game=rules.spec, limit=limit_text(limit), anchor=anchor))
    rows = []
    for each in found:
        elo, lost = each.elo, each.regret
        judged = [f"{lost.right}/{lost.positions}", f"{lost.mean:.2f}"] if lost else ["-", "-"]
        span = f"{elo.low:.0f} .. {elo.high:.0f}"
        rows.append([each.agent, f"{elo.value:.0f}", span, str(each.games), *judged])
    keys = ("agent", "elo", "interval", "games", "right", "regret")
    print_table([say(f"strength.{key}") for key in keys], rows)
    print(say("strength.about"))
