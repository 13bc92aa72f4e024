"""The owner's token: what it opens, how a browser comes to keep it, and that nothing else does."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from papan.web.app import build_app
from papan.web.guard import LOGGER, JsonLines
from papan.web.owner import MOST_CODES, Owner
from papan.web.serving import open_browser
from papan.web.settings import LOOPBACK, ServerSettings
from tests.web.asking import QUIET, TOKEN, ask, bearing, client
from tests.web.server import Address, serving

pytestmark = pytest.mark.thorough


PROXY = "127.0.0.1"
LOCAL = replace(QUIET, jobs=0)
CLASS = LOCAL.for_a_network((*LOOPBACK, "school"))
PUBLIC = replace(LOCAL.for_strangers("papan.example.org", (PROXY,)), log=False)
TIERS = {"local": LOCAL, "class": CLASS, "public": PUBLIC}
COOKIE = "papan_owner_8321"
JOBS = "/api/v1/papers/002/jobs"
Clock = Callable[[], float]


def asked(app: Any, address: str, headers: dict[str, str]) -> list[httpx2.Response]:
    """What someone is answered who tries everything that is the owner's, with an unknown job."""

    async def questions() -> list[httpx2.Response]:
        async with client(app, address) as asker:
            asker.headers |= headers
            job, cup = f"{JOBS}/{'a' * 12}", f"/api/v1/tournaments/{'a' * 12}"
            order = {"game": "nothing", "agents": ["random", "random"], "nodes": 1}
            return [
                await asker.post("/api/v1/tournaments", json=order),
                await asker.post(f"{cup}/pause"),
                await asker.post(f"{cup}/go-on"),
                await asker.delete(cup),
                await asker.post(JOBS, json={"size": "nothing"}),
                await asker.post(f"{job}/pause"),
                await asker.post(f"{job}/go-on"),
                await asker.delete(job),
            ]

    return asyncio.run(questions())


FORGED: list[tuple[str, dict[str, str]]] = [
    ("127.0.0.1", {}),  # the same machine, or a proxy that names nobody
    ("::1", {}),
    ("127.0.0.1", {"x-forwarded-for": "127.0.0.1"}),
    ("127.0.0.1", {"x-forwarded-for": "198.51.100.7"}),
    ("192.0.2.1", {"x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1"}),
    ("127.0.0.1", bearing("a guess")),
    ("127.0.0.1", {"authorization": "Bearer "}),
    ("127.0.0.1", {"cookie": f"{COOKIE}="}),
    ("127.0.0.1", {"cookie": f"papan_owner_9={TOKEN}"}),
    ("127.0.0.1", {"cookie": f"{COOKIE}={TOKEN[:-1]}"}),
]


@pytest.mark.parametrize("tier", TIERS)
def test_r07_without_the_token_nobody_is_the_owner(tier: str, tmp_path: Path) -> None:
    app = build_app(replace(TIERS[tier], data=tmp_path))
    for address, headers in FORGED:
        refusals = {(each.status_code, each.json()["key"]) for each in asked(app, address, headers)}
        assert refusals == {(403, "jobs.not_owner")}, (address, headers)


@pytest.mark.parametrize("tier", TIERS)
def test_r07_with_the_token_one_is_the_owner_from_anywhere(tier: str, tmp_path: Path) -> None:
    app = build_app(replace(TIERS[tier], data=tmp_path))
    for proof in (bearing(TOKEN), {"cookie": f"{COOKIE}={TOKEN}"}):
        for forwarded in ({}, {"x-forwarded-for": "198.51.100.7"}):
            answers = asked(app, "127.0.0.1", proof | forwarded)
            assert {each.status_code for each in answers} == {404, 422}  # there is no such job


def test_r07_a_server_without_a_token_has_no_owner(tmp_path: Path) -> None:
    app = build_app(replace(LOCAL, data=tmp_path, token=""))
    answers = asked(app, "127.0.0.1", {"cookie": f"{COOKIE}="})
    assert {each.status_code for each in answers} == {403}


def entered(
    address: str,
    settings: ServerSettings = LOCAL,
    clock: Clock | None = None,
    headers: dict[str, str] | None = None,
) -> list[httpx2.Response]:
    """The answers to a first browser, to a second one, and to the first again, for an *address*."""
    owner = Owner(settings, clock or (lambda: 0))
    app, path = build_app(settings, owner=owner), address.replace("CODE", owner.code())

    async def questions() -> list[httpx2.Response]:
        async with client(app) as first, client(app) as second:
            return [await each.get(path, headers=headers) for each in (first, second, first)]

    return asyncio.run(questions())


def test_z4_an_address_with_a_code_leaves_the_token_in_a_cookie_once() -> None:
    answer, other, again = entered("/arena?code=CODE&moves=b2+a1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/arena?moves=b2+a1")
    parts = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}
    assert {f"{COOKIE}={TOKEN}", "httponly", "samesite=strict", "path=/"} <= parts
    assert "secure" not in parts
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert (other.status_code, again.status_code) == (403, 303)
    assert again.headers["location"] == answer.headers["location"]
    assert "set-cookie" not in {*other.headers, *again.headers}
    assert entered("/?code=CODE")[0].headers["location"] == "/"


def test_z4_a_preview_does_not_use_a_code_up() -> None:
    owner = Owner(LOCAL)
    app, address = build_app(LOCAL, owner=owner), f"/?code={owner.code()}"

    async def questions() -> list[int]:
        async with client(app) as asker:
            return [(await ask(address)).status_code for ask in (asker.head, asker.get)]

    assert asyncio.run(questions()) == [200, 303]


def test_z4_a_code_is_of_no_use_after_ten_minutes() -> None:
    times = iter([0.0, 599.0, *[601.0] * 2])
    assert entered("/?code=CODE", clock=lambda: next(times))[0].status_code == 303
    times = iter([0.0, *[601.0] * 3])
    late, *_ = entered("/?code=CODE", clock=lambda: next(times))
    assert late.status_code == 403


def test_r07_through_tls_the_cookie_never_travels_in_the_clear() -> None:
    answer, *_ = entered("/?code=CODE", PUBLIC, headers={"x-forwarded-proto": "https"})
    assert "secure" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize("code", ["", "a-guess", TOKEN, "%ff", "é"])
def test_r07_a_wrong_code_opens_nothing_and_says_so(code: str) -> None:
    for answer in entered(f"/?code={code}"):
        assert answer.status_code == 403
        assert "papan serve" in answer.text
        assert "set-cookie" not in answer.headers


def test_z4_the_token_in_an_address_opens_nothing() -> None:
    for answer in entered(f"/?token={TOKEN}"):
        assert (answer.status_code, answer.headers.get("set-cookie")) == (200, None)


def test_z4_only_the_owner_gets_more_codes_and_the_newest_are_kept() -> None:
    owner = Owner(LOCAL)
    app = build_app(LOCAL, owner=owner)

    async def questions() -> tuple[int, list[str], list[int]]:
        async with client(app) as guest, client(app, token=TOKEN) as asker:
            refused = await guest.post("/api/v1/owner/codes")
            given = [await asker.post("/api/v1/owner/codes") for _ in range(MOST_CODES + 1)]
            codes = [each.json()["address"].removeprefix("/?code=") for each in given]
            entries = [await guest.get(f"/?code={code}") for code in codes]
        return refused.status_code, codes, [each.status_code for each in entries]

    refused, codes, entries = asyncio.run(questions())
    assert refused == 403
    assert len({*codes}) == MOST_CODES + 1
    assert all(len(code.replace("-", "")) == 16 for code in codes)  # 80 bits, for one minute
    assert entries == [403, *[303] * MOST_CODES]


def test_r07_the_token_is_new_for_each_server_and_in_no_text_of_its_settings() -> None:
    first, second = ServerSettings(), ServerSettings()
    assert first.token != second.token
    assert len(first.token) >= 22  # 128 bits
    assert first.token not in repr(first)


def test_z4_a_server_prints_a_code_and_its_token_dies_with_it(tmp_path: Path) -> None:
    def is_owner(address: Address, headers: dict[str, str]) -> Any:
        return httpx2.get(f"{address}/api/v1/papers/002", headers=headers).json()["yours"]

    with serving(tmp_path) as (first, _):
        kept = tmp_path / "owner.json"
        assert kept.stat().st_mode & 0o077 == 0
        assert (tmp_path / "in-charge").stat().st_mode & 0o077 == 0  # nobody else can lock it
        assert first.token in kept.read_text()
        assert first.code and first.token not in first.code
        assert first.exchange(first.code) == first.token
        assert first.exchange(first.code) == ""
        assert is_owner(first, first.owner) is True
        assert is_owner(first, {}) is False
    assert not kept.exists()
    another = ServerSettings(data=tmp_path, warm=False)
    answer = ask("GET", "/api/v1/papers/002", another, headers=first.owner)
    assert answer.json()["yours"] is False


def test_z4_the_browser_is_opened_without_a_secret_in_its_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    open_browser(tmp_path, "http://127.0.0.1:1/?code=a&b")
    page = tmp_path / "open.html"
    assert opened == [page.as_uri()]
    assert page.stat().st_mode & 0o077 == 0
    assert 'content="0;url=http://127.0.0.1:1/?code=a&amp;b"' in page.read_text()
    open_browser(tmp_path / "nowhere", "http://127.0.0.1:1/?code=a")  # where nothing can be kept
    assert opened[1:] == ["http://127.0.0.1:1/"]


def test_z4_no_log_and_no_link_of_a_room_has_the_code_or_the_token(
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = replace(LOCAL, log=True)
    owner = Owner(settings)
    app, code = build_app(settings, owner=owner), owner.code()

    async def questions() -> str:
        async with client(app, token=TOKEN) as asker:
            await asker.get(f"/room?code={code}")
            return (await asker.post("/api/v1/rooms?code=x", json={"start": "tictactoe"})).text

    with caplog.at_level("INFO", LOGGER.name):
        LOGGER.addHandler(caplog.handler)
        room = asyncio.run(questions())
        LOGGER.removeHandler(caplog.handler)
    lines = "".join(JsonLines().format(each) for each in caplog.records)
    assert '"kind": "/room"' in lines
    for secret in (code, TOKEN):
        assert secret not in lines + room
