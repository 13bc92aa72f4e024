"""Proof: one good move is enough for the side that claims, every reply must be answered."""

from __future__ import annotations

from papan import catalog
from papan.core import Move, Position, margin
from papan.lessons.lesson import Lesson, Scene, Story, TextValue, TreeSearch, everything, some

START = "connect4:4,4 .o.x/.o.x/ox.o/xx.o x"
QUESTIONS = 5
YES, NO = "lesson.yes", "lesson.no"


class Prover(TreeSearch):
    """Is the seat at the root sure of at least *goal*? The proof as the pseudo-code has it."""

    def __init__(self, story: Story, root: Position, goal: float) -> None:
        super().__init__(story, root)
        self.goal = goal

    def proves(self, scene: Scene, up: int | None = None, move: str = "") -> bool:
        """Is the goal reached from here, whatever the rival does?"""
        position, own, here = self.enter(scene, up, move)
        if not position.moves():
            return self._over(position, here, move)
        if up is not None:
            key = "lesson.proof_enter_own" if own else "lesson.proof_enter_rival"
            line = "some" if own else "every"
            self._add_step(key, here, line, move=move, count=len(position.moves()))
        for left, each in zip(reversed(range(len(position.moves()))), position.moves()):
            proven = self.proves(scene.after(each), here, position.game.move_name(each))
            self.story.scene = scene
            if proven == own:  # one good move proves, one good reply refutes
                if up is None:
                    self.chosen = each
                self._settled(here, own, each, left)
                return proven
            if left:
                self._go_on(here, own, each, left)
        self.tree.note(here, NO if own else YES, "done")
        key = "lesson.proof_none" if own else "lesson.proof_all"
        self._add_step(
            key, here, "some" if own else "every", move=move or "", proven=NO if own else YES
        )
        return not own

    def _over(self, position: Position, here: int, move: str) -> bool:
        result = margin(position, self.root.turn)
        proven = result >= self.goal
        word = YES if proven else NO
        self.tree.note(here, word, "done")
        key = "lesson.proof_over_yes" if proven else "lesson.proof_over_no"
        self._add_step(key, here, "over", move=move, proven=word)
        return proven

    def _settled(self, here: int, own: bool, move: Move, left: int) -> None:
        """One move has decided: the others need not be looked at."""
        word = YES if own else NO
        if left:
            self._ask(NO, own, left)
        self.tree.note(here, word, "cut" if left else "done")
        key = "lesson.proof_found" if own else "lesson.proof_refuted"
        name = self.root.game.move_name(move)
        line = "some" if own else "every"
        self._add_step(key, here, line, move=name, proven=word, others=NO, left=left)

    def _go_on(self, here: int, own: bool, move: Move, left: int) -> None:
        """One move has decided nothing: the others must be looked at."""
        self._ask(YES, own, left)
        key = "lesson.proof_go_on_own" if own else "lesson.proof_go_on_rival"
        name = self.root.game.move_name(move)
        self._add_step(key, here, "some" if own else "every", move=name, others=YES, left=left)

    def _ask(self, answer: str, own: bool, left: int) -> None:
        if self.asked < QUESTIONS:
            self.asked += 1
            key, player = "lesson.proof_ask", "X" if own else "O"
            settled = "settled" if answer == NO else "open"
            why = f"lesson.proof_why_{'own' if own else 'rival'}_{settled}"
            choices = (YES, NO)
            self.story.ask_choice("others", answer, choices, key, why=why, player=player, left=left)

    def _add_step(self, key: str, here: int, line: str, **values: TextValue) -> None:
        shown = some(values, "proven", "others")
        variables = {"goal": self.goal, **shown, "nodes": self.nodes}
        self.story.add_step(key, values, line=line, variables=variables, **self.tree.at(here))


def search(story: Story) -> Prover:
    """The whole lesson; what has been proven."""
    root = catalog.position(START)
    story.scene = Scene(root)
    story.add_step("lesson.proof_start", line="function", variables={"goal": 1})
    found = Prover(story, root, goal=1)
    found.proves(Scene(root))
    assert found.chosen is not None
    story.scene = Scene(root, marks=(found.chosen,))
    facts: dict[str, TextValue] = {
        "move": root.game.move_name(found.chosen),
        "nodes": found.nodes,
        "all": everything(root),
    }
    story.add_step("lesson.proof_done", facts, line="function", variables={"nodes": found.nodes})
    return found


LESSON = Lesson(
    "proof",
    "connect4",
    search,
    ("function", "over", "some", "every"),
    agent="solver",
    place=7,
    variants=("solver", "alphabeta:depth=6"),
)
