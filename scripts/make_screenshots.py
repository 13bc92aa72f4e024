"""Take the screenshots of the web app for the README: docs/images/web-*.png."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the tests know how to find a browser and to start a server

from tests.web.browser.chromium import chromium  # noqa: E402
from tests.web.server import serving  # noqa: E402

SIZE = {"width": 1200, "height": 780}


def play(page: Page) -> None:
    """A game against the corrected priorities of a paper, with the rules that fired."""
    page.goto("/play/connect4?moves=4+4+5+3&seats=human|priority-fixed&seconds=2")
    page.click('[data-spot="5"]')
    expect(page.locator(".ply")).to_have_count(6, timeout=60_000)
    page.mouse.move(0, 0)


def solve(page: Page) -> None:
    """Every move of a Dots and Boxes position with its exact value."""
    page.goto("/solve/dots?moves=a1b1+a2b2+a3b3+b2b3+c1c2+c3c4+d1d2+a4b4&seconds=20")
    expect(page.locator("[data-proof=exact]")).to_be_visible(timeout=60_000)


SCENES = {"play": ("light", play), "solve": ("dark", solve)}


def main() -> None:
    """One file for each scene."""
    found = chromium()
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with (
        TemporaryDirectory() as data,
        serving(Path(data)) as (address, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=found.program, args=options, env={**os.environ, **found.variables}
        )
        for name, (theme, scene) in SCENES.items():
            page = browser.new_page(
                base_url=address, viewport=SIZE, color_scheme=theme, locale="en-US"
            )
            scene(page)
            page.screenshot(path=ROOT / "docs" / "images" / f"web-{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
