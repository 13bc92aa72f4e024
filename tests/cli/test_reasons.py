"""The terminal gives the same reasons for a move as the web app, in words, in both languages."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from papan import catalog
from papan.core import Analysis, Guess, Limit
from papan.core.explain import EventLog
from papan.terminal.output import say, use_language
from papan.terminal.reasons import MOST_GENERATIONS, best_first, short_lines, why_lines

from .conftest import Papan

TABLE_6_STEP_7 = "connect4:6,7 ......./......./o....../oo...../xxx..../xoxx.oo x"


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    use_language("en")
    yield
    use_language("en")


def reasons(text: str, spec: str, short: bool = False) -> list[str]:
    position, agent, log = catalog.position(text), catalog.agent(spec), EventLog()
    analysis = agent.analyse(position, Limit(nodes=2_000), log)
    if short:
        return short_lines(position, log, analysis)
    return why_lines(position, agent, log, analysis)


def test_n04_the_sum_of_priorities_is_written_out_with_rules_and_lines() -> None:
    lines = "\n".join(reasons(TABLE_6_STEP_7, "priority"))
    assert "+2 +3 +3 = +8: " in lines
    assert "keeps the opponent from three in a row (" in lines
    assert "makes three in a row (across) +3" in lines
    assert f"{say('web.rules')}: +5 " in lines


@pytest.mark.parametrize(
    ("text", "spec", "words"),
    [
        ("dots:2,2", "chains", "chain value 0"),
        ("onet:2,6 1,2,3,4,5,1/2,3,4,5,6,7", "openings", "openings 2: pairs that can be joined"),
        ("onet:2,6 1,2,3,4,5,1/2,3,4,5,6,7", "openings", "Path: turns 2, cells visited"),
        ("adjacency:8,8,2", "genetic:population=5,generations=2", "Generation 2: best"),
        ("adjacency:8,8,2", "hillclimb", "moves are equally high: a plateau"),
        ("tictactoe", "mcts:iterations=50", "UCB"),
        ("onet:1,3 1,1,2", "solver", "Proof: the tiles c1 are the only ones of their kind"),
    ],
)
def test_n04_every_agent_says_what_its_choice_rests_on(text: str, spec: str, words: str) -> None:
    assert words in "\n".join(reasons(text, spec))


def test_n04_a_whole_game_has_the_reason_of_each_move_alone() -> None:
    [line] = reasons(TABLE_6_STEP_7, "priority", short=True)
    assert line.startswith("+2 +3 +3 = +8: ")
    last = reasons("adjacency:8,8,2", "genetic:population=5,generations=3", short=True)
    assert [line[:12] for line in last] == ["Generation 3"]


def test_n04_rules_stand_alone_only_where_moves_have_no_values() -> None:
    position, agent, log = catalog.position(TABLE_6_STEP_7), catalog.agent("priority"), EventLog()
    analysis = agent.analyse(position, Limit(nodes=2_000), log)
    fired = [f"{event['m']}: " for event in log.steps["reason"]]
    for values, expected in ((analysis.values, []), ({}, fired)):
        lines = why_lines(position, agent, log, replace(analysis, values=values))
        assert [line[: line.index(": ") + 2] for line in lines if line[1:3] == ": "] == expected


def test_n04_of_many_generations_some_are_told_the_last_among_them() -> None:
    lines = reasons("adjacency:8,8,2", "genetic:population=4,generations=40")
    shown = [line for line in lines if line.startswith("Generation")]
    assert len(shown) == MOST_GENERATIONS
    assert shown[0].startswith("Generation 0:")
    assert shown[-1].startswith("Generation 40:")


def test_n04_analyse_and_watch_print_the_reasons(papan: Papan) -> None:
    ran = papan("analyse", TABLE_6_STEP_7, "--agent", "priority")
    assert "+2 +3 +3 = +8: " in ran.out
    ran = papan("analyse", TABLE_6_STEP_7, "--agent", "priority", "--lang", "id")
    assert "membuat tiga koin berurutan (mendatar) +3" in ran.out
    ran = papan("watch", TABLE_6_STEP_7, "--a", "priority", "--b", "priority", "--plain")
    assert "  +2 +3 +3 = +8: " in ran.out


def test_y7_the_values_of_moves_are_listed_from_the_best_on() -> None:
    values = {0: Guess(0.5), 1: Guess(-1.0), 2: Guess(1.0), 3: Guess(0.5)}
    assert [move for move, _ in best_first(Analysis((2,), values=values))] == [2, 0, 3, 1]
