"""Libraries that only some uses of papan need, and how to install them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from papan.core.errors import PapanError

EXTRAS = {
    "anywidget": "notebook",
    "distributed": "cluster",
    "fastapi": "web",
    "fpdf": "lab",
    "h11": "web",
    "markdown_it": "web",
    "matplotlib": "lab",
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
"""The extra of pyproject.toml that brings a module which is not always there."""


class MissingExtraError(PapanError):
    """Something needs a library that is not installed."""


@contextmanager
def extra_libraries() -> Iterator[None]:
    """Within it, what imports a library that is not installed raises MissingExtraError.

    A module that belongs to no extra raises ModuleNotFoundError as ever: something else is wrong.
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
