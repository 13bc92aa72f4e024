"""The folder of a contest: its plan and students, what was handed in, checked and played."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from papan import catalog
from papan.contest.checks import Check, check_all, check_of
from papan.contest.ladder import Ladder
from papan.contest.plan import (
    PLAN,
    STUDENTS,
    SUBMISSIONS,
    ContestPlan,
    new_plan,
    parse_contest_plan,
    read_plan,
)
from papan.contest.students import Student, read_students
from papan.contest.submissions import (
    WORK_FOLDER,
    SubmissionError,
    Version,
    file_state,
    handed_in,
    take_submission,
    taking_in,
    versions_of,
)
from papan.core import InvalidRecordError, PapanError, Record
from papan.core.files import check_folder, open_regular
from papan.core.message import text_of
from papan.core.printable import short, to_json
from papan.core.record import parse_record, replayed
from papan.lab.files import (
    PRIVATE,
    append_line,
    make_private,
    remove_cut_line,
    whole_lines,
    write_whole,
    writing,
)
from papan.lab.machine import cores
from papan.process.sandbox import find_sandbox

PLAYING_CATALOG = "papan"
CHECKS_FILE, GAMES_FILE, RUN_LOCK = "checks.jsonl", "games.jsonl", "lock"


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
        """Return 1 if *player* won, 0 for a draw, -1 if it lost.

        *player* is its name; that it has played is not checked.
        """
        winner = self.record.winner
        return 0 if winner is None else 1 if self.players[winner] == player else -1

    def json(self) -> dict[str, Any]:
        """Return the game as JSON data: a line of the journal, which `_game_in` reads back.

        It has ``players`` (names by seat), ``pair``, ``seconds`` (rounded to 0.001), ``processor``
        (seconds of each move of each seat, rounded to 0.0001), ``memory`` (bytes by seat), and the
        keys of `Record.json`.
        """
        costs = [[round(each, 4) for each in seat] for seat in self.processor]
        facts = {"players": list(self.players), "pair": self.pair, "processor": costs}
        facts["memory"] = list(self.memory)
        return facts | {"seconds": round(self.seconds, 3), **self.record.json()}


def _game_in(line: bytes) -> ContestGame:
    """Return the game in *line*, a line of the journal that `ContestGame.json` describes.

    Anyone who can write a file can write a journal: raise InvalidRecordError if the line is no game
    or its moves contradict the rules, InvalidSpecError if papan has no such game,
    InvalidPositionError if its start is no position of that game.
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
    """Return *found*, a value of a journal in seconds or bytes, as a float.

    Raise ValueError, TypeError or OverflowError unless it is a finite number of 0 or more, or its
    text.
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
    """The checks that were made under the present game, limits and seed.

    The key is the student's number with the number of the version.
    """
    refused: dict[str, PapanError] = field(default_factory=dict)
    """The reason why a submission was not even taken, by the number of its student."""
    newest: dict[str, Version] = field(default_factory=dict)
    """The version that each student handed in last, legal or not, by the student's number.

    It lacks those without a submission, and those whose last one was `refused`.
    """
    earlier: dict[str, Version] = field(default_factory=dict)
    """The newest version beside `newest` that its last check has found legal, by student's number.

    That check may have been under another game, other limits or another seed. It lacks students
    whose `newest` version is legal under the present ones.
    """
    strange: list[str] = field(default_factory=list)
    """Names of files and folders among the submissions that belong to no student of the list.

    Hidden ones are left out.
    """
    games: list[ContestGame] = field(default_factory=list)
    """The games so far, in the order in which they ended."""

    @classmethod
    def open(cls, folder: Path) -> Contest:
        """Return the contest in *folder*, with its games; store new submissions as versions.

        A submission that cannot be used is no error: its reason is in `refused`. Raise PapanError
        if the plan or the list is missing, a file is invalid, or a link is among its folders;
        OSError if another file cannot be read.
        """
        contest = cls.without_games(folder)
        contest.read_games()
        return contest

    @classmethod
    def without_games(cls, folder: Path) -> Contest:
        """Return the contest in *folder* without its games, which take longest to read.

        New submissions are stored as versions, `checks` are read, and `games` is empty. Raise
        PapanError and OSError as `open`.
        """
        check_folder(folder / WORK_FOLDER)
        contest = cls(folder, read_plan(folder / PLAN), read_students(folder))
        contest.take_in()
        contest._read_checks()
        return contest

    def read_games(self) -> None:
        """Set `games` to those that are in the folder now; raise InvalidRecordError for a bad line.

        There are none if the file is missing; a last line that was cut short is skipped. Raise
        PapanError if it is no regular file, OSError if it cannot be read.
        """
        self.games = list(read_lines(self.folder / WORK_FOLDER / GAMES_FILE, _game_in))

    def take_in(self) -> None:
        """Store new submissions as versions; fill `newest` and `refused`, and set `strange`.

        Each student with a submission gets an entry in `newest` or, if it cannot be used, in
        `refused`. Call it once: entries that are there stay. Raise PapanError if a link is among
        the folders of the contest or the stored versions, OSError if the folder of submissions
        cannot be read or a submission vanishes meanwhile.
        """
        with taking_in(self.folder):
            latest, self.strange = handed_in(self.folder, self.students)
            for student, path in latest.items():
                try:
                    self.newest[student] = take_submission(self.folder, self.plan, student, path)
                except SubmissionError as error:
                    self.refused[student] = error

    def _read_checks(self) -> None:
        """Set `checks` to the stored checks under the present terms, and fill `earlier`.

        `newest` and `refused` must be filled: checks of students in neither are skipped. `earlier`
        follows from the checks under any terms. Of several checks of a version the last one counts.
        There are none if the file is missing; a last line that was cut short is skipped. Raise
        InvalidRecordError for a line that is no check, PapanError as `versions_of` or if the file
        is no regular one, OSError if it cannot be read.
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
        """Fill `earlier`: the newest other legal version where the newest one may not be legal.

        *legal* has (number of the student, number of the version) for all bots that their last
        check has found legal, under whatever terms. `checks` must be set. Raise PapanError as
        `versions_of`.
        """
        for student in {student for student, _ in legal}:
            newest = self.newest.get(student)
            if newest is not None and self._is_legal(newest):
                continue
            for version in versions_of(self.folder, student):
                if (student, version.number) in legal and version != newest:
                    self.earlier[student] = version  # the newest one is the last

    def _terms(self) -> str:
        """Return the game, the limits and the seed as text.

        If that changes, every check is repeated.
        """
        plan = self.plan
        return to_json([plan.game, vars(plan.limits), plan.ladder.seed])

    def unchecked(self) -> list[Version]:
        """Return the versions that have no check under the present terms.

        They are the `newest` and the `earlier` ones: those that may play if they are legal.
        """
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
        """Check all `unchecked` versions; call *on_check* with each result.

        Before that call the result is on the disk and in `checks`. *only* are the numbers of the
        students whose versions are checked; None: those of all. *unconfined* runs the bots outside
        the sandbox. Raise PapanError if there is no sandbox, unless *unconfined*, if the folder
        cannot be written, or if the file of checks is no regular one; and what `check_all` raises.
        Without anything to check, nothing is raised.
        """
        new = [each for each in self.unchecked() if only is None or each.student in only]
        if not new:
            return
        if not unconfined:
            find_sandbox()  # raises where there is none
        path = self.folder / WORK_FOLDER / CHECKS_FILE
        with writing(path):
            make_private(path.parent)
            file = open_regular(path, "a+b", PRIVATE)
        with file:
            with writing(path):
                remove_cut_line(file)

            def keep(found: Check) -> None:
                with writing(path):
                    append_line(file, to_json(found.json() | {"terms": self._terms()}))
                self.checks[found.student, found.version] = found
                on_check(found)

            check_all(new, self.plan, self.width, keep, unconfined)

    @property
    def width(self) -> int:
        """Number of games that are played at the same time.

        It is that of the plan, or if that is 0, one for each core.
        """
        return self.plan.ladder.at_a_time or cores()

    def _is_legal(self, version: Version) -> bool:
        """Return whether *version* has a check under the present terms, and passed it."""
        check = self.checks.get((version.student, version.number))
        return check is not None and check.fine

    def fault(self, student: str) -> PapanError | None:
        """Return the reason why the newest version of *student* does not play; None if it does.

        *student* is a number. The reason is that the student is disqualified, or handed in nothing
        or what cannot be used, or that the version was not checked or failed. An older version may
        play in its place: see `verdict`.
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
        """Return the version that plays for *student* (a number): the newest if it is legal.

        Else it is the one in `earlier` if that is legal under the present terms; None if neither
        is, or the student is disqualified.
        """
        if student in self.plan.disqualified:
            return None
        chosen = (self.newest.get(student), self.earlier.get(student))
        return next((each for each in chosen if each is not None and self._is_legal(each)), None)

    def verdict(self, student: str) -> PapanError | None:
        """Return the reason why no bot of *student* (a number) takes part; None if one does."""
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
        """Return the name of *player* for a sentence in *language* (en or id).

        If it is a bot that takes part, that is the name of the student. ``level:N`` is called a
        level, ``random`` the random player; any other player, such as another house bot or an older
        version, is named as in games.
        """
        if version := self.players.get(player):
            return self.names()[version.student]
        kind, _, level = player.partition(":")
        if kind == "level" and level:
            return text_of("contest.house_level", language, level=level)
        return text_of("contest.house_random", language) if player == "random" else player

    # Games.

    def counted(self) -> list[ContestGame]:
        """Return the games that count: those of complete pairs between players that take part now.

        House bots take part, too. Games of another game than the plan's do not count. They are in
        the order in which they ended.
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

        The minutes of the plan are the time for all games. What is used of it is the seconds of all
        games so far divided by `width`, the number of games at the same time.
        """
        used = sum(game.seconds for game in self.games) / self.width
        return max(0.0, 60 * self.plan.ladder.minutes - used)


class GamesJournal:
    """The games of a contest in *folder* while it is played: each `look` reads the new ones.

    `games` has those read so far.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / WORK_FOLDER / GAMES_FILE
        self._read = 0
        self.games: list[ContestGame] = []

    def look(self) -> list[ContestGame]:
        """Return all games so far, always the same list, which grows; empty without a file.

        A last line without its end is left for the next call. Raise InvalidRecordError for a line
        that is no game, PapanError if the file is no regular one, OSError if it cannot be read.
        """

        def game_in(line: bytes) -> ContestGame:
            game = _game_in(line)
            self._read += len(line)
            return game

        self.games.extend(read_lines(self._path, game_in, self._read))
        return self.games


def contest_state(folder: Path) -> tuple[object, ...]:
    """Return a value that changes if somebody changes the plan, the list, or what was handed in.

    It has the `file_state` of each of these; values are compared by ``==``. A change inside a
    folder that was handed in may not change it. Raise OSError if the folder of submissions cannot
    be read.
    """
    place = folder / SUBMISSIONS
    handed = sorted(place.iterdir()) if place.is_dir() else ()
    return tuple(map(file_state, (folder / PLAN, folder / STUDENTS, *handed)))


DAMAGED_FACTS = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""Errors of reading facts in another form than papan writes."""


def read_lines(path: Path, read: Callable[[bytes], Any], skipped: int = 0) -> Iterator[Any]:
    r"""Yield read(line) for each whole line of a file; nothing if there is no file.

    *line* has its ``\n``. The first *skipped* bytes are left out, and a last line without ``\n``,
    which was cut short; nothing is read from a line of more than `LONGEST_RECORD` bytes on. Raise
    InvalidRecordError where *read* raises PapanError or one of `DAMAGED_FACTS`; it has the number
    of the line, from 1 after the skipped bytes. Raise PapanError if *path* is no regular file,
    OSError if it cannot be read.
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


SEEDS = 2**62
"""Number of seeds of new plans: so many that nobody finds one by trying what is drawn from them."""


def new_contest(folder: Path, game: str, language: str, title: str = "") -> None:
    """Create the folder of a contest with a plan and a list of students to edit.

    *game* is a spec, *language* en or id; the title is *title*, or if that is empty the folder's
    name. The plan gets a random seed. A list that is there is kept. Raise PapanError if there is a
    plan already, if one of the files cannot be written, or if a house bot does not play *game*;
    InvalidSpecError if *game* is no game for two, or too short for the plan's opening; OSError for
    another *language*.
    """
    if (folder / PLAN).exists():
        raise PapanError("contest.exists", path=folder)
    seed = random.SystemRandom().randrange(1, SEEDS)
    plan = new_plan(title or folder.resolve().name, game, seed, language)
    parse_contest_plan(plan.encode())  # before anything is written
    with writing(folder):
        make_private(folder)
        make_private(folder / SUBMISSIONS)
        write_whole(folder / PLAN, plan)  # with the seed of the hidden positions
        if not (folder / STUDENTS).exists():
            write_whole(folder / STUDENTS, "number,name\n")
