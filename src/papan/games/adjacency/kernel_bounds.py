"""Adjacency games near their end: what shows without a search, and the order of the moves.

*turns* are the levels of rival marks beside each empty cell: what a move there turns. *saves* are
those of own marks: what the rival could turn there. A score is what the side to move gains on its
rival from the present margin to the final one. Pruning lives on the order in which moves are tried.
"""

from __future__ import annotations

from papan.engine.native import ONE, ZERO, Word, lowest, native
from papan.games.adjacency.kernel_board import (
    INFINITE,
    SCALE,
    Levels,
    Marks,
    MoveList,
    U,
    View,
    Window,
    Workspace,
    around,
    beside_at_least,
    count,
    most,
    nth,
    one_of,
    within,
)


@native()
def features(workspace: Workspace, marks: Marks) -> View:
    """The empty cells, what a move on each turns, and what it saves."""
    own, rival = marks
    empty = workspace.cells & ~(own | rival)
    return empty, beside_at_least(rival, empty), beside_at_least(own, empty)


@native()
def after(workspace: Workspace, marks: Marks, cell: Word) -> Marks:
    """The marks after a move on *cell*: those of the side to move then come first."""
    own, rival = marks
    turned = workspace.beside[lowest(cell)] & rival
    return rival ^ turned, own | turned | cell


@native()
def every_other(levels: Levels, picks: int, first: int) -> int:
    """The sum of *picks* numbers when two sides take the largest in turn; *first* is 0 or 1."""
    total = 0
    for each in range(4):
        total += (min(2 * picks - first, count(levels[each])) + first) // 2
    return total


@native()
def largest(levels: Levels) -> Word:
    """A cell with the largest number; none if all are 0."""
    cells = levels[0]
    for each in range(1, 4):
        if levels[each]:
            cells = levels[each]
    return one_of(cells)


@native()
def beside_largest(levels: Levels, guards: int) -> int:
    """The largest number right beside the cells with the *guards* largest numbers."""
    cells = ZERO
    for _ in range(guards):
        cells |= largest(within(levels, ~cells))
    return most(within(levels, around(cells)))


@native()
def one_pick(levels: Levels, rank: int, beside: int) -> int:
    """What one move turns at most: the number of its *rank*, or a new mark and what is beside."""
    return max(nth(levels, rank), beside + 1)


@native()
def two_picks(levels: Levels, rank: int, beside: int) -> int:
    """What two moves turn at most: each as above, or the later one two new marks at once."""
    first, second = nth(levels, rank), nth(levels, rank + 2)
    each = one_pick(levels, rank, beside) + one_pick(levels, rank + 2, beside)
    return max(each, first + max(second, beside + 2))


@native()
def ceiling(plies: int, turns: Levels, saves: Levels) -> int:
    """The most that the side to move can gain: more would need a rival who does not defend.

    Let the rival always take the cell beside most of its own marks, and with the last move of the
    game the one beside most of ours. So we turn at best every other of the numbers in *turns*, in
    falling order. The rival's new marks become ours at best, but for one placed with the last move.
    Near the end it shows that whoever turns a new mark, right beside it, gets less elsewhere.
    """
    if plies < 5:
        turned = most(turns) + one_pick(turns, 3, beside_largest(turns, 2)) - 1
    elif plies < 7:
        turned = most(turns) + two_picks(turns, 3, beside_largest(turns, 4)) - 2
    else:
        turned = every_other(turns, (plies + 1) // 2, 1)
    if plies & 1:
        return SCALE * (plies + 2 * turned)
    return SCALE * (plies - 2 + 2 * turned - 2 * nth(saves, plies))


@native()
def floor(plies: int, turns: Levels, saves: Levels) -> int:
    """The least that the side to move can make sure of: the same with the roles exchanged."""
    if plies < 4:
        turned = one_pick(saves, 2, beside_largest(saves, 1)) - 1
    elif plies < 6:
        turned = two_picks(saves, 2, beside_largest(saves, 3)) - 2
    else:
        turned = every_other(saves, plies // 2, 0)
    if plies & 1:
        return SCALE * (2 - plies - 2 * turned + 2 * nth(turns, plies))
    return SCALE * (-plies - 2 * turned)


@native()
def last_two(workspace: Workspace, marks: Marks, window: Window) -> int:
    """The score two plies before the end; exact inside the *window*, a bound elsewhere."""
    alpha, beta = window
    left, turns, saves = features(workspace, marks)
    answer, second, empty = most(saves), nth(saves, 2), left
    best = -INFINITE
    for turned in range(4, -1, -1):
        upper = 2 * SCALE * (turned - second)  # the rival has at least the second best answer
        if upper <= max(alpha, best):
            return max(best, upper)
        cells = left & turns[turned - 1] if turned else left
        left ^= cells
        while cells:
            cell = one_of(cells)
            cells ^= cell
            least = second if most(within(saves, cell)) == answer else answer
            score = 2 * SCALE * (turned - least)
            if score > max(alpha, best):
                _, mine = after(workspace, marks, cell)
                score = 2 * SCALE * (turned - most(beside_at_least(mine, empty ^ cell)))
            best = max(best, score)
            if best >= beta:
                return best
    return best


@native()
def last_plies(workspace: Workspace, marks: Marks, plies: int, window: Window) -> int:
    """The score when at most two plies are left."""
    if plies == 2:
        return last_two(workspace, marks, window)
    _, turns, _ = features(workspace, marks)
    return SCALE * plies * (1 + 2 * most(turns))


MOVE = U(63)
"""The part of an item that says which move it is."""
MIDDLE = 10_000  # what makes a score positive; the hint scores most

PLAIN = (
    *((4, 0), (3, 1), (3, 0), (2, 2), (2, 1), (1, 3), (2, 0), (1, 2), (0, 4), (1, 1)),
    *((0, 3), (1, 0), (0, 2), (0, 1), (0, 0)),
)
"""How many marks a move turns and how many own ones it saves, in the order to try."""


@native()
def exactly(levels: Levels, number: int, cells: Word) -> Word:
    """Those of *cells* that have exactly so many neighbours."""
    if number:
        cells &= levels[number - 1]
    return cells & ~levels[number] if number < 4 else cells


@native()
def list_plainly(moves: MoveList, view: View, hint: Word) -> Word:
    """Write the moves, after the hint those that turn and save most: how many there are."""
    left, turns, saves = view
    count = ZERO
    if hint <= MOVE:
        left ^= ONE << hint
        moves.items[count] = hint
        count += ONE
    for turned, saved in PLAIN:
        cells = exactly(saves, saved, exactly(turns, turned, left))
        while cells:
            moves.items[count] = lowest(cells)
            count += ONE
            cells &= cells - ONE
    return count


@native()
def insert(moves: MoveList, count: Word, item: Word) -> None:
    """Put an item into a list of so many; larger ones stay before it."""
    while count and moves.items[count - ONE] < item:
        moves.items[count] = moves.items[count - ONE]
        count -= ONE
    moves.items[count] = item


@native()
def move_score(workspace: Workspace, marks: Marks, view: View, cell: Word) -> int:
    """How good a move looks: what it turns and saves, less what the rival can turn next."""
    empty, turns, saves = view
    _, mine = after(workspace, marks, cell)
    answers = beside_at_least(mine, empty ^ cell)
    good = 200 * most(within(turns, cell)) + 100 * most(within(saves, cell))
    return good - 200 * most(answers) - 15 * count(answers[1])


@native()
def list_with_care(
    workspace: Workspace, marks: Marks, moves: MoveList, view: View, hint: Word
) -> Word:
    """Write the moves, after the hint the best promise: how many there are."""
    count, cells = ZERO, view[0]
    while cells:
        cell = one_of(cells)
        cells ^= cell
        move = lowest(cell)
        good = MIDDLE if move == hint else move_score(workspace, marks, view, cell)
        insert(moves, count, U(good + MIDDLE) << U(6) | move)
        count += ONE
    return count
