"""The ladder: who meets whom, and when the order is told."""

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest

from papan.contest.ladder import MOST_PAIRS, Ladder, kendall_tau, pairing


def play(
    ladder: Ladder, strengths: dict[str, float], pairs: int, seed: int = 0
) -> list[tuple[str, str]]:
    """Play pairs of games that end by the strengths, until all is told; return who met."""
    rng, met = random.Random(seed), []
    for _ in range(pairs):
        chosen = ladder.following(())
        if chosen is None:
            break
        lead = strengths[chosen[0]] - strengths[chosen[1]]
        wins = 1 / (1 + 10 ** (-lead / 400))
        ladder.add(*chosen, [1 if rng.random() < wins else -1 for _ in range(2)])
        met.append(chosen)
    return met


def field(count: int, gap: float) -> dict[str, float]:
    return {f"p{place:02}": -gap * place for place in range(count)}


def test_swiss_rounds_come_first_and_nobody_meets_twice_in_them() -> None:
    strengths = field(16, 200)
    ladder = Ladder(list(strengths))
    met = play(ladder, strengths, 16 * 4 // 2)
    assert ladder.swiss == 4
    assert len(set(met)) == len(met)
    assert set(Counter(name for one in met for name in one).values()) <= {3, 4, 5}


def test_games_under_way_count_when_the_next_two_are_chosen() -> None:
    ladder, running = Ladder(["a", "b", "c", "d"]), list[tuple[str, str]]()
    for _ in range(2):
        chosen = ladder.following(running)
        assert chosen
        running.append(chosen)
    assert sorted(name for one in running for name in one) == ["a", "b", "c", "d"]


def test_players_whose_first_games_are_not_over_can_be_chosen_again() -> None:
    ladder = Ladder(["a", "b", "c"])
    ladder.add("a", "b", [1, -1])
    running = [("a", "b"), ("a", "c"), ("b", "c")]
    assert ladder.swiss_pairing(running) is None
    assert ladder.following(running) is not None  # c has no rating yet


def test_an_uncertain_lead_tells_more_than_one_that_many_games_have_told() -> None:
    ladder = Ladder(["a", "b", "c"])
    ladder.add("a", "b", [1, -1] * 8)
    ladder.add("b", "c", [1, -1])
    ladder.add("a", "c", [1, -1])
    assert ladder.following(()) != ("a", "b")


def test_after_the_swiss_rounds_only_near_players_meet() -> None:
    strengths = field(12, 150)
    ladder = Ladder(list(strengths))
    swiss = len(strengths) * ladder.swiss // 2 + 3
    late = play(ladder, strengths, 150)[swiss:]
    place = {name: number for number, name in enumerate(strengths)}
    assert late
    assert all(abs(place[a] - place[b]) <= 7 for a, b in late)


def test_a_clear_order_is_told_and_the_ladder_ends() -> None:
    strengths = field(6, 800)
    ladder = Ladder(list(strengths))
    met = play(ladder, strengths, 2000)
    assert len(met) < 2000
    assert ladder.order() == list(strengths)
    assert not ladder.open_neighbours()
    assert ladder.following(()) is None


def test_equal_players_are_given_up_after_many_pairs() -> None:
    ladder = Ladder(["a", "b"])
    for _ in range(MOST_PAIRS):
        assert ladder.following(()) == ("a", "b")
        ladder.add("b", "a", [1, -1])
    assert ladder.following(()) is None
    assert ladder.score("a", "b") == (MOST_PAIRS, 0, MOST_PAIRS)


@pytest.mark.thorough
def test_k2_a_ladder_finds_the_first_ten_with_a_part_of_the_games() -> None:
    """The full measurement, with 40 players and 20 runs, is benchmarks/contest.py."""
    rng = random.Random(1)
    strengths = {f"{number:02}": rng.gauss(0, 600) for number in range(24)}
    ladder = Ladder(list(strengths))
    met = play(ladder, strengths, 350)
    everyone = len(list(combinations(strengths, 2)))
    assert len(met) < 2 * everyone  # of the 20 * everyone that a full round robin has
    truth = sorted(strengths, key=lambda each: -strengths[each])
    assert kendall_tau(ladder.order()[:10], {each: n for n, each in enumerate(truth)}) >= 0.8


def test_results_do_not_depend_on_who_is_named_first() -> None:
    one, other = Ladder(["a", "b"]), Ladder(["a", "b"])
    one.add("a", "b", [1, 0])
    other.add("b", "a", [-1, 0])
    assert one.score("a", "b") == other.score("a", "b") == (1, 1, 0)
    assert one.points("b") == (0.5, 2)
    assert pairing("b", "a") == ("a", "b")


@pytest.mark.parametrize(
    ("order", "tau"), [("abcd", 1), ("dcba", -1), ("bacd", 1 - 2 / 6), ("abdc", 1 - 2 / 6)]
)
def test_kendalls_tau_counts_pairs_in_the_same_order(order: str, tau: float) -> None:
    assert kendall_tau(order, {"a": 0, "b": 1, "c": 2, "d": 3}) == pytest.approx(tau)


def test_whoever_has_not_played_comes_last_and_has_no_rating() -> None:
    ladder = Ladder(["a", "b", "c"])
    ladder.add("b", "c", [1, 1])
    assert ladder.order() == ["b", "c", "a"]
    assert ladder.rating("a") is None
    rating = ladder.rating("b")
    assert rating is not None and rating.low < rating.value < rating.high


def test_y7_neighbours_that_count_as_equal_are_no_longer_open() -> None:
    ladder = Ladder(["a", "b"])
    for _ in range(MOST_PAIRS):
        assert ladder.open_neighbours() == [("a", "b")]
        ladder.add("a", "b", [1, -1])
    assert ladder.open_neighbours() == []


def test_y7_as_many_swiss_rounds_as_halve_the_field_down_to_one() -> None:
    fields = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 8: 3, 9: 4}
    assert {count: Ladder([f"p{n}" for n in range(count)]).swiss for count in fields} == fields
    assert Ladder(["a", "b"], swiss=3).swiss == 3


def test_y7_half_a_pair_of_games_does_not_count_as_one() -> None:
    ladder = Ladder(["a", "b"])
    pairs = []
    for _ in range(4):
        ladder.add("b", "a", [1])
        pairs.append(ladder.pairs(("a", "b")))
    assert pairs == [0, 1, 1, 2]


def test_y7_a_score_is_that_of_the_first_named() -> None:
    ladder = Ladder(["a", "b"])
    ladder.add("b", "a", [1, 1, 0, -1, 1])
    assert ladder.score("b", "a") == (3, 1, 1)
    assert ladder.score("a", "b") == (1, 1, 3)
    assert ladder.score("a", "c") == (0, 0, 0)
    assert (ladder.points("a"), ladder.points("b"), ladder.points("c")) == (
        (1.5, 5),
        (3.5, 5),
        (0, 0),
    )


def test_y7_in_a_swiss_round_players_with_nearly_equal_points_meet() -> None:
    ladder = Ladder(["a", "b", "c", "d"])
    ladder.add("a", "b", [1, 1])
    ladder.add("d", "c", [1, 1])
    assert ladder.swiss_pairing(()) == ("a", "d")  # the two winners, the best first
    assert ladder.swiss_pairing([("a", "d")]) == ("b", "c")
    ladder.add("d", "a", [1, 1])
    assert ladder.swiss_pairing(()) == ("b", "c")
    ladder.add("b", "c", [1, 1])
    assert ladder.swiss_pairing(()) is None


def test_y7_games_against_house_bots_are_points_but_no_swiss_rounds() -> None:
    ladder = Ladder(["a", "b"])
    ladder.add("house", "a", [1, -1])
    assert ladder.points("a") == (1, 2)
    assert ladder.swiss_pairing(()) == ("a", "b")
    assert ladder.order() == ["a", "b"]  # the house bot is not ranked


def test_a_game_against_a_house_bot_that_is_played_now_is_no_swiss_round_either() -> None:
    ladder = Ladder([*"abcd"])
    ladder.add("a", "b", [1, 1])
    ladder.add("c", "d", [1, 1])
    alone = ladder.swiss_pairing(())
    assert alone is not None
    assert ladder.swiss_pairing([pairing(alone[0], "house")]) == alone


def test_y7_nobody_knows_who_is_stronger_before_both_have_played() -> None:
    ladder = Ladder(["a", "b", "c"])
    ladder.add("a", "b", [1, 1, 1, 1])
    assert ladder.superiority("a", "c") == 0.5
    assert ladder.superiority("a", "b") > 0.5 > ladder.superiority("b", "a")
    before = ladder.superiority("a", "b")
    ladder.add("b", "a", [1, 1, 1, 1])
    assert ladder.superiority("a", "b") < before


def test_y7_pairings_that_are_played_already_are_put_off() -> None:
    ladder = Ladder(["a", "b", "c"])
    for one in (("a", "b"), ("b", "c"), ("a", "c")):
        ladder.add(*one, [1, -1])
    free = ladder._most_informative(())
    assert len(free) == 1  # eight for each hundred players, but at least one
    assert ladder._most_informative(free * 9) != free


@pytest.mark.parametrize(("order", "tau"), [("", 0), ("a", 0), ("ab", 1), ("ba", -1)])
def test_y7_kendalls_tau_of_the_shortest_orders(order: str, tau: float) -> None:
    assert kendall_tau(order, {"a": 0, "b": 1}) == tau


@pytest.mark.parametrize(
    ("count", "pairings"), [(2, 1), (12, 1), (24, 1), (25, 2), (99, 7), (100, 8)]
)
def test_eight_pairings_are_chosen_at_once_for_each_hundred_players(
    count: int, pairings: int
) -> None:
    ladder = Ladder([f"p{n:03}" for n in range(count)])
    assert len(ladder._most_informative(())) == pairings


def test_pairings_of_the_first_ten_and_of_neighbours_tell_most() -> None:
    names = [f"p{n:03}" for n in range(250)]  # nobody has played: all leads are as uncertain
    near = [(names[n], names[n + 1]) for n in range(10)]
    next_but_one = [(names[n], names[n + 2]) for n in range(10)]
    assert Ladder(names)._most_informative(()) == [*near, *next_but_one]


def test_a_pairing_that_is_played_tells_half_as_much_and_at_last_nothing() -> None:
    ladder = Ladder(["a", "b", "c"])  # 1 / sqrt(2) of the neighbours' gain for a and c
    assert ladder._most_informative(()) == [("a", "b")]
    assert ladder._most_informative([("a", "b")]) == [("b", "c")]
    assert ladder._most_informative([("a", "b"), ("b", "c")]) == [("a", "c")]
    everyone = [("a", "b"), ("b", "c"), ("a", "c")]
    assert ladder._most_informative(everyone * MOST_PAIRS) == []
    assert ladder._most_informative((everyone * MOST_PAIRS)[:-1]) == [("a", "c")]


def test_players_more_than_four_places_apart_do_not_meet() -> None:
    names = [f"p{n}" for n in range(7)]
    near = [(a, b) for a, b in combinations(names, 2) if int(b[1]) - int(a[1]) <= 4]
    ladder, chosen = Ladder(names), set[tuple[str, str]]()
    running = list[tuple[str, str]]()
    while found := ladder._most_informative(running):
        chosen.update(found)
        running += found * MOST_PAIRS
    assert chosen == set(near)


@pytest.mark.parametrize(("place", "weight"), [(0, 100), (9, 100), (10, 1)])
@pytest.mark.parametrize("distance", [1, 4])
def test_what_a_pairing_tells_grows_with_doubt_and_falls_with_the_lead(
    place: int, weight: int, distance: int
) -> None:
    ladder = Ladder(["a", "b", "c"])
    ladder.add("a", "b", [1, 1, -1])
    lead, error = ladder.ranking.lead_and_error("a", "b")
    assert lead > 0 and error > 0
    share = 1 / (1 + 10 ** (-lead / 400))
    doubt = 2.718281828459045 ** -((lead / error) ** 2 / 2)
    want = weight * doubt * error * share * (1 - share) / distance**0.5
    assert ladder._gain(place, distance, ("a", "b")) == pytest.approx(want)
    unknown = weight * 400 / 4 / distance**0.5  # c has not played: no lead, 400 Elo of error
    assert ladder._gain(place, distance, ("b", "c")) == pytest.approx(unknown)


def test_an_order_is_settled_from_the_least_probability_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ladder = Ladder(["a", "b", "c"])
    for sure, left in ((0.975, 0), (0.9749, 2)):
        monkeypatch.setattr(Ladder, "superiority", lambda *_, sure=sure: sure)
        assert len(ladder.open_neighbours()) == left
        assert bool(ladder._most_informative(())) == bool(left)


def test_pairings_that_were_chosen_at_once_are_returned_one_after_another() -> None:
    names = [f"p{n:02}" for n in range(25)]
    ladder = Ladder(names, swiss=1)
    for first, second in pairwise(names):
        ladder.add(first, second, [1, -1])
    chosen = ladder._most_informative(())
    assert len(chosen) == 2
    assert [ladder.following(()), ladder.following(())] == chosen
    assert ladder.following(chosen) == ladder._most_informative(chosen)[0]


def test_in_a_swiss_round_those_who_have_played_least_come_first() -> None:
    ladder = Ladder(["a", "b", "c", "d", "e"], swiss=2)
    ladder.add("a", "b", [1, 1])
    ladder.add("c", "d", [0, 0])
    assert ladder.swiss_pairing(()) == ("c", "e")  # half of the points, as e without games
    ladder.add("c", "e", [-1, -1])
    assert ladder.swiss_pairing(()) == ("a", "e")  # both have won; c has played both rounds
    ladder.add("e", "a", [1, -1])
    assert ladder.swiss_pairing(()) == ("b", "d")  # the only ones with one round
    assert ladder.swiss_pairing([("b", "d")]) is None
    ladder.add("b", "c", [1, 1])  # d is alone now: it meets whoever is the most like it
    assert ladder.swiss_pairing(()) == ("b", "d")


def test_whoever_has_met_everybody_ends_the_swiss_rounds() -> None:
    ladder = Ladder(["a", "b", "c"], swiss=3)
    for one in (("a", "b"), ("a", "c")):
        assert ladder.swiss_pairing(()) == one
        ladder.add(*one, [1, -1])
    assert ladder.swiss_pairing(()) == ("b", "c")
    assert ladder.swiss_pairing([("b", "c")]) is None  # all have played two of three rounds
