"""What Python does around kernels: it watches, keeps the memory, and reads what was proved."""

# mypy: disable-error-code="no-untyped-call"

from math import inf
from threading import Event, get_ident
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import papan
from papan.core import (
    Analysis,
    Limit,
    Message,
    OutOfBudget,
    Position,
    Proved,
    Thinking,
    native_form,
)
from papan.engine.control import (
    GOES_ON,
    MOST_NODES,
    NODES,
    OUT_OF_NODES,
    STOP,
    controls,
    race,
    run,
    run_within,
)
from papan.engine.learning import Tables, correct, expected
from papan.engine.memory import aligned, entries_in, fill, layout, new
from papan.engine.patterns import with_shipped_weights
from papan.engine.solver import AlphaBetaSolution, NativeSolver, RootScore, Solution
from papan.engine.transpositions import Table
from papan.engine.workspace import (
    AlphaBetaWorkspace,
    EmittedNode,
    PlyFrame,
    SearchMemory,
    without_fraction,
)
from tests.agents.definition import Pebbles

LATE = papan.position("tictactoe xox/oxo/... x")
"""Three moves are left: a3, b3, c3."""


def test_control_words_begin_at_nothing() -> None:
    words = controls(7.9)
    assert (words.tolist(), str(words.dtype)) == ([0, 0, 7, *[0] * 13], "uint64")
    assert (STOP, NODES, MOST_NODES) == (0, 1, 2)


def test_a_kernel_runs_beside_its_caller_and_its_flag_is_set_at_the_end() -> None:
    words, looked = controls(), Event()
    threads: list[int] = []

    def kernel() -> str:
        threads.append(get_ident())
        words[NODES] = 5
        assert looked.wait(10)
        return "found"

    seen: list[int] = []

    def look(nodes: int) -> None:
        seen.append(nodes)
        if nodes:
            looked.set()

    assert run(kernel, words, look) == "found"
    assert threads != [get_ident()] and words[STOP] == 1
    assert set(seen) <= {0, 5} and seen[-1] == 5
    assert {type(each) for each in seen} == {int}


@pytest.mark.parametrize(
    ("nodes", "most", "apart"), [(0, 1, False), (0, 2, True), (4, 5, False), (4, 6, True)]
)
def test_a_search_with_one_node_left_runs_in_its_callers_thread(
    nodes: int, most: int, apart: bool
) -> None:
    budget, threads = Thinking(Limit(nodes=most)), list[int]()
    budget.nodes = nodes

    def search(words: Any) -> int:
        threads.append(get_ident())
        assert (words[NODES], words[MOST_NODES]) == (nodes, most)
        words[NODES] += 1
        return GOES_ON

    run_within(budget, search)
    assert (threads[0] != get_ident()) == apart
    assert (budget.nodes, type(budget.nodes)) == (nodes + 1, int)


def test_a_search_that_is_out_of_nodes_says_so_and_one_that_fails_has_counted() -> None:
    budget = Thinking(Limit(nodes=1))

    def spent(words: Any) -> int:
        words[NODES] = 1
        return OUT_OF_NODES

    with pytest.raises(OutOfBudget, match="nodes"):
        run_within(budget, spent)
    budget = Thinking(Limit(nodes=9))

    def failing(words: Any) -> int:
        words[NODES] = 7
        raise KeyError("x")

    with pytest.raises(KeyError):
        run_within(budget, failing)
    assert budget.nodes == 7


def test_the_first_search_begins_however_short_the_time_and_no_other() -> None:
    budget, begun = Thinking(Limit(nodes=1), cancelled=lambda: True), list[int]()

    def search(words: Any) -> int:
        begun.append(1)
        words[NODES] += 1
        return GOES_ON

    run_within(budget, search)
    assert (len(begun), budget.nodes) == (1, 1)
    with pytest.raises(OutOfBudget, match="cancelled"):
        run_within(budget, search)
    assert len(begun) == 1


def test_all_that_searches_found_comes_back_but_none() -> None:
    words = [controls(), controls(), controls()]

    def late() -> int:
        while not words[1][STOP]:
            pass
        return 2

    assert race([lambda: None, late, late], words) == [2, 2]
    assert [each[STOP] for each in words] == [1, 1, 1]
    assert race([lambda: None], [controls()]) == []
    assert race([], []) == []


@pytest.mark.parametrize(
    ("megabytes", "size", "entries"),
    [(1, 2**20, 1), (1, 32, 2**15), (1, 33, 2**14), (3, 32, 2**16), (4, 32, 2**17)],
)
def test_entries_are_the_power_of_two_that_fits(megabytes: int, size: int, entries: int) -> None:
    assert entries_in(megabytes, size) == entries
    with pytest.raises(ValueError):
        entries_in(1, 2**20 + 1)


def test_memory_begins_at_a_line_of_the_cache() -> None:
    for words in (0, 1, 8, 1000):
        memory = aligned(words)
        assert (memory.tolist(), str(memory.dtype)) == ([0] * words, "uint64")
        assert words == 0 or memory.ctypes.data % 64 == 0


def test_a_record_refuses_what_it_has_no_field_for() -> None:
    record = new(PlyFrame, first=3, count=4)
    assert (record.first, record.count, record.node, record.killers.shape) == (3, 4, 0, (2, 2))
    with pytest.raises(ValueError):
        fill(record, count=5, length=6)
    assert record.count == 5, "what came before it is written"
    assert layout(AlphaBetaWorkspace) is layout(AlphaBetaWorkspace)


def test_a_table_says_how_much_it_uses_and_may_grow() -> None:
    table = Table((np.uint64(2), np.uint64(4)), 64)
    address, key_bits, tag_bits, most, grow_at = table.fields(10, 16, 99)
    assert (key_bits, tag_bits, most, grow_at) == (10, 6, 64, 99)
    assert address == table.words.ctypes.data and len(table.words) == 64 * 8
    used: Any = SimpleNamespace(key_bits=key_bits, tag_bits=tag_bits)
    assert table.size(used) == 16 * 8 * 8
    assert table.fields(10, 16)[-1] == 2**63


@pytest.mark.parametrize(
    ("number", "shown"),
    [(2.0, "2"), (-0.0, "0"), (2.5, "2.5"), (inf, "inf"), (-inf, "-inf"), (-3.0, "-3")],
)
def test_whole_numbers_are_shown_without_a_fraction(number: float, shown: str) -> None:
    assert str(without_fraction(number)) == shown


def memory_of(position: Position, **settings: int) -> SearchMemory:
    form = native_form(position)
    assert form is not None
    return SearchMemory(form, position.game.move_count, **settings)


def test_the_results_of_a_look_are_those_of_each_move_alone() -> None:
    """Nodes and doubts are counted from move to move, and the root is a node of its own."""
    memory, budget = memory_of(LATE, emitted=3, plies=2), Thinking(Limit(nodes=100))
    budget.nodes = 10
    asked: list[tuple[int, ...]] = []

    def kernel(rules: Any, board: Any, workspace: Any, count: int) -> int:
        asked.append((count, int(workspace.horizon), *memory.moves[0, :count].tolist()))
        assert (workspace.finished, workspace.guesses, workspace.emitted_count) == (0, 0, 0)
        memory.root_moves[0], memory.root_moves[1] = (0.5, 15, 2), (-1.0, 20, 2)
        memory.lines[memory.lines.shape[1], :3] = 2, 7, 8
        workspace.finished, workspace.guesses, workspace.emitted_count = 2, 2, 2
        memory._emitted[0] = (0, 0, True, False, 1, 0.5, -inf, inf)
        memory._emitted[1] = (0, 6, False, True, 2, -1.0, -2.0, 2.5)
        return GOES_ON

    for horizon in (2, inf):
        memory.look(kernel, [6, 8], horizon, budget)
    assert asked == [(2, 2, 6, 8), (2, 4, 6, 8)], "to the end: one ply more than there are"
    scores = list(memory.root_scores())
    assert scores == [RootScore(0.5, 4, 2, (7, 8)), RootScore(-1, 5, 0, ())]
    assert str(scores[1].score) == "-1"
    assert memory.emitted() == [
        EmittedNode(0, 0, True, False, "full", 0.5, -inf, inf),
        EmittedNode(0, 6, False, True, "cut", -1, -2, 2.5),
    ]


def test_a_table_is_enlarged_and_never_made_smaller() -> None:
    memory = memory_of(LATE)
    sizes = []
    for entries in (8, 4, 8, 32):
        memory.make_room(entries)
        sizes.append(memory.table.words.nbytes // 32)
    assert sizes == [8, 8, 8, 32]
    transpositions = memory.workspace.transpositions
    assert (int(transpositions.key_bits), int(transpositions.tag_bits)) == (4, 0)


class Facts(Solution):
    """A solution of which everything is told."""

    def __init__(self, thinking: Thinking, low: float = 0, high: float = 1) -> None:
        super().__init__(LATE, thinking)
        self.known = low, high
        self.updates = 0

    def work(self) -> None:
        raise OutOfBudget("time")

    def choice(self) -> int:
        return 7

    def bounds(self) -> tuple[float, float]:
        return self.known

    def update(self) -> None:
        self.updates += 1


def test_a_solution_tells_what_it_has_proved() -> None:
    heard: list[papan.core.Event] = []
    facts = Facts(Thinking(Limit(), heard.append))
    facts.values, facts.depth = {7: Proved(0, 1), 6: Proved(-1, -1)}, 4
    facts.emit(table=9)
    event = {key: heard[0][key] for key in heard[0] if key not in ("ms", "nps")}
    assert event == {
        "t": "root", "depth": 4, "best": "b3", "nodes": 0, "bounds": [0, 1], "table": 9,
        "moves": [
            {"m": "b3", "v": 0, "k": "between", "to": 1, "n": 0, "pv": ["b3"]},
            {"m": "a3", "v": -1, "k": "exact", "n": 0, "pv": ["a3"]},
        ],
    }  # fmt: skip
    assert (facts.why("time"), Facts(Thinking(Limit()), 1, 1).why("time")) == ("time", "exact")
    silent = Facts(Thinking(Limit()))
    silent.emit()
    assert silent.updates == 0, "nobody hears it"


def test_a_solution_becomes_an_analysis_with_all_its_facts() -> None:
    facts, note = Facts(Thinking(Limit())), Message("note")
    facts.values, facts.facts, facts.notes = {7: Proved(0, 1)}, {"table": 3}, (note,)
    facts.guess, facts.distance = 0.5, 3
    alone = Analysis(
        (7,), 0.5, Proved(0, 1), {7: Proved(0, 1)}, 3,
        facts={"table": 3}, notes=(note,), why="time",
    )  # fmt: skip
    assert facts.analysis("time") == alone and facts.updates == 1
    facts.line = (7, 6)
    assert facts.analysis("time").line == (7, 6)


def test_a_look_counts_the_nodes_and_tells_when_it_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = [0.0]
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: ticks[0])
    heard: list[papan.core.Event] = []
    facts = Facts(Thinking(Limit(seconds=1), heard.append))
    for ticks[0], nodes in ((0.05, 10), (0.15, 20), (0.2, 30)):
        facts.look(nodes)
    assert [(event["t"], event["nodes"]) for event in heard] == [("root", 20)]
    assert facts.thinking.nodes == 30
    ticks[0] = 1.5
    with pytest.raises(OutOfBudget, match="time"):
        facts.look(40)
    assert facts.thinking.nodes == 40 and len(heard) == 1


class Given(AlphaBetaSolution):
    """A solution whose rounds are given: for each the moves that it was asked for, and scores."""

    def __init__(self, *rounds: list[RootScore], all_moves: bool = False) -> None:
        form = native_form(LATE)
        assert form is not None
        super().__init__(LATE, Thinking(Limit()), NativeSolver(all_moves=all_moves), form)
        self.rounds, self.asked = list(rounds), list[tuple[int, list[int]]]()
        memory: Any = self.memory
        memory.look = self.looked
        memory.root_scores = lambda: iter(self.found)

    def looked(self, search: Any, moves: list[int], depth: int, thinking: Thinking) -> None:
        self.asked.append((depth, list(moves)))
        self.found = self.rounds.pop(0) if self.rounds else []
        if not self.found:
            raise OutOfBudget("nodes")
        self.thinking.nodes += 10


WIN = 1_000_000


def test_rounds_go_deeper_until_the_value_is_proved() -> None:
    given = Given(
        [RootScore(0.25, 5, 1, (8,)), RootScore(0.5, 6, 1, (6,)), RootScore(0.5, 7, 1, ())],
        [RootScore(0, 5, 0, (8,)), RootScore(-0.0, 6, 0, ()), RootScore(0.0, 7, 0, ())],
        [RootScore(0, 9, 0, (7,))],
    )
    with pytest.raises(OutOfBudget):
        given.work()
    assert given.asked == [
        (1, [6, 7, 8]),
        (2, [7, 6, 8]),  # the best move first
        (3, [6]),  # is it as good?
        (3, [8]),
    ]
    assert given.values[6] == Proved(0, 0, nodes=9, line=(7,)), "but the first one is played"
    assert (given.bounds(), given.line, given.choice()) == ((0, 0), (7, 8), 7)
    assert given.values[7] == Proved(0, 0, nodes=5, line=(8,))
    assert str(given.guess) == "0"


def test_a_win_is_proved_among_guesses_and_other_moves_have_bounds() -> None:
    given = Given([RootScore(0.25, 5, 1, ()), RootScore(WIN - 1, 6, 1, ()), RootScore(2, 7, 1, ())])
    with pytest.raises(OutOfBudget):
        given.work()
    assert (given.bounds(), given.line, given.guess) == ((1, 1), (7,), 1)
    assert given.values == {7: Proved(1, 1, nodes=6)}
    assert given.asked == [(1, [6, 7, 8]), (3, [6])], "might it win as well?"
    assert given.thinking.limit.nodes == 10 + 20_000


def test_a_move_that_is_proved_to_be_worse_is_not_searched_again() -> None:
    rounds = [RootScore(0, 5, 0, ()), RootScore(-0.5, 6, 0, ()), RootScore(0, 7, 0, ())]
    given, every = Given(rounds), Given(rounds, all_moves=True)
    for solution in (given, every):
        with pytest.raises(OutOfBudget):
            solution.work()
    assert given.values == {
        6: Proved(0, 0, nodes=5),
        7: Proved(-inf, -0.5, nodes=6),
        8: Proved(-inf, 0, nodes=7),
    }
    assert given.asked[1:] == [(3, [8])]
    assert every.asked[1:] == [(3, [7])] and every.thinking.limit == Limit()
    one = Given([RootScore(0.5, 5, 0, ()), RootScore(0.25, 6, 0, ()), RootScore(0.25, 7, 0, ())])
    one.work()
    assert len(one.asked) == 1 and one.bounds() == (0.5, 0.5)


def test_bounds_are_those_of_the_moves_and_never_get_worse() -> None:
    given = Given()
    assert given.bounds() == (-1, 1) and given.choice() == 6
    given.found = [RootScore(0.5, 5, 0, ())]
    given.values = {}
    given._read([6, 7, 8])
    assert given.bounds() == (0.5, 1), "two moves are open"
    given.found = [RootScore(0.25, 5, 0, ()), RootScore(0.75, 5, 0, ()), RootScore(0.5, 1, 0, ())]
    given._read(given.order)
    assert given.bounds() == (0.75, 0.75)


class Fixed(NativeSolver):
    """A solver whose solution is given."""

    bounds = 0.0, 1.0

    def solution(self, position: Position, thinking: Thinking) -> Solution:
        return Facts(thinking, *self.bounds)


def test_a_solver_that_ends_early_says_why_unless_the_value_is_proved() -> None:
    solver = Fixed()
    assert solver.decide(LATE, Thinking(Limit())).why == "time"
    solver.bounds = 1.0, 1.0
    assert solver.decide(LATE, Thinking(Limit())).why == "exact"


def test_a_kernel_is_loaded_for_each_kind_of_rules_and_size_of_board() -> None:
    form = native_form(LATE)
    assert form is not None
    assert NativeSolver().variant(LATE) == (type(form.rules), 4)
    assert len(NativeSolver().variant(papan.position("tictactoe:9,9,5"))) == 2
    assert NativeSolver().variant(Pebbles(8).start()) == ()
    assert not NativeSolver().plays(Pebbles(8)) and NativeSolver().plays(LATE.game)


def test_weights_that_papan_does_not_ship_are_none() -> None:
    assert with_shipped_weights(SimpleNamespace(), "/nowhere/rules.py", "6x7") is None
    support = papan.GAMES["connect4"].__module__
    path = str(__import__("sys").modules[support].__file__)
    assert with_shipped_weights(SimpleNamespace(), path, "9x99") is None


def test_a_correction_goes_to_every_number_behind_a_value() -> None:
    groups = np.array([[[0, 1]]], np.uint64)
    tables = Tables(groups, np.zeros((1, 1 << 9), np.float32), 2, False)
    board = tuple(np.array([0b0110, 0b1001, 1, 0], np.uint64))
    assert correct(tables, board, 0.5, 0.75) == 0.75**2
    (changed,) = np.flatnonzero(tables.numbers[0])
    assert changed == 0b1_10_01_01_10 and tables.numbers[0, changed] == 0.375
    assert expected(tables, board) == pytest.approx(np.tanh(0.375))
    falling = Tables(groups, np.zeros((1, 1 << 7), np.float32), 2, True)
    full = tuple(np.array([0b0010, 0b0001, 0, 0], np.uint64))
    correct(falling, full, 1.0, 1.0)
    assert np.flatnonzero(falling.numbers[0]).tolist() == [0b0_110_001]
