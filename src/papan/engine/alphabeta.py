"""Alpha-beta for every game: one round of an iterative deepening search.

Principal variation search: after the first move, the others are searched with a null window. Scores
are those of the seat to move; turns are compared, because a move may give another turn. Values and
choice are those of `papan.agents.alphabeta.PlainSearch`, which is simpler and visits more nodes.
Without pruning it is minimax and visits the same nodes as the plain search.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from papan.engine.board import evaluate, key, legal, margin, over, play, turn
from papan.engine.control import GOES_ON, NODES, spend
from papan.engine.native import (
    ONE,
    WORD,
    ZERO,
    Word,
    kinds,
    load_word,
    native,
    signed,
    store,
    words_at,
)
from papan.engine.transpositions import (
    NOWHERE,
    data_at,
    find_entry,
    first_place,
    low_bits,
    put_entry,
)
from papan.engine.workspace import (
    ALPHABETA_BUCKET,
    ALPHABETA_WORKSPACE,
    CUT,
    LEAF,
    PLY_FRAME,
    SEARCHED,
    AlphaBetaWorkspace,
    PlyFrame,
    emitted_at,
    entry_at,
    ply_frame_at,
    root_move_at,
)

NUMBER, SCORE, FLAG = kinds.int64, kinds.float64, kinds.boolean
WINDOW = kinds.UniTuple(SCORE, 2)
Window: TypeAlias = tuple[float, float]
"""Alpha and beta: scores for the seat to move."""

FIRST_TRIED, KILLER, OTHER_KILLER = Word(1 << 46), Word(1 << 45), Word(1 << 44)
"""Weights of the best move of an earlier search and of killers in the move order; other moves have
their history.
"""


@native()
def look(rules: Any, board: Any, workspace: AlphaBetaWorkspace, count: int) -> int:
    """Score the first *count* moves of the root; return GOES_ON, OUT_OF_NODES or STOPPED.

    *rules* and *board* are the native form of the root, which is not over; its moves, horizon and
    settings are in *workspace*, whose counts for a round (`finished`, `guesses`, `faults` and
    `emitted_count`) must be 0: see `SearchMemory.look`. Afterwards `root_moves` has the scores for
    the seat to move, as far as the search came; `finished` counts them. They are margins in points,
    but for wins and losses as `AlphaBetaWorkspace.win` says.
    """
    workspace.seat, workspace.standing = turn(rules, board), spend(words_at(workspace.controls))
    if workspace.standing == GOES_ON:
        ply, window = signed(0), (-np.inf, np.inf)
        ply_frame_at(workspace.frames, ply).count = count
        emit_entry(workspace, ply, ZERO, workspace.seat, window)
        score = search(rules, board, workspace, ply, window)
        emit_exit(workspace, ply, score, False)
    return workspace.standing


@native()
def search(  # noqa: C901 - a recursion cannot be divided
    rules: Any, board: Any, workspace: AlphaBetaWorkspace, ply: int, window: Window
) -> float:
    """Return the score of a position for its seat to move: exact in the *window*, else a bound.

    *window* is (alpha, beta), for the same seat: a score from alpha down is an upper bound, from
    beta up a lower bound. Scores are margins in points, but for wins and losses as
    `AlphaBetaWorkspace.win` says. The position is not over, and nearer than the horizon; *ply* is
    counted from the root. If the search was stopped, `standing` says so and the result means
    nothing. Moves, line, table and counts of *workspace* are changed.
    """
    alpha, beta = window
    frame, side, name = ply_frame_at(workspace.frames, ply), turn(rules, board), key(board)
    moves, guesses = words_at(workspace.moves), workspace.guesses
    if ply:  # the moves at the root are listed, and all of them are wanted
        hint = ZERO
        if workspace.prunes:
            beta = min(beta, workspace.win - ply - 1.0)  # nothing is better than to win at once
            if alpha >= beta:
                return beta
            low, high, hint, sure = recall(workspace, ply, name)
            # An open window wants the line of play as well, which the table does not have.
            if np.nextafter(alpha, np.inf) >= beta and (low >= beta or high <= alpha):
                workspace.hits += 1
                workspace.guesses += not sure
                emit_answer(workspace, ply)
                return low if low >= beta else high
        frame.count = legal(rules, board, moves, frame.first)
        arrange(workspace, ply, side, hint)

    best, choice = -np.inf, ZERO
    for place in range(frame.count):
        move = load_word(moves, frame.first + place)
        child = play(rules, board, signed(move))
        mover, ended = turn(rules, child), over(rules, child)
        leaf = ended or ply + 1 == workspace.horizon
        bar, top = max(alpha, best), beta
        if place and workspace.prunes and ply + 1 < workspace.horizon:
            top = min(np.nextafter(bar, np.inf), beta)  # a null window shows whether it is better
        while True:
            if spent(workspace):
                return 0.0
            reply = child_window(workspace, mover == side, bar, top)
            clear_line(workspace, ply + 1)
            emit_entry(workspace, ply + 1, move, mover, reply)
            if ended:
                score = final(workspace, ply + 1, margin(rules, child, mover))
            elif leaf:
                workspace.guesses += 1
                score = evaluate(rules, child, mover)
            else:
                score = search(rules, child, workspace, ply + 1, reply)
                if workspace.standing != GOES_ON:
                    return 0.0
            emit_exit(workspace, ply + 1, score, leaf)
            score = score if mover == side else -score
            if top == beta or score <= bar or score >= beta:
                break
            top = beta  # it is: its exact score is wanted
            forget_emitted(workspace, ply + 1)
        if ply == 0:
            note_move(workspace, score)
        if score > best:
            best, choice = score, move + ONE
            extend_line(workspace, ply, move)
            if score >= beta:
                workspace.pruned += frame.count - place - 1
                reward(workspace, ply, side, move)
                break
    if ply:
        low, high = best if best > alpha else -np.inf, best if best < beta else np.inf
        remember(workspace, ply, name, (low, high, choice, guesses == workspace.guesses))
    return best


@native(FLAG(ALPHABETA_WORKSPACE), inline=True)
def spent(workspace: AlphaBetaWorkspace) -> bool:
    """Count a node; return True, and set `standing`, if the search must stop.

    It must if no node is left, which is not counted then, or if the caller has raised the stop
    flag, as far as `spend` looks at it.
    """
    standing = spend(words_at(workspace.controls))
    if standing == GOES_ON:
        return False
    workspace.standing = standing
    return True


@native(WINDOW(ALPHABETA_WORKSPACE, FLAG, SCORE, SCORE), inline=True)
def child_window(workspace: AlphaBetaWorkspace, same: bool, low: float, high: float) -> Window:
    """Return the window (*low*, *high*) of a move as seen by the seat to move after it.

    It is the same window if that is the *same* seat, else the negated one; without pruning it is
    unbounded.
    """
    if not workspace.prunes:
        return -np.inf, np.inf
    return (low, high) if same else (-high, -low)


@native(SCORE(ALPHABETA_WORKSPACE, NUMBER, SCORE))
def final(workspace: AlphaBetaWorkspace, ply: int, result: float) -> float:
    """Return the score of a finished game: the margin *result*, or ±(win - ply) from `won_from` on.

    *result* is in points for a seat, the score for the same one; *ply* is counted from the root.
    Such a score no longer tells the margin: 1 is added to `faults` unless it is `win_margin`, or if
    the win comes at ply `win` or later.
    """
    if abs(result) < workspace.won_from:
        return result
    workspace.faults += ply >= workspace.win or abs(result) != workspace.win_margin
    win = workspace.win - ply
    return win if result > 0.0 else -win


@native(WORD(ALPHABETA_WORKSPACE, NUMBER, WORD), inline=True)
def cuts_at(workspace: AlphaBetaWorkspace, side: int, move: Word) -> Word:
    """Return the index in the history table of *move*, a number, made by seat *side*, 0 or 1."""
    return Word(side * workspace.move_count) + move


@native(WORD(ALPHABETA_WORKSPACE, PLY_FRAME, NUMBER, WORD, WORD), inline=True)
def weight(
    workspace: AlphaBetaWorkspace, frame: PlyFrame, side: int, move: Word, hint: Word
) -> Word:
    """Return a move's weight in the move order, in which the heaviest comes first.

    It is FIRST_TRIED for the best move of an earlier search (*hint*, its number plus 1, or 0 for
    none), KILLER or OTHER_KILLER for those of *frame*, the present ply, else the history that
    `reward` adds up. *side*, 0 or 1, is the seat that moves.
    """
    if hint == move + ONE:
        return FIRST_TRIED
    if frame.killers[side, 0] == move + ONE:
        return KILLER
    if frame.killers[side, 1] == move + ONE:
        return OTHER_KILLER
    cuts: Word = load_word(words_at(workspace.history), cuts_at(workspace, side, move))
    return cuts


@native(kinds.void(ALPHABETA_WORKSPACE, NUMBER, NUMBER, WORD))
def arrange(workspace: AlphaBetaWorkspace, ply: int, side: int, hint: Word) -> None:
    """Sort the moves of the frame of *ply* by weight for seat *side*, the heaviest first.

    *hint* is as in `weight`. Equal ones keep their order; without `orders` all do. The moves of the
    next ply's frame will begin behind them.
    """
    frame = ply_frame_at(workspace.frames, ply)
    first, end = frame.first, frame.first + frame.count
    ply_frame_at(workspace.frames, ply + 1).first = end
    if not workspace.orders:
        return
    moves, weights = words_at(workspace.moves), words_at(workspace.weights)
    for place in range(first, end):
        move = load_word(moves, place)
        promise = weight(workspace, frame, side, move, hint)
        at = place
        while at > first and load_word(weights, at - 1) < promise:
            store(weights, at, load_word(weights, at - 1))
            store(moves, at, load_word(moves, at - 1))
            at -= 1
        store(weights, at, promise)
        store(moves, at, move)


@native(kinds.void(ALPHABETA_WORKSPACE, NUMBER, NUMBER, WORD))
def reward(workspace: AlphaBetaWorkspace, ply: int, side: int, move: Word) -> None:
    """Record a cutoff by *move*: add (horizon - ply)² to its history, and make it a killer.

    *side*, 0 or 1, is the seat that made it at *ply*, counted from the root. The killer before
    becomes the second one.
    """
    history, at, left = (
        words_at(workspace.history),
        cuts_at(workspace, side, move),
        workspace.horizon - ply,
    )
    store(history, at, load_word(history, at) + Word(left * left))
    frame = ply_frame_at(workspace.frames, ply)
    if frame.killers[side, 0] != move + ONE:
        frame.killers[side, 1] = frame.killers[side, 0]
        frame.killers[side, 0] = move + ONE


# The transposition table. The data of an entry are the horizon of the search or COMPLETE, the ply,
# and the best move plus 1; its own words are the bounds of the score.

Known: TypeAlias = tuple[float, float, Word, bool]
"""Lower and upper bound of a score, the best move plus 1 or 0, and whether both bounds are
proved.
"""
KNOWN = kinds.Tuple((SCORE, SCORE, WORD, FLAG))
COMPLETE = 0xFFFF
"""The horizon of a search that never reached its horizon."""
PLY, CHOICE, HALF = Word(16), Word(32), Word(0xFFFF)


@native(inline=True)
def reach_of(data: Word) -> int:
    """Return the horizon, in plies, of the search that wrote a table entry with these *data*.

    COMPLETE if that search rested on no estimate. *data* are the first word of the entry without
    the tag, as `find_entry` returns them.
    """
    return signed(data & HALF)


@native(inline=True)
def ply_of(data: Word) -> int:
    """Return the ply, counted from the root, of the position of a table entry with these *data*.

    They are the first word of the entry without the tag, as `find_entry` returns them.
    """
    return signed(data >> PLY & HALF)


@native(KNOWN(ALPHABETA_WORKSPACE, NUMBER, WORD))
def recall(workspace: AlphaBetaWorkspace, ply: int, name: Word) -> Known:
    """Return what the table has of the position with the key *name*.

    That is four values: the lower and the upper bound of its score, for its seat to move; its best
    move plus 1; and whether both bounds are proved. Bounds come only from an entry of the same
    *ply*, counted from the root, whose search looked ahead as far or further; else they are
    infinite, and called proved. The move is 0 if there is no entry or no table, or if none is
    known. Every call but one without a table adds 1 to `probes`.
    """
    if not workspace.remembers:
        return -np.inf, np.inf, ZERO, True
    workspace.probes += 1
    table = workspace.transpositions
    place, data = find_entry(table, ALPHABETA_BUCKET, (low_bits(table, name), name))
    if data == ZERO:
        return -np.inf, np.inf, ZERO, True
    reach = reach_of(data)
    if ply_of(data) != ply or reach < workspace.horizon:
        return -np.inf, np.inf, data >> CHOICE, True  # the distance to a win counts from the root
    entry = entry_at(table.entries, place)
    return entry.low, entry.high, data >> CHOICE, reach == COMPLETE


@native(kinds.void(ALPHABETA_WORKSPACE, NUMBER, WORD, KNOWN))
def remember(workspace: AlphaBetaWorkspace, ply: int, name: Word, known: Known) -> None:
    """Store what is known of a position at *ply* with the key *name*, in the form of `recall`.

    *ply* is counted from the root. It replaces the position's own entry; if that is of the same ply
    and horizon, the tighter one of the old and the new bound is kept on either side. If the
    position has no entry, the first entry of its bucket is replaced if it is empty, of a search
    with a nearer horizon, or of a position as deep in the tree or deeper, else the second one; 1 is
    added to `stored` if that was empty. Nothing is done without a table.
    """
    if not workspace.remembers:
        return
    low, high, choice, sure = known
    reach = COMPLETE if sure else workspace.horizon
    table = workspace.transpositions
    key = low_bits(table, name), name
    place, data = find_entry(table, ALPHABETA_BUCKET, key)
    if place == NOWHERE:
        place = first_place(table, ALPHABETA_BUCKET, key)
        old = data_at(table, ALPHABETA_BUCKET, place)
        if old and ply_of(old) < ply and reach_of(old) >= workspace.horizon:
            place += ONE
        workspace.stored += data_at(table, ALPHABETA_BUCKET, place) == ZERO
    entry = entry_at(table.entries, place)
    if data and ply_of(data) == ply and reach_of(data) == reach:
        low, high = max(low, entry.low), min(high, entry.high)
    entry.low, entry.high = low, high
    put_entry(
        table, ALPHABETA_BUCKET, place, key, choice << CHOICE | Word(ply) << PLY | Word(reach)
    )


# Lines of play: for each ply its best one, a length and then the moves.


@native(kinds.void(ALPHABETA_WORKSPACE, NUMBER), inline=True)
def clear_line(workspace: AlphaBetaWorkspace, ply: int) -> None:
    """Empty the best line of *ply*, counted from the root."""
    store(words_at(workspace.lines), ply * workspace.line_room, ZERO)


@native(kinds.void(ALPHABETA_WORKSPACE, NUMBER, NUMBER, NUMBER), inline=True)
def copy_line(workspace: AlphaBetaWorkspace, source: int, target: int, moves: int) -> None:
    """Copy line number *source* to line *target*, and leave room for *moves* more at its front.

    The length counts these, but they are not written. Lines of plies come first, then those of
    moves at the root.
    """
    lines, room = words_at(workspace.lines), workspace.line_room
    length = signed(load_word(lines, source * room))
    store(lines, target * room, Word(length + moves))
    for at in range(1, length + 1):
        store(lines, target * room + moves + at, load_word(lines, source * room + at))


@native(kinds.void(ALPHABETA_WORKSPACE, NUMBER, WORD))
def extend_line(workspace: AlphaBetaWorkspace, ply: int, move: Word) -> None:
    """Set the best line of *ply*, counted from the root, to *move* and then that of *ply* + 1."""
    copy_line(workspace, ply + 1, ply, 1)
    store(words_at(workspace.lines), ply * workspace.line_room + 1, move)


# What Python reads: moves at the root, and the tree for events.


@native(kinds.void(ALPHABETA_WORKSPACE, SCORE))
def note_move(workspace: AlphaBetaWorkspace, score: float) -> None:
    """Record the *score* of the next move at the root, its line, and the counts so far.

    The score is for the seat to move at the root. The counts are the nodes, and the doubts: guesses
    and faults, as `AlphaBetaWorkspace` counts them. They are those for all moves so far together.
    """
    found = root_move_at(workspace.root_moves, workspace.finished)
    found.score = score
    found.nodes = signed(load_word(words_at(workspace.controls), NODES))
    found.doubts = workspace.guesses + workspace.faults
    copy_line(workspace, 1, workspace.root_lines + workspace.finished, 0)
    workspace.finished += 1


@native(kinds.void(ALPHABETA_WORKSPACE, NUMBER, WORD, NUMBER, WINDOW), inline=True)
def emit_entry(
    workspace: AlphaBetaWorkspace, ply: int, move: Word, side: int, window: Window
) -> None:
    """Record a node for events when the search enters it, if its ply is recorded and there is room.

    *move* leads to it, *side* (0 or 1) is to move there, and *window* is (alpha, beta) for that
    seat. *ply* is counted from the root.
    """
    if ply <= workspace.emitted_plies:
        frame = ply_frame_at(workspace.frames, ply)
        frame.node = workspace.emitted_count
        if frame.node < workspace.most_emitted:
            workspace.emitted_count += 1
            node = emitted_at(workspace.emitted, frame.node)
            node.up = ply_frame_at(workspace.frames, ply - 1).node if ply else 0
            node.move, node.mine = move, side == workspace.seat
            low, high = window
            node.low, node.high = (low, high) if node.mine else (-high, -low)
            node.by_transposition = False


@native(kinds.void(ALPHABETA_WORKSPACE, NUMBER, SCORE, FLAG), inline=True)
def emit_exit(workspace: AlphaBetaWorkspace, ply: int, score: float, leaf: bool) -> None:
    """Record the score, for its seat to move, and the state of a node when the search leaves it.

    It is the node recorded last at *ply*, counted from the root; nothing is done if that was not
    recorded. The state is LEAF if *leaf* is true (it was not searched), CUT if the score reaches
    the beta of its window, after which moves are skipped, else SEARCHED.
    """
    if ply <= workspace.emitted_plies:
        frame = ply_frame_at(workspace.frames, ply)
        if frame.node < workspace.most_emitted:
            node = emitted_at(workspace.emitted, frame.node)
            node.score = score if node.mine else -score
            cut = node.score >= node.high if node.mine else node.score <= node.low
            node.state = LEAF if leaf else CUT if cut else SEARCHED


@native(kinds.void(ALPHABETA_WORKSPACE, NUMBER), inline=True)
def emit_answer(workspace: AlphaBetaWorkspace, ply: int) -> None:
    """Record for events that the transposition table answered for the last node at *ply*.

    *ply* is counted from the root. Nothing is done if that node was not recorded.
    """
    if ply <= workspace.emitted_plies:
        frame = ply_frame_at(workspace.frames, ply)
        if frame.node < workspace.most_emitted:
            emitted_at(workspace.emitted, frame.node).by_transposition = True


@native(kinds.void(ALPHABETA_WORKSPACE, NUMBER), inline=True)
def forget_emitted(workspace: AlphaBetaWorkspace, ply: int) -> None:
    """Drop the node recorded last at *ply* and all below it, because it is searched again.

    *ply* is counted from the root. Nothing is done if that ply is not recorded.
    """
    if ply <= workspace.emitted_plies:
        node = ply_frame_at(workspace.frames, ply).node
        workspace.emitted_count = min(workspace.emitted_count, node)
