"""Lessons on chance: random moves, playouts (MCTS), and values learned from games (TD)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache, cached_property
from math import log, sqrt

from papan import catalog
from papan.core import Move, Position, margin
from papan.core.game import reachable
from papan.lessons import (
    Branches,
    Lesson,
    Scene,
    StepTable,
    Story,
    TextValue,
    Truth,
    columns,
    reply,
)

# Random: the baseline; every legal move is as likely as any other.

DRAWN = "tictactoe:3,3,3 xox/.../xo. o"
SEEDS = (1, 2, 3)
SIDES = (3, 4, 5, 10)


def teach_random(story: Story) -> dict[int, Move]:
    """Add the steps of the lesson on random moves; return the move that each of `SEEDS` draws."""
    root = catalog.position(DRAWN)
    moves, name = root.moves(), root.game.move_name
    count = len(moves)
    story.scene = Scene(root)
    story.add_step("random_start", line="function")
    story.scene = Scene(root, marks=tuple(moves))
    facts: dict[str, TextValue] = {"names": ", ".join(map(name, moves)), "count": count}
    story.add_step("random_list", facts, line="list", variables="count")
    share = round(100 / count)
    slips = {"random_slip_count": count, "random_slip_one": 1 / count}
    story.ask_number("share", share, "random_share", slips, count=count)
    facts = {"count": count, "share": share}
    story.add_step("random_share", facts, line="choose", variables="count share")
    _count_work(story)
    chosen = {}
    for seed in SEEDS:
        chosen[seed] = random.Random(f"{seed} {root}").choice(moves)
        story.scene = Scene(root).after(chosen[seed])
        facts = {"move": name(chosen[seed]), "seed": seed}
        story.add_step("random_play", facts, line="return", variables="seed move")
    values = Truth().moves(root)
    good = [move for move, value in values.items() if value == max(values.values())]
    story.scene = Scene(root, marks=tuple(moves))
    story.add_step("random_back", {"count": count}, line="choose", variables="count")
    story.scene = Scene(root, values=values, proved=True, best=good[0])
    slips = {"random_slip_all": count, "random_slip_none": 0}
    story.ask_number("good", len(good), "random_good", slips, count=count)
    facts = {"good": len(good), "count": count}
    story.add_step("random_truth", facts, line="choose", variables="good count")
    story.add_step("random_end", line="return")
    return chosen


def scanned(position: Position) -> tuple[list[Move], int]:
    """Return the empty cells as the paper's program lists them, and how many cells it examines.

    The empty cells are numbers, row by row; it examines all cells of the board.
    """
    found, looks = [], 0
    for cell, mark in enumerate(position.write()[0].replace("/", "")):
        looks += 1
        if mark == ".":
            found.append(cell)
    return found, looks


def _count_work(story: Story) -> None:
    """Add steps on T(n): the number of cells examined for one move, and for a whole game."""
    rows = []
    for side in SIDES:
        _, looks = scanned(catalog.position(f"tictactoe:{side},{side},{side}"))
        rows.append((side, looks, looks * side**2))
    story.add_step("random_work", line="list", table=columns("n looks all_moves", rows[:-1]))
    side, looks, game = rows[-1]
    slips = {"random_slip_row": side, "random_slip_game": game}
    story.ask_number("looks", looks, "random_looks", slips, side=side)
    table = columns("n looks all_moves", rows, marked=len(rows) - 1)
    facts = {"looks": looks, "moves": side**2, "all": game}
    story.add_step("random_looks", facts, line="list", variables="looks", table=table)


RANDOM = Lesson(
    "random",
    "tictactoe",
    teach_random,
    ("function", "list", "choose", "return"),
    agent="random",
    place=1,
    variants=("random", "random:seed=1"),
)


# Monte Carlo tree search: random games, and more of them where they went well (UCB).

_SEARCHED = "connect4:4,4"
_GAMES, EXPLORATION, SEED = 12, 1.4, 1
QUESTIONS = 4
ADDED = {0: "lost", 0.5: "draw", 1: "won"}


class LessonPlayoutNode:
    """A node of the tree: a position, its visits, and its wins for the seat that chose it.

    *number* is its number in the drawn tree, *mover* that seat, *move* what it chose (-1: nothing,
    at the root). A draw is half a win. Its untried moves and its children begin as all and none.
    """

    def __init__(self, position: Position, number: int, mover: int, move: Move = -1) -> None:
        self.position, self.number, self.mover, self.move = position, number, mover, move
        self.untried = list(position.moves())
        self.children: list[LessonPlayoutNode] = []
        self.visits = 0
        self.wins = 0.0

    @property
    def name(self) -> str:
        """The name of the move that leads here; the root has none (not checked)."""
        return self.position.game.move_name(self.move)

    def bound(self, visits: int) -> float:
        """Return UCB: wins / n + `EXPLORATION` * sqrt(ln(*visits*) / n), with its own visits n.

        *visits* are those of its parent, at least 1. Raise ZeroDivisionError if it was not visited.
        """
        return self.wins / self.visits + EXPLORATION * sqrt(log(visits)) / sqrt(self.visits)


class TaughtPlayouts:
    """MCTS as the pseudo-code has it, from *root* on; each action adds a step to *story*.

    `game` counts the playouts so far, `asked` the questions.
    """

    def __init__(self, story: Story, root: Position) -> None:
        self.story, self.random_state = story, SplitMix(SEED, root)
        self.tree = Branches()
        self.root = LessonPlayoutNode(root, self.tree.enter(None, "", "max"), root.turn)
        self.game = self.asked = 0
        self.turned = False
        """True once a step showed that a result counts for one player and against the other."""

    def play(self) -> None:
        """Run one playout: down the tree, at random to the end of the game, and back up.

        One node is added to the tree, unless the way down ends with a game that is over.
        """
        self.game += 1
        self.story.begin_chapter("chapter_playout", game=self.game)
        path = [self.root]
        while not path[-1].untried and path[-1].children:
            path.append(self._select(path[-1]))
        if path[-1].untried:
            path.append(self._grow(path[-1]))
        result = self._play_out(path[-1])
        self._back_up(path, result)

    def _select(self, node: LessonPlayoutNode) -> LessonPlayoutNode:
        """Return the child of *node* with the largest UCB (the newest of equals); add a step on it.

        At the root the first `QUESTIONS` choices without a tie are asked for.
        """
        best = max(node.children, key=lambda child: child.bound(node.visits))
        bounds = {child.name: round(child.bound(node.visits), 2) for child in node.children}
        largest = bounds[best.name]
        tied = sorted(name for name, bound in bounds.items() if bound == largest)
        if node is self.root:
            self._add_step("mcts_bounds", node, "select", visits=node.visits)
            if self.asked < QUESTIONS and len(tied) == 1:
                self.asked += 1
                why = {
                    name: reply("mcts_bound_why", move=name, bound=bound)
                    for name, bound in bounds.items()
                }
                self.story.ask_choice("move", best.name, sorted(bounds), "mcts_bound", why)
        key = "mcts_select" if len(tied) == 1 else "mcts_select_tie"
        self._add_step(key, best, "select", move=best.name, bound=largest, tied=", ".join(tied))
        return best

    def _grow(self, node: LessonPlayoutNode) -> LessonPlayoutNode:
        """Add a child of *node* for a random untried move and a step on it; return the child."""
        move = node.untried.pop(self.random_state.below(len(node.untried)))
        position = node.position.child(move)
        own = position.turn == self.root.position.turn
        name = position.game.move_name(move)
        number = self.tree.enter(node.number, name, "max" if own else "min")
        child = LessonPlayoutNode(position, number, node.position.turn, move)
        node.children.insert(0, child)
        self._add_step("mcts_grow", child, "grow", move=name)
        return child

    def _play_out(self, node: LessonPlayoutNode) -> float:
        """Play at random from *node* to the end and add a step; return the result for seat 0.

        It is 1 if that seat wins, 0 for a draw, -1 if it loses.
        """
        played = Scene(node.position)
        while moves := played.position.moves():
            played = played.after(moves[self.random_state.below(len(moves))])
        result = margin(played.position, 0)
        self.story.scene = played
        key = ("mcts_draw", "mcts_won", "mcts_lost")[int(result)]
        self._add_step(key, node, "play", False, plies=len(played.played))
        return result

    def _back_up(self, path: list[LessonPlayoutNode], result: float) -> None:
        """Count *result*, for seat 0 (1, 0 or -1), in the visits and wins of each node of *path*.

        A win of the seat that chose a node counts 1 there, a draw 1/2. Steps are added: one for the
        whole path, and for the first result that counts differently in its nodes one for each.
        """
        turns = bool(result) and len(path) > 2 and not self.turned
        self.turned |= turns
        for length, node in enumerate(path):
            node.visits += 1
            own = result if node.mover == 0 else -result
            added = 1 if own > 0 else 0.5 if own == 0 else 0
            node.wins += added
            self.tree.note(node.number, f"{node.wins:g}/{node.visits}")
            if turns and length:  # what one result adds to one node depends on who chose it
                facts = self._ask_added("mcts_side", path[1 : length + 1], added)
                key = f"mcts_side_{ADDED[added]}"
                self._add_step(key, node, "back", False, **facts)
        facts = {"path": _names(path[1:]), "added": added}
        if self.game == 1:
            facts = self._ask_added("mcts_added", path[1:], added)
        self._add_step("mcts_back", path[-1], "back", visits=self.root.visits, **facts)

    def _ask_added(
        self, name: str, way: list[LessonPlayoutNode], added: float
    ) -> dict[str, TextValue]:
        """Ask what a result adds to the wins of the last node of *way*; return values for texts.

        They are ``path``, ``chooser`` and ``added``. *name* begins the keys of these texts, *way*
        is a path without the root, *added* the answer: 0, 0.5 or 1.
        """
        facts: dict[str, TextValue] = {
            "path": _names(way),
            "chooser": f"seat.{way[-1].mover + 1}",
        }
        why = f"mcts_why_added_{ADDED[added]}"
        self.story.ask_choice("added", added, (0, 0.5, 1), name, why, **facts)
        return {**facts, "added": added}

    def _add_step(
        self,
        key: str,
        node: LessonPlayoutNode,
        line: str,
        scene: bool = True,
        /,
        **values: TextValue,
    ) -> None:
        """Add a step with the text *key* about *node*, with a table of the moves at the root.

        *line* is the name of the line of pseudo-code; *scene*: the board shows the position of the
        node. *values* fill the sentence.
        """
        if scene:
            self.story.scene = Scene(node.position)
        visits = self.root.visits
        rows = tuple(
            (
                child.name,
                child.visits,
                round(child.wins, 2),
                round(child.bound(visits), 2) if visits and child.visits else "∞",
            )
            for child in sorted(self.root.children, key=lambda child: child.move)
        )
        head = ("lesson.var_move", "lesson.head_visits", "lesson.head_wins", "lesson.head_bound")
        self.story.add_step(
            key,
            {"game": self.game, **values},
            line=line,
            variables="game move added",
            table=StepTable(head, rows) if rows else None,
            at=self.tree.at(node.number),
        )


def _names(path: list[LessonPlayoutNode]) -> str:
    """Return the names of the moves to the nodes of *path* (without the root), with arrows."""
    return " → ".join(node.name for node in path)


def search(story: Story) -> dict[str, int]:
    """Add the steps of the lesson on MCTS; return the visits of the root's moves, by name."""
    root = catalog.position(_SEARCHED)
    story.scene = Scene(root)
    story.begin_chapter("chapter_idea")
    story.add_step("mcts_start", {"games": _GAMES, "game": 0}, line="repeat", variables="game")
    found = TaughtPlayouts(story, root)
    for _ in range(_GAMES):
        found.play()
    visits = {child.name: child.visits for child in found.root.children}
    best = max(found.root.children, key=lambda child: (child.visits, child.wins))
    story.scene = Scene(root, marks=(best.move,))
    why = {name: reply("mcts_move_why", move=name, visits=count) for name, count in visits.items()}
    story.ask_choice("move", best.name, sorted(visits), "mcts_move", why, games=_GAMES)
    facts: Mapping[str, TextValue] = {"move": best.name, "visits": best.visits, "game": _GAMES}
    story.begin_chapter("chapter_choice")
    story.add_step("mcts_done", facts, line="return", variables="game move")
    return visits


MCTS = Lesson(
    "mcts",
    "connect4",
    search,
    ("repeat", "select", "grow", "play", "back", "return"),
    agent="mcts",
    variants=("mcts:iterations=500,exploration=0.1", "mcts:iterations=500"),
    place=10,
)


WORD_MASK = 2**64 - 1


class SplitMix:
    """The random generator SplitMix64, seeded by *seed* and the position that is searched.

    The agent ``mcts`` has the same one.
    """

    def __init__(self, seed: int, position: Position) -> None:
        self._state = random.Random(f"{seed} {position}").getrandbits(64)

    def below(self, bound: int) -> int:
        """Return a random whole number from 0 to *bound* - 1.

        *bound* is from 1 to 2^32 (not checked).
        """
        self._state = state = self._state + 0x9E3779B97F4A7C15 & WORD_MASK
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & WORD_MASK
        state = (state ^ state >> 27) * 0x94D049BB133111EB & WORD_MASK
        return ((state ^ state >> 31) >> 32) * bound >> 32


# Machine learning: values that are learned from games against oneself (TD), and the policy.

LEARNED = "tictactoe:3,3,3 x../.o./..x o"
RATE, EXPLORING, LEARNING_SEED = 0.5, 0.3, 2
STAGES = (0, 10, 30, 100, 300, 1000)
LEARNERS = {
    "explores": (RATE, EXPLORING),
    "greedy": (RATE, 0.0),
    "slow": (0.02, EXPLORING),
}
"""Learning rate of each learner, and the share of moves in which it explores."""


@cache
def followers(position: Position) -> dict[Move, Position]:
    """Return the position after each legal move, by move; empty at the end of the game.

    It is cached: do not change it.
    """
    return {move: position.child(move) for move in position.moves()}


class Learner:
    """A player that learns values of positions by playing against itself from *root*.

    `value` has the value (-1 to 1) of each position that it knows, for the seat to move; others
    count as 0. *rate* and *exploration* (a probability) are from 0 to 1.
    """

    def __init__(self, root: Position, rate: float = RATE, exploration: float = EXPLORING) -> None:
        self.root, self.rate, self.exploration = root, rate, exploration
        self.value: dict[Position, float] = {}
        self.rng = random.Random(LEARNING_SEED)

    def after(self, position: Position, move: Move) -> float:
        """Return the value (-1 to 1) after a legal move for the seat that makes it.

        It is the result at the end of the game, else the learned value.
        """
        child = followers(position)[move]
        return margin(child, position.turn) if child.is_over else 0.0 - self.value.get(child, 0.0)

    def moves(self, position: Position) -> dict[Move, float]:
        """Return by legal move the value (-1 to 1) after it, for the seat to move.

        Empty at the end of the game.
        """
        return {move: self.after(position, move) for move in followers(position)}

    def policy(self, position: Position) -> list[Move]:
        """Return the moves with the highest value, one or more; empty at the end of the game."""
        values = self.moves(position)
        return [move for move, value in values.items() if value == max(values.values())]

    def play(self) -> list[tuple[Position, Move]]:
        """Play a game against itself from the root, and return its plies; nothing is learned yet.

        A ply is (position before, move made). A move is a random one of the policy, or with the
        probability `exploration` any legal one.
        """
        position, played = self.root, []
        while moves := list(followers(position)):
            explores = self.rng.random() < self.exploration
            move = self.rng.choice(moves if explores else self.policy(position))
            played.append((position, move))
            position = followers(position)[move]
        return played

    def learn(self, position: Position) -> float:
        """Move the value of *position* towards its best move's value; return that value.

        value += rate * (target - value). Raise ValueError if the game is over.
        """
        target = max(self.moves(position).values())
        before = self.value.get(position, 0.0)
        self.value[position] = before + self.rate * (target - before)
        return target

    def practise(self, games: int) -> None:
        """Play *games* games, and learn from each, from its end to its start."""
        for _ in range(games):
            for position, _ in reversed(self.play()):
                self.learn(position)


class Exam:
    """An exam for learners: all unfinished positions from *root* on, with their exact values."""

    def __init__(self, root: Position) -> None:
        self.root, self.truth = root, Truth()

    @cached_property
    def positions(self) -> list[Position]:
        """The positions that can follow *root* and are not over, each once; *root* first."""
        return list(reachable(self.root))

    def errors(self, learner: Learner) -> int:
        """Return the number of positions in which some move of the policy is not a best one."""
        return sum(
            not set(learner.policy(each)) <= set(self.truth.best(each)) for each in self.positions
        )

    def distance(self, learner: Learner) -> float:
        """Return the mean absolute error of a learner's values, in points, to two decimals.

        A position that it does not know counts with the value 0.
        """
        off = [abs(learner.value.get(each, 0) - self.truth.value(each)) for each in self.positions]
        return round(sum(off) / len(off), 2)

    def curve(self, learner: Learner) -> tuple[float, ...]:
        """Train *learner* by `STAGES` games in all; return its `distance` after each stage.

        It must be new: games that it has played before are not subtracted.
        """
        points, played = [], 0
        for games in STAGES:
            learner.practise(games - played)
            played = games
            points.append(self.distance(learner))
        return tuple(points)


def teach(story: Story) -> dict[str, Learner]:
    """Add the steps of the lesson on learning; return the trained `LEARNERS` by name."""
    root = catalog.position(LEARNED)
    _first_game(story, Learner(root))
    exam = Exam(root)
    learners = {name: Learner(root, *each) for name, each in LEARNERS.items()}
    curves = {name: exam.curve(learner) for name, learner in learners.items()}
    _show_policy(story, learners["explores"], exam)
    unseen = len(exam.positions) - len(learners["greedy"].value)
    _compare(story, curves, len(exam.positions), unseen)
    return learners


def _first_game(story: Story, learner: Learner) -> None:
    """Add steps on one game of *learner*, and on what it learns from the last two positions."""
    root = learner.root
    name = root.game.move_name
    story.scene = Scene(root, values=learner.moves(root))
    story.add_step("learning_start", {"value": 0}, line="value", variables="value")
    story.add_step("learning_policy", line="choose")
    played = learner.play()
    scene = Scene(root)
    for _, move in played:
        scene = scene.after(move)
    story.scene = scene
    result = int(margin(scene.position, 0))
    key = ("learning_draw", "learning_won", "learning_lost")[result]
    story.add_step(key, {"line": " ".join(name(move) for _, move in played)}, line="play")
    for position, _ in played[:-3:-1]:  # its last two positions
        before = learner.value.get(position, 0.0)
        values = learner.moves(position)
        target = max(values.values())
        story.scene = Scene(position, values=values)
        facts = {"target": target, "value": before}
        story.add_step("learning_target", facts, line="target", variables="target value")
        learner.learn(position)
        after = round(learner.value[position], 3)
        slips = {
            "learning_slip_target": target,
            "learning_slip_value": before,
            "learning_slip_rate": RATE,
        }
        story.ask_number("value", after, "learning_value", slips, rate=RATE, **facts)
        learned = {"target": target, "value": after, "before": before, "rate": RATE}
        story.add_step("learning_learn", learned, line="learn", variables="target value")
    story.scene = Scene(root)
    story.add_step("learning_back", line="learn")


def _show_policy(story: Story, learner: Learner, exam: Exam) -> None:
    """Add steps on the values of *learner* at the root, the policy that follows, and exact values.

    The exact values are those of *exam*. *learner* must know the root (else KeyError), and its
    policy there must leave out some move (else IndexError).
    """
    root, name = learner.root, learner.root.game.move_name
    values = {move: round(value, 2) for move, value in learner.moves(root).items()}
    good = learner.policy(root)
    story.scene = Scene(root)
    story.add_step("learning_played", {"games": STAGES[-1]}, line="repeat")
    best = ", ".join(map(name, good))
    wrong = [move for move in root.moves() if move not in good]
    choices = (best, ", ".join(map(name, wrong)))
    looks = {"value": values[wrong[0]], "best": values[good[0]]}
    story.ask_choice("moves", best, choices, "learning_policy", **looks)
    story.scene = Scene(root, values=values, best=good[0])
    facts: Mapping[str, TextValue] = {"moves": best, "value": round(learner.value[root], 2)}
    story.add_step("learning_learned", facts, line="choose", variables="moves value")
    story.scene = Scene(root, values=exam.truth.moves(root), proved=True, best=good[0])
    story.add_step("learning_truth", line="choose")


def _compare(story: Story, curves: dict[str, tuple[float, ...]], count: int, unseen: int) -> None:
    """Add steps that compare learners: why to explore, and how fast to learn.

    *curves* has `Exam.curve` of each of `LEARNERS`, by name; *count* is the number of positions,
    *unseen* the number of positions for which the learner without exploration has no value.
    """
    names = {name: f"lesson.curve_{name}" for name in curves}
    begin, *_, off = curves["explores"]
    facts: dict[str, TextValue] = {"games": STAGES[-1], "positions": count}
    facts |= {"begin": begin, "off": off}
    two = {name: curves[name] for name in ("explores", "greedy")}
    story.add_step("learning_exam", facts, line="repeat", curves={"explores": two["explores"]})
    chosen = names[min(two, key=lambda each: two[each][-1])]
    both = [names[each] for each in two]
    story.ask_choice("chosen", chosen, both, "learning_explore", unseen=unseen, positions=count)
    facts = {"off": two["greedy"][-1], "unseen": unseen, "positions": count, "chosen": chosen}
    story.add_step("learning_explore", facts, line="choose", variables="chosen", curves=two)
    rows = tuple((games, *points) for games, *points in zip(STAGES, *curves.values()))
    table = StepTable(("lesson.head_games", *names.values()), rows)
    facts = {"rate": RATE, "slow": LEARNERS["slow"][0], "off": curves["slow"][-1]}
    story.add_step("learning_rate", facts, line="learn", curves=curves, table=table)
    story.add_step("learning_end", line="repeat")


LEARNING = Lesson(
    "learning",
    "tictactoe",
    teach,
    ("value", "repeat", "play", "choose", "back", "target", "learn"),
    agent="learned:games=30000",
    place=11,
)
