"""``papan prove``: what the command says, keeps and refuses."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from papan.cli.prove import _checking
from papan.lab.check import LeafCount, ProofCheck
from papan.lab.prove import RemainingWork, log_of
from papan.lab.work import local_executor
from papan.process.host import lock

from .conftest import Papan

LEAF: Any = None
"""Leaves are only counted here."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are solved in this process, which costs less."""
    monkeypatch.setattr("papan.cli.prove.local_executor", lambda workers: local_executor(0))


def test_a_proof_and_its_check_in_words(papan: Papan, tmp_path: Path) -> None:
    path = str(tmp_path / "4x4.proof")
    ran = papan("prove", "connect4:4,4", "--file", path, "--workers", "1")
    assert ran.code == 0, ran.err
    assert "82 parts after 4 moves, mirror images once; 0 asked before" in ran.err
    assert "\u22121 and 0 proved; left to know whether 0 is reached: 8 to 82 parts" in ran.err
    assert ran.out.startswith("Value 0 for player 1, exact.\n19 of 82 parts asked, 63 not needed")
    ran = papan("prove", "--check", path, "--no-theory", "--samples", "2")
    assert ran.code == 0, ran.err
    claim, other, made, inner, leaves, plain, end = ran.out.splitlines()
    assert claim.endswith("player 1 gets 0 or more.")  # T23: who is named
    assert other.endswith("player 2 gets 0 or more.")
    assert made.startswith("Made by: papan ")
    assert inner.startswith("By the rules alone: all 22 inner positions follow")
    assert leaves.startswith("Leaves: 20 of 20 proved by search, 0 false, 0 not checked; ")
    assert plain.startswith("Without theory: of 2 leaves drawn, plain alpha-beta has proved 2")
    assert end == "The proof holds: every position was checked."
    data = Path(path).read_bytes().replace(b'"least": 0', b'"least": 1', 1)
    Path(path).write_bytes(data)
    ran = papan("prove", "--check", path)
    assert (ran.code, "The proof does not hold." in ran.out) == (1, True)


def test_a_check_that_is_stopped_says_what_is_left_and_goes_on(
    papan: Papan, tmp_path: Path
) -> None:
    path = str(tmp_path / "4x4.proof")
    assert papan("prove", "connect4:4,4", "--file", path).code == 0
    ran = papan("prove", "--check", path, "--seconds", "0", "--no-theory", "--samples", "3")
    assert ran.code == 1
    assert "0 took it too long, 3 not tried yet." in ran.out  # it said that 3 took it too long
    assert "Leaves: 0 of 20 proved by search, 0 false, 20 not checked;" in ran.out
    assert "not everything was checked; the same command goes on." in ran.out
    facts = json.loads(papan("prove", "--check", path, "--json").out)
    assert (facts["whole"], facts["leaves"]["unchecked"], facts["low"]) == (True, 0, 0)


@pytest.mark.parametrize(
    ("walked", "found", "said"),
    [
        (False, LeafCount(), "25 of 42 positions by the rules"),
        (True, LeafCount(), "0 of 20 leaves solved, about ? left"),
        (True, LeafCount(5, logged=5), "5 of 20 leaves solved, about ? left"),
        # 12 of 901 / 3 seconds each
        (True, LeafCount(7, [LEAF], logged=5), "8 of 20 leaves solved, about 1:00:04 left"),
        (True, LeafCount(19, [LEAF], logged=5), "2 of 3 leaves proved without theory"),
    ],
)
def test_y7_a_check_tells_what_is_done_and_how_long_the_rest_takes(
    papan: Papan, walked: bool, found: LeafCount, said: str
) -> None:
    assert papan("games").code == 0  # sentences are in the language of this run
    whole: Any = SimpleNamespace(positions=42)
    more: dict[str, Any] = {"inner": 5, "walked": walked, "found": found, "plain": LeafCount(2)}
    result = ProofCheck(whole, LEAF, leaves=[LEAF] * 20, sample=[LEAF] * 3, **more)
    assert _checking(result, 901) == said


def test_after_ctrl_c_a_check_says_how_far_it_came(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "4x4.proof")
    assert papan("prove", "connect4:4,4", "--file", path).code == 0

    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("papan.lab.check.decide_leaves", interrupted)
    ran = papan("prove", "--check", path)
    assert ran.code == 130
    assert "Leaves: 0 of 20 proved by search, 0 false, 20 not checked;" in ran.out


def test_a_log_never_takes_the_place_of_another_file(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "4x4.proof"
    assert papan("prove", "connect4:4,4", "--file", str(path)).code == 0
    before = path.read_bytes()
    ran = papan("prove", "--check", str(path), "--file", str(path))
    assert (ran.code, path.read_bytes()) == (2, before)
    assert "is no log of a check" in ran.err


def test_a_proof_that_is_stopped_says_what_is_left(papan: Papan, tmp_path: Path) -> None:
    arguments = ("prove", "connect4:4,4", "--file", str(tmp_path / "4x4.proof"))
    ran = papan(*arguments, "--seconds", "0")
    assert "Not solved; proved: between \u22121 and +1 for player 1." in ran.out
    assert "whether +1 is reached: 8 to 82 parts, time not yet known" in ran.out
    facts = json.loads(papan(*arguments, "--json").out)
    assert (facts["low"], facts["high"], facts["exact"]) == (0, 0, True)
    assert (tmp_path / "4x4.proof").exists()


def test_y7_the_time_left_is_told_for_the_best_and_for_the_worst_case(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = RemainingWork(1.0, 8, 82, None, 61.9, 2 * 3600 + 2 * 60 + 5)
    monkeypatch.setattr("papan.lab.prove.SplitProof.left", lambda proof: left)
    arguments = ("prove", "connect4:4,4", "--file", str(tmp_path / "4x4.proof"), "--seconds", "0")
    assert "whether +1 is reached: 8 to 82 parts, 0:01:01 to 2:02:05 " in papan(*arguments).out
    facts = json.loads(papan(*arguments, "--json").out)
    assert facts["left"] == {"goal": 1, "parts": [8, 82], "seconds": [61.9, 7325]}


def test_two_runs_at_once_do_not_write_the_same_proof(papan: Papan, tmp_path: Path) -> None:
    proof = tmp_path / "3x3.proof"
    path = log_of(proof)
    arguments = ("prove", "tictactoe", "--plies", "1", "--file", str(proof), "--seconds", "0")
    assert papan(*arguments).code == 0
    before = path.read_bytes()
    with path.open("ab") as file:
        lock(file)
        ran = papan(*arguments)
    assert (ran.code, path.read_bytes()) == (2, before)
    assert f"Another run is at work on the proof in {path}" in ran.err
    assert papan(*arguments).code == 0, "the lock goes with the run"


def test_without_a_file_it_is_kept_in_the_data_folder(papan: Papan, tmp_path: Path) -> None:
    papan("prove", "tictactoe", "--plies", "1", "--moves", "b2")
    path, log = sorted((tmp_path / "data" / "papan" / "proofs").iterdir())
    assert path.name.startswith("tictactoe-3-3-3-")
    assert (path.suffix, log) == (".proof", log_of(path))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Say what to prove, such as connect4:5,4"),
        (("onet",), "is not played by two"),
        (("tictactoe xxx/oo./... o",), "The game is over in"),
        (("connect4", "--plies", "0"), "after 1 to 100 moves, not 0"),
        (("connect4", "--workers", "0"), "At least 1 process must work"),
        (("--check", "missing.proof"), "There is no proof in missing.proof"),
        (("--check", "missing.proof", "--samples", "-1"), "draws 0 leaves or more, not -1"),
        (("connect4:4,4", "--file", "/dev/null/proof"), "cannot be written"),
    ],
)
def test_bad_input_is_told_in_one_sentence(
    papan: Papan, arguments: tuple[str, ...], sentence: str
) -> None:
    ran = papan("prove", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert len(ran.err.splitlines()) == 1
