"""A phone in the hand: every game is played by tapping, and the board stays where the finger is."""

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import moves, spot, wait_for_moves

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


def tap(page: Page, place: Locator) -> None:
    """Touch the middle of a place on the screen, wherever that is in the drawing."""
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def phone(width: int) -> ViewportSize:
    return {"width": width, "height": 800}


@pytest.mark.parametrize("game", TAPS)
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
            assert moves(page)[-1] == place
            assert board.bounding_box() == before


def test_u01_every_tap_picks_a_tile(visitor: Visitor) -> None:
    for width in WIDTHS:
        path = f"/play/onet?pos={ONET}&seats=human"
        with visitor.page(path, viewport=phone(width), has_touch=True) as page:
            for place in ("a1", "b1"):
                tap(page, spot(page, place))
            expect(page.locator(".score")).to_contain_text("2")
