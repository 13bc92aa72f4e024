"""Hill climbing: the step that leads highest, and what it does not see."""

from __future__ import annotations

from papan import catalog
from papan.core import Move, margin
from papan.lessons.lesson import Lesson, Scene, Story, TextValue, Truth

START = "adjacency:4,4,4 ..oo/.oox/xoxx/xx.o x"


def climb(story: Story) -> dict[Move, float]:
    """The whole lesson; how high each move leads."""
    root = catalog.position(START)
    name = root.game.move_name
    story.scene = Scene(root)
    here = margin(root, root.turn)
    story.add_step(
        "lesson.hillclimb_start", {"height": here}, line="function", variables={"height": here}
    )
    heights: dict[Move, float] = {}
    best: Move | None = None
    for move in root.moves():
        height = margin(root.child(move), root.turn)
        story.scene = Scene(root, marks=(move,), values=dict(heights), best=best)
        variables: dict[str, TextValue] = {"move": name(move)}
        if best is not None:
            variables["best"] = heights[best]
        story.add_step(
            "lesson.hillclimb_look", {"move": name(move)}, line="look", variables=variables
        )
        story.ask_number("height", height, "lesson.hillclimb_ask", move=name(move), here=here)
        heights[move] = height
        higher = best is None or height > heights[best]
        best = move if best is None or higher else best
        story.scene = Scene(root, marks=(move,), values=dict(heights), best=best)
        key = "lesson.hillclimb_higher" if higher else "lesson.hillclimb_lower"
        variables = {"move": name(move), "height": height, "best": heights[best]}
        story.add_step(key, variables, line="keep", variables=variables)
    assert best is not None
    story.scene = Scene(root, values=heights, best=best)
    story.ask_choice("chosen", name(best), list(map(name, heights)), "lesson.hillclimb_ask_move")
    story.add_step(
        "lesson.hillclimb_play",
        {"move": name(best), "height": heights[best]},
        line="return",
        variables={"chosen": name(best)},
    )
    truth = Truth()
    values = truth.moves(root)
    good = truth.best(root)[0]
    story.scene = Scene(root, values=values, proved=True, best=good)
    facts: dict[str, TextValue] = {
        "move": name(best),
        "end": values[best],
        "good": name(good),
        "truth": values[good],
    }
    story.add_step("lesson.hillclimb_truth", facts, line="return")
    return heights


LESSON = Lesson(
    "hillclimb",
    "adjacency",
    climb,
    ("function", "each", "look", "keep", "return"),
    agent="hillclimb",
    place=8,
)
