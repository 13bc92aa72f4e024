"""Games in which a process is killed, and probes of agents: what comes of each, by hand."""

from typing import Any

import pytest

from papan.core import CannotPlayError, InvalidSpecError, PapanError
from papan.lab.referee import KILLS
from papan.lab.tournament.plan import AgentOrder, Assignment, TournamentPlan
from papan.lab.tournament.run import (
    ATTEMPTS,
    LostError,
    Outcome,
    RefereePool,
    Replays,
    probed,
)
from papan.process.lines import CRASHED, WireMessage

from .games import START

OURS, BOT, OTHER = "random", "bot:a.py", "bot:b.py"
DRAWN = {"end": "draw", "blame": None}
NOBODY = Outcome(None, 0, killed=True)


def killed(turn: int) -> Outcome:
    """The referee was killed when this seat was to move."""
    return Outcome(None, turn, killed=True)


def dead(seat: int) -> Outcome:
    """The process of the agent on this seat was killed."""
    return Outcome({"end": "crash", "blame": seat + 1}, 0, killed=True)


def replayed(agents: tuple[str, str], *outcomes: Outcome) -> tuple[Any, list[tuple[Any, ...]]]:
    """What comes of a game with these outcomes, one after the other, and what was played."""
    left, played = [*outcomes], list[tuple[Any, ...]]()

    def attempt(assignment: Assignment, alone: bool) -> Outcome:
        played.append((*assignment.plan.agents, alone))
        return left.pop(0)

    plan = TournamentPlan("tictactoe", agents, opening=0)
    found = Replays(attempt).play(Assignment(plan, 0, "papan.catalog"))
    assert not left
    return found, played


def test_a_game_is_played_once_and_again_alone_if_it_was_killed() -> None:
    fine = Outcome(DRAWN)
    assert replayed((OURS, BOT), fine) == (DRAWN, [(OURS, BOT, False)])
    again = [(OURS, BOT, False), (OURS, BOT, True)]
    assert replayed((OURS, BOT), killed(0), fine) == (DRAWN, again)


@pytest.mark.parametrize(
    ("agents", "last", "blame"),
    [((OURS, BOT), killed(0), 2), ((BOT, OURS), killed(1), 1), ((BOT, OURS), dead(1), 1)],
)
def test_the_only_bot_of_a_game_that_is_killed_twice_forfeits(
    agents: tuple[str, str], last: Outcome, blame: int
) -> None:
    found, played = replayed(agents, NOBODY, last)
    assert len(played) == 2
    culprit = agents[blame - 1]
    error = PapanError(KILLS, agent=culprit)
    assert found == {
        "game": "tictactoe:3,3,3", "start": START, "agents": agents, "moves": "",
        "scores": (0, 0), "end": "crash", "blame": blame, "reason": str(error),
        "cause": {"key": KILLS, "agent": culprit}, "output": "", "adjudicated": None,
        "names": (), "hints": (), "effort": [(), ()], "memory": [0, 0],
    }  # fmt: skip


def test_a_bot_that_was_killed_itself_forfeits_as_its_game_says() -> None:
    found, _ = replayed((OURS, BOT), dead(1), dead(1))
    assert found == {"end": "crash", "blame": 2}


@pytest.mark.parametrize(
    ("first", "second", "game", "blame"),
    [
        (NOBODY, Outcome(DRAWN), killed(1), 1),
        (Outcome(DRAWN), NOBODY, killed(0), 2),
        (NOBODY, NOBODY, killed(1), 2),
        (Outcome(DRAWN), Outcome(DRAWN), killed(0), 1),
        (Outcome(DRAWN), Outcome(DRAWN), dead(1), 2),
    ],
)
def test_of_two_bots_each_plays_the_random_player_to_find_out_who_kills(
    first: Outcome, second: Outcome, game: Outcome, blame: int
) -> None:
    found, played = replayed((BOT, OTHER), NOBODY, game, first, second)
    assert played[2:] == [(BOT, "random", True), ("random", OTHER, True)]
    assert found["blame"] == blame


def test_a_game_of_our_own_agents_is_played_until_its_referee_survives() -> None:
    both, fine = (OURS, "minimax"), Outcome(DRAWN)
    assert replayed(both, dead(1), dead(0))[0] == {"end": "crash", "blame": 1}
    found, played = replayed(both, *[NOBODY] * (ATTEMPTS + 1), fine)
    assert (found, len(played)) == (DRAWN, 2 + ATTEMPTS)
    assert [alone for *_, alone in played] == [False, *[True] * (1 + ATTEMPTS)]
    with pytest.raises(LostError) as lost:
        replayed(both, *[NOBODY] * (2 + ATTEMPTS))
    assert lost.value.key == "tournament.referee_gone"


class Scripted(RefereePool):
    """A pool whose referees answer as they are told to."""

    def __init__(self, *outcomes: Outcome) -> None:
        super().__init__()
        self.outcomes = [*outcomes]
        self.asked: list[tuple[Any, bool]] = []

    def _request(self, request: WireMessage, alone: bool) -> Outcome:
        self.asked.append((request["probe"]["agent"], alone))
        return self.outcomes.pop(0)


READY = Outcome({"t": "ready", "spec": "random:seed=0", "plays": True})


@pytest.mark.parametrize(
    ("outcomes", "asked"),
    [([READY], [False]), ([NOBODY, READY], [False, True])],
)
def test_an_agent_tells_its_settings_when_it_is_started(
    outcomes: list[Outcome], asked: list[bool]
) -> None:
    pool = Scripted(*outcomes)
    assert pool.probe(AgentOrder("papan.catalog", "tictactoe", "random")) == "random:seed=0"
    assert pool.asked == [("random", alone) for alone in asked]


def test_an_agent_that_kills_its_referee_twice_is_known_without_asking() -> None:
    pool = Scripted(NOBODY, NOBODY)
    order = AgentOrder("papan.catalog", "tictactoe", "random:seed=5")
    assert pool.probe(order) == "random:seed=5"
    assert len(pool.asked) == 2


@pytest.mark.parametrize(
    ("facts", "error", "key", "values"),
    [
        (
            {"spec": "x", "plays": False},
            CannotPlayError,
            "error.cannot_play",
            {"agent": "x", "game": "onet"},
        ),
        (
            {"key": CRASHED, "values": {}, "message": "boom"},
            InvalidSpecError,
            "tournament.no_show",
            {"agent": "random", "why": "boom"},
        ),
        ({}, InvalidSpecError, "tournament.no_show", {"agent": "random", "why": "?"}),
        (
            {"key": "tournament.no_depth", "values": {"agent": "y"}, "message": "no"},
            InvalidSpecError,
            "tournament.no_depth",
            {"agent": "y"},
        ),
    ],
)
def test_an_agent_that_cannot_take_part_is_told_with_its_reason(
    facts: dict[str, Any], error: type[PapanError], key: str, values: dict[str, Any]
) -> None:
    with pytest.raises(error) as refused:
        Scripted(Outcome(facts)).probe(AgentOrder("papan.catalog", "onet", "random"))
    assert (refused.value.key, refused.value.values) == (key, values)


def test_all_agents_of_a_plan_are_probed_and_nobody_is_a_person() -> None:
    plan = TournamentPlan("tictactoe", ("minimax", "random"))
    full = probed(Scripted(READY, Outcome({"spec": "x", "plays": True})), plan, "papan.catalog")
    assert full.agents == ("random:seed=0", "x")
    for person in ("human", "human:name=a"):
        with pytest.raises(InvalidSpecError) as refused:
            probed(Scripted(), TournamentPlan("onet", ("random", person)), "papan.catalog")
        assert refused.value.key == "tournament.person"
