"""Lessons over the API: whole, lean, and only those that there are."""

import json
from typing import Any

import pytest

from papan.lessons import LESSONS, steps
from papan.web.learn import whole
from tests.web.asking import ask

MOST_BYTES = 300_000


def lesson(name: str) -> dict[str, Any]:
    found: dict[str, Any] = ask("GET", f"/api/v1/lessons/{name}").json()
    return found


def test_the_list_names_every_lesson_with_its_steps_and_questions() -> None:
    listed = ask("GET", "/api/v1/lessons").json()
    assert [each["name"] for each in listed] == list(LESSONS)
    for each in listed:
        assert each["steps"] == len(steps(each["name"]))
        assert each["questions"] > 0


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_holds_each_board_once(name: str) -> None:
    found = lesson(name)
    boards = [json.dumps(board) for board in found["boards"]]
    assert len(set(boards)) == len(boards)
    assert {moment["board"] for moment in found["moments"]} == set(range(len(boards)))
    assert len(json.dumps(found)) < MOST_BYTES


@pytest.mark.parametrize("name", LESSONS)
def test_what_a_step_points_at_is_on_its_board(name: str) -> None:
    found = lesson(name)
    for moment in found["moments"]:
        legal = {choice["m"] for choice in found["boards"][moment["board"]]["legal"]}
        assert {*moment["marks"], *moment["values"]} <= legal
        question = moment["question"]
        if question and question["kind"] == "move":
            assert {*question["answers"], *question["replies"]} == legal


def test_a_lesson_is_built_once() -> None:
    assert whole("minimax") is whole("minimax")


@pytest.mark.parametrize(("name", "status"), [("chess", 404), ("NO", 422), ("a" * 21, 422)])
def test_there_is_no_other_lesson(name: str, status: int) -> None:
    answer = ask("GET", f"/api/v1/lessons/{name}")
    assert answer.status_code == status
    assert answer.json()["key"].startswith("web.")
