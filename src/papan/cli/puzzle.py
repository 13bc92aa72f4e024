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

    *game* (a name; a spec if puzzles are made), *theme* (such as ``win``) and *difficulty*
    (``easy``, ``medium``, ``hard``) select them; empty: any. *daily* asks the one puzzle of today
    (UTC), whatever is selected; *new* makes new ones, as is done for a game without shipped
    puzzles; *seed* draws them (None: at random). *sheet* writes them to an HTML file to print
    instead, *json* prints them; without *count* both take `SEVERAL`. Raise PapanError if an option
    is invalid, no puzzle matches, or a file cannot be written.
    """
    if count is not None and count < 1:
        raise InvalidSpecError("complexity.bad_effort", effort="--count", amount=count)
    chance = random.randrange(1, 10**6) if seed is None else seed
    today = datetime.now(UTC).date()
    asked: Iterator[Puzzle]
    if daily:
        asked = iter([puzzles.daily(today)])
    elif new or not _ships(game.partition(":")[0]):
        asked = made(game, theme, difficulty, chance)
    else:
        wanted = puzzles.chosen_puzzles(game, theme, difficulty)
        if sheet is None:
            asked = drawn(wanted, game, chance, today)
        else:  # for other people: the user's rating does not matter
            asked = iter(puzzles.sample(wanted, count or SEVERAL, chance))
    most = None if count is None else min(count, sys.maxsize)
    if sheet is not None:
        print_sheet(list(islice(asked, most or SEVERAL)), sheet)
    elif json:
        for each in islice(asked, most or SEVERAL):
            print_json(facts(each))
    else:
        ask_all(islice(asked, most), today, daily)


def _ships(name: str) -> bool:
    """Return whether papan ships puzzles of the game *name*; True for what is no game.

    So an unknown name is refused by the choice among shipped puzzles; an empty one means all games.
    """
    return name not in catalog.GAMES or puzzles.has_shipped(name)


def ask_all(asked: Iterable[Puzzle], today: date, daily: bool) -> None:
    """Ask the puzzles *asked* in turn, until all are done or the person quits; save after each.

    What is saved is the person's progress. A puzzle that is left without an answer, hint or
    solution does not count, and no other is asked after it. *today* decides when missed ones come
    back. *daily* says that *asked* is the puzzle of the day, which counts for its own streak if it
    is solved. Raise PapanError if the progress cannot be saved.
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
    """Write the puzzles *asked* to *path*, an HTML sheet to print, and print its path.

    Raise PapanError if *path* does not end in ``.html`` or cannot be written.
    """
    from papan.puzzles.sheet import write_sheet  # brings the writer of reports

    with writing(path):
        print(write_sheet(asked, path, language()))


def drawn(wanted: Sequence[Puzzle], game: str, seed: int, today: date) -> Iterator[Puzzle]:
    """Yield the puzzles to be repeated on *today*, then others near the person's rating, endlessly.

    To be repeated are the missed puzzles that are due, the oldest first, if one of *wanted* has the
    same game and theme. All others are from *wanted*: near the rating for *game* (a name; empty:
    for all games), drawn by *seed* among the nearest. Of these, puzzles that the person has seen or
    that were drawn before are left out, unless no other one is left. Raise ValueError, after the
    repeated ones, if *wanted* is empty.
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
    """Return an endless iterator of new puzzles of *game* (a spec); making each may take long.

    *theme* and *difficulty* select them by name; empty: any. *seed* draws them. Raise PapanError if
    no game is named, it is unknown, or certainly has no such puzzle (`check_can_make`); where there
    is none but that is not certain, the iterator searches for ever.
    """
    from papan.puzzles.making import make

    if not game:
        raise InvalidSpecError("puzzle.which_game", known=", ".join(catalog.GAMES))
    rules = catalog.game(game)
    puzzles.check_can_make(rules, theme, difficulty)
    progress(say("puzzle.making", spec=rules.spec))
    return (each for each in make(rules, seed, theme) if difficulty in ("", each.difficulty))


def facts(puzzle: Puzzle) -> dict[str, object]:
    """Return a puzzle as JSON data, with question and reasons in the run's language.

    The keys are name, theme, rating (in Elo), position (text), question, right (names of all right
    moves), line (names of the moves of the solution) and why.
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
    """One attempt at *puzzle* in the terminal: `run` asks until it is solved, given up or left.

    Afterwards `solved` is True if it was solved, `quits` if the person wants no more puzzles.
    `first` is True if all answers were right, False after a wrong one, a hint or the solution, and
    None if there was none of these.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.seat = puzzle, puzzle.position.turn
        self.answer = PuzzleAnswer.of(puzzle)
        self.first: bool | None = None
        """True while all answers were right; False after a wrong one, a hint or the solution; None
        before any of these.
        """
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
        """Ask the puzzle to its end; return whether every answer was right at the first try.

        To ask for a hint or the solution counts as a wrong answer. None if the person left before
        any answer, hint or solution.
        """
        print(puzzles.title(self.puzzle, language()))
        print(Drawing.of(self.position).picture())
        print(in_words(puzzles.question(self.puzzle, self.answer.found, plain=True), language()))
        while not (self.solved or self._left):
            self._ask()
        return self.first

    def _ask(self) -> None:
        """Read a move or one of `WORDS` and carry it out; the end of the input is ``quit``.

        The error of a text that is neither is printed; an empty line does nothing.
        """
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
        """Return the line that the person types, stripped and in lower case.

        None at the end of the input. Without a screen the prompt is a line of its own.
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
        """Return the next hint: the idea, then where to look, then the move with its reason.

        From the third call on it is always the move.
        """
        self._hints += 1
        if self._hints == 1:
            return say("puzzle.hint_idea", idea=self.answer.idea.text(language()))
        if self._hints == 2:
            return say("puzzle.hint_area", moves=" ".join(self.answer.area))
        move = self.position.game.move_name(self.answer.move)
        return f"{say('puzzle.hint_move', move=move)} {self.answer.why.text(language())}"

    def _answer(self, move: Move) -> None:
        """Judge the person's legal *move*, print what follows, and note it in `first`.

        After a wrong one the same is asked again. After a right one the puzzle is solved, or goes
        on after the rival's reply.
        """
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

        *position* is the one after the person's move; return the one after the replies.
        """
        while position.turn != self.seat and not position.is_over:
            move = themes.solved(position).move
            who = seat_title(position, position.turn)
            print(say("web.moved", player=who, move=position.game.move_name(move)))
            position = position.child(move)
        return position

    def _refute(self, move: Move) -> None:
        """Print that *move* is wrong, the reason, and the play that follows it.

        The reason is left out if it would give the answer away.
        """
        wrong = self.answer.refutation(move)
        why = () if wrong.why is None or wrong.gives_away else (wrong.why,)
        print(in_words((wrong.verdict, *why), language()))
        self._play("puzzle.line", (move, *wrong.line))

    def _explain(self) -> None:
        """Print why the right move works, why the most tempting wrong one fails, and the theme.

        The second sentence is left out if no move is wrong.
        """
        print(in_words(sentences(PuzzleAnswer.of(self.puzzle)), language()))
        theme = say(f"puzzle.theme_{self.puzzle.theme}")
        print(say("puzzle.was_theme", theme=theme))

    def _play(self, key: str, line: Sequence[Move]) -> None:
        """Print a line of moves in the sentence with the text key *key*, then boards.

        There is a board after each of the first `MOST_BOARDS` moves and after the last. The moves
        are played from `position`, which is not changed.
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
    """Return a sentence on how a puzzle changed a person's rating, in whole Elo points.

    *before* and *after* are the progress before and after that puzzle.
    """
    gained = round(after.rating) - round(before.rating)
    return say("puzzle.points", points=f"{gained:+d}", rating=round(after.rating))


def standing(progress: PuzzleProgress) -> str:
    """Return a person's rating (Elo), streaks and number of missed puzzles, as one line."""
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
