"""Finds out whether other packages bring games or agents, without importing anything of them.

`importlib.metadata` tells it, too, but to import it takes a quarter of the time that papan takes to
start, and most people have no plug-in.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path

GROUPS = ("papan.games", "papan.agents")
"""The groups of entry points in which other packages offer what they bring."""


def brings_plugins() -> bool:
    """Return whether an installed package offers an entry point in `GROUPS`.

    True, too, if only `importlib.metadata` can tell: where packages are in archives, or come by a
    finder of another kind.
    """
    if any(hasattr(each, "find_distributions") for each in sys.meta_path if each != PathFinder):
        return True
    names = [group.encode() for group in GROUPS]
    return any(name in text for text in _entry_points() for name in names)


def _entry_points() -> Iterator[bytes]:
    """Yield the texts of the files of entry points of all packages on `sys.path`.

    For an archive on it the text is the names in `GROUPS`, as it might offer one.
    """
    for folder in map(Path, dict.fromkeys(sys.path)):
        try:
            for path in folder.iterdir():
                if path.name.lower().endswith((".dist-info", "egg-info")):
                    with suppress(OSError):  # most packages have none
                        yield path.joinpath("entry_points.txt").read_bytes()
        except NotADirectoryError:
            yield " ".join(GROUPS).encode()
        except OSError:  # there is no such folder, or it cannot be read
            continue
