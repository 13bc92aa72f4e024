"""The arena's questions: tournaments are started, watched, paused, taken home; or refused."""

import asyncio
import csv
import io
import json
import os
import signal
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.types import ASGIApp

import papan
from papan.core import Limit
from papan.lab.tournament.folder import JOURNAL_FILE, create
from papan.lab.tournament.plan import TournamentPlan
from papan.web.job_process import JOB_FILE
from papan.web.settings import ServerSettings
from tests.waiting import LONGEST_WAIT
from tests.web.asking import QUIET, TOKEN, alive, ask, client
from tests.web.server import Address, serving

pytestmark = pytest.mark.thorough

TOURNAMENTS = "/api/v1/tournaments"
AGENTS = ["random", "hillclimb", "random:seed=9"]
LIMITS = {"nodes": 200, "pairs": 4, "seed": 3}
ORDER = {"game": "tictactoe", "agents": AGENTS, "title": " Class cup ", **LIMITS}
"""Twenty-four games."""


def quiet(data: Path) -> ServerSettings:
    return replace(QUIET, data=data)


def wait_for(address: str, fact: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """What the server says of a tournament as soon as *fact* holds."""
    until = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < until:
        report: dict[str, Any] = httpx2.get(address).json()
        if fact(report):
            return report
        time.sleep(0.05)
    raise AssertionError("it takes too long")


def is_done(report: dict[str, Any]) -> bool:
    return bool(report["state"] == "done")


def begun(server: Address, **changes: Any) -> str:
    answer = httpx2.post(f"{server}{TOURNAMENTS}", json=ORDER | changes, headers=server.owner)
    assert answer.status_code == 201, answer.text
    return f"{server}{TOURNAMENTS}/{answer.json()['id']}"


def deleted(server: Address, address: str) -> bool:
    """Nobody finds it in a list any more: others ask this server, too."""
    answer = httpx2.delete(address, headers=server.owner)
    return answer.status_code == 204


@pytest.fixture(scope="module")
def finished(server: Address) -> Iterator[str]:
    """The address of a tournament that is over."""
    address = begun(server)
    wait_for(address, is_done)
    yield address
    assert deleted(server, address)


def test_the_table_adds_up_and_has_error_bars(finished: str) -> None:
    report = httpx2.get(finished).json()
    result = report["contest"]
    assert (report["games"], report["seen"], result["games"], result["planned"]) == (24,) * 4
    assert sum(agent["points"] for agent in result["agents"]) == 24
    for agent in result["agents"]:
        assert agent["wins"] + agent["draws"] + agent["losses"] == agent["games"] == 16
        assert [sum(seat.values()) for seat in agent["seats"]] == [8, 8]
        assert agent["elo"]["low"] < agent["elo"]["value"] < agent["elo"]["high"]
    ratings = [agent["elo"]["value"] for agent in result["agents"]]
    assert ratings == sorted(ratings, reverse=True)
    chances = result["superiority"]
    assert chances[0][0] is None
    assert chances[0][2] + chances[2][0] == pytest.approx(1)
    assert sum(result["endings"].values()) == 24


def test_a_report_tells_what_moves_cost_and_shows_the_last_boards(finished: str) -> None:
    report = httpx2.get(finished).json()
    spent = {each["agent"]: each for each in report["efforts"]}
    assert 0 < spent["hillclimb"]["nodes"]["median"] <= spent["hillclimb"]["nodes"]["p95"] <= 200
    assert spent["hillclimb"]["milliseconds"]["p95"] > 0
    assert report["pace"] > 0
    assert len(report["last"]) == 4
    assert all(game["svg"].startswith("<svg") for game in report["last"])


def test_u19_every_game_can_be_found_by_its_number_and_its_agents(finished: str) -> None:
    assert httpx2.get(finished).json()["title"] == "Class cup"
    games = httpx2.get(f"{finished}/games").json()
    assert (games["total"], len(games["games"])) == (24, 24)
    assert [each["number"] for each in games["games"]] == list(range(24))
    for wanted, total in (({"one": "random", "other": "hillclimb"}, 8), ({"after": 20}, 24)):
        page = httpx2.get(f"{finished}/games", params=wanted).json()
        assert page["total"] == total
    assert len(page["games"]) == 4
    for side in ("one", "other"):
        listed = httpx2.get(f"{finished}/games", params={side: "random"}).json()
        assert listed["total"] == 16
        assert all("random" in game["agents"] for game in listed["games"])
    answer = httpx2.get(f"{finished}/games", params={"after": -1})
    assert answer.status_code == 422


def test_the_table_is_that_of_the_terminal(finished: str, tmp_path: Path) -> None:
    standings = papan.tournament(
        AGENTS, "tictactoe", tmp_path, pairs=4, seed=3, limit=Limit(nodes=200)
    )
    agents = httpx2.get(finished).json()["contest"]["agents"]
    reported = [
        f"{each['agent']}: +{each['wins']} ={each['draws']} \u2212{each['losses']}"
        for each in agents
    ]
    assert "\n".join(reported) == str(standings)


def test_nothing_new_costs_nothing(finished: str) -> None:
    mark = httpx2.get(finished).headers["etag"]
    again = httpx2.get(finished, headers={"if-none-match": mark})
    assert (again.status_code, again.content) == (304, b"")


def test_everything_can_be_taken_home(finished: str) -> None:
    games = httpx2.get(f"{finished}/files/games.jsonl")
    assert sorted(json.loads(line)["number"] for line in games.text.splitlines()) == [*range(24)]
    assert "attachment" in games.headers["content-disposition"]
    rows = [*csv.DictReader(io.StringIO(httpx2.get(f"{finished}/files/table.csv").text))]
    assert sum(float(row["points"]) for row in rows) == 24
    assert httpx2.get(f"{finished}/files/report.json").json()["games"] == 24
    table = httpx2.get(f"{finished}/files/table.md?language=id").text
    caption = "**tictactoe:3,3,3, 24 permainan: Elo (Bradley-Terry) dengan selang 95%.**"
    assert table.startswith(caption)
    assert httpx2.get(f"{finished}/files/plan.json").status_code == 422


def test_the_command_plays_the_same_tournament(finished: str) -> None:
    command = httpx2.get(finished).json()["command"]
    assert command == (
        "papan tournament run cup random hillclimb random:seed=9 --game tictactoe:3,3,3"
        " --pairs 4 --seed 3 --opening 2 --nodes 200"
    )


def test_a_sequential_test_tells_how_it_stands(server: Address) -> None:
    order = {"agents": ["hillclimb", "random"], "sprt": {"elo0": 0, "elo1": 200}, "pairs": 50}
    address = begun(server, **order)
    report = wait_for(address, is_done)
    assert deleted(server, address)
    low, high = report["contest"]["sprt"]["bounds"]
    assert report["contest"]["sprt"]["llr"] >= high > 0 > low
    assert report["contest"]["ending"] == "H1"
    assert report["contest"]["games"] < report["planned"]
    assert "--sprt elo0=0,elo1=200,alpha=0.05,beta=0.05,model=normalised" in report["command"]


def test_a_tournament_is_paused_goes_on_and_is_deleted(server: Address) -> None:
    address = begun(server, pairs=300)
    wait_for(address, lambda report: report["games"] > 0)
    owner: Any = {"headers": server.owner, "timeout": LONGEST_WAIT}
    paused = httpx2.post(f"{address}/pause", **owner).json()
    assert paused["state"] == "paused"
    assert httpx2.get(address).json()["games"] == paused["games"]
    assert httpx2.post(f"{address}/go-on", **owner).json()["state"] == "running"
    wait_for(address, lambda report: report["games"] > paused["games"])
    assert deleted(server, address)
    assert httpx2.get(address).status_code == 404
    listed = httpx2.get(f"{server}{TOURNAMENTS}").json()
    assert address.rpartition("/")[2] not in [each["id"] for each in listed]


@pytest.mark.slow  # in every run of the tests a browser sees it go on, and a command the totals
@pytest.mark.parametrize("blow", [signal.SIGTERM, signal.SIGKILL])
def test_w31_s17_a_server_that_stops_or_is_killed_goes_on_with_the_same_totals(
    finished: str, tmp_path: Path, blow: signal.Signals
) -> None:
    with serving(tmp_path) as (address, process):
        tournament = begun(address)
        wait_for(tournament, lambda report: 0 < report["games"] < 24)
        process.send_signal(blow)
        process.wait()
    with serving(tmp_path) as (address, _):
        name = tournament.rpartition("/")[2]
        report = wait_for(f"{address}{TOURNAMENTS}/{name}", is_done)
    assert report["contest"] == httpx2.get(finished).json()["contest"]


BAD_ORDERS = [
    ({"agents": ["random"]}, "web.bad_request"),
    ({"agents": ["random", "human"]}, "error.cannot_play"),
    ({"agents": ["random", "chains"]}, "error.cannot_play"),
    ({"agents": ["random", "bot:../mine.py"]}, "workshop.bad_name"),
    ({"agents": ["random", "mine.py"]}, "error.not_installed"),
    ({"agents": ["random", "program:true"]}, "error.not_installed"),
    ({"agents": ["random", "solver:memory=99999"]}, "error.setting_between"),
    ({"game": "chess"}, "error.unknown_game_far"),
    ({"seconds": 1}, "arena.one_budget"),
    ({"nodes": None, "depth": 3}, "arena.no_depth"),
    ({"sprt": {}}, "tournament.sprt_agents"),
    ({"agents": ["random", "minimax"], "sprt": {"elo0": 9, "elo1": 1}}, "elo.bad_sprt"),
    ({"pairs": 10_000}, "tournament.too_many"),
    ({"pairs": 0}, "web.bad_request"),
    ({"error": 0}, "web.bad_request"),
]


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which nothing is kept: one app serves all who ask for nothing there."""
    return tmp_path_factory.mktemp("untouched")


@pytest.mark.parametrize(("change", "key"), BAD_ORDERS, ids=lambda each: str(each)[:40])
def test_a_plan_that_makes_no_sense_is_told_why(
    change: dict[str, Any], key: str, untouched: Path
) -> None:
    answer = ask("POST", TOURNAMENTS, quiet(untouched), json=ORDER | change)
    assert (answer.status_code, answer.json()["key"]) == (422, key)
    assert not (untouched / "tournament").exists()


def asked(
    data: Path, test: Callable[[ASGIApp], Coroutine[Any, Any, None]], **settings: Any
) -> None:
    """Ask a server that starts none of its jobs."""

    async def run() -> None:
        async with alive(replace(QUIET, workers=0, data=data, jobs=0, **settings)) as app:
            await test(app)

    asyncio.run(run())


def test_r07_only_the_owner_may_steer_a_tournament_and_everyone_may_watch(
    tmp_path: Path,
) -> None:
    async def test(app: ASGIApp) -> None:
        async with client(app, token=TOKEN) as owner, client(app) as guest:
            name = (await owner.post(TOURNAMENTS, json=ORDER)).json()["id"]
            address = f"{TOURNAMENTS}/{name}"
            refused = [
                await guest.post(TOURNAMENTS, json=ORDER),
                await guest.post(f"{address}/pause"),
                await guest.post(f"{address}/go-on"),
                await guest.delete(address),
            ]
            assert {answer.status_code for answer in refused} == {403}
            assert {answer.json()["key"] for answer in refused} == {"jobs.not_owner"}
            assert (await guest.get(address)).json()["yours"] is False
            assert (await owner.get(address)).json()["yours"] is True
            assert len((await guest.get(TOURNAMENTS)).json()) == 1

    asked(tmp_path, test)


def test_too_many_that_wait_are_told_when_to_come_back(tmp_path: Path) -> None:
    async def test(app: ASGIApp) -> None:
        async with client(app, token=TOKEN) as owner:
            answers = [await owner.post(TOURNAMENTS, json=ORDER) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 503]
        assert answers[-1].json()["key"] == "jobs.too_many_waiting"
        assert answers[-1].headers["retry-after"]

    asked(tmp_path, test, waiting_jobs=2)


def test_depth_is_set_in_every_agent(tmp_path: Path) -> None:
    async def test(app: ASGIApp) -> None:
        order = ORDER | {"agents": ["minimax", "alphabeta"], "nodes": None, "depth": 2}
        async with client(app, token=TOKEN) as owner:
            reported = (await owner.post(TOURNAMENTS, json=order)).json()
        assert reported["agents"] == ["minimax:depth=2", "alphabeta:depth=2"]

    asked(tmp_path, test)


@pytest.mark.parametrize("name", ["abcdefghijkm", "nothing", "..%2f..%2fetc"])
def test_there_is_nothing_under_other_names(name: str, untouched: Path) -> None:
    answer = ask("GET", f"{TOURNAMENTS}/{name}", quiet(untouched))
    assert answer.status_code in (404, 422)
    assert set(answer.json()) == {"key", "values", "message"}


@pytest.mark.parametrize("kind", ["no end", "link", "pipe"])
def test_z23_a_journal_of_a_stranger_spoils_no_list(tmp_path: Path, kind: str) -> None:
    """One without end was read into the memory, and nothing was listed any more."""
    for name in ("evilevilevil", "goodgoodgood"):
        folder = tmp_path / "tournament" / name
        create(folder, TournamentPlan("tictactoe:3,3,3", ("random", "random"), pairs=1))
        facts = {"kind": "tournament", "id": name, "order": {"concurrency": 1}, "made": "2026"}
        (folder / JOB_FILE).write_text(json.dumps(facts | {"state": "done"}))
    journal = tmp_path / "tournament" / "evilevilevil" / JOURNAL_FILE
    if kind == "no end":
        with journal.open("wb") as file:
            file.truncate(10**12)
    elif kind == "link":
        journal.symlink_to("/etc/passwd")
    else:
        os.mkfifo(journal)
    listed = ask("GET", TOURNAMENTS, quiet(tmp_path))
    assert listed.status_code == 200
    assert "goodgoodgood" in {each["id"] for each in listed.json()}
    taken = ask("GET", f"{TOURNAMENTS}/evilevilevil/files/games.jsonl", quiet(tmp_path))
    assert taken.status_code == (200 if kind == "no end" else 422)
    assert b"root:" not in taken.content
