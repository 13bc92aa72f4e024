"""Local search sees its own next move and nothing else."""

import random
from itertools import pairwise
from math import e

import pytest

import papan
from papan.agents.metaheuristics import Annealing, HillClimb, Stochastic, Wander
from papan.core import Event, InvalidSpecError, Limit, Position, Thinking


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


@pytest.fixture
def untimed(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Events without the times."""

    class Untimed(list[Event]):
        def append(self, event: Event) -> None:
            super().append({key: event[key] for key in event if key not in ("ms", "nps")})

    return Untimed()


def test_a_climb_is_told_in_full_as_its_mover_sees_it(untimed: list[Event]) -> None:
    """Player 2 is a box behind, and takes the second one with c1c2."""
    position = papan.position("dots:1,3 1101101100 2 1-0")
    analysis = HillClimb().analyse(position, listener=untimed.append)
    margins = {"c1d1": -1, "c2d2": -1, "c1c2": 0, "d1d2": -1}
    assert analysis.value == 0 and position.move_names() == [*margins]
    assert untimed[1:-1] == [
        {"t": "climb", "step": 1, "v": -1, "nbrs": 1, "restart": 0, "m": "c1d1"},
        {"t": "climb", "step": 1, "v": 0, "nbrs": 3, "restart": 0, "m": "c1c2"},
        {
            "t": "root", "depth": 1, "best": "c1c2", "nodes": 4, "here": -1, "plateau": 1,
            "moves": [
                {"m": name, "v": margin, "k": "estimate", "n": 1, "pv": [name]}
                for name, margin in margins.items()
            ],
        },
    ]  # fmt: skip


def test_random_looks_at_every_place_and_tells_equal_shares(untimed: list[Event]) -> None:
    position = papan.position("tictactoe xo./.../... x")
    analysis = papan.agent("random:seed=5").analyse(position, listener=untimed.append)
    best = position.game.move_name(analysis.move)
    (root,) = [event for event in untimed if event["t"] == "root"]
    assert (root["depth"], root["best"], root["nodes"]) == (1, best, 9)
    assert root["moves"] == [
        {"m": name, "v": 1 / 7, "k": "visits", "n": 1} for name in position.move_names()
    ]
    assert analysis.nodes == 9
    draws = {papan.agent(f"random:seed={seed}").choose(position) for seed in range(60)}
    assert draws == {*position.move_names()}


class Heard(Wander):
    """A walk that accepts what it is told to, and notes what it is asked."""

    name = "heard"
    seed = 3

    def __init__(self, *answers: bool) -> None:
        self.answers, self.asked = list(answers), list[tuple[float, int]]()

    def steps(self, moves: int) -> int:
        assert moves == 56
        return len(self.answers)

    def accepts(self, rise: float, left: int, rng: random.Random) -> bool:
        self.asked.append((rise, left))
        return self.answers[len(self.asked) - 1]


def test_a_walk_counts_down_what_is_left_and_numbers_the_moves_it_accepts() -> None:
    position, events = papan.position("adjacency"), list[Event]()
    thinking = Thinking(Limit(), events.append)
    walk = Heard(*[False, True, True, False, True] * 20)
    analysis = walk.decide(position, thinking)
    assert [left for _, left in walk.asked] == list(range(99, -1, -1))
    climbs = [event for event in events if event["t"] == "climb"]
    assert [event["step"] for event in climbs] == list(range(1, len(climbs) + 1))
    names = [event["m"] for event in climbs]
    assert all(one != other for one, other in pairwise(names)), "no step leads nowhere"
    assert 40 < len(climbs) <= 60 and thinking.nodes == 101
    assert {event["restart"] for event in climbs} == {0}
    assert position.game.move_name(analysis.move) == names[-1]
    (root,) = [event for event in events if event["t"] == "root"]
    assert climbs[-1]["nbrs"] <= len(root["moves"]) == len(analysis.values) < 56
    margins = [value.number for value in analysis.values.values()]
    assert analysis.value == climbs[-1]["v"] < max(margins)
    assert root["plateau"] == margins.count(climbs[-1]["v"])
    begins = {Stochastic(looks=0, seed=seed).analyse(position).move for seed in range(9)}
    assert len(begins) > 4, "the seed decides where it begins"
    lone = Heard(False).decide(position, Thinking(Limit()))
    assert len(lone.values) <= 2


def test_annealing_cools_by_a_tenth_a_look_from_its_temperature() -> None:
    assert Annealing().steps(56) == 560
    assert Annealing(temperature=2.5, cooling=0.5).steps(56) == 5
    assert Annealing(temperature=2.9, cooling=1).steps(56) == 2
    hot = Annealing(cooling=2)

    class Half(random.Random):
        def random(self) -> float:
            return 0.5

    assert [hot.accepts(-2, left, Half()) for left in (0, 1, 2)] == [False, False, True]
    assert [hot.accepts(0, left, Half()) for left in (0, 1)] == [False, True]
    assert Annealing(cooling=0.001).accepts(0.001, 0, Half())
    assert not Stochastic().accepts(0, 9, Half())
