"""Connect 4 in bits: sizes, masks, forced moves, bounds that close, and memory that is reused."""

import struct

import pytest

import papan
from papan.core.parts import Strips, Support
from papan.engine.control import NODES, STOP
from papan.games.connect4.ribbon import Ribbon, equation, mixed_number, plane_size, scaled_share
from papan.games.connect4.rules import Connect4, Connect4Position
from papan.games.connect4.search_memory import (
    Connect4Memory,
    return_workspace,
    take_workspace,
)
from papan.games.connect4.solver import Connect4Solver, ScoreBounds, sign
from papan.games.connect4.stones import (
    BUCKET_BYTES,
    Book,
    Layout,
    Stones,
    book_for,
    comes_up,
    final_score,
    forced_line,
)

PLENTY = 2**28


@pytest.mark.parametrize(
    ("size", "memory", "words", "lanes", "key_bits", "buckets"),
    [
        ((4, 4), PLENTY, 1, 8, 20, 2**10),
        ((6, 7), PLENTY, 1, 8, 49, 2**10),
        ((4, 10), PLENTY, 1, 16, 50, 2**10),
        ((5, 10), PLENTY, 1, 16, 60, 2**15),
        ((6, 9), PLENTY, 1, 16, 63, 2**18),
        ((7, 8), PLENTY, 1, 8, 64, 2**19),
        ((7, 8), 2**19 * BUCKET_BYTES, 1, 8, 64, 2**19),
        ((7, 8), 2**19 * BUCKET_BYTES - 1, 2, 16, 32, 2**10),
        ((7, 9), PLENTY, 2, 16, 36, 2**10),
        ((8, 8), PLENTY, 2, 16, 36, 2**10),
        ((8, 10), PLENTY, 2, 16, 45, 2**10),
    ],
)
def test_a_board_takes_one_word_if_it_and_its_smallest_table_fit(  # noqa: PLR0913
    size: tuple[int, int], memory: int, words: int, lanes: int, key_bits: int, buckets: int
) -> None:
    layout = Layout.for_board(*size, memory)
    found = layout.limbs, layout.lanes, layout.key_bits, layout.smallest_transpositions
    assert found == (words, lanes, key_bits, buckets)
    assert 2 ** (key_bits + 19 - 64) <= buckets, "what an entry cannot hold its bucket must tell"


@pytest.mark.parametrize("size", [(4, 4), (6, 7), (8, 10)], ids=str)
def test_masks_are_made_of_the_bits_of_the_rules(size: tuple[int, int]) -> None:
    game, layout = Connect4(*size), Layout.for_board(*size, PLENTY)
    rows, columns = size
    third = [game.bits[row * columns + 2] for row in range(rows)]
    assert layout.cells == sum(game.bits)
    assert layout.floor == sum(game.bits[-columns:]) == sum(game.bottoms)
    assert layout.column(2) == sum(third)
    assert layout.whole_column(2) == sum(third) | max(third) << 1
    assert sorted(layout.steps) == sorted(game.steps)
    assert layout.sideways == tuple((each, 2 * each, 3 * each) for each in layout.steps[1:])
    assert layout.empty(0) == rows * columns
    assert layout.empty(layout.column(1) | 1 << rows) == rows * columns - rows
    words = layout.words_of(layout.cells)
    assert len(words) == layout.limbs and max(words) < 2**64
    assert sum(word << 64 * number for number, word in enumerate(words)) == layout.cells
    mirrored = sum(1 << layout.bits - layout.step * (place + 1) + place for place in range(rows))
    assert layout.mirror(sum(1 << layout.step * place + place for place in range(rows))) == mirrored


def at(text: str) -> tuple[Layout, Stones]:
    position = papan.position(f"connect4:{text}")
    assert isinstance(position, Connect4Position)
    game = position.game
    return Layout.for_board(game.rows, game.columns, PLENTY), Stones(*position.sides)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("4,4 ..../..../..../.... x", ""),
        ("4,5 ...../...../....o/xxx.o o", "4"),  # stops the win; then nothing is forced
        ("4,5 ...../...../oo.../xxx.o x", "4"),  # wins
        ("4,5 ...../o..../o..../o.xxx x", "2"),  # wins, and does not stop
        ("4,5 .xxx./.ooo./.xxo./ooxxo x", "11"),  # either column opens a win
        ("4,5 .ooo./.oxo./xoxxx/xxoxo x", "11"),
        ("4,4 xoxx/xoxo/ooox/xxoo x", ""),  # a full board
        ("4,4 ..../..../ooo./xxxx o", ""),  # won already
    ],
)
def test_a_win_a_stop_and_a_choice_of_losses_are_forced(text: str, line: str) -> None:
    layout, stones = at(text)
    moves, after = forced_line(layout, stones)
    assert "".join(str(move + 1) for move in moves) == line
    taken = (after.own | after.rival).bit_count() - (stones.own | stones.rival).bit_count()
    assert taken == len(moves)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("4,4 ..../..../ooo./xxxx o", -(9 // 2 + 1)),
        ("4,4 ..../x.x./oooo/xxox x", -(6 // 2 + 1)),
        ("4,4 oooo/xoxx/ooxx/oxxx x", -1),
        ("4,4 xoxx/xoxo/ooox/xxoo x", 0),
        ("4,4 ..../..../ooo./xxx. x", None),
    ],
)
def test_a_finished_game_has_a_score_by_its_empty_cells(text: str, score: int | None) -> None:
    assert final_score(*at(text)) == score


@pytest.mark.parametrize(
    ("score", "goals"),
    [
        (20, [17, 18, 19, 20]),
        (5, [17, -16, 1, 2, 3, 5, 7, 6]),
        (1, [17, -16, 1, 2]),
        (0, [17, -16, 1, 0]),
        (-1, [17, -16, 1, 0, -1]),
        (-2, [17, -16, 1, 0, -1, -2]),
        (-17, [17, -16, -17]),
        (-20, [17, -16, -17, -18, -19]),
    ],
)
def test_goals_ask_for_a_quick_win_and_loss_then_the_sign_then_the_rest(
    score: int, goals: list[int]
) -> None:
    proof, asked = ScoreBounds(Layout.for_board(6, 7, PLENTY), Stones(0, 0)), list[int]()
    assert proof.bounds == (-20, 20) and not proof.closed
    for goal in proof.goals():
        asked.append(goal)
        proof.learn(goal, goal if score >= goal else goal - 1, move=3)  # and no more than that
    assert (proof.low, proof.high, proof.closed) == (score, score, True)
    assert asked == goals
    assert proof.move == (3 if score > -20 else None)


def test_bounds_are_turned_for_the_seat_before_an_odd_number_of_forced_moves() -> None:
    proof = ScoreBounds(*at("4,5 ...../...../....o/xxx.o o"))  # then 14 cells are empty
    assert (proof.forced, proof.low, proof.high) == ([3], -6, 6)
    proof.learn(2, 4, 1)
    assert (proof.bounds, proof.move) == ((-6, -4), 1)
    proof.learn(6, 5, 2)
    assert (proof.bounds, proof.move) == ((-5, -4), 1)
    over = ScoreBounds(*at("4,5 ...../...../oo.../xxx.o x"))
    assert (over.bounds, over.closed) == ((7, 7), True)


def test_scores_stand_for_results() -> None:
    assert [sign(score) for score in (-18, -1, 0, 1, 18)] == [-1, -1, 0, 1, 1]


def test_the_memory_of_a_search_is_used_again_for_the_same_board_and_size() -> None:
    first = take_workspace(4, 4, 2**20)
    second = take_workspace(4, 4, 2**20)
    assert first is not second
    return_workspace(first)
    return_workspace(second)
    assert take_workspace(4, 4, 2**20) is second, "the last one alone is kept"
    for other in ((4, 4, 2**21), (4, 5, 2**20)):
        return_workspace(second)
        assert take_workspace(*other) is not second
        assert take_workspace(4, 4, 2**20) is not second, "it was dropped"


def test_a_table_grows_fourfold_each_time_until_its_memory_is_full() -> None:
    memory = Connect4Memory(Layout.for_board(6, 7, PLENTY), 2**16 * BUCKET_BYTES)
    memory.clear(Stones(0, 0))
    seen = []
    while (left := memory.nodes_to_grow) > 0:
        seen.append((memory.transposition_bytes // BUCKET_BYTES, left))
        memory.go_on()  # it is not time yet
        assert memory.nodes_to_grow == left
        memory.words[NODES] += left
        assert memory.nodes_to_grow == 1
        memory.words[STOP] = 1
        memory.go_on()
        assert memory.words[STOP] == 0
    every = 32  # nodes to a bucket
    assert seen == [
        (2**10, every * 2**10),
        (2**12, every * (2**12 - 2**10)),
        (2**14, every * (2**14 - 2**12)),
        (2**16, every * (2**16 - 2**14)),
    ]
    assert memory.transposition_bytes == 2**16 * BUCKET_BYTES, "it stays as it is"


def test_nodes_are_spent_when_all_that_were_granted_are_counted() -> None:
    memory = Connect4Memory(Layout.for_board(4, 4, PLENTY), 2**20)
    memory.clear(Stones(0, 0), most_nodes=5)
    for nodes, spent in ((0, False), (4, False), (5, True)):
        memory.words[NODES] = nodes
        assert (memory.nodes, memory.spent) == (nodes, spent)
    memory.begin(Stones(0, 0))
    memory.words[NODES] = 2**40
    assert not memory.spent
    memory.move = 3
    assert memory.move == 3


@pytest.mark.parametrize(
    ("text", "played"),
    [
        ("4,4 ..../..../..../.... x", True),
        ("4,4 ..../..../.o../.x.. x", True),
        ("4,4 ..../.x../.o../.x.. o", True),
        ("4,4 ..../..../xx../oo.. x", False),
        ("4,4 ..../..../x.../o... x", False),
        ("4,4 ..../..../x.../oox. x", True),
    ],
)
def test_some_positions_do_not_come_up_in_play(text: str, played: bool) -> None:
    assert comes_up(*at(text)) == played


def test_a_book_that_is_cut_short_is_refused_and_boards_without_one_have_none() -> None:
    with pytest.raises(IndexError):
        Book(b"")
    head = struct.pack("<QQB", 1, 64, 5)
    for data in (b"\x05", b"\x05" + head[:-1], b"\x05" + head + b"\0"):
        with pytest.raises(struct.error):
            Book(data)
    assert Book(b"\x05" + struct.pack("<QQB", 0, 0, 5)).plies == 5
    assert Ribbon(struct.pack("<QQBIB", 1, 64, 0, 0, 0))[7] == 0, "numbers of no bits are 0"
    assert (book_for(4, 4), book_for(6, 7) is None) == (None, False)
    assert book_for(6, 7) is book_for(6, 7)


@pytest.mark.parametrize(
    ("moves", "scores"),
    [("", [-2, -1, 0, 1, 0, -1, -2]), ("4", [-4, -2, -2, -1, -2, -2, -4])],
)
def test_the_shipped_book_has_the_published_scores_of_the_first_moves(
    moves: str, scores: list[int]
) -> None:
    """As Pascal Pons's solver shows them, for who makes the move."""
    layout, book = Layout.for_board(6, 7, PLENTY), book_for(6, 7)
    assert book is not None and book.plies == 8
    start = Connect4().start().after(moves)
    children = [Stones(*start.child(move).sides) for move in start.moves()]
    assert [-(book.score(layout, each) or 0) for each in children] == scores
    nine = Connect4().start().after("123456712")
    assert not book.covers(Stones(*nine.sides))
    assert book.score(layout, Stones(*nine.sides)) is None
    eight = Connect4().start().after("12345671")
    assert book.covers(Stones(*eight.sides))


def test_the_hash_of_a_ribbon_is_that_of_splitmix() -> None:
    golden = 0x9E3779B97F4A7C15
    assert mixed_number(golden) == 0xE220A8397B1DCDAF  # its first numbers from the seed 0
    assert mixed_number(2 * golden % 2**64) == 0x6E789E6AA1B965F4
    assert mixed_number(0) == 0


def test_slots_are_shared_out_in_proportion_and_a_key_selects_of_64() -> None:
    shares = [scaled_share(word << 60, 4) for word in range(16)]
    assert shares == [number // 4 for number in range(16)]
    assert scaled_share(2**64 - 1, 10) == 9
    assert [plane_size(slots) for slots in (0, 1, 8, 9, 64)] == [8, 9, 9, 10, 16]
    for slots in (64, 65, 1000):
        starts = {equation(key, seed, slots)[0] for key in range(200) for seed in (0, 5)}
        assert min(starts) >= 0 and max(starts) <= slots - 64
        assert slots > 65 or starts == {*range(slots - 63)}
    masks = [equation(key, 3, 64)[1] for key in range(200)]
    assert all(mask % 2 for mask in masks) and len({*masks}) == 200
    assert equation(7, 3, 64)[1] != equation(7, 4, 64)[1]


@pytest.mark.parametrize(
    ("columns", "rates"),
    [
        *((columns, (0.8, 0.67, 0.73, 0.3)) for columns in (4, 5, 6, 7)),
        (8, (0.78, 0.68, 0.82, 0.5)),
        (9, (0.7, 0.64, 0.86, 0.53)),
        (10, (0.6, 0.56, 0.9, 0.64)),
    ],
)
def test_levels_slip_as_often_as_was_found_by_play(columns: int, rates: tuple[float, ...]) -> None:
    assert Support.of(Connect4(6, columns)).slip_rates == rates


@pytest.mark.parametrize(
    ("size", "stones", "nodes"),
    [
        ((6, 7), 0, 2_000_000),  # 42 cells
        ((7, 7), 5, 2_000_000),  # 44 of 49 are left
        ((7, 7), 4, 0),
        ((7, 8), 12, 2_000_000),  # 64 bits
        ((7, 9), 19, 500_000),  # two words
        ((7, 9), 18, 0),
        ((8, 8), 20, 500_000),
        ((8, 10), 36, 500_000),
    ],
)
def test_a_short_proof_is_tried_with_44_empty_cells_or_fewer(
    size: tuple[int, int], stones: int, nodes: int
) -> None:
    game = Connect4(*size)
    position = Connect4Position(game, (sum(game.bits[:stones]), 0), stones % 2)
    assert Support.of(game).proof_nodes(position) == nodes


def test_with_nodes_for_nothing_the_most_central_safe_column_is_played() -> None:
    for text, column in (
        ("6,7 ......./......./......./......./......./....... x", "4"),
        ("4,4 ..../..../..../.... x", "2"),
        ("4,5 ...../.o.../.x.xx/.o.ox o", "2"),
    ):
        position = papan.position(f"connect4:{text}")
        found = Connect4Solver(book=False).analyse(position, nodes=1)
        assert position.game.move_name(found.move) == column


@pytest.mark.parametrize(
    ("size", "learned"), [((6, 7), True), ((7, 8), True), ((4, 4), False)], ids=str
)
def test_a_board_is_cut_into_columns_and_has_its_own_weights(
    size: tuple[int, int], learned: bool
) -> None:
    support = Support.of(Connect4(*size))
    assert support.strips == Strips(size[1], size[0], falls=True)
    patterns = support.patterns()
    assert (patterns is not None) == learned
    assert support.patterns() is patterns, "the same object each time"
