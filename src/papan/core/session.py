"""A game in progress, whoever sits on the seats: play, undo, redo, resign, save, load."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from papan.core.agent import Agent, reseeded
from papan.core.drawing import View
from papan.core.game import Game, Move, Position
from papan.core.record import End, Record, replay


@runtime_checkable
class Shuffles(Protocol):
    """A position whose pieces can be put in another order."""

    def shuffled(self, seed: int) -> Position:
        """The same pieces in another order."""


SeatAgent = Agent | None
"""Who sits there: an agent, or None for a person."""

PERSON = "human"


class Session:
    """What happened so far and what may happen next. Views show it; they never change the rules."""

    def __init__(self, start: Position, agents: Sequence[SeatAgent]) -> None:
        self.start = start
        self.position = start
        self.agents = tuple(agents)
        self.plies: list[tuple[Position, Move]] = []
        self.undone: list[tuple[Position, Move]] = []
        self.saved: Record | None = None
        """The game as some file holds it."""
        self._given_up: tuple[End, int, str] | None = None
        self._shuffled_from: list[tuple[Position, list[tuple[Position, Move]]]] = []

    def __repr__(self) -> str:
        return f"<Session {self.position} after {len(self.plies)} moves>"

    @property
    def game(self) -> Game:
        return self.start.game

    @property
    def agent(self) -> SeatAgent:
        """Who is to move; None when it is a person."""
        return self.agents[self.position.turn]

    @property
    def end(self) -> End:
        """How the game ended; *open* while it goes on."""
        return self._given_up[0] if self._given_up else self.position.result

    @property
    def view(self) -> View:
        """How the position looks to someone who saw the game."""
        return View(played=tuple(self.plies))

    @property
    def would_be_lost(self) -> bool:
        """Has something happened in a game that can go on, and is it in no file?"""
        begun = bool(self.plies or self._shuffled_from)
        return begun and self.end in ("open", "stuck") and self.record() != self.saved

    def play(self, move: Move | str) -> None:
        """Make a *move*; raises if it is invalid or illegal."""
        legal = self.position.legal_move(move)
        self.plies.append((self.position, legal))
        self.undone.clear()
        self.position = self.position.child(legal)

    def undo(self) -> int:
        """Go back to the last choice of a person; the number of plies taken back."""
        taken = 0
        self._given_up = None
        if not self.plies and self._shuffled_from:
            return self._undo_shuffle()
        while self.plies and (taken == 0 or not self._person_to_move()):
            self.undone.append(self.plies.pop())
            self.position = self.undone[-1][0]
            taken += 1
        return taken

    def redo(self) -> int:
        """Make the moves that `undo` took back, to the next choice of a person."""
        made = 0
        while self.undone and (made == 0 or not self._person_to_move()):
            position, move = self.undone.pop()
            self.plies.append((position, move))
            self.position = position.child(move)
            made += 1
        return made

    def go(self, count: int) -> None:
        """To the position after *count* plies, or the nearest; the others can be made again."""
        while len(self.plies) > max(count, 0):
            self.undone.append(self.plies.pop())
            self.position = self.undone[-1][0]
        while self.undone and len(self.plies) < count:
            self.plies.append(self.undone.pop())
            self.position = self.plies[-1][0].child(self.plies[-1][1])

    @property
    def can_shuffle(self) -> bool:
        """May the pieces be put in another order? Also where the game is stuck: it goes on then."""
        return self.end in ("open", "stuck") and isinstance(self.position, Shuffles)

    def shuffle(self) -> None:
        """Put the pieces in another order; the record begins anew with them."""
        assert isinstance(self.position, Shuffles)
        self._shuffled_from.append((self.start, self.plies))
        self.start = self.position = self.position.shuffled(len(self.plies) + 1)
        self.plies = []
        self.undone.clear()

    def _undo_shuffle(self) -> int:
        self.start, self.plies = self._shuffled_from.pop()
        self.undone.clear()
        self.position = self.start
        for _, move in self.plies:
            self.position = self.position.child(move)
        return 1

    def give_up(self, end: End, seat: int, reason: str = "") -> None:
        """End the game by the doing of *seat*: it resigned, or ran out of time."""
        self._given_up = (end, seat + 1, reason)

    def record(self) -> Record:
        """The game so far."""
        names = (self.game.move_name(move) for _, move in self.plies)
        _, blame, reason = self._given_up or (None, None, "")
        return Record(
            game=self.game.spec,
            start=str(self.start),
            agents=tuple(PERSON if agent is None else agent.spec for agent in self.agents),
            moves=" ".join(names),
            scores=self.position.scores(),
            end=self.end,
            blame=blame,
            reason=reason,
        )

    def _person_to_move(self) -> bool:
        """With no person at the table every choice counts."""
        return self.agent is None or None not in self.agents


def resume(record: Record, game: Game, agents: Sequence[SeatAgent]) -> Session:
    """The session that *record* describes, ready to go on."""
    positions = replay(record, game)
    session = Session(positions[0], agents)
    for name in game.split_moves(record.moves):
        session.play(name)
    if record.blame is not None:
        session.give_up(record.end, record.blame - 1, record.reason)
    session.saved = session.record()
    return session


def rematch(session: Session, luck: int) -> Session:
    """The same game once more with the seats swapped, dealt anew with other *luck*."""
    agents = [None if agent is None else reseeded(agent, 1) for agent in session.agents]
    return Session(dealt(session.start, luck), agents[::-1])


def dealt(start: Position, luck: int) -> Position:
    """The start of a new game: dealt with *luck*, or *start* itself where somebody set it up."""
    game = start.game
    return game.deal(luck).start() if start == game.start() else start
