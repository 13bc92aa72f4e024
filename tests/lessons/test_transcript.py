"""All that the lessons show is what was read and found right: see `tests.lessons.transcript`."""

from difflib import unified_diff

from tests.lessons.transcript import FILE, transcript


def test_the_lessons_show_what_was_found_right() -> None:
    right, now = (text.splitlines() for text in (FILE.read_text("utf-8"), transcript()))
    changed = [*unified_diff(right, now, "found right", "now", lineterm="", n=0)]
    assert not changed, "\n".join(changed[:40])
