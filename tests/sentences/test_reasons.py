"""Every sentence has a check of its own, and those that were false are true."""

from __future__ import annotations

import pytest

from papan import api, catalog
from papan.core import Analysis, Coach, Proved
from papan.core.message import Message, catalogue, text_of
from papan.core.reasons import _worse, reason, with_people
from tests.core.test_review import MISTAKES, verdict_on
from tests.sentences.truth import TRUE, demand_reason, demand_verdict


def test_y5_every_reason_and_every_deed_has_a_check_of_its_own() -> None:
    started = (
        "review.missed",
        "review.allowed",
        "review.not_",
        "lines.reason_",
        "lines.gave",
        "lines.filled",
        "lines.open",
        "lines.closed",
    )
    assert {key for key in catalogue("en") if key.startswith(started)} <= {*TRUE}


@pytest.mark.parametrize("key", MISTAKES)
def test_y5_every_sentence_of_the_examples_is_true(key: str) -> None:
    demand_verdict(verdict_on(*MISTAKES[key]))


@pytest.mark.parametrize(
    ("text", "move", "key", "values"),
    [
        # the move itself opened d5
        (
            "connect4:5,5 ooo../xox../xxoo./ooxxo/xxxox x",
            "4",
            "review.allowed_win",
            {"place": "d5"},
        ),
        # b5 was no threat before
        (
            "connect4:5,5 ..x../x.oox/xoxoo/oxooo/xxoxx x",
            "2",
            "review.not_blocked",
            {"place": "d5"},
        ),
        # safe lines are left, so nobody has to open a chain
        (
            "dots:3,3 001010001110101110100101 1 0-0",
            "c2d2",
            "dots.refused_turn",
            {"left": 2},
        ),
    ],
)
def test_y5_a_reason_that_was_false_is_true_now(
    text: str, move: str, key: str, values: dict[str, object]
) -> None:
    verdict = verdict_on(text, move)
    assert verdict.said[0].key == key
    assert values.items() <= verdict.said[0].values.items()
    demand_verdict(verdict)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        # the score stands the other way round on the page, so it is said whose it is
        ("dots:3,3 111111111101111111111111 2 2-6", "b4c4", "ends the game 7 : 2 for player 2."),
        ("adjacency:4,4,4 oooo/oxxx/xxxo/xxx. o", "d4", "the game ends 8 : 8, a draw."),
        # not "but open only 0 instead of 1"
        (
            "onet:6,12 0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,18,0/0,0,0,0,0,0,0,0,0,0,0,0/"
            "2,0,0,0,0,8,0,2,0,2,2,0/19,0,0,0,0,2,0,0,0,0,0,0/18,0,0,0,0,18,2,8,19,0,0,18",
            "k2a6",
            "k2f6 would take one of these tiles too, but open no new pair.",
        ),
    ],
    ids=["dots", "adjacency", "onet"],
)
def test_e3_a_reason_reads_well(text: str, name: str, said: str) -> None:
    assert api.why(text, name).text().endswith(said)


def test_e3_a_move_of_which_nothing_is_known_is_not_said_to_threaten_nothing() -> None:
    assert text_of("reason.quiet", "en", move="a1") == "a1 does nothing at once that can be seen."


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("dots:2,2 011100110010 1 0-0", "a1b1", "By contrast, a3b3 would end 4 points worse."),
        ("adjacency:4,4,2 .xxo/..oo/xx../xx.. o", "c4", "a1 would end 2 points worse."),
    ],
)
def test_y7_a_contrast_tells_by_how_many_points_the_other_move_is_worse(
    text: str, name: str, said: str
) -> None:
    position = catalog.position(text)
    found = reason(position, position.legal_move(name), api.solve(position, all_moves=True))
    assert [*demand_reason(found)] == ["reason.instead_worse"]
    assert found.text().endswith(said)


@pytest.mark.parametrize(
    ("text", "name", "first", "second"),
    [
        # what another move would allow, before what else this one does
        (
            "tictactoe ox./xx./oo. x",
            "c3",
            "c3 passes up a win: c2 would have completed the row a2-c2.",
            "By contrast, c1 leaves the row a3-c3 open: player 2 wins at c3.",
        ),
        # what the answer comes to, before what else this one does
        (
            "adjacency:4,4,2 ..oo/.xxo/xx../xx.. o",
            "b1",
            "b1 turns 1 mark.",
            "If player 1 answers a1: a2 is the last move: the game ends 7 : 5 for player 2.",
        ),
    ],
    ids=["instead", "then"],
)
def test_y7_what_follows_a_move_is_told_right_after_the_first_thing_it_does(
    text: str, name: str, first: str, second: str
) -> None:
    position = catalog.position(text)
    move = position.legal_move(name)
    assert reason(position, move).text().startswith(first)
    assert len(reason(position, move).clauses) == 2, "there is more to be seen on the board"
    assert reason(position, move, api.solve(position, all_moves=True)).text() == f"{first} {second}"


def test_y7_the_two_change_places_where_a_sentence_is_about_the_answer() -> None:
    theirs = Message("lines.reason_leaves", {"move": "4", "line": "row a1-d1", "place": "d1"})
    said = Message("reason.instead_reply", {"other": "3", "reply": "4", "theirs": theirs})
    assert with_people(said, {"player": "Ani", "rival": "Budi"}).text() == (
        "By contrast, after 3, Budi could play 4: 4 leaves the row a1-d1 open: Ani wins at d1."
    )


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (Proved(0, 0), "reason.instead_draws"),
        (Proved(-1, 0), None),
        (Proved(-1, -1), "reason.instead_loses"),
        (Proved(high=-1), "reason.instead_loses"),
    ],
)
def test_y7_a_move_of_which_only_a_bound_is_proved_is_not_said_to_draw(
    value: Proved, key: str | None
) -> None:
    position = catalog.position("tictactoe")
    won = Proved.exactly(1)
    found = Analysis((4,), None, won, {4: won, 0: value}, position=position)
    clause = _worse(position, 0, found)
    assert (clause and clause.message.key) == key


@pytest.mark.parametrize(
    ("text", "move", "area"),
    [
        ("adjacency:8,8,28", "d4", "b2 b3 b4 b5 b6 c2 c3 c4 c5 c6 d2 d3 d4 d5 d6 e2 e3 e4 e5 e6 "
         "f2 f3 f4 f5 f6"),
        ("adjacency:4,4,4", "a1", "a1 b1 a2 b2 c3"),
        ("adjacency:4,4,4", "d4", "c4 d4 c3 d3 b2"),
        ("connect4", "1", "1 2"),
        ("connect4", "4", "3 4 5"),
        ("dots:2,2", "a1b1", "a1b1 a1a2 b1b2 a2b2"),
        ("dots:2,2", "b1b2", "a1b1 a1a2 b1b2 a2b2 b1c1 c1c2 b2c2"),
    ],
)  # fmt: skip
def test_y7_the_second_hint_is_what_lies_around_the_move(text: str, move: str, area: str) -> None:
    position = catalog.position(text)
    assert {*Coach.of(position).area(position.legal_move(move))} == {*area.split()}


ROW = "tictactoe:5,5,4 x..../...../...../...../....o x"


@pytest.mark.parametrize(
    ("text", "name", "proved", "distance", "keys"),
    [
        ("tictactoe", "a1", Proved(-1, -1), 3, ["reason.puts_off"]),
        ("tictactoe", "b2", Proved(-1, -1), 4, ["reason.puts_off"]),
        ("tictactoe", "b2", Proved(-1, -1), 2, ["lines.reason_many"]),
        ("tictactoe", "b2", Proved(-1, -1), None, ["lines.reason_many"]),
        ("tictactoe", "b2", Proved(-1, 0), 4, ["lines.reason_many"]),
        ("tictactoe", "b2", Proved(0, 0), 4, ["lines.reason_many"]),
        (ROW, "b2", Proved(-1, -1), 4, ["reason.puts_off", "lines.reason_builds"]),
        (ROW, "b2", Proved(-1, -1), 2, ["lines.reason_builds"]),
    ],
)
def test_a_move_that_puts_a_loss_off_is_told_so_and_on_how_many_lines_it_lies_is_not(
    text: str, name: str, proved: Proved, distance: int | None, keys: list[str]
) -> None:
    position = catalog.position(text)
    move = position.legal_move(name)
    analysis = Analysis((move,), proved=proved, distance=distance, position=position)
    found = reason(position, move, analysis)
    assert [each.message.key for each in found.clauses] == keys
    assert found.certainty.kind == ("proved" if proved.exact else "estimate")
    late = [each for each in found.clauses if each.message.key == "reason.puts_off"]
    assert all(each.decides and each.line == analysis.line for each in late)
    other = next(each for each in position.moves() if each != move)
    assert "reason.puts_off" not in {
        each.message.key for each in reason(position, other, analysis).clauses
    }
