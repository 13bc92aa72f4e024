"""Compiled code is thrown away when any kernel changes, also one that is only called."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import papan
import papan.kernels

CALLER = """
from papan.kernels.callee import number
from papan.kernels.native import native

@native()
def answer():
    return number()

print(answer())
"""

CALLEE = """
from papan.kernels.native import native

@native()
def number():
    return {}
"""


def answer(folder: Path) -> str:
    """What the caller prints in a new process that shares the user's cache."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", "import papan.kernels.caller"],
        capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache")},
    )  # fmt: skip
    return done.stdout.strip()


def test_an_edit_of_a_called_kernel_is_noticed(tmp_path: Path) -> None:
    package = tmp_path / "papan"
    shutil.copytree(Path(papan.kernels.__file__).parent, package / "kernels")
    (package / "__init__.py").touch()
    (package / "kernels" / "caller.py").write_text(CALLER)
    (package / "kernels" / "callee.py").write_text(CALLEE.format(1))
    assert answer(tmp_path) == "1"
    assert list((tmp_path / "cache").rglob("*.nbc"))
    (package / "kernels" / "callee.py").write_text(CALLEE.format(2))
    assert answer(tmp_path) == "2"


def test_compiled_code_is_kept_outside_of_the_source() -> None:
    assert papan.kernels.SOURCES not in papan.kernels.cache_folder().parents


def test_compiled_code_of_old_versions_is_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(papan.kernels, "cache_folder", lambda: tmp_path / "kernels-now")
    for age in range(5):
        folder = tmp_path / f"kernels-{age}"
        folder.mkdir()
        (folder / "code.nbc").touch()
        os.utime(folder, (1e9 - age, 1e9 - age))
    (tmp_path / "other").mkdir()
    papan.kernels.make_cache_folder()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "kernels-0", "kernels-1", "kernels-now", "other"
    ]  # fmt: skip
