"""Files with bots: the command that runs each, what a compiler may do, and where a fault is."""

import stat
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import PapanError, Position
from papan.core.message import text_of
from papan.lab import bots
from papan.lab.bots import (
    BOT_SUFFIXES,
    BotProblem,
    WatchedMove,
    bot_spec,
    compile_bot,
    fault_line,
    forfeit_problem,
    template,
    watched_game,
    without_path,
)
from papan.lab.referee import BotFault, Forfeit, conduct

FILE = Path("/drafts/ann/bot.py")


@pytest.mark.parametrize(
    ("main", "built", "spec"),
    [
        ("mine.py", "", "bot:mine.py,seed=3"),
        ("a b.c", "a b.out", "program:'./a b.out',seed=3"),
        ("a.c", "/made/a.out", "program:/made/a.out,seed=3"),
        ("a b.js", "", "program:node --max-old-space-size=450 'a b.js',seed=3"),
        (
            "A.java",
            "",
            "program:java -Xmx450m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 A.java,seed=3",
        ),
    ],
)
def test_a_bot_is_run_as_its_language_asks_for(main: str, built: str, spec: str) -> None:
    assert bot_spec(Path(main), Path(built), 601, "seed=3") == spec
    with pytest.raises(KeyError):
        bot_spec(Path("bot.rb"), Path(built), 601, "seed=3")


@pytest.mark.parametrize("suffix", [".py", ".c", ".js", ".java"])
def test_a_bot_begins_with_a_template_in_the_language_of_its_writer(suffix: str) -> None:
    english, indonesian = (template(suffix, language) for language in ("en", "id"))
    assert english != indonesian and "$" not in english + indonesian
    if suffix != ".py":
        assert text_of("bot.template_about", "id") in indonesian
    assert suffix in BOT_SUFFIXES and len(BOT_SUFFIXES) == 4
    with pytest.raises(OSError):
        template(".rb", "en")


TRACEBACK = """\
  File "/drafts/ann/bot.py", line 12, in choose
    return look(position)
  File "/drafts/ann/bot.py", line 7, in look
  File "/usr/lib/json.py", line 99, in load
"""


@pytest.mark.parametrize(
    ("name", "output", "line"),
    [
        ("bot.py", TRACEBACK, 7),
        ("bot.c", "bot.c:3:8: error: x\nbot.c:9:1: note: y\n", 3),
        ("bot.js", "/drafts/bot.js:21\n  at choose (/drafts/bot.js:5:3)", 21),
        ("bot.py", "SyntaxError: '(' was never closed (line 4)", 4),
        ("bot.py", "botXpy:3 other.py:5", None),
        ("bot.py", "", None),
    ],
)
def test_the_line_of_a_fault_is_where_the_bots_own_file_failed(
    name: str, output: str, line: int | None
) -> None:
    assert fault_line(output, Path("/drafts") / name) == line


def test_a_problem_names_the_file_and_not_its_folder() -> None:
    error = PapanError("bot.broken", agent="bot:/drafts/ann/bot.py", why="x (line 3)", n=5)
    error.add_note("in /drafts/ann/bot.py:")
    error.add_note("in /drafts/ann/more.py")
    problem = BotProblem.of(error, FILE)
    assert problem.error.key == error.key
    assert problem.error.values == {"agent": "bot.py", "why": "x (line 3)", "n": 5}
    assert (problem.output, problem.line) == ("in bot.py:\nin more.py", 3)
    assert (problem.position, problem.kind) == ("", "crash")
    fault = BotFault("timeout", "tictactoe", error, TRACEBACK)
    found = BotProblem.of_fault(fault, FILE)
    assert (found.line, found.position, found.kind) == (7, "tictactoe", "timeout")
    assert "/drafts" not in found.output
    why = without_path(PapanError("x", why="/drafts/ann/bot.py: no", agent="y"), FILE)
    assert why.values == {"why": "bot.py: no", "agent": "bot.py"}


def last_of(position: Position) -> str:
    return position.move_names()[-1]


def test_a_watched_game_shows_each_move_with_the_boards_around_it() -> None:
    start = papan.position("tictactoe").after("a1")
    seen: list[WatchedMove] = []
    agents = [papan.catalog.player(last_of), papan.agent("random")]
    record = watched_game(start, agents, papan.Limit(), seen.append)
    assert [each.number for each in seen] == [*range(1, len(seen) + 1)]
    assert [each.seat for each in seen] == [1, 0] * (len(seen) // 2) + [1] * (len(seen) % 2)
    assert " ".join(each.move for each in seen) == record.moves
    assert [each.before for each in seen] == [start, *(each.position for each in seen[:-1])]
    assert all(each.before.child(each.choice) == each.position for each in seen)
    assert record.agents[1] == "random"


@pytest.mark.parametrize("cause", [True, False])
def test_a_forfeited_game_is_a_problem_in_its_last_position(cause: bool) -> None:
    def fail(position: Position) -> int:
        error = PapanError("forfeit.late", agent="bot:/drafts/ann/bot.py", granted="1", waited="2")
        raise Forfeit("timeout", error, "/drafts/ann/bot.py:8")

    start = papan.position("tictactoe")
    record = conduct(start, [lambda position: position.moves()[0], fail], ["a", "b"])
    if not cause:
        record = replace(record, cause={}, reason="It slept.")
    problem = forfeit_problem(record, start.game, FILE)
    assert (problem.position, problem.kind) == (str(start.after("a1")), "timeout")
    assert (problem.output, problem.line) == ("bot.py:8", 8)
    said = ("forfeit.late", {"agent": "bot.py", "granted": "1", "waited": "2"})
    other = ("forfeit.raised", {"error": "It slept."})
    assert (problem.error.key, problem.error.values) == (said if cause else other)


class RefusedError(PapanError):
    """What the caller of a compiler wants to be raised."""


Compiler = Callable[..., Any]


def compiler(made: int, code: int = 0, late: bool = False) -> Compiler:
    """A compiler that makes a program of so many bytes."""

    def run(command: tuple[str, ...], **given: Any) -> object:
        assert command[:4] == ("gcc", "-O2", "-std=gnu11", "-o") and command[-1] == "-lm"
        assert (given["timeout"], given["check"], given["pass_fds"]) == (60, False, ())
        given["preexec_fn"]()
        given["stdout"].truncate(made)
        given["stderr"].write(f"{command[-2]}:3: error".encode())
        given["stderr"].flush()
        if late:
            raise subprocess.TimeoutExpired("gcc", 60)
        return subprocess.CompletedProcess(command, code)

    return run


@pytest.mark.parametrize(
    ("run", "error", "notes"),
    [
        (compiler(1), None, None),
        (compiler(1 << 20), None, None),
        (compiler((1 << 20) + 1), "contest.too_large", None),
        (compiler(1, code=1), "contest.not_built", ["bot.c:3: error"]),
        (compiler(0), "contest.not_built", ["bot.c:3: error"]),
        (compiler(1, late=True), "contest.not_built", ["bot.c:3: error"]),
    ],
    ids=["fine", "just so large", "too large", "an error", "nothing was made", "too late"],
)
def test_a_bot_is_compiled_or_it_is_said_what_is_wrong(
    run: Compiler,
    error: str | None,
    notes: list[str] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limited: list[tuple[int, int]] = []
    monkeypatch.setattr(bots, "limit_new_process", lambda *limits: limited.append(limits))
    monkeypatch.setattr(bots, "LARGEST_PROGRAM", 1)
    monkeypatch.setattr("papan.lab.bots.shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("papan.lab.bots.subprocess.run", run)
    main, built = tmp_path / "bot.c", tmp_path / "bot.out"
    if error is None:
        compile_bot(main, built, confined=False, refused=RefusedError)
        assert stat.S_IMODE(built.stat().st_mode) == 0o700 and built.read_bytes()[:1] == b"\0"
    else:
        with pytest.raises(RefusedError) as refused:
            compile_bot(main, built, confined=False, refused=RefusedError)
        assert (refused.value.key, getattr(refused.value, "__notes__", None)) == (error, notes)
        assert refused.value.values == ({"most": 1} if error.endswith("large") else {})
        assert not built.exists()
    assert limited == [(60, 1024)], "processor seconds and megabytes"
    assert [*tmp_path.iterdir()] == [built] * (error is None), "nothing else is left"


def test_without_a_compiler_there_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.lab.bots.shutil.which", lambda name: None)
    with pytest.raises(RefusedError) as refused:
        compile_bot(tmp_path / "a.c", tmp_path / "a", refused=RefusedError)
    assert refused.value.key == "contest.no_compiler"
