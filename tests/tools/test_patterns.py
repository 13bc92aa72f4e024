"""The patterns of alpha-beta: those that are a part of papan, and how they are learned."""

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import papan
from papan.agents.alphabeta import AlphaBeta
from papan.agents.net import WEIGHTS
from papan.core import CannotPlayError
from papan.core.compiling import plain_searches
from papan.core.parts import Support
from papan.games.connect4 import Connect4
from papan.games.connect4.kernel_state import new_connect4_patterns
from tests.agents.definition import plain, random_positions
from tools.train.patterns import Board, Plan, boards, train

MEGABYTE = 10**6
LEARNED = AlphaBeta(evaluation="patterns")
KNOWN = boards()
FOLDERS = sorted({board.folder for board in KNOWN.values()})
SMALL = Connect4(4, 4)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_pattern_has_a_manifest_that_tells_how_it_was_made(folder: Path) -> None:
    content = (folder / "patterns.npz").read_bytes()
    manifest = json.loads((folder / "patterns.json").read_text("utf-8"))
    assert manifest["sha256"] == sha256(content).hexdigest()
    with np.load(folder / "patterns.npz", allow_pickle=False) as kept:
        assert set(kept.files) == manifest["boards"].keys()
        for name, story in manifest["boards"].items():
            assert kept[name].shape == (KNOWN[name].patterns.weight_count,)
            assert story["script"] == f"python -m tools.train.patterns {name}"
            assert Plan(**story["plan"]) == KNOWN[name].plan
            assert story["losses"][-1] < story["losses"][0]


def test_nets_and_patterns_together_are_smaller_than_five_megabytes() -> None:
    files = [*WEIGHTS.iterdir(), *(folder / "patterns.npz" for folder in FOLDERS)]
    assert sum(len(each.read_bytes()) for each in files if each.is_file()) < 5 * MEGABYTE


@pytest.mark.parametrize("spec", ["dots", "tictactoe", "connect4:4,4", "adjacency:4,4,4"])
def test_a_board_without_patterns_is_refused(spec: str) -> None:
    with pytest.raises(CannotPlayError, match=r"no learned patterns for .* evaluation=hand"):
        LEARNED.analyse(papan.position(spec))


def test_a_game_derived_from_another_does_not_inherit_what_was_learned() -> None:
    assert not LEARNED.plays(plain(papan.position("connect4")).game)


@pytest.mark.thorough
@pytest.mark.parametrize("spec", ["connect4", "tictactoe:7,7,5"])
def test_a_plain_search_guesses_by_the_same_patterns(spec: str) -> None:
    agent = AlphaBeta(depth=2 if spec == "connect4" else 1, evaluation="patterns")
    for position in random_positions(papan.game(spec), 2, (2, 5)):
        compiled = agent.analyse(position)
        with plain_searches():
            twin = agent.analyse(position)
        assert (compiled.move, compiled.value) == (twin.move, twin.value)
        by_hand = AlphaBeta(agent.depth).analyse(position)
        assert compiled.value != by_hand.value, "it is another evaluation"


def weights_after(games: int, seed: int) -> list[float]:
    patterns = new_connect4_patterns(SMALL)
    board = Board(patterns, patterns.prior(3.0), (SMALL,), Plan(games))
    *_, (learned, _) = train(board, Plan(games, seed=seed))
    return [float(each) for each in learned[0]]


@pytest.mark.slow
def test_the_same_seed_learns_the_same_weights() -> None:
    assert weights_after(40, seed=1) == weights_after(40, seed=1)
    assert weights_after(40, seed=1) != weights_after(40, seed=2)


def test_what_people_wrote_is_where_learning_begins() -> None:
    patterns = new_connect4_patterns(SMALL)
    patterns.learn(patterns.prior(3.0))
    for position in random_positions(SMALL, 5, (2, 9)):
        guess = Support.of(SMALL).evaluate(position, position.turn)
        assert patterns.evaluate(position) == pytest.approx(guess, abs=0.01)
    assert patterns.evaluate(SMALL.start()) == 0
