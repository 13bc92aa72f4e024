"""Reasons: what a move does, what it prevents, what follows, and why a move is wrong.

A `Reason` is made once, by the rules, by the game's `Coach` and by what a search has proved, for
any legal move of any player; every view says the same sentences and draws the same cells. What only
one game can say is in its `Coach`. Everything here holds for any game: wins at once and threats are
found by playing moves, longer wins are those that a solver has proved, to their last move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from papan.core.analysis import NOTHING_PROVED, Analysis, Proved
from papan.core.drawing import HtmlRepr
from papan.core.game import Move, Position
from papan.core.message import PEOPLE, Message, locale_language, seat_message
from papan.core.numbers import Number
from papan.core.parts import Coach, Drawing

ClauseKind = Literal["does", "forced", "prevents", "then", "instead", "slip"]
"""Kinds of clauses: what a move does, that it is forced, what it prevents, what follows it, what
another move would allow, and that it is a slip."""


@dataclass(frozen=True)
class Clause:
    """One true fact about a move: a sentence, and what shows it on the board."""

    kind: ClauseKind
    """What the sentence is about, such as what the move does or prevents: see `ClauseKind`."""
    message: Message
    """The whole sentence. It calls the mover *player* and the other one *rival*, without values:
    the view names them."""
    cells: tuple[str, ...] = ()
    """The names of the cells that it speaks of: see `Drawing.pointed_out`."""
    line: tuple[Move, ...] = ()
    """The play that shows it, from the position before the move."""
    decides: bool = False
    """True if it proves the result, or that no other move could be played."""
    costs: bool = False
    """True if it tells what the move loses, not what it gains."""


@dataclass(frozen=True)
class Certainty:
    """The certainty of a reason: proved, estimated by a search of some plies, or learned.

    *learned* is for an estimate of a net or of tables that learned by self-play.
    """

    kind: Literal["proved", "estimate", "learned"] = "estimate"
    depth: int | None = None
    """The plies that the search looked ahead; None if it does not count them."""

    @property
    def message(self) -> Message:
        """The short text that a badge shows, as a message."""
        if self.kind == "estimate" and self.depth:
            return Message("sure.depth", {"depth": self.depth})
        return Message(f"sure.{self.kind}")

    def json(self) -> dict[str, Any]:
        """Return ``kind``, ``depth`` (plies or None) and the badge's ``message`` as JSON data."""
        return {"kind": self.kind, "depth": self.depth, "message": self.message.json()}


@dataclass(frozen=True)
class Reason(HtmlRepr):
    """The reason of one move: one or two clauses, the strongest true fact first, but for a slip.

    A slip, what the agent overlooked, stands before all others.
    """

    position: Position
    """The position before the move."""
    move: Move
    clauses: tuple[Clause, ...]
    """What it says, each one sentence."""
    certainty: Certainty = Certainty()
    """How sure the clauses are; an estimate by default."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The sentences of the clauses, without the names of the players."""
        return tuple(each.message for each in self.clauses)

    def text(self, language: str = "en", names: Sequence[str] = ()) -> str:
        """Return the sentences in *language*, one after another; *names* as in `people`."""
        return " ".join(self.sentences(language, names))

    def sentences(self, language: str = "en", names: Sequence[str] = ()) -> list[str]:
        """Return what each of the clauses says in *language*, in order; *names* as in `people`."""
        people = self.people(names)
        return [with_people(each, people).text(language) for each in self.messages]

    def __str__(self) -> str:
        return self.text()

    def _repr_text_(self) -> str:
        language = locale_language()
        return f"{self.text(language)} ({self.certainty.message.text(language)})"

    def people(self, names: Sequence[str] = ()) -> dict[str, object]:
        """Return the values ``player`` (the mover) and ``rival`` for the sentences of the reason.

        They are the *names* of the players, one for each seat; without names, what seats are
        called, as messages. In a game for one both are its player.
        """
        seats, turn = self.position.game.seats, self.position.turn
        called: Sequence[object] = names or [seat_message(seat, seats) for seat in range(seats)]
        return {"player": called[turn], "rival": called[-1 - turn]}

    def json(self) -> dict[str, Any]:
        """Return ``move``, ``clauses`` and ``certainty`` as JSON data, moves by name.

        Each clause has its fields, but `Clause.decides`, and ``svg``: what points out its cells.
        """
        name, drawing = self.position.game.move_name, Drawing.of(self.position)
        return {
            "move": name(self.move),
            "clauses": [
                {
                    "kind": each.kind,
                    "message": each.message.json(),
                    "cells": list(each.cells),
                    "line": [name(move) for move in each.line],
                    "svg": drawing.pointed_out(each.cells) if each.cells else "",
                    "costs": each.costs,
                }
                for each in self.clauses
            ],
            "certainty": self.certainty.json(),
        }


def with_people(message: Message, people: Mapping[str, object]) -> Message:
    """Return *message* with the names of *people* filled in, also in messages within it.

    *people* has the values ``player`` (the mover) and ``rival``, one or both. A value of such a
    name that the message has already stays.

    The message within it that is called *theirs* is about a move of the rival: there the two of
    them change places.
    """
    exchanged = {**people}
    if {*PEOPLE} <= people.keys():
        exchanged |= {"player": people["rival"], "rival": people["player"]}
    inside = {
        name: with_people(each, exchanged if name == "theirs" else people)
        if isinstance(each, Message)
        else each
        for name, each in message.values.items()
    }
    return Message(message.key, {**people, **inside})


MOST_CLAUSES = 2
"""Sentences of a reason."""
COMPARED = 3
"""Other moves whose deeds are looked at: what all of them do as well is no reason."""
LARGE_GAIN = 3
"""Points that the next move of the player must win to be worth a sentence."""


def reason(position: Position, move: Move, analysis: Analysis | None = None) -> Reason:
    """Return the reason of a legal *move*, at most two sentences, and how certain it is.

    *analysis* is one of *position*, if there was one: what it has proved is told as well. There is
    at least one clause. Its certainty, an estimate unless something is proved, has no depth.
    """
    found = [*_clauses(position, move, analysis)]
    if analysis is not None:
        found = _with_proofs(position, move, analysis, found)
    if not found:
        found = [Clause("does", Message("reason.quiet", _moved(position, move)))]
    if analysis is not None and not found[0].decides:
        found[1:1] = _later(position, move, analysis, found[0])
    clauses = tuple(found[:MOST_CLAUSES])
    proved = any(each.decides for each in clauses) or (analysis is not None and analysis.exact)
    return Reason(position, move, clauses, Certainty("proved" if proved else "estimate"))


def _with_proofs(
    position: Position, move: Move, analysis: Analysis, seen: Sequence[Clause]
) -> list[Clause]:
    """Return the clauses on *move* that *analysis* proves, then those of *seen* that say more.

    *seen* are the clauses that the board shows. Of these, one that tells a cost and has the very
    cells of a proved one is left out. If the move puts a loss off (`_puts_off`) and the first
    clause so far decides nothing, that clause comes first of all, and `FAINT` ones are left out.
    """
    proved = tuple(Coach.of(position).proved(move, analysis))
    cells = {each.cells for each in proved}
    found = [*proved, *(each for each in seen if not (each.costs and each.cells in cells))]
    late = [*_puts_off(position, move, analysis)]
    if late and not (found and found[0].decides):
        return late + [each for each in found if each.message.key not in FAINT]
    return found


def _clauses(position: Position, move: Move, analysis: Analysis | None) -> Iterator[Clause]:
    """Yield the clauses about a move that do not hold for all of the moves it is compared with.

    It is compared with the best others of *analysis*, or, if there is none that has values of
    others, with a few other moves. What decides the game, or what the move costs, is told even so;
    if all clauses are common, only the first. That *move* is the only legal one is said first.
    Nothing if no `deeds` are known.
    """
    others = [each for each in position.moves() if each != move]
    if not others:
        yield Clause("forced", Message("reason.only_move", _moved(position, move)), decides=True)
    found = deeds(position, move)
    best = () if analysis is None else _next_best(move, analysis)
    common = [{*map(_words, deeds(position, each))} for each in best or _far_apart(others)]
    yield from [deed for deed in found if _is_special(deed, common)] or found[:1]


def _is_special(deed: Clause, common: Sequence[Set[object]]) -> bool:
    """Return whether a *deed* is worth telling: it decides, it costs, or not every move does it.

    *common* has the `_words` of the deeds of each move that it is compared with.
    """
    shared = bool(common) and all(_words(deed) in each for each in common)
    return deed.decides or deed.costs or not shared


def _puts_off(position: Position, move: Move, analysis: Analysis) -> Iterator[Clause]:
    """Yield the clause that every move loses and this one latest, if *analysis* proves it.

    Nothing for a loss within two plies, where points are counted, and for the only legal move.
    """
    best = analysis.move == move and analysis.exact and analysis.proved.high < 0
    later = (analysis.distance or 0) > 2  # the rival does not win at once anyway
    if best and later and position.game.largest_margin == 1 and len(position.moves()) > 1:
        facts = _moved(position, move)
        yield Clause("does", Message("reason.puts_off", facts), line=analysis.line, decides=True)


def _words(deed: Clause) -> tuple[object, ...]:
    """Return (key, (name, number), ...) of a deed: what it says, but for the cells that it names.

    The numbers are the whole ones among the values of its message, by name in alphabetical order.
    Two deeds that say the same of different cells have the same words.
    """
    numbers = (each for each in deed.message.values.items() if isinstance(each[1], int))
    return deed.message.key, *sorted(numbers)


def _next_best(move: Move, analysis: Analysis) -> list[Move]:
    """Return the best moves besides *move* that the search has valued, at most `COMPARED`.

    The best first; empty if it has valued no other.
    """
    others = [each for each in analysis.values if each != move]
    return sorted(others, key=lambda each: -analysis.values[each].number)[:COMPARED]


def _later(position: Position, move: Move, analysis: Analysis, first: Clause) -> Iterator[Clause]:
    """Yield clauses on what follows the move, and on what a worse one would have allowed.

    At most one of each; nothing if neither is known. *first* is the first clause of the reason: if
    it says what the move prevents, a clause on a worse move is left out if all of its cells are
    cells of *first*.
    """
    if analysis.line[:1] == (move,):
        yield from _then(position, analysis.line)
    for other in _next_best(move, analysis):
        if not _is_worse(other, move, analysis):
            continue
        found = _instead(position, move, other, analysis)
        if found and not (first.kind == "prevents" and {*found.cells} <= {*first.cells}):
            yield found
            return


def _is_worse(other: Move, move: Move, analysis: Analysis) -> bool:
    """Return whether *analysis* values *other* below *move*, by proof or estimate.

    Where a value is proved to lie between two bounds, the upper one of *other* must be below the
    lower one of *move*. False if *move* has no value or a pruned one. *other* must have one, else
    KeyError is raised.
    """
    mine, value = analysis.values.get(move), analysis.values[other]
    if mine is None or mine.kind == "pruned":
        return False
    high = value.high if isinstance(value, Proved) else value.number
    return high < (mine.low if isinstance(mine, Proved) else mine.number)


def _then(position: Position, line: tuple[Move, ...]) -> Iterator[Clause]:
    """Yield a clause on the mover's next move on the expected *line*, if it gains a lot.

    *line* begins with the move itself. A lot is a win where that is all that counts, or
    `LARGE_GAIN` points. Nothing if *line* has fewer than three moves, if the seats do not alternate
    on them, or if the strongest of the third move's `deeds` is not one that it does and gains by.
    """
    played = [position]
    for move in line[:3]:
        played.append(played[-1].child(move))
    seat = position.turn
    if [each.turn for each in played[:3]] != [seat, 1 - seat, seat] or len(played) < 4:
        return
    _, _, before, after = played
    gain = after.scores()[seat] - before.scores()[seat]
    for deed in deeds(before, line[2])[:1]:
        decided = deed.decides and position.game.largest_margin == 1
        if deed.kind == "does" and not deed.costs and (decided or gain >= LARGE_GAIN):
            facts = {"reply": position.game.move_name(line[1]), "deed": deed.message}
            yield Clause("then", Message("reason.then", facts), deed.cells, line[:3])


def _instead(position: Position, move: Move, other: Move, analysis: Analysis) -> Clause | None:
    """Return a clause on what *other* would have lost or allowed and *move* does not; else None.

    *analysis* must have a value of *other*.
    """
    name, own = position.game.move_name, {each.message.key for each in deeds(position, move)}
    for deed in deeds(position, other):
        if deed.costs and deed.message.key not in own:
            message = Message("reason.instead", {"deed": deed.message})
            return Clause("instead", message, deed.cells, deed.line)
    reply = next(iter(analysis.values[other].line), None)
    if reply is not None and (answer := _answer(position, other, reply)):
        same = position.child(move)
        if not (same.allows(reply) and _answer(position, move, reply)):
            facts = {"other": name(other), "reply": name(reply), "theirs": answer.message}
            line = (other, *answer.line)
            return Clause("instead", Message("reason.instead_reply", facts), answer.cells, line)
    return _worse(position, other, analysis)


def _answer(position: Position, move: Move, reply: Move) -> Clause | None:
    """Return the clause by which the rival's *reply* to *move* decides the game; else None.

    None where points are counted, where the win takes the rival more than that move, and where
    *move* ends the game or leaves the turn to the same seat.
    """
    after = position.child(move)
    if after.is_over or after.turn == position.turn or position.game.largest_margin != 1:
        return None
    found = deeds(after, reply)
    wins_so = [each for each in found[:1] if each.decides and each.kind == "does"]
    longer = any(each.kind == "then" for each in found)
    return None if longer or not wins_so or wins_so[0].costs else wins_so[0]


def _worse(position: Position, other: Move, analysis: Analysis) -> Clause | None:
    """Return a clause on how much worse *other* is proved to end than the best move, or None.

    In points, or that it draws or loses where they do not count. None if *analysis* does not prove
    that, or, where points count, not exactly how much; and in a game for one.
    """
    value = analysis.values[other]
    if not (analysis.exact and isinstance(value, Proved) and value.high < analysis.proved.low):
        return None
    facts: dict[str, object] = {"other": position.game.move_name(other)}
    if position.game.largest_margin == 1:
        if not value.exact and value.high >= 0:
            return None
        key = "reason.instead_draws" if value.high == 0 else "reason.instead_loses"
        return Clause("instead", Message(key, facts), line=(other, *value.line))
    if position.game.seats == 1 or not value.exact:
        return None
    facts["points"] = Number(analysis.proved.low - value.high)
    return Clause("instead", Message("reason.instead_worse", facts), line=(other, *value.line))


def _moved(position: Position, move: Move) -> dict[str, object]:
    """Return the value ``move`` of a sentence: the name of *move*."""
    return {"move": position.game.move_name(move)}


def _far_apart(moves: Sequence[Move]) -> Sequence[Move]:
    """Return `COMPARED` of *moves*, or all if they are fewer, at equal distances in their order.

    The distance is their number / `COMPARED`, rounded down, but at least 1; the first one taken is
    half of that from the beginning. So the last ones may be left out.
    """
    step = max(1, len(moves) // COMPARED)
    return moves[step // 2 :: step][:COMPARED]


@lru_cache(maxsize=64)
def deeds(position: Position, move: Move) -> tuple[Clause, ...]:
    """Return clauses on what a legal *move* does, the strongest first; empty if nothing is known.

    By the coach of its game; if that has no `deeds` of its own, and the game is for two and a win
    is all that counts, by `deeds_by_rules`. Cached for the last 64 pairs of position and move.
    """
    coach = Coach.of(position)
    by_rules = position.game.seats > 1 and position.game.largest_margin == 1
    if by_rules and type(coach).deeds is Coach.deeds:
        return tuple(deeds_by_rules(position, move))
    return tuple(coach.deeds(move))


@dataclass(frozen=True)
class Mistake:
    """A move that loses something and a better one, with what is proved about both."""

    before: Position
    """The position in which the move was made."""
    move: Move
    plan: tuple[Move, ...]
    """The better move, and the play expected after it."""
    refutation: tuple[Move, ...]
    """The line that shows that the move was wrong, beginning with the answer to it."""
    instead: Proved = NOTHING_PROVED
    """The final margin, in points, of the seat that moved, had it made the better move."""
    now: Proved = NOTHING_PROVED
    """Its final margin in points after the move."""
    wins_in: int | None = None
    """Plies of the plan, where it is proved to be the quickest win."""
    loses_in: int | None = None
    """Plies of the refutation, where it is proved to be the rival's quickest win."""

    @property
    def after(self) -> Position:
        """The position after the move that was made."""
        return self.before.child(self.move)

    @property
    def better(self) -> Move:
        """The better move: the first of `plan`."""
        return self.plan[0]

    @property
    def names(self) -> dict[str, object]:
        """The names of both moves, as the values ``move`` and ``better`` of sentences."""
        name = self.before.game.move_name
        return {"move": name(self.move), "better": name(self.better)}


def place_of(position: Position, move: Move) -> str:
    """Return where a legal *move* goes, in words for people: see `Coach.place_of`."""
    return Coach.of(position).place_of(move)


FORCED_KINDS = ("double", "stacked", "squeeze")
"""The ways to win with the next move, whatever the other seat does: see `forced_win`."""
PLAIN_FAULTS = ("review.missed_win", "review.not_blocked", "review.allowed_win")
"""The faults that are seen one move ahead."""
PROVED_FAULTS = (
    *PLAIN_FAULTS,
    *(f"review.{what}_{kind}" for what in ("missed", "allowed") for kind in FORCED_KINDS),
)
"""The faults that the rules prove, whatever a search has found."""
FAINT = ("lines.reason_lies", "lines.reason_many", "lines.reason_dead")
"""What is not said of a move that loses: how many lines its cell lies on."""
SHORT = 4
"""Moves of a win that is a reason by itself; a longer win only if there is no other reason."""


def fault(mistake: Mistake) -> Message | None:
    """Return why a move is a mistake, by the rules or in the game's terms; None if unknown.

    A message on the first of these that was missed or allowed: a win at once, a win by force, a
    proved win of at most `SHORT` moves; else what `Coach.fault` says; else on a longer proved win.
    In a game for one only `Coach.fault` is asked. It calls the mover *player* and the other one
    *rival*, without values.
    """
    before = mistake.before
    if before.game.seats == 1:
        return Coach.of(before).fault(mistake)
    return (
        _missed_win(mistake)
        or _allowed_win(mistake)
        or _missed_force(mistake)
        or _allowed_force(mistake)
        or _longer_win(mistake, SHORT)
        or Coach.of(before).fault(mistake)
        or _longer_win(mistake)
    )


# Wins at once, and threats of them.

FEW_TRIALS = 3
"""Other moves that are tried to see whether a win was threatened before the move."""


def wins(position: Position) -> list[Move]:
    """Return the moves by which the seat to move wins at once, in the order of `Position.moves`.

    Empty if there are none, and where points are counted and every move ends the game.
    """
    ends = {move: position.child(move) for move in position.moves()}
    over = [move for move, child in ends.items() if child.is_over]
    if len(over) == len(ends) and position.game.largest_margin != 1:
        return []  # the last move of a game that is won by points
    return [move for move in over if ends[move].winner == position.turn]


def threats(position: Position) -> list[str]:
    """Return the places where the other seat wins next unless the seat to move goes there.

    They are in words for people, as `place_of` returns them; empty if there are none. The seat to
    move could go to each of them now, so none of its moves has opened the place.

    To find them, at most `FEW_TRIALS` + 1 moves to different places are played, of those that do
    not end the game and give the turn to the other seat. A place is a threat if at least one move
    played goes elsewhere, and the other seat wins there at once after each move that does.
    """
    seat, wins_after = position.turn, dict[str, set[str]]()
    places = {place_of(position, move): move for move in position.moves()}
    for place, move in places.items():
        child = position.child(move)
        if not child.is_over and child.turn != seat:
            wins_after[place] = {place_of(child, win) for win in wins(child)}
        if len(wins_after) > FEW_TRIALS:
            break
    return [
        place
        for place in places
        if (elsewhere := [found for other, found in wins_after.items() if other != place])
        and all(place in found for found in elsewhere)
    ]


def _missed_win(mistake: Mistake) -> Message | None:
    """Return the message with all moves that would have won at once; None if there was none."""
    before = mistake.before
    moves = ", ".join(map(before.game.move_name, wins(before)))
    return Message("review.missed_win", {"place": moves}) if moves else None


def _allowed_win(mistake: Mistake) -> Message | None:
    """Return the message that the rival wins at once, by an old or a new threat; else None.

    None, too, if it would also win at once after the better move.
    """
    before, after = mistake.before, mistake.after
    found = [] if after.turn == before.turn else [place_of(after, move) for move in wins(after)]
    if not found or wins(before.child(mistake.better)):
        return None
    there = [place for place in threats(before) if place in found]
    key = "review.not_blocked" if there else "review.allowed_win"
    return Message(key, mistake.names | {"place": ", ".join(there or found)})


def forced_win(position: Position, seat: int) -> tuple[str, dict[str, object]] | None:
    """Return how *seat* wins with its next move, whatever the rival, to move, plays; else None.

    It is (one of `FORCED_KINDS`, the values ``place`` and perhaps ``next`` for a sentence, texts).
    *double*: two threats at once, one of which can be stopped; *stacked*: one threat, and stopping
    it opens another win; *squeeze*: no threat, but every move opens a win. None, too, if the game
    is over or *seat* is to move.
    """
    if position.is_over or position.turn == seat:
        return None
    found = _wins_after_each(position, seat)
    if found is None:
        return None
    there = threats(position)
    if len(there) > 1:
        return "double", {"place": ", ".join(there)}
    if there:
        return "stacked", {"place": there[0], "next": ", ".join(found[there[0]])}
    every = dict.fromkeys(place for places in found.values() for place in places)
    return "squeeze", {"place": ", ".join(every)}


def _wins_after_each(position: Position, seat: int) -> dict[str, list[str]] | None:
    """Return the places where *seat* wins at once after each move of the other seat, by its place.

    Keys are places of moves, values lists of places, all in words for people (`place_of`). Not all
    of them, but at least one for each move. None if *seat* cannot win so after one of the moves.
    """
    found: dict[str, list[str]] = {}
    known: list[Move] = []
    for answer in position.moves():
        child = position.child(answer)
        if child.is_over or child.turn != seat:
            return None
        again = [move for move in known if child.allows(move) and _wins_by(child, move)]
        if not again and not (again := wins(child)):
            return None
        known = again  # what wins after one answer mostly wins after the next: it is tried first
        found[place_of(position, answer)] = [place_of(child, move) for move in again]
    return found


def _wins_by(position: Position, move: Move) -> bool:
    """Return whether the seat to move wins at once by a legal *move*."""
    child = position.child(move)
    return child.is_over and child.winner == position.turn


def _missed_force(mistake: Mistake) -> Message | None:
    """Return the message that the better move would have forced a win: see `forced_win`; else None.

    It tells what kind of win and where.
    """
    forced = forced_win(mistake.before.child(mistake.better), mistake.before.turn)
    return Message(f"review.missed_{forced[0]}", mistake.names | forced[1]) if forced else None


def _allowed_force(mistake: Mistake) -> Message | None:
    """Return the message that the rival's answer forces a win, which the better move prevents.

    Else None.
    """
    before, after, other = mistake.before, mistake.after, mistake.before.child(mistake.better)
    if not mistake.refutation or after.turn == before.turn:
        return None
    reply, rival = mistake.refutation[0], after.turn
    forced = forced_win(after.child(reply), rival)
    if not forced or (other.allows(reply) and forced_win(other.child(reply), rival)):
        return None
    facts = mistake.names | {"reply": before.game.move_name(reply)}
    return Message(f"review.allowed_{forced[0]}", facts | forced[1])


# Wins that a solver has proved.


def _longer_win(mistake: Mistake, most: float = float("inf")) -> Message | None:
    """Return the message on the shortest proved win that was missed or allowed; else None.

    Wins that take the winner more than *most* moves of its own are left out.
    """
    before, after = mistake.before, mistake.after
    missed = _own_moves(before, mistake.plan, before.turn, mistake.wins_in)
    allowed = _own_moves(after, mistake.refutation, 1 - before.turn, mistake.loses_in)
    some = [
        ("review.missed_line", missed, mistake.wins_in),
        ("review.allowed_line", allowed, mistake.loses_in),
    ]
    fit = [each for each in some if 0 < len(each[1]) <= most]
    if not fit:
        return None
    key, line, plies = min(fit, key=lambda each: len(each[1]))
    shown = [*line[:SHORT], *(["\u2026"] if len(line) > SHORT else [])]
    return Message(
        key,
        mistake.names | {"moves": len(line), "plies": plies, "line": ", ".join(shown)},
    )


def _own_moves(position: Position, line: Sequence[Move], seat: int, plies: int | None) -> list[str]:
    """Return the names of the moves of *seat* on *line* until it wins; empty if it does not win.

    *plies* is the proved length of the win: None, or another length of *line*, gives none.
    """
    if plies is None or len(line) != plies:
        return []
    names = []
    for move in line:
        if position.turn == seat:
            names.append(position.game.move_name(move))
        position = position.child(move)
    return names if position.is_over and position.winner == seat else []


# What a move does in a game that can be won at once, by playing moves: for games without a coach.


def deeds_by_rules(position: Position, move: Move) -> Iterator[Clause]:
    """Yield clauses on a move that wins, blocks, forces a win or threatens one, by the rules alone.

    For games for two in which a win is all that counts. Nothing if the move does none of these; a
    move after which the same seat is to move, or the rival can win at once, neither forces nor
    threatens anything.
    """
    after, facts = position.child(move), _moved(position, move)
    if after.is_over:
        if after.winner == position.turn:
            yield Clause("does", Message("reason.wins", facts), decides=True)
        return
    if (place := place_of(position, move)) in threats(position):
        yield Clause("prevents", Message("reason.blocks", facts | {"place": place}))
    if after.turn == position.turn or wins(after):
        return
    if forced := forced_win(after, position.turn):
        yield Clause("does", Message(f"reason.{forced[0]}", facts | forced[1]), decides=True)
    elif places := ", ".join(threats(after)):
        yield Clause("does", Message("reason.threatens", facts | {"place": places}))
