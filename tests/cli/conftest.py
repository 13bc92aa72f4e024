"""A command line to try: papan in this process, with its own data folder and an English locale."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from papan.cli.app import run_arguments
from tests.referees import Referees


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


Papan = Callable[..., Ran]


@pytest.fixture
def papan(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    referees: Referees,
) -> Papan:
    monkeypatch.setattr("papan.lab.tournament.run.LineProcess", referees.one)
    for name in ("LC_ALL", "LC_MESSAGES", "PAPAN_LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def call(*arguments: str, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run_arguments(list(arguments))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call
