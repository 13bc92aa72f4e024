"""Perfect play from the proofs that papan ships: `proofs/ROWSxCOLUMNS.proof`.

A certificate has no positions (`core/certificate.py`): they come up when its strategy is walked.
Here that is done for all positions of a ply at once, with NumPy, because the rules of the game take
some seconds for it; `tests/games/test_connect4_strategy.py` holds it against the rules.

A bitboard here is the board as it is read: rows from the top, each from the left, the last cell in
the lowest bit. So the least of two texts, which `Position.image` chooses, is the lesser number.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papan.core import Analysis, Move, Proved
from papan.core.certificate import (
    LEAF_ENTRY,
    CertificateError,
    ClaimProof,
    ProofCertificate,
    ProofClaim,
)
from papan.core.message import Message
from papan.core.numbers import Number
from papan.games.connect4.rules import Connect4, Connect4Position

FOLDER = Path(__file__).parent / "proofs"
MOST_CELLS = 64
"""The largest board whose stones fit into a word."""
SEARCHED_CELLS = 30
"""Empty cells up to which a search is as quick, and says more: how soon the game ends."""
OTHER_SEAT = 1
"""The entry where all moves are followed."""

BoardWords: TypeAlias = NDArray[np.uint64]
Flags: TypeAlias = NDArray[np.bool_]


class ReadBoard:
    """The masks of a board of *rows* by *columns*, and answers about arrays of positions.

    A bitboard here has the cells row by row from the top, each row from the left, the last cell in
    the lowest bit. The board must have at most 64 cells: not checked.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns

    def cells_where(self, rows: range, columns: range) -> np.uint64:
        """Return the cells of some rows (0 is lowest) and columns (0 is left), as a bitboard."""
        last = self.columns - 1
        bits = [row * self.columns + last - column for row in rows for column in columns]
        return np.uint64(sum(1 << bit for bit in bits))

    @cached_property
    def bottom(self) -> np.uint64:
        """The cells of the lowest row, as a bitboard."""
        return self.cells_where(range(1), range(self.columns))

    @cached_property
    def cells(self) -> np.uint64:
        """All cells, as a bitboard."""
        return self.cells_where(range(self.rows), range(self.columns))

    @cached_property
    def in_column(self) -> BoardWords:
        """The cells of each column, as an array of bitboards, one for each column from the left."""
        rows = range(self.rows)
        columns = range(self.columns)
        return np.array([self.cells_where(rows, range(each, each + 1)) for each in columns])

    @cached_property
    def fours(self) -> list[tuple[np.uint64, np.uint64]]:
        """For each direction of a line: bits from cell to cell, and cells where four can begin.

        The directions are a row, a column, and both diagonals. The cells are a bitboard; a four
        begins with its lowest bit.
        """
        low, all_rows = range(self.rows - 3), range(self.rows)
        from_right, from_left = range(3, self.columns), range(self.columns - 3)
        directions = {
            1: self.cells_where(all_rows, from_right),
            self.columns: self.cells_where(low, range(self.columns)),
            self.columns + 1: self.cells_where(low, from_right),
            self.columns - 1: self.cells_where(low, from_left),
        }
        return [(np.uint64(step), starts) for step, starts in directions.items()]

    def has_four(self, stones: BoardWords) -> Flags:
        """Return for each bitboard of an array whether it holds four in a row, in any direction.

        The result has the shape of *stones*.
        """
        found = np.zeros(stones.shape, dtype=np.bool_)
        for step, starts in self.fours:
            pairs = stones & stones >> step
            found |= (pairs & pairs >> step + step & starts) != 0
        return found

    def landing(self, taken: BoardWords) -> BoardWords:
        """Return the bit where a stone lands in each column: bitboards with one more axis.

        *taken* is an array of bitboards of all stones; the index along the last axis of the result
        is the column, from 0 on the left. 0 in a full column.
        """
        free = (taken << np.uint64(self.columns) | self.bottom) & ~taken & self.cells
        return free[..., None] & self.in_column

    def mirrored(self, stones: BoardWords) -> BoardWords:
        """Return an array of bitboards with left and right exchanged, of the same shape."""
        image = np.zeros_like(stones)
        for left in range(self.columns):
            shift = self.columns - 1 - 2 * left
            column = stones & self.in_column[left]
            amount = np.uint64(abs(shift))
            image |= column >> amount if shift > 0 else column << amount
        return image


class Layer(NamedTuple):
    """Positions of one ply as two arrays of bitboards: stones of seat 0 and of seat 1.

    Both have one axis, of the same length; bits are those of `ReadBoard`. All positions have the
    same seat to move.
    """

    first: BoardWords
    second: BoardWords

    def image(self, board: ReadBoard) -> Layer:
        """Return the positions, each replaced by its mirror image if that has the lesser text.

        The first cell where both texts differ decides: ``.`` comes before ``o``, and ``o`` before
        ``x``, the stones of the first seat. The order of the positions is the same.
        """
        crosses, noughts = board.mirrored(self.first), board.mirrored(self.second)
        in_crosses, in_noughts = self.first ^ crosses, self.second ^ noughts
        noughts_first = (in_crosses < in_noughts) & (in_crosses < in_crosses ^ in_noughts)
        less = np.where(noughts_first, noughts < self.second, crosses < self.first)
        return Layer(np.where(less, crosses, self.first), np.where(less, noughts, self.second))

    def once(self) -> Layer:
        """Return the positions without repetitions, in the order in which they first occur."""
        order = np.lexsort((self.second, self.first))
        first, second = self.first[order], self.second[order]
        fresh = np.ones(len(order), dtype=np.bool_)
        fresh[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
        return self.chosen(np.sort(order[fresh]))

    def chosen(self, places: NDArray[np.int_] | Flags) -> Layer:
        """Return the positions at *places*: indexes, or one truth value for each position."""
        return Layer(self.first[places], self.second[places])


def walk_layers(game: Connect4, proof: ClaimProof) -> list[tuple[Layer, NDArray[np.uint8]]]:
    """Return the positions of a proof with their entries, a pair of arrays for each ply.

    They begin with the empty board. An entry is the number, from 1, of the claim's seat's move
    among the legal ones, LEAF_ENTRY where the proof ends and a search has to decide, or OTHER_SEAT
    where all moves are followed. Positions that are over, or where the claim's seat can end the
    game at once with at least the result claimed, are left out. Raise CertificateError if a game
    ends against the claim, an entry names no move, or entries are missing or left over.
    """
    board, claim = ReadBoard(game.rows, game.columns), proof.claim
    entries = np.frombuffer(proof.packed, dtype=np.uint8)
    layer = Layer(np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.uint64))
    found, used, turn = [], 0, 0
    while len(layer.first):
        layer = layer.chosen(~_ended(board, layer, claim, turn))
        given = entries[used : used + len(layer.first)]
        if len(given) < len(layer.first):
            raise CertificateError("prove.cut_short", position=game.spec)
        found.append((layer, given))
        used += len(given)
        layer = _children(board, layer, given, claim.seat == turn, turn)
        turn = 1 - turn
    if used < len(entries):
        raise CertificateError("prove.left_over", count=len(entries) - used)
    return found


def _ended(board: ReadBoard, layer: Layer, claim: ProofClaim, turn: int) -> Flags:
    """Return for each position of *layer* whether the proof has no entry for it.

    That is so if the game is over, or if the claim's seat is to move and can end it at once with at
    least the result claimed. *turn* is the seat to move, 0 or 1, in all of *layer*. Raise
    CertificateError if a game ended against the claim.
    """
    own, rival = layer if turn == 0 else reversed(layer)
    taken = own | rival
    lost = board.has_four(rival)
    over = lost | (taken == board.cells)
    outcome = np.where(lost, -1 if turn == claim.seat else 1, 0)
    if np.any(over & (outcome < claim.least)):
        raise CertificateError("prove.refuted", position=f"{board.rows}x{board.columns}")
    if turn != claim.seat:
        return np.asarray(over)
    cells = board.landing(taken)
    wins = (cells != 0) & board.has_four(own[:, None] | cells)
    if claim.least <= 0:
        wins |= (cells != 0) & (taken[:, None] | cells == board.cells)
    return np.asarray(over | wins.any(axis=1))


def _children(
    board: ReadBoard, layer: Layer, entries: NDArray[np.uint8], mine: bool, turn: int
) -> Layer:
    """Return the positions that follow, in the order in which the walk meets them, each once.

    *entries* are those of the positions of *layer*, as in `walk_layers`; *turn* is the seat to
    move, 0 or 1. *mine* is true if the claim's seat is to move, so that an entry names one move.
    Each position is its `Layer.image`; none follow a leaf. Raise CertificateError for an entry,
    other than LEAF_ENTRY, that names no legal move or, where the other seat is to move, is not
    OTHER_SEAT.
    """
    inner = entries != LEAF_ENTRY
    layer, entries = layer.chosen(inner), entries[inner]
    cells = board.landing(layer.first | layer.second)
    legal = cells != 0
    followed = legal & (legal.cumsum(axis=1) == entries[:, None]) if mine else legal
    wrong = followed.sum(axis=1) != 1 if mine else entries != OTHER_SEAT
    if wrong.any():
        raise CertificateError("prove.no_such_entry", position=str(turn), entry=int(entries[0]))
    places, columns = np.nonzero(followed)
    stones = cells[places, columns]
    first, second = layer.first[places], layer.second[places]
    after = Layer(first | stones, second) if turn == 0 else Layer(first, second | stones)
    return after.image(board).once()


class ProvedMove(NamedTuple):
    """A fact from a proof about a position: *seat* (0 or 1) gets a result of at least *least*.

    Results are 1, 0 or -1, for that seat.
    """

    seat: int
    least: int
    move: Move | None
    """The move to follow; None in a leaf, where a search has to find it, and for the other seat."""


@dataclass(frozen=True)
class Strategy:
    """The positions of one proof from the empty board with their entries, sorted for `look_up`."""

    game: Connect4
    """The board."""
    claim: ProofClaim
    """What the proof proves: that a seat gets a result of at least so much (1, 0, -1)."""
    stones: Layer
    """All positions, ordered by the stones of the first seat and then of the second."""
    entries: NDArray[np.uint8]
    """The entry of each position, in the same order: the number of its move among the legal ones
    from 1 on, LEAF_ENTRY where a search has to decide, or OTHER_SEAT where all moves are followed.
    """

    @classmethod
    def of(cls, game: Connect4, proof: ClaimProof) -> Strategy:
        """Return the strategy of a proof. Raise CertificateError as `walk_layers` does."""
        layers = walk_layers(game, proof)
        first = np.concatenate([layer.first for layer, _ in layers])
        second = np.concatenate([layer.second for layer, _ in layers])
        entries = np.concatenate([entries for _, entries in layers])
        order = np.lexsort((second, first))
        return cls(game, proof.claim, Layer(first[order], second[order]), entries[order])

    def __len__(self) -> int:
        """Return the number of positions in the proof."""
        return len(self.entries)

    def look_up(self, position: Connect4Position) -> ProvedMove | None:
        """Return what the proof says about *position*; None if it says nothing.

        It is looked up as itself or as its mirror image; the move returned is one of *position*,
        which must be of the same `game`: not checked. None also where the number of stones does not
        fit the seat to move.
        """
        if position.turn != position.taken.bit_count() % 2:  # it can be written, but not played
            return None
        columns, cells = self.game.columns, position.cells()
        rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
        mirrored = "".join(row[::-1] for row in rows)
        image = min(cells, mirrored)
        entry = self._entry(_stones(image, "x"), _stones(image, "o"))
        if entry is None:
            return None
        move = None
        if position.turn == self.claim.seat and entry != LEAF_ENTRY:
            legal = [column for column in range(columns) if image[column] == "."]
            move = legal[entry - 1]
            move = columns - 1 - move if image != cells else move
        return ProvedMove(self.claim.seat, int(self.claim.least), move)

    def _entry(self, first: int, second: int) -> int | None:
        """Return the entry, as in `entries`, of the position with these stones; None without one.

        *first* and *second* are the bitboards of the first and the second seat.
        """
        known, wanted = self.stones, np.uint64(first)
        start = int(np.searchsorted(known.first, wanted, "left"))
        end = int(np.searchsorted(known.first, wanted, "right"))
        at = start + int(np.searchsorted(known.second[start:end], np.uint64(second)))
        found = at < end and int(known.second[at]) == second
        return int(self.entries[at]) if found else None


def _stones(text: str, mark: str) -> int:
    """Return the bitboard of the cells in *text* that are *mark*; the last is the lowest bit.

    *text* has a character for each cell, *mark* is ``x`` or ``o``.
    """
    return int("".join("1" if cell == mark else "0" for cell in text), 2)


def shipped_proof(game: Connect4) -> Path | None:
    """Return the path of the proof that papan ships for a board; None if it ships none."""
    path = FOLDER / f"{game.rows}x{game.columns}.proof"
    return path if path.exists() else None


@cache
def strategies(game: Connect4) -> tuple[Strategy, ...]:
    """Return the strategies of a board's shipped proof, one for each claim.

    Empty without a proof, and for boards of more than MOST_CELLS cells. Cached. Raise
    CertificateError if the file is damaged, OSError if it cannot be read.
    """
    path = shipped_proof(game)
    if path is None or game.rows * game.columns > MOST_CELLS:
        return ()
    return tuple(Strategy.of(game, proof) for proof in ProofCertificate.read(path).proofs)


@cache
def last_check(game: Connect4) -> dict[str, Any] | None:
    """Return when and how the shipped proof was checked to its last leaf, as JSON data.

    It has ``date``, ``commit``, ``leaves`` and ``sha256`` (of the file that was checked: it is not
    compared with the present one), and is cached: it must not be changed. None if
    ``proofs/checks.json`` has nothing on this board.
    """
    checks: dict[str, Any] = json.loads((FOLDER / "checks.json").read_text("utf-8"))
    return checks.get(f"{game.rows}x{game.columns}")


def known_analysis(position: Connect4Position) -> Analysis | None:
    """Return the analysis that the shipped proof gives of a position; None if it decides nothing.

    The seat of the claim gets a move that reaches it; the result is exact unless the claim leaves
    more open, as that of a draw or more does. The other seat gets an analysis only if the result is
    known; all moves are then listed, since all lose. A move that wins at once comes before what the
    proof says. None also without a proof, for a position that is not in it (unless a move wins at
    once), in a leaf where the seat of the claim is to move, at the end of the game, and with
    `SEARCHED_CELLS` empty cells or fewer. Raise CertificateError if the file is damaged, OSError if
    it cannot be read.
    """
    game, moves = position.game, position.moves()
    if game.grid.size - position.taken.bit_count() <= SEARCHED_CELLS or not moves:
        return None
    value, best = _claimed(position)
    wins = [move for move in moves if position.child(move).just_won()]
    if wins and strategies(game):  # there the proof has no entry
        value, best = Proved(1, 1), wins[0]
    if best is None and not value.exact:
        return None
    return Analysis(
        (_steady(position) if best is None else best,),
        proved=value,
        values=dict.fromkeys(moves if best is None else [best], value),
        facts={"proof": _proof_facts(game)},
        notes=(_proof_note(game),),
        why="exact",
    )


def _claimed(position: Connect4Position) -> tuple[Proved, Move | None]:
    """Return the bounds of a position's value that the shipped proofs claim, and a move.

    Bounds are for the seat to move: -1 to 1 where no proof says anything. The move reaches the
    lower bound; None unless a proof has a move for the seat to move that gets more than -1.
    """
    low, high = -1, 1
    best: Move | None = None
    for strategy in strategies(position.game):
        found = strategy.look_up(position)
        if found is None:
            continue
        if found.seat != position.turn:
            high = min(high, -found.least)
        elif found.move is not None and found.least > low:
            low, best = found.least, found.move
    return Proved(low, high), best


def _steady(position: Connect4Position) -> Move:
    """Return the most central move after which the other side cannot win at once.

    If there is none, return the most central move; of two equally central ones the left one. The
    position must not be over, else ValueError is raised.
    """

    def allows_a_win(move: Move) -> bool:
        after = position.child(move)
        return any(after.child(reply).just_won() for reply in after.moves())

    centre = (position.game.columns - 1) / 2
    return min(position.moves(), key=lambda move: (allows_a_win(move), abs(move - centre)))


def _proof_facts(game: Connect4) -> dict[str, Any]:
    """Return what is known of a board's proof as JSON data.

    It has ``positions`` and ``leaves`` (counts; 0 without a proof), and ``checked``, the object of
    `last_check` or None.
    """
    found = strategies(game)
    leaves = sum(int((each.entries == LEAF_ENTRY).sum()) for each in found)
    return {"positions": sum(map(len, found)), "leaves": leaves, "checked": last_check(game)}


def _proof_note(game: Connect4) -> Message:
    """Return the sentence on a board's proof: positions, leaves, and whether it was checked."""
    facts = _proof_facts(game)
    key = "connect4.proof_checked" if facts["checked"] else "connect4.proof"
    return Message(key, {name: Number(facts[name]) for name in ("positions", "leaves")})


def with_known(found: Analysis, known: Analysis) -> Analysis:
    """Return the analysis *found* by a search with what a proof knows, *known*, written into it.

    Both are of the same position. If the search has proved the exact result, or a higher lower
    bound than the proof, *found* is returned as it is. Else line and notes become those of *known*,
    `proved` has its lower bound and the lower of both upper ones, and its values and facts replace
    those of *found* with the same key; all other fields are those of *found*.
    """
    if found.exact or found.proved.low > known.proved.low:
        return found
    return replace(
        found,
        line=known.line,
        proved=Proved(known.proved.low, min(found.proved.high, known.proved.high)),
        values={**found.values, **known.values},
        facts={**found.facts, **known.facts},
        notes=known.notes,
    )
