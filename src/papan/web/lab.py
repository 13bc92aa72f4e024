"""The laboratory in the API: papers, their results as files, and runs in the background."""

import asyncio
import shutil
from base64 import b64decode
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Query, Request, Response
from fastapi import Path as Place
from starlette.exceptions import HTTPException

from papan.papers import chosen
from papan.papers.paper import Paper
from papan.papers.run import Run, runs_folder
from papan.web.answers import BODY, as_file, download, refusals
from papan.web.jobs import NAME, Job, Jobs
from papan.web.models import Language
from papan.web.owner import Owner
from papan.web.papers import PaperFacts, PaperJob, PaperOrder, PaperPage, facts, page
from papan.web.searches import answer
from papan.web.workers import Call, Pool

NUMBER = "^[0-9]{3}$"
RUN = "^(quick|full)-(0|-?[1-9][0-9]{0,17})$"
FILES = ("csv", "tex", "json", "html", "pdf", "svg")
FILE = rf"^[a-z0-9_]{{1,40}}\.({'|'.join(FILES)})$"
Number = Annotated[str, Place(pattern=NUMBER)]
JobName = Annotated[str, Place(pattern=NAME)]
RunName = Annotated[str | None, Query(pattern=RUN)]


def add_lab(api: FastAPI, jobs: Jobs, pool: Pool, owner: Owner) -> None:
    """Add the routes of papers to *api*."""
    folder = runs_folder(jobs.settings.data)
    _papers(api, jobs, folder, owner)
    _files(api, pool, folder)
    _begin(api, jobs, folder, owner)
    _steer(api, jobs, owner)


def _papers(api: FastAPI, jobs: Jobs, folder: Path, owner: Owner) -> None:
    @api.get("/v1/papers", tags=["lab"])
    async def papers() -> list[PaperFacts]:
        """The papers, and what is kept of each."""
        return [
            await asyncio.to_thread(facts, paper, folder, jobs_of(jobs, paper))
            for paper in chosen(["all"])
        ]

    @api.get("/v1/papers/{number}", tags=["lab"], responses=refusals(404, 422))
    async def one(
        request: Request, number: Number, language: Language = "en", run: RunName = None
    ) -> PaperPage:
        """A paper's claims beside what a run found: the newest, unless another one is named."""
        (paper,) = chosen([number])
        known = jobs_of(jobs, paper)
        found = await asyncio.to_thread(page, paper, folder, known, run, language)
        if found is None:
            raise HTTPException(404)
        found.yours = owner.asks(request)
        return found


def _files(api: FastAPI, pool: Pool, folder: Path) -> None:
    @api.get(
        "/v1/papers/{number}/files/{name}",
        tags=["lab"],
        responses=refusals(404, 422, 503) | as_file(*FILES),
        response_class=Response,
    )
    async def file(
        request: Request,
        number: Number,
        name: Annotated[str, Place(pattern=FILE)],
        language: Language = "en",
        run: RunName = None,
    ) -> Response:
        """A table, a figure or the whole report of a run as a file."""
        chosen([number])  # raises where there is no such paper
        wanted = {"paper": (number, run), "name": name, "language": language}
        call = Call("paper_file", {"folder": str(folder), **wanted})
        found = await answer(request, pool, call)
        return download(b64decode(found.body), f"{number}-{name}")


def _begin(api: FastAPI, jobs: Jobs, folder: Path, owner: Owner) -> None:
    @api.get("/v1/papers/{number}/jobs", tags=["lab"], responses=refusals(404, 422))
    async def listed(number: Number) -> list[PaperJob]:
        """The runs of a paper that this server carries out, and how far they are."""
        return jobs_of(jobs, chosen([number])[0])

    @api.post(
        "/v1/papers/{number}/jobs",
        tags=["lab"],
        status_code=201,
        responses=BODY | refusals(404, 503),
        dependencies=[Depends(owner)],
    )
    async def begin(number: Number, order: PaperOrder) -> PaperJob:
        """Run what is missing of a paper; where nothing is missing, all of it anew."""
        (paper,) = chosen([number])
        wanted = {"paper": number, **order.model_dump()}
        for job in jobs.all("lab"):
            if job.order["paper"] == number and job.state in ("done", "failed"):
                await jobs.delete(job)
            elif job.order == wanted:
                jobs.go_on(job)
                return paper_job(jobs, paper, job)
        run = Run(paper, order.size, order.seed, folder)
        return paper_job(
            jobs, paper, jobs.add("lab", wanted, lambda place: _take_along(run, place))
        )


def _steer(api: FastAPI, jobs: Jobs, owner: Owner) -> None:
    def known(number: Number, name: JobName) -> Job:
        job = jobs.find("lab", name)
        if job is None or job.order["paper"] != number:
            raise HTTPException(404)
        return job

    facts: dict[str, Any] = {
        "tags": ["lab"],
        "status_code": 204,
        "responses": refusals(404, 422, 503),
        "dependencies": [Depends(owner)],
    }

    @api.post("/v1/papers/{number}/jobs/{name}/pause", **facts)
    async def pause(job: Annotated[Job, Depends(known)]) -> None:
        """Stop a run; what is measured is kept."""
        await jobs.pause(job)

    @api.post("/v1/papers/{number}/jobs/{name}/go-on", **facts)
    async def go_on(job: Annotated[Job, Depends(known)]) -> None:
        """Let a run go on with what is missing."""
        jobs.go_on(job)

    @api.delete("/v1/papers/{number}/jobs/{name}", **facts)
    async def forget(job: Annotated[Job, Depends(known)]) -> None:
        """Stop a run and forget what it has measured; older results stay."""
        await jobs.delete(job)


def jobs_of(jobs: Jobs, paper: Paper) -> list[PaperJob]:
    """The runs of a paper that the server carries out, the newest first."""
    return [
        paper_job(jobs, paper, job)
        for job in jobs.all("lab")
        if job.order["paper"] == paper.number and job.state != "done"
    ]


def paper_job(jobs: Jobs, paper: Paper, job: Job) -> PaperJob:
    """A job as a page shows it."""
    run = Run(paper, job.order["size"], job.order["seed"], jobs.folder(job))
    return PaperJob(
        name=run.name,
        size=run.size,
        seed=run.seed,
        done=run.done(),
        id=job.id,
        state=job.state,
        why=job.why,
    )


def _take_along(run: Run, place: Path) -> None:
    """Put what an unfinished run has measured, in a terminal perhaps, where the job goes on."""
    if 0 < run.done() < 1:
        shutil.copyfile(run.path, place / run.path.name)
