"""Bots in files: good ones, clumsy ones and hostile ones."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

Write = Callable[[str], Path]

FIRST_MOVE = """
def choose(position):
    return position.moves()[0]
"""

SHELL = """\
#!/bin/sh
while read -r word rest; do
    case $word in
        papan) echo ready ;;
        moves) legal=$rest ;;
        go) echo "info the first one"; echo "move ${legal%% *} 0.25" ;;
        quit) exit ;;
    esac
done
"""
"""The bot of docs/protocol.md."""


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
