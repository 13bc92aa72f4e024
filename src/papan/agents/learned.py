"""Learned: plays a small board by value tables that were filled by games against itself (TD)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from papan.agents.learned_tables import (
    LearnedPlayer,
    TrainingPlan,
    can_learn,
    cannot_learn,
    novice,
    player_file,
    stored_player,
)
from papan.core import (
    Agent,
    Analysis,
    CannotPlayError,
    Game,
    Guess,
    InvalidRecordError,
    InvalidSpecError,
    Move,
    Position,
    Proved,
    Thinking,
    Value,
    margin,
)
from papan.core.analysis import root_moves
from papan.core.parts import Support

MOST_AT_ONCE = 100_000
"""Games of self-play before the first move, where they are asked for: they take seconds."""
CERTAIN, PLY_DISCOUNT = 0.99, 1e-4
"""The largest estimate (a sure win is 1), and the part of a value that each ply takes off it: an
earlier win is better than a later one."""


@dataclass
class Learned(Agent):
    """An agent that looks some plies ahead, and evaluates the positions there by learned tables.

    A player is a file of `papan train` in papan's own folder, named by letters, digits, - and _: no
    other file is read, and nothing in it is run. With *games* it learns now, from nothing, and no
    file is read. Without a player for a board `plays` is False, and `analyse` raises
    CannotPlayError. Raise InvalidSpecError for a name with other characters or more than 60, and
    unless *depth* is from 1 to 20, *games* from 0 to 100,000, *exploration* from 0 to 1 and *rate*
    from 0 to 10.
    """

    player: str = ""
    """The name of a trained player; without one, the player of the board."""
    depth: int = 2
    """Plies that it looks ahead; 1: it evaluates the positions after its moves."""
    games: int = 0
    """0: the player is read from its file. Else it learns now, from this many games against itself:
    only small boards on which marks do not fall, such as 3x3."""
    exploration: float = 0.15
    """Probability, 0 to 1, of a random move in those games."""
    rate: float = 1.0
    """Learning rate in those games, as `TrainingPlan.rate`."""

    name: ClassVar[str] = "learned"
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.demand("depth", 1, 20)
        self.demand("games", 0, MOST_AT_ONCE)
        self.demand("exploration", 0, 1)
        self.demand("rate", 0, 10)
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,60}", self.player):
            raise InvalidSpecError("learned.bad_name", player=self.player)

    def plays(self, game: Game) -> bool:
        if self.games:
            strips = Support.of(game).strips
            return strips is not None and not strips.falls and can_learn(game)
        path = player_file(game, self.player)
        try:
            return path.exists() and (not self.player or stored_player(path, game) is not None)
        except InvalidRecordError:
            return True  # the error is raised when it is asked for a move

    def refusal(self, game: Game) -> CannotPlayError:
        if not can_learn(game):
            return cannot_learn(game, self.spec)
        options = f" --player {self.player}" if self.player else ""
        return CannotPlayError("learned.none", agent=self.spec, game=game.spec, options=options)

    def load(self, position: Position) -> None:
        self._player(position.game)

    def _player(self, game: Game) -> LearnedPlayer:
        """Return the player of this board: one that learns now if `games` is set, else the file's.

        Raise CannotPlayError if the file has learned another board or the board cannot be learned,
        FileNotFoundError if there is no file, InvalidRecordError if it is not a player.
        """
        if self.games:
            return novice(game, TrainingPlan(self.exploration, self.rate), self.games)
        if player := stored_player(player_file(game, self.player), game):
            return player
        raise self.refusal(game)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        look = LookAhead(self._player(position.game), thinking)
        values: dict[Move, tuple[float, bool]] = {}
        with thinking.until_stopped():
            for depth in range(1, self.depth + 1):
                round_: dict[Move, tuple[float, bool]] = {}
                values = values or round_  # half of the first round is better than none
                for move in position.moves():
                    round_[move] = look.after(position, move, depth - 1)
                values = round_
                if thinking.watched:
                    _emit(position, values, depth, thinking)
        return learned_analysis(position, values)


def _emit(
    position: Position, values: dict[Move, tuple[float, bool]], depth: int, thinking: Thinking
) -> None:
    """Emit a "root" event with the moves' *values* after a look *depth* plies ahead.

    *values* are as in `learned_analysis`, one at least.
    """
    analysis, game = learned_analysis(position, values), position.game
    thinking.emit_root(depth, game.move_name(analysis.move), root_moves(game, analysis.values))


def learned_analysis(position: Position, values: dict[Move, tuple[float, bool]]) -> Analysis:
    """Return the analysis of *values*: for each move its value, and whether that is proved.

    A value is from -1 (loss) to 1 (win) for the seat that makes the move. The highest one is
    chosen, the first of equals; it is proved if it is a sure win, or if all legal moves are proved.
    If *values* is empty, the first legal move is chosen, without a value; there must be one.
    """
    if not values:
        return Analysis((position.moves()[0],))
    shown = {move: _value(*each) for move, each in values.items()}
    move = max(values, key=lambda each: values[each][0])
    best, sure = values[move]
    whole = len(values) == len(position.moves()) and all(each for _, each in values.values())
    if sure and (best > CERTAIN or whole):
        return Analysis((move,), None, Proved.exactly(round(best)), shown, why="exact")
    return Analysis((move,), best, values=shown, why="depth")


def _value(number: float, sure: bool) -> Value:
    """Return a number from -1 (loss) to 1 (win) as a value: proved if *sure*, else a guess.

    A proved one is rounded to -1, 0 or 1.
    """
    return Proved.exactly(round(number)) if sure else Guess(number)


class LookAhead:
    """A minimax search of fixed depth, without pruning, that evaluates by the tables of *player*.

    *thinking* is its budget. Values are from -1 (loss) to 1 (win), each with whether it is proved.
    """

    def __init__(self, player: LearnedPlayer, thinking: Thinking) -> None:
        self.player, self.thinking = player, thinking

    def after(self, position: Position, move: Move, depth: int) -> tuple[float, bool]:
        """Return the value of *move* for the seat that makes it, and whether it is proved.

        It looks *depth* plies further than the move. The value is from -1 to 1: the value of the
        position after the move, less its part `PLY_DISCOUNT`; the move counts as a node. Raise
        OutOfBudget if the budget is spent before.
        """
        self.thinking.tick()
        child = position.child(move)
        value, sure = self.value(child, depth)
        value *= 1 - PLY_DISCOUNT
        return (value if child.turn == position.turn else -value), sure

    def value(self, position: Position, depth: int) -> tuple[float, bool]:
        """Return the value of a position for its seat to move, and whether it is proved.

        It looks *depth* plies ahead. The value is from -1 to 1. If the game is over, it is the
        margin (proved); else, if *depth* is 0, `CERTAIN` times what the tables expect (not proved);
        else the value of the best move, which is proved if it is a sure win, or if all moves are
        proved. Raise OutOfBudget if the budget is spent before.
        """
        if not (moves := position.moves()):
            return margin(position, position.turn), True
        if not depth:
            return CERTAIN * self.player.expected(position), False
        values = [self.after(position, move, depth - 1) for move in moves]
        best, sure = max(values)
        return best, sure and (best > CERTAIN or all(each for _, each in values))
