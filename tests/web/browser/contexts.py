"""Pages of a browser that are lent again, emptied: to open one costs more than most tests."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.waiting import LONGEST_WAIT
from tests.web.server import Address

USUAL = {
    "locale": "en-US",
    "service_workers": "block",  # each context would start one
}
LOOK = {
    "color_scheme": "light",
    "reduced_motion": "reduce",  # nobody watches, and to draw it costs much time
    "viewport": {"width": 1200, "height": 900},
}
"""What can be changed in a page that is there already."""
MOST = 4
"""How many contexts are kept; each has a process of its own."""
PARKED = "/api/v1/health"
"""Where a page is that nobody has: it does nothing there."""
LOOKS = ("emulate_media", "set_viewport_size")
LASTING = ("add_init_script", "expose_function", "on", "once", "route", "route_web_socket")
"""What is done to a page and would still be so for the next test."""


def opened(browser: Browser, server: Address, **options: Any) -> BrowserContext:
    """A new context."""
    context = browser.new_context(**(USUAL | LOOK | options), base_url=server)
    context.set_default_timeout(1000 * LONGEST_WAIT)
    return context


@contextmanager
def fresh(browser: Browser, server: Address, **options: Any) -> Iterator[BrowserContext]:
    """A context that nobody has used, for the owner of a server."""
    context = opened(browser, server, **options)
    context.add_cookies([server.cookie])  # type: ignore[list-item]
    try:
        yield context
    finally:
        context.close()


class KeptContext:
    """A context with one page, which stays open: its process knows the scripts of the app.

    The page notes what a test does to it. How it looks is changed back; where anything else would
    last, another page takes its place.
    """

    def __init__(self, context: BrowserContext, server: Address) -> None:
        self.context, self.server = context, server
        self.lent = False
        self._open()

    def _open(self) -> None:
        self.page = self.context.new_page()
        self.page.goto(PARKED)
        self._session = self.context.new_cdp_session(self.page)
        self._look: dict[str, Any] = LOOK
        self._done: set[str] = set()
        for name in (*LOOKS, *LASTING):
            setattr(self.page, name, self._noted(name, getattr(self.page, name)))

    def _noted(self, name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any, **options: Any) -> Any:
            self._done.add(name)
            return act(*arguments, **options)

        return noted

    def lend(self, look: dict[str, Any]) -> Page:
        """The page: it remembers nothing, and looks as it is asked to."""
        self.lent = True
        self._session.send(
            "Storage.clearDataForOrigin", {"origin": self.server, "storageTypes": "all"}
        )
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.context.add_cookies([self.server.cookie])  # type: ignore[list-item]
        if look != self._look or self._done:
            self.page.set_viewport_size(look["viewport"])
            self.page.emulate_media(
                media="null",
                color_scheme=look["color_scheme"],
                reduced_motion=look["reduced_motion"],
            )
            self._look = look
            self._done.clear()
        return self.page

    def take_back(self) -> None:
        """Leave what the page shows, and whatever that does."""
        self.context.set_offline(False)
        for popup in self.context.pages:
            if popup != self.page:
                popup.close()
        if self.page.is_closed() or self._done.intersection(LASTING):
            used = self.page
            self._open()  # before the other one goes, and with it what is compiled
            used.close()
        else:
            self.page.goto(PARKED)
        self.lent = False


@dataclass
class Contexts:
    """The contexts of one server that are kept, by their options."""

    browser: Browser
    server: Address
    kept: dict[str, KeptContext] = field(default_factory=dict)

    @contextmanager
    def page(self, **options: Any) -> Iterator[Page]:
        """A page with these options, in a context that remembers nothing."""
        look = {name: options.pop(name, usual) for name, usual in LOOK.items()}
        kept = self._find(options)
        page = kept.lend(look)
        try:
            yield page
        finally:
            kept.take_back()

    def _find(self, options: dict[str, Any]) -> KeptContext:
        wanted = json.dumps(options, sort_keys=True)
        keys = (f"{wanted} {number}" for number in count())  # people who visit at the same time
        key = next(key for key in keys if key not in self.kept or not self.kept[key].lent)
        if key not in self.kept:
            for idle in [name for name, each in self.kept.items() if not each.lent][: 1 - MOST]:
                self.kept.pop(idle).context.close()
            context = opened(self.browser, self.server, **options)
            self.kept[key] = KeptContext(context, self.server)
        return self.kept.setdefault(key, self.kept.pop(key))  # the last one in is the newest
