"""Measure what a page costs: the delay of one's own move, layout shifts, and bytes of scripts.

python -m benchmarks.pages [--width 390] [--moves 20]

In a real Chromium against a server of this machine, with the usual animations: the
milliseconds from a click to the first picture with its move in it, the layout shift of whole games
(shifts right after an input among them, which browsers forgive), and all scripts and styles as
gzip sends them.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the tests know how to find a browser and to start a server

from tests.web.browser.chromium import browsing  # noqa: E402

STATIC = ROOT / "src" / "papan" / "web" / "static"
MOVES = {
    "tictactoe": ("b2", "a1", "c3", "a3", "a2", "c2", "b1", "b3", "c1"),
    "connect4": ("4", "4", "3", "5", "2", "1", "3", "3", "5"),
    "dots": ("a1b1", "b1c1", "a2b2", "b2c2", "c3d3", "a3b3", "b3c3", "d1d2", "c1d1"),
    "adjacency": ("d4", "e5", "c3", "f6", "d5", "e4", "c5", "f4", "b3"),
}
LISTEN = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.shifted += each.value;
  }).observe({ type: "layout-shift", buffered: false });
  window.drawn = [];
  addEventListener("click", () => {
    const began = performance.now();
    const plies = () => document.querySelectorAll(".ply").length;
    const count = plies();
    const look = () => requestAnimationFrame(() => {
      if (plies() > count) window.drawn.push(performance.now() - began);
      else look();
    });
    look();
  }, true);
}"""


def measured(page: Page, game: str, most: int) -> tuple[list[float], float]:
    """Return the milliseconds of every move of a game of two people, and the layout shift."""
    page.goto(f"/play/{game}?seats=human|human")
    expect(page.locator(".board.live")).to_be_visible(timeout=120_000)
    page.wait_for_load_state("networkidle")
    page.evaluate(LISTEN)
    for count, move in enumerate(MOVES[game][:most], start=1):
        page.locator(f'[data-spot="{move}"]').click()
        expect(page.locator(".ply")).to_have_count(count, timeout=120_000)
    return page.evaluate("drawn"), page.evaluate("shifted")


def compressed(*endings: str) -> int:
    """Return the gzipped bytes of all static files with these *endings*."""
    files = [path for each in endings for path in STATIC.rglob(f"*{each}")]
    return sum(len(gzip.compress(path.read_bytes())) for path in files)


def main() -> None:
    """Print delays, layout shifts and bytes, and the load of the machine."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=390)
    parser.add_argument("--moves", type=int, default=20, help="of each game, at most")
    asked = parser.parse_args()
    scripts, styles = compressed(".js", ".mjs"), compressed(".css")
    print(f"scripts {scripts:,} bytes, styles {styles:,}, together {scripts + styles:,} (gzip)")
    with browsing() as (server, browser):
        page = browser.new_page(base_url=server, viewport={"width": asked.width, "height": 844})
        page.context.add_cookies([server.cookie])  # type: ignore[list-item]
        for game in MOVES:
            times, shift = measured(page, game, asked.moves)
            slowest = quantiles(times, n=10)[-1]
            print(
                f"{game}: {len(times)} moves drawn, median {median(times):.0f} ms, "
                f"p90 {slowest:.0f} ms; layout shift {shift:.4f}"
            )
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
