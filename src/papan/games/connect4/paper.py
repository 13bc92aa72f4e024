"""Paper 004's greedy agent for Connect 4, faults included, and a corrected one.

Each column is worth the sum of its reasons: on each of the four lines through the cell where the
stone would land, what it adds to the player's own stones and what it takes from the opponent.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from papan.core import Agent, Analysis, Game, Guess, Message, Move, Position, Thinking
from papan.core.analysis import root_moves
from papan.core.lines import each_bit
from papan.core.parts import Coach
from papan.games.connect4.rules import Connect4, Connect4Position

LINES = (
    "connect4.line_across",
    "connect4.line_up",
    "connect4.line_rising",
    "connect4.line_falling",
)
"""The lines through a cell, in the order of `Connect4.steps`."""

COMPLETE_FOUR = "connect4.rule_complete_four"
BLOCK_FOUR = "connect4.rule_block_four"
MAKE_THREE = "connect4.rule_make_three"
BLOCK_THREE = "connect4.rule_block_three"
MAKE_TWO = "connect4.rule_make_two"
HANDS_A_WIN = "connect4.rule_hands_a_win"
DOUBLE_THREAT = "connect4.rule_double_threat"
PREPARES = "connect4.rule_prepares"
NO_RULE = "connect4.rule_none"

BESIDE_OWN = (NO_RULE, MAKE_TWO, MAKE_THREE, COMPLETE_FOUR)
BESIDE_RIVALS = (NO_RULE, NO_RULE, BLOCK_THREE, BLOCK_FOUR)
"""Rules that fire on a line, indexed by the number of own and of the opponent's stones on it, 0 to
3.
"""


class FiredRule(NamedTuple):
    """One reason for a column's value: a rule that fires, its points, and its line."""

    rule: str
    """The text key of the rule."""
    weight: int
    """The points that it adds to the column's value."""
    line: str = ""
    """The text key of the line on which it fires, one of LINES; "" for none."""


@dataclass
class Priority(Agent):
    """An agent: the greedy one of paper 004 for Connect 4, faults included.

    It counts the stones next to the cell in an unbroken run, both directions added; whether four
    can still fit and what lies beyond a gap does not matter. Because reasons add up, two small ones
    may outweigh a win. The first column of the greatest sum is played, scanned from *scan*.
    """

    scan: Literal["left", "right"] = "left"
    """The side from which columns are scanned."""

    name: ClassVar[str] = "priority"
    ends_by_itself: ClassVar[bool] = True
    weight: ClassVar[dict[str, int]] = {
        COMPLETE_FOUR: 5,
        BLOCK_FOUR: 4,
        MAKE_THREE: 3,
        BLOCK_THREE: 2,
        MAKE_TWO: 1,
    }
    """The points of each rule, by its text key."""

    def plays(self, game: Game) -> bool:
        return isinstance(game, Connect4)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        assert isinstance(position, Connect4Position)
        columns = position.moves()
        if self.scan == "right":
            columns.reverse()
        reasons: dict[Move, list[FiredRule]] = {}
        with thinking.until_stopped():
            for column in columns:
                thinking.tick()
                reasons[column] = self.reasons(position, column)
        values = {
            column: Guess(sum(each.weight for each in found), nodes=1)
            for column, found in reasons.items()
        }
        choice = self.chosen(position, values) if values else columns[0]
        facts = {"greedy": greedy_elements(position, choice, len(values))}
        analysis = Analysis((choice,), values=values, facts=facts)
        if thinking.watched:
            self._explain(position.game, reasons, analysis, thinking)
        return analysis

    def chosen(self, position: Connect4Position, values: dict[Move, Guess]) -> Move:
        """Return the first column of the greatest value, in the order of the scan.

        *values* must have at least one column, in that order, else ValueError is raised.
        """
        return max(values, key=lambda column: values[column].margin)

    def reasons(self, position: Connect4Position, column: Move) -> list[FiredRule]:
        """Return the rules that fire when a stone is dropped into *column*; empty if none does.

        The column must be open.
        """
        found, cell = [], position.landing_bit(column)
        for line, step in zip(LINES, position.game.steps):
            own, rival = self.stones_in_line(position, cell, step)
            for rule in (BESIDE_OWN[own], BESIDE_RIVALS[rival]):
                if rule != NO_RULE:
                    found.append(FiredRule(rule, self.weight[rule], line))
        return found

    def stones_in_line(self, position: Connect4Position, cell: int, step: int) -> tuple[int, int]:
        """Return the own and the rival stones, 0 to 3 each, on one line through *cell*.

        *cell* is a bitboard; *step* is the number of bits from cell to cell of the line, one of
        `Connect4.steps`. Here the stones in unbroken runs beside the cell count.
        """
        own, rival = position.sides
        return min(priority_run(own, cell, step), 3), min(priority_run(rival, cell, step), 3)

    def _explain(
        self,
        game: Connect4,
        reasons: dict[Move, list[FiredRule]],
        analysis: Analysis,
        thinking: Thinking,
    ) -> None:
        """Emit an event for every rule that fired, or that none did in a column, then the values.

        *reasons* are the fired rules by column, from 0; *analysis* has the values of the columns,
        and the column that is played as its `move`. The kinds of the events are ``reason`` and
        ``root``.
        """
        for column, found in reasons.items():
            name = game.move_name(column)
            for each in found or [FiredRule(NO_RULE, 0)]:
                thinking.emit("reason", m=name, rule=each.rule, v=each.weight, line=each.line)
        moves = root_moves(game, analysis.values)
        for facts, found in zip(moves, reasons.values()):
            facts["terms"] = [each.weight for each in found]
        rules = [{"rule": rule, "v": weight} for rule, weight in self.weight.items()]
        thinking.emit_root(1, game.move_name(analysis.move), moves, rules=rules)


@dataclass
class PriorityWide(Priority):
    """The paper's agent on a wider scale, as its conclusion asks for.

    Each priority is worth ten of the next, 1 to 10000 points, so that no sum of lesser reasons
    reaches a greater one. Nothing else is corrected.
    """

    name: ClassVar[str] = "priority-wide"
    weight: ClassVar[dict[str, int]] = {
        rule: 10 ** (weight - 1) for rule, weight in Priority.weight.items()
    }


@dataclass
class PriorityFixed(Priority):
    """The paper's agent without its faults.

    Corrected: a win at once comes before everything and stopping one before all the rest, because
    no sum of lesser reasons reaches them; a column is avoided when the cell above it would win for
    the opponent; stones count with gaps between them, and only where four can still fit.
    """

    name: ClassVar[str] = "priority-fixed"
    weight: ClassVar[dict[str, int]] = Priority.weight | {
        COMPLETE_FOUR: 1000,
        BLOCK_FOUR: 100,
        HANDS_A_WIN: -50,
    }

    def reasons(self, position: Connect4Position, column: Move) -> list[FiredRule]:
        found = super().reasons(position, column)
        if hands_a_win(position, column):
            found.append(FiredRule(HANDS_A_WIN, self.weight[HANDS_A_WIN]))
        return found

    def stones_in_line(self, position: Connect4Position, cell: int, step: int) -> tuple[int, int]:
        own, rival = position.sides
        fours = [four for four in position.game.fours_along[step] if four & cell]

        def most(mine: int, theirs: int) -> int:
            open_fours = (four for four in fours if not four & theirs)
            return max(((four & mine).bit_count() for four in open_fours), default=0)

        return most(own, rival), most(rival, own)


@dataclass
class Defensive(PriorityFixed):
    """An agent that plays the paper's first strategy: stops four, completes four, stops three.

    Among equal columns it draws one by *seed*; how such a player moves then is not said in the
    paper.
    """

    seed: int = 0
    """Seed of its random numbers; with the text of the position it decides the column."""

    name: ClassVar[str] = "defensive"
    weight: ClassVar[dict[str, int]] = dict.fromkeys(PriorityFixed.weight, 0) | {
        COMPLETE_FOUR: 1000,
        BLOCK_FOUR: 100,
        BLOCK_THREE: 1,
    }

    def chosen(self, position: Connect4Position, values: dict[Move, Guess]) -> Move:
        most = max(value.margin for value in values.values())
        equal = sorted(column for column, value in values.items() if value.margin == most)
        return random.Random(f"{self.seed} {position}").choice(equal)


@dataclass
class Tricky(Defensive):
    """An agent that plays the trick of the paper's figures 2 and 3: two threats at once.

    Nobody can stop these. It also makes a threat whose only answer prepares them. It stops fours,
    hands none to the opponent, and otherwise draws a column by *seed*.
    """

    name: ClassVar[str] = "tricky"
    weight: ClassVar[dict[str, int]] = Defensive.weight | {
        BLOCK_THREE: 0,
        HANDS_A_WIN: -50,
        DOUBLE_THREAT: 80,
        PREPARES: 60,
    }

    def reasons(self, position: Connect4Position, column: Move) -> list[FiredRule]:
        found = super().reasons(position, column)
        for rule, fires in ((DOUBLE_THREAT, double_threat), (PREPARES, prepares_double_threat)):
            if fires(position, column):
                return [*found, FiredRule(rule, self.weight[rule])]
        return found


def wins_at_once(position: Connect4Position) -> bool:
    """Return whether the side to move can complete four with one stone; False at the end."""
    if position.just_won():
        return False
    game, own = position.game, position.marks[position.turn]
    return any(game.has_line(own | cell) for cell in each_bit(game.free_cells(position.taken)))


def double_threat(position: Connect4Position, column: Move) -> bool:
    """Return whether a stone in *column* wins by force with the next: no answer wins or stops it.

    So it is with two threats at once, and where every answer opens a win. The column must be open.
    False if the stone itself ends the game.
    """
    after = position.child(column)
    replies = after.moves()
    if not replies or wins_at_once(after):
        return False
    return all(wins_at_once(after.child(reply)) for reply in replies)


def prepares_double_threat(position: Connect4Position, column: Move) -> bool:
    """Return whether a stone in *column* forces an answer after which `double_threat` has a move.

    An answer is forced if only after it the same side cannot complete four at once. The column must
    be open. False if the stone ends the game, if the rival could complete four at once, and if two
    answers or more, or none, stop the four.
    """
    after = position.child(column)
    if not after.moves() or wins_at_once(after):
        return False
    answers = [answer for answer in map(after.child, after.moves()) if not wins_at_once(answer)]
    if len(answers) != 1:
        return False
    (answer,) = answers
    return any(double_threat(answer, move) for move in answer.moves())


def greedy_elements(position: Connect4Position, choice: Move, feasible: int) -> list[Message]:
    """Return a sentence for each of the five elements of a greedy algorithm that the paper names.

    *choice* is the column that is played, *feasible* the number of columns that were compared.
    """
    own = position.marks[position.turn].bit_count()
    cell = Coach.of(position).place_of(choice)
    four = position.child(choice).scores()[position.turn] == 1
    found: dict[str, dict[str, object]] = {
        "candidates": {"count": position.game.grid.size - position.taken.bit_count()},
        "solution": {"count": own},
        "selection": {"cell": cell},
        "feasibility": {"count": feasible},
        "objective_yes" if four else "objective_no": {"cell": cell},
    }
    return [Message(f"connect4.greedy_{name}", values) for name, values in found.items()]


def priority_run(stones: int, cell: int, step: int) -> int:
    """Return the number of *stones* in the unbroken runs beside *cell* on a line, both added.

    *stones* and *cell* are bitboards; *step* is the number of bits from cell to cell of the line.
    """
    length = 0
    after, before = cell << step, cell >> step
    while after & stones:
        after <<= step
        length += 1
    while before & stones:
        before >>= step
        length += 1
    return length


def hands_a_win(position: Connect4Position, column: Move) -> bool:
    """Return whether the opponent can win at once on top of a stone dropped into *column*.

    The column must be open.
    """
    after = position.child(column)
    return column in after.moves() and after.child(column).scores()[after.turn] == 1
