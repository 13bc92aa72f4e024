"""A real browser, and pages that watch over what no test may cause: errors, foreign requests."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    WebError,
    expect,
    sync_playwright,
)

from tests.waiting import LONGEST_WAIT
from tests.web.browser.chromium import chromium
from tests.web.browser.contexts import Contexts, fresh
from tests.web.browser.game_screen import show
from tests.web.server import Address

expect.set_options(timeout=1000 * LONGEST_WAIT)
AHEAD = 60_000
"""Milliseconds by which a page is put forward when its time stops: none may pass meanwhile."""
EXPECTED = ("Failed to load resource", "Service Worker registration blocked")
"""What is written to the console when a server or a browser refuses what tests ask for."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for these tests; stopped before others run, because it keeps an event loop."""
    found = chromium()
    options = ["--disable-gpu", "--in-process-gpu"]  # there is none: to imitate one costs time
    options += ["--renderer-process-limit=1"]  # pages of one context share what is compiled
    options += ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]  # nobody else is there
    options += ["--no-sandbox"] if os.geteuid() == 0 else []
    with pytest.MonkeyPatch.context() as patch:
        for name, value in found.variables.items():  # Playwright itself may need the libraries
            patch.setenv(name, value)
        with sync_playwright() as playwright:
            started = playwright.chromium.launch(
                executable_path=found.program, args=options, timeout=1000 * LONGEST_WAIT
            )
            yield started
            started.close()


@dataclass
class Visitor:
    """The owner of a server with a browser: opens pages, remembers what they complained about."""

    browser: Browser
    server: Address
    contexts: Contexts | None = None
    troubles: list[str] = field(default_factory=list)

    @contextmanager
    def context(self, **options: Any) -> Iterator[BrowserContext]:
        """A context of their own, to do with as they like."""
        with fresh(self.browser, self.server, **options) as context, self._watching(context):
            yield context

    @contextmanager
    def page(self, path: str, **options: Any) -> Iterator[Page]:
        """A page that has shown its screen."""
        lent = self.contexts.page if self.contexts else self._new_page
        with lent(**options) as page, self._watching(page.context):
            show(page, path)
            yield page

    @contextmanager
    def _new_page(self, **options: Any) -> Iterator[Page]:
        with fresh(self.browser, self.server, **options) as context:
            yield context.new_page()

    @contextmanager
    def stopped_page(self, path: str, **options: Any) -> Iterator[Page]:
        """A page whose time passes only when a test says so."""
        with self.context(**options) as context:
            page = context.new_page()
            page.clock.install()
            show(page, path)
            page.clock.pause_at(page.evaluate("Date.now()") + AHEAD)
            yield page

    @contextmanager
    def _watching(self, context: BrowserContext) -> Iterator[None]:
        context.on("console", self._note)
        context.on("weberror", self._note_error)
        try:
            yield
        finally:
            context.remove_listener("console", self._note)
            context.remove_listener("weberror", self._note_error)

    def _note_error(self, error: WebError) -> None:
        self.troubles.append(str(error.error))

    def _note(self, message: ConsoleMessage) -> None:
        """Note what is wrong; to hear of each request would take a tenth of the time."""
        place = message.location["url"]
        foreign = place.startswith("http") and not place.startswith(self.server)
        expected = message.text.startswith(EXPECTED) and not foreign
        if message.type in ("error", "warning") and not expected:
            self.troubles.append(f"{message.text} {place}")


@pytest.fixture(scope="package")
def contexts(browser: Browser, server: Address) -> Contexts:
    return Contexts(browser, server)


@pytest.fixture
def visitor(browser: Browser, server: Address, contexts: Contexts) -> Iterator[Visitor]:
    """Whoever visits must see no error, no broken policy, and no foreign request."""
    someone = Visitor(browser, server, contexts)
    yield someone
    assert someone.troubles == []
