"""Arguments that several commands share: games, agents, limits, and what the shell can complete."""

from __future__ import annotations

from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Annotated, Optional

import typer

from papan import catalog
from papan.cli.language import say
from papan.core import (
    UNLIMITED,
    InvalidMoveError,
    InvalidPositionError,
    InvalidSpecError,
    Limit,
    Position,
)
from papan.core.agent import Agent
from papan.core.game import Game


def complete_game(incomplete: str) -> list[str]:
    """The games, and the named sizes, that begin like this."""
    return [name for name in (*catalog.GAMES, *catalog.PRESETS) if name.startswith(incomplete)]


def complete_agent(incomplete: str) -> list[str]:
    """The agents and, once there is a letter, the bots in this folder that begin like this."""
    bots = sorted(path.name for path in Path().glob("*.py")) if incomplete else []
    return [name for name in (*catalog.agent_names(), *bots) if name.startswith(incomplete)]


def nodes_of(text: str) -> float:
    """A whole number, or no limit."""
    return inf if text == "inf" else int(text)


GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", autocompletion=complete_game, show_default=False)
]
PositionArgument = Annotated[
    str, typer.Argument(metavar="GAME|POSITION", autocompletion=complete_game, show_default=False)
]
AgentOption = Annotated[str, typer.Option(metavar="AGENT", autocompletion=complete_agent)]
Seconds = Annotated[Optional[float], typer.Option(metavar="S")]  # noqa: UP045 - typer reads it
Nodes = Annotated[Optional[float], typer.Option(metavar="N|inf", parser=nodes_of)]  # noqa: UP045
Json = Annotated[bool, typer.Option("--json")]
Watch = Annotated[bool, typer.Option("--progress")]


def check_form(json: bool, csv: bool) -> None:
    """Raise where two forms of the same data are asked for."""
    if json and csv:
        raise InvalidSpecError("cli.two_forms")


MOST_DIGITS = 18


def check_seed(seed: int | None) -> int | None:
    """The seed, if records and specs can write it and read it back."""
    if seed is not None and abs(seed) >= 10**MOST_DIGITS:
        raise InvalidSpecError("error.bad_seed", digits=MOST_DIGITS)
    return seed


Seed = Annotated[int, typer.Option(metavar="S", callback=check_seed)]


USUAL = {
    "cli.play": Limit(seconds=2),
    "cli.watch": Limit(nodes=10_000),
    "cli.analyse": Limit(seconds=5),
    "cli.solve": UNLIMITED,
    "cli.match": Limit(nodes=10_000),
    "cli.tournament.run": Limit(nodes=10_000),
    "cli.bot.check": Limit(seconds=1),
}
"""What each command grants where neither options nor settings say it. Tournaments count nodes, so
that the same seed gives the same games on every machine."""


def limit_of(
    seconds: float | None, nodes: float | None, usual: Limit, agent: Agent | None = None
) -> Limit:
    """The limit that the options ask for; else that of the *agent*'s own settings, or the *usual*.

    The one rule for limits: docs/limits.md. Tournaments are equal for all, and ask no agent.
    """
    if seconds is None and nodes is None:
        own = UNLIMITED if agent is None else agent.own_limit
        return usual if own == UNLIMITED else own
    bounds = {"seconds": seconds, "nodes": nodes}
    return Limit(**{name: bound for name, bound in bounds.items() if bound is not None})


def limit_text(limit: Limit) -> str:
    """A limit in words."""
    seconds, nodes = limit.seconds, limit.nodes
    texts = [say("limit.seconds", amount=f"{seconds:g}")] if seconds < inf else []
    texts += [say("limit.nodes", amount=f"{nodes:.0f}")] if nodes < inf else []
    return ", ".join(texts) or say("limit.none")


def agent_for(spec: str, game: Game) -> Agent:
    """The agent that *spec* names; raises if it cannot play *game*."""
    agent = catalog.agent_from_user(spec)
    if not agent.plays(game):
        raise agent.refusal(game)
    return agent


def position_of(text: str, moves: str) -> Position:
    """The position that *text* describes, after *moves*; also a game and its first moves."""
    try:
        return catalog.position(text).after(moves)
    except InvalidPositionError:
        spec, *names = text.split(maxsplit=1)
        with suppress(InvalidMoveError):  # then it was meant as a board
            return catalog.game(spec).start().after(" ".join(names)).after(moves)
        raise
