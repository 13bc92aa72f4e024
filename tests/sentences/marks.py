"""What makes sentences about Adjacency true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from papan.core import Move
from papan.core.message import catalogue
from tests.sentences.boards import Marks, beside_empty, flips, most_flipped
from tests.sentences.said import Said


def deeds_of_marks(said: Said) -> Any:  # noqa: C901
    before, after, values = Marks(said.position), Marks(said.after), said.values
    turned, nothing = before.turned(said.name), said.key.endswith("_nothing")
    kind = said.key.removeprefix("adjacency.reason_").removesuffix("_nothing")
    kept = [name for name in turned if after.for_good(name)]
    most = most_flipped(said.after)
    own, rival = (int(said.after.scores()[seat]) for seat in (said.seat, 1 - said.seat))
    match kind:
        case "ends" | "ends_draw":
            over = not said.after.moves() and (kind == "ends_draw") == (own == rival)
            return over and (values["own"], values["rival_marks"]) == (own, rival)
        case "last_wins" | "last_draws" | "last_loses":
            reply = said.after.child(said.after.legal_move(values["reply"]))
            ends = [said.after.child(move) for move in said.after.moves()]
            ahead = min(each.scores()[said.seat] - each.scores()[1 - said.seat] for each in ends)
            sign = {"last_wins": 1, "last_draws": 0, "last_loses": -1}[kind]
            return (
                all(each.is_over for each in ends)
                and reply in ends
                and values["marks"] == most == flips(said.after, values["reply"])
                and ahead == sign * values["ahead"]
                and nothing == (most == 0)
            )
        case "turns":
            return values["marks"] == len(turned) > 0 == len(kept)
        case "turns_for_good":
            return (values["marks"], values["kept"]) == (len(turned), len(kept)) and bool(kept)
        case "turns_all_for_good":
            return values["marks"] == len(turned) == len(kept) > 0
        case "safe":
            return after.for_good(said.name)
        case "takes_away":
            mine = [name for name in before.beside(said.name) if before.marks[name] == before.mover]
            return values["marks"] == len(mine) > 1
        case "greedy":
            other = said.position.child(said.position.legal_move(values["greedy"]))
            return (
                values["more"] == flips(said.position, values["greedy"]) > len(turned)
                and values["back"] == most_flipped(other) == flips(other, values["reply"])
                and values["left"] == most < values["back"]
                and nothing == (most == 0)
            )
        case "fewest_exposed":
            counts = {
                name: beside_empty(said.position.after(name), before.mover)
                for name in said.position.move_names()
            }
            mine_left = counts.pop(said.name)
            others = values["rival_marks"] == beside_empty(said.after, before.rival)
            fewest = values["marks"] == mine_left < min(counts.values())
            return others and fewest and nothing == (mine_left == 0)
        case "turns_none":
            reply_turns = flips(said.after, values["reply"])
            return not turned and values["marks"] == most == reply_turns > 0
        case "turns_none_at_all":
            return not turned and most == 0
    return False


def frontier(said: Said) -> bool:
    values = said.values
    reply = flips(said.after, values["reply"])
    most = most_flipped(said.after), most_flipped(said.better)
    right = (values["marks"], values["fewer"]) == most and most[1] < most[0] == reply
    return right and says_nothing(said, most[1])


def says_nothing(said: Said, number: int) -> bool:
    """Whether a sentence says none in words where a number is 0, and only there."""
    return said.key.endswith("_nothing") == (number == 0)


def turned_by_both(said: Said) -> tuple[int, int]:
    """The marks that the move turns, and the better one."""
    now, instead = (flips(said.position, name) for name in (said.name, said.better_name))
    assert (said.values["marks"], said.values["instead"]) == (now, instead)
    return now, instead


def flipped(said: Said) -> bool:
    now, instead = turned_by_both(said)
    if "turned_fewer" in said.key:
        return now < instead and says_nothing(said, now)
    return now > instead and says_nothing(said, instead)


def exposed(said: Said) -> bool:
    now, instead = (beside_empty(each, "xo"[said.seat]) for each in (said.after, said.better))
    right = (said.values["exposed"], said.values["fewer"]) == (now, instead)
    return right and now > instead and says_nothing(said, instead) and is_greedy(said)


def ends_with(said: Said) -> bool:
    marks = 8 + 2 * said.position.game.rounds
    instead, now = ((marks + value) / 2 for value in said.values_of_both())
    return (said.values["ended"], said.values["best"]) == (now, instead) and is_greedy(said)


def is_greedy(said: Said) -> bool:
    """Whether a move that turns more than the better one is called greedy, and no other."""
    now, instead = turned_by_both(said)
    return ("greedy" in said.key) == (now > instead)


def marks_said(position: Any, move: Move) -> set[str]:
    """The reasons of a move of Adjacency that the board gives, no more and no fewer."""
    game = position.game
    name, before, after = game.move_name(move), Marks(position), Marks(position.child(move))
    placed = sum(mark != "." for mark in after.marks.values())
    left, turned = 8 + 2 * game.rounds - placed, before.turned(name)
    kept = [each for each in turned if after.for_good(each)]
    moves = [each for each, mark in before.marks.items() if mark == "."]

    def exposed(each: str) -> int:
        there = Marks(position.after(each))
        own = [cell for cell, mark in there.marks.items() if mark == before.mover]
        return sum(not there.for_good(cell) for cell in own)

    def back(each: str) -> int:
        there = Marks(position.after(each))
        return max(len(there.turned(cell)) for cell, mark in there.marks.items() if mark == ".")

    said = {("turns" if not kept else f"turns_{'all_' * (kept == turned)}for_good")}
    said -= set() if turned else said
    if left == 0:
        marks = [*after.marks.values()]
        return said | {"ends" + "_draw" * (marks.count("x") == marks.count("o"))}
    if left == 1:
        marks = [*after.marks.values()]
        ahead = marks.count(before.mover) - marks.count(before.rival) - 1 - 2 * back(name)
        how = ("draws", "wins", "loses")[(ahead > 0) - (ahead < 0)]
        said.add(f"last_{how}{'' if back(name) else '_nothing'}")
    said |= {"safe"} if after.for_good(name) else set()
    own = [each for each in before.beside(name) if before.marks[each] == before.mover]
    said |= {"takes_away"} if len(own) >= 2 else set()
    most = max(moves, key=lambda each: len(before.turned(each)))
    greedier = len(before.turned(most)) > len(turned) and back(most) > back(name)
    said |= {"greedy" if back(name) else "greedy_nothing"} if greedier else set()
    fewest = all(exposed(name) < exposed(each) for each in moves if each != name)
    none = "" if exposed(name) else "_nothing"
    said |= {f"fewest_exposed{none}"} if fewest else set()
    return said | (set() if turned else {"turns_none" if back(name) else "turns_none_at_all"})


TRUE: dict[str, Callable[[Said], Any]] = {
    **{key: deeds_of_marks for key in catalogue("en") if key.startswith("adjacency.reason_")},
    **{
        f"adjacency.{key}{none}": check
        for keys, check in (
            (("gave_frontier",), frontier),
            (("too_greedy", "turned_fewer"), flipped),
            (("greedy_exposed", "exposed_more"), exposed),
            (("greedy_ends", "ends_with"), ends_with),
        )
        for key in keys
        for none in ("", "_nothing")
    },
}
