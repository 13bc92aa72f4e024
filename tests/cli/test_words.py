"""What the terminal says of players, moves and searches, word for word."""

from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path

import pytest

from papan import catalog
from papan.cli.arguments import (
    check_seed,
    complete_agent,
    complete_game,
    completion,
    confined_agents,
    limit_text,
    nodes_of,
    worker_count,
)
from papan.core import UNLIMITED, Analysis, InvalidSpecError, Limit, PapanError, Proved
from papan.core.explain import EventLog
from papan.core.session import Session
from papan.terminal.game_screen import (
    SEAT_COLOURS,
    clock_text,
    error_words,
    moves,
    players,
    thoughts,
)
from papan.terminal.output import print_table, rewrite, use_language
from papan.terminal.reasons import (
    how_lines,
    move_line,
    result_line,
    score_line,
    short_lines,
    step_line,
    who_sits,
)

BLUE, ORANGE = SEAT_COLOURS


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    use_language("en")
    yield
    use_language("en")


def game(spec: str, names: str, *agents: str | None) -> Session:
    """A game on the board *spec* after the moves *names*; None is a person."""
    seats = [None if each is None else catalog.agent(each) for each in agents]
    session = Session(catalog.position(spec), seats)
    for name in names.split():
        session.play(name)
    return session


def test_each_seat_has_an_arrow_a_mark_a_player_and_points() -> None:
    session = game("tictactoe", "a1 b2 c3", None, "random:seed=3")
    shown = players(session.position, session.record(), inf, narrow=False)
    assert shown.plain == "  x player 1 (you) 0  \u25b6 o player 2 (random:seed=3) 0"
    assert [(span.start, span.style) for span in shown.spans] == [(0, BLUE), (22, ORANGE)]
    narrow = players(session.position, session.record(), 60.5, narrow=True)
    assert narrow.plain == (
        "  x player 1 (you) 0\n\u25b6 o player 2 (random:seed=3) 0\ntime left 1:01"
    )
    session.give_up("resigned", 0)
    over = players(session.position, session.record(), inf, narrow=False)
    assert over.plain == "  x player 1 (you) 0    o player 2 (random:seed=3) 0"


def test_a_puzzle_has_one_player_without_a_mark() -> None:
    session = game("onet:2,2 1,1/2,2", "a1b1", None)
    assert players(session.position, session.record(), inf, False).plain == "\u25b6 you 2"
    assert moves(session).plain == "1.a1b1"


def test_plies_are_counted_and_marked() -> None:
    session = game("tictactoe", "a1 b2 c3", None, None)
    shown = moves(session)
    assert shown.plain == "1.x a1 2.o b2 3.x c3"
    assert [span.style for span in shown.spans] == [BLUE, ORANGE, BLUE]
    assert moves(game("tictactoe", "", None, None)).plain == ""


def test_a_clock_rounds_up_so_that_zero_is_the_end() -> None:
    shown = {0: "0:00", 0.01: "0:01", 1: "0:01", 1.5: "0:02", 59.5: "1:00", 60: "1:00"}
    shown |= {60.01: "1:01", 599: "9:59", 3600: "60:00"}
    assert {seconds: clock_text(seconds) for seconds in shown} == shown


ROOT = {
    "t": "root", "depth": 3, "nodes": 5, "nps": 70, "ms": 1300, "best": "b1",
    "moves": [
        {"m": "a1", "v": None, "k": "estimate"},
        {"m": "b1", "v": 0.5, "k": "estimate", "pv": ["b1", "c1"]},
        *({"m": f"a{n}", "v": n - 4, "k": "exact"} for n in range(2, 7)),
    ],
}  # fmt: skip


def test_the_panel_tells_depth_work_best_move_and_the_five_best() -> None:
    position = catalog.position("tictactoe")
    assert thoughts(position, {}) == []
    best = {"t": "root", "moves": [{"m": "b1", "v": 1, "k": "exact", "pv": ["b1"]}]}
    rule = {"m": "b1", "rule": "rule.nosuch"}
    assert thoughts(position, {"root": ROOT, "reason": rule, "done": {"why": "nodes"}}) == [
        "Depth: 3 plies",
        "Nodes: 5, 70/s, 1.3 s",
        "Best move: b1",
        "Value: \u2248 +0.5 for player 1 (estimate)",
        "Line: b1 c1",
        "  a6 = +2",
        "  a5 = +1",
        "  b1 \u2248 +0.5",
        "  a4 = 0",
        "  a3 = \u22121",
        "b1: rule.nosuch",
        "out of nodes",
    ]
    assert thoughts(position, {"root": ROOT | best})[3:] == [
        "Value: = +1 for player 1 (exact)",
        "  b1 = +1",
    ]
    assert len(thoughts(position, {"root": ROOT | {"best": "zz"}})) == 3 + 5


@pytest.mark.parametrize(
    ("analysis", "thought"),
    [
        (None, ""),
        (Analysis((8,), nodes=1234), " (nodes: 1234)"),
        (
            Analysis((8, 1, 2), nodes=1, guess=-0.5),
            " (value \u2248 \u22120.5 for player 1; nodes: 1; expects c3 b1 c1)",
        ),
        (
            Analysis((8, *range(1, 8), 0), proved=Proved(1, 1)),
            " (value = +1 for player 1; nodes: 0; expects c3 b1 c1 a2 b2 c2 a3 b3)",
        ),
    ],
)
def test_a_move_is_told_with_what_was_thought(analysis: Analysis | None, thought: str) -> None:
    position = catalog.position("tictactoe")
    said = move_line(position, "Ani", 8, analysis)
    assert said == f"Player 1 (Ani) plays c3{thought}"


def test_scores_are_told_seat_by_seat_or_of_how_many() -> None:
    boxes = catalog.position("dots:1,1 1111 1 0-1")
    assert score_line(boxes) == "Score: player 1 0, player 2 1"
    assert score_line(catalog.position("onet:2,2 1,1/0,0")) == "Score: 2 of 4"


def test_a_result_names_the_winner_and_the_hints() -> None:
    session = game("tictactoe", "a1 b1 a2 b2 a3", None, "random")
    assert result_line(session.position, session.record()) == "Player 1 (you) wins."
    session.names, session.hints = ("Ani", ""), [2, 1]
    said = result_line(session.position, session.record())
    assert said == "Player 1 (Ani) wins. Hints asked for: 3."
    assert [who_sits(session.record(), seat) for seat in (0, 1)] == ["Ani", "random"]


def test_a_step_of_a_search_is_a_sentence_and_other_events_none() -> None:
    position, log = catalog.position("adjacency:4,4,1"), EventLog()
    assert step_line({"t": "start"}) == ""
    generation = {"t": "gen", "g": 2, "best": 3, "mean": 1.5, "worst": -1, "line": ["a1", "b2"]}
    for number in range(3):
        log(generation | {"g": number})
    lines = [f"Generation {n}: best 3, mean 1.5, worst \u22121: a1 b2" for n in range(3)]
    assert list(how_lines(log, Analysis((position.moves()[0],)))) == lines
    assert short_lines(position, log, Analysis((position.moves()[0],))) == lines[2:]


def test_an_error_is_told_in_the_language_or_as_python_writes_it() -> None:
    assert error_words(PapanError("screen.over")).startswith("The game is over; ")
    assert error_words(ZeroDivisionError("no")) == "ZeroDivisionError('no')"


def test_a_limit_is_told_in_words() -> None:
    limits = {
        Limit(seconds=2): "2 s",
        Limit(nodes=1): "1 node",
        Limit(seconds=0.5, nodes=10**15): "0.5 s, 1000000000000000 nodes",
        UNLIMITED: "no limit",
    }
    assert {limit: limit_text(limit) for limit in limits} == limits


def test_nodes_are_a_whole_number_or_none_at_all() -> None:
    assert [nodes_of(text) for text in ("7", "inf", "-1")] == [7, inf, -1]
    for wrong in ("1.5", "infinity", ""):
        with pytest.raises(ValueError, match="invalid literal"):
            nodes_of(wrong)


def test_a_seed_has_up_to_eighteen_digits() -> None:
    for fine in (None, 0, 10**18 - 1, 1 - 10**18):
        assert check_seed(fine) == fine
    for wrong in (10**18, -(10**18)):
        with pytest.raises(InvalidSpecError, match="up to 18 digits"):
            check_seed(wrong)


def test_one_process_works_or_one_for_each_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.cli.arguments.cores", lambda: 5)
    assert [worker_count(asked) for asked in (None, 1, 3)] == [5, 1, 3]
    with pytest.raises(PapanError, match="At least 1 process must work, not 0"):
        worker_count(0)


@pytest.mark.parametrize("confined", [True, False])
def test_the_sandbox_is_for_bots_and_programs_that_do_not_name_it(confined: bool) -> None:
    specs = ["random", "a.py", "bot:a.py,confined=folder", "program:./x"]
    more = ",confined=file" if confined else ""
    found = ("random", f"a.py{more}", "bot:a.py,confined=folder", f"program:./x{more}")
    assert confined_agents(specs, confined) == found


def test_words_are_completed_from_their_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert completion(lambda: ["ab", "b", "abc"])("ab") == ["ab", "abc"]
    assert complete_game("tictactoe:4") == ["tictactoe:4,4,4"]
    assert "connect4" in complete_game("") and complete_game("4") == []
    for name in ("rab.py", "ra.txt", "other.py"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    assert complete_agent("ra") == ["random", "rab.py"]
    assert complete_agent("level:") == [f"level:{number}" for number in range(1, 6)]
    assert not any(name.endswith(".py") for name in complete_agent(""))


class Narrow:
    """A terminal of twelve columns."""

    columns = 12


def test_a_line_that_is_rewritten_has_one_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", Narrow)
    rewrite("nobody reads that in a pipe")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    rewrite("0123456789abcdef")
    assert capsys.readouterr().err == "\r\033[K0123456789a"


@pytest.mark.parametrize(
    ("headings", "rows", "shown"),
    [
        (["a", "b"], [["1", "2"], ["long", ""]], "a     b\n1     2\nlong\n"),
        (["", "x"], [["two\nlines", "y"]], "           x\ntwo lines  y\n"),
        (["alone"], [], "alone\n"),
    ],
)
def test_a_table_has_a_row_a_line_and_no_blanks_at_the_end(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    shown: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table(headings, rows)
    assert capsys.readouterr().out == shown
