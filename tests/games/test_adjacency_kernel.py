"""The kernels of Adjacency do what the rules, minimax and the definitions say."""

import random
from functools import cache
from typing import TypeAlias

import numpy as np
import pytest

from papan.engine.native import Word
from papan.games.adjacency import kernel
from papan.games.adjacency.kernel_board import (
    NO_MOVE,
    SCALE,
    around,
    beside_at_least,
    most,
    nth,
    recall_bounds,
    store_bounds,
    table_key,
)
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition
from papan.games.adjacency.solver import AdjacencyMemory, AdjacencyRoot
from tests.games.adjacency_positions import margin, plain, played, positions, random_game


def test_the_kernel_plays_and_counts_as_the_rules_do() -> None:
    rng = random.Random(1)
    compared = 0
    while compared < 4_000:
        game = random_game(rng)
        position = played(rng, game, 1)
        memory = AdjacencyMemory(game, 10**6, 1 << 10)
        for move in position.moves():
            score = memory.score(memory.marks(position), move, 1, 1, (-1_000, 1_000))
            assert score == SCALE * (-margin(position.child(move)) - margin(position))
            compared += 1


def test_levels_count_neighbours() -> None:
    rng = random.Random(2)
    for _ in range(300):
        game = random_game(rng)
        memory = AdjacencyMemory(game, 1, 1 << 10)
        position = played(rng, game, rng.randint(0, 2 * game.rounds))
        marks, _ = memory.marks(position)
        free = memory.workspace.cells & ~marks
        counts = [
            int(memory.workspace.beside[cell] & marks).bit_count()
            for cell in range(64)
            if int(free) >> cell & 1
        ]
        one, two, three, four = map(np.uint64, beside_at_least(marks, free))
        levels = one, two, three, four
        ranks = range(1, len(counts) + 1)
        assert [nth(levels, rank) for rank in ranks] == sorted(counts, reverse=True)
        assert most(levels) == max(counts)
        assert around(marks) & free == levels[0]


def test_the_neighbours_of_a_cell_are_those_of_the_rules() -> None:
    for game in (Adjacency(), Adjacency(4, 4, 1), Adjacency(5, 7, 2), Adjacency(8, 4, 3)):
        memory = AdjacencyMemory(game, 1, 1 << 10)
        for cell, beside in enumerate(game.beside):
            row, column = divmod(cell, game.columns)
            assert memory.workspace.beside[8 * row + column] == memory.spread(beside)


def named(memory: AdjacencyMemory, key: tuple[Word, Word]) -> tuple[Word, Word]:
    first, rest = map(np.uint64, table_key(memory.workspace.transpositions, key))
    return first, rest


def write(
    memory: AdjacencyMemory, key: tuple[Word, Word], known: tuple[int, int, int, int]
) -> None:
    low, high, reach, move = known
    table = memory.workspace.transpositions
    store_bounds(table, named(memory, key), reach, (low, high), np.uint64(move))


def read(memory: AdjacencyMemory, key: tuple[Word, Word], reach: int) -> tuple[int, int, Word]:
    table = memory.workspace.transpositions
    return recall_bounds(table, named(memory, key), reach, (-2_000, 2_000))


def test_the_table_gives_back_what_it_was_given_or_nothing() -> None:
    rng = random.Random(8)
    memory = AdjacencyMemory(Adjacency(), 1, 1 << 6)
    keys = [(np.uint64(rng.getrandbits(64)), np.uint64(rng.getrandbits(8))) for _ in range(90)]
    given: dict[int, tuple[int, int, int, int]] = {}
    found = 0
    for _ in range(3_000):
        number = rng.randrange(len(keys))
        low = rng.randint(-512, 512)
        given[number] = low, rng.randint(low, 512), rng.randint(1, 56), rng.randrange(64)
        write(memory, keys[number], given[number])
        number, asked = rng.randrange(len(keys)), rng.randint(1, 56)
        low, high, choice = read(memory, keys[number], asked)
        if choice == NO_MOVE:
            assert (low, high) == (-2_000, 2_000)
        else:
            low_then, high_then, reach_then, move_then = given[number]
            known = (low_then, high_then) if reach_then >= asked else (-2_000, 2_000)
            assert (low, high, int(choice)) == (*known, move_then)
            found += 1
    assert found > 1_000


@pytest.mark.parametrize("size", [4, 5, 8])
def test_the_mirror_keeps_the_corners_of_both_sides(size: int) -> None:
    game = Adjacency(size, size, 1)
    memory = AdjacencyMemory(game, 1, 1 << 10)
    for corner in memory.marks(game.start()):
        assert kernel.mirrored_cells(memory.workspace, corner) == corner
    for row in range(size):
        for column in range(size):
            image = 8 * (size - 1 - column) + size - 1 - row
            cell = np.uint64(1 << 8 * row + column)
            assert kernel.mirrored_cells(memory.workspace, cell) == 1 << image


@pytest.mark.thorough
@pytest.mark.parametrize("count", [35, pytest.param(500, marks=pytest.mark.slow)])
def test_the_bounds_that_show_without_a_search_hold(count: int) -> None:
    rng = random.Random(4)
    for position, _ in zip(positions(rng, 20_000), range(count)):
        root = AdjacencyRoot(AdjacencyMemory(position.game, 1, 1 << 10), position)
        value = plain(position, {})
        assert root.final(root.low) <= value <= root.final(root.high)


# games that fill the board


Cells: TypeAlias = frozenset[tuple[int, int]]


@cache
def closing_score(empty: Cells, board: Cells) -> int:
    """The cells closed from here to the end, ours less the rival's, by the definition."""
    moves = (closed(cell, empty, board) - closing_score(empty - {cell}, board) for cell in empty)
    return max(moves, default=0)


def closed(move: tuple[int, int], empty: Cells, board: Cells) -> int:
    """How many cells a move closes: those where it alone was empty, on them and beside them."""
    return sum(plus(*cell, board) & empty == {move} for cell in plus(*move, board))


def plus(row: int, column: int, board: Cells) -> Cells:
    """A cell and its neighbours."""
    arms = {(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)}
    return board & (arms | {(row, column)})


def rectangle(rows: int, columns: int) -> Cells:
    return frozenset((row, column) for row in range(rows) for column in range(columns))


def safe_margin(position: AdjacencyPosition) -> int:
    """The margin of the marks that no move can turn any more."""
    safe = ~position.game.around(position.empty)
    own, rival = position.sides
    return (own & safe).bit_count() - (rival & safe).bit_count()


def test_where_the_board_fills_up_it_does_not_matter_who_owns_what_can_still_turn() -> None:
    rng = random.Random(7)
    for _ in range(30):
        position = played(rng, Adjacency(4, 6, 8), 6)
        open_marks = position.game.around(position.empty) & ~position.empty
        x, o = position.marks
        swapped = rng.getrandbits(24) & open_marks
        other = AdjacencyPosition(position.game, (x ^ swapped & (x | o), o ^ swapped & (x | o)), 0)
        here = AdjacencyPosition(position.game, (x, o), 0)
        assert plain(here, {}) - safe_margin(here) == plain(other, {}) - safe_margin(other)


@pytest.mark.thorough
def test_a_full_board_is_scored_by_the_cells_that_each_move_closes() -> None:
    rng = random.Random(5)
    board = rectangle(5, 5)
    for _ in range(120):
        empty = frozenset(rng.sample(sorted(board), rng.randint(1, 9)))
        word = np.uint64(sum(1 << 8 * row + column for row, column in empty))
        memory = AdjacencyMemory(Adjacency(5, 5, 8), 10**6, 1 << 10)
        score = kernel.search_full(memory.workspace, word, 64, (-1_000, 1_000))
        assert score == SCALE * closing_score(empty, board)


def test_no_move_is_better_than_another_by_more_than_the_lemma_says() -> None:
    board, true_value = rectangle(4, 4), 5
    rng = random.Random(6)
    for _ in range(15):
        empty = frozenset(rng.sample(sorted(board), 9))
        for cell in empty:
            both = closing_score(empty, board) + closing_score(empty - {cell}, board)
            now = closed(cell, empty, board)
            assert now <= both <= 2 * true_value - now


def test_both_kernels_agree_where_the_board_fills_up() -> None:
    rng = random.Random(9)
    for game in 30 * (Adjacency(6, 8, 20), Adjacency(8, 8, 28)):
        position = played(rng, game, 10)
        memory, plies = AdjacencyMemory(position.game, 10**7, 1 << 12), position.plies_left
        root = AdjacencyRoot(memory, position)
        root.prove()
        window = -1_000, 1_000
        found = kernel.search(memory.workspace, root.marks, plies, plies, window)
        assert found == root.high


@pytest.mark.parametrize(("rows", "columns", "rounds"), [(4, 4, 4), (4, 5, 6)])
def test_whole_games_on_small_boards(rows: int, columns: int, rounds: int) -> None:
    start = Adjacency(rows, columns, rounds).start()
    empty = frozenset(divmod(move, columns) for move in start.moves())
    root = AdjacencyRoot(AdjacencyMemory(start.game, 10**7, 1 << 12), start)
    root.prove()
    assert root.final(root.high) == closing_score(empty, rectangle(rows, columns))
