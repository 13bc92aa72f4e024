"""What all tests share."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from papan.games.dots import table_file
from papan.lab.machine import cores

settings.register_profile("papan", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("papan")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: tests in a browser wait more than they compute."""
    return cores() + 1


@pytest.fixture(scope="session", autouse=True)
def no_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tables that a developer has made change how solvers work: tests do not look for them."""
    folder = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_file, "folder", lambda: folder)
        yield
