"""A SAT solver over the pairings of equal tiles: blocked tiles rule pairings out, clause by clause.

A pairing is a choice for each tile of the tile that it is taken with. `kernel_pairing` says what a
pairing that does not work teaches: one of a few pairs must be in each pairing that works.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from types import TracebackType
from typing import TypeAlias

from pysat.solvers import Solver  # type: ignore[import-untyped]

from papan.core import Grid
from papan.games.onet.verdict import Certificate, Pair

Clause: TypeAlias = list[int]
"""Numbers of choices, one of which is made; a negative number is a choice that is not made."""
Blocked: TypeAlias = tuple[list[int], Clause]
"""Cells whose tiles block each other, and the choices that would open them."""

ENGINE = "glucose4"
CONFLICT_BUDGET = 2_000
"""How many conflicts the SAT solver may meet before it lets us look at the clock."""
MANY = 12
"""In kinds of more tiles than these, a rule that no tile is in two pairs is made when needed."""
SMALL_CORE = 60
"""So many blocked sets are tried one by one whether the proof needs them."""
SECOND_TRY = 0.9
"""A proof is made again from what the last one used, while that is so much less."""


class Pairings:
    """The pairings that may still work."""

    def __init__(self, kinds: Iterable[Sequence[int]], check: Callable[[], None]) -> None:
        self._check = check
        self._choices: list[tuple[Pair, ...]] = [()]
        """The pairs that each number stands for: two where a kind has four tiles."""
        self._numbers: dict[Pair, int] = {}
        self._rules: list[Clause] = []
        self._blocked: list[Blocked] = []
        self._each_once = True
        """Do the rules say already that no tile is in two pairs?"""
        self._solver = Solver(name=ENGINE)
        for cells in kinds:
            self._check()
            self._each_once &= len(cells) <= MANY
            for rule in self._exactly_one(cells):
                self._require(rule)

    def __enter__(self) -> Pairings:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._solver.delete()

    def propose(self) -> list[Pair] | None:
        """A pairing that is not ruled out; None when all are."""
        while self._satisfied(self._solver):
            made = [number for number in self._solver.get_model() or () if number > 0]
            if self._each_once or not (rules := self._against_double(made)):
                return [pair for number in made for pair in self._choices[number]]
            for rule in rules:
                self._require(rule)
        return None

    def rule_out(self, cells: list[int], pairs: Iterable[Pair]) -> None:
        """Tiles that block each other until one of the *pairs* is taken."""
        clause = sorted({self._numbers[pair] for pair in pairs})
        self._blocked.append((cells, clause))
        self._solver.add_clause(clause)

    def certificate(self, grid: Grid) -> Certificate:
        """Why no pairing works, once `propose` finds none: blocked sets, and steps from them.

        Raises OutOfBudget as `propose` does: short proofs take time, too.
        """
        core = self._core(self._blocked)
        clauses = [*self._rules, *(clause for _, clause in core)]
        with Solver(name=ENGINE, with_proof=True, bootstrap_with=clauses) as solver:
            self._satisfied(solver)
            lines = [line.split() for line in solver.get_proof() or ()]
        steps = [[int(word) for word in line[:-1]] for line in lines if line[0] != "d"]
        return {
            "why": "blocked",
            "sets": [[grid.names[cell] for cell in cells] for cells, _ in core],
            "steps": [[self._name(grid, number) for number in step] for step in steps if step],
        }

    def _satisfied(self, solver: Solver, assumed: Sequence[int] = ()) -> bool:
        """Is there a model? The clock is looked at meanwhile."""
        answer = None
        while answer is None:
            solver.conf_budget(CONFLICT_BUDGET)
            answer = solver.solve_limited(assumptions=assumed)
            self._check()
        return bool(answer)

    def _exactly_one(self, cells: Sequence[int]) -> Iterator[Clause]:
        """The rules that each tile of a kind is in one pair."""
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

    def _add_choice(self, *pairs: Pair) -> None:
        for first, second in pairs:
            self._numbers[first, second] = self._numbers[second, first] = len(self._choices)
        self._choices.append(pairs)

    def _require(self, rule: Clause) -> None:
        self._rules.append(rule)
        self._solver.add_clause(rule)

    def _against_double(self, made: list[int]) -> list[Clause]:
        """Rules against those choices made that share a tile."""
        number_of: dict[int, int] = {}
        rules = []
        for number in made:
            for cell in (cell for pair in self._choices[number] for cell in pair):
                if cell in number_of:
                    rules.append([-number_of[cell], -number])
                number_of[cell] = number
        return rules

    def _core(self, blocked: list[Blocked]) -> list[Blocked]:
        """Blocked sets that are enough for the proof; none can be spared where they are few."""
        while len(fewer := self._enough(blocked)) < len(blocked) * SECOND_TRY:
            blocked = fewer
        return fewer

    def _enough(self, blocked: list[Blocked]) -> list[Blocked]:
        """Those of the blocked sets that a first proof uses."""
        first = len(self._choices)  # further numbers switch the sets on
        with Solver(name=ENGINE, bootstrap_with=self._rules) as solver:
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
        first, second = self._choices[abs(number)][0]
        return f"{'-' if number < 0 else ''}{grid.names[first]}{grid.names[second]}"
