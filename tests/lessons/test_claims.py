"""What lessons claim in a sentence, proved by trying all of it."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import cast

import pytest

from papan import api, catalog
from papan.core.message import text_of
from papan.core.parts import Coach, Drawing
from papan.games.connect4 import lesson as priority
from papan.games.dots.chains import boxes_to_take
from papan.games.dots.rules import DotsPosition
from papan.games.onet import lesson as onet
from papan.lessons import Step, Story, chance, steps, trees

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]
CENTRE, CORNERS = [4], [0, 2, 6, 8]


def won(board: str, mark: str) -> bool:
    return any(all(board[int(cell)] == mark for cell in line) for line in LINES)


def placed(board: str, cell: int, mark: str) -> str:
    return board[:cell] + mark + board[cell + 1 :]


def empty(board: str) -> list[int]:
    return [cell for cell in range(9) if board[cell] == "."]


def other(mark: str) -> str:
    return "o" if mark == "x" else "x"


def wins(board: str, mark: str) -> list[int]:
    return [cell for cell in empty(board) if won(placed(board, cell, mark), mark)]


def blocks(board: str, mark: str) -> list[int]:
    return wins(board, other(mark))


def forks(board: str, mark: str) -> list[int]:
    return [cell for cell in empty(board) if len(wins(placed(board, cell, mark), mark)) > 1]


def fork_stops(board: str, mark: str) -> list[int]:
    """Where a fork of the other side is to be feared: the moves after which it cannot make one."""
    if not forks(board, other(mark)):
        return []
    return [cell for cell in empty(board) if not forked(placed(board, cell, mark), mark)]


def forked(board: str, mark: str) -> bool:
    """Whether the other side can fork now; while *mark* threatens, only by the block itself."""
    made = forks(board, other(mark))
    threats = wins(board, mark)
    return bool([cell for cell in made if cell in threats] if threats else made)


def centre(board: str, mark: str) -> list[int]:
    return [cell for cell in CENTRE if board[cell] == "."]


def corners(board: str, mark: str) -> list[int]:
    return [cell for cell in CORNERS if board[cell] == "."]


Rule = Callable[[str, str], list[int]]
RULES: dict[str, Rule] = {
    "win": wins,
    "block": blocks,
    "fork": forks,
    "stop a fork": fork_stops,
    "centre": centre,
    "corner": corners,
}


def endings(rules: Sequence[str]) -> set[str]:
    """How games end where both follow *rules* in this order, whichever equal move they choose."""

    @cache
    def after(board: str, mark: str) -> frozenset[str]:
        if won(board, other(mark)):
            return frozenset(other(mark))
        if not empty(board):
            return frozenset(["draw"])
        chosen = next(filter(None, (RULES[name](board, mark) for name in rules)), empty(board))
        return frozenset().union(
            *(after(placed(board, cell, mark), other(mark)) for cell in chosen)
        )

    return set(after("." * 9, "x"))


def test_u17_the_order_of_tic_tac_toe_is_a_draw_for_both() -> None:
    order = (
        text_of("lesson.tictactoe_end").removeprefix("In this order: ").split(".")[0].split(", ")
    )
    assert order == list(RULES)
    assert endings(order) == {"draw"}


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_u17_less_than_the_whole_order_is_not_enough(count: int) -> None:
    assert endings(list(RULES)[:count]) == {"x", "o", "draw"}


def test_what_the_lesson_of_machine_learning_claims_is_proved() -> None:
    root = catalog.position(chance.LEARNED)
    truth = api.solve(root, all_moves=True)
    edges = {root.legal_move(name) for name in ("b1", "a2", "c2", "b3")}
    assert set(truth.best) == edges and truth.value == 0, "an edge holds the draw"
    corner = root.child(root.legal_move("c1"))
    assert api.solve(corner).value == 1, "a corner loses"
    assert len(wins("x.o.o.x.x", "x")) == 2, "X answers it with two threats at once"
    learners = chance.teach(Story())
    assert set(learners["explores"].policy(root)) == edges
    exam = chance.Exam(root)
    assert exam.errors(learners["explores"]) == 0
    off = {name: exam.distance(each) for name, each in learners.items()}
    assert off["explores"] < off["greedy"] and off["explores"] < off["slow"]
    assert len(learners["greedy"].value) < 0.6 * len(learners["explores"].value)


def steps_with(name: str, key: str) -> list[Step]:
    """The steps of a lesson with a text."""
    return [step for step in steps(name) if step.text.key == f"lesson.{key}"]


def test_u16_the_double_cross_is_played_to_its_end_and_so_is_what_refuses_it() -> None:
    (task,) = steps_with("dots", "dots_cross_task")
    assert task.scene and task.question
    root = task.scene.position
    values = api.solve(root, all_moves=True).values
    (refused,) = steps_with("dots", "dots_refused")
    ends = [step.scene.position for step in steps_with("dots", "dots_last_turn") if step.scene]
    margins = [end.scores()[1] - end.scores()[0] for end in ends]
    cross, greedy = (
        root.legal_move(str(name))
        for name in (task.question.answers[0], refused.text.values["move"])
    )
    assert margins == [values[cross].number, values[greedy].number] == [3, -1]
    assert refused.variables["value"] == margins[1]
    openers = [
        [str(each.text.values["player"]) for each in steps_with("dots", "dots_turn")][place]
        for place in (2, -1)
    ]
    assert openers == ["seat.1", "seat.2"], "who opens the chain of four, with and without it"


def test_u16_the_order_of_moves_changes_the_work_and_not_the_value() -> None:
    root = catalog.position(trees.ORDERED)
    assert api.solve(root).value == 0
    found = {sign: trees.pruned(root, trees.Ordered(sign)) for sign in (-1, 1)}
    assert found[-1][0] == found[1][0] == 0
    (best,) = steps_with("alphabeta", "alphabeta_best")
    assert (best.text.values["before"], best.text.values["nodes"]) == (found[-1][1], found[1][1])
    (growth,) = steps_with("alphabeta", "alphabeta_growth")
    assert growth.table
    for _, everything, pruned, ordered in growth.table.rows:
        assert int(everything) > int(pruned) > int(ordered)
    savings = [int(pruned) / int(everything) for _, everything, pruned, _ in growth.table.rows]
    assert savings[-1] == min(savings), "the more there is to search, the more it saves"


def test_u16_a_tie_is_one_and_the_agent_plays_the_move_that_the_lesson_names() -> None:
    root = catalog.position(trees.TIE)
    solved = api.solve(root, all_moves=True)
    (done,) = steps_with("minimax", "minimax_tie_done")
    names = {done.text.values["move"], *str(done.text.values["others"]).split(", ")}
    assert {root.game.move_name(move) for move in solved.best} == names
    assert len(names) == 2
    played = catalog.agent("minimax").analyse(root).move
    assert root.game.move_name(played) == done.text.values["move"]


def test_u16_one_result_counts_for_one_player_and_against_the_other() -> None:
    lost, won = steps_with("mcts", "mcts_side_lost"), steps_with("mcts", "mcts_side_won")
    assert [len(lost), len(won)] == [1, 1]
    assert {lost[0].text.values["chooser"], won[0].text.values["chooser"]} == {"seat.1", "seat.2"}
    assert (lost[0].variables["added"], won[0].variables["added"]) == (0, 1)
    root = catalog.position(chance._SEARCHED)
    way = str(won[0].text.values["path"]).split(" \u2192 ")
    assert len(way) == 2 and root.after(" ".join(way)).turn == root.turn


def test_u17_what_the_lesson_of_connect_4_claims_is_proved() -> None:
    for task, threats in (("connect4_double_task", 2), ("connect4_zugzwang_task", 0)):
        (step,) = steps_with("connect4", task)
        assert step.scene and step.question
        position = step.scene.position
        after = position.after(str(step.question.answers[0]))
        ahead = {
            Coach.of(after.child(reply)).place_of(move)
            for reply in after.moves()
            for move in after.child(reply).moves()
            if after.child(reply).child(move).winner == 0
        }
        assert len(ahead) >= threats
        assert api.solve(position).value == 1 == -(api.solve(after).value or 0)
    (block,) = steps_with("connect4", "connect4_block_task")
    assert block.scene and block.question
    for name in block.question.replies:
        lost = block.scene.position.after(name)
        assert any(lost.child(move).winner == 1 for move in lost.moves()), "loses at once"


def test_u17_what_the_lesson_of_adjacency_claims_is_proved() -> None:
    (step,) = steps_with("adjacency", "adjacency_patience_done")
    (task,) = steps_with("adjacency", "adjacency_patience_task")
    assert task.scene
    position = task.scene.position
    values = api.solve(position, all_moves=True).values
    greedy = values[position.legal_move("a2")].number
    assert 0 < greedy < float(step.text.values["value"]), "a2 wins by less"
    (end,) = steps_with("adjacency", "adjacency_end_task")
    assert end.scene
    last = api.solve(end.scene.position, all_moves=True)
    assert last.value == 0 and len(last.best) == 1
    assert all(each.number < 0 for move, each in last.values.items() if move not in last.best)


def test_u17_what_the_lesson_of_dots_claims_is_proved() -> None:
    (task,) = steps_with("dots", "dots_safe_task")
    assert task.scene and task.question
    for name in task.question.answers:
        after = cast("DotsPosition", task.scene.position.after(str(name)))
        assert not boxes_to_take(after)
        given = (boxes_to_take(after.child(each)) for each in after.moves())
        assert all(given), "now the opponent must give something away"


def test_u17_what_the_lessons_of_onet_claim_is_proved() -> None:
    (order,) = steps_with("onet", "onet_order_task")
    assert order.scene and order.question
    assert (len(order.scene.position.moves()), len(order.question.replies)) == (4, 2)
    board = catalog.position("onet:2,9 1,1,2,3,4,1,5,1,1/2,4,3,5,6,6,7,7,1")
    edge = {f"{one}1" for one, tile in zip("abcdefghi", "112341511") if tile == "1"}
    for one, other in combinations(sorted(edge), 2):
        assert board.allows(board.game.parse_move(one + other)), "at one edge all are linked"
    graph = Drawing.of(catalog.position(onet.BOARD)).graph("runs")
    near = {end for edge in graph.edges for end in edge.ends if onet.LINKED[0] in edge.ends}
    assert near - {onet.LINKED[0]} == {"b0", "_1", "a1", "c1", "d1", "b2"}, "tiles end a run"


def test_u17_what_lessons_say_of_threats_is_proved() -> None:
    fork = "xo.o..x.."
    (task,) = steps_with("tictactoe", "tictactoe_fork_task")
    assert task.question
    names = {"abc"[cell % 3] + "123"[cell // 3] for cell in forks(fork, "x")}
    assert names == set(task.question.answers), "all forks here"
    (threats,) = steps_with("connect4", "connect4_threats")
    assert threats.scene
    seen = {
        (each.values["cell"], each.values["seat"])
        for each in Drawing.of(threats.scene.position).features()
    }
    assert seen == {("d3", 1), ("d3", 2), ("d4", 1), ("d4", 2)}, "good for X and for O"
    reasons = priority.reasons_for(catalog.position(priority.START))[2]
    assert len(reasons) == 3, "three smaller reasons"
    root = catalog.position(chance.DRAWN)
    answers = [root.child(move) for move in root.moves()]
    lost = [any(each.child(move).winner == 0 for move in each.moves()) for each in answers]
    assert sorted(lost) == [False, True, True, True], "all but the one that wins for O"
    assert [each.winner for each, loses in zip(answers, lost) if not loses] == [1]


def test_u16_no_picture_gives_the_next_answer_away() -> None:
    (flips,) = steps_with("adjacency", "adjacency_flips")
    assert flips.scene and not flips.scene.marks and "turns" not in flips.scene.drawing
    (chains,) = steps_with("dots", "dots_chains")
    assert chains.scene and "chain" in chains.scene.drawing
    assert "offer" not in chains.scene.drawing


def test_y7_a_game_by_chance_is_said_to_end_as_it_ends() -> None:
    ends = {"mcts_won": 0, "mcts_draw": None, "mcts_lost": 1}
    seen = [
        (step.scene.position.winner, winner)
        for key, winner in ends.items()
        for step in steps_with("mcts", key)
        if step.scene
    ]
    assert len({said for _, said in seen}) > 1
    assert all(won == said for won, said in seen)


def test_y7_the_rounds_before_the_last_cost_a_sixth_of_it() -> None:
    (share,) = steps_with("deepening", "deepening_share")
    assert share.variables["share"] == round(100 * (7 + 49 + 343) / 7**4) == 17


def test_y7_twice_the_side_is_likely_taken_for_twice_the_work() -> None:
    (scan,) = steps_with("growth", "growth_scan")
    (square,) = steps_with("growth", "growth_square")
    assert scan.question is not None
    before, answer = (float(str(square.variables[name])) for name in ("before", "looks"))
    assert scan.question.answers == (answer,) and answer == 4 * before
    keys = {reply[0].key: number for number, reply in scan.question.replies.items()}
    assert float(keys["lesson.growth_slip_twice"]) == 2 * before
