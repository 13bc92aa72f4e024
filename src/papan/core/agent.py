"""An Agent turns a Position into an Analysis, within a Limit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, fields, replace
from math import inf
from queue import SimpleQueue
from threading import Event as Signal
from threading import Thread
from time import process_time
from typing import Any, ClassVar, Self

from papan.core.analysis import Analysis, Proved, Value
from papan.core.arguments import check_functions, is_number, whole
from papan.core.errors import CannotPlayError, IllegalMoveError, InvalidSpecError
from papan.core.game import Game, Place, Position
from papan.core.interrupts import answering, hand_over, pressed
from papan.core.limit import LARGEST_AMOUNTS, MAY_BE_INFINITE, UNLIMITED, Limit, limit_within
from papan.core.parts import Native, native_form
from papan.core.spec import write_spec
from papan.core.thinking import Cancelled, Event, Listener, OutOfBudget, Thinking, never


@dataclass
class Agent(ABC):
    """A way to choose moves: a dataclass whose fields are its settings.

    Subclasses have a class attribute `name` and define `decide`; callers use `analyse` or `choose`.
    A solver is an agent whose analyses are exact if the limit allows. Agents of papan remember
    nothing between two analyses: the same settings, seed among them, give the same answer to the
    same position, unless time or the caller ends the search early. Of equal moves another may come
    first if a solver is set to keep its table (`NativeSolver.reuse`) or to use several threads.
    """

    name: ClassVar[str]
    """The first word of its spec, such as ``alphabeta``."""
    ends_by_itself: ClassVar[bool] = False
    """True if its method ends by itself, before the budget does. Others spend all of it, unless
    they prove the result or reach a depth that was asked for."""
    has_plain_twin: ClassVar[bool] = False
    """True if it has a search that works, slower, while nothing is compiled: `core.compiling`."""

    reader: ClassVar[Callable[[Place], Position]]
    """Function that returns the position that a `Place` means; set by `papan`, as core knows no
    games."""

    @abstractmethod
    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        """Return an analysis of *position*, which has a legal move, within *thinking*'s budget.

        Subclasses define it; callers use `analyse`, which sets the analysis's nodes, seconds,
        `why` and position, and checks its first move and types. The method itself must not let
        OutOfBudget out: see `Thinking.until_stopped`.
        """

    def load(self, position: Position) -> None:  # noqa: B027 - most agents have nothing to load
        """Load or compile what a search of *position* needs, so that no clock runs meanwhile.

        The default does nothing.
        """

    def plays(self, game: Game) -> bool:
        """Return whether this agent can play *game*. Default: any game."""
        return True

    def close(self) -> None:  # noqa: B027 - most agents hold nothing
        """End the process that the agent holds; the next analysis starts a new one.

        Default: do nothing. An agent is also a context manager, which closes it.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def check_plays(self, game: Game) -> Self:
        """Return the agent itself; raise CannotPlayError if it does not play *game*."""
        if not self.plays(game):
            raise self.refusal(game)
        return self

    def refusal(self, game: Game) -> CannotPlayError:
        """Return the error that `check_plays` raises; it names the agent and *game*."""
        return CannotPlayError("error.cannot_play", agent=self.spec, game=game.spec)

    def processor_seconds(self) -> float:
        """Return the CPU seconds used so far by the process that searches: by default this one."""
        return process_time()

    def unasked_seconds(self) -> float:
        """Return the CPU seconds that its own processes have used since its last answer.

        0 if it has none of its own, as by default. Raise PapanError if they cannot be asked.
        """
        return 0.0

    def peak_memory(self) -> int:
        """Return the most bytes of memory that its processes have had so far.

        0 if it has none of its own, as by default, or the system does not tell.
        """
        return 0

    @property
    def own_limit(self) -> Limit:
        """The limit of one move by the agent's own settings, such as *seconds* or *nodes*.

        For callers that set none. Default: `UNLIMITED`.
        """
        return UNLIMITED

    def analyse(  # noqa: PLR0913 - a limit, or its bounds by name
        self,
        position: Place,
        limit: Limit = UNLIMITED,
        listener: Listener | None = None,
        cancelled: Cancelled = never,
        *,
        seconds: float = inf,
        nodes: float = inf,
    ) -> Analysis:
        """Return the analysis of a position; *listener* is called with every event on the way.

        The search stops at the tighter of *limit* and *seconds* or *nodes*, or once *cancelled*
        returns True; what it has found by then is returned. After Ctrl-C in the main thread it
        raises `Interrupted`, whose ``result`` is the analysis so far, or, if the agent does not
        stop in time, KeyboardInterrupt. Raises CannotPlayError if the agent does not play the game,
        if the game is over (unless the agent overrides `finished`: then that analysis, without a
        move or events, is returned), or if the agent fails; OverdueError if a file or program of
        the user's is late; IllegalMoveError if the answer is illegal; InvalidPositionError or
        InvalidSpecError for a text that names no position; InvalidSpecError for a bound that no
        `Limit` may have; WrongTypeError for an argument of another type. What else the agent raises
        is passed on.
        """
        limit = limit_within(limit, seconds, nodes)
        check_functions(listener=never if listener is None else listener, cancelled=cancelled)
        position = position if isinstance(position, Position) else Agent.reader(position)
        self.check_plays(position.game)
        if position.is_over:
            return replace(self.finished(position), position=position)
        with answering:
            analysis = self._analysed(position, limit, listener, cancelled)
            hand_over(analysis)
        return analysis

    def _analysed(
        self,
        position: Position,
        limit: Limit,
        listener: Listener | None,
        cancelled: Cancelled,
    ) -> Analysis:
        """Return the checked analysis of an open *position* that the agent plays (not checked).

        *limit* is the tightest bound of all; *listener* and *cancelled* are those of `analyse`.
        Events are emitted, ``start`` first and ``done`` last. Nodes, seconds, `why` and position of
        the analysis are set. Raise CannotPlayError if the agent recurses too deep, runs out of
        memory, lets OutOfBudget out or returns no proper Analysis, and IllegalMoveError if its move
        is illegal; what else it raises is passed on.
        """
        try:
            self.load(position)
            thinking = Thinking(limit, listener, cancelled)
            self._announce(position, thinking)
            analysis = self.decide(position, thinking)
        except RecursionError:
            raise CannotPlayError(
                "error.too_deep", agent=self.spec, game=position.game.spec
            ) from None
        except MemoryError:
            raise CannotPlayError("error.no_memory", agent=self.spec) from None
        except OutOfBudget:
            raise CannotPlayError("error.out_of_budget", agent=self.spec) from None
        analysis = self._checked(position, analysis)
        analysis = replace(
            analysis,
            nodes=thinking.nodes,
            seconds=thinking.seconds,
            why=thinking.reason(analysis.why),
            position=position,
        )
        thinking.emit(
            "done",
            why=analysis.why,
            best=position.game.move_name(analysis.move),
            proof="exact" if analysis.exact else None,
        )
        return analysis

    async def analyse_async(  # noqa: PLR0913 - as `analyse`
        self,
        position: Place,
        limit: Limit = UNLIMITED,
        listener: Listener | None = None,
        cancelled: Cancelled = never,
        *,
        seconds: float = inf,
        nodes: float = inf,
    ) -> Analysis:
        """Run `analyse` with these arguments in a thread; return its result or raise its error.

        *listener* is called in that thread. Cancelling the task stops the search; the task ends
        with CancelledError once the agent has stopped. `Interrupted` is never raised: Ctrl-C is
        left to asyncio.
        """
        from papan.core.tasks import in_thread  # brings asyncio

        limit = limit_within(limit, seconds, nodes)
        return await in_thread(
            lambda stopped: self.analyse(position, limit, listener, stopped), cancelled
        )

    def tried(
        self, position: Position, thinking: Thinking, share: float, nodes: float = inf
    ) -> Analysis:
        """Return this agent's analysis within a *share* (0 to 1) of what is left of *thinking*.

        It searches at most *nodes* nodes, above 0; those that it has searched are added to
        `thinking.nodes`. Its events go to the listener of *thinking*. For an agent that asks
        another one: unlike in `analyse` nothing is loaded, checked or set in the analysis, and
        *position* must have a legal move. What `decide` raises is passed on.
        """
        trial = thinking.share(share)
        trial.narrow(Limit(nodes=nodes))
        analysis = self.decide(position, trial)
        thinking.nodes += trial.nodes
        return analysis

    def known(self, position: Position) -> Analysis | None:
        """Return a proved analysis that takes no search, as by a shipped proof; None by default.

        The analysis is exact, or proves how many points its move gets at least. None if nothing is
        known of *position*, or the game is over. Errors of a damaged proof are passed on.
        """
        return None

    def finished(self, position: Position) -> Analysis:
        """Return the analysis of a finished game, without a move, for `analyse`.

        Default: raises CannotPlayError. An agent that takes finished games overrides it.
        """
        raise CannotPlayError("error.nothing_to_play", position=str(position))

    def choose(
        self,
        position: Place,
        limit: Limit = UNLIMITED,
        *,
        seconds: float = inf,
        nodes: float = inf,
    ) -> str:
        """Return the name of the move that the agent chooses, such as ``b2``.

        ``position.play(agent.choose(position))`` makes it. Takes limits, and raises, as `analyse`
        does.
        """
        position = position if isinstance(position, Position) else Agent.reader(position)
        move = self.analyse(position, limit_within(limit, seconds, nodes)).move
        return position.game.move_name(move)

    def think(
        self,
        position: Place,
        limit: Limit = UNLIMITED,
        *,
        seconds: float = inf,
        nodes: float = inf,
    ) -> Iterator[Event]:
        """Yield the events of an analysis as JSON data as they happen; leaving the loop cancels it.

        Limits are those of `analyse`; `EVENTS` lists the kinds of events. Raises what the analysis
        raises, such as CannotPlayError, after its last event.
        """
        position = position if isinstance(position, Position) else Agent.reader(position)
        limit = limit_within(limit, seconds, nodes)
        events: SimpleQueue[Event | Search] = SimpleQueue()
        search = Search(self, position, limit, events.put)
        search.start(events.put)
        try:
            while not isinstance(event := events.get(), Search):
                yield event
            if isinstance(search.answer, BaseException):
                raise search.answer
        finally:
            search.stop()

    @property
    def spec(self) -> str:
        """The text that names this agent and its settings, such as ``alphabeta:depth=4``.

        Settings with their default values are left out. Raises InvalidSpecError for a class without
        a `name`. Subclasses may write it otherwise.
        """
        if not hasattr(self, "name"):
            raise InvalidSpecError("error.agent_without_name", kind=type(self).__name__)
        return write_spec(self.name, self, terse=True)

    def has_setting(self, name: str) -> bool:
        """Return whether this agent has a setting of that name."""
        return any(each.name == name for each in fields(self))

    def with_settings(self, **settings: Any) -> Self:
        """Return a copy of this agent with other *settings*, by name; unknown ones are ignored.

        The agent itself if it has none of them. Raises InvalidSpecError for a value out of the
        setting's range.
        """
        known = {name: value for name, value in settings.items() if self.has_setting(name)}
        return replace(self, **known) if known else self  # a plug-in may be no dataclass

    def demand(self, setting: str, least: float, most: float | None = None) -> None:
        """Raise InvalidSpecError unless the setting named *setting* is from *least* to *most*.

        Both ends are allowed. For `__post_init__`. Without *most* it is the amount of
        `LARGEST_AMOUNTS`, or infinite where that has none. Seconds and nodes may be infinite,
        whatever *most* is. Also raised for NaN; a value that is no number raises TypeError.
        """
        value, most = (
            getattr(self, setting),
            LARGEST_AMOUNTS.get(setting, inf) if most is None else most,
        )
        if least <= value <= most or (value == inf and setting in MAY_BE_INFINITE):
            return
        key = "error.setting_least" if most == inf else "error.setting_between"
        bounds = {"least": least, "most": most}
        raise InvalidSpecError(key, agent=self.name, setting=setting, value=value, **bounds)

    def _checked(self, position: Position, analysis: Analysis) -> Analysis:
        """Return *analysis* with the moves of its line as plain int: NumPy's become Python's.

        Raise CannotPlayError if it is no Analysis, or if `_check_fields` finds a wrong field, and
        IllegalMoveError if its first move is missing or not legal in *position*. That later moves
        are legal is not checked.
        """
        if not isinstance(analysis, Analysis):
            facts = {"agent": self.spec, "given": repr(analysis)[:80]}
            raise CannotPlayError("error.takes_analysis", **facts)
        self._check_fields(position, analysis)
        given: object = analysis.line[0] if analysis.line else None
        move = whole(given)
        if move is None or move not in position.moves():
            known = move is not None and 0 <= move < position.game.move_count
            name = position.game.move_name(analysis.line[0]) if known else repr(given)[:80]
            raise illegal_answer(self.spec, name, position)
        if all(type(each) is int for each in analysis.line):
            return analysis
        return replace(analysis, line=tuple(map(int, analysis.line)))

    def _check_fields(self, position: Position, analysis: Analysis) -> None:
        """Raise CannotPlayError for the first field of an *analysis* that has a wrong type.

        Checked in this order, and no others: `line` is a sequence whose items after the first are
        whole numbers; `guess` is None or a real number, not NaN; `proved` is `Proved`; `values` is
        a mapping from legal moves of *position* to a `Value` each, whose number is not NaN.
        """
        line, guess, values = analysis.line, analysis.guess, analysis.values
        fine = {
            "line": isinstance(line, Sequence)
            and not isinstance(line, str)
            and all(whole(each) is not None for each in line[1:]),
            "guess": guess is None or is_number(guess),
            "proved": isinstance(analysis.proved, Proved),
            "values": isinstance(values, Mapping)
            and (not values or set(values).issubset(position.moves()))
            and all(isinstance(each, Value) and is_number(each.number) for each in values.values()),
        }
        for name, holds in fine.items():
            if not holds:
                given = repr(getattr(analysis, name))[:80]
                raise CannotPlayError("error.bad_analysis", agent=self.spec, name=name, given=given)

    def _announce(self, position: Position, thinking: Thinking) -> None:
        """Emit the ``start`` event of an analysis: position, agent, settings, seed and limit.

        Infinite settings are None there, and so is the seed of an agent that has none. Nothing is
        emitted if nobody listens.
        """
        if not thinking.watched:  # writing a position takes longer than solving some
            return
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        settings = {name: None if value == inf else value for name, value in values.items()}
        thinking.emit(
            "start",
            game=position.game.spec,
            pos=str(position),
            agent=self.name,
            seed=settings.pop("seed", None),
            params=settings,
            budget=thinking.limit.json(),
        )


_loaded: set[tuple[object, ...]] = set()


def load_once(agent: Agent, position: Position, *kind: object) -> None:
    """Let *agent* search one node of *position*, so that what it needs is loaded: for `Agent.load`.

    Only the first call in a process for the agent's class and *kind* (hashable values) does so;
    later ones do nothing, unless Ctrl-C was pressed during the search. What is loaded from the
    cache, or even compiled, is there before the clock runs. What `Agent.decide` raises is passed
    on; then the next call tries again.
    """
    if (key := (type(agent), *kind)) not in _loaded:
        agent.decide(position, Thinking(Limit(nodes=1)))
        if not pressed():  # else it may have ended before it began
            _loaded.add(key)


class NativeAgent(Agent):
    """An agent that searches with compiled code, or with a plain twin of that code.

    The compiled search takes a game's native form. Subclasses define `decide`, which asks `form`
    for that form of its position.
    """

    has_plain_twin: ClassVar[bool] = True

    def form(self, position: Position) -> Native | None:
        """Return *position* in the form of compiled searches; None: the plain search is to be used.

        Default: `native_form`.
        """
        return native_form(position)

    def load(self, position: Position) -> None:
        if form := self.form(position):
            load_once(self, position, type(form.rules), len(form.board))


class Search:
    """An analysis of *position* by *agent* in a thread of its own, which can be stopped any time.

    Nothing happens before `start`. *limit*, *listener*, which is called in that thread, and
    *cancelled* are those of `Agent.analyse`. In the end `answer` is the analysis, or the exception
    that ended it.
    """

    def __init__(
        self,
        agent: Agent,
        position: Position,
        limit: Limit,
        listener: Listener | None = None,
        cancelled: Cancelled = never,
    ) -> None:
        self.agent, self.position, self.limit = agent, position, limit
        self.answer: Analysis | BaseException | None = None
        """The analysis, or the exception that ended it; None until then."""
        self._listener, self._cancelled, self._stop = listener, cancelled, Signal()

    def start(self, ready: Callable[[Self], object]) -> None:
        """Start the thread, which sets `answer` and then calls *ready* with this search. Call once.

        It is a daemon: an agent that does not stop must not keep papan from ending.
        """
        context = copy_context()  # by which Textual finds its app
        Thread(target=context.run, args=(self._work, ready), daemon=True).start()

    def stop(self) -> None:
        """Ask the agent to stop and answer with its best move so far; returns at once."""
        self._stop.set()

    def _stopped(self) -> bool:
        return self._stop.is_set() or self._cancelled()

    def _work(self, ready: Callable[[Self], object]) -> None:
        """Run the analysis, store it or what it raises in `answer`, then call *ready* with this."""
        try:
            self.answer = self.agent.analyse(
                self.position, self.limit, self._listener, self._stopped
            )
        except BaseException as error:  # raised again by the caller, not in this thread
            self.answer = error
        ready(self)


def illegal_answer(agent: str, answer: str, position: Position) -> IllegalMoveError:
    """Return the error that an *agent* (spec or name) gave an *answer* that is not legal.

    *answer* is what it gave, as text, of which the first 80 characters are shown; the error names
    the legal moves of *position*.
    """
    facts = {"position": str(position), "legal": " ".join(position.move_names())}
    return IllegalMoveError("error.agent_illegal", agent=agent, move=answer[:80], **facts)


def reseeded(agent: Agent, offset: int) -> Agent:
    """Return a copy of *agent* with *offset* added to its setting ``seed``; itself if it has none.

    Raises InvalidSpecError if the new seed is out of the range that the agent allows.
    """
    return agent.with_settings(seed=getattr(agent, "seed", 0) + offset)
