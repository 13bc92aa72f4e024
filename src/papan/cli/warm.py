"""``papan warm``: compile every kernel ahead, so that nobody waits for the compiler in a game."""

from __future__ import annotations

from time import perf_counter

from papan import catalog
from papan.cli.arguments import Json
from papan.cli.language import say
from papan.cli.output import print_json, progress


def warm(json: Json = False) -> None:
    """Solve and search a small position of every kind."""
    took = {}
    searches = catalog.searches()
    for count, (name, search) in enumerate(searches.items(), 1):
        progress(say("warm.step", count=count, total=len(searches), game=name))
        began = perf_counter()
        search()
        took[name] = round(perf_counter() - began, 3)
    if json:
        print_json(took)
