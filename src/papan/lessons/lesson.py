"""What a lesson is made of: steps, each with a sentence, a picture, and perhaps a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from papan.core import Move, Position

if TYPE_CHECKING:
    from papan.lessons.story import Story

TextValue: TypeAlias = str | float
"""What stands in a sentence, a variable or a table: a number, a name, or a key of the catalogue."""

Kind = Literal["game", "algorithm"]


@dataclass(frozen=True)
class Text:
    """A sentence: a key of the catalogue and its values."""

    key: str
    values: Mapping[str, TextValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """A position to look at, and what to point out in it."""

    position: Position
    played: tuple[tuple[Position, Move], ...] = ()
    """The plies that led here, as far as they matter."""
    marks: tuple[Move, ...] = ()
    values: Mapping[Move, float] = field(default_factory=dict)
    proved: bool = False
    """Are the values final margins under best play, or what the lesson counts?"""
    best: Move | None = None
    drawing: str = ""
    """What else lies over the picture, as SVG."""

    def after(self, move: Move) -> Scene:
        """The same board after *move*, with nothing pointed out."""
        played = (*self.played, (self.position, move))
        return Scene(self.position.child(move), played)


@dataclass(frozen=True)
class Node:
    """A place in a tree: who chooses there, what is known of it, how far the search is."""

    number: int
    up: int | None
    move: str
    role: Literal["max", "min"]
    text: TextValue | None = None
    state: Literal["open", "done", "cut", "known"] = "open"


@dataclass(frozen=True)
class StepTable:
    """Rows of facts under keys of the catalogue; one row may be pointed out."""

    head: tuple[str, ...]
    rows: tuple[tuple[TextValue, ...], ...]
    marked: int | None = None


@dataclass(frozen=True)
class Question:
    """What the learner is asked before the next step: the lesson's own run has the answer."""

    kind: Literal["number", "choice", "move"]
    text: Text
    answers: tuple[TextValue, ...]
    """Any of them is right."""
    choices: tuple[TextValue, ...] = ()
    about: str = ""
    """The variable of the next step that is the answer."""
    hints: tuple[Text, ...] = ()
    replies: Mapping[str, Text] = field(default_factory=dict)
    """What comes of each move that is not the answer."""


@dataclass(frozen=True)
class Step:
    """One moment of a lesson."""

    text: Text
    line: str = ""
    """The line of the pseudo-code that is carried out, by its name."""
    variables: Mapping[str, TextValue] = field(default_factory=dict)
    scene: Scene | None = None
    tree: tuple[Node, ...] = ()
    current: int | None = None
    """The place in the tree where the search is."""
    table: StepTable | None = None
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    question: Question | None = None


@dataclass(frozen=True)
class Lesson:
    """A lesson: its name, the game on its board, and how it is told."""

    name: str
    game: str
    run: Callable[[Story], object]
    """Runs its algorithm; what comes of it is for tests, which compare it with the real agent."""
    lines: tuple[str, ...] = ()
    """A name for each line of its pseudo-code, which is ``lesson.NAME_code`` in the catalogue."""

    agent: str = ""
    """The real agent, to play against afterwards."""
    place: int = 100
    """Where it stands among the lessons of its kind; equal places by their names."""

    @property
    def kind(self) -> Kind:
        return "algorithm" if self.lines else "game"
