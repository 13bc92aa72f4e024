"""Neighbours, paper 001's minimax: against the paper's own pseudo-code, without pruning."""

import random
from itertools import pairwise
from typing import Literal

import pytest

import papan
from papan.core import CannotPlayError, Event, InvalidSpecError, Limit, Position
from papan.core.thinking import EVENTS
from papan.games.adjacency import Adjacency
from papan.games.adjacency.paper import Neighbours
from papan.games.adjacency.rules import AdjacencyPosition

Square = tuple[int, int]
Board = list[list[str]]
FIRST: tuple[Literal["x", "o"], ...] = ("x", "o")


def sides(board: Board, row: int, column: int) -> list[Square]:
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in around if 0 <= r < len(board) and 0 <= c < len(board[0])]


def listed(board: Board) -> list[Square]:
    return [
        (row, column)
        for row in range(len(board))
        for column in range(len(board[0]))
        if board[row][column] == "."
        and any(board[r][c] != "." for r, c in sides(board, row, column))
    ]


def placed(board: Board, mark: str, row: int, column: int) -> Board:
    after = [list(cells) for cells in board]
    after[row][column] = mark
    for r, c in sides(board, row, column):
        if after[r][c] != ".":
            after[r][c] = mark
    return after


def beside_rival(board: Board, squares: list[Square], rival: str) -> list[Square]:
    """Those of the squares beside a mark of the rival; all if there are none."""
    near = [each for each in squares if any(board[r][c] == rival for r, c in sides(board, *each))]
    return near or squares


def minimax(
    board: Board, squares: list[Square], depth: int, marks: str, setting: str = ""
) -> tuple[int, Square | None]:
    """The margin of the mark to move and its first best square; *marks*: its own, the other.

    *setting* is "program", "enemy" or none.
    """
    mine, theirs = marks[0], marks[1]
    if depth == 0:
        cells = [cell for row in board for cell in row]
        return cells.count(mine) - cells.count(theirs), None
    best, choice = -1_000, None
    for square in beside_rival(board, squares, theirs) if setting == "enemy" else squares:
        rest = squares[1:] if setting == "program" else [each for each in squares if each != square]
        after = placed(board, mine, *square)
        value = -minimax(after, rest, depth - 1, theirs + mine, setting)[0]
        if value > best:
            best, choice = value, square
    return best, choice


def some_positions(seed: int, count: int) -> list[AdjacencyPosition]:
    """Positions from random play on small boards, with at most nine squares next to marks."""
    rng = random.Random(seed)
    found: list[AdjacencyPosition] = []
    while len(found) < count:
        rows, columns = rng.choice([(4, 4), (4, 5), (5, 4), (5, 5), (4, 6)])
        rounds = rng.randint(1, (rows * columns - 8) // 2)
        position = Adjacency(rows, columns, rounds, first=rng.choice(FIRST)).start()
        for _ in range(rng.randrange(2 * rounds)):
            position = position.child(rng.choice(position.moves()))
        if len(listed(board_of(position))) <= 9:
            found.append(position)
    return found


def board_of(position: AdjacencyPosition) -> Board:
    return [list(row) for row in position.write()[0].split("/")]


@pytest.mark.thorough
@pytest.mark.parametrize("program", [False, True])
def test_it_finds_what_plain_minimax_over_the_same_squares_finds(program: bool) -> None:
    for position in some_positions(seed=1, count=150):
        board = board_of(position)
        squares = listed(board)
        depth = min(4, position.plies_left, len(squares))
        marks = "xo" if position.turn == 0 else "ox"
        value, choice = minimax(board, squares, depth, marks, "program" if program else "")
        analysis = Neighbours(4, 4, program).analyse(position)
        if program and len(squares) < min(4, position.plies_left):
            assert divmod(analysis.move, position.game.columns) == squares[0]
            continue
        assert divmod(analysis.move, position.game.columns) == choice, str(position)
        assert analysis.value == value


def test_x_looks_six_plies_ahead_and_o_five() -> None:
    assert depths(papan.position("adjacency:8,8,8")) == [1, 2, 3, 4, 5, 6]
    assert depths(papan.position("adjacency:8,8,8,first=o")) == [1, 2, 3, 4, 5]


def test_it_never_looks_past_the_end() -> None:
    position = papan.position("adjacency:4,4,4 x.oo/.ooo/xxxx/xx.x x")
    assert depths(position) == [1, 2, 3]


def test_it_stops_where_its_list_of_squares_ends() -> None:
    # b1 and a2 are next to marks, a1 is not: the list is used up one ply before the game is
    position = papan.position("adjacency:4,4,4 ..oo/.ooo/xxxx/xxox x")
    assert depths(position) == [1, 2]
    assert not Neighbours().analyse(position).exact


def depths(position: Position) -> list[int]:
    events: list[Event] = []
    Neighbours().analyse(position, listener=events.append)
    return [event["depth"] for event in roots(events)]


def test_the_first_of_equally_good_squares_wins() -> None:
    position = papan.position("adjacency:4,5,1 ...oo/...oo/xx.../xx... x")
    analysis = Neighbours(depth_x=1).analyse(position)
    # c1, c2, d3 and e3 turn one mark each, a2, b2, c3 and c4 none
    assert position.game.move_name(analysis.move) == "c1"
    assert analysis.value == 3


def test_the_program_s_fault_changes_the_move() -> None:
    different = [
        str(position)
        for position in some_positions(seed=2, count=100)
        if Neighbours().analyse(position).move != Neighbours(program=True).analyse(position).move
    ]
    assert len(different) > 10


def test_the_program_s_search_plays_a_square_twice() -> None:
    position = papan.position("adjacency:4,4,4 ..ox/oooo/xxxx/xxxo x")
    a1, b1 = position.moves()
    # b1 turns b2 and c1, then o takes b1 back from a1: 10 to 6
    text = Neighbours().analyse(position)
    assert (text.line, text.value) == ((b1, a1), 4)
    # The program strikes a1 off whatever x plays, so o answers b1 on b1: 8 to 7. It prefers a1,
    # which turns a2, and o takes a1 back from b1: 9 to 7.
    program = Neighbours(program=True).analyse(position)
    assert (program.line, program.value) == ((a1,), 2)


def test_squares_away_from_all_marks_are_not_tried() -> None:
    start = Adjacency().start()
    tried = Neighbours().analyse(start).values
    assert [start.game.move_name(move) for move in tried] == [
        *("f1", "f2", "g3", "h3", "a6", "b6", "c7", "c8")
    ]


def test_a_search_of_everything_to_the_end_is_exact() -> None:
    position = papan.position("adjacency:4,4,4 x.oo/.ooo/xxxx/xx.x x")
    analysis = Neighbours().analyse(position)
    assert (analysis.exact, analysis.why) == (True, "exact")
    after = position
    for move in analysis.line:
        after = after.child(move)
    assert not after.moves()
    assert analysis.value == after.scores()[0] - after.scores()[1]
    assert not Neighbours(depth_x=2).analyse(position).exact
    assert not Neighbours(program=True).analyse(position).exact


@pytest.mark.parametrize("program", [False, True])
@pytest.mark.parametrize("nodes", [1, 2, 20, 300, 4_000])
def test_a_small_limit_still_gives_a_legal_move(nodes: int, program: bool) -> None:
    start = Adjacency().start().after("a1 f2 d5")
    analysis = Neighbours(program=program).analyse(start, Limit(nodes=nodes))
    assert analysis.move in start.moves()
    assert analysis.nodes <= nodes
    assert analysis.why == "nodes"


def test_time_and_cancelling_stop_it() -> None:
    start = Adjacency().start()
    assert Neighbours().analyse(start, Limit(seconds=1e-9)).why == "time"
    assert Neighbours().analyse(start, cancelled=lambda: True).why == "cancelled"


def test_when_the_limit_strikes_the_last_finished_depth_answers() -> None:
    start = Adjacency().start().after("a1 f2 d5 e5")
    two_plies = Neighbours(depth_x=2).analyse(start)
    stopped = Neighbours().analyse(start, Limit(nodes=two_plies.nodes + 1))
    assert (stopped.line, stopped.value) == (two_plies.line, two_plies.value)


def test_its_expected_play_is_legal() -> None:
    for position in some_positions(seed=3, count=50):
        for agent in (Neighbours(), Neighbours(program=True)):
            analysis = agent.analyse(position)
            after = position
            for move in analysis.line:
                assert move in after.moves()
                after = after.child(move)


def test_what_it_tells() -> None:
    position = Adjacency(5, 5, 8).start()
    events: list[Event] = []
    analysis = Neighbours().analyse(position, listener=events.append)
    assert all(set(EVENTS[event["t"]]) <= event.keys() for event in events)
    last = roots(events)[-1]
    assert last["best"] == position.game.move_name(analysis.move)
    assert last["pruned"] > 0
    assert all(before["nodes"] < after["nodes"] for before, after in pairwise(roots(events)))
    shown = {move["m"]: (move["v"], move["k"]) for move in last["moves"]}
    assert shown == {
        position.game.move_name(move): (value.number, value.kind)
        for move, value in analysis.values.items()
    }
    assert shown[last["best"]] == (analysis.value, "estimate")


def roots(events: list[Event]) -> list[Event]:
    return [event for event in events if event["t"] == "root"]


def test_the_told_tree_hangs_together() -> None:
    events: list[Event] = []
    Neighbours().analyse(Adjacency(5, 5, 8).start(), listener=events.append)
    nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
    numbers = {node["id"] for node in nodes}
    assert len(numbers) == len(nodes)
    assert {node["up"] for node in nodes} <= numbers | {0}
    for node in nodes:
        assert node["role"] == ("min" if node["up"] == 0 else "max")
        if node["s"] == "cut":
            why = {"max": ("v>=b", node["b"]), "min": ("v<=a", node["a"])}[node["role"]]
            assert node["why"] == why[0]
            assert (node["v"] >= why[1]) if node["role"] == "max" else (node["v"] <= why[1])
    assert any(node["s"] == "cut" for node in nodes)


def test_the_same_question_gets_the_same_answer() -> None:
    position = Adjacency().start().after("a1 f2")
    assert Neighbours().analyse(position).values == Neighbours().analyse(position).values


def test_it_plays_adjacency_only() -> None:
    with pytest.raises(CannotPlayError):
        Neighbours().analyse(papan.position("tictactoe"))


def test_its_text_reads_back() -> None:
    assert papan.agent("neighbours") == Neighbours()
    assert Neighbours(4, 3, program=True).spec == "neighbours:depth_x=4,depth_o=3,program=true"
    assert papan.agent("neighbours:depth_x=4,depth_o=3,program=true") == Neighbours(4, 3, True)


@pytest.mark.parametrize("spec", ["neighbours:depth_x=0", "neighbours:depth_o=-1"])
def test_it_looks_at_least_one_ply_ahead(spec: str) -> None:
    with pytest.raises(InvalidSpecError, match=r"depth_[xo] must be .*1"):
        papan.agent(spec)


def test_m12_only_squares_beside_the_rival_are_tried_where_that_is_asked_for() -> None:
    start = papan.position("adjacency:8,8,28")
    near = papan.agent("neighbours:enemy=true").analyse(start)
    names = {start.game.move_name(move) for move in near.values}
    assert names == {"f1", "f2", "g3", "h3"}, "x begins, and its rival sits in the top right corner"
    assert near.nodes < papan.agent("neighbours").analyse(start).nodes


def test_m12_only_squares_beside_the_rival_are_tried_deeper_in_the_tree_too() -> None:
    for position in some_positions(seed=5, count=15):
        board = board_of(position)
        squares = listed(board)
        depth = min(3, position.plies_left, len(squares))
        marks = "xo" if position.turn == 0 else "ox"
        value, choice = minimax(board, squares, depth, marks, "enemy")
        analysis = Neighbours(3, 3, enemy=True).analyse(position)
        assert divmod(analysis.move, position.game.columns) == choice, str(position)
        assert (analysis.value, analysis.exact) == (value, False)
