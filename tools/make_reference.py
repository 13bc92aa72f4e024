"""Write the results that papan ships, and their text for the documentation."""

from __future__ import annotations

import argparse
from pathlib import Path

from papan.papers import PAPERS
from papan.papers.paper import reference, reference_place, reports, to_file
from papan.papers.report import report_text

ROOT = Path(__file__).parents[1]
TEXT = ROOT / "docs" / "papers" / "full-run.txt"
HEAD = """The full run of all papers, as text: papan lab run all --seed 0.

Times are those of the processor, on a machine that was doing other work too. Figures, and the
same in Indonesian: papan lab report, or Lab in the browser.

In 000 the games against random and perfect play and against level:5 are those of a full run of 16
November 2026; all else in 000 and all of 004 was measured on 18 November, with the same seed and
amounts. Levels 1 to 4 are those of that day.


"""


def main() -> None:
    """Write the results that papan ships, from each paper's newest finished run in a folder.

    The text of all results is written, too; with an empty folder it alone, as where only words
    have changed.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where 'papan lab run' kept them")
    folder = parser.parse_args().folder
    for report in reports(folder, PAPERS):
        file = Path(str(reference_place(report.run.paper.number)))
        file.write_text(to_file(report), encoding="utf-8")
    shipped = [reference(paper, folder) for paper in PAPERS]
    TEXT.write_text(HEAD + report_text(shipped, "en"), encoding="utf-8")


if __name__ == "__main__":
    main()
