"""The solver of Connect 4 on every board: exact scores, or bounds when the limit is reached."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar

from papan.core import Agent, Analysis, Game, Move, OutOfBudget, Position, Proved, Thinking
from papan.core.agent import load_once
from papan.core.analysis import root_moves
from papan.games.connect4.rules import Connect4, Connect4Position

if TYPE_CHECKING:
    from papan.games.connect4.book import Book

MEGABYTE = 2**20


@dataclass
class Connect4Solver(Agent):
    """Proves who wins, and when: the fewer cells are taken then, the higher the score."""

    memory: int = 256
    """Megabytes for the table, at most."""
    threads: int = 1
    """How many search at the same time."""
    all_moves: bool = False
    """Prove the score of every move, not only which ones keep the value."""
    book: bool = True
    """Look up what was solved before."""

    name: ClassVar[str] = "solver"

    def __post_init__(self) -> None:
        self.demand("memory", 1)
        self.demand("threads", 1)

    def plays(self, game: Game) -> bool:
        return isinstance(game, Connect4)

    def prepare(self, game: Connect4) -> None:
        """Have the search for this board compiled before any clock runs."""
        from papan.games.connect4.kernel import ready
        from papan.games.connect4.layout import Layout

        layout = Layout.for_board(game.rows, game.columns, self.memory * MEGABYTE)
        ready(layout.limbs, layout.lanes)

    def load(self, position: Position) -> None:
        load_once(self, position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        assert isinstance(position, Connect4Position)
        from papan.games.connect4.workspace import return_workspace

        solution = _Solution(self, position, thinking)
        try:
            solution.work()
        except OutOfBudget as stop:
            solution.why = str(stop)
        solution.transposition_bytes = solution.workspace.transposition_bytes
        return_workspace(solution.workspace)
        return solution.analysis()


class _Solution:
    """One position on the workspace, and what has been found out about it and its moves."""

    def __init__(
        self, agent: Connect4Solver, position: Connect4Position, thinking: Thinking
    ) -> None:
        from papan.games.connect4.forced import Stones
        from papan.games.connect4.team import Team
        from papan.games.connect4.truth import Truth
        from papan.games.connect4.workspace import take_workspace

        game, memory = position.game, agent.memory * MEGABYTE
        self.agent, self.position, self.thinking = agent, position, thinking
        self.stones = Stones(position.stones[position.turn], position.stones[1 - position.turn])
        self.workspace = take_workspace(game.rows, game.columns, memory)
        self.workspace.clear(self.stones, thinking.limit.nodes)
        self.layout = self.workspace.layout
        threads = agent.threads if thinking.limit.nodes == inf else 1  # so that the count is exact
        self.team = Team(self.workspace, threads)
        self.truth = Truth(self.team, self._look, self._book() if agent.book else None)
        self.root = self.truth.begin(self.stones)
        self.line: tuple[Move, ...] = ()
        self.values: dict[Move, Proved] = {}
        self.scores: dict[Move, int] = {}
        self.why = "exact"
        self.transposition_bytes = 0

    def _book(self) -> Book | None:
        """The book of this board, if the position is one that it can know."""
        from papan.games.connect4.book import book_for, comes_up

        book = book_for(self.layout.rows, self.layout.columns)
        useful = book is not None and book.covers(self.stones)
        return book if useful and comes_up(self.layout, self.stones) else None

    def work(self) -> None:
        """Prove the score; then find the play that leads to it, and what the other moves do."""
        score = self.truth.score(self.root)
        if not self.root.forced and self.root.move is None:
            self.root.move = self.truth.move(self.stones, score)
        best = self._choice()
        self.line = (best, *self.truth.line(self.truth.after(self.stones, best), -score))
        self.scores[best] = score
        self.values[best] = Proved.exactly(sign(score), self.team.nodes, self.line[1:])
        for move in self.position.moves():
            if move != best:
                self._judge(move, sign(score))

    def _judge(self, move: Move, value: int) -> None:
        """Find out what a move is worth exactly, or whether it keeps the *value* at least."""
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

    def _choice(self) -> Move:
        """The best move known: forced, or proven to reach the lower bound, or safe and central."""
        if self.root.forced:
            return self.root.forced[0]
        if self.root.move is not None:
            return self.root.move
        centre = (self.layout.columns - 1) / 2
        return min(self.truth.safe_moves(self.stones), key=lambda move: abs(move - centre))

    def analysis(self) -> Analysis:
        """What has been proven so far."""
        self.thinking.nodes = self.team.nodes
        low, high = self.root.bounds
        closed = low == high
        return Analysis(
            self.line or (self._choice(),),
            proved=Proved(sign(low), sign(high)),
            values=self.values,
            distance=self.plies_to_end(low) if closed else None,
            facts=self._facts(low, high),
            why="exact" if closed else self.why,
        )

    def _facts(self, low: int, high: int) -> dict[str, object]:
        work = {"book": self.truth.looked_up, "table": self.transposition_bytes}
        if low < high:
            return {"score_bounds": [low, high], **work}
        if not self.agent.all_moves:
            return {"score": low, **work}
        name = self.position.game.move_name
        scores = {name(move): score for move, score in self.scores.items()}
        distances = {move: self.plies_to_end(score) for move, score in scores.items()}
        return {"score": low, "scores": scores, "distances": distances, **work}

    def plies_to_end(self, score: int) -> int:
        """How long the game lasts with a final score: who wins has the last stone of it."""
        left = self.layout.empty(self.stones.own | self.stones.rival)
        if score == 0:
            return left
        plies = left + 2 - 2 * abs(score)
        return plies if plies % 2 == (score > 0) else plies - 1

    def _look(self, nodes: int) -> None:
        self.thinking.nodes = nodes
        self.thinking.check()
        if self.thinking.time_to_emit():
            self._emit()

    def _emit(self) -> None:
        game = self.position.game
        low, high = self.root.bounds
        self.thinking.emit_root(
            len(self.line),
            game.move_name(self._choice()),
            root_moves(game, self.values),
            bounds=[sign(low), sign(high)],
            score_bounds=[low, high],
        )


def sign(score: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)
