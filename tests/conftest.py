"""What all tests share."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from papan.games.dots import endgame_db_file
from papan.lab.machine import cores
from tests.referees import Referees
from tests.waiting import until

settings.register_profile("papan", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("papan")


WORKER = os.environ.get("PYTEST_XDIST_WORKER")
"""Which of several processes that test this one is."""
FIRST = "gw0"
SHARED = "PAPAN_TESTS_SHARED"
"""The variable that names a folder of all of them."""


def pytest_xdist_auto_num_workers() -> int:
    """One for each core: every one more loads all kernels, and starts a server and a browser."""
    return cores()


def pytest_configure(config: pytest.Config) -> None:
    """What papan keeps for its user is no business of tests, nor of processes that they start."""
    folder = TemporaryDirectory(prefix="papan-tests-")
    config.add_cleanup(folder.cleanup)
    os.environ["XDG_DATA_HOME"] = folder.name
    os.environ.pop("COLUMNS", None)  # of the terminal in which the tests run
    if WORKER is None:
        os.environ[SHARED] = folder.name
    take_interruptions()


def take_interruptions() -> None:
    """Behind nohup or "&" these signals are ignored, by every process that a test starts too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def loaded() -> Path:
    """The file that is there once all tests have been compiled and loaded for the first time."""
    return Path(os.environ[SHARED]) / "loaded"


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """The first process loads all tests, then the others do: else each would compile them."""
    if WORKER not in (None, FIRST):
        until(loaded().exists)
    gc.disable()  # ten thousand tests are made, none of them garbage: looking takes a second


def pytest_collection_finish() -> None:
    """What is loaded by now stays: nobody need look through it for garbage, test after test.

    For what comes later Python looks as often as it suits a small program: a tenth of the time.
    """
    if WORKER == FIRST:
        loaded().touch()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def no_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tables that a developer has made change how solvers work: tests do not look for them."""
    folder = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(endgame_db_file, "database_folder", lambda: folder)
        yield


@pytest.fixture(scope="session")
def referees() -> Iterator[Referees]:
    found = Referees()
    yield found
    found.close()
