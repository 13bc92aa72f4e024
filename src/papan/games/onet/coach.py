"""Explain moves of Onet in words: why two tiles cannot be taken, and why a pair was a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from papan.core import Analysis, Coach, IllegalMoveError, Message, Move, Proved
from papan.core.reasons import Clause, ClauseKind, Mistake
from papan.games.onet.drawing import MOTIFS
from papan.games.onet.rules import Onet, OnetPosition, only_opens

NO_FACTS: Mapping[str, object] = {}
NAMED = 3
"""Cells that a sentence names; the rest of them are drawn alone."""
MOST_RELAXED = 72
"""Most tiles of a board that is searched for tiles that never meet."""
COMPARED_PAIRS = 1
"""Number of other pairs with one of the tiles whose openings are counted."""


class OnetCoach(Coach, game=Onet):
    """Gives reasons for moves, by pairs that open and by tiles that are left over."""

    position: OnetPosition
    lesson_steps = {"onet.wrong_pair": "lesson.onet_order_task"}
    ideas = {
        "onet.reason_clears": "onet.idea_last",
        "onet.reason_only": "onet.idea_order",
        "onet.reason_wrong": "onet.idea_order",
        "onet.reason_frees": "onet.idea_frees",
        "onet.reason_opens": "onet.idea_frees",
        "onet.reason_last_two": "onet.idea_last_two",
        "onet.reason_other_pair": "onet.idea_order",
        "onet.reason_other_pair_none": "onet.idea_order",
    }

    def idea(self, move: Move) -> Message:
        """Return the idea of taking the pair *move*, a sentence that does not name it.

        If the idea would be that these are the last two tiles of their kind, and every kind has two
        left, the sentence says that instead. If no deed has an idea, it says what to look at in
        Onet.
        """
        found, tiles = super().idea(move), [each for each in self.position.tiles if each]
        alike = all(tiles.count(kind) == 2 for kind in {*tiles})
        if alike and found.key == "onet.idea_last_two":
            return Message("onet.idea_alike")
        return Message("onet.idea_meet") if found.key == "idea.look" else found

    def deeds(self, move: Move) -> Iterator[Clause]:
        """Yield the reasons for taking the legal pair *move*: what that opens, and what stays.

        First the tiles that can never be taken then, then the pairs that it opens, then that these
        were the last two of their kind, or that another pair with one of the tiles opens less. With
        gravity or the paper's rule only how many pairs are left. The last pair, and one that leaves
        no other, have one reason alone.
        """
        before, after = self.position, self.position.child(move)
        pairs, tiles = pairs_of(after), len(after.tiles) - after.tiles.count(0)
        if after.cleared:
            yield replace(self._clause("clears", move), decides=True)
            return
        if not pairs:
            stuck = self._clause("stuck", move, {"tiles": tiles})
            yield replace(stuck, decides=True, costs=True)
            return
        yield from self._never_meet(move, after)
        if not only_opens(before.game):
            yield self._clause("leaves", move, {"pairs": len(pairs)})
            return
        yield self._opens(move, pairs)
        if before.tiles.count(before.tiles[before.game.cells(move)[0]]) == 2:
            yield self._clause("last_two", move)
        else:
            yield from self._other_pair(move, len(pairs - pairs_of(before)))

    def proved(self, move: Move, analysis: Analysis) -> Iterator[Clause]:
        """Yield a clause if by *analysis* *move* clears the board, and another is proved not to.

        It says that no other pair does, or names one that does not. Else nothing, also if
        *analysis* is that of another position.
        """
        most = self.position.game.largest_margin
        values = {each: value for each, value in analysis.values.items() if each != move}
        mine = analysis.values.get(move)
        if not isinstance(mine, Proved) or mine.low < most or analysis.position != self.position:
            return
        wrong = [each for each, value in values.items() if _below(value, most)]
        if not wrong:
            return
        if {move, *wrong} == pairs_of(self.position):
            yield replace(self._clause("only", move), decides=True)
        else:
            other = min(wrong)
            facts = {"other": self.position.game.move_name(other)}
            cells = self.position.game.cells(other)
            yield self._clause("wrong", move, facts, cells, "instead")

    def _clause(
        self,
        key: str,
        move: Move,
        facts: Mapping[str, object] = NO_FACTS,
        cells: Iterable[int] = (),
        kind: ClauseKind = "does",
    ) -> Clause:
        """Return a clause about the pair *move*, with further *cells* (numbers) that it points out.

        *key* is the end of its text's key (``onet.reason_KEY``), *facts* are the values of the
        text; *kind* is that of the clause, such as "does" or "instead".
        """
        game, tiles = self.position.game, self.position.tiles
        names, pair = game.grid.names, game.cells(move)
        about = {"move": game.move_name(move), "tile": tile_name(tiles[pair[0]])}
        message = Message(f"onet.reason_{key}", about | dict(facts))
        return Clause(kind, message, tuple(names[cell] for cell in (*pair, *cells)), (move,))

    def _opens(self, move: Move, pairs: frozenset[Move]) -> Clause:
        """Return a clause on the tiles that can be taken only after *move*, and on the new pairs.

        *pairs* are those that can be taken after it. If no tile is freed, the clause has the
        numbers of new pairs and of pairs left.
        """
        game, known = self.position.game, pairs_of(self.position)
        new = pairs - known
        before = {cell for pair in known for cell in game.cells(pair)}
        freed = sorted({cell for pair in new for cell in game.cells(pair)} - before)
        facts: dict[str, object] = {"pairs": len(new)}
        if not freed:
            left = facts | {"left": len(pairs)}
            return self._clause("opens" if new else "opens_none", move, left)
        names = [game.grid.names[cell] for cell in freed[:NAMED]]
        more = ["\u2026"] if len(freed) > NAMED else []
        return self._clause("frees", move, facts | {"cells": (*names, *more)}, freed)

    def _other_pair(self, move: Move, opened: int) -> Iterator[Clause]:
        """Yield at most one clause: that another pair with one of the tiles of *move* opens less.

        *opened* is the number of new pairs that can be taken after *move*. Only the first
        `COMPARED_PAIRS` such pairs are compared; nothing if they open as many or more, and if there
        are none.
        """
        game, known = self.position.game, pairs_of(self.position)
        mine = {*game.cells(move)}
        others = [each for each in sorted(known) if len(mine & {*game.cells(each)}) == 1]
        counts = {
            each: len(pairs_of(self.position.child(each)) - known)
            for each in others[:COMPARED_PAIRS]
        }
        fewer = min(counts, key=lambda each: counts[each], default=move)
        if counts.get(fewer, opened) < opened:
            key = "other_pair" if counts[fewer] else "other_pair_none"
            facts = {"other": game.move_name(fewer), "pairs": opened, "fewer": counts[fewer]}
            yield self._clause(key, move, facts, game.cells(fewer), "instead")

    def _never_meet(self, move: Move, after: OnetPosition) -> Iterator[Clause]:
        """Yield a clause saying that some tiles can never be linked once the pair *move* is taken.

        *after* is the position then. Yield nothing if `never_taken` shows no such tile after the
        pair, or shows one already before it, if *after* has more than `MOST_RELAXED` tiles, and
        with gravity or the paper's rule.
        """
        if not only_opens(after.game) or len(after.tiles) - after.tiles.count(0) > MOST_RELAXED:
            return
        stuck = never_taken(after)
        if stuck and not never_taken(self.position):
            names, tile = after.game.grid.names, after.tiles[stuck[0]]
            facts = {"kept": tile_name(tile), "cell": names[stuck[0]], "tiles": len(stuck)}
            clause = self._clause("never_meet", move, facts, stuck)
            yield replace(clause, decides=True, costs=True)

    def area(self, move: Move) -> tuple[str, ...]:
        """Return the names (such as ``a1b3``) of all legal pairs of the same kind as *move*.

        If *move* is the only one, the first two legal pairs of other kinds, if there are any, are
        added. Names are in the order of the moves' numbers.
        """
        game, tiles = self.position.game, self.position.tiles
        kind = tiles[game.cells(move)[0]]
        alike = [each for each in pairs_of(self.position) if tiles[game.cells(each)[0]] == kind]
        others = sorted(pairs_of(self.position) - {*alike})
        few = sorted(alike) if len(alike) > 1 else sorted([*alike, *others[:2]])
        return tuple(game.move_name(each) for each in few)

    def why_illegal(self, move: Move) -> IllegalMoveError:
        key = self.position.why_not(*self.position.game.cells(move)) or "error.not_possible"
        return IllegalMoveError(key, move=self.position.game.move_name(move))

    def fault(self, mistake: Mistake) -> Message | None:
        """Return a sentence on a tile that was taken with the wrong one, else on the tiles left.

        If the plan takes one of the two tiles of the move with another tile, and the game has no
        gravity, it is about that pair; else, if it is proved that tiles stay after the move, about
        how many. None if neither is so.
        """
        first, second = self.position.game.cells(mistake.move)
        falls = self.position.game.gravity != "none"
        for pair in () if falls else mistake.plan:
            if pair != mistake.move and {first, second} & {*self.position.game.cells(pair)}:
                count = self.position.tiles.count(self.position.tiles[first])
                facts = {"pair": self.position.game.move_name(pair), "count": count}
                return Message("onet.wrong_pair", mistake.names | facts)
        left = len(self.position.tiles) - mistake.now.high
        if left <= 0:
            return None
        key = "onet.fell_apart" if falls else "onet.left_over"
        return Message(key, mistake.names | {"tiles": int(left)})


def tile_name(kind: int) -> Message:
    """Return the name of a kind of tile (from 1): its motif, or its number where motifs repeat."""
    named = 1 <= kind <= len(MOTIFS)
    return Message(f"onet.tile_{kind}") if named else Message("onet.tile", {"number": kind})


@lru_cache(maxsize=16)
def pairs_of(position: OnetPosition) -> frozenset[Move]:
    """Return every pair that can be taken, as moves; cached."""
    return frozenset(position.moves())


def never_taken(position: OnetPosition) -> list[int]:
    """Return the cells of tiles that can never be taken; empty if this shows none.

    Taking tiles may only open links in the game of *position* (`only_opens`): not checked. Round by
    round, each tile is removed that a line links to another of its kind, which may itself have been
    removed. The tiles left when there is no such tile are those that stay, whatever is played.
    """
    game, tiles, kinds = position.game, list(position.tiles), position.alike()
    while True:
        links = game.links(tuple(tiles))
        gone = {
            first
            for cells in kinds
            for first in cells
            if tiles[first] and any(links.linked(first, other) for other in cells if other != first)
        }
        if not gone:
            return [cell for cell, tile in enumerate(tiles) if tile]
        for cell in gone:
            tiles[cell] = 0


def _below(value: object, most: float) -> bool:
    """Return whether *value* proves that fewer than *most* cells are empty at the end.

    It is the value of a move; False if it is not proved, but a guess.
    """
    return isinstance(value, Proved) and value.high < most
