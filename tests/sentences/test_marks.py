"""Every sentence about a move of Adjacency is true."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from papan import catalog
from papan.core import Analysis, Guess, Proved
from papan.core.message import text_of
from papan.core.reasons import Mistake, deeds, fault, reason, with_people
from tests.sentences.boards import Marks
from tests.sentences.marks import marks_said
from tests.sentences.truth import keys_of_deeds, positions_by_chance


def test_e3_marks_beside_empty_cells_are_those_of_the_player() -> None:
    position = catalog.position("adjacency:4,4,4 ..oo/..oo/xoo./xxo. x")
    found = {each.message.key: each for each in deeds(position, position.legal_move("a2"))}
    values = found["adjacency.reason_fewest_exposed"].message.values
    said = text_of("adjacency.reason_fewest_exposed", "en", player="Ani", rival="Budi", **values)
    assert said.startswith("After a2, Ani has 1 mark beside empty cells, fewer than after any")


@pytest.mark.parametrize(("spec", "count"), [("adjacency:4,4,4", 40), ("adjacency:4,5,6", 30)])
def test_y7_every_reason_that_the_board_gives_is_told_and_no_other(spec: str, count: int) -> None:
    for position, move in positions_by_chance(spec, count):
        found = keys_of_deeds(position, move)
        sentence = f"{position}, {position.game.move_name(move)}"
        assert len(set(found)) == len(found), sentence
        assert set(found) == marks_said(position, move), sentence


@pytest.mark.parametrize(
    "text", ["adjacency:4,5,6 x..oo/...oo/xx.../xx..x o", "adjacency:4,4,4 .o../x.../xxo./xxx. o"]
)
def test_y7_a_mistake_in_marks_is_told_by_the_first_thing_that_is_worse(text: str) -> None:
    position = catalog.position(text)
    before, names = Marks(position), position.move_names()
    found = Counter[str]()

    def after(name: str) -> tuple[int, int, int]:
        """What the answer turns, what the move turns, and how many own marks it leaves exposed."""
        there = Marks(position.after(name))
        cells = [each for each, mark in there.marks.items() if mark == "."]
        own = [each for each, mark in there.marks.items() if mark == before.mover]
        exposed = sum(not there.for_good(each) for each in own)
        return max(len(there.turned(each)) for each in cells), len(before.turned(name)), exposed

    seen = {name: after(name) for name in names}
    ends = Proved.exactly(-4), Proved.exactly(2)
    for wrong, right in permutations(names, 2):
        moves = [position.legal_move(name) for name in (wrong, right)]
        said = fault(Mistake(position, moves[0], (moves[1],), (), ends[1], ends[0]))
        assert said is not None
        (given, now, open_now), (left, instead, fewer) = seen[wrong], seen[right]
        marks, turned = 8 + 2 * int(text.split()[0].split(",")[2]), {"marks": now}
        facts: dict[str, int]
        greedy = {"exposed_more": "greedy_exposed", "ends_with": "greedy_ends"}
        if given > left:
            key, none, facts = "gave_frontier", not left, {"marks": given, "fewer": left}
            reply = Marks(position.after(wrong)).turned(str(said.values["reply"]))
            assert len(reply) == given
        elif now < instead:
            key, none, facts = "turned_fewer", not now, turned | {"instead": instead}
        elif open_now > fewer:
            key, none = "exposed_more", not fewer
            facts = {"exposed": open_now, "fewer": fewer}
        else:
            key, none, facts = "ends_with", False, {"ended": marks // 2 - 2, "best": marks // 2 + 1}
        if now > instead and key in greedy:
            key, facts = greedy[key], facts | turned
        assert said.key == f"adjacency.{key}{none * '_nothing'}", (wrong, right)
        assert facts.items() <= said.values.items(), (wrong, right)
        found[said.key.removesuffix("_nothing")] += 1
    assert len(found) >= 4, found


def test_a_mistake_in_marks_that_is_not_proved_is_called_greedy_without_a_reason() -> None:
    position = catalog.position("adjacency:4,4,4 x.oo/x.oo/xx../xx.o o")
    moves = {name: position.legal_move(name) for name in position.move_names()}
    said = {
        with_people(each, {"player": "you", "rival": "Kancil"}).text()
        for one, other in permutations(moves.values(), 2)
        if (each := fault(Mistake(position, one, (other,), ()))) and "too_greedy" in each.key
    }
    assert said == {
        "You were greedy: b1 turns 1 mark at once, d3 turns none.",
        "You were greedy: b2 turns 2 marks at once, c3 turns 1.",
    }


def test_what_follows_is_told_from_a_gain_of_three_points_on() -> None:
    position = catalog.position("adjacency:5,5,8 ...oo/.x.oo/...../xx.o./xx..x o")
    move, reply = position.legal_move("d5"), position.legal_move("d3")
    there, follows = position.after([move, reply]), dict[float, set[bool]]()
    for following in there.moves():
        own, own_before = (each.scores()[1] for each in (there.child(following), there))
        analysis = Analysis((move, reply, following), 0.0, values={move: Guess(0.0)})
        clauses = reason(position, move, analysis).clauses
        kinds = {each.kind for each in clauses}
        follows.setdefault(own - own_before, set()).add("then" in kinds)
    assert follows == {1: {False}, 2: {False}, 3: {True}}
