"""Check that the nginx configuration of docs/web.md works, with a real nginx and papan on loopback.

    python tools/check_nginx.py          needs nginx (on Debian: apt install nginx-light)

The configuration is the one of docs/web.md, without TLS and with shorter time-outs.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.server import Address  # noqa: E402

NAME = "papan.example.org"
LONGEST_WAIT = 2
"""Seconds after which nginx closes a silent connection in this check."""
AROUND = """
daemon off;
pid nginx.pid;
error_log error.log;
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
    {}
}}
"""
CHECKS = ("stream", "addresses", "rooms", "compression", "owner", "silence", "names")
THOUGHT = {"start": "connect4", "agent": "alphabeta", "seconds": 5}


def configuration(port: int, papan: int) -> str:
    """Return docs/web.md's configuration for nginx on *port* and papan on *papan*, on loopback."""
    page = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
    found = re.search(r"```nginx\n(.*?)```", page, re.DOTALL)
    assert found, "docs/web.md shows no configuration"
    text = re.sub(r".*ssl_certificate.*\n", "", found[1])
    text = re.sub(r"access_log [^ ]+", "access_log papan.log", text)
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    text = re.sub(r"(timeout) 20s", rf"\1 {LONGEST_WAIT}s", text)
    return AROUND.format(text.replace("127.0.0.1:8321", f"127.0.0.1:{papan}"))


@contextmanager
def papan(data: Path) -> Iterator[Address]:
    """Run a public server behind a proxy on this machine, with its data in *data*.

    Yield its address.
    """
    command = [sys.executable, "-P", "-m", "papan", "serve", "--port", "0", "--no-browser"]
    command += ["--public", NAME, "--proxy", "127.0.0.1", "--data", str(data)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield Address(server.stdout.readline(), data)
        finally:
            server.terminate()


@contextmanager
def nginx(folder: Path, papan_port: int) -> Iterator[int]:
    """Run nginx in front of papan, with its files in *folder*, and yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    (folder / "nginx.conf").write_text(configuration(port, papan_port), encoding="utf-8")
    command = ["nginx", "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"]
    with subprocess.Popen(command) as server:
        try:
            _until(lambda: _is_open(port))
            yield port
        finally:
            server.terminate()


def _is_open(port: int) -> bool:
    """Return True if a connection to *port* succeeds. Raise OSError otherwise."""
    with socket.create_connection(("127.0.0.1", port)):
        return True


def _until(fact: Callable[[], bool]) -> None:
    """Wait until *fact* returns True without an OSError. Raise AssertionError after a minute."""
    for _ in range(600):
        try:
            if fact():
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError("it takes too long")


class Site:
    """The site as guests see it, each from an address of its own.

    A check returns what it saw, or raises.
    """

    def __init__(self, port: int, server: Address, folder: Path) -> None:
        self.port, self.server, self.folder = port, server, folder
        self.url, self.host = f"http://127.0.0.1:{port}", f"{NAME}:{port}"

    def guest(self, address: str = "127.0.0.1", **headers: str) -> httpx2.Client:
        """Return a client that calls from the loopback *address*, with these *headers*."""
        transport = httpx2.HTTPTransport(local_address=address)
        own = {"host": self.host} | headers
        return httpx2.Client(base_url=self.url, headers=own, transport=transport, timeout=300)

    def addresses(self) -> str:
        """Check that guests differ by address and cannot forge one; return what was seen.

        Raise AssertionError if not; so do the other checks.
        """
        with ExitStack() as stack:
            one, other = (
                stack.enter_context(self.guest()),
                stack.enter_context(self.guest("127.0.0.2")),
            )

            def begin(guest: httpx2.Client, **headers: str) -> int:
                stream = guest.stream("POST", "/api/v1/think", json=THOUGHT, headers=headers)
                return stack.enter_context(stream).status_code

            found = [begin(one) for _ in range(4)]
            forged = begin(one, **{"x-forwarded-for": "127.0.0.3"})
            elsewhere = begin(other)
        assert (found, forged, elsewhere) == ([200, 200, 200, 429], 429, 200), (found, forged)
        return "3 searches of one address, the fourth 429, also forged; another address 200"

    def stream(self) -> str:
        """Check that the events of a search arrive one by one; return what was seen."""
        began = time.monotonic()
        with self.guest("127.0.0.4") as guest:
            _until(lambda: guest.get("/api/v1/health").json()["searches"] == 0)
            with guest.stream("POST", "/api/v1/think", json=THOUGHT) as answer:
                came = [
                    (time.monotonic() - began, json.loads(each)["t"])
                    for each in answer.iter_lines()
                ]
        assert (came[0][1], came[-1][1]) == ("search", "analysis"), came[-1]
        assert came[-1][0] - came[0][0] > 1, "all at once"
        return f"{len(came)} events over {came[-1][0] - came[0][0]:.1f} s"

    def compression(self) -> str:
        """Check that compressed content is passed through unchanged; return what was seen."""
        with self.guest(**{"accept-encoding": "gzip"}) as guest:
            answer = guest.get("/api/v1/texts/id")
            plain = guest.get("/api/v1/texts/id", headers={"accept-encoding": "identity"})
        assert answer.headers["content-encoding"] == "gzip"
        sizes = answer.num_bytes_downloaded, plain.num_bytes_downloaded
        assert sizes[0] < sizes[1] / 2, sizes
        return f"{sizes[1]:,} bytes become {sizes[0]:,}"

    def rooms(self) -> str:
        """Check that two people can play, but no foreign page; return what was seen.

        They play over WebSockets, through the proxy.
        """
        with self.guest() as ann, self.guest("127.0.0.2") as ben:
            room = ann.post("/api/v1/rooms", json={"start": "tictactoe", "seat": "first"}).json()
            path = f"/api/v1/rooms/{room['name']}"
            ben.post(f"{path}/seat").raise_for_status()
            seats = [guest.cookies["papan_seat"] for guest in (ann, ben)]
        url = f"ws://{self.host}{path}/live"

        def live(seat: str, origin: str) -> Any:
            line = socket.create_connection(("127.0.0.1", self.port))
            headers = {"Cookie": f"papan_seat={seat}", "Origin": origin}
            return connect(url, sock=line, additional_headers=headers, proxy=None)

        with live(seats[0], f"https://{self.host}") as one, live(seats[1], self.own) as other:
            for ply, (mover, move) in enumerate([(one, "b2"), (other, "a1"), (one, "c3")]):
                mover.send(json.dumps({"t": "move", "move": move, "ply": ply}))
                for socket_ in (one, other):
                    while len(_moves(socket_.recv(timeout=60))) <= ply:
                        pass
        try:
            with live(seats[0], "https://evil.example"):
                raise AssertionError("a foreign page is let in")
        except InvalidStatus as refusal:
            assert refusal.response.status_code == 403
        return "three moves seen by both; a foreign page 403"

    @property
    def own(self) -> str:
        """The site's own origin, as browsers send it."""
        return f"https://{self.host}"

    def owner(self) -> str:
        """Check that only a code or the token makes a guest the owner; return what was seen."""
        order = {"game": "tictactoe", "agents": ["random", "random"], "nodes": 1, "pairs": 1}
        with self.guest() as guest:
            refused = guest.post("/api/v1/tournaments", json=order).status_code
            opened = guest.get(f"/?code={self.server.code}")
            cookie = opened.headers["set-cookie"]
            begun = guest.post("/api/v1/tournaments", json=order, headers=self.server.owner)
        assert (refused, opened.status_code, begun.status_code) == (403, 303, 201)
        log = (self.folder / "papan.log").read_text(encoding="utf-8")
        assert self.server.token not in log and self.server.code not in log
        return f"403, with the token 201; cookie {cookie.partition(';')[2].strip()}; not in the log"

    def silence(self) -> str:
        """Check that silent connections are closed and block nobody; return what was seen."""
        with ExitStack() as stack:
            lines = [
                stack.enter_context(socket.create_connection(("127.0.0.1", self.port)))
                for _ in range(300)
            ]
            for line in lines:
                line.sendall(b"GET / HTTP/1.1\r\nHost: ")
            with self.guest("127.0.0.2") as guest:
                assert guest.get("/api/v1/health").status_code == 200
            for line in lines:
                line.settimeout(60)
                while line.recv(4096):
                    pass
        return "300 unfinished heads closed, others answered meanwhile"

    def names(self) -> str:
        """Check that another host name is refused and learns no right one; return what was seen."""
        with self.guest() as guest:
            answer = guest.get("/", headers={"host": "evil.example"})
        assert answer.status_code == 421
        assert NAME not in answer.text
        return str(answer.json()["message"])


def _moves(text: str | bytes) -> list[str]:
    """Return the moves on the board of a room's message; empty if it has none."""
    moves: list[str] = json.loads(text).get("board", {}).get("moves", [])
    return moves


def main() -> None:
    """Start both servers, run every check, and print the results; exit with 1 if one failed."""
    failed = 0
    with (
        TemporaryDirectory() as place,
        papan(Path(place) / "data") as server,
        nginx(Path(place), int(server.rpartition(":")[2])) as port,
    ):
        Path(place).chmod(0o755)  # nginx may work as another user
        site = Site(port, server, Path(place))
        for name in CHECKS:
            try:
                print(f"{name:12} {getattr(site, name)()}", flush=True)
            except Exception as error:
                failed += 1
                print(f"{name:12} FAILED: {type(error).__name__}: {error}", flush=True)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
