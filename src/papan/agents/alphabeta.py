"""Alpha-beta: looks ahead move by move and skips what cannot change the decision.

A search is put together from three parts, for alpha-beta and minimax alike:

- `Scoring` defines what scores mean: the score of a finished game, and what a score proves;
- `PlainSearch` or `CompiledSearch` scores the moves at the root to a given depth: one position by
  position in Python, the other in the kernel, with the same values;
- `Deepening` asks it for round after round, each further ahead, and makes the analysis.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from math import inf
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, TypeAlias

from papan.core import (
    Analysis,
    CannotPlayError,
    Event,
    Game,
    Guess,
    Move,
    Native,
    NativeAgent,
    Position,
    Proved,
    Thinking,
    Value,
    learned_patterns,
    margin,
    native_form,
)
from papan.core.analysis import finite, root_moves
from papan.core.compiling import is_plain
from papan.core.parts import Support
from papan.core.thinking import MOST_TREE_NODES, Tree, whole_plies
from papan.engine.solver import SURE_SCORE, WIN_SCORE, RootScore, margin_of

if TYPE_CHECKING:  # it brings Numba
    from papan.engine.workspace import EmittedNode

PlayLine: TypeAlias = tuple[Move, ...]
"""Moves, one after the other, from some position on."""
RootReport: TypeAlias = Callable[[Move, RootScore], None]
"""Function that is called with the score of each move at the root as soon as it is known."""


@dataclass(frozen=True)
class SearchSettings:
    """Settings of a search: pruning, move ordering, table, and the evaluation at its horizon."""

    prunes: bool = False
    """Skip moves that cannot change the decision. Without it the search is minimax."""
    ordering: bool = False
    """Try first the moves that cut off elsewhere, and the best move of the round before."""
    table: bool = False
    """Remember positions in a transposition table."""
    evaluate: Callable[[Position], float] | None = None
    """Estimates the final margin, in points, for the seat to move; None: the game's own rule."""


@dataclass
class SearchCounts:
    """Counts of a search: nodes that rest on guesses, skipped moves, and use of its table."""

    guesses: int = 0
    """Scores of this round that rest on an evaluation at the horizon."""
    faults: int = 0
    """Scores of this round with an ambiguous margin (see `Scoring.final`)."""
    pruned: int = 0
    """Moves that were skipped, in all rounds."""
    probes: int = 0
    """Questions to the transposition table, in all rounds."""
    hits: int = 0
    """Those of them that the table could answer."""
    entries: int = 0
    """Positions in the table now."""


@dataclass
class SearchRound:
    """The results of one round so far. Scores are those of the seat to move at the root."""

    horizon: float
    """Plies that it looks ahead; inf: to the end of the game."""
    best: float = -inf
    """The highest score so far: see `Scoring` for what it means."""
    line: PlayLine = ()
    """Best play, from the best move at the root on; empty until a move is scored."""
    values: dict[Move, Value] = field(default_factory=dict)
    """The value of each move at the root that was scored, in points for the seat that makes it."""


class Scoring(ABC):
    """Abstract base: says what the scores of a search mean as margins, and what they prove.

    A score is a number for the seat to move that a search compares. Searches get margins and proofs
    only through this class.
    """

    shows_table: ClassVar[bool] = False
    """True if nodes of the tree say that the transposition table answered."""

    @abstractmethod
    def final(self, position: Position, ply: int) -> tuple[float, bool]:
        """Return the score of a finished game for the seat to move, and whether it is ambiguous.

        It is ambiguous if several margins have this score. *ply* is the number of plies from the
        root.
        """

    @abstractmethod
    def best_after(self, ply: int) -> float:
        """Return an upper bound of the scores of moves *ply* plies from the root; inf for none.

        It holds for the seat that makes the move, *ply* 0 at the root. A search that has found as
        much looks no further.
        """

    @abstractmethod
    def kernel_fields(self) -> Mapping[str, float]:
        """Return the fields of `AlphaBetaWorkspace`, by name, that make it score as `final` does.

        They are `win` (the score of a win at ply 0), `won_from` (the least margin, in points, that
        is scored as a win) and `win_margin` (the margin that such a score stands for). Empty if the
        kernel is to score a finished game by its margin, its default.
        """

    @abstractmethod
    def shown(self, score: float) -> float | None:
        """Return the number that events show for a score, for the same seat; None if infinite.

        Alpha-beta shows the margin in points that it stands for, and of an infinite score the
        largest margin, which may be infinite, too; minimax shows the score itself.
        """

    @abstractmethod
    def value(self, move: Move, found: RootScore, best: float) -> Value:
        """Return the value of a root move, in points for the seat that makes it, by its score.

        *found* has the score, *best* is the highest score of the moves before it, -inf for the
        first. A score that is not above *best* is an upper bound where the search prunes.
        """

    @abstractmethod
    def analysis(self, done: SearchRound, complete: bool, counts: SearchCounts) -> Analysis:
        """Return the analysis of the round *done*, in which at least one move was scored.

        *complete*: every move at the root has been scored. *counts* are those of the search.
        """

    @abstractmethod
    def root_facts(self, analysis: Analysis, done: SearchRound, counts: SearchCounts) -> Event:
        """Return the facts of a "root" event besides best and moves, as JSON data.

        They are ``depth`` (plies) and, if the search prunes, ``pruned`` (moves skipped so far).
        Alpha-beta adds ``tt``: ``hit``, the share of questions that its table answered, 0 to 1, and
        ``size``, the entries of the table. *analysis* is of the round *done*.
        """


class RoundSearch(Protocol):
    """Scores the moves at the root, one round at a time.

    `PlainSearch` and `CompiledSearch` are the two kinds.
    """

    counts: SearchCounts
    """Counts so far; `SearchCounts` says which of them are of the last round alone."""
    tree: Sequence[Event]
    """The nodes of the tree of the last finished round, for events; empty without a listener."""

    def look(self, order: Sequence[Move], horizon: float, report: RootReport) -> None:
        """Score the moves *order*, in this order, *horizon* plies deep; inf: to the end.

        *report* gets each move with its `RootScore`, as soon as it is known or when the round ends.
        Raise OutOfBudget if the budget is spent before; what is known is reported.
        """


class Deepening:
    """Iterative deepening: rounds of *search*, each of which looks further ahead, make an analysis.

    *position* is the root, *thinking* the budget, *scoring* what scores mean. *order* are the moves
    at the root, all legal ones if empty.
    """

    def __init__(
        self,
        position: Position,
        thinking: Thinking,
        scoring: Scoring,
        search: RoundSearch,
        order: Sequence[Move] = (),
    ) -> None:
        self.position, self.thinking = position, thinking
        self.scoring, self.search = scoring, search
        self.order = list(order or position.moves())

    def decide(self, horizons: Iterable[float], best_first: bool = False) -> Analysis:
        """Search round by round and return the analysis.

        There must be a move. It ends when the value is proved, when no score of a round rests on a
        guess, after the last of *horizons*, which are the depths of the rounds in plies, or when
        the budget is spent. With *best_first* each round begins with the best move of the one
        before. What an interrupted round has found counts only if it was the first one; if that had
        scored no move, the analysis is the first move alone, without a value. Emit a "root" event
        after each round, and at the end the tree of the last one that was finished.
        """
        analysis, why, done = Analysis((self.order[0],)), "depth", SearchRound(0)
        with self.thinking.until_stopped():
            for horizon in horizons:
                done = SearchRound(horizon)
                self.search.look(self.order, horizon, partial(self._note, done))
                if best_first:
                    self._put_first(done.line[0])
                analysis = self._analysis(done)
                self._emit(analysis, done)
                if analysis.exact or self.search.counts.guesses == 0:
                    why = "exact" if analysis.exact else "done"
                    break
        if analysis.value is None and done.line:  # half a first round is better than none
            analysis = self._analysis(done)
        for node in self.search.tree:
            if not self.thinking.emit_node(**node):
                break
        return replace(analysis, why=why)

    def _put_first(self, best: Move) -> None:
        """Move *best* to the front of the order; the others keep theirs."""
        self.order.sort(key=lambda move: move != best)

    def _note(self, done: SearchRound, move: Move, found: RootScore) -> None:
        """Record in the round *done* the value of *move*, and its line if its score is the best.

        *found* has the score, and the line after the move.
        """
        done.values[move] = self.scoring.value(move, found, done.best)
        if found.score > done.best:
            done.best, done.line = found.score, (move, *found.line)

    def _analysis(self, done: SearchRound) -> Analysis:
        """Return the analysis of the round *done*, which has scored one move at least."""
        complete = len(done.values) == len(self.order)
        return self.scoring.analysis(done, complete, self.search.counts)

    def _emit(self, analysis: Analysis, done: SearchRound) -> None:
        """Emit a "root" event on the round *done*, whose *analysis* is given, if anybody listens.

        It has the best move, the values of the moves, and what `Scoring.root_facts` adds.
        """
        if self.thinking.watched:
            game = self.position.game
            facts = self.scoring.root_facts(analysis, done, self.search.counts)
            best, moves = game.move_name(analysis.move), root_moves(game, analysis.values)
            self.thinking.emit_root(best=best, moves=moves, **facts)


TableEntry: TypeAlias = tuple[int, float, float, float, PlayLine]
"""A position in the table: its ply, the horizon of its search, bounds of its score, best play.

The horizon is inf if the search never reached it; the bounds are low and high, for the seat to
move.
"""

MOST_ENTRIES = 300_000
"""Positions that a table remembers before it is emptied, which bounds its memory."""


class PlainSearch:
    """Alpha-beta position by position in Python, the simple twin of `CompiledSearch`.

    *position* is the root, *thinking* the budget, *scoring* what scores mean; *settings* turn its
    parts on. Scores are those of the seat to move. Windows are from *alpha* to *beta*: between them
    a score is exact; a score of *alpha* or less is an upper bound of the true one, and a score of
    *beta* or more a lower bound. Without pruning every window is open, from -inf to inf, and this
    is minimax.
    """

    def __init__(
        self, position: Position, thinking: Thinking, scoring: Scoring, settings: SearchSettings
    ) -> None:
        self.root, self.thinking = position, thinking
        self.scoring, self.settings, self.counts = scoring, settings, SearchCounts()
        self.tree: Sequence[Event] = ()
        self.recorder: TreeRecorder | None = None
        self.transpositions: dict[Position, TableEntry] = {}
        """The transposition table: an entry for each position that it remembers."""
        game = position.game
        self.evaluate = Support.of(game).evaluate
        self.history: list[list[float]] = [[0] * game.move_count for _ in range(game.seats)]
        """For each seat, by move, how much the move has cut off so far; the more, the earlier it is
        tried.
        """

    def look(self, order: Sequence[Move], horizon: float, report: RootReport) -> None:
        counts, self.horizon = self.counts, horizon
        counts.guesses = counts.faults = 0
        if self.thinking.watched:
            self.recorder = TreeRecorder(self)
        self.thinking.tick()
        best = -inf
        for move in order:
            nodes, doubts = self.thinking.nodes, counts.guesses + counts.faults
            alpha = best if self.settings.prunes else -inf
            score, line = self.reply(self.root, move, 0, alpha, inf)
            doubts = counts.guesses + counts.faults - doubts
            report(move, RootScore(score, self.thinking.nodes - nodes, doubts, line))
            best = max(best, score)
        counts.entries = len(self.transpositions)
        if self.recorder:
            self.tree = self.recorder.finish(best)

    def reply(
        self, position: Position, move: Move, ply: int, alpha: float, beta: float
    ) -> tuple[float, PlayLine]:
        """Return the score of *move* for the seat that makes it, and the play that follows.

        *ply* is that of *position*, 0 at the root; *alpha* and *beta* are the window, in scores for
        the seat that makes the move. Raise OutOfBudget if the budget is spent before.
        """
        child, nodes, recorder = position.child(move), self.thinking.nodes, self.recorder
        node = recorder.enter(position, child, move, ply) if recorder else None
        if child.turn == position.turn:  # an extra turn: the same side goes on
            score, line = self.best_line(child, ply + 1, alpha, beta)
        else:
            score, line = self.best_line(child, ply + 1, -beta, -alpha)
            score = -score
        if recorder and node:
            window = (alpha, score, beta)
            if position.turn != self.root.turn:
                window = (-beta, -score, -alpha)
            leaf = ply + 1 == self.horizon or not child.moves()
            by_table = bool(line) and self.thinking.nodes == nodes + 1
            recorder.leave(node, window, leaf, by_table)
        return score, line

    def best_line(
        self, position: Position, ply: int, alpha: float, beta: float
    ) -> tuple[float, PlayLine]:
        """Return the score of a position for its seat to move, and the play that leads to it.

        The score is exact between *alpha* and *beta*; *ply* is counted from the root. The score is
        a lower bound if it is *beta* or more, an upper bound if it is *alpha* or less. The play is
        empty for a leaf, and where a bound needs no search. The position counts as a node. Raise
        OutOfBudget if the budget is spent before.
        """
        self.thinking.tick()
        moves = position.moves()
        if not moves:
            score, fault = self.scoring.final(position, ply)
            self.counts.faults += fault
            return score, ()
        if ply == self.horizon:
            self.counts.guesses += 1
            if self.settings.evaluate:
                return self.settings.evaluate(position), ()
            return self.evaluate(position, position.turn), ()
        beta = min(beta, self.scoring.best_after(ply))
        if alpha >= beta:
            return beta, ()
        if self.settings.table:
            return self.remembered(position, moves, ply, alpha, beta)
        return self.search(position, self.ordered(position, moves), ply, alpha, beta)

    def search(
        self, position: Position, moves: Sequence[Move], ply: int, alpha: float, beta: float
    ) -> tuple[float, PlayLine]:
        """Return the best score of *moves*, or the first that reaches *beta*, and its line of play.

        The line begins with the move. The score is for the seat to move: exact between *alpha* and
        *beta*, a lower bound from *beta* up, an upper bound from *alpha* down. *ply* is counted
        from the root. There must be moves. A move that reaches *beta* gains (horizon - ply)² in
        `history`. Raise OutOfBudget if the budget is spent before.
        """
        best, line = -inf, PlayLine()
        for seen, move in enumerate(moves, 1):
            bar = max(alpha, best) if self.settings.prunes else -inf
            score, reply = self.reply(position, move, ply, bar, beta)
            if score > best:
                best, line = score, (move, *reply)
                if best >= beta:  # the rival will not allow this position
                    self.counts.pruned += len(moves) - seen
                    self.history[position.turn][move] += (self.horizon - ply) ** 2
                    break
        return best, line

    def remembered(
        self, position: Position, moves: Sequence[Move], ply: int, alpha: float, beta: float
    ) -> tuple[float, PlayLine]:
        """Return what `search` does with the same arguments, from the table if it can answer.

        Else *moves* are searched in the order of `ordered`, and the result is stored in the table,
        which is emptied before if it has `MOST_ENTRIES`. Raise OutOfBudget if the budget is spent
        before; then nothing is stored for this position.
        """
        counts, hint = self.counts, None
        counts.probes += 1
        if entry := self.transpositions.get(position):
            seen_ply, reach, low, high, line = entry
            hint = line[0]
            if (
                seen_ply == ply  # the distance to a win counts from the root
                and reach >= self.horizon
                and (low >= beta or high <= alpha or low == high)
            ):
                counts.hits += 1
                counts.guesses += reach != inf
                return (low if low >= beta else high), line
        guesses = counts.guesses
        best, line = self.search(position, self.ordered(position, moves, hint), ply, alpha, beta)
        if len(self.transpositions) >= MOST_ENTRIES:
            self.transpositions.clear()
        reach = inf if guesses == counts.guesses else self.horizon
        low, high = best if best > alpha else -inf, best if best < beta else inf
        self.transpositions[position] = ply, reach, low, high, line
        return best, line

    def ordered(
        self, position: Position, moves: Sequence[Move], hint: Move | None = None
    ) -> Sequence[Move]:
        """Return *moves* in the order to try: *hint* first, then what has cut off most so far.

        How much each move has cut off is in `history`. *hint* must be one of them; None: no move
        comes first. Without the setting `ordering` they stay as they are.
        """
        if not self.settings.ordering:
            return moves
        ordered = sorted(moves, key=self.history[position.turn].__getitem__, reverse=True)
        if hint is not None:
            ordered.remove(hint)
            ordered.insert(0, hint)
        return ordered


class TreeRecorder:
    """Records the tree of one round of *search*, from the view of the seat to move at the root.

    Nodes are events of JSON data, with the keys that `CompiledSearch._event` names. Only whole
    plies from the root are recorded: as many as `papan.core.thinking.whole_plies` says.
    """

    def __init__(self, search: PlainSearch) -> None:
        self.root, self.scoring, self.prunes = search.root, search.scoring, search.settings.prunes
        self.tree = Tree(search.root)
        window = {"a": None, "b": None} if self.prunes else {}
        self.root_node = self.tree.enter(0, m=None, role="max", **window)

    def enter(self, position: Position, child: Position, move: Move, ply: int) -> Event | None:
        """Return a new node for *child*, the position after *move*; None if it is too deep.

        *ply* is that of *position*, 0 at the root; nodes of `Tree.plies` plies below the root are
        recorded. The node is an event, with the keys that `CompiledSearch._event` names; `leave`
        completes it.
        """
        if ply >= self.tree.plies:
            return None
        role = "max" if child.turn == self.root.turn else "min"
        return self.tree.enter(ply + 1, m=position.game.move_name(move), role=role)

    def leave(
        self, node: Event, window: tuple[float, float, float], leaf: bool, by_table: bool
    ) -> None:
        """Write the value of *node*, its state and its window into it, now that they are known.

        *window* is (alpha, score, beta), for the seat to move at the root. *leaf*: it was not
        searched; *by_table*: the transposition table answered. The keys are those that
        `CompiledSearch._event` names.
        """
        (a, v, b), shown = window, self.scoring.shown
        node.update(v=shown(v), s="leaf" if leaf else "full")
        if self.prunes:
            node.update(a=shown(a), b=shown(b))
            if not leaf and (v >= b if node["role"] == "max" else v <= a):
                node.update(s="cut", why="v>=b" if node["role"] == "max" else "v<=a")
        if self.scoring.shows_table:
            node.update(tt=by_table)

    def finish(self, best: float) -> Sequence[Event]:
        """Complete the root, whose score is *best*; return all nodes as events, parents first."""
        self.root_node.update(v=self.scoring.shown(best), s="full")
        return self.tree.nodes


FIRST_COMPILED_ENTRIES, MOST_COMPILED_ENTRIES = 2**15, 2**20
"""Entries of the kernel's transposition table: at first, and at most (32 MB)."""
BUCKETS_PER_POSITION = 16
"""Before each round the table grows to at least this many buckets of two per position in it."""


class CompiledSearch:
    """Alpha-beta in the kernel, for games that offer a native *form*: many more nodes a second.

    *form* must be the native form of *position*; the other arguments are as in `PlainSearch`, and
    it finds the same scores and counts. `SearchSettings.evaluate` is not used: *form* has the
    evaluation at the horizon.
    """

    def __init__(
        self,
        form: Native,
        position: Position,
        thinking: Thinking,
        scoring: Scoring,
        settings: SearchSettings,
    ) -> None:
        from papan.engine import alphabeta
        from papan.engine.memory import fill
        from papan.engine.workspace import SearchMemory

        self.game, self.thinking, self.scoring = position.game, thinking, scoring
        self.settings, self.counts = settings, SearchCounts()
        self.tree: Sequence[Event] = ()
        plies, nodes = (whole_plies(position), MOST_TREE_NODES) if thinking.watched else (-1, 0)
        self.memory = SearchMemory(form, self.game.move_count, nodes, plies)
        self.kernel = alphabeta.look
        fill(
            self.memory.workspace,
            prunes=settings.prunes,
            orders=settings.ordering,
            remembers=settings.table,
            **scoring.kernel_fields(),
        )

    def look(self, order: Sequence[Move], horizon: float, report: RootReport) -> None:
        if self.settings.table:
            wanted = 2 << (BUCKETS_PER_POSITION * self.counts.entries).bit_length()
            self.memory.make_room(max(FIRST_COMPILED_ENTRIES, min(wanted, MOST_COMPILED_ENTRIES)))
        order = list(order)
        try:
            self.memory.look(self.kernel, order, horizon, self.thinking)
        finally:  # as far as it came
            self._read_counts()
            for move, found in zip(order, self.memory.root_scores()):
                report(move, found)
        self.tree = [self._event(*each) for each in enumerate(self.memory.emitted())]

    def _read_counts(self) -> None:
        """Copy the counts from the kernel's workspace to `counts`."""
        fields = self.memory.workspace
        self.counts = SearchCounts(
            int(fields.guesses),
            int(fields.faults),
            int(fields.pruned),
            int(fields.probes),
            int(fields.hits),
            int(fields.stored),
        )

    def _event(self, number: int, node: EmittedNode) -> Event:
        """Return a node of the tree as an event of JSON data; *number* is its index, 0 the root.

        Its keys are ``id`` and ``up`` (index of its parent, None at the root), ``m`` (name of the
        move that leads to it, None at the root), ``role`` (``max`` if the seat of the root is to
        move, else ``min``), ``v`` (the score for the seat of the root, as `Scoring.shown` shows it)
        and ``s``: ``leaf`` if nothing below it was searched, ``cut`` if the score reached the end
        of its window, after which moves are skipped, else ``full``. A search that prunes adds the
        window ``a`` to ``b`` (shown likewise, None at the root), and to a node that was cut
        ``why``, ``v>=b`` or ``v<=a``; with `Scoring.shows_table` there is ``tt``: whether the
        transposition table answered.
        """
        shown = self.scoring.shown
        event = {
            "id": number,
            "up": node.up if number else None,
            "m": self.game.move_name(node.move) if number else None,
            "role": "max" if node.mine else "min",
            "v": shown(node.score),
            "s": node.state,
        }
        if self.settings.prunes:
            event |= {
                "a": shown(node.low) if number else None,
                "b": shown(node.high) if number else None,
            }
            if node.state == "cut":
                event["why"] = "v>=b" if node.mine else "v<=a"
        if self.scoring.shows_table:
            event["tt"] = node.by_transposition
        return event


class MarginScoring(Scoring):
    """Scores of alpha-beta: the margin, but the largest margin of *game* counts by its distance.

    The score of the largest margin, *ply* plies from the root, is WIN_SCORE (a million) - ply; that
    of its loss, ply - WIN_SCORE.
    """

    shows_table = True

    def __init__(self, game: Game) -> None:
        self.largest = game.largest_margin

    def final(self, position: Position, ply: int) -> tuple[float, bool]:
        result = margin(position, position.turn)
        if abs(result) < self.largest:
            return result, False
        return (WIN_SCORE - ply if result > 0 else ply - WIN_SCORE), False

    def best_after(self, ply: int) -> float:
        return WIN_SCORE - ply - 1  # nothing is better than to win at once

    def kernel_fields(self) -> Mapping[str, float]:
        return {"win": WIN_SCORE, "won_from": self.largest, "win_margin": self.largest}

    def margin(self, score: float) -> float:
        """Return the final margin in points that *score* stands for, for the same seat."""
        return margin_of(score, self.largest)

    def shown(self, score: float) -> float | None:
        return finite(self.margin(score))

    def value(self, move: Move, found: RootScore, best: float) -> Value:
        score, inside = found.score, found.score > best
        margin = self.margin(score)
        low = margin if inside or score < -SURE_SCORE else -inf  # nothing is below losing it all
        if not found.doubts or score < -SURE_SCORE or (inside and score > SURE_SCORE):
            return Proved(low, margin, nodes=found.nodes, line=found.line)
        return Guess(margin, pruned=not inside, nodes=found.nodes, line=found.line)

    def analysis(self, done: SearchRound, complete: bool, counts: SearchCounts) -> Analysis:
        """Return the analysis of a round; if it is exact, another round would find no more.

        *complete*: every move at the root has been scored. *counts* are those of the search so far.
        The distance, in plies to the end, is known only of wins and losses of all there is to win.
        """
        value = self.margin(done.best)
        won, lost = done.best > SURE_SCORE, complete and done.best < -SURE_SCORE
        exact = won or lost or (complete and counts.guesses == 0)
        proved = Proved.exactly(value) if exact else Proved()
        distance = WIN_SCORE - int(abs(done.best)) if won or lost else None
        return Analysis(done.line, value, proved, done.values, distance)

    def root_facts(self, analysis: Analysis, done: SearchRound, counts: SearchCounts) -> Event:
        hit = round(counts.hits / max(counts.probes, 1), 4)
        table = {"hit": hit, "size": counts.entries}
        return {"depth": done.horizon, "pruned": counts.pruned, "tt": table}


@dataclass
class AlphaBeta(NativeAgent):
    """An agent that searches one ply deeper each round, to *depth*, the limit, or the game's end.

    It takes the shortest way to win all there is to win, and puts off losing it all. Raise
    InvalidSpecError unless *depth* is from 0 to 9,999.
    """

    depth: int = 0
    """Plies that it looks ahead; 0: as far as the limit allows."""
    ordering: bool = True
    """Try first the moves that were good elsewhere: pruning depends on it."""
    table: bool = True
    """Remember positions that other orders of the same moves have led to."""
    seed: int = 0
    """Shuffles the moves at the root, so that another of equal moves comes first; 0: as listed."""
    evaluation: Literal["hand", "patterns"] = "hand"
    """The evaluation at its horizon: a rule that people wrote, or learned patterns."""

    name: ClassVar[str] = "alphabeta"

    def __post_init__(self) -> None:
        self.demand("depth", 0)

    def plays(self, game: Game) -> bool:
        return self.evaluation == "hand" or learned_patterns(game) is not None

    def refusal(self, game: Game) -> CannotPlayError:
        return CannotPlayError("alphabeta.no_patterns", agent=self.spec, game=game.spec)

    def form(self, position: Position) -> Native | None:
        if self.evaluation == "hand":
            return native_form(position)
        learned = None if is_plain() else learned_patterns(position.game)
        return learned.native(position) if learned else None

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        order = self.considered(position)
        scoring = MarginScoring(position.game)
        search = self._search(position, thinking, scoring)
        horizons = range(1, self.depth + 1) if self.depth else count(1)
        rounds = Deepening(position, thinking, scoring, search, order)
        return rounds.decide(horizons, best_first=self.ordering)

    def considered(self, position: Position) -> list[Move]:
        """Return the moves at the root to look at, in this order: all legal ones.

        Unless `seed` is 0 they are shuffled, the same way each time in the same position. Empty if
        the game is over.
        """
        order = list(position.moves())
        if self.seed:
            random.Random(f"{self.seed} {position}").shuffle(order)
        return order

    def _search(self, position: Position, thinking: Thinking, scoring: Scoring) -> RoundSearch:
        """Return the compiled search if the position has a native `form`, else the plain one.

        It gets this agent's settings, *thinking* as its budget, and *scoring*.
        """
        learned = learned_patterns(position.game) if self.evaluation == "patterns" else None
        evaluate = learned.evaluate if learned else None
        settings = SearchSettings(True, self.ordering, self.table, evaluate)
        if form := self.form(position):
            return CompiledSearch(form, position, thinking, scoring, settings)
        return PlainSearch(position, thinking, scoring, settings)
