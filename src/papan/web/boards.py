"""Board facts for pages (picture, legal moves, scores), and a cache of positions."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from math import isfinite
from threading import Lock
from typing import Generic, TypeVar

from pydantic import BaseModel

from papan import catalog
from papan.core import Feature, Message, Move, PapanError, Position, Record, View
from papan.core.graph import GraphForm, WalkOrder
from papan.core.parts import Card, Drawing, Setup, Support
from papan.core.record import End, parse_record, replayed
from papan.core.session import picked_move

Plies = tuple[tuple[Position, Move], ...]
"""Each move of a game in order, as a pair: the position before it, and the move (a number)."""
Reached = tuple[Plies, Position]
"""The moves of a game as `Plies`, and the position after the last one."""

MOST_CACHED = 2_000
"""Entries in a cache of positions: with it a move costs the same late in a game as early."""
MOST_CACHED_TEXT = 20_000_000
"""Characters of all positions in a cache, which holds fewer positions of large boards."""
LARGE_TEXT = 300
"""Characters in the text of a position from which it is large: a worker process draws its board."""


class MoveFacts(BaseModel):
    """A legal move as a page shows it: its name, its place on the picture, and the points that it
    gains.
    """

    m: str
    """Its name, such as ``b2``."""
    at: tuple[float, float] | None
    """Point (x, y) of the picture, in SVG units, at which its value is written; null if it has
    none.
    """
    svg: str
    """SVG elements to draw over the picture that highlight the move; may be empty."""
    gains: list[float]
    """By seat: points that the move adds to the score; negative if it takes some away."""


class BoardFacts(BaseModel):
    """A position as a page shows it, with all that is needed to play on from it."""

    game: str
    """The spec of the game, such as ``connect4:6,7``."""
    name: str
    """The name of the game, such as ``connect4``."""
    seats: int
    """Number of seats, 1 or 2."""
    start: str
    """The first position as text."""
    position: str
    """The position as text."""
    moves: list[str]
    """Names of the moves that led to it."""
    turns: list[int]
    """The seat (from 0) that made each move."""
    places: list[tuple[float, float] | None]
    """For each move, the point (x, y) of the picture in SVG units at which it was made; null if it
    has none.
    """
    turn: int
    """The seat (from 0) that is to move."""
    scores: list[float]
    """Points of each seat so far, by seat."""
    most: float | None
    """The largest margin that is possible in the game, in points; null if there is no bound."""
    end: End
    """How the game has ended; ``open`` while it goes on."""
    winner: int | None
    """The seat (from 0) that won; 0 if a game for one was cleared, null if it was not, for a draw,
    and while the game goes on.
    """
    svg: str
    """The picture of the board, an SVG document."""
    spots: dict[str, str]
    """The characters that each spot (a place that can be clicked) shows, such as ``x``, by its name
    such as ``b2``; empty text if none.
    """
    legal: list[MoveFacts]
    """The legal moves; empty if the game is over."""
    features: list[Feature]
    """What experts see in the position, such as threats."""
    spots_in_a_move: int
    """Number of spots that name a move: 2 where a pair is picked."""
    upright: bool
    """True if the picture has a top, so that it is not turned for the other seat."""
    counters: list[str]
    """Text keys of the features that players see all the time, such as the rounds that remain."""
    solver: bool
    """True if this size of the game has an exact solver."""
    shuffles: bool
    """True if its pieces can be shuffled."""


K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """A cache that drops the least recently used entries beyond its bounds; safe for threads.

    It holds at most *most_entries* values, and values of at most *most_size* in all, in the unit in
    which callers of `put` give sizes.
    """

    def __init__(self, most_entries: int = MOST_CACHED, most_size: int = MOST_CACHED_TEXT) -> None:
        self.most_entries, self.most_size = most_entries, most_size
        self._cached: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def __contains__(self, key: K) -> bool:
        return key in self._cached

    def get(self, key: K) -> V | None:
        """Return the value of *key* and mark it as used; None if it is not cached."""
        with self._lock:
            if key not in self._cached:
                return None
            self._cached.move_to_end(key)
            return self._cached[key][0]

    def put(self, key: K, value: V, size: int) -> None:
        """Store *value* under *key*, in place of an older one, and evict the least recently used
        entries beyond the bounds.

        With a *size* above `most_size` it is not stored, and an older value of *key* is dropped.
        """
        with self._lock:
            self._size -= self._cached.pop(key, (value, 0))[1]
            if size > self.most_size:  # it would evict all others, and not stay either
                return
            self._size += size
            self._cached[key] = value, size
            while len(self._cached) > self.most_entries or self._size > self.most_size:
                self._size -= self._cached.popitem(last=False)[1][1]


class PositionCache:
    """Cache of positions by the moves that lead to them, so that a longer game continues from a
    shorter one.
    """

    def __init__(self) -> None:
        self._starts: LruCache[str, Position] = LruCache()
        self._reached: LruCache[tuple[str, tuple[str, ...]], Reached] = LruCache()

    def is_large(self, start: str) -> bool:
        """Return whether the text of the first position has more than `LARGE_TEXT` characters.

        *start* is a spec or a position as text; raise PapanError if it is invalid.
        """
        return len(str(self._first(start))) > LARGE_TEXT

    def is_cached(self, start: str, moves: str) -> bool:
        """Return whether `reach` would have to make at most one move, on a board that is not large.

        *start* and *moves* are those of `reach`, and are not checked. False if *start* was not used
        before, or so long ago that it is not cached any more.
        """
        first = self._starts.get(start)
        if first is None or len(str(first)) > LARGE_TEXT:
            return False
        names = tuple(first.game.split_moves(moves))
        return len(names) < 2 or any(
            (str(first), names[:count]) in self._reached for count in (len(names), len(names) - 1)
        )

    def reach(self, start: str, moves: str) -> Reached:
        """Return the plies from *start* through *moves* (position before, move made), and the last
        position.

        *start* is a spec or a position as text; *moves* are names as `Game.split_moves` reads them,
        mostly separated by spaces (empty: no plies). Raise PapanError if *start* is invalid or a
        move is not legal.
        """
        first = self._first(start)
        names = tuple(first.game.split_moves(moves))
        text = str(first)
        counts = range(len(names), 0, -1)
        cached = next((count for count in counts if (text, names[:count]) in self._reached), 0)
        plies, position = self._reached.get((text, names[:cached])) or ((), first)
        for count, name in enumerate(names[len(plies) :], len(plies) + 1):
            move = picked_move(position, name)
            plies, position = (*plies, (position, move)), position.child(move)
            if count >= len(names) - 1:
                self._reached.put((text, names[:count]), (plies, position), len(text) * count)
        return plies, position

    def _first(self, start: str) -> Position:
        first = self._starts.get(start) or catalog.position(start)
        self._starts.put(start, first, len(start))
        return first


class GraphPage(BaseModel):
    """A graph of a position as a page shows it: drawing, facts, and its text in one form."""

    name: str
    """The name of the graph."""
    names: list[str]
    """The names of all graphs of the position; the last one is ``moves``."""
    vertices: list[str]
    """Names of its vertices."""
    svg: str
    """The drawing, an SVG document."""
    facts: list[Message]
    """Sentences about it and its walk, such as the number of its edges."""
    text: str
    """The graph in the form that was asked for, such as its matrix."""
    visited: int
    """Number of vertices that the whole walk visits; 0 without a walk."""


@dataclass(frozen=True)
class GraphView:
    """Which graph to show and in which form; as `papan.web.games.GraphRequest` without the
    position.
    """

    name: str = ""
    """The name of the graph; empty: the first one."""
    origin: str = ""
    """The name of the vertex at which a walk starts; empty: no walk."""
    order: WalkOrder = "breadth"
    """Order of the walk: breadth or depth first."""
    steps: int | None = None
    """Number of vertices of the walk that are shown; None or 0: all."""
    degrees: bool = False
    """True to label the vertices with degrees instead of names."""
    form: GraphForm = "list"
    """Form of the text of the graph."""


def graph_page(position: Position, view: GraphView) -> GraphPage:
    """Return what a page shows of the graph of *position* that *view* chooses.

    Raise PapanError if there is no graph or vertex of that name; the vertex counts only for a walk.
    """
    found = Drawing.of(position).graph(view.name)
    walk = found.walk(view.origin, view.order) if view.origin else None
    return GraphPage(
        name=found.name,
        names=[*(each.name for each in Drawing.of(position).graphs()), "moves"],
        vertices=[vertex.name for vertex in found.vertices],
        svg=found.svg(walk.begun(view.steps) if walk and view.steps else walk, view.degrees),
        facts=[*found.summary(), *(found.walked(walk) if walk else ())],
        text=found.text(view.form),
        visited=len(walk.visited) if walk else 0,
    )


def board_facts(plies: Plies, position: Position) -> BoardFacts:
    """Return all that a page needs to show *position* and to play on from it.

    *plies* (position before, move made) led to it, which is not checked; empty if it is the start.
    """
    game = position.game
    name = game.move_name
    most = game.largest_margin
    drawing = Drawing.of(position)
    return BoardFacts(
        game=game.spec,
        name=game.name,
        seats=game.seats,
        start=str(plies[0][0] if plies else position),
        position=str(position),
        moves=[name(move) for _, move in plies],
        turns=[before.turn for before, _ in plies],
        places=[Drawing.of(before).label_point(move) for before, move in plies],
        turn=position.turn,
        scores=list(position.scores()),
        most=most if isfinite(most) else None,
        end=position.result,
        winner=position.winner,
        svg=drawing.svg(View(played=plies)),
        spots=spot_texts(position),
        legal=legal_moves(position),
        features=list(drawing.features()),
        spots_in_a_move=Card.of(game).spots_in_a_move,
        upright=Card.of(game).upright,
        counters=list(Card.of(game).counters),
        solver=Support.of(game).has_solver,
        shuffles=Setup.of(position.game).shuffles,
    )


def spot_texts(position: Position) -> dict[str, str]:
    """Return the characters that the board, drawn as text, has at each spot, by the spot's name.

    A spot is a place that can be clicked, such as ``b2``. Blanks around the characters are removed;
    the text is empty if the spot shows nothing.
    """
    drawing = Drawing.of(position)
    rows = drawing.picture().splitlines()

    def character(row: int, column: int) -> str:
        return rows[row][column : column + 1] if row < len(rows) else ""

    return {
        name: "".join(character(*place) for place in places).strip()
        for name, places in drawing.spots().items()
    }


def legal_moves(position: Position) -> list[MoveFacts]:
    """Return the facts of each legal move, in the order of ``position.moves()``; empty if the game
    has ended.
    """
    name, before = position.game.move_name, position.scores()
    drawing = Drawing.of(position)
    return [
        MoveFacts(
            m=name(move),
            at=drawing.label_point(move),
            svg=drawing.highlight(move),
            gains=[after - now for after, now in zip(position.child(move).scores(), before)],
        )
        for move in position.moves()
    ]


def checked_record(text: str) -> Record:
    """Return the record in the JSON line *text*, after replaying it; raise PapanError if it is
    invalid.
    """
    record = parse_record(text)
    replayed(record, catalog.game(record.game))
    return record


def shuffled_position(position: Position, seed: int) -> str:
    """Return the text of *position* with its pieces on other places, which *seed* decides.

    Raise PapanError if its game has no shuffle.
    """
    if not Setup.of(position.game).shuffles:
        raise PapanError("play.no_shuffle", game=position.game.name)
    return str(Setup.of(position.game).shuffled(position, seed))
