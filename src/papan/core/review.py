"""The review of a played game: the verdicts on its moves, what decided it, and counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from papan.core.message import Message, text_of
from papan.core.reasons import PLAIN_FAULTS, Mistake, fault, forced_win, reason, wins
from papan.core.record import Record
from papan.core.reviewer import Verdict, spoken
from papan.core.session import seat_names


def _all_exact(verdicts: Iterable[Verdict]) -> bool:
    """Return whether it is proved of every move what it cost; True for no verdicts."""
    return all(each.kind != "open" and each.sure == "exact" for each in verdicts)


def _makes_sure(verdict: Verdict) -> bool:
    """Return whether the move of *verdict* is proved, by search or rules, to leave its seat a win.

    That is a final margin above 0.
    """
    won = -1 if verdict.seat else 1
    if verdict.then_proved and verdict.then is not None and verdict.then * won > 0:
        return True
    return forced_win(verdict.position.child(verdict.move), verdict.seat) is not None


@dataclass(frozen=True)
class Review:
    """The verdicts on a game, first move first; what they add up to, as data and in words.

    ``str`` of it is the English text of `lines`.
    """

    verdicts: tuple[Verdict, ...]
    """One for each move that was judged."""
    record: Record | None = None
    """The record of the game, if its players are known."""

    @property
    def mistakes(self) -> tuple[Verdict, ...]:
        """The verdicts on moves that gave something away, in the order of the game."""
        return tuple(each for each in self.verdicts if each.wrong)

    @property
    def moment(self) -> Verdict | None:
        """The last verdict on a changed result, else the costliest mistake; None without mistakes.

        It is what the game turned on.
        """
        changed = [each for each in self.mistakes if each.kind == "changed"]
        return (
            changed[-1] if changed else max(self.mistakes, key=lambda each: each.lost, default=None)
        )

    def story(self) -> tuple[tuple[int, Message], ...]:
        """Return (seat, message) on what decided the game; *player* in the message is that seat.

        Empty if there are no verdicts.
        """
        return (*self._turned(), *self._decided())

    def _turned(self) -> Iterator[tuple[int, Message]]:
        """Yield (seat, message) on the move that changed the result or cost most: `moment`.

        Without a mistake, but with a `_winner` and every verdict exact: that the winner kept the
        result, and perhaps how the loser let it win (`_let_win`). Else without a mistake: seat 0
        and a message that the game was faultless, or that no mistake was found. Nothing without
        verdicts.
        """
        if not self.verdicts:
            return
        moment = self.moment
        if moment is None and self._winner is not None and _all_exact(self.verdicts):
            yield self._winner, Message("review.result_kept")
            yield from self._let_win(1 - self._winner)
            return
        if moment is None:
            alone = self.verdicts[0].position.game.seats == 1
            faultless = "review.faultless_alone" if alone else "review.faultless"
            yield 0, Message(faultless if _all_exact(self.verdicts) else "review.none_found")
            return
        key = self._turned_key(moment)
        yield moment.seat, Message(key, {"ply": moment.ply + 1, "move": moment.name})

    @property
    def _winner(self) -> int | None:
        """The seat that has won after the last move judged, in a game for two without points.

        None for a draw, an open game, a game of points or for one, and without verdicts.
        """
        last = self.verdicts[-1] if self.verdicts else None
        if last is None or last.position.game.largest_margin != 1:
            return None
        return last.position.child(last.move).winner if last.position.game.seats > 1 else None

    def _let_win(self, seat: int) -> Iterator[tuple[int, Message]]:
        """Yield (seat, message) that *seat*, which lost, let the rival win at once with its last
        move.

        Nothing if it did not, or if no move would have prevented that. The move did not change the
        result, but it is what everybody sees.
        """
        own = [each for each in self.verdicts if each.seat == seat]
        if not own:
            return
        before, move = own[-1].position, own[-1].move
        safe = (each for each in before.moves() if not wins(before.child(each)))
        if wins(before.child(move)) and (better := next(safe, None)) is not None:
            why = fault(Mistake(before, move, (better,), ()))
            if why is not None and why.key in PLAIN_FAULTS:
                yield seat, why

    def _turned_key(self, moment: Verdict) -> str:
        """Return the key of the sentence that the game turned on *moment*, or that it cost most.

        *moment* is `Review.moment`; the sentence claims no more than was proved.
        """
        changed = sum(each.kind == "changed" for each in self.mistakes)
        if not changed:
            return f"review.costliest{'' if _all_exact(self.verdicts) else '_judged'}"
        if moment.sure in ("half", "estimate"):
            return "review.turned_guessed"
        later = [each for each in self.verdicts if each.ply > moment.ply]
        return "review.turned_last" if changed > 1 and _all_exact(later) else "review.turned"

    def _decided(self) -> Iterator[tuple[int, Message]]:
        """Yield two (seat, message) on the winner's first move after which its win stayed certain.

        The first has the ply of that move, the second its `reason`. Certain is a win that
        `_makes_sure`, after that move and each later one of the winner but the last, which is not
        looked at. Nothing if the game is for one or of points, if there is no winner (`_winner`),
        if there is no such move, or if its reason tells a cost.
        """
        seat = self._winner
        if seat is None:
            return
        own = [each for each in self.verdicts if each.seat == seat][:-1]
        sure = [*takewhile(_makes_sure, reversed(own))]
        if not sure:
            return
        first = sure[-1]
        why = reason(first.position, first.move).clauses[0]
        if not why.costs:
            yield seat, Message("review.decided", {"ply": first.ply + 1})
            yield seat, why.message

    def counts(self, seat: int) -> dict[str, int]:
        """Return how many moves of *seat* (0 or 1) have each kind of verdict.

        Keys: ``moves`` (all), ``judged`` (not open), and of these ``best`` (no mistakes),
        ``blunders`` (obvious mistakes), ``hidden`` (the others) and ``guessed`` (by an estimate
        alone).
        """
        mine = [each for each in self.verdicts if each.seat == seat]
        judged = [each for each in mine if each.kind != "open"]
        return {
            "moves": len(mine),
            "judged": len(judged),
            "best": sum(not each.wrong for each in judged),
            "blunders": sum(each.wrong and each.obvious for each in judged),
            "hidden": sum(each.wrong and not each.obvious for each in judged),
            "guessed": sum(each.sure == "estimate" for each in judged),
        }

    def json(self) -> dict[str, Any]:
        """Return the review as JSON data.

        Keys: ``record`` (or None), ``verdicts``, ``moment`` (its ply from 0, or None), ``story``
        (messages with their ``seat``) and ``seats`` (`counts` of each).
        """
        seats = range(self.verdicts[0].position.game.seats if self.verdicts else 0)
        return {
            "record": None if self.record is None else self.record.json(),
            "verdicts": [each.json() for each in self.verdicts],
            "moment": None if self.moment is None else self.moment.ply,
            "story": [{"seat": seat, **each.json()} for seat, each in self.story()],
            "seats": [self.counts(seat) for seat in seats],
        }

    def names(self, language: str = "en") -> tuple[str, ...]:
        """Return the names of the players in *language*, seat by seat: see `seat_names`.

        Empty without a verdict.
        """
        first = self.verdicts[:1]
        return seat_names(first[0].position.game, self.record, language) if first else ()

    def lines(self, language: str = "en") -> Iterator[str]:
        """Yield the review in words, line by line, in *language*.

        What decided the game, then each mistake with its lines of play, then a line on each player;
        nothing without verdicts.
        """
        names = self.names(language)
        for seat, message in self.story():
            yield spoken(message, seat, names, language)
        for each in self.mistakes:
            kind = text_of(f"review.{'blunder' if each.obvious else 'hidden'}", language)
            mark = "??" if each.obvious else "?"
            yield f"{each.ply + 1}. {each.name} {mark} {kind}. {each.text(language, names)}"
            yield from self._played(each, names, language)
        for seat in range(len(names)):
            yield " ".join(self._summary(seat, names, language))

    def _played(self, mistake: Verdict, names: Sequence[str], language: str) -> Iterator[str]:
        """Yield the lines of play of a *mistake*, each as an indented text with what it leads to.

        First the one that shows the mistake, then the better one; an empty one is left out.
        """
        name = mistake.position.game.move_name
        shown = ("review.line", mistake.refutation), ("review.better_line", mistake.plan)
        for (key, line), end in zip(shown, mistake.ends or (), strict=False):
            if line:
                seen = spoken(end, mistake.seat, names, language)
                words = " ".join(map(name, line))
                yield f"    {text_of(key, language, line=words)} \u2192 {seen}"

    def _summary(self, seat: int, names: Sequence[str], language: str) -> Iterator[str]:
        """Yield the sentences in *language* that sum up the moves of *seat*; *names* by seat."""
        counts = self.counts(seat)
        yield text_of("review.summary", language, player=names[seat], **counts)
        if counts["guessed"]:
            yield text_of("review.some_guessed", language, **counts)
        if opened := counts["moves"] - counts["judged"]:
            yield text_of("review.some_open", language, open=opened)
        if self.record is not None and any(self.record.hints) and self.record.hints[seat]:
            yield text_of("play.hints", language, hints=self.record.hints[seat])

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Review of {len(self.verdicts)} plies, mistakes: {len(self.mistakes)}>"
