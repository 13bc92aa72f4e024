"""Reasons on the page: drawn while they are read, with signs that tell what they mean."""

from typing import Literal, get_args

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import wait_for_moves

pytestmark = pytest.mark.browser

KANCIL = "/play/connect4?moves=4+4+5&seats=human|level:3,seed=1"
"""It takes f1, where two threats could have been made."""


def answered(page: Page) -> None:
    wait_for_moves(page, 4)
    expect(page.locator(".because")).to_contain_text("stops you from making two threats")


BAR = "bar => [getComputedStyle(bar).borderTopStyle, getComputedStyle(bar).backgroundImage]"


def test_e3_e4_a_sentence_is_drawn_while_it_is_read_and_a_bound_is_open_and_hatched(
    visitor: Visitor,
) -> None:
    with visitor.page(KANCIL) as page:
        answered(page)
        layer = page.locator(".board .layer.reason")
        expect(page.locator(".board .layer.reason.faint .glow").first).to_be_attached()
        page.locator(".clause.drawn").first.hover()
        expect(page.locator(".board .layer.reason:not(.faint) .glow")).to_have_count(5)
        page.locator("h3").first.hover()
        expect(layer).to_have_class("layer reason faint")
        page.locator(".clause.drawn").first.focus()  # as a tap does
        expect(page.locator(".board .layer.reason:not(.faint)")).to_have_count(1)
        bound = page.locator(".bars .bound").first
        expect(bound.locator(".number")).to_contain_text("at most")
        border, image = bound.locator(".bar > span").evaluate(BAR)
        assert border == "dashed" and "repeating-linear-gradient" in image
        border, image = page.locator(".bars .best .bar > span").evaluate(BAR)
        assert border == "none" and image == "none"


Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)
SIGN = "badge => [getComputedStyle(badge, '::before').content[1], getComputedStyle(badge).color]"


def test_e5_good_even_and_bad_differ_by_shape_and_colour(visitor: Visitor) -> None:
    """After b2 and b1 x wins with some moves; after b2 and a1 the others would draw."""
    seen: dict[Theme, dict[str, tuple[str, str]]] = {theme: {} for theme in THEMES}
    with visitor.page("/solve/tictactoe?moves=b2+b1&seconds=30") as page:
        expect(page.locator(".value-list .badge.good")).not_to_have_count(0)
        for theme, signs in seen.items():
            page.emulate_media(color_scheme=theme)
            for name in ("good", "even", "bad"):
                badge = page.locator(f".value-list .badge.proved.{name}")
                if badge.count():
                    signs[name] = tuple(badge.first.evaluate(SIGN))
        assert page.locator(".board .move-value.good rect").first.get_attribute("rx") == "12"
    with visitor.page("/solve/tictactoe?moves=a1+b1+b2&seconds=30") as page:  # o loses but by c3
        lost = page.locator(".value-list .badge.proved.bad").first
        for theme, signs in seen.items():
            page.emulate_media(color_scheme=theme)
            signs["bad"] = tuple(lost.evaluate(SIGN))
        assert page.locator(".board .move-value.bad rect").first.get_attribute("rx") == "3"
    for signs in seen.values():
        assert [signs["good"][0], signs["bad"][0]] == ["▲", "▼"]
        assert len(set(signs.values())) == len(signs)


def test_e16_a_badge_tells_its_meaning_on_tap_and_help_knows_it(visitor: Visitor) -> None:
    with visitor.page(KANCIL) as page:
        answered(page)
        page.locator(".sure .meaning").click()
        dialog = page.locator("dialog[open]")
        expect(dialog).to_contain_text("A ply is one move of one player.")
        dialog.get_by_role("link").click()
        expect(page.locator("#signs-and-words")).to_be_visible()
