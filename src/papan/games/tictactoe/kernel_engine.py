"""Strong play on a Tic Tac Toe board of any size: threat-space search, and alpha-beta.

First a board with counts: for every line the marks of both sides, and for every cell and side the
worth of the lines through it; only lines without a mark of the other side count.

A threat is a line that lacks one mark. `threat_sequence` wins by threats alone, so that the rival
never has a choice (VCF); `threat_search` also makes quiet moves, after which every answer is met.

Last alpha-beta over the cells that matter most. A score compares the lines that are open to each
side; a win scores ENGINE_WIN less the marks on the board when it comes. Wins and losses of this
search are estimates, because not every move is tried: the threats prove them.
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
    load_word,
    native,
    signed,
    span,
    words_at,
)
from papan.engine.transpositions import TableKey, Transpositions, find_entry, low_bits, put_entry

NUMBER, PAIR = kinds.int64, kinds.UniTuple(WORD, 2)
MOST_ENGINE_CELLS, MOST_ENGINE_LINES, MOST_THROUGH, MOST_MARKS = 225, 736, 63, 16
NO_CELL = Word(MOST_ENGINE_CELLS)

BYTE, EIGHT = Word(255), Word(8)
SMOOTH = Word(0xFFFFFFFF)
"""Mask of the lower half of a worth: a number to compare moves by. The upper half counts lines."""
ONE_SHORT, TWO_SHORT, THREE_SHORT = Word(32), Word(40), Word(48)
"""Lowest bits of the counts of lines that lack one mark, two marks and three."""
FAILURE_ENTRIES, LENGTH = Word(1 << 12), Word(63)
LONGEST_SEQUENCE = Word(20)
"""Most threats in a sequence."""
TRIED = Word(8)
"""Quiet moves that a threat search tries in a position."""


class Choices:
    """A list of moves, best first: cells with their values; the first *count* items are filled."""

    count: Word
    moves: Annotated[Row[Word], MOST_ENGINE_CELLS]
    """Each has the number of a cell in its lowest 8 bits, and its value above them."""


class EngineWorkspace:
    """The board of the engine, and the memory of the searches on it.

    Cells are numbered row by row from the top left, lines as in `TicTacToe.lines`; side 0 is x.
    """

    controls: Word
    """Address of the words shared with the caller: `papan.engine.control`."""
    transpositions: Transpositions
    """The table of the engine."""

    # What is fixed.
    cells: Word
    """Number of cells."""
    connect: Word
    """Marks in a full line."""
    gain: Annotated[Row[Word], MOST_MARKS + 8]
    """Worth of a line to each of its cells, by the marks on it; see SMOOTH and ONE_SHORT."""
    start: Annotated[Row[Word], MOST_ENGINE_LINES]
    """The first cell of each line."""
    step: Annotated[Row[Word], MOST_ENGINE_LINES]
    """The distance between neighbouring cells of each line."""
    through_count: Annotated[Row[Word], MOST_ENGINE_CELLS]
    """For each cell how many lines run through it."""
    through: Annotated[Row[Word], MOST_ENGINE_CELLS, MOST_THROUGH]
    """For each cell the numbers of the lines that run through it."""
    noise: Annotated[Row[Word], 2, MOST_ENGINE_CELLS]
    """A random word for each side and cell."""
    central: Annotated[Row[Word], MOST_ENGINE_CELLS]
    """15 less the distance of each cell from the centre."""

    # What changes with every mark.
    hash: Word
    """XOR of the noise of all marks on the board."""
    marks: Word
    """Number of marks on the board."""
    open: Annotated[Row[Word], 2, MOST_MARKS]
    """For each side the number of lines open to it, by the marks on them."""
    taken: Annotated[Row[Word], MOST_ENGINE_CELLS]
    """For each cell 1 if it has a mark, else 0."""
    weights: Annotated[Row[Word], 2, MOST_ENGINE_CELLS]
    """For each side and cell the worth of the lines open to that side."""
    tally: Annotated[Row[Word], MOST_ENGINE_LINES]
    """For each line the marks of the first side, and from bit 8 on those of the second."""

    # The threat-space search.
    budget: Word
    """Nodes that the present proof may still take."""
    line: Annotated[Row[Word], MOST_ENGINE_CELLS + 2]
    """The cells of the play found last; the index of each is the number of marks before it."""
    failed: Annotated[Row[Word], 1 << 12]
    """Positions without a sequence: their hash, and how long a sequence was looked for."""
    choices: Annotated[Row[Choices], MOST_ENGINE_CELLS + 2]
    """For each number of marks on the board the moves to try."""

    # What the engine has found.
    best: Word
    """The best move."""
    score: np.int64
    """Score of the best move for the side to move; -ENGINE_WIN before a move has been searched."""
    depth: Word
    """Plies of the last finished round; 0 before the first."""
    proof: Word
    """1: it is proved that the side to move wins, 2: that it loses, 0: neither."""
    end: Word
    """Marks on the board at the end of the sequence of threats that proves it; 0 if none does."""


ENGINE_WORKSPACE = kind(EngineWorkspace)


@native(WORD(WORD, WORD, WORD, ENGINE_WORKSPACE))
def lines_short_by(side: Word, cell: Word, missing: Word, workspace: EngineWorkspace) -> Word:
    """Return how many lines open to *side* through *cell* lack one, two or three marks.

    *missing* says which: ONE_SHORT, TWO_SHORT or THREE_SHORT. *side* is 0 or 1, *cell* a number.
    Return 0 if the cell is taken.
    """
    return ZERO if workspace.taken[cell] else workspace.weights[side, cell] >> missing & BYTE


@native(kinds.void(WORD, WORD, WORD, ENGINE_WORKSPACE))
def shift(side: Word, line: Word, change: Word, workspace: EngineWorkspace) -> None:
    """Add *change* to the weight that all cells of line number *line* have for *side*, 0 or 1.

    The weights are `workspace.weights`. *change* is a word: 2**64 - n subtracts n.
    """
    cell, step = workspace.start[line], workspace.step[line]
    for _ in span(workspace.connect):
        workspace.weights[side, cell] += change
        cell += step


@native(kinds.void(WORD, WORD, WORD, ENGINE_WORKSPACE))
def change_mark(side: Word, cell: Word, sign: Word, workspace: EngineWorkspace) -> None:
    """Put a mark of *side* on *cell* (*sign* 1) or take it away (-1, as a word); update all counts.

    *side* is 0 or 1, *cell* a number; `taken` is not touched. Whether the cell is empty, or has
    that mark, is not checked.
    """
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


@native(kinds.void(WORD, WORD, ENGINE_WORKSPACE))
def put_mark(side: Word, cell: Word, workspace: EngineWorkspace) -> None:
    """Put a mark of *side*, 0 or 1, on cell number *cell*, and update all counts.

    The cell must be empty: not checked.
    """
    workspace.taken[cell] = ONE
    change_mark(side, cell, ONE, workspace)


@native(kinds.void(WORD, WORD, ENGINE_WORKSPACE))
def lift_mark(side: Word, cell: Word, workspace: EngineWorkspace) -> None:
    """Take the mark of *side*, 0 or 1, on cell number *cell* away, and update all counts.

    The cell must have it: not checked.
    """
    workspace.taken[cell] = ZERO
    change_mark(side, cell, ZERO - ONE, workspace)


@native(kinds.boolean(ENGINE_WORKSPACE))
def exhausted(workspace: EngineWorkspace) -> bool:
    """Count a node of a proof and return False; return True if the proof must end.

    That is so if `workspace.budget` is 0, or the whole search has spent its nodes or is stopped.
    `budget` is lowered by 1 only if False is returned.
    """
    if workspace.budget == ZERO or spend(words_at(workspace.controls)) != GOES_ON:
        return True
    workspace.budget -= ONE
    return False


@native(WORD(WORD, ENGINE_WORKSPACE))
def winning_cell(side: Word, workspace: EngineWorkspace) -> Word:
    """Return the lowest number of a cell where a mark of *side*, 0 or 1, fills a line.

    NO_CELL if there is none.
    """
    if workspace.open[side, workspace.connect - ONE]:
        for cell in span(workspace.cells):
            if lines_short_by(side, cell, ONE_SHORT, workspace):
                return cell
    return NO_CELL


@native(WORD(WORD, ENGINE_WORKSPACE))
def gap(line: Word, workspace: EngineWorkspace) -> Word:
    """Return the number of the first empty cell of *line*, a number.

    The line must have one: not checked.
    """
    cell, step = workspace.start[line], workspace.step[line]
    while workspace.taken[cell]:
        cell += step
    return cell


@native(PAIR(WORD, WORD, ENGINE_WORKSPACE))
def threats_of(side: Word, cell: Word, workspace: EngineWorkspace) -> tuple[Word, Word]:
    """Return the numbers of two cells where the mark just put on *cell* threatens to fill a line.

    The mark is of *side*, 0 or 1. The second is NO_CELL if there is one such cell, both are if
    there is none; of more than two cells, the first and another are returned.
    """
    first = second = NO_CELL
    almost = (workspace.connect - ONE) << EIGHT * side
    for number in span(workspace.through_count[cell]):
        line = workspace.through[cell, number]
        if workspace.tally[line] == almost:
            found = gap(line, workspace)
            if first == NO_CELL:
                first = found
            elif found != first:
                second = found
    return first, second


@native(kinds.void(WORD, WORD, ENGINE_WORKSPACE))
def write_moves(cell: Word, answer: Word, workspace: EngineWorkspace) -> None:
    """Write *cell* and the *answer* to it, cells or NO_CELL, into `line` as the next two moves.

    They go to the indexes `marks` and `marks` + 1.
    """
    workspace.line[workspace.marks] = cell
    workspace.line[workspace.marks + ONE] = answer


@native(WORD(WORD, WORD, ENGINE_WORKSPACE))
def threat_sequence(side: Word, length: Word, workspace: EngineWorkspace) -> Word:
    """Return the number of marks on the board once *side*, to move, has won by threats alone.

    0 if it finds no such win with at most *length* threats before the last mark, or the nodes of
    `workspace.budget`, which callers set before, or of the search are spent, or it is stopped. The
    rival has one answer to each threat. After a win the play is in `line`, from the index `marks`
    on, the rival's answers included; NO_CELL may follow it. The board is as before; positions
    without such a win are noted in `failed`.
    """
    if exhausted(workspace):
        return ZERO
    win, must_block = winning_cell(side, workspace), winning_cell(ONE - side, workspace)
    if win != NO_CELL:
        write_moves(win, NO_CELL, workspace)
        return workspace.marks + ONE
    failure = workspace.hash & ~LENGTH ^ side << Word(63)
    known = workspace.failed[workspace.hash % FAILURE_ENTRIES]
    if length == ZERO or (known & ~LENGTH == failure and known & LENGTH >= length):
        return ZERO
    for cell in span(workspace.cells):
        if lines_short_by(side, cell, TWO_SHORT, workspace) and (
            must_block == NO_CELL or cell == must_block
        ):
            put_mark(side, cell, workspace)
            answer, other = threats_of(side, cell, workspace)
            end = ZERO
            if answer == NO_CELL or winning_cell(ONE - side, workspace) != NO_CELL:
                pass  # the rival need not answer
            elif other != NO_CELL:
                end = workspace.marks + TWO
                workspace.line[end - ONE] = other
            else:
                put_mark(ONE - side, answer, workspace)
                end = threat_sequence(side, length - ONE, workspace)
                lift_mark(ONE - side, answer, workspace)
            lift_mark(side, cell, workspace)
            if end:
                write_moves(cell, answer, workspace)
                return end
    if workspace.budget:
        workspace.failed[workspace.hash % FAILURE_ENTRIES] = failure | length
    return ZERO


@native(kinds.void(WORD, WORD, WORD, ENGINE_WORKSPACE))
def list_move(cell: Word, value: Word, room: Word, workspace: EngineWorkspace) -> None:
    """Insert the move to *cell* with this *value* into the list of the at most *room* best ones.

    The list is `choices` of the present number of marks on the board, the highest value first; of
    equal values the one inserted first stays ahead. If *room* moves, 1 or more, are in it already,
    the last is dropped, or the new one is not inserted if its value is no higher than that of the
    last.
    """
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


@native(kinds.void(WORD, WORD, WORD, ENGINE_WORKSPACE))
def list_threats(side: Word, to_move: Word, must_block: Word, workspace: EngineWorkspace) -> None:
    """Write to `choices` the moves to try while *side* (0 or 1) attacks, the weightiest first.

    The list is that of the present number of marks. *must_block* is a cell where a line must be
    stopped: then it is the only move; NO_CELL for none. Else, if *to_move* equals *side*, the moves
    are at most TRIED that make a threat or a line of *side* that lacks two marks; if not, all empty
    cells, as answers of the rival. A move weighs what its cell has in `weights` of *side*.
    """
    workspace.choices[workspace.marks].count = ZERO
    if must_block != NO_CELL:
        list_move(must_block, ONE, ONE, workspace)
        return
    for cell in span(workspace.cells):
        weight = workspace.weights[side, cell]
        if to_move != side and not workspace.taken[cell]:
            list_move(cell, weight, Word(MOST_ENGINE_CELLS), workspace)
        elif lines_short_by(side, cell, THREE_SHORT, workspace) or lines_short_by(
            side, cell, TWO_SHORT, workspace
        ):
            list_move(cell, weight & SMOOTH, TRIED, workspace)


@native(WORD(WORD, WORD, WORD, ENGINE_WORKSPACE))
def threat_search(side: Word, to_move: Word, depth: Word, workspace: EngineWorkspace) -> Word:
    """Return 1 if *side* is proved to win by threats and at most *depth* quiet moves; else 0.

    After each quiet move it threatens to win by threats alone, and every answer is met. *to_move*
    is the side to move; sides are 0 and 1. 0 also if the nodes of `workspace.budget`, which callers
    set before, or of the search are spent, or it is stopped. The board is as before. If *side* is
    to move and wins, its move is in `line` at the index `marks`; more of `line` is not to be used.
    """
    if exhausted(workspace):
        return ZERO
    if to_move != side and winning_cell(to_move, workspace) != NO_CELL:
        return ZERO
    must_block = winning_cell(ONE - to_move, workspace)
    if must_block == NO_CELL or to_move == side:
        threatens = threat_sequence(side, LONGEST_SEQUENCE, workspace) != ZERO
        if threatens == (to_move == side) or (to_move == side and depth == ZERO):
            return ONE if threatens else ZERO
    list_threats(side, to_move, must_block, workspace)
    choices = workspace.choices[workspace.marks]
    for number in span(choices.count):
        cell = choices.moves[number] & BYTE
        put_mark(to_move, cell, workspace)
        won = threat_search(
            side, ONE - to_move, depth - ONE if to_move == side else depth, workspace
        )
        lift_mark(to_move, cell, workspace)
        if (won != ZERO) == (to_move == side):
            workspace.line[workspace.marks] = cell
            return won
    return ZERO if to_move == side else ONE


@native(WORD(WORD, WORD, ENGINE_WORKSPACE))
def refuted(side: Word, depth: Word, workspace: EngineWorkspace) -> Word:
    """Return 1 if every move of the rival of *side* (0 or 1) loses to `threat_search`; else 0.

    The rival is to move, and a cell must be empty: not checked. *depth* is the most quiet moves
    that the search may make. 0 also if the nodes of `workspace.budget`, which callers set before,
    or of the search are spent, or it is stopped. The board is as before.
    """
    rival = ONE - side
    if winning_cell(rival, workspace) != NO_CELL:
        return ZERO
    list_threats(side, rival, winning_cell(side, workspace), workspace)
    choices = workspace.choices[workspace.marks]
    for number in span(choices.count):
        cell = choices.moves[number] & BYTE
        put_mark(rival, cell, workspace)
        won = threat_search(side, side, depth, workspace)
        lift_mark(rival, cell, workspace)
        if won == ZERO:
            return ZERO
    return ONE


ENGINE_WIN, DECIDED = 1 << 40, (1 << 40) - 1_000
ENGINE_ABORTED = 1 << 41  # a score that no position has: the search was stopped
MOVES_SEARCHED = Word(16)
"""Moves that are searched in a position."""
ALWAYS, FOUR = Word(1 << 50), Word(4)
"""A value above all others; and bits for how central a cell is."""
QUICK_BUDGET = Word(60)
"""Nodes for the proof of a win by threats, in each position."""
ENGINE_BUCKET = ONE, TWO
"""Each position has one place in the table. The data of an entry: score, depth searched, kind of
bound and best move.
"""
LOWER, UPPER, EQUAL = ONE, TWO, Word(3)
LATE = Word(4)
"""Moves after this many others are first searched less deeply."""
MOST_DEPTH = 40
FIRST_PROOF, LAST_PROOF = Word(50_000), Word(200_000)
"""Nodes to prove a win by threats before anything else, and an estimated result at the end."""


@native(NUMBER(WORD, ENGINE_WORKSPACE))
def evaluate_lines(side: Word, workspace: EngineWorkspace) -> int:
    """Return the estimate for *side*, 0 or 1, to move: 5 * worth of its lines - 4 * the rival's.

    A side's lines have marks of that side and none of the other; empty ones do not count. The
    worth of a line with m marks is the lower half of `workspace.gain[m]`: 1, and five times as much
    with each of the last five marks before the winning one. Larger is better for *side*.
    """
    score = 0
    for marks in span(ONE, workspace.connect):
        lines = Word(5) * workspace.open[side, marks] - FOUR * workspace.open[ONE - side, marks]
        score += signed(lines * (workspace.gain[marks] & SMOOTH))  # a word below 0 comes round
    return score


@native(kinds.void(WORD, WORD, WORD, ENGINE_WORKSPACE))
def list_candidates(side: Word, first: Word, must_block: Word, workspace: EngineWorkspace) -> None:
    """Write to `choices` the moves to search, best first: *must_block*, or *first* and others.

    *side*, 0 or 1, is to move; *first* and *must_block* are cells, NO_CELL for none. If there is
    *must_block*, it is the only move. Else they are the empty cells, at most MOVES_SEARCHED: first
    *first*, then by twice the smooth weight (see SMOOTH) for *side* plus that for the rival, and of
    equal ones the most central. The list is that of the present number of marks.
    """
    workspace.choices[workspace.marks].count = ZERO
    if must_block != NO_CELL:
        list_move(must_block, ONE, ONE, workspace)
        return
    for cell in span(workspace.cells):
        if not workspace.taken[cell]:
            own = workspace.weights[side, cell] & SMOOTH
            rival = workspace.weights[ONE - side, cell] & SMOOTH
            value = own + own + rival << FOUR | workspace.central[cell]
            list_move(cell, ALWAYS if cell == first else value, MOVES_SEARCHED, workspace)


@native(PAIR(ENGINE_WORKSPACE))
def engine_key(workspace: EngineWorkspace) -> TableKey:
    """Return the table's key of the marks on the board: low bits of their hash, and all of it.

    Whose turn it is makes no difference.
    """
    return low_bits(workspace.transpositions, workspace.hash), workspace.hash


@native(NUMBER(WORD, NUMBER, NUMBER, NUMBER))
def known_score(facts: Word, depth: int, alpha: int, beta: int) -> int:
    """Return the score for the side to move in *facts*, the data of an entry of the table.

    ENGINE_ABORTED if *facts* is 0 (no entry), was searched less than *depth* plies deep, or does
    not decide for the window from *alpha* to *beta*. An exact score always decides, a lower bound
    if it is *beta* or more, an upper one if it is *alpha* or less.
    """
    if facts == ZERO or signed(facts >> Word(10) & Word(63)) < depth:
        return ENGINE_ABORTED
    score, bound = signed(facts >> Word(16)) - ENGINE_WIN, facts >> EIGHT & Word(3)
    if (score >= beta and bound & LOWER) or (score <= alpha and bound & UPPER) or bound == EQUAL:
        return score
    return ENGINE_ABORTED


@native(kinds.void(NUMBER, WORD, NUMBER, WORD, ENGINE_WORKSPACE))
def remember_score(
    score: int, bound: Word, depth: int, cell: Word, workspace: EngineWorkspace
) -> None:
    """Write to the table what was found about the position on the board.

    That is *score*, for the side to move, its *bound* (LOWER, UPPER or EQUAL), the *depth* of the
    search in plies (0 if it is negative; at most 63: not checked) and the best *cell*. It replaces
    the entry in the position's only place.
    """
    data = (
        Word(score + ENGINE_WIN) << Word(16)
        | Word(max(depth, 0)) << Word(10)
        | bound << EIGHT
        | cell
    )
    key = engine_key(workspace)
    put_entry(workspace.transpositions, ENGINE_BUCKET, key[0], key, data)


@native(NUMBER(WORD, NUMBER, ENGINE_WORKSPACE))
def leaf(side: Word, depth: int, workspace: EngineWorkspace) -> int:
    """Return the score for *side*, to move, if no search is needed; else ENGINE_ABORTED.

    These cases are looked at in turn: *side* wins at once (ENGINE_WIN less the marks on the board
    then); the board is full (0); the rival could win at once (ENGINE_ABORTED, at any *depth*);
    *side* wins by a sequence of threats, found within QUICK_BUDGET nodes (ENGINE_WIN less the marks
    at its end); *depth* is 0 or less (the estimate of `evaluate_lines`). `budget` is overwritten.
    """
    marks = signed(workspace.marks)
    if winning_cell(side, workspace) != NO_CELL:
        return ENGINE_WIN - marks - 1
    if marks == signed(workspace.cells):
        return 0
    if winning_cell(ONE - side, workspace) != NO_CELL:
        return ENGINE_ABORTED
    if workspace.open[side, workspace.connect - TWO]:
        workspace.budget = QUICK_BUDGET
        end = threat_sequence(side, LONGEST_SEQUENCE, workspace)
        if end:
            return ENGINE_WIN - signed(end)
    return evaluate_lines(side, workspace) if depth <= 0 else ENGINE_ABORTED


@native(NUMBER(WORD, NUMBER, NUMBER, NUMBER, ENGINE_WORKSPACE))
def search_window(side: Word, depth: int, alpha: int, beta: int, workspace: EngineWorkspace) -> int:
    """Return the score for *side*, to move, of a search of the likeliest moves, *depth* plies deep.

    A forced block of a threat does not count as a ply; late moves may be searched a ply less deep.
    The score is that of the tree searched: exact between *alpha* and *beta*; a score of *beta* or
    more is a lower bound, one of *alpha* or less an upper one. Its unit is that of `leaf`. Return
    ENGINE_ABORTED if the search was stopped: callers must also take its negative for that. The
    board is as before, and the score is in the table.
    """
    if spend(words_at(workspace.controls)) != GOES_ON:
        return ENGINE_ABORTED
    _, facts = find_entry(workspace.transpositions, ENGINE_BUCKET, engine_key(workspace))
    score = known_score(facts, depth, alpha, beta)
    score = leaf(side, depth, workspace) if score == ENGINE_ABORTED else score
    if score != ENGINE_ABORTED:
        return score
    must_block = winning_cell(ONE - side, workspace)
    list_candidates(side, facts & BYTE if facts else NO_CELL, must_block, workspace)
    less = 1 if must_block == NO_CELL else 0  # a forced move does not count
    choices = workspace.choices[workspace.marks]
    best, best_cell, floor = -ENGINE_WIN, NO_CELL, alpha
    for number in span(choices.count):
        cell = choices.moves[number] & BYTE
        put_mark(side, cell, workspace)
        late = 1 if number >= LATE and depth > 2 else 0
        score = floor + 1
        if number:  # a null window shows whether it is better
            score = -search_window(ONE - side, depth - less - late, -floor - 1, -floor, workspace)
        if score > floor and (not number or late or score < beta):
            score = -search_window(ONE - side, depth - less, -beta, -floor, workspace)
        lift_mark(side, cell, workspace)
        if abs(score) == ENGINE_ABORTED:
            return ENGINE_ABORTED
        if score > best:
            best, best_cell, floor = score, cell, max(floor, score)
        if best >= beta:
            break
    bound = LOWER if best >= beta else EQUAL if best > alpha else UPPER
    remember_score(best, bound, depth, best_cell, workspace)
    return best


@native(WORD(WORD, NUMBER, ENGINE_WORKSPACE))
def round_of(side: Word, depth: int, workspace: EngineWorkspace) -> Word:
    """Search the root *depth* plies deep for *side* (0 or 1), to move, and record the best move.

    It goes to `best`, `score` and `depth` of the workspace; the present `best` is searched first.
    Return 1, or 0 if the search was stopped: then `best` and `score` are those of the moves of this
    round that were searched (unchanged if none was), and `depth` is that of the last round.
    """
    list_candidates(side, workspace.best, winning_cell(ONE - side, workspace), workspace)
    choices = workspace.choices[workspace.marks]
    best = -ENGINE_WIN
    for number in span(choices.count):
        cell = choices.moves[number] & BYTE
        put_mark(side, cell, workspace)
        score = -search_window(ONE - side, depth - 1, -ENGINE_WIN, -best, workspace)
        lift_mark(side, cell, workspace)
        if abs(score) == ENGINE_ABORTED:
            return ZERO
        if score > best:
            best = score
            workspace.best, workspace.score = cell, np.int64(best)
    workspace.depth = Word(depth)
    return ONE


@native(WORD(WORD, NUMBER, ENGINE_WORKSPACE))
def prove_result(side: Word, depth: int, workspace: EngineWorkspace) -> Word:
    """Try to prove the result; return 1 if *side*, to move, wins, 2 if it loses, 0 if unknown.

    *depth*, in plies, is that of the last round, whose `score` and `best` are used. If the score is
    beyond DECIDED, for either side, the proof may take LAST_PROOF more nodes than were searched so
    far: of a win, that every answer to `best` loses; of a loss, that every move does. Else it may
    take a quarter of the nodes so far, and looks for a win by threats: if it finds one, `best`
    becomes its first move. `end` is not written.
    """
    nodes, score = load_word(words_at(workspace.controls), NODES), signed(workspace.score)
    workspace.budget = nodes + LAST_PROOF if abs(score) > DECIDED else nodes >> TWO
    if score < -DECIDED:
        return TWO if refuted(ONE - side, Word(depth // 2), workspace) else ZERO
    if score > DECIDED:
        put_mark(side, workspace.best, workspace)
        won = refuted(side, Word(depth // 2), workspace)
        lift_mark(side, workspace.best, workspace)
        return won
    won = threat_search(side, side, Word(depth // 3), workspace)
    if won:
        workspace.best = workspace.line[workspace.marks]
    return won


@native(kinds.void(WORD, ENGINE_WORKSPACE))
def search_deeper(side: Word, workspace: EngineWorkspace) -> None:
    """Search the root for *side*, to move, each round a ply deeper, until it is decided or stopped.

    First a win by a sequence of threats is looked for: if there is one, `best`, `proof` (1), `end`
    and `line` are written, and no round is searched. Else each round writes `best`, `score` and
    `depth`, and `proof` after it. The last round is that with a proof or a `score` beyond DECIDED,
    or the one of MOST_DEPTH - 1 plies. A legal move is in `best` in any case; the position must not
    be over: not checked.
    """
    list_candidates(side, NO_CELL, winning_cell(ONE - side, workspace), workspace)
    workspace.best = workspace.choices[workspace.marks].moves[ZERO] & BYTE
    workspace.budget = FIRST_PROOF
    for length in span(LONGEST_SEQUENCE):
        end = threat_sequence(side, length, workspace)
        if end:
            workspace.end, workspace.proof = end, ONE
            workspace.best = workspace.line[workspace.marks]
            return
    for depth in range(1, MOST_DEPTH):
        if round_of(side, depth, workspace) == ZERO:
            return
        workspace.proof = prove_result(side, depth, workspace)
        if workspace.proof or abs(signed(workspace.score)) > DECIDED:
            return
