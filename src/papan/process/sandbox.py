"""The sandbox for code of others: bubblewrap, which gives a program namespaces of its own.

A confined program sees the system's software and its own files, all read-only, and a small private
temporary folder; no network, no process but its own, no device. Its namespace dies as a whole. Its
memory and its number of processes are limited by its control group or its supervisor, as those of
any other program (`papan.process.program`).

`--proc` alone is not enough: started by root, the program has root's number outside, and /proc/sys
would obey it. So everything but the temporary folder is mounted read-only, /proc too.
"""

from __future__ import annotations

import os
import platform
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from papan.core.errors import PapanError
from papan.process.supervisor import MEBIBYTE

BUBBLEWRAP = "PAPAN_BWRAP"
"""Environment variable with the path of bubblewrap, if it is not on the PATH."""
TRIAL_SECONDS = 20.0
"""Seconds within which the trial of the sandbox must end."""
PRIVATE_SPACE = 64 * MEBIBYTE
"""Bytes of a confined program's temporary folder."""
NOBODY = "65534"
SYSTEM_FOLDERS = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")
"""Folders beside /usr; on most systems they are links into it."""
SYSTEM_SETTINGS = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "java*")
"""Names in /etc that programs need: which program a name means, and where libraries are."""
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
}
WALLS = (
    "--unshare-all",
    "--unshare-user",
    *("--uid", NOBODY, "--gid", NOBODY),
    "--die-with-parent",
    "--new-session",
    *("--cap-drop", "ALL"),
    *("--hostname", "bot"),
    "--clearenv",
)
WITHOUT_VARIABLES = ("env", "-i")
"""Start of a command without environment variables: ``--clearenv`` leaves them to the first process
of the namespace, where a confined program could read them.
"""
READ_ONLY = ("/proc", "/dev", "/")
"""Mounts that bubblewrap makes writable, and that become read-only once all are there."""


@dataclass(frozen=True)
class SandboxView:
    """Files that a confined program sees besides the system's, all at their own paths."""

    readable: tuple[Path, ...]
    """Files and folders that it may read."""
    replaced: tuple[tuple[Path, Path], ...] = ()
    """Pairs of a file or folder and the file that is shown in its place; in that of a folder as its
    only file, ``__init__.py``.
    """
    linked: tuple[Path, ...] = ()
    """Folders to which it may add files, in memory: the files in them are there as links."""
    variables: tuple[tuple[str, str], ...] = ()
    """Names and values of environment variables besides those of every confined program."""
    folder: Path = Path("/tmp")
    """The folder in which it starts."""


@dataclass(frozen=True)
class ConfinedCommand:
    """A command line that runs a program in the sandbox, and the descriptors that it needs.

    The options of bubblewrap are in the file of one of the descriptors, not in the words: inside,
    the first process of the namespace shows its words to everybody, and the options name folders of
    the host.
    """

    words: tuple[str, ...]
    """The command and its arguments."""
    descriptors: tuple[int, ...]
    """File descriptors that the process must inherit."""


@dataclass(frozen=True)
class Sandbox:
    """Bubblewrap on this machine; *program* is its path or its name on the PATH."""

    program: str

    @contextmanager
    def confined(
        self, command: Sequence[str], view: SandboxView, filtering: int = -1
    ) -> Iterator[ConfinedCommand]:
        """Yield the command line that runs *command* confined to *view*.

        It can be started once, within the context. *filtering* is a file descriptor with the filter
        of system calls, which the caller closes; -1 for none. Raise OSError if a folder in
        ``view.linked`` cannot be listed, or if the system has no file descriptor left.
        """
        options = os.memfd_create("options")
        try:
            words = _options(view, filtering)
            with open(options, "wb", closefd=False) as file:
                file.write(b"".join(os.fsencode(word) + b"\0" for word in words))
            os.lseek(options, 0, os.SEEK_SET)
            line = (*WITHOUT_VARIABLES, self.program, "--args", str(options), "--", *command)
            yield ConfinedCommand(line, tuple(each for each in (options, filtering) if each >= 0))
        finally:
            os.close(options)

    def try_out(self) -> str:
        """Run a program that does nothing in the sandbox; return the error, "" if it works.

        The error is one line. A trial of more than `TRIAL_SECONDS` is an error, too.
        """
        try:
            with self.confined(["/usr/bin/true"], SandboxView(())) as trial:
                done = subprocess.run(
                    trial.words,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    check=False,
                    timeout=TRIAL_SECONDS,
                    pass_fds=trial.descriptors,
                )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return "" if not done.returncode else (said or [f"exit code {done.returncode}"])[-1]


def _options(view: SandboxView, filtering: int) -> Iterator[str]:
    """Yield bubblewrap's arguments, word by word, that confine a program to *view*.

    *filtering* is the file descriptor of the filter of system calls, -1 for none.
    """
    yield from WALLS
    for name, value in (*ENVIRONMENT.items(), *view.variables):
        yield from ("--setenv", name, value)
    if filtering >= 0:
        yield from ("--seccomp", str(filtering))
    yield from _system()
    yield from _shown(view)
    for mount in READ_ONLY:
        yield from ("--remount-ro", mount)
    yield from ("--chdir", str(view.folder))


def _system() -> Iterator[str]:
    """Yield bubblewrap's arguments, word by word, that show the system's software.

    They also make /proc, /dev, and the small private folders /tmp and /dev/shm.
    """
    yield from ("--ro-bind", "/usr", "/usr")
    for name in SYSTEM_FOLDERS:
        place = Path("/", name)
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.exists():
            yield from ("--ro-bind", str(place), str(place))
    for pattern in SYSTEM_SETTINGS:
        for place in sorted(Path("/etc").glob(pattern)):
            yield from ("--ro-bind-try", str(place), str(place))
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--ro-bind", "/dev/null", "/dev/zero")  # no device there: it is memory to share
    for place in map(Path, ("/tmp", "/dev/shm")):
        yield from ("--size", str(PRIVATE_SPACE), "--tmpfs", str(place))


def _shown(view: SandboxView) -> Iterator[str]:
    """Yield bubblewrap's arguments, word by word, that show the files of *view*.

    Raise OSError if a folder in ``view.linked`` cannot be listed.
    """
    for path in dict.fromkeys(view.readable):
        yield from ("--ro-bind", str(path), str(path))
    for path, instead in view.replaced:
        if path.is_dir():
            yield from ("--size", str(MEBIBYTE), "--tmpfs", str(path))
            path = path / "__init__.py"
        yield from ("--ro-bind", str(instead), str(path))
    for number, folder in enumerate(view.linked):
        place = f"/run/linked{number}"
        yield from ("--ro-bind", str(folder), place)
        yield from ("--size", str(PRIVATE_SPACE), "--perms", "0700", "--tmpfs", str(folder))
        for file in sorted(folder.iterdir()):
            yield from ("--symlink", f"{place}/{file.name}", str(file))


def find_sandbox() -> Sandbox:
    """Return the sandbox of this machine, which is tried once by each process.

    Raise PapanError, which says what helps, if there is none or if it does not work.
    """
    if sys.platform != "linux":
        raise PapanError("sandbox.system")
    program = os.environ.get(BUBBLEWRAP) or shutil.which("bwrap")
    if not program:
        raise PapanError("sandbox.none")
    if why := _fault(program):
        raise PapanError("sandbox.forbidden", why=why)
    return Sandbox(program)


@cache
def _fault(program: str) -> str:
    """Return the error of a trial of the sandbox with *program*; "" if it works. Cached."""
    return Sandbox(program).try_out()


def software(command: Sequence[str]) -> tuple[Path, ...]:
    """Return the files and folders that *command* needs and that are not the system's own.

    These are the words of *command* that are files outside /usr; the first word is looked up on the
    PATH. Instead of a file in /opt it is the folder of its package, such as ``/opt/java``. Where a
    file lies is decided after links are followed.
    """
    found = list[Path]()
    for place, word in enumerate(command):
        path = Path(shutil.which(word) or word) if place == 0 else Path(word)
        if not path.is_file():
            continue
        real = path.resolve()
        if real.parts[:2] == ("/", "opt"):
            found.append(Path(*real.parts[:3]))
        elif not real.is_relative_to("/usr"):
            found.append(path.absolute())
    return tuple(found)


def python_files(package: Path) -> tuple[Path, ...]:
    """Return the folders outside /usr that a Python bot needs: *package*, papan's own, among them.

    The others are those of this Python, its libraries, and their copies of `compiled_elsewhere`.
    """
    libraries = (Path(each) for each in sys.path if each.endswith(("site-packages", "-packages")))
    folders = (Path(sys.base_prefix), Path(sys.prefix), *libraries, package)
    copies = (copy for each in folders for copy in compiled_elsewhere(each))
    return tuple(_outermost(each for each in (*folders, *copies) if each.is_dir()))


def python_variables() -> tuple[tuple[str, str], ...]:
    """Return the variables, name and value, by which Python finds the copies of
    `compiled_elsewhere`: at most one.
    """
    prefix = sys.pycache_prefix
    return (("PYTHONPYCACHEPREFIX", str(Path(prefix).absolute())),) if prefix else ()


def compiled_elsewhere(folder: Path) -> tuple[Path, ...]:
    """Return the folder where Python keeps its compiled copies of what is below *folder*.

    Empty unless it was told to keep them in another place (PYTHONPYCACHEPREFIX), and has done so.
    """
    if not sys.pycache_prefix:
        return ()
    copies = Path(sys.pycache_prefix).absolute().joinpath(*folder.absolute().parts[1:])
    return (copies,) if copies.is_dir() else ()


def _outermost(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield those of *folders* that are neither in /usr nor equal to or in one yielded before."""
    kept = [Path("/usr")]
    for folder in folders:
        if not any(folder.is_relative_to(each) for each in kept):
            kept.append(folder)
            yield folder


# The filter of system calls: classic BPF, as seccomp takes it (kernel documentation:
# userspace-api/seccomp_filter). It refuses what a bot never needs and attacks on kernels do.

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
REFUSED = {  # name: its number on x86_64, on aarch64
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmget": (29, 194),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
CLONE, MMAP, SOCKET, ON_SIGNAL = (56, 220), (9, 222), (41, 198), (13, 134)
CLONE3 = 435
NEW_NAMESPACES = 0x7E020000
"""Flags of clone that ask for new namespaces."""
SHARED_MEMORY = 0x21
"""Flags of mmap that together ask for memory to share (MAP_SHARED, MAP_ANONYMOUS): it stays in use
when no process has it mapped, so that nobody would count it where there is no control group.
"""
CHILD_ENDED = 17
"""The signal of a child's end. Who ignores it has children whose processor time the system forgets:
where it is counted by process, what is done on that signal stays as it is.
"""
FAMILIES = (1, 2, 10, 16)
"""Families of sockets that namespaces keep inside: AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Of
others, such as AF_VSOCK of virtual machines, some lead out.
"""
FOREIGN_CALLS = 0x40000000
"""System calls of x86_64 from this number on belong to another interface (x32)."""
LOAD, EQUAL, AT_LEAST, ANY_BIT, MASK, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, FOURTH_ARGUMENT = 0, 4, 16, 40
ALLOW, REFUSE, UNKNOWN = 0x7FFF0000, 0x00050001, 0x00050026  # EPERM, ENOSYS


def system_call_filter(machine: str = "", by_process: bool = False) -> bytes:
    """Return the filter of system calls (BPF code) for *machine*; b"" if it is unknown.

    *machine* is a name as `platform.machine` returns it; empty: this machine's. *by_process* is
    True if processor time is counted by process, as there is no control group: then the filter also
    refuses to change what a program does on the signal of a child's end (`CHILD_ENDED`).
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        return b""
    column = list(ARCHITECTURES).index(machine)
    numbers = [each[column] for each in REFUSED.values()]
    watched = (CHILD_ENDED,) if by_process else ()
    end = (
        len(numbers) + 18 + len(FAMILIES) + len(watched)
    )  # the place of ALLOW, then come REFUSE and UNKNOWN
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 0, end - 1, ARCHITECTURES[machine]),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, end - 3, 0, FOREIGN_CALLS),
        (EQUAL, end - 3, 0, CLONE3),
    ]
    steps += [(EQUAL, end - len(steps) - place, 0, each) for place, each in enumerate(numbers)]
    steps += [
        (EQUAL, 0, 3, MMAP[column]),
        (LOAD, 0, 0, FOURTH_ARGUMENT),
        (MASK, 0, 0, SHARED_MEMORY),
        (EQUAL, end - len(steps) - 3, end - len(steps) - 4, SHARED_MEMORY),
    ]
    steps += [(EQUAL, 0, len(FAMILIES) + 2, SOCKET[column]), (LOAD, 0, 0, FIRST_ARGUMENT)]
    steps += [(EQUAL, end - len(steps) - place - 1, 0, each) for place, each in enumerate(FAMILIES)]
    steps += [
        (RETURN, 0, 0, REFUSE),
        (EQUAL, 0, 2 + len(watched), ON_SIGNAL[column]),
        (LOAD, 0, 0, FIRST_ARGUMENT),
    ]
    steps += [(EQUAL, end - len(steps), 0, each) for each in watched]
    steps += [
        (RETURN, 0, 0, ALLOW),
        (EQUAL, 0, 2, CLONE[column]),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (ANY_BIT, 1, 0, NEW_NAMESPACES),
        *((RETURN, 0, 0, each) for each in (ALLOW, REFUSE, UNKNOWN)),
    ]
    assert steps[end][-1] == ALLOW
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def filter_file(by_process: bool = False) -> int:
    """Return a new file descriptor with the filter of system calls, for the caller to close.

    *by_process* is that of `system_call_filter`. -1 if this machine is unknown.
    """
    content = system_call_filter(by_process=by_process)
    if not content:
        return -1
    descriptor = os.memfd_create("filter")
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
