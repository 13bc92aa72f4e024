"""Measure a first visit on a slow line: how long until a board can be played.

    python -m benchmarks.first_visit [runs]

A server of its own, a Chromium with an empty cache, the line that its developer tools call "Slow
3G" (400 kbit/s, two seconds a request), a phone. Bytes are those on the wire.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.web.browser.chromium import chromium
from tests.web.browser.contexts import opened
from tests.web.server import Address, serving

SLOW_3G = {"offline": False, "latency": 2000, "downloadThroughput": 50_000} | {
    "uploadThroughput": 50_000
}
"""Conditions of the line: milliseconds a request, bytes a second."""
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
VISITS = {
    "/": ".card button",
    "/play/connect4": ".board.live .spot",
    "/play/onet": ".board.live .spot",
    "/play/dots": ".board.live .spot",
}
"""Addresses, and a selector of what is there once a person can begin."""


def visit(browser: Browser, server: Address, path: str, ready: str) -> tuple[float, int, int]:
    """Return the seconds until *ready* is on the page, and the requests and bytes by then."""
    context = opened(browser, server, **PHONE)
    page = context.new_page()
    line = context.new_cdp_session(page)
    sizes: list[int] = []
    line.on("Network.loadingFinished", lambda each: sizes.append(int(each["encodedDataLength"])))
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", SLOW_3G)
    began = perf_counter()
    page.goto(path, wait_until="commit")
    page.wait_for_selector(ready)
    seconds = perf_counter() - began
    context.close()
    return seconds, len(sizes), sum(sizes)


def main(runs: int) -> None:
    """Print the medians of seconds, requests and kilobytes of each visit, over *runs* visits."""
    found = chromium()
    os.environ.update(found.variables)
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder)) as (server, _),
        sync_playwright() as playwright,
    ):
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=found.program, args=options)
        print(f"{'address':16} {'seconds':>8} {'requests':>9} {'kB':>7}")
        for path, ready in VISITS.items():
            measured = [visit(browser, server, path, ready) for _ in range(runs)]
            seconds, requests, size = (median(each) for each in zip(*measured))
            print(f"{path:16} {seconds:8.1f} {requests:9.0f} {size / 1000:7.0f}")
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
