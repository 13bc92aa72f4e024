"""The process of a bot's file, without a process: what it answers, and how it tells a fault."""

import io
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

import papan
from papan import bot_main
from papan.bot_main import MODULE, answer_openly
from papan.catalog import GAMES

START = papan.position("tictactoe")
Write = Callable[[str], Path]
AGENT = """
    from papan import Agent, Analysis

    class Mine(Agent):
        name = "mine"
        seed = 0

        def plays(self, game):
            return game.name in ("dots", "tictactoe")

        def decide(self, position, thinking):
            limit = thinking.limit
            print(limit.seconds, limit.nodes)
            return Analysis((position.moves()[-1],), 0.5)
"""


@pytest.fixture
def write(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Write]:
    """A function that writes a bot's file; what loading it changes is changed back."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(bot_main, "_stay_alone", lambda: None)
    monkeypatch.setitem(sys.modules, MODULE, sys)
    state = random.getstate()

    def written(text: str) -> Path:
        path = tmp_path / "my_bot.py"
        path.write_text(dedent(text), encoding="utf-8")
        return path

    yield written
    random.setstate(state)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def choose(position): return 'b2'", "move b2\n"),
        ("def choose(position): return position.moves()[2]", "move c1\n"),
        (AGENT, "inf inf\nmove c3 0.5\n"),
        (AGENT + "\n    def choose(position): return 'a2'", "move a2\n"),
        ("import helper_of_bot\ndef choose(position): return helper_of_bot.MOVE", "move b3\n"),
    ],
)
def test_one_answer_in_the_open(
    text: str, said: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(text)
    path.with_name("helper_of_bot.py").write_text("MOVE = 'b3'", encoding="utf-8")
    assert answer_openly(path, START, 3) == 0
    assert capsys.readouterr() == (said, "")
    sys.modules.pop("helper_of_bot", None)


def test_the_seed_and_the_position_decide_what_a_bot_draws(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write("import random\ndef choose(position): return random.choice(position.moves())")
    drawn = []
    for seed, position in ((3, START), (3, START), (4, START), (3, START.play("b2"))):
        random.seed()
        assert answer_openly(path, position, seed) == 0
        drawn.append(capsys.readouterr().out)
    moves = START.moves()
    expected = START.game.move_name(random.Random(f"3 {START}").choice(moves))
    assert drawn[0] == drawn[1] == f"move {expected}\n"
    assert drawn[0] != drawn[2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1", "my_bot.py cannot be used: the file needs a function choose(position), or one"),
        (AGENT + AGENT.replace("Mine", "Yours"), "my_bot.py cannot be used: the file needs"),
        ("def choose(position): return 'z9'", "'z9' is not a move here"),
        ("def choose(position): return None", "None is not a move"),
    ],
)
def test_what_is_no_bot_or_no_move_is_one_sentence(
    text: str, said: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer_openly(write(text), START, 0) == 1
    out, err = capsys.readouterr()
    assert out == "" and said in err and len(err.splitlines()) == 1


def test_a_traceback_begins_with_the_bots_own_file(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write("""
        def choose(position):
            raise KeyError("y" * 2000)
    """)
    assert answer_openly(path, START, 0) == 1
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == "" and lines[0] == "Traceback (most recent call last):"
    assert lines[1] == f'  File "{path}", line 3, in choose'
    assert lines[-1] == f"KeyError: '{'y' * 1000}"[:1000]


def talked(
    path: Path, monkeypatch: pytest.MonkeyPatch, *requests: str
) -> tuple[list[str], list[int]]:
    """What the process answers to these lines, until it fails; and the codes it ends with."""
    answers, ended = io.StringIO(), list[int]()
    asked = io.StringIO("".join(f"{line}\n" for line in requests))
    monkeypatch.setattr(bot_main, "private_streams", lambda: (asked, answers))
    monkeypatch.setattr("papan.bot_main.os._exit", ended.append)
    bot_main.main(path)
    return answers.getvalue().splitlines(), ended


def test_it_answers_line_by_line_until_it_fails(
    write: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said, _ = talked(
        write(AGENT), monkeypatch,
        "papan 1", "what", "position tictactoe b2", "moves a1 b1",
        "go seconds 2 seed 7 nodes 50", "position dots:1,1", "go", "position chess", "go",
    )  # fmt: skip
    ready = " ".join(name for name in GAMES if name in ("dots", "tictactoe"))
    assert said[:3] == [f"ready {ready}", "move c3 0.5", "move b1b2 0.5"]
    assert said[3].startswith("error InvalidSpecError: ") and len(said) == 4
    out, err = capsys.readouterr()
    assert out == "2.0 50\ninf inf\n" and "InvalidSpecError" in err


@pytest.mark.parametrize(
    ("games", "named"),
    [
        ("", [*GAMES]),
        ("GAMES = ['onet', 'chess', 'dots']", [name for name in GAMES if name in ("dots", "onet")]),
        ("GAMES = []", [*GAMES]),
    ],
)
def test_a_file_names_the_games_that_it_plays(
    games: str, named: list[str], write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(f"{games}\ndef choose(position): return 1 / 0")
    said, _ = talked(path, monkeypatch, "papan 1", "position dots", "go")
    assert said == [
        f"ready {' '.join(named)}",
        "error ZeroDivisionError: division by zero (line 2)",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("GAMES = ['chess']\ndef choose(position): return 0", "bot.no_games"),
        ("x = 1", "bot.no_choose"),
        ("def choose(position:", "SyntaxError: '(' was never closed (line 1)"),
        ("\n\nraise ValueError('a\\n  b\\tc')", "ValueError: a b c (line 3)"),
        ("raise ValueError", "ValueError (line 1)"),
        ("raise SystemExit(3)", "SystemExit: 3 (line 1)"),
        (
            "def other(position):\n    raise ValueError('x' * 300)\ndef choose(position):\n"
            "    return other(position)",
            f"ValueError: {'x' * 188} (line 2)",
        ),
    ],
)
def test_a_fault_is_told_in_one_line_with_its_place(
    text: str,
    said: str,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines, _ = talked(write(text), monkeypatch, "position dots", "go")
    assert lines == [f"error {said}"]
    assert "failed>" not in capsys.readouterr().err, "a text that lacks a value"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("4", "move b2"),
        ("0", "move a1"),
        ("8", "move c3"),
        ("9", "move 9"),
        ("-1", "move -1"),
        ("'b2'", "move b2"),
        ("'a  1\\n' + 'x' * 300", f"move a 1 {'x' * 196}"),
        ("True", "move True"),
        ("2.0", "move 2.0"),
    ],
)
def test_a_number_is_named_and_anything_else_goes_out_as_it_is(
    answer: str, said: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = "position tictactoe", "go", "position chess", "go"
    lines, _ = talked(write(f"def choose(position): return {answer}"), monkeypatch, *asked)
    assert lines[0] == said


def test_a_bot_may_start_no_other_processes() -> None:
    for event in ("os.fork", "os.system", "subprocess.Popen", "os.posix_spawn", "os.exec"):
        with pytest.raises(PermissionError, match=event):
            bot_main._alone(event, ())
    bot_main._alone("open", ())


@pytest.mark.thorough
def test_the_process_of_a_bot_loads_no_more_of_papan_than_it_needs() -> None:
    needless = {"papan.api", "papan.library", "papan.lab", "papan.web", "numpy", "email.message"}
    code = f"import sys, papan.bot_main; print({needless}.intersection(sys.modules))"
    command = [sys.executable, "-P", "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("set()\n", "")
