"""Threats on lines: what a mark completes, threatens, stops or lets happen, in words.

A *hole* of a seat is the empty cell of a line on which all other cells are its own. A hole wins as
soon as it can be marked. All sets of cells are bitboards of their `LineGame`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

from papan.core.game import Move
from papan.core.message import Message
from papan.core.reasons import Clause, ClauseKind

if TYPE_CHECKING:
    from papan.core.marks import LineGame, LinePosition

MOST_THREATS = 3
"""Own marks of a play of threats that is looked for after a move."""
MOST_TRIED = 48
"""Marks that such a search tries."""
NO_FACTS: Mapping[str, object] = {}


def each_bit(cells: int) -> Iterator[int]:
    """Yield each cell of the bitboard *cells* as a bit (a power of two), the lowest one first.

    Nothing for 0. *cells* must not be negative; not checked.
    """
    while cells:
        lowest = cells & -cells
        yield lowest
        cells ^= lowest


@dataclass(frozen=True)
class Side:
    """The marks of one seat, *mine*, against those of the other one, *theirs*, as bitboards.

    What it knows of holes and threats is for the seat of *mine*, whoever is to move.
    """

    game: LineGame
    mine: int
    theirs: int

    def marked(self, cell: int) -> Side:
        """Return the side with one more mark of its own, in the free *cell*, a bit; not checked.

        This one stays as it is.
        """
        after = Side(self.game, self.mine | cell, self.theirs)
        holes = {hole: line for hole, line in self.holes.items() if hole != cell}
        for line in self.game.lines_through[cell]:
            if hole := after.lacking(line):
                holes.setdefault(hole, line)
        kept = {hole: line for hole, line in self.other.holes.items() if hole != cell}
        after.__dict__["holes"] = holes  # only lines through the cell can have changed
        after.other.__dict__["holes"] = kept
        return after

    def answered(self, cell: int) -> Side:
        """Return this side after a mark of the other one in the free *cell*, a bit; not checked."""
        return self.other.marked(cell).other

    @cached_property
    def other(self) -> Side:
        """The same marks as the other seat sees them: *mine* and *theirs* exchanged."""
        other = Side(self.game, self.theirs, self.mine)
        other.__dict__["other"] = self
        return other

    def lacking(self, line: int) -> int:
        """Return the one cell, a bit, that *line*, a bitboard, lacks to be all mine: its hole.

        0 if it is full, lacks more cells, or the other side has a mark there.
        """
        rest = line & ~self.mine
        return 0 if rest & rest - 1 or rest & self.theirs else rest

    @cached_property
    def free(self) -> int:
        """The cells that can be marked now, as a bitboard; 0 once the board is full."""
        return self.game.free_cells(self.mine | self.theirs)

    @cached_property
    def holes(self) -> Mapping[int, int]:
        """The holes of this side: each cell (a bit) that alone completes a line, with that line.

        The line is a bitboard, the first of several. A hole may not be free to be marked yet. Empty
        if there is none.
        """
        found: dict[int, int] = {}
        for line in self.game.lines:
            if hole := self.lacking(line):
                found.setdefault(hole, line)
        return found

    @cached_property
    def wins(self) -> Mapping[int, int]:
        """The holes of this side that can be marked now, as in `holes`; empty if there is none.

        Marking one wins at once.
        """
        return {hole: line for hole, line in self.holes.items() if hole & self.free}

    def open_through(self, cell: int) -> list[int]:
        """Return the lines through *cell*, a bit, on which the other side has no mark.

        Lines are bitboards.
        """
        return [line for line in self.game.lines_through[cell] if not line & self.theirs]

    def count(self, line: int) -> int:
        """Return the number of marks of this side (*mine*) on *line*, a bitboard."""
        return (line & self.mine).bit_count()

    @cached_property
    def threatening(self) -> list[int]:
        """The free cells, each a bit, where one more own mark may make a hole that can be marked.

        They lie on lines without marks of the other side that lack two; where marks fall, also
        below a hole. Empty if there are none.
        """
        found = 0
        for line in self.game.lines:
            if not line & self.theirs and (line & ~self.mine).bit_count() == 2:
                found |= line & ~self.mine
        free, holes = self.free, sum(self.holes)
        below = each_bit(free & ~found) if holes & ~free else ()
        opened = (cell for cell in below if self._opens(cell) & holes)
        return [*each_bit(found & free), *opened]

    def _opens(self, cell: int) -> int:
        """Return the cells, as a bitboard, that can be marked only after the free *cell* is."""
        return self.game.free_cells(self.mine | self.theirs | cell) & ~self.free

    @cached_property
    def doubles(self) -> Mapping[int, tuple[int, ...]]:
        """The free cells where one more own mark wins by force, each with the `two_threats` then.

        All are bits; empty if there are none. The mark makes two threats (holes that can be
        marked), or one whose stop opens another above it. Cells after which the other side could
        win at once are left out.
        """
        found = {}
        for cell in self.threatening:
            after = self.marked(cell)
            if (two := after.two_threats) and not after.other.wins:
                found[cell] = two
        return found

    @cached_property
    def two_threats(self) -> tuple[int, ...]:
        """Two or more holes, each a bit, of which the other side, to move, can stop only one.

        Holes that can be marked now; or one such, first, and those that stopping it opens. Empty if
        there are none.
        """
        wins = tuple(self.wins)
        if len(wins) == 1:
            return (*wins, *above) if (above := tuple(self.answered(wins[0]).wins)) else ()
        return wins if len(wins) > 1 else ()


@lru_cache(maxsize=4)
def side_to_move(position: LinePosition) -> Side:
    """Return the `Side` of the seat to move in *position*; cached for the last four positions."""
    return Side(position.game, *position.sides)


def play_of_threats(side: Side, most: int = MOST_THREATS) -> tuple[int, ...]:
    """Return the cells, own and forced in turn, by which *side*, to move, wins by force.

    Each cell is a bit. Each own mark makes one threat, which must be answered; the last one makes
    two. Shorter plays are looked for first, each length by `MOST_TRIED` trials at most. Empty if
    none of at most *most* own marks is found, if *side* can win at once, or if the other side has
    two wins.
    """
    for depth in range(1, most + 1):
        if found := _play(side, depth, [MOST_TRIED]):
            return found
    return ()


def _play(side: Side, most: int, left: list[int]) -> tuple[int, ...]:
    """Return a play of threats, as `play_of_threats` does, of at most *most* own marks, at least 1.

    Empty if none is found. *left* holds one number, the marks still to be tried, which is counted
    down here: below 0 the search ends.
    """
    danger = tuple(side.other.wins)
    if len(danger) > 1 or side.wins:
        return ()
    for cell in side.threatening:
        if danger and cell != danger[0]:
            continue
        left[0] -= 1
        if left[0] < 0:
            return ()
        after = side.marked(cell)
        if not after.wins or after.other.wins:
            continue
        if after.two_threats:
            return (cell,)
        (stop,) = after.wins
        if most > 1 and (rest := _play(after.answered(stop), most - 1, left)):
            return (cell, stop, *rest)
    return ()


# Cells and lines in words.


def cell_names(game: LineGame, cells: Iterable[int]) -> tuple[str, ...]:
    """Return the names of *cells*, each a bit, in their order, such as ``("b2", "c3")``."""
    return tuple(game.grid.names[game.cell_at[cell]] for cell in cells)


def line_name(game: LineGame, line: int) -> Message:
    """Return a message that names *line*, a bitboard: its direction and its end cells.

    The key is ``lines.row``, ``lines.column`` or ``lines.diagonal``, the value ``ends`` has the
    form ``a1-d4``, from the left or from row 1. *line* must have a cell.
    """
    cells = [game.cell_at[each] for each in each_bit(line)]
    columns = game.grid.columns
    named = sorted(
        (cell % columns, int(game.grid.row_name(cell // columns)), cell) for cell in cells
    )
    (left, lowest, first), (right, highest, last) = named[0], named[-1]
    way = "column" if left == right else "row" if lowest == highest else "diagonal"
    ends = f"{game.grid.names[first]}-{game.grid.names[last]}"
    return Message(f"lines.{way}", {"ends": ends})


def both(names: Sequence[str]) -> Message:
    """Return a message that joins *names* (texts) by commas and *and*.

    There must be two or more; ValueError is raised for none.
    """
    return _joined("and", names)


def either(names: Sequence[str]) -> object:
    """Return the only one of *names* as it is (str), or a `Message` that joins several with *or*.

    Raise ValueError if there are no *names*.
    """
    return names[0] if len(names) == 1 else _joined("or", names)


def _joined(word: str, names: Sequence[str]) -> Message:
    """Return the message ``lines.WORD`` that joins *names*: ``some``, and the ``last`` of them."""
    *some, last = names
    return Message(f"lines.{word}", {"some": tuple(some), "last": last})


def _counted(marks: int) -> dict[str, object]:
    """Return the values of a message for a number of *marks*.

    They are ``count``, the number, and ``many``, a message with the word for it.
    """
    return {"count": marks, "many": Message(f"lines.many_{marks}")}


# What a mark does.


@dataclass(frozen=True)
class LineDeeds:
    """The clauses that say what a legal *move* from *position* does in a game of lines.

    Iterating over it yields them, the strongest first.
    """

    position: LinePosition
    move: Move

    @cached_property
    def mark(self) -> int:
        """The cell that the move marks, as a bit."""
        return self.position.mark_of(self.move)

    @cached_property
    def before(self) -> Side:
        """The marks before the move, as the seat that makes it sees them."""
        return side_to_move(self.position)

    @cached_property
    def after(self) -> Side:
        """The marks after the move, as the seat that made it sees them."""
        return self.before.marked(self.mark)

    def __iter__(self) -> Iterator[Clause]:
        """Yield clauses on what the move does, the strongest first; there may be none.

        Only that it wins, if it does. Else first that it passes up a win, and what it does about
        wins of the rival. Then, unless the mover could have won, the rival can win now or no cell
        is free, what the move threatens or prepares; unless that decides the game, what it prevents
        and a hole for later; and if there is nothing of all this, which lines it builds or breaks.
        """
        completed = [line for line in self._through if line & self.after.mine == line]
        if completed:
            yield self._win(completed)
            return
        if self.before.wins:
            yield self._passed_by(*self.before.wins.items())
        yield from self._about_wins_of_the_rival()
        if self.after.other.wins or self.before.wins or not self.after.free:
            return
        strong = [*self._threatens()]
        if not any(each.decides for each in strong):
            strong += [*self._prevents(), *self._for_later()]
        yield from strong
        if not (strong or self.before.other.wins):
            yield from self._builds()

    def _about_wins_of_the_rival(self) -> Iterator[Clause]:
        """Yield a clause on the wins of the rival that the move stops, leaves or opens.

        Or that every other move opens one; nothing if none of this is so.
        """
        if danger := tuple(self.before.other.wins):
            yield self._in_danger(danger)
        elif opened := self.after.other.wins:
            facts = {"place": either(self._names(opened)), "line": self._line(*opened.values())}
            yield self._clause("opens", facts, opened.values(), decides=True, costs=True)
        elif not self.before.wins and (spoilt := self._spoilt_by_others()):
            yield self._clause("only_safe", cells=spoilt, kind="forced", decides=True)

    @property
    def _through(self) -> Sequence[int]:
        """The winning lines through the cell of the move, as bitboards."""
        return self.position.game.lines_through[self.mark]

    def _names(self, cells: Iterable[int]) -> tuple[str, ...]:
        """Return the names of *cells*, each a bit, in their order."""
        return cell_names(self.position.game, cells)

    def _threats(self, holes: Iterable[int]) -> dict[str, object]:
        """Return the values of a message on two or more *holes*, each a bit.

        They are ``places`` (their names), ``count`` and its word ``many``.
        """
        names = self._names(holes)
        return {"places": both(names), **_counted(len(names))}

    def _line(self, line: int, *_more: int) -> Message:
        """Return the `line_name` of *line*, a bitboard; further ones are accepted and ignored."""
        return line_name(self.position.game, line)

    def _clause(
        self,
        key: str,
        facts: Mapping[str, object] = NO_FACTS,
        cells: Iterable[int] = (),
        play: Sequence[int] = (),
        **more: Any,
    ) -> Clause:
        """Return the clause with the message ``lines.reason_KEY`` and its values *facts*.

        *cells* are bitboards of what it speaks of besides the move, *play* the cells (bits) that
        are marked after it, *more* the other fields of `Clause`.
        """
        game, every = self.position.game, self.mark
        for each in cells:
            every |= each
        message = Message(f"lines.reason_{key}", {"move": game.move_name(self.move), **facts})
        line, position = [self.move], self.position.child(self.move)
        for cell in play:
            line.append(position.move_to(cell))
            position = position.child(line[-1])
        kind: ClauseKind = more.pop("kind", "does")
        return Clause(kind, message, self._names(each_bit(every)), tuple(line), **more)

    def _win(self, completed: Sequence[int]) -> Clause:
        """Return the clause that the move wins with the *completed* lines, bitboards, at least one.

        It names the first, lengthened by those that share two cells or more with it.
        """
        whole = completed[0]
        for line in completed[1:]:  # six in a row are two lines of five
            if (line & whole).bit_count() > 1:
                whole |= line
        return self._clause("wins", {"line": self._line(whole)}, [whole], decides=True)

    def _passed_by(self, win: tuple[int, int], *_more: tuple[int, int]) -> Clause:
        """Return the clause that the move passes up a *win*: a hole (a bit) and its line.

        The line is a bitboard. Further wins are accepted and ignored: one is enough to tell.
        """
        facts = {"better": self._move_name(win[0]), "line": self._line(win[1])}
        return self._clause("passes_win", facts, [win[1]], costs=True)

    def _move_name(self, cell: int) -> str:
        """Return the name of the move that marks *cell*, a bit, in the position before the move.

        The cell must be free there, else StopIteration is raised.
        """
        return self.position.game.move_name(self.position.move_to(cell))

    def _in_danger(self, danger: tuple[int, ...]) -> Clause:
        """Return the clause on whether the move stops the rival's threats on *danger*.

        These are the cells, each a bit, where the rival would have won.
        """
        line, left = self.before.other.wins, self.after.other.wins
        facts = {"place": either(self._names(left or danger))}
        if self.mark not in danger:
            key = "leaves" if len(left) == 1 else "lets"  # several wins lie on several lines
            lines = {"line": self._line(*left.values())} if len(left) == 1 else {}
            return self._clause(key, facts | lines, left.values(), decides=True, costs=True)
        blocked = {"line": self._line(line[self.mark])}
        cells = [line[self.mark], *left.values()]
        if left:
            return self._clause("blocks_one", facts | blocked, cells, decides=True, costs=True)
        if self.before.wins:
            return self._clause("blocks", blocked, cells, kind="prevents")
        return self._clause("forced", blocked, cells, kind="forced", decides=True)

    def _spoilt_by_others(self) -> tuple[int, ...]:
        """Return the cells, each a bit, where the rival would win at once after each other move.

        Those of all other moves together, one cell perhaps several times. Empty if after one of
        these moves the rival has no win, and if there is no other move.
        """
        wins: list[int] = []
        for cell in each_bit(self.before.free & ~self.mark):
            opened = self.before.marked(cell).other.wins
            if not opened:
                return ()
            wins += opened
        return tuple(wins)

    def _threatens(self) -> Iterator[Clause]:
        """Yield clauses on what the move threatens, else what it leaves the rival, else prepares.

        A threat comes first: two at once, one below another, or a single one and the play that
        follows it. Without a threat it tells if every answer lets the mover win; else see
        `_prepares`. Nothing if the move does none of these. After the move the rival must have no
        win at once: not checked.
        """
        after, two = self.after, self.after.two_threats
        lines = [after.holes[each] for each in after.wins]
        if len(after.wins) > 1:
            facts = self._threats(after.wins)
            yield self._clause("double", facts, lines, decides=True)
        elif two:
            stop, above = two[0], two[1]
            facts = dict(zip(("place", "next"), self._names((stop, above))))
            cells = [*lines, after.answered(stop).wins[above]]
            yield self._clause("stacked", facts, cells, play=(stop,), decides=True)
        elif after.wins:
            yield from self._one_threat(*after.wins)
        elif squeezed := self._squeezed():
            facts = {"places": either(self._names(squeezed))}
            yield self._clause("squeeze", facts, squeezed, decides=True)
        else:
            yield from self._prepares()

    def _one_threat(self, stop: int) -> Iterator[Clause]:
        """Yield a clause on the single threat of the move, and one on a win by force that follows.

        *stop*, a bit, is the hole of the threat, where the rival must answer. The second clause
        comes only if `play_of_threats` finds such a win after that answer.
        """
        new = (each for each in self._through if self.after.lacking(each) == stop)
        line = next(new, self.after.wins[stop])
        made = bool(line & self.mark)  # else the mark only opens the cell above it
        shown = _counted(self.after.count(line)) if made else {"place": self._names([stop])[0]}
        facts = {"line": self._line(line), **shown}
        after = self.position.child(self.move)
        answer = {"reply": after.game.move_name(after.move_to(stop))}
        play = play_of_threats(self.after.answered(stop), MOST_THREATS - 1)
        key = "threatens" if made else "opens_own"
        yield self._clause(key, facts | answer, [line], play=(stop,), decides=bool(play))
        if play:
            yield self._goes_on(after.child(after.move_to(stop)), stop, play, answer)

    def _goes_on(
        self, position: LinePosition, stop: int, play: tuple[int, ...], answer: Mapping[str, object]
    ) -> Clause:
        """Return the clause that after the rival's answer a *play* of threats wins by force.

        *stop* is the cell of that answer, *position* the one after it, and *answer* has the name of
        its move as ``reply``. *play* has the cells, own and forced in turn, at least one. Cells are
        bits.
        """
        side, names = self.after.answered(stop), []
        for place, cell in enumerate(play):
            move = position.move_to(cell)
            names.append(position.game.move_name(move))
            position = position.child(move)
            side = side.answered(cell) if place % 2 else side.marked(cell)
        others = self.position.game.move_name(self.move), answer["reply"]
        if len({*names, *others}) < len(names) + len(others):  # a column names several cells
            names = [*self._names(play)]
        holes = side.two_threats
        facts = {**answer, "next": names[-1], **self._threats(holes)}
        ends: dict[str, Any] = {"kind": "then", "decides": True}
        if len(names) == 1:
            return self._clause("then_double", facts, holes, (stop, *play), **ends)
        facts |= {"first": names[0], "second": names[1]}
        return self._clause("then_forced", facts, holes, (stop, *play), **ends)

    def _squeezed(self) -> tuple[int, ...]:
        """Return the cells (bits) where the mover wins next, if every answer leaves it such a win.

        Those of all answers together, each once. Empty if one answer leaves no win, or if the board
        is full.
        """
        found: dict[int, None] = {}
        for answer in each_bit(self.after.free):
            wins = self.after.answered(answer).wins
            if not wins:
                return ()
            found |= dict.fromkeys(wins)
        return tuple(found)

    def _prepares(self) -> Iterator[Clause]:
        """Yield one clause on a cell where, thanks to this mark, the next one would win by force.

        It is the first of `Side.doubles` that was none before; nothing if there is none. If that is
        because this mark is on a straight line with both ends open, one short of a
        threat (``open_three``), the clause names the line and not the cell.
        """
        before = self.before.doubles
        new = {cell: holes for cell, holes in self.after.doubles.items() if cell not in before}
        if not new:
            return
        cell, holes = next(iter(new.items()))
        following = self.after.marked(cell)
        lines = [following.holes[hole] for hole in holes if hole in following.holes]
        need = lines[0].bit_count()
        names = {line_name(self.position.game, line).key for line in lines}
        marks = lines[0] & lines[-1] & following.mine
        straight = len(names) == 1 and marks.bit_count() == need - 1 and need > 4
        if straight and self.mark & marks:
            three = {"line": self._line(marks & ~cell)}
            yield self._clause("open_three", three, [marks & ~cell])
            return
        after = self.position.child(self.move)
        name = after.game.move_name(after.move_to(cell))
        if name == self.position.game.move_name(self.move):  # a column names several cells
            (name,) = self._names([cell])
        facts = {"next": name, **self._threats(holes)}
        yield self._clause("prepares", facts, [cell, *lines])

    def _prevents(self) -> Iterator[Clause]:
        """Yield at most one clause on what the rival could have done, and cannot do now.

        That is to win by force with a mark here, or next with one elsewhere; or to go on with lines
        of two directions or more (row, column, diagonal) through this cell, of four cells or more,
        that lack two marks. Nothing if either seat could have won at once.
        """
        rival = self.before.other
        if self.before.wins or rival.wins:
            return
        there = rival.doubles
        if holes := there.get(self.mark):
            lines = [rival.marked(self.mark).holes.get(hole, hole) for hole in holes]
            yield self._clause("stops_double", self._threats(holes), lines, kind="prevents")
        elif there and not self.after.wins and not self.after.other.doubles:
            cell, holes = next(iter(there.items()))
            facts = {"next": self._move_name(cell), **self._threats(holes)}
            yield self._clause("stops_next", facts, [cell, *holes], kind="prevents")
        else:
            full = self.before.game.lines[0].bit_count() - 2
            lines = [each for each in rival.open_through(self.mark) if rival.count(each) == full]
            ways = {line_name(self.position.game, line).key: line for line in lines}
            if len(ways) > 1 and full > 1:
                facts = _counted(full + 1)
                yield self._clause("stops_lines", facts, ways.values(), kind="prevents")

    def _for_later(self) -> Iterator[Clause]:
        """Yield one clause on the first new hole that cannot be marked yet; nothing without one."""
        after = self.after
        for hole, line in after.holes.items():
            if line & self.mark and not hole & after.free:
                facts = {"line": self._line(line), **_counted(after.count(line))}
                place = {"place": self._names([hole])[0]}
                yield self._clause("waits", facts | place, [line])
                return

    def _builds(self) -> Iterator[Clause]:
        """Yield one or two clauses on the longest open lines that the mark lengthens and closes.

        One of the mover, one of the rival, the one with more marks first; only lines with two marks
        or more that lack two or more. Else one clause on how many open lines its cell lies, for the
        mover, for the rival, or for nobody.
        """
        after, rival = self.after, self.before.other
        need = self.position.game.lines[0].bit_count()
        own = max(after.open_through(self.mark), key=after.count, default=0)
        closed = max(rival.open_through(self.mark), key=rival.count, default=0)
        counted: list[tuple[int, Literal["builds", "breaks"], int]] = []
        if own and 1 < after.count(own) < need - 1:
            counted.append((after.count(own), "builds", own))
        if closed and 1 < rival.count(closed) < need - 1:
            counted.append((rival.count(closed), "breaks", closed))
        for count, key, line in sorted(counted, reverse=True):
            yield self._clause(key, {"line": self._line(line), **_counted(count)}, [line])
        if counted:
            return
        place = {"place": self._names([self.mark])[0]}
        if ways := len(self.before.open_through(self.mark)):
            free = each_bit(self.before.free)
            most = all(len(self.before.open_through(each)) <= ways for each in free)
            yield self._clause("many" if most and ways > 1 else "lies", place | {"count": ways})
        elif theirs := len(rival.open_through(self.mark)):
            yield self._clause("closes", place | {"count": theirs})
        else:
            yield self._clause("dead", place)
