"""Boards where taking tiles may close links, with gravity or by the paper's rule: plain search."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from papan.core import OutOfBudget, Thinking
from papan.engine.control import NODES, controls, run
from papan.games.onet import kernel, kernel_search
from papan.games.onet.kernel_search import BEST, CLEARED, EXHAUSTED, Search
from papan.games.onet.rules import Onet, OnetPosition
from papan.games.onet.verdict import Look, Pair, Verdict, least_left

QUICK_NODES = 20_000
"""Most boards need fewer: a small table is at hand at once, a large one takes its time."""
MOST_PAIR_WORDS = 2**22
SEED = 1


def search(position: OnetPosition, memory: int, thinking: Thinking, look: Look) -> Verdict:
    """Whether the board can be cleared, with *memory* megabytes to remember positions."""
    verdict = quick_search(position, QUICK_NODES, thinking, look)
    if verdict.why != "done":
        return verdict
    return _search(position, thinking, look, (memory, inf))


def quick_search(position: OnetPosition, nodes: float, thinking: Thinking, look: Look) -> Verdict:
    """The same as far as *nodes* lead; *done* is then the reason to stop."""
    return _search(position, thinking, look, (1, nodes))


def _search(
    position: OnetPosition, thinking: Thinking, look: Look, room: tuple[int, float]
) -> Verdict:
    """Search within a *room*: megabytes, and nodes."""
    memory, most_nodes = room
    left_to_us = thinking.limit.nodes - thinking.nodes
    state = _state(position, memory, min(most_nodes, left_to_us))
    before = thinking.nodes
    least = least_left(position.tiles, ())

    def watch(nodes: int) -> None:
        thinking.nodes = before + nodes
        look(Verdict(None, _best(state), least))
        thinking.check()

    why = "nodes" if left_to_us <= most_nodes else "done"
    try:
        outcome = run(lambda: kernel_search.explore(state), state.words, watch)
    except OutOfBudget as stop:
        outcome, why = kernel_search.STOPPED, str(stop)
    thinking.nodes = before + int(state.words[NODES])
    pairs = _best(state)
    left = len(position.tiles) - position.tiles.count(0) - 2 * len(pairs)
    if outcome == CLEARED or not left:
        return Verdict(True, pairs)
    if outcome == EXHAUSTED:
        return Verdict(False, pairs, left, {"why": "searched", "positions": thinking.nodes})
    return Verdict(None, pairs, least, why=why)


def _state(position: OnetPosition, memory: int, most_nodes: float) -> Search:
    """The board, in the words of the kernel."""
    game, tiles = position.game, np.array(position.tiles, np.int64)
    board = np.zeros(kernel.BOARD_WORDS, np.uint64)
    kernel.lay(board, tiles, game.rows, game.columns)
    pairs, depths = int(kernel.pairs_alike(board)), int(board[kernel.TILES]) // 2 + 1
    words = controls(most_nodes)
    words[kernel_search.NARROW] = game.rule == "paper"
    stack = np.zeros((depths, tiles.size), np.int64)
    stack[0] = tiles
    return Search(
        words,
        board,
        stack,
        fall_table(game),
        pairs=np.zeros(min(2 * pairs * depths, MOST_PAIR_WORDS), np.uint64),
        ends=np.zeros(depths + 1, np.uint64),
        tried=np.zeros(depths, np.uint64),
        best=np.zeros(2 * depths, np.uint64),
        memory=np.zeros(1 << (memory * 2**17).bit_length() - 1, np.uint64),
        seed=np.array([SEED], np.uint64),
    )


def fall_table(game: Onet) -> NDArray[np.int64]:
    """The ways along which tiles fall, all made equally long."""
    table = np.full((len(game.paths), max(game.rows, game.columns)), -1, np.int64)
    for row, path in zip(table, game.paths):
        row[: len(path)] = path
    return table


def _best(state: Search) -> tuple[Pair, ...]:
    """The pairs of the path that took most."""
    cells = state.best[: 2 * int(state.words[BEST])].tolist()
    return tuple(zip(cells[::2], cells[1::2]))
