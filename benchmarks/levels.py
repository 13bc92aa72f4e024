"""Count the Onet boards that each level clears: python -m benchmarks.levels [BOARDS]."""

from __future__ import annotations

import sys

import papan
from papan.agents.level import STRENGTHS
from papan.core import UNLIMITED, Agent, Thinking
from papan.core.parts import Setup
from papan.games.onet import Onet
from papan.games.onet.rules import OnetPosition

BOARDS = ("onet:6,8", "onet:6,12", "onet:6,8,gravity=down", "onet:8,14")
PLAYERS = ("random", *(f"level:{number}" for number in STRENGTHS))


def clears(agent: Agent, board: str, seed: int) -> bool:
    """Return whether the agent clears the deal of *seed*; levels that the game does not offer are
    tried, too.
    """
    game = papan.game(board)
    assert isinstance(game, Onet)
    position = Setup.of(game).deal(seed).start()
    while position.moves():
        position = position.child(agent.decide(position, Thinking(UNLIMITED)).move)
    assert isinstance(position, OnetPosition)
    return position.cleared


def main() -> None:
    """Print a table of the number of boards cleared, by board and player."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("| board |", " | ".join(PLAYERS), "|")
    print("|---" * (len(PLAYERS) + 1) + "|")
    for board in BOARDS:
        cleared = [
            sum(clears(papan.agent(player, seed=seed), board, seed) for seed in range(count))
            for player in PLAYERS
        ]
        print(f"| `{board}` |", " | ".join(f"{each}/{count}" for each in cleared), "|", flush=True)


if __name__ == "__main__":
    main()
