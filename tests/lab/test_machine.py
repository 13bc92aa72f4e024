"""What results depend on: a change in any source of them outdates earlier ones."""

import os
import platform
from importlib import metadata
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


def test_the_machine_is_told_by_its_processor_cores_system_and_versions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cpuinfo = "processor\t: 0\nmodel name\t: Fast 9 @ 2: GHz\nmodel name\t: Slow\n"
    files = {"/proc/cpuinfo": cpuinfo}
    monkeypatch.setattr(Path, "read_text", lambda path, encoding: files[str(path)])
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 3, 5}, raising=False)
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(platform, "release", lambda: "6.1")
    monkeypatch.setattr(platform, "python_version", lambda: "3.11.7")
    monkeypatch.setattr(metadata, "version", {"papan": "0.1.0"}.__getitem__)
    assert machine.machine() == {
        "processor": "Fast 9 @ 2: GHz",
        "cores": "3",
        "system": "Linux 6.1",
        "python": "3.11.7",
        "papan": "0.1.0",
    }


@pytest.mark.parametrize(("name", "shown"), [("a chip", "a chip"), ("", "arm64")])
def test_a_system_without_proc_tells_its_processor_or_its_architecture(
    name: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(path: Path, encoding: str) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", missing)
    monkeypatch.setattr(platform, "processor", lambda: name)
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    assert machine.machine()["processor"] == shown


@pytest.mark.parametrize(("counted", "cores"), [(8, 8), (None, 1)])
def test_a_system_that_assigns_no_cores_has_all_that_it_counts(
    counted: int | None, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: counted)
    assert machine.cores() == cores
