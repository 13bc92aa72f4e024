"""The library works with its few dependencies; whatever needs more says in one sentence what."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from papan.core.extras import EXTRAS

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
DISTRIBUTIONS = {"markdown_it": "markdown-it-py"}
"""What libraries are called in pyproject.toml, where their modules have other names."""
BROUGHT_ALONG = {"h11", "starlette"}
"""Modules that come with others, and that papan imports itself."""

TRIAL = """
import json, sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

absent, folder = set(sys.argv[1].split(",")), sys.argv[2]

class Absent:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in absent:
            raise ModuleNotFoundError(f"No module named {top!r}", name=top)

sys.meta_path.insert(0, Absent())
import papan

found = {
    "solve": str(papan.solve("tictactoe xx./oo./... x").value),
    "onet": str(papan.solve("onet:2,2,1").value),
    "match": len(papan.match("random", "level:1", game="tictactoe", pairs=1).games),
    "position": papan.position("connect4").after("4").is_over,
    "analyse": papan.agent("alphabeta").analyse(papan.position("dots"), nodes=100).nodes,
    "loaded": sorted(absent & set(sys.modules)),
}
from papan.cli import main

def said(*words):
    sys.argv = ["papan", *words]
    with redirect_stderr(StringIO()) as errors, redirect_stdout(StringIO()):
        try:
            main()
        except SystemExit as leaving:
            return leaving.code, errors.getvalue()

found["no command line"] = said("games")
absent -= {"pydantic", "rich", "textual", "typer"}
found["games"] = said("games")
found["serve"] = said("serve")
found["tournament"] = said("tournament", "run", folder, "random", "level:1", "--game", "tictactoe")
print(json.dumps(found))
"""


@pytest.mark.thorough
def test_d9_the_library_needs_little_and_commands_name_the_extra(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TRIAL, ",".join(EXTRAS), str(tmp_path / "new")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    worked = [found[name] for name in ("solve", "onet", "match", "position", "loaded")]
    assert worked == ["1", "4", 2, False, []]
    assert found["analyse"] > 0
    assert found["games"] == [0, ""]
    wanted = {"no command line": "terminal", "serve": "web", "tournament": "lab"}
    for name, extra in wanted.items():
        code, sentence = found[name]
        assert (code, sentence.count("\n")) == (2, 1)
        assert f'pip install "papan[{extra}]"' in sentence


def test_d9_every_library_of_an_extra_has_its_sentence() -> None:
    for module, extra in EXTRAS.items():
        if module not in BROUGHT_ALONG:
            names = [re.match(r"[\w-]+", each) for each in PROJECT["optional-dependencies"][extra]]
            assert DISTRIBUTIONS.get(module, module) in {name[0] for name in names if name}
    named = {DISTRIBUTIONS.get(module, module) for module in EXTRAS} | {"papan"}
    for texts in PROJECT["optional-dependencies"].values():
        assert {match[0] for each in texts if (match := re.match(r"[\w-]+", each))} <= named


def test_d9_no_version_of_a_dependency_is_shut_out() -> None:
    lists = PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()
    texts = [each for texts in lists for each in texts]
    assert [each for each in texts if re.search(r"==|<|~=", each)] == []
