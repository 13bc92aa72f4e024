"""The parts of a game besides its rules: Card, Drawing, Support, Coach and Setup.

A game needs none of them: each has defaults that work for any game. A part is a class in the file
of its name beside ``rules.py`` (``card.py``, ``drawing.py``, …), or in the module of the game. It
names its game in the class line::

    class NimCard(Card, game=Nim):
        presets = ("nim:7", "nim:40")

``Card.of(game)``, ``Support.of(game)``, ``Setup.of(game)``, ``Drawing.of(position)`` and
``Coach.of(position)`` return the part of a game: its own, that of a class it derives from, or the
default.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self, cast

from papan.core.compiling import is_plain
from papan.core.drawing import PLAIN, Feature, View, text_svg
from papan.core.errors import (
    IllegalMoveError,
    InvalidRulesError,
    InvalidSpecError,
    PapanError,
)
from papan.core.game import Game, Move, Position, margin
from papan.core.graph import Graph, game_graph
from papan.core.message import Message
from papan.core.slips import Slip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from papan.core.agent import Agent
    from papan.core.analysis import Analysis
    from papan.core.editing import Draft
    from papan.core.reasons import Clause, Mistake


class Part:
    """One part of a game: a subclass with ``game=`` in its class line becomes that part of it.

    *game* is the class of the game. A kind of part, such as `Card`, is a subclass with ``file=``,
    the name of its file.
    """

    kind: ClassVar[type[Part]]
    """The kind of this part: the class with ``file=`` that it derives from, such as `Card`."""
    file: ClassVar[str]
    """The name of the file beside ``rules.py`` that is looked at, without ``.py``."""
    owners: ClassVar[dict[type[Game], type[Part]]]
    """The classes of this kind, by the game that each was written for."""
    nearest: ClassVar[dict[type[Game], type[Part]]]
    """The class that serves each game that was asked for."""

    def __init_subclass__(cls, file: str = "", game: type[Game] | None = None) -> None:
        super().__init_subclass__()
        if file:
            cls.kind, cls.file, cls.owners, cls.nearest = cls, file, {}, {}
        if game is not None:
            cls.owners[game] = cls
            cls.nearest.clear()

    @classmethod
    def own_class(cls, game: type[Game]) -> type[Self] | None:
        """Return the class that was written for *game* itself; None if there is none.

        If none is known yet, the file of this kind beside the game's ``rules.py`` is imported, if
        there is one; errors of the import are passed on. Raise InvalidRulesError if that file
        defines no class of this kind with ``game=``.
        """
        if game not in cls.owners:
            _import_beside(cls.kind, game)
        return cast("type[Self] | None", cls.owners.get(game))

    @classmethod
    def class_for(cls, game: type[Game]) -> type[Self]:
        """Return the class of this kind for the class *game*: its own, an inherited or the default.

        An inherited one is that of the nearest base. Raise what `own_class` raises. What was
        found is kept in `nearest`.
        """
        if game not in cls.nearest:
            bases = (each for each in game.__mro__ if issubclass(each, Game))
            own = next((own for each in bases if (own := cls.own_class(each))), None)
            cls.nearest[game] = own or cls.kind
        return cast("type[Self]", cls.nearest[game])


def _import_beside(kind: type[Part], game: type[Game]) -> None:
    """Import the file of a part from the folder of *game*; do nothing if there is none.

    Raise InvalidRulesError if it has no part of this *kind*; errors of the import are passed on.
    """
    name = game.__module__
    if not (name.endswith(".rules") or hasattr(sys.modules.get(name), "__path__")):
        return  # a game that is one module has its parts in it
    module = f"{name.removesuffix('.rules')}.{kind.file}"
    if find_spec(module):
        import_module(module)
        if all(each.__module__ != module for each in kind.owners.values()):
            raise InvalidRulesError(
                "error.part_without_game", module=module, part=kind.__name__, game=game.__name__
            )


class GamePart(Part):
    """A part of a game that is asked about the game itself: `game`. Made by `of`."""

    game: Game

    def __init__(self, game: Game) -> None:
        self.game = game

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return this part of *game*, made anew: its own, an inherited one, or the default.

        Raise InvalidRulesError as `own_class` does.
        """
        return cls.class_for(type(game))(game)


class PositionPart(Part):
    """A part of a game that is asked about one position: `position`. Made by `of`."""

    position: Position

    def __init__(self, position: Position) -> None:
        self.position = position

    @classmethod
    def of(cls, position: Position) -> Self:
        """Return this part of the game of *position*: its own, an inherited one, or the default.

        It is made anew. Raise InvalidRulesError as `own_class` does.
        """
        return cls.class_for(type(position.game))(position)


class Card(GamePart, file="card"):
    """The entry of a game in menus: its order, sizes and levels, known before a board is shown."""

    presets: ClassVar[tuple[str, ...]] = ()
    """Specs of further sizes, as menus offer them."""
    sample: ClassVar[str] = ""
    """A spec and a few moves: the picture in the menu. Empty: the start of the game."""
    order: ClassVar[int] = 100
    """The rank in menus: smaller numbers first, equal ones by name."""
    levels: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5)
    """The levels of play that are offered: those that differ in strength in this game."""
    spots_in_a_move: ClassVar[int] = 1
    """Number of spots of the picture that name a move: 2 where a pair is picked."""
    featured: ClassVar[bool] = False
    """True for the game that pages offer first, and open where an address names none."""
    upright: ClassVar[bool] = False
    """True if the picture has a top: it is not turned for the other seat."""
    counters: ClassVar[tuple[str, ...]] = ()
    """Keys of the features (`Feature.key`) that players see all the time, such as the rounds that
    are left."""
    level_option: ClassVar[str] = ""
    """The option of a puzzle's game whose choices are its levels, in their order; empty: none."""


class Drawing(PositionPart, file="drawing"):
    """Views of a position: as characters, SVG and graphs, with the features that experts see.

    By default the position's text, and no more.
    """

    def picture(self, view: View = PLAIN) -> str:
        """Return the board in characters, as lines of text with coordinates.

        Default: the position's text, without what *view* adds.
        """
        return str(self.position)

    def spots(self) -> Mapping[str, Sequence[tuple[int, int]]]:
        """Return the spots of `picture` that can be clicked: by name, (row, column) of characters.

        Both count from 0. The name of one spot, or of `Card.spots_in_a_move` together, is the name
        of a move. Default: no spots, moves are typed.
        """
        return {}

    def svg(self, view: View = PLAIN) -> str:
        """Return the board as an SVG document, with the last move, highlights and labels of *view*.

        Default: the characters of `picture`, without what *view* adds.
        """
        return text_svg(str(self.position), self.picture())

    def highlight(self, move: Move) -> str:
        """Return the SVG elements that point out a legal *move* in `svg`. Default: empty."""
        return ""

    def pointed_out(self, cells: Sequence[str]) -> str:
        """Return the SVG elements that point out *cells*, names as in `Clause.cells`.

        They are drawn over `svg`, in its coordinates. Default: empty.
        """
        return ""

    def label_point(self, move: Move) -> tuple[float, float] | None:
        """Return the point (x, y) of `svg`, in SVG units, for a short text about a legal *move*.

        The text is centred there. Default: None, there is no room for such texts.
        """
        return None

    def features(self) -> Sequence[Feature]:
        """Return what experts see in the position, such as chains or threats, in order of display.

        Default: nothing.
        """
        return ()

    def traced(self, move: Move) -> Sequence[Feature]:
        """Return, in order, the steps of the search by which a legal *move* is found to be legal.

        Such as the link between two tiles. Default: nothing, it takes no search.
        """
        return ()

    def graphs(self) -> Sequence[Graph]:
        """Return the graphs of the board, the most usual one first. Default: none."""
        return ()

    def graph(self, name: str = "") -> Graph:
        """Return the graph called *name* (`Graph.name`), or the first of `graphs` if it is empty.

        Every game has ``moves`` (`game_graph`), which stands in where there are none.

        Raises InvalidSpecError for an unknown name.

        >>> papan.drawing("dots:2,2 a1b1").graph("boxes").degrees["a1"]
        3
        """
        known = {each.name: each for each in self.graphs()}
        if name not in ("", "moves", *known):
            game, names = self.position.game.name, " ".join([*known, "moves"])
            raise InvalidSpecError("graph.no_such", name=name, game=game, known=names)
        if not known or name == "moves":
            return game_graph(self.position)
        return known[name or next(iter(known))]


class Native(NamedTuple):
    """A position in the form of compiled searches, made by `Support.native`.

    See `papan.engine.board`.
    """

    rules: tuple[Any, ...]
    """A named tuple of the game's own type, by which its compiled rules are selected."""
    board: tuple[Any, ...]
    """Everything that changes in play, as 64-bit words, whose meaning the game defines."""
    widest: int
    """An upper bound on the number of legal moves, here and later."""
    deepest: int
    """An upper bound on the number of moves until the end of the game."""


class Patterns(Protocol):
    """An evaluation that was learned for one board: a game with its sizes."""

    def native(self, position: Any) -> Native:
        """Return *position* in the form of compiled searches, with rules that use this evaluation.

        It must be of the game for which this was learned; not checked.
        """

    def evaluate(self, position: Any) -> float:
        """Return the estimated final margin for the seat to move, in points, in plain Python.

        *position* must be as for `native`.
        """


class Planes(NamedTuple):
    """A position as the input of a neural net, from the point of view of the seat to move."""

    image: NDArray[np.float32]
    """An array of shape (rows, columns, planes); the game says what each plane is."""
    places: tuple[int, ...]
    """For each legal move, in their order, its index in the policy of the net, a flat array."""
    ahead: float = 0.0
    """What the seat to move has already, in the unit of the net's values, which are added to it;
    the whole utility if the game is over."""


class Strips(NamedTuple):
    """Division of the native form of a board into strips of cells (rows or columns), for learned
    tables.
    """

    total: int
    """Number of strips."""
    cells: int
    """Cells of each strip."""
    falls: bool
    """True if marks fall to the first empty cell of a strip."""


NODES_A_SECOND = 1_000_000
"""Nodes that stand for a second of a compiled search, on most boards."""


class Support(GamePart, file="support"):
    """What a game offers to searches, solvers and learning agents; by default next to nothing."""

    solver_examples: ClassVar[tuple[str, ...]] = ()
    """Texts of positions, such as ``dots:3,3``; solving all of them compiles all its kernels."""

    def evaluate(self, position: Position, seat: int) -> float:
        """Return an estimate of the final margin of *seat* in points, for searches cut short.

        Default: its margin so far.
        """
        return margin(position, seat)

    @property
    def slip_rates(self) -> tuple[float, float, float, float]:
        """The probabilities (0 to 1) that levels 1 to 4 have a blind spot at a move on this board.

        Chosen by play, so that each level beats the one below in 65 to 85 of 100 games.
        """
        return (0.6, 0.4, 0.25, 0.1)

    def slip(self, position: Position, level: int, rng: Random) -> Slip | None:
        """Return a move of a player of *level* (1 to 4) who overlooks something here, or None.

        None if nothing is overlooked. A blind spot is something that a player does not see at one
        move, such as diagonals; *rng* draws it, and one of equal moves. Asked only in games for
        two. Default: None, the game has no blind spots of its own; a level that slips then looks
        fewer plies ahead than usual.
        """
        return None

    def is_remote(self, position: Position, move: Move) -> bool:
        """Return whether a legal *move* is far from everything, where nobody would think of it.

        Levels do not look at such moves. Default: no move is.
        """
        return False

    @property
    def has_solver(self) -> bool:
        """True if `solver` has a solver for this size; answered without loading kernels.

        Default: whether there are `solver_examples`.
        """
        return bool(self.solver_examples)

    def solver(self, **settings: Any) -> Agent | None:
        """Return the game's exact solver, or None if this size has none. Default: None.

        *settings* are fields of the solver's dataclass, such as *memory*; a solver raises TypeError
        for others.
        """
        return None

    def proof_nodes(self, position: Position) -> int:
        """Return the most nodes for the proof that level 5 tries before a move.

        Level 4 takes a tenth of them. 0 if the solver could not finish here: levels then do not ask
        it. Default: 2 million.
        """
        return 2_000_000

    @property
    def nodes_a_second(self) -> int:
        """Number of nodes that stand for a second of compiled search on this board.

        Reviews are limited by it, so that a review takes about as long on a large board. Default:
        `NODES_A_SECOND`.
        """
        return NODES_A_SECOND

    def databases(self) -> dict[str, PapanError | None]:
        """Return the solver's files of solved positions by file name, each with its error or None.

        The error is what reading the whole file raises; None for a sound one. Default: no files.
        """
        return {}

    def native(self, position: Position) -> Native | None:
        """Return *position* in the form of compiled searches; None, the default, without one.

        Searches ask `native_form`, which trusts only a method that was written for the game itself.
        """
        return None

    def patterns(self) -> Patterns | None:
        """Return the evaluation that was learned for this board; None, the default, without one.

        Searches ask `learned_patterns`, which trusts only a method written for the game itself.
        """
        return None

    def planes(self, position: Position) -> Planes | None:
        """Return *position* as the input of a net; None, the default, without such a form."""
        return None

    @property
    def strips(self) -> Strips | None:
        """The strips of the board for learned tables; None, the default, without such a form."""
        return None


def native_form(position: Position) -> Native | None:
    """Return *position* for compiled searches, or None where its game has no such form.

    None within `plain_searches`, too, and for a derived game without a `Support.native` of its own,
    as it may have changed the rules.
    """
    game = position.game
    offered = not is_plain() and _defines(type(game), "native")
    return Support.of(game).native(position) if offered else None


def learned_patterns(game: Game) -> Patterns | None:
    """Return the evaluation learned for exactly this game; None if there is none.

    None, too, if the class of *game* has no Support of its own that defines `patterns`: what a
    derived game inherits was learned by other rules.
    """
    return Support.of(game).patterns() if _defines(type(game), "patterns") else None


def _defines(game: type[Game], name: str) -> bool:
    """Return whether the game's own Support, not an inherited one, defines the method *name*."""
    own = Support.own_class(game)
    return own is not None and name in vars(own)


class Coach(PositionPart, file="coach"):
    """Explanations of moves for people: where they go, what they do, why they are wrong."""

    lesson_steps: ClassVar[Mapping[str, str]] = {}
    """For the key of a reason that a review gives, the key of the lesson step about it."""
    ideas: ClassVar[Mapping[str, str]] = {}
    """For the key of a deed, the key of the sentence that names its idea without the move."""

    def place_of(self, move: Move) -> str:
        """Return where a legal *move* goes, in words for people. Default: its name."""
        return self.position.game.move_name(move)

    def why_illegal(self, move: Move) -> IllegalMoveError:
        """Return the error, one short sentence, that says what forbids *move* here.

        *move* is one of the game that is not legal in `position`. Default: that it is not possible.
        """
        return IllegalMoveError("error.not_possible", move=self.position.game.move_name(move))

    def deeds(self, move: Move) -> Iterable[Clause]:
        """Yield true facts about a legal *move* in the terms of this game, the strongest first.

        `papan.core.reasons.reason` leaves out what other moves do as well. Default: none; where a
        win is all that counts, those of `deeds_by_rules` are then told.
        """
        return ()

    def proved(self, move: Move, analysis: Analysis) -> Iterable[Clause]:
        """Yield facts about a legal *move* that *analysis*, of this position, has proved.

        They come before its deeds. Default: none.
        """
        return ()

    def idea(self, move: Move) -> Message:
        """Return a sentence on the idea of a legal *move* that does not name the move.

        Its key is that which `ideas` has for the first of the move's `deeds` that is listed there;
        ``idea.look`` if none is.
        """
        keys = (self.ideas.get(each.message.key) for each in self.deeds(move))
        return Message(next(filter(None, keys), "idea.look"))

    def area(self, move: Move) -> tuple[str, ...]:
        """Return where to look for a legal *move*, as names of moves: it and its neighbours.

        Default: three that follow each other among the legal ones, two if there are but three, and
        all if there are fewer. Raises ValueError if *move* is not legal.
        """
        moves = [*self.position.moves()]
        size = 2 if len(moves) == 3 else 3
        first = min(max(0, moves.index(move) - 1), max(0, len(moves) - size))
        return tuple(map(self.position.game.move_name, moves[first : first + size]))

    def fault(self, mistake: Mistake) -> Message | None:
        """Return why a move made here is a mistake, in the terms of this game; None if unknown.

        `position` is that before the move. The message calls the mover *player*, the other one
        *rival*, without values. Default: None.
        """
        return None


class Setup(GamePart, file="setup"):
    """Ways to boards of a game other than play: dealt at random, or set up by hand."""

    def deal(self, number: int) -> Game:
        """Return the game dealt with the seed *number*. Default: `game`, which has no chance."""
        return self.game

    shuffles: ClassVar[bool] = False
    """True if `shuffled` can put the pieces of a position in another order."""

    def shuffled(self, position: Position, seed: int) -> Position:
        """Return *position* with its pieces in another order, the same for the same *seed*.

        Called only if `shuffles`. Default: the position itself.
        """
        return position

    def sketch(self, fields: Sequence[str]) -> Position:
        """Return the position that *fields* describe, even one that no play leads to.

        *fields* are the words of a position's text after the spec. Raises InvalidPositionError if
        they describe none; the default, `Game.read`, also for one that no play leads to.
        """
        return self.game.read(fields)

    def read_rows(self, rows: Sequence[Sequence[str]]) -> Position:
        """Return the position in a file of *rows* of words, such as CSV, from the top.

        Default: the rows, their words joined by blanks, are joined by ``/``, and `Game.parse` reads
        that. Raises InvalidPositionError if they describe none.
        """
        return self.game.parse("/".join(" ".join(row) for row in rows))

    def draft(self, position: Position) -> Draft | None:
        """Return *position* as a board to be changed spot by spot. Default: None, it cannot be."""
        return None


PARTS: tuple[type[Part], ...] = (Card, Drawing, Support, Coach, Setup)
"""Every kind of part."""
