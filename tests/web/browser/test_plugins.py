"""The browser acceptance list: games and agents of other packages are in every menu, and play."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from papan.core.message import catalogue
from tests.plugin_package import install
from tests.web.browser.conftest import Visitor
from tests.web.browser.contexts import Contexts
from tests.web.browser.game_screen import moves, wait_for_moves
from tests.web.server import Address, serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def plugged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A server that has the plug-ins."""
    folder = tmp_path_factory.mktemp("plugged")
    path = os.pathsep.join(filter(None, (str(install(folder)), os.environ.get("PYTHONPATH"))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", path)
        with serving(folder / "data") as (address, _):
            yield address


@pytest.fixture(scope="module")
def kept(browser: Browser, plugged: Address) -> Contexts:
    return Contexts(browser, plugged)


@pytest.fixture
def guest(browser: Browser, plugged: Address, kept: Contexts) -> Iterator[Visitor]:
    someone = Visitor(browser, plugged, kept)
    yield someone
    assert someone.troubles == []


def test_w38_a_game_and_a_bot_of_a_plugin_are_in_the_menus_and_play(guest: Visitor) -> None:
    with guest.page("/", viewport={"width": 360, "height": 640}) as page:
        expect(page.locator(".cards .card")).to_have_count(6)
        card = page.locator('.card[data-game="nim"]')
        expect(card.locator("h2")).to_have_text("Nim")
        expect(card).to_contain_text("Nim, after Bouton.")
        expect(card.locator("svg")).to_contain_text("nim:7")
        card.get_by_role("button", name="Options").click()
        seats = page.locator("dialog .agent select")
        seats.nth(1).select_option("greedy")
        expect(page.locator("dialog .agent").nth(1)).to_contain_text("Takes as much as it can.")
        page.locator('dialog button[type="submit"]').click()
        page.locator('.move-names [data-move="2"]').click()
        wait_for_moves(page, 2)
        assert moves(page) == ["2", "3"]
        names = page.locator(".move-names button")
        expect(names).to_have_text(["1", "2"])
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        names.nth(1).click()
        expect(page.locator(".status")).to_have_text("You win!")


def test_w38_a_game_of_a_plugin_can_be_analysed_and_solved(guest: Visitor) -> None:
    with guest.page("/solve/nim") as page:
        expect(page.locator("button.line").first).to_be_visible()
        page.locator('.move-names [data-move="3"]').click()
        wait_for_moves(page, 1)
        assert moves(page) == ["3"]


def test_w38_they_are_in_the_arena_and_hold_a_tournament(guest: Visitor) -> None:
    with guest.page("/arena") as page:
        page.get_by_label("Game", exact=True).select_option("nim")
        agents = page.locator(".agents select")
        expect(agents.first.get_by_text("Greedy", exact=True)).to_be_attached()
        agents.first.select_option("greedy")
        page.get_by_text("Takes as much as it can.").wait_for()
        agents.nth(1).select_option("random")
        while page.locator(".agents li").count() > 2:
            page.locator(".agents li").last.get_by_role("button").click()
        page.get_by_label(catalogue("en")["arena.pairs"]).fill("2")
        page.get_by_role("button", name="Start").click()
        expect(page.locator("main")).to_contain_text(catalogue("en")["arena.state_done"])
        expect(page.locator("main")).to_contain_text("greedy")
