"""The page about bots in a browser: code is read, copied and kept, and nothing is sent."""

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import show

pytestmark = pytest.mark.browser


def test_the_template_is_copied_and_kept_in_the_language_of_the_page_and_all_is_explained(
    visitor: Visitor,
) -> None:
    with visitor.context(permissions=["clipboard-read", "clipboard-write"]) as context:
        page = context.new_page()
        show(page, "/bots")
        code = page.locator(".listing pre").first.inner_text()
        assert "Change that!" in code
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url))
        page.locator(".listing button").first.click()
        expect(page.locator("#live")).to_have_text("Copied")  # the button says so for a moment
        assert page.evaluate("navigator.clipboard.readText()").strip() == code.strip()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save as mybot.py").click()
        assert saved.value.path().read_text(encoding="utf-8").strip() == code.strip()
        others = ("blob:", f"{visitor.server}/api/v1/health")  # asked while the server starts
        assert [url for url in sent if not url.startswith(others)] == []
        page.click("#language")
        expect(page.locator(".listing pre").first).to_contain_text("Ubahlah!")
        page.click("#language")
        expect(page.locator("article")).to_contain_text("All checks passed.")
        expect(page.locator("article")).to_contain_text("Elo difference: +")
        expect(page.get_by_role("region", name="The Python API")).to_contain_text("papan.match(")
        routes = page.get_by_role("region", name="The JSON API")
        expect(routes).to_contain_text("POST /api/v1/think")
        expect(routes).to_contain_text("GET /api/v1/papers/{number}")
        page.get_by_role("link", name="to the arena").click()
        expect(page).to_have_url(f"{visitor.server}/arena")
