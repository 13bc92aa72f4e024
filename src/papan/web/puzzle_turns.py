"""Answers shown while a puzzle is solved: right and wrong moves, replies. Workers make them."""

from __future__ import annotations

from pydantic import BaseModel

from papan import puzzles
from papan.core import Analysis, Message, PapanError, Position
from papan.puzzles.answers import PuzzleAnswer, Refutation
from papan.puzzles.themes import truth


class PuzzleFacts(BaseModel):
    """A puzzle as a page asks it; its answer comes as a `PuzzleTurn`."""

    name: str
    """Its short name, ten hexadecimal digits; of a generated puzzle the whole text: theme, rating
    and position.
    """
    game: str
    """The name of the game."""
    theme: str
    """What is asked, such as ``win``; docs/puzzles.md has all themes."""
    rating: int
    """How hard it is, in Elo."""
    text: str
    """The position as text."""


class PuzzleFault(BaseModel):
    """A wrong move of a puzzle, and why it is wrong."""

    verdict: Message
    """What the move loses, as a sentence."""
    why: Message | None
    """The reason in the words of the game; None if there is none."""
    gives_away: bool
    """True if the reason reveals the right move."""
    in_full: Message
    """Why not this move, for a reader who knows the answer."""
    line: list[str]
    """Names of the moves of best play after it, until its harm is seen."""


class PuzzleAnswerFacts(BaseModel):
    """The answer to what a puzzle asks now: at its start, or after some right moves."""

    question: list[Message]
    """What is asked, in sentences."""
    right: list[str]
    """Names of the right moves."""
    idea: Message
    """The idea, without the move: the first hint."""
    area: list[str]
    """Names of some moves, the right one among them: the second hint."""
    move: str
    """The name of the right move; of several, the one that the solver chose."""
    line: list[str]
    """The solution to play: names of the moves of both seats, the right move first."""
    why: Message
    """The reason why that move works."""
    likeliest_wrong: str | None
    """The name of the wrong move that looks best to a person; null if every move is right."""
    faults: dict[str, PuzzleFault]
    """Every wrong move, by its name."""


class PuzzleTurn(BaseModel):
    """The rival's reply to the moves that a person has made in a puzzle, and the next question to
    the person with its answer.
    """

    reply: list[str]
    """Names of the rival's moves (best play) until the person is to move again; empty if that is
    now.
    """
    answer: PuzzleAnswerFacts | None
    """The answer to the next question; None if the game is over."""


def puzzle_facts(puzzle: puzzles.Puzzle) -> PuzzleFacts:
    """Return what a page shows of *puzzle* before it is solved; the answer is not in it."""
    shown = {name: getattr(puzzle, name) for name in ("game", "theme", "rating", "text")}
    return PuzzleFacts(name=puzzle.kept, **shown)


def puzzle_turn(puzzle: puzzles.Puzzle, moves: str) -> PuzzleTurn:
    """Return the rival's best reply after *moves* in *puzzle*, then the next question with its
    answer.

    *moves* are the names of the moves of both seats, separated by spaces (empty: at the start).
    Raise PapanError if the text of the puzzle is no position, a move is not legal, or a position is
    too hard to solve.
    """
    position = puzzle.position.after(moves)
    name, seat, reply = position.game.move_name, puzzle.position.turn, list[str]()
    while not position.is_over and position.turn != seat:
        reply.append(name(_solved(position).move))
        position = position.after(reply[-1:])
    if position.is_over:
        return PuzzleTurn(reply=reply, answer=None)
    answer = PuzzleAnswer(puzzle.theme, position, _solved(position))
    wrong = [move for move in position.moves() if move not in answer.right]
    likeliest = answer.likeliest_wrong
    facts = PuzzleAnswerFacts(
        question=puzzles.question(puzzle, answer.found),
        right=[name(move) for move in answer.right],
        idea=answer.idea,
        area=list(answer.area),
        move=name(answer.move),
        line=[name(move) for move in answer.line],
        why=answer.why,
        likeliest_wrong=None if likeliest is None else name(likeliest),
        faults={name(move): puzzle_fault(answer.refutation(move)) for move in wrong},
    )
    return PuzzleTurn(reply=reply, answer=facts)


def puzzle_fault(wrong: Refutation) -> PuzzleFault:
    """Return why a wrong move fails, in the form in which pages show it; moves by name."""
    name = wrong.position.game.move_name
    return PuzzleFault(
        verdict=wrong.verdict,
        why=wrong.why,
        gives_away=wrong.gives_away,
        in_full=wrong.in_full,
        line=[name(move) for move in wrong.line],
    )


def _solved(position: Position) -> Analysis:
    """Return an analysis with the proved value of every move of *position*.

    Raise PapanError if that takes too many nodes.
    """
    if (found := truth(position)) is None:
        raise PapanError("web.puzzle_not_solved", position=str(position))
    return found
