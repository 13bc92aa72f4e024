"""What papan is made of: every library is locked by its hash, and none has a known weakness."""

import json
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
AUDIT = ["--disable-pip", "--require-hashes", "--progress-spinner=off", "--timeout=5"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_s19_every_library_is_locked_by_its_hash(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    wanted = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert len(wanted) > 10
    for line in wanted:
        assert re.match(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==\S+ ", line), line
        assert "--hash=sha256:" in line, line


def test_s19_no_library_comes_from_elsewhere() -> None:
    for lock in LOCKS:
        assert not re.search(r"\w+://|git\+|--\w*index|--find", lock.read_text("utf-8"))


def test_development_requirements_hold_all_that_players_get() -> None:
    run, dev = (
        set(re.findall(r"^\S+==.*", (ROOT / "requirements" / name).read_text(), re.MULTILINE))
        for name in ("run.txt", "dev.txt")
    )
    assert run and run < dev


def test_s19_the_one_script_of_others_in_the_pages_is_the_published_one() -> None:
    """Its licence lies beside it; nothing else in the folder reaches a browser."""
    static = ROOT / "src" / "papan" / "web" / "static"
    vendor = static / "js" / "vendor"
    names = {path.name for path in vendor.iterdir() if not path.name.startswith("prism-")}
    assert names == {"preact.mjs", "preact.d.mts", "preact.json", "preact.LICENSE"}
    facts = json.loads((vendor / "preact.json").read_text(encoding="utf-8"))
    assert sha256((vendor / "preact.mjs").read_bytes()).hexdigest() == facts["sha256"]
    assert f"The {facts['licence']} License" in (vendor / "preact.LICENSE").read_text("utf-8")
    assert [path.name for path in static.rglob("*.min.js")] == []
    assert [path.name for path in static.rglob("*.mjs")] == ["preact.mjs"]


def test_the_editor_of_the_workshop_is_the_published_one() -> None:
    """Each file as npm has it, beside the licence; types alone are our own."""
    vendor = ROOT / "src" / "papan" / "web" / "static" / "js" / "vendor"
    facts = json.loads((vendor / "prism-code-editor.json").read_text(encoding="utf-8"))
    folder = vendor / "prism-code-editor"
    found = {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(".d.ts")
    }
    assert found == facts["sha256"]
    licence = (vendor / "prism-code-editor.LICENSE").read_text(encoding="utf-8")
    assert f"{facts['licence']} License" in licence


def test_u24_the_typeface_is_the_published_one() -> None:
    """Its licence lies beside it, and allows to hand it on."""
    fonts = ROOT / "src" / "papan" / "web" / "static" / "fonts"
    facts = json.loads((fonts / "plus-jakarta-sans.json").read_text(encoding="utf-8"))
    letters = (fonts / "plus-jakarta-sans.woff2").read_bytes()
    assert letters[:4] == b"wOF2" and sha256(letters).hexdigest() == facts["sha256"]
    licence = (fonts / "plus-jakarta-sans.LICENSE").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence


@pytest.mark.thorough
def test_s19_no_library_that_runs_has_a_known_weakness() -> None:
    """Asks PyPI; where it cannot be reached, the test says so and is skipped."""
    lock = str(ROOT / "requirements" / "run.txt")
    command = [sys.executable, "-m", "pip_audit", *AUDIT, "--format=json", "-r", lock]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        libraries = json.loads(done.stdout)["dependencies"]
    except ValueError:
        pytest.skip(f"the advisories of PyPI cannot be reached: {done.stderr[-200:]}")
    if all("skip_reason" in each for each in libraries):
        pytest.skip("the advisories of PyPI cannot be reached: it knows none of our libraries")
    weak = {each["name"]: each["vulns"] for each in libraries if each.get("vulns")}
    assert weak == {}
