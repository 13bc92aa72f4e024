"""Watching: records and games again from their first move; and what any table has besides."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import (
    more,
    moves,
    pick,
    spot,
    status,
    tool,
    until,
    wait_for_moves,
)

pytestmark = pytest.mark.browser

WON = {
    "game": "tictactoe:3,3,3",
    "start": "tictactoe:3,3,3 .../.../... x",
    "agents": ["human", "level:2"],
    "moves": "b2 a1 c3",
    "scores": [0, 0],
    "end": "timeout",
    "blame": 2,
    "reason": "",
}


def open_record(page: Page, folder: Path, record: dict[str, object]) -> None:
    file = folder / "game.json"
    file.write_text(json.dumps(record))
    button = more(page, "load")
    with page.expect_file_chooser() as chooser:
        button.click()
    chooser.value.set_files(file)


def test_w30_a_saved_game_is_replayed_to_its_end(visitor: Visitor, tmp_path: Path) -> None:
    with visitor.page("/play/dots:1,1?seats=human|human") as page:
        open_record(page, tmp_path, WON)
        page.wait_for_url("**/watch/**")
        expect(status(page)).to_contain_text("Paused")
        assert moves(page) == []
        tool(page, "step").click()
        until(page, lambda: moves(page) == ["b2"])
        address = page.url
        page.locator(".speed select").select_option("8")
        tool(page, "start").click()
        expect(status(page)).to_contain_text("Player 1 (A person) wins on time")
        assert moves(page) == ["b2", "a1", "c3"]
        tool(page, "undo").click()
        until(page, lambda: moves(page) == ["b2", "a1"])
    with visitor.page(address) as other:  # a link to the middle of a replay
        assert moves(other) == ["b2"]
        expect(other.locator(".ply")).to_have_count(3)


def test_w30_the_middle_of_a_replay_can_be_played_on(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?moves=b2+a1+c3+a3&seats=human|human") as page:
        more(page, "replay").click()
        page.wait_for_url("**/watch/**")
        spot(page, "a1").click()
        expect(page.locator(".problem")).to_contain_text("You are watching")
        tool(page, "step").click()
        until(page, lambda: moves(page) == ["b2"])
        tool(page, "play_from_here").click()
        expect(status(page)).to_contain_text("Your turn, player 2")
        assert moves(page) == ["b2"]


def test_seats_are_swapped_in_the_middle_of_a_game(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?moves=b2+a1&seats=human|random") as page:
        more(page, "swap").click()
        wait_for_moves(page, 3)
        expect(page.locator(".player.seat-1")).to_contain_text("You")


def test_digits_drop_discs_from_anywhere_on_a_wide_board_too(visitor: Visitor) -> None:
    with visitor.page("/play/connect4:7,10?seats=human|human") as page:
        expect(page.locator(".spot")).to_have_count(10)
        # E18: its columns are named in words.
        expect(spot(page, "10")).to_have_attribute("aria-label", re.compile(r"^10\W+empty$", re.I))
        for count, digit in enumerate("003", start=1):
            page.keyboard.press(digit)
            wait_for_moves(page, count)
        expect(spot(page, "10")).to_have_attribute("aria-label", re.compile(r"X O$"))
        held: list[Route] = []
        page.route("**/v1/board", lambda route: held.append(route))
        spot(page, "1").focus()
        looked_at = page.locator(".layer.preview").bounding_box()
        assert looked_at is not None
        page.keyboard.press("5")  # seen before the server has answered
        aside = looked_at["x"] + looked_at["width"]
        until(
            page, lambda: (page.locator(".layer.preview").bounding_box() or looked_at)["x"] > aside
        )
        until(page, lambda: held)
        held[0].continue_()
        wait_for_moves(page, 4)
        assert moves(page) == ["10", "10", "3", "5"]


def test_w19_scores_to_come_are_shown_before_a_move(visitor: Visitor) -> None:
    with visitor.page("/play/adjacency?moves=c7+f2+c6+f3+d5&seats=human|human") as page:
        spot(page, "e5").hover()
        expect(page.locator(".gain")).to_have_text(["\u22121", "+2"])
        expect(page.locator(".counter")).to_contain_text("26 rounds to go")
        pick(page, "e5")
        expect(page.locator(".score")).to_have_text(["6", "8"], use_inner_text=True)


def test_no_card_stands_alone_in_a_row(visitor: Visitor) -> None:
    with visitor.page("/") as page:
        expect(page.locator(".cards .card")).to_have_count(5)
        for width, rows in ((1200, [5]), (1100, [5]), (768, [3, 2])):
            page.set_viewport_size({"width": width, "height": 900})
            cards = page.locator(".cards .card")
            tops = cards.evaluate_all("all => all.map(each => each.offsetTop)")
            assert [tops.count(top) for top in sorted(set(tops))] == rows, width


def test_the_clocks_of_a_phone_fit_beside_each_other(visitor: Visitor) -> None:
    small = {"width": 360, "height": 640}
    path = "/play/connect4:7,10?moves=4&seats=level:5|human&clock=60%2B9"
    with visitor.page(path, viewport=small, locale="id-ID") as page:
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        boxes = [each.bounding_box() for each in page.locator(".player .clock").all()]
        assert all(box and box["x"] + box["width"] <= 360 for box in boxes)


def test_a_phone_gets_a_puzzle_that_is_higher_than_wide(visitor: Visitor) -> None:
    with visitor.page("/", viewport={"width": 360, "height": 640}) as page:
        page.click('.card[data-game="onet"] .primary')
        expect(page.locator(".notation")).to_contain_text("onet:10,7")


def test_e14_any_game_size_and_two_agents_are_chosen_and_both_thoughts_stand_side_by_side(
    visitor: Visitor,
) -> None:
    with visitor.page("/watch", viewport={"width": 1366, "height": 768}) as page:
        tool(page, "watch_choose").click()
        dialog = page.locator("dialog")
        dialog.get_by_label("Game", exact=True).select_option("tictactoe")
        dialog.get_by_label("Size").select_option("tictactoe:4,4,4")
        dialog.get_by_label("Player 1").select_option("alphabeta")
        dialog.get_by_label("Player 2").select_option("level:2")
        dialog.get_by_role("button", name="Watch").click()
        page.wait_for_url("**/watch/tictactoe*4%2C4%2C4*")
        expect(page.locator(".thought")).to_have_count(2)
        for count in (1, 2):
            tool(page, "step").click()
            wait_for_moves(page, count)
        left, right = (each.bounding_box() for each in page.locator(".thought").all())
        assert left and right and left["x"] + left["width"] <= right["x"]
        expect(page.locator(".thought .because")).to_have_count(2)
        expect(page.locator(".thought .tree-box[open] .tree").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_e14_on_a_phone_the_thoughts_stand_one_below_the_other(visitor: Visitor) -> None:
    path = "/watch/tictactoe?seats=alphabeta|level:1,seed=2"
    with visitor.page(path, viewport={"width": 390, "height": 844}) as page:
        for count in (1, 2):
            tool(page, "step").click()
            wait_for_moves(page, count)
        upper, lower = (each.bounding_box() for each in page.locator(".thought").all())
        assert upper and lower and upper["y"] + upper["height"] <= lower["y"]
        expect(more(page, "watch_choose")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_e14_a_watched_game_pauses_at_a_slip_and_a_reason_has_time_to_be_read(
    visitor: Visitor,
) -> None:
    # The first player has two in a row twice: level 1 overlooks something for most seeds.
    path = "/watch/tictactoe?moves=b2+a2+a1&seats=level:1,seed=4|level:1,seed=4"
    with visitor.page(path, viewport={"width": 1366, "height": 768}) as page:
        expect(page.locator(".speed select")).to_have_value("0")
        tool(page, "watch_turning").click()
        page.locator(".speed select").select_option("8")
        tool(page, "start").click()
        expect(status(page)).to_contain_text("Turning point: ")
        expect(page.locator(".clause.slip").first).to_contain_text("A slip: ")
        before = len(moves(page))
        expect(tool(page, "start")).to_be_visible()  # it waits until somebody goes on
        assert len(moves(page)) == before


def test_e18_the_opponent_is_changed_inside_a_game(visitor: Visitor) -> None:
    with visitor.page("/play/connect4?moves=4+4&seats=human|level:1,seed=3") as page:
        expect(page.locator(".player.seat-1")).to_contain_text("Kukang")
        more(page, "change_opponent").click()
        page.locator("dialog").get_by_label("Player 2").select_option("level:4")
        page.locator("dialog").get_by_role("button", name="Go on").click()
        expect(page.locator(".player.seat-1")).to_contain_text("Garuda")
        assert moves(page) == ["4", "4"] and "level%3A4" in page.url
        spot(page, "4").click()
        wait_for_moves(page, 4)
        expect(page.locator(".why h3")).to_contain_text("Garuda")
