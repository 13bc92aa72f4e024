"""What is said about a pair of Onet, word for word: what it opens, what stays, where to look."""

from dataclasses import replace
from typing import Any

import pytest

from papan import catalog
from papan.core import Analysis, Coach, Guess, Message, Move, Proved
from papan.core.reasons import Mistake, fault
from papan.games.onet.coach import never_taken, tile_name
from papan.games.onet.rules import OnetPosition

FOUR = "onet:2,4 1,3,1,2/1,2,3,1"


def at(text: str) -> OnetPosition:
    position = catalog.position(text)
    assert isinstance(position, OnetPosition)
    return position


@pytest.mark.parametrize(
    ("text", "pair", "said"),
    [
        (
            FOUR,
            "a1c1",
            [
                "does: Taking a1c1 (cherries) frees b1, c2: 1 new pair. [a1 c1 b1 c2]",
                "instead: a1a2 would take one of these tiles too, but open no new pair. "
                "[a1 c1 a1 a2]",
            ],
        ),
        (
            FOUR,
            "a1a2",
            [
                "does, decides, costs: a1a2 (cherries) leaves no pair that can be linked: "
                "6 tiles stay. [a1 a2]"
            ],
        ),
        (
            "onet:2,6 1,2,3,4,5,1/2,6,3,6,4,5",
            "a1f1",
            [
                "does: Taking a1f1 (cherries) frees b1, e1, a2, …: 2 new pairs. "
                "[a1 f1 b1 e1 a2 f2]",
                "does: The tiles of a1f1 (cherries) are the last two of their kind, "
                "so taking them can do no harm. [a1 f1]",
            ],
        ),
        (
            "onet:2,6 1,2,3,4,5,1/2,6,3,6,4,5",
            "c1c2",
            [
                "does: Taking c1c2 (drop) opens no new pair; 2 can still be taken. [c1 c2]",
                "does: The tiles of c1c2 (drop) are the last two of their kind, "
                "so taking them can do no harm. [c1 c2]",
            ],
        ),
        (
            "onet:3,4 4,1,1,1/5,3,4,2/3,1,5,2",
            "b1d1",
            [
                "does, decides, costs: b1d1 leaves the leaf tile on a1 for ever: "
                "8 tiles then block each other for good (proved). "
                "[b1 d1 a1 c1 a2 b2 c2 a3 b3 c3]",
                "does: Taking b1d1 (cherries) opens no new pair; 1 can still be taken. [b1 d1]",
            ],
        ),
        (
            "onet:3,4 1,1,1,3/0,0,2,4/1,4,2,3",
            "a1b1",
            [
                "does: Taking a1b1 (cherries) opens 1 new pair. [a1 b1]",
                "instead: a1c1 would take one of these tiles too, but open no new pair. "
                "[a1 b1 a1 c1]",
            ],
        ),
        (
            "onet:3,4 1,1,0,4/4,1,2,3/3,0,1,2",
            "b1b2",
            [
                "does: Taking b1b2 (cherries) frees d1, a2: 2 new pairs. [b1 b2 d1 a2]",
                "instead: a1b1 would take one of these tiles too, but open only 1 instead of 2. "
                "[b1 b2 a1 b1]",
            ],
        ),
        (
            "onet:1,2 1,1",
            "a1b1",
            [
                "does, decides: a1b1 (cherries) takes the last two tiles: "
                "the board is clear. [a1 b1]"
            ],
        ),
        (
            "onet:2,4,gravity=down 1,3,1,2/1,2,3,1",
            "a1c1",
            ["does: After a1c1 (cherries) 2 pairs can be taken. [a1 c1]"],
        ),
        (
            "onet:3,4,rule=paper 1,4,3,2/1,2,1,2/1,3,2,4",
            "a1a2",
            ["does: After a1a2 (cherries) 1 pair can be taken. [a1 a2]"],
        ),
    ],
)
def test_what_a_pair_does_is_told_the_strongest_first(
    text: str, pair: str, said: list[str]
) -> None:
    position = at(text)
    move = position.legal_move(pair)
    found = []
    for each in Coach.of(position).deeds(move):
        marks = [each.kind, *["decides"] * each.decides, *["costs"] * each.costs]
        found.append(f"{', '.join(marks)}: {each.message.text()} [{' '.join(each.cells)}]")
        assert each.line == (move,)
    assert found == said


@pytest.mark.parametrize(
    ("text", "pair", "names"),
    [
        (FOUR, "a1a2", "a1c1 a1a2 a2d2"),
        ("onet:3,4 1,4,3,2/1,2,1,2/1,3,2,4", "d1d2", "a1a2 a1a3 d1d2"),
        ("onet:1,4 1,1,2,2", "c1d1", "a1b1 c1d1"),
        ("onet:2,3 2,1,1/3,3,2", "b1c1", "b1c1 a2b2"),
        ("onet:1,2 1,1", "a1b1", "a1b1"),
    ],
)
def test_one_looks_at_all_pairs_of_a_kind_or_else_at_two_others(
    text: str, pair: str, names: str
) -> None:
    position = at(text)
    assert " ".join(Coach.of(position).area(position.legal_move(pair))) == names


def solved(position: OnetPosition, values: dict[str, float]) -> Analysis:
    """An analysis that proves so many empty cells, or fewer where not all, after each pair."""
    most = position.game.largest_margin
    proved = {
        position.legal_move(name): Proved(least if least == most else 0, least)
        for name, least in values.items()
    }
    return Analysis((next(iter(proved)),), values=proved, position=position)


def test_a_proof_that_only_one_pair_clears_the_board_is_told_and_else_one_that_does_not() -> None:
    position = at(FOUR)
    pair = position.legal_move("a1c1")

    def said(**changes: Any) -> list[tuple[str, str, tuple[str, ...], bool]]:
        known = replace(solved(position, {"a1c1": 8, "a1a2": 2, "a2d2": 8}), **changes)
        return [
            (each.kind, each.message.text(), each.cells, each.decides)
            for each in Coach.of(position).proved(pair, known)
        ]

    other = (
        "instead",
        "After a1a2 instead the board could no longer be cleared (proved).",
        ("a1", "c1", "a1", "a2"),
        False,
    )
    assert said() == [other]
    alone = solved(position, {"a1c1": 8, "a1a2": 2, "a2d2": 6})
    assert said(values=alone.values) == [
        (
            "does",
            "a1c1 (cherries) is the only pair that keeps the board clearable (proved).",
            ("a1", "c1"),
            True,
        )
    ]
    guessed: dict[Move, Any] = {**alone.values, position.legal_move("a2d2"): Guess(2.0)}
    assert said(values=guessed) == [other]
    assert said(values=solved(position, {"a1c1": 8, "a1a2": 8, "a2d2": 8}).values) == []
    assert said(values=solved(position, {"a1c1": 6, "a1a2": 2, "a2d2": 2}).values) == []
    assert said(values={}) == []
    assert said(position=position.child(pair)) == [], "of another position"


@pytest.mark.parametrize(
    ("gravity", "plan", "most", "said"),
    [
        ("none", "a1c1 a2d2", 2, "a1a2 was the wrong pair of 4 equal tiles"),
        ("none", "b1c2", 2, "After a1a2 at least 6 tiles are left over"),
        ("none", "a1a2 b1c2", 7, "After a1a2 at least 1 tiles are left over"),
        ("none", "b1c2", 8, None),
        ("down", "a1c1 a2d2", 2, "After a1a2 the tiles fall so that at least 6 of them"),
        ("down", "a1c1 a2d2", 8, None),
    ],
)
def test_a_wrong_pair_took_a_tile_that_another_needed_or_leaves_tiles_over(
    gravity: str, plan: str, most: float, said: str | None
) -> None:
    position = at(FOUR.replace("2,4", f"2,4,gravity={gravity}"))
    move, *moves = (position.game.parse_move(name) for name in ("a1a2", *plan.split()))
    found = fault(Mistake(position, move, tuple(moves), (), now=Proved(high=most)))
    text = None if found is None else found.text()
    assert text is said or (text is not None and said is not None and text.startswith(said))


def test_tiles_that_nothing_can_link_any_more_are_never_taken() -> None:
    for text, cells in (
        ("onet:2,2 1,2/2,1", [0, 1, 2, 3]),
        ("onet:2,2 1,1/2,2", []),
        ("onet:2,3 1,2,0/2,1,0", [0, 1, 3, 4]),
        ("onet:2,3 1,1,2/3,3,0", [2]),
        ("onet:1,3 1,2,3", [0, 1, 2]),
        ("onet:1,2 0,0", []),
    ):
        assert never_taken(at(text)) == cells, text


def test_tiles_are_named_by_their_motif_and_beyond_by_their_number() -> None:
    names = {1: "cherries", 2: "sun", 36: "pear", 37: "tile 37", 999: "tile 999"}
    assert {kind: tile_name(kind).text() for kind in names} == names
    assert tile_name(37) == Message("onet.tile", {"number": 37})


def test_a_wrong_pair_is_learned_in_the_lesson_on_their_order() -> None:
    assert Coach.of(at(FOUR)).lesson_steps == {"onet.wrong_pair": "lesson.onet_order_task"}
