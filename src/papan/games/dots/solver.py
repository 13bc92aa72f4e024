"""The solver of Dots and Boxes: exact values where possible, else the strongest play in the time.

First the agent and its analysis, then proofs of quiet positions by the kernel, and playouts.
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
from papan.engine.memory import address_of, aligned, fill, layout, new
from papan.engine.solver import NativeSolver, Solution
from papan.games.dots import kernel_play
from papan.games.dots.chains import DotsStep, chains, safe_lines, step_of, taking
from papan.games.dots.endgame_db import EndgameDb, endgame_db_for
from papan.games.dots.kernel_search import (
    BROKEN_OFF,
    HOLDS,
    MARK_WORDS,
    begin_search,
    root_at_least,
)
from papan.games.dots.rules import Dots, DotsPosition
from papan.games.dots.workspace import DotsBoard, DotsMemory, new_memory

QUICK_NODES = 2_000
"""A position that this many nodes solve needs no playouts first."""
FIRST_VISITS = 4_000
"""Playouts before a long search, so that there is a good move whenever it must stop."""
GIVE_UP_RATIO = 100
"""Playouts take all of the time if a proof is likely to take this many times the granted work."""
LINE_NODES = 50_000
"""Nodes that the expected line may cost, once the value is known."""


@dataclass
class DotsSolver(NativeSolver):
    """An agent that proves the final margin in boxes.

    Where that is out of reach, it plays by playouts.
    """

    book: bool = True
    """Use the endgame database of the board, if `endgame_db_for` finds one."""
    goal: float | None = None
    """Prove only whether the final margin, in boxes for the seat to move, is at least this, which
    takes less; None: prove it all.
    """

    def plays(self, game: Game) -> bool:
        """Return whether *game* is a board of Dots and Boxes of at most 36 boxes and 64 dots."""
        return isinstance(game, Dots) and Support.of(game).has_solver

    def variant(self, position: Position) -> tuple[object, ...]:
        return ()

    def solution(self, position: Position, thinking: Thinking) -> Solution:
        assert isinstance(position, DotsPosition)
        return DotsSolution(position, thinking, self)

    def truth(self, game: Dots, thinking: Thinking) -> DotsProver:
        """Return a prover for *game* that counts its nodes within the limit of *thinking*.

        With `reuse` it is the last one, with all that it has proved, if that was for the same
        board; else a new one.
        """
        if self.reuse and isinstance(self.kept, DotsProver) and self.kept.game == game:
            self.kept.begin(thinking)
            return self.kept
        truth = DotsProver(game, thinking, self.memory, self.threads)
        self.kept = truth if self.reuse else None
        return truth


class DotsSolution(Solution):
    """The solution of one position: it proves its value, or guesses it by playouts.

    *lead* is the present margin in boxes for the seat to move; *taking* is what it can take in this
    turn; *steps* are its moves, in the order to try; *best* is the step to make; *truth* is the
    prover. *settings* are those of the agent. The game must not be over: not checked.
    """

    position: DotsPosition
    values: dict[Move, Value]
    """The final margin in boxes after each move, for the seat to move, as far as it is known."""

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
        """The move to make: a guess, until one is proved best."""

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

    def steps_of(self, position: DotsPosition) -> list[DotsStep]:
        """Return the moves as steps in the order to try: those that take boxes, then all others.

        Two boxes come before one. The others come by the boxes that the rival can take after them,
        the fewest first; so safe lines come before openings. Among equals the lines nearest to the
        centre come first. Empty if the game is over.
        """
        game, board = position.game, self.truth.board
        steps = [step_of(game, position.drawn, move) for move in position.moves()]
        return sorted(
            steps,
            key=lambda each: (
                each.after.boxes if not each.won else -each.won,
                board.distance(each.move),
                board.bits[each.move],
            ),
        )

    def future(self) -> int:
        """Return the proved number of boxes still to come, own less the rival's.

        From then on `choice` is a best move. Playouts choose a move first if the proof takes more
        than `QUICK_NODES` nodes. Raise OutOfBudget if a limit or a cancel ends the search.
        """
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
        """Prove the value of the position, or with a goal only whether that is reached.

        What is proved are bounds of the position after all boxes are taken, in `truth`. Without a
        goal, whether the seat to move wins is asked first, in case time runs out; and where no box
        can be taken, `best` becomes a move that reaches what is proved so far. Raise OutOfBudget if
        a limit or a cancel ends the search.
        """
        truth, rest = self.truth, self.taking.rest
        bound = ceil(1 if self.goal is None else self.goal) - self.lead - self.taking.boxes
        answers = truth.close_in(rest, bound)
        while not self.decided() and (holds := next(answers, None)) is not None:
            if holds and not self.taking.boxes and self.goal is None:
                self.best = self.best_of(self.steps, truth.bounds(rest)[0])

    def decided(self) -> bool:
        """Return whether it is proved that the goal is reached or not; False without a goal."""
        low, high = self.bounds()
        return self.goal is not None and not low < self.goal <= high

    def best_of(self, steps: list[DotsStep], target: int) -> DotsStep:
        """Return the first of *steps* that is proved to reach *target* boxes still to come.

        These are the mover's less its rival's. Raise StopIteration if no step reaches them,
        OutOfBudget if a limit or a cancel ends the search.
        """
        return next(each for each in steps if self.truth.reaches(each, target))

    def play_out(self) -> None:
        """Choose a move by playouts, and guess its value.

        Write the step of the move to `best`, and to `guess` the final margin in boxes for the seat
        to move; `guess` stays as it is if no playout came to the move. If a proof is hopeless (see
        `GIVE_UP_RATIO`), playouts take all of the time. Raise OutOfBudget if a limit or a cancel
        ends the playouts.
        """
        truth, rest = self.truth, self.taking.rest
        hopeless = truth.likely_nodes(rest) > GIVE_UP_RATIO * truth.granted
        visits = truth.granted if hopeless else min(FIRST_VISITS, truth.granted / 4)
        guesses = PlayoutGuesses(truth, rest, visits)
        self.best = max(self.steps, key=guesses.of)
        visits, value = guesses.of(self.best)
        if visits:
            self.guess = self.lead + value
        if guesses.ended:
            raise OutOfBudget(guesses.ended)

    def judge(self, future: int) -> None:
        """Prove which moves reach *future*, and with `all_moves` the value of each one.

        *future* is the value of the best move: the boxes still to come, own less the rival's. Write
        to `values` final margins: of moves that reach *future*, and with `all_moves` of every move,
        the exact one; of other moves an upper bound. Raise OutOfBudget if a limit or a cancel ends
        the search.
        """
        for each in self.steps:
            if self.all_moves:
                net = each.value(self.truth.value(each.after.rest))
                self.values[each.move] = Proved.exactly(self.lead + net)
            elif self.truth.reaches(each, future):
                self.values[each.move] = Proved.exactly(self.lead + future)
            else:
                self.values[each.move] = Proved(high=self.lead + future - 2)

    def line_to(self, future: int) -> tuple[Move, ...]:
        """Return the expected line from the best move on, as far as it is cheap to find.

        *future* is the value of the position: the boxes still to come, own less the rival's. The
        line ends early where it would cost more than `LINE_NODES` nodes, or the nodes of the limit
        are spent: `truth.most_nodes` is lowered to that. Raise OutOfBudget if time is up or the
        search was cancelled.
        """
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
        """Return the position after a best *move*, and the boxes still to come for its mover.

        The boxes are net: own less the rival's, for the seat to move in the position returned.
        *net* are the boxes still to come before the move, for the seat that makes it.
        """
        child = position.child(move)
        won = sum(child.owned) - sum(position.owned)
        return child, net - won if child.turn == position.turn else -net

    def bounds(self) -> tuple[int, int]:
        """Return the proved (low, high) of the final margin in boxes, for the seat to move."""
        least, most = self.truth.bounds(self.taking.rest)
        nets = [self.taking.value(rest) for rest in range(least, most + 1, 2)]
        return self.lead + min(nets), self.lead + max(nets)

    def endgame(self) -> dict[str, object]:
        """Return facts on an endgame without safe lines, as JSON data.

        Empty while a line is safe, and if no line is left, once all boxes are taken that can be.
        The facts are the lengths in boxes of the *chains* and *loops* to be opened; in *control*,
        when all of them are long and the value is proved, the player (1 or 2) for whom the other
        one must open the next, else None; and in *double_cross* the names of lines that
        double-cross and are best now.
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

NODES_PER_SECOND = 1_000_000
"""Approximate speed, by which a limit in seconds is planned as one in nodes."""
FIRST_ROOM, TABLE_GROWTH, WORDS_A_NODE = 1 << 11, 32, 2
"""Words of the table at first, its growth, and words per node: most questions are answered soon,
and a large table takes time to clear.
"""
FEW_NODES = FIRST_ROOM // WORDS_A_NODE
"""Searches of at most this many nodes run without a thread of their own."""
WORDS_PER_MEGABYTE = 1 << 17
CACHE_LINE_WORDS = 8  # words that the processor fetches at once
PLAYOUT_SEED = 2026
WORDS_A_VISIT, WORDS_A_TREE_NODE = 160, 8
"""Words of the tree per visit, which adds about twenty nodes; and words per node."""

PlayoutNodes = NDArray[Any]
"""An array of `kernel_play.PlayoutNode` records."""


def _notes(facts: Mapping[str, Any]) -> tuple[Message, ...]:
    """Return sentences on the player in control and on lines that double-cross; maybe none.

    *facts* are what `DotsSolution.endgame` returns, perhaps with further keys.
    """
    found = []
    if seat := facts.get("control"):
        found.append(Message("dots.control", {"player": seat_message(seat - 1, 2)}))
    if lines := facts.get("double_cross"):
        found.append(Message("dots.best_double_cross", {"lines": " ".join(lines)}))
    return tuple(found)


class DotsProver:
    """Proves bounds of quiet positions: the boxes still to come, the mover's less the rival's.

    *memory* is the size of its table in megabytes at most, *threads* how many search; *thinking*
    has the limit. Positions are given by the bitboard of the lines *drawn*, and must be quiet (no
    box can be taken): not checked. `most_nodes` is where its count of nodes must end; a caller may
    lower it.
    """

    def __init__(self, game: Dots, thinking: Thinking, memory: int, threads: int = 1) -> None:
        self.game = game
        self.memory = memory
        self.board = DotsBoard(game)
        self._memory = new_memory(self.board)
        self.endgame_db: EndgameDb | None = None
        """The database of this board, which has every value; None, as at first, for none."""
        self._words = self._memory.words
        self._helpers = [self._memory.twin() for _ in range(threads - 1)]
        self._known: dict[int, tuple[int, int]] = {}
        self._make_room(FIRST_ROOM)
        self.begin(thinking)

    def begin(self, thinking: Thinking) -> None:
        """Count nodes from 0 again, within the limit of *thinking*; what is proved stays.

        Sets `most_nodes` to the limit and `on_progress` to its default.
        """
        self.thinking = thinking
        self.most_nodes = thinking.limit.nodes
        self.on_progress: Callable[[int], None] = self._check
        """Called every few ms with the nodes so far, while a kernel runs."""
        for memory in (self._memory, *self._helpers):
            memory.words[NODES] = 0

    @property
    def nodes(self) -> int:
        """Nodes that the first thread has searched since `begin`."""
        return int(self._words[NODES])

    @property
    def all_nodes(self) -> int:
        """Nodes that all threads together have searched since `begin`."""
        return self.nodes + sum(int(each.words[NODES]) for each in self._helpers)

    @property
    def transposition_bytes(self) -> int:
        """Size of the transposition table in bytes."""
        return int(self._transpositions.nbytes)

    @property
    def granted(self) -> float:
        """Nodes that the limit allows, NODES_PER_SECOND for a second; infinite without a limit."""
        return min(self.thinking.limit.nodes, self.thinking.limit.seconds * NODES_PER_SECOND)

    def likely_nodes(self, drawn: int) -> float:
        """Return the nodes that a quiet position is likely to take, from measurements.

        10^(0.43 * (lines - boxes) - 1), of undrawn lines and open boxes; *drawn* is the bitboard of
        the lines drawn.
        """
        lines = self.game.move_count - drawn.bit_count()
        return float(10 ** (0.43 * (lines - self.left(drawn)) - 1))

    def left(self, drawn: int) -> int:
        """Return how many boxes are not complete when the lines *drawn*, a bitboard, are drawn."""
        return sum(box & drawn != box for box in self.game.boxes)

    def bounds(self, drawn: int) -> tuple[int, int]:
        """Return the proved (low, high) of a quiet position's value, in boxes for its mover.

        Both are inclusive. *drawn* is the bitboard of the lines drawn. With nothing proved they are
        minus and plus the number of boxes left; with a database both are the exact value.
        """
        if self.endgame_db is not None:
            value = self.endgame_db.value(self._memory, drawn)
            return value, value
        left = self.left(drawn)
        return self._known.get(drawn, (-left, left))

    def at_least(self, drawn: int, bound: int) -> bool:
        """Return whether the quiet position *drawn* is worth at least *bound* boxes to its mover.

        The worth is in boxes still to come, the mover's less its rival's. *drawn* is the bitboard
        of the lines drawn. What is proved shows in `bounds` from then on. Raise OutOfBudget if a
        limit or a cancel ends the search.
        """
        least, most = self.bounds(drawn)
        bound += (bound - least) % 2  # all values of a position are odd, or all are even
        if least < bound <= most:
            holds = self._ask(drawn, bound)
            self._known[drawn] = least, most = (bound, most) if holds else (least, bound - 2)
        return bound <= least

    def at_most(self, drawn: int, bound: int) -> bool:
        """Return whether the quiet position *drawn* is worth at most *bound* boxes to its mover.

        All is as in `at_least`. Raise OutOfBudget if a limit or a cancel ends the search.
        """
        return not self.at_least(drawn, bound + 1)

    def close_in(self, drawn: int, bound: int) -> Iterator[bool]:
        """Prove one bound of the position *drawn* after the other, until its value is known.

        *drawn* is a bitboard of lines. The first question is whether the value is at least *bound*,
        in boxes for the mover, or the nearest bound to it that is open. Yield the answer to each
        question; `bounds` has what it proves by then. Nothing is yielded if the value is known
        already. Raise OutOfBudget if a limit or a cancel ends the search.
        """
        least, most = self.bounds(drawn)
        while least < most:
            holds = self.at_least(drawn, max(least + 2, min(bound, most)))
            least, most = self.bounds(drawn)
            bound = least + 2 if holds else most
            yield holds

    def value(self, drawn: int) -> int:
        """Return the exact value of the quiet position *drawn*, in boxes for its mover.

        It is the boxes still to come, the mover's less its rival's. *drawn* is the bitboard of the
        lines drawn. Raise OutOfBudget if a limit or a cancel ends the search.
        """
        for _ in self.close_in(drawn, bound=0):
            pass
        return self.bounds(drawn)[0]

    def reaches(self, step: DotsStep, target: int) -> bool:
        """Return whether a move brings its maker at least *target* boxes net, still to come.

        These are its own less the rival's, those that the move itself wins included. Raise
        OutOfBudget if a limit or a cancel ends the search.
        """
        rest, loss = step.after.rest, step.after.loss
        if step.won:
            least = target - step.won - step.after.boxes
            return self.at_least(rest, least) or (loss > 0 and self.at_most(rest, -loss - least))
        most = -target - step.after.boxes
        return self.at_most(rest, most) and (not loss or self.at_least(rest, -loss - most))

    def run(self, kernel: Callable[[], Result], nodes: int) -> Result:
        """Return the result of *kernel*, which may spend *nodes* more, within `most_nodes`.

        More than `FEW_NODES` run in a thread, so that a limit in seconds and a cancel are seen.
        Raise OutOfBudget if the time is over or the search was cancelled; spent nodes only end the
        kernel.
        """
        words = self._words
        words[STOP] = 0
        words[MOST_NODES] = int(min(self.most_nodes, self.nodes + nodes, UNBOUNDED))
        result = kernel() if nodes <= FEW_NODES else run(kernel, words, self.on_progress)
        self.on_progress(self.nodes)
        return result

    def grow(self, tree: kernel_play.PlayoutTree, visits: int) -> None:
        """Add *visits* playouts to a tree, fewer if the nodes are spent.

        Raise OutOfBudget if the time is over or the search was cancelled.
        """
        self.run(lambda: kernel_play.visit_until_spent(self._memory.address, tree), visits)

    def _ask(self, drawn: int, bound: int) -> bool:
        """Search the quiet position *drawn*; return whether its value is at least *bound* boxes.

        The value is the boxes still to come, the mover's less its rival's. *drawn* is a bitboard of
        lines; *bound* must have the parity of the boxes left: not checked. When the table is too
        small the search starts again with a larger one. The answer is not recorded for `bounds`:
        `at_least` does that. Raise OutOfBudget if a limit or a cancel ends the search.
        """
        for memory in (self._memory, *self._helpers):
            memory.place(*self.board.words(drawn), self.left(drawn))
            begin_search(memory.address)
        while True:
            answer = self.run(lambda: self._search(bound), self._most_for_room())
            if answer != BROKEN_OFF:
                return answer == HOLDS
            if self.nodes >= self.most_nodes:
                raise OutOfBudget("nodes")
            wanted = min(self.likely_nodes(drawn) / 8, WORDS_A_NODE * self.granted)
            self._make_room(
                max(TABLE_GROWTH * len(self._transpositions), int(min(wanted, UNBOUNDED)))
            )

    def _search(self, bound: int) -> int:
        """Search the root once for at least *bound* boxes; return HOLDS, FAILS or BROKEN_OFF.

        BROKEN_OFF says that the nodes were spent or a stop was asked for. Several threads are used
        only once the table has been enlarged.
        """
        if self._helpers and len(self._transpositions) > FIRST_ROOM + MARK_WORDS:
            return self._race(bound)
        return root_at_least(self._memory.address, bound)

    def _race(self, bound: int) -> int:
        """Search the root for at least *bound* boxes in threads; return HOLDS, FAILS or BROKEN_OFF.

        They share the table; the first to finish stops the rest.
        """
        memories = self._memory, *self._helpers
        for helper in self._helpers:
            helper.words[STOP], helper.words[MOST_NODES] = 0, UNBOUNDED

        def search(memory: DotsMemory) -> int | None:
            """Search one memory's root for *bound*; return HOLDS or FAILS, None if stopped."""
            answer = root_at_least(memory.address, bound)
            return None if answer == BROKEN_OFF else answer

        searches = [partial(search, memory) for memory in memories]
        answers = race(searches, [memory.words for memory in memories])
        return answers[0] if answers else BROKEN_OFF

    def _check(self, nodes: int) -> None:
        """Write *nodes*, a count, to `thinking`; raise OutOfBudget if time is up or by a cancel."""
        self.thinking.nodes = nodes
        self.thinking.check()

    def _most_for_room(self) -> int:
        """Return how many more nodes to search with the present table before it is enlarged.

        UNBOUNDED if it cannot grow any more within `memory` megabytes.
        """
        full = (
            len(self._transpositions) + TABLE_GROWTH * CACHE_LINE_WORDS
            > self.memory * WORDS_PER_MEGABYTE
        )
        return UNBOUNDED if full else len(self._transpositions) // WORDS_A_NODE

    def _make_room(self, words: int) -> None:
        """Replace the table by an empty one of at most *words* words of 8 bytes for entries.

        These take at most `memory` megabytes; with several threads the MARK_WORDS words in which
        they mark positions come on top. Bounds in the old table are lost; those of `bounds` stay.
        """
        buckets = min(words, self.memory * WORDS_PER_MEGABYTE) // CACHE_LINE_WORDS
        quick = buckets // 8
        self._transpositions = aligned(
            buckets * CACHE_LINE_WORDS + (MARK_WORDS if self._helpers else 0)
        )
        start, line = address_of(self._transpositions), np.uint64(8 * CACHE_LINE_WORDS)
        parts = {
            "quick": (start, quick),
            "thorough": (start + np.uint64(quick) * line, buckets - quick),
            "marks": start + np.uint64(buckets) * line if self._helpers else 0,
        }
        for memory in (self._memory, *self._helpers):
            fill(memory.workspace, **parts)


class PlayoutGuesses:
    """Estimates by *visits* playouts of a quiet position, and of those one step further.

    They are made when this object is, by *truth*. The position is given by *drawn*, the bitboard of
    its drawn lines. *ended* says why the playouts ended before all visits were made ("nodes",
    "time" or "cancelled"), else it is empty.
    """

    def __init__(self, truth: DotsProver, drawn: int, visits: float) -> None:
        self._board = truth.board
        self.drawn = drawn
        self.ended = ""
        """The reason why the playouts ended before all visits were made; else ""."""
        many = round(min(visits, UNBOUNDED))
        nodes = self._new_tree(truth, drawn, many)
        tree = new(
            kernel_play.PlayoutTree,
            nodes=address_of(nodes),
            node_count=1,
            most_nodes=len(nodes),
            random_state=PLAYOUT_SEED,
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
        """The estimated value of the position in boxes to come, the mover's less its rival's.

        0.0 if no playout was made.
        """
        return self._known[self._board.words(self.drawn)][1]

    def of(self, step: DotsStep) -> tuple[float, float]:
        """Return the visits of a move, and its estimated value in boxes for its maker.

        The value is the boxes still to come, its own less the rival's. 0 and 0.0 if no playout came
        to the move.
        """
        visits, value = self._known.get(self._board.words(step.after.rest), (0, 0.0))
        return visits, step.value(value) if visits else 0.0

    def _new_tree(self, truth: DotsProver, drawn: int, visits: int) -> PlayoutNodes:
        """Return empty node records for a tree; only the first, the position *drawn*, is filled in.

        Their number fits *visits* and the memory of *truth*.
        """
        words = min(WORDS_A_VISIT * max(visits, 1_000), truth.memory * WORDS_PER_MEGABYTE)
        nodes = np.zeros(words // WORDS_A_TREE_NODE - 1, layout(kernel_play.PlayoutNode))
        across, down = self._board.words(drawn)
        fill(nodes[0], across=across, down=down)
        return nodes

    def _read(self, nodes: PlayoutNodes) -> dict[tuple[int, int], tuple[int, float]]:
        """Return (visits, mean value) of the first position and its children, by undrawn lines.

        A key is (across, down) as words of `DotsBoard.words`; a value is in boxes for the mover
        there, 0.0 without visits.
        """
        first, count = int(nodes["first"][0]), int(nodes["child_count"][0])
        return {
            (across, down): (visits, total / max(visits, 1))
            for across, down, visits, total, *_ in (
                *nodes[:1].tolist(),
                *nodes[first : first + count].tolist(),
            )
        }
