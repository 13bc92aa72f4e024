"""What solvers and searches promise, whatever the limit: no claim is ever false.

For every game of the catalogue positions small enough to know everything by definition are analysed
under many limits, and each claim is held against the truth: what is proved of the position and of
each move, the best moves, the line, the distance, why it stopped, and all that is told on the way.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from math import inf, isinf
from typing import Any

import pytest

import papan
from papan.catalog import GAMES
from papan.core import Agent, Analysis, Event, Guess, Limit, Move, Position, Proved, Thinking, Value
from papan.core.analysis import value_from_event
from papan.core.limit import UNLIMITED
from papan.core.parts import Support
from papan.games.adjacency import Adjacency
from papan.games.adjacency.rules import AdjacencyPosition
from papan.games.dots.chains import taking
from papan.games.dots.rules import DotsPosition
from papan.games.onet.rules import Onet
from papan.games.tictactoe.rules import TicTacToePosition
from papan.games.tictactoe.solver import EngineSolution
from tests.agents.definition import outcome, random_positions

pytestmark = pytest.mark.thorough


GRAVITIES = ("down", "up", "left", "right", "sides", "centre", "poles", "equator")
BOARDS: dict[str, dict[str, tuple[int, int]]] = {
    "tictactoe": {
        "tictactoe": (0, 7),
        "tictactoe:3,4,3": (3, 9),
        "tictactoe:4,3,3": (3, 9),
        "tictactoe:4,4,4": (8, 13),
        "tictactoe:2,6,3": (3, 9),
    },
    "connect4": {"connect4:4,4": (5, 13), "connect4:4,5": (9, 17), "connect4:5,4": (9, 17)},
    "dots": {"dots:1,3": (0, 8), "dots:2,2": (2, 10), "dots:2,3": (7, 14), "dots:3,3": (14, 21)},
    "adjacency": {
        "adjacency:4,4,4": (1, 7),
        "adjacency:4,4,2": (0, 3),
        "adjacency:4,5,2": (0, 3),
        "adjacency:5,5,1": (0, 1),
        "adjacency:5,5,8": (11, 15),
    },
    "onet": {
        "onet:2,4": (0, 3),
        "onet:3,4": (1, 4),
        **{f"onet:3,4,gravity={way}": (1, 4) for way in GRAVITIES},
        "onet:3,4,rule=paper": (1, 4),
    },
}
"""Boards of each game, and after how many plies of random play all of them can be known."""
PER_BOARD = {"connect4": 5, "tictactoe": 2}
"""How many positions to look at where that is cheap."""
SEARCHES = ("alphabeta", "alphabeta:table=false", "minimax", "mcts:iterations=300", "level:5")
MOST = 50
"""More than any margin on boards of this size."""
REASONS = {"exact", "depth", "time", "nodes", "cancelled", "done"}
OFTEN = pytest.mark.parametrize("often", [1, pytest.param(48, marks=pytest.mark.slow)])
"""How thoroughly to look: in every run of the tests, and far more so with ``-m slow``."""


def after(position: Position, move: Move) -> tuple[float, int]:
    """What a move comes to for who makes it, and the plies to the end, this one included."""
    child = position.child(move)
    value, plies = outcome(child)
    return value if child.turn == position.turn else -value, plies + 1


@cache
def truth(position: Position) -> dict[Move, float]:
    return {move: after(position, move)[0] for move in position.moves()}


def positions(name: str, often: int) -> Iterator[Position]:
    """Positions of a game, and those that are made to tempt its solver."""
    for spec, plies in BOARDS[name].items():
        yield from random_positions(papan.game(spec), PER_BOARD.get(name, 2) * often, plies)
    yield from TEMPTING[name](2 * often) if name in TEMPTING else ()


def double_crosses(count: int) -> Iterator[Position]:
    """Dots and Boxes: boxes to take where it may be better to leave the last ones to the rival."""
    for spec, plies in {"dots:2,3": (5, 9), "dots:2,4": (10, 12), "dots:3,3": (12, 14)}.items():
        tempting = (
            position
            for position in random_positions(papan.game(spec), 300, plies)
            if isinstance(position, DotsPosition) and taking(position.game, position.drawn).loss
        )
        yield from islice(tempting, count)


def symmetric_boards(count: int) -> Iterator[Position]:
    """Adjacency: boards that look the same turned around, or whose empty cells do.

    A rival who answers each move at the opposite cell holds the score there, but only sometimes.
    """
    rng = random.Random(7)
    sizes = ((4, 4, 3, 2), (4, 5, 5, 4), (5, 5, 5, 2), (4, 4, 4, 6))
    for number in range(8 * count):
        rows, columns, rounds, plies = sizes[number % len(sizes)]
        game = Adjacency(rows, columns, rounds)
        size, taken = game.grid.size, 8 + 2 * rounds - plies
        pairs = [(cell, size - 1 - cell) for cell in range(size // 2)]
        rng.shuffle(pairs)
        marks = [0, 0]
        for cell, opposite in pairs[: taken // 2]:
            seat = rng.randrange(2)
            marks[seat] |= game.bits[cell]
            marks[(seat, 1 - seat, rng.randrange(2))[number % 3]] |= game.bits[opposite]
        yield AdjacencyPosition(game, (marks[0], marks[1]), (taken - 8) % 2)


def odd_boards(count: int) -> Iterator[Position]:
    """Onet: boards that cannot be cleared, because tiles are left over or in each other's way."""
    rng = random.Random(7)
    for number in range(count):
        gravity = ("", ",gravity=down")[number % 2]
        tiles = [1, 1, 2, 2, 3, 3, 4, 4, 5, *((5, 1, 2), (6, 6, 6), (5, 6, 6))[number % 3]]
        rng.shuffle(tiles)
        rows = "/".join(",".join(map(str, tiles[row : row + 4])) for row in (0, 4, 8))
        position = papan.position(f"onet:3,4{gravity} {rows}")
        if position.moves():
            yield position


TEMPTING: dict[str, Callable[[int], Iterator[Position]]] = {
    "dots": double_crosses,
    "adjacency": symmetric_boards,
    "onet": odd_boards,
}


def limits(position: Position, most: int, count: int) -> list[Limit]:
    """None, hardly anything, and anything between that and *most* nodes."""
    rng = random.Random(f"{position} {most}")
    few = [Limit(nodes=rng.randint(1, 4)), Limit(nodes=rng.randint(1, 30))]
    some = [Limit(nodes=rng.randint(1, max(most, 1))) for _ in range(count)]
    return [UNLIMITED, *few, *some]


def check(position: Position, agent: Agent, limit: Limit) -> Analysis:
    """The analysis under a limit, none of whose claims is false."""
    events: list[Event] = []
    analysis = agent.analyse(position, limit, events.append)
    context = f"{agent.spec} at {position} with {limit}: {analysis}"
    assert 0 <= analysis.nodes <= limit.nodes, context
    assert analysis.why != "nodes" or analysis.nodes > 0, context
    check_whole(position, analysis, context)
    check_moves(position, analysis.values, context)
    check_line(position, analysis, context)
    for event in events:
        check_event(position, event, context)
    assert (events[-1]["proof"] == "exact") is analysis.exact, context
    return analysis


def check_whole(position: Position, analysis: Analysis, context: str) -> None:
    value, plies = outcome(position)
    proved = analysis.proved
    assert proved.low <= value <= proved.high, context
    assert whole(proved), context
    assert analysis.exact is (proved.low == proved.high), context
    assert analysis.bounds == (None if proved.nothing else (proved.low, proved.high)), context
    if analysis.exact:
        assert analysis.value == value, context
    elif analysis.value is not None:
        assert proved.low <= analysis.value <= proved.high, context
        assert analysis.value == analysis.guess or analysis.value in (proved.low, proved.high)
    assert analysis.distance in (None, plies), context
    assert analysis.why in REASONS, context
    assert analysis.exact or analysis.why != "exact", context
    check_best(position, analysis, context)
    check_facts(position, analysis.facts, context)


def whole(proved: Proved) -> bool:
    """Are the ends of what is proved such as a game can end with?"""
    return all(isinf(end) or end == int(end) for end in (proved.low, proved.high))


def check_best(position: Position, analysis: Analysis, context: str) -> None:
    """Where the value is proved, only moves are called best that are."""
    best = {move for move, value in truth(position).items() if value == outcome(position)[0]}
    if analysis.exact:
        assert best.issuperset(analysis.best), context
        assert not analysis.best or analysis.best[0] == analysis.move or analysis.move not in best
    else:
        assert analysis.best == (analysis.move,), context


def check_moves(position: Position, values: Mapping[Move, Value], context: str) -> None:
    """What is said of each move is legal, and what is proved of it is true."""
    largest = min(position.game.largest_margin, MOST)
    for move, value in values.items():
        context_of_move = f"{position.game.move_name(move)} {value} in {context}"
        true_value = truth(position)[move]
        if isinstance(value, Proved):
            assert value.low <= true_value <= value.high, context_of_move
            assert not value.nothing, context_of_move
            assert whole(value), context_of_move
        assert abs(value.number) <= largest, context_of_move
        follow(position.child(move), value.line)


def check_line(position: Position, analysis: Analysis, context: str) -> None:
    """The line is legal, and best play throughout where it begins with a move proved best."""
    place = follow(position, analysis.line)
    value = analysis.values.get(analysis.move)
    assert value is None or value.line in ((), analysis.line[1:]), context
    assert not isinstance(value, Guess) or analysis.value is not None, context
    if isinstance(value, Proved) and value.exact:
        true_value = outcome(place)[0] if place.moves() else papan.margin(place, place.turn)
        assert value.low == (true_value if place.turn == position.turn else -true_value), context
    if not place.moves() and analysis.distance is not None:
        assert analysis.distance == len(analysis.line), context


def follow(position: Position, line: tuple[Move, ...]) -> Position:
    for move in line:
        assert move in position.moves()
        position = position.child(move)
    return position


def check_event(position: Position, event: Event, context: str) -> None:
    """What is told on the way is as true as what is answered."""
    named = {position.game.move_name(move): move for move in position.moves()}
    if event["t"] == "root":
        reported = {named[each["m"]]: value_from_event(each) for each in event["moves"]}
        check_moves(position, reported, f"{event} of {context}")
        low, high = event.get("bounds") or (-1e9, 1e9)
        assert low <= outcome(position)[0] <= high, f"{event} of {context}"
        check_facts(position, event, f"{event} of {context}")


def check_facts(position: Position, facts: Mapping[str, Any], context: str) -> None:
    """What else solvers know: scores and distances of Connect 4 and Tic Tac Toe, Onet's verdict."""
    value, plies = outcome(position)
    named = {position.game.move_name(move): after(position, move) for move in position.moves()}
    if "score" in facts:
        assert facts["score"] == score(position, value, plies), context
    if "score_bounds" in facts:
        low, high = facts["score_bounds"]
        assert low <= score(position, value, plies) <= high, context
    for move, reported in facts.get("scores", {}).items():
        assert reported == score(position, *named[move]), context
    for move, reported in facts.get("distances", {}).items():
        assert reported == named[move][1], context
    if facts.get("solvable") is not None:
        assert facts["solvable"] is (value == position.game.largest_margin), context
    for move in facts.get("double_cross", ()):
        assert named[move][0] == value, context


def score(position: Position, value: float, plies: int) -> int:
    """Connect 4: how many stones the winner has left, the winning one included."""
    left = sum(row.count(".") for row in position.write()[0].split("/"))
    return round(value) * ((left + 2 - plies) // 2)


def test_no_game_is_forgotten() -> None:
    assert BOARDS.keys() == {
        name for name, game in GAMES.items() if Support.of(game()).solver_examples
    }


@OFTEN
@pytest.mark.parametrize("all_moves", [False, True])
@pytest.mark.parametrize("name", BOARDS)
def test_no_claim_of_a_solver_is_false_under_any_limit(
    name: str, all_moves: bool, often: int
) -> None:
    for position in positions(name, often):
        solver = Support.of(position.game).solver(all_moves=all_moves, memory=1)
        assert solver is not None
        most = solver.analyse(position).nodes
        for limit in limits(position, most, 2):
            check(position, solver, limit)


@pytest.mark.parametrize("name", BOARDS)
def test_without_a_limit_a_solver_knows_all(name: str) -> None:
    for position in positions(name, 1):
        for all_moves in (False, True):
            solver = Support.of(position.game).solver(all_moves=all_moves, memory=1)
            assert solver is not None
            check_all_is_known(position, check(position, solver, UNLIMITED), all_moves)


def check_all_is_known(position: Position, analysis: Analysis, all_moves: bool) -> None:
    """The value, and which moves are best; with *all_moves* what each is worth.

    Onet's solver is content to know whether a board can be cleared, and of a way to do it.
    """
    true_value = truth(position)
    best = {move for move, value in true_value.items() if value == outcome(position)[0]}
    assert all(isinstance(value, Proved) for value in analysis.values.values())
    assert analysis.facts.get("solvable") is False or not follow(position, analysis.line).moves()
    if isinstance(position.game, Onet):
        assert analysis.facts["solvable"] is (outcome(position)[0] == position.game.largest_margin)
        assert not all_moves or analysis.values.keys() == true_value.keys()
        return
    assert (analysis.exact, analysis.why) == (True, "exact")
    assert set(analysis.best) == best
    if all_moves:
        assert analysis.values.keys() == true_value.keys()
        assert all(value.kind == "exact" for value in analysis.values.values())


@OFTEN
@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("agent", SEARCHES)
def test_no_claim_of_a_search_is_false_under_any_limit(agent: str, name: str, often: int) -> None:
    thinker = papan.agent(agent)
    found = [*positions(name, often)]
    for position in random.Random(7).sample(found, min(5 * often, len(found))):
        for limit in limits(position, 2_000, 3)[1:]:
            check(position, thinker, limit)


# what was once planted, and went unnoticed


def checked(text: str, nodes: float = inf, **settings: object) -> Analysis:
    """What the solver says of a position, none of which is false."""
    position = papan.position(text)
    solver = Support.of(position.game).solver(**settings)
    assert solver is not None
    return check(position, solver, Limit(nodes=nodes))


def test_v05_02_adjacency_calls_no_guess_exact() -> None:
    analysis = checked("adjacency:4,4,4 .ooo/..oo/xx../xxxx o", nodes=1)
    assert {value.kind for value in analysis.values.values()} == {"estimate"}
    assert not analysis.exact


def test_v05_03_symmetric_empty_cells_alone_hold_no_score() -> None:
    assert checked("adjacency:4,5,5 x..ox/xoo.o/o.oox/xx..o x").value == 4


def test_v05_04_the_rival_has_no_opposite_cell_to_the_centre() -> None:
    assert checked("adjacency:5,5,5 ..ox./.xxxo/ox.ox/xooo./.ox.. x").value == 2


@pytest.mark.parametrize("nodes", [1, 2, 5, 20])
def test_v05_05_a_double_cross_may_leave_less_than_both_ends_do(nodes: int) -> None:
    assert checked("dots:2,4 0010010001010101100011 2 0-0", nodes).bounds != (4, 8)


def test_v05_06_inferior_moves_of_dots_are_only_bounded() -> None:
    analysis = checked("dots:1,3 0100011011 2 0-0")
    assert {value.kind for value in analysis.values.values()} == {"exact", "upper"}


def test_v05_07_heavy_lines_alone_make_no_draw() -> None:
    for spec, plies in BOARDS["tictactoe"].items():
        for position in random_positions(papan.game(spec), 10, plies):
            assert isinstance(position, TicTacToePosition)
            low, high = EngineSolution(position, Thinking(UNLIMITED), memory=1).bounds()
            assert low <= outcome(position)[0] <= high


@pytest.mark.parametrize("nodes", [1, 3, 10])
def test_v05_08_without_a_proof_connect_4_has_no_value(nodes: int) -> None:
    analysis = checked("connect4:4,4 ..../..x./..o./oxox x", nodes)
    assert (analysis.value, analysis.exact) == (None, False)
    assert analysis.bounds in ((-1, 0), (-1, 1))


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_v05_09_where_tiles_fall_only_moves_that_clear_now_are_said_to(gravity: str) -> None:
    analysis = checked(f"onet:3,4,gravity={gravity} 0,0,3,2/2,5,4,4/6,5,3,6")
    assert analysis.facts.get("solvable") is False or analysis.best_complete
