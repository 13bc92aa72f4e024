"""``papan elo``: what results prove, in words and as data."""

import json
import re
from pathlib import Path

import pytest

from papan.cli.agents import score_and_elo
from papan.lab.statistics.elo import ScoreTally

from .conftest import Papan


def test_three_numbers_are_games_won_drawn_and_lost(papan: Papan) -> None:
    out = papan("elo", "30", "20", "10").out
    assert out.splitlines() == [
        "Games: 60, score 66.7%",
        "Elo difference: +120.4 [+40.6, +201.1]",
        "Normalised Elo: +155 [+50, +273]",
        "Likelihood of superiority: 99.93%",
        "95% intervals by the Bayesian bootstrap, with one imaginary result at the far end.",
    ]


def test_five_numbers_are_pairs_and_two_elos_ask_for_a_test(papan: Papan) -> None:
    counts = ("177", "1629", "3083", "1780", "221")
    out = papan("elo", *counts, "--elo0", "0", "--elo1", "3", "--beta", "0.1").out
    assert "Elo difference: +6.03 ± 3.54" in out
    assert "Normalised Elo: +10.01 [" in out
    assert "superiority: 99.96%" in out
    assert "3 to 0 Elo: 2.913 (bounds \N{MINUS SIGN}2.251 and 2.890)" in out
    assert "The test is over: 3 Elo is accepted." in out


def test_the_same_facts_come_as_json(papan: Papan) -> None:
    facts = json.loads(papan("elo", "30", "20", "10", "--elo1", "10", "--json").out)
    assert facts["games"] == 60
    assert facts["elo"]["value"] == pytest.approx(120.41, abs=0.01)
    assert facts["sprt"]["verdict"] == "continue"


def test_a_clean_sweep_has_a_bound_and_no_value(papan: Papan) -> None:
    assert "Elo difference: \u2265 +140\n" in papan("elo", "10", "0", "0").out
    assert "Elo difference: \u2264 \u2212140\n" in papan("elo", "0", "0", "10").out
    assert json.loads(papan("elo", "10", "0", "0", "--json").out)["elo"]["value"] is None


def test_draws_alone_are_no_difference(papan: Papan) -> None:
    assert "Normalised Elo: 0 ± 232\n" in papan("elo", "0", "10", "0").out


def test_v04_lopsided_intervals_show_both_ends(papan: Papan) -> None:
    out = papan("elo", "2", "0", "2", "0", "0").out
    assert "Elo difference: \u2212191 [\u2212582, +163]" in out
    assert "\u00b1" not in out


@pytest.mark.parametrize("elo1", ["300", "400", "1000"])
def test_v03_hypotheses_far_apart_can_be_tested(papan: Papan, elo1: str) -> None:
    for counts in (("0", "0", "1"), ("1", "0", "0"), ("0", "0", "0", "0", "1")):
        ran = papan("elo", *counts, "--elo0", "0", "--elo1", elo1)
        assert ran.code == 0
        assert f"Log-likelihood ratio of {elo1} to 0 Elo" in ran.out


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "papan elo needs W D L"),
        (["1", "2"], "write three numbers (won drawn lost) or five"),
        (["0", "0", "0"], "not all 0"),
        (["-1", "2", "3"], "W D L cannot be negative; write it like 30 20 10"),
        (["1", "2", "-33"], "W D L cannot be negative"),
        (["1", "2", "3", "--alpha", "0.1"], "say what it is to tell apart, such as --elo0 0"),
        (["1", "2", "3", "--model", "logistic"], "belong to a test"),
        (["9" * 400, "0", "0"], "not all 0"),
        (["a", "b", "c"], "W D L must be written like 30 20 10"),
        (["1", "2", "3", "--elo0", "9"], "The test cannot tell 9.0 from 5.0 Elo"),
        (["1", "2", "3", "--elo1", "inf"], "The test cannot tell 0.0 from inf Elo"),
        (["1", "2", "3", "--model", "bayes"], "--model must be written like normalised|logistic"),
    ],
)
def test_what_is_no_result_is_one_clear_line(
    papan: Papan, arguments: list[str], message: str
) -> None:
    ran = papan("elo", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_t28_numbers_are_written_as_the_language_writes_them(papan: Papan) -> None:
    out = papan("elo", "30", "20", "10", "--elo1", "2.5", "--lang", "id").out
    assert "skor 66,7%" in out and "+120,4 [+40,6; +201,1]" in out
    assert not re.search(r"\d\.\d", out)


def test_t30_an_opening_is_not_longer_than_the_game(papan: Papan, tmp_path: Path) -> None:
    for words in (("match",), ("tournament", "run", str(tmp_path / "none"))):
        ran = papan(*words, "random", "random", "--game", "tictactoe", "--opening", "10")
        assert ran.code == 2
        assert "10 plies is too long for tictactoe:3,3,3: in a random game every move" in ran.err


def test_t32_the_columns_of_a_training_line_up() -> None:
    tallies = (
        ScoreTally((500, 0, 500)),
        ScoreTally((1, 0, 99)),
        ScoreTally((100, 0, 0)),
        ScoreTally((1000, 30, 2)),
    )
    assert len({len(score_and_elo(tally)) for tally in tallies}) == 1
