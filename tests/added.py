"""What must be true of a game, an agent and a lesson that were added; `test_adding.py` runs it.

There papan is a copy with the examples of the pages: Nim, the agent *middle*, the lesson *climb*.
"""

import inspect
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import papan as library
from papan import api, catalog
from papan.core.message import catalogue
from papan.core.parts import Drawing
from papan.lessons import LESSONS, steps
from papan.web.arena import TournamentOrder, plan_of
from tests import test_games
from tests.agents import test_promises
from tests.cli.conftest import Papan, papan  # noqa: F401 - a fixture
from tests.web.asking import ask

NIM = catalog.game("nim")
ABOUT = "Take one to three matches; whoever takes the last one wins."

PROMISES = [
    pytest.param(promise, id=name)
    for name, promise in vars(test_games).items()
    if name.startswith("test_")
    and promise is not test_games.test_any_space_parts_the_words_of_a_position
]


def test_this_is_the_copy() -> None:
    assert Path(library.__file__).parent == Path(os.environ["PAPAN_COPY"])


def test_t29_a_size_that_nobody_can_play_is_refused() -> None:
    with pytest.raises(library.PapanError, match="1 to 1000 matches"):
        catalog.game("nim:-4")


@pytest.mark.parametrize("promise", PROMISES)
def test_it_keeps_what_every_game_promises(
    promise: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert NIM in test_games.GAMES
    monkeypatch.setattr(test_games, "GAMES", [NIM])
    monkeypatch.setattr(test_games, "SPECS", [NIM.spec])
    given: dict[str, Any] = {"game": NIM, "language": "id"}
    promise(**{name: given[name] for name in inspect.signature(promise).parameters})


def test_it_is_shown_in_notebooks() -> None:
    position = NIM.start().after("3 1")
    assert eval(repr(position), {"papan": library}) == position
    assert str(position) in position._repr_svg_()
    assert Drawing.of(position).graph().name == "moves"
    assert "<svg" in Drawing.of(position).graph()._repr_svg_()


def test_the_tests_of_agents_take_both() -> None:
    tried = {case.id for case in test_promises.CASES}
    assert {"middle nim", "middle dots", "alphabeta nim", "level:3 nim"} <= tried


@pytest.mark.parametrize("limit", test_promises.LIMITS)
@pytest.mark.parametrize("spec", ["nim", "dots:2,2"])
def test_the_agent_keeps_what_every_agent_promises(spec: str, limit: str) -> None:
    position = catalog.position(spec)
    test_promises.test_answers_legally_however_small_the_limit("middle", position, limit)


def test_it_is_in_the_menus_of_the_terminal(papan: Papan) -> None:  # noqa: F811
    assert "Nim" in papan("games", "--lang", "id").out
    assert {"name": "nim", "spec": "nim:21"}.items() <= json.loads(papan("games", "--json").out)[
        -1
    ].items()
    assert "middle" in papan("agents", "--game", "nim").out
    assert "'nim'" in papan("play", "nimm").err


def test_it_has_a_card_a_board_and_agents_in_the_browser() -> None:
    (card,) = (each for each in ask("GET", "/api/v1/games").json() if each["name"] == "nim")
    assert (card["about"], card["sample"], card["presets"]) == (ABOUT, "nim", [])
    assert [option["name"] for option in card["options"]] == ["matches"]
    board = ask("POST", "/api/v1/board", json={"start": "nim", "moves": "3 1"}).json()
    assert [choice["m"] for choice in board["legal"]] == ["1", "2", "3"]
    assert "nim:21 17 1" in board["svg"]
    names = {each["name"] for each in ask("GET", "/api/v1/agents?game=nim").json()}
    assert {"middle", "alphabeta", "mcts", "level"} <= names


def test_it_is_played_solved_and_measured(papan: Papan, tmp_path: Path) -> None:  # noqa: F811
    ran = papan("match", "middle", "random", "--game", "nim:7", "--pairs", "1", "--json")
    assert ran.code == 0, ran.err
    ran = papan("play", "nim:3", "--vs", "middle", "--plain", typed="3\n")
    assert ran.code == 0, ran.err
    assert api.solve("nim:9").value == 1
    assert api.prove("nim:9", tmp_path / "t15.proof") == library.Proved.exactly(1)
    ran = papan("complexity", "nim:5", "--json")
    assert ran.code == 0, ran.err
    standings = api.tournament(["middle", "random"], "nim:7", tmp_path / "cup", pairs=1)
    assert len(standings.games) == 2


def test_it_has_a_page_in_the_help(papan: Papan) -> None:  # noqa: F811
    chapters = ask("GET", "/api/v1/help?language=id").json()
    (page,) = (each for part in chapters for each in part["pages"] if each["name"] == "nim")
    assert page["title"] == "Nim"
    assert ABOUT.split(";")[0] in page["html"] and "/play/nim" in page["html"]
    assert papan("help", "nim").out.startswith("# Nim\n")


def test_it_has_puzzles_made_on_demand(papan: Papan) -> None:  # noqa: F811
    order = ("--theme", "win", "--new", "--count", "1", "--seed", "3", "--json")
    ran = papan("puzzle", "nim:12", *order)
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert found["theme"] == "win"
    position = catalog.position(found["position"])
    assert found["right"] == [str(position.left % 4)]  # type: ignore[attr-defined]
    ran = papan("puzzle", "nim", "--theme", "cross", "--new")
    assert ran.code == 2 and "zugzwang" in ran.err, "a theme of another game"


def test_every_move_is_analysed_and_labelled(papan: Papan) -> None:  # noqa: F811
    ran = papan("solve", "nim:6", "--all-moves")
    assert ran.code == 0, ran.err
    assert {"1: \u22121", "2: +1", "3: \u22121"} <= set(ran.out.splitlines())
    assert papan("analyse", "nim:6", "--agent", "alphabeta").code == 0
    assert papan("doctor").code == 0


def test_a_board_of_x_and_o_needs_its_rules_alone(papan: Papan) -> None:  # noqa: F811
    assert papan("help", "avoid").out.startswith("# Avoid\n")
    ran = papan("puzzle", "avoid:3", "--count", "1", "--seed", "1", typed="")
    assert "Avoid" in ran.out and "game.avoid" not in ran.out
    assert "Making new puzzles of avoid:3" in ran.err
    start = catalog.position("avoid")
    board = ask("POST", "/api/v1/board", json={"start": "avoid", "moves": "b2"}).json()
    assert len(board["spots"]) == 9 and all(each["svg"] for each in board["legal"])
    edited = {"position": "avoid", "spot": "a1", "content": "x"}
    assert ask("POST", "/api/v1/edit", json=edited).json()["problem"] is None
    assert start.image() == start
    turned = [start.after(moves).image() for moves in ("a1", "c3")]
    assert turned[0] != turned[1], "no symmetry is assumed"
    assert api.solve("avoid").exact


def test_the_arena_takes_both() -> None:
    order = TournamentOrder(game="nim:7", agents=["middle", "random"], pairs=1)
    assert plan_of(order, most_memory=1).games == 2


def test_the_lesson_is_told() -> None:
    assert LESSONS["climb"].kind == "algorithm"
    assert len(steps("climb")) > 5
    keys = {"lesson.climb_title", "lesson.climb_about", "lesson.climb_code"}
    assert keys | {step.text.key for step in steps("climb")} <= catalogue("id").keys()
    texts = ask("GET", "/api/v1/texts/id").json()
    assert texts["lesson.climb_title"] == "One step up"
