"""Tournaments and matches: killed and resumed, they end as if nothing had happened."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from papan.core import Progress
from papan.process.supervisor import children
from tests.waiting import LONGEST_WAIT, until

from .conftest import Papan

pytestmark = pytest.mark.thorough

# Agents that need no compiled kernels: every table of a tournament would load them anew.
PLAN = ("random", "hillclimb", "random:seed=9", "--nodes", "200", "--seed", "3", "--pairs", "2")


def start(*arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "papan", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LANG": "C.UTF-8", "PAPAN_COMMAND": "./papan"},
    )


def wait_for_games(folder: Path, count: int) -> None:
    """Wait until so many games are over."""
    journal = folder / "games.jsonl"
    until(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= count)


def none_runs(processes: Iterable[int]) -> bool:
    """Is none of them there? One that nobody has buried yet has ended."""
    return not any(map(runs, processes))


def runs(process: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def games(folder: Path) -> dict[int, Any]:
    lines = (folder / "games.jsonl").read_text().splitlines()
    return {facts["number"]: facts for line in lines if (facts := json.loads(line))}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cup") / "undisturbed"
    process = start("tournament", "run", str(folder), *PLAN)
    out, err = process.communicate(timeout=LONGEST_WAIT)
    assert process.returncode == 0, err
    assert "12 of 12 games, seed 3: all games are played." in out
    return folder


@pytest.mark.parametrize("kills", [(5,), pytest.param((2, 5, 10), marks=pytest.mark.slow)], ids=str)
def test_s17_killed_at_any_point_and_resumed_the_table_is_the_same(
    undisturbed: Path, tmp_path: Path, papan: Papan, kills: tuple[int, ...]
) -> None:
    folder = tmp_path / "cup"
    process = start("tournament", "run", str(folder), *PLAN)
    for count in kills:
        wait_for_games(folder, count)
        tables = children(process.pid)
        process.kill()
        process.communicate()
        until(partial(none_runs, tables))  # nothing stays behind
        process = start("tournament", "resume", str(folder))
    out, _ = process.communicate(timeout=LONGEST_WAIT)
    assert process.returncode == 0
    assert out == papan("tournament", "report", str(undisturbed)).out
    assert games(folder) == games(undisturbed)
    for form in ("--json", "--csv"):
        expected = papan("tournament", "report", str(undisturbed), form).out
        assert papan("tournament", "report", str(folder), form).out == expected


@pytest.mark.parametrize(
    "polite", [signal.SIGINT, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)]
)
def test_an_interrupted_run_says_how_to_go_on(
    polite: signal.Signals, tmp_path: Path, papan: Papan
) -> None:
    folder = tmp_path / "my cup"
    process = start("tournament", "run", str(folder), *PLAN, "--pairs", "999")  # never over by then
    wait_for_games(folder, 2)
    process.send_signal(polite)
    _, err = process.communicate(timeout=LONGEST_WAIT)
    assert process.returncode == 130
    assert f"go on with: ./papan tournament resume '{folder}'" in err
    assert "Traceback" not in err
    assert "not over yet" in papan("tournament", "report", str(folder)).out


def test_d6_an_interrupted_match_shows_the_table_so_far(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def three(bar: object, made: Progress) -> None:
        if made.done == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("papan.cli.match.Bar.update", three)
    words = ["match", "random", "random", "--pairs", "20", "--concurrency", "1"]
    ran = papan(*words)
    assert ran.code == 130
    assert "3 of 40 games were played" in ran.err
    assert ran.err.endswith("Interrupted.\n")
    assert "Games: 2" in ran.out
    facts = json.loads(papan(*words, "--json").out.splitlines()[-1])
    assert facts["wins"] + facts["draws"] + facts["losses"] == 2


def test_a_torn_last_line_is_played_again(undisturbed: Path, tmp_path: Path, papan: Papan) -> None:
    folder = tmp_path / "cup"
    folder.mkdir()
    for name in ("plan.json", "games.jsonl"):
        (folder / name).write_bytes((undisturbed / name).read_bytes())
    journal = folder / "games.jsonl"
    journal.write_bytes(journal.read_bytes()[:-40])
    assert papan("tournament", "resume", str(folder)).code == 0
    assert games(folder) == games(undisturbed)
    assert len(games(folder)) == 12


def test_resuming_what_is_over_only_shows_the_table(undisturbed: Path, papan: Papan) -> None:
    before = (undisturbed / "games.jsonl").read_bytes()
    ran = papan("tournament", "resume", str(undisturbed))
    assert ran.code == 0
    assert ran.out == papan("tournament", "report", str(undisturbed)).out
    assert (undisturbed / "games.jsonl").read_bytes() == before


def test_a_report_says_the_same_as_text_as_json_and_as_csv(undisturbed: Path, papan: Papan) -> None:
    text = papan("tournament", "report", str(undisturbed)).out
    facts = json.loads(papan("tournament", "report", str(undisturbed), "--json").out)
    table = papan("tournament", "report", str(undisturbed), "--csv").out
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["agent"] for row in rows] == [agent["agent"] for agent in facts["agents"]]
    for row, agent in zip(rows, facts["agents"]):
        assert float(row["points"]) == agent["points"]
        assert int(row["wins"]) + int(row["draws"]) + int(row["losses"]) == agent["games"] == 8
        assert f"{agent['points']:g}/8" in text
    for encounter in facts["encounters"]:
        assert sum(encounter["pentanomial"]) == 2
        assert " ".join(map(str, encounter["pentanomial"])) in text
    assert facts["ending"] == "all"
    assert sum(facts["endings"].values()) == 12
    assert "Games ended: win" in text
    assert "semua permainan" in papan("tournament", "report", str(undisturbed), "--lang", "id").out


def test_the_likelihood_of_superiority_is_that_of_the_agent_named_first(
    undisturbed: Path, papan: Papan
) -> None:
    text = papan("tournament", "report", str(undisturbed)).out
    facts = json.loads(papan("tournament", "report", str(undisturbed), "--json").out)
    place = {agent["agent"]: number for number, agent in enumerate(facts["agents"])}
    shown = re.findall(r"^(\S+) - (\S+) .* ([0-9.]+)% ", text, re.MULTILINE)
    assert len(shown) == len(facts["encounters"]) == 3
    for first, second, percent in shown:
        known = facts["superiority"][place[first]][place[second]]
        assert float(percent) == pytest.approx(100 * known, abs=0.06)
    assert max(abs(float(percent) - 50) for *_, percent in shown) > 10, "one is the stronger"


def test_a_sequential_test_ends_a_tournament_and_says_so(tmp_path: Path, papan: Papan) -> None:
    plan = ("priority", "random", "--game", "connect4:4,4", "--pairs", "500")
    ran = papan("tournament", "run", str(tmp_path), *plan, "--sprt", "elo0=0 elo1=200")
    assert ran.code == 0
    assert "the test has accepted H1" in ran.out
    assert "The test is over: 200 Elo is accepted." in ran.out
    facts = json.loads(papan("tournament", "report", str(tmp_path), "--json").out)
    assert facts["sprt"]["verdict"] == facts["ending"] == "H1"
    assert facts["games"] < 1000


@pytest.mark.parametrize(
    "hypotheses", ["elo0=0,elo1=300", pytest.param("elo0=-1000,elo1=1000", marks=pytest.mark.slow)]
)
def test_v03_hypotheses_far_apart_are_tested_reported_and_resumed(
    tmp_path: Path, papan: Papan, hypotheses: str
) -> None:
    plan = ("hillclimb", "random", "--nodes", "50", "--pairs", "2", "--concurrency", "1")
    assert papan("tournament", "run", str(tmp_path), *plan, "--sprt", hypotheses).code == 0
    for command in ("report", "resume"):
        ran = papan("tournament", command, str(tmp_path))
        assert ran.code == 0
        assert "Log-likelihood ratio of" in ran.out


def test_v03_hypotheses_that_cannot_be_tested_are_refused_before_the_first_game(
    tmp_path: Path, papan: Papan
) -> None:
    plan = ("alphabeta", "random", "--pairs", "2", "--sprt", "elo0=0,elo1=1001")
    ran = papan("tournament", "run", str(tmp_path / "cup"), *plan)
    assert ran.code == 2
    assert "The test cannot tell 0.0 from 1001.0 Elo" in ran.err
    assert not (tmp_path / "cup").exists()


def test_adjudicated_games_are_counted(tmp_path: Path, papan: Papan) -> None:
    plan = ("random", "random", "--pairs", "1", "--adjudicate", "100000", "--concurrency", "1")
    assert "adjudicated 2" in papan("tournament", "run", str(tmp_path), *plan).out


def test_a_gauntlet_and_a_puzzle_have_their_tables(tmp_path: Path, papan: Papan) -> None:
    plan = ("random", "hillclimb", "random:seed=9", "--nodes", "50", "--pairs", "2", "--gauntlet")
    out = papan("tournament", "run", str(tmp_path / "a"), *plan).out
    assert "8 of 8 games" in out
    assert "hillclimb - random:seed=9" not in out
    puzzle = ("random", "openings", "--game", "onet:2,6,3", "--pairs", "3")
    out = papan("tournament", "run", str(tmp_path / "b"), *puzzle).out
    assert "6 of 6 games" in out


def test_all_agents_look_equally_far_ahead_where_a_depth_is_given(
    tmp_path: Path, papan: Papan
) -> None:
    plan = ("chains", "chains-fixed:depth=3", "--pairs", "1", "--depth", "2", "--concurrency", "1")
    out = papan("tournament", "run", str(tmp_path), *plan, "--game", "dots:1,2").out
    assert "chains:depth=2 - chains-fixed:depth=2" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run"], "needs DIR"),
        (["run", "NEW", "--agents", "random"], "write AGENT AGENT... as it is, without --agents"),
        (["run", "NEW"], "needs AGENT AGENT..."),
        (["run", "NEW", "random"], "at least 2 agents, not 1"),
        (["run", "NEW", "random", "randon"], "did you mean 'random'"),
        (["run", "NEW", "random", "human"], "play yourself with 'papan play tictactoe"),
        (["run", "NEW", "random", "priority"], "cannot play tictactoe"),
        (["run", "NEW", "random", "random", "--game", "chess"], "There is no game 'chess'"),
        (["run", "NEW", "random", "random", "--pairs", "0"], "at least 1 pair"),
        (["run", "NEW", "random", "random", "--pairs", "9" * 15], "plan up to 1000000000"),
        (["run", "NEW", "random", "random", "--seconds", "0"], "seconds must be more than 0"),
        (["run", "NEW", "random", "random", "--depth", "3"], "random has no depth"),
        (["run", "NEW", "random", "random", "--sprt", "elo=3"], "no option 'elo'"),
        (["run", "NEW", "random", "random", "--sprt", "elo0=9 elo1=3"], "cannot tell 9.0 from 3.0"),
        (["run", "NEW", "random", "random", "--sprt", ""], "'' is not a test"),
        (["run", "NEW", "random", "random", "--sprt", " , "], "' , ' is not a test"),
        (["run", "NEW", "random", "random", "--sprt", "1.5"], "'1.5' is not a test"),
        (["run", "NEW", "random", "random", "--sprt", "elo0=0 5"], 'such as "elo0=0 elo1=5"'),
        (["run", "NEW", "random", "random", "--until-error", "0"], "more than 0 Elo"),
        (["run", "NEW", "random", "random", "--memory", "1"], "the memory from 64 to 1000000000"),
        (["run", "NEW", "random", "random", "--memory", "9" * 17], "the memory from 64 to"),
        (["run", "NEW", "random", "random", "--concurrency", "0"], "Between 1 and 1024"),
        (["run", "NEW", "random", "random", "--store", "x"], "not the address of a store"),
        (["run", "NEW", "random", "random", "--store", "sqlite:////no/where"], "was not begun"),
        (["run", "OLD", "random", "random"], "There is a tournament in"),
        (["resume", "NEW"], "There is no tournament in"),
        (["report", "NEW"], "There is no tournament in"),
        (["rum", "NEW"], "There is no command 'rum'; did you mean 'run'?"),
    ],
)
def test_bad_input_is_one_clear_line_and_makes_no_folder(
    undisturbed: Path, tmp_path: Path, papan: Papan, arguments: list[str], message: str
) -> None:
    places = {"NEW": str(tmp_path / "new"), "OLD": str(undisturbed)}
    ran = papan("tournament", *(places.get(word, word) for word in arguments))
    assert ran.code == 2
    assert ran.out == ""
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_an_agent_that_has_vanished_is_told_before_anything_is_played(
    undisturbed: Path, tmp_path: Path, papan: Papan
) -> None:
    plan = (undisturbed / "plan.json").read_text().replace('"hillclimb"', '"gone"')
    (tmp_path / "plan.json").write_text(plan)
    ran = papan("tournament", "resume", str(tmp_path))
    assert ran.code == 2
    assert "There is no agent 'gone'" in ran.err


@pytest.mark.parametrize("change", [('"hillclimb"', "5"), ('"seed": 3', '"seed": "three"')])
@pytest.mark.parametrize("command", ["resume", "report"])
def test_a_plan_that_makes_no_sense_is_told(
    undisturbed: Path, tmp_path: Path, papan: Papan, command: str, change: tuple[str, str]
) -> None:
    plan = (undisturbed / "plan.json").read_text().replace(*change)
    (tmp_path / "plan.json").write_text(plan)
    ran = papan("tournament", command, str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert "The plan of the tournament cannot be read" in ran.err


def test_a_damaged_store_is_written_anew_once_it_is_moved_away(
    undisturbed: Path, tmp_path: Path, papan: Papan
) -> None:
    for name in ("plan.json", "games.jsonl"):
        (tmp_path / name).write_bytes((undisturbed / name).read_bytes())
    store = tmp_path / "games.sqlite"
    store.write_text("no database" * 100)
    assert "12 of 12 games" in papan("tournament", "report", str(tmp_path)).out
    ran = papan("tournament", "resume", str(tmp_path), "--trust")  # else it is written anew at once
    assert ran.code == 2
    assert "is damaged (file is not a database)" in ran.err
    assert "move the file away" in ran.err
    store.unlink()
    assert papan("tournament", "resume", str(tmp_path)).code == 0
    assert "12 of 12 games" in papan("tournament", "report", str(tmp_path)).out


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot that plays, and one that leaves."""
    (tmp_path / "good.py").write_text("def choose(position): return position.moves()[0]\n")
    (tmp_path / "bad.py").write_text("import os\ndef choose(position): os._exit(3)\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_bots_of_users_play_tournaments(bots: Path, papan: Papan) -> None:
    plan = ("bad.py", "good.py", "--pairs", "1", "--concurrency", "1")
    assert papan("tournament", "run", "cup", *plan).code == 0
    facts = json.loads(papan("tournament", "report", "cup", "--json").out)
    forfeits = {agent["agent"]: agent["forfeits"] for agent in facts["agents"]}
    assert forfeits == {"bot:good.py": {}, "bot:bad.py": {"crash": 2}}
    assert papan("tournament", "resume", "cup").code == 0


def test_a_bot_that_thinks_too_long_is_out_of_time(bots: Path, papan: Papan) -> None:
    (bots / "slow.py").write_text("import time\ndef choose(position): time.sleep(60)\n")
    plan = ("slow.py", "random", "--pairs", "1", "--concurrency", "1")
    ran = papan("match", *plan, "--seconds", "0.1", "--json")
    assert json.loads(ran.out.splitlines()[-1])["forfeits"] == [{"timeout": 2}, {}]


def test_a_bot_that_cannot_be_used_is_told_in_the_language_of_the_user(
    bots: Path, papan: Papan
) -> None:
    (bots / "broken.py").write_text("def choose(")
    ran = papan("match", "broken.py", "random", "--lang", "id")
    assert ran.code == 2
    assert ran.err.startswith("bot:broken.py tidak dapat dipakai: SyntaxError")


def test_a_tournament_runs_only_bots_that_are_trusted_as_they_were(
    bots: Path, papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    papan("tournament", "run", "cup", "good.py", "random", "--pairs", "1", "--concurrency", "1")
    plan = bots / "cup" / "plan.json"
    text = plan.read_text()

    def refused() -> str:
        ran = papan("tournament", "resume", "cup")
        assert ran.code == 2
        return ran.err

    plan.write_text(text.replace("bot:good.py", "bot:bad.py"))
    assert "would run bot:bad.py" in refused(), "a changed plan"
    plan.write_text(text)
    (bots / "good.py").rename(bots / "away.py")
    assert "There is no file 'good.py'" in refused(), "no fault of the bot"
    (bots / "away.py").rename(bots / "good.py")
    monkeypatch.setenv("XDG_DATA_HOME", str(bots / "another user"))
    assert "would run bot:good.py; if you trust them, add --trust" in refused(), "from elsewhere"
    assert papan("tournament", "resume", "cup", "--trust").code == 0
    assert papan("tournament", "report", "cup").code == 0


KILLER = """\
#!/bin/sh
above() { read -r line < /proc/$1/stat; set -- ${line##*) }; echo $2; }
while read -r word rest; do
    case $word in
        papan) echo ready ;;
        go) agent=$(above $PPID); kill -9 $(above $agent) $agent $PPID; exec sleep 600 ;;
    esac
done
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it looks for its referee in /proc")
def test_z5_a_bot_that_kills_its_referee_loses_and_the_tournament_goes_on(
    tmp_path: Path, papan: Papan
) -> None:
    bot, cup = tmp_path / "killer", tmp_path / "cup"
    bot.write_text(KILLER)
    bot.chmod(0o755)
    agents = (f"program:{bot}", "random", "--pairs", "1", "--concurrency", "1")
    ran = papan("tournament", "run", str(cup), *agents)
    assert ran.code == 0, ran.err
    forfeits = [facts["cause"]["key"] for facts in games(cup).values() if "blame" in facts]
    assert (len(games(cup)), forfeits) == (2, ["forfeit.kills"] * 2)
    assert "killed the process of its rival or of the referee" in ran.out
    assert papan("tournament", "resume", str(cup)).code == 0


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("command", ["run", "resume", "report"])
def test_every_option_is_explained_in_both_languages(
    papan: Papan, command: str, language: str
) -> None:
    ran = papan("tournament", command, "--help", "--lang", language)
    assert ran.code == 0
    assert "option." not in ran.out
    assert "DIR" in ran.out


def test_a_match_tells_elo_and_its_error(papan: Papan) -> None:
    out = papan("match", "hillclimb", "random", "--pairs", "6", "--nodes", "50").out
    assert "Elo difference:" in out
    assert "Likelihood of superiority:" in out
    facts = json.loads(
        papan(
            "match", "hillclimb", "random", "--pairs", "6", "--nodes", "50", "--json"
        ).out.splitlines()[-1]
    )
    assert sum(facts["pentanomial"]) == 6
    assert facts["elo"]["low"] is not None


def test_t04_a_match_says_how_many_pairs_differ(papan: Papan) -> None:
    plan = ("match", "hillclimb", "hillclimb", "--pairs", "2", "--opening", "0")
    assert "\nDifferent pairs: 1/2. The others repeat" in papan(*plan).out
    assert json.loads(papan(*plan, "--json").out.splitlines()[-1])["distinct"] == 1


def test_a_match_can_end_when_a_test_or_an_error_says_so(papan: Papan) -> None:
    plan = ("match", "hillclimb", "random", "--nodes", "50", "--pairs", "400", "--json")
    *records, facts = papan(*plan, "--sprt", "elo0=0,elo1=500").out.splitlines()
    assert json.loads(facts)["games"] == len(records) < 800
    *records, facts = papan(*plan, "--until-error", "300").out.splitlines()
    elo = json.loads(facts)["elo"]
    assert max(elo["high"] - elo["value"], elo["value"] - elo["low"]) <= 300
    assert len(records) < 800


def test_a_match_is_the_same_where_no_process_can_be_forked(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = ("match", "hillclimb", "random", "--nodes", "50", "--pairs", "3", "--json")
    apart = papan(*plan).out
    monkeypatch.setattr("papan.cli.match.CAN_FORK", False)
    assert papan(*plan).out == apart


@pytest.mark.parametrize("command", ["run", "resume", "report"])
def test_an_empty_name_is_no_folder(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = papan("tournament", command, "", *(PLAN if command == "run" else ()))
    assert (ran.code, ran.out) == (2, "")
    assert "needs a name, such as cup" in ran.err
    assert not (tmp_path / "plan.json").exists()


def test_a_folder_in_place_of_the_journal_is_one_clear_line(
    undisturbed: Path, tmp_path: Path, papan: Papan
) -> None:
    (tmp_path / "plan.json").write_bytes((undisturbed / "plan.json").read_bytes())
    (tmp_path / "games.jsonl").mkdir()
    ran = papan("tournament", "resume", str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert "games.jsonl is a link, a folder, a pipe or a device" in ran.err


def test_two_forms_of_a_report_at_once_are_refused(undisturbed: Path, papan: Papan) -> None:
    ran = papan("tournament", "report", str(undisturbed), "--csv", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "choose one" in ran.err
