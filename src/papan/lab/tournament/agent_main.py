"""The main function of an agent's process: builds the agent, and answers positions with moves."""

from __future__ import annotations

import json
import os
import random
import socket
import sys
from dataclasses import dataclass, fields, replace
from importlib import import_module
from typing import Any, NoReturn

from papan.core import Agent, Game, InvalidSpecError, Limit, PapanError, Position
from papan.lab.match import reseeded
from papan.lab.referee import LONGEST_OUTPUT, Forfeit, answer
from papan.lab.tournament.confinement import confine

LONGEST_REASON = 200


@dataclass(frozen=True)
class AgentOrder:
    """Which agent a process is to run, and with what."""

    catalog: str
    game: str
    agent: str
    luck: int = 0
    seed: int = 0
    memory: int = 2048
    depth: int | None = None
    """How many plies it is to look ahead; None: as its spec says."""


def run_agent(channel: socket.socket, order: AgentOrder) -> NoReturn:
    """Be the agent of *order* until the channel closes, then end without a word."""
    try:
        confine(order.memory, channel.fileno())
        random.seed(order.seed)  # for bots that do not mind their luck themselves
        _serve(channel, order)
    except BaseException as error:
        _send(channel, end="crash", reason=_reason(error))
    finally:
        os._exit(0)


def _serve(channel: socket.socket, order: AgentOrder) -> None:
    catalog = import_module(order.catalog)
    known = set(sys.modules)
    try:
        agent, game = _build(catalog, order)
        plays = agent.plays(game)  # a bot is started to answer this
    except PapanError as error:
        values = {name: str(value) for name, value in error.values.items()}
        _send(channel, wrong={"key": error.key, "values": values}, reason=_reason(error))
        return
    kernels = any(".kernel" in name for name in sys.modules.keys() - known)
    _send(channel, spec=agent.spec, plays=plays, kernels=kernels)
    with channel.makefile("r", encoding="utf-8") as questions:
        for line in questions:
            question = json.loads(line)
            _send(channel, **_reply(agent, catalog.position(question["position"]), question))


def _build(catalog: Any, order: AgentOrder) -> tuple[Agent, Game]:
    game: Game = catalog.game(order.game)
    agent: Agent = reseeded(catalog.agent_from_user(order.agent), order.luck)
    if order.depth is not None:
        if not any(each.name == "depth" for each in fields(agent)):
            raise InvalidSpecError("tournament.no_depth", agent=agent.spec)
        depth: dict[str, Any] = {"depth": order.depth}
        agent = replace(agent, **depth)
    agent.load(game.start())
    return agent, game


def _reply(agent: Agent, position: Position, question: dict[str, Any]) -> dict[str, object]:
    try:
        analysis = answer(agent, position, Limit(**question["limit"]))
    except Forfeit as forfeit:
        reason, output = forfeit.reason[:LONGEST_REASON], forfeit.output[-LONGEST_OUTPUT:]
        return {"end": forfeit.end, "reason": reason, "output": output}
    return {"move": analysis.move, "exact": analysis.exact, "nodes": analysis.nodes}


def _send(channel: socket.socket, **facts: object) -> None:
    channel.sendall(json.dumps(facts).encode() + b"\n")


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:LONGEST_REASON]
