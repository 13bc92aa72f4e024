"""Certificates: proofs as small files that anyone can check with the rules alone.

A claim says that a seat gets a final margin of so many points or more from a position, whatever the
other seat does. Its proof is a strategy. It is walked from the position, ply by ply, and of
positions that are equal by symmetry only one is visited. Where the claim's seat is to move, the
walk follows one move; where the other seat is to move, all moves. It goes on from no position whose
entry says *leaf*: whether the claim holds there is left to a search. A position that is over, or
that the claim's seat can end with one move as it claims, needs no entry. So a file has no positions
at all, only one small number for each that the walk visits: it cannot name one that does not come
up, nor leave out a reply.

A file is one line of JSON (`ProofCertificate.head`) and the entries of all claims, packed with xz.
"""

from __future__ import annotations

import json
import lzma
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from papan.core.errors import PapanError
from papan.core.files import read_regular
from papan.core.game import Move, Position, margin

FORM = 1
"""Number of the form that this module writes."""
LEAF_ENTRY = 0
"""Entry of a leaf. An inner position has 1 and more: the other seat's has 1, where all moves are
followed, and that of the claim's seat 1 + the place of the move to follow among `moves()`."""
MORE = 128
"""The bit that says that a byte is not the last one of its entry."""
MOST_POSITIONS, MOST_ENTRY_BYTES = 5_000_000, 3
"""Upper bounds of what a file may say of its sizes: positions, and bytes of an entry."""
LARGEST_MARGIN = 1_000_000
"""Upper bound of the margin, in points, that a file may claim."""
LONGEST_HEAD, LARGEST_CERTIFICATE = 10_000, 50_000_000
"""Bytes of the first line, and of a file; more is not read."""
MOST_CLAIMS = 2
UNPACKING_MEMORY = 2**26
"""Bytes that xz may use to unpack."""
PACKING = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 2**22}]
"""Filter of xz: a small dictionary, so that unpacking takes little memory."""


class CertificateError(PapanError):
    """Raised for a file that is no certificate, or one whose entries do not fit the rules."""


class ProofClaim(NamedTuple):
    """The claim that *seat* (0 or 1) gets a final margin of *least* or more from a position."""

    seat: int
    least: float
    """Points of the final margin, for *seat*: a whole number."""

    def reached(self, position: Position) -> bool:
        """Return whether *seat* has a margin of *least* or more in *position*, a finished game."""
        return margin(position, self.seat) >= self.least

    def goal(self, position: Position) -> float:
        """Return the final margin, in points for the seat to move, at which the claim is decided.

        For the claim's seat it is *least*, and proves the claim if reached; for the other seat it
        is ``1 - least``, and refutes it.
        """
        return self.least if position.turn == self.seat else 1 - self.least

    def decided(self, position: Position, low: float, high: float) -> bool | None:
        """Return True if *low* proves the claim, False if *high* refutes it, else None.

        Both are bounds of the final margin, in points, of the seat to move in *position*.
        """
        low, high = (low, high) if position.turn == self.seat else (-high, -low)
        return True if low >= self.least else False if high < self.least else None


class ProofEntry(NamedTuple):
    """A position of a proof, and its entry: the move to follow, or that it is a leaf."""

    position: Position
    entry: int
    """0: a leaf, left to a search. Else 1 + the place of the move to follow among `moves()` where
    the claim's seat is to move, and 1 where the other is: all moves are followed."""


Entries = Callable[[Position], int]
"""Function that returns the entry of the next position of a walk, as `ProofEntry.entry`."""


def walk_proof(root: Position, claim: ProofClaim, entries: Entries) -> Iterator[ProofEntry]:
    """Yield every position of a proof with its entry, each once, in the order of the file.

    That is ply by ply, each as its `Position.image`: one for all that are equal by symmetry.
    Positions that are over, or that the claim's seat, to move, can end as claimed with one move,
    have no entry and are left out. *entries* is called with each other position and returns its
    entry; what it raises is passed on. Raises CertificateError, after the positions before it,
    where the rules refute the proof: an entry that names no move, one other than 0 or 1 where the
    other seat is to move, or a game that ends below the claim.
    """
    waiting = deque([root.image()])
    seen = set(waiting)
    while waiting:
        position = waiting.popleft()
        if (found := _ended(position, claim)) is not None:
            if not found:
                raise CertificateError("prove.refuted", position=str(position))
            continue
        entry = entries(position)
        yield ProofEntry(position, entry)
        if entry != LEAF_ENTRY:
            for move in _followed(position, claim, entry):
                child = position.child(move).image()
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)


def _ended(position: Position, claim: ProofClaim) -> bool | None:
    """Return whether the claim holds where the rules show it: True, False or, if open, None.

    False if the game is over below the claim; True if it is over as claimed, or if the claim's seat
    can end it so with one move.
    """
    if position.is_over:
        return claim.reached(position)
    if position.turn == claim.seat:
        for move in position.moves():
            child = position.child(move)
            if child.is_over and claim.reached(child):
                return True
    return None


def _followed(position: Position, claim: ProofClaim, entry: int) -> list[Move]:
    """Return the moves of *position* that the proof follows, by its *entry*, which is no leaf.

    One if the claim's seat is to move, else all. Raise CertificateError if there is no such move,
    and for an entry other than 1 where all are followed.
    """
    moves = list(position.moves())
    if position.turn != claim.seat:
        if entry != 1:
            raise CertificateError("prove.no_such_entry", position=str(position), entry=entry)
        return moves
    if not 0 < entry <= len(moves):
        raise CertificateError("prove.no_such_entry", position=str(position), entry=entry)
    return [moves[entry - 1]]


@dataclass(frozen=True)
class ClaimProof:
    """A claim and the entries of its proof."""

    claim: ProofClaim
    positions: int
    """Number of positions with an entry."""
    leaves: int
    """Number of those whose entry says that a search decides them."""
    packed: bytes
    """The entries, seven bits a byte, the lowest first; the last byte of each is below 128."""

    @classmethod
    def written(cls, root: Position, claim: ProofClaim, entries: Entries) -> ClaimProof:
        """Walk the proof of *claim* from *root* and return it with what *entries* returns there.

        Raises CertificateError if the rules refute it, as `walk_proof` does.
        """
        found = [each.entry for each in walk_proof(root, claim, entries)]
        return cls(claim, len(found), found.count(LEAF_ENTRY), b"".join(map(_packed, found)))

    def walk(self, root: Position) -> Iterator[ProofEntry]:
        """Yield the positions of the proof with their entries, each once, as `walk_proof` does.

        Raise CertificateError where the rules refute it or an entry is missing or badly packed, and
        at the end if entries are left over or their numbers are not as stated. Claims of leaves are
        not checked.
        """
        left = _unpacked(self.packed)

        def following(position: Position) -> int:
            """Return the next entry; raise CertificateError, which names *position*, if none is
            left.
            """
            entry = next(left, None)
            if entry is None:
                raise CertificateError("prove.cut_short", position=str(position))
            return entry

        positions = leaves = 0
        for each in walk_proof(root, self.claim, following):
            positions, leaves = positions + 1, leaves + (each.entry == LEAF_ENTRY)
            yield each
        if over := sum(1 for _ in left):
            raise CertificateError("prove.left_over", count=over)
        if (positions, leaves) != (self.positions, self.leaves):
            facts = {"said": self.positions, "found": positions}
            raise CertificateError("prove.miscounted", **facts)

    def head(self) -> dict[str, Any]:
        """Return the claim as JSON data: its part of the first line of a file.

        Keys: ``seat``, ``least``, ``positions``, ``leaves``, and ``bytes``, the length of `packed`.
        """
        sizes = {"positions": self.positions, "leaves": self.leaves, "bytes": len(self.packed)}
        return {"seat": self.claim.seat, "least": self.claim.least, **sizes}


def _packed(entry: int) -> bytes:
    """Return *entry*, 0 or more, as bytes: see `ClaimProof.packed`."""
    found = bytearray()
    while entry >= MORE:
        found.append(entry % MORE | MORE)
        entry //= MORE
    return bytes([*found, entry])


def _unpacked(packed: bytes) -> Iterator[int]:
    """Yield the entries in *packed*, see `ClaimProof.packed`, as numbers; nothing if it is empty.

    Raise CertificateError, after the entries before it, for one of over `MOST_ENTRY_BYTES` bytes,
    or without its last byte.
    """
    entry = bytes_read = 0
    for byte in packed:
        if bytes_read == MOST_ENTRY_BYTES:  # no sum over millions of bytes
            break
        entry |= byte % MORE << 7 * bytes_read
        bytes_read += 1
        if byte < MORE:
            yield entry
            entry = bytes_read = 0
    if bytes_read:
        raise CertificateError("prove.bad_entry", most=MOST_ENTRY_BYTES)


@dataclass(frozen=True)
class ProofCertificate:
    """A position, and the proofs of one or two claims about it."""

    position: str
    """The position as text: reading a file needs no rules."""
    made: str
    """How it was made, in words of whoever made it."""
    proofs: tuple[ClaimProof, ...]

    @property
    def positions(self) -> int:
        """The number of positions with an entry, in all proofs together."""
        return sum(proof.positions for proof in self.proofs)

    @property
    def leaves(self) -> int:
        """The number of leaves in all proofs together."""
        return sum(proof.leaves for proof in self.proofs)

    def bounds(self, seat: int, most: float) -> tuple[float, float]:
        """Return what the claims say of the final margin of *seat*, in points: (low, high).

        Where no claim gives a bound it is -*most* or *most*, the largest margin of the game. That
        the claims are true, or agree, is not checked here.
        """
        claims = [each.claim for each in self.proofs]
        low = max((claim.least for claim in claims if claim.seat == seat), default=-most)
        return low, min((-claim.least for claim in claims if claim.seat != seat), default=most)

    def data(self) -> bytes:
        """Return the bytes of the file: one line of JSON, then the entries packed with xz.

        The line has ``papan``, ``form``, ``position``, ``made``, and ``claims``: the `head` of each
        proof, in order, as the entries are.
        """
        facts = {"position": self.position, "made": self.made}
        claims = [proof.head() for proof in self.proofs]
        head = {"papan": "proof", "form": FORM, **facts, "claims": claims}
        entries = b"".join(proof.packed for proof in self.proofs)
        line = json.dumps(head, ensure_ascii=False).encode()
        return line + b"\n" + lzma.compress(entries, filters=PACKING)

    @classmethod
    def read(cls, path: Path) -> ProofCertificate:
        """Return the certificate in the file *path*.

        Raise OSError if the file is missing or cannot be read, and CertificateError if it is no
        regular file, is larger than `LARGEST_CERTIFICATE`, or is no certificate: see `parse`. Sizes
        are looked at before anything is unpacked. That a file can be read says nothing of whether
        it is true: `ClaimProof.walk` checks that.
        """
        return cls.parse(read_regular(path, LARGEST_CERTIFICATE, CertificateError), path)

    @classmethod
    def parse(cls, data: bytes, path: Path) -> ProofCertificate:
        """Return the certificate in *data*, the bytes of the file *path*, which errors name.

        Raise CertificateError if the form, the sizes or the packing is wrong; the position, the
        entries and the claims themselves are not checked.
        """
        line, _, rest = data.partition(b"\n")
        head = _head(line)
        if head is None:
            raise CertificateError("prove.no_proof", path=path)
        claims = [ProofClaim(each["seat"], each["least"]) for each in head["claims"]]
        sizes = [each["bytes"] for each in head["claims"]]
        try:
            unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, UNPACKING_MEMORY)
            entries = unpacker.decompress(rest, sum(sizes) + 1)
        except (lzma.LZMAError, EOFError) as error:
            raise CertificateError("prove.damaged", path=path, why=error) from None
        if not unpacker.eof or unpacker.unused_data or len(entries) != sum(sizes):
            facts = {"said": sum(sizes), "found": len(entries)}
            raise CertificateError("prove.other_size", path=path, **facts)
        proofs = []
        for claim, each in zip(claims, head["claims"]):
            packed, entries = entries[: each["bytes"]], entries[each["bytes"] :]
            proofs.append(ClaimProof(claim, each["positions"], each["leaves"], packed))
        return cls(head["position"], head["made"], tuple(proofs))


def _head(line: bytes) -> dict[str, Any] | None:
    """Return *line*, the first line of a certificate, as JSON data; keys, types, sizes are checked.

    Its keys are those of `ProofCertificate.data`. None if *line* is not such a line, or has over
    `LONGEST_HEAD` bytes.
    """
    if len(line) > LONGEST_HEAD:
        return None
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(head, dict) or (head.get("papan"), head.get("form")) != ("proof", FORM):
        return None
    texts = all(isinstance(head.get(key), str) for key in ("position", "made"))
    claims = head.get("claims")
    if not texts or not isinstance(claims, list) or not 0 < len(claims) <= MOST_CLAIMS:
        return None
    return head if all(map(_is_claim, claims)) else None


def _is_claim(found: Any) -> bool:
    """Return whether *found*, JSON data, is a `ClaimProof.head`: types, seat, counts and sizes.

    The seat must be 0 or 1, the margin as for `_is_margin`, the counts and bytes in the bounds of
    this module and not contradict each other.
    """
    if not isinstance(found, dict) or found.get("seat") not in (0, 1):
        return False
    sizes: list[Any] = [found.get(key) for key in ("leaves", "positions", "bytes")]
    if any(type(size) is not int for size in (found["seat"], *sizes)):
        return False
    leaves, positions, size = sizes
    fits = 0 <= leaves <= positions <= size <= MOST_ENTRY_BYTES * MOST_POSITIONS
    return _is_margin(found.get("least")) and fits and positions <= MOST_POSITIONS


def _is_margin(found: Any) -> bool:
    """Return whether *found* is a whole number (int or float) within ±`LARGEST_MARGIN` points."""
    if type(found) not in (int, float):
        return False
    return bool(abs(found) <= LARGEST_MARGIN and found == int(found))  # NaN is not below it
