"""What only one game knows is in its folder: no other file of papan names a game.

Papers are about games, so they may. A lesson about an algorithm shows it on a board and may name
that board, as people type it; it must not decide by the name of a game. Docstrings and comments
give examples, and texts for people give positions as they are typed.
"""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from papan import catalog
from papan.core.message import LANGUAGES, text_of

SOURCE = Path(__file__).parents[1] / "src" / "papan"
EXCEPTED = ("games", "papers")
GRAPH_THEORY = {"core/graph.py": {"adjacency"}}
"""Words of the field that are the name of a game as well."""
GRAPH_FORMS = {"graph.form_list", "graph.form_matrix"}
"""Texts with such a word."""
SNIPPETS = {"web/static/js/screens/bots.js"}
"""Pages that show a line of a bot's code as an example."""


def apart(name: str) -> str:
    """The words of an identifier, with blanks between them."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", name)


CLASSES = [kind.__name__ for kind in catalog.GAMES.values()]
NAMES = "|".join([*map(str.lower, CLASSES), *(apart(name).lower() for name in CLASSES)])
WORD = re.compile(rf"(?<![a-z])(?:{NAMES})(?![a-z])", re.IGNORECASE)
BOARD = re.compile(rf"(?:{NAMES})(?:[: ].*)?")


@cache
def is_named(text: str) -> bool:
    """Return whether *text*, a name or a string, has the name of a game as a word of its own."""
    return WORD.search(apart(text)) is not None or WORD.search(text) is not None


def prose(nodes: list[ast.AST]) -> set[int]:
    """The strings that stand alone: docstrings of modules, functions, classes and attributes."""
    return {id(node.value) for node in nodes if isinstance(node, ast.Expr)}


def boards(nodes: list[ast.AST]) -> set[int]:
    """The strings that are whole boards, such as ``connect4 4453``, and are not compared."""
    compared = {
        id(part)
        for node in nodes
        if isinstance(node, ast.Compare | ast.match_case)
        for part in ast.walk(node)
    }
    return {
        id(node)
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and BOARD.fullmatch(node.value)
        and id(node) not in compared
    }


def named_in_python(text: str, shows_boards: bool = False) -> Iterator[tuple[int, str]]:
    """The lines of a module that name a game, each with the name or string that does."""
    nodes = [*ast.walk(ast.parse(text))]
    fine = prose(nodes) | (boards(nodes) if shows_boards else set())
    for node in nodes:
        if (words := words_of(node)) and id(node) not in fine and is_named(words):
            yield getattr(node, "lineno", 0), words


def words_of(node: ast.AST) -> str:
    """The name or the string that a node of a module is; empty for all others."""
    match node:
        case ast.Constant(value=str(text)) | ast.Name(id=text) | ast.Attribute(attr=text):
            return text
        case ast.arg(arg=text) | ast.FunctionDef(name=text) | ast.ClassDef(name=text):
            return text
        case ast.alias(name=text) | ast.ImportFrom(module=str(text)):
            return text
    return ""


def named_in_script(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a script or style that name a game outside of comments."""
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r"//.*|/?\*.*", "", line)
        if is_named(code):
            yield number, line.strip()


@pytest.mark.thorough
def test_no_module_outside_of_its_folder_names_a_game() -> None:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE)
        if place.parts[0] in EXCEPTED:
            continue
        fine = GRAPH_THEORY.get(place.as_posix(), set())
        named = named_in_python(path.read_text(encoding="utf-8"), place.parts[0] == "lessons")
        found += [f"{place}:{line} {name}" for line, name in named if name not in fine]
    assert found == []


def test_no_script_and_no_style_names_a_game() -> None:
    static = SOURCE / "web" / "static"
    found = []
    for path in sorted([*static.glob("js/**/*.js"), *static.glob("css/**/*.css")]):
        place = path.relative_to(SOURCE).as_posix()
        if "/vendor/" not in place and place not in SNIPPETS:
            named = named_in_script(path.read_text(encoding="utf-8"))
            found += [f"{place}:{line} {text}" for line, text in named]
    assert found == []


def test_no_key_of_the_shared_texts_names_a_game() -> None:
    text = (SOURCE / "locales" / "en.json").read_text(encoding="utf-8")
    assert [key for key in json.loads(text) if is_named(key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_the_shared_texts_has_the_title_of_a_game(language: str) -> None:
    text = (SOURCE / "locales" / f"{language}.json").read_text(encoding="utf-8")
    titles = [text_of(f"game.{name}", language) for name in catalog.GAMES]
    named = [
        key
        for key, sentence in json.loads(text).items()
        if any(title in sentence for title in titles) and key not in GRAPH_FORMS
    ]
    assert named == []


@pytest.mark.parametrize(
    "code",
    [
        "from papan.games.dots.rules import Dots",
        "names = ('X', 'O') if position.game.name != 'dots' else ('1', '2')",
        "key = f'onet.tile_{number}'",
        "def thrown(game: Onet) -> None: ...",
        "match name:\n    case 'connect4':\n        print(1)",
        "class TicTacToeBoard: ...",
    ],
)
def test_what_knows_a_game_is_found(code: str) -> None:
    assert list(named_in_python(code))
    assert list(named_in_python(code, shows_boards=True))


def test_examples_are_not() -> None:
    assert not list(named_in_python('def f():\n    """Such as ``connect4 4453``."""'))
    lesson = "BOARD = 'tictactoe:3,3,3 xox/.../xo. o'\nHILL = Lesson('hill', 'adjacency', climb)"
    assert list(named_in_python(lesson))
    assert not list(named_in_python(lesson, shows_boards=True))
    assert not list(named_in_python("honeted, polkadots = 1, 2"))
    assert list(named_in_script('const UPRIGHT = ["connect4"];'))
    assert not list(named_in_script("  // such as Connect4"))
