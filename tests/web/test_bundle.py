"""The scripts as browsers get them: joined, with all that they export; and data beside them."""

import json
import re
from pathlib import Path

import pytest

from papan import catalog
from papan.core.message import LANGUAGES, catalogue
from papan.core.parts import Card
from papan.web.app import STATIC, joined_files, usual_sizes, with_given
from papan.web.bundle import NOT_JOINED, Bundle, game_modules, joined_styles, without_comments
from papan.web.offline import offline_folders

BUNDLE = Bundle(STATIC / "js", offline_folders())


def test_every_module_is_in_one_of_three_scripts() -> None:
    first, other, code = BUNDLE.first_script(), BUNDLE.other_script(), BUNDLE.code_script()
    named = re.compile(r'^define\("([^"]+)"', re.M)
    found = [*named.findall(first), *named.findall(other), *named.findall(code)]
    scripts = {path.relative_to(STATIC / "js").as_posix() for path in STATIC.rglob("js/**/*.*js")}
    of_games = {"games/all.js", *(f"games/{name}.js" for name in offline_folders())}
    assert sorted(found) == sorted(scripts - set(NOT_JOINED) | of_games)
    assert not of_games & {*named.findall(first)}, "a first visit does not wait for them"
    for script in (first, other.partition("\n")[2], code.partition("\n")[2]):
        assert not re.search(r"^import\b|\bimport\(\"\.\.?/", script, re.M)


def test_the_editor_is_loaded_where_code_is_written_and_nowhere_else() -> None:
    first, other, code = BUNDLE.first_script(), BUNDLE.other_script(), BUNDLE.code_script()
    assert 'define("code_editor.js"' in code and "createEditor" in code
    assert "createEditor" not in first + other
    assert other.count('load("code_editor.js", "./code.js")') == 1
    assert 'use("vendor/prism-code-editor/languages/python.js");' in code


def test_the_style_of_the_editor_is_apart_from_that_of_the_app() -> None:
    _, files = joined_files("/static/1")
    assert ".lesson-stage" in files["css/all.css"] and ".pce-" not in files["css/all.css"]
    assert ".pce-" in files["css/code.css"] and ".lesson-stage" not in files["css/code.css"]


def test_a_module_returns_what_it_exports_and_takes_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "main.js").write_text(
        'import { one, two as both } from "./parts/x.js";\n// a comment\nexport class Main {}\n'
        'export const later = () => import("./parts/x.js");\n'
    )
    for name in ("screens/home.js", "screens/play.js", "pickers.js", "parts/x.js"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("const a = 1;\nexport { a as one, a };\n")
    joined = Bundle(tmp_path).first_script()
    assert 'const { one, two: both } = use("parts/x.js");' in joined
    assert "return { Main, later };" in joined
    assert "return { one: a, a };" in joined
    assert 'load("parts/x.js")' in joined
    assert "a comment" not in joined


def test_each_module_is_read_once_also_where_modules_import_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("main.js", "screens/home.js", "screens/play.js", "pickers.js", "a.js", "b.js"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        up = "../" if "/" in name else "./"
        (tmp_path / name).write_text(f'import "{up}a.js";\nimport "{up}b.js";\n')
    read, usual = list[str](), Path.read_text

    def read_text(path: Path, encoding: str) -> str:
        read.append(path.name)
        return usual(path, encoding)

    monkeypatch.setattr(Path, "read_text", read_text)
    bundle = Bundle(tmp_path)
    assert 'define("a.js"' in bundle.first_script()
    assert sorted(read) == sorted(set(read))


def test_the_script_of_a_game_is_a_module_with_the_drawings_beside_it(tmp_path: Path) -> None:
    (tmp_path / "offline.js").write_text(
        'import { tag } from "../../web/static/js/offline/picture.js";\n'
        "export function begin() {}\nexport function read() {}\n"
    )
    (tmp_path / "stone.svg").write_text('<svg xmlns="…"/>')
    found = game_modules({"my-nim": tmp_path})
    assert found.keys() == {"games/my-nim.js", "games/all.js"}
    assert found["games/my-nim.js"].startswith('import { tag } from "../offline/picture.js";')
    assert 'from "./my-nim.js";' in found["games/all.js"]
    assert json.dumps('<svg xmlns="…"/>') in found["games/all.js"]


def test_only_comments_on_lines_of_their_own_are_left_out() -> None:
    source = 'a("//"); // b\n/* c\n d */\n  // e\nf(/** @type {g} */ (h));\n'
    assert without_comments(source) == 'a("//"); // b\nf(/** @type {g} */ (h));\n'


def test_all_style_sheets_are_joined_in_their_order() -> None:
    page = joined_styles(STATIC / "css")
    assert page.index(".spot {") < page.index(".hero {") < page.index(".lesson {")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_first_visit_can_say_what_its_scripts_name(language: str) -> None:
    texts = catalogue(language)
    said = BUNDLE.spoken(texts, ("error", "onet"))
    assert {"web.welcome", "room.your_turn", "web.opponent_3", "onet.pairs_left"} & set(
        texts
    ) <= set(said)
    assert len(said) < len(texts) / 2
    assert not any(key.startswith("lesson.") for key in said)


def test_data_cannot_end_its_block() -> None:
    page = with_given('<script id="given">{}</script>', {"a": "</script><b>"})
    block = page.removeprefix('<script id="given">').removesuffix("</script>")
    assert "<" not in block
    assert json.loads(block) == {"a": "</script><b>"}


def test_sizes_that_pages_begin_with_are_those_of_the_server() -> None:
    for name, kind in catalog.GAMES.items():
        sizes = usual_sizes(kind())
        assert sizes[0] == kind().spec
        assert set(sizes[1:]) <= set(Card.of(kind()).presets), name
