"""The transposition table: a position reached by another order of the same moves is looked up."""

from __future__ import annotations

from papan import catalog
from papan.core import Position, margin
from papan.lessons.lesson import (
    Lesson,
    Scene,
    StepTable,
    Story,
    TextValue,
    TreeSearch,
    comparison,
    everything,
    some,
)

START = "tictactoe:3,3,3 ..x/x.o/oxo x"
YES, NO = "lesson.yes", "lesson.no"


class Remembering(TreeSearch):
    """Minimax with a transposition table, and a step of the lesson for each action."""

    def __init__(self, story: Story, root: Position) -> None:
        super().__init__(story, root)
        self.known: dict[Position, float] = {}
        self.hits = 0

    def value(self, scene: Scene, up: int | None = None, move: str = "") -> float:
        """The final margin that the position comes to, for the seat at the root."""
        position, own, here = self.enter(scene, up, move)
        if position in self.known:
            return self._recall(position, here, move)
        moves = position.moves()
        if up is not None and moves:
            if up == 0 and self.known:
                self._ask_known(position)
            self._add_step("lesson.table_new", here, "known", move=move, known=NO)
        values = []
        for each in moves:
            values.append(self.value(scene.after(each), here, position.game.move_name(each)))
            self.story.scene = scene
        best = (max if own else min)(values) if values else margin(position, self.root.turn)
        self.known[position] = best
        self.tree.note(here, best, "done")
        searched = "lesson.table_store" if move else "lesson.table_root"
        key, line = (searched, "store") if moves else ("lesson.table_over", "over")
        self._add_step(key, here, line, move=move, value=best)
        return best

    def _ask_known(self, position: Position) -> None:
        """Ask, once, whether the table has a position that it does not have."""
        if not self.asked:
            self.asked += 1
            text = _short(position)
            ask, why = "lesson.table_ask_known", "lesson.table_why_known"
            self.story.ask_choice("known", NO, (YES, NO), ask, why=why, position=text)

    def _recall(self, position: Position, here: int, move: str) -> float:
        """Look a value up instead of searching again."""
        value = self.known[position]
        self.hits += 1
        self.tree.note(here, value, "known")
        text = _short(position)
        why = "lesson.table_why_won" if value else "lesson.table_why_draw"
        ask, values = "lesson.table_ask", (-1, 0, 1)
        self.story.ask_choice("value", value, values, ask, why=why, position=text)
        self._add_step(
            "lesson.table_hit", here, "known", move=move, value=value, known=YES, position=text
        )
        return value

    def _add_step(self, key: str, here: int, line: str, **values: TextValue) -> None:
        shown = some(values, "known", "value")
        rows = tuple((_short(position), value) for position, value in self.known.items())
        marked = next((n for n, row in enumerate(rows) if row[0] == values.get("position")), None)
        self.story.add_step(
            key,
            values,
            line=line,
            variables={**shown, "nodes": self.nodes, "hits": self.hits},
            table=StepTable(("lesson.head_position", "lesson.var_value"), rows, marked),
            **self.tree.at(here),
        )


def _short(position: Position) -> str:
    """The board in one word."""
    return position.write()[0]


def search(story: Story) -> Remembering:
    """The whole lesson; what the search has found."""
    root = catalog.position(START)
    story.scene = Scene(root)
    story.add_step(
        "lesson.table_start",
        {"count": len(root.moves()), "position": _short(root)},
        line="function",
    )
    found = Remembering(story, root)
    found.value(Scene(root))
    facts = {"nodes": found.nodes, "hits": found.hits, "all": everything(root)}
    saved = comparison({"lesson.head_table": remembered})
    story.add_step("lesson.table_growth", facts, line="known", table=saved)
    return found


def remembered(root: Position) -> int:
    """How many positions are looked at with a table."""
    known: set[Position] = set()

    def look(position: Position) -> int:
        if position in known:
            return 1
        known.add(position)
        return 1 + sum(look(position.child(move)) for move in position.moves())

    return look(root)


LESSON = Lesson(
    "table",
    "tictactoe",
    search,
    ("function", "known", "over", "each", "keep", "store", "return"),
    agent="alphabeta",
    variants=("alphabeta:depth=6", "alphabeta:depth=6,table=false"),
    place=6,
)
