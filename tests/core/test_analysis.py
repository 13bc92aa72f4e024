"""What is proved and what is guessed: different types and signs, and what follows from them."""

import json
from dataclasses import replace
from math import inf, nan

import pytest

import papan
from papan.core import Analysis, Guess, Message, Proved, Share, Value
from papan.core.analysis import value_from_event
from papan.core.game import reachable

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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Proved(), "\u2264 +\u221e"),
        (Proved(inf, inf), "\u2264 +\u221e"),
        (Guess(inf), "\u2248 ?"),
        (Guess(-inf, pruned=True), "\u2272 ?"),
        (Guess(nan), "\u2248 ?"),
        (Share(nan), "?"),
    ],
    ids=str,
)
def test_what_is_not_finite_reads_back_as_unknown(value: Value, text: str) -> None:
    """JSON has no such number: an event has null."""
    event = json.loads(json.dumps(value.json()))
    assert event["v"] is None
    assert str(value_from_event(event)) == text
    assert value_from_event({"v": 1, "k": "between", "to": None}) == Proved(low=1)


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


def test_y7_the_best_moves_are_complete_only_where_all_others_are_proved_to_be_worse() -> None:
    position = papan.position("tictactoe xo./xo./... x")
    won, lost = Proved.exactly(1), Proved.exactly(-1)
    moves = position.moves()
    values: dict[int, Value] = {moves[0]: lost, **dict.fromkeys(moves[1:], won)}
    found = Analysis((moves[-1],), proved=won, values=values, position=position)
    assert found.best == (moves[-1], *moves[1:-1]) and found.best_complete
    for doubt in (Proved(-1, 1), Guess(-1)):
        other = {**values, moves[0]: doubt}
        assert not replace(found, values=other).best_complete
    missing = {move: value for move, value in values.items() if move != moves[0]}
    assert not replace(found, values=missing).best_complete
    assert not replace(found, position=None).best_complete
    assert not replace(found, proved=Proved(0, 1)).best_complete


def test_y7_messages_in_the_facts_of_an_analysis_are_data_in_its_json() -> None:
    said = Message("end.draw")
    position = papan.position("tictactoe")
    facts = {"one": said, "some": [said, (1, said)], "plain": {"n": 1}}
    data = Analysis((0,), facts=facts, position=position).json()["facts"]
    assert data == {"one": said.json(), "some": [said.json(), [1, said.json()]], "plain": {"n": 1}}


def test_y7_an_illegal_move_is_named_however_it_was_given() -> None:
    position = papan.position("tictactoe x../.../... o")
    for given in (0, "a1"):
        with pytest.raises(papan.IllegalMoveError) as refused:
            position.play(given)
        facts = refused.value.values
        assert (facts["move"], facts["legal"]) == ("a1", "b1 c1 a2 b2 c2 a3 b3 c3")
    over = papan.position("tictactoe xxx/oo./... o")
    for given in (5, "c2"):
        with pytest.raises(papan.IllegalMoveError) as refused:
            over.play(given)
        assert (refused.value.key, refused.value.values["move"]) == ("error.game_over", "c2")


def test_y7_every_position_that_is_not_over_is_reached_once_ply_by_ply() -> None:
    found = list(reachable(papan.position("dots:1,1")))
    assert len(found) == len(set(found)) == 15
    plies = [4 - len(position.moves()) for position in found]
    assert plies == sorted(plies) and [plies.count(ply) for ply in range(4)] == [1, 4, 6, 4]


def test_the_facts_of_an_analysis_are_data_to_the_last_key() -> None:
    position = papan.position("tictactoe xx./oo./... x")
    values: dict[int, Value] = {2: Proved.exactly(1, nodes=7, line=()), 5: Guess(-0.5, line=(2,))}
    found = Analysis(
        (2,), proved=Proved(1, 1), values=values, distance=1, verdict=Message("end.win"),
        notes=(Message("end.draw"),), why="exact", nodes=9, seconds=0.12345678, position=position,
    )  # fmt: skip
    assert found.json() == {
        "position": "tictactoe:3,3,3 xx./oo./... x",
        "value": 1,
        "exact": True,
        "best": ["c1"],
        "line": ["c1"],
        "nodes": 9,
        "seconds": 0.123457,
        "distance": 1,
        "turn": 0,
        "move": "c1",
        "bounds": [1, 1],
        "facts": {},
        "verdict": Message("end.win").json(),
        "notes": [Message("end.draw").json()],
        "moves": [
            {"m": "c1", "v": 1, "k": "exact", "n": 7, "pv": ["c1"]},
            {"m": "c2", "v": -0.5, "k": "estimate", "n": 0, "pv": ["c2", "c1"]},
        ],
        "why": "exact",
        "best_complete": False,
    }


def test_only_a_shipped_proof_with_several_best_moves_leaves_a_choice() -> None:
    proved, two = Proved.exactly(1), dict.fromkeys((0, 1), Proved.exactly(1))
    choices = [
        Analysis((0,), proved=proved, values=values, facts=facts).leaves_choice
        for values in (two, {0: proved})
        for facts in ({"proof": "board"}, {})
    ]
    assert choices == [True, False, False, False]
    assert proved == Proved(1, 1) and Proved.exactly(2, 3, (4,)) == Proved(2, 2, nodes=3, line=(4,))
