"""Routes of papers: their claims, results of runs, files of results, and runs to start."""

import asyncio
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

from fastapi import Depends, FastAPI, Query, Request, Response
from fastapi import Path as PathField
from pydantic import BaseModel

from papan.core.message import Message
from papan.lab.machine import cores
from papan.lab.results import (
    Cell,
    Chart,
    FindingVerdict,
    ReportTable,
    cell_text,
    has_numbers_only,
    numbers,
)
from papan.papers import chart_place, chosen_papers, exhibits, finding_place, row_places
from papan.papers.paper import (
    Flowchart,
    FlowKind,
    Paper,
    PaperPosition,
    Report,
    Run,
    Size,
    Stage,
    finished_report,
    reference,
    runs_folder,
    saved_runs,
)
from papan.papers.report import conclusion, contents
from papan.web.jobs import BackgroundJob, JobQueue, JobState
from papan.web.owner import Owner
from papan.web.request_work import worker_response
from papan.web.search_queue import SearchQueue
from papan.web.wire import (
    Facts,
    Language,
    Refused,
    SeedNumber,
    Strict,
    download,
    file_answers,
)
from papan.web.worker_protocol import Task


class PaperOrder(Strict):
    """Order to start a run of a paper's experiment."""

    size: Size = "quick"
    """``quick`` (a small sample, in about a minute) or ``full``."""
    seed: SeedNumber = 0
    """The number that the experiment's randomness is drawn from."""


class SavedRun(Facts):
    """A stored run of a paper, started here or in a terminal."""

    name: str
    """``SIZE-SEED``, such as ``quick-1``."""
    size: Size
    """``quick`` or ``full``."""
    seed: int
    """The number that its randomness is drawn from."""
    done: float
    """Share that is measured, 0 to 1."""


class PaperJob(SavedRun):
    """A run that is a job of this server."""

    id: str
    """The id of the job."""
    state: JobState
    """``waiting``, ``running``, ``paused``, ``done`` or ``failed``."""
    why: Message | None
    """Why it failed; null if it has not."""


class PaperFacts(Facts):
    """A paper in the list, with its stored runs and its unfinished jobs."""

    number: str
    """Three digits, such as ``004``."""
    game: str
    """The name of the game that it is about."""
    title: str
    """Its title, in its own language."""
    authors: str
    affiliation: str
    """The institution of its authors."""
    year: int
    language: str
    """Language of its text: ``id`` or ``en``."""
    course: list[Stage]
    """The stages of the course that leads to its experiment, each with the address of a page."""
    runs: list[SavedRun]
    """Its stored runs, the newest first."""
    jobs: list[PaperJob]
    """Its runs that are jobs of this server and not done, the newest first."""


class ClaimFacts(BaseModel):
    """A claim of the paper."""

    original: str
    """The claim in the paper's own words and language."""
    english: str | None
    """The same in English; null if those words are English."""


class ProgramFacts(BaseModel):
    """What the authors' program can do, and how to do the same here."""

    text: str
    """What it does, as a sentence."""
    address: str
    """Path of the page here that does the same."""
    command: str
    """The command that does it in a terminal."""


class FlowBox(BaseModel):
    """A box of a flowchart: ``begin``, ``step``, ``choice`` or ``end``, and its text."""

    kind: FlowKind
    text: str


class FlowFacts(BaseModel):
    """A flowchart of the paper, its boxes in order."""

    title: str
    boxes: list[FlowBox]


class RunCost(BaseModel):
    """The estimated time of a run of one size on this machine."""

    size: Size
    """``quick`` or ``full``."""
    seconds: float
    """Seconds by the clock, on all cores."""


class PlaceFacts(Facts):
    """A position of a paper to open on the board."""

    start: str
    """The start of the game: a spec or the text of a position."""
    game: str
    """The spec of the game."""
    moves: str
    """Names of the moves made, with spaces."""
    then: str
    """Names of moves still to come, with spaces; empty for none."""
    agents: list[str]
    """Specs of one agent that analyses the position, or of two that play on; or none."""


class FindingFacts(BaseModel):
    """One line of the comparison of a paper with a run: both values, and whether they agree."""

    what: str
    """The quantity, for people."""
    paper: str
    """The value that the paper prints."""
    ours: str
    """The value of the run."""
    reference: str | None
    """The value of the reference run; null if this is the reference run."""
    agrees: FindingVerdict
    """Whether they agree: ``yes`` or ``no``; ``open``: too few observations, ``incomparable``: we
    measure something else, ``quoted``: not tested, ``none``: nothing is claimed.
    """
    basis: str
    """Test and number of observations behind the verdict; or why there is none."""
    rule: str
    """Rule that decides between the verdicts yes and no; empty where nothing is decided."""
    place: PlaceFacts
    """A position that shows it."""


class TableFacts(BaseModel):
    """A table of a report, its texts in one language."""

    name: str
    """The name of its files, without the extension."""
    title: str
    headings: list[str]
    """The heading of each column."""
    rows: list[list[str]]
    """The text of each cell, row by row."""
    numbers: list[bool]
    """For each column, whether it has numbers and is right-aligned."""
    places: list[PlaceFacts]
    """The position that each row opens; empty if rows open none."""


class SeriesFacts(BaseModel):
    """One series of a figure."""

    label: str
    """Its name in the legend."""
    text: str
    """Its points, such as ``1: 0.5; 2: 0.75``, for readers who do not see the figure."""


class FigureFacts(BaseModel):
    """A figure of a report: its numbers as text; the file NAME.svg draws it."""

    name: str
    """The name of its file, without the extension."""
    title: str
    series: list[SeriesFacts]
    """Its series in order; they are its text for readers who do not see it."""
    place: PlaceFacts
    """A position that shows it."""


class RunResult(Facts):
    """The results of a finished run of a paper."""

    name: str
    """``reference``, or ``SIZE-SEED``."""
    reference: bool
    """True for the run that comes with papan."""
    size: Size
    """``quick`` or ``full``."""
    seed: int
    """The number that its randomness is drawn from."""
    began: str
    """Time at which it started: ISO 8601 in UTC."""
    cpu: float | None
    """Processor seconds of all cores together; null for runs of earlier versions."""
    machine: dict[str, str]
    """Facts about the machine that measured, by name."""
    command: str
    """The command that repeats the run in a terminal."""
    tables: list[TableFacts]
    """The tables of the report, in order."""
    plots: list[FigureFacts]
    """The figures."""
    files: list[str]
    """Names of the files that can be downloaded, such as ``report.html``."""


class PaperPage(PaperFacts):
    """A paper with its claims beside one run: that asked for, else the newest finished one, else
    the reference.
    """

    abstract: str
    """A summary in our own words."""
    errata: list[str]
    """Slips of the paper or its authors' program, each with its source."""
    exhibits: list[TableFacts]
    """Tables and games that the paper prints; each row opens a position."""
    claims: list[ClaimFacts]
    """What the paper claims."""
    recipe: str
    """What the experiment does, as a sentence."""
    conclusion: list[tuple[str, str]]
    """The conclusion from this run in words: pairs of a heading and its paragraph."""
    remarks: list[str]
    """Where our experiment differs from the paper's, and why."""
    choices: list[str]
    """What the paper leaves open: our choice, and what the others would give."""
    programs: list[ProgramFacts]
    """What the authors' program can do."""
    flows: list[FlowFacts]
    """The flowcharts that the paper prints."""
    listing: str
    """The authors' program in our own words, as Python; empty if there is none."""
    amounts: list[RunCost]
    """How long a run of each size takes."""
    comparison: list[FindingFacts]
    """What the paper found, beside what the run found, line by line."""
    found: RunResult
    """The results of the run."""
    yours: bool
    """True if the client may start a run: only the owner may."""


def paper_facts(paper: Paper, folder: Path, jobs: list[PaperJob]) -> PaperFacts:
    """Return a paper's entry in the list, with the runs stored in *folder* (the latest written
    first) and its *jobs*.

    Raise PapanError if the file of a run is no regular file.
    """
    runs = [SavedRun.of(run, done=run.done()) for run in saved_runs(folder, paper)]
    return PaperFacts.of(paper, runs=runs, jobs=jobs)


def paper_page(
    paper: Paper, folder: Path, jobs: list[PaperJob], run: str | None, language: Language
) -> PaperPage:
    """Return the page of a paper beside *run*, such as ``quick-1``; None: the newest finished, else
    the reference.

    *folder* has the stored runs; *jobs* are those of the paper. The field *yours* of the page is
    False. Raise Refused (404) if that run does not exist or is not finished, InvalidRecordError if
    it is damaged.
    """
    report = finished_report(paper, folder, run)
    if report is None:
        raise Refused(404, "web.no_run", name=run, paper=paper.number)

    def texts(cells: Iterable[Cell]) -> list[str]:
        return [cell_text(each, language) for each in cells]

    return PaperPage.of(
        paper_facts(paper, folder, jobs),
        abstract=cell_text(paper.abstract, language),
        errata=texts(paper.errata),
        exhibits=[
            _table_facts(each.table, each.places, language) for each in exhibits(paper.number)
        ],
        claims=[
            ClaimFacts(
                original=cell_text(each, paper.language),
                english=None if paper.language == "en" else cell_text(each, "en"),
            )
            for each in paper.claims
        ],
        recipe=cell_text(paper.recipe, language),
        conclusion=[*conclusion(report, language)],
        remarks=texts(paper.remarks),
        choices=texts(paper.choices),
        programs=[
            ProgramFacts(
                text=cell_text(each.text, language), address=each.address, command=each.command
            )
            for each in paper.programs
        ],
        flows=[_flow_facts(each, language) for each in paper.flows],
        listing=paper.listing,
        amounts=[RunCost(size=size, seconds=seconds(paper, size)) for size in get_args(Size)],
        comparison=_comparison(
            report, None if report.reference else reference(paper, folder), language
        ),
        found=_run_result(report, language),
        yours=False,
    )


def _flow_facts(flow: Flowchart, language: Language) -> FlowFacts:
    boxes = [FlowBox(kind=kind, text=cell_text(text, language)) for kind, text in flow.boxes]
    return FlowFacts(title=cell_text(flow.title, language), boxes=boxes)


def seconds(paper: Paper, size: Size) -> float:
    """Return the estimated seconds by the clock of a whole run of *size* on all cores of this
    machine.
    """
    return sum(item.weight for item in paper.items(size, 0)) / cores()


def _values(report: Report, language: Language) -> dict[str, str]:
    """Return what a run found: the text of each value by the text of its quantity, both in
    *language*.
    """
    findings = report.conclusions.findings
    return {cell_text(each.what, language): cell_text(each.ours, language) for each in findings}


def _comparison(report: Report, shipped: Report | None, language: Language) -> list[FindingFacts]:
    """Return each finding of a run beside the values of the paper and of *shipped*, the reference
    run.

    *shipped* is None if this is the reference run; then, and for a finding that *shipped* lacks,
    the value of the reference is None.
    """
    number = report.run.paper.number
    values = _values(shipped, language) if shipped else {}
    return [
        FindingFacts(
            what=cell_text(each.what, language),
            paper=cell_text(each.paper, language),
            ours=cell_text(each.ours, language),
            reference=values.get(cell_text(each.what, language)),
            agrees=each.agrees,
            basis="" if each.basis is None else cell_text(each.basis, language),
            rule="" if each.rule is None else cell_text(each.rule, language),
            place=place_facts(finding_place(number, each)),
        )
        for each in report.conclusions.findings
    ]


def _run_result(report: Report, language: Language) -> RunResult:
    """Return the results of the run of *report*, with texts in *language*."""
    run, number = report.run, report.run.paper.number
    return RunResult.of(
        report,
        size=run.size,
        seed=run.seed,
        cpu=report.log.cpu,
        command=run.command,
        tables=[
            _table_facts(each, row_places(number, each), language)
            for each in report.conclusions.tables
        ],
        plots=[_figure_facts(each, number, language) for each in report.conclusions.charts],
        files=contents(report),
    )


def place_facts(place: PaperPosition) -> PlaceFacts:
    """Return a position of a paper in the form in which a page opens it."""
    return PlaceFacts.of(place, game=place.start.partition(" ")[0])


def _table_facts(
    table: ReportTable, places: Sequence[PaperPosition], language: Language
) -> TableFacts:
    """Return *table* with texts in *language*; *places* has the position that each row opens, or
    none.
    """
    return TableFacts(
        name=table.name,
        title=cell_text(table.title, language),
        headings=[cell_text(each, language) for each in table.headings],
        rows=[[cell_text(cell, language) for cell in row] for row in table.rows],
        numbers=[has_numbers_only(table, column) for column in range(len(table.headings))],
        places=[place_facts(each) for each in places],
    )


def _figure_facts(chart: Chart, number: str, language: Language) -> FigureFacts:
    """Return *chart* of the paper *number* with texts in *language*."""
    series = [SeriesFacts(label=label, text=text) for label, text in numbers(chart, language)]
    place = place_facts(chart_place(number, chart))
    return FigureFacts(
        name=chart.name, title=cell_text(chart.title, language), series=series, place=place
    )


RUN_NAME = "^(reference|(quick|full)-(0|-?[1-9][0-9]{0,17}))$"
FILE_TYPES = ("csv", "md", "json", "html", "svg")
FILE_NAME = rf"^[a-z0-9_]{{1,40}}\.({'|'.join(FILE_TYPES)})$"
RunName = Annotated[str | None, Query(pattern=RUN_NAME)]


def numbered_paper(number: Annotated[str, PathField(max_length=20)]) -> Paper:
    """Return the paper with a *number* such as ``004``; raise Refused (404) if there is none."""
    papers = {paper.number: paper for paper in chosen_papers(["all"])}
    if number not in papers:
        raise Refused(404, "lab.unknown_paper", name=number, known=", ".join(papers))
    return papers[number]


Numbered = Annotated[Paper, Depends(numbered_paper)]


def add_lab(api: FastAPI, jobs: JobQueue, queue: SearchQueue, owner: Owner) -> None:
    """Add the routes of papers and their runs to *api*; only *owner* may start or change a run.

    Runs become jobs of *jobs*; workers of *queue* make files of results.
    """
    folder = runs_folder(jobs.settings.data)
    _reading(api, jobs, queue, folder, owner)
    _running(api, jobs, folder, owner)


def _reading(api: FastAPI, jobs: JobQueue, queue: SearchQueue, folder: Path, owner: Owner) -> None:
    """Add the routes that read papers, results and files; *folder* is that of the runs."""

    @api.get("/v1/papers", tags=["lab"])
    async def papers() -> list[PaperFacts]:
        """Return all papers by number, with their stored runs and unfinished jobs."""
        return [
            await asyncio.to_thread(paper_facts, paper, folder, jobs_of(jobs, paper))
            for paper in chosen_papers(["all"])
        ]

    @api.get("/v1/papers/{number}", tags=["lab"])
    async def one(
        request: Request, paper: Numbered, language: Language = "en", run: RunName = None
    ) -> PaperPage:
        """Return a paper's claims beside the results of a run.

        If none is named, it is the newest finished one, else the reference run. Status 404 if there
        is no such paper, or no finished run of that name, 422 if the file of the run is damaged.
        """
        known = jobs_of(jobs, paper)
        page = await asyncio.to_thread(paper_page, paper, folder, known, run, language)
        page.yours = owner.asks(request)
        return page

    @api.get("/v1/papers/{number}/jobs", tags=["lab"])
    async def listed(paper: Numbered) -> list[PaperJob]:
        """Return the runs of a paper that are jobs of this server and not done; 404 if there is no
        such paper.
        """
        return jobs_of(jobs, paper)

    @api.get(
        "/v1/papers/{number}/files/{name}",
        tags=["lab"],
        responses=file_answers(*FILE_TYPES),
        response_class=Response,
    )
    async def file(
        request: Request,
        paper: Numbered,
        name: Annotated[str, PathField(pattern=FILE_NAME)],
        language: Language = "en",
        run: RunName = None,
    ) -> Response:
        """Return a table, a figure or the whole report of a run as a file, texts in *language*.

        *name* is such as ``report.html``, *run* such as ``quick-1`` (missing: the newest finished
        run, else the reference). Status 404 if there is no such file, finished run or paper, 422 if
        the file of the run is damaged, 429 or 503 if no worker makes it.
        """
        wanted = {"paper": (paper.number, run), "name": name, "language": language}
        task = Task("paper_file", {"folder": str(folder), **wanted})
        content = await worker_response(request, queue, task)
        return download(content.body, f"{paper.number}-{name}")


def _running(api: FastAPI, jobs: JobQueue, folder: Path, owner: Owner) -> None:
    """Add the routes that start and change runs, for *owner* only; *folder* is that of the runs."""
    steering: dict[str, Any] = {"tags": ["lab"], "dependencies": [Depends(owner)]}

    def known(paper: Numbered, name: str) -> BackgroundJob:
        job = jobs.find("lab", name)
        if job is None or job.order["paper"] != paper.number:
            raise Refused(404, "web.no_run", name=name, paper=paper.number)
        return job

    @api.post("/v1/papers/{number}/jobs", status_code=201, **steering)
    async def begin(paper: Numbered, order: PaperOrder) -> PaperJob:
        """Start a run, or continue the unfinished one of the same size and seed; return it with
        status 201.

        A finished one starts anew. Jobs of this paper that are done or have failed, whatever their
        size and seed, are deleted: to keep what a failed one has measured, continue it instead.
        Status 403 if the client is not the owner, 404 if there is no such paper, 503 if the queue
        is full or a folder cannot be written.
        """
        wanted = {"paper": paper.number, **order.model_dump()}
        for job in jobs.all("lab"):
            if job.order["paper"] == paper.number and job.state in ("done", "failed"):
                await jobs.delete(job)
        same = next((each for each in jobs.all("lab") if each.order == wanted), None)
        if same is not None:
            jobs.resume(same)
            return paper_job(jobs, paper, same)
        run = Run(paper, order.size, order.seed, folder)
        added = jobs.add("lab", wanted, lambda place: _copy_measurements(run, place))
        return paper_job(jobs, paper, added)

    @api.post("/v1/papers/{number}/jobs/{name}/pause", status_code=204, **steering)
    async def pause(job: Annotated[BackgroundJob, Depends(known)]) -> None:
        """Pause a run; its measurements stay.

        Status 403 if the client is not the owner, 404 if there is none, 503 if its folder cannot be
        written.
        """
        await jobs.pause(job)

    @api.post("/v1/papers/{number}/jobs/{name}/go-on", status_code=204, **steering)
    async def go_on(job: Annotated[BackgroundJob, Depends(known)]) -> None:
        """Continue a paused or failed run; in any other state it stays as it is.

        Status 403 if the client is not the owner, 404 if there is none, 503 if the queue is full or
        its folder cannot be written.
        """
        jobs.resume(job)

    @api.delete("/v1/papers/{number}/jobs/{name}", status_code=204, **steering)
    async def forget(job: Annotated[BackgroundJob, Depends(known)]) -> None:
        """Stop a run and delete its measurements; older results stay.

        Status 403 if the client is not the owner, 404 if there is none, 503 if its folder cannot be
        written.
        """
        await jobs.delete(job)


def jobs_of(jobs: JobQueue, paper: Paper) -> list[PaperJob]:
    """Return the runs of a paper that are jobs of this server and not done, the newest first; may
    be empty.
    """
    return [
        paper_job(jobs, paper, job)
        for job in jobs.all("lab")
        if job.order["paper"] == paper.number and job.state != "done"
    ]


def paper_job(jobs: JobQueue, paper: Paper, job: BackgroundJob) -> PaperJob:
    """Return the run that *job* carries out in the form in which pages show it, with the share
    measured.
    """
    run = Run(paper, job.order["size"], job.order["seed"], jobs.folder(job))
    return PaperJob.of(run, done=run.done(), id=job.id, state=job.state, why=job.why)


def _copy_measurements(run: Run, folder: Path) -> None:
    """Copy what *run* has measured into the folder of its new job, so that only the rest is
    measured.

    Do nothing if nothing is measured, or everything: a finished run starts anew. Raise OSError if
    the file cannot be copied, PapanError if it is no regular file.
    """
    if 0 < run.done() < 1:
        shutil.copyfile(run.path, folder / run.path.name)
