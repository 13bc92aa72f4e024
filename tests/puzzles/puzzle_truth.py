"""What puzzles claim, found out without anything that makes or checks them in papan.

Each move is worth what the shared alpha-beta, or else the game's solver without a limit, proves of
the position after it; of Onet with gravity, what a plain search finds. The claims are written anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from papan import api
from papan.agents.alphabeta import AlphaBeta
from papan.core import Limit, Move, Position, margin, native_form
from papan.puzzles import Puzzle

Values = Mapping[Move, float]
SOON = Limit(nodes=50_000)
"""After that the solver of the game is quicker."""


def values(position: Position) -> Values:
    """What each legal move is worth to who makes it: the final margin."""
    found = {}
    for move in position.moves():
        child = position.child(move)
        same = child.turn == position.turn
        found[move] = value(child) if same else -value(child)
    return found


def value(position: Position) -> float:
    """The final margin of the seat to move; of Onet with gravity, 0 if it cannot be cleared."""
    if position.is_over:
        return margin(position, position.turn)
    if native_form(position) is None:
        return position.game.largest_margin if clears(position, set()) else 0
    quick = AlphaBeta().analyse(position, SOON)
    found = quick if quick.exact else api.solve(position)
    assert found.exact, f"{position} is not solved"
    return found.proved.low


def clears(position: Position, dead: set[Position]) -> bool:
    """Can all tiles be taken? What cannot be cleared is remembered in *dead*."""
    if position.is_over:
        return margin(position, 0) == position.game.largest_margin
    if position not in dead:
        if any(clears(position.child(move), dead) for move in position.moves()):
            return True
        dead.add(position)
    return False


def outcomes(position: Position, found: Values) -> dict[Move, int]:
    """1 where a move wins, 0 where it draws, -1 where it loses; in Onet 1 where all is cleared."""
    if position.game.seats == 1:
        return {move: int(each == position.game.largest_margin) for move, each in found.items()}
    return {move: (each > 0) - (each < 0) for move, each in found.items()}


def scores_at_once(position: Position, seat: int) -> set[Move]:
    """The moves by which *seat* scores, if it were its turn."""
    moving: Any = position
    turned = replace(moving, turn=seat)
    before = position.scores()[seat]
    return {move for move in turned.moves() if turned.child(move).scores()[seat] > before}


def keeps(claimed: int, position: Position, found: Values) -> Move | None:
    """The one move of an outcome, where all others are worse and there are three at least."""
    of_moves = outcomes(position, found)
    right = [move for move, each in of_moves.items() if each == claimed]
    alone = len(right) == 1 and max(of_moves.values()) == claimed
    return right[0] if alone and len(of_moves) >= (3 if position.game.seats == 2 else 2) else None


def kept(position: Position, found: Values) -> Move | None:
    """The one move that wins, or that draws where none wins."""
    wins = keeps(1, position, found)
    return keeps(0, position, found) if wins is None else wins


def plies_to_win(position: Position) -> int:
    """How soon the seat to move wins, whatever the rival does."""
    return next(
        depth
        for depth in range(1, 60)
        if AlphaBeta(depth=depth).analyse(position).proved.low == position.game.largest_margin
    )


def is_win(position: Position, found: Values) -> bool:
    return keeps(1, position, found) is not None and 3 <= plies_to_win(position) <= 9


def is_one(position: Position, found: Values) -> bool:
    move = keeps(1, position, found)
    return move is not None and position.child(move).is_over


def wins_at_once(position: Position) -> set[Move]:
    ends = {move: position.child(move) for move in position.moves()}
    return {move for move, end in ends.items() if end.is_over and end.winner == position.turn}


def is_block(position: Position, found: Values) -> bool:
    """The rival would win now; only one move does not lose, and it alone stops that."""
    move = kept(position, found)
    lets = {each for each in found if wins_at_once(position.child(each))}
    threatened = scores_at_once(position, 1 - position.turn)
    stopped = move is not None and lets == {*found} - {move}
    return stopped and bool(threatened) and not wins_at_once(position)


def threats_after(position: Position, found: Values) -> int | None:
    """How many moves would win if the rival passed after the one move that wins by force."""
    move = keeps(1, position, found)
    if move is None or position.child(move).is_over or plies_to_win(position) != 3:
        return None
    return len(scores_at_once(position.child(move), position.turn))


def is_fork(position: Position, found: Values) -> bool:
    return (threats_after(position, found) or 0) > 1


def is_stack(position: Position, found: Values) -> bool:
    return threats_after(position, found) == 1


def is_only(position: Position, found: Values) -> bool:
    return keeps(1, position, found) is not None


def is_draw(position: Position, found: Values) -> bool:
    return keeps(0, position, found) is not None


def best_of(found: Values) -> set[Move]:
    return {move for move, each in found.items() if each == max(found.values())}


def is_take(position: Position, found: Values) -> bool:
    taking = scores_at_once(position, position.turn)
    return len(taking) == 1 and taking == best_of(found)


def given(position: Position) -> dict[Move, int]:
    """How many boxes the rival can take one after the other after each line."""
    counts = {}
    for move in position.moves():
        after, rival = position.child(move), 1 - position.turn
        before = after.scores()[rival]
        while more := scores_at_once(after, rival):
            after = after.child(min(more))
        counts[move] = int(after.scores()[rival] - before)
    return counts


def is_safe(position: Position, found: Values) -> bool:
    safe = {move for move, boxes in given(position).items() if not boxes}
    taking = scores_at_once(position, position.turn)
    return not taking and len(safe) == 1 and safe == best_of(found)


def is_fewest(position: Position, found: Values) -> bool:
    counts, taking = given(position), scores_at_once(position, position.turn)
    fewest = {move for move, boxes in counts.items() if boxes == min(counts.values()) > 0}
    return not taking and fewest == best_of(found) and len(fewest) < len(found)


def is_handout(position: Position, found: Values) -> bool:
    """The one best line gives two boxes, each of which is taken by a line of its own."""
    best, counts = best_of(found), given(position)
    (move, *others) = best
    apart = scores_at_once(position.child(move), 1 - position.turn)
    alone = not others and not scores_at_once(position, position.turn)
    return alone and min(counts.values()) > 0 and counts[move] == 2 == len(apart)


def is_last(position: Position, found: Values) -> bool:
    """Only one move wins, and after the rival's the game is over."""
    replies = [position.child(move) for move in position.moves()]
    ended = all(each.is_over or each.child(each.moves()[0]).is_over for each in replies)
    return is_only(position, found) and ended


def is_trap(position: Position, found: Values) -> bool:
    move, seat = keeps(1, position, found), position.turn
    scored = {each: position.child(each).scores()[seat] for each in found}
    return move is not None and scored[move] < max(scored.values())


def is_chains(position: Position, found: Values) -> bool:
    safe = [
        move
        for move in position.moves()
        if not scores_at_once(position.child(move), 1 - position.turn)
    ]
    taking = scores_at_once(position, position.turn)
    return kept(position, found) is not None and not taking and len(safe) > 1


def is_cross(position: Position, found: Values) -> bool:
    """The best line takes nothing though boxes can be taken, and leaves two to one line."""
    best = [move for move, each in found.items() if each == max(found.values())]
    taking = scores_at_once(position, position.turn)
    after = position.child(best[0])
    rival = 1 - position.turn
    left = [after.child(move).scores()[rival] for move in after.moves()]
    two = max(left, default=0) == after.scores()[rival] + 2
    return len(best) == 1 and len(found) > 2 and bool(taking) and best[0] not in taking and two


def is_zugzwang(position: Position, found: Values) -> bool:
    move = kept(position, found)
    if move is None or position.child(move).is_over:
        return False
    after, seat = position.child(move), position.turn
    replies = [after.child(each) for each in after.moves()]
    waiting = scores_at_once(after, seat) or scores_at_once(after, 1 - seat)
    harm = all(each.turn == seat and scores_at_once(each, seat) for each in replies)
    return after.turn != seat and not waiting and harm


def is_pair(position: Position, found: Values) -> bool:
    return keeps(1, position, found) is not None


def is_clear(position: Position, found: Values) -> bool:
    return set(outcomes(position, found).values()) == {0, 1}


CLAIMS: Mapping[str, Callable[[Position, Values], bool]] = {
    "one": is_one,
    "block": is_block,
    "fork": is_fork,
    "stack": is_stack,
    "win": is_win,
    "take": is_take,
    "safe": is_safe,
    "fewest": is_fewest,
    "handout": is_handout,
    "last": is_last,
    "trap": is_trap,
    "only": is_only,
    "draw": is_draw,
    "chains": is_chains,
    "cross": is_cross,
    "zugzwang": is_zugzwang,
    "pair": is_pair,
    "clear": is_clear,
}


def is_true(puzzle: Puzzle) -> bool:
    """Does a puzzle hold what its theme claims?"""
    return CLAIMS[puzzle.theme](puzzle.position, values(puzzle.position))
