"""Lessons for the pages: the list of them, and each one as data."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Path
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from papan.lessons import LESSONS, lesson, steps
from papan.web.answers import refusals
from papan.web.boards import Board, board

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


NAME = "^[a-z0-9]{1,20}$"


def add_lessons(api: FastAPI) -> None:
    """Add the questions about lessons."""

    @api.get("/v1/lessons", tags=["lessons"])
    def lessons() -> list[LessonFacts]:
        """Every lesson, in the order in which they are best taken."""
        return [facts(name) for name in LESSONS]

    @api.get("/v1/lessons/{name}", tags=["lessons"], responses=refusals(404, 422))
    def one(name: Annotated[str, Path(pattern=NAME)]) -> WholeLesson:
        """One lesson with all of its steps."""
        if name not in LESSONS:
            raise HTTPException(404)
        return whole(name)


@cache
def facts(name: str) -> LessonFacts:
    """What the list tells of a lesson."""
    lesson_, found = LESSONS[name], steps(name)
    return LessonFacts(
        name=name,
        kind=lesson_.kind,
        game=lesson_.game,
        agent=lesson_.agent,
        steps=len(found),
        questions=sum(step.question is not None for step in found),
    )


@cache
def whole(name: str) -> WholeLesson:
    """The lesson as data; boards that several steps show are there once."""
    boards: dict[Any, Board] = {}
    moments = [_moment(step, boards) for step in steps(name)]
    lines = list(LESSONS[name].lines)
    return WholeLesson(
        **facts(name).model_dump(), lines=lines, boards=list(boards.values()), moments=moments
    )


def _moment(step: lesson.Step, boards: dict[Any, Board]) -> Moment:
    scene = step.scene
    number = None if scene is None else _board(scene, boards)
    return Moment(
        text=_sentence(step.text),
        line=step.line,
        variables=dict(step.variables),
        board=number,
        **_pointed(scene),
        tree=[_node(each) for each in step.tree],
        current=step.current,
        table=_table(step.table),
        curves={key: list(points) for key, points in step.curves.items()},
        question=_asked(step.question),
    )


def _board(scene: lesson.Scene, boards: dict[Any, Board]) -> int:
    """The number of a scene's board, which is added where it is new."""
    key = scene.position, scene.played
    if key not in boards:
        boards[key] = board(scene.played, scene.position)
    return list(boards).index(key)


def _pointed(scene: lesson.Scene | None) -> dict[str, Any]:
    """What is pointed out on the board."""
    if scene is None:
        return {"marks": [], "values": {}, "proved": False, "best": None, "drawing": ""}
    name = scene.position.game.move_name
    highlights = "".join(scene.position.highlight(move) for move in scene.marks)
    return {
        "marks": [name(move) for move in scene.marks],
        "values": {name(move): value for move, value in scene.values.items()},
        "proved": scene.proved,
        "best": None if scene.best is None else name(scene.best),
        "drawing": highlights + scene.drawing,
    }


def _sentence(text: lesson.Text) -> Sentence:
    return Sentence(key=text.key, values=dict(text.values))


def _node(node: lesson.Node) -> TreeNode:
    return TreeNode(
        id=node.number,
        up=node.up,
        m=node.move,
        role=node.role,
        text=node.text,
        state=node.state,
    )


def _table(table: lesson.StepTable | None) -> Facts | None:
    if table is None:
        return None
    rows = [list(row) for row in table.rows]
    return Facts(head=list(table.head), rows=rows, marked=table.marked)


def _asked(question: lesson.Question | None) -> Asked | None:
    if question is None:
        return None
    return Asked(
        kind=question.kind,
        text=_sentence(question.text),
        answers=list(question.answers),
        choices=list(question.choices),
        hints=[_sentence(hint) for hint in question.hints],
        replies={move: _sentence(text) for move, text in question.replies.items()},
    )
