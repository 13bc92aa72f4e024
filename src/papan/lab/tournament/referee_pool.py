"""The referee pool: one process for each game that is played at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from threading import Lock
from typing import Any

from papan.core import CannotPlayError, InvalidSpecError, PapanError
from papan.lab.session import PERSON
from papan.lab.tournament.agent_main import AgentOrder
from papan.lab.tournament.plan import Plan

ATTEMPTS = 3
"""How often a game is begun anew because its referee was lost: the system may be out of memory."""

STEADY = {
    "PYTHONHASHSEED": "0",  # the order of sets is the same in every process
    "OPENBLAS_NUM_THREADS": "1",  # agents have equal time only if none takes all cores
    "OMP_NUM_THREADS": "1",
}


class LostError(PapanError):
    """Games can no longer be played where they were played; what is over is kept."""


class _RefereeProcess:
    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "papan.lab.tournament.referee_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **STEADY, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is for us alone
            text=True,
        )

    def request(self, text: str) -> Any:
        """The answer to one request."""
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(text + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except (OSError, ValueError):
            line = ""
        if not line.endswith("\n"):
            raise LostError("tournament.referee_gone")
        return json.loads(line)

    def end(self) -> None:
        """Kill the process; the agents of its game go with it."""
        self._process.kill()
        self._process.wait()

    def forget(self) -> None:
        """Close our ends, when nobody waits for an answer any more."""
        assert self._process.stdin and self._process.stdout
        self._process.stdout.close()
        with suppress(OSError):  # what it has not yet read
            self._process.stdin.close()


class RefereePool:
    """Referee processes that wait for games; as many are started as are needed at a time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._free = list[_RefereeProcess]()
        self._all = set[_RefereeProcess]()
        self._closed = False

    def play(self, task: str) -> Any:
        """The facts of the record of the game that *task*, an assignment, asks for."""
        return self._request({"play": task})

    def probe(self, order: AgentOrder) -> str:
        """The spec of an agent that can play; raises if there is none. Bots run in no other way."""
        facts = self._request({"probe": asdict(order)})
        if wrong := facts.get("wrong"):
            raise InvalidSpecError(wrong["key"], **wrong["values"])
        if not facts.get("spec"):
            why = facts.get("reason") or "?"
            raise InvalidSpecError("tournament.no_show", agent=order.agent, why=why)
        if not facts["plays"]:
            raise CannotPlayError("error.cannot_play", agent=facts["spec"], game=order.game)
        return str(facts["spec"])

    def close(self) -> None:
        """End all referees at once, whatever they are doing."""
        with self._lock:
            self._closed = True
            referees, self._all = self._all, set()
            free, self._free = self._free, []
        for referee in referees:
            referee.end()
        for referee in free:
            referee.forget()

    def _request(self, request: dict[str, Any]) -> Any:
        for _ in range(ATTEMPTS):
            referee = self._take()
            try:
                reply = referee.request(json.dumps(request))
            except LostError:
                self._discard(referee)
                continue
            self._give_back(referee)
            if "error" in reply:
                raise LostError("tournament.referee_lost", why=reply["error"])
            return reply["answer"]
        raise LostError("tournament.referee_gone")

    def _take(self) -> _RefereeProcess:
        with self._lock:
            if self._closed:
                raise LostError("tournament.referee_gone")
            if self._free:
                return self._free.pop()
            referee = _RefereeProcess()
            self._all.add(referee)
            return referee

    def _give_back(self, referee: _RefereeProcess) -> None:
        with self._lock:
            if not self._closed:
                self._free.append(referee)
                return
        referee.end()
        referee.forget()

    def _discard(self, referee: _RefereeProcess) -> None:
        with self._lock:
            self._all.discard(referee)
        referee.end()
        referee.forget()


def probed(pool: RefereePool, plan: Plan, catalog: str, depth: int | None = None) -> Plan:
    """The plan with the full specs of its agents, each of which was tried in a process apart."""
    if PERSON in (agent.partition(":")[0] for agent in plan.agents):
        raise InvalidSpecError("tournament.person", game=plan.game)
    orders = [
        AgentOrder(catalog, plan.game, agent, memory=plan.guard.memory, depth=depth)
        for agent in plan.agents
    ]
    return replace(plan, agents=tuple(map(pool.probe, orders)))


@cache
def _pool() -> RefereePool:
    return RefereePool()


def play_here(task: str) -> Any:
    """The facts of the record, from this process's referee pool: what a cluster's workers call."""
    return _pool().play(task)
