"""A story: what happens in a lesson, written down step by step while its algorithm runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from papan.lessons.lesson import Question, Scene, Step, Text, TextValue


class Story:
    """The steps so far. What is set as *scene* stays in the picture until it is changed."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.scene: Scene | None = None

    def add_step(
        self,
        key: str,
        values: Mapping[str, TextValue] | None = None,
        *,
        line: str = "",
        variables: Mapping[str, TextValue] | None = None,
        **rest: object,
    ) -> None:
        """Add a step; *rest* are other fields of `Step`."""
        step = Step(Text(key, values or {}), line, variables or {}, self.scene)
        self.steps.append(replace(step, **rest))  # type: ignore[arg-type]

    def ask_number(self, about: str, answer: TextValue, key: str, **values: TextValue) -> None:
        """Ask for the number that *about* will be in the step that is told next."""
        self.ask(Question("number", Text(key, values), (answer,), about=about))

    def ask_choice(
        self,
        about: str,
        answer: TextValue,
        choices: Sequence[TextValue],
        key: str,
        **values: TextValue,
    ) -> None:
        """Ask which of the *choices* the variable *about* will be in the step told next."""
        self.ask(Question("choice", Text(key, values), (answer,), tuple(choices), about))

    def ask(self, question: Question) -> None:
        """Ask, after the step that was told last."""
        self.steps[-1] = replace(self.steps[-1], question=question)


def some(values: Mapping[str, TextValue], *names: str) -> dict[str, TextValue]:
    """Those of the *names* that have a value."""
    return {name: values[name] for name in names if name in values}
