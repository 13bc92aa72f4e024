"""What a page shows while a puzzle is solved: the answer, wrong moves, replies; made by workers."""

from __future__ import annotations

from pydantic import BaseModel

from papan import puzzles
from papan.core import Analysis, Message, PapanError, Position
from papan.puzzles.answers import PuzzleAnswer, Refutation
from papan.puzzles.themes import truth


class PuzzleFault(BaseModel):
    """A wrong move: the reason why it fails, and the play after it."""

    verdict: Message
    why: Message | None
    """The reason in the words of the game; None if there is none."""
    gives_away: bool
    """True if the reason tells the right move."""
    in_full: Message
    """Why not this move, for whoever knows the answer."""
    line: list[str]


class PuzzleAnswerFacts(BaseModel):
    """The answer to a puzzle, or to what is asked some moves later."""

    question: list[Message]
    right: list[str]
    idea: Message
    area: list[str]
    """Moves among which the right one is."""
    move: str
    line: list[str]
    """The solution to play."""
    why: Message
    likeliest_wrong: str | None
    faults: dict[str, PuzzleFault]
    """Every wrong move with what it leads to."""


class PuzzleTurn(BaseModel):
    """The answer to the moves that a person has made in a puzzle."""

    reply: list[str]
    """Best play of the rival until the person is to move again; empty if that is now."""
    answer: PuzzleAnswerFacts | None
    """The answer to what is asked then; None if the game is over."""


def puzzle_turn(puzzle: puzzles.Puzzle, moves: str) -> PuzzleTurn:
    """Return what follows *moves* in a puzzle; raise PapanError if it is too hard to solve."""
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
    """Return why a move is wrong as a page shows it."""
    name = wrong.position.game.move_name
    return PuzzleFault(
        verdict=wrong.verdict,
        why=wrong.why,
        gives_away=wrong.gives_away,
        in_full=wrong.in_full,
        line=[name(move) for move in wrong.line],
    )


def _solved(position: Position) -> Analysis:
    """Return the proved value of every move; raise PapanError if that would take too long."""
    if (found := truth(position)) is None:
        raise PapanError("web.puzzle_not_solved", position=str(position))
    return found
