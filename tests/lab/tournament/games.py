"""Games that nobody had to play: for tests of what is done with them."""

from concurrent.futures import Future
from dataclasses import asdict
from random import Random
from typing import Any

from papan.core.record import Record
from papan.lab.match import MatchGame
from papan.lab.tournament.plan import TournamentPlan, parse_assignment
from papan.lab.work import Executor

START = "tictactoe:3,3,3 .../.../... x"


def made_up(seed: int, agents: tuple[str, ...]) -> Record:
    """A game between agents of which the first by name wins more often."""
    best = min(range(2), key=lambda seat: agents[seat])
    chance = Random(f"{seed} {agents}").random()
    if chance < 0.2:
        return Record("tictactoe:3,3,3", START, agents, "", (0, 0), "draw")
    winner = best if chance < 0.7 else 1 - best
    scores = (1, 0) if winner == 0 else (0, 1)
    return Record("tictactoe:3,3,3", START, agents, "", scores, "win")


def made_up_game(plan: TournamentPlan, number: int) -> MatchGame:
    turn, place = divmod(number, len(plan.seatings))
    seating = plan.seatings[place]
    return MatchGame(seating, made_up(turn, tuple(plan.agents[agent] for agent in seating)))


def made_up_games(plan: TournamentPlan) -> dict[int, MatchGame]:
    return {number: made_up_game(plan, number) for number in range(plan.games)}


def made_up_executor(width: int) -> Executor:
    """A place where games are over before they begin."""

    def submit(task: str) -> "Future[dict[str, Any]]":
        game = parse_assignment(task)
        agents = tuple(order.agent for order in game.orders())
        future: Future[dict[str, Any]] = Future()
        future.set_result(asdict(made_up(game.seed, agents)))
        return future

    return Executor(submit, lambda: width)
