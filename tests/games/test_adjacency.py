"""Adjacency: worked examples, the paper's matches, exact values, and an independent twin."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import papan
from papan.core import InvalidPositionError, InvalidSpecError, Position, Setup, View
from papan.core.parts import Drawing, Support
from papan.games.adjacency import Adjacency
from papan.games.adjacency.rules import AdjacencyPosition
from papan.papers.adjacency import MATCHES, Published

from .perft import perfts

DATA = json.loads((Path(__file__).parents[1] / "data" / "adjacency.json").read_text())


def at(text: str) -> AdjacencyPosition:
    position = papan.position(text)
    assert isinstance(position, AdjacencyPosition)
    return position


def names(position: Position, moves: list[int]) -> list[str]:
    return [position.game.move_name(move) for move in moves]


# the rules


def test_the_paper_s_example_turns_the_four_sides_but_not_the_diagonals() -> None:
    position = at("adjacency:4,4,4 .o../x.../xxo./xxx. o")
    assert names(position, position.flips(position.legal_move("b2"))) == ["a2", "b3"]
    assert str(position.after("b2")) == "adjacency:4,4,4 .o../oo../xoo./xxx. x"


def test_x_begins_at_the_bottom_left_and_o_at_the_top_right() -> None:
    assert str(Adjacency(4, 5, 2).start()) == "adjacency:4,5,2 ...oo/...oo/xx.../xx... x"
    assert str(Adjacency().start()).endswith(
        " ......oo/......oo/......../......../......../......../xx....../xx...... x"
    )


def test_o_may_be_the_one_to_begin() -> None:
    position = Adjacency(4, 4, 1, first="o").start()
    assert str(position) == "adjacency:4,4,1,first=o ..oo/..oo/xx../xx.. o"
    assert str(position.after("a2")) == "adjacency:4,4,1,first=o ..oo/o.oo/ox../xx.. x"


def test_a_move_at_the_edge_does_not_reach_around_it() -> None:
    position = at("adjacency:4,4,4 ...o/x.../x..o/xxxo x").after("d2")
    assert str(position) == "adjacency:4,4,4 ...x/x..x/x..x/xxxo o"
    position = at("adjacency:4,4,4 ...o/...x/o..x/xxxo o").after("a2")
    assert str(position) == "adjacency:4,4,4 ...o/o..x/o..x/xxxo x"


def test_own_marks_beside_a_move_stay() -> None:
    assert str(at("adjacency:4,4,2 ..oo/..oo/xx../xx.. x").after("c4")).endswith(
        "..oo/..oo/xx../xxx. o"
    )


def test_the_game_ends_after_two_plies_for_each_round() -> None:
    position = Adjacency(4, 4, 2).start().after("a1 b1 d4 c4")
    assert position.moves() == []
    assert position.rounds_left == 0
    assert position.scores() == (3, 9)


def test_twenty_eight_rounds_fill_the_board() -> None:
    position = Adjacency().start()
    lefts = []
    while moves := position.moves():
        lefts.append(position.rounds_left)
        position = position.child(moves[-1])
    assert lefts == [left for left in range(28, 0, -1) for _ in "xo"]
    assert sum(position.scores()) == 64
    assert "." not in position.cells()


def test_perft() -> None:
    assert perfts(Adjacency(4, 4, 2).start(), 5) == [8, 56, 336, 1_680, 0]  # two rounds are over
    assert perfts(Adjacency(4, 5, 2).start(), 4) == [12, 12 * 11, 12 * 11 * 10, 12 * 11 * 10 * 9]


class Naive:
    """The same rules on a list of lists, written without a look at papan's."""

    def __init__(self, rows: int, columns: int, rounds: int) -> None:
        self.left = 2 * rounds
        self.mark = "x"
        self.board = [["."] * columns for _ in range(rows)]
        for row in (0, 1):
            for column in (0, 1):
                self.board[rows - 1 - row][column] = "x"
                self.board[row][columns - 1 - column] = "o"

    def empty(self) -> list[tuple[int, int]]:
        if not self.left:
            return []
        return [
            (row, column)
            for row, cells in enumerate(self.board)
            for column, cell in enumerate(cells)
            if cell == "."
        ]

    def place(self, row: int, column: int) -> None:
        self.board[row][column] = self.mark
        for r in range(len(self.board)):
            for c in range(len(self.board[0])):
                if abs(r - row) + abs(c - column) == 1 and self.board[r][c] != ".":
                    self.board[r][c] = self.mark
        self.mark = "o" if self.mark == "x" else "x"
        self.left -= 1

    def text(self) -> str:
        return "/".join(map("".join, self.board)) + " " + self.mark


@pytest.mark.thorough
@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_it_agrees_with_an_independent_twin(count: int) -> None:
    rng = random.Random(1)
    compared = 0
    while compared < count:
        rows, columns = rng.randint(4, 9), rng.randint(4, 9)
        rounds = rng.randint(1, (rows * columns - 8) // 2)
        position, twin = Adjacency(rows, columns, rounds).start(), Naive(rows, columns, rounds)
        while True:
            moves, empty = position.moves(), twin.empty()
            assert [divmod(move, columns) for move in moves] == empty
            assert " ".join(position.write()) == twin.text()
            assert position.plies_left == twin.left
            marks = twin.text()[:-1]
            assert position.scores() == (marks.count("x"), marks.count("o"))
            compared += 1
            if not moves:
                break
            choice = rng.randrange(len(moves))
            before = position.cells()
            flips = position.flips(moves[choice])
            position = position.child(moves[choice])
            twin.place(*empty[choice])
            changed = [cell for cell, mark in enumerate(before) if mark != position.cells()[cell]]
            assert changed == sorted([*flips, moves[choice]])


# the paper's matches and exact values


@pytest.mark.parametrize("match", MATCHES, ids=lambda each: f"{each.x} {each.o} {each.rounds}")
def test_the_paper_s_final_boards(match: Published) -> None:
    position = at(f"adjacency:8,8,{match.rounds} {match.board} x")
    assert position.moves() == []
    assert position.rounds_left == 0
    assert position.scores() == match.scores
    # o moved last, and nothing of x can stand beside a mark just placed
    x, o = position.marks
    assert o & ~position.game.around(x)


@cache
def value(position: AdjacencyPosition, alpha: int, beta: int) -> int:
    """The final margin of the side to move: plain alpha-beta over all moves."""
    moves = position.moves()
    if not moves:
        scores = position.scores()
        return int(scores[position.turn] - scores[1 - position.turn])
    best = -64
    for move in sorted(moves, key=lambda move: -len(position.flips(move))):
        best = max(best, -value(position.child(move), -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


@pytest.mark.thorough
@pytest.mark.parametrize("rounds", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_the_first_rounds_are_a_draw_with_best_play(rounds: int) -> None:
    start = Adjacency(rounds=rounds).start()
    assert value(start, -1, 1) == 0


@pytest.mark.thorough
@pytest.mark.parametrize("known", DATA["endgames"], ids=lambda each: each["position"].split()[1])
def test_known_endgames(known: dict[str, Any]) -> None:
    position = at(known["position"])
    values = {move: -value(position.child(move), -64, 64) for move in position.moves()}
    assert max(values.values()) == known["value"]
    best = [move for move, each in values.items() if each == known["value"]]
    assert names(position, best) == known["best"]


# text


def test_an_editor_may_set_up_any_board_and_turn() -> None:
    position = at("adjacency:4,4,3 xxxx/xxxx/..../.... o")
    assert position.turn == 1
    assert position.scores() == (8, 0)
    assert position.plies_left == 6


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("adjacency:3,8,1", "4 to 15 rows and columns"),
        ("adjacency:8,3,1", "4 to 15 rows and columns"),
        ("adjacency:16,8,1", "4 to 15 rows and columns"),
        ("adjacency:8,16,1", "4 to 15 rows and columns"),
        ("adjacency:8,8,0", "room for 1 to 28 rounds"),
        ("adjacency:8,8,29", "room for 1 to 28 rounds"),
        ("adjacency:5,5,9", "room for 1 to 8 rounds"),
        ("adjacency:8,8,8,first=z", "first cannot be 'z'; write it like x | o"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(spec: str, problem: str) -> None:
    with pytest.raises(InvalidSpecError, match=problem):
        papan.game(spec)


def test_the_largest_board_works() -> None:
    assert len(Adjacency(15, 15, 108).start().after("a1 o15").moves()) == 225 - 10


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("..oo/..oo/xx../xx.. z", "'z' cannot be to move; write x or o"),
        ("..oo/..oo/xx../xx.. xo", "'xo' cannot be to move"),
        ("...o/..oo/xx../xx.. x", "has 7 marks; the game begins with 8 and ends with 10"),
        ("xx.o/..oo/xx../xxoo x", "has 11 marks; the game begins with 8 and ends with 10"),
        ("..oo/..oo/xx../xx. x", "not a board of this size"),
        ("..oo/..oo/xx../xx.z x", "not a board of this size"),
        ("..oo/..oo/xx../xx..", "is not a position"),
    ],
)
def test_boards_that_make_no_sense_are_refused(text: str, problem: str) -> None:
    with pytest.raises(InvalidPositionError, match=problem):
        Adjacency(4, 4, 1).parse(text)


# the estimate


def test_a_mark_that_nobody_can_turn_counts_more() -> None:
    position = at("adjacency:4,4,4 ..oo/...o/.x.o/xx.x x")  # only d1 has no empty cell beside it
    assert position.scores() == (4, 4)
    assert Support.of(position.game).evaluate(position, 0) == -0.5
    assert Support.of(position.game).evaluate(position, 1) == 0.5


def test_at_the_end_the_estimate_is_the_margin() -> None:
    position = Adjacency(4, 4, 2).start().after("a1 b1 d4 c4")
    assert Support.of(position.game).evaluate(position, 0) == 3 - 9


# pictures


def test_the_picture_has_coordinates() -> None:
    assert Drawing.of(Adjacency(4, 4, 1).start()).picture().splitlines() == [
        "  a b c d",
        "1 . . o o",
        "2 . . o o",
        "3 x x . .",
        "4 x x . .",
    ]


def classes(svg: str, name: str) -> list[dict[str, str]]:
    found = ElementTree.fromstring(svg).iter()
    return [element.attrib for element in found if name in element.get("class", "").split()]


def test_the_drawing_shows_the_last_move_and_what_it_turned() -> None:
    before = at("adjacency:4,4,4 .o../x.../xxo./xxx. o")
    move = before.legal_move("b2")
    svg = Drawing.of(before.child(move)).svg(View(played=((before, move),)))
    assert [each["data-cell"] for each in classes(svg, "last")] == ["b2"]
    assert len(classes(svg, "turned")) == 2
    tiles = [each["class"] for each in classes(svg, "disc")]
    assert (tiles.count("disc first"), tiles.count("disc second")) == (4, 5)


def test_the_drawing_points_out_a_move_and_what_it_would_turn() -> None:
    position = at("adjacency:4,4,4 .o../x.../xxo./xxx. o")
    move = position.legal_move("b2")
    svg = Drawing.of(position).svg(View(highlights=(move,), labels={move: "+3"}))
    assert len(classes(svg, "highlight")) == 1
    assert len(classes(svg, "turns")) == 2
    assert [element.text for element in ElementTree.fromstring(svg).iter() if element.text == "+3"]


# Y7: what else a person sees, by hand

MIDDLE = "adjacency:4,4,4 .o../x.../xxo./xxx. o"


def test_y7_only_the_last_of_the_moves_that_were_played_is_shown() -> None:
    first = at(MIDDLE)
    second = first.after("b2")
    moves = first.legal_move("b2"), second.legal_move("d1")
    view = View(played=((first, moves[0]), (second, moves[1])))
    svg = Drawing.of(second.child(moves[1])).svg(view)
    assert [each["data-cell"] for each in classes(svg, "last")] == ["d1"]
    assert (len(classes(svg, "latest")), len(classes(svg, "turned"))) == (1, 0)


def test_y7_edges_between_the_two_colours_are_the_front() -> None:
    graph = Drawing.of(at(MIDDLE)).graph("")
    front = {frozenset(edge.ends) for edge in graph.edges if edge.mark == "front"}
    assert front == {frozenset(each.split("-")) for each in ("b3-c3", "c3-c4")}
    assert graph.notes[0].values == {"edges": 2}


@pytest.mark.parametrize(("moves", "left"), [("", 2), ("a1", 2), ("a1 b1", 1), ("a1 b1 d4", 1)])
def test_y7_the_rounds_that_are_left_have_the_one_that_is_played(moves: str, left: int) -> None:
    (feature,) = Drawing.of(Adjacency(4, 4, 2).start().after(moves)).features()
    assert (feature.key, feature.values) == ("adjacency.rounds_left", {"rounds": left})


@pytest.mark.parametrize(
    ("spec", "solved"),
    [("8,8,28", True), ("4,8,2", True), ("8,9,8", False), ("9,8,8", False), ("4,15,4", False)],
)
def test_y7_boards_of_64_cells_have_a_solver(spec: str, solved: bool) -> None:
    support = Support.of(papan.game(f"adjacency:{spec}"))
    assert (support.solver() is not None) == solved == support.has_solver


def test_y7_a_slip_is_likelier_in_a_longer_game() -> None:
    rates = {
        rounds: Support.of(Adjacency(8, 8, rounds)).slip_rates for rounds in (1, 8, 9, 16, 17, 28)
    }
    assert rates[1] == rates[8] != rates[9] == rates[16] != rates[17] == rates[28]
    for shorter, longer in ((8, 9), (16, 17)):
        assert all(few < many for few, many in zip(rates[shorter], rates[longer]))


def test_y7_the_dial_of_rounds_reaches_as_far_as_the_board() -> None:
    draft = Setup.of(Adjacency(4, 5, 2)).draft(Adjacency(4, 5, 2).start())
    assert draft is not None
    (dial,) = draft.dials()
    assert (dial.name, dial.value, dial.least, dial.most) == ("rounds", 2, 1, 6)
    assert str(draft.dialled("rounds", 6)) == "adjacency:4,5,6 ...oo/...oo/xx.../xx... x"
