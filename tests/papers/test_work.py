"""What pieces of work return, number by number: small ones, whose chance a seed decides."""

import pytest

from papan import catalog
from papan.papers import adjacency, connect4, dots, onet, tictactoe
from papan.papers.experiment import Pairing as Pair
from papan.papers.experiment import game_outcome, paper_agent, played_games


def test_endgames_of_adjacency_say_six_things_each() -> None:
    found = adjacency.endgames(0, 3)
    assert found == [
        [True, True, False, True, True, True],
        [True, True, False, True, True, True],
        [True, True, True, True, True, True],
    ]
    assert adjacency.endgames(1, 2) == found[1:]


def test_marks_beside_a_square_are_those_of_one_seat() -> None:
    position = catalog.position("adjacency:4,4,4 x.oo/.oox/xo.x/xx.. o")
    name = position.game.move_name
    own = {"b1": 1, "a2": 2, "c3": 1, "c4": 1, "d4": 1}
    rival = {"b1": 2, "a2": 1, "c3": 2, "c4": 0, "d4": 0}
    for seat, want in enumerate((own, rival)):
        beside = adjacency.marks_beside(position, seat)
        assert {name(move): count for move, count in beside.items()} == want


def test_the_papers_search_of_adjacency_visits_so_many_lines() -> None:
    assert adjacency.lines_of_play() == [57, 57 + 56 * 55, 57 + 56 * 55 + 56 * 55 * 54]
    assert adjacency.pruned_lines(8, 0, 2) == [[48, 13617], [48, 9287]]
    assert adjacency.pruned_lines(40, 1, 1) == [[16, 394]]


def test_a_first_move_of_genetic_has_a_curve_of_fitness() -> None:
    ((most, curve),) = adjacency.breed(8, 5, 0, 1)
    assert most == 2 * 8 + 1  # as many nodes as plies are on its path, and the root
    assert len(curve) == 21 and curve[:2] == [[17, 16.0, 15], [17, 16.6, 16]]
    assert all(most >= best >= mean >= worst for best, mean, worst in curve)


def test_links_of_onet_are_found_in_two_orders() -> None:
    found = onet.searches(0, 1)
    assert found[:3] == [[7, 2, 2, 2], [5, 2, 8, 2], [8, 4, 5, 4]]
    assert (len(found), [sum(each) for each in zip(*found)]) == (7, [56, 22, 32, 22])
    board = [[1, 0, 2, 1], [0, 0, 2, 0], [3, 0, 0, 0]]
    breadth, depth = (onet.walk(board, (0, 0), (0, 3), end) for end in (onet.QUEUE, onet.STACK))
    assert (breadth[1], depth[1]) == (0, 0)  # it takes three turns
    assert onet.walk(board, (0, 0), (0, 0), onet.QUEUE) == (1, 1)


def test_random_boards_of_onet_are_pairs_of_the_kinds_in_turn() -> None:
    assert onet.tiles("2,3", 2, 5) == [1, 1, 2, 1, 1, 2]
    assert onet.random_board("2,4", 3, 5) == "1,1,2,2/1,1,3,3"
    dealt = onet.tiles("6,12", 20, 0)
    assert sorted(dealt) == sorted([pair % 20 + 1 for pair in range(36)] * 2)


@pytest.mark.parametrize("player", onet.PLAYERS)
def test_a_player_clears_a_board_or_is_stuck(player: str) -> None:
    cleared, seconds = onet.attempt(player, "2,2", "1,1/2,2")
    stuck, _ = onet.attempt(player, "2,2", "1,2/2,1")
    assert (cleared, seconds >= 0) == (True, True)
    assert stuck is False  # round the board it takes three turns


def test_runs_of_onet_have_their_moves_and_what_is_left() -> None:
    own = [
        (onet.onet_run(each.size, each.board, rule), getattr(each, rule))
        for each in onet.BOTH[1:]
        for rule in onet.RULES
    ]
    assert [moves for (moves, _), _ in own] == [recorded for _, recorded in own]
    assert [left for (_, left), _ in own] == [16, 16, 2, 2, 18, 18, 12, 2, 12, 2]


def test_the_graphs_of_two_boards_have_so_many_entries() -> None:
    """A grid of r x c has r (c - 1) + c (r - 1) edges, and lists have each of them twice."""
    assert onet.graphs() == [
        ["6x12", 72, 6 * 11 + 12 * 5, 72**2, 2 * 126],
        ["8x14", 112, 8 * 13 + 14 * 7, 112**2, 2 * 202],
    ]


def test_the_papers_agent_of_dots_replays_its_moves_by_ply() -> None:
    moves = dots.MOVES.split()
    printed = {str(ply): moves[ply - 1] for ply in dots.PROGRAM_PLIES}
    assert dots.dots_replay("chains") == printed
    assert dots.dots_replay("chains-fixed") == printed | {"14": "a4b4", "19": "c4d4"}


def test_the_review_of_the_printed_game_of_dots_has_a_margin_for_every_ply() -> None:
    found = dots.dots_review()
    assert [name for _, name, *_ in found] == dots.MOVES.split()
    assert [seat for seat, *_ in found] == [int(n + 1 in dots.PROGRAM_PLIES) for n in range(24)]
    assert [before for _, _, before, _, _ in found[:8]] == [-3, 3, -3, 3, -1, 3, -3, 5]
    assert len(found[0][4]) == 24 and found[-1][2:] == [3, 3, ["d3d4"]]
    assert all((name in best) is (before == after) for _, name, before, after, best in found)


@pytest.mark.parametrize(
    ("board", "moves", "safe", "long"),
    [
        ("dots:1,3", "", True, 0),
        ("dots:1,3", "a1b1 b1c1 c1d1 a2b2 b2c2 c2d2", False, 1),
        ("dots:1,2", "a1b1 b1c1 a2b2 b2c2", False, 0),  # two boxes are a short chain
        ("dots:1,3", "a1b1 b1c1 c1d1 a2b2 b2c2", True, 0),
        ("dots:3,3", dots.THREE_CHAINS, False, 2),  # of 3, 5 and 1 boxes
    ],
)
def test_long_chains_have_three_boxes_or_more(
    board: str, moves: str, safe: bool, long: int
) -> None:
    position = catalog.position(board)
    for name in moves.split():
        position = position.after(name)
    assert (dots.has_safe_line(position), dots.long_chains(position)) == (safe, long)


def test_the_tables_of_connect4_have_a_row_for_each_step_of_red() -> None:
    rows = connect4.tables()
    assert [row[:2] for row in rows] == [
        [game, step] for game, steps in ((1, 7), (2, 8), (3, 10)) for step in range(1, steps + 1)
    ]
    zeros = [0] * 7
    assert rows[0] == [1, 1, zeros, zeros, 6, 0, 6]
    assert rows[24] == [3, 10, [3, 0, 3, 4, 0, 0, 2], [3, 0, 3, 4, 0, 0, 2], 3, 3, 3]
    turns = list(connect4.red_turns(1))
    assert (str(turns[1][0]), *turns[1][1:]) == (
        "connect4:6,7 ......./......./......./......./......./.....ox x",
        "G2",
        "0000001",
    )


def test_the_tree_of_tic_tac_toe_ends_by_chance_as_it_is_known() -> None:
    found = tictactoe.tree()
    assert [row[:3] for row in found] == [
        *([1, 1, 0], [9, 9, 0], [72, 72, 0], [504, 252, 0], [3024, 756, 0], [15120, 1260, 1440]),
        *([54720, 1520, 5328], [148176, 1140, 47952], [200448, 390, 72576], [127872, 78, 127872]),
    ]
    chances = [row[3] for row in found]
    assert chances[:5] == [0] * 5 and chances[5] == pytest.approx(1440 / 15120)
    assert sum(chances) == pytest.approx(1)


def test_a_random_game_estimates_the_tree_by_its_choices() -> None:
    """1 + 9 + 9 * 8 + … up to 7, 7 and 8 plies."""
    whole, product = [1], 1
    for left in range(9, 0, -1):
        product *= left
        whole.append(whole[-1] + product)
    assert tictactoe.probes(3, 0, 3) == [whole[7], whole[7], whole[8]]


def test_random_positions_of_tic_tac_toe_are_the_same_each_time() -> None:
    assert [str(tictactoe.random_position(seed)).split()[1] for seed in range(4)] == [
        *(".../.xo/.x.", "o../..x/oxx", "x../.../xo.", ".oo/x.x/..x")
    ]
    assert tictactoe.tictactoe_right_moves("minimax:depth=1", 0, 6) == [5, 6, 1.0]


def test_plies_are_timed_where_minimax_is_quick_enough() -> None:
    plies = tictactoe.authors_game(3, 0, 2)
    assert plies[:9] != plies[9:] and [each[0] for each in plies] == [*range(9, 0, -1)] * 2
    assert [each[1] for each in plies] == [9] * 18
    assert [each[3] for each in plies[:9]] == [None] * 6 + [14, 5, 2]
    assert all((each[3] is None) is (value is None) for each in plies for value in each[4:])
    drawn = tictactoe.timed_games(4, 3, 0, 1)
    assert [each[0] for each in drawn] == [*range(16, 16 - len(drawn), -1)]
    assert {each[1] for each in drawn} == {16}
    small = tictactoe.timed_games(3, 9, 0, 1)  # the authors' game is timed, these are counted
    assert all(each[3] is not None and each[4:] == [None] * 3 for each in small)


def test_an_agent_is_timed_in_the_forms_in_which_it_runs() -> None:
    nodes, plain, compiled = tictactoe.tictactoe_from_the_start("minimax:depth=2")
    assert nodes == 1 + 9 + 72 and plain > 0 and compiled > 0
    nodes, plain, compiled = tictactoe.tictactoe_from_the_start("random")
    assert (nodes, compiled) == (9, None) and plain > 0
    assert tictactoe.in_every_position("random") == [4520, 2583]


def test_the_papers_nodes_follow_from_a_recursion() -> None:
    assert [tictactoe.published_nodes(depth, 3) for depth in range(4)] == [1, 4, 13, 40]


def test_perfect_play_is_drawn_from_all_best_moves() -> None:
    """On 3x3 every first move draws: the seeds choose among them, the solver always the same."""
    start = catalog.position("tictactoe")
    agent = paper_agent("perfect")
    assert agent.plays(start.game)
    chosen = set()
    for seed in range(12):
        agent.seed = seed  # type: ignore[attr-defined]
        found = agent.analyse(start)
        assert (found.proved.low, found.proved.high) == (0, 0)
        chosen.add(found.move)
        assert agent.analyse(start).move == found.move
    assert len(chosen) > 3
    won = catalog.position("tictactoe xx./oo./... x")
    assert agent.analyse(won).move == won.legal_move("c1")


def test_a_game_counts_for_the_first_agent_on_either_seat() -> None:
    games = list(played_games(Pair("alphabeta", "random", "tictactoe", 0), 3, 1))
    outcomes = [game_outcome(game) for game in games]
    assert [each.seat for each in outcomes] == [0, 1]
    for game, found in zip(games, outcomes):
        scores = game.record.scores
        assert (found.mine, found.theirs) == (scores[found.seat], scores[1 - found.seat])
        assert found.result == (found.mine > found.theirs) - (found.mine < found.theirs)
    assert outcomes[0].mine >= outcomes[0].theirs  # it never loses
