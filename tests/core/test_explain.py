"""Why an agent moved: the same messages for terminal, page and notebook."""

import json
from math import inf
from typing import Any

import pytest

from papan import catalog
from papan.core import Analysis, Limit, Message, Proved, Share
from papan.core.explain import (
    EventLog,
    Explanation,
    _as_slip,
    climb_messages,
    distance_message,
    explain,
    greedy,
    notes,
    verdict,
    voice,
    with_message,
)
from papan.core.message import LANGUAGES, catalogue
from papan.core.numbers import Number
from papan.core.reasons import Certainty, Clause, Reason, with_people


def explained(text: str, spec: str) -> tuple[Explanation, EventLog]:
    position, agent, log = catalog.position(text), catalog.agent(spec), EventLog()
    analysis = agent.analyse(position, Limit(nodes=2_000), log)
    return explain(position, agent, log, analysis), log


def text(messages: tuple[Message, ...]) -> str:
    return " ".join(map(str, messages))


@pytest.mark.parametrize(
    ("position", "agent", "words"),
    [
        ("tictactoe xx./oo./... x", "alphabeta", "c1 wins: the row a1-c1."),
        ("tictactoe xx./o../... o", "alphabeta", "c1 is forced: it blocks the row a1-c1,"),
        ("tictactoe", "random", "drew lots among 9 moves."),
        ("tictactoe", "mcts:iterations=50", "random games;"),
        ("adjacency:8,8,2", "genetic:population=5,generations=2", "bred plans for"),
        ("adjacency:8,8,2", "hillclimb", "from move to better move"),
        ("onet:1,3 1,1,2", "solver", "The board cannot be cleared; this is proved."),
    ],
)
def test_a_move_has_its_reason_in_words(position: str, agent: str, words: str) -> None:
    found, _ = explained(position, agent)
    assert found.reason is not None
    assert words in found.reason.text() + text(found.voice)


def test_only_the_first_sentence_names_the_agent() -> None:
    found, _ = explained("tictactoe xx./o../... o", "alphabeta")
    players = [str(each.values["player"]) for each in found.voice]
    assert players[0] == "Alpha-beta"
    assert set(players[1:]) <= {"it"}


def test_a_solver_says_what_its_game_knows() -> None:
    found, _ = explained("onet:1,3 1,1,2", "solver")
    assert "Proof: the tiles c1 are the only ones of their kind" in text(found.notes)
    assert text(found.verdict) == "The board cannot be cleared; this is proved."
    found, _ = explained("tictactoe", "solver")
    assert text(found.verdict).startswith("Draw with perfect play (proved).")


@pytest.mark.parametrize("agent", ["priority", "mcts:iterations=40", "alphabeta:depth=2"])
def test_events_carry_sentences_that_both_languages_know(agent: str) -> None:
    found, log = explained("connect4", agent)
    events = [with_message(each) for each in (*log.last.values(), *log.steps["reason"])]
    messages = [each["says"] for each in events if "says" in each]
    messages += [
        move["says"] for each in events for move in each.get("moves", ()) if "says" in move
    ]
    parts = json.loads(json.dumps(found.json()))
    clauses = parts.pop("reason")["clauses"]
    messages += [each for part in parts.values() for each in part]
    people = {"player": "A", "rival": "B"}
    said = [Message.from_json(each["message"]) for each in clauses]
    messages += [with_people(each, people).json() for each in said]
    assert messages
    for each in messages:
        for language in LANGUAGES:
            assert each["key"] in catalogue(language), each
            assert "{" not in Message.from_json(each).text(language)


@pytest.mark.parametrize(
    ("best", "bounds", "depth"),
    [("b2", None, 44), ("b2", [0, 0], 44), ("b2", [-1, 1], None), ("a1", None, None)],
)
def test_e3_a_depth_is_told_only_of_the_search_that_chose_the_move(
    best: str, bounds: list[int] | None, depth: int | None
) -> None:
    position, log = catalog.position("tictactoe"), EventLog()
    log({"t": "root", "depth": 44, "best": best, "moves": [], "bounds": bounds})
    analysis = Analysis((position.legal_move("b2"),), 0.2, position=position)
    found = explain(position, catalog.agent("alphabeta"), log, analysis)
    assert found.reason is not None
    assert found.reason.certainty.depth == depth
    assert ("44 plies" in text(found.voice)) == (depth is not None)


@pytest.mark.parametrize("guess", [None, 0.3])
def test_e3_a_proved_reason_stands_beside_no_estimate(guess: float | None) -> None:
    position = catalog.position("tictactoe xx./oo./... x")
    analysis = Analysis((position.legal_move("c1"),), guess, position=position)
    found = explain(position, catalog.agent("alphabeta"), EventLog(), analysis)
    assert found.reason is not None and found.reason.certainty.kind == "proved"
    assert [each.key for each in found.verdict] == ["web.wins"]
    start = catalog.position("tictactoe")
    other = Analysis((start.legal_move("b3"),), guess, position=start)
    assert explain(start, catalog.agent("alphabeta"), EventLog(), other).verdict


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        # the last move of the game
        (
            "adjacency:8,8,8 ....ooxo/......ox/x......x/oo....../"
            "oxx...../xxx...../oxx...../xoox.... o",
            "d7",
            "After this move player 2 ends 2 ahead (proved).",
        ),
        # the last move but one
        (
            "adjacency:8,8,8 ....ooxo/......ox/x......x/oo....../"
            "oxx...../xo....../oxo...../xoox.... x",
            "c6",
            "After this move player 1 ends 2 behind (proved).",
        ),
        # more than half of the boxes, with others open
        (
            "dots:2,2 111110111010 2 0-2",
            "a2a3",
            "After this move player 2 wins (proved).",
        ),
        ("tictactoe:3,3,3 .../.x./.xo o", "c1", "After this move player 2 loses (proved)."),
        (
            "tictactoe:3,3,3 xox/oxx/o.o x",
            "b3",
            "After this move the game ends in a draw (proved).",
        ),
        ("onet:1,2 1,1", "a1b1", "Score: 2 of 2"),
        (
            "onet:4,4,kinds=3,seed=973 0,3,0,0/0,1,0,3/3,2,0,0/2,3,1,0",
            "b1d2",
            "After this move the board cannot be cleared (proved).",
        ),
    ],
)
def test_e3_a_proved_end_stands_beside_no_estimate_in_any_game(
    text: str, name: str, said: str
) -> None:
    position = catalog.position(text)
    analysis = Analysis((position.legal_move(name),), 1.3, position=position)
    found = explain(position, catalog.agent("alphabeta"), EventLog(), analysis)
    assert found.reason is not None and found.reason.certainty.kind == "proved"
    assert [str(each) for each in found.verdict] == [said]


def slip_in(text: str, name: str, rule: str, values: dict[str, object]) -> Explanation:
    position, log = catalog.position(text), EventLog()
    log({"t": "reason", "m": name, "rule": rule, "v": 0, "slip": values, "cells": []})
    analysis = Analysis((position.legal_move(name),), position=position)
    return explain(position, catalog.agent("level:3"), log, analysis)


def test_e12_a_short_look_ahead_says_also_what_it_did_not_see() -> None:
    found = slip_in(
        "tictactoe:3,3,3 .../.x./.xo o", "c1", "slip.short", {"plies": 1, "better": "b1"}
    )
    assert found.reason is not None
    assert [each.key for each in found.reason.messages] == ["slip.short", "lines.reason_leaves"]
    assert found.reason.certainty.kind == "proved"
    found = slip_in("tictactoe", "b1", "slip.short", {"plies": 1, "better": "b2"})
    assert found.reason is not None and found.reason.certainty.kind == "estimate"


@pytest.mark.parametrize(
    ("slip", "decided", "kind"),
    [
        ("slip.short", "instead", "estimate"),  # what decides is not told of a slip
        ("slip.short", "prevents", "proved"),
        ("slip.short", "", "estimate"),
        ("slip.careless", "instead", "proved"),
        ("slip.careless", "", "proved"),
    ],
)
def test_y7_after_a_short_look_ahead_only_what_is_still_told_is_proved(
    slip: str, decided: str, kind: str
) -> None:
    clauses = [
        Clause(each, Message(f"said.{each}"), decides=each == decided)
        for each in ("prevents", "instead")
    ]
    found = Reason(catalog.position("tictactoe"), 4, tuple(clauses), Certainty("proved"))
    overlooked = Clause("does", Message(slip, {"plies": 1, "better": "a1"}))
    again = _as_slip(found, overlooked)
    assert again.clauses == (overlooked, clauses[0])
    assert again.certainty.kind == kind


def test_what_decided_but_is_cut_off_after_a_slip_leaves_an_estimate() -> None:
    first = Clause("does", Message("said.does"))
    cut_off = Clause("prevents", Message("said.prevents"), decides=True)
    found = Reason(catalog.position("tictactoe"), 4, (first, cut_off), Certainty("proved"))
    overlooked = Clause("does", Message("slip.short", {"plies": 1, "better": "a1"}))
    again = _as_slip(found, overlooked)
    assert again.clauses == (overlooked, first)
    assert again.certainty.kind == "estimate"


def test_e12_a_move_that_wins_by_force_is_no_slip() -> None:
    values = {"plies": 1, "better": "a1"}
    found = slip_in("tictactoe xo./.x./..o x", "a3", "slip.short", values)
    assert found.reason is not None
    assert [each.key for each in found.reason.messages][:1] != ["slip.short"]
    assert found.reason.certainty.kind == "proved"


def test_e12_a_slip_says_nothing_twice() -> None:
    found = slip_in(
        "adjacency:8,8,8 .....xxo/......ox/x......x/oo....../o......./x......./ox....../xoo..... x",
        "d8",
        "adjacency.slip_far",
        {"move": "d8", "marks": 1, "better": "b5", "instead": 2},
    )
    assert found.reason is not None
    assert [each.key for each in found.reason.messages] == ["adjacency.slip_far"]


@pytest.mark.parametrize(
    ("text", "move", "key", "values"),
    [
        # "a2 would turn 2, but then the rival could turn 2" defends the move that slipped
        (
            "adjacency:4,4,4 ..oo/.xxx/xxoo/xx.. o",
            "b1",
            "adjacency.slip_count",
            {"move": "b1", "marks": 1, "better": "a2", "instead": 2},
        ),
        # "every line gives boxes away now: b3c3 gives 2, a1b1 only 1" says it once more
        (
            "dots:2,2 011000010011 2 0-0",
            "b3c3",
            "dots.slip_chains",
            {"move": "b3c3", "boxes": 2, "better": "a1b1", "fewest": 1},
        ),
    ],
)
def test_e12_a_slip_is_neither_defended_nor_told_again(
    text: str, move: str, key: str, values: dict[str, object]
) -> None:
    found = slip_in(text, move, key, values)
    assert found.reason is not None
    assert [each.key for each in found.reason.messages] == [key]


def test_e1_an_estimate_of_a_game_for_one_names_nobody() -> None:
    position = catalog.position("onet:2,3 1,2,1/2,3,3")
    for proved in (None, (2, inf)):
        low, high = proved or (-inf, inf)
        analysis = Analysis((position.moves()[0],), 3.7, Proved(low, high), position=position)
        said = text(explain(position, catalog.agent("openings"), EventLog(), analysis).verdict)
        assert said.startswith("As far as the search has looked: 4 of 6.") and "you" not in said
        assert ("between 2 and 6 of 6" in said) == (proved is not None)


def test_e3_a_net_is_not_said_to_play_random_games() -> None:
    position = catalog.position("connect4")
    analysis = Analysis((3,), 0.1, values={3: Share(0.6)}, nodes=50, position=position)
    for spec, key in (("net", "because.visits"), ("mcts", "because.playouts")):
        said = voice(position, catalog.agent(spec), EventLog(), analysis)
        assert [each.key for each in said] == [key]


def test_e1_a_proved_score_of_a_game_for_one_names_nobody() -> None:
    position = catalog.position("onet:1,2 1,1")
    analysis = Analysis((position.moves()[0],), proved=Proved.exactly(2), position=position)
    said = explain(position, catalog.agent("openings"), EventLog(), analysis).verdict
    assert [str(each) for each in said] == ["Result: 2 of 2 (proved)."]


def test_e3_a_rule_is_told_once_and_a_penalty_is_not_followed() -> None:
    position, log = catalog.position("tictactoe"), EventLog()
    for rule, value in (("lines.rule_a", 2), ("lines.rule_a", 2), ("lines.rule_b", -1)):
        log({"t": "reason", "m": "b2", "rule": rule, "v": value})
    analysis = Analysis((position.legal_move("b2"),), position=position)
    (said,) = explain(position, catalog.agent("alphabeta"), log, analysis).voice
    assert said.values["rules"] == (Message("lines.rule_a"),)


@pytest.mark.parametrize(
    ("position", "estimate", "expected"),
    [
        ("tictactoe", 0.05, "because.even"),
        ("tictactoe", 0.3, "because.better"),
        ("tictactoe", -0.3, "because.worse"),
        ("tictactoe", 0.5, "because.much_better"),
        ("tictactoe", -0.5, "because.much_worse"),
        ("adjacency:8,8,2", 0.5, "because.even"),
        ("adjacency:8,8,2", 2.0, "because.points_ahead"),
        ("adjacency:8,8,2", -2.0, "because.points_behind"),
    ],
)
def test_y7_an_estimate_is_called_even_by_what_its_game_is_counted_in(
    position: str, estimate: float, expected: str
) -> None:
    here = catalog.position(position)
    analysis = Analysis((here.moves()[0],), estimate)
    [said] = voice(here, catalog.agent("alphabeta"), EventLog(), analysis)
    assert (said.key, said.values["outlook"].key) == ("because.expects", expected)


def test_y7_beside_an_estimate_it_is_told_what_is_proved() -> None:
    position = catalog.position("adjacency")
    found = Analysis((20,), 1.5, Proved(-3, 12), position=position)
    assert [each.key for each in verdict(position, found)] == ["web.guess", "solve.bounds"]
    alone = Analysis((20,), 1.5, position=position)
    assert [each.key for each in verdict(position, alone)] == ["web.guess"]


@pytest.mark.parametrize("value", [1, -1])
def test_y7_a_lost_game_is_counted_in_the_moves_of_who_wins_it(value: float) -> None:
    said = distance_message(catalog.position("tictactoe"), value, 4)
    assert (said.key, said.values) == ("analyse.distance_win", {"moves": 2, "plies": 4})
    drawn = distance_message(catalog.position("tictactoe"), 0, 4)
    assert (drawn.key, drawn.values) == ("analyse.distance", {"plies": 4})


TWO, POINTS, ALONE = "tictactoe", "adjacency:8,8,2", "onet:2,3 1,2,1/2,3,3"


@pytest.mark.parametrize(
    ("position", "analysis", "said"),
    [
        (TWO, Analysis((0,), proved=Proved(1, 1)), {"web.wins": {"value": 1}}),
        (TWO, Analysis((0,), proved=Proved(-1, -1)), {"web.loses": {"value": -1}}),
        (TWO, Analysis((0,), proved=Proved(0, 0)), {"web.draws": {"value": 0}}),
        (
            TWO,
            Analysis((0,), proved=Proved(1, 1), distance=5),
            {"web.wins": {}, "analyse.distance_win": {"moves": 3, "plies": 5}},
        ),
        (TWO, Analysis((0,), proved=Proved(0, 1)), {"web.at_least": {"value": 0}}),
        (TWO, Analysis((0,), proved=Proved(-1, 0)), {"web.at_most": {"value": 0}}),
        (TWO, Analysis((0,), proved=Proved(low=0)), {"web.at_least": {"value": 0}}),
        (TWO, Analysis((0,), proved=Proved(high=0)), {"web.at_most": {"value": 0}}),
        (TWO, Analysis((0,), proved=Proved(-1, 1)), {"web.not_proved": {}}),
        (TWO, Analysis((0,), proved=Proved(-1, 1), why="time"), {"web.nothing_proved": {}}),
        (TWO, Analysis((0,), why="nodes"), {"web.nothing_proved": {}}),
        (TWO, Analysis((0,), why="cancelled"), {"web.not_proved": {}}),
        (TWO, Analysis((0,), 0.25), {"web.guess": {}}),
        (POINTS, Analysis((20,), proved=Proved(6, 6)), {"solve.exact": {"value": 6}}),
        (
            POINTS,
            Analysis((20,), proved=Proved(6, 6), distance=9),
            {"solve.exact": {}, "analyse.distance": {"plies": 9}},
        ),
        (POINTS, Analysis((20,), proved=Proved(-3, 8)), {"solve.bounds": {"low": -3, "high": 8}}),
        (
            ALONE,
            Analysis((0,), proved=Proved(2, 2)),
            {"solve.exact_alone": {"score": 2, "most": 6}},
        ),
        (
            ALONE,
            Analysis((0,), proved=Proved(2, 4)),
            {"solve.bounds_alone": {"low": 2, "high": 4, "most": 6}},
        ),
        (
            ALONE,
            Analysis((0,), proved=Proved(high=4)),
            {"solve.bounds_alone": {"low": 0, "high": 4, "most": 6}},
        ),
        (ALONE, Analysis((0,), proved=Proved(0, 6)), {"web.not_proved": {}}),
        (ALONE, Analysis((0,), 3.4), {"web.guess_alone": {"value": 3, "most": 6}}),
    ],
    ids=str,
)
def test_y7_the_value_of_a_position_is_told_by_what_is_proved_of_it(
    position: str, analysis: Analysis, said: dict[str, dict[str, float]]
) -> None:
    found = {each.key: each.values for each in verdict(catalog.position(position), analysis)}
    assert [*found] == [*said]
    for key, values in said.items():
        names = {
            name: each.amount if isinstance(each, Number) else each
            for name, each in found[key].items()
        }
        assert names | values == names
        if "player" in names:
            assert names["player"] == Message("seat.1")


@pytest.mark.parametrize(
    ("position", "value", "plies", "key", "values"),
    [
        (TWO, 0, 9, "because.draw", {}),
        (TWO, 1, 5, "because.win", {"moves": 3, "plies": 5}),
        (TWO, -1, 4, "because.loss", {"moves": 2, "plies": 4}),
        (TWO, 1, None, "because.won", {}),
        (TWO, -1, None, "because.lost", {}),
        (POINTS, 6, 9, "because.ahead", {"points": Number(6)}),
        (POINTS, -6, 9, "because.behind", {"points": Number(6)}),
    ],
)
def test_y7_what_is_proved_is_expected_in_the_words_of_its_game(
    position: str, value: float, plies: int | None, key: str, values: dict[str, object]
) -> None:
    here = catalog.position(position)
    analysis = Analysis((here.moves()[0],), None, Proved(value, value), distance=plies)
    [said] = voice(here, catalog.agent("alphabeta"), EventLog(), analysis)
    assert said.key == key
    assert {name: each for name, each in said.values.items() if name != "player"} == values


@pytest.mark.parametrize(
    ("facts", "key", "values"),
    [
        (
            {"m": "a1", "w": 0.755, "ucb": 1.25, "n": 1200},
            "web.ucb",
            {"visits": "1,200", "wins": "76", "win": "0.76", "bonus": "0.5", "sum": "1.25"},
        ),
        ({"m": "a1", "w": None, "ucb": 1.25, "n": 1}, None, {}),
        ({"m": "a1", "w": 0.5, "ucb": None, "n": 1}, None, {}),
        ({"m": "a1", "terms": [3, -1.5], "v": 1.5}, "explain.sum", {"terms": "+3 \u22121.5"}),
        ({"m": "a1", "openings": 0}, "web.openings", {"count": "0"}),
        ({"m": "a1", "chain": -2}, "web.chain_value", {"value": "-2"}),
        ({"m": "a1", "v": 1}, None, {}),
    ],
    ids=str,
)
def test_y7_the_value_of_a_move_is_told_by_what_it_is_made_of(
    facts: dict[str, object], key: str | None, values: dict[str, str]
) -> None:
    before = dict(facts)
    [said] = with_message({"t": "root", "moves": [facts]})["moves"]
    assert facts == before
    if key is None:
        assert said == facts
        return
    message = Message.from_json(said["says"])
    shown = {name: str(each) if not isinstance(each, Number) else each.text()
            for name, each in message.values.items()}  # fmt: skip
    assert message.key == key and shown | values == shown


@pytest.mark.parametrize(
    ("event", "text"),
    [
        ({"t": "progress", "nodes": 1}, None),
        ({"t": "reason", "m": "a1", "rule": "lines.reason_x"}, "lines.reason_x"),
        (
            {"t": "reason", "m": "a1", "rule": "r", "v": 2.5, "line": "lines.row"},
            ("explain.rule_adds", "explain.rule_on_line"),
        ),
        ({"t": "reason", "m": "a1", "rule": "r", "v": 0}, "r"),
    ],
    ids=str,
)
def test_y7_a_rule_is_told_with_its_line_and_what_it_adds(
    event: dict[str, object], text: str | tuple[str, str] | None
) -> None:
    said: Any = with_message(event).get("says")
    if isinstance(text, tuple):
        assert (said["key"], said["values"]["rule"]["key"]) == text
        assert said["values"]["value"] == {"number": 2.5, "form": "signed"}
    else:
        assert (said and said["key"]) == text


def test_y7_a_log_has_the_last_event_of_each_kind_and_every_step() -> None:
    heard: list[dict[str, object]] = []
    log = EventLog(heard.append)
    events: list[dict[str, Any]] = [
        {
            "t": "root",
            "best": "a1",
            "depth": 1,
            "moves": [{"m": "a1", "v": 1}, {"m": "b1", "v": 2}],
        },
        {"t": "reason", "m": "a1", "rule": "r"},
        {"t": "reason", "m": "b1", "rule": "s"},
        {"t": "gen", "g": 0},
        {"t": "gen", "g": 1},
        {"t": "climb", "step": 1},
        {"t": "done"},
    ]
    for event in events:
        log(event)
    assert heard == events
    assert log.last["gen"] == events[4] and log.root == events[0]
    assert log.steps == {"reason": events[1:3], "gen": events[3:5], "climb": [events[5]]}
    assert (log.move("b1"), log.move("c1")) == ({"m": "b1", "v": 2}, {})
    assert (log.fired("b1"), log.fired("c1")) == ([events[2]], [])
    assert (log.depth("a1"), log.depth("b1"), EventLog().depth("a1")) == (1, None, None)


@pytest.mark.parametrize(
    ("here", "plateau", "keys"),
    [
        (2, 1, ["web.climb_here", "web.one_summit", "web.no_restart"]),
        (None, 3, ["web.plateau", "web.no_restart"]),
    ],
)
def test_y7_a_climb_is_told_from_where_it_began(
    here: int | None, plateau: int, keys: list[str]
) -> None:
    log = EventLog()
    assert [*climb_messages(log)] == []
    log({"t": "climb", "step": 1})
    log({"t": "root", "moves": [], "plateau": plateau} | ({} if here is None else {"here": here}))
    assert [each.key for each in climb_messages(log)] == keys


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({}, []),
        ({"book": True, "table": 0}, ["web.book_hit"]),
        ({"book": False, "table": 3 * 2**20}, ["web.book_miss", "web.table_size 3 MB"]),
        ({"table": 2**20}, ["web.table_size 1 MB"]),
        ({"table": 2**20 - 2**10}, ["web.table_size 1,023 kB"]),
    ],
    ids=str,
)
def test_y7_the_book_and_the_table_of_a_solver_are_noted(
    facts: dict[str, object], said: list[str]
) -> None:
    remark = Message("web.no_restart")
    found = [*notes(Analysis((0,), facts=facts, notes=(remark,)))]
    assert found.pop() == remark
    keys = [f"{each.key} {each.values.get('size', '')}".strip() for each in found]
    assert keys == said
    assert greedy(Analysis((0,))) == ()
    assert greedy(Analysis((0,), facts={"greedy": [remark]})) == (remark,)


@pytest.mark.parametrize(
    ("position", "estimate", "expected"),
    [
        (TWO, 0.1, "because.better"),
        (TWO, 0.099, "because.even"),
        (TWO, -0.1, "because.worse"),
        (TWO, 0.4, "because.better"),
        (TWO, 0.41, "because.much_better"),
        (TWO, -0.4, "because.worse"),
        (POINTS, 0.75, "because.points_ahead 1"),
        (POINTS, 0.74, "because.even"),
        (POINTS, -2.6, "because.points_behind 3"),
    ],
)
def test_the_words_for_an_estimate_change_exactly_at_their_limits(
    position: str, estimate: float, expected: str
) -> None:
    here = catalog.position(position)
    analysis = Analysis((here.moves()[0],), estimate)
    [said] = voice(here, catalog.agent("alphabeta"), EventLog(), analysis)
    expectation = said.values["outlook"]
    points = [each.text() for name, each in expectation.values.items() if name == "points"]
    assert " ".join([expectation.key, *points]) == expected


def test_a_verdict_of_a_game_is_what_an_agent_expects_and_all_that_is_said() -> None:
    position, said = catalog.position(TWO), Message("because.lost")
    analysis = Analysis((0,), 0.3, Proved(-1, -1), verdict=said, position=position)
    [voiced] = voice(position, catalog.agent("alphabeta"), EventLog(), analysis)
    assert voiced.key == "because.lost"
    assert [*verdict(position, analysis)] == [said]
    alone = catalog.position(ALONE)
    assert [*voice(alone, catalog.agent("openings"), EventLog(), Analysis((1,), 3.0))] == []
