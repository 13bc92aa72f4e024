"""The workspace of a compiled game-tree search: a frame for each ply instead of recursion.

A recursive function would need its signature written out for every game, and could not just stop.
All lies on one array of words, the workspace: counts, then the frames, then what was found of each
move at the root, the nodes to emit, and the moves of all frames one after the other. First the
words and what compiled searches do with them, then how Python sets them out and reads them.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types

from papan.engine.control import NODES, Words
from papan.engine.native import (
    ONE,
    WORD,
    WORDS,
    ZERO,
    load,
    load_number,
    native,
    store,
    store_number,
    words_at,
)

U = np.uint64
INDEX: Any = types.int64
NUMBER = types.float64

FINISHED, GUESSES, FAULTS, EMITTED, PRUNED, PROBES, HITS, STORED = range(8)
"""The counts: moves at the root that are done; scores that rest on the horizon; scores that do not
tell the truth; nodes emitted; moves pruned; questions to the table, answers, positions in it."""
CONTROLS, HORIZON, FRAME, ROOT, RECORD, EMITTED_AT, MOST_EMITTED, EMITTED_PLIES, WIN = range(8, 17)
"""The shared words; how many plies to look ahead; the size of a frame; where the moves at the root
are kept, and in how many words each; where emitted nodes are kept; how many of them, and of how
many plies; the score of a win at once, less one for each ply until then."""
TRANSPOSITIONS, MASK, HISTORY, MOVE_COUNT, LARGEST, ORDERS, REMEMBERS = range(17, 24)
"""For alpha-beta: the table and its last bucket; where it counts cuts, for how many moves; the
largest margin; whether it orders moves, and remembers positions."""
FRAMES = 32

BOARD, PLY, TURN, FIRST, COUNT, NEXT, NODE, BEST = 0, 4, 5, 6, 7, 8, 9, 10
"""A frame: its board, ply and turn; where its moves begin, how many they are, which is next; its
emitted node; its score so far."""
ALPHA, BETA, KEY, SEEN_GUESSES, HINT, CHOICE, SCOUTS = range(11, 18)
"""What alpha-beta keeps: its window, what the table knows the position by, the guesses when it
began, the move to try first and the best one so far (places among the moves, from 1 on; 0 for
none), and whether the child is searched with a null window."""
KILLERS = 18
"""For each seat the two moves that cut last."""
LINE = 22
"""The best play from here: its length, then the moves."""

SCORE, NODES_SPENT, DOUBTS, REPLY = 0, 1, 2, 3
"""A move at the root: its score, its nodes, how often it rests on something unsure, the play after
it: its length, then the moves."""

UP, MOVE, MINE, STATE, BY_TRANSPOSITION, VALUE, LOW, HIGH = range(8)
"""An emitted node: its parent, the move to it, whether the seat at the root is to move, how it
ended, whether the table answered; its score and window."""
EMITTED_WORDS = 8
LEAF, FULL, CUT = range(3)


@native(INDEX(WORDS, INDEX), inline=True)
def number_at(words, at):
    """A word as a signed number."""
    return INDEX(load(words, at))


@native(WORD(WORDS, INDEX, WORD), inline=True)
def add(workspace, at, more):
    """Add to a count; what it was before."""
    count = load(workspace, at)
    store(workspace, at, count + more)
    return count


@native(INDEX(WORDS, INDEX), inline=True)
def child_of(workspace, frame):
    """The next frame."""
    return frame + number_at(workspace, FRAME)


@native(INDEX(WORDS, INDEX), inline=True)
def parent_of(workspace, frame):
    """The frame before."""
    return frame - number_at(workspace, FRAME)


@native(types.boolean(WORDS, INDEX), inline=True)
def mine(workspace, frame):
    """Has the seat at the root the turn?"""
    return load(workspace, frame + TURN) == load(workspace, FRAMES + TURN)


@native(types.void(WORDS, INDEX, INDEX, INDEX), inline=True)
def copy_line(workspace, line, to, moves):
    """Copy a line, and leave room for so many *moves* before it."""
    length = load(workspace, line)
    store(workspace, to, length + U(moves))
    for at in range(1, INDEX(length) + 1):
        store(workspace, to + moves + at, load(workspace, line + at))


@native(types.void(WORDS, INDEX, WORD))
def extend(workspace, frame, move):
    """The best play from a frame is *move* and what follows it."""
    copy_line(workspace, child_of(workspace, frame) + LINE, frame + LINE, 1)
    store(workspace, frame + LINE + 1, move)


@native(WORD(WORDS), inline=True)
def nodes_so_far(workspace):
    """How many nodes have been counted."""
    return load(words_at(load(workspace, CONTROLS)), NODES)


@native(types.void(WORDS))
def begin_move(workspace):
    """Note where a move at the root begins."""
    at = number_at(workspace, ROOT) + number_at(workspace, RECORD) * number_at(workspace, FINISHED)
    store(workspace, at + NODES_SPENT, nodes_so_far(workspace))
    store(workspace, at + DOUBTS, load(workspace, GUESSES) + load(workspace, FAULTS))


@native(types.void(WORDS, NUMBER))
def end_move(workspace, score):
    """Note what a move at the root came to."""
    at = number_at(workspace, ROOT) + number_at(workspace, RECORD) * number_at(workspace, FINISHED)
    add(workspace, FINISHED, ONE)
    store_number(workspace, at + SCORE, score)
    store(workspace, at + NODES_SPENT, nodes_so_far(workspace) - load(workspace, at + NODES_SPENT))
    doubts = load(workspace, GUESSES) + load(workspace, FAULTS)
    store(workspace, at + DOUBTS, doubts - load(workspace, at + DOUBTS))
    copy_line(workspace, child_of(workspace, FRAMES) + LINE, at + REPLY, 0)


@native(types.boolean(WORDS, INDEX), inline=True)
def is_emitted(workspace, frame):
    """Is a frame among the plies whose nodes are emitted?"""
    return number_at(workspace, frame + PLY) <= number_at(workspace, EMITTED_PLIES)


@native(INDEX(WORDS, INDEX), inline=True)
def emitted_at(workspace, frame):
    """Where the node of a frame is written for events; 0 where it is not."""
    number = load(workspace, frame + NODE)
    if number >= load(workspace, MOST_EMITTED):
        return 0
    return number_at(workspace, EMITTED_AT) + EMITTED_WORDS * INDEX(number)


@native(types.void(WORDS, INDEX, WORD))
def emit_entry(workspace, frame, move):
    """Tell of a node as it is entered, while there is room."""
    number = load(workspace, EMITTED)
    store(workspace, frame + NODE, number)
    at = emitted_at(workspace, frame)
    if at:
        store(workspace, EMITTED, number + ONE)
        up = load(workspace, parent_of(workspace, frame) + NODE) if frame > FRAMES else ZERO
        store(workspace, at + UP, up)
        store(workspace, at + MOVE, move)
        store(workspace, at + MINE, U(mine(workspace, frame)))
        store(workspace, at + BY_TRANSPOSITION, ZERO)


@native(types.void(WORDS, INDEX, NUMBER, INDEX))
def emit_exit(workspace, frame, score, state):
    """Tell what a node came to."""
    at = emitted_at(workspace, frame)
    if at:
        store_number(workspace, at + VALUE, score)
        store(workspace, at + STATE, U(state))


@native(types.void(WORDS, INDEX))
def emit_answer(workspace, frame):
    """Mark that the transposition table answered."""
    at = emitted_at(workspace, frame)
    if at:
        store(workspace, at + BY_TRANSPOSITION, ONE)


@native(NUMBER(WORDS, INDEX), inline=True)
def best_of(workspace, frame):
    """The score of a frame so far."""
    return load_number(workspace, frame + BEST)


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
        """Room to tell of so many nodes, and to count for so many *moves* of either se"""
        frame, record = LINE + deepest + 2, REPLY + deepest + 2
        sizes = {
            ROOT: widest * record,
            EMITTED_AT: emitted * EMITTED_WORDS,
            HISTORY: 2 * moves,
            FRAMES + FIRST: 2 * widest * (deepest + 1) + 1,
        }
        self.words: Words = np.zeros(
            FRAMES + frame * (deepest + 2) + sum(sizes.values()), np.uint64
        )
        self.numbers = self.words.view(np.float64)
        place = FRAMES + frame * (deepest + 2)
        for word, size in sizes.items():
            self.words[word] = place
            place += size
        self.words[[FRAME, RECORD, MOST_EMITTED, MOVE_COUNT]] = (
            frame,
            record,
            emitted,
            moves,
        )
        frames = self.words[FRAMES : int(self.words[ROOT])].reshape(-1, frame)
        frames[:, NODE], frames[:, PLY] = NOT_EMITTED, np.arange(deepest + 2)

    def begin(self, horizon: int, emitted_plies: int, controls: Words) -> None:
        """Start a round that looks *horizon* plies ahead, and tells of some of them; -1: of none.

        It shares the *controls* with whoever runs it.
        """
        self.words[[FINISHED, GUESSES, FAULTS, EMITTED]] = 0
        self.words[HORIZON], self.words[EMITTED_PLIES] = horizon, emitted_plies % 2**64
        self.words[CONTROLS] = controls.ctypes.data

    def place_root(self, moves: Sequence[int]) -> None:
        """Make the first frame ready for alpha-beta: its moves in the order to try them."""
        root, count = self.words[FRAMES:], len(moves)
        first = int(root[FIRST])
        self.words[first : first + count] = moves
        self.words[first + count : first + 2 * count] = PLACES - np.arange(count)
        root[[COUNT, NEXT, CHOICE, SCOUTS]] = count, 0, 0, 0
        root[int(self.words[FRAME]) + FIRST] = first + 2 * count
        self.numbers[FRAMES + np.array([BEST, ALPHA, BETA])] = -np.inf, -np.inf, np.inf

    def root(self) -> Iterator[RootMove]:
        """What was found of the moves at the root, one after the other, as far as it came."""
        first, record = int(self.words[ROOT]), int(self.words[RECORD])
        for place in range(first, first + record * int(self.words[FINISHED]), record):
            nodes, doubts, length = self.words[place + 1 : place + 4].tolist()
            line = self.words[place + 4 : place + 4 + length].tolist()
            yield RootMove(whole(float(self.numbers[place])), nodes, doubts, tuple(line))

    def emitted(self) -> list[EmittedNode]:
        """The nodes of the tree for events, parents before children."""
        first, count = int(self.words[EMITTED_AT]), int(self.words[EMITTED])
        last = first + count * EMITTED_WORDS
        facts = self.words[first:last].reshape(-1, EMITTED_WORDS).tolist()
        scores = self.numbers[first:last].reshape(-1, EMITTED_WORDS).tolist()
        return [
            EmittedNode(
                up,
                move,
                bool(mine),
                STATES[state],
                bool(transpositions),
                *map(whole, score[VALUE:]),
            )
            for (up, move, mine, state, transpositions, *_), score in zip(facts, scores)
        ]


def whole(number: float) -> float:
    """The same number, without a fraction where there is none: 2 and not 2.0, 0 and not -0.0."""
    return int(number) if number.is_integer() else number
