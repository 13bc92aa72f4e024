"""The solver of Adjacency on boards of up to 8x8: exact to the end, else the best in the time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, pow
from typing import TYPE_CHECKING, ClassVar

from papan.core import (
    Agent,
    Analysis,
    Game,
    Guess,
    Move,
    OutOfBudget,
    Position,
    Proved,
    Thinking,
    Value,
)
from papan.core.agent import load_once
from papan.core.analysis import root_moves
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition

if TYPE_CHECKING:
    from papan.games.adjacency.root import Choice, Root

LARGEST = 8
SPEED = 8_000_000
"""Nodes a second, about: a limit of time is planned with as if it were one of nodes."""
FEWEST_ENTRIES = 1 << 10
LOOKS = 5
"""Plies to look ahead before a proof that seems affordable: they order the moves."""


@dataclass
class AdjacencySolver(Agent):
    """Proves the final margin; where the limit is too small for that, it looks as far as it can."""

    memory: int = 256
    """Megabytes for the table."""
    threads: int = 1
    """One works, whatever is set."""
    all_moves: bool = False
    """Prove the value of every move, not only which ones are best."""

    name: ClassVar[str] = "solver"

    def __post_init__(self) -> None:
        self.demand("memory", 1)
        self.demand("threads", 1)
        from papan.games.adjacency import root  # noqa: F401 - compiled before any clock runs

    @staticmethod
    def fits(game: Adjacency) -> bool:
        """Does the board fit the kernel's?"""
        return max(game.rows, game.columns) <= LARGEST

    def plays(self, game: Game) -> bool:
        return isinstance(game, Adjacency) and self.fits(game)

    def load(self, position: Position) -> None:
        load_once(self, position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        assert isinstance(position, AdjacencyPosition)
        from papan.engine.control import NODES, run
        from papan.games.adjacency.root import Root
        from papan.games.adjacency.workspace import ENTRY, Workspace

        effort, granted = expected_nodes(position), granted_nodes(thinking)
        entries = transposition_entries(min(effort, granted), self.memory * 2**20 // ENTRY)
        workspace = Workspace(position.game, thinking.limit.nodes, entries)
        root = Root(workspace, position)
        looks = min(LOOKS, root.plies) if effort <= granted else root.plies - 1
        emitter = _Emitter(root, thinking)
        why = "exact"
        try:
            run(lambda: root.solve(looks, self.all_moves), workspace.words, emitter.look)
        except OutOfBudget as stop:
            why = "exact" if root.proven else str(stop)
        thinking.nodes = int(workspace.words[NODES])
        emitter.emit()
        return replace(analysis_of(root, why), facts={"table": entries * ENTRY})


@dataclass
class _Emitter:
    """Looks at the clock while the kernel works, and tells how far it has come."""

    root: Root
    thinking: Thinking

    def look(self, nodes: int) -> None:
        self.thinking.nodes = nodes
        self.thinking.check()
        if self.thinking.time_to_emit():
            self.emit()

    def emit(self) -> None:
        if not self.thinking.watched:
            return
        root, game = self.root, self.root.position.game
        self.thinking.emit_root(
            root.depth,
            game.move_name(root.choices[0].move),
            root_moves(game, values_of(root)),
            bounds=[root.final(root.low), root.final(root.high)],
        )


def expected_nodes(position: AdjacencyPosition) -> float:
    """About how many nodes a proof takes: measured in play that is good at turning marks."""
    plies, empty = position.plies_left, position.empty.bit_count()
    if plies == empty:
        return 0.3 * pow(1.9, empty)
    return 5 * pow(4.0, plies) * pow(empty / 56, plies / 2)


def granted_nodes(thinking: Thinking) -> float:
    """About how many nodes the limit allows."""
    return min(thinking.limit.nodes, SPEED * thinking.limit.seconds)


def transposition_entries(nodes: float, most: int) -> int:
    """How many entries the table gets, a power of two: a larger one takes time to clear."""
    entries = FEWEST_ENTRIES
    while entries < nodes and 2 * entries <= most:
        entries *= 2
    return entries


def analysis_of(root: Root, why: str) -> Analysis:
    """What the search has found out."""
    proved = Proved(root.final(root.low), root.final(root.high))
    guess = root.final(root.guess) if root.choices[0].looked_at else None
    return Analysis(root.line, guess, proved, values_of(root), root.plies, why=why)


def values_of(root: Root) -> dict[Move, Value]:
    """What is known of each move that anything is known of, the best first."""
    found = ((choice.move, _value(root, choice)) for choice in root.choices)
    return {move: value for move, value in found if value is not None}


def _value(root: Root, choice: Choice) -> Value | None:
    """What is proven of a move, else what it looks like: only the best one is looked at closely."""
    best = choice.move == root.line[0]
    line = root.line[1:] if best else ()
    if choice.bounded_below or choice.bounded_above:
        low = root.final(choice.low) if choice.bounded_below else -inf
        high = root.final(choice.high) if choice.bounded_above else inf
        return Proved(low, high, nodes=choice.nodes, line=line)
    if not choice.looked_at:
        return None
    return Guess(root.final(choice.guess), pruned=not best, nodes=choice.nodes, line=line)
