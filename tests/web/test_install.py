"""What a phone installs, what stands where the server is gone, and what a shared link shows."""

import io
import json
import re
from pathlib import Path

import pytest
from PIL import Image

from papan.core.message import catalogue
from papan.web.app import files_version
from tests.web.asking import ask


def test_u21_the_app_can_be_installed_with_icons_of_its_own() -> None:
    found = re.search(r'rel="manifest" href="([^"]+)"', ask("GET", "/").text)
    assert found is not None
    manifest = json.loads(ask("GET", found[1]).content)
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert {each.get("purpose") for each in manifest["icons"]} == {None, "maskable"}
    for icon in manifest["icons"]:
        content = ask("GET", str(Path(found[1]).parent / icon["src"])).content
        if icon["type"] == "image/png":
            size = Image.open(io.BytesIO(content)).size
            assert f"{size[0]}x{size[1]}" == icon["sizes"]


def test_u21_the_service_worker_keeps_files_of_this_version_alone() -> None:
    answer = ask("GET", "/service-worker.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert f'"/static/{files_version()}"' in answer.text
    assert '"/static"' not in answer.text
    names = re.findall(r"\$\{STATIC\}/([\w./-]+)", answer.text)
    for name in names:
        assert ask("GET", f"/static/{files_version()}/{name}").status_code == 200, name
    page = ask("GET", "/").text
    needed = set(re.findall(rf'"/static/{files_version()}/([^"]+)"', page))
    assert {each for each in needed if "apple-touch" not in each and "icons/" not in each} <= set(
        names
    )


@pytest.mark.parametrize("language", ["id", "en"])
def test_u21_a_shared_link_shows_its_game(language: str) -> None:
    answer = ask("GET", "/play/dots:2,2?moves=a1b1", headers={"accept-language": f"{language}-XX"})
    texts = catalogue(language)
    assert f'og:title" content="{texts["game.dots"]} \u00b7 papan"' in answer.text
    assert f'og:description" content="{texts["web.lead"]}"' in answer.text
    image = re.search(r'og:image" content="(https?://[^/]+)(/[^"]+)"', answer.text)
    assert image is not None
    assert ask("GET", image[2]).headers["content-type"] == "image/png"
