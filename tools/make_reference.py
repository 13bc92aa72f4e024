"""Write the results that papan ships, and their text for the documentation."""

from __future__ import annotations

import argparse
from pathlib import Path

from papan.papers import PAPERS
from papan.papers.paper import reference_place, reports, to_file
from papan.papers.report import report_text

ROOT = Path(__file__).parents[1]
TEXT = ROOT / "docs" / "papers" / "full-run.txt"
HEAD = """The full run of all papers, as text: papan lab run all --seed 0.

Times are those of the processor, on a machine that was doing other work too. Figures, and the
same in Indonesian: papan lab report, or Lab in the browser.


"""


def main() -> None:
    """Read the newest finished run of each paper in a folder, and write its results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where 'papan lab run all' kept them")
    found = reports(parser.parse_args().folder, PAPERS)
    for report in found:
        file = Path(str(reference_place(report.run.paper.number)))
        file.write_text(to_file(report), encoding="utf-8")
    if len(found) == len(PAPERS):
        TEXT.write_text(HEAD + report_text(found, "en"), encoding="utf-8")


if __name__ == "__main__":
    main()
