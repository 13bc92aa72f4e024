"""Lessons and puzzles over the API: lesson_page, lean, and only those that there are."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

import papan
from papan import catalog, puzzles
from papan.core.message import Message
from papan.lessons import LESSONS, Question, Scene, Step, steps
from papan.web import learn
from papan.web.compression import COMPRESSION
from papan.web.learn import LearningResult, lesson_page
from papan.web.puzzle_turns import PuzzleTurn, puzzle_turn
from papan.web.worker import train_player
from tests.brute_force import tried
from tests.web.asking import ask

MOST_BYTES = 30_000
"""What travels: the server compresses what it sends."""


def lesson(name: str) -> dict[str, Any]:
    found: dict[str, Any] = ask("GET", f"/api/v1/lessons/{name}").json()
    return found


@pytest.mark.thorough
def test_the_list_names_every_lesson_with_its_steps_and_questions() -> None:
    listed = ask("GET", "/api/v1/lessons").json()
    assert [each["name"] for each in listed] == list(LESSONS)
    for each in listed:
        assert each["steps"] == len(steps(each["name"]))
        assert len(set(each["questions"])) == len(each["questions"]) > 0
        asked = [step for step in steps(each["name"]) if step.question]
        assert len(each["questions"]) == len(asked)


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_holds_each_board_once(name: str) -> None:
    found = lesson(name)
    boards = [json.dumps(board) for board in found["boards"]]
    assert len(set(boards)) == len(boards)
    assert {moment["board"] for moment in found["moments"]} == set(range(len(boards)))
    assert len(gzip.compress(json.dumps(found).encode(), COMPRESSION)) < MOST_BYTES


@pytest.mark.parametrize("name", LESSONS)
def test_the_board_of_a_step_has_the_moves_that_led_to_it_there(name: str) -> None:
    found = lesson(name)
    for step, moment in zip(steps(name), found["moments"], strict=True):
        if step.scene is not None:
            board, game = found["boards"][moment["board"]], step.scene.position.game
            made = [game.move_name(move) for _, move in step.scene.played]
            assert (board["position"], board["moves"]) == (str(step.scene.position), made)


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
    assert lesson_page("minimax") is lesson_page("minimax")


@pytest.mark.parametrize("name", ["chess", "NO", "a" * 21])
def test_there_is_no_other_lesson(name: str) -> None:
    answer = ask("GET", f"/api/v1/lessons/{name}")
    assert answer.status_code == 404
    assert (answer.json()["key"], answer.json()["values"]) == ("learn.no_such", {"name": name})


def puzzle(path: str) -> dict[str, Any]:
    found: dict[str, Any] = ask("GET", f"/api/v1/puzzles/{path}").json()
    return found


def test_the_puzzles_are_counted_by_game_and_theme() -> None:
    counts = ask("GET", "/api/v1/puzzles").json()
    assert sum(each["count"] for each in counts) == len(puzzles.shipped())


def test_the_next_puzzle_is_of_the_kind_that_was_asked_for_and_was_not_seen() -> None:
    asked = "next?game=dots&theme=cross&rating=1100&seed=5"
    first = puzzle(asked)
    assert (first["game"], first["theme"]) == ("dots", "cross")
    assert puzzle(f"{asked}&seen={first['name']}") != first
    assert puzzle(first["name"]) == first


def test_the_puzzle_of_a_day_is_that_of_the_terminal() -> None:
    assert puzzle("daily?day=2026-11-16")["name"] == puzzles.daily(date(2026, 11, 16)).name


def test_a_sheet_to_print_has_boards_lines_to_write_on_and_the_answers_last() -> None:
    asked = "game=dots&theme=cross&count=2&seed=3&language=id"
    page = ask("GET", f"/api/v1/puzzles/sheet.html?{asked}")
    assert page.headers["content-type"].startswith("text/html")
    boards, _, answers = page.text.partition("Kunci jawaban")
    assert (boards.count("<svg"), boards.count("Jawaban:"), answers.count("<li>")) == (2, 2, 2)
    assert "<style" not in page.text, "the policy allows files alone"


def test_a_new_puzzle_is_made_while_one_waits() -> None:
    asked = {"game": "tictactoe", "theme": "block", "seed": 3}
    first, again = (ask("POST", "/api/v1/puzzles", json=asked).json() for _ in range(2))
    assert first == again
    assert first["theme"] == "block"
    assert ask("GET", "/api/v1/puzzles/made", params={"whole": first["name"]}).json() == first


def test_an_answer_has_hints_reasons_and_what_every_wrong_move_leads_to() -> None:
    whole = "fork 700 tictactoe:3,3,3 oxo/.../x.. x"
    turn = ask("GET", "/api/v1/puzzles/answer", params={"whole": whole}).json()
    known = PuzzleTurn.model_validate(turn).answer
    assert known is not None and turn["reply"] == []
    position = catalog.position("tictactoe:3,3,3 oxo/.../x.. x")
    best = [name for name in position.move_names() if tried(position.after([name]))[0] == -1]
    assert known.right == best and known.move in known.area
    assert {*known.faults} == {*position.move_names()} - {*best}
    assert position.after(known.line).winner == position.turn
    for move, fault in known.faults.items():
        position.after([move, *fault.line])
    later = ask("GET", "/api/v1/puzzles/answer", params={"whole": whole, "moves": known.move})
    assert later.json()["reply"] and later.json()["answer"]["right"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("0123456789", 404),
        ("nobody", 422),
        ("daily?day=0", 422),
        ("next?theme=mate", 422),
        ("sheet.html?difficulty=mad", 422),
        ("sheet.doc", 422),
        ("made?whole=win+900+chess", 422),
        ("made?whole=win", 404),
        ("answer?whole=0123456789", 404),
        ("answer?whole=win+900+chess", 422),
        ("answer?whole=win+900+tictactoe:3,3,3+xxo/.../...+o&moves=c9", 422),
        ("answer?whole=win+900+tictactoe:15,15,5", 422),
    ],
)
def test_a_puzzle_that_there_is_not_is_refused(path: str, status: int) -> None:
    assert ask("GET", f"/api/v1/puzzles/{path}").status_code == status


def test_a_player_that_learns_is_examined_in_every_position() -> None:
    early, later = (
        LearningResult.model_validate_json(
            train_player(lambda: False, "tictactoe", games, 1.0, 0.15)
        )
        for games in (500, 3000)
    )
    assert early.positions == later.positions == 4520
    assert early.errors > later.errors > 0 and early.loss > later.loss


@pytest.mark.parametrize(
    "order", [{}, {"games": 0}, {"games": 10**6}, {"games": 1, "rate": -1}, {"games": "500"}]
)
def test_what_cannot_be_learned_is_refused(order: dict[str, Any]) -> None:
    assert ask("POST", "/api/v1/learning", json=order).status_code == 422


@pytest.fixture
def three_steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The lesson about Tic-Tac-Toe has three steps, two of which show the same board."""
    start = papan.position("tictactoe")
    middle = start.legal_move("b2")
    scene = Scene(start).after(middle)
    corner, edge = (scene.position.legal_move(name) for name in ("a1", "b1"))
    shown = replace(scene, marks=(corner, edge), values={corner: 0, edge: -1}, best=corner)
    question = Question("move", Message("lesson.ttt_asked", {}), ("a1",))
    steps = (
        Step(Message("lesson.ttt_task", {}), question=question),
        Step(Message("lesson.ttt_other", {}), scene=replace(shown, proved=True, drawing="<g/>")),
        Step(Message("lesson.ttt_task", {}), scene=scene, question=question),
    )
    monkeypatch.setattr(learn, "steps", lambda name: steps)
    for cached in (learn.lesson_facts, learn.lesson_page):
        cached.cache_clear()
    yield
    for cached in (learn.lesson_facts, learn.lesson_page):
        cached.cache_clear()


@pytest.mark.usefixtures("three_steps")
def test_a_lesson_has_its_boards_once_and_what_each_step_points_at() -> None:
    page = learn.lesson_page("tictactoe")
    assert (page.name, page.kind, page.steps, len(page.moments)) == ("tictactoe", "game", 3, 3)
    assert page.questions == ["ttt_task 1", "ttt_task 2"]
    (board,) = page.boards
    assert board.moves == ["b2"]
    first, second, third = (each.model_dump() for each in page.moments)
    names = ("board", "marks", "values", "proved", "best", "drawing")
    assert [first[name] for name in names] == [None, [], {}, False, None, ""]
    assert [third[name] for name in names] == [0, [], {}, False, None, ""]
    drawing = second.pop("drawing")
    assert [second[name] for name in names[:-1]] == [
        *(0, ["a1", "b1"], {"a1": 0, "b1": -1}, True, "a1"),
    ]
    over = papan.drawing("tictactoe b2")
    marks = [over.highlight(over.position.legal_move(name)) for name in ("a1", "b1")]
    assert drawing == "".join(marks) + "<g/>"


def test_a_puzzle_that_is_over_has_no_further_question() -> None:
    puzzle = puzzles.recalled("win 900 tictactoe:3,3,3 .../oo./xx. x")
    assert puzzle is not None
    turn = puzzle_turn(puzzle, "c3")
    assert (turn.reply, turn.answer) == ([], None)
    asked = puzzle_turn(puzzle, "")
    assert asked.reply == [] and asked.answer is not None
    assert (asked.answer.right, asked.answer.move) == (["c3"], "c3")
    assert asked.answer.faults.keys() == {"a1", "b1", "c1", "c2"}
    assert asked.answer.likeliest_wrong in asked.answer.faults


@pytest.mark.parametrize("day", ["2026-1-1", "20261116", "today", "2026-11-16T00:00"])
def test_a_day_is_written_in_one_way_and_the_refusal_says_how(day: str) -> None:
    answer = ask("GET", f"/api/v1/puzzles/daily?day={day}")
    assert (answer.status_code, answer.json()["key"]) == (422, "web.bad_request")
    assert "a day is written like 2026-11-16" in answer.json()["message"]
    assert ask("GET", "/api/v1/puzzles/daily?day=2026-02-30").status_code == 422
