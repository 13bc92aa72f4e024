"""Guided lessons: at least one for each game and each algorithm, computed when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from papan import catalog
from papan.lessons.lesson import Lesson, Step, Story


def _found() -> Iterator[Lesson]:
    """Every lesson of a module here, and of the ``lesson.py`` of a game."""
    for package, pattern in (("papan.games", "*/lesson.py"), ("papan.lessons", "[!_]*")):
        for module in catalog.modules(package, pattern):
            yield from (each for each in vars(module).values() if isinstance(each, Lesson))


def _order(lesson: Lesson) -> tuple[bool, int, str]:
    return lesson.kind == "algorithm", lesson.place, lesson.name


LESSONS: dict[str, Lesson]
"""Every lesson by its name, in the order in which they are best taken."""


@cache
def _lessons() -> dict[str, Lesson]:
    return {lesson.name: lesson for lesson in sorted(_found(), key=_order)}


def __getattr__(name: str) -> dict[str, Lesson]:
    """Find the lessons when they are asked for: a game's own module may be loading until then."""
    if name != "LESSONS":
        raise AttributeError(name)
    return _lessons()


@cache
def steps(name: str) -> tuple[Step, ...]:
    """The steps of a lesson; it runs once."""
    story = Story()
    _lessons()[name].run(story)
    return tuple(story.steps)
