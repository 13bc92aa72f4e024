"""``papan mine``: the games that people have played here, in the form in which browsers export."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from papan import catalog
from papan.cli import solve
from papan.cli.arguments import Json, Seconds
from papan.core import InvalidRecordError
from papan.core.record import parse_record
from papan.lab.files import LARGEST_FILE, write_whole
from papan.terminal.games import KeptGame, keep_record, my_games
from papan.terminal.output import print_json, print_table, progress, say
from papan.terminal.reasons import result_line, who_sits

Number = Annotated[int, typer.Argument(metavar="N", show_default=False)]
"""Of a game in the list: 1 is the latest."""


def listed(json: Json = False) -> None:
    """The games that are kept, the latest first."""
    games = my_games()
    if json:
        for number, each in enumerate(games, start=1):
            facts = {"number": number, "when": each.when.isoformat(), "file": str(each.path)}
            print_json(facts | {"record": json_module.loads(each.record.json())})
        return
    if not games:
        progress(say("mine.none_here"))
        return
    headings = ("mine.column_game", "mine.column_players", "mine.column_end", "mine.column_when")
    print_table(
        ["#", *map(say, headings)],
        [
            [str(number), each.record.game, " \u2013 ".join(_players(each)), _ending(each), when]
            for number, each in enumerate(games, start=1)
            for when in [each.when.strftime("%Y-%m-%d %H:%M")]
        ],
    )


def show(number: Number) -> None:
    """One game: its last position, its moves, and how to go on with it or see it again."""
    kept = _kept(number)
    last = catalog.replay(kept.record)[-1]
    print(last.picture())
    print(say("mine.moves", moves=kept.record.moves))
    print(_ending(kept))
    open_ = kept.record.end in ("open", "stuck")
    command = f'papan play --load "{kept.path}"' if open_ else f"papan mine review {number}"
    progress(say("mine.go_on" if open_ else "mine.look_again", command=command))


def review(number: Number, seconds: Seconds = None, json: Json = False) -> None:
    """A kept game in words, as ``papan review`` tells it."""
    solve.review(_kept(number).path, seconds, json)


def delete(number: Number) -> None:
    """Forget one game."""
    kept = _kept(number)
    kept.path.unlink()
    progress(say("mine.deleted", game=kept.record.game, players=" \u2013 ".join(_players(kept))))


def export(target: Annotated[str, typer.Argument(metavar="FILE", show_default=False)] = "") -> None:
    """All games, a line of JSON each, to a file or to standard output: browsers import it."""
    games = my_games()
    text = "".join(f"{each.record.json()}\n" for each in games)
    if not target:
        sys.stdout.write(text)
        return
    path = Path(target).expanduser()
    if path.exists():
        raise InvalidRecordError("error.file_exists", path=path)
    try:
        write_whole(path, text)
    except OSError as error:
        why = error.strerror or error
        raise InvalidRecordError("error.cannot_write", path=path, why=why) from None
    progress(say("mine.exported", count=len(games), path=path))


def take_in(source: Annotated[Path, typer.Argument(metavar="FILE", show_default=False)]) -> None:
    """The games of a file: an export of a browser or of another machine, or one saved game."""
    try:
        with source.open("rb") as file:
            text = file.read(LARGEST_FILE).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise InvalidRecordError("error.cannot_read", path=source, why=error) from None
    records = [parse_record(line) for line in text.splitlines() if line.strip()]
    for each in records:
        catalog.replay(each)  # raises before anything is kept
    known = [each.record for each in my_games()]
    new = [each for place, each in enumerate(records) if each not in (*known, *records[:place])]
    for each in reversed(new):  # the latest comes first in such a file
        keep_record(each)
    progress(say("mine.taken", count=len(new), known=len(records) - len(new)))


COMMANDS: dict[str, Callable[..., None]] = {
    "list": listed,
    "show": show,
    "review": review,
    "delete": delete,
    "export": export,
    "import": take_in,
}


def _kept(number: int) -> KeptGame:
    games = my_games()
    if not 1 <= number <= len(games):
        raise InvalidRecordError("mine.no_such", number=number, count=len(games))
    return games[number - 1]


def _players(kept: KeptGame) -> list[str]:
    return [who_sits(kept.record, seat) for seat in range(len(kept.record.agents))]


def _ending(kept: KeptGame) -> str:
    if kept.record.end == "open":
        return say("mine.open")
    return result_line(catalog.position(kept.record.start), kept.record)
