"""Paper 002: its breadth-first search with all faults, its best moves, and every run it shows."""

import random
from collections import deque
from itertools import permutations

import pytest

import papan
from papan.core import CannotPlayError, Event, Limit
from papan.core.thinking import EVENTS
from papan.games.onet import Onet
from papan.games.onet.links import NarrowLinks, OnetLinks
from papan.games.onet.paper import Openings
from papan.games.onet.rules import OnetPosition
from papan.papers.onet import EDGES, EXPERIMENTS, Experiment

NORMAL = EXPERIMENTS[0]  # the 6x12 board of the paper's figure 4.1

Board = list[list[int]]


def set_up(size: str, board: str, rule: str) -> OnetPosition:
    position = papan.position(f"onet:{size},rule={rule} {board}")
    assert isinstance(position, OnetPosition)
    return position


def played(position: OnetPosition) -> tuple[list[int], OnetPosition]:
    """The moves that openings makes until nothing is left to do, and where they lead."""
    moves = []
    while position.moves():
        moves.append(Openings().analyse(position).move)
        position = position.child(moves[-1])
    return moves, position


# the runs


@pytest.mark.parametrize("rule", ["paper", "onet"])
@pytest.mark.parametrize("run", [*EXPERIMENTS, *EDGES], ids=lambda run: run.name)
def test_every_run_of_the_paper_move_by_move(run: Experiment, rule: str) -> None:
    position = set_up(run.size, run.board, rule)
    moves, _ = played(position)
    expected = {"paper": run.paper, "onet": run.onet}[rule]
    assert moves == [position.game.parse_move(name) for name in expected.split()]


def test_the_paper_clears_its_board_in_36_moves() -> None:
    moves, position = played(set_up(NORMAL.size, NORMAL.board, "paper"))
    names = [position.game.move_name(move) for move in moves]
    assert len(names) == 36
    assert position.cleared
    assert names[0] == "d3e3"  # (2, 3) with (2, 4)
    assert names[-3:] == ["f5l5", "f4c5", "e5e6"]  # (4, 5)-(4, 11), (3, 5)-(4, 2), (4, 4)-(5, 4)


@pytest.mark.thorough
@pytest.mark.parametrize(("tile", "left"), [(0, 1), (7, 2), (13, 0), (15, 2)])
def test_only_the_printed_13_empties_the_board(tile: int, left: int) -> None:
    position = set_up(NORMAL.size, NORMAL.board, "paper")
    tiles = list(position.tiles)
    assert tiles[2 * 12 + 11] == 13
    tiles[2 * 12 + 11] = tile
    moves, end = played(OnetPosition(position.game, tuple(tiles)))
    assert len(moves) == 36 - (left > 0)
    assert 72 - end.scores()[0] == left
    assert (position.game.move_name(moves[0]) == "d3e3") == (tile != 15)


def test_the_top_row_is_an_edge_for_the_paper_but_the_bottom_row_is_not() -> None:
    top, bottom = "1,2,3,4,5,1/2,3,4,5,6,7", "2,3,4,5,6,7/1,2,3,4,5,1"
    assert len(set_up("2,6", top, "paper").moves()) == 1
    assert set_up("2,6", bottom, "paper").moves() == []
    assert len(set_up("2,6", bottom, "onet").moves()) == 1


# its search


def bfs(board: Board, start: tuple[int, int], end: tuple[int, int]) -> bool:  # noqa: C901
    """The paper's function of this name, line by line."""
    rows, columns = len(board), len(board[0])

    def valid(x: int, y: int) -> bool:
        return 0 <= x < rows and 0 <= y < columns

    if start[0] in (0, rows) and start[0] == end[0]:
        return True
    if start[1] in (0, columns) and start[1] == end[1]:
        return True
    queue = deque[tuple[int, int, int, int]]()
    visited = set()
    ways = ((-1, 0), (1, 0), (0, -1), (0, 1))
    for way, (dx, dy) in enumerate(ways):
        x, y = start[0] + dx, start[1] + dy
        if (x, y) == end or (valid(x, y) and board[x][y] == 0):
            queue.append((*start, 0, way))
            visited.add((*start, way))
    while queue:
        x, y, turns, heading = queue.popleft()
        if (x, y) == end:
            return True
        for way, (dx, dy) in enumerate(ways):
            there = (x + dx, y + dy)
            turned = turns + (way != heading)
            if not valid(*there) or turned > 2 or (*there, way) in visited:
                continue
            if there == end or board[there[0]][there[1]] == 0:
                queue.append((*there, turned, way))
                visited.add((*there, way))
    return False


def boards(seed: int, count: int) -> list[Board]:
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        rows, columns, full = rng.randint(1, 6), rng.randint(2, 7), rng.random()
        found.append(
            [
                [rng.randint(1, 4) * (rng.random() < full) for _ in range(columns)]
                for _ in range(rows)
            ]
        )
    return found


def as_position(board: Board, rule: str) -> OnetPosition:
    text = "/".join(",".join(map(str, row)) for row in board)
    return set_up(f"{len(board)},{len(board[0])}", text, rule)


def test_one_search_for_all_tiles_finds_what_the_paper_s_searches_find_one_by_one() -> None:
    compared = 0
    for board in boards(seed=1, count=400):
        columns = len(board[0])
        position = as_position(board, "paper")
        links = NarrowLinks(position.game.grid, position.tiles)
        tiles = [cell for cell, tile in enumerate(position.tiles) if tile]
        for first, second in permutations(tiles, 2):
            expected = bfs(board, divmod(first, columns), divmod(second, columns))
            assert links.joins(first, second) == expected, str(position)
            compared += 1
    assert compared > 20_000


def test_the_paper_never_invents_a_link_but_misses_some() -> None:
    both = one = links = 0
    for board in boards(seed=2, count=400):
        position = as_position(board, "paper")
        narrow = NarrowLinks(position.game.grid, position.tiles)
        right = OnetLinks(position.game.grid, position.tiles)
        tiles = [cell for cell, tile in enumerate(position.tiles) if tile]
        for first, second in permutations(tiles, 2):
            if narrow.joins(first, second):
                assert right.joins(first, second), str(position)
            if first < second and right.joins(first, second):
                found = narrow.joins(first, second) + narrow.joins(second, first)
                links += 1
                both += found == 0
                one += found == 1
    assert 0 < one < both < links / 2


def test_a_pair_linked_in_one_order_only_is_a_legal_move() -> None:
    #   . . .    From a2 the search sets out upwards first, so that going right to b2 costs it a
    #   1 . 2    turn; down to b3 and right to c3 are then two more. From c3 it can only go left,
    #   3 . 1    and two turns lead it to a2.
    position = set_up("3,3", "0,0,0/1,0,2/3,0,1", "paper")
    links = NarrowLinks(position.game.grid, position.tiles)
    a2, c3 = 3, 8
    assert (links.joins(a2, c3), links.joins(c3, a2)) == (False, True)
    assert [position.game.move_name(move) for move in position.moves()] == ["a2c3"]


# its best move


def best_move(board: Board) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The paper's findBestMove with evaluateMove, as it stands there."""
    cells = [(x, y) for x in range(len(board)) for y in range(len(board[0]))]

    def connected() -> list[tuple[tuple[int, int], tuple[int, int]]]:
        return [
            ((i, j), (x, y))
            for i, j in cells
            if board[i][j]
            for x, y in cells
            if board[x][y] == board[i][j] and (i, j) != (x, y) and bfs(board, (i, j), (x, y))
        ]

    best, most = None, -1
    for (i, j), (x, y) in connected():
        saved = board[i][j]
        board[i][j] = board[x][y] = 0
        openings = len(connected())
        board[i][j] = board[x][y] = saved
        if openings > most:
            best, most = ((i, j), (x, y)), openings
    return best


@pytest.mark.thorough
def test_it_makes_the_paper_s_best_move_on_random_boards() -> None:
    for board in boards(seed=4, count=50):
        position = as_position(board, "paper")
        expected = best_move(board)
        if expected is None:
            assert not position.moves()
        else:
            cells = [x * len(board[0]) + y for x, y in expected]
            assert Openings().analyse(position).move == position.game.pair(*cells), str(position)


@pytest.mark.parametrize("gravity", ["none", "down", "left"])
def test_by_the_rules_of_onet_it_counts_the_pairs_left_open_twice(gravity: str) -> None:
    position = papan.position(f"onet:4,6,6,gravity={gravity}")
    while position.moves():
        analysis = Openings().analyse(position)
        counts = {move: 2 * len(position.child(move).moves()) for move in position.moves()}
        assert {move: value.number for move, value in analysis.values.items()} == counts
        first_best = next(move for move in counts if counts[move] == max(counts.values()))
        assert analysis.move == first_best
        position = position.child(analysis.move)


# an agent among agents


@pytest.mark.parametrize("rule", ["onet", "paper"])
@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_a_small_limit_gives_the_best_pair_so_far(nodes: int, rule: str) -> None:
    position = papan.position(f"onet:6,12,rule={rule}")
    analysis = Openings().analyse(position, Limit(nodes=nodes))
    assert (analysis.nodes, analysis.why) == (nodes, "nodes")
    assert len(analysis.values) == nodes
    assert analysis.values[analysis.move].number == max(
        value.number for value in analysis.values.values()
    )


def test_no_time_at_all_still_gives_a_legal_pair() -> None:
    position = Onet(10, 16).start()  # with more pairs than are always looked at
    for analysis in (
        Openings().analyse(position, Limit(seconds=1e-9)),
        Openings().analyse(position, cancelled=lambda: True),
    ):
        assert analysis.move in position.moves()
        assert analysis.why in ("time", "cancelled")


@pytest.mark.parametrize("rule", ["onet", "paper"])
def test_what_it_tells(rule: str) -> None:
    position = set_up("3,4", "1,2,1,3/4,0,0,5/2,4,3,5", rule)
    events: list[Event] = []
    analysis = Openings().analyse(position, listener=events.append)
    assert [event["t"] for event in events] == ["start", "root", "path", "done"]
    assert all(set(EVENTS[event["t"]]) <= event.keys() for event in events)
    _, root, path, _ = events
    assert root["best"] == position.game.move_name(analysis.move)
    assert {move["m"] for move in root["moves"]} == {
        position.game.move_name(move) for move in position.moves()
    }
    assert tuple(map(tuple, path["cells"])) == position.path(analysis.move)
    assert path["turns"] == len(path["cells"]) - 2
    assert path["visited"] == sum(map(len, path["frontier"]))


def test_a_line_found_from_the_second_tile_is_told_from_there() -> None:
    events: list[Event] = []
    position = set_up("3,3", "0,0,0/1,0,2/3,0,1", "paper")
    Openings().analyse(position, listener=events.append)
    (path,) = (event for event in events if event["t"] == "path")
    assert path["cells"] == [[2, 2], [2, 1], [1, 1], [1, 0]]
    assert path["frontier"][0] == [(2, 1)]


def test_the_frontier_shows_what_each_turn_opens() -> None:
    #   1 2 3
    #   4 1 5    seen from b2, the 1 in the middle
    #   . . 6
    position = set_up("3,3", "1,2,3/4,1,5/0,0,6", "paper")
    links = NarrowLinks(position.game.grid, position.tiles)
    assert links.spread(4) == {(2, 1): 0, (2, 0): 1}
    right = OnetLinks(position.game.grid, position.tiles).spread(4)
    assert {point for point, turns in right.items() if turns == 0} == {(2, 1), (3, 1)}
    assert {point for point, turns in right.items() if turns == 1} == {
        *((2, 0), (2, -1), (3, -1), (3, 0), (3, 2), (3, 3))
    }
    assert right[-1, 3] == 2
    assert (-1, 1) not in right


def test_it_plays_onet_only() -> None:
    assert papan.agent("openings") == Openings()
    with pytest.raises(CannotPlayError):
        Openings().analyse(papan.position("tictactoe"))
