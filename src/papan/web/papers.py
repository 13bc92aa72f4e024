"""Papers in the API: what each claims and what we found, their files, and runs to start."""

import asyncio
import shutil
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, get_args

from fastapi import Depends, FastAPI, Query, Request, Response
from fastapi import Path as Place
from pydantic import BaseModel

from papan.core.message import Message
from papan.lab.machine import cores
from papan.lab.results import Chart, ReportTable, Verdict, is_number, numbers, show
from papan.papers import chart_place, chosen, exhibits, finding_place, row_places
from papan.papers.paper import (
    Paper,
    Report,
    Run,
    Size,
    Stage,
    reference,
    runs_folder,
    saved_runs,
)
from papan.papers.paper import (
    Place as Printed,
)
from papan.papers.report import conclusion, contents
from papan.web.jobs import Job, Jobs, State
from papan.web.owner import Owner
from papan.web.searches import answer
from papan.web.wire import Facts, Language, Refused, Seed, Strict, as_file, download
from papan.web.workers import Pool, Task


class PaperOrder(Strict):
    """A run to be carried out."""

    size: Size = "quick"
    seed: Seed = 0


class SavedRun(Facts):
    """What is kept of a run, wherever it was started; *done* goes from 0 to 1."""

    name: str
    size: Size
    seed: int
    done: float


class PaperJob(SavedRun):
    """A run that this server carries out."""

    id: str
    state: State
    why: Message | None


class PaperFacts(Facts):
    """A paper to choose."""

    number: str
    game: str
    title: str
    authors: str
    affiliation: str
    year: int
    course: list[Stage]
    """The way to its experiment."""
    runs: list[SavedRun]
    jobs: list[PaperJob]


class Claim(BaseModel):
    """The paper in its own words, and translated."""

    original: str
    english: str


class Amount(BaseModel):
    """How thoroughly a paper can be run, and about how many seconds that takes here."""

    size: Size
    seconds: float


class Opened(Facts):
    """A position that a line of the page opens: who thinks there, or the two who play."""

    start: str
    game: str
    moves: str
    then: str
    agents: list[str]


class Compared(BaseModel):
    """One line of the comparison."""

    what: str
    paper: str
    ours: str
    reference: str | None
    """What our own run found, beside another one."""
    agrees: Verdict
    basis: str
    """By which test and from how many observations, or why there is no verdict."""
    place: Opened


class Sheet(BaseModel):
    """A table in words; *numbers* says which columns are set to the right."""

    name: str
    title: str
    headings: list[str]
    rows: list[list[str]]
    numbers: list[bool]
    places: list[Opened]
    """What each row opens."""


class Points(BaseModel):
    """One series of a figure, as text."""

    label: str
    text: str


class Plot(BaseModel):
    """A figure: the file NAME.svg draws it."""

    name: str
    title: str
    series: list[Points]
    place: Opened


class Found(Facts):
    """What a finished run led to, and everything needed to do the same again."""

    name: str
    reference: bool
    """Whether it came with papan, instead of from a run on this machine."""
    size: Size
    seed: int
    began: str
    cpu: float | None
    """Seconds of the processor; unknown for runs of earlier versions."""
    machine: dict[str, str]
    command: str
    tables: list[Sheet]
    plots: list[Plot]
    files: list[str]


class PaperPage(PaperFacts):
    """A paper, and the run that was asked for, or the newest that is finished, or our own."""

    abstract: str
    errata: list[str]
    exhibits: list[Sheet]
    """What the paper itself prints, each row a position."""
    claims: list[Claim]
    recipe: str
    conclusion: list[tuple[str, str]]
    """What follows from this run, in words: each part with its heading."""
    remarks: list[str]
    amounts: list[Amount]
    comparison: list[Compared]
    found: Found
    yours: bool
    """Whether whoever asks may start a run."""


def facts(paper: Paper, folder: Path, jobs: list[PaperJob]) -> PaperFacts:
    """A paper in a list."""
    runs = [SavedRun.of(run, done=run.done()) for run in saved_runs(folder, paper)]
    return PaperFacts.of(paper, runs=runs, jobs=jobs)


def page(
    paper: Paper, folder: Path, jobs: list[PaperJob], run: str | None, language: Language
) -> PaperPage:
    """Everything about a paper; raises where the *run* that was asked for is not there."""
    report = newest(paper, folder, run)
    if report is None:
        raise Refused(404, "web.no_run", name=run, paper=paper.number)
    ours = {} if report.reference else _values(reference(paper, folder), language)
    return PaperPage.of(
        facts(paper, folder, jobs),
        abstract=show(paper.abstract, language),
        errata=[show(each, language) for each in paper.errata],
        exhibits=[_sheet(each.table, each.places, language) for each in exhibits(paper.number)],
        claims=[
            Claim(original=show(each, "id"), english=show(each, "en")) for each in paper.claims
        ],
        recipe=show(paper.recipe, language),
        conclusion=[*conclusion(report, language)],
        remarks=[show(each, language) for each in paper.remarks],
        amounts=[Amount(size=size, seconds=seconds(paper, size)) for size in get_args(Size)],
        comparison=[
            Compared(
                what=show(each.what, language),
                paper=show(each.paper, language),
                ours=show(each.ours, language),
                reference=ours.get(show(each.what, language)),
                agrees=each.agrees,
                basis="" if each.basis is None else show(each.basis, language),
                place=opened(finding_place(paper.number, each)),
            )
            for each in report.conclusions.findings
        ],
        found=_found(report, language),
        yours=False,
    )


def seconds(paper: Paper, size: Size) -> float:
    """How long a run takes here, about: units weigh a second of one core."""
    return sum(item.weight for item in paper.items(size, 0)) / cores()


def _values(report: Report, language: Language) -> dict[str, str]:
    """What a run found, by what it is."""
    findings = report.conclusions.findings
    return {show(each.what, language): show(each.ours, language) for each in findings}


def newest(paper: Paper, folder: Path, name: str | None) -> Report | None:
    """The newest finished run, or the one of that name; where there is none yet, our own."""
    for run in saved_runs(folder, paper):
        if name in (None, run.name) and run.done() == 1:
            changed = run.path.stat().st_mtime_ns
            return _report(paper.number, run.size, run.seed, folder, changed)
    return reference(paper, folder) if name in (None, "reference") else None


@lru_cache(16)
def _report(number: str, size: Size, seed: int, folder: Path, changed: int) -> Report:
    """What a run led to, remembered until its file is *changed*: conclusions take a moment."""
    return Run(numbered(number), size, seed, folder).report()


def _found(report: Report, language: Language) -> Found:
    run, number = report.run, report.run.paper.number
    return Found.of(
        report,
        size=run.size,
        seed=run.seed,
        cpu=report.log.cpu,
        command=run.command,
        tables=[
            _sheet(each, row_places(number, each), language) for each in report.conclusions.tables
        ],
        plots=[_plot(each, number, language) for each in report.conclusions.charts],
        files=contents(report),
    )


def opened(place: Printed) -> Opened:
    """A place as a page opens it."""
    return Opened.of(place, game=place.start.partition(" ")[0])


def _sheet(table: ReportTable, places: Sequence[Printed], language: Language) -> Sheet:
    return Sheet(
        name=table.name,
        title=show(table.title, language),
        headings=[show(each, language) for each in table.headings],
        rows=[[show(cell, language) for cell in row] for row in table.rows],
        numbers=[is_number(table, column) for column in range(len(table.headings))],
        places=[opened(each) for each in places],
    )


def _plot(chart: Chart, number: str, language: Language) -> Plot:
    series = [Points(label=label, text=text) for label, text in numbers(chart, language)]
    place = opened(chart_place(number, chart))
    return Plot(name=chart.name, title=show(chart.title, language), series=series, place=place)


RUN = "^(reference|(quick|full)-(0|-?[1-9][0-9]{0,17}))$"
FILES = ("csv", "tex", "json", "html", "pdf", "svg")
FILE = rf"^[a-z0-9_]{{1,40}}\.({'|'.join(FILES)})$"
RunName = Annotated[str | None, Query(pattern=RUN)]


def numbered(number: Annotated[str, Place(max_length=20)]) -> Paper:
    """The paper of that number."""
    papers = {paper.number: paper for paper in chosen(["all"])}
    if number not in papers:
        raise Refused(404, "lab.unknown_paper", name=number, known=", ".join(papers))
    return papers[number]


Numbered = Annotated[Paper, Depends(numbered)]


def add_lab(api: FastAPI, jobs: Jobs, pool: Pool, owner: Owner) -> None:
    """Add the routes of papers to *api*."""
    folder = runs_folder(jobs.settings.data)
    _reading(api, jobs, pool, folder, owner)
    _running(api, jobs, folder, owner)


def _reading(api: FastAPI, jobs: Jobs, pool: Pool, folder: Path, owner: Owner) -> None:
    @api.get("/v1/papers", tags=["lab"])
    async def papers() -> list[PaperFacts]:
        """The papers, and what is kept of each."""
        return [
            await asyncio.to_thread(facts, paper, folder, jobs_of(jobs, paper))
            for paper in chosen(["all"])
        ]

    @api.get("/v1/papers/{number}", tags=["lab"])
    async def one(
        request: Request, paper: Numbered, language: Language = "en", run: RunName = None
    ) -> PaperPage:
        """A paper's claims beside what a run found: the newest, unless another one is named."""
        known = jobs_of(jobs, paper)
        found = await asyncio.to_thread(page, paper, folder, known, run, language)
        found.yours = owner.asks(request)
        return found

    @api.get("/v1/papers/{number}/jobs", tags=["lab"])
    async def listed(paper: Numbered) -> list[PaperJob]:
        """The runs of a paper that this server carries out, and how far they are."""
        return jobs_of(jobs, paper)

    @api.get(
        "/v1/papers/{number}/files/{name}",
        tags=["lab"],
        responses=as_file(*FILES),
        response_class=Response,
    )
    async def file(
        request: Request,
        paper: Numbered,
        name: Annotated[str, Place(pattern=FILE)],
        language: Language = "en",
        run: RunName = None,
    ) -> Response:
        """A table, a figure or the whole report of a run as a file."""
        wanted = {"paper": (paper.number, run), "name": name, "language": language}
        task = Task("paper_file", {"folder": str(folder), **wanted})
        found = await answer(request, pool, task)
        return download(found.body, f"{paper.number}-{name}")


def _running(api: FastAPI, jobs: Jobs, folder: Path, owner: Owner) -> None:
    steering: dict[str, Any] = {"tags": ["lab"], "dependencies": [Depends(owner)]}

    def known(paper: Numbered, name: str) -> Job:
        job = jobs.find("lab", name)
        if job is None or job.order["paper"] != paper.number:
            raise Refused(404, "web.no_run", name=name, paper=paper.number)
        return job

    @api.post("/v1/papers/{number}/jobs", status_code=201, **steering)
    async def begin(paper: Numbered, order: PaperOrder) -> PaperJob:
        """Run what is missing of a paper; where nothing is missing, all of it anew."""
        wanted = {"paper": paper.number, **order.model_dump()}
        for job in jobs.all("lab"):
            if job.order["paper"] == paper.number and job.state in ("done", "failed"):
                await jobs.delete(job)
            elif job.order == wanted:
                jobs.go_on(job)
                return paper_job(jobs, paper, job)
        run = Run(paper, order.size, order.seed, folder)
        added = jobs.add("lab", wanted, lambda place: _take_along(run, place))
        return paper_job(jobs, paper, added)

    @api.post("/v1/papers/{number}/jobs/{name}/pause", status_code=204, **steering)
    async def pause(job: Annotated[Job, Depends(known)]) -> None:
        """Stop a run; what is measured is kept."""
        await jobs.pause(job)

    @api.post("/v1/papers/{number}/jobs/{name}/go-on", status_code=204, **steering)
    async def go_on(job: Annotated[Job, Depends(known)]) -> None:
        """Let a run go on with what is missing."""
        jobs.go_on(job)

    @api.delete("/v1/papers/{number}/jobs/{name}", status_code=204, **steering)
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
    return PaperJob.of(run, done=run.done(), id=job.id, state=job.state, why=job.why)


def _take_along(run: Run, place: Path) -> None:
    """Put what an unfinished run has measured, in a terminal perhaps, where the job goes on."""
    if 0 < run.done() < 1:
        shutil.copyfile(run.path, place / run.path.name)
