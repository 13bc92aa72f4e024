"""In which order an Adjacency search tries the moves: pruning lives on it."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from papan.engine.native import ONE, load, lowest, native, store
from papan.games.adjacency.kernel_board import (
    LISTS,
    U,
    beside_at_least,
    count,
    most,
    one_of,
    within,
)
from papan.games.adjacency.kernel_bounds import after

MOVE = U(63)
"""The part of an item that says which move it is."""
MIDDLE = 10_000  # what makes a score positive; the hint scores most

PLAIN = (
    *((4, 0), (3, 1), (3, 0), (2, 2), (2, 1), (1, 3), (2, 0), (1, 2), (0, 4), (1, 1)),
    *((0, 3), (1, 0), (0, 2), (0, 1), (0, 0)),
)
"""How many marks a move turns and how many own ones it saves, in the order to try."""


@native()
def exactly(levels, number, cells):
    """Those of *cells* that have exactly so many neighbours."""
    if number:
        cells &= levels[number - 1]
    return cells & ~levels[number] if number < 4 else cells


@native()
def list_plainly(workspace, plies, view, hint):
    """Write the moves, after the hint those that turn and save most: where the list ends."""
    left, turns, saves = view
    at = LISTS + 64 * plies
    if hint <= MOVE:
        left ^= ONE << hint
        store(workspace, at, hint)
        at += 1
    for turned, saved in PLAIN:
        cells = exactly(saves, saved, exactly(turns, turned, left))
        while cells:
            store(workspace, at, lowest(cells))
            at += 1
            cells &= cells - ONE
    return at


@native()
def insert(workspace, begin, at, item):
    """Put an item into the list that ends at *at*; larger ones stay before it."""
    while at > begin and load(workspace, at - 1) < item:
        store(workspace, at, load(workspace, at - 1))
        at -= 1
    store(workspace, at, item)


@native()
def move_score(workspace, marks, view, cell):
    """How good a move looks: what it turns and saves, less what the rival can turn next."""
    empty, turns, saves = view
    _, mine = after(workspace, marks, cell)
    answers = beside_at_least(mine, empty ^ cell)
    good = 200 * most(within(turns, cell)) + 100 * most(within(saves, cell))
    return good - 200 * most(answers) - 15 * count(answers[1])


@native()
def list_with_care(workspace, marks, plies, view, hint):
    """Write the moves, after the hint the best promise: where the list ends."""
    begin = at = LISTS + 64 * plies
    cells = view[0]
    while cells:
        cell = one_of(cells)
        cells ^= cell
        move = lowest(cell)
        good = MIDDLE if move == hint else move_score(workspace, marks, view, cell)
        insert(workspace, begin, at, U(good + MIDDLE) << U(6) | move)
        at += 1
    return at
