"""Alpha-beta: minimax that stops looking where nothing can change the decision any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, isfinite

from papan import catalog
from papan.core import Move, Position, margin
from papan.lessons.lesson import (
    Lesson,
    Scene,
    Story,
    TextValue,
    TreeSearch,
    Truth,
    comparison,
    everything,
    some,
)

START = "tictactoe:3,3,3 xxo/.ox/... o"
QUESTIONS = 5
YES, NO = "lesson.yes", "lesson.no"

Order = Callable[[Position], Sequence[Move]]
"""In which order moves are looked at."""


def as_they_come(position: Position) -> Sequence[Move]:
    """The order of the rules."""
    return position.moves()


class AlphaBeta(TreeSearch):
    """The search as the pseudo-code has it, with a step of the lesson for each action."""

    def __init__(self, story: Story, root: Position, order: Order = as_they_come) -> None:
        super().__init__(story, root)
        self.order = order
        self.cuts = 0
        self.doubted = self.narrowed = False

    def value(
        self, scene: Scene, alpha: float, beta: float, up: int | None = None, move: str = ""
    ) -> float:
        """What the position of *scene* comes to for the seat at the root, or a bound of it."""
        position, own, here = self.enter(scene, up, move)
        window = {"alpha": _finite(alpha), "beta": _finite(beta)}
        if not position.moves():
            result = margin(position, self.root.turn)
            self.tree.note(here, result, "done")
            self._add_step("lesson.alphabeta_over", here, "over", window, move=move, value=result)
            return result
        if up is not None:
            player = "lesson.max" if own else "lesson.min"
            self._add_step(
                "lesson.alphabeta_enter", here, "function", window, move=move, player=player
            )
        best = -inf if own else inf
        moves = self.order(position)
        for tried, each in enumerate(moves, 1):
            name = position.game.move_name(each)
            found = self.value(scene.after(each), alpha, beta, here, name)
            self.story.scene = scene
            if found > best if own else found < best:
                best = found
                if up is None:
                    self.chosen = each
            alpha, beta = (max(alpha, best), beta) if own else (alpha, min(beta, best))
            self._narrow(here, own, (alpha, beta), move=name, value=found, best=best)
            left = len(moves) - tried
            if left and self._check(here, own, (alpha, beta), left):
                self.tree.note(here, best, "cut")
                return best
        self.tree.note(here, best, "done")
        return best

    def _narrow(
        self, here: int, own: bool, window: tuple[float, float], **values: TextValue
    ) -> None:
        """Tell what a value has done to the window."""
        self.tree.note(here, values["best"])
        shown = {"alpha": _finite(window[0]), "beta": _finite(window[1])}
        if own and not self.narrowed:
            self.narrowed = True
            ask, why = "lesson.alphabeta_ask_alpha", "lesson.alphabeta_why_alpha"
            move, value = values["move"], values["value"]
            self.story.ask_number("alpha", shown["alpha"], ask, why=why, move=move, value=value)
        key = "lesson.alphabeta_max" if own else "lesson.alphabeta_min"
        self._add_step(key, here, "max" if own else "min", shown, **values, **shown)

    def _check(self, here: int, own: bool, window: tuple[float, float], left: int) -> bool:
        """Can the moves that are left be skipped? Tell so; where they cannot, now and then."""
        alpha, beta = window
        cut = alpha >= beta
        asked = cut or (self.cuts == 1 and not self.doubted)
        if not asked:
            return False
        if self.asked < QUESTIONS:
            self.asked += 1
            answer = YES if cut else NO
            ask = "lesson.alphabeta_ask"
            why = "lesson.alphabeta_why_cut" if cut else "lesson.alphabeta_why_go_on"
            bounds = {"alpha": _finite(alpha), "beta": _finite(beta)}
            self.story.ask_choice("cut", answer, (YES, NO), ask, why=why, left=left, **bounds)
        self.cuts += cut
        self.doubted |= not cut
        side = "max" if own else "min"
        key = f"lesson.alphabeta_cut_{side}" if cut else "lesson.alphabeta_go_on"
        shown = {"alpha": _finite(alpha), "beta": _finite(beta)}
        self._add_step(key, here, "cut", {**shown, "cut": YES if cut else NO}, left=left, **shown)
        return cut

    def _add_step(
        self, key: str, here: int, line: str, window: dict[str, TextValue], **values: TextValue
    ) -> None:
        shown = some(values, "value", "best")
        variables = {**window, **shown, "nodes": self.nodes}
        self.story.add_step(key, values, line=line, variables=variables, **self.tree.at(here))


def _finite(amount: float) -> TextValue:
    return amount if isfinite(amount) else "∞" if amount > 0 else "\u2212∞"


def search(story: Story) -> AlphaBeta:
    """The whole lesson; what the search has found."""
    root = catalog.position(START)
    story.scene = Scene(root)
    story.add_step("lesson.alphabeta_start", {"count": len(root.moves())}, line="function")
    found = AlphaBeta(story, root)
    value = found.value(Scene(root), -inf, inf)
    assert found.chosen is not None
    move = root.game.move_name(found.chosen)
    story.scene = Scene(root, marks=(found.chosen,))
    facts: dict[str, TextValue] = {
        "move": move,
        "value": value,
        "nodes": found.nodes,
        "all": everything(root),
    }
    story.add_step(
        "lesson.alphabeta_done",
        facts,
        line="return",
        variables={"move": move, "best": value, "nodes": found.nodes},
        **found.tree.at(0),
    )
    _order_moves(story)
    counts = {
        "lesson.head_alphabeta": lambda each: pruned(each, each.turn)[1],
        "lesson.head_best_first": lambda each: pruned(each, each.turn, order=Ordered(1))[1],
    }
    story.add_step("lesson.alphabeta_growth", line="cut", table=comparison(counts))
    return found


ORDERED = "tictactoe:3,3,3 ..o/.x./xox o"
"""One move holds the draw, and it matters much whether it is looked at first or last."""
AMOUNTS = ("lesson.fewer", "lesson.as_many", "lesson.more")


class Ordered:
    """The moves from the best to the worst for who makes them, or the other way round.

    Only who knows the answer can order so well; real searches guess.
    """

    def __init__(self, sign: int) -> None:
        self.sign, self.truth = sign, Truth()

    def __call__(self, position: Position) -> list[Move]:
        values = self.truth.moves(position)
        return sorted(values, key=lambda move: -self.sign * values[move])


def _order_moves(story: Story) -> None:
    """The same search twice, with the worst moves first and with the best: move by move."""
    root = catalog.position(ORDERED)
    nodes = []
    for order in (Ordered(-1), Ordered(1)):
        played = Story()
        found = AlphaBeta(played, root, order)
        found.value(Scene(root), -inf, inf)
        nodes.append(found.nodes)
        names = ", ".join(map(root.game.move_name, order(root)))
        story.scene = Scene(root)
        if len(nodes) == 1:
            story.add_step("lesson.alphabeta_worst", {"order": names}, line="each")
        else:
            ask, why = "lesson.alphabeta_ask_order", "lesson.alphabeta_why_order"
            story.ask_choice("compared", AMOUNTS[0], AMOUNTS, ask, why=why, nodes=nodes[0])
            facts: dict[str, TextValue] = {"order": names, "nodes": nodes[1], "before": nodes[0]}
            compared: dict[str, TextValue] = {"compared": AMOUNTS[nodes[1] >= nodes[0]]}
            story.add_step("lesson.alphabeta_best", facts, line="each", variables=compared)
        story.steps += [replace(each, question=None) for each in played.steps if each.current == 0]


def pruned(
    position: Position,
    seat: int,
    alpha: float = -inf,
    beta: float = inf,
    order: Order = as_they_come,
) -> tuple[float, int]:
    """The value by alpha-beta, and how many positions it has looked at."""
    moves = order(position)
    if not moves:
        return margin(position, seat), 1
    own, nodes = position.turn == seat, 1
    best = -inf if own else inf
    for move in moves:
        found, below = pruned(position.child(move), seat, alpha, beta, order)
        nodes += below
        best = max(best, found) if own else min(best, found)
        alpha, beta = (max(alpha, best), beta) if own else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best, nodes


LESSON = Lesson(
    "alphabeta",
    "tictactoe",
    search,
    ("function", "over", "each", "value", "max", "min", "cut", "return"),
    agent="alphabeta",
    variants=("minimax:depth=4", "minimax:depth=4,pruning=true"),
    place=5,
)
