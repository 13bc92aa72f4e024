"""``papan tournament``: play many agents against each other in a folder, and show the results."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from papan import catalog
from papan.cli.arguments import (
    DEFAULT_GAME,
    USUAL,
    Cluster,
    Confined,
    GameOption,
    JsonOption,
    Nodes,
    Seconds,
    Seed,
    argument,
    check_form,
    complete_agent,
    confined_agents,
    limit_of,
)
from papan.core import Game, InvalidSpecError, PapanError
from papan.core.interrupts import Interrupted, stopped_by_signal
from papan.lab.machine import cores
from papan.lab.match import MOST_AT_A_TIME, check_opening, forfeit_line
from papan.lab.statistics.elo import (
    ScoreTally,
    Sprt,
    elo_difference,
    normalised_elo,
    read_sprt,
    sprt_facts,
    superiority,
    tally_facts,
)
from papan.lab.statistics.intervals import with_ends
from papan.terminal.output import (
    INTERRUPTED,
    Bar,
    figure,
    in_local_figures,
    language,
    print_json,
    print_table,
    print_tail,
    program,
    progress,
    say,
)

if TYPE_CHECKING:
    from papan.lab.tournament.folder import TournamentFolder
    from papan.lab.tournament.run import RefereePool
    from papan.lab.tournament.standings import Standings, TournamentState
    from papan.lab.work import Executor


CATALOG = "papan"
"""Name of the module with which referee processes build agents, files and programs included."""

TournamentAgents = Annotated[list[str], argument("AGENT AGENT...", complete_agent)]
Pairs = Annotated[int, typer.Option("--pairs", "--rounds", metavar="N")]
Opening = Annotated[int, typer.Option("--opening", "--openings", metavar="N")]
SprtOption = Annotated[str | None, typer.Option("--sprt", metavar="elo0=0,elo1=5")]
UntilError = Annotated[float | None, typer.Option(metavar="ELO")]
Concurrency = Annotated[int | None, typer.Option(metavar="N")]


def long_enough(game: str, opening: int) -> Game:
    """Return the game with the spec *game*, after a check that it can last *opening* plies.

    Raise InvalidSpecError if it cannot, or if it is unknown.
    """
    rules = catalog.game(game)
    check_opening(rules, opening)
    return rules


def warn_of_nodes(agents: Sequence[str], nodes: float | None) -> None:
    """Print a warning if *nodes* is not None and one of *agents* (specs) is a file or a program.

    A limit of nodes does not bind these.
    """
    if nodes is not None and any(map(catalog.external_place, agents)):
        progress(say("tournament.nodes_of_bots"))


def at_a_time(concurrency: int | None) -> int:
    """Return the number of games at a time: *concurrency*, or one per core (None).

    Raise InvalidSpecError if *concurrency* is not from 1 to `MOST_AT_A_TIME`.
    """
    if concurrency is not None and not 1 <= concurrency <= MOST_AT_A_TIME:
        raise InvalidSpecError("tournament.bad_concurrency", most=MOST_AT_A_TIME)
    return concurrency or cores()


def executor_at(
    pool: RefereePool, concurrency: int, address: str | None
) -> AbstractContextManager[Executor]:
    """Return a context with the executor that plays the games.

    That is the dask cluster at *address*, or this machine (None), where the processes of *pool*
    play *concurrency* games at a time, and where *pool* is closed at the end of the context.
    Entering it raises PapanError if dask is not installed or no cluster answers; the context raises
    LostError if the cluster is lost later.
    """
    from papan.lab.tournament.run import cluster_games, this_machine

    return cluster_games(address) if address else this_machine(pool, concurrency)


def print_standings(state: TournamentState) -> None:
    """Print the cross-table, the result of each encounter, how games ended, and agents' faults.

    A note on repeated pairs follows, and the result of the sequential test, if the plan has one and
    the first two agents have met.
    """
    from papan.lab.tournament.standings import cross_table

    standings = state.standings
    print_table(*cross_table(standings, language()))
    encounters = [(a, b) for a, b in standings.pairings if standings.met(a, b)]
    if encounters:
        print()
        keys = ("encounter", "elo", "normalised", "los", "pairs")
        rows = [_encounter(standings, a, b) for a, b in encounters]
        print_table(headings(*keys), rows)
    print()
    if encounters:
        print(say("tournament.method"))
    print(say("tournament.endings", endings=_endings(standings)))
    print_faults(standings)
    print_repetitions(standings)
    if state.plan.stopping.sprt and standings.met(0, 1):
        print("\n".join(sprt_lines(state.plan.stopping.sprt, standings.tally(0, 1))))


def _encounter(standings: Standings, first: int, second: int) -> list[str]:
    """Return the texts of a row about two agents (their indexes), from the view of the *first*.

    They are the names, Elo and normalised Elo with their intervals, the likelihood of superiority,
    and the numbers of pairs in which the *first* got 0, 1/2, 1, 3/2 and 2 points ("" in games of
    one seat).
    """
    tally = standings.tally(first, second)
    return [
        f"{standings.names[first]} - {standings.names[second]}",
        in_local_figures(with_ends(elo_difference(tally))),
        in_local_figures(with_ends(normalised_elo(tally))),
        in_local_figures(f"{standings.superiority(first, second):.1%}"),
        " ".join(map(str, tally.counts)) if standings.paired else "",
    ]


def _endings(standings: Standings) -> str:
    """Return how many games ended in each way, the most frequent first, as text; ``-`` for none.

    The number of those that the exact solver has ended follows, if there are any.
    """
    kinds = [f"{say(f'end.{kind}')} {count}" for kind, count in standings.endings().most_common()]
    if standings.adjudicated:
        kinds.append(say("tournament.adjudicated", count=standings.adjudicated))
    return ", ".join(kinds) or "-"


def headings(*keys: str) -> list[str]:
    """Return the headings of columns in the run's language, by keys such as ``elo``.

    A key is what follows ``tournament.column_`` in the key of the text; their order stays.
    """
    return [say(f"tournament.column_{key}") for key in keys]


def print_faults(standings: Standings) -> None:
    """Print the reason of each forfeit, agent by agent, with the end of the bot's output.

    Nothing is printed if there are no forfeits.
    """
    for agent, name in enumerate(standings.names):
        for each in standings.faults(agent):
            print(forfeit_line(name, each, language()))
            print_tail(each.output)


def print_repetitions(standings: Standings) -> None:
    """Print how many pairs of games are distinct, as repeated ones are less evidence.

    Nothing is printed if none is repeated.
    """
    from papan.lab.tournament.standings import repetitions

    if counts := repetitions(standings):
        print(say("tournament.repeated", counts=counts))


FolderArgument = Annotated[str, argument("DIR")]


def run(
    folder: FolderArgument,
    agents: TournamentAgents,
    game: GameOption = DEFAULT_GAME,
    pairs: Pairs = 10,
    seed: Seed = 0,
    opening: Opening = 2,
    gauntlet: Annotated[bool, typer.Option("--gauntlet")] = False,
    seconds: Seconds = None,
    nodes: Nodes = None,
    depth: Annotated[int | None, typer.Option(metavar="N")] = None,
    sprt: SprtOption = None,
    until_error: UntilError = None,
    adjudicate: Annotated[int, typer.Option(metavar="NODES")] = 0,
    deadline: Annotated[float, typer.Option(metavar="S")] = 60,
    agent_memory: Annotated[int, typer.Option("--memory", metavar="MB")] = 2048,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
    store: Annotated[str | None, typer.Option(metavar="URL")] = None,
    confined: Confined = False,
    json: JsonOption = False,
) -> None:
    """Plan a tournament in a new folder, and play it to its end.

    *agents* are specs. In each of *pairs* rounds any two that meet play two games with the seats
    swapped, after *opening* random plies drawn by *seed*; with *gauntlet* only the first meets the
    others. *seconds*, *nodes* and *depth* (plies; None: each agent's own) limit a move; *sprt* or
    *until_error* (Elo) may end it early; *adjudicate* is the nodes with which the exact solver may
    take over (0: never). A bot gets *deadline* seconds for a move and *agent_memory* megabytes, in
    the sandbox if *confined*. *concurrency* games run at a time (None: one per core), or on the
    dask scheduler at *cluster*; *store* is the URL of a database in place of the folder's own;
    *json* prints JSON. Raise PapanError if an agent or an option is invalid, or *folder* has a
    tournament already. An interrupt prints how to resume and exits with 130; if games can no longer
    be played, exit with 1.
    """
    from papan.lab.tournament.folder import create
    from papan.lab.tournament.plan import BotGuard, Stopping, TournamentPlan
    from papan.lab.tournament.run import RefereePool, probed

    path, rules = _path(folder), long_enough(game, opening)
    plan = TournamentPlan(
        rules.spec,
        confined_agents(agents, confined),
        rules.seats,
        pairs,
        seed,
        opening,
        gauntlet,
        limit_of(seconds, nodes, USUAL["cli.tournament.run"]),
        adjudicate,
        BotGuard(deadline, agent_memory),
        Stopping(read_sprt(sprt), until_error),
    )
    warn_of_nodes(plan.agents, nodes)
    width = at_a_time(concurrency)
    with closing(RefereePool()) as pool:
        plan = probed(pool, plan, CATALOG, depth)
        if store:
            _try_store(store)
        if cluster:
            _try_cluster(pool, cluster)
        _play(create(path, plan, store), pool, width, cluster, json)


def resume(
    folder: FolderArgument,
    trust: Annotated[bool, typer.Option("--trust")] = False,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
    json: JsonOption = False,
) -> None:
    """Play the missing games of an interrupted tournament; *trust* accepts its bots.

    *concurrency* is the number of games at a time (None: one per core), *cluster* the address of a
    dask scheduler (None: here); *json* prints JSON. Raise PapanError if there is no tournament, an
    option is invalid, an agent cannot be started, or if another user has made its plan, which names
    bots, and *trust* is False. Exit as `run` does.
    """
    from papan.lab.tournament.folder import reopen
    from papan.lab.tournament.run import RefereePool, probed

    made = reopen(_path(folder))
    made = made.vouched_for() if trust else made
    width = at_a_time(concurrency)
    if bots := _unknown_bots(made):
        raise PapanError("tournament.untrusted", bots=", ".join(bots))
    made.check_store()
    with closing(RefereePool()) as pool:
        probed(pool, made.plan, CATALOG)
        _play(made, pool, width, cluster, json)


def report(
    folder: FolderArgument,
    json: JsonOption = False,
    csv: Annotated[bool, typer.Option("--csv")] = False,
    markdown: Annotated[bool, typer.Option("--markdown")] = False,
) -> None:
    """Print the results of a tournament so far, as text, JSON, CSV or Markdown.

    *csv* and *markdown* print the table of agents alone; with *csv*, *markdown* is ignored, and
    with *markdown*, *json*. Raise PapanError if there is no tournament in *folder*, its games
    cannot be read, or both *json* and *csv* are given.
    """
    from papan.lab.results import table_markdown
    from papan.lab.tournament.check import GameCheck
    from papan.lab.tournament.folder import read_games, reopen
    from papan.lab.tournament.report import tournament_csv, tournament_table
    from papan.lab.tournament.standings import TournamentState

    check_form(json, csv)
    made = reopen(_path(folder))
    if made.store and not made.sealed:
        progress(say("tournament.store_ignored", store=made.store))
    state = TournamentState(made.plan, read_games(made, GameCheck(made, CATALOG)))
    if csv:
        print(tournament_csv(state), end="")
        return
    if markdown:
        print(table_markdown(tournament_table(state), language()), end="")
        return
    _report(state, json)
    if not state.ending and not json:
        progress(_how_to_go_on(made))


COMMANDS: dict[str, Callable[..., None]] = {"run": run, "resume": resume, "report": report}


def _unknown_bots(folder: TournamentFolder) -> list[str]:
    """Return the specs of the bots that the plan of another user would run.

    Empty if this user has made the plan, or if it has no bots.
    """
    agents = [] if folder.sealed else folder.plan.agents
    return [agent for agent in agents if catalog.external_place(agent)]


def _path(folder: str) -> Path:
    """Return *folder* as a path.

    Raise InvalidSpecError if it is blank, as that would mean the current folder.
    """
    if not folder.strip():
        raise InvalidSpecError("tournament.no_folder")
    return Path(folder)


def _try_cluster(pool: RefereePool, address: str) -> None:
    """Raise PapanError if no dask scheduler answers at *address*; call it before making a folder.

    *pool* has the processes of referees, of which none is started.
    """
    with executor_at(pool, 1, address):
        pass


def _try_store(address: str) -> None:
    """Raise PapanError if the store at *address* (a URL) cannot be opened; call it before any game.

    It is closed again.
    """
    from papan.lab.store import Store, StoreError

    try:
        Store(address).close()
    except StoreError as error:
        raise PapanError("store.not_begun", **error.values) from None


def _play(
    folder: TournamentFolder, pool: RefereePool, concurrency: int, cluster: str | None, json: bool
) -> None:
    """Play a tournament to its end and print the results, as JSON if *json*.

    *concurrency* games at a time run in *pool*, or on the dask scheduler at *cluster* (None: here).
    Raise typer.Exit with 130 after Ctrl-C, when the results so far are printed, and with 1 if games
    can no longer be played, and OSError if the disk fails; each time print how to resume.
    """
    from papan.lab.tournament.run import LostError
    from papan.lab.tournament.run import run_tournament as play

    try:
        with (
            stopped_by_signal(),
            executor_at(pool, concurrency, cluster) as executor,
            Bar(folder.plan.game) as bar,
        ):
            state = play(folder, executor, CATALOG, bar.update, _warn)
    except KeyboardInterrupt as stop:
        if isinstance(stop, Interrupted):
            _report(stop.result, json)
        progress(_how_to_go_on(folder))
        raise typer.Exit(INTERRUPTED) from None
    except LostError as error:
        _warn(error)
        progress(_how_to_go_on(folder))
        raise typer.Exit(1) from None
    except OSError:  # the disk is full, or gone
        progress(_how_to_go_on(folder))
        raise
    _report(state, json)


def _report(state: TournamentState, json: bool) -> None:
    """Print the results of *state* as text, or as one line of JSON (*json*)."""
    if json:
        from papan.lab.tournament.report import tournament_facts

        print_json(asdict(tournament_facts(state)))
        return
    print(_title(state))
    print()
    print_standings(state)


def _title(state: TournamentState) -> str:
    """Return the game, numbers of agents and games, seed, and why play ended, as a sentence.

    Games are counted so far and as planned.
    """
    plan = state.plan
    reason = state.ending.reason if state.ending else "open"
    return say(
        "tournament.title",
        game=plan.game,
        agents=len(plan.agents),
        games=len(state.standings.games),
        planned=plan.games,
        seed=plan.seed,
        why=say(f"tournament.why_{reason}"),
    )


def _how_to_go_on(folder: TournamentFolder) -> str:
    """Return a sentence with the command that resumes the tournament in *folder*.

    It has ``--trust`` if another user has made a plan with bots or with a store.
    """
    unknown = not folder.sealed and (folder.store or _unknown_bots(folder))
    trust = " --trust" if unknown else ""
    command = f"{program()} tournament resume {shlex.quote(str(folder.path))}{trust}"
    return say("tournament.go_on", command=command)


def _warn(error: PapanError) -> None:
    """Print *error* as a line on standard error, in the run's language."""
    progress(error.text(language()))


def tally_lines(tally: ScoreTally) -> list[str]:
    """Return five lines of text about a tally, from the view of the first agent.

    They have the number of games and the score in percent, Elo and normalised Elo with 95 %
    intervals, the likelihood of superiority, and the method.
    """
    return [
        say("elo.games", games=tally.games, score=in_local_figures(f"{tally.score:.1%}")),
        say("elo.elo", value=in_local_figures(with_ends(elo_difference(tally)))),
        say("elo.normalised", value=in_local_figures(with_ends(normalised_elo(tally)))),
        say("elo.superiority", share=in_local_figures(f"{superiority(tally):.2%}")),
        say("elo.method"),
    ]


def sprt_lines(test: Sprt, tally: ScoreTally) -> list[str]:
    """Return two lines of text about a sequential test of *tally*.

    The first has its log-likelihood ratio with both bounds, the second the verdict.
    """
    low, high = test.bounds
    ends = {"ratio": test.ratio(tally), "low": low, "high": high}
    found = {name: figure(end, ".3f") for name, end in ends.items()}
    hypotheses = {"elo0": figure(test.elo0), "elo1": figure(test.elo1)}
    return [
        say("elo.ratio", **found, **hypotheses),
        say(f"elo.verdict_{test.verdict(tally)}", **hypotheses),
    ]


def evidence(tally: ScoreTally, test: Sprt | None) -> dict[str, object]:
    """Return the statistics of a tally as JSON data: the fields of `TallyFacts`.

    If there is a *test*, its fields (`SprtFacts`) are in a dict under ``sprt``.
    """
    return asdict(tally_facts(tally)) | ({"sprt": asdict(sprt_facts(test, tally))} if test else {})
