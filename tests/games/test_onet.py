"""Onet: worked examples, an independent search for links, boards that can and cannot be cleared."""

import json
import random
from collections import deque
from itertools import combinations, pairwise
from pathlib import Path
from typing import Literal, get_args

import pytest

import papan
from papan.core import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidSpecError,
    Position,
    Setup,
)
from papan.core.message import LANGUAGES, text_of
from papan.core.parts import Coach, Drawing, Support
from papan.games.onet import Onet
from papan.games.onet.links import OnetLinks
from papan.games.onet.rules import Gravity, OnetPosition
from papan.games.onet.setup import pieces

from .perft import perfts

DATA = json.loads((Path(__file__).parents[1] / "data" / "onet.json").read_text())

Rule = Literal["onet", "paper"]

PERFTS: dict[Gravity, list[int]] = {
    "none": [5, 26, 119, 333],
    "down": [5, 25, 106, 306],
    "left": [5, 25, 96, 181],
    "up": [5, 27, 123, 335],
    "right": [5, 26, 119, 318],
    "sides": [5, 25, 116, 372],
    "centre": [5, 26, 115, 277],
    "poles": [5, 29, 160, 593],
    "equator": [5, 25, 112, 274],
}
"""How many lines of play a small board has; counted by a program of its own."""


def on(picture: str, gravity: Gravity = "none", rule: Rule = "onet") -> OnetPosition:
    """The position that a picture of numbers and dots shows."""
    rows = [line.split() for line in picture.strip().splitlines()]
    game = Onet(len(rows), len(rows[0]), gravity=gravity, rule=rule)
    return game.read(["/".join(",".join(row) for row in rows).replace(".", "0")])


def moves(position: Position) -> list[str]:
    return [position.game.move_name(move) for move in position.moves()]


def path(position: OnetPosition, name: str) -> tuple[tuple[int, int], ...]:
    return position.path(position.legal_move(name))


# links


def test_neighbours_are_linked() -> None:
    position = on("""
        2 1 1 3
        4 5 6 7
    """)
    assert moves(position) == ["b1c1"]
    assert path(position, "b1c1") == ((0, 1), (0, 2))


def test_a_straight_line_links_over_empty_cells() -> None:
    position = on("""
        2 3 4 5
        1 . . 1
        6 7 8 9
    """)
    assert moves(position) == ["a2d2"]
    assert path(position, "a2d2") == ((1, 0), (1, 3))


def test_a_line_may_turn_once() -> None:
    position = on("""
        1 . .
        2 3 .
        4 5 1
    """)
    assert moves(position) == ["a1c3"]
    assert path(position, "a1c3") == ((0, 0), (0, 2), (2, 2))


def test_a_line_may_turn_twice() -> None:
    position = on("""
        2 3 4 5
        6 1 7 1
        8 . . .
        9 9 9 9
    """)
    assert path(position, "b2d2") == ((1, 1), (2, 1), (2, 3), (1, 3))


def test_a_line_may_not_turn_three_times() -> None:
    position = on("""
        2 3 4 5 6
        7 1 8 . 1
        9 . 10 . 11
        12 . . . 13
        14 15 16 17 18
    """)
    assert moves(position) == []
    one, other = (cell for cell, tile in enumerate(position.tiles) if tile == 1)
    assert position.why_not(one, other) == "onet.too_many_turns"


@pytest.mark.parametrize(
    ("picture", "name", "corners"),
    [
        ("1 2 1\n3 4 5", "a1c1", ((0, 0), (-1, 0), (-1, 2), (0, 2))),
        ("3 4 5\n1 2 1", "a2c2", ((1, 0), (2, 0), (2, 2), (1, 2))),
        ("1 3\n2 4\n1 5", "a1a3", ((0, 0), (0, -1), (2, -1), (2, 0))),
        ("3 1\n4 2\n5 1", "b1b3", ((0, 1), (0, 2), (2, 2), (2, 1))),
    ],
    ids=["above", "below", "left", "right"],
)
def test_a_line_may_run_outside_on_each_side(
    picture: str, name: str, corners: tuple[tuple[int, int], ...]
) -> None:
    position = on(picture)
    assert moves(position) == [name]
    assert path(position, name) == corners


def test_a_line_does_not_run_around_two_corners_outside() -> None:
    # the paper's "different edges": the two 1s would need a way around the board
    position = on("""
        6 1 2 3 4 5
        2 3 4 5 6 7
        3 1 6 7 8 9
    """)
    assert moves(position) == []
    assert position.why_not(1, 13) == "onet.too_many_turns"


def test_the_shortest_of_the_lines_with_fewest_turns_is_shown() -> None:
    position = on("""
        2 3 4 5 6
        7 . . . 8
        9 . . . 2
        3 1 4 1 5
        6 7 8 9 2
    """)
    assert path(position, "b4d4") == ((3, 1), (2, 1), (2, 3), (3, 3))


def test_a_tile_shut_in_by_others_is_blocked() -> None:
    position = on("""
        2 3 4
        5 1 6
        7 8 1
    """)
    assert moves(position) == []
    assert position.why_not(4, 8) == "onet.blocked"


def test_removing_a_pair_opens_the_way() -> None:
    position = on("""
        2 3 2
        5 1 3
        7 8 1
    """)
    assert moves(position) == ["a1c1"]
    assert moves(position.after("a1c1")) == ["b1c2"]
    assert moves(position.after("a1c1 b1c2")) == ["b2c3"]


def brute_force(position: OnetPosition, start: int) -> set[int]:
    """The tiles found by breadth-first search over cells, directions and turns, step by step."""
    rows, columns = position.game.rows, position.game.columns
    queue = deque((*divmod(start, columns), way, 0) for way in range(4))
    seen, found = set(queue), set()
    while queue:
        row, column, way, turns = queue.popleft()
        row += (-1, 1, 0, 0)[way]
        column += (0, 0, -1, 1)[way]
        inside = 0 <= row < rows and 0 <= column < columns
        if inside and position.tiles[row * columns + column]:
            found.add(row * columns + column)
        elif -1 <= row <= rows and -1 <= column <= columns:
            for turn in range(4):
                state = (row, column, turn, turns + (turn != way))
                if state[3] <= 2 and state not in seen:
                    seen.add(state)
                    queue.append(state)
    return found - {start}


def random_boards(seed: int, count: int) -> list[OnetPosition]:
    """Boards of many sizes, from nearly empty to full."""
    rng = random.Random(seed)
    boards = []
    for _ in range(count):
        rows, columns = rng.randint(1, 7), rng.randint(2, 8)
        full, kinds = rng.random(), rng.randint(1, 6)
        tiles = [rng.randint(1, kinds) * (rng.random() < full) for _ in range(rows * columns)]
        boards.append(OnetPosition(Onet(rows, columns), tuple(tiles)))
    return boards


@pytest.mark.thorough
@pytest.mark.parametrize("count", [500, pytest.param(4_000, marks=pytest.mark.slow)])
def test_links_agree_with_an_independent_search(count: int) -> None:
    links = 0
    for position in random_boards(seed=1, count=count):
        tiles = position.tiles
        found = {position.game.cells(move) for move in position.moves()}
        expected = {
            (first, second)
            for first, tile in enumerate(tiles)
            if tile
            for second in brute_force(position, first)
            if first < second and tiles[second] == tile
        }
        assert found == expected, str(position)
        links += len(found)
    assert links > 10 * count


def waves(position: OnetPosition, start: int) -> dict[tuple[int, int], int]:
    """The fewest turns to each empty cell, wave by wave of straight runs, cell by cell."""
    rows, columns = position.game.rows, position.game.columns
    turns: dict[tuple[int, int], int] = {}
    wave = {divmod(start, columns)}
    for turn in range(3):
        reached = set()
        for from_row, from_column in wave:
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                row, column = from_row + down, from_column + right
                while -1 <= row <= rows and -1 <= column <= columns:
                    inside = 0 <= row < rows and 0 <= column < columns
                    if inside and position.tiles[row * columns + column]:
                        break
                    reached.add((row, column))
                    row, column = row + down, column + right
        wave = reached - turns.keys()
        turns |= dict.fromkeys(wave, turn)
    return turns


def test_lines_spread_as_far_as_waves_of_straight_runs() -> None:
    for position in random_boards(seed=2, count=60):
        links = OnetLinks(position.game.grid, position.tiles)
        for cell in [cell for cell, tile in enumerate(position.tiles) if tile][:6]:
            assert links.spread(cell) == waves(position, cell), str(position)


def test_a_pair_can_go_exactly_when_nothing_speaks_against_it() -> None:
    for position in random_boards(seed=3, count=50):
        legal = {position.game.cells(move) for move in position.moves()}
        pairs = combinations(range(len(position.tiles)), 2)
        assert {pair for pair in pairs if position.why_not(*pair) is None} == legal


def test_paths_lead_over_empty_cells_from_tile_to_tile_with_two_turns_at_most() -> None:
    outside = 0
    for position in random_boards(seed=2, count=300):
        rows, columns, tiles = position.game.rows, position.game.columns, position.tiles
        for move in position.moves():
            line = position.path(move)
            assert len(line) <= 4
            assert (line[0], line[-1]) == tuple(
                divmod(cell, columns) for cell in position.game.cells(move)
            )
            steps = list(walk(line))
            assert len(set(steps)) == len(steps)
            for row, column in steps[1:-1]:
                assert -1 <= row <= rows and -1 <= column <= columns
                inside = 0 <= row < rows and 0 <= column < columns
                assert not (inside and tiles[row * columns + column])
                outside += not inside
            for before, here, after in zip(line, line[1:], line[2:]):  # corners are real turns
                assert (before[0] == here[0]) != (here[0] == after[0])
    assert outside > 1_000


def walk(line: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Every cell of a line, from corner to corner."""
    steps = [line[0]]
    for (row, column), (next_row, next_column) in pairwise(line):
        assert (row == next_row) != (column == next_column)
        while (row, column) != (next_row, next_column):
            row += (next_row > row) - (next_row < row)
            column += (next_column > column) - (next_column < column)
            steps.append((row, column))
    return steps


def test_perft() -> None:
    # any two of four tiles in a row are linked, then the other two
    assert perfts(on("1 1 1 1"), 3) == [6, 6, 0]
    # not those across from each other; when a side is gone the other side is left
    assert perfts(on("1 1\n1 1"), 3) == [4, 4, 0]
    # without the 1s any two 2s are linked (6); without two 2s, the other 2s or the 1s (4 times 2)
    assert perfts(on("2 1 2\n2 1 2"), 4) == [5, 6 + 4 * 2, 14, 0]


def test_two_tiles_across_a_square_need_three_turns() -> None:
    assert moves(on("1 2\n2 1")) == []


# play


def test_the_score_counts_empty_cells_and_the_goal_is_an_empty_board() -> None:
    position = on("1 1 2 2")
    assert (position.scores(), position.cleared) == ((0,), False)
    position = position.after("a1b1")
    assert (position.scores(), position.cleared) == ((2,), False)
    position = position.after("c1d1")
    assert (position.scores(), position.cleared) == ((4,), True)
    assert position.moves() == []


def test_a_move_names_its_tiles_in_either_order() -> None:
    game = Onet(2, 30)
    assert game.parse_move("b1a2") == game.parse_move("a2b1")
    assert game.move_name(game.parse_move("ad2a1")) == "a1ad2"
    for text in ("a1", "a1b", "a1b1c1", "a3b1", "ae1a1", "zz"):
        with pytest.raises(InvalidMoveError, match=f"'{text}' is not a move here"):
            game.parse_move(text)


def test_tiles_fall_down() -> None:
    position = on(
        """
        3 4 5
        1 6 2
        7 8 2
        1 9 10
        """,
        gravity="down",
    )
    assert Drawing.of(position.after("a2a4")).picture().splitlines() == [
        "   a  b  c",
        "1  .  4  5",
        "2  .  6  2",
        "3  3  8  2",
        "4  7  9 10",
    ]


def test_tiles_move_left() -> None:
    position = on(
        """
        3 1 4 1
        2 2 5 6
        """,
        gravity="left",
    )
    assert str(position.after("b1d1")).endswith(" 3,4,0,0/2,2,5,6")
    assert str(position.after("b1d1 a2b2")).endswith(" 3,4,0,0/5,6,0,0")


@pytest.mark.parametrize(
    ("gravity", "fallen"),
    [
        ("down", "0,0,0,0,0/1,2,0,4,5/6,8,3,7,9"),
        ("up", "1,2,3,4,5/6,8,0,7,9/0,0,0,0,0"),
        ("left", "1,2,3,4,0/5,0,0,0,0/6,8,7,9,0"),
        ("right", "0,1,2,3,4/0,0,0,0,5/0,6,8,7,9"),
        ("sides", "1,2,0,3,4/0,0,0,0,5/6,8,0,7,9"),
        ("centre", "1,2,3,4,0/0,0,5,0,0/6,8,7,9,0"),
        ("poles", "1,2,3,4,0/0,0,0,0,5/6,8,0,7,9"),
        ("equator", "1,2,3,4,0/6,8,0,7,5/0,0,0,0,9"),
    ],
)
def test_tiles_fall_in_every_direction(gravity: Gravity, fallen: str) -> None:
    position = on("1 2 3 4 . / . . . . 5 / 6 8 . 7 9".replace("/", "\n"), gravity)
    assert (
        position.game.grid.board(
            [str(tile) for tile in position.game.fallen(position.tiles)], between=","
        )
        == fallen
    )


@pytest.mark.parametrize("gravity", get_args(Gravity))
def test_what_has_fallen_stays_and_nothing_is_lost(gravity: Gravity) -> None:
    for position in random_boards(seed=4, count=100):
        game = Onet(position.game.rows, position.game.columns, gravity=gravity)
        fallen = game.fallen(position.tiles)
        assert game.fallen(fallen) == fallen
        assert sorted(fallen) == sorted(position.tiles)


def test_perft_with_gravity() -> None:
    # counted once by an independent program that moves tiles one cell at a time
    for gravity, expected in PERFTS.items():
        assert perfts(on("1 2 3 1\n3 1 2 2\n1 3 3 2", gravity), 4) == expected


def test_boards_whose_tiles_fall_are_not_the_same_in_a_mirror() -> None:
    one, other = "1 1 2", "2 1 1"
    assert on(one).image() == on(other).image()
    for gravity in ("left", "down"):
        assert on(one, gravity).image() != on(other, gravity).image()
        assert on("5 5 3", gravity).image() == on(one, gravity).image(), "kinds have no order"


def test_without_gravity_tiles_stay() -> None:
    assert str(on("3 1\n1 2\n1 4").after("a2a3")) == "onet:3,2 3,1/0,2/0,4"


# why not


@pytest.mark.parametrize(
    ("first", "second", "key"),
    [
        ("a1", "a1", "onet.same_tile"),
        ("a1", "b1", "onet.empty_cell"),
        ("b1", "a1", "onet.empty_cell"),
        ("a1", "c1", "onet.different_tiles"),
        ("a1", "c3", None),
    ],
)
def test_it_says_why_two_tiles_cannot_go(first: str, second: str, key: str | None) -> None:
    position = on("""
        1 . 2
        3 . 4
        5 . 1
    """)
    cells = position.game.grid.parse(first + second, count=2)
    assert position.why_not(*cells) == key
    if key is not None:
        error = Coach.of(position).why_illegal(position.game.pair(*cells))
        assert isinstance(error, IllegalMoveError)
        assert [error.text(language) for language in LANGUAGES] == [
            text_of(key, language) for language in LANGUAGES
        ]
        assert str(error) != key


def test_the_paper_s_rule_has_a_reason_of_its_own() -> None:
    below = "3 4 5\n1 2 1"
    assert on(below).why_not(3, 5) is None
    assert on(below, rule="paper").why_not(3, 5) == "onet.narrow_rule"


# text


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("onet:0,5", "at least 2 cells, and up to 16 rows and 30 columns"),
        ("onet:5,0", "at least 2 cells"),
        ("onet:1,1", "at least 2 cells"),
        ("onet:17,5", "up to 16 rows and 30 columns"),
        ("onet:5,31", "up to 16 rows and 30 columns"),
        ("onet:6,12,0", "1 to 999 kinds"),
        ("onet:6,12,1000", "1 to 999 kinds"),
        ("onet:6,12,rule=chess", "rule cannot be 'chess'; write it like onet | paper"),
        ("onet:6,12,gravity=out", "gravity cannot be 'out'; write it like none | down | up | left"),
    ],
)
def test_sizes_and_options_that_do_not_fit_are_refused(spec: str, problem: str) -> None:
    with pytest.raises(InvalidSpecError) as caught:
        papan.game(spec)
    assert problem in str(caught.value)


def test_the_largest_and_the_smallest_boards_are_boards() -> None:
    specs = [Onet(*size).spec for size in ((16, 30), (1, 2), (2, 1), (6, 12, 999), (6, 12, 1))]
    assert specs == [
        "onet:16,30",
        "onet:1,2",
        "onet:2,1",
        "onet:6,12,kinds=999",
        "onet:6,12,kinds=1",
    ]
    assert Onet(2, 3).read(["0,1,999/0,0,0"]).tiles[:3] == (0, 1, 999)


@pytest.mark.parametrize(
    "board", ["1,2/3", "1,2", "1,2/3,4/5,6", "1,2/3,x", "1,2/3,-4", "1,2/3,1000", "1,2/3,", "12/34"]
)
def test_boards_that_make_no_sense_are_refused(board: str) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        Onet(2, 2).parse(board)
    assert str(caught.value) == (
        f"'{board}' is not a board of this size; write it like '1,1/1,1', "
        "with a number from 0 (empty) to 999 for each cell."
    )


def test_a_board_may_have_odd_tiles_and_holes() -> None:
    text = "onet:2,3 0,1,999/7,7,7"
    assert str(papan.position(text)) == text


# the estimate


def test_the_estimate_prefers_open_boards_and_gives_nothing_for_stuck_ones() -> None:
    def estimate(picture: str) -> float:
        position = on(picture)
        return Support.of(position.game).evaluate(position, 0)

    assert estimate("1 2\n2 1") == 0
    assert estimate("1 1 2\n2 3 3") == pytest.approx(2 / 12)
    assert estimate(". . 1 1") == pytest.approx(2 + 1 / 11)
    assert 0 < estimate("1 2 2\n2 1 2") < estimate("1 2 2\n1 1 2") < 1
    assert estimate(". .\n. .") == 4


# Y7: what else a person sees, by hand


@pytest.mark.parametrize(
    ("board", "tiles", "pairs"),
    [("onet:2,4 1,1,2,0/2,3,3,0", 6, 2), ("onet:2,2 1,2/2,1", 4, 0), ("onet:1,4 0,0,1,1", 2, 1)],
)
def test_y7_a_board_says_how_many_tiles_and_pairs_are_left(
    board: str, tiles: int, pairs: int
) -> None:
    (feature,) = Drawing.of(papan.position(board)).features()
    assert feature.values == {"tiles": tiles, "pairs": pairs}


def test_y7_the_graph_of_links_has_an_edge_for_each_pair_with_its_turns() -> None:
    links = Drawing.of(papan.position("onet:2,4 1,0,2,4/3,1,3,4")).graphs()[0]
    assert len(links.vertices) == 7
    edges = {"".join(edge.ends): edge.data["turns"] for edge in links.edges}
    assert edges == {"a1b2": 1, "a2c2": 2, "d1d2": 0}
    assert links.notes[0].values == {"kinds": 4, "links": 3}


@pytest.mark.parametrize("spec", ["onet:4,6,kinds=8", "onet:4,6,kinds=8,gravity=down"])
def test_y7_the_second_hint_has_all_pairs_of_the_kind(spec: str) -> None:
    for seed in range(1, 6):
        position = papan.position(f"{spec},seed={seed}")
        assert isinstance(position, OnetPosition)
        for move in position.moves():
            kinds = {each: position.tiles[each // 24] for each in position.moves()}
            alike = [each for each in kinds if kinds[each] == kinds[move]]
            area = {position.game.parse_move(name) for name in Coach.of(position).area(move)}
            assert area >= {*alike} and move in area
            assert len(area - {*alike}) == (0 if len(alike) > 1 else min(2, len(kinds) - 1))


@pytest.mark.parametrize(
    ("rows", "spec"),
    [
        ((("1", "2"), ("2", "1")), "onet:2,2 1,2/2,1"),
        ((("2", "3"), ("1", "2", "0"), ("2", "1", "0")), "onet:2,3 1,2,0/2,1,0"),
        ((("1", "1", "2", "2"),), "onet:1,4 1,1,2,2"),
    ],
)
def test_y7_rows_of_numbers_are_a_board_of_their_size(
    rows: tuple[tuple[str, ...], ...], spec: str
) -> None:
    found = Setup.of(papan.game("onet")).read_rows(rows)
    assert str(found) == spec


def test_y7_a_seed_deals_only_where_the_game_has_none() -> None:
    setup = Setup.of(papan.game("onet:4,6"))
    assert setup.deal(7).spec.endswith("seed=7")
    fixed = papan.game("onet:4,6,seed=3")
    assert Setup.of(fixed).deal(7) == fixed
    position = papan.position("onet:4,6,seed=3")
    mixed = [Setup.of(fixed).shuffled(position, seed) for seed in (1, 1, 2)]
    assert mixed[0] == mixed[1] != mixed[2]
    assert sorted(mixed[0].tiles) == sorted(position.tiles)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("size", "nodes"),
    [((2, 2), 1_000_000), ((10, 10), 1_000_000), ((9, 16), 482_253), ((16, 30), 43_402)],
)
def test_a_second_has_fewer_nodes_where_there_are_many_pairs_of_cells(
    size: tuple[int, int], nodes: int
) -> None:
    assert Support.of(Onet(*size)).nodes_a_second == nodes


def test_nearly_any_play_clears_a_board_so_levels_are_careless_often() -> None:
    rates = Support.of(Onet()).slip_rates
    assert rates == (0.833625, 0.578125, 0.341497, 0.142625)


@pytest.mark.parametrize(("rule", "gravity"), [("paper", "none"), ("onet", "up")])
def test_only_the_usual_rules_are_compiled(rule: Rule, gravity: Gravity) -> None:
    for options, compiled in (((rule, gravity), False), (("onet", "none"), True)):
        game = Onet(2, 4, 4, 1, *options)
        assert (Support.of(game).native(game.start()) is not None) == compiled


@pytest.mark.parametrize(
    ("rows", "error", "key"),
    [
        ((("1", "2"), ("2",)), InvalidPositionError, "onet.bad_board"),
        ((("1", "x"),), InvalidPositionError, "onet.bad_board"),
        ((("7",),), InvalidSpecError, "onet.bad_size"),
        (((*"1" * 31,),), InvalidSpecError, "onet.bad_size"),
        ((("3", "2"), ("1", "1", "0"), ("2", "2", "0")), InvalidPositionError, "onet.bad_board"),
    ],
)
def test_rows_that_are_no_board_are_refused(
    rows: tuple[tuple[str, ...], ...], error: type[InvalidSpecError], key: str
) -> None:
    with pytest.raises(error) as refused:
        Setup.of(Onet()).read_rows(rows)
    assert refused.value.key == key


def test_rows_must_fit_a_game_whose_size_or_option_was_given() -> None:
    rows = (("1", "2"), ("1", "2"))
    falling = Setup.of(Onet(gravity="down")).read_rows
    with pytest.raises(InvalidPositionError):
        falling(rows)
    sized = Setup.of(Onet(2, 2, gravity="down")).read_rows(rows)
    assert str(sized) == "onet:2,2,gravity=down 1,2/1,2"


def test_a_board_is_set_up_with_its_kinds_and_those_of_the_game() -> None:
    position = Onet(1, 4, kinds=3).read(["1,1,9,9"])
    assert [each.content for each in pieces(position)] == [".", "1", "2", "3", "9"]
