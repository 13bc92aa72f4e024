"""``papan match``: two agents against each other on any game, both seats."""

from __future__ import annotations

from typing import Annotated

import typer

from papan import catalog
from papan.cli.arguments import (
    Json,
    Nodes,
    Seconds,
    Seed,
    agent_for,
    complete_agent,
    complete_game,
    limit_of,
)
from papan.cli.language import say
from papan.cli.output import print_json, print_table, progress
from papan.core import Limit
from papan.lab.match import Match, MatchGame, MatchResult

USUAL = Limit(nodes=10_000)
"""Nodes, not seconds, so that the same seed gives the same games on every machine."""

AgentArgument = Annotated[
    str, typer.Argument(metavar="AGENT", autocompletion=complete_agent, show_default=False)
]


def match(
    first: AgentArgument,
    second: AgentArgument,
    game: Annotated[str, typer.Option(metavar="GAME", autocompletion=complete_game)] = "tictactoe",
    pairs: Annotated[int, typer.Option(metavar="N")] = 10,
    seed: Seed = 0,
    opening: Annotated[int, typer.Option(metavar="N")] = 2,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Pairs of games with the seats swapped."""
    rules = catalog.game(game)
    agents = agent_for(first, rules), agent_for(second, rules)
    plan = Match(agents, rules, pairs, seed, limit_of(seconds, nodes, USUAL), opening)
    games = []
    for played in plan.play():
        games.append(played)
        if json:
            print(played.record.json(), flush=True)
        progress(_line(len(games), 2 * pairs, played))
    result = MatchResult((agents[0].spec, agents[1].spec), tuple(games))
    if json:
        print_json(_facts(result))
    else:
        _print(result)


def _line(done: int, total: int, played: MatchGame) -> str:
    record = played.record
    scores = "-".join(f"{score:g}" for score in record.scores)
    text = f"{done}/{total}  {' - '.join(record.agents)}  {scores}  {say(f'end.{record.end}')}"
    if record.blame is None:
        return text
    return f"{text}: {record.agents[record.blame - 1]} ({record.reason})"


def _facts(result: MatchResult) -> dict[str, object]:
    return {
        "agents": list(result.agents),
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "forfeits": [result.forfeits(0), result.forfeits(1)],
    }


def _print(result: MatchResult) -> None:
    first = [result.wins, result.draws, result.losses]
    rows = [
        [agent, *map(str, counts), _faults(result.forfeits(place))]
        for place, (agent, counts) in enumerate(zip(result.agents, (first, first[::-1])))
    ]
    keys = ("match.agent", "match.wins", "match.draws", "match.losses", "match.forfeits")
    print_table([say(key) for key in keys], rows)


def _faults(kinds: dict[str, int]) -> str:
    return ", ".join(f"{say(f'end.{kind}')} {count}" for kind, count in kinds.items()) or "0"
