"""Plans: which games there are, and that they are read back as they were written."""

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan.core import UNLIMITED, InvalidRecordError, InvalidSpecError, Limit
from papan.lab.match import unit_seed
from papan.lab.statistics.elo import Sprt
from papan.lab.tournament.plan import (
    Assignment,
    BotGuard,
    Stopping,
    TournamentPlan,
    command,
    parse_assignment,
    parse_plan,
)

THREE = ("random", "minimax", "alphabeta")


def test_in_a_round_everyone_meets_everyone_with_both_seats() -> None:
    plan = TournamentPlan("tictactoe", THREE, pairs=4)
    assert plan.seatings == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert plan.games == 24


def test_in_a_gauntlet_the_first_meets_all_others() -> None:
    plan = TournamentPlan("tictactoe", THREE, pairs=4, gauntlet=True)
    assert plan.seatings == [(0, 1), (1, 0), (0, 2), (2, 0)]


def test_a_puzzle_is_played_once_by_each_in_a_round() -> None:
    assert TournamentPlan("onet", THREE, seats=1).seatings == [(0,), (1,), (2,)]


def test_agents_with_the_same_spec_are_told_apart() -> None:
    assert TournamentPlan("tictactoe", ("random", "random")).names == ("random", "random #2")


def test_all_games_of_a_round_share_the_opening_and_no_two_agents_their_luck() -> None:
    plan = TournamentPlan("tictactoe", THREE, pairs=4, seed=7)
    tasks = [Assignment(plan, number, "papan.catalog") for number in range(plan.games)]
    assert [task.seed for task in tasks] == [unit_seed(7, n) for n in range(4) for _ in range(6)]
    orders = [order for task in tasks for order in task.orders()]
    seeds = {(order.seed, order.agent, order.agent_seed) for order in orders}
    assert len(seeds) == len({seed for _, _, seed in seeds}) == 12


def test_an_assignment_is_read_back_as_it_was_written() -> None:
    plan = TournamentPlan("tictactoe", THREE, limit=Limit(seconds=0.5), adjudicate=9)
    task = Assignment(plan, 3, "papan.catalog")
    assert parse_assignment(task.text) == task
    assert [order.agent for order in task.orders()] == [THREE[2], THREE[0]]


@pytest.mark.parametrize(
    "plan",
    [
        TournamentPlan("tictactoe", THREE),
        TournamentPlan("onet", THREE, seats=1, pairs=3, seed=-5, opening=0, gauntlet=True),
        TournamentPlan(
            "connect4",
            ("random", "minimax"),
            limit=Limit(seconds=0.25, nodes=100),
            adjudicate=1000,
            guard=BotGuard(5, 100),
            stopping=Stopping(Sprt(0, 10), 25),
        ),
    ],
)
def test_a_plan_is_read_back_as_it_was_written(plan: TournamentPlan) -> None:
    assert parse_plan(json.loads(json.dumps(plan.json()))) == plan


@pytest.mark.parametrize(
    ("limit", "written", "earlier"),
    [
        (Limit(), {}, {"seconds": None, "nodes": None}),
        (Limit(nodes=50), {"nodes": 50}, {"seconds": None, "nodes": 50}),
        (Limit(0.5, 9), {"seconds": 0.5, "nodes": 9}, {"seconds": 0.5, "nodes": 9}),
    ],
)
def test_a_limit_has_one_form_and_that_of_earlier_plans_is_read(
    limit: Limit, written: dict[str, float], earlier: dict[str, float | None]
) -> None:
    plan = TournamentPlan("tictactoe", THREE, limit=limit)
    assert plan.json()["limit"] == limit.json() == written
    old = plan.json() | {"limit": earlier}
    assert parse_plan(old) == plan
    assert plan.sealed_text == json.dumps(old, sort_keys=True)


@pytest.mark.parametrize("facts", [None, [], {}, {"format": 1}, {"format": 1, "limit": 3}])
def test_what_is_no_plan_is_said_to_be_none(facts: Any) -> None:
    with pytest.raises(InvalidRecordError, match="cannot be read"):
        parse_plan(facts)


def test_agents_that_are_one_text_are_not_taken_for_its_letters() -> None:
    facts = TournamentPlan("tictactoe", THREE).json() | {"agents": "ab"}
    with pytest.raises(InvalidRecordError, match="agents"):
        parse_plan(facts)


def test_a_plan_of_a_newer_papan_is_not_guessed_at() -> None:
    with pytest.raises(InvalidRecordError, match="newer papan"):
        parse_plan({"format": 99})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"agents": ("random",)}, "at least 2 agents, not 1"),
        ({"pairs": 0}, "at least 1 pair"),
        ({"opening": -1}, "at least 1 pair"),
        ({"stopping": Stopping(Sprt())}, "decides between 2 agents, not 3"),
        ({"adjudicate": -1}, "Adjudication needs"),
        ({"adjudicate": 5, "seats": 1}, "Adjudication needs"),
    ],
)
def test_a_plan_must_make_sense(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidSpecError, match=message):
        TournamentPlan("tictactoe", **{"agents": THREE, **settings})


@pytest.mark.parametrize("guard", [(0, 100), (float("inf"), 100), (float("nan"), 100), (5, 63)])
def test_bots_are_always_held_to_a_deadline_and_to_some_memory(guard: tuple[float, int]) -> None:
    with pytest.raises(InvalidSpecError, match="The deadline must be"):
        BotGuard(*guard)


def test_an_error_to_stop_at_is_more_than_nothing() -> None:
    with pytest.raises(InvalidSpecError, match="more than 0 Elo"):
        Stopping(error=0)


def test_z10_a_plan_of_any_number_of_agents_takes_no_memory() -> None:
    with pytest.raises(InvalidSpecError, match="at most 1000 agents, not 250000"):
        TournamentPlan("tictactoe", ("a",) * 250_000)


def test_the_command_of_a_plan_says_every_digit_of_its_limit() -> None:
    plan = TournamentPlan("tictactoe", THREE, limit=Limit(seconds=0.1, nodes=123_456_789))
    assert command(plan) == (
        "papan tournament run cup random minimax alphabeta --game tictactoe --pairs 10 --seed 0"
        " --opening 2 --nodes 123456789 --seconds 0.1"
    )


def test_y7_the_command_of_a_plan_says_how_games_may_be_ended() -> None:
    test = Sprt(elo0=-3, elo1=2, model="logistic")
    plan = TournamentPlan(
        "tictactoe",
        THREE[:2],
        adjudicate=5000,
        guard=BotGuard(deadline=2.5, memory=512),
        stopping=Stopping(test, error=20),
    )
    assert command(plan) == (
        "papan tournament run cup random minimax --game tictactoe --pairs 10 --seed 0 --opening 2"
        " --seconds inf --adjudicate 5000 --deadline 2.5 --memory 512"
        " --sprt elo0=-3,elo1=2,alpha=0.05,beta=0.05,model=logistic --until-error 20"
    )


def test_y7_the_command_of_a_plan_says_all_of_its_numbers() -> None:
    test = Sprt(elo0=-2.5, elo1=2.1234567, alpha=0.12345678, beta=0.02)
    plan = TournamentPlan(
        "tictactoe",
        THREE[:2],
        pairs=3,
        seed=7,
        opening=4,
        gauntlet=True,
        stopping=Stopping(test, error=12.3456789),
    )
    assert command(plan) == (
        "papan tournament run cup random minimax --game tictactoe --pairs 3 --seed 7 --opening 4"
        " --seconds inf --gauntlet"
        " --sprt elo0=-2.5,elo1=2.1234567,alpha=0.12345678,beta=0.02,model=normalised"
        " --until-error 12.3456789"
    )


def test_y7_the_random_player_takes_the_seat_of_a_suspect_alone() -> None:
    plan = TournamentPlan("tictactoe", THREE)
    seated = {
        (number, seat): [each.agent for each in task.with_house(seat).orders()]
        for number in (2, 3)
        for task in (Assignment(plan, number, "papan.catalog"),)
        for seat in (0, 1)
    }
    assert seated == {
        (2, 0): ["random", "alphabeta"],
        (2, 1): ["random", "random"],
        (3, 0): ["random", "random"],
        (3, 1): ["alphabeta", "random"],
    }
    swapped = Assignment(TournamentPlan("tictactoe", THREE[1:]), 1, "papan.catalog")
    assert [each.agent for each in swapped.with_house(0).orders()] == ["random", "minimax"]


def test_y7_an_order_says_how_its_agent_is_run() -> None:
    plan = TournamentPlan("connect4", THREE, seed=7, guard=BotGuard(memory=512))
    first, second = Assignment(plan, 9, "papan.catalog").orders()  # the second round: c - a
    seed = unit_seed(7, 1)
    assert (first.agent, first.agent_seed) == ("alphabeta", 3 * seed + 2)
    assert (second.agent, second.agent_seed) == ("random", 3 * seed)
    for order in (first, second):
        assert (order.catalog, order.game) == ("papan.catalog", "connect4")
        assert (order.seed, order.memory, order.depth) == (seed, 512, None)


def test_y7_the_name_of_an_agent_is_one_line() -> None:
    written = TournamentPlan("tictactoe", THREE).json() | {"agents": ["a\nb", "c"]}
    assert parse_plan(written).agents == ("a b", "c")


def test_y7_what_holds_where_nothing_is_asked_for_is_what_the_help_says() -> None:
    help_text = (Path(__file__).parents[3] / "docs" / "run-a-tournament.md").read_text()
    guard, plan = BotGuard(), TournamentPlan("tictactoe", THREE)
    assert f"{guard.deadline:g} seconds for a move, {guard.memory} MB" in help_text
    assert (plan.pairs, plan.opening, plan.seed, plan.adjudicate) == (10, 2, 0, 0)
    assert plan.limit == Limit() and not plan.stopping.early and not plan.gauntlet


@pytest.mark.parametrize("most", [1_000, 1_001])
def test_y7_a_plan_has_at_most_a_thousand_agents_and_a_billion_games(most: int) -> None:
    agents, pairs = ("a",) * most, 10**9 // (2 * 999)
    with pytest.raises(InvalidSpecError) if most > 1_000 else nullcontext():
        TournamentPlan("tictactoe", agents, gauntlet=True)
    with pytest.raises(InvalidSpecError) if most > 1_000 else nullcontext():
        TournamentPlan("tictactoe", ("a", "b"), pairs=10**9 // 2 + (most > 1_000))
    assert TournamentPlan("tictactoe", agents[:1_000], pairs=pairs, gauntlet=True).games <= 10**9
    with pytest.raises(InvalidSpecError) if most > 1_000 else nullcontext():
        BotGuard(memory=10**9 + (most > 1_000))
    assert BotGuard(memory=64).memory == 64


def test_y7_either_rule_can_end_a_tournament_early() -> None:
    rules = [Stopping(), Stopping(Sprt()), Stopping(error=9), Stopping(Sprt(), 9)]
    assert [each.early for each in rules] == [False, True, True, True]


def test_the_command_of_a_plan_without_a_limit_has_none_either() -> None:
    plan = TournamentPlan("tictactoe", ("random", "alphabeta"), limit=UNLIMITED)
    assert command(plan).endswith(" --seconds inf")
    assert "inf" not in command(replace(plan, limit=Limit(nodes=9)))
