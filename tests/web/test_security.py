"""The security list: each test carries the number of the promise that it keeps."""

import asyncio
import re
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest

from papan.web.app import build_app
from papan.web.guard import RequestGuard, TokenBuckets
from papan.web.settings import ServerSettings
from tests.web.asking import QUIET, TOKEN, ask, client

pytestmark = pytest.mark.thorough

SOURCE = Path(__file__).parents[2] / "src" / "papan" / "web"
OWNERS_CODE = ("BotOrder", "BotSource", "BotTemplate", "KeptSource")
"""What carries the owner's own bots, which run in the sandbox."""
BOARD = {"start": "tictactoe", "moves": "b2"}


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil", ""])
def test_s1_a_foreign_host_is_turned_away(host: str) -> None:
    assert ask("GET", "/api/v1/health", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8321", "[::1]:9", "LOCALHOST:80"])
def test_s1_its_own_names_are_answered(host: str) -> None:
    assert ask("GET", "/api/v1/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:9"])
def test_s2_a_foreign_origin_may_not_write(origin: str) -> None:
    answer = ask("POST", "/api/v1/board", json=BOARD, headers={"origin": origin})
    assert answer.status_code == 403
    assert answer.json()["key"] == "web.wrong_origin"


@pytest.mark.parametrize("headers", [{}, {"origin": "http://localhost:8321"}])
def test_s2_own_pages_and_programs_may(headers: dict[str, str]) -> None:
    assert ask("POST", "/api/v1/board", json=BOARD, headers=headers).status_code == 200


def test_s2_a_socket_of_a_foreign_page_is_closed_before_it_opens() -> None:
    sent: list[Any] = []
    reached: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope)

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"origin", b"https://evil.example")]
    scope = {"type": "websocket", "path": "/", "headers": headers, "client": ("127.0.0.1", 1)}
    asyncio.run(RequestGuard(app, QUIET)(scope, receive, send))
    assert [message["type"] for message in sent] == ["websocket.close"]
    assert not reached


def test_s4_too_many_requests_are_told_when_to_come_back() -> None:
    async def flood() -> list[httpx2.Response]:
        app = build_app(ServerSettings(warm=False, rate=0.5, burst=3))
        async with client(app) as one, client(app, "10.0.0.2") as other:
            answers = [await one.get("/api/v1/health") for _ in range(5)]
            return [*answers, await other.get("/api/v1/health")]

    *mine, theirs = asyncio.run(flood())
    assert [answer.status_code for answer in mine] == [200, 200, 200, 429, 429]
    assert int(mine[-1].headers["retry-after"]) >= 1
    assert theirs.status_code == 200


def test_y7_who_has_to_wait_is_never_told_to_come_back_too_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TokenBuckets, "wait", lambda self, address: 1.25)
    answer = ask("GET", "/api/v1/health")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")
    assert "2 s" in answer.json()["message"]


def test_s4_a_bucket_fills_up_again() -> None:
    buckets = TokenBuckets(rate=2, burst=1)
    assert buckets.wait("a", now=0) == 0
    assert buckets.wait("a", now=0) == 0.5
    assert buckets.wait("a", now=0.5) == 0


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/api/v1/workshop/bots/a.py"), ("POST", "/api/v1/workshop/runs")]
)
def test_s8_nothing_of_a_strangers_file_is_read(method: str, path: str) -> None:
    """A megabyte of brackets took the event loop 0.3 s before its sender was asked for."""

    async def answers() -> list[int]:
        app, body = build_app(QUIET), b"[" + b"[]," * 100_000 + b"[]]"
        json = {"content-type": "application/json"}
        async with client(app) as stranger, client(app, token=TOKEN) as owner:
            askers = (stranger, owner)
            return [
                (await each.request(method, path, content=body, headers=json)).status_code
                for each in askers
            ]

    assert asyncio.run(answers()) == [413, 422]


BAD_BODIES: list[Any] = [
    {},
    {"start": 7},
    {"start": "tictactoe", "moves": "b2", "code": "print()"},
    {"start": "tictactoe", "moves": "x" * 9000},
    {"start": "chess"},
    {"start": "tictactoe", "moves": "b2 b2"},
    {"start": "tictactoe:99,99,3"},
    {"start": "connect4 nonsense x"},
]


@pytest.mark.parametrize("body", BAD_BODIES, ids=lambda body: str(body)[:40])
def test_s7_a_body_that_makes_no_sense_is_told_why(body: Any) -> None:
    answer = ask("POST", "/api/v1/board", json=body)
    assert answer.status_code == 422
    assert set(answer.json()) == {"key", "values", "message"}
    assert answer.json()["message"] != answer.json()["key"]


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"agent": "human"}, "error.cannot_play"),
        ({"agent": "chains"}, "error.cannot_play"),
        ({"agent": "solver:memory=99999"}, "error.setting_between"),
        ({"agent": "solver:threads=9999"}, "error.setting_between"),
        ({"agent": "./bot.py"}, "error.not_installed"),
        ({"agent": "mcts:iterations=99999999999999999999999"}, "error.long_number"),
        ({"agent": "random:seed=-99999999999999999999999"}, "error.long_number"),
        ({"start": "onet:4,4,seed=99999999999999999999999"}, "error.long_number"),
        ({"seconds": 0}, "web.bad_request"),
        ({"seconds": 1e9}, "web.bad_request"),
        ({"moves": "a1 a2 b1 b2 c1"}, "error.nothing_to_play"),
    ],
)
def test_s7_r08_a_search_that_makes_no_sense_never_begins(change: dict[str, Any], key: str) -> None:
    answer = ask("POST", "/api/v1/think", json={"start": "tictactoe"} | change)
    assert (answer.status_code, answer.json()["key"]) == (422, key)


def test_s7_what_is_not_json_is_400() -> None:
    answer = ask(
        "POST", "/api/v1/board", content=b"{", headers={"content-type": "application/json"}
    )
    assert answer.status_code == 400


def test_s8_a_large_body_is_413_announced_or_not() -> None:
    async def drip() -> Any:
        for _ in range(40):
            yield b" " * 1024

    assert ask("POST", "/api/v1/board", content=b" " * 17_000).status_code == 413
    assert ask("POST", "/api/v1/board", content=drip()).status_code == 413
    strange = ask("POST", "/api/v1/board", content=b"", headers={"content-length": "-1"})
    assert strange.status_code == 413


def test_y7_a_body_of_exactly_the_allowed_size_is_read() -> None:
    body = b'{"start": "tictactoe"}'
    kind = {"content-type": "application/json"}
    for size, status in ((QUIET.body, 200), (QUIET.body + 1, 413)):
        content = body + b" " * (size - len(body))
        assert ask("POST", "/api/v1/board", content=content, headers=kind).status_code == status


def test_s8_a_client_that_never_finishes_its_request_blocks_nobody(server: str) -> None:
    host, port = server.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as slow:
        slow.sendall(
            b"POST /api/v1/board HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
        )
        assert httpx2.get(f"{server}/api/v1/health").status_code == 200


def test_s8_clients_that_never_finish_their_headers_block_nobody(server: str) -> None:
    host, port = server.removeprefix("http://").split(":")
    with ExitStack() as slow:
        for _ in range(50):
            connection = slow.enter_context(socket.create_connection((host, int(port))))
            connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: local")
        for _ in range(3):
            assert httpx2.get(f"{server}/api/v1/health").status_code == 200


@pytest.mark.parametrize("path", ["/", "/static/js/main.js", "/api/v1/games", "/nowhere"])
def test_s9_every_answer_carries_the_strict_headers(path: str) -> None:
    headers = ask("GET", path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_s10_the_pages_name_no_other_server() -> None:
    for path in (SOURCE / "static").rglob("*"):
        if path.is_file() and path.suffix not in (".woff2", ".png", ".LICENSE"):  # not followed
            found = re.findall(r"https?://[^\s\"'`<>)]+", path.read_text(encoding="utf-8"))
            assert all(url.startswith("http://www.w3.org/") for url in found), path


def test_s11_no_script_reads_text_as_markup() -> None:
    """But for the editor, which escapes what it colours: `tests/web/browser/test_workshop.py`."""
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet"
    forbidden = rf"{markup}|\beval\(|new Function"
    scripts = SOURCE / "static" / "js"
    editor = scripts / "vendor" / "prism-code-editor"
    for path in {*scripts.rglob("*.js")} - {*editor.rglob("*.js")}:
        assert not re.search(forbidden, path.read_text(encoding="utf-8")), path


def test_s11_the_page_has_no_script_or_style_inside_it() -> None:
    page = (SOURCE / "static" / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|style=|\son\w+=|<script>", page)


@pytest.mark.parametrize(
    "record",
    [
        "[]",
        "{}",
        "x" * 500,
        '{"game": "tictactoe"}',
        '{"game":"tictactoe","start":"tictactoe:3,3,3 .../.../... x","agents":["human"],'
        '"moves":"b2","scores":[0,0],"end":"open"}',
        '{"game":"tictactoe","start":"tictactoe:3,3,3 .../.../... x","agents":["a","b"],'
        '"moves":"b2","scores":[9,0],"end":"win"}',
        "[" * 5000,
    ],
)
def test_s12_a_saved_game_is_data_and_is_checked(record: str) -> None:
    answer = ask("POST", "/api/v1/record", json={"record": record})
    assert answer.status_code == 422
    assert answer.json()["message"]


def test_s14_no_route_accepts_code_or_files_but_from_the_owner() -> None:
    """That nobody else may use the workshop, see `tests/web/test_workshop.py`; that a student needs
    a secret link to a contest of the owner's, `tests/web/test_class.py`."""
    schema = ask("GET", "/api/openapi.json").json()
    text = str(schema)
    assert "multipart/form-data" not in text
    assert "octet-stream" not in text
    fields = {
        name
        for kind, model in schema["components"]["schemas"].items()
        for name in model.get("properties", {})
        if kind not in OWNERS_CODE
    }
    assert not fields & {"code", "source", "file", "path", "module", "script"}


def test_s16_files_are_taken_by_a_class_and_by_the_owners_workshop_alone() -> None:
    """They ask who sends before they read (`tests/web/test_class.py`); code of students runs in the
    sandbox alone."""
    paths = ask("GET", "/api/openapi.json").json()["paths"]
    taken = {
        kind
        for path in paths.values()
        for each in path.values()
        for kind in each.get("requestBody", {}).get("content", {})
    }
    assert taken == {"application/json"}
    putting = {path for path, methods in paths.items() if "put" in methods}
    ours = {"/v1/hand-in", "/v1/class/{name}/plan", "/v1/class/{name}/students"}
    assert putting == ours | {"/v1/workshop/bots/{name}"}
    for method in ("POST", "PUT"):
        answer = ask(method, "/api/v1/bots", json={"code": "print(1)"})
        assert answer.status_code == 405


def test_s20_a_forged_address_does_not_evade_the_limit() -> None:
    async def flood() -> list[int]:
        app = build_app(ServerSettings(warm=False, rate=0.5, burst=2))
        async with client(app) as asker:
            forged = [{"x-forwarded-for": f"10.0.0.{place}"} for place in range(4)]
            return [
                (await asker.get("/api/v1/health", headers=each)).status_code for each in forged
            ]

    assert asyncio.run(flood()) == [200, 200, 429, 429]
