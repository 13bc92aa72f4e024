"""``papan match``, ``elo`` and ``strength``: agents on both seats, and what the results prove."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal, Optional

import typer

from papan import catalog
from papan.cli.arguments import (
    USUAL,
    GameArgument,
    GameOption,
    Json,
    Nodes,
    Seconds,
    Seed,
    agent_for,
    complete_agent,
    limit_of,
    limit_text,
)
from papan.cli.complexity import split_agents
from papan.cli.tournament import (
    CATALOG,
    Concurrency,
    Opening,
    Pairs,
    SprtOption,
    UntilError,
    at_a_time,
    check_opening,
    headings,
    print_faults,
    print_repetitions,
    show_game,
    sprt_lines,
    sprt_of,
    stopped_by_signal,
    tally_lines,
)
from papan.core import InvalidSpecError
from papan.lab.match import Match, Survey
from papan.lab.statistics import Sprt, Tally, sprt_facts, tally_facts
from papan.process.host import CAN_FORK
from papan.terminal.output import Bar, language, print_json, print_table, say

if TYPE_CHECKING:
    from papan.lab.tournament.plan import Plan
    from papan.lab.tournament.standings import TournamentState


Bound = Annotated[Optional[float], typer.Option(metavar="ELO")]  # noqa: UP045 - typer reads it
Risk = Annotated[float, typer.Option(metavar="P")]
RISK = 0.05
"""How often a test may be wrong, unless somebody says otherwise."""


def elo(
    counts: Annotated[list[int], typer.Argument(metavar="W D L", show_default=False)],
    elo0: Bound = None,
    elo1: Bound = None,
    alpha: Risk = RISK,
    beta: Risk = RISK,
    model: Annotated[
        Literal["normalised", "logistic"], typer.Option(metavar="normalised|logistic")
    ] = "normalised",
    json: Json = False,
) -> None:
    """Elo, normalised Elo, likelihood of superiority; a sequential test if asked."""
    tally = Tally(tuple(counts if len(counts) == 5 else counts[::-1]))
    tested = elo0 is not None or elo1 is not None
    if not tested and (alpha, beta, model) != (RISK, RISK, "normalised"):
        raise InvalidSpecError("elo.no_test")
    test = Sprt(elo0 or 0.0, 5.0 if elo1 is None else elo1, alpha, beta, model) if tested else None
    if json:
        print_json(_tally_facts(tally, test))
        return
    print("\n".join(tally_lines(tally)))
    if test:
        print("\n".join(sprt_lines(test, tally)))


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
    check_opening(rules, opening)
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
    from papan.lab.tournament.run import RefereePool, probed, this_machine
    from papan.lab.tournament.standings import TournamentState

    pool = RefereePool()
    with this_machine(pool, concurrency) as executor, Bar(plan.game) as bar:
        state = TournamentState(probed(pool, plan, CATALOG))
        printed = 0
        for number in state.play(executor, lambda number, game: None, CATALOG):
            show_game(bar, state, number)
            printed = _print_games(state, printed) if json else 0
        return state


def _together(plan: Plan, json: bool) -> TournamentState:
    """Play in this process, where the system knows no other way; the games are the same."""
    from papan.lab.tournament.standings import TournamentState

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
    standings = state.standings
    tally = standings.tally(0, 1)
    return {
        "agents": list(standings.names),
        **vars(standings.score(0, 1)),
        "forfeits": [dict(standings.forfeits(agent)) for agent in (0, 1)],
        "faults": [[asdict(each) for each in standings.faults(agent)] for agent in (0, 1)],
        "pentanomial": list(tally.counts) if standings.paired else None,
        "distinct": standings.distinct(0, 1),
        **_tally_facts(tally, state.plan.stopping.sprt),
    }


def _tally_facts(tally: Tally, test: Sprt | None) -> dict[str, object]:
    return asdict(tally_facts(tally)) | ({"sprt": asdict(sprt_facts(test, tally))} if test else {})


def _print(state: TournamentState) -> None:
    from papan.lab.tournament.standings import forfeits_text

    standings, sprt = state.standings, state.plan.stopping.sprt
    rows = []
    for agent in (0, 1):
        total = standings.total(agent)
        counts = (total.wins, total.draws, total.losses)
        forfeits = forfeits_text(standings, agent, language())
        rows.append([standings.names[agent], *map(str, counts), forfeits])
    print_table(headings("agent", "wins", "draws", "losses", "forfeits"), rows)
    print_faults(standings)
    tally = standings.tally(0, 1)
    print("\n".join(tally_lines(tally) + (sprt_lines(sprt, tally) if sprt else [])))
    print_repetitions(standings)


def strength(
    game: GameArgument,
    measured: Annotated[str, typer.Option("--agents", metavar="AGENT,\u2026")] = "",
    meetings: Annotated[int, typer.Option("--games", metavar="N")] = Survey.games,
    known: Annotated[int, typer.Option("--positions", metavar="N")] = Survey.positions,
    seed: Seed = 0,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Elo and regret of every agent, strongest first."""
    rules = catalog.game(game)
    limit = limit_of(seconds, nodes, USUAL["cli.strength"])
    agents = [agent_for(spec, rules) for spec in split_agents(measured)] if measured else None
    with Bar(rules.spec) as bar:
        effort = {"games": meetings, "positions": known, "seed": seed}
        found = catalog.strength(rules, agents, limit, bar.update, **effort)
    if json:
        print_json([each.json() for each in found])
        return
    print(
        say("strength.title", game=rules.spec, limit=limit_text(limit), anchor=catalog.ANCHORS[0])
    )
    rows = []
    for each in found:
        low, high = (f"{end:.0f}" for end in (each.elo.low, each.elo.high))
        lost = each.regret
        judged = (
            ["-", "-"] if lost is None else [f"{lost.right}/{lost.positions}", f"{lost.mean:.2f}"]
        )
        elo_text = [f"{each.elo.value:.0f}", f"{low} .. {high}", str(each.games)]
        rows.append([each.agent, *elo_text, *judged])
    keys = ("agent", "elo", "interval", "games", "right", "regret")
    print_table([say(f"strength.{key}") for key in keys], rows)
    print(say("strength.about"))
