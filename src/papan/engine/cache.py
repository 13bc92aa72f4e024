"""The disk cache of compiled kernels: one file for each function and signature, for all clones.

Numba's own cache looks only at the file of a function, not at the files of the functions it calls;
its index names the modules of all rules, so it cannot be read where one of them is missing; and two
processes that compile at once may mix up their code. So the folder here is named after a hash of
all kernel sources, each function has a file of its own, and a file that cannot be read counts as
missing.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import pickle
import shutil
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile, gettempdir
from typing import Any

import numba  # noqa: F401 - whole, before any part of it: see `papan.engine`
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.np import linalg
from platformdirs import user_cache_path

from papan.core import PapanError, PapanWarning, compiling

PACKAGE = Path(__file__).parents[1]
SOURCES = (
    "engine/**/*.py",
    "games/*/kernel*.py",
    "games/*/rules.py",
    "games/*/support.py",
)
"""The files that contain kernels, and the numbers that are compiled into them."""
VERSIONS_KEPT = 5
"""Versions of papan whose compiled code stays on disk: several may be in use."""
DIGEST = 32
"""Bytes of the checksum in front of the code."""


def _without_scipy() -> None:
    """Import Numba's array functions without scipy, which takes a fifth of the time of a start.

    At import `numba.np.arraymath` asks `numba.np.linalg.ensure_blas` whether there is a BLAS, and
    that imports all of scipy where it is installed; no kernel here needs one. For this import the
    answer is no, by the ImportError that Numba expects. As of Numba 0.68; where a later version has
    no `ensure_blas`, nothing is replaced. `tests/engine/test_cache.py` fails when Numba changes.
    """

    def absent() -> None:
        raise ImportError

    usual = getattr(linalg, "ensure_blas", None)
    if usual:
        linalg.ensure_blas = absent
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        if usual:
            linalg.ensure_blas = usual


_without_scipy()


def digest_of(paths: Iterable[Path]) -> str:
    """Return a hash of the names and contents of files, as 16 hexadecimal digits.

    A name is that of the file and its folder, such as ``engine/cache.py``; the order of *paths*
    does not matter. Raise OSError for a file that cannot be read.
    """
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.relative_to(path.parents[1])}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def fingerprint() -> str:
    """Return a hash of all that compiled code depends on, as 16 hexadecimal digits.

    These are the kernel sources and the versions of the compiler and of Python. Cached for this
    process.
    """
    sources = digest_of(path for pattern in SOURCES for path in PACKAGE.glob(pattern))
    parts = sources, version("numba"), version("llvmlite"), sys.version
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def all_compiled() -> Path:
    """Return the path of the file that exists once every kernel of papan has been compiled.

    It is in `folder`, which is created, or warned of, at the first call; whether the file exists is
    not checked.
    """
    return folder() / "all"


def usual_folder() -> Path:
    """Return papan's folder in the user's cache; it may not exist."""
    return user_cache_path("papan", appauthor=False)


@cache
def folder() -> Path:
    """Create the folder of compiled kernels, in the user's cache, and return it.

    Where that cannot be written to, warn with a PapanWarning and do so in a temporary folder; if
    that fails too, return a path that does not exist, so that nothing is stored. Where the folder
    is new, those of old versions beside it are removed. Cached for this process.
    """
    usual = usual_folder()
    why: object
    try:
        return _made(usual)
    except OSError as error:
        why = error.strerror or error
    instead = Path(gettempdir()) / f"papan-{getattr(os, 'getuid', os.getpid)()}"
    warnings.warn(
        PapanWarning(PapanError("kernels.no_cache", folder=usual, why=why, instead=instead)),
        stacklevel=2,
    )
    with suppress(OSError):
        return _made(_private(instead))
    return instead / "nowhere"  # compiled code is not stored, and papan works


def _made(parent: Path) -> Path:
    """Create the folder of this version in *parent*, which may be missing too, and return it.

    If it is new, those of old versions are removed: `VERSIONS_KEPT` stay, this one among them. Its
    time is set to now. Raise OSError if nothing can be stored there, or if others than the user
    could.
    """
    place = parent / f"kernels-{fingerprint()}"
    new = not place.is_dir()
    parent.mkdir(parents=True, exist_ok=True)
    _private(place)
    if new:
        _remove_old(parent)
    with NamedTemporaryFile(dir=place):  # raises where nothing can be stored
        os.utime(place)  # in use
    return place


def _remove_old(parent: Path) -> None:
    """Remove all but the `VERSIONS_KEPT` folders of kernels in *parent* that changed last.

    What cannot be removed stays; nothing is raised for it.
    """
    with suppress(OSError):  # another process may be doing the same
        versions = sorted(parent.glob("kernels-*"), key=lambda path: path.stat().st_mtime)
        for old in versions[:-VERSIONS_KEPT]:
            shutil.rmtree(old, ignore_errors=True)


def _private(place: Path) -> Path:
    """Create the folder *place* if it is missing, for the user alone, and return it.

    Raise PermissionError if others may read or write it, or if it is a link (on Windows neither is
    checked): code that lies there is run. Raise OSError if it cannot be made.
    """
    place.mkdir(mode=0o700, exist_ok=True)
    if os.name != "nt":
        state = place.lstat()
        ours = state.st_uid == os.getuid() and not state.st_mode & 0o077
        if place.is_symlink() or not ours:
            raise PermissionError(place)
    return place


class KernelCache(NullCache):  # type: ignore[misc]
    """The disk cache of one kernel, *function*, with the methods that Numba calls.

    *form* says which of its two compiled forms is stored: "" for the one that Python calls, "inner"
    for the lighter one that other kernels call.
    """

    def __init__(self, function: Callable[..., Any], form: str = "") -> None:
        self.function, self.form = function, form

    @property
    def cache_path(self) -> str:
        """The path of `folder`, for Numba's messages."""
        return str(folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for the Numba signature *sig*; None if it has to be compiled.

        It has to be if it was not stored, or cannot be used for any reason. Then
        `papan.core.compiling.begin` is called, which notifies listeners; it raises NotCompiledError
        where compiling is forbidden, and KeyboardInterrupt after Ctrl-C. *target_context* is
        Numba's.
        """
        target_context.refresh()
        found = self._load(self._path(sig, target_context.codegen()), target_context)
        if found is None:
            compiling.begin(self.function.__qualname__)
        return found

    def _load(self, path: Path | None, target_context: Any) -> Any:
        """Return the compiled code in the file *path*; None if there is none, or it cannot be used.

        Nothing is raised for a file that is damaged, or cannot be loaded for any reason. *path* is
        None for code that is not stored; *target_context* is Numba's.
        """
        try:
            content = path.read_bytes() if path else b""
            digest, code = content[:DIGEST], content[DIGEST:]
            if hashlib.sha256(code).digest() == digest:
                return CompileResult._rebuild(target_context, *pickle.loads(code))
        except Exception:  # whatever is wrong with it: it is made anew
            return None
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store *data*, Numba's result of a compilation, for the Numba signature *sig*.

        Nothing is stored for code that only this process could use; errors of writing, such as a
        full disk, are ignored. `papan.core.compiling.end` is called first.
        """
        compiling.end()
        path = self._path(sig, data.codegen)
        if path and not (data.lifted or data.library.has_dynamic_globals):
            code = dumps(data._reduce())
            with suppress(OSError):  # a full disk: it is compiled again next time
                _write(path, hashlib.sha256(code).digest() + code)

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        """Return the path of the file for the Numba signature *sig*; it may not exist.

        None for code that only this process could use: of a notebook or another module that cannot
        be imported, of a function that uses variables of one around it, or for arguments that have
        an address. *codegen* is Numba's, which knows the processor.
        """
        arguments = getattr(sig, "args", sig)
        rules = [each for kind in arguments for each in _named_tuples(kind)]
        modules = [self.function.__module__, *(each.__module__ for each in rules)]
        foreign = sorted({name for name in modules if not name.startswith("papan.")})
        passing = self.function.__closure__ or " at 0x" in str(sig)
        if passing or not all(map(_can_be_imported, foreign)):
            return None
        parts = [
            *(self.function.__module__, self.function.__qualname__, str(_line(self.function))),
            self.form,
            *(str(sig), *(f"{each.__module__}.{each.__qualname__}" for each in rules)),
            *map(str, codegen.magic_tuple()),
            *map(_sources, foreign),
        ]
        name = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
        return folder() / f"{self.function.__module__}.{self.function.__name__}-{name}"


def _line(function: Callable[..., Any]) -> int:
    """Return the line at which a function begins in its file, from 1."""
    return function.__code__.co_firstlineno


def _named_tuples(kind: Any) -> Iterator[type]:
    """Yield the class of a Numba type that is a named tuple, and of all that it contains.

    The outer ones come first. Nothing for types without any.
    """
    if hasattr(kind, "instance_class"):
        yield kind.instance_class
    for part in getattr(kind, "types", ()):
        yield from _named_tuples(part)


def _can_be_imported(name: str) -> bool:
    """Return whether the module *name*, imported here, is a file that others could import.

    Not so ``__main__``, and what has no file, such as the code of a notebook.
    """
    return name != "__main__" and bool(getattr(sys.modules.get(name), "__file__", None))


@cache
def _sources(name: str) -> str:
    """Return a hash of the sources of the module *name*, as 16 hexadecimal digits.

    They are all files ``*.py`` of its top package and below, else of its own folder. The module
    must have been imported from a file. Cached for this process.
    """
    top = sys.modules.get(name.partition(".")[0])
    whole = getattr(top, "__file__", None)
    if whole and hasattr(top, "__path__"):
        return digest_of(Path(whole).parent.rglob("*.py"))
    return digest_of(Path(str(sys.modules[name].__file__)).parent.glob("*.py"))


def _write(path: Path, content: bytes) -> None:
    """Write *content* to the file *path* so that it appears only when it is complete.

    A file there is replaced. Raise OSError if that fails; nothing is left behind then.
    """
    file = NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False)  # noqa: SIM115
    try:
        with file:
            file.write(content)
        Path(file.name).replace(path)
    except BaseException:
        Path(file.name).unlink(missing_ok=True)
        raise
