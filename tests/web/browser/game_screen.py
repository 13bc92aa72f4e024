"""What people do at a board, and what they see there."""

import re
from collections.abc import Callable
from itertools import chain, repeat

from playwright.sync_api import Locator, Page, expect

from tests import waiting


def show(page: Page, path: str) -> None:
    """Open a screen with its letters: what stands below them moves when they come."""
    page.goto(path)
    page.wait_for_selector("main > *")
    page.evaluate("document.fonts.ready.then(() => 0)")


def spot(page: Page, name: str) -> Locator:
    return page.locator(f'[data-spot="{name}"]')


def pick(page: Page, *names: str) -> None:
    """Click spots, one after the other, each once the last one has been played."""
    for name in names:
        count = len(moves(page)) + 1
        spot(page, name).click()
        wait_for_moves(page, count)


def moves(page: Page) -> list[str]:
    """The moves in the list up to the current one, without their numbers."""
    texts: list[str] = page.evaluate(
        """() => {
          const plies = [...document.querySelectorAll('.ply')];
          const at = plies.findIndex((each) => each.hasAttribute('aria-current'));
          return plies.slice(0, at + 1).map((each) => each.textContent);
        }"""
    )
    return [re.sub(r"^\d+\.\s*|\s*\?$", "", text) for text in texts]


def tool(page: Page, key: str) -> Locator:
    """A button of the tool bar, by the key of its text."""
    return page.locator(f'[data-tool="web.{key}"]')


def more(page: Page, key: str) -> Locator:
    """A button behind "More"."""
    if not page.locator("details.more").evaluate("each => each.open"):
        page.locator("details.more > summary").click()
    return tool(page, key)


def status(page: Page) -> Locator:
    return page.locator(".status")


def scores(page: Page) -> list[float]:
    return [float(each.get_attribute("data-score") or 0) for each in page.locator(".score").all()]


def wait_for_moves(page: Page, count: int) -> None:
    """Until so many moves are made."""
    expect(page.locator(".ply")).to_have_count(count)


def solved(page: Page) -> None:
    """Until the search of this position has its last word."""
    expect(page.locator(".verdict strong")).to_be_visible()


def searches(page: Page) -> int:
    """How many searches the server is busy with."""
    answer = "fetch('/api/v1/health').then((each) => each.json())"
    found: int = page.evaluate(f"{answer}.then((each) => each.searches)")
    return found


def until_quiet(page: Page) -> None:
    """Until no search runs any more."""
    until(page, lambda: searches(page) == 0)


def until(page: Page, condition: Callable[[], object]) -> None:
    """Wait for something; the page itself may not, because its policy forbids to run text."""
    pauses = chain((10, 20, 50), repeat(100))  # to look costs a page more than to wait
    # Only this pause lets Playwright hear meanwhile what the page does.
    waiting.until(condition, lambda _: page.wait_for_timeout(next(pauses)))


def hesitate(page: Page, milliseconds: int) -> None:
    """Let a person wait before the next tap: a part of the story, not a wait for something."""
    page.wait_for_timeout(milliseconds)


def pass_time_until(page: Page, selector: str) -> None:
    """Let a little time pass on a stopped page, at most 200 ms, until something is there."""
    for _ in range(200):
        page.clock.run_for(1)
        page.wait_for_timeout(20)  # of the machine: the server answers meanwhile
        if page.locator(selector).count():
            return
    raise AssertionError(f"no {selector} in time")
