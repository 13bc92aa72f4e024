"""The folder of a contest: made, opened, checked and opened again, without any process."""

import json
from pathlib import Path
from typing import Any

import pytest

from papan.contest import folder as folders
from papan.contest.checks import Check
from papan.contest.folder import Contest, GamesJournal, new_contest
from papan.contest.plan import read_plan, with_disqualified
from papan.contest.students import Student
from papan.core import PapanError
from papan.core.printable import to_json
from papan.lab.machine import cores
from tests.contest.conftest import BAD, GOOD, Checked, Put, opened
from tests.contest.test_marks import WIN, game


def test_a_new_contest_is_its_owners_and_keeps_a_list_that_is_there(tmp_path: Path) -> None:
    place = tmp_path / "my class"
    place.mkdir()
    (place / "students.csv").write_text("1,Ani\n")
    new_contest(place, "connect4", "id")
    plan = read_plan(place / "plan.toml")
    assert (plan.title, plan.game, plan.language) == ("my class", "connect4", "id")
    assert (place / "students.csv").read_text() == "1,Ani\n"
    new_contest(tmp_path / "other", "tictactoe", "en", "A title")
    assert read_plan(tmp_path / "other" / "plan.toml").title == "A title"
    made = {each.name: each for each in (tmp_path / "other").iterdir()}
    assert sorted(made) == ["plan.toml", "students.csv", "submissions"]
    assert made["students.csv"].read_text() == "number,name\n"
    assert {name: each.stat().st_mode & 0o777 for name, each in made.items()} == {
        "plan.toml": 0o600,  # with the seed of the hidden positions
        "students.csv": 0o600,
        "submissions": 0o700,
    }
    with pytest.raises(PapanError, match="has a contest already"):
        new_contest(place, "connect4", "id")
    with pytest.raises(PapanError, match="game for two"):
        new_contest(tmp_path / "third", "onet", "en")
    assert not (tmp_path / "third").exists()


def test_what_is_handed_in_becomes_versions_or_reasons(cup: Path, put: Put) -> None:
    for name, text in (("1.py", GOOD), ("2.zip", "no archive"), ("9.py", GOOD), (".hidden", "")):
        put(name, text)
    contest = Contest.open(cup)
    assert contest.students == [
        *(Student("2", "Budi"), Student("1", "Ani"), Student("3", "Citra"), Student("4", "Dewi"))
    ]
    assert {student: each.player for student, each in contest.newest.items()} == {"1": "1 v1"}
    assert {student: each.key for student, each in contest.refused.items()} == {
        "2": "contest.bad_archive"
    }
    assert (contest.strange, contest.earlier, contest.checks, contest.games) == (
        ["9.py"],
        {},
        {},
        [],
    )
    keys = {student: error and error.key for student in "1234" if (error := contest.fault(student))}
    assert keys == {
        "1": "contest.unchecked",
        "2": "contest.bad_archive",
        "3": "contest.nothing",
        "4": "contest.nothing",
    }
    assert contest.players == {} and contest.names() == {
        "2": "Budi",
        "1": "Ani",
        "3": "Citra",
        "4": "Dewi",
    }


def test_checks_are_kept_and_not_made_again(cup: Path, put: Put, checked: Checked) -> None:
    for name, text in (("1.py", GOOD), ("2.py", BAD), ("3.py", GOOD + "# other\n")):
        put(name, text)
    contest, reported = Contest.open(cup), list[Check]()
    contest.check(reported.append, unconfined=True, only=("1", "2"))
    assert checked == [("1 v1", True), ("2 v1", True)]
    assert [(each.student, each.fine) for each in reported] == [("1", True), ("2", False)]
    assert contest.checks == {("1", 1): reported[0], ("2", 1): reported[1]}
    assert [each.player for each in contest.unchecked()] == ["3 v1"]
    path = cup / "work" / "checks.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["student"] for line in lines] == ["1", "2"]
    assert {line["terms"] for line in lines} == {contest._terms()}
    assert path.stat().st_mode & 0o777 == 0o600
    again = opened(cup)
    assert checked[2:] == [("3 v1", True)]
    assert list(again.players) == ["1 v1", "3 v1"]  # in the order of the list
    assert again.verdict("2") is not None and again.fault("2") is again.checks["2", 1].error
    assert again.checks["1", 1] == Check("1", 1, seconds=0.25)
    opened(cup)
    assert len(checked) == 3


def test_a_legal_version_plays_on_while_no_newer_one_is_legal(
    cup: Path, put: Put, checked: Checked
) -> None:
    put("1.py", GOOD)
    opened(cup)
    put("1.py", GOOD + "# 2\n")
    opened(cup)
    put("1.py", BAD)
    waiting = Contest.open(cup)
    assert (waiting.newest["1"].number, waiting.earlier["1"].number) == (3, 2)
    assert list(waiting.players) == ["1 v2"] and waiting.verdict("1") is None
    broken = opened(cup)
    assert list(broken.players) == ["1 v2"] and str(broken.fault("1")) == str(
        PapanError("contest.empty")
    )
    put("1.zip", "no archive")  # the newest file is not even a version
    refused = Contest.open(cup)
    assert (refused.newest, list(refused.players)) == ({}, ["1 v2"])
    plan = cup / "plan.toml"
    before = plan.read_text()
    plan.write_text(before.replace("seconds = 0.1", "seconds = 0.2"))
    put("1.py", BAD)
    stale = Contest.open(cup)
    assert [each.player for each in stale.unchecked()] == ["1 v3", "1 v2"]
    assert stale.players == {} and stale.playing("1") is None
    assert list(opened(cup).players) == ["1 v2"]
    plan.write_text(with_disqualified(before, "1", "a copy"))
    gone = opened(cup)
    assert (gone.players, gone.playing("1")) == ({}, None)
    assert gone.fault("1") is not None and "a copy" in str(gone.verdict("1"))


def test_y7_under_new_terms_the_version_before_the_newest_steps_in_for_it(
    cup: Path, put: Put, checked: Checked
) -> None:
    for text in (GOOD, GOOD + "# 2\n", GOOD + "# 3\n"):
        put("1.py", text)
        opened(cup)
    plan = cup / "plan.toml"
    plan.write_text(plan.read_text().replace("seconds = 0.1", "seconds = 0.2"))
    stale = Contest.open(cup)
    assert [each.player for each in stale.unchecked()] == ["1 v3", "1 v2"]
    now = {"terms": stale._terms()}
    slow = Check("1", 3, PapanError("contest.empty"))
    with (cup / "work" / "checks.jsonl").open("a") as file:
        file.writelines(f"{to_json(each.json() | now)}\n" for each in (slow, Check("1", 2)))
    again = Contest.open(cup)
    assert (list(again.players), again.unchecked()) == (["1 v2"], [])


def test_the_last_check_of_a_version_counts(cup: Path, put: Put, checked: Checked) -> None:
    put("1.py", GOOD)
    put("2.py", GOOD)
    contest = opened(cup)
    failed = Check("1", 1, PapanError("contest.empty")).json() | {"terms": contest._terms()}
    stranger = Check("9", 1).json() | {"terms": contest._terms()}
    old = Check("2", 1, PapanError("contest.empty")).json()
    with (cup / "work" / "checks.jsonl").open("a") as file:
        file.writelines(f"{to_json(each)}\n" for each in (failed, stranger))
    again = Contest.open(cup)
    assert sorted(again.checks) == [("1", 1), ("2", 1)] and list(again.players) == ["2 v1"]
    with (cup / "work" / "checks.jsonl").open("a") as file:
        file.write(f"{to_json(old)}\n")  # of a papan that did not tell the terms
    assert sorted(Contest.open(cup).checks) == [("1", 1)]


def test_a_sandbox_is_looked_for_only_if_there_is_anything_to_check(
    cup: Path, put: Put, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = list[int]()
    monkeypatch.setattr(folders, "find_sandbox", lambda: looks.append(1))
    Contest.open(cup).check(lambda check: None)
    assert not (cup / "work" / "checks.jsonl").exists()
    put("1.py", GOOD)
    contest = Contest.open(cup)
    contest.check(lambda check: None, only=("2",))
    assert looks == []
    contest.check(lambda check: None)
    assert (looks, checked) == ([1], [("1 v1", False)])
    put("1.py", GOOD + "# 2\n")
    Contest.open(cup).check(lambda check: None, unconfined=True)
    assert (looks, checked[1:]) == ([1], [("1 v2", True)])


def test_games_are_read_when_they_are_asked_for(cup: Path) -> None:
    (cup / "work").mkdir()
    played = [game("1 v1", "2 v1", WIN, 0), game("2 v1", "1 v1", WIN, 0)]
    journal = cup / "work" / "games.jsonl"
    journal.write_text("".join(f"{to_json(each.json())}\n" for each in played))
    assert Contest.without_games(cup).games == []
    contest = Contest.open(cup)
    assert contest.games == played == GamesJournal(cup).look()
    journal.unlink()
    contest.read_games()
    assert contest.games == []


def test_what_a_game_costs_is_kept_rounded(cup: Path) -> None:
    record = game("1 v1", "2 v1", WIN, 3).record
    played = folders.ContestGame(
        ("1 v1", "2 v1"), 3, record, 1.23456, ((0.123456, 0.2), (0.3,)), (5, 6)
    )
    facts: dict[str, Any] = played.json()
    assert {
        key: facts.pop(key) for key in ("players", "pair", "seconds", "processor", "memory")
    } == {
        "players": ["1 v1", "2 v1"],
        "pair": 3,
        "seconds": 1.235,
        "processor": [[0.1235, 0.2], [0.3]],
        "memory": [5, 6],
    }
    assert facts == record.json()


def test_as_many_games_are_played_at_a_time_as_the_plan_says_or_the_machine_has_cores(
    cup: Path,
) -> None:
    contest = Contest.open(cup)
    assert contest.width == cores()
    plan = cup / "plan.toml"
    plan.write_text(plan.read_text().replace("at_a_time = 0", "at_a_time = 7"))
    assert Contest.open(cup).width == 7


def test_an_error_in_the_folder_names_its_file(cup: Path) -> None:
    (cup / "work").mkdir()
    (cup / "work" / "checks.jsonl").mkdir()
    with pytest.raises(PapanError, match=r"checks\.jsonl"):
        Contest.open(cup)
    (cup / "students.csv").unlink()
    with pytest.raises(PapanError, match=r"students\.csv"):
        Contest.open(cup)
    (cup / "plan.toml").unlink()
    with pytest.raises(PapanError, match=r"papan class new"):
        Contest.open(cup)


def test_a_check_that_was_cut_short_does_not_spoil_the_next_one(
    cup: Path, put: Put, checked: Checked
) -> None:
    put("1.py", GOOD)
    opened(cup)
    checks = cup / "work" / "checks.jsonl"
    whole = checks.read_text(encoding="utf-8")
    checks.write_text(whole + whole[:40], encoding="utf-8")
    put("2.py", GOOD + "# other\n")
    opened(cup)
    assert {student for student, _ in Contest.open(cup).checks} == {"1", "2"}
    assert checks.read_text(encoding="utf-8").count("\n") == 2
