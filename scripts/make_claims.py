"""Write what each paper claims, line by line, as runs of its recipe compare it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from papan.papers import PAPERS
from papan.papers.paper import FILE, as_data
from papan.papers.run import reports

PAPERS_FOLDER = Path(__file__).parents[1] / "src" / "papan" / "papers"


def main() -> None:
    """Read the finished runs of all papers; the claims do not depend on their sizes and seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where 'papan lab run all --quick' kept them")
    found = {
        report.run.paper.number: as_data(report.conclusions.findings)
        for report in reports(parser.parse_args().folder, PAPERS)
    }
    lines = (
        f'"{number}": [\n' + ",\n".join(json.dumps(each, ensure_ascii=False) for each in claims)
        for number, claims in sorted(found.items())
    )
    (PAPERS_FOLDER / FILE).write_text("{\n" + "\n],\n".join(lines) + "\n]\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
