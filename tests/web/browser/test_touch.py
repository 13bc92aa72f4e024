"""A phone in the hand: every game is played by tapping, and the board stays where the finger is."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import moves, spot, until

pytestmark = pytest.mark.browser

TAPS = {
    "tictactoe": ["b2", "a1"],
    "connect4": ["4", "3"],
    "dots": ["a1b1", "b2b3"],
    "adjacency": ["d5", "e4"],
}
ONET = "onet:2,3 1,1,2/3,3,2"


def tap(page: Page, place: Locator) -> None:
    """Touch the middle of a place on the screen, wherever that is in the drawing."""
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("width", [360, 390, 430])
def test_u01_every_tap_is_a_move_and_the_board_does_not_move(visitor: Visitor, width: int) -> None:
    phone = {"viewport": {"width": width, "height": 800}, "has_touch": True}
    for game, places in TAPS.items():
        with visitor.page(f"/play/{game}?seats=human|human", **phone) as page:
            board = page.locator(".board")
            for count, place in enumerate(places, start=1):
                before = board.bounding_box()
                tap(page, spot(page, place))
                until(page, lambda count=count: len(moves(page)) == count)  # type: ignore[misc]
                assert moves(page)[-1] == place
                assert board.bounding_box() == before
    with visitor.page(f"/play/onet?pos={ONET}&seats=human", **phone) as page:
        for place in ("a1", "b1"):
            tap(page, spot(page, place))
        expect(page.locator(".score")).to_contain_text("2")
