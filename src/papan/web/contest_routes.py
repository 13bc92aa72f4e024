"""Routes of contests for the owner of the server: plan, students, links, run, marks, export."""

from asyncio import to_thread
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile, gettempdir
from typing import IO, Annotated, Any

from fastapi import Depends, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from pydantic import BaseModel, Field

from papan import catalog
from papan.contest.marks import marks_csv
from papan.contest.plan import (
    PLAN,
    STUDENTS,
    parse_contest_plan,
    with_disqualified,
)
from papan.contest.students import parse_students
from papan.core import PapanError
from papan.core.files import read_regular
from papan.core.message import Message
from papan.lab.files import LONGEST_RECORD, write_whole, writing
from papan.process.sandbox import find_sandbox
from papan.web.contest_facts import (
    ContestFacts,
    ContestGames,
    ContestPage,
    LadderPage,
    MarksPage,
    contest_facts,
    contest_page,
    game_facts,
    ladder_page,
    marks_page,
)
from papan.web.contests import Contests, hand_in_link
from papan.web.jobs import BackgroundJob
from papan.web.owner import Owner
from papan.web.request_work import worker_response
from papan.web.search_queue import SearchQueue
from papan.web.wire import Language, Refused, SpecText, Strict, download, file_answers
from papan.web.worker_protocol import Task

PAGE_GAMES = 50
"""Number of games on one page of the list."""
PIECE = 1 << 16

StudentNumber = Annotated[str, Field(min_length=1, max_length=40)]


class NewContest(Strict):
    """Order to make a contest between bots of students."""

    game: SpecText
    """The spec of a game for two."""
    title: Annotated[str, Field(min_length=1, max_length=80)]
    """Its title for people."""
    language: Language = "en"
    """The language of its plan and reports."""


class Disqualification(Strict):
    """Order to disqualify the student *number*, or to take that back."""

    number: StudentNumber
    """The number of the student in the list."""
    why: Annotated[str, Field(max_length=200)] = ""
    """The reason, which the student sees; empty: take it back."""


class LinkOrder(Strict):
    """Order to replace the secret link of the student *number*."""

    number: StudentNumber


class StudentLink(BaseModel):
    """The secret link of a student, as an address on this server."""

    number: str
    """The number of the student in the list."""
    name: str
    address: str
    """Its path and fragment on this server: ``/hand-in#CODE``."""


class ContestText(BaseModel):
    """The text of a file of a contest (its plan or its list of students), for its owner to
    change.
    """

    text: str


def add_contests(api: FastAPI, contests: Contests, owner: Owner, queue: SearchQueue) -> None:
    """Add the routes of *contests* to *api*; all of them answer *owner* only.

    Workers of *queue* do what takes long.
    """
    common: dict[str, Any] = {"tags": ["class"], "dependencies": [Depends(owner)]}
    _listing(api, contests, common)
    _steering(api, contests, common)
    _files(api, contests, queue, common)
    _links(api, contests, queue, common)
    _results(api, contests, common)


def sandbox_problem() -> Message | None:
    """Return why the code of others cannot run on this machine, as it has no sandbox; None if it
    can.
    """
    try:
        find_sandbox()
    except PapanError as error:
        return error.shown
    return None


def _listing(api: FastAPI, contests: Contests, common: dict[str, Any]) -> None:
    """Add the routes that list, make and show contests; *common* are arguments of all routes."""

    @api.get("/v1/class", **common)
    async def all_contests() -> list[ContestFacts]:
        """Return all contests, the newest first.

        Status 403 if the client is not the owner, 503 if a contest that was named on the command
        line cannot be stored.
        """
        jobs = contests.all()
        return await to_thread(lambda: [contest_facts(job, contests.followed(job)) for job in jobs])

    @api.post("/v1/class", status_code=201, **common)
    async def make(wanted: NewContest) -> ContestFacts:
        """Make a contest, which waits for its start; return it with status 201.

        Status 403 if the client is not the owner, 422 if the game is invalid or not for two, 503 if
        it cannot be stored.
        """
        game = await to_thread(catalog.game, wanted.game)
        job = contests.make(game.spec, wanted.title.strip() or game.name, wanted.language)
        return await to_thread(contest_facts, job, contests.followed(job))

    @api.get("/v1/class/{name}", **common)
    async def contest(job: Annotated[BackgroundJob, Depends(contests.job)]) -> ContestPage:
        """Return all about a contest, and start the checks of its new submissions, if there is a
        sandbox.

        Status 403 if the client is not the owner, 404 if there is no such contest.
        """
        followed = contests.followed(job)
        sandbox = await to_thread(sandbox_problem)
        if sandbox is None:
            await check_new(contests, job)
        return await to_thread(contest_page, job, followed, contests.checks, sandbox)

    @api.get("/v1/class/{name}/ladder", **common)
    async def ladder(job: Annotated[BackgroundJob, Depends(contests.job)]) -> LadderPage:
        """Return a contest with its standings; 403 if the client is not the owner, 404 if there is
        none.
        """
        return await to_thread(ladder_page, job, contests.followed(job))


async def check_new(contests: Contests, job: BackgroundJob) -> None:
    """Start the missing checks of *job*'s submissions that may play, without waiting for their
    ends.

    Do nothing if a file of the contest is invalid or cannot be read.
    """
    followed = contests.followed(job)

    def unchecked() -> list[Any]:
        try:
            return followed.look().unchecked()
        except PapanError:
            return []

    contests.check_new(followed, await to_thread(unchecked))


def _steering(api: FastAPI, contests: Contests, common: dict[str, Any]) -> None:
    """Add the routes that pause, continue and delete contests, and disqualify students.

    *common* are arguments of all routes.
    """

    @api.post("/v1/class/{name}/pause", **common)
    async def pause(job: Annotated[BackgroundJob, Depends(contests.job)]) -> ContestFacts:
        """Pause the games of a contest and return it; students may still hand in. Games that have
        ended stay as they are.

        Status 403 if the client is not the owner, 404 if there is no such contest, 503 if the
        folder of its job cannot be written.
        """
        await contests.jobs.pause(job)
        return await to_thread(contest_facts, job, contests.followed(job))

    @api.post("/v1/class/{name}/go-on", **common)
    async def go_on(job: Annotated[BackgroundJob, Depends(contests.job)]) -> ContestFacts:
        """Start the games of a contest, or continue them, and return it; games that wait or run
        already stay as they are.

        Status 403 if the client is not the owner, 404 if there is none, 422 if this machine has no
        sandbox or the minutes of the plan are used up, 503 if the queue is full or the folder of
        the job cannot be written.
        """
        problem = await to_thread(sandbox_problem)
        if problem is not None:
            raise Refused(422, problem.key, **problem.values)
        if await to_thread(_is_time_over, contests, job):
            raise Refused(422, "class.state_over")
        contests.jobs.resume(job)
        return await to_thread(contest_facts, job, contests.followed(job))

    @api.post("/v1/class/{name}/disqualify", **common)
    def disqualify(
        job: Annotated[BackgroundJob, Depends(contests.job)], order: Disqualification
    ) -> ContestFacts:
        """Disqualify a student with a reason, or take that back; return the contest.

        Status 403 if the client is not the owner, 404 if there is no such contest or student, 422
        if a file of the contest is invalid or its plan cannot be written.
        """
        followed = contests.followed(job)
        _demand_student(followed.look().names(), order.number)
        path = followed.folder / PLAN
        text = read_regular(path, LONGEST_RECORD).decode("utf-8-sig")
        _write(path, with_disqualified(text, order.number, order.why))
        return contest_facts(job, followed)

    @api.delete("/v1/class/{name}", status_code=204, **common)
    async def delete(job: Annotated[BackgroundJob, Depends(contests.job)]) -> None:
        """Delete a contest with all submissions, games and marks; games and checks are stopped
        first.

        Status 403 if the client is not the owner, 404 if there is none, 503 if the folder of its
        job cannot be written.
        """
        await contests.delete(job)


def _is_time_over(contests: Contests, job: BackgroundJob) -> bool:
    return contest_facts(job, contests.followed(job)).time_over


def _demand_student(names: dict[str, str], number: str) -> None:
    """Raise Refused (404) if no student has *number*; *names* are those of all students, by
    number.
    """
    if number not in names:
        raise Refused(404, "class.no_student", number=number)


def _write(path: Path, content: str) -> None:
    with writing(path):
        write_whole(path, content)


def _files(api: FastAPI, contests: Contests, queue: SearchQueue, common: dict[str, Any]) -> None:
    """Add the routes of the files of contests: plan, students, and all of them as an archive.

    *common* are arguments of all routes. A worker of *queue* makes the archive.
    """

    def read(job: BackgroundJob, name: str) -> ContestText:
        try:
            data = read_regular(contests.folder(job) / name, LONGEST_RECORD)
        except OSError as error:
            raise PapanError("error.cannot_read", path=name, why=error.strerror) from None
        return ContestText(text=data.decode("utf-8-sig", errors="replace"))

    async def sent(request: Request) -> bytes:
        return (await request.body()).removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")

    @api.get("/v1/class/{name}/plan", **common)
    def plan(job: Annotated[BackgroundJob, Depends(contests.job)]) -> ContestText:
        """Return the plan of a contest.

        Status 403 if the client is not the owner, 404 if there is no such contest, 422 if the plan
        cannot be read.
        """
        return read(job, PLAN)

    @api.put("/v1/class/{name}/plan", **common)
    async def change_plan(
        job: Annotated[BackgroundJob, Depends(contests.job)], request: Request
    ) -> ContestFacts:
        """Replace the plan by the body of the request, a text in UTF-8, and return the contest.

        Its games go on if its minutes were used up and there are more now. Status 403 if the client
        is not the owner, 404 if there is no such contest, 422 if the plan is invalid or cannot be
        written.
        """
        data = await sent(request)
        await to_thread(parse_contest_plan, data)
        was_over = await to_thread(_is_time_over, contests, job)
        await to_thread(_write, contests.folder(job) / PLAN, data.decode())
        if was_over and not await to_thread(_is_time_over, contests, job):
            contests.go_on(job)
        return await to_thread(contest_facts, job, contests.followed(job))

    @api.get("/v1/class/{name}/students", **common)
    def students(job: Annotated[BackgroundJob, Depends(contests.job)]) -> ContestText:
        """Return the list of students as CSV.

        Status 403 if the client is not the owner, 404 if there is no such contest, 422 if the list
        cannot be read.
        """
        return read(job, STUDENTS)

    @api.put("/v1/class/{name}/students", **common)
    async def change_students(
        job: Annotated[BackgroundJob, Depends(contests.job)], request: Request
    ) -> ContestFacts:
        """Replace the list of students by the body of the request, CSV in UTF-8, and return the
        contest.

        Status 403 if the client is not the owner, 404 if there is no such contest, 422 if the list
        is invalid or cannot be written.
        """
        data = await sent(request)
        await to_thread(parse_students, data)
        await to_thread(_write, contests.folder(job) / STUDENTS, data.decode())
        return await to_thread(contest_facts, job, contests.followed(job))

    @api.get(
        "/v1/class/{name}/files/everything.zip",
        response_class=Response,
        responses={200: {"description": "The file.", "content": {"application/zip": {}}}},
        **common,
    )
    async def export(
        request: Request, job: Annotated[BackgroundJob, Depends(contests.job)]
    ) -> StreamingResponse:
        """Return all files of a contest except the secret ones (links, locks) as a ZIP archive.

        Status 403 if the client is not the owner, 404 if there is no such contest, 422 if there is
        no room for the archive or a file cannot be read, 429 or 503 if no worker makes it.
        """
        file = await _archive(request, queue, contests.folder(job))
        name = f'attachment; filename="papan-{job.id}-everything.zip"'
        return StreamingResponse(
            _pieces(file), 200, {"content-disposition": name}, "application/zip"
        )


async def _archive(request: Request, queue: SearchQueue, folder: Path) -> IO[bytes]:
    """Return an open temporary file, at its start, with the files of a contest as a ZIP archive.

    They are those in *folder*; a worker of *queue* reads them for *request*. The caller closes the
    file. Raise PapanError if it cannot be made, also Refused as `worker_response` does.
    """
    with writing(gettempdir()):
        file = NamedTemporaryFile(prefix="papan-")  # noqa: SIM115 - `_pieces` closes it
    try:
        places = {"folder": str(folder), "file": file.name}
        await worker_response(request, queue, Task("archive", places))
    except BaseException:
        file.close()
        raise
    return file


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece


def _links(api: FastAPI, contests: Contests, queue: SearchQueue, common: dict[str, Any]) -> None:
    """Add the routes of the secret links of students; *common* are arguments of all routes.

    A worker of *queue* makes the sheet to print.
    """

    @api.get("/v1/class/{name}/links", **common)
    def links(job: Annotated[BackgroundJob, Depends(contests.job)]) -> list[StudentLink]:
        """Return the secret link of each student; a student without one gets one.

        Status 403 if the client is not the owner, 404 if there is no such contest, 422 if a file of
        it is invalid or the links cannot be stored.
        """
        followed = contests.followed(job)
        names = followed.look().names()
        return [
            StudentLink(number=number, name=names[number], address=f"/hand-in#{code}")
            for number, code in followed.codes().items()
        ]

    @api.post("/v1/class/{name}/links", **common)
    def renew(
        job: Annotated[BackgroundJob, Depends(contests.job)], order: LinkOrder
    ) -> StudentLink:
        """Give a student a new secret link and return it; the old one is not valid any more.

        Status 403 if the client is not the owner, 404 if there is no such contest or student, 422
        if a file of the contest is invalid or the link cannot be stored.
        """
        followed = contests.followed(job)
        names = followed.look().names()
        _demand_student(names, order.number)
        code = followed.links.renew(order.number)
        return StudentLink(
            number=order.number, name=names[order.number], address=f"/hand-in#{code}"
        )

    @api.get(
        "/v1/class/{name}/sheet.html",
        response_class=HTMLResponse,
        responses=file_answers("html"),
        **common,
    )
    async def sheet(
        request: Request,
        job: Annotated[BackgroundJob, Depends(contests.job)],
        origin: Annotated[str, Query(max_length=200)],
        language: Language = "en",
    ) -> HTMLResponse:
        """Return an HTML sheet to print: a link and its QR code for each student.

        *origin* is the address of this server with which the links begin. Status 403 if the client
        is not the owner, 404 if there is no such contest, 422 if a file of it is invalid, or if
        there are students and *origin* is no server's address, 429 or 503 if no worker makes it.
        """
        followed = contests.followed(job)

        def order() -> dict[str, Any]:
            contest = followed.look()
            names, codes = contest.names(), followed.codes().items()
            lines = [(each, names[each], hand_in_link(origin, code)) for each, code in codes]
            return {"title": contest.plan.title, "lines": lines, "language": language}

        task = Task("links", await to_thread(order))  # a QR code takes milliseconds
        return HTMLResponse((await worker_response(request, queue, task)).body)


def _results(api: FastAPI, contests: Contests, common: dict[str, Any]) -> None:
    """Add the routes of games and marks of contests; *common* are arguments of all routes."""

    @api.get("/v1/class/{name}/games", **common)
    def games(
        job: Annotated[BackgroundJob, Depends(contests.job)],
        one: Annotated[str, Query(max_length=1000)] = "",
        other: Annotated[str, Query(max_length=1000)] = "",
        after: Annotated[int, Query(ge=0, le=10**7)] = 0,
    ) -> ContestGames:
        """Return one page of the games, by number: those after the first *after*.

        Listed are the games in which both *one* and *other* take part: players as the standings
        name them (``NUMBER vVERSION``), or specs of house bots; empty: any. Status 403 if the
        client is not the owner, 404 if there is no such contest, 422 if a file of it is invalid.
        """
        contest = contests.followed(job).look()
        wanted = {one, other} - {""}
        found = [
            (number, game)
            for number, game in enumerate(contest.games)
            if wanted.issubset(game.players)
        ]
        page = found[after : after + PAGE_GAMES]
        return ContestGames(
            total=len(found), games=[game_facts(contest, number, game) for number, game in page]
        )

    @api.get("/v1/class/{name}/marks", **common)
    def marks(
        job: Annotated[BackgroundJob, Depends(contests.job)], language: Language = "en"
    ) -> MarksPage:
        """Return the marks and the look-alikes; both lists are empty before the contest is judged.

        Status 403 if the client is not the owner, 404 if there is no such contest, 422 if a file of
        it is invalid.
        """
        return marks_page(contests.followed(job), language)

    @api.get(
        "/v1/class/{name}/files/marks.csv",
        response_class=Response,
        responses=file_answers("csv"),
        **common,
    )
    def marks_file(
        job: Annotated[BackgroundJob, Depends(contests.job)], language: Language = "en"
    ) -> Response:
        """Return the marks as a CSV file.

        Status 403 if the client is not the owner, 404 if there is no such contest or it was not
        judged yet, 422 if a file of it is invalid.
        """
        followed = contests.followed(job)
        truth = followed.truth()
        if truth is None:
            raise Refused(404, "class.not_judged")
        text = marks_csv(followed.look(), truth, language)
        return download(text, f"papan-{job.id}-marks.csv")
