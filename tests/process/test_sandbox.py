"""The sandbox: the words that bubblewrap gets, and the files that a program needs."""

import os
import sys
from pathlib import Path

import pytest

from papan.process import sandbox
from papan.process.sandbox import (
    ENVIRONMENT,
    PRIVATE_SPACE,
    WALLS,
    Sandbox,
    SandboxView,
    compiled_elsewhere,
    python_files,
    python_variables,
    software,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")


def words_of(descriptor: int) -> list[str]:
    """The arguments in a file, as bubblewrap reads them."""
    with open(descriptor, "rb", closefd=False) as file:
        *words, end = file.read().split(b"\0")
    assert end == b""
    return [os.fsdecode(word) for word in words]


def pairs(option: str, words: list[str]) -> list[tuple[str, str]]:
    """The two values of each use of an option."""
    found = [place for place, word in enumerate(words) if word == option]
    return [(words[place + 1], words[place + 2]) for place in found]


def test_a_program_sees_its_view_and_nothing_of_our_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "SYSTEM_FOLDERS", ())
    monkeypatch.setattr(sandbox, "SYSTEM_SETTINGS", ())
    package, cache, own = tmp_path / "package", tmp_path / "cache", tmp_path / "own"
    for folder in (package, cache, own):
        folder.mkdir()
    for name in ("b", "a"):
        (cache / name).touch()
    file, stand_in = tmp_path / "search.py", tmp_path / "hidden.py"
    view = SandboxView(
        (own, file, own), ((package, stand_in), (file, stand_in)), (cache,), (("A", "1"),), own
    )
    with Sandbox("bwrap").confined(["./bot", "x"], view, 99) as found:
        options, filtering = found.descriptors
        assert filtering == 99
        line = ("env", "-i", "bwrap", "--args", str(options), "--", "./bot", "x")
        assert found.words == line
        words = words_of(options)
    space = ["--size", str(PRIVATE_SPACE)]
    assert words == [
        *WALLS,
        *(word for name in ENVIRONMENT.items() for word in ("--setenv", *name)),
        "--setenv", "A", "1",
        "--seccomp", "99",
        "--ro-bind", "/usr", "/usr",
        "--proc", "/proc", "--dev", "/dev",
        "--ro-bind", "/dev/null", "/dev/zero",
        *space, "--tmpfs", "/tmp",
        *space, "--tmpfs", "/dev/shm",
        "--ro-bind", str(own), str(own),
        "--ro-bind", str(file), str(file),
        "--size", str(1 << 20), "--tmpfs", str(package),
        "--ro-bind", str(stand_in), str(package / "__init__.py"),
        "--ro-bind", str(stand_in), str(file),
        "--ro-bind", str(cache), "/run/linked0",
        *space, "--perms", "0700", "--tmpfs", str(cache),
        "--symlink", "/run/linked0/a", str(cache / "a"),
        "--symlink", "/run/linked0/b", str(cache / "b"),
        "--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/",
        "--chdir", str(own),
    ]  # fmt: skip
    with pytest.raises(OSError):
        os.fstat(options)  # it was closed
    with Sandbox("bwrap").confined(["true"], SandboxView(())) as plain:
        assert len(plain.descriptors) == 1
        plain_words = words_of(plain.descriptors[0])
    assert "--seccomp" not in plain_words and plain_words[-2:] == ["--chdir", "/tmp"]


def test_folders_of_the_system_are_shown_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link stays a link, a folder is bound, and what is missing is left out."""
    link, folder = tmp_path / "link", tmp_path / "folder"
    folder.mkdir()
    link.symlink_to("usr/lib")
    names = tuple(f"{place}"[1:] for place in (link, folder, tmp_path / "missing"))
    monkeypatch.setattr(sandbox, "SYSTEM_FOLDERS", names)
    monkeypatch.setattr(sandbox, "SYSTEM_SETTINGS", ("host*",))
    with Sandbox("bwrap").confined(["true"], SandboxView(())) as found:
        words = words_of(found.descriptors[0])
    assert pairs("--symlink", words) == [("usr/lib", str(link))]
    assert (str(folder), str(folder)) in pairs("--ro-bind", words)
    settings = pairs("--ro-bind-try", words)
    assert ("/etc/hosts", "/etc/hosts") in settings and settings == sorted(settings)
    assert not any("missing" in word for word in words)


@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("#!/bin/sh\nexit 0\n", ""),
        ("#!/bin/sh\necho first >&2; echo last >&2; exit 1\n", "last"),
        ("#!/bin/sh\nexit 3\n", "exit code 3"),
        ("#!/bin/sh\necho warning >&2\n", ""),
    ],
)
def test_a_trial_tells_the_last_line_of_what_is_wrong(
    program: str, error: str, tmp_path: Path
) -> None:
    path = tmp_path / "bwrap"
    path.write_text(program)
    path.chmod(0o755)
    assert Sandbox(str(path)).try_out() == error


def test_a_python_bot_needs_the_outermost_folders_outside_usr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, prefix, package = (tmp_path / name for name in ("python", "venv", "papan"))
    inner, other = prefix / "lib" / "site-packages", tmp_path / "dist-packages"
    for folder in (base, prefix, package, inner, other):
        folder.mkdir(parents=True)
    monkeypatch.setattr(sys, "base_prefix", str(base))
    monkeypatch.setattr(sys, "prefix", str(prefix))
    missing = tmp_path / "missing" / "site-packages"
    path = [str(inner), str(other), str(tmp_path), str(missing), "/usr/lib/site-packages"]
    monkeypatch.setattr(sys, "path", path)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    assert python_files(package) == (base, prefix, other, package)
    assert python_files(inner) == (base, prefix, other)
    assert python_variables() == ()


def test_a_python_bot_finds_what_python_has_compiled_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, prefix, package = (tmp_path / name for name in ("python", "venv", "papan"))
    compiled = tmp_path / "compiled"
    copies = [compiled.joinpath(*each.parts[1:]) for each in (base, package, Path("/usr"))]
    for folder in (base, prefix, package, *copies):
        folder.mkdir(parents=True)
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "pycache_prefix", str(compiled))
    assert python_files(package) == (prefix, package, copies[2], copies[1])
    assert python_variables() == (("PYTHONPYCACHEPREFIX", str(compiled)),)
    assert compiled_elsewhere(base) == (copies[0],)
    assert compiled_elsewhere(prefix) == ()


def test_only_the_program_is_looked_for_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("tool", "data"):
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir("/")
    assert software(["tool", "data"]) == (tmp_path / "tool",)
    assert software(["/usr/bin/env", str(tmp_path / "data")]) == (tmp_path / "data",)
    assert software(["no-such-tool"]) == ()
