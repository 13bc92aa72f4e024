"""Routes of lessons and puzzles: their lists, each one as data, and answers to puzzles."""

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
from papan.web.boards import BoardFacts, board_facts
from papan.web.puzzle_turns import PuzzleFacts, PuzzleTurn, puzzle_facts
from papan.web.request_work import worker_response
from papan.web.search_queue import SearchQueue
from papan.web.wire import (
    Facts,
    Language,
    Refused,
    SeedNumber,
    SpecText,
    Strict,
    file_answers,
)
from papan.web.worker_protocol import Task


class LessonFacts(Facts):
    """A lesson in the menu; its texts have the keys ``lesson.NAME_title`` and
    ``lesson.NAME_about``.
    """

    name: str
    """Its name in addresses: ``/learn/NAME``."""
    kind: Literal["game", "algorithm"]
    """Whether it is about a game or about an algorithm."""
    game: str
    """The name of the game on its board."""
    agent: str
    """The spec of the agent that the lesson explains; empty if there is none for that game."""
    variants: list[str]
    """The specs of two agents to compare on any position; empty if there is nothing to compare."""
    steps: int
    """Number of its steps."""
    questions: list[str]
    """A name for each of its questions, in order; pages store right answers under them."""


class LessonStep(Facts):
    """One step of a lesson: its text, what it highlights on the board, and the state of the
    algorithm.
    """

    text: Message
    """What the step says."""
    line: str
    """The name of the lines of pseudo-code that this step carries out; empty if there is no
    pseudo-code.
    """
    variables: dict[str, lessons.TextValue]
    """The values of the variables of the algorithm, by name."""
    board: int | None
    """The index of its board in `WholeLesson.boards`; null if it shows none."""
    marks: list[str]
    """Names of the moves that are highlighted."""
    values: dict[str, float]
    """Numbers to show on moves, by the name of the move, in points for the seat to move unless the
    text says otherwise; empty for none.
    """
    proved: bool
    """True if the values are final margins under best play, False if the lesson only computes them.
    """
    best: str | None
    """The name of the best move; null if none is marked."""
    drawing: str
    """SVG elements that are drawn over the board; empty for none."""
    tree: list[lessons.Node]
    """The nodes of the search tree so far; empty for none."""
    current: int | None
    """The number of the node where the search is; null without a tree."""
    table: lessons.StepTable | None
    """Facts in rows; null for none."""
    curves: dict[str, list[float]]
    """The numbers of each curve to draw, by its name."""
    question: lessons.Question | None
    """What the learner is asked before the next step; null for nothing."""
    chapter: Message | None
    """Title of the chapter that begins with this step; null if none does."""


class WholeLesson(LessonFacts):
    """A lesson with all its steps, its boards and its lines of pseudo-code."""

    lines: list[str]
    """Name of the step that each line of its pseudo-code belongs to; empty for a lesson about a
    game.
    """
    boards: list[BoardFacts]
    """The boards that steps show, each once."""
    moments: list[LessonStep]
    """Its steps in order."""


class LearningRequest(Strict):
    """Order to let a player learn by self-play and to measure it then."""

    game: SpecText = catalog.first_game()
    """The spec of the game."""
    games: Annotated[int, Field(ge=1, le=50_000)]
    """Number of games of self-play."""
    rate: Annotated[float, Field(gt=0, le=10)] = 1
    """Learning rate, as a multiple of the usual one."""
    exploration: Annotated[float, Field(ge=0, le=1)] = 0.15
    """Probability, 0 to 1, that a move of self-play is random."""


class LearningResult(BaseModel):
    """The strength of a player after learning: how often its moves without search are wrong."""

    games: int
    """The number asked for; those played are rounded up to whole chunks."""
    loss: float
    """Mean squared error of its predictions, which are from -1 to 1, in the last chunk of games."""
    errors: int
    """Number of the *positions* in which its move, chosen without search, loses some margin."""
    positions: int
    """Number of solved positions in which it was asked for a move."""
    regret: float
    """Mean margin that its moves in these positions lose, in points."""


def add_lessons(api: FastAPI, queue: SearchQueue) -> None:
    """Add the routes ``lessons`` and ``learning`` to *api*; workers of *queue* train players."""

    @api.post("/v1/learning", tags=["lessons"], response_model=LearningResult)
    async def learn(request: Request, order: LearningRequest) -> Response:
        """Train a player by self-play and return its errors.

        Status 422 if there is no such game or it cannot be learned, 429 or 503 if no worker does
        it.
        """
        return await worker_response(request, queue, Task("learning", order.model_dump()))

    @api.get("/v1/lessons", tags=["lessons"])
    def lessons() -> list[LessonFacts]:
        """Return every lesson of the menu, in the recommended order."""
        return [lesson_facts(name) for name in LESSONS]

    @api.get("/v1/lessons/{name}", tags=["lessons"])
    def one(name: Annotated[str, Path(max_length=80)]) -> WholeLesson:
        """Return one lesson with all of its steps; 404 if there is none of that name."""
        if name not in LESSONS:
            raise Refused(404, "learn.no_such", name=name)
        return lesson_page(name)


class PuzzleCount(BaseModel):
    """Number of the puzzles that come with papan of one game, theme and difficulty."""

    game: str
    """The name of the game."""
    theme: str
    """What is asked, such as ``win``; docs/puzzles.md has all themes."""
    difficulty: puzzles.Difficulty
    """``easy``, ``medium`` or ``hard``, by their rating."""
    count: int
    """Number of such puzzles."""


class NewPuzzle(Strict):
    """Order of a puzzle to generate."""

    game: SpecText
    """The spec of a game."""
    theme: Annotated[str, Field(max_length=20)] = ""
    """What is asked (docs/puzzles.md); empty: any."""
    seed: SeedNumber
    """The number that decides which puzzle is found."""


class SheetOrder(BaseModel):
    """Order of a sheet of puzzles to print; an empty filter matches all."""

    game: Annotated[str, Field(max_length=40)] = ""
    """The name of a game."""
    theme: Annotated[str, Field(max_length=20)] = ""
    """What is asked, such as ``win`` (docs/puzzles.md)."""
    difficulty: puzzles.Difficulty | Literal[""] = ""
    """``easy``, ``medium`` or ``hard``, by rating."""
    count: Annotated[int, Field(ge=1, le=60)] = 6
    """Number of puzzles; fewer if not so many match."""
    seed: Annotated[int, Field(ge=0, lt=10**9)] = 0
    """The number that they are drawn from."""
    language: Language = "en"
    """The language of the sheet."""


def iso_day(day: object) -> object:
    """Return *day* unchanged if its text is like 2026-11-16 (YYYY-MM-DD), else raise ValueError.

    Whether the calendar has that day is not checked.
    """
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", str(day)):
        raise ValueError("a day is written like 2026-11-16")
    return day


Day = Annotated[date, BeforeValidator(iso_day)]


def add_puzzles(api: FastAPI, queue: SearchQueue) -> None:
    """Add the routes of puzzles to *api*; workers of *queue* generate, solve and print them."""

    @api.get("/v1/puzzles", tags=["puzzles"])
    def counts() -> list[PuzzleCount]:
        """Return the number of puzzles of each game, theme and difficulty, by name of the game.

        Those of a game are in the order of the easiest puzzle of each.
        """
        by_rating = sorted(puzzles.shipped(), key=lambda each: (each.game, each.rating))
        numbers = Counter((each.game, each.theme, each.difficulty) for each in by_rating)
        return [
            PuzzleCount(game=game, theme=theme, difficulty=level, count=count)
            for (game, theme, level), count in numbers.items()
        ]

    @api.get("/v1/puzzles/next", tags=["puzzles"])
    def following(
        game: Annotated[str, Query(max_length=40)] = "",
        theme: Annotated[str, Query(max_length=20)] = "",
        rating: Annotated[float, Query(ge=0, le=4000)] = puzzles.FIRST_RATING,
        seed: Annotated[int, Query(ge=0, lt=10**9)] = 0,
        seen: Annotated[str, Query(max_length=2_000)] = "",
    ) -> PuzzleFacts:
        """Return a puzzle near *rating* (Elo), if possible none of *seen*: names, separated by
        commas.

        *game* (a name) and *theme* filter them (empty: any), *seed* draws one of those that are
        near. If all were seen, it is one of them. Status 422 if none matches, or a name is unknown.
        """
        return puzzle_facts(
            puzzles.near(puzzles.chosen_puzzles(game, theme), rating, seed, seen.split(","))
        )

    @api.get("/v1/puzzles/daily", tags=["puzzles"])
    def daily(day: Day) -> PuzzleFacts:
        """Return the puzzle of a day (YYYY-MM-DD), the same for everyone; 422 if the day is no
        date.
        """
        return puzzle_facts(puzzles.daily(day))

    @api.get(
        "/v1/puzzles/sheet.html",
        tags=["puzzles"],
        responses=file_answers("html"),
        response_class=HTMLResponse,
    )
    async def sheet(request: Request, wanted: Annotated[SheetOrder, Query()]) -> HTMLResponse:
        """Return an HTML sheet to print: boards with room for answers; solutions on the last page.

        Status 422 if no puzzle matches or a name is unknown, 429 or 503 if no worker makes it.
        """
        some = puzzles.chosen_puzzles(wanted.game, wanted.theme, wanted.difficulty)
        names = [each.name for each in puzzles.sample(some, wanted.count, wanted.seed)]
        order = {"names": names, "language": wanted.language}
        found = await worker_response(request, queue, Task("sheet", order))
        return HTMLResponse(found.body)

    @api.get("/v1/puzzles/made", tags=["puzzles"])
    def made(whole: Annotated[str, Query(max_length=2_000)]) -> PuzzleFacts:
        """Return a generated puzzle from its whole text: theme, rating and position, separated by
        spaces.

        Status 404 if the text is none, 422 if its position is invalid.
        """
        return find_puzzle(whole)

    @api.get("/v1/puzzles/answer", tags=["puzzles"], response_model=PuzzleTurn)
    async def answer(
        request: Request,
        whole: Annotated[str, Query(max_length=2_000)],
        moves: Annotated[str, Query(max_length=2_000)] = "",
    ) -> Response:
        """Return the rival's reply after *moves* in a puzzle, then the question that the person has
        next and its answer.

        *whole* is the puzzle's name or whole text, *moves* are the names of the moves of both
        seats, separated by spaces (empty: at the start). Status 404 if there is no such puzzle, 422
        if a move is not legal or a position is too hard to solve, 429 or 503 if no worker answers.
        """
        find_puzzle(whole)
        order = {"name": whole, "moves": moves}
        return await worker_response(request, queue, Task("answer", order))

    @api.get("/v1/puzzles/{name}", tags=["puzzles"])
    def one_puzzle(name: Annotated[str, Path(pattern="^[0-9a-f]{10}$")]) -> PuzzleFacts:
        """Return the puzzle of that name (ten hexadecimal digits); 404 if there is none."""
        return find_puzzle(name)

    @api.post("/v1/puzzles", tags=["puzzles"])
    async def new(request: Request, wanted: NewPuzzle) -> PuzzleFacts:
        """Generate a puzzle and return it.

        Status 422 if the game is invalid or has none of that theme, or none was found in time, 429
        or 503 if no worker makes it.
        """
        puzzles.check_can_make(catalog.game(wanted.game), wanted.theme)
        found = await worker_response(request, queue, Task("puzzle", wanted.model_dump()))
        return find_puzzle(bytes(found.body).decode())


def find_puzzle(name: str) -> PuzzleFacts:
    """Return what a page shows of the puzzle *name*: a name, or the whole text of a generated one.

    Raise Refused (404) if there is none, PapanError if the position in the text is invalid.
    """
    if (found := puzzles.recalled(name)) is None:
        raise Refused(404, "web.no_puzzle", name=name)
    catalog.position(found.text)  # raises PapanError if it is none
    return puzzle_facts(found)


@cache
def lesson_facts(name: str) -> LessonFacts:
    """Return the menu entry of the lesson *name*, such as ``dots`` or ``minimax``.

    The result is cached and must not be changed. Raise KeyError if there is none.
    """
    found = steps(name)
    questions = _names([step.text.key for step in found if step.question])
    return LessonFacts.of(LESSONS[name], steps=len(found), questions=questions)


def _names(keys: list[str]) -> list[str]:
    """Return a name for each question of a lesson, such as ``dots_take_task 1``.

    *keys* has for each question the key of the text of its step, in order. The name is that key
    without ``lesson.``, and a number from 1 that counts the questions with the same key: so it
    stays when other steps are added.
    """
    return [
        f"{key.removeprefix('lesson.')} {keys[:place].count(key) + 1}"
        for place, key in enumerate(keys)
    ]


@cache
def lesson_page(name: str) -> WholeLesson:
    """Return the lesson *name* as data; a board that several steps show is contained once.

    The result is cached and must not be changed. Raise KeyError if there is none.
    """
    boards: dict[Any, BoardFacts] = {}
    moments = [_moment(step, boards) for step in steps(name)]
    lines = LESSONS[name].lines
    return WholeLesson.of(
        lesson_facts(name), lines=lines, boards=[*boards.values()], moments=moments
    )


def _moment(step: lessons.Step, boards: dict[Any, BoardFacts]) -> LessonStep:
    number = None if step.scene is None else _board(step.scene, boards)
    return LessonStep.of(step, board=number, **_pointed(step.scene))


def _board(scene: lessons.Scene, boards: dict[Any, BoardFacts]) -> int:
    """Return the index (from 0) of a scene's board among the values of *boards*; add it if it is
    new.

    The keys of *boards* are pairs of a scene's position and the plies shown before it.
    """
    key = scene.position, scene.played
    if key not in boards:
        boards[key] = board_facts(scene.played, scene.position)
    return list(boards).index(key)


def _pointed(scene: lessons.Scene | None) -> dict[str, Any]:
    """Return the fields *marks*, *values*, *proved*, *best* and *drawing* of a `LessonStep`, for
    the board of *scene*.

    They are empty, False or None without a scene.
    """
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
