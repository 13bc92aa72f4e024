"""``papan warm``: compile every kernel ahead, so that nobody waits for the compiler in a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter

from papan import catalog
from papan.cli.arguments import Json
from papan.cli.language import say
from papan.cli.output import print_json, progress
from papan.core import Analysis, Limit

SEARCHES = ("minimax", "alphabeta", "mcts")
"""The agents that are compiled for every game."""
FEW = Limit(nodes=100)


def warm(json: Json = False) -> None:
    """Solve and search a small position of every kind."""
    took = {}
    tasks = _tasks()
    for count, (name, task) in enumerate(tasks.items(), 1):
        progress(say("warm.step", count=count, total=len(tasks), game=name))
        began = perf_counter()
        task()
        took[name] = round(perf_counter() - began, 3)
    if json:
        print_json(took)


def _tasks() -> dict[str, Callable[[], Analysis]]:
    """What makes the compiler work, each with its name."""
    tasks: dict[str, Callable[[], Analysis]] = {}
    for kind in catalog.GAMES.values():
        for text in kind.solver_examples:
            tasks[text.split()[0]] = partial(catalog.solve, text, nodes=10_000)
        for name in SEARCHES:
            agent, start = catalog.agent(name), catalog.position(kind.name)
            tasks[f"{kind.name} {name}"] = partial(agent.analyse, start, FEW)
    return tasks
