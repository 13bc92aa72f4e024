"""The one place that knows every game and every agent: from text to the objects it names.

There is no list to edit: a folder in ``papan/games`` with a ``rules.py`` is a game. A module in
``papan/agents``, and the ``paper.py`` of a game, bring agents; entry points of other packages both.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract
from math import inf
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from papan.agents.alphabeta import AlphaBeta
from papan.agents.external import Bot, Function, Program
from papan.agents.learned import Learned
from papan.agents.mcts import Mcts
from papan.agents.minimax import Minimax
from papan.core import (
    UNLIMITED,
    Agent,
    Analysis,
    Game,
    InvalidPositionError,
    InvalidRecordError,
    InvalidSpecError,
    Limit,
    Move,
    PapanError,
    Position,
    Proved,
    Record,
    margin,
)
from papan.core.agent import Cancelled, Listener, never
from papan.core.record import moves_of
from papan.core.record import replay as replay_by
from papan.core.review import SECONDS, Review, Reviewer, Verdict
from papan.core.session import PERSON, Session
from papan.core.text import build, in_one_line
from papan.lab.files import load_record, save_record, writing
from papan.lab.match import (
    PER_MOVE,
    AgentStrength,
    Match,
    MatchResult,
    OnMeeting,
    Strengths,
    play_match,
)

if TYPE_CHECKING:  # tournaments bring a database with them
    from papan.lab.tournament.standings import Standings

T = TypeVar("T", Game, Agent)


def own_games() -> dict[str, type[Game]]:
    """The games in papan's folder by their names, in the order of menus."""
    found = _classes("papan.games", "*/rules.py", Game)  # type: ignore[type-abstract]
    return {game.name: game for game in sorted(found, key=lambda game: (game.place, game.name))}


def own_agents() -> dict[str, type[Agent]]:
    """The agents in papan's folders by their names; those that know one game come last."""
    found: dict[str, type[Agent]] = {}
    for package, pattern in (("papan.agents", "[!_]*"), ("papan.games", "*/paper.py")):
        kinds = _classes(package, pattern, Agent)  # type: ignore[type-abstract]
        found |= {kind.name: kind for kind in sorted(kinds, key=lambda kind: kind.name)}
    return found


def _classes(package: str, pattern: str, kind: type[T]) -> Iterator[type[T]]:
    """The classes of *kind* in the modules of a package that their name alone can build."""
    for module in modules(package, pattern):
        for each in vars(module).values():
            if isinstance(each, type) and issubclass(each, kind) and _own(each, module):
                yield each


def modules(package: str, pattern: str) -> Iterator[ModuleType]:
    """The modules of a package whose files match *pattern*, imported one by one."""
    for folder in map(Path, import_module(package).__path__):
        for path in sorted(folder.glob(pattern)):
            if path.suffix == ".py" or path.joinpath("__init__.py").exists():
                parts = path.relative_to(folder).with_suffix("").parts
                yield import_module(".".join((package, *parts)))


def _own(kind: type[Game] | type[Agent], module: ModuleType) -> bool:
    """Is it defined there, under a name of its own, and does every setting have a default?"""
    here = f"{kind.__module__}.".startswith(f"{module.__name__}.")
    if not here or "name" not in vars(kind) or isabstract(kind):
        return False
    return all((each.default, each.default_factory) != (MISSING, MISSING) for each in fields(kind))


@dataclass(frozen=True)
class Broken:
    """A plug-in that cannot be used, and why."""

    name: str
    package: str
    error: BaseException

    def why(self, language: str) -> str:
        """What is wrong with it, in one line."""
        if isinstance(self.error, PapanError):
            return self.error.text(language)
        return in_one_line(self.error)[:300]


def plugins(
    group: str, kind: type[T], taken: Container[str]
) -> tuple[dict[str, type[T]], list[Broken]]:
    """The classes of *kind* that other packages offer in *group*, by name, and what is broken."""
    found: dict[str, type[T]] = {}
    broken = []
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        try:
            offered = _checked(point, kind)
            if offered.name in taken or offered.name in found:
                raise PapanError("plugin.name_taken", taken=offered.name)
            found[offered.name] = offered
        except (Exception, SystemExit) as error:  # it is not ours, and may do anything
            package = point.dist.name if point.dist else "?"
            broken.append(Broken(point.name, package, error))
    return found, broken


def _checked(point: EntryPoint, kind: type[T]) -> type[T]:
    """The class behind an entry point, if it is one and its text names it."""
    offered = point.load()
    if not (isinstance(offered, type) and issubclass(offered, kind)):
        raise PapanError("plugin.wrong_kind", value=point.value, kind=kind.__name__)
    if offered().spec.partition(":")[0] != offered.name:
        raise PapanError("plugin.wrong_name", name=offered.name, spec=offered().spec)
    return offered


ExternalAgent: TypeAlias = Bot | Program
EXTERNAL: dict[str, type[ExternalAgent]] = {Bot.name: Bot, Program.name: Program}
"""Agents that run code of the user's: a file, a program. See `agent_from_user`."""

GAMES: dict[str, type[Game]] = own_games()
AGENTS: dict[str, type[Agent]] = {
    name: kind for name, kind in own_agents().items() if name not in EXTERNAL
}

PLUGINS: list[str] = []
"""The games and agents that other packages have brought."""
BROKEN: list[Broken] = []
"""What they have brought that cannot be used; ``papan doctor`` tells."""


def load_plugins() -> None:
    """Add what other packages bring; papan itself does so once it can be used by them."""
    games, broken_games = plugins("papan.games", Game, GAMES)  # type: ignore[type-abstract]
    taken = {*AGENTS, *EXTERNAL}
    agents, broken_agents = plugins("papan.agents", Agent, taken)  # type: ignore[type-abstract]
    GAMES.update(games)
    AGENTS.update(agents)
    PLUGINS.extend((*games, *agents))
    BROKEN.extend((*broken_games, *broken_agents))


class Listing(ModuleType, Mapping[str, type[T]]):
    """A package whose parts can be listed: ``list(papan.games)``, ``papan.games["dots"]``."""

    _known: dict[str, type[T]]

    def __getitem__(self, name: str) -> type[T]:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    __eq__ = ModuleType.__eq__
    __hash__ = ModuleType.__hash__

    @classmethod
    def of(cls, package: ModuleType, known: dict[str, type[T]]) -> None:
        """Let *package*, which stays a package to import from, list what is *known*."""
        package.__class__ = cls
        package._known = known  # type: ignore[attr-defined]


Listing.of(sys.modules["papan.games"], GAMES)
Listing.of(sys.modules["papan.agents"], AGENTS)


def agent_names(plays: Game | None = None) -> list[str]:
    """What to type for an agent: every name, and each level; only who *plays* a game, if given."""
    levels = [f"level:{number}" for number in Game.levels]
    names = sorted((*(name for name in AGENTS if name != "level"), *levels))
    return [name for name in names if plays is None or agent(name).plays(plays)]


def game(spec: str, **options: object) -> Game:
    """The game that *spec* names, such as ``tictactoe`` or ``tictactoe:15,15,5``."""
    return build(spec, GAMES, "game", **options)


def agent(spec: str, **settings: object) -> Agent:
    """The agent that *spec* names, such as ``random`` or ``alphabeta:depth=4``.

    It runs only what is installed, so *spec* may come from anyone: a file, the web.
    """
    if external_place(spec):
        raise InvalidSpecError("error.not_installed", agent=spec)
    return build(spec, AGENTS, "agent", **settings)


def agent_from_user(spec: str, **settings: object) -> Agent:
    """The agent that *spec* names, which may also be a file or a program of the user's.

    ``bot:mybot.py`` or just ``mybot.py``, and ``program:./mybot --fast``. They run with all rights
    of the user: only for what the user has typed, never for text that came from elsewhere.
    """
    return external_agent(spec, **settings) if external_place(spec) else agent(spec, **settings)


def external_place(spec: str) -> tuple[str, str] | None:
    """The kind and the place of a file or a program of the user's; None for all other agents."""
    name, where, _ = _external(spec)
    return (name, where) if name in EXTERNAL else None


def external_agent(spec: str, **settings: object) -> ExternalAgent:
    """The agent that is a file or a program; *spec* is trusted."""
    name, where, options = _external(spec)
    place = {EXTERNAL[name].where: where}
    return build(f"{name}:{options}", EXTERNAL, "agent", **settings, **place)


def _external(spec: str) -> tuple[str, str, str]:
    """The name in *spec*, where the agent is, and its options: commands may hold any character."""
    place, *options = re.split(r",(?=(?:seed|deadline|memory)=)", spec)
    name, _, where = place.partition(":")
    if place.endswith(".py") and name not in EXTERNAL:
        name, where = Bot.name, place
    return name, where, ",".join(options)


def position(text: str) -> Position:
    """The position that *text* describes; a spec alone means the start of that game."""
    if not isinstance(text, str):
        raise InvalidPositionError("error.takes_position", given=repr(text)[:80])
    spec, *rest = text.split(maxsplit=1) or [""]
    rules = game(spec)
    return rules.parse(*rest) if rest else rules.start()


def start_of(place: Game | Position | str) -> Position:
    """Where somebody wants to begin: at the start of a game, or at a position or its text."""
    if isinstance(place, Game):
        return place.start()
    return place if isinstance(place, Position) else position(place)


def solve(
    place: Position | str,
    seconds: float = inf,
    nodes: float = inf,
    cancelled: Cancelled = never,
    listener: Listener | None = None,
    **settings: Any,
) -> Analysis:
    """The exact truth about a position, or what is proven when the limit is reached or cancelled.

    *settings* are those of the game's solver: memory, threads, all_moves, book; one that it does
    not have does not matter. A game without a solver is searched by alpha-beta.
    """
    place = start_of(place)
    limit = Limit(seconds, nodes)
    if place.is_over and place.game.seats > 1:  # of a puzzle its solver says more
        final = Proved.exactly(margin(place, place.turn))
        return Analysis((), proved=final, distance=0, why="exact", position=place)
    own = place.game.solver() if place.game.has_solver else None
    if own and settings:  # else as its game has made it
        own = own.with_settings(**settings)
    solver = own or AlphaBeta()
    return solver.analyse(place, limit, listener, cancelled)


def prove(
    place: Position | str,
    file: str | Path,
    plies: int | None = None,
    workers: int = 0,
    seconds: float = inf,
) -> Proved:
    """What is proved of a position in parts, each kept in *file*; called again, it goes on there.

    Without *workers*, processes of their own, it works in this one.
    """
    from papan.lab.prove import Proof
    from papan.lab.work import executor_here

    proof = Proof(Path(file), start_of(place), plies)
    with executor_here(workers) as executor:
        for _ in proof.run(executor, "papan", seconds=seconds):
            pass
    return Proved(*proof.tree.root.bounds)


def searches() -> dict[str, Callable[[], Analysis]]:
    """Every kind of compiled search by its name, as a small one that loads all that it needs."""
    found: dict[str, Callable[[], Analysis]] = {}
    for kind in GAMES.values():
        for text in kind.solver_examples:
            found[text.split()[0]] = partial(solve, text, nodes=10_000)
        largest = max((kind.name, *kind.presets), key=lambda text: game(text).move_count)
        for text in dict.fromkeys((kind.name, largest)):  # large boards have rules of their own
            start = position(text)
            learned = AlphaBeta(evaluation="patterns"), Learned(games=1)
            for each in (AlphaBeta(), Mcts(), Minimax(), *learned):
                if each.plays(start.game):
                    name = "patterns" if each == learned[0] else each.name
                    found[f"{text} {name}"] = partial(each.analyse, start, Limit(nodes=100))
    return found


ANCHORS = ("random", "level:1", "level:3", "level:4")
"""Whom everybody meets who is measured; the first has an Elo of 0."""


def strength(
    board: Game | str,
    agents: Sequence[Agent] | None = None,
    limit: Limit = UNLIMITED,
    report: OnMeeting = lambda done, total, last: None,
    **effort: int,
) -> list[AgentStrength]:
    """Elo and regret of *agents* on a board, strongest first; of all who play it if none are named.

    *effort*: how many ``games`` against each anchor, how many ``positions``, the ``seed``.
    """
    rules = game(board) if isinstance(board, str) else board
    if agents is None:  # whoever asks a person cannot be measured
        agents = [agent(name) for name in agent_names(rules) if name != PERSON]
    anchors = [each for each in map(agent, ANCHORS) if each.plays(rules)]
    return Strengths(rules, tuple(agents), tuple(anchors), limit, **effort).run(report)


def databases() -> dict[str, PapanError | None]:
    """The files of solved positions that solvers look for, and what is wrong with each."""
    return {name: fault for kind in GAMES.values() for name, fault in kind.databases().items()}


Player: TypeAlias = Agent | str | Callable[[Position], Move | str]
"""Whoever can play: an agent, its text, or a function that answers a position with a move."""


def player(given: Player) -> Agent:
    """The agent that somebody means; text is trusted."""
    if isinstance(given, Agent):
        return given
    return agent_from_user(given) if isinstance(given, str) else Function(given)


def session(place: Game | Position | str, *players: Player | None) -> Session:
    """A game in progress, with ``play``, ``undo``, ``redo`` and ``record()``.

    *players* sit on the seats in turn; None, and whoever is not named, is a person.
    """
    start = start_of(place)
    agents = [None if given is None else player(given) for given in players]
    return Session(start, [*agents, *[None] * (start.game.seats - len(agents))])


def load(path: str | Path) -> Record:
    """The record of a game that was saved to a file; raises InvalidRecordError."""
    return load_record(Path(path))


def save(record: Record, path: str | Path) -> None:
    """Write the record of a game to a file, whole or not at all; raises InvalidRecordError."""
    with writing(path, InvalidRecordError):
        save_record(record, Path(path))


def replay(record: Record) -> list[Position]:
    """Every position of a played game, first to last; raises if the record contradicts itself."""
    if not isinstance(record, Record):
        raise InvalidRecordError("error.takes_record", given=repr(record)[:80])
    return replay_by(record, game(record.game))


SHALLOW_DEPTH = 3
"""How many plies people see without thinking, about: mistakes that show there are obvious."""


def reviewer(
    positions: Sequence[Position],
    moves: Sequence[Move],
    seconds: float = SECONDS,
    cancelled: Cancelled = never,
) -> Reviewer:
    """The review of a game, to be asked for its verdicts; whatever it needs is loaded."""
    start, general = positions[0], agent("solver")
    solver = start.game.solver(reuse=True) or (general if general.plays(start.game) else None)
    judges = solver, AlphaBeta(), AlphaBeta(depth=SHALLOW_DEPTH)
    for judge in filter(None, judges):
        judge.load(start)
    return Reviewer(positions, moves, *judges, seconds, cancelled)


def review(
    played: Record,
    seconds: float = SECONDS,
    cancelled: Cancelled = never,
    heard: Callable[[Verdict], object] = id,
) -> Review:
    """A played game in words: each mistake with its kind, its reason, and what would be better.

    *heard* is called with each verdict as it is found, those on the last moves first.
    """
    positions = replay(played)
    moves, verdicts = moves_of(played, positions), []
    for verdict in reviewer(positions, moves, seconds, cancelled).verdicts():
        verdicts.append(verdict)
        heard(verdict)
    return Review(tuple(reversed(verdicts)), played)


def match(
    first: Player,
    second: Player,
    game: Game | str,
    pairs: int = 1,
    **settings: Any,
) -> MatchResult:
    """Two agents against each other, both seats; *settings* go to `papan.lab.match.Match`.

    ``seconds=`` and ``nodes=`` are granted each move; 10,000 nodes where nothing is said.
    """
    rules = build(game, GAMES, "game") if isinstance(game, str) else game
    if not isinstance(pairs, int):
        amounts = {"pairs": repr(pairs), "opening": settings.get("opening", Match.opening)}
        raise InvalidSpecError("match.bad_numbers", **amounts)
    agents = player(first), player(second)
    return play_match(Match(agents, rules, pairs, **_with_limit(settings)))


def tournament(
    agents: Sequence[str], game: str, folder: str | Path, concurrency: int = 1, **settings: Any
) -> Standings:
    """A tournament in *folder*, played to its end; called again, it goes on where it was left.

    *settings* go to `papan.lab.tournament.plan.Plan`; the limit of a move is that of `match`.
    """
    from papan.lab.tournament.plan import Plan
    from papan.lab.tournament.run import play_tournament

    rules = build(game, GAMES, "game")
    plan = Plan(rules.spec, tuple(agents), rules.seats, **_with_limit(settings))
    return play_tournament(Path(folder), plan, "papan", concurrency).standings


def _with_limit(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The *settings* of a match, with what a move is granted: all that is said, or the usual."""
    bounds = {name: settings[name] for name in ("seconds", "nodes") if name in settings}
    others = {name: each for name, each in settings.items() if name not in bounds}
    limit = others.get("limit", UNLIMITED if bounds else PER_MOVE)
    return others | {"limit": limit.within(Limit(**bounds))}
