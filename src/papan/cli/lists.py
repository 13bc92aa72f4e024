"""``papan games`` and ``papan agents``: what there is to play, and who plays."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

import typer

from papan import catalog
from papan.cli.arguments import Json, complete_game
from papan.cli.language import about, say
from papan.cli.output import print_json, print_table
from papan.core import Agent


def games(json: Json = False) -> None:
    """All games with their sizes."""
    rows = [
        {
            "name": name,
            "title": about(kind),
            "spec": kind().spec,
            "presets": [spec for spec in catalog.PRESETS if spec.startswith(f"{name}:")],
            "seats": kind.seats,
        }
        for name, kind in catalog.GAMES.items()
    ]
    if json:
        print_json(rows)
        return
    headings = [say("list.name"), say("list.title"), say("list.sizes")]
    print_table(
        headings,
        [
            [str(row["name"]), str(row["title"]), " ".join([str(row["spec"]), *row["presets"]])]  # type: ignore[misc]
            for row in rows
        ],
    )


def agents(
    game: Annotated[str, typer.Option(metavar="GAME", autocompletion=complete_game)] = "",
    json: Json = False,
) -> None:
    """All agents with their settings, or those that can play one game."""
    rules = catalog.game(game) if game else None
    kinds = [kind for kind in catalog.AGENTS.values() if rules is None or kind().plays(rules)]
    if json:
        print_json([_facts(kind) for kind in kinds])
        return
    names = catalog.agent_names(rules) if rules else catalog.AGENTS  # a game's levels one by one
    known = {name: catalog.AGENTS[name.partition(":")[0]] for name in names}
    print_table(
        [say("list.name"), say("list.about"), say("list.settings")],
        [
            [name, about(kind), _settings(kind)]
            for name, kind in (*known.items(), *catalog.EXTERNAL.items())
        ],
    )


def _facts(kind: type[Agent]) -> dict[str, object]:
    plays = [name for name, game in catalog.GAMES.items() if kind().plays(game())]
    settings = {field.name: field.default for field in fields(kind)}
    return {"name": kind.name, "about": about(kind), "settings": settings, "games": plays}


def _settings(kind: type[Agent]) -> str:
    return ",".join(f"{field.name}={field.default}" for field in fields(kind))
