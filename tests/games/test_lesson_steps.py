"""The lessons of games, step by step as they are shown: boards, tables, questions."""

import pytest

from papan.lessons import LESSONS, steps
from tests.lessons import outlines

from .outlines import outline

STEPS = outlines.parts(outlines.GAME_STEPS)


@pytest.mark.parametrize(("name", "lines"), STEPS.items(), ids=STEPS)
def test_every_step_of_a_lesson_is_as_written_down(name: str, lines: list[str]) -> None:
    assert outlines.outline(steps(name)) == lines


def test_every_lesson_of_a_game_is_written_down_with_its_place_and_agents() -> None:
    facts = {
        name: (each.game, each.kind, each.place, each.agent, each.variants)
        for name, each in LESSONS.items()
        if each.run.__module__.startswith("papan.games.")
    }
    assert [*facts] == [*STEPS]
    assert facts == {
        "tictactoe": ("tictactoe", "game", 1, "", ()),
        "connect4": ("connect4", "game", 2, "", ()),
        "dots": ("dots", "game", 3, "", ()),
        "adjacency": ("adjacency", "game", 4, "", ()),
        "onet": ("onet", "game", 5, "", ()),
        "degrees": ("dots", "game", 6, "", ()),
        "priority": ("connect4", "algorithm", 2, "priority", ("priority", "priority-fixed")),
        "chains": ("dots", "algorithm", 3, "chains", ("chains", "chains-fixed")),
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
