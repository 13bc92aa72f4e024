"""Certificates: every position of a proof is checked, and whatever is forged is found."""

import json
import lzma
import random
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

import papan
from papan.core import PapanError, Position, margin
from papan.core.certificate import (
    LEAF_ENTRY,
    MOST_POSITIONS,
    CertificateError,
    ClaimProof,
    ProofCertificate,
    ProofClaim,
)
from papan.lab import check
from papan.lab.check import Leaf, LeafCount, ProofCheck, ProofChecker
from papan.lab.prove import SplitProof
from papan.lab.work import Executor, local_executor, run_timed

GAMES = {"connect4:4,4": 4, "tictactoe": 3, "dots:2,2": 4, "adjacency:4,4,2": 1}
"""Games and the plies after which their proofs are split."""


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ProofCertificate]:
    """What `papan prove` writes for a board of each game."""
    folder, found = tmp_path_factory.mktemp("proofs"), {}
    for number, (game, plies) in enumerate(GAMES.items()):
        proof = SplitProof(folder / f"{number}.proof", papan.position(game), plies)
        with local_executor(0) as executor:
            for _ in proof.run(executor, "papan"):
                pass
        found[game] = ProofCertificate.read(proof.path)
    return found


@pytest.fixture
def board(certificates: dict[str, ProofCertificate]) -> ProofCertificate:
    return certificates["connect4:4,4"]


def checked(certificate: ProofCertificate, folder: Path, samples: int = 0) -> ProofCheck:
    path = folder / "a.proof"
    path.write_bytes(certificate.data())
    with local_executor(0) as executor:
        *_, last = ProofChecker(path, folder / "log.jsonl", "papan", 16, samples).check(executor)
    return last


def entries(proof: ClaimProof) -> list[int]:
    assert max(proof.packed) < 128, "these boards have few moves: an entry is a byte"
    return list(proof.packed)


def with_entries(certificate: ProofCertificate, changed: list[int]) -> ProofCertificate:
    """The certificate with other entries of its first claim, and sizes that fit them."""
    first, *rest = certificate.proofs
    count, leaves = len(changed), changed.count(LEAF_ENTRY)
    forged = replace(first, positions=count, leaves=leaves, packed=bytes(changed))
    return replace(certificate, proofs=(forged, *rest))


def plain_value(position: Position, seen: dict[Position, float]) -> float:
    """The value for the seat to move by minimax over the rules: the judge of these tests."""
    if position not in seen:
        if position.is_over:
            return margin(position, position.turn)
        after = [position.child(move) for move in position.moves()]
        seen[position] = max(
            plain_value(each, seen) * (1 if each.turn == position.turn else -1) for each in after
        )
    return seen[position]


@pytest.mark.parametrize("game", GAMES)
def test_what_papan_prove_writes_is_checked_to_the_last_leaf(
    certificates: dict[str, ProofCertificate], game: str, tmp_path: Path
) -> None:
    certificate = certificates[game]
    result = checked(certificate, tmp_path)
    assert result.whole
    assert result.inner + len(result.leaves) == certificate.positions
    assert result.found.proved == len(result.leaves) == certificate.leaves
    value = papan.solve(game).value
    most = papan.position(game).game.largest_margin
    assert certificate.bounds(papan.position(game).turn, most) == (value, value)


@pytest.mark.thorough
def test_every_position_of_a_proof_is_as_claimed_by_plain_minimax(board: ProofCertificate) -> None:
    seen: dict[Position, float] = {}
    root = papan.position(board.position)
    for proof in board.proofs:
        for position, _ in proof.walk(root):
            value = plain_value(position, seen)
            assert proof.claim.decided(position, value, value)


def test_play_by_a_proof_never_ends_below_its_claim(board: ProofCertificate) -> None:
    root, rng, seen = papan.position(board.position), random.Random(1), dict[Position, float]()
    for proof in board.proofs:
        strategy = dict(proof.walk(root))
        for _ in range(50):
            position = root.image()
            while not position.is_over and strategy.get(position, LEAF_ENTRY) != LEAF_ENTRY:
                mine = position.turn == proof.claim.seat
                moves = position.moves()
                move = moves[strategy[position] - 1] if mine else rng.choice(moves)
                position = position.child(move).image()
            value = plain_value(position, seen)
            assert proof.claim.decided(position, value, value)


def test_leaves_are_also_proved_without_theory(board: ProofCertificate, tmp_path: Path) -> None:
    result = checked(board, tmp_path, samples=5)
    assert len(result.sample) == 5
    assert (result.plain.proved, result.plain.false) == (5, [])


def test_an_error_of_the_theory_cannot_hide(
    board: ProofCertificate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A solver that believes everything passes a false proof; plain alpha-beta does not."""

    def believing(catalog: str, leaves: object, nodes: int | None, memory: int) -> object:
        return {"false": [], "undecided": [], "nodes": 0, "seconds": 0.0}

    monkeypatch.setattr(check, "decide_leaves", believing)
    (first, *_) = board.proofs
    false = replace(
        first, claim=ProofClaim(0, 1), positions=1, leaves=1, packed=bytes([LEAF_ENTRY])
    )
    forged = replace(board, proofs=(false,))
    assert checked(forged, tmp_path).whole
    assert checked(forged, tmp_path, samples=1).refutes


def test_a_flipped_status_is_found(board: ProofCertificate, tmp_path: Path) -> None:
    first, second = board.proofs
    flipped = replace(first, claim=ProofClaim(1 - first.claim.seat, 1))
    assert checked(replace(board, proofs=(flipped, second)), tmp_path).refutes
    higher = replace(first, claim=ProofClaim(first.claim.seat, 1))
    assert checked(replace(board, proofs=(higher, second)), tmp_path).refutes


def test_an_inner_position_that_is_called_a_leaf_is_solved_or_left_over(
    board: ProofCertificate, tmp_path: Path
) -> None:
    found = entries(board.proofs[0])
    inner = next(place for place, entry in enumerate(found) if entry != LEAF_ENTRY and place)
    found[inner] = LEAF_ENTRY
    result = checked(with_entries(board, found), tmp_path)
    assert result.refutes
    assert result.refuted is not None
    assert result.refuted.key in ("prove.left_over", "prove.no_such_entry", "prove.refuted")


def test_a_missing_reply_is_found(board: ProofCertificate, tmp_path: Path) -> None:
    found = entries(board.proofs[0])
    for place in range(len(found)):
        missing = found[:place] + found[place + 1 :]
        result = checked(with_entries(board, missing), tmp_path)
        assert result.refutes or _is_another_proof(result), f"entry {place} is not missed"


def _is_another_proof(result: ProofCheck) -> bool:
    """Without an entry the others mean something else, which may happen to be true."""
    return all(
        each.claim.decided(position, value, value)
        for each in result.certificate.proofs
        for position, _ in each.walk(result.position)
        for value in [plain_value(position, {})]
    )


def test_a_false_leaf_is_found(board: ProofCertificate, tmp_path: Path) -> None:
    root = papan.position(board.position)
    claim = ProofClaim(0, 1)  # a draw, in truth
    forged = ClaimProof.written(root, claim, lambda position: LEAF_ENTRY if position != root else 2)
    result = checked(replace(board, proofs=(forged,)), tmp_path)
    assert result.refuted is None, "the rules alone cannot know"
    (leaf,) = result.found.false
    assert leaf == (claim, str(root.child(1).image()))


def test_a_position_out_of_nowhere_is_found(board: ProofCertificate, tmp_path: Path) -> None:
    found = [*entries(board.proofs[0]), LEAF_ENTRY]
    result = checked(with_entries(board, found), tmp_path)
    assert result.refuted is not None
    assert result.refuted.key == "prove.left_over"
    assert str(result.refuted) == "The proof has 1 entry that no position asks for."


def test_a_game_that_is_lost_is_found(board: ProofCertificate, tmp_path: Path) -> None:
    """Whoever follows moves that lose is refuted by the rules, whatever the file says of leaves."""
    root = papan.position("connect4:4,4 4 1 4 1 4")  # x has three in column 4, and o plays 2
    assert root.image() == root
    follows = ClaimProof(ProofClaim(1, 0), positions=5, leaves=3, packed=bytes([2, 1, 0, 0, 0]))
    result = checked(replace(board, position=str(root), proofs=(follows,)), tmp_path)
    assert result.refuted is not None
    assert result.refuted.key == "prove.refuted"


def test_entries_that_no_move_has_are_found(board: ProofCertificate, tmp_path: Path) -> None:
    for entry in (9, 127):
        for place in (0, 1):
            found = entries(board.proofs[0])
            found[place] = entry
            result = checked(with_entries(board, found), tmp_path)
            assert result.refuted is not None
            assert result.refuted.key == "prove.no_such_entry"


def test_an_entry_that_goes_on_for_megabytes_is_found_at_its_fourth_byte(
    board: ProofCertificate, tmp_path: Path
) -> None:
    """It was added up to a number of millions of digits, which took minutes and then failed."""
    for packed in (b"\xff" * 5_000_000 + b"\1", b"\x81\x80\x80\0", b"\x81"):
        endless = replace(board.proofs[0], positions=1, leaves=0, packed=packed)
        result = checked(replace(board, proofs=(endless,)), tmp_path)
        assert result.refuted is not None
        assert result.refuted.key == "prove.bad_entry"


def test_half_an_entry_at_the_end_is_found(board: ProofCertificate, tmp_path: Path) -> None:
    first, second = board.proofs
    longer = replace(first, packed=first.packed + b"\x80")
    result = checked(replace(board, proofs=(longer, second)), tmp_path)
    assert result.refuted is not None
    assert result.refuted.key == "prove.bad_entry"


def test_a_claim_about_a_puzzle_for_one_is_refused(tmp_path: Path) -> None:
    leaf = ClaimProof(ProofClaim(0, 0), positions=1, leaves=1, packed=bytes([LEAF_ENTRY]))
    with pytest.raises(PapanError) as error:
        checked(ProofCertificate("onet:2,3 1,2,2/1,3,3", "by hand", (leaf,)), tmp_path)
    assert error.value.key == "prove.not_for_two"


def test_wrong_counts_are_found(board: ProofCertificate, tmp_path: Path) -> None:
    first, second = board.proofs
    for said in (
        replace(first, leaves=first.leaves - 1),
        replace(first, positions=first.positions - 1, leaves=first.leaves - 1),
    ):
        result = checked(replace(board, proofs=(said, second)), tmp_path)
        assert result.refuted is not None
        assert result.refuted.key == "prove.miscounted"


def test_a_file_cut_short_is_no_proof(board: ProofCertificate, tmp_path: Path) -> None:
    data, path = board.data(), tmp_path / "a.proof"
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(CertificateError):
            ProofCertificate.read(path)
    path.write_bytes(data + b"x")
    with pytest.raises(CertificateError):
        ProofCertificate.read(path)
    path.write_bytes(data)
    assert ProofCertificate.read(path) == board


def heads(board: ProofCertificate) -> Iterator[object]:
    """First lines that are no certificate's, or claim what cannot be."""
    good = json.loads(board.data().partition(b"\n")[0])
    claim = good["claims"][0]
    yield from ([], 5, None, {}, good | {"form": 2}, good | {"position": 5}, good | {"claims": []})
    yield good | {"claims": [claim] * 3}
    wrongs: dict[str, list[object]] = {
        "seat": [2, -1, True, "0", None],
        "least": ["1", None, float("nan"), float("inf"), 0.5, 1e308, -(10**400)],
        "positions": [-1, 1.0, 10**18, "7", True],
        "leaves": [-1, claim["positions"] + 1],
        "bytes": [claim["positions"] - 1, 3 * MOST_POSITIONS + 1, None],
    }
    for key, wrong in wrongs.items():
        yield from (good | {"claims": [claim | {key: each}]} for each in wrong)


def test_no_first_line_is_trusted(board: ProofCertificate, tmp_path: Path) -> None:
    path, rest = tmp_path / "a.proof", board.data().partition(b"\n")[2]
    for head in heads(board):
        path.write_bytes(json.dumps(head).encode() + b"\n" + rest)
        with pytest.raises(CertificateError):
            ProofCertificate.read(path)
    path.write_bytes(b"[" * 9_000 + b"\n" + rest)
    with pytest.raises(CertificateError):
        ProofCertificate.read(path)


def test_a_small_file_that_unpacks_to_much_is_refused_at_its_size(
    board: ProofCertificate, tmp_path: Path
) -> None:
    path, head = tmp_path / "a.proof", board.data().partition(b"\n")[0]
    path.write_bytes(head + b"\n" + lzma.compress(bytes(50_000_000)))
    with pytest.raises(CertificateError, match="cut short or too long"):
        ProofCertificate.read(path)


def test_entries_of_games_with_many_moves_are_read_back() -> None:
    root = papan.position("tictactoe:15,15,5")
    proof = ClaimProof.written(
        root, ProofClaim(0, 0), lambda position: 200 if position == root.image() else LEAF_ENTRY
    )
    assert len(proof.packed) == 3
    assert [entry for _, entry in proof.walk(root)] == [200, LEAF_ENTRY]


def test_a_check_that_was_stopped_goes_on_with_what_is_missing(
    board: ProofCertificate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "PART_LEAVES", 4)
    path = tmp_path / "a.proof"
    path.write_bytes(board.data())
    checker = ProofChecker(path, tmp_path / "log.jsonl", "papan", 16)
    handed_out: list[str] = []

    def watched(executor: Executor) -> Executor:
        def submit(item: object) -> object:
            handed_out.append(item.name)  # type: ignore[attr-defined]
            return executor.submit(item)

        return Executor(submit, executor.width)  # type: ignore[arg-type]

    with local_executor(0) as executor:
        for result in checker.check(watched(executor)):
            if result.found.decided >= 8:
                break
        before = result.found.decided
        assert not result.whole
        *_, last = checker.check(watched(executor))
    assert last.whole
    assert last.found.logged == before
    assert len(handed_out) == len(set(handed_out)), "no part is solved twice"


def test_hard_leaves_are_solved_alone_and_without_a_limit(
    board: ProofCertificate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "EASY_NODES", 1)
    result = checked(board, tmp_path)
    assert result.whole
    assert not result.found.undecided
    assert (
        b'"leaf 0 ' in (tmp_path / "log.jsonl").read_bytes()
        or b'"leaf 1 ' in (tmp_path / "log.jsonl").read_bytes()
    )


@pytest.mark.slow
def test_a_cluster_checks_the_same(board: ProofCertificate, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    from papan.lab.tournament.run import cluster

    path = tmp_path / "a.proof"
    path.write_bytes(board.data())
    checker = ProofChecker(path, tmp_path / "log.jsonl", "papan", 16, samples=1)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as workers,
        cluster(workers.scheduler_address, run_timed) as executor,
    ):
        *_, result = checker.check(executor)
    assert result.whole
    assert result.plain.proved == 1


LEAVES = [Leaf(ProofClaim(0, 1), name) for name in "abcd"]


def test_leaves_are_counted_as_their_searches_say() -> None:
    count = LeafCount()
    count.add(LEAVES, {"false": [1], "undecided": [3], "nodes": 5, "seconds": 0.5})
    count.add(LEAVES[:1], {"false": [], "undecided": [], "nodes": 7, "seconds": 1.0})
    assert (count.proved, count.false, count.undecided) == (3, [LEAVES[1]], [LEAVES[3]])
    assert (count.nodes, count.seconds, count.decided, count.logged) == (12, 1.5, 4, 0)


@pytest.mark.parametrize(
    ("change", "refutes", "whole"),
    [
        ({}, False, True),
        ({"walked": False}, False, False),
        ({"found": LeafCount(3)}, False, False),
        ({"refuted": PapanError("x")}, True, False),
        ({"found": LeafCount(4, [LEAVES[0]])}, True, False),
        ({"plain": LeafCount(0, [LEAVES[0]])}, True, False),
        ({"plain": LeafCount(0, [], [LEAVES[0]])}, False, True),
    ],
)
def test_a_proof_is_whole_if_all_is_proved_and_nothing_refuted(
    board: ProofCertificate, change: dict[str, object], refutes: bool, whole: bool
) -> None:
    root = papan.position(board.position)
    result = ProofCheck(board, root, 5, LEAVES, walked=True, found=LeafCount(4))
    for name, value in change.items():
        setattr(result, name, value)
    assert (result.refutes, result.whole) == (refutes, whole)


def test_a_log_in_a_folder_is_named_after_its_proof_and_no_other_file_is_taken(
    board: ProofCertificate, tmp_path: Path
) -> None:
    path, logs = tmp_path / "a.proof", tmp_path / "logs"
    path.write_bytes(board.data())
    with local_executor(0) as executor:
        for _ in ProofChecker(path, logs, "papan", 16).check(executor):
            break
        name = sha256(board.data()).hexdigest()[:16]
        assert [each.name for each in logs.iterdir()] == [f"{name}.jsonl"]
        other = tmp_path / "diary.txt"
        other.write_text("Dear diary\n")
        with pytest.raises(PapanError) as refused:
            next(ProofChecker(path, other, "papan", 16).check(executor))
    assert refused.value.key == "prove.no_check" and other.read_text() == "Dear diary\n"
