"""Alpha-beta must agree with the definition, whatever the game and whatever is switched off."""

import pytest

import papan
from papan.agents import alphabeta
from papan.agents.alphabeta import AlphaBeta
from papan.core import Event, Game, InvalidSpecError, Limit, Position, Proved, margin
from papan.games.adjacency import Adjacency
from papan.games.connect4 import Connect4
from papan.games.dots import Dots
from papan.games.onet import Onet
from papan.games.tictactoe import TicTacToe
from tests.agents.definition import (
    NoisyTicTacToe,
    Pebbles,
    Road,
    outcome,
    plain,
    random_positions,
    value,
)

SETTINGS = [
    AlphaBeta(),
    AlphaBeta(ordering=False),
    AlphaBeta(table=False),
    AlphaBeta(ordering=False, table=False),
    AlphaBeta(seed=7),
]
SOLVED = [
    (TicTacToe(), 4),
    (TicTacToe(2, 4, 3), 0),
    (Dots(1, 2), 0),
    (Adjacency(4, 4, 2), 0),
    (Onet(2, 4, 2), 0),
    (Connect4(4, 4), 9),
    (Pebbles(12), 0),
    (Pebbles(12, last=True), 0),
]
"""Games, and how many plies must be played before the definition can keep up."""
DEEP = [
    (NoisyTicTacToe(noise=3), 4),
    (Pebbles(20, noise=3), 7),
    (Pebbles(20, last=True, noise=4), 7),
    (Dots(2, 2), 3),
    (Connect4(4, 5), 5),
    (Adjacency(4, 4, 4), 3),
]
KNOWN = {
    "tictactoe:4,4,4 x.o./.oox/xx.x/o.o. x": (1, "c3"),
    "tictactoe:4,4,4 ox../..xx/oo.x/ox.. o": (1, "a2"),
    "tictactoe:4,4,4 xxo./o.../x.xo/o.x. o": (0, "d1 b2 c2 d2 b3 b4 d4"),
    "tictactoe:4,4,3 ..../.xoo/x.x./.xo. o": (-1, "a1 b1 c1 d1 a2 b3 d3 a4 d4"),
    "tictactoe:4,4,3 .x.o/..xo/.x../ox.. o": (1, "d3"),
    "tictactoe:5,5,3 .x.xo/o.o../..x../..x.o/..... x": (1, "c1 c5"),
    "tictactoe:6,5,4 xo.../.x..o/o...x/x.o.x/ox.xo/.oo.x x": (1, "b3 c3"),
    "tictactoe:6,6,4 o....o/.....o/.xx.../....xo/....x./....x. o": (1, "e3 f3"),
}


def names(position: Position, moves: tuple[int, ...]) -> list[str]:
    return [position.game.move_name(move) for move in moves]


def truth(position: Position, move: int) -> float:
    """What *move* is worth to the seat that makes it."""
    child = position.child(move)
    return value(child) if child.turn == position.turn else -value(child)


@pytest.mark.thorough
@pytest.mark.parametrize("agent", SETTINGS, ids=lambda agent: agent.spec)
@pytest.mark.parametrize(("game", "plies"), SOLVED, ids=str)
def test_solves_by_the_definition(game: Game, plies: int, agent: AlphaBeta) -> None:
    for position in random_positions(game, 12, (plies, plies + 4)):
        analysis = agent.analyse(position)
        assert (analysis.exact, analysis.why) == (True, "exact")
        assert analysis.value == value(position) == truth(position, analysis.move)


@pytest.mark.parametrize("agent", SETTINGS, ids=lambda agent: agent.spec)
@pytest.mark.parametrize(("game", "depth"), DEEP, ids=str)
def test_guesses_at_the_horizon_by_the_definition(game: Game, depth: int, agent: AlphaBeta) -> None:
    settings = AlphaBeta(depth, agent.ordering, agent.table, agent.seed)
    for position in random_positions(game, 10, (0, 8)):
        analysis = settings.analyse(position)
        assert analysis.value == pytest.approx(value(position, depth))
        assert analysis.why == ("exact" if analysis.exact else "depth")


@pytest.mark.parametrize("text", KNOWN)
def test_solves_known_positions(text: str) -> None:
    position = papan.position(text)
    analysis = AlphaBeta().analyse(position)
    known, best = KNOWN[text]
    assert (analysis.value, analysis.exact) == (known, True)
    assert names(position, analysis.line)[0] in best.split()


@pytest.mark.parametrize(("game", "plies"), SOLVED, ids=str)
def test_what_it_says_of_the_other_moves_is_true(game: Game, plies: int) -> None:
    for position in random_positions(game, 12, (plies, plies + 4)):
        for move, found in AlphaBeta().analyse(position).values.items():
            if isinstance(found, Proved):
                assert found.low <= truth(position, move) <= found.high


def test_v01_unproven_values_are_not_called_bounds() -> None:
    position = papan.position("connect4").after("4 1 4 1 4 2")
    values = AlphaBeta().analyse(position).values
    assert {move for move, found in values.items() if isinstance(found, Proved)} == {3}
    assert {found.kind for found in values.values()} == {"exact", "estimate", "pruned"}


@pytest.mark.parametrize("agent", SETTINGS, ids=lambda agent: agent.spec)
@pytest.mark.parametrize(("game", "plies"), SOLVED, ids=str)
def test_the_expected_line_of_a_solved_position_leads_to_its_value(
    game: Game, plies: int, agent: AlphaBeta
) -> None:
    for position in random_positions(game, 6, (plies, plies + 4)):
        analysis = agent.analyse(position)
        end = position.after(" ".join(names(position, analysis.line)))
        assert not end.moves()
        assert margin(end, position.turn) == analysis.value


@pytest.mark.parametrize("agent", SETTINGS, ids=lambda agent: agent.spec)
@pytest.mark.parametrize(
    ("game", "plies"), [(TicTacToe(), 3), (Pebbles(17, last=True), 0)], ids=str
)
def test_wins_as_soon_and_loses_as_late_as_it_can(game: Game, plies: int, agent: AlphaBeta) -> None:
    for position in random_positions(game, 25, (plies, plies + 4)):
        analysis = agent.analyse(position)
        true_value, distance = outcome(position)
        assert analysis.value == true_value
        assert analysis.distance == (distance if true_value else None)


def test_takes_the_shortest_win() -> None:
    position = papan.position("tictactoe xoo/x../... x")
    assert value(position.after("b2")) == value(position.after("a3")) == -1  # both win...
    analysis = AlphaBeta().analyse(position)
    assert names(position, analysis.line) == ["a3"]  # ...one at once
    assert analysis.nodes < 10, "and it looks no further"


def test_a_sure_win_needs_no_look_at_the_rest_of_the_game() -> None:
    position = papan.position("connect4").after("4 1 4 1 4 2")
    analysis = AlphaBeta().analyse(position)
    assert (analysis.value, analysis.distance, analysis.exact) == (1, 1, True)
    assert names(position, analysis.line) == ["4"]


def test_a_long_road_is_walked_to_its_end() -> None:
    analysis = AlphaBeta().analyse(Road(40, last=True).start())
    assert (analysis.value, analysis.distance, len(analysis.line)) == (1, 40, 40)


def test_a_search_cut_by_depth_is_not_called_exact() -> None:
    assert not AlphaBeta(depth=8).analyse(TicTacToe().start()).exact
    assert AlphaBeta(depth=9).analyse(TicTacToe().start()).exact


def test_an_interrupted_round_does_not_count() -> None:
    position = TicTacToe(4, 4, 4).start()
    whole = AlphaBeta(depth=3).analyse(position)
    more = AlphaBeta().analyse(position, Limit(nodes=whole.nodes + 50))
    assert (more.line, more.value, more.why) == (whole.line, whole.value, "nodes")


def test_half_a_first_round_is_better_than_none() -> None:
    position = papan.position("tictactoe o../oxx/... x")
    analysis = AlphaBeta(depth=1).analyse(position, Limit(nodes=4))
    assert len(analysis.values) == 3
    assert not analysis.exact
    guesses = {move: found.number for move, found in analysis.values.items()}
    assert analysis.value == max(guesses.values()) == guesses[analysis.move]


def test_a_full_table_starts_afresh_and_stays_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphabeta, "MOST_ENTRIES", 20)
    events: list[Event] = []
    assert AlphaBeta().analyse(plain(TicTacToe().start()), listener=events.append).value == 0
    assert 0 < max(event["tt"]["size"] for event in events if event["t"] == "root") <= 20


def test_the_seed_decides_among_equal_moves() -> None:
    start = TicTacToe().start()
    moves = {AlphaBeta(depth=1, seed=seed).analyse(start.after("b2")).move for seed in range(20)}
    assert len(moves) == 4, "one of the four corners"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("start", "nodes"),
    [
        (TicTacToe().start(), (5_628, 17_123, 13_723, 51_298)),
        (Adjacency(4, 4, 3).start(), (1_524, 3_038, 1_747, 4_115)),
        (Dots(1, 2).start(), (725, 1_135, 1_873, 3_921)),
        (plain(TicTacToe().start()), (6_320, 17_291, 23_462, 52_090)),
        (plain(Adjacency(4, 4, 3).start()), (1_497, 3_193, 1_912, 3_829)),
        (plain(Dots(1, 2).start()), (731, 1_079, 1_929, 3_301)),
    ],
    ids=lambda each: f"{type(each.game).__name__} {each}" if isinstance(each, Position) else "",
)
def test_signature(start: Position, nodes: tuple[int, ...]) -> None:
    """The search visits exactly these nodes. Change the numbers only on purpose, and say why."""
    assert tuple(agent.analyse(start).nodes for agent in SETTINGS[:4]) == nodes


def test_ordering_and_table_each_save_nodes_and_change_no_value() -> None:
    start = TicTacToe().start()
    found = [agent.analyse(start) for agent in SETTINGS[:4]]
    full, unordered, forgetful, bare = (analysis.nodes for analysis in found)
    assert full < min(unordered, forgetful)
    assert max(unordered, forgetful) < bare < 549_946
    assert {analysis.value for analysis in found} == {0}


def test_tells_what_pruning_and_table_bring() -> None:
    events: list[Event] = []
    analysis = AlphaBeta().analyse(TicTacToe().start(), listener=events.append)
    rounds = [event for event in events if event["t"] == "root"]
    assert [event["depth"] for event in rounds] == list(range(1, 10))
    assert rounds[-1]["pruned"] > 0
    assert 0 < rounds[-1]["tt"]["hit"] < 1
    assert rounds[-1]["nodes"] == analysis.nodes == AlphaBeta().analyse(TicTacToe().start()).nodes


def test_tells_its_tree_as_the_seat_at_the_root_sees_it() -> None:
    r"""Root o: after b3 x wins with c3; c3 draws.

    x o x
    o x x
    o . .
    """
    events: list[Event] = []
    position = papan.position("tictactoe xox/oxx/o.. o")
    AlphaBeta(ordering=False).analyse(position, listener=events.append)
    nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
    keys = ("m", "role", "a", "b", "v", "s")
    assert [tuple(node[key] for key in keys) for node in nodes] == [
        (None, "max", None, None, 0, "full"),
        ("b3", "min", -1, 1, -1, "full"),
        ("c3", "max", -1, 1, -1, "leaf"),
        ("c3", "min", -1, 1, 0, "full"),
        ("b3", "max", -1, 1, 0, "leaf"),
    ]


@pytest.mark.parametrize("game", [TicTacToe(4, 4, 4), Dots(2, 2)], ids=lambda game: game.spec)
def test_every_cut_in_the_tree_has_its_reason(game: Game) -> None:
    events: list[Event] = []
    AlphaBeta(depth=3).analyse(game.start(), listener=events.append)
    nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
    cuts = [node for node in nodes if node["s"] == "cut"]
    assert cuts
    for node in cuts:
        if node["role"] == "max":
            assert node["why"] == "v>=b"
            assert node["v"] >= node["b"]
        else:
            assert node["why"] == "v<=a"
            assert node["v"] <= node["a"]


def test_answers_from_the_table_are_marked_in_the_tree() -> None:
    def answered(agent: AlphaBeta) -> int:
        events: list[Event] = []
        agent.analyse(TicTacToe().start(), listener=events.append)
        nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
        return sum(node.get("tt", False) for node in nodes)

    assert answered(AlphaBeta(depth=5)) > 0
    assert answered(AlphaBeta(depth=5, table=False)) == 0


def test_an_even_guess_is_not_minus_zero() -> None:
    assert str(AlphaBeta(depth=2).analyse(Dots().start()).value) == "0"


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(InvalidSpecError, match="alphabeta: depth must be from 0 to 9999, not -1"):
        papan.agent("alphabeta:depth=-1")


def test_every_move_is_solved_where_a_move_may_keep_the_turn_and_there_is_no_solver() -> None:
    for position in (Pebbles(3).start(), Pebbles(3, last=True).start(), Pebbles(8).start()):
        found = papan.solve(position, all_moves=True)
        assert found.exact and all(each.kind == "exact" for each in found.values.values())
        values = {move: each.number for move, each in found.values.items()}
        assert values == {move: truth(position, move) for move in position.moves()}
