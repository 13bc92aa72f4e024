"""Proofs in parts: what they come to, what they leave out, and what is kept."""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import PapanError, PapanWarning
from papan.core.certificate import ProofCertificate
from papan.lab.prove import (
    MarginBounds,
    ProofNode,
    ProofTree,
    SplitProof,
    granted,
    locked,
    log_of,
    split,
)
from papan.lab.work import Executor, local_executor, run_timed
from papan.process.lines import ProcessEndedError
from tests.waiting import LONGEST_WAIT, until

BOARDS = ["tictactoe", "dots:2,2", "connect4:4,4", "adjacency:4,4,2"]


def proved(path: Path, game: str, plies: int | None = None, most: int = 10**6) -> SplitProof:
    """A proof that was worked on until so many parts have answered."""
    proof = SplitProof(path, papan.position(game), plies)
    with local_executor(0) as executor:
        steps = proof.run(executor, "papan")
        for _ in zip(range(most), steps):
            pass
    return proof


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("proofs") / "a.proof"
    proved(path, "connect4:4,4")
    return path


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    path = tmp_path / "copy.proof"
    path.write_bytes(finished.read_bytes())
    log_of(path).write_bytes(log_of(finished).read_bytes())
    return path


def rewritten(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the lines of a proof's log."""
    lines = [json.loads(line) for line in log_of(path).read_text().splitlines()]
    for line in lines:
        change(line)
    log_of(path).write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize(("game", "plies"), [*zip(BOARDS, (2, 3, 4, 1))])
def test_a_proof_comes_to_the_value_that_the_solver_finds(
    tmp_path: Path, game: str, plies: int
) -> None:
    proof = proved(tmp_path / "a.proof", game, plies)
    value = papan.solve(game).value
    assert proof.tree.root.bounds == (value, value)
    assert proof.left().most_parts == 0


def test_parts_that_are_not_needed_are_left_out(finished: Path) -> None:
    proof = SplitProof(finished, papan.position("connect4:4,4"))
    assert proof.tree.settled
    assert 0 < len(proof.asked) < len(proof.tree.parts) / 2


def test_the_library_proves_as_the_command_does(tmp_path: Path) -> None:
    found = papan.prove("tictactoe", tmp_path / "a.proof", plies=1)
    assert (found.low, found.high) == (0, 0)


@pytest.mark.parametrize(
    "game", [*BOARDS, "tictactoe:3,4,3", "dots:1,2", "connect4:4,5", "onet:4,4,seed=3"]
)
def test_images_of_a_position_are_one_and_worth_the_same(game: str) -> None:
    rng, position = random.Random(7), papan.position(game)
    while not position.is_over:
        image = position.image()
        assert image.image() == image
        assert image.turn == position.turn
        assert image.scores() == position.scores()
        assert len(image.moves()) == len(position.moves())
        if len(position.moves()) < 9:
            assert papan.solve(image).value == papan.solve(position).value
        after = {position.child(move).image() for move in position.moves()}
        assert after == {image.child(move).image() for move in image.moves()}
        position = position.child(rng.choice(position.moves()))


def test_symmetric_parts_are_counted_once() -> None:
    tree = ProofTree(papan.position("tictactoe"))
    sizes = []
    for _ in range(4):
        assert tree.grow(10**6)
        sizes.append(len(tree.parts))
    assert sizes == [3, 12, 38, 108], "as everybody has counted them"


@pytest.mark.parametrize("game", ["connect4:4,5", "dots:2,3"])
def test_a_goal_is_decided_as_the_value_says(game: str) -> None:
    rng, position = random.Random(3), papan.position(game)
    while not position.is_over:
        value = papan.solve(position, book=False).value
        assert value is not None
        for goal in (value - 1, value, value + 1):
            found = papan.solve(position, goal=goal, book=False)
            low, high = found.bounds or (-99, 99)
            assert low <= value <= high
            assert (low >= goal) if goal <= value else (high < goal)
        for _ in range(3):
            if not position.is_over:
                position = position.child(rng.choice(position.moves()))


def test_what_was_answered_is_never_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "a.proof"
    begun = proved(path, "connect4:4,4", most=8)
    assert not begun.tree.settled
    log = log_of(path)
    with log.open("ab") as file:  # a line that a kill has cut short
        file.write(b'{"unit": "connect4:4,4 ..../..../')
    before = log.read_bytes().splitlines()[:9]
    assert not path.exists(), "there is no proof before there is one"
    again = SplitProof(path, papan.position("connect4:4,4"))
    assert again.tree.root.bounds == begun.tree.root.bounds
    assert {str(part.position) for part in again.asked} == {
        str(part.position) for part in begun.asked
    }
    whole = proved(path, "connect4:4,4")
    assert whole.tree.root.bounds == (0, 0)
    assert log.read_bytes().splitlines()[:9] == before, "what was found stays"
    alone = proved(tmp_path / "alone.proof", "connect4:4,4")
    assert whole.log.found.keys() == alone.log.found.keys(), "the stop has cost nothing"
    done = log.read_bytes(), path.read_bytes()
    proved(path, "connect4:4,4")
    assert (log.read_bytes(), path.read_bytes()) == done, "a proof that is done is done"


def test_several_workers_never_have_the_same_part(tmp_path: Path) -> None:
    handed_out: list[str] = []
    waiting: dict[Future[Any], Any] = {}

    def submit(item: Any) -> Future[Any]:
        _, text, goal, *_ = item.arguments
        assert text not in {other.arguments[1] for other in waiting.values()}
        future: Future[Any] = Future()
        waiting[future] = item
        handed_out.append(f"{text} {goal}")
        if len(waiting) == 3:
            for each, other in list(waiting.items()):
                each.set_result(run_timed(other))
            waiting.clear()
        return future

    proof = SplitProof(tmp_path / "a.proof", papan.position("connect4:4,4"))
    for _ in proof.run(Executor(submit, lambda: 3), "papan"):
        pass
    assert proof.tree.root.bounds == (0, 0)
    assert len(handed_out) == len(set(handed_out)), "all were easy: one try each"


def test_a_process_that_is_lost_costs_one_question(tmp_path: Path) -> None:
    answers = 0

    def submit(item: Any) -> Future[Any]:
        nonlocal answers
        future: Future[Any] = Future()
        if answers % 2:
            future.set_result(run_timed(item))
        else:
            future.set_exception(ProcessEndedError("killed"))
        answers += 1
        return future

    proof = SplitProof(tmp_path / "a.proof", papan.position("connect4:4,4"))
    for _ in proof.run(Executor(submit, lambda: 1), "papan"):
        pass
    assert proof.tree.root.bounds == (0, 0)

    def lose(item: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(ProcessEndedError("killed"))
        return future

    proof = SplitProof(tmp_path / "lost.proof", papan.position("connect4:4,4"))
    with pytest.raises(PapanError, match="have ended 3 times"):
        next(proof.run(Executor(lose, lambda: 1), "papan"))


def test_a_part_that_is_too_hard_is_granted_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.lab.prove.FIRST_NODES", 10)
    proof = proved(tmp_path / "a.proof", "connect4:4,5", plies=2)
    assert proof.tree.root.bounds == (0, 0)
    assert max(part.level for part in proof.asked) > 1


def test_what_is_left_is_told_with_its_doubt(tmp_path: Path) -> None:
    begun = proved(tmp_path / "few.proof", "connect4:4,5", most=5).left()
    assert 0 < begun.least_parts <= begun.most_parts <= 177
    assert begun.most_seconds == float("inf"), "nobody knows, after five"
    proof = proved(tmp_path / "more.proof", "dots:2,3", most=30)
    for part in proof.asked:
        part.seconds = 2.0
    left = proof.left()
    assert left.each is not None
    assert (left.each.low, left.each.high) == (2, 2)
    assert left.least_seconds >= 2 * left.least_parts
    assert left.most_seconds >= 2 * left.most_parts


def test_z10_forged_answers_are_ignored_with_a_warning(copy: Path) -> None:
    part = next(iter(answers_of(copy)))

    def forge(line: dict[str, Any]) -> None:
        if line.get("unit") == part:
            line["found"] |= {"low": 1, "high": 1}

    root, before = papan.position("connect4:4,4"), len(answers_of(copy))
    rewritten(copy, forge)
    with pytest.warns(PapanWarning, match=r"answers? in .* not found out by you"):
        proof = SplitProof(copy, root)
    assert part not in proof.log.found
    assert len(proof.log.found) == before - 1
    assert part in SplitProof(copy, root, trust=True).log.found, "whoever trusts it believes it"


def test_z10_the_proof_of_a_stranger_is_proved_again(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another user"))
    with pytest.warns(PapanWarning, match=r"answers in .* were not found out by you"):
        proof = SplitProof(copy, papan.position("connect4:4,4"))
    assert not proof.tree.settled
    assert not proof.log.found


def test_z10_an_answer_of_another_proof_is_none_of_this(copy: Path) -> None:
    """Parts of a larger split may have the same positions, and say something else of them."""

    def move(line: dict[str, Any]) -> None:
        if "plies" in line:
            line["plies"] = 3

    rewritten(copy, move)
    with pytest.warns(PapanWarning, match="not found out by you"):
        assert not SplitProof(copy, papan.position("connect4:4,4"), 3).log.found


HEAD = {"proof": "connect4:4,4 ..../..../..../.... x", "plies": 2}
PART = {"low": 0, "high": 0, "level": 0, "nodes": 1, "seconds": 0}


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (HEAD | {"proof": 5}, PART),
        (HEAD | {"plies": 10**9}, PART),
        (HEAD | {"plies": 0}, PART),
        (HEAD | {"plies": "4"}, PART),
        (HEAD | {"plies": True}, PART),
        (HEAD, []),
        (HEAD, None),
        (HEAD, PART | {"low": "0"}),
        (HEAD, PART | {"low": float("nan")}),
        (HEAD, PART | {"high": float("inf")}),
        (HEAD, {"low": 0, "high": 0}),
        (HEAD, PART | {"level": None}),
        (HEAD, PART | {"nodes": "many"}),
    ],
)
def test_z10_what_is_not_in_the_form_of_a_proof_is_none(
    tmp_path: Path, head: dict[str, Any], found: Any
) -> None:
    path = tmp_path / "a.proof"
    line = {"unit": "connect4:4,4 ..../..../..../xo.. x", "found": found, "seconds": 0}
    log_of(path).write_text(json.dumps(head) + "\n" + json.dumps(line) + "\n")
    with pytest.raises(PapanError, match="There is no log of a proof in"):
        SplitProof(path, papan.position("connect4:4,4"), trust=True)


def answers_of(path: Path) -> dict[str, Any]:
    lines = [json.loads(line) for line in log_of(path).read_text().splitlines()[1:]]
    return {line["unit"]: line["found"] for line in lines}


def test_a_file_of_another_proof_is_left_alone(copy: Path, tmp_path: Path) -> None:
    before = copy.read_bytes(), log_of(copy).read_bytes()
    with pytest.raises(PapanError, match="holds the proof of 'connect4:4,4"):
        SplitProof(copy, papan.position("connect4:4,5"))
    with pytest.raises(PapanError, match="split after 4 moves"):
        SplitProof(copy, papan.position("connect4:4,4"), 3)
    assert (copy.read_bytes(), log_of(copy).read_bytes()) == before
    other = tmp_path / "diary.txt"
    other.write_text("Dear diary\n")
    with pytest.raises(PapanError, match="There is no proof in"):
        SplitProof(other, papan.position("connect4:4,4"))
    assert other.read_text() == "Dear diary\n"


def test_too_many_parts_are_refused_before_they_take_all_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("papan.lab.prove.MOST_PARTS", 100)
    with pytest.raises(PapanError, match="more than 100 parts; after 3 it has fewer: --plies 3"):
        split(papan.position("tictactoe"), 4)


ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@pytest.mark.slow
def test_killed_at_any_point_it_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.proof"
    words = ["prove", "dots:3,3", "--file", str(path), "--workers", "2", "--json"]
    command = [sys.executable, "-P", "-m", "papan", *words]
    with subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.DEVNULL) as process:
        log = log_of(path)
        until(lambda: log.exists() and log.read_bytes().count(b"\n") >= 5)
        process.send_signal(signal.SIGKILL)
    kept = log.read_bytes().rpartition(b"\n")[0]
    ran = subprocess.run(
        command, env=ENVIRONMENT, capture_output=True, timeout=LONGEST_WAIT, check=True
    )
    facts = json.loads(ran.stdout)
    assert (facts["low"], facts["high"], facts["exact"]) == (-3, -3, True)
    assert log.read_bytes().startswith(kept)
    assert ProofCertificate.read(path).bounds(0, 9) == (-3, -3)


@pytest.mark.slow
def test_a_cluster_proves_the_same(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    from papan.lab.tournament.run import cluster

    proof = SplitProof(tmp_path / "a.proof", papan.position("connect4:4,4"))
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as workers,
        cluster(workers.scheduler_address, run_timed) as executor,
    ):
        for _ in proof.run(executor, "papan"):
            pass
    assert proof.tree.root.bounds == (0, 0)


@pytest.mark.parametrize(("plies", "goal"), [(1, 0), (2, 1)])
def test_a_rival_is_asked_for_the_least_that_would_refute_the_goal(
    tmp_path: Path, plies: int, goal: float
) -> None:
    proof = SplitProof(tmp_path / "a.proof", papan.position("tictactoe"), plies)
    asked = proof._question("papan", 256, ())
    assert asked is not None and proof.tree.goal == 1
    (part, sought), _ = asked
    assert (part.mine, sought) == (plies == 2, goal)


def test_bounds_are_turned_cut_and_compared_with_a_goal() -> None:
    bounds = MarginBounds(-1, 3)
    assert (bounds.turned(True), bounds.turned(False)) == (MarginBounds(-3, 1), bounds)
    assert bounds.within(MarginBounds(0, 9)) == (0, 3)
    assert bounds.within(MarginBounds(-9, 0)) == (-1, 0)
    assert [bounds.open(goal) for goal in (-1, 0, 3, 4)] == [False, True, True, False]
    assert MarginBounds().json() == {"low": None, "high": None}
    for each in (MarginBounds(), bounds, MarginBounds(low=0)):
        assert MarginBounds.read(each.json()) == each
    with pytest.raises(KeyError):
        MarginBounds.read({"low": 1})


@pytest.mark.parametrize(
    ("low", "high", "goal"),
    [(-9, 9, 1), (0, 9, 1), (1, 9, 2), (-9, 0, 0), (-9, -2, -2), (3, 3, 3)],
)
def test_a_win_is_the_first_goal_and_then_a_point_more_than_is_proved(
    low: float, high: float, goal: float
) -> None:
    tree = ProofTree(papan.position("dots:3,3"))
    assert tree.root.bounds == (-9, 9)
    tree.root.bounds = MarginBounds(low, high)
    assert (tree.goal, tree.settled) == (goal, low == high)


def test_a_part_that_was_too_hard_is_granted_eight_times_as_much() -> None:
    assert [granted(level) for level in range(3)] == [1_000_000, 8_000_000, 64_000_000]


def small_tree() -> tuple[ProofTree, dict[str, ProofNode]]:
    """Ours to move at the root, the rival's in *a* and *b*; *b* is a part, as *c* and *d* are.

    ::

        root -+- a -+- c
              |     +- d
              +- b
    """
    tree = ProofTree(papan.position("tictactoe"))
    position, bounds = tree.root.position, tree.root.bounds
    nodes = {name: ProofNode(position, name in "cd", bounds) for name in "abcd"}
    nodes["a"].children = [nodes["c"], nodes["d"]]
    tree.root.children = [nodes["a"], nodes["b"]]
    tree.nodes = [tree.root, *nodes.values()]
    tree.parts = {name: nodes[name] for name in "bcd"}
    return tree, nodes


WON, NOT_WON = MarginBounds(1, 1), MarginBounds(-1, 0)


@pytest.mark.parametrize(
    ("known", "inner", "root", "open_parts"),
    [
        ({}, (7, 3), (7, 13), "bcd"),
        ({"c": WON}, (4, 4), (4, 14), "bd"),
        ({"d": NOT_WON}, (float("inf"), 0), (10, 10), "bc"),
        ({"b": NOT_WON}, (7, 3), (7, 3), "cd"),
        ({"c": WON, "b": WON}, (4, 4), (0, float("inf")), "d"),
    ],
)
def test_proofs_cost_the_best_of_ours_and_all_of_the_rivals(
    known: dict[str, MarginBounds],
    inner: tuple[float, float],
    root: tuple[float, float],
    open_parts: str,
) -> None:
    """Parts cost 10, 3 and 4; the bounds of inner positions are not folded."""
    tree, nodes = small_tree()
    for name, bounds in known.items():
        nodes[name].bounds = bounds
    costs = {id(nodes[name]): cost for name, cost in zip("bcd", (10, 3, 4))}
    tree.count(lambda part: costs[id(part)])
    assert (nodes["a"].proof, nodes["a"].disproof) == inner
    assert (tree.root.proof, tree.root.disproof) == root
    found = {id(part) for part in tree.open_parts()}
    assert found == {id(nodes[name]) for name in open_parts}


@pytest.mark.parametrize(
    ("known", "bounds"),
    [
        ({}, (-1, 1)),
        ({"c": WON, "d": MarginBounds(0, 1)}, (0, 1)),
        ({"c": NOT_WON}, (-1, 1)),
        ({"c": NOT_WON, "b": MarginBounds(-1, -1)}, (-1, 0)),
        ({"b": WON}, (1, 1)),
    ],
)
def test_bounds_come_up_to_the_root_as_minimax_has_them(
    known: dict[str, MarginBounds], bounds: tuple[float, float]
) -> None:
    tree, nodes = small_tree()
    for name, found in known.items():
        nodes[name].bounds = found
    tree.fold()
    assert tree.root.bounds == bounds


@pytest.mark.parametrize(
    ("busy", "levels", "chosen"),
    [
        ("", {}, "b"),
        ("b", {}, "c"),
        ("bc", {}, "d"),
        ("bcd", {}, None),
        ("", {"b": 1}, "b"),
        ("", {"b": 2, "c": 1}, "c"),
        ("", {"b": 2, "c": 1, "d": 1}, "c"),
        ("", {"c": 0, "b": 1, "d": 0}, "c"),
        ("bd", {"c": 5}, "c"),
    ],
)
def test_the_part_is_searched_where_the_least_may_decide(
    busy: str, levels: dict[str, int], chosen: str | None
) -> None:
    """*b* alone would win, else *c* and *d* together; what was tried in vain costs eightfold."""
    tree, nodes = small_tree()
    for name, level in levels.items():
        nodes[name].level, nodes[name].nodes = level, 1
    found = tree.promising([nodes[name] for name in busy])
    assert found is (None if chosen is None else nodes[chosen])


@pytest.mark.parametrize(
    ("position", "plies", "key"),
    [
        ("onet:2,6,3", 2, "prove.not_for_two"),
        ("tictactoe a1 b1 a2 b2 a3", 2, "prove.over"),
        ("tictactoe", 0, "prove.bad_plies"),
        ("tictactoe", 101, "prove.bad_plies"),
    ],
)
def test_what_cannot_be_split_is_told(position: str, plies: int, key: str) -> None:
    with pytest.raises(PapanError) as refused:
        split(papan.position(position), plies)
    assert refused.value.key == key


def test_a_split_ends_with_the_last_line_and_stays_small_by_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = split(papan.position("dots:1,1"), 100)
    assert (whole.plies, whole.parts) == (4, {})
    assert split(papan.position("tictactoe"), None).plies == 4
    monkeypatch.setattr("papan.lab.prove.USUAL_PARTS", 38)
    assert split(papan.position("tictactoe"), None).plies == 3
    monkeypatch.setattr("papan.lab.prove.USUAL_PARTS", 37)
    assert split(papan.position("tictactoe"), None).plies == 2


def test_a_log_is_locked_for_one_run_at_a_time(tmp_path: Path) -> None:
    log = tmp_path / "a.proof.jsonl"
    with locked(log), locked(log):
        pass  # there is none yet
    log.touch()
    with locked(log), pytest.raises(PapanError) as refused, locked(log):
        pass
    assert refused.value.key == "prove.running"
    with locked(log):
        pass
