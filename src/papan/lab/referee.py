"""The referee: plays one game between agents, checks every move, and records how it ended.

A trial of a bot asks for moves in the same way: are they legal, in time, and the same when asked
again?
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from papan.core.errors import in_one_line
from papan.core.interrupts import Interrupted, interruptible, stop_if_pressed
from papan.core.parts import Setup
from papan.core.progress import OnProgress, Progress, ignore_progress
from papan.core.record import End
from papan.core.thinking import Cancelled, never

LONGEST_OUTPUT = 4000
"""Characters of an agent's output that are recorded, the last ones."""
MOVE_GRACE = 1.0
"""Seconds beyond its limit after which a move is overdue, as the machine may be busy."""


@dataclass
class Forfeit(Exception):  # noqa: N818 - how a game ends, not an error of the program
    """Raised when a seat loses at once: *end* is the kind of forfeit, *error* the reason."""

    end: End
    """``illegal``, ``crash`` or ``timeout``."""
    error: PapanError
    output: str = ""
    """The last part of the agent's output, with its traceback; empty if it has none."""
    seat: int | None = None
    """The seat that loses; None: the seat that is to move."""

    @property
    def reason(self) -> str:
        """The reason as an English sentence."""
        return str(self.error)

    @property
    def cause(self) -> dict[str, str]:
        """The reason as data: ``key`` of its text in the catalogues, and the values of the text."""
        return {"key": self.error.key} | {
            name: str(value) for name, value in self.error.shown.values.items()
        }


class GameCancelled(Exception):  # noqa: N818 - a signal, not an error
    """Raised when the caller has cancelled the game."""


SeatPlayer = Callable[[Position], Move]
"""Returns a legal move for a position; raises Forfeit if its agent gives none."""

Judge = Callable[[Position], Move | None]
"""Returns the best move of a position that it can solve, else None."""


def referee_game(
    start: Position,
    agents: Sequence[Agent],
    limit: Limit = UNLIMITED,
    cancelled: Cancelled = never,
) -> Record:
    """Play from *start* to the end, ``agents[seat]`` moving for each seat, and return the record.

    *limit* is that of each move. A seat whose agent gives no legal move in time, or raises an
    exception, loses: the record says so, and nothing is raised. A game in which a process is killed
    from outside (`was_killed`) is played again once. Raise GameCancelled when *cancelled* returns
    True, KeyboardInterrupt after Ctrl-C.
    """
    players = [partial(ask_move, agent, limit=limit, cancelled=cancelled) for agent in agents]
    specs = [agent.spec for agent in agents]
    record = conduct(start, players, specs)
    return conduct(start, players, specs) if was_killed(record.cause) else record


KILLS = "forfeit.kills"
"""Reason (key) of a bot that kills other processes: it may forfeit in its rival's turn."""
STARVES = "forfeit.starves"
"""Reason (key) of a bot that makes its rival late; it forfeits in its rival's turn."""
KILLED = ("forfeit.killed", "program.killed", "program.unsupervised")
FAULTS = ("SEGV", "BUS", "FPE", "ILL", "ABRT", "TRAP", "SYS", "XCPU", "XFSZ", "PIPE", "ALRM")
"""Names of signals that a process brings upon itself."""


def was_killed(cause: Mapping[str, str]) -> bool:
    """Return whether *cause* says that a process was ended or stopped by a signal from outside.

    *cause* is that of a `Record`: the key of the reason, and its values; empty if nobody forfeited.
    The system may have sent the signal for lack of memory, or a person: such a game is played again
    once. When it happens twice, it was no accident.
    """
    own = any(f"SIG{fault}" in cause.get("signal", "") for fault in FAULTS)
    return cause.get("key") in KILLED and not own


def conduct(
    start: Position,
    players: Sequence[SeatPlayer],
    agents: Sequence[str],
    judge: Judge | None = None,
) -> Record:
    """Play from *start* to the end, ``players[seat]`` choosing moves, and return the record.

    A player is asked with each position, and returns a legal move or raises Forfeit: then the game
    is over, and the record has the reason and who is to blame. Before each move *judge*, if there
    is one, is asked for the best moves to the end; if it has them all, they are played instead, and
    the record has the ply of the first of them as ``adjudicated``. *agents* are the specs of the
    seats for the record. Raise what players and *judge* raise besides Forfeit.
    """
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
        blame=_seat_to_blame(fault, position) + 1 if fault else None,
        reason=fault.reason if fault else "",
        cause=fault.cause if fault else {},
        output=fault.output if fault else "",
        adjudicated=adjudicated,
    )


def _seat_to_blame(fault: Forfeit, position: Position) -> int:
    """Return the seat (0 or 1) that loses by *fault*; *position* is the last one."""
    return position.turn if fault.seat is None else fault.seat


def perfect_rest(position: Position, judge: Judge) -> list[Move] | None:
    """Return the moves from *position* to the end that *judge* chooses for both seats.

    *judge* returns the best move of a position, or None if it cannot solve it; then None is
    returned. The list is empty if the game is over.
    """
    moves = list[Move]()
    while position.moves():
        move = judge(position)
        if move is None:
            return None
        moves.append(move)
        position = position.child(move)
    return moves


def ask_move(
    agent: Agent, position: Position, limit: Limit = UNLIMITED, cancelled: Cancelled = never
) -> Move:
    """Return the legal move of *agent*; raise Forfeit if it gives none in time.

    Its time is the seconds of *limit* and `MOVE_GRACE`. Any exception that it raises, and an
    illegal move, is a Forfeit, too. When *cancelled* returns True, the search is stopped, and
    GameCancelled is raised instead. Raise KeyboardInterrupt after Ctrl-C.
    """
    with suppress(Exception):  # whatever is wrong with it is judged below
        agent.plays(position.game)  # a bot starts its process now, and not on its own time
    try:
        found = _within_time(agent, position, limit, cancelled)
        stop_if_pressed()  # it has thought for less than it was granted
        return found.move
    finally:
        if cancelled():
            raise GameCancelled


def _within_time(
    agent: Agent, position: Position, limit: Limit, cancelled: Cancelled = never
) -> Analysis:
    """Return the agent's analysis; raise Forfeit if there is none after the limit and `MOVE_GRACE`.

    Without a limit of seconds it waits without end. Any exception of the agent, too, is raised as
    Forfeit, except Ctrl-C. A search that does not end in time is left in its thread. *cancelled* is
    passed to the agent, which ends its search early when it returns True.
    """
    if limit.seconds + MOVE_GRACE > TIMEOUT_MAX:
        return analyse_or_forfeit(agent, position, limit, cancelled)
    with suppress(Exception):  # what fails here fails again when it thinks
        agent.load(position)
    over: SimpleQueue[Search] = SimpleQueue()
    search, began = Search(agent, position, limit, cancelled=cancelled), perf_counter()
    search.start(over.put)
    try:
        found = over.get(timeout=limit.seconds + MOVE_GRACE).answer
    except Empty:
        raise overdue_forfeit(agent.spec, limit.seconds, perf_counter() - began) from None
    finally:
        search.stop()
    if isinstance(found, Analysis):
        return found
    assert found is not None
    if not isinstance(found, Exception | SystemExit):
        raise found
    raise _forfeit(found) from found


def analyse_or_forfeit(
    agent: Agent, position: Position, limit: Limit = UNLIMITED, cancelled: Cancelled = never
) -> Analysis:
    """Return the agent's analysis; raise Forfeit for any exception except Ctrl-C.

    The agent gets *limit* and *cancelled*; whether it keeps to them is not checked.
    """
    try:
        return agent.analyse(position, limit, cancelled=cancelled)
    except (Exception, SystemExit) as error:
        raise _forfeit(error) from error


def _forfeit(error: Exception | SystemExit) -> Forfeit:
    """Return the forfeit for *error*, which an agent has raised.

    Its kind is ``illegal`` for IllegalMoveError, ``timeout`` for OverdueError, ``crash`` for all
    other errors. Its output is the notes of a PapanError, the traceback of another error.
    """
    if not isinstance(error, PapanError):
        raised = PapanError("forfeit.raised", error=in_one_line(error)[:200])
        return Forfeit("crash", raised, _traceback(error))
    illegal, late = isinstance(error, IllegalMoveError), isinstance(error, OverdueError)
    end: End = "illegal" if illegal else "timeout" if late else "crash"
    return Forfeit(end, error, _output(error))


def overdue_forfeit(agent: str, granted: float, waited: float) -> Forfeit:
    """Return the forfeit, ``timeout``, of *agent* (its spec), which has not answered in time.

    *granted* is its limit, *waited* how long the referee has waited for it, both in seconds.
    """
    late = PapanError("forfeit.late", agent=agent, granted=f"{granted:g}", waited=f"{waited:.1f}")
    return Forfeit("timeout", late)


def _output(error: PapanError) -> str:
    """Return what an external bot had printed, from the notes of its error; "" if nothing."""
    return "\n".join(getattr(error, "__notes__", ()))


def _traceback(error: BaseException) -> str:
    """Return the traceback of an agent's error as text, without papan's frames that called it.

    Those of papan that the agent has called stay. Of a long text it is the last `LONGEST_OUTPUT`
    characters.
    """
    trace = error.__traceback__
    while trace and trace.tb_next and _of_papan(trace):
        trace = trace.tb_next
    return "".join(format_exception(type(error), error, trace))[-LONGEST_OUTPUT:]


def _of_papan(trace: TracebackType) -> bool:
    """Return whether the outermost frame of *trace* is in a module of papan."""
    return str(trace.tb_frame.f_globals.get("__name__")).startswith("papan.")


MOST_POSITIONS = 1_000_000
MOST_FAULTS = 5
"""Number of faults at which a trial ends."""
FROM_ONE_GAME = 5
"""Number of positions that are taken from one random game, at most."""


@dataclass(frozen=True)
class BotFault:
    """A position in which a bot gave no legal move in time, and the reason."""

    kind: End
    """``illegal``, ``crash`` or ``timeout``."""
    position: str
    """The text of the position."""
    error: PapanError
    """The reason."""
    output: str = ""
    """What the bot printed, with its traceback."""

    def json(self) -> dict[str, str]:
        """Return the fault as JSON data: ``kind``, ``position``, ``reason``, ``output``.

        The reason is in English.
        """
        reason = str(self.error)
        return {
            "kind": self.kind,
            "position": self.position,
            "reason": reason,
            "output": self.output,
        }


@dataclass(frozen=True)
class BotTrial:
    """The result of a trial of a bot: faults, times, and answers that changed."""

    faults: tuple[BotFault, ...]
    """The first faults, at most `MOST_FAULTS`."""
    seconds: tuple[float, ...]
    """Wall-clock seconds of each legal answer in time."""
    repeated: int
    """Number of questions that were asked a second time; 0 if there were faults."""
    changed: tuple[str, ...]
    """Texts of the positions in which the second answer was different."""

    @property
    def fine(self) -> bool:
        """True if there were neither faults nor answers that changed."""
        return not (self.faults or self.changed)


@dataclass(frozen=True)
class TrialPlan:
    """Questions for a bot: positions of random games, drawn by *seed*, with *limit* for each.

    Raises InvalidSpecError if *positions* is not from 1 to `MOST_POSITIONS`.
    """

    games: Sequence[Game]
    """The games, which take turns."""
    positions: int = 1000
    """Number of questions."""
    again: int = 100
    """The first so many questions are repeated, in reverse order, after the bot was restarted."""
    seed: int = 0
    limit: Limit = UNLIMITED
    """Limit of each question."""

    def __post_init__(self) -> None:
        if not 1 <= self.positions <= MOST_POSITIONS:
            raise InvalidSpecError(
                "bot.bad_positions", positions=self.positions, most=MOST_POSITIONS
            )


def try_out(
    agent: Agent,
    plan: TrialPlan,
    restart: Callable[[], None],
    on_progress: OnProgress = ignore_progress,
) -> BotTrial:
    """Ask *agent* for moves as *plan* says and return the result; stop after `MOST_FAULTS`.

    After the last question *restart* is called, which restarts the agent; if there was no fault,
    the first questions are then repeated (`TrialPlan.again`). *on_progress* is called after each
    question of the first round, except one whose fault ends the trial. After Ctrl-C raise
    `Interrupted`, whose ``result`` is the trial so far.
    """
    faults: list[BotFault] = []
    seconds: list[float] = []
    answers: list[tuple[Position, Move]] = []
    again: list[tuple[Position, bool]] = []
    with interruptible:
        try:
            for count, position in enumerate(
                sample_positions(plan.games, plan.positions, plan.seed), 1
            ):
                began = perf_counter()
                try:
                    answers.append((position, ask_move(agent, position, plan.limit)))
                    seconds.append(perf_counter() - began)
                except Forfeit as forfeit:
                    faults.append(
                        BotFault(forfeit.end, str(position), forfeit.error, forfeit.output)
                    )
                    if len(faults) == MOST_FAULTS:
                        break
                on_progress(Progress(count, plan.positions))
            restart()
            for place, move in answers[: plan.again][::-1] if not faults else []:
                again.append((place, _again(agent, place, plan.limit) == move))
        except KeyboardInterrupt:
            raise Interrupted(_trial(faults, seconds, again)) from None
    return _trial(faults, seconds, again)


def _trial(
    faults: Sequence[BotFault], seconds: Sequence[float], again: Sequence[tuple[Position, bool]]
) -> BotTrial:
    """Return the result of a trial from its *faults*, the *seconds* of answers, and what was
    repeated.

    *again* has each position that was asked again, and whether the answer was the same.
    """
    changed = tuple(str(place) for place, same in again if not same)
    return BotTrial(tuple(faults), tuple(seconds), len(again), changed)


def _again(agent: Agent, position: Position, limit: Limit) -> Move | None:
    """Return the legal move of *agent* when asked again; None if it forfeits."""
    try:
        return ask_move(agent, position, limit)
    except Forfeit:
        return None


def sample_positions(games: Sequence[Game], count: int, seed: int) -> Iterator[Position]:
    """Yield *count* positions of random games, drawn by *seed*, each with a legal move.

    The *games* take turns: from one random game of each come `FROM_ONE_GAME` positions at most,
    until there are enough. There must be one game at least: not checked.
    """
    rng = random.Random(seed)
    given = 0
    while True:
        for game in games:
            for position in _moments(Setup.of(game).deal(rng.randrange(1000)), rng):
                if given == count:
                    return
                given += 1
                yield position


def _moments(game: Game, rng: random.Random) -> list[Position]:
    """Return at most `FROM_ONE_GAME` positions, drawn by *rng*, of a random game, each with a legal
    move.
    """
    moments, position = [], game.start()
    while moves := position.moves():
        moments.append(position)
        position = position.child(rng.choice(moves))
    return rng.sample(moments, min(FROM_ONE_GAME, len(moments)))
