"""Lessons of games: positions in which the learner finds the move, judged by the exact truth."""

from __future__ import annotations

from papan.core import Move, Position
from papan.lessons.lesson import Question, Scene, Text
from papan.lessons.story import Story
from papan.lessons.truth import Truth

RESULTS = {1: "win", 0: "draw", -1: "loss"}


class Guide:
    """Shows positions, and asks for moves in them."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.truth = Truth()

    def show(self, key: str, position: Position, moves: str = "", mark: str = "") -> Scene:
        """A step that shows the position after *moves*, a move in it pointed out."""
        scene = Scene(position)
        for name in position.game.split_moves(moves):
            scene = scene.after(scene.position.legal_move(name))
        marks = (scene.position.legal_move(mark),) if mark else ()
        self.story.scene = Scene(scene.position, scene.played, marks)
        self.story.add_step(key)
        return scene

    def features(self, key: str, position: Position) -> None:
        """A step that shows what experts see in a position."""
        drawing = "".join(each.svg for each in position.features())
        self.story.scene = Scene(position, drawing=drawing)
        self.story.add_step(key)

    def task(self, name: str, position: Position) -> None:
        """Ask for a move, then show one of the best and what comes of it.

        The texts are ``lesson.NAME_task``, ``_hint`` and ``_done``.
        """
        best = self.truth.best(position)
        game = position.game
        names = tuple(map(game.move_name, best))
        self.story.scene = Scene(position)
        self.story.add_step(f"lesson.{name}_task")
        replies = {
            game.move_name(move): self._reply(position, move)
            for move in position.moves()
            if move not in best
        }
        some = (Text("lesson.hint_count", {"good": len(best), "count": len(position.moves())}),)
        hints = (Text(f"lesson.{name}_hint"), *some)
        self.story.ask(Question("move", _asked(position), names, hints=hints, replies=replies))
        self.story.scene = Scene(position).after(best[0])
        value = self.truth.value(position)
        self.story.add_step(
            f"lesson.{name}_done",
            {"move": names[0], "moves": ", ".join(names), "value": value},
            variables={"moves": ", ".join(names), "value": value},
        )

    def _reply(self, position: Position, move: Move) -> Text:
        """What a move that is not the best loses."""
        value, best = self.truth.moves(position)[move], self.truth.value(position)
        after = position.child(move)
        answers = self.truth.best(after) if after.moves() else []
        facts: dict[str, str | float] = {
            "move": position.game.move_name(move),
            "lost": best - value,
            "answer": position.game.move_name(answers[0]) if answers else "",
        }
        if position.game.seats == 1:
            return Text("lesson.reply_stuck", facts)
        if position.game.largest_margin == 1:
            key = f"lesson.reply_{RESULTS[int(best)]}_to_{RESULTS[int(value)]}"
            return Text(key, facts)
        again = after.moves() and after.turn == position.turn
        return Text("lesson.reply_costs_again" if again else "lesson.reply_costs", facts)


def _asked(position: Position) -> Text:
    """Whose move is asked for."""
    if position.game.seats == 1:
        return Text("lesson.ask_pair")
    marked = position.game.name != "dots"  # where players have marks, texts call them X and O
    players = ("web.piece_x", "web.piece_o") if marked else ("web.seat_1", "web.seat_2")
    return Text("lesson.ask_move", {"player": players[position.turn]})
