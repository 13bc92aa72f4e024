"""The editor of positions: what can stand where, and what no game can come to."""

from typing import Any

import pytest

from papan import catalog
from papan.core import Position, Setup
from tests.web.asking import ask

pytestmark = pytest.mark.thorough


def edit(position: str, **change: Any) -> dict[str, Any]:
    answer = ask("POST", "/api/v1/edit", json={"position": position, **change})
    assert answer.status_code == 200, answer.text
    sketch: dict[str, Any] = answer.json()
    return sketch


def refusal(position: str, **change: Any) -> str:
    answer = ask("POST", "/api/v1/edit", json={"position": position, **change})
    assert answer.status_code == 422
    key: str = answer.json()["key"]
    return key


EDITED = [
    name for name, kind in catalog.GAMES.items() if Setup.class_for(kind).draft is not Setup.draft
]


@pytest.mark.parametrize("name", EDITED)
def test_every_game_with_an_editor_can_be_set_up(name: str) -> None:
    sketch = edit(name)
    assert sketch["problem"] is None
    assert sketch["position"] == str(catalog.position(name))
    assert sketch["pieces"][0] == {"content": ".", "svg": ""}
    assert all(piece["svg"] for piece in sketch["pieces"][1:])
    spots, contents = sketch["spots"], {piece["content"] for piece in sketch["pieces"]}
    assert set(spots.values()) <= contents
    assert all(f'"{spot}"' in sketch["svg"] for spot in spots)


@pytest.mark.parametrize("name", EDITED)
def test_what_is_put_stands_there_and_can_be_taken_away(name: str) -> None:
    cleared = edit(name, clear=True)
    assert set(cleared["spots"].values()) == {"."}
    spot, piece = next(iter(cleared["spots"])), cleared["pieces"][1]["content"]
    put = edit(cleared["position"], spot=spot, content=piece)
    assert put["spots"] == cleared["spots"] | {spot: piece}
    taken = edit(put["position"], spot=spot)
    assert taken["spots"] == cleared["spots"]


@pytest.mark.parametrize(
    "text",
    ["connect4 x....../......./......./......./......./....... o", "tictactoe x../.../... o"],
)
def test_a_cleared_board_is_a_start_whoever_was_to_move(text: str) -> None:
    cleared = edit(text, clear=True)
    assert cleared["turn"] == 0
    assert cleared["problem"] is None


@pytest.mark.parametrize(
    "name", ["tictactoe", "connect4", "dots:2,2", "adjacency:4,4,3", "onet:2,4"]
)
def test_a_game_can_be_copied_spot_by_spot(name: str) -> None:
    goal: Position = catalog.position(name)
    for _ in range(4):
        moves = goal.moves()
        goal = goal.child(moves[len(moves) // 2]) if moves else goal
    wanted = edit(str(goal))
    draft = edit(str(goal.game.start()), clear=True)
    for spot, content in wanted["spots"].items():
        if draft["spots"][spot] != content:
            draft = edit(draft["position"], spot=spot, content=content)
    if draft["turn"] != goal.turn:
        draft = edit(draft["position"], turn=goal.turn)
    for dial in wanted["dials"]:
        draft = edit(draft["position"], dial=dial["name"], value=dial["value"])
    assert (draft["position"], draft["problem"]) == (str(goal), None)


@pytest.mark.parametrize(
    ("draft", "key"),
    [
        ("tictactoe:3,3,3 xx./.../... x", "error.wrong_counts"),
        ("tictactoe:3,3,3 xxx/oo./... x", "error.wrong_turn"),
        ("connect4:4,4 x.../..../..../.... o", "connect4.floating"),
        ("dots:1,1 1111 1 0-0", None),
        ("adjacency:4,4,1 ..../..../..../.... x", "adjacency.bad_marks"),
        ("adjacency:4,4,1 xxxx/xxxx/xxxx/xxxx x", "adjacency.bad_marks"),
    ],
)
def test_a_draft_is_refused_exactly_as_its_text_is(draft: str, key: str | None) -> None:
    if key is None:
        assert refusal(draft) == "dots.wrong_boxes"
        return
    sketch = edit(draft)
    assert sketch["position"] == draft
    assert sketch["problem"]["key"] == key
    assert ask("POST", "/api/v1/board", json={"start": draft}).json()["key"] == key


def test_the_turn_follows_where_only_one_is_possible() -> None:
    assert edit("tictactoe", spot="b2", content="x")["position"] == "tictactoe:3,3,3 .../.x./... o"
    other = edit("tictactoe:3,3,3 .../.x./... o", turn=0)
    assert other["problem"]["key"] == "error.wrong_turn"


def test_boxes_that_are_closed_belong_to_who_is_to_move_and_can_change_hands() -> None:
    closed = edit("dots:1,1 0111 2 0-0", spot="a1b1", content="-")
    assert closed["position"] == "dots:1,1 1111 2 0-1"
    assert closed["dials"] == [{"name": "boxes", "value": 0, "least": 0, "most": 1}]
    assert edit(closed["position"], dial="boxes", value=1)["position"] == "dots:1,1 1111 2 1-0"
    assert edit(closed["position"], spot="a1b1")["position"] == "dots:1,1 0111 2 0-0"


def test_the_rounds_of_adjacency_are_a_number() -> None:
    assert edit("adjacency:8,8,28", dial="rounds", value=8)["game"] == "adjacency:8,8,8"
    assert refusal("adjacency", dial="rounds", value=29) == "error.dial"
    assert refusal("adjacency", dial="boxes", value=1) == "error.no_dial"


def test_y7_a_number_below_the_range_of_its_dial_is_refused_as_one_above() -> None:
    assert refusal("adjacency", dial="rounds", value=0) == "error.dial"


def test_every_kind_of_tile_that_lies_on_a_board_can_be_put() -> None:
    contents = [piece["content"] for piece in edit("onet:1,2,3 99,99")["pieces"]]
    assert contents == [".", "1", "2", "3", "99"]


def test_what_makes_no_sense_is_told_in_one_sentence() -> None:
    assert refusal("tictactoe", spot="z9", content="x") == "error.no_spot"
    assert refusal("tictactoe", spot="a1", content="7") == "error.no_piece"
    assert refusal("tictactoe nonsense x") == "error.not_a_board"
    assert refusal("tictactoe:3,3,3 .../.../... z") == "error.no_turn"
    assert refusal("chess") == "error.unknown_game_far"
    assert refusal("  ") == "error.unknown_game_far"
