"""The recipes: what is certain in each paper's comparison, whatever the seed and the amount."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from papan import agent, api, position
from papan.core import Agent, Position
from papan.core.compiling import is_plain
from papan.core.message import LANGUAGES, Message, catalogue
from papan.games.connect4.paper import Priority, PriorityFixed
from papan.games.connect4.rules import Connect4Position
from papan.games.connect4.strategy import FOLDER
from papan.lab.match import MatchGame
from papan.lab.results import (
    Finding,
    Measure,
    ReportTable,
    always,
    cell_text,
    finding_reason,
    sometimes,
)
from papan.lab.work import run_all
from papan.papers import PAPERS, adjacency, connect4, dots, exhibits, onet, tictactoe
from papan.papers.experiment import Symmetric, out_of
from papan.papers.paper import Paper, Report, from_file, reference, to_file
from tests.brute_force import after_each

from .conftest import report

pytestmark = pytest.mark.thorough
DOCS = Path(__file__).parents[2] / "docs"


def findings(number: str) -> dict[str, Finding]:
    """The comparison with a paper, by what is compared in English."""
    return {cell_text(each.what, "en"): each for each in report(number).conclusions.findings}


def shown(number: str) -> dict[str, tuple[str, str, str]]:
    return {
        what: (cell_text(each.paper, "en"), cell_text(each.ours, "en"), each.agrees)
        for what, each in findings(number).items()
    }


def table(number: str, name: str) -> ReportTable:
    return next(each for each in report(number).conclusions.tables if each.name == name)


def test_the_dots_paper_is_reproduced_and_its_claims_fall() -> None:
    found = shown("000")
    replayed = "moves of the paper's program that {} reproduces"
    assert found[replayed.format("chains")] == ("13", "13 of 13", "yes")
    assert found[replayed.format("chains-fixed")] == ("\u2013", "11 of 13", "none")
    assert found["final score of the printed game, person-program"] == ("3-6", "3-6", "yes")
    assert found["moves of the program that are optimal"] == ("“optimal”: all", "10 of 13", "no")
    assert found["moves of the person that are optimal"][1] == "8 of 11"
    meet = "lines that meet at the dots of a full board of 3x3 boxes"
    assert found[meet] == ("4", "2, 3, 4", "no")
    lines = "lines on a full board of 3x3 boxes (paper: 2n / r, with n = 16 dots and r = 4)"
    assert found[lines] == ("8", "24", "no")


def test_m05_the_replayed_game_is_no_evidence_of_the_chain_value() -> None:
    found = shown("000")
    replayed = "moves of the paper's program that chains:{} reproduces"
    assert found[replayed.format("reading=none")] == ("\u2013", "13 of 13", "none")
    assert found[replayed.format("reading=printed")] == ("\u2013", "12 of 13", "none")
    assert "no evidence" in cell_text(Message("paper000.remark_chain"), "en")


def test_m11_the_formula_is_wrong_for_regular_graphs_too() -> None:
    what = "edges of a graph in which each of 5 vertices is joined to all others (paper: 2n = re)"
    assert shown("000")[what] == ("2.5", "10", "no")


def test_m12_the_chain_value_is_tried_against_a_constant() -> None:
    lines = [line for what, line in shown("000").items() if "with a constant in" in what]
    assert len(lines) == 2, "the number of chains, and points"
    for paper, _, verdict in lines:
        assert "force" in paper
        assert verdict == "open", "one pair of games decides nothing"


def test_q8_other_choices_where_the_paper_leaves_one_open_are_tried() -> None:
    found = shown("000")
    replayed = "moves of the paper's program that chains:{} reproduces"
    moves = {"order=dots": "9 of 13", "depth=2": "12 of 13", "depth=5": "13 of 13"}
    for choice, same in moves.items():
        assert found[replayed.format(choice)] == ("\u2013", same, "none")
    for name, said in (("order", "makes nine"), ("depth", "2 makes twelve"), ("reading", "twelve")):
        assert said in cell_text(Message(f"paper000.choice_{name}"), "en")


def test_m12_the_dots_paper_is_tried_on_three_sizes_and_both_seats() -> None:
    lines = [what for what in shown("000") if what.startswith("points of chains on ")]
    for size in ("2x2", "3x3", "4x4"):
        assert sum(f"on {size} boxes as player 1" in what for what in lines) >= 2
        assert sum(f"on {size} boxes as player 2" in what for what in lines) >= 2


def test_the_six_mistakes_of_the_dots_game_are_found() -> None:
    rows = [[cell_text(cell, "en") for cell in row] for row in table("000", "review").rows]
    mistakes = {row[0]: (row[1], row[2], row[3], row[4]) for row in rows if row[5] != "0"}
    assert mistakes == {
        "4": ("program", "b1c1", "3", "1"),
        "5": ("person", "c1c2", "\u22121", "\u22123"),
        "7": ("person", "c2c3", "\u22123", "\u22125"),
        "8": ("program", "a3b3", "5", "3"),
        "15": ("person", "a3a4", "\u22123", "\u22127"),
        "19": ("program", "b3c3", "7", "3"),
    }
    assert all(bool(row[6]) == (row[5] != "0") for row in rows)


def test_the_adjacency_paper_s_twelve_matches_are_all_there() -> None:
    found = shown("001")
    assert found["printed scores that equal the marks on the printed boards"][1:] == (
        "12 of 12",
        "yes",
    )
    matches = [each for each in found if each.endswith(" rounds")]
    assert len(matches) == 12
    programs = (
        "as the authors' program plays: minimax (neighbours:program=true) as X "
        "beats genetic algorithm (reservation) as O, 16 rounds"
    )
    assert found[programs][0] == "23-17"
    assert len(table("001", "matches").rows) == 12


def test_q1_the_third_pairing_is_played_too_and_leaves_nothing_to_chance() -> None:
    certain = {what: line for what, line in shown("001").items() if "always the same game" in what}
    assert len(certain) == 6
    first = next(each for each in adjacency.certain_games())
    (once,), (again,) = (first.work(*first.arguments) for _ in range(2))
    assert once == again == (0, 1, 13, 11)
    assert {line[2] for line in certain.values()} == {"none"}, "section F does not print it"


def test_m03_nobody_stands_for_a_person() -> None:
    found = shown("001")
    persons = {what: line for what, line in found.items() if "against a person" in what}
    assert len(persons) == 6
    assert {line[1:] for line in persons.values()} == {("\u2013", "incomparable")}
    assert persons["hillclimb against a person, 8 rounds"][0] == "10-14"
    rivals = {row[1] for row in table("001", "levels").rows}
    assert rivals == {f"level:{number}" for number in range(1, 6)}
    page = Path(__file__).parents[2] / "docs" / "games" / "connect4.md"
    assert "level:1" not in page.read_text(encoding="utf-8")


def test_m04_each_line_of_section_f_says_which_program_played_it() -> None:
    lines = [what for what in shown("001") if "genetic" in what and "beats" in what]
    assert sum(what.startswith("by the text") for what in lines) == 2
    played = [what for what in shown("001") if " beats " in what and "authors' program" in what]
    assert len(played) == 6
    assert all("(reservation)" in what for what in played)


def test_m06_the_first_generation_is_as_fit_as_can_be() -> None:
    """So the fittest is the first that was drawn: that is why it seems to move by chance."""
    fitness = [row[:4] for row in table("001", "fitness").rows]
    assert [row[:2] for row in fitness] == [(8, 5), (8, 50), (28, 5), (28, 50)]
    for _, _, most, best in fitness:
        assert isinstance(best, Measure)
        assert best.value == most


def test_m12_what_nobody_had_tested_in_001_has_a_line() -> None:
    found = shown("001")
    lines = "lines of play that minimax looks at {} plies deep from the start (paper: nPr)"
    counts = [found[lines.format(depth)] for depth in (1, 2, 3)]
    assert counts == [("56", "56", "yes"), ("3080", "3080", "yes"), ("166,320", "166,320", "yes")]
    for words in ("beside some mark", "its proposal", "annealing", "stochastic (", "population=20"):
        assert any(words in what for what in found), words


def test_q11_the_papers_own_search_is_counted_in_many_positions() -> None:
    """4,211 nodes from the start: a leaf for each line of play, and the nodes above them."""
    start = position("adjacency:8,8,28")
    assert adjacency.papers_search(start, 1) == 56
    lines = adjacency.papers_search(start, 3)
    assert lines < 4211 < 166_320 // 2
    found = shown("001")
    (share,) = [line for what, line in found.items() if "paper: on average nPr/2" in what]
    assert share[0] == "50%" and share[2] == "no"
    (one,) = [line for what, line in found.items() if what.startswith("the same from the start")]
    assert one == ("83,160", str(lines), "quoted")


def test_q5_every_position_of_a_small_board_is_looked_at() -> None:
    whole, kept, near, near_kept = report("001").log.found["whole/adjacency:4,4,4"]
    assert (whole, kept) == (10_551, 10_551)
    assert near_kept == near - 360
    found = shown("001")
    boards = [line for what, line in found.items() if what.startswith("all positions of 4x4")]
    assert [line[1:] for line in boards] == [
        (cell_text(out_of(10_551, 10_551), "en"), "yes"),
        (cell_text(out_of(near_kept, near), "en"), "quoted"),
    ]


def test_q2_what_001_claims_of_one_move_or_of_fitness_is_not_judged_by_more() -> None:
    lines = findings("001")
    proposals = [line for what, line in lines.items() if "(its proposal)" in what]
    larger = [line for what, line in lines.items() if what.startswith("more of the genetic")]
    assert len(proposals) == 3 and len(larger) == 2
    for line in (*proposals, *larger):
        assert line.agrees == "quoted"
    assert all("lower objective value" in cell_text(line.paper, "en") for line in proposals)
    assert all("optimal fitness" in cell_text(line.paper, "en") for line in larger)
    assert not {"beside", "larger", "longer"} & {each.name for each in adjacency.PAPER.says}


def test_q13_more_chromosomes_and_generations_take_longer() -> None:
    slower = [line for what, line in shown("001").items() if what.startswith("time that a first")]
    assert len(slower) == 2
    assert {line[2] for line in slower} == {"yes"}
    assert all("squares looked at" in line[1] for line in slower)


def test_a_claim_about_all_falls_by_one_exception_and_stands_by_none() -> None:
    line, proof = Finding(Message("lab.points"), None), Message("lab.by_solver")
    assert always(line, 9, 1).agrees == "no"
    assert always(line, 9, 0).agrees == "open"
    assert always(line, 9, 0, proof).agrees == "yes"
    assert sometimes(line, 9, 1).agrees == "yes"
    assert sometimes(line, 9, 0).agrees == "open"
    assert sometimes(line, 9, 0, proof).agrees == "no"


def test_the_onet_paper_is_reproduced_move_by_move() -> None:
    found = shown("002")
    assert found["normal case, 6x12: how it ends"] == ("an empty board", "an empty board", "yes")
    none = "\u201cno step is left\u201d"
    assert found["no move, 4x4: how it ends"] == (none, none, "yes")
    assert found["different borders, 3x6: how it ends"] == (none, none, "yes")
    read, recorded = position("onet:6,12").game.parse_move, onet.EXPERIMENTS[0]
    rows = table("002", "moves").rows
    for column, moves in ((1, recorded.paper), (2, recorded.onet)):
        assert [read(str(row[column])) for row in rows] == list(map(read, moves.split()))
    counts = [row[2:4] for row in table("002", "runs").rows]
    theirs, ours = [(0, 16), (0, 16), (5, 2), (5, 2), (0, 18), (0, 18)], [(0, 12), (5, 2)]
    assert counts[2:] == [*theirs, *ours, *ours]
    assert {len(row) for row in table("002", "random").rows} == {7}


def test_m07_the_paper_s_column_holds_what_the_paper_says() -> None:
    found = shown("002")
    assert found["border of the board, 2x6: the first move"] == ("a1f1", "a1f1", "yes")
    assert found["our test: bottom row, 2x6"][0] == "\u2013"
    own = "random boards 6x12 that its own rule can clear: those that its program clears"
    assert "many pairs" in found[own][0]


def test_t12_only_what_the_paper_prints_or_claims_is_judged() -> None:
    found = shown("002")
    (four,) = [line for what, line in found.items() if "its figures show, 4 of 36" in what]
    assert four == ("d3e3 f5l5 f4c5 e5e6", "d3e3 f5l5 f4c5 e5e6", "yes")
    rows = [tuple(cell_text(cell, "en") for cell in row[4:]) for row in table("002", "runs").rows]
    nothing = ("\u2013", "\u2013")
    assert rows[0:8:2] == [("4", "yes"), ("0", "yes"), ("1", "yes"), ("0", "yes")]
    assert {*rows[1::2], *rows[8:]} == {nothing}, "our rule and our tests are not the paper's"
    boards = [cell_text(each.table.title, "en") for each in exhibits("002")]
    assert "show: 4 of 36" in boards[0] and "show: 1 of 5" in boards[2]
    (looks,) = [line for what, line in found.items() if "after fewer looks" in what]
    assert (looks[0], looks[2]) == ("\u2013", "none"), "the paper does not claim it"
    cleared = [line for what, line in found.items() if "its own rule can clear" in what]
    assert {line[2] for line in cleared} == {"quoted"}, "nor that all boards are cleared"


def test_m07_failures_of_the_rule_are_told_from_those_of_the_choice() -> None:
    """Of five boards: one nobody can clear, two the rule cannot, and one that the choice loses."""
    boards = [
        [[False, 1], [False, 1], [False, 1], [False, 1], [False, 1]],
        [[False, 1], [True, 1], [True, 1], [True, 1], [False, 1]],
        [[False, 1], [True, 1], [True, 1], [True, 1], [False, 1]],
        [[False, 1], [True, 1], [True, 1], [True, 1], [True, 1]],
        [[True, 1], [True, 1], [True, 1], [True, 1], [True, 1]],
    ]
    _, clears, why = onet.clearing({"6,12": boards})
    assert (cell_text(clears.ours, "en").partition(" ")[0], clears.agrees) == ("50%", "quoted")
    assert cell_text(why.ours, "en") == "2 by the rule, 1 by the choice; 1 nobody could clear"


def test_m12_breadth_and_depth_first_find_the_same_link_on_other_ways() -> None:
    """Tiles in two corners of an empty board: depth first runs along the far sides."""
    board = [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    breadth, depth = (onet.walk(board, (0, 0), (2, 2), end) for end in (onet.QUEUE, onet.STACK))
    assert breadth[1] == 5
    assert depth[1] >= 5
    assert breadth[0] != depth[0]
    assert onet.walk([[1, 2, 1]], (0, 0), (0, 2), onet.QUEUE)[1] == 0
    assert shown("002")["entries that it reads in an adjacency matrix, cells of 6x12: O(V^2)"] == (
        "5184",
        "5184",
        "yes",
    )


def test_the_formulas_of_the_tictactoe_paper_meet_the_counts() -> None:
    found = shown("003")
    looks = "cells that random-iterative looks at for one move on {0}x{0}: T(n) = n^2"
    looks += ", in the best, the mean and the worst case"
    for size in (3, 4, 5):
        cells = f"{size**2}"
        ours = f"least {cells}, mean {cells}, most {cells}"
        assert found[looks.format(size)] == (cells, ours, "yes")
    assert found["cells that it looks at in k moves on 3x3: k n^2"][2] == "yes"
    assert agent("random").analyse(position("tictactoe:4,4,4")).nodes == 16, "the agent itself"


def test_m09_leaves_stand_beside_leaves_and_nodes_beside_nodes() -> None:
    found = shown("003")
    scenarios = "finished games (scenarios) that minimax visits on the empty 3x3 board: 9^9"
    assert found[scenarios] == ("387,420,489", "255,168", "no")
    nodes = "nodes of minimax on the empty 3x3 board: T(9) by its recursion T(m) = b T(m-1) + 1"
    assert found[nodes] == ("435,848,050", "549,946", "no")
    tree = [row[1:4] for row in table("003", "tree").rows]
    assert tree[5] == (15120, 1260, 1440), "lines, positions, finished games"
    assert found["lines of play that reach the fifth move: best case b^5"][1] == "15,120"
    (one_left,) = [row for row in table("003", "cases").rows if row[:2] == ("3x3", 1)]
    assert one_left[2:4] == (1, 2), "b^m is no bound of the nodes"


def test_m08_the_suggested_learning_is_measured_and_symmetry_is_ours() -> None:
    (line,) = [line for what, line in shown("003").items() if "machine learning" in what]
    assert "[" in line[1], "a share with its interval"
    assert line[2] == "quoted"
    assert not any("symmetric" in what for what in shown("003"))
    assert "Symmetry is ours" in cell_text(Message("paper003.recipe"), "en")


def test_the_four_suggestions_of_003_stand_side_by_side() -> None:
    rows = {str(row[0]): row for row in table("003", "suggestions").rows}
    assert list(rows) == ["minimax:pruning=true", "alphabeta", "mcts", "learned:games=30000"]
    *searches, learned = rows.values()
    assert all(row[8] is None for row in searches), "only who learns has to be trained"
    assert isinstance(learned[8], Measure) and learned[8].value > 0
    assert learned[1] == 90, "nine moves, and again with their 72 answers"
    assert isinstance(learned[6], Measure) and learned[6].value == 0, "it gives nothing away"


def test_m09_no_default_is_a_result_and_pruning_is_only_pruning() -> None:
    found = shown("003")
    steps = {row[0]: row[1] for row in table("003", "steps").rows}
    assert (steps["minimax:pruning=true"], steps["symmetric"]) == (18297, 2271)
    assert not any("mcts" in what and line[2] in ("yes", "no") for what, line in found.items())
    memory = [line for what, line in found.items() if what.startswith("suggestion d")]
    assert [line[2] for line in memory] == ["no", "no"], "a table takes memory on both boards"


def test_q3_times_and_memory_are_measured_and_not_counted() -> None:
    kinds = {"counted", "measured", "proved", "sampled"}
    for number in (paper.number for paper in PAPERS):
        for what, line in findings(number).items():
            if line.agrees not in ("yes", "no"):
                continue
            assert line.basis is not None, what
            kind = cell_text(line.basis, "en").partition(":")[0].split()[0]
            enough = line.basis.key in ("lab.by_exception", "lab.by_example")
            assert enough or kind in kinds, (what, kind)
            clock = what.startswith(("time of", "time that", "random-iterative on", "suggestion d"))
            assert not clock or kind == "measured", what


def test_q2_every_line_with_a_verdict_prints_its_rule() -> None:
    for number in (paper.number for paper in PAPERS):
        for what, line in findings(number).items():
            if line.agrees in ("yes", "no", "open"):
                assert line.rule is not None, what
                for language in LANGUAGES:
                    assert cell_text(line.rule, language) in cell_text(
                        finding_reason(line), language
                    )


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def scored(board: list[str], depth: int, mine: str, theirs: str, bot: bool) -> tuple[int, int]:
    """The score by the authors' minimax, and its calls, written without looking at our agent."""
    for mark, sign in ((mine, 1), (theirs, -1)):
        if any(all(board[cell] == mark for cell in line) for line in LINES):
            return sign * (10 - depth), 1
    if " " not in board:
        return 0, 1
    scores, calls = [], 1
    for cell in range(9):
        if board[cell] == " ":
            board[cell] = mine if bot else theirs
            score, below = scored(board, depth + 1, mine, theirs, not bot)
            board[cell] = " "
            scores.append(score)
            calls += below
    return (max if bot else min)(scores), calls


def chosen_by_program(board: list[str], mine: str, theirs: str) -> tuple[int, int]:
    """The cell that the authors' recursive engine takes, and its calls of minimax."""
    best, made, chosen = -1000, 0, -1
    for cell in range(9):
        if board[cell] == " ":
            board[cell] = mine
            score, below = scored(board, 0, mine, theirs, False)
            board[cell] = " "
            made += below
            if score > best:
                best, chosen = score, cell
    return chosen, made


def test_q2_the_game_that_the_authors_time_is_the_one_that_we_time() -> None:
    """Their minimax against itself; from the third move on a twin of it is quick enough."""
    here, calls = position("tictactoe"), []
    for name in tictactoe.TIMED:
        answer = agent(tictactoe.MINIMAX).analyse(here)
        assert here.game.move_name(answer.move) == name
        calls.append(answer.nodes - 1)
        here = here.after(name)
    assert here.is_over
    assert calls == [549_945, 59_704, 7331, 934, 197, 46, 13, 4, 1]
    board = list("x   o    ")
    for place, expected in enumerate(calls[2:]):
        mine, theirs = "xo" if place % 2 == 0 else "ox"
        chosen, made = chosen_by_program(board, mine, theirs)
        assert made == expected
        board[chosen] = mine
        assert "abc"[chosen % 3] + str(chosen // 3 + 1) == tictactoe.TIMED[place + 2]


def test_q1_minimax_decides_as_the_authors_program_of_003() -> None:
    """In every twentieth position with at most six empty cells; once, in all 4,520."""
    here, found = position("tictactoe"), dict[Position, None]()
    waiting = [here]
    while waiting:
        here = waiting.pop()
        if here not in found and here.moves():
            found[here] = None
            waiting += map(here.child, here.moves())
    assert len(found) == 4520
    for here in [each for each in found if len(each.moves()) <= 6][::20]:
        cells = list(here.write()[0].replace("/", "").replace(".", " "))
        chosen, _ = chosen_by_program(cells, *("xo" if here.turn == 0 else "ox"))
        assert agent(tictactoe.MINIMAX).analyse(here).move == chosen


def test_q2_the_authors_times_follow_the_calls_of_the_game() -> None:
    plies = [[9, 0, 0.0, 549_946, 1.0, 0.0, 0.5], [8, 0, 0.0, 59_705, 0.2, 0.0, 0.1]]
    assert tictactoe.calls_of_minimax(plies) == {9: 549_945, 8: 59_704}
    assert tictactoe.falls(tictactoe.searching(plies)) == {9: [5.0]}
    calls = [549_945, 59_704, 7331, 934, 197, 46, 13, 4, 1]
    for times, counts in zip(pairwise(tictactoe.MINIMAX_SECONDS), pairwise(calls)):
        assert tictactoe.follows(times[0] / times[1], counts[0] / counts[1])
    assert not tictactoe.follows(1.3, 1.0)
    lines = [line for what, line in findings("003").items() if what.startswith("time of minimax")]
    timed = [line for line in lines if line.ours is not None]
    assert len(timed) == 5, "a tiny run begins with six empty cells"
    for line in timed:
        assert line.agrees == "yes"
        assert line.rule is not None
        assert "set by us" in cell_text(line.rule, "en")


def test_q6_graph_1_of_003_draws_formulas_and_the_times_are_of_the_repository() -> None:
    for language, chart in (("en", "chart"), ("id", "grafiknya")):
        texts = catalogue(language)
        assert chart not in texts["says.003_times"] + texts["paper003.recipe"]
        assert "repositor" in texts["paper003.choice_times"].lower()
        assert "repositor" in texts["paper003.factor"] and "repositor" in texts["paper003.flat"]
    errata = " ".join(cell_text(each, "en") for each in tictactoe.PAPER.errata)
    assert "falls" not in errata, "the graph of the paper rises, as its text says"
    pages = [*Path("docs").glob("**/*.md"), Path("CHANGELOG.md")]
    assert not [page for page in pages if "points of its chart" in page.read_text("utf-8")]


def test_q4_plain_is_timed_beside_plain_and_compiled_beside_compiled() -> None:
    rows = {str(row[0]): row for row in table("003", "steps").rows}
    minimax, pruning = rows["minimax:scoring=depth"], rows["minimax:pruning=true"]
    assert isinstance(minimax[2], Measure) and isinstance(pruning[2], Measure)
    assert pruning[2].value < minimax[2].value, "like with like, pruning is faster"
    assert pruning[3] is None, "there is no compiled form of it"
    assert isinstance(minimax[3], Measure) and minimax[3].value < minimax[2].value
    headings = [cell_text(each, "en") for each in table("003", "suggestions").headings]
    assert headings[1:5] == ["nodes", "time, plain Python", "time, compiled", "memory, KiB"]


def test_q5_minimax_is_right_in_every_position_of_3x3() -> None:
    (line,) = [
        line for what, line in findings("003").items() if what.startswith("all positions of")
    ]
    assert line.agrees == "yes"
    assert line.basis == Message("lab.by_all", {"count": 4520})


def test_m12_the_trees_of_larger_boards_are_estimated() -> None:
    found = shown("003")
    for size, least in ((4, 12), (5, 24)):
        what = f"nodes of the whole tree of {size}x{size}, which the paper leaves open"
        ours = found[f"{what} (estimate of Knuth)"][1]
        assert float(ours.rpartition(" ")[2]) > least
    nine = fmean(tictactoe.probes(3, 0, 400))
    assert 500_000 < nine < 600_000, "the whole tree of 3x3 has 549,946 nodes"
    assert any(what.startswith("right moves of random") for what in found)


def test_m02_games_of_drawn_moves_last_as_long_as_the_paper_says() -> None:
    assert shown("003")["mean length of a game whose moves are drawn"] == ("6-8", "7.63", "yes")


def test_m01_minimax_is_timed_in_plain_python_and_all_nine_points_are_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    how: list[tuple[str, bool]] = []

    def timed(player: Agent, *_: object) -> tuple[int, float]:
        how.append((player.name, is_plain()))
        return 9, 1.0

    monkeypatch.setattr(tictactoe, "timed", timed)
    plies = tictactoe.authors_game(1, 0, 1)
    assert how[-5:] == [
        ("random", False),
        ("minimax", True),
        ("minimax", True),
        ("minimax", True),  # what a call costs by itself
        ("minimax", False),  # compiled, in a column of its own
    ]
    assert len(plies[-1]) == 7
    factors = [line for line in shown("003") if line.startswith("time of minimax")]
    assert len(tictactoe.MINIMAX_SECONDS) == len(factors) + 1 == 9
    assert len(table("003", "times").rows) == 9
    drawn = next(each for each in report("003").conclusions.charts if each.name == "times")
    assert len(drawn.series[1].y) == 9


class WhereFourFit(Priority):
    """Counts stones only along lines on which four can still fit."""

    gaps = False

    def stones_in_line(self, position: Connect4Position, cell: int, step: int) -> tuple[int, int]:
        if self.gaps:
            return PriorityFixed.stones_in_line(self, position, cell, step)  # type: ignore[arg-type]
        own, rival = position.sides
        fours = [four for four in position.game.fours_along[step] if four & cell]
        counts = super().stones_in_line(position, cell, step)
        fit = [any(not four & other for four in fours) for other in (rival, own)]
        return counts[0] * fit[0], counts[1] * fit[1]


def test_q8_other_readings_of_the_values_of_004_give_fewer_of_the_printed_ones() -> None:
    same = dict.fromkeys(("ours", "fit", "gaps"), 0)
    across = WhereFourFit()
    across.gaps = True
    readings = {"ours": Priority(), "fit": WhereFourFit(), "gaps": across}
    for game in connect4.PLAYED:
        for here, _, printed in connect4.red_turns(game):
            assert isinstance(here, Connect4Position)
            for name, reading in readings.items():
                for column in here.moves():
                    value = sum(each.weight for each in reading.reasons(here, column))
                    same[name] += value == int(printed[column])
                same[name] += sum(printed[each] == "0" for each in {*range(7)} - {*here.moves()})
    assert same == {"ours": 168, "fit": 145, "gaps": 122}
    for language in LANGUAGES:
        choice = catalogue(language)["paper004.choice_reading"]
        assert all(str(number) in choice for number in (*same.values(), 175))


def test_the_connect4_tables_have_their_seven_misses() -> None:
    found = shown("004")
    cells = "cells of table {} that its own rules give, as we read them"
    assert [found[cells.format(number)][1] for number in (4, 6, 8)] == [
        "45 of 49",
        "54 of 56",
        "69 of 70",
    ]
    assert found["moves played that have the greatest value by its own rules"][1] == "24 of 25"
    assert found["moves replayed, first of equal columns from the left"][1] == "21 of 25"
    differing = [
        cell for row in table("004", "cells").rows for cell in row if isinstance(cell, Message)
    ]
    assert len(differing) == 7
    assert {found[each][2] for each in found if "replayed, first of equal" in each} == {"none"}
    steps = [found[each] for each in found if "red's steps that keep" in each]
    assert [line[1:] for line in steps] == [
        ("5 of 7", "no"),
        ("6 of 8", "yes"),
        ("7 of 10", "yes"),
    ], "Q9: every step is judged, and G1 turns a win into a loss"
    first = table("004", "review").rows[0]
    assert [cell_text(cell, "en") for cell in first[2:]] == ["G1", "win", "loss", "D"]
    results = [found[each][:2] for each in found if "result for red" in each]
    assert results == [("win", "win"), ("win", "win"), ("loss", "loss")]


def test_m11_what_the_paper_admits_is_quoted_beside_its_claim() -> None:
    found = shown("004")
    for what in ("immediate wins that the agent misses", "threats that it could stop and does not"):
        paper, _, verdict = found[what]
        assert verdict == "quoted"
        assert "8 against 7" in paper


def test_m03_no_level_stands_for_a_web_page_that_nobody_can_ask() -> None:
    found = shown("004")
    page = [line for what, line in found.items() if what.startswith("game against the web page")]
    assert {line[1:] for line in page} == {("\u2013", "incomparable")}
    empty = [what for what in found if "first player from the empty board" in what]
    assert len(empty) == 5


def test_q9_a_defensive_and_a_tricky_rival_are_tried_and_sizes_are_explained() -> None:
    found = shown("004")
    (defence,) = [line for what, line in found.items() if "a defensive player" in what]
    (tricks,) = [line for what, line in found.items() if "a player with tricks" in what]
    assert "can beat" in defence[0] and "not too good" in tricks[0]
    assert "seven rows" in cell_text(Message("paper004.remark_sizes"), "en")


def test_m12_the_larger_boards_and_a_wider_scale_are_played() -> None:
    assert [row[0] for row in table("004", "sizes").rows] == ["6x7", "7x8", "7x9", "7x10"]
    assert any("powers of ten" in what for what in shown("004"))
    step_7 = position("connect4").after("a b a a b b c a d g c f")
    assert agent("priority").analyse(step_7).move == step_7.legal_move("c")
    assert agent("priority-wide").analyse(step_7).move == step_7.legal_move("d"), "it wins"


def test_the_map_of_all_boards_is_that_of_the_game_and_what_papan_proves() -> None:
    rows = {
        str(row[0]): [cell_text(cell, "en") for cell in row[1:]] for row in table("004", "map").rows
    }
    page = (DOCS / "games" / "connect4.md").read_text("utf-8")
    printed = re.findall(r"^\| \*\*(\d)\*\* \|(.*)\|$", page, re.MULTILINE)
    assert rows == {count: [each.strip() for each in cells.split("|")] for count, cells in printed}
    names = {1: "first", 0: "draw", -1: "second"}
    shipped = [path.stem for path in FOLDER.glob("*.proof") if path.stem != "7x7"]  # proves half
    for board in ["4x4", "4x5", "5x4", "5x5", *shipped]:
        count, columns = board.split("x")
        value = api.solve(f"connect4:{count},{columns}").value
        assert value is not None
        assert rows[count][int(columns) - 4] == names[int(value)], board


def test_a_declined_win_a_missed_block_and_a_won_position_given_away_are_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(api, "solve", cache(api.solve))  # each position is judged twice
    step_7 = position("connect4").after("a b a a b b c a d g c f")
    assert dict(connect4.judge(step_7, step_7.legal_move("c"))) == {"win": True, "won": False}
    assert dict(connect4.judge(step_7, step_7.legal_move("d"))) == {"win": False, "won": False}
    step_5 = position("connect4").after("g f g g f a f f")
    assert dict(connect4.judge(step_5, step_5.legal_move("g")))["won"]
    assert not dict(connect4.judge(step_5, step_5.legal_move("c")))["won"]
    threatened = position("connect4").after("1 4 1 5 2 6 2")
    assert connect4.threatened(threatened) == set()
    assert connect4.winning(threatened) == [2, 6]
    blocked = position("connect4").after("1 4 1 5 7 6")
    assert connect4.threatened(blocked) == {2}
    assert dict(connect4.judge(blocked, 2))["block"] is False
    assert dict(connect4.judge(blocked, 0))["block"] is True


def test_a_win_on_top_of_the_own_move_is_no_threat_to_be_blocked() -> None:
    above = position("connect4 ......./......./......./......./x..ooo./x..xox. x")
    assert connect4.winning(above.after("3")) == [2]
    assert connect4.threatened(above) == set()
    assert all(chance != "block" for chance, _ in connect4.judge(above, above.legal_move("3")))


def test_what_wrong_moves_of_tic_tac_toe_lose_is_the_fall_of_the_value() -> None:
    right, lost = 0, 0.0
    for seed in range(12):
        place = tictactoe.random_position(seed)
        values = after_each(place)
        fall = max(values.values()) - values[agent("random").analyse(place).move]
        right, lost = right + (fall == 0), lost + fall
    assert tictactoe.tictactoe_right_moves("random", 0, 12) == [right, 12, lost]
    assert lost > 0 and right < 12


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.number)
@pytest.mark.parametrize("size", ["quick", "full"])
def test_units_have_names_of_their_own_and_the_same_plan_each_time(paper: Paper, size: str) -> None:
    items = paper.items(size, 0)  # type: ignore[arg-type]
    names = [item.name for item in items]
    assert len(set(names)) == len(names)
    assert items == paper.items(size, 0)  # type: ignore[arg-type]
    assert all(item.weight > 0 for item in items)


def test_t01_neighbouring_seeds_share_no_board() -> None:
    def boards(seed: int) -> set[tuple[Any, ...]]:
        items = report("002").run.paper.items("quick", seed)
        dealt = [item.arguments for item in items if item.work is onet.clear]
        return {(*kind, first + each) for *kind, first, count in dealt for each in range(count)}

    assert boards(0) & boards(1) == set()
    assert min(board[-1] for board in boards(0)) == 0


@pytest.mark.parametrize(
    ("number", "name"),
    [("000", "dots:2,2/random/1"), ("001", "local-genetic/8/1"), ("004", "size/7,8/1")],
)
def test_the_same_seed_plays_the_same_games(number: str, name: str) -> None:
    (item,) = [each for each in report(number).run.paper.items("quick", 0) if each.name == name]
    once, again = (json.dumps(item.work(*item.arguments)) for _ in range(2))
    assert once == again


@pytest.mark.slow
@pytest.mark.parametrize("number", ["000", "001", "004"])
def test_every_match_is_played_by_its_own_agents(number: str, tmp_path: Path) -> None:
    run = replace(report(number).run, folder=tmp_path)
    run_all([run.job()], 0)
    assert run.done() == 1
    lines = [cell_text(each.what, "en") for each in run.report().conclusions.findings]
    assert lines == [*findings(number)]


def texts(thing: object) -> Iterator[Message]:
    """Every text in a result, however deep."""
    if isinstance(thing, Message):
        yield thing
        yield from texts(list(thing.values.values()))
    elif isinstance(thing, (list, tuple)):
        for each in thing:
            yield from texts(each)
    elif hasattr(thing, "__dataclass_fields__"):
        yield from texts([getattr(thing, name) for name in thing.__dataclass_fields__])


def test_every_word_of_every_result_is_in_both_catalogues(reports: list[Report]) -> None:
    found = [text for each in reports for text in texts(each.conclusions)]
    found += [claim for paper in PAPERS for claim in paper.claims]
    columns = {*"ABCDEFG", *map(str, connect4.MAP_COLUMNS)}
    for text in found:
        for language in LANGUAGES:
            assert text.key in catalogue(language) or text.key in columns, text.key
            assert "{" not in cell_text(text, language)


def test_all_rows_fit_under_their_headings(reports: list[Report]) -> None:
    for each in reports:
        for made in each.conclusions.tables:
            assert {len(row) for row in made.rows} == {len(made.headings)}, made.name
        for chart in each.conclusions.charts:
            for series in chart.series:
                places = chart.categories or series.x
                assert len(series.y) == len(places), chart.name
                assert len(series.low) == len(series.high) in (0, len(places))


def test_symmetric_is_right_and_sees_eight_boards_as_one() -> None:
    start = position("tictactoe")
    assert Symmetric().analyse(start).value == 0
    assert len({start.after(corner).image() for corner in ("a1", "c1", "a3", "c3")}) == 1
    won = position("tictactoe xx./oo./... x")
    assert Symmetric().analyse(won).move == agent("alphabeta").analyse(won).move


@pytest.mark.parametrize("number", [paper.number for paper in PAPERS])
def test_u18_our_own_results_have_the_lines_that_a_run_has(number: str, tmp_path: Path) -> None:
    found = report(number)
    ours = reference(found.run.paper, tmp_path)
    lines = [(each.what, each.paper) for each in found.conclusions.findings]
    assert [(each.what, each.paper) for each in ours.conclusions.findings] == lines
    for own, run in zip(ours.conclusions.tables, found.conclusions.tables, strict=True):
        assert (own.name, own.headings) == (run.name, run.headings)


def test_u18_what_is_kept_of_a_run_is_all_that_it_led_to(reports: list[Report]) -> None:
    for each in reports:
        assert from_file(to_file(each))["conclusions"] == each.conclusions


ONE_LONG_CHAIN = "a1b1 b1c1 c1d1 a2b2 b2c2 c2d2 a1a2 b1b2 c1c2 d1d2"
"""A game on three boxes in a row: after six lines they are one chain, and no line is safe."""


def test_y7_who_begins_wants_an_odd_number_of_long_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    session = api.session("dots:1,3")
    for name in ONE_LONG_CHAIN.split():
        session.play(name)
    games = [MatchGame(seating, session.record()) for seating in ((0, 1), (1, 0))]
    monkeypatch.setattr(dots, "played_games", lambda pairing, seed, pairs: games)
    found = dots.chained_games(["random", "random", "dots:1,3"], 0, 1)
    assert [(each[0], each[-1]) for each in found] == [(0, True), (1, False)]
