"""The lessons of Dots and Boxes, whole: what each step says, asks, and answers to wrong answers."""

import pytest

from papan.games.dots import lesson
from papan.lessons import Lesson, Story


def outline(taught: Lesson) -> list[str]:
    """The steps of a lesson: the end of each key, the values, and after ``?`` what is asked.

    That is the right answer, then for each wrong one that is known the end of the reply's key.
    """
    story = Story()
    taught.run(story)
    found = []
    for step in story.steps:
        values = [f"{key}={value}" for key, value in sorted(step.text.values.items())]
        said = [step.text.key.split("_", 1)[1], *values]
        if step.question and step.question.kind != "move":
            said += ["?", *map(str, step.question.answers)]
            for wrong, (reply, *_) in step.question.replies.items():
                said.append(f"{wrong}:{reply.key.split('_', 1)[1]}")
        found.append(" ".join(said).replace("lesson.", ""))
    return found


def test_the_lesson_on_degrees() -> None:
    assert outline(lesson.DEGREES) == [
        "start",
        "words",
        "three edges=3 sum=6 ? 8 4:slip_edges 6:slip_before 7:slip_end",
        "cycle edges=4 sum=8",
        "lemma edges=4 sum=8",
        "regular ? 12 24:slip_twice",
        "formula edges=12",
        "full dots=16 ? 24 48:slip_twice 32:slip_regular",
        "lines edges=24 paper=8 sum=48",
        "dual",
    ]


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


def test_the_lesson_on_the_agent_of_the_paper() -> None:
    assert outline(lesson.CHAINS) == [
        "start",
        "count boxes=0 chain=1 move=b1c1 ? 1 0:chain_why",
        "value boxes=0 chain=1 move=b1c1",
        "count boxes=0 chain=1 move=b2c2",
        "value boxes=0 chain=1 move=b2c2",
        "count boxes=1 chain=0 move=b1b2 ? 0 1:chain_why",
        "value boxes=1 chain=0 move=b1b2",
        "count boxes=0 chain=1 move=c2c3",
        "value boxes=0 chain=1 move=c2c3",
        "order order=b1c1, b2c2, c2c3, b1b2",
        "line_paper line=b1c1 b1b2 c2c3 b2c2 move=b1c1 value=2",
        "line_paper line=b2c2 b1b2 b1c1 c2c3 move=b2c2 value=-2",
        "line_paper line=c2c3 b2c2 b1c1 b1b2 move=c2c3 value=2",
        "line_paper line=b1b2 b2c2 b1c1 c2c3 move=b1b2 value=0",
        "choice_paper move=b1c1 value=2 ? me rival:turn_why",
        "rules next=me",
        "line_rules line=b1c1 b1b2 b2c2 c2c3 move=b1c1 value=-2",
        "line_rules line=b2c2 b1b2 b1c1 c2c3 move=b2c2 value=-2",
        "line_rules line=c2c3 b2c2 b1b2 b1c1 move=c2c3 value=-2",
        "line_rules line=b1b2 b1c1 b2c2 c2c3 move=b1b2 value=0",
        "choice_rules move=b1b2 value=0",
        "end",
    ]


def test_the_guided_tour() -> None:
    assert outline(lesson.GAME) == [
        "rules",
        "take_task",
        "take_done move=b1b2 moves=b1b2 value=4",
        "safe_task",
        "safe_done move=b3c3 moves=b3c3, c2c3 value=4",
        "chains",
        "cross_task",
        "cross_done move=a4b4 moves=a4b4 value=3",
        "turn boxes=2 first=2 moves=b3b4 a1b1 player=seat.1 second=1",
        "turn boxes=1 first=2 moves=a1a2 c3d3 player=seat.2 second=2",
        "turn boxes=1 first=3 moves=d3d4 b2c2 player=seat.1 second=2",
        "last_turn boxes=4 first=3 moves=c1c2 c2d2 c2c3 player=seat.2 second=6",
        "refuse value=3 ? -1 3:slip_same 1:slip_sign",
        "refused best=3 move=b3b4 value=-1",
        "turn boxes=1 first=0 moves=a4b4 a1b1 player=seat.2 second=3",
        "turn boxes=1 first=1 moves=a1a2 c3d3 player=seat.1 second=3",
        "turn boxes=1 first=1 moves=d3d4 b2c2 player=seat.2 second=4",
        "last_turn boxes=4 first=5 moves=c1c2 c2d2 c2c3 player=seat.1 second=4",
        "long ? even odd:long_why",
        "long_16 long=even",
        "small dots=9 ? odd even:long_why",
        "long_9 long=odd",
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
