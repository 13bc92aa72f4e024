"""Bots in files: good ones, clumsy ones and hostile ones."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tests.test_docs import ROOT, blocks

Write = Callable[[str], Path]

FIRST_MOVE = """
def choose(position):
    return position.moves()[0]
"""

SHELL = blocks(ROOT / "docs" / "protocol.md", "sh")[0]
"""A bot in the shell, as the documentation shows it."""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a bot to a file of its own."""

    def written(code: str) -> Path:
        path = tmp_path / f"bot{len([*tmp_path.iterdir()])}.py"
        path.write_text(dedent(code), encoding="utf-8")
        return path

    return written


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """Writes a program that can be run, in the language that its first line says."""

    def written(code: str) -> Path:
        path = tmp_path / f"program{len([*tmp_path.iterdir()])}"
        path.write_text(code, encoding="utf-8")
        path.chmod(0o755)
        return path

    return written
