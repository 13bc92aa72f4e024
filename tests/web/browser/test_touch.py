"""A phone in the hand: all games are played by tapping, the board stays, nothing runs off."""

import re

import pytest
from playwright.sync_api import FloatRect, Locator, Page, ViewportSize, expect

from tests.web.browser.access import inside, overflow, sizes
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import (
    hesitate,
    moves,
    show,
    solved,
    spot,
    tool,
    wait_for_moves,
)

pytestmark = pytest.mark.browser

WIDTHS = (360, 390, 430)
TAPS = {
    "tictactoe": ("b2", "a1", "c3"),
    "connect4": ("4", "3", "4"),
    "dots": ("a1b1", "b2b3", "c1c2"),
    "adjacency": ("d5", "e4", "a1"),
}
"""A move for each width."""
ONET = "onet:2,3 1,1,2/3,3,2"
PAIRS = (("a1", "b1"), ("c1", "c2"), ("a2", "b2"))
HASTE = 320
"""Milliseconds after a move in which a tap does not count: it may be the second of a double one."""


def tap(page: Page, place: Locator) -> None:
    """Touch the middle of a place on the screen, wherever that is in the drawing."""
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def phone(width: int) -> ViewportSize:
    return {"width": width, "height": 800}


@pytest.mark.parametrize(
    "game",
    [
        *("connect4", "dots"),  # a column, and lines: the others have cells, as Onet has
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("tictactoe", "adjacency")),
    ],
)
def test_u01_every_tap_is_a_move_and_the_board_does_not_move(visitor: Visitor, game: str) -> None:
    path = f"/play/{game}?seats=human|human"
    with visitor.page(path, viewport=phone(WIDTHS[0]), has_touch=True) as page:
        board = page.locator(".board")
        for count, (width, place) in enumerate(zip(WIDTHS, TAPS[game]), start=1):
            page.set_viewport_size(phone(width))
            spot(page, place).scroll_into_view_if_needed()
            before = board.bounding_box()
            tap(page, spot(page, place))
            wait_for_moves(page, count)
            hesitate(page, HASTE)
            assert moves(page)[-1] == place
            assert board.bounding_box() == before


def test_u01_every_tap_picks_a_tile(visitor: Visitor) -> None:
    path = f"/play/onet?pos={ONET}&seats=human"
    with visitor.page(path, viewport=phone(WIDTHS[0]), has_touch=True) as page:
        for count, (width, pair) in enumerate(zip(WIDTHS, PAIRS, strict=True), start=1):
            page.set_viewport_size(phone(width))
            for place in pair:
                tap(page, spot(page, place))
            expect(page.locator(".score")).to_contain_text(str(2 * count))


SCREENS = ((360, 740), (390, 844), (430, 932), (768, 1024), (740, 360), (844, 390), (1366, 768))


def above_the_tools(page: Page) -> bool:
    """Is the whole board in sight?"""
    board, tools = page.locator(".board").bounding_box(), page.locator(".tools").bounding_box()
    assert board is not None
    assert tools is not None
    return board["y"] >= 0 and board["y"] + board["height"] <= tools["y"]


@pytest.mark.parametrize(
    ("width", "height", "locale"),
    [
        (390, 844, "en-US"),
        (360, 640, "id-ID"),  # the least room, the longest words
        pytest.param(360, 640, "en-US", marks=pytest.mark.slow),
        pytest.param(390, 844, "id-ID", marks=pytest.mark.slow),
    ],
)
def test_no_step_of_a_hint_lies_over_a_high_board(
    visitor: Visitor, width: int, height: int, locale: str
) -> None:
    size: ViewportSize = {"width": width, "height": height}
    with visitor.page(
        "/play/onet:10,7?seats=human", viewport=size, has_touch=True, locale=locale
    ) as page:
        board = page.locator(".board")
        before = board.bounding_box()
        assert before is not None
        for step in (1, 2, 3):
            place = tool(page, "hint") if step == 1 else page.locator("[data-tool^='hint.to_']")
            tap(page, place)
            card = page.locator(f".hint-card[data-step='{step}']")
            expect(card).to_be_visible()
            expect(card.locator("p")).not_to_have_text(re.compile("thinking|berpikir", re.I))
            box = card.bounding_box()
            assert box is not None and board.bounding_box() == before
            over = box["y"] + box["height"] <= before["y"] + 1
            assert over or box["y"] >= before["y"] + before["height"]
            for each in card.locator("h2, p, button").all():
                each.scroll_into_view_if_needed()  # the longest reasons are scrolled in the card
                assert inside_of(box, each.bounding_box()), each.inner_text()
        page.locator("[data-tool='hint.close']").click()
        expect(page.locator(".hint-card")).to_have_count(0)


def inside_of(outer: FloatRect, inner: FloatRect | None) -> bool:
    """Whether all of a rectangle is in another one, but for a pixel."""
    assert inner is not None
    right = outer["x"] + outer["width"] - inner["x"] - inner["width"]
    below = outer["y"] + outer["height"] - inner["y"] - inner["height"]
    return bool(min(inner["x"] - outer["x"], inner["y"] - outer["y"], right, below) >= -1)


def test_u05_onet_stands_upright_and_lies_down_with_the_phone(visitor: Visitor) -> None:
    with visitor.page("/play/onet", viewport=phone(390), has_touch=True) as page:
        expect(page).to_have_url(re.compile("onet%3A10%2C7"))  # higher than wide
        expect(page.locator(".level")).to_be_visible()
        assert all(min(width, height) >= 44 for _, width, height in sizes(page, ".spot"))
        assert above_the_tools(page)
        page.set_viewport_size({"width": 360, "height": 640})
        assert above_the_tools(page)
        assert all(min(width, height) >= 36 for _, width, height in sizes(page, ".spot"))
        expect(tool(page, "zoom_in")).to_be_visible()
        page.goto("/analyse/onet")
        expect(page).to_have_url(re.compile("onet%3A10%2C7"))
        page.set_viewport_size({"width": 844, "height": 390})
        show(page, "/play/onet")
        expect(page).to_have_url(re.compile("onet%3A6%2C12"))
        assert inside(page, ".board")
        assert all(min(width, height) >= 40 for _, width, height in sizes(page, ".spot"))
        tap(page, tool(page, "undo").or_(tool(page, "hint")).last)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            assert overflow(page) <= 0, (width, height)
            assert inside(page, ".tools > *") or width > 600, (width, height)


def test_u09_u13_analyse_thinks_at_once_with_its_tools_in_sight(visitor: Visitor) -> None:
    path = "/analyse/tictactoe?moves=b2+a1&seconds=30"
    with visitor.page(path, viewport=phone(360), locale="id-ID", has_touch=True) as page:
        solved(page)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            assert overflow(page) <= 0, (width, height)
            assert inside(page, ".board" if height < 400 else ".tools > *"), (width, height)
            for key in ("review", "compare", "editor", "export"):
                expect(tool(page, key)).to_be_visible()
        assert inside(page, ".board, .ply, .actions")  # at 1366 x 768 the moves are in sight
        page.set_viewport_size({"width": 1920, "height": 1080})
        assert page.locator(".game-screen").bounding_box()["width"] > 1700  # type: ignore[index]
        page.set_viewport_size({"width": 683, "height": 384})  # 1366 x 768, twice as large
        assert inside(page, ".board")
        page.set_viewport_size(phone(390))
        page.evaluate("document.documentElement.style.fontSize = '32px'")  # letters twice as large
        assert overflow(page) <= 0


def pinch(page: Page, place: Locator, apart: int) -> None:
    """Two fingers on a place, moved away from each other."""
    box = place.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for kind, reach in (("touchStart", 30), ("touchMove", apart)):
        points = [{"x": x - reach, "y": y, "id": 0}, {"x": x + reach, "y": y, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_u22_a_board_too_fine_for_a_finger_is_made_larger(visitor: Visitor) -> None:
    path = "/play/tictactoe:15,15,5?seats=human|human"
    with visitor.page(path, viewport=phone(360), has_touch=True) as page:
        board, frame = page.locator(".board"), page.locator(".zoom")
        expect(page.locator(".board.live")).to_be_visible()
        screens = ((360, 740), (932, 430))  # the narrowest, and the widest
        for count, (screen, place) in enumerate(zip(screens, ("h8", "o15")), start=1):
            page.set_viewport_size({"width": screen[0], "height": screen[1]})
            expect(tool(page, "zoom_out")).to_be_disabled()  # the whole board, for a new window
            before = frame.bounding_box()
            tap(page, tool(page, "zoom_in"))
            expect(tool(page, "zoom_out")).to_be_enabled()
            assert frame.bounding_box() == before  # nothing around it moves
            assert all(min(width, height) >= 44 for _, width, height in sizes(page, ".spot"))
            tap(page, spot(page, place))
            wait_for_moves(page, count)
            hesitate(page, HASTE)
            assert moves(page)[-1] == place
            assert overflow(page) <= 0
        tap(page, tool(page, "zoom_out"))
        expect(tool(page, "zoom_out")).to_be_disabled()
        small = board.bounding_box()
        pinch(page, frame, 60)
        large = board.bounding_box()
        assert small is not None
        assert large is not None
        assert 1.9 < large["width"] / small["width"] < 2.1
        page.set_viewport_size(phone(360))
        show(page, "/play/adjacency?seats=human|human")
        expect(page.locator(".board.live")).to_be_visible()
        tap(page, tool(page, "zoom_in"))
        expect(tool(page, "zoom_out")).to_be_enabled()
        assert all(min(width, height) >= 44 for _, width, height in sizes(page, ".spot"))
        tap(page, spot(page, "d4"))
        wait_for_moves(page, 1)
        assert moves(page) == ["d4"]
        assert overflow(page) <= 0
