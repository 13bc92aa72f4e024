"""A table: a process that referees one game after another. Bots never run in it.

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
from papan.lab.tournament.assignment import Assignment, parse_assignment
from papan.lab.tournament.confinement import adopt_orphans, sweep
from papan.lab.tournament.occupant import Order
from papan.lab.tournament.seat import Abandoned, Seat

LIFELINE = 0
"""Standard input: it closes when nobody waits for results any more."""


class Table:
    """Plays games between agents, each in a process forked from this one."""

    def __init__(self) -> None:
        self._judges: dict[Order, Seat] = {}

    def play(self, task: Assignment) -> tuple[Record, list[Effort]]:
        """One game to its end, whatever the agents do; and what it has cost each seat."""
        game: Game = import_module(task.catalog).game(task.game)
        start = opening(game, task.opening, task.seed)
        gc.freeze()  # the agents share what is loaded by now
        with ExitStack() as ending:
            ending.callback(self._sweep)
            seats = [
                ending.enter_context(Seat(self._order(task, agent, luck), LIFELINE))
                for agent, luck in zip(task.agents, task.luck)
            ]
            names = [seat.greet() for seat in seats]
            for seat in seats:
                _check(seat)
            players = [_player(seat, task) for seat in seats]
            record = conduct(start, players, names, self._judge(task))
        for seat in seats:
            if seat.facts.get("kernels"):
                _load(seat.order, start)
        return record, [tuple(seat.effort) for seat in seats]

    def audition(self, order: Order) -> dict[str, Any]:
        """What is to be known of an agent before it is let in."""
        with Seat(order, LIFELINE) as seat:
            seat.greet()
        self._sweep()
        return seat.facts

    def _order(self, task: Assignment, agent: str, luck: int) -> Order:
        return Order(task.catalog, task.game, agent, luck, task.seed, task.memory)

    def _judge(self, task: Assignment) -> Judge | None:
        """The exact solver, which stays for the next games."""
        if not task.adjudicate:
            return None
        order = Order(task.catalog, task.game, "solver", memory=task.memory)
        if order in self._judges and self._judges[order].failed:
            self._judges.pop(order).close()
        if order not in self._judges:
            self._judges[order] = Seat(order, LIFELINE)
            self._judges[order].greet()
        limit = Limit(nodes=task.adjudicate)
        return partial(_exact, self._judges[order], limit, task.deadline)

    def _sweep(self) -> None:
        sweep({judge.process for judge in self._judges.values()})


def _load(order: Order, position: Position) -> None:
    """Load here what an agent had to load, so that later games find it; but never run a bot."""
    with suppress(PapanError):  # it is a file or a program of the user's
        agent: Agent = import_module(order.catalog).installed_agent(order.agent)
        agent.load(position)


def _check(seat: Seat) -> None:
    """Raise if an agent that was let in does not exist here: no fault of the agent's."""
    if wrong := seat.facts.get("wrong"):
        raise InvalidSpecError(wrong["key"], **wrong["values"])


def _player(seat: Seat, task: Assignment) -> Player:
    return lambda position: seat.ask(position, task.limit, task.deadline)[0]


def _exact(seat: Seat, limit: Limit, deadline: float, position: Position) -> Move | None:
    try:
        move, exact = seat.ask(position, limit, deadline)
    except Forfeit:  # the agents play on by themselves
        return None
    return move if exact else None


def respond(table: Table, request: dict[str, Any]) -> dict[str, Any]:
    """What *table* has to say to a request."""
    if "audition" in request:
        return table.audition(Order(**request["audition"]))
    record, effort = table.play(parse_assignment(request["play"]))
    return {**asdict(record), "effort": effort}


def main() -> None:
    """Serve until standard input closes."""
    adopt_orphans()
    table = Table()
    for line in sys.stdin:
        try:
            answer: dict[str, object] = {"answer": respond(table, json.loads(line))}
        except (Abandoned, KeyboardInterrupt):
            break
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
