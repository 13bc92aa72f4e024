"""Runs a contest: plays the most informative games until neighbours are told apart.

Everything that is over is on the disk before the next game begins: a run that is interrupted or
killed continues where it was. A new version of a bot is a new player; the old one's games stay.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from time import monotonic, perf_counter
from typing import Any, BinaryIO

from papan.contest.folder import GAMES_FILE, PLAYING_CATALOG, RUN_LOCK, Contest, ContestGame
from papan.contest.ladder import Meeting, pairing
from papan.contest.plan import ContestPlan
from papan.contest.submissions import WORK_FOLDER
from papan.core import Message, PapanError, Progress, Record
from papan.core.files import open_regular
from papan.core.interrupts import Interrupted
from papan.core.parts import Setup
from papan.core.printable import to_json
from papan.core.progress import OnProgress, ignore_progress
from papan.lab.files import PRIVATE, append_line, make_private, naming, remove_cut_line, writing
from papan.lab.match import MatchGame
from papan.lab.tournament.plan import Assignment, BotGuard, TournamentPlan
from papan.lab.tournament.run import RefereePool, this_machine
from papan.lab.tournament.standings import refereed_game
from papan.lab.work import completed
from papan.process.host import lock
from papan.process.sandbox import find_sandbox

START_SECONDS = 0.4
"""Seconds that it takes to start a bot, about."""
ROUND_ROBIN_PAIRS = 20
"""Pairs of games of a full round robin, to which the estimate compares the ladder."""
LEAST_SECONDS = 0.001
"""Seconds of a game, at least: a journal rounds them, and anyone can write one."""
SAMPLES = 12
"""Number of random games from which the length of a game is estimated."""


@dataclass(frozen=True)
class Estimate:
    """An estimate of a run before it begins, from what checks or games so far have taken."""

    games: int
    """Number of games that fit into the time that is left, with `Contest.width` at a time."""
    game_seconds: float
    """Seconds of one game by the clock."""
    minutes: float
    """Minutes that are left for games, by the clock; at least 0."""
    round_robin_hours: float
    """Hours of a round robin of `ROUND_ROBIN_PAIRS` pairs of games between any two players, by the
    clock, with as many games at a time.
    """


def estimate_run(contest: Contest) -> Estimate:
    """Return how many games fit into the time that is left, and how long they take.

    The time of a game is the mean of all games so far, at least `LEAST_SECONDS`. Before the first
    game it is the time of starting two bots and, for each move of a random game, the mean of the
    seconds that the players took in their checks, but at most the limit of a move; without players,
    that limit.
    """
    plan, players = contest.plan, contest.players
    granted = plan.limits.seconds
    taken = [contest.checks[each.student, each.number].seconds for each in players.values()] or [
        granted
    ]
    if played := [game.seconds for game in contest.games]:
        seconds = max(LEAST_SECONDS, mean(played))
    else:
        seconds = 2 * START_SECONDS + _plies(plan) * min(granted, mean(taken))
    left = contest.seconds_left()
    pairs = len(players) * (len(players) - 1) // 2
    robin = 2 * ROUND_ROBIN_PAIRS * pairs * seconds / contest.width / 3600
    return Estimate(round(left * contest.width / seconds), seconds, left / 60, robin)


def _plies(plan: ContestPlan) -> float:
    """Return the median number of plies of `SAMPLES` random games without their openings.

    It is at least 1, and always the same for a plan.
    """
    rng, lengths = random.Random(plan.ladder.seed), list[int]()
    for number in range(SAMPLES):
        position, length = Setup.of(plan.rules).deal(number).start(), 0
        while moves := position.moves():
            position, length = position.child(rng.choice(list(moves))), length + 1
        lengths.append(length)
    return max(1.0, median(lengths) - plan.ladder.opening)


@contextmanager
def _locked(folder: Path) -> Iterator[BinaryIO]:
    """Lock the contest in *folder* and yield its journal of games, opened to read and to append.

    An incomplete last line is removed from the journal. At the end journal and lock are closed, so
    that another process can lock the contest. Raise PapanError if another process has the lock, or
    the folder cannot be written or locked.
    """
    work = folder / WORK_FOLDER
    with ExitStack() as opened:
        with writing(work):
            make_private(work)
            guard = opened.enter_context(open_regular(work / RUN_LOCK, "ab", PRIVATE))
            file = opened.enter_context(open_regular(work / GAMES_FILE, "a+b", PRIVATE))
        try:
            lock(guard)
        except OSError:
            raise PapanError("contest.locked", path=folder) from None
        with writing(work / GAMES_FILE):
            remove_cut_line(file)
        yield file


GameTask = tuple[int, int, Meeting]
"""A game to play: the number of its pair, its number in the pair (0 or 1), and the two players.

In game 0 of a pair the players sit in this order, in game 1 the second one has seat 0.
"""


class Schedule:
    """The choice of the next games: incomplete pairs, Swiss rounds, house bots, then near pairs.

    It begins with those games of *contest* that count. Games are played in pairs: two of the same
    pairing, with the seats exchanged.
    """

    def __init__(self, contest: Contest) -> None:
        self._contest, self._ladder = contest, contest.ladder()
        self._next = max((game.pair for game in contest.games), default=-1) + 1
        self._halves = self._half_pairs()
        """The games of incomplete pairs, by the number of the pair: they do not count yet."""
        self._waiting = deque(map(_other_half, self._halves.values()))
        self._house = deque(self._house_pairs())

    def _half_pairs(self) -> dict[int, ContestGame]:
        """Return the game of each pair of which only one was played, by the number of the pair.

        Pairs with a player that no longer takes part are left out, and so are those of another game
        than the plan's.
        """
        known = {*self._contest.players, *self._contest.plan.house.agents}
        rules = self._contest.plan.rules.spec
        pairs: dict[int, list[ContestGame]] = {}
        for game in self._contest.games:
            pairs.setdefault(game.pair, []).append(game)
        return {
            number: games[0]
            for number, games in pairs.items()
            if len(games) == 1
            and games[0].record.game == rules
            and known.issuperset(games[0].players)
        }

    def _house_pairs(self) -> Iterator[Meeting]:
        """Yield a pairing of a player with a house bot for each pair of games that is missing.

        Pairs of which one game was played count as there. The pairings that miss the most pairs
        come first, so that all players have about as many games.
        """
        house = self._contest.plan.house
        begun = Counter(pairing(*game.players) for game in self._halves.values())
        for count in range(house.pairs):
            for agent in house.agents:
                for player in sorted(self._contest.players):
                    one = pairing(player, agent)
                    if self._ladder.pairs(one) + begun[one] <= count:
                        yield one

    def following(self, running: Sequence[GameTask]) -> GameTask | None:
        """Return the next game to play; the next call returns another one.

        *running* are the games that are being played. None if there is none now: no pair is
        incomplete, the Swiss rounds and the games against house bots are over or begun, and
        `Ladder.following` has no pairing. There may be one again when a game of *running* ends.
        """
        if not self._waiting:
            now = list({task[0]: task[2] for task in running}.values())
            chosen = self._ladder.swiss_pairing(now)
            if chosen is None and self._house:
                chosen = self._house.popleft()
            chosen = chosen or self._ladder.following(now)
            if chosen is None:
                return None
            self._waiting.extend((self._next, place, chosen) for place in (0, 1))
            self._next += 1
        return self._waiting.popleft()

    def add(self, game: ContestGame) -> None:
        """Count a finished game for the choice of the next ones.

        If *game* completes a pair of an earlier run, the other game of that pair counts from now
        on, too. *game* is not added to `Contest.games`.
        """
        for each in (self._halves.pop(game.pair, None), game):
            if each is not None:
                self._ladder.add(*each.players, [each.outcome(each.players[0])])


def _other_half(game: ContestGame) -> GameTask:
    """Return the task of the other game of the same pair: *game* with the seats exchanged."""
    both = pairing(*game.players)
    return game.pair, 1 if game.players == both else 0, both


def run_contest(
    contest: Contest,
    on_progress: OnProgress = ignore_progress,
    on_game: Callable[[Contest], object] = lambda contest: None,
    unconfined: bool = False,
    enough: Callable[[], bool] = lambda: False,
) -> bool:
    """Play until all orders are settled or *enough* says so (return True), or the time is over.

    If the time of the plan is over, return False; games that are being played are lost then. At
    first `Contest.games` are read from the disk again; each game that ends is added to them.
    *on_progress* (seconds so far and in all) and *on_game* are called after each game, which is on
    the disk then. *unconfined* runs the bots outside the sandbox. Once *enough* returns True no
    other game begins; those that are being played end. Raise `Interrupted` with the contest after
    Ctrl-C; PapanError if the folder is in use or cannot be written, a stored game is invalid, there
    is no sandbox, or referee processes die repeatedly; OSError if a game cannot be written or no
    process can be started.
    """
    if not unconfined:
        find_sandbox()
    with _locked(contest.folder) as journal, closing(RefereePool()) as pool:
        contest.read_games()
        schedule, left = Schedule(contest), contest.seconds_left()
        began, until = monotonic(), monotonic() + left
        with this_machine(pool, contest.width) as executor:
            starts: dict[GameTask, float] = {}

            def following(running: Any) -> tuple[GameTask, str] | None:
                task = None if enough() else schedule.following([*running])
                if task is None:
                    return None
                starts[task] = perf_counter()
                return task, assignment(contest, task, unconfined).text

            try:
                for task, future in completed(executor, following, until=until):
                    took = perf_counter() - starts.pop(task)
                    game = _over(contest, task, future.result(), took, unconfined)
                    with naming(contest.folder / WORK_FOLDER / GAMES_FILE):
                        append_line(journal, to_json(game.json()))
                    contest.games.append(game)
                    schedule.add(game)
                    on_progress(
                        Progress(round(min(left, monotonic() - began)), round(left), _title(game))
                    )
                    on_game(contest)
            except KeyboardInterrupt:
                raise Interrupted(contest) from None
    return monotonic() < until


def _title(game: ContestGame) -> Message:
    """Return a message for people: who played *game* and how it ended."""
    return MatchGame((0, 1), game.record).message()


def assignment(contest: Contest, task: GameTask, unconfined: bool = False) -> Assignment:
    """Return the order for a referee process to play the game *task* of *contest*.

    A player that is no bot of *contest* is taken as the spec of a house bot. Both games of a pair
    have the same seed and opening. *unconfined* runs the bots outside the sandbox.
    """
    number, place, players = task
    plan, bots = contest.plan, contest.players
    specs = tuple(bots[each].spec(plan, unconfined) if each in bots else each for each in players)
    guard = BotGuard(deadline=plan.limits.seconds + 5, memory=max(2048, plan.limits.memory))
    seed = plan.ladder.shown_seed(f"game {number}")
    pair = TournamentPlan(
        plan.game, specs, 2, 1, seed, plan.ladder.opening, limit=plan.limit, guard=guard
    )
    return Assignment(pair, place, PLAYING_CATALOG)


def _over(
    contest: Contest, task: GameTask, facts: dict[str, Any], seconds: float, unconfined: bool
) -> ContestGame:
    """Return the finished game *task*, made of *facts*, the referee's record as JSON data.

    It took *seconds* by the clock. Names of players replace the commands that ran them, which
    *unconfined* decides as in `assignment`. Raise KeyError if a field of the record is missing.
    """
    number, place, players = task
    seating = (0, 1) if place == 0 else (1, 0)
    game = refereed_game(seating, facts)
    seats = (players[seating[0]], players[seating[1]])
    orders = assignment(contest, task, unconfined).orders()
    commands = {order.agent: name for order, name in zip(orders, seats)}
    record = _with_names(contest, game.record, seats, commands)
    processor = tuple(tuple(cpu for _, _, cpu in seat) for seat in game.effort)
    return ContestGame(seats, number, record, seconds, processor, game.memory)


def _with_names(
    contest: Contest, record: Record, seats: tuple[str, str], commands: Mapping[str, str]
) -> Record:
    """Return *record* with names of players in place of commands, and without paths of folders.

    Agents, the reason and cause of the end, and the output are changed. *seats* are the names of
    the players by seat; *commands* has the name of each by the spec of the agent that ran it.
    """
    players = contest.players
    bots = [players[each] for each in seats if each in players]

    def hidden(text: str) -> str:
        for bot in bots:
            text = bot.without_folder(text)
        return text

    reason = record.reason
    for command, name in commands.items():
        reason = reason.replace(command, name)
    cause = {
        key: hidden(seats[(record.blame or 1) - 1] if key == "agent" else str(value))
        for key, value in record.cause.items()
    }
    return replace(
        record, agents=seats, cause=cause, reason=hidden(reason), output=hidden(record.output)
    )
