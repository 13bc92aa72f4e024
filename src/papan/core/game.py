"""The two ideas every game is made of: a Game (rules and sizes), a Position (a moment of play).

Everything else that a game may have, such as its drawing or its solver, is in a part of the game: a
class of its own, see `papan.core.parts`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import isfunction
from math import inf
from typing import ClassVar, Literal, Self, SupportsIndex, TypeAlias

from papan.core.arguments import whole
from papan.core.drawing import RichRepr
from papan.core.errors import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidRulesError,
    InvalidSpecError,
    WrongTypeError,
)
from papan.core.spec import write_spec

Move: TypeAlias = int
"""A move is a number below `Game.move_count`. Its text enters and leaves only through the game."""


Ending = Literal["win", "draw", "cleared", "stuck", "open"]
"""Result of a game: *win* or *draw*; with one seat *cleared* or *stuck*; *open*: not ended."""


_MOVED_FROM_GAME = {
    **dict.fromkeys(("presets", "sample", "place", "levels", "spots_in_a_move"), "Card"),
    **dict.fromkeys(("evaluate", "forgiving", "native", "patterns", "planes", "strips"), "Support"),
    **dict.fromkeys(("solver", "has_solver", "solver_examples"), "Support"),
    **dict.fromkeys(("proof_nodes", "databases"), "Support"),
    **dict.fromkeys(("sketch", "draft", "deal"), "Setup"),
    "lesson_steps": "Coach",
}
_MOVED_FROM_POSITION = {
    **dict.fromkeys(("picture", "spots", "svg", "highlight", "label_point"), "Drawing"),
    **dict.fromkeys(("features", "traced", "graphs", "graph", "in_characters"), "Drawing"),
    **dict.fromkeys(("place_of", "why_illegal", "fault"), "Coach"),
}


def _refuse_moved(cls: type, moved: dict[str, str]) -> None:
    """Raise InvalidRulesError if *cls* defines a member that belongs to a part of the game.

    A part is a class of its own, such as `Card`: see `papan.core.parts`. *moved* has the part, such
    as ``Card``, of each such member by its name.
    """
    for member, part in moved.items():
        if member in vars(cls):
            raise InvalidRulesError(
                "error.member_has_moved", owner=cls.__name__, member=member, part=part
            )


def _refuse_methods(cls: type) -> None:
    """Raise InvalidRulesError if *cls* itself defines a method that is a property in its base.

    The base is the nearest class above it that defines that member.
    """
    for member, value in vars(cls).items():
        inherited = (vars(base)[member] for base in cls.__mro__[1:] if member in vars(base))
        if isfunction(value) and isinstance(next(inherited, None), property | cached_property):
            raise InvalidRulesError("error.is_a_property", owner=cls.__name__, member=member)


@dataclass(frozen=True)
class Game(ABC):
    """The rules of a game with its sizes: a frozen dataclass whose fields are its options.

    A subclass has a class attribute `name`, such as ``connect4``, and defines the abstract methods.
    Defining a subclass raises InvalidRulesError if it has a member that belongs to a part of the
    game, or a plain method where this class has a property.
    """

    name: ClassVar[str]
    """The first word of its spec, such as ``connect4``."""
    seats: ClassVar[int] = 2
    """The number of players: 2, or 1 for a puzzle."""
    fields: ClassVar[tuple[str, ...]] = ("board", "turn")
    """The names of the fields that follow the spec in a position's text."""
    moves_stay: ClassVar[bool] = False
    """True if a move, once legal, stays legal until it is made or the game ends."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _refuse_moved(cls, _MOVED_FROM_GAME)
        _refuse_methods(cls)

    @property
    @abstractmethod
    def move_count(self) -> int:
        """The number of moves of this game, legal or not: a move is a number from 0 to below it."""

    @property
    def largest_margin(self) -> float:
        """The largest margin in points that a game can end with.

        A search that proves this margin can stop. It is 1 where games are won or lost without
        counting points. Default: infinite, not known.
        """
        return inf

    @abstractmethod
    def start(self) -> Position:
        """Return the first position of the game, before any move."""

    @abstractmethod
    def read(self, fields: Sequence[str]) -> Position:
        """Return the position whose `Position.write` gave *fields*: the words after the spec.

        There must be as many as `Game.fields`, not checked here: `parse` does that. Raise
        InvalidPositionError if they describe none.
        """

    @abstractmethod
    def move_name(self, move: Move) -> str:
        """Return the name of *move*, legal or not, such as ``b2``, which `parse_move` reads back.

        That *move* is a number below `move_count` is not checked.
        """

    @abstractmethod
    def parse_move(self, text: str) -> Move:
        """Return the move that *text* names, legal or not; raise InvalidMoveError for no move."""

    def number(self, given: SupportsIndex) -> Move:
        """Return *given* as an int from 0 to below `move_count`; else raise InvalidMoveError.

        Whole numbers of NumPy are taken, True and False are not.
        """
        move = whole(given)
        if move is None:
            raise InvalidMoveError("error.not_a_number_of_a_move", move=repr(given))
        if 0 <= move < self.move_count:
            return move
        last = self.move_count - 1
        raise InvalidMoveError("error.no_such_move", move=move, game=self.spec, last=last)

    def split_moves(self, text: str) -> list[str]:
        """Return the names of the moves in *text*, one by one; they are not checked.

        Default: *text* is split at blanks. Empty for an empty text.
        """
        return text.split()

    @property
    def spec(self) -> str:
        """The text that names this game and its options, such as ``tictactoe:3,3,3``.

        The sizes are always there, fields declared with `option` only if changed.
        """
        return write_spec(self.name, self)

    def parse(self, text: str) -> Position:
        """Return the position in *text*, such as ``tictactoe:3,3,3 x../.o./... x``.

        The spec, its first word, may be left out. Raise InvalidPositionError if *text* is no
        position of this game.
        """
        words = text.split()
        fields = words[1:] if words[:1] == [self.spec] else words
        if len(fields) != len(self.fields):
            form = " ".join((self.spec, *(f"<{field}>" for field in self.fields)))
            raise InvalidPositionError("error.position_form", text=text, form=form)
        return self.read(fields)


class Position(RichRepr, ABC):
    """One moment of a game: immutable and hashable. Playing a move makes a new position.

    A position has all that decides how the game goes on: `game`, the rules, `turn`, the seat to
    move (0 or 1), and the board. Defining a subclass raises InvalidRulesError if it defines `play`,
    a member that belongs to a part of the game, or a plain method where this class has a property.
    """

    __slots__ = ()
    game: Game
    turn: int
    """The seat that moves next. The rules alone decide it: never assume that it alternates."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "play" in vars(cls):  # which would be a way around the check
            raise InvalidRulesError("error.play_is_checked", position=cls.__name__)
        _refuse_moved(cls, _MOVED_FROM_POSITION)
        _refuse_methods(cls)

    @abstractmethod
    def moves(self) -> Sequence[Move]:
        """Return the legal moves, always in the same order: none exactly when the game is over."""

    def move_names(self) -> list[str]:
        """Return the names of the legal moves, in the order of `moves`; empty when it is over."""
        return list(map(self.game.move_name, self.moves()))

    def allows(self, move: Move) -> bool:
        """Return whether *move* is legal here; False for a number that is no move of the game.

        A game overrides this method where listing all moves is slow.
        """
        return move in self.moves()

    def play(self, move: SupportsIndex | str) -> Self:
        """Return the position after *move*, a number or its text; this one stays as it is.

        Raises InvalidMoveError if the game has no such move, IllegalMoveError if it is not legal.
        """
        return self.child(self.legal_move(move))

    @abstractmethod
    def child(self, move: Move) -> Self:
        """Return the position after a legal *move*; this one stays as it is.

        For searches: *move* is not checked, and what an illegal one gives is undefined.
        """

    def image(self) -> Self:
        """Return one position for all that are equal by symmetry. Default: the position itself.

        Equal means: the same value, and the same best moves turned or mirrored.
        """
        return self

    @abstractmethod
    def scores(self) -> tuple[float, ...]:
        """Return the points of each seat so far, seat 0 first; final when the game is over.

        A game won by a line has (1, 0) or (0, 1) at its end, and (0, 0) before or for a draw.
        """

    @property
    def cleared(self) -> bool:
        """True if a game for one seat has reached its goal. Default: False, as for two seats."""
        return False

    @property
    def is_over(self) -> bool:
        """True if the game is over: there are no legal moves."""
        return not self.moves()

    @property
    def result(self) -> Ending:
        """The result: ``win`` (of either seat) or ``draw``; for one seat ``cleared`` or ``stuck``.

        ``open`` while the game goes on.
        """
        if not self.is_over:
            return "open"
        if self.game.seats == 1:
            return "cleared" if self.cleared else "stuck"
        first, second = self.scores()
        return "win" if first != second else "draw"

    @property
    def winner(self) -> int | None:
        """The seat that has won, counted from 0; None for a draw or an open game.

        In a game for one it is 0 if the game is cleared, None if it is stuck.
        """
        if self.result not in ("win", "cleared"):
            return None
        scores = self.scores()
        return scores.index(max(scores))

    @abstractmethod
    def write(self) -> tuple[str, ...]:
        """Return the words of the position's text after the spec, which `Game.read` reads.

        One for each of `Game.fields`, none of them empty or with blanks.
        """

    def after(self, moves: str | Iterable[SupportsIndex | str]) -> Self:
        """Return the position after several *moves*: a text, such as ``"4 4 5"``, or a list.

        This position if there are none. Raises as `play` does for the first that cannot be made,
        and WrongTypeError if *moves* is neither.
        """
        if not isinstance(moves, Iterable):
            raise WrongTypeError("error.takes_moves", given=repr(moves)[:80])
        position = self
        for move in self.game.split_moves(moves) if isinstance(moves, str) else moves:
            position = position.play(move)
        return position

    def read_move(self, text: str) -> Move:
        """Return the move that *text* names here, legal or not. Default: `Game.parse_move`.

        Raises InvalidMoveError if it names none, IllegalMoveError if it contradicts the board.
        """
        return self.game.parse_move(text)

    def legal_move(self, given: SupportsIndex | str) -> Move:
        """Return the legal move that *given*, a number or a text, means here.

        Raises InvalidMoveError if the game has no such move, and IllegalMoveError if the game is
        over, if `read_move` finds that a text contradicts the board, or if the move is not legal:
        the error then lists the legal moves and says which rule forbids this one, if the game's
        `Coach` knows.
        """
        move = self.read_move(given) if isinstance(given, str) else self.game.number(given)
        if self.allows(move):
            return move
        name = given if isinstance(given, str) else self.game.move_name(move)
        if self.is_over:
            raise IllegalMoveError("error.game_over", move=name, position=str(self))
        from papan.core.parts import Coach  # which is made of positions

        facts = {"move": name, "position": str(self), "legal": " ".join(self.move_names())}
        why = Coach.of(self).why_illegal(move)
        if why.key == "error.not_possible":  # the coach knows no reason
            raise IllegalMoveError("error.illegal_move", **facts)
        raise IllegalMoveError("error.illegal_move_because", **facts, why=why)

    def _repr_text_(self) -> str:
        """Return the board in characters: see `Drawing.picture`."""
        from papan.core.parts import Drawing  # which is made of positions

        return Drawing.of(self).picture()

    def _repr_svg_(self) -> str:
        """Return the board as an SVG document, for notebooks: see `Drawing.svg`."""
        from papan.core.parts import Drawing

        return Drawing.of(self).svg()

    def __repr__(self) -> str:
        return f"papan.position({str(self)!r})"

    def __str__(self) -> str:
        return " ".join((self.game.spec, *self.write()))


Place: TypeAlias = Game | Position | str
"""A position, a game (its start position), or a text that `papan.position` reads, such as
``connect4 4453``."""


def margin(position: Position, seat: int) -> float:
    """Return the lead of *seat* (from 0) over its best rival, in points so far; alone, its score.

    It is below 0 if the seat is behind. Raises InvalidSpecError if there is no such seat.
    """
    scores = position.scores()
    check_seat(len(scores), seat)
    rivals = [score for rival, score in enumerate(scores) if rival != seat]
    return scores[seat] - max(rivals, default=0)


def check_seat(seats: int, seat: int) -> None:
    """Raise InvalidSpecError unless *seat* is a whole number from 0 to *seats* - 1."""
    number = whole(seat)
    if number is None or not 0 <= number < seats:
        given = repr(seat) if number is None else number  # '1' is none of the seats "from 0 to 1"
        raise InvalidSpecError("error.no_seat", seat=given, last=seats - 1)


def reachable(start: Position) -> Iterator[Position]:
    """Yield every position reachable from *start* that is not over, once each, *start* first.

    They come in the order of their fewest plies from *start*; nothing comes if that is over. All of
    them, finished ones too, are kept in memory: for small games.
    """
    waiting, seen = [start], {start}
    for position in waiting:
        if moves := position.moves():
            yield position
            children = dict.fromkeys(map(position.child, moves))
            waiting += [child for child in children if child not in seen]
            seen.update(children)
