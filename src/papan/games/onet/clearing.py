"""Find out whether Onet boards without gravity can be cleared, with the moves or with a proof.

First all tiles of a kind are taken wherever that is possible at once: that loses nothing. Then
every tile that is linked to one of its kind, there or gone, is taken away, even without it; what
remains can never be taken. Then boards are played out at random, which clears most of those that
can be cleared. The rest is for `Pairings`: a SAT solver over the pairings of equal tiles. A pairing
that does not work proves that one of a few pairs must be in each that works (`kernel_clear`); so
pairings are ruled out, clause by clause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from papan.core import Grid, OutOfBudget, Thinking
from papan.games.onet import kernel, kernel_clear

TilePair: TypeAlias = tuple[int, int]
"""Two cells whose tiles are taken together."""
Certificate: TypeAlias = dict[str, Any]
"""The reason why a board can never be cleared, as JSON; the tests have a checker for it."""


Literals: TypeAlias = list[int]
"""Numbers of choices, one of which is made; a negative number is a choice that is not made."""
Blocked: TypeAlias = tuple[list[int], Literals]
"""Cells whose tiles block each other, and the choices that would open them."""

ENGINE = "glucose4"
"""The name of the SAT solver in its library."""
CONFLICT_BUDGET = 2_000
"""Conflicts of the SAT solver between two checks of the clock."""
MANY = 12
"""In kinds of more tiles than this, a rule that no tile is in two pairs is added when needed."""
SMALL_CORE = 60
"""Most blocked sets that are tested one by one for whether the proof needs them."""
SECOND_TRY = 0.9
"""The proof is made again from the sets it used, while they are less than this share of all."""
PLAYOUTS = 6
"""Playouts before pairings are tried."""
PAIRINGS_PER_PLAYOUT = 16
"""Pairings tried between two further playouts: large boards are cleared that way."""
FEWEST_STUCK = 4
"""Fewest tiles that stay on a board that cannot be cleared: two equal ones alone are
always linked.
"""


@dataclass(frozen=True)
class ClearingVerdict:
    """The answer to whether a board can be cleared, with the pairs that were found."""

    solvable: bool | None
    """True if it can be cleared, False if not; None: not known."""
    pairs: tuple[TilePair, ...]
    """Pairs of cells in an order in which they can be taken: all, or the most that were found."""
    least_left: int = 0
    """Lower bound of the tiles that stay, whatever is played; 0 if none is known."""
    certificate: Certificate | None = None
    """Why it can never be cleared, as JSON data; None unless that is so."""
    why: str = "exact"
    """Why the search ended: exact (decided), time, nodes, cancelled, or done (out of room)."""


OnVerdict: TypeAlias = Callable[[ClearingVerdict], None]
"""Function that is called with the verdict so far; OutOfBudget raised by it ends the search."""


def odd_kind(tiles: Sequence[int]) -> int | None:
    """Return the lowest kind with an odd number of tiles, one of which always stays.

    *tiles* are the kinds by cell, 0 for an empty one. None if there is no such kind.
    """
    counts = Counter(filter(None, tiles))
    return next((kind for kind in sorted(counts) if counts[kind] % 2), None)


def odd_certificate(grid: Grid, tiles: Sequence[int], kind: int) -> Certificate:
    """Return the certificate, as JSON data, that a *kind* has an odd number of tiles.

    It has "why": "odd", and as "tiles" the names of their cells. *tiles* are the kinds by cell, 0
    for an empty one.
    """
    return {"why": "odd", "tiles": [name for name, tile in zip(grid.names, tiles) if tile == kind]}


def least_left(tiles: Sequence[int], stuck: Sequence[int]) -> int:
    """Return a lower bound of the number of tiles that stay if those on *stuck* are never taken.

    *tiles* are the kinds by cell, 0 for an empty one; *stuck* are numbers of cells. Of each kind
    one more tile stays if the number of its tiles elsewhere is odd.
    """
    counts = Counter(filter(None, tiles))
    staying = Counter(tiles[cell] for cell in stuck)
    return sum(staying[kind] + (counts[kind] - staying[kind]) % 2 for kind in counts)


class Clearing:
    """Decides whether a board without gravity can be cleared, on the kernels' records.

    *tiles* are the kinds by cell, 0 for an empty one; *thinking* has the limit. *look* is called
    with the verdict so far after each pairing that does not work. The game must have the usual rule
    for links, not that of the paper: not checked. `verdict` may be called once.
    """

    def __init__(
        self, grid: Grid, tiles: Sequence[int], thinking: Thinking, look: OnVerdict
    ) -> None:
        self._grid, self._tiles, self._thinking, self._look = grid, tiles, thinking, look
        board = kernel.new_board(np.array(tiles, np.int64), grid.rows, grid.columns)
        self._board, self._address = board[0], board.ctypes.data
        self._mates = self._board["mate"]
        count = int(self._board["tiles"])
        self._cells, self._scratch, self._moves = np.zeros((3, count), np.uint64)
        self._pairs = np.zeros(2 * int(self._board["pairs"]), np.uint64)
        self._best: tuple[TilePair, ...] = ()
        self._least_left = 0

    def verdict(self) -> ClearingVerdict:
        """Return whether the board can be cleared, by all methods in turn.

        If the limit was reached, `solvable` is None unless a proof was found before; OutOfBudget is
        not raised.
        """
        safe, count = kernel_clear.prepare(self._board, self._moves, self._cells)
        self._safe = np.uint64(safe)  # one type in every call: each further one is compiled anew
        self._whole = self._cells[:count].copy()
        self._best = self._taken(int(self._safe))
        if not count:
            return ClearingVerdict(True, self._best)
        certificate = self._stuck(count)
        try:
            for _ in range(PLAYOUTS):
                if self._play_out():
                    return ClearingVerdict(True, self._best)
            if certificate is None:
                certificate = self._pair_up()
        except OutOfBudget as stop:
            return self._known(certificate, str(stop))
        return (
            ClearingVerdict(True, self._best) if certificate is None else self._known(certificate)
        )

    def _known(self, certificate: Certificate | None, why: str = "exact") -> ClearingVerdict:
        """Return the verdict so far: not solvable with a *certificate*, else unknown.

        *why* is why the search ended, as in `ClearingVerdict.why`.
        """
        solvable = None if certificate is None else False
        return ClearingVerdict(solvable, self._best, self._least_left, certificate, why)

    def _stuck(self, count: int) -> Certificate | None:
        """Return a certificate if an odd kind or `relax` shows that the board can never be cleared.

        None if neither does, which proves nothing. *count* is the number of tiles that `prepare`
        has left; their cells come first in `_cells`, which is overwritten. `_least_left` is set in
        any case.
        """
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
        """Play the board out at random; return whether this cleared it.

        It begins where all kinds are gone that can be taken whole, and counts as one node.
        OutOfBudget is raised when the limit is reached.
        """
        self._thinking.tick()
        taken = kernel_clear.random_clearing(
            self._board, self._whole, self._moves, self._pairs, self._safe
        )
        if taken > len(self._best):
            self._best = self._taken(int(taken))
        return bool(2 * taken == len(self._moves))

    def _taken(self, count: int) -> tuple[TilePair, ...]:
        """Return the first *count* pairs of cells that the kernel has recorded, in their order."""
        cells = self._moves[: 2 * count].tolist()
        return tuple(zip(cells[::2], cells[1::2]))

    def _pair_up(self) -> Certificate | None:
        """Return a certificate that no pairing works; None if the board has been cleared.

        A pairing gives each tile the equal one that it is taken with. If the board has been
        cleared, the pairs are in `_best`. The certificate is that of `Pairings.certificate`; if
        there is no time to write a proof, it says only "why": "searched", with the number of
        "positions". Raise OutOfBudget when the limit is reached before it is known that no pairing
        works, or `look` raises it.
        """
        alike: dict[int, list[int]] = {}
        for cell in self._whole.tolist():
            alike.setdefault(self._tiles[cell], []).append(cell)
        with closing(Pairings(alike.values(), self._thinking.check)) as pairings:
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

    def _follow(self, pairing: list[TilePair]) -> tuple[list[int], list[TilePair]] | None:
        """Take the pairs of *pairing* while any is linked; return what blocks the rest, or None.

        The kinds that could be taken whole are gone before. None if the board is cleared: `_best`
        are all pairs then, in order. Else two lists: the cells of tiles that block each other, and
        the pairs that are linked while only these stand; none of them is of the pairing, and any
        way to clear the board takes one. Each pair is two cells, by number. It counts as one node;
        raise OutOfBudget if the limit is reached.
        """
        self._thinking.tick()
        ones, twos = np.array(pairing).T
        self._mates[ones], self._mates[twos] = twos, ones
        moves = self._moves[2 * int(self._safe) :]
        left, count = kernel_clear.try_pairing(
            self._address, self._whole, self._cells, moves, self._pairs
        )
        if not left:
            self._best = self._taken(len(self._moves) // 2)
            return None
        cells = self._pairs[: 2 * int(count)].tolist()
        return self._cells[:left].tolist(), list(zip(cells[::2], cells[1::2]))


def sat_solver(**settings: Any) -> Any:
    """Return a new SAT solver, a ``Solver`` of PySAT, with *settings*, its keyword arguments.

    Its library is loaded only here. Delete the solver after use.
    """
    from pysat.solvers import Solver  # type: ignore[import-untyped]

    return Solver(name=ENGINE, **settings)


class Pairings:
    """The pairings of equal tiles that are not ruled out yet, as a problem for a SAT solver.

    A pairing gives each tile the equal one that it is taken with. *kinds* are the cells of each
    kind, an even number. The solver decides on choices, numbered from 1: a choice is a pair of
    cells that is taken together or, where a kind has four tiles, two pairs that go together. A
    clause lists choices, of which one must be made; a negative number is one that is not made.
    *check* is called now and then, and may raise to stop. Close it after use.
    """

    def __init__(self, kinds: Iterable[Sequence[int]], check: Callable[[], None]) -> None:
        self._check = check
        self._choices: list[tuple[TilePair, ...]] = [()]
        """The pairs that each number stands for: two where a kind has four tiles."""
        self._numbers: dict[TilePair, int] = {}
        self._rules: list[Literals] = []
        self._blocked: list[Blocked] = []
        self._each_once = True
        """True if the clauses already ensure that no tile is in two pairs."""
        self._solver = sat_solver()
        for cells in kinds:
            self._check()
            self._each_once &= len(cells) <= MANY
            for rule in self._exactly_one(cells):
                self._require(rule)

    def close(self) -> None:
        """Free the memory of the SAT solver; the object cannot be used after that."""
        self._solver.delete()

    def propose(self) -> list[TilePair] | None:
        """Return a pairing that is not ruled out, as pairs of cells; None if all are.

        Raise OutOfBudget, if *check* does.
        """
        while self._satisfied(self._solver):
            made = [number for number in self._solver.get_model() or () if number > 0]
            if self._each_once or not (rules := self._against_double(made)):
                return [pair for number in made for pair in self._choices[number]]
            for rule in rules:
                self._require(rule)
        return None

    def rule_out(self, cells: list[int], pairs: Iterable[TilePair]) -> None:
        """Rule out every pairing that has none of *pairs*: without one, *cells* stay blocked.

        *cells* are numbers of cells, for the certificate. Each of *pairs* must be two equal tiles
        of the kinds given at first, else KeyError is raised.
        """
        clause = sorted({self._numbers[pair] for pair in pairs})
        self._blocked.append((cells, clause))
        self._solver.add_clause(clause)

    def certificate(self, grid: Grid) -> Certificate:
        """Return the certificate that no pairing works, once `propose` returns None, as JSON data.

        It has "why": "blocked"; "sets", lists of names of cells whose tiles block each other; and
        "steps", the clauses of a proof from these: lists of names such as ``a1b3``, a pair that is
        taken, or ``-a1b3``, one that is not. Raise OutOfBudget as `propose` does.
        """
        core = self._core(self._blocked)
        clauses = [*self._rules, *(clause for _, clause in core)]
        with sat_solver(with_proof=True, bootstrap_with=clauses) as solver:
            self._satisfied(solver)
            lines = [line.split() for line in solver.get_proof() or ()]
        steps = [[int(word) for word in line[:-1]] for line in lines if line[0] != "d"]
        return {
            "why": "blocked",
            "sets": [[grid.names[cell] for cell in cells] for cells, _ in core],
            "steps": [[self._name(grid, number) for number in step] for step in steps if step],
        }

    def _satisfied(self, solver: Any, assumed: Sequence[int] = ()) -> bool:
        """Return whether the SAT solver has a model with the choices *assumed*.

        They are numbers of choices that are made; a negative number is one that is not. Raise
        OutOfBudget if *check* does, which is called now and then.
        """
        answer = None
        while answer is None:
            solver.conf_budget(CONFLICT_BUDGET)
            answer = solver.solve_limited(assumptions=assumed)
            self._check()
        return bool(answer)

    def _exactly_one(self, cells: Sequence[int]) -> Iterator[Literals]:
        """Yield the clauses that say that each tile on *cells*, of one kind, is in one pair.

        With more than MANY tiles they say only that it is in one at least. Numbers are given to the
        choices on the way.
        """
        if len(cells) == 4:  # a pair leaves the other pair, and the other way round
            first, *others = cells
            for other in others:
                left, right = (cell for cell in others if cell != other)
                self._add_choice((first, other), (left, right))
            numbers = [self._numbers[first, other] for other in others]
            yield numbers
            yield from ([-one, -two] for one, two in combinations(numbers, 2))
            return
        for pair in combinations(cells, 2):
            self._add_choice(pair)
        for cell in cells:
            numbers = [self._numbers[cell, other] for other in cells if other != cell]
            yield numbers
            if len(cells) <= MANY:
                yield from ([-one, -two] for one, two in combinations(numbers, 2))

    def _add_choice(self, *pairs: TilePair) -> None:
        """Make *pairs* of cells, which are taken or left together, the choice of the next number.

        Numbers begin with 1; `_numbers` then has it for each pair, in either order.
        """
        for first, second in pairs:
            self._numbers[first, second] = self._numbers[second, first] = len(self._choices)
        self._choices.append(pairs)

    def _require(self, rule: Literals) -> None:
        """Add the clause *rule* to the SAT solver, and to the rules of every proof.

        It holds numbers of choices, negative ones for choices that are not made.
        """
        self._rules.append(rule)
        self._solver.add_clause(rule)

    def _against_double(self, made: list[int]) -> list[Literals]:
        """Return clauses against those choices in *made* that share a tile; empty if none do.

        *made* are numbers of choices, as in the clauses.
        """
        number_of: dict[int, int] = {}
        rules = []
        for number in made:
            for cell in (cell for pair in self._choices[number] for cell in pair):
                if cell in number_of:
                    rules.append([-number_of[cell], -number])
                number_of[cell] = number
        return rules

    def _core(self, blocked: list[Blocked]) -> list[Blocked]:
        """Return those of the *blocked* sets that a proof needs, in the same order.

        A blocked set is some cells whose tiles block each other, with the choices that would open
        them. With all of them no pairing may be left: not checked. Those returned are enough for
        the proof; there may be sets among them that it could do without if they are many: see
        `_enough`. Raise OutOfBudget if *check* does.
        """
        while len(fewer := self._enough(blocked)) < len(blocked) * SECOND_TRY:
            blocked = fewer
        return fewer

    def _enough(self, blocked: list[Blocked]) -> list[Blocked]:
        """Return those of the *blocked* sets that one proof uses, in the same order.

        A blocked set is some cells whose tiles block each other, with the choices that would open
        them. If the proof uses at most SMALL_CORE sets, those that it can do without are left out,
        one by one. Raise OutOfBudget if *check* does.
        """
        first = len(self._choices)  # further numbers switch the sets on
        with sat_solver(bootstrap_with=self._rules) as solver:
            for switch, (_, clause) in enumerate(blocked, first):
                solver.add_clause([-switch, *clause])
            unsure, needed = list(range(first, first + len(blocked))), list[int]()
            self._satisfied(solver, unsure)
            unsure = solver.get_core() or []
            while unsure and len(unsure) <= SMALL_CORE:
                switch = unsure.pop()
                if self._satisfied(solver, [*unsure, *needed]):
                    needed.append(switch)
                else:
                    core = set(solver.get_core() or ())
                    unsure = [each for each in unsure if each in core]
        return [blocked[switch - first] for switch in sorted((*unsure, *needed))]

    def _name(self, grid: Grid, number: int) -> str:
        """Return the name of choice *number* in a certificate, such as ``a1b3`` or ``-a1b3``.

        It is that of its first pair, with ``-`` if *number* is negative: the choice is not made.
        """
        first, second = self._choices[abs(number)][0]
        return f"{'-' if number < 0 else ''}{grid.names[first]}{grid.names[second]}"
