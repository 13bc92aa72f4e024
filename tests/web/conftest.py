"""One server and one browser for all tests of the web app."""

from collections.abc import Iterator

import pytest

from tests.web.server import Address, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The address of a running server."""
    with serving(tmp_path_factory.mktemp("data")) as (address, _):
        yield address
