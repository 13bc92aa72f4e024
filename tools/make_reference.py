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

In 000 and 004 the replays, the chain value, the review of every step, both strategies and the
wider scale were measured on 18 November 2026; and so were, against the levels of that day, the
lines about levels in 000, in 001, and in 004 those from the empty board and on larger boards. The
other games of 000 and 004 are those of the full run of 16 November, with the same seed, amounts and
agents; in 004's tables of both agents against each level, levels 1 to 4 are those before they were
made to err like people.


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
