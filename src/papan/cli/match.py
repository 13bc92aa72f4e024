"""``papan match``: two agents against each other on any game, both seats."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from papan import catalog
from papan.cli.arguments import (
    USUAL,
    Json,
    Nodes,
    Seconds,
    Seed,
    agent_for,
    complete_agent,
    limit_of,
)
from papan.cli.elo import sprt_lines, tally_lines
from papan.cli.output import print_json, print_table
from papan.cli.standings import faults, headings, print_faults
from papan.cli.tournament_options import (
    CATALOG,
    Concurrency,
    GameOption,
    Opening,
    Pairs,
    Progress,
    SprtOption,
    UntilError,
    at_a_time,
    sprt_of,
    stopped_by_signal,
)
from papan.lab.match import Match
from papan.lab.statistics.facts import sprt_facts, tally_facts

if TYPE_CHECKING:  # only loaded where a tournament is really played
    from papan.lab.tournament.plan import Plan
    from papan.lab.tournament.state import TournamentState

CAN_FORK = hasattr(os, "fork")

AgentArgument = Annotated[
    str, typer.Argument(metavar="AGENT", autocompletion=complete_agent, show_default=False)
]


def match(
    first: AgentArgument,
    second: AgentArgument,
    game: GameOption = "tictactoe",
    pairs: Pairs = 10,
    seed: Seed = 0,
    opening: Opening = 2,
    seconds: Seconds = None,
    nodes: Nodes = None,
    sprt: SprtOption = None,
    until_error: UntilError = None,
    concurrency: Concurrency = None,
    json: Json = False,
) -> None:
    """Pairs of games with the seats swapped."""
    from papan.lab.tournament.plan import Plan, Stopping

    rules = catalog.game(game)
    plan = Plan(
        rules.spec,
        (first, second),
        rules.seats,
        pairs,
        seed,
        opening,
        limit=limit_of(seconds, nodes, USUAL["cli.match"]),
        stopping=Stopping(sprt_of(sprt), until_error),
    )
    with stopped_by_signal():
        width = at_a_time(concurrency)
        state = _apart(plan, width, json) if CAN_FORK else _together(plan, json)
    if json:
        print_json(_facts(state))
    else:
        _print(state)


def _apart(plan: Plan, concurrency: int, json: bool) -> TournamentState:
    """Play with every agent in a process of its own."""
    from papan.lab.tournament.executor import RefereePool, probed, this_machine
    from papan.lab.tournament.state import TournamentState

    pool = RefereePool()
    with this_machine(pool, concurrency) as executor, Progress() as progress:
        state = TournamentState(probed(pool, plan, CATALOG))
        printed = 0
        for number in state.play(executor, lambda number, game: None, CATALOG):
            progress.show(state, number)
            printed = _print_games(state, printed) if json else 0
        return state


def _together(plan: Plan, json: bool) -> TournamentState:
    """Play in this process, where the system knows no other way; the games are the same."""
    from papan.lab.tournament.state import TournamentState

    rules = catalog.game(plan.game)
    agents = agent_for(plan.agents[0], rules), agent_for(plan.agents[1], rules)
    games = Match(agents, rules, plan.pairs, plan.seed, plan.limit, plan.opening).play()
    state = TournamentState(plan, dict(enumerate(games)))
    if json:
        _print_games(state, 0)
    return state


def _print_games(state: TournamentState, printed: int) -> int:
    """Print the records of whole rounds, in their order; how many have been printed by now."""
    ready = state.rounds * len(state.plan.seatings)
    for number in range(printed, ready):
        print(state.games[number].record.json(), flush=True)
    return ready


def _facts(state: TournamentState) -> dict[str, object]:
    standings, sprt = state.standings, state.plan.stopping.sprt
    score, tally = standings.score(0, 1), standings.tally(0, 1)
    return {
        "agents": list(standings.names),
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "forfeits": [dict(standings.forfeits(agent)) for agent in (0, 1)],
        "faults": [[each._asdict() for each in standings.faults(agent)] for agent in (0, 1)],
        "pentanomial": list(tally.counts) if standings.paired else None,
        **tally_facts(tally),
        **(sprt_facts(sprt, tally) if sprt else {}),
    }


def _print(state: TournamentState) -> None:
    standings, sprt = state.standings, state.plan.stopping.sprt
    rows = []
    for agent in (0, 1):
        total = standings.total(agent)
        counts = (total.wins, total.draws, total.losses)
        rows.append([standings.names[agent], *map(str, counts), faults(standings, agent)])
    print_table(headings("agent", "wins", "draws", "losses", "forfeits"), rows)
    print_faults(standings)
    tally = standings.tally(0, 1)
    print("\n".join(tally_lines(tally) + (sprt_lines(sprt, tally) if sprt else [])))
