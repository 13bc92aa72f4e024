"""Messages, progress and limits are values: equal, hashable, and read back from their JSON."""

import json
import pickle
from dataclasses import dataclass
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papan.core import (
    InvalidSpecError,
    Limit,
    Message,
    PapanError,
    PapanWarning,
    Progress,
    WrongTypeError,
)
from papan.core.errors import in_one_line
from papan.core.limit import LARGEST_AMOUNTS, limit_within
from papan.core.message import (
    first_line,
    game_title,
    locale_language,
    seat_message,
    text_of,
    texts_in,
)
from papan.core.numbers import Number, format_value, in_figures, megabytes
from papan.core.printable import printable, short, to_json

DRAW = Message("end.draw")
NESTED = Message("error.cannot_write", {"path": "x", "why": DRAW})


def test_a_message_is_a_sentence_in_each_language() -> None:
    assert DRAW.text("en") == str(DRAW)
    assert DRAW.text("id") != DRAW.text("en")
    assert Message("of.a.plugin", {"n": 1}).text("id") == "of.a.plugin"


def test_messages_are_equal_by_key_and_values_and_can_be_keys_of_a_dict() -> None:
    assert Message("a", {"n": 1, "m": 2}) == Message("a", {"m": 2, "n": 1})
    assert len({Message("a", {"n": 1}), Message("a", {"n": 1}), Message("a", {"n": 2})}) == 2
    assert {NESTED: 1}[Message("error.cannot_write", {"why": DRAW, "path": "x"})] == 1
    with pytest.raises(AttributeError):
        DRAW.key = "other"  # type: ignore[misc]


def test_a_value_may_be_a_message_which_is_said_in_the_same_language() -> None:
    for language in ("en", "id"):
        assert DRAW.text(language) in NESTED.text(language)


@pytest.mark.parametrize("message", [DRAW, NESTED, Message("a", {"n": 1, "f": 0.5})])
def test_a_message_reads_back_from_its_json(message: Message) -> None:
    data = json.loads(json.dumps(message.json()))
    assert data.keys() == {"key", "values"}
    assert Message.from_json(data) == message
    assert pickle.loads(pickle.dumps(message)) == message


def test_an_error_is_made_of_a_message() -> None:
    error = PapanError("error.cannot_write", path="x", why=PapanError("end.draw"))
    assert error.message.key == "error.cannot_write"
    assert error.shown == NESTED
    assert error.text("id") == NESTED.text("id")
    assert str(PapanError.of(NESTED)) == str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_newline_in_a_message_of_an_error_is_a_space() -> None:
    text = str(PapanError("error.cannot_write", path="a\nb\tc", why="x\x1b[31m"))
    assert "a b c" in text
    assert "x\ufffd[31m" in text


def test_progress_is_a_share_with_a_label() -> None:
    assert Progress(3, 12).share == 0.25
    assert Progress(3, 0).share == 0
    assert Progress(13, 12, "last").share == 1
    assert Progress(1, 2, DRAW).text("id") == DRAW.text("id")
    assert Progress(1, 2, "last").json() == {"done": 1, "total": 2, "label": "last"}
    assert Progress(1, 2, DRAW).json()["label"] == DRAW.json()


@pytest.mark.parametrize(
    ("limit", "data"),
    [
        (Limit(), {}),
        (Limit(2.5), {"seconds": 2.5}),
        (Limit(nodes=100), {"nodes": 100}),
        (Limit(1, 10), {"seconds": 1, "nodes": 10}),
    ],
)
def test_a_limit_has_one_json_form(limit: Limit, data: dict[str, float]) -> None:
    assert limit.json() == data
    assert Limit.from_json(json.loads(json.dumps(data))) == limit


@pytest.mark.parametrize(
    ("data", "limit"),
    [
        ({"s": 2, "nodes": 10}, Limit(2, 10)),
        ({"s": 2}, Limit(2)),
        ({"seconds": None, "nodes": 7}, Limit(nodes=7)),
        ({"seconds": None, "nodes": None}, Limit()),
    ],
)
def test_limits_of_earlier_versions_are_read(data: dict[str, float | None], limit: Limit) -> None:
    assert Limit.from_json(data) == limit


@pytest.mark.parametrize("bound", [0, -1, float("nan"), LARGEST_AMOUNTS["nodes"] * 2])
def test_a_limit_out_of_range_is_refused(bound: float) -> None:
    with pytest.raises(InvalidSpecError):
        Limit(nodes=bound)
    with pytest.raises(WrongTypeError):
        Limit(seconds="1")  # type: ignore[arg-type]


def test_the_tighter_limit_counts_bound_by_bound() -> None:
    assert Limit(1, 100).within(Limit(2, 10)) == Limit(1, 10)
    assert Limit(1).tightened(nodes=5) == Limit(1, 5)
    assert Limit(1).tightened() == Limit(1)
    assert Limit().seconds == inf


@pytest.mark.parametrize(
    ("number", "en", "id"),
    [
        (Number(12345), "12,345", "12.345"),
        (Number(7), "7", "7"),
        (Number(1.5, "signed"), "+1.5", "+1,5"),
        (Number(-0.125, "signed"), "\u22120.13", "\u22120,13"),
        (Number(0.001, "signed"), "0", "0"),
        (Number(2, "plain"), "2", "2"),
        (Number(-2.25, "plain"), "\u22122.25", "\u22122,25"),
    ],
)
def test_a_number_in_a_message_is_written_as_its_language_does(
    number: Number, en: str, id: str
) -> None:
    assert (number.text("en"), number.text("id")) == (en, id)
    message = Message("because.ahead", {"player": "A", "points": number})
    assert en in message.text("en")
    assert id in message.text("id")
    assert Message.from_json(json.loads(json.dumps(message.json()))) == message


def test_several_messages_in_one_value_are_written_with_commas() -> None:
    message = Message("because.rules", {"player": "A", "rules": (DRAW, DRAW)})
    assert f"{DRAW}, {DRAW}" in str(message)
    assert Message.from_json(json.loads(json.dumps(message.json()))) == message


def test_y7_semicolons_part_the_numbers_of_a_list_where_commas_mark_decimals() -> None:
    assert in_figures("+1.5 [0.5, 2.5]", "en") == "+1.5 [0.5, 2.5]"
    assert in_figures("+1.5 [0.5, 2.5]", "id") == "+1,5 [0,5; 2,5]"


def test_y7_a_long_value_is_cut_to_four_hundred_characters_with_an_ellipsis() -> None:
    assert short("x" * 400) == "x" * 400
    assert short("x" * 401) == "x" * 399 + "\u2026"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "id_ID.UTF-8"}, "id"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "id_ID"}, "id"),
        ({"LANG": "id_ID.UTF-8", "LC_MESSAGES": "id_ID", "LC_ALL": "C"}, "en"),
        ({"LC_ALL": "id_ID.UTF-8", "PAPAN_LANG": "en"}, "en"),
    ],
)
def test_y7_of_two_locales_the_stronger_one_chooses_the_language(
    environment: dict[str, str], language: str
) -> None:
    assert locale_language(environment) == language


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (0.004, "0"),
        (-0.004, "0"),
        (0.005, "+0.01"),
        (-0.125, "\u22120.13"),
        (0.125, "+0.13"),
        (0.99, "+0.99"),
        (0.999, "+1"),
        (10, "+10"),
        (100.5, "+100.5"),
        (inf, "+\u221e"),
        (-inf, "\u2212\u221e"),
        (nan, "?"),
    ],
)
def test_y7_a_value_has_its_sign_and_two_decimals_at_most(amount: float, text: str) -> None:
    assert format_value(amount) == text


@pytest.mark.parametrize(
    ("number", "en", "id"),
    [
        (Number(1234567), "1,234,567", "1.234.567"),
        (Number(1234.5), "1,234.5", "1.234,5"),
        (Number(0.0625), "0.062", "0,062"),
        (Number(1000.0), "1,000", "1.000"),
        (Number(100.0), "100", "100"),
        (Number(0.5, "plain"), "0.5", "0,5"),
        (Number(0, "signed"), "0", "0"),
    ],
)
def test_y7_counts_have_thousands_and_three_decimals_at_most(
    number: Number, en: str, id: str
) -> None:
    assert (number.text("en"), number.text("id")) == (en, id)


def test_y7_megabytes_are_of_two_to_the_twentieth_and_nothing_is_not_measured() -> None:
    assert megabytes(3 * 2**20, "en") == "3"
    assert megabytes(1500 * 2**20, "en") == "1,500"
    assert megabytes(1500 * 2**20, "id") == "1.500"
    assert megabytes(0, "en") == ""


def test_y7_numbers_of_numpy_in_a_limit_are_those_of_python_in_json() -> None:
    given: Any = (np.float32(1.5), np.int64(9))
    limit = Limit(*given)
    assert json.loads(json.dumps(limit.json())) == {"seconds": 1.5, "nodes": 9}
    assert limit == Limit(1.5, 9)
    for key in ("seconds", "nodes"):
        with pytest.raises(WrongTypeError) as refused:
            Limit(**{key: "7"})  # type: ignore[arg-type]
        assert refused.value.values == {"name": key, "given": "'7'"}
        with pytest.raises(InvalidSpecError) as refused_too:
            Limit(**{key: LARGEST_AMOUNTS[key] + 1})
        assert refused_too.value.values["most"] == LARGEST_AMOUNTS[key]
        assert Limit(**{key: LARGEST_AMOUNTS[key]}).json() == {key: LARGEST_AMOUNTS[key]}


@pytest.mark.parametrize(
    ("moves", "text"),
    [(1, "1 move"), (2, "2 moves"), (0, "0 moves"), (11, "11 moves")],
)
def test_y7_a_word_depends_on_its_number(
    moves: int, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"seat.alone": "you", "n": "{moves} {moves|move|moves}", "w": "{player} {player|a|b}."}
    monkeypatch.setattr("papan.core.message.catalogue", lambda language: texts)
    assert text_of("n", moves=moves) == text
    assert text_of("n", moves=Number(moves)) == text
    assert text_of("w", player="ann") == "Ann a."
    assert text_of("w", player="you") == "You b."
    assert text_of("w", player=Message("seat.alone")) == "You b."
    assert text_of("unknown", player="x") == "unknown"


def test_y7_the_name_of_a_seat_depends_on_how_many_there_are() -> None:
    assert seat_message(0, 1) == Message("seat.alone")
    assert [seat_message(seat, 2).key for seat in (0, 1)] == ["seat.1", "seat.2"]


def test_y7_a_game_without_a_title_has_its_name() -> None:
    assert game_title("nim", "en") == "Nim"
    assert game_title("connect4", "en") == text_of("game.connect4", "en") != "Connect4"


def test_y7_what_stands_first_in_a_docstring_is_its_first_line() -> None:
    @dataclass
    class Bare:
        field: int = 0

    class Described:
        """One line.

        And more.
        """

    assert (first_line(Described), first_line(Bare), first_line(Described())) == (
        "One line.",
        "",
        "One line.",
    )
    assert first_line(lambda: None) == ""


def test_y7_what_steers_a_terminal_is_replaced_and_never_lost_in_json() -> None:
    for bad in "\x00\x1b\x7f\x85\u200e\u202e\u2028\u2069\ufeff\U000e0041\ud800":
        assert printable(f"a{bad}b") == "a\ufffdb", ascii(bad)
        written = to_json({"k": f"a{bad}b"})
        assert bad not in written and json.loads(written) == {"k": f"a{bad}b"}
    for good in "\n\t é漢\u00a0":
        assert printable(f"a{good}b") == f"a{good}b"
    assert to_json({"a": [1]}, indent=2) == '{\n  "a": [\n    1\n  ]\n}'
    assert short("a\nb\tc\x07") == "a b c\ufffd"


def test_an_error_tells_its_key_its_values_and_its_kind() -> None:
    error = WrongTypeError("error.takes_number", name="nodes", given="'x'")
    assert (error.key, error.values) == ("error.takes_number", {"name": "nodes", "given": "'x'"})
    error.values["name"] = "other"
    assert error.message.values["name"] == "nodes"
    assert repr(error) == f"WrongTypeError({str(error)!r})"
    assert isinstance(error, TypeError) and isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.key, again.values) == (WrongTypeError, error.key, error.values)
    warning = PapanWarning(error)
    assert (warning.error, str(warning)) == (error, error.text("en"))


def test_any_error_is_told_in_one_line() -> None:
    assert in_one_line(ValueError("a\n  b")) == "ValueError: a b"
    assert in_one_line(None) == "NoneType: None"


def test_what_a_message_holds_is_data_and_reads_back() -> None:
    values = {"some": [1, DRAW, (Number(0.5, "plain"), "x")], "n": 2}
    data = Message("k", values).json()
    assert data == {
        "key": "k",
        "values": {
            "some": [1, {"key": "end.draw", "values": {}}, [{"number": 0.5, "form": "plain"}, "x"]],
            "n": 2,
        },
    }
    read = Message.from_json(data)
    assert read.values == {"some": (1, DRAW, (Number(0.5, "plain"), "x")), "n": 2}
    wrong: list[dict[str, Any]] = [
        {"key": "k"},
        {"values": {}},
        {"key": "k", "values": {"m": {"key": "n"}}},
    ]
    for lacking in wrong:
        with pytest.raises(KeyError):
            Message.from_json(lacking)


def test_a_file_of_texts_is_an_object_of_texts(tmp_path: Path) -> None:
    file = tmp_path / "texts.json"
    file.write_text('{"a": "\u00e9"}', encoding="utf-8")
    assert texts_in(file) == {"a": "\u00e9"}
    for wrong in ("[]", '{"a": 1}', "{", '"a"'):
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(ValueError):
            texts_in(file)


def test_a_bound_that_is_refused_is_shown_up_to_eighty_characters() -> None:
    long: Any = "x" * 100
    for key in ("seconds", "nodes"):
        with pytest.raises(WrongTypeError) as refused:
            Limit(**{key: long})
        assert refused.value.values == {"name": key, "given": repr(long)[:80]}
    with pytest.raises(WrongTypeError) as halves:
        Limit(nodes=2.5)
    assert (halves.value.key, halves.value.values) == (
        "error.takes_whole",
        {"name": "nodes", "given": "2.5"},
    )
    with pytest.raises(WrongTypeError) as unlimited:
        limit_within(long, 1, 2)
    assert unlimited.value.values == {"given": repr(long)[:80]}
    assert limit_within(Limit(5, 9), 3, 20) == Limit(3, 9)
    assert type(Limit(nodes=1e6).nodes) is int and type(Limit(2).seconds) is int
