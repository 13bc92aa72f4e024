"""The solver of Connect 4 on every board: exact scores, or bounds when the limit is reached.

First the agent, then proofs of scores, and last the analysis of a position. Scores are those of
`kernel.py`: empty cells after a win // 2 + 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, inf

from papan.core import Analysis, Game, Move, OutOfBudget, Position, Proved, Thinking
from papan.core.analysis import root_moves
from papan.core.message import Message
from papan.core.numbers import Number
from papan.engine.control import run
from papan.engine.solver import BYTES_PER_MEGABYTE, NativeSolver, Solution
from papan.games.connect4 import kernel
from papan.games.connect4.kernel import SEARCH_STOPPED
from papan.games.connect4.rules import Connect4, Connect4Position
from papan.games.connect4.search_memory import SearchTeam, return_workspace, take_workspace
from papan.games.connect4.stones import (
    Book,
    Layout,
    Stones,
    after_stone,
    book_for,
    comes_up,
    final_score,
    forced_line,
    landing_cells,
    winning_cells,
)
from papan.games.connect4.strategy import known_analysis, with_known

INLINE_NODES = 20_000
"""Nodes that are searched at once: only a longer search needs a thread that can be stopped."""
QUICK_WIN_MOVES = 3
"""A win within this many moves is looked for first, because that costs little."""


@dataclass
class Connect4Solver(NativeSolver):
    """An agent that proves the result (1, 0, -1) and the score: a sooner win scores higher.

    A score is empty cells after a win // 2 + 1, negative for a loss, 0 for a draw.
    """

    book: bool = True
    """Look up positions in what papan ships: the opening book, and proofs."""
    goal: float | None = None
    """Prove only whether the result (1, 0, -1 for the seat to move) is at least this; None: prove
    it all.
    """

    def plays(self, game: Game) -> bool:
        return isinstance(game, Connect4)

    def prepare(self, game: Connect4) -> None:
        """Compile the search for the board of *game*, so that no clock runs meanwhile.

        Only the first time: then the code is in the cache on the disk.
        """
        layout = Layout.for_board(game.rows, game.columns, self.memory * BYTES_PER_MEGABYTE)
        kernel.compiled_search(layout.limbs, layout.lanes)

    def variant(self, position: Position) -> tuple[object, ...]:
        return ()

    def known(self, position: Position) -> Analysis | None:
        assert isinstance(position, Connect4Position)
        return known_analysis(position) if self.book else None

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        """Return the analysis of a shipped proof if it has the position, else of a search.

        Without `book` no proof is looked at. With `all_moves`, and where the proof says only how
        much a move gets at least, there is a search all the same, whose analysis `with_known`
        completes. The position must not be over. Raise CertificateError if the file of the proof is
        damaged, OSError if it cannot be read.
        """
        known = self.known(position)
        if known is None:
            return super().decide(position, thinking)
        if known.exact and not self.all_moves:
            if thinking.watched:
                moves = root_moves(position.game, known.values)
                best, bounds = position.game.move_name(known.move), list(known.bounds or ())
                thinking.emit_root(0, best, moves, bounds=bounds)
            return known
        return with_known(super().decide(position, thinking), known)

    def solution(self, position: Position, thinking: Thinking) -> Solution:
        assert isinstance(position, Connect4Position)
        return _Solution(self, position, thinking)


class ScoreBounds:
    """Bounds `low` and `high` of a position's score, which close in on it.

    A score is empty cells after a win // 2 + 1, negative for a loss, 0 for a draw. The bounds are
    for the seat to move in `quiet`, the position after the `forced` moves (columns).
    """

    def __init__(self, layout: Layout, stones: Stones) -> None:
        self.forced, self.quiet = forced_line(layout, stones)
        left = layout.empty(self.quiet.own | self.quiet.rival)
        over = final_score(layout, self.quiet)
        self.low = -(max(left - 2, 0) // 2) if over is None else over
        self.high = (left - 1) // 2 if over is None else over
        self.move: Move | None = None
        """A move in the quiet position, after the forced ones, that reaches `low`."""

    @property
    def closed(self) -> bool:
        """True if the score is known: `low` is `high`."""
        return self.low == self.high

    @property
    def bounds(self) -> tuple[int, int]:
        """The (low, high) of the score for the seat to move before the forced moves."""
        return (-self.high, -self.low) if len(self.forced) % 2 else (self.low, self.high)

    def learn(self, goal: int, bound: int, move: Move) -> None:
        """Narrow the bounds after a search of `quiet` for *goal* returned *bound*, both scores.

        *bound* is a lower bound if it is at least *goal*, else an upper one. *move*, a column, is
        kept with a lower bound, unless a move is known that reaches as much. *goal* must be above
        `low` and at most `high`: not checked.
        """
        if bound < goal:
            self.high = min(self.high, bound)
        elif bound > self.low or self.move is None:
            self.low, self.move = bound, move

    def goals(self) -> Iterator[int]:
        """Yield the scores to search `quiet` for, one after the other, until the bounds close.

        First a quick win, then a quick loss (`QUICK_WIN_MOVES`), if there may be later ones; then
        the sign; then the rest. The bounds must be narrowed by each answer before the next is asked
        for. A goal far from 0 is cheap to refute, because the search need not go deep; but most
        games are won late, so the steps away from 0 are small at first.
        """
        if min(-self.low, self.high) > QUICK_WIN_MOVES:
            yield self.high - QUICK_WIN_MOVES
        if min(-self.low, self.high) > QUICK_WIN_MOVES:
            yield self.low + QUICK_WIN_MOVES + 1
        while self.low <= 0 <= self.high and not self.closed:
            yield 1 if self.high > 0 else 0
        for number in range(self.high - self.low):
            step = min(1 + number // 2, (self.high - self.low + 1) // 2)
            if not self.closed:
                yield self.low + step if self.low > 0 else self.high - step + 1


class Connect4Prover:
    """Proves scores, moves and lines by search; raises OutOfBudget when the nodes are spent.

    It calls *look* now and then with the number of nodes so far; *look* may raise OutOfBudget to
    stop it. *team* is the memory and the threads of the search, prepared by `Connect4Memory.begin`
    or `clear`. *book* (None: no book) is asked before a search. Scores are empty cells after a win
    // 2 + 1, negative for a loss, 0 for a draw.
    """

    def __init__(
        self, team: SearchTeam, look: Callable[[int], None], book: Book | None = None
    ) -> None:
        self.team, self.workspace, self.look, self.book = team, team.workspace, look, book
        self.looked_up = False
        """True if the book has answered."""

    def begin(self, stones: Stones) -> ScoreBounds:
        """Return the first bounds of the score of the position *stones*, by the rules or the book.

        As all `ScoreBounds` they are for the seat to move after the forced moves. They are closed
        if the game is over then, or if the book has that position.
        """
        proof = ScoreBounds(self.workspace.layout, stones)
        if self.book is not None and not proof.closed:
            score = self.book.score(self.workspace.layout, proof.quiet)
            if score is not None:
                proof.low = proof.high = score
                self.looked_up = True
        return proof

    def score(self, proof: ScoreBounds) -> int:
        """Return the exact score for the seat to move, and close the bounds *proof*.

        It is that of the position before the forced moves: empty cells after a win // 2 + 1,
        negative for a loss, 0 for a draw. Raise OutOfBudget when the nodes are spent or `look`
        raises it; what the bounds have learned by then stays.
        """
        for goal in proof.goals():
            proof.learn(goal, self._search(proof, goal), self.workspace.move)
        return proof.bounds[0]

    def reaches(self, stones: Stones, goal: int) -> bool:
        """Return whether the score of a position is at least *goal* for the seat to move.

        A score is empty cells after a win // 2 + 1, negative for a loss, 0 for a draw. Raise
        OutOfBudget when the nodes are spent or `look` raises it.
        """
        return self.holds(self.begin(stones), goal)

    def holds(self, proof: ScoreBounds, goal: int) -> bool:
        """Return whether the score is at least *goal*, and narrow the bounds *proof*.

        *goal* is a score for the seat to move before the forced moves: empty cells after a win //
        2 + 1, negative for a loss, 0 for a draw. There is no search if the bounds decide it. Raise
        OutOfBudget when the nodes are spent or `look` raises it.
        """
        turned = len(proof.forced) % 2 == 1
        quiet_goal = 1 - goal if turned else goal
        if proof.low < quiet_goal <= proof.high:
            proof.learn(quiet_goal, self._search(proof, quiet_goal), self.workspace.move)
        return (proof.low >= quiet_goal) != turned

    def line(self, stones: Stones, score: int) -> list[Move]:
        """Return the columns, from 0, of best play from the position *stones* to the end.

        *score* must be the exact one for the seat to move: not checked. The list is empty if the
        game is over. Raise OutOfBudget when the nodes are spent or `look` raises it.
        """
        proof = self.begin(stones)
        line = list(proof.forced)
        score = -score if len(line) % 2 else score
        while final_score(self.workspace.layout, proof.quiet) is None:
            line.append(self.move(proof.quiet, score))
            proof = self.begin(self.after(proof.quiet, line[-1]))
            score = score if len(proof.forced) % 2 else -score
            line += proof.forced
        return line

    def move(self, quiet: Stones, score: int) -> Move:
        """Return a column, from 0, of a *quiet* position that keeps its exact *score*.

        The score is for the seat to move; neither it nor that no move is forced is checked. The
        move is from the book, or searched again. Raise OutOfBudget when the nodes are spent or
        `look` raises it.
        """
        for move in self.safe_moves(quiet) if self.book is not None else ():
            reply = self.begin(self.after(quiet, move))
            if reply.bounds == (-score, -score):
                return move
        self._search(ScoreBounds(self.workspace.layout, quiet), score)
        return self.workspace.move

    def after(self, stones: Stones, move: Move) -> Stones:
        """Return the position after a stone in the column *move*, from 0, which must be open.

        It is seen by the rival, which is then to move.
        """
        layout = self.workspace.layout
        return after_stone(stones, landing_cells(layout, stones) & layout.column(move))

    def safe_moves(self, stones: Stones) -> list[Move]:
        """Return the open columns, from 0, in which the rival cannot win on top of the next stone.

        Those where it could win in another column are among them. They are in order from the left;
        empty if there are none.
        """
        layout = self.workspace.layout
        threats = winning_cells(layout, stones.rival)
        safe = landing_cells(layout, stones) & ~(threats >> 1)
        return [move for move in range(layout.columns) if safe & layout.column(move)]

    def _search(self, proof: ScoreBounds, goal: int) -> int:
        """Return a bound of the score of the quiet position of *proof*, by a search for *goal*.

        *proof* has the bounds known so far and is only read; scores are those of `ScoreBounds`. The
        result is a lower bound if it is at least *goal* (then `workspace.move` is the column), else
        an upper one. After INLINE_NODES the search goes on in the threads of the team. Raise
        OutOfBudget when the nodes are spent or `look` raises it.
        """
        team, workspace = self.team, self.workspace
        workspace.put(proof.quiet, proof.low, proof.high)
        bound = workspace.search(goal, INLINE_NODES)
        self.look(team.nodes)
        while bound == SEARCH_STOPPED and not workspace.spent:
            workspace.go_on()
            bound = run(lambda: team.search(goal), workspace.words, lambda _: self.look(team.nodes))
        if bound == SEARCH_STOPPED:
            raise OutOfBudget("nodes")
        return bound


class _Solution(Solution):
    """The solution of one position: its workspace, and what is proved of its moves.

    `root` are the bounds of its score. By move, `values` has results (1, 0, -1) and `scores` has
    scores, as in `ScoreBounds`; both are for the seat to move, as far as proved. `analysis` gives
    the workspace back: nothing may be searched after it.
    """

    def __init__(
        self, agent: Connect4Solver, position: Connect4Position, thinking: Thinking
    ) -> None:
        super().__init__(position, thinking)
        game = position.game
        self.agent = agent
        self.stones = Stones(*position.sides)
        self.workspace = take_workspace(game.rows, game.columns, agent.memory * BYTES_PER_MEGABYTE)
        reused = agent.reuse and agent.kept is self.workspace
        agent.kept = self.workspace
        prepare = self.workspace.begin if reused else self.workspace.clear
        prepare(self.stones, thinking.limit.nodes)
        self.layout = self.workspace.layout
        threads = agent.threads if thinking.limit.nodes == inf else 1  # so that the count is exact
        self.team = SearchTeam(self.workspace, threads)
        self.truth = Connect4Prover(self.team, self.look, self._book() if agent.book else None)
        self.root = self.truth.begin(self.stones)
        self.values: dict[Move, Proved] = {}
        self.scores: dict[Move, int] = {}

    def _book(self) -> Book | None:
        """Return the opening book of this board; None if there is none.

        None also if the position has too many stones for it, or cannot come up in play.
        """
        book = book_for(self.layout.rows, self.layout.columns)
        useful = book is not None and book.covers(self.stones)
        return book if useful and comes_up(self.layout, self.stones) else None

    def work(self) -> None:
        """Prove the score, find a line of best play, judge the other moves.

        The results go to `root`, `line`, `scores` and `values`. With a `goal` only whether the
        result is at least that is proved, in the bounds of `root`: nothing if the goal is -1 or
        less, or above 1. Then OutOfBudget("done") is raised in the end. Raise OutOfBudget also when
        a limit is reached: what was proved by then stays.
        """
        if self.agent.goal is not None:
            if -1 < self.agent.goal <= 1:  # a win has a score of 1 or more, a draw has 0
                self.truth.holds(self.root, ceil(self.agent.goal))
            raise OutOfBudget("done")
        score = self.truth.score(self.root)
        if not self.root.forced and self.root.move is None:
            self.root.move = self.truth.move(self.stones, score)
        best = self.choice()
        self.line = (best, *self.truth.line(self.truth.after(self.stones, best), -score))
        self.scores[best] = score
        self.values[best] = Proved.exactly(sign(score), self.team.nodes, self.line[1:])
        for move in self.position.moves():
            if move != best:
                self._judge(move, sign(score))

    def _judge(self, move: Move, value: int) -> None:
        """Prove the value of *move*, or without `all_moves` only whether it keeps *value*.

        *value* is that of the best move. Values are 1, 0 and -1, for the seat to move. What is
        proved goes to `values`: of a move that gives up a win only the upper bound, 0. With
        `all_moves` the score goes to `scores`. Raise OutOfBudget when a limit is reached.
        """
        before, reply = self.team.nodes, self.truth.after(self.stones, move)
        low: float = value
        high = value
        if self.agent.all_moves:
            self.scores[move] = -self.truth.score(self.truth.begin(reply))
            low = high = sign(self.scores[move])
        elif value >= 0 and self.truth.reaches(reply, 1 - value):
            high = value - 1
            low = -inf if value else high  # who gives up a draw loses; a win, may still draw
        self.values[move] = Proved(low, high, nodes=self.team.nodes - before)

    def choice(self) -> Move:
        """Return the best column known, from 0.

        That is a forced one; else one that reaches the lower bound of the score; else the most
        central after which the rival cannot win at once. The position must not be over.
        """
        if self.root.forced:
            return self.root.forced[0]
        if self.root.move is not None:
            return self.root.move
        centre = (self.layout.columns - 1) / 2
        return min(self.truth.safe_moves(self.stones), key=lambda move: abs(move - centre))

    def bounds(self) -> tuple[float, float]:
        low, high = self.root.bounds
        return sign(low), sign(high)

    def why(self, stop: str) -> str:
        return "exact" if self.root.closed else stop

    def emit(self, **facts: object) -> None:
        self.depth = len(self.line)
        super().emit(score_bounds=list(self.root.bounds), **facts)

    def analysis(self, why: str) -> Analysis:
        self.thinking.nodes = self.team.nodes
        low, high = self.root.bounds
        self.distance = self.plies_to_end(low) if low == high else None
        self.facts = self._facts(low, high)
        if low == high:
            self.notes = (Message("connect4.score", {"score": Number(low, "signed")}),)
        return_workspace(self.workspace)
        return super().analysis(why)

    def _facts(self, low: int, high: int) -> dict[str, object]:
        """Return the facts of the analysis as JSON data: score or bounds, and the work done.

        They are ``score`` or ``score_bounds``, ``book`` (whether it answered), ``table`` (bytes);
        with `all_moves` also ``scores`` and ``distances`` (plies) by name of move. *low* and *high*
        bound the score for the seat to move; if they are equal it is known.
        """
        work = {"book": self.truth.looked_up, "table": self.workspace.transposition_bytes}
        if low < high:
            return {"score_bounds": [low, high], **work}
        if not self.agent.all_moves:
            return {"score": low, **work}
        name = self.position.game.move_name
        scores = {name(move): score for move, score in self.scores.items()}
        distances = {move: self.plies_to_end(score) for move, score in scores.items()}
        return {"score": low, "scores": scores, "distances": distances, **work}

    def plies_to_end(self, score: int) -> int:
        """Return the plies from this position to the end if *score* is that of the seat to move.

        It may also be the score of a move made here; the plies are counted with that move. The
        winner places the last stone: a score s != 0 leaves 2 * abs(s) - 2 or 2 * abs(s) - 1 cells
        empty, whichever fits the parity. A draw fills the board.
        """
        left = self.layout.empty(self.stones.own | self.stones.rival)
        if score == 0:
            return left
        plies = left + 2 - 2 * abs(score)
        return plies if plies % 2 == (score > 0) else plies - 1


def sign(score: int) -> int:
    """Return the result that a *score* stands for: 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)
