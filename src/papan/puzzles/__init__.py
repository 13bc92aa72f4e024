"""Puzzles: positions with one right answer, made and checked by solvers, sorted by theme.

A puzzle is a position, a theme and a rating. Its solution is not stored: the solver computes it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cache, cached_property
from hashlib import blake2s
from importlib.resources import files
from typing import Literal, TypeAlias

from papan import catalog
from papan.core import Analysis, Game, InvalidSpecError, Message, Position
from papan.core.marks import MarkGame
from papan.core.message import game_title, seat_message, text_of
from papan.puzzles.themes import GENERAL, PuzzleThemes, moves_to_win

SHIPPED = "shipped.txt"
Difficulty: TypeAlias = Literal["easy", "medium", "hard"]
DIFFICULTIES: Mapping[Difficulty, int] = {"easy": 0, "medium": 700, "hard": 1000}
"""Difficulties with the least rating of each: by sight, with one idea, with several."""
NEAR = 8
"""Number of puzzles closest to a rating from which one is drawn."""
DAILY = range(500, 1000)
"""Ratings of the puzzles of a day, which suit everybody."""
MOST_SEEN = 100
"""Most names in `PuzzleProgress.seen`."""
EASIEST = 400
"""Rating of a puzzle whose answer is seen at once."""


@dataclass(frozen=True)
class Puzzle:
    """A position with a question, which its *theme* determines, and a *rating* in Elo.

    *theme* is one of `all_themes`, such as ``win``. *text* is the position as text, which begins
    with the spec of its game. Nothing is checked.
    """

    theme: str
    """Name of what is asked, such as ``win``: one of `all_themes`."""
    rating: int
    """How hard it is, in Elo; see `papan.puzzles.sight.rating`."""
    text: str
    """The position as text, which begins with the spec of its game."""

    @cached_property
    def name(self) -> str:
        """Identifier in links and saved data: ten hexadecimal digits.

        They follow from theme and position, not from the rating.
        """
        return _mark(f"{self.theme} {self.text}", 5)

    @property
    def game(self) -> str:
        """The name of its game, such as ``connect4``: the part of `text` before the first colon."""
        return self.text.partition(":")[0]

    @property
    def difficulty(self) -> Difficulty:
        """The hardest of `DIFFICULTIES` whose least rating it reaches, such as ``medium``."""
        reached = [name for name, least in DIFFICULTIES.items() if self.rating >= least]
        return reached[-1] if reached else "easy"  # a stranger's text may say -5

    @property
    def kept(self) -> str:
        """Text that saves the puzzle: its name if shipped, else theme, rating and position."""
        return self.name if named(self.name) else f"{self.theme} {self.rating} {self.text}"

    @cached_property
    def position(self) -> Position:
        """The position that `text` describes. Raise PapanError if it describes none."""
        return catalog.position(self.text)


def _mark(text: str, size: int) -> str:
    """Return a hash of *text*, 2 * *size* hexadecimal digits."""
    return blake2s(text.encode(), digest_size=size).hexdigest()


def title(puzzle: Puzzle, language: str) -> str:
    """Return the title of a puzzle in *language* (en or id): game and rating.

    The theme is left out, because it would reveal the idea.
    """
    game = game_title(puzzle.game, language)
    return text_of("puzzle.title", language, game=game, rating=puzzle.rating)


def question(puzzle: Puzzle, found: Analysis, plain: bool = False) -> list[Message]:
    """Return the question of a puzzle as messages, one for each sentence.

    In a game for two the first says who the person is. The task follows, then what the board does
    not show. *found* is the solver's analysis of the position. *plain*: the board is in characters,
    without colours. Raise PapanError if the text of the puzzle is no position.
    """
    position, moves = puzzle.position, moves_to_win(found)
    who = [Message("puzzle.you_are", {"mark": _who(position, plain)})]
    who = who if position.game.seats > 1 else []
    facts = {"moves": Message(f"puzzle.number_{moves}")} if puzzle.theme == "win" else {}
    return [*who, Message(f"puzzle.ask_{puzzle.theme}", facts), *situation(position)]


def _who(position: Position, plain: bool) -> Message:
    """Return a message on whose turn it is, with the mark of that seat.

    In a game with shipped puzzles, and in any `MarkGame`, it names the mark and its colour, or if
    *plain* the mark and the player. In any other game it names only the player.
    """
    game, seat = position.game, position.turn
    if not (has_shipped(game.name) or isinstance(game, MarkGame)):
        return seat_message(seat, game.seats)
    mark = "plain_mark" if plain else "mark"
    return Message(f"puzzle.{mark}_{seat + 1}")


def in_words(messages: Iterable[Message], language: str) -> str:
    """Return *messages* as text in *language*, joined by spaces."""
    return " ".join(each.text(language) for each in messages)


def situation(position: Position) -> Sequence[Message]:
    """Return sentences about *position* that a question needs because the board does not show it.

    Empty if there is nothing to add.
    """
    return PuzzleThemes.of(position.game).situation(position)


@cache
def all_themes() -> tuple[str, ...]:
    """Return the names of the themes of all games, such as ``win``, cached.

    Those that only some games define come first, then those of `GENERAL`.
    """
    claims = [PuzzleThemes.of(kind()).claims for kind in catalog.GAMES.values()]
    own = (theme for each in claims for theme in each if theme not in GENERAL)
    return tuple(dict.fromkeys((*own, *GENERAL)))


@cache
def shipped() -> tuple[Puzzle, ...]:
    """Return every puzzle that comes with papan, by game and rating as in its file; cached."""
    return tuple(read(files("papan.puzzles").joinpath(SHIPPED).read_text(encoding="utf-8")))


def read(text: str) -> Iterator[Puzzle]:
    """Yield the puzzles in the text of a file.

    A line with the spec of each game is followed by one for each of its puzzles: theme, rating and
    position without the spec, such as ``last 400 ..oxo/o.oox/xooox/xooxo/xoxxx x``. Raise
    ValueError if a rating is no whole number; themes and positions are not checked.
    """
    spec = ""
    for line in text.splitlines():
        theme, _, rest = line.partition(" ")
        if rest:
            rating, _, fields = rest.partition(" ")
            yield Puzzle(theme, int(rating), f"{spec} {fields}")
        else:
            spec = theme


def write_puzzles(puzzles: Iterable[Puzzle]) -> str:
    """Return the text that `read` reads: by game and rating, each puzzle once. Empty for none."""
    lines, last = list[str](), ""
    for each in sorted(
        set(puzzles), key=lambda each: (each.text.split()[0], each.rating, each.name)
    ):
        spec, _, fields = each.text.partition(" ")
        if spec != last:
            lines.append(spec)
            last = spec
        lines.append(f"{each.theme} {each.rating} {fields}")
    return "".join(f"{line}\n" for line in lines)


def has_shipped(game: str) -> bool:
    """Return whether papan ships puzzles of the game with that name."""
    return any(each.game == game for each in shipped())


def check_can_make(game: Game, theme: str = "", difficulty: str = "") -> None:
    """Raise InvalidSpecError if *game* certainly has no puzzle of this theme and difficulty.

    *theme* and *difficulty* are names; "" is any. A game with shipped puzzles has only the themes
    and difficulties of these, as `chosen_puzzles` finds them. Of any other game only *theme* is
    checked: the game must define it; *difficulty* may be any text.
    """
    known = PuzzleThemes.of(game).claims
    if has_shipped(game.name):
        chosen_puzzles(game.name, theme, difficulty)
    elif theme and theme not in known:
        raise InvalidSpecError("puzzle.unknown_theme", name=theme, known=", ".join(known))


def chosen_puzzles(game: str = "", theme: str = "", difficulty: str = "") -> Sequence[Puzzle]:
    """Return the shipped puzzles of a game, theme and difficulty, all by name ("": all).

    They are in the order of `shipped`. Raise InvalidSpecError if a name is unknown, or if there is
    no such puzzle.
    """
    wanted = {"game": game, "theme": theme, "difficulty": difficulty}
    known = {"game": catalog.GAMES, "theme": all_themes(), "difficulty": DIFFICULTIES}
    for what, name in wanted.items():
        if name and name not in known[what]:
            names = ", ".join(known[what])
            raise InvalidSpecError(f"puzzle.unknown_{what}", name=name, known=names)
    of_game = [each for each in shipped() if game in ("", each.game)]
    found = [each for each in of_game if theme in ("", each.theme)]
    found = [each for each in found if difficulty in ("", each.difficulty)]
    if not found:
        kinds = dict.fromkeys(f"{each.theme} ({each.difficulty})" for each in of_game)
        raise InvalidSpecError("puzzle.none", game=game, known=", ".join(sorted(kinds)) or "-")
    return found


def named(name: str) -> Puzzle | None:
    """Return the shipped puzzle with this name; None if there is none."""
    return next((each for each in shipped() if each.name == name), None)


def recalled(kept: str) -> Puzzle | None:
    """Return the puzzle that `Puzzle.kept` wrote; None if the text is invalid.

    It is invalid if it has an unknown theme, a rating that is no number of one to four digits, or
    is the name of a puzzle that is no longer shipped. The position is not checked.
    """
    whole = re.fullmatch(f"({'|'.join(all_themes())}) ([0-9]{{1,4}}) (.+)", kept)
    return Puzzle(whole[1], int(whole[2]), whole[3]) if whole else named(kept)


def sample(puzzles: Sequence[Puzzle], count: int, seed: int) -> Sequence[Puzzle]:
    """Return *count* of the puzzles, or all if there are fewer, the easiest first.

    They are drawn by *seed*: the same ones for the same seed, in whatever order *puzzles* are.
    """
    drawn = sorted(puzzles, key=lambda each: _mark(f"{seed} {each.name}", 8))[:count]
    return sorted(drawn, key=lambda each: each.rating)


def near(puzzles: Sequence[Puzzle], rating: float, seed: int, seen: Collection[str]) -> Puzzle:
    """Return a puzzle near a *rating* (Elo): one of the `NEAR` closest, drawn by *seed*.

    *seen* are names of puzzles, which are left out unless all were seen. Raise ValueError if
    *puzzles* is empty.
    """
    fresh = [each for each in puzzles if each.name not in seen] or puzzles
    closest = sorted(fresh, key=lambda each: abs(each.rating - rating))[:NEAR]
    return min(closest, key=lambda each: _mark(f"{seed} {each.name}", 8))


def daily(day: date) -> Puzzle:
    """Return the puzzle of a day, with a rating in `DAILY`: the same for all users.

    New puzzles rarely change it.
    """
    fit = (each for each in shipped() if each.rating in DAILY)
    return min(fit, key=lambda each: _mark(f"{day.isoformat()} {each.name}", 8))


# Progress of a person: a rating, streaks, and puzzles to repeat.

FIRST_RATING = 600.0
"""Rating, in Elo, of a person who has tried no puzzle yet."""
BY_SIGHT, CLIMB = 20, 10
"""Number of a game's puzzles that begin at the easiest rating, and points from one to the next."""
UNSETTLED, QUICK_STEP, STEP = 20, 40, 20
"""Number of puzzles for which a rating moves by up to 40 points; after them by up to 20."""
DAYS = (1, 3, 7, 16)
"""Days until a missed puzzle is asked again, by the number of times that it was solved since."""


@dataclass(frozen=True)
class PuzzleProgress:
    """Progress of one person with puzzles, a frozen value; the browser stores the same fields.

    *rating* is the person's own, in Elo; *tried*, *streak* and *days* are counts; *missed* has the
    puzzles to repeat, *seen* the names of the last ones, *games* the number tried by game.
    """

    rating: float = FIRST_RATING
    """The person's own rating, in Elo."""
    tried: int = 0
    """Number of puzzles tried."""
    streak: int = 0
    """Number of puzzles solved in a row."""
    days: int = 0
    """Number of days in a row on which the puzzle of the day was solved."""
    last_day: str = ""
    """The last of these days, such as ``2026-01-31``; empty before the first."""
    missed: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """For each missed puzzle (`Puzzle.kept`): how often it was solved since, and the day to ask it
    again.

    That is 0 to 3 times, and a day such as ``2026-01-31``.
    """
    seen: tuple[str, ...] = ()
    """Names (`Puzzle.name`) of the last puzzles, the latest last; not asked again soon."""
    games: Mapping[str, int] = field(default_factory=dict)
    """Number of puzzles tried of each game, by its name."""

    def next_rating(self, game: str = "") -> float:
        """Return the rating, in Elo, that the next puzzle should have: the person's own.

        For the first `BY_SIGHT` puzzles of *game* (a name; "": of all games) it is at most
        ``EASIEST + CLIMB * tried``, where *tried* counts these puzzles so far.
        """
        tried = self.games.get(game, 0) if game else self.tried
        return min(self.rating, EASIEST + CLIMB * tried) if tried < BY_SIGHT else self.rating

    def after(self, puzzle: Puzzle, solved: bool, today: date) -> PuzzleProgress:
        """Return the progress after the first answer to a puzzle; *solved*: it was right.

        The rating changes by step * (solved - 1 / (1 + 10 ** ((puzzle's - own rating) / 400))),
        where step is 40 for the first `UNSETTLED` puzzles, then 20. A wrong answer ends the streak.
        The puzzle becomes the last of `seen`, which keeps the last `MOST_SEEN` names; *today*
        decides when a missed puzzle is asked again. `days` and `last_day` stay: see `after_daily`.
        """
        expected = 1 / (1 + 10 ** ((puzzle.rating - self.rating) / 400))
        step = QUICK_STEP if self.tried < UNSETTLED else STEP
        return replace(
            self,
            rating=self.rating + step * (solved - expected),
            tried=self.tried + 1,
            streak=self.streak + 1 if solved else 0,
            missed=self._repetitions(puzzle, solved, today),
            seen=(*(each for each in self.seen if each != puzzle.name), puzzle.name)[-MOST_SEEN:],
            games={**self.games, puzzle.game: self.games.get(puzzle.game, 0) + 1},
        )

    def after_daily(self, today: date) -> PuzzleProgress:
        """Return the progress after the puzzle of the day *today* was solved.

        It is unchanged if *today* is `last_day`, which was counted already. Else `days` grows by 1
        if `last_day` is the day before, and becomes 1 if it is not.
        """
        if self.last_day == today.isoformat():
            return self
        follows = self.last_day == (today - timedelta(1)).isoformat()
        return replace(self, days=self.days + 1 if follows else 1, last_day=today.isoformat())

    def due(self, today: date) -> list[str]:
        """Return the puzzles to repeat on *today*, as `Puzzle.kept` writes them, the oldest first.

        Empty if there are none.
        """
        waiting = sorted((day, name) for name, (_, day) in self.missed.items())
        return [name for day, name in waiting if day <= today.isoformat()]

    def _repetitions(self, puzzle: Puzzle, solved: bool, today: date) -> dict[str, tuple[int, str]]:
        """Return the new `missed` after *puzzle* was answered on *today*; *solved*: rightly.

        A puzzle in `missed` that is solved is asked again after the next number of `DAYS`, and is
        left out after the last. A puzzle that is not solved is asked again after the first number
        of `DAYS`, also if it was not in `missed`. A solved one that is not in `missed` is not
        added.
        """
        name = puzzle.kept
        missed = dict(self.missed)
        box = missed.pop(name)[0] + 1 if solved and name in missed else 0
        if (not solved or box) and box < len(DAYS):
            missed[name] = box, (today + timedelta(DAYS[box])).isoformat()
        return missed
