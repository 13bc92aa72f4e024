"""Dots and Boxes in words: what a line takes, leaves or gives, and why it is a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from papan.core import Analysis, Coach, IllegalMoveError, Message, Move, Proved
from papan.core.reasons import Clause, Mistake
from papan.games.dots.chains import (
    all_taken,
    boxes_given,
    boxes_to_take,
    chains,
    gives_first,
    safe_lines,
    taking,
)
from papan.games.dots.drawing import box_grid
from papan.games.dots.rules import Dots, DotsPosition

NO_FACTS: Mapping[str, object] = {}
COSTLY = ("gives", "gives_but_one")
"""Deeds that give away boxes without need."""
MOST_CROSSED = 4
"""Boxes that a double-cross leaves at most: two of a chain, four of a loop."""


class DotsCoach(Coach, game=Dots):
    """Gives reasons for moves in `position`, by boxes and chains, and says why one is a mistake."""

    position: DotsPosition
    lesson_steps = {
        "dots.left_boxes": "lesson.dots_take_task",
        "dots.opened_long_chain": "lesson.dots_safe_task",
        "dots.gave_boxes": "lesson.dots_safe_task",
        "dots.opened_longer": "lesson.dots_chains",
        "dots.refused_double_cross": "lesson.dots_cross_task",
        "dots.lost_control": "lesson.dots_long",
    }

    def why_illegal(self, move: Move) -> IllegalMoveError:
        return IllegalMoveError("dots.already_drawn", line=self.position.game.move_name(move))

    ideas = {
        "dots.reason_majority": "dots.idea_take",
        "dots.reason_ends": "dots.idea_take",
        "dots.reason_takes": "dots.idea_take",
        "dots.reason_takes_more": "dots.idea_take",
        "dots.reason_double_cross": "dots.idea_cross",
        "dots.reason_leaves": "dots.idea_cross",
        "dots.reason_leaves_open": "dots.idea_leave",
        "dots.reason_leaves_and_gives": "dots.idea_leave",
        "dots.reason_last_safe": "dots.idea_last_safe",
        "dots.reason_safe": "dots.idea_safe",
        "dots.reason_safe_forces": "dots.idea_count",
        "dots.reason_safe_forced": "dots.idea_safe",
        "dots.reason_fewest": "dots.idea_fewest",
        "dots.reason_fewest_too": "dots.idea_fewest",
        "dots.reason_more": "dots.idea_give",
        "dots.reason_gives": "dots.idea_give",
        "dots.reason_gives_best": "dots.idea_give",
        "dots.reason_gives_but_one": "dots.idea_give",
    }

    def idea(self, move: Move) -> Message:
        """Return a sentence on the idea behind the line *move*, which does not name the line.

        Where every line gives equally many boxes, the sentence says that, not that this line gives
        the fewest.
        """
        found, before = super().idea(move), self.position
        if found.key != "dots.idea_fewest":
            return found
        counts = {len(boxes_given(before.game, before.drawn, line)) for line in before.moves()}
        return found if len(counts) > 1 else Message("dots.idea_all_give")

    def deeds(self, move: Move) -> Iterator[Clause]:
        """Yield the reasons of a legal line: one or two clauses on what it takes, leaves or gives.

        Of a safe line the one clause says how many safe lines are left, and who gives boxes first,
        where `gives_first` works that out.
        """
        before, after = self.position, self.position.child(move)
        if after.owned != before.owned:
            yield self._takes(move, after)
        elif boxes_to_take(before):
            yield self._leaves(move)
        elif move in safe_lines(before):
            yield self._is_safe(move, after)
        else:
            yield from self._gives(move)

    def proved(self, move: Move, analysis: Analysis) -> Iterator[Clause]:
        """Yield one clause if *move* gives boxes and is best, though lines are safe; else nothing.

        *move* is best if no move has a higher value, proved or guessed, in *analysis*; without a
        value of *move* nothing is yielded, nor if a box can be taken. The clause says that every
        safe line ends worse only where that is proved.
        """
        before, values = self.position, analysis.values
        safe = safe_lines(before)
        if not safe or move in safe or boxes_to_take(before) or move not in values:
            return
        mine = values[move]
        if any(each.number > mine.number for each in values.values()):
            return
        given = boxes_given(before.game, before.drawn, move)
        ends = (values.get(line) for line in safe)
        better = isinstance(mine, Proved) and all(
            isinstance(each, Proved) and each.high < mine.low for each in ends
        )
        key = "gives_best" if better else "gives_only"
        yield self._clause(key, move, {"boxes": len(given)}, given)

    def _clause(
        self,
        key: str,
        move: Move,
        facts: Mapping[str, object] = NO_FACTS,
        boxes: Iterable[int] = (),
        decides: bool = False,
    ) -> Clause:
        """Return a clause about the line *move*, with the *boxes* (numbers) that it points out.

        *key* is the end of its text's key (``dots.reason_KEY``), *facts* are the values of the
        text; *decides* says that it proves the result.
        """
        names, line = box_grid(self.position.game).names, self.position.game.move_name(move)
        cells = (line, *(names[box] for box in sorted(boxes)))
        message = Message(f"dots.reason_{key}", {"move": line, **facts})
        return Clause("does", message, cells, (move,), decides, key in COSTLY)

    def _takes(self, move: Move, after: DotsPosition) -> Clause:
        """Return a clause on the boxes that the line *move* takes, at least one.

        It also says that the game ends with it; else that it brings a majority of all boxes; else,
        if there are any, how many more can be taken in this turn. *after* is the position after
        *move*.
        """
        before, game, seat = self.position, self.position.game, self.position.turn
        own, all_boxes = after.owned[seat], len(game.boxes)
        taken = [box for box in game.beside[move] if not game.boxes[box] & ~after.drawn]
        facts = {"boxes": len(taken)}
        counted = facts | {"own": own, "rival_boxes": after.owned[1 - seat], "all": all_boxes}
        if after.is_over:
            return self._clause("ends", move, counted, taken, decides=True)
        if own * 2 > all_boxes >= before.owned[seat] * 2:
            return self._clause("majority", move, counted, taken, decides=True)
        if more := boxes_to_take(after):
            return self._clause("takes_more", move, facts | {"more": more}, taken)
        return self._clause("takes", move, facts, taken)

    def _leaves(self, move: Move) -> Clause:
        """Return a clause on the boxes that can be taken and that the line *move* does not take.

        If the line gives further boxes, the clause says how many. Else, if the line is one of those
        that taking all boxes draws, and lines are left after that: the clause says that a seat that
        takes all must draw another line; or, if then no line is safe and at most `MOST_CROSSED`
        boxes are left, that it is a double-cross, and how many boxes that seat must give at least.
        Otherwise the clause only counts the boxes. A box must be ready to take: not checked.
        """
        before, game = self.position, self.position.game
        rest = all_taken(game, before.drawn)
        there = [box for box, sides in enumerate(game.boxes) if sides & rest == sides]
        there = [box for box in there if game.boxes[box] & ~before.drawn]
        facts, taken = {"boxes": len(there)}, replace(before, drawn=rest)
        if given := len(boxes_given(game, rest, move)):
            return self._clause("leaves_and_gives", move, facts | {"given": given}, there)
        if not rest >> move & 1 or not taken.moves():
            return self._clause("leaves_open", move, facts, there)
        if safe_lines(taken) or len(there) > MOST_CROSSED:
            return self._clause("leaves", move, facts, there)
        least = min(len(boxes_given(game, rest, line)) for line in taken.moves())
        return self._clause("double_cross", move, facts | {"least": least}, there)

    def _is_safe(self, move: Move, after: DotsPosition) -> Clause:
        """Return a clause on the safe lines left after the safe line *move*.

        It says how many they are, and who gives boxes first, where `gives_first` works that out; if
        none is left, how many boxes the rival must give at least. *after* is the position after
        *move*.
        """
        safe = len(safe_lines(after))
        if not safe:
            lines = after.moves()
            least = min(len(boxes_given(after.game, after.drawn, line)) for line in lines)
            return self._clause("last_safe", move, {"least": least})
        keys = {None: "safe", True: "safe_forces", False: "safe_forced"}
        return self._clause(keys[gives_first(after)], move, {"safe": safe})

    def _gives(self, move: Move) -> Iterator[Clause]:
        """Yield one or two clauses on how many boxes the line *move* gives away.

        If lines are safe, the only clause counts them. Else the first clause compares the line with
        the other one that gives least, and a second one follows if two boxes are given so that the
        rival must take both. No box may be ready to take: not checked.
        """
        before, game = self.position, self.position.game
        given = boxes_given(game, before.drawn, move)
        facts = {"boxes": len(given)}
        if safe := safe_lines(before):
            left = {"safe": len(safe), "example": game.move_name(safe[0])}
            key = "gives" if len(safe) > 1 else "gives_but_one"
            yield self._clause(key, move, facts | left, given)
            return
        others = [line for line in before.moves() if line != move]
        counts = {line: len(boxes_given(game, before.drawn, line)) for line in others}
        least = min(counts, key=lambda line: counts[line])
        compared = facts | {"fewest": counts[least], "example": game.move_name(least)}
        if len(given) < counts[least]:
            yield self._clause("fewest", move, compared, given)
        elif len(given) == counts[least]:
            yield self._clause("fewest_too", move, compared, given)
        else:
            yield self._clause("more", move, compared, given)
        if len(given) == 2 and _cannot_be_left(before, move):
            yield replace(self._clause("hard_hearted", move, boxes=given), kind="prevents")

    def area(self, move: Move) -> tuple[str, ...]:
        """Return the names, such as ``a1b1``, of the undrawn lines of the boxes beside *move*.

        *move* is one of them, unless it is drawn already.
        """
        game = self.position.game
        near = {line for box in game.beside[move] for line in game.sides[box]}
        return tuple(game.move_name(line) for line in self.position.moves() if line in near)

    def fault(self, mistake: Mistake) -> Message | None:
        """Return a sentence on what the mistake leaves, gives away, opens or loses.

        It compares the move with the better one of *mistake*. None if no difference is found.
        """
        before = self.position
        after, better = before.child(mistake.move), before.child(mistake.better)
        takes, should = after.owned != before.owned, better.owned != before.owned
        if should and not takes:
            return Message("dots.left_boxes", mistake.names | {"boxes": boxes_to_take(before)})
        at_once = _refused(before, mistake) if takes and not should else None
        if not takes and not should:
            at_once = _gave(before, mistake)
        return at_once or _later(before, mistake) or _fewer_boxes(before, mistake)


def _cannot_be_left(before: DotsPosition, move: Move) -> bool:
    """Return whether a line gives two boxes that the rival must take, where others let it decline.

    That is the line between the two boxes; after one at an end the rival could double-cross. *move*
    must be a line in the position *before* that gives two boxes: not checked. False if it is in no
    chain.
    """
    game = before.game
    chain = next((each for each in chains(before) if move in each.lines), None)
    ends = () if chain is None else (line for line in chain.lines if line != move)
    return not taking(game, before.child(move).drawn).loss and any(
        taking(game, before.child(line).drawn).loss for line in ends
    )


def _refused(before: DotsPosition, mistake: Mistake) -> Message | None:
    """Return a sentence for a box taken where the better move leaves the last ones instead.

    None if the better move is not one of the lines that taking all boxes draws. *before* is the
    position before the *mistake*, which must take a box, as the better move must not: not checked.
    """
    better = before.child(mistake.better)
    rest = all_taken(before.game, before.drawn)
    if all_taken(before.game, better.drawn) != rest:
        return None
    gives = not safe_lines(replace(before, drawn=rest))
    key = "dots.refused_double_cross" if gives else "dots.refused_turn"
    return Message(key, mistake.names | {"left": boxes_to_take(better)})


def _gave(before: DotsPosition, mistake: Mistake) -> Message | None:
    """Return a sentence for boxes newly given to the rival.

    None unless the mistake gives more boxes than the better line; or gives equally many, one or
    more, and lets the rival double-cross, which the better line does not. *before* is the position
    before the *mistake*; neither line may take a box: not checked.
    """
    game, there, safe = before.game, boxes_to_take(before), len(safe_lines(before))
    after, better = before.child(mistake.move), before.child(mistake.better)
    given, least = (boxes_to_take(each) - there for each in (after, better))
    facts = mistake.names | {"boxes": given, "fewer": least, "safe": safe}
    if given > least and least:
        return Message("dots.opened_longer", facts)
    if given > least:
        long = _opens_long_chain(before, mistake.move, given)
        gave = "dots.opened_long_chain" if long else "dots.gave_boxes"
        return Message(gave if safe else "dots.opened_more", facts)
    crossed = taking(game, after.drawn).loss
    if given == least > 0 and crossed and not taking(game, better.drawn).loss:
        return Message("dots.allowed_double_cross", facts | {"left": crossed // 2})
    return None


def _opens_long_chain(before: DotsPosition, move: Move, boxes: int) -> bool:
    """Return whether *move* opens a long chain of *boxes* boxes that nobody could take before."""
    opened = (each for each in chains(before) if move in each.lines)
    return any(each.long and each.shape == "open" and each.length == boxes for each in opened)


def _later(before: DotsPosition, mistake: Mistake) -> Message | None:
    """Return a sentence on what goes wrong later in the lines that are expected after both moves.

    It is on the first of these facts that is true. After the mistake the mover must open the first
    long chain, but after the better move its rival must. After the mistake the mover is the first
    with neither a safe line nor a box to take, but after the better move its rival is. After the
    mistake the rival takes the next boxes, but after the better move the mover does. None if no
    fact is true. *before* is the position before the *mistake*.
    """
    seat = before.turn
    lines = (before, (mistake.move, *mistake.refutation)), (before, mistake.plan)
    if [_opener(*line) for line in lines] == [seat, 1 - seat]:
        return Message("dots.lost_control", mistake.names)
    if [_runs_out(*line) for line in lines] == [seat, 1 - seat]:
        return Message("dots.ran_out", mistake.names)
    (now, boxes), (instead, more) = (_next_taken(*line) for line in lines)
    if (now, instead) == (1 - seat, seat):
        return Message("dots.takes_next", mistake.names | {"boxes": boxes, "instead": more})
    return None


def _fewer_boxes(before: DotsPosition, mistake: Mistake) -> Message | None:
    """Return a sentence on how many boxes the mover still gets, and would have got.

    None unless both values are proved exactly. *before* is the position before the *mistake*.
    """
    if not (mistake.now.exact and mistake.instead.exact):
        return None
    boxes, own = len(before.game.boxes), before.owned[before.turn]
    now, instead = (int(boxes + each.low) // 2 - own for each in (mistake.now, mistake.instead))
    facts = {"boxes": now, "instead": instead, "left": boxes - sum(before.owned)}
    return Message("dots.fewer_boxes", mistake.names | facts)


def _runs_out(position: DotsPosition, line: Iterable[Move]) -> int | None:
    """Return the first seat (0 or 1) along *line* with neither a safe line nor a box to take.

    *line* are moves from *position* on; the position after the last one is not looked at. None if
    no seat comes to that.
    """
    for move in line:
        if not boxes_to_take(position) and not safe_lines(position):
            return position.turn
        position = position.child(move)
    return None


def _opener(position: DotsPosition, line: Iterable[Move]) -> int | None:
    """Return the seat (0 or 1) that must open the first long chain along *line*.

    It is the seat that is the first to move where no box can be taken, no line is safe, and all
    chains and loops are long; the other seat has control then. *line* are moves from *position* on;
    the position after the last one is not looked at. None if no seat comes to that.
    """
    for move in line:
        found = chains(position)
        quiet = not boxes_to_take(position) and not safe_lines(position)
        if quiet and found and all(chain.long for chain in found):
            return position.turn
        position = position.child(move)
    return None


def _next_taken(position: DotsPosition, line: Iterable[Move]) -> tuple[int | None, int]:
    """Return the seat (0 or 1) that takes the next boxes along *line*, and how many in a row.

    *line* are moves from *position* on; boxes in a row are those of one turn. None and 0 if no box
    is taken.
    """
    seat, taken = None, 0
    for move in line:
        child = position.child(move)
        won = sum(child.owned) - sum(position.owned)
        if won:
            seat = position.turn
        elif taken:
            break
        taken, position = taken + won, child
    return seat, taken
