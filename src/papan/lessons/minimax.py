"""Minimax: every line of play to its end, and the best that both sides can make of it."""

from __future__ import annotations

from papan import catalog
from papan.core import Position, margin
from papan.lessons.lesson import Lesson, Scene, Story, Text, TextValue, TreeSearch, Truth, some

START = "tictactoe:3,3,3 x.o/oox/..x x"
QUESTIONS = 4
VALUES = (-1, 0, 1)


class Minimax(TreeSearch):
    """The search as the pseudo-code has it, with a step of the lesson for each action."""

    def value(self, scene: Scene, up: int | None = None, move: str = "") -> float:
        """The final margin that the position of *scene* comes to, for the seat at the root."""
        position, own, here = self.enter(scene, up, move)
        if not position.moves():
            return self._over(position, here, move)
        if up is not None:
            self._add_step(
                "lesson.minimax_enter", here, "function", move=move, player=_player(position)
            )
        best: float | None = None
        for each in position.moves():
            name = position.game.move_name(each)
            found = self.value(scene.after(each), here, name)
            self.story.scene = scene
            kept = found if best is None else max(best, found) if own else min(best, found)
            self._keep(here, name, (found, best, kept), position)
            if up is None and kept != best:
                self.chosen = each
            best = kept
        assert best is not None
        self.tree.note(here, best, "done")
        if up is not None:
            self._add_step("lesson.minimax_return", here, "return", move=move, best=best)
        return best

    def _over(self, position: Position, here: int, move: str) -> float:
        result = margin(position, self.root.turn)
        self.tree.note(here, result, "done")
        self._add_step("lesson.minimax_over", here, "over", move=move, value=result)
        return result

    def _keep(
        self, here: int, move: str, values: tuple[float, float | None, float], position: Position
    ) -> None:
        found, best, kept = values
        if best is None:
            key = "lesson.minimax_first"
        else:
            own = position.turn == self.root.turn
            side = "max" if own else "min"
            key = "lesson.minimax_equal" if found == best else f"lesson.minimax_keep_{side}"
            if found != best and self.asked < QUESTIONS:
                self.asked += 1
                ask = "lesson.minimax_ask"
                names: dict[str, TextValue] = {
                    "player": _player(position),
                    "value": found,
                    "best": best,
                }
                why: dict[TextValue, Text] = {
                    value: Text(
                        f"lesson.minimax_why_{side}"
                        if value in (found, best)
                        else "lesson.minimax_why_never",
                        {**names, "choice": value},
                    )
                    for value in VALUES
                }
                self.story.ask_choice("best", kept, VALUES, ask, why=why, **names)
        self.tree.note(here, kept)
        self._add_step(
            key, here, "keep", move=move, value=found, best=kept, player=_player(position)
        )

    def _add_step(self, key: str, here: int, line: str, **values: TextValue) -> None:
        shown = some(values, "value", "best")
        variables = {**shown, "nodes": self.nodes}
        self.story.add_step(key, values, line=line, variables=variables, **self.tree.at(here))


def _player(position: Position) -> str:
    return "XO"[position.turn]


def search(story: Story) -> Minimax:
    """The whole lesson; what the search has found."""
    root = catalog.position(START)
    story.scene = Scene(root)
    story.add_step("lesson.minimax_start", {"count": len(root.moves())}, line="function")
    found = Minimax(story, root)
    value = found.value(Scene(root))
    assert found.chosen is not None
    move = root.game.move_name(found.chosen)
    values = Truth().moves(root)
    names = {each: root.game.move_name(each) for each in values}
    why: dict[TextValue, Text] = {
        names[each]: Text("lesson.minimax_why_move", {"move": names[each], "value": value})
        for each, value in values.items()
    }
    ask = "lesson.minimax_ask_move"
    story.ask_choice("move", move, list(names.values()), ask, why=why)
    story.scene = Scene(root, marks=(found.chosen,))
    story.add_step(
        "lesson.minimax_done",
        {"move": move, "value": value, "nodes": found.nodes},
        line="return",
        variables={"move": move, "best": value, "nodes": found.nodes},
        **found.tree.at(0),
    )
    _break_a_tie(story)
    return found


TIE = "tictactoe:3,3,3 .o./x.o/xox x"
"""Two moves are best here, and equally good."""


def _break_a_tie(story: Story) -> None:
    """Two best moves: the one that is found first is played, and why that is no fault."""
    root = catalog.position(TIE)
    name, values = root.game.move_name, Truth().moves(root)
    best = max(values.values())
    first, *others = (name(move) for move, value in values.items() if value == best)
    moves = list(map(name, values))
    story.scene = Scene(root, values=values, proved=True)
    tie: dict[str, TextValue] = {
        "moves": ", ".join((first, *others)),
        "best": best,
        "order": ", ".join(moves),
    }
    story.add_step("lesson.minimax_tie", tie, line="each", variables={"best": best})
    why: dict[TextValue, Text] = {
        name(move): Text(
            "lesson.minimax_why_tie" if value == best else "lesson.minimax_why_move",
            {"move": name(move), "value": value},
        )
        for move, value in values.items()
    }
    story.ask_choice("move", first, moves, "lesson.minimax_ask_tie", why=why)
    story.scene = Scene(root, values=values, proved=True, best=root.legal_move(first))
    facts: dict[str, TextValue] = {"move": first, "others": ", ".join(others)}
    story.add_step("lesson.minimax_tie_done", facts, line="keep", variables={"move": first})


LESSON = Lesson(
    "minimax",
    "tictactoe",
    search,
    ("function", "over", "each", "value", "keep", "return"),
    agent="minimax",
    variants=("minimax:depth=2", "minimax:depth=4"),
    place=4,
)
