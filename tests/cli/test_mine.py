"""The games that people have played in a terminal, and their exchange with browsers."""

import json
import signal
from pathlib import Path

import pytest

from papan import catalog
from papan.core.session import Session
from papan.lab.files import write_whole
from papan.terminal.games import saved_on_exit
from tests.cli.conftest import Papan

TWO = ("play", "tictactoe", "--vs", "human", "--plain", "--no-board")
BROWSER = (
    '{"game": "tictactoe:3,3,3", "start": "tictactoe:3,3,3 .../.../... x", "agents": ["human", '
    '"level:1,seed=7"], "moves": "a1 b1 a2 b2 a3", "scores": [1, 0], "end": "win", '
    '"names": ["Ana", ""]}\n'
)


def test_u10_a_finished_game_is_kept_listed_shown_reviewed_and_deleted(papan: Papan) -> None:
    assert "No games yet" in papan("mine", "list").err
    papan(*TWO, "--name", "Ana", typed="a1\nb1\na2\nb2\na3\n")
    [line] = papan("mine", "list", "--json").out.splitlines()
    record = json.loads(line)["record"]
    assert (record["moves"], record["end"]) == ("a1 b1 a2 b2 a3", "win")
    assert "Ana" in papan("mine", "list").out
    assert "Moves: a1 b1 a2 b2 a3" in papan("mine", "show", "1").out
    assert "player 2 would have held the draw; now Ana wins" in papan("mine", "review", "1").out
    assert papan("mine", "delete", "1").code == 0
    gone = papan("mine", "show", "1")
    assert (gone.code, gone.err.count("\n")) == (2, 1)
    assert "There is no game 1" in gone.err


def test_u10_a_game_that_goes_on_stays_one_game(papan: Papan) -> None:
    papan(*TWO, typed="a1\nb1\n")
    file = json.loads(papan("mine", "list", "--json").out)["file"]
    assert "papan play --load" in papan("mine", "show", "1").err
    papan("play", "--load", file, "--plain", typed="a2\nb2\na3\n")
    [line] = papan("mine", "list", "--json").out.splitlines()
    assert json.loads(line)["record"]["end"] == "win"


def test_u10_games_travel_between_terminal_and_browser(papan: Papan, tmp_path: Path) -> None:
    file = tmp_path / "papan.jsonl"
    file.write_text(BROWSER * 2, encoding="utf-8")
    assert "1 game taken in; 1 already here" in papan("mine", "import", str(file)).err
    assert "0 games taken in; 2 already here" in papan("mine", "import", str(file)).err
    assert json.loads(papan("mine", "export").out) == json.loads(BROWSER)
    assert "now Ana wins" in papan("mine", "review", "1").out
    assert papan("mine", "export", str(file)).code == 2  # it is not overwritten
    file.write_text(BROWSER.replace("a3", "a1"), encoding="utf-8")
    assert papan("mine", "import", str(file)).code == 2
    assert len(papan("mine", "list", "--json").out.splitlines()) == 1


def test_imported_games_are_listed_as_in_the_file_the_latest_first(
    papan: Papan, tmp_path: Path
) -> None:
    file = tmp_path / "papan.jsonl"
    lines = [BROWSER, BROWSER.replace("Ana", "Budi"), BROWSER.replace("Ana", "Citra")]
    file.write_text("".join(lines), encoding="utf-8")
    papan("mine", "import", str(file))
    exported = papan("mine", "export").out.splitlines()
    assert [json.loads(line)["names"][0] for line in exported] == ["Ana", "Budi", "Citra"]


def test_t21_t22_an_export_says_what_it_wrote_or_what_it_could_not(
    papan: Papan, tmp_path: Path
) -> None:
    papan(*TWO, typed="a1\n")
    there, nowhere = tmp_path / "all.jsonl", tmp_path / "none" / "all.jsonl"
    assert papan("mine", "export", str(there)).err == f"1 game written to {there}.\n"
    refused = papan("mine", "export", str(nowhere))
    assert refused.err == f"{nowhere} cannot be written: No such file or directory.\n"
    with pytest.raises(FileNotFoundError) as error:
        write_whole(nowhere, "")
    assert error.value.filename == str(nowhere)


def test_saved_games_are_a_table_with_the_latest_first(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("PAPAN_COMMAND", "./papan")
    dots = ("play", "dots:1,1", "--vs", "human", "--plain", "--no-board")
    papan(*dots, "--name", "Ana", "--name", "Budi", typed="a1b1\na2b2\na1a2\nb1b2\n")
    papan(*dots, typed="a1b1\n")
    lines = [json.loads(line) for line in papan("mine", "list", "--json").out.splitlines()]
    assert [line["number"] for line in lines] == [1, 2]
    when = [line["when"][:16].replace("T", " ") for line in lines]
    assert papan("mine", "list").out.splitlines() == [
        f"#  Game      Players     Result                 When{'':<12}".rstrip(),
        f"1  dots:1,1  you \u2013 you   unfinished             {when[0]}",
        f"2  dots:1,1  Ana \u2013 Budi  Player 2 (Budi) wins.  {when[1]}",
    ]
    left, over = papan("mine", "show", "1"), papan("mine", "show", "2")
    assert left.out.splitlines()[-2:] == ["Moves: a1b1", "unfinished"]
    assert left.err == f'Go on with: ./papan play --load "{lines[0]["file"]}"\n'
    assert over.out.splitlines()[-2:] == ["Moves: a1b1 a2b2 a1a2 b1b2", "Player 2 (Budi) wins."]
    assert over.err == "See the mistakes with: ./papan mine review 2\n"
    for number in ("0", "3"):
        assert f"There is no game {number}" in papan("mine", "delete", number).err
    deleted = papan("mine", "delete", "2")
    assert "dots:1,1" in deleted.err and "Ana \u2013 Budi" in deleted.err
    assert len(papan("mine", "list", "--json").out.splitlines()) == 1


def test_y7_a_game_that_is_over_is_saved_once_and_one_that_is_saved_not_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    handlers = {name: signal.getsignal(name) for name in (signal.SIGTERM, signal.SIGHUP)}
    session = Session(catalog.position("tictactoe"), [None, None])
    for move in ["b2", "a1", "b1", "a2", "b3"]:
        session.play(move)
    for _ in range(2):
        with saved_on_exit([session]):
            pass
        assert len([*tmp_path.rglob("*.json")]) == 1
    for name, handler in handlers.items():
        signal.signal(name, handler)
