"""Lessons for the pages: the list of them, and each one as data."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Path
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from papan.lessons import LESSONS, lesson, steps
from papan.web.boards import Board, board
from papan.web.wire import refusals


class LessonFacts(BaseModel):
    """A lesson to choose; its texts are ``lesson.NAME_title`` and ``lesson.NAME_about``."""

    name: str
    kind: Literal["game", "algorithm"]
    game: str
    agent: str
    """The agent that it is about, if there is one for that game."""
    steps: int
    questions: int


class Moment(BaseModel):
    """One step of a lesson."""

    text: lesson.Text
    line: str
    """Which lines of the pseudo-code are carried out: those with this name."""
    variables: dict[str, lesson.TextValue]
    board: int | None
    """Which of the boards it shows."""
    marks: list[str]
    values: dict[str, float]
    proved: bool
    """Are the values proved, or what the lesson counts?"""
    best: str | None
    drawing: str
    tree: list[lesson.Node]
    current: int | None
    table: lesson.StepTable | None
    curves: dict[str, list[float]]
    question: lesson.Question | None


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
        text=step.text,
        line=step.line,
        variables=dict(step.variables),
        board=number,
        **_pointed(scene),
        tree=list(step.tree),
        current=step.current,
        table=step.table,
        curves={key: list(points) for key, points in step.curves.items()},
        question=step.question,
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
