"""Turn a raw proof of the prover into a certificate of papan.

    python tools/prover/certify.py ROWS COLUMNS RAW SEAT LEAST FILE

RAW is what the prover saves, packed with xz or not: records of a key (own stones | heights, little
endian) and a status (1 yes, 2 no, and 4 if the position was expanded). SEAT and LEAST are the
claim: the first player wins is ``0 1``, he at least draws ``0 0``, the second wins ``1 1``. The
prover skips moves that are forced, and keeps one position for a position and its mirror image.
Whether the result is true is left to ``papan prove --check``.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

from papan.core import Position
from papan.core.certificate import LEAF_ENTRY, ClaimProof, ProofCertificate, ProofClaim
from papan.games.connect4.rules import Connect4, Connect4Position
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

MEMORY = 2**30
EXPANDED = 4
MADE = "papan's prover (tools/prover): proof-number search over short alpha-beta searches"


class RawProof:
    """The positions of a raw proof, and what it does in each."""

    def __init__(self, game: Connect4, data: bytes, claim: ProofClaim) -> None:
        self.layout, self.claim = Layout.for_board(game.rows, game.columns, MEMORY), claim
        size = (self.layout.bits + 7) // 8 + 1
        if len(data) % size:
            raise SystemExit(f"{len(data)} bytes are not records of {size} bytes")
        records = (data[at : at + size] for at in range(0, len(data), size))
        self.status = {int.from_bytes(each[:-1], "little"): each[-1] for each in records}

    def entry(self, position: Position) -> int:
        """Return the entry of a position for the certificate."""
        assert isinstance(position, Connect4Position)
        stones = Stones(*position.sides)
        status = self.status.get(book_key(self.layout, stones))
        mine = position.turn == self.claim.seat
        if status is None:
            return self._forced(position, stones, mine)
        if not status & EXPANDED:
            return LEAF_ENTRY
        if not mine:
            return 1
        landing = landing_cells(self.layout, stones)
        for place, move in enumerate(position.moves(), 1):
            after = after_stone(stones, landing & self.layout.column(move))
            if self._known(after):
                return place
        raise SystemExit(f"the proof does not say what to do in {position}")

    def _forced(self, position: Position, stones: Stones, mine: bool) -> int:
        """Return the entry of a position that the prover has skipped, or found out by theory."""
        line, _ = forced_line(self.layout, stones)
        if not line or not self._known(stones):
            return LEAF_ENTRY
        return 1 + list(position.moves()).index(line[0]) if mine else 1

    def _known(self, stones: Stones) -> bool:
        """Return whether forced moves lead to a position of the proof, or to the claimed end."""
        _, quiet = forced_line(self.layout, stones)
        score = final_score(self.layout, quiet)
        if score is None:
            return book_key(self.layout, quiet) in self.status
        turn = (quiet.own | quiet.rival).bit_count() % 2
        return sign(score if turn == self.claim.seat else -score) >= self.claim.least


def write_certificate(
    rows: int, columns: int, claims: dict[tuple[int, int], Path], target: Path
) -> str:
    """Write the certificate of some claims, each with its raw proof; return a line about it."""
    game = Connect4(rows, columns)
    root = game.start()
    proofs = []
    for (seat, least), raw in claims.items():
        claim, data = ProofClaim(seat, least), raw.read_bytes()
        data = lzma.decompress(data) if raw.suffix == ".xz" else data
        proofs.append(ClaimProof.written(root, claim, RawProof(game, data, claim).entry))
    certificate = ProofCertificate(str(root), MADE, tuple(proofs))
    written = target.write_bytes(certificate.data())
    sizes = f"{certificate.positions} positions, {certificate.leaves} leaves"
    return f"{target}: {sizes}, {written} bytes"


def main(words: list[str]) -> None:
    """Write the certificate that the command line asks for."""
    if len(words) != 6:
        raise SystemExit(__doc__)
    rows, columns, raw, seat, least, target = words
    claims = {(int(seat), int(least)): Path(raw)}
    print(write_certificate(int(rows), int(columns), claims, Path(target)))


if __name__ == "__main__":
    main(sys.argv[1:])
