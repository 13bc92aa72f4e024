"""Alpha-beta for every game: one round of a search that goes one ply deeper each time.

Principal variation search: after the first move, the others are asked only whether they are better.
Scores are those of the seat to move; turns are compared, because a move may give another turn.
Values and choice are those of `papan.agents.alphabeta`, which is simpler and looks at more.
Without pruning it is minimax, and looks at the nodes of `papan.agents.minimax`, the plain one.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from papan.engine.board import evaluate, key, legal, margin, over, play, turn
from papan.engine.control import GOES_ON, NODES, spend
from papan.engine.native import ONE, WORD, ZERO, Word, kinds, load, native, signed, store, words_at
from papan.engine.transpositions import NOWHERE, data_at, first_place, found, low_bits, put_entry
from papan.engine.workspace import (
    BUCKET,
    CUT,
    FRAME,
    FULL,
    LEAF,
    WORKSPACE,
    Frame,
    Workspace,
    emitted_at,
    entry_at,
    frame_at,
    root_move_at,
)

NUMBER, SCORE, FLAG = kinds.int64, kinds.float64, kinds.boolean
WINDOW = kinds.UniTuple(SCORE, 2)
Window: TypeAlias = tuple[float, float]
"""Alpha and beta."""

FIRST_TRIED, KILLER, OTHER_KILLER = Word(1 << 46), Word(1 << 45), Word(1 << 44)
"""Weights of moves in the order to try them; others weigh what they have cut."""


@native()
def look(rules: Any, board: Any, workspace: Workspace, count: int) -> int:
    """Score the *count* moves at the root, which are listed already; how the search stands then."""
    workspace.seat, workspace.standing = turn(rules, board), spend(words_at(workspace.controls))
    if workspace.standing == GOES_ON:
        ply, window = signed(0), (-np.inf, np.inf)
        frame_at(workspace.frames, ply).count = count
        emit_entry(workspace, ply, ZERO, workspace.seat, window)
        score = search(rules, board, workspace, ply, window)
        emit_exit(workspace, ply, score, False)
    return workspace.standing


@native()
def search(  # noqa: C901 - a recursion cannot be divided
    rules: Any, board: Any, workspace: Workspace, ply: int, window: Window
) -> float:
    """The score of a position that is no leaf; exact inside the *window*, a bound elsewhere."""
    alpha, beta = window
    frame, side, name = frame_at(workspace.frames, ply), turn(rules, board), key(board)
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
        move = load(moves, frame.first + place)
        child = play(rules, board, signed(move))
        mover, ended = turn(rules, child), over(rules, child)
        leaf = ended or ply + 1 == workspace.horizon
        bar, top = max(alpha, best), beta
        if place and workspace.prunes and ply + 1 < workspace.horizon:
            top = min(np.nextafter(bar, np.inf), beta)  # a null window: is it better at all?
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


@native(FLAG(WORKSPACE), inline=True)
def spent(workspace: Workspace) -> bool:
    """Count a node; True if there are no more to be spent."""
    standing = spend(words_at(workspace.controls))
    if standing == GOES_ON:
        return False
    workspace.standing = standing
    return True


@native(WINDOW(WORKSPACE, FLAG, SCORE, SCORE), inline=True)
def child_window(workspace: Workspace, same: bool, low: float, high: float) -> Window:
    """The window of a child, as the seat sees it that moves there."""
    if not workspace.prunes:
        return -np.inf, np.inf
    return (low, high) if same else (-high, -low)


@native(SCORE(WORKSPACE, NUMBER, SCORE))
def final(workspace: Workspace, ply: int, result: float) -> float:
    """The score of a finished game with this margin."""
    if abs(result) < workspace.won_from:
        return result
    workspace.faults += ply >= workspace.win or abs(result) != workspace.win_margin
    win = workspace.win - ply
    return win if result > 0.0 else -win


@native(WORD(WORKSPACE, NUMBER, WORD), inline=True)
def cuts_at(workspace: Workspace, side: int, move: Word) -> Word:
    """Where it is counted how often a move of a seat was too good to be allowed."""
    return Word(side * workspace.move_count) + move


@native(WORD(WORKSPACE, FRAME, NUMBER, WORD, WORD), inline=True)
def weight(workspace: Workspace, frame: Frame, side: int, move: Word, hint: Word) -> Word:
    """How promising a move is: best in an earlier search, or a cut here, or cuts elsewhere."""
    if hint == move + ONE:
        return FIRST_TRIED
    if frame.killers[side, 0] == move + ONE:
        return KILLER
    if frame.killers[side, 1] == move + ONE:
        return OTHER_KILLER
    cuts: Word = load(words_at(workspace.history), cuts_at(workspace, side, move))
    return cuts


@native(kinds.void(WORKSPACE, NUMBER, NUMBER, WORD))
def arrange(workspace: Workspace, ply: int, side: int, hint: Word) -> None:
    """Put the moves of a frame in the order to try them, promising ones first."""
    frame = frame_at(workspace.frames, ply)
    first, end = frame.first, frame.first + frame.count
    frame_at(workspace.frames, ply + 1).first = end
    if not workspace.orders:
        return
    moves, weights = words_at(workspace.moves), words_at(workspace.weights)
    for place in range(first, end):
        move = load(moves, place)
        promise = weight(workspace, frame, side, move, hint)
        at = place
        while at > first and load(weights, at - 1) < promise:
            store(weights, at, load(weights, at - 1))
            store(moves, at, load(moves, at - 1))
            at -= 1
        store(weights, at, promise)
        store(moves, at, move)


@native(kinds.void(WORKSPACE, NUMBER, NUMBER, WORD))
def reward(workspace: Workspace, ply: int, side: int, move: Word) -> None:
    """Remember a move that was too good for the rival to allow."""
    history, at, left = (
        words_at(workspace.history),
        cuts_at(workspace, side, move),
        workspace.horizon - ply,
    )
    store(history, at, load(history, at) + Word(left * left))
    frame = frame_at(workspace.frames, ply)
    if frame.killers[side, 0] != move + ONE:
        frame.killers[side, 1] = frame.killers[side, 0]
        frame.killers[side, 0] = move + ONE


# The transposition table. The data of an entry are the horizon of the search or COMPLETE, the ply,
# and the best move plus 1; its own words are the bounds of the score.

Known: TypeAlias = tuple[float, float, Word, bool]
"""Bounds of a score, the best move plus 1 or 0, and whether no bound is a guess."""
KNOWN = kinds.Tuple((SCORE, SCORE, WORD, FLAG))
COMPLETE = 0xFFFF
"""The horizon of a search that met none."""
PLY, CHOICE, HALF = Word(16), Word(32), Word(0xFFFF)


@native(inline=True)
def reach_of(data: Word) -> int:
    """The horizon of the search."""
    return signed(data & HALF)


@native(inline=True)
def ply_of(data: Word) -> int:
    """The ply of the position."""
    return signed(data >> PLY & HALF)


@native(KNOWN(WORKSPACE, NUMBER, WORD))
def recall(workspace: Workspace, ply: int, name: Word) -> Known:
    """What the table knows of a position, as far as that is of use at this ply and horizon."""
    if not workspace.remembers:
        return -np.inf, np.inf, ZERO, True
    workspace.probes += 1
    table = workspace.transpositions
    place, data = found(table, BUCKET, (low_bits(table, name), name))
    if data == ZERO:
        return -np.inf, np.inf, ZERO, True
    reach = reach_of(data)
    if ply_of(data) != ply or reach < workspace.horizon:
        return -np.inf, np.inf, data >> CHOICE, True  # the distance to a win counts from the root
    entry = entry_at(table.entries, place)
    return entry.low, entry.high, data >> CHOICE, reach == COMPLETE


@native(kinds.void(WORKSPACE, NUMBER, WORD, KNOWN))
def remember(workspace: Workspace, ply: int, name: Word, known: Known) -> None:
    """Keep what is known of a position, as `recall` gives it: over what was, over what is stale or
    deeper in the tree, or in the second place.
    """
    if not workspace.remembers:
        return
    low, high, choice, sure = known
    reach = COMPLETE if sure else workspace.horizon
    table = workspace.transpositions
    key = low_bits(table, name), name
    place, data = found(table, BUCKET, key)
    if place == NOWHERE:
        place = first_place(table, BUCKET, key)
        old = data_at(table, BUCKET, place)
        if old and ply_of(old) < ply and reach_of(old) >= workspace.horizon:
            place += ONE
        workspace.stored += data_at(table, BUCKET, place) == ZERO
    entry = entry_at(table.entries, place)
    if data and reach_of(data) == reach:
        low, high = max(low, entry.low), min(high, entry.high)
    entry.low, entry.high = low, high
    put_entry(table, BUCKET, place, key, choice << CHOICE | Word(ply) << PLY | Word(reach))


# Lines of play: for each ply its best one, a length and then the moves.


@native(kinds.void(WORKSPACE, NUMBER), inline=True)
def clear_line(workspace: Workspace, ply: int) -> None:
    """Nothing is known to follow yet."""
    store(words_at(workspace.lines), ply * workspace.line_room, ZERO)


@native(kinds.void(WORKSPACE, NUMBER, NUMBER, NUMBER), inline=True)
def copy_line(workspace: Workspace, source: int, target: int, moves: int) -> None:
    """Copy a line over another one, and leave room for so many *moves* before it."""
    lines, room = words_at(workspace.lines), workspace.line_room
    length = signed(load(lines, source * room))
    store(lines, target * room, Word(length + moves))
    for at in range(1, length + 1):
        store(lines, target * room + moves + at, load(lines, source * room + at))


@native(kinds.void(WORKSPACE, NUMBER, WORD))
def extend_line(workspace: Workspace, ply: int, move: Word) -> None:
    """The best play from here is *move* and what follows it."""
    copy_line(workspace, ply + 1, ply, 1)
    store(words_at(workspace.lines), ply * workspace.line_room + 1, move)


# What Python reads: moves at the root, and the tree for events.


@native(kinds.void(WORKSPACE, SCORE))
def note_move(workspace: Workspace, score: float) -> None:
    """Note what a move at the root came to; nodes and doubts are those so far."""
    found = root_move_at(workspace.root_moves, workspace.finished)
    found.score = score
    found.nodes = signed(load(words_at(workspace.controls), NODES))
    found.doubts = workspace.guesses + workspace.faults
    copy_line(workspace, 1, workspace.root_lines + workspace.finished, 0)
    workspace.finished += 1


@native(kinds.void(WORKSPACE, NUMBER, WORD, NUMBER, WINDOW), inline=True)
def emit_entry(workspace: Workspace, ply: int, move: Word, side: int, window: Window) -> None:
    """Tell of a node as it is entered, while there is room."""
    if ply <= workspace.emitted_plies:
        frame = frame_at(workspace.frames, ply)
        frame.node = workspace.emitted_count
        if frame.node < workspace.most_emitted:
            workspace.emitted_count += 1
            node = emitted_at(workspace.emitted, frame.node)
            node.up = frame_at(workspace.frames, ply - 1).node if ply else 0
            node.move, node.mine = move, side == workspace.seat
            low, high = window
            node.low, node.high = (low, high) if node.mine else (-high, -low)
            node.by_transposition = False


@native(kinds.void(WORKSPACE, NUMBER, SCORE, FLAG), inline=True)
def emit_exit(workspace: Workspace, ply: int, score: float, leaf: bool) -> None:
    """Tell what a node came to."""
    if ply <= workspace.emitted_plies:
        frame = frame_at(workspace.frames, ply)
        if frame.node < workspace.most_emitted:
            node = emitted_at(workspace.emitted, frame.node)
            node.score = score if node.mine else -score
            cut = node.score >= node.high if node.mine else node.score <= node.low
            node.state = LEAF if leaf else CUT if cut else FULL


@native(kinds.void(WORKSPACE, NUMBER), inline=True)
def emit_answer(workspace: Workspace, ply: int) -> None:
    """Tell that the transposition table answered."""
    if ply <= workspace.emitted_plies:
        frame = frame_at(workspace.frames, ply)
        if frame.node < workspace.most_emitted:
            emitted_at(workspace.emitted, frame.node).by_transposition = True


@native(kinds.void(WORKSPACE, NUMBER), inline=True)
def forget_emitted(workspace: Workspace, ply: int) -> None:
    """Tell nothing of a node, because it is searched again."""
    if ply <= workspace.emitted_plies:
        node = frame_at(workspace.frames, ply).node
        workspace.emitted_count = min(workspace.emitted_count, node)
