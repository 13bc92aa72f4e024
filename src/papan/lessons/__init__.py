"""Guided lessons: at least one for each game and each algorithm, computed when asked for."""

from __future__ import annotations

from functools import cache

from papan.lessons import (
    alphabeta,
    chains,
    chance,
    games,
    genetic,
    hillclimb,
    links,
    mcts,
    minimax,
    priority,
    proof,
    transpositions,
)
from papan.lessons.lesson import Lesson, Step
from papan.lessons.story import Story

LESSONS: dict[str, Lesson] = {
    lesson.name: lesson
    for lesson in (
        *games.LESSONS,
        chance.LESSON,
        priority.LESSON,
        chains.LESSON,
        minimax.LESSON,
        alphabeta.LESSON,
        transpositions.LESSON,
        proof.LESSON,
        hillclimb.LESSON,
        genetic.LESSON,
        mcts.LESSON,
        links.LESSON,
    )
}
"""Every lesson by its name, in the order in which they are best taken."""


@cache
def steps(name: str) -> tuple[Step, ...]:
    """The steps of a lesson; it runs once."""
    story = Story()
    LESSONS[name].run(story)
    return tuple(story.steps)
