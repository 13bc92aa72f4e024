"""Positions of Adjacency for its tests, and their values by plain minimax."""

import random
from collections.abc import Iterator
from math import perm

import papan
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition


def at(text: str) -> AdjacencyPosition:
    position = papan.position(text)
    assert isinstance(position, AdjacencyPosition)
    return position


def margin(position: AdjacencyPosition) -> int:
    own, rival = position.sides
    return own.bit_count() - rival.bit_count()


def played(rng: random.Random, game: Adjacency, plies_left: int) -> AdjacencyPosition:
    """A position so many plies before the end, after play that is sometimes greedy."""
    position, greed = game.start(), rng.random()
    while position.plies_left > plies_left:
        moves = position.moves()
        rng.shuffle(moves)
        if rng.random() < greed:
            moves.sort(key=lambda move: -len(position.flips(move)))
        position = position.child(moves[0])
    return position


def random_game(rng: random.Random) -> Adjacency:
    rows, columns = rng.randint(4, 8), rng.randint(4, 8)
    return Adjacency(rows, columns, rng.randint(1, (rows * columns - 8) // 2))


def positions(rng: random.Random, size: int) -> Iterator[AdjacencyPosition]:
    """Positions so near the end that plain minimax looks at no more than about *size* games."""
    while True:
        game = random_game(rng)
        plies = rng.randint(1, min(9, 2 * game.rounds))
        empty = game.grid.size - 8 - 2 * game.rounds + plies
        if perm(empty, plies) <= size:
            yield played(rng, game, plies)


def plain(position: AdjacencyPosition, known: dict[AdjacencyPosition, int]) -> int:
    """The final margin of the side to move, by minimax without any cleverness."""
    if position not in known:
        moves = position.moves()
        replies = [-plain(position.child(move), known) for move in moves]
        known[position] = max(replies) if moves else margin(position)
    return known[position]


def final_margin(position: AdjacencyPosition, line: tuple[int, ...]) -> int:
    end = position
    for move in line:
        assert move in end.moves()
        end = end.child(move)
    assert end.moves() == []
    return margin(end) if end.turn == position.turn else -margin(end)
