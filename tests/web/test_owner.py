"""The owner's token: what it opens, how a browser comes to keep it, and that nothing else does."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from papan.web.app import build
from papan.web.settings import LOOPBACK, Settings
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
    app = build(replace(TIERS[tier], data=tmp_path))
    for address, headers in FORGED:
        refusals = {(each.status_code, each.json()["key"]) for each in asked(app, address, headers)}
        assert refusals == {(403, "jobs.not_owner")}, (address, headers)


@pytest.mark.parametrize("tier", TIERS)
def test_r07_with_the_token_one_is_the_owner_from_anywhere(tier: str, tmp_path: Path) -> None:
    app = build(replace(TIERS[tier], data=tmp_path))
    for proof in (bearing(TOKEN), {"cookie": f"{COOKIE}={TOKEN}"}):
        for forwarded in ({}, {"x-forwarded-for": "198.51.100.7"}):
            answers = asked(app, "127.0.0.1", proof | forwarded)
            assert {each.status_code for each in answers} == {404, 422}  # there is no such job


def test_r07_a_server_without_a_token_has_no_owner(tmp_path: Path) -> None:
    app = build(replace(LOCAL, data=tmp_path, token=""))
    answers = asked(app, "127.0.0.1", {"cookie": f"{COOKIE}="})
    assert {each.status_code for each in answers} == {403}


def entered(path: str, settings: Settings = LOCAL, **headers: str) -> httpx2.Response:
    return ask("GET", path, replace(settings, token=TOKEN), headers=headers)


def test_r07_an_address_with_the_token_leaves_a_cookie_and_loses_it() -> None:
    answer = entered(f"/arena?token={TOKEN}&moves=b2+a1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/arena?moves=b2+a1")
    parts = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}
    assert {f"{COOKIE}={TOKEN}", "httponly", "samesite=strict", "path=/"} <= parts
    assert "secure" not in parts
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert entered(f"/?token={TOKEN}").headers["location"] == "/"


def test_r07_through_tls_the_cookie_never_travels_in_the_clear() -> None:
    answer = entered(f"/?token={TOKEN}", PUBLIC, **{"x-forwarded-proto": "https"})
    assert "secure" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize("token", ["", "a-guess", TOKEN.upper(), "%ff", "é"])
def test_r07_a_wrong_token_opens_nothing_and_says_so(token: str) -> None:
    answer = entered(f"/?token={token}")
    assert (answer.status_code, answer.json()["key"]) == (403, "web.wrong_token")
    assert "set-cookie" not in answer.headers


def test_r07_the_token_is_new_for_each_server_and_in_no_text_of_its_settings() -> None:
    first, second = Settings(), Settings()
    assert first.token != second.token
    assert len(first.token) >= 22  # 128 bits
    assert first.token not in repr(first)


def test_r07_a_server_prints_its_token_and_keeps_it_for_its_user_alone(tmp_path: Path) -> None:
    def is_owner(address: Address, headers: dict[str, str]) -> Any:
        return httpx2.get(f"{address}/api/v1/papers/002", headers=headers).json()["yours"]

    with serving(tmp_path) as (first, _):
        assert is_owner(first, first.owner) is True
        assert is_owner(first, {}) is False
        assert (tmp_path / "owner.json").stat().st_mode & 0o077 == 0
    with serving(tmp_path) as (second, _):  # cookies outlive a restart
        assert second.token == first.token
