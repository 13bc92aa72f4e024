"""Guided lessons: at least one for each game and each algorithm, computed on demand.

This module has their parts: steps, the story that collects them, trees, and exact values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from typing import Literal, TypeAlias, TypeVar

from papan import catalog
from papan.core import Message, Move, Position, Proved, margin
from papan.core.marks import MarkPosition
from papan.core.parts import Drawing, Support
from papan.core.reasons import Mistake, fault, wins

TextValue: TypeAlias = str | float | int
"""A value in a sentence, a variable or a table: a number, a name, or a key of the catalogue."""

Choice = TypeVar("Choice", bound=TextValue)
Kind = Literal["game", "algorithm"]
NodeRole = Literal["max", "min"]
"""Who chooses at a node: the seat at the root (max) or its rival (min)."""
State = Literal["open", "done", "cut", "known"]
"""State of a node: in work, searched, left before all its moves were tried, or looked up."""


@dataclass(frozen=True)
class Scene:
    """A position to show, with the moves and values to highlight on it."""

    position: Position
    played: tuple[tuple[Position, Move], ...] = ()
    """The plies that led here (position before, move made), as far as they are shown."""
    marks: tuple[Move, ...] = ()
    """Moves to highlight."""
    values: Mapping[Move, float] = field(default_factory=dict)
    """Values of moves, in points for the seat to move unless the lesson says otherwise."""
    proved: bool = False
    """True if the values are final margins under best play; False if the lesson counts them."""
    best: Move | None = None
    """The move to show as the best; None for none."""
    drawing: str = ""
    """Elements of SVG that are drawn over the picture; empty for none."""

    def after(self, move: Move) -> Scene:
        """Return the scene one move further, with *move* among those played, and nothing else.

        *move* must be legal (not checked).
        """
        played = (*self.played, (self.position, move))
        return Scene(self.position.child(move), played)


@dataclass(frozen=True)
class Node:
    """A node of a drawn search tree."""

    number: int
    """Its number, from 0, in the order in which the nodes were entered."""
    up: int | None
    """Number of its parent; None for the root."""
    move: str
    """Name of the move that leads here; empty for the root."""
    role: NodeRole
    """Who chooses there: the seat at the root (max) or its rival (min)."""
    text: TextValue | None = None
    """What is written in it, such as its value; None as long as nothing is known."""
    state: State = "open"
    """In work, searched, left before all its moves were tried, or looked up: see `State`."""
    window: tuple[TextValue, TextValue] | None = None
    """Alpha and beta there, as far as the search has come, as numbers or ∞; None if it has no
    window.
    """


TreePlace: TypeAlias = tuple[tuple[Node, ...], int]
"""State of a search: the nodes to draw, and the number of the current one."""


@dataclass(frozen=True)
class StepTable:
    """A table of a step: rows of facts, each with one for every heading."""

    head: tuple[str, ...]
    """Keys of the texts of the headings."""
    rows: tuple[tuple[TextValue, ...], ...]
    """The cells of each row, as many as headings; a text that is a key is shown in its language."""
    marked: int | None = None
    """Index of the highlighted row; None for none."""


def columns(
    names: str, rows: Iterable[tuple[TextValue, ...]], marked: int | None = None
) -> StepTable:
    """Return a table of *rows* with a heading ``lesson.head_NAME`` for each word of *names*.

    *names* is a text such as ``depth lines``; *marked* is the index, from 0, of the highlighted
    row, or None.
    """
    return StepTable(tuple(f"lesson.head_{name}" for name in names.split()), tuple(rows), marked)


@dataclass(frozen=True)
class Question:
    """A question to the learner between two steps; its answer comes from the lesson's own run."""

    kind: Literal["number", "choice", "move"]
    """What is asked for: a number, one of *choices*, or a move by its name."""
    text: Message
    answers: tuple[TextValue, ...]
    """The right answers, one or more."""
    choices: tuple[TextValue, ...] = ()
    """What can be chosen; empty unless the kind is choice."""
    about: str = ""
    """Name of the variable of the next step that has the answer; empty for a move."""
    hints: tuple[Message, ...] = ()
    """Sentences that help, in the order in which they are shown."""
    replies: Mapping[str, tuple[Message, ...]] = field(default_factory=dict)
    """Why an answer is wrong, by the answer as text (see `written`): for every wrong move, every
    wrong choice, and likely wrong numbers.
    """
    otherwise: Message | None = None
    """Why any other number is wrong; None if the question is not for a number."""
    refutations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By the name of each wrong move the names of the best line after it, which shows why it is
    wrong.
    """


@dataclass(frozen=True)
class Step:
    """One step of a lesson: its text, with what is shown beside it."""

    text: Message
    line: str = ""
    """Name of the line of pseudo-code that this step carries out; empty for none."""
    variables: Mapping[str, TextValue] = field(default_factory=dict)
    """Value of each variable of the pseudo-code that is shown, by name."""
    scene: Scene | None = None
    """What is on the board; None for no board."""
    tree: tuple[Node, ...] = ()
    """Nodes of the search tree to draw; empty for none."""
    current: int | None = None
    """Number of the node where the search is; None without a tree."""
    table: StepTable | None = None
    """Facts beside the board; None for none."""
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Points of each line of a chart, by name, from left to right; empty for no chart."""
    question: Question | None = None
    """What is asked before the next step; None for nothing."""
    chapter: Message | None = None
    """Title of the chapter that begins with this step; None if none does."""


@dataclass(frozen=True)
class Lesson:
    """A lesson: how it is named and listed, and the function that makes its steps.

    One with lines of pseudo-code is about an algorithm, else about its game.
    """

    name: str
    """Its name in addresses, and the beginning of its texts' keys."""
    game: str
    """Name of the game on its board."""
    run: Callable[[Story], object]
    """Runs its algorithm and adds the steps; tests compare the result with the real agent."""
    lines: tuple[str, ...] = ()
    """Name of each line of its pseudo-code, in order; empty for a lesson about a game."""

    agent: str = ""
    """Spec of the real agent, to play against afterwards; empty for none."""
    variants: tuple[str, ...] = ()
    """Specs of two agents that differ in what the lesson is about, to compare on any position.

    Empty for none."""
    place: int = 100
    """Rank among the lessons of its kind, the lowest first; equal ranks are sorted by name."""

    @property
    def kind(self) -> Kind:
        """What it is about: ``algorithm`` if it has lines of pseudo-code, else ``game``."""
        return "algorithm" if self.lines else "game"


class Story:
    """Collects the steps of a lesson in `steps`; `scene` is shown in each step until it is changed.

    Keys of texts are given without ``lesson.``, with which all of them begin.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.scene: Scene | None = None
        self._chapter: Message | None = None

    def begin_chapter(self, key: str, **values: TextValue) -> None:
        """Begin a chapter with the next step; its title is ``lesson.KEY`` with *values*."""
        self._chapter = Message(f"lesson.{key}", values)

    def add_step(  # noqa: PLR0913 - a step has as many parts
        self,
        key: str,
        values: Mapping[str, TextValue] | None = None,
        *,
        line: str = "",
        variables: str = "",
        table: StepTable | None = None,
        curves: Mapping[str, tuple[float, ...]] | None = None,
        at: TreePlace | None = None,
    ) -> None:
        """Add a step with the text ``lesson.KEY``, filled with *values* (None: it needs none).

        *variables* has the names of those values, separated by spaces, that are also shown as
        variables; others are ignored. *line* is the name of the line of pseudo-code, *at* the part
        of the tree to draw; *table* and *curves* are those of `Step`. Where nothing is given, the
        step has none.
        """
        found = values or {}
        shown = {name: found[name] for name in variables.split() if name in found}
        text, (tree, current) = Message(f"lesson.{key}", found), at or ((), None)
        step = Step(text, line, shown, self.scene, tree, current, table, curves or {})
        self.steps.append(replace(step, chapter=self._chapter))
        self._chapter = None

    def ask_number(
        self,
        about: str,
        answer: TextValue,
        name: str,
        slips: Mapping[str, TextValue] | None = None,
        /,
        **values: TextValue,
    ) -> None:
        """Ask for the number *answer* after the last step: the next one has it as variable *about*.

        That the next step has this variable is not checked. The texts are ``lesson.NAME_ask`` and
        ``_why``, which explains the answer. *slips* has wrong numbers that are likely, by the key
        (without ``lesson.``) of the text that explains each: of equal numbers the first one counts,
        and one that equals *answer* is left out. All texts have the *values*. Raise IndexError if
        there is no step.
        """
        replies: dict[str, tuple[Message, ...]] = {}
        for slip, number in (slips or {}).items():
            if number != answer:
                replies.setdefault(written(number), (reply(slip, **values),))
        text, why = Message(f"lesson.{name}_ask", values), Message(f"lesson.{name}_why", values)
        self.ask(Question("number", text, (answer,), (), about, (), replies, why))

    def ask_choice(
        self,
        about: str,
        answer: Choice,
        choices: Sequence[Choice],
        name: str,
        why: str | Mapping[Choice, Message] = "",
        /,
        **values: TextValue,
    ) -> None:
        """Ask after the last step for one of *choices*: *answer*, the next one's variable *about*.

        The texts are ``lesson.NAME_ask`` and ``_why``, which explains what is wrong with each other
        choice, with the *values* and the *choice*; *why* is the key (without ``lesson.``) of
        another text for that, or has a message for each wrong choice. Raise KeyError if it lacks
        one, IndexError if there is no step.
        """
        wrong = [each for each in choices if each != answer]
        if isinstance(why, str):
            key = f"lesson.{why}" if why else f"lesson.{name}_why"
            why = {each: Message(key, {**values, "choice": each}) for each in wrong}
        replies = {written(each): (why[each],) for each in wrong}
        text = Message(f"lesson.{name}_ask", values)
        self.ask(Question("choice", text, (answer,), tuple(choices), about, (), replies))

    def ask(self, question: Question) -> None:
        """Put *question* after the last step, in place of any there.

        Raise IndexError if there is no step.
        """
        self.steps[-1] = replace(self.steps[-1], question=question)


def reply(key: str, **values: TextValue) -> Message:
    """Return the message ``lesson.KEY`` with *values*, which explains why an answer is wrong."""
    return Message(f"lesson.{key}", values)


def written(answer: TextValue) -> str:
    """Return *answer* as the text by which pages find its reply: 0.5 is ``0.5``, 2.0 is ``2``.

    Numbers have at most six significant digits; a text stays as it is.
    """
    return answer if isinstance(answer, str) else f"{answer + 0.0:g}"


class Branches:
    """The tree that a search has visited so far: nodes numbered from 0, the root."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []

    def __len__(self) -> int:
        """Return the number of nodes so far."""
        return len(self._nodes)

    def enter(self, up: int | None, move: str, role: NodeRole) -> int:
        """Add a node below the node *up* (None: the root) and return its number, counted from 0.

        *move* is the name of the move that leads to it, empty for the root; *role* says who chooses
        there, as in `Node`.
        """
        self._nodes.append(Node(len(self._nodes), up, move, role))
        return len(self._nodes) - 1

    def note(self, number: int, text: TextValue | None, state: State = "open") -> None:
        """Set the text of the node *number* (None: nothing is known) and its state.

        Raise IndexError if there is no such node.
        """
        self._nodes[number] = replace(self._nodes[number], text=text, state=state)

    def frame(self, number: int, alpha: TextValue, beta: TextValue) -> None:
        """Set the window of the node *number*: alpha and beta, as numbers or ∞.

        Raise IndexError if there is no such node.
        """
        self._nodes[number] = replace(self._nodes[number], window=(alpha, beta))

    def at(self, current: int) -> TreePlace:
        """Return what to draw when the search is at the node *current*, and *current*.

        That is the root, and the children of all nodes on the path from there to *current*, both
        included, in the order of their numbers. Raise IndexError if there is no such node.
        """
        way, number = {current}, current
        while (up := self._nodes[number].up) is not None:
            way.add(up)
            number = up
        return tuple(node for node in self._nodes if node.up is None or node.up in way), current


MoveOrder = Callable[[Position], Sequence[Move]]
"""Returns the moves of a position in the order in which they are searched."""


def as_they_come(position: Position) -> Sequence[Move]:
    """Return the legal moves in the order of the rules, for searches that do not sort them."""
    return position.moves()


class Pruning:
    """Alpha-beta from *root* without steps of a lesson; *order* decides the order of moves.

    It counts the nodes of all calls in `nodes`, and stores in `best` the best move found in each
    position.
    """

    def __init__(self, root: Position, order: MoveOrder = as_they_come) -> None:
        self.root, self.order = root, order
        self.best: dict[Position, Move] = {}
        self.nodes = 0

    def value(
        self, position: Position, depth: float = inf, alpha: float = -inf, beta: float = inf
    ) -> float:
        """Return the value of *position* in points for the seat at the root, *depth* plies deep.

        At the horizon the game's own estimate counts. A value of *alpha* or less is an upper bound,
        one of *beta* or more a lower bound (fail-soft).
        """
        self.nodes += 1
        seat = self.root.turn
        if not position.moves():
            return margin(position, seat)
        if depth == 0:
            return Support.of(position.game).evaluate(position, seat)
        own = position.turn == seat
        best = -inf if own else inf
        for move in self.order(position):
            found = self.value(position.child(move), depth - 1, alpha, beta)
            if found > best if own else found < best:
                best, self.best[position] = found, move
            alpha, beta = (max(alpha, best), beta) if own else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best


class Truth:
    """Exact values of positions, computed by plain search and cached; for small boards."""

    def __init__(self) -> None:
        self._known: dict[Position, float] = {}

    def value(self, position: Position) -> float:
        """Return the final margin of the seat to move, in points, under best play of both."""
        if position not in self._known:
            values = self.moves(position).values()
            self._known[position] = max(values, default=margin(position, position.turn))
        return self._known[position]

    def moves(self, position: Position) -> dict[Move, float]:
        """Return by legal move the final margin in points for the seat that makes it.

        Both play as well as possible after it. Empty if the game is over.
        """
        return {move: self._after(position, move) for move in position.moves()}

    def best(self, position: Position) -> list[Move]:
        """Return all best moves, in the order of the rules; empty if the game is over."""
        values = self.moves(position)
        return [move for move, value in values.items() if value == self.value(position)]

    def line(self, position: Position) -> tuple[Move, ...]:
        """Return the moves of best play to the end; a best move that wins at once comes first.

        Empty if the game is over.
        """
        moves: list[Move] = []
        while best := self.best(position):
            moves.append(next((move for move in wins(position) if move in best), best[0]))
            position = position.child(moves[-1])
        return tuple(moves)

    def _after(self, position: Position, move: Move) -> float:
        """Return the final margin in points for the seat that makes *move*, if both play best."""
        child = position.child(move)
        value = self.value(child)
        return value if child.turn == position.turn else -value


RESULTS = {1: "win", 0: "draw", -1: "loss"}


class Guide:
    """Adds steps to *story* that show positions and ask for moves in them.

    It solves the positions that it asks about by a search to the end, so these must be small.
    """

    def __init__(self, story: Story) -> None:
        self.story = story
        self.truth = Truth()

    def show(self, key: str, position: Position, moves: str = "", mark: str = "") -> Scene:
        """Add a step with the text *key* on the position after *moves*, with *mark* highlighted.

        *moves* are names as a person types them (empty: none), *mark* is the name of one more move.
        Return the scene, without the highlight; raise PapanError if a move is not legal.
        """
        scene = Scene(position)
        for name in position.game.split_moves(moves):
            scene = scene.after(scene.position.legal_move(name))
        marks = (scene.position.legal_move(mark),) if mark else ()
        self.story.scene = Scene(scene.position, scene.played, marks)
        self.story.add_step(key)
        return scene

    def features(self, key: str, position: Position, but: str = "") -> None:
        """Add a step with the text *key* that shows *position* with its `Drawing.features`.

        Those whose key is *but* are left out.
        """
        drawing = "".join(each.svg for each in Drawing.of(position).features() if each.key != but)
        self.story.scene = Scene(position, drawing=drawing)
        self.story.add_step(key)

    def task(self, name: str, position: Position) -> None:
        """Add two steps with a question between them: the best moves of *position*.

        The first step shows it with the text ``lesson.NAME_task``, the second one plays a best move
        and tells its value: ``_done``. The question has the hint ``_hint`` and a reply to each
        wrong move. The position must be small enough for a plain search to the end.
        """
        best = self.truth.best(position)
        game = position.game
        names = tuple(map(game.move_name, best))
        self.story.scene = Scene(position)
        self.story.add_step(f"{name}_task")
        plan, most = self.truth.line(position), Proved.exactly(self.truth.value(position))
        wrong = [
            Mistake(
                position,
                move,
                plan,
                self.truth.line(position.child(move)),
                most,
                Proved.exactly(value),
            )
            for move, value in self.truth.moves(position).items()
            if move not in best
        ]
        some = (Message("lesson.hint_count", {"good": len(best), "count": len(position.moves())}),)
        question = Question(
            "move",
            _asked(position),
            names,
            hints=(Message(f"lesson.{name}_hint"), *some),
            replies={game.move_name(each.move): self._reply(each) for each in wrong},
            refutations={
                game.move_name(each.move): tuple(map(game.move_name, each.refutation))
                for each in wrong
            },
        )
        self.story.ask(question)
        self.story.scene = Scene(position).after(best[0])
        value = self.truth.value(position)
        self.story.add_step(
            f"{name}_done",
            {"move": names[0], "moves": ", ".join(names), "value": value},
            variables="moves value",
        )

    def _reply(self, mistake: Mistake) -> tuple[Message, ...]:
        """Return what a mistake loses, as one message, after the reason why, if there is one.

        The reason is the one that a review gives.
        """
        reason = fault(mistake)
        who = dict(zip(("player", "rival"), _players(mistake.before)))
        loss = self._loss(mistake)
        if reason is None:
            return (loss,)
        return Message(reason.key, who | dict(reason.values)), loss

    def _loss(self, mistake: Mistake) -> Message:
        """Return the sentence that says how many points, or what result, a mistake loses."""
        position, after = mistake.before, mistake.after
        value, best = self.truth.moves(position)[mistake.move], self.truth.value(position)
        facts: dict[str, TextValue] = {
            "move": position.game.move_name(mistake.move),
            "lost": best - value,
            "answer": ", ".join(map(position.game.move_name, mistake.refutation[:1])),
        }
        if position.game.seats == 1:
            return Message("lesson.reply_stuck", facts)
        if position.game.largest_margin == 1:
            key = f"lesson.reply_{RESULTS[int(best)]}_to_{RESULTS[int(value)]}"
            return Message(key, facts)
        again = after.moves() and after.turn == position.turn
        return Message("lesson.reply_costs_again" if again else "lesson.reply_costs", facts)


def _players(position: Position) -> tuple[str, str]:
    """Return the names of the seat to move and of the other one.

    They are X and O if players have marks, else keys of texts.
    """
    names = ("X", "O") if isinstance(position, MarkPosition) else ("seat.1", "seat.2")
    return (names[0], names[1]) if position.turn == 0 else (names[1], names[0])


def _asked(position: Position) -> Message:
    """Return the question for a move, with the name of the player to move.

    In a game of one seat it asks for a pair of tiles.
    """
    if position.game.seats == 1:
        return Message("lesson.ask_pair")
    marked = isinstance(position, MarkPosition)
    players = ("web.piece_x", "web.piece_o") if marked else ("web.seat_1", "web.seat_2")
    return Message("lesson.ask_move", {"player": players[position.turn]})


# Which lessons there are.


def _found() -> Iterator[Lesson]:
    """Yield every lesson of the modules here, and of the ``lesson.py`` of each game."""
    for package, pattern in (("papan.games", "*/lesson.py"), ("papan.lessons", "[!_]*")):
        for module in catalog.modules(package, pattern):
            yield from (each for each in vars(module).values() if isinstance(each, Lesson))


def _order(lesson: Lesson) -> tuple[bool, int, str]:
    """Return the sort key of a lesson: those about games first, then by rank, then by name."""
    return lesson.kind == "algorithm", lesson.place, lesson.name


LESSONS: dict[str, Lesson]
"""Every lesson by its name, in the recommended order."""


@cache
def _lessons() -> dict[str, Lesson]:
    """Return every lesson by its name, in the recommended order; cached, so do not change it."""
    return {lesson.name: lesson for lesson in sorted(_found(), key=_order)}


def __getattr__(name: str) -> dict[str, Lesson]:
    """Return `LESSONS` for its name; raise AttributeError for any other name.

    Lessons are imported on first use: before, a game may still be loading.
    """
    if name != "LESSONS":
        raise AttributeError(name)
    return _lessons()


@cache
def steps(name: str) -> tuple[Step, ...]:
    """Return the steps of the lesson *name*, cached.

    The first call runs its algorithm, which may take seconds. Raise KeyError if there is none.
    """
    story = Story()
    _lessons()[name].run(story)
    return tuple(story.steps)
