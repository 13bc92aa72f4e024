"""The exact truth about Dots and Boxes where it can be had, else the strongest play in the time.

The agent first, then what is proven of quiet positions, the kernel that proves more, and playouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from papan.core import Analysis, Game, Move, OutOfBudget, Position, Proved, Thinking, Value, margin
from papan.core.message import Message, seat_message
from papan.core.parts import Support
from papan.engine.control import MOST_NODES, NODES, STOP, UNBOUNDED, race, run
from papan.engine.memory import address, aligned, fill, layout, new
from papan.engine.solver import NativeSolver, Solution
from papan.games.dots import kernel_play
from papan.games.dots.chains import Step, chains, safe_lines, step, taking
from papan.games.dots.endgame_db import EndgameDb, endgame_db_for
from papan.games.dots.kernel_search import BROKEN_OFF, HOLDS, MARKS, begin, root_at_least
from papan.games.dots.rules import Dots, DotsPosition
from papan.games.dots.workspace import Board, Memory, new_memory

QUICK_NODES = 2_000
"""What is solved with these needs no guess first."""
FIRST_VISITS = 4_000
"""Playouts before a long search, so that there is a good move whenever it must stop."""
GIVE_UP_RATIO = 100
"""How many times the granted work a search may be likely to take."""
LINE_NODES = 50_000
"""The most that the expected line may cost, once the value is known."""


@dataclass
class DotsSolver(NativeSolver):
    """Proves the final margin; where that is out of reach, plays what playouts like best."""

    book: bool = True
    """Use the endgame database of the board, where one was made."""
    goal: float | None = None
    """Find out only whether the value is so much or more, which takes less."""

    def plays(self, game: Game) -> bool:
        return isinstance(game, Dots) and Support.of(game).has_solver

    def variant(self, position: Position) -> tuple[object, ...]:
        return ()

    def solution(self, position: Position, thinking: Thinking) -> Solution:
        assert isinstance(position, DotsPosition)
        return DotsSolution(position, thinking, self)

    def truth(self, game: Dots, thinking: Thinking) -> Truth:
        """What is known of positions of *game*: nothing yet, or what was found out before."""
        if self.reuse and isinstance(self.kept, Truth) and self.kept.game == game:
            self.kept.begin(thinking)
            return self.kept
        truth = Truth(game, thinking, self.memory, self.threads)
        self.kept = truth if self.reuse else None
        return truth


class DotsSolution(Solution):
    """What is found out about one position."""

    position: DotsPosition
    values: dict[Move, Value]

    def __init__(self, position: DotsPosition, thinking: Thinking, settings: DotsSolver) -> None:
        super().__init__(position, thinking)
        self.all_moves, self.goal = settings.all_moves, settings.goal
        self.lead = round(margin(position, position.turn))
        self.taking = taking(position.game, position.drawn)
        self.truth = settings.truth(position.game, thinking)
        self.truth.on_progress = self.look
        self.truth.endgame_db = endgame_db_for(position.game) if settings.book else None
        self.steps = self.steps_of(position)
        self.depth = len(self.steps)
        self.best = max(self.steps, key=lambda step: step.value(0))
        """The move to make: a guess, until one is proven best."""

    def work(self) -> None:
        if self.goal is not None:
            self.prove()
            raise OutOfBudget("done")
        future = self.future()
        try:
            self.judge(future)
            self.line = self.line_to(future)
        finally:
            self.values.setdefault(self.best.move, Proved.exactly(self.lead + future))

    def choice(self) -> Move:
        return self.best.move

    def why(self, stop: str) -> str:
        return stop

    def analysis(self, why: str) -> Analysis:
        work = {"book": self.truth.endgame_db is not None, "table": self.truth.transposition_bytes}
        self.facts = self.endgame() | work
        self.notes = _notes(self.facts)
        return super().analysis(why)

    def steps_of(self, position: DotsPosition) -> list[Step]:
        """The moves, in the order in which the kernel tries them: boxes, safe lines, openings."""
        game, board = position.game, self.truth.board
        steps = [step(game, position.drawn, move) for move in position.moves()]
        return sorted(
            steps,
            key=lambda each: (
                each.after.boxes if not each.won else -each.won,
                board.distance(each.move),
                board.bits[each.move],
            ),
        )

    def future(self) -> int:
        """The boxes still to come, own minus rival's; from then on the choice is a best move."""
        truth = self.truth
        granted, truth.most_nodes = truth.most_nodes, min(truth.most_nodes, QUICK_NODES)
        try:
            self.prove()
        except OutOfBudget:
            self.thinking.check()
            truth.most_nodes = granted
            self.play_out()
            self.prove()
        truth.most_nodes = granted
        future = self.taking.value(truth.bounds(self.taking.rest)[0])
        self.best = self.best_of(self.steps, future)
        return future

    def prove(self) -> None:
        """Find the value of the rest: first whether it wins, to know that much when time ends."""
        truth, rest = self.truth, self.taking.rest
        bound = ceil(1 if self.goal is None else self.goal) - self.lead - self.taking.boxes
        answers = truth.close_in(rest, bound)
        while not self.decided() and (holds := next(answers, None)) is not None:
            if holds and not self.taking.boxes and self.goal is None:
                self.best = self.best_of(self.steps, truth.bounds(rest)[0])

    def decided(self) -> bool:
        """Is it known whether the goal, if there is one, is reached?"""
        low, high = self.bounds()
        return self.goal is not None and not low < self.goal <= high

    def best_of(self, steps: list[Step], target: int) -> Step:
        """The first of *steps* that reaches *target*, which one of them does."""
        return next(each for each in steps if self.truth.reaches(each, target))

    def play_out(self) -> None:
        """Choose by playouts; when nothing can be proven in the time, they take all of it."""
        truth, rest = self.truth, self.taking.rest
        hopeless = truth.likely_nodes(rest) > GIVE_UP_RATIO * truth.granted
        visits = truth.granted if hopeless else min(FIRST_VISITS, truth.granted / 4)
        guesses = Guesses(truth, rest, visits)
        self.best = max(self.steps, key=guesses.of)
        visits, value = guesses.of(self.best)
        if visits:
            self.guess = self.lead + value
        if guesses.ended:
            raise OutOfBudget(guesses.ended)

    def judge(self, future: int) -> None:
        """Find out which moves are best, or what every move is worth."""
        for each in self.steps:
            if self.all_moves:
                net = each.value(self.truth.value(each.after.rest))
                self.values[each.move] = Proved.exactly(self.lead + net)
            elif self.truth.reaches(each, future):
                self.values[each.move] = Proved.exactly(self.lead + future)
            else:
                self.values[each.move] = Proved(high=self.lead + future - 2)

    def line_to(self, future: int) -> tuple[Move, ...]:
        """The play expected, as far as it is cheap to know."""
        self.truth.most_nodes = min(self.truth.most_nodes, self.truth.nodes + LINE_NODES)
        moves = [self.best.move]
        position, net = self.after(self.position, self.best.move, future)
        try:
            while position.moves():
                move = self.best_of(self.steps_of(position), net).move
                position, net = self.after(position, move, net)
                moves.append(move)
        except OutOfBudget:
            self.thinking.check()
        return tuple(moves)

    def after(self, position: DotsPosition, move: Move, net: int) -> tuple[DotsPosition, int]:
        """The position after a best move, and what it is then worth to who moves."""
        child = position.child(move)
        won = sum(child.owned) - sum(position.owned)
        return child, net - won if child.turn == position.turn else -net

    def bounds(self) -> tuple[int, int]:
        """The least and the most that the final margin can be."""
        least, most = self.truth.bounds(self.taking.rest)
        nets = [self.taking.value(rest) for rest in range(least, most + 1, 2)]
        return self.lead + min(nets), self.lead + max(nets)

    def endgame(self) -> dict[str, object]:
        """The explanation of an endgame without safe lines; nothing before that.

        The lengths of the chains and loops to be opened; when all of them are long, which player
        (1 or 2) is in control, so that the other one opens the next; and the lines of a
        double-cross that is best now.
        """
        game, turn = self.position.game, self.position.turn
        rest = DotsPosition(game, self.taking.rest, turn, (self.truth.left(self.taking.rest), 0))
        if safe_lines(rest) or not rest.moves():
            return {}
        least, most = self.truth.bounds(self.taking.rest)
        crosses = self.taking.crosses(least)
        found = chains(rest)
        best = Proved.exactly(self.bounds()[1])
        declined = [
            each
            for each in self.steps
            if self.taking.boxes and not each.won and self.values.get(each.move) == best
        ]
        loony = least == most and all(each.long for each in found)
        return {
            "chains": sorted(each.length for each in found if each.shape != "loop"),
            "loops": sorted(each.length for each in found if each.shape == "loop"),
            "control": (turn if crosses else 1 - turn) + 1 if loony else None,
            "double_cross": [game.move_name(each.move) for each in declined],
        }


Result = TypeVar("Result")

SPEED = 1_000_000
"""Nodes a second, roughly."""
FIRST_ROOM, GROWTH, WORDS_A_NODE = 1 << 11, 32, 2
"""Words for the table: most questions are answered soon, and a large one takes time to lay out."""
FEW_NODES = FIRST_ROOM // WORDS_A_NODE
"""So little work is not worth a thread of its own."""
MEGABYTE = 1 << 17  # words
LINE = 8  # words that the processor fetches at once
SEED = 2026
WORDS_A_VISIT, WORDS_A_TREE_NODE = 160, 8
"""A visit gives one node its children: about twenty."""

Nodes = NDArray[Any]
"""Records of the nodes of a tree."""


def _notes(facts: Mapping[str, Any]) -> tuple[Message, ...]:
    """Return who is in control of the endgame, and which lines double-cross, in words."""
    found = []
    if seat := facts.get("control"):
        found.append(Message("dots.control", {"player": seat_message(seat - 1, 2)}))
    if lines := facts.get("double_cross"):
        found.append(Message("dots.best_double_cross", {"lines": " ".join(lines)}))
    return tuple(found)


class Truth:
    """Bounds of quiet positions: the boxes still to come, the mover's minus the rival's."""

    def __init__(self, game: Dots, thinking: Thinking, memory: int, threads: int = 1) -> None:
        self.game = game
        self.memory = memory
        self.board = Board(game)
        self._memory = new_memory(self.board)
        self.endgame_db: EndgameDb | None = None
        """Where everything about this board is known."""
        self._words = self._memory.words
        self._helpers = [self._memory.twin() for _ in range(threads - 1)]
        self._known: dict[int, tuple[int, int]] = {}
        self._make_room(FIRST_ROOM)
        self.begin(thinking)

    def begin(self, thinking: Thinking) -> None:
        """Start to count anew; what is known stays."""
        self.thinking = thinking
        self.most_nodes = thinking.limit.nodes
        self.on_progress: Callable[[int], None] = self._check
        """Called now and then, with the nodes so far, while a kernel runs."""
        for memory in (self._memory, *self._helpers):
            memory.words[NODES] = 0

    @property
    def nodes(self) -> int:
        """The work so far."""
        return int(self._words[NODES])

    @property
    def all_nodes(self) -> int:
        """The work of all threads together."""
        return self.nodes + sum(int(each.words[NODES]) for each in self._helpers)

    @property
    def transposition_bytes(self) -> int:
        """How large the table of the search has grown."""
        return int(self._transpositions.nbytes)

    @property
    def granted(self) -> float:
        """The work that the limit allows."""
        return min(self.thinking.limit.nodes, self.thinking.limit.seconds * SPEED)

    def likely_nodes(self, drawn: int) -> float:
        """How hard a quiet position is to solve, by experience."""
        lines = self.game.move_count - drawn.bit_count()
        return float(10 ** (0.43 * (lines - self.left(drawn)) - 1))

    def left(self, drawn: int) -> int:
        """How many boxes are still to come."""
        return sum(box & drawn != box for box in self.game.boxes)

    def bounds(self, drawn: int) -> tuple[int, int]:
        """The least and the most that the quiet position with these lines drawn can be worth."""
        if self.endgame_db is not None:
            value = self.endgame_db.value(self._memory, drawn)
            return value, value
        left = self.left(drawn)
        return self._known.get(drawn, (-left, left))

    def at_least(self, drawn: int, bound: int) -> bool:
        """Is it worth at least *bound*? Raises OutOfBudget where that cannot be found out."""
        least, most = self.bounds(drawn)
        bound += (bound - least) % 2  # all values of a position are odd, or all are even
        if least < bound <= most:
            holds = self._ask(drawn, bound)
            self._known[drawn] = least, most = (bound, most) if holds else (least, bound - 2)
        return bound <= least

    def at_most(self, drawn: int, bound: int) -> bool:
        """Is it worth at most *bound*?"""
        return not self.at_least(drawn, bound + 1)

    def close_in(self, drawn: int, bound: int) -> Iterator[bool]:
        """Ask until the value is known, first whether it is at least *bound*: each answer."""
        least, most = self.bounds(drawn)
        while least < most:
            holds = self.at_least(drawn, max(least + 2, min(bound, most)))
            least, most = self.bounds(drawn)
            bound = least + 2 if holds else most
            yield holds

    def value(self, drawn: int) -> int:
        """What it is worth."""
        for _ in self.close_in(drawn, bound=0):
            pass
        return self.bounds(drawn)[0]

    def reaches(self, step: Step, target: int) -> bool:
        """Is a move worth at least *target* boxes to come to who makes it?"""
        rest, loss = step.after.rest, step.after.loss
        if step.won:
            least = target - step.won - step.after.boxes
            return self.at_least(rest, least) or (loss > 0 and self.at_most(rest, -loss - least))
        most = -target - step.after.boxes
        return self.at_most(rest, most) and (not loss or self.at_least(rest, -loss - most))

    def run(self, kernel: Callable[[], Result], nodes: int) -> Result:
        """What *kernel* returns, which may spend so many nodes; raises OutOfBudget."""
        words = self._words
        words[STOP] = 0
        words[MOST_NODES] = int(min(self.most_nodes, self.nodes + nodes, UNBOUNDED))
        result = kernel() if nodes <= FEW_NODES else run(kernel, words, self.on_progress)
        self.on_progress(self.nodes)
        return result

    def grow(self, tree: kernel_play.Tree, visits: int) -> None:
        """Let playouts visit a tree so often; raises OutOfBudget."""
        self.run(lambda: kernel_play.grow(self._memory.address, tree), visits)

    def _ask(self, drawn: int, bound: int) -> bool:
        for memory in (self._memory, *self._helpers):
            memory.place(*self.board.words(drawn), self.left(drawn))
            begin(memory.address)
        while True:
            answer = self.run(lambda: self._search(bound), self._most_for_room())
            if answer != BROKEN_OFF:
                return answer == HOLDS
            if self.nodes >= self.most_nodes:
                raise OutOfBudget("nodes")
            wanted = min(self.likely_nodes(drawn) / 8, WORDS_A_NODE * self.granted)
            self._make_room(max(GROWTH * len(self._transpositions), int(min(wanted, UNBOUNDED))))

    def _search(self, bound: int) -> int:
        if self._helpers and len(self._transpositions) > FIRST_ROOM + MARKS:
            return self._race(bound)
        return root_at_least(self._memory.address, bound)

    def _race(self, bound: int) -> int:
        """The same search in several threads, which share the table: the first to end wins."""
        memories = self._memory, *self._helpers
        for helper in self._helpers:
            helper.words[STOP], helper.words[MOST_NODES] = 0, UNBOUNDED

        def search(memory: Memory) -> int | None:
            answer = root_at_least(memory.address, bound)
            return None if answer == BROKEN_OFF else answer

        searches = [partial(search, memory) for memory in memories]
        answers = race(searches, [memory.words for memory in memories])
        return answers[0] if answers else BROKEN_OFF

    def _check(self, nodes: int) -> None:
        self.thinking.nodes = nodes
        self.thinking.check()

    def _most_for_room(self) -> int:
        """How many nodes to search before a larger table is worth its price."""
        full = len(self._transpositions) + GROWTH * LINE > self.memory * MEGABYTE
        return UNBOUNDED if full else len(self._transpositions) // WORDS_A_NODE

    def _make_room(self, words: int) -> None:
        """Lay out an empty table."""
        buckets = min(words, self.memory * MEGABYTE) // LINE
        quick = buckets // 8
        self._transpositions = aligned(buckets * LINE + (MARKS if self._helpers else 0))
        start, line = address(self._transpositions), np.uint64(8 * LINE)
        parts = {
            "quick": (start, quick),
            "thorough": (start + np.uint64(quick) * line, buckets - quick),
            "marks": start + np.uint64(buckets) * line if self._helpers else 0,
        }
        for memory in (self._memory, *self._helpers):
            fill(memory.workspace, **parts)


class Guesses:
    """The guesses about a quiet position and about those one step further."""

    def __init__(self, truth: Truth, drawn: int, visits: float) -> None:
        self._board = truth.board
        self.drawn = drawn
        self.ended = ""
        """Why the playouts ended before all visits were made."""
        many = round(min(visits, UNBOUNDED))
        nodes = self._plant(truth, drawn, many)
        tree = new(
            kernel_play.Tree,
            nodes=address(nodes),
            node_count=1,
            most_nodes=len(nodes),
            dice=SEED,
        )
        try:
            truth.grow(tree, many)
        except OutOfBudget as stop:
            self.ended = str(stop)
        if truth.nodes >= truth.most_nodes:
            self.ended = "nodes"
        self._known = self._read(nodes)

    @property
    def value(self) -> float:
        """What the position seems to be worth."""
        return self._known[self._board.words(self.drawn)][1]

    def of(self, step: Step) -> tuple[float, float]:
        """How good a move seems: its visits (as good as all, when it leads here), and its worth."""
        visits, value = self._known.get(self._board.words(step.after.rest), (0, 0.0))
        return visits, step.value(value) if visits else 0.0

    def _plant(self, truth: Truth, drawn: int, visits: int) -> Nodes:
        words = min(WORDS_A_VISIT * max(visits, 1_000), truth.memory * MEGABYTE)
        nodes = np.zeros(words // WORDS_A_TREE_NODE - 1, layout(kernel_play.Node))
        across, down = self._board.words(drawn)
        fill(nodes[0], across=across, down=down)
        return nodes

    def _read(self, nodes: Nodes) -> dict[tuple[int, int], tuple[int, float]]:
        """For each position how often it was visited, and what it seems to be worth."""
        first, count = int(nodes["first"][0]), int(nodes["child_count"][0])
        return {
            (across, down): (visits, total / max(visits, 1))
            for across, down, visits, total, *_ in (
                *nodes[:1].tolist(),
                *nodes[first : first + count].tolist(),
            )
        }
