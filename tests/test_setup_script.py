"""The set-up script makes one good environment, says what it does, and trusts no broken one."""

from __future__ import annotations

import ast
import errno
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.waiting import until

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
WORKERS = len(os.sched_getaffinity(0)) + 1
"""How many processes test: one more than cores, as browsers and servers are often waited for."""

# A stand-in for uv that needs no network: it makes programs which only say how they were called.
UV = """#!/bin/sh
echo "$@" >> "$CALLS"
[ "$SLOW" ] && case "$*" in *"$SLOW"*) exec sleep 600 ;; esac
[ "$1" = pip ] && exec ${UV_PIP:-true}
for venv; do :; done
mkdir -p "$venv/bin"
for tool in papan ruff mypy pytest; do
    printf '#!/bin/sh\\necho "%s $*"\\n[ "$FAILING" != %s ]\\n' $tool $tool > "$venv/bin/$tool"
    chmod +x "$venv/bin/$tool"
done
"""


# The same for the pip in the repository, which is run as a folder inside a wheel.
PIP = """import os, pathlib, sys, time
with open(os.environ["CALLS"], "a") as calls:
    print("pip", *sys.argv[1:], file=calls)
if os.environ.get("SLOW", "never") in sys.argv:
    time.sleep(600)
if "-e" in sys.argv:
    papan = pathlib.Path(sys.prefix, "bin", "papan")
    papan.write_text('#!/bin/sh\\necho "papan $*"\\n')
    papan.chmod(0o755)
"""


@dataclass
class Checkout:
    """A copy of the script with requirements of its own and the stand-in for uv on its path."""

    folder: Path

    @property
    def venv(self) -> Path:
        return self.folder / "venv"

    @property
    def calls(self) -> list[str]:
        """What uv was asked to do, in words: venv, sync run.txt, install."""
        log = self.folder / "calls"
        lines = log.read_text().splitlines() if log.exists() else []
        return [re.sub(r"^(pip )?(\w+) .*?(\w+\.txt)?$", r"\2 \3", line).strip() for line in lines]

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(self.folder / "papan"), *arguments],
            env={
                "PATH": f"{self.folder / 'programs'}:/usr/bin:/bin",
                "PAPAN_VENV": str(self.venv),
                "CALLS": str(self.folder / "calls"),
                **variables,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        process = self.start(*arguments, **variables)
        output, errors = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    if os.name == "nt":
        pytest.skip("the stand-in for uv is a shell script")
    for name in ("programs", "requirements"):
        (tmp_path / name).mkdir()
    for name in ("pyproject.toml", "requirements/run.txt", "requirements/dev.txt"):
        (tmp_path / name).write_text(name)
    for name, source in (("papan", (ROOT / "papan").read_text()), ("programs/uv", UV)):
        (tmp_path / name).write_text(source)
        (tmp_path / name).chmod(0o755)
    return Checkout(tmp_path)


@pytest.fixture
def script() -> ModuleType:
    """The script as a module, for what can be asked without starting it."""
    loader = SourceFileLoader("set_up_script", str(ROOT / "papan"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_first_start_sets_up_and_becomes_papan(checkout: Checkout) -> None:
    done = checkout.run("games", "--json")
    assert (done.returncode, done.stdout) == (0, "papan games --json\n")
    assert checkout.calls == ["venv", "sync run.txt", "install"]


def test_first_start_shows_each_step_with_its_time_on_stderr(checkout: Checkout) -> None:
    lines = checkout.run("games").stderr.splitlines()
    assert lines[0] == (
        f"papan: setting up the environment in {checkout.venv} (only once, about a minute)"
    )
    assert [re.sub(r"[\d.]+ s$", "N s", line) for line in lines[1:]] == [
        "  making the Python environment ... N s",
        "  installing the libraries ... N s",
        "  installing papan ... N s",
    ]


def test_l05_only_tests_wait_for_the_compiler_and_do_so_each_time(checkout: Checkout) -> None:
    assert checkout.run("games").stdout == "papan games\n"
    for _ in range(2):  # kernels may have changed since the tools were installed
        ran = re.findall("^(papan|pytest).*", checkout.run("test").stdout, re.MULTILINE)
        assert ran == ["papan", "pytest"]


def test_second_start_is_silent_and_installs_nothing(checkout: Checkout) -> None:
    first = checkout.run("games")
    before = checkout.calls
    second = checkout.run("games")
    assert (second.stdout, second.stderr) == (first.stdout, "")
    assert checkout.calls == before


def test_papan_passes_its_exit_code_on(checkout: Checkout) -> None:
    assert checkout.run("games", FAILING="papan").returncode == 1


@pytest.mark.parametrize("name", ["pyproject.toml", "requirements/run.txt"])
def test_changed_requirements_make_the_environment_anew(checkout: Checkout, name: str) -> None:
    checkout.run("games")
    (checkout.venv / "leftover").touch()
    (checkout.folder / name).write_text("changed")
    checkout.run("games")
    assert checkout.calls == ["venv", "sync run.txt", "install"] * 2
    assert not (checkout.venv / "leftover").exists()


def test_changed_development_requirements_do_not_disturb_a_player(checkout: Checkout) -> None:
    checkout.run("test")
    before = checkout.calls
    (checkout.folder / "requirements/dev.txt").write_text("changed")
    checkout.run("games")
    assert checkout.calls == before
    checkout.run("test")
    assert checkout.calls[len(before) :] == ["venv", "sync dev.txt", "install"]


def test_moved_checkout_makes_its_environment_anew(checkout: Checkout, tmp_path: Path) -> None:
    checkout.run("games")
    moved = Checkout(checkout.folder.rename(tmp_path.with_name(f"{tmp_path.name}-moved")))
    moved.run("games")
    assert moved.calls == ["venv", "sync run.txt", "install"] * 2


def test_failed_step_says_what_failed_and_is_not_taken_for_good(checkout: Checkout) -> None:
    failed = checkout.run("games", UV_PIP="cat no-such-file")
    log = checkout.venv / ".papan" / "setup.log"
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "papan: penyiapan gagal saat memasang pustaka.\n" in failed.stderr
    assert "papan: the set-up failed while installing the libraries.\n" in failed.stderr
    assert "cat: no-such-file: No such file or directory\n" in failed.stderr
    assert failed.stderr.endswith(f"papan: full log: {log}\n")
    assert "no-such-file" in log.read_text()
    assert checkout.run("games").stdout == "papan games\n"
    assert checkout.calls == ["venv", "sync run.txt", "venv", "sync run.txt", "install"]


def interrupt(checkout: Checkout, slow: str, calls: list[str]) -> None:
    """Interrupt a set-up at the step whose command has the word *slow*, after some *calls*."""
    interrupted = checkout.start("games", SLOW=slow)
    until(lambda: checkout.calls == calls)
    interrupted.send_signal(signal.SIGINT)
    errors = interrupted.communicate()[1]
    assert interrupted.returncode == 130
    assert errors.endswith(("Interrupted.\n", "Dihentikan.\n"))
    assert "Traceback" not in errors
    again = checkout.run("games")
    assert again.stdout == "papan games\n"
    assert "waiting" not in again.stderr  # nothing was left running


@pytest.mark.parametrize(
    ("slow", "calls"),
    [
        ("venv", ["venv"]),
        ("sync", ["venv", "sync run.txt"]),
        ("install", ["venv", "sync run.txt", "install"]),
    ],
)
def test_c01_set_up_can_be_interrupted_at_every_step(
    checkout: Checkout, slow: str, calls: list[str]
) -> None:
    interrupt(checkout, slow, calls)
    assert checkout.calls == [*calls, "venv", "sync run.txt", "install"]


@pytest.mark.parametrize(
    ("slow", "calls"),
    [("--require-hashes", ["install run.txt"]), ("-e", ["install run.txt", "install"])],
)
def test_c01_set_up_with_pip_can_be_interrupted_at_every_step(
    bare: Checkout, slow: str, calls: list[str]
) -> None:
    interrupt(bare, slow, calls)
    assert bare.calls == [*calls, "install run.txt", "install"]


def test_c01_ctrl_c_right_after_the_start_of_a_command_ends_it(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []

    def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen(*arguments, **options))
        os.kill(os.getpid(), signal.SIGINT)
        return begun[-1]

    monkeypatch.setattr(
        script, "subprocess", SimpleNamespace(**{**vars(subprocess), "Popen": start})
    )
    before = signal.getsignal(signal.SIGINT)
    with (tmp_path / "log").open("w") as log, pytest.raises(KeyboardInterrupt):
        script.succeeds(["sleep", "600"], log, [], lambda: None)
    assert begun[0].returncode == -signal.SIGKILL
    assert signal.getsignal(signal.SIGINT) is before


def test_c01_ctrl_c_right_after_taking_the_lock_gives_it_back(
    script: ModuleType, tmp_path: Path
) -> None:
    class Lock(type(tmp_path)):  # type: ignore[misc]
        def touch(self, *arguments: Any, **options: Any) -> None:
            super().touch(*arguments, **options)
            os.kill(os.getpid(), signal.SIGINT)

    lock = Lock(tmp_path / "lock")
    with pytest.raises(KeyboardInterrupt), script.locked_by_name(lock):
        pytest.fail("it went on")
    assert not lock.exists()


def test_c01_ctrl_c_lets_a_program_end_by_itself(script: ModuleType, tmp_path: Path) -> None:
    last = tmp_path / "last words"
    with pytest.raises(KeyboardInterrupt):
        script.outcome(["sh", "-c", f"kill -INT $PPID; sleep 0.5; touch '{last}'"])
    assert last.exists()


def test_start_after_a_killed_one_waits_for_what_it_left_running(checkout: Checkout) -> None:
    killed = checkout.start("games", UV_PIP="sleep 2")
    until(lambda: checkout.calls == ["venv", "sync run.txt"])
    killed.kill()
    killed.communicate()
    again = checkout.run("games")
    assert "papan: waiting for another set-up to finish" in again.stderr
    assert again.stdout == "papan games\n"
    assert checkout.calls == ["venv", "sync run.txt", "venv", "sync run.txt", "install"]


def test_two_first_starts_at_once_set_up_only_once(checkout: Checkout) -> None:
    starts = [checkout.start("games", UV_PIP="sleep 0.5") for _ in range(2)]
    assert [start.communicate()[0] for start in starts] == ["papan games\n"] * 2
    assert checkout.calls == ["venv", "sync run.txt", "install"]


def test_folder_with_other_things_is_refused_and_kept(checkout: Checkout) -> None:
    checkout.venv.mkdir()
    (checkout.venv / "thesis.txt").touch()
    refused = checkout.run("games")
    assert refused.returncode == 1
    assert refused.stderr == (
        f"papan: {checkout.venv} holds other things; "
        "move it, or choose another folder with PAPAN_VENV.\n"
    )
    assert [entry.name for entry in checkout.venv.iterdir()] == ["thesis.txt"]


def test_folder_that_cannot_be_made_is_named(checkout: Checkout) -> None:
    checkout.venv.touch()
    refused = checkout.run("games")
    assert refused.returncode == 1
    assert refused.stderr.startswith(
        f"papan: cannot make the environment in {checkout.venv}; "
        "choose another folder with PAPAN_VENV.\n"
    )


def test_l02_fast_runs_the_quick_tests_alone_and_says_so(checkout: Checkout) -> None:
    lines = checkout.run("test", "--fast").stdout.splitlines()
    assert f"pytest -n {WORKERS - 1} -m not slow and not browser and not thorough" in lines
    assert lines[-1] == "Only the quick tests (--fast); ./papan test runs all of them."


@pytest.mark.parametrize("value", ["1", ""])
def test_l02_tests_keep_what_python_compiles_and_not_among_the_sources(
    script: ModuleType, tmp_path: Path, value: str
) -> None:
    given = {"PATH": "/bin", "PYTHONDONTWRITEBYTECODE": value}
    variables = script.compiling(tmp_path, given)
    prefix = str(tmp_path / ".papan" / "compiled")
    assert variables == ({"PATH": "/bin", "PYTHONPYCACHEPREFIX": prefix} if value else given)


def test_l02_clones_share_what_mypy_has_checked(script: ModuleType, tmp_path: Path) -> None:
    with ExitStack() as stack:
        kept = script.known_types(stack, {"HOME": str(tmp_path)})["MYPY_CACHE_DIR"]
        assert Path(kept).parents[1] == tmp_path / ".cache"
        for other in ({"HOME": str(tmp_path)}, {}, {"XDG_CACHE_HOME": __file__}):  # one at a time
            assert script.known_types(stack, other) == other


def test_test_runs_every_check_and_hands_its_arguments_to_pytest(checkout: Checkout) -> None:
    done = checkout.run("test", "-k", "dots")
    ran = [line for line in done.stdout.splitlines() if re.match("ruff|mypy|pytest", line)]
    assert done.returncode == 0
    assert ran == ["ruff check .", "ruff format --check .", f"pytest -n {WORKERS} -k dots", "mypy "]


@pytest.mark.parametrize("words", [["--help"], ["--fast", "-h"]])
def test_z22_help_of_the_tests_is_shown_and_nothing_is_run(
    checkout: Checkout, words: list[str]
) -> None:
    done = checkout.run("test", *words)
    assert done.returncode == 0
    assert "./papan test" in done.stdout and "--no-browser" in done.stdout
    assert not re.search("^(ruff|mypy|pytest)", done.stdout, re.MULTILINE)
    assert not checkout.venv.exists()


def test_no_browser_leaves_the_browser_out_and_says_so_in_the_last_line(checkout: Checkout) -> None:
    done = checkout.run("test", "--no-browser", "-k", "dots")
    assert f"pytest -n {WORKERS} -k dots -m not slow and not browser" in done.stdout.splitlines()
    assert done.stdout.splitlines()[-1].startswith("Without the tests in a browser (--no-browser)")
    assert "--no-browser" not in checkout.run("test").stdout


@pytest.mark.parametrize(("tool", "failures"), [("ruff", 2), ("mypy", 1), ("pytest", 1)])
def test_test_goes_on_after_a_failure_and_exits_1(
    checkout: Checkout, tool: str, failures: int
) -> None:
    done = checkout.run("test", FAILING=tool)
    summary = done.stdout.splitlines()[-5:]
    assert done.returncode == 1
    assert [line.startswith("failed  " + tool) for line in summary].count(True) == failures
    assert [line.startswith("passed  ") for line in summary].count(True) == 5 - failures


def test_test_adds_its_tools_to_a_good_environment(checkout: Checkout) -> None:
    checkout.run("games")
    checkout.run("test")
    assert checkout.calls == ["venv", "sync run.txt", "install", "sync dev.txt", "install"]
    before = checkout.calls
    checkout.run("games")
    checkout.run("test")
    assert checkout.calls == before


def test_tools_that_failed_to_install_spoil_the_environment(checkout: Checkout) -> None:
    checkout.run("games")
    assert checkout.run("test", UV_PIP="false").returncode == 1
    assert checkout.run("games").stdout == "papan games\n"
    assert checkout.calls[-3:] == ["venv", "sync run.txt", "install"]


@pytest.fixture
def bare(checkout: Checkout) -> Checkout:
    """A checkout on a system without uv, and with neither pip nor ensurepip in its Python."""
    (checkout.folder / "programs" / "uv").unlink()
    wheel = checkout.folder / "requirements" / "pip-1-py3-none-any.whl" / "pip"
    wheel.mkdir(parents=True)
    (wheel / "__main__.py").write_text(PIP)
    return checkout


def test_c01_a_bare_python_is_enough(bare: Checkout) -> None:
    assert bare.run("games").stdout == "papan games\n"
    assert bare.calls == ["install run.txt", "install"]
    assert not list(bare.venv.glob("lib/*/site-packages/pip*"))  # none came from the system


def test_c01_a_broken_uv_gives_way_to_pip(bare: Checkout) -> None:
    (bare.folder / "programs" / "uv").write_text("#!/bin/sh\nexit 1\n")
    (bare.folder / "programs" / "uv").chmod(0o755)
    assert bare.run("games").stdout == "papan games\n"
    assert bare.calls == ["install run.txt", "install"]


def test_c01_spaces_and_umlauts_in_the_path_do_no_harm(bare: Checkout) -> None:
    moved = Checkout(bare.folder.rename(bare.folder.with_name("papan k\u00e4se")))
    assert moved.run("games", LC_ALL="C").stdout == "papan games\n"


def test_r08_everything_that_is_downloaded_is_hashed(script: ModuleType, tmp_path: Path) -> None:
    for step, commands in script.steps(tmp_path, "run", anew=True):
        for command in commands:
            if step == "libraries":
                assert "--require-hashes" in command
            if step == "papan":
                assert {"--no-deps", "--no-build-isolation"} <= set(command)
    locked = (ROOT / "requirements" / "run.txt").read_text()
    assert "\nhatchling==" in locked  # what builds papan
    [wheel] = (ROOT / "requirements").glob("pip-*.whl")
    assert f"\npip=={wheel.name.split('-')[1]} " in locked
    assert f"--hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}" in locked


@dataclass
class Terminal:
    """Somebody at a keyboard, or nobody."""

    typed: str | None

    def isatty(self) -> bool:
        return self.typed is not None

    def readline(self) -> str:
        return self.typed or ""


@pytest.fixture
def partial(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[list[str]]]:
    """Starts the script on a Python without one of its parts; gives what it ran, if anything."""

    def start(manager: str | None, root: bool, typed: str | None) -> list[list[str]]:
        ran: list[list[str]] = []

        def call(command: list[str], **_: object) -> int:
            ran.append(command)
            return 0

        monkeypatch.setattr(script, "NEEDED", ("sys", "no_such_part"))
        monkeypatch.setattr(script.shutil, "which", lambda name: name if name == manager else None)
        monkeypatch.setattr(script.os, "geteuid", lambda: 0 if root else 1000)
        monkeypatch.setattr(script.sys, "stdin", Terminal(typed))
        monkeypatch.setattr(script.sys.stderr, "isatty", lambda: typed is not None, raising=False)
        monkeypatch.setattr(script.subprocess, "call", call)
        monkeypatch.setattr(script.os, "execv", lambda *_: ran.append(["again"]))
        with pytest.raises(script.SetUpError) as reported:
            script.complete()
        ran.append(list(reported.value.args))
        return ran

    return start


def test_c01_a_partial_python_is_completed_by_root_who_agrees(
    partial: Callable[..., list[list[str]]],
) -> None:
    install = ["apt-get", "install", "-y", "python3-venv"]
    ran = partial("apt-get", root=True, typed="\n")
    assert ran[:3] == [["apt-get", "update"], install, ["again"]]
    assert partial("apt-get", root=True, typed="n\n")[0][-1] == f"papan: type: {' '.join(install)}"


@pytest.mark.parametrize(
    ("manager", "root", "last"),
    [
        ("apt-get", True, "papan: type: apt-get install -y python3-venv"),
        ("apt-get", False, "papan: type: sudo apt-get install -y python3-venv"),
        ("dnf", False, "papan: type: sudo dnf install -y python3"),
        (None, False, "papan: install a whole Python, for example from python.org."),
    ],
)
def test_c01_where_nobody_can_answer_the_command_is_named(
    partial: Callable[..., list[list[str]]], manager: str, root: bool, last: str
) -> None:
    assert partial(manager, root, typed=None) == [
        ["papan: this Python is not whole (no no_such_part).", last]
    ]


def test_c01_a_full_disk_is_called_one(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=0)
    monkeypatch.setattr(script.shutil, "disk_usage", lambda _: usage)
    monkeypatch.setattr(script, "succeeds", lambda *_: False)
    with pytest.raises(script.SetUpError, match="is full; papan needs about") as reported:
        script.prepare(tmp_path / "venv", "run")
    assert "is full" in reported.value.args[-1]

    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(script, "install", no_room)
    with pytest.raises(script.SetUpError) as reported:
        script.prepare(tmp_path / "venv", "run")
    assert "is full" in reported.value.args[0]


def test_c12_an_environment_that_cannot_be_looked_at_is_named(checkout: Checkout) -> None:
    refused = checkout.run("games", PAPAN_VENV="x" * 5_000)
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    assert refused.stderr.startswith("papan: cannot make the environment in ")


def test_v05_19_another_clone_with_the_same_environment_runs_its_own_code(
    checkout: Checkout, tmp_path: Path
) -> None:
    checkout.run("games")
    other = tmp_path.with_name(f"{tmp_path.name}-other")
    shutil.copytree(tmp_path, other, ignore=shutil.ignore_patterns("venv", "calls"))
    Checkout(other).run("games", PAPAN_VENV=str(checkout.venv))
    assert Checkout(other).calls == ["venv", "sync run.txt", "install"]


@pytest.mark.parametrize(
    ("output", "count"),
    [
        ("", ""),
        ("$ pip\nCollecting a==1\n  Downloading a\nIgnoring b: markers\n", " 2/3"),
        ("$ pip\nCollecting a==1\nProcessing /wheels/b.whl\n", " 2/3"),
    ],
)
def test_l05_a_step_shows_how_far_it_has_come(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, count: str
) -> None:
    locked = tmp_path / "run.txt"
    locked.write_text("a==1 \\\n    --hash=x\nb==2\nc==3\n")
    monkeypatch.setattr(script, "requirements", lambda _: locked)
    (tmp_path / "log").write_text(output)
    with (tmp_path / "log").open() as log:
        assert script.counted(log, "run") == count


def test_lock_by_name_waits_until_the_other_is_done(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = tmp_path / "lock"
    lock.touch()
    other = threading.Timer(0.3, lock.unlink)
    other.start()
    with script.locked_by_name(lock):
        assert other.finished.is_set()
        assert lock.exists()
    assert not lock.exists()
    assert str(lock) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variables", "indonesian"),
    [
        ({"LANG": "id_ID.UTF-8"}, True),
        ({"LC_MESSAGES": "id", "LANG": "en_GB.UTF-8"}, True),
        ({"LC_ALL": "C", "LC_MESSAGES": "id_ID", "LANG": "id_ID"}, False),
        ({"LC_ALL": "", "LANG": "id_ID"}, True),
        ({"LANG": "en_US.UTF-8"}, False),
        ({}, False),
    ],
)
def test_messages_follow_the_locale(
    script: ModuleType, variables: dict[str, str], indonesian: bool
) -> None:
    assert script.speaks_indonesian(variables) is indonesian


def test_set_up_speaks_indonesian_to_an_indonesian(checkout: Checkout) -> None:
    assert "  memasang pustaka ... " in checkout.run("games", LANG="id_ID.UTF-8").stderr


def test_old_python_is_turned_away_in_both_languages(script: ModuleType) -> None:
    assert script.objection((3, 10, 13, "final", 0)) == (
        "papan memerlukan Python 3.11 atau yang lebih baru, sedangkan ini Python 3.10.13. / "
        "papan needs Python 3.11 or newer, and this is Python 3.10.13."
    )
    assert script.objection((3, 11, 0, "final", 0)) == ""
    assert script.objection((4, 0, 0, "final", 0)) == ""


def test_old_python_exits_2_before_anything_else(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "OLDEST_PYTHON", (99, 0))
    assert script.main(["games"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_script_parses_on_an_old_python() -> None:
    ast.parse((ROOT / "papan").read_text(), feature_version=(3, 7))
