"""The examples in the README and the documentation are run as they are printed."""

import re
import runpy
import shlex
import tomllib
from collections.abc import Iterator
from doctest import DocTestParser, DocTestRunner
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Papan, papan  # noqa: F401 - a fixture

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def sessions(page: Path) -> Iterator[tuple[list[str], str]]:
    """The commands of a page that are shown with their output."""
    for block in blocks(page, "console"):
        for session in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = session.partition("\n")
            yield shlex.split(command), output


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


ENGLISH = [page for page in PAGES if "id" not in page.parts]
"""The others have the same examples."""


@pytest.mark.parametrize("page", [page for page in ENGLISH if blocks(page, "python")], ids=name)
def test_python_examples_run(page: Path) -> None:
    scope: dict[str, object] = {"__name__": "example"}
    for block in blocks(page, "python"):
        exec(compile(block, name(page), "exec"), scope)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "pycon")], ids=name)
def test_c08_lines_typed_into_python_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks(page, "pycon"))
    lines = DocTestParser().get_doctest(text, {}, name(page), str(page), 0)
    assert len(lines.examples) >= 20
    complaints: list[str] = []
    DocTestRunner(verbose=False).run(lines, out=complaints.append)
    assert not complaints, "".join(complaints)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "console")], ids=name)
def test_commands_print_what_the_page_shows(
    page: Path,
    papan: Papan,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # what they write is no part of the project
    for (program, *arguments), expected in sessions(page):
        assert program == "./papan"
        ran = papan(*arguments)
        assert ran.code == 0
        pattern = re.escape(expected.rstrip()).replace("…", ".*")
        found = "\n".join(line.rstrip() for line in ran.out.rstrip().splitlines())
        assert re.fullmatch(pattern, found, re.S), f"{arguments} printed:\n{found}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{name(page)} links to {target}"


def test_c13_the_page_of_the_package_leads_nowhere_in_the_repository() -> None:
    facts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / facts["readme"]).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)]*)\)|(?:src|href)=\"([^\"]*)", text)
    assert all((one or other).startswith("https://") for one, other in targets)


def test_the_pictures_are_the_ones_that_the_script_draws() -> None:
    script: dict[str, Any] = runpy.run_path(str(ROOT / "tools" / "make_pictures.py"))
    for game, scene in script["SCENES"].items():
        drawn = (ROOT / "docs" / "images" / f"{game}.svg").read_text(encoding="utf-8")
        assert drawn == script["picture"](*scene) + "\n"


def test_the_files_that_the_page_of_architecture_names_are_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    files = [
        "/" + str(path.relative_to(ROOT))
        for top in ("src", "tests")
        for path in (ROOT / top).rglob("*.*")
    ]
    named = {
        each.replace("js/", "static/js/") for each in re.findall(r"`([\w/]+\.(?:py|js))`", page)
    }
    assert [each for each in named if not any(path.endswith("/" + each) for path in files)] == []
