"""Raw proofs of the prover become certificates that the check accepts."""

import lzma
from pathlib import Path

import pytest

import papan
from papan.core.certificate import ProofCertificate, ProofClaim
from papan.games.connect4.solver import sign
from papan.games.connect4.stones import (
    Layout,
    Stones,
    after_stone,
    book_key,
    final_score,
    forced_line,
    landing_cells,
)
from papan.lab.check import ProofChecker
from papan.lab.work import local_executor
from tools.prover.certify import EXPANDED, MEMORY, main

YES, NO = 1, 2
SEARCHED = 12
"""Empty cells at which the prover of this test leaves a position to a search."""


class SmallProver:
    """Proves as the prover does: quiet positions alone, forced moves skipped, images once."""

    def __init__(self, rows: int, columns: int, claim: ProofClaim) -> None:
        self.layout, self.claim = Layout.for_board(rows, columns, MEMORY), claim
        self.values: dict[Stones, int] = {}
        self.records: dict[int, int] = {}

    def prove(self, stones: Stones) -> None:
        """Record what proves the claim in a quiet position."""
        key = book_key(self.layout, stones)
        if key in self.records:
            return
        taken = stones.own | stones.rival
        status = YES if self.claim.seat == 0 else NO
        leaf = self.layout.empty(taken) <= SEARCHED
        self.records[key] = status if leaf else status | EXPANDED
        if leaf:
            return
        mine = taken.bit_count() % 2 == self.claim.seat
        after = [forced_line(self.layout, each)[1] for each in self.children(stones)]
        good = [each for each in after if self.holds(each)]
        for each in good[:1] if mine else after:
            assert self.holds(each)
            if final_score(self.layout, each) is None:
                self.prove(each)

    def children(self, stones: Stones) -> list[Stones]:
        landing = landing_cells(self.layout, stones)
        cells = [landing & self.layout.column(move) for move in range(self.layout.columns)]
        return [after_stone(stones, cell) for cell in cells if cell]

    def holds(self, stones: Stones) -> bool:
        """Return whether the claim is true, by plain minimax."""
        turn = (stones.own | stones.rival).bit_count() % 2
        value = self.value(stones)
        return (value if turn == self.claim.seat else -value) >= self.claim.least

    def value(self, stones: Stones) -> int:
        if stones not in self.values:
            score = final_score(self.layout, stones)
            after = self.children(stones) if score is None else []
            best = max((-self.value(each) for each in after), default=0)
            self.values[stones] = best if score is None else sign(score)
        return self.values[stones]

    def data(self) -> bytes:
        size, found = (self.layout.bits + 7) // 8, self.records.items()
        return b"".join(key.to_bytes(size, "little") + bytes([status]) for key, status in found)


@pytest.fixture(scope="module")
def values() -> dict[Stones, int]:
    """What positions of 4x4 are worth, as far as a prover has asked: the same for each claim."""
    return {}


def small_prover(claim: ProofClaim, values: dict[Stones, int]) -> SmallProver:
    """Return a prover that has proved a claim about 4x4."""
    prover = SmallProver(4, 4, claim)
    prover.values = values
    prover.prove(Stones(0, 0))
    return prover


@pytest.mark.thorough
@pytest.mark.parametrize("claim", [ProofClaim(0, 0), ProofClaim(1, 0)])
def test_a_raw_proof_becomes_a_certificate_that_holds(
    tmp_path: Path, claim: ProofClaim, values: dict[Stones, int]
) -> None:
    prover = small_prover(claim, values)
    raw, target = tmp_path / "raw.xz", tmp_path / "4x4.proof"
    raw.write_bytes(lzma.compress(prover.data()))
    main(["4", "4", str(raw), str(claim.seat), str(int(claim.least)), str(target)])
    with local_executor(0) as executor:
        *_, result = ProofChecker(target, tmp_path / "log.jsonl", "papan", 16).check(executor)
    assert result.whole
    assert ProofCertificate.read(target).proofs[0].claim == claim
    assert papan.solve("connect4:4,4").value == 0


@pytest.mark.thorough
def test_a_raw_proof_without_a_reply_or_cut_short_is_refused(
    tmp_path: Path, values: dict[Stones, int]
) -> None:
    prover = small_prover(ProofClaim(0, 0), values)
    raw, words = tmp_path / "raw", ["4", "4", str(tmp_path / "raw"), "0", "0", str(tmp_path / "x")]
    raw.write_bytes(prover.data()[:-1])
    with pytest.raises(SystemExit, match="are not records of"):
        main(words)
    first = next(iter(prover.records))
    prover.records = {first: prover.records[first]}
    raw.write_bytes(prover.data())
    with pytest.raises(SystemExit, match="does not say what to do"):
        main(words)
