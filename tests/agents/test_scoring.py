"""What the scores of searches mean and prove, worked out by hand."""

from collections.abc import Callable, Sequence
from math import inf

import pytest

import papan
from papan.agents import alphabeta
from papan.agents.alphabeta import (
    AlphaBeta,
    Deepening,
    MarginScoring,
    PlainSearch,
    RootReport,
    Scoring,
    SearchCounts,
    SearchRound,
    SearchSettings,
    TreeRecorder,
)
from papan.agents.minimax import MinimaxScoring
from papan.core import (
    Analysis,
    CannotPlayError,
    Event,
    Guess,
    Limit,
    Move,
    OutOfBudget,
    Position,
    Proved,
    Thinking,
    Value,
)
from papan.core.compiling import plain_searches
from papan.engine.solver import SURE_SCORE, WIN_SCORE, RootScore, margin_of
from tests.agents.definition import Pebbles, plain

START = papan.position("tictactoe")
WON = papan.position("tictactoe ooo/xx./x.. x")
DRAWN = papan.position("tictactoe xox/oxx/oxo o")


@pytest.mark.parametrize(
    ("score", "margin"),
    [
        (0, 0),
        (-0.0, 0),
        (2.5, 2.5),
        (SURE_SCORE, SURE_SCORE),
        (-SURE_SCORE, -SURE_SCORE),
        (SURE_SCORE + 1, 9),
        (-SURE_SCORE - 1, -9),
        (WIN_SCORE - 3, 9),
        (3 - WIN_SCORE, -9),
    ],
)
def test_only_scores_beyond_the_sure_ones_are_wins(score: float, margin: float) -> None:
    assert (str(margin_of(score, 9)), WIN_SCORE, SURE_SCORE) == (str(margin), 10**6, 990_000)


def test_alpha_beta_scores_the_largest_margin_by_its_distance() -> None:
    scoring = MarginScoring(START.game)
    assert scoring.final(WON, 5) == (5 - WIN_SCORE, False)
    assert scoring.final(DRAWN, 5) == (0, False)
    assert scoring.best_after(3) == WIN_SCORE - 4
    shown = [scoring.shown(each) for each in (inf, -inf, 0.25, -0.0, WIN_SCORE - 2)]
    assert str(shown) == "[1, -1, 0.25, 0, 1]"
    assert [MarginScoring(Pebbles(8)).shown(each) for each in (inf, 2.5)] == [None, 2.5]
    assert scoring.kernel_fields() == {"win": WIN_SCORE, "won_from": 1, "win_margin": 1}
    end = Pebbles(8).parse("0 0 5-3")  # of which no margin is the largest
    assert MarginScoring(end.game).final(end, 4) == (2, False)


WIN, LOSS = WIN_SCORE - 3, 3 - WIN_SCORE
FOUND: list[tuple[float, int, float, Value]] = [
    (0.5, 0, -inf, Proved(0.5, 0.5, nodes=7, line=(4,))),
    (0.5, 0, 0.5, Proved(-inf, 0.5, nodes=7, line=(4,))),
    (0.5, 1, -inf, Guess(0.5, nodes=7, line=(4,))),
    (0.5, 1, 0.5, Guess(0.5, pruned=True, nodes=7, line=(4,))),
    (WIN, 1, 0.5, Proved(1, 1, nodes=7, line=(4,))),
    (WIN, 1, WIN, Guess(1, pruned=True, nodes=7, line=(4,))),
    (LOSS, 1, 0.5, Proved(-1, -1, nodes=7, line=(4,))),
    (SURE_SCORE, 1, 0.5, Guess(SURE_SCORE, nodes=7, line=(4,))),
    (-SURE_SCORE, 1, -inf, Guess(-SURE_SCORE, nodes=7, line=(4,))),
]
"""Score, doubts and the best score before, of a move of alpha-beta; and its value."""


@pytest.mark.parametrize(("score", "doubts", "best", "value"), FOUND)
def test_alpha_beta_proves_what_rests_on_no_guess_and_all_wins(
    score: float, doubts: int, best: float, value: Value
) -> None:
    assert MarginScoring(START.game).value(0, RootScore(score, 7, doubts, (4,)), best) == value


@pytest.mark.parametrize(
    ("best", "complete", "guesses", "exact", "distance"),
    [
        (WIN, False, 9, True, 3),
        (LOSS, True, 9, True, 3),
        (LOSS, False, 0, False, None),
        (0.5, True, 0, True, None),
        (0.5, True, 1, False, None),
        (0.5, False, 0, False, None),
    ],
)
def test_a_round_of_alpha_beta_is_exact_if_another_would_find_no_more(
    best: float, complete: bool, guesses: int, exact: bool, distance: int | None
) -> None:
    done = SearchRound(4, best, (4, 2), {4: Guess(1)})
    analysis = MarginScoring(START.game).analysis(done, complete, SearchCounts(guesses))
    value = 1 if best == WIN else -1 if best == LOSS else best
    proved = Proved(value, value) if exact else Proved()
    assert analysis == Analysis((4, 2), value, proved, {4: Guess(1)}, distance)


def test_alpha_beta_tells_its_depth_its_cuts_and_its_table() -> None:
    counts = SearchCounts(pruned=5, probes=30_000, hits=10_000, entries=12)
    done, nothing = SearchRound(4), Analysis((0,))
    facts = MarginScoring(START.game).root_facts(nothing, done, counts)
    assert facts == {"depth": 4, "pruned": 5, "tt": {"hit": 0.3333, "size": 12}}
    none = MarginScoring(START.game).root_facts(nothing, done, SearchCounts())
    assert none == {"depth": 4, "pruned": 0, "tt": {"hit": 0, "size": 0}}


def test_paper_003_scores_ten_less_the_depth() -> None:
    plain, paper = MinimaxScoring(START, False, False), MinimaxScoring(START, True, False)
    assert [plain.final(each, 5) for each in (WON, DRAWN)] == [(-1, False), (0, False)]
    assert [paper.final(WON, ply) for ply in (1, 10, 11)] == [(-10, False), (-1, False), (0, True)]
    assert paper.final(DRAWN, 11) == (0, False)
    two = papan.position("dots:1,2 1111111 1 2-0")
    assert MinimaxScoring(two, True, False).final(two, 7) == (4, True), "a win by one or by two"
    assert plain.kernel_fields() == {} and paper.best_after(0) == inf
    fields = paper.kernel_fields()
    assert (fields["win"], fields["win_margin"]) == (11, 1) and 0 < fields["won_from"] < 1e-300
    assert [str(plain.shown(each)) for each in (-0.0, 2.5, -inf)] == ["0", "2.5", "None"]


def test_minimax_proves_what_it_has_looked_at_as_a_whole() -> None:
    whole, pruning = MinimaxScoring(START, False, False), MinimaxScoring(START, False, True)
    sure, unsure = RootScore(0.5, 7, 0, (4,)), RootScore(0.5, 7, 1, (4,))
    exact, guess = Proved(0.5, 0.5, nodes=7, line=(4,)), Guess(0.5, nodes=7, line=(4,))
    above = Guess(0.5, pruned=True, nodes=7, line=(4,))
    assert [whole.value(0, sure, best) for best in (0.25, 0.5)] == [exact, exact]
    assert [pruning.value(0, sure, best) for best in (0.25, 0.5)] == [exact, above]
    assert [whole.value(0, unsure, best) for best in (0.25, 0.5)] == [guess, guess]
    assert pruning.value(0, unsure, 0.5) == above


def test_paper_003_tells_the_margin_that_a_line_leads_to() -> None:
    root = papan.position("tictactoe xx./oo./... x")
    paper = MinimaxScoring(root, True, False)
    win = paper.value(2, RootScore(10, 1, 0, ()), -inf)
    loss = paper.value(6, RootScore(-9, 5, 0, (5,)), 10)
    assert (win, loss) == (
        Proved(1, 1, nodes=1),
        Proved(-1, -1, nodes=5, line=(5,)),
    )
    done = SearchRound(inf, 10, (2,), {2: win, 6: loss})
    analysis = paper.analysis(done, True, SearchCounts())
    assert (analysis.proved, analysis.distance, analysis.guess) == (Proved(1, 1), 1, 1)
    (note,) = analysis.notes
    assert note.values == {"scores": "c1 10, a3 -9"}
    for complete, counts in ((False, SearchCounts()), (True, SearchCounts(faults=1))):
        unsure = paper.analysis(done, complete, counts)
        assert (unsure.proved, unsure.distance, unsure.notes) == (Proved(), None, ())
    facts = paper.root_facts(analysis, done, SearchCounts(pruned=3))
    assert facts == {"depth": 2}
    assert MinimaxScoring(root, True, True).root_facts(analysis, done, SearchCounts(pruned=3)) == {
        "depth": 2,
        "pruned": 3,
    }


class Rounds:
    """A search whose rounds are given: for each the scores of the moves in order, and the guesses.

    A round of None is interrupted after the scores before it.
    """

    def __init__(self, *rounds: tuple[list[float | None], int]) -> None:
        self.rounds, self.counts = list(rounds), SearchCounts()
        self.tree: Sequence[Event] = [{"id": 0}, {"id": 1}]
        self.orders: list[list[Move]] = []
        self.horizons: list[float] = []

    def look(self, order: Sequence[Move], horizon: float, report: RootReport) -> None:
        self.orders.append(list(order))
        self.horizons.append(horizon)
        scores, self.counts.guesses = self.rounds.pop(0)
        for move, score in zip(order, scores):
            if score is None:
                raise OutOfBudget("nodes")
            report(move, RootScore(score, 1, self.counts.guesses, (8,)))


def decided(
    search: Rounds,
    horizons: Sequence[float],
    best_first: bool = False,
    scoring: Scoring = MarginScoring(START.game),  # noqa: B008
) -> tuple[Analysis, list[Event]]:
    heard: list[Event] = []
    root = papan.position("tictactoe xox/oxo/... x")
    thinking = Thinking(Limit(), heard.append)
    rounds = Deepening(root, thinking, scoring, search, [6, 7, 8])
    return rounds.decide(horizons, best_first), heard


def test_deepening_ends_with_the_last_horizon() -> None:
    search = Rounds(([0.5, 0.25, 0.75], 3), ([0.5, 0.9, 0.75], 3))
    analysis, heard = decided(search, [1, 2])
    assert (analysis.why, analysis.line, analysis.value) == ("depth", (7, 8), 0.9)
    assert search.horizons == [1, 2] and search.orders == [[6, 7, 8]] * 2
    assert [each["depth"] for each in heard if each["t"] == "root"] == [1, 2]
    assert [each["best"] for each in heard if each["t"] == "root"] == ["c3", "b3"]
    assert [each["add"] for each in heard if each["t"] == "tree"] == [[{"id": 0}], [{"id": 1}]]


def test_deepening_begins_a_round_with_the_best_move_of_the_one_before() -> None:
    search = Rounds(([0.5, 0.25, 0.75], 3), ([0.5, 0.9, 0.75], 3), ([0, 0, 0], 3))
    analysis, _ = decided(search, [1, 2, 3], best_first=True)
    assert search.orders == [[6, 7, 8], [8, 6, 7], [6, 8, 7]]
    assert analysis.move == 6


def test_deepening_ends_when_the_value_is_proved_or_nothing_was_guessed() -> None:
    search = Rounds(([WIN, 0.25, 0.75], 3), ([], 0))
    analysis, _ = decided(search, [1, 2])
    assert (analysis.why, analysis.exact, analysis.distance) == ("exact", True, 3)
    search = Rounds(([0.5, 0.25, 0.75], 0), ([], 0))
    analysis, _ = decided(search, [1, 2])
    assert (analysis.why, analysis.exact) == ("exact", True)
    assert len(search.rounds) == 1


def test_deepening_ends_where_no_further_round_can_tell_more_though_nothing_is_proved() -> None:
    search = Rounds(([10, 0, 0], 0), ([], 0))
    search.counts.faults = 1  # a win, but nobody knows how large
    root = papan.position("tictactoe xox/oxo/... x")
    analysis, _ = decided(search, [1, 2], scoring=MinimaxScoring(root, True, False))
    assert (analysis.why, analysis.exact, search.horizons) == ("done", False, [1])


def test_of_an_interrupted_round_only_the_first_one_counts() -> None:
    search = Rounds(([0.5, 0.25, 0.75], 3), ([0.9, None], 3))
    analysis, heard = decided(search, [1, 2])
    assert (analysis.line, analysis.value, len(analysis.values)) == ((8, 8), 0.75, 3)
    assert [each["depth"] for each in heard if each["t"] == "root"] == [1]
    half, _ = decided(Rounds(([0.25, 0.5, None], 0)), [1, 2])
    assert (half.line, half.value, half.exact, len(half.values)) == ((7, 8), 0.5, False, 2)
    none, _ = decided(Rounds(([None], 0)), [1])
    assert (none.line, none.value, none.values) == ((6,), None, {})


def searched(ordering: bool = True, prunes: bool = True) -> PlainSearch:
    settings = SearchSettings(prunes=prunes, ordering=ordering)
    return PlainSearch(START, Thinking(Limit()), MarginScoring(START.game), settings)


def test_moves_are_tried_by_their_cutoffs_after_the_hint() -> None:
    search = searched()
    search.history[0][3:6] = [4, 9, 4]
    search.history[1][7] = 99
    assert search.ordered(START, [0, 3, 4, 5, 7]) == [4, 3, 5, 0, 7]
    assert search.ordered(START, [0, 3, 4, 5, 7], hint=7) == [7, 4, 3, 5, 0]
    assert search.ordered(START, [0, 3, 4, 5, 7], hint=0) == [0, 4, 3, 5, 7]
    assert searched(ordering=False).ordered(START, [3, 4], hint=4) == [3, 4]


def test_a_cutoff_is_remembered_by_the_square_of_the_plies_below_it() -> None:
    """After b3 o wins with c2, its second move of four; after c1, x's second of three, x wins."""
    search = searched()
    search.horizon = 5
    position = papan.position("tictactoe xx./oo./... x")
    score, line = search.search(position, [7, 2, 8], ply=2, alpha=-inf, beta=0.5)
    assert (score, line) == (WIN_SCORE - 3, (2,))
    assert search.counts.pruned == (4 - 2) + (3 - 2)
    assert search.history == [[0, 0, 3**2, *[0] * 6], [0] * 5 + [2**2] + [0] * 3]


def test_a_full_table_is_emptied_before_the_next_position_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(alphabeta, "MOST_ENTRIES", 2)
    search, nothing = searched(), (9, inf, 0, 0, (0,))
    search.horizon = 5
    search.transpositions = {START.child(each): nothing for each in (0, 1)}
    position = papan.position("tictactoe xx./oo./... x")
    assert search.remembered(position, [2], 2, -inf, inf) == (WIN_SCORE - 3, (2,))
    assert search.transpositions == {
        position: (2, inf, WIN_SCORE - 3, WIN_SCORE - 3, (2,))
    }  # fmt: skip


ENTRY = (2, 5, 0.25, 0.5, (7,))
"""Of a position at ply 2, searched up to ply 5."""


@pytest.mark.parametrize(
    ("ply", "horizon", "window", "answer"),
    [
        (2, 5, (-1, 0.25), 0.25),  # the lower bound is at its end
        (2, 5, (0.5, 1), 0.5),
        (2, 4, (0.5, 1), 0.5),
        (2, 5, (0.25, 0.5), None),
        (2, 5, (-1, 1), None),
        (2, 6, (0.5, 1), None),
        (3, 5, (0.5, 1), None),
    ],
)
def test_the_table_answers_for_the_same_ply_and_horizon_outside_of_the_window(
    ply: int, horizon: float, window: tuple[float, float], answer: float | None
) -> None:
    search = searched()
    position = papan.position("tictactoe xx./oo./... x")
    search.horizon, search.transpositions = horizon, {position: ENTRY}
    score, line = search.remembered(position, [2, 7], ply, *window)
    if answer is None:
        assert (score, line, search.counts.hits) == (WIN_SCORE - ply - 1, (2,), 0)
    else:
        assert (score, line, search.counts.hits) == (answer, (7,), 1)
        assert search.counts.guesses == 1, "it rests on guesses at its horizon"
    assert search.counts.probes == 1


def test_a_bound_is_stored_as_one() -> None:
    search = searched()
    search.horizon = 3
    stored = []
    for window in ((-1.0, 2.0), (0.0, 1.0), (-1.0, 0.0)):
        position = papan.position("tictactoe xox/oxx/o.. o")  # b3 loses, c3 draws
        search.transpositions.clear()
        score, _ = search.remembered(position, [8], 0, *window)
        stored.append((score, search.transpositions[position][1:4]))
    assert stored == [(0, (inf, 0, 0)), (0, (inf, -inf, 0)), (0, (inf, 0, inf))]


@pytest.mark.parametrize("twin", [lambda it: it, plain], ids=["compiled", "plain"])
def test_both_twins_tell_leaves_and_what_the_table_brings(
    twin: Callable[[Position], Position],
) -> None:
    position, events = twin(papan.position("tictactoe xox/oxx/o.. o")), list[Event]()
    AlphaBeta(ordering=False).analyse(position, listener=events.append)
    nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
    assert [
        (node["up"], node["m"], node["v"], node["s"], node.get("tt", False)) for node in nodes
    ] == [
        (None, None, 0, "full", False),
        (0, "b3", -1, "full", False),
        (1, "c3", -1, "leaf", False),
        (0, "c3", 0, "full", False),
        (3, "b3", 0, "leaf", False),
    ]
    events.clear()
    AlphaBeta(table=False, depth=3).analyse(twin(START), listener=events.append)
    last = [event for event in events if event["t"] == "root"][-1]
    assert last["tt"] == {"hit": 0, "size": 0} and last["pruned"] > 0


def test_the_seed_shuffles_the_moves_at_the_root_and_0_leaves_them() -> None:
    moves = [AlphaBeta(seed=seed).considered(START) for seed in (0, 1, 1, 2)]
    assert moves[0] == list(range(9)) != moves[1] == moves[2] != moves[3]
    assert sorted(moves[1]) == sorted(moves[3]) == moves[0]


def test_patterns_evaluate_where_they_were_learned_and_searches_may_be_compiled() -> None:
    agent, board = AlphaBeta(evaluation="patterns"), papan.position("connect4")
    assert [agent.plays(papan.game(name)) for name in ("connect4", "dots")] == [True, False]
    assert AlphaBeta().plays(papan.game("dots"))
    with pytest.raises(CannotPlayError, match="dots:3,3"):
        agent.analyse("dots")
    assert agent.form(board) is not None
    with plain_searches():
        assert agent.form(board) is None


@pytest.mark.parametrize(
    ("role", "window", "leaf", "expected"),
    [
        ("max", (-1, 0, 1), False, {"s": "full", "v": 0, "a": -1, "b": 1}),
        ("max", (-1, 1, 1), False, {"s": "cut", "v": 1, "a": -1, "b": 1, "why": "v>=b"}),
        ("max", (0, 0, 1), False, {"s": "full", "v": 0, "a": 0, "b": 1}),
        ("min", (0, 0, 1), False, {"s": "cut", "v": 0, "a": 0, "b": 1, "why": "v<=a"}),
        ("min", (0, 1, 1), False, {"s": "full", "v": 1, "a": 0, "b": 1}),
        ("min", (-inf, 0, inf), True, {"s": "leaf", "v": 0, "a": -1, "b": 1}),
        ("max", (-1, 2, 1), True, {"s": "leaf", "v": 2, "a": -1, "b": 1}),
    ],
)
def test_a_node_is_told_with_its_window_and_its_cut(
    role: str, window: tuple[float, float, float], leaf: bool, expected: Event
) -> None:
    node: Event = {"role": role}
    TreeRecorder(searched()).leave(node, window, leaf, by_table=True)
    assert node == {"role": role, "tt": True, **expected}
    bare: Event = {"role": role}
    TreeRecorder(searched(prunes=False)).leave(bare, window, leaf, by_table=False)
    assert bare == {
        "role": role, "v": window[1], "s": "leaf" if leaf else "full", "tt": False
    }  # fmt: skip


def test_nodes_are_recorded_as_far_as_whole_plies_go() -> None:
    recorder = TreeRecorder(searched())  # 1 + 9 + 72 + 504: the next ply would be 3024 more
    child = START.child(4)
    assert recorder.tree.plies == 3
    assert recorder.enter(START, child, 4, 3) is None
    assert recorder.enter(START, child, 4, 0) == {"id": 1, "up": 0, "m": "b2", "role": "min"}
    root = recorder.finish(0.5)[0]
    assert root == {"id": 0, "up": None, "m": None, "role": "max"} | {
        "a": None, "b": None, "v": 0.5, "s": "full"
    }  # fmt: skip
