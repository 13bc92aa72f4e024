"""``papan bot``: a first bot that runs as it is, and verdicts on every kind of bot."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from papan import catalog
from papan.agents.external import PAPAN_FOLDER
from papan.cli.app import run_arguments
from papan.cli.arguments import complete_agent
from papan.core.interrupts import Interrupted
from papan.core.record import Record
from papan.lab import referee
from papan.lab.files import save_record
from papan.lab.referee import BotTrial

from .conftest import Papan, Ran

pytestmark = pytest.mark.thorough

SMALL = ("--game", "tictactoe", "--positions", "30")
ENOUGH = 2
"""Faults that end a trial here: after each a process is started anew."""


@pytest.fixture(autouse=True)
def few_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "MOST_FAULTS", ENOUGH)


@pytest.fixture
def tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial of a bot is played once, and printed in each form that is asked for."""
    trials = list[BotTrial]()

    def trial(*given: Any) -> BotTrial:
        if not trials:
            trials.append(referee.try_out(*given))
        return trials[0]

    monkeypatch.setattr("papan.cli.agents.try_out", trial)


def bot(folder: Path, code: str) -> str:
    path = folder / "mybot.py"
    path.write_text(code, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("language", ["id", pytest.param("en", marks=pytest.mark.slow)])
def test_a_new_bot_passes_its_trial_on_every_game(
    papan: Papan, tmp_path: Path, language: str
) -> None:
    path = tmp_path / "mybot.py"
    made = papan("bot", "new", str(path), "--lang", language)
    assert made.code == 0
    assert f"papan bot check {path}" in made.out
    assert len(path.read_text(encoding="utf-8").splitlines()) == 10
    facts = json.loads(papan("bot", "check", str(path), "--positions", "100", "--json").out)
    assert facts["fine"]
    assert facts["positions"] == 100
    assert len(facts["games"]) == len(catalog.GAMES)


def test_a_new_bot_speaks_the_language_of_its_maker_and_names_the_command_that_was_typed(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAN_COMMAND", "./papan")
    made = papan("bot", "new", str(tmp_path / "c.py")).out
    assert (made.count("./papan "), made.count(" papan ")) == (2, 0)
    papan("bot", "new", str(tmp_path / "a.py"), "--lang", "id")
    papan("bot", "new", str(tmp_path / "b.py"), "--lang", "en")
    assert "Ubahlah" in (tmp_path / "a.py").read_text(encoding="utf-8")
    assert "Change that" in (tmp_path / "b.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["a b/c.py", "a b/c.js", "a b/c $d.py", "plain.py"])
def test_t05_what_a_new_bot_is_called_can_be_typed(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    tried, trial = papan("bot", "new", name).out.splitlines()
    *_, first = shlex.split(tried)
    *_, second = shlex.split(trial)
    found = catalog.external_place(first)
    assert first == second and found is not None
    kind, place = found
    assert (kind == "bot" and place == name) or shlex.split(place) == ["node", name]


NEEDED = {"mybot.c": "gcc", "mybot.js": "node", "mybot.java": "java"}


@pytest.mark.parametrize("name", NEEDED)
def test_c13_a_new_bot_in_another_language_runs_as_it_is(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    if shutil.which(NEEDED[name]) is None:
        pytest.skip(f"there is no {NEEDED[name]} to try it with")
    monkeypatch.chdir(tmp_path)
    *build, tried, trial = papan("bot", "new", name).out.splitlines()
    for line in build:
        command = shlex.split(line.partition(": ")[2])
        subprocess.run([*command, "-Wall", "-Wextra", "-Werror"], check=True)
    *_, agent = shlex.split(trial.partition(": ")[2])
    assert f"--vs {agent}" in tried.replace('"', "")
    ran = papan("bot", "check", agent, "--positions", "25", "--seconds", "60", "--json")
    facts = json.loads(ran.out)
    assert facts["fine"] and len(facts["games"]) == len(catalog.GAMES)


@pytest.mark.parametrize("name", NEEDED)
def test_c13_a_template_is_short_and_in_the_language_of_its_maker(
    papan: Papan, tmp_path: Path, name: str
) -> None:
    for language, word in (("en", "Change that!"), ("id", "Ubahlah!")):
        path = tmp_path / language / name
        path.parent.mkdir()
        papan("bot", "new", str(path), "--lang", language)
        code = path.read_text(encoding="utf-8")
        assert word in code and "$" not in code
        assert 10 <= len(code.splitlines()) <= 40


def test_c13_there_are_templates_for_four_languages(papan: Papan, tmp_path: Path) -> None:
    ran = papan("bot", "new", str(tmp_path / "mybot.rs"))
    assert ran.code == 2
    assert "must end in one of .py, .c, .js, .java" in ran.err
    ran = papan("bot", "new", str(tmp_path / "my bot.c"))
    assert f"gcc -O2 -o '{tmp_path}/my bot' '{tmp_path}/my bot.c'" in ran.out


@pytest.mark.usefixtures("tried_once")
def test_a_trial_ends_with_a_verdict(papan: Papan, tmp_path: Path) -> None:
    path = bot(tmp_path, "def choose(position): return position.moves()[0]")
    ran = papan("bot", "check", path, *SMALL)
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "All checks passed."
    assert "30 of 30 answered alike" in ran.out
    assert "30/30 positions" in ran.err
    assert "Bot lolos semua uji." in papan("bot", "check", path, *SMALL, "--lang", "id").out


CRASHING = """
def choose(position):
    print("looking at", position)
    return helper(position)

def helper(position):
    1 // (len(position.moves()) - 5)
    return "a1"
"""


@pytest.mark.usefixtures("tried_once")
def test_c06_what_a_bot_printed_is_shown_with_its_traceback(papan: Papan, tmp_path: Path) -> None:
    path = bot(tmp_path, CRASHING)
    ran = papan("bot", "check", path, *SMALL, "--show")
    assert ran.code == 1
    assert "    | looking at tictactoe:3,3,3 " in ran.out
    assert f'    |   File "{path}", line 4, in choose\n' in ran.out
    assert "    | ZeroDivisionError: integer division or modulo by zero\n" in ran.out
    plain = papan("bot", "check", path, *SMALL)
    assert plain.out.count("    | ") < ran.out.count("    | ")  # of the first fault the last lines
    assert f"bot check {path} --show" in plain.out
    facts = json.loads(papan("bot", "check", path, *SMALL, "--json").out)
    assert any("in helper" in fault["output"] for fault in facts["faults"])


def test_a_traceback_does_not_tell_where_the_machine_has_its_python(
    papan: Papan, tmp_path: Path
) -> None:
    source = """
import papan

def choose(position):
    try:
        papan.position("chess")
    except ValueError:
        from papan import no_such_name
"""
    path = bot(tmp_path, source)
    fault = json.loads(papan("bot", "check", path, *SMALL, "--json").out)["faults"][0]
    assert '  File "papan/catalog.py", line ' in fault["output"]
    assert "'no_such_name' from 'papan' (papan/__init__.py)" in fault["output"]
    said = json.dumps(fault)
    for place in (PAPAN_FOLDER.parent, sys.prefix, sys.base_prefix, Path(os.__file__).parent):
        assert str(place) not in said


def replay(capfd: pytest.CaptureFixture[str], *arguments: str) -> Ran:
    """What is seen on the terminal: the bot itself writes to it."""
    code = run_arguments(["bot", "replay", *arguments, "--lang", "en"])
    said = capfd.readouterr()
    return Ran(code, said.out, said.err)


def test_c06_one_position_is_asked_once_more_in_the_open(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = bot(tmp_path, CRASHING)
    failed = replay(capfd, path, "tictactoe b1 c1 b2 c2")
    assert failed.code == 1
    assert "looking at tictactoe:3,3,3 .xo/.xo/... x" in failed.out
    assert failed.err.startswith("Traceback (most recent call last):\n  File")
    assert "ZeroDivisionError" in failed.err
    fine = replay(capfd, path, "tictactoe")
    assert fine.code == 0 and fine.out.endswith("move a1\n")
    illegal = replay(capfd, path, "tictactoe a1")
    assert illegal.code == 1
    assert "a1 is not legal in 'tictactoe:3,3,3 x../.../... o'" in illegal.err


def test_c06_a_program_is_heard_while_it_is_asked_once_more(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program"
    path.write_text("#!/bin/sh\nread x; echo ready; read x; echo hmm >&2; echo move b2\n")
    path.chmod(0o755)
    ran = replay(capfd, f"program:{path}", "tictactoe")
    assert (ran.code, ran.out.splitlines()[-1], ran.err.strip()) == (0, "move b2", "hmm")


def test_c06_a_match_says_why_games_were_forfeited(papan: Papan, tmp_path: Path) -> None:
    path = bot(tmp_path, "def choose(position): return {}['x']")
    command = ("match", path, "random", "--pairs", "1", "--game", "tictactoe")
    reason = f"bot:{path} failed: KeyError: 'x' (line 1)."
    assert f"bot:{path} forfeited 2 (crash): {reason}" in papan(*command).out
    facts = json.loads(papan(*command, "--json").out.splitlines()[-1])
    (fault,), none = facts["faults"]
    assert (fault["kind"], fault["games"], fault["reason"], none) == ("crash", 2, reason, [])
    assert "in choose" in fault["output"] and fault["output"].endswith("KeyError: 'x'")


def test_k4_reasons_are_in_the_reader_s_language_and_name_the_legal_moves(
    papan: Papan, tmp_path: Path
) -> None:
    path = bot(tmp_path, "def choose(position): print('hm'); return 99")
    command = ("match", path, "random", "--pairs", "1", "--opening", "0", "--lang", "id")
    ran = papan(*command)
    assert "menjawab 99, yang bukan langkah sah" in ran.out
    assert "yang sah: a1 b1 c1 a2 b2 c2 a3 b3 c3." in ran.out
    assert "is not a legal move" not in ran.out
    assert "    | hm" in ran.out.splitlines()


def test_z7_it_is_said_that_nodes_do_not_bind_bots(papan: Papan, tmp_path: Path) -> None:
    path, cup = bot(tmp_path, "def choose(position): return position.moves()[0]"), tmp_path / "cup"
    command = (path, "random", "--pairs", "1", "--nodes", "10")
    for line in (("match", *command), ("tournament", "run", str(cup), *command)):
        assert "Nodes bind only papan's own agents" in papan(*line).err
    assert "Nodes bind" not in papan("match", "random", "random", *command[2:]).err
    seats = [json.loads(line)["seats"] for line in (cup / "effort.jsonl").read_text().splitlines()]
    assert all(len(move) == 3 and move[2] >= 0 for game in seats for seat in game for move in seat)


def test_d1_what_a_program_printed_when_it_died_is_shown(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_text("#!/bin/sh\nread x; echo ready; read x; echo no heap >&2; echo bye >&2; exit 4")
    path.chmod(0o755)
    agent, folder = f"program:{path}", str(tmp_path / "cup")
    for command in (
        ("match", agent, "random", "--pairs", "1"),
        ("tournament", "run", folder, agent, "random", "--pairs", "1"),
        ("tournament", "report", folder),
        ("bot", "check", agent, *SMALL),
    ):
        out = papan(*command).out
        assert "ended with exit code 4" in out
        assert "    | no heap\n    | bye" in out


@pytest.mark.usefixtures("tried_once")
def test_faults_are_told_with_their_positions_and_exit_code_1(papan: Papan, tmp_path: Path) -> None:
    path = bot(tmp_path, "def choose(position): return 0")
    ran = papan("bot", "check", path, *SMALL)
    assert ran.code == 1
    assert "illegal move in 'tictactoe:3,3,3 " in ran.out
    assert "answered a1, which is not a legal move" in ran.out
    assert ran.out.splitlines()[-1] == "Some checks failed."
    facts = json.loads(papan("bot", "check", path, *SMALL, "--json").out)
    assert facts["illegal"] == len(facts["faults"]) == ENOUGH


def test_a_bot_that_hangs_is_found_out(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.agents.external.GRACE_SECONDS", 0.1)
    path = bot(tmp_path, "def choose(position):\n    while True: pass")
    ran = papan("bot", "check", path, *SMALL, "--seconds", "0.1", "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["timeout"] == ENOUGH


@pytest.mark.parametrize(
    "code",
    [
        "asked = []\ndef choose(position):\n"
        "    asked.append(position)\n    moves = position.moves()\n"
        "    return moves[len(asked) % len(moves)]",
        "def choose(position): return max(position.moves(), key=lambda move: hash(str(move)))",
    ],
    ids=["remembers", "depends on hashes"],
)
def test_a_bot_that_answers_differently_when_asked_again_is_found_out(
    papan: Papan, tmp_path: Path, code: str
) -> None:
    ran = papan("bot", "check", bot(tmp_path, code), *SMALL)
    assert ran.code == 1
    assert "Different answer when asked again" in ran.out


def test_a_program_can_be_put_on_trial_too(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_text("#!/bin/sh\nread x; echo ready dots; read y; exit 9", encoding="utf-8")
    path.chmod(0o755)
    ran = papan("bot", "check", f"program:{path}", "--positions", "9")
    assert ran.code == 1
    assert "ended with exit code 9" in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["new"], "papan bot new needs FILE"),
        (["check"], "papan bot check needs BOT"),
        (["new", "mybot.txt"], "'mybot.txt' must end in one of .py, .c"),
        (["new", "no-such-folder/mybot.py"], "no-such-folder/mybot.py cannot be written"),
        (["old", "mybot.py"], "There is no command 'old'. Commands: check, new"),
        (["chek", "mybot.py"], "There is no command 'chek'; did you mean 'check'?"),
        (["new", "mybot.py", "--seed", "1"], "There is no option --seed"),
        (["check", "no-such-bot.py"], "There is no file 'no-such-bot.py'; 'papan bot new FILE'"),
        (["check", "no-such-bot"], "There is no file 'no-such-bot'"),
        (["check", "program:./no-such-program"], "cannot be started"),
        (["check", "{good}", "--positions", "0"], "A trial needs 1 to 1000000 positions"),
        (["check", "{good}", "--positions", "9" * 20], "A trial needs 1 to 1000000 positions"),
        (["check", "{good}", "--game", "chess"], "There is no game 'chess'"),
        (["check", "{good}", "--game", "dots"], "cannot play dots:3,3"),
        (["check", "{broken}"], "cannot be used: SyntaxError"),
        (["new", "{good}"], "exists already"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    papan: Papan, tmp_path: Path, arguments: list[str], message: str
) -> None:
    good = tmp_path / "good.py"
    good.write_text("GAMES = ['tictactoe']\ndef choose(position): ...", encoding="utf-8")
    files = {"good": str(good), "broken": bot(tmp_path, "def choose(:")}
    ran = papan("bot", *(argument.format(**files) for argument in arguments))
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "command",
    [
        ["analyse", "tictactoe", "--agent", "{}"],
        ["watch", "tictactoe", "--a", "{}", "--b", "random"],
        ["match", "{}", "random", "--pairs", "1"],
        ["play", "tictactoe", "--vs", "{}", "--seat", "2", "--plain"],
    ],
    ids=lambda command: command[0],
)
def test_a_bot_plays_wherever_an_agent_does(
    papan: Papan, tmp_path: Path, command: list[str]
) -> None:
    good = bot(tmp_path, "def choose(position): return position.moves()[-1]")
    ran = papan(*(word.format(good) for word in command))
    assert ran.code == 0
    assert f"bot:{good}" in ran.out
    broken = bot(tmp_path, "def choose(position): 1 / 0")
    ran = papan(*(word.format(broken) for word in command))
    assert ran.code == (0 if command[0] == "match" else 2)
    assert "ZeroDivisionError: division by zero (line 1)" in ran.err


def test_loading_a_game_runs_nothing_that_only_the_file_names(papan: Papan, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    program = f"program:touch {trace}"
    saved = tmp_path / "game.json"
    start = "tictactoe:3,3,3 .../.../... x"
    save_record(Record("tictactoe:3,3,3", start, ("human", program), "", (0, 0), "open"), saved)
    ran = papan("play", "--load", str(saved), "--plain")
    assert ran.code == 2
    assert f'if you trust it, name it too: --vs "{program}"' in ran.err
    assert not trace.exists()


def test_a_game_against_a_bot_goes_on_if_the_bot_is_named(papan: Papan, tmp_path: Path) -> None:
    path = bot(tmp_path, "def choose(position): return position.moves()[0]")
    saved = tmp_path / "game.json"
    papan("play", "tictactoe", "--vs", path, "--plain", typed=f"b2\nsave {saved}\n")
    ran = papan("play", "--load", str(saved), "--vs", f"bot:{path}", "--plain", typed="b1\n")
    assert ran.code == 0
    assert f"Player 2 (bot:{path}" in ran.out


def test_files_and_programs_are_listed_with_the_agents(papan: Papan) -> None:
    out = papan("agents").out
    assert "A bot of your own in Python" in out
    assert "line protocol" in out


def test_the_shell_completes_bots_in_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bot(tmp_path, "")
    assert complete_agent("my") == ["mybot.py"]
    assert "mybot.py" not in complete_agent("")


@pytest.mark.parametrize("name", ["/etc/passwd", "mybot", "mybot.js", "bot:mybot.txt,seed=1"])
@pytest.mark.parametrize("asked", [("check",), ("replay", "tictactoe")])
def test_a_file_that_is_no_python_is_told_what_would_be_right(
    papan: Papan,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    asked: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    for each in ("mybot", "mybot.js", "mybot.txt"):
        Path(each).write_text("def choose(position): return position.moves()[0]")
    ran = papan("bot", asked[0], name, *asked[1:])
    assert ran.code == 2 and not ran.out
    file = name.removeprefix("bot:").removesuffix(",seed=1")
    assert ran.err == (
        f"'{file}' is no bot in Python, as its name does not end in .py; "
        "name a program in another language by its command, such as program:./mybot.\n"
    )


@pytest.mark.parametrize("bot", ["level:3", "alphabeta:depth=x", "mcts:iterations=5"])
@pytest.mark.parametrize("asked", [("check",), ("replay", "tictactoe")])
def test_an_agent_of_papans_own_is_no_bot_to_check(
    papan: Papan, bot: str, asked: tuple[str, ...]
) -> None:
    ran = papan("bot", asked[0], bot, *asked[1:])
    assert ran.code == 2 and not ran.out
    assert ran.err == (
        f"'{bot}' is an agent of papan's own; what is taken here is a bot of yours, "
        "such as mybot.py or program:./mybot.\n"
    )


def test_a_watched_bot_is_checked_again_at_each_save_until_ctrl_c(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mybot.py"
    good = "def choose(position):\n    return position.moves()[0]\n"
    path.write_text(good)
    texts = iter(["def choose(position):\n    return 1 // 0\n", "def choose(\n", None, good])
    saves = [0]

    def save_next(seconds: float) -> None:
        """Save the next text in place of waiting; without one the file is away for a moment."""
        try:
            text = next(texts)
        except StopIteration:
            raise KeyboardInterrupt from None
        path.unlink(missing_ok=True)
        if text is not None:
            saves[0] += 1
            path.write_text(text)
            os.utime(path, ns=(saves[0], saves[0]))

    monkeypatch.setattr("papan.cli.agents.sleep", save_next)
    ran = papan("bot", "watch", str(path), "--game", "tictactoe", "--positions", "5")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("Waiting for") == 4
    assert ran.out.count("All checks passed.") == 2
    assert "ZeroDivisionError" in ran.out
    assert "SyntaxError: '(' was never closed" in ran.out


@pytest.mark.parametrize("name", ["none.py", "none.c", "none.txt"])
def test_what_cannot_be_watched_is_refused_at_once(papan: Papan, tmp_path: Path, name: str) -> None:
    ran = papan("bot", "watch", str(tmp_path / name))
    assert ran.code == 2 and name in ran.err and ran.out == ""


def test_y7_an_interrupted_trial_is_printed_as_far_as_it_came_and_is_no_success(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise Interrupted(BotTrial((), (0.25, 0.5), 0, ()))

    monkeypatch.setattr("papan.cli.agents.try_out", stopped)
    path = bot(tmp_path, "def choose(position):\n    return position.moves()[0]\n")
    ran = papan("bot", "check", path, *SMALL)
    assert ran.code == 130
    assert "Done so far: 2 of 30." in ran.err
    assert "median 0.3750, longest 0.5000" in ran.out
