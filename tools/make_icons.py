"""Draw the icons that phones install, from icon.svg: src/papan/web/static/icons/*.png.

python tools/make_icons.py
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the tests know how to find a browser

from tests.web.browser.chromium import chromium  # noqa: E402

STATIC = ROOT / "src" / "papan" / "web" / "static"
ICONS = {
    "192": (192, False),
    "512": (512, False),
    "maskable-512": (512, True),
    "apple-180": (180, True),
}
"""Size of each icon, and whether it fills its square (systems crop those to their own shape)."""


def main() -> None:
    """Draw all icons into the static files of the web app."""
    drawing = (STATIC / "icon.svg").read_text(encoding="utf-8")
    found = chromium()
    os.environ.update(found.variables)
    with sync_playwright() as playwright:
        arguments = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        browser = playwright.chromium.launch(executable_path=found.program, args=arguments)
        for name, (size, full) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            svg = re.sub(r' rx="\d+"', "", drawing, count=1) if full else drawing
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{svg}")
            page.screenshot(path=STATIC / "icons" / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
