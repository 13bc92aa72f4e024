"""The record of a game: everything needed to replay it, as one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any, Literal, TypeVar, get_args

from papan.core.drawing import HtmlRepr
from papan.core.errors import IllegalMoveError, InvalidMoveError, InvalidRecordError, PapanError
from papan.core.game import Ending, Game, Move, Position
from papan.core.message import catalogue
from papan.core.printable import to_json

T = TypeVar("T")

End = Literal[Ending, "resigned", "illegal", "crash", "timeout"]
"""End of a game: by its rules, or by one seat."""

BLAMED: tuple[End, ...] = ("resigned", "illegal", "crash", "timeout")
"""The ends that one seat causes: the other one wins."""


@dataclass(frozen=True)
class Record(HtmlRepr):
    """A played game: start, moves, players, end and scores, from which all else can be computed."""

    game: str
    """The spec of the game."""
    start: str
    """The text of the first position."""
    agents: tuple[str, ...]
    """The spec of the agent on each seat; ``human`` for a person."""
    moves: str
    """The names of all moves, separated by blanks."""
    scores: tuple[float, ...]
    """The points of each seat in the last position."""
    end: End
    """How the game ended, such as ``win`` or ``timeout``; ``open`` if it goes on."""
    blame: int | None = None
    """The seat that resigned or forfeited, counted from 1; None if none did."""
    reason: str = ""
    """Reason of the forfeit, in English; `reason_in` returns it in another language."""
    cause: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The reason as data: ``key``, a key of the catalogues, beside the values of its text."""
    output: str = field(default="", compare=False, repr=False)
    """The last lines that the seat that forfeited printed, with its traceback."""
    adjudicated: int | None = None
    """The ply, from 0, from which the exact solver played for both seats, as the game was cut
    short; None if it was not.
    """
    names: tuple[str, ...] = ()
    """The names of the people, seat by seat; empty for a seat without a name."""
    hints: tuple[int, ...] = ()
    """The hints that each seat asked for; empty if none was counted."""

    @property
    def winner(self) -> int | None:
        """The seat that won, counted from 0; None for a draw or an open game, or if nobody won.

        If a seat resigned or forfeited (`blame`), the other one won; else the one with more points,
        if `end` is ``win``. In a game for one it is 0 if it was cleared.
        """
        if self.blame is not None:
            return 2 - self.blame if len(self.scores) == 2 else None
        if self.end == "cleared":
            return 0
        if self.end != "win":
            return None
        return max(range(len(self.scores)), key=lambda seat: self.scores[seat])

    def reason_in(self, language: str) -> str:
        """Return the reason of the forfeit as a text in *language*; empty if there was none.

        English where `cause` does not tell it.
        """
        return reason_in(language, self.cause, self.reason)

    def json(self) -> dict[str, Any]:
        """Return the record as JSON data, fields by name, tuples as lists.

        Left out are ``cause``, ``output``, ``names`` and ``hints`` if nothing is in them (``""`` or
        0 for each seat is nothing), ``adjudicated`` and ``blame`` if None, and ``reason`` where no
        seat is to blame.
        """
        facts = asdict(self)
        facts |= {key: list(facts[key]) for key in ("agents", "scores", "names", "hints")}
        if self.blame is None:
            del facts["blame"], facts["reason"]
        for empty in ("cause", "output"):
            if not facts[empty]:
                del facts[empty]
        if self.adjudicated is None:
            del facts["adjudicated"]
        for empty in ("names", "hints"):
            if not any(facts[empty]):
                del facts[empty]
        return facts

    def __str__(self) -> str:
        """Return the record as one line of JSON, as files have it."""
        return to_json(self.json())


def reason_in(language: str, cause: Mapping[str, str], reason: str) -> str:
    """Return the text of a *cause*, as `Record.cause` has it, in *language*.

    *reason*, a text in English, if the cause is empty or lacks a value of its text.
    """
    values = dict(cause)
    try:
        return PapanError(values.pop("key"), **values).text(language)
    except (KeyError, IndexError, ValueError):  # written by hand, or by another version
        return reason


def parse_record(line: str) -> Record:
    """Return the record that ``str(record)`` wrote as *line*.

    Raises InvalidRecordError for other text, and if `end` and `blame` contradict each other. That
    its moves can be played is not checked: see `replayed`.
    """
    try:
        facts = json.loads(line)
        record = Record(
            game=_of(str, facts["game"]),
            start=_of(str, facts["start"]),
            agents=tuple(map(_in_one_line, _texts(facts["agents"]))),
            moves=_of(str, facts["moves"]),
            scores=tuple(map(_number, _of(list, facts["scores"]))),
            end=facts["end"],
            blame=facts.get("blame"),
            reason=_in_one_line(_of(str, facts.get("reason", ""))),
            cause=_cause(facts.get("cause", {})),
            output=_of(str, facts.get("output", "")),
            adjudicated=_ply(facts.get("adjudicated")),
            names=tuple(map(player_name, _texts(facts.get("names", [])))),
            hints=tuple(map(_count, _of(list, facts.get("hints", [])))),
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise InvalidRecordError("error.not_a_record", text=line[:80]) from None
    seats = (1, 2)[: len(record.agents)]
    one_seat = type(record.blame) is int and record.blame in seats
    fits = one_seat if record.end in BLAMED else record.blame is None
    if record.end not in get_args(End) or not fits:
        raise InvalidRecordError("error.not_a_record", text=line[:80])
    return record


LONGEST_NAME = 30


def player_name(text: str) -> str:
    """Return the name *text* of a person with single blanks; it may be empty.

    Raise InvalidRecordError if that has over 30 characters or one that cannot be printed.
    """
    name = " ".join(text.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise InvalidRecordError("error.bad_name", name=name[: 2 * LONGEST_NAME], most=LONGEST_NAME)
    return name


def replayed(record: Record, game: Game) -> list[Position]:
    """Return every position of the game, first to last: one more than it has moves.

    *game* is that of ``record.game``. Raise InvalidRecordError if a move, the scores, the end or
    the number of agents, names or hints is wrong, InvalidPositionError if its start is no position
    of *game*.
    """
    if len(record.agents) != game.seats:
        raise InvalidRecordError("error.record_agents", found=len(record.agents), seats=game.seats)
    if record.names and len(record.names) != game.seats:
        raise InvalidRecordError("error.record_names", found=len(record.names), seats=game.seats)
    if record.hints and len(record.hints) != game.seats:
        raise InvalidRecordError("error.record_hints", found=len(record.hints), seats=game.seats)
    positions = [game.parse(record.start)]
    for number, name in enumerate(game.split_moves(record.moves), 1):
        try:
            positions.append(positions[-1].play(name))
        except (IllegalMoveError, InvalidMoveError):
            where = {"number": number, "move": name, "position": str(positions[-1])}
            raise InvalidRecordError("error.record_move", **where) from None
    if positions[-1].scores() != record.scores:
        raise InvalidRecordError(
            "error.record_scores", found=positions[-1].scores(), written=record.scores
        )
    if record.end not in (positions[-1].result, *BLAMED):
        raise InvalidRecordError("error.record_end", found=positions[-1].result, written=record.end)
    return positions


def moves_of(record: Record, positions: Sequence[Position]) -> list[Move]:
    """Return the moves of *record* as numbers; *positions* is what `replayed` returned for it."""
    names = positions[0].game.split_moves(record.moves)
    return [position.read_move(name) for position, name in zip(positions, names)]


def _of(kind: type[T], value: object) -> T:
    """Return *value* as it is; raise TypeError unless it is of the type *kind*."""
    if not isinstance(value, kind):
        raise TypeError
    return value


def _in_one_line(text: str) -> str:
    """Return *text* with its ends of lines as blanks: more lines could pass for papan's output."""
    return " ".join(text.splitlines())


def _texts(value: object) -> tuple[str, ...]:
    """Return *value* as a tuple; raise TypeError unless it is a list of texts."""
    return tuple(_of(str, each) for each in _of(list, value))


def _cause(value: object) -> dict[str, str]:
    """Return *value*, a JSON object of texts, for `Record.cause`; empty if it is.

    Raise TypeError if it has another form, or the catalogue lacks its ``key``.
    """
    cause = {_of(str, name): _of(str, text) for name, text in _of(dict, value).items()}
    if cause and cause.get("key") not in catalogue("en"):
        raise TypeError
    return cause


def _number(value: Any) -> float:
    """Return *value*, a number or its text, as a float, but an int as it is.

    Raise ValueError, TypeError or OverflowError if it is none, or not finite.
    """
    number = float(value)
    if not isfinite(number):  # not JSON, but Python's reader takes it
        raise ValueError
    return value if type(value) is int else number  # as it was written: 1 stays 1


def _count(value: object) -> int:
    """Return *value* as it is; raise TypeError unless it is an int of 0 or more."""
    if type(value) is not int or value < 0:
        raise TypeError
    return value


def _ply(value: object) -> int | None:
    """Return *value* as it is; raise TypeError unless it is None or an int of 0 or more."""
    return None if value is None else _count(value)
