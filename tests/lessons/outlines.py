"""Lessons as text: a line for each step, with all that is shown beside it, and its question."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from papan.core import Message
from papan.lessons import LESSONS, Node, Question, Scene, Step, StepTable, steps

DATA = Path(__file__).parents[1] / "data"
ALGORITHM_STEPS, GAME_STEPS = DATA / "algorithm_steps.txt", DATA / "game_steps.txt"
"""What lessons on algorithms show, and those of games: running this module writes both files."""


def outline(steps: tuple[Step, ...]) -> list[str]:
    """What each step shows, in as many lines as it has parts; a part is told where it changes."""
    lines, before = list[str](), Step(Message("lesson."))
    for step in steps:
        lines += [" ".join(_head(step)), *_parts(step, before)]
        if step.question is not None:
            lines += _asked(step.question)
        before = step
    return lines


def _head(step: Step) -> Iterator[str]:
    if step.chapter is not None:
        yield f"[{_text(step.chapter)}]"
    yield _text(step.text)
    if step.line:
        yield f"@{step.line}"
    if step.variables:
        yield f"<{' '.join(step.variables)}>"


def _parts(step: Step, before: Step) -> Iterator[str]:
    """The parts of a step that the step before it did not have in the same way."""
    if step.scene is not None and step.scene != before.scene:
        yield f"  board {_scene(step.scene)}"
    changed = [node for node in step.tree if node not in before.tree]
    if step.tree or before.tree:
        gone = len({node.number for node in before.tree} - {node.number for node in step.tree})
        nodes = "; ".join(map(_node, changed))
        yield f"  tree at {step.current} of {len(step.tree)}, {gone} gone: {nodes}"
    if step.table is not None and step.table != before.table:
        yield from _table(step.table)
    for name, points in step.curves.items():
        if points != before.curves.get(name):
            yield f"  curve {name} {' '.join(map(str, points))}"


def _text(message: Message) -> str:
    key = message.key.removeprefix("lesson.")
    return key + _values(message.values)


def _values(values: Mapping[str, object]) -> str:
    return f"({', '.join(f'{name}={_word(each)}' for name, each in values.items())})"


def _word(value: object) -> str:
    return str(value).removeprefix("lesson.")


def _scene(scene: Scene) -> str:
    name = scene.position.game.move_name
    shown = [str(scene.position)]
    shown += [f"after {' '.join(name(move) for _, move in scene.played)}"] * bool(scene.played)
    shown += [f"marks {' '.join(map(name, scene.marks))}"] * bool(scene.marks)
    values = [f"{name(move)}={value:g}" for move, value in scene.values.items()]
    shown += [f"{'proved' if scene.proved else 'values'} {' '.join(values)}"] * bool(values)
    shown += [] if scene.best is None else [f"best {name(scene.best)}"]
    return ", ".join(shown + ["drawn"] * bool(scene.drawing))


def _node(node: Node) -> str:
    window = "" if node.window is None else f" [{node.window[0]} {node.window[1]}]"
    text = "" if node.text is None else f" {_word(node.text)}"
    return f"{node.number}<{node.up} {node.move} {node.role} {node.state}{text}{window}"


def _table(table: StepTable) -> Iterator[str]:
    yield f"  | {' | '.join(map(_word, table.head))}"
    for place, row in enumerate(table.rows):
        yield f"  {'>' if place == table.marked else '|'} {' | '.join(map(_word, row))}"


def _asked(asked: Question) -> Iterator[str]:
    answers = ", ".join(map(_word, asked.answers))
    choices = f" of {', '.join(map(_word, asked.choices))}" if asked.choices else ""
    about = f" about {asked.about}" if asked.about else ""
    yield f"  ? {asked.kind} {_text(asked.text)}: {answers}{choices}{about}"
    for wrong, said in asked.replies.items():
        yield f"    {_word(wrong)}: {' '.join(map(_text, said))}"
    if asked.otherwise is not None:
        yield f"    else: {_text(asked.otherwise)}"


def outlines(package: str) -> list[str]:
    """The outlines of the lessons in a package, each after a line with its name."""
    found = list[str]()
    for name, lesson in LESSONS.items():
        if lesson.run.__module__.startswith(f"{package}."):
            found += [f"== {name}", *outline(steps(name))]
    return found


def parts(file: Path) -> dict[str, list[str]]:
    """The outlines in a file, each by the name of its lesson."""
    found = dict[str, list[str]]()
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            lines = found[line.removeprefix("== ")] = []
        else:
            lines.append(line)
    return found


if __name__ == "__main__":  # writes the files anew that the tests compare: read what has changed
    for package, file in (("papan.lessons", ALGORITHM_STEPS), ("papan.games", GAME_STEPS)):
        file.write_text("".join(f"{line}\n" for line in outlines(package)), encoding="utf-8")
