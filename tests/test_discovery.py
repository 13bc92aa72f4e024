"""What is found by folder, and what becomes of a folder that is broken."""

import json
from pathlib import Path

import pytest

import papan
from papan import catalog
from papan.games.tictactoe import rules
from tests.copies import copy_of_papan, environment_of_copy
from tests.together import run_together

UNFINISHED = """
from dataclasses import dataclass
from papan.core import Game

@dataclass(frozen=True)
class Unfinished(Game):
    name = "unfinished"
    move_count = 3
"""
FAILING = """
from dataclasses import dataclass
from papan.core import Game

@dataclass(frozen=True)
class Failing(Game):
    name = "failing"
    move_count = 3

    def start(self): raise ValueError("no board")
    def read(self, fields): ...
    def move_name(self, move): ...
    def parse_move(self, text): ...
"""
OFFERING = FAILING.replace("failing", "offering").replace(
    'raise ValueError("no board")', "return None"
)
OFFER = """
from papan.core import Card
from papan.games.offering.rules import Failing

class OfferingCard(Card, game=Failing):
    presets = ("offering", "offering:9")
"""
BROKEN = {
    "games/crashing/rules.py": "import no_such_module",
    "games/misspelt/rules.py": "def start(:",
    "games/quitting/rules.py": "raise SystemExit('no')",
    "games/empty/rules.py": "",
    "games/unfinished/rules.py": UNFINISHED,
    "games/failing/rules.py": FAILING,
    "games/ruleless/rule.py": "",
    "games/onet/lesson.py": "1 / 0",
    "games/dots/drawing.py": "import no_such_module",
    "games/wordless/texts.en.json": "{",
    "games/listed/texts.id.json": "[1]",
    "games/offering/rules.py": OFFERING,
    "games/offering/card.py": OFFER,
    "agents/broken.py": "raise RuntimeError('out of order')",
}
"""Files of a copy of papan that cannot be used."""
REASONS = {
    "papan.games.crashing.rules": "ModuleNotFoundError: No module named 'no_such_module'"
    " (crashing/rules.py, line 1)",
    "papan.games.misspelt.rules": "SyntaxError: invalid syntax (rules.py, line 1)",
    "papan.games.quitting.rules": "SystemExit: no",
    "papan.games.empty.rules": "it defines no game: a class derived from papan.Game",
    "papan.games.unfinished.rules": "the class Unfinished lacks move_name, parse_move, read, start",
    "papan.games.failing.rules.Failing": "ValueError: no board (failing/rules.py, line 10)",
    "papan.games.offering.rules.Failing": "its card offers 'offering:9': ",
    "papan.games.ruleless": "this folder has no rules.py",
    "papan.games.dots.rules.Dots": "ModuleNotFoundError: No module named 'no_such_module'"
    " (dots/drawing.py, line 1)",
    "papan.games.dots.drawing": "ModuleNotFoundError: No module named 'no_such_module'",
    "papan.games.onet.lesson": "ZeroDivisionError: division by zero",
    "games/wordless/texts.en.json": "JSONDecodeError: Expecting property name",
    "games/listed/texts.id.json": "it is not one JSON object with a text for each key",
    "papan.agents.broken": "RuntimeError: out of order (agents/broken.py, line 1)",
}


def test_no_two_agents_have_the_same_name_and_nothing_of_papan_is_broken() -> None:
    catalog.check_files()
    assert catalog.BROKEN == {}


@pytest.mark.thorough
def test_broken_folders_are_listed_by_the_doctor_and_everything_else_works(tmp_path: Path) -> None:
    copy = copy_of_papan(tmp_path)
    for place, text in BROKEN.items():
        (copy / place).parent.mkdir(exist_ok=True)
        (copy / place).write_text(text, encoding="utf-8")

    refused = ("misspelt", "unfinished", "failing", "offering", "dots")
    listed, solved, played, *asked, doctor = run_together(
        environment_of_copy(tmp_path),
        ("games", "--json"),
        ("solve", "tictactoe xx./oo./... x", "--json"),
        ("match", "random", "level:1", "--game", "onet", "--pairs", "1", "--concurrency", "1"),
        *(("solve", name) for name in refused),
        ("doctor", "--json"),
    )
    assert listed.code == 0, listed.err
    assert [each["name"] for each in json.loads(listed.out)] == [
        name for name in papan.GAMES if name != "dots"
    ]
    assert json.loads(solved.out)["value"] == 1, solved.err
    assert played.code == 0, played.err

    for name, answer in zip(refused, asked, strict=True):
        why = next(why for key, why in REASONS.items() if f".{name}." in key)
        assert answer.code == 2 and "papan doctor" in answer.err
        assert why in answer.err, "whoever asks for a broken game is told what is wrong with it"

    assert doctor.code == 1, doctor.err
    broken = {each["name"]: each["why"] for each in json.loads(doctor.out)["broken"]}
    assert REASONS.keys() <= broken.keys()
    beside = {name for name in broken.keys() - REASONS.keys() if ".dots." not in name}
    assert not beside, "only what cannot be used, and what imports it"
    for name, why in REASONS.items():
        assert broken[name].startswith(why)


def test_an_unexpected_error_is_told_with_the_line_of_the_game_that_raised_it() -> None:
    source = Path(rules.__file__).read_text(encoding="utf-8").splitlines()
    number = 1 + source.index("        bit = self.game.bits[move]")
    with pytest.raises(IndexError) as caught:
        papan.position("tictactoe").child(99)
    blamed = catalog.fault_of_addition(caught.value)
    assert blamed is not None
    what = "IndexError: tuple index out of range"
    assert blamed.text("en") == f"tictactoe/rules.py, line {number}: {what}"
    assert blamed.text("id") == f"tictactoe/rules.py, baris {number}: {what}"
    with pytest.raises(ZeroDivisionError) as own:
        print(1 // 0)
    assert catalog.fault_of_addition(own.value) is None, "no game has a part in it"
