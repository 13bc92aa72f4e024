"""What makes sentences about lines of marks true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from papan.core import Move, Position
from papan.core.message import catalogue
from tests.sentences.boards import (
    Lines,
    can_make_two,
    cells_of,
    listed,
    makes_two,
    places,
    threatened,
)
from tests.sentences.said import Said, best_for, best_play


def is_double(after: Lines, mark: str, values: Any) -> bool:
    places = listed(values["place"])
    return len(places) > 1 and {*places} == after.wins(mark) and after.wins_next(mark)


def is_stacked(after: Lines, mark: str, values: Any) -> bool:
    blocked = after.put(values["place"], "xo"[mark == "x"])
    opened = {*listed(values["next"])}
    return (
        after.wins(mark) == {values["place"]}
        and bool(opened)
        and opened <= blocked.wins(mark)
        and after.wins_next(mark)
    )


def is_squeeze(after: Lines, mark: str, values: Any) -> bool:
    other, places = "xo"[mark == "x"], {*listed(values["place"])}
    every = [after.put(each, other).wins(mark) for each in after.free()]
    only_answer = len(after.free()) == 1
    return (
        (only_answer or not after.wins(mark))
        and after.wins_next(mark)
        and all(places & each for each in every)
        and places <= set().union(*every)
    )


FORCED = {"double": is_double, "stacked": is_stacked, "squeeze": is_squeeze}


def rule_deeds(said: Said) -> bool:
    """What the rules alone say of a move in a game that is won at once."""
    board, after = Lines(said.position), Lines(said.after)
    mover, kind = board.mover, said.key.removeprefix("reason.")
    gone = board.lands(said.name)
    if kind == "wins":
        return gone in board.wins(mover)
    if kind == "blocks":
        return said.values["place"] == gone and gone in board.wins(board.rival)
    if kind == "threatens":
        places = {*listed(said.values["place"])}
        return places == after.wins(mover) and not after.wins(board.rival)
    return FORCED[kind](after, mover, said.values)


def deeds_of_lines(said: Said) -> Any:  # noqa: C901
    board, after, values = Lines(said.position), Lines(said.after), said.values
    mover, rival, gone = board.mover, board.rival, board.lands(said.name)
    line = cells_of(board, values["line"]) if "line" in values else []
    on_line = Counter(board.cells[name] for name in line)
    then = Counter(after.cells[name] for name in line)
    danger, left = board.wins(rival), after.wins(rival)
    named = places(values["place"]) if "place" in values else set()
    two = places(values["places"]) if "places" in values else set()
    if "many" in values:
        assert values["many"].key == f"lines.many_{values['count']}"
        assert not two or len(two) == values["count"]
    match said.key.removeprefix("lines.reason_"):
        case "wins":
            return gone in line and then[mover] == len(line) >= board.need
        case "passes_win":
            hole = board.lands(values["better"])
            won = all(after.cells[name] == mover for name in line)
            return hole in board.wins(mover) and hole in line and not won
        case "forced":
            only = danger == {gone} and not left and not board.wins(mover)
            return only and gone in line and on_line[rival] == board.need - 1
        case "blocks":
            stops = gone in danger and gone in line and on_line[rival] == board.need - 1
            return stops and not left and bool(board.wins(mover))
        case "blocks_one":
            stops = gone in danger and gone in line and on_line[rival] == board.need - 1
            return stops and named == left != set()
        case "leaves":
            holes = {name for name in line if after.cells[name] == "."}
            closed = on_line[rival] == board.need - 1 and holes == left == danger
            return gone not in danger and danger and named == left and closed
        case "lets":
            return gone not in danger and danger and named == left and len(left) > 1
        case "opens":
            holes = {name for name in line if after.cells[name] == "."}
            return not danger and named == left and holes <= left and then[rival] == board.need - 1
        case "only_safe":
            others = [name for name in board.free() if name != gone]
            spoilt = all(board.put(name, mover).wins(rival) for name in others)
            forced = not board.wins(mover) and bool(others)
            return not danger and not left and forced and spoilt
        case "double":
            return len(two) > 1 and two == after.wins(mover) and after.wins_next(mover)
        case "stacked":
            return is_stacked(after, mover, values)
        case "squeeze":
            every = [after.put(name, rival).wins(mover) for name in after.free()]
            return not after.wins(mover) and all(every) and two == set().union(*every)
        case "threatens":
            hole = after.lands(values["reply"])
            alone = after.wins(mover) == {hole} and not left and hole in line
            made = gone in line and then[mover] == values["count"] == board.need - 1
            return alone and made
        case "opens_own":
            hole = after.lands(values["reply"])
            alone = after.wins(mover) == named == {hole} and not left and hole in line
            return alone and hole not in board.free() and on_line[mover] == board.need - 1
        case "then_double" | "then_forced":
            for name in ("reply", "first", "second"):
                if name in values:
                    cell = after.lands(values[name])
                    if name != "first":
                        assert after.wins(mover) == {cell} and not after.wins(rival)
                    after = after.put(cell, mover if name == "first" else rival)
            return makes_two(after.put(after.lands(values["next"]), mover), mover, two)
        case "open_three":
            marks = [name for name in line if after.cells[name] == mover]
            fours = [after.put(name, mover) for name in after.free()]
            both = [four for four in fours if len(four.wins(mover)) > 1]
            left_alone = any(
                sum(four.cells[name] == mover for name in each) == board.need - 1
                and {*marks} <= {*each}
                for four in both
                for each in four.open_for(mover)
            )
            return gone in line and len(marks) == board.need - 2 and left_alone
        case "prepares":
            following = after.put(after.lands(values["next"]), mover)
            return makes_two(following, mover, two)
        case "stops_double":
            return makes_two(board.put(gone, rival), rival, two)
        case "stops_next":
            could = makes_two(board.put(board.lands(values["next"]), rival), rival, two)
            return could and not can_make_two(after, rival)
        case "stops_lines":
            there = board.put(gone, rival)
            full = [each for each in there.open_for(rival) if gone in each]
            counts = [sum(there.cells[name] == rival for name in each) for each in full]
            return counts.count(values["count"]) > 1
        case "waits":
            (hole,) = named
            waits = after.cells[hole] == "." and hole not in after.free() and hole in line
            return waits and then[mover] == values["count"] == board.need - 1 and gone in line
        case "builds":
            return gone in line and then[mover] == values["count"] > 1 and not then[rival]
        case "breaks":
            return gone in line and on_line[rival] == values["count"] > 1 and not on_line[mover]
        case "many" | "lies":
            through = {
                name: sum(name in each for each in board.open_for(mover)) for name in board.free()
            }
            most = max(through.values())
            return (
                named == {gone}
                and values["count"] == through[gone]
                and (through[gone] == most or "lies" in said.key)
            )
        case "closes" | "dead":
            theirs, own = (
                sum(gone in each for each in board.open_for(side)) for side in (rival, mover)
            )
            return named == {gone} and not own and theirs == values.get("count", 0)
    return False


def not_blocked(said: Said) -> bool:
    board, after, better = said.lines
    places, rival = {*listed(said.values["place"])}, board.rival
    stood = places <= board.wins(rival) and places <= after.wins(rival)
    return bool(places) and stood and not better.wins(rival)


def allowed_win(said: Said) -> bool:
    board, after, better = said.lines
    places, rival = {*listed(said.values["place"])}, board.rival
    new = not places & board.wins(rival) or len(board.free()) == 2
    return places == after.wins(rival) and new and not better.wins(rival)


def missed_force(said: Said) -> bool:
    board, _, better = said.lines
    return FORCED[said.key.removeprefix("review.missed_")](better, board.mover, said.values)


def allowed_force(said: Said) -> bool:
    board, after, _ = said.lines
    answered = after.put(after.lands(said.values["reply"]), board.rival)
    kind = said.key.removeprefix("review.allowed_")
    return FORCED[kind](answered, board.rival, said.values)


def missed_line(said: Said) -> bool:
    value, plies = best_play(said.position)
    assert said.verdict is not None and plies is not None
    moves = listed(said.values["line"])
    shown = min(said.values["moves"], 4)
    lost = best_for(said.after, said.seat) < 1
    return (
        (value, (plies + 1) // 2) == (1, said.values["moves"])
        and lost
        and plies == said.values["plies"]
        and moves[0] == said.better_name
        and len([each for each in moves if each != "\u2026"]) == shown
    )


def allowed_line(said: Said) -> bool:
    value, plies = best_play(said.after)
    assert plies is not None
    counted = (plies, (plies + 1) // 2) == (said.values["plies"], said.values["moves"])
    return value == 1 and counted and said.values_of_both()[0] > -1


def could_win_in(said: Said) -> bool:
    value, plies = best_play(said.position)
    return plies is not None and (value, (plies + 1) // 2) == (1, said.values["moves"])


def gave_more(said: Said) -> bool:
    board, after, better = said.lines
    rival, values = board.rival, said.values

    def best(where: Lines) -> int:
        return max((where.put(each, rival).most(rival) for each in where.free()), default=0)

    def through(where: Lines, cell: str) -> int:
        there = where.put(cell, rival)
        lines = [line for line in there.open_for(rival) if cell in line]
        counts = [sum(there.cells[each] == rival for each in line) for line in lines]
        return max(counts, default=0)

    most = max((through(better, each) for each in better.free()), default=0)
    there, fewer = through(after, after.lands(values["reply"])), int(values["fewer"])
    return there == int(values["count"]) > fewer == most


def filled_less(said: Said) -> bool:
    board, after, better = said.lines
    counts = after.most(board.mover), better.most(board.mover)
    return (said.values["count"], said.values["instead"]) == counts and counts[0] < counts[1]


def open_less(said: Said) -> bool:
    board, after, better = said.lines
    counts, mark = [], board.mover if said.key == "lines.open_less" else board.rival
    for other in (after, better):
        (gone,) = {name for name in other.cells if board.cells[name] != other.cells[name]}
        counts.append(sum(gone in line for line in board.open_for(mark)))
    return [said.values["count"], said.values["instead"]] == counts and counts[0] < counts[1]


def in_one(said: Said) -> bool:
    board = said.lines[0]
    return {*map(board.lands, listed(said.values["place"]))} == board.wins(board.mover) != set()


def demand_parity(position: Position, line: Sequence[Move], values: Any) -> None:
    """That the win is proved, and that the rival opens a threat of now at the end of the line."""
    played = [position]
    for move in line:
        played.append(played[-1].child(move))
    board, after, stuck = Lines(position), Lines(played[1]), Lines(played[-3])
    place, mover = values["place"], board.mover
    assert best_play(position) == (1, values["plies"]) and len(line) == values["plies"]
    assert played[-1].winner == position.turn
    assert Lines(played[-2]).lands(position.game.move_name(line[-1])) == place
    assert after.cells[place] == "." and place not in after.free()
    assert threatened(after, place, mover) and place not in stuck.free()
    assert place in Lines(played[-2]).free()
    assert all(stuck.put(name, board.rival).wins(mover) for name in stuck.free())


MOST_ANSWERS = 30
"""Each costs time: on larger boards a win after any answer is looked for only where it is said."""


def demand_nothing(position: Position, move: Move) -> None:
    """That a move of which nothing is said wins nothing, stops nothing and threatens nothing."""
    board, after = Lines(position), Lines(position.child(move))
    (gone,) = {name for name in after.cells if board.cells[name] != after.cells[name]}
    sentence = f"{position}, {gone}"
    assert gone not in board.wins(board.mover), sentence
    others = [name for name in board.free() if name not in (gone, *board.wins(board.mover))]
    assert gone not in board.wins(board.rival) or not others, sentence
    if not after.wins(board.rival) and len(after.free()) > 2:
        assert not after.wins(board.mover), sentence
        assert len(after.free()) > MOST_ANSWERS or not after.wins_next(board.mover), sentence


TRUE: dict[str, Callable[[Said], Any]] = {
    **dict.fromkeys(("reason.wins", "reason.blocks", "reason.threatens"), rule_deeds),
    **dict.fromkeys((f"reason.{kind}" for kind in FORCED), rule_deeds),
    **{key: deeds_of_lines for key in catalogue("en") if key.startswith("lines.reason_")},
    "review.missed_win": in_one,
    "review.not_blocked": not_blocked,
    "review.allowed_win": allowed_win,
    **dict.fromkeys((f"review.missed_{kind}" for kind in FORCED), missed_force),
    **dict.fromkeys((f"review.allowed_{kind}" for kind in FORCED), allowed_force),
    "review.missed_line": missed_line,
    "review.allowed_line": allowed_line,
    "review.could_win_in": could_win_in,
    "review.loses_in": allowed_line,
    "lines.gave_more": gave_more,
    "lines.filled_less": filled_less,
    **dict.fromkeys(("lines.open_less", "lines.closed_less"), open_less),
}
