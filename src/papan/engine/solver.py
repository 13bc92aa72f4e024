"""NativeSolver: what the solvers of all games share, and the solver of games that have none.

A game's solver derives from `NativeSolver` and answers one question, `solution`: a `Solution` of
its own, which knows the position and the budget. Its `work` runs kernels (with
`papan.engine.control.run` and `self.look`) and writes down what it proves: `line`, `values`, and
what `bounds` and `choice` tell. `OutOfBudget` may end it anywhere, and what is written must be true
then. Settings, limits, events and the analysis are made from that here, for all alike:

    @dataclass
    class NimSolver(NativeSolver):
        def plays(self, game): return isinstance(game, Nim)
        def solution(self, position, thinking): return NimSolution(position, thinking)

A game with compiled rules (`papan.engine.board`) and no solver of its own needs none of this:
`NativeSolver` itself searches it to the end with the shared alpha-beta.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from math import inf
from typing import TYPE_CHECKING, ClassVar

from papan.core import (
    Agent,
    Analysis,
    Game,
    Limit,
    Move,
    Native,
    OutOfBudget,
    Position,
    Proved,
    Thinking,
    Value,
    native_form,
)
from papan.core.agent import load_once
from papan.core.analysis import root_moves
from papan.core.message import Message

if TYPE_CHECKING:
    from papan.engine.workspace import FoundMove

MEGABYTE = 2**20
FIRST_ENTRIES = 2**15
ROOM = 32
"""The table grows to so many entries for each position in it, before the next round."""
WIN = 1_000_000
"""The score of the largest margin there is, less one for each ply until then."""
SURE = WIN - 10_000
"""Scores beyond this one, won or lost, are no guesses."""
CHEAP_NODES = 20_000
"""To find out which other moves are as good as the best may take so many nodes, or as many again as
the proof took."""


def margin_of(score: float, largest: float) -> float:
    """The margin that a score of alpha-beta stands for."""
    if abs(score) <= SURE:
        return score or 0  # never -0.0
    return largest if score > 0 else -largest


class Solution(ABC):
    """What is found out about one position; all that it says is true at any time."""

    def __init__(self, position: Position, thinking: Thinking) -> None:
        self.position, self.thinking = position, thinking
        self.line: tuple[Move, ...] = ()
        """Best play, as far as it is known."""
        self.values: Mapping[Move, Value] = {}
        """What is known of each move that anything is known of."""
        self.facts: dict[str, object] = {}
        """What else is worth telling, at the end."""
        self.notes: tuple[Message, ...] = ()
        """The same in words of the game."""
        self.distance: int | None = None
        """The plies to the end, where they are known."""
        self.guess: float | None = None
        """What the position looks like, while that is not proven."""
        self.depth = 0
        """How far the search has come, in plies."""

    @abstractmethod
    def work(self) -> None:
        """Find out everything; OutOfBudget may end this anywhere."""

    @abstractmethod
    def choice(self) -> Move:
        """The best move known."""

    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """What the value is proven to be at least and at most."""

    def update(self) -> None:  # noqa: B027 - most write it down as they go
        """Write down what a kernel has found so far, before it is emitted."""

    def why(self, stop: str) -> str:
        """Why the work ended, when the budget has: *exact* if the value is known all the same."""
        low, high = self.bounds()
        return "exact" if low == high else stop

    def look(self, nodes: int) -> None:
        """Keep count of a kernel's nodes and to the limit, and tell how far it has come."""
        self.thinking.nodes = nodes
        self.thinking.check()
        if self.thinking.time_to_emit():
            self.emit()

    def emit(self, **facts: object) -> None:
        """Tell what is known of the moves."""
        if self.thinking.watched:
            self.update()
            game, bounds = self.position.game, list(self.bounds())
            best, moves = game.move_name(self.choice()), root_moves(game, self.values)
            self.thinking.emit_root(self.depth, best, moves, bounds=bounds, **facts)

    def analysis(self, why: str) -> Analysis:
        """What was found."""
        self.update()
        return Analysis(
            self.line or (self.choice(),),
            self.guess,
            Proved(*self.bounds()),
            dict(self.values),
            self.distance,
            facts=self.facts,
            notes=self.notes,
            why=why,
        )


@dataclass
class NativeSolver(Agent):
    """Proves the value of a position, as far as the limit allows."""

    memory: int = 256
    """Megabytes for the table, at most."""
    threads: int = 1
    """How many search at the same time, where the game's search can."""
    all_moves: bool = False
    """Prove the value of every move, not only which ones are best."""
    reuse: bool = False
    """Keep the table for the next position, where the game's search can: for the positions of one
    game, the last one first. What is proved is the same, of equal moves another may come first."""

    name: ClassVar[str] = "solver"

    def __post_init__(self) -> None:
        self.demand("memory", 1)
        self.demand("threads", 1)
        self.kept: object = None
        """What the last analysis has left, in the terms of the game's search."""

    def plays(self, game: Game) -> bool:
        return native_form(game.start()) is not None

    def load(self, position: Position) -> None:
        load_once(self, position, *self.variant(position))

    def variant(self, position: Position) -> tuple[object, ...]:
        """What decides which kernels a position needs: each is loaded once."""
        form = native_form(position)
        return (type(form.rules), len(form.board)) if form else ()

    def solution(self, position: Position, thinking: Thinking) -> Solution:
        """Nothing is known of *position* yet."""
        form = native_form(position)
        assert form is not None
        return AlphaBetaSolution(position, thinking, self, form)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        solution, why = self.solution(position, thinking), "exact"
        try:
            solution.work()
        except OutOfBudget as stop:
            why = solution.why(str(stop))
        return solution.analysis(why)


class AlphaBetaSolution(Solution):
    """Alpha-beta on compiled rules, one ply deeper each round until no guess is left."""

    def __init__(
        self, position: Position, thinking: Thinking, settings: NativeSolver, form: Native
    ) -> None:
        # Solvers of games have no use for these, and they take a while to load.
        from papan.engine import alphabeta
        from papan.engine.memory import entries_in, fill, layout
        from papan.engine.workspace import Entry, SearchMemory

        super().__init__(position, thinking)
        game, self._search = position.game, alphabeta.look
        self.largest, self.all_moves = game.largest_margin, settings.all_moves
        self.order = list(position.moves())
        self.proven = Proved(-self.largest, self.largest)
        self.memory = SearchMemory(form, game.move_count)
        self.memory.make_room(FIRST_ENTRIES)
        self.most_entries = entries_in(settings.memory, layout(Entry).itemsize)
        won = {"win": WIN, "won_from": self.largest, "win_margin": self.largest}
        fill(self.memory.workspace, prunes=True, orders=True, remembers=True, **won)

    def choice(self) -> Move:
        return self.line[0] if self.line else self.order[0]

    def bounds(self) -> tuple[float, float]:
        return self.proven.low, self.proven.high

    def work(self) -> None:
        for self.depth in count(1):
            self._round(self.order)
            if self.proven.exact:
                break
        if not self.all_moves:
            spent = self.thinking.nodes
            self.thinking.narrow(Limit(nodes=spent + max(spent, CHEAP_NODES)))
        self.depth = self.memory.form.deepest
        for move in [move for move in self.order if self._is_open(move)]:
            self._round([move])  # alone, a move is asked for its exact score

    def _round(self, moves: list[Move]) -> None:
        stored = int(self.memory.workspace.stored)
        self.memory.make_room(min(1 << (ROOM * stored).bit_length(), self.most_entries))
        try:
            self.memory.look(self._search, moves, self.depth, self.thinking)
        finally:
            self.facts = {"table": self.memory.table.words.nbytes}
            self._read(moves)
        if self.thinking.time_to_emit():
            self.emit()

    def _read(self, moves: list[Move]) -> None:
        """Write down what a round has found, as far as it came."""
        best = -inf
        values = dict(self.values)
        for move, found in zip(moves, self.memory.found()):
            value = self._value(found, inside=found.score > best)
            if value is not None and not self._exact(move):
                values[move] = value
            if found.score > best:
                best, line = found.score, (move, *found.line)
                if len(moves) > 1 or len(self.order) == 1:
                    self.line, self.guess = line, margin_of(best, self.largest)
        self.values = values
        proved = [value for value in values.values() if isinstance(value, Proved)]
        if proved:
            low = max(self.proven.low, *(value.low for value in proved))
            whole = len(proved) == len(self.order)
            high = max(value.high for value in proved) if whole else self.largest
            self.proven = Proved(low, max(low, min(high, self.proven.high)))
        if moves == self.order and best > -inf:
            self.order.sort(key=lambda move: move != self.line[0])

    def _value(self, found: FoundMove, inside: bool) -> Proved | None:
        """What a round proves of a move."""
        margin, decided = margin_of(found.score, self.largest), abs(found.score) > SURE
        if found.doubts and not decided:
            return None
        low = margin if inside or found.score < -SURE else -inf
        return Proved(low, margin, nodes=found.nodes, line=found.line)

    def _exact(self, move: Move) -> bool:
        value = self.values.get(move)
        return isinstance(value, Proved) and value.exact

    def _is_open(self, move: Move) -> bool:
        """Is it still open what a move is worth, or whether it is as good as the best?"""
        value = self.values.get(move)
        worse = isinstance(value, Proved) and value.high < self.proven.low
        return not self._exact(move) and (self.all_moves or not worse)
