"""How a training is cut into stages, and what is measured after each, without learning anything."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import papan
from papan import training
from papan.agents.learned_tables import LearnedPlayer, TrainingPlan
from papan.core import CannotPlayError, InvalidSpecError, Position
from papan.lab.match import Match
from papan.lab.statistics.elo import ScoreTally
from papan.training import (
    Exam,
    Training,
    TrainingStage,
    examination,
    examined,
    margin_by_brute_force,
    proved_margin,
    snapshot,
    whole_exam,
)
from tests.agents.definition import late_positions, value

GAME = papan.game("tictactoe")
START = GAME.start()
WON = papan.position("tictactoe xx./oo./... x")


def marked(position: Position, *wrong: int) -> dict[int, float]:
    """A point after every move, 1.5 points less after *wrong* ones."""
    return {move: 1.0 - 1.5 * (move in wrong) for move in position.moves()}


EXAM: Exam = [
    (START, marked(START, 0)),  # what knows nothing plays a1
    (START, marked(START, 1)),
    (WON, marked(WON, 2, 6)),  # and c1, which wins
    (WON, marked(WON, 6)),
]


def test_a_greedy_move_is_wrong_if_another_one_is_worth_more() -> None:
    assert examined(LearnedPlayer(GAME), EXAM) == (2, 3 / 4)
    assert examined(LearnedPlayer(GAME), EXAM[1:2]) == (0, 0)
    with pytest.raises(ZeroDivisionError):
        examined(LearnedPlayer(GAME), [])


@pytest.fixture
def chunks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[tuple[int, int]]]:
    """The chunks that were learned, each with the seed of the plan."""
    learned: list[tuple[int, int]] = []

    def learn(player: LearnedPlayer, plan: TrainingPlan, chunk: int) -> tuple[float, int]:
        learned.append((plan.seed, chunk))
        player.numbers[0, -1] += 1  # of a position that no exam has
        return 3.0, 12 + chunk

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(LearnedPlayer, "learn", learn)
    monkeypatch.setattr(training, "examination", lambda game: iter(EXAM))
    monkeypatch.setattr(training, "TRAINING_ANCHORS", ())
    yield learned


def test_stages_are_whole_chunks_and_saved_before_they_are_told(
    chunks: list[tuple[int, int]],
) -> None:
    first, reported = Training(GAME, TrainingPlan(seed=4), "mine"), list[TrainingStage]()

    def note(stage: TrainingStage) -> None:
        reported.append(stage)
        assert Training(GAME, TrainingPlan(seed=4), "mine").stages == reported

    assert first.games == 0
    first.run(1_700, 600, note)
    assert chunks == [(4, 0), (4, 1), (4, 2), (4, 3)]
    assert reported == first.stages == [
        TrainingStage(1_000, 6 / (12 + 13), 2 / 4, 3 / 4, ()),
        TrainingStage(2_000, 6 / (14 + 15), 2 / 4, 3 / 4, ()),
    ]  # fmt: skip
    first.run(2_000, 600, note)
    assert len(reported) == 2, "it has had so many"
    again = Training(GAME, TrainingPlan(seed=4), "mine")
    assert again.games == 2_000 and again.player.numbers[0, -1] == 4
    again.run(2_001, 5_000, reported.append)
    assert chunks[4:] == [(4, 4)] and [stage.games for stage in reported] == [1_000, 2_000, 2_500]


def test_another_plan_or_a_wish_begins_anew(chunks: list[tuple[int, int]]) -> None:
    plan = TrainingPlan(seed=4)
    Training(GAME, plan, "mine").run(500, 500, lambda stage: None)
    assert Training(GAME, plan, "mine").games == 500
    assert Training(GAME, TrainingPlan(rate=0.5, seed=4), "mine").stages == []
    assert Training(GAME, plan, "mine", anew=True).stages == []
    assert Training(GAME, plan).stages == [], "that is another player"
    assert Training(GAME, plan, "mine").path.name == "mine.npz"


def test_a_player_meets_each_anchor_in_twenty_games_with_openings_of_their_own(
    chunks: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[Match] = []
    tally = ScoreTally((1, 0, 2, 3, 4))

    class Result:
        """What a match returns."""

        def __init__(self) -> None:
            self.tally = tally

    def play(plan: Match) -> Result:
        met.append(plan)
        return Result()

    monkeypatch.setattr(training, "TRAINING_ANCHORS", ("random", "level:1"))
    monkeypatch.setattr(training, "play_match", play)
    learning = Training(GAME, TrainingPlan(), "mine")
    learning.run(1, 1, lambda stage: None)
    assert learning.stages[0].results == (tally, tally)
    facts = [(plan.pairs, plan.opening, plan.first_pair, plan.seed) for plan in met]
    assert facts == [(10, 2, 500, 0)] * 2
    assert [plan.agents[1].spec for plan in met] == ["random", "level:1"]
    player: Any = met[0].agents[0]
    assert player.choose(WON) == "c1"
    assert player.choose(papan.position("tictactoe xx./o../... o")) == "c1", "it sees the answer"


def test_a_small_board_is_examined_in_every_position_by_the_definition() -> None:
    for position in late_positions(GAME, 4, left=3):
        assert margin_by_brute_force(position) == value(position)
        assert proved_margin(position) == value(position)
    start = papan.position("tictactoe:1,5,3")
    exam, waiting = dict(examination(start.game)), {start}
    for _ in range(5):
        for position in waiting:
            truth = {move: -value(position.child(move)) for move in position.moves()}
            assert exam.pop(position) == truth
        children = {each.child(move) for each in waiting for move in each.moves()}
        waiting = {child for child in children if child.moves()}
    assert not exam and not waiting


def test_a_larger_board_is_examined_where_moves_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Position] = []

    def proof(position: Position) -> float:
        """No move matters while the first column is empty, then only the first one."""
        asked.append(position)
        taken: Any = position
        return -1.0 if taken.moves() and 0 not in taken.moves() else 0.5

    monkeypatch.setattr(training, "proved_margin", proof)
    usual = training.EXAM
    monkeypatch.setattr(training, "EXAM", 5)
    game = papan.game("connect4:4,4")
    exam = list(examination(game))
    assert len(exam) == 5 and exam == list(examination(game))
    assert usual == 200
    for position, values in exam:
        assert values == {move: -proof(position.child(move)) for move in position.moves()}
        assert len({*values.values()}) > 1
    assert max(16 - str(each).count(".") for each, _ in exam) <= 13


def test_an_exam_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def examination(game: object) -> Iterator[object]:
        made.append(game)
        return iter(EXAM)

    monkeypatch.setattr(training, "examination", examination)
    whole_exam.cache_clear()
    assert whole_exam(GAME) == EXAM and whole_exam(GAME) is whole_exam(GAME)
    assert made == [GAME]
    player = LearnedPlayer(GAME)
    player.loss, asked = 0.25, list[tuple[object, ...]]()

    def novice(*given: object) -> LearnedPlayer:
        asked.append(given)
        return player

    monkeypatch.setattr(training, "novice", novice)
    assert snapshot("tictactoe", 700, 0.5, 0.25) == {
        "games": 700, "loss": 0.25, "errors": 2, "positions": 4, "regret": 3 / 4
    }  # fmt: skip
    assert asked == [(GAME, TrainingPlan(exploration=0.25, rate=0.5), 700)]
    whole_exam.cache_clear()


@pytest.mark.parametrize(
    ("board", "games", "error"),
    [
        ("connect4:4,4", 500, CannotPlayError),
        ("dots", 500, CannotPlayError),
        ("tictactoe", 100_001, InvalidSpecError),
        ("chess", 500, InvalidSpecError),
    ],
)
def test_what_is_not_learned_at_once_is_refused(
    board: str, games: int, error: type[Exception]
) -> None:
    with pytest.raises(error):
        snapshot(board, games, 1.0, 0.15)
