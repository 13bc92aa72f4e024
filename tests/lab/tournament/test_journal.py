"""The journal: what it says has happened, and a line that was torn has not."""

from pathlib import Path

import pytest

from papan.core import InvalidRecordError, PapanError
from papan.lab.tournament.folder import Journal, create, reopen
from papan.lab.tournament.plan import TournamentPlan

from .games import made_up_game, made_up_games

PLAN = TournamentPlan("tictactoe", ("a", "b"), pairs=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Journal(tmp_path / "games.jsonl", PLAN) as journal:
        for number in (0, 1, 3, 2):
            journal.write(number, made_up_game(PLAN, number))
    return tmp_path / "games.jsonl"


def games_in(path: Path) -> list[int]:
    with Journal(path, PLAN) as journal:
        assert journal.games.items() <= made_up_games(PLAN).items()
        return list(journal.games)


def test_games_are_read_back_as_they_were_written(path: Path) -> None:
    assert games_in(path) == [0, 1, 3, 2]


def test_a_game_is_in_the_file_at_once(path: Path) -> None:
    with Journal(path, PLAN) as journal:
        journal.write(5, made_up_game(PLAN, 5))
        assert path.read_bytes().count(b"\n") == 5


def test_a_last_line_torn_anywhere_is_dropped_and_written_anew(path: Path) -> None:
    whole = path.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    for end in range(last, len(whole)):
        path.write_bytes(whole[:end])
        assert games_in(path) == [0, 1, 3]
        assert path.read_bytes() == whole[:last]
    with Journal(path, PLAN) as journal:
        journal.write(2, made_up_game(PLAN, 2))
    assert path.read_bytes() == whole


@pytest.mark.parametrize("rubbish", [b"\0" * 512, b"\0\0\0\n", b"{}\n", b"\xff\xfe", b"[" * 99999])
def test_rubbish_left_by_a_power_cut_is_dropped(path: Path, rubbish: bytes) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + rubbish)
    assert games_in(path) == [0, 1, 3, 2]
    assert path.read_bytes() == whole


@pytest.mark.parametrize("spoil", ["{}", '{"number": 1}', "", "\0"])
def test_a_spoilt_line_in_the_middle_is_told_and_nothing_is_thrown_away(
    path: Path, spoil: str
) -> None:
    lines = path.read_text().splitlines()
    lines[1] = spoil
    path.write_text("\n".join(lines) + "\n")
    before = path.read_bytes()
    with pytest.raises(
        InvalidRecordError, match=r"Line 2 of .* is not a game of this tournament"
    ) as refused:
        games_in(path)
    assert refused.value.values["path"] == path
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "change"),
    [
        (1, ('"number": 0', '"number": 6')),  # the first that is not planned; the seats fit
        (2, ('"number": 1', '"number": 6')),
        (2, ("[1, 0]", "[0, 1]")),
    ],
)
def test_a_game_of_another_tournament_is_none_of_this(
    path: Path, line: int, change: tuple[str, str]
) -> None:
    lines = path.read_text().splitlines()
    lines[line - 1] = lines[line - 1].replace(*change, 1)
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(InvalidRecordError, match=f"Line {line}"):
        games_in(path)


def test_two_processes_cannot_write_one_journal(path: Path) -> None:
    with Journal(path, PLAN), pytest.raises(PapanError, match="Another process is playing"):
        Journal(path, PLAN)
    assert games_in(path) == [0, 1, 3, 2]


def test_a_folder_is_found_again_as_it_was_made(tmp_path: Path) -> None:
    elsewhere = f"sqlite:///{tmp_path / 'else.sqlite'}"
    made = create(tmp_path / "new" / "cup", PLAN, elsewhere)
    assert reopen(tmp_path / "new" / "cup") == made
    assert made.store_url == elsewhere
    assert made.name == "cup"


def test_a_folder_with_a_tournament_is_not_used_again(tmp_path: Path) -> None:
    create(tmp_path, PLAN)
    with pytest.raises(PapanError, match=r"There is a tournament in .* already"):
        create(tmp_path, PLAN)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PapanError, match="cannot be written"):
        create(tmp_path / "file", PLAN)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"plan": {"format": 1}}', "[" * 99999])
def test_a_folder_with_a_spoilt_plan_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(InvalidRecordError, match="The plan of the tournament cannot be read"):
        reopen(tmp_path)


def test_a_folder_without_a_tournament_is_told(tmp_path: Path) -> None:
    with pytest.raises(PapanError, match="There is no tournament in"):
        reopen(tmp_path)
