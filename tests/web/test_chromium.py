"""How a browser for the tests is found: with programs that only play the parts of the real ones."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.browser import chromium as finder
from tests.web.browser import packages
from tests.web.browser.chromium import chromium

pytestmark = pytest.mark.thorough

STARTS = "#!/bin/sh\necho Chromium 1\n"
STUB = "#!/bin/sh\necho this needs snap >&2\nexit 1\n"
APT = """#!/bin/sh
echo "$@" >> "$HOME/apt.log"
for word in "$@"; do
  case $word in
    Dir::Cache::archives=*) archives=${word#*=} ;;
    Dir::Etc::sourcelist=*) debian=yes ;;
    debian-archive-keyring) keys=yes ;;
    install) install=yes ;;
  esac
done
[ -n "$install" ] || exit 0
if [ -n "$keys" ]; then touch "$archives/debian-archive-keyring_1.deb"
elif [ -n "$debian$NOT_UBUNTU" ]; then
  touch "$archives/chromium-headless-shell_1.deb" "$archives/libc6_2.deb"
else touch "$archives/chromium-browser_snap.deb"; fi
"""
DPKG = f"""#!/bin/sh
echo "$2" >> "$HOME/dpkg.log"
[ -z "$BROKEN" ] || exit 1
mkdir -p "$3/usr/lib/chromium" "$3/usr/lib/any-linux-gnu"
printf '{STARTS.encode("unicode_escape").decode()}' > "$3/usr/lib/chromium/chromium-headless-shell"
chmod +x "$3/usr/lib/chromium/chromium-headless-shell"
"""

Put = Callable[[str, str], Path]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Puts a program on a path that has nothing else but a few tools; nobody is root there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "touch", "mkdir", "chmod", "printf", "echo"):
        (folder / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NOT_UBUNTU", "yes")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("PAPAN_CHROMIUM", "PLAYWRIGHT_BROWSERS_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(finder, "_download", lambda folder: None)

    def put(name: str, text: str) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path

    return put


def log(tmp_path: Path, name: str) -> list[str]:
    path = tmp_path / f"{name}.log"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def test_the_chromium_on_the_path_is_taken(put: Put) -> None:
    program = put("chromium", STARTS)
    assert chromium().program == str(program)


def test_the_one_that_was_chosen_comes_first(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    put("chromium", STARTS)
    chosen = put("other", STARTS)
    monkeypatch.setenv("PAPAN_CHROMIUM", str(chosen))
    assert chromium().program == str(chosen)


def test_a_stub_that_does_not_start_is_passed_over(put: Put) -> None:
    put("chromium-browser", STUB)
    program = put("google-chrome", STARTS)
    assert chromium().program == str(program)


@pytest.mark.parametrize(
    ("system", "command"),
    [
        ("ID=debian\n", "sudo apt install chromium-headless-shell"),
        (
            "NAME=x\nID=ubuntu\nID_LIKE=debian\n",
            "python -m playwright install --with-deps chromium",
        ),
    ],
)
def test_where_there_is_none_the_one_command_that_helps_is_told(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, command: str
) -> None:
    put("chromium", STUB)
    (tmp_path / "os-release").write_text(system, encoding="utf-8")
    monkeypatch.setattr(finder, "SYSTEM", tmp_path / "os-release")
    with pytest.raises(RuntimeError) as none:
        chromium()
    assert str(none.value) == (
        f"There is no Chromium to test with: {command} (or set PAPAN_CHROMIUM)."
    )


def test_without_root_the_package_is_unpacked_into_the_cache_once(put: Put, tmp_path: Path) -> None:
    put("apt-get", APT)
    put("dpkg", DPKG)
    found = chromium()
    root = tmp_path / "cache" / "papan" / "chromium" / "root"
    assert found.program == str(root / "usr/lib/chromium/chromium-headless-shell")
    assert found.variables["LD_LIBRARY_PATH"] == str(root / "usr/lib/any-linux-gnu")
    assert not any("libc6" in line for line in log(tmp_path, "dpkg"))
    calls = len(log(tmp_path, "apt"))
    assert chromium() == found
    assert len(log(tmp_path, "apt")) == calls


def test_ubuntu_gets_the_package_of_debian(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOT_UBUNTU")
    monkeypatch.setenv("PAPAN_DEBIAN", "http://localhost/debian")
    put("apt-get", APT)
    put("dpkg", DPKG)
    chromium()
    unpacked = [Path(line).name for line in log(tmp_path, "dpkg")]
    assert unpacked == ["debian-archive-keyring_1.deb", "chromium-headless-shell_1.deb"]


def test_what_cannot_be_unpacked_leaves_nothing_behind(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKEN", "yes")
    put("apt-get", APT)
    put("dpkg", DPKG)
    with pytest.raises(RuntimeError):
        chromium()
    assert not (tmp_path / "cache" / "papan" / "chromium" / "root").exists()


def test_root_has_it_installed(put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[list[str]] = []

    def installed(command: list[str], variables: dict[str, str] | None = None) -> bool:
        steps.append(command)
        if "install" in command:
            put("chromium", STARTS)
        return True

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(packages, "succeeds", installed)
    assert chromium().program == str(tmp_path / "bin" / "chromium")
    assert steps[-1][:2] == ["apt-get", "install"]


def test_a_browser_that_playwright_has_downloaded_is_taken(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = put("../browsers/chromium-1/chrome-linux/chrome", STARTS)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "browsers"))
    assert Path(chromium().program).resolve() == program.resolve()
