"""Line mode: a game as a conversation, for terminals, pipes and screen readers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from papan.core import (
    Agent,
    Analysis,
    Limit,
    Move,
    PapanError,
    Position,
    Record,
)
from papan.core.session import PERSON, Session, picked_move, result_text
from papan.core.text import LANGUAGES, catalogue
from papan.terminal.games import Clock, keep
from papan.terminal.output import about, language, player, say
from papan.terminal.reasons import Heard, why_lines


def move_line(position: Position, who: str, move: Move, analysis: Analysis | None = None) -> str:
    """Who made which move, and what an agent made of it."""
    name = position.game.move_name(move)
    seat = player(position, position.turn)
    text = say("play.moved", player=seat, who=who, move=name)
    if analysis is None:
        return text
    thought = [say("play.nodes", nodes=analysis.nodes)]
    if analysis.value is not None:
        thought.insert(0, say("play.value", value=analysis.best_value, player=seat))
    if len(analysis.line) > 1:
        line = " ".join(map(position.game.move_name, analysis.line[:8]))
        thought.append(say("play.expects", line=line))
    return f"{text} ({'; '.join(thought)})"


def score_line(position: Position) -> str:
    """The scores so far, seat by seat."""
    scores = position.scores()
    if len(scores) == 1:
        most = position.game.largest_margin
        return say("play.score_alone", score=f"{scores[0]:g}", most=f"{most:g}")
    seats = (f"{player(position, seat)} {score:g}" for seat, score in enumerate(scores))
    return say("play.scores", scores=", ".join(seats))


def result_line(position: Position, record: Record) -> str:
    """How the game ended and who won."""
    names = [who_sits(record, seat) for seat in range(len(record.agents))]
    return result_text(position.game, record, names, language())


def who_sits(record: Record, seat: int) -> str:
    """An agent by its spec; a person by name, or by a word."""
    if record.names and record.names[seat]:
        return record.names[seat]
    spec = record.agents[seat]
    return say("play.person") if spec == PERSON else spec


COMMANDS = (
    "undo", "redo", "hint", "follow", "why", "rules", "moves", "board", "shuffle", "save", "resign",
    "help", "quit",
)  # fmt: skip

FOLLOW = "-1"
"""What whoever played with the program of paper 002 types to follow the best move."""


class Conversation:
    """One game in line mode; *adviser* gives the hints, *show_board* spares listeners the board."""

    def __init__(
        self, session: Session, limit: Limit, adviser: Agent, clock: Clock, show_board: bool = True
    ) -> None:
        self.session = session
        self.limit = limit
        self.adviser = adviser
        self.clock = clock
        self.rules = partial(about, type(session.game))
        """What is said to whoever asks for the rules."""
        self.show_board = show_board
        self.left = False
        self.saved: Path | None = None
        self._reasons: list[str] = []
        self._shown: Position | None = None

    def run(self) -> None:
        """Play until the game ends or the person leaves."""
        print(say("play.welcome", game=self.session.game.spec))
        print(say("play.how_to"))
        while not self.left and (self.session.end == "open" or self.session.can_shuffle):
            if self.session.agent is None:
                self._ask()
            else:
                self._answer(self.session.agent)
        if not self.left:
            self._show()
            print(result_line(self.session.position, self.session.record()))

    def _answer(self, agent: Agent) -> None:
        """Let an agent move."""
        position, heard = self.session.position, Heard()
        analysis = agent.analyse(position, self.limit, heard)
        self.session.play(analysis.move)
        self._reasons = why_lines(position, agent, heard, analysis)
        print(move_line(position, agent.spec, analysis.move, analysis))

    def _ask(self) -> None:
        """Let a person move, or do one of the other things."""
        self._show()
        if self.session.end == "stuck":
            print(say("play.stuck"))
        seat = self.session.position.turn
        self.clock.start()
        text = self._typed()
        self.clock.stop()
        if text is None:
            self.left = True
        elif self.clock.left <= 0:
            self.session.give_up("timeout", seat)
        else:
            self._try(text)

    def _typed(self) -> str | None:
        """What the person types; None when there is nothing more to come.

        In a pipe nobody ends the line of the prompt by typing, so it is a line of its own.
        """
        position = self.session.position
        alone = position.game.seats == 1
        seat = player(position, position.turn)
        prompt = say("play.prompt_alone") if alone else say("play.prompt", player=seat)
        if sys.stdin.isatty():
            prompt += " "
        else:
            print(prompt, flush=True)
            prompt = ""
        try:
            return input(prompt).strip()
        except EOFError:
            return None

    def _try(self, text: str) -> None:
        """Do what *text* says, or say why that cannot be."""
        word, _, rest = text.partition(" ")
        command = commands().get(word.lower())
        try:
            if command is not None:
                doer: Callable[[str], None] = getattr(self, f"_{command}")
                doer(rest.strip())
            elif text:
                self._move(text)
        except PapanError as error:
            print(error.text(language()))

    def _move(self, name: str) -> None:
        position = self.session.position
        move = picked_move(position, name)
        self.session.play(move)
        print(move_line(position, who_sits(self.session.record(), position.turn), move))

    def _show(self) -> None:
        """The board and the score, unless they were the last thing shown."""
        if self._shown == self.session.position:
            return
        self._shown = self.session.position
        if self.show_board:
            print(self.session.position.picture(self.session.view))
        print(score_line(self.session.position))

    def _board(self, rest: str) -> None:
        print(self.session.position.picture(self.session.view))
        print(score_line(self.session.position))

    def _undo(self, rest: str) -> None:
        print(say("play.undone", plies=self.session.undo()))

    def _redo(self, rest: str) -> None:
        print(say("play.redone", plies=self.session.redo()))

    def _hint(self, rest: str) -> None:
        position = self.session.position
        analysis = self.adviser.analyse(position, self.limit)
        print(say("play.hint", move=position.game.move_name(analysis.move)))

    def _follow(self, rest: str) -> None:
        position = self.session.position
        if position.is_over:  # whoever asks is told so again, with what can be done
            return
        analysis = self.adviser.analyse(position, self.limit)
        self.session.play(analysis.move)
        print(move_line(position, self.adviser.spec, analysis.move, analysis))

    def _why(self, rest: str) -> None:
        print("\n".join(self._reasons or [say("play.no_reason")]))

    def _rules(self, rest: str) -> None:
        print(self.rules())

    def _moves(self, rest: str) -> None:
        position = self.session.position
        print(" ".join(map(position.game.move_name, position.moves())))

    def _shuffle(self, rest: str) -> None:
        if not self.session.can_shuffle:
            print(say("play.no_shuffle", game=self.session.game.name))
            return
        self.session.shuffle()
        print(say("play.shuffled"))

    def _save(self, rest: str) -> None:
        if not rest:
            print(say("play.save_where"))
            return
        self.saved = keep(self.session, Path(rest), self.saved)
        print(say("play.saved", path=self.saved))

    def _resign(self, rest: str) -> None:
        self.session.give_up("resigned", self.session.position.turn)

    def _help(self, rest: str) -> None:
        for command in COMMANDS:
            words = " / ".join(word for word, meant in commands().items() if meant == command)
            print(f"{words}: {say(f'play.help_{command}')}")

    def _quit(self, rest: str) -> None:
        self.left = True


def commands() -> dict[str, str]:
    """Every word that means a command, in all languages at once."""
    return {FOLLOW: "follow"} | {
        catalogue(each)[f"play.word_{command}"]: command
        for each in LANGUAGES
        for command in COMMANDS
    }
