"""``papan complexity``: how fast a game and the searches in it grow."""

from __future__ import annotations

from dataclasses import fields
from importlib.util import find_spec as find_library
from pathlib import Path
from typing import Annotated, Optional

import typer

from papan import catalog
from papan.cli.arguments import GameArgument, Json, check_form
from papan.cli.complexity_tables import print_survey
from papan.cli.language import language, say
from papan.cli.output import print_json, progress
from papan.core import Agent, Game, InvalidSpecError, PapanError
from papan.lab.complexity import Effort, Run, survey
from papan.lab.complexity.chart import SUFFIXES, draw
from papan.lab.session import PERSON


def complexity(
    game: GameArgument,
    searchers: Annotated[
        str, typer.Option("--agents", metavar="AGENT,\u2026")
    ] = "minimax,alphabeta",
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
            draw(found, chart, language())
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
