"""What pages keep for when the server is gone: it is what the server would say then."""

import json
import re
import sys
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path

import pytest

from papan import catalog, puzzles
from papan.core.parts import Card, Setup, Support
from papan.puzzles.themes import lasting
from papan.web.offline import (
    MOST_TURNS,
    OfflineKit,
    offline_facts,
    offline_folders,
    offline_kit,
    puzzle_turns,
)
from papan.web.puzzle_turns import puzzle_turn
from tests.web.asking import ask

TODAY = date(2026, 11, 18)


@pytest.fixture(scope="module")
def kit() -> OfflineKit:
    """What is kept today."""
    return offline_kit(TODAY)


def test_p6_every_own_game_has_a_script_to_be_played_without_the_server() -> None:
    assert offline_folders().keys() == catalog.own_games().keys()
    assert all((folder / "rules.py").is_file() for folder in offline_folders().values())


@pytest.mark.thorough
def test_p6_the_facts_of_a_game_are_those_of_its_boards(kit: OfflineKit) -> None:
    assert kit.games.keys() == catalog.own_games().keys()
    for name, facts in kit.games.items():
        game = catalog.GAMES[name]()
        assert facts.seats == game.seats
        assert facts.counters == [*Card.of(game).counters]
        sizes = [game.spec, *Card.of(game).presets]
        assert set(facts.solved_sizes) <= set(sizes)
        for size in sizes:
            found = Support.of(catalog.game(size)).has_solver
            assert (size in facts.solved_sizes) == found, size


@pytest.mark.thorough
def test_p6_boards_are_dealt_in_every_size_and_on_every_level(
    kit: OfflineKit, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = [kind() for kind in catalog.GAMES.values() if Setup.of(kind()).deal(1) != kind()]
    assert random
    for game in random:
        deals = kit.games[game.name].deals
        for start in deals:
            position = catalog.position(start)
            assert str(position.game.start()) == start == str(position), "not as it was dealt"
        specs = {re.sub(r",seed=\d+", "", each.partition(" ")[0]) for each in deals}
        assert {game.spec, *Card.of(game).presets} <= specs
        assert len(specs) > len(Card.of(game).presets) + 1
        monkeypatch.setattr("papan.web.offline.DEALS", 1)
        monkeypatch.setattr("papan.web.offline.LEVEL_DEALS", 0)
        assert offline_facts(game, 7).deals != offline_facts(game, 8).deals


@pytest.mark.thorough
def test_p6_what_is_kept_of_a_puzzle_is_what_the_server_answers(kit: OfflineKit) -> None:
    known = {each.name: each for each in puzzles.shipped()}
    themes = {(each.game, each.theme) for each in kit.puzzles}
    assert themes == {(each.game, each.theme) for each in puzzles.shipped()}
    for kept in kit.puzzles:
        puzzle = known[kept.name]
        assert (kept.text, kept.rating, kept.theme) == (puzzle.text, puzzle.rating, puzzle.theme)
        assert 1 <= len(kept.turns) <= MOST_TURNS
        assert kept.turns[puzzle.text] == puzzle_turn(puzzle, "")
    for day in (TODAY, TODAY + timedelta(1)):
        name = kit.days.get(str(day))
        assert name in (None, puzzles.daily(day).name)
        assert name is None or name in {each.name for each in kit.puzzles}


@pytest.mark.thorough
def test_p6_every_line_of_right_moves_meets_an_answer_that_is_kept() -> None:
    going_on = [each for each in puzzles.shipped() if lasting(each.theme)]
    kept = [(each, turns) for each in going_on[:12] if (turns := puzzle_turns(each))]
    assert kept
    for puzzle, turns in kept:
        lines = [""]
        for line in lines:
            position = puzzle.position.after(line)
            if position.is_over:
                continue
            turn = turns[str(position)]
            right = turn.answer.right if turn.answer else []
            lines += [" ".join((*line.split(), *turn.reply, move)) for move in right]
            if len(lines) > 40:
                break
        assert len(lines) > 1


def test_p6_a_puzzle_that_branches_too_much_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.web.offline.MOST_TURNS", 0)
    assert puzzle_turns(puzzles.shipped()[0]) == {}


def test_p6_a_cancelled_kit_is_made_no_further() -> None:
    assert offline_kit(TODAY, lambda: True) == OfflineKit(games={}, puzzles=[], days={})


def test_p6_the_server_makes_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def few(day: date, cancelled: object) -> OfflineKit:
        made.append(day)
        return OfflineKit(games={}, puzzles=[], days={})

    monkeypatch.setattr("papan.web.offline.offline_kit", few)
    answer = ask("GET", "/api/v1/offline")
    assert json.loads(answer.content) == {"games": {}, "puzzles": [], "days": {}}
    assert len(made) == 1


def test_p6_a_game_without_a_script_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.web.offline.GAME_SCRIPT", "nothing.js")
    assert offline_folders() == {}
    assert offline_kit(TODAY).puzzles == []


@pytest.mark.parametrize(
    ("file", "offered"),
    [("heaps/rules.py", True), ("heaps/__init__.py", True), ("heaps.py", False)],
)
def test_y7_a_game_is_offered_with_its_script_if_it_has_a_folder(
    file: str, offered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("class Nim: ...", encoding="utf-8")
    (path.parent / "offline.js").touch()
    monkeypatch.syspath_prepend(tmp_path)
    name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    with pytest.MonkeyPatch.context() as patch:
        for each in ("heaps", "heaps.rules"):
            patch.setitem(sys.modules, each, None)  # as before afterwards
            del sys.modules[each]
        patch.setattr(catalog, "GAMES", {"nim": import_module(name).Nim})
        assert offline_folders() == ({"nim": path.parent} if offered else {})


def test_p6_scripts_of_games_import_the_scripts_of_the_pages_alone() -> None:
    for folder in offline_folders().values():
        source = (folder / "offline.js").read_text(encoding="utf-8")
        for line in source.splitlines():
            if line.startswith("import "):
                assert '"../../web/static/js/offline/' in line, line
