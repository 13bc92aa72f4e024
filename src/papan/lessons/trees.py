"""Lessons on trees: minimax, alpha-beta, the transposition table and proofs, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite

from papan import catalog
from papan.core import Move, Position, margin
from papan.lessons import (
    Branches,
    Lesson,
    MoveOrder,
    Pruning,
    Scene,
    StepTable,
    Story,
    TextValue,
    Truth,
    as_they_come,
    reply,
)

YES, NO = "lesson.yes", "lesson.no"
VALUES: Sequence[float] = (-1, 0, 1)


class TreeSearch:
    """Base of the searches of this module: `tree` is what was visited, and each action adds a step.

    Steps are added to *story*; *root* is the position searched. `nodes` counts positions, `asked`
    questions; `chosen` is the best move at the root, None so far.
    """

    variables = "nodes"
    """Names of the values that its steps show as variables."""

    def __init__(self, story: Story, root: Position) -> None:
        self.story, self.root = story, root
        self.tree = Branches()
        self.nodes = self.asked = 0
        self.chosen: Move | None = None

    def enter(self, scene: Scene, up: int | None, move: str) -> tuple[Position, bool, int]:
        """Enter the position of *scene*: show it, and add a node to the tree.

        *move* is the name of the move that leads there, *up* the number of its parent; None and ""
        for the root. A chapter begins if the parent is the root. Return the position, whether the
        seat at the root is to move, and the number of its node.
        """
        position, self.story.scene = scene.position, scene
        self.nodes += 1
        if up == 0:
            self.story.begin_chapter("chapter_branch", move=move)
        own = position.turn == self.root.turn
        return position, own, self.tree.enter(up, move, "max" if own else "min")

    def add_step(self, key: str, here: int, line: str, **values: TextValue) -> None:
        """Add a step with the text *key*, filled with *values*, about the node *here* (a number).

        *line* is the name of the line of pseudo-code; the number of nodes so far joins the values.
        """
        values["nodes"] = self.nodes
        at = self.tree.at(here)
        self.story.add_step(key, values, line=line, variables=self.variables, at=at)


def everything(position: Position) -> int:
    """Return the number of nodes that plain minimax visits from *position* on, itself included."""
    return 1 + sum(everything(position.child(move)) for move in position.moves())


POSITIONS = (
    "tictactoe:3,3,3 xxo/.ox/... o",
    "tictactoe:3,3,3 x.o/.o./x.. x",
    "tictactoe:3,3,3 x.o/.../x.. o",
    "tictactoe:3,3,3 x../.o./... x",
)


def comparison(counts: Mapping[str, Callable[[Position], int]]) -> StepTable:
    """Return a table of the nodes that searches visit, with a row for each of the `POSITIONS`.

    Its columns are the number of empty cells, the nodes of plain minimax, and one for each of
    *counts*: a function that returns the nodes of another search from a position on, by the key of
    the heading.
    """
    rows = []
    for text in POSITIONS:
        position = catalog.position(text)
        found = (count(position) for count in counts.values())
        rows.append((len(position.moves()), everything(position), *found))
    return StepTable(("lesson.head_empty", "lesson.head_minimax", *counts), tuple(rows))


# Minimax: every line of play to its end, and the best that both sides can make of it.


class TaughtMinimax(TreeSearch):
    """Minimax as the pseudo-code has it, with a step for each action, and some questions."""

    variables = "value best nodes"
    questions = 4
    """Number of questions that are asked at most."""

    def value(self, scene: Scene, up: int | None = None, move: str = "") -> float:
        """Return the value of the position of *scene* for the seat at the root.

        It is the final margin in points if both play best. Steps on the search are added, and at
        the root `chosen` is set. *up* and *move* are the arguments of `enter`.
        """
        position, own, here = self.enter(scene, up, move)
        if not position.moves():
            result = margin(position, self.root.turn)
            self.tree.note(here, result, "done")
            self.add_step("minimax_over", here, "over", move=move, value=result)
            return result
        player = "XO"[position.turn]
        if up is not None:
            self.add_step("minimax_enter", here, "function", move=move, player=player)
        best: float | None = None
        for each in position.moves():
            name = position.game.move_name(each)
            found = self.value(scene.after(each), here, name)
            self.story.scene = scene
            kept = found if best is None else max(best, found) if own else min(best, found)
            key = "minimax_first" if best is None else "minimax_equal"
            if best not in (None, found):
                key = "minimax_keep_max" if own else "minimax_keep_min"
                self._ask(kept, "max" if own else "min", player=player, value=found, best=best)
            self.tree.note(here, kept)
            self.add_step(key, here, "keep", move=name, value=found, best=kept, player=player)
            if up is None and kept != best:
                self.chosen = each
            best = kept
        assert best is not None
        self.tree.note(here, best, "done")
        if up is not None:
            self.add_step("minimax_return", here, "return", move=move, best=best)
        return best

    def _ask(self, kept: float, side: str, **names: TextValue) -> None:
        """Ask which of two values is kept; do nothing if `questions` were asked already.

        *kept* is the answer, *side* is ``max`` or ``min``; *names* are the values of the texts: the
        player, the new value, and the best one before.
        """
        if self.asked < self.questions:
            self.asked += 1
            why = {
                value: reply(
                    f"minimax_why_{side if value in names.values() else 'never'}",
                    choice=value,
                    **names,
                )
                for value in VALUES
            }
            self.story.ask_choice("best", kept, VALUES, "minimax_best", why, **names)


def minimax(story: Story) -> TaughtMinimax:
    """Add the steps of the lesson on minimax; return the finished search of its first board."""
    root = catalog.position("tictactoe:3,3,3 x.o/oox/..x x")
    story.scene = Scene(root)
    story.begin_chapter("chapter_idea")
    story.add_step("minimax_start", {"count": len(root.moves())}, line="function")
    found = TaughtMinimax(story, root)
    value = found.value(Scene(root))
    assert found.chosen is not None
    move = root.game.move_name(found.chosen)
    why = {
        name: reply("minimax_move_why", move=name, value=value)
        for name, value in _named(root, Truth().moves(root)).items()
    }
    story.ask_choice("move", move, list(why), "minimax_move", why)
    story.scene = Scene(root, marks=(found.chosen,))
    story.begin_chapter("chapter_choice")
    story.add_step(
        "minimax_done",
        {"move": move, "value": value, "best": value, "nodes": found.nodes},
        line="return",
        variables="move best nodes",
        at=found.tree.at(0),
    )
    _break_a_tie(story)
    return found


def _named(root: Position, values: Mapping[Move, float]) -> dict[str, float]:
    """Return *values*, which are by move in *root*, by the names of the moves."""
    return {root.game.move_name(move): value for move, value in values.items()}


TIE = "tictactoe:3,3,3 .o./x.o/xox x"
"""A position with several best moves."""


def _break_a_tie(story: Story) -> None:
    """Add steps on several best moves: the first one found is played, and that is no fault."""
    root = catalog.position(TIE)
    values = Truth().moves(root)
    named, best = _named(root, values), max(values.values())
    first, *others = (name for name, value in named.items() if value == best)
    story.scene = Scene(root, values=values, proved=True)
    tied = ", ".join((first, *others))
    facts: Mapping[str, TextValue] = {"moves": tied, "best": best, "order": ", ".join(named)}
    story.begin_chapter("chapter_tie")
    story.add_step("minimax_tie", facts, line="each", variables="best")
    why = {
        name: reply(f"minimax_{'tie' if value == best else 'move'}_why", move=name, value=value)
        for name, value in named.items()
    }
    story.ask_choice("move", first, list(named), "minimax_tie", why)
    story.scene = Scene(root, values=values, proved=True, best=root.legal_move(first))
    facts = {"move": first, "others": ", ".join(others)}
    story.add_step("minimax_tie_done", facts, line="keep", variables="move")


MINIMAX = Lesson(
    "minimax",
    "tictactoe",
    minimax,
    ("function", "over", "each", "value", "keep", "return"),
    agent="minimax",
    variants=("minimax:depth=2", "minimax:depth=4"),
    place=4,
)


# Alpha-beta: minimax that stops looking where nothing can change the decision any more.


class TaughtAlphaBeta(TreeSearch):
    """Alpha-beta as the pseudo-code has it, with a step for each action, and questions.

    *story* and *root* are those of `TreeSearch`. `cuts` counts cut-offs; *order* decides in which
    order moves are searched.
    """

    variables = "alpha beta cut value best nodes"
    questions = 5
    """Number of questions about cut-offs that are asked at most."""

    def __init__(self, story: Story, root: Position, order: MoveOrder = as_they_come) -> None:
        super().__init__(story, root)
        self.order = order
        self.cuts = 0
        self.doubted = self.narrowed = False

    def value(
        self,
        scene: Scene,
        alpha: float = -inf,
        beta: float = inf,
        up: int | None = None,
        move: str = "",
    ) -> float:
        """Return the value of the position of *scene* for the seat at the root, or a bound.

        It is in points. A value of *alpha* or less is an upper bound, one of *beta* or more a lower
        bound. Steps on the search are added, and at the root `chosen` is set. *up* and *move* are
        the arguments of `enter`.
        """
        position, own, here = self.enter(scene, up, move)
        window = _window(alpha, beta)
        if not position.moves():
            result = margin(position, self.root.turn)
            self.tree.note(here, result, "done")
            self.add_step("alphabeta_over", here, "over", move=move, value=result, **window)
            return result
        self.tree.frame(here, **window)
        if up is not None:
            player = "lesson.max" if own else "lesson.min"
            self.add_step("alphabeta_enter", here, "function", move=move, player=player, **window)
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
            window = _window(alpha, beta)
            self.tree.frame(here, **window)
            self._narrow(here, own, window, move=name, value=found, best=best)
            left = len(moves) - tried
            if left and self._check(here, own, alpha >= beta, left=left, **window):
                self.tree.note(here, best, "cut")
                return best
        self.tree.note(here, best, "done")
        return best

    def _narrow(
        self, here: int, own: bool, window: dict[str, TextValue], **values: TextValue
    ) -> None:
        """Add a step about how a value changes the window of the node *here* (a number).

        Before the first step for the seat at the root, ask for alpha. *own*: that seat moves there;
        *window* has ``alpha`` and ``beta``. *values* fill the sentence; they must have ``move``,
        ``value`` and ``best``, which is written in the node.
        """
        self.tree.note(here, values["best"])
        if own and not self.narrowed:
            self.narrowed = True
            move, value = values["move"], values["value"]
            self.story.ask_number(
                "alpha", window["alpha"], "alphabeta_alpha", move=move, value=value
            )
        side = "max" if own else "min"
        self.add_step(f"alphabeta_{side}", here, side, **window, **values)

    def _check(self, here: int, own: bool, cut: bool, **values: TextValue) -> bool:
        """Return *cut*, whether the remaining moves can be skipped, after a step about it.

        *here* is the number of the node; *own*: the seat at the root moves there; *values* fill the
        sentence. Without a cut there is a step only once, between the first two cuts.
        """
        if not cut and (self.cuts != 1 or self.doubted):
            return False
        answer = YES if cut else NO
        if self.asked < self.questions:
            self.asked += 1
            why = "alphabeta_why_cut" if cut else "alphabeta_why_go_on"
            self.story.ask_choice("cut", answer, (YES, NO), "alphabeta_cut", why, **values)
        self.cuts += cut
        self.doubted |= not cut
        key = f"alphabeta_cut_{'max' if own else 'min'}" if cut else "alphabeta_go_on"
        self.add_step(key, here, "cut", cut=answer, **values)
        return cut


def _window(alpha: float, beta: float) -> dict[str, TextValue]:
    """Return the ends of a window as the values ``alpha`` and ``beta`` of a text: numbers or ∞."""
    return {"alpha": _finite(alpha), "beta": _finite(beta)}


def _finite(amount: float) -> TextValue:
    """Return *amount* for a text: a number, or ``∞`` with its sign as text."""
    return amount if isfinite(amount) else "∞" if amount > 0 else "\u2212∞"


def alphabeta(story: Story) -> TaughtAlphaBeta:
    """Add the steps of the lesson on alpha-beta; return the finished search of its first board."""
    root = catalog.position("tictactoe:3,3,3 xxo/.ox/... o")
    story.scene = Scene(root)
    story.begin_chapter("chapter_idea")
    story.add_step("alphabeta_start", {"count": len(root.moves())}, line="function")
    found = TaughtAlphaBeta(story, root)
    value = found.value(Scene(root))
    assert found.chosen is not None
    move = root.game.move_name(found.chosen)
    story.scene = Scene(root, marks=(found.chosen,))
    facts: Mapping[str, TextValue] = {"move": move, "value": value, "best": value}
    story.begin_chapter("chapter_choice")
    story.add_step(
        "alphabeta_done",
        {**facts, "nodes": found.nodes, "all": everything(root)},
        line="return",
        variables="move best nodes",
        at=found.tree.at(0),
    )
    _order_moves(story)
    counts = {
        "lesson.head_alphabeta": lambda each: pruned(each)[1],
        "lesson.head_best_first": lambda each: pruned(each, Ordered(1))[1],
    }
    story.begin_chapter("chapter_growth")
    story.add_step("alphabeta_growth", line="cut", table=comparison(counts))
    return found


ORDERED = "tictactoe:3,3,3 ..o/.x./xox o"
"""A position with one drawing move, where the order of moves matters much."""
AMOUNTS = ("lesson.fewer", "lesson.as_many", "lesson.more")


class Ordered:
    """An order of moves by their exact values: the best first for *sign* 1, last for -1.

    Called with a position, it returns its legal moves. Real searches can only estimate such an
    order.
    """

    def __init__(self, sign: int) -> None:
        self.sign, self.truth = sign, Truth()

    def __call__(self, position: Position) -> list[Move]:
        """Return the legal moves of *position* in this order; equal ones as the rules have them."""
        values = self.truth.moves(position)
        return sorted(values, key=lambda move: -self.sign * values[move])


def _order_moves(story: Story) -> None:
    """Add steps on the same search twice: with the worst moves first, then the best first."""
    root = catalog.position(ORDERED)
    before = 0
    for order in (Ordered(-1), Ordered(1)):
        played = Story()
        found = TaughtAlphaBeta(played, root, order)
        found.value(Scene(root))
        facts: dict[str, TextValue] = {"order": ", ".join(map(root.game.move_name, order(root)))}
        story.scene = Scene(root)
        if not before:
            story.begin_chapter("chapter_order")
            story.add_step("alphabeta_worst", facts, line="each")
        else:
            story.ask_choice("compared", AMOUNTS[0], AMOUNTS, "alphabeta_order", nodes=before)
            compared = AMOUNTS[found.nodes >= before]
            facts |= {"nodes": found.nodes, "before": before, "compared": compared}
            story.add_step("alphabeta_best", facts, line="each", variables="compared")
        before = found.nodes
        story.steps += [
            replace(each, question=None, chapter=None) for each in played.steps if each.current == 0
        ]


def pruned(root: Position, order: MoveOrder = as_they_come) -> tuple[float, int]:
    """Return the exact value of *root* in points for the seat to move, and the nodes of alpha-beta.

    *order* decides in which order moves are searched.
    """
    search = Pruning(root, order)
    return search.value(root), search.nodes


ALPHABETA = Lesson(
    "alphabeta",
    "tictactoe",
    alphabeta,
    ("function", "over", "each", "value", "max", "min", "cut", "return"),
    agent="alphabeta",
    variants=("minimax:depth=4", "minimax:depth=4,pruning=true"),
    place=5,
)


# The transposition table: a position reached by another order of the same moves is looked up.


class Remembering(TreeSearch):
    """Minimax with a transposition table, and a step of the lesson for each action.

    `known` is the table: exact values in points for the seat at the root. `hits` counts its use.
    """

    variables = "known value nodes hits"

    def __init__(self, story: Story, root: Position) -> None:
        super().__init__(story, root)
        self.known: dict[Position, float] = {}
        self.hits = 0

    def value(self, scene: Scene, up: int | None = None, move: str = "") -> float:
        """Return the value of the position of *scene* for the seat at the root; store it.

        It is the final margin in points if both play best. *up* and *move* are the arguments of
        `enter`.
        """
        position, own, here = self.enter(scene, up, move)
        if position in self.known:
            return self._recall(position, here, move)
        moves = position.moves()
        if up is not None and moves:
            if up == 0 and self.known and not self.asked:  # once, for one that it does not have
                self.asked += 1
                text = _short(position)
                self.story.ask_choice("known", NO, (YES, NO), "table_known", position=text)
            self.add_step("table_new", here, "known", move=move, known=NO)
        values = []
        for each in moves:
            values.append(self.value(scene.after(each), here, position.game.move_name(each)))
            self.story.scene = scene
        best = (max if own else min)(values) if values else margin(position, self.root.turn)
        self.known[position] = best
        self.tree.note(here, best, "done")
        searched = "table_store" if move else "table_root"
        key, line = (searched, "store") if moves else ("table_over", "over")
        self.add_step(key, here, line, move=move, value=best)
        return best

    def _recall(self, position: Position, here: int, move: str) -> float:
        """Return the stored value of *position* in points for the seat at the root.

        A question for it and a step are added. *here* is the number of its node, *move* the name of
        the move that led there. Raise KeyError if no value is stored.
        """
        value, text = self.known[position], _short(position)
        self.hits += 1
        self.tree.note(here, value, "known")
        why = "table_why_won" if value else "table_why_draw"
        self.story.ask_choice("value", value, VALUES, "table_value", why, position=text)
        self.add_step("table_hit", here, "known", move=move, value=value, known=YES, position=text)
        return value

    def add_step(self, key: str, here: int, line: str, **values: TextValue) -> None:
        """Add a step like `TreeSearch.add_step`, with `known` as a table of positions and values.

        If *values* has a ``position``, as text of the form of `_short`, its row is highlighted.
        """
        super().add_step(key, here, line, hits=self.hits, **values)
        rows = tuple((_short(position), value) for position, value in self.known.items())
        marked = next((n for n, row in enumerate(rows) if row[0] == values.get("position")), None)
        table = StepTable(("lesson.head_position", "lesson.var_value"), rows, marked)
        self.story.steps[-1] = replace(self.story.steps[-1], table=table)


def _short(position: Position) -> str:
    """Return the cells of the board as one word, row by row: ``..x/x.o/oxo``."""
    return position.write()[0]


def remember(story: Story) -> Remembering:
    """Add the steps of the lesson on the table; return the finished search of its first board."""
    root = catalog.position("tictactoe:3,3,3 ..x/x.o/oxo x")
    story.scene = Scene(root)
    facts: Mapping[str, TextValue] = {"count": len(root.moves()), "position": _short(root)}
    story.begin_chapter("chapter_idea")
    story.add_step("table_start", facts, line="function")
    found = Remembering(story, root)
    found.value(Scene(root))
    facts = {"nodes": found.nodes, "hits": found.hits, "all": everything(root)}
    saved = comparison({"lesson.head_table": remembered})
    story.begin_chapter("chapter_growth")
    story.add_step("table_growth", facts, line="known", table=saved)
    return found


def remembered(root: Position) -> int:
    """Return the number of positions that minimax with a table visits from *root* on.

    One that is looked up counts, too.
    """
    known: set[Position] = set()

    def look(position: Position) -> int:
        if position in known:
            return 1
        known.add(position)
        return 1 + sum(look(position.child(move)) for move in position.moves())

    return look(root)


TABLE = Lesson(
    "table",
    "tictactoe",
    remember,
    ("function", "known", "over", "each", "keep", "store", "return"),
    agent="alphabeta",
    variants=("alphabeta:depth=6", "alphabeta:depth=6,table=false"),
    place=6,
)


# Proof: one good move is enough for the side that claims, every reply must be answered.


class Prover(TreeSearch):
    """A search whether the seat at the root can win by `goal` points or more.

    Each action adds a step to the story, some with a question, `questions` at most.
    """

    variables = "goal proven others nodes"
    goal = 1
    questions = 5

    def proves(self, scene: Scene, up: int | None = None, move: str = "") -> bool:
        """Return whether the seat at the root can reach the goal from the position of *scene*.

        True means: whatever the rival does. Steps on the search are added; at the root a move that
        reaches it, if there is one, becomes `chosen`. *up* and *move* are the arguments of `enter`.
        """
        position, own, here = self.enter(scene, up, move)
        moves, line = position.moves(), "some" if own else "every"
        if not moves:
            proven = margin(position, self.root.turn) >= self.goal
            key = "proof_over_yes" if proven else "proof_over_no"
            self._settle(key, here, "over", proven, move=move)
            return proven
        if up is not None:
            key = "proof_enter_own" if own else "proof_enter_rival"
            self.add_step(key, here, line, goal=self.goal, move=move, count=len(moves))
        for left, each in zip(reversed(range(len(moves))), moves):
            name = position.game.move_name(each)
            proven = self.proves(scene.after(each), here, name)
            self.story.scene = scene
            settled = proven == own  # one good move proves, one good reply refutes
            others = NO if settled else YES
            if left:
                self._ask(others, own, left)
            if settled:
                if up is None:
                    self.chosen = each
                key = "proof_found" if own else "proof_refuted"
                self._settle(key, here, line, own, move=name, others=others, left=left)
                return proven
            if left:
                key = "proof_go_on_own" if own else "proof_go_on_rival"
                self.add_step(key, here, line, goal=self.goal, move=name, others=others, left=left)
        key = "proof_none" if own else "proof_all"
        self._settle(key, here, line, not own, move=move)
        return not own

    def _settle(
        self, key: str, here: int, line: str, proven: bool, left: int = 0, **values: TextValue
    ) -> None:
        """Add a step about what is proved at the node *here* (a number), and write it there.

        *proven*: the goal is reached from there; *left* moves were skipped. *line* is the name of
        the line of pseudo-code; *values* fill the sentence *key*.
        """
        word = YES if proven else NO
        self.tree.note(here, word, "cut" if left else "done")
        self.add_step(key, here, line, goal=self.goal, proven=word, left=left, **values)

    def _ask(self, answer: str, own: bool, left: int) -> None:
        """Ask whether other moves must be tried, too; do nothing after `questions` questions.

        *answer* is `YES` or `NO`; *own*: the seat at the root moves there; *left* moves are not
        tried yet.
        """
        if self.asked < self.questions:
            self.asked += 1
            who, player = ("own", "X") if own else ("rival", "O")
            why = f"proof_why_{who}_{'settled' if answer == NO else 'open'}"
            names: dict[str, TextValue] = {"player": player, "left": left}
            self.story.ask_choice("others", answer, (YES, NO), "proof_others", why, **names)


def teach_proof(story: Story) -> Prover:
    """Add the steps of the lesson on proofs; return the finished proof."""
    root = catalog.position("connect4:4,4 .o.x/.o.x/ox.o/xx.o x")
    story.scene = Scene(root)
    found = Prover(story, root)
    story.add_step("proof_start", {"goal": found.goal}, line="function", variables="goal")
    found.proves(Scene(root))
    assert found.chosen is not None
    story.scene = Scene(root, marks=(found.chosen,))
    move = root.game.move_name(found.chosen)
    facts: Mapping[str, TextValue] = {"move": move, "nodes": found.nodes, "all": everything(root)}
    story.add_step("proof_done", facts, line="function", variables="nodes")
    return found


PROOF = Lesson(
    "proof",
    "connect4",
    teach_proof,
    ("function", "over", "some", "every"),
    agent="solver",
    place=7,
    variants=("solver", "alphabeta:depth=6"),
)
