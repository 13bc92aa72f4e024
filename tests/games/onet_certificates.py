"""Checks the proof that an Onet board can never be cleared, in plain Python, apart from the solver.

A certificate is one of two. *odd*: the tiles of a kind, odd in number. *blocked*: sets of cells,
and steps. Each set stands for a fact. Whoever clears the board takes a first pair with a tile of
the set, while all the others of it stand; taking tiles away never closes a link, so this pair is
linked when only the set stands. Hence one of the pairs that touch the set and are then linked is
taken. A step is a list of pairs (``-`` in front: a pair that is not taken), one of which is true:
if none were, what must follow one by one from the facts, the steps before, and the rule that each
tile is in exactly one pair, would contradict itself. The last step, which is not written, is empty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, TypeAlias

from papan.games.onet.links import OnetLinks
from papan.games.onet.rules import OnetPosition

Claim: TypeAlias = list[int]
"""At least one of these is true: the number of a choice that is made, negative if it is not made.

A choice is a pair that is taken, with the pair that is left where a kind has just four tiles.
"""


def proves(position: OnetPosition, certificate: Mapping[str, Any]) -> bool:
    """Does *certificate* show that the board of *position* can never be cleared?"""
    if certificate["why"] == "odd":
        return _is_odd_kind(position, certificate["tiles"])
    if position.game.rule != "onet" or position.game.gravity != "none":
        return False
    return certificate["why"] == "blocked" and _Refutation(position).holds(certificate)


def _is_odd_kind(position: OnetPosition, names: list[str]) -> bool:
    """Are these all tiles of a kind, and odd in number?"""
    kinds = {position.tiles[cell] for cell in _cells(position, names)}
    return (
        len(kinds) == 1
        and 0 not in kinds
        and len(set(names)) == position.tiles.count(kinds.pop())
        and len(set(names)) % 2 == 1
    )


def _cells(position: OnetPosition, names: Iterable[str]) -> list[int]:
    return [cell for name in names for cell in position.game.grid.parse(name, 1)]


class _Refutation:
    """The check of blocked sets and steps on one board."""

    def __init__(self, position: OnetPosition) -> None:
        self._position = position
        self._alike = {cell: cells for cells in position.alike() for cell in cells}
        self._numbers: dict[frozenset[frozenset[int]], int] = {}

    def holds(self, certificate: Mapping[str, Any]) -> bool:
        sets = [_cells(self._position, names) for names in certificate["sets"]]
        steps = [[self._pair(name) for name in step] for step in certificate["steps"]]
        if not all(sets) or any(cell not in self._alike for cells in sets for cell in cells):
            return False
        if any(two not in self._alike.get(one, ()) for step in steps for one, two, _ in step):
            return False
        claims = _Claims(self._one_pair_each({cell for cells in sets for cell in cells}))
        for cells in sets:
            claims.add(self._fact(cells))
        for step in (*steps, []):
            claim = [sign * self._choice(one, two) for one, two, sign in step]
            if not claims.contradict([-choice for choice in claim]):
                return False
            claims.add(claim)
        return True

    def _one_pair_each(self, cells: Iterable[int]) -> list[Claim]:
        """Each tile of the kinds on *cells* is in exactly one pair."""
        claims: list[Claim] = []
        for cell in sorted({alike for each in cells for alike in self._alike[each]}):
            choices = {self._choice(cell, other) for other in self._alike[cell] if other != cell}
            claims.append(list(choices))
            claims += [[-one, -two] for one, two in combinations(choices, 2)]
        return claims

    def _fact(self, cells: list[int]) -> Claim:
        """One of the pairs that touch *cells* and are linked when only these stand is taken."""
        standing = [1 if cell in cells else 0 for cell in range(self._position.game.grid.size)]
        links = OnetLinks(self._position.game.grid, standing)
        pairs = ((cell, other) for cell in cells for other in self._alike[cell] if other != cell)
        return list({self._choice(*pair) for pair in pairs if links.joins(*pair)})

    def _pair(self, name: str) -> tuple[int, int, int]:
        """The cells of a pair, and 1, or -1 where it is said not to be taken."""
        first, second = self._position.game.grid.parse(name.removeprefix("-"), 2)
        return first, second, -1 if name.startswith("-") else 1

    def _choice(self, first: int, second: int) -> int:
        """The number of a choice, from 1."""
        pairs = {frozenset((first, second))}
        if len(self._alike[first]) == 4:
            pairs.add(frozenset(self._alike[first]) - {first, second})
        return self._numbers.setdefault(frozenset(pairs), len(self._numbers) + 1)


class _Claims:
    """Claims that are true, and what follows from them one by one."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        self._single: Claim = []
        self._with: defaultdict[int, list[Claim]] = defaultdict(list)
        self._absurd = False
        for claim in claims:
            self.add(claim)

    def add(self, claim: Claim) -> None:
        self._absurd |= not claim
        if len(claim) == 1:
            self._single += claim
        for each in claim:
            self._with[each].append(claim)

    def contradict(self, assumed: Claim) -> bool:
        """Does what follows from the claims and from what is *assumed* contradict itself?"""
        known: set[int] = set()
        waiting = [*assumed, *self._single]
        while waiting and not self._absurd:
            fact = waiting.pop()
            if -fact in known:
                return True
            if fact in known:
                continue
            known.add(fact)
            for claim in self._with[-fact]:
                if known.isdisjoint(claim):
                    unknown = [each for each in claim if -each not in known]
                    if not unknown:
                        return True
                    if len(unknown) == 1:
                        waiting += unknown
        return self._absurd
