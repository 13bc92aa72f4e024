"""Strong play on a Tic Tac Toe board of any size: alpha-beta over the cells that matter most.

A score compares the lines that are open to each side; a win is worth WIN less the marks on the
board when it comes. Wins and losses are only believed here, because not every move is looked at:
`kernel_threats` proves them.
"""

from __future__ import annotations

import numpy as np

from papan.engine.control import GOES_ON, NODES, spend
from papan.engine.memory import records_at
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
from papan.games.tictactoe.kernel_threats import (
    BYTE,
    EIGHT,
    LONGEST_SEQUENCE,
    NOWHERE,
    SMOOTH,
    WORKSPACE,
    Workspace,
    lift,
    list_move,
    put,
    refuted,
    threat_search,
    threat_sequence,
    winning_cell,
)

U = np.uint64
NUMBER = kinds.int64

WIN, DECIDED = 1 << 40, (1 << 40) - 1_000
ABORTED = 1 << 41  # a score that no position has: the search was told to stop
WIDTH = U(16)
"""How many moves are looked at in a position."""
ALWAYS, FOUR = U(1 << 50), U(4)
"""A value above all others; the bits for how central a cell is."""
QUICK_BUDGET = U(60)
"""Nodes for the proof of a win by a chain, in each position."""
LOWER, UPPER, EQUAL = ONE, TWO, U(3)
LATE = U(4)
"""Moves after so many others are first looked at less deeply."""
DEEPEST = 40
FIRST_PROOF, LAST_PROOF = U(50_000), U(200_000)
"""Nodes to prove a win by a chain before anything else, and a believed result at the end."""


class Entry:
    """A position in the transposition table, each at the one place that its hash names."""

    key: Word
    facts: Word
    """Score, depth searched, kind of bound and best move."""


entry_at = records_at(Entry)


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


@native(WORD(WORKSPACE))
def facts_of(workspace: Workspace) -> Word:
    """What the table says about the position, or 0: score, depth, kind of bound and best move."""
    entry = entry_at(workspace.transpositions, workspace.hash & workspace.mask)
    return entry.facts if entry.key == workspace.hash else ZERO


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
    entry = entry_at(workspace.transpositions, workspace.hash & workspace.mask)
    entry.key = workspace.hash
    entry.facts = U(score + WIN) << U(16) | U(max(depth, 0)) << U(10) | bound << EIGHT | cell


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
    facts = facts_of(workspace)
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
