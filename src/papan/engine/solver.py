"""NativeSolver: what the solvers of all games share, and the solver of games that have none.

A game's solver derives from `NativeSolver` and implements one method, `solution`. It returns a
`Solution` for the position and the budget; its `work` runs kernels (with `papan.engine.control.run`
and `self.look`) and records what it proves: `line`, `values`, and what `bounds` and `choice`
return. `OutOfBudget` may end it anywhere, and what is recorded must be true then. Settings, limits,
events and the analysis are handled here, for all alike:

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
from typing import ClassVar, NamedTuple

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

BYTES_PER_MEGABYTE = 2**20
FIRST_ENTRIES = 2**15
"""Entries of the transposition table at first."""
ENTRIES_PER_POSITION = 32
"""Before each round the table grows to at least this many entries per position in it."""
WIN_SCORE = 1_000_000
"""The score of the largest margin, less one for each ply until then."""
SURE_SCORE = WIN_SCORE - 10_000
"""Scores above this, or below its negative, are proved wins or losses, never estimates."""
CHEAP_NODES = 20_000
"""Nodes that finding the other best moves may take at least; it may also take as many as the proof
took.
"""


class RootScore(NamedTuple):
    """The result of a search for one move at the root, for the seat that makes it."""

    score: float
    """The score, in points but for wins and losses: see `WIN_SCORE`."""
    nodes: int
    """Nodes searched for the move, its own among them."""
    doubts: int
    """Scores below it that are guesses or ambiguous; 0: the score is proved."""
    line: tuple[Move, ...]
    """Best play after the move."""


def margin_of(score: float, largest: float) -> float:
    """Return the margin in points, for the same seat, that a score stands for.

    It is ±*largest*, the largest margin of the game, for proved wins and losses, else the score.
    """
    if abs(score) <= SURE_SCORE:
        return score or 0  # never -0.0
    return largest if score > 0 else -largest


class Solution(ABC):
    """Proved facts about one position; they are true at any time, also while the work goes on.

    Base of the solutions of games. Values and bounds are in points for the seat to move. *thinking*
    is the budget, and takes the events.
    """

    def __init__(self, position: Position, thinking: Thinking) -> None:
        self.position, self.thinking = position, thinking
        self.line: tuple[Move, ...] = ()
        """Best play, as far as it is known."""
        self.values: Mapping[Move, Value] = {}
        """The values of the moves, as far as they are known."""
        self.facts: dict[str, object] = {}
        """Further facts for the analysis."""
        self.notes: tuple[Message, ...] = ()
        """Further facts as messages in words of the game."""
        self.distance: int | None = None
        """Plies to the end; None if unknown."""
        self.guess: float | None = None
        """An estimate of the value, while it is not proved."""
        self.depth = 0
        """Depth of the search so far, in plies."""

    @abstractmethod
    def work(self) -> None:
        """Prove all that was asked for, and record it in this object.

        OutOfBudget may be raised anywhere; what is recorded by then counts.
        """

    @abstractmethod
    def choice(self) -> Move:
        """Return the best move known; there is always one, a legal move at least."""

    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """Return the proved (low, high) of the final margin in points, for the seat to move.

        Equal if the value is proved; while nothing is, bounds that always hold.
        """

    def update(self) -> None:  # noqa: B027 - most write it down as they go
        """Copy what a kernel has found so far into this solution; called before each event.

        Does nothing here: solutions whose kernel writes results into its workspace override it. May
        be called often, also before anything is found.
        """

    def why(self, stop: str) -> str:
        """Return why the work ended: "exact" if the value is proved, else the reason *stop*."""
        low, high = self.bounds()
        return "exact" if low == high else stop

    def look(self, nodes: int) -> None:
        """Set the nodes of `thinking` to *nodes*, a kernel's count so far; emit events when due.

        Raise OutOfBudget if the time is over or the caller has cancelled; then nothing is emitted.
        The kernel itself keeps to the limit of nodes.
        """
        self.thinking.nodes = nodes
        self.thinking.check()
        if self.thinking.time_to_emit():
            self.emit()

    def emit(self, **facts: object) -> None:
        """Emit a "root" event with the moves' values, the bounds and *facts*, further JSON data.

        Nothing is done if `thinking.watched` is false: nobody receives events.
        """
        if self.thinking.watched:
            self.update()
            game, bounds = self.position.game, list(self.bounds())
            best, moves = game.move_name(self.choice()), root_moves(game, self.values)
            self.thinking.emit_root(self.depth, best, moves, bounds=bounds, **facts)

    def analysis(self, why: str) -> Analysis:
        """Call `update`, then return the analysis of all that is recorded here so far.

        *why* is why the work ended: ``exact``, or the reason of OutOfBudget, such as ``time``.
        Where no `line` is known, its line is the move of `choice` alone. Its nodes, seconds and
        position are not set: `Agent.analyse` does that.
        """
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
    """An agent that proves the value of a position, as far as the limit allows.

    Raise InvalidSpecError unless *memory* is from 1 to 1,000,000 and *threads* from 1 to 64.
    """

    memory: int = 256
    """Megabytes for the table, at most."""
    threads: int = 1
    """Number of search threads, where the game's search can use several."""
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
        """Result of the last analysis for the next one, if `reuse`; its type is the game's own."""

    def plays(self, game: Game) -> bool:
        """Return whether *game* has compiled rules, which this solver searches."""
        return native_form(game.start()) is not None

    def load(self, position: Position) -> None:
        load_once(self, position, *self.variant(position))

    def variant(self, position: Position) -> tuple[object, ...]:
        """Return values that decide which kernels a position needs, so that each is loaded once.

        They are hashable. Default: the type of its rules and the number of words of its board; ()
        for a position without compiled rules.
        """
        form = native_form(position)
        return (type(form.rules), len(form.board)) if form else ()

    def solution(self, position: Position, thinking: Thinking) -> Solution:
        """Return a `Solution` for *position*, not over, on which nothing has been proved yet.

        *thinking* is its budget. Default: alpha-beta; AssertionError without compiled rules.
        """
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
    """A solution by alpha-beta, one ply deeper each round until the value is proved.

    Then single moves are searched to the end: those that may be best as well, or all with the
    setting `all_moves`. *settings* are those of the solver, *form* is the native form of
    *position*.
    """

    def __init__(
        self, position: Position, thinking: Thinking, settings: NativeSolver, form: Native
    ) -> None:
        # Solvers of games have no use for these, and they take a while to load.
        from papan.engine import alphabeta
        from papan.engine.memory import entries_in, fill, layout
        from papan.engine.workspace import AlphaBetaEntry, SearchMemory

        super().__init__(position, thinking)
        game, self._search = position.game, alphabeta.look
        self.largest, self.all_moves = game.largest_margin, settings.all_moves
        self.order = list(position.moves())
        self.proven = Proved(-self.largest, self.largest)
        self.memory = SearchMemory(form, game.move_count)
        self.memory.make_room(FIRST_ENTRIES)
        self.most_entries = entries_in(settings.memory, layout(AlphaBetaEntry).itemsize)
        won = {"win": WIN_SCORE, "won_from": self.largest, "win_margin": self.largest}
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
        """Search *moves*, all of the root or one, `depth` plies deep and record the results.

        Before the round the table is enlarged if it is too small for the positions stored so far,
        to the solver's *memory* at most; after a whole round a "root" event is emitted if one is
        due. Raise OutOfBudget when the limit is reached; what was found by then is recorded.
        """
        stored = int(self.memory.workspace.stored)
        self.memory.make_room(
            min(1 << (ENTRIES_PER_POSITION * stored).bit_length(), self.most_entries)
        )
        try:
            self.memory.look(self._search, moves, self.depth, self.thinking)
        finally:
            self.facts = {"table": self.memory.table.words.nbytes}
            self._read(moves)
        if self.thinking.time_to_emit():
            self.emit()

    def _read(self, moves: list[Move]) -> None:
        """Record the results of the last round, which searched *moves*, as far as it came.

        *moves* are all of `order`, or one of them. `values` gets each value that the round proved,
        unless the move's exact value was known before; `proven` follows from that. `line` and
        `guess` are set only by a round over all moves, to those of the best move that it scored,
        even if it was cut short; this move then becomes the first in `order`. They stay as they
        were if the round scored no move.
        """
        best = -inf
        values = dict(self.values)
        for move, found in zip(moves, self.memory.root_scores()):
            value = self._value(found, inside=found.score > best)
            if value is not None and not self._exact(move):
                values[move] = value
            if found.score > best:
                best, line = found.score, (move, *found.line)
                if len(moves) > 1 or len(self.order) == 1:
                    self.line, self.guess = line, margin_of(best, self.largest)
        self.values = values
        self.proven = self._bounds()
        if moves == self.order and best > -inf:
            self.order.sort(key=lambda move: move != self.line[0])

    def _bounds(self) -> Proved:
        """Return the bounds of the position's value by `values`, never wider than `proven`.

        The lower one is the best that a move's value proves; the upper one is lowered only if every
        move has a proved value.
        """
        proved = [value for value in self.values.values() if isinstance(value, Proved)]
        if not proved:
            return self.proven
        low = max(self.proven.low, *(value.low for value in proved))
        whole = len(proved) == len(self.order)
        high = max(value.high for value in proved) if whole else self.largest
        return Proved(low, max(low, min(high, self.proven.high)))

    def _value(self, found: RootScore, inside: bool) -> Proved | None:
        """Return the value, for the seat to move, that a round has proved for a move, or None.

        *found* is the result of its search. *inside* is true if its score was above all before it,
        and so is exact; else the score is an upper bound, but a proved loss is exact in either
        case. None if the score rests on guesses, and is no proved win or loss.
        """
        margin, decided = margin_of(found.score, self.largest), abs(found.score) > SURE_SCORE
        if found.doubts and not decided:
            return None
        low = margin if inside or found.score < -SURE_SCORE else -inf
        return Proved(low, margin, nodes=found.nodes, line=found.line)

    def _exact(self, move: Move) -> bool:
        """Return whether the exact value of *move* has been proved: its bounds are equal."""
        value = self.values.get(move)
        return isinstance(value, Proved) and value.exact

    def _is_open(self, move: Move) -> bool:
        """Return whether *move* must still be searched alone.

        That is so if its exact value is not proved, and it is not proved to be worse than the best
        move; with `all_moves` always if its exact value is not proved.
        """
        value = self.values.get(move)
        worse = isinstance(value, Proved) and value.high < self.proven.low
        return not self._exact(move) and (self.all_moves or not worse)
