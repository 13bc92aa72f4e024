"""The guard in front of the app, asked without one: limits to the byte, statuses, headers, log."""

import asyncio
import json
import logging
import sys
from dataclasses import replace
from typing import Any

import pytest

from papan.web import guard
from papan.web.guard import (
    HEADERS,
    AddressSlots,
    JsonLines,
    Quota,
    RequestGuard,
    ResponseLog,
    TokenBuckets,
    network_of,
    request_kind,
)
from papan.web.settings import DAY, ServerSettings

LIMITS = ServerSettings(head=60, body=10, upload=30, rate=0, token="secret")
OK = {"type": "http.response.start", "status": 200, "headers": [(b"x-own", b"1")]}


def request(method: str = "GET", path: str = "/", **others: Any) -> dict[str, Any]:
    """A request to localhost, unless its headers say otherwise."""
    headers = {"host": "localhost"} | others.pop("headers", {})
    pairs = [(name.encode(), text.encode()) for name, text in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode()}
    return scope | {"headers": pairs, "client": ("10.0.0.1", 1), "query_string": b""} | others


def answered(guarded: Any, scope: dict[str, Any], *parts: bytes) -> list[Any]:
    """The messages that are sent to a client whose body comes in *parts*."""
    sent: list[Any] = []
    coming = [*parts] or [b""]

    async def receive() -> dict[str, Any]:
        body = coming.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(coming)}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(guarded(scope, receive, send))
    return sent


async def reading(scope: Any, receive: Any, send: Any) -> None:
    """An app that reads the whole body and answers with its length."""
    length, more = 0, True
    while more:
        message = await receive()
        length += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send(OK)
    await send({"type": "http.response.body", "body": str(length).encode()})


def status(scope: dict[str, Any], *parts: bytes, settings: ServerSettings = LIMITS) -> int:
    """The status of the answer to the owner, if the request names one, or to a stranger."""
    owns = RequestGuard(reading, settings, lambda asker: "x-owner" in asker.headers)
    start, *_ = answered(owns, scope, *parts)
    found: int = start["status"]
    return found


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 200),
        ({"path": "*"}, 400),
        ({"path": "/" * 47}, 200),  # with 13 bytes of one header
        ({"path": "/" * 48}, 431),
        ({"path": "/" * 46, "query_string": b"a"}, 200),
        ({"path": "/" * 46, "query_string": b"ab"}, 431),
        ({"headers": {"x": "a" * 45}}, 200),
        ({"headers": {"x": "a" * 46}}, 431),
        ({"headers": {"host": "LOCALHOST:80"}}, 200),
        ({"headers": {"host": "localhost:x"}}, 421),
        ({"headers": {"host": "[::1]:80"}}, 200),
        ({"headers": {"host": "::1"}}, 421),
        ({"headers": {"origin": "https://evil"}}, 200),  # it only reads
        ({"method": "HEAD", "headers": {"origin": "https://evil"}}, 200),
        ({"method": "OPTIONS", "headers": {"origin": "https://evil"}}, 200),
        ({"method": "POST", "headers": {"origin": "https://evil"}}, 403),
        ({"method": "DELETE", "headers": {"origin": "null"}}, 403),
        ({"method": "POST", "headers": {"origin": "https://localhost"}}, 200),
        ({"method": "POST", "headers": {"origin": "http://localhost:1"}}, 403),
        ({"method": "POST", "headers": {"content-length": "10"}}, 200),
        ({"method": "POST", "headers": {"content-length": "11"}}, 413),
        ({"method": "POST", "headers": {"content-length": "1e1"}}, 413),
        ({"method": "PUT", "headers": {"content-length": "11"}}, 413),
        ({"method": "PUT", "headers": {"content-length": "30", "x-owner": ""}}, 200),
        ({"method": "PUT", "headers": {"content-length": "31", "x-owner": ""}}, 413),
        ({"method": "POST", "headers": {"content-length": "11", "x-owner": ""}}, 413),
    ],
)
def test_a_request_is_refused_by_the_first_rule_that_it_breaks(
    changes: dict[str, Any], expected: int
) -> None:
    assert status(request(**changes)) == expected


@pytest.mark.parametrize(
    ("method", "path", "owner", "most"),
    [
        ("POST", "/files", False, 10),
        ("POST", "/files", True, 30),
        ("PUT", "/files", False, 10),
        ("PUT", "/other", True, 30),
        ("POST", "/other", True, 10),
        ("PUT", "/student", False, 30),
        ("PUT", "/student", True, 30),
        ("POST", "/student", True, 10),
    ],
)
def test_the_owner_and_students_send_files_where_files_belong(
    method: str, path: str, owner: bool, most: int
) -> None:
    settings = replace(LIMITS, head=999, file_paths=("/files",), student_paths=("/student",))
    headers = {"x-owner": ""} if owner else {}
    for size, expected in ((most, 200), (most + 1, 413)):
        announced = request(method, path, headers=headers | {"content-length": str(size)})
        assert status(announced, settings=settings) == expected
        hidden = request(method, path, headers=headers)
        parts = (b"x" * (size - 4), b"", b"xxxx")
        assert status(hidden, *parts, settings=settings) == expected


def test_a_body_that_is_too_long_gets_one_answer_with_its_limit_and_all_headers() -> None:
    start, body = answered(RequestGuard(reading, LIMITS), request("POST"), b"12345678", b"901")
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert start["status"] == 413 and headers.items() >= HEADERS.items()
    facts = json.loads(body["body"])
    assert (facts["key"], facts["values"]) == ("web.too_large", {"most": 10})


def test_an_answer_keeps_its_own_headers_beside_those_of_the_guard() -> None:
    start, body = answered(RequestGuard(reading, LIMITS), request("POST"), b"1234567890")
    assert body["body"] == b"10"
    assert {name.decode(): value.decode() for name, value in start["headers"]} == {
        "x-own": "1",
        "content-security-policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
            "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'"
        ),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "x-frame-options": "DENY",
    }


@pytest.mark.parametrize(
    ("proxies", "key", "values"),
    [
        ((), "web.wrong_host", {"hosts": "127.0.0.1, localhost, [::1]"}),
        (("10.9.8.7",), "web.wrong_name", {}),
    ],
)
def test_a_public_server_does_not_list_its_names(
    proxies: tuple[str, ...], key: str, values: dict[str, str]
) -> None:
    guarded = RequestGuard(reading, replace(LIMITS, proxies=proxies))
    start, body = answered(guarded, request(headers={"host": "evil"}))
    facts = json.loads(body["body"])
    assert (start["status"], facts["key"], facts["values"]) == (421, key, values)


def test_a_refused_request_costs_no_token_but_for_one_that_came_too_often() -> None:
    guarded = RequestGuard(reading, replace(LIMITS, rate=0.001, burst=2))
    statuses = [
        answered(guarded, scope)[0]["status"]
        for scope in (
            request(headers={"host": "evil"}),
            request(headers={"content-length": "99"}),
            request(),
            request(),
            request(),
            request(client=("10.0.0.2", 1)),
        )
    ]
    assert statuses == [421, 413, 200, 200, 429, 200]


def test_a_web_socket_counts_as_a_change_and_as_a_request() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})

    guarded = RequestGuard(app, replace(LIMITS, rate=0.001, burst=1))
    kinds = []
    for headers in ({"origin": "https://evil"}, {"origin": "http://localhost"}, {}):
        scope = request(headers=headers)
        del scope["method"]
        kinds.append(answered(guarded, scope | {"type": "websocket"}))
    closed = {"type": "websocket.close", "code": 1008}
    assert kinds == [[closed], [{"type": "websocket.accept"}], [closed]]


def test_what_is_no_request_is_let_through() -> None:
    passed: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        passed.append(scope)

    for guarded in (RequestGuard(app, LIMITS), ResponseLog(app)):
        assert answered(guarded, {"type": "lifespan"}) == []
    assert passed == [{"type": "lifespan"}] * 2


# Rates, quotas and slots.


def test_a_bucket_gives_what_came_back_and_says_how_long_the_rest_takes() -> None:
    buckets = TokenBuckets(rate=0.5, burst=2)
    waits = [buckets.wait("a", now) for now in (10, 10, 10, 11, 12, 12, 100, 100, 100)]
    assert waits == [0, 0, 2, 1, 0, 2, 0, 0, 2]
    assert TokenBuckets(rate=0, burst=0).wait("a") == 0


def test_the_address_that_has_not_asked_for_longest_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "MOST_ADDRESSES", 2)
    buckets = TokenBuckets(rate=1, burst=1)
    asked = [buckets.wait(name, now=0) for name in "abacab"]
    assert asked == [0, 0, 1, 0, 1, 0]  # b was forgotten for c


def test_a_quota_is_spent_to_the_second_and_forgotten_at_each_day() -> None:
    quota = Quota(10)
    quota.spend("a", 4, now=5)
    quota.spend("a", 6, now=6)
    quota.spend("b", 9.5, now=6)
    assert [quota.wait(name, now=DAY - 1) for name in "ab"] == [1, 0]
    assert quota.wait("a", now=DAY) == 0
    quota.spend("a", 10, now=DAY)
    assert quota.wait("a", now=DAY) == DAY
    quota.spend("b", 3, now=2 * DAY)
    assert quota.wait("a", now=2 * DAY) == 0


def test_work_of_one_address_waits_for_a_slot_and_that_of_another_does_not() -> None:
    async def work() -> list[str]:
        slots, begun, ends = AddressSlots(2), list[str](), asyncio.Event()

        async def one(name: str, address: str) -> None:
            async with slots.slot_of({"client": (address, 1)}):
                begun.append(name)
                await ends.wait()

        assert slots.is_idle
        tasks = [
            asyncio.create_task(one(name, address))
            for name, address in (
                ("a", "10.0.0.1"),
                ("b", "10.0.0.1"),
                ("c", "10.0.0.1"),
                ("d", "10.0.0.2"),
            )
        ]
        while len(begun) < 3:
            await asyncio.sleep(0)
        assert not slots.is_idle and begun == ["a", "b", "d"]
        ends.set()
        await asyncio.gather(*tasks)
        assert slots.is_idle
        return begun

    assert asyncio.run(work()) == ["a", "b", "d", "c"]


# Names.


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:ffff::", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::7", "2001:db8:0:2::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("", "unknown"),
        ("school", "unknown"),
    ],
)
def test_an_address_is_its_network(host: str, network: str) -> None:
    assert network_of(host) == network


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "/"),
        ("/help", "/help"),
        ("/help/dots", "/help"),
        ("/api", "/api"),
        ("/api/v1", "/api/v1"),
        ("/api/v1/rooms/abcd", "/api/v1/rooms"),
        ("/apis/v1/rooms", "/apis"),
        ("help", ""),
        ("", ""),
    ],
)
def test_a_log_names_the_kind_of_a_path(path: str, kind: str) -> None:
    assert request_kind(path) == kind


# The log.


class Kept(logging.Handler):
    """Keeps the lines of a log."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(JsonLines().format(record)))


def test_a_response_is_one_line_when_it_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, times = Kept(), iter([1.0, 1.25, 2.0, 2.0004, 3.0, 3.0])
    monkeypatch.setattr(guard, "perf_counter", lambda: next(times))
    monkeypatch.setattr(guard.LOGGER, "handlers", [kept])
    monkeypatch.setattr(guard.LOGGER, "level", logging.INFO)

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise ZeroDivisionError

    refusing = RequestGuard(reading, LIMITS)
    answered(ResponseLog(reading), request("POST", "/api/v1/rooms/secret"), b"x")
    answered(ResponseLog(refusing), request(headers={"host": "evil"}))
    with pytest.raises(ZeroDivisionError):
        answered(ResponseLog(broken), request(path="/play/dots"))
    assert [{name: line[name] for name in line if name != "time"} for line in kept.lines] == [
        {"level": "info", "event": "answer", "method": method, "kind": kind, "status": status}
        | {"ms": ms}
        for method, kind, status, ms in (
            ("POST", "/api/v1/rooms", 200, 250),
            ("GET", "/", 421, 0),
            ("GET", "/play", 0, 0),
        )
    ]


def test_a_line_of_the_log_has_time_level_event_and_the_traceback_of_an_error() -> None:
    def line(error: Any = None) -> dict[str, Any]:
        record = logging.LogRecord("papan", logging.WARNING, "", 1, "%s é", ("so",), error)
        record.created = 1_800_000_000.5
        found: dict[str, Any] = json.loads(JsonLines().format(record))
        return found

    plain = {"time": "2027-01-15T08:00:00.500+00:00", "level": "warning", "event": "so é"}
    assert line() == plain
    try:
        raise KeyError("name")
    except KeyError:
        found = line(sys.exc_info())
    assert found.pop("error").endswith("KeyError: 'name'") and found == plain
