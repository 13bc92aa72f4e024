"""Line mode: a game as a conversation, one line for each thing that happens."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from papan.catalog import agent, position
from papan.core import InvalidRecordError, InvalidSpecError, PapanError
from papan.core.session import SeatAgent, Session
from papan.lab.files import save_record
from papan.papers.onet import EXPERIMENTS
from papan.terminal.games import (
    Clock,
    keep,
    my_games,
    name_people,
    new_session,
    reopened,
    save_my_game,
)

from .conftest import Papan

RANDOM = agent("random")
PLAY = ("play", "tictactoe", "--plain", "--seed", "1", "--vs", "random")


def test_two_people_play_to_the_end(papan: Papan) -> None:
    ran = papan("play", "tictactoe", "--vs", "human", "--plain", typed="a1\na2\nb1\nb2\nc1\n")
    assert ran.code == 0
    assert "Player 2 (you) plays b2" in ran.out
    assert ran.out.splitlines()[-1] == "Player 1 (you) wins."


def test_the_agent_answers_and_says_why(papan: Papan) -> None:
    typed = "4\nwhy\nquit\n"
    ran = papan("play", "connect4", "--plain", "--seed", "1", "--vs", "priority", typed=typed)
    assert "Player 2 (priority) plays" in ran.out
    assert "Connect 4: the greedy priorities of paper 004" in ran.out


def test_sitting_second_the_agent_begins(papan: Papan) -> None:
    out = papan(*PLAY, "--seat", "2", typed="quit\n").out
    assert out.index("Player 1 (random:seed=1) plays") < out.index("Your move, player 2:")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("zz", "'zz' is not a move here; write one like 'a1'"),
        ("moves", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
        ("langkah", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
        ("undo", "Taken back: 0"),
        ("redo", "Made again: 0"),
        ("rules", "unbroken row, column or diagonal wins"),  # T31
        ("aturan", "unbroken row, column or diagonal wins"),
        ("help", "save / simpan: save the game to a file: save FILE"),
        ("why", "No agent has moved yet."),
        ("shuffle", "tictactoe has nothing to shuffle."),
        ("save", "Save where?"),
        ("hint", "Hint 1 of 3: "),
        ("hint\nhint", "Hint 2 of 3: look here: "),
        ("hint\npetunjuk\nhint\nhint", "Suggestion: "),
        ("help", "undo / urungkan: take back your last move"),
        ("resign", "Player 2 (random:seed=1) wins by resignation"),
    ],
)
def test_everything_else_that_can_be_said(papan: Papan, typed: str, answer: str) -> None:
    ran = papan(*PLAY, typed=f"{typed}\nquit\n")
    assert ran.code == 0
    assert answer in ran.out


def test_n03_minus_one_follows_the_best_move_until_none_is_left(papan: Papan) -> None:
    board = "onet:2,2 1,2/1,2"
    ran = papan("play", board, "--plain", "--seed", "1", typed="0 0 1 0\n-1\n")
    assert "You (you) plays a1a2" in ran.out
    assert "plays b1b2" in ran.out
    assert "cleared" in ran.out.splitlines()[-1]
    normal = "onet:6,12,rule=paper " + EXPERIMENTS[0].board
    advice = papan("play", normal, "--plain", typed="-1\nquit\n")
    assert "openings) plays d3e3" in advice.out, "Q11: what the paper's program recommends"
    stuck = papan("play", "onet:2,2 1,2/2,1", "--plain", typed="-1\nquit\n")
    assert stuck.out.count("No pair can be joined any more") == 2


def test_c07_people_have_the_names_that_they_give(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "named.json"
    game = ("play", "tictactoe", "--vs", "human", "--plain", "--name", "Ana", "--name", "Budi")
    ran = papan(*game, typed=f"a1\na2\nb1\nb2\nsave {path}\nc1\n")
    assert "Player 2 (Budi) plays b2" in ran.out
    assert ran.out.splitlines()[-1] == "Player 1 (Ana) wins."
    assert json.loads(path.read_text())["names"] == ["Ana", "Budi"]
    again = papan("play", "--load", str(path), "--plain", typed="c1\n")
    assert "Player 1 (Ana) plays c1" in again.out
    refused = papan(*PLAY, "--name", "Ana", "--name", "Budi")
    assert refused.code == 2
    assert "2 names for 1 people" in refused.err


def test_undo_takes_back_both_plies(papan: Papan) -> None:
    out = papan(*PLAY, typed="b2\nundo\nmoves\nquit\n").out
    assert "Taken back: 2" in out
    assert "a1 b1 c1 a2 b2 c2 a3 b3 c3" in out


def test_without_the_board_there_is_one_line_for_each_event(papan: Papan) -> None:
    out = papan("play", "tictactoe", "--vs", "human", "--plain", "--no-board", typed="a1\nb2\n").out
    assert "1 . . ." not in out
    assert "Player 1 (you) plays a1" in out


def test_a_saved_game_is_loaded_and_nothing_is_overwritten(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    typed = f"b2\nsave {path}\nsave {path}\nquit\n"
    assert papan(*PLAY, typed=typed).out.count(f"Saved to {path}.") == 2
    moves = json.loads(path.read_text())["moves"].split()
    assert moves[0] == "b2"
    assert len(moves) == 2
    again = papan("play", "--load", str(path), "--plain", typed=f"moves\nsave {path}\nquit\n")
    assert "b2" not in again.out.split("Your move")[1]
    assert "exists already; choose a new name" in again.out


def test_c11_a_game_that_is_not_the_one_asked_for_is_not_loaded(
    papan: Papan, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    papan(*PLAY, typed=f"b2\nsave {path}\nquit\n")
    for other in ("connect4", "tictactoe:4,4,4"):
        ran = papan("play", other, "--load", str(path), "--plain", typed="quit\n")
        assert ran.code == 2
        assert f"holds a game of tictactoe:3,3,3, not of {other}; leave out {other}" in ran.err
    for same in ("tictactoe", "tictactoe:3,3,3"):
        assert papan("play", same, "--load", str(path), "--plain", typed="quit\n").code == 0


@pytest.mark.parametrize(
    ("asked", "same"),
    [
        ("onet", True),
        ("onet:2,3", True),
        ("onet:2,3,seed=5", True),
        ("onet:2,3,seed=6", False),
        ("onet:3,2", False),
        ("onet:2,3,gravity=down", False),
        ("dots", False),
        ("", True),
    ],
)
def test_a_saved_deal_is_loaded_as_any_game_of_its_size(
    tmp_path: Path, asked: str, same: bool
) -> None:
    path = tmp_path / "game.json"
    save_record(Session(position("onet:2,3,seed=5"), [None]).record(), path)
    if same:
        assert reopened(path, "human", asked).game.spec == "onet:2,3,seed=5"
    else:
        with pytest.raises(InvalidRecordError, match="holds a game of onet:2,3,seed=5, not of "):
            reopened(path, "human", asked)


def test_a_file_that_cannot_be_written_is_named(papan: Papan, tmp_path: Path) -> None:
    out = papan(*PLAY, typed=f"save {tmp_path}/no/such/folder\nquit\n").out
    assert "cannot be written" in out


def test_leaving_saves_the_game_and_says_how_to_go_on(papan: Papan) -> None:
    ran = papan(*PLAY, typed="b2\n")
    assert ran.code == 0
    command = ran.err.splitlines()[-1]
    assert command.startswith("The game is saved; go on with: papan play --load ")
    path = command.split('"')[1]
    assert json.loads(Path(path).read_text())["end"] == "open"
    assert papan("play", "--load", path, "--plain", typed="quit\n").code == 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_ctrl_c_or_a_closed_window_saves_the_game(
    tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "papan", *PLAY],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "LANG": "C", "XDG_DATA_HOME": str(tmp_path)},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("b2\n")
    process.stdin.flush()
    for awaited in ("Player 2 (random:seed=1) plays", "Your move, player 1:"):
        while awaited not in process.stdout.readline():
            assert process.poll() is None
    process.send_signal(sent)
    _, err = process.communicate()
    assert process.returncode == code
    assert "go on with: papan play --load" in err
    assert err.rstrip().endswith("Interrupted.") == (sent == signal.SIGINT)
    assert len(list(tmp_path.rglob("tictactoe-*.json"))) == 1


def test_the_clock_ends_the_game(papan: Papan) -> None:
    out = papan(*PLAY, "--clock", "0.000001", typed="b2\n").out
    assert "Player 2 (random:seed=1) wins on time" in out


def test_the_conversation_is_in_indonesian_where_asked(papan: Papan) -> None:
    out = papan(*PLAY, "--lang", "id", typed="urungkan\nbantuan\nmenyerah\n").out
    assert "Giliran Anda, pemain 1:" in out
    assert "Langkah diurungkan: 0" in out
    assert "Pemain 2 (random:seed=1) menang karena lawan menyerah" in out


def test_a_stuck_board_is_no_end_but_offers_a_shuffle(papan: Papan) -> None:
    ran = papan("play", "onet:2,3 1,2,0/2,1,0", "--plain", typed="shuffle\nundo\nquit\n")
    assert ran.code == 0
    assert ran.out.count("No pair can be joined any more") == 2
    assert "Shuffled." in ran.out


def test_with_json_the_record_is_the_data_and_the_talk_goes_elsewhere(papan: Papan) -> None:
    ran = papan(*PLAY, "--json", typed="resign\n")
    assert json.loads(ran.out)["end"] == "resigned"
    assert "Your move, player 1:" in ran.err


@pytest.mark.parametrize("name", ["~nobody-of-this-name/game", "a\x00b", "9" * 300])
def test_a_name_that_no_file_can_have_does_not_end_the_game(papan: Papan, name: str) -> None:
    ran = papan(*PLAY, typed=f"save {name}\nresign\n")
    assert ran.code == 0
    assert "cannot be written" in ran.out


def test_a_game_that_is_in_a_file_is_not_saved_again(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert "The game is saved" not in papan(*PLAY, typed=f"b2\nsave {path}\nquit\n").err
    assert "saved" not in papan("play", "--load", str(path), "--plain", typed="quit\n").err


def test_a_shuffled_board_is_saved_on_leaving(papan: Papan) -> None:
    ran = papan("play", "onet", "--plain", "--seed", "1", typed="shuffle\nquit\n")
    assert "The game is saved" in ran.err


def test_where_the_home_cannot_be_written_the_game_is_saved_elsewhere(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("papan.terminal.games.gettempdir", lambda: str(tmp_path))
    assert f'papan play --load "{tmp_path}/tictactoe-' in papan(*PLAY, typed="b2\n").err


def test_a_resigned_game_stays_resigned_when_it_is_loaded(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(papan(*PLAY, "--json", typed="b2\nresign\n").out)
    out = papan("play", "--load", str(path), "--plain").out
    assert out.splitlines()[-1].endswith("Player 2 (random:seed=1) wins by resignation.")


def test_a_clock_runs_only_while_its_person_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("papan.terminal.games.monotonic", lambda: now[0])
    clock = Clock(10)
    now[0] += 5
    assert clock.left == 10
    clock.start()
    now[0] += 4
    clock.stop()
    now[0] += 50
    assert clock.left == 6
    clock.start()
    now[0] += 7
    assert clock.left == 0


def test_t30_options_that_change_nothing_are_named(papan: Papan) -> None:
    said = "onet is a puzzle for one: --vs and --seat change nothing here."
    for more, found in ((("--vs", "level:5"), 1), (("--seat", "2"), 1), ((), 0)):
        ran = papan("play", "onet:2,2", "--plain", "--seed", "1", *more, typed="quit\n")
        assert (ran.code, ran.err.count(said)) == (0, found)


def test_e18_the_opponent_is_changed_inside_a_game(papan: Papan) -> None:
    ran = papan(*PLAY, typed="b2\nopponent\nopponent level:9\nopponent level:2\nresign\n")
    assert "Write opponent and one of: " in ran.out and " level:1, level:2, " in ran.out
    assert "number must be from 1 to 5, not 9" in ran.out
    assert "From now on you play against level:2." in ran.out
    assert "Player 2 (level:2) wins by resignation" in ran.out


def test_watching_waits_between_moves_as_the_speed_says(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr("papan.cli.play.sleep", waited.append)
    words = ("watch", "tictactoe xx./oo./... x", "--a", "minimax", "--b", "random")
    out = papan(*words).out
    assert papan(*words, "--speed", "0").out == out
    assert waited == []
    assert papan(*words, "--speed", "4").out == out
    assert waited == [0.25]
    assert papan(*words, "--speed", "0.001", "--json").out.startswith('{"game": ')
    assert waited == [0.25, 1000]
    for slow in ("0.0009", "-1"):
        assert papan(*words, "--speed", slow).code == 2
    board = "  a b c\n1 x x {}\n2 o o .\n3 . . .\n"
    assert out == (
        "tictactoe:3,3,3: minimax - random\n"
        + board.format(".")
        + "\nPlayer 1 (minimax) plays c1 (value = +1 for player 1; nodes: 367)\n"
        + board.format("x")
        + "Player 1 (minimax) wins.\n"
    )


def test_a_game_of_two_is_told_whole(papan: Papan) -> None:
    words = ("play", "dots:1,1", "--vs", "human", "--plain", "--seed", "1")
    typed = "a1b1\nBOARD\na2b2\nundo\nredo\na1a2\nb1b2\n"
    ran = papan(*words, "--name", "Ana", "--name", "Budi", typed=typed)
    empty = "  a   b\n1 +   +\n\n2 +   +\n"
    one = empty.replace("1 +   +", "1 +---+")
    two = one.replace("2 +   +", "2 +---+")
    score = "Score: player 1 0, player 2 0\n"
    first, second = "Your move, player 1:\n", "Your move, player 2:\n"
    assert ran.err == "Seed 1\n"
    assert ran.out == (
        "dots:1,1. Have fun.\nType a move, or 'help'.\n"
        f"{empty}{score}{first}Player 1 (Ana) plays a1b1\n"
        f"{one}{score}{second}{one}{score}{second}Player 2 (Budi) plays a2b2\n"
        f"{two}{score}{first}Taken back: 1\n"
        f"{one}{score}{second}Made again: 1\n"
        f"{two}{score}{first}Player 1 (Ana) plays a1a2\n"
        "  a   b\n1 +---+\n  |\n2 +---+\n"
        f"{score}{second}Player 2 (Budi) plays b1b2\n"
        "  a   b\n1 +---+\n  | o |\n2 +---+\n"
        "Score: player 1 0, player 2 1\n"
        "Player 2 (Budi) wins.\n"
    )


@pytest.mark.parametrize(
    ("agents", "names", "found"),
    [
        ((None, None), ["Ana", "Budi"], ("Ana", "Budi")),
        ((None, None), [" Ana  B "], ("Ana B", "")),
        ((RANDOM, None), ["Ana"], ("", "Ana")),
        ((None, RANDOM), [], ()),
        ((None, RANDOM), ["Ana", "Budi"], None),
        ((None, RANDOM), ["x" * 31], None),
        ((None, RANDOM), ["x" * 30], ("x" * 30, "")),
    ],
)
def test_people_have_names_seat_by_seat(
    agents: tuple[SeatAgent, ...], names: list[str], found: tuple[str, ...] | None
) -> None:
    session = Session(position("tictactoe"), agents)
    if found is None:
        with pytest.raises(PapanError):
            name_people(session, names)
    else:
        name_people(session, names)
        assert session.names == found


def test_a_new_game_seats_the_person_and_seeds_the_rest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda most: most - 1)
    seats = [new_session("tictactoe", "random:seed=2", seat, 5).record().agents for seat in (1, 2)]
    assert seats == [("human", "random:seed=7"), ("random:seed=7", "human")]
    puzzle = new_session("onet:2,2", "random", 2, None)
    assert (puzzle.record().agents, puzzle.game.spec) == (("human",), "onet:2,2,seed=999999")
    assert capsys.readouterr().err == "Seed 5\nSeed 5\nSeed 999999\n"
    for seat in (0, 3):
        with pytest.raises(InvalidSpecError, match="must be 1 or 2"):
            new_session("tictactoe", "random", seat, 5)


def test_a_file_is_another_game_s_unless_the_game_was_saved_there(tmp_path: Path) -> None:
    session, path = Session(position("tictactoe"), [None, None]), tmp_path / "game.json"
    session.play("a1")
    assert keep(session, path) == path
    session.play("b2")
    assert session.has_unsaved_changes
    assert keep(session, path) == path
    assert not session.has_unsaved_changes
    with pytest.raises(InvalidRecordError, match="exists already"):
        keep(Session(position("tictactoe"), [None, None]), path)


def test_a_game_that_goes_on_replaces_its_beginning_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def saved(moves: str, *agents: SeatAgent, names: tuple[str, ...] = ()) -> Path:
        session = Session(position("tictactoe"), agents or [None, None])
        for name in moves.split():
            session.play(name)
        session.names = names
        return save_my_game(session.record())

    first = saved("a1 b1")
    assert saved("a1 b1") == saved("a1 b1 c1") == first, "the same game, and one that goes on"
    others = [
        saved("a1"),
        saved("a1 c1 b1 a2"),
        saved("a1 b1 c1", None, RANDOM),
        saved("a1 b1 c1", names=("Ana", "")),
    ]
    assert others[0] == others[1]
    assert len({first, *others}) == 4
    over = saved("a1 b1 c1 b2 a2 b3")
    assert over == first
    assert saved("a1 b1 c1 b2 a2 b3") != first, "a game that is over does not go on"
    assert len(my_games()) == 5
