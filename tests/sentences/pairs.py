"""What makes sentences about Onet true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from papan.core.message import catalogue
from tests.sentences.boards import cells_of_pair, fewest_left, kept_for_ever
from tests.sentences.said import Said


def deeds_of_pairs(said: Said) -> Any:  # noqa: C901
    position, after, values = said.position, said.after, said.values
    kind, tiles = said.key.removeprefix("onet.reason_"), sum(map(bool, after.tiles))
    names = position.game.grid.names
    known, now = ({*each.move_names()} for each in (position, after))
    cells = cells_of_pair(said.name)
    kinds = [position.tiles[names.index(cell)] for cell in cells]
    assert len(cells) == 2 and kinds[0] == kinds[1] > 0
    match kind:
        case "clears":
            return tiles == 0
        case "stuck":
            return not now and values["tiles"] == tiles > 0
        case "leaves":
            return values["pairs"] == len(now)
        case "frees":
            had = {cell for pair in known for cell in cells_of_pair(pair)}
            freed = {cell for pair in now - known for cell in cells_of_pair(pair)} - had
            shown_cells = {cell for cell in values["cells"] if cell != "\u2026"}
            whole = shown_cells == freed if "\u2026" not in values["cells"] else shown_cells < freed
            return bool(shown_cells) and whole and values["pairs"] == len(now - known)
        case "opens":
            return values["pairs"] == len(now - known) > 0
        case "opens_none":
            return now <= known and values["left"] == len(now)
        case "last_two":
            return [*position.tiles].count(kinds[0]) == 2
        case "other_pair" | "other_pair_none":
            assert (kind == "other_pair_none") == (values["fewer"] == 0)
            other = {*position.after(values["other"]).move_names()} - known
            shared = len({*cells_of_pair(values["other"])} & {*cells}) == 1
            return shared and len(other) == values["fewer"] < values["pairs"] == len(now - known)
        case "never_meet":
            at = names.index(values["cell"])
            return at in kept_for_ever(after) and not kept_for_ever(position)
        case "only":
            others = [each for each in position.moves() if each != said.move]
            cleared = fewest_left(after) == 0
            return cleared and all(fewest_left(position.child(each)) for each in others)
        case "wrong":
            return fewest_left(position.after(values["other"])) > 0 == fewest_left(after)
    return False


def wrong_pair(said: Said) -> bool:
    """The plan clears the board, and takes one of the tiles with another one."""
    game, values = said.position.game, said.values
    assert said.verdict is not None
    end = said.position
    for pair in said.verdict.plan:
        end = end.play(pair)
    cells = {*game.cells(said.move)}
    pairs = [pair for pair in said.verdict.plan if cells & {*game.cells(pair)}]
    alike = said.position.tiles.count(said.position.tiles[game.cells(said.move)[0]])
    return (
        end.cleared
        and values["pair"] in map(game.move_name, pairs)
        and values["pair"] != said.name
        and values["count"] == alike > 2
        and fewest_left(said.after) > 0
    )


def left_over(said: Said) -> bool:
    falls = said.position.game.gravity != "none"
    right = falls == (said.key == "onet.fell_apart")
    tiles: int = said.values["tiles"]
    return right and 0 < tiles <= fewest_left(said.after)


def uncleared(said: Said) -> bool:
    return fewest_left(said.after) > 0 == fewest_left(said.better)


TRUE: dict[str, Callable[[Said], Any]] = {
    **{key: deeds_of_pairs for key in catalogue("en") if key.startswith("onet.reason_")},
    "onet.wrong_pair": wrong_pair,
    **dict.fromkeys(("onet.fell_apart", "onet.left_over"), left_over),
    "review.uncleared": uncleared,
}
