"""What makes a page hard to use: all that axe finds, and what is too wide or too small."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

FAULTS = {"resultTypes": ["violations"]}
"""To describe what is right as well would take axe twice as long."""
COLOURS = FAULTS | {"runOnly": ["color-contrast", "link-in-text-block"]}
"""All that can differ between a page that is light and the same page when it is dark."""


def complaints(page: Page) -> str:
    """What axe finds, in the light and in the dark: nothing, or its report."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    there = page.evaluate("'axe' in window")  # half a megabyte
    found = (Axe("0") if there else Axe()).run(page, options=FAULTS)
    page.emulate_media(color_scheme="dark")
    dark = Axe("0").run(page, options=COLOURS)
    return "".join(each.generate_report() for each in (found, dark) if each.violations_count)


def overflow(page: Page) -> int:
    """By how many pixels a page is too wide."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wide


def sizes(page: Page, selector: str) -> list[tuple[str, float, float]]:
    """The text, the width and the height of everything visible that a selector finds."""
    found: list[tuple[str, float, float]] = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)]
          .filter((each) => each.checkVisibility())
          .map((each) => [each.textContent, each.getBoundingClientRect()])
          .map(([text, box]) => [text, box.width, box.height])""",
        selector,
    )
    return found


def inside(page: Page, selector: str) -> bool:
    """Is all of it in the window as it is opened, without scrolling?"""
    seen: bool = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].every((each) => {
          const { left, top, right, bottom } = each.getBoundingClientRect();
          return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        })""",
        selector,
    )
    return seen
