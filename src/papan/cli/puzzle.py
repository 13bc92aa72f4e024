"""``papan puzzle``: puzzles in the terminal, with a rating; missed ones come back."""

from __future__ import annotations

import json as json_module
import random
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
from papan.core import Analysis, InvalidSpecError, Move, PapanError, Position, Proved
from papan.core.files import read_regular
from papan.core.parts import Drawing
from papan.core.session import picked_move
from papan.lab.files import LONGEST_RECORD, data_folder, write_whole, writing
from papan.puzzles import Puzzle, PuzzleProgress, themes
from papan.terminal.output import language, print_json, progress, say, seat_title

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
    """Ask puzzles one after the other, up to the requested number."""
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
        asked = drawn(puzzles.chosen_puzzles(game, theme, difficulty), chance, today)
    asked = islice(asked, count or (None if sheet is None and not json else SEVERAL))
    if sheet is not None:
        print_sheet(list(asked), sheet)
        return
    if json:
        for each in asked:
            print_json(facts(each))
        return
    ask_all(asked, today, daily)


def ask_all(asked: Iterable[Puzzle], today: date, daily: bool) -> None:
    """Ask puzzles one after the other, and save the progress."""
    print(standing(_load()))
    for each in asked:
        attempt = Attempt(each)
        first = attempt.run()
        if first is None:
            break
        progress = _load().after(each, first, today)
        if daily and attempt.solved:
            progress = progress.after_daily(today)
        _save(progress)
        print(standing(progress))
        if attempt.quits:
            break


def print_sheet(asked: Sequence[Puzzle], path: Path) -> None:
    """Write a sheet to print."""
    from papan.puzzles.sheet import write_sheet  # brings the writer of reports

    with writing(path):
        print(write_sheet(asked, path, language()))


def drawn(wanted: Sequence[Puzzle], seed: int, today: date) -> Iterator[Puzzle]:
    """Yield the puzzles to repeat, then puzzles near the person's rating, endlessly."""
    kinds = {(each.game, each.theme) for each in wanted}
    for kept in _load().due(today):
        missed = puzzles.recalled(kept)
        if missed is not None and (missed.game, missed.theme) in kinds:
            yield missed
    drawn_now = set[str]()
    while True:
        progress = _load()
        found = puzzles.near(wanted, progress.rating, seed, {*progress.seen, *drawn_now})
        drawn_now.add(found.name)
        yield found
        seed += 1


def made(game: str, theme: str, difficulty: str, seed: int) -> Iterator[Puzzle]:
    """Yield new puzzles, made on demand; raise InvalidSpecError if no game is named."""
    from papan.puzzles.making import make

    if not game:
        raise InvalidSpecError("puzzle.which_game", known=", ".join(catalog.GAMES))
    rules = catalog.game(game)
    puzzles.check_can_make(rules, theme, difficulty)
    progress(say("puzzle.making", spec=rules.spec))
    return (each for each in make(rules, seed, theme) if difficulty in ("", each.difficulty))


def facts(puzzle: Puzzle) -> dict[str, object]:
    """Return a puzzle as data, with its solution."""
    position = puzzle.position
    found = themes.solved(position)
    name = position.game.move_name
    return {
        "name": puzzle.name,
        "theme": puzzle.theme,
        "rating": puzzle.rating,
        "position": puzzle.text,
        "right": [name(move) for move in themes.right_moves(position, found)],
        "line": [name(move) for move in found.line],
    }


class Attempt:
    """One puzzle, asked until it is solved, given up or left."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.position, self.seat = puzzle, puzzle.position, puzzle.position.turn
        self.found = themes.solved(self.position)
        self.first: bool | None = None
        """True if the first answer was right, without a hint; None before it."""
        self.solved = False
        self.quits = False
        """True if the person wants no more puzzles."""
        self._left = False

    def run(self) -> bool | None:
        """Ask the puzzle; return whether the first answer was right, None if there was none."""
        print(puzzles.title(self.puzzle, language()))
        print(Drawing.of(self.position).picture())
        print(puzzles.question(self.puzzle, self.found, language()))
        while not (self.solved or self._left):
            self._ask()
        return self.first

    def _ask(self) -> None:
        text = self._typed()
        if text is None or text in WORDS["quit"]:
            self._left = self.quits = True
        elif text in WORDS["hint"]:
            self.first = False
            print(say("puzzle.hint", moves=" ".join(themes.hint(self.position, self.found))))
        elif text in WORDS["solution"]:
            self.first = False
            self._left = True
            print(say("puzzle.solution", line=_names(self.position, self.found.line)))
        elif text:
            try:
                self._answer(picked_move(self.position, text))
            except PapanError as error:
                print(error.text(language()))

    def _typed(self) -> str | None:
        """Return the typed line in lower case; None at the end of the input."""
        prompt = say("puzzle.prompt")
        if not on_a_screen():
            print(prompt, flush=True)
            prompt = ""
        try:
            return input(f"{prompt} " if prompt else "").strip().lower()
        except EOFError:
            return None

    def _answer(self, move: Move) -> None:
        right = move in themes.right_moves(self.position, self.found)
        if not right:
            self.first = False
            print(wrong(self.position, self.found, move))
            self._refute(move)
            return
        self.first = True if self.first is None else self.first
        self.position = self.position.child(move)
        if not themes.lasting(self.puzzle.theme) or self.position.is_over:
            self.solved = True
            print(say("puzzle.solved"))
            return
        self._reply()
        print(Drawing.of(self.position).picture())
        print(say("puzzle.go_on"))

    def _reply(self) -> None:
        """Let the rival play its best moves until it is our turn again."""
        while self.position.turn != self.seat and not self.position.is_over:
            move = themes.solved(self.position).move
            who = seat_title(self.position, self.position.turn)
            name = self.position.game.move_name(move)
            print(say("web.moved", player=who, move=name))
            self.position = self.position.child(move)
        self.found = themes.solved(self.position)

    def _refute(self, move: Move) -> None:
        """Show the refutation of a wrong move, played out."""
        line = themes.refutation(self.position, move)
        end = self.position.child(move)
        for each in line:
            end = end.child(each)
        print(say("puzzle.line", line=_names(self.position, (move, *line))))
        print(Drawing.of(end).picture())


WORDS = {
    "hint": ("hint", "petunjuk"),
    "solution": ("solution", "jawaban"),
    "quit": ("quit", "keluar"),
}
"""Words that can be typed instead of a move, in all languages."""


def wrong(position: Position, found: Analysis, move: Move) -> str:
    """Return the fault of a move, in one sentence."""
    value, name = found.values[move], position.game.move_name(move)
    assert isinstance(value, Proved)
    return say(f"puzzle.wrong_{themes.loss(position, found, value)}", move=name)


def _names(position: Position, line: tuple[Move, ...]) -> str:
    """Return a line of moves as people write it."""
    return " ".join(map(position.game.move_name, line))


def standing(progress: PuzzleProgress) -> str:
    """Return the progress of a person, in one line."""
    values = {"rating": round(progress.rating), "streak": progress.streak, "days": progress.days}
    return say("puzzle.standing", **values, missed=len(progress.missed))


def _load() -> PuzzleProgress:
    """Read the progress of this terminal's user; an unreadable file counts as none."""
    try:
        kept = json_module.loads(read_regular(_path(), LONGEST_RECORD))
        missed = {name: (int(box), str(day)) for name, (box, day) in kept.pop("missed").items()}
        known = {name: each for name, each in missed.items() if puzzles.recalled(name)}
        return PuzzleProgress(**kept | {"missed": known, "seen": tuple(kept["seen"])})
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return PuzzleProgress()


def _save(progress: PuzzleProgress) -> None:
    """Save the progress."""
    with writing(_path()):
        _path().parent.mkdir(parents=True, exist_ok=True)
        write_whole(_path(), json_module.dumps(asdict(progress)) + "\n")


def _path() -> Path:
    return data_folder() / "puzzles.json"
