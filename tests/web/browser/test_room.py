"""The browser acceptance list, rooms: two people with a browser each, and whoever watches them."""

import json
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from papan.core.record import parse_record
from tests.web.browser.access import complaints, inside, overflow, sizes
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import moves, scores, spot, status, until, wait_for_moves
from tests.web.server import serving

pytestmark = pytest.mark.browser


class Friends:
    """People with a browser each, who meet in rooms."""

    def __init__(self, visitor: Visitor, stack: ExitStack) -> None:
        self.visitor, self.stack = visitor, stack

    def comes(self, path: str, **options: Any) -> Page:
        return self.stack.enter_context(self.visitor.page(path, **options))

    def makes(self, game: str = "tictactoe", minutes: str = "", **options: Any) -> Page:
        """Someone makes a room and sits on the first seat."""
        page = self.comes(f"/room?game={game}", **options)
        page.locator("form select").last.select_option("first")
        page.locator('input[type="number"]:visible').first.fill(minutes)
        page.locator("form button.primary").click()
        expect(page.locator(".room-screen")).to_be_visible()
        return page

    def meet(self, game: str = "tictactoe", minutes: str = "") -> tuple[Page, Page]:
        """Two people who sit in one room; the first of them is to move."""
        ann = self.makes(game, minutes)
        ben = self.comes(link(ann))
        tool(ben, "sit").click()
        expect(status(ann)).to_have_text("Your turn.")
        expect(status(ben)).to_have_text("The other player's turn.")
        return ann, ben


@pytest.fixture
def friends(visitor: Visitor) -> Iterator[Friends]:
    with ExitStack() as stack:
        yield Friends(visitor, stack)


def link(page: Page) -> str:
    return page.locator(".room-link").input_value()


def tool(page: Page, key: str) -> Locator:
    return page.locator(f'[data-tool="room.{key}"]')


def resign(page: Page) -> None:
    page.locator('[data-tool="web.resign"]').click()
    page.locator("dialog [data-answer=yes]").click()


def play(mover: Page, other: Page, *names: str) -> None:
    """Moves of two people in turn, each once both have seen the last one."""
    for name in names:
        until(mover, lambda: moves(mover) == moves(other))  # noqa: B023 - a page may just be loading
        count = len(moves(other)) + 1
        expect(mover.locator(".board.live")).to_be_visible()  # who has just sat down knows it
        spot(mover, name).click()
        wait_for_moves(other, count)
        wait_for_moves(mover, count)
        mover, other = other, mover


def test_w33_two_people_play_a_whole_game_over_a_link(friends: Friends) -> None:
    ann, ben = friends.meet()
    announced = "Your opponent has joined: the game begins. Your turn."
    expect(ann.locator("#live")).to_have_text(announced)
    spot(ben, "b2").click()
    expect(ben.locator(".problem")).to_have_text("It is the other player's turn.")
    play(ann, ben, "b2")
    expect(ben.locator("#live")).to_have_text("Player 1 plays b2. Your turn.")
    expect(ben.locator(".problem")).to_have_text("")
    spot(ben, "b2").click()
    expect(ben.locator(".problem")).to_contain_text("b2 is taken already")
    assert moves(ann) == ["b2"]
    play(ben, ann, "a1", "c3", "a2", "b3", "a3")
    expect(status(ben)).to_have_text("You won!")
    expect(status(ann)).to_have_text("You lost.")
    expect(ann.locator(".player.seat-1.winner")).to_be_visible()


def assert_no_script_sees_the_token(ann: Page) -> None:
    """S13: what proves a seat is a cookie that pages cannot read."""
    assert ann.evaluate("document.cookie") == ""
    stored = json.dumps(ann.evaluate("({...localStorage, ...sessionStorage})"))
    address = f"{link(ann).replace('/room/', '/api/v1/rooms/')}/live"
    [cookie] = (
        each
        for each in ann.context.cookies(address)
        if not each["name"].startswith("papan_owner")  # it opens no room
    )
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Strict"
    assert cookie["value"] not in stored


def test_w33_nobody_sits_down_by_looking_and_the_third_visitor_watches(friends: Friends) -> None:
    ann = friends.makes()
    assert_no_script_sees_the_token(ann)
    expect(status(ann)).to_contain_text("Waiting for an opponent")
    ben, eve = friends.comes(link(ann)), friends.comes(link(ann))
    expect(status(eve)).to_contain_text("A seat is free")
    tool(ben, "sit").click()
    expect(status(ann)).to_have_text("Your turn.")
    expect(status(eve)).to_have_text("Player 1 to move. You are watching.")
    expect(tool(eve, "sit")).to_have_count(0)
    expect(ann.locator(".crowd")).to_have_text("1 watching")
    spot(eve, "b2").click()
    expect(eve.locator(".problem")).to_have_text("You are watching.")
    play(ann, ben, "b2")
    wait_for_moves(eve, 1)


def test_w33_who_was_offline_finds_everything_again(friends: Friends) -> None:
    ann, ben = friends.meet()
    play(ann, ben, "b2", "a1")
    ben.context.set_offline(True)
    expect(status(ben)).to_contain_text("Connection lost")
    expect(status(ann)).to_have_text("Your turn.")
    expect(ann.locator(".player.seat-1")).to_contain_text("offline")
    ann.locator(".ply").first.click()  # earlier moves can be looked at meanwhile
    expect(status(ann)).to_contain_text("You look at move 1")
    expect(spot(ann, "a1")).to_have_attribute("aria-label", "a1, empty")
    tool(ann, "back_to_game").click()
    expect(spot(ann, "a1")).to_have_attribute("aria-label", "a1: O")
    spot(ann, "c3").click()
    expect(status(ann)).to_contain_text("the game waits")
    ben.context.set_offline(False)
    wait_for_moves(ben, 3)
    expect(status(ben)).to_have_text("Your turn.")
    expect(ann.locator(".player.seat-1")).to_contain_text("online")
    ben.goto("/")  # who leaves finds the game again from home
    ben.locator(".continue a").click()
    expect(status(ben)).to_have_text("Your turn.")
    play(ben, ann, "a3")


def test_w33_a_reload_brings_everyone_back_and_a_line_that_breaks_is_mended(
    friends: Friends,
) -> None:
    lines: list[WebSocketRoute] = []

    def wire(line: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            line.send(message)
            if line not in lines:
                lines.append(line)  # it is up

        line.connect_to_server().on_message(pass_on)

    ann, ben = friends.meet()
    play(ann, ben, "b2")
    ben.route_web_socket("**/live", wire)
    for page in (ann, ben):
        page.reload()
    expect(status(ben)).to_have_text("Your turn.")
    until(ben, lambda: len(lines) == 1)
    lines[0].close(code=1011)
    until(ben, lambda: len(lines) == 2)
    play(ben, ann, "a1", "c3")


def test_w33_a_server_that_is_killed_loses_no_game(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as stack:
        with serving(tmp_path) as (address, process):
            friends = Friends(Visitor(browser, address), stack)
            ann, ben = friends.meet()
            for page in (ann, ben):  # what is needed without a server takes it seconds
                page.route("**/api/v1/offline", lambda route: route.abort())
            play(ann, ben, "b2", "a1")
            process.send_signal(signal.SIGKILL)
            process.wait()
        expect(status(ann)).to_contain_text("Connection lost")
        with serving(tmp_path, port=int(address.rpartition(":")[2])):
            expect(status(ann)).to_have_text("Your turn.")
            expect(status(ben)).to_have_text("The other player's turn.")
            play(ann, ben, "c3", "a3")
        assert friends.visitor.troubles == []


BLAMED = """() => Object.entries(localStorage)
  .filter(([name]) => name.includes("room-"))
  .map(([, kept]) => JSON.parse(JSON.parse(kept).record).blame)"""


def test_when_both_agree_a_move_is_taken_back_and_a_rematch_swaps_the_seats(
    friends: Friends,
) -> None:
    ann, ben = friends.meet("dots")
    play(ann, ben, "b2b3")
    tool(ann, "takeback").click()
    expect(ben.locator("#live")).to_contain_text("would like to take back")
    expect(ben.locator(".question")).to_contain_text("would like to take back")
    expect(ann.locator(".question")).to_be_visible()
    tool(ben, "decline").click()
    for page in (ann, ben):
        expect(page.locator(".question")).to_be_hidden()
    expect(ann.locator(".problem")).to_contain_text("declined")  # E18: it is told
    expect(ben.locator(".problem")).to_be_empty()
    ann.keyboard.press("u")
    tool(ben, "agree").click()
    until(ann, lambda: moves(ann) == [] and moves(ben) == [])
    expect(status(ann)).to_have_text("Your turn.")
    play(ann, ben, "a1b1")
    resign(ann)
    expect(status(ben)).to_have_text("You won: your opponent resigned.")
    expect(ben.locator(".end-card h2")).to_have_text("You win!")
    expect(ann.locator(".end-card h2")).to_have_text("Opponent wins")
    expect(ann.locator(".end-card .how")).to_have_text("By resignation")
    assert ben.evaluate(BLAMED) == [1]  # among the games that are kept
    tool(ben, "again").click()
    tool(ann, "agree").click()
    expect(status(ben)).to_have_text("Your turn.")
    expect(ben.locator(".player.seat-0")).to_contain_text("You")
    assert scores(ben) == [0, 0]


def test_the_clock_runs_after_two_moves_and_ends_the_game(friends: Friends) -> None:
    ann, ben = friends.meet(minutes="0.05")
    expect(ann.locator(".clock").first).to_have_text("0:03.0")
    expect(ann.locator(".clock.running")).to_have_count(0)
    play(ann, ben, "b2", "a1")
    expect(status(ben)).to_have_text("You won on time.")
    expect(ann.locator(".clock").first).to_have_text("0:00.0")


def test_a_game_that_is_over_can_be_saved_and_analysed(friends: Friends) -> None:
    ann = friends.makes("tictactoe", "")
    ben = friends.comes(link(ann))
    ben.get_by_label("Your name").fill("Ben")
    tool(ben, "sit").click()
    expect(ann.locator(".seat-1 .called")).to_have_text("Ben ")
    play(ann, ben, "b2", "a1")
    resign(ann)
    expect(ann.locator('[data-tool="web.resign"]')).to_have_count(
        0
    )  # the end moves what stands below the board
    ann.locator("details.more > summary").click()
    with ann.expect_download() as saved:
        ann.locator('[data-tool="web.save"]').click()
    record = parse_record(saved.value.path().read_text(encoding="utf-8"))
    assert (record.moves, record.end, record.winner) == ("b2 a1", "resigned", 1)
    assert record.names == ("", "Ben")
    ann.locator('[data-tool="web.analyse"]').click()
    expect(ann).to_have_url(re.compile("/analyse/.*moves=b2"))


def test_w06_a_room_is_made_and_played_by_keyboard_alone(friends: Friends) -> None:
    ann = friends.comes("/room")
    ann.locator("form select").last.focus()
    ann.keyboard.press("ArrowDown")
    ann.locator("form button.primary").focus()
    ann.keyboard.press("Enter")
    expect(ann.locator(".room-screen")).to_be_visible()
    ben = friends.comes("/room")
    ben.locator("input[placeholder]").focus()
    ben.keyboard.type(link(ann).rpartition("/")[2].replace("-", " ").upper())
    ben.keyboard.press("Enter")
    tool(ben, "sit").focus()
    ben.keyboard.press("Enter")
    expect(status(ann)).to_have_text("Your turn.")
    spot(ann, "a1").focus()
    ann.keyboard.press("ArrowRight")
    ann.keyboard.press("Enter")
    until(ben, lambda: moves(ben) == ["b1"])


def test_home_leads_to_a_room_and_a_room_that_is_not_there_says_so(friends: Friends) -> None:
    page = friends.comes("/")
    page.locator("a.friend").click()
    expect(page.locator("h1")).to_have_text("Play a friend")
    page.goto("/room/aaaa-aaaa-aaaa-aaaa")
    expect(page.locator('main [role="alert"]')).to_contain_text("No such room")
    expect(page.locator("main a.button")).to_have_text("Play a friend")  # where another is made
    page.goto("/room?pos=tictactoe")
    page.locator("form button.primary").click()
    expect(page.locator(".room-screen")).to_be_visible()
    page.goto("/room?pos=onet")
    page.locator("form button.primary").click()
    expect(page.locator('main [role="alert"]').first).to_contain_text("A room is for two players")


def test_w04_axe_finds_nothing_in_a_room(friends: Friends) -> None:
    ann = friends.makes(minutes="5")
    ben = friends.comes(link(ann))
    for page in (ann, ben):
        assert complaints(page) == ""
    tool(ben, "sit").click()
    expect(status(ann)).to_have_text("Your turn.")
    play(ann, ben, "b2", "a1")
    tool(ann, "takeback").click()
    expect(tool(ben, "agree")).to_be_visible()
    for page in (ann, ben):
        assert complaints(page) == ""


def test_w05_a_room_fits_a_phone(friends: Friends) -> None:
    phone: dict[str, Any] = {
        "viewport": {"width": 360, "height": 640},
        "locale": "id-ID",
        "has_touch": True,
    }
    ann = friends.makes("connect4", minutes="90", **phone)
    expect(ann.locator(".qr")).to_be_visible()
    assert inside(ann, ".room-link, [data-tool='room.copy'], .qr, .short-code")
    ben = friends.comes(link(ann), **phone)
    assert inside(ben, "[data-tool='room.sit']")
    tool(ben, "sit").click()
    expect(status(ann)).to_have_text("Giliran Anda.")
    expect(ann.locator(".player.seat-1")).to_contain_text("Lawan")  # whoever has no name
    play(ann, ben, "4", "4")
    tool(ann, "takeback").click()
    expect(tool(ben, "agree")).to_be_visible()
    for page in (ann, ben):
        assert overflow(page) <= 0
        for text, width, height in sizes(page, "button:not(.spot), a:not(.skip), input, summary"):
            assert min(width, height) >= 44, text
