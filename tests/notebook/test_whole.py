"""What notebooks are given, whole: tables, films of games, and the states of widgets."""

import re
from typing import Any

import pytest

import papan
from papan import catalog
from papan.core import Analysis, Guess, Proved
from papan.core.session import Session
from papan.notebook.pages import MOST, film_strip, html_table, page, sampled

STYLE = 'style="padding:2px 10px;text-align:left"'
START = catalog.position("tictactoe")


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPAN_LANG", "en")


def test_a_table_has_a_caption_and_headings_on_both_sides() -> None:
    assert html_table("a<b", ["h", "i"], [["x", "y&"], ["z", ""]]) == (
        '<table><caption style="text-align:left">a&lt;b</caption><thead><tr>'
        f'<th scope="col" {STYLE}>h</th><th scope="col" {STYLE}>i</th></tr></thead><tbody>'
        f'<tr><th scope="row" {STYLE}>x</th><td {STYLE}>y&amp;</td></tr>'
        f'<tr><th scope="row" {STYLE}>z</th><td {STYLE}></td></tr></tbody></table>'
    )
    with pytest.raises(ValueError, match="not enough values"):
        html_table("", [], [[]])


def cells(html: str) -> list[str]:
    return re.findall(r"<(?:td|th|caption) [^>]*>([^<]*)<", html)


def test_an_analysis_is_a_table_of_values_and_lines() -> None:
    values = {0: Guess(0.5, line=(1, 2, 3, 4, 5, 7, 6, 8)), 1: Proved(-1, -1, line=(2, 3))}
    known = Analysis((0, 1), nodes=3, seconds=1.25, guess=0.5, values=values, position=START)
    caption, *rest = cells(str(page(known)))
    assert caption == (
        "a1 lies on 3 lines that player 1 can still complete. "
        "Estimated value for player 1: \u2248 +0.5. Nodes: 3, seconds: 1.250 (done)"
    )
    heads = ["move", "value", "then"]
    line = "b1 c1 a2 b2 c2 b3 a3 c3"
    assert rest == [*heads, "a1", "\u2248 +0.5", line, "b1", "= \u22121", "c1 a2"]
    caption, *rest = cells(str(page(Analysis((0,), position=START))))
    assert "The result is not proved. Nodes: 0, seconds: 0.000 (done)" in caption
    assert rest == [*heads, "a1", "?", ""]
    assert page(Analysis((0,))) is None
    assert page("anything else") is None


def test_of_a_long_line_eight_moves_are_shown() -> None:
    position = catalog.position("tictactoe:4,4,4")
    values = {0: Guess(0.5, line=tuple(range(1, 10)))}
    shown = cells(str(page(Analysis((0,), values=values, position=position))))
    assert shown[-1] == "b1 c1 d1 a2 b2 c2 d2 a3 \u2026"


def film(count: int) -> str:
    """The film of the first *count* moves that fill a board of 4 x 4 row by row."""
    positions = [catalog.position("tictactoe:4,4,4")]
    for move in range(count):
        positions.append(positions[-1].child(move))
    return film_strip(positions, range(count), "a title")


def test_a_film_has_six_boards_in_a_row_each_below_its_move() -> None:
    drawn = film(7).replace("\n", " ")
    width, height = re.findall(r'<svg [^>]*viewBox="0 0 (\S+) (\S+)"', drawn)[0]
    boards = re.findall(r'x="(\S+)" y="(\S+)" width="132" height="(\S+)"', drawn)
    assert width == "890", "six boards of 132, and seven gaps of 14"
    across = [14 + 146 * place for place in range(6)]
    assert [float(x) for x, _, _ in boards] == [*across, *across[:2]]
    high = float(boards[0][2])
    rows = [14 + 24, 14 + 24 + high + 14 + 24]
    assert [float(y) for _, y, _ in boards] == pytest.approx(
        [rows[0]] * 6 + [rows[1]] * 2, abs=0.01
    )
    assert float(height) == pytest.approx(14 + 2 * (24 + high + 14), abs=0.01)
    labels = re.findall(r'<text x="(\S+)" y="(\S+)" font-size="16"[^>]*>([0-9]+\. \w+)<', drawn)
    names = ["a1", "b1", "c1", "d1", "a2", "b2", "c2"]
    assert [text for _, _, text in labels] == [f"{n}. {name}" for n, name in enumerate(names, 1)]
    assert [float(x) for x, _, _ in labels[:5]] == [x + 66 for x in across[1:]]
    assert float(labels[0][1]) == 14 + 12
    assert "<title>a title</title>" in drawn
    assert f"<desc>{' '.join(names)}   a b c d 1 x o x o 2 x o x . " in drawn


def test_boards_are_left_out_between_the_ends_of_a_long_game() -> None:
    assert [sampled(count) for count in (0, 1, 2)] == [[], [0], [0, 1]]
    assert sampled(MOST) == [*range(MOST)]
    longer = sampled(MOST + 1)
    assert (len(longer), longer[0], longer[-1]) == (MOST, 0, MOST)
    assert sampled(47) == [2 * place for place in range(24)]


def without_board(widget: Any) -> dict[str, Any]:
    return {name: each for name, each in widget.state.items() if name != "board"}


def button(text: str, do: str, off: bool = False, **more: object) -> dict[str, Any]:
    return {"text": text, "send": {"do": do, **more}, "off": off, "pressed": None}


LEVELS = {1: "Level 1, careless", 2: "Level 2", 3: "Level 3", 4: "Level 4", 5: "Level 5, strongest"}


def test_the_page_of_a_game_is_told_everything() -> None:
    widget: Any = papan.widget("tictactoe", vs="human")
    state = {
        "line": [],
        "turns": [],
        "names": ["player 1", "player 2"],
        "seats": ["human", "human"],
        "choices": [
            {"who": "human", "text": "A person"},
            *({"who": f"level:{n}", "text": text} for n, text in LEVELS.items()),
        ],
        "tools": [
            button("New game", "new"),
            button("Undo", "undo", True),
            button("Redo", "redo", True),
            button("Hint", "hint"),
        ],
        "status": "Your turn, player 1.",
        "problem": "",
        "live": True,
        "hint": [],
        "reason": None,
    }
    assert without_board(widget) == state
    widget.play("b2")
    widget.play("a1")
    widget.go(1)
    widget.update()
    assert widget.state["line"] == ["b2", "a1"]
    assert widget.state["turns"] == [0, 1]
    assert widget.state["status"] == "Your turn, player 2."
    assert [each["off"] for each in widget.state["tools"]] == [False] * 4


def test_the_page_of_a_played_game_steps_through_it() -> None:
    session = Session(START, [None, None])
    for name in ("a1", "b1", "a2", "b2", "a3"):
        session.play(name)
    widget: Any = papan.stepper(session)
    for ply, ends in ((0, (True, False)), (2, (False, False)), (5, (False, True))):
        widget.go(ply)
        widget.update()
        assert without_board(widget) == {
            "line": ["a1", "b1", "a2", "b2", "a3"],
            "turns": [0, 1, 0, 1, 0],
            "names": ["player 1", "player 2"],
            "seats": ["A person", "A person"],
            "choices": [],
            "tools": [
                button("First", "go", ends[0], count=0),
                button("Back", "go", ends[0], count=ply - 1),
                button("Forward", "go", ends[1], count=ply + 1),
                button("Last", "go", ends[1], count=5),
            ],
            "status": "Player 1 (A person) wins." if ply == 5 else f"Move {ply} of 5.",
            "problem": "",
            "live": False,
            "hint": [],
            "reason": None,
            "slider": "Moves played",
        }
        assert len(widget.state["board"]["moves"]) == ply


def test_games_between_agents_begin_paused_and_go_on() -> None:
    widget: Any = papan.widget("tictactoe", vs=lambda position: position.moves()[0])
    other = next(iter(widget.opponents.values()))
    assert other is None, "a person can always sit down"
    rival = widget.session.agents[1]
    widget.sit(0, rival.spec)
    widget.update()
    assert widget.paused
    assert [each["text"] for each in widget.state["tools"]][-1] == "Start"
    assert not widget.state["live"]
    for seat, who in ((2, "human"), (-1, "human"), (0, "nobody")):
        widget.sit(seat, who)
        assert widget.session.agents == (rival, rival)
    widget.sit(1, "human")
    assert not widget.paused or widget.session.agents[0] is rival
    widget.close()


def test_seats_are_numbered_from_one() -> None:
    for seat, seats in ((1, ["human", "random"]), (2, ["random", "human"])):
        widget: Any = papan.widget("tictactoe", vs="random", seat=seat)
        assert widget.state["seats"] == seats
        widget.close()
    for wrong in (0, 3):
        with pytest.raises(papan.PapanError, match="must be 1 or 2"):
            papan.widget("tictactoe", seat=wrong)
