"""Who thinks for a level and for the solver, for how many nodes, and what becomes of a proof."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import papan
from papan.agents import level, solver
from papan.agents.alphabeta import AlphaBeta
from papan.agents.level import (
    STRENGTHS,
    Level,
    Nearby,
    evaluation,
    level_nodes,
    level_solution,
    slip_rate,
    thinker,
)
from papan.agents.mcts import Mcts
from papan.agents.net import Net
from papan.agents.solver import Solver, solver_for, with_proof
from papan.core import (
    Agent,
    Analysis,
    Event,
    Guess,
    InvalidSpecError,
    Limit,
    Message,
    Position,
    Proved,
    Share,
    Thinking,
)
from papan.core.compiling import plain_searches
from papan.core.parts import Support
from papan.core.slips import Slip
from tests.agents.definition import Pebbles

DOTS = papan.position("dots:2,2")


def test_the_levels_have_their_plies_and_their_work() -> None:
    assert [tuple(STRENGTHS[number]) for number in range(1, 6)] == [
        (1, 100_000),
        (2, 200_000),
        (6, 1_000_000),
        (0, 200_000),
        (0, 2_000_000),
    ]


@pytest.mark.parametrize(
    ("board", "nodes"),
    [
        # 1 + work // (40 + moves of the game), ten times as many from level 4 on
        ("dots:2,2", [1924, 3847, 19231, 38461, 384611]),
        ("connect4", [2128, 4256, 21277, 42551, 425531]),
        ("connect4:7,10", [2001, 4001, 20001, 40, 400]),  # which a net plays
    ],
)
def test_the_nodes_of_a_level_are_its_work_by_the_size_of_the_board(
    board: str, nodes: list[int]
) -> None:
    assert [level_nodes(number, papan.position(board)) for number in range(1, 6)] == nodes


def test_a_search_in_plain_python_has_no_more_nodes_at_the_upper_levels() -> None:
    heap = Pebbles(8).start()
    assert [level_nodes(number, heap) for number in (1, 4, 5)] == [2273, 4546, 45455]


def test_who_thinks_for_which_level() -> None:
    thinkers = [thinker(number, DOTS, 7) for number in range(1, 6)]
    assert [type(each) for each in thinkers] == [Nearby] * 4 + [AlphaBeta]
    assert [(each.depth, each.seed) for each in thinkers if isinstance(each, AlphaBeta)] == [
        *((1, 7), (2, 7), (6, 7), (0, 7), (0, 7)),
    ]
    alone = papan.position("onet:4,6")
    assert thinker(5, alone, 7) == Mcts(level_nodes(5, alone) // 12 + 1, seed=7)
    assert thinker(4, alone, 7) == Mcts(level_nodes(4, alone) // 12 + 1, seed=7)
    assert isinstance(thinker(3, alone, 7), Nearby)
    assert thinker(4, papan.position("connect4:7,10"), 7) == Net(proofs=False)
    four = papan.game("connect4")
    assert [evaluation(number, four) for number in range(1, 6)] == [
        *("hand", "patterns", "patterns", "hand", "hand"),
    ]
    assert evaluation(2, papan.game("dots")) == "hand"


def test_slip_rates_are_those_of_the_board_and_none_for_the_strongest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Support.class_for(type(DOTS.game)), "slip_rates", (0.4, 0.3, 0.2, 0.1))
    assert [slip_rate(each, DOTS.game) for each in range(1, 6)] == [0.4, 0.3, 0.2, 0.1, 0.0]


class Prover(Agent):
    """A solver that answers what it is told to, and notes how many nodes it is granted."""

    name = "prover"

    def __init__(self, found: Analysis, known: Callable[[Position], Analysis | None]) -> None:
        self.found, self.proofs, self.granted = found, known, list[float]()

    def known(self, position: Position) -> Analysis | None:
        return self.proofs(position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        self.granted.append(thinking.limit.nodes)
        return self.found


@pytest.fixture
def proving(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Prover]:
    """A function that makes the solver of Dots and Boxes one that finds and knows what is said."""

    def make(
        found: Analysis,
        nodes: int = 1_000,
        known: Callable[[Position], Analysis | None] = lambda position: None,
    ) -> Prover:
        prover = Prover(found, known)
        kind = Support.class_for(type(DOTS.game))
        monkeypatch.setattr(kind, "solver", lambda self: prover)
        monkeypatch.setattr(kind, "proof_nodes", lambda self, position: nodes)
        return prover

    return make


SURE = Analysis((1,), proved=Proved(1, 1))
BOUNDED = Analysis((1,), proved=Proved(0, 2))
GUESSED = Analysis((1,), 0.5)
BEST = {1: Proved(1, 1), 2: Proved(1, 1), 3: Proved(-1, 0)}
SEVERAL = Analysis((1,), proved=Proved(1, 1), values=BEST, facts={"proof": "here"})
LATE = DOTS.play(0)


def asked(number: int, position: Position = LATE, nodes: float = 10**6) -> Analysis | None:
    return level_solution(number, position, Thinking(Limit(nodes=nodes)))


def test_only_the_two_strongest_levels_ask_the_solver(proving: Callable[..., Prover]) -> None:
    prover = proving(SURE)
    assert [asked(number) for number in range(1, 6)] == [None, None, None, SURE, SURE]
    assert prover.granted == [100, 1_000], "level 4 a tenth of the nodes"
    with plain_searches():
        assert asked(5) is None
    assert asked(5, nodes=1_200) == SURE and prover.granted[-1] == 600, "half of the budget"


def test_no_solver_is_asked_for_a_hopeless_proof(proving: Callable[..., Prover]) -> None:
    prover = proving(SURE, nodes=0)
    assert asked(5) is None and not prover.granted
    prover = proving(SURE, nodes=9)
    assert asked(4) is None and not prover.granted, "nine tenths of a node are none"
    proving(SURE, nodes=10)
    assert asked(4) == SURE


def test_what_a_solver_finds_counts_if_it_has_a_value(proving: Callable[..., Prover]) -> None:
    for found, counts in ((SURE, True), (GUESSED, True), (BOUNDED, False)):
        proving(found)
        assert (asked(5) == found) == counts


def test_level_5_knows_the_proofs_that_come_with_papan(proving: Callable[..., Prover]) -> None:
    prover = proving(BOUNDED, known=lambda position: SURE if position == LATE else None)
    assert asked(5) == SURE and not prover.granted
    assert asked(4) is None and prover.granted == [100]
    prover = proving(BOUNDED, known=lambda position: BOUNDED)
    assert asked(5, nodes=10**8) == BOUNDED, "bounds count beside a proof"
    assert prover.granted == [1_000_000]
    prover = proving(SURE, 3_000_000, known=lambda position: BOUNDED)
    assert asked(5, nodes=10**8) == SURE and prover.granted == [3_000_000]
    prover = proving(SURE, known=lambda position: BOUNDED if position == DOTS else None)
    assert asked(5, nodes=10**8) == SURE and prover.granted == [1_000_000]


def test_of_several_best_moves_of_a_shipped_proof_another_agent_chooses(
    proving: Callable[..., Prover],
) -> None:
    proving(SEVERAL)
    thinking = Thinking(Limit())
    found = Level(5)._thought(LATE, 0, thinking)
    assert found.proved == Proved(1, 1) and found.values.items() >= SEVERAL.values.items()
    assert found.move != 3, "which is proved to be worse"
    assert thinking.limit.nodes == level_nodes(5, LATE)
    proving(SURE)
    thinking = Thinking(Limit())
    assert Level(5)._thought(LATE, 0, thinking) == SURE and thinking.limit == Limit()


def test_a_proof_is_joined_to_what_was_played() -> None:
    note, verdict = Message("a"), Message("b")
    played = Analysis((4, 5), 8.0, values={4: Share(0.75), 6: Share(0.25)}, facts={"p": 1, "q": 2})
    proof = Analysis(
        (1, 2), 3.0, Proved(0, 2), {4: Proved(-1, 0), 1: Proved(0, 2), 6: Guess(1)},
        facts={"q": 3, "r": 4}, verdict=verdict, notes=(note,), why="nodes",
    )  # fmt: skip
    assert with_proof(played, proof) == Analysis(
        (4, 5), 8.0, Proved(0, 2), {4: Proved(-1, 0), 6: Share(0.25), 1: Proved(0, 2)},
        facts={"p": 1, "q": 2, "r": 4}, verdict=verdict, notes=(note,),
    )  # fmt: skip


class Player(Agent):
    """A net that plays the first move there is, and notes what it is granted."""

    name = "player"
    granted: float = 0

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        self.granted = thinking.limit.nodes - thinking.nodes
        return Analysis((5,), 0.5)


@pytest.mark.parametrize(("nodes", "share"), [(0, 100), (7, 500)])
def test_the_solver_leaves_a_part_of_its_limit_to_a_net(
    nodes: int, share: int, proving: Callable[..., Prover], monkeypatch: pytest.MonkeyPatch
) -> None:
    player, prover = Player(), proving(BOUNDED, nodes)
    monkeypatch.setattr(solver, "learned_player", lambda game: player)
    found = Solver().analyse(LATE, nodes=1_000)
    assert (prover.granted, player.granted) == ([share], 1_000)
    assert (found.move, found.value, found.proved) == (5, 0.5, Proved(0, 2))
    prover = proving(SURE, nodes)
    player.granted = 0
    assert Solver().analyse(LATE, nodes=1_000).proved == Proved(1, 1) and not player.granted
    proving(SEVERAL, nodes)
    found = Solver().analyse(LATE, nodes=1_000)
    assert (found.move, found.proved) == (5, Proved(1, 1)), "the net chooses among the best"
    player.granted = 0
    prover = proving(BOUNDED, nodes)
    assert Solver().analyse(LATE).proved == Proved(0, 2), "without a limit the solver has all"
    assert prover.granted == [float("inf")] and not player.granted


def test_a_solver_is_that_of_the_game_with_the_settings_that_it_has() -> None:
    assert solver_for(Pebbles(8)) is None
    plain: Any = solver_for(papan.game("adjacency:4,9,2"), memory=99, threads=3, book=False)
    assert (plain.name, plain.memory, plain.threads) == ("solver", 99, 3)
    own: Any = solver_for(papan.game("connect4"), memory=99, book=False)
    assert type(own) is not type(plain) and (own.memory, own.book) == (99, False)
    assert type(solver_for(papan.game("connect4"))) is type(own)
    with pytest.raises(InvalidSpecError):
        solver_for(papan.game("connect4"), memory=0)
    assert Solver().plays(papan.game("adjacency:4,9,2")) and not Solver().plays(Pebbles(8))


def slipping(
    monkeypatch: pytest.MonkeyPatch, found: Slip | None, rate: float = 1.0
) -> Callable[[int], tuple[Analysis, list[Event]]]:
    kind = Support.class_for(type(DOTS.game))
    monkeypatch.setattr(kind, "slip", lambda self, position, number, rng: found)
    monkeypatch.setattr(kind, "slip_rates", (rate,) * 4)
    monkeypatch.setattr(Level, "_short", lambda self, position, seed, thinking: None)

    def play(number: int) -> tuple[Analysis, list[Event]]:
        events: list[Event] = []
        analysis = Level(number, seed=2).analyse(DOTS, Limit(nodes=50), events.append)
        return analysis, [event for event in events if event["t"] == "reason"]

    return play


def test_a_slip_is_made_and_told_as_the_game_has_found_it(monkeypatch: pytest.MonkeyPatch) -> None:
    name = DOTS.game.move_name(7)
    play = slipping(monkeypatch, Slip(7, Message("dots.slip_boxes", {"boxes": 2}), ("a1", "b1")))
    for number in (1, 4):
        analysis, (reason,) = play(number)
        assert (analysis.move, analysis.value) == (7, None)
        assert reason == {
            "t": "reason", "m": name, "rule": "dots.slip_boxes",
            "slip": {"boxes": 2}, "cells": ["a1", "b1"],
        }  # fmt: skip
    analysis, reasons = play(5)
    assert analysis.value is not None and not reasons, "the strongest never slips"
    _, (careless,) = slipping(monkeypatch, Slip(7, Message("level.careless")))(2)
    assert careless == {"t": "reason", "m": name, "rule": "level.careless"}
    analysis, reasons = slipping(monkeypatch, None)(2)
    assert analysis.value is not None and not reasons, "nothing was to be overlooked"
    analysis, reasons = slipping(monkeypatch, Slip(7, Message("level.careless")), rate=0.0)(2)
    assert analysis.value is not None and not reasons


def test_a_blind_spot_and_a_short_look_come_in_either_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blind, short = Slip(7, Message("level.careless")), Slip(6, Message("level.careless"))
    found: list[Slip | None] = [blind, short]
    kind = Support.class_for(type(DOTS.game))
    monkeypatch.setattr(kind, "slip", lambda self, position, number, rng: found[0])
    monkeypatch.setattr(Level, "_short", lambda self, position, seed, thinking: found[1])

    def moves() -> set[int | None]:
        thinking = Thinking(Limit())
        slips = [Level(2)._slip(DOTS, 0, Random(seed), thinking) for seed in range(20)]
        return {slip.move if slip else None for slip in slips}

    assert moves() == {6, 7}
    found[0] = None
    assert moves() == {6}
    found[:] = [blind, None]
    assert moves() == {7}
    found[0] = None
    assert moves() == {None}


def test_the_seed_is_the_thinkers_but_for_the_strongest(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[tuple[int, int]] = []

    def thinker(number: int, position: Position, seed: int) -> Agent:
        seeds.append((number, seed))
        return papan.agent("random")

    slipping(monkeypatch, None, rate=0.0)
    monkeypatch.setattr(level, "level_solution", lambda *_: None)
    monkeypatch.setattr(level, "thinker", thinker)
    for number in (5, 4):
        for seed in (1, 1, 2):
            Level(number, seed).decide(DOTS, Thinking(Limit(nodes=50)))
    assert seeds[:3] == [(5, 0)] * 3
    one, again, other = (seed for _, seed in seeds[3:])
    assert 0 < one == again != other


def test_a_short_look_counts_only_if_it_prefers_another_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual, short = Analysis((3,)), Analysis((7,))
    looks: list[tuple[int, float, bool]] = []

    def decide(agent: Nearby, position: Position, thinking: Thinking) -> Analysis:
        looks.append((agent.depth, thinking.limit.nodes, thinking.watched))
        return short

    def thought(agent: Level, position: Position, seed: int, thinking: Thinking) -> Analysis:
        looks.append((seed, thinking.limit.nodes, thinking.watched))
        return usual

    monkeypatch.setattr(Level, "_thought", thought)
    monkeypatch.setattr(level.Nearby, "decide", decide)
    heard: list[Event] = []
    thinking = Thinking(Limit(nodes=1_000), heard.append)
    found = Level(4)._short(DOTS, 9, thinking)
    name = DOTS.game.move_name
    facts = {"move": name(7), "better": name(3), "plies": 2}
    assert found == Slip(7, Message("slip.short", facts), (name(7), name(3)))
    assert looks == [(9, 400, False), (2, 400, False), (2, 400, True)], "shown once it counts"
    looks.clear()
    usual = short
    assert Level(4)._short(DOTS, 9, thinking) is None
    assert looks == [(9, 400, False), (2, 400, False)]


def test_remote_moves_are_left_out_unless_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = Support.class_for(type(DOTS.game))
    monkeypatch.setattr(kind, "is_remote", lambda self, position, move: move % 2 == 0)
    assert Nearby().considered(DOTS) == [move for move in DOTS.moves() if move % 2]
    monkeypatch.setattr(kind, "is_remote", lambda self, position, move: True)
    assert Nearby().considered(DOTS) == list(DOTS.moves())


def test_alone_a_careless_player_takes_any_move_if_there_are_two() -> None:
    board = papan.position("onet:2,3 1,0,0/0,0,1")
    thinking = Thinking(Limit())
    assert len(board.moves()) == 1
    assert Level(1)._slip(board, 0, Random(1), thinking) is None
    many = papan.position("onet:4,6")
    slips = [Level(1)._slip(many, 0, Random(seed), thinking) for seed in range(40)]
    assert {each.move for each in slips if each} == {*many.moves()}
    assert {each.message for each in slips if each} == {Message("level.careless")}


def test_a_level_loads_what_it_will_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(Solver, "load", lambda self, position: loaded.append("solver"))
    monkeypatch.setattr(AlphaBeta, "load", lambda self, position: loaded.append(self.spec))
    for number in (3, 4, 5):
        Level(number, seed=8).load(DOTS)
    with plain_searches():
        Level(5).load(DOTS)
    six = "alphabeta:depth=6"
    assert loaded == [six, "solver", "alphabeta", "solver", "alphabeta", "alphabeta"]


def test_only_levels_of_the_board_play_it() -> None:
    found = [Level(number).plays(papan.game("onet")) for number in range(1, 6)]
    assert found == [True, False, True, False, True]
    assert [Level(3).spec, Level(3, 7).spec] == ["level:3", "level:3,seed=7"]
