"""A contest in a browser: the page of the lecturer, that of a student, one to the marks."""

import os
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from papan.cli.agents import new as new_bot
from papan.process.supervisor import processes, read_system_file
from tests.bubblewrap import sandbox_or_skip
from tests.waiting import until
from tests.web.browser.conftest import Visitor
from tests.web.browser.contexts import opened
from tests.web.browser.game_screen import show
from tests.web.server import Address, serving

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FIRST = "def choose(position): return position.moves()[0]\n"
ILLEGAL = "def choose(position):\n    print('<b>here</b>', flush=True)\n    return 99\n"


@pytest.fixture
def lecturer(visitor: Visitor) -> Iterator[Visitor]:
    """The owner of a server that may run the code of others; deletes all contests at the end."""
    sandbox_or_skip()
    yield visitor
    address, owner = f"{visitor.server}/api/v1/class", visitor.server.owner
    for contest in httpx2.get(address, headers=owner).json():
        httpx2.delete(f"{address}/{contest['id']}", headers=owner).raise_for_status()


def contest(server: Address, title: str) -> str:
    """The path of a new contest of Tic Tac Toe with one student."""
    address, wanted = f"{server}/api/v1/class", {"game": "tictactoe", "title": title}
    made = httpx2.post(address, json=wanted, headers=server.owner).raise_for_status()
    place = f"{address}/{made.json()['id']}/students"
    httpx2.put(place, content="1,Ani\n", headers=server.owner).raise_for_status()
    return f"/class/{made.json()['id']}"


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
EASY = {
    '["random", "level:1", "level:2", "level:3"]': '["random"]',
    "vs_level_2 > 0.5": "score > 0.5",
    "vs_level_3 > 0.5": "score > 0.5",
}
"""No house bot that searches."""


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


def newest(page: Page) -> Locator:
    return page.locator("[data-sheet=submission] .standing")


def test_k6_a_student_hands_in_on_a_phone_and_sees_where_it_fails(
    lecturer: Visitor, tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(ILLEGAL, encoding="utf-8")
    with lecturer.page("/class") as page:
        made(page, "Cup <i>A</i>", "1,Ani\n2,Budi\n", QUICK | EASY)
        link = secret_link(page, "1")
        phone = opened(lecturer.browser, lecturer.server, **PHONE)
        student = phone.new_page()
        show(student, link)
        expect(newest(student)).to_have_text("nothing handed in")
        student.get_by_role("button", name="Hand in").click()
        expect(student.get_by_role("alert")).to_have_text("Choose the file of your bot first.")
        student.get_by_label("Your bot").set_input_files(file)
        student.get_by_role("button", name="Hand in").click()
        expect(newest(student)).to_have_text("set aside v1 py")
        expect(student.locator(".failure pre")).to_have_text("<b>here</b>")
        expect(student.locator(".failure .board svg")).to_be_visible()
        expect(student.locator(".failure code")).to_contain_text("tictactoe")
        # A file that changed after it was chosen is chosen again.
        file.write_text(FIRST, encoding="utf-8")
        os.utime(file, (1, 1))  # a save within the same second is seen as well
        student.get_by_role("button", name="Hand in").click()
        expect(student.get_by_role("alert")).to_contain_text("mine.py has changed")
        with student.expect_file_chooser() as chooser:
            student.get_by_text("Choose a file").click()
        chooser.value.set_files(file)
        student.get_by_role("button", name="Hand in").click()
        expect(newest(student)).to_have_text("legal, it plays v2 py")
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
        with lecturer.page(address) as page:
            expect(page.locator("main")).to_contain_text(words)


def test_k6_a_stranger_learns_who_may_open_the_class(lecturer: Visitor) -> None:
    with lecturer.page("/hand-in") as page:
        page.context.clear_cookies()
        show(page, "/class")
        expect(page.get_by_role("alert")).to_contain_text("Only the owner")
        expect(page.get_by_role("alert")).to_contain_text("Students open the secret link")
        expect(page.get_by_role("alert")).not_to_contain_text("watch")


def test_k6_a_contest_is_deleted_only_after_its_title_was_written(lecturer: Visitor) -> None:
    with lecturer.page(contest(lecturer.server, "Old cup")) as page:
        delete = page.locator("[data-tool='class.delete']")
        delete.click()
        page.locator("[data-answer=yes]").click()
        page.get_by_role("dialog").get_by_label("Title").fill("another")
        page.get_by_role("button", name="Delete everything").click()
        said = page.get_by_role("dialog").get_by_role("alert")
        expect(said).to_contain_text("nothing was deleted")
        page.get_by_role("dialog").get_by_label("Title").fill("Old cup")
        page.get_by_role("button", name="Delete everything").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Class")
        expect(page.locator(".tournaments")).not_to_contain_text("Old cup")


def test_k6_a_student_is_disqualified_and_gets_a_new_link_by_keyboard(lecturer: Visitor) -> None:
    with lecturer.page(contest(lecturer.server, "Keys")) as page:
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


GOOD = {
    "01": ("a.py", FIRST),
    "02": ("b.py", "def choose(position): return position.moves()[-1]\n"),
    "03": ("c.py", "import random\ndef choose(p): return random.choice(p.moves())\n"),
    "04": ("d.py", "def choose(p): return 4 if 4 in p.moves() else p.moves()[0]\n"),
}
HOSTILE = {
    "09": ("fork.py", "import os\nwhile True: os.fork()\n"),
    "10": ("read.py", "def choose(position): return open('PLAN').read()\n"),
    "11": ("kill.py", "import os\ndef choose(p): os.kill(-1, 9); return bytearray(1 << 40)\n"),
    "12": ("flood.py", "def choose(position):\n    while True: print('x' * 1000)\n"),
}
TOOLS = {"05": ("gcc", ".c"), "06": ("gcc", ".c"), "07": ("node", ".js"), "08": ("node", ".js")}


@pytest.mark.slow
def test_a_contest_with_hostile_bots_from_the_plan_to_the_marks_through_a_kill(
    browser: Browser, tmp_path: Path
) -> None:
    sandbox_or_skip()
    data, port, links = tmp_path / "data", free_port(), dict[str, str]()
    sent = GOOD | {
        number: (name, text.replace("PLAN", str(data / "owner.json")))
        for number, (name, text) in HOSTILE.items()
    }
    for number, (tool, suffix) in TOOLS.items():
        if shutil.which(tool, path="/usr/bin:/bin"):
            file = tmp_path / f"bot{number}{suffix}"
            new_bot(file)
            sent[number] = (file.name, file.read_text(encoding="utf-8"))
    students = "".join(f"{number},Student {number}\n" for number in sorted(sent))
    plan = QUICK | {"minutes = 30": "minutes = 1", "seconds = 0.1": "seconds = 0.5"}
    with (
        serving(data, port) as (server, process),
        Visitor(browser, server).context() as context,
    ):
        page = context.new_page()
        made(page, "Hostile cup", students, plan)
        address = page.url.removeprefix(server)
        for number in sent:
            links[number] = secret_link(page, number)
        for number, (name, text) in sent.items():
            student = context.new_page()
            show(student, links[number])
            hand_in(student, name, text)
            wanted = "set aside v1" if number in HOSTILE else "legal, it plays v1"
            expect(newest(student)).to_contain_text(wanted)
            student.close()
        page.get_by_role("button", name="Start the games").click()
        journal = data / "class" / address.rpartition("/")[2] / "work" / "games.jsonl"
        until(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 5)
        process.kill()
        process.wait()
        kept = journal.read_bytes().count(b"\n")
    with serving(data, port) as (server, _):
        visitor = Visitor(browser, server)
        with visitor.context() as context:
            page = context.new_page()
            show(page, address)
            until(lambda: journal.read_bytes().count(b"\n") > kept)
            expect(page.locator("article")).to_have_attribute("data-state", "done")
            expect(page.locator(".ladder tbody tr")).to_have_count(len(sent) - len(HOSTILE))
            forfeits = page.locator(".ladder tbody tr td:nth-child(5)").all_inner_texts()
            assert set(forfeits) == {"0"}
            page.get_by_role("button", name="Show marks").click()
            marks = page.locator(".marks tbody tr")
            expect(marks).to_have_count(len(sent))
            for number in sent:
                grade = marks.filter(has_text=f"Student {number}").locator("td").nth(1)
                assert (grade.inner_text() == "\u2013") == (number in HOSTILE)
            student = context.new_page()
            show(student, links["01"])  # the printed link is still the student's
            expect(student.locator("[data-sheet=place]")).to_be_visible()
            show(student, links["10"])
            expect(student.locator(".failure")).to_contain_text("No such file")
        assert visitor.troubles == []
    until(lambda: not left(data))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def left(data: Path) -> list[int]:
    """The processes that run something out of a folder."""
    word = str(data).encode()
    return [each for each in processes() if word in read_system_file(f"/proc/{each}/cmdline")]
