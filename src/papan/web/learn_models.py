"""What lessons look like on their way to a page."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from papan.web.models import Board

TextValue = str | float | int
"""A number, a name, or a key of the catalogue."""


class LessonFacts(BaseModel):
    """A lesson to choose; its texts are ``lesson.NAME_title`` and ``lesson.NAME_about``."""

    name: str
    kind: Literal["game", "algorithm"]
    game: str
    agent: str
    """The agent that it is about, if there is one for that game."""
    steps: int
    questions: int


class Sentence(BaseModel):
    """A text of the catalogue; values that are text may be keys as well."""

    key: str
    values: dict[str, TextValue]


class TreeNode(BaseModel):
    """A place in the part of a tree that is drawn."""

    id: int
    up: int | None
    m: str
    role: Literal["max", "min"]
    text: TextValue | None
    state: Literal["open", "done", "cut", "known"]


class Facts(BaseModel):
    """A table under keys of the catalogue."""

    head: list[str]
    rows: list[list[TextValue]]
    marked: int | None


class Asked(BaseModel):
    """A question, which the next step answers; no lesson is an examination."""

    kind: Literal["number", "choice", "move"]
    text: Sentence
    answers: list[TextValue]
    choices: list[TextValue]
    hints: list[Sentence]
    replies: dict[str, Sentence]


class Moment(BaseModel):
    """One step of a lesson."""

    text: Sentence
    line: str
    """Which lines of the pseudo-code are carried out: those with this name."""
    variables: dict[str, TextValue]
    board: int | None
    """Which of the boards it shows."""
    marks: list[str]
    values: dict[str, float]
    proved: bool
    """Are the values proved, or what the lesson counts?"""
    best: str | None
    drawing: str
    tree: list[TreeNode]
    current: int | None
    table: Facts | None
    curves: dict[str, list[float]]
    question: Asked | None


class WholeLesson(LessonFacts):
    """A lesson with everything that a page needs to show it."""

    lines: list[str]
    boards: list[Board]
    moments: list[Moment]
