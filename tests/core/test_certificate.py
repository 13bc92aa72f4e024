"""Certificates: what a claim says, the walk of its proof, and the bytes of its file."""

import json
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import Position
from papan.core.certificate import (
    LARGEST_MARGIN,
    LONGEST_HEAD,
    MOST_POSITIONS,
    CertificateError,
    ClaimProof,
    ProofCertificate,
    ProofClaim,
)

FORK = papan.position("tictactoe oxo/.../x.. x")
"""Its image is ..o/..x/x.o: there x threatens a1 and b2 at once with a2, its third move."""
IMAGE = "tictactoe:3,3,3 ..o/..x/x.o x"
WINS = ProofClaim(0, 1)


def entries(*given: int) -> Callable[[Position], int]:
    left = iter(given)
    return lambda position: next(left)


def refusal(call: Callable[[], object]) -> tuple[str, dict[str, Any]]:
    with pytest.raises(CertificateError) as found:
        call()
    return found.value.key, found.value.values


def test_a_claim_is_reached_from_its_margin_on() -> None:
    won = papan.position("dots:1,1 1111 1 1-0")
    assert [ProofClaim(0, least).reached(won) for least in (0, 1, 2)] == [True, True, False]
    assert [ProofClaim(1, least).reached(won) for least in (-2, -1, 0)] == [True, True, False]


@pytest.mark.parametrize(
    ("seat", "goal", "decisions"),
    [
        (0, 2, {(2, 9): True, (1, 9): None, (-9, 2): None, (-9, 1): False}),
        (1, -1, {(-9, -2): True, (-9, -1): None, (-2, 9): None, (-1, 9): False}),
    ],
)
def test_bounds_decide_a_claim_exactly_at_its_margin(
    seat: int, goal: float, decisions: dict[tuple[float, float], bool | None]
) -> None:
    """Of seat 0, which is to move, and of the other one: bounds are those of the seat to move."""
    claim, position = ProofClaim(seat, 2), papan.position("dots:2,2")
    assert claim.goal(position) == goal
    assert {bounds: claim.decided(position, *bounds) for bounds in decisions} == decisions


def test_a_proof_has_an_entry_for_each_position_that_is_open() -> None:
    proof = ClaimProof.written(FORK, WINS, entries(3, 1))
    assert proof == ClaimProof(WINS, 2, 0, b"\x03\x01")
    assert [(str(each), entry) for each, entry in proof.walk(FORK)] == [
        (IMAGE, 3),
        ("tictactoe:3,3,3 ..o/x.x/x.o o", 1),
    ]
    assert ClaimProof.written(FORK, WINS, entries(0)) == ClaimProof(WINS, 1, 1, b"\x00")
    sure = papan.position("tictactoe xx./oo./... x")  # x can end it at once: no entry
    assert ClaimProof.written(sure, WINS, entries()) == ClaimProof(WINS, 0, 0, b"")


@pytest.mark.parametrize("entry", [127, 128, 144])
def test_an_entry_takes_seven_bits_a_byte(entry: int) -> None:
    packed = {127: b"\x7f\x00", 128: b"\x80\x01\x00", 144: b"\x90\x01\x00"}[entry]
    root = papan.position("dots:8,8")  # it has 144 lines
    proof = ClaimProof.written(root, ProofClaim(0, 0), entries(entry, 0))
    assert proof == ClaimProof(ProofClaim(0, 0), 2, 1, packed)
    assert [each.entry for each in proof.walk(root)] == [entry, 0]


@pytest.mark.parametrize(
    ("given", "key", "values"),
    [
        ((6,), "prove.no_such_entry", {"position": IMAGE, "entry": 6}),
        ((-1,), "prove.no_such_entry", {"position": IMAGE, "entry": -1}),
        ((3, 2), "prove.no_such_entry", {"position": "tictactoe:3,3,3 ..o/x.x/x.o o", "entry": 2}),
    ],
)
def test_an_entry_must_be_one_of_the_moves_or_all(
    given: Sequence[int], key: str, values: dict[str, Any]
) -> None:
    assert refusal(lambda: ClaimProof.written(FORK, WINS, entries(*given))) == (key, values)


def test_a_game_that_ends_below_the_claim_refutes_it() -> None:
    last = papan.position("tictactoe oxo/xxo/xo. x")
    key, values = refusal(lambda: ClaimProof.written(last, WINS, entries(1)))
    assert (key, values) == ("prove.refuted", {"position": "tictactoe:3,3,3 oox/xxo/oxx o"})
    assert ClaimProof.written(last, ProofClaim(0, 0), entries()).positions == 0


@pytest.mark.parametrize(
    ("positions", "leaves", "packed", "key", "values"),
    [
        (2, 0, b"\x03", "prove.cut_short", {"position": "tictactoe:3,3,3 ..o/x.x/x.o o"}),
        (2, 0, b"\x03\x01\x01\x01", "prove.left_over", {"count": 2}),
        (3, 0, b"\x03\x01", "prove.miscounted", {"said": 3, "found": 2}),
        (2, 1, b"\x03\x01", "prove.miscounted", {"said": 2, "found": 2}),
        (2, 0, b"\x03\x81", "prove.bad_entry", {"most": 3}),
        (2, 0, b"\x83\x80\x80\x00", "prove.bad_entry", {"most": 3}),
    ],
)
def test_entries_that_do_not_fit_are_refused(
    positions: int, leaves: int, packed: bytes, key: str, values: dict[str, Any]
) -> None:
    proof = ClaimProof(WINS, positions, leaves, packed)
    assert refusal(lambda: [*proof.walk(FORK)]) == (key, values)


def test_an_entry_of_three_bytes_is_read() -> None:
    proof = ClaimProof(WINS, 2, 0, b"\x83\x80\x00\x01")
    assert [each.entry for each in proof.walk(FORK)] == [3, 1]


def certificate(*claims: ClaimProof) -> ProofCertificate:
    return ProofCertificate("tictactoe", "by hand: \u2265", claims)


FIRST = ClaimProof(ProofClaim(0, 1), 2, 0, b"\x03\x01")
SECOND = ClaimProof(ProofClaim(1, -2), 3, 1, b"\x01\x00\x01")


def test_a_file_is_a_line_and_the_packed_entries_of_all_claims() -> None:
    both = certificate(FIRST, SECOND)
    line, _, rest = both.data().partition(b"\n")
    assert json.loads(line) == {
        "papan": "proof",
        "form": 1,
        "position": "tictactoe",
        "made": "by hand: \u2265",
        "claims": [
            {"seat": 0, "least": 1, "positions": 2, "leaves": 0, "bytes": 2},
            {"seat": 1, "least": -2, "positions": 3, "leaves": 1, "bytes": 3},
        ],
    }
    assert "\u2265".encode() in line
    assert lzma.decompress(rest) == b"\x03\x01\x01\x00\x01"
    assert ProofCertificate.parse(both.data(), Path("a.proof")) == both
    assert (both.positions, both.leaves) == (5, 1)


def test_the_bounds_of_a_seat_are_those_that_a_claim_gives() -> None:
    both, one = certificate(FIRST, SECOND), certificate(FIRST)
    assert [both.bounds(seat, 9) for seat in (0, 1)] == [(1, 2), (-2, -1)]
    assert [one.bounds(seat, 9) for seat in (0, 1)] == [(1, 9), (-9, -1)]
    twice = certificate(FIRST, ClaimProof(ProofClaim(0, 3), 0, 0, b""))
    assert [twice.bounds(seat, 9) for seat in (0, 1)] == [(3, 9), (-9, -3)]


def key_of(data: bytes) -> str:
    """The key of the error for a file; empty if there is none."""
    try:
        ProofCertificate.parse(data, Path("a.proof"))
    except CertificateError as error:
        assert error.values["path"] == Path("a.proof")
        return error.key
    return ""


@pytest.mark.parametrize(
    ("facts", "known"),
    [
        ({"least": LARGEST_MARGIN}, True),
        ({"least": -LARGEST_MARGIN}, True),
        ({"least": 2.0}, True),
        ({"least": LARGEST_MARGIN + 1}, False),
        ({"least": -LARGEST_MARGIN - 1}, False),
        ({"least": 0.5}, False),
        ({"least": True}, False),
        ({"seat": 1}, True),
        ({"seat": 2}, False),
        ({"seat": 1.0}, False),
        ({"leaves": 2}, True),
        ({"leaves": 3}, False),
        ({"leaves": -1}, False),
        ({"positions": 0}, True),
        ({"positions": 3}, False),
        ({"bytes": 2}, True),
        ({"bytes": 3 * MOST_POSITIONS}, True),
        ({"bytes": 3 * MOST_POSITIONS + 1}, False),
        ({"positions": MOST_POSITIONS, "bytes": 3 * MOST_POSITIONS}, True),
        ({"positions": MOST_POSITIONS + 1, "bytes": 3 * MOST_POSITIONS}, False),
    ],
)
def test_the_numbers_of_a_claim_are_believed_up_to_their_limits(
    facts: dict[str, Any], known: bool
) -> None:
    """One that is believed is refused only by the size of the entries, if at all."""
    claim = {"seat": 0, "least": 1, "positions": 2, "leaves": 0, "bytes": 2} | facts
    head = {"papan": "proof", "form": 1, "position": "x", "made": "", "claims": [claim]}
    data = json.dumps(head).encode() + b"\n" + lzma.compress(b"\x03\x01")
    assert (key_of(data) != "prove.no_proof") == known


@pytest.mark.parametrize(("more", "key"), [(0, ""), (1, "prove.no_proof")])
def test_a_first_line_may_have_so_many_bytes(more: int, key: str) -> None:
    line, _, rest = certificate(FIRST).data().partition(b"\n")
    assert key_of(line + b" " * (LONGEST_HEAD - len(line) + more) + b"\n" + rest) == key


@pytest.mark.parametrize(
    ("rest", "key"),
    [
        (lzma.compress(b"\x03"), "prove.other_size"),
        (lzma.compress(b"\x03\x01\x01"), "prove.other_size"),
        (lzma.compress(b"\x03\x01") + b"more", "prove.other_size"),
        (lzma.compress(b"\x03\x01")[:-4], "prove.other_size"),
        (b"no xz" * 9, "prove.damaged"),
    ],
)
def test_packed_entries_must_have_the_size_that_the_line_tells(rest: bytes, key: str) -> None:
    line = certificate(FIRST).data().partition(b"\n")[0]
    assert key_of(line + b"\n" + rest) == key
