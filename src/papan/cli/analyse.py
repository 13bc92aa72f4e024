"""``papan analyse``: what an agent thinks of a position, as text, JSON, or a stream of events."""

from __future__ import annotations

from typing import Annotated

import typer

from papan.cli.arguments import (
    USUAL,
    AgentOption,
    Json,
    Nodes,
    PositionArgument,
    Seconds,
    Watch,
    agent_for,
    limit_of,
    position_of,
)
from papan.cli.interrupt import until_interrupted
from papan.cli.language import player, say
from papan.cli.output import print_json, print_table
from papan.cli.progress import Findings
from papan.core import Analysis, Position, Value
from papan.core.analysis import format_value


def analyse(
    position: PositionArgument,
    moves: Annotated[str, typer.Option(metavar='"…"')] = "",
    agent: AgentOption = "alphabeta",
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
    events: Annotated[bool, typer.Option("--events")] = False,
    show_progress: Watch = False,
) -> None:
    """The analysis of one position."""
    place = position_of(position, moves)
    thinker = agent_for(agent, place.game)
    limit = limit_of(seconds, nodes, USUAL["cli.analyse"], thinker)
    with until_interrupted() as interrupted:
        with Findings(show_progress) as found:
            listener = print_json if events else found.listener
            analysis = thinker.analyse(place, limit, listener, interrupted)
        if json:
            print_json({"agent": thinker.spec} | facts(place, analysis))
        elif not events:
            _print(place, thinker.spec, analysis)


def facts(position: Position, analysis: Analysis) -> dict[str, object]:
    """The analysis as data, moves by name."""
    name = position.game.move_name
    values = {
        name(move): {"value": value.number, "kind": value.kind, "nodes": value.nodes}
        for move, value in analysis.values.items()
    }
    return {
        "position": str(position),
        "value": analysis.value,
        "exact": analysis.exact,
        "best": [name(move) for move in analysis.best],
        "line": [name(move) for move in analysis.line],
        "distance": analysis.distance,
        "why": analysis.why,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 6),
        "moves": values,
    }


def _print(position: Position, agent: str, analysis: Analysis) -> None:
    name = position.game.move_name
    print(position.picture())
    print()
    print(say("analyse.agent", agent=agent, player=player(position, position.turn)))
    print(say("analyse.move", move=name(analysis.move)))
    if analysis.value is not None:
        kind = say("kind.exact" if analysis.exact else "kind.estimate")
        who = player(position, position.turn)
        print(say("analyse.value", value=format_value(analysis.value), kind=kind, player=who))
    print(say("analyse.line", line=" ".join(map(name, analysis.line))))
    if analysis.distance is not None:
        print(say("analyse.distance", plies=analysis.distance))
    why = say(f"why.{analysis.why}")
    work = say("analyse.work", nodes=analysis.nodes, seconds=f"{analysis.seconds:.3f}", why=why)
    print(work)
    if analysis.values:
        print()
        print_table(
            [say("analyse.column_move"), say("analyse.column_value"), say("analyse.column_line")],
            [_row(position, *pair) for pair in sorted(analysis.values.items(), key=_best_first)],
        )


def _best_first(pair: tuple[int, Value]) -> tuple[float, float]:
    move, value = pair
    return (-value.number, move)


def _row(position: Position, move: int, value: Value) -> list[str]:
    name = position.game.move_name
    return [name(move), str(value), " ".join(map(name, value.line[:12]))]
