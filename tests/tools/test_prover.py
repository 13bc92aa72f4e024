"""The prover: its values are papan's, its proofs hold, and it goes on where it was."""

import fcntl
import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from papan.core.certificate import ProofCertificate, ProofClaim
from papan.games.connect4.search_memory import SearchTeam, take_workspace
from papan.games.connect4.solver import Connect4Prover, sign
from papan.games.connect4.stones import (
    Layout,
    Stones,
    after_stone,
    landing_cells,
    winning_cells,
)
from papan.lab.check import ProofChecker
from papan.lab.work import local_executor
from tests.conftest import SHARED
from tools.prover.certify import write_certificate

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not shutil.which("g++"), reason="the prover needs g++"),
]
SOURCE = Path(__file__).parents[2] / "tools" / "prover" / "prover.cu"
MEMORY = 2**26
WAYS = {
    "plain": [],
    "tiny table": ["--table-bits", "3"],
    "threads": ["--threads", "3"],
    "whole keys": ["--forget", "0"],
    "one worker": ["--workers", "1", "--nodes", "7"],
}


@contextmanager
def once(folder: Path) -> Iterator[bool]:
    """Hold a folder of all processes that test; give whether what is to be done in it is done."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done"
        yield done.exists()
        done.touch()


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of the compiled provers, which all processes that test share."""
    folder = Path(os.environ[SHARED]) / "provers"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def proof(programs: Path) -> Path:
    """The folder of a proof of 5x6 by the one command, with the prover that it compiled."""
    folder = programs / "proof"
    words = [str(SOURCE.parent / "prove"), "5x6", "--cpu", "--folder", str(folder)]
    words += ["--no-certificate"]
    words += ["--tree-nodes", "1e5", "--table-bits", "14"]  # else a quarter of the memory
    with once(folder) as done:
        if not done:
            result = subprocess.run(words, capture_output=True, text=True)
            assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture(scope="session")
def prover(proof: Path) -> Path:
    """The prover for 5x6, as people use it."""
    return proof / "prover-5x6"


def built(programs: Path, rows: int, columns: int, level: str) -> Path:
    """Return the prover for a board, compiled once, with optimisation *level* and no warnings."""
    folder = programs / f"{rows}x{columns}{level}"
    program = folder / "prover"
    board = [f"-DBOARD_ROWS={rows}", f"-DBOARD_COLUMNS={columns}"]
    words = ["g++", level, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-pthread", *board]
    with once(folder) as done:
        if not done:
            subprocess.run([*words, "-o", str(program), "-x", "c++", str(SOURCE)], check=True)
    return program


def run(program: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *words], input=given, capture_output=True, text=True)


def quiet_games(rows: int, columns: int, count: int, empty: int) -> list[str]:
    """Return *count* random games, as letters of columns, after which nobody can win at once.

    At most *empty* cells are left then.
    """
    layout, rng = Layout.for_board(rows, columns, MEMORY), random.Random(rows * columns)
    found: dict[str, None] = {}
    while len(found) < count:
        stones, game = Stones(0, 0), ""
        for _ in range(rows * columns - rng.randint(2, empty)):
            some = rng.sample(range(columns), columns)
            column = next((each for each in some if is_quiet(layout, stones, each)), None)
            if column is None:
                break
            stones = after_stone(stones, landing_cells(layout, stones) & layout.column(column))
            game += chr(ord("a") + column)
        else:
            found[game] = None
    return list(found)


def is_quiet(layout: Layout, stones: Stones, column: int) -> bool:
    """Return whether nobody can win at once after a stone in a column, and there is room."""
    cell = landing_cells(layout, stones) & layout.column(column)
    if not cell:
        return False
    after = after_stone(stones, cell)
    landing = landing_cells(layout, after)
    wins = winning_cells(layout, after.own) | winning_cells(layout, after.rival)
    return bool(landing) and not wins & landing


@cache
def references(rows: int, columns: int, count: int, empty: int) -> dict[str, int]:
    """Return `quiet_games` and who wins after them by papan, for the side to move."""
    workspace = take_workspace(rows, columns, MEMORY)
    prover = Connect4Prover(SearchTeam(workspace, 1), lambda nodes: None)
    found = {}
    for game in quiet_games(rows, columns, count, empty):
        stones = Stones(0, 0)
        for letter in game:
            landing = landing_cells(workspace.layout, stones)
            stones = after_stone(stones, landing & workspace.layout.column(ord(letter) - ord("a")))
        workspace.clear(stones)
        found[game] = sign(prover.score(prover.begin(stones)))
    return found


def assert_agrees(program: Path, board: tuple[int, int], count: int, empty: int) -> None:
    """Check the values of *count* random positions with at most *empty* empty cells."""
    expected = references(*board, count, empty)
    assert {-1, 1} <= set(expected.values()) <= {-1, 0, 1}
    for name, words in WAYS.items():
        result = run(program, "check", "--table-bits", "14", *words, given="\n".join(expected))
        found = dict(line.split() for line in result.stdout.splitlines())
        assert {game: int(value) for game, value in found.items()} == expected, name


def test_values_are_those_of_papan_in_every_way(prover: Path) -> None:
    assert_agrees(prover, (5, 6), 500, 18)


@pytest.mark.parametrize(
    ("board", "count", "empty", "level"),
    [
        ((8, 10), 40, 16, "-O0"),  # to compile takes longest
        *(
            pytest.param(each, 500, 18, "-O1", marks=pytest.mark.slow)
            for each in [(4, 5), (7, 8), (8, 10)]
        ),
    ],
    ids=str,
)
def test_values_on_boards_of_any_size_are_those_of_papan(
    board: tuple[int, int], count: int, empty: int, level: str, programs: Path
) -> None:
    assert_agrees(built(programs, *board, level), board, count, empty)


def proved(program: Path, goal: int, folder: Path, *words: str) -> str:
    """Return what the prover says in the end; the raw proof lies in the folder."""
    fixed = ["--goal", str(goal), "--table-bits", "12", "--budget", "60", "--first-budget", "6"]
    result = run(program, "solve", *fixed, "--proof", str(folder / f"{goal}.raw"), *words)
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


def is_whole(folder: Path, board: tuple[int, int], claims: dict[tuple[int, int], Path]) -> bool:
    """Write a certificate, and return whether all of it is as claimed."""
    target = folder / "found.proof"
    write_certificate(*board, claims, target)
    with local_executor(0) as executor:
        *_, result = ProofChecker(target, folder / "log.jsonl", "papan", 16).check(executor)
    wanted = [ProofClaim(*claim) for claim in claims]
    return result.whole and [each.claim for each in ProofCertificate.read(target).proofs] == wanted


@pytest.mark.parametrize(
    "words", [[], ["--threads", "3"], ["--cancel", "0", "--forget", "0"]], ids=str
)
def test_a_draw_is_proved_for_both_and_papan_agrees(
    words: list[str], prover: Path, tmp_path: Path
) -> None:
    assert "goal 0: yes" in proved(prover, 0, tmp_path, *words)
    assert "goal 1: no" in proved(prover, 1, tmp_path, *words)
    claims = {(0, 0): tmp_path / "0.raw", (1, 0): tmp_path / "1.raw"}
    assert is_whole(tmp_path, (5, 6), claims)


def test_a_full_tree_drops_what_no_proof_needs(prover: Path, tmp_path: Path) -> None:
    most = 300
    said = proved(prover, 1, tmp_path, "--tree-nodes", str(most), "--workers", "8")
    assert "goal 1: no" in said
    sizes = [int(size) for size in re.findall(r"tree (\d+)", said)]
    assert sizes and max(sizes) <= most
    assert int(re.findall(r"garbage (\d+)", said)[-1]) > 0
    assert is_whole(tmp_path, (5, 6), {(1, 0): tmp_path / "1.raw"})


def test_a_stopped_proof_goes_on_with_its_numbers(prover: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    saved = proved(prover, 1, tmp_path, "--most-nodes", "3000", "--save", str(tree))
    assert "goal 1: open" in saved
    assert not (tmp_path / "1.raw").exists()
    loaded = proved(prover, 1, tmp_path, "--load", str(tree))
    numbers = r"proof ([\d.e+]+), disproof ([\d.e+]+)"
    before = [float(each) for each in re.findall(numbers, saved)[-1]]
    after = [float(each) for each in re.findall(numbers, loaded)[0]]
    assert after == pytest.approx(before, rel=0.2)  # steps of a ninth, summed up
    assert "goal 1: no" in loaded
    assert is_whole(tmp_path, (5, 6), {(1, 0): tmp_path / "1.raw"})


def test_a_saved_tree_may_be_cut_to_a_size(prover: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    words = ["--most-nodes", "3000", "--save", str(tree), "--save-nodes", "50"]
    assert "# saved 50 nodes" in proved(prover, 1, tmp_path, *words)
    assert "goal 1: no" in proved(prover, 1, tmp_path, "--load", str(tree))
    assert is_whole(tmp_path, (5, 6), {(1, 0): tmp_path / "1.raw"})


def test_leaves_of_a_proof_are_proved_again_by_shorter_searches(
    prover: Path, tmp_path: Path
) -> None:
    raw = tmp_path / "1.raw"
    patient = ["--budget", "2000", "--first-budget", "2000", "--workers", "8"]
    assert "goal 1: no" in proved(prover, 1, tmp_path, *patient)
    before = raw.rename(tmp_path / "before.raw").stat().st_size
    assert "goal 1: no" in proved(prover, 1, tmp_path, "--reopen", str(tmp_path / "before.raw"))
    assert raw.stat().st_size > before
    assert is_whole(tmp_path, (5, 6), {(1, 0): raw})


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "say solve or check"),
        (["solve", "--gaol", "1"], "there is no option --gaol"),
        (["solve", "--goal"], "--goal needs a value"),
        (["solve", "--goal", "x"], "--goal needs a number, not 'x'"),
        (["solve", "--goal", "2"], "--goal is 1"),
        (["solve", "--table-bits", "40"], "--table-bits is 1 to 32"),
        (["solve", "--moves", "az"], "there is no column 'z'"),
        (["solve", "--moves", "aaaaaa"], "column 'a' is full"),
        (["solve", "--moves", "abab"], None),
        (["solve", "--moves", "ababa"], "somebody can win at once"),
        (["solve", "--load", "/nowhere"], "/nowhere: No such file"),
        (["solve", "--load", str(SOURCE)], "is not a tree of this board and question"),
        (["solve", "--reopen", str(SOURCE)], "is not a proof of this position"),
    ],
    ids=str,
)
def test_bad_words_are_told_in_one_line(words: list[str], why: str | None, prover: Path) -> None:
    small = ["--most-nodes", "100", "--tree-nodes", "1000"] if words else []
    result = run(prover, *words[:1], *small, *words[1:])
    if why is None:
        assert result.returncode in (0, 1)
        return
    assert result.returncode == 2
    assert why in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_one_command_proves_a_board(proof: Path, tmp_path: Path) -> None:
    assert sorted(each.name for each in proof.glob("*.raw.xz")) == ["draw.raw.xz", "win.raw.xz"]
    claims = {(1, 0): proof / "win.raw.xz", (0, 0): proof / "draw.raw.xz"}
    assert is_whole(tmp_path, (5, 6), claims)
