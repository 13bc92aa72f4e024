"""A game, an agent and a lesson are added word for word as the pages say: a file each, no list."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from papan.core.message import LANGUAGES
from tests.copies import copy_of_papan, environment_of_copy

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
PLACES = {
    "add-a-game.md": "games/nim/rules.py",
    "add-an-agent.md": "agents/middle.py",
    "learn.md": "lessons/climb/__init__.py",
}
"""The file that each page says to write: its first example."""
WITH_TEXTS = (PLACES["add-a-game.md"], PLACES["learn.md"])
"""Beside these the page's first JSON is written, once for each language."""


def first_example(page: str, language: str = "python") -> str:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    example: str = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)[0]
    return example


def mark_game() -> str:
    """The example of a board of x and o."""
    text = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    blocks: list[str] = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    return next(block for block in blocks if "(MarkGame)" in block)


def test_what_the_pages_add_is_everywhere_and_no_other_file_is_touched(tmp_path: Path) -> None:
    copy = copy_of_papan(tmp_path)
    for page, place in PLACES.items():
        (copy / place).parent.mkdir(exist_ok=True)
        (copy / place).write_text(first_example(page), encoding="utf-8")
        for language in LANGUAGES if place in WITH_TEXTS else ():
            texts = (copy / place).with_name(f"texts.{language}.json")
            texts.write_text(first_example(page, "json"), encoding="utf-8")
    shutil.copytree(ROOT / "docs", copy / "docs")  # as in the wheel
    (copy / "games/avoid").mkdir()
    (copy / "games/avoid/rules.py").write_text(mark_game(), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/added.py"],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**environment_of_copy(tmp_path), "PAPAN_COPY": str(copy)},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
