"""What is proved and what is guessed: different types and signs, and what follows from them."""

import json
from math import inf

import pytest

import papan
from papan.core import Analysis, Guess, Proved, Share, Value
from papan.core.analysis import value_from_event

WRITTEN = {
    "= +2": Proved(2, 2),
    "\u2265 +1": Proved(low=1),
    "\u2264 0": Proved(high=0),
    "\u22121 \u2026 +1": Proved(-1, 1),
    "\u2248 +0.3": Guess(0.3),
    "\u2272 \u22120.29": Guess(-0.29, pruned=True),
    "37%": Share(0.37),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_u06_each_kind_of_value_has_its_own_sign(text: str) -> None:
    assert str(WRITTEN[text]) == text


def test_u06_no_two_kinds_look_alike() -> None:
    assert len({value.kind for value in WRITTEN.values()}) == len(WRITTEN)
    assert {str(value)[0] for value in WRITTEN.values() if value.proof}.isdisjoint(
        str(value)[0] for value in WRITTEN.values() if not value.proof
    )


@pytest.mark.parametrize("value", WRITTEN.values(), ids=str)
def test_what_an_event_tells_of_a_value_reads_back(value: Value) -> None:
    assert value_from_event({"m": "a1", "n": 3, **value.json()}) == value


def test_proofs_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(AssertionError, match="proved to be 2 or more and 1 or less"):
        Proved(2, 1)


@pytest.mark.parametrize(
    ("analysis", "exact", "value", "bounds"),
    [
        (Analysis((0,)), False, None, None),
        (Analysis((0,), 0.5), False, 0.5, None),
        (Analysis((0,), proved=Proved(2, 2)), True, 2, (2, 2)),
        (Analysis((0,), 7, Proved(2, 2)), True, 2, (2, 2)),
        (Analysis((0,), 7, Proved(-2, 2)), False, 2, (-2, 2)),
        (Analysis((0,), -7, Proved(-2, 2)), False, -2, (-2, 2)),
        (Analysis((0,), 0.5, Proved(low=1)), False, 1, (1, inf)),
        (Analysis((0,), proved=Proved(high=1)), False, None, (-inf, 1)),
    ],
    ids=str,
)
def test_an_analysis_is_exact_just_where_the_ends_of_what_it_proved_meet(
    analysis: Analysis, exact: bool, value: float | None, bounds: tuple[float, float] | None
) -> None:
    assert (analysis.exact, analysis.value, analysis.bounds) == (exact, value, bounds)


def test_only_moves_that_are_proved_best_are_called_best() -> None:
    values: dict[int, Value] = {4: Proved(high=2), 0: Proved(2, 2), 1: Guess(2), 3: Proved(2, 2)}
    assert Analysis((3,), proved=Proved(2, 2), values=values).best == (3, 0)
    assert Analysis((1,), proved=Proved(2, 2), values=values).best == (0, 3)
    assert Analysis((1,), proved=Proved(2, 2)).best == ()
    assert Analysis((1,), 2, Proved(1, 2), values).best == (1,)


def test_the_worth_of_an_analysis_says_how_sure_it_is() -> None:
    assert str(Analysis((3,), 0.5)) == "3 (\u2248 +0.5)"
    assert str(Analysis((3,), proved=Proved(1, 1))) == "3 (= +1)"
    assert str(Analysis((3,), proved=Proved(-1, 0))) == "3 (\u22121 \u2026 0)"
    assert str(Analysis((3,))) == "3"


def test_v01_adjacency_never_calls_a_guess_a_bound() -> None:
    position = papan.position("adjacency:6,6,10")
    analysis = papan.solve(position, nodes=3_000)
    guesses = [value for value in analysis.values.values() if not isinstance(value, Proved)]
    assert len(guesses) == len(analysis.values) > 1
    assert {value.kind for value in guesses} == {"estimate", "pruned"}
    assert all(abs(value.number) < 36 for value in guesses)


def test_an_analysis_has_one_json_form_with_moves_by_name_and_no_infinite_numbers() -> None:
    position = papan.position("tictactoe xx./oo./... x")
    found = papan.solve(position).json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert (found["position"], found["turn"], found["move"]) == (str(position), 0, "c1")
    assert (found["value"], found["exact"], found["bounds"]) == (1, True, [1, 1])
    assert {"m": "c1", "v": 1, "k": "exact"}.items() <= found["moves"][0].items()
    half = Analysis((2,), 0.5, Proved(high=1), {2: Guess(0.5)}, position=position).json()
    assert (half["value"], half["bounds"], half["best"]) == (0.5, [None, 1], ["c1"])


def test_y7_the_best_moves_are_all_only_where_each_other_is_proved_worse() -> None:
    position = papan.position("tictactoe:3,3,3 xo./ox./xo. x")
    last, *others = position.moves()
    best = Proved(-1, -1)

    def complete(others_at_most: float) -> bool:
        values = {last: best, **dict.fromkeys(others, Proved(high=others_at_most))}
        return Analysis((last,), proved=best, values=values, position=position).best_complete

    assert complete(-2)
    assert not complete(-1), "they may be as good"


def test_y7_the_moves_of_an_analysis_come_from_the_best_on() -> None:
    values: dict[int, Value] = {0: Proved(-1, -1), 4: Proved(1, 1), 8: Proved(0, 0)}
    found = Analysis((4,), values=values, position=papan.position("tictactoe"))
    assert list(found.moves) == ["b2", "c3", "a1"]
