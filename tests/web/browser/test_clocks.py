"""Clocks: chosen at home, kept by the page, in every link; agents play against them as well."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.access import inside
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import (
    more,
    moves,
    pick,
    spot,
    status,
    tool,
    until,
    until_quiet,
    wait_for_moves,
)

pytestmark = pytest.mark.browser

TWO_PEOPLE = "/play/tictactoe?seats=human|human&clock=1%2B2"


def clock(page: Page, seat: int) -> str:
    return page.locator(".player .clock").nth(seat).inner_text()


def test_no_clock_runs_unless_it_was_chosen(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?seats=human|human") as page:
        expect(page.locator(".clock").first).to_be_hidden()
        assert "clock" not in page.url


def test_minutes_and_increment_are_chosen_at_home_and_remembered(visitor: Visitor) -> None:
    with visitor.page("/") as page:
        page.click('.card[data-game="tictactoe"] button:has-text("Options")')
        page.get_by_label("Clock for each player").select_option("3")
        page.get_by_label("Seconds added for each move").fill("5")
        page.set_viewport_size({"width": 360, "height": 500})
        assert inside(page, "dialog button[type=submit]")  # however long the dialog is
        page.locator("dialog button[type=submit]").click()
        expect(page.locator(".player .clock").first).to_have_text("3:00")
        expect(page).to_have_url(re.compile(r"clock=3%2B5"))
        page.goto("/")
        page.click('.card[data-game="tictactoe"] button:has-text("Options")')
        expect(page.get_by_label("Clock for each player")).to_have_value("3")


def test_time_runs_for_who_is_to_move_and_rests_in_a_pause(visitor: Visitor) -> None:
    with visitor.stopped_page(TWO_PEOPLE) as page:
        page.clock.run_for(5_000)
        assert clock(page, 0) == "1:00"  # the first move takes no time
        pick(page, "b2")
        assert clock(page, 0) == "1:02"  # and adds the increment
        page.clock.run_for(20_000)
        assert (clock(page, 0), clock(page, 1)) == ("1:02", "0:40")
        pick(page, "a1")
        assert clock(page, 1) == "0:42"
        tool(page, "undo").click()  # gives the time back
        until(page, lambda: moves(page) == ["b2"])
        assert (clock(page, 0), clock(page, 1)) == ("1:02", "1:00")
        tool(page, "pause").click()
        page.clock.run_for(30_000)
        assert clock(page, 1) == "1:00"
        expect(page.locator(".board.veiled")).to_have_count(1)
        tool(page, "pause").click()
        page.clock.run_for(3_000)
        assert clock(page, 1) == "0:57"


def test_a_game_goes_on_with_the_time_that_was_left_until_it_runs_out(visitor: Visitor) -> None:
    with visitor.stopped_page(TWO_PEOPLE) as page:
        pick(page, "b2")
        page.clock.run_for(15_000)
        page.locator(".brand").click()
        page.locator(".continue a").click()
        page.wait_for_selector(".player")
        assert (clock(page, 0), clock(page, 1)) == ("1:02", "0:45")
        page.clock.run_for(46_000)
        expect(status(page)).to_contain_text("Player 1 wins on time")
        button = more(page, "save")
        with page.expect_download() as saved:
            button.click()
        record = json.loads(saved.value.path().read_text(encoding="utf-8"))
        assert (record["end"], record["blame"]) == ("timeout", 2)
        address = page.url
    with visitor.page(address) as other:
        expect(status(other)).to_contain_text("Player 1 wins on time")


def test_an_agent_thinks_on_its_own_time_and_no_longer_than_that(visitor: Visitor) -> None:
    path = "/play/connect4:7,10?seats=human|alphabeta&seconds=60&clock=20%2B0"
    with visitor.stopped_page(path) as page:
        with page.expect_request("**/api/v1/turn") as asked:
            spot(page, "5").click()
        thought = asked.value.post_data_json
        assert thought and 0 < thought["seconds"] < 50
        expect(status(page)).to_contain_text("is thinking")
        page.clock.run_for(1_000)  # it can be stopped when it takes long
        expect(tool(page, "stop")).to_be_visible()
        page.clock.fast_forward(1_201_000)
        expect(status(page)).to_have_text("You win on time.")
        until_quiet(page)


def test_two_agents_play_against_the_clock(visitor: Visitor) -> None:
    with visitor.page("/watch/tictactoe?seats=random|random&clock=1%2B3") as page:
        tool(page, "step").click()
        wait_for_moves(page, 1)
        assert clock(page, 0) in ("1:03", "1:02")
