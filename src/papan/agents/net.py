"""Net: a net that learned from games against itself proposes moves, and a search looks at them."""

from __future__ import annotations

import json
import os
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar

from papan.core import (
    UNLIMITED,
    Agent,
    Analysis,
    CannotPlayError,
    Game,
    Limit,
    Move,
    OutOfBudget,
    Planes,
    Position,
    Share,
    Thinking,
    Value,
    margin,
)
from papan.core.analysis import root_moves
from papan.core.compiling import is_plain
from papan.core.parts import Support
from papan.core.thinking import MOST_TREE_NODES

# One thread does all products: more would take the cores of other agents, and distort
# measurements. It must be set before NumPy is imported, so that comes last.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float32]

WEIGHTS = files("papan") / "weights"
USUAL_EVALUATIONS = 400
"""Positions that the net evaluates for a move where nothing limits it."""
PUCT_EXPLORATION = 1.5
"""Weight of the prior against the results of the search (c of PUCT)."""
FIRST_PLAY = 0.3
"""Penalty of an unvisited move: its utility is taken as its parent's less this times the square
root of the sum of the priors tried."""
VIRTUAL_LOSS = 0.5
"""Utility that is taken off a move for each of its visits while the evaluation is pending."""
LARGEST_BATCH = 8
"""Most positions that the net evaluates at once."""
MOST_NET_NODES = 2**17
"""Nodes of a tree at most, some 200 megabytes."""
NET_PROOF_SHARE, PROOF_NODES = 0.2, 200_000
"""Part of the budget, and most nodes, for the game's own solver to prove the result."""


@dataclass
class Net(Agent):
    """An agent that asks a net for a policy and a value, and searches where both promise most.

    The nets were trained by playing against themselves, and are a part of papan. Their values are
    estimates; near the end of a game the exact solver may prove the result first. Raise
    InvalidSpecError unless *evaluations* is from 0 to 10^9.
    """

    search: bool = True
    """Search; otherwise the move with the highest prior is played."""
    proofs: bool = True
    """Let the game's own solver try first, with a fifth of the budget; only with *search*."""
    evaluations: int = 0
    """Positions that the net evaluates at most; 0: as many as the limit allows, or 400 if there is
    no limit."""

    name: ClassVar[str] = "net"

    def __post_init__(self) -> None:
        self.demand("evaluations", 0, 10**9)

    @property
    def own_limit(self) -> Limit:
        return Limit(nodes=self.evaluations) if self.evaluations else UNLIMITED

    def plays(self, game: Game) -> bool:
        return weights_for(game) is not None

    def refusal(self, game: Game) -> CannotPlayError:
        boards = ", ".join(board for weights in all_weights() for board in weights.boards)
        return CannotPlayError("net.none", agent=self.spec, game=game.spec, boards=boards)

    def load(self, position: Position) -> None:
        if weights := weights_for(position.game):
            _ = weights.arrays
        if solver := self._solver(position.game):
            solver.load(position)

    def _solver(self, game: Game) -> Agent | None:
        """Return the game's own solver if it may try to prove the result; else None.

        It may with the settings *search* and *proofs*, if the game has a solver, and unless
        searches must be plain (`plain_searches`).
        """
        support = Support.of(game)
        wanted = self.search and self.proofs and support.has_solver and not is_plain()
        return support.solver() if wanted else None

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        weights = weights_for(position.game)
        assert weights is not None
        if (solver := self._solver(position.game)) and (
            proof := proved(solver, position, thinking)
        ):
            return proof
        most = self.evaluations or (USUAL_EVALUATIONS if thinking.limit == UNLIMITED else 0)
        if most:
            thinking.narrow(Limit(nodes=thinking.nodes + most))
        tree = NetTree(position, weights)
        tree.first_sight(thinking)
        if self.search:
            tree.grow(thinking)
        if thinking.watched:
            tree.emit(thinking)
            tree.emit_tree(thinking)
        return tree.analysis()


def proved(solver: Agent, position: Position, thinking: Thinking) -> Analysis | None:
    """Return what the game's *solver* proves with `NET_PROOF_SHARE` of the budget *thinking*.

    It searches at most `PROOF_NODES` nodes, which *thinking* counts. None if it does not prove the
    exact value, if a proof that comes with papan has several best moves (`Analysis.leaves_choice`),
    or if fewer than five nodes are left.
    """
    if thinking.limit.nodes - thinking.nodes < 1 / NET_PROOF_SHARE:
        return None
    analysis = solver.tried(position, thinking, NET_PROOF_SHARE, PROOF_NODES)
    return analysis if analysis.exact and not analysis.leaves_choice else None


class NetWeights:
    """A net that papan ships: its boards, its manifest, and its weights, loaded when needed.

    *name* is that of its files in `WEIGHTS`: the manifest ``NAME.json``, which is read at once, and
    the weights ``NAME.npz``. The manifest says which game and boards it learned, and which matches
    it has won. Raise FileNotFoundError if there is no manifest.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.manifest: dict[str, Any] = json.loads((WEIGHTS / f"{name}.json").read_text("utf-8"))

    def fits(self, game: Game) -> bool:
        """Return whether *game* is the one that the net has learned, on a board that it plays."""
        wanted = self.manifest["boards"]
        if game.name != self.manifest["game"]:
            return False
        return any(all(getattr(game, key) == each[key] for key in each) for each in wanted)

    def best_on(self, game: Game) -> bool:
        """Return whether its manifest has matches in which it was best on this board.

        It lists them under ``best``, each with the spec of the board and the agent that lost.
        """
        return any(match["board"] == game.spec for match in self.manifest.get("best", ()))

    @property
    def boards(self) -> list[str]:
        """The specs of the boards that it plays, such as ``connect4:6,7``."""
        options = [",".join(map(str, board.values())) for board in self.manifest["boards"]]
        game = self.manifest["game"]
        return [f"{game}:{each}" if each else str(game) for each in options]

    @property
    def unit(self) -> float:
        """Points of the margin that 1 stands for in the second value of `evaluate`."""
        return float(self.manifest["unit"])

    @cached_property
    def arrays(self) -> dict[str, Numbers]:
        """The learned weights as float32 arrays, by layer: ``stem.weights``, ``stem.bias`` …

        They are read once and shared: do not change them.
        """
        import numpy as np

        with (
            (WEIGHTS / f"{self.name}.npz").open("rb") as file,
            np.load(file, allow_pickle=False) as kept,
        ):
            return {key: kept[key].astype(np.float32) for key in kept.files}

    def evaluate(self, images: Numbers) -> tuple[Numbers, Numbers]:
        """Return for each position its policy, a logit for each place, and its utility and margin.

        *images* are input planes (positions, rows, columns, planes); the results are arrays
        (positions, places) and (positions, 2). Utility (the result as one number: 1 a win, -1 a
        loss, nearly) and margin (in `unit`) are for the seat to move, and for what is still to
        come: the caller adds `Planes.ahead`, what that seat has already, to both. A residual net
        with pooling, in NumPy: the twin of `tools.train.nets.forward`.
        """
        import numpy as np

        count, height, width, _ = images.shape
        near = neighbours(height, width)
        x = np.maximum(self._convolve(images, "stem", near), 0)
        for block in range(sum(key.endswith(".pool.bias") for key in self.arrays)):
            inner = self._convolve(x, f"block{block}.first", near)
            inner += self._dense(mean_and_max(x), f"block{block}.pool")[:, None, None]
            inner = self._convolve(np.maximum(inner, 0, out=inner), f"block{block}.second", near)
            inner += x
            x = np.maximum(inner, 0, out=inner)
        policy = self._dense(np.maximum(self._dense(x, "policy"), 0), "policy_out")
        values = self._dense(np.maximum(self._dense(mean_and_max(x), "value"), 0), "value_out")
        return policy.reshape(count, -1), values

    def _dense(self, x: Numbers, name: str) -> Numbers:
        """Return *x* after the dense layer *name*: its last axis, inputs, becomes the outputs."""
        product: Numbers = x @ self.arrays[f"{name}.weights"]
        product += self.arrays[f"{name}.bias"]
        return product

    def _convolve(self, x: Numbers, name: str, near: NDArray[np.intp]) -> Numbers:
        """Return *x* after the convolution *name* of each cell with its eight neighbours.

        Both are (positions, rows, columns, planes); beyond the edge of the board all planes are 0.
        *near* must be the `neighbours` of the rows and columns of *x*.
        """
        import numpy as np

        count, height, width, planes = x.shape
        wide = np.zeros((count, height + 2, width + 2, planes), np.float32)
        wide[:, 1:-1, 1:-1] = x
        windows = wide.reshape(count, -1, planes).take(near, axis=1)
        product = self._dense(windows.reshape(count * height * width, 9 * planes), name)
        return product.reshape(count, height, width, -1)


@cache
def all_weights() -> list[NetWeights]:
    """Return every net that papan ships, sorted by name; cached: do not change the list."""
    names = sorted(each.name for each in WEIGHTS.iterdir() if each.name.endswith(".json"))
    return [NetWeights(name.removesuffix(".json")) for name in names]


def weights_for(game: Game) -> NetWeights | None:
    """Return the first net of `all_weights` that plays *game*; None if there is none."""
    return next((weights for weights in all_weights() if weights.fits(game)), None)


def mean_and_max(x: Numbers) -> Numbers:
    """Return the mean and the maximum of each plane of *x* over its cells.

    From (positions, rows, columns, planes) to (positions, 2 * planes): first all means, then all
    maxima.
    """
    import numpy as np

    flat = x.reshape(x.shape[0], -1, x.shape[-1])
    return np.concatenate([flat.mean(axis=1), flat.max(axis=1)], axis=1)


@cache
def neighbours(height: int, width: int) -> NDArray[np.intp]:
    """Return the indexes of each cell and of its eight neighbours as one flat array, nine a cell.

    The cells of the board, *height* rows of *width*, come row by row; the nine indexes of a cell
    are those of the 3x3 square around it, row by row, the cell itself the fifth. An index counts
    the cells, row by row, of the board with a border of one cell: (*height* + 2) * (*width* + 2).
    Cached: do not change the array.
    """
    import numpy as np

    cells = np.arange((height + 2) * (width + 2)).reshape(height + 2, width + 2)
    shifts = [
        cells[row : row + height, column : column + width]
        for row in range(3)
        for column in range(3)
    ]
    return np.stack(shifts, axis=-1).reshape(-1)


@dataclass(slots=True, eq=False)
class NetNode:
    """A node of the tree; sums and values are those of the seat to move.

    A utility is the expected result as one number, nearly from -1 (loss) to 1 (win), with a little
    for winning soon or by much. Once the net has evaluated the node, its moves are in the order of
    their priors, the highest first, and they are tried in that order: `visits`, `utilities`,
    `margins` and `children` have one item for each move tried so far, the first ones of `moves`.
    """

    position: Position
    turn: int
    """The seat to move, 0 or 1."""
    moves: Sequence[Move]
    """The legal moves; none at the end of the game."""
    priors: Sequence[float] = ()
    """The net's prior of each move, 0 to 1; empty until it is evaluated."""
    value: tuple[float, float] = (0.0, 0.0)
    """Utility, and margin in points, by the net or by the end of the game; (0, 0) until then."""
    visits: list[int] = field(default_factory=list)
    """Visits of each move tried, those that wait for their evaluation included."""
    utilities: list[float] = field(default_factory=list)
    """Sum of the utilities of each move's visits, less `VIRTUAL_LOSS` for each that waits."""
    margins: list[float] = field(default_factory=list)
    """Sum of the margins, in points, of each move's visits."""
    children: list[NetNode | None] = field(default_factory=list)
    """The node after each move tried; None until it is made, or if there was no room for it."""

    @classmethod
    def of(cls, position: Position) -> NetNode:
        """Return a new node of *position*, which no net has evaluated yet."""
        return cls(position, position.turn, position.moves())

    @property
    def best(self) -> int:
        """Index in `moves` of the most visited one; of equals, the one with the highest prior.

        It is 0 before any visit.
        """
        return self.visits.index(max(self.visits)) if self.visits else 0

    def promising(self) -> int:
        """Return the index of the move with the highest PUCT value; the node must be evaluated.

        Of the untried moves only the first, which has the highest prior, is compared. The value is
        mean utility + c * prior * sqrt(1 + visits of all) / (1 + visits), c being
        `PUCT_EXPLORATION`. An untried move has the utility of the node less `FIRST_PLAY` * sqrt(sum
        of the priors tried).
        """
        tried = len(self.visits)
        bonus = PUCT_EXPLORATION * (1 + sum(self.visits)) ** 0.5
        best, chosen = -1e9, 0
        for at, (visits, utility, prior) in enumerate(
            zip(self.visits, self.utilities, self.priors)
        ):
            if (hope := utility / max(visits, 1) + bonus * prior / (1 + visits)) > best:
                best, chosen = hope, at
        if tried < len(self.moves):
            unknown = self.value[0] - FIRST_PLAY * sum(self.priors[:tried]) ** 0.5
            if unknown + bonus * self.priors[tried] > best:
                return tried
        return chosen

    def enter(self, at: int) -> None:
        """Count a visit of the move of index *at*, tried before or the next to try.

        Until `NetTree._back` adds its utility, it counts as a loss of `VIRTUAL_LOSS`.
        """
        if at == len(self.visits):
            self.visits.append(0)
            self.utilities.append(0.0)
            self.margins.append(0.0)
            self.children.append(None)
        self.visits[at] += 1
        self.utilities[at] -= VIRTUAL_LOSS

    def line(self) -> Iterator[Move]:
        """Yield the expected play: at each node the most visited move; nothing before any visit."""
        node: NetNode | None = self
        while node is not None and any(node.visits):
            at = node.best
            yield node.moves[at]
            node = node.children[at]


NetPath = list[tuple[NetNode, int]]
"""The nodes passed from the root on, each with the index of the move made there."""


class NetTree:
    """One search by a net, *weights*: a tree that grows by one position with each evaluation.

    *position* is the root. `deepest` is the number of plies that it has gone down at most, `size`
    its number of nodes.
    """

    def __init__(self, position: Position, weights: NetWeights) -> None:
        self.position, self.game, self.weights = position, position.game, weights
        self.planes = Support.of(position.game).planes
        self.root = NetNode.of(position)
        self.deepest, self.size = 0, 1

    def first_sight(self, thinking: Thinking) -> None:
        """Evaluate the root, even if the budget is spent; count a node if the limit allows one."""
        with suppress(OutOfBudget):  # an answer is due even if nothing is left
            thinking.tick()
        self._look([self.root])

    def grow(self, thinking: Thinking) -> None:
        """Search until the budget is spent or the caller cancels, and emit "root" events meanwhile.

        Without a limit it goes on until it is cancelled. The root must be evaluated.
        """
        with thinking.until_stopped():
            while True:
                self._batch(thinking)
                if thinking.time_to_emit():
                    self.emit(thinking)

    def _batch(self, thinking: Thinking) -> None:
        """Make up to `LARGEST_BATCH` visits, and evaluate the positions that they reach at once.

        It makes fewer while the root has few visits: 1 + visits // 16. It stops early if a visit
        comes to a node that already waits for its evaluation: that visit is undone and not counted.
        Raise OutOfBudget if the budget is spent before; the visits made by then are evaluated.
        """
        awaited: dict[NetNode, NetPath] = {}
        try:
            for _ in range(1 + min(LARGEST_BATCH - 1, sum(self.root.visits) // 16)):
                thinking.tick()
                path, leaf = self._descend()
                if leaf in awaited:
                    thinking.nodes -= 1
                    self._back(path, None)
                    break
                if leaf.moves:
                    awaited[leaf] = path
                else:
                    self._back(path, leaf)
        finally:
            if awaited:
                self._look([*awaited])
            for leaf, path in awaited.items():
                self._back(path, leaf)

    def _descend(self) -> tuple[NetPath, NetNode]:
        """Return the path from the root to a node, and that node: not evaluated, or the game over.

        The path does not include that node. Each move on it gets a visit, which counts as a loss of
        `VIRTUAL_LOSS` until `_back` is called with the path.
        """
        node, path = self.root, []
        while node.priors:
            at = node.promising()
            node.enter(at)
            path.append((node, at))
            node = node.children[at] or self._new_child(node, at)
        self.deepest = max(self.deepest, len(path))
        return path, node

    def _new_child(self, node: NetNode, at: int) -> NetNode:
        """Return a new node after the move of index *at*; only one of a finished game has a value.

        It is added to the tree if that has fewer than `MOST_NET_NODES` nodes; else only the caller
        has it. The move must have been tried (`NetNode.enter`).
        """
        child = NetNode.of(node.position.child(node.moves[at]))
        if not child.moves:
            planes = self.planes(child.position)
            assert planes is not None
            child.value = planes.ahead, margin(child.position, child.turn)
        if self.size < MOST_NET_NODES:
            self.size += 1
            node.children[at] = child
        return child

    def _back(self, path: NetPath, leaf: NetNode | None) -> None:
        """Add the value of *leaf* to the nodes of *path*, which led there; None: undo the visit.

        It is added to utilities and margins, as the seat to move at each node sees it. The loss
        that `NetNode.enter` has put on a visit is taken back in either case.
        """
        for node, at in path:
            node.utilities[at] += VIRTUAL_LOSS
            if leaf is None:
                node.visits[at] -= 1
                continue
            sign = 1 if node.turn == leaf.turn else -1
            node.utilities[at] += sign * leaf.value[0]
            node.margins[at] += sign * leaf.value[1]

    def _look(self, nodes: list[NetNode]) -> None:
        """Evaluate *nodes*, one at least, by the net at once: write their priors, moves and values.

        Each must have a legal move. The moves of each are sorted by prior, the highest first.
        """
        import numpy as np

        seen: list[Planes] = [each for node in nodes if (each := self.planes(node.position))]
        policies, values = self.weights.evaluate(np.stack([planes.image for planes in seen]))
        for node, planes, policy, (utility, ahead) in zip(nodes, seen, policies, values.tolist()):
            logits = policy[list(planes.places)]
            order = np.argsort(-logits, kind="stable").tolist()
            likes = np.exp(logits[order] - logits.max())
            node.priors = array("f", (likes / likes.sum()).tolist())
            node.moves = array("H", [node.moves[at] for at in order])
            node.value = utility + planes.ahead, (ahead + planes.ahead) * self.weights.unit

    def _margin(self, at: int) -> float:
        """Return the expected final margin of move index *at* at the root, for the seat to move.

        In points: the mean of its visits, without any what the net expects of the root; cut to the
        largest margin of the game, and to its negative.
        """
        root = self.root
        visits = self._visits(at)
        found = root.margins[at] / visits if visits else root.value[1]
        most = self.game.largest_margin
        return min(max(found, -most), most)

    def _visits(self, at: int) -> int:
        """Return the number of visits of move index *at* at the root; 0 if it was not tried."""
        return self.root.visits[at] if at < len(self.root.visits) else 0

    def _part(self, at: int) -> float:
        """Return the share of the root's visits, 0 to 1, that move index *at* has.

        If the root has no visits, as without a search, it is the prior of the move.
        """
        visits = sum(self.root.visits)
        return self._visits(at) / visits if visits else self.root.priors[at]

    def _line(self, at: int) -> tuple[Move, ...]:
        """Return the expected play after move index *at* at the root, without that move.

        Empty if the move was not visited, or if the tree had no room for its node.
        """
        child = self.root.children[at] if self._visits(at) else None
        return tuple(child.line()) if child else ()

    def analysis(self) -> Analysis:
        """Return the analysis: the most visited move, and each legal move's share of the visits.

        The value is the mean margin of that move in points, a guess. Without any visit the move
        with the highest prior is chosen, and the shares are the priors. The fact ``priors`` has the
        prior of each move, by name. The root must be evaluated and have a legal move.
        """
        root = self.root
        values: dict[Move, Value] = {
            move: Share(self._part(at), nodes=self._visits(at), line=self._line(at))
            for at, move in enumerate(root.moves)
        }
        best = root.best
        priors = {
            self.game.move_name(move): round(p, 4) for move, p in zip(root.moves, root.priors)
        }
        line = (root.moves[best], *self._line(best))
        facts = {"priors": priors}
        return Analysis(line, self._margin(best), values=values, facts=facts, why="depth")

    def emit(self, thinking: Thinking) -> None:
        """Emit a "root" event with every move: `root_moves`, margin ``w`` and prior ``p`` (0 to 1).

        The margin is in points for the seat to move.
        """
        analysis = self.analysis()
        moves = [
            {**event, "w": self._margin(at), "p": self.root.priors[at]}
            for at, event in enumerate(root_moves(self.game, analysis.values))
        ]
        thinking.emit_root(self.deepest, self.game.move_name(analysis.move), moves)

    def emit_tree(self, thinking: Thinking) -> None:
        """Emit the nodes of the tree as events, ply by ply, `MOST_TREE_NODES` at most.

        A node has ``id`` and ``up`` (that of its parent), the name ``m`` of its move (both None at
        the root), its ``role`` (``max`` if the seat of the root is to move, else ``min``), ``n``
        visits, as value ``v`` their mean utility for the seat that moved there, and ``s``: ``full``
        if a move of it was visited, else ``leaf``. The root has one visit more than its moves, and
        the net's own utility. Of one node's children the most visited come first; those that were
        not visited or not kept are left out. Stop where `Thinking.emit_node` returns False.
        """
        waiting: deque[tuple[NetNode, int | None, Move | None, int, float]] = deque()
        waiting.append((self.root, None, None, sum(self.root.visits) + 1, self.root.value[0]))
        for number in range(MOST_TREE_NODES):
            if not waiting:
                break
            node, up, move, visits, utility = waiting.popleft()
            emitted = thinking.emit_node(
                id=number,
                up=up,
                m=None if move is None else self.game.move_name(move),
                role="max" if node.turn == self.root.turn else "min",
                v=utility,
                n=visits,
                s="full" if any(node.visits) else "leaf",
            )
            if not emitted:
                break
            for at in sorted(range(len(node.visits)), key=lambda at: -node.visits[at]):
                if (child := node.children[at]) and node.visits[at]:
                    mean = node.utilities[at] / node.visits[at]
                    waiting.append((child, number, node.moves[at], node.visits[at], mean))
