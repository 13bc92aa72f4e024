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


@pytest.mark.parametrize(
    "path",
    [each for each in sorted(SCRIPTS.rglob("*.js")) if "vendor" not in each.parts],
    ids=lambda path: path.name,
)
def test_every_script_begins_with_what_it_is(path: Path) -> None:
    first, second = path.read_text(encoding="utf-8").splitlines()[:2]
    assert (second if first == "// @ts-check" else first).startswith("// ")


LONGEST_LINE = 120
"""Characters of a script, a style sheet or a page; import lists and drawings are wrapped, too."""
MOST_MEMBERS = 30
"""Fields and methods that an object may have, inherited ones included."""


def own_files(*endings: str) -> list[Path]:
    """Return the files of the pages that are written by hand."""
    generated = {SCRIPTS / "wire.d.ts", *(SCRIPTS / "vendor").rglob("*")}
    found = (path for path in SCRIPTS.parent.rglob("*") if path.suffix in endings)
    return sorted(path for path in found if path not in generated)


@pytest.mark.parametrize(
    "path", own_files(".js", ".ts", ".css", ".html"), ids=lambda path: path.name
)
def test_no_line_is_too_long(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [f"{n}: {line}" for n, line in enumerate(lines, 1) if len(line) > LONGEST_LINE] == []


def members_by_class(text: str) -> dict[str, tuple[str, set[str]]]:
    """Return the base and the own members of each class of a script, by its name.

    Members are methods and fields of the class body, and whatever a method assigns to ``this``.
    """
    classes = re.findall(
        r"^(?:export )?class (\w+)(?: extends (\w+))? \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL
    )
    found: dict[str, tuple[str, set[str]]] = {}
    for name, base, body in classes:
        declared = re.findall(
            r"^  (?:static |async |get |set |\*)*(#?\w+)(?: = |;|\(| \{)", body, re.MULTILINE
        )
        assigned = re.findall(r"\bthis\.(#?\w+) (?:\?\?|\|\|)?= ", body)
        found[name] = base, {*declared, *assigned} - {"constructor"}
    return found


def test_no_object_has_too_many_members() -> None:
    classes: dict[str, tuple[str, set[str]]] = {}
    for path in own_files(".js"):
        found = members_by_class(path.read_text(encoding="utf-8"))
        assert classes.keys() & found.keys() == set()  # one name, one class
        classes |= found

    def members(name: str) -> set[str]:
        base, own = classes.get(name, ("", set()))
        return own | members(base) if base else own

    counts = {name: len(members(name)) for name in classes}
    assert len(counts) > 30  # the pattern has found them
    assert {name: count for name, count in counts.items() if count > MOST_MEMBERS} == {}


def test_members_are_counted_with_those_of_the_base() -> None:
    script = """
export class Base extends Component {
  field = 1;
  #hidden() { return this.field; }
}

class Other extends Base {
  constructor(props) {
    super(props);
    this.size = 2;
  }

  get half() { return this.size / 2; }
}
"""
    assert members_by_class(script) == {
        "Base": ("Component", {"field", "#hidden"}),
        "Other": ("Base", {"size", "half"}),
    }
