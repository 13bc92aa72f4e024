"""A process that referees one game after another. Bots never run in it.

It reads one request a line from standard input and answers each with one line on standard output.
Whoever holds the other ends may vanish at any time: then it ends, and the agents with it.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from contextlib import ExitStack, suppress
from dataclasses import asdict
from functools import partial
from importlib import import_module
from typing import Any

from papan.core import (
    Agent,
    Game,
    InvalidSpecError,
    Limit,
    Move,
    PapanError,
    Position,
    Record,
)
from papan.lab.match import Effort, opening
from papan.lab.referee import Forfeit, Judge, Player, conduct
from papan.lab.tournament.agent_main import AgentOrder
from papan.lab.tournament.agent_process import Abandoned, AgentProcess
from papan.lab.tournament.assignment import Assignment, parse_assignment
from papan.lab.tournament.confinement import adopt_orphans, sweep

LIFELINE = 0
"""Standard input: it closes when nobody waits for results any more."""


class RefereeProcess:
    """Plays games between agents, each in a process forked from this one."""

    def __init__(self) -> None:
        self._judges: dict[AgentOrder, AgentProcess] = {}

    def play(self, task: Assignment) -> tuple[Record, list[Effort]]:
        """One game to its end, whatever the agents do; and what it has cost each seat."""
        game: Game = import_module(task.catalog).game(task.game)
        start = opening(game, task.opening, task.seed)
        gc.freeze()  # the agents share what is loaded by now
        with ExitStack() as ending:
            ending.callback(self._sweep)
            processes = [
                ending.enter_context(AgentProcess(self._order(task, agent, luck), LIFELINE))
                for agent, luck in zip(task.agents, task.luck)
            ]
            names = [process.greet() for process in processes]
            for process in processes:
                _check(process)
            players = [_player(process, task) for process in processes]
            record = conduct(start, players, names, self._judge(task))
        for process in processes:
            if process.facts.get("kernels"):
                _load(process.order, start)
        return record, [tuple(process.effort) for process in processes]

    def probe(self, order: AgentOrder) -> dict[str, Any]:
        """What must be known of an agent before it may play."""
        with AgentProcess(order, LIFELINE) as process:
            process.greet()
        self._sweep()
        return process.facts

    def _order(self, task: Assignment, agent: str, luck: int) -> AgentOrder:
        return AgentOrder(task.catalog, task.game, agent, luck, task.seed, task.memory)

    def _judge(self, task: Assignment) -> Judge | None:
        """The exact solver, which stays for the next games."""
        if not task.adjudicate:
            return None
        order = AgentOrder(task.catalog, task.game, "solver", memory=task.memory)
        if order in self._judges and self._judges[order].failed:
            self._judges.pop(order).close()
        if order not in self._judges:
            self._judges[order] = AgentProcess(order, LIFELINE)
            self._judges[order].greet()
        limit = Limit(nodes=task.adjudicate)
        return partial(_exact, self._judges[order], limit, task.deadline)

    def _sweep(self) -> None:
        sweep({judge.process for judge in self._judges.values()})


def _load(order: AgentOrder, position: Position) -> None:
    """Load here what an agent had to load, so that later games find it; but never run a bot."""
    with suppress(PapanError):  # it is a file or a program of the user's
        agent: Agent = import_module(order.catalog).agent(order.agent)
        agent.load(position)


def _check(process: AgentProcess) -> None:
    """Raise if an agent that was let in does not exist here: no fault of the agent's."""
    if wrong := process.facts.get("wrong"):
        raise InvalidSpecError(wrong["key"], **wrong["values"])


def _player(process: AgentProcess, task: Assignment) -> Player:
    return lambda position: process.ask(position, task.limit, task.deadline)[0]


def _exact(process: AgentProcess, limit: Limit, deadline: float, position: Position) -> Move | None:
    try:
        move, exact = process.ask(position, limit, deadline)
    except Forfeit:  # the agents play on by themselves
        return None
    return move if exact else None


def respond(referee: RefereeProcess, request: dict[str, Any]) -> dict[str, Any]:
    """The answer of *referee* to a request."""
    if "probe" in request:
        return referee.probe(AgentOrder(**request["probe"]))
    record, effort = referee.play(parse_assignment(request["play"]))
    return {**asdict(record), "effort": effort}


def main() -> None:
    """Serve until standard input closes."""
    adopt_orphans()
    referee = RefereeProcess()
    for line in sys.stdin:
        try:
            answer: dict[str, object] = {"answer": respond(referee, json.loads(line))}
        except (Abandoned, KeyboardInterrupt):
            break
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
