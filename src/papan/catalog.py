"""The one place that knows every game and every agent: from text to the objects it names.

There is no list to edit: a folder in ``papan/games`` with a ``rules.py`` is a game. A module in
``papan/agents``, and the ``paper.py`` of a game, bring agents; entry points of other packages both.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract
from math import inf
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from papan.agents.alphabeta import AlphaBeta
from papan.agents.external import Bot, Function, Program
from papan.agents.learned import Learned
from papan.agents.level import general_solver
from papan.agents.mcts import Mcts
from papan.agents.minimax import Minimax
from papan.core import (
    UNLIMITED,
    Agent,
    Analysis,
    Game,
    InvalidMoveError,
    InvalidPositionError,
    InvalidRecordError,
    InvalidSpecError,
    Limit,
    Move,
    PapanError,
    Place,
    Position,
    Proved,
    Record,
    WrongTypeError,
    margin,
    native_form,
)
from papan.core.agent import MOST, Cancelled, Listener, never
from papan.core.arguments import (
    check_functions,
    check_numbers,
    check_path,
    check_switches,
    check_whole,
)
from papan.core.errors import in_one_line
from papan.core.interrupts import Interrupted, interruptible
from papan.core.limit import limit_within
from papan.core.record import moves_of
from papan.core.record import replay as replay_by
from papan.core.review import SECONDS, Review, Reviewer, Verdict
from papan.core.session import PERSON, Session
from papan.core.spec import build
from papan.lab.files import load_record, load_records, save_record, writing
from papan.lab.match import (
    MOST_AT_A_TIME,
    PER_MOVE,
    AgentStrength,
    Match,
    MatchGame,
    MatchResult,
    OnMeeting,
    Strengths,
    play_match,
)

if TYPE_CHECKING:  # tournaments bring a database with them
    from papan.lab.statistics.elo import Sprt
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


def game(spec: str | Game, **options: object) -> Game:
    """The game that *spec* names, such as ``tictactoe`` or ``tictactoe:15,15,5``.

    *options* are those of the game, such as ``rows=7``. A game is taken, too, and stays as it is.
    """
    if isinstance(spec, Game):
        spec = spec.spec if options else spec
    elif not isinstance(spec, str):
        raise WrongTypeError("error.takes_game", given=repr(spec)[:80])
    return spec if isinstance(spec, Game) else build(spec, GAMES, "game", **options)


def agent(spec: str | Agent, **settings: object) -> Agent:
    """The agent that *spec* names, such as ``random`` or ``alphabeta:depth=4``.

    *settings* are those of the agent, such as ``depth=4``. It runs only what is installed, so
    *spec* may come from anyone: a file, the web. An agent is taken, too, and stays as it is.
    """
    if isinstance(spec, Agent):
        if not settings:
            return spec
        spec = spec.spec
    if not isinstance(spec, str):
        raise WrongTypeError("error.takes_agent_text", given=repr(spec)[:80])
    if external_place(spec):
        raise InvalidSpecError("error.not_installed", agent=spec)
    return build(spec, AGENTS, "agent", **settings)


def agent_from_user(spec: str | Agent, **settings: object) -> Agent:
    """The agent that *spec* names, which may also be a file or a program of the user's.

    ``bot:mybot.py`` or just ``mybot.py``, and ``program:./mybot --fast``. They run with all rights
    of the user: only for what the user has typed, never for text that came from elsewhere.
    """
    if isinstance(spec, Agent) and settings:
        spec = spec.spec
    if isinstance(spec, str) and external_place(spec):
        return external_agent(spec, **settings)
    return agent(spec, **settings)


def external_place(spec: str) -> tuple[str, str] | None:
    """The kind and the place of a file or a program of the user's; None for all other agents."""
    name, where, _ = _external(spec)
    return (name, where) if name in EXTERNAL else None


def is_foreign(spec: str) -> bool:
    """Does *spec* name code that is not papan's: a file, a program, or an agent of a plug-in?"""
    return external_place(spec) is not None or spec.partition(":")[0] in PLUGINS


def external_agent(spec: str, **settings: object) -> ExternalAgent:
    """The agent that is a file or a program; *spec* is trusted."""
    name, where, options = _external(spec)
    place = {EXTERNAL[name].where: where}
    text = f"{name}:{options}" if options else name
    return build(text, EXTERNAL, "agent", **settings, **place)


def _external(spec: str) -> tuple[str, str, str]:
    """The name in *spec*, where the agent is, and its options: commands may hold any character."""
    place, *options = re.split(r",(?=(?:seed|deadline|memory)=)", spec)
    name, _, where = place.partition(":")
    if place.endswith(".py") and name not in EXTERNAL:
        name, where = Bot.name, place
    return name, where, ",".join(options)


def position(place: Place) -> Position:
    """The position that a text describes: ``tictactoe``, ``connect4 4453``, or a whole board.

    A spec alone means the start of that game; moves may follow it, or the fields of a position. A
    game stands for its start, and a position for itself.
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


def solve(
    place: Place,
    seconds: float = inf,
    nodes: float = inf,
    cancelled: Cancelled = never,
    listener: Listener | None = None,
    *,
    all_moves: bool | None = None,
    book: bool | None = None,
    goal: float | None = None,
    memory: int | None = None,
    threads: int | None = None,
) -> Analysis:
    """The exact truth about a position, or what is proven when the limit is reached or cancelled.

    *all_moves* proves the value of every move; *goal* asks only whether so much is reached. Without
    *book* no opening book is used. *memory* is in megabytes. What the solver of a game does not
    have does not matter; a game without a solver is searched by alpha-beta.
    Without a limit it goes on until the position is solved.
    """
    place = position(place)
    limit = Limit(seconds, nodes)
    _check_solver_settings(all_moves, book, goal, memory, threads)
    if place.is_over and place.game.seats > 1:  # of a puzzle its solver says more
        final = Proved.exactly(margin(place, place.turn))
        return Analysis((), proved=final, distance=0, why="exact", position=place)
    solver = _solver_of(place)
    settings = _given(all_moves=all_moves, book=book, goal=goal, memory=memory, threads=threads)
    if settings:  # else as its game has made it
        solver = solver.with_settings(**settings)
    return solver.analyse(place, limit, listener, cancelled)


def _check_solver_settings(
    all_moves: object, book: object, goal: object, memory: object, threads: object
) -> None:
    """Raise WrongTypeError for a setting of `solve` that is given, and of another type."""
    check_switches(**_given(all_moves=all_moves, book=book))
    check_numbers(**_given(goal=goal))
    check_whole(**_given(memory=memory, threads=threads))


def _check_between(name: str, amount: float, least: float, most: float) -> None:
    """Raise InvalidSpecError for an *amount* that is less than *least* or more than *most*."""
    if not least <= amount <= most:
        bounds = {"least": least, "most": most}
        raise InvalidSpecError("error.not_between", name=name, amount=amount, **bounds)


def _given(**settings: object) -> dict[str, object]:
    """Those of the *settings* that are not None."""
    return {name: value for name, value in settings.items() if value is not None}


def _solver_of(place: Position) -> Agent:
    """The game's own solver, or that of all games with compiled rules, or else alpha-beta."""
    if place.game.has_solver and (own := place.game.solver()):
        return own
    return AlphaBeta() if native_form(place) is None else general_solver()


async def solve_async(
    place: Place,
    seconds: float = inf,
    nodes: float = inf,
    cancelled: Cancelled = never,
    listener: Listener | None = None,
    *,
    all_moves: bool | None = None,
    book: bool | None = None,
    goal: float | None = None,
    memory: int | None = None,
    threads: int | None = None,
) -> Analysis:
    """Do as `solve` does, in a thread: cancelling the task stops the search.

    *listener* is called in that thread.
    """
    from papan.core.tasks import in_thread  # brings asyncio

    return await in_thread(
        lambda stopped: solve(
            place,
            seconds,
            nodes,
            stopped,
            listener,
            all_moves=all_moves,
            book=book,
            goal=goal,
            memory=memory,
            threads=threads,
        ),
        cancelled,
    )


def prove(
    place: Place,
    file: str | Path,
    plies: int | None = None,
    workers: int = 0,
    seconds: float = inf,
    *,
    memory: int = 256,
) -> Proved:
    """What is proved of a position in parts, each kept in *file*; called again, it goes on there.

    Without *workers*, processes of their own, it works in this one. *memory* is in megabytes, for
    each of them. What others have written into *file* is ignored, with a warning; `papan prove
    --trust` believes it.
    """
    from papan.lab.prove import Proof
    from papan.lab.work import executor_here

    (workers, memory), seconds = check_whole(workers=workers, memory=memory), Limit(seconds).seconds
    check_whole(**_given(plies=plies))
    _check_between("workers", workers, 0, MOST_AT_A_TIME)
    _check_between("memory", memory, 1, MOST["memory"])
    proof = Proof(check_path(file), position(place), plies)
    with interruptible, executor_here(workers) as executor:
        try:
            for _ in proof.run(executor, "papan", memory, seconds):
                pass
        except KeyboardInterrupt:
            raise Interrupted(Proved(*proof.tree.root.bounds)) from None
    return Proved(*proof.tree.root.bounds)


def searches(*games: str) -> dict[str, Callable[[], Analysis]]:
    """Return every kind of compiled search of these *games*, or of all, by its name.

    Each is a small one that loads all that its kind needs.
    """
    found: dict[str, Callable[[], Analysis]] = {}
    for kind in [GAMES[name] for name in games or GAMES]:
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
    *,
    games: int = Strengths.games,
    positions: int = Strengths.positions,
    seed: int = Strengths.seed,
) -> list[AgentStrength]:
    """Elo and regret of *agents* on a board, strongest first; of all who play it if none are named.

    There are so many *games* against each anchor, and so many *positions* for the regret.
    """
    rules = game(board)
    if agents is None:  # whoever asks a person cannot be measured
        agents = [agent(name) for name in agent_names(rules) if name != PERSON]
    anchors = [each for each in map(agent, ANCHORS) if each.plays(rules)]
    effort = games, positions, seed
    return Strengths(rules, tuple(agents), tuple(anchors), limit, *effort).run(report)


def databases() -> dict[str, PapanError | None]:
    """The files of solved positions that solvers look for, and what is wrong with each."""
    return {name: fault for kind in GAMES.values() for name, fault in kind.databases().items()}


Player: TypeAlias = Agent | str | Callable[[Position], Move | str]
"""Whoever can play: an agent, its text, or a function that answers a position with a move."""


def player(given: Player) -> Agent:
    """The agent that somebody means; text is trusted. Raises WrongTypeError for all else."""
    if isinstance(given, Agent):
        return given
    if isinstance(given, str):
        return agent_from_user(given)
    if callable(given) and not isinstance(given, type):
        return Function(given)
    raise WrongTypeError("error.takes_agent", given=repr(given)[:80])


def session(place: Place, *players: Player | None) -> Session:
    """A game in progress, with ``play``, ``undo``, ``redo`` and ``record()``.

    *players* sit on the seats in turn; None, and whoever is not named, is a person.
    """
    start = position(place)
    if len(players) > start.game.seats:
        seats = {"game": start.game.spec, "seats": start.game.seats, "count": len(players)}
        raise InvalidSpecError("error.too_many_players", **seats)
    agents = [None if given is None else player(given) for given in players]
    return Session(start, [*agents, *[None] * (start.game.seats - len(agents))])


Played: TypeAlias = Record | Session | str | Path
"""A game that was played: its record, the session in which it is played, or a file of it."""


def load(path: str | Path) -> Record:
    """The record of a game that was saved to a file, played again by the rules of its game.

    Raises InvalidRecordError where the file holds no record, or a move of it is not legal.
    """
    record = load_record(check_path(path))
    replay(record)
    return record


def load_all(path: str | Path) -> list[Record]:
    """The records of a file with one game on each line, each played again by its rules.

    Such files are the ``games.jsonl`` of a tournament, and what ``papan mine export`` writes.
    Raises InvalidRecordError as `load` does.
    """
    records = load_records(check_path(path))
    for record in records:
        replay(record)
    return records


def record_of(played: Played) -> Record:
    """The record of a game that somebody means."""
    if isinstance(played, Record):
        return played
    if isinstance(played, Session):
        return played.record()
    if isinstance(played, str | Path):
        return load(played)
    raise WrongTypeError("error.takes_record", given=repr(played)[:80])


def save(played: Record | Session, path: str | Path) -> None:
    """Write the record of a game to a file, whole or not at all; raises InvalidRecordError."""
    file = check_path(path)
    with writing(path, InvalidRecordError):
        save_record(record_of(played), file)


def replay(played: Played) -> list[Position]:
    """Every position of a played game, first to last; raises if the record contradicts itself."""
    record = record_of(played)
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
    played: Played,
    seconds: float = SECONDS,
    cancelled: Cancelled = never,
    heard: Callable[[Verdict], object] = id,
) -> Review:
    """A played game in words: each mistake with its kind, its reason, and what would be better.

    *heard* is called with each verdict as it is found, those on the last moves first. After Ctrl-C
    it raises `Interrupted` with a review of the moves that were judged by then.
    """
    record = record_of(played)
    Limit(seconds)
    check_functions(cancelled=cancelled, heard=heard)
    positions = replay(record)
    moves, verdicts = moves_of(record, positions), list[Verdict]()
    with interruptible:
        try:
            for verdict in reviewer(positions, moves, seconds, cancelled).verdicts():
                verdicts.append(verdict)
                heard(verdict)
        except KeyboardInterrupt:
            raise Interrupted(Review(tuple(reversed(verdicts)), record)) from None
    return Review(tuple(reversed(verdicts)), record)


def match(
    first: Player,
    second: Player,
    game: Game | str,
    pairs: int = 1,
    *,
    seed: int = 0,
    opening: int = Match.opening,
    limit: Limit | None = None,
    seconds: float | None = None,
    nodes: float | None = None,
    cancelled: Cancelled = never,
    heard: Callable[[MatchGame], object] = id,
) -> MatchResult:
    """Two agents against each other: pairs of games from the same opening, with seats swapped.

    *opening* is how many random plies come first. *seconds* and *nodes*, or a *limit*, are granted
    each move; 10,000 nodes where nothing is said. *heard* is called with each game when it is over;
    when *cancelled* says so, the match ends with the pairs that were played. After Ctrl-C it raises
    `Interrupted`, whose ``result`` has the games that were over.
    """
    rules, agents = _rules(game), (player(first), player(second))
    pairs, seed, opening = check_whole(pairs=pairs, seed=seed, opening=opening)
    check_functions(cancelled=cancelled, heard=heard)
    plan = Match(agents, rules, pairs, seed, _per_move(limit, seconds, nodes), opening)
    return play_match(plan, cancelled, heard)


async def match_async(
    first: Player,
    second: Player,
    game: Game | str,
    pairs: int = 1,
    *,
    seed: int = 0,
    opening: int = Match.opening,
    limit: Limit | None = None,
    seconds: float | None = None,
    nodes: float | None = None,
    cancelled: Cancelled = never,
    heard: Callable[[MatchGame], object] = id,
) -> MatchResult:
    """Do as `match` does, in a thread: cancelling the task stops the game that is played.

    *heard* is called in that thread.
    """
    from papan.core.tasks import in_thread  # brings asyncio

    return await in_thread(
        lambda stopped: match(
            first,
            second,
            game,
            pairs,
            seed=seed,
            opening=opening,
            limit=limit,
            seconds=seconds,
            nodes=nodes,
            cancelled=stopped,
            heard=heard,
        ),
        cancelled,
    )


def tournament(
    agents: Sequence[Player],
    game: Game | str,
    folder: str | Path,
    concurrency: int = 1,
    *,
    pairs: int = 10,
    seed: int = 0,
    opening: int = Match.opening,
    gauntlet: bool = False,
    limit: Limit | None = None,
    seconds: float | None = None,
    nodes: float | None = None,
    sprt: Sprt | str | None = None,
    until_error: float | None = None,
    adjudicate: int = 0,
    deadline: float = 60.0,
    memory: int = 2048,
) -> Standings:
    """A tournament in *folder*, played to its end; called again, it goes on where it was left.

    The keywords are the options of ``papan tournament run``; a move is granted what `match` grants
    it. Its agents run in processes of their own, so a function cannot take part: a file can.
    """
    from papan.lab.statistics.elo import read_sprt
    from papan.lab.tournament.plan import Guard, Plan, Stopping
    from papan.lab.tournament.run import play_tournament

    rules = _rules(game)
    pairs, seed, opening = check_whole(pairs=pairs, seed=seed, opening=opening)
    concurrency, adjudicate, memory = check_whole(
        concurrency=concurrency, adjudicate=adjudicate, memory=memory
    )
    check_numbers(deadline=deadline, **_given(until_error=until_error))
    check_switches(gauntlet=gauntlet)
    path = check_path(folder)
    if isinstance(agents, str):
        raise WrongTypeError("tournament.takes_list", given=repr(agents)[:80])
    if not 1 <= concurrency <= MOST_AT_A_TIME:
        raise InvalidSpecError("tournament.bad_concurrency", most=MOST_AT_A_TIME)
    plan = Plan(
        rules.spec,
        tuple(map(_spec_of, agents)),
        rules.seats,
        pairs,
        seed,
        opening,
        gauntlet,
        _per_move(limit, seconds, nodes),
        adjudicate,
        Guard(deadline, memory),
        Stopping(read_sprt(sprt), until_error),
    )
    with interruptible:
        try:
            return play_tournament(path, plan, "papan", concurrency).standings
        except Interrupted as stop:
            raise Interrupted(stop.result.standings) from None


_rules = game
"""The same under another name: for functions that have an argument *game*."""


def _spec_of(given: Player) -> str:
    """The text by which another process finds an agent; raises WrongTypeError without one."""
    if isinstance(given, str):
        return given
    found = player(given)
    with suppress(PapanError):
        if agent_from_user(found.spec) == found:
            return found.spec
    raise WrongTypeError("tournament.takes_agents", given=repr(given)[:80])


def _per_move(limit: Limit | None, seconds: float | None, nodes: float | None) -> Limit:
    """What a move is granted: all that is said, or the usual."""
    if limit is None and seconds is None and nodes is None:
        return PER_MOVE
    bounds = (inf if bound is None else bound for bound in (seconds, nodes))
    return limit_within(UNLIMITED if limit is None else limit, *bounds)
