"""Paper 001's agents: minimax over the squares next to marks, and its program's genetic one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf
from typing import ClassVar, Protocol, TypeAlias

from papan.core import (
    Agent,
    Analysis,
    Game,
    Guess,
    Move,
    Position,
    Proved,
    Thinking,
    Value,
)
from papan.core.analysis import root_moves
from papan.core.limit import LARGEST_AMOUNTS
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition

Line: TypeAlias = tuple[Move, ...]

INFINITE = 1_000  # more than any margin
EMITTED_PLIES = 2  # what lies deeper in the tree would crowd these nodes out


@dataclass
class Neighbours(Agent):
    """An agent: the minimax of paper 001.

    It looks *depth_x* plies ahead as x, *depth_o* as o, not past the end. The squares to try are
    listed once, at the root, in row order: the empty ones beside a mark. Of equally good ones the
    first wins. It looks one ply ahead, then two, and so on: when the limit strikes, the last depth
    it has finished answers; at the full depth the answer is the paper's. Raise InvalidSpecError
    unless both depths are from 1 to 9,999.
    """

    depth_x: int = 6
    depth_o: int = 5
    program: bool = False
    """With the faults of the paper's program: a move strikes the first square off the list instead
    of the played one, so that the search may play a square twice; where fewer squares are listed
    than plies are to be searched, it takes the first one; and with six plies left o looks six
    plies ahead, too (with as many left as the larger depth, either seat looks to the end)."""

    enemy: bool = False
    """The paper's proposal: at each ply try only those listed squares that are beside a mark of the
    rival of the seat that moves there; if there is none, all that are listed and still to try."""

    name: ClassVar[str] = "neighbours"
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.demand("depth_x", 1, LARGEST_AMOUNTS["depth"])
        self.demand("depth_o", 1, LARGEST_AMOUNTS["depth"])

    def plays(self, game: Game) -> bool:
        return isinstance(game, Adjacency)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        assert isinstance(position, AdjacencyPosition)
        search = _Search(position, self, thinking)
        analysis = Analysis(search.squares[:1])  # in case one ply is already too much
        depth = self._depth(position)
        if self.program and len(search.squares) < depth:
            return analysis  # all of its values are infinite when the list runs out
        with thinking.until_stopped():
            for plies in range(1, min(depth, search.deepest) + 1):
                analysis = search.analysis(plies)
        return analysis

    def _depth(self, position: AdjacencyPosition) -> int:
        """Return how many plies to search in *position*: the setting of the seat, not past the end.

        That is `depth_x` or `depth_o`. With `program` either seat searches to the end once no more
        plies are left than the larger of the two.
        """
        left, depths = position.plies_left, (self.depth_x, self.depth_o)
        to_the_end = self.program and left <= max(depths)
        return left if to_the_end else min(left, depths[position.turn])


class _Search:
    """A search by `Neighbours` on bitboards: the marks of the side to move, then its rival's.

    `squares` are the cells to try, as listed at the root; `deepest` is the greatest depth, in
    plies, that it can search; `complete` is True if a search to the end of the game is exact;
    `pruned` counts the cutoffs so far.
    """

    def __init__(self, position: AdjacencyPosition, agent: Neighbours, thinking: Thinking) -> None:
        game, empty = position.game, position.empty
        listed = empty & game.around(game.board & ~empty)  # some cell: empty and taken ones touch
        self.bits, self.beside = game.bits, game.beside
        self.squares = tuple(cell for cell, bit in enumerate(game.bits) if bit & listed)
        self.deepest = min(position.plies_left, len(self.squares))  # then the list is used up
        self.complete = listed == empty and not (agent.program or agent.enemy)
        self.position = position
        self.program, self.enemy = agent.program, agent.enemy
        self.thinking = thinking
        self.pruned = 0
        self.path: list[tuple[int, Move]] = []
        """Path from the root to here: the number of each node, and the move made there."""

    def analysis(self, depth: int) -> Analysis:
        """Search *depth* plies ahead, emit the moves' values, and return the analysis, in marks.

        Values are for the seat to move: proved ones if the search is exact to the end of the game,
        else guesses; of a move that was no better than another before it, upper bounds. *depth* is
        from 1 to `deepest`: not checked. Raise OutOfBudget if a limit or a cancel ends the search.
        """
        exact = self.complete and depth == self.position.plies_left
        us = self.position.turn
        mine, theirs = self.position.marks[us], self.position.marks[1 - us]
        best, line = -INFINITE, self.squares[:1]
        values: dict[Move, Value] = {}
        for cell in self._beside_rival(list(self.squares), theirs):
            nodes = self.thinking.nodes
            self.path = [(0, cell)]
            gained = self.bits[cell] | self.beside[cell] & theirs
            reply, rest = self.best(theirs & ~gained, mine | gained, depth - 1, -INFINITE, -best)
            if self.program:
                rest = ()  # it may hold a square twice
            pruned, work = -reply <= best, self.thinking.nodes - nodes
            if exact:
                values[cell] = Proved(-inf if pruned else -reply, -reply, nodes=work, line=rest)
            else:
                values[cell] = Guess(-reply, pruned, nodes=work, line=rest)
            if -reply > best:
                best, line = -reply, (cell, *rest)
        self._emit_root(depth, line[0], values)
        proved = Proved.exactly(best) if exact else Proved()
        return Analysis(line, best, proved, values, why="exact" if exact else "depth")

    def best(self, mine: int, theirs: int, depth: int, alpha: int, beta: int) -> tuple[int, Line]:
        """Return the margin in marks for the side to move, *depth* plies on, and the line to it.

        *mine* and *theirs* are bitboards of the marks of the side to move and of its rival. Between
        alpha and beta the margin is exact; it is a lower bound from beta on, an upper one up to
        alpha. *depth* may be at most the number of squares still to try: not checked. The node is
        emitted if it is at most `EMITTED_PLIES` below the root. Raise OutOfBudget if a limit or a
        cancel ends the search.
        """
        self.thinking.tick()
        number = self.thinking.nodes
        best = -INFINITE
        line: Line = ()
        if depth == 0:
            best = mine.bit_count() - theirs.bit_count()
        for cell in self._choices(mine, theirs) if depth else ():
            self.path.append((number, cell))
            gained = self.bits[cell] | self.beside[cell] & theirs
            floor = max(alpha, best)
            reply, rest = self.best(theirs & ~gained, mine | gained, depth - 1, -beta, -floor)
            self.path.pop()
            if -reply > best:
                best, line = -reply, (cell, *rest)
                if best >= beta:
                    self.pruned += 1
                    break
        if self.thinking.watched and len(self.path) <= EMITTED_PLIES:
            self._emit_node(number, best, alpha, beta)
        return best, line

    def _choices(self, mine: int, theirs: int) -> list[Move]:
        """Return the squares still to try, as cells' numbers: those that turn most marks first.

        That prunes most. They are those of `squares` that are empty; with `program` they are
        `squares` without its first n, taken or not, where n is the number of moves in `path`; of
        these only the ones that `_beside_rival` returns. *mine* and *theirs* are bitboards of the
        marks of the side to move and of its rival. Empty if none is left.
        """
        if self.program:
            left = list(self.squares[len(self.path) :])
        else:
            taken = mine | theirs
            left = [cell for cell in self.squares if not self.bits[cell] & taken]
        left = self._beside_rival(left, theirs)
        beside = self.beside
        left.sort(key=lambda cell: -(beside[cell] & theirs).bit_count())
        return left

    def _beside_rival(self, cells: list[Move], theirs: int) -> list[Move]:
        """Return the *cells* beside a rival's mark if `enemy` is set and some are; else all.

        *theirs* is the bitboard of the rival's marks.
        """
        near = [cell for cell in cells if self.beside[cell] & theirs] if self.enemy else []
        return near or cells

    def _emit_root(self, depth: int, best: Move, values: dict[Move, Value]) -> None:
        """Emit a "root" event with the moves' values, in marks, by a search of *depth* plies.

        The event also has the name of the move *best*, and as ``pruned`` the number of cutoffs so
        far. Nothing is done if nobody listens.
        """
        if not self.thinking.watched:
            return
        game = self.position.game
        moves = root_moves(game, values)
        self.thinking.emit_root(depth, game.move_name(best), moves, pruned=self.pruned)

    def _emit_node(self, number: int, value: int, alpha: int, beta: int) -> None:
        """Emit a node from the agent's point of view: max at its own turns, min at its rival's.

        The node is the one that `path` leads to, which must not be the root: not checked. *value*,
        *alpha* and *beta* are in marks, for the seat to move at the node; *number* identifies it
        among the nodes of the analysis.
        """
        up, move = self.path[-1]
        own_turn = len(self.path) % 2 == 0
        low, high = (alpha, beta) if own_turn else (-beta, -alpha)
        cut = (
            {"s": "cut", "why": "v>=b" if own_turn else "v<=a"} if value >= beta else {"s": "full"}
        )
        self.thinking.emit_node(
            id=number,
            up=up,
            m=self.position.game.move_name(move),
            role="max" if own_turn else "min",
            a=None if low == -INFINITE else low,
            b=None if high == INFINITE else high,
            v=value if own_turn else -value,
            **cut,
        )


# The genetic algorithm as the authors' program has it.

_Order: TypeAlias = tuple[Move, ...]
"""A chromosome: all empty squares in some order; after a crossover some may be there twice."""

FIRST_GENERATION, PARENTS, GENERATIONS = 5, 4, 20
"""Numbers of the genetic algorithm: chromosomes at first, parents (and children) of a generation,
and generations after the first.
"""
MOST_EMITTED = 50
"""The largest number of chromosomes in an event."""


class Draws(Protocol):
    """Random numbers of the program: shuffled squares, and numbers from 0 to 1, 1 not included."""

    def shuffle(self, x: list[Move], /) -> None: ...
    def random(self) -> float: ...


@dataclass
class Reservation(Agent):
    """An agent: the genetic algorithm of paper 001 as its authors' program plays, with its faults.

    It plays the first square of the fittest chromosome after twenty generations, or when the limit
    strikes of the fittest so far; the first empty cell if there is no chromosome yet. `Population`
    says how fitness is counted. The agent `genetic` follows the text of the paper instead.
    """

    seed: int = 0
    """Seed of its random numbers; with the text of the position it decides them all."""

    name: ClassVar[str] = "reservation"
    ends_by_itself: ClassVar[bool] = True

    def plays(self, game: Game) -> bool:
        return isinstance(game, Adjacency)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        assert isinstance(position, AdjacencyPosition)
        population = Population(position, thinking)
        with thinking.until_stopped():
            generations = population.generations(random.Random(f"{self.seed} {position}"))
            for number, _ in enumerate(generations):
                if thinking.watched:
                    thinking.emit("gen", **population.facts(number))
        ranked = population.ranked
        if not ranked:
            return Analysis(tuple(position.moves()[:1]))
        values = {each.order[0]: Guess(each.path[1].value) for each in reversed(ranked)}
        move = ranked[0].order[0]
        return Analysis((move,), values[move].margin, values=values)


@dataclass
class TreeNode:
    """A node of the tree of chromosomes: a run of first squares that some share, and its value."""

    maximizes: bool
    """True if the greatest value of its children counts here, False if the least."""
    value: float
    """Margin in marks for the seat to move in the agent's position; ±infinity at first."""
    children: dict[Move, TreeNode] = field(default_factory=dict)
    """The nodes one square further, by that square."""

    @classmethod
    def empty(cls, maximizes: bool) -> TreeNode:
        """Return a node without children, with the value that any other one improves.

        That is -infinity if it *maximizes*, else infinity.
        """
        return cls(maximizes, -inf if maximizes else inf)

    def improve(self, value: float) -> None:
        """Replace the value by *value*, a child's, if it is greater where this node maximizes.

        Where it does not, replace it if *value* is less.
        """
        self.value = (max if self.maximizes else min)(self.value, value)


@dataclass
class _Chromosome:
    """An order of squares, its nodes in the tree from the root to its leaf, and its fitness."""

    order: _Order
    """All empty squares in some order; after a crossover some may be there twice, others not."""
    path: list[TreeNode]
    """The nodes from the root to the leaf: one more than there are squares."""
    fitness: int = 0
    """Number of nodes on its path whose value is that of its leaf."""


class Population:
    """The chromosomes of one decision, and the tree in which each of them is a path.

    As in the authors' program, an order holds *all* empty squares, also those beyond the last
    round; squares belong to o and x in turn, o first, even if x is to move; the node after a move
    of o maximizes, like the root; the tree is never cleared. The value of a leaf, in marks, counts
    each square as one more mark, also one that was played before. The fitness of a chromosome is
    the number of nodes on its path, root and leaf included, whose value is that of the leaf. The
    game must not be over: not checked.
    """

    def __init__(self, position: AdjacencyPosition, thinking: Thinking) -> None:
        self.position, self.thinking = position, thinking
        self.root = TreeNode.empty(True)
        self.ranked: list[_Chromosome] = []
        """All chromosomes, the fittest first.

        Of equally fit ones new ones come before older ones; equals among either come in the
        reverse of the order that they were in before.
        """

    def generations(self, draws: Draws) -> Iterator[None]:
        """Breed the first generation and twenty more; yield None after each is ranked.

        All random numbers are drawn from *draws*. Results are in `ranked`. Raise OutOfBudget if a
        limit or a cancel ends the search; `ranked` then has the generations that were finished.
        """
        order, born = list(self.position.moves()), list[_Order]()
        for _ in range(FIRST_GENERATION):
            draws.shuffle(order)
            born.append(tuple(order))
        self._add(born)
        yield
        for _ in range(GENERATIONS):
            parents = self.ranked[:PARENTS]
            fitness = [each.fitness for each in parents]
            chosen = [parents[_drawn(fitness, draws)].order for _ in range(PARENTS)]
            self._add(_children(chosen, draws))
            yield

    def _add(self, born: Sequence[_Order]) -> None:
        """Add chromosomes with the orders *born* to the tree, and rank all chromosomes anew.

        There must be at least one order, and all must be equally long: not checked. Raise
        OutOfBudget if a limit or a cancel ends the search.
        """
        new = [self._grown(order) for order in born]
        for ply in range(len(new[0].order) - 1, -1, -1):
            for each in new:
                each.path[ply].improve(each.path[ply + 1].value)
        ranked = self.ranked + new
        for each in ranked:
            leaf = each.path[-1].value
            each.fitness = sum(node.value == leaf for node in each.path)
        ranked.sort(key=lambda each: each.fitness)
        self.ranked = ranked[::-1]

    def _grown(self, order: _Order) -> _Chromosome:
        """Add *order* to the tree as a path from the root, and return its chromosome.

        The leaf gets the value of the order, in marks for the seat to move in the agent's position;
        the other nodes of the path keep their values, and the fitness is still 0. Raise OutOfBudget
        if a limit or a cancel ends the search.
        """
        game, (x, o) = self.position.game, self.position.marks
        path, value = [self.root], x.bit_count() - o.bit_count()
        for ply, cell in enumerate(order):
            self.thinking.tick()
            touched = game.bits[cell] | game.beside[cell]
            if ply % 2 == 0:
                value -= 2 * (x & touched).bit_count() + 1
                o, x = o | x & touched | game.bits[cell], x & ~touched
            else:
                value += 2 * (o & touched).bit_count() + 1
                x, o = x | o & touched | game.bits[cell], o & ~touched
            node = path[-1].children.setdefault(cell, TreeNode.empty(ply % 2 == 0))
            path.append(node)
        path[-1].value = value if self.position.turn == 0 else -value
        return _Chromosome(order, path)

    def facts(self, number: int) -> dict[str, object]:
        """Return the event of generation *number*, from 0, as JSON data.

        It is made of the present `ranked`, so this generation must be the last one bred so far: not
        checked.
        ``g`` is *number*; ``best``, ``mean`` and ``worst`` are fitness; ``div`` is the share of
        different orders, 0 to 1; ``line`` the fittest order, as names of cells; ``population`` a
        list of the `MOST_EMITTED` fittest, each with ``line``, ``fitness`` and ``v``, the value of
        its leaf in marks.
        """
        fitness, names = [each.fitness for each in self.ranked], self.position.game.move_name
        return {
            "g": number,
            "best": max(fitness),
            "mean": round(sum(fitness) / len(fitness), 4),
            "worst": min(fitness),
            "div": round(len({each.order for each in self.ranked}) / len(fitness), 4),
            "line": list(map(names, self.ranked[0].order)),
            "population": [
                {
                    "line": list(map(names, each.order)),
                    "fitness": each.fitness,
                    "v": each.path[-1].value,
                }
                for each in self.ranked[:MOST_EMITTED]
            ],
        }


def _drawn(fitness: Sequence[int], draws: Draws) -> int:
    """Return the index of a parent, drawn with a probability of its share of the *fitness*.

    *fitness* has a number for each parent. Raise ZeroDivisionError if their sum is 0, which does
    not happen: each chromosome's leaf makes its own fitness at least 1.
    """
    total, draw = sum(fitness), draws.random()
    shares = accumulate(each / total for each in fitness)
    return next((index for index, share in enumerate(shares) if draw <= share), 0)


def _children(parents: Sequence[_Order], draws: Draws) -> list[_Order]:
    """Return the orders of four children from those of four *parents*.

    The first two cross over at one point; then in each of the four two squares are exchanged, or
    none if the same index is drawn twice. All random numbers are drawn from *draws*.
    """
    length = len(parents[0])
    point = int(draws.random() * length)
    one, other = parents[0], parents[1]
    crossed = [one[:point] + other[point:], other[:point] + one[point:], *parents[2:]]
    children = []
    for order in crossed:
        changed = list(order)
        first, second = int(draws.random() * length), int(draws.random() * length)
        changed[first], changed[second] = changed[second], changed[first]
        children.append(tuple(changed))
    return children
