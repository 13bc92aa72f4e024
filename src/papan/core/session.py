"""A game in progress of people and agents: play, undo, redo, resign, save, load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, SupportsIndex, cast

from papan.core.agent import Agent, reseeded
from papan.core.arguments import check_whole
from papan.core.drawing import View
from papan.core.errors import IllegalMoveError, InvalidSpecError, PapanError
from papan.core.game import Game, Move, Position, check_seat
from papan.core.message import Message, catalogue, seat_message, text_of
from papan.core.parts import Coach, Setup
from papan.core.record import BLAMED, End, Record, replayed

SeatAgent = Agent | None
"""The occupant of a seat: an agent, or None for a person."""

PERSON = "human"

Ply = tuple[Position, Move]
"""A move with the position in which it was made."""


class Session:
    """A game in progress: the position, the moves so far, those undone, and the agents by seat.

    *agents* has one for each seat, None for a person; *plies* were played from *start* on. None of
    this is checked, and agents do not move by themselves: callers ask `agent` and `play` its move.

    A game for one is *stuck* if no move is left and it is not cleared. Some games can be *shuffled*
    then or before: their pieces are put in another order.
    """

    def __init__(
        self, start: Position, agents: Sequence[SeatAgent], plies: Sequence[Ply] = ()
    ) -> None:
        self._begin(start, plies)
        self.agents = tuple(agents)
        self.names: tuple[str, ...] = ()
        """The names of the people, seat by seat; empty if none was given."""
        self.hints = [0] * len(self.agents)
        """The hints that each seat has asked for."""
        self.saved: Record | None = None
        """The record that was saved last; None if none was."""
        self.file: Path | None = None
        """The file that the game was saved to."""
        self._given_up: tuple[End, int, str] | None = None
        self._shuffled_from: list[tuple[Position, list[Ply]]] = []

    def _begin(self, start: Position, plies: Sequence[Ply]) -> None:
        """Set `start`, `plies` (a copy) and `position`, the one after *plies*; empty `undone`.

        That *plies* lead on from *start* is not checked. Nothing else is changed.
        """
        self.start, self.plies = start, list(plies)
        self.undone: list[Ply] = []
        self.position = plies[-1][0].child(plies[-1][1]) if plies else start

    def __repr__(self) -> str:
        return f"<Session {self.position} after {len(self.plies)} moves>"

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.start.game

    @property
    def agent(self) -> SeatAgent:
        """The agent of the seat that is to move; None if that is a person's."""
        return self.agents[self.position.turn]

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves since `start`, the first one first, without those undone."""
        return tuple(self.game.move_name(move) for _, move in self.plies)

    @property
    def person_to_move(self) -> bool:
        """True if the game goes on and it is a person's turn."""
        return self.agent is None and self.end == "open"

    @property
    def end(self) -> End:
        """How the game ended, such as ``win`` or ``resigned``; ``open`` while it goes on."""
        return self._given_up[0] if self._given_up else self.position.result

    @property
    def view(self) -> View:
        """The `View` of the position with the plies that led to it, for its picture."""
        return View(played=tuple(self.plies))

    @property
    def has_unsaved_changes(self) -> bool:
        """True if moves or shuffles were made, and the record of the game is not the one `saved`.

        False once the game has ended, other than by being stuck.
        """
        begun = bool(self.plies or self._shuffled_from)
        return begun and self.end in ("open", "stuck") and self.record() != self.saved

    def play(self, move: SupportsIndex | str) -> None:
        """Make a *move*, a number or its text; what was undone cannot be made again after it.

        Raises InvalidMoveError, or IllegalMoveError if it is not legal or the game is over: by its
        rules, or because a seat gave up.
        """
        legal = self.position.legal_move(move)
        if self._given_up:
            name = self.game.move_name(legal)
            raise IllegalMoveError("error.given_up", move=name, position=str(self.position))
        self.plies.append((self.position, legal))
        self.undone.clear()
        self.position = self.position.child(legal)

    def undo(self) -> int:
        """Go back to the last choice of a person; return the number of plies taken back, or 0.

        At least one ply is taken back if there is one; exactly one if only agents play. A game that
        was given up is open again, too. Without plies the last shuffle is undone, which returns 1.
        """
        taken = 0
        self._given_up = None
        if not self.plies and self._shuffled_from:
            self._begin(*self._shuffled_from.pop())
            return 1
        while self.plies and (taken == 0 or not self._choice()):
            self._back()
            taken += 1
        return taken

    def take_back(self, seat: int) -> bool:
        """Go back before the last move of *seat*; return whether it has made one.

        A game that was given up is open again; `redo` can make the moves once more. Nothing is
        changed if *seat* has made no move. Raises InvalidSpecError for a seat that is not there.
        """
        check_seat(self.game.seats, seat)
        made = [count for count, (before, _) in enumerate(self.plies) if before.turn == seat]
        if made:
            self._given_up = None
            self.go(made[-1])
        return bool(made)

    def redo(self) -> int:
        """Make moves again that were taken back, to a person's next choice; return their number.

        The number is in plies: 0 if none was taken back, else at least 1; exactly 1 if only agents
        play. It makes no difference whether `undo`, `take_back` or `go` took them back.
        """
        made = 0
        while self.undone and (made == 0 or not self._choice()):
            self._forward()
            made += 1
        return made

    def go(self, count: int) -> None:
        """Go to the position after *count* plies, or the nearest; `redo` makes the others again.

        Only plies that were made or undone are known. Raises WrongTypeError if *count* is not a
        whole number.
        """
        [count] = check_whole(count=count)
        while len(self.plies) > max(count, 0):
            self._back()
        while self.undone and len(self.plies) < count:
            self._forward()

    def _back(self) -> None:
        """Take back the last ply, which must be there; it can be redone."""
        self.undone.append(self.plies.pop())
        self.position = self.undone[-1][0]

    def _forward(self) -> None:
        """Make the ply again that was taken back last; there must be one."""
        position, move = self.undone.pop()
        self.plies.append((position, move))
        self.position = position.child(move)

    @property
    def can_shuffle(self) -> bool:
        """True if the game shuffles pieces, and is open or stuck; a stuck one may then go on."""
        return self.end in ("open", "stuck") and Setup.of(self.game).shuffles

    def shuffle(self) -> None:
        """Put the pieces in another order; the record then starts from the new position.

        Raises PapanError unless the pieces can be shuffled now: see `can_shuffle`.
        """
        if not self.can_shuffle:
            raise PapanError("play.no_shuffle", game=self.game.name)
        self._shuffled_from.append((self.start, self.plies))
        seed = len(self.plies) + 1
        self._begin(Setup.of(self.game).shuffled(self.position, seed), ())

    def give_up(self, end: End, seat: int, reason: str = "") -> None:
        """End the game because of *seat* (0 or 1): it resigned, or ran out of time.

        *end* is one of `BLAMED`, *reason* an English sentence for the record. The position stays;
        `undo` reopens the game. Raises InvalidSpecError for an end that is no seat's fault, or a
        seat that is not there.
        """
        if end not in BLAMED:
            raise InvalidSpecError("error.not_given_up", end=end, known=", ".join(BLAMED))
        check_seat(self.game.seats, seat)
        self._given_up = (end, seat + 1, reason)

    def record(self) -> Record:
        """Return the record of the game so far, from `start`: the last shuffle, if there was one.

        It is not saved.
        """
        _, blame, reason = self._given_up or (None, None, "")
        return Record(
            game=self.game.spec,
            start=str(self.start),
            agents=tuple(PERSON if agent is None else agent.spec for agent in self.agents),
            moves=" ".join(self.moves),
            scores=self.position.scores(),
            end=self.end,
            blame=blame,
            reason=reason,
            names=self.names,
            hints=tuple(self.hints) if any(self.hints) else (),
        )

    def _choice(self) -> bool:
        """Return whether it is a person's turn to choose; if only agents play, always True."""
        return self.agent is None or None not in self.agents


def picked_move(position: Position, name: str) -> Move:
    """Return the legal move that a person typed as *name*.

    Raises InvalidMoveError for what names no move, and IllegalMoveError if the game is over, if
    *name* contradicts the board, or, with a short reason by the game's coach, if the move is not
    legal.
    """
    move = position.read_move(name)
    if position.allows(move):
        return move
    if position.result in ("open", "stuck"):  # a stuck board can be shuffled
        raise Coach.of(position).why_illegal(move)
    raise IllegalMoveError("error.game_over", move=name, position=str(position))


def resumed(record: Record, game: Game, agents: Sequence[SeatAgent]) -> Session:
    """Return the session that *record*, of a game of *game*, describes, ready to go on.

    *agents* has one for each seat, None for a person; not checked. Raise InvalidRecordError if the
    record contradicts itself, InvalidPositionError if its start is no position of *game*.
    """
    positions = replayed(record, game)
    session = Session(positions[0], agents)
    for name in game.split_moves(record.moves):
        session.play(name)
    if record.blame is not None:
        session.give_up(record.end, record.blame - 1, record.reason)
    session.names = record.names
    session.hints = list(record.hints) or session.hints
    session.saved = session.record()
    return session


def rematch(session: Session, seed: int) -> Session:
    """Return a new session at the start, with the seats swapped, dealt anew with *seed*.

    The seeds of its agents are one more than before; raise InvalidSpecError if one is then out of
    its range. Hints, plies and the file of *session* are not taken over; *session* itself stays as
    it is. See `dealt_start`.
    """
    agents = [None if agent is None else reseeded(agent, 1) for agent in session.agents]
    again = Session(dealt_start(session.start, seed, again=True), agents[::-1])
    again.names = session.names[::-1]
    return again


def seat_name(game: Game, seat: int, language: str) -> str:
    """Return the name of *seat* (0 or 1) of *game* in *language*: see `seat_message`."""
    return seat_message(seat, game.seats).text(language)


def agent_message(spec: str) -> Message | str:
    """Return the name for people of the agent with this *spec*, without its settings.

    Of these only the number of a level is told. A message; for a plug-in's agent, which no
    catalogue knows, its own name as text, such as ``My bot`` for ``my-bot:seed=3``.
    """
    name, _, options = spec.partition(":")
    key = f"web.opponent_{options[:1]}" if name == "level" else f"agent_name.{name}"
    own = name.replace("-", " ").replace("_", " ").capitalize()
    return Message(key) if key in catalogue("en") else own


def agent_called(spec: str, language: str) -> str:
    """Return the name of the agent with this *spec* in *language*: see `agent_message`."""
    called = agent_message(spec)
    return called if isinstance(called, str) else called.text(language)


def seat_names(game: Game, record: Record | None, language: str) -> tuple[str, ...]:
    """Return the names of the players for sentences in *language*, seat by seat.

    Of *record* people's names, *you* for the only person without one, and agents as `agent_called`.
    The names of the seats if two would have the same name, or if there is no record.
    """
    seats = tuple(seat_name(game, seat, language) for seat in range(game.seats))
    if record is None:
        return seats
    alone = record.agents.count(PERSON) == 1
    named = record.names or ("",) * game.seats
    names = tuple(
        name
        or (agent_called(agent, language) if agent != PERSON else "")
        or (text_of("seat.alone", language) if alone else seat)
        for name, agent, seat in zip(named, record.agents, seats)
    )
    return names if len(set(names)) == game.seats else seats


def result_text(game: Game, record: Record, names: Sequence[str], language: str) -> str:
    """Return how the game of *record* ended and who won, in one sentence in *language*.

    *names* are the players', by seat, as from `seat_names`.
    """
    winner = record.winner
    if winner is None or game.seats == 1:
        return text_of("play.ended", language, how=text_of(f"end.{record.end}", language))
    player = f"{seat_name(game, winner, language)} ({names[winner]})"
    return text_of(f"play.won_{record.end}", language, player=player)


def dealt_start(start: Position, seed: int, again: bool = False) -> Position:
    """Return the start of a new game, dealt with *seed*, in place of *start*.

    If *start* is not the start of its game, such as one set up by hand, it is returned as it is. A
    game with a seed of its own other than 0 is dealt with that, unless it is dealt *again*; a game
    without chance has the same start for every seed.
    """
    game = start.game
    if start != game.start():
        return start
    if again and hasattr(game, "seed"):
        game = replace(cast(Any, game), seed=0)
    return Setup.of(game).deal(seed).start()
