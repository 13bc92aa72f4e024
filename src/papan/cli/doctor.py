"""``papan doctor`` and ``papan warm``: check the installation, compile everything."""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from time import perf_counter

import typer

from papan import api, catalog
from papan.cli.arguments import JsonOption, complaint
from papan.core import Limit, PapanError
from papan.core.compiling import unawaited
from papan.core.errors import in_one_line
from papan.lab.files import data_folder
from papan.lab.machine import cores
from papan.lab.work import WorkItem, completed, local_executor
from papan.process.sandbox import find_sandbox
from papan.terminal.output import figure, language, print_json, print_table, progress, say

WORDS = ("system", "cores", "language", "games", "agents", "plugins", "tables", "browser")
OPTIONAL = ("plugins", "tables")
"""Parts that may be absent without a fault, besides optional packages."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "msedge", "firefox")
SEARCHES = ("solver", "alphabeta", "minimax", "mcts")
_FEW = Limit(nodes=1_000)
LEAST_ROOM = 100 * 2**20
"""Least free bytes in the folders where papan stores data."""
BOT = "def choose(position): return position.moves()[0]"
STRANGER = """
from papan.engine.native import native

@native()
def answer():
    return 42
"""
"""A kernel of another package: its compiled code must load again and disturb no other."""


@dataclass(frozen=True)
class Trial:
    """The result of one check: what was checked, whether all is well, and what was observed."""

    name: str
    """What was checked: its text is ``doctor.try_NAME``."""
    well: bool | None
    """True, False for a fault, or None if it is only worth knowing."""
    found: str
    """Observation in words: the time that it took, the place, or the error."""

    @property
    def text(self) -> str:
        """What was checked, in the run's language."""
        return say(f"doctor.try_{self.name}")


def doctor(json: JsonOption = False) -> None:
    """Print versions, folders and checks, as text or as JSON; exit with 1 if a check fails.

    Exit with 1, too, if a game, an agent or a database is broken.
    """
    catalog.check_files()
    databases = catalog.databases()
    for error in filter(None, databases.values()):
        progress(complaint(error))
    found = _found([name for name, error in databases.items() if error is None])
    broken = [
        {"name": each.name, "package": each.package, "why": each.why(language())}
        for each in catalog.BROKEN.values()
    ]
    trials = list(_trials())
    if json:
        tried = {each.name: {"well": each.well, "found": each.found} for each in trials}
        print_json(found | {"broken": broken, "tried": tried})
    else:
        _show(found, trials)
        for each in broken:
            own = each["package"] == "papan"
            print(say("doctor.broken_file" if own else "doctor.broken_plugin", **each))
    if broken or any(databases.values()) or any(trial.well is False for trial in trials):
        raise typer.Exit(1)


def _found(databases: list[str]) -> dict[str, object]:
    """Return versions and settings by name, such as ``python``; None for what is absent.

    ``games``, ``agents`` and ``cores`` are numbers, all others texts; the versions of the packages
    that papan requires come last, by their names. *databases* are the file names of the databases
    without a fault, which become the entry ``tables``.
    """
    return {
        "papan": _version("papan"),
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": cores(),
        "language": language(),
        "games": len(catalog.GAMES),
        "agents": len(catalog.AGENTS),
        "plugins": ", ".join(catalog.PLUGINS) or None,
        "tables": ", ".join(databases) or None,
        "browser": next(filter(None, map(shutil.which, BROWSERS)), None),
        **{package: _version(package) for package in packages()},
    }


def packages() -> dict[str, bool]:
    """Return the packages that papan requires by name: True for optional ones, which come last.

    Both kinds are in alphabetical order. Raise PackageNotFoundError if papan is not installed.
    """
    asked = [each.partition(";") for each in metadata.requires("papan") or ()]
    extra = {re.split(r"[^\w.-]", name)[0]: "extra ==" in when for name, _, when in asked}
    return dict(sorted(extra.items(), key=lambda each: (each[1], each[0])))


def _show(found: dict[str, object], trials: list[Trial]) -> None:
    """Print *found* (versions and settings by name) and the results of checks as tables.

    Help for each check that is not well follows.
    """
    rows = []
    optional = {*OPTIONAL, *(name for name, extra in packages().items() if extra)}
    for name, value in found.items():
        heading = say(f"doctor.row_{name}") if name in WORDS else name  # programs have one name
        absent = say("doctor.none" if name in optional else "doctor.missing")
        rows.append([heading, absent if value is None else str(value)])
    print_table([say("doctor.part"), say("doctor.found")], rows)
    print()
    marks = {True: say("doctor.well"), None: say("doctor.note"), False: say("doctor.wrong")}
    lines = [[each.text, marks[each.well], each.found] for each in trials]
    print_table([say("doctor.tried"), "", say("doctor.found")], lines)
    for each in trials:
        if each.well is not True:
            print(f"{each.text}: {say(f'doctor.help_{each.name}')}")


def _trials() -> Iterator[Trial]:
    """Yield the result of each check as soon as it is done.

    An error in one check is its result, and does not prevent the others.
    """
    kinds: dict[str, Callable[[], tuple[bool | None, str]]] = {
        **{name: lambda name=name: _search(name) for name in SEARCHES},  # type: ignore[misc]
        "bot": _bot,
        "sandbox": _sandbox,
        "cache": _cache,
        "data": _data,
        "port": _port,
        "browser": _browser,
    }
    for name, kind in kinds.items():
        try:
            well, found = kind()
        except PapanError as error:
            well, found = False, complaint(error)
        except Exception as error:  # reported, whatever it is
            well, found = False, in_one_line(error)
        yield Trial(name, well, found)


def _search(name: str) -> tuple[bool, str]:
    """Search the first game with the agent *name*; return (whether it visited nodes, a sentence).

    The sentence has the seconds that it took. Raise PapanError if the search fails.
    """
    began = perf_counter()
    position = catalog.position(catalog.first_game())
    nodes = catalog.agent(name).analyse(position, _FEW).nodes
    return nodes > 0, say("doctor.took", seconds=figure(perf_counter() - began, ".1f"))


def _sandbox() -> tuple[bool | None, str]:
    """Run a bot in the sandbox; return (True, the seconds taken in words).

    Without a sandbox return None and the reason. Raise PapanError if the bot fails there.
    """
    try:
        find_sandbox()
    except PapanError as none:
        return None, complaint(none)
    return _bot(",confined=file")


def _bot(settings: str = "") -> tuple[bool, str]:
    """Run a bot in a process of its own; return (True, the seconds taken in words).

    *settings* are added to its spec, such as ``,confined=file``. Raise PapanError if it fails.
    """
    began = perf_counter()
    with TemporaryDirectory(prefix="papan-") as folder:
        file = Path(folder) / "own.py"
        file.write_text(BOT, encoding="utf-8")
        agent = catalog.agent_from_user(f"bot:{file}{settings}")
        agent.analyse(catalog.position(catalog.first_game()))
    return True, say("doctor.took", seconds=figure(perf_counter() - began, ".1f"))


def _cache() -> tuple[bool | None, str]:
    """Check that another package's compiled code is cached; return (True, folder of the cache).

    The first is None if the folder is not the usual one, or its disk is nearly full. Raise
    NotCompiledError if the code is not loaded from there. What was cached for this is removed.
    """
    from papan.engine import cache  # brings Numba

    place = cache.folder()
    with TemporaryDirectory(prefix="papan-") as folder:
        try:
            _answer(Path(folder))
            with unawaited():
                _answer(Path(folder))
        finally:
            sys.modules.pop("papan_trial", None)
            for kept in place.glob("papan_trial.*"):
                kept.unlink()
    usual = place.parent == cache.usual_folder() and _has_room(place)
    return usual or None, str(place)


def _answer(folder: Path) -> None:
    """Call the kernel of `STRANGER`, as a module that is written to *folder*.

    Its code is compiled, or loaded if it was compiled before. The module stays in `sys.modules` as
    ``papan_trial``.
    """
    file = folder / "papan_trial.py"
    file.write_text(STRANGER, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("papan_trial", file)
    assert spec is not None and spec.loader is not None
    module = sys.modules["papan_trial"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.answer()


def _data() -> tuple[bool | None, str]:
    """Check that the data folder can be written to; return (True, its path).

    The first is False if the disk is nearly full. If a server uses the folder, the text says so,
    and the disk is not checked. Raise OSError or PapanError if it cannot be written.
    """
    from papan.web.owner import FolderInUse, FolderLock

    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=folder):
        pass
    lock = FolderLock(folder)
    try:
        lock.take()
    except FolderInUse as elsewhere:
        return True, say("doctor.in_charge", folder=folder, url=elsewhere.url)
    finally:
        lock.close()
    return _has_room(folder), str(folder)


def _has_room(folder: Path) -> bool:
    """Return whether the disk of *folder* has at least `LEAST_ROOM` free; raise OSError if unknown.

    Room that only an administrator may use does not count.
    """
    return shutil.disk_usage(folder).free >= LEAST_ROOM


def _port() -> tuple[bool | None, str]:
    """Return (True, a sentence) if the web app's usual port is free, else (None, a sentence).

    That is no fault, as papan takes another port then.
    """
    from papan.web.settings import ServerSettings

    port = ServerSettings().port
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return True, say("doctor.port_free", port=port)
    return None, say("doctor.port_taken", port=port)


def _browser() -> tuple[bool | None, str]:
    """Return (True, a sentence) if there is a screen for a browser, else (None, a sentence)."""
    from papan.cli.serve import has_browser

    screen = has_browser()
    return screen or None, say("doctor.screen" if screen else "doctor.no_screen")


def _version(part: str) -> str | None:
    """Return the version of the installed package *part*; None if there is none."""
    try:
        return metadata.version(part)
    except metadata.PackageNotFoundError:
        return None


def warm(json: JsonOption = False) -> None:
    """Compile every kernel by small searches, one process per core; only once.

    If it was done before, nothing happens, unless *json*: then it searches again, and prints the
    wall seconds of each search by its name. The errors of a search are raised.
    """
    from papan.engine.cache import all_compiled

    done = all_compiled()
    if done.exists() and not json:
        return
    took: dict[str, float] = {}
    games = iter([(name, WorkItem(name, search_all, (name,))) for name in catalog.GAMES])
    total = len(catalog.GAMES)
    with local_executor(cores() if cores() > 1 else 0) as executor:
        for count, (name, future) in enumerate(completed(executor, lambda _: next(games, None)), 1):
            took |= future.result()[0]
            progress(say("warm.step", count=count, total=total, game=name))
    with suppress(OSError):  # nothing can be kept here
        done.touch()
    if json:
        print_json(took)


def search_all(game: str) -> dict[str, float]:
    """Search small positions of *game* (a name) with everything that is compiled for it.

    Return the wall seconds of each search by its name, such as ``dots mcts``. Raise KeyError if
    there is no such game.
    """
    took = {}
    for name, search in api.compiled_searches(game).items():
        began = perf_counter()
        search()
        took[name] = round(perf_counter() - began, 3)
    return took
