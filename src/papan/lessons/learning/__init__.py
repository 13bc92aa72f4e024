"""Machine learning: values that are learned from games against oneself (TD), and the policy."""

from __future__ import annotations

import random
from functools import cache, cached_property

from papan import catalog
from papan.core import Move, Position, margin
from papan.lessons.lesson import Lesson, Scene, StepTable, Story, TextValue, Truth

START = "tictactoe:3,3,3 x../.o./..x o"
RATE, EXPLORATION, SEED = 0.5, 0.3, 2
STAGES = (0, 10, 30, 100, 300, 1000)
LEARNERS = {
    "explores": (RATE, EXPLORATION),
    "greedy": (RATE, 0.0),
    "slow": (0.02, EXPLORATION),
}
"""Their rates and how often they explore."""


@cache
def followers(position: Position) -> dict[Move, Position]:
    """What each move leads to."""
    return {move: position.child(move) for move in position.moves()}


class Learner:
    """Keeps a value for each position, for the seat to move; at first it knows nothing: 0."""

    def __init__(
        self, root: Position, rate: float = RATE, exploration: float = EXPLORATION
    ) -> None:
        self.root, self.rate, self.exploration = root, rate, exploration
        self.value: dict[Position, float] = {}
        self.rng = random.Random(SEED)

    def after(self, position: Position, move: Move) -> float:
        """What a move leads to, for who makes it: the result, or what was learned."""
        child = followers(position)[move]
        return margin(child, position.turn) if child.is_over else 0.0 - self.value.get(child, 0.0)

    def moves(self, position: Position) -> dict[Move, float]:
        """The same for every move."""
        return {move: self.after(position, move) for move in followers(position)}

    def policy(self, position: Position) -> list[Move]:
        """The moves that look best."""
        values = self.moves(position)
        return [move for move, value in values.items() if value == max(values.values())]

    def play(self) -> list[tuple[Position, Move]]:
        """A game against itself: by the policy, and now and then just any move."""
        position, played = self.root, []
        while moves := list(followers(position)):
            explores = self.rng.random() < self.exploration
            move = self.rng.choice(moves if explores else self.policy(position))
            played.append((position, move))
            position = followers(position)[move]
        return played

    def learn(self, position: Position) -> float:
        """Move the value of a position towards what its best move leads to; that target."""
        target = max(self.moves(position).values())
        before = self.value.get(position, 0.0)
        self.value[position] = before + self.rate * (target - before)
        return target

    def practise(self, games: int) -> None:
        """Play games, and learn from each, from its end to its start."""
        for _ in range(games):
            for position, _ in reversed(self.play()):
                self.learn(position)


class Exam:
    """Every position that can follow, and which moves are right there."""

    def __init__(self, root: Position) -> None:
        self.root, self.truth = root, Truth()

    @cached_property
    def positions(self) -> list[Position]:
        """All that are not over."""
        found, seen = [self.root], {self.root}
        for position in found:
            for child in followers(position).values():
                if child not in seen and not child.is_over:
                    seen.add(child)
                    found.append(child)
        return found

    def errors(self, learner: Learner) -> int:
        """In how many of them a move that looks best gives something away."""
        return sum(
            not set(learner.policy(each)) <= set(self.truth.best(each)) for each in self.positions
        )

    def distance(self, learner: Learner) -> float:
        """How far its values are from the truth, as a mean over all of them."""
        off = [abs(learner.value.get(each, 0) - self.truth.value(each)) for each in self.positions]
        return round(sum(off) / len(off), 2)

    def curve(self, learner: Learner) -> tuple[float, ...]:
        """That distance after each stage."""
        points, played = [], 0
        for games in STAGES:
            learner.practise(games - played)
            played = games
            points.append(self.distance(learner))
        return tuple(points)


def teach(story: Story) -> dict[str, Learner]:
    """The whole lesson; what each learner has learned."""
    root = catalog.position(START)
    _first_game(story, Learner(root))
    exam = Exam(root)
    learners = {name: Learner(root, *each) for name, each in LEARNERS.items()}
    curves = {name: exam.curve(learner) for name, learner in learners.items()}
    _show_policy(story, learners["explores"], exam)
    unseen = len(exam.positions) - len(learners["greedy"].value)
    _compare(story, curves, len(exam.positions), unseen)
    return learners


def _first_game(story: Story, learner: Learner) -> None:
    """One game, and what is learned from it, value by value."""
    root = learner.root
    name = root.game.move_name
    story.scene = Scene(root, values=learner.moves(root))
    story.add_step("lesson.learning_start", line="value", variables={"value": 0})
    story.add_step("lesson.learning_policy", line="choose")
    played = learner.play()
    scene = Scene(root)
    for _, move in played:
        scene = scene.after(move)
    story.scene = scene
    result = int(margin(scene.position, 0))
    key = ("lesson.learning_draw", "lesson.learning_won", "lesson.learning_lost")[result]
    names = " ".join(name(move) for _, move in played)
    story.add_step(key, {"line": names}, line="play")
    for place, (position, _) in enumerate(reversed(played)):
        before = learner.value.get(position, 0.0)
        values = learner.moves(position)
        story.scene = Scene(position, values=values)
        facts: dict[str, TextValue] = {"target": max(values.values()), "value": before}
        story.add_step("lesson.learning_target", facts, line="target", variables=facts)
        learner.learn(position)
        after = round(learner.value[position], 3)
        slips: dict[str, TextValue] = {
            "lesson.learning_slip_target": facts["target"],
            "lesson.learning_slip_value": before,
            "lesson.learning_slip_rate": RATE,
        }
        ask, why = "lesson.learning_ask_value", "lesson.learning_why_value"
        story.ask_number("value", after, ask, why=why, slips=slips, rate=RATE, **facts)
        last = {**facts, "rate": RATE, "new": after}
        variables: dict[str, TextValue] = {"target": facts["target"], "value": after}
        story.add_step("lesson.learning_learn", last, line="learn", variables=variables)
        if place == 1:
            break
    story.scene = Scene(root)
    story.add_step("lesson.learning_back", line="learn")


def _show_policy(story: Story, learner: Learner, exam: Exam) -> None:
    """What has come of it: values, and the policy that follows from them."""
    root, name = learner.root, learner.root.game.move_name
    values = {move: round(value, 2) for move, value in learner.moves(root).items()}
    good = learner.policy(root)
    story.scene = Scene(root)
    story.add_step("lesson.learning_played", {"games": STAGES[-1]}, line="repeat")
    best = ", ".join(map(name, good))
    wrong = [move for move in root.moves() if move not in good]
    choices = (best, ", ".join(map(name, wrong)))
    looks: dict[str, TextValue] = {"value": values[wrong[0]], "best": values[good[0]]}
    ask, why = "lesson.learning_ask_policy", "lesson.learning_why_policy"
    story.ask_choice("moves", best, choices, ask, why=why, **looks)
    story.scene = Scene(root, values=values, best=good[0])
    facts: dict[str, TextValue] = {"moves": best, "value": round(learner.value[root], 2)}
    story.add_step("lesson.learning_learned", facts, line="choose", variables=facts)
    story.scene = Scene(root, values=exam.truth.moves(root), proved=True, best=good[0])
    story.add_step("lesson.learning_truth", line="choose")


def _compare(story: Story, curves: dict[str, tuple[float, ...]], count: int, unseen: int) -> None:
    """Why to explore, and how fast to learn."""
    heads = ("lesson.head_games", *(f"lesson.curve_{name}" for name in curves))
    rows = tuple((games, *points) for games, *points in zip(STAGES, *curves.values()))
    first = {"explores": curves["explores"]}
    facts: dict[str, TextValue] = {
        "games": STAGES[-1],
        "positions": count,
        "begin": curves["explores"][0],
        "off": curves["explores"][-1],
    }
    story.add_step("lesson.learning_exam", facts, line="repeat", curves=first)
    names = {name: f"lesson.curve_{name}" for name in curves}
    best = min(("explores", "greedy"), key=lambda each: curves[each][-1])
    story.ask_choice(
        "chosen",
        names[best],
        [names["explores"], names["greedy"]],
        "lesson.learning_ask_explore",
        why="lesson.learning_why_explore",
        unseen=unseen,
        positions=count,
    )
    two = {**first, "greedy": curves["greedy"]}
    facts = {"off": curves["greedy"][-1], "unseen": unseen, "positions": count}
    story.add_step(
        "lesson.learning_explore",
        facts,
        line="choose",
        variables={"chosen": names[best]},
        curves=two,
    )
    story.add_step(
        "lesson.learning_rate",
        {"rate": RATE, "slow": LEARNERS["slow"][0], "off": curves["slow"][-1]},
        line="learn",
        curves=curves,
        table=StepTable(heads, rows),
    )
    story.add_step("lesson.learning_end", line="repeat")


LESSON = Lesson(
    "learning",
    "tictactoe",
    teach,
    ("value", "repeat", "play", "choose", "back", "target", "learn"),
    agent="learned:games=30000",
    place=11,
)
