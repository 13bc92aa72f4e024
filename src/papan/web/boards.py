"""What a page shows of a game: the picture, the legal moves and what they do, how it stands."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from math import isfinite
from threading import Lock
from typing import Generic, TypeVar

from pydantic import BaseModel

from papan import catalog
from papan.core import Feature, Message, Move, PapanError, Position, Record, View
from papan.core.graph import Form, Order
from papan.core.parts import Card, Drawing, Setup, Support
from papan.core.record import End, parse_record, replay
from papan.core.session import picked_move

Plies = tuple[tuple[Position, Move], ...]
Reached = tuple[Plies, Position]

MOST_CACHED = 2_000
"""How many games are remembered, so that a move costs the same late in a game as early."""
SMALL = 300
"""How long the text of a position is whose board is drawn at once; a worker draws larger ones."""

MOST_TEXT = 20_000_000
"""How many characters all positions of the remembered games have: large boards are fewer."""


class Choice(BaseModel):
    """A legal move: its name, where its value stands, and how the picture points it out."""

    m: str
    at: tuple[float, float] | None
    svg: str
    gains: list[float]
    """What the move adds at once to the score of each seat."""


class Board(BaseModel):
    """A position as a page shows it."""

    game: str
    name: str
    seats: int
    start: str
    position: str
    moves: list[str]
    turns: list[int]
    """The seat that made each move."""
    places: list[tuple[float, float] | None]
    """Where in the picture each move went."""
    turn: int
    scores: list[float]
    most: float | None
    end: End
    winner: int | None
    svg: str
    spots: dict[str, str]
    """What can be pointed at: its name, and what the board in characters shows there."""
    legal: list[Choice]
    features: list[Feature]
    spots_in_a_move: int
    upright: bool
    """True if the picture is not turned for the other seat."""
    counters: list[str]
    """Keys of the features that players see all the time."""
    solver: bool
    shuffles: bool


K = TypeVar("K")
V = TypeVar("V")


class Memory(Generic[K, V]):
    """What was asked for last; what nobody has asked for longest is forgotten first."""

    def __init__(self) -> None:
        self._cached: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def __contains__(self, key: K) -> bool:
        return key in self._cached

    def recall(self, key: K) -> V | None:
        with self._lock:
            if key not in self._cached:
                return None
            self._cached.move_to_end(key)
            return self._cached[key][0]

    def keep(self, key: K, value: V, size: int) -> None:
        with self._lock:
            self._size += size - self._cached.pop(key, (value, 0))[1]
            self._cached[key] = value, size
            while len(self._cached) > MOST_CACHED or self._size > MOST_TEXT:
                self._size -= self._cached.popitem(last=False)[1][1]


class Lines:
    """The positions that moves lead to, where they were asked for before without starting over."""

    def __init__(self) -> None:
        self._starts: Memory[str, Position] = Memory()
        self._reached: Memory[tuple[str, tuple[str, ...]], Reached] = Memory()

    def are_long(self, start: str) -> bool:
        """Is the board so large that an answer takes a while?"""
        return len(str(self._first(start))) > SMALL

    def are_at_hand(self, start: str, moves: str) -> bool:
        """Is there at most one move to make, on a small board? Then an answer takes no time."""
        first = self._starts.recall(start)
        if first is None or len(str(first)) > SMALL:
            return False
        names = tuple(first.game.split_moves(moves))
        return len(names) < 2 or any(
            (str(first), names[:count]) in self._reached for count in (len(names), len(names) - 1)
        )

    def reach(self, start: str, moves: str) -> Reached:
        """Every ply from *start* on, and the position after them; raises if one is not legal."""
        first = self._first(start)
        names = tuple(first.game.split_moves(moves))
        text = str(first)
        counts = range(len(names), 0, -1)
        known = next((count for count in counts if (text, names[:count]) in self._reached), 0)
        plies, position = self._reached.recall((text, names[:known])) or ((), first)
        for count, name in enumerate(names[len(plies) :], len(plies) + 1):
            move = picked_move(position, name)
            plies, position = (*plies, (position, move)), position.child(move)
            if count >= len(names) - 1:
                self._reached.keep((text, names[:count]), (plies, position), len(text) * count)
        return plies, position

    def _first(self, start: str) -> Position:
        first = self._starts.recall(start) or catalog.position(start)
        self._starts.keep(start, first, len(start))
        return first


class GraphPage(BaseModel):
    """A graph: the names of all that there are, the drawing, what can be said of it, one text."""

    name: str
    names: list[str]
    vertices: list[str]
    svg: str
    facts: list[Message]
    text: str
    visited: int
    """How many vertices the whole walk comes to."""


@dataclass(frozen=True)
class GraphView:
    """What is to be shown of a graph: see `papan.web.games.GraphRequest`."""

    name: str = ""
    origin: str = ""
    order: Order = "breadth"
    steps: int | None = None
    degrees: bool = False
    form: Form = "list"


def graph_page(position: Position, view: GraphView) -> GraphPage:
    """What a page shows of a graph."""
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


def board(plies: Plies, position: Position) -> Board:
    """What a page needs to show *position*, reached by *plies*, and to play on from it."""
    game = position.game
    name = game.move_name
    most = game.largest_margin
    return Board(
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
        svg=Drawing.of(position).svg(View(played=plies)),
        spots=contents(position),
        legal=choices(position),
        features=list(Drawing.of(position).features()),
        spots_in_a_move=Card.of(game).spots_in_a_move,
        upright=Card.of(game).upright,
        counters=list(Card.of(game).counters),
        solver=Support.of(game).has_solver,
        shuffles=Setup.of(position.game).shuffles,
    )


def contents(position: Position) -> dict[str, str]:
    """What the board in characters shows at each spot."""
    rows = Drawing.of(position).picture().splitlines()

    def character(row: int, column: int) -> str:
        return rows[row][column : column + 1] if row < len(rows) else ""

    return {
        name: "".join(character(*place) for place in places).strip()
        for name, places in Drawing.of(position).spots().items()
    }


def choices(position: Position) -> list[Choice]:
    """The legal moves: how each is drawn, where its value stands, what it earns at once."""
    name, before = position.game.move_name, position.scores()
    return [
        Choice(
            m=name(move),
            at=Drawing.of(position).label_point(move),
            svg=Drawing.of(position).highlight(move),
            gains=[after - now for after, now in zip(position.child(move).scores(), before)],
        )
        for move in position.moves()
    ]


def reopened(text: str) -> Record:
    """A saved game, replayed and checked."""
    record = parse_record(text)
    replay(record, catalog.game(record.game))
    return record


def shuffled(position: Position, seed: int) -> str:
    """The same pieces in another order; raises where there is nothing to shuffle."""
    if not Setup.of(position.game).shuffles:
        raise PapanError("play.no_shuffle", game=position.game.name)
    return str(Setup.of(position.game).shuffled(position, seed))
