"""The solver of Onet: every verdict is checked, clearings by the rules and proofs by a checker."""

import json
import random
from functools import cache
from math import inf
from typing import Any, get_args

import pytest

import papan
from papan.core import Analysis, CannotPlayError, Event, InvalidSpecError, Limit, Proved, Thinking
from papan.core.parts import Support
from papan.games.onet import Onet, solver
from papan.games.onet.clearing import ClearingVerdict, Pairings
from papan.games.onet.rules import Gravity, OnetPosition
from papan.games.onet.solver import (
    OnetSolver,
    SearchRoom,
    clearing_verdict,
    fall_table,
    search_clearing,
)

from .onet_boards import BOARDS, Rule, fewest_left, on, random_board, solve
from .onet_certificates import proves

HARDEST = "d59"  # the check of its proof alone takes seconds


def after(position: OnetPosition, analysis: Analysis) -> OnetPosition:
    """The position at the end of the line, each move checked by the rules."""
    for move in analysis.line:
        assert move in position.moves()
        position = position.child(move)
    return position


@cache
def solved(board: str) -> Analysis:
    """What the solver says of a known board."""
    return solve(on(board))


def name(board: dict[str, Any]) -> str:
    return f"{board['name']}"


@pytest.mark.thorough
@pytest.mark.parametrize("board", BOARDS, ids=name)
def test_known_boards(board: dict[str, Any]) -> None:
    position = on(board["board"])
    analysis = solved(board["board"])
    assert analysis.facts["solvable"] is board["solvable"]
    end = after(position, analysis)
    assert end.cleared is board["solvable"]
    if analysis.facts["solvable"]:
        assert (analysis.value, analysis.exact) == (len(position.tiles), True)
        assert analysis.distance == len(analysis.line)
    else:
        assert analysis.value == end.tiles.count(0)
        json.dumps(analysis.facts)
        if board["name"] != HARDEST:
            assert proves(position, analysis.facts["certificate"])


@pytest.mark.slow
def test_the_longest_proof() -> None:
    position = next(on(board["board"]) for board in BOARDS if board["name"] == HARDEST)
    assert proves(position, solve(position).facts["certificate"])


@pytest.mark.thorough
@pytest.mark.parametrize("count", [500, pytest.param(4_000, marks=pytest.mark.slow)])
def test_small_boards_by_trying_everything(count: int) -> None:
    rng = random.Random(7)
    verdicts, several_sets = [], 0
    for _ in range(count):
        position = random_board(rng)
        left = fewest_left(position)
        analysis = solve(position)
        verdicts.append(analysis.facts["solvable"])
        assert analysis.facts["solvable"] is (left == 0)
        assert after(position, analysis).tiles.count(0) == analysis.value
        assert analysis.exact
        assert analysis.value == len(position.tiles) - left
        if left:
            certificate: Any = analysis.facts["certificate"]
            assert proves(position, certificate)
            several_sets += len(certificate["sets"]) > 1
    assert verdicts.count(False) > count // 10
    assert several_sets > count // 100


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rule", "gravity"),
    [
        ("paper", "none"),
        ("paper", "down"),
        *(("onet", gravity) for gravity in get_args(Gravity) if gravity != "none"),
    ],
)
def test_small_boards_of_other_rules_by_trying_everything(rule: Rule, gravity: Gravity) -> None:
    rng = random.Random(f"{rule} {gravity}")
    verdicts = set()
    for _ in range(60):
        position = random_board(rng, 7, gravity, rule)
        left = fewest_left(position)
        analysis = solve(position)
        verdicts.add(analysis.facts["solvable"])
        assert analysis.facts["solvable"] is (left == 0)
        assert after(position, analysis).tiles.count(0) == analysis.value
        assert (analysis.value, analysis.exact) == (len(position.tiles) - left, True)
    assert verdicts == {True, False}


def test_every_move_is_right_or_wrong() -> None:
    rng = random.Random(3)
    wrong = 0
    for _ in range(300):
        position = random_board(rng, kinds=6)
        if not position.moves():
            continue
        analysis = solve(position, all_moves=True)
        assert set(analysis.values) == set(position.moves())
        for move, value in analysis.values.items():
            left = fewest_left(position.child(move))
            assert (value.kind == "exact") is (left == 0)
            assert value.number >= len(position.tiles) - left
        if analysis.facts["solvable"]:
            right = {move for move, value in analysis.values.items() if value.kind == "exact"}
            assert set(analysis.best) == right
            wrong += len(analysis.values) - len(right)
    assert wrong > 20


def test_best_moves_known_without_looking_at_all_keep_the_board_solvable() -> None:
    position = Onet(6, 12).start()
    analysis = solve(position)
    assert len(analysis.best) > 3
    for move in analysis.best:
        assert solve(position.child(move)).facts["solvable"]
        end = position.child(move)
        for each in analysis.values[move].line:
            assert each in end.moves()
            end = end.child(each)
        assert end.cleared


def test_one_tile_too_many_is_seen_at_once() -> None:
    for gravity in ("none", "down"):
        position = on("1 2 1/2 3 3/3 0 0", gravity)
        analysis = solve(position)
        assert analysis.facts["solvable"] is False
        assert analysis.facts["certificate"] == {"why": "odd", "tiles": ["b2", "c2", "a3"]}
        assert proves(position, analysis.facts["certificate"])
        assert (analysis.value, analysis.exact) == (8, True)


def test_a_board_with_nothing_left_to_play_is_answered() -> None:
    stuck = solve(on("1 2/2 1"))
    assert (stuck.facts["solvable"], stuck.line, stuck.best, stuck.value) == (False, (), (), 0)
    assert stuck.facts["certificate"] == {
        "why": "blocked",
        "sets": [["a1", "b2", "b1", "a2"]],
        "steps": [],
    }
    cleared = solve(on("0 0/0 0"))
    assert (cleared.facts["solvable"], cleared.exact, cleared.value) == (True, True, 4)


@pytest.mark.thorough
def test_large_boards_with_many_tiles_of_a_kind() -> None:
    position = Onet(16, 30, 13, seed=3).start()
    analysis = solve(position)
    assert analysis.facts["solvable"]
    assert after(position, analysis).cleared


LARGE, HARD = (on(board["board"]) for board in BOARDS if board["name"] in ("d52", "d58"))


def test_when_the_budget_ends_it_says_what_is_known() -> None:
    analysis = OnetSolver().analyse(HARD, Limit(nodes=9))
    assert (analysis.facts["solvable"], analysis.exact, analysis.why) == (None, False, "nodes")
    assert analysis.nodes == 9
    assert analysis.bounds == (after(HARD, analysis).tiles.count(0), 144)
    assert OnetSolver().analyse(HARD, Limit(seconds=1e-9)).why == "time"
    cancelled = OnetSolver().analyse(HARD, cancelled=lambda: True)
    assert (cancelled.facts["solvable"], cancelled.why) == (None, "cancelled")


@pytest.mark.parametrize("gravity", ["none", "left"])
def test_the_same_nodes_give_the_same_answer(gravity: Gravity) -> None:
    position = OnetPosition(Onet(9, 16, gravity=gravity), HARD.tiles)
    one, two = (OnetSolver().analyse(position, Limit(nodes=300)) for _ in range(2))
    assert (one.line, one.bounds, one.nodes) == (two.line, two.bounds, two.nodes)
    assert one.nodes == 300
    assert one.why == "nodes"


@pytest.mark.parametrize("nodes", [1, 2, 3])
@pytest.mark.parametrize("gravity", ["none", "down"])
def test_the_smallest_budget_gives_a_legal_move(gravity: Gravity, nodes: int) -> None:
    position = OnetPosition(Onet(9, 16, gravity=gravity), HARD.tiles)
    analysis = OnetSolver(all_moves=True).analyse(position, Limit(nodes=nodes))
    assert analysis.move in position.moves()


def test_gravity_ends_in_an_honest_unknown() -> None:
    position = OnetPosition(Onet(16, 30, gravity="left"), LARGE.tiles)
    for limit in (Limit(nodes=500), Limit(seconds=0.05)):
        analysis = OnetSolver(memory=1).analyse(position, limit)
        assert analysis.facts["solvable"] is None
        assert "certificate" not in analysis.facts
        assert analysis.bounds is not None
        assert analysis.bounds[0] < analysis.bounds[1] == 480


def test_it_tells_what_it_finds() -> None:
    events: list[Event] = []
    analysis = OnetSolver().analyse(Onet(4, 6, 5).start(), listener=events.append)
    assert [event["t"] for event in events] == ["start", "root", "done"]
    root = events[1]
    assert root["solvable"] is True
    assert root["bounds"] == [24, 24]
    assert root["depth"] == len(analysis.line) == 12
    assert {move["k"] for move in root["moves"]} == {"exact"}
    assert events[2]["proof"] == "exact"


def test_it_tells_on_the_way_when_it_takes_long() -> None:
    position = OnetPosition(Onet(16, 30, gravity="left"), LARGE.tiles)
    events: list[Event] = []
    OnetSolver(memory=1).analyse(
        position, listener=events.append, cancelled=lambda: len(events) > 2
    )
    assert [event["t"] for event in events] == ["start", "root", "root", "root", "done"]
    assert all(event["solvable"] is None for event in events[1:-1])
    assert events[-1]["why"] == "cancelled"


def test_the_game_names_its_solver() -> None:
    solver = Support.of(Onet()).solver(memory=7, all_moves=True)
    assert solver == OnetSolver(memory=7, all_moves=True)
    assert solver.name == "solver"
    for text in Support.of(Onet()).solver_examples:
        assert papan.position(text).moves()


def test_settings_and_games_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InvalidSpecError, match="memory"):
        OnetSolver(memory=0)
    with pytest.raises(InvalidSpecError, match="threads"):
        OnetSolver(threads=0)
    with pytest.raises(CannotPlayError, match="tictactoe"):
        OnetSolver().analyse(papan.game("tictactoe").start())


def test_node_signature() -> None:
    """Changes only when the search changes: say so in the commit."""
    assert sum(solved(board["board"]).nodes for board in BOARDS[:58]) == 17244


def random_game(seed: int) -> list[OnetPosition]:
    rng = random.Random(seed)
    positions = [Onet(4, 6, 10, seed=1).start()]
    while moves := positions[-1].moves():
        positions.append(positions[-1].child(rng.choice(moves)))
    return positions


def test_what_is_lost_stays_lost() -> None:
    lost = 0
    for seed in range(40):
        positions = random_game(seed)
        solvable = [bool(solve(position).facts["solvable"]) for position in positions]
        assert solvable == sorted(solvable, reverse=True)
        assert solvable[0] and solvable[-1] == positions[-1].cleared
        lost += not solvable[-1]
    assert lost > 5


def test_l04_a_proof_is_cut_short_when_the_budget_ends_and_the_verdict_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = papan.position(Support.of(Onet()).solver_examples[1])
    whole = OnetSolver().analyse(position)
    ended: list[str] = []

    def core(pairings: Pairings, blocked: list[Any]) -> list[Any]:
        ended.append("while the proof is made")
        return original(pairings, blocked)

    original = Pairings._core
    monkeypatch.setattr(Pairings, "_core", core)
    cut = OnetSolver().analyse(position, cancelled=lambda: bool(ended))
    assert (whole.facts["solvable"], cut.facts["solvable"]) == (False, False)
    assert whole.facts["certificate"]["why"] == "blocked"
    assert cut.facts["certificate"]["why"] == "searched"


CLEARED, STUCK = "The board can be cleared.", "The board cannot be cleared; this is proved."
ODD = "Proof: the tiles {} are the only ones of their kind, and there is an odd number of them."
BLOCKED = "Proof: whichever pairs you take, some tiles end up blocking each other."


@pytest.mark.parametrize(
    ("text", "line", "verdict", "notes", "certificate", "empty"),
    [
        ("2,2 1,1/2,2", "a1b1 a2b2", CLEARED, [], None, 4),
        (
            "2,2 1,2/2,1",
            "",
            STUCK,
            [BLOCKED],
            {"why": "blocked", "sets": [["a1", "b2", "b1", "a2"]], "steps": []},
            0,
        ),
        (
            "1,3 1,1,1",
            "a1b1",
            STUCK,
            [ODD.format("a1 b1 c1")],
            {"why": "odd", "tiles": ["a1", "b1", "c1"]},
            2,
        ),
        ("2,2,gravity=down 1,2/2,1", "", STUCK, [], {"why": "searched", "positions": 0}, 0),
        (
            "2,2,gravity=down 1,1/1,2",
            "a1a2",
            STUCK,
            [ODD.format("a1 b1 a2")],
            {"why": "odd", "tiles": ["a1", "b1", "a2"]},
            2,
        ),
        ("1,4,rule=paper 1,2,1,2", "b1d1 a1c1", CLEARED, [], None, 4),
    ],
)
def test_a_verdict_is_told_with_its_proof(  # noqa: PLR0913
    text: str,
    line: str,
    verdict: str,
    notes: list[str],
    certificate: dict[str, Any] | None,
    empty: int,
) -> None:
    found = papan.solve(f"onet:{text}")
    position = found.position
    assert position is not None
    assert " ".join(map(position.game.move_name, found.line)) == line
    assert found.verdict is not None and found.verdict.text() == verdict
    assert [each.text() for each in found.notes] == notes
    known = {} if certificate is None else {"certificate": certificate}
    assert found.facts == {"solvable": verdict == CLEARED, **known}
    assert (found.bounds, found.why) == ((empty, empty), "exact")
    assert found.distance == (2 if verdict == CLEARED else None)


def test_what_is_unknown_when_the_nodes_are_spent_is_said_to_be_unknown() -> None:
    found = papan.solve("onet:10,14,gravity=left", nodes=5)
    assert [each.text() for each in found.notes] == ["Still unknown after this much time."]
    assert (found.verdict, found.distance, found.why) == (None, None, "nodes")
    assert found.facts == {"solvable": None}
    assert found.bounds == (2 * len(found.line), 140)


@pytest.mark.parametrize(
    ("room", "nodes", "why", "spent"),
    [(5, 5, "nodes", 5), (5, 4, "nodes", 4), (5, 6, "done", 5), (3, inf, "done", 3)],
)
def test_a_search_ends_at_its_own_room_or_at_the_limit_and_says_which(
    room: int, nodes: float, why: str, spent: int
) -> None:
    position = OnetPosition(Onet(16, 30, gravity="left"), LARGE.tiles)
    thinking = Thinking(Limit(nodes=nodes))
    found = search_clearing(position, (1, room), thinking)
    assert (found.solvable, found.why, found.certificate) == (None, why, None)
    assert (thinking.nodes, len(found.pairs), found.least_left) == (spent, spent, 0)


@pytest.mark.parametrize(
    ("board", "whys", "rooms"),
    [
        ("1 2/2 1", ["exact"], [(1, 20_000)]),
        ("1 2/2 1", ["nodes"], [(1, 20_000)]),
        ("1 2/2 1", ["done", "time"], [(1, 20_000), (7, inf)]),
        ("1 1/1 2", ["done"], [(1, 1_000)]),  # an odd tile is proof enough
        ("0 0/0 0", [], []),
    ],
)
def test_with_gravity_little_is_tried_first_and_all_memory_only_where_that_is_too_little(
    monkeypatch: pytest.MonkeyPatch, board: str, whys: list[str], rooms: list[SearchRoom]
) -> None:
    asked, answers = list[SearchRoom](), iter(whys)

    def search(position: OnetPosition, room: SearchRoom, *_: object) -> ClearingVerdict:
        asked.append(room)
        return ClearingVerdict(None, ((0, 1),), why=next(answers))

    monkeypatch.setattr(solver, "search_clearing", search)
    found = clearing_verdict(on(board, "down"), 7, Thinking(Limit()))
    assert asked == rooms
    if board.count("1") == 3:
        assert (found.solvable, found.why, found.pairs) == (False, "exact", ((0, 1),))
        assert found.certificate == {"why": "odd", "tiles": ["a1", "b1", "a2"]}
    elif whys:
        assert (found.solvable, found.why) == (None, whys[-1])
    else:
        assert found == ClearingVerdict(True, ())


@pytest.mark.parametrize(("cells", "pairs"), [(8, "a1c1 a2d2 a1a2"), (7, "a1c1 a2d2")])
def test_on_large_boards_only_the_pairs_of_the_way_found_have_values(
    monkeypatch: pytest.MonkeyPatch, cells: int, pairs: str
) -> None:
    monkeypatch.setattr(solver, "CHEAP_TILES", cells)
    position = on("1 3 1 2/1 2 3 1")
    values = solve(position).values
    assert " ".join(map(position.game.move_name, values)) == pairs
    assert {str(value) for value in values.values()} <= {"= +8", "\u2264 +2"}


def test_where_a_tile_is_odd_every_move_is_bounded_by_what_stays() -> None:
    position = on("1 2 1/2 3 3/3 0 0")
    found = solve(position, all_moves=True)
    assert found.values == dict.fromkeys(position.moves(), Proved(high=8))


def test_paths_of_falling_tiles_are_rows_of_equal_length() -> None:
    table = fall_table(Onet(2, 5, gravity="sides"))
    assert table.tolist() == [
        [0, 1, -1, -1, -1],
        [4, 3, 2, -1, -1],
        [5, 6, -1, -1, -1],
        [9, 8, 7, -1, -1],
    ]
    assert fall_table(Onet(2, 5)).shape == (0, 5)
    assert fall_table(Onet(3, 1, gravity="up")).tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("position", "limit"),
    [
        (on("4 1 8 7 9 3/4 5 7 6 5 2/9 8 3 7 6 8/2 3 7 1 8 3"), Limit()),
        (HARD, Limit(nodes=9)),
    ],
    ids=["proved", "cut short"],
)
def test_the_memory_of_the_sat_solver_is_freed_however_it_ends(
    monkeypatch: pytest.MonkeyPatch, position: OnetPosition, limit: Limit
) -> None:
    made, freed = list[Pairings](), list[Pairings]()
    begin, end = Pairings.__init__, Pairings.close

    def initialise(self: Pairings, *given: Any) -> None:
        made.append(self)
        begin(self, *given)

    def close(self: Pairings) -> None:
        freed.append(self)
        end(self)

    monkeypatch.setattr(Pairings, "__init__", initialise)
    monkeypatch.setattr(Pairings, "close", close)
    OnetSolver().analyse(position, limit)
    assert len(made) == 1 and freed == made
