"""Write down all that the lessons show, a line for each fact.

``python -m tests.lessons.transcript`` writes it anew after an intended change: look at the
difference before you commit it.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from zlib import crc32

from papan.core.message import Message, catalogue
from papan.lessons import LESSONS, Node, Question, Scene, Step, StepTable, steps

FILE = Path(__file__).parent / "transcript.txt"


def transcript() -> str:
    """All lessons, step by step; of trees, tables and curves only what a step has changed."""
    return "".join(f"{line}\n" for name in LESSONS for line in _lesson(name))


def _lesson(name: str) -> Iterator[str]:
    yield f"# {name}"
    before = Step(Message(""))
    for number, step in enumerate(steps(name), 1):
        yield f"{number}. {_text(step.text)} [{step.line}]{_facts(step.variables)}"
        if step.chapter:
            yield f"  chapter: {_text(step.chapter)}"
        if step.scene and step.scene != before.scene:
            yield from _scene(step.scene)
        yield from _tree(step, before)
        if step.table and step.table != before.table:
            yield from _table(step.table, before.table.rows if before.table else ())
        for curve, points in step.curves.items():
            if before.curves.get(curve) != points:
                yield f"  curve {curve}: {' '.join(map(_text, points))}"
        if step.question:
            yield from _question(step.question)
        before = step


def _tree(step: Step, before: Step) -> Iterator[str]:
    known = {*before.tree}
    for node in step.tree:
        if node not in known:
            yield f"  node {_node(node)}"
    if step.tree and step.current != before.current:
        yield f"  at node {step.current}"


def _table(table: StepTable, old: Sequence[Sequence[object]]) -> Iterator[str]:
    yield f"  table {' | '.join(map(_text, table.head))}, row {table.marked} is marked"
    for row in table.rows:
        if row not in old:
            yield f"    {' | '.join(map(_text, row))}"


def _facts(values: Mapping[str, object]) -> str:
    return "".join(f" {name}={_text(value)}" for name, value in values.items())


def _text(value: object) -> str:
    """A value as a page shows it: a text that is a key in its language."""
    if isinstance(value, Message):
        values = {name: _text(each) for name, each in value.values.items()}
        return Message(value.key, values).text("en")
    if isinstance(value, str):
        return catalogue("en").get(value, value)
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _scene(scene: Scene) -> Iterator[str]:
    played = " ".join(position.game.move_name(move) for position, move in scene.played)
    yield f"  board {scene.position}, played: {played or '-'}"
    if scene.marks:
        yield f"  marks {' '.join(map(str, scene.marks))}"
    if scene.values:
        proof = "proved" if scene.proved else "not proved"
        yield f"  values{_facts({str(move): each for move, each in scene.values.items()})} {proof}"
    if scene.best is not None:
        yield f"  best {scene.best}"
    if scene.drawing:
        yield f"  drawing {crc32(scene.drawing.encode()):08x}"


def _node(node: Node) -> str:
    window = f" ({_text(node.window[0])}, {_text(node.window[1])})" if node.window else ""
    text = "" if node.text is None else f" = {_text(node.text)}"
    place = f"{node.number} below {node.up} by {node.move or '-'}"
    return f"{place}: {node.role} {node.state}{text}{window}"


def _question(asked: Question) -> Iterator[str]:
    yield f"  asks ({asked.kind}, {asked.about}): {_text(asked.text)}"
    choices = " ".join(map(_text, asked.choices))
    yield f"    right: {' '.join(map(_text, asked.answers))}; of {choices or 'any'}"
    for hint in asked.hints:
        yield f"    hint: {_text(hint)}"
    for answer, replies in asked.replies.items():
        yield f"    to {_text(answer)}: {' '.join(_text(each) for each in replies)}"
    if asked.otherwise:
        yield f"    else: {_text(asked.otherwise)}"
    for move, refutation in asked.refutations.items():
        yield f"    refuted {move}: {refutation}"


if __name__ == "__main__":
    FILE.write_text(transcript(), encoding="utf-8")
