"""Runs a contest: takes in what is handed in, checks it, and plays where a game tells most.

Everything that is over is on the disk before the next game begins: a run that is interrupted or
killed continues where it was. A new version of a bot is a new player; the old one's games stay.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter, deque
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from statistics import mean, median
from time import monotonic, perf_counter
from typing import Any, BinaryIO

from papan import catalog
from papan.contest.ladder import Ladder, Meeting, pairing
from papan.contest.plan import (
    PLAN,
    STUDENTS,
    SUBMISSIONS,
    ContestPlan,
    new_plan,
    parse_contest_plan,
    read_plan,
)
from papan.contest.submissions import (
    WORK_FOLDER,
    Check,
    Student,
    SubmissionError,
    Version,
    check_all,
    check_of,
    file_state,
    handed_in,
    read_students,
    take_submission,
    taking_in,
    versions_of,
)
from papan.core import InvalidRecordError, Message, PapanError, Progress, Record
from papan.core.files import check_folder, open_regular
from papan.core.interrupts import Interrupted
from papan.core.message import text_of
from papan.core.parts import Setup
from papan.core.printable import short, to_json
from papan.core.progress import OnProgress, ignore_progress
from papan.core.record import parse_record, replayed
from papan.lab.files import PUBLIC, append_line, whole_lines, write_whole, writing
from papan.lab.machine import cores
from papan.lab.match import MatchGame
from papan.lab.tournament.plan import Assignment, BotGuard, TournamentPlan
from papan.lab.tournament.run import RefereePool, this_machine
from papan.lab.tournament.standings import refereed_game
from papan.lab.work import completed
from papan.process.host import lock
from papan.process.sandbox import find_sandbox

PLAYING_CATALOG = "papan"
CHECKS_FILE, GAMES_FILE, RUN_LOCK = "checks.jsonl", "games.jsonl", "lock"
START_SECONDS = 0.4
"""Seconds that it takes to start a bot, about."""
ROUND_ROBIN_PAIRS = 20
"""Pairs of games of a full round robin, to which the estimate compares the ladder."""
SAMPLES = 12
"""Random games from which the length of a game is estimated."""


@dataclass(frozen=True)
class ContestGame:
    """A finished game of a contest: players by seat, its record, and what it cost."""

    players: tuple[str, str]
    """The names of the players on seats 0 and 1: ``NUMBER vVERSION``, or a house bot's spec."""
    pair: int
    """Number, from 0, of the pair of games to which it belongs."""
    record: Record
    seconds: float
    """Seconds of the clock that it took."""
    processor: tuple[tuple[float, ...], ...] = ()
    """Processor seconds of each move of each seat; empty if they were not measured."""
    memory: tuple[int, ...] = ()
    """Bytes of memory that the bot on each seat had at most; 0, or empty, if not measured."""

    def outcome(self, player: str) -> int:
        """Return 1 if *player*, one of the two, won, 0 for a draw, -1 if it lost."""
        winner = self.record.winner
        return 0 if winner is None else 1 if self.players[winner] == player else -1

    def json(self) -> dict[str, Any]:
        """Return the game as JSON data: one line of the journal, which `_game_in` reads."""
        costs = [[round(each, 4) for each in seat] for seat in self.processor]
        facts = {"players": list(self.players), "pair": self.pair, "processor": costs}
        facts["memory"] = list(self.memory)
        return facts | {"seconds": round(self.seconds, 3), **self.record.json()}


def _game_in(line: bytes) -> ContestGame:
    """Return the game in a line of the journal; raise InvalidRecordError if it is none.

    Anyone who can write a file can write a journal: a game that the rules contradict is found.
    """
    text = line.decode("utf-8", errors="replace")
    record = parse_record(text)
    facts = json.loads(text)
    try:
        first, second = map(str, facts["players"])
        processor = tuple(tuple(map(_amount, seat)) for seat in facts["processor"])
        memory = tuple(int(_amount(each)) for each in facts.get("memory", ()))  # older ones lack it
        seconds, pair = _amount(facts["seconds"]), int(facts["pair"])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise InvalidRecordError("error.not_a_record", text=text[:80]) from None
    replayed(record, catalog.game(record.game))
    return ContestGame((first, second), pair, record, seconds, processor, memory)


def _check_in(line: bytes) -> tuple[Check, object]:
    """Return the check in a line of `CHECKS_FILE`, and the terms under which it was made.

    The terms are those of `Contest._terms`; None if the line has none. Raise one of `DAMAGED_FACTS`
    for another form.
    """
    facts = json.loads(line)
    return check_of(facts), facts.get("terms")


def _amount(found: Any) -> float:
    """Return *found*, of a journal, as a number of seconds or bytes.

    Raise ValueError or TypeError if it is none, below 0 or infinite.
    """
    amount = float(found)
    if not 0 <= amount < inf:
        raise ValueError(found)
    return amount


@dataclass
class Contest:
    """A contest in its folder: the plan, students, checked versions of bots, and games so far.

    Students are given by number, players by name: ``NUMBER vVERSION``, or a house bot's spec.
    """

    folder: Path
    plan: ContestPlan
    students: list[Student]
    checks: dict[tuple[str, int], Check] = field(default_factory=dict)
    """The checks that were made under the present game, limits and seed, by student and version."""
    refused: dict[str, PapanError] = field(default_factory=dict)
    """The reason why a submission was not even taken, by the number of its student."""
    newest: dict[str, Version] = field(default_factory=dict)
    """The version that each student handed in last, legal or not, by the student's number."""
    earlier: dict[str, Version] = field(default_factory=dict)
    """The newest other version that was legal, by student; only where `newest` may not be legal."""
    strange: list[str] = field(default_factory=list)
    """Names of files in the folder of submissions that are nobody's."""
    games: list[ContestGame] = field(default_factory=list)
    """The games so far, in the order in which they ended."""

    @classmethod
    def open(cls, folder: Path) -> Contest:
        """Read the contest in *folder*; store what was handed in since as versions.

        Raise PapanError if a file is missing or invalid.
        """
        contest = cls.without_games(folder)
        contest.games = list(read_lines(folder / WORK_FOLDER / GAMES_FILE, _game_in))
        return contest

    @classmethod
    def without_games(cls, folder: Path) -> Contest:
        """Read all of the contest in *folder* but its games, which take longest to read.

        What was handed in since is stored as versions. Raise PapanError if a file is missing or
        invalid.
        """
        check_folder(folder / WORK_FOLDER)
        contest = cls(folder, read_plan(folder / PLAN), read_students(folder))
        contest.take_in()
        contest._read_checks()
        return contest

    def take_in(self) -> None:
        """Store what was handed in since as versions, and set `newest`, `refused` and `strange`.

        Raise PapanError if a link is among the folders of the contest.
        """
        with taking_in(self.folder):
            latest, self.strange = handed_in(self.folder, self.students)
            for student, path in latest.items():
                try:
                    self.newest[student] = take_submission(self.folder, self.plan, student, path)
                except SubmissionError as error:
                    self.refused[student] = error

    def _read_checks(self) -> None:
        """Set `checks` to those under the present terms, and `earlier` by all that were made.

        Raise InvalidRecordError for a line that is no check.
        """
        path, known = self.folder / WORK_FOLDER / CHECKS_FILE, {*self.newest, *self.refused}
        found = {
            (check.student, check.version): (check, terms)
            for check, terms in read_lines(path, _check_in)
            if check.student in known
        }
        now = self._terms()
        self.checks = {key: check for key, (check, terms) in found.items() if terms == now}
        self._find_earlier({key for key, (check, _) in found.items() if check.fine})

    def _find_earlier(self, legal: set[tuple[str, int]]) -> None:
        """Set `earlier`, given the (student, version) of all checks that ever found a *legal* bot.

        Raise PapanError if a link is among the folders of the contest.
        """
        for student in {student for student, _ in legal}:
            newest = self.newest.get(student)
            if newest is not None and self._is_legal(newest):
                continue
            for version in versions_of(self.folder, student):
                if (student, version.number) in legal and version != newest:
                    self.earlier[student] = version  # the newest one is the last

    def _terms(self) -> str:
        """Return the game, limits and seed as text: if they change, every check is repeated."""
        plan = self.plan
        return to_json([plan.game, vars(plan.limits), plan.ladder.seed])

    def unchecked(self) -> list[Version]:
        """Return the versions that play if they are legal, and whose check is missing."""
        return [
            each
            for each in (*self.newest.values(), *self.earlier.values())
            if (each.student, each.number) not in self.checks
        ]

    def check(
        self,
        on_check: Callable[[Check], object],
        unconfined: bool = False,
        only: Container[str] | None = None,
    ) -> None:
        """Check all unchecked versions; each result is on the disk before *on_check* gets it.

        *only* are the numbers of the students whose versions are checked; None: all of them.
        *unconfined* runs the bots outside the sandbox. Raise PapanError if there is no sandbox,
        unless *unconfined*, or the folder cannot be written. Without anything to check, nothing is
        raised.
        """
        new = [each for each in self.unchecked() if only is None or each.student in only]
        if not new:
            return
        if not unconfined:
            find_sandbox()  # raises where there is none
        work = self.folder / WORK_FOLDER
        with writing(work):
            work.mkdir(exist_ok=True)
            file = open_regular(work / CHECKS_FILE, "ab")
        with file:

            def keep(found: Check) -> None:
                append_line(file, to_json(found.json() | {"terms": self._terms()}))
                self.checks[found.student, found.version] = found
                on_check(found)

            check_all(new, self.plan, self.width, keep, unconfined)

    @property
    def width(self) -> int:
        """Number of games that are played at the same time; 0 in the plan means one for each
        core.
        """
        return self.plan.ladder.at_a_time or cores()

    def _is_legal(self, version: Version) -> bool:
        check = self.checks.get((version.student, version.number))
        return check is not None and check.fine

    def fault(self, student: str) -> PapanError | None:
        """Return the reason why a student's newest version does not take part; None if it plays.

        An older version may play all the same: see `verdict`.
        """
        if student in self.plan.disqualified:
            return SubmissionError("contest.disqualified", why=self.plan.disqualified[student])
        if student in self.refused:
            return self.refused[student]
        version = self.newest.get(student)
        if version is None:
            return SubmissionError("contest.nothing")
        check = self.checks.get((student, version.number))
        return SubmissionError("contest.unchecked") if check is None else check.error

    def playing(self, student: str) -> Version | None:
        """Return the version that plays for a student (a number): the newest if it is legal.

        Else it is the newest other one that is legal; None if there is none, or the student is
        disqualified.
        """
        if student in self.plan.disqualified:
            return None
        chosen = (self.newest.get(student), self.earlier.get(student))
        return next((each for each in chosen if each is not None and self._is_legal(each)), None)

    def verdict(self, student: str) -> PapanError | None:
        """Return the reason why no bot of a student takes part; None if one plays."""
        return None if self.playing(student) is not None else self.fault(student)

    @property
    def players(self) -> dict[str, Version]:
        """The bots that take part, by the name of their player, in the order of the students."""
        versions = (self.playing(each.number) for each in self.students)
        return {version.player: version for version in versions if version is not None}

    def names(self) -> dict[str, str]:
        """Return the names of all students, by their number."""
        return {each.number: each.name for each in self.students}

    def person(self, player: str, language: str) -> str:
        """Return the name of the student whose bot *player* is, in a sentence in *language*.

        Of a house bot it is what it is: a level, the random player, or its spec. *language* is en
        or id.
        """
        if version := self.players.get(player):
            return self.names()[version.student]
        kind, _, level = player.partition(":")
        if kind == "level" and level:
            return text_of("contest.house_level", language, level=level)
        return text_of("contest.house_random", language) if player == "random" else player

    # Games.

    def counted(self) -> list[ContestGame]:
        """Return the games of complete pairs between players that take part now.

        House bots are among them. Games of another game than the plan's are not.
        """
        known, game_spec = {*self.players, *self.plan.house.agents}, self.plan.rules.spec
        games = [
            game
            for game in self.games
            if known.issuperset(game.players) and game.record.game == game_spec
        ]
        pairs = Counter(game.pair for game in games)
        return [game for game in games if pairs[game.pair] == 2]

    def ladder(self) -> Ladder:
        """Return a new ladder of all games that count; players without games are on it, too."""
        ladder = Ladder(sorted(self.players))
        for game in self.counted():
            ladder.add(*game.players, [game.outcome(game.players[0])])
        return ladder

    def seconds_left(self) -> float:
        """Return the seconds by the clock that are left for games, at least 0.

        Games so far have used theirs, divided by `width`.
        """
        used = sum(game.seconds for game in self.games) / self.width
        return max(0.0, 60 * self.plan.ladder.minutes - used)


class GamesJournal:
    """The games of a contest in *folder* while it is played: each `look` reads the new ones.

    `games` has what was read.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / WORK_FOLDER / GAMES_FILE
        self._read = 0
        self.games: list[ContestGame] = []

    def look(self) -> list[ContestGame]:
        """Return all games so far, always the same list, which grows.

        Raise InvalidRecordError for a line that is no game.
        """

        def game_in(line: bytes) -> ContestGame:
            game = _game_in(line)
            self._read += len(line)
            return game

        self.games.extend(read_lines(self._path, game_in, self._read))
        return self.games


def contest_state(folder: Path) -> tuple[object, ...]:
    """Return a value that changes if somebody changes the plan, the list, or what was handed in.

    It has the `file_state` of each file; values are compared by ``==``. That a file inside a folder
    has changed may not show.
    """
    place = folder / SUBMISSIONS
    handed = sorted(place.iterdir()) if place.is_dir() else ()
    return tuple(map(file_state, (folder / PLAN, folder / STUDENTS, *handed)))


DAMAGED_FACTS = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""Errors of reading facts in another form than papan writes."""


def read_lines(path: Path, read: Callable[[bytes], Any], skipped: int = 0) -> Iterator[Any]:
    """Yield read(line) for each whole line of a file, with its end; nothing if there is no file.

    The first *skipped* bytes are left out, and a last line that was cut short. Raise
    InvalidRecordError, with the number of the line, where *read* raises PapanError or one of
    `DAMAGED_FACTS`.
    """
    try:
        file = open_regular(path)
    except FileNotFoundError:
        return
    with file:
        file.seek(skipped)
        for count, line in enumerate(whole_lines(file), 1):
            try:
                yield read(line)
            except (PapanError, *DAMAGED_FACTS) as error:
                raise InvalidRecordError(
                    "tournament.bad_line", path=path, line=count, why=short(f"{error}")[:200]
                ) from None


def new_contest(folder: Path, game: str, language: str, title: str = "") -> None:
    """Create the folder of a contest with a plan and a list of students to edit.

    *game* is a spec, *language* en or id; the title is *title*, or if that is empty the folder's
    name. A list that is there is kept. Raise PapanError if there is a plan already, or it cannot be
    written; raise InvalidSpecError if *game* is no game for two.
    """
    if (folder / PLAN).exists():
        raise PapanError("contest.exists", path=folder)
    seed = random.SystemRandom().randrange(1, 1_000_000)
    plan = new_plan(title or folder.resolve().name, game, seed, language)
    parse_contest_plan(plan.encode())  # before anything is written
    with writing(folder):
        (folder / SUBMISSIONS).mkdir(parents=True, exist_ok=True)
        write_whole(folder / PLAN, plan, PUBLIC)
        if not (folder / STUDENTS).exists():
            write_whole(folder / STUDENTS, "number,name\n", PUBLIC)


@dataclass(frozen=True)
class Estimate:
    """An estimate of a run before it begins, from what checks or games so far have taken."""

    games: int
    """Number of games that fit into the time that is left."""
    game_seconds: float
    """Seconds of a game by the clock."""
    minutes: float
    """Minutes that are left for games, by the clock."""
    round_robin_hours: float
    """Hours of a full round robin of `ROUND_ROBIN_PAIRS` pairs of games between any two players."""


def estimate_run(contest: Contest) -> Estimate:
    """Estimate how many games fit into the time that is left.

    From the mean of the games so far, else from the seconds of the checks and the length of random
    games.
    """
    plan, players = contest.plan, contest.players
    granted = plan.limits.seconds
    taken = [contest.checks[each.student, each.number].seconds for each in players.values()] or [
        granted
    ]
    if played := [game.seconds for game in contest.games]:
        seconds = mean(played)
    else:
        seconds = 2 * START_SECONDS + _plies(plan) * min(granted, mean(taken))
    left = contest.seconds_left()
    pairs = len(players) * (len(players) - 1) // 2
    robin = 2 * ROUND_ROBIN_PAIRS * pairs * seconds / contest.width / 3600
    return Estimate(round(left * contest.width / seconds), seconds, left / 60, robin)


def _plies(plan: ContestPlan) -> float:
    """Return the median number of plies of random games after the opening; at least 1."""
    rng, lengths = random.Random(plan.ladder.seed), list[int]()
    for number in range(SAMPLES):
        position, length = Setup.of(plan.rules).deal(number).start(), 0
        while moves := position.moves():
            position, length = position.child(rng.choice(list(moves))), length + 1
        lengths.append(length)
    return max(1.0, median(lengths) - plan.ladder.opening)


@contextmanager
def _locked(folder: Path) -> Iterator[BinaryIO]:
    """Lock the contest and yield its journal of games, opened to append.

    An incomplete last line is removed from it. Raise PapanError if another process has the lock, or
    the folder cannot be written.
    """
    work = folder / WORK_FOLDER
    with ExitStack() as opened:
        with writing(work):
            work.mkdir(exist_ok=True)
            guard = opened.enter_context(open_regular(work / RUN_LOCK, "ab"))
            file = opened.enter_context(open_regular(work / GAMES_FILE, "a+b"))
        try:
            lock(guard)
        except OSError:
            raise PapanError("contest.locked", path=folder) from None
        file.seek(0)
        file.truncate(sum(map(len, whole_lines(file))))
        file.seek(0, os.SEEK_END)
        yield file


GameTask = tuple[int, int, Meeting]
"""A game to play: the number of its pair, its number in it, and its two players."""


class Schedule:
    """The choice of the next games: incomplete pairs, Swiss rounds, house bots, then near pairs.

    Of each pairing two games are played, with the seats exchanged.
    """

    def __init__(self, contest: Contest) -> None:
        self._contest, self._ladder = contest, contest.ladder()
        self._next = max((game.pair for game in contest.games), default=-1) + 1
        self._waiting = deque(self._halves())
        self._house = deque(self._house_pairs())

    def _halves(self) -> Iterator[GameTask]:
        """Yield the other game of each pair of which one was played before an interruption.

        Pairs with players that take part no more, or of another game, are left out.
        """
        known = {*self._contest.players, *self._contest.plan.house.agents}
        pairs: dict[int, list[ContestGame]] = {}
        for game in self._contest.games:
            pairs.setdefault(game.pair, []).append(game)
        for number, games in pairs.items():
            same = games[0].record.game == self._contest.plan.rules.spec
            if len(games) == 1 and same and known.issuperset(games[0].players):
                both = pairing(*games[0].players)
                yield number, 1 if games[0].players == both else 0, both

    def _house_pairs(self) -> Iterator[Meeting]:
        house = self._contest.plan.house
        for count in range(house.pairs):
            for agent in house.agents:
                for player in sorted(self._contest.players):
                    if self._ladder.pairs(pairing(player, agent)) <= count:
                        yield pairing(player, agent)

    def following(self, running: Sequence[GameTask]) -> GameTask | None:
        """Return the next game to play, which is then no more waiting; *running* are being played.

        None if there is none: the orders are settled, or not before a running one ends.
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

        It does not go to the contest's `games`.
        """
        self._ladder.add(*game.players, [game.outcome(game.players[0])])


def run_contest(
    contest: Contest,
    on_progress: OnProgress = ignore_progress,
    on_game: Callable[[Contest], object] = lambda contest: None,
    unconfined: bool = False,
    enough: Callable[[], bool] = lambda: False,
) -> bool:
    """Play until all orders are settled or *enough* (return True), or the time is over (False).

    *on_progress* (seconds so far and in all) and *on_game* are called after each game, which is on
    the disk then. *unconfined* runs the bots outside the sandbox. Once *enough* returns True no
    other game begins; those that are being played end. Raise `Interrupted` with the contest after
    Ctrl-C, PapanError if the folder is in use or there is no sandbox.
    """
    if not unconfined:
        find_sandbox()
    with _locked(contest.folder) as journal, closing(RefereePool()) as pool:
        contest.games = list(read_lines(contest.folder / WORK_FOLDER / GAMES_FILE, _game_in))
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
    return MatchGame((0, 1), game.record).message()


def assignment(contest: Contest, task: GameTask, unconfined: bool = False) -> Assignment:
    """Return the order for a referee process to play the game *task*.

    *unconfined* runs its bots outside the sandbox.
    """
    number, place, players = task
    plan, bots = contest.plan, contest.players
    specs = tuple(bots[each].spec(plan, unconfined) if each in bots else each for each in players)
    guard = BotGuard(deadline=plan.limits.seconds + 5, memory=max(2048, plan.limits.memory))
    seed = plan.ladder.seed * 100_003 + number
    pair = TournamentPlan(
        plan.game, specs, 2, 1, seed, plan.ladder.opening, limit=plan.limit, guard=guard
    )
    return Assignment(pair, place, PLAYING_CATALOG)


def _over(
    contest: Contest, task: GameTask, facts: dict[str, Any], seconds: float, unconfined: bool
) -> ContestGame:
    """Return the referee's *facts* (JSON data) on the game *task* as a finished game.

    It took *seconds* by the clock. Names of players stand in place of the commands that ran them.
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
    """Return *record* with names of players in place of commands, and without their folders.

    *seats* are the names by seat; *commands* has the name of each player by the command that runs
    it.
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
