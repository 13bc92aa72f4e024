"""Write what each paper claims, line by line, as runs of its recipe compare it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from papan.lab.claims import FILE, as_data
from papan.lab.papers import PAPERS
from papan.lab.runs import reports

PUBLISHED = Path(__file__).parents[1] / "src" / "papan" / "lab" / "papers" / "published"


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
    (PUBLISHED / FILE).write_text("{\n" + "\n],\n".join(lines) + "\n]\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
