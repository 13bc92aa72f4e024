"""Write the output of the first commands of a bot author, for the page about bots."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

TEMPLATES = Path(__file__).parents[1] / "src" / "papan" / "templates"
COMMANDS = (
    "papan bot new mybot.py",
    "papan bot check mybot.py --positions 200",
    "papan match mybot.py random --game tictactoe --pairs 4",
)


def session(language: str, folder: Path) -> str:
    """Return the commands, each with its output in *folder* and *language*, as text."""
    parts = []
    for command in COMMANDS:
        ran = subprocess.run(
            [sys.executable, "-P", "-m", *shlex.split(command), "--lang", language],
            cwd=folder,
            env={**os.environ, "PAPAN_COMMAND": "papan", "PYTHONIOENCODING": "utf-8"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            check=True,
        )
        lines = [line.rstrip() for line in ran.stdout.rstrip().splitlines()]
        parts.append("\n".join([f"$ {command}", *lines]) + "\n")
    return "\n".join(parts)


def main() -> None:
    """Write the session of each language into papan's templates."""
    for language in ("en", "id"):
        with TemporaryDirectory() as folder:
            text = session(language, Path(folder))
        (TEMPLATES / f"session.{language}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
