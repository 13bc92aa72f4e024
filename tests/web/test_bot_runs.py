"""Runs of a bot of the workshop: what they answer, with agents of papan in the place of a bot."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from papan import catalog
from papan.core import Agent, Analysis, Game, PapanError, Position, Thinking
from papan.lab.bots import BotProblem, BotStrength, RivalScore
from papan.lab.referee import MOST_FAULTS
from papan.lab.statistics.intervals import Interval
from papan.web import bot_runs
from papan.web.bot_runs import (
    LEAST_DEADLINE,
    MOST_PROBLEMS,
    BotRun,
    confined_spec,
    own_agent,
    problem_facts,
    strength_facts,
)

FILE = Path("/data/bot-runs/abc/mybot.py")
ORDER = {
    "run": "check",
    "game": "tictactoe",
    "rival": "random",
    "second": False,
    "seconds": 5.0,
    "positions": 12,
    "seed": 4,
}


@dataclass
class First(Agent):
    """Plays the first legal move, and prints where."""

    name: ClassVar[str] = "first"
    printed: ClassVar[str] = "here"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        return Analysis((position.moves()[0],))

    def peak_memory(self) -> int:
        return 77


@dataclass
class Chess(First):
    """Plays no game of papan's."""

    name: ClassVar[str] = "chess"

    def plays(self, game: Game) -> bool:
        return False


@dataclass
class OnlyOnet(First):
    name: ClassVar[str] = "only"

    def plays(self, game: Game) -> bool:
        return game.name == "onet"


@dataclass
class Fickle(First):
    """Plays another move once it was restarted."""

    name: ClassVar[str] = "fickle"
    place: ClassVar[int] = 0

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        return Analysis((position.moves()[self.place],))

    def close(self) -> None:
        type(self).place = -1


@dataclass
class Broken(First):
    name: ClassVar[str] = "broken"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        raise ZeroDivisionError("oops")


def run(bot: Agent, stops: Any = lambda: False, **order: Any) -> tuple[Any, list[dict[str, Any]]]:
    """The answer of a run of *bot*, and the events before it."""
    events: list[dict[str, Any]] = []
    made = BotRun(FILE, ORDER | order, events.append, stops)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot_runs, "own_agent", lambda file, seconds: bot)
        return made.answer(), events


# Checks.


def test_a_check_asks_every_fifth_position_again() -> None:
    answer, events = run(First())
    longest, middle = answer.pop("longest"), answer.pop("median")
    assert 0 < middle <= longest
    assert answer == {
        "t": "answer",
        "fine": True,
        "games": ["tictactoe"],
        "positions": 12,
        "repeated": 2,
        "changed": [],
        "memory": 77,
        "problems": [],
    }
    progress = [{"t": "progress", "done": done, "total": 12} for done in range(1, 13)]
    assert events == [{"t": "start"}, *progress]


def test_a_check_counts_faults_among_the_positions_and_shows_the_first() -> None:
    answer, events = run(Broken())
    assert (answer["fine"], answer["repeated"], answer["memory"]) == (False, 0, 77)
    assert answer["positions"] == MOST_FAULTS == 5  # they end it
    assert (answer["median"], answer["longest"]) == (None, None)
    assert len(answer["problems"]) == MOST_PROBLEMS
    assert {each["kind"] for each in answer["problems"]} == {"crash"}
    assert [each["done"] for each in events[1:]] == [*range(1, MOST_FAULTS)]


def test_a_check_names_the_positions_in_which_the_answer_has_changed() -> None:
    Fickle.place = 0
    answer, _ = run(Fickle(), positions=50)
    assert (answer["fine"], answer["repeated"], answer["problems"]) == (False, 10, [])
    assert len(answer["changed"]) == MOST_PROBLEMS
    assert all(each.startswith("tictactoe:3,3,3 ") for each in answer["changed"])


def test_a_check_without_a_game_is_about_all_that_the_bot_plays() -> None:
    assert run(OnlyOnet(), game="", positions=5)[0]["games"] == ["onet"]


@pytest.mark.parametrize("game", ["", "tictactoe"])
def test_a_bot_that_plays_none_of_the_games_is_told_so_at_once(game: str) -> None:
    answer, events = run(Chess(), game=game)
    (problem,) = answer["problems"]
    assert problem["why"]["key"] == "error.cannot_play" and "fine" not in answer
    assert events == [{"t": "start"}]


def test_a_check_that_is_stopped_says_so() -> None:
    assert run(First(), lambda: True) == (
        {"t": "answer", "stopped": True, "problems": []},
        [{"t": "start"}],
    )


# A game to watch.


@pytest.mark.parametrize(("second", "seat"), [(False, 0), (True, 1)])
def test_a_game_is_watched_from_its_first_board_to_its_end(second: bool, seat: int) -> None:
    answer, events = run(First(), run="watch", second=second)
    start, board, *moves = events
    assert (start, board["t"], board["seat"]) == ({"t": "start"}, "board", seat)
    assert board["svg"].startswith("<svg")
    assert [each["t"] for each in moves] == ["move"] * len(moves)
    assert [each["number"] for each in moves] == [*range(1, len(moves) + 1)]
    assert [each["seat"] for each in moves] == [count % 2 for count in range(len(moves))]
    assert " ".join(each["move"] for each in moves) == answer["moves"]
    assert {each["output"] for each in moves if each["seat"] == seat} == {"here"}
    assert {each["output"] for each in moves if each["seat"] != seat} == {""}
    assert len({each["svg"] for each in moves}) == len(moves)
    assert answer.keys() == {
        *("t", "start", "moves", "end", "winner", "scores", "seat", "problems"),
    }
    assert (answer["start"], answer["seat"]) == ("tictactoe:3,3,3 .../.../... x", seat)
    assert answer["scores"] == [1.0 * (answer["winner"] == each) for each in (0, 1)]
    assert answer["problems"] == []


def test_a_forfeit_of_the_bot_is_a_problem_and_one_of_its_rival_is_none() -> None:
    answer, _ = run(Broken(), run="watch", second=True)
    (problem,) = answer["problems"]
    assert (answer["end"], answer["winner"], problem["kind"]) == ("crash", 0, "crash")
    assert problem["position"].startswith("tictactoe:3,3,3 ")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog, "agent", lambda spec: Broken())
        lost, _ = run(First(), run="watch")
    assert (lost["end"], lost["winner"], lost["problems"]) == ("crash", 0, [])


def test_a_game_for_one_is_watched_without_a_rival() -> None:
    answer, events = run(
        First(), run="watch", game="onet:2,4,2,2", second=True, rival="solver:memory=64"
    )
    assert (answer["seat"], events[1]["seat"], answer["problems"]) == (0, 0, [])
    assert {each["seat"] for each in events[2:]} == {0}


@pytest.mark.parametrize(
    ("order", "key"),
    [
        ({"rival": "nobody"}, "error.unknown_agent_far"),
        ({"game": "chess"}, "error.unknown_game_far"),
    ],
)
def test_a_game_with_nobody_or_of_nothing_is_not_watched(order: dict[str, str], key: str) -> None:
    (problem,) = run(First(), run="watch", **order)[0]["problems"]
    assert problem["why"]["key"] == key


def test_a_watched_game_that_is_stopped_says_so() -> None:
    assert run(First(), lambda: True, run="watch")[0] == {
        "t": "answer",
        "stopped": True,
        "problems": [],
    }


# Its strength.


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_runs, "RIVALS", ("random", "random:seed=5"))
    monkeypatch.setattr(bot_runs, "RATED_GAMES", 8)


@pytest.mark.usefixtures("few_games")
def test_a_bot_is_rated_in_pairs_of_games_against_each_rival() -> None:
    answer, events = run(First(), run="rate")
    games = events[1:]
    assert [each["t"] for each in games] == ["game"] * 8
    assert [each["number"] for each in games] == [*range(1, 9)]
    assert {each["total"] for each in games} == {8}
    assert [each["rival"] for each in games] == ["random"] * 4 + ["random:seed=5"] * 4
    outcomes = [each["outcome"] for each in games]
    scores = answer["strength"]["scores"]
    assert [each["rival"] for each in scores] == ["random", "random:seed=5"]
    for place, score in enumerate(scores):
        own = outcomes[4 * place : 4 * place + 4]
        assert (score["wins"], score["draws"], score["losses"]) == (
            own.count(1),
            own.count(0),
            own.count(-1),
        )
    assert (answer["stopped"], answer["forfeits"], answer["problems"]) == (False, 0, [])
    assert answer["strength"]["games"] == 8


@pytest.mark.usefixtures("few_games")
def test_forfeits_of_a_rated_bot_are_counted_and_the_first_are_shown() -> None:
    answer, _ = run(Broken(), run="rate")
    assert (answer["forfeits"], len(answer["problems"])) == (8, MOST_PROBLEMS)


@pytest.mark.usefixtures("few_games")
def test_a_rating_that_is_stopped_has_what_was_played() -> None:
    asked = iter(range(10**6))
    none, _ = run(First(), lambda: True, run="rate")
    assert none == {
        "t": "answer",
        "strength": None,
        "stopped": True,
        "forfeits": 0,
        "problems": [],
    }
    some, events = run(First(), lambda: next(asked) > 40, run="rate")
    assert some["stopped"] and 0 < len(events) - 1 < 8


@pytest.mark.usefixtures("few_games")
def test_games_for_one_have_no_outcome_of_their_own() -> None:
    _, events = run(First(), run="rate", game="onet:2,4,2,2")
    assert {each["outcome"] for each in events[1:]} == {None}


# As JSON data.


def test_a_strength_has_its_intervals_with_null_for_infinite_ends() -> None:
    score = RivalScore("level:1", 4, 1, 5, Interval(-40.0, -200.0, 100.0))
    found = strength_facts(BotStrength((score,), Interval(7.0, -3.0, float("inf")), 10))
    assert found == {
        "games": 10,
        "elo": {"value": 7.0, "low": -3.0, "high": None},
        "scores": [
            {
                "rival": "level:1",
                "wins": 4,
                "draws": 1,
                "losses": 5,
                "elo": {"value": -40.0, "low": -200.0, "high": 100.0},
            }
        ],
    }


def test_a_problem_has_its_sentence_as_a_key_with_values() -> None:
    problem = BotProblem(PapanError("web.no_puzzle", name="x"), "said", 3, "tictactoe", "timeout")
    assert problem_facts(problem) == {
        "kind": "timeout",
        "output": "said",
        "line": 3,
        "position": "tictactoe",
        "why": {"key": "web.no_puzzle", "values": {"name": "x"}},
    }


@pytest.mark.parametrize(
    ("seconds", "deadline"), [(1.0, LEAST_DEADLINE), (LEAST_DEADLINE, 10), (12.5, 12.5)]
)
def test_a_bot_has_ten_seconds_at_least_and_its_memory_in_the_sandbox(
    monkeypatch: pytest.MonkeyPatch, seconds: float, deadline: float
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(catalog, "external_agent", asked.append)
    own_agent(FILE, seconds)
    assert asked == [f"bot:{FILE},deadline={deadline:g},memory=1024,confined=file"]


def test_a_bot_in_c_is_compiled_beside_its_file_unless_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[tuple[Path, Path]] = []
    monkeypatch.setattr(bot_runs, "compile_bot", lambda *given: compiled.append(given))
    monkeypatch.setattr(catalog, "external_agent", lambda spec: spec)
    main, built = tmp_path / "mybot.c", tmp_path / "mybot.c.compiled"
    spec = f"program:{built},deadline=10,memory=1024,confined=file"
    assert str(own_agent(main, 1)) == spec and compiled == [(main, built)]
    built.touch()
    assert str(own_agent(main, 1)) == spec and len(compiled) == 1
    with pytest.raises(KeyError):
        confined_spec(tmp_path / "mybot.exe", 1)
