"""Openings: paper 002's player, which takes the pair that leaves most pairs open."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar

from papan.core import Agent, Analysis, Game, Guess, Move, Position, Thinking
from papan.games.onet.rules import Onet, OnetPosition


@dataclass
class Openings(Agent):
    """An agent: it counts the links open after each pair, and takes the first pair with the most.

    Pairs are tried in the order of their cells. Links are counted once in each order of their
    tiles, by the rule of the game: the paper's own player is this one in a game with
    ``rule=paper``. At a limit it chooses among the pairs tried by then.
    """

    name: ClassVar[str] = "openings"
    ends_by_itself: ClassVar[bool] = True

    def plays(self, game: Game) -> bool:
        return isinstance(game, Onet)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        assert isinstance(position, OnetPosition)
        pairs = [position.game.pair(*cells) for cells in _links(position)]
        openings: dict[Move, int] = {}
        with thinking.until_stopped():
            for move in dict.fromkeys(pairs):  # once each, in the order of the paper's scan
                thinking.tick()
                openings[move] = len(_links(position.child(move)))
        best = max(openings, key=openings.__getitem__, default=pairs[0])
        _emit(position, best, openings, thinking)
        values = {move: Guess(count, nodes=1) for move, count in openings.items()}
        return Analysis((best,), values=values)


def _links(position: OnetPosition) -> list[tuple[int, int]]:
    """Return the linked pairs of equal tiles, as (first, second) numbers of cells, sorted.

    The line is found from the first: a pair comes in both orders if it is found from each of the
    two, as by the usual rule it always is. Empty if none is linked.
    """
    links = position.game.links(position.tiles)
    ordered = (pair for cells in position.alike() for pair in permutations(cells, 2))
    return sorted(pair for pair in ordered if links.joins(*pair))


def _emit(
    position: OnetPosition, best: Move, openings: dict[Move, int], thinking: Thinking
) -> None:
    """Emit two events: the openings of each pair, and the search for the line of the *best* one.

    The first is a "root" event. The second, "path", has as ``cells`` the ends and corners of the
    line, each [row, column], its ``turns``, the number of cells ``visited``, and as ``frontier``
    three sorted lists of the cells (row, column) first reached with 0, 1 and 2 turns. *openings*
    has for each pair, a move, the number of links after it. Nothing is emitted if
    `thinking.watched` is false.
    """
    if not thinking.watched:
        return
    name = position.game.move_name
    moves = [
        {"m": name(move), "v": count, "k": "estimate", "n": 1, "openings": count}
        for move, count in openings.items()
    ]
    thinking.emit_root(1, name(best), moves)
    links = position.game.links(position.tiles)
    path, (first, second) = position.path(best), position.game.cells(best)
    if not links.joins(first, second):
        path, first = path[::-1], second
    turns = links.spread(first)
    thinking.emit(
        "path",
        cells=[list(point) for point in path],
        turns=len(path) - 2,
        visited=len(turns),
        frontier=[sorted(point for point in turns if turns[point] == turn) for turn in range(3)],
    )
