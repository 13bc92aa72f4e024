"""The functions of the library: solve, prove, review, match, tournament, files of games.

What ``import papan`` offers comes from here and from `papan.catalog`, which finds games and agents.
The commands call the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias

from papan import catalog
from papan.agents.alphabeta import AlphaBeta
from papan.agents.external import Human
from papan.agents.learned import Learned
from papan.agents.mcts import Mcts
from papan.agents.minimax import Minimax
from papan.agents.solver import solver_for as solver_for
from papan.catalog import Player, player, position
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
    Place,
    Position,
    Proved,
    Record,
    WrongTypeError,
)
from papan.core.arguments import (
    check_functions,
    check_numbers,
    check_path,
    check_switches,
    check_whole,
)
from papan.core.editing import content_of_spot
from papan.core.game import margin as lead
from papan.core.interrupts import Interrupted, answering, hand_over, interruptible, pressed
from papan.core.limit import LARGEST_AMOUNTS, limit_within
from papan.core.parts import Card, Drawing, Support
from papan.core.progress import OnProgress, ignore_progress
from papan.core.reasons import Reason, reason
from papan.core.record import moves_of
from papan.core.record import replayed as replay_by
from papan.core.review import Review
from papan.core.reviewer import REVIEW_SECONDS, Reviewer, Verdict, review_nodes
from papan.core.session import PERSON, Session
from papan.core.thinking import Cancelled, Listener, never
from papan.lab.files import (
    line_of_records,
    load_record,
    load_records,
    save_record,
    writing,
)
from papan.lab.match import (
    MOST_AT_A_TIME,
    PER_MOVE,
    Match,
    MatchGame,
    MatchResult,
    check_opening,
    play_match,
)
from papan.lab.strength import AgentStrength, Strengths

if TYPE_CHECKING:  # tournaments bring a database with them
    from papan.lab.statistics.elo import Sprt
    from papan.lab.tournament.standings import Standings


def drawing(place: Place) -> Drawing:
    """Return the drawing of a position: ``picture()`` in characters, ``svg()``, ``graph()``.

    Raises PapanError if *place* is no position.

    >>> print(papan.drawing("tictactoe b2").picture())
      a b c
    1 . . .
    2 . x .
    3 . . .
    """
    return Drawing.of(position(place))


def why(place: Place, move: str | SupportsIndex, analysis: Analysis | None = None) -> Reason:
    """Return why a legal *move* is made: what it does, prevents, leads to, and how sure that is.

    With an *analysis* of the position it also tells what follows, and what the next best move would
    have allowed. Raises PapanError if *place* is no position, if *move* is not legal there, or if
    *analysis* is no `Analysis` or is of another position; an analysis whose position is None is
    taken to be of this one.

    >>> papan.why("connect4 1 1 2 2 3 3", "4").text()
    '4 wins: the row a1-d1.'
    """
    where = position(place)
    made = where.legal_move(move)
    if analysis is not None:
        if not isinstance(analysis, Analysis):
            raise WrongTypeError("error.no_analysis", given=repr(analysis)[:80])
        if analysis.position not in (None, where):
            there = str(analysis.position)
            raise InvalidPositionError("error.other_analysis", found=there, position=str(where))
    return reason(where, made, analysis)


def margin(place: Place, seat: int) -> float:
    """Return the lead of *seat* over its best rival, in points; in a game for one, its score.

    Raises PapanError if *place* is no position or the game has no such seat, counted from 0.
    """
    return lead(position(place), seat)


def evaluate(place: Place, seat: int) -> float:
    """Return the game's estimate of the final margin of *seat*, in points; exact when it is over.

    It is what searches use that stop early. A game without an estimate has its margin so far.
    *seat* counts from 0. Raises PapanError if *place* is no position or the game has no such seat.
    """
    where = position(place)
    so_far = lead(where, seat)  # refuses a seat that is not there
    return so_far if where.is_over else Support.of(where.game).evaluate(where, seat)


def content_at(place: Place, spot: str) -> str:
    """Return the content of a spot, such as ``b2`` or the line ``a1b1``: ``.`` for nothing.

    It is the spot's word in the text of a board, such as ``x``, one of `Draft.pieces`. Raises
    InvalidPositionError for an unknown spot, also if the game has no board to edit (`Setup.draft`),
    PapanError if *place* is no position.
    """
    return content_of_spot(position(place), spot)


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
    """Prove the value of a position; return what is proved when the limit is reached or cancelled.

    The limit is *seconds* and *nodes*; without one it goes on until the position is solved. It also
    ends when *cancelled*, which is asked again and again, returns True; *listener* is called with
    each event of the search. *all_moves* proves the value of every move; *goal* asks only whether
    the value, in points for the seat to move, is at least that. *book=False* uses no opening book.
    *memory* is in megabytes, *threads* a number. A setting that the game's solver does not have is
    ignored. A game without a solver (`solver_for`) is searched by alpha-beta, which of these
    settings uses *all_moves* alone. A finished game is proved by its scores, without a move, a
    search or events; one for one seat is left to its solver.

    Raises PapanError if *place* is no position, if an argument has a wrong type or is out of range,
    or for a finished game for one seat if its solver does not take it. After Ctrl-C it raises
    `Interrupted`, whose ``result`` is what is proved by then.
    """
    with answering:  # also while solvers are imported, and between the moves of a position
        place, limit = position(place), Limit(seconds, nodes)
        settings = _given(all_moves=all_moves, book=book, goal=goal, memory=memory, threads=threads)
        check_solver_settings(**settings)
        whole_ones = {name: settings[name] for name in ("memory", "threads") if name in settings}
        settings |= dict(zip(whole_ones, check_whole(**whole_ones)))  # NumPy's become Python's
        analysis = _solved(place, limit, cancelled, listener, settings)
        hand_over(analysis)
    return analysis


def _solved(
    place: Position,
    limit: Limit,
    cancelled: Cancelled,
    listener: Listener | None,
    settings: Mapping[str, object],
) -> Analysis:
    """Return the analysis of `solve` for a position and *settings* that have been checked.

    *settings* are those that are given, by name. Nothing is searched if the game is over, unless it
    is for one seat. Without a solver, *all_moves* takes a search for each move once the value is
    proved.
    """
    if place.is_over and place.game.seats > 1:  # a puzzle's solver says more of its end
        final = Proved.exactly(lead(place, place.turn))
        return Analysis((), proved=final, distance=0, why="exact", position=place)
    began, solver = perf_counter(), solver_for(place.game, **settings)
    analysis = (solver or AlphaBeta()).analyse(place, limit, listener, cancelled)
    if settings.get("all_moves") and analysis.exact and solver is None:
        until = began + limit.seconds
        every = _with_every_move(analysis, place, until, limit.nodes, cancelled)
        return replace(every, seconds=perf_counter() - began)
    return analysis


def _with_every_move(
    analysis: Analysis, place: Position, until: float, nodes: float, cancelled: Cancelled
) -> Analysis:
    """Return an exact *analysis* of *place* with each move's value, as far as the limit allows.

    Alpha-beta proves only the best move; each other one is solved by itself, until *until* (by
    perf_counter, in seconds) or *nodes* in all, those of *analysis* included, until Ctrl-C, or
    until *cancelled* returns True. Values that were not proved stay as they are. The result counts
    all nodes; its `seconds` are still those of *analysis*.
    """
    values, spent = dict(analysis.values), analysis.nodes
    for move in place.moves():
        known = values.get(move)
        left = until - perf_counter(), nodes - spent
        if (isinstance(known, Proved) and known.exact) or min(left) <= 0 or pressed():
            continue
        child = place.child(move)
        answer = solve(child, *left, cancelled)
        spent += answer.nodes
        if answer.exact:
            value = answer.proved.low if child.turn == place.turn else -answer.proved.low
            values[move] = Proved.exactly(value, answer.nodes, answer.line)
    return replace(analysis, values=values, nodes=spent)


def check_solver_settings(**settings: object) -> None:
    """Raise WrongTypeError or InvalidSpecError for the first setting that `solve` cannot use.

    The settings are those of `solve` by name, none of them None; other names are ignored.
    """
    check_switches(**{name: settings[name] for name in ("all_moves", "book") if name in settings})
    check_numbers(**{name: settings[name] for name in ("goal",) if name in settings})
    amounts = {name: settings[name] for name in ("memory", "threads") if name in settings}
    for name, amount in zip(amounts, check_whole(**amounts)):
        _check_between(name, amount, 1, LARGEST_AMOUNTS[name])


def _check_between(name: str, amount: float, least: float, most: float) -> None:
    """Raise InvalidSpecError, about *name*, for an amount below *least* or above *most*."""
    if not least <= amount <= most:
        bounds = {"least": least, "most": most}
        raise InvalidSpecError("error.not_between", name=name, amount=amount, **bounds)


def _given(**settings: object) -> dict[str, object]:
    """Return those of the *settings* that are not None, by name; empty if all are."""
    return {name: value for name, value in settings.items() if value is not None}


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
    """Run `solve`, with the same arguments, in a thread and return its analysis.

    Cancelling the task stops the search. *listener* is called in that thread. Raises what `solve`
    raises.
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
    """Prove a position in parts, write the proof to *file*, and return the bounds.

    The bounds are on the final margin, in points, of the seat to move; minus and plus
    `Game.largest_margin` while nothing is proved. *file* is written once both are equal; until then
    what is done is in a log beside it, and another call resumes. The parts are the positions after
    *plies* moves; without a number papan chooses it. *workers* is the number of processes, *memory*
    in megabytes is for each of them; 0 works in this one. After *seconds* it stops; without
    processes only when the search of the part at hand has ended, which may take far longer. Parts
    that another user has logged are ignored, with a warning; ``papan prove --trust`` accepts them,
    and ``--check`` checks the proof.

    Raises PapanError if *place* is no position, or its game is over or not for two, if *file* or
    its log is of another proof or in use, if a number is out of range, or if there are too many
    parts; OSError if a file cannot be read or written. After Ctrl-C it raises `Interrupted` with
    the bounds proved by then.
    """
    from papan.lab.prove import SplitProof
    from papan.lab.work import local_executor

    (workers, memory), seconds = check_whole(workers=workers, memory=memory), Limit(seconds).seconds
    check_whole(**_given(plies=plies))
    _check_between("workers", workers, 0, MOST_AT_A_TIME)
    _check_between("memory", memory, 1, LARGEST_AMOUNTS["memory"])
    proof = SplitProof(check_path(file), position(place), plies)
    with interruptible, local_executor(workers) as executor:
        try:
            for _ in proof.run(executor, "papan", memory, seconds):
                pass
        except KeyboardInterrupt:
            raise Interrupted(Proved(*proof.tree.root.bounds)) from None
    return Proved(*proof.tree.root.bounds)


def compiled_searches(*games: str) -> dict[str, Callable[[], Analysis]]:
    """Return small searches that together load, or compile, every kernel of these *games*.

    Each value of the dict is a function that searches and returns the analysis; its key is the spec
    of the board and the name of the search, such as ``dots mcts``, or for a solver the spec alone.
    *games* are names; without any, the searches are those of all games. Raises KeyError for an
    unknown name.
    """
    found: dict[str, Callable[[], Analysis]] = {}
    for kind in [catalog.GAMES[name] for name in games or catalog.GAMES]:
        for text in Support.of(kind()).solver_examples:
            found[text.split()[0]] = partial(solve, text, nodes=10_000)
        largest = max(
            (kind.name, *Card.of(kind()).presets), key=lambda text: catalog.game(text).move_count
        )
        for text in dict.fromkeys((kind.name, largest)):  # large boards have rules of their own
            start = position(text)
            learned = AlphaBeta(evaluation="patterns"), Learned(games=1)
            for each in (AlphaBeta(), Mcts(), Minimax(), *learned):
                if each.plays(start.game):
                    name = "patterns" if each == learned[0] else each.name
                    found[f"{text} {name}"] = partial(each.analyse, start, Limit(nodes=100))
    return found


ANCHORS = ("random", "level:1", "level:3", "level:4")
"""The agents that every measured agent meets; the first has an Elo of 0 by definition."""


def strength(
    board: Game | str,
    agents: Sequence[Agent] | None = None,
    limit: Limit = UNLIMITED,
    on_progress: OnProgress = ignore_progress,
    *,
    games: int = Strengths.games,
    positions: int = Strengths.positions,
    seed: int = Strengths.seed,
) -> list[AgentStrength]:
    """Measure the Elo and the regret of *agents* on a board; return them strongest first.

    Without *agents*, all that play the board are measured; those of `ANCHORS` that play it are
    always measured, too. *limit* is for each move. *games* is the number of games against each
    anchor, *positions* the number of proved positions that the regret, in points for a move, is
    taken from; 0 measures none. *seed* draws openings and these positions. An odd number of *games*
    counts as one more, as they are played in pairs. *on_progress* is called with each `Progress`.

    Raises InvalidSpecError for an unknown board, fewer than 1 game, or a number of positions out of
    range, CannotPlayError if one of *agents* does not play the board. After Ctrl-C it raises
    `Interrupted` with the agents measured by then.
    """
    rules = catalog.game(board)
    if agents is None:
        names = [name for name in catalog.agent_names(rules) if name != PERSON]
        agents = list(map(catalog.agent, names))
    anchors = [each for each in map(catalog.agent, ANCHORS) if each.plays(rules)]
    effort = games, positions, seed
    plan = Strengths(
        rules,
        tuple(agents),
        tuple(anchors),
        limit,
        *effort,
        solver_for(rules) if positions else None,
    )
    return plan.run(on_progress)


def session(place: Place, *players: Player | None) -> Session:
    """Begin a game and return its `Session`, with ``play``, ``undo``, ``redo`` and ``record()``.

    *players* sit on the seats in order; a seat with None, or without a player, is a person's.
    Raises PapanError if *place* is no position, if there are more players than seats, or if one of
    them cannot play.
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
    """Return the record of a saved game, checked by the rules of its game.

    Raises InvalidRecordError if the file cannot be read, or holds no record or several, or if the
    record contradicts the rules, and another PapanError if there is no such game, its start is no
    position, or *path* is no path.
    """
    record = load_record(check_path(path))
    replay(record)
    return record


def load_all(path: str | Path) -> list[Record]:
    """Return the records of a file with one game on each line, each checked by its rules.

    Such files are the ``games.jsonl`` of a tournament, and what ``papan mine export`` writes; the
    list is empty for an empty file. Raises what `load` raises, except that several records are
    right here; an error of a game has the number of its line.
    """
    records = load_records(check_path(path))
    for number, record in records.items():
        with line_of_records(number):
            replay(record)
    return list(records.values())


def record_of(played: Played) -> Record:
    """Return the record of a played game in any form; a file is loaded as by `load`.

    Raises WrongTypeError for anything else, and what `load` raises.
    """
    if isinstance(played, Record):
        return played
    if isinstance(played, Session):
        return played.record()
    if isinstance(played, str | Path):
        return load(played)
    raise WrongTypeError("error.takes_record", given=repr(played)[:80])


def save(played: Record | Session, path: str | Path) -> None:
    """Write the record of a game to a file, whole or not at all; an existing file is replaced.

    Raises InvalidRecordError if the file cannot be written, WrongTypeError if *played* is no game
    or *path* no path.
    """
    file = check_path(path)
    with writing(path, InvalidRecordError):
        save_record(record_of(played), file)


def replay(played: Played) -> list[Position]:
    """Return every position of a played game, first to last: one more than moves.

    Raises InvalidRecordError if the record contradicts the rules, InvalidSpecError if there is no
    such game, and what `record_of` raises.
    """
    record = record_of(played)
    return replay_by(record, catalog.game(record.game))


SHALLOW_DEPTH = 3
"""Plies that people see without thinking, about: a mistake that shows there is obvious."""


def reviewer(
    positions: Sequence[Position],
    moves: Sequence[Move],
    seconds: float = REVIEW_SECONDS,
    cancelled: Cancelled = never,
) -> Reviewer:
    """Return a `Reviewer` of the game with these *positions* and *moves*, its kernels loaded.

    There must be one position more than moves, the last one the position after the last move: not
    checked. *seconds* are for the whole game, as in `review`. It judges no further move once
    *cancelled* returns True. Raise IndexError if there are no positions.
    """
    start = positions[0]
    judges = solver_for(start.game, reuse=True), AlphaBeta(), AlphaBeta(depth=SHALLOW_DEPTH)
    for judge in filter(None, judges):
        judge.load(start)
    return Reviewer(positions, moves, *judges, review_nodes(start, seconds), cancelled)


def review(
    played: Played,
    seconds: float = REVIEW_SECONDS,
    cancelled: Cancelled = never,
    on_verdict: Callable[[Verdict], object] | None = None,
) -> Review:
    """Judge every move of a played game; return each mistake's kind, reason and a better move.

    *seconds* are for the whole game, about: they stand for a number of nodes, so that the same game
    is judged the same way every time. *on_verdict* is called with each verdict, the last move
    first. When *cancelled* returns True, the review ends with the moves judged by then. Raises what
    `record_of` raises, InvalidRecordError if the record contradicts the rules, and PapanError for
    *seconds* that are no limit, or a function that is none.

    After Ctrl-C it raises `Interrupted` with a review of the moves that were judged by then.
    """
    record = record_of(played)
    Limit(seconds)
    check_functions(cancelled=cancelled, **_given(on_verdict=on_verdict))
    positions = replay(record)
    moves, verdicts = moves_of(record, positions), list[Verdict]()
    with interruptible:
        try:
            for verdict in reviewer(positions, moves, seconds, cancelled).verdicts():
                verdicts.append(verdict)
                if on_verdict is not None:
                    on_verdict(verdict)
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
    on_game: Callable[[MatchGame], object] | None = None,
) -> MatchResult:
    """Play *pairs* of games between two agents and return the result; seats are swapped in a pair.

    *first* and *second* are agents, their texts, or functions from a position to a move. Both games
    of a pair have the same opening: *opening* is the number of random plies that come first, drawn
    by *seed*. *seconds* and *nodes*, or a *limit*, are the budget of each move; 10,000 nodes by
    default. *on_game* is called with each game when it is over; when *cancelled* returns True, the
    match ends, and the result has the pairs of which both games are over.

    Raises PapanError for an unknown agent or game, a person, an agent that does not play the game,
    or an argument of a wrong type or out of range. After Ctrl-C it raises `Interrupted`, whose
    ``result`` has the games that were over.
    """
    rules, agents = catalog.game(game), (player(first), player(second))
    if any(isinstance(agent, Human) for agent in agents):
        raise InvalidSpecError("tournament.person", game=rules.spec)
    pairs, seed, opening = check_whole(pairs=pairs, seed=seed, opening=opening)
    check_functions(cancelled=cancelled, **_given(on_game=on_game))
    check_opening(rules, opening)
    plan = Match(agents, rules, pairs, seed, _per_move(limit, seconds, nodes), opening)
    return play_match(plan, cancelled, on_game)


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
    on_game: Callable[[MatchGame], object] | None = None,
) -> MatchResult:
    """Run `match`, with the same arguments, in a thread and return its result.

    Cancelling the task stops its game. *on_game* is called in that thread. Raises what `match`
    raises.
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
            on_game=on_game,
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
    """Play a tournament in *folder* to its end and return the standings; called again, resume it.

    Any two agents meet, or if *gauntlet* the first meets each other one, in *pairs* pairs of games
    with swapped seats, each pair from *opening* random plies drawn by *seed*. The budget of a move
    is *limit*, *seconds* and *nodes* as in `match`; after *deadline* seconds it is overdue anyway.
    *concurrency* is the number of games at a time, *memory* in megabytes for each agent. The end
    may come early: for two agents when the test *sprt*, such as ``"elo0=0 elo1=5"``, decides; or
    once the error of every rating is at most *until_error*, in Elo. Once the exact solver solves a
    position within *adjudicate* nodes (0: never), it plays on for both seats. Each agent runs in a
    process of its own, so a function cannot take part: a file can.

    Raises PapanError for agents, numbers or options that cannot be used, or if *folder* has another
    tournament. After Ctrl-C it raises `Interrupted` with the standings by then.
    """
    from papan.lab.statistics.elo import read_sprt
    from papan.lab.tournament.plan import BotGuard, Stopping, TournamentPlan
    from papan.lab.tournament.run import play_or_resume

    rules = catalog.game(game)
    pairs, seed, opening = check_whole(pairs=pairs, seed=seed, opening=opening)
    concurrency, adjudicate, memory = check_whole(
        concurrency=concurrency, adjudicate=adjudicate, memory=memory
    )
    check_numbers(deadline=deadline, **_given(until_error=until_error))
    check_switches(gauntlet=gauntlet)
    check_opening(rules, opening)
    path = check_path(folder)
    if isinstance(agents, str):
        raise WrongTypeError("tournament.takes_list", given=repr(agents)[:80])
    if not 1 <= concurrency <= MOST_AT_A_TIME:
        raise InvalidSpecError("tournament.bad_concurrency", most=MOST_AT_A_TIME)
    plan = TournamentPlan(
        rules.spec,
        tuple(map(_spec_of, agents)),
        rules.seats,
        pairs,
        seed,
        opening,
        gauntlet,
        _per_move(limit, seconds, nodes),
        adjudicate,
        BotGuard(deadline, memory),
        Stopping(read_sprt(sprt), until_error),
    )
    with interruptible:
        try:
            return play_or_resume(path, plan, "papan", concurrency).standings
        except Interrupted as stop:
            raise Interrupted(stop.result.standings) from None


def _spec_of(given: Player) -> str:
    """Return the spec from which another process builds the same agent.

    Text is returned as it is, unchecked. Raise WrongTypeError if no spec builds an equal agent, as
    for a function, and for what is no player.
    """
    if isinstance(given, str):
        return given
    found = player(given)
    with suppress(PapanError):
        if catalog.agent_from_user(found.spec) == found:
            return found.spec
    raise WrongTypeError("tournament.takes_agents", given=repr(given)[:80])


def _per_move(limit: Limit | None, seconds: float | None, nodes: float | None) -> Limit:
    """Return the limit of a move: the tightest of what is given, or PER_MOVE if nothing is.

    *seconds* and *nodes* are bounds; None: not given. Raise PapanError for what is no limit, or a
    bound out of range.
    """
    if limit is None and seconds is None and nodes is None:
        return PER_MOVE
    bounds = (inf if bound is None else bound for bound in (seconds, nodes))
    return limit_within(UNLIMITED if limit is None else limit, *bounds)
