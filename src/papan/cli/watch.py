"""``papan watch``: two agents play, and say what they think."""

from __future__ import annotations

from time import sleep
from typing import Annotated, Optional

import typer

from papan import catalog
from papan.cli.arguments import (
    USUAL,
    AgentOption,
    Json,
    Nodes,
    PositionArgument,
    Seconds,
    Seed,
    agent_for,
    limit_of,
)
from papan.cli.language import say
from papan.cli.narrate import move_line, result_line
from papan.cli.output import print_json
from papan.cli.play import on_a_screen
from papan.core import InvalidSpecError, Limit
from papan.lab.match import reseeded
from papan.lab.session import PERSON, Session

SLOWEST = 0.001
"""Moves a second: whoever asks for less does not want to watch."""


def watch(
    game: PositionArgument,
    a: AgentOption = "level:3",
    b: AgentOption = "level:3",
    seed: Seed = 0,
    seconds: Seconds = None,
    nodes: Nodes = None,
    speed: Annotated[Optional[float], typer.Option(metavar="X")] = None,  # noqa: UP045
    plain: Annotated[bool, typer.Option("--plain")] = False,
    events: Annotated[bool, typer.Option("--events")] = False,
    json: Json = False,
) -> None:
    """A game between two agents, move by move."""
    if speed is not None and not (speed == 0 or speed >= SLOWEST):
        raise InvalidSpecError("watch.bad_speed", speed=speed, slowest=SLOWEST)
    if PERSON in (spec.partition(":")[0] for spec in (a, b)):
        raise InvalidSpecError("watch.person", game=game)
    start = catalog.position(game)
    if start == start.game.start():
        start = start.game.deal(seed).start()
    agents = [reseeded(agent_for(spec, start.game), seed) for spec in (a, b)][: start.game.seats]
    session = Session(start, agents)
    limits = [limit_of(seconds, nodes, USUAL["cli.watch"], agent) for agent in agents]
    quiet = json or events
    if not (quiet or plain) and on_a_screen():
        from papan.cli.screen import ScreenContext
        from papan.cli.screen import watch as watch_on_screen

        watch_on_screen(ScreenContext(limits[0], agents[0]), session, 1 if speed is None else speed)
        return
    if not quiet:
        print(say("watch.title", game=start.game.spec, agents=" - ".join(x.spec for x in agents)))
        print(start.picture())
    while session.end == "open":
        _ply(session, limits[session.position.turn], events, quiet)
        if speed:
            sleep(1 / speed)
    if quiet:
        print(session.record().json())
    else:
        print(result_line(session.position, session.record()))


def _ply(session: Session, limit: Limit, events: bool, quiet: bool) -> None:
    """One move, with its thinking."""
    position, agent = session.position, session.agent
    assert agent is not None
    analysis = agent.analyse(position, limit, print_json if events else None)
    session.play(analysis.move)
    if not quiet:
        print()
        print(move_line(position, agent.spec, analysis.move, analysis))
        print(session.position.picture(session.view))
