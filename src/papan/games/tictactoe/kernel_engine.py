"""Strong play on a Tic Tac Toe board of any size: threat-space search, and alpha-beta.

First a board that keeps count. For every line it knows the marks of both sides, and for every cell
and side what the lines through it are worth: only lines without a mark of the other side count.

A threat is a line that lacks one mark. `threat_sequence` wins by threats alone, so that the rival
never has a choice (VCF); `threat_search` also makes quiet moves, after which any answer is met.

Last alpha-beta over the cells that matter most. A score compares the lines that are open to each
side; a win is worth WIN less the marks on the board when it comes. Wins and losses are only
believed there, because not every move is looked at: the threats prove them.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from papan.engine.control import GOES_ON, NODES, spend
from papan.engine.memory import Row, kind
from papan.engine.native import (
    ONE,
    TWO,
    WORD,
    ZERO,
    Word,
    kinds,
    load,
    native,
    signed,
    span,
    words_at,
)
from papan.engine.transpositions import Key, Transpositions, found, low_bits, put_entry

U = np.uint64
NUMBER, PAIR = kinds.int64, kinds.UniTuple(WORD, 2)
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
    transpositions: Transpositions
    """The table of the engine."""

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


@native(PAIR(WORD, WORD, WORKSPACE))
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


WIN, DECIDED = 1 << 40, (1 << 40) - 1_000
ABORTED = 1 << 41  # a score that no position has: the search was told to stop
WIDTH = U(16)
"""How many moves are looked at in a position."""
ALWAYS, FOUR = U(1 << 50), U(4)
"""A value above all others; the bits for how central a cell is."""
QUICK_BUDGET = U(60)
"""Nodes for the proof of a win by a chain, in each position."""
BUCKET = ONE, TWO
"""Each position has one place in the table. The data of an entry: score, depth searched, kind of
bound and best move."""
LOWER, UPPER, EQUAL = ONE, TWO, U(3)
LATE = U(4)
"""Moves after so many others are first looked at less deeply."""
DEEPEST = 40
FIRST_PROOF, LAST_PROOF = U(50_000), U(200_000)
"""Nodes to prove a win by a chain before anything else, and a believed result at the end."""


@native(NUMBER(WORD, WORKSPACE))
def evaluate(side: Word, workspace: Workspace) -> int:
    """The lines open to the side to move against those open to the other; to move is worth some."""
    score = 0
    for marks in span(ONE, workspace.connect):
        lines = U(5) * workspace.open[side, marks] - FOUR * workspace.open[ONE - side, marks]
        score += signed(lines * (workspace.gain[marks] & SMOOTH))  # a word below 0 comes round
    return score


@native(kinds.void(WORD, WORD, WORD, WORKSPACE))
def list_moves(side: Word, first: Word, must_block: Word, workspace: Workspace) -> None:
    """List the moves to look at, best first: *must_block* alone, or *first* and the weightiest."""
    workspace.choices[workspace.marks].count = ZERO
    if must_block != NOWHERE:
        list_move(must_block, ONE, ONE, workspace)
        return
    for cell in span(workspace.cells):
        if not workspace.taken[cell]:
            own = workspace.weights[side, cell] & SMOOTH
            rival = workspace.weights[ONE - side, cell] & SMOOTH
            value = own + own + rival << FOUR | workspace.central[cell]
            list_move(cell, ALWAYS if cell == first else value, WIDTH, workspace)


@native(PAIR(WORKSPACE))
def key_of(workspace: Workspace) -> Key:
    """What the table knows the position by."""
    return low_bits(workspace.transpositions, workspace.hash), workspace.hash


@native(NUMBER(WORD, NUMBER, NUMBER, NUMBER))
def known_score(facts: Word, depth: int, alpha: int, beta: int) -> int:
    """The score that the table knows, if it settles the matter, or ABORTED."""
    if facts == ZERO or signed(facts >> U(10) & U(63)) < depth:
        return ABORTED
    score, bound = signed(facts >> U(16)) - WIN, facts >> EIGHT & U(3)
    if (score >= beta and bound & LOWER) or (score <= alpha and bound & UPPER) or bound == EQUAL:
        return score
    return ABORTED


@native(kinds.void(NUMBER, WORD, NUMBER, WORD, WORKSPACE))
def remember(score: int, bound: Word, depth: int, cell: Word, workspace: Workspace) -> None:
    """Write a score and a move into the table."""
    data = U(score + WIN) << U(16) | U(max(depth, 0)) << U(10) | bound << EIGHT | cell
    key = key_of(workspace)
    put_entry(workspace.transpositions, BUCKET, key[0], key, data)


@native(NUMBER(WORD, NUMBER, WORKSPACE))
def leaf(side: Word, depth: int, workspace: Workspace) -> int:
    """The score where no search is needed, or ABORTED where it is."""
    marks = signed(workspace.marks)
    if winning_cell(side, workspace) != NOWHERE:
        return WIN - marks - 1
    if marks == signed(workspace.cells):
        return 0
    if winning_cell(ONE - side, workspace) != NOWHERE:
        return ABORTED
    if workspace.open[side, workspace.connect - TWO]:
        workspace.budget = QUICK_BUDGET
        end = threat_sequence(side, LONGEST_SEQUENCE, workspace)
        if end:
            return WIN - signed(end)
    return evaluate(side, workspace) if depth <= 0 else ABORTED


@native(NUMBER(WORD, NUMBER, NUMBER, NUMBER, WORKSPACE))
def search(side: Word, depth: int, alpha: int, beta: int, workspace: Workspace) -> int:
    """The score for the side to move; outside of the window from alpha to beta it is a bound."""
    if spend(words_at(workspace.controls)) != GOES_ON:
        return ABORTED
    _, facts = found(workspace.transpositions, BUCKET, key_of(workspace))
    score = known_score(facts, depth, alpha, beta)
    score = leaf(side, depth, workspace) if score == ABORTED else score
    if score != ABORTED:
        return score
    must_block = winning_cell(ONE - side, workspace)
    list_moves(side, facts & BYTE if facts else NOWHERE, must_block, workspace)
    less = 1 if must_block == NOWHERE else 0  # a forced move does not count
    choices = workspace.choices[workspace.marks]
    best, best_cell, floor = -WIN, NOWHERE, alpha
    for number in span(choices.count):
        cell = choices.moves[number] & BYTE
        put(side, cell, workspace)
        late = 1 if number >= LATE and depth > 2 else 0
        score = floor + 1
        if number:  # is it better at all?
            score = -search(ONE - side, depth - less - late, -floor - 1, -floor, workspace)
        if score > floor and (not number or late or score < beta):
            score = -search(ONE - side, depth - less, -beta, -floor, workspace)
        lift(side, cell, workspace)
        if abs(score) == ABORTED:
            return ABORTED
        if score > best:
            best, best_cell, floor = score, cell, max(floor, score)
        if best >= beta:
            break
    bound = LOWER if best >= beta else EQUAL if best > alpha else UPPER
    remember(best, bound, depth, best_cell, workspace)
    return best


@native(WORD(WORD, NUMBER, WORKSPACE))
def round_of(side: Word, depth: int, workspace: Workspace) -> Word:
    """Search one round, *depth* plies deep, and write down the best move; 0 if told to stop."""
    list_moves(side, workspace.best, winning_cell(ONE - side, workspace), workspace)
    choices = workspace.choices[workspace.marks]
    best = -WIN
    for number in span(choices.count):
        cell = choices.moves[number] & BYTE
        put(side, cell, workspace)
        score = -search(ONE - side, depth - 1, -WIN, -best, workspace)
        lift(side, cell, workspace)
        if abs(score) == ABORTED:
            return ZERO
        if score > best:
            best = score
            workspace.best, workspace.score = cell, np.int64(best)
    workspace.depth = U(depth)
    return ONE


@native(WORD(WORD, NUMBER, WORKSPACE))
def prove(side: Word, depth: int, workspace: Workspace) -> Word:
    """Try to prove who wins, for a part of the nodes so far: `Workspace.proof`, or 0."""
    nodes, score = load(words_at(workspace.controls), NODES), signed(workspace.score)
    workspace.budget = nodes + LAST_PROOF if abs(score) > DECIDED else nodes >> TWO
    if score < -DECIDED:
        return TWO if refuted(ONE - side, U(depth // 2), workspace) else ZERO
    if score > DECIDED:
        put(side, workspace.best, workspace)
        won = refuted(side, U(depth // 2), workspace)
        lift(side, workspace.best, workspace)
        return won
    won = threat_search(side, side, U(depth // 3), workspace)
    if won:
        workspace.best = workspace.line[workspace.marks]
    return won


@native(kinds.void(WORD, WORKSPACE))
def deepen(side: Word, workspace: Workspace) -> None:
    """Search round after round, each a ply deeper, until it is decided or told to stop."""
    list_moves(side, NOWHERE, winning_cell(ONE - side, workspace), workspace)
    workspace.best = workspace.choices[workspace.marks].moves[ZERO] & BYTE
    workspace.budget = FIRST_PROOF
    for length in span(LONGEST_SEQUENCE):
        end = threat_sequence(side, length, workspace)
        if end:
            workspace.end, workspace.proof = end, ONE
            workspace.best = workspace.line[workspace.marks]
            return
    for depth in range(1, DEEPEST):
        if round_of(side, depth, workspace) == ZERO:
            return
        workspace.proof = prove(side, depth, workspace)
        if workspace.proof or abs(signed(workspace.score)) > DECIDED:
            return
