"""The help inside the app: each page in both languages, with links that lead somewhere."""

import re
from collections.abc import Iterator
from email.message import Message
from html.parser import HTMLParser
from importlib.metadata import PackageMetadata
from pathlib import Path
from typing import cast

import pytest

from papan.catalog import GAMES
from papan.core.message import catalogue
from papan.web.app import SCREENS, STATIC
from papan.web.help import (
    CHAPTERS,
    PAGES,
    HelpPage,
    _licence,
    anchors,
    chapters,
    docs_folder,
    help_page,
    link_target,
    page_text,
)
from papan.web.wire import Language
from tests.cli.conftest import Papan, papan  # noqa: F401 - a fixture
from tests.web.asking import QUIET, ask

BOTH: tuple[Language, Language] = ("en", "id")
TRANSLATED = [name for name, path in PAGES.items() if path not in CHAPTERS["more"]]
FOUND = {
    language: {each.name: each for part in chapters(language) for each in part.pages}
    for language in BOTH
}


class Places(HTMLParser):
    """What a page has, and where it leads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.anchors: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        facts = {name: value or "" for name, value in attributes}
        self.tags.append(tag)
        self.links += [facts["href"]] if tag == "a" else []
        self.pictures += [facts["src"]] if tag == "img" else []
        self.anchors += [facts["id"]] if re.fullmatch(r"h\d", tag) else []


PLACES = {
    (language, name): Places(found.html)
    for language, book in FOUND.items()
    for name, found in book.items()
}


def test_the_app_gets_all_pages_of_a_language_at_once() -> None:
    answer = ask("GET", "/api/v1/help?language=id").json()
    assert [part["name"] for part in answer] == list(CHAPTERS)
    assert [each["name"] for part in answer for each in part["pages"]] == list(PAGES)
    assert {f"help.chapter_{name}" for name in CHAPTERS} <= catalogue("id").keys()


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_page_has_a_twin_with_the_same_headings_and_code(name: str) -> None:
    english, indonesian = (FOUND[language][name] for language in BOTH)
    assert (english.language, indonesian.language) == BOTH
    assert english.html != indonesian.html
    one, other = (PLACES[language, name] for language in BOTH)
    levels = [[tag for tag in each.tags if re.fullmatch(r"h\d", tag)] for each in (one, other)]
    assert levels[0] == levels[1]
    assert one.anchors == other.anchors, "an address leads to the same place in both languages"
    assert one.pictures == other.pictures
    pages = [page_text(name, language)[0] for language in BOTH]
    examples = [re.findall(r"^```python\n(.*?)^```", each, re.M | re.S) for each in pages]
    assert examples[0] == examples[1], "those of the English page are run"


def test_links_and_pictures_lead_somewhere() -> None:
    screens = {screen.split("/")[1] for screen in SCREENS}
    for (language, name), found in PLACES.items():
        for link in found.links:
            if link.startswith("/help/"):
                target, _, anchor = link.removeprefix("/help/").partition("#")
                assert not anchor or anchor in PLACES[language, target].anchors, (name, link)
            else:
                assert link.startswith("https://") or link.split("/")[1] in screens, (name, link)
        for picture in found.pictures:
            assert (docs_folder() / picture.removeprefix("/docs/")).is_file(), (name, picture)
    assert ask("GET", "/docs/images/dots.svg").headers["content-type"] == "image/svg+xml"


def test_a_screen_leads_to_a_place_of_the_help_that_is_there() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js"))
    places = re.findall(r'helpLink\("([^"]+)"', scripts)
    assert len(places) > 5
    for place in places:
        name, _, anchor = place.partition("#")
        assert not anchor or anchor in anchors(name, "en"), place
        assert name in TRANSLATED
    assert set(GAMES) <= set(TRANSLATED), "the screen of a game leads to its rules"


def test_about_names_every_library_with_its_licence_and_to_the_owner_the_folder() -> None:
    found = ask("GET", "/api/v1/about").json()
    assert {"fastapi", "numba", "rich"} <= {each["name"] for each in found["libraries"]}
    assert all(each["licence"] for each in found["libraries"])
    assert found["data"] == str(QUIET.data)
    stranger = {"authorization": "Bearer another"}
    assert ask("GET", "/api/v1/about", headers=stranger).json()["data"] is None
    papers = ask("GET", "/api/v1/papers").json()
    assert all(each["affiliation"] for each in papers)


@pytest.mark.parametrize("language", BOTH)
def test_a_link_to_a_heading_finds_it(language: Language) -> None:
    for name in PAGES:
        text, spoken = page_text(name, language)
        for link in re.findall(r"\]\(([^):]*#[^)]+)\)", text):
            target = link_target(link, name, spoken)
            assert target is None or "#" in target, f"{name} links to {link}"


def test_the_terminal_reads_the_same_pages(papan: Papan) -> None:  # noqa: F811
    assert papan("help", "dots", "--lang", "id").out.startswith("# Titik dan Kotak\n")
    pages = papan("help").out
    assert "lecturers" in pages
    assert pages.split()[:2] == ["page", "title"]  # T24
    wrong = papan("help", "chess")
    assert wrong.code == 2 and "dots" in wrong.err


def test_nothing_but_markdown_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# A\n\n<script>alert(1)</script> [x](javascript:alert(1)) <b onclick=x>b</b> `/lab`"
    monkeypatch.setattr("pathlib.Path.read_text", lambda *_, **__: text)
    anchors.cache_clear()
    found: HelpPage = help_page("play", "en")
    anchors.cache_clear()
    assert set(Places(found.html).tags) == {"h1", "p", "a", "code"}
    assert Places(found.html).links == ["/lab"]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            ("≤", "≲", "at most a draw", "turning point", "estimate · 6 plies", "forced", "ply"),
        ),
        (
            "id",
            ("≤", "≲", "paling baik seri", "titik balik", "perkiraan · 6 ply", "terpaksa", "ply"),
        ),
    ],
)
def test_e16_the_help_has_the_signs_and_words_of_the_screens(
    language: Language, words: tuple[str, ...]
) -> None:
    text, _ = page_text("analyse", language)
    assert [word for word in words if word not in text] == []


ENGLISH = """# The *title*

See [how](write-a-bot.md#the-end), [here](#the-end), [none](#nowhere), [web](https://x.org/), [gone](../src/x.py), `/room` and `/rooms`.

![board](../images/a.png)

## How it works?

| | |
|-|-|
| a | b |

```sh
x < y
```

### The "end"

| h |
|-|
| a |
"""  # noqa: E501
INDONESIAN = "# Judul\n\nLihat [di sini](play.md#akhir).\n\n## Cara kerja\n\n### Akhir\n"


@pytest.fixture
def two_texts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All pages have one text in each language."""
    texts = {"en": ENGLISH, "id": INDONESIAN}
    monkeypatch.setattr("papan.web.help.page_text", lambda name, spoken: (texts[spoken], spoken))
    anchors.cache_clear()
    yield
    anchors.cache_clear()


@pytest.mark.usefixtures("two_texts")
def test_a_page_becomes_html_with_labels_and_the_addresses_of_the_app() -> None:
    found = help_page("play", "en")
    assert (found.name, found.title, found.language) == ("play", "The title", "en")
    link = '<a href="{}" data-link="">{}</a>'.format
    scroll = 'role="group" tabindex="0" aria-label="{}"'.format
    assert found.html == (
        '<h1 id="the-title">The <em>title</em></h1>\n'
        f"<p>See {link('/help/write-a-bot#the-end', 'how')}, {link('/help/play#the-end', 'here')}, "
        f'{link("/help/play", "none")}, <a href="https://x.org/">web</a>, gone, '
        f"{link('/room', '<code>/room</code>')} and <code>/rooms</code>.</p>\n"
        '<p><img src="/docs/images/a.png" alt="board" /></p>\n'
        '<h2 id="how-it-works">How it works?</h2>\n'
        f'<div class="scroll" {scroll("How it works?")}><table class="ledger">\n'
        "<tbody>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n</tbody>\n</table></div>\n"
        f"<pre {scroll('How it works?')}><code>x &lt; y\n</code></pre>\n"
        '<h3 id="the-end">The &quot;end&quot;</h3>\n'
        f'<div class="scroll" {scroll("The &quot;end&quot;")}><table class="ledger">\n'
        '<thead>\n<tr>\n<th scope="col">h</th>\n</tr>\n</thead>\n'
        "<tbody>\n<tr>\n<td>a</td>\n</tr>\n</tbody>\n</table></div>\n"
    )


@pytest.mark.usefixtures("two_texts")
def test_anchors_are_the_english_ones_in_every_language() -> None:
    assert help_page("play", "id").html == (
        '<h1 id="the-title">Judul</h1>\n'
        '<p>Lihat <a href="/help/play#the-end" data-link="">di sini</a>.</p>\n'
        '<h2 id="how-it-works">Cara kerja</h2>\n<h3 id="the-end">Akhir</h3>\n'
    )


def test_a_page_is_in_english_where_a_language_has_none_and_made_where_a_game_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def text(name: str, language: Language) -> tuple[str, Language]:
        found, spoken = page_text(name, language)
        return found.partition("\n")[0], spoken

    monkeypatch.setattr("papan.web.help.docs_folder", lambda: tmp_path)
    monkeypatch.setattr("inspect.getfile", lambda kind: str(tmp_path / "rules.py"))
    places = ("page.en.md", "page.id.md", "games/dots.md", "id/games/dots.md")
    found = [(text("dots", "en"), text("dots", "id"))]
    for place in places:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(f"{place}\n")
        found.append((text("dots", "en"), text("dots", "id")))
    made = ("# Dots and Boxes", "en"), ("# Titik dan Kotak", "id")
    own = ("page.en.md", "en"), ("page.id.md", "id")
    docs = ("games/dots.md", "en"), ("id/games/dots.md", "id")
    assert found == [made, (own[0], own[0]), own, (docs[0], docs[0]), docs]
    with pytest.raises(KeyError):
        page_text("nothing", "en")
    with pytest.raises(KeyError):
        page_text("play", "en")  # no game: no page is made of it


@pytest.mark.parametrize(
    ("facts", "licence"),
    [
        ({"License-Expression": "MIT", "License": "other"}, "MIT"),
        ({"License": "BSD\nCopyright", "Classifier": "License :: OSI :: Apache"}, "BSD"),
        ({"Classifier": "License :: OSI Approved :: Apache License"}, "Apache License"),
        ({"Classifier": "Typing :: Typed"}, ""),
        ({}, ""),
    ],
)
def test_a_licence_is_what_a_library_says_first(facts: dict[str, str], licence: str) -> None:
    package = Message()
    for name, value in facts.items():
        package[name] = value
    assert _licence(cast(PackageMetadata, package)) == licence
