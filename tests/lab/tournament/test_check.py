"""Forged games are found before they are believed, and one's own are not replayed each time."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import papan
from papan.core import InvalidRecordError, Position
from papan.lab.match import MatchGame
from papan.lab.referee import conduct
from papan.lab.tournament import check
from papan.lab.tournament.check import GameCheck
from papan.lab.tournament.folder import Journal, TournamentFolder, create, effort_line, read_games
from papan.lab.tournament.plan import Assignment, TournamentPlan
from papan.lab.tournament.run import run_tournament

from .games import made_up_executor

PLAN = TournamentPlan("tictactoe", ("random", "hillclimb:seed=3"), pairs=2, opening=2)
AGENTS = {0: ("random:seed=7", "hillclimb:seed=8"), 1: ("hillclimb:seed=1", "random")}
Facts = dict[str, Any]


def first_position(seed: int) -> Position:
    """The opening, worked out as the referee does it, by hand."""
    rng, position = Random(seed), papan.game("tictactoe").start()
    for _ in range(2):
        position = position.child(rng.choice(position.moves()))
    return position


def genuine_game(number: int) -> MatchGame:
    task = Assignment(PLAN, number, "papan")
    rng = Random(number)
    players = [lambda position: rng.choice(position.moves())] * 2
    record = conduct(first_position(task.seed), players, AGENTS[number % 2])
    return MatchGame(PLAN.seating(number), record)


@pytest.fixture
def folder(tmp_path: Path) -> TournamentFolder:
    """A folder with four games that nobody has sealed."""
    made = create(tmp_path / "cup", PLAN)
    with Journal(made.journal, PLAN) as journal:
        for number in range(4):
            journal.write(number, genuine_game(number))
    return made


def test_games_that_follow_the_rules_and_the_plan_are_believed(folder: TournamentFolder) -> None:
    games = read_games(folder, GameCheck(folder, "papan"))
    assert list(games) == [0, 1, 2, 3]


def change(**facts: object) -> Callable[[Facts], None]:
    return lambda line: line.update(facts)


def no_moves(line: Facts) -> None:
    line["moves"] = ""


def shorter(line: Facts) -> None:
    line["moves"] = line["moves"].rpartition(" ")[0]


def again(line: Facts) -> None:
    line["moves"] = f"{line['moves'].split()[0]} {line['moves']}"


def turned(line: Facts) -> None:
    line["scores"] = [0, 1] if line["scores"] == [1, 0] else [1, 0]


FORGED: dict[str, tuple[Callable[[Facts], None], str]] = {
    "no moves": (no_moves, "it says|but its moves lead to"),
    "a move less": (shorter, "it says|but its moves lead to"),
    "a move twice": (again, "cannot be played in"),
    "another winner": (turned, "The record's moves lead to scores"),
    "another end": (change(scores=[0, 0], end="draw"), "it says|but its moves lead to"),
    "a forfeit at the end": (change(end="crash", blame=1), "could have forfeited"),
    "a forfeit of the wrong seat": (
        change(moves="", scores=[0, 0], end="crash", blame=2),
        "Only seat 1, whose turn it is, could have forfeited",
    ),
    "another start": (
        change(start="tictactoe:3,3,3 xx./oo./... x", moves="c3"), "does not begin where the plan"
    ),
    "another board": (change(game="tictactoe:4,4,4"), "does not begin where the plan begins"),
    "other agents": (change(agents=["random", "solver"]), "not played by random, hillclimb"),
    "another setting": (change(agents=["random:games=3", "hillclimb"]), "was not played by"),
    "an open game": (change(moves="", scores=[0, 0], end="open"), "is not over|moves lead to"),
    "an adjudication after the end": (change(adjudicated=99), "is not over"),
    "a number that is there": (change(number=0), "Game 0 is there twice"),
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGED)
def test_z10_forged_games_are_found_before_they_are_believed(
    folder: TournamentFolder, forgery: str
) -> None:
    spoil, why = FORGED[forgery]
    lines = folder.journal.read_text().splitlines()
    facts = json.loads(lines[2])
    spoil(facts)
    lines[2] = json.dumps(facts)
    folder.journal.write_text("\n".join(lines) + "\n")
    before = folder.journal.read_bytes()
    with pytest.raises(InvalidRecordError, match=rf"(?s)Line 3 of .* tournament: .*({why})"):
        read_games(folder, GameCheck(folder, "papan"))
    with pytest.raises(InvalidRecordError, match=r"Line \d of"):
        run_tournament(folder, made_up_executor(1), "papan")
    assert folder.journal.read_bytes() == before, "nothing is thrown away"


@pytest.mark.parametrize("key", ["forfeit.kills", "forfeit.starves"])
def test_z5_a_bot_that_kills_may_forfeit_in_the_turn_of_its_rival(
    folder: TournamentFolder, key: str
) -> None:
    lines = folder.journal.read_text().splitlines()
    cause = {"key": key, "agent": "hillclimb", "spent": "2.3", "waited": "1.2"}
    forfeit = {"moves": "", "scores": [0, 0], "end": "crash", "blame": 2, "cause": cause}
    lines[2] = json.dumps(json.loads(lines[2]) | forfeit)
    folder.journal.write_text("\n".join(lines) + "\n")
    assert read_games(folder, GameCheck(folder, "papan"))[2].record.winner == 0


def test_z10_a_forged_last_line_is_told_too(folder: TournamentFolder) -> None:
    lines = folder.journal.read_text().splitlines()
    lines[-1] = json.dumps(json.loads(lines[-1]) | {"moves": ""})
    folder.journal.write_text("\n".join(lines) + "\n")
    with pytest.raises(InvalidRecordError, match=r"Line \d of"):
        read_games(folder, GameCheck(folder, "papan"))


def test_z10_what_this_user_has_played_is_not_replayed(
    folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [effort_line(folder, number, genuine_game(number)) for number in range(4)]
    folder.efforts.write_text("\n".join([*lines, "{}", "[" * 99_999, '{"number": []}']) + "\n")
    monkeypatch.setattr(check, "replayed", lambda *arguments: pytest.fail("replayed"))
    assert len(read_games(folder, GameCheck(folder, "papan"))) == 4


def test_z10_a_seal_is_of_one_game_in_one_tournament(
    folder: TournamentFolder, tmp_path: Path
) -> None:
    lines = [effort_line(folder, number, genuine_game(number)) for number in range(4)]
    folder.efforts.write_text("\n".join(lines) + "\n")
    other = create(tmp_path / "other", PLAN)
    forged = folder.journal.read_text().replace('"end": "win"', '"end": "draw"')
    for place in (folder, other):
        place.efforts.write_text(folder.efforts.read_text())
        place.journal.write_text(forged)
        with pytest.raises(InvalidRecordError, match=r"Line \d of"):
            read_games(place, GameCheck(place, "papan"))


def test_the_reason_is_told_in_the_language_of_the_user(folder: TournamentFolder) -> None:
    folder.journal.write_text(folder.journal.read_text() + folder.journal.read_text())
    with pytest.raises(InvalidRecordError) as caught:
        read_games(folder)
    assert "Permainan 0 ada dua kali. Pulihkan berkasnya" in caught.value.text("id")


def test_y7_a_game_may_be_adjudicated_at_its_very_end_and_no_later(
    folder: TournamentFolder,
) -> None:
    lines = folder.journal.read_text().splitlines()
    facts = json.loads(lines[2])
    last = len(facts["moves"].split())
    for ply, believed in ((last, True), (last + 1, False)):
        lines[2] = json.dumps(facts | {"adjudicated": ply})
        folder.journal.write_text("\n".join(lines) + "\n")
        if believed:
            assert read_games(folder, GameCheck(folder, "papan"))[2].record.adjudicated == ply
        else:
            with pytest.raises(InvalidRecordError, match="is not over"):
                read_games(folder, GameCheck(folder, "papan"))


@pytest.mark.parametrize("blame", [1, 2])
def test_y7_nobody_forfeits_a_game_that_is_over(folder: TournamentFolder, blame: int) -> None:
    lines = folder.journal.read_text().splitlines()
    lines[2] = json.dumps(json.loads(lines[2]) | {"end": "crash", "blame": blame})
    folder.journal.write_text("\n".join(lines) + "\n")
    with pytest.raises(InvalidRecordError, match="could have forfeited"):
        read_games(folder, GameCheck(folder, "papan"))
