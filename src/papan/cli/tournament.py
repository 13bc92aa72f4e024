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
from papan.cli.contest import (
    CATALOG,
    Agents,
    Concurrency,
    GameOption,
    Opening,
    Pairs,
    Progress,
    SprtOption,
    UntilError,
    asked_to_leave,
    at_a_time,
    check_system,
    sprt_of,
    venue_at,
)
from papan.cli.interrupt import INTERRUPTED
from papan.cli.language import language, say
from papan.cli.output import print_json, program, progress
from papan.cli.standings import print_standings
from papan.core import InvalidSpecError, PapanError

if TYPE_CHECKING:  # only loaded where a contest is really played
    from papan.lab.tournament.contest import Contest
    from papan.lab.tournament.folder import Folder
    from papan.lab.tournament.hall import Hall

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
    from papan.lab.tournament.folder import found
    from papan.lab.tournament.hall import Hall, auditioned
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
    with closing(Hall()) as hall:
        plan = auditioned(hall, plan, CATALOG, depth)
        if store:
            _try_store(store)
        if cluster:
            _try_cluster(hall, cluster)
        _play(found(path, plan, store), hall, width, cluster, json)


def resume(
    folder: FolderArgument,
    trust: Annotated[bool, typer.Option("--trust")] = False,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Go on with a tournament that was interrupted."""
    check_system()
    from papan.lab.tournament.folder import reopen
    from papan.lab.tournament.hall import Hall, auditioned

    made = reopen(_path(folder))
    width = at_a_time(concurrency)
    if not trust and (bots := _unknown_bots(made)):
        raise PapanError("tournament.untrusted", bots=", ".join(bots))
    with closing(Hall()) as hall:
        auditioned(hall, made.plan, CATALOG)
        _play(made, hall, width, cluster, json)


def report(
    folder: FolderArgument,
    json: Json = False,
    csv: Annotated[bool, typer.Option("--csv")] = False,
    latex: Annotated[bool, typer.Option("--latex")] = False,
) -> None:
    """What the games of a tournament have shown so far."""
    from papan.lab.store import Store
    from papan.lab.tournament.contest import Contest
    from papan.lab.tournament.folder import reopen
    from papan.lab.tournament.report import contest_csv, contest_table
    from papan.lab.writing.tables import as_latex

    check_form(json, csv)
    made = reopen(_path(folder))
    with Store(made.store_url) as store:
        contest = Contest(made.plan, store.games(made.identity))
    if csv:
        print(contest_csv(contest), end="")
        return
    if latex:
        print(as_latex(contest_table(contest), language(), "tournament"), end="")
        return
    _report(contest, json)
    if not contest.ending and not json:
        progress(_how_to_go_on(made))


COMMANDS: dict[str, Callable[..., None]] = {"run": run, "resume": resume, "report": report}


def _unknown_bots(folder: Folder) -> list[str]:
    """The files and programs that a plan from elsewhere would run."""
    agents = [] if folder.sealed else folder.plan.agents
    return [agent for agent in agents if catalog.outside_place(agent)]


def _path(folder: str) -> Path:
    """The folder that somebody has named; an empty name would be the folder they are in."""
    if not folder.strip():
        raise InvalidSpecError("tournament.no_folder")
    return Path(folder)


def _try_cluster(hall: Hall, address: str) -> None:
    """Raise if nobody plays there: better now than with a folder that holds nothing."""
    with venue_at(hall, 1, address):
        pass


def _try_store(address: str) -> None:
    """Raise if nothing can be written there: better now than after the first game."""
    from papan.lab.store import Store, StoreError

    try:
        Store(address, writable=True).close()
    except StoreError as error:
        raise PapanError("store.not_begun", **error.values) from None


def _play(folder: Folder, hall: Hall, concurrency: int, cluster: str | None, json: bool) -> None:
    """Play to the end, or say how to go on."""
    from papan.lab.tournament.hall import LostError
    from papan.lab.tournament.run import run as play

    try:
        with (
            asked_to_leave(),
            venue_at(hall, concurrency, cluster) as venue,
            Progress() as shown,
        ):
            contest = play(folder, venue, CATALOG, shown.show, _warn)
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
    _report(contest, json)


def _report(contest: Contest, json: bool) -> None:
    if json:
        from papan.lab.tournament.report import contest_facts

        print_json(contest_facts(contest))
        return
    print(_title(contest))
    print()
    print_standings(contest)


def _title(contest: Contest) -> str:
    """What was played, how much of it, and why it ended."""
    plan = contest.plan
    reason = contest.ending.reason if contest.ending else "open"
    return say(
        "tournament.title",
        game=plan.game,
        agents=len(plan.agents),
        games=len(contest.standings.games),
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
