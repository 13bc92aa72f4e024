"""The authors' listings in our words decide as the agents do that play for the papers."""

import random
import runpy
from math import inf
from typing import Any

import pytest

from papan import agent, position
from papan.papers import PAPERS, connect4, dots, onet
from papan.papers.paper import listing_place


def listing(number: str) -> dict[str, Any]:
    return runpy.run_path(str(listing_place(number)))


def test_q13_each_of_the_five_papers_has_a_listing() -> None:
    shown = [paper.number for paper in PAPERS if paper.listing]
    assert shown == ["000", "001", "002", "003", "004"]
    for paper in PAPERS:
        compile(paper.listing, paper.number, "exec")


def test_q13_the_listing_of_003_scores_ten_less_the_depth_and_plays_like_its_agent() -> None:
    own = listing("003")
    near = position("tictactoe").after("a1 a2 b1 b2")  # x wins at once
    board = [list("xx "), list("oo "), list("   ")]
    move, scores = own["recursive_engine"](board, "x", "o")
    assert (move, scores[move]) == ((0, 2), 10), "the first move has depth 0"
    assert agent("minimax:scoring=depth").analyse(near).move == near.legal_move("c1")
    rng = random.Random(3)
    for _ in range(12):
        place = position("tictactoe")
        for _ in range(rng.randrange(3, 7)):
            place = place.child(rng.choice(place.moves())) if place.moves() else place
        if not place.moves():
            continue
        cells = [list(row.replace(".", " ")) for row in place.write()[0].split("/")]
        (row, column), _ = own["recursive_engine"](cells, *("xo" if place.turn == 0 else "ox"))
        move = place.legal_move("abc"[column] + str(row + 1))
        assert agent("minimax:scoring=depth").analyse(place).move == move


def test_q13_the_iterative_listing_fills_an_empty_cell() -> None:
    board = [list("xo "), list("   "), list("  x")]
    listing("003")["iterative_engine"](board, "o", random.Random(0).choice)
    assert sum(row.count("o") for row in board) == 2


def test_q13_the_listing_of_004_gives_the_values_of_its_agent() -> None:
    greedy = listing("004")["greedy"]
    for game in connect4.PLAYED:
        for place, _, _ in connect4.red_turns(game):
            columns: list[list[str]] = [[] for _ in range(7)]
            for row in reversed(place.write()[0].split("/")):
                for column, coin in enumerate(row):
                    if coin != ".":
                        columns[column].append(coin)
            coins = "xo" if place.turn == 0 else "ox"
            chosen, values = greedy(columns, *coins)
            ours = agent("priority").analyse(place)
            assert (chosen, values) == (ours.move, {k: v.number for k, v in ours.values.items()})


def test_q13_the_listings_of_001_climb_and_search_like_its_agents() -> None:
    own, rng = listing("001"), random.Random(1)
    for _ in range(8):
        place = position("adjacency:6,6,8")
        for _ in range(rng.randrange(1, 12)):
            place = place.child(rng.choice(place.moves()))
        rows = place.write()[0].split("/")
        board = [["" if mark == "." else mark.upper() for mark in row] for row in rows]
        bot, enemy = "XO" if place.turn == 0 else "OX"
        i, j = own["steepest_hill_climbing"](board, bot)
        assert agent("hillclimb").analyse(place).move == 6 * i + j
        near = [
            (i, j)
            for i, j in own["empty_spaces"](board)
            if any(
                0 <= x < 6 and 0 <= y < 6 and board[x][y]
                for x, y in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
            )
        ]
        _, (i, j) = own["minimax_decision"](board, near, 2, -inf, inf, True, bot, enemy)
        assert agent("neighbours:depth_x=2,depth_o=2").analyse(place).move == 6 * i + j


def test_q13_the_listing_of_002_recommends_what_its_agent_does() -> None:
    best = listing("002")["find_best_move"]
    boards = [each for each in onet.EXPERIMENTS if each.name != "normal"]
    for each in boards:
        rows = [list(map(int, row.split(","))) for row in each.board.split("/")]
        found = best(rows)
        place = position(f"onet:{each.size},rule=paper {each.board}")
        if not place.moves():
            assert found is None
            continue
        (x1, y1), (x2, y2) = found
        name = f"{'abcdefgh'[y1]}{x1 + 1}{'abcdefgh'[y2]}{x2 + 1}"
        assert agent("openings").analyse(place).move == place.legal_move(name)


def test_q13_the_listing_of_002_joins_what_the_paper_s_rule_joins() -> None:
    own, rng = listing("002"), random.Random(2)
    narrow = 0
    for _ in range(40):
        rows = [[rng.choice((0, 0, 0, 1, 2)) for _ in range(6)] for _ in range(5)]
        text = "/".join(",".join(map(str, row)) for row in rows)
        joined = {frozenset(pair) for pair in own["pairs"](rows)}
        names = {
            frozenset((int(name[k + 1]) - 1, "abcdef".index(name[k])) for k in (0, 2))
            for name in position(f"onet:5,6,rule=paper {text}").move_names()
        }
        assert joined == names, text
        narrow += joined != {
            frozenset((int(name[k + 1]) - 1, "abcdef".index(name[k])) for k in (0, 2))
            for name in position(f"onet:5,6 {text}").move_names()
        }
    assert narrow > 5, "boards on which it misses a link"


@pytest.mark.thorough
def test_q13_the_listing_of_000_draws_the_lines_of_the_printed_game() -> None:
    search = listing("000")["minimax_graph"]
    drawn: set[Any] = set()
    game = dots.positions()
    for ply, name in enumerate(dots.MOVES.split(), start=1):
        line = tuple((int(name[k + 1]) - 1, "abcd".index(name[k])) for k in (0, 2))
        if ply in dots.PROGRAM_PLIES and ply > 8:
            mine, theirs = game[ply - 1].scores()[1], game[ply - 1].scores()[0]
            _, chosen = search(3, frozenset(drawn), mine - theirs, 1, 3, -inf, inf, True, 1)
            assert chosen == line, ply
        drawn.add(line)
