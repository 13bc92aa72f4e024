"""Whatever a stranger has written, a terminal shows it and does not obey it."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.core.errors import PapanError
from papan.core.printable import printable, to_json
from papan.core.record import Record, parse_record
from papan.lab.tournament.folder import create
from papan.lab.tournament.plan import TournamentPlan
from papan.terminal.output import open_streams, print_json, print_table, progress
from tests.waiting import LONGEST_WAIT

from .conftest import Papan

EVIL = "e\x1b[31mvi\x9b2Jl\r\b\x07\x7f\u202e\u2066\u200f\x00[red]x[/red][link=http://a]y[/link]"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
RECORD = Record(
    "tictactoe:3,3,3", "tictactoe:3,3,3 .../.../... x", (f"{EVIL}\nPapan: done", "random"),
    "a1 a2 b1 b2 c1", (1, 0), "win",
)  # fmt: skip


@contextmanager
def printed() -> Iterator[list[str]]:
    """What papan prints within it: standard output, then standard error."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    texts: list[str] = []
    with redirect_stdout(out), redirect_stderr(err):
        open_streams()
        yield texts
    texts += [stream.buffer.getvalue().decode() for stream in (out, err)]


def test_z8_no_character_that_steers_a_terminal_is_printed() -> None:
    with printed() as texts:
        print(EVIL, "line\n\ttabbed", "na\u00efve \u00b1 \u265f", sep="\n")
        sys.stdout.writelines([f"{EVIL}\n", f"{EVIL}\n"])
        print(EVIL, file=sys.stderr)
        progress(EVIL)
        print_table([EVIL], [[EVIL], [f"two\n{EVIL}"]])
        print_json({"name": EVIL})
    text = "".join(texts)
    assert not OBEYED.search(text)
    assert text.count("[red]x[/red][link=http://a]y[/link]") == 9
    assert "line\n\ttabbed\nna\u00efve \u00b1 \u265f\n" in text
    (line,) = (each for each in text.splitlines() if each.startswith("{"))
    assert json.loads(line) == {"name": EVIL}


@given(st.text())
def test_z8_text_is_made_printable_and_json_loses_nothing(text: str) -> None:
    assert not OBEYED.search(printable(text))
    assert len(printable(text)) == len(text)
    line = to_json({"text": text})
    assert line.splitlines() == [line]
    assert not OBEYED.search(line)
    assert line.encode()
    assert json.loads(line) == {"text": text}


def test_z8_a_name_of_several_lines_has_one() -> None:
    agents = parse_record(str(RECORD)).agents
    assert agents == (f"{' '.join(EVIL.splitlines())} Papan: done", "random")


@pytest.mark.thorough
def test_z8_commands_show_what_strangers_wrote_and_obey_nothing(
    papan: Papan, tmp_path: Path
) -> None:
    record, cup = tmp_path / "game.json", tmp_path / "cup"
    record.write_text(str(RECORD))
    create(cup, TournamentPlan("tictactoe", (EVIL, f"{EVIL}\nforged"), pairs=1))
    bot = tmp_path / "bot.py"
    bot.write_text(f"def choose(position):\n    print({EVIL!r})\n    raise ValueError({EVIL!r})\n")
    position = f"tictactoe:3,3,3 {EVIL} x"
    shown = str(tmp_path / "data" / EVIL.replace("/", "").replace("\x00", ""))
    for arguments in (
        ("review", str(record), "--seconds", "0.1"),
        ("review", str(record), "--seconds", "0.1", "--json"),
        ("review", shown),
        ("tournament", "report", str(cup)),
        ("tournament", "report", str(cup), "--csv"),
        ("tournament", "report", str(cup), "--markdown"),
        ("tournament", "report", str(cup), "--json"),
        ("tournament", "resume", str(cup)),
        ("bot", "check", str(bot), "--positions", "1", "--games", "tictactoe"),
        ("analyse", position),
        ("analyse", "tictactoe", "--agent", EVIL),
        ("solve", "tictactoe", "--board", str(record)),
        ("prove", "--check", str(record)),
        ("mine", "import", str(record)),
        ("mine", "list"),
        ("mine", "export"),
        ("lab", "report", EVIL),
        (EVIL,),
        ("review", f"--{EVIL}"),
    ):
        with printed() as texts:
            papan(*arguments)
        text = "".join(texts)
        assert text, arguments
        assert not OBEYED.search(text), arguments
        assert not re.search("^(Papan: done|forged)", text, re.M), arguments


def on_a_terminal(code: str) -> bytes:
    """What a terminal is sent by a piece of Python."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "COLUMNS": "100"},
    )
    os.close(theirs)
    text = b""
    while portion := _read(ours):
        text += portion
    os.close(ours)
    assert process.wait(LONGEST_WAIT) == 0
    return text


@pytest.mark.thorough
def test_z8_papan_itself_still_draws_on_a_terminal() -> None:
    text = on_a_terminal("from papan.cli import main; import sys; sys.argv[1:] = ['-h']; main()")
    assert b"\x1b[1" in text
    assert "\ufffd".encode() not in text


@pytest.mark.thorough
def test_z8_a_bar_draws_and_shows_names_as_they_are() -> None:
    text = on_a_terminal(
        "from papan.core import Progress\n"
        "from papan.terminal.output import *\n"
        "open_streams()\n"
        "with Bar('na\\x1b[2Jme[red]') as bar:\n"
        "    bar.update(Progress(1, 10, 'ne\\x1b[2Jws[red]'))\n"
        "    print('pri\\x1b[2Jnted[red]')\n"
        "    progress('hea\\x1b[2Jrd[red]')\n"
        "    bar.update(Progress(10, 10))\n"
        "rewrite('cha\\x1b[2Jnged')\n"
        "print('\\x1b[2Jafter')\n"
    )
    assert b"\x1b[2J" not in text
    for name in ("na\ufffd[2Jme[red]", "pri\ufffd[2Jnted[red]", "hea\ufffd[2Jrd[red]"):
        assert name.encode() in text
    assert b"\x1b[?25l" in text, "the bar hides the cursor"
    assert "\r\x1b[Kcha\ufffd[2Jnged".encode() in text
    assert "\ufffd[2Jafter\r\n".encode() in text


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # whoever wrote there has ended
        return b""


def test_z8_an_error_quotes_nothing_that_steers() -> None:
    assert not OBEYED.search(str(PapanError("error.not_a_record", text=EVIL)))


def test_y7_what_an_encoding_lacks_becomes_plainer_and_nothing_vanishes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, printed)
    open_streams()
    print("\u22121 \u2265 \u22122 \u00b1 3\u2026 \u2606\u00e9", end="")
    sys.stdout.flush()
    assert printed.buffer.getvalue() == b"-1 >= -2 +- 3... ??"
