"""Lessons and puzzles for the pages: the lists of them, and each one as data."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import cache
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Path, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, BeforeValidator, Field

from papan import catalog, lessons, puzzles
from papan.core import Message
from papan.core.parts import Drawing
from papan.lessons import LESSONS, steps
from papan.web.boards import Board, board
from papan.web.searches import answer
from papan.web.wire import (
    Facts,
    Language,
    Refused,
    Seed,
    SpecText,
    Strict,
    as_file,
    download,
)
from papan.web.workers import Pool, Task


class LessonFacts(Facts):
    """A lesson to choose; its texts are ``lesson.NAME_title`` and ``lesson.NAME_about``."""

    name: str
    kind: Literal["game", "algorithm"]
    game: str
    agent: str
    """The agent that it is about, if there is one for that game."""
    variants: list[str]
    """Two agents to compare on one's own position, or none."""
    steps: int
    questions: list[str]
    """Their names, in the order of the steps: by them a page keeps which were answered right."""


class Moment(Facts):
    """One step of a lesson."""

    text: Message
    line: str
    """Which lines of the pseudo-code are carried out: those with this name."""
    variables: dict[str, lessons.TextValue]
    board: int | None
    """Which of the boards it shows."""
    marks: list[str]
    values: dict[str, float]
    proved: bool
    """Are the values proved, or what the lesson counts?"""
    best: str | None
    drawing: str
    tree: list[lessons.Node]
    current: int | None
    table: lessons.StepTable | None
    curves: dict[str, list[float]]
    question: lessons.Question | None


class WholeLesson(LessonFacts):
    """A lesson with everything that a page needs to show it."""

    lines: list[str]
    boards: list[Board]
    moments: list[Moment]


class LearningRequest(Strict):
    """A player that learns from nothing, and after how many games it is looked at."""

    game: SpecText = "tictactoe"
    games: Annotated[int, Field(ge=1, le=50_000)]
    rate: Annotated[float, Field(gt=0, le=10)] = 1
    exploration: Annotated[float, Field(ge=0, le=1)] = 0.15


class Learnt(BaseModel):
    """How good it is then."""

    games: int
    loss: float
    """How far off its expectations were, squared, as a mean."""
    errors: int
    """In how many of all positions its first sight gives the result away."""
    positions: int
    regret: float


def add_lessons(api: FastAPI, pool: Pool) -> None:
    """Add the questions about lessons."""

    @api.post("/v1/learning", tags=["lessons"], response_model=Learnt)
    async def learn(request: Request, order: LearningRequest) -> Response:
        """How good a player is that learned from so many games against itself."""
        return await answer(request, pool, Task("learning", order.model_dump()))

    @api.get("/v1/lessons", tags=["lessons"])
    def lessons() -> list[LessonFacts]:
        """Every lesson, in the order in which they are best taken."""
        return [facts(name) for name in LESSONS]

    @api.get("/v1/lessons/{name}", tags=["lessons"])
    def one(name: Annotated[str, Path(max_length=80)]) -> WholeLesson:
        """One lesson with all of its steps."""
        if name not in LESSONS:
            raise Refused(404, "learn.no_such", name=name)
        return whole(name)


class PuzzleCount(BaseModel):
    """How many puzzles of a theme and a difficulty papan brings for a game."""

    game: str
    theme: str
    difficulty: puzzles.Difficulty
    count: int


class PuzzleFacts(Facts):
    """A puzzle; its solution is what the solver says of its position."""

    name: str
    """Where papan does not bring it, all of it."""
    game: str
    theme: str
    rating: int
    text: str
    """The position."""
    situation: list[Message]
    """What has to be known and is not seen on the board."""


class NewPuzzle(Strict):
    """What a new puzzle is to be about."""

    game: SpecText
    theme: Annotated[str, Field(max_length=20)] = ""
    seed: Seed


class SheetOrder(BaseModel):
    """Which puzzles are printed, and in which language; nothing means all."""

    game: Annotated[str, Field(max_length=40)] = ""
    theme: Annotated[str, Field(max_length=20)] = ""
    difficulty: puzzles.Difficulty | Literal[""] = ""
    count: Annotated[int, Field(ge=1, le=60)] = 6
    seed: Annotated[int, Field(ge=0, lt=10**9)] = 0
    language: Language = "en"


def written(day: object) -> object:
    """A day as people write it: numbers alone would be read as seconds since 1970."""
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", str(day)):
        raise ValueError("a day is written like 2026-11-16")
    return day


Day = Annotated[date, BeforeValidator(written)]


def add_puzzles(api: FastAPI, pool: Pool) -> None:
    """Add the questions about puzzles."""

    @api.get("/v1/puzzles", tags=["puzzles"])
    def counts() -> list[PuzzleCount]:
        """How many puzzles there are of each game, theme and difficulty."""
        found = Counter((each.game, each.theme, each.difficulty) for each in puzzles.shipped())
        return [
            PuzzleCount(game=game, theme=theme, difficulty=level, count=count)
            for (game, theme, level), count in sorted(found.items())
        ]

    @api.get("/v1/puzzles/next", tags=["puzzles"])
    def following(
        game: Annotated[str, Query(max_length=40)] = "",
        theme: Annotated[str, Query(max_length=20)] = "",
        rating: Annotated[float, Query(ge=0, le=4000)] = puzzles.FIRST_RATING,
        seed: Annotated[int, Query(ge=0, lt=10**9)] = 0,
        seen: Annotated[str, Query(max_length=2_000)] = "",
    ) -> PuzzleFacts:
        """A puzzle near a rating that was not seen lately (names, with commas between them)."""
        return shown(puzzles.near(puzzles.chosen(game, theme), rating, seed, seen.split(",")))

    @api.get("/v1/puzzles/daily", tags=["puzzles"])
    def daily(day: Day) -> PuzzleFacts:
        """The puzzle of a day, the same for everyone."""
        return shown(puzzles.daily(day))

    @api.get(
        "/v1/puzzles/sheet.{kind}",
        tags=["puzzles"],
        responses=as_file("html", "pdf"),
        response_class=Response,
    )
    async def sheet(
        request: Request, kind: Literal["html", "pdf"], wanted: Annotated[SheetOrder, Query()]
    ) -> Response:
        """A sheet to print: boards with lines for the answers, and the answers on the last page."""
        some = puzzles.chosen(wanted.game, wanted.theme, wanted.difficulty)
        names = [each.name for each in puzzles.sample(some, wanted.count, wanted.seed)]
        order = {"kind": kind, "names": names, "language": wanted.language}
        found = await answer(request, pool, Task("sheet", order))
        return download(found.body, "papan.pdf") if kind == "pdf" else HTMLResponse(found.body)

    @api.get("/v1/puzzles/made", tags=["puzzles"])
    def made(whole: Annotated[str, Query(max_length=2_000)]) -> PuzzleFacts:
        """A puzzle that was made for somebody, from all of it: theme, rating and position."""
        return kept(whole)

    @api.get("/v1/puzzles/{name}", tags=["puzzles"])
    def one_puzzle(name: Annotated[str, Path(pattern="^[0-9a-f]{10}$")]) -> PuzzleFacts:
        """The puzzle of that name."""
        return kept(name)

    @api.post("/v1/puzzles", tags=["puzzles"])
    async def new(request: Request, wanted: NewPuzzle) -> PuzzleFacts:
        """A puzzle that nobody has seen, made while one waits."""
        puzzles.check_can_make(catalog.game(wanted.game), wanted.theme)
        found = await answer(request, pool, Task("puzzle", wanted.model_dump()))
        return kept(bytes(found.body).decode())


def shown(puzzle: puzzles.Puzzle) -> PuzzleFacts:
    """A puzzle as pages get it."""
    situation = puzzles.situation(puzzle.position)
    return PuzzleFacts.of(puzzle, name=puzzle.kept, situation=situation)


def kept(name: str) -> PuzzleFacts:
    """The puzzle that somebody kept."""
    if (found := puzzles.recalled(name)) is None:
        raise Refused(404, "web.no_puzzle", name=name)
    return shown(found)


@cache
def facts(name: str) -> LessonFacts:
    """What the list tells of a lesson."""
    found = steps(name)
    questions = _names([step.text.key for step in found if step.question])
    return LessonFacts.of(LESSONS[name], steps=len(found), questions=questions)


def _names(keys: list[str]) -> list[str]:
    """A name for each question that stays when steps come before it: the key that it follows."""
    return [
        f"{key.removeprefix('lesson.')} {keys[:place].count(key) + 1}"
        for place, key in enumerate(keys)
    ]


@cache
def lesson_address(game: str, key: str) -> str:
    """The page about a reason of a review: the step with this text, else the lesson of the game."""
    if game not in LESSONS:
        return ""
    keys = [step.text.key for step in steps(game)]
    return f"/learn/{game}" + (f"?step={keys.index(key) + 1}" if key in keys else "")


@cache
def whole(name: str) -> WholeLesson:
    """The lesson as data; boards that several steps show are there once."""
    boards: dict[Any, Board] = {}
    moments = [_moment(step, boards) for step in steps(name)]
    lines = LESSONS[name].lines
    return WholeLesson.of(facts(name), lines=lines, boards=[*boards.values()], moments=moments)


def _moment(step: lessons.Step, boards: dict[Any, Board]) -> Moment:
    number = None if step.scene is None else _board(step.scene, boards)
    return Moment.of(step, board=number, **_pointed(step.scene))


def _board(scene: lessons.Scene, boards: dict[Any, Board]) -> int:
    """The number of a scene's board, which is added where it is new."""
    key = scene.position, scene.played
    if key not in boards:
        boards[key] = board(scene.played, scene.position)
    return list(boards).index(key)


def _pointed(scene: lessons.Scene | None) -> dict[str, Any]:
    """What is pointed out on the board."""
    if scene is None:
        return {"marks": [], "values": {}, "proved": False, "best": None, "drawing": ""}
    name = scene.position.game.move_name
    highlights = "".join(Drawing.of(scene.position).highlight(move) for move in scene.marks)
    return {
        "marks": [name(move) for move in scene.marks],
        "values": {name(move): value for move, value in scene.values.items()},
        "proved": scene.proved,
        "best": None if scene.best is None else name(scene.best),
        "drawing": highlights + scene.drawing,
    }
