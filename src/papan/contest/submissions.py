"""What students hand in: read without trust, kept as versions, built and checked in the sandbox."""

from __future__ import annotations

import csv
import re
import shutil
import stat
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path, PurePosixPath
from statistics import median
from time import time
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from papan import catalog
from papan.contest.plan import STUDENTS, SUBMISSIONS, ContestPlan
from papan.core import InvalidSpecError, Message, PapanError
from papan.core.files import check_folder, check_regular, open_regular, read_regular
from papan.lab.bots import BOT_SUFFIXES, bot_spec, compile_bot
from papan.lab.files import PUBLIC, write_whole
from papan.lab.referee import LONGEST_OUTPUT, TrialPlan, try_out
from papan.process.host import lock

WORK_FOLDER = "work"
"""The folder in which papan keeps versions, games and answers."""
NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
"""A student's number: it is the name of a file, too."""
SEPARATORS = ",;\t"
"""Between number and name in the list of students: tabs are in cells that were copied."""
LARGEST_LIST = 1_000_000
MOST_STUDENTS = 2000
MOST_BYTES, MOST_FILES = 8 << 20, 200
"""Bytes and files of a submission, unpacked."""
MOST_PARTS = 20
"""Parts of the path of a file in a submission."""
COMPILED = "compiled"
"""Name of the program that papan compiles of a submission in C."""
LONGEST_SOURCE = 200_000
"""Characters of a submission's source that are compared and shown; no student writes as much."""
ENCRYPTED = 1
BAD_ARCHIVE = (
    BadZipFile,
    EOFError,
    LookupError,  # a member without a name
    NotImplementedError,
    RuntimeError,
    ValueError,
    zlib.error,
)
"""Errors of reading an archive in another form than programs write."""
TAKING_FILE = "taking"
"""The file that is locked while submissions are stored."""
IGNORED = ("__MACOSX", ".DS_Store", "__pycache__", ".git")
"""Parts of archives that systems add by themselves."""
ARCHIVE = ".zip"
TRIAL_POSITIONS, TRIAL_AGAIN = 20, 5


@dataclass(frozen=True)
class Student:
    """A line of the list of students: number and name."""

    number: str
    """The student's number, which matches `NUMBER`."""
    name: str
    """The name, at most 80 characters."""


def read_students(folder: Path) -> list[Student]:
    """Return the students in the list of the contest in *folder*, in its order.

    Raise InvalidSpecError if there is no such file, or for an invalid line.
    """
    path = folder / STUDENTS
    try:
        data = read_regular(path, LARGEST_LIST)
    except OSError as error:
        raise InvalidSpecError("contest.no_students", path=path, why=error.strerror) from None
    return parse_students(data, path)


def parse_students(data: bytes, path: Path | None = None) -> list[Student]:
    """Return the students in a list with the content *data*: lines of number and name, in UTF-8.

    Lines without a number are left out, and a first line whose number has no digit: headings. Raise
    InvalidSpecError, which names the line, and the file *path* if there is one, also for a number
    that comes twice, and for more than `MOST_STUDENTS`.
    """

    def wrong(line: int, why: object) -> InvalidSpecError:
        if path is None:
            return InvalidSpecError("contest.bad_list", line=line, why=why)
        return InvalidSpecError("contest.bad_students", path=path, line=line, why=why)

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong(1, error) from None
    found: dict[str, Student] = {}
    for count, line in enumerate(text.splitlines(), 1):
        try:
            number, name = _cells(line)
        except csv.Error as error:  # also a quotation mark without its twin
            raise wrong(count, error) from None
        if not number or (count == 1 and not any(map(str.isdigit, number))):
            continue  # an empty line, or the headings
        new = number not in found and len(found) < MOST_STUDENTS
        if not (NUMBER.fullmatch(number) and name and new):
            raise wrong(count, number[:60])
        found[number] = Student(number, name[:80])
    return list(found.values())


def _cells(line: str) -> tuple[str, str]:
    """Return number and name in a line of a list of students, "" for what it lacks.

    The first of `SEPARATORS` in the line separates them. Raise csv.Error if it is no table.
    """
    marks = [mark for mark in line if mark in SEPARATORS]  # spreadsheets differ by country
    rows = list(csv.reader([line], delimiter=marks[0] if marks else ",", strict=True))
    number, name = [*(rows[0] if rows else ()), "", ""][:2]
    plain = "".join(letter if letter.isprintable() else " " for letter in name)
    return number.strip(), " ".join(plain.split())


# Reading what was handed in.

Contents = dict[str, bytes]
"""The files of a submission, by their path in it."""


class SubmissionError(PapanError):
    """A submission that cannot be used, with the reason in words for its student."""


def read_submission(path: Path) -> Contents:
    """Return the files of the submission at *path*, by their path in it.

    It is a file, a .zip archive or a folder. Nothing is followed or unpacked before it is measured.
    Raise SubmissionError if it is empty, too large or holds something else than files, OSError if
    it cannot be read.
    """
    if path.is_dir() and not path.is_symlink():
        found = dict(_in_folder(path))
    else:
        return unpacked(path.name, read_regular(path, MOST_BYTES, SubmissionError))
    if not found:
        raise SubmissionError("contest.empty")
    return _without_top(found)


def unpacked(name: str, data: bytes) -> Contents:
    """Return the files, by their path, of a .zip archive, or *data* itself as the one file *name*.

    Raise SubmissionError for an archive that is damaged, empty, too large or leads out of its
    folder.
    """
    found = dict(_in_archive(data)) if name.endswith(ARCHIVE) else {name: data}
    if not found:
        raise SubmissionError("contest.empty")
    return _without_top(found)


def _in_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    total = 0
    for count, path in enumerate(sorted(folder.rglob("*"))):
        relative = path.relative_to(folder)
        if set(relative.parts) & set(IGNORED):
            continue
        if count > MOST_FILES:
            raise SubmissionError("contest.too_many_files", most=MOST_FILES)
        if path.is_dir() and not path.is_symlink():
            continue
        data = read_regular(path, MOST_BYTES, SubmissionError)
        total += len(data)
        if total > MOST_BYTES:
            raise SubmissionError("contest.too_large", most=MOST_BYTES >> 20)
        yield relative.as_posix(), data


def _in_archive(data: bytes) -> Iterator[tuple[str, bytes]]:
    left = MOST_BYTES
    try:
        if data.count(b"PK\x01\x02") > MOST_FILES:
            raise SubmissionError("contest.too_many_files", most=MOST_FILES)
        with ZipFile(BytesIO(data)) as archive:
            for member in archive.infolist():
                if member.is_dir() or set(PurePosixPath(member.filename).parts) & set(IGNORED):
                    continue
                _check_member(member)
                with archive.open(member) as file:
                    content = file.read(left + 1)
                left -= len(content)
                if left < 0:
                    raise SubmissionError("contest.too_large", most=MOST_BYTES >> 20)
                yield str(PurePosixPath(member.filename)), content
    except SubmissionError:
        raise
    except BAD_ARCHIVE as bad:
        raise SubmissionError("contest.bad_archive", why=str(bad)[:100]) from None


def _check_member(member: ZipInfo) -> None:
    """Raise SubmissionError if a member of an archive is a link, leads out, or is packed oddly.

    Odd is encrypted, or another method than stored and deflated.
    """
    path = PurePosixPath(member.filename)
    kind = stat.S_IFMT(member.external_attr >> 16)
    plain = member.filename.isprintable() and "\\" not in member.filename
    if kind not in (0, stat.S_IFREG) or not leads_inside(path) or not plain:
        raise SubmissionError("contest.bad_member", name=ascii(member.filename)[:80])
    packed = member.compress_type in (ZIP_STORED, ZIP_DEFLATED)
    if member.flag_bits & ENCRYPTED or not packed:
        raise SubmissionError("contest.bad_archive", why=ascii(member.filename)[:80])


def leads_inside(path: PurePosixPath) -> bool:
    """Return whether a relative path names something below the folder that it is joined to.

    A path of more than `MOST_PARTS` parts is taken for none: no disk takes every depth.
    """
    parts = path.parts
    return 0 < len(parts) <= MOST_PARTS and not path.is_absolute() and ".." not in parts


def _without_top(found: Contents) -> Contents:
    """Return the files, by path, without their common top folder, if all of them are in one."""
    tops = {PurePosixPath(name).parts[0] for name in found}
    if len(tops) == 1 and all("/" in name for name in found):
        return {name.partition("/")[2]: data for name, data in found.items()}
    return found


def main_file(found: Contents) -> str:
    """Return the name of the file that is run: ``main`` with a known suffix, or the only one.

    Only files outside of folders with a suffix of `BOT_SUFFIXES` count. Raise SubmissionError if
    there is none, or more than one.
    """
    known = [name for name in found if "/" not in name and Path(name).suffix in BOT_SUFFIXES]
    mains = [name for name in known if Path(name).stem.lower() == "main"]
    for choice in (mains, known):
        if len(choice) == 1:
            return choice[0]
    raise SubmissionError(
        "contest.no_main", known=", ".join(f"main{each}" for each in BOT_SUFFIXES)
    )


# Versions.


@dataclass(frozen=True)
class Version:
    """One stored version of a student's bot: its folder, and the main file in it."""

    student: str
    """The number of the student."""
    number: int
    """Number of the version, from 1."""
    folder: Path
    """The folder of its files."""
    main: str
    """The name, in that folder, of the file that is run."""

    @property
    def player(self) -> str:
        """Name of this version in games: ``NUMBER vVERSION``."""
        return f"{self.student} v{self.number}"

    @property
    def language(self) -> str:
        return Path(self.main).suffix.lstrip(".")

    @property
    def stored(self) -> float:
        """Unix time, in seconds, at which it was stored; OSError if its main file is gone."""
        return (self.folder / self.main).stat().st_mtime

    @property
    def built(self) -> Path:
        """Path of the compiled program of a submission in C, whether it is there or not."""
        return self.folder / COMPILED

    def without_folder(self, text: str) -> str:
        """Return *text*, printed by the bot, without the path of its folder.

        The path would tell of the server.
        """
        return text.replace(f"{self.folder.resolve()}/", "")

    def source(self) -> str:
        """Return the text of all of its source files in the order of their paths.

        Only the first `LONGEST_SOURCE` characters of it all. Raise PapanError or OSError if a file
        cannot be read.
        """
        files = sorted(each for each in self.folder.rglob("*") if each.suffix in BOT_SUFFIXES)
        texts = (read_regular(each, MOST_BYTES).decode(errors="replace") for each in files)
        return "\n".join(texts)[:LONGEST_SOURCE]

    def spec(self, plan: ContestPlan, unconfined: bool = False) -> str:
        """Return the spec of the agent that runs this bot, in the sandbox unless *unconfined*.

        Memory and deadline are those of *plan*, the latter at least 10 seconds. In the sandbox
        papan's searches are hidden from a bot in Python unless *plan* allows them.
        """
        limits = plan.limits
        options = f"deadline={max(10.0, limits.seconds):g},memory={limits.memory}"
        if not unconfined:
            options += ",confined=folder"
        if self.language == "py" and not (limits.searches or unconfined):
            options += ",unaided=true"
        main = (self.folder / self.main).resolve()
        return bot_spec(main, self.built.resolve(), limits.memory, options)


def versions_of(folder: Path, student: str) -> list[Version]:
    """Return the versions of the bot of *student* (a number) that are kept, oldest first.

    *folder* is that of the contest. Empty if there are none. Raise PapanError where there is a link
    or a pipe among them: papan makes none; SubmissionError if one has no main file.
    """
    found = []
    for place in sorted(_home(folder, student).glob("[0-9][0-9][0-9][0-9]-*")):
        number, _, _ = place.name.partition("-")
        check_folder(place)
        found.append(Version(student, int(number), place, _main_in(place, file_state(place))))
    return found


@lru_cache(10_000)
def _main_in(place: Path, state: object) -> str:
    """Return the name of the main file of the kept version in *place*.

    *state* is the `file_state` of the folder: while it is the same, the name is cached, because
    every page of a student asks. Raise PapanError if a link or a pipe is among its files.
    """
    for each in place.rglob("*"):
        check_folder(each)
        if not each.is_dir():
            check_regular(each)
    mains = [each.name for each in place.iterdir() if each.suffix in BOT_SUFFIXES]
    return main_file(dict.fromkeys(mains, b""))


def file_state(path: Path) -> tuple[object, ...]:
    """Return a value that changes if a file changes, or a folder gets or loses an entry.

    It is (name, time, size, number of the file), or the name alone if there is no such file; values
    are compared by ``==``.
    """
    try:
        found = path.lstat()
    except OSError:
        return (path.name,)
    return path.name, found.st_mtime_ns, found.st_size, found.st_ino


def _home(folder: Path, student: str) -> Path:
    """Return the folder of a student's versions, which may not exist yet.

    *folder* is that of the contest, *student* a number. Raise PapanError if a link leads elsewhere.
    """
    home = folder / WORK_FOLDER / "versions" / student
    for place in (home.parents[1], home.parent, home):
        check_folder(place)
    return home


def keep_version(folder: Path, student: str, contents: Contents) -> Version:
    """Store a submission as a new version, or return the newest that has the same files.

    *folder* is that of the contest, *student* a number, *contents* the files by path. It is stored
    whole or not at all. Raise SubmissionError if it has no main file or a path leads out, OSError
    if it cannot be written, PapanError if a link is among the versions.
    """
    main, digest = main_file(contents), _digest(contents)
    versions = versions_of(folder, student)
    if same := _same_version(versions, contents):
        return same
    number = versions[-1].number + 1 if versions else 1
    home = _home(folder, student)
    home.mkdir(parents=True, exist_ok=True)
    place = home / f"{number:04}-{digest}"
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=home))
    try:
        for name, data in contents.items():
            inside = PurePosixPath(name)
            if not leads_inside(inside) or inside.parts[0] == COMPILED:  # not its own program
                raise SubmissionError("contest.bad_member", name=ascii(name)[:80])
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        draft.chmod(0o755)
        draft.rename(place)
    except (OSError, SubmissionError):
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return Version(student, number, place, main)


def _digest(contents: Mapping[str, bytes]) -> str:
    """Return a hash, 12 hexadecimal digits, of the names and contents of files, in any order."""
    digest = sha256()
    for name, data in sorted(contents.items()):
        digest.update(f"{len(name.encode())} {name} {len(data)} ".encode() + data)
    return digest.hexdigest()[:12]


# Taking in, building and checking.


@dataclass(frozen=True)
class Check:
    """The result of checking a version: *error* is None if its bot may play."""

    student: str
    """The number of the student."""
    version: int
    """Number of the version, from 1; 0 if it could not even be read."""
    error: PapanError | None = None
    """Why the bot may not play; None if it may."""
    position: str = ""
    """The position, as text, in which the bot failed; empty if it failed in none."""
    output: str = ""
    """What the bot or the compiler printed when it failed; empty if it did not."""
    seconds: float = 0.0
    """Median of the seconds of its answers, by the clock; 0 if it failed."""
    memory: int = 0
    """Bytes of memory that it had at most; 0 if it was not measured."""

    @property
    def fine(self) -> bool:
        return self.error is None

    def json(self) -> dict[str, Any]:
        """Return the check as JSON data, which `check_of` reads back.

        Of `output` only the last `LONGEST_OUTPUT` characters.
        """
        return {
            "student": self.student,
            "version": self.version,
            "error": None if self.error is None else self.error.shown.json(),
            "position": self.position,
            "output": self.output[-LONGEST_OUTPUT:],
            "seconds": round(self.seconds, 6),
            "memory": self.memory,
        }


def check_of(facts: Mapping[str, Any]) -> Check:
    """Return the check that `Check.json` wrote.

    Raise KeyError, TypeError or ValueError for another form.
    """
    error = None if facts["error"] is None else PapanError.of(Message.from_json(facts["error"]))
    return Check(
        str(facts["student"]),
        int(facts["version"]),
        error,
        str(facts["position"]),
        str(facts["output"]),
        float(facts["seconds"]),
        int(facts.get("memory", 0)),  # older ones lack it
    )


def handed_in(folder: Path, students: Sequence[Student]) -> tuple[dict[str, Path], list[str]]:
    """Return the newest submission of each student, by number, and the names of unknown files.

    A submission is a file or folder in the folder of submissions that has a student's number as its
    name, suffix aside. Hidden files are not reported. Both are empty if there is no such folder.
    Raise PapanError if it is a link.
    """
    known, latest, strange = {each.number for each in students}, dict[str, Path](), list[str]()
    place = folder / SUBMISSIONS
    check_folder(place)
    for path in sorted(place.iterdir()) if place.is_dir() else ():
        number = path.name if path.is_dir() else path.stem
        if number not in known:
            strange += [] if path.name.startswith(".") else [path.name]
        elif number not in latest or _changed(path) > _changed(latest[number]):
            latest[number] = path
    return latest, strange


def _changed(path: Path) -> float:
    return path.lstat().st_mtime


def take_submission(folder: Path, plan: ContestPlan, student: str, path: Path) -> Version:
    """Store what a student (a number) handed in at *path* as a version, and return it.

    The version that has the same files is returned, if there is one. *folder* is that of the
    contest. Raise SubmissionError if it is late or unusable, or the student is disqualified.
    """
    check_takes_part(plan, student)
    if _changed(path) > plan.last_moment():
        raise SubmissionError("contest.late", deadline=plan.deadline)
    read = _taken.__wrapped__ if path.is_dir() else _taken  # its state does not tell all
    try:
        taken = read(folder, student, path, (file_state(path), file_state(_home(folder, student))))
    except (OSError, RecursionError) as error:  # also folders in folders without end
        why = getattr(error, "strerror", None) or error
        raise SubmissionError("contest.unreadable", why=why) from None
    if isinstance(taken, SubmissionError):
        raise SubmissionError(taken.key, **taken.values)
    return taken


@lru_cache(2 * MOST_STUDENTS)
def _taken(folder: Path, student: str, path: Path, states: object) -> Version | SubmissionError:
    """Store a submission as a version and return it, or the error that tells why it cannot be used.

    Cached while the file and the folder of the student's versions have these *states*: whenever
    somebody hands in, those of the whole class are asked for. Raise OSError if it cannot be
    written.
    """
    try:
        return keep_version(folder, student, read_submission(path))
    except SubmissionError as error:
        return error


@contextmanager
def taking_in(folder: Path) -> Iterator[None]:
    """Let one process at a time look for new submissions of a contest and store them: it waits.

    *folder* is that of the contest. Where nothing can be written nothing is stored, and no lock is
    needed.
    """
    with ExitStack() as held:
        with suppress(OSError, PapanError):
            work = folder / WORK_FOLDER
            work.mkdir(exist_ok=True)
            lock(held.enter_context(open_regular(work / TAKING_FILE, "ab")), wait=True)
        yield


def hand_in(folder: Path, plan: ContestPlan, student: str, name: str, data: bytes) -> Version:
    """Store what a student sends as a file called *name*, and return it as a version.

    Of the name only the suffix is used. The file replaces the student's last one in the folder of
    submissions. Raise SubmissionError, and leave everything as it was, if it is unusable, late or
    one too many today, or the student is disqualified. Raise it, too, if something cannot be
    written; PapanError if a link is in the way.
    """
    suffix = PurePosixPath(name.lower()).suffix
    if suffix not in (*BOT_SUFFIXES, ARCHIVE):
        raise SubmissionError("contest.unknown_suffix", known=", ".join((*BOT_SUFFIXES, ARCHIVE)))
    if len(data) > MOST_BYTES:
        raise SubmissionError("contest.too_large", most=MOST_BYTES >> 20)
    check_takes_part(plan, student)
    if time() > plan.last_moment():
        raise SubmissionError("contest.late", deadline=plan.deadline)
    contents = unpacked(f"{student}{suffix}", data)
    if not any(contents.values()):
        raise SubmissionError("contest.empty")
    main_file(contents)
    place = folder / SUBMISSIONS
    check_folder(place)
    with taking_in(folder):
        versions = versions_of(folder, student)
        if _same_version(versions, contents) is None and not left_today(plan, versions):
            raise SubmissionError("contest.too_many_today", most=plan.submissions_a_day)
        try:
            kept = keep_version(folder, student, contents)
            place.mkdir(exist_ok=True)
            write_whole(place / f"{student}{suffix}", data, PUBLIC)
            for other in {*BOT_SUFFIXES, ARCHIVE} - {suffix}:
                (place / f"{student}{other}").unlink(missing_ok=True)
        except OSError as error:
            raise SubmissionError("contest.unreadable", why=error.strerror or error) from None
    return kept


def check_takes_part(plan: ContestPlan, student: str) -> None:
    """Raise SubmissionError, with the reason, if *student* (a number) is disqualified."""
    if student in plan.disqualified:
        raise SubmissionError("contest.disqualified", why=plan.disqualified[student])


def left_today(plan: ContestPlan, versions: Sequence[Version]) -> int:
    """Return how many versions a student may still hand in today, local time; 0 or more.

    *versions* are those that the student has.
    """
    today = datetime.now().date()
    used = sum(datetime.fromtimestamp(each.stored).date() == today for each in versions)
    return max(0, plan.submissions_a_day - used)


def _same_version(versions: Sequence[Version], contents: Contents) -> Version | None:
    """Return the newest of *versions* that has these files (contents by path); None if none has."""
    digest = _digest(contents)
    same = (each for each in reversed(versions) if each.folder.name.endswith(f"-{digest}"))
    return next(same, None)


def check_version(plan: ContestPlan, version: Version, unconfined: bool = False) -> Check:
    """Build a version if needed, ask it for some moves, and return the result.

    *unconfined* runs it outside the sandbox. Never raise PapanError: the result has it. It takes
    seconds and starts processes.
    """
    try:
        if version.language == "c" and not version.built.exists():
            build(version, unconfined)
        agent = catalog.external_agent(version.spec(plan, unconfined))
        with agent:
            agent.check_plays(plan.rules)
            trial = TrialPlan(
                [plan.rules], TRIAL_POSITIONS, TRIAL_AGAIN, plan.ladder.seed, plan.limit
            )
            found = try_out(agent, trial, agent.close)
    except PapanError as error:
        output = version.without_folder("\n".join(getattr(error, "__notes__", ())))
        hidden = _without_path(error, version)
        return Check(version.student, version.number, hidden, output=output)
    if found.faults:
        first = found.faults[0]
        why = _without_path(first.error, version)
        output = version.without_folder(first.output)
        place = (version.student, version.number, why, first.position, output)
        return Check(*place, memory=agent.peak_memory())
    seconds = median(found.seconds) if found.seconds else 0.0
    return Check(version.student, version.number, seconds=seconds, memory=agent.peak_memory())


def _without_path(error: PapanError, version: Version) -> PapanError:
    """Return *error* without the bot's folder, and with its player for the command that runs it."""

    def hidden(name: str, value: object) -> object:
        if name == "agent":
            return version.player
        return version.without_folder(value) if isinstance(value, str) else value

    values = {name: hidden(name, value) for name, value in error.values.items()}
    return PapanError(error.key, **values)


def build(version: Version, unconfined: bool = False) -> None:
    """Compile a submission in C into `Version.built`, in the sandbox unless *unconfined*.

    Raise SubmissionError with the compiler's output as a note.
    """
    main = (version.folder / version.main).resolve()
    compile_bot(main, version.built, not unconfined, SubmissionError)


OnCheck = Callable[[Check], object]


def check_all(
    versions: Sequence[Version],
    plan: ContestPlan,
    at_a_time: int,
    on_check: OnCheck,
    unconfined: bool = False,
) -> None:
    """Check *versions*, *at_a_time* in parallel; call *on_check* with each result, in their order.

    *unconfined* runs the bots outside the sandbox. After Ctrl-C, or what *on_check* raises, no
    other check begins.
    """
    with ThreadPoolExecutor(max(1, at_a_time)) as threads:
        try:
            for found in threads.map(lambda each: check_version(plan, each, unconfined), versions):
                on_check(found)
        except BaseException:  # Ctrl-C: the rest is not wanted
            threads.shutdown(wait=False, cancel_futures=True)
            raise
