"""What a tournament has shown, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.cli.elo import sprt_lines
from papan.cli.language import language, say
from papan.cli.output import print_table
from papan.lab.match import forfeit_line
from papan.lab.statistics import elo_difference, normalised_elo
from papan.lab.statistics.intervals import with_ends

if TYPE_CHECKING:  # only loaded where a tournament is really played
    from papan.lab.tournament.standings import Standings
    from papan.lab.tournament.state import TournamentState


def print_standings(state: TournamentState) -> None:
    """The cross-table, the encounters, and how the games ended."""
    standings = state.standings
    print_table(_cross_headings(standings), [_row(standings, agent) for agent in standings.order()])
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
    if state.plan.stopping.sprt and standings.met(0, 1):
        print("\n".join(sprt_lines(state.plan.stopping.sprt, standings.tally(0, 1))))


def _cross_headings(standings: Standings) -> list[str]:
    keys = ("rank", "agent", "rating", "points", "wins", "draws", "losses", "forfeits")
    places = range(1, len(standings.names) + 1) if len(standings.names) > 2 else []
    return [*headings(*keys), *map(str, places)]


def _row(standings: Standings, agent: int) -> list[str]:
    order, total = standings.order(), standings.total(agent)
    cells = [
        str(order.index(agent) + 1),
        standings.names[agent],
        with_ends(standings.rating(agent)) if total.games else "",
        f"{total.points:g}/{total.games}",
        *map(str, (total.wins, total.draws, total.losses)),
        faults(standings, agent),
    ]
    if len(order) == 2:  # the columns before say it all
        return cells
    return cells + [_cell(standings, agent, other) for other in order]


def _cell(standings: Standings, agent: int, other: int) -> str:
    return str(standings.score(agent, other)) if standings.met(agent, other) else "\u00b7"


def _encounter(standings: Standings, first: int, second: int) -> list[str]:
    tally = standings.tally(first, second)
    return [
        f"{standings.names[first]} - {standings.names[second]}",
        with_ends(elo_difference(tally)),
        with_ends(normalised_elo(tally)),
        f"{standings.superiority(first, second):.1%}",
        " ".join(map(str, tally.counts)) if standings.paired else "",
    ]


def _endings(standings: Standings) -> str:
    kinds = [f"{say(f'end.{kind}')} {count}" for kind, count in standings.endings().most_common()]
    if standings.adjudicated:
        kinds.append(say("tournament.adjudicated", count=standings.adjudicated))
    return ", ".join(kinds) or "-"


def headings(*keys: str) -> list[str]:
    """What columns of results are called."""
    return [say(f"tournament.column_{key}") for key in keys]


def print_faults(standings: Standings) -> None:
    """Why games were lost by an agent's own fault: a bot that fails is no weak one."""
    for agent, name in enumerate(standings.names):
        for each in standings.faults(agent):
            print(forfeit_line(name, each, language()))


def faults(standings: Standings, agent: int) -> str:
    """How often an agent lost by its own fault, by kind."""
    kinds = standings.forfeits(agent).items()
    return ", ".join(f"{say(f'end.{kind}')} {count}" for kind, count in kinds) or "0"
