"""The two ideas every game is made of: a Game (rules and sizes), a Position (a moment of play)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, inf, pi, sin
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Protocol,
    Self,
    SupportsIndex,
    TypeAlias,
)

from papan.core.arguments import whole
from papan.core.compiling import is_plain
from papan.core.drawing import PLAIN, UNIT, Feature, RichRepr, View, text_svg
from papan.core.errors import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidRulesError,
    InvalidSpecError,
    PapanError,
    WrongTypeError,
)
from papan.core.graph import Edge, Graph, Point, Vertex
from papan.core.message import Message
from papan.core.spec import write_spec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from papan.core.agent import Agent
    from papan.core.editing import Draft
    from papan.core.reasons import Mistake


Move: TypeAlias = int
"""A move is a number below `Game.move_count`. Its text enters and leaves only through the game."""


Ending = Literal["win", "draw", "cleared", "stuck", "open"]
"""How a game that runs its course ends; *open* is one that is not finished."""


class Native(NamedTuple):
    """A position as compiled searches take it, all of them alike: see `papan.engine.board`."""

    rules: tuple[Any, ...]
    """A named tuple of the game's own type, which tells its compiled rules from all others."""
    board: tuple[Any, ...]
    """All that changes in play, as 64-bit words."""
    widest: int
    """How many legal moves there are at most, here and later."""
    deepest: int
    """How many moves can still be made at most."""


class Patterns(Protocol):
    """An evaluation that was learned for one board."""

    def native(self, position: Any) -> Native:
        """The position for compiled searches, which guess with it."""

    def evaluate(self, position: Any) -> float:
        """The same guess in plain Python, for the seat to move."""


class Planes(NamedTuple):
    """A position as a net sees it, with the eyes of the seat to move."""

    image: NDArray[np.float32]
    """Numbers over the board: rows, columns, planes."""
    places: tuple[int, ...]
    """For each legal move, which number of a net's policy is its own."""
    ahead: float = 0.0
    """What the seat to move has already, in the unit of a net's values; all of it at the end."""


class Strips(NamedTuple):
    """How a board is cut for tables that learn: strips of cells, as they lie in its native form."""

    total: int
    cells: int
    """Of each strip."""
    falls: bool
    """Do marks fall to the first empty cell of a strip?"""


@dataclass(frozen=True)
class Game(ABC):
    """The rules with their sizes: a frozen dataclass whose fields are the options of the game."""

    name: ClassVar[str]
    seats: ClassVar[int] = 2
    fields: ClassVar[tuple[str, ...]] = ("board", "turn")
    """The parts of a position's text after the spec."""
    presets: ClassVar[tuple[str, ...]] = ()
    """The specs of further sizes that people ask for, as menus offer them."""
    sample: ClassVar[str] = ""
    """A spec and a few moves, which show on the card of the game what it is about."""
    place: ClassVar[int] = 100
    """Where it stands in menus: games with small numbers first, equal ones by their names."""
    solver_examples: ClassVar[tuple[str, ...]] = ()
    """Positions that between them make the solver compile all of its kernels."""
    spots_in_a_move: ClassVar[int] = 1
    """How many spots of the picture name a move: two where a pair is picked."""
    levels: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5)
    """The levels of play that are offered: those that can be told apart in this game."""
    lesson_steps: ClassVar[Mapping[str, str]] = {}
    """For a reason that a review gives, the step of a lesson about it: both by their keys."""
    moves_stay: ClassVar[bool] = False
    """True where a move, once legal, stays legal until it is made or the game ends."""

    @property
    @abstractmethod
    def move_count(self) -> int:
        """How many different moves the game knows, legal or not."""

    @abstractmethod
    def start(self) -> Position:
        """The first position."""

    @abstractmethod
    def read(self, fields: Sequence[str]) -> Position:
        """The position that `Position.write` wrote; raises InvalidPositionError."""

    def sketch(self, fields: Sequence[str]) -> Position:
        """The position that *fields* describe, even one that cannot come about."""
        return self.read(fields)

    def draft(self, position: Position) -> Draft | None:
        """The *position* for people who set up a board, where the game lets them."""
        return None

    @abstractmethod
    def move_name(self, move: Move) -> str:
        """The text of *move*."""

    @abstractmethod
    def parse_move(self, text: str) -> Move:
        """The move that *text* names; raises InvalidMoveError."""

    def number(self, given: SupportsIndex) -> Move:
        """The move with this number; raises InvalidMoveError."""
        move = whole(given)
        if move is None:
            raise InvalidMoveError("error.not_a_number_of_a_move", move=repr(given))
        if 0 <= move < self.move_count:
            return move
        last = self.move_count - 1
        raise InvalidMoveError("error.no_such_move", move=move, game=self.spec, last=last)

    def split_moves(self, text: str) -> list[str]:
        """The names of the moves in *text*, one by one."""
        return text.split()

    def deal(self, number: int) -> Game:
        """The same game, dealt anew; a game without chance stays as it is."""
        return self

    def evaluate(self, position: Position, seat: int) -> float:
        """A guess of the final margin of *seat*: what searches use at their horizon."""
        return margin(position, seat)

    @property
    def largest_margin(self) -> float:
        """The most a game can be won by: whoever is sure of it need look no further."""
        return inf

    @property
    def forgiving(self) -> float:
        """How many careless moves count as one: usually 1; where it is more, levels err more often.

        Else they could not be told apart where a game is short, or drawn in spite of bad moves. It
        is less than 1 where one slip costs much.
        """
        return 1.0

    @property
    def has_solver(self) -> bool:
        """Is there a solver for this size? Cheap to ask: the solver itself brings its kernels."""
        return bool(self.solver_examples)

    def solver(self, **settings: Any) -> Agent | None:
        """The agent that finds the exact truth about this game, where there is one."""
        return None

    def proof_nodes(self, position: Position) -> int:
        """How many nodes a solver is worth that has less than a second; 0 where it is hopeless.

        Whoever has little time asks first: a proof that cannot be finished leaves none to play.
        """
        return 2_000_000

    @classmethod
    def databases(cls) -> dict[str, PapanError | None]:
        """The files of solved positions that the solver looks for, and what is wrong with each."""
        return {}

    def native(self, position: Position) -> Native | None:
        """The *position* for compiled searches; None where the game or its size has no such form.

        Searches ask `native_form`, which trusts this only in the class that defines it.
        """
        return None

    def patterns(self) -> Patterns | None:
        """What was learned to guess by in place of `evaluate`; None where nothing was.

        Searches ask `learned_patterns`, which trusts this only in the class that defines it.
        """
        return None

    def planes(self, position: Position) -> Planes | None:
        """The *position* for a net; None where the game has no such form."""
        return None

    @property
    def strips(self) -> Strips | None:
        """The board for tables that learn; None where the game has no such form."""
        return None

    @property
    def spec(self) -> str:
        """The text that names this game and its options, such as ``tictactoe:3,3,3``."""
        return write_spec(self.name, self)

    def parse(self, text: str) -> Position:
        """The position that *text* describes, with or without the spec in front."""
        words = text.split()
        fields = words[1:] if words[:1] == [self.spec] else words
        if len(fields) != len(self.fields):
            form = " ".join((self.spec, *(f"<{field}>" for field in self.fields)))
            raise InvalidPositionError("error.position_form", text=text, form=form)
        return self.read(fields)


class Position(RichRepr, ABC):
    """One moment of a game: immutable, hashable, complete. Playing a move makes a new one."""

    __slots__ = ()
    game: Game
    turn: int
    """The seat that moves next. The rules alone decide it: never assume that it alternates."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "play" in vars(cls):  # which would be a way around the check
            raise InvalidRulesError("error.play_is_checked", position=cls.__name__)

    @abstractmethod
    def moves(self) -> Sequence[Move]:
        """The legal moves: none exactly when the game is over."""

    def move_names(self) -> list[str]:
        """The legal moves as text."""
        return list(map(self.game.move_name, self.moves()))

    def allows(self, move: Move) -> bool:
        """Is *move* legal? Games where it takes long to list all moves have a shorter answer."""
        return move in self.moves()

    def play(self, move: Move | str) -> Self:
        """The position after *move*, a number or its text; raises if it is invalid or illegal."""
        return self.child(self.legal_move(move))

    @abstractmethod
    def child(self, move: Move) -> Self:
        """The position after *move*, which must be legal: not checked, for searches."""

    def image(self) -> Self:
        """The same position for all that turn or mirror into each other: one stands for all."""
        return self

    @abstractmethod
    def scores(self) -> tuple[float, ...]:
        """The points of each seat so far; final when the game is over."""

    @property
    def cleared(self) -> bool:
        """Has a puzzle for one seat reached its goal?"""
        return False

    @property
    def is_over(self) -> bool:
        """Is the game over? Then there are no legal moves."""
        return not self.moves()

    @property
    def result(self) -> Ending:
        """How the game ended: win, draw, cleared or stuck; *open* while it goes on."""
        if not self.is_over:
            return "open"
        if self.game.seats == 1:
            return "cleared" if self.cleared else "stuck"
        first, second = self.scores()
        return "win" if first != second else "draw"

    @property
    def winner(self) -> int | None:
        """The seat that has won, counted from 0; None for a draw or an open game."""
        if self.result not in ("win", "cleared"):
            return None
        scores = self.scores()
        return scores.index(max(scores))

    def at(self, spot: str) -> str:
        """What stands at a spot, such as ``b2`` or the line ``a1b1``; ``.`` where nothing does."""
        draft = self.game.draft(self)
        spots = draft.spots() if draft else {}
        if spot not in spots:
            known = " ".join([*list(spots)[:30], *["…"][: len(spots) > 30]]) or "-"
            raise InvalidPositionError("error.no_spot", spot=spot, known=known)
        return spots[spot]

    @abstractmethod
    def write(self) -> tuple[str, ...]:
        """The fields of the position's text, for `Game.read`."""

    def after(self, moves: str | Iterable[Move | str]) -> Self:
        """The position after several *moves*; raises if one is invalid or illegal.

        They are a text, such as ``"4 4 5"``, or numbers and names one by one.
        """
        if not isinstance(moves, Iterable):
            raise WrongTypeError("error.takes_moves", given=repr(moves)[:80])
        position = self
        for move in self.game.split_moves(moves) if isinstance(moves, str) else moves:
            position = position.play(move)
        return position

    def read_move(self, text: str) -> Move:
        """The move that *text* names here, legal or not; raises where it contradicts the board."""
        return self.game.parse_move(text)

    def legal_move(self, given: Move | str) -> Move:
        """The legal move that a number or a text means here; raises if it is invalid or illegal."""
        move = self.read_move(given) if isinstance(given, str) else self.game.number(given)
        if self.allows(move):
            return move
        name = given if isinstance(given, str) else self.game.move_name(move)
        if self.is_over:
            raise IllegalMoveError("error.game_over", move=name, position=str(self))
        names = " ".join(self.move_names())
        raise IllegalMoveError("error.illegal_move", move=name, position=str(self), legal=names)

    def why_illegal(self, move: Move) -> IllegalMoveError:
        """What forbids *move*, which is not legal here, in one short sentence."""
        return IllegalMoveError("error.not_possible", move=self.game.move_name(move))

    def picture(self, view: View = PLAIN) -> str:
        """The board as people draw it, in characters, with its coordinates."""
        return str(self)

    def spots(self) -> Mapping[str, Sequence[tuple[int, int]]]:
        """What can be pointed at in `picture`: its name, and the (row, column) of its characters.

        The name of one spot, or of two in a row, is the name of a move. None: moves are typed.
        """
        return {}

    def svg(self, view: View = PLAIN) -> str:
        """The board as an SVG picture."""
        return text_svg(str(self), self.picture())

    def highlight(self, move: Move) -> str:
        """What the SVG picture adds to point a legal *move* out: where it goes, what it does."""
        return ""

    def label_point(self, move: Move) -> tuple[float, float] | None:
        """Where in the SVG picture a short text about a legal *move* stands."""
        return None

    def place_of(self, move: Move) -> str:
        """Where on the board a legal *move* goes, as people say it: mostly its name."""
        return self.game.move_name(move)

    def fault(self, mistake: Mistake) -> Message | None:
        """Why a move made here is a mistake, in the terms of this game; None: the rules say all."""
        return None

    def traced(self, move: Move) -> Sequence[Feature]:
        """How a legal *move* is found, step by step, where that takes a search of its own."""
        return ()

    def features(self) -> Sequence[Feature]:
        """What experts see here: chains, threats, rounds to go."""
        return ()

    def graphs(self) -> Sequence[Graph]:
        """The graphs that the board is, to whoever thinks of it that way: see `graph`."""
        return ()

    def graph(self, name: str = "") -> Graph:
        """The graph of that name, else the first: those of the game, and *moves*, which all have.

        >>> papan.position("dots:2,2").after("a1b1").graph("boxes").degrees["a1"]
        3
        """
        known = {each.name: each for each in self.graphs()}
        if name not in ("", "moves", *known):
            names = " ".join([*known, "moves"])
            raise InvalidSpecError("graph.no_such", name=name, game=self.game.name, known=names)
        return known[name or next(iter(known))] if known and name != "moves" else game_graph(self)

    def in_characters(self) -> str:
        return self.picture()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"papan.position({str(self)!r})"

    def __str__(self) -> str:
        return " ".join((self.game.spec, *self.write()))


Place: TypeAlias = Game | Position | str
"""What stands for a position: itself, a game for its start, or a text that `papan.position` reads,
such as ``connect4 4453``."""


def margin(position: Position, seat: int) -> float:
    """How far *seat* is ahead of its best rival; its own score when it plays alone."""
    scores = position.scores()
    if not 0 <= seat < len(scores):
        raise InvalidSpecError("error.no_seat", seat=seat, last=len(scores) - 1)
    rivals = [score for rival, score in enumerate(scores) if rival != seat]
    return scores[seat] - max(rivals, default=0)


def native_form(position: Position) -> Native | None:
    """The position for compiled searches, where its game has such a form.

    A game derived from another may have changed its rules, so it must offer a form of its own.
    """
    game = position.game
    offered = "native" in vars(type(game)) and not is_plain()
    return game.native(position) if offered else None


def learned_patterns(game: Game) -> Patterns | None:
    """What was learned for this board; nothing counts for a game derived from another."""
    return game.patterns() if "patterns" in vars(type(game)) else None


# The graph of the game itself: positions, and the moves between them.


def reachable(start: Position) -> Iterator[Position]:
    """Every position that can follow and is not over, once; *start* is the first."""
    waiting, seen = [start], {start}
    for position in waiting:
        if moves := position.moves():
            yield position
            children = dict.fromkeys(map(position.child, moves))
            waiting += [child for child in children if child not in seen]
            seen.update(children)


MOST_NEAR, MOST_PLIES = 100, 3


def game_graph(position: Position) -> Graph:
    """The positions that follow, in whole plies, each once however many ways lead to it.

    It is called *moves*, and every game has it; the first ply is there however many moves it has.
    """
    layers: list[dict[Position, str]] = [{position: "0"}]
    edges = list[Edge]()
    merged = 0
    while len(layers) <= MOST_PLIES:
        layer: dict[Position, str] = {}
        ways: list[Edge] = []
        room = MOST_NEAR - sum(map(len, layers)) if len(layers) > 1 else inf
        for before, name in layers[-1].items():
            if len(layer) > room:  # a large board has millions of positions in two plies
                break
            for move in before.moves():
                after, words = before.child(move), before.game.move_name(move)
                longer = words if name == "0" else f"{name}/{words}"
                ways.append(Edge((name, layer.setdefault(after, longer)), words))
        if len(layer) > room or not layer:
            break
        merged += len(ways) - len(layer)
        edges += ways
        layers.append(layer)
    vertices = tuple(
        Vertex(name, at, _who(each), data={"position": str(each)})
        for ply, layer in enumerate(layers)
        for (each, name), at in zip(layer.items(), _ring(ply, len(layer)))
    )
    facts = {"plies": len(layers) - 1, "merged": merged}
    return Graph("moves", vertices, tuple(edges), True, notes=(Message("graph.near", facts),))


def _who(position: Position) -> str:
    return "over" if position.is_over else ("first", "second")[position.turn]


def _ring(ply: int, count: int) -> Iterator[Point]:
    """Places for the positions of one ply: on a circle around the one that is looked at."""
    reach = ply * max(1.6 * UNIT, 0.62 * UNIT * count / (2 * pi * max(ply, 1)))
    for number in range(count):
        angle = 2 * pi * (number + 0.5) / count - pi / 2
        yield round(reach * cos(angle), 1), round(reach * sin(angle), 1)
