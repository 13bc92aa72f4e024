"""Onet as people know it: picking, links, reasons, levels, shuffles, solutions, own boards."""

import re

import pytest
from playwright.sync_api import Page, expect

import papan
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import more, moves, show, spot, status, tool, wait_for_moves

pytestmark = pytest.mark.browser

BOARD = "/play/onet?pos=onet:3,4 1,2,3,1/3,1,2,2/1,3,3,2&seats=human"


def take(page: Page, first: str, second: str) -> None:
    """Pick two tiles that go."""
    count = len(moves(page)) + 1
    spot(page, first).click()
    spot(page, second).click()
    wait_for_moves(page, count)


def test_u04_a_tile_has_a_name_and_points_out_others_like_it_only_for_who_wants_it(
    visitor: Visitor,
) -> None:
    with visitor.page(BOARD) as page:
        expect(spot(page, "a1")).to_have_attribute("aria-label", "a1: cherries (1)")
        spot(page, "a1").click()
        expect(page.locator(".piece.picked")).to_have_attribute("data-at", "a1")
        expect(page.locator(".spot.alike")).to_have_count(0)
        page.locator("#alike").check()
        alike = page.locator(".spot.alike").evaluate_all(
            "all => all.map(each => each.dataset.spot)"
        )
        assert sorted(alike) == ["a3", "b2", "d1"]
        spot(page, "a1").press("Escape")
        expect(page.locator(".spot.alike")).to_have_count(0)
        spot(page, "a1").click()
        spot(page, "c2").click()
        expect(page.locator(".problem")).to_contain_text("don't match")
        spot(page, "d2").click()  # the second of a wrong pair begins the next
        wait_for_moves(page, 1)
        assert moves(page) == ["c2d2"]


def test_w08_a_wrong_pair_says_why(visitor: Visitor) -> None:
    with visitor.page(BOARD) as page:
        for board, first, second, reason in (
            ("onet:2,3 1,2,1/2,3,3", "a1", "b1", "These tiles don't match"),
            ("onet:3,4 1,2,3,9/4,1,5,9/6,7,8,0", "a1", "b2", "Other tiles block every way"),
            ("onet:3,6 6,1,2,3,4,4/2,3,4,5,6,7/3,1,6,7,8,9", "b1", "b3", "more than two turns"),
        ):
            show(page, f"/play/onet?pos={board}&seats=human")
            spot(page, first).click()
            spot(page, second).click()
            expect(page.locator(".problem")).to_contain_text(reason)
            assert moves(page) == []


def test_w20_the_link_with_its_corners_is_seen_for_a_moment(visitor: Visitor) -> None:
    with visitor.stopped_page(BOARD) as page:
        take(page, "a1", "d1")
        link = page.locator(".board .last-link")
        expect(link).to_have_css("visibility", "visible")
        expect(link.locator(".corner")).to_have_count(2)
        page.clock.run_for(450)
        expect(link).to_have_css("visibility", "hidden")


def test_e1_a_hint_for_one_player_names_nobody_else_and_a_pause_hides_the_tiles(
    visitor: Visitor,
) -> None:
    with visitor.page(BOARD) as page:
        for _ in range(3):
            tool(page, "hint").click()
        expect(page.locator(".layer.hint .path")).to_have_count(1)
        expect(page.locator(".hint-card h2")).to_contain_text("Suggestion: ")
        expect(page.locator("main")).not_to_contain_text("Komodo")
        take(page, "c2", "d2")
        expect(page.locator(".layer.hint")).to_have_count(0)
        tool(page, "pause").click()
        expect(page.locator(".board .motif").first).to_have_css("visibility", "hidden")
        expect(status(page)).to_contain_text("Paused")
        tool(page, "pause").click()
        expect(page.locator(".board .motif").first).to_have_css("visibility", "visible")


def test_w21_a_board_that_can_be_cleared_is_proved_and_shown_another_is_refuted(
    visitor: Visitor,
) -> None:
    with visitor.page("/play/onet?pos=onet:2,3 1,2,1/2,3,3&seats=human") as page:
        tool(page, "solvable").click()
        expect(page.locator("[data-verdict=true]")).to_contain_text("Proved")
        tool(page, "show_solution").click()
        expect(status(page)).to_contain_text("Paused")
        tool(page, "step").click()
        expect(page.locator(".ply[aria-current]")).to_contain_text("1.")
        page.locator(".speed select").select_option("8")
        tool(page, "start").click()
        expect(status(page)).to_contain_text("board cleared")
        page.go_back()
        expect(status(page)).to_contain_text("Choose a move")
        assert moves(page) == []
        show(page, "/play/onet?pos=onet:2,3 1,1,2/3,3,1&seats=human")
        tool(page, "solvable").click()
        expect(page.locator("[data-verdict=false]")).to_contain_text("Proved unsolvable")
        expect(tool(page, "show_solution")).to_have_count(0)


def test_w21_what_the_solver_does_not_find_out_is_not_known(visitor: Visitor) -> None:
    with visitor.page(BOARD) as page:
        event = '{"t": "analysis", "facts": {"solvable": null}, "line": [], "bounds": [0, 12]}\n'
        page.route("**/api/v1/think", lambda route: route.fulfill(body=event))
        tool(page, "solvable").click()
        expect(page.locator("[data-verdict=null]")).to_have_text("Not known after 10 s.")
        event = '{"t": "analysis", "facts": {"solvable": false}, "line": [], "bounds": [2, 8]}\n'
        show(page, BOARD)  # Y7: the tiles that no play takes remain
        tool(page, "solvable").click()
        expect(page.locator("[data-verdict=false]")).to_contain_text("at least 4 tiles will remain")


def test_w21_shuffling_keeps_the_clock_and_the_level(visitor: Visitor) -> None:
    with visitor.page("/play/onet:4,4,gravity=left?seats=human&clock=5%2B0") as page:
        expect(page.locator(".level")).to_contain_text("Level 4 (gravity: left)")
        tool(page, "shuffle").click()
        page.wait_for_url("**pos=**")
        expect(page.locator(".level")).to_contain_text("Level 4 (gravity: left)")
        expect(page.locator(".player .clock")).to_have_text(re.compile("[45]:"))


def test_a_cleared_level_offers_the_next(visitor: Visitor) -> None:
    with visitor.page("/play/onet?pos=onet:1,4,kinds=2,seed=3&seats=human") as page:
        position = papan.position("onet:1,4,kinds=2,seed=3")
        while position.moves():
            name = position.game.move_name(position.moves()[0])
            take(page, name[:2], name[2:])
            position = position.after(name)
        expect(status(page)).to_contain_text("board cleared")
        tool(page, "next_level").click()
        expect(page.locator(".level")).to_contain_text("Level 2 (gravity: down)")
        expect(page.locator(".notation")).to_contain_text("onet:1,4,kinds=2")


def test_a_level_is_chosen_at_home(visitor: Visitor) -> None:
    with visitor.page("/") as page:
        page.click('.card[data-game="onet"] button:has-text("Options")')
        page.get_by_label("Level", exact=True).select_option("equator")
        page.locator("dialog button[type=submit]").click()
        expect(page.locator(".level")).to_contain_text("Level 9 (gravity: to the middle row)")
        page.goto("/")
        page.click('.card[data-game="onet"] button:has-text("Options")')
        expect(page.get_by_label("Level", exact=True)).to_have_value("equator")  # as the last time


def test_a_board_of_one_s_own_is_typed_and_mistakes_are_told(visitor: Visitor) -> None:
    with visitor.page(BOARD) as page:
        more(page, "paste_board").click()
        expect(page.locator("#paste-help")).to_contain_text("such as onet:3,4 1,2,3,1/4,3,2,4")
        page.fill("dialog textarea", "1 2\n2 x")
        page.locator("dialog .primary").click()
        expect(page.locator("dialog [role=alert]")).to_contain_text("is not a board of this size")
        page.fill("dialog textarea", "3 3\n1 2 .\n2 1 3\n3 . .")  # Q11: M N first
        page.locator("dialog .primary").click()
        expect(page.locator(".notation")).to_have_text("onet:3,3 1,2,0/2,1,3/3,0,0")


def test_an_agent_clears_a_board_while_people_watch(visitor: Visitor) -> None:
    with visitor.page("/watch/onet?pos=onet:2,3 1,2,1/2,3,3&seats=random") as page:
        page.locator(".speed select").select_option("8")
        tool(page, "start").click()
        expect(page.locator(".ply").first).to_be_visible()


def test_u05_a_cleared_board_has_its_time_its_record_and_stars(visitor: Visitor) -> None:
    with visitor.page("/play/onet?pos=onet:1,4 1,1,2,2&seats=human") as page:
        take(page, "a1", "b1")
        take(page, "c1", "d1")
        expect(page.locator(".end-card h2")).to_have_text("Board cleared!")
        expect(page.get_by_label("3 of 3 stars")).to_be_visible()
        expect(page.locator(".end-card .stats .gold")).to_contain_text("new best time")
        page.goto("/games")
        expect(page.locator("main")).to_contain_text("Best times")
