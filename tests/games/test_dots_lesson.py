"""The tables and the drawn lines of the lessons of Dots and Boxes."""

import pytest

from papan.games.dots import lesson
from papan.lessons import Story


def test_the_tables_of_the_lesson_on_degrees() -> None:
    story = Story()
    names = ("ring", "all", "cube")
    numbers = [(4, 4, 2, 8, 8, 8, 8), (4, 6, 3, 12, 12, 8, 18), (8, 12, 3, 24, 24, 16, 36)]
    rows = [(f"lesson.degrees_{name}", *row) for name, row in zip(names, numbers)]
    assert lesson.count_degrees(story) == rows
    tables = [step.table for step in story.steps if step.table]
    assert [table.rows for table in tables] == [
        (rows[0][:6],),
        tuple(rows),
        *[((2, 4, 8), (3, 8, 24), (4, 4, 16))] * 2,
    ]
    heads = ("graph", "n", "e", "r", "2e", "rn", "2n", "re")
    assert [" ".join(table.head).replace("lesson.head_", "") for table in tables] == [
        " ".join(heads[:6]),
        " ".join(heads),
        *["degree dots sum"] * 2,
    ]


@pytest.mark.parametrize(
    ("by_the_rules", "roles"), [(False, "max min max min"), (True, "max min min min")]
)
def test_a_line_is_drawn_as_a_branch_of_whoever_chooses(by_the_rules: bool, roles: str) -> None:
    """b1c1 opens two boxes: by the rules the rival takes both and moves on to the end."""
    story = Story()
    found = lesson.teach(story)[by_the_rules]
    key = f"lesson.chains_line_{'rules' if by_the_rules else 'paper'}"
    step = next(each for each in story.steps if each.text.key == key)
    value, play = next(iter(found.values()))
    assert " ".join(role for _, role in play) == roles
    assert step.current == 4
    mover, *rest = roles.split()
    assert [node.role for node in step.tree] == [mover, *rest, rest[-1]]
    assert [node.text for node in step.tree] == [value] * 5
    assert [node.move for node in step.tree] == ["", *str(step.text.values["line"]).split()]
    assert [(node.number, node.up) for node in step.tree] == [
        *((0, None), (1, 0), (2, 1), (3, 2), (4, 3))
    ]
