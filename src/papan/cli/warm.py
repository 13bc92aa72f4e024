"""``papan warm``: compile every solver ahead, so that nobody waits for the compiler in a game."""

from __future__ import annotations

from time import perf_counter

from papan import catalog
from papan.cli.arguments import Json
from papan.cli.language import say
from papan.cli.output import print_json, progress


def warm(json: Json = False) -> None:
    """Solve a small position of every kind."""
    examples = [text for kind in catalog.GAMES.values() for text in kind.solver_examples]
    took = {}
    for count, text in enumerate(examples, 1):
        spec = text.split()[0]
        progress(say("warm.step", count=count, total=len(examples), game=spec))
        began = perf_counter()
        catalog.solve(text, nodes=10_000)
        took[spec] = round(perf_counter() - began, 3)
    if json:
        print_json(took)
