"""Plain minimax: paper 003 to the letter, and the definition on every game."""

import pytest

import papan
from papan.agents import minimax
from papan.agents.minimax import Minimax
from papan.core import CannotPlayError, Event, Game, InvalidSpecError, Limit, Position, margin
from papan.games.adjacency import Adjacency
from papan.games.connect4 import Connect4
from papan.games.dots import Dots
from papan.games.onet import Onet
from papan.games.tictactoe import TicTacToe
from tests.agents.definition import NoisyTicTacToe, Pebbles, Road, plain, random_positions, value

KNOWN = {
    ".../oxx/... o": (0, "a1 c1 a3 c3"),
    ".x./.../..o x": (1, "c1"),
    ".../ox./.x. o": (-1, "a1 b1 c1 c2 a3 c3"),
    "..o/.x./xo. x": (1, "a1 a2"),
    "oxx/.../o.x o": (1, "a2"),
    "..x/o.x/... o": (0, "c3"),
    "x.x/oo./.ox x": (1, "b1 c2"),
}
SMALL = [
    TicTacToe(2, 4, 3),
    Dots(1, 2),
    Adjacency(4, 4, 2),
    Onet(2, 4, 2),
    Pebbles(),
    Pebbles(9, True),
]
DEEP = [
    (NoisyTicTacToe(noise=1), 3),
    (Pebbles(15, noise=1), 4),
    (Pebbles(15, True, noise=2), 5),
    (Dots(2, 2), 3),
    (Connect4(4, 4), 4),
    (Adjacency(4, 4, 4), 3),
]  # fmt: skip


def names(position: Position, moves: tuple[int, ...]) -> str:
    return " ".join(map(position.game.move_name, moves))


@pytest.mark.thorough
def test_paper_003_looks_at_549946_positions_and_255168_finished_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Four corners are alike, and four edges: it looks at the empty board and nine trees."""
    finished = 0

    def counted(position: Position, seat: int) -> float:
        nonlocal finished
        finished += times
        return margin(position, seat)

    monkeypatch.setattr(minimax, "margin", counted)
    nodes = 1
    for first, times in (("a1", 4), ("b1", 4), ("b2", 1)):
        nodes += times * Minimax().analyse(plain(TicTacToe().start().after(first))).nodes
    assert nodes == 549_946
    assert finished == 255_168


def test_the_compiled_search_looks_at_549946_positions_too() -> None:
    analysis = Minimax().analyse(TicTacToe().start())
    assert analysis.nodes == 549_946
    assert (analysis.value, analysis.exact, analysis.why) == (0, True, "exact")
    assert analysis.best == tuple(range(9)), "every first move draws"


@pytest.mark.parametrize("board", KNOWN)
@pytest.mark.parametrize("scoring", ["margin", "depth"])
def test_finds_every_best_move(board: str, scoring: str) -> None:
    position = papan.position(f"tictactoe {board}")
    analysis = papan.agent("minimax", scoring=scoring).analyse(position)
    known, best = KNOWN[board]
    assert (analysis.value, analysis.exact) == (known, True)
    assert set(names(position, analysis.best).split()) == set(best.split())


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.spec)
def test_solves_by_the_definition(game: Game) -> None:
    for position in random_positions(game, 8, (0, 6)):
        analysis = Minimax().analyse(position)
        assert analysis.exact
        assert analysis.value == value(position)
        for move, found in analysis.values.items():
            child = position.child(move)
            sign = 1 if child.turn == position.turn else -1
            assert (found.number, found.kind) == (sign * value(child), "exact")


@pytest.mark.parametrize("limit", [Limit(), Limit(nodes=1e6)], ids=["one pass", "rounds"])
@pytest.mark.parametrize(("game", "depth"), DEEP, ids=str)
def test_guesses_at_the_horizon_by_the_definition(game: Game, depth: int, limit: Limit) -> None:
    for position in random_positions(game, 8, (0, 6)):
        analysis = Minimax(depth).analyse(position, limit)
        assert analysis.value == pytest.approx(value(position, depth))
        assert analysis.why == ("exact" if analysis.exact else "depth")


def test_the_expected_line_leads_to_the_value() -> None:
    position = Dots(1, 2).start()
    analysis = Minimax().analyse(position)
    end = position.after(names(position, analysis.line))
    assert not end.moves()
    assert margin(end, position.turn) == analysis.value


def test_of_equal_moves_it_takes_the_first() -> None:
    position = papan.position("tictactoe xoo/x../... x")
    assert names(position, Minimax().analyse(position).line[:1]) == "b2"  # it wins as well


def test_paper_003_scores_a_sooner_win_higher() -> None:
    position = papan.position("tictactoe xoo/x../... x")
    analysis = Minimax(scoring="depth").analyse(position)
    assert names(position, analysis.line) == "a3"
    assert (analysis.value, analysis.distance) == (1, 1)


def test_paper_003_puts_off_a_loss() -> None:
    position = papan.position("tictactoe .../ox./.x. o")
    analysis = Minimax(scoring="depth").analyse(position)
    assert names(position, analysis.line[:1]) == "b1"  # anything else loses at once
    assert (analysis.value, analysis.distance) == (-1, 4)


def test_paper_003_takes_late_wins_for_losses() -> None:
    """Its authors' program counts depth from 0: the eleventh ply is the first with 10 - 10."""
    for steps, paper in ((10, 1), (11, 0), (12, 0)):
        assert Minimax(scoring="margin").analyse(Road(steps).start()).value == 1
        analysis = Minimax(scoring="depth").analyse(Road(steps).start())
        assert analysis.value == paper
        assert analysis.exact == (paper == 1), "a fault must not pass for the truth"


def test_paper_003_does_not_tell_how_large_a_win_is() -> None:
    assert Minimax(scoring="margin").analyse(Dots(1, 2).start()).exact
    assert not Minimax(scoring="depth").analyse(Dots(1, 2).start()).exact


def test_within_a_limit_the_last_finished_round_counts() -> None:
    board = TicTacToe().start()
    second = Minimax(depth=2).analyse(board)
    first = Minimax(depth=1).analyse(board)
    both = Minimax().analyse(board, Limit(nodes=10 + 82 + 100))
    assert (first.nodes, second.nodes) == (10, 82)
    assert (both.line, both.value, both.why) == (second.line, second.value, "nodes")
    assert not both.exact


def test_rounds_end_with_the_game() -> None:
    position = papan.position("tictactoe xoo/x../... x")
    assert Minimax().analyse(position, Limit(nodes=1e6)).exact


def test_a_single_pass_that_is_cancelled_answers_with_the_best_so_far() -> None:
    position = plain(papan.position("tictactoe o../oxx/... x"))  # b1 and c1 lose, a3 does not
    asked = 0

    def after_some_time() -> bool:
        nonlocal asked
        asked += 1
        return asked > 160

    analysis = Minimax().analyse(position, cancelled=after_some_time)
    assert analysis.why == "cancelled"
    assert not analysis.exact
    assert names(position, analysis.line[:1]) == "a3"


def test_tells_its_whole_tree_with_the_values_backed_up() -> None:
    position = papan.position("tictactoe xox/oxx/o.. o")
    events: list[Event] = []
    analysis = Minimax().analyse(position, listener=events.append)
    nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
    assert [(node["m"], node["role"], node["v"], node["s"]) for node in nodes] == [
        (None, "max", 0, "full"),
        ("b3", "min", -1, "full"),
        ("c3", "max", -1, "leaf"),
        ("c3", "min", 0, "full"),
        ("b3", "max", 0, "leaf"),
    ]
    assert [node["up"] for node in nodes] == [None, 0, 1, 0, 3]
    assert len(nodes) == analysis.nodes


def test_tells_of_each_round_and_of_the_last_tree_only() -> None:
    events: list[Event] = []
    Minimax(depth=3).analyse(TicTacToe().start(), Limit(nodes=1e6), events.append)
    assert [event["depth"] for event in events if event["t"] == "root"] == [1, 2, 3]
    nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
    assert len(nodes) == 1 + 9 + 72 + 504


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(InvalidSpecError, match="minimax: depth must be from 0 to 9999, not -1"):
        papan.agent("minimax:depth=-1")


def test_a_board_too_deep_for_python_is_refused_in_one_sentence() -> None:
    position = Dots(20, 20).start()
    with pytest.raises(CannotPlayError, match="deeper on dots:20,20 than Python can follow"):
        Minimax(pruning=True).analyse(position)  # without a compiled form
    assert Minimax(depth=1, pruning=True).analyse(position).value is not None


def test_m09_alpha_beta_alone_looks_at_18297_positions() -> None:
    """Paper 003's first suggestion, without rounds, ordering and table."""
    start = papan.position("tictactoe")
    pruned = papan.agent("minimax:pruning=true").analyse(start)
    assert (pruned.nodes, pruned.value, pruned.exact) == (18297, 0, True)
    assert pruned.move == papan.agent("minimax").analyse(start).move


@pytest.mark.parametrize("text", ["tictactoe xo./.x./..o x", "dots:1,2", "adjacency:4,4,2"])
@pytest.mark.parametrize("scoring", ["margin", "depth"])
def test_pruning_changes_neither_the_move_nor_its_value(text: str, scoring: str) -> None:
    place, events = papan.position(text), list[Event]()
    whole = papan.agent("minimax", scoring=scoring).analyse(place)
    agent = papan.agent("minimax", scoring=scoring, pruning=True)
    pruned = agent.analyse(place, listener=events.append)
    assert (pruned.move, pruned.value) == (whole.move, whole.value)
    assert pruned.nodes < whole.nodes
    assert [event for event in events if event["t"] == "root"][-1]["pruned"] > 0


def test_q13_the_scores_of_paper_003_are_shown_as_ten_less_the_depth() -> None:
    place = papan.position("tictactoe").after("a1 a2 b1 b2")
    (note,) = papan.agent("minimax:scoring=depth").analyse(place).notes
    assert note.values["scores"] == "c1 10, c2 0, a3 -9, b3 -9, c3 -9"
    assert papan.agent("minimax").analyse(place).notes == ()
