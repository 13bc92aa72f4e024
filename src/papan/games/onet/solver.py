"""The solver of Onet: clears a board move by move, or proves that it cannot be cleared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papan.core import (
    UNLIMITED,
    Analysis,
    Game,
    Limit,
    Move,
    OutOfBudget,
    Position,
    Proved,
    Thinking,
    Value,
)
from papan.core.message import Message
from papan.engine.control import NODES, controls, run
from papan.engine.memory import entries_in, layout
from papan.engine.solver import NativeSolver, Solution
from papan.games.onet import kernel, kernel_clear
from papan.games.onet.clearing import (
    Clearing,
    ClearingVerdict,
    OnVerdict,
    TilePair,
    least_left,
    odd_certificate,
    odd_kind,
)
from papan.games.onet.kernel_clear import CLEARED, EXHAUSTED, ClearingRecord, ClearingSearch
from papan.games.onet.rules import Onet, OnetPosition, only_opens

SearchRoom: TypeAlias = tuple[int, float]
"""Most megabytes of memory, and most nodes, of a depth-first search."""
EXTRA: SearchRoom = (1, 1_000)
"""Megabytes and nodes to find the most pairs that can be taken from a board that cannot be cleared.
"""
QUICK: SearchRoom = (1, 20_000)
"""Megabytes and nodes tried first: most boards need less, and a large memory takes time to clear.
"""
MOST_PAIR_WORDS = 2**22
"""Words of the list of pairs that a depth-first search keeps, at most."""
CHEAP_TILES, OTHER_MOVES_NODES = 150, 20_000
"""On boards of at most CHEAP_TILES tiles all moves that clear them are looked for, with this many
nodes.
"""


def _in_words(solvable: bool | None) -> Message | None:
    """Return the sentence whether the board can be cleared; None if that is unknown."""
    if solvable is None:
        return None
    return Message("onet.solvable" if solvable else "onet.unsolvable")


def _notes(verdict: ClearingVerdict) -> tuple[Message, ...]:
    """Return sentences on why the board can never be cleared, or that this is still unknown.

    Empty if it can be cleared, and if only a search through all ways has shown that it cannot.
    """
    if verdict.solvable is None:
        return (Message("onet.solvable_open"),)
    certificate = verdict.certificate or {}
    if certificate.get("why") == "odd":
        return (Message("onet.proof_odd", {"tiles": " ".join(certificate["tiles"])}),)
    if certificate.get("why") == "blocked":
        return (Message("onet.proof_blocked"),)
    return ()


@dataclass
class OnetSolver(NativeSolver):
    """An agent that decides whether a board can be cleared, nearly always at once.

    With gravity or the paper's rule it takes longer. It uses one thread. With *all_moves* it
    decides for every legal move whether the board can still be cleared after it.
    """

    def plays(self, game: Game) -> bool:
        return isinstance(game, Onet)

    def variant(self, position: Position) -> tuple[object, ...]:
        assert isinstance(position, OnetPosition)
        return (only_opens(position.game),)

    def finished(self, position: Position) -> Analysis:
        """Return the analysis of a finished board: that it is cleared, or why its tiles stay.

        `position` must be over: not checked.
        """
        assert isinstance(position, OnetPosition)
        thinking = Thinking(UNLIMITED)
        solution = OnetSolution(position, thinking, self)
        solution.verdict = clearing_verdict(position, self.memory, thinking)
        return solution.analysis("exact")

    def solution(self, position: Position, thinking: Thinking) -> Solution:
        assert isinstance(position, OnetPosition)
        return OnetSolution(position, thinking, self)


def _ignore(verdict: ClearingVerdict) -> None:
    """Do nothing: the default of `look`."""


def clearing_verdict(
    position: OnetPosition, memory: int, thinking: Thinking, look: OnVerdict = _ignore
) -> ClearingVerdict:
    """Return whether the board of any position can be cleared, and how, or why not.

    *memory* is the most megabytes of a depth-first search (for gravity and the paper's rule);
    *look* is called now and then with what is known so far, perhaps never. `solvable` is None if
    the limit of *thinking* was reached before a proof, or there was no room for all moves;
    OutOfBudget is not raised. `solvable` is always False, with a certificate, where a kind is odd
    in number.
    """
    game = position.game
    if position.cleared:
        return ClearingVerdict(True, ())
    if only_opens(game):
        return Clearing(game.grid, position.tiles, thinking, look).verdict()
    if (odd := odd_kind(position.tiles)) is None:
        verdict = search_clearing(position, QUICK, thinking, look)
        return (
            search_clearing(position, (memory, inf), thinking, look)
            if verdict.why == "done"
            else verdict
        )
    verdict = search_clearing(position, EXTRA, thinking, look)
    certificate = odd_certificate(game.grid, position.tiles, odd)
    return replace(verdict, solvable=False, certificate=certificate, why="exact")


class OnetSolution(Solution):
    """The solution of one board: moves that clear it, or a proof that none do.

    *verdict* is what is known so far.
    """

    position: OnetPosition
    values: dict[Move, Value]
    """The number of empty cells at the end, after each move, as far as it is proved."""

    def __init__(self, position: OnetPosition, thinking: Thinking, settings: OnetSolver) -> None:
        super().__init__(position, thinking)
        self.memory, self.all_moves = settings.memory, settings.all_moves
        self.verdict = ClearingVerdict(None, ())

    def work(self) -> None:
        position = self.position
        self.verdict = clearing_verdict(position, self.memory, self.thinking, self.note)
        if self.verdict.solvable is False:
            self.verdict = self._most_taken()
        self.values = _winning_moves(position, self.verdict)
        if self.all_moves and self.verdict.solvable is False:
            self.values = {move: Proved(high=self.bounds()[1]) for move in position.moves()}
        elif self.all_moves:
            self._other_moves()
        elif self.verdict.solvable and len(position.tiles) <= CHEAP_TILES:
            self.thinking.narrow(Limit(nodes=self.thinking.nodes + OTHER_MOVES_NODES))
            self._other_moves()
        self.emit()

    def note(self, verdict: ClearingVerdict) -> None:
        """Record the *verdict* so far, and emit it if the last event was long enough ago."""
        self.verdict = verdict
        if self.thinking.time_to_emit():
            self.emit()

    def update(self) -> None:
        self.line = _moves(self.position.game, self.verdict.pairs)
        self.line = self.line or tuple(self.position.moves()[:1])
        self.depth = len(self.line)

    def choice(self) -> Move:
        return self.line[0]

    def bounds(self) -> tuple[float, float]:
        tiles = self.position.tiles
        low = tiles.count(0) + 2 * len(self.verdict.pairs)
        return low, len(tiles) - self.verdict.least_left

    def emit(self, **facts: object) -> None:
        super().emit(solvable=self.verdict.solvable, **facts)

    def analysis(self, why: str) -> Analysis:
        self.update()
        verdict, (low, high) = self.verdict, self.bounds()
        facts: dict[str, object] = {"solvable": verdict.solvable}
        if verdict.certificate is not None:
            facts["certificate"] = verdict.certificate
        if verdict.solvable is None:
            why = verdict.why
        elif low < high:
            why = "done"
        distance = len(verdict.pairs) if verdict.solvable else None
        proved = Proved(low, high)
        return Analysis(
            self.line,
            low,
            proved,
            dict(self.values),
            distance,
            facts=facts,
            verdict=_in_words(verdict.solvable),
            notes=_notes(verdict),
            why=why,
        )

    def _most_taken(self) -> ClearingVerdict:
        """Return `verdict`, that of a board that cannot be cleared, with more pairs if there are.

        They are looked for by a depth-first search within `EXTRA`, unless as many tiles as possible
        are taken already. If that finds more pairs, or that more tiles must stay, `pairs` and
        `least_left` are replaced.
        """
        verdict, (low, high) = self.verdict, self.bounds()
        if low == high:
            return verdict
        found = search_clearing(self.position, EXTRA, self.thinking)
        return replace(
            verdict,
            pairs=max(verdict.pairs, found.pairs, key=len),
            least_left=max(verdict.least_left, found.least_left),
        )

    def _other_moves(self) -> None:
        """Decide for each legal move without a value whether the board can be cleared after it.

        Values are added to `values`. A move after which the limit was reached has none.
        """
        size = len(self.position.tiles)
        for move in [move for move in self.position.moves() if move not in self.values]:
            verdict = clearing_verdict(self.position.child(move), self.memory, self.thinking)
            if verdict.solvable:
                line = _moves(self.position.game, verdict.pairs)
                self.values[move] = Proved.exactly(size, line=line)
            elif verdict.solvable is False:
                self.values[move] = Proved(high=size - verdict.least_left)


def _winning_moves(position: OnetPosition, verdict: ClearingVerdict) -> dict[Move, Value]:
    """Return the values of the moves with which the way found to clear the board can begin.

    Each value is that all cells are empty, with the line that follows. Empty if there is no such
    way.
    """
    if not verdict.solvable:
        return {}
    game, size = position.game, len(position.tiles)
    line = _moves(game, verdict.pairs)
    if not only_opens(game):
        return {line[0]: Proved.exactly(size, line=line[1:])}
    links = game.links(position.tiles)
    return {
        move: Proved.exactly(size, line=(*line[:place], *line[place + 1 :]))
        for place, move in enumerate(line)
        if links.linked(*game.cells(move))
    }


def _moves(game: Onet, pairs: Sequence[TilePair]) -> tuple[Move, ...]:
    """Return the moves that take these pairs of cells, in the same order."""
    return tuple(game.pair(*pair) for pair in pairs)


# Boards where taking tiles may close links, with gravity or by the paper's rule: plain search.


def search_clearing(
    position: OnetPosition, room: SearchRoom, thinking: Thinking, look: OnVerdict = _ignore
) -> ClearingVerdict:
    """Return whether the board can be cleared, by a depth-first search within limits.

    *room* (megabytes, nodes) and *thinking* are the limits; *look* is called now and then with what
    is known so far, perhaps never. If the search is not finished, `solvable` is None, and `why` is
    "time" or "cancelled" if *thinking* or *look* ended it; else "done" if *room* has fewer nodes
    than *thinking* has left, or "nodes" if not, even where moves were left out for want of room.
    OutOfBudget is not raised; `thinking.nodes` is raised by the nodes searched.
    """
    memory, most_nodes = room
    left_to_us = thinking.limit.nodes - thinking.nodes
    state = _state(position, memory, min(most_nodes, left_to_us))
    before = thinking.nodes
    least = least_left(position.tiles, ())

    def watch(nodes: int) -> None:
        """Take over the node count and pass on what is known. Raise OutOfBudget when time is up."""
        thinking.nodes = before + nodes
        look(ClearingVerdict(None, _best(state), least))
        thinking.check()

    why = "nodes" if left_to_us <= most_nodes else "done"
    try:
        outcome = run(lambda: kernel_clear.explore(state), state.words, watch)
    except OutOfBudget as stop:
        outcome, why = kernel_clear.CLEARING_STOPPED, str(stop)
    thinking.nodes = before + int(state.words[NODES])
    pairs = _best(state)
    left = len(position.tiles) - position.tiles.count(0) - 2 * len(pairs)
    if outcome == CLEARED or not left:
        return ClearingVerdict(True, pairs)
    if outcome == EXHAUSTED:
        return ClearingVerdict(False, pairs, left, {"why": "searched", "positions": thinking.nodes})
    return ClearingVerdict(None, pairs, least, why=why)


def _state(position: OnetPosition, memory: int, most_nodes: float) -> ClearingSearch:
    """Return the kernel's search for a position, nothing of it searched yet.

    Its table of positions has at most *memory* megabytes; *most_nodes* is the most nodes, inf for
    any number.
    """
    game, tiles = position.game, np.array(position.tiles, np.int64)
    board = kernel.new_board(tiles, game.rows, game.columns)
    pairs, depths = int(board["pairs"][0]), int(board["tiles"][0]) // 2 + 1
    progress = np.zeros(1, layout(ClearingRecord))
    progress["narrow"] = game.rule == "paper"
    stack = np.zeros((depths, tiles.size), np.int64)
    stack[0] = tiles
    return ClearingSearch(
        controls(most_nodes),
        progress,
        board,
        stack,
        fall_table(game),
        pairs=np.zeros(min(2 * pairs * depths, MOST_PAIR_WORDS), np.uint64),
        ends=np.zeros(depths + 1, np.uint64),
        tried=np.zeros(depths, np.uint64),
        best=np.zeros(2 * depths, np.uint64),
        memory=np.zeros(entries_in(memory, np.uint64().itemsize), np.uint64),
    )


def fall_table(game: Onet) -> NDArray[np.int64]:
    """Return the paths along which tiles fall, one a row, padded with -1 to equal length.

    The shape is (paths, the longer side of the board); no rows without gravity. A path begins where
    tiles pile up.
    """
    table = np.full((len(game.paths), max(game.rows, game.columns)), -1, np.int64)
    for row, path in zip(table, game.paths):
        row[: len(path)] = path
    return table


def _best(state: ClearingSearch) -> tuple[TilePair, ...]:
    """Return the pairs, as cells, on the path that took most of them; empty if none was taken."""
    cells = state.best[: 2 * int(state.progress["taken"][0])].tolist()
    return tuple(zip(cells[::2], cells[1::2]))
