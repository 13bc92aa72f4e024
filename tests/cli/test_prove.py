"""``papan prove``: what the command says, keeps and refuses."""

import json
from pathlib import Path

import pytest

from papan.lab.work import local_executor
from papan.process.host import lock

from .conftest import Papan


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are solved in this process, which costs less."""
    monkeypatch.setattr("papan.cli.prove.local_executor", lambda workers: local_executor(0))


def test_a_proof_and_its_check_in_words(papan: Papan, tmp_path: Path) -> None:
    path = str(tmp_path / "proof.jsonl")
    ran = papan("prove", "connect4:4,4", "--file", path, "--workers", "1")
    assert ran.code == 0, ran.err
    assert "82 parts after 4 moves, mirror images once; 0 asked before" in ran.err
    assert "\u22121 and 0 proved; left to know whether 0 is reached: 8 to 82 parts" in ran.err
    assert ran.out.startswith("Value 0 for player 1, exact.\n19 of 82 parts asked, 63 not needed")
    ran = papan("prove", "--check", path, "--samples", "2")
    assert ran.code == 0, ran.err
    said = "From 19 parts follows: exactly 0 for player 1; the file says: exactly 0."  # T23
    assert said in ran.out
    assert "2 of 2 claims looked at: 2 proved by another search" in ran.out
    data = Path(path).read_text().replace('"low": 0, "high": 0', '"low": 1, "high": 1')
    Path(path).write_text(data)
    ran = papan("prove", "--check", path, "--samples", "0")
    assert (ran.code, "The proof does not hold." in ran.out) == (1, True)


def test_a_proof_that_is_stopped_says_what_is_left(papan: Papan, tmp_path: Path) -> None:
    arguments = ("prove", "connect4:4,4", "--file", str(tmp_path / "proof.jsonl"))
    ran = papan(*arguments, "--seconds", "0")
    assert "Not solved; proved: between \u22121 and +1 for player 1." in ran.out
    assert "whether +1 is reached: 8 to 82 parts, time not yet known" in ran.out
    facts = json.loads(papan(*arguments, "--json").out)
    assert (facts["low"], facts["high"], facts["exact"]) == (0, 0, True)
    facts = json.loads(papan("prove", "--check", arguments[3], "--samples", "1", "--json").out)
    assert (facts["sound"], facts["whole"], facts["wrong"]) == (True, 1, [])


def test_two_runs_at_once_do_not_write_the_same_proof(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "proof.jsonl"
    arguments = ("prove", "tictactoe", "--plies", "1", "--file", str(path), "--seconds", "0")
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
    (path,) = (tmp_path / "data" / "papan" / "proofs").iterdir()
    assert path.name.startswith("tictactoe-3-3-3-")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Say what to prove, such as connect4:5,4"),
        (("onet",), "is not played by two"),
        (("tictactoe xxx/oo./... o",), "The game is over in"),
        (("connect4", "--plies", "0"), "after 1 move or more, not 0"),
        (("connect4", "--workers", "0"), "At least 1 process must work"),
        (("--check", "missing.jsonl"), "There is no proof in missing.jsonl"),
        (("--check", "missing.jsonl", "--samples", "-1"), "looks at 0 claims or more, not -1"),
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
