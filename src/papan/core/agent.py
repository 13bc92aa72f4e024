"""An Agent turns a Position into an Analysis, within a Limit, and emits events as it searches.

The events are one stream for every agent and every view, one JSON object each; `EVENTS` lists them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, fields, replace
from math import inf
from queue import SimpleQueue
from threading import Event as Signal
from threading import Thread
from time import perf_counter, process_time
from typing import Any, ClassVar, Self, TypeAlias

from papan.core.analysis import Analysis
from papan.core.arguments import check_functions, whole
from papan.core.errors import CannotPlayError, IllegalMoveError, InvalidSpecError
from papan.core.game import Game, Place, Position
from papan.core.interrupts import answering, hand_over, pressed
from papan.core.limit import LARGEST_AMOUNTS, MAY_BE_INFINITE, UNLIMITED, Limit, limit_within
from papan.core.parts import Native, native_form
from papan.core.spec import write_spec

Event: TypeAlias = dict[str, Any]
"""An event as JSON data: its kind under ``t``, and the keys that `EVENTS` and docs/events.md
tell."""
Listener: TypeAlias = Callable[[Event], None]
"""Called with each event as it happens, in the thread that searches."""
Cancelled: TypeAlias = Callable[[], bool]
"""Called now and then during a search, which stops once it has returned True."""

EVENTS: dict[str, tuple[str, ...]] = {
    "start": ("game", "pos", "agent", "seed", "params", "budget"),
    "root": ("depth", "best", "moves", "nodes", "ms"),
    "progress": ("nodes", "ms", "nps"),
    "tree": ("add",),
    "reason": ("m", "rule"),
    "path": ("cells", "turns", "visited"),
    "gen": ("g", "best", "mean", "worst", "div", "line"),
    "climb": ("step", "v", "nbrs", "restart"),
    "done": ("why", "best", "proof"),
}
"""The kinds of events (key ``t``), each with the keys that it always has; it may have more."""

MOST_TREE_NODES = 2_000
"""Nodes of a search tree that are emitted at most: views draw a part of it."""
FIRST_NODES = 32
"""Nodes that a search may visit however short its time is: a busy machine may give it none."""
EMIT_EVERY, SILENT = 0.1, 0.25
"""Seconds between two root events, and without one until a progress event is emitted."""
LATEST = 1.05
"""Share of the time limit after which no more tree nodes are emitted: the answer comes first."""


class OutOfBudget(Exception):  # noqa: N818 - a signal, not an error
    """Raised inside a search to stop it; never leaves the agent.

    Its text is the reason: ``time``, ``nodes`` or ``cancelled``.
    """


def never() -> bool:
    """Return False: the default of every `cancelled` parameter."""
    return False


class Thinking:
    """The budget of one analysis in seconds and nodes, and the sink of its events.

    The time runs from its creation on. The search counts its *nodes* here and calls `check` or
    `tick` regularly; both raise OutOfBudget when *limit* is reached, or *cancelled* returns True.
    """

    def __init__(
        self, limit: Limit, listener: Listener | None = None, cancelled: Cancelled = never
    ) -> None:
        self.limit = self._granted = limit
        self.nodes = 0
        self._stopped = ""
        self._listener = listener
        self._cancelled = pressed if cancelled is never else lambda: cancelled() or pressed()
        self._began = perf_counter()
        self._tree_nodes = 0
        self._emitted = 0.0

    @property
    def watched(self) -> bool:
        """True if there is a listener: without one callers need not make costly events."""
        return self._listener is not None

    @property
    def seconds(self) -> float:
        return perf_counter() - self._began

    def narrow(self, limit: Limit) -> None:
        """Lower each bound of the budget to that of the agent's own *limit*, where that is tighter.

        A search that ends there is *done*: see `reason`.
        """
        self.limit = self.limit.within(limit)

    @contextmanager
    def until_stopped(self) -> Iterator[None]:
        """Run the block and end it silently on OutOfBudget; `reason` then says why it ended."""
        try:
            yield
        except OutOfBudget as stop:
            self._stopped = str(stop)

    def reason(self, why: str) -> str:
        """Return why the search ended, as `Analysis.why` says it.

        That is exact, depth, time, nodes, cancelled or done. *why* is the search's own reason;
        unless it is *exact*, what stopped it in `until_stopped` goes before it. It is *time* or
        *nodes* only if the caller's limit is spent: an agent that stops earlier, at a limit of its
        own, is *done*.
        """
        if why != "exact":
            why = self._stopped or why
        spent = {
            "nodes": self.nodes >= self._granted.nodes,
            "time": self.seconds >= self._granted.seconds,
        }
        return why if spent.get(why, True) else "done"

    def share(self, part: float, silent: bool = False) -> Thinking:
        """Return a new budget of *part* (0 to 1) of what is left: at least a microsecond, one node.

        It has the same listener, or none if *silent*: what is thought then is not shown. What it
        spends is not counted here.
        """
        seconds = max((self.limit.seconds - self.seconds) * part, 1e-6)
        left = self.limit.nodes - self.nodes
        nodes = left if left == inf else max(int(left * part), 1)  # nodes are whole
        listener = None if silent else self._listener
        return Thinking(Limit(seconds, nodes), listener, self._cancelled)

    def tick(self) -> None:
        """Count one node; raises OutOfBudget if the limit is reached or the caller has cancelled.

        The time is not looked at before `FIRST_NODES` nodes.
        """
        if self.nodes >= self.limit.nodes:
            raise OutOfBudget("nodes")
        self.nodes += 1
        if self.nodes > FIRST_NODES:
            self.check()
        elif self._cancelled():
            raise OutOfBudget("cancelled")

    def check(self) -> None:
        """Raise OutOfBudget if the time is over or the caller has cancelled; nodes are not checked.

        Every search calls this regularly, so it also emits the progress event that is due once
        nothing was emitted for `SILENT` seconds.
        """
        seconds = self.seconds
        if seconds > self.limit.seconds:
            raise OutOfBudget("time")
        if self._cancelled():
            raise OutOfBudget("cancelled")
        if self.watched and seconds > self._emitted + SILENT:
            self._emitted = seconds
            self.emit("progress", **self._work(seconds))

    def time_to_emit(self) -> bool:
        """Return whether a listener is due a root event: the last is `EMIT_EVERY` seconds old."""
        return self.watched and self.seconds > self._emitted + EMIT_EVERY

    def emit(self, kind: str, **facts: object) -> None:
        """Send an event of *kind*, a key of `EVENTS`, to the listener; do nothing if there is none.

        *facts* are its other keys, with values that JSON can hold. Neither is checked.
        """
        if self._listener is not None:
            self._listener({"t": kind, **facts})

    def emit_root(self, depth: float, best: str, moves: list[Event], **facts: object) -> None:
        """Emit a root event: *depth* in plies, the *best* move's name, and all *moves* as JSON.

        Each of *moves* is as `root_moves` writes it. The work so far (nodes, milliseconds, nodes
        per second) and *facts*, further keys of the event, are added.
        """
        seconds = self.seconds
        self._emitted = seconds
        work = self._work(seconds)
        self.emit("root", depth=depth, best=best, moves=moves, **work, **facts)

    def _work(self, seconds: float) -> dict[str, int]:
        """Return the work so far: ``nodes``, milliseconds ``ms``, nodes per second ``nps``.

        *seconds* is the time so far; all are rounded to whole numbers.
        """
        speed = round(self.nodes / max(seconds, 1e-6))
        return {"nodes": self.nodes, "ms": round(seconds * 1000), "nps": speed}

    def emit_node(self, **facts: object) -> bool:
        """Emit one node of the search tree; return False, and emit nothing, where it has no place.

        That is without a listener, after `MOST_TREE_NODES` nodes or `LATEST` of the time limit.
        *facts* are the node as JSON data: ``id``, ``up`` (its parent's id, None for the root),
        ``m`` (the move's name), ``v`` (its value) and more, see docs/events.md.
        """
        if not self.watched or self._tree_nodes >= MOST_TREE_NODES:
            return False
        if self.seconds > LATEST * self.limit.seconds:
            return False
        self._tree_nodes += 1
        self.emit("tree", add=[facts])
        return True


class Tree:
    """The nodes of one round of a search: whole plies from the root, parents before children.

    They are emitted when the round is over: only then all of their values are known.
    """

    def __init__(self, root: Position) -> None:
        self.plies = whole_plies(root)
        """Plies below the root of which nodes are recorded."""
        self.nodes: list[Event] = []
        """The nodes so far, each as `Thinking.emit_node` takes it."""
        self._path: list[int] = []

    def enter(self, ply: int, **facts: object) -> Event:
        """Add a node at *ply*, 0 for the root, below the last one of the ply before; return it.

        *facts* are its keys besides ``id`` and ``up``. The dict returned is the node itself: the
        caller adds the value to it when it is known. No *ply* may be left out; not checked.
        """
        node = {"id": len(self.nodes), "up": self._path[ply - 1] if ply else None, **facts}
        self._path[ply:] = [len(self.nodes)]
        self.nodes.append(node)
        return node

    def emit(self, thinking: Thinking) -> None:
        """Emit the nodes in order by *thinking*; stop where `Thinking.emit_node` returns False."""
        for node in self.nodes:
            if not thinking.emit_node(**node):
                break


def whole_plies(root: Position) -> int:
    """Return how many whole plies below *root* fit into `MOST_TREE_NODES`: at least one.

    An estimate, as if every position had the legal moves of *root*, or one less each ply where
    moves stay.
    """
    width, shrink = len(root.moves()), int(root.game.moves_stay)
    plies, nodes, layer = 1, 1 + width, width
    while (layer := layer * (width - shrink * plies)) and nodes + layer <= MOST_TREE_NODES:
        nodes += layer
        plies += 1
    return plies


@dataclass
class Agent(ABC):
    """A way to choose moves: a dataclass whose fields are its settings.

    A solver is an agent whose analyses are exact. The same settings, seed among them, give the
    same answer to the same position: an agent remembers nothing between two analyses.
    """

    name: ClassVar[str]
    """The first word of its spec, such as ``alphabeta``."""
    ends_by_itself: ClassVar[bool] = False
    """True if its method ends by itself, before the budget does. Others spend all of it, unless
    they prove the result or reach a depth that was asked for."""
    has_plain_twin: ClassVar[bool] = False
    """True if it has a search that works, slower, while nothing is compiled: `core.compiling`."""

    reader: ClassVar[Callable[[Place], Position]]
    """Returns the position of a game or a text; set by `papan`, as core knows no games."""

    @abstractmethod
    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        """Return an analysis of *position*, which has a legal move, within *thinking*'s budget.

        Subclasses define it; callers use `analyse`, which sets its nodes, seconds and position, and
        checks its first move. OutOfBudget must not leave it: see `Thinking.until_stopped`.
        """

    def load(self, position: Position) -> None:  # noqa: B027 - most agents have nothing to load
        """Load or compile what a search of *position* needs, so that no clock runs meanwhile.

        The default does nothing.
        """

    def plays(self, game: Game) -> bool:
        """Return whether this agent can play *game*. Default: any game."""
        return True

    def close(self) -> None:  # noqa: B027 - most agents hold nothing
        """End the process that it holds; the next analysis starts a new one. Default: do nothing.

        An agent is also a context that closes it.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def check_plays(self, game: Game) -> Self:
        """Return self; raises CannotPlayError if it does not play *game*."""
        if not self.plays(game):
            raise self.refusal(game)
        return self

    def refusal(self, game: Game) -> CannotPlayError:
        """Return the error that `check_plays` raises if it does not play *game*: it names both."""
        return CannotPlayError("error.cannot_play", agent=self.spec, game=game.spec)

    def processor_seconds(self) -> float:
        """Return the CPU seconds used so far by the process that searches: by default this one."""
        return process_time()

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

        It stops at the tighter of *limit* and *seconds* or *nodes*, or if *cancelled* returns True.
        After Ctrl-C it raises `Interrupted`, whose ``result`` is the analysis so far. Raises
        CannotPlayError if the game is over or not one that it plays, IllegalMoveError if its answer
        is illegal, InvalidPositionError or InvalidSpecError for a text that names no position, and
        WrongTypeError for an argument of another type.
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
        """Do as `analyse` does, with the same arguments, in a thread: cancelling the task stops it.

        *listener* is called in that thread. A cancelled task ends once the agent has stopped.
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

        It searches at most *nodes*, which are added to those of *thinking*. For an agent that asks
        another one: unlike in `analyse` nothing is checked, and *position* must have a legal move.
        """
        trial = thinking.share(share)
        trial.narrow(Limit(nodes=nodes))
        analysis = self.decide(position, trial)
        thinking.nodes += trial.nodes
        return analysis

    def known(self, position: Position) -> Analysis | None:
        """Return a proved analysis that takes no search, as by a shipped proof; None by default.

        It is exact, or tells how much its move gets at least.
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
        """Return the name of the move it chooses: ``position.play(agent.choose(position))``.

        Takes limits, and raises, as `analyse` does.
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
        a `name`.
        """
        if not hasattr(self, "name"):
            raise InvalidSpecError("error.agent_without_name", kind=type(self).__name__)
        return write_spec(self.name, self, terse=True)

    def has_setting(self, name: str) -> bool:
        """Return whether this agent has a setting of that name."""
        return any(each.name == name for each in fields(self))

    def with_settings(self, **settings: Any) -> Self:
        """Return the same agent with other settings; those it does not have are ignored.

        Raises InvalidSpecError for a value out of the setting's range.
        """
        known = {name: value for name, value in settings.items() if self.has_setting(name)}
        return replace(self, **known) if known else self  # a plug-in may be no dataclass

    def demand(self, setting: str, least: float, most: float | None = None) -> None:
        """Raise InvalidSpecError if a setting is not from *least* to *most*; for `__post_init__`.

        *most* is that of `LARGEST_AMOUNTS` where it is left out; seconds and nodes may be infinite.
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

        Raise IllegalMoveError if its first move is missing or not legal in *position*,
        CannotPlayError if it is no Analysis. Later moves are not checked.
        """
        if not isinstance(analysis, Analysis):
            facts = {"agent": self.spec, "given": repr(analysis)[:80]}
            raise CannotPlayError("error.takes_analysis", **facts)
        given: object = analysis.line[0] if analysis.line else None
        move = whole(given)
        if move is None or move not in position.moves():
            known = move is not None and 0 <= move < position.game.move_count
            name = position.game.move_name(analysis.line[0]) if known else repr(given)[:80]
            raise illegal_answer(self.spec, name, position)
        if all(type(each) is int for each in analysis.line):
            return analysis
        return replace(analysis, line=tuple(map(int, analysis.line)))

    def _announce(self, position: Position, thinking: Thinking) -> None:
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

    Only the first call in a process for its class and *kind* (hashable values) does so. What is
    loaded from the cache, or even compiled, is there before the clock runs.
    """
    if (key := (type(agent), *kind)) not in _loaded:
        agent.decide(position, Thinking(Limit(nodes=1)))
        if not pressed():  # else it may have ended before it began
            _loaded.add(key)


class NativeAgent(Agent):
    """An agent with compiled searches for games with a native form, and a plain twin of them.

    Subclasses define `decide`, which asks `form` for what the compiled search takes.
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

    Nothing happens before `start`. *limit*, *listener*, called in that thread, and *cancelled* are
    those of `Agent.analyse`.
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
        try:
            self.answer = self.agent.analyse(
                self.position, self.limit, self._listener, self._stopped
            )
        except BaseException as error:  # raised again by the caller, not in this thread
            self.answer = error
        ready(self)


def illegal_answer(agent: str, answer: str, position: Position) -> IllegalMoveError:
    """Return the error that an *agent* (spec or name) gave an *answer* that is not legal.

    *answer* is what it gave, as text, of which 80 characters are shown; the error names the legal
    moves of *position*.
    """
    facts = {"position": str(position), "legal": " ".join(position.move_names())}
    return IllegalMoveError("error.agent_illegal", agent=agent, move=answer[:80], **facts)


def reseeded(agent: Agent, offset: int) -> Agent:
    """Return the agent with *offset* added to its setting *seed*; itself if it has none."""
    return agent.with_settings(seed=getattr(agent, "seed", 0) + offset)
