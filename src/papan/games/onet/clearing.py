"""Boards without gravity, by the rules of Onet: cleared, or proven impossible to clear.

Whole kinds that can be taken at once are taken: that loses nothing. Then every tile with any link
is taken away, even alone; what remains can never be taken. Then boards are played out at random,
which clears most of those that can be cleared. The rest is for `Pairings`.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from papan.core import Grid, OutOfBudget, Thinking
from papan.games.onet import kernel, kernel_clear, kernel_pairing
from papan.games.onet.verdict import (
    Certificate,
    Look,
    Pair,
    Verdict,
    least_left,
    odd_certificate,
    odd_kind,
)

PLAYOUTS = 6
"""How often the board is played out before pairings are tried."""
PAIRINGS_PER_PLAYOUT = 16
"""Later, playing out goes on beside the pairings: large boards are cleared that way."""
FEWEST_STUCK = 4
"""A board that cannot be cleared keeps so many tiles: two equal ones alone are always linked."""
SEED = 1
MATE = int(kernel.MATE)


def clear(grid: Grid, tiles: Sequence[int], thinking: Thinking, look: Look) -> Verdict:
    """Whether the board can be cleared, and how, or why not."""
    return _Clearing(grid, tiles, thinking, look).verdict()


class _Clearing:
    """One board, in the words of the kernels."""

    def __init__(self, grid: Grid, tiles: Sequence[int], thinking: Thinking, look: Look) -> None:
        self._grid, self._tiles, self._thinking, self._look = grid, tiles, thinking, look
        self._board = np.zeros(kernel.BOARD_WORDS, np.uint64)
        kernel.lay(self._board, np.array(tiles, np.int64), grid.rows, grid.columns)
        count = int(self._board[kernel.TILES])
        self._cells, self._scratch, self._moves = np.zeros((3, count), np.uint64)
        self._pairs = np.zeros(2 * int(kernel.pairs_alike(self._board)), np.uint64)
        self._seed = np.array([SEED], np.uint64)
        self._best: tuple[Pair, ...] = ()
        self._least_left = 0

    def verdict(self) -> Verdict:
        """Try everything in turn."""
        self._safe = self._take_whole_kinds()
        count = kernel_clear.standing(self._board, self._cells)
        self._whole = self._cells[:count].copy()
        self._best = self._taken(int(self._safe))
        if not count:
            return Verdict(True, self._best)
        certificate = self._stuck(count)
        try:
            for _ in range(PLAYOUTS):
                if self._play_out():
                    return Verdict(True, self._best)
            if certificate is None:
                certificate = self._pair_up()
        except OutOfBudget as stop:
            return self._known(certificate, str(stop))
        return Verdict(True, self._best) if certificate is None else self._known(certificate)

    def _take_whole_kinds(self) -> np.uint64:
        taken = kernel_clear.take_whole_kinds(self._board, self._moves, np.uint64(0))
        return np.uint64(taken)  # the same type for every call: each further one is compiled anew

    def _known(self, certificate: Certificate | None, why: str = "exact") -> Verdict:
        solvable = None if certificate is None else False
        return Verdict(solvable, self._best, self._least_left, certificate, why)

    def _stuck(self, count: int) -> Certificate | None:
        """Why the board can never be cleared, where this is seen at once."""
        stuck = kernel_clear.relax(self._board, self._cells, count)
        self._least_left = least_left(self._tiles, self._cells[:stuck].tolist())
        if (odd := odd_kind(self._tiles)) is not None:
            return odd_certificate(self._grid, self._tiles, odd)
        if not stuck:
            return None
        stuck = kernel_clear.shrink(self._board, self._cells, stuck, self._scratch)
        names = [self._grid.names[cell] for cell in self._cells[:stuck].tolist()]
        return {"why": "blocked", "sets": [names], "steps": []}

    def _play_out(self) -> bool:
        """Play the board out at random; has this cleared it?"""
        self._thinking.tick()
        kernel_pairing.put_all(self._board, self._whole)
        taken = kernel_clear.play_out(self._board, self._moves, self._pairs, self._safe, self._seed)
        if taken > len(self._best):
            self._best = self._taken(int(taken))
        return bool(2 * taken == len(self._moves))

    def _taken(self, count: int) -> tuple[Pair, ...]:
        """The first pairs that were taken."""
        cells = self._moves[: 2 * count].tolist()
        return tuple(zip(cells[::2], cells[1::2]))

    def _pair_up(self) -> Certificate | None:
        """Why no pairing works; None when the board has been cleared."""
        from papan.games.onet.pairings import Pairings  # a library that most boards do not need

        alike: dict[int, list[int]] = {}
        for cell in self._whole.tolist():
            alike.setdefault(self._tiles[cell], []).append(cell)
        with Pairings(alike.values(), self._thinking.check) as pairings:
            tried = 0
            while (pairing := pairings.propose()) is not None:
                if (blocked := self._follow(pairing)) is None:
                    return None
                pairings.rule_out(*blocked)
                tried += 1
                if tried % PAIRINGS_PER_PLAYOUT == 0 and self._play_out():
                    return None
                self._look(self._known(None))
            self._least_left = FEWEST_STUCK
            try:
                return pairings.certificate(self._grid)
            except OutOfBudget:  # that it cannot be cleared is known all the same
                return {"why": "searched", "positions": self._thinking.nodes}

    def _follow(self, pairing: list[Pair]) -> tuple[list[int], list[Pair]] | None:
        """Tiles that block a pairing, and the pairs that would open them; None if it works."""
        self._thinking.tick()
        ones, twos = np.array(pairing).T
        self._board[MATE + ones], self._board[MATE + twos] = twos, ones
        moves = self._moves[2 * int(self._safe) :]
        left = kernel_pairing.try_pairing(self._board, self._whole, self._cells, moves)
        if not left:
            self._best = self._taken(len(self._moves) // 2)
            return None
        count = kernel_pairing.touching_pairs(self._board, self._cells, left, self._pairs)
        cells = self._pairs[: 2 * int(count)].tolist()
        return self._cells[:left].tolist(), list(zip(cells[::2], cells[1::2]))
