"""The lessons of Tic Tac Toe, Connect 4 and Onet, step by step as they are shown."""

from itertools import groupby
from pathlib import Path

import pytest

from papan.lessons import LESSONS, steps

from .lesson_outlines import steps_as_text
from .outlines import outline

LINES = (Path(__file__).parents[1] / "data" / "lesson_steps.txt").read_text("utf-8").splitlines()
HEADS = [line.removeprefix("== ") for line in LINES if line.startswith("== ")]
STEPS = [
    [*lines] for head, lines in groupby(LINES, lambda line: line.startswith("== ")) if not head
]


@pytest.mark.parametrize(("name", "steps"), [*zip(HEADS, STEPS)], ids=HEADS)
def test_every_step_of_a_lesson_is_as_written_down(name: str, steps: list[str]) -> None:
    assert steps_as_text(LESSONS[name].run) == steps


def test_lessons_are_listed_by_their_rank_with_their_agents() -> None:
    facts = {
        name: (each.game, each.kind, each.place, each.agent, each.variants)
        for name, each in LESSONS.items()
        if name in HEADS
    }
    assert facts == {
        "tictactoe": ("tictactoe", "game", 1, "", ()),
        "connect4": ("connect4", "game", 2, "", ()),
        "onet": ("onet", "game", 5, "", ()),
        "priority": ("connect4", "algorithm", 2, "priority", ("priority", "priority-fixed")),
        "links": ("onet", "algorithm", 11, "", ()),
        "walks": ("onet", "algorithm", 12, "", ()),
    }


def test_the_first_wave_is_drawn_cell_by_cell_outside_ones_too() -> None:
    """From b1 up, left and right; the frames are around both tiles."""
    begun, wave = (each.scene.drawing for each in steps("links")[1:3] if each.scene is not None)
    frames = ["highlight 108,48 54x54", "highlight 228,168 54x54"]
    assert outline(f"<svg>{begun}</svg>") == frames
    assert outline(f"<svg>{wave}</svg>") == [
        "wave turns-0 135,39 12px 0",
        "wave turns-0 39,75 12px 0",
        "wave turns-0 75,75 15px 0",
        "wave turns-0 195,75 15px 0",
        *frames,
    ]
