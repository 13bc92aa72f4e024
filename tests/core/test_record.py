"""Records of games: one line of JSON that replays to its own scores, or a clear error."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import papan
from papan import catalog
from papan.core import InvalidRecordError, PapanError, Record
from papan.core.record import moves_of, parse_record, player_name, replayed
from papan.core.session import rematch, resumed

WON = Record(
    "tictactoe:3,3,3", "tictactoe:3,3,3 .../.../... x", ("human", "random"),
    "a1 a2 b1 b2 c1", (1, 0), "win",
)  # fmt: skip


def test_a_record_reads_back_and_replays() -> None:
    assert parse_record(str(WON)) == WON
    positions = replayed(WON, papan.game(WON.game))
    assert len(positions) == 6
    assert positions[-1].scores() == (1, 0)
    assert "\n" not in str(WON)
    assert "blame" not in WON.json()


@pytest.mark.parametrize(
    ("end", "blame", "scores", "winner"),
    [
        ("win", None, (1, 0), 0),
        ("win", None, (3, 6), 1),
        ("draw", None, (0, 0), None),
        ("open", None, (0, 0), None),
        ("resigned", 1, (5, 0), 1),
        ("timeout", 2, (0, 0), 0),
        ("cleared", None, (24,), 0),
        ("stuck", None, (20,), None),
        ("crash", 1, (4,), None),
    ],
)
def test_the_winner_follows_from_the_end(
    end: str, blame: int | None, scores: tuple[float, ...], winner: int | None
) -> None:
    facts = WON.json() | {"end": end, "blame": blame, "scores": scores}
    assert parse_record(json.dumps(facts)).winner == winner


def test_k4_a_reason_is_kept_as_data_and_told_in_any_language() -> None:
    cause = {"key": "forfeit.exited", "agent": "bot:a.py", "code": "3"}
    facts = {"end": "crash", "blame": 1, "reason": "exit 3", "cause": cause}
    record = parse_record(json.dumps(WON.json() | facts))
    assert record.json()["cause"] == cause
    assert record.reason_in("en") == "The process of bot:a.py ended with exit code 3."
    assert record.reason_in("id") == "Proses bot:a.py berakhir dengan kode keluar 3."
    assert replace(record, cause={}).reason_in("id") == "exit 3"
    assert replace(record, cause={"key": "forfeit.exited"}).reason_in("id") == "exit 3"


@pytest.mark.parametrize(
    "cause", [["x"], {"key": 1}, {"key": "no.such"}, {"agent": "x"}, {"key": {}}]
)
def test_k4_a_reason_that_papan_cannot_tell_makes_no_record(cause: object) -> None:
    facts = {"end": "crash", "blame": 1, "cause": cause}
    with pytest.raises(InvalidRecordError):
        parse_record(json.dumps(WON.json() | facts))


def test_moves_and_scores_must_agree() -> None:
    wrong = parse_record(str(WON).replace("[1, 0]", "[0, 1]"))
    with pytest.raises(InvalidRecordError, match="but it says"):
        replayed(wrong, papan.game(wrong.game))


def test_there_is_a_player_for_each_seat() -> None:
    wrong = parse_record(str(WON).replace(', "random"', ""))
    with pytest.raises(InvalidRecordError, match="names 1 player, but the game has 2"):
        replayed(wrong, papan.game(wrong.game))


def test_moves_and_end_must_agree() -> None:
    wrong = parse_record(str(WON).replace('"win"', '"draw"'))
    with pytest.raises(InvalidRecordError, match="ended with 'draw', but its moves lead to 'win'"):
        replayed(wrong, papan.game(wrong.game))


@pytest.mark.parametrize(
    "line",
    [
        "", "{}", "[]", "null", "3", "{", '{"game": 3}', "[" * 5000,
        str(WON).replace('"win"', '"won"'),
        str(WON).replace('"end"', '"blame": 7, "end"'),
        str(WON).replace('"a1 a2 b1 b2 c1"', "null"),
        str(WON).replace("[1, 0]", '["x", 0]'),
        str(WON).replace("[1, 0]", f"[1{'0' * 400}, 0]"),
        str(WON).replace("[1, 0]", '"10"'),
        str(WON).replace('["human", "random"]', '"hr"'),
        str(WON).replace('"win"', '"win", "blame": 1'),
        str(WON).replace('"win"', '"win", "blame": 0'),
        str(WON).replace('"win"', '"win", "blame": false'),
        str(WON).replace('"win"', '"resigned", "blame": 2').replace('["human", "random"]', '["x"]'),
        str(WON).replace('"win"', '"resigned"'),
        str(WON).replace('"win"', '"resigned", "blame": true'),
    ],
)  # fmt: skip
def test_what_is_not_a_record_is_refused(line: str) -> None:
    with pytest.raises(InvalidRecordError, match="is not the record of a game"):
        parse_record(line)


@given(st.integers(0, 10_000), st.integers(0, 250), st.characters(codec="utf-8"))
def test_a_damaged_record_is_an_error_or_another_game(seed: int, place: int, letter: str) -> None:
    text = str(WON)
    place = random.Random(seed).randrange(len(text))
    damaged = text[:place] + letter + text[place + 1 :]
    try:
        record = parse_record(damaged)
        replayed(record, papan.game(record.game))
    except PapanError as error:
        assert str(error)


def test_c07_names_of_people_are_kept_and_read_back() -> None:
    named = replace(WON, names=("Ana", ""))
    assert parse_record(str(named)) == named
    assert "names" not in WON.json()
    session = resumed(named, catalog.game(named.game), (None, None))
    assert session.record().names == ("Ana", "")
    assert rematch(session, 1).names == ("", "Ana")
    with pytest.raises(InvalidRecordError, match="3 names of players, the game 2 seats"):
        replayed(replace(WON, names=("a", "b", "c")), catalog.game(WON.game))


@pytest.mark.parametrize("name", ["x" * 31, "a\x1b[31m", "\u202eabc"])
def test_c07_a_name_is_one_short_line(name: str) -> None:
    with pytest.raises(InvalidRecordError):
        player_name(name)
    assert player_name("  Ana \n Maria ") == "Ana Maria"


def test_y7_a_name_may_have_thirty_characters() -> None:
    assert player_name("x" * 30) == "x" * 30


FULL = replace(
    WON, end="crash", blame=2, scores=(0, 0), moves="a1", reason="exit 3",
    cause={"key": "forfeit.exited", "agent": "b", "code": "3"}, output="Traceback", adjudicated=0,
    names=("Ana", ""), hints=(0, 2),
)  # fmt: skip


def test_a_record_is_written_with_what_there_is() -> None:
    start = "tictactoe:3,3,3 .../.../... x"
    facts = {"game": "tictactoe:3,3,3", "start": start, "agents": ["human", "random"]}
    assert WON.json() == facts | {"moves": "a1 a2 b1 b2 c1", "scores": [1, 0], "end": "win"}
    assert FULL.json() == facts | {
        "moves": "a1",
        "scores": [0, 0],
        "end": "crash",
        "blame": 2,
        "reason": "exit 3",
        "cause": {"key": "forfeit.exited", "agent": "b", "code": "3"},
        "output": "Traceback",
        "adjudicated": 0,
        "names": ["Ana", ""],
        "hints": [0, 2],
    }
    read = parse_record(str(FULL))
    assert (read, read.cause, read.output) == (FULL, FULL.cause, FULL.output)
    assert "hints" not in replace(WON, hints=(0, 0)).json()
    assert "names" not in replace(WON, names=("", "")).json()
    assert "reason" not in replace(WON, reason="none is to blame").json()


@pytest.mark.parametrize(
    ("key", "given"),
    [
        ("hints", [-1, 0]), ("hints", [True, 0]), ("hints", [1.0, 0]), ("hints", 2),
        ("adjudicated", -1), ("adjudicated", True), ("adjudicated", "2"),
        ("names", ["x" * 31, ""]), ("names", "ab"), ("names", [3, 4]),
        ("scores", [float("nan"), 0]), ("scores", [float("inf"), 0]), ("scores", 1),
        ("reason", 3), ("output", None), ("cause", "x"), ("start", 3), ("agents", [1, 2]),
    ],
)  # fmt: skip
def test_each_fact_of_a_record_has_its_form(key: str, given: object) -> None:
    line = json.dumps(FULL.json() | {key: given})
    with pytest.raises(InvalidRecordError) as refused:
        parse_record(line)
    assert refused.value.key in ("error.not_a_record", "error.bad_name")


def test_a_long_line_that_is_no_record_is_shown_up_to_eighty_characters() -> None:
    for line in ("x" * 100, json.dumps(WON.json() | {"agents": ["y" * 90], "end": "won"})):
        with pytest.raises(InvalidRecordError) as refused:
            parse_record(line)
        assert refused.value.values == {"text": line[:80]}


def test_what_a_program_wrote_is_kept_in_one_line() -> None:
    facts = WON.json() | {"end": "crash", "blame": 1, "reason": "a\nb", "agents": ["x\ny", "z"]}
    record = parse_record(json.dumps(facts))
    assert (record.reason, record.agents) == ("a b", ("x y", "z"))
    assert parse_record(json.dumps(WON.json() | {"scores": [1, 0.5]})).scores == (1, 0.5)


def test_hints_are_counted_for_each_seat_and_moves_by_number() -> None:
    game = papan.game(WON.game)
    assert len(replayed(replace(WON, hints=(1, 2)), game)) == 6
    with pytest.raises(InvalidRecordError) as refused:
        replayed(replace(WON, hints=(1,)), game)
    assert (refused.value.key, refused.value.values) == (
        "error.record_hints",
        {"found": 1, "seats": 2},
    )
    with pytest.raises(InvalidRecordError) as second:
        replayed(replace(WON, moves="a1 a1"), game)
    start = "tictactoe:3,3,3 x../.../... o"
    assert second.value.values == {"number": 2, "move": "a1", "position": start}
    assert moves_of(WON, replayed(WON, game)) == [0, 3, 1, 4, 2]
    assert moves_of(replace(WON, moves=""), [game.start()]) == []


def test_a_game_that_was_given_up_replays_wherever_it_stands() -> None:
    game = papan.game(WON.game)
    for end in ("resigned", "illegal", "crash", "timeout"):
        assert len(replayed(replace(WON, moves="a1", scores=(0, 0), end=end), game)) == 2
    with pytest.raises(InvalidRecordError, match="ended with 'win', but its moves lead to 'open'"):
        replayed(replace(WON, moves="a1", scores=(0, 0)), game)


def test_a_name_that_is_refused_is_shown_up_to_twice_its_length() -> None:
    with pytest.raises(InvalidRecordError) as refused:
        player_name("  " + "x" * 70)
    assert refused.value.key == "error.bad_name"
    assert refused.value.values == {"name": "x" * 60, "most": 30}
