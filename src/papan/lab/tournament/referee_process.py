"""A process that referees one game after another. Bots never run in it.

It is asked and answers by the line protocol (`papan.process.lines`). Whoever holds the other ends
may vanish at any time: then it ends, and the agents with it.
"""

from __future__ import annotations

import gc
import json
import os
from contextlib import ExitStack, suppress
from dataclasses import asdict
from functools import partial
from importlib import import_module
from typing import Any

from papan.core import (
    Agent,
    Game,
    Limit,
    Move,
    PapanError,
    Position,
    Record,
)
from papan.lab.match import Effort, opening
from papan.lab.referee import Forfeit, Judge, Player, conduct
from papan.lab.tournament.agent_process import AgentOrder, AgentProcess
from papan.lab.tournament.plan import Assignment, parse_assignment
from papan.process.host import adopt_orphans, sweep
from papan.process.lines import Message, emitter, private_streams, serve


class RefereeProcess:
    """Plays games between agents, each in a process forked from this one."""

    def __init__(self, lifeline: int) -> None:
        """*lifeline* is a file descriptor: it closes when nobody waits for results any more."""
        self._lifeline = lifeline
        self._judges: dict[AgentOrder, AgentProcess] = {}

    def play(self, task: Assignment) -> tuple[Record, list[Effort]]:
        """One game to its end, whatever the agents do; and what it has cost each seat."""
        game: Game = import_module(task.catalog).game(task.game)
        start = opening(game, task.opening, task.seed)
        gc.freeze()  # the agents share what is loaded by now
        with ExitStack() as ending:
            ending.callback(self._sweep)
            processes = [
                ending.enter_context(AgentProcess(self._order(task, agent, seed), self._lifeline))
                for agent, seed in zip(task.agents, task.seeds)
            ]
            names = [process.handshake() for process in processes]
            for process in processes:
                process.check()
            players = [_player(process, task) for process in processes]
            record = conduct(start, players, names, self._judge(task))
        for process in processes:
            _load_what(process)
        return record, [tuple(process.effort) for process in processes]

    def probe(self, order: AgentOrder) -> dict[str, Any]:
        """What must be known of an agent before it may play."""
        with AgentProcess(order, self._lifeline) as process:
            process.handshake()
        self._sweep()
        _load_what(process)
        return process.facts

    def _order(self, task: Assignment, agent: str, seed: int) -> AgentOrder:
        return AgentOrder(task.catalog, task.game, agent, seed, task.seed, task.memory)

    def _judge(self, task: Assignment) -> Judge | None:
        """The exact solver, which stays for the next games."""
        if not task.adjudicate:
            return None
        order = AgentOrder(task.catalog, task.game, "solver", memory=task.memory)
        if order in self._judges and self._judges[order].failed:
            self._judges.pop(order).close()
        if order not in self._judges:
            self._judges[order] = AgentProcess(order, self._lifeline)
            self._judges[order].handshake()
        limit = Limit(nodes=task.adjudicate)
        return partial(_exact, self._judges[order], limit, task.deadline)

    def _sweep(self) -> None:
        sweep({judge.process for judge in self._judges.values()})


def _load_what(process: AgentProcess) -> None:
    """Load here what an agent had to load, so that games to come find it; but never run a bot."""
    if process.facts.get("loaded"):
        catalog = import_module(process.order.catalog)
        with suppress(PapanError):  # it is a file or a program of the user's
            agent: Agent = catalog.agent(process.order.agent)
            agent.load(catalog.game(process.order.game).start())


def _player(process: AgentProcess, task: Assignment) -> Player:
    return lambda position: process.ask(position, task.limit, task.deadline)[0]


def _exact(process: AgentProcess, limit: Limit, deadline: float, position: Position) -> Move | None:
    try:
        move, exact = process.ask(position, limit, deadline)
    except Forfeit:  # the agents play on by themselves
        return None
    return move if exact else None


def respond(referee: RefereeProcess, request: Message) -> Message:
    """The answer of *referee* to a request."""
    if "probe" in request:
        return {"t": "answer", "answer": referee.probe(AgentOrder(**request["probe"]))}
    record, effort = referee.play(parse_assignment(request["play"]))
    return {"t": "answer", "answer": {**asdict(record), "effort": effort}}


def main() -> None:
    """Serve until standard input closes."""
    try:
        requests, out = private_streams()
        adopt_orphans()
        referee = RefereeProcess(requests.fileno())
        serve(map(json.loads, requests), emitter(out), partial(respond, referee))
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
