"""``papan match``: play two agents against each other, in pairs of games with the seats swapped."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from papan import catalog
from papan.cli.arguments import (
    DEFAULT_GAME,
    USUAL,
    AgentArgument,
    Confined,
    GameOption,
    JsonOption,
    Nodes,
    Seconds,
    Seed,
    agent_for,
    confined_agents,
    limit_of,
)
from papan.cli.tournament import (
    CATALOG,
    Concurrency,
    Opening,
    Pairs,
    SprtOption,
    UntilError,
    at_a_time,
    headings,
    long_enough,
    print_faults,
    print_repetitions,
    sprt_lines,
    tally_lines,
    warn_of_nodes,
)
from papan.core.interrupts import Interrupted, stopped_by_signal
from papan.lab.match import Match, MatchResult
from papan.lab.statistics.elo import (
    read_sprt,
    sprt_facts,
)
from papan.process.host import CAN_FORK
from papan.terminal.output import (
    Bar,
    language,
    print_json,
    print_table,
    progress,
    say,
    show_result,
)

if TYPE_CHECKING:
    from papan.lab.tournament.plan import TournamentPlan
    from papan.lab.tournament.standings import TournamentState


def match(
    first: AgentArgument,
    second: AgentArgument,
    game: GameOption = DEFAULT_GAME,
    pairs: Pairs = 10,
    seed: Seed = 0,
    opening: Opening = 2,
    seconds: Seconds = None,
    nodes: Nodes = None,
    sprt: SprtOption = None,
    until_error: UntilError = None,
    concurrency: Concurrency = None,
    confined: Confined = False,
    json: JsonOption = False,
) -> None:
    """Play *pairs* pairs of games with the seats swapped, and print the results for *first*.

    *first*, *second* and *game* are specs. Each pair begins with *opening* random plies, drawn by
    *seed*; *seconds* and *nodes* limit each move (None: the usual limit). *sprt*, such as
    ``elo0=0,elo1=5``, or *until_error*, in Elo, may end the match early. *concurrency* is the
    number of games at a time (None: one per core), *confined* runs bots in the sandbox, *json*
    prints records and results as JSON. Raise PapanError if an agent or an option is invalid, or the
    processes that play die repeatedly. After an interrupt, print the results so far and raise
    Interrupted.
    """
    from papan.lab.tournament.plan import Stopping, TournamentPlan

    rules, agents = long_enough(game, opening), confined_agents((first, second), confined)
    limit = limit_of(seconds, nodes, USUAL["cli.match"])
    stopping = Stopping(read_sprt(sprt), until_error)
    plan = TournamentPlan(
        rules.spec, agents, rules.seats, pairs, seed, opening, limit=limit, stopping=stopping
    )
    warn_of_nodes(agents, nodes)
    width = at_a_time(concurrency)

    def play() -> TournamentState:
        with stopped_by_signal():
            return (
                _play_in_processes(plan, width, json)
                if CAN_FORK
                else _play_in_this_process(plan, json)
            )

    def show(state: TournamentState) -> None:
        if not state.ending:
            progress(say("match.so_far", done=len(state.games), total=state.plan.games))
        if state.standings.games:
            (_print_match if not json else _print_match_facts)(state)

    show_result(play, show)


def _play_in_processes(plan: TournamentPlan, concurrency: int, json: bool) -> TournamentState:
    """Play with every agent in a process of its own, *concurrency* games at a time.

    Return the state of all games; *json* prints their records as rounds are complete. Raise
    PapanError if an agent cannot be started or its processes die repeatedly, and Interrupted, with
    the state so far, after Ctrl-C.
    """
    from papan.lab.tournament.run import RefereePool, probed, this_machine
    from papan.lab.tournament.standings import TournamentState

    pool = RefereePool()
    with this_machine(pool, concurrency) as executor, Bar(plan.game) as bar:
        state = TournamentState(probed(pool, plan, CATALOG))
        printed = 0
        try:
            for number in state.play(executor, lambda number, game: None, CATALOG):
                bar.update(state.progress(number))
                printed = _print_games(state, printed) if json else 0
        except KeyboardInterrupt:
            raise Interrupted(state) from None
        return state


def _play_in_this_process(plan: TournamentPlan, json: bool) -> TournamentState:
    """Play in this process, one game after the other, for a system that cannot fork.

    The games and the result are those of `_play_in_processes`, but all are played, even after a
    rule has ended the match. Return the state of all games; *json* prints their records at the end,
    but none after an interrupt. Raise PapanError if an agent is invalid, and Interrupted, with the
    state so far, after Ctrl-C.
    """
    from papan.lab.tournament.standings import TournamentState

    rules = catalog.game(plan.game)
    agents = agent_for(plan.agents[0], rules), agent_for(plan.agents[1], rules)
    games = Match(agents, rules, plan.pairs, plan.seed, plan.limit, plan.opening).play()
    state = TournamentState(plan)
    try:
        for number, game in enumerate(games):
            state.add({number: game})
    except KeyboardInterrupt:
        raise Interrupted(state) from None
    if json:
        _print_games(state, 0)
    return state


def _print_games(state: TournamentState, printed: int) -> int:
    """Print the new records of complete rounds, a line each; return how many are printed in all.

    The first *printed* games have been printed already, and are left out. A round is complete once
    each of its games is over.
    """
    ready = state.rounds * len(state.plan.seatings)
    for number in range(printed, ready):
        print(state.games[number].record, flush=True)
    return ready


def _print_match_facts(state: TournamentState) -> None:
    """Print the result of a match as one line of JSON, without the records of its games.

    It has the keys of `MatchResult.json` except ``records``, with numbers for the first agent; if
    the plan has a sequential test, the fields of `SprtFacts` are under ``sprt``.
    """
    standings, test = state.standings, state.plan.stopping.sprt
    first, second = standings.names
    facts = MatchResult((first, second), standings.games, state.plan.game).json()
    del facts["records"]  # they are printed before, a line each
    sprt = {"sprt": asdict(sprt_facts(test, standings.tally(0, 1)))} if test else {}
    print_json(facts | sprt)


def _print_match(state: TournamentState) -> None:
    """Print the result of a match as text: a table, faults, Elo, and the test if there is one.

    Repeated pairs of games are mentioned at the end.
    """
    from papan.lab.tournament.standings import forfeits_text

    standings, plan = state.standings, state.plan
    sprt = plan.stopping.sprt
    facts = {"game": plan.game, "games": len(standings.games), "seed": plan.seed}
    print(say("match.title", **facts))
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
