"""The papers in the API: what they claim, what runs found, files to keep, runs in jobs."""

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import httpx2
import pytest

from papan.core.message import Message
from papan.lab.work import run_all
from papan.papers import PAPERS
from papan.papers.onet import Amount
from papan.papers.paper import Run, saved_runs
from papan.web.app import build_app
from papan.web.job_process import JOB_FILE, resume_paper_run
from papan.web.jobs import BackgroundJob, JobState
from papan.web.settings import ServerSettings
from tests.web.asking import QUIET, TOKEN, alive, ask, client, made

pytestmark = pytest.mark.thorough

ONET = next(paper for paper in PAPERS if paper.number == "002")
TINY: Any = {"quick": Amount(boards=(2, 1)), "full": Amount(boards=(2, 2))}
LITTLE = replace(ONET, amounts=TINY)
"""Paper 002 with three random boards."""
ORDER = {"paper": "002", "size": "quick", "seed": 0}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a finished run leaves."""
    run = Run(LITTLE, "quick", 0, tmp_path_factory.mktemp("lab"))
    run_all([run.job()], 0)
    return run.path.read_bytes()


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServerSettings:
    """A server that has run nothing yet."""
    monkeypatch.setattr("papan.papers.PAPERS", (LITTLE,))
    return replace(QUIET, data=tmp_path)


@pytest.fixture
def full(empty: ServerSettings, log: bytes) -> ServerSettings:
    """A server with a finished run."""
    (empty.data / "lab").mkdir()
    (empty.data / "lab" / "002-quick-0.jsonl").write_bytes(log)
    return empty


def page(settings: ServerSettings, query: str = "") -> dict[str, Any]:
    answer = ask("GET", f"/api/v1/papers/002{query}", settings)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_all_papers_are_listed() -> None:
    papers = ask("GET", "/api/v1/papers").json()
    numbers = [paper["number"] for paper in papers]
    assert numbers[:6] == ["000", "001", "002", "003", "004", "005"]
    assert numbers == [each.number for each in PAPERS]
    assert {paper["game"] for paper in papers} == {each.game for each in PAPERS}


def test_u18_before_a_run_there_are_our_own_results_with_machine_and_date(
    empty: ServerSettings,
) -> None:
    found = page(empty)
    ours = found["found"]
    assert (ours["name"], ours["reference"], ours["size"]) == ("reference", True, "full")
    assert ours["began"] > "2026-11"
    assert ours["machine"]["processor"]
    assert all(line["ours"] for line in found["comparison"])
    assert {line["reference"] for line in found["comparison"]} == {None}
    assert ours["cpu"] > 60
    assert found["comparison"][0]["paper"] == "an empty board"
    assert len(found["conclusion"]) == 4
    assert found["claims"][0]["original"].startswith("“Dengan kombinasi")
    assert found["claims"][0]["english"].startswith("“Together with")
    assert found["recipe"]
    assert found["remarks"]
    assert [each["size"] for each in found["amounts"]] == ["quick", "full"]


def test_n02_every_line_of_the_page_opens_a_place(full: ServerSettings) -> None:
    facts = page(full, "?language=id")
    assert facts["abstract"].startswith("Makalah ini")
    assert len(facts["errata"]) == 2
    assert "Institut Teknologi Bandung" in facts["affiliation"]
    first = facts["exhibits"][0]
    assert first["places"][1]["then"].startswith("d3e3")
    for sheet in (*facts["exhibits"], *facts["found"]["tables"]):
        assert len(sheet["places"]) == len(sheet["rows"])
    places = [each["place"] for each in (*facts["comparison"], *facts["found"]["plots"])]
    assert all(place["agents"] and place["game"] for place in places)


def test_a_kept_run_fills_ours_with_intervals_and_verdicts(full: ServerSettings) -> None:
    found = page(full)
    lines = found["comparison"]
    assert all(line["ours"] for line in lines)
    assert any("[" in line["ours"] for line in lines)
    assert {line["agrees"] for line in lines} >= {"yes", "quoted"}
    assert found["runs"] == [{"name": "quick-0", "size": "quick", "seed": 0, "done": 1.0}]
    measured = found["found"]
    assert measured["command"] == "papan lab run 002 --quick --seed 0"
    assert set(measured["machine"]) == {"processor", "cores", "system", "python", "papan"}
    assert measured["tables"][0]["rows"]
    assert measured["plots"][0]["series"][0]["text"]
    assert page(full, "?language=id")["comparison"][0]["what"] != lines[0]["what"]
    assert page(full, "?run=quick-0")["found"]["name"] == "quick-0"
    own = page(full, "?run=reference")
    assert [line["reference"] for line in lines] == [line["ours"] for line in own["comparison"]]


def test_every_file_of_a_report_can_be_taken_along(full: ServerSettings) -> None:
    for name in page(full)["found"]["files"]:
        answer = ask("GET", f"/api/v1/papers/002/files/{name}?run=quick-0", full)
        assert answer.status_code == 200, name
        assert answer.headers["content-disposition"] == f'attachment; filename="002-{name}"'
        check_file(name, answer)


def check_file(name: str, answer: httpx2.Response) -> None:
    """Is a file what its name says?"""
    kind = name.rpartition(".")[2]
    if kind == "csv":
        heads, *rows = csv.reader(io.StringIO(answer.text))
        assert rows
        assert {len(row) for row in rows} == {len(heads)}
    elif kind == "json":
        assert answer.json()["paper"] == "002"
    elif kind == "svg":
        assert ElementTree.fromstring(answer.text).tag.endswith("svg")
        assert "style" not in answer.text
    else:
        beginning = {"md": "# " if name == "report.md" else "**", "html": "<!DOCTYPE html>"}[kind]
        assert answer.text.startswith(beginning)


@pytest.mark.parametrize(
    ("path", "status", "key"),
    [
        ("/api/v1/papers/007", 404, "lab.unknown_paper"),  # T26
        ("/api/v1/papers/onet", 404, "lab.unknown_paper"),
        ("/api/v1/papers/002?run=full-7", 404, "web.no_run"),
        ("/api/v1/papers/002?run=../../x", 422, "web.bad_request"),
        ("/api/v1/papers/002/files/claims.csv?run=full-7", 404, "web.no_file"),
        ("/api/v1/papers/002/files/nothing.csv", 404, "web.no_file"),
        ("/api/v1/papers/002/files/..%2Fx.csv", 404, "web.no_address"),
        ("/api/v1/papers/002/files/claims.exe", 422, "web.bad_request"),
    ],
)
def test_what_is_not_there_is_told(full: ServerSettings, path: str, status: int, key: str) -> None:
    answer = ask("GET", path, full)
    assert (answer.status_code, answer.json()["key"]) == (status, key)
    if key == "web.no_file":  # one key stood for two sentences once
        name = path.rpartition("/")[2].partition("?")[0]
        assert f"There is no file '{name}' of this run" in answer.json()["message"]


def test_r07_only_the_owner_may_start_a_run(empty: ServerSettings) -> None:
    async def questions() -> Iterator[httpx2.Response]:
        async with client(build_app(empty)) as stranger:
            jobs = "/api/v1/papers/002/jobs"
            return iter(
                [
                    await stranger.get("/api/v1/papers/002"),
                    await stranger.get(jobs),
                    await stranger.post(jobs, json={}),
                    await stranger.delete(f"{jobs}/{'a' * 12}"),
                ]
            )

    shown, listed, started, deleted = asyncio.run(questions())
    assert shown.json()["yours"] is False
    assert page(empty)["yours"] is True
    assert listed.json() == []
    assert (started.status_code, deleted.status_code) == (403, 403)
    assert started.json()["key"] == "jobs.not_owner"


@pytest.mark.parametrize("order", [{"size": "huge"}, {"seed": -1}, {"code": "1"}, {"seed": 10**9}])
def test_an_order_that_makes_no_sense_is_refused(
    empty: ServerSettings, order: dict[str, Any]
) -> None:
    answer = ask("POST", "/api/v1/papers/002/jobs", empty, json=order)
    assert (answer.status_code, answer.json()["key"]) == (422, "web.bad_request")


def test_a_finished_job_takes_the_place_of_older_results(
    full: ServerSettings, log: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = full.data / "lab" / "abcdefghijkm"
    place.mkdir()
    path = full.data / "lab" / "002-quick-0.jsonl"
    path.write_text("what an older papan left\n", encoding="utf-8")
    monkeypatch.setattr("papan.web.job_process.cores", lambda: 0)  # in this process: it is little
    resume_paper_run(place, ORDER)
    (run,) = saved_runs(full.data / "lab", LITTLE)
    assert run.done() == 1
    assert not list(place.glob("*.jsonl"))
    found = {json.loads(line)["unit"] for line in path.read_text().splitlines()[1:]}
    assert found == {json.loads(line)["unit"] for line in log.splitlines()[1:]}


def test_a_job_goes_on_with_what_is_measured_already(full: ServerSettings, log: bytes) -> None:
    """The rest of an interrupted run is done, whether a terminal or a server began it."""
    lines = log.splitlines(keepends=True)
    path = full.data / "lab" / "002-quick-0.jsonl"
    path.write_bytes(b"".join(lines[:-2]))

    async def begin() -> tuple[Any, Any]:
        async with alive(full) as app, client(app, token=TOKEN) as owner:
            first = await owner.post("/api/v1/papers/002/jobs", json={})
            again = await owner.post("/api/v1/papers/002/jobs", json={})
            listed = await owner.get("/api/v1/papers/002/jobs")
            job = f"/api/v1/papers/002/jobs/{first.json()['id']}"
            paused = await owner.post(f"{job}/pause")
            resting = (await owner.get("/api/v1/papers/002/jobs")).json()
            gone = await owner.delete(job)
            empty = (await owner.get("/api/v1/papers/002/jobs")).json()
        assert (first.status_code, again.json()["id"]) == (201, first.json()["id"])
        assert [each["id"] for each in listed.json()] == [first.json()["id"]]
        assert (paused.status_code, gone.status_code) == (204, 204)
        return first.json(), (resting, empty)

    first, (resting, empty) = asyncio.run(begin())
    assert 0 < first["done"] < 1
    assert [each["state"] for each in resting] == ["paused"]
    assert empty == []
    assert path.read_bytes() == b"".join(lines[:-2])  # what was there before stays


def test_a_run_that_failed_says_why(empty: ServerSettings) -> None:
    why = Message("jobs.died", {"code": "9"})
    job = BackgroundJob("lab", "abcdefghijkm", ORDER, "now", "failed", why=why)
    place = empty.data / "lab" / job.id
    place.mkdir(parents=True)
    (place / JOB_FILE).write_text(json.dumps(asdict(job)), encoding="utf-8")
    (reported,) = ask("GET", "/api/v1/papers/002/jobs", empty).json()
    assert (reported["state"], reported["why"], reported["done"]) == ("failed", asdict(why), 0)


def test_a_new_run_clears_away_what_is_done_or_has_failed_but_no_other_paper(
    empty: ServerSettings,
) -> None:
    """Whether it begins or goes on, and however old they are."""
    stored = (
        ("aaaaaaaaaaaa", "002", 7, "failed"),
        ("bbbbbbbbbbbb", "002", 8, "done"),
        ("cccccccccccc", "002", 0, "paused"),
        ("dddddddddddd", "003", 0, "failed"),
        ("eeeeeeeeeeee", "002", 9, "failed"),
    )
    for day, (name, paper, seed, state) in enumerate(stored, 1):
        order = {"paper": paper, "size": "quick", "seed": seed}
        job = BackgroundJob("lab", name, order, f"2026-01-0{day}", cast(JobState, state))
        place = empty.data / "lab" / name
        place.mkdir(parents=True)
        (place / JOB_FILE).write_text(json.dumps(asdict(job)), encoding="utf-8")

    async def begun() -> dict[str, Any]:
        _, api = made(replace(empty, jobs=0))
        async with client(api, token=TOKEN) as owner:
            answer = await owner.post("/v1/papers/002/jobs", json={})
        found: dict[str, Any] = answer.json()
        return found

    began = asyncio.run(begun())
    assert (began["id"], began["state"]) == ("cccccccccccc", "waiting")
    left = sorted(path.parent.name for path in (empty.data / "lab").glob(f"*/{JOB_FILE}"))
    assert left == ["cccccccccccc", "dddddddddddd"]
