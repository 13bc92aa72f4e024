"""The referee: plays one game between agents, checks every move, and says how it ended.

A trial of a bot asks in the same way: does it answer legally, in time, and twice the same?
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import TIMEOUT_MAX
from time import perf_counter
from traceback import format_exception
from types import TracebackType

from papan.core import (
    UNLIMITED,
    Agent,
    Game,
    IllegalMoveError,
    InvalidSpecError,
    Limit,
    Move,
    OverdueError,
    PapanError,
    Position,
    Record,
)
from papan.core.agent import Search
from papan.core.analysis import Analysis
from papan.core.record import End
from papan.core.text import in_one_line

LONGEST_OUTPUT = 4000
"""How many characters of what an agent printed are kept."""
GRACE = 1.0
"""Seconds beyond its limit after which a move is overdue: the machine may be busy."""


@dataclass
class Forfeit(Exception):  # noqa: N818 - how a game ends, not an error of the program
    """A seat loses at once: *end* is the kind, *reason* says what happened."""

    end: End
    reason: str
    output: str = ""
    """What it printed last, its traceback among it."""


Player = Callable[[Position], Move]
"""Answers a position with a legal move; raises Forfeit if it gives none."""

Judge = Callable[[Position], Move | None]
"""The best move of a position that it can solve; None where it cannot."""


def play_game(start: Position, agents: Sequence[Agent], limit: Limit = UNLIMITED) -> Record:
    """Play from *start* to the end, ``agents[seat]`` moving for each seat."""
    players = [partial(ask, agent, limit=limit) for agent in agents]
    return conduct(start, players, [agent.spec for agent in agents])


def conduct(
    start: Position,
    players: Sequence[Player],
    agents: Sequence[str],
    judge: Judge | None = None,
) -> Record:
    """Play from *start* to the end; once *judge* can play the rest perfectly, it does."""
    position, names = start, list[str]()
    fault: Forfeit | None = None
    adjudicated = None
    while position.moves():
        rest = perfect_rest(position, judge) if judge else None
        try:
            line = rest or [players[position.turn](position)]
        except Forfeit as forfeit:
            fault = forfeit
            break
        adjudicated = len(names) if rest else None
        for move in line:
            names.append(position.game.move_name(move))
            position = position.child(move)
    return Record(
        game=start.game.spec,
        start=str(start),
        agents=tuple(agents),
        moves=" ".join(names),
        scores=position.scores(),
        end=fault.end if fault else position.result,
        blame=position.turn + 1 if fault else None,
        reason=fault.reason if fault else "",
        output=fault.output if fault else "",
        adjudicated=adjudicated,
    )


def perfect_rest(position: Position, judge: Judge) -> list[Move] | None:
    """The moves from *position* to the end when both seats play perfectly, if *judge* knows."""
    moves = list[Move]()
    while position.moves():
        move = judge(position)
        if move is None:
            return None
        moves.append(move)
        position = position.child(move)
    return moves


def ask(agent: Agent, position: Position, limit: Limit = UNLIMITED) -> Move:
    """The legal move that *agent* answers with; raises Forfeit if it gives none."""
    with suppress(Exception):  # whatever is wrong with it is judged below
        agent.plays(position.game)  # a bot starts its process now, and not on its own time
    return _within_time(agent, position, limit).move


def _within_time(agent: Agent, position: Position, limit: Limit) -> Analysis:
    """The agent's answer; an agent that does not come back is left behind in its thread."""
    if limit.seconds + GRACE > TIMEOUT_MAX:
        return answer(agent, position, limit)
    with suppress(Exception):  # what fails here fails again when it thinks
        agent.load(position)
    over: SimpleQueue[Search] = SimpleQueue()
    search, began = Search(agent, position, limit), perf_counter()
    search.start(over.put)
    try:
        found = over.get(timeout=limit.seconds + GRACE).answer
    except Empty:
        raise Forfeit("timeout", f"{perf_counter() - began:.1f} s > {limit.seconds:g} s") from None
    finally:
        search.stop()
    if isinstance(found, Analysis):
        return found
    assert found is not None
    raise _forfeit(found) from found


def answer(agent: Agent, position: Position, limit: Limit = UNLIMITED) -> Analysis:
    """The agent's answer, or a forfeit if it fails in any way; only Ctrl-C gets through."""
    try:
        return agent.analyse(position, limit)
    except (Exception, SystemExit) as error:
        raise _forfeit(error) from error


def _forfeit(error: Exception | SystemExit) -> Forfeit:
    """How a game ends by an *error* of an agent."""
    if not isinstance(error, PapanError):
        return Forfeit("crash", in_one_line(error)[:200], _traceback(error))
    illegal, late = isinstance(error, IllegalMoveError), isinstance(error, OverdueError)
    end: End = "illegal" if illegal else "timeout" if late else "crash"
    return Forfeit(end, str(error), _output(error))


def _output(error: PapanError) -> str:
    """What a bot in another process had printed: the notes of the error that it ended in."""
    return "\n".join(getattr(error, "__notes__", ()))


def _traceback(error: BaseException) -> str:
    """The way to an error of an agent's, from where papan is left behind."""
    trace = error.__traceback__
    while trace and trace.tb_next and _of_papan(trace):
        trace = trace.tb_next
    return "".join(format_exception(type(error), error, trace))[-LONGEST_OUTPUT:]


def _of_papan(trace: TracebackType) -> bool:
    return str(trace.tb_frame.f_globals.get("__name__")).startswith("papan.")


MOST_POSITIONS = 1_000_000
MOST_FAULTS = 5
"""After so many a trial is over: the verdict will not change."""
FROM_ONE_GAME = 5
"""How many positions are taken from one random game."""


@dataclass(frozen=True)
class Fault:
    """A question that the bot failed to answer."""

    kind: End
    position: str
    reason: str
    output: str = ""
    """What the bot had printed, its traceback among it."""


@dataclass(frozen=True)
class Trial:
    """How a bot did."""

    faults: tuple[Fault, ...]
    seconds: tuple[float, ...]
    """How long each answer took."""
    repeated: int
    """How many questions were put a second time."""
    changed: tuple[str, ...]
    """The positions in which the second answer was another one."""

    @property
    def fine(self) -> bool:
        return not (self.faults or self.changed)


@dataclass(frozen=True)
class TrialPlan:
    """What a bot is asked: positions of these games, from a seed, within a limit."""

    games: Sequence[Game]
    positions: int = 1000
    again: int = 100
    """How many of them are put a second time, in the opposite order, to the bot started anew."""
    seed: int = 0
    limit: Limit = UNLIMITED

    def __post_init__(self) -> None:
        if not 1 <= self.positions <= MOST_POSITIONS:
            raise InvalidSpecError(
                "bot.bad_positions", positions=self.positions, most=MOST_POSITIONS
            )


def try_out(
    agent: Agent, plan: TrialPlan, restart: Callable[[], None], on_progress: Callable[[int], None]
) -> Trial:
    """Put *agent* on trial; *told* hears how many questions have been put."""
    faults: list[Fault] = []
    seconds: list[float] = []
    answers: list[tuple[Position, Move]] = []
    for count, position in enumerate(sample(plan.games, plan.positions, plan.seed), 1):
        began = perf_counter()
        try:
            answers.append((position, ask(agent, position, plan.limit)))
            seconds.append(perf_counter() - began)
        except Forfeit as forfeit:
            faults.append(Fault(forfeit.end, str(position), forfeit.reason, forfeit.output))
            if len(faults) == MOST_FAULTS:
                break
        on_progress(count)
    restart()
    repeated = answers[: plan.again][::-1] if not faults else []
    changed = [str(place) for place, move in repeated if _again(agent, place, plan.limit) != move]
    return Trial(tuple(faults), tuple(seconds), len(repeated), tuple(changed))


def _again(agent: Agent, position: Position, limit: Limit) -> Move | None:
    try:
        return ask(agent, position, limit)
    except Forfeit:
        return None


def sample(games: Sequence[Game], count: int, seed: int) -> Iterator[Position]:
    """Positions from random games, one game after another in turn."""
    rng = random.Random(seed)
    given = 0
    while True:
        for game in games:
            for position in _moments(game.deal(rng.randrange(1000)), rng):
                if given == count:
                    return
                given += 1
                yield position


def _moments(game: Game, rng: random.Random) -> list[Position]:
    """Some positions of a random game in which there is a move to make."""
    moments, position = [], game.start()
    while moves := position.moves():
        moments.append(position)
        position = position.child(rng.choice(moves))
    return rng.sample(moments, min(FROM_ONE_GAME, len(moments)))
