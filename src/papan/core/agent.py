"""An Agent turns a Position into an Analysis, within a Limit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import dataclass, fields, replace
from math import inf
from queue import SimpleQueue
from threading import Event as Signal
from threading import Thread
from typing import Any, ClassVar, Self, Unpack

from papan.core.analysis import Analysis
from papan.core.game import Game, Native, Position, native_form
from papan.core.text import (
    CannotPlayError,
    IllegalMoveError,
    InvalidPositionError,
    InvalidSpecError,
    write_spec,
)
from papan.core.thinking import (
    MOST,
    UNLIMITED,
    Bounds,
    Cancelled,
    Event,
    Limit,
    Listener,
    Thinking,
    fits,
    never,
)


@dataclass
class Agent(ABC):
    """A way to choose moves: a dataclass whose fields are its settings.

    A solver is an agent whose analyses are exact. The same settings, seed among them, give the
    same answer to the same position: an agent remembers nothing between two analyses.
    """

    name: ClassVar[str]
    ends_by_itself: ClassVar[bool] = False
    """Does it end before its budget does, because its method has an end? Others spend all of it,
    unless they prove the result or reach a depth that was asked for."""
    has_plain_twin: ClassVar[bool] = False
    """Can it think, though slower, while nothing is compiled? See `core.compiling`."""

    @abstractmethod
    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        """Think about *position*, which has a legal move; `analyse` is the way in."""

    def load(self, position: Position) -> None:  # noqa: B027 - most agents have nothing to load
        """Load what it needs to think about *position*, before any clock runs."""

    def plays(self, game: Game) -> bool:
        """Can this agent play *game*?"""
        return True

    def check_plays(self, game: Game) -> Self:
        """Itself; raises where it does not play *game*."""
        if not self.plays(game):
            raise self.refusal(game)
        return self

    def refusal(self, game: Game) -> CannotPlayError:
        """What to raise where it does not play *game*."""
        return CannotPlayError("error.cannot_play", agent=self.spec, game=game.spec)

    @property
    def own_limit(self) -> Limit:
        """What its own settings grant a move; it counts where the caller says nothing."""
        return UNLIMITED

    def analyse(
        self,
        position: Position,
        limit: Limit = UNLIMITED,
        listener: Listener | None = None,
        cancelled: Cancelled = never,
        **bounds: Unpack[Bounds],
    ) -> Analysis:
        """What this agent thinks of *position*; *listener* hears every event on the way.

        *bounds* are those of a `Limit`, such as ``seconds=1`` or ``nodes=1000``.
        """
        limit = limit.within(Limit(**bounds)) if bounds else limit
        if not isinstance(position, Position):
            raise InvalidPositionError("error.takes_position", given=repr(position)[:80])
        self.check_plays(position.game)
        if position.is_over:
            return replace(self.finished(position), position=position)
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
        self._check(position, analysis)
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

    def tried(
        self, position: Position, thinking: Thinking, share: float, nodes: float = inf
    ) -> Analysis:
        """What it says with a *share* of another agent's budget, and with so many nodes at most."""
        trial = thinking.share(share)
        trial.narrow(Limit(nodes=nodes))
        analysis = self.decide(position, trial)
        thinking.nodes += trial.nodes
        return analysis

    def finished(self, position: Position) -> Analysis:
        """What it says of a game that is over: most agents have nothing to think about then."""
        raise CannotPlayError("error.nothing_to_play", position=str(position))

    def choose(self, position: Position, limit: Limit = UNLIMITED, **bounds: Unpack[Bounds]) -> str:
        """The name of the move it would make: ``position.play(agent.choose(position))``."""
        move = self.analyse(position, limit, **bounds).move
        return position.game.move_name(move)

    def think(
        self, position: Position, limit: Limit = UNLIMITED, **bounds: Unpack[Bounds]
    ) -> Iterator[Event]:
        """The events of an analysis as they happen; leaving the loop cancels it."""
        limit = limit.within(Limit(**bounds)) if bounds else limit
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
        """The text that names this agent and its settings, such as ``alphabeta:depth=4``."""
        return write_spec(self.name, self, terse=True)

    def has_setting(self, name: str) -> bool:
        """Can it be told so much, such as how deep to look?"""
        return any(each.name == name for each in fields(self))

    def with_settings(self, **settings: Any) -> Self:
        """The same agent with other settings; one that it does not have does not matter."""
        known = {name: value for name, value in settings.items() if self.has_setting(name)}
        return replace(self, **known)

    def demand(self, setting: str, least: float, most: float | None = None) -> None:
        """Refuse a setting outside its bounds, by its name or *most*: for `__post_init__`."""
        value, most = getattr(self, setting), MOST.get(setting, inf) if most is None else most
        if not fits(setting, value, least, most):
            key = "error.setting_least" if most == inf else "error.setting_between"
            bounds = {"least": least, "most": most}
            raise InvalidSpecError(key, agent=self.name, setting=setting, value=value, **bounds)

    def _check(self, position: Position, analysis: Analysis) -> None:
        move: object = analysis.line[0] if analysis.line else None
        if type(move) is not int or move not in position.moves():
            known = type(move) is int and 0 <= move < position.game.move_count
            name = position.game.move_name(analysis.line[0]) if known else repr(move)[:80]
            raise IllegalMoveError(
                "error.agent_illegal", agent=self.spec, move=name, position=str(position)
            )

    def _announce(self, position: Position, thinking: Thinking) -> None:
        if not thinking.watched:  # to write a position down takes longer than to solve some
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
    """Let *agent* look at one node, once for each *kind* of position: for `Agent.load`.

    Whatever it needs is loaded from the cache then, or even compiled, before the clock runs.
    """
    if (key := (type(agent), *kind)) not in _loaded:
        agent.decide(position, Thinking(Limit(nodes=1)))
        _loaded.add(key)


class NativeAgent(Agent):
    """An agent with searches that are compiled for games with a native form."""

    has_plain_twin: ClassVar[bool] = True

    def form(self, position: Position) -> Native | None:
        """The position as the compiled search takes it; None where the plain one is to search."""
        return native_form(position)

    def load(self, position: Position) -> None:
        if form := self.form(position):
            load_once(self, position, type(form.rules), len(form.board))


class Search:
    """An analysis in a thread of its own: listened to while it goes on, stopped at any time."""

    def __init__(
        self, agent: Agent, position: Position, limit: Limit, listener: Listener | None = None
    ) -> None:
        self.agent, self.position, self.limit = agent, position, limit
        self.answer: Analysis | Exception | SystemExit | None = None
        """What the agent thinks, or how it failed; None until then."""
        self._listener, self._stop = listener, Signal()

    def start(self, ready: Callable[[Self], object]) -> None:
        """Begin; *ready* is called in that thread when the answer is there.

        A daemon: an agent that does not listen must not keep papan from ending.
        """
        context = copy_context()  # by which Textual finds its app
        Thread(target=context.run, args=(self._work, ready), daemon=True).start()

    def stop(self) -> None:
        """Ask the agent for its best move so far, now."""
        self._stop.set()

    def _work(self, ready: Callable[[Self], object]) -> None:
        try:
            self.answer = self.agent.analyse(
                self.position, self.limit, self._listener, self._stop.is_set
            )
        except (Exception, SystemExit) as error:  # it belongs to whoever asked, not to this thread
            self.answer = error
        ready(self)


def reseeded(agent: Agent, offset: int) -> Agent:
    """The same agent with another seed; agents without a seed stay as they are."""
    return agent.with_settings(seed=getattr(agent, "seed", 0) + offset)
