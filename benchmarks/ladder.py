"""Measure the strength of players: each level against the one below, or searches of equal work.

    python -m benchmarks.ladder levels --games 40 --boards tictactoe connect4 --steps 1 2 3
    python -m benchmarks.ladder searches --games 40 --nodes 5000 --players alphabeta mcts
    python -m benchmarks.ladder searches --nodes 2200 4000 --players A B     each with its own nodes
    python -m benchmarks.ladder levels --games 0 --write     the table, into benchmarks/results.md

Pairs of games from the same opening of two random plies, seats swapped. Each pair goes into a
journal as it ends: what was interrupted goes on, and more games can be asked for later. Work is
counted in nodes, so that results are the same on every machine; CPU seconds are those of this one.
On boards that are solved at once each move is judged: an error gives away some of what was proved.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import papan
from papan import api
from papan.agents.level import STRENGTHS, Level, slip_rate
from papan.catalog import GAMES
from papan.core import UNLIMITED, Agent, Limit, Position, margin
from papan.core.agent import reseeded
from papan.core.parts import Card
from papan.lab.match import opening
from papan.lab.statistics.elo import ScoreTally, score_interval
from papan.lab.strength import true_value

RESULTS = Path(__file__).with_name("results.md")
JOURNAL = Path(__file__).parents[1] / "build" / "ladder.jsonl"
BOARDS = tuple(
    spec
    for name, game in GAMES.items()
    if game.seats == 2
    for spec in (name, *Card.of(game()).presets)
)
SEARCHED = (
    "connect4",
    "connect4:7,8",
    "connect4:7,9",
    "connect4:7,10",
    "adjacency",
    "dots:5,5",
    "tictactoe:15,15,5",
)
JUDGED = (
    "tictactoe",
    "tictactoe:4,4,4",
    "tictactoe:5,5,5",
    "tictactoe:5,5,4",
    "dots",
    "dots:2,2",
)
"""Boards on which the solver is exact in every position at once."""
HEADINGS = (
    "board",
    "players",
    "games",
    "won",
    "drawn",
    "lost",
    "score (95 %)",
    "errors",
    "CPU ms a move",
)


class Encounter(NamedTuple):
    """Two players on a board with their limits for a move; the first should be the stronger one."""

    board: str
    players: tuple[Agent, Agent]
    limits: tuple[Limit, Limit] = (UNLIMITED, UNLIMITED)

    @property
    def key(self) -> str:
        """Text of everything that the results depend on; a level with new settings gets a
        new one.
        """
        players = " - ".join(described(each, self.board) for each in self.players)
        nodes = " and ".join(str(each) for each in dict.fromkeys(it.nodes for it in self.limits))
        return f"{self.board}: {players}, {nodes} nodes"

    def pair(self, number: int) -> dict[str, Any]:
        """Play the pair of games *number*; return as JSON data their outcomes for the first player,
        and the effort of each.
        """
        start = opening(papan.game(self.board), 2, number)
        first, second = (
            reseeded(player, 2 * number + place) for place, player in enumerate(self.players)
        )
        for player in (first, second):
            player.load(start)  # compiled code is not loaded on anybody's time
        outcomes, effort = [], ([0, 0.0, 0.0, 0], [0, 0.0, 0.0, 0])
        for seats in ((0, 1), (1, 0)):
            thinkers = [((first, second)[each], self.limits[each]) for each in seats]
            end = self._played_out(start, thinkers, [effort[each] for each in seats])
            ahead = margin(end, seats.index(0))
            outcomes.append((ahead > 0) - (ahead < 0))
        return {"key": self.key, "pair": number, "outcomes": outcomes, "effort": effort}

    def _played_out(
        self,
        position: Position,
        thinkers: Sequence[tuple[Agent, Limit]],
        effort: Sequence[list[float]],
    ) -> Position:
        """Play a game to its end and return the last position.

        *effort* of each seat is increased by moves, seconds, the longest move's seconds, and
        errors.
        """
        while position.moves():
            seat, began = position.turn, process_time()
            agent, limit = thinkers[seat]
            after = position.child(agent.analyse(position, limit).move)
            took = process_time() - began
            moves, seconds, longest, errors = effort[seat]
            errors += self.board in JUDGED and is_error(position, after)
            effort[seat][:] = moves + 1, seconds + took, max(longest, took), errors
            position = after
        return position


def is_error(before: Position, after: Position) -> bool:
    """Return whether the move between the positions gives away some of its seat's proved value."""
    solver = api.solver_for(before.game)
    assert solver is not None
    value, left = (true_value(each, before.turn, solver) for each in (before, after))
    assert value is not None and left is not None
    return left < value


def described(agent: Agent, board: str) -> str:
    """Return the spec of an agent; of a level also its settings on *board*."""
    if not isinstance(agent, Level):
        return agent.spec
    depth, work = STRENGTHS[agent.number]
    return f"{agent.spec} {(depth, work, slip_rate(agent.number, papan.game(board)))}"


def level_encounters(boards: Sequence[str], steps: Sequence[int]) -> Iterator[Encounter]:
    """Yield each level of *steps* against the one above it, on *boards*; empty: all of them."""
    for board in boards or BOARDS:
        for weak in steps or sorted(STRENGTHS)[:-1]:
            yield Encounter(board, (Level(weak + 1), Level(weak)))


def search_encounters(
    boards: Sequence[str], players: Sequence[str], nodes: Sequence[int]
) -> Iterator[Encounter]:
    """Yield the first player against each other one, with *nodes* a move for all or for each."""
    limits = [Limit(nodes=each) for each in (nodes if len(nodes) > 1 else [*nodes] * len(players))]
    for board in boards or SEARCHED:
        for other, limit in zip(players[1:], limits[1:]):
            pair = papan.agent(players[0]), papan.agent(other)
            yield Encounter(board, pair, (limits[0], limit))


def read(journal: Path) -> dict[str, dict[int, dict[str, Any]]]:
    """Return the pairs that were played, by encounter and number; an incomplete last line is
    ignored.
    """
    found: dict[str, dict[int, dict[str, Any]]] = {}
    if journal.exists():
        for line in journal.read_text(encoding="utf-8").split("\n")[:-1]:
            pair = json.loads(line)
            found.setdefault(pair["key"], {})[pair["pair"]] = pair
    return found


def row(encounter: Encounter, pairs: dict[int, dict[str, Any]]) -> str:
    """Return one line of the Markdown table: counts, score with its interval, errors, times."""
    outcomes = [outcome for pair in pairs.values() for outcome in pair["outcomes"]]
    score = score_interval(ScoreTally.of_pairs(outcomes))
    times, errors = [], []
    for place in (0, 1):
        moves = sum(pair["effort"][place][0] for pair in pairs.values()) or 1
        seconds = sum(pair["effort"][place][1] for pair in pairs.values())
        longest = max(pair["effort"][place][2] for pair in pairs.values())
        times.append(f"{1000 * seconds / moves:.1f} (longest {1000 * longest:.0f})")
        errors.append(f"{sum(pair['effort'][place][3] for pair in pairs.values()) / moves:.0%}")
    first, second = encounter.players
    cells = (
        f"`{encounter.board}`",
        f"`{first.spec}` - `{second.spec}`",
        len(outcomes),
        *(outcomes.count(outcome) for outcome in (1, 0, -1)),
        f"{score.value:.0%} [{score.low:.0%}, {score.high:.0%}]",
        ", ".join(errors) if encounter.board in JUDGED else "",
        ", ".join(times),
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def table(encounters: Sequence[Encounter], journal: Path) -> str:
    """Return the Markdown table of the encounters that have been played so far."""
    played = read(journal)
    rows = [row(each, played[each.key]) for each in encounters if each.key in played]
    return "\n".join(("| " + " | ".join(HEADINGS) + " |", "|---" * len(HEADINGS) + "|", *rows))


def play(encounters: Sequence[Encounter], games: int, journal: Path) -> None:
    """Play the missing games and append them to *journal*, one pair of every encounter after the
    other.
    """
    journal.parent.mkdir(parents=True, exist_ok=True)
    played = read(journal)
    with journal.open("a", encoding="utf-8") as file:
        for number in range((games + 1) // 2):
            for encounter in encounters:
                if number not in played.get(encounter.key, {}):
                    print(json.dumps(encounter.pair(number)), file=file, flush=True)


def write(name: str, text: str) -> None:
    """Replace the table *name* between its marks in `RESULTS`."""
    begin, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
    before, _, rest = RESULTS.read_text(encoding="utf-8").partition(begin)
    after = rest.partition(end)[2]
    RESULTS.write_text(before + begin + text + end + after, encoding="utf-8")


def main() -> None:
    """Play the missing games, then print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("levels", "searches"))
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--boards", nargs="*", default=())
    parser.add_argument("--steps", type=int, nargs="*", default=(), help="the weaker level of each")
    parser.add_argument("--players", nargs="*", default=("alphabeta", "mcts"))
    parser.add_argument("--nodes", type=int, nargs="+", default=(5_000,))
    parser.add_argument("--journal", type=Path, default=JOURNAL)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    encounters = list(
        level_encounters(asked.boards, asked.steps)
        if asked.kind == "levels"
        else search_encounters(asked.boards, asked.players, asked.nodes)
    )
    play(encounters, asked.games, asked.journal)
    found = table(encounters, asked.journal)
    print(found)
    if asked.write:
        write(asked.kind, found)


if __name__ == "__main__":
    main()
