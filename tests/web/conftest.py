"""One server for all tests of the web app that only ask it, and patience with it."""

from collections.abc import Iterator
from functools import cache

import httpcore2
import pytest
from httpx2._config import DEFAULT_TIMEOUT_CONFIG

from tests.cli.conftest import papan as papan
from tests.waiting import LONGEST_WAIT
from tests.web.server import Address, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The address of a running server."""
    with serving(tmp_path_factory.mktemp("data"), warm=True) as (address, _):
        yield address


@pytest.fixture(scope="session", autouse=True)
def long_waits() -> Iterator[None]:
    """Whoever asks without a limit waits as long as a busy machine may take."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("connect", "read", "write", "pool"):
            patch.setattr(DEFAULT_TIMEOUT_CONFIG, kind, LONGEST_WAIT)
        yield


@pytest.fixture(scope="session", autouse=True)
def one_trust() -> Iterator[None]:
    """Certificates are read once: nobody asks over TLS, and reading them outlasts a question."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))
        yield
