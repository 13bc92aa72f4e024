"""How much one address may ask for, in each of the three tiers."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from papan.core.message import Message
from papan.lab.machine import cores
from papan.web import network
from papan.web.app import build_app
from papan.web.guard import Quota, TokenBuckets, client_address, request_kind
from papan.web.search_queue import SearchQueue
from papan.web.settings import DAY, LOOPBACK, ServerSettings
from papan.web.wire import refusal
from tests.cli.conftest import Papan
from tests.web.asking import QUIET, ask, client, thought

pytestmark = pytest.mark.thorough

PROXY = "10.9.8.7"
PUBLIC = replace(QUIET, log=False).for_strangers("papan.example.org", (PROXY,))


def test_s5_who_has_used_the_day_up_waits_for_the_next() -> None:
    quota = Quota(10)
    assert quota.wait("a", now=DAY + 100) == 0
    quota.spend("a", 9, now=DAY + 100)
    assert quota.wait("a", now=DAY + 100) == 0
    quota.spend("a", 3, now=DAY + 200)
    assert quota.wait("a", now=DAY + 400) == DAY - 400
    assert quota.wait("b", now=DAY + 400) == 0
    assert quota.wait("a", now=2 * DAY + 1) == 0


def test_s5_a_calendar_that_jumps_gives_nobody_another_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quota = Quota(10)
    quota.spend("a", 11)
    monkeypatch.setattr("papan.web.guard.time", lambda: 400 * DAY, raising=False)
    assert 0 < quota.wait("a") <= DAY


def test_s5_without_a_quota_nobody_waits() -> None:
    quota = Quota(0)
    quota.spend("a", 10**9)
    assert quota.wait("a") == 0


def test_v05_14_a_long_pause_gives_the_burst_and_no_more() -> None:
    buckets = TokenBuckets(rate=10, burst=3)
    assert [bool(buckets.wait("a", now=0)) for _ in range(4)] == [False, False, False, True]
    assert [bool(buckets.wait("a", now=3600)) for _ in range(4)] == [False, False, False, True]


def asked(settings: ServerSettings, test: Callable[[Any, SearchQueue], Awaitable[None]]) -> None:
    """Run a test with an app whose queue has no worker: searches wait for ever."""

    async def run() -> None:
        queue = SearchQueue(settings)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("papan.web.app.SearchQueue", lambda *_, **__: queue)
            app = build_app(settings)
        await test(app, queue)

    asyncio.run(run())


def think(asker: httpx2.AsyncClient, **headers: str) -> Any:
    body = {"start": "tictactoe", "agent": "random"}
    return asker.post("/api/v1/think", json=body, headers=headers)


def test_s5_a_search_beyond_the_quota_is_told_when_to_come_back() -> None:
    async def test(app: Any, queue: SearchQueue) -> None:
        queue.quota.spend("10.0.0.1", 700)
        async with client(app, "10.0.0.1") as asker:
            answer = await think(asker)
        assert (answer.status_code, answer.json()["key"]) == (429, "web.quota_spent")
        assert 1 <= int(answer.headers["retry-after"]) <= DAY

    asked(PUBLIC, test)


def test_s6_a_full_queue_is_503_and_says_when_to_come_back() -> None:
    async def test(app: Any, queue: SearchQueue) -> None:
        for number in range(PUBLIC.workers + PUBLIC.queue):
            queue.admit(thought("tictactoe", "random", 1), f"10.0.1.{number}")
        async with client(app) as asker:
            answer = await think(asker)
        assert (answer.status_code, answer.json()["key"]) == (503, "web.busy")
        assert int(answer.headers["retry-after"]) >= 1

    asked(PUBLIC, test)


def test_s4_the_fourth_search_of_one_address_is_429() -> None:
    async def test(app: Any, queue: SearchQueue) -> None:
        for _ in range(3):
            queue.admit(thought("tictactoe", "random", 1), "10.0.0.1")
        async with client(app, "10.0.0.1") as one, client(app, PROXY) as proxy:
            assert (await think(one)).json()["key"] == "web.too_many_searches"
            through = {"x-forwarded-for": "10.0.0.1"}
            assert (await think(proxy, **through)).json()["key"] == "web.too_many_searches"

    asked(PUBLIC, test)


@pytest.mark.parametrize(
    ("comes_from", "forwarded", "expected"),
    [
        ("192.0.2.1", "10.0.0.{}", [200, 200, 429, 429]),  # a stranger forges
        (PROXY, "198.51.100.{}", [200, 200, 200, 200]),  # a proxy tells four guests apart
        (PROXY, "10.0.0.{}, 203.0.113.9", [200, 200, 429, 429]),  # a guest of the proxy forges
    ],
)
def test_s20_only_a_known_proxy_is_believed(
    comes_from: str, forwarded: str, expected: list[int]
) -> None:
    async def flood() -> list[int]:
        app = build_app(replace(PUBLIC, rate=0.001, burst=2))
        async with client(app, comes_from) as asker:
            headers = [{"x-forwarded-for": forwarded.format(place)} for place in range(4)]
            answers = [await asker.get("/api/v1/health", headers=each) for each in headers]
        return [answer.status_code for answer in answers]

    assert asyncio.run(flood()) == expected


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("a socket", "unknown"),
    ],
)
def test_s4_a_network_counts_as_one_address(host: str, name: str) -> None:
    assert client_address({"client": (host, 1)}) == name


def test_s6_strangers_get_less_than_a_class_and_a_class_less_than_the_owner() -> None:
    local, network = ServerSettings(), ServerSettings().for_a_network((*LOOPBACK, "school"))
    assert local.most_seconds > network.most_seconds >= PUBLIC.most_seconds
    assert network.most_seconds <= 10
    assert network.worker_memory <= 1024
    assert (network.searches, network.at_once, network.queue) == (3, 1, 16)
    assert not local.quota
    assert not network.quota
    assert PUBLIC.quota
    assert PUBLIC.hosts == (*LOOPBACK, "papan.example.org")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--public", "papan.example.org"], "--public and --proxy go together"),
        (["--proxy", "127.0.0.1"], "--public and --proxy go together"),
        (["--public", "papan.example.org", "--proxy", "*"], "* is no address of a proxy"),
    ],
)
def test_s20_a_proxy_is_named_or_there_is_none(
    options: list[str], message: str, papan: Papan
) -> None:
    done = papan("serve", "--no-browser", *options)
    assert done.code == 2
    assert done.err.startswith(message)


def test_s18_a_log_tells_no_codes() -> None:
    assert request_kind("/room/secret") == "/room"
    assert request_kind("/api/v1/think/secret/stop") == "/api/v1/think"
    assert request_kind("/") == "/"


def test_y7_a_public_server_knows_its_name_however_it_is_capitalised() -> None:
    settings = replace(QUIET.for_strangers("Papan.Example.ORG", (PROXY,)), log=False)
    for host in ("papan.example.org", "Papan.Example.ORG:443"):
        answer = ask("GET", "/api/v1/health", settings, headers={"host": host})
        assert answer.status_code == 200, host


def test_y7_a_public_server_grants_each_address_ten_minutes_a_day() -> None:
    quota = Quota(PUBLIC.quota)
    quota.spend("a", 599, now=DAY)
    assert quota.wait("a", now=DAY) == 0
    quota.spend("a", 1, now=DAY)
    assert quota.wait("a", now=DAY) == DAY


OWN: dict[str, object] = {
    "port": 8321,
    "spare": 1,
    "queue": 16,
    "longest_wait": 300,
    "searches": 8,
    "at_once": 8,
    "quota": 0,
    "most_seconds": 60,
    "grace": 5,
    "silence": 60,
    "warm": True,
    "most_memory": 512,
    "worker_memory": 2048,
    "connections": 500,
    "all_connections": 900,
    "slow_seconds": 20,
    "head": 16_384,
    "body": 16_384,
    "upload": 1_048_576,
    "rate": 100,
    "burst": 400,
    "jobs": 1,
    "waiting_jobs": 8,
    "kept_jobs": 200,
    "contests": (),
    "log": False,
    "proxies": (),
    "hosts": ("127.0.0.1", "localhost", "[::1]"),
    "file_paths": ("/api/v1/workshop/runs",),
    "student_paths": ("/api/v1/hand-in",),
}
NETWORK: dict[str, object] = {
    "connections": 100,
    "searches": 3,
    "at_once": 1,
    "most_seconds": 10,
    "most_memory": 256,
    "worker_memory": 1024,
}
STRANGERS: dict[str, object] = NETWORK | {
    "most_seconds": 5,
    "quota": 600,
    "log": True,
    "proxies": (PROXY,),
}
ROOMS: dict[str, object] = {
    "rooms": 1000,
    "from_one": 100,
    "spectators": 50,
    "tabs": 20,
    "sockets": 500,
}


@pytest.mark.parametrize("kind", ["own", "network", "strangers"])
def test_y7_every_limit_of_each_kind_of_server_is_as_it_was_decided(kind: str) -> None:
    own = ServerSettings()
    kinds: dict[str, tuple[ServerSettings, dict[str, object], dict[str, object]]] = {
        "own": (own, {}, {}),
        "network": (
            own.for_a_network(("a", "b")),
            NETWORK | {"hosts": ("a", "b")},
            {"sockets": 100},
        ),
        "strangers": (
            own.for_strangers("Papan.org", (PROXY,)),
            STRANGERS | {"hosts": (*LOOPBACK, "papan.org")},
            {"sockets": 100, "from_one": 20},
        ),
    }
    settings, changed, rooms = kinds[kind]
    decided = OWN | changed
    others = {"workers", "rooms", "data", "token"}
    assert {key: each for key, each in vars(settings).items() if key not in others} == decided
    assert vars(settings.rooms) == ROOMS | {"idle": 7 * 24 * 3600} | rooms
    assert settings.workers == (max(2, cores() - 1) if kind == "own" else max(1, cores() - 1))
    assert settings.data == own.data and settings.token == own.token
    assert len({ServerSettings().token for _ in range(3)}) == 3
    assert own.token not in repr(own)


@pytest.mark.parametrize(("count", "workers"), [(1, 1), (2, 1), (8, 7)])
def test_a_network_is_served_by_all_cores_but_one(
    monkeypatch: pytest.MonkeyPatch, count: int, workers: int
) -> None:
    monkeypatch.setattr("papan.web.settings.cores", lambda: count)
    own = ServerSettings()
    assert own.for_a_network(()).workers == own.for_strangers("a", ()).workers == workers


@pytest.mark.parametrize(
    ("plain", "in_urls"), [("::1", "[::1]"), ("127.0.0.1", "127.0.0.1"), ("a.org", "a.org")]
)
def test_y7_only_addresses_with_colons_have_brackets_in_urls(plain: str, in_urls: str) -> None:
    assert (network.bracketed(plain), network.bare(in_urls)) == (in_urls, plain)


def test_y7_addresses_of_this_machine_are_listed_once_the_usual_one_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    towards = {
        "192.0.2.1": "192.168.1.5",
        "192.168.255.255": "192.168.1.5",
        "10.255.255.255": "10.1.1.1",
        "172.31.255.255": None,
    }
    monkeypatch.setattr(network, "address_towards", towards.get)
    monkeypatch.setattr("socket.gethostname", lambda: "School")
    assert network.own_addresses() == ["192.168.1.5", "10.1.1.1"]
    names = ("127.0.0.1", "localhost", "[::1]", "[::]", "school", "school.local", "192.168.1.5")
    assert network.host_names("::") == names
    monkeypatch.setattr(network, "address_towards", lambda destination: "127.0.0.1")
    assert network.own_addresses() == []
    monkeypatch.setattr(network, "address_towards", lambda destination: None)
    assert network.own_addresses() == []
    assert network.host_names("0.0.0.0")[-1] == "0.0.0.0"


@pytest.mark.parametrize("status", [400, 404, 422, 429, 503])
def test_y7_whoever_shall_come_back_is_told_when(status: int) -> None:
    answers = [refusal(status, Message("web.paused", facts)) for facts in ({}, {"seconds": 9})]
    waits = [each.headers.get("retry-after") for each in answers]
    assert waits == (["2", "9"] if status in (429, 503) else [None, None])
    assert [each.status_code for each in answers] == [status, status]
    assert set(json.loads(bytes(answers[1].body))) == {"key", "values", "message"}
