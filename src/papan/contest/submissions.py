"""What students hand in: read without trust, and stored as versions."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path, PurePosixPath
from time import time
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from papan.contest.plan import SUBMISSIONS, ContestPlan
from papan.contest.students import MOST_STUDENTS, Student
from papan.core import PapanError
from papan.core.files import MEMBER, check_folder, check_regular, open_regular, read_regular
from papan.lab.bots import BOT_SUFFIXES, bot_spec
from papan.lab.files import PRIVATE, make_private, write_whole
from papan.process.host import lock

WORK_FOLDER = "work"
"""The folder in which papan keeps versions, games and answers."""
MOST_BYTES, MOST_FILES = 8 << 20, 200
"""Most bytes and files of a submission, unpacked."""
MOST_MEMBERS = 20 * MOST_FILES
"""Most entries of a submission, which include folders and the `IGNORED` ones."""
MOST_PARTS = 20
"""Most parts of the path of a file in a submission."""
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


# Reading what was handed in.

Contents = dict[str, bytes]
"""The files of a submission, by their path in it."""


class SubmissionError(PapanError):
    """A submission that cannot be used, with the reason in words for its student."""


def read_submission(path: Path) -> Contents:
    """Return the files of the submission at *path* (a file, a .zip archive or a folder).

    The result has their contents by their path in the submission; a top folder that has all of them
    is left out, and so is what is `IGNORED`. No link is followed, and sizes are checked while
    reading. Raise SubmissionError if there are no files, too many or too large ones, or anything
    else than files and folders, such as a link, or for an archive that `unpacked` refuses; OSError
    if *path* or a file in it cannot be read.
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

    *name* decides: an archive ends in ``.zip``, and *data* is its content. A top folder that has
    all files is left out of the paths. Raise SubmissionError for an archive without files, and for
    one that is damaged, encrypted or too large, has too many entries, or has a link or a path that
    leads out of its folder. The size of a single file is not checked.
    """
    found = dict(_in_archive(data)) if name.endswith(ARCHIVE) else {name: data}
    if not found:
        raise SubmissionError("contest.empty")
    return _without_top(found)


def _in_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the path in *folder*, with slashes, and the content of each of `_paths_in`.

    Raise SubmissionError if there are too many files, folders or bytes, or anything else than
    files; OSError if a file cannot be read.
    """
    total = 0
    for path in _paths_in(folder):
        data = read_regular(path, MOST_BYTES, SubmissionError)
        total += len(data)
        if total > MOST_BYTES:
            raise SubmissionError("contest.too_large", most=MOST_BYTES >> 20)
        yield path.relative_to(folder).as_posix(), data


def _paths_in(folder: Path) -> list[Path]:
    """Return the files and links at any depth in *folder*, sorted, without the `IGNORED` ones.

    What is in an ignored folder, or in one that cannot be read, is left out, too. Raise
    SubmissionError if there are more than `MOST_FILES`, or with folders and ignored ones more than
    `MOST_MEMBERS`.
    """
    paths, count = list[Path](), 0
    for place, folders, files in os.walk(folder):
        count += len(folders) + len(files)
        folders[:] = [name for name in folders if name not in IGNORED]
        links = [name for name in folders if Path(place, name).is_symlink()]
        paths += [Path(place, name) for name in (*files, *links) if name not in IGNORED]
        if len(paths) > MOST_FILES or count > MOST_MEMBERS:
            raise SubmissionError("contest.too_many_files", most=MOST_FILES)
    return sorted(paths)


def _in_archive(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each file in a .zip archive, given as *data*.

    Folders and what is in `IGNORED` are left out, and not counted among `MOST_FILES`. Raise
    SubmissionError if it is damaged, has more than `MOST_FILES`, `MOST_MEMBERS` or `MOST_BYTES`, or
    a member that `_check_member` refuses.
    """
    left = MOST_BYTES
    try:
        if data.count(MEMBER) > MOST_MEMBERS:
            raise SubmissionError("contest.too_many_files", most=MOST_FILES)
        with ZipFile(BytesIO(data)) as archive:
            members = [each for each in archive.infolist() if not _is_ignored(each)]
            if len(members) > MOST_FILES:
                raise SubmissionError("contest.too_many_files", most=MOST_FILES)
            for member in members:
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


def _is_ignored(member: ZipInfo) -> bool:
    """Return whether a member of an archive is a folder, or has a part of its path in `IGNORED`."""
    parts = PurePosixPath(member.filename).parts
    return member.is_dir() or not set(parts).isdisjoint(IGNORED)


def _check_member(member: ZipInfo) -> None:
    """Raise SubmissionError if a member of an archive is a link, leads out, or is packed oddly.

    Members may be neither encrypted nor packed by another method than stored and deflated; their
    names must be printable and without backslashes, and `leads_inside`.
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
    """Return whether *path*, joined to a folder, names something below that folder.

    False if *path* is absolute, is empty, or has a part ``..``; and if it has more than
    `MOST_PARTS` parts, as no disk takes every depth.
    """
    parts = path.parts
    return 0 < len(parts) <= MOST_PARTS and not path.is_absolute() and ".." not in parts


def _without_top(found: Contents) -> Contents:
    """Return the files, by path, without their common top folder, if all of them are in one.

    Only one level is removed.
    """
    tops = {PurePosixPath(name).parts[0] for name in found}
    if len(tops) == 1 and all("/" in name for name in found):
        return {name.partition("/")[2]: data for name, data in found.items()}
    return found


def main_file(found: Contents) -> str:
    """Return the name of the file that is run: ``main`` with a known suffix, or the only one.

    *found* has the files by path. Only files that are in no folder, with a suffix of
    `BOT_SUFFIXES`, are considered; ``Main`` counts as ``main``. If not exactly one of them is
    called ``main``, there must be exactly one in all; else raise SubmissionError.
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
        """The programming language: the suffix of its main file without the dot, such as py."""
        return Path(self.main).suffix.lstrip(".")

    @property
    def stored(self) -> float:
        """Unix time, in seconds, at which it was stored; raise OSError if its main file is gone."""
        return (self.folder / self.main).stat().st_mtime

    @property
    def built(self) -> Path:
        """Path of the compiled program of a submission in C, whether it is there or not."""
        return self.folder / COMPILED

    def without_folder(self, text: str) -> str:
        """Return *text*, printed by the bot, without the path of its folder.

        The path would show students where the server keeps files.
        """
        return text.replace(f"{self.folder.resolve()}/", "")

    def source(self) -> str:
        """Return the text of all of its source files, joined in the order of their paths.

        They are the files at any depth with a suffix of `BOT_SUFFIXES`; bytes that are no UTF-8
        become U+FFFD. The text is cut to `LONGEST_SOURCE` characters. Raise PapanError if one of
        them is no regular file, or has over `MOST_BYTES`; OSError if it cannot be read.
        """
        files = sorted(each for each in self.folder.rglob("*") if each.suffix in BOT_SUFFIXES)
        texts = (read_regular(each, MOST_BYTES).decode(errors="replace") for each in files)
        return "\n".join(texts)[:LONGEST_SOURCE]

    def spec(self, plan: ContestPlan, unconfined: bool = False) -> str:
        """Return the spec of the agent that runs this bot, in the sandbox unless *unconfined*.

        Memory is that of *plan* in megabytes, the deadline is the seconds for a move, but at least
        10. In the sandbox papan's searches are hidden from a bot in Python unless *plan* allows
        them.
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
    """Return the stored versions of the bot of *student* (a number), oldest first.

    *folder* is the contest's. Empty if there are none. Raise PapanError if a link or a pipe is
    among them or their files, as papan makes none; raise SubmissionError if one has no `main_file`.
    """
    found = []
    for place in sorted(_home(folder, student).glob("[0-9][0-9][0-9][0-9]-*")):
        number, _, _ = place.name.partition("-")
        check_folder(place)
        found.append(Version(student, int(number), place, _main_in(place, file_state(place))))
    return found


@lru_cache(10_000)
def _main_in(place: Path, state: object) -> str:
    """Return the name of the main file of the stored version in *place*.

    *state* is the `file_state` of the folder: while it is the same, the name is cached, because
    every page of a student asks. Raise PapanError if a link or a pipe is among its files,
    SubmissionError if it has no `main_file`, also because of several candidates. Errors are not
    cached.
    """
    for each in place.rglob("*"):
        check_folder(each)
        if not each.is_dir():
            check_regular(each)
    mains = [each.name for each in place.iterdir() if each.suffix in BOT_SUFFIXES]
    return main_file(dict.fromkeys(mains, b""))


def file_state(path: Path) -> tuple[object, ...]:
    """Return a value that changes if a file changes, or a folder gets or loses an entry.

    It is (name, Unix time of the last change in nanoseconds, size in bytes, inode number), or the
    name alone if there is no such file or it cannot be examined; values are compared by ``==``. Of
    a link they are those of the link itself.
    """
    try:
        found = path.lstat()
    except OSError:
        return (path.name,)
    return path.name, found.st_mtime_ns, found.st_size, found.st_ino


def _home(folder: Path, student: str) -> Path:
    """Return the folder of a student's versions, which may not exist yet.

    *folder* is the contest's, *student* a number. Raise PapanError if the result, or one of the two
    folders above it, is a link.
    """
    home = folder / WORK_FOLDER / "versions" / student
    for place in (home.parents[1], home.parent, home):
        check_folder(place)
    return home


def keep_version(folder: Path, student: str, contents: Contents) -> Version:
    """Store a submission as a new version, or return the newest that has the same files.

    *folder* is the contest's, *student* a number, *contents* the files by path. It is stored whole
    or not at all. Raise SubmissionError if *contents* has no `main_file`, also because of several
    candidates. For a new version raise it, too, if `leads_inside` is False for a path, or the first
    part of a path equals `COMPILED`. Raise OSError if the version cannot be written, and what
    `versions_of` raises.
    """
    return _kept(folder, student, contents, _digest(contents))


def _kept(folder: Path, student: str, contents: Contents, digest: str) -> Version:
    """Do what `keep_version` does, and raise the same errors.

    *digest* must be the `_digest` of *contents*: not checked.
    """
    main = main_file(contents)
    versions = versions_of(folder, student)
    if same := _same_version(versions, digest):
        return same
    number = versions[-1].number + 1 if versions else 1
    home = _home(folder, student)
    for place in (home.parents[1], home.parent, home):
        make_private(place)
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
            path.chmod(PRIVATE)
        draft.rename(place)  # it was made for its owner alone, and stays so
    except (OSError, SubmissionError):
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return Version(student, number, place, main)


def _digest(contents: Mapping[str, bytes]) -> str:
    """Return a hash, 12 hexadecimal digits, of the names and contents of files.

    Their order does not change it.
    """
    digest = sha256()
    for name, data in sorted(contents.items()):
        digest.update(f"{len(name.encode())} {name} {len(data)} ".encode() + data)
    return digest.hexdigest()[:12]


# Taking in.


def handed_in(folder: Path, students: Sequence[Student]) -> tuple[dict[str, Path], list[str]]:
    """Return the newest submission of each student, by number, and the names of unknown files.

    *folder* is the contest's. A submission is an entry of the folder of submissions: a folder that
    has a student's number as its name, or a file whose name without the suffix is a student's
    number. All other entries are unknown; hidden ones are not reported. The time of the last change
    of the folder or file itself decides which is newest. Both results are empty if there is no
    folder of submissions. Raise PapanError if that folder is a link, OSError if it cannot be read.
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
    """Return the Unix time, in seconds, at which *path* was changed; raise OSError if it is gone.

    If *path* is a link, it is the time of the link itself.
    """
    return path.lstat().st_mtime


def take_submission(folder: Path, plan: ContestPlan, student: str, path: Path) -> Version:
    """Store what *student* (a number) handed in at *path* as a version, and return it.

    If versions have the same files, return the newest of these instead. *folder* is the contest's.
    Raise SubmissionError if the submission was changed after the deadline, is unusable or cannot be
    stored, or the student is disqualified; PapanError if a link is among the versions, OSError if
    *path* is gone. Of a folder the time of the folder itself counts, not that of its files.
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
    """Store the submission at *path* as a version and return it, or the error why it is unusable.

    The result is cached by the arguments, because each submission asks for the whole class:
    *states* are the `file_state` of the file and of the folder of the student's versions. Raise
    OSError if it cannot be read or written, PapanError if a link is among the versions.
    """
    try:
        return keep_version(folder, student, read_submission(path))
    except SubmissionError as error:
        return error


@contextmanager
def taking_in(folder: Path) -> Iterator[None]:
    """Let only one process at a time run this context; others wait at its beginning.

    It is for storing new submissions of the contest in *folder*. If the lock cannot be written or
    the system has no locks, nobody waits, and nothing is raised.
    """
    with ExitStack() as held:
        with suppress(OSError, PapanError):
            work = folder / WORK_FOLDER
            make_private(work)
            lock(held.enter_context(open_regular(work / TAKING_FILE, "ab", PRIVATE)), wait=True)
        yield


def hand_in(folder: Path, plan: ContestPlan, student: str, name: str, data: bytes) -> Version:
    """Store *data*, a file called *name* that a student sends, and return it as a version.

    *folder* is the contest's, *student* a number. Of the name only the suffix is used, in lower
    case. The file replaces the student's last one in the folder of submissions. If versions have
    the same files already, none is stored and the newest of these is returned, even if the student
    has used up the versions of this day. Raise SubmissionError, and store no version, if the file
    is unusable, late or one too many today, the student is disqualified, or it cannot be written;
    PapanError if a link is in the way.
    """
    suffix = PurePosixPath(name.lower()).suffix
    check_takes_part(plan, student)
    if time() > plan.last_moment():
        raise SubmissionError("contest.late", deadline=plan.deadline)
    contents = _usable(student, suffix, data)
    digest = _digest(contents)
    check_folder(folder / SUBMISSIONS)
    with taking_in(folder):
        versions = versions_of(folder, student)
        if _same_version(versions, digest) is None and not left_today(plan, versions):
            raise SubmissionError("contest.too_many_today", most=plan.submissions_a_day)
        kept = None
        try:
            kept = _kept(folder, student, contents, digest)
            _replace_file(folder / SUBMISSIONS, student, suffix, data)
        except OSError as error:
            if kept is not None and kept not in versions:
                shutil.rmtree(kept.folder, ignore_errors=True)
            raise SubmissionError("contest.not_stored", why=error.strerror or error) from None
    return kept


def _usable(student: str, suffix: str, data: bytes) -> Contents:
    """Return the files, by path, in *data*, a file with this *suffix* that *student* sends.

    See `unpacked`. Raise SubmissionError if the suffix is neither one of `BOT_SUFFIXES` nor
    `ARCHIVE`, if there are more than `MOST_BYTES`, if the archive is unusable, if all files are
    empty, or if there is no `main_file`.
    """
    if suffix not in (*BOT_SUFFIXES, ARCHIVE):
        raise SubmissionError("contest.unknown_suffix", known=", ".join((*BOT_SUFFIXES, ARCHIVE)))
    if len(data) > MOST_BYTES:
        raise SubmissionError("contest.too_large", most=MOST_BYTES >> 20)
    contents = unpacked(f"{student}{suffix}", data)
    if not any(contents.values()):
        raise SubmissionError("contest.empty")
    main_file(contents)
    return contents


def _replace_file(place: Path, student: str, suffix: str, data: bytes) -> None:
    """Write *data* as the file ``STUDENTSUFFIX`` in *place*, and remove the student's other files.

    These are the ones with another suffix of `BOT_SUFFIXES`, or with `ARCHIVE`. *place* is the
    folder of submissions, which is created if it is missing. A folder with the number of *student*
    stays. Raise OSError if a file cannot be written or removed.
    """
    make_private(place)
    write_whole(place / f"{student}{suffix}", data)
    for other in {*BOT_SUFFIXES, ARCHIVE} - {suffix}:
        (place / f"{student}{other}").unlink(missing_ok=True)


def check_takes_part(plan: ContestPlan, student: str) -> None:
    """Raise SubmissionError, with the reason, if *student* (a number) is disqualified."""
    if student in plan.disqualified:
        raise SubmissionError("contest.disqualified", why=plan.disqualified[student])


def left_today(plan: ContestPlan, versions: Sequence[Version]) -> int:
    """Return how many versions a student may still hand in today, local time; 0 or more.

    *versions* are all that the student has: those stored today count. Raise OSError if a main file
    is gone.
    """
    today = datetime.now().date()
    used = sum(datetime.fromtimestamp(each.stored).date() == today for each in versions)
    return max(0, plan.submissions_a_day - used)


def _same_version(versions: Sequence[Version], digest: str) -> Version | None:
    """Return the newest of *versions* whose files have this `_digest`; None if none has.

    *versions* are in their order, oldest first.
    """
    same = (each for each in reversed(versions) if each.folder.name.endswith(f"-{digest}"))
    return next(same, None)
