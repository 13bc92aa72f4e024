"""Bots in files: what they may be, and what is said about those that cannot be used."""

import pickle
from pathlib import Path

import pytest

import papan
from papan import catalog
from papan.core import CannotPlayError, IllegalMoveError, InvalidSpecError, PapanError

from .conftest import FIRST_MOVE, Write

pytestmark = pytest.mark.thorough

START = papan.position("tictactoe")


def move(agent: papan.Agent, position: papan.Position = START) -> str:
    return position.game.move_name(agent.analyse(position).move)


def test_a_function_is_a_bot(write: Write) -> None:
    assert move(papan.agent_from_user(f"bot:{write(FIRST_MOVE)}")) == "a1"


def test_a_plain_path_is_enough(write: Write) -> None:
    path = write(FIRST_MOVE)
    assert papan.agent_from_user(str(path)).spec == f"bot:{path}"


def test_its_text_reads_back_with_its_settings(write: Write) -> None:
    spec = f"bot:{write(FIRST_MOVE)},seed=3,deadline=2.5,memory=256"
    assert papan.agent_from_user(spec).spec == spec
    assert papan.agent_from_user(f"{write(FIRST_MOVE)},seed=3").spec.endswith(",seed=3")


def test_a_bot_may_answer_with_the_name_of_a_move(write: Write) -> None:
    assert move(papan.agent_from_user(str(write("def choose(position): return 'b2'")))) == "b2"


def test_a_bot_may_answer_with_a_number_of_numpy(write: Write) -> None:
    bot = write("import numpy\ndef choose(position): return numpy.array(position.moves())[-1]")
    assert papan.agent_from_user(str(bot)).choose("tictactoe") == "c3"


def test_a_class_is_a_bot_with_a_value_and_a_limit(write: Write) -> None:
    path = write("""
        from __future__ import annotations
        from dataclasses import dataclass
        import papan

        @dataclass
        class Deep(papan.Agent):
            seed: int = 0
            name = "deep"

            def plays(self, game):
                return game.name == "tictactoe"

            def decide(self, position, thinking):
                assert thinking.limit.nodes == 77
                return papan.Analysis((position.moves()[self.seed],), 0.5)
        """)
    agent = papan.agent_from_user(f"{path},seed=4")
    analysis = agent.analyse(START, papan.Limit(nodes=77))
    assert (analysis.move, analysis.value) == (4, 0.5)
    assert agent.plays(START.game)
    assert not agent.plays(papan.game("dots"))


def test_a_bot_with_less_memory_is_not_lent_the_process_of_one_with_more(write: Write) -> None:
    path = write("""
        asked = []

        def choose(position):
            asked.append(position)
            return position.moves()[len(asked) - 1]
        """)
    much, little = (papan.agent_from_user(f"bot:{path},memory={each}") for each in (512, 256))
    assert [move(each) for each in (much, much, little)] == ["a1", "b1", "a1"]


def test_a_bot_says_which_games_it_plays(write: Write) -> None:
    agent = papan.agent_from_user(str(write('GAMES = ["dots"]' + FIRST_MOVE)))
    assert agent.plays(papan.game("dots:2,2"))
    with pytest.raises(CannotPlayError, match="cannot play tictactoe"):
        agent.analyse(START)


def test_bots_that_draw_lots_can_be_repeated_and_have_other_luck_by_seed(write: Write) -> None:
    code = "import random\ndef choose(position): return random.choice(position.moves())"
    path = write(code)
    drawn = [
        [move(papan.agent_from_user(f"{path},seed={seed}")) for _ in range(3)] for seed in range(8)
    ]
    assert all(len(set(answers)) == 1 for answers in drawn)
    assert len({answers[0] for answers in drawn}) > 1


def test_a_bot_may_import_its_neighbours_and_leaves_nothing_behind(
    write: Write, tmp_path: Path
) -> None:
    (tmp_path / "neighbour.py").write_text("answer = 'c3'", encoding="utf-8")
    path = write("import neighbour\ndef choose(position): return neighbour.answer")
    assert move(papan.agent_from_user(str(path))) == "c3"
    assert sorted(each.name for each in tmp_path.iterdir()) == [path.name, "neighbour.py"]


def test_what_a_bot_prints_or_reads_is_not_taken_for_the_conversation(write: Write) -> None:
    path = write("""
        import sys
        print("move a1")
        def choose(position):
            print("move a1", flush=True)
            sys.stdout.write("move a1")
            assert sys.stdin.read() == ""
            return "b3"
        """)
    assert move(papan.agent_from_user(str(path))) == "b3"


def test_bots_play_matches_like_everyone_else(write: Write) -> None:
    path = str(write(FIRST_MOVE))
    result = papan.match(path, "random", game="connect4", pairs=3)
    assert result.forfeits(0) == {}
    assert len(result.games) == 6
    assert papan.match(path, path, game="dots:2,2").games[0].record.end in ("win", "draw")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def choose(position:\n", r"SyntaxError: .* \(line 1\)"),
        (
            "import papan\n1 / 0\n",
            r"cannot be used: ZeroDivisionError: division by zero \(line 2\)",
        ),
        ("raise SystemExit(3)", r"cannot be used: SystemExit: 3 \(line 1\)"),
        ("import no_such_module", r"ModuleNotFoundError: No module named 'no_such_module'"),
        ("", r"the file needs a function choose\(position\)"),
        ("GAMES = ['chess']\ndef choose(position): ...", "it plays none of the games"),
    ],
)
def test_a_broken_file_is_one_clear_sentence(write: Write, code: str, message: str) -> None:
    with pytest.raises(CannotPlayError, match=message) as caught:
        papan.agent_from_user(str(write(code))).plays(START.game)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_one_clear_sentence(tmp_path: Path) -> None:
    for spec in (f"bot:{tmp_path}/no.py", f"{tmp_path}/no.py", "bot:", f"bot:{tmp_path}"):
        with pytest.raises(InvalidSpecError, match="papan bot new FILE"):
            papan.agent_from_user(spec)


@pytest.mark.parametrize("setting", ["deadline=0", "memory=1", "seed=x", "depth=3"])
def test_settings_that_make_no_sense_are_refused(write: Write, setting: str) -> None:
    with pytest.raises(PapanError):
        papan.agent_from_user(f"bot:{write(FIRST_MOVE)},{setting}")


@pytest.mark.parametrize(
    "answer", ["'zz'", "99", "-1", "True", "None", "0.5", "'a1\\nmove a2'", "''"]
)
def test_an_answer_that_is_no_move_is_an_illegal_one(write: Write, answer: str) -> None:
    agent = papan.agent_from_user(str(write(f"def choose(position): return {answer}")))
    with pytest.raises(IllegalMoveError):
        agent.analyse(START)


def test_a_bot_that_fails_once_is_asked_again_in_good_order(write: Write) -> None:
    path = write("""
        def choose(position):
            assert position.game.name == "dots", "only dots"
            return position.moves()[-1]
        """)
    agent = papan.agent_from_user(str(path))
    with pytest.raises(CannotPlayError, match=r"failed: AssertionError: only dots \(line 3\)"):
        agent.analyse(START)
    assert agent.analyse(papan.position("dots:1,1")).move == 3


def test_a_bot_that_was_edited_plays_as_it_is_now(write: Write) -> None:
    path = write(FIRST_MOVE)
    agent = papan.agent_from_user(str(path))
    assert move(agent) == "a1"
    path.write_text("def choose(position): return 'b2'", encoding="utf-8")
    assert move(agent) == "b2"


def test_text_from_strangers_runs_no_file_and_no_program(write: Write) -> None:
    path = write(FIRST_MOVE)
    for spec in (f"bot:{path}", str(path), "program:true"):
        with pytest.raises(InvalidSpecError, match="agent_from_user"):
            catalog.agent(spec)


def test_a_bot_can_be_sent_to_another_process(write: Write) -> None:
    agent = papan.agent_from_user(str(write(FIRST_MOVE)))
    agent.plays(START.game)
    assert move(pickle.loads(pickle.dumps(agent))) == "a1"
