"""Hill climbing: the step that leads highest, what it does not see, and its two relatives."""

from __future__ import annotations

from functools import partial

from papan import catalog
from papan.core import Agent, Event, Move, margin
from papan.lessons.lesson import Lesson, Scene, StepTable, Story, Text, TextValue, Truth

STATES = ((5, 8), (5, 2))
"""The paper's two states: own and rival marks."""
START = "adjacency:4,4,4 ..oo/.oox/xoxx/xx.o x"


def climb(story: Story) -> dict[Move, float]:
    """The whole lesson; how high each move leads."""
    root = catalog.position(START)
    name = root.game.move_name
    story.scene = Scene(root)
    here = margin(root, root.turn)
    story.add_step(
        "lesson.hillclimb_start", {"height": here}, line="function", variables={"height": here}
    )
    heads = tuple(f"lesson.head_{name}" for name in ("own", "rival", "own_alone", "difference"))
    table = StepTable(heads, tuple((own, rival, own, own - rival) for own, rival in STATES))
    story.add_step("lesson.hillclimb_objective", line="look", table=table)
    heights: dict[Move, float] = {}
    best: Move | None = None
    for move in root.moves():
        height = margin(root.child(move), root.turn)
        story.scene = Scene(root, marks=(move,), values=dict(heights), best=best)
        variables: dict[str, TextValue] = {"move": name(move)}
        if best is not None:
            variables["best"] = heights[best]
        story.add_step(
            "lesson.hillclimb_look", {"move": name(move)}, line="look", variables=variables
        )
        turned = (height - here - 1) / 2
        slips: dict[str, TextValue] = {
            "lesson.hillclimb_slip_new": here + 1,
            "lesson.hillclimb_slip_once": here + 1 + turned,
            "lesson.hillclimb_slip_mark": here + 2 * turned,
        }
        ask, why = "lesson.hillclimb_ask", "lesson.hillclimb_why"
        story.ask_number("height", height, ask, why=why, slips=slips, move=name(move), here=here)
        heights[move] = height
        higher = best is None or height > heights[best]
        best = move if best is None or higher else best
        story.scene = Scene(root, marks=(move,), values=dict(heights), best=best)
        key = "lesson.hillclimb_higher" if higher else "lesson.hillclimb_lower"
        variables = {"move": name(move), "height": height, "best": heights[best]}
        story.add_step(key, variables, line="keep", variables=variables)
    assert best is not None
    story.scene = Scene(root, values=heights, best=best)
    lower: dict[TextValue, Text] = {
        name(move): Text("lesson.hillclimb_why_move", {"move": name(move), "height": height})
        for move, height in heights.items()
    }
    ask = "lesson.hillclimb_ask_move"
    story.ask_choice("chosen", name(best), list(map(name, heights)), ask, why=lower)
    story.add_step(
        "lesson.hillclimb_play",
        {"move": name(best), "height": heights[best]},
        line="return",
        variables={"chosen": name(best)},
    )
    truth = Truth()
    values = truth.moves(root)
    good = truth.best(root)[0]
    story.scene = Scene(root, values=values, proved=True, best=good)
    facts: dict[str, TextValue] = {
        "move": name(best),
        "end": values[best],
        "good": name(good),
        "truth": values[good],
    }
    story.add_step("lesson.hillclimb_truth", facts, line="return")
    compare(story)
    return heights


LANDSCAPE = "adjacency f2 c8 g3 g4 f4 e4 b6 e2 c7 e5 e6 a6"
SEEDS = 100
"""How often each climber is sent out to see how often it reaches the top."""


def compare(story: Story) -> dict[str, tuple[int, float, int]]:
    """Three climbers on one landscape, with as many looks: looks, height, how often at the top."""
    spec, _, moves = LANDSCAPE.partition(" ")
    root = catalog.position(spec).after(moves)
    name = root.game.move_name
    heights = {move: margin(root.child(move), root.turn) for move in root.moves()}
    top = max(heights.values())
    best = [move for move in heights if heights[move] == top]
    story.scene = Scene(root, values=heights)
    facts: dict[str, TextValue] = {"moves": len(heights), "top": top, "summits": len(best)}
    story.add_step("lesson.hillclimb_landscape", facts, line="each", variables={"height": top})
    found: dict[str, tuple[int, float, int]] = {}
    curves: dict[str, tuple[float, ...]] = {}
    for kind, settings in climbers(len(heights)).items():
        climbed: list[float] = []
        agent = catalog.agent(kind, **settings)
        analysis = agent.analyse(root, listener=partial(_note, climbed))
        reached = sum(heights[each.analyse(root).move] == top for each in _sent(kind, settings))
        found[kind] = (analysis.nodes, heights[analysis.move], reached)
        curves[kind] = tuple(climbed)
        rows = tuple((f"lesson.hillclimb_is_{each}", *facts) for each, facts in found.items())
        head = ("lesson.head_climber", "lesson.head_looks_at", "lesson.head_height")
        table = StepTable((*head, "lesson.head_at_the_top"), rows, marked=len(rows) - 1)
        story.scene = Scene(root, values=heights, best=analysis.move)
        values: dict[str, TextValue] = {
            "move": name(analysis.move),
            "height": heights[analysis.move],
            "steps": len(climbed),
            "looks": analysis.nodes,
            "reached": reached,
        }
        story.add_step(
            f"lesson.hillclimb_{kind}", values, line="keep", table=table, curves=dict(curves)
        )
    kinds = [f"lesson.hillclimb_is_{kind}" for kind in found]
    surest = f"lesson.hillclimb_is_{max(found, key=lambda kind: found[kind][2])}"
    less: dict[TextValue, Text] = {
        f"lesson.hillclimb_is_{kind}": Text(
            "lesson.hillclimb_why_surest",
            {"climber": f"lesson.hillclimb_is_{kind}", "reached": reached},
        )
        for kind, (_, _, reached) in found.items()
    }
    story.ask_choice("surest", surest, kinds, "lesson.hillclimb_ask_surest", why=less)
    story.add_step("lesson.hillclimb_end", line="return", variables={"surest": surest}, table=table)
    return found


def climbers(moves: int) -> dict[str, dict[str, float]]:
    """Each may look at as many moves as there are: one to stand on, and the others drawn."""
    drawn = moves - 1
    return {
        "hillclimb": {},
        "stochastic": {"looks": drawn},
        "annealing": {"temperature": drawn / 8, "cooling": 1 / 8},
    }


def _sent(kind: str, settings: dict[str, float]) -> list[Agent]:
    if kind == "hillclimb":  # it has no luck
        return [catalog.agent(kind)] * SEEDS
    return [catalog.agent(kind, **settings, seed=seed) for seed in range(SEEDS)]


def _note(climbed: list[float], event: Event) -> None:
    if event["t"] == "climb":
        climbed.append(event["v"])


LESSON = Lesson(
    "hillclimb",
    "adjacency",
    climb,
    ("function", "each", "look", "keep", "return"),
    agent="hillclimb",
    variants=("hillclimb", "annealing:temperature=20"),
    place=8,
)
