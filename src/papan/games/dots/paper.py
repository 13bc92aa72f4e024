"""Paper 000's agent for Dots and Boxes, faults included, and a corrected one.

Minimax with alpha-beta over the difference of boxes; the order of moves comes from their chain
value, and of equally good moves the first is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar, Literal, TypeAlias

from papan.core import (
    Agent,
    Analysis,
    Event,
    Game,
    Guess,
    Move,
    OutOfBudget,
    Position,
    Proved,
    Thinking,
    Value,
    margin,
)
from papan.core.analysis import finite, root_moves
from papan.core.thinking import Tree
from papan.games.dots.rules import Dots, DotsPosition

Line: TypeAlias = tuple[Move, ...]
Role = Literal["max", "min"]
Reading = Literal["undrawn", "printed", "none"]
EqualLines = Literal["across", "dots"]


@dataclass
class Chains(Agent):
    """An agent: the one of paper 000 for Dots and Boxes, faults included.

    Max and min take turns at every ply, even after a box, when the same player moves again: so the
    search lets the opponent choose moves that are really its own. Moves of a high chain value (see
    `chain_value`) are tried first. Raise InvalidSpecError unless *depth* is from 1 to 9,999.
    """

    depth: int = 3
    """Search depth in plies, 1 or more. The paper does not give it: 3 to 6 all lead to the thirteen
    moves of the game that it prints.
    """
    reading: Reading = "undrawn"
    """What the paper's `find_chain` counts, see `chain_length`; "none": no chain has a value."""
    order: EqualLines = "across"
    """Order of lines with the same chain value, which the paper does not give: all lines across
    first, row by row, and then those down; or dot by dot, to the right and then down."""

    name: ClassVar[str] = "chains"
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.demand("depth", 1)

    def plays(self, game: Game) -> bool:
        return isinstance(game, Dots)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        assert isinstance(position, DotsPosition)
        search = _Search(self, position, thinking)
        why = "exact" if search.complete else "depth"
        try:
            search.best(_Node(position), -inf, inf)
            search.tree.emit(thinking)
        except OutOfBudget as stop:
            why = str(stop)
        return search.analysis(why)

    def role_after(self, role: Role, own_turn: bool) -> Role:
        """Return the role that chooses after *role*: "max" (the agent) or "min" (its opponent).

        *own_turn*: the agent's seat is to move; this version ignores it.
        """
        return "min" if role == "max" else "max"

    def sees_the_end(self, position: DotsPosition) -> bool:
        """Return whether the search from *position* is exact to the end of the game; here always
        False.
        """
        return False


@dataclass
class ChainsFixed(Chains):
    """The paper's agent with the extra turn respected: after a box the same seat chooses again."""

    name: ClassVar[str] = "chains-fixed"

    def role_after(self, role: Role, own_turn: bool) -> Role:
        """Return "max" if the agent's seat is to move, as *own_turn* says, else "min"."""
        return "max" if own_turn else "min"

    def sees_the_end(self, position: DotsPosition) -> bool:
        """Return whether the depth is enough to search from *position* to the end of the game."""
        return self.depth >= len(position.moves())


def chain_value(
    position: DotsPosition, move: Move, seat: int, reading: Reading = "undrawn"
) -> float:
    """Return 1.0 if the chain beside a line has the parity that *seat* wants, else 0.0.

    The first player (seat 0) wants it odd, the second even; with the reading "none" it is always
    0.0. The length of the chain is that of `chain_length` by *reading*.
    """
    if reading == "none":
        return 0.0
    return 1.0 if chain_length(position, move, reading) % 2 != seat else 0.0


def chain_length(position: DotsPosition, move: Move, reading: Reading) -> int:
    """Return the length of the chain beside a line, in boxes, as the paper's `find_chain` counts.

    It counts boxes with three sides drawn, from those beside the line on to their neighbours, and
    so on. The paper does not print `_get_adjacent_boxes`, which finds the neighbours; *reading*
    says what it does. With "undrawn" they are the boxes across an undrawn line: the only one of a
    box with three sides is the line to be drawn, so the count comes down to the boxes that the line
    completes (0 to 2). With any other text they are all boxes that share a side, drawn or not.
    """
    game, drawn = position.game, position.drawn
    if reading == "undrawn":
        return sum(box & (drawn | 1 << move) == box for box in game.touching[move])
    waiting, seen, length = list(game.touching[move]), set[int](), 0
    while waiting:
        box = waiting.pop()
        if box not in seen and (box & drawn).bit_count() == 3:
            length += 1
            waiting += [other for other in game.boxes if other != box and other & box]
        seen.add(box)
    return length


@dataclass(frozen=True)
class _Node:
    """A node of the search tree: its position, the role that chooses there, and its ply.

    The root has ply 0 and the role "max".
    """

    position: DotsPosition
    role: Role = "max"
    ply: int = 0
    move: Move | None = None
    """The move that led here; None at the root."""


class _Search:
    """A search by `Chains`: its fixed settings, and the results so far.

    *values* are those of the moves at the root, in boxes for *seat*, which is to move there;
    *pruned* counts moves cut off; *complete* says that values are exact to the end of the game.
    """

    def __init__(self, agent: Chains, position: DotsPosition, thinking: Thinking) -> None:
        self.agent = agent
        self.position = position
        self.seat = position.turn
        self.thinking = thinking
        self.complete = agent.sees_the_end(position)
        self.tree = Tree(position)
        self.values: dict[Move, Value] = {}
        self.pruned = 0

    def best(self, node: _Node, alpha: float, beta: float) -> tuple[float, Line]:
        """Return the lead in boxes, for the seat at the root, that *node* leads to, and the line.

        The line has the moves from *node* on. At full depth, or at the end of the game, the lead is
        the present one and the line empty. From *beta* on the lead is only a lower bound, up to
        *alpha* an upper one. A child of the root has its value stored and emitted. Raise
        OutOfBudget if a limit or a cancel ends the search.
        """
        began = self.thinking.nodes
        self.thinking.tick()
        facts = self._enter(node, alpha, beta)
        moves = self.moves(node)
        if moves:
            value, line, end = self._best_of(moves, node, alpha, beta)
        else:
            value, line, end = margin(node.position, self.seat), (), {"s": "leaf"}
        facts |= {"v": value, **end}
        if node.ply == 1:
            self._note(node, value, line, self.thinking.nodes - began)
        return value, line

    def moves(self, node: _Node) -> list[Move]:
        """Return the moves to search, those of chain value 1 first, or last if min chooses.

        The chain value is that of `chain_value`. Empty at full depth, and at the end of the game.
        """
        if node.ply == self.agent.depth:
            return []
        sign = -1 if node.role == "max" else 1
        position = node.position
        lines = position.moves()
        if self.agent.order == "dots":
            lines.sort(key=lambda move: position.game.lines[move])
        return sorted(
            lines,
            key=lambda move: sign * chain_value(position, move, self.seat, self.agent.reading),
        )

    def analysis(self, why: str) -> Analysis:
        """Return the analysis so far; *why* is why it ended: "exact", "depth" or the spent limit.

        Without a result yet, it has the first move of `moves`, and no value; at the end of the game
        not even a move.
        """
        if not self.values:
            return Analysis(tuple(self.moves(_Node(self.position))[:1]), why=why)
        move = self._best_so_far()
        value = self.values[move]
        proved = Proved.exactly(value.number) if why == "exact" else Proved()
        return Analysis((move, *value.line), value.number, proved, self.values, why=why)

    def _best_of(
        self, moves: list[Move], node: _Node, alpha: float, beta: float
    ) -> tuple[float, Line, Event]:
        """Return the best value of *moves* for the role here, its line, and how it ended.

        The value is in boxes for the seat at the root, as are *alpha* and *beta*. How it ended is
        the state of the node for events: *s* is "cut" (with the reason *why*) or "full". Raise
        OutOfBudget if a limit or a cancel ends the search.
        """
        highest = node.role == "max"
        best = -inf if highest else inf
        line: Line = ()
        for tried, move in enumerate(moves, start=1):
            value, rest = self.best(self._after(node, move), alpha, beta)
            if value > best if highest else value < best:
                best, line = value, (move, *rest)
            alpha, beta = (max(alpha, value), beta) if highest else (alpha, min(beta, value))
            if beta <= alpha and tried < len(moves):
                self.pruned += len(moves) - tried
                return best, line, {"s": "cut", "why": "v>=b" if highest else "v<=a"}
        return best, line, {"s": "full"}

    def _after(self, node: _Node, move: Move) -> _Node:
        """Return the child of *node* by *move*, with the role that chooses there."""
        child = node.position.child(move)
        role = self.agent.role_after(node.role, child.turn == self.seat)
        return _Node(child, role, node.ply + 1, move)

    def _enter(self, node: _Node, alpha: float, beta: float) -> Event:
        """Add *node* to `tree` and return its event: move, role and window.

        The caller adds the value to the event when it is known. An empty dict, and nothing added,
        if nobody listens or the node is too deep to be shown. *alpha* and *beta* are in boxes for
        the seat at the root.
        """
        if not self.thinking.watched or node.ply > self.tree.plies:
            return {}
        name = None if node.move is None else self.position.game.move_name(node.move)
        return self.tree.enter(node.ply, m=name, role=node.role, a=finite(alpha), b=finite(beta))

    def _note(self, node: _Node, value: float, line: Line, nodes: int) -> None:
        """Store the value, in boxes for the seat at the root, of the move to *node*, and emit it.

        *node* is a child of the root, *line* the play after it, *nodes* how many nodes it took. A
        value that is not higher than those before is stored as an upper bound.
        """
        assert node.move is not None
        better = all(value > known.number for known in self.values.values())
        if self.complete:
            low = value if better else -inf
            self.values[node.move] = Proved(low, value, nodes=nodes, line=line)
        else:
            self.values[node.move] = Guess(value, not better, nodes=nodes, line=line)
        if self.thinking.watched:
            self._emit_root()

    def _best_so_far(self) -> Move:
        """Return the move at the root with the highest value so far, the first of equals.

        Raise ValueError if no move has a value yet.
        """
        return max(self.values, key=lambda move: self.values[move].number)

    def _emit_root(self) -> None:
        """Emit a "root" event with the values of the moves at the root so far.

        Each move has its chain value as ``chain``, 0.0 or 1.0; the event also has ``pruned``, the
        number of moves cut off. There must be a move with a value: not checked.
        """
        game = self.position.game
        moves = root_moves(game, self.values)
        for facts, move in zip(moves, self.values):
            facts["chain"] = chain_value(self.position, move, self.seat, self.agent.reading)
        best = game.move_name(self._best_so_far())
        self.thinking.emit_root(self.agent.depth, best, moves, pruned=self.pruned)
