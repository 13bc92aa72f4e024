"""A PostgreSQL server for tests, on loopback and in a folder of its own, where one is installed."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.waiting import LONGEST_WAIT


def programs() -> Path | None:
    """Where the server's programs are; Debian keeps them off the path."""
    for initdb in (shutil.which("initdb"), *Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        if initdb and (Path(initdb).parent / "pg_ctl").exists():
            return Path(initdb).parent
    return None


def owner() -> str | None:
    """Whose server it is: PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return "nobody"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """The address of a fresh server, which is gone afterwards."""
    data, port, user = Path(tempfile.mkdtemp(prefix="papan-postgres-")), free_port(), owner()
    if user:
        shutil.chown(data, user)

    def call(program: str, *arguments: str) -> None:
        subprocess.run(
            [folder / program, "-D", data / "data", *arguments],
            check=True, user=user, cwd=data, timeout=LONGEST_WAIT,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    try:
        call("initdb", "--auth=trust", "--username=papan", "--no-sync")
        options = f"-h 127.0.0.1 -p {port} -k {data} -F"
        call("pg_ctl", "start", "-w", "-o", options)
        try:
            yield f"postgresql://papan@127.0.0.1:{port}/postgres"
        finally:
            call("pg_ctl", "stop", "-m", "immediate")
    finally:
        shutil.rmtree(data)
