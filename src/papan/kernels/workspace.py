"""The workspace of a compiled game-tree search: its memory, and what Python reads from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from papan.kernels import stack as at
from papan.kernels.running import Words

NOT_EMITTED = 2**62
"""The number of a node that is not emitted."""
PLACES = 0xFFFF
STATES = ("leaf", "full", "cut")


class RootMove(NamedTuple):
    """What a search found of a move at the root."""

    score: float
    nodes: int
    doubts: int
    """How many scores it rests on that are not sure."""
    line: tuple[int, ...]
    """The play after it."""


class EmittedNode(NamedTuple):
    """What a search tells of a node of its tree, as the seat at the root sees it."""

    up: int
    move: int
    mine: bool
    """Is the seat at the root to move?"""
    state: str
    by_transposition: bool
    score: float
    low: float
    high: float


class Workspace:
    """The words that a search works on: room for so many moves at once and so many plies."""

    def __init__(self, widest: int, deepest: int, emitted: int = 0, moves: int = 0) -> None:
        """Room to tell of so many nodes, and to count for so many *moves* of either seat."""
        frame, record = at.LINE + deepest + 2, at.REPLY + deepest + 2
        sizes = {
            at.ROOT: widest * record,
            at.EMITTED_AT: emitted * at.EMITTED_WORDS,
            at.HISTORY: 2 * moves,
            at.FRAMES + at.FIRST: 2 * widest * (deepest + 1) + 1,
        }
        self.words: Words = np.zeros(
            at.FRAMES + frame * (deepest + 2) + sum(sizes.values()), np.uint64
        )
        self.numbers = self.words.view(np.float64)
        place = at.FRAMES + frame * (deepest + 2)
        for word, size in sizes.items():
            self.words[word] = place
            place += size
        self.words[[at.FRAME, at.RECORD, at.MOST_EMITTED, at.MOVE_COUNT]] = (
            frame,
            record,
            emitted,
            moves,
        )
        frames = self.words[at.FRAMES : int(self.words[at.ROOT])].reshape(-1, frame)
        frames[:, at.NODE], frames[:, at.PLY] = NOT_EMITTED, np.arange(deepest + 2)

    def begin(self, horizon: int, emitted_plies: int, controls: Words) -> None:
        """Start a round that looks *horizon* plies ahead, and tells of some of them; -1: of none.

        It shares the *controls* with whoever runs it.
        """
        self.words[[at.FINISHED, at.GUESSES, at.FAULTS, at.EMITTED]] = 0
        self.words[at.HORIZON], self.words[at.EMITTED_PLIES] = horizon, emitted_plies % 2**64
        self.words[at.CONTROLS] = controls.ctypes.data

    def place_root(self, moves: Sequence[int]) -> None:
        """Make the first frame ready for alpha-beta: its moves in the order to try them."""
        root, count = self.words[at.FRAMES :], len(moves)
        first = int(root[at.FIRST])
        self.words[first : first + count] = moves
        self.words[first + count : first + 2 * count] = PLACES - np.arange(count)
        root[[at.COUNT, at.NEXT, at.CHOICE, at.SCOUTS]] = count, 0, 0, 0
        root[int(self.words[at.FRAME]) + at.FIRST] = first + 2 * count
        self.numbers[at.FRAMES + np.array([at.BEST, at.ALPHA, at.BETA])] = -np.inf, -np.inf, np.inf

    def root(self) -> Iterator[RootMove]:
        """What was found of the moves at the root, one after the other, as far as it came."""
        first, record = int(self.words[at.ROOT]), int(self.words[at.RECORD])
        for place in range(first, first + record * int(self.words[at.FINISHED]), record):
            nodes, doubts, length = self.words[place + 1 : place + 4].tolist()
            line = self.words[place + 4 : place + 4 + length].tolist()
            yield RootMove(whole(float(self.numbers[place])), nodes, doubts, tuple(line))

    def emitted(self) -> list[EmittedNode]:
        """The nodes of the tree for events, parents before children."""
        first, count = int(self.words[at.EMITTED_AT]), int(self.words[at.EMITTED])
        last = first + count * at.EMITTED_WORDS
        facts = self.words[first:last].reshape(-1, at.EMITTED_WORDS).tolist()
        scores = self.numbers[first:last].reshape(-1, at.EMITTED_WORDS).tolist()
        return [
            EmittedNode(
                up,
                move,
                bool(mine),
                STATES[state],
                bool(transpositions),
                *map(whole, score[at.VALUE :]),
            )
            for (up, move, mine, state, transpositions, *_), score in zip(facts, scores)
        ]


def whole(number: float) -> float:
    """The same number, without a fraction where there is none: 2 and not 2.0, 0 and not -0.0."""
    return int(number) if number.is_integer() else number
