"""Debian's packages: installed as root, or unpacked into a folder by anyone.

Ubuntu has no Chromium of its own, only a stub that asks for snap. But it has the keys of Debian, so
that Debian's packages can be had and checked there too, from the mirror that PAPAN_DEBIAN names.
"""

import os
import shutil
import subprocess
from pathlib import Path

MINUTES = 10
KEYRING = "debian-archive-keyring"
MIRROR = "PAPAN_DEBIAN"
SOURCE = "deb [signed-by={}] {} bookworm main\n"
SYSTEMS_OWN = ("libc6_", "libc-bin_")  # two of them in one process do not go together


def install(packages: list[str]) -> bool:
    """Have the system install *packages*, if it has the first of them; only root can."""
    get = ["apt-get", "install", "--yes", "--no-install-recommends"]
    has = f"apt-cache show {packages[0]} | grep --quiet '^Package: {packages[0]}$'"  # and no stub
    steps = (["apt-get", "update", "--quiet"], ["sh", "-c", has], [*get, *packages])
    return all(map(succeeds, steps))


def unpack(packages: list[str], folder: Path) -> None:
    """Make *folder*/root out of *packages* and all that they need: complete, or not at all."""
    half, root = folder / "half", folder / "root"
    shutil.rmtree(half, ignore_errors=True)
    archives = _fetched(packages, _here(folder / "apt"))
    if not archives and os.environ.get(MIRROR):
        archives = _fetched(packages, _debian(folder))
    archives = [each for each in archives if not each.name.startswith(SYSTEMS_OWN)]
    if archives and all(succeeds(["dpkg", "-x", str(each), str(half)]) for each in archives):
        fonts = f"<dir>{root}/usr/share/fonts</dir><cachedir>{folder}/fonts</cachedir>"
        (half / "fonts.conf").write_text(f"<fontconfig>{fonts}</fontconfig>", encoding="utf-8")
        shutil.rmtree(root, ignore_errors=True)
        half.rename(root)
    for name in ("apt", "debian"):
        shutil.rmtree(folder / name, ignore_errors=True)


def _here(folder: Path) -> dict[str, Path | str]:
    """The settings of apt for the packages of this system, kept in a folder of our own."""
    for name in ("archives", "lists"):
        (folder / name / "partial").mkdir(parents=True, exist_ok=True)
    return {
        "Dir::Cache::archives": folder / "archives",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "Debug::NoLocking": "1",
    }


def _debian(folder: Path) -> dict[str, Path | str]:
    """The same for the packages of Debian, as if nothing were installed."""
    keys, debian = folder / "apt" / "keys", folder / "debian"
    (keys / "partial").mkdir(parents=True, exist_ok=True)
    for package in _fetched([KEYRING], _here(folder / "apt") | {"Dir::Cache::archives": keys}):
        succeeds(["dpkg", "-x", str(package), str(keys)])
    settings = _here(debian)
    status, source = debian / "status", debian / "sources.list"
    status.touch()
    keyring = keys / "usr/share/keyrings" / f"{KEYRING}.gpg"
    source.write_text(SOURCE.format(keyring, os.environ[MIRROR]), encoding="utf-8")
    return settings | {
        "Dir::State::status": status,
        "Dir::Etc::sourcelist": source,
        "Dir::Etc::sourceparts": "/dev/null",
    }


def _fetched(packages: list[str], settings: dict[str, Path | str]) -> list[Path]:
    """The files of *packages* and of what they need; none if they, and not stubs, can be had."""
    apt = ["apt-get", "--quiet"]
    for name, value in settings.items():
        apt += ["-o", f"{name}={value}"]
    get = [*apt, "install", "--yes", "--download-only", "--no-install-recommends", *packages]
    done = succeeds([*apt, "update"]) and succeeds(get)
    found = sorted(Path(settings["Dir::Cache::archives"]).glob("*.deb"))
    return found if done and any(each.match(f"{packages[0]}_*") for each in found) else []


def succeeds(command: list[str], variables: dict[str, str] | None = None) -> bool:
    """Take one step; if it fails, there is another way, or the last word says what helps."""
    environment = {**os.environ, **(variables or {}), "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            check=False,
            timeout=60 * MINUTES,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
