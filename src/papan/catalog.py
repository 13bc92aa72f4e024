"""Find every game and every agent, and build them from text.

There is no list to edit: a folder in ``papan/games`` with a ``rules.py`` is a game. A module in
``papan/agents``, and the ``paper.py`` of a game, bring agents; entry points of other packages both.
One that fails to load is left out and listed in `BROKEN`; all others work.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import MISSING, dataclass, fields
from importlib import import_module
from inspect import isabstract
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, TypeVar

from papan.agents.external import Bot, ExternalAgent, Function, Program
from papan.core import (
    Agent,
    Game,
    InvalidMoveError,
    InvalidPositionError,
    InvalidSpecError,
    PapanError,
    Place,
    Position,
    WrongTypeError,
)
from papan.core.errors import in_one_line
from papan.core.message import texts_in
from papan.core.parts import PARTS, Card, Support
from papan.core.spec import build_from_spec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T", Game, Agent)

_PACKAGE = Path(__file__).parent


@dataclass(frozen=True)
class Broken:
    """A file or an entry point that cannot be used, the package it comes from, and the error.

    *name* is that of the file, class or entry point, such as ``papan.games.nim.rules``; *package*
    is "papan", the plug-in's package, or "?".
    """

    name: str
    package: str
    error: BaseException
    code: str = ""
    """The package or module whose lines are to blame, such as ``papan.games.nim``; empty if none
    is known."""

    def why(self, language: str) -> str:
        """Return in one line, in *language* ("en" or "id"), what is wrong with it, and where.

        Errors of Python are in English, of at most 300 characters.
        """
        reason = self.reason
        return reason.text(language) if isinstance(reason, PapanError) else reason

    @property
    def reason(self) -> PapanError | str:
        """What is wrong with it, with the file and the line in `code` that it comes from, if any.

        A text has at most 300 characters.
        """
        error = self.error
        why = error if isinstance(error, PapanError) else in_one_line(error)[:300]
        place = fault_place(error, (self.code,)) if self.code else None
        if not place:
            return why
        file, line = place
        return PapanError("plugin.at", why=why, file=file, line=line)


def fault_place(error: BaseException, packages: Iterable[str]) -> tuple[str, int] | None:
    """Return the innermost line of *packages* that *error* has passed: its file and number.

    *packages* are names of packages, with all below them, or of modules. In a package the file is
    named with its folder: ``("nim/rules.py", 12)``. None if there is no such line, and for a
    SyntaxError, whose own text has it.
    """
    if isinstance(error, SyntaxError):
        return None
    starts = tuple(f"{each}." for each in packages)
    place = None
    for frame, line in walk_tb(error.__traceback__):
        path, module = Path(frame.f_code.co_filename), str(frame.f_globals.get("__name__"))
        if f"{module}.".startswith(starts) and path.suffix == ".py":
            place = "/".join(path.parts[-2:]) if "." in module else path.name, line
    return place


def fault_of_addition(error: BaseException) -> PapanError | None:
    """Return a sentence on *error* with the line of a game, an agent or a plug-in to blame for it.

    It is the innermost such line that *error* has passed. None if there is none, as the fault then
    is papan's own; None also for a SyntaxError, whose own text has its place.
    """
    foreign = {each.__module__.partition(".")[0] for each in (*GAMES.values(), *AGENTS.values())}
    place = fault_place(error, {"papan.games", "papan.agents", *foreign} - {"papan"})
    if place is None:
        return None
    return PapanError("plugin.raised", error=in_one_line(error)[:300], file=place[0], line=place[1])


BROKEN: dict[str, Broken] = {}
"""Games and agents left out because they cannot be used; ``papan doctor`` shows them.

By the name of a module or class, or for a plug-in by its entry point: ``papan.games:nim``.
"""
PLUGINS: list[str] = []
"""Names of the games and agents that other packages provide."""


def _failed(name: str, error: BaseException) -> None:
    """Record in `BROKEN`, under *name*, that a file or class of papan's own cannot be used.

    The first *error* of a name stays.
    """
    code = ".".join(name.split(".")[:3])  # papan.games.nim: the other files of a folder, too
    BROKEN.setdefault(name, Broken(name, "papan", error, code))


def modules(package: str, pattern: str) -> Iterator[ModuleType]:
    """Import the modules of a package whose files match a glob, such as ``*/rules.py``; yield them.

    A folder that matches counts if it is a package. They come in the order of their paths. Those
    that fail are left out and put into `BROKEN`.
    """
    for folder in map(Path, import_module(package).__path__):
        for path in sorted(folder.glob(pattern)):
            if path.suffix == ".py" or path.joinpath("__init__.py").exists():
                name = ".".join((package, *path.relative_to(folder).with_suffix("").parts))
                try:
                    module = import_module(name)
                except (
                    Exception,
                    SystemExit,
                ) as error:  # one broken file leaves all others working
                    _failed(name, error)
                else:
                    yield module


def own_games() -> dict[str, type[Game]]:
    """Return the classes of games in papan's folder, by name, in the order of menus.

    Classes that fail are left out and put into `BROKEN`, as are modules that fail or have no game.
    """
    found: dict[str, type[Game]] = {}
    for module in modules("papan.games", "*/rules.py"):
        kinds = list(_classes(module, Game))  # type: ignore[type-abstract]
        if not kinds:
            _failed(module.__name__, _no_game(module))
        _add(found, kinds, module)
    return dict(sorted(found.items(), key=lambda each: (Card.of(each[1]()).order, each[0])))


def own_agents() -> dict[str, type[Agent]]:
    """Return the classes of agents in papan's folders, by name, in alphabetical order.

    Agents from the ``paper.py`` of a game come after all others. Modules and classes that fail are
    left out and put into `BROKEN`.
    """
    found: dict[str, type[Agent]] = {}
    for package, pattern in (("papan.agents", "[!_]*"), ("papan.games", "*/paper.py")):
        here: dict[str, type[Agent]] = {}
        for module in modules(package, pattern):
            _add(here, _classes(module, Agent), module, found)  # type: ignore[type-abstract]
        found |= dict(sorted(here.items()))
    return found


def _add(
    found: dict[str, type[T]],
    kinds: Iterable[type[T]],
    module: ModuleType,
    taken: Iterable[str] = (),
) -> None:
    """Add the classes *kinds* of a module to *found*, by name; put those that fail into `BROKEN`.

    Those fail that `_usable` refuses. *taken* are names that they may not have, besides those in
    *found*.
    """
    for kind in kinds:
        try:
            found[kind.name] = _usable(kind, (*found, *taken))
        except (Exception, SystemExit) as error:
            _failed(f"{module.__name__}.{kind.__name__}", error)


def _classes(module: ModuleType, kind: type[T]) -> Iterator[type[T]]:
    """Yield the games or agents (*kind*) that a name alone builds, of *module* and those below."""
    for each in vars(module).values():
        here = isinstance(each, type) and f"{each.__module__}.".startswith(f"{module.__name__}.")
        if here and issubclass(each, kind) and _own(each):
            yield each


def _no_game(module: ModuleType) -> PapanError:
    """Return the error for a module without a game: one that lacks methods, or none at all."""
    for each in vars(module).values():
        own = isinstance(each, type) and each.__module__ == module.__name__
        if own and issubclass(each, Game) and isabstract(each):
            lacking = ", ".join(sorted(each.__abstractmethods__))
            return PapanError("plugin.lacks_methods", name=each.__name__, methods=lacking)
    return PapanError("plugin.no_game")


def _own(kind: type[Game] | type[Agent]) -> bool:
    """Return whether a name alone can build *kind*.

    That is so if the class has a `name` of its own, no method is abstract, and every setting has a
    default.
    """
    if "name" not in vars(kind) or isabstract(kind):
        return False
    return all((each.default, each.default_factory) != (MISSING, MISSING) for each in fields(kind))


def _usable(kind: type[T], taken: Collection[str]) -> type[T]:
    """Return *kind* if it can be used; raise PapanError if not, and what its code raises.

    Its name must not be in *taken*, and the spec of what it builds must begin with that name; of an
    `ExternalAgent` only the first is checked. For a game it must also be possible to start it and
    to import the files of its parts, and every preset of its card must be a spec of it.
    """
    if kind.name in taken:
        raise PapanError("plugin.name_taken", taken=kind.name)
    if issubclass(kind, ExternalAgent):  # which needs a place
        return kind
    built = kind()
    if built.spec.partition(":")[0] != kind.name:
        raise PapanError("plugin.wrong_name", name=kind.name, spec=built.spec)
    if isinstance(built, Game):
        built.start()
        for part in PARTS:
            part.class_for(type(built))
        _check_presets(built)
    return kind


def _check_presets(game: Game) -> None:
    """Raise PapanError for the first preset of the card of *game* that is no spec of this game."""
    for preset in Card.of(game).presets:
        try:
            build_from_spec(preset, {game.name: type(game)}, "game")
        except PapanError as error:
            raise PapanError("plugin.bad_preset", preset=preset, why=error) from error


def plugins(group: str, kind: type[T], taken: Collection[str]) -> dict[str, type[T]]:
    """Return the classes of *kind* that other packages offer in an entry point group, by name.

    The group is ``papan.games`` or ``papan.agents``. Those that fail, or that have one of the names
    *taken*, are left out and put into `BROKEN`.
    """
    from importlib.metadata import entry_points  # most people have no plug-in: it takes long

    found: dict[str, type[T]] = {}
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        try:
            offered = _offered(point, kind)
            found[offered.name] = _usable(offered, {*taken, *found})
        except (Exception, SystemExit) as error:  # code of others may raise anything
            key, package = f"{group}:{point.name}", point.dist.name if point.dist else "?"
            code = point.module.partition(".")[0]
            BROKEN[key] = Broken(point.name, package, error, code)
    return found


def _offered(point: EntryPoint, kind: type[T]) -> type[T]:
    """Return the class behind an entry point; raise PapanError if it is not derived from *kind*.

    Raise also whatever loading it raises.
    """
    offered = point.load()
    if not (isinstance(offered, type) and issubclass(offered, kind)):
        raise PapanError("plugin.wrong_kind", value=point.value, kind=kind.__name__)
    return offered


EXTERNAL: dict[str, type[ExternalAgent]] = {Bot.name: Bot, Program.name: Program}
"""Agents that run code of the user's: a file, a program. See `agent_from_user`."""

GAMES: dict[str, type[Game]] = own_games()
"""Every game that can be used, by name, in the order of menus."""
AGENTS: dict[str, type[Agent]] = {
    name: kind for name, kind in own_agents().items() if name not in EXTERNAL
}
"""Every agent that can be used, by name."""


def load_plugins() -> None:
    """Add the games and agents of other packages to `GAMES`, `AGENTS` and `PLUGINS`.

    Call it once, when papan itself can be imported. Those that fail are put into `BROKEN`.
    """
    games = plugins("papan.games", Game, GAMES)  # type: ignore[type-abstract]
    agents = plugins("papan.agents", Agent, {*AGENTS, *EXTERNAL})  # type: ignore[type-abstract]
    GAMES.update(games)
    AGENTS.update(agents)
    PLUGINS.extend((*games, *agents))


def check_files() -> None:
    """Import every module of games and agents, read games' texts; put what fails into `BROKEN`.

    A folder in ``papan/games`` with Python files but without a ``rules.py`` is put there, too. Most
    modules are imported only when they are used; ``papan doctor`` tries them all.
    """
    for package, pattern in (("papan.games", "*/[!_]*.py"), ("papan.agents", "[!_]*")):
        for _ in modules(package, pattern):
            pass
    for folder in sorted(_PACKAGE.glob("games/[!_.]*/")):
        if not folder.joinpath("rules.py").exists() and any(folder.glob("*.py")):
            _failed(f"papan.games.{folder.name}", PapanError("plugin.no_rules"))
    for path in sorted(_PACKAGE.glob("games/*/texts.*.json")):
        try:
            texts_in(path)
        except (OSError, ValueError) as error:
            known = isinstance(error, OSError | UnicodeError | json.JSONDecodeError)
            why = error if known else PapanError("plugin.bad_texts")
            _failed(path.relative_to(_PACKAGE).as_posix(), why)


def first_game() -> str:
    """Return the name of the game that stands first in menus: the default where none is named.

    Raise StopIteration if no game can be used.
    """
    return next(iter(GAMES))


def agent_names(plays: Game | None = None) -> list[str]:
    """Return the names of all agents, or only of those that play *plays*, in alphabetical order.

    Levels are among them, as ``level:3``; agents that are files or programs are not.
    """
    levels = [f"level:{number}" for number in Card.levels]
    names = sorted((*(name for name in AGENTS if name != "level"), *levels))
    return [name for name in names if plays is None or agent(name).plays(plays)]


def game(spec: str | Game, **options: object) -> Game:
    """Return the game that *spec* names, such as ``tictactoe`` or ``tictactoe:15,15,5``.

    *options* are those of the game, such as ``rows=7``. A game is taken, too: without options it
    stays as it is, with them a changed one is returned. Raises InvalidSpecError if there is no such
    game or it refuses its options, WrongTypeError if *spec* is neither text nor a game.
    """
    if isinstance(spec, Game):
        spec = spec.spec if options else spec
    elif not isinstance(spec, str):
        raise WrongTypeError("error.takes_game", given=repr(spec)[:80])
    if isinstance(spec, Game):
        return spec
    name = spec.partition(":")[0]
    why = None if name in GAMES else _why_broken(name)
    if why is not None:
        raise InvalidSpecError("error.broken_game", name=name, why=why)
    return build_from_spec(spec, GAMES, "game", **options)


def _why_broken(name: str) -> PapanError | str | None:
    """Return what is wrong with the game in the folder *name*, or with the entry point *name*.

    It is the `Broken.reason` of the first such entry of `BROKEN`; None if it has none.
    """
    for key, each in BROKEN.items():
        if key == f"papan.games:{name}" or f"{key}.".startswith(f"papan.games.{name}."):
            return each.reason
    return None


def agent(spec: str | Agent, **settings: object) -> Agent:
    """Return the agent that *spec* names, such as ``random`` or ``alphabeta:depth=4``.

    *settings* are those of the agent, such as ``depth=4``. It runs only what is installed, so
    *spec* may come from anyone: a file, the web. An agent is taken, too: without settings it stays
    as it is, with them a changed one is returned. Raises InvalidSpecError if there is no such agent
    or it refuses its settings, WrongTypeError if *spec* is neither text nor an agent.
    """
    if isinstance(spec, Agent):
        if not settings:
            return spec
        spec = spec.spec
    if not isinstance(spec, str):
        raise WrongTypeError("error.takes_agent_text", given=repr(spec)[:80])
    if external_place(spec):
        raise InvalidSpecError("error.not_installed", agent=spec)
    return build_from_spec(spec, AGENTS, "agent", **settings)


def agent_from_user(spec: str | Agent, **settings: object) -> Agent:
    """Return the agent that *spec* names, which may also be a file or a program of the user's.

    ``bot:mybot.py`` or just ``mybot.py``, and ``program:./mybot --fast``. They run with all rights
    of the user: only for what the user has typed, never for text that came from elsewhere. Raises
    InvalidSpecError or WrongTypeError as `agent` does, and for a file or a program PapanError as
    `external_agent` does.
    """
    if isinstance(spec, Agent) and settings:
        spec = spec.spec
    if isinstance(spec, str) and external_place(spec):
        return external_agent(spec, **settings)
    return agent(spec, **settings)


def external_place(spec: str) -> tuple[str, str] | None:
    """Return the kind of a user's agent, and its place; None for all other agents.

    They are ``("bot", path)`` or ``("program", command)``. Whether there is such a file is not
    checked.
    """
    name, where, _ = _external(spec)
    return (name, where) if name in EXTERNAL else None


def is_foreign(spec: str) -> bool:
    """Return whether *spec*, of an agent, names code outside papan: a file, a program, a plug-in.

    Names of plug-ins are those in `PLUGINS`, of games, too. The text is not checked otherwise:
    False for a name that neither papan nor a plug-in has.
    """
    return external_place(spec) is not None or spec.partition(":")[0] in PLUGINS


def external_agent(spec: str, **settings: object) -> ExternalAgent:
    """Return the agent that is a file or a program; *spec* must be trusted.

    *settings* are those of the agent, such as ``seed=1``. Raises InvalidSpecError if it refuses
    them, or there is no such Python file or no command, another PapanError if it shall be confined
    and there is no sandbox here, KeyError if *spec* has no `external_place`.
    """
    name, where, options = _external(spec)
    place = {EXTERNAL[name].where: where}
    text = f"{name}:{options}" if options else name
    return build_from_spec(text, EXTERNAL, "agent", **settings, **place)


def _external(spec: str) -> tuple[str, str, str]:
    """Return the name, the place and the options in *spec*: ``bot``, ``my.py``, ``seed=1``.

    ``my.py`` alone means ``bot:my.py``. The options are empty if there are none; a command may
    contain any character. Of other agents the parts mean nothing.
    """
    place, *options = re.split(r",(?=(?:seed|deadline|memory|confined|unaided)=)", spec)
    if unknown := re.fullmatch(r"([^,]+\.py),(\w+=[^,]*)", place):  # one that is misspelt
        place, options = unknown[1], [unknown[2], *options]
    name, _, where = place.partition(":")
    if place.endswith(".py") and name not in EXTERNAL:
        name, where = Bot.name, place
    return name, where, ",".join(options)


def position(place: Place) -> Position:
    """Return the position that a text describes: ``tictactoe``, ``connect4 4453``, a whole board.

    A spec alone means the start of that game; moves may follow it, or the fields of a position. A
    game stands for its start, and a position for itself. Raises InvalidSpecError for an unknown
    game, InvalidPositionError for text after the spec that is neither moves nor fields of a
    position, IllegalMoveError for a move against the rules, WrongTypeError if *place* is none of
    these.
    """
    if isinstance(place, Game):
        return place.start()
    if isinstance(place, Position):
        return place
    if not isinstance(place, str):
        raise WrongTypeError("error.takes_position", given=repr(place)[:80])
    spec, *rest = place.split(maxsplit=1) or [""]
    rules = game(spec)
    if not rest:
        return rules.start()
    try:
        return rules.parse(*rest)
    except InvalidPositionError as error:
        try:
            return rules.start().after(*rest)
        except InvalidMoveError as wrong:
            meant_as_moves = re.fullmatch(r"[\w, ]{1,100}", rest[0])
            if error.key != "error.position_form" or not meant_as_moves:
                raise error from None
            facts = {"text": rest[0], "form": error.values["form"], "why": wrong}
            raise InvalidPositionError("error.neither_moves_nor_board", **facts) from None


Agent.reader = position


def databases() -> dict[str, PapanError | None]:
    """Return the fault of each file of solved positions, by file name; None for a sound file.

    They are the files of all games' solvers, which are read as a whole.
    """
    supports = [Support.of(kind()) for kind in GAMES.values()]
    return {name: fault for each in supports for name, fault in each.databases().items()}


Player: TypeAlias = Agent | str | Callable[[Position], SupportsIndex | str]
"""A player: an agent, its text, or a function from a position to a move."""


def player(given: Player) -> Agent:
    """Return the agent of a player: itself, the one that a text names, or one that asks a function.

    Text must be trusted: it may name a program. Raises what `agent_from_user` raises for text, such
    as InvalidSpecError if it names no agent, and WrongTypeError for anything that is no player.
    """
    if isinstance(given, Agent):
        return given
    if isinstance(given, str):
        return agent_from_user(given)
    if callable(given) and not isinstance(given, type):
        return Function(given)
    raise WrongTypeError("error.takes_agent", given=repr(given)[:80])
