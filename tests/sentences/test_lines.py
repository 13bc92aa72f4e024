"""Every sentence about lines is true: in Tic Tac Toe, Connect 4 and five in a row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from papan import api, catalog
from papan.core import Move, Position
from papan.core.message import catalogue, text_of
from papan.core.reasons import Mistake, deeds, deeds_by_rules, fault, forced_win, reason
from tests.core.test_review import verdict_on
from tests.sentences.boards import Lines
from tests.sentences.said import Said
from tests.sentences.truth import demand, demand_reason, positions_by_chance

TWO_THREATS_TOO_LATE = (
    ("tictactoe:3,3,3 xxo/..o/... x", "b2"),
    ("tictactoe:4,4,3 ..x./..../..x./.o.. o", "c4"),
    ("connect4:4,5 ....o/x...x/x.o.o/xoxox o", "4"),
    ("connect4:6,7 ......./......./......./..o..../.ooxx../.xoxox. x", "4"),
)
"""Moves that make two threats while the rival wins first."""
FALLS_SHORT = {
    f"lines.reason_{kind}" for kind in ("leaves", "lets", "opens", "blocks_one", "passes_win")
}
"""What is said of moves after which the rival wins at once."""


@pytest.mark.parametrize(("text", "name"), TWO_THREATS_TOO_LATE)
def test_y7_two_threats_are_none_where_the_rival_wins_first(text: str, name: str) -> None:
    position = catalog.position(text)
    move = position.legal_move(name)
    board, after = Lines(position), Lines(position.child(move))
    assert len(after.wins(board.mover)) > 1 and after.wins(board.rival)
    assert {each.message.key for each in deeds(position, move)} <= FALLS_SHORT
    assert forced_win(position.child(move), position.turn) is None
    missed = Mistake(position, position.moves()[0], (move,), ())
    said = fault(missed)
    assert said is None or said.key != "review.missed_double"


@pytest.mark.parametrize(
    ("text", "name", "following"),
    [
        ("connect4:4,5 ...../..o../oxxo./xxoxo x", "1", "2"),
        ("connect4:4,5 ...../o.x../x.oxo/xoxox o", "2", "2"),
        ("connect4:6,7 ......./......./......x/.x.oo.o/ox.xx.x/xo.xo.o o", "4", "6"),
    ],
)
def test_two_threats_to_come_are_not_prepared_where_the_rival_would_win_first(
    text: str, name: str, following: str
) -> None:
    position = catalog.position(text)
    board = Lines(position)
    after = board.put(board.lands(name), board.mover)
    later = after.put(after.lands(following), board.mover)
    assert not after.wins(board.rival)
    assert later.wins(board.mover) and later.wins(board.rival)
    said = {each.message.key for each in deeds(position, position.legal_move(name))}
    assert "lines.reason_prepares" not in said


@pytest.mark.parametrize(
    ("text", "move", "better"),
    [
        ("tictactoe:3,3,3 xx./ox./..o o", "a3", "c2"),  # x wins with c1 after either
        ("connect4:4,5 ...../...../.oo../.xxx. o", "2", "3"),
        ("connect4:5,5 ..x../x.oox/xoxoo/oxooo/xxoxx x", "2", "1"),
    ],
)
def test_y7_nobody_let_the_rival_win_where_the_better_move_does_too(
    text: str, move: str, better: str
) -> None:
    before = catalog.position(text)
    moves = [before.legal_move(name) for name in (move, better)]
    assert all(Lines(before.child(each)).wins("xo"[1 - before.turn]) for each in moves)
    said = fault(Mistake(before, moves[0], (moves[1],), ()))
    assert said is None or said.key not in ("review.allowed_win", "review.not_blocked")


def beginners(spec: str, count: int) -> Iterator[tuple[Position, Move]]:
    """Moves of players who mostly win if they can and block if they must, each with another one."""
    rng = Random(f"beginners {spec}")
    while count > 0:
        position = catalog.game(spec).start()
        while not position.is_over and count > 0:
            board, moves = Lines(position), position.moves()
            urgent = board.wins(board.mover) or board.wins(board.rival)
            fit = [move for move in moves if board.lands(position.game.move_name(move)) in urgent]
            move = rng.choice(fit if fit and rng.random() < 0.8 else moves)
            yield position, move
            yield position, rng.choice(moves)
            position, count = position.child(move), count - 1


LIVELY = {"connect4:4,5": 40, "connect4": 40, "connect4:7,10": 12, "tictactoe:5,6,4": 16}
"""How many moves of beginners are looked at in a quick test."""


def deeds_of_beginners(spec: str, count: int) -> Counter[str]:
    found = Counter[str]()
    for position, move in beginners(spec, count):
        for each in deeds(position, move):
            demand(Said(each.message.key, each.message.values, position, move))
            found[each.message.key] += 1
    return found


@pytest.mark.parametrize("spec", LIVELY)
def test_e3_what_moves_of_beginners_do_is_true(spec: str) -> None:
    assert deeds_of_beginners(spec, LIVELY[spec])


@pytest.mark.slow
def test_e3_every_kind_of_reason_on_lines_is_true_of_thousands_of_moves() -> None:
    found = Counter[str]()
    for spec, count in {**LIVELY, "tictactoe": 40, "tictactoe:9,9,5": 20}.items():
        found += deeds_of_beginners(spec, 60 * count)
    assert {*found} == {key for key in catalogue("en") if key.startswith("lines.reason_")}


def test_e3_two_lines_that_are_completed_at_once_are_not_taken_for_one() -> None:
    """Two diagonals cross here; they were called the row c4-g4."""
    text = "connect4:6,7 ......./.....x./..ox.xo/..xo.oo/o.xx.ox/oxxoxox o"
    position = catalog.position(text)
    (won,) = deeds(position, position.legal_move("5"))
    assert str(won.message) == "5 wins: the diagonal d1-g4."
    demand(Said(won.message.key, won.message.values, position, position.legal_move("5")))


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        (
            "connect4:6,7 ......./...ox../...ooo./...xox./..xxox./..oxxxo o",
            "3",
            "3 opens c4, where X would complete the row c4-f4: O must answer 3.",
        ),
        (
            "connect4:6,7 ..x..../.oo..x./.oxxoo./oxooxo./xxoxxx./oxxoox. o",
            "5",
            "5 does not block: O wins at d5 or g1.",
        ),
        (
            "connect4:6,7 ......./......./......./......./......./....... x",
            "4",
            "d1 lies on 7 lines that X can still complete; "
            "no cell that can be filled now lies on more.",
        ),
        (
            "connect4:6,7 .....x./.....x./x....o./oo...x./ox.x.xo/oxoooxx o",
            "3",
            "3 prepares c3, which would make two threats: d3 and c4.",
        ),
        (
            "connect4:6,7 ......./......./......o/......x/xxxo.oo/xoxx.oo x",
            "1",
            "Then c3 forces c4, and b3 makes two threats: d3 and d4.",
        ),
        (
            "connect4:4,5 .ooox/.xxox/.oxxo/xxoxo o",
            "1",
            "1 leaves O only answers that open a win: a4.",
        ),
    ],
)
def test_e3_lines_and_cells_of_a_reason_are_the_right_ones(
    text: str, name: str, sentence: str
) -> None:
    """The mover is called X here, the rival O."""
    position = catalog.position(text)
    move, said = position.legal_move(name), []
    for each in deeds(position, move):
        demand(Said(each.message.key, each.message.values, position, move))
        said.append(text_of(each.message.key, "en", player="X", rival="O", **each.message.values))
    assert sentence in said


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:4,4,3", "connect4:4,4", "connect4"])
def test_y5_what_the_rules_alone_say_of_a_move_is_true(spec: str) -> None:
    """So it is for a game of which only the rules are known."""
    for position, move in positions_by_chance(spec, 40):
        for each in deeds_by_rules(position, move):
            demand(Said(each.message.key, each.message.values, position, move))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("connect4:6,7 ......./......./.x..ox./.x.xooo/.o.xxxo/.o.oxxo x", "c3"),
        ("connect4:6,7 ......./.....x./ox...o./ox...x./xo.xooo/ooxxxox x", "c3"),
        ("connect4:6,7 ......./..o..../o.oox../o.xxo../xoxxox./xooxxox x", "b4"),
    ],
)
def test_e3_parity_is_told_where_the_solver_proves_it(text: str, place: str) -> None:
    position = catalog.position(text)
    analysis = api.solve(position)
    found = reason(position, analysis.move, analysis)
    assert found.clauses[0].message.key.startswith("connect4.reason_parity")
    assert found.certainty.kind == "proved"
    assert found.clauses[0].message.values["place"] == place
    for _ in demand_reason(found):
        pass


def test_e3_parity_claims_no_more_than_the_line_that_was_found() -> None:
    """Other defences of the same length end elsewhere; and the threat was not there before."""
    text = "connect4:6,7 ......./...ox../..xooo./..oxox./..xxox./..oxxxo o"
    position = catalog.position(text)
    found = reason(position, position.legal_move("1"), api.solve(position))
    first = found.clauses[0].message
    assert text_of(first.key, "en", player="X", rival="O", **first.values) == (
        "1 makes a threat on b2. The win is proved (15 plies); "
        "in the line found, O opens that cell in the end."
    )
    for _ in demand_reason(found):
        pass


def test_e3_no_move_is_forced_beside_a_win() -> None:
    """The first column wins, so neither is the last one forced nor does every other one lose."""
    text = "connect4:5,5 .ooo./.xxo./oxox./xoxo./xxox. x"
    keys = [each.key for each in api.why(text, "5").messages]
    assert keys == ["lines.reason_passes_win"]


def test_e3_a_missed_win_is_told_although_other_moves_miss_it_too() -> None:
    text = "connect4:6,7 ......./......./...ox../...xo../...oxo./.xoxxo. x"
    position = catalog.position(text)
    for analysis in (None, api.solve(position)):
        found = reason(position, position.legal_move("7"), analysis)
        assert "lines.reason_passes_win" in [each.key for each in found.messages]


@pytest.mark.parametrize(
    "text",
    ["connect4:4,5 ...x./o..o./xx.o./xooxx o", "connect4:4,5 ..x../.xo../.ox.x/oox.o x"],
)
def test_e3_a_lost_position_has_a_reason_for_the_longest_defence(text: str) -> None:
    position = catalog.position(text)
    found = api.solve(position)
    assert found.proved.high < 0, found
    said = api.why(text, position.game.move_name(found.move), found)
    assert said.messages[0].key == "reason.puts_off" and [*demand_reason(said)] == []


def test_e13_the_name_of_a_column_runs_into_no_other_word() -> None:
    said = verdict_on("connect4:4,4 ..../...o/..xo/xxox o", "2").text()
    assert re.search(r"After 2, .* can play \d and have \d marks on one open line; after", said)
