"""Drafts: a board is changed spot by spot, and each change is another position."""

from typing import Any

import pytest

import papan
from papan.core import InvalidPositionError, Position, Setup
from papan.core.editing import Draft, checked, checked_dial, content_of_spot

PUZZLE = "onet:2,3 1,1,0/0,12,12"
LAST_ROUND = "adjacency:4,4,1 ..oo/..oo/xx../xx.. o"


def draft_of(text: str) -> Draft:
    position = papan.position(text)
    draft = Setup.of(position.game).draft(position)
    assert draft is not None
    return draft


@pytest.mark.parametrize(
    ("text", "spots"),
    [
        (
            "tictactoe:1,4,3 x.o. x",
            {"a1": "x", "b1": ".", "c1": "o", "d1": "."},
        ),
        (PUZZLE, {"a1": "1", "b1": "1", "c1": ".", "a2": ".", "b2": "12", "c2": "12"}),
        ("dots:1,1 1000 2 0-0", {"a1b1": "-", "a2b2": ".", "a1a2": ".", "b1b2": "."}),
    ],
)  # fmt: skip
def test_a_draft_tells_what_is_at_each_spot(text: str, spots: dict[str, str]) -> None:
    assert draft_of(text).spots() == spots
    assert {spot: content_of_spot(papan.position(text), spot) for spot in spots} == spots


@pytest.mark.parametrize(
    ("text", "spot", "content", "after"),
    [
        ("tictactoe x../.o./... x", "c1", "o", "tictactoe:3,3,3 x.o/.o./... x"),
        ("tictactoe x../.o./... x", "b2", ".", "tictactoe:3,3,3 x../.../... x"),
        ("tictactoe x../.o./... x", "b2", "x", "tictactoe:3,3,3 x../.x./... x"),
        (PUZZLE, "c1", "7", "1,1,7/0,12,12"),
        (PUZZLE, "b2", ".", "1,1,0/0,0,12"),
        (LAST_ROUND, "a1", "x", "adjacency:4,4,1 x.oo/..oo/xx../xx.. o"),
    ],
)
def test_a_change_makes_another_position_and_leaves_the_draft(
    text: str, spot: str, content: str, after: str
) -> None:
    draft = draft_of(text)
    checked(draft, spot, content)
    assert str(draft.put(spot, content)).endswith(after)
    assert draft.position == papan.position(text)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("tictactoe x../.o./x.. o", "tictactoe:3,3,3 .../.../... o"),
        (PUZZLE, "0,0,0/0,0,0"),
        (LAST_ROUND, "adjacency:4,4,1 ..../..../..../.... o"),
    ],
)
def test_a_cleared_draft_is_an_empty_board_with_the_same_seat_to_move(
    text: str, after: str
) -> None:
    assert str(draft_of(text).cleared()).endswith(after)


def test_either_seat_can_be_made_the_next() -> None:
    draft = draft_of("tictactoe x../.o./... x")
    assert [str(draft.with_turn(seat))[-1] for seat in (0, 1)] == ["x", "o"]
    assert draft.position.turn == 0


def test_a_draft_knows_the_contents_that_a_spot_can_have_nothing_first() -> None:
    assert [piece.content for piece in draft_of("tictactoe").pieces()] == [".", "x", "o"]
    nothing, cross, nought = draft_of("tictactoe").pieces()
    assert nothing.svg == ""
    assert "M13.2 13.2L46.8 46.8" in cross.svg and 'cx="30" cy="30"' in nought.svg


def refused(call: Any, *arguments: Any) -> dict[str, Any]:
    with pytest.raises(InvalidPositionError) as found:
        call(*arguments)
    return {"key": found.value.key, **found.value.values}


def test_what_cannot_stand_there_is_refused_with_what_can() -> None:
    draft = draft_of("tictactoe")
    cells = "a1 b1 c1 a2 b2 c2 a3 b3 c3"
    unknown = {"key": "error.no_spot", "spot": "d1", "known": cells}
    assert refused(checked, draft, "d1", "x") == unknown
    assert refused(content_of_spot, draft.position, "d1") == unknown
    wrong = {"key": "error.no_piece", "content": "y", "known": ". x o"}
    assert refused(checked, draft, "a1", "y") == wrong
    assert refused(content_of_spot, draft.position, 3)["spot"] == 3


@pytest.mark.parametrize(("rows", "columns", "more"), [(5, 6, False), (4, 8, True), (6, 6, True)])
def test_of_many_spots_thirty_are_named(rows: int, columns: int, more: bool) -> None:
    draft = draft_of(f"tictactoe:{rows},{columns},3")
    names = list(draft.spots())[:30]
    assert refused(checked, draft, "z9", "x")["known"] == " ".join(names)
    known = " ".join([*names, "\u2026"] if more else names)
    assert refused(content_of_spot, draft.position, "z9")["known"] == known


def test_a_position_without_a_draft_has_no_spots() -> None:
    class Blank(papan.Game):
        name = "blank"

        def start(self) -> Position:
            raise NotImplementedError

        def read(self, fields: Any) -> Position:
            raise NotImplementedError

        def move_name(self, move: int) -> str:
            return str(move)

        def parse_move(self, text: str) -> int:
            return int(text)

        move_count = 1

    class Moment(papan.Position):
        game, turn = Blank(), 0

        def moves(self) -> list[int]:
            return [0]

        def child(self, move: int) -> "Moment":
            return self

        def scores(self) -> tuple[float, ...]:
            return (0, 0)

        def write(self) -> tuple[str, ...]:
            return (".", "x")

    assert Setup.of(Blank()).draft(Moment()) is None
    assert refused(content_of_spot, Moment(), "a1")["known"] == "-"


def test_a_number_that_no_spot_shows_is_set_within_its_range() -> None:
    draft = draft_of("adjacency:4,4,3 ..oo/..oo/xx../xx.. x")
    (dial,) = draft.dials()
    assert (dial.name, dial.value, dial.least) == ("rounds", 3, 1)
    for value in (dial.least, dial.most):
        checked_dial(draft, "rounds", value)
    assert str(draft.dialled("rounds", 2)).startswith("adjacency:4,4,2 ")
    for value in (dial.least - 1, dial.most + 1):
        assert refused(checked_dial, draft, "rounds", value) == {
            "key": "error.dial", "name": "rounds", "least": dial.least, "most": dial.most,
        }  # fmt: skip
    assert refused(checked_dial, draft, "turns", 1) == {
        "key": "error.no_dial", "name": "turns", "known": "rounds",
    }  # fmt: skip
    plain = draft_of("tictactoe x../.../... o")
    assert plain.dials() == () and plain.dialled("rounds", 2) == plain.position
    assert refused(checked_dial, plain, "rounds", 1)["known"] == "-"
