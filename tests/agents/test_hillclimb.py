"""Local search sees its own next move and nothing else."""

import random
from itertools import pairwise
from math import e

import pytest

import papan
from papan.agents.metaheuristics import Annealing, HillClimb, Stochastic
from papan.core import Event, InvalidSpecError, Limit, Position


def board(text: str, turn: str) -> Position:
    rows = "/".join(text.split())
    return papan.position(f"adjacency:8,8,28 {rows} {turn}")


def test_takes_the_square_with_the_largest_margin_right_after_it() -> None:
    """b3 has two rival marks beside it, every other square fewer."""
    text = """
    ......oo
    .o....oo
    o.x.....
    .x......
    ........
    ........
    xx......
    xx......
    """
    position = board(text, "o")
    analysis = HillClimb().analyse(position)
    assert position.game.move_name(analysis.move) == "b3"
    assert analysis.value == 6 + 1 + 2 - (6 - 2)
    assert len(analysis.values) == analysis.nodes == len(position.moves())


def test_of_equal_squares_it_takes_the_first_row_by_row() -> None:
    """Beside the marks of o in the top right corner, f1 comes before f2, g3 and h3."""
    position = papan.position("adjacency")
    analysis = HillClimb().analyse(position)
    assert position.game.move_name(analysis.move) == "f1"
    best = [move for move, value in analysis.values.items() if value.number == analysis.value]
    assert [position.game.move_name(move) for move in best] == ["f1", "f2", "g3", "h3"]


def test_it_does_not_see_the_answer() -> None:
    """Taking a box is worth one box to it, even where two could be had by waiting."""
    position = papan.position("dots:1,2").after("a1b1 b1c1 a2b2")
    assert HillClimb().analyse(position).value == 0
    assert position.game.move_name(HillClimb().analyse(position).move) == "b2c2"


def test_tells_each_step_up_and_the_whole_neighbourhood() -> None:
    events: list[Event] = []
    position = papan.position("adjacency")
    analysis = HillClimb().analyse(position, listener=events.append)
    climbs = [event for event in events if event["t"] == "climb"]
    heights = [event["v"] for event in climbs]
    assert heights == sorted(set(heights))
    assert heights[-1] == analysis.value
    (root,) = [event for event in events if event["t"] == "root"]
    assert len(root["moves"]) == 56
    assert root["here"] == 0
    assert root["plateau"] == sum(move["v"] == analysis.value for move in root["moves"])


def test_a_climb_cut_short_takes_the_best_so_far() -> None:
    position = papan.position("adjacency")
    analysis = HillClimb().analyse(position, Limit(nodes=5))
    assert len(analysis.values) == 5
    assert analysis.why == "nodes"
    assert analysis.value == max(value.number for value in analysis.values.values())


def test_every_accepted_step_is_told_with_its_move() -> None:
    events = list(HillClimb().think(papan.position("adjacency:4,4,2")))
    climbs = [event for event in events if event["t"] == "climb"]
    best = next(event["best"] for event in events if event["t"] == "done")
    assert climbs[-1]["m"] == best


def test_stochastic_climbing_keeps_only_what_is_higher() -> None:
    events: list[Event] = []
    position = papan.position("adjacency")
    analysis = Stochastic(seed=1).analyse(position, listener=events.append)
    heights = [event["v"] for event in events if event["t"] == "climb"]
    assert heights == sorted(set(heights))
    assert analysis.value == max(value.number for value in analysis.values.values())
    assert analysis.nodes == 101, "one to begin with, and a hundred"


def test_stochastic_climbing_that_looks_at_nothing_stays_where_it_is() -> None:
    position = papan.position("adjacency")
    analysis = Stochastic(looks=0, seed=3).analyse(position)
    assert list(analysis.values) == [analysis.move]


def test_annealing_goes_down_while_it_is_hot_and_ends_with_the_cold() -> None:
    events: list[Event] = []
    position = papan.position("adjacency")
    analysis = Annealing(seed=1).analyse(position, listener=events.append)
    heights = [event["v"] for event in events if event["t"] == "climb"]
    assert any(later < sooner for sooner, later in pairwise(heights))
    assert heights[-1] == analysis.value
    assert analysis.nodes == 561, "56 squares, 0.1 degrees a look"
    (root,) = [event for event in events if event["t"] == "root"]
    assert root["best"] == position.game.move_name(analysis.move)


@pytest.mark.parametrize(("rise", "left"), [(-1, 10), (-1, 20), (-3, 10), (0, 10)])
def test_annealing_goes_down_the_less_the_colder_it_is_and_the_lower_it_gets(
    rise: float, left: int
) -> None:
    rng, agent = random.Random(1), Annealing(cooling=0.1)
    taken = sum(agent.accepts(rise, left, rng) for _ in range(2_000)) / 2_000
    assert taken == pytest.approx(e ** (rise / (left * 0.1)), abs=0.05)


def test_annealing_without_heat_is_stochastic_climbing() -> None:
    cold = Annealing(temperature=0.1, cooling=0.1, seed=2)
    assert cold.steps(56) == 1
    assert not cold.accepts(0, 0, random.Random(0))
    assert cold.accepts(1, 0, random.Random(0))


@pytest.mark.parametrize("spec", ["annealing:cooling=0", "stochastic:looks=-1"])
def test_settings_of_local_search_out_of_bounds_are_refused(spec: str) -> None:
    with pytest.raises(InvalidSpecError):
        papan.agent(spec)
