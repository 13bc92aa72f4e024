"""Everything papan says, it says in both languages."""

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from papan import catalog
from papan.cli import app
from papan.core.message import LANGUAGES, catalogue, text_of
from papan.terminal.output import agent_title, use_language

SYMBOLS = ("x", "o", "en", "id")
"""Choices that are the same in every language."""
SOURCE = Path(__file__).parents[1] / "src" / "papan"


def placeholders(text: str) -> set[str]:
    names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    return {name.split("|")[0] for name in names}


def keys_in_the_source() -> set[str]:
    """Every text in the source that has the look of a key, such as ``error.illegal_move``.

    A text that ends in ``_`` is the beginning of several keys.
    """
    roots = {key.split(".")[0] for key in catalogue("en")}
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                head, dot, tail = node.value.partition(".")
                if dot and head in roots and tail.replace("_", "").replace(".", "").isalnum():
                    found.add(node.value)
    return {key for key in found if not key.endswith("_")}


def texts_in_the_source() -> str:
    paths = [path for ending in ("py", "js", "html") for path in SOURCE.rglob(f"*.{ending}")]
    paths += [SOURCE / "papers" / "papers.json", *SOURCE.glob("papers/*/paper.json")]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def composed_keys(source: str) -> Iterator[re.Pattern[str]]:
    """What keys look like that the source composes, such as ``f"end.{record.end}"``."""
    part = r"(?:\w|\$?\{[^{}]*\})*"
    for key in re.findall(rf"""["'`]((?:[a-z]|\$\{{game\}}){part}\.{part})["'`]""", source):
        yield _pattern(key)
    paths = (*SOURCE.glob("lessons/*.py"), *SOURCE.glob("games/*/lesson.py"))
    lessons = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    for key in re.findall(rf"""f["']({part})["']""", lessons):  # they leave out the first word
        yield _pattern(f"lesson.{key}")


def _pattern(key: str) -> re.Pattern[str]:
    parts = re.split(r"\$?\{[^}]*\}", key)
    return re.compile(r"([\w-]+)".join(map(re.escape, parts)))


def keys_of_the_help(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The keys that commands and options have by their names."""
    said = set[str]()

    def note(key: str, **values: object) -> str:
        said.add(key)
        return text_of(key, **values)

    monkeypatch.setattr(app, "say", note)
    app.build(app.COMMANDS)
    return said


def test_the_catalogues_have_the_same_keys() -> None:
    assert catalogue("en").keys() == catalogue("id").keys()


@pytest.mark.thorough
def test_a_text_speaks_of_the_same_values_in_each_language() -> None:
    for key in catalogue("en"):
        texts = [catalogue(language)[key] for language in LANGUAGES]
        assert placeholders(texts[0]) == placeholders(texts[1]), key
        assert all(texts), key


@pytest.mark.thorough
def test_every_key_in_the_source_is_in_the_catalogue() -> None:
    assert keys_in_the_source() - catalogue("en").keys() == set()


@pytest.mark.thorough
def test_every_key_in_the_catalogue_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    source = texts_in_the_source()
    words = {*re.findall(r"[\w-]+", source), *re.findall(r"\w+", source), *string.digits}
    used = {*re.findall(r"""["'`](\w+\.[\w.]+)["'`]""", source), *keys_of_the_help(monkeypatch)}
    patterns = [each for each in composed_keys(source) if not each.match("option.any")]
    for key in catalogue("en").keys() - used:
        found = filter(None, (pattern.fullmatch(key) for pattern in patterns))
        assert any(words.issuperset(match.groups()) for match in found), f"{key} is never said"


def test_an_unknown_key_speaks_for_itself() -> None:
    assert text_of("A plug-in's own sentence.", "id") == "A plug-in's own sentence."


@pytest.mark.parametrize("language", LANGUAGES)
def test_u23_every_agent_has_a_name_for_people(language: str) -> None:
    named = {*catalog.AGENTS, *catalog.EXTERNAL} - {*catalog.PLUGINS, "human", "level"}
    names = [text_of(f"agent_name.{each}", language) for each in named]
    assert all(name[0].isupper() for name in names)
    assert len(set(names)) == len(names)


def test_u23_a_terminal_names_agents_and_what_to_type_for_them() -> None:
    use_language("id")
    assert agent_title("random") == "Acak (random)"
    assert agent_title("level:2") == "Tingkat 2 (level:2)"
    use_language("en")
    assert agent_title("minimax") == "Minimax"
    assert agent_title("my-own:depth=2") == "My own (my-own:depth=2)"


def words_not_used() -> set[str]:
    """The last column of the tables in docs/glossary.md."""
    glossary = (SOURCE.parents[1] / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = [line.strip("|").split("|") for line in glossary.splitlines() if line.startswith("|")]
    words = {word for row in rows for word in re.split(r",\s*", row[-1].strip()) if word}
    return words - {"---", "not used"}


def names_in(path: Path) -> Iterator[str]:
    """What a module gives a name to: itself, classes, functions, arguments and variables.

    Fields of classes may be names on the wire or in files; tests are sentences.
    """
    yield path.stem
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    fields = {
        node.target for each in classes for node in each.body if isinstance(node, ast.AnnAssign)
    }
    for node in nodes:
        match node:
            case ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if not name.startswith("test_"):
                    yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                if node not in fields:
                    yield name


@cache
def words_in(name: str) -> list[str]:
    """The words of a name such as ``LineProcess`` or ``first_move``, in small letters."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


@pytest.mark.thorough
def test_names_are_words_of_the_glossary() -> None:
    unused = words_not_used()
    assert len(unused) > 20
    root = SOURCE.parents[1]
    for folder in ("src/papan", "tests", "benchmarks", "tools"):
        for path in (root / folder).rglob("*.py"):
            letters = {path.stem, *re.findall(r"[A-Za-z]+", path.read_text(encoding="utf-8"))}
            if unused.isdisjoint(part for each in letters for part in words_in(each)):
                continue  # few files have to be read as Python
            for name in names_in(path):
                wrong = unused.intersection(words_in(name))
                assert not wrong, f"{path}: {name}; docs/glossary.md has another word for it"


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "1 tile left \u00b7 0 pairs available"), ("2", "2 tiles left \u00b7 0 pairs available")],
)
def test_u23_one_thing_is_not_many_things(count: object, text: str) -> None:
    assert text_of("onet.left", tiles=count, pairs=0) == text


def test_u23_a_sentence_begins_with_a_capital_letter() -> None:
    assert text_of("web.moved", player="player 1", move="b2") == "Player 1 plays b2."


def test_u22_nobody_wins_by_a_win() -> None:
    for language in LANGUAGES:
        assert "(" not in text_of("play.won_win", language, player="player 1")


def test_u14_every_choice_of_a_setting_has_words_of_its_own() -> None:
    for kind in (*catalog.AGENTS.values(), *catalog.GAMES.values()):
        for name, hint in get_type_hints(kind).items():
            if get_origin(hint) is not Literal:
                continue
            for choice in {*get_args(hint)}.difference(SYMBOLS):
                keys = {f"web.choice_{name}_{choice}", f"web.choice_{choice}"}
                assert all(keys & {*catalogue(language)} for language in LANGUAGES), keys
