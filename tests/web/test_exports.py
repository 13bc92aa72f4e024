"""What can be taken away from a game, and how a move is found."""

from xml.etree import ElementTree

import pytest

import papan
from papan.games.onet.rules import OnetPosition
from papan.web import boards
from papan.web.boards import Lines, Memory
from tests.web.asking import ask


def test_a_film_is_an_svg_with_its_moves_as_description() -> None:
    answer = ask("POST", "/api/v1/film", json={"start": "connect4", "moves": "4453"})
    assert answer.headers["content-type"] == "image/svg+xml"
    root = ElementTree.fromstring(answer.text)
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "connect4:6,7"
    assert root.findtext("{http://www.w3.org/2000/svg}desc") == "4 4 5 3"


def test_a_film_that_would_be_too_large_is_refused() -> None:
    position = papan.position("dots:25,25")
    names = [position.game.move_name(move) for move in range(500)]
    order = {"start": "dots:25,25", "moves": " ".join(names)}
    assert ask("POST", "/api/v1/film", json=order).json()["key"] == "web.film_long"


def test_a_film_of_a_large_board_is_shorter() -> None:
    position = papan.position("dots:25,25")
    names = [position.game.move_name(move) for move in range(390)]
    order = {"start": "dots:25,25", "moves": " ".join(names)}
    answer = ask("POST", "/api/v1/film", json=order)
    assert answer.json()["values"] == {"moves": "390", "most": "153"}


def test_a_long_game_of_a_large_onet_is_followed_without_listing_all_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(OnetPosition, "moves", lambda position: [])
    lines = Lines()
    plies, _ = lines.reach("onet:2,3 1,2,1/2,3,3", "b2c2 a1c1")
    assert len(plies) == 2


def test_only_small_boards_are_drawn_without_a_thread() -> None:
    lines = Lines()
    for start in ("connect4", "dots:25,25"):
        lines.reach(start, "")
    assert lines.are_at_hand("connect4", "4")
    assert not lines.are_at_hand("dots:25,25", "a1b1")


def test_only_so_much_is_remembered_of_games_on_large_boards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(boards, "MOST_TEXT", 10)
    memory: Memory[str, int] = Memory()
    for number, size in enumerate((4, 4, 4)):
        memory.keep("abc"[number], number, size)
    memory.keep("c", 3, 5)
    assert [memory.recall(key) for key in "abc"] == [None, 1, 3]
    memory.keep("b", 4, 11)
    assert [memory.recall(key) for key in "abc"] == [None, None, None]


def test_a_game_that_is_asked_for_again_takes_no_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "MOST_TEXT", 10)
    memory: Memory[str, int] = Memory()
    memory.keep("a", 0, 4)
    for number in range(3):
        memory.keep("b", number, 4)
    assert [memory.recall(key) for key in "ab"] == [0, 2]


def test_a_board_tells_where_each_move_went() -> None:
    board = ask("POST", "/api/v1/board", json={"start": "connect4", "moves": "44"}).json()
    (x, lower), (other, upper) = board["places"]
    assert x == other
    assert upper < lower


def test_the_line_between_two_tiles_is_traced_turn_by_turn() -> None:
    order = {"start": "onet:2,3 1,2,1/2,3,3", "move": "a1c1"}
    steps = ask("POST", "/api/v1/trace", json=order).json()
    assert [step["key"] for step in steps] == ["onet.frontier"] * 3 + ["onet.path"]
    visited = [step["values"]["visited"] for step in steps]
    assert visited == sorted(visited)
    assert sum(step["values"]["cells"] for step in steps[:3]) == visited[2]
    assert "polyline" in steps[3]["svg"]


def test_other_games_have_nothing_to_trace() -> None:
    order = {"start": "tictactoe", "move": "b2"}
    assert ask("POST", "/api/v1/trace", json=order).json() == []
