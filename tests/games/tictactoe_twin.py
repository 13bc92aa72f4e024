"""The slow, obvious twin of the Tic Tac Toe kernels: minimax by the rules, without any pruning."""

import random
from collections.abc import Iterator

import papan
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Twin:
    """The truth about one game, remembered."""

    def __init__(self, spec: str) -> None:
        game = papan.game(f"tictactoe:{spec}")
        assert isinstance(game, TicTacToe)
        self.game = game
        self.known: dict[tuple[int, int], int] = {}

    def score(self, position: TicTacToePosition) -> int:
        """0 for a draw; a win is worth one more than the cells it leaves empty, a loss the same
        below 0.
        """
        if position.marks not in self.known:
            after = [position.child(move) for move in position.moves()]
            if any(any(child.scores()) for child in after):
                score = self.empty(position)  # it wins at once, and the sooner, the better
            elif after:
                score = max(-self.score(child) for child in after)
            else:
                score = -1 - self.empty(position) if any(position.scores()) else 0
            self.known[position.marks] = score
        return self.known[position.marks]

    def empty(self, position: TicTacToePosition) -> int:
        return self.game.grid.size - sum(marks.bit_count() for marks in position.marks)

    def distance(self, position: TicTacToePosition) -> int:
        """The plies to the end, if both sides play for the score."""
        score, empty = self.score(position), self.empty(position)
        return empty + 1 - abs(score) if score else empty

    def value(self, position: TicTacToePosition, move: int) -> int:
        """The value of a move for the seat that makes it."""
        return sign(-self.score(position.child(move)))

    def positions(self, count: int, fewest: int, seed: int = 0) -> Iterator[TicTacToePosition]:
        """Positions of random games that have at least *fewest* marks and are not over."""
        rng = random.Random(f"{self.game.spec} {seed}")
        while count:
            position, marks = self.game.start(), rng.randrange(fewest, self.game.grid.size)
            for _ in range(marks):
                moves = position.moves()
                if not moves:
                    break
                position = position.child(rng.choice(moves))
            if position.moves():
                count -= 1
                yield position
