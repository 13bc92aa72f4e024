"""What can be taken away from a game, and how a move is found."""

from xml.etree import ElementTree

import pytest

import papan
from papan.games.onet.rules import OnetPosition
from papan.web.boards import LruCache, PositionCache
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
    lines = PositionCache()
    plies, _ = lines.reach("onet:2,3 1,2,1/2,3,3", "b2c2 a1c1")
    assert len(plies) == 2


def test_only_small_boards_are_drawn_without_a_thread() -> None:
    lines = PositionCache()
    for start in ("connect4", "dots:25,25"):
        lines.reach(start, "")
    assert lines.is_cached("connect4", "4")
    assert not lines.is_cached("dots:25,25", "a1b1")


def test_a_cache_is_bounded_by_the_size_of_its_entries() -> None:
    cache: LruCache[str, int] = LruCache(most_entries=100, most_size=10)
    for number, size in enumerate((4, 4, 4)):
        cache.put("abc"[number], number, size)
    cache.put("c", 3, 5)
    assert [cache.get(key) for key in "abc"] == [None, 1, 3]
    cache.put("b", 4, 11)
    assert [cache.get(key) for key in "abc"] == [None, None, 3]
    cache.put("a", 5, 5)
    assert [cache.get(key) for key in "abc"] == [5, None, 3]


def test_a_cache_is_bounded_by_its_entries_and_evicts_the_least_recently_used() -> None:
    cache: LruCache[str, int] = LruCache(most_entries=2, most_size=100)
    for number, key in enumerate("ab"):
        cache.put(key, number, 1)
    assert cache.get("a") == 0
    cache.put("c", 2, 1)
    assert [key in cache for key in "abc"] == [True, False, True]


def test_an_entry_that_is_replaced_takes_no_more_room() -> None:
    cache: LruCache[str, int] = LruCache(most_entries=100, most_size=10)
    cache.put("a", 0, 4)
    for number in range(3):
        cache.put("b", number, 4)
    assert [cache.get(key) for key in "ab"] == [0, 2]


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
