"""A server to ask, in a process of its own: as people start it, or one that starts quickly."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx2

from tests.waiting import LONGEST_WAIT
from tests.web.asking import bearing


class Address(str):
    """The address of a server, where it keeps its data, a code for its owner, and the token that
    this is changed for.
    """

    data: Path
    code: str
    token: str

    def __new__(cls, printed: str, data: Path) -> "Address":
        """What a server prints when it starts that keeps its data in a folder."""
        address, _, code = printed.strip().partition("/?code=")
        self = super().__new__(cls, address)
        self.data = data
        self.code = code
        self.token = _token(data) or self.exchange(code)
        return self

    def exchange(self, code: str) -> str:
        """The token that a browser gets for a code; nothing where it is refused."""
        return httpx2.get(f"{self}/?code={code}").cookies.get(self.cookie_name) or ""

    def new_code(self) -> str:
        """Another code, as the owner's programs get it."""
        given = httpx2.post(f"{self}/api/v1/owner/codes", headers=self.owner).json()
        return str(given["address"].partition("=")[2])

    @property
    def cookie_name(self) -> str:
        """What the cookie of the owner is called."""
        return f"papan_owner_{self.rpartition(':')[2]}"

    @property
    def owner(self) -> dict[str, str]:
        """The headers by which a program proves that its user owns the server."""
        return bearing(self.token)

    @property
    def cookie(self) -> dict[str, object]:
        """What a browser has kept that has opened the printed address, as Playwright takes it."""
        return {"name": self.cookie_name, "value": self.token, "url": str(self), "httpOnly": True}


def _token(data: Path) -> str:
    """The token that a server keeps for its user, where its folder can be written."""
    try:
        return str(json.loads((data / "owner.json").read_bytes())["token"])
    except OSError:
        return ""


QUICK = """
import sys
from pathlib import Path
from fastapi import Response
from papan.cli.serve import Terminal
from papan.web import catalogue
from papan.web.offline import OfflineKit
from papan.web.serving import run_server
from papan.web.settings import ServerSettings

async def offline_kit(*_):
    return Response(OfflineKit(games={}, puzzles=[], days={}).model_dump_json())

catalogue.worker_response = offline_kit
settings = ServerSettings(data=Path(sys.argv[2]), warm=False, spare=0)
run_server("127.0.0.1", int(sys.argv[1]), False, Terminal(), settings)
"""
"""Loads a search when it is asked for: a third of the processor time where a test has few.

With nothing to play without it: to make that takes a worker two seconds, for any page that is open
for three.
"""


@contextmanager
def serving(
    data: Path,
    port: int = 0,
    warm: bool = False,
    errors: int | IO[str] = subprocess.DEVNULL,
    options: tuple[str, ...] = (),
) -> Iterator[tuple[Address, "subprocess.Popen[str]"]]:
    """A server that keeps everything in a folder: its address, and its process.

    One that is *warm* is that of the command `papan serve`, with further *options*.
    """
    as_people_do = [
        "-m",
        "papan",
        "serve",
        "--no-browser",
        "--port",
        str(port),
        "--data",
        str(data),
        *options,
    ]
    process = subprocess.Popen(
        [sys.executable, "-P", *(as_people_do if warm else ["-c", QUICK, str(port), str(data)])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        env=os.environ | {"PAPAN_LANG": "en"},
    )
    assert process.stdout is not None
    try:
        yield Address(process.stdout.readline(), data), process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(LONGEST_WAIT)
        process.stdout.close()
