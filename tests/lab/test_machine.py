"""What results depend on: a change in any source of them outdates earlier ones."""

from pathlib import Path

import pytest

from papan.lab import machine
from papan.lab.machine import SOURCES


def test_a_change_in_any_source_even_in_folders_within_folders_changes_the_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = []
    for place in SOURCES:
        path = tmp_path / place
        sources += [path] if path.suffix else [path / "a.py", path / "b" / "c.py"]
    for source in sources:
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("1")
    monkeypatch.setattr(machine, "__file__", str(tmp_path / "lab" / "machine.py"))
    marks = [machine.sources_mark.__wrapped__()]
    (tmp_path / "games" / "notes.txt").write_text("no source")
    assert machine.sources_mark.__wrapped__() == marks[0]
    for source in sources:
        source.write_text("2")
        marks.append(machine.sources_mark.__wrapped__())
    assert len(set(marks)) == len(sources) + 1
