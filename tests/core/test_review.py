"""The review of a game: every kind of sentence has a position, checked by the solver."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from random import Random
from typing import Any, ClassVar

import pytest

from papan import api, catalog
from papan.core import Agent, Analysis, Game, Limit, Position, Proved, Record, Thinking, margin
from papan.core.message import LANGUAGES, Message, catalogue, text_of
from papan.core.numbers import Number
from papan.core.parts import Coach, Support
from papan.core.reasons import deeds, with_people
from papan.core.review import Review
from papan.core.reviewer import LEAST, Reviewer, Verdict, proof_by_rules

MISTAKES = {
    # what the rules alone show
    "review.missed_win": ("tictactoe:3,3,3 oxo/xx./.o. x", "c3"),
    "review.not_blocked": ("connect4:4,5 xx.x./oo.o./oxxxo/oxxoo x", "5"),
    "review.allowed_win": ("connect4:4,5 o..../o.x../xxoxo/xooxx o", "4"),
    "review.missed_double": ("tictactoe:3,3,3 oxo/.../x.. x", "c3"),
    "review.allowed_double": ("tictactoe:3,3,3 .xo/.../x.. o", "a1"),
    "review.missed_stacked": ("connect4:4,5 ...x./o..oo/x..xx/xxooo x", "5"),
    "review.allowed_stacked": ("connect4:4,5 ...x./...oo/x..xx/xxooo o", "1"),
    "review.missed_squeeze": ("connect4:4,4 ..ox/o.ox/x.xo/xoox x", "2"),
    "review.allowed_squeeze": ("connect4:4,4 oo../xx.o/oo.x/xxxo x", "3"),
    # wins that are proved
    "review.missed_line": ("tictactoe:3,3,3 o../x../x.. o", "c2"),
    "review.allowed_line": ("tictactoe:3,3,3 .o./..x/x.. o", "c1"),
    # what a game adds
    "lines.gave_more": ("connect4:4,4 ..../...o/..xo/xxox o", "2"),
    "lines.filled_less": ("connect4:4,4 ..../...o/x..o/oxxx o", "3"),
    "lines.closed_less": ("connect4:4,4 ..../..../x.o./ooxx x", "4"),
    "lines.open_less": ("connect4:4,4 ..../o.../x..x/oxxo o", "2"),
    "dots.left_boxes": ("dots:2,2 111011111110 1 2-0", "c2c3"),
    "dots.gave_boxes": ("dots:2,2 010111100011 1 1-0", "a2a3"),
    "dots.opened_long_chain": ("dots:2,2 100110100101 1 0-0", "b3c3"),
    "dots.opened_longer": ("dots:2,2 101110001110 1 0-1", "b1c1"),
    "dots.refused_double_cross": ("dots:3,3 011100110011010111011010 2 0-1", "b3b4"),
    "dots.lost_control": ("dots:3,3 100000100101011011011100 1 0-1", "d3d4"),
    "dots.refused_turn": ("dots:3,3 100111001001101000111111 1 0-2", "b1b2"),
    "dots.opened_more": ("dots:3,3 110110101111001111010011 1 2-0", "a3a4"),
    "dots.allowed_double_cross": ("dots:3,3 011000001110001011101001 2 0-0", "b3c3"),
    "dots.ran_out": ("dots:2,2 010000010010 2 0-0", "c2c3"),
    "dots.takes_next": ("dots:2,2 100001001001 1 0-0", "a1a2"),
    "dots.fewer_boxes": ("dots:2,2 100010010000 2 0-0", "c1c2"),
    "adjacency.exposed_more": ("adjacency:4,4,4 x.oo/.oox/xoxo/xxx. o", "b1"),
    "adjacency.ends_with": ("adjacency:4,4,3 ..oo/.xxo/xxx./xx.o o", "d3"),
    "adjacency.gave_frontier": ("adjacency:4,4,4 xxoo/x.oo/xoo./xoox x", "d3"),
    "adjacency.gave_frontier_nothing": ("adjacency:4,4,4 .xxo/x.xo/xxx./xooo o", "a1"),
    "adjacency.greedy_exposed": ("adjacency:4,4,4 x.oo/x.oo/xx.o/xoo. x", "c3"),
    "adjacency.greedy_ends": ("adjacency:4,4,4 ..oo/.oox/xo.x/xx.x o", "c3"),
    "adjacency.turned_fewer_nothing": ("adjacency:4,4,4 xxxo/o.oo/ox../xx.. o", "d3"),
    "adjacency.turned_fewer": ("adjacency:4,4,4 x.oo/xxxx/xx.o/xooo x", "b1"),
    "onet.wrong_pair": ("onet:4,4,kinds=3,seed=973 0,3,0,0/0,1,0,3/3,2,0,0/2,3,1,0", "b1d2"),
    "onet.fell_apart": (
        "onet:4,4,kinds=3,seed=133,gravity=down 0,0,0,0/3,0,0,0/2,2,0,0/2,3,2,0",
        "a4c4",
    ),
    # what became of the result
    "review.win_to_draw": ("dots:2,2 111011111110 1 2-0", "c2c3"),
    "review.win_to_loss": ("dots:2,2 111110001111 1 0-1", "a1a2"),
    "review.draw_to_loss": ("tictactoe:3,3,3 oxo/xx./.ox o", "a3"),
    "review.wins_less": ("dots:2,2 010111100011 1 1-0", "a2a3"),
    "review.loses_more": ("dots:2,2 010111100111 2 1-0", "c1c2"),
    "review.could_win_in": ("tictactoe:3,3,3 oxo/.../x.. x", "c3"),
    "review.loses_in": ("tictactoe:3,3,3 .xo/.../x.. o", "a1"),
    "review.uncleared": ("onet:4,4,kinds=3,seed=973 0,3,0,0/0,1,0,3/3,2,0,0/2,3,1,0", "b1d2"),
}
"""For each sentence a position and the move that it is said of."""


@cache
def verdict_on(text: str, name: str) -> Verdict:
    before = catalog.position(text)
    move = before.legal_move(name)
    (verdict,) = api.reviewer([before, before.child(move)], [move], seconds=60).verdicts()
    return verdict


def best(position: Position) -> float:
    """What a position is worth to the first seat, found apart from the review."""
    if position.is_over:
        return margin(position, 0)
    proved = api.solve(position).proved
    return -proved.high if position.turn else proved.high


@pytest.mark.parametrize("key", MISTAKES)
def test_u03_every_reason_is_given_where_the_solver_agrees(key: str) -> None:
    verdict = verdict_on(*MISTAKES[key])
    assert key in [each.key for each in verdict.said], verdict.text()
    position, sign = verdict.position, -1 if verdict.seat else 1
    assert verdict.sure == "exact" and verdict.proved
    values = [best(each) * sign for each in (position, position.child(verdict.move))]
    assert values[0] - values[1] == verdict.lost > 0
    assert all(best(position.child(move)) * sign == values[0] for move in verdict.better)


@pytest.mark.parametrize("key", MISTAKES)
def test_u03_the_refutation_and_the_better_play_can_be_played(key: str) -> None:
    verdict = verdict_on(*MISTAKES[key])
    name = verdict.position.game.move_name
    assert verdict.plan[0] in verdict.better and verdict.move not in verdict.better
    verdict.position.after(" ".join(map(name, verdict.plan)))
    verdict.position.child(verdict.move).after(" ".join(map(name, verdict.refutation)))


def names_of_reviews() -> set[str]:
    """The sentences of reviews, by the rest of their keys."""
    return {key.removeprefix("review.") for key in catalogue("en") if key.startswith("review.")}


def test_u03_every_sentence_of_reviews_has_a_test() -> None:
    by_other_means = {
        "blunder",
        "hidden",
        "line",
        "running",
        "summary",
        "some_guessed",
        "some_open",
    }
    by_other_means |= {
        "better_line",
        "turned",
        "turned_last",
        "turned_guessed",
        "result_kept",
        "costliest",
        "costliest_judged",
        "decided",
        "half_win",
        "half_loss",
    }
    by_other_means |= {"faultless", "faultless_alone", "none_found", "none_by"}
    by_other_means |= {key for key in names_of_reviews() if key.startswith("end_")}
    by_stand_ins = {"guessed", "guessed_better", "at_least"}
    names = names_of_reviews()
    tested = {key.removeprefix("review.") for key in MISTAKES if key.startswith("review.")}
    assert names == tested | by_other_means | by_stand_ins
    taught = {key for kind in catalog.GAMES.values() for key in Coach.class_for(kind).lesson_steps}
    unproved = {f"adjacency.{each}" for each in ("too_greedy", "too_greedy_nothing")}
    rare = {"adjacency.greedy_exposed_nothing"}  # all own marks out of reach before the end
    assert taught <= {*MISTAKES} | unproved | rare


def test_u03_the_text_says_who_did_what_in_both_languages() -> None:
    verdict = verdict_on("connect4:4,5 xx.x./oo.o./oxxxo/oxxoo x", "5")
    assert verdict.text() == (
        "Player 1 did not block c3. With 3, player 1 would have held the draw; now player 2 wins."
    )
    assert verdict.text("id") == (
        "Pemain 1 tidak menutup c3. Dengan 3, pemain 1 masih bisa seri; sekarang pemain 2 menang."
    )
    for key in MISTAKES:
        for language in LANGUAGES:
            assert "{" not in verdict_on(*MISTAKES[key]).text(language)


@pytest.mark.parametrize(
    "key", ["review.allowed_line", "review.loses_in", "review.missed_line", "because.win"]
)
def test_ones_own_moves_are_ones_own_in_both_languages(key: str) -> None:
    facts = {"moves": 3, "plies": 5, "line": "a1, a3, a2", "move": "b1"}
    own = {"en": "3 of your", "id": "langkah Anda sendiri|kemenangan dalam 3 langkah sendiri"}
    for language, you in (("en", "you"), ("id", "Anda")):
        said = text_of(key, language, player=you, rival=you, **facts)
        assert re.search(own[language], said), said
        other = text_of(key, language, player="Kancil", rival="Kancil", **facts)
        assert "your" not in other and "Anda" not in other


def test_u03_a_blunder_and_a_slip_are_told_apart() -> None:
    assert verdict_on("connect4:4,5 o..../o.x../xxoxo/xooxx o", "4").obvious
    assert not verdict_on("dots:3,3 100000100101011011011100 1 0-1", "d3d4").obvious


@dataclass
class Oracle(Agent):
    """Says of a position what it was told to, and else that it is even."""

    said: Mapping[str, tuple[float | None, Proved]]
    name = "oracle"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        guess, proved = self.said.get(str(position), (0.0, Proved()))
        return Analysis(tuple(position.moves()[:1]), guess, proved)


def verdict_if(text: str, name: str, guess: float | None, proved: Proved) -> Verdict:
    """The verdict on a move after which the rival is told to stand so."""
    before = catalog.position(text)
    move = before.legal_move(name)
    after = before.child(move)
    oracle = Oracle({str(after): (guess, proved)})
    (verdict,) = Reviewer([before, after], [move], oracle, oracle, oracle).verdicts()
    return verdict


@pytest.mark.parametrize(
    ("game", "move", "guess", "key"),
    [("dots", "b1c1", 3.0, "review.guessed"), ("connect4", "7", 0.8, "review.guessed_better")],
)
def test_u03_what_is_not_proved_is_said_to_be_a_guess(
    game: str, move: str, guess: float, key: str
) -> None:
    verdict = verdict_if(game, move, guess, Proved())
    assert [verdict.sure, verdict.kind, verdict.lost] == ["estimate", "changed", guess]
    assert [each.key for each in verdict.said] == [key] and not verdict.proved


def test_u03_a_guess_that_hardly_differs_is_no_mistake() -> None:
    assert verdict_if("dots", "b1c1", 1.0, Proved()).kind == "optimal"


@pytest.mark.parametrize(
    ("was", "becomes", "kind", "lost", "last"),
    [
        (Proved(5, 9), Proved(-3, -1), "lost", 2, "review.at_least"),
        (Proved(1, 9), Proved(3, 9), "changed", 4, "review.win_to_loss"),  # more cannot be lost
    ],
    ids=["points", "result"],
)
def test_u03_bounds_prove_at_least_so_much(
    was: Proved, becomes: Proved, kind: str, lost: float, last: str
) -> None:
    """What a move loses of *was*; what it *becomes* is seen by the other seat."""
    before = catalog.position("dots")
    move = before.legal_move("b1c1")
    after = before.child(move)
    oracle = Oracle({str(before): (None, was), str(after): (None, becomes)})
    (verdict,) = Reviewer([before, after], [move], oracle, oracle, oracle).verdicts()
    assert (verdict.sure, verdict.kind, verdict.lost) == ("lower", kind, lost)
    assert verdict.said[-1].key == last


def test_t07_a_short_look_is_counted_not_timed() -> None:
    """So a mistake is a blunder or a slip however busy the machine is."""
    granted = list[Limit]()

    class Shallow(Oracle):
        def decide(self, position: Position, thinking: Thinking) -> Analysis:
            granted.append(thinking.limit)
            return super().decide(position, thinking)

    before = catalog.position("dots")
    move = before.legal_move("b1c1")
    oracle = Oracle({str(before.child(move)): (3.0, Proved())})
    judges = oracle, oracle, Shallow({})
    (verdict,) = Reviewer([before, before.child(move)], [move], *judges).verdicts()
    assert verdict.wrong and granted
    assert all(limit.seconds == inf > limit.nodes for limit in granted)


def test_u03_what_nobody_knows_stays_open_and_costs_no_accuracy() -> None:
    verdict = verdict_if("dots", "b1c1", None, Proved())
    assert verdict.kind == "open" and not verdict.said
    assert Review((verdict,)).counts(0)["judged"] == 0


def test_y7_a_move_that_nobody_judged_is_not_among_the_best() -> None:
    verdict = verdict_if("dots", "b1c1", None, Proved())
    review = Review((verdict, replace(verdict, kind="optimal")))
    assert review.counts(0) | {"moves": 2, "judged": 1, "best": 1} == review.counts(0)
    assert "1 of 1 move cost nothing" in str(review)


@pytest.mark.parametrize("key", ["review.could_win_in", "review.loses_in"])
def test_y7_a_review_counts_the_moves_of_the_winner_alone(key: str) -> None:
    verdict = verdict_on(*MISTAKES[key])
    wins_by = verdict.plan if key == "review.could_win_in" else verdict.refutation
    (said,) = (each for each in verdict.said if each.key == key)
    assert said.values["moves"] == len(wins_by[::2]) == 2
    assert said.values["plies"] == len(wins_by) == 3  # E9: both units


@pytest.mark.parametrize("spec", ["tictactoe", "dots:3,3", "adjacency:5,5,8", "connect4:4,5"])
def test_u03_one_table_for_a_whole_game_proves_the_same_with_less_work(spec: str) -> None:
    game, luck = catalog.game(spec), Random(3)
    positions = [game.start()]
    while not positions[-1].is_over:
        positions.append(positions[-1].child(luck.choice(positions[-1].moves())))
    positions = positions[-12:-1]
    kept, nodes = Support.of(game).solver(reuse=True), [0, 0]
    assert kept is not None
    for position in reversed(positions):
        slow = api.solve(position)
        for each in (slow, fast := kept.analyse(position)):
            assert each.exact and each.line[0] in slow.best
            position.after(" ".join(map(game.move_name, each.line)))
        assert (fast.proved, fast.distance) == (slow.proved, slow.distance)
        assert {*fast.best} == {*slow.best}
        nodes = [nodes[0] + slow.nodes, nodes[1] + fast.nodes]
    assert nodes[1] < nodes[0]


SMALL = ("tictactoe", "dots:2,2", "adjacency:4,4,2", "connect4:4,4", "onet:2,4,seed=3")


@pytest.mark.parametrize("spec", SMALL)
def test_u03_every_move_of_a_game_is_judged_as_the_solver_would(spec: str) -> None:
    game = catalog.game(spec)
    positions, moves = [game.start()], []
    while not positions[-1].is_over:
        moves.append(positions[-1].moves()[0])
        positions.append(positions[-1].child(moves[-1]))
    verdicts = [*api.reviewer(positions, moves, seconds=60).verdicts()]
    assert [each.ply for each in verdicts] == [*reversed(range(len(moves)))]
    for each in verdicts:
        sign = -1 if each.seat and game.seats == 2 else 1
        values = [best(positions[ply]) * sign for ply in (each.ply, each.ply + 1)]
        if each.kind != "open":
            assert each.lost == values[0] - values[1]


def test_u03_a_record_is_reviewed_in_words() -> None:
    session = api.session("tictactoe")
    for name in ("b2", "a1", "c1", "b1", "a3"):
        session.play(name)
    heard: list[Verdict] = []
    found = api.review(session.record(), 60, on_verdict=heard.append)
    assert [each.ply for each in heard] == [4, 3, 2, 1, 0]
    assert [each.name for each in found.mistakes] == ["b1"]
    lines, plan = str(found).splitlines(), found.verdicts[3].plan
    assert lines == [
        "Move 4 changed the result: b1, by player 2.",
        "4. b1 ?? Blunder. Player 2 did not block a3. "
        "With a3, player 2 would have held the draw; now player 1 wins.",
        "    Shown by: a3 \u2192 Player 1 wins here.",
        f"    Better: {' '.join(map(found.verdicts[0].position.game.move_name, plan))} "
        "\u2192 It ends in a draw.",
        "Player 1: 3 of 3 moves cost nothing, 0 blunders, 0 hidden mistakes.",
        "Player 2: 1 of 2 moves cost nothing, 1 blunder, 0 hidden mistakes.",
    ]


@pytest.mark.parametrize(
    ("agents", "names", "said"),
    [
        (("level:1,seed=7", "human"), (), "You did not block a3. With a3, you would have held"),
        (("level:1,seed=7", "human"), (), "held the draw; now Kukang wins."),
        (("human", "alphabeta:depth=2"), (), "Alpha-beta did not block a3."),
        (("human", "alphabeta:depth=2"), (), "held the draw; now you win."),
        (("human", "human"), ("Ani", "Budi"), "Budi did not block a3."),
        (("human", "human"), ("", ""), "Player 2 did not block a3."),
        (("random", "random:seed=1"), (), "Player 2 did not block a3."),
    ],
)
def test_u03_a_review_speaks_to_you_and_names_the_opponent(
    agents: tuple[str, str], names: tuple[str, str] | tuple[()], said: str
) -> None:
    session = api.session("tictactoe")
    for name in ("b2", "a1", "c1", "b1", "a3"):
        session.play(name)
    record = replace(session.record(), agents=agents, names=names)
    verdict = verdict_on("tictactoe:3,3,3 o.x/.x./... o", "b1")
    found = Review((verdict,), record)
    assert said in str(found)
    assert all("{" not in line for line in found.lines("id"))


def test_u03_a_game_without_moves_has_an_empty_review() -> None:
    assert api.review(api.session("tictactoe").record()).verdicts == ()


@pytest.mark.parametrize(
    ("start", "moves", "move", "said"),
    [
        ("connect4", "1 1 2 2 3 3", "4", "4 wins: the row a1-d1."),
        ("connect4", "4 4 5 4 6", "7", "7 blocks the row d1-g1, but B still wins at c1."),
        ("connect4", "4 4 5 4", "6", "6 makes two threats, c1 and g1: B can stop only one."),
        ("connect4", "4 1 4 1", "4", "4 makes three on the column d1-d4: B must answer 4."),
        ("connect4", "", "1", "a1 lies on 3 lines that A can still complete."),
        ("dots:1,2", "a1b1 a1a2 a2b2", "b1b2", "b1b2 takes 1 box and A moves again."),
        (
            "dots:1,3",
            "a1b1 a2b2 b1c1 b2c2 c1d1",
            "a1a2",
            "a1a2 gives 2 boxes away, although 2 safe lines are left, c2d2 for instance.",
        ),
        ("dots:2,2", "", "a1b1", "a1b1 gives nothing away; 11 safe lines are left."),
        ("adjacency:4,4,2", "", "c3", "c3 turns 1 mark."),
        ("onet:2,3 1,2,1/2,3,3", "", "a1c1", "Taking a1c1 (cherries) frees b1, a2: 1 new pair."),
    ],
)
def test_u24_what_a_move_does_is_seen_by_the_rules(
    start: str, moves: str, move: str, said: str
) -> None:
    position = catalog.position(start).after(moves)
    found = deeds(position, position.game.parse_move(move))
    sentence = str(with_people(found[0].message, {"player": "A", "rival": "B"})) if found else ""
    assert sentence == said


@pytest.mark.thorough
def test_z9_a_review_takes_few_more_nodes_than_it_was_given() -> None:
    start, luck = catalog.position("dots:5,5"), Random(5)
    positions, moves = [start], list[int]()
    while not positions[-1].is_over:
        moves.append(luck.choice(positions[-1].moves()))
        positions.append(positions[-1].child(moves[-1]))
    reviewer = api.reviewer(positions, moves, seconds=0.1)
    assert len([*reviewer.verdicts()]) == len(moves)
    assert reviewer.nodes > -6 * LEAST * len(moves)


@pytest.mark.parametrize(
    ("larger", "smaller"), [("dots:25,25", "dots:5,5"), ("onet:16,30", "onet")]
)
def test_z23_a_second_is_fewer_nodes_where_each_takes_longer(larger: str, smaller: str) -> None:
    """The review of ten moves on 10x10 boxes took more than a minute."""
    starts = [catalog.position(each) for each in (larger, smaller, "connect4")]
    large, small, usual = (api.reviewer([start], []) for start in starts)
    assert large.nodes < small.nodes / 10
    assert small.nodes <= usual.nodes
    assert large._least < small._least <= usual._least == LEAST


def played(spec: str, moves: str, agents: tuple[str, ...] = ("human", "level:3")) -> Record:
    """The record of a game."""
    session = api.session(spec)
    for name in moves.split():
        session.play(name)
    return replace(session.record(), agents=agents)


def test_y7_the_value_of_every_position_is_that_of_the_first_seat() -> None:
    start = catalog.position("tictactoe:3,3,3")
    session = api.session(start)
    for move in ("b2", "b1", "a1", "c3", "a2", "c2", "a3"):  # b1 gives the game away
        session.play(move)
    for verdict in api.review(session.record()).verdicts:
        exact = api.solve(verdict.position).proved
        assert verdict.proved and exact.exact
        assert verdict.value == (-exact.low if verdict.position.turn else exact.low)


def test_e8_what_the_rules_prove_is_not_called_an_estimate() -> None:
    """1 wins at once there; the engine's estimate said so too, and the review called it a guess."""
    position = catalog.position("connect4:7,10").after("1 10 1 10 1 10")
    move = position.legal_move("5")
    (verdict,) = api.reviewer([position, position.child(move)], [move], seconds=1).verdicts()
    assert [each.key for each in verdict.said][:1] == ["review.missed_win"]
    assert not any(each.key.startswith("review.guessed") for each in verdict.said)
    assert "1" in verdict.text()  # E13: a move is called by its column


def test_e9_a_win_is_counted_in_moves_of_the_winner_and_in_plies() -> None:
    said = Message("review.missed_line", {"moves": 3, "plies": 5, "line": "b2, c3, a1"})
    assert "in 3 of your moves (5 plies)" in said_to_you(said, "en")
    assert "3 langkah sendiri (5 ply)" in said_to_you(said, "id")
    for language, unit in (("en", "plies"), ("id", "ply")):
        for key in ("analyse.distance_win", "web.win_in", "web.loss_in", "review.loses_in"):
            assert f"5 {unit})" in said_to_you(Message(key, said.values), language), key


@dataclass(frozen=True)
class Poison(Game):
    """Take one or two of a pile; whoever takes the last one loses."""

    left: int = 4
    name: ClassVar[str] = "poison"
    fields: ClassVar[tuple[str, ...]] = ("left", "turn")
    move_count: ClassVar[int] = 2
    largest_margin: ClassVar[float] = 1

    def start(self) -> Pile:
        return Pile(self, self.left)

    def move_name(self, move: int) -> str:
        return str(move + 1)

    def parse_move(self, text: str) -> int:
        return int(text) - 1

    def read(self, fields: Sequence[str]) -> Pile:
        return Pile(self, *map(int, fields))


@dataclass(frozen=True, slots=True, repr=False)
class Pile(Position):
    game: Poison
    left: int
    turn: int = 0

    def moves(self) -> Sequence[int]:
        return range(min(2, self.left))

    def child(self, move: int) -> Pile:
        return Pile(self.game, self.left - move - 1, 1 - self.turn)

    def scores(self) -> tuple[float, ...]:
        return (0, 0) if self.left else (1 - self.turn, self.turn)

    def write(self) -> tuple[str, ...]:
        return str(self.left), str(self.turn)


def test_plies_of_a_win_are_all_of_them_where_the_loser_moves_last() -> None:
    position = Poison(6).start()
    (verdict,) = api.reviewer([position, position.child(0)], [0], seconds=1).verdicts()
    assert "missed a win in 2 of their moves (4 plies): 2, 2." in verdict.text()


def said_to_you(message: Message, language: str) -> str:
    you = Message("seat.alone").text(language)
    return with_people(message, {"player": you, "rival": you}).text(language)


E8 = "5 5 5 5 6 7 4 2 7 1 3"
"""A game of Connect 4 on 7 by 10 in which both players overlook a win in one."""


@pytest.mark.thorough
def test_e8_the_same_game_has_the_same_review_every_time() -> None:
    record = played("connect4:7,10", E8)
    found = [api.review(record, 0.5).json() for _ in range(2)]
    assert found[0] == found[1]


def test_e8_what_the_rules_prove_is_proved() -> None:
    found = api.review(played("connect4:7,10", E8), 0.02)
    verdict = found.verdicts[8]
    assert (verdict.sure, verdict.proved, verdict.kind) == ("half", True, "changed")
    assert verdict.text("en", found.names()) == (
        "You missed a win in one: 3. 3 wins (proved); that 7 is worse is the engine's estimate."
    )
    assert found.verdicts[7].said[-1].key == "review.half_loss"
    assert found.verdicts[7].then_proved and found.verdicts[7].then == 1


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:4,4,3", "connect4:4,4"])
def test_e8_a_proof_by_the_rules_is_what_the_solver_finds(spec: str) -> None:
    luck, kinds = Random(spec), set[int]()
    for _ in range(60):
        position = catalog.game(spec).start()
        while not position.is_over:
            if (found := proof_by_rules(position)) is not None:
                solved = api.solve(position)
                assert (found.proved.low, found.distance) == (solved.value, solved.distance)
                assert position.after(" ".join(map(position.game.move_name, found.line))).is_over
                kinds.add(found.distance or 0)
            position = position.child(luck.choice(position.moves()))
    assert kinds == {1, 2}


def test_e6_a_review_shows_the_last_move_that_changed_the_result() -> None:
    found = api.review(played("tictactoe", "b2 a1 c1 b1 a3"))
    assert found.moment is not None and found.moment.ply == 3
    assert str(found).splitlines()[0] == "Move 4 changed the result: b1, by Kancil."


def test_e6_or_else_the_costliest_move() -> None:
    small = verdict_on("dots:2,2 010111100011 1 1-0", "a2a3")
    assert small.kind == "lost"
    found = Review((small, replace(small, ply=1, lost=small.lost + 2), replace(small, ply=2)))
    assert found.moment is not None and found.moment.ply == 1
    assert str(found).startswith("No move changed the result, and none cost more than move 2: ")


def test_e6_a_win_is_told_with_the_move_from_which_it_was_sure() -> None:
    found = api.review(played("tictactoe", "a1 b1 b2 c3 a3 c1 a2"))
    own = [each for each in found.verdicts if each.seat == 0]
    values = [api.solve(each.position.child(each.move)).value for each in own[:-1]]
    assert values == [0, -1, -1]
    said = str(found).splitlines()[1:3]
    assert said[0] == "You made sure of the win with move 3."
    assert said[1].startswith("b2 ")


def test_e6_a_missed_win_is_not_the_move_that_decided() -> None:
    rows = "..........x..../.........o...../........o....../.......o.o...../....o.o........"
    rows += "/.....x.x......./.....oxxx....../.......x......./.......ox......"
    position = catalog.position(f"tictactoe:15,15,5 {rows}" + 6 * ("/" + 15 * ".") + " x")
    moves = [position.legal_move("j7")]
    after = position.child(moves[0])
    moves += [after.moves()[0]]
    positions = [position, after, after.child(moves[1])]
    won = next(each for each in positions[2].moves() if positions[2].child(each).winner == 0)
    moves += [won]
    found = Review(
        tuple(Verdict(ply, *each, "open") for ply, each in enumerate(zip(positions, moves)))
    )
    assert not [each for _, each in found.story() if each.key == "review.decided"]


def test_e6_of_several_turns_the_last_is_called_the_last() -> None:
    one = verdict_on("tictactoe:3,3,3 oxo/xx./.ox o", "a3")
    assert one.kind == "changed"
    said = str(Review((one, replace(one, ply=2))))
    assert said.startswith("Move 3 was the last to change the result: a3, by player 2.")


def test_e6_no_move_cost_more_where_several_cost_the_same() -> None:
    small = verdict_on("dots:2,2 010111100011 1 1-0", "a2a3")
    said = str(Review((replace(small, ply=1), replace(small, ply=2))))
    assert "none cost more than move 2: a2a3, by player 1." in said


def test_e6_nobody_is_faultless_who_did_not_block() -> None:
    """Player 2 was lost anyway, but everybody sees what it did not block."""
    found = api.review(played("connect4", "4 1 4 1 4 2 4"))
    assert not found.mistakes
    said = str(found)
    assert said.startswith("No move changed the result: with best play you win as well, though")
    assert said.splitlines()[1] == "Kancil did not block d4."


def test_e6_a_turn_that_is_an_estimate_is_called_one() -> None:
    one = verdict_on("tictactoe:3,3,3 oxo/xx./.ox o", "a3")
    unsure = replace(one, ply=2, sure="half")
    said = str(Review((one, unsure)))
    assert said.startswith("By the engine's estimate, move 3 changed the result: a3, by player 2.")
    later = replace(one, ply=4, kind="optimal", sure="estimate")
    said = str(Review((one, replace(one, ply=2), later)))  # the last one that is proved
    assert said.startswith("Move 3 changed the result: a3, by player 2.")


def test_e6_no_change_is_denied_where_a_verdict_is_an_estimate() -> None:
    small = verdict_on("dots:2,2 010111100011 1 1-0", "a2a3")
    said = str(Review((replace(small, kind="optimal", sure="estimate"), replace(small, ply=1))))
    assert said.startswith("As far as was judged, no move changed the result, and none cost more")


def test_e6_a_game_without_mistakes_is_called_so_only_where_that_is_proved() -> None:
    record = played("tictactoe", "b2 a1 c3 a3 a2 c2 b1 b3 c1")
    found = api.review(record)
    assert not found.mistakes
    assert str(found).startswith("Neither player made a mistake")
    guessed = tuple(replace(each, sure="estimate") for each in found.verdicts)
    assert str(Review(guessed, record)).startswith("No mistake was found; not every move")


@pytest.mark.parametrize("key", MISTAKES)
def test_e7_each_line_is_played_to_an_end_that_is_seen(key: str) -> None:
    verdict = verdict_on(*MISTAKES[key])
    assert verdict.ends is not None
    game, seat = verdict.position.game, verdict.seat
    starts = verdict.position.child(verdict.move), verdict.position
    for start, line, end in zip(starts, (verdict.refutation, verdict.plan), verdict.ends):
        last = start
        for move in line:
            last = last.child(move)
        assert last.is_over
        if game.largest_margin == 1:
            won = {None: "draw", seat: "win", 1 - seat: "loss"}[last.winner]
            assert end.key == f"review.end_{won}"
        elif game.seats == 2:
            scores = last.scores()
            more, less = max(scores), min(scores)
            words = f"{'A' if scores[seat] == more else 'B'} wins {more} to {less}."
            if more == less:
                words = f"It ends {more} : {less}."
            assert with_people(end, {"player": "A", "rival": "B"}).text() == words
        else:
            assert end.key == f"review.end_{last.result}"


def test_e7_where_nothing_is_proved_the_end_of_a_line_is_called_an_estimate() -> None:
    found = api.review(played("connect4:7,10", E8), 0.02)
    verdict = found.verdicts[8]
    assert verdict.ends is not None and len(verdict.refutation) >= 2
    assert verdict.ends[0].key.startswith("review.end_guessed_")
    assert verdict.ends[1].key == "review.end_win"


def test_e2_a_review_says_how_many_hints_were_asked_for() -> None:
    record = replace(played("tictactoe", "b2 a1 c1 b1 a3"), hints=(2, 0))
    assert (
        str(api.review(record)).splitlines()[-2].endswith("0 hidden mistakes. Hints asked for: 2.")
    )


@pytest.mark.parametrize("key", [key for key in MISTAKES if "connect4" in MISTAKES[key][0]])
def test_e13_a_move_of_connect_4_is_called_by_its_column(key: str) -> None:
    for message in verdict_on(*MISTAKES[key]).said:
        names = {name: message.values.get(name) for name in ("move", "better", "reply")}
        assert all(str(each).isdigit() for each in names.values() if each is not None), names


def test_y7_a_box_that_lies_there_is_seen_by_everybody() -> None:
    """Who takes it moves again, so its value is not turned round."""
    (*_, verdict) = api.review(played("dots:2,2", "a1b1 b2c2 a1a2 c2c3 b1b2 b2b3")).verdicts
    assert verdict.text() == (
        "Player 2 left 1 box that could be taken. With a2b2, player 2 would have held the draw; "
        "now player 1 wins."
    )
    assert verdict.obvious


def test_y7_only_what_is_estimated_counts_as_guessed() -> None:
    verdicts = api.review(played("tictactoe", "b2 b1 a1 c3")).verdicts
    sure: tuple[Any, ...] = ("exact", "lower", "half", "estimate")
    mine = tuple(replace(verdicts[0], kind="optimal", sure=each) for each in (*sure, "estimate"))
    assert Review(mine).counts(0)["guessed"] == 2


def test_y7_a_review_tells_each_player_of_the_own_hints_alone() -> None:
    record = replace(played("tictactoe", "b2 a1 c1 b1 a3"), hints=(2, 3))
    first, second = str(api.review(record)).splitlines()[-2:]
    assert first.endswith("Hints asked for: 2.")
    assert second.endswith("Hints asked for: 3.")


def searched(
    proofs: Mapping[str, tuple[float | None, Proved]], plies: int, nodes: float
) -> tuple[list[float], list[Verdict]]:
    """The nodes that the solver is granted in a review of so many plies, and the verdicts."""
    granted = list[float]()

    class Granted(Oracle):
        def decide(self, position: Position, thinking: Thinking) -> Analysis:
            granted.append(thinking.limit.nodes)
            return super().decide(position, thinking)

    positions = [catalog.position("dots")]
    moves = [positions[0].moves()[0]] * plies
    for ply in range(plies):
        moves[ply] = positions[-1].moves()[0]
        positions.append(positions[-1].child(moves[ply]))
    answers = {str(positions[int(ply)]): said for ply, said in proofs.items()}
    engine = Oracle(answers)
    reviewer = Reviewer(positions, moves, Granted(answers), engine, engine, nodes)
    return granted, [*reviewer.verdicts()]


def test_each_proof_gets_a_third_of_the_nodes_and_less_once_one_has_failed() -> None:
    even = (None, Proved(0, 0))
    granted, _ = searched({"3": even, "2": even, "1": even, "0": even}, 3, 120_000)
    assert granted == [40_000] * 4
    granted, _ = searched({"3": even}, 3, 120_000)  # then 1 / 4 of a third, of a half, of all
    assert granted == [40_000, 40_000, 15_000, 30_000]
    granted, _ = searched({"3": even}, 3, 9_000)
    assert granted == [3_000, 3_000, 2_000, 2_250]
    granted, _ = searched({}, 1, inf)
    assert granted == [inf, inf]


def judged(solver: Agent | None, engine: Agent, shallow: Agent | None = None) -> Verdict:
    """The verdict on b1c1, the second move, at the start of a game of dots."""
    before = catalog.position("dots")
    move = before.legal_move("b1c1")
    reviewer = Reviewer([before, before.child(move)], [move], solver, engine, shallow or engine)
    (verdict,) = reviewer.verdicts()
    return verdict


AFTER = str(catalog.position("dots").after("b1c1"))
BETTER = str(catalog.position("dots").after("a1b1"))


def test_what_a_solver_has_bounded_bounds_the_estimate() -> None:
    engine = Oracle({AFTER: (5.0, Proved())})
    assert judged(None, engine).then == -5
    bounded = Oracle(
        {AFTER: (None, Proved(-4, 2)), str(catalog.position("dots")): (None, Proved())}
    )
    assert judged(bounded, engine).then == -2
    own = Oracle({AFTER: (1.0, Proved(-4, 2))})
    assert judged(own, engine).then == -1, "its own estimate comes before that of the engine"
    exact = Oracle({AFTER: (None, Proved(1, 1))})
    found = judged(bounded, exact)
    assert (found.then, found.then_proved) == (-1, True), "and a proof of either before all"


@pytest.mark.parametrize(
    ("better", "after", "kind", "lost"),
    [
        (0.0, 1.9, "optimal", 0),
        (0.0, 2.0, "changed", 2),
        (0.0, 1.0, "optimal", 0),
        (-5.0, -2.0, "lost", 3),
        (1.0, 3.0, "changed", 2),
        (1.1, 3.2, "lost", 2.1),
        (-1.0, 3.0, "changed", 4),
        (-1.1, 1.0, "changed", 2.1),
    ],
)
def test_estimates_count_from_two_points_on_and_a_point_is_a_draw(
    better: float, after: float, kind: str, lost: float
) -> None:
    """Of the seat that answers, after the better move and after the one that was made."""
    oracle = Oracle({BETTER: (better, Proved()), AFTER: (after, Proved())})
    verdict = judged(None, oracle)
    assert verdict.kind == kind and verdict.lost == pytest.approx(lost)


@pytest.mark.parametrize(("seen", "obvious"), [(-2.0, True), (-1.99, False)])
def test_a_mistake_is_obvious_if_a_short_look_sees_half_of_it(seen: float, obvious: bool) -> None:
    solver = Oracle({
        str(catalog.position("dots")): (None, Proved(4, 4)), AFTER: (None, Proved(0, 0)),
    })  # fmt: skip
    shallow = Oracle({BETTER: (seen, Proved()), AFTER: (0.0, Proved())})
    verdict = judged(solver, solver, shallow)
    assert (verdict.kind, verdict.sure, verdict.lost) == ("changed", "exact", 4)
    assert verdict.obvious == obvious


@pytest.mark.parametrize(("most", "found"), [(5, True), (4, False)])
def test_the_rules_prove_a_win_where_there_are_not_too_many_moves(
    most: int, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.core.reviewer.MOST_TRIED", most)
    position = catalog.position("tictactoe xx./oo./... x")
    assert len(position.moves()) == 5
    assert (proof_by_rules(position) is not None) == found


@dataclass
class Foresight(Oracle):
    """Expects so many plies, the first legal move at each."""

    plies: int = 1
    name = "foresight"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        found, line = super().decide(position, thinking), list[int]()
        for _ in range(self.plies):
            line.append(position.moves()[0])
            position = position.child(line[-1])
        return replace(found, line=tuple(line))


@pytest.mark.parametrize(("plies", "shown"), [(1, 2), (2, 3), (3, 4), (4, 4), (5, 5)])
def test_a_line_of_an_estimate_goes_on_for_a_search_more_if_it_is_short(
    plies: int, shown: int
) -> None:
    guess = Foresight({AFTER: (4.0, Proved())}, plies)
    verdict = judged(None, guess)
    assert (len(verdict.plan), len(verdict.refutation)) == (shown, shown)
    sure = Foresight({
        str(catalog.position("dots")): (None, Proved(4, 4)), AFTER: (None, Proved(0, 0)),
    }, plies)  # fmt: skip
    verdict = judged(sure, guess)
    assert (len(verdict.plan), len(verdict.refutation)) == (plies, plies), "proved lines stay"


@pytest.mark.parametrize(
    ("guess", "kind", "end"),
    [
        (0.49, "optimal", ""),
        (0.5, "changed", "review.end_guessed_loss"),
        (0.9, "changed", "review.end_guessed_loss"),
    ],
)
def test_where_a_win_is_all_that_counts_half_a_point_is_a_mistake(
    guess: float, kind: str, end: str
) -> None:
    verdict = verdict_if("connect4", "7", guess, Proved())
    assert verdict.kind == kind
    assert [each.key for each in verdict.ends or ()] == (
        [end, "review.end_guessed_draw"] if end else []
    )


def test_lines_that_end_a_game_of_points_tell_the_own_points_and_those_of_the_rival() -> None:
    """Two lines are left: one takes two boxes, the other gives them away."""
    found = verdict_on("dots:2,2 111011111110 1 2-0", "c2c3")
    assert found.ends == (
        Message("review.end_level", {"own": Number(2), "other": Number(2)}),
        Message("review.end_score_win", {"own": Number(4), "other": Number(0)}),
    )
    given = verdict_on("dots:2,2 111011111110 1 0-2", "c2c3")
    assert given.ends == (
        Message("review.end_score_loss", {"own": Number(0), "other": Number(4)}),
        Message("review.end_level", {"own": Number(2), "other": Number(2)}),
    )


def test_the_story_of_a_game_without_mistakes_is_one_sentence() -> None:
    won = api.review(played("tictactoe:3,3,3 xx./oo./... x", "c1"))
    assert won.story() == ((0, Message("review.result_kept")),)
    guessed = replace(won.verdicts[0], sure="estimate")
    assert Review((guessed,)).story() == ((0, Message("review.none_found")),)
    drawn = api.review(played("tictactoe:3,3,3 xox/oxx/o.o x", "b3"))
    assert drawn.story() == ((0, Message("review.faultless")),)
    alone = api.review(played("onet:1,2 1,1", "a1b1", ("human",)))
    assert alone.story() == ((0, Message("review.faultless_alone")),)
    assert Review(()).story() == ()
