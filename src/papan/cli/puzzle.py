"""``papan puzzle``: solve puzzles in the terminal, with a rating; missed ones come back later."""

from __future__ import annotations

import json as json_module
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from papan import catalog, puzzles
from papan.cli.arguments import JsonOption, argument, check_seed, complete_game, completion
from papan.cli.play import on_a_screen
from papan.core import InvalidSpecError, Move, PapanError, Position
from papan.core.files import read_regular
from papan.core.parts import Drawing
from papan.core.session import picked_move
from papan.lab.files import LONGEST_RECORD, data_folder, write_whole, writing
from papan.puzzles import Puzzle, PuzzleProgress, in_words, themes
from papan.puzzles.answers import PuzzleAnswer, sentences
from papan.terminal.output import language, print_json, progress, say, seat_title

MOST_BOARDS = 3
"""Number of moves of a line that are each shown on the board, besides the last one."""
SEVERAL = 6
"""Default number of printed puzzles."""


complete_theme = completion(puzzles.all_themes)
complete_difficulty = completion(lambda: puzzles.DIFFICULTIES)


def puzzle(
    game: Annotated[str, argument("[GAME]", complete_game)] = "",
    theme: Annotated[str, typer.Option(metavar="THEME", autocompletion=complete_theme)] = "",
    difficulty: Annotated[
        str, typer.Option(metavar="LEVEL", autocompletion=complete_difficulty)
    ] = "",
    daily: Annotated[bool, typer.Option("--daily")] = False,
    new: Annotated[bool, typer.Option("--new")] = False,
    count: Annotated[int | None, typer.Option(metavar="N")] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", callback=check_seed)] = None,
    sheet: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    json: JsonOption = False,
) -> None:
    """Ask puzzles one after the other, at most *count* (None: until the person quits).

    *sheet* writes them to a file to print, *json* prints them, `SEVERAL` without *count*; the other
    options are those of ``papan puzzle --help``. Raise PapanError if one is invalid or no puzzle
    matches.
    """
    if count is not None and count < 1:
        raise InvalidSpecError("complexity.bad_effort", effort="--count", amount=count)
    chance = random.randrange(1, 10**6) if seed is None else seed
    today = datetime.now(UTC).date()
    name = game.partition(":")[0]
    if daily:
        asked: Iterator[Puzzle] = iter([puzzles.daily(today)])
    elif new or (name in catalog.GAMES and not puzzles.has_shipped(name)):
        asked = made(game, theme, difficulty, chance)
    elif sheet is not None:  # for other people: the user's rating does not matter
        asked = iter(
            puzzles.sample(
                puzzles.chosen_puzzles(game, theme, difficulty), count or SEVERAL, chance
            )
        )
    else:
        asked = drawn(puzzles.chosen_puzzles(game, theme, difficulty), game, chance, today)
    several = None if sheet is None and not json else SEVERAL
    asked = islice(asked, min(count, sys.maxsize) if count else several)
    if sheet is not None:
        print_sheet(list(asked), sheet)
        return
    if json:
        for each in asked:
            print_json(facts(each))
        return
    ask_all(asked, today, daily)


def ask_all(asked: Iterable[Puzzle], today: date, daily: bool) -> None:
    """Ask puzzles one after the other until the person quits, and save the progress after each.

    *today* decides when missed ones come back; *daily*: it is the puzzle of the day, which counts
    for the streak if solved. Raise PapanError if the progress cannot be saved.
    """
    print(standing(_load()))
    for each in asked:
        attempt = Attempt(each)
        first = attempt.run()
        if first is None:
            break
        before = _load()
        progress = before.after(each, first, today)
        if daily and attempt.solved:
            progress = progress.after_daily(today)
        _save(progress)
        print(points(before, progress))
        if attempt.quits:
            break


def print_sheet(asked: Sequence[Puzzle], path: Path) -> None:
    """Write the puzzles *asked* to *path*, a sheet to print, and print its path.

    Raise PapanError if it cannot be written.
    """
    from papan.puzzles.sheet import write_sheet  # brings the writer of reports

    with writing(path):
        print(write_sheet(asked, path, language()))


def drawn(wanted: Sequence[Puzzle], game: str, seed: int, today: date) -> Iterator[Puzzle]:
    """Yield those of *wanted* that are to be repeated on *today*, then others near the person's
    rating, endlessly.

    *game* is the spec that was asked for, empty for all games; *seed* draws among equally near
    puzzles. *wanted* must not be empty (ValueError).
    """
    kinds = {(each.game, each.theme) for each in wanted}
    for kept in _load().due(today):
        missed = puzzles.recalled(kept)
        if missed is not None and (missed.game, missed.theme) in kinds:
            yield missed
    drawn_now = set[str]()
    while True:
        progress = _load()
        next_rating = progress.next_rating(game)
        found = puzzles.near(wanted, next_rating, seed, {*progress.seen, *drawn_now})
        drawn_now.add(found.name)
        yield found
        seed += 1


def made(game: str, theme: str, difficulty: str, seed: int) -> Iterator[Puzzle]:
    """Return new puzzles of *game* (a spec), made on demand; the first may take long.

    *theme* and *difficulty* select them, empty: any. Raise InvalidSpecError if no game is named or
    none can be made.
    """
    from papan.puzzles.making import make

    if not game:
        raise InvalidSpecError("puzzle.which_game", known=", ".join(catalog.GAMES))
    rules = catalog.game(game)
    puzzles.check_can_make(rules, theme, difficulty)
    progress(say("puzzle.making", spec=rules.spec))
    return (each for each in make(rules, seed, theme) if difficulty in ("", each.difficulty))


def facts(puzzle: Puzzle) -> dict[str, object]:
    """Return a puzzle as JSON data, with its question, solution and reasons in the run's language.

    "rating" is its Elo, "right" and "line" are lists of names of moves.
    """
    answer = PuzzleAnswer.of(puzzle)
    name = puzzle.position.game.move_name
    return {
        "name": puzzle.name,
        "theme": puzzle.theme,
        "rating": puzzle.rating,
        "position": puzzle.text,
        "question": in_words(puzzles.question(puzzle, answer.found, plain=True), language()),
        "right": [name(move) for move in answer.right],
        "line": [name(move) for move in answer.found.line],
        "why": in_words(sentences(answer), language()),
    }


class Attempt:
    """One attempt at a puzzle in the terminal: it is asked until it is solved, given up or left."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.seat = puzzle, puzzle.position.turn
        self.answer = PuzzleAnswer.of(puzzle)
        self.first: bool | None = None
        """True if the first answer was right, without a hint; None before the first answer."""
        self.solved = False
        self.quits = False
        """True once the person wants no more puzzles."""
        self._left = False
        self._hints = 0

    @property
    def position(self) -> Position:
        """The position in which a move is asked for now."""
        return self.answer.position

    def run(self) -> bool | None:
        """Ask the puzzle to its end; return whether the first answer was right.

        A hint or the solution before it counts as wrong. None if the person left before any of
        these.
        """
        print(puzzles.title(self.puzzle, language()))
        print(Drawing.of(self.position).picture())
        print(in_words(puzzles.question(self.puzzle, self.answer.found, plain=True), language()))
        while not (self.solved or self._left):
            self._ask()
        return self.first

    def _ask(self) -> None:
        text = self._typed()
        if text is None or text in WORDS["quit"]:
            self._left = self.quits = True
        elif text in WORDS["hint"]:
            self.first = False
            print(self._hint())
        elif text in WORDS["solution"]:
            self.first = False
            self._left = True
            self._play("puzzle.solution", self.answer.line)
            self._explain()
        elif text:
            try:
                self._answer(picked_move(self.position, text))
            except PapanError as error:
                print(error.text(language()))

    def _typed(self) -> str | None:
        """Return the line that the person types, stripped, in lower case; None at the end of the
        input.
        """
        prompt = say("puzzle.prompt")
        if not on_a_screen():
            print(prompt, flush=True)
            prompt = ""
        try:
            return input(f"{prompt} " if prompt else "").strip().lower()
        except EOFError:
            return None

    def _hint(self) -> str:
        """Return the next hint: first the idea, then where to look, then the move with its
        reason.
        """
        self._hints += 1
        if self._hints == 1:
            return say("puzzle.hint_idea", idea=self.answer.idea.text(language()))
        if self._hints == 2:
            return say("puzzle.hint_area", moves=" ".join(self.answer.area))
        move = self.position.game.move_name(self.answer.move)
        return f"{say('puzzle.hint_move', move=move)} {self.answer.why.text(language())}"

    def _answer(self, move: Move) -> None:
        if move not in self.answer.right:
            self.first = False
            self._refute(move)
            return
        self.first = True if self.first is None else self.first
        after = self.position.child(move)
        if not themes.lasting(self.puzzle.theme) or after.is_over:
            self.solved = True
            print(say("puzzle.solved"))
            if self.answer.line[:1] == (move,) != self.answer.line:
                self._play("puzzle.solution", self.answer.line)
            self._explain()
            return
        after = self._reply(after)
        self.answer = PuzzleAnswer(self.puzzle.theme, after, themes.solved(after))
        self._hints = 0
        print(Drawing.of(after).picture())
        print(say("puzzle.go_on"))

    def _reply(self, position: Position) -> Position:
        """Make and print the rival's best moves until it is the person's turn, or the game is over.

        Return the position then; *position* is that after the person's move.
        """
        while position.turn != self.seat and not position.is_over:
            move = themes.solved(position).move
            who = seat_title(position, position.turn)
            print(say("web.moved", player=who, move=position.game.move_name(move)))
            position = position.child(move)
        return position

    def _refute(self, move: Move) -> None:
        """Print that *move* is wrong, why (unless that gives the answer away), and the play after
        it.
        """
        wrong = self.answer.refutation(move)
        why = () if wrong.why is None or wrong.gives_away else (wrong.why,)
        print(in_words((wrong.verdict, *why), language()))
        self._play("puzzle.line", (move, *wrong.line))

    def _explain(self) -> None:
        """Print why the right move of the puzzle works, why the likeliest wrong one fails, and the
        theme.
        """
        print(in_words(sentences(PuzzleAnswer.of(self.puzzle)), language()))
        theme = say(f"puzzle.theme_{self.puzzle.theme}")
        print(say("puzzle.was_theme", theme=theme))

    def _play(self, key: str, line: Sequence[Move]) -> None:
        """Print a line of moves in the sentence with *key*, then the boards after the first and
        last moves.

        The moves are played from `position`, which stays.
        """
        name = self.position.game.move_name
        print(say(key, line=" ".join(map(name, line))))
        position = self.position
        for number, move in enumerate(line, 1):
            position = position.child(move)
            if number <= MOST_BOARDS or number == len(line):
                print(f"{number}. {name(move)}\n{Drawing.of(position).picture()}")


WORDS = {
    "hint": ("hint", "petunjuk"),
    "solution": ("solution", "jawaban"),
    "quit": ("quit", "keluar"),
}
"""Words that can be typed instead of a move, in all languages."""


def points(before: PuzzleProgress, after: PuzzleProgress) -> str:
    """Return the change of a person's rating (Elo, whole) by a puzzle, as a sentence."""
    gained = round(after.rating) - round(before.rating)
    return say("puzzle.points", points=f"{gained:+d}", rating=round(after.rating))


def standing(progress: PuzzleProgress) -> str:
    """Return a person's rating (Elo), streak and number of missed puzzles, as one line."""
    values = {"rating": round(progress.rating), "streak": progress.streak, "days": progress.days}
    return say("puzzle.standing", **values, missed=len(progress.missed))


def _load() -> PuzzleProgress:
    """Return the saved progress of this user; a missing or unreadable file counts as no progress.

    Missed puzzles that no longer exist are left out.
    """
    try:
        kept = json_module.loads(read_regular(_path(), LONGEST_RECORD))
        missed = {name: (int(box), str(day)) for name, (box, day) in kept.pop("missed").items()}
        known = {name: each for name, each in missed.items() if puzzles.recalled(name)}
        return PuzzleProgress(**kept | {"missed": known, "seen": tuple(kept["seen"])})
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return PuzzleProgress()


def _save(progress: PuzzleProgress) -> None:
    """Write the progress to the data folder; raise PapanError if it cannot be written."""
    with writing(_path()):
        _path().parent.mkdir(parents=True, exist_ok=True)
        write_whole(_path(), json_module.dumps(asdict(progress)) + "\n")


def _path() -> Path:
    return data_folder() / "puzzles.json"
