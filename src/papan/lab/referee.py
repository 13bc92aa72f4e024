"""The referee: plays one game between agents, checks every move, and says how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import TIMEOUT_MAX, Thread
from threading import Event as Signal
from time import perf_counter

from papan.core import (
    UNLIMITED,
    Agent,
    IllegalMoveError,
    Limit,
    Listener,
    Move,
    OverdueError,
    PapanError,
    Position,
    Record,
)
from papan.core.agent import Analysis
from papan.core.record import End, natural_end

GRACE = 1.0
"""Seconds beyond its limit after which a move is overdue: the machine may be busy."""


@dataclass
class Forfeit(Exception):  # noqa: N818 - how a game ends, not an error of the program
    """A seat loses at once: *end* is the kind, *reason* says what happened."""

    end: End
    reason: str


def play_game(
    start: Position,
    agents: Sequence[Agent],
    limit: Limit = UNLIMITED,
    listener: Listener | None = None,
) -> Record:
    """Play from *start* to the end, ``agents[seat]`` moving for each seat."""
    position, names = start, list[str]()
    end, blame, reason = None, None, ""
    while position.moves():
        try:
            move = ask(agents[position.turn], position, limit, listener)
        except Forfeit as forfeit:
            end, blame, reason = forfeit.end, position.turn + 1, forfeit.reason
            break
        names.append(position.game.move_name(move))
        position = position.play(move)
    return Record(
        game=start.game.spec,
        start=str(start),
        agents=tuple(agent.spec for agent in agents),
        moves=" ".join(names),
        scores=position.scores(),
        end=end or natural_end(position),
        blame=blame,
        reason=reason,
    )


def ask(
    agent: Agent, position: Position, limit: Limit = UNLIMITED, listener: Listener | None = None
) -> Move:
    """The legal move that *agent* answers with; raises Forfeit if it gives none."""
    with suppress(Exception):  # whatever is wrong with it is judged below
        agent.plays(position.game)  # a bot starts its process now, and not on its own time
    return _within_time(agent, position, limit, listener).move


def _within_time(
    agent: Agent, position: Position, limit: Limit, listener: Listener | None
) -> Analysis:
    """The agent's answer; an agent that does not come back is left behind in its thread."""
    if limit.seconds + GRACE > TIMEOUT_MAX:
        return _guarded(agent, position, limit, listener, Signal())
    with suppress(Exception):  # what fails here fails again when it thinks
        agent.load(position)
    answers: SimpleQueue[Analysis | Forfeit] = SimpleQueue()
    stop = Signal()

    def work() -> None:
        try:
            answers.put(_guarded(agent, position, limit, listener, stop))
        except Forfeit as forfeit:
            answers.put(forfeit)

    began = perf_counter()
    Thread(target=work, daemon=True).start()
    try:
        answer = answers.get(timeout=limit.seconds + GRACE)
    except Empty:
        raise Forfeit("timeout", f"{perf_counter() - began:.1f} s > {limit.seconds:g} s") from None
    finally:
        stop.set()
    if isinstance(answer, Forfeit):
        raise answer
    return answer


def _guarded(
    agent: Agent, position: Position, limit: Limit, listener: Listener | None, stop: Signal
) -> Analysis:
    """The agent's answer, or a forfeit if it fails in any way; only Ctrl-C gets through."""
    try:
        return agent.analyse(position, limit, listener, stop.is_set)
    except IllegalMoveError as error:
        raise Forfeit("illegal", str(error)) from error
    except OverdueError as error:
        raise Forfeit("timeout", str(error)) from error
    except PapanError as error:
        raise Forfeit("crash", str(error)) from error
    except (Exception, SystemExit) as error:
        raise Forfeit("crash", f"{type(error).__name__}: {error}"[:200]) from error
