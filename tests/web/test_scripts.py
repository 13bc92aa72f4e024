"""The scripts of the pages: their types, and the texts that they ask for."""

import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from papan.core.message import catalogue
from tests.web.typescript import compiler

pytestmark = pytest.mark.thorough

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[1] / "src" / "papan" / "web" / "static" / "js"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to check types with")
def test_the_types_of_the_scripts_agree(pytestconfig: pytest.Config) -> None:
    program = compiler()
    assert program is not None, "npm could not get TypeScript: npm install --global typescript"
    command = [program, "-p", str(HERE)]
    if hasattr(pytestconfig, "cache"):  # what is checked is not checked again until it changes
        known = pytestconfig.cache.mkdir("typescript") / "checked.json"
        command += ["--incremental", "--tsBuildInfoFile", str(known)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_types_of_the_pages_are_those_of_the_server() -> None:
    script = runpy.run_path(str(HERE.parents[1] / "tools" / "make_wire_types.py"))
    written = (SCRIPTS / "wire.d.ts").read_text(encoding="utf-8")
    assert written == script["types"](), "python tools/make_wire_types.py writes it anew"


@pytest.mark.parametrize("path", sorted(SCRIPTS.rglob("*.js")), ids=lambda path: path.name)
def test_every_text_that_a_script_asks_for_is_in_the_catalogue(path: Path) -> None:
    roots = {key.split(".")[0] for key in catalogue("en")}
    found = re.findall(r"[\"`]([a-z0-9]+\.[a-z0-9_]+)[\"`]", path.read_text(encoding="utf-8"))
    keys = {key for key in found if key.split(".")[0] in roots}
    assert keys - catalogue("en").keys() == set()


def test_every_text_of_the_pages_is_used() -> None:
    source = HERE.parents[1] / "src" / "papan"
    files = [*SCRIPTS.rglob("*.js"), *source.rglob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    # Texts whose keys are put together from parts.
    made = [
        "level",
        "opponent",
        "about",
        "seat",
        "tree",
        "option",
        "setting",
        "size",
        "choice",
        "job",
        "dial",
    ]
    unused = [
        key
        for key in catalogue("en")
        if key.startswith("web.")
        and f'"{key}"' not in text
        and not key.startswith(tuple(f"web.{part}_" for part in made))
    ]
    assert unused == []


@pytest.mark.parametrize("path", sorted(SCRIPTS.rglob("*.js")), ids=lambda path: path.name)
def test_every_script_begins_with_what_it_is(path: Path) -> None:
    first, second = path.read_text(encoding="utf-8").splitlines()[:2]
    assert (second if first == "// @ts-check" else first).startswith("// ")
