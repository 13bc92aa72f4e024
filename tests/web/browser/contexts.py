"""Contexts of a browser that are lent again, emptied: to start one costs more than most tests."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession

from tests.waiting import LONGEST_WAIT
from tests.web.server import Address

USUAL = {
    "locale": "en-US",
    "reduced_motion": "reduce",  # nobody watches, and to draw it costs much time
    "service_workers": "block",  # each context would start one
    "viewport": {"width": 1200, "height": 900},
}
MOST = 4
"""How many are kept; each has a process of its own."""


@contextmanager
def fresh(browser: Browser, server: Address, **options: Any) -> Iterator[BrowserContext]:
    """A context that nobody has used, for the owner of a server."""
    context = browser.new_context(**(USUAL | options), base_url=server)
    context.set_default_timeout(1000 * LONGEST_WAIT)
    context.add_cookies([server.cookie])  # type: ignore[list-item]
    try:
        yield context
    finally:
        context.close()


@dataclass
class KeptContext:
    """A context with a page that stays open, whose process knows the scripts of the app."""

    context: BrowserContext
    session: CDPSession
    lent: bool = False


@dataclass
class Contexts:
    """The contexts of one server that are kept, by their options."""

    browser: Browser
    server: Address
    kept: dict[str, KeptContext] = field(default_factory=dict)

    @contextmanager
    def lent(self, **options: Any) -> Iterator[BrowserContext]:
        """A context with these options that remembers nothing."""
        kept = self._find(options)
        kept.lent = True
        try:
            self._empty(kept)
            yield kept.context
        finally:
            for page in kept.context.pages[1:]:
                page.close()
            kept.lent = False

    def _find(self, options: dict[str, Any]) -> KeptContext:
        wanted = json.dumps(options, sort_keys=True)
        keys = (f"{wanted} {number}" for number in count())  # people who visit at the same time
        key = next(key for key in keys if key not in self.kept or not self.kept[key].lent)
        if key not in self.kept:
            for idle in [name for name, each in self.kept.items() if not each.lent][: 1 - MOST]:
                self.kept.pop(idle).context.close()
            context = self.browser.new_context(**(USUAL | options), base_url=self.server)
            context.set_default_timeout(1000 * LONGEST_WAIT)
            page = context.new_page()
            page.goto("/api/v1/health")
            self.kept[key] = KeptContext(context, context.new_cdp_session(page))
        return self.kept.setdefault(key, self.kept.pop(key))  # the last one in is the newest

    def _empty(self, kept: KeptContext) -> None:
        kept.session.send(
            "Storage.clearDataForOrigin", {"origin": self.server, "storageTypes": "all"}
        )
        kept.context.set_offline(False)
        kept.context.clear_cookies()
        kept.context.clear_permissions()
        kept.context.add_cookies([self.server.cookie])  # type: ignore[list-item]
