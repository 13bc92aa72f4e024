"""Tic Tac Toe: worked examples, perft, and OpenSpiel as the second opinion."""

import random

import pyspiel
import pytest

import papan
from papan.core import InvalidMoveError, InvalidPositionError, InvalidSpecError, margin
from papan.core.parts import Coach, Drawing, Setup, Strips, Support
from papan.games.tictactoe import TicTacToe
from papan.games.tictactoe.rules import TicTacToePosition
from papan.games.tictactoe.support import TicTacToeSupport

from .outlines import outline
from .perft import perfts


@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        ("tictactoe:3,3,3", [9, 72, 504, 3_024, 15_120, 54_720, 148_176]),
        ("tictactoe:2,4,3", [8, 56, 336, 1_680, 6_720, 18_720]),
        ("tictactoe:4,4,3", [16, 240, 3_360, 43_680]),
        ("tictactoe:1,5,3", [5, 20, 60, 120, 120]),
    ],
)
def test_perft(spec: str, counts: list[int]) -> None:
    assert perfts(papan.game(spec).start(), len(counts)) == counts


@pytest.mark.parametrize(
    "board", ["xxx/oo./...", "oox/.x./x..", "x.o/ox./..x", "xo./xo./x..", "o.x/o.x/..x"]
)
def test_a_line_in_any_direction_wins(board: str) -> None:
    position = papan.position(f"tictactoe:3,3,3 {board} o")
    assert position.scores() == (1, 0)
    assert not position.moves()


def test_a_line_does_not_wrap_around_the_edge() -> None:
    assert papan.position("tictactoe:3,3,3 o.x/xx./oo. x").moves()
    assert papan.position("tictactoe:3,4,3 ..xx/x.oo/o... x").moves()


def test_a_longer_line_wins_as_well() -> None:
    assert papan.position("tictactoe:2,5,3 xx.xx/oo.oo x").after("c1").scores() == (1, 0)


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = papan.position("tictactoe:3,3,3 xox/xoo/oxx o")
    assert not position.moves()
    assert position.scores() == (0, 0)


def test_the_second_player_can_win() -> None:
    position = papan.position("tictactoe").after("a1 c1 b1 b2 c3 a3")
    assert position.scores() == (0, 1)
    assert margin(position, 1) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tictactoe xo./.x. o", "is not a board of this size"),
        ("tictactoe xo./.x./..z o", "is not a board of this size"),
        ("tictactoe xo./.../... o", "'o' is not to move on"),
        ("tictactoe xxx/.../... o", "x has 3 and o has 0 on"),
        ("tictactoe xo./.../... z", "'z' cannot be to move; write x or o"),
        ("tictactoe xxx/ooo/... x", "it has already won"),
        ("tictactoe .../.../...", "write it in the form 'tictactoe:3,3,3 <board> <turn>'"),
    ],
)
def test_a_position_that_play_cannot_reach_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidPositionError, match=message):
        papan.position(text)


@pytest.mark.parametrize(
    "spec", ["tictactoe:0,3,3", "tictactoe:3,3,2", "tictactoe:3,3,4", "tictactoe:16,3,3"]
)
def test_a_board_without_room_for_a_line_is_refused(spec: str) -> None:
    with pytest.raises(InvalidSpecError, match="a line of at least 3 must fit the board"):
        papan.game(spec)


def test_a_move_outside_the_board_is_refused() -> None:
    with pytest.raises(InvalidMoveError, match="'d4' is not a move here; write one like 'a1'"):
        papan.position("tictactoe").after("d4")


@pytest.mark.parametrize(
    ("rows", "columns", "connect"),
    [(3, 3, 3), (4, 4, 4), (5, 5, 5), (5, 5, 4), (3, 5, 3), (6, 4, 4), (15, 15, 5)],
)
def test_agrees_with_open_spiel_in_random_play(rows: int, columns: int, connect: int) -> None:
    """Their m is columns, their n rows; their actions are cells row by row, as ours."""
    oracle = pyspiel.load_game(f"mnk(m={columns},n={rows},k={connect})")
    rng = random.Random(rows * 100 + columns * 10 + connect)
    for _ in range(max(4, 3_000 // (rows * columns) // 7)):
        state, position = oracle.new_initial_state(), TicTacToe(rows, columns, connect).start()
        while not state.is_terminal():
            assert position.moves() == state.legal_actions()
            assert position.turn == state.current_player()
            move = rng.choice(position.moves())
            state.apply_action(move)
            position = position.child(move)
        assert not position.moves()
        assert [margin(position, seat) for seat in (0, 1)] == state.returns()


def test_the_picture_has_coordinates() -> None:
    assert Drawing.of(papan.position("tictactoe").after("b2 a1")).picture() == (
        "  a b c\n"
        "1 o . .\n"
        "2 . x .\n"
        "3 . . ."
    )  # fmt: skip


def test_the_drawing_strikes_the_winning_line_through() -> None:
    won = papan.position("tictactoe").after("a1 a2 b1 b2 c1")
    assert isinstance(won, TicTacToePosition)
    assert Drawing.of(won).svg().count('class="won"') == 1
    assert 'class="won"' not in Drawing.of(papan.position("tictactoe")).svg()


def test_moves_that_are_the_same_after_turning_the_board_count_once() -> None:
    def seen(game: str, moves: str) -> list[object]:
        (feature,) = Drawing.of(papan.position(game).after(moves)).features()
        return list(feature.values.values())

    assert seen("tictactoe", "") == [9, 3]
    assert seen("tictactoe", "b2") == [8, 2]
    assert seen("tictactoe", "b2 a1") == [7, 4]
    assert seen("tictactoe:3,4,3", "") == [12, 4]
    assert Drawing.of(papan.position("tictactoe").after("a1 a2 b1 b2 c1")).features() == []


def test_e16_moves_are_counted_by_symmetry_only_where_that_makes_a_difference() -> None:
    """217 moves; 217 if those that turn into each other count once: so it said."""
    features = Drawing.of(papan.position("tictactoe xo./.../... x")).features()
    assert features == []
    (said,) = Drawing.of(papan.position("tictactoe")).features()
    assert str(said) == "9 moves; 3 if those that turn or mirror into each other count once"


@pytest.mark.parametrize(
    ("board", "remote"),
    [
        (".....", []),
        ("x....", ["d1", "e1"]),
        ("..x..", []),
        ("o...x", []),
    ],
)
def test_y7_a_cell_more_than_two_from_every_mark_is_remote(board: str, remote: list[str]) -> None:
    turn = "o" if board.count("x") > board.count("o") else "x"
    position = papan.position(f"tictactoe:1,5,3 {board} {turn}")
    support = Support.of(position.game)
    assert isinstance(support, TicTacToeSupport)
    far = [move for move in position.moves() if support.is_remote(position, move)]
    assert [position.game.move_name(move) for move in far] == remote


def test_y7_on_an_empty_board_what_is_far_from_the_centre_is_remote() -> None:
    position = papan.position("tictactoe:7,9,5")
    support = Support.of(position.game)
    assert isinstance(support, TicTacToeSupport)
    near = {move for move in position.moves() if not support.is_remote(position, move)}
    assert near == {row * 9 + column for row in range(1, 6) for column in range(2, 7)}


def test_y7_levels_slip_more_on_larger_boards_and_a_proof_there_has_fewer_nodes() -> None:
    small, won, large, edge = (
        Support.of(papan.game(f"tictactoe:{size}")) for size in ("3,3,3", "4,4,3", "9,9,5", "8,8,5")
    )
    assert small.slip_rates < won.slip_rates < large.slip_rates
    assert won.slip_rates == edge.slip_rates, "64 cells are few"
    nodes = [each.proof_nodes(each.game.start()) for each in (small, edge, large)]
    assert nodes[0] == nodes[1] and nodes[2] == 2 * nodes[0] // 5


@pytest.mark.parametrize(
    ("moves", "legal", "distinct"),
    [("b2", 8, 2), ("a1", 8, 5), ("b1", 8, 5), ("a1 c3", 7, 4), ("b2 a1 c3", 6, 3)],
)
def test_y7_moves_are_the_same_only_by_symmetries_that_keep_the_board(
    moves: str, legal: int, distinct: int
) -> None:
    (feature,) = Drawing.of(papan.position("tictactoe").after(moves)).features()
    assert feature.values == {"moves": legal, "distinct": distinct}


def test_each_of_two_lines_that_one_mark_completes_is_struck_through() -> None:
    won = Drawing.of(papan.position("tictactoe xxx/xoo/xoo o")).svg()
    assert won.count('class="won"') == won.count('class="won-edge"') == 2


@pytest.mark.parametrize(
    ("text", "strokes"),
    [
        ("tictactoe xxx/oo./... o", ["75,75 195,75"]),
        ("tictactoe xo./xo./x.. o", ["75,75 75,195"]),
        ("tictactoe xo./ox./..x o", ["75,75 195,195"]),
        ("tictactoe:2,4,3 xxx./oo.. o", ["75,75 195,75"]),
        ("tictactoe:2,4,3 xxxx/ooo. x", ["75,135 195,135"]),  # of the seat that moved last
        ("tictactoe xo./o../... x", []),
    ],
)
def test_a_stroke_leads_from_the_middle_of_the_first_cell_to_that_of_the_last(
    text: str, strokes: list[str]
) -> None:
    spec, *fields = text.split()
    drawn = outline(Drawing.of(Setup.of(papan.game(spec)).sketch(fields)).svg())
    for name in ("won", "won-edge"):
        assert [each.partition(" ")[2] for each in drawn if each.split()[0] == name] == strokes


@pytest.mark.parametrize(
    ("size", "rates"),
    [
        ("3,3,3", (0.7, 0.45, 0.25, 0.1)),
        ("3,5,5", (0.7, 0.45, 0.25, 0.1)),  # a line is as long as the board
        ("3,5,4", (0.88, 0.73, 0.45, 0.04)),
        ("8,8,5", (0.88, 0.73, 0.45, 0.04)),
        ("5,13,13", (0.92, 0.85, 0.82, 0.75)),  # 65 cells
    ],
)
def test_levels_slip_as_often_as_was_found_by_play(size: str, rates: tuple[float, ...]) -> None:
    assert Support.of(papan.game(f"tictactoe:{size}")).slip_rates == rates


def test_a_mistake_is_learned_where_the_lesson_teaches_what_was_missed() -> None:
    steps = Coach.of(papan.position("tictactoe")).lesson_steps
    assert {key.removeprefix("review."): step for key, step in steps.items()} == {
        "missed_win": "lesson.tictactoe_win_task",
        "not_blocked": "lesson.tictactoe_block_task",
        "missed_double": "lesson.tictactoe_fork_task",
        "allowed_double": "lesson.tictactoe_defend_task",
    }


@pytest.mark.parametrize(
    ("size", "learned"),
    [("6,6,5", True), ("15,15,5", True), ("6,5,5", False), ("5,5,5", False), ("6,6,4", False)],
)
def test_weights_were_learned_for_lines_shorter_than_both_sides(size: str, learned: bool) -> None:
    support = Support.of(papan.game(f"tictactoe:{size}"))
    assert (support.patterns() is not None) == learned
    rows, columns, _ = map(int, size.split(","))
    assert support.strips == Strips(rows, columns, falls=False)
