"""A player that learns on a CPU: to perfect play, the same one again, also after a sudden end."""

import os
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

import papan
from papan.agents.learned import Learned, learned_analysis
from papan.agents.learned_tables import CHUNK, LearnedPlayer, TrainingPlan, novice, player_file
from papan.cli.app import run_arguments
from papan.core import CannotPlayError, Guess, InvalidRecordError, Limit, PapanError, Proved
from papan.core.parts import native_form
from papan.engine.learning import expected
from papan.training import Exam, Training, TrainingStage, examination

GAME = papan.game("tictactoe")
GAMES, STAGE = 36_000, 12_000


@pytest.fixture(scope="module")
def exam() -> Exam:
    return list(examination(GAME))


@pytest.fixture(autouse=True)
def own_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, exam: Exam
) -> Iterator[pytest.MonkeyPatch]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("papan.training.TRAINING_ANCHORS", ())  # matches take long
    monkeypatch.setattr("papan.training.examination", lambda game: exam)
    yield monkeypatch


def trained(name: str) -> Training:
    training = Training(GAME, TrainingPlan(), name)
    training.run(GAMES, STAGE, lambda stage: None)
    return training


@pytest.mark.thorough
def test_tic_tac_toe_is_learned_to_perfect_play_in_every_position(
    exam: Exam, own_folder: pytest.MonkeyPatch
) -> None:
    assert len(exam) == 4520
    whole = trained("whole")
    assert [stage.games for stage in whole.stages] == [12_000, 24_000, 36_000]
    assert whole.stages[0].errors > 0, "it has something to learn"
    assert (whole.stages[-1].errors, whole.stages[-1].regret) == (0, 0)
    assert whole.stages[-1].loss < whole.stages[0].loss
    agent = papan.agent("learned:player=whole,depth=1")
    for moves in ("", "b2", "a1 b2 c3", "a1 b1 b2"):
        position = GAME.start().after(moves)
        truth = dict(exam)[position]
        assert truth[agent.analyse(position).move] == max(truth.values())

    def killed(player: LearnedPlayer, plan: TrainingPlan, chunk: int) -> tuple[float, int]:
        if chunk == 2.5 * STAGE / CHUNK:
            raise KeyboardInterrupt
        return learn(player, plan, chunk)

    learn = LearnedPlayer.learn
    own_folder.setattr(LearnedPlayer, "learn", killed)
    with pytest.raises(KeyboardInterrupt):
        trained("ended")
    own_folder.setattr(LearnedPlayer, "learn", learn)
    assert len(Training(GAME, TrainingPlan(), "ended").stages) == 2, "what was kept is whole"
    resumed = trained("ended")
    assert resumed.stages == whole.stages
    assert (resumed.player.numbers == whole.player.numbers).all()


def test_another_seed_makes_another_player_and_begins_anew() -> None:
    first = Training(GAME, TrainingPlan())
    first.run(CHUNK, CHUNK, lambda stage: None)
    other = Training(GAME, TrainingPlan(seed=1))
    assert not other.stages
    other.run(CHUNK, CHUNK, lambda stage: None)
    assert (first.player.numbers != other.player.numbers).any()


@pytest.mark.parametrize("spec", ["tictactoe", "connect4:4,4", "connect4:4,5", "connect4:5,5"])
def test_the_kernel_expects_what_the_definition_says(spec: str) -> None:
    rng, game = random.Random(1), papan.game(spec)
    player = LearnedPlayer(game)
    player.numbers[:] = np.random.default_rng(1).normal(size=player.numbers.shape) / 8
    for _ in range(20):
        position = game.start()
        for _ in range(rng.randrange(8)):
            if moves := position.moves():
                position = position.child(rng.choice(moves))
        if position.moves():
            form = native_form(position)
            assert form is not None
            assert expected(player.tables, form.board) == pytest.approx(player.expected(position))


def test_a_mirrored_board_of_connect_4_is_expected_to_end_alike() -> None:
    player = LearnedPlayer(papan.game("connect4:5,5"))
    player.numbers[:] = np.random.default_rng(1).normal(size=player.numbers.shape) / 8
    one, other = (player.game.start().after(moves) for moves in ("1 1 2 4 5", "5 5 4 2 1"))
    assert player.expected(one) == pytest.approx(player.expected(other))
    assert player.expected(one) != 0


def test_what_it_thinks_is_a_guess_and_what_ends_the_game_is_proved() -> None:
    agent = papan.agent("learned", games=CHUNK)
    position = GAME.start().after("a1 b1 a2 b2")
    analysis = agent.analyse(position)
    assert position.game.move_name(analysis.move) == "a3" and analysis.exact
    values = analysis.moves
    assert values["a3"] == Proved.exactly(1)
    assert values["c3"] == Proved.exactly(-1), "the rival wins at once"
    assert isinstance(values["b3"], Guess)
    for limit in (Limit(nodes=1), Limit(nodes=7), Limit(seconds=1e-6)):
        found = agent.analyse(position, limit)
        assert found.move in position.moves() and found.nodes <= limit.nodes
    assert agent.analyse(position, cancelled=lambda: True).move in position.moves()


def test_a_player_that_learns_at_once_is_that_of_the_training() -> None:
    training = Training(GAME, TrainingPlan())
    training.run(2 * CHUNK, CHUNK, lambda stage: None)
    position = GAME.start().after("b2")
    kept, now = papan.agent("learned"), papan.agent("learned", games=2 * CHUNK)
    assert kept.analyse(position).values == now.analyse(position).values


def test_games_are_rounded_up_to_whole_chunks() -> None:
    player, plan = LearnedPlayer(GAME), TrainingPlan()
    for chunk, (fewest, most) in enumerate(((1, CHUNK), (CHUNK + 1, 2 * CHUNK))):
        player.learn(plan, chunk)
        assert player.numbers.any()
        for games in (fewest, most):
            assert (novice(GAME, plan, games).numbers == player.numbers).all()


def test_a_player_that_was_trained_anew_is_the_one_that_is_asked() -> None:
    path, player = player_file(GAME), LearnedPlayer(GAME)
    path.parent.mkdir(parents=True)
    found = []
    for trained_at, number in enumerate((0.0, 0.5)):
        player.numbers[:] = number
        path.write_bytes(player.bytes())
        os.utime(path, (trained_at, trained_at))
        found.append(papan.agent("learned:depth=1").analyse(GAME.start()).value)
    assert found[0] == 0 and found[1] != 0


def test_what_was_not_learned_is_refused_in_one_sentence() -> None:
    with pytest.raises(CannotPlayError, match="papan train connect4:4,5'"):
        papan.agent("learned").analyse(papan.position("connect4:4,5"))
    with pytest.raises(CannotPlayError, match="cannot learn connect4:6,7: the board is too large"):
        papan.agent("learned").analyse(papan.position("connect4"))
    with pytest.raises(CannotPlayError, match="cannot learn dots:3,3: its tables are for games"):
        Training(papan.game("dots"), TrainingPlan())
    with pytest.raises(PapanError, match="letters, digits"):
        papan.agent("learned", player="../../etc/passwd")
    Training(GAME, TrainingPlan(), "mine").run(CHUNK, CHUNK, lambda stage: None)
    with pytest.raises(CannotPlayError, match="papan train connect4:4,5 --player mine'"):
        papan.agent("learned:player=mine").analyse(papan.position("connect4:4,5"))


HARMS = ("no arrays", "a table too short", "numbers of another kind", "what is no number", "a pipe")


@pytest.mark.parametrize("harm", HARMS)
def test_z9_a_file_that_does_not_fit_is_refused(harm: str) -> None:
    path = player_file(GAME)
    path.parent.mkdir(parents=True)
    player = LearnedPlayer(GAME)
    if harm == "a table too short":
        player.numbers = player.numbers[:, :100]
    if harm == "numbers of another kind":
        player.numbers = player.numbers.astype(np.float64)
    if harm == "what is no number":
        player.numbers[0, 0] = np.nan
    if harm == "a pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(b"PK\x03\x04 nothing" if harm == "no arrays" else player.bytes())
    assert Learned().plays(GAME), "a list of agents does not read it"
    with pytest.raises(InvalidRecordError):
        papan.agent("learned").analyse(GAME.start())


@pytest.mark.parametrize("stages", [None, "many", [{"games": "some"}]], ids=str)
def test_a_player_whose_measurements_are_damaged_is_not_learned_on(stages: object) -> None:
    path, plan = player_file(GAME), TrainingPlan()
    path.parent.mkdir(parents=True)
    player = LearnedPlayer(GAME)
    player.story = {"plan": asdict(plan)} | ({} if stages is None else {"stages": stages})
    path.write_bytes(player.bytes())
    with pytest.raises(InvalidRecordError, match="cannot be read"):
        Training(GAME, plan)


def test_the_command_shows_the_curve_and_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    order = ["train", "tictactoe", "--games", "1000", "--player", "mine"]
    assert run_arguments(order) == 0
    first = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in first[1:-1]] == ["500", "1,000"]
    assert "papan play tictactoe:3,3,3 --vs learned:player=mine" in first[-1]
    assert run_arguments([*order[:3], "1500", *order[4:]]) == 0
    assert capsys.readouterr().out.splitlines()[1:3] == first[1:3]
    for wrong in ("--games=0", "--rate=-1", "--exploration=2", "--player=a/b"):
        assert run_arguments(["train", "tictactoe", wrong]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_one_game_is_enough_to_learn_from() -> None:
    assert run_arguments(["train", "tictactoe", "--games", "1", "--player", "hasty"]) == 0


def test_stages_are_kept_as_they_were_measured() -> None:
    training = Training(GAME, TrainingPlan())
    seen: list[TrainingStage] = []
    training.run(2 * CHUNK, CHUNK, seen.append)
    assert Training(GAME, TrainingPlan()).stages == seen


def test_y7_a_look_that_was_stopped_proves_nothing_of_the_moves_that_it_has_not_seen() -> None:
    position = papan.position("tictactoe:3,3,3 xox/oxx/o.. o")
    first, second = position.moves()
    half = learned_analysis(position, {first: (0.0, True)})
    assert (half.exact, half.value) == (False, 0)
    assert learned_analysis(position, {first: (0.0, True), second: (-1.0, True)}).exact
    assert learned_analysis(position, {first: (1.0, True)}).exact, "nothing is better than a win"
