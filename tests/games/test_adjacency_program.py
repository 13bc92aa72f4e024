"""The agents of paper 001 decide as the authors' own Java program did.

`tests/data/adjacency_program.jsonl` has decisions of that program, which is public
(NerbFox/adversarial-adjacency-strategy-game, commit a7cc319): it was compiled unchanged but for its
chance, which came from one `java.util.Random` with the seed that stands beside each decision.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import UNLIMITED, Event, Move
from papan.core.thinking import Thinking
from papan.games.adjacency.paper import Neighbours, Population, Reservation
from papan.games.adjacency.rules import AdjacencyPosition

DECISIONS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "adjacency_program.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


class JavaRandom:
    """`java.util.Random` as its documentation defines it, and `Collections.shuffle`."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) & (1 << 48) - 1

    def bits(self, count: int) -> int:
        self.state = (self.state * 0x5DEECE66D + 0xB) & (1 << 48) - 1
        return self.state >> 48 - count

    def random(self) -> float:
        return ((self.bits(26) << 27) + self.bits(27)) * 2.0**-53

    def below(self, bound: int) -> int:
        if bound & -bound == bound:
            return bound * self.bits(31) >> 31
        while True:
            bits = self.bits(31)
            value = bits % bound
            if bits - value + bound - 1 < 1 << 31:
                return value

    def shuffle(self, x: list[Move], /) -> None:
        for place in range(len(x) - 1, 0, -1):
            other = self.below(place + 1)
            x[place], x[other] = x[other], x[place]


def position(text: str) -> AdjacencyPosition:
    found = papan.position(text)
    assert isinstance(found, AdjacencyPosition)
    return found


def decisions(bot: str) -> list[Any]:
    return [each for each in DECISIONS if each["bot"] == bot]


@pytest.mark.parametrize("decision", decisions("genetic"), ids=lambda each: each["position"])
def test_q1_the_genetic_agent_of_the_program_breeds_as_it_did(decision: dict[str, Any]) -> None:
    population = Population(position(decision["position"]), Thinking(UNLIMITED))
    for _ in population.generations(JavaRandom(decision["seed"])):
        pass
    assert [each.fitness for each in population.ranked] == decision["fitness"]
    assert population.ranked[0].order[0] == decision["move"]


@pytest.mark.parametrize("decision", decisions("minimax"), ids=lambda each: each["position"])
def test_q1_minimax_of_the_program_moves_as_it_did(decision: dict[str, Any]) -> None:
    root = position(decision["position"])
    assert Neighbours(program=True).analyse(root).move == decision["move"]


@pytest.mark.parametrize("decision", decisions("hill"), ids=lambda each: each["position"])
def test_q1_hill_climbing_of_the_program_moves_as_it_did(decision: dict[str, Any]) -> None:
    root = position(decision["position"])
    assert papan.agent("hillclimb").analyse(root).move == decision["move"]


def test_q1_both_seats_of_the_program_are_among_the_decisions() -> None:
    seats = {(each["bot"], each["position"][-1]) for each in DECISIONS}
    assert seats >= {(bot, turn) for bot in ("genetic", "minimax") for turn in "xo"}


def test_q1_the_program_looks_to_the_end_when_six_plies_are_left_also_as_o() -> None:
    o_begins = position("adjacency:4,4,3,first=o")
    assert o_begins.plies_left == 6
    depths: list[Event] = []
    Neighbours(program=True).analyse(o_begins, listener=depths.append)
    assert max(each["depth"] for each in depths if each["t"] == "root") == 6


def test_q1_the_program_takes_the_first_square_when_its_list_runs_out() -> None:
    lonely = position(
        "adjacency:8,8,28 ...xoxox/.oxoxoxo/xoxoxoxo/" + "xoxoxoxo/" * 4 + "xoxoxoxo x"
    )
    assert lonely.plies_left == 4  # of four empty squares, only three lie beside a mark
    analysis = Neighbours(program=True).analyse(lonely)
    assert (analysis.move, analysis.nodes) == (lonely.game.parse_move("b1"), 0)


def test_q1_reservation_is_an_agent_with_a_seed_whose_answer_repeats() -> None:
    root = position("adjacency:8,8,8")
    events: list[Event] = []
    first = papan.agent("reservation:seed=3").analyse(root, listener=events.append)
    assert first.move == Reservation(seed=3).analyse(root).move
    generations = [each for each in events if each["t"] == "gen"]
    assert [each["g"] for each in generations] == list(range(21))
    assert len({*generations[0]["line"]}) == 56  # all empty squares, beyond the sixteen plies


def test_q1_reservation_answers_when_its_nodes_run_out() -> None:
    root = position("adjacency:8,8,8")
    for nodes in (1, 300, 1000):
        analysis = Reservation().analyse(root, nodes=nodes)
        assert analysis.nodes <= nodes
        assert root.allows(analysis.move)
