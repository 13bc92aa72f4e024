"""The results of a tournament as data, as CSV, as a table for people, and as a chart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papan.core.drawing import COLOURS, RichRepr
from papan.core.message import Message, locale_language
from papan.lab.figures import check_chart, draw_chart
from papan.lab.files import PUBLIC, csv_text, write_whole
from papan.lab.match import Forfeits
from papan.lab.results import Cell, Chart, Measure, ReportTable, Series
from papan.lab.statistics.elo import (
    IntervalFacts,
    SprtFacts,
    TallyFacts,
    interval_facts,
    sprt_facts,
    tally_facts,
)
from papan.lab.tournament.standings import Score, Standings, TournamentState


@dataclass(frozen=True)
class ContestantFacts:
    """The result of one agent as JSON data: Elo, points, games by outcome, forfeits."""

    agent: str
    """The name of the agent: its spec, numbered if it takes part twice."""
    elo: IntervalFacts | None
    """Elo above the mean of all agents; None if it has not played."""
    games: int
    """Number of games that count."""
    points: float
    """A win counts 1, a draw 1/2."""
    wins: int
    draws: int
    losses: int
    seats: list[Score]
    """Scores on the first and on the second seat; empty in games of one seat."""
    forfeits: dict[str, int]
    """Number of games that it forfeited, by kind of end, such as ``crash``; empty if none."""
    faults: list[Forfeits]
    """The same games, grouped by reason, the most frequent first."""


@dataclass(frozen=True)
class EncounterFacts(TallyFacts):
    """The result of the first of two agents against the second, as JSON data.

    It adds their names and the results, as games and pairs, to the statistics.
    """

    first: str
    """The name of the first agent, as in `ContestantFacts`."""
    second: str
    """The name of the second agent."""
    wins: int
    """Games that the first has won; in games of one seat, boards on which it did better."""
    draws: int
    losses: int
    pentanomial: list[int] | None
    """Numbers of pairs in which the first got 0, 1/2, 1, 3/2 and 2 points; None in games of one
    seat.
    """
    distinct: int
    """Number of different pairs of games: those alike in openings, moves and ends count once."""


@dataclass(frozen=True)
class StandingsFacts:
    """Results of all agents as JSON data."""

    games: int
    """Number of games that count."""
    agents: list[ContestantFacts]
    """Results of each agent, the strongest first."""
    superiority: list[list[float | None]]
    """Probability that the row's agent is stronger than the column's, in the order of *agents*;
    None if unknown.
    """
    encounters: list[EncounterFacts]
    """Results of any two agents that have met, once for each two."""
    endings: dict[str, int]
    """Number of games by kind of end, such as ``win``."""
    adjudicated: int
    """Number of games that the exact solver played to their end."""


@dataclass(frozen=True)
class TournamentResult(StandingsFacts):
    """The result of a tournament as JSON data, equal for all runs with the same plan and moves.

    It adds facts of the plan and the state of the tournament to the standings.
    """

    game: str
    """The spec of the game."""
    seed: int
    """The seed of the plan."""
    planned: int
    """Number of games if no rule ends the tournament early."""
    ending: str | None
    """Why it ended: ``all``, ``H0``, ``H1`` or ``error``; None while it goes on."""
    sprt: SprtFacts | None
    """State of the sequential test; None if the plan has none, or no pair of games is over."""


def standings_facts(standings: Standings) -> StandingsFacts:
    """Return the standings as JSON data."""
    order = standings.order()
    met = [(a, b) for a, b in standings.pairings if standings.met(a, b)]
    return StandingsFacts(
        games=len(standings.games),
        agents=[_agent_facts(standings, agent) for agent in order],
        superiority=[[_superiority(standings, a, b) for b in order] for a in order],
        encounters=[_encounter_facts(standings, a, b) for a, b in met],
        endings=dict(standings.endings()),
        adjudicated=standings.adjudicated,
    )


def tournament_facts(state: TournamentState) -> TournamentResult:
    """Return the result of a tournament so far as JSON data."""
    plan, standings = state.plan, state.standings
    test = plan.stopping.sprt if standings.met(0, 1) else None
    return TournamentResult(
        **vars(standings_facts(standings)),
        game=plan.game,
        seed=plan.seed,
        planned=plan.games,
        ending=state.ending.reason if state.ending else None,
        sprt=sprt_facts(test, standings.tally(0, 1)) if test else None,
    )


def _agent_facts(standings: Standings, agent: int) -> ContestantFacts:
    """Return the result of an agent (index) as JSON data."""
    total = standings.total(agent)
    return ContestantFacts(
        **vars(total),
        agent=standings.names[agent],
        elo=interval_facts(standings.rating(agent)) if total.games else None,
        games=total.games,
        points=total.points,
        seats=seat_scores(standings, agent),
        forfeits=dict(standings.forfeits(agent)),
        faults=standings.faults(agent),
    )


def seat_scores(standings: Standings, agent: int) -> list[Score]:
    """Return the scores of an agent (index) on the first seat and on the second, in a list.

    It is empty in games of one seat.
    """
    if not standings.paired:
        return []
    outcomes: list[list[int]] = [[], []]
    for game in standings.games:
        if agent in game.seating:
            outcomes[game.seating.index(agent)].append(game.outcome(agent))
    return [Score.of(each) for each in outcomes]


def _superiority(standings: Standings, first: int, second: int) -> float | None:
    """Return the probability that the first of two agents (indexes) is stronger; None if unknown.

    It is unknown if an agent has not played, or if both indexes are the same.
    """
    played = all(standings.total(agent).games for agent in (first, second))
    return standings.superiority(first, second) if played and first != second else None


def _encounter_facts(standings: Standings, first: int, second: int) -> EncounterFacts:
    """Return the result of the first of two agents (indexes) against the second as JSON data.

    Raise PapanError if they have not met.
    """
    tally = standings.tally(first, second)
    return EncounterFacts(
        **vars(tally_facts(tally)),
        **vars(standings.score(first, second)),
        first=standings.names[first],
        second=standings.names[second],
        pentanomial=list(tally.counts) if standings.paired else None,
        distinct=standings.distinct(first, second),
    )


def tournament_csv(state: TournamentState) -> str:
    """Return CSV with a row for each agent, the strongest first.

    The first row has the names of the columns: ``agent``, ``elo``, ``low`` and ``high`` (its
    interval), ``games``, ``points``, ``wins``, ``draws``, ``losses``, ``forfeits``, then one ``vs
    NAME`` for each agent, in the order of the rows: the points against it, empty where the two did
    not meet, such as an agent and itself. An Elo has two decimals, and is empty without a game, as
    its interval is.
    """
    standings = state.standings
    names = [standings.names[agent] for agent in standings.order()]
    columns = ("agent", "elo", "low", "high", "games", "points", "wins", "draws", "losses")
    rows: list[list[object]] = [[*columns, "forfeits", *(f"vs {name}" for name in names)]]
    for agent in standings.order():
        total = standings.total(agent)
        rating = standings.rating(agent) if total.games else None
        elo = [f"{x:.2f}" for x in (rating.value, rating.low, rating.high)] if rating else [""] * 3
        counts = (total.games, total.points, total.wins, total.draws, total.losses)
        forfeits = standings.forfeits(agent).total()
        rows.append([standings.names[agent], *elo, *counts, forfeits, *_points(standings, agent)])
    return csv_text(rows)


def _points(standings: Standings, agent: int) -> list[object]:
    """Return the points of an agent (index) against each agent of `Standings.order`, in this order.

    "" for an agent that it did not meet, such as itself.
    """
    return [
        standings.score(agent, other).points if standings.met(agent, other) else ""
        for other in standings.order()
    ]


def tournament_table(state: TournamentState) -> ReportTable:
    """Return the table of results for people, a row for each agent, the strongest first.

    Its columns are agent (name), Elo with its interval (None if it has not played), points, wins,
    draws, losses and forfeits (numbers). `papan.lab.results.table_text` and its like write it.
    """
    standings = state.standings
    keys = ("agent", "rating", "points", "wins", "draws", "losses", "forfeits")
    title = Message("tournament.caption", {"game": state.plan.game, "games": len(standings.games)})
    rows = tuple(_table_row(standings, agent) for agent in standings.order())
    return ReportTable(
        "tournament", title, tuple(Message(f"tournament.column_{key}") for key in keys), rows
    )


def _table_row(standings: Standings, agent: int) -> tuple[Cell, ...]:
    """Return the cells of an agent (index) for each heading of `tournament_table`."""
    total = standings.total(agent)
    elo = Measure.of(standings.rating(agent)) if total.games else None
    counts = (total.points, total.wins, total.draws, total.losses)
    return (standings.names[agent], elo, *counts, standings.forfeits(agent).total())


@dataclass(frozen=True)
class RatingsPlot(RichRepr):
    """A chart of ratings that notebooks display, with a background of its own.

    *svg* is a whole SVG document, *words* the standings as text.
    """

    svg: str
    words: str

    def _repr_text_(self) -> str:
        return self.words

    def _repr_svg_(self) -> str:
        return self.svg


def plot_ratings(standings: Standings, path: Path | None) -> RatingsPlot:
    """Return the chart of ratings as SVG; also write it to the file *path* unless it is None.

    Its language is that of the user's system. In the file it has no background. Raise
    InvalidSpecError if *path* does not end in ``.svg``, OSError if it cannot be written.
    """
    picture = draw_chart(ratings(standings), locale_language())
    if path is not None:
        check_chart(path)
        write_whole(path, picture, PUBLIC)
    paper = f'<svg style="background:{COLOURS["paper"]}"'
    return RatingsPlot(picture.replace("<svg", paper, 1), str(standings))


def ratings(standings: Standings) -> Chart:
    """Return a bar chart of the Elo of the agents that have played, the strongest first."""
    order = [agent for agent in standings.order() if standings.total(agent).games]
    found = [Measure.of(standings.rating(agent)) for agent in order]
    rating = Message("tournament.column_rating")
    return Chart(
        name="ratings",
        title=rating,
        x=Message("tournament.column_agent"),
        y=rating,
        series=(Series.of(rating, found),),
        kind="bars",
        categories=tuple(standings.names[agent] for agent in order),
    )
