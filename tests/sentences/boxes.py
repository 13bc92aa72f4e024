"""What makes sentences about Dots and Boxes true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from papan.core import Move
from papan.core.message import catalogue
from tests.sentences.boards import Strings, declines, first_taken, first_without
from tests.sentences.said import Said, best_for


def runs_out_first(board: Strings, drawn: frozenset[str], known: dict[Any, bool]) -> bool:
    """Does the seat to move find no safe line first, by trying every order of safe lines?"""
    if drawn not in known:
        answers = (drawn | {line} for line in board.safe({*drawn}))
        known[drawn] = not any(runs_out_first(board, each, known) for each in answers)
    return known[drawn]


MOST_SAFE = 11
"""Safe lines of which every order is tried; with more of them the sentence is not checked."""


def deeds_of_boxes(said: Said) -> Any:
    board, values, kind = Strings(said.position), said.values, said.key.removeprefix("dots.reason_")
    there, taken, after = board.to_take(), board.takes(said.name), Strings(said.after)
    own, rival = (int(said.after.scores()[seat]) for seat in (said.seat, 1 - said.seat))
    opened = 0 if taken else board.to_take([said.name]) - there
    given = {line: board.to_take([line]) for line in board.left}
    others = [given[line] for line in board.left if line != said.name]
    safe, left = board.safe(board.drawn), after.safe(after.drawn)
    if taken or kind in ("takes", "takes_more", "majority", "ends"):
        ended = {"own": own, "rival_boxes": rival, "all": len(board.boxes)}.items()
        return (
            values["boxes"] == taken > 0
            and {
                "takes": not after.to_take(),
                "takes_more": after.to_take() == values.get("more") and after.to_take() > 0,
                "ends": not after.left and ended <= values.items(),
                "majority": 2 * own > len(board.boxes) >= 2 * (own - taken)
                and ended <= values.items(),
            }[kind]
        )
    if kind.startswith("leaves") or kind == "double_cross":
        rest = board.rest()
        again = len(rest) < len(board.drawn) + len(board.left)
        same = board.rest([said.name]) == rest
        gives = [
            len(
                [box for box in board.boxes if box <= board.rest([*rest, line]) and not box <= rest]
            )
            for line in board.left
            if line not in rest
        ]
        return (
            values["boxes"] == there > 0
            and {
                "leaves": same and again and not opened,
                "leaves_open": not opened,
                "leaves_and_gives": opened == values.get("given") and opened > 0,
                "double_cross": same
                and again
                and not board.safe(rest)
                and there in (1, 2, 3, 4)
                and min(gives, default=0) == values.get("least"),
            }[kind]
        )
    if kind in ("gives_only", "gives_best"):
        ends = [best_for(said.position.after(line), said.seat) for line in safe if "best" in kind]
        best = best_for(said.after, said.seat) if ends else 0
        return not there and values["boxes"] == opened > 0 and all(best > each for each in ends)
    if kind in ("gives", "gives_but_one", "fewest", "fewest_too", "more"):
        example = given.get(values["example"])
        return (
            not there
            and values["boxes"] == opened > 0
            and {
                "gives": len(safe) == values.get("safe") and example == 0 and bool(safe),
                "gives_but_one": safe == [values["example"]],
                "fewest": not safe and opened < values.get("fewest", 0) == min(others, default=-1),
                "fewest_too": not safe
                and opened == values.get("fewest") == min(others, default=-1),
                "more": not safe and opened > values.get("fewest", 0) == example == min(others),
            }[kind]
        )
    if kind == "hard_hearted":
        return not there and opened == 2 and not {1, 2} & declines(board, said.name)
    if there or opened:
        return False
    if kind == "last_safe":
        return not left and values["least"] == min(after.to_take([line]) for line in after.left)
    if values["safe"] != len(left) or not left:
        return False
    if kind == "safe" or len(left) > MOST_SAFE:
        return True
    return runs_out_first(after, frozenset(after.drawn), {}) == (kind == "safe_forces")


def left_boxes(said: Said) -> bool:
    board = Strings(said.position)
    return not board.takes(said.name) and board.to_take() == said.values["boxes"] > 0


def opened(said: Said) -> bool:
    """How many boxes a line opens: those that lay there already do not count."""
    board, values, key = Strings(said.position), said.values, said.key.removeprefix("dots.")
    there, safe = board.to_take(), board.safe(board.drawn)
    given, least = (board.to_take([each]) - there for each in (said.name, said.better_name))
    counted = (values["boxes"], values["fewer"]) == (given, least) and given > least
    if board.takes(said.name) or board.takes(said.better_name) or not counted:
        return False
    if key in ("gave_boxes", "opened_long_chain"):
        chain = key == "gave_boxes" or given >= 3
        return chain and least == 0 and values["safe"] == len(safe) > 0
    return least > 0 if key == "opened_longer" else least == 0


def refused(said: Said) -> bool:
    """Taking was wrong: who takes everything has to move again, and to give boxes away."""
    board, better = Strings(said.position), said.better_name
    rest = board.rest()
    again = len(rest) < len(board.drawn) + len(board.left)
    gives = not board.safe(rest)
    return (
        board.takes(said.name) > 0
        and not board.takes(better)
        and board.rest([better]) == rest
        and board.to_take([better]) == said.values["left"] > 0
        and again
        and gives == (said.key == "dots.refused_double_cross")
    )


def allowed_cross(said: Said) -> bool:
    board = Strings(said.position)
    return said.values["left"] in declines(board, said.name) and not {2, 4} & declines(
        board, said.better_name
    )


def runs_out(said: Said) -> bool:
    long = said.key == "dots.lost_control"
    ends = [first_without(said.position, line, long) for line in said.plays]
    return ends == [said.seat, 1 - said.seat]


def takes_next(said: Said) -> bool:
    now, instead = (first_taken(said.position, line) for line in said.plays)
    wanted = (1 - said.seat, said.values["boxes"]), (said.seat, said.values["instead"])
    return (now, instead) == wanted


def fewer_boxes(said: Said) -> bool:
    own = said.position.scores()[said.seat]
    boxes = len(Strings(said.position).boxes)
    instead, now = ((boxes + value) / 2 - own for value in said.values_of_both())
    left = boxes - sum(said.position.scores())
    values = said.values
    return (values["boxes"], values["instead"], values["left"]) == (now, instead, left)


def boxes_said(position: Any, move: Move) -> set[str]:
    """What a reason of a line of Dots and Boxes may be: one of those that fit the board."""
    board, line = Strings(position), position.game.move_name(move)
    after = Strings(position.child(move))
    seat, size = position.turn, len(position.game.boxes)
    before, own = position.owned[seat], position.child(move).owned[seat]
    if board.takes(line):
        if not after.left:
            return {"ends"}
        if own * 2 > size >= before * 2:
            return {"majority"}
        return {"takes_more" if after.to_take() else "takes"}
    if board.to_take():
        return {"leaves", "leaves_open", "leaves_and_gives", "double_cross"}
    safe = board.safe(board.drawn)
    if line in safe:
        more = after.safe(after.drawn)
        return {"safe", "safe_forces", "safe_forced"} if more else {"last_safe"}
    if safe:
        return {"gives" if len(safe) > 1 else "gives_but_one"}
    given = {each: board.to_take([each]) for each in board.left}
    others = [boxes for each, boxes in given.items() if each != line]
    least = min(others)
    key = "fewest" if given[line] < least else "fewest_too" if given[line] == least else "more"
    return {key, "hard_hearted"}


OPENED = ("gave_boxes", "opened_long_chain", "opened_longer", "opened_more")
TRUE: dict[str, Callable[[Said], Any]] = {
    **{key: deeds_of_boxes for key in catalogue("en") if key.startswith("dots.reason_")},
    "dots.left_boxes": left_boxes,
    **dict.fromkeys((f"dots.{kind}" for kind in OPENED), opened),
    **dict.fromkeys(("dots.refused_double_cross", "dots.refused_turn"), refused),
    "dots.allowed_double_cross": allowed_cross,
    **dict.fromkeys(("dots.lost_control", "dots.ran_out"), runs_out),
    "dots.takes_next": takes_next,
    "dots.fewer_boxes": fewer_boxes,
}
