"""Monte Carlo tree search: random games, and more of them where they went well (UCB)."""

from __future__ import annotations

import random
from math import log, sqrt

from papan import catalog
from papan.core import Move, Position, margin
from papan.lessons.lesson import Branches, Lesson, Scene, StepTable, Story, Text, TextValue, some

START = "connect4:4,4"
GAMES, EXPLORATION, SEED = 12, 1.4, 1
QUESTIONS = 4
ADDED = {0: "lost", 0.5: "draw", 1: "won"}


class Place:
    """A position in the tree, and how the games through it went for who chose it."""

    def __init__(self, position: Position, number: int, mover: int, move: Move = -1) -> None:
        self.position, self.number, self.mover, self.move = position, number, mover, move
        self.untried = list(position.moves())
        self.children: list[Place] = []
        self.visits = 0
        self.wins = 0.0

    @property
    def name(self) -> str:
        return self.position.game.move_name(self.move)

    def bound(self, visits: int) -> float:
        """UCB: how well it went, and a bonus for how little it is known."""
        return self.wins / self.visits + EXPLORATION * sqrt(log(visits)) / sqrt(self.visits)


class Search:
    """The search as the pseudo-code has it, with a step of the lesson for each action."""

    def __init__(self, story: Story, root: Position) -> None:
        self.story, self.dice = story, Dice(SEED, root)
        self.tree = Branches()
        self.root = Place(root, self.tree.enter(None, "", "max"), root.turn)
        self.game = self.asked = 0
        self.turned = False
        """Was it shown that a result counts for one player and against the other?"""

    def play(self) -> None:
        """One game: down the tree, one new position, at random to the end, and back up."""
        self.game += 1
        path = [self.root]
        while not path[-1].untried and path[-1].children:
            path.append(self._select(path[-1]))
        if path[-1].untried:
            path.append(self._grow(path[-1]))
        result = self._play_out(path[-1])
        self._back_up(path, result)

    def _select(self, place: Place) -> Place:
        best = max(place.children, key=lambda child: child.bound(place.visits))
        bounds = {child.name: round(child.bound(place.visits), 2) for child in place.children}
        if place is self.root:
            self._add_step("lesson.mcts_bounds", place, "select", visits=place.visits)
            self._ask(best.name, bounds)
        largest = bounds[best.name]
        tied = sorted(name for name, bound in bounds.items() if bound == largest)
        key = "lesson.mcts_select" if len(tied) == 1 else "lesson.mcts_select_tie"
        names = ", ".join(tied)
        self._add_step(key, best, "select", move=best.name, bound=largest, tied=names)
        return best

    def _ask(self, best: str, bounds: dict[str, float]) -> None:
        """Ask who is selected, where one move alone has the largest bound that is shown."""
        largest = bounds[best]
        if self.asked < QUESTIONS and list(bounds.values()).count(largest) == 1:
            self.asked += 1
            why: dict[TextValue, Text] = {
                name: Text("lesson.mcts_why", {"move": name, "bound": bound})
                for name, bound in bounds.items()
            }
            self.story.ask_choice("move", best, sorted(bounds), "lesson.mcts_ask", why=why)

    def _grow(self, place: Place) -> Place:
        move = place.untried.pop(self.dice.below(len(place.untried)))
        position = place.position.child(move)
        own = position.turn == self.root.position.turn
        name = position.game.move_name(move)
        number = self.tree.enter(place.number, name, "max" if own else "min")
        child = Place(position, number, place.position.turn, move)
        place.children.insert(0, child)
        self._add_step("lesson.mcts_grow", child, "grow", move=name)
        return child

    def _play_out(self, place: Place) -> float:
        """How a random game from here ends for the first seat."""
        position, played = place.position, Scene(place.position)
        while moves := position.moves():
            played = played.after(moves[self.dice.below(len(moves))])
            position = played.position
        result = margin(position, 0)
        self.story.scene = played
        key = ("lesson.mcts_draw", "lesson.mcts_won", "lesson.mcts_lost")[int(result)]
        self._add_step(key, place, "play", plies=len(played.played), scene=False)
        return result

    def _back_up(self, path: list[Place], result: float) -> None:
        turns = bool(result) and len(path) > 2 and not self.turned
        self.turned |= turns
        for length, place in enumerate(path):
            place.visits += 1
            own = result if place.mover == 0 else -result
            added = 1 if own > 0 else 0.5 if own == 0 else 0
            place.wins += added
            self.tree.note(place.number, f"{place.wins:g}/{place.visits}")
            if turns and length:
                self._change_sides(path[1 : length + 1], added)
        names = " → ".join(place.name for place in path[1:])
        if self.game == 1:
            ask, why = "lesson.mcts_ask_added", f"lesson.mcts_why_added_{ADDED[added]}"
            chooser = f"seat.{path[-1].mover + 1}"
            values: dict[str, TextValue] = {"path": names, "chooser": chooser}
            self.story.ask_choice("added", added, (0, 0.5, 1), ask, why=why, **values)
        visits = self.root.visits
        self._add_step("lesson.mcts_back", path[-1], "back", path=names, visits=visits, added=added)

    def _change_sides(self, way: list[Place], added: float) -> None:
        """What one result adds to one node: it depends on who chose it."""
        place = way[-1]
        facts: dict[str, TextValue] = {
            "path": " → ".join(each.name for each in way),
            "chooser": f"seat.{place.mover + 1}",
        }
        ask, why = "lesson.mcts_ask_side", f"lesson.mcts_why_added_{ADDED[added]}"
        self.story.ask_choice("added", added, (0, 0.5, 1), ask, why=why, **facts)
        key = f"lesson.mcts_side_{ADDED[added]}"
        self._add_step(key, place, "back", scene=False, added=added, **facts)

    def _add_step(
        self, key: str, place: Place, line: str, scene: bool = True, **values: TextValue
    ) -> None:
        if scene:
            self.story.scene = Scene(place.position)
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
        shown = some(values, "move", "added")
        self.story.add_step(
            key,
            {"game": self.game, **values},
            line=line,
            variables={"game": self.game, **shown},
            table=StepTable(head, rows) if rows else None,
            **self.tree.at(place.number),
        )


def search(story: Story) -> dict[str, int]:
    """The whole lesson; how often each move was visited."""
    root = catalog.position(START)
    story.scene = Scene(root)
    story.add_step("lesson.mcts_start", {"games": GAMES}, line="repeat", variables={"game": 0})
    found = Search(story, root)
    for _ in range(GAMES):
        found.play()
    visits = {child.name: child.visits for child in found.root.children}
    best = max(found.root.children, key=lambda child: (child.visits, child.wins))
    story.scene = Scene(root, marks=(best.move,))
    why: dict[TextValue, Text] = {
        name: Text("lesson.mcts_why_move", {"move": name, "visits": count})
        for name, count in visits.items()
    }
    ask = "lesson.mcts_ask_move"
    story.ask_choice("move", best.name, sorted(visits), ask, why=why, games=GAMES)
    story.add_step(
        "lesson.mcts_done",
        {"move": best.name, "visits": best.visits},
        line="return",
        variables={"game": found.game, "move": best.name},
    )
    return visits


LESSON = Lesson(
    "mcts",
    "connect4",
    search,
    ("repeat", "select", "grow", "play", "back", "return"),
    agent="mcts",
    variants=("mcts:iterations=500,exploration=0.1", "mcts:iterations=500"),
    place=10,
)


WORD = 2**64 - 1


class Dice:
    """SplitMix64, from a seed and the position that is searched."""

    def __init__(self, seed: int, position: Position) -> None:
        self._state = random.Random(f"{seed} {position}").getrandbits(64)

    def below(self, bound: int) -> int:
        """A number from 0 to *bound* - 1."""
        self._state = state = self._state + 0x9E3779B97F4A7C15 & WORD
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & WORD
        state = (state ^ state >> 27) * 0x94D049BB133111EB & WORD
        return ((state ^ state >> 31) >> 32) * bound >> 32
