"""The terminal screen, played by a robot: keyboard, mouse, agents that think, two languages."""

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest
from textual.widgets import Input, Select

from papan import catalog
from papan.lab.files import load_record
from papan.terminal.app import HomeScreen, PapanApp, PlayScreen
from papan.terminal.board import Board
from papan.terminal.game_screen import Dialog, KeyBar

from .conftest import Papan
from .robot import (
    NARROW,
    RANDOM,
    WIDE,
    Broken,
    Ponder,
    Robot,
    at_home,
    at_the_board,
    over,
    watching,
)

SIZES = [
    pytest.param(WIDE, id="80x24", marks=pytest.mark.slow),
    pytest.param(NARROW, id="40x20"),
]
"""The small one is the harder one."""
KINDS = ["tictactoe", "connect4", "dots", "adjacency:4,4,4", "onet:2,6"]


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_by_keyboard(kind: str, size: tuple[int, int]) -> None:
    async def play(robot: Robot) -> None:
        while robot.session.end in ("open", "stuck"):
            if robot.session.end == "stuck":
                await robot.press("S")
            else:
                for spot in robot.nearest_move():
                    await robot.steer(spot)
                    await robot.press("enter")
            await robot.my_turn()
        assert over(robot.status)

    session = at_the_board(play, kind, size=size)
    assert session.end in ("win", "draw", "cleared")


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_place_can_be_clicked(kind: str, size: tuple[int, int]) -> None:
    rng = random.Random(kind)

    async def play(robot: Robot) -> None:
        for _ in range(3):
            move = rng.choice(robot.session.position.moves())
            for spot in robot.spots_of(move):
                await robot.click(spot)
            assert move in [made for _, made in robot.session.plies]
            await robot.my_turn()

    at_the_board(play, kind, size=size)


@pytest.mark.thorough
def test_the_cursor_stays_in_sight_on_a_board_larger_than_the_screen() -> None:
    async def play(robot: Robot) -> None:
        for spot in ("o9", "b2"):
            await robot.steer(spot)
            assert robot.board.window_region.contains_region(robot.board.region_of(spot))
        await robot.click("c3")
        assert robot.board.picked == ("c3",)

    at_the_board(play, "onet:9,16", size=NARROW)


@pytest.mark.thorough
def test_digits_drop_stones() -> None:
    async def play(robot: Robot) -> None:
        await robot.press("4")
        await robot.my_turn()

    session = at_the_board(play, "connect4")
    assert session.record().moves.startswith("4 ")


@pytest.mark.thorough
def test_moves_can_be_typed() -> None:
    async def play(robot: Robot) -> None:
        await robot.press("slash", *"b2", "enter")
        await robot.my_turn()
        assert robot.board.has_focus
        await robot.press("slash", "minus", "1", "enter")  # follows the best move
        await robot.my_turn()

    moves = at_the_board(play).record().moves.split()
    assert moves[0] == "b2"
    assert len(moves) == 4


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("start", "typed", "language", "answer"),
    [
        ("tictactoe x../.../... o", "a1", "en", "a1 is taken already; choose an empty cell."),
        ("tictactoe x../.../... o", "a1", "id", "a1 sudah terisi; pilih petak kosong."),
        ("tictactoe", "zz", "en", "'zz' is not a move here; write one like 'a1', up to 'c3'"),
        ("adjacency", "a8", "en", "a8 is taken already"),
        ("dots:1,1 1000 1 0-0", "a1b1", "en", "The line a1b1 is drawn already"),
        ("connect4:4,4 o.../x.../o.../x... x", "1", "en", "Column 1 is full"),
        ("onet:1,4 1,2,1,2", "a1b1", "en", "match; pick two equal ones"),
    ],
)
def test_an_impossible_move_changes_nothing_and_says_why(
    start: str, typed: str, language: str, answer: str
) -> None:
    async def play(robot: Robot) -> None:
        await robot.press("slash", *typed, "enter")
        assert answer in robot.status

    session = at_the_board(play, start, None, None, language=language)
    assert not session.plies


def test_an_illegal_click_changes_nothing_and_says_why() -> None:
    async def play(robot: Robot) -> None:
        await robot.click("b2")
        assert "b2 is taken already" in robot.status

    assert not at_the_board(play, "tictactoe .../.x./... o", None, None).plies


@pytest.mark.thorough
def test_a_pair_is_picked_one_after_the_other_and_can_be_let_go() -> None:
    async def play(robot: Robot) -> None:
        await robot.click("a1")
        assert "a1 is picked" in robot.status
        await robot.click("a1")
        assert robot.board.picked == ()
        await robot.click("a1")
        await robot.click("b1")

    session = at_the_board(play, "onet:1,4 1,1,2,2")
    assert session.record().moves == "a1b1"


def test_undo_takes_back_both_plies_and_redo_makes_them_again() -> None:
    async def play(robot: Robot) -> None:
        await robot.press("enter")
        await robot.my_turn()
        moves = robot.session.record().moves
        await robot.press("u")
        assert not robot.session.plies
        assert "Taken back: 2" in robot.status
        await robot.press("r")
        assert robot.session.record().moves == moves

    at_the_board(play)


def test_undo_while_the_agent_thinks_stops_it() -> None:
    ponder = Ponder()

    async def play(robot: Robot) -> None:
        await robot.press("enter")
        assert robot.session.agent is ponder
        await robot.press("u")
        await robot.until(ponder.stopped.is_set)
        assert not robot.session.plies
        assert "Your turn, player 1." in robot.status

    at_the_board(play, "tictactoe", None, ponder)


def test_a_search_that_replaces_another_stops_it() -> None:
    first, second = Ponder(), Ponder()

    async def play(robot: Robot) -> None:
        await robot.press("enter")
        robot.screen.think(second)
        await robot.until(first.stopped.is_set)
        assert not second.stopped.is_set()
        assert robot.screen.thinker is not None
        assert robot.screen.thinker.agent is second

    at_the_board(play, "tictactoe", None, first)


@pytest.mark.thorough
def test_e2_a_hint_comes_in_three_steps_and_is_gone_with_the_move() -> None:
    async def play(robot: Robot) -> None:
        await robot.press("h")
        await robot.until(lambda: "Hint 1 of 3: " in robot.status)
        assert robot.board.hint == ()
        await robot.press("h")
        assert len(robot.board.hint) > 1
        await robot.press("h")
        assert f"Suggestion: {robot.board.hint[0]}" in robot.status
        assert len(robot.board.hint) == 1
        await robot.press("enter")
        await robot.my_turn()
        assert robot.board.hint == ()
        assert sum(robot.session.record().hints) == 1

    at_the_board(play)


def test_move_now_takes_the_best_move_so_far() -> None:
    ponder = Ponder()

    async def play(robot: Robot) -> None:
        await robot.press("enter")
        await robot.until(lambda: "Depth" in robot.shown("thinking"))
        assert "ponder is thinking" in robot.status
        assert "m move now" in robot.keys
        await robot.press("enter")
        assert "It is not your turn" in robot.status
        await robot.press("m")
        await robot.my_turn()
        assert "cancelled" in robot.shown("thinking")
        assert "m move now" not in robot.keys

    assert len(at_the_board(play, "tictactoe", None, ponder).plies) == 2


def test_quitting_stops_the_thinking() -> None:
    ponder = Ponder()

    async def play(robot: Robot) -> None:
        await robot.press("enter", "q")

    at_the_board(play, "tictactoe", None, ponder)
    assert ponder.stopped.wait(30)


@pytest.mark.parametrize(("crashes", "end"), [(True, "crash"), (False, "illegal")])
def test_an_agent_that_fails_loses_the_game(crashes: bool, end: str) -> None:
    async def play(robot: Robot) -> None:
        await robot.press("enter")
        await robot.until(lambda: robot.session.end != "open")
        assert "Player 1 (you) wins" in robot.status

    session = at_the_board(play, "tictactoe", None, Broken(crashes))
    assert (session.end, session.record().blame) == (end, 2)


@pytest.mark.thorough
def test_resigning_asks_first() -> None:
    async def play(robot: Robot) -> None:
        await robot.press("x")
        await robot.press("escape")
        assert robot.session.end == "open"
        await robot.press("x")
        await robot.press("enter")
        await robot.until(lambda: "Player 2 (random) wins by resignation" in robot.status)

    assert at_the_board(play).end == "resigned"


@pytest.mark.thorough
def test_saving_asks_for_a_name_and_overwrites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.json"

    async def play(robot: Robot) -> None:
        await robot.press("enter")
        await robot.my_turn()
        (tmp_path / "other.json").touch()
        for name, answer in (("game", "Saved"), ("other", "exists already"), ("game", "Saved")):
            await robot.press("s")
            robot.screen.query_one(Input).value = str(tmp_path / f"{name}.json")
            await robot.press("enter")
            await robot.until(lambda answer=answer: answer in robot.status)  # type: ignore[misc]

    session = at_the_board(play)
    assert load_record(path) == session.record()


def test_shuffling_is_offered_only_where_there_is_something_to_shuffle() -> None:
    async def shuffle(robot: Robot) -> None:
        before = robot.session.position
        assert "S shuffle" in robot.keys
        await robot.press("S")
        assert "Shuffled." in robot.status
        assert robot.session.position != before

    async def cannot_shuffle(robot: Robot) -> None:
        assert "shuffle" not in robot.keys
        await robot.press("S")
        assert not robot.session.plies

    at_the_board(shuffle, "onet:4,6")
    at_the_board(cannot_shuffle)


def test_a_stuck_board_offers_to_shuffle() -> None:
    async def play(robot: Robot) -> None:
        assert "S shuffles the board" in robot.status

    at_the_board(play, "onet:2,2 1,2/2,1")


def test_why_tells_the_reasons_of_the_agent() -> None:
    async def play(robot: Robot) -> None:
        assert "why" not in robot.keys
        await robot.press("enter")
        await robot.my_turn()
        assert "w why" in robot.keys
        await robot.press("w")
        assert isinstance(robot.screen, Dialog)
        await robot.press("escape")
        assert isinstance(robot.screen, PlayScreen)

    at_the_board(play)


@pytest.mark.thorough
def test_the_clock_ends_the_game() -> None:
    async def play(robot: Robot) -> None:
        await robot.until(lambda: robot.session.end != "open")
        await robot.until(lambda: "time left 0:00" in robot.shown("players"))
        await robot.until(lambda: "out of time" in robot.status)
        assert "undo" not in robot.keys

    assert at_the_board(play, "onet:4,6", clock=0.3).end == "timeout"


@pytest.mark.parametrize(
    ("language", "size"),
    [
        ("en", WIDE),
        ("id", NARROW),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in (("id", WIDE), ("en", NARROW))),
    ],
)
def test_both_languages_have_help(language: str, size: tuple[int, int]) -> None:
    words = {
        "en": ("? help", "Your turn, player 1.", "Keys"),
        "id": ("? bantuan", "Giliran Anda, pemain 1.", "Pintasan papan ketik"),
    }[language]

    async def look(robot: Robot) -> None:
        assert words[0] in robot.keys
        assert words[1] in robot.status
        await robot.press("question_mark")
        assert robot.screen.heading == words[2]
        await robot.press("escape")
        assert isinstance(robot.screen, PlayScreen)

    at_the_board(look, size=size, language=language)


def test_the_panel_can_be_opened_where_there_is_no_room_for_it() -> None:
    async def look(robot: Robot) -> None:
        assert not robot.screen.query_one("#panel").display
        await robot.press("p")
        assert robot.screen.query_one("#panel").display
        await robot.press("p", "enter")
        assert robot.session.plies

    at_the_board(look, size=NARROW)


@pytest.mark.thorough
def test_boxes_show_their_owner() -> None:
    async def play(robot: Robot) -> None:
        for line in ("a1b1", "a1a2", "b1b2", "a2b2"):
            await robot.click(line)
        assert any("\u2503" in row and "o" in row for row in robot.rows())

    at_the_board(play, "dots:1,1", None, None)


def test_pointing_shows_what_a_move_would_do_and_does_nothing() -> None:
    async def play(robot: Robot) -> None:
        assert robot.rows()[-2].split() == [*"1...x..."]
        await robot.pilot.hover(Board, offset=robot.middle_of("7"))
        await robot.until(lambda: robot.rows()[-2].split() == [*"1......x"])
        assert not robot.session.plies

    at_the_board(play, "connect4", size=NARROW)


def test_the_keys_in_the_bar_can_be_clicked() -> None:
    async def play(robot: Robot) -> None:
        await robot.pilot.click(KeyBar, offset=(0, 0))
        await robot.pilot.pause()
        assert isinstance(robot.screen, Dialog)

    at_the_board(play)


@pytest.mark.thorough
def test_watching_pauses_steps_and_goes_back() -> None:
    async def watch(robot: Robot) -> None:
        assert "Playing, moves per second: 0.25." in robot.status
        await robot.press("space")
        assert "Paused" in robot.status
        for plies in (1, 2):
            await robot.press("right")
            await robot.until(partial(robot.has_played, plies))
        moves = robot.session.record().moves
        await robot.press("left")
        assert len(robot.session.plies) == 1
        await robot.press("right")
        assert robot.session.record().moves == moves
        await robot.press("minus", "plus", "plus", "space")
        assert "Playing, moves per second: 1." in robot.status

    watching(watch)


def test_watching_goes_on_to_the_end() -> None:
    async def watch(robot: Robot) -> None:
        await robot.until(lambda: robot.session.end != "open")
        await robot.until(lambda: over(robot.status))

    assert watching(watch, speed=0).end in ("win", "draw")


def test_leaving_while_watching_stops_the_thinking() -> None:
    ponder = Ponder()

    async def watch(robot: Robot) -> None:
        await robot.press("right", "q")

    watching(watch, ponder, RANDOM)
    assert ponder.stopped.wait(30)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("place", "size"),
    [
        (0, WIDE),
        (1, NARROW),
        (len(KINDS) - 1, WIDE),
        *(pytest.param(place, WIDE, marks=pytest.mark.slow) for place in range(1, len(KINDS) - 1)),
    ],
)
def test_the_home_screen_starts_every_game(place: int, size: tuple[int, int]) -> None:
    async def choose(robot: Robot) -> None:
        await robot.press(*["down"] * place, "enter")
        await robot.until(lambda: isinstance(robot.screen, PlayScreen))
        assert robot.session.game.name == [*catalog.GAMES][place]

    context = at_home(choose, size=size)
    assert len(context.sessions) == 1


@pytest.mark.thorough
def test_the_home_screen_offers_sizes_opponents_and_seats() -> None:
    async def choose(robot: Robot) -> None:
        await robot.press("down")
        for field_name, value in (("size", "connect4:7,8"), ("opponent", "random"), ("seat", "2")):
            robot.screen.query_one(f"#{field_name}", Select).value = value
        await robot.press("p")
        await robot.until(lambda: isinstance(robot.screen, PlayScreen))
        session = robot.session
        assert session.game.spec == "connect4:7,8"
        assert session.agents[1] is None
        assert isinstance(session.agents[0], type(RANDOM))

    at_home(choose)


@pytest.mark.thorough
def test_another_game_swaps_the_seats_or_leads_home() -> None:
    async def play(robot: Robot) -> None:
        first = robot.session
        await robot.press("n")
        await robot.press("enter")
        await robot.until(lambda: isinstance(robot.screen, PlayScreen))
        assert robot.session is not first
        assert [seat is None for seat in robot.session.agents] == [False, True]
        await robot.my_turn()
        await robot.press("n")
        await robot.press("down", "enter")
        await robot.until(lambda: isinstance(robot.screen, HomeScreen))

    at_the_board(play)


def played_by_robot(monkeypatch: pytest.MonkeyPatch, *keys: str) -> None:
    """Let a robot press *keys* wherever a screen would open."""

    async def press(app: PapanApp) -> None:
        async with app.run_test(size=WIDE) as pilot:
            await pilot.pause()
            for key in keys:
                await pilot.press(key)
                await pilot.pause(0.05)

    monkeypatch.setattr("papan.cli.play.on_a_screen", lambda: True)
    monkeypatch.setattr(PapanApp, "run", lambda app: asyncio.run(press(app)))


def test_a_game_left_open_is_kept(papan: Papan, monkeypatch: pytest.MonkeyPatch) -> None:
    played_by_robot(monkeypatch, "enter", "q")
    ran = papan("play", "tictactoe", "--vs", "random")
    assert ran.code == 0
    assert "go on with: papan play --load" in ran.err


def test_ctrl_c_keeps_the_game(papan: Papan, monkeypatch: pytest.MonkeyPatch) -> None:
    played_by_robot(monkeypatch, "enter", "ctrl+c")
    ran = papan("play", "tictactoe", "--vs", "random")
    assert ran.code == 130
    assert "go on with: papan play --load" in ran.err


def test_play_without_a_game_opens_the_home_screen(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    played_by_robot(monkeypatch, "q")
    assert papan("play").code == 0


def test_watch_opens_a_screen_only_for_people(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    played_by_robot(monkeypatch, "q")
    agents = ("watch", "tictactoe", "--a", "random", "--b", "random")
    assert papan(*agents).out == ""
    assert over(papan(*agents, "--plain").out)
    assert papan(*agents, "--json").out.startswith("{")
