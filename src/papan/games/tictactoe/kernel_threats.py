"""A Tic Tac Toe board of any size that keeps count, and threat-space search on it.

For every line the board knows the marks of both sides, and for every cell and side what the lines
through it are worth: only lines without a mark of the other side count.

A threat is a line that lacks one mark. `threat_sequence` wins by threats alone, so that the rival
never has a choice (VCF); `threat_search` also makes quiet moves, after which any answer is met.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from papan.engine.control import GOES_ON, spend
from papan.engine.memory import Row, kind
from papan.engine.native import ONE, TWO, WORD, ZERO, Word, kinds, native, span, words_at

U = np.uint64
MOST_CELLS, MOST_LINES, MOST_THROUGH, MOST_MARKS = 225, 736, 63, 16
NOWHERE = U(MOST_CELLS)

BYTE, EIGHT = U(255), U(8)
SMOOTH = U(0xFFFFFFFF)
"""The lower half of a worth is a number to compare moves by; the upper half counts lines:"""
ONE_SHORT, TWO_SHORT, THREE_SHORT = U(32), U(40), U(48)
"""those that lack one mark, two marks and three."""
FAILURES, LENGTH = U(1 << 12), U(63)
LONGEST_SEQUENCE = U(20)
"""Threats in a sequence at most."""
TRIED = U(8)
"""Quiet moves that a threat search tries in a position."""


class Choices:
    """A list of moves, best first."""

    count: Word
    moves: Annotated[Row[Word], MOST_CELLS]
    """Each a cell, with its value above bit 8."""


class Workspace:
    """The board, and what the searches on it work with."""

    controls: Word
    """Where the words are that are shared with the caller: `papan.engine.control`."""
    transpositions: Word
    mask: Word
    """Where the table of the engine is, and its last entry."""

    # What is fixed.
    cells: Word
    connect: Word
    """How many cells there are, and marks in a full line."""
    gain: Annotated[Row[Word], MOST_MARKS + 8]
    """What a line is worth to each of its cells, by the marks on it."""
    start: Annotated[Row[Word], MOST_LINES]
    step: Annotated[Row[Word], MOST_LINES]
    """The first cell of each line, and how far it is from one to the next."""
    through_count: Annotated[Row[Word], MOST_CELLS]
    through: Annotated[Row[Word], MOST_CELLS, MOST_THROUGH]
    """For each cell how many lines run through it, and which."""
    noise: Annotated[Row[Word], 2, MOST_CELLS]
    """A random word for each side and cell."""
    central: Annotated[Row[Word], MOST_CELLS]
    """How near to the centre each cell is, up to 15."""

    # What changes with every mark.
    hash: Word
    marks: Word
    """How many there are."""
    open: Annotated[Row[Word], 2, MOST_MARKS]
    """For each side how many lines are open to it, by the marks on them."""
    taken: Annotated[Row[Word], MOST_CELLS]
    weights: Annotated[Row[Word], 2, MOST_CELLS]
    """For each side and cell what the lines open to that side are worth."""
    tally: Annotated[Row[Word], MOST_LINES]
    """For each line the marks of the first side, and from bit 8 on those of the second."""

    # The threat-space search.
    budget: Word
    """How many nodes the proof at hand may still take."""
    line: Annotated[Row[Word], MOST_CELLS + 2]
    """The cells of the play found last, by the number of marks on the board before each."""
    failed: Annotated[Row[Word], 1 << 12]
    """Positions without a sequence: their hash, and how long a sequence was looked for."""
    choices: Annotated[Row[Choices], MOST_CELLS + 2]
    """For each number of marks on the board the moves to look at."""

    # What the engine has found.
    best: Word
    score: np.int64
    depth: Word
    """The best move, its score, and how deep the search went."""
    proof: Word
    """1: it is proven that the side to move wins, 2: that it loses."""
    end: Word
    """The marks on the board at the end of the sequence that proves it."""


WORKSPACE = kind(Workspace)


@native(WORD(WORD, WORD, WORD, WORKSPACE))
def short_lines(side: Word, cell: Word, missing: Word, workspace: Workspace) -> Word:
    """How many lines through an empty cell lack so many marks, and no more; 0 if it is taken."""
    return ZERO if workspace.taken[cell] else workspace.weights[side, cell] >> missing & BYTE


@native(kinds.void(WORD, WORD, WORD, WORKSPACE))
def shift(side: Word, line: Word, change: Word, workspace: Workspace) -> None:
    """Change what the cells of a line are worth to a side."""
    cell, step = workspace.start[line], workspace.step[line]
    for _ in span(workspace.connect):
        workspace.weights[side, cell] += change
        cell += step


@native(kinds.void(WORD, WORD, WORD, WORKSPACE))
def change_mark(side: Word, cell: Word, sign: Word, workspace: Workspace) -> None:
    """Put a mark (*sign* 1) or take it away (*sign* -1, as a word)."""
    rival, unit = ONE - side, ONE << EIGHT * side
    for number in span(workspace.through_count[cell]):
        line = workspace.through[cell, number]
        tally = workspace.tally[line]
        workspace.tally[line] = tally + sign * unit
        tally -= ZERO if sign == ONE else unit  # without the mark
        mine, theirs = tally >> EIGHT * side & BYTE, tally >> EIGHT * rival & BYTE
        if theirs == ZERO:
            more = workspace.gain[mine + ONE] - workspace.gain[mine]
            shift(side, line, sign * more, workspace)
            workspace.open[side, mine] -= sign
            workspace.open[side, mine + ONE] += sign
        if mine == ZERO:
            shift(rival, line, ZERO - sign * workspace.gain[theirs], workspace)
            workspace.open[rival, theirs] -= sign
    workspace.hash ^= workspace.noise[side, cell]
    workspace.marks += sign


@native(kinds.void(WORD, WORD, WORKSPACE))
def put(side: Word, cell: Word, workspace: Workspace) -> None:
    """Put a mark on an empty cell."""
    workspace.taken[cell] = ONE
    change_mark(side, cell, ONE, workspace)


@native(kinds.void(WORD, WORD, WORKSPACE))
def lift(side: Word, cell: Word, workspace: Workspace) -> None:
    """Take the mark away again."""
    workspace.taken[cell] = ZERO
    change_mark(side, cell, ZERO - ONE, workspace)


@native(kinds.boolean(WORKSPACE))
def exhausted(workspace: Workspace) -> bool:
    """Count a node of a proof; True if it has taken too many."""
    if workspace.budget == ZERO or spend(words_at(workspace.controls)) != GOES_ON:
        return True
    workspace.budget -= ONE
    return False


@native(WORD(WORD, WORKSPACE))
def winning_cell(side: Word, workspace: Workspace) -> Word:
    """A cell that fills a line of a side, or NOWHERE."""
    if workspace.open[side, workspace.connect - ONE]:
        for cell in span(workspace.cells):
            if short_lines(side, cell, ONE_SHORT, workspace):
                return cell
    return NOWHERE


@native(WORD(WORD, WORKSPACE))
def gap(line: Word, workspace: Workspace) -> Word:
    """The empty cell of a line that has only one."""
    cell, step = workspace.start[line], workspace.step[line]
    while workspace.taken[cell]:
        cell += step
    return cell


@native(kinds.UniTuple(WORD, 2)(WORD, WORD, WORKSPACE))
def threats_of(side: Word, cell: Word, workspace: Workspace) -> tuple[Word, Word]:
    """Two cells where the mark just put on *cell* threatens to win; NOWHERE if there are fewer."""
    first = second = NOWHERE
    almost = (workspace.connect - ONE) << EIGHT * side
    for number in span(workspace.through_count[cell]):
        line = workspace.through[cell, number]
        if workspace.tally[line] == almost:
            found = gap(line, workspace)
            if first == NOWHERE:
                first = found
            elif found != first:
                second = found
    return first, second


@native(kinds.void(WORD, WORD, WORKSPACE))
def write(cell: Word, answer: Word, workspace: Workspace) -> None:
    """Write down a move and the answer to it as the play from here on."""
    workspace.line[workspace.marks] = cell
    workspace.line[workspace.marks + ONE] = answer


@native(WORD(WORD, WORD, WORKSPACE))
def threat_sequence(side: Word, length: Word, workspace: Workspace) -> Word:
    """How many marks are on the board when the side to move has won by at most *length* threats,
    each to be met at once; 0 if it cannot.
    """
    if exhausted(workspace):
        return ZERO
    win, must_block = winning_cell(side, workspace), winning_cell(ONE - side, workspace)
    if win != NOWHERE:
        write(win, NOWHERE, workspace)
        return workspace.marks + ONE
    failure = workspace.hash & ~LENGTH ^ side << U(63)
    known = workspace.failed[workspace.hash % FAILURES]
    if length == ZERO or (known & ~LENGTH == failure and known & LENGTH >= length):
        return ZERO
    for cell in span(workspace.cells):
        if short_lines(side, cell, TWO_SHORT, workspace) and (
            must_block == NOWHERE or cell == must_block
        ):
            put(side, cell, workspace)
            answer, other = threats_of(side, cell, workspace)
            end = ZERO
            if answer == NOWHERE or winning_cell(ONE - side, workspace) != NOWHERE:
                pass  # the rival need not answer
            elif other != NOWHERE:
                end = workspace.marks + TWO
                workspace.line[end - ONE] = other
            else:
                put(ONE - side, answer, workspace)
                end = threat_sequence(side, length - ONE, workspace)
                lift(ONE - side, answer, workspace)
            lift(side, cell, workspace)
            if end:
                write(cell, answer, workspace)
                return end
    if workspace.budget:
        workspace.failed[workspace.hash % FAILURES] = failure | length
    return ZERO


@native(kinds.void(WORD, WORD, WORD, WORKSPACE))
def list_move(cell: Word, value: Word, room: Word, workspace: Workspace) -> None:
    """Put a move in its place on the list of the best ones, which has *room* for so many."""
    choices = workspace.choices[workspace.marks]
    place = choices.count
    if place < room:
        choices.count = place + ONE
    elif choices.moves[place - ONE] >> EIGHT >= value:
        return
    else:
        place -= ONE
    while place and choices.moves[place - ONE] >> EIGHT < value:
        choices.moves[place] = choices.moves[place - ONE]
        place -= ONE
    choices.moves[place] = value << EIGHT | cell


@native(kinds.void(WORD, WORD, WORD, WORKSPACE))
def list_threats(side: Word, to_move: Word, must_block: Word, workspace: Workspace) -> None:
    """List what matters while *side* attacks: its own next moves, or all answers of its rival.

    A cell where a line must be stopped is *must_block*, and all there is.
    """
    workspace.choices[workspace.marks].count = ZERO
    if must_block != NOWHERE:
        list_move(must_block, ONE, ONE, workspace)
        return
    for cell in span(workspace.cells):
        weight = workspace.weights[side, cell]
        if to_move != side and not workspace.taken[cell]:
            list_move(cell, weight, U(MOST_CELLS), workspace)
        elif short_lines(side, cell, THREE_SHORT, workspace) or short_lines(
            side, cell, TWO_SHORT, workspace
        ):
            list_move(cell, weight & SMOOTH, TRIED, workspace)


@native(WORD(WORD, WORD, WORD, WORKSPACE))
def threat_search(side: Word, to_move: Word, depth: Word, workspace: Workspace) -> Word:
    """1 if *side* surely wins with at most *depth* quiet moves, each of which threatens a win."""
    if exhausted(workspace):
        return ZERO
    if to_move != side and winning_cell(to_move, workspace) != NOWHERE:
        return ZERO
    must_block = winning_cell(ONE - to_move, workspace)
    if must_block == NOWHERE or to_move == side:
        threatens = threat_sequence(side, LONGEST_SEQUENCE, workspace) != ZERO
        if threatens == (to_move == side) or (to_move == side and depth == ZERO):
            return ONE if threatens else ZERO
    list_threats(side, to_move, must_block, workspace)
    choices = workspace.choices[workspace.marks]
    for number in span(choices.count):
        cell = choices.moves[number] & BYTE
        put(to_move, cell, workspace)
        won = threat_search(
            side, ONE - to_move, depth - ONE if to_move == side else depth, workspace
        )
        lift(to_move, cell, workspace)
        if (won != ZERO) == (to_move == side):
            workspace.line[workspace.marks] = cell
            return won
    return ZERO if to_move == side else ONE


@native(WORD(WORD, WORD, WORKSPACE))
def refuted(side: Word, depth: Word, workspace: Workspace) -> Word:
    """1 if every move of the rival of *side*, who is to move, surely loses to `threat_search`."""
    rival = ONE - side
    if winning_cell(rival, workspace) != NOWHERE:
        return ZERO
    list_threats(side, rival, winning_cell(side, workspace), workspace)
    choices = workspace.choices[workspace.marks]
    for number in span(choices.count):
        cell = choices.moves[number] & BYTE
        put(rival, cell, workspace)
        won = threat_search(side, side, depth, workspace)
        lift(rival, cell, workspace)
        if won == ZERO:
            return ZERO
    return ONE
