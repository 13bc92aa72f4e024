"""Random: the baseline; every legal move is as likely as any other."""

from __future__ import annotations

import random

from papan import catalog
from papan.core import Move, Position
from papan.lessons.lesson import Lesson, Scene, StepTable, Story, TextValue, Truth

START = "tictactoe:3,3,3 xox/.../xo. o"
SEEDS = (1, 2, 3)
SIDES = (3, 4, 5, 10)


def choose(story: Story) -> dict[int, Move]:
    """The whole lesson; the move that each seed leads to."""
    root = catalog.position(START)
    moves, name = root.moves(), root.game.move_name
    story.scene = Scene(root)
    story.add_step("lesson.random_start", line="function")
    story.scene = Scene(root, marks=tuple(moves))
    names = ", ".join(map(name, moves))
    story.add_step(
        "lesson.random_list",
        {"names": names, "count": len(moves)},
        line="list",
        variables={"count": len(moves)},
    )
    share = round(100 / len(moves))
    story.ask_number(
        "share",
        share,
        "lesson.random_ask",
        why="lesson.random_why",
        slips={"lesson.random_slip_count": len(moves), "lesson.random_slip_one": 1 / len(moves)},
        count=len(moves),
    )
    story.add_step(
        "lesson.random_share",
        {"share": share},
        line="choose",
        variables={"count": len(moves), "share": share},
    )
    _count_work(story)
    chosen = {}
    for seed in SEEDS:
        chosen[seed] = random.Random(f"{seed} {root}").choice(moves)
        story.scene = Scene(root).after(chosen[seed])
        story.add_step(
            "lesson.random_play",
            {"move": name(chosen[seed]), "seed": seed},
            line="return",
            variables={"seed": seed, "move": name(chosen[seed])},
        )
    values = Truth().moves(root)
    good = [move for move, value in values.items() if value == max(values.values())]
    story.scene = Scene(root, marks=tuple(moves))
    story.add_step("lesson.random_back", line="choose", variables={"count": len(moves)})
    story.scene = Scene(root, values=values, proved=True, best=good[0])
    slips: dict[str, TextValue] = {
        "lesson.random_slip_all": len(moves),
        "lesson.random_slip_none": 0,
    }
    ask, why = "lesson.random_ask_good", "lesson.random_why_good"
    story.ask_number("good", len(good), ask, why=why, slips=slips, count=len(moves))
    story.add_step(
        "lesson.random_truth",
        {"good": len(good), "count": len(moves)},
        line="choose",
        variables={"good": len(good), "count": len(moves)},
    )
    story.add_step("lesson.random_end", line="return")
    return chosen


def scanned(position: Position) -> tuple[list[Move], int]:
    """The empty cells, found as the paper's program does, and how many cells it looks at."""
    found, looks = [], 0
    for cell, mark in enumerate(position.write()[0].replace("/", "")):
        looks += 1
        if mark == ".":
            found.append(cell)
    return found, looks


def _count_work(story: Story) -> None:
    """T(n), counted: the cells that are looked at for one move, and for a whole game."""
    rows = []
    for side in SIDES:
        _, looks = scanned(catalog.position(f"tictactoe:{side},{side},{side}"))
        rows.append((side, looks, looks * side**2))
    heads = ("lesson.head_n", "lesson.head_looks", "lesson.head_all_moves")
    table = StepTable(heads, tuple(rows[:-1]))
    story.add_step("lesson.random_work", line="list", table=table)
    side, looks, game = rows[-1]
    slips: dict[str, TextValue] = {"lesson.random_slip_row": side, "lesson.random_slip_game": game}
    ask, why = "lesson.random_ask_looks", "lesson.random_why_looks"
    story.ask_number("looks", looks, ask, why=why, slips=slips, side=side)
    table = StepTable(heads, tuple(rows), marked=len(rows) - 1)
    values: dict[str, TextValue] = {"looks": looks, "moves": side**2, "all": game}
    story.add_step(
        "lesson.random_looks", values, line="list", variables={"looks": looks}, table=table
    )


LESSON = Lesson(
    "random",
    "tictactoe",
    choose,
    ("function", "list", "choose", "return"),
    agent="random",
    place=1,
    variants=("random", "random:seed=1"),
)
