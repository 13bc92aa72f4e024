"""Write an opening book of Connect 4: the score of every quiet position of at most STONES stones.

    python tools/make_connect4_book.py ROWS COLUMNS STONES FOLDER [BOOK]

All positions with exactly STONES stones are solved, in parts that are kept in FOLDER. Call it again
to go on after a stop, and twice at the same time to use two cores; a part that a killed process has
left half done is the one whose name ends in .busy: remove that file. When all parts are there, the
scores of positions with fewer stones follow from them, and the book is written where the solver
looks for it, or to BOOK.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import perf_counter

from papan.games.connect4.ribbon import (
    HEADER,
    SHARD,
    SLOTS_PER_KEY,
    equation,
    mixed_number,
    plane_size,
    scaled_share,
)
from papan.games.connect4.search_memory import Connect4Memory, SearchTeam
from papan.games.connect4.solver import Connect4Prover
from papan.games.connect4.stones import (
    BITS,
    DRAW,
    FOLDER,
    UNKNOWN,
    Layout,
    Stones,
    after_stone,
    book_key,
    final_score,
    forced_line,
    landing_cells,
)

PART = 2000
MEMORY = 64 * 2**20
"""Bytes of the table that the positions of a part share."""
OFFSET = 128
KEYS_PER_SHARD = 2048
"""Keys per shard; each shard is a linear system of its own, small enough to be solved again."""


def stones_of(layout: Layout, key: int) -> Stones:
    """Return the position of a `book_key`."""
    own = taken = 0
    for start in range(0, layout.bits, layout.step):
        column = key >> start & (1 << layout.step) - 1
        height = column.bit_length() - 1
        taken |= (1 << height) - 1 << start
        own |= (column ^ 1 << height) << start
    return Stones(own, taken ^ own)


def replies(layout: Layout, key: int) -> Iterator[Stones]:
    """Yield the positions after each move in the position of a key."""
    stones = stones_of(layout, key)
    landing = landing_cells(layout, stones)
    for column in range(layout.columns):
        if cell := landing & layout.column(column):
            yield after_stone(stones, cell)


def layers(layout: Layout, most: int) -> list[list[int]]:
    """Return the sorted keys of all unfinished positions, a list for each number of stones.

    The numbers are 0 to *most*.
    """
    found = [[book_key(layout, Stones(0, 0))]]
    while len(found) <= most:
        after = (reply for key in found[-1] for reply in replies(layout, key))
        keys = {book_key(layout, each) for each in after if final_score(layout, each) is None}
        found.append(sorted(keys))
    return found


def solve_parts(layout: Layout, keys: list[int], folder: Path) -> None:
    """Solve every part of *keys* that no other process has solved or is solving.

    Write its scores into *folder*.
    """
    folder.mkdir(parents=True, exist_ok=True)
    workspace = Connect4Memory(layout, MEMORY)
    truth = Connect4Prover(SearchTeam(workspace, 1), lambda nodes: None)
    for start in range(0, len(keys), PART):
        done, busy = folder / f"{start:08}.scores", folder / f"{start:08}.busy"
        if done.exists():
            continue
        try:
            busy.touch(exist_ok=False)
        except FileExistsError:
            continue
        try:
            began = perf_counter()
            positions = [stones_of(layout, key) for key in keys[start : start + PART]]
            workspace.clear(positions[0])
            scores = [truth.score(truth.begin(stones)) for stones in positions]
            done.write_bytes(bytes(score + OFFSET for score in scores))
            seconds = perf_counter() - began
            print(f"{start + len(scores):,} of {len(keys):,}: {seconds:.1f} s", file=sys.stderr)
        finally:
            busy.unlink()


def read_parts(keys: list[int], folder: Path) -> dict[int, int]:
    """Return the scores of all positions with the most stones, by key, from *folder*."""
    parts = (folder / f"{start:08}.scores" for start in range(0, len(keys), PART))
    numbers = b"".join(part.read_bytes() for part in parts)
    return {key: number - OFFSET for key, number in zip(keys, numbers, strict=True)}


def scores_before(layout: Layout, keys: list[int], after: dict[int, int]) -> dict[int, int]:
    """Return the scores of the positions *keys*, given *after*, those with one stone more."""

    def score(stones: Stones) -> int:
        """Return the score of a position after a move, for its seat to move."""
        end = final_score(layout, stones)
        return after[book_key(layout, stones)] if end is None else end

    return {key: max(-score(reply) for reply in replies(layout, key)) for key in keys}


def book_of(layout: Layout, found: list[list[int]], last: dict[int, int]) -> bytes:
    """Return the bytes of the book.

    *found* are the keys of all layers, *last* the scores of the last one.
    """
    scores, numbers = last, {}
    for stones in range(len(found) - 1, -1, -1):
        if stones < len(found) - 1:
            scores = scores_before(layout, found[stones], scores)
        for key, score in scores.items():
            if not forced_line(layout, stones_of(layout, key))[0]:
                numbers[key] = score + DRAW if abs(score) <= DRAW else UNKNOWN
    return bytes([len(found) - 1]) + ribbon_of(numbers, BITS)


def ribbon_of(numbers: Mapping[int, int], bits: int) -> bytes:
    """Return the bytes of a `Ribbon` with these *numbers* of *bits* bits each, by key."""
    shards = max(1, len(numbers) // KEYS_PER_SHARD)
    dealt: list[dict[int, int]] = [{} for _ in range(shards)]
    for key, number in numbers.items():
        dealt[scaled_share(mixed_number(key), shards)][key] = number
    heads, slots = b"", list[int]()
    for shard in dealt:
        seed, solution = solved(shard)
        heads += SHARD.pack(len(slots), seed)
        slots += solution
    planes = (_plane(slots, bit) for bit in range(bits))
    return HEADER.pack(shards, len(slots), bits) + heads + b"".join(planes)


def _plane(slots: list[int], bit: int) -> bytes:
    """Return the bytes of one *bit* of every slot."""
    text = "".join("1" if slot >> bit & 1 else "0" for slot in reversed(slots))
    return int(text, 2).to_bytes(plane_size(len(slots)), "little")


def solved(numbers: Mapping[int, int]) -> tuple[int, list[int]]:
    """Return the first seed whose equations can be solved, and the slots that solve them.

    *numbers* are those of one shard, by key.
    """
    slots = len(numbers) + len(numbers) // 16 + 2 * SLOTS_PER_KEY
    for seed in range(256):
        rows = _rows(numbers, seed, slots)
        if rows is not None:
            return seed, list(_substituted(rows))[::-1]
    raise AssertionError("equations without a solution")


def _rows(numbers: Mapping[int, int], seed: int, slots: int) -> list[tuple[int, int]] | None:
    """Return the equations (mask, number), at most one beginning with each slot.

    None if they are inconsistent.
    """
    rows = [(0, 0)] * slots
    for key, number in numbers.items():
        start, chosen = equation(key, seed, slots)
        while chosen:
            skip = (chosen & -chosen).bit_length() - 1
            start, chosen = start + skip, chosen >> skip
            if not rows[start][0]:
                rows[start] = (chosen, number)
                break
            chosen, number = chosen ^ rows[start][0], number ^ rows[start][1]
        else:
            if number:
                return None
    return rows


def _substituted(rows: list[tuple[int, int]]) -> Iterator[int]:
    """Yield the slots from the last to the first, by back substitution."""
    later: list[int] = []
    for chosen, number in reversed(rows):
        for distance in range(1, SLOTS_PER_KEY):
            if chosen >> distance & 1:
                number ^= later[-distance]
        later.append(number)
        yield number


def main(rows: int, columns: int, stones: int, folder: Path, book: Path) -> None:
    """Solve the parts left in *folder*; write *book* if no other process is at work."""
    layout = Layout.for_board(rows, columns, MEMORY)
    found = layers(layout, stones)
    print(f"{len(found[-1]):,} positions with {stones} stones", file=sys.stderr)
    solve_parts(layout, found[-1], folder)
    if any(folder.glob("*.busy")):
        print("other processes are still at work; call again when they are done", file=sys.stderr)
        return
    book.write_bytes(book_of(layout, found, read_parts(found[-1], folder)))
    print(f"{book}: {book.stat().st_size:,} bytes", file=sys.stderr)


if __name__ == "__main__":
    rows, columns, stones = map(int, sys.argv[1:4])
    target = FOLDER / f"book_{rows}x{columns}.bin"
    main(rows, columns, stones, Path(sys.argv[4]), Path(sys.argv[5]) if sys.argv[5:] else target)
