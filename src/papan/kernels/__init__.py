"""Native speed in Python: bit tricks, tables and the running of compiled searches.

Importing any kernel imports Numba. Before one is compiled, this package puts the folder of compiled
code where a change of any kernel is noticed: Numba's own cache looks only at the file of a
function, not at the files of the functions it calls.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from numba.core import config
from platformdirs import user_cache_path

SOURCES = Path(__file__).parents[1]
VERSIONS_KEPT = 3
"""Several copies of papan may be in use; the compiled code of older ones is thrown away."""


def fingerprint() -> str:
    """What the compiled code depends on: every kernel's source, and the compiler."""
    digest = hashlib.sha256()
    kernels = [*SOURCES.glob("kernels/**/*.py"), *SOURCES.glob("games/*/kernel*.py")]
    for path in sorted(kernels):
        digest.update(path.read_bytes())
    for part in (version("numba"), version("llvmlite"), sys.version):
        digest.update(part.encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept, outside of the source."""
    return user_cache_path("papan", appauthor=False) / f"kernels-{fingerprint()}"


def make_cache_folder() -> Path:
    """The folder of compiled kernels; when it is new, those of old versions are removed."""
    folder = cache_folder()
    with suppress(OSError):  # another process may be doing the same
        if not folder.exists():
            folder.mkdir(parents=True)
            versions = sorted(
                folder.parent.glob("kernels-*"), key=lambda path: path.stat().st_mtime
            )
            for old in versions[:-VERSIONS_KEPT]:
                shutil.rmtree(old, ignore_errors=True)
    return folder


setattr(config, "CACHE_DIR", str(make_cache_folder()))  # noqa: B010 - Numba makes it at run time
