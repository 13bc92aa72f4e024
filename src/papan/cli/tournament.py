"""``papan tournament``: many agents against each other, games that are never lost, a report."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from papan import catalog
from papan.cli.arguments import USUAL, Json, Nodes, Seconds, Seed, check_form, limit_of
from papan.cli.interrupt import INTERRUPTED
from papan.cli.language import language, say
from papan.cli.output import print_json, program, progress
from papan.cli.standings import print_standings
from papan.cli.tournament_options import (
    CATALOG,
    Agents,
    Concurrency,
    GameOption,
    Opening,
    Pairs,
    Progress,
    SprtOption,
    UntilError,
    at_a_time,
    check_system,
    executor_at,
    sprt_of,
    stopped_by_signal,
)
from papan.core import InvalidSpecError, PapanError

if TYPE_CHECKING:  # only loaded where a tournament is really played
    from papan.lab.tournament.executor import RefereePool
    from papan.lab.tournament.folder import Folder
    from papan.lab.tournament.state import TournamentState

FolderArgument = Annotated[str, typer.Argument(metavar="DIR", show_default=False)]
Cluster = Annotated[Optional[str], typer.Option(metavar="ADDRESS")]  # noqa: UP045 - typer reads it


def run(
    folder: FolderArgument,
    agents: Agents,
    game: GameOption = "tictactoe",
    pairs: Pairs = 10,
    seed: Seed = 0,
    opening: Opening = 2,
    gauntlet: Annotated[bool, typer.Option("--gauntlet")] = False,
    seconds: Seconds = None,
    nodes: Nodes = None,
    depth: Annotated[Optional[int], typer.Option(metavar="N")] = None,  # noqa: UP045
    sprt: SprtOption = None,
    until_error: UntilError = None,
    adjudicate: Annotated[int, typer.Option(metavar="NODES")] = 0,
    deadline: Annotated[float, typer.Option(metavar="S")] = 60,
    agent_memory: Annotated[int, typer.Option("--memory", metavar="MB")] = 2048,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
    store: Annotated[Optional[str], typer.Option(metavar="URL")] = None,  # noqa: UP045
    json: Json = False,
) -> None:
    """Plan a tournament in a new folder, and play it."""
    check_system()
    from papan.lab.tournament.executor import RefereePool, probed
    from papan.lab.tournament.folder import found
    from papan.lab.tournament.plan import Guard, Plan, Stopping

    path, rules = _path(folder), catalog.game(game)
    plan = Plan(
        rules.spec,
        tuple(agents),
        rules.seats,
        pairs,
        seed,
        opening,
        gauntlet,
        limit_of(seconds, nodes, USUAL["cli.tournament.run"]),
        adjudicate,
        Guard(deadline, agent_memory),
        Stopping(sprt_of(sprt), until_error),
    )
    width = at_a_time(concurrency)
    with closing(RefereePool()) as pool:
        plan = probed(pool, plan, CATALOG, depth)
        if store:
            _try_store(store)
        if cluster:
            _try_cluster(pool, cluster)
        _play(found(path, plan, store), pool, width, cluster, json)


def resume(
    folder: FolderArgument,
    trust: Annotated[bool, typer.Option("--trust")] = False,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Go on with a tournament that was interrupted."""
    check_system()
    from papan.lab.tournament.executor import RefereePool, probed
    from papan.lab.tournament.folder import reopen

    made = reopen(_path(folder))
    width = at_a_time(concurrency)
    if not trust and (bots := _unknown_bots(made)):
        raise PapanError("tournament.untrusted", bots=", ".join(bots))
    with closing(RefereePool()) as pool:
        probed(pool, made.plan, CATALOG)
        _play(made, pool, width, cluster, json)


def report(
    folder: FolderArgument,
    json: Json = False,
    csv: Annotated[bool, typer.Option("--csv")] = False,
    latex: Annotated[bool, typer.Option("--latex")] = False,
) -> None:
    """What the games of a tournament have shown so far."""
    from papan.lab.store import Store
    from papan.lab.tournament.folder import reopen
    from papan.lab.tournament.report import tournament_csv, tournament_table
    from papan.lab.tournament.state import TournamentState
    from papan.lab.writing.tables import as_latex

    check_form(json, csv)
    made = reopen(_path(folder))
    with Store(made.store_url) as store:
        state = TournamentState(made.plan, store.games(made.identity))
    if csv:
        print(tournament_csv(state), end="")
        return
    if latex:
        print(as_latex(tournament_table(state), language(), "tournament"), end="")
        return
    _report(state, json)
    if not state.ending and not json:
        progress(_how_to_go_on(made))


COMMANDS: dict[str, Callable[..., None]] = {"run": run, "resume": resume, "report": report}


def _unknown_bots(folder: Folder) -> list[str]:
    """The files and programs that a plan from elsewhere would run."""
    agents = [] if folder.sealed else folder.plan.agents
    return [agent for agent in agents if catalog.external_place(agent)]


def _path(folder: str) -> Path:
    """The folder that somebody has named; an empty name would be the folder they are in."""
    if not folder.strip():
        raise InvalidSpecError("tournament.no_folder")
    return Path(folder)


def _try_cluster(pool: RefereePool, address: str) -> None:
    """Raise if nobody plays there: better now than with a folder that holds nothing."""
    with executor_at(pool, 1, address):
        pass


def _try_store(address: str) -> None:
    """Raise if nothing can be written there: better now than after the first game."""
    from papan.lab.store import Store, StoreError

    try:
        Store(address, writable=True).close()
    except StoreError as error:
        raise PapanError("store.not_begun", **error.values) from None


def _play(
    folder: Folder, pool: RefereePool, concurrency: int, cluster: str | None, json: bool
) -> None:
    """Play to the end, or say how to go on."""
    from papan.lab.tournament.executor import LostError
    from papan.lab.tournament.run import run as play

    try:
        with (
            stopped_by_signal(),
            executor_at(pool, concurrency, cluster) as executor,
            Progress() as shown,
        ):
            state = play(folder, executor, CATALOG, shown.show, _warn)
    except KeyboardInterrupt:
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
    if json:
        from papan.lab.tournament.report import tournament_facts

        print_json(tournament_facts(state))
        return
    print(_title(state))
    print()
    print_standings(state)


def _title(state: TournamentState) -> str:
    """What was played, how much of it, and why it ended."""
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


def _how_to_go_on(folder: Folder) -> str:
    trust = " --trust" if _unknown_bots(folder) else ""
    command = f"{program()} tournament resume {shlex.quote(str(folder.path))}{trust}"
    return say("tournament.go_on", command=command)


def _warn(error: PapanError) -> None:
    progress(error.text(language()))
