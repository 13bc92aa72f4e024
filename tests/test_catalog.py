"""What names and texts stand for, what is left out, and how it is told what is wrong with it."""

import importlib.metadata
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import papan
from papan import catalog
from papan.agents.external import Bot, Function, Program
from papan.catalog import Broken, external_place, fault_place, is_foreign
from papan.core import (
    Agent,
    Game,
    IllegalMoveError,
    InvalidPositionError,
    InvalidSpecError,
    PapanError,
    Position,
    Thinking,
    WrongTypeError,
)


@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ("bot:my.py", ("bot", "my.py")),
        ("my.py", ("bot", "my.py")),
        ("a:b.py", ("bot", "a:b.py")),
        ("my.py,seed=3", ("bot", "my.py")),
        ("my.py,memory=99,deadline=2,confined=file,unaided=true", ("bot", "my.py")),
        ("bot:a,b.py,seed=1", ("bot", "a,b.py")),
        ("my.py,sed=3", ("bot", "my.py")),
        ("program:./mybot --depth=3,4 x,seed=5", ("program", "./mybot --depth=3,4 x")),
        ("program:run.py", ("program", "run.py")),
        ("program:x,unaided=true", ("program", "x")),
        ("program:", ("program", "")),
        ("random:seed=3", None),
        ("mypy", None),
        ("", None),
    ],
)
def test_a_file_or_a_program_is_named_with_its_options_behind(
    spec: str, place: tuple[str, str] | None
) -> None:
    assert external_place(spec) == place
    assert is_foreign(spec) == (place is not None)


def test_an_agent_of_a_plugin_is_foreign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "PLUGINS", ["greedy"])
    assert [is_foreign(spec) for spec in ("greedy", "greedy:depth=2", "greed")] == [
        True,
        True,
        False,
    ]


def test_a_file_is_built_with_its_options_and_refuses_others(tmp_path: Path) -> None:
    path = tmp_path / "my.py"
    path.touch()
    assert papan.agent_from_user(f"{path},seed=3", memory=99) == Bot(
        seed=3, memory=99, file=str(path)
    )
    assert papan.agent_from_user("program:x y,deadline=2") == Program(run="x y", deadline=2)
    with pytest.raises(InvalidSpecError, match="no option 'sed'"):
        papan.agent_from_user(f"{path},sed=3")
    with pytest.raises(KeyError):
        catalog.external_agent("random")


@pytest.mark.parametrize(
    ("place", "kind", "key"),
    [
        ("nogame", InvalidSpecError, "error.unknown_game_far"),
        ("", InvalidSpecError, "error.unknown_game_far"),
        ("connect4 49", InvalidPositionError, "error.neither_moves_nor_board"),
        (f"connect4 {'9' * 100}", InvalidPositionError, "error.neither_moves_nor_board"),
        (f"connect4 {'9' * 101}", InvalidPositionError, "error.position_form"),
        ("connect4 4!", InvalidPositionError, "error.position_form"),
        ("connect4 4444444", IllegalMoveError, "error.illegal_move_because"),
        ("tictactoe xxx/.../... o", InvalidPositionError, "error.wrong_counts"),
        ("tictactoe x o", InvalidPositionError, "error.not_a_board"),
        ("dots 9 1 1", InvalidPositionError, "dots.not_lines"),
        (5, WrongTypeError, "error.takes_position"),
        (None, WrongTypeError, "error.takes_position"),
    ],
)
def test_what_is_no_position_is_refused_with_the_fault_nearest_to_what_was_meant(
    place: Any, kind: type[PapanError], key: str
) -> None:
    with pytest.raises(PapanError) as caught:
        papan.position(place)
    assert (type(caught.value), caught.value.key) == (kind, key)


def test_a_game_and_an_agent_are_taken_as_they_are_or_with_other_options() -> None:
    game, agent = papan.game("connect4:5,5"), papan.agent("alphabeta:depth=2")
    assert papan.game(game) is game and papan.agent(agent) is agent
    assert papan.game(game, rows=6).spec == "connect4:6,5"
    assert papan.agent(agent, seed=4).spec == "alphabeta:depth=2,seed=4"
    assert papan.agent_from_user(agent, seed=4) == papan.agent(agent, seed=4)
    assert papan.position(game) == game.start() == papan.position(game.start())
    with pytest.raises(InvalidSpecError):
        papan.agent(Program(run="x"), seed=4)


def test_agents_are_listed_by_name_with_their_levels() -> None:
    names = catalog.agent_names()
    assert names == sorted(names) and "level" not in names and "bot" not in names
    assert {"human", "random", "level:1", "level:5", "reservation"} <= {*names}
    onet = catalog.agent_names(papan.game("onet"))
    assert "level:2" not in onet and "genetic" not in onet and "level:3" in onet
    assert catalog.first_game() == next(iter(catalog.GAMES)) and catalog.first_game() in papan.GAMES


def test_a_player_is_an_agent_a_text_or_a_function() -> None:
    def first(position: Position) -> int:
        return position.moves()[0]

    agent = papan.agent("random")
    assert catalog.player(agent) is agent and catalog.player("random") == agent
    assert catalog.player(first) == Function(first)
    wrong: list[Any] = [Function, 5, None]
    for given in wrong:
        with pytest.raises(WrongTypeError, match="is not an agent"):
            catalog.player(given)


def fail() -> None:
    raise ZeroDivisionError("integer division or modulo by zero")


def misspelt() -> None:
    raise SyntaxError("no")


def raised_in(
    tmp_path: Path, *names: str, call: Callable[[], object] = fail, suffix: str = ".py"
) -> BaseException:
    """The error that passes a line 3 of each of these modules, the last one innermost."""
    for name in reversed(names):
        path = tmp_path.joinpath(*name.split(".")).with_suffix(suffix)
        facts = {"__name__": name, "call": call}
        exec(compile("\ndef run():\n    call()\n", str(path), "exec"), facts)
        call = facts["run"]  # type: ignore[assignment]
    with pytest.raises((ZeroDivisionError, SyntaxError)) as caught:
        call()
    return caught.value


def test_the_innermost_line_of_a_package_is_to_blame(tmp_path: Path) -> None:
    error = raised_in(tmp_path, "nim.rules", "nim.more.moves", "nimble.rules", "alone")
    assert fault_place(error, ["nim"]) == ("more/moves.py", 3)
    assert fault_place(error, ["nim.rules"]) == ("nim/rules.py", 3)
    assert fault_place(error, ["nim", "alone"]) == ("alone.py", 3)
    assert fault_place(error, ["nimble"]) == ("nimble/rules.py", 3)
    assert fault_place(error, ["ni", "other"]) is None
    assert fault_place(raised_in(tmp_path, "nim.rules", call=misspelt), ["nim"]) is None
    made = raised_in(tmp_path, "nim.rules", suffix=".made")  # code that is in no file
    assert fault_place(made, ["nim"]) is None


def test_papan_itself_is_never_to_blame_for_an_addition(tmp_path: Path) -> None:
    with pytest.raises(InvalidSpecError) as own:
        papan.Limit(seconds=-1)
    assert catalog.fault_of_addition(own.value) is None
    theirs = catalog.fault_of_addition(raised_in(tmp_path, "papan.games.nim.rules"))
    assert theirs is not None and theirs.values == {
        "error": "ZeroDivisionError: integer division or modulo by zero",
        "file": "nim/rules.py", "line": 3,
    }  # fmt: skip


def test_what_is_wrong_is_told_with_its_line_and_at_most_300_characters(tmp_path: Path) -> None:
    error = raised_in(tmp_path, "nim.rules")
    said = "ZeroDivisionError: integer division or modulo by zero"
    broken = Broken("nim", "papan", error, "nim")
    assert broken.why("en") == f"{said} (nim/rules.py, line 3)"
    assert broken.why("id") == f"{said} (nim/rules.py, baris 3)"
    assert Broken("nim", "papan", error).reason == said == Broken("n", "?", error, "dots").why("en")
    assert Broken("n", "?", ValueError("x" * 400)).reason == f"ValueError: {'x' * 288}"
    known = PapanError("plugin.no_rules")
    assert Broken("n", "?", known, "nim").reason is known
    assert Broken("n", "?", known).why("en").startswith("this folder has no rules.py")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> dict[str, Broken]:
    found: dict[str, Broken] = {}
    monkeypatch.setattr(catalog, "BROKEN", found)
    return found


def test_modules_come_in_order_and_those_that_fail_are_left_out(
    broken: dict[str, Broken], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"b.py": "", "a.py": "1 / 0", "c/__init__.py": "", "d/e.py": "", "f.txt": ""}
    for name, text in {**files, "g.py": "raise SystemExit(3)", "_h.py": "1 / 0"}.items():
        path = tmp_path / "parts_to_find" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    known = broken["parts_to_find.g"] = Broken("parts_to_find.g", "papan", SystemExit("sooner"))
    try:
        found = [module.__name__ for module in catalog.modules("parts_to_find", "[!_]*")]
    finally:
        for name in [name for name in sys.modules if name.startswith("parts_to_find")]:
            del sys.modules[name]
    assert found == ["parts_to_find.b", "parts_to_find.c"]
    assert {name: type(each.error) for name, each in broken.items()} == {
        "parts_to_find.a": ZeroDivisionError,
        "parts_to_find.g": SystemExit,
    }
    assert broken["parts_to_find.g"] is known, "what was wrong with it first"
    assert {(each.name, each.package) for each in broken.values()} == {
        ("parts_to_find.a", "papan"),
        ("parts_to_find.g", "papan"),
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it defines no game: "),
        ("from papan.core import Agent, Game, Position", "it defines no game: "),
        ("from papan.core import Game\nclass Nim(Game): name = 'nim'", "the class Nim lacks "),
        ("from papan.core import Agent\nclass Nim(Agent): name = 'nim'", "it defines no game: "),
    ],
    ids=["empty", "imports", "unfinished", "agent"],
)
def test_y7_a_file_that_only_imports_what_games_are_made_of_defines_none(
    broken: dict[str, Broken],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    why: str,
) -> None:
    (tmp_path / "heaps").mkdir()
    (tmp_path / "heaps" / "rules.py").write_text(text, encoding="utf-8")
    package = ModuleType("papan.games")
    package.__path__ = [str(tmp_path)]
    for name in ("papan.games.heaps", "papan.games.heaps.rules"):
        monkeypatch.setitem(sys.modules, name, package)  # what is there before is so afterwards
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "papan.games", package)
    assert catalog.own_games() == {}
    [[name, found]] = broken.items()
    assert name == "papan.games.heaps.rules" and found.why("en").startswith(why)


def named(name: str, module: str) -> type[Agent]:
    """A class of agents of this name, as *module* would define it."""
    kind = type("Made", (Middle,), {"name": name, "__module__": module})
    return dataclass(kind)


def test_agents_of_papers_come_last_and_take_no_names(
    broken: dict[str, Broken], monkeypatch: pytest.MonkeyPatch
) -> None:
    def modules(package: str, pattern: str) -> list[ModuleType]:
        module = ModuleType(f"{package}.made")
        names = {"papan.agents": ("z", "y", "same"), "papan.games": ("b", "same", "a")}[package]
        for each in names:
            setattr(module, f"Made_{each}", named(each, module.__name__))
        module.Imported = named("elsewhere", "other.made")  # type: ignore[attr-defined]
        module.Near = named("near", f"{module.__name__}_too")  # type: ignore[attr-defined]
        module.Below = named(f"below_{package[-5:]}", f"{module.__name__}.part")  # type: ignore[attr-defined]
        module.Nameless = type("Nameless", (Middle,), {"__module__": module.__name__})  # type: ignore[attr-defined]
        return [module]

    monkeypatch.setattr(catalog, "modules", modules)
    assert [*catalog.own_agents()] == ["below_gents", "same", "y", "z", "a", "b", "below_games"]
    assert {name: each.why("en") for name, each in broken.items()} == {
        "papan.games.made.Made": "the name 'same' is taken already",
    }


def test_games_are_in_the_order_of_menus() -> None:
    assert [*catalog.own_games()] == ["tictactoe", "connect4", "dots", "adjacency", "onet"]


def test_why_a_game_is_broken_is_said_to_who_asks_for_it(broken: dict[str, Broken]) -> None:
    for key, why in (
        ("papan.games.nim.rules.Nim", "no moves"),
        ("papan.games:go", "no board"),
        ("papan.games.nimble.rules", "too quick"),
    ):
        broken[key] = Broken(key, "papan", ValueError(why))
    for name, why in (("nim", "no moves"), ("go", "no board"), ("nimble", "too quick")):
        with pytest.raises(InvalidSpecError, match=why):
            papan.game(name)
    with pytest.raises(InvalidSpecError) as unknown:
        papan.game("ni")
    assert unknown.value.key != "error.broken_game"


class Point(NamedTuple):
    """An entry point."""

    name: str
    value: str
    offered: object
    dist: Any = None

    @property
    def module(self) -> str:
        return self.value.partition(":")[0]

    def load(self) -> object:
        if isinstance(self.offered, Exception):
            raise self.offered
        return self.offered


@dataclass
class Middle(Agent):
    """An agent of a plug-in."""

    name = "middle"

    def decide(self, position: Position, thinking: Thinking) -> papan.Analysis:
        return papan.Analysis((position.moves()[0],))


@dataclass
class Liar(Middle):
    """An agent whose text begins with another name."""

    name = "liar"
    spec = "honest:liar"


@dataclass
class Other(Middle):
    """Another one."""

    name = "other"


class Package(NamedTuple):
    """The package of an entry point."""

    name: str


def test_what_packages_offer_is_taken_in_order_or_listed_with_its_fault(
    broken: dict[str, Broken], monkeypatch: pytest.MonkeyPatch
) -> None:
    points = [
        Point("z", "plug.z:Other", Other),
        Point("n", "plug.n:Middle", Middle, Package("plugged")),
        Point("m", "plug.m:Middle", Middle),
        Point("l", "plug.l:Liar", Liar),
        Point("g", "plug.g:Game", Game),
        Point("e", "plug.e:gone", ImportError("gone")),
        Point("f", "plug.f:x", 5),
    ]
    asked: list[str] = []

    def entry_points(group: str) -> list[Point]:
        asked.append(group)
        return points

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    assert catalog.plugins("papan.agents", Agent, {"random"}) == {  # type: ignore[type-abstract]
        "middle": Middle,
        "other": Other,
    }
    assert asked == ["papan.agents"]
    assert {key: each.why("en") for key, each in broken.items()} == {
        "papan.agents:e": "ImportError: gone",
        "papan.agents:f": "plug.f:x is not a class derived from papan.Agent",
        "papan.agents:g": "plug.g:Game is not a class derived from papan.Agent",
        "papan.agents:l": "its name 'liar' is not how its text 'honest:liar' begins",
        "papan.agents:n": "the name 'middle' is taken already",
    }
    places = {(each.name, each.package, each.code) for each in broken.values()}
    assert places == {(name, "?", "plug") for name in "efgl"} | {("n", "plugged", "plug")}
    broken.clear()
    taken = {"other", "middle"}
    assert catalog.plugins("papan.agents", Agent, taken) == {}  # type: ignore[type-abstract]
    assert {"papan.agents:m", "papan.agents:n", "papan.agents:z"} <= broken.keys()


def test_texts_that_cannot_be_read_are_listed(
    broken: dict[str, Broken], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "games/nim/rules.py": "", "games/nim/texts.en.json": "{", "games/nim/texts.id.json": "[1]",
        "games/bare/moves.py": "", "games/empty/notes.txt": "", "games/_own/x.py": "",
    }  # fmt: skip
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    seen: list[tuple[str, str]] = []

    def modules(package: str, pattern: str) -> list[ModuleType]:
        seen.append((package, pattern))
        return []

    monkeypatch.setattr(catalog, "_PACKAGE", tmp_path)
    monkeypatch.setattr(catalog, "modules", modules)
    catalog.check_files()
    assert seen == [("papan.games", "*/[!_]*.py"), ("papan.agents", "[!_]*")]
    assert {name: each.why("en")[:20] for name, each in broken.items()} == {
        "papan.games.bare": "this folder has no r",
        "games/nim/texts.en.json": "JSONDecodeError: Exp",
        "games/nim/texts.id.json": "it is not one JSON o",
    }
