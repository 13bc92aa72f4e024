"""Lessons as text: a line for each step, with all that is shown beside it, and its question."""

from collections.abc import Callable

from papan.lessons import Question, Scene, Step, Story


def steps_as_text(run: Callable[[Story], object]) -> list[str]:
    """A line for each step that *run* adds to a story, and one for each question."""
    story = Story()
    run(story)
    return [line for step in story.steps for line in _lines(step)]


def _lines(step: Step) -> list[str]:
    values = [f"{name}={value}" for name, value in step.text.values.items()]
    shown = [step.text.key.removeprefix("lesson."), *values]
    shown += [f"@{step.line}"] * bool(step.line)
    shown += [f"<{' '.join(step.variables)}>"] * bool(step.variables)
    shown += [] if step.scene is None else _scene(step.scene)
    table = [] if step.table is None else [_row(each) for each in step.table.rows]
    asked = [] if step.question is None else [_question(step.question)]
    return [" ".join(shown), *table, *asked]


def _scene(scene: Scene) -> list[str]:
    name = scene.position.game.move_name
    shown = [f"played:{name(move)}" for _, move in scene.played]
    shown += [f"marked:{','.join(map(name, scene.marks))}"] * bool(scene.marks)
    values = ",".join(f"{name(move)}={value:g}" for move, value in scene.values.items())
    shown += [f"worth:{values}"] * bool(values)
    shown += [] if scene.best is None else [f"best:{name(scene.best)}"]
    return shown + ["drawn"] * bool(scene.drawing)


def _row(cells: tuple[object, ...]) -> str:
    return "  | " + " | ".join(str(cell).rpartition(".")[2] for cell in cells)


def _question(asked: Question) -> str:
    answers = ",".join(str(each).rpartition(".")[2] for each in asked.answers)
    replies = [
        f"{str(wrong).rpartition('.')[2]}:{'+'.join(each.key.rpartition('.')[2] for each in said)}"
        for wrong, said in asked.replies.items()
    ]
    return " ".join(["  ?", asked.text.key.rpartition(".")[2], answers, *replies])
