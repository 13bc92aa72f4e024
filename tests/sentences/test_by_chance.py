"""Every sentence is true of moves and games by chance, of every game on many boards."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from papan import api, catalog
from papan.core import Limit
from papan.core.reasons import deeds, reason
from tests.sentences.boxes import fewer_boxes
from tests.sentences.lines import allowed_line, could_win_in, demand_nothing, missed_line
from tests.sentences.marks import ends_with
from tests.sentences.said import Said
from tests.sentences.truth import (
    OUTCOMES,
    TRUE,
    changed,
    demand,
    demand_reason,
    demand_verdict,
    game_by_chance,
    positions_by_chance,
    same_result,
    verdicts,
)

LOOKED_AT = {
    "tictactoe": 40,
    "tictactoe:4,4,3": 40,
    "tictactoe:5,6,4": 40,
    "tictactoe:9,9,5": 8,
    "connect4:4,4": 60,
    "connect4:5,5": 40,
    "connect4": 40,
    "connect4:7,10": 16,
    "dots:1,3": 20,
    "dots:2,2": 40,
    "dots:3,3": 40,
    "dots:4,5": 24,
    "dots:6,6": 8,
    "adjacency:4,4,4": 20,
    "adjacency:5,6,8": 20,
    "adjacency:9,9,10": 8,
    "onet:2,5,kinds=3": 20,
    "onet:3,4,kinds=3": 16,
    "onet:2,5,kinds=3,gravity=left": 8,
    "onet:4,6,kinds=4,rule=paper": 8,
}
"""How many moves of each board are looked at in a quick test."""


WEAK = {
    f"lines.reason_{kind}" for kind in ("builds", "breaks", "many", "lies", "waits", "stops_lines")
}
"""Deeds of moves that force nobody to anything."""


def deeds_by_chance(spec: str, count: int) -> Counter[str]:
    found = Counter[str]()
    for position, move in positions_by_chance(spec, count):
        said = [each.message for each in deeds(position, move)]
        for each in said:
            demand(Said(each.key, each.values, position, move))
            found[each.key] += 1
        if not {each.key for each in said} - WEAK and position.game.largest_margin == 1:
            demand_nothing(position, move)
    return found


@pytest.mark.parametrize("spec", LOOKED_AT)
def test_y5_what_a_move_does_is_true_on_boards_by_chance(spec: str) -> None:
    assert deeds_by_chance(spec, LOOKED_AT[spec])


@pytest.mark.slow
@pytest.mark.parametrize("spec", LOOKED_AT)
def test_y5_what_thousands_of_moves_do_is_true(spec: str) -> None:
    found = deeds_by_chance(spec, 40 * LOOKED_AT[spec])
    assert len(found) > (1 if "adjacency" not in spec else 0)


REVIEWED = {
    "tictactoe": 4,
    "tictactoe:4,4,3": 2,
    "connect4:4,4": 4,
    "connect4:4,5": 3,
    "dots:1,4": 3,
    "dots:2,2": 4,
    "dots:2,4": 2,
    "dots:3,3": 1,
    "adjacency:4,4,2": 3,
    "adjacency:4,4,4": 3,
    "adjacency:5,5,4": 2,
}
"""How many games of each board are reviewed in a quick test."""


def reasons_by_chance(spec: str, games: int) -> list[str]:
    """The keys of the reasons of all mistakes in some games, "" where there is none."""
    reasons, rng = list[str](), Random(f"reviews {spec}")
    for _ in range(games):
        for verdict in verdicts(*game_by_chance(catalog.game(spec), rng)):
            demand_verdict(verdict)
            if verdict.wrong:
                keys = [each.key for each in verdict.said if each.key not in OUTCOMES]
                reasons.append(keys[0] if keys else "")
    return reasons


@pytest.mark.thorough
@pytest.mark.parametrize("spec", REVIEWED)
def test_y6_every_proved_mistake_has_a_reason_and_every_sentence_is_true(spec: str) -> None:
    reasons = reasons_by_chance(spec, REVIEWED[spec])
    assert reasons and "" not in reasons


@pytest.mark.slow
@pytest.mark.parametrize("spec", REVIEWED)
def test_y6_reasons_are_true_in_hundreds_of_games(spec: str) -> None:
    reasons = reasons_by_chance(spec, 60 * REVIEWED[spec])
    assert reasons.count("") <= len(reasons) / 100


REASONED = {
    ("tictactoe", "minimax"): 10,
    ("tictactoe:4,4,3", "alphabeta:depth=2"): 10,
    ("connect4:4,5", "alphabeta:depth=4"): 12,
    ("connect4", "alphabeta:depth=2"): 12,
    ("dots:2,3", "alphabeta:depth=3"): 10,
    ("dots:2,2", "solver"): 10,
    ("adjacency:4,4,4", "alphabeta:depth=3"): 10,
}
"""How many reasons of an agent's moves are looked at in a quick test."""


def reasons_of_agents(spec: str, agent: str, count: int) -> Counter[str]:
    found = Counter[str]()
    for position, _ in positions_by_chance(spec, count):
        analysis = catalog.agent(agent).analyse(position, Limit(nodes=20_000))
        found.update(demand_reason(reason(position, analysis.move, analysis)))
    return found


@pytest.mark.parametrize(("spec", "agent"), REASONED)
def test_e3_what_follows_and_what_another_move_would_allow_is_true(spec: str, agent: str) -> None:
    reasons_of_agents(spec, agent, REASONED[spec, agent])


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "agent"), REASONED)
def test_e3_what_follows_is_true_of_hundreds_of_moves(spec: str, agent: str) -> None:
    assert reasons_of_agents(spec, agent, 40 * REASONED[spec, agent])


LARGE = ("tictactoe:15,15,5", "connect4", "connect4:7,10", "dots:5,5", "adjacency")
NEEDS_VALUES = {
    *(changed, same_result, missed_line, allowed_line, could_win_in),
    *(fewer_boxes, ends_with),
}
"""Checks that would take long on a large board; the others need the rules alone."""


@pytest.mark.slow
@pytest.mark.parametrize("spec", LARGE)
def test_y6_mistakes_on_large_boards_have_reasons_too_and_they_are_true(spec: str) -> None:
    rng, count, bare = Random(f"large {spec}"), 0, 0
    for _ in range(2):
        game = game_by_chance(catalog.game(spec), rng)
        for verdict in api.reviewer(*game, seconds=5).verdicts():
            said = [each for each in verdict.said if each.key in TRUE]
            for each in said:
                if TRUE[each.key] not in NEEDS_VALUES:
                    demand(Said(each.key, each.values, verdict.position, verdict.move, verdict))
            count += verdict.wrong
            bare += verdict.wrong and all(each.key in OUTCOMES for each in verdict.said)
    assert count > 10 and bare <= max(1, count / 20)
