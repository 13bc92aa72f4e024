"""Two servers on one data folder: one is in charge of it, the other one says where that one is."""

import asyncio
import gc
import io
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from papan.web import owner
from papan.web.owner import FolderInUse, FolderLock, link_page
from papan.web.wire import Refused
from tests.cli.conftest import Papan
from tests.web.asking import QUIET, TOKEN, alive, ask, client
from tests.web.server import serving
from tests.web.test_rooms import pair

pytestmark = pytest.mark.thorough


def test_r05_a_second_server_opens_the_page_of_the_first_and_no_move_is_lost(
    tmp_path: Path, papan: Papan
) -> None:
    second = ("serve", "--no-browser", "--data", str(tmp_path))
    with serving(tmp_path) as (address, _):
        ann, ben = pair(address)
        with ann.live() as one, ben.live() as other:
            one.say("move", move="b2", ply=0)
            other.after(1)
            again = papan(*second)
            assert again.code == 0
            url, _, code = again.out.strip().partition("/?code=")
            assert (url, address.exchange(code)) == (address, address.token)
            assert "already running" in again.err
            assert "opened" not in again.err  # E18: no browser was asked for
            assert address.token not in again.out + again.err
            refused = papan(*second, "--port", "0")
            assert (refused.code, refused.out) == (2, "")
            assert refused.err.startswith("Another papan server keeps its data in ")
            assert address.token not in refused.err
            other.say("move", move="a1", ply=1)
            one.after(2)
    kept = ask("GET", f"/api/v1/rooms/{ann.code}", replace(QUIET, data=tmp_path))
    assert kept.json()["board"]["moves"] == ["b2", "a1"]


def test_r05_a_folder_has_one_server_at_a_time(tmp_path: Path) -> None:
    first, second = FolderLock(tmp_path), FolderLock(tmp_path)
    first.take()
    first.take()  # has it already
    first.announce("http://127.0.0.1:1/", "secret")
    with pytest.raises(FolderInUse) as other:
        second.take()
    assert (other.value.url, other.value.token) == ("http://127.0.0.1:1/", "secret")
    assert "secret" not in str(other.value)
    first.close()
    assert not (tmp_path / "owner.json").exists()
    second.take()
    second.close()


def test_r05_an_app_does_not_start_where_another_one_is_in_charge(tmp_path: Path) -> None:
    async def start() -> None:
        async with alive(replace(QUIET, workers=0, data=tmp_path)):
            pass

    first = FolderLock(tmp_path)
    first.take()
    first.announce("http://127.0.0.1:1/", "secret")
    with pytest.raises(FolderInUse):
        asyncio.run(start())
    first.close()


def test_r08_a_folder_that_cannot_be_written_is_told_and_hinders_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way of a folder")
    order = {"game": "tictactoe", "agents": ["random", "random"], "nodes": 1}

    async def questions() -> list[httpx2.Response]:
        settings = replace(QUIET, workers=0, data=tmp_path / "file")
        async with alive(settings) as app, client(app, token=TOKEN) as owner:
            return [
                await owner.post("/api/v1/board", json={"start": "tictactoe"}),
                await owner.post("/api/v1/tournaments", json=order),
                await owner.post("/api/v1/rooms", json={"start": "tictactoe"}),
            ]

    board, refused, room = asyncio.run(questions())
    assert board.status_code == 200
    assert (refused.status_code, refused.json()["key"]) == (503, "serve.cannot_keep")
    assert str(tmp_path) not in refused.text
    assert (room.status_code, room.json()["key"]) == (422, "room.cannot_keep")


def test_r08_what_lacks_to_keep_things_is_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("in the way of a folder")
    lock = FolderLock(path)
    lock.take()
    with pytest.raises(Refused, match="cannot write to its data folder"):
        lock.require()
    path.unlink()
    lock.require()
    assert lock.lacking is None
    lock.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows knows other rights")
def test_z9_only_its_owner_can_lock_the_folder_of_a_server(tmp_path: Path) -> None:
    lock = tmp_path / "in-charge"
    lock.touch(0o644)  # as it was once, for everyone to read and so to lock
    held = FolderLock(tmp_path)
    held.take()
    held.close()
    assert lock.stat().st_mode & 0o777 == 0o600


def test_z9_the_lock_of_a_folder_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "in-charge").symlink_to(tmp_path / "elsewhere")
    held = FolderLock(tmp_path)
    held.take()
    assert held.lacking is not None
    assert held.lacking.key == "error.not_regular"
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("kept", "facts"),
    [
        ('{"url": "http://x/", "token": "t"}', ("http://x/", "t")),
        ('{"url": "http://x/", "token": 7}', ("http://x/", "")),
        ('{"url": "", "token": "t"}', ("", "t")),
        ("[1]", ("", "")),
        ("nonsense", ("", "")),
        (None, ("", "")),
    ],
)
def test_whoever_is_in_charge_is_waited_for_ten_seconds_and_may_stay_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str | None, facts: tuple[str, str]
) -> None:
    first, clock = FolderLock(tmp_path), [50.0]
    first.take()
    if kept is not None:
        (tmp_path / "owner.json").write_text(kept)

    def sleep(seconds: float) -> None:
        clock[0] += 2.5

    monkeypatch.setattr(owner, "monotonic", lambda: clock[0])
    monkeypatch.setattr(owner, "sleep", sleep)
    with pytest.raises(FolderInUse) as other:
        FolderLock(tmp_path).take()
    assert (other.value.url, other.value.token, other.value.folder) == (*facts, tmp_path)
    assert str(tmp_path) in str(other.value)
    assert clock[0] == (50 if facts[0] else 60)
    first.close()


def test_a_server_says_what_it_announces_only_while_it_has_the_folder(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    lock.announce("http://x/", "t")
    assert not (tmp_path / "owner.json").exists()
    (tmp_path / "open.html").write_text("of one that was killed")
    lock.take()
    assert not (tmp_path / "open.html").exists()
    lock.announce("http://x/", "t")
    assert json.loads((tmp_path / "owner.json").read_text()) == {"url": "http://x/", "token": "t"}
    link_page(tmp_path, "http://x/?code=1")
    lock.close()
    assert [each.name for each in tmp_path.iterdir()] == ["in-charge"]
    lock.close()  # does nothing


def refusing(question: Any, timeout: float) -> Any:
    raise OSError(111, "Connection refused")


@pytest.mark.parametrize(
    ("answer", "address"),
    [
        (b'{"address": "/?code=abcd", "seconds": 600}', "http://localhost:8321/?code=abcd"),
        (b'{"key": "jobs.not_owner"}', "http://localhost:8321/"),
        (b"[1, 2]", "http://localhost:8321/"),
        (b"no papan", "http://localhost:8321/"),
        (None, "http://localhost:8321/"),
    ],
)
def test_a_running_server_is_asked_for_a_code_and_not_by_way_of_a_proxy(
    monkeypatch: pytest.MonkeyPatch, answer: bytes | None, address: str
) -> None:
    asked: list[Any] = []

    class Opener:
        def __init__(self, *handlers: Any) -> None:
            asked.extend(each.proxies for each in handlers)

        def open(self, question: Any, timeout: float) -> io.BytesIO:
            asked.append((question.full_url, question.get_method(), timeout))
            asked.append(question.headers)
            return refusing(question, timeout) if answer is None else io.BytesIO(answer)

    monkeypatch.setattr(owner, "build_opener", Opener)
    assert owner.address_with_code("http://localhost:8321/", "secret") == address
    assert asked == [
        {},
        ("http://localhost:8321/api/v1/owner/codes", "POST", 10),
        {"Authorization": "bearer secret"},
    ]


def test_a_lock_that_nobody_holds_any_more_is_released(tmp_path: Path) -> None:
    held = FolderLock(tmp_path)
    held.take()
    del held  # without a warning that a file was left open, which fails a test
    gc.collect(1)  # it is young
    again = FolderLock(tmp_path)
    again.require()
    again.close()
