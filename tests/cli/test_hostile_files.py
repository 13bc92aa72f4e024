"""Every command that reads a file meets every evil one: a sentence, no harm, and no waiting."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from papan.lab.tournament.folder import create
from papan.lab.tournament.plan import TournamentPlan
from papan.papers import chosen_papers
from papan.papers.paper import Run

from .conftest import Papan

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes"),
]

RECORD = {
    "game": "tictactoe:3,3,3", "start": "tictactoe:3,3,3 .../.../... x",
    "agents": ["human", "random"], "moves": "a1 a2 b1 b2 c1", "scores": [1, 0], "end": "win",
}  # fmt: skip
SECRET = "precious"
Evil = Callable[[Path, Path], object]


def text(content: bytes) -> Evil:
    return lambda path, victim: path.write_bytes(content)


def record(**facts: object) -> Evil:
    return text(json.dumps(RECORD | facts).encode())


def sparse(path: Path, victim: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10**12)


IRREGULAR: dict[str, Evil] = {
    "a link": lambda path, victim: path.symlink_to(victim),
    "a link to nothing": lambda path, victim: path.symlink_to(victim.with_name("new")),
    "a link to itself": lambda path, victim: path.symlink_to(path.name),
    "a device": lambda path, victim: path.symlink_to("/dev/zero"),
    "a pipe": lambda path, victim: os.mkfifo(path),
    "a folder": lambda path, victim: path.mkdir(),
}
REGULAR: dict[str, Evil] = {
    "no end": sparse,
    "depth": text(b"[" * 200_000),
    "deep objects": text(b'{"a":' * 100_000),
    "no letters": text(b"\xff\xfe{}\n"),
    "nothing but zeros": text(b"\0" * 1000 + b"\n"),
    "a long number": text(b'{"game": 1' + b"0" * 6000 + b"}\n"),
    "no numbers": record(scores=[float("nan"), float("inf")]),
    "large numbers": record(scores=[10**400, 0]),
    "half letters": record(agents=["human\ud800", "random"], names=["\ud83d", "x"]),
    "a large board": record(game="onet:99999,99999"),
    "a million moves": record(moves="a1 " * 1_000_000),
    "a program": record(
        agents=["bot:evil.py", "program:touch harm"], moves="a1 b1", scores=[0, 0], end="open"
    ),
    "no proof": text(b'{"proof": "\\u001b[31m", "plies": 4}\n{"unit": [], "found": 5}\n'),
}
EVIL = IRREGULAR | REGULAR
COMMANDS = {
    "review": ("review", "file", "--seconds", "0.01"),
    "play": ("play", "--load", "file"),
    "import": ("mine", "import", "file"),
    "board": ("solve", "--board", "file"),
    "check": ("prove", "--check", "file"),
    "prove": ("prove", "connect4:4,4", "--file", "file"),
    "trust": ("prove", "connect4:4,4", "--file", "file", "--trust"),
    "report": ("tournament", "report", "file"),
    "resume": ("tournament", "resume", "file", "--trust"),
}
SHOWN = ("import", "review")
"""What takes games of bots: they are kept or shown, and the bots never run."""


def unharmed(victim: Path) -> bool:
    strange = [victim.with_name(name) for name in ("new", "harm")]
    return victim.read_text() == SECRET and not any(path.exists() for path in strange)


@pytest.mark.parametrize("command", COMMANDS)
def test_z2_a_command_refuses_what_is_no_file_of_its_kind(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    victim = tmp_path / "victim"
    victim.write_text(SECRET)
    (tmp_path / "evil.py").write_text("open('harm', 'w')\n")
    for name in EVIL:
        place = tmp_path / "file"
        EVIL[name](place, victim)
        ran = papan(*COMMANDS[command], typed="quit\n")
        shown = name == "a program" and command in SHOWN
        assert ran.code == (0 if shown else 2), (command, name, ran)
        assert shown or len(ran.err.splitlines()) == 1, (command, name, ran.err)
        assert unharmed(victim), (command, name)
        place.rmdir() if place.is_dir() and not place.is_symlink() else place.unlink()


@pytest.mark.parametrize("command", ["check", "review", "report", "board"])
def test_z2_a_name_that_no_system_takes_is_told(papan: Papan, command: str) -> None:
    ran = papan(*("x" * 300 if word == "file" else word for word in COMMANDS[command]))
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)


SPECIAL = Path("/proc/kmsg")


@pytest.mark.skipif(not os.access(SPECIAL, os.R_OK), reason="only root may read it, on Linux")
@pytest.mark.parametrize("command", ["review", "play", "import", "board", "check", "report"])
def test_z2_a_special_file_that_calls_itself_regular_is_refused(papan: Papan, command: str) -> None:
    ran = papan(*(str(SPECIAL) if word == "file" else word for word in COMMANDS[command]))
    assert (ran.code, len(ran.err.splitlines())) == (2, 1), ran


@pytest.mark.parametrize("command", COMMANDS)
def test_z2_a_dash_is_no_file(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = papan(*("-" if word == "file" else word for word in COMMANDS[command]))
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "standard input" in ran.err
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("command", [("mine", "export", "-"), ("complexity", "--chart=-")])
def test_z2_a_dash_is_no_file_to_write(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = papan(*command)
    assert ran.code == 2
    assert "standard input" in ran.err
    assert not (tmp_path / "-").exists()


KEPT = {
    "games": ("data/papan/games/evil.json", ("mine", "list")),
    "puzzles": ("data/papan/puzzles.json", ("puzzle", "--standing")),
    "players": (
        "data/papan/players/evil.npz",
        ("analyse", "tictactoe", "--agent", "learned:player=evil"),
    ),
    "runs": ("runs/000-quick-0.jsonl", ("lab", "list", "--folder", "runs")),
    "reports": ("runs/000-quick-0.jsonl", ("lab", "report", "000", "--folder", "runs")),
    "efforts": ("cup/effort.jsonl", ("tournament", "report", "cup")),
    "journals": ("cup/games.jsonl", ("tournament", "report", "cup")),
    "plans": ("other/plan.json", ("tournament", "report", "other")),
}


@pytest.mark.parametrize("kind", KEPT)
def test_z2_whatever_lies_in_a_folder_a_command_ends_with_a_sentence(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    victim, (name, command) = tmp_path / "victim", KEPT[kind]
    victim.write_text(SECRET)
    create(tmp_path / "cup", TournamentPlan("tictactoe", ("random", "random"), pairs=1))
    place = tmp_path / name
    place.parent.mkdir(parents=True, exist_ok=True)
    for evil in EVIL:
        EVIL[evil](place, victim)
        ran = papan(*command, typed="quit\n")
        assert ran.code in (0, 2), (evil, ran)
        assert ran.err.strip() or ran.out.strip(), evil
        assert unharmed(victim), evil
        place.rmdir() if place.is_dir() and not place.is_symlink() else place.unlink()


@pytest.mark.parametrize("finding", [None, "text", [], {}, float("nan"), [[1]], {"a": 1}])
def test_z10_findings_that_no_run_finds_are_told(
    papan: Papan, tmp_path: Path, finding: object
) -> None:
    (paper,) = chosen_papers(["000"])
    run = Run(paper, "quick", 0, tmp_path)
    job = run.job()
    job.log.path.write_text(
        job.log.path.read_text()
        + "".join(
            json.dumps({"unit": item.name, "found": finding, "seconds": 1, "cpu": 1}) + "\n"
            for item in job.items
        )
    )
    ran = papan("lab", "report", "000", "--folder", str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert "does not hold what a run of this paper finds" in ran.err


def test_z2_a_report_is_not_written_through_a_link(papan: Papan, tmp_path: Path) -> None:
    elsewhere, runs = tmp_path / "elsewhere", tmp_path / "data" / "papan" / "lab"
    elsewhere.mkdir()
    runs.mkdir(parents=True)
    (runs / "report-en").symlink_to(elsewhere)
    ran = papan("lab", "report", "000")
    assert ran.code == 2
    assert "would go to another folder" in ran.err
    assert not list(elsewhere.iterdir())
