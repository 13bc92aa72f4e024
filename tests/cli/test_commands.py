"""The commands: data on standard output, one clear line for every mistake, stable exit codes."""

import codecs
import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
import typer

from papan.cli import app
from papan.core import PapanError
from papan.core.message import catalogue
from papan.terminal import output
from papan.web.help import chapters, page_text

from .conftest import Papan

COMMANDS = [
    "serve", "play", "watch", "mine", "puzzle", "analyse", "solve", "review", "match",
    "tournament", "elo", "lab", "complexity", "bot", "games", "agents", "doctor", "warm",
]  # fmt: skip
GROUPS = {name: list(group) for name, group in app.COMMANDS.items() if isinstance(group, dict)}
IN_GROUPS = [f"{group} {name}" for group, names in GROUPS.items() for name in names]


def test_help_lists_the_commands_in_the_order_in_which_people_want_them(papan: Papan) -> None:
    words = [line.split()[1:2] for line in papan("--help").out.splitlines()]
    assert [word for (word,) in filter(None, words) if word in COMMANDS] == COMMANDS


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_without_a_command_shows_its_help(papan: Papan, group: str) -> None:
    ran = papan(group)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.rstrip() == papan(group, "--help").out.rstrip()


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("command", COMMANDS + IN_GROUPS)
def test_help_speaks_the_language_that_was_asked_for(
    papan: Papan, command: str, language: str
) -> None:
    ran = papan(*command.split(), "--help", "--lang", language)
    assert ran.code == 0
    first_words = catalogue(language)[f"cli.{command.replace(' ', '.')}"].split()[:3]
    assert " ".join(first_words) in ran.out
    assert catalogue(language)["cli.options"] in ran.out


def test_the_locale_decides_where_nobody_asks(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "List the games" in papan("--help").out
    monkeypatch.setenv("LANG", "id_ID.UTF-8")
    assert "Daftar permainan" in papan("--help").out
    assert "List the games" in papan("--lang=en", "--help").out


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["plya"], "There is no command 'plya'; did you mean 'play'?"),
        (["play"], "Which game? Choose from tictactoe"),
        (["play", "tictacto"], "There is no game 'tictacto'; did you mean 'tictactoe'?"),
        (["play", "tictactoe:3,3,9"], "a line of at least 3 must fit the board"),
        (
            ["play", "tictactoe", "--vs", "randon"],
            "There is no agent 'randon'; did you mean 'random'?",
        ),
        (["play", "tictactoe", "--vs", "priority"], "The agent priority cannot play tictactoe"),
        (["play", "tictactoe", "--seat", "3"], "The seat must be 1 or 2, not 3"),
        (["play", "tictactoe", "--seat", "x"], "--seat must be written like 1|2"),
        (["solve", "tictactoe", "--nodes", "3.5"], "--nodes must be written like N|inf"),
        (["serve", "--port", "99999"], "--port must be a number from 0 to 65535"),  # T18
        (["play", "tictactoe", "--seat"], "The option --seat"),
        (["play", "tictactoe", "--clock", "-1"], "must be more than 0"),
        (["play", "--load", "no-such-file"], "no-such-file cannot be read"),
        (["analyse"], "papan analyse needs GAME|POSITION"),
        (["analyse", "tictactoe", "--moves", "a1 a1"], "a1 is not legal"),
        (["analyse", "tictactoe", "--moves", "zz"], "'zz' is not a move here"),
        (["analyse", "tictactoe", "--seconds", "0"], "seconds must be more than 0"),
        (["analyse", "tictactoe", "--seconds", "nan"], "seconds must be more than 0"),
        (["analyse", "tictactoe xxx/oo./... o"], "There is nothing to think about"),
        (["analyse", "tictactoe", "--colour"], "There is no option --colour"),
        (["agents", "--game", "nosuch"], "There is no game 'nosuch'. A game or"),  # T25
        (["match", "random"], "papan match needs AGENT"),
        (["match", "random", "random", "--pairs", "0"], "A match needs at least 1 pair"),
        (["watch", "tictactoe", "--speed", "-2"], "The speed must be 0 or from 0.001 moves"),
        (["watch", "tictactoe", "--speed", "nan"], "The speed must be 0 or from 0.001 moves"),
        (["watch", "tictactoe", "--speed", "1e-300"], "The speed must be 0 or from 0.001 moves"),
        (["watch", "dots", "--a", "human"], "play yourself with 'papan play dots'"),
        (["watch", "onet", "--b", "nobody"], "There is no agent 'nobody'"),
        (["play", "onet", "--vs", "nobody"], "There is no agent 'nobody'"),
        (["play", "onet", "--seed", "9" * 19], "A seed may have up to 18 digits"),
        (["match", "random", "random", "--seed", f"{10**18}"], "A seed may have up to 18 digits"),
        (["solve", "--board", os.devnull], f"{os.devnull} is a link, a folder, a pipe or"),
        (["games", "of", "chess"], "Nothing can be done with 'of chess' here"),
        (["xyzzy"], "There is no command 'xyzzy'. Commands: agents"),
        (["--colour"], "There is no option --colour; see 'papan --help'"),
        (["analyse", "tictactoe\nx\x1b[31m" + "y" * 9999], "is not a position"),
        (["games", "--lang", "jp"], "There is no language 'jp'; choose from en, id"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_code_2(
    papan: Papan, arguments: list[str], message: str
) -> None:
    ran = papan(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert message in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("words", [["--version", "tournament"], ["--version", "bot", "check"]])
def test_a_word_after_an_option_may_name_a_group(papan: Papan, words: list[str]) -> None:
    ran = papan(*words)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("papan ")


def test_a_file_without_a_board_is_told(papan: Papan, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    ran = papan("solve", "--board", str(empty))
    assert (ran.code, ran.out) == (2, "")
    assert f"There is no board in {empty}" in ran.err


def test_a_mistake_of_any_length_is_told_in_a_line_that_can_be_read(papan: Papan) -> None:
    err = papan("analyse", f"tictactoe \x1b[31m{'y' * 9999}").err
    assert len(err) < 1000
    assert "\x1b" not in err


@pytest.mark.parametrize("language", ["en", "id"])
def test_the_usage_line_speaks_the_language_too(papan: Papan, language: str) -> None:
    words = {"en": ("Usage:", "[OPTIONS]"), "id": ("Pemakaian:", "[OPSI]")}
    out = papan("play", "-h", "--lang", language).out
    assert all(word in out for word in words[language])
    assert "<str>" not in out


def test_an_unexpected_word_is_told_in_indonesian_too(papan: Papan) -> None:
    assert "'chess' tidak dapat diproses" in papan("games", "chess", "--lang", "id").err


def test_the_version_is_told(papan: Papan) -> None:
    assert papan("--version").out == f"papan {version('papan')}\n"


def test_c09_a_limit_may_be_large_or_none_at_all(papan: Papan) -> None:
    assert papan("analyse", "tictactoe", "--agent", "random", "--nodes", str(10**15)).code == 0
    assert papan("match", "random", "random", "--pairs", "1", "--seconds", "inf").code == 0


def test_errors_speak_indonesian_too(papan: Papan) -> None:
    ran = papan("play", "tictactoe:9", "--lang", "id")
    assert (
        "garis minimal 3 harus muat di papan"
        in papan("play", "tictactoe:1,1,3", "--lang", "id").err
    )
    assert ran.code in (0, 2)


def test_games_are_listed_with_their_sizes(papan: Papan) -> None:
    assert "tictactoe:4,4,4" in papan("games").out
    games = json.loads(papan("games", "--json").out)
    assert (games[0]["name"], games[0]["seats"]) == ("tictactoe", 2)


def test_agents_are_listed_for_a_game(papan: Papan) -> None:
    assert "priority" in papan("agents", "--game", "connect4").out
    assert "priority" not in papan("agents", "--game", "tictactoe").out
    names = [agent["name"] for agent in json.loads(papan("agents", "--json").out)]
    assert {"random", "priority", "chains"} <= set(names)


@pytest.mark.thorough
def test_doctor_reports_python_cores_and_parts(papan: Papan) -> None:
    found = json.loads(papan("doctor", "--json").out)
    assert found["python"].startswith("3.")
    assert found["cores"] >= 1
    assert {"papan", "textual", "browser", "system"} <= found.keys()
    text = papan("doctor", "--lang", "id").out
    assert "python" in text and "peramban" in text


def test_analyse_gives_the_same_facts_as_text_and_as_json(papan: Papan) -> None:
    arguments = ("analyse", "connect4", "--moves", "112233", "--agent", "priority-fixed")
    assert "Move: 4" in papan(*arguments).out
    facts = json.loads(papan(*arguments, "--json").out)
    assert facts["best"] == ["4"]
    assert facts["position"].startswith("connect4:6,7 ")
    assert facts["agent"] == "priority-fixed"


def test_analyse_streams_events_as_json_lines(papan: Papan) -> None:
    out = papan("analyse", "connect4", "--agent", "priority", "--events").out
    kinds = [json.loads(line)["t"] for line in out.splitlines()]
    assert (kinds[0], kinds[-1]) == ("start", "done")


@pytest.mark.thorough
def test_match_prints_records_as_json_lines_and_progress_elsewhere(papan: Papan) -> None:
    arguments = ("match", "random", "priority", "--game", "connect4", "--pairs", "2", "--json")
    ran = papan(*arguments)
    *records, summary = map(json.loads, ran.out.splitlines())
    assert [record["end"] for record in records] == ["win"] * 4
    assert summary["wins"] + summary["draws"] + summary["losses"] == 4
    assert "4/4" in ran.err
    assert papan(*arguments).out == ran.out


def test_the_same_seed_gives_the_same_log_to_the_byte(papan: Papan) -> None:
    arguments = ("watch", "dots:2,2", "--a", "random", "--b", "chains", "--seed", "7")
    assert papan(*arguments).out == papan(*arguments).out
    assert papan(*arguments).out != papan(*arguments[:-1], "8").out
    assert papan(*arguments, "--json").out == papan(*arguments, "--json").out


def test_watch_ends_with_the_result(papan: Papan) -> None:
    out = papan("watch", "tictactoe", "--a", "random", "--b", "random", "--seed", "1").out
    assert re.fullmatch(r"Player \d \(.*\) wins\.|Game over: draw\.", out.splitlines()[-1])
    assert "Player 1 (random:seed=1) plays" in out


def script(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-P", "-m", "papan", *arguments],
        capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **environment},
    )  # fmt: skip


@pytest.mark.thorough
def test_no_colours_in_a_pipe_nor_with_no_color() -> None:
    assert "\x1b[" not in script("agents").stdout
    assert "\x1b[" not in script("--help", NO_COLOR="1", FORCE_COLOR="").stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    "shell", ["bash", *(pytest.param(each, marks=pytest.mark.slow) for each in ("zsh", "fish"))]
)
def test_completion_lists_games_and_agents(shell: str) -> None:
    def completed(line: str) -> str:
        words = line.split(" ")
        facts = {
            "_PAPAN_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }
        return script(**facts).stdout

    assert "connect4" in completed("papan play conn")
    assert "priority" in completed("papan play connect4 --vs prio")


def test_l03_neither_papan_nor_a_worker_loads_what_it_may_not_need() -> None:
    """The compiler, the web and the screen take longer to load than all of papan."""
    code = (
        "import sys, papan, papan.cli.app, papan.web.worker; papan.position('connect4')\n"
        "print({'fastapi', 'numba', 'textual'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "set()"


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -P -m papan watch dots --a random --b random | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "said", "encoding"),
    [
        (("elo", "1", "2", "3"), "Elo difference: -", "ascii"),
        *(
            pytest.param(
                ("analyse", "tictactoe o../.x./... x", "--nodes", "300"),
                "<~ -0.11",
                encoding,
                marks=pytest.mark.slow,
            )
            for encoding in ("ascii", "cp1252")
        ),
    ],
)
def test_what_the_terminal_cannot_show_is_written_in_plainer_characters(
    words: tuple[str, ...], said: str, encoding: str
) -> None:
    done = script(*words, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert said in done.stdout


def test_the_signs_of_an_analysis_have_plainer_characters_too() -> None:
    codecs.register_error("plainer here", output._plain_characters)
    assert "\u2272 \u22120.11".encode("ascii", "plainer here") == b"<~ -0.11"


@pytest.mark.thorough
def test_a_stream_that_is_closed_is_no_error() -> None:
    for closed in ("<&-", ">&-", "2>&-"):
        command = (
            f"{sys.executable} -P -m papan match random random --pairs 1 --concurrency 1 {closed}"
        )
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert done.returncode == 0
        assert done.stdout.startswith("tictactoe:3,3,3: 2 games") == (closed != ">&-")


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("solve connect4:5,5 --threads 100000", "threads"),
        ("solve connect4:5,5 --nodes 99999999999999999999999", "nodes"),
        ("solve adjacency:9,9,2 --memory 99999999999", "memory"),
        ("solve tictactoe --seconds nan", "seconds"),
        ("solve tictactoe --seconds=-1", "seconds"),
        ("play tictactoe --seconds 1e300", "seconds"),
        ("watch tictactoe --nodes 0", "nodes"),
        ("match random random --nodes 99999999999999999999999", "nodes"),
        ("analyse tictactoe --agent mcts:iterations=999999999999999999", "iterations"),
        ("analyse tictactoe --agent alphabeta:depth=999999999999999999", "depth"),
        ("analyse tictactoe --agent solver:memory=99999999999", "memory"),
    ],
)
def test_c09_a_number_out_of_bounds_is_one_sentence(papan: Papan, command: str, named: str) -> None:
    ran = papan(*command.split())
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f"{named} must be " in ran.err


def test_t33_a_full_disk_is_no_fault_of_papan(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (device := Path("/dev/full")).exists():
        pytest.skip("this system has no device that is always full")
    with monkeypatch.context() as patched, device.open("w", encoding="utf-8") as full:
        patched.setattr(sys, "stdout", full)
        assert app.run_arguments(["games", "--json"]) == 1
    assert papan("nosuch").err.startswith("The output cannot be written: No space left")


def raising(error: BaseException) -> Callable[..., None]:
    def command(json: bool = False) -> None:
        raise error

    return command


def test_what_ends_a_command_decides_its_exit_code(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAPAN_DEBUG", raising=False)
    full, quota, large, sealed = (
        OSError(number, "no room", "cup")
        for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
    )
    ends: list[tuple[BaseException, int, str]] = [
        *((each, 1, "cup cannot be written: no room.\n") for each in (full, quota, large, sealed)),
        (
            OSError(errno.ENAMETOOLONG, "too long", "x" * 61),
            2,
            f"{'x' * 60}\u2026 cannot be read: too long.\n",
        ),
        (
            OSError(errno.EACCES, "no", "cup"),
            1,
            "papan failed: PermissionError: [Errno 13] no: 'cup' "
            "(set PAPAN_DEBUG=1 to see where).\n",
        ),
        (
            ZeroDivisionError("two\n lines"),
            1,
            "papan failed: ZeroDivisionError: two lines (set PAPAN_DEBUG=1 to see where).\n",
        ),
        (PapanError("screen.over"), 2, "The game is over; n starts another one, u takes back.\n"),
        (KeyboardInterrupt(), 130, "Interrupted.\n"),
        (typer.Abort(), 130, "Interrupted.\n"),
        (typer.Exit(7), 7, ""),
        (SystemExit(143), 143, ""),
        (SystemExit(), 0, ""),
    ]
    for error, code, said in ends:
        monkeypatch.setitem(app.COMMANDS, "games", raising(error))
        ran = papan("games")
        assert (ran.code, ran.out, ran.err) == (code, "", said), error


def test_an_unexpected_error_is_raised_for_who_looks_for_it(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAN_DEBUG", "1")
    monkeypatch.setitem(app.COMMANDS, "games", raising(ZeroDivisionError("here")))
    with pytest.raises(ZeroDivisionError, match="here"):
        papan("games")


def test_a_fault_of_a_game_is_told_with_its_line(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.catalog.fault_place", lambda *_: ("nim/rules.py", 12))
    monkeypatch.setitem(app.COMMANDS, "games", raising(ValueError("odd")))
    assert "papan failed: nim/rules.py, line 12: ValueError: odd (set" in papan("games").err


def test_ctrl_c_before_the_command_keeps_it_from_running(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "id_ID.UTF-8")
    assert app.run_arguments(["games"], lambda: True) == 130
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"{catalogue('id')['cli.interrupted']}\n")


def test_only_the_commands_that_are_needed_are_built() -> None:
    assert app.needed(["play", "dots"]) == {"play": app.COMMANDS["play"]}
    for words in ([], ["--help"], ["pley"]):
        assert app.needed(words) is app.COMMANDS


def test_the_pages_of_the_help_are_listed_and_printed(papan: Papan) -> None:
    first, *rows = papan("help").out.splitlines()
    assert first.split() == ["page", "title"]
    assert [row.split()[0] for row in rows] == [
        page.name for chapter in chapters("en") for page in chapter.pages
    ]
    assert papan("help", "dots").out == page_text("dots", "en")[0]
    assert papan("help", "dots", "--lang", "id").out == page_text("dots", "id")[0]
    refused = papan("help", "nosuch")
    assert (refused.code, refused.out) == (2, "")
    assert "nosuch" in refused.err and "dots" in refused.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play", "--sed", "1"], "There is no option --sed; did you mean --seed?\n"),
        (["play", "--zzzzzz"], "There is no option --zzzzzz; see 'papan play --help'."),
        (["review", "--game-file", "x"], "write FILE as it is, without --game-file"),
        (["elo", "-3", "1", "2"], "W D L cannot be negative; write it like 30 20 10"),
        (["puzzle", "-3"], "There is no option -3; see 'papan puzzle --help'."),
        (["serve", "--port", "-1"], "--port must be a number from 0 to 65535"),
        (["tournament", "ru"], "There is no command 'ru'; did you mean 'run'?"),
        (["games", "--file=-"], "standard input"),
        (
            ["games", "--json", "--json=1"],
            "Option '--json' does not take a value; see 'papan --help'.",
        ),
    ],
)
def test_a_mistyped_word_is_told_with_what_was_meant(
    papan: Papan, words: list[str], said: str
) -> None:
    ran = papan(*words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1
