"""A turn in the browser: one request, compressed, and heard at once."""

import json
from typing import Any

import httpx2
import pytest

from tests.web.asking import TOKEN, ask

pytestmark = pytest.mark.thorough

MOST_BYTES = 20_000


def turn(**order: Any) -> list[dict[str, Any]]:
    """The events of a turn."""
    answer = ask("POST", "/api/v1/turn", json=order)
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [each["t"] for each in events]


def test_a_move_and_its_answer_with_both_boards_are_one_request() -> None:
    events = turn(start="tictactoe", moves="a1 a2", move="b2", agents=["human", "level:1"])
    assert kinds(events)[:2] == ["board", "search"]
    assert kinds(events)[-2:] == ["analysis", "board"]
    first, last = events[0]["board"], events[-1]["board"]
    assert first["moves"] == ["a1", "a2", "b2"]
    assert last["moves"] == [*first["moves"], events[-2]["move"]]
    line = {"start": "tictactoe", "moves": " ".join(last["moves"])}
    assert last == ask("POST", "/api/v1/board", json=line).json()


def test_an_agent_moves_without_a_person() -> None:
    events = turn(start="tictactoe", moves="b2", agents=["human", "level:1"])
    assert kinds(events)[0] == "search"
    assert len(events[-1]["board"]["moves"]) == 2


@pytest.mark.parametrize(
    ("start", "moves", "move"),
    [
        ("tictactoe", "a1 a2 b1 b2", "c1"),  # the game is over
        ("dots:1,2", "a1b1 a2b2 a1a2 b1c1", "b1b2"),  # a box gives the person another turn
        ("tictactoe", "", ""),
    ],
)
def test_nobody_thinks_where_no_agent_is_to_move(start: str, moves: str, move: str) -> None:
    events = turn(start=start, moves=moves, move=move, agents=["human", "level:1"])
    assert kinds(events) == (["board"] if move else [])


@pytest.mark.parametrize("agents", [[], ["level:1"]])
def test_t08_a_turn_names_somebody_for_each_seat(agents: list[str]) -> None:
    answer = ask("POST", "/api/v1/turn", json={"start": "tictactoe", "agents": agents})
    assert (answer.status_code, answer.json()["key"]) == (422, "web.agents_for_seats")


def test_a_move_that_is_not_legal_is_refused_before_anything_is_said() -> None:
    order = {"start": "tictactoe", "moves": "b2", "move": "b2", "agents": ["level:1", "human"]}
    answer = ask("POST", "/api/v1/turn", json=order)
    assert answer.status_code == 422
    assert set(answer.json()) == {"key", "values", "message"}


def test_a_move_stands_although_nobody_can_answer_it() -> None:
    events = turn(start="tictactoe", move="b2", agents=["human", "chains"])
    assert kinds(events) == ["board", "error"]
    assert events[-1]["key"] == "error.cannot_play"


@pytest.mark.parametrize("start", ["onet:9,16", "tictactoe:15,15,5"])
def test_a_move_sends_under_20_kilobytes(server: str, start: str) -> None:
    with httpx2.Client(base_url=server, headers={"accept-encoding": "gzip"}) as page:
        board = page.post("/api/v1/board", json={"start": start}).json()
        agents = ["human", "random"][: board["seats"]]
        order = {"start": start, "move": board["legal"][0]["m"], "agents": agents}
        answer = page.post("/api/v1/turn", json=order)
    assert answer.headers["content-encoding"] == "gzip"
    assert json.loads(answer.text.splitlines()[0])["board"]["moves"] == [order["move"]]
    assert answer.num_bytes_downloaded < MOST_BYTES


def test_events_that_are_compressed_are_heard_at_once(server: str) -> None:
    """A buffer would hold the first event, which names the search, until the search is over."""
    order = {"start": "connect4", "agent": "alphabeta:depth=40", "seconds": 60}
    with (
        httpx2.Client(base_url=server, headers={"accept-encoding": "gzip"}) as page,
        page.stream("POST", "/api/v1/think", json=order) as answer,
    ):
        assert answer.headers["content-encoding"] == "gzip"
        lines = answer.iter_lines()
        number = json.loads(next(lines))["id"]
        assert page.post(f"/api/v1/think/{number}/stop").status_code == 204
        assert json.loads(list(lines)[-1])["t"] == "analysis"


@pytest.mark.parametrize("path", ["/", "/play/onet", "/api/v1/health", "/api/v1/tournaments"])
def test_no_compressed_answer_holds_the_owners_token(path: str) -> None:
    """BREACH reads a secret that is compressed beside text of somebody else's choice."""
    answer = ask("GET", path)
    assert answer.status_code == 200
    assert TOKEN not in answer.text


@pytest.mark.parametrize("token", [TOKEN, "a-guess"])
def test_neither_the_token_nor_a_guess_comes_back_in_a_body(token: str) -> None:
    answer = ask("GET", f"/?code={token}&to={token}")
    assert token not in answer.text


def test_u03_a_review_tells_each_verdict_and_then_the_counts() -> None:
    order = {"start": "tictactoe", "moves": "b2 a1 c1 b1 a3"}
    answer = ask("POST", "/api/v1/review", json=order)
    events = [json.loads(line) for line in answer.text.splitlines()]
    assert kinds(events) == ["search", "start", *["verdict"] * 5, "answer"]
    assert [each["ply"] for each in events[2:-1]] == [4, 3, 2, 1, 0]
    verdict = events[3]
    assert [each["key"] for each in verdict["said"]] == [
        "review.not_blocked",
        "review.draw_to_loss",
    ]
    assert (verdict["obvious"], verdict["lesson"]) == (True, "/learn/tictactoe?step=4")
    assert [each["blunders"] for each in events[-1]["counts"]] == [0, 1]


def test_u03_moves_that_are_not_legal_are_not_reviewed() -> None:
    answer = ask("POST", "/api/v1/review", json={"start": "tictactoe", "moves": "b2 b2"})
    assert answer.status_code == 422
