"""Who plays and what they think: an Agent turns a Position into an Analysis, within a Limit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf
from queue import SimpleQueue
from threading import Event as Signal
from threading import Thread
from typing import ClassVar, Unpack

from papan.core.bounds import MOST, fits
from papan.core.errors import CannotPlayError, IllegalMoveError, InvalidSpecError
from papan.core.position import Game, Move, Position, native_form
from papan.core.repr import HtmlRepr
from papan.core.spec import write_spec
from papan.core.thinking import (
    UNLIMITED,
    Bounds,
    Cancelled,
    Event,
    Limit,
    Listener,
    Thinking,
    never,
)
from papan.core.value import NOTHING_PROVED, Guess, Proved, Value


@dataclass(frozen=True)
class Analysis(HtmlRepr):
    """What an agent thinks of a position."""

    line: tuple[Move, ...]
    """The play it expects, its own move first."""
    guess: float | None = None
    """The final margin it expects for the seat to move, where that is not proven."""
    proved: Proved = NOTHING_PROVED
    """What is proven of the final margin."""
    values: Mapping[Move, Value] = field(default_factory=dict)
    """What it found out about each legal move that it looked at."""
    distance: int | None = None
    """Plies to the end under best play, where the agent knows."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """What else a solver knows, such as Connect 4's ``score`` or Onet's ``solvable``."""
    why: str = "done"
    """Why it stopped: exact, depth, time, nodes, cancelled; or done, where that is its nature."""
    nodes: int = 0
    seconds: float = 0.0
    position: Position | None = field(default=None, repr=False, compare=False)
    """What it is about; `Agent.analyse` adds it."""

    @property
    def move(self) -> Move:
        """The move it would make; raises where the game is over."""
        if not self.line:
            raise CannotPlayError("error.nothing_to_play", position=str(self.position))
        return self.line[0]

    @property
    def exact(self) -> bool:
        """Is the final margin proven? Then the agent has solved the position."""
        return self.proved.exact

    @property
    def value(self) -> float | None:
        """The final margin for the seat to move: proven if `exact`, else what it guesses, if so."""
        if self.exact or self.guess is None:
            return self.proved.low if self.exact else None
        return min(max(self.guess, self.proved.low), self.proved.high)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """What is proven: the final margin lies between these two; None where that is nothing."""
        return None if self.proved.nothing else (self.proved.low, self.proved.high)

    @property
    def best_value(self) -> Value | None:
        """The value with how sure it is: what is proven comes before a guess."""
        if self.exact or self.value is None:
            return None if self.proved.nothing else self.proved
        return Guess(self.value)

    @property
    def score(self) -> int | None:
        """Connect 4: the usual score, which counts the stones left at the win."""
        score = self.facts.get("score")
        return score if isinstance(score, int) else None

    @property
    def solvable(self) -> bool | None:
        """Onet: can the board be cleared? None where that is not known, or not the question."""
        solvable = self.facts.get("solvable")
        return solvable if isinstance(solvable, bool) else None

    @property
    def best(self) -> tuple[Move, ...]:
        """All moves proven to be the best, its own first; only that one where nothing is exact."""
        if not self.exact:
            return self.line[:1]
        found = [
            move
            for move, value in self.values.items()
            if isinstance(value, Proved) and value.low == self.proved.low
        ]
        return tuple(sorted(found, key=lambda move: move != self.move))

    @property
    def moves(self) -> dict[str, Value]:
        """What it found out about each legal move, by the name of the move, the best first."""
        values = sorted(self.values.items(), key=lambda each: -each[1].number)
        return {self._name(move): value for move, value in values}

    def __str__(self) -> str:
        line = " ".join(map(self._name, self.line))
        return line if self.best_value is None else f"{line} ({self.best_value})"

    def __repr__(self) -> str:
        facts = f"exact={self.exact} nodes={self.nodes}"
        return f"<Analysis {self.position}: {str(self).strip()}, {facts}>"

    def _name(self, move: Move) -> str:
        """The text of *move*; its number where nobody knows the game."""
        return str(move) if self.position is None else self.position.game.move_name(move)


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
        limit = limit.within(Limit(**bounds))
        if not self.plays(position.game):
            raise self.refusal(position.game)
        if position.is_over:
            return self.finished(position)
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

    def finished(self, position: Position) -> Analysis:
        """What it says of a game that is over: most agents have nothing to think about then."""
        raise CannotPlayError("error.nothing_to_play", position=str(position))

    def choose(self, position: Position, limit: Limit = UNLIMITED, **bounds: Unpack[Bounds]) -> str:
        """The name of the move it would make: ``position.play(agent.choose(position))``."""
        return position.game.move_name(self.analyse(position, limit, **bounds).move)

    def think(
        self, position: Position, limit: Limit = UNLIMITED, **bounds: Unpack[Bounds]
    ) -> Iterator[Event]:
        """The events of an analysis as they happen; leaving the loop cancels it."""
        limit = limit.within(Limit(**bounds))
        events: SimpleQueue[Event | BaseException | None] = SimpleQueue()
        stop = Signal()

        def work() -> None:
            try:
                self.analyse(position, limit, events.put, stop.is_set)
                events.put(None)
            except Exception as error:  # it belongs to the caller, not to this thread
                events.put(error)

        Thread(target=work, daemon=True).start()
        try:
            while (event := events.get()) is not None:
                if isinstance(event, BaseException):
                    raise event
                yield event
        finally:
            stop.set()

    @property
    def spec(self) -> str:
        """The text that names this agent and its settings, such as ``alphabeta:depth=4``."""
        return write_spec(self.name, self, terse=True)

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

    def load(self, position: Position) -> None:
        if form := native_form(position):
            load_once(self, position, type(form.rules))
