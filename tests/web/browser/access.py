"""What makes a page hard to use: all that axe finds, and what is too wide or too small."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

FAULTS: dict[str, Any] = {"resultTypes": ["violations"]}
"""To describe what is right as well would take axe twice as long."""
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that ask how words look: all that can differ between a page in light and in dark."""
COLOURS = FAULTS | {"runOnly": OF_COLOURS}
OTHERS = FAULTS | {"rules": {name: {"enabled": False} for name in OF_COLOURS}}
LOOKS = """() => {
  const looks = new Map();
  const numbers = new Map();
  const look = (each) => {
    if (!each) return 0;
    if (!looks.has(each)) {
      const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight } =
        getComputedStyle(each);
      const all = [look(each.parentElement), each.tagName, each.getAttribute("class"), color,
        backgroundColor, backgroundImage, opacity, fontSize, fontWeight].join();
      if (!numbers.has(all)) numbers.set(all, numbers.size + 1);
      looks.set(each, numbers.get(all));
    }
    return looks.get(each);
  };
  const spoken = (each) => each.matches("a, button, input, select, textarea")
    || [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const found = new Map();
  for (const each of document.querySelectorAll("body *"))
    if (spoken(each) && each.checkVisibility()) {
      const [first] = found.get(look(each)) ?? [each];
      found.set(look(each), [first, each]);
    }
  return [...found.values()].flat();
}"""
"""The first and the last element with words of each look, from the page down to the element."""


def complaints(page: Page) -> str:
    """What axe finds, in the light and in the dark: nothing, or its report.

    It looks at the colours of two elements of each look: to find out what is behind a word takes
    longer than all other rules together, and a table has a thousand words that look the same.
    """
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"{AXE_SCRIPT};0")  # half a megabyte
    found = [page.evaluate("(options) => axe.run(options)", OTHERS), of_colours(page)]
    page.emulate_media(color_scheme="dark")
    found.append(of_colours(page))
    reports = (AxeResults(each) for each in found)
    return "".join(each.generate_report() for each in reports if each.violations_count)


def of_colours(page: Page) -> dict[str, Any]:
    """What axe, which is in the page, says of its colours."""
    found: dict[str, Any] = page.evaluate(
        f"(options) => axe.run({{ include: ({LOOKS})() }}, options)", COLOURS
    )
    return found


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
