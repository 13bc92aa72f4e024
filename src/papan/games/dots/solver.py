"""The exact truth about Dots and Boxes where it can be had, else the strongest play in the time."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from papan.core import Analysis, Game, Move, OutOfBudget, Position, Proved, Thinking, Value, margin
from papan.engine.solver import NativeSolver, Solution
from papan.games.dots.chains import chains, safe_lines
from papan.games.dots.endgame_db import endgame_db_for
from papan.games.dots.rules import Dots, DotsPosition
from papan.games.dots.theory import Step, step, taking
from papan.games.dots.truth import Guesses, Truth

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
        return isinstance(game, Dots) and game.has_solver

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
        self.facts = self.all_facts()
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
        least, most = truth.bounds(rest)
        while least < most and not self.decided():
            holds = truth.at_least(rest, max(least + 2, min(bound, most)))
            least, most = truth.bounds(rest)
            bound = least + 2 if holds else most
            if holds and not self.taking.boxes and self.goal is None:
                self.best = self.best_of(self.steps, least)

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

    def all_facts(self) -> dict[str, object]:
        """The explanation of the endgame, and what the truth was found with."""
        known = self.truth.endgame_db is not None
        return {**self.endgame(), "book": known, "table": self.truth.transposition_bytes}

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
