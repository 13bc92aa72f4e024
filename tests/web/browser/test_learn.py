"""Learn in a real browser: every lesson to its end, its questions, links, keys and sizes."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from papan.core.message import catalogue
from papan.lessons import LESSONS, steps
from papan.papers import PAPERS
from tests.web.browser.access import complaints, overflow, sizes
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import show, spot, until

pytestmark = pytest.mark.browser

VARIED = ("dots", "onet", "alphabeta", "genetic", "mcts", "links")
"""Lessons that between them show everything that a lesson can show."""
PHONE: ViewportSize = {"width": 360, "height": 640}


def step_shown(page: Page) -> Locator:
    return page.locator(".lesson-controls .count")


def lowest(page: Page, selector: str) -> float:
    """How far down, in pixels, what is found reaches."""
    boxes = [each.bounding_box() for each in page.locator(selector).all()]
    return max(box["y"] + box["height"] for box in boxes if box)


def asks(name: str, kind: str) -> int:
    """The first step of a lesson with a question of this kind."""
    return next(
        number
        for number, step in enumerate(steps(name), 1)
        if step.question and step.question.kind == kind
    )


def to_the_end(page: Page, name: str) -> None:
    """Go to the last step; every question on the way is shown first."""
    asked = [number for number, each in enumerate(steps(name), 1) if each.question]
    here = int(step_shown(page).inner_text().split(" / ")[0])
    for number in [*(each for each in asked if each > here), len(steps(name))]:
        page.keyboard.press("End")
        expect(step_shown(page)).to_have_text(f"{number} / {len(steps(name))}")


def test_home_leads_to_the_list_and_that_to_every_lesson(visitor: Visitor) -> None:
    with visitor.page("/") as page:
        expect(page.locator('.today a[href^="/learn/"]')).to_be_visible()  # it moves the next
        page.click('#places a[href="/learn"]')
        expect(page.locator(".lesson-list")).to_have_count(2)
        expect(page.locator("[data-lesson]")).to_have_count(len(LESSONS))
        expect(page.locator("[data-course]")).to_have_count(len(PAPERS))
        course = page.locator('[data-course="003"]')
        course.locator("summary").click()
        course.locator('[data-stage="play"] a').click()  # what was opened is done
        expect(page.locator(".board.live")).to_be_visible()
        page.go_back()
        expect(course.locator('[data-done="true"]')).to_have_count(1)
        expect(course.locator("progress")).to_have_attribute("value", "1")
        expect(course.locator("[data-next]")).to_have_attribute("href", "/learn/tictactoe")
        page.click('[data-lesson="minimax"] a')
        expect(page.locator(".code li")).to_have_count(len(LESSONS["minimax"].lines))


@pytest.mark.parametrize(
    "name",
    [name if name in VARIED else pytest.param(name, marks=pytest.mark.slow) for name in LESSONS],
)
def test_every_step_of_a_lesson_can_be_read(visitor: Visitor, name: str) -> None:
    with visitor.page(f"/learn/{name}") as page:
        texts: list[str] = page.evaluate(
            """async () => {
              const texts = [];
              const next = document.querySelector('[data-go="next"]');
              for (;;) {
                texts.push(document.querySelector('main').innerText);
                if (next.disabled) return texts;
                next.click();
                await new Promise((drawn) => setTimeout(drawn));
              }
            }"""
        )
        assert len(texts) == len(steps(name))
        assert [
            text for text in texts if re.search(r"lesson\.|learn\.|\{|NaN|undefined", text)
        ] == []


@pytest.mark.parametrize(
    "name",
    ["adjacency", *(pytest.param(each, marks=pytest.mark.slow) for each in ("proof", "genetic"))],
)
def test_a_lesson_is_read_to_its_end_by_keyboard(visitor: Visitor, name: str) -> None:
    count = len(steps(name))
    with visitor.page(f"/learn/{name}") as page:
        for number in range(1, count + 1):
            expect(step_shown(page)).to_have_text(f"{number} / {count}")
            page.keyboard.press("ArrowRight")
        expect(page.locator(".ask.end")).to_be_visible()


@pytest.mark.parametrize("locale", ["id-ID", pytest.param("en-US", marks=pytest.mark.slow)])
def test_a_lesson_speaks_the_language_of_the_page(visitor: Visitor, locale: str) -> None:
    texts = catalogue(locale[:2])
    with visitor.page("/learn/proof", locale=locale) as page:
        expect(page.locator(".sentence")).to_have_text(texts["lesson.proof_start"])
        code = [line.strip() for line in texts["lesson.proof_code"].split("\n")]
        assert page.locator(".code li").all_inner_texts() == code


def test_the_keys_step_jump_and_play_up_to_a_question(visitor: Visitor) -> None:
    last = len(steps("table"))
    with visitor.stopped_page("/learn/table") as page:
        expect(step_shown(page)).to_have_text(f"1 / {last}")
        page.clock.run_for(60_000)  # it waits until it is asked to play
        expect(step_shown(page)).to_have_text(f"1 / {last}")
        expect(page.locator('[data-go="play"]')).to_have_text("Play")
        for key, step in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)]:
            page.keyboard.press(key)
            expect(step_shown(page)).to_have_text(f"{step} / {last}")
        page.keyboard.press("Home")
        expect(step_shown(page)).to_have_text(f"1 / {last}")
        page.get_by_label("Speed").select_option("quick")
        page.locator("h1").click()
        page.keyboard.press(" ")
        expect(page.locator('[data-go="play"]')).to_have_text("Pause")
        page.clock.run_for(1_000)
        expect(step_shown(page)).to_have_text(f"2 / {last}")
        page.keyboard.press(" ")
        expect(page.locator('[data-go="play"]')).to_have_text("Play")
        page.keyboard.press(" ")
        page.clock.run_for(60_000)
        expect(step_shown(page)).to_have_text(f"{asks('table', 'choice')} / {last}")  # a question
        expect(page.locator('[data-go="play"]')).to_have_text("Play")
        to_the_end(page, "table")


def test_every_step_has_a_link_and_shows_its_line_and_its_variables(visitor: Visitor) -> None:
    step = steps("minimax")[4]
    with visitor.page("/learn/minimax?step=5") as page:
        line = page.locator(".code [aria-current]")
        expect(line).to_have_attribute("data-line", step.line)
        for name, value in step.variables.items():
            shown = f"{value:g}".replace("-", "\u2212") if not isinstance(value, str) else value
            expect(page.locator(f'[data-variable="{name}"]')).to_have_text(shown)
        text = page.locator(".sentence").inner_text()
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(r"/learn/minimax\?step=6$"))
        page.reload()
        expect(step_shown(page)).to_have_text(re.compile("^6 /"))
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".sentence")).to_have_text(text)


@pytest.mark.slow  # of these, 999 is a part of the way to mastery below
@pytest.mark.parametrize("step", ["999", "0", "x", "-3"])
def test_a_link_to_a_step_that_is_not_there_shows_the_nearest(visitor: Visitor, step: str) -> None:
    with visitor.page(f"/learn/random?step={step}") as page:
        expect(page.locator(".sentence")).not_to_be_empty()


def test_a_choice_is_told_whether_it_is_right(visitor: Visitor) -> None:
    step = asks("minimax", "choice")
    question = steps("minimax")[step - 1].question
    assert question
    wrong = next(choice for choice in question.choices if choice not in question.answers)
    phone: ViewportSize = {"width": 390, "height": 844}
    with visitor.page(f"/learn/minimax?step={step}", viewport=phone) as page:
        page.click(f'[data-choice="{wrong}"]')
        expect(page.locator(".ask.wrong .feedback")).to_contain_text("O wants the smallest")
        bar = page.locator(".lesson-controls").bounding_box()
        assert bar is not None
        until(page, lambda: lowest(page, ".ask.wrong button") <= bar["y"])  # none is under it
        page.click(f'[data-choice="{question.answers[0]}"]')
        expect(page.locator(".ask.right .feedback.good")).to_contain_text("Right")
        page.click('[data-go="next"]')
        expect(page.locator(f'[data-variable="{question.about}"]')).to_be_visible()


def test_u16_a_lesson_is_mastered_when_what_was_missed_is_answered_right(visitor: Visitor) -> None:
    asked = [(n, each.question) for n, each in enumerate(steps("walks"), 1) if each.question]
    (first, number), (second, choice) = asked
    with visitor.page(f"/learn/walks?step={first}") as page:
        page.fill(".ask input", "1")
        page.keyboard.press("Enter")
        expect(page.locator(".ask.wrong .feedback")).to_contain_text("Look straight up, down")
        page.goto("/learn/walks?step=999")
        expect(page.locator(".ask.end")).to_contain_text("0 of 2 questions right")
        page.goto("/")
        page.click('a[href="/learn/walks"]')  # what was left comes next, with what is open
        expect(step_shown(page)).to_have_text(re.compile(f"^{first} /"))
        page.goto("/learn/walks?step=999")
        page.click('[data-tool="learn.open"]')
        page.fill(".ask input", str(number.answers[0]))
        page.keyboard.press("Enter")
        page.click('[data-tool="learn.next_open"]')
        expect(step_shown(page)).to_have_text(re.compile(f"^{second} /"))
        page.click(f'[data-choice="{choice.answers[0]}"]')
        page.click('[data-tool="learn.to_end"]')
        expect(page.locator(".ask.end.mastered")).to_contain_text("Mastered")
        page.goto("/learn")
        expect(page.locator('[data-lesson="walks"]')).to_contain_text("mastered")
        expect(page.locator(".next-lesson")).to_contain_text("1 of")


def test_a_number_is_checked_and_counted_and_a_lesson_leads_to_the_analysis_and_its_agent(
    visitor: Visitor,
) -> None:
    first = asks("hillclimb", "number")
    questions = sum(step.question is not None for step in steps("hillclimb"))
    share = f"1 of {questions} questions right"
    with visitor.page("/learn/hillclimb?step=1") as page:
        page.click(".analyse-link a:not([data-own])")
        expect(page.locator(".board .spot")).to_have_count(16)
        page.goto(f"/learn/hillclimb?step={first}")
        page.click(".ask button")
        expect(page.locator(".feedback")).to_have_text("Write a number.")
        question = steps("hillclimb")[first - 1].question
        assert question
        page.fill(".ask input", str(question.answers[0]))
        page.keyboard.press("Enter")
        expect(page.locator(".feedback.good")).to_be_visible()
        page.locator("h1").click()
        to_the_end(page, "hillclimb")
        expect(page.locator(".ask.end")).to_contain_text(share)
        page.click(".ask.end a[href*=play]")
        expect(page.locator(".players")).to_contain_text("Hill climbing")
        page.goto("/learn")
        expect(page.locator('[data-lesson="hillclimb"]')).not_to_contain_text("mastered")
        expect(page.locator('[data-lesson="hillclimb"]')).to_contain_text(share)


def test_e11_a_wrong_answer_is_played_out_and_the_answer_shown_on_request(visitor: Visitor) -> None:
    with visitor.page(f"/learn/tictactoe?step={asks('tictactoe', 'move')}") as page:
        following = page.locator('[data-go="next"]')
        expect(following).to_have_text("Skip")  # not the loudest button
        expect(following).not_to_have_class(re.compile("primary"))
        expect(page.locator('[data-tool="learn.show_answer"]')).to_have_count(0)
        for hints in (1, 2):
            page.click(".ask button")
            expect(page.locator(".hints li")).to_have_count(hints)
        expect(page.locator(".ask button")).to_be_disabled()
        spot(page, "a3").click()
        expect(page.locator(".feedback")).to_contain_text("missed a win in one: \u2026")
        expect(page.locator(".feedback")).to_contain_text("turns a win into a loss")
        expect(page.locator(".played-out")).to_have_text("Played out: a3 c2")
        page.click('[data-tool="learn.try_again"]')
        expect(page.locator(".played-out")).to_have_count(0)
        spot(page, "a3").click()
        expect(page.locator(".played-out")).to_have_text("Played out: a3 c2")
        expect(page.locator(".feedback")).not_to_contain_text("c1")
        page.click('[data-tool="learn.show_answer"]')
        expect(page.locator(".feedback")).to_contain_text("Answer: c1.")
        expect(page.locator(".played-out")).to_have_count(0)  # the board is that of the question
        expect(page.locator(".layer.pointed")).to_have_count(1)
        expect(following).to_have_text("Next")
        expect(following).to_have_class(re.compile("primary"))


def test_e11_the_board_agrees_with_the_text_while_a_refutation_comes(visitor: Visitor) -> None:
    with visitor.page(f"/learn/tictactoe?step={asks('tictactoe', 'move')}") as page:
        page.evaluate(  # both at once, before the first move of the refutation is there
            """() => {
              for (const name of ["a3", "c1"])
                document.querySelector(`[data-spot="${name}"]`).click();
            }"""
        )
        expect(page.locator(".feedback.good")).to_be_visible()
        page.wait_for_load_state("networkidle")
        expect(page.locator(".played-out")).to_have_count(0)
        expect(page.locator(".layer.pointed")).to_have_count(1)


def test_a_cell_that_is_taken_is_no_answer(visitor: Visitor) -> None:
    with visitor.page(f"/learn/tictactoe?step={asks('tictactoe', 'move')}") as page:
        spot(page, "a1").click()
        expect(page.locator(".feedback")).to_have_text("a1 is taken already; choose an empty cell.")
        spot(page, "c1").click()
        expect(page.locator(".feedback.good")).to_be_visible()
        to_the_end(page, "tictactoe")
        expect(page.locator(".ask.end")).to_contain_text("1 of 4 questions right")


def test_e11_a_question_is_not_skipped_unseen(visitor: Visitor) -> None:
    asked = [number for number, each in enumerate(steps("minimax"), 1) if each.question]
    with visitor.page("/learn/minimax?step=1") as page:
        page.keyboard.press("End")
        expect(step_shown(page)).to_have_text(re.compile(f"^{asked[0]} /"))
        expect(page.locator(".feedback")).to_contain_text("A question comes first")
        page.locator(".lesson-controls [type=range]").fill("37")
        expect(step_shown(page)).to_have_text(re.compile(f"^{asked[1]} /"))


def test_e11_long_lessons_have_chapters(visitor: Visitor) -> None:
    begin = {
        name: [number for number, each in enumerate(steps(name), 1) if each.chapter]
        for name in ("minimax", "alphabeta")
    }
    assert [(len(each), each[0]) for each in begin.values()] == [(6, 1), (8, 1)]
    _, second, third, *_ = begin["alphabeta"]
    with visitor.page(f"/learn/alphabeta?step={third + 1}") as page:
        chosen = page.locator("select.chapters")
        expect(chosen).to_have_value(str(third))
        assert "{" not in chosen.inner_text()
        chosen.select_option(str(second))
        expect(step_shown(page)).to_have_text(re.compile(f"^{second} /"))


def test_two_tiles_are_picked_for_a_pair(visitor: Visitor) -> None:
    step = asks("onet", "move")
    with visitor.page(f"/learn/onet?step={step}") as page:
        spot(page, "a1").click()
        spot(page, "a2").click()
        expect(page.locator(".feedback")).to_contain_text("can never be cleared")
        page.click('[data-tool="learn.try_again"]')
        spot(page, "a2").focus()
        page.keyboard.press("Enter")
        spot(page, "d2").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".feedback.good")).to_be_visible()


def test_only_the_tree_around_the_current_node_is_drawn(visitor: Visitor) -> None:
    reported = steps("mcts")
    with visitor.page("/learn/mcts?step=40") as page:
        expect(page.locator(".knot")).to_have_count(len(reported[39].tree))
        expect(page.locator(".knot.here")).to_have_count(1)
        assert len(reported[39].tree) < 12


def test_what_was_begun_goes_on_where_it_was_left(visitor: Visitor) -> None:
    with visitor.page("/learn/links?step=4") as page:
        page.goto("/learn")
        link = page.locator('[data-lesson="links"] a')
        expect(link).to_contain_text("step 4 of")
        link.click()
        expect(step_shown(page)).to_have_text(re.compile("^4 /"))


def test_a_phone_shows_lessons_without_scrolling_sideways_and_axe_finds_nothing(
    visitor: Visitor,
) -> None:
    wide: ViewportSize = {"width": 1200, "height": 900}
    with visitor.page("/nowhere", viewport=PHONE, locale="id-ID", has_touch=True) as page:
        for route in (f"/learn/{name}?step={len(steps(name)) // 2}" for name in VARIED):
            page.set_viewport_size(PHONE)
            show(page, route)
            assert overflow(page) <= 0, route
            found = sizes(page, "main :is(button:not(.spot), a, select, input)")
            assert [text for text, _, height in found if height < 44] == [], route
            page.set_viewport_size(wide)
            assert complaints(page) == "", route


def test_a_player_learns_while_one_watches_and_plays(visitor: Visitor) -> None:
    with visitor.stopped_page("/learn/learning") as page:  # it learns no more than it is told to
        live = page.locator(".learning")
        live.locator("[data-name='exploration']").fill("0.3")
        live.locator("[data-tool='learn.start']").click()
        expect(live.locator(".move-value.guessed")).to_have_count(9)
        page.clock.run_for(1_500)
        until(page, lambda: live.locator(".point").count() >= 2)
        live.locator("[data-tool='learn.stop']").click()
        expect(live.locator("[role='status']")).to_contain_text("4,520")
        expect(live.locator(".move-value.guessed")).to_have_count(9)
        live.locator("[data-tool='learn.it_begins']").click()
        expect(live.locator(".move-value")).to_have_count(8)
        free = live.locator(".move-value").first.get_attribute("data-move")
        live.locator(f'[data-spot="{free}"]').click()
        expect(live.locator(".move-value")).to_have_count(6)
        page.clock.resume()
        assert complaints(page) == ""
