"""Copies of papan, into which a test puts files of its own."""

import os
import shutil
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

import papan
from papan.engine import cache


def copy_of_papan(folder: Path) -> Path:
    """Copy the package papan into *folder*, and return where the copy is.

    Python finds there what it has compiled of the original, as far as the files stay as they are.
    """
    source, copy = Path(papan.__file__).parent, folder / "papan"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for path in source.rglob("*.py"):
        compiled = Path(cache_from_source(str(path)))
        if compiled.exists():
            its = Path(cache_from_source(str(copy / path.relative_to(source))))
            its.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(compiled, its)
    return copy


def environment_of_copy(folder: Path) -> dict[str, str]:
    """Return the environment in which Python runs the copy of papan in *folder*.

    Its kernels are those that are compiled already, as only its other files differ: compiling them
    again takes a minute of processor time.
    """
    place = {"PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    environment = {**os.environ, **place, "LANG": "C.UTF-8"}
    where = "import papan.engine.cache as cache; print(cache.folder())"
    words = [sys.executable, "-P", "-c", where]
    own = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
    shutil.copytree(cache.folder(), own.stdout.strip(), dirs_exist_ok=True)
    return environment
