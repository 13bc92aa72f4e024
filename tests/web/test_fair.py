"""Nobody takes the server from the others: what it works out by itself, and whose turn it is."""

import asyncio
import io
import json
import math
import random
import re
import socket
import zipfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import median
from threading import Barrier, Thread
from time import process_time
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import Mount, Route

from papan import catalog
from papan.contest.students import MOST_STUDENTS
from papan.core import Record
from papan.core.parts import Setup
from papan.lessons import LESSONS
from papan.puzzles import shipped
from papan.web import search_queue, worker_pool
from papan.web.app import SCREENS, build_api, build_app, pages
from papan.web.compression import compressed
from papan.web.contests import Contests
from papan.web.guard import AddressSlots
from papan.web.jobs import JobQueue
from papan.web.owner import FolderLock, Owner
from papan.web.search_queue import (
    LEAST_MOVE_SECONDS,
    MOVE_SECONDS,
    THREADS,
    QueuedSearch,
    SearchQueue,
)
from papan.web.settings import LOOPBACK, RANKS
from papan.web.wire import Refused
from papan.web.worker_pool import Worker
from papan.web.worker_protocol import event_writer
from papan.web.workshop import Workshop
from tests.waiting import LONGEST_WAIT
from tests.web.asking import QUIET, TOKEN, bearing, client, thought

MOST_SECONDS = 0.05
"""Of processor time for one question, on a machine that does `fixed_work` in `FIXED_SECONDS`."""
FIXED_SECONDS = 0.01
"""Of processor time for `fixed_work`, on two quiet cores."""
RARE = 2
"""How much more handing in may take: a student can do it once in ten seconds."""
TRIES = 5
"""How often a dear question is asked: Python's collector may tidy up during any one of them."""
MOST_PLIES = 240
LARGEST = (
    "tictactoe:15,15,5",
    "adjacency:15,15,50",
    "connect4:7,10",
    "connect4:8,10",
    "dots:6,6",
    "dots:25,25",
    "onet:16,30",
)


@dataclass(frozen=True)
class Game:
    """A large board, a game on it, and how it is written."""

    spec: str
    start: str
    moves: str
    position: str
    next: str
    """A legal move."""
    record: str


@cache
def game(spec: str, seed: int = 0) -> Game:
    """A random game, long if the board is large; each *seed* gives another one."""
    rules, rng = catalog.game(spec), random.Random(f"{spec} {seed}")
    position = catalog.position(Setup.of(rules).deal(1).spec)
    start, names = str(position), list[str]()
    while len(names) < MOST_PLIES and len(moves := position.moves()) > 1:
        move = rng.choice(moves)
        if (after := position.child(move)).is_over:
            break
        names.append(position.game.move_name(move))
        position = after
    line = " ".join(names)
    who, scores = ("human",) * rules.seats, tuple(position.scores())
    record = Record(position.game.spec, start, who, line, scores, "open").json()
    legal = position.game.move_name(position.moves()[0])
    return Game(spec, start, line, str(position), legal, str(record))


class Canned(Worker):
    """A worker that takes no processor time: it knows its answers, and notes what it is asked."""

    heard: list[str] = []
    texts: dict[str, str] = {}

    @classmethod
    async def start(cls) -> Worker:
        ours, theirs = socket.socketpair()
        Thread(target=cls._serve, args=(theirs,), daemon=True).start()
        found = await cls(*await asyncio.open_connection(sock=ours, limit=2**24)).when_ready()
        found.pid = 0
        return found

    @classmethod
    def _serve(cls, connection: socket.socket) -> None:
        with suppress(OSError, ValueError), connection:
            requests = connection.makefile("r", encoding="utf-8")

            write = event_writer(connection.makefile("w", encoding="utf-8"))

            def say(**event: Any) -> None:
                write(event)

            say(t="ready", pid=1, warm=True)
            for line in requests:
                task = json.loads(line)
                if "call" not in task:
                    continue
                call = task["call"]
                cls.heard.append(call)
                say(t="start")
                if call == "think":
                    say(t="analysis", move=None)
                elif call == "review":
                    say(t="answer", counts=[])
                else:
                    say(t="answer", text=cls.texts.get(call, "{}"))


Ask = Callable[[str, str, Any], Awaitable[httpx2.Response]]


@dataclass(frozen=True)
class Question:
    """What a route is asked about a game, and which call of a worker it must lead to."""

    json: Callable[[Game], Any] | None = None
    path: str = ""
    """With its parameters; nothing: the path of the route."""
    call: str = ""
    statuses: tuple[int, ...] = (200,)


def line(given: Game, **more: Any) -> dict[str, Any]:
    return {"start": given.start, "moves": given.moves, **more}


def agents(given: Game, agent: str = "human") -> list[str]:
    return [agent] * catalog.game(given.spec).seats


UNKNOWN = "a" * 12
GONE = (404,)
PUZZLE = shipped()[0]


def one_for_two(given: Game) -> str:
    """The game, or a large one for two where it is played alone: contests need two."""
    return given.spec if catalog.game(given.spec).seats == 2 else "dots:25,25"


STUDENTS = "number,name\n" + "".join(f"{each},Student {each}\n" for each in range(1, 41))
QUESTIONS: dict[tuple[str, str], Question] = {
    ("GET", "/v1/offline"): Question(),  # a worker makes it once a day
    ("POST", "/v1/board"): Question(lambda each: line(each, agents=agents(each, "level:3"))),
    ("POST", "/v1/deal"): Question(lambda each: {"game": each.spec, "seed": 2}),
    ("POST", "/v1/shuffle"): Question(lambda each: line(each, seed=1), statuses=(200, 422)),
    ("POST", "/v1/edit"): Question(lambda each: {"position": each.position}),
    ("POST", "/v1/record"): Question(lambda each: {"record": each.record}, statuses=(200, 422)),
    ("POST", "/v1/move"): Question(lambda each: line(each, move=each.next)),
    ("POST", "/v1/trace"): Question(lambda each: line(each, move=each.next)),
    ("POST", "/v1/graph"): Question(
        lambda each: line(each, name="moves", origin="0"), call="graph"
    ),
    ("POST", "/v1/film"): Question(lambda each: line(each), call="film"),
    ("POST", "/v1/turn"): Question(
        lambda each: line(each, move=each.next, agents=agents(each, "level:5"))
    ),
    ("POST", "/v1/think"): Question(lambda each: line(each, agent="level:5"), call="think"),
    ("POST", "/v1/review"): Question(lambda each: line(each), call="review"),
    ("POST", "/v1/think/{number}/stop"): Question(path="/v1/think/none/stop", statuses=GONE),
    ("POST", "/v1/learning"): Question(
        lambda each: {"game": each.spec, "games": 50_000}, call="learning"
    ),
    ("POST", "/v1/puzzles"): Question(
        lambda each: {"game": each.spec, "seed": 1}, call="puzzle", statuses=(200, 422)
    ),
    ("GET", "/v1/puzzles"): Question(),
    ("GET", "/v1/puzzles/next"): Question(path="/v1/puzzles/next?game=onet&rating=1200"),
    ("GET", "/v1/puzzles/daily"): Question(path="/v1/puzzles/daily?day=2026-11-18"),
    ("GET", "/v1/puzzles/sheet.html"): Question(
        path="/v1/puzzles/sheet.html?count=60", call="sheet"
    ),
    ("GET", "/v1/puzzles/made"): Question(path="/v1/puzzles/made?whole=PUZZLE"),
    ("GET", "/v1/puzzles/answer"): Question(
        path="/v1/puzzles/answer?whole=PUZZLE", call="answer", statuses=(200, 422)
    ),
    ("GET", "/v1/puzzles/{name}"): Question(path=f"/v1/puzzles/{PUZZLE.name}"),
    ("GET", "/v1/lessons"): Question(),
    ("GET", "/v1/lessons/{name}"): Question(path=f"/v1/lessons/{next(iter(LESSONS))}"),
    ("GET", "/v1/games"): Question(),
    ("GET", "/v1/network"): Question(),
    ("GET", "/v1/agents"): Question(path="/v1/agents?game=GAME"),
    ("GET", "/v1/texts/{language}"): Question(path="/v1/texts/id"),
    ("GET", "/v1/bots"): Question(),
    ("GET", "/v1/workshop"): Question(),
    ("GET", "/v1/workshop/agents"): Question(path="/v1/workshop/agents?game=GAME"),
    ("GET", "/v1/workshop/bots/{name}"): Question(path="/v1/workshop/bots/a.py", statuses=GONE),
    ("PUT", "/v1/workshop/bots/{name}"): Question(
        lambda each: {"source": "x" * 60_000}, path="/v1/workshop/bots/large.py"
    ),
    ("DELETE", "/v1/workshop/bots/{name}"): Question(path="/v1/workshop/bots/a.py", statuses=GONE),
    ("POST", "/v1/workshop/runs"): Question(
        lambda each: {"run": "check", "name": "a.py", "source": "x", "game": "chess"},
        statuses=(422,),
    ),
    ("GET", "/v1/class"): Question(),
    ("POST", "/v1/class"): Question(
        lambda each: {"game": each.spec, "title": "Cup", "language": "en"}, statuses=(201, 422, 503)
    ),
    ("GET", "/v1/class/{name}"): Question(path="/v1/class/CLASS"),
    ("GET", "/v1/class/{name}/ladder"): Question(path="/v1/class/CLASS/ladder"),
    ("POST", "/v1/class/{name}/pause"): Question(path="/v1/class/CLASS/pause"),
    ("POST", "/v1/class/{name}/go-on"): Question(
        path="/v1/class/CLASS/go-on", statuses=(200, 422, 503)
    ),
    ("POST", "/v1/class/{name}/disqualify"): Question(
        lambda each: {"number": "7", "why": "copied"}, path="/v1/class/CLASS/disqualify"
    ),
    ("GET", "/v1/class/{name}/plan"): Question(path="/v1/class/CLASS/plan"),
    ("PUT", "/v1/class/{name}/plan"): Question(
        lambda each: {"no": "plan"}, path="/v1/class/CLASS/plan", statuses=(422,)
    ),
    ("GET", "/v1/class/{name}/students"): Question(path="/v1/class/CLASS/students"),
    ("GET", "/v1/class/{name}/files/everything.zip"): Question(
        path="/v1/class/CLASS/files/everything.zip", call="archive"
    ),
    ("GET", "/v1/class/{name}/links"): Question(path="/v1/class/CLASS/links"),
    ("POST", "/v1/class/{name}/links"): Question(
        lambda each: {"number": "7"}, path="/v1/class/CLASS/links"
    ),
    ("GET", "/v1/class/{name}/sheet.html"): Question(
        path="/v1/class/CLASS/sheet.html?origin=http://192.0.2.1:8321", call="links"
    ),
    ("GET", "/v1/class/{name}/games"): Question(path="/v1/class/CLASS/games"),
    ("GET", "/v1/class/{name}/marks"): Question(path="/v1/class/CLASS/marks"),
    ("GET", "/v1/class/{name}/files/marks.csv"): Question(
        path="/v1/class/CLASS/files/marks.csv", statuses=GONE
    ),
    ("PUT", "/v1/class/{name}/students"): Question(
        lambda each: {"no": "list"}, path="/v1/class/CLASS/students", statuses=(200, 422)
    ),
    ("DELETE", "/v1/class/{name}"): Question(path=f"/v1/class/{UNKNOWN}", statuses=GONE),
    ("GET", "/v1/hand-in"): Question(statuses=GONE),
    ("PUT", "/v1/hand-in"): Question(path="/v1/hand-in?name=a.py", statuses=GONE),
    ("GET", "/v1/help"): Question(),
    ("GET", "/v1/about"): Question(),
    ("GET", "/v1/health"): Question(),
    ("POST", "/v1/owner/codes"): Question(statuses=(201,)),
    ("POST", "/v1/rooms"): Question(lambda each: {"start": each.start}, statuses=(201, 422)),
    ("GET", "/v1/rooms/{code}"): Question(path="/v1/rooms/ROOM"),
    ("GET", "/v1/rooms/{code}/qr"): Question(path="/v1/rooms/ROOM/qr"),
    ("POST", "/v1/rooms/{code}/seat"): Question(path="/v1/rooms/ROOM/seat"),
    ("GET", "/v1/tournaments"): Question(),
    ("POST", "/v1/tournaments"): Question(
        lambda each: {"game": each.spec, "agents": ["random", "level:1"], "pairs": 1},
        statuses=(201, 422, 503),
    ),
    ("GET", "/v1/tournaments/{name}"): Question(path="/v1/tournaments/CUP", statuses=(200, 404)),
    ("GET", "/v1/tournaments/{name}/games"): Question(
        path="/v1/tournaments/CUP/games", statuses=(200, 404)
    ),
    ("GET", "/v1/tournaments/{name}/files/{form}"): Question(
        path="/v1/tournaments/CUP/files/table.csv", statuses=(200, 404)
    ),
    ("POST", "/v1/tournaments/{name}/pause"): Question(
        path=f"/v1/tournaments/{UNKNOWN}/pause", statuses=GONE
    ),
    ("POST", "/v1/tournaments/{name}/go-on"): Question(
        path=f"/v1/tournaments/{UNKNOWN}/go-on", statuses=GONE
    ),
    ("DELETE", "/v1/tournaments/{name}"): Question(
        path=f"/v1/tournaments/{UNKNOWN}", statuses=GONE
    ),
    ("GET", "/v1/papers"): Question(),
    ("GET", "/v1/papers/{number}"): Question(path="/v1/papers/002"),
    ("GET", "/v1/papers/{number}/jobs"): Question(path="/v1/papers/002/jobs"),
    ("GET", "/v1/papers/{number}/files/{name}"): Question(
        path="/v1/papers/002/files/report.html", call="paper_file", statuses=(200, 404)
    ),
    ("POST", "/v1/papers/{number}/jobs"): Question(
        lambda each: {"size": "none"}, path="/v1/papers/002/jobs", statuses=(422,)
    ),
    ("POST", "/v1/papers/{number}/jobs/{name}/pause"): Question(
        path=f"/v1/papers/002/jobs/{UNKNOWN}/pause", statuses=GONE
    ),
    ("POST", "/v1/papers/{number}/jobs/{name}/go-on"): Question(
        path=f"/v1/papers/002/jobs/{UNKNOWN}/go-on", statuses=GONE
    ),
    ("DELETE", "/v1/papers/{number}/jobs/{name}"): Question(
        path=f"/v1/papers/002/jobs/{UNKNOWN}", statuses=GONE
    ),
}
SOCKETS = {"/v1/rooms/{code}/live"}
"""Their moves are measured by `test_z3_a_move_in_a_room_takes_little_on_the_largest_board`."""
PAGES = {"/", "/service-worker.js", "/{lost:path}"}
"""Pages are one document: these, and every screen."""


@pytest.fixture
def canned(tmp_path: Path) -> Iterator[tuple[Any, SearchQueue]]:
    """An API with canned workers, and its queue."""
    settings = replace(QUIET, data=tmp_path, jobs=0, rate=0)
    queue = SearchQueue(settings, Canned.start)
    jobs = JobQueue(settings, FolderLock(tmp_path))
    yield build_api(settings, queue, jobs, Workshop(settings, jobs.lock, Owner(settings))), queue


@contextmanager
def worked() -> Iterator[Callable[[], float]]:
    """Tells how much processor time this process has taken within."""
    began = process_time()
    yield lambda: process_time() - began


def fixed_work() -> int:
    """Work that is always the same: some of what Python does for a request."""
    texts = [json.dumps({"number": number, "text": str(number)}) for number in range(4_000)]
    return sum(len(json.loads(text)) for text in texts)


def slowness() -> float:
    """How many times slower this machine works now than the one of `FIXED_SECONDS`; at least 1.

    Processor time, too, grows on a busy machine: others empty its caches and share its cores.
    """
    with worked() as seconds:
        fixed_work()
        return max(1.0, seconds() / FIXED_SECONDS)


async def cost(
    ask: Callable[[int], Awaitable[httpx2.Response]],
    prepare: Callable[[int], object] = lambda attempt: None,
) -> tuple[float, httpx2.Response]:
    """The least processor time of some tries at a question, and an answer to it.

    *ask* gets the number of the try, from 1, to ask of another board each time; before, *prepare*
    gets it.
    """
    least = math.inf
    for attempt in range(1, TRIES + 1):
        prepare(attempt)
        with worked() as seconds:
            answer = await ask(attempt)
            spent = seconds()
        least = min(least, spent if spent <= MOST_SECONDS else spent / slowness())
        if least <= MOST_SECONDS:
            break
    return least, answer


def test_z3_every_route_has_its_question(canned: tuple[Any, SearchQueue]) -> None:
    api, _ = canned
    routes = {
        (method, route.path)
        for route in api.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert routes == QUESTIONS.keys()
    assert {each.path for each in api.routes if isinstance(each, APIWebSocketRoute)} == SOCKETS
    served = pages(Owner(QUIET))
    assert all(isinstance(each, Route | Mount) for each in served)


@pytest.mark.thorough
@pytest.mark.parametrize("spec", LARGEST)
def test_z3_no_route_takes_the_server_long_on_a_large_board(
    spec: str, canned: tuple[Any, SearchQueue]
) -> None:
    api, queue = canned
    given = game(spec)
    puzzle = replace(PUZZLE, text=given.position) if PUZZLE.game == given.spec else PUZZLE
    Canned.texts = {"puzzle": puzzle.kept}

    async def walk() -> dict[str, float]:
        costs = {}
        async with client(api, token=TOKEN) as asker:
            names = await places(asker, one_for_two(given)) | {"GAME": spec, "PUZZLE": puzzle.kept}
            for (method, route), question in QUESTIONS.items():
                path = question.path or route
                for word, name in names.items():
                    path = path.replace(word, name)

                orders: list[Any] = []

                def prepare(
                    attempt: int, question: Question = question, orders: list[Any] = orders
                ) -> None:
                    about = game(spec, attempt)
                    Canned.texts["position"] = about.position
                    orders.append(question.json(about) if question.json else None)

                async def ask(
                    attempt: int, to: tuple[str, str] = (method, path), orders: list[Any] = orders
                ) -> httpx2.Response:
                    return await asker.request(*to, json=orders[attempt])

                prepare(0)
                await ask(0)  # what is made once for all
                Canned.heard.clear()
                costs[f"{method} {route}"], answer = await cost(ask, prepare)
                assert answer.status_code in question.statuses, (route, answer.text[:300])
                if question.call and answer.status_code == 200:
                    assert question.call in Canned.heard, route
        await queue.close()
        return costs

    costs = asyncio.run(walk())
    assert {route: cost for route, cost in costs.items() if cost > MOST_SECONDS} == {}


DEEP, WIDE = 15_000, 1_500
LARGE_BODIES: dict[str, bytes] = {
    "lists in lists": b"[" * DEEP,
    "objects in objects": b'{"start":' * (DEEP // 10),
    "digits": b"1" * DEEP,
    "a number of many digits": b'{"seed": ' + b"9" * DEEP + b"}",
    "a long text": json.dumps({"start": "x" * DEEP}).encode(),
    "many words": json.dumps({"start": "connect4", "moves": "4 " * 3_900}).encode(),
    "many letters": json.dumps({"start": "dots:25,25", "moves": "a" * 7_900}).encode(),
    "a long position": json.dumps({"position": "onet:16,30 " + "1," * 2_900}).encode(),
    "escapes": json.dumps({"start": "\u20ac" * (DEEP // 6)}).encode(),
    "many fields": json.dumps({f"f{number}": number for number in range(WIDE)}).encode(),
    "many agents": json.dumps({"start": "connect4", "agents": ["human"] * WIDE}).encode(),
    "no text": b"\xff" * DEEP,
}
LONG_TEXT = "x" * 1_900
LONG_QUERIES = (
    f"whole={LONG_TEXT}&moves={LONG_TEXT}&seen={LONG_TEXT}",
    "moves=" + "a1+" * 600 + "&whole=" + "1%20" * 450,
    "&".join(f"f{number}={number}" for number in range(500)),
)


@pytest.mark.thorough
@pytest.mark.parametrize("what", LARGE_BODIES)
def test_z3_no_route_takes_the_server_long_with_a_large_body(
    what: str, canned: tuple[Any, SearchQueue]
) -> None:
    api, queue = canned
    kind = {"content-type": "application/json"}

    async def walk() -> dict[str, float]:
        costs = {}
        async with client(api, token=TOKEN) as asker:
            names = await places(asker, "connect4")
            for method, route in QUESTIONS:
                path = at(QUESTIONS[method, route].path or route, names)

                async def ask(
                    attempt: int, to: tuple[str, str] = (method, path)
                ) -> httpx2.Response:
                    body = LARGE_BODIES[what]
                    return await asker.request(*to, content=body, headers=kind)

                if method in ("POST", "PUT"):
                    costs[f"{method} {route}"], answer = await cost(ask)
                    assert answer.status_code < 500, (route, answer.text[:300])
        await queue.close()
        return costs

    costs = asyncio.run(walk())
    assert {route: cost for route, cost in costs.items() if cost > MOST_SECONDS} == {}


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(LONG_QUERIES)))
def test_z3_no_route_takes_the_server_long_with_a_long_query(
    number: int, canned: tuple[Any, SearchQueue]
) -> None:
    api, queue = canned

    async def walk() -> dict[str, float]:
        costs = {}
        async with client(api, token=TOKEN) as asker:
            names = await places(asker, "connect4")
            for method, route in QUESTIONS:
                path = at(QUESTIONS[method, route].path or route, names).partition("?")[0]

                async def ask(attempt: int, to: str = path) -> httpx2.Response:
                    return await asker.get(f"{to}?{LONG_QUERIES[number]}")

                if method == "GET":
                    await ask(0)
                    costs[route], answer = await cost(ask)
                    assert answer.status_code < 500, (route, answer.text[:300])
        await queue.close()
        return costs

    costs = asyncio.run(walk())
    assert {route: cost for route, cost in costs.items() if cost > MOST_SECONDS} == {}


def packed(size: int, files: int) -> bytes:
    """An archive of so many files, with so many bytes unpacked."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("main.py", "def choose(position): return position.moves()[0]\n")
        for number in range(1, files):
            archive.writestr(f"lib/{number}.txt", bytes(size // files))
    return made.getvalue()


LECTURE = "number,name\n" + "".join(f"{each},Student {each}\n" for each in range(500))
MANY = "number,name\n" + "".join(f"{each},Student {each}\n" for each in range(MOST_STUDENTS))
FILES: dict[str, tuple[str, bytes, int]] = {
    "a full class": ("/v1/class/CLASS/students", MANY.encode(), 200),
    "a list of nothing": ("/v1/class/CLASS/students", b",\n" * 300_000, 422),
    "a list without ends of lines": ("/v1/class/CLASS/students", b"1," * 400_000, 200),
    "a plan of numbers": ("/v1/class/CLASS/plan", b"a = [" + b"1," * 31_000 + b"]", 422),
    "a plan of lists": ("/v1/class/CLASS/plan", b"a = " + b"[" * 60_000, 422),
    "a plan of a megabyte": ("/v1/class/CLASS/plan", b"# \n" * 300_000, 422),
    "an archive": ("/v1/hand-in?name=a.zip", packed(8_000_000, 200), 201),
    "a source": ("/v1/hand-in?name=a.py", b"#" * 1_000_000, 201),
    "a file of the workshop": (
        "/v1/workshop/bots/large.py",
        json.dumps({"source": "x = 1\n" * 10_000}).encode(),
        200,
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("what", FILES)
def test_z3_no_route_takes_the_server_long_with_a_large_file(
    what: str, canned: tuple[Any, SearchQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Contests, "check_new", lambda *_: None)
    api, queue = canned
    path, content, status = FILES[what]

    async def send() -> float:
        async with client(api, token=TOKEN) as asker:
            names = await places(asker, "connect4")
            links = (await asker.get(at("/v1/class/CLASS/links", names))).json()
            kind = {"content-type": "application/json"}
            if "hand-in" in path:
                kind = bearing(links[0]["address"].partition("#")[2])

            async def ask(attempt: int) -> httpx2.Response:
                body = content + b" " * attempt  # the same file again is known
                return await asker.put(at(path, names), content=body, headers=kind)

            found, answer = await cost(ask)
            assert answer.status_code == status, answer.text[:300]
        await queue.close()
        return found

    assert asyncio.run(send()) <= MOST_SECONDS * (RARE if "hand-in" in path else 1)


@pytest.mark.thorough
def test_z3_no_route_takes_the_server_long_in_a_large_lecture(
    canned: tuple[Any, SearchQueue],
) -> None:
    api, queue = canned

    async def walk() -> dict[str, float]:
        costs = {}
        async with client(api, token=TOKEN) as asker:
            names = await places(asker, "connect4")
            await asker.put(at("/v1/class/CLASS/students", names), content=LECTURE)
            for method, route in QUESTIONS:
                if method != "GET" or "class" not in route:
                    continue
                path = at(QUESTIONS[method, route].path or route, names)

                async def ask(attempt: int, to: str = path) -> httpx2.Response:
                    return await asker.get(to)

                await ask(0)
                costs[route], answer = await cost(ask)
                assert answer.status_code < 500, (route, answer.text[:300])
        await queue.close()
        return costs

    costs = asyncio.run(walk())
    assert {route: cost for route, cost in costs.items() if cost > MOST_SECONDS} == {}


@pytest.mark.thorough
@pytest.mark.parametrize("name", catalog.GAMES)
def test_z3_no_page_takes_the_server_long(name: str, tmp_path: Path) -> None:
    first = name == next(iter(catalog.GAMES))
    screens = [each for each in SCREENS if first or "{game}" in each]

    async def walk() -> dict[str, float]:
        costs = {}
        async with client(build_app(replace(QUIET, data=tmp_path, rate=0))) as asker:
            for screen in screens:
                path = re.sub(r"\{\w+\}", name, screen)

                async def ask(attempt: int, to: str = path) -> httpx2.Response:
                    return await asker.get(to, headers={"accept-encoding": "gzip"})

                await ask(0)
                costs[path], answer = await cost(ask)
                assert answer.status_code == 200
        return costs

    costs = asyncio.run(walk())
    assert {route: cost for route, cost in costs.items() if cost > MOST_SECONDS} == {}


async def places(asker: httpx2.AsyncClient, game: str) -> dict[str, str]:
    """What stands for the words of the paths: a room, a contest of forty, a game, a puzzle."""
    room = await asker.post("/v1/rooms", json={"start": "dots:25,25"})
    wanted = {"game": game, "title": "Cup", "language": "en"}
    contest = (await asker.post("/v1/class", json=wanted)).json()["id"]
    await asker.put(f"/v1/class/{contest}/students", content=STUDENTS)
    return {
        "ROOM": room.json()["name"],
        "CLASS": contest,
        "GAME": game,
        "CUP": UNKNOWN,
        "PUZZLE": PUZZLE.kept,
    }


def at(path: str, names: dict[str, str]) -> str:
    """The path with its words replaced."""
    for word, name in names.items():
        path = path.replace(word, name)
    return path


def test_z3_a_move_in_a_room_takes_little_on_the_largest_board(
    canned: tuple[Any, SearchQueue],
) -> None:
    api, _ = canned
    given = game("dots:25,25")

    async def play() -> list[float]:
        async with client(api, "192.0.2.1") as ann, client(api, "192.0.2.2") as ben:
            order = {"start": given.position, "seat": "first"}
            name = (await ann.post("/v1/rooms", json=order)).json()["name"]
            await ben.post(f"/v1/rooms/{name}/seat")
            cookies = [
                f"papan_seat={cookie.value}" for each in (ann, ben) for cookie in each.cookies.jar
            ]
        sockets = [Live(api, name, cookie) for cookie in cookies]
        boards = [await each.board() for each in sockets]
        costs = []
        for ply in range(4):
            board = boards[0]
            move = {"t": "move", "move": board["legal"][0]["m"], "ply": ply}
            with worked() as seconds:
                await sockets[board["turn"]].say(move)
                boards = [await each.board() for each in sockets]
                spent = seconds()
            costs.append(spent / slowness())
            assert len(boards[1]["moves"]) == ply + 1
        for each in sockets:
            await each.close()
        return costs

    assert median(asyncio.run(play())) < MOST_SECONDS


class Live:
    """Somebody's connection to a room, without a network."""

    def __init__(self, api: Any, name: str, cookie: str) -> None:
        self.received: asyncio.Queue[Any] = asyncio.Queue()
        self.sent: asyncio.Queue[Any] = asyncio.Queue()
        path = f"/v1/rooms/{name}/live"
        scope = {
            "type": "websocket",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [(b"host", b"localhost"), (b"cookie", cookie.encode())],
            "client": ("192.0.2.1", 1),
            "subprotocols": [],
            "scheme": "ws",
        }
        self.received.put_nowait({"type": "websocket.connect"})
        self.life = asyncio.ensure_future(api(scope, self.received.get, self.sent.put))

    async def say(self, order: dict[str, Any]) -> None:
        await self.received.put({"type": "websocket.receive", "text": json.dumps(order)})

    async def board(self) -> Any:
        """The next board that is told."""
        async with asyncio.timeout(LONGEST_WAIT):
            while True:
                message = await self.sent.get()
                found = json.loads(message.get("text") or "{}")
                assert found.get("t") != "refused", found
                if found.get("t") == "state":
                    return found["board"]

    async def close(self) -> None:
        await self.received.put({"type": "websocket.disconnect", "code": 1000})
        await self.life


CLASS = replace(QUIET.for_a_network(LOOPBACK), rate=0, workers=1, spare=0, warm=False)
"""A class with one worker of each rank."""


class Gated(Worker):
    """A worker that begins what it is asked when the test lets it end what it does."""

    asked: list[dict[str, Any]] = []
    """All that workers have begun."""
    finish: list[Callable[[], None]] = []
    """How to end what runs, one for each worker."""

    @classmethod
    async def start(cls) -> Worker:
        reader = asyncio.StreamReader()
        worker = cls(reader, Sink(reader))  # type: ignore[arg-type]
        worker.pid = 0
        return worker


class Sink:
    """What is sent to a worker; its answer comes when the test wants it."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self.reader = reader

    def write(self, data: bytes) -> None:
        task = json.loads(data)
        if "call" not in task:  # a stop: it ends when the test says so
            return
        Gated.asked.append(task)
        self.reader.feed_data(b'start {"t": "start"}\n')
        end = {
            "think": b'analysis {"t": "analysis", "move": null}\n',
            "review": b'answer {"t": "answer"}\n',
        }
        line = end.get(task["call"], b'answer {"t": "answer", "text": "{}"}\n')
        Gated.finish.append(lambda: self.reader.feed_data(line))

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        if not self.reader.at_eof():
            self.reader.feed_eof()


KINDS: dict[str, Callable[[str], dict[str, Any]]] = {
    "graph": lambda start: {"start": start},
    "film": lambda start: {"start": start},
    "think": lambda start: {"start": start, "agent": "level:5", "seconds": 600},
    "review": lambda start: {"start": start},
    "puzzles": lambda start: {"game": start, "seed": 1},
    "turn": lambda start: {"start": start, "agents": ["level:5", "human"], "seconds": 600},
    "learning": lambda start: {"game": start, "games": 50_000},
}
FLOODED, QUIET_GAME = "connect4", "tictactoe"
GAME_RANK = ("graph", "turn")


def mark(task: dict[str, Any]) -> str:
    """The game that a task is about."""
    arguments = task["arguments"]
    text = str(arguments.get("start") or arguments.get("position") or arguments.get("game"))
    return text.partition(":")[0].split()[0]


def waiting(queue: SearchQueue) -> list[QueuedSearch]:
    return [each for each in queue.searches.values() if each.is_waiting]


async def meanwhile(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(LONGEST_WAIT):
        while not condition():
            await asyncio.sleep(0.001)


async def settle() -> None:
    """Let everything happen that can happen now, threads among it."""
    for _ in range(20):
        await asyncio.sleep(0.005)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_z6_who_floods_every_route_makes_another_wait_for_one_turn(
    kind: str, tmp_path: Path
) -> None:
    settings = replace(CLASS, data=tmp_path)
    queue = SearchQueue(settings, Gated.start)
    lock = FolderLock(tmp_path)
    workshop = Workshop(settings, lock, Owner(settings))
    api = build_api(settings, queue, JobQueue(settings, lock), workshop)
    Gated.asked.clear()
    Gated.finish.clear()

    async def ask(address: str, about: str, kind: str) -> int:
        async with client(api, address) as asker:
            return (await asker.post(f"/v1/{kind}", json=KINDS[kind](about))).status_code

    async def flood() -> list[str]:
        asking = [asyncio.ensure_future(ask("192.0.2.1", FLOODED, each)) for each in [*KINDS] * 4]
        await meanwhile(lambda: {each["rank"] for each in Gated.asked} == {*RANKS})
        await settle()
        asking.append(asyncio.ensure_future(ask("192.0.2.2", QUIET_GAME, kind)))
        await meanwhile(lambda: any(each.client == "192.0.2.2" for each in waiting(queue)))
        while not all(each.done() for each in asking):
            for finish in [*Gated.finish]:
                Gated.finish.remove(finish)
                finish()
            await settle()
        await queue.close()
        assert 429 in [each.result() for each in asking[:-1]]
        rank = "game" if kind in GAME_RANK else "analysis"
        return [mark(each) for each in Gated.asked if each["rank"] == rank]

    turns = asyncio.run(flood())
    assert turns[:2] == [FLOODED, QUIET_GAME]
    assert turns.count(FLOODED) > 1  # which comes to its other turns later


def test_z6_a_worker_goes_to_whoever_has_fewest_and_had_it_longest_ago() -> None:
    turns: list[str] = []

    async def use(queue: SearchQueue, who: str) -> None:
        group = queue.pools["game"]
        worker = await group.acquire(who, asyncio.timeout(None))
        turns.append(who)
        await asyncio.sleep(0)
        group.release(who, worker, succeeded=True)

    async def test() -> None:
        queue = SearchQueue(replace(CLASS, at_once=8), Gated.start)
        asked = ["greedy", "greedy", "greedy", "one", "greedy", "other", "one"]
        await asyncio.gather(*(use(queue, who) for who in asked))
        await queue.close()

    asyncio.run(test())
    assert turns == ["greedy", "one", "other", "greedy", "one", "greedy", "greedy"]


def test_z6_when_the_queue_is_full_the_greediest_makes_way() -> None:
    async def test() -> None:
        queue = SearchQueue(replace(CLASS, queue=5, searches=3), Gated.start)
        task = thought("tictactoe", "level:5", 1)

        async def last_key(search: QueuedSearch) -> str:
            return str(json.loads([line async for line in search.lines()][-1]).get("key", ""))

        heard = []
        for who in ("one", "one", "one", "two", "two", "three"):
            heard.append(asyncio.ensure_future(last_key(queue.admit(task, who))))
        await meanwhile(lambda: len(waiting(queue)) == 5)
        heard.append(asyncio.ensure_future(last_key(queue.admit(task, "four"))))
        assert await heard[2] == "web.busy"
        assert len(queue.searches) == 6
        for each in heard:
            each.cancel()
        Gated.finish.pop()()
        await queue.close()

    asyncio.run(test())


def test_z6_the_server_works_at_two_things_of_an_address_at_a_time() -> None:
    async def test() -> list[str]:
        slots, begun = AddressSlots(2), list[str]()

        async def use(who: str) -> None:
            async with slots.slot(who):
                begun.append(who)
                await asyncio.sleep(0)

        await asyncio.gather(*(use(who) for who in ["greedy"] * 5 + ["one"]))
        assert slots.is_idle
        return begun

    assert asyncio.run(test())[:3] == ["greedy", "greedy", "one"]


def test_work_that_fails_or_is_given_up_leaves_no_slot_behind() -> None:
    async def test() -> None:
        slots = AddressSlots(1)

        async def use(work: Awaitable[object]) -> None:
            async with slots.slot("one"):
                await work

        async def fail() -> None:
            raise ValueError

        for _ in range(2):
            with pytest.raises(ValueError):
                await use(fail())
            assert slots.is_idle
        never = asyncio.get_running_loop().create_future()
        works, waits = (asyncio.ensure_future(use(never)) for _ in range(2))
        await asyncio.sleep(0)
        for each in (waits, works):
            each.cancel()
            with suppress(asyncio.CancelledError):
                await each
        assert slots.is_idle

    asyncio.run(test())


class Measured(Gated):
    """A worker whose processor time the test sets; `stops` counts the requests to stop."""

    used = 0.0
    stops = 0

    @property
    def processor_seconds(self) -> float:
        return self.used

    def send(self, message: dict[str, Any]) -> None:
        self.stops += "stop" in message
        super().send(message)


@pytest.mark.parametrize(
    ("used", "waited", "stops"),
    [
        (MOVE_SECONDS - 0.1, 0.0, 0),
        (MOVE_SECONDS + 0.1, 0.0, 1),
        (MOVE_SECONDS + 0.1, None, 0),  # no other client waits
        (LEAST_MOVE_SECONDS - 0.1, 2 * MOVE_SECONDS, 0),
        (LEAST_MOVE_SECONDS + 0.1, 2 * MOVE_SECONDS, 1),  # a busy machine: the other waits long
    ],
)
def test_z6_a_move_that_takes_long_is_played_when_another_client_waits(
    monkeypatch: pytest.MonkeyPatch, used: float, waited: float | None, stops: int
) -> None:
    monkeypatch.setattr(search_queue, "CHECK_SECONDS", 0.001)
    passed = [0.0]
    monkeypatch.setattr(worker_pool, "monotonic", lambda: passed[0])

    async def test() -> int:
        Gated.finish.clear()
        queue = SearchQueue(CLASS, Measured.start)
        move = replace(thought("tictactoe", "level:5", 10), rank="game")
        running = queue.admit(move, "one")
        asking = [asyncio.ensure_future(last_event(running))]
        await meanwhile(lambda: bool(Gated.finish))
        worker = running.worker
        assert isinstance(worker, Measured)
        if waited is not None:
            asking.append(asyncio.ensure_future(last_event(queue.admit(move, "two"))))
            await meanwhile(lambda: bool(waiting(queue)))
            passed[0] = waited
        worker.used = used
        if stops:
            await meanwhile(lambda: bool(worker.stops))
        await settle()
        for each in asking:
            each.cancel()
        found = worker.stops
        Gated.finish.pop()()
        await queue.close()
        return found

    assert asyncio.run(test()) == stops


async def last_event(search: QueuedSearch) -> bytes:
    return [line async for line in search.lines()][-1]


def test_y7_nobody_makes_way_for_who_would_have_as_many_searches() -> None:
    async def test() -> None:
        queue = SearchQueue(replace(CLASS, queue=2, searches=3), Gated.start)
        task = thought("tictactoe", "level:5", 1)

        async def heard(search: QueuedSearch) -> list[bytes]:
            return [line async for line in search.lines()]

        asked = [queue.admit(task, who) for who in ("one", "one", "two")]
        listening = [asyncio.ensure_future(heard(search)) for search in asked]
        await meanwhile(lambda: len(waiting(queue)) == 2)
        with pytest.raises(Refused) as busy:
            queue.admit(task, "two")
        assert (busy.value.key, len(queue.searches)) == ("web.busy", 3)
        for each in listening:
            each.cancel()
        Gated.finish.pop()()
        await queue.close()

    asyncio.run(test())


def test_z6_who_loads_many_pages_has_two_of_them_made_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running, most, both = 0, 0, Barrier(THREADS)

    def facts(*_: object) -> dict[str, Any]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        both.wait(LONGEST_WAIT)
        running -= 1
        return {}

    async def load() -> set[int]:
        async with client(build_app(QUIET)) as one:
            answers = await asyncio.gather(*(one.get("/play/onet") for _ in range(3 * THREADS)))
            return {each.status_code for each in answers}

    monkeypatch.setattr("papan.web.app.given_facts", facts)
    assert asyncio.run(load()) == {200}
    assert most == THREADS


def test_z6_scripts_are_compressed_once() -> None:
    async def load() -> list[httpx2.Response]:
        async with client(build_app(QUIET)) as one:
            kinds = ("gzip", "gzip", "identity")
            script = "/static/js/first.js"
            return [await one.get(script, headers={"accept-encoding": each}) for each in kinds]

    compressed.cache_clear()
    first, again, plain = asyncio.run(load())
    assert compressed.cache_info().misses == 1
    assert first.text == again.text == plain.text
    assert first.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert plain.headers["vary"] == first.headers["vary"] == "Accept-Encoding"
