"""Libraries that only some uses of papan need, and how to install them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from papan.core.errors import PapanError

EXTRAS = {
    "anywidget": "notebook",
    "distributed": "cluster",
    "fastapi": "web",
    "h11": "web",
    "markdown_it": "web",
    "psycopg": "postgres",
    "pydantic": "terminal",
    "rich": "terminal",
    "segno": "web",
    "sqlalchemy": "lab",
    "starlette": "web",
    "textual": "terminal",
    "typer": "terminal",
    "uvicorn": "web",
    "websockets": "web",
}
"""The extra of pyproject.toml that brings each optional module."""


class MissingExtraError(PapanError):
    """A library that an extra of papan brings is not installed."""


@contextmanager
def extra_libraries() -> Iterator[None]:
    """Context in which the import of a missing library of `EXTRAS` raises MissingExtraError.

    A missing module that belongs to no extra still raises ModuleNotFoundError.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        raise MissingExtraError(
            "error.needs_extra", library=module, extra=EXTRAS[module]
        ) from error
