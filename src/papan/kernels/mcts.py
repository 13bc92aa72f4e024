"""Monte Carlo tree search for every game: random games, and more of them where they went well.

The twin of `papan.agents.mcts.plain`, game by game.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from papan.kernels.board import key, legal, margin, play, turn
from papan.kernels.budget import spend
from papan.kernels.mcts_tree import (
    CONTROLS,
    DEPTH,
    HIGH,
    INDEX,
    KEY,
    LOW,
    MOVE,
    MOVES,
    NODE,
    ROOM,
    SAMPLE,
    SIZE,
    TREE,
    TURN,
    UNTRIED,
    U,
    backpropagate,
    below,
    favourite,
    follow,
    grow,
    leads_on,
    note,
    number_at,
    solved,
    untried,
)
from papan.kernels.native import ZERO, load, load_shared, native, store, store_number, words_at
from papan.kernels.running import GOES_ON, STOP, STOPPED


@native()
def play_out(rules, board, workspace):
    """The margin of seat 0 at the end of a game played on at random."""
    moves = number_at(workspace, MOVES)
    count = legal(rules, board, workspace, moves)
    while count:
        move = load(workspace, moves + below(workspace, count))
        note(workspace, move)
        board = play(rules, board, INDEX(move))
        count = legal(rules, board, workspace, moves)
    return margin(rules, board, 0)


@native()
def iterate(rules, board, workspace, tree):
    """One game: down the tree, one new position, at random to the end, and back up."""
    store(workspace, DEPTH, ZERO)
    store(workspace, number_at(workspace, SAMPLE), ZERO)
    node = 0
    while leads_on(tree, node):
        node = favourite(workspace, tree, node)
        follow(workspace, node)
        move = load(tree, node + MOVE)
        note(workspace, move)
        board = play(rules, board, INDEX(move))
    room = number_at(workspace, SIZE) + NODE <= number_at(workspace, ROOM)
    if room and load(tree, node + UNTRIED) and not solved(tree, node):
        count = legal(rules, board, workspace, number_at(workspace, MOVES))
        move = untried(workspace, tree, node, count)
        node = grow(workspace, tree, node, move)
        follow(workspace, node)
        note(workspace, move)
        board = play(rules, board, INDEX(move))
        count = legal(rules, board, workspace, number_at(workspace, MOVES))
        store(tree, node + TURN, U(turn(rules, board)))
        store(tree, node + UNTRIED, U(count))
        store(tree, node + KEY, key(board))
        if count == 0:
            store_number(tree, node + LOW, margin(rules, board, 0))
            store_number(tree, node + HIGH, margin(rules, board, 0))
    backpropagate(workspace, tree, node, play_out(rules, board, workspace))


@native()
def search(rules, root, words, games):
    """Play so many games, or until all is proven; how the search stands then."""
    workspace = words_at(words.ctypes.data)
    tree, controls = words_at(load(workspace, TREE)), words_at(load(workspace, CONTROLS))
    for _ in range(games):
        standing = spend(controls)
        if standing != GOES_ON:
            return standing
        iterate(rules, root, workspace, tree)
        if solved(tree, 0):
            break
        if load_shared(controls, STOP):  # a game may take as long as a thousand nodes elsewhere
            return STOPPED
    return GOES_ON
