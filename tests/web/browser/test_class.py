"""A contest in a browser: the page of the lecturer, that of a student, one to the marks."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, LocatorAssertions, Page, expect

from tests.bubblewrap import sandbox_or_skip
from tests.web.browser.conftest import Visitor
from tests.web.browser.contexts import opened
from tests.web.browser.game_screen import show
from tests.web.server import Address, serving

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FIRST = "def choose(position): return position.moves()[0]\n"
ILLEGAL = "def choose(position):\n    print('<b>here</b>', flush=True)\n    return 99\n"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A server of our own, which may run the code of others."""
    sandbox_or_skip()
    with serving(tmp_path_factory.mktemp("class")) as (address, _):
        yield address


@pytest.fixture
def lecturer(browser: Browser, shop: Address) -> Iterator[Visitor]:
    visitor = Visitor(browser, shop)
    yield visitor
    assert visitor.troubles == []


def made(page: Page, title: str, students: str, plan: dict[str, str]) -> None:
    """Make a contest of Tic Tac Toe with these students and changes of the plan."""
    show(page, "/class")
    page.get_by_label("Title").fill(title)
    page.get_by_label("Game").select_option("tictactoe")
    page.get_by_role("button", name="Make the contest").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    written(page, "students", lambda _: students)
    written(page, "plan", lambda text: replaced(text, plan))


def replaced(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


def written(page: Page, name: str, change: Callable[[str], str]) -> None:
    """Change a file of the contest on its page."""
    part = page.locator(f"[data-file={name}]")
    part.locator("summary").click()
    field = part.locator("textarea")
    expect(field).not_to_have_value("")
    field.fill(change(field.input_value()))
    part.get_by_role("button", name="Save").click()
    expect(part.get_by_role("status")).to_have_text("Saved.")


QUICK = {
    "minutes = 30": "minutes = 0.2",
    "opening = 4": "opening = 1",
    "seconds = 0.1": "seconds = 2",
    "positions = 30": "positions = 2",
    "\ngames = 3": "\ngames = 1",
    "pairs = 2": "pairs = 1",
}


def secret_link(page: Page, number: str) -> str:
    """The link of a student, as the lecturer's page shows it."""
    person = page.locator(f"[data-student='{number}']")
    if not person.get_by_role("button", name="Show the link").is_visible():
        person.locator("summary").click()
    person.get_by_role("button", name="Show the link").click()
    link = page.locator(".secret-link").inner_text()
    page.keyboard.press("Escape")
    return link[link.index("/hand-in") :]


def hand_in(page: Page, name: str, content: str | bytes) -> None:
    data = content.encode() if isinstance(content, str) else content
    file = {"name": name, "mimeType": "text/plain", "buffer": data}
    page.get_by_label("Your bot").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Hand in").click()


def newest(page: Page) -> LocatorAssertions:
    return expect(page.locator("[data-sheet=submission] .standing"))


def test_k6_a_student_hands_in_on_a_phone_and_sees_where_it_fails(lecturer: Visitor) -> None:
    with lecturer.context() as context:
        page = context.new_page()
        made(page, "Cup <i>A</i>", "1,Ani\n2,Budi\n", QUICK)
        link = secret_link(page, "1")
        phone = opened(lecturer.browser, lecturer.server, **PHONE)
        student = phone.new_page()
        show(student, link)
        newest(student).to_have_text("nothing handed in")
        hand_in(student, "mine.py", ILLEGAL)
        newest(student).to_have_text("set aside v1 py")
        expect(student.locator(".failure pre")).to_have_text("<b>here</b>")
        expect(student.locator(".failure .board svg")).to_be_visible()
        expect(student.locator(".failure code")).to_contain_text("tictactoe")
        hand_in(student, "mine.py", FIRST)
        newest(student).to_have_text("legal, it plays v2 py")
        wide = student.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390
        expect(student.get_by_role("table")).to_contain_text("v2")
        # The lecturer sees it without a click.
        expect(page.locator("[data-student='1'] .state")).to_have_text("legal, it plays v2 py")
        page.get_by_role("button", name="Start the games").click()
        expect(student.locator("[data-sheet=place] .standing")).to_have_text("1 of 1")
        expect(student.locator(".own-games li").first).to_be_visible()
        phone.close()


def test_k6_a_link_that_is_not_valid_says_so(lecturer: Visitor) -> None:
    for address, words in (
        ("/hand-in", "Open the secret link"),
        ("/hand-in#aaaa-bbbb-cccc-dddd", "This link is not valid"),
    ):
        with lecturer.context() as context:
            page = context.new_page()
            show(page, address)
            expect(page.locator("main")).to_contain_text(words)


def test_k6_a_stranger_learns_who_may_open_the_class(lecturer: Visitor) -> None:
    context = opened(lecturer.browser, lecturer.server)
    page = context.new_page()
    show(page, "/class")
    expect(page.get_by_role("alert")).to_contain_text("Only the owner")
    context.close()


def test_k6_a_contest_is_deleted_only_after_its_title_was_written(lecturer: Visitor) -> None:
    with lecturer.context() as context:
        page = context.new_page()
        made(page, "Old cup", "1,Ani\n", {})
        delete = page.locator("[data-tool='class.delete']")
        delete.click()
        page.locator("[data-answer=yes]").click()
        page.get_by_role("dialog").get_by_label("Title").fill("another")
        page.get_by_role("button", name="Delete everything").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Old cup")
        delete.click()
        page.locator("[data-answer=yes]").click()
        page.get_by_role("dialog").get_by_label("Title").fill("Old cup")
        page.get_by_role("button", name="Delete everything").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Class")
        expect(page.locator(".tournaments")).not_to_contain_text("Old cup")


def test_k6_a_student_is_disqualified_and_gets_a_new_link_by_keyboard(lecturer: Visitor) -> None:
    with lecturer.context() as context:
        page = context.new_page()
        made(page, "Keys", "1,Ani\n", {})
        before = secret_link(page, "1")
        page.get_by_role("button", name="New link").focus()
        page.keyboard.press("Enter")
        page.locator("[data-answer=yes]").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".secret-link")).not_to_contain_text(before)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Disqualify").focus()
        page.keyboard.press("Enter")
        page.get_by_label("The reason").fill("copied")
        page.keyboard.press("Enter")
        expect(page.locator("[data-student='1']")).to_contain_text("Disqualified: copied")
        page.get_by_role("button", name="Let take part again").focus()
        page.keyboard.press("Enter")
        expect(page.locator("[data-student='1'] .state")).to_have_text("nothing handed in")
