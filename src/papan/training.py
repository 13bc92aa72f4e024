"""Train a player of a small board on this machine, measured and saved after each stage.

After each game against itself, from its end to its start, what is expected of each position moves
towards what the best move from there leads to (TD learning). The same seed makes the same player,
also where a training was ended and went on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache

import numpy as np
from pydantic import TypeAdapter, ValidationError

from papan import api, catalog
from papan.agents.learned import Learned, LookAhead
from papan.agents.learned_tables import CHUNK, LearnedPlayer, TrainingPlan, novice, player_file
from papan.core import (
    UNLIMITED,
    Game,
    InvalidRecordError,
    Move,
    Position,
    Thinking,
    margin,
    native_form,
)
from papan.core.errors import in_one_line
from papan.core.game import reachable
from papan.core.parts import Support
from papan.engine.board import for_kernels
from papan.engine.learning import MOST_LEARNING_PLIES, best
from papan.lab.files import write_whole
from papan.lab.match import Match, play_match
from papan.lab.statistics.elo import ScoreTally

TRAINING_ANCHORS = ("random", "mcts:iterations=500")
"""Agents that a player meets after each stage."""
PAIRS, OPENING = 10, 2
"""Pairs of games against each of them, and random plies before each."""
EXAM = 200
"""Number of solved positions in the exam of a board with too many for all."""
WHOLE_EXAM = 9
"""Maximum number of cells of a board whose every position is in the exam."""


@dataclass(frozen=True)
class TrainingStage:
    """The strength of a player after some games: errors, regret, and results.

    A player is tables of what to expect of positions. Its greedy move is the one after which they
    expect most, without a search.
    """

    games: int
    """Number of games of self-play that it had learned from."""
    loss: float
    """Mean squared error of what its tables expected in this stage, of values from -1 to 1."""
    errors: float
    """Share of exam positions in which its greedy move is wrong, 0 to 1."""
    regret: float
    """Mean margin that its greedy moves give away, in points."""
    results: tuple[ScoreTally, ...]
    """The player's results in pairs of games against each of `TRAINING_ANCHORS`, in their order."""


Exam = list[tuple[Position, dict[Move, float]]]
"""Positions, each with the exact final margin after each move, in points, for the seat to move.

Margins are by move; every legal move has one.
"""


class Training:
    """A training that is measured and saved after each stage, and resumes from the last one.

    *name* is the player's, that of the board if empty. Its file, `path`, is read at once and
    continued if it was made for the same board and with the same *plan*. If not, or with *anew*,
    the training begins again, and the first stage replaces the file. `player` has the tables,
    `stages` the measurements so far. Raise InvalidSpecError for a *name* that `Learned` refuses,
    CannotPlayError if the board cannot be learned, InvalidRecordError if the file is damaged.
    """

    def __init__(self, game: Game, plan: TrainingPlan, name: str = "", anew: bool = False) -> None:
        self.game, self.plan = game, plan
        self.path = player_file(game, Learned(player=name).player)
        self.player, self.stages = LearnedPlayer(game), list[TrainingStage]()
        if not anew and self.path.exists():
            self._go_on()

    def _go_on(self) -> None:
        """Resume an earlier run from its file; do nothing if its board or plan was another.

        Raise InvalidRecordError for a damaged file.
        """
        kept = LearnedPlayer.read(self.path, self.game)
        if kept is not None and kept.story.get("plan") == asdict(self.plan):
            stages = kept.story.get("stages")
            try:
                self.stages = TypeAdapter(list[TrainingStage]).validate_python(stages)
            except ValidationError as error:
                why = in_one_line(error)
                raise InvalidRecordError("error.cannot_read", path=self.path, why=why) from None
            self.player = kept

    @property
    def games(self) -> int:
        """Number of games of self-play so far, in all runs; 0 before the first stage is done."""
        return self.stages[-1].games if self.stages else 0

    def run(self, games: int, stage: int, measured: Callable[[TrainingStage], object]) -> None:
        """Train up to *games* games in all, *stage* at a time; call *measured* after each stage.

        Both are rounded up to whole chunks of CHUNK games; *stage* must be 1 or more. The file is
        saved at the end of each stage, before *measured* is called. Nothing is done if the player
        has learned from so many games already. Raise OSError if the file cannot be saved.
        """
        exam = list(examination(self.game)) if self.games < games else []
        while self.games < games:
            last = min(self.games + stage, games)
            loss = self._learn(self.games // CHUNK, -(-last // CHUNK))
            self.stages.append(self._measure(-(-last // CHUNK) * CHUNK, loss, exam))
            self._keep()
            measured(self.stages[-1])

    def _learn(self, first: int, end: int) -> float:
        """Learn from the chunks *first* to *end* - 1; return the mean squared error.

        A chunk is CHUNK games, the values are from -1 to 1. Ctrl-C is handled between two chunks.
        Raise ZeroDivisionError if there is no chunk.
        """
        errors, positions = 0.0, 0
        for chunk in range(first, end):
            squares, count = self.player.learn(self.plan, chunk)
            errors, positions = errors + squares, positions + count
        return errors / positions

    def _keep(self) -> None:
        """Save the player with all measurements to `path`, whole or not at all.

        Its folder is created if it is missing. Raise OSError if that or the file cannot be written.
        """
        stages = [asdict(each) for each in self.stages]
        self.player.story = {"plan": asdict(self.plan), "stages": stages}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, self.player.bytes())

    def _measure(self, games: int, loss: float, exam: Exam) -> TrainingStage:
        """Return the strength after *games* games: by the *exam*, and by matches with the anchors.

        *loss*, the mean squared error of the stage, is kept with it.
        """
        wrong, regret = examined(self.player, exam)
        results = tuple(self._meet(anchor, games) for anchor in TRAINING_ANCHORS)
        return TrainingStage(games, loss, wrong / len(exam), regret, results)

    def _meet(self, anchor: str, first: int) -> ScoreTally:
        """Play `PAIRS` pairs of games against the agent of the spec *anchor*; return the results.

        They are counted for the player, which plays as `Learned` with it would. *first* is the
        number of the first pair: another one has other openings.
        """
        look, depth = LookAhead(self.player, Thinking(UNLIMITED)), Learned().depth

        def choice(position: Position) -> Move:
            """Return the move of the best value, as the agent `learned` would play."""
            return max(position.moves(), key=lambda move: look.after(position, move, depth - 1))

        agents = catalog.player(choice), catalog.agent(anchor)
        plan = Match(agents, self.game, PAIRS, opening=OPENING, first_pair=first)
        return play_match(plan).tally


def examined(player: LearnedPlayer, exam: Exam) -> tuple[int, float]:
    """Return how many greedy moves of a player are wrong in an exam, and the mean margin lost.

    The greedy move is the one after which its tables expect most; it is wrong if another one has a
    larger margin. The loss, in points, is that difference, 0 for right ones. Raise
    ZeroDivisionError for an empty exam.
    """
    tables, room = player.tables, np.zeros(MOST_LEARNING_PLIES, np.uint64)
    lost = []
    for position, values in exam:
        form = native_form(position)
        assert form is not None
        move, _ = best(for_kernels(form.rules), form.board, tables, room.ctypes.data)
        lost.append(max(values.values()) - values[int(move)])
    return sum(each > 0 for each in lost), sum(lost) / len(lost)


def snapshot(spec: str, games: int, rate: float, exploration: float) -> dict[str, float]:
    """Return how well a player does that learns from *games* games on the board *spec*, by name.

    "games" is *games*, "loss" the mean squared error of its values (-1 to 1), "errors" the number
    of wrong moves in an exam of "positions", "regret" the mean margin lost in points. *rate* and
    *exploration* (the probability of a random move) are those of `Learned`. Raise InvalidSpecError
    if there is no such board or *games* is above 100,000, CannotPlayError if the board cannot be
    learned. *games* must be 1 or more; that and the other two numbers are not checked.
    """
    game = catalog.game(spec)
    Learned(games=games).check_plays(game)
    player, exam = novice(game, TrainingPlan(exploration, rate), games), whole_exam(game)
    wrong, regret = examined(player, exam)
    return {
        "games": games,
        "loss": player.loss,
        "errors": wrong,
        "positions": len(exam),
        "regret": regret,
    }


@cache
def whole_exam(game: Game) -> Exam:
    """Return all positions of `examination` as a list, cached by game: do not change it."""
    return list(examination(game))


def examination(game: Game) -> Iterator[tuple[Position, dict[Move, float]]]:
    """Yield exam positions, each with the exact margin of every move for its maker, in points.

    They are all positions, not over, of a board of up to WHOLE_EXAM cells, else EXAM random ones
    whose moves differ in value, the same ones each time; one may come twice. Raise AssertionError
    for a game that tables cannot learn: one whose `Support.strips` is None.
    """
    strips = Support.of(game).strips
    assert strips is not None  # else there is nothing to train
    cells = strips.total * strips.cells
    if cells <= WHOLE_EXAM:
        for position in reachable(game.start()):
            yield (
                position,
                {move: -margin_by_brute_force(position.child(move)) for move in position.moves()},
            )
        return
    rng, left = random.Random(game.spec), EXAM
    while left:
        position = game.start()
        for _ in range(rng.randrange(cells - 2)):
            if moves := position.moves():
                position = position.child(rng.choice(moves))
        values = {move: -proved_margin(position.child(move)) for move in position.moves()}
        if len(set(values.values())) > 1:
            left -= 1
            yield position, values


def proved_margin(position: Position) -> float:
    """Return the final margin in points for the seat to move, proved by `papan.api.solve`.

    There is no limit: it may take very long.
    """
    return api.solve(position).proved.low


@cache
def margin_by_brute_force(position: Position) -> float:
    """Return the exact final margin in points for the seat to move, by exhaustive search.

    Cached by position. The seats must move by turns, without extra moves: not checked.
    """
    values = [-margin_by_brute_force(position.child(move)) for move in position.moves()]
    return max(values, default=margin(position, position.turn))
