"""``papan review``: explain the mistakes of a saved game in words."""

from __future__ import annotations

from papan import api, catalog
from papan.cli.arguments import (
    USUAL,
    FileArgument,
    JsonOption,
    Seconds,
    limit_of,
)
from papan.core import Progress
from papan.core.review import Review
from papan.terminal.output import (
    Bar,
    language,
    print_json,
    progress,
    say,
    show_result,
)


def review(
    game_file: FileArgument,
    seconds: Seconds = None,
    json: JsonOption = False,
) -> None:
    """Print the mistakes of the game in a file, their reasons, and better moves.

    *seconds* is about how long the whole review takes (None: `REVIEW_SECONDS`); *json* prints every
    verdict as a line of JSON instead, right moves included. After an interrupt, print the result so
    far and raise Interrupted. Raise PapanError if the file cannot be read or holds no game, or
    *seconds* is out of range.
    """
    played = api.load(game_file)
    limit = limit_of(seconds, None, USUAL["cli.review"])
    total = len(catalog.game(played.game).split_moves(played.moves))

    def judge() -> Review:
        with Bar(say("review.running")) as bar:
            return api.review(
                played,
                limit.seconds,
                on_verdict=lambda each: bar.update(Progress(total - each.ply, total)),
            )

    def show(found: Review) -> None:
        if len(found.verdicts) < total:
            progress(say("cli.so_far", done=len(found.verdicts), total=total))
        if json:
            names = found.names(language())
            for verdict in found.verdicts:
                print_json(verdict.json() | {"text": verdict.text(language(), names)})
        else:
            for line in found.lines(language()):
                print(line)

    show_result(judge, show)
