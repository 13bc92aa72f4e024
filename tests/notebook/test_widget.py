"""Playing and stepping inside a notebook, seen from Python: words in, states out."""

import builtins
import re
import sys
from threading import Event as Signal
from threading import Thread, current_thread
from typing import Any

import pytest

import papan
from papan.core.message import text_of as say_in
from papan.core.parts import Drawing
from papan.notebook.widgets import SPOKEN, Widget, script, style
from tests.waiting import LONGEST_WAIT, until
from tests.web.test_scripts import SCRIPTS


def say(widget: Widget, word: str, **values: object) -> dict[str, Any]:
    """Send what the page sends, as the page does; the state that it is answered with."""
    widget._handle_custom_msg({"do": word, **values}, [])
    return state(widget)


def state(widget: Widget) -> dict[str, Any]:
    found: dict[str, Any] = widget.state
    return found


def tools(widget: Widget) -> dict[str, bool]:
    """The buttons, and whether each can be pressed."""
    return {each["text"]: not each["off"] for each in state(widget)["tools"]}


def moves(widget: Widget) -> list[str]:
    found: list[str] = state(widget)["board"]["moves"]
    return found


def first(position: papan.Position) -> int:
    """A bot that takes the first move."""
    return position.moves()[0]


def test_a_new_game_waits_for_the_person() -> None:
    widget = papan.widget("tictactoe", vs=first)
    assert state(widget)["live"]
    assert state(widget)["seats"] == ["human", "function:first"]
    assert state(widget)["names"] == ["player 1", "player 2"]
    assert state(widget)["status"] == "Your turn, player 1."
    assert tools(widget) == {"New game": True, "Undo": False, "Redo": False, "Hint": True}


def test_a_widget_shows_its_board_in_characters_where_there_is_no_notebook(
    capsys: pytest.CaptureFixture[str],
) -> None:
    papan.widget("tictactoe", vs="human").show()
    assert capsys.readouterr().out == Drawing.of(papan.position("tictactoe")).picture() + "\n"


def test_the_agent_answers_a_move() -> None:
    widget = papan.widget("tictactoe", vs=first)
    say(widget, "play", move="b2")
    until(lambda: len(moves(widget)) == 2)
    assert moves(widget) == ["b2", "a1"]
    assert state(widget)["live"]


def test_e3_the_reason_of_the_agents_move_stands_below_the_board_until_the_next() -> None:
    widget = papan.widget("tictactoe xo./.../... x", vs=first)
    assert state(widget)["reason"] is None
    say(widget, "play", move="a2")
    until(lambda: len(moves(widget)) == 2)
    because = state(widget)["reason"]
    assert because["text"] == "c1 leaves the column a1-a3 open: you win at a3."
    assert because["svg"].count("<rect") == 4
    assert say(widget, "undo")["reason"] is None


def test_the_agent_begins_where_the_person_sits_second() -> None:
    widget = papan.widget("connect4", vs=first, seat=2)
    until(lambda: state(widget)["live"])
    assert moves(widget) == ["1"]


def test_an_illegal_move_changes_nothing_and_says_why() -> None:
    widget = papan.widget("tictactoe o../.x./... x", vs="human")
    said = say(widget, "play", move="b2")
    assert said["problem"] == "b2 is taken already; choose an empty cell."
    assert moves(widget) == []
    assert say(widget, "play", move="c3")["problem"] == ""


def test_two_people_play_a_game_to_its_end() -> None:
    widget = papan.widget("tictactoe", vs="human")
    for move in ["b2", "a1", "b1", "a2", "b3"]:
        say(widget, "play", move=move)
    assert state(widget)["status"] == "Player 1 (A person) wins."
    assert not state(widget)["live"]
    assert "Hint" not in tools(widget)
    assert say(widget, "play", move="c3")["problem"]
    assert moves(say_new(widget)) == []


def say_new(widget: Widget) -> Widget:
    say(widget, "new")
    return widget


def test_undo_takes_back_both_moves_and_redo_makes_them_again() -> None:
    widget = papan.widget("tictactoe", vs=first)
    say(widget, "play", move="b2")
    until(lambda: len(moves(widget)) == 2)
    assert say(widget, "undo")["board"]["moves"] == []
    assert state(widget)["line"] == ["b2", "a1"]
    assert say(widget, "redo")["board"]["moves"] == ["b2", "a1"]


def test_undo_while_an_agent_thinks_ends_its_thinking() -> None:
    asked, answer = Signal(), Signal()
    thinkers: list[Thread] = []

    def slow(position: papan.Position) -> int:
        thinkers.append(current_thread())
        asked.set()
        answer.wait(LONGEST_WAIT)
        return position.moves()[0]

    widget = papan.widget("tictactoe", vs=slow)
    said = say(widget, "play", move="b2")
    assert said["status"] == "function:slow is thinking \u2026"
    assert "Move now" in tools(widget)
    assert asked.wait(LONGEST_WAIT)
    say(widget, "undo")
    answer.set()
    thinkers[0].join()  # the late answer has had its chance
    assert moves(widget) == []
    assert state(widget)["live"]


def test_y7_redo_asks_the_agent_that_is_to_move_again() -> None:
    asked, answers = list[papan.Position](), [Signal(), Signal()]

    def slow(position: papan.Position) -> int:
        asked.append(position)
        answers[len(asked) - 1].wait(LONGEST_WAIT)
        return position.moves()[0]

    widget = papan.widget("tictactoe", vs=slow)
    say(widget, "play", move="b2")
    until(lambda: asked)
    assert say(widget, "undo")["live"]
    answers[0].set()
    said = say(widget, "redo")
    assert (said["board"]["moves"], said["live"]) == (["b2"], False)
    assert said["status"] == "function:slow is thinking \u2026"
    answers[1].set()
    until(lambda: len(moves(widget)) == 2)
    assert moves(widget) == ["b2", "a1"]


@pytest.mark.parametrize(
    ("word", "values"),
    [
        ("undo", {}),
        ("redo", {}),
        ("go", {"count": 2}),
        ("pause", {}),
        ("sit", {"seat": 0, "who": "human"}),
        ("new", {}),
    ],
)
def test_y7_whatever_is_done_instead_of_its_move_ends_a_hint(
    word: str, values: dict[str, Any]
) -> None:
    widget = papan.widget("tictactoe xx./oo./... x", vs="human")
    say(widget, "play", move="a3")
    say(widget, "play", move="b3")
    say(widget, "undo")
    for _ in range(3):
        say(widget, "hint")
        until(lambda: state(widget)["status"].startswith(("Hint", "Suggestion")))
    assert state(widget)["hint"] == ["c2"]
    said = say(widget, word, **values)
    assert (said["hint"], said["reason"], widget.hint_step) == ([], None, 0)
    assert not said["status"].startswith("Suggestion")


def test_move_now_lets_the_agent_answer_at_once() -> None:
    widget = papan.widget("connect4", vs="mcts:iterations=1000000000", seat=2, seconds=10_000)
    assert tools(widget)["Move now"]
    say(widget, "now")
    until(lambda: state(widget)["live"])
    assert len(moves(widget)) == 1


def test_e2_a_hint_comes_in_three_steps_and_is_gone_with_the_move() -> None:
    widget = papan.widget("tictactoe oo./xx./... x", vs="human")
    say(widget, "hint")
    until(lambda: state(widget)["status"].startswith("Hint 1 of 3: "))
    assert state(widget)["hint"] == []
    assert "c2" in say(widget, "hint")["hint"]
    said = say(widget, "hint")
    assert said["hint"] == ["c2"]
    assert said["status"].startswith("Suggestion: c2. ")
    said = say(widget, "play", move="a3")
    assert said["hint"] == []
    assert widget.session.record().hints == (1, 0)


def test_anybody_of_the_company_may_take_a_seat() -> None:
    widget = papan.widget("tictactoe", vs=first)
    who = [each["who"] for each in state(widget)["choices"]]
    assert who == ["human", *(f"level:{number}" for number in range(1, 6)), "function:first"]
    say(widget, "sit", seat=0, who="level:1")
    assert state(widget)["seats"] == ["level:1", "function:first"]
    assert state(widget)["status"] == "Paused."  # nothing moves by itself until asked to
    say(widget, "pause")
    until(lambda: state(widget)["board"]["end"] != "open")
    assert say(widget, "sit", seat=0, who="bot:evil.py")["seats"][0] == "level:1"


def test_going_back_in_the_game_lets_the_agent_wait() -> None:
    widget = papan.widget("tictactoe", vs=first)
    say(widget, "play", move="b2")
    until(lambda: len(moves(widget)) == 2)
    assert say(widget, "go", count=1)["board"]["moves"] == ["b2"]
    assert state(widget)["status"] == "Paused."
    say(widget, "pause")
    until(lambda: len(moves(widget)) == 2)


def test_an_agent_that_fails_is_complained_of_and_waits() -> None:
    def broken(position: papan.Position) -> int:
        raise RuntimeError("no idea")

    widget = papan.widget("tictactoe", vs=broken)
    say(widget, "play", move="b2")
    until(lambda: bool(state(widget)["problem"]))
    assert "no idea" in state(widget)["problem"]
    assert state(widget)["status"] == "Paused."
    assert moves(widget) == ["b2"]


def test_a_puzzle_has_one_seat_and_can_be_shuffled() -> None:
    widget = papan.widget("onet:4,6,5,3")
    assert state(widget)["seats"] == ["human"]
    assert state(widget)["status"] == "Choose a move."
    before = state(widget)["board"]["position"]
    assert say(widget, "shuffle")["board"]["position"] != before
    assert say(widget, "new")["board"]["start"] == before, "the deal of that seed"


def test_each_new_game_of_a_puzzle_has_another_board() -> None:
    widget = papan.widget("onet:4,6")
    say(widget, "shuffle")
    begun = [say(widget, "new")["board"]["start"].split()[0] for _ in range(3)]
    assert begun == ["onet:4,6,seed=1", "onet:4,6,seed=2", "onet:4,6,seed=3"]


def test_what_is_no_word_does_nothing() -> None:
    widget = papan.widget("tictactoe", vs="human")
    for word in ("close", "hear", "__init__", ""):
        assert say(widget, word)["problem"] == ""
    widget._handle_custom_msg("text", [])
    assert moves(widget) == []


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"do": ["go"]},
        {"do": "go"},
        {"do": "go", "count": None},
        {"do": "go", "count": "0"},
        {"do": "go", "count": 0, "more": 1},
        {"do": "play", "move": 5},
        {"do": "sit", "seat": 0, "who": ["human"]},
        {"do": "undo", "count": 1},
    ],
    ids=str,
)
def test_a_malformed_message_changes_nothing(message: dict[str, Any]) -> None:
    widget = papan.widget("tictactoe", vs="human")
    say(widget, "play", move="b2")
    before = state(widget)
    widget._handle_custom_msg(message, [])
    assert state(widget) == before
    assert moves(widget) == ["b2"]


def test_closing_ends_the_thinking() -> None:
    widget = papan.widget("connect4", vs="mcts:iterations=1000000000", seat=2, seconds=10_000)
    widget.close()
    assert not tools(widget).get("Undo")


def test_bad_input_is_refused_in_one_sentence() -> None:
    with pytest.raises(papan.PapanError, match="seat must be 1 or 2"):
        papan.widget("tictactoe", seat=3)
    with pytest.raises(papan.PapanError, match="cannot play"):
        papan.widget("tictactoe", vs="priority")
    with pytest.raises(papan.PapanError, match="is not the record"):
        papan.stepper(5)  # type: ignore[arg-type]


def test_without_the_extra_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name == "anywidget":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "papan.notebook.widgets")
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(papan.PapanError, match=r'pip install "papan\[notebook\]"'):
        papan.widget("tictactoe")


def test_a_stepper_leads_to_every_moment_of_a_game() -> None:
    record = papan.match("random", "level:1", "tictactoe", opening=0).games[0].record
    widget = papan.stepper(record)
    last = len(record.moves.split())
    assert state(widget)["status"] == f"Move 0 of {last}."
    assert state(widget)["seats"] == ["random", "Level 1, careless"]
    assert tools(widget) == {"First": False, "Back": False, "Forward": True, "Last": True}
    assert say(widget, "go", count=2)["board"]["moves"] == record.moves.split()[:2]
    assert say(widget, "go", count=99)["board"]["moves"] == record.moves.split()
    assert state(widget)["status"].startswith("Player ")
    assert tools(widget) == {"First": True, "Back": True, "Forward": False, "Last": False}
    assert not state(widget)["live"]
    assert say(widget, "play", move="a1")["board"]["moves"] == record.moves.split()


def test_widgets_speak_indonesian_where_the_machine_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPAN_LANG", "id")
    widget = papan.widget("tictactoe", vs="human")
    assert widget.language == "id"
    assert say_in("web.undo", "id") in tools(widget)


def test_the_scripts_travel_as_they_are_and_know_only_each_other() -> None:
    text = script("widget.js")
    assert "gameStage" in text
    assert "fetch(" in text  # of a module that asks nobody here
    assert set(re.findall(r"papan:([\w/.]+js)", text)) == {
        "api.js",
        "board.js",
        "game.js",
        "game_screen.js",
        "game_view.js",
        "language.js",
        "saved_game.js",
        "settings.js",
        "ui.js",
        "vendor/preact.mjs",
    }


def test_every_text_that_the_scripts_look_up_travels_too() -> None:
    used = {"board.js", "game_screen.js", "game_view.js", "ui.js", "widget.js"}
    keys = {
        key
        for name in used
        for key in re.findall(r'say\(\s*[`"]([\w.]+)', (SCRIPTS / name).read_text("utf-8"))
    }
    assert keys
    assert all(key.startswith(SPOKEN) for key in keys)


def test_the_styles_stay_inside_the_widget() -> None:
    sheet = style()
    assert ":root" not in sheet
    assert not re.search(r"^html\b", sheet, re.M)
    assert sheet.startswith(".papan {")
    assert sheet.count("{") == sheet.count("}")
