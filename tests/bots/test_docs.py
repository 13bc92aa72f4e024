"""The bots that the documentation shows pass their trial."""

import pytest

import papan
from papan import catalog
from papan.lab.referee import TrialPlan, try_out
from tests.test_docs import ROOT, blocks

from .conftest import SHELL, Write

pytestmark = pytest.mark.thorough

BOTS = blocks(ROOT / "docs" / "write-a-bot.md", "python")
GAMES = [papan.game(spec) for spec in ("tictactoe", "connect4", "dots", "onet:4,6")]


@pytest.mark.parametrize("code", BOTS, ids=["a function", "a class"])
def test_the_bots_in_the_documentation_are_fine(write: Write, code: str) -> None:
    check(f"bot:{write(code)}")


def test_the_program_in_the_documentation_is_fine(program: Write) -> None:
    check(f"program:{program(SHELL)}")


def check(spec: str) -> None:
    agent = catalog.external_agent(spec)
    trial = try_out(agent, TrialPlan(GAMES, 60, 30), agent.close)
    assert trial.fine, trial
    assert (len(trial.seconds), trial.repeated) == (60, 30)


def test_the_bots_in_the_documentation_beat_a_random_one(write: Write) -> None:
    for code in BOTS:
        assert papan.match(str(write(code)), "random", "tictactoe", pairs=10).wins >= 12
