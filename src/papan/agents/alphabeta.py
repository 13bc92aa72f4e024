"""Alpha-beta: looks ahead move by move and skips what cannot change the decision.

First what it shares with minimax: a search in rounds, plain, with events, and compiled. Then what
every alpha-beta finds and tells, the plain one, which is the simpler twin of the compiled one after
it, and last the agent.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias

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
from papan.core.agent import MOST_TREE_NODES, Tree, whole_plies
from papan.core.analysis import finite, root_moves
from papan.core.compiling import is_plain
from papan.core.parts import Support
from papan.engine.solver import SURE, WIN, margin_of

if TYPE_CHECKING:  # they bring Numba
    from papan.engine.workspace import EmittedNode, SearchMemory

Line: TypeAlias = tuple[Move, ...]


class DeepeningSearch(ABC):
    """A search in rounds, each of which looks further ahead, and what the last one found."""

    horizon: float
    finished: Sequence[Event] = ()
    """The nodes of the tree of the last finished round, as far as they are to be told of."""

    def __init__(self, position: Position, thinking: Thinking) -> None:
        self.root, self.thinking = position, thinking
        self.evaluate = Support.of(position.game).evaluate
        self.order = list(position.moves())
        self.pruned = 0
        self.begin(0)

    def begin(self, horizon: float) -> None:
        """Start a round."""
        self.horizon = horizon
        self.guesses = 0  # scores that rest on positions at the horizon
        self.faults = 0  # scores that do not tell the margin
        self.best, self.line = -inf, Line()
        self.values: dict[Move, Value] = {}

    @abstractmethod
    def look(self, horizon: float) -> None:
        """Score every move at the root, looking *horizon* plies ahead."""

    @abstractmethod
    def note(self, move: Move, score: float, reply: Line, *, nodes: int, sure: bool) -> None:
        """Take down what was found of a move at the root."""

    @abstractmethod
    def analysis(self) -> Analysis:
        """What the round found."""

    @abstractmethod
    def emit(self, analysis: Analysis) -> None:
        """Tell of the moves at the root."""

    def decide(self, horizons: Iterable[float]) -> Analysis:
        """What is found when a round has seen all there is, or after the last one, or in time."""
        analysis, why = Analysis((self.order[0],)), "depth"
        with self.thinking.until_stopped():
            for horizon in horizons:
                self.look(horizon)
                analysis = self.analysis()
                self.emit(analysis)
                if analysis.exact or self.guesses == 0:
                    why = "exact" if analysis.exact else "done"
                    break
        if analysis.value is None and self.line:  # half a first round is better than none
            analysis = self.analysis()
        for node in self.finished:
            if not self.thinking.emit_node(**node):
                break
        return replace(analysis, why=why)


class PlainSearch(DeepeningSearch):
    """A search position by position. Scores are those of the seat to move."""

    prunes = True
    """Without it alpha-beta is minimax."""
    remembers = False
    """Does it tell which positions it knew?"""

    def look(self, horizon: float) -> None:
        self.begin(horizon)
        self.thinking.tick()
        for move in self.order:
            nodes, doubts = self.thinking.nodes, self.guesses + self.faults
            score, reply = self.reply(self.root, move, 0, self.best, inf)
            sure = doubts == self.guesses + self.faults
            self.note(move, score, reply, nodes=self.thinking.nodes - nodes, sure=sure)

    def reply(
        self, position: Position, move: Move, ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        """The score of *move* for the seat that makes it, and the play that follows."""
        child = position.child(move)
        if child.turn == position.turn:  # an extra turn: the same side goes on
            return self.best_line(child, ply + 1, alpha, beta)
        score, line = self.best_line(child, ply + 1, -beta, -alpha)
        return -score, line

    def best_line(
        self, position: Position, ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        """The score of a position for the seat to move, and the play that leads to it.

        Between alpha and beta the score is exact. Elsewhere it is a bound: the truth is not above
        a score <= alpha, and not below a score >= beta.
        """
        self.thinking.tick()
        moves = position.moves()
        if not moves:
            return self.final(position, ply), ()
        if ply == self.horizon:
            self.guesses += 1
            return self.guess(position), ()
        return self.search(position, moves, ply, alpha, beta)

    def search(
        self, position: Position, moves: Sequence[Move], ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        """The best of *moves*; if it prunes, up to the first that the rival will not allow."""
        best = -inf
        line: Line = ()
        for seen, move in enumerate(moves, 1):
            score, reply = self.reply(position, move, ply, max(alpha, best), beta)
            if score > best:
                best, line = score, (move, *reply)
                if self.prunes and best >= beta:
                    self.pruned += len(moves) - seen
                    break
        return best, line

    def guess(self, position: Position) -> float:
        """What a position at the horizon looks like."""
        return self.evaluate(position, position.turn)

    @abstractmethod
    def final(self, position: Position, ply: int) -> float:
        """The score of a finished game."""

    def shown(self, score: float) -> float | None:
        """A score as events tell it."""
        return finite(score or 0)  # never -0.0


class EmittingSearch(PlainSearch):
    """The same search, which also keeps its tree, as the seat at the root sees it, and tells."""

    def look(self, horizon: float) -> None:
        self.tree = Tree(self.root)
        window = {"a": None, "b": None} if self.prunes else {}
        node = self.tree.enter(0, m=None, role="max", **window)
        super().look(horizon)
        node.update(v=self.shown(self.best), s="full")
        self.finished = self.tree.nodes

    def reply(
        self, position: Position, move: Move, ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        if ply >= self.tree.plies:
            return super().reply(position, move, ply, alpha, beta)
        child, nodes = position.child(move), self.thinking.nodes
        role = "max" if child.turn == self.root.turn else "min"
        node = self.tree.enter(ply + 1, m=position.game.move_name(move), role=role)
        score, line = super().reply(position, move, ply, alpha, beta)
        a, v, b = (alpha, score, beta)
        if position.turn != self.root.turn:
            a, v, b = (-beta, -score, -alpha)
        node.update(v=self.shown(v), s="full")
        if self.prunes:
            node.update(a=self.shown(a), b=self.shown(b))
        if ply + 1 == self.horizon or not child.moves():
            node.update(s="leaf")
        elif self.prunes and ((v >= b) if role == "max" else (v <= a)):
            node.update(s="cut", why="v>=b" if role == "max" else "v<=a")
        if self.remembers:
            node.update(tt=bool(line) and self.thinking.nodes == nodes + 1)
        return score, line


class CompiledSearch(DeepeningSearch):
    """A search on the workspace of the kernel, for games that offer a native form."""

    def __init__(self, form: Native, *given: Any) -> None:
        from papan.engine import alphabeta
        from papan.engine.workspace import SearchMemory

        super().__init__(*given)
        watched, game = self.thinking.watched, self.root.game
        plies, room = (whole_plies(self.root), MOST_TREE_NODES) if watched else (-1, 0)
        self.memory: SearchMemory = SearchMemory(form, game.move_count, room, plies)
        self.kernel = alphabeta.look

    def look(self, horizon: float) -> None:
        self.begin(horizon)
        try:
            self.memory.look(self.kernel, self.order, horizon, self.thinking)
        finally:
            self.read()
        self.finished = [self.event(*each) for each in enumerate(self.memory.emitted())]

    def read(self) -> None:
        """What the kernel found, as far as it came."""
        counts = self.memory.workspace
        self.guesses, self.faults = int(counts.guesses), int(counts.faults)
        self.pruned = int(counts.pruned)
        for move, found in zip(self.order, self.memory.found()):
            self.note(move, found.score, found.line, nodes=found.nodes, sure=not found.doubts)

    def event(self, number: int, node: EmittedNode) -> Event:
        """What is told of a node of the tree; the first is the root."""
        return {
            "id": number,
            "up": node.up if number else None,
            "m": self.root.game.move_name(node.move) if number else None,
            "role": "max" if node.mine else "min",
            "v": node.score,
            "s": node.state,
        }


class Settings(NamedTuple):
    """How to search."""

    ordering: bool
    table: bool
    seed: int
    learned: Callable[[Position], float] | None = None
    """What guesses in place of the game's own evaluation."""


class Search(DeepeningSearch):
    """The memory of one search. Scores are those of the seat to move."""

    def __init__(self, position: Position, thinking: Thinking, settings: Settings) -> None:
        super().__init__(position, thinking)
        self.settings = settings
        if settings.seed:
            random.Random(f"{settings.seed} {position}").shuffle(self.order)
        self.largest = position.game.largest_margin
        self.probes = self.hits = self.entries = 0

    def note(self, move: Move, score: float, reply: Line, *, nodes: int, sure: bool) -> None:
        margin, inside = self.margin(score), score > self.best
        low = margin if inside or score < -SURE else -inf  # nothing is below losing it all
        if sure or score < -SURE or (inside and score > SURE):
            self.values[move] = Proved(low, margin, nodes=nodes, line=reply)
        else:
            self.values[move] = Guess(margin, pruned=not inside, nodes=nodes, line=reply)
        if score > self.best:
            self.best, self.line = score, (move, *reply)

    def end(self) -> None:
        """End a round: the next one looks at the best move first."""
        if self.settings.ordering:
            self.order.sort(key=lambda move: move != self.line[0])

    def margin(self, score: float) -> float:
        """The margin that a score stands for."""
        return margin_of(score, self.largest)

    def analysis(self) -> Analysis:
        """What the round found; where that is exact, another round would tell no more."""
        value, whole = self.margin(self.best), len(self.values) == len(self.order)
        won, lost = self.best > SURE, whole and self.best < -SURE
        exact = won or lost or (whole and self.guesses == 0)
        proved = Proved.exactly(value) if exact else Proved()
        distance = WIN - int(abs(self.best)) if won or lost else None
        return Analysis(self.line, value, proved, self.values, distance)

    def emit(self, analysis: Analysis) -> None:
        if not self.thinking.watched:
            return
        game = self.root.game
        self.thinking.emit_root(
            self.horizon,
            game.move_name(analysis.move),
            root_moves(game, analysis.values),
            pruned=self.pruned,
            tt={"hit": round(self.hits / max(self.probes, 1), 4), "size": self.entries},
        )


Entry: TypeAlias = tuple[int, float, float, float, Line]
"""What the table knows: the ply, how far the search looked, bounds of the score, best play."""

MOST_ENTRIES = 300_000
"""How many positions a table remembers before it starts afresh, which bounds the memory."""


class RememberingSearch(PlainSearch, Search):
    """The plain search, with a table of positions and the order of moves that pruning lives on."""

    remembers = True

    def __init__(self, position: Position, thinking: Thinking, settings: Settings) -> None:
        super().__init__(position, thinking, settings)
        self.transpositions: dict[Position, Entry] = {}
        moves, seats = position.game.move_count, position.game.seats
        self.history: list[list[float]] = [[0] * moves for _ in range(seats)]

    def look(self, horizon: float) -> None:
        super().look(horizon)
        self.entries = len(self.transpositions)
        self.end()

    def search(
        self, position: Position, moves: Sequence[Move], ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        beta = min(beta, WIN - ply - 1)  # nothing is better than to win at once
        if alpha >= beta:
            return beta, ()
        if not self.settings.table:
            return self._search(position, self._ordered(position, moves), ply, alpha, beta)

        self.probes += 1
        hint = None
        if entry := self.transpositions.get(position):
            seen_ply, reach, low, high, line = entry
            hint = line[0]
            if (
                seen_ply == ply  # the distance to a win counts from the root
                and reach >= self.horizon
                and (low >= beta or high <= alpha or low == high)
            ):
                self.hits += 1
                self.guesses += reach != inf
                return (low if low >= beta else high), line
        guesses = self.guesses
        best, line = self._search(position, self._ordered(position, moves, hint), ply, alpha, beta)
        if len(self.transpositions) >= MOST_ENTRIES:
            self.transpositions.clear()
        reach = inf if guesses == self.guesses else self.horizon
        low, high = best if best > alpha else -inf, best if best < beta else inf
        self.transpositions[position] = ply, reach, low, high, line
        return best, line

    def _search(
        self, position: Position, moves: Sequence[Move], ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        """The best of *moves*; one that cuts is tried sooner elsewhere."""
        best, line = super().search(position, moves, ply, alpha, beta)
        if best >= beta:
            self.history[position.turn][line[0]] += (self.horizon - ply) ** 2
        return best, line

    def _ordered(
        self, position: Position, moves: Sequence[Move], hint: Move | None = None
    ) -> Sequence[Move]:
        """The moves, promising ones first: the best of an earlier search, then what cut most."""
        if not self.settings.ordering:
            return moves
        ordered = sorted(moves, key=self.history[position.turn].__getitem__, reverse=True)
        if hint is not None:
            ordered.remove(hint)
            ordered.insert(0, hint)
        return ordered

    def guess(self, position: Position) -> float:
        return (self.settings.learned or super().guess)(position)

    def final(self, position: Position, ply: int) -> float:
        result = margin(position, position.turn)
        if abs(result) < self.largest:
            return result
        return WIN - ply if result > 0 else ply - WIN

    def shown(self, score: float) -> float | None:
        return finite(self.margin(score))


class EmittingRememberingSearch(EmittingSearch, RememberingSearch):
    """The same, which tells of its tree."""


FIRST_ENTRIES, LAST_ENTRIES = 2**15, 2**20
"""The table of the compiled search: a small one is at hand at once, the largest takes 32 MB."""
ROOM = 16
"""It grows to so many buckets of two for each position in it, before the next round."""


class NativeSearch(CompiledSearch, Search):
    """The same values, and far more nodes."""

    def __init__(self, form: Native, *given: Any) -> None:
        from papan.engine.memory import fill

        super().__init__(form, *given)
        self.memory.make_room(FIRST_ENTRIES)
        fill(
            self.memory.workspace,
            prunes=True,
            orders=self.settings.ordering,
            remembers=self.settings.table,
            win=WIN,
            won_from=self.largest,
            win_margin=self.largest,
        )

    def look(self, horizon: float) -> None:
        wanted = min(2 << (ROOM * self.entries).bit_length(), LAST_ENTRIES)
        self.memory.make_room(wanted)
        super().look(horizon)
        self.end()

    def read(self) -> None:
        super().read()
        counts = self.memory.workspace
        self.probes, self.hits = int(counts.probes), int(counts.hits)
        self.entries = int(counts.stored)

    def event(self, number: int, node: EmittedNode) -> Event:
        low, score, high = (finite(self.margin(each)) for each in (node.low, node.score, node.high))
        emitted = super().event(number, node) | {
            "a": low if number else None,
            "b": high if number else None,
            "v": score,
            "tt": node.by_transposition,
        }
        if node.state == "cut":
            emitted["why"] = "v>=b" if node.mine else "v<=a"
        return emitted


@dataclass
class AlphaBeta(NativeAgent):
    """Searches one ply deeper each round, until *depth*, the limit, or the end of the game tree.

    It takes the shortest way to win all there is to win, and puts off losing it all.
    """

    depth: int = 0
    """How many plies it looks ahead; 0: as far as the limit allows."""
    ordering: bool = True
    """Look first at moves that were good elsewhere: pruning lives on it."""
    table: bool = True
    """Remember positions that other orders of the same moves have led to."""
    seed: int = 0
    """Shuffles the moves at the root, so that another of equal moves comes first; 0: as listed."""
    evaluation: Literal["hand", "patterns"] = "hand"
    """How it guesses at its horizon: by a rule that people wrote, or by patterns it has learned."""

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
        horizons = range(1, self.depth + 1) if self.depth else count(1)
        return self._search(position, thinking).decide(horizons)

    def _search(self, position: Position, thinking: Thinking) -> Search:
        """The search for this game: compiled where the game offers a form for that."""
        learned = learned_patterns(position.game) if self.evaluation == "patterns" else None
        guess = learned.evaluate if learned else None
        settings = Settings(self.ordering, self.table, self.seed, guess)
        if form := self.form(position):
            return NativeSearch(form, position, thinking, settings)
        kind = EmittingRememberingSearch if thinking.watched else RememberingSearch
        return kind(position, thinking, settings)
