"""Tables of Dots and Boxes boards: numbered, made, kept, and asked instead of a search."""

import importlib.util
import random
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papan.core import InvalidDatabaseError, Limit, PapanWarning, Thinking
from papan.games.dots import endgame_db_file, kernel_endgame_db
from papan.games.dots.chains import quiet, taking
from papan.games.dots.endgame_db import EndgameDb, PositionNumbering, endgame_db_for, has_numbers
from papan.games.dots.rules import Dots
from papan.games.dots.solver import DotsProver, DotsSolver
from papan.games.dots.workspace import DotsBoard, new_memory, turns
from tests.games.test_dots_solver import brute, late_position, open_lines, safe_play

SCRIPT = Path(__file__).parents[2] / "tools" / "make_endgame_db.py"


def load_script() -> Any:
    spec = importlib.util.spec_from_file_location("make_endgame_db", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def script() -> Any:
    return load_script()


@pytest.fixture(scope="module")
def folder(script: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of some boards."""
    folder = tmp_path_factory.mktemp("tables")
    for rows, columns in ((2, 2), (2, 3), (3, 3), (4, 2)):
        script.make(Dots(rows, columns), folder / endgame_db_file.name_of(rows, columns))
    return folder


@pytest.fixture
def databases(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let solvers find the tables."""
    monkeypatch.setattr(endgame_db_file, "database_folder", lambda: folder)
    endgame_db_for.cache_clear()
    yield
    endgame_db_for.cache_clear()


def truth(game: Dots) -> DotsProver:
    return DotsProver(game, Thinking(Limit()), memory=8)


def opened(folder: Path, game: Dots) -> EndgameDb:
    return EndgameDb(game, folder / endgame_db_file.name_of(game.rows, game.columns))


# Every quiet position


@pytest.mark.thorough
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3)])
def test_the_table_knows_every_quiet_position(folder: Path, rows: int, columns: int) -> None:
    game = Dots(rows, columns)
    database, memory = opened(folder, game), new_memory(DotsBoard(game))
    for drawn in range(1 << game.move_count):
        if quiet(game, drawn):
            assert database.value(memory, drawn) == brute(game).value(drawn)


@pytest.mark.thorough
@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 2)])
def test_the_table_agrees_with_the_search(folder: Path, rows: int, columns: int) -> None:
    game = Dots(rows, columns)
    database, memory, searched = opened(folder, game), new_memory(DotsBoard(game)), truth(game)
    rng = random.Random(f"table {rows} {columns}")
    for lines in range(game.move_count + 1):
        for _ in range(40):
            drawn = taking(game, late_position(game, lines, rng).drawn).rest
            assert database.value(memory, drawn) == searched.value(drawn)
    for lines in range(len(game.boxes) + 4, game.move_count + 1):
        for _ in range(40):
            drawn = safe_play(game, lines, rng).drawn
            assert database.value(memory, drawn) == searched.value(drawn)


@pytest.mark.parametrize(
    ("rows", "columns", "value"), [(2, 2, 2), (2, 3, -2), (3, 3, -3), (4, 2, 2)]
)
def test_known_values_of_empty_boards(folder: Path, rows: int, columns: int, value: int) -> None:
    game = Dots(rows, columns)
    assert opened(folder, game).value(new_memory(DotsBoard(game)), 0) == value


def test_images_of_a_position_have_the_same_value(folder: Path) -> None:
    game = Dots(3, 3)
    database, board = opened(folder, game), DotsBoard(game)
    line_at = {point: line for line, point in enumerate(board.points)}
    rng = random.Random(8)
    for _ in range(50):
        drawn = safe_play(game, 16, rng).drawn
        lines = [line for line in range(game.move_count) if drawn >> line & 1]
        images = [
            sum(1 << line_at[turn(board.points[line])] for line in lines) for turn in turns(game)
        ]
        assert len({database.value(new_memory(board), image) for image in images}) == 1


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3)])
def test_every_quiet_position_has_a_number_of_its_own(rows: int, columns: int) -> None:
    """On these boards no core is an image of another, so there is one for each position."""
    game = Dots(rows, columns)
    numbering = PositionNumbering(game)
    positions = {
        numbering.board.words(drawn) for drawn in range(1 << game.move_count) if quiet(game, drawn)
    }
    assert sum(core.positions for core in numbering.cores) == len(positions)


def test_cores_that_are_images_of_each_other_are_kept_once() -> None:
    """Four lines around a box: none, two that meet, two that do not, three, or all of them."""
    assert [core.size for core in PositionNumbering(Dots(3, 3)).cores] == [0, 2, 2, 3, 4]


@pytest.mark.parametrize(("chords", "value"), [(0, -16), (1, 16), (2, -16), (3, 16)])
def test_all_sixteen_boxes_and_none_are_told_apart(chords: int, value: int) -> None:
    """A loop of all boxes falls to the rival of who must open it: the chords decide who must."""
    game = Dots(4, 4)
    numbering = PositionNumbering(game)
    loop = [0, 1, 2, 3, 7, 6, 5, 9, 10, 11, 15, 14, 13, 12, 8, 4]
    drawn = open_lines(game, loop, closed=True)
    for one, other in [(1, 5), (2, 6), (9, 13)][:chords]:
        drawn &= ~(game.boxes[one] & game.boxes[other])
    saved = np.zeros(numbering.words, np.uint64)  # all or none, everywhere
    left = (1 << game.move_count) - 1 - drawn
    memory = new_memory(numbering.board)
    assert (
        kernel_endgame_db.database_value(memory.address, numbering.lookup, saved.ctypes.data, left)
        == value
    )


# The solver


@pytest.mark.usefixtures("databases")
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 3), (4, 2)])
def test_the_solver_answers_from_the_table_without_a_search(rows: int, columns: int) -> None:
    game = Dots(rows, columns)
    rng = random.Random(f"solver {rows} {columns}")
    for lines in (game.move_count, game.move_count - 4, len(game.boxes), 3, 1):
        position = late_position(game, lines, rng)
        known, searched = (
            DotsSolver(all_moves=True, book=book).analyse(position) for book in (True, False)
        )
        assert (known.nodes, known.exact, known.why) == (0, True, "exact")
        assert (known.value, known.values) == (searched.value, searched.values)
        assert known.facts["book"] is True
        assert searched.facts["book"] is False
        work = ("book", "table")  # how it was found out, not what
        assert all(
            known.facts[name] == searched.facts[name] for name in known.facts if name not in work
        )
        end = position
        for move in known.line:
            end = end.child(move)
        assert not end.moves()
        assert end.owned[position.turn] - end.owned[1 - position.turn] == known.value


@pytest.mark.usefixtures("databases")
def test_no_limit_is_too_tight_for_the_table() -> None:
    analysis = DotsSolver().analyse(Dots(3, 3).start(), Limit(nodes=1))
    assert (analysis.value, analysis.exact, analysis.nodes) == (-3, True, 0)
    assert len(analysis.line) == 24


@pytest.mark.usefixtures("databases")
def test_boards_without_a_table_are_searched() -> None:
    assert endgame_db_for(Dots(3, 4)) is None
    assert DotsSolver().analyse(Dots(2, 4).start()).nodes > 0


@pytest.mark.parametrize(("rows", "columns"), [(1, 4), (3, 6), (5, 5)])
def test_boards_too_narrow_or_too_large_have_no_numbers(rows: int, columns: int) -> None:
    assert not has_numbers(Dots(rows, columns))
    assert endgame_db_for(Dots(rows, columns)) is None


# The file


def test_a_table_takes_half_a_byte_for_a_position(folder: Path) -> None:
    positions = sum(core.positions for core in PositionNumbering(Dots(3, 3)).cores)
    assert (folder / "dots-3x3.table").stat().st_size < positions / 2 + 200


def damaged(content: bytes) -> dict[str, bytes]:
    """Files that are not the table they were."""
    return {
        "empty": b"",
        "cut off": content[:-8],
        "too long": content + bytes(8),
        "another version": content[:16] + b"\1" + content[17:],
        "not whole": endgame_db_file.Head(3, 3, (len(content) - 64) // 8, left=1).packed()
        + content[64:],
        "another board": endgame_db_file.Head(2, 3, (len(content) - 64) // 8).packed()
        + content[64:],
        "something else": random.Random(0).randbytes(len(content)),
    }


@pytest.mark.parametrize("fault", damaged(bytes(64)))
def test_a_wrong_file_is_warned_of_once_and_not_used(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    content = (folder / "dots-3x3.table").read_bytes()
    (tmp_path / "dots-3x3.table").write_bytes(damaged(content)[fault])
    monkeypatch.setattr(endgame_db_file, "database_folder", lambda: tmp_path)
    endgame_db_for.cache_clear()
    with pytest.warns(PapanWarning, match=r"dots-3x3\.table is not a whole table") as caught:
        analyses = [DotsSolver().analyse(Dots(3, 3).start()) for _ in range(2)]
    endgame_db_for.cache_clear()
    assert len(caught) == 1
    assert all(analysis.value == -3 and analysis.nodes > 0 for analysis in analyses)
    assert isinstance(endgame_db_file.endgame_databases()["dots-3x3.table"], InvalidDatabaseError)


def test_a_damaged_value_is_found_where_tables_are_listed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = bytearray((folder / "dots-2x2.table").read_bytes())
    monkeypatch.setattr(endgame_db_file, "database_folder", lambda: tmp_path)
    (tmp_path / "dots-2x2.table").write_bytes(content)
    assert endgame_db_file.endgame_databases() == {"dots-2x2.table": None}
    content[-1] ^= 1
    (tmp_path / "dots-2x2.table").write_bytes(content)
    assert "not a whole table" in str(endgame_db_file.endgame_databases()["dots-2x2.table"])


def test_a_table_under_the_name_of_another_board_is_found_where_tables_are_listed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("dots-2x2.table", "dots-2x3.table", "dots-10x10.table", "2x2.table"):
        (tmp_path / name).write_bytes((folder / "dots-2x2.table").read_bytes())
    monkeypatch.setattr(endgame_db_file, "database_folder", lambda: tmp_path)
    listed = endgame_db_file.endgame_databases()
    assert [*listed] == ["dots-10x10.table", "dots-2x2.table", "dots-2x3.table"]
    assert [name for name, error in listed.items() if error is None] == ["dots-2x2.table"]


def test_the_head_of_a_table_is_written_as_it_was_ever() -> None:
    head = endgame_db_file.Head(2, 3, words=0x0102, left=4, check=0x05060708)
    fields = b"papan dots table" + bytes((2, 0, 2, 3, 2, 1, *bytes(6), 4, 0, 0, 0, 8, 7, 6, 5))
    assert head.packed() == (fields + zlib.crc32(fields).to_bytes(4, "little")).ljust(64, b"\0")
    assert head.size == 64 + 8 * 0x0102
    assert head == endgame_db_file.Head(2, 3, words=0x0102, left=4), "whatever its values are"


def test_a_file_that_is_gone_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(InvalidDatabaseError, match=r"gone\.table.*No such file") as caught:
        endgame_db_file.read_head(tmp_path / "gone.table")
    assert caught.value.message.key == "error.cannot_read"


def test_the_checksum_is_that_of_the_values_however_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endgame_db_file, "PORTION", 8)
    values = bytes(range(100))
    (tmp_path / "table").write_bytes(bytes(64) + values)
    assert endgame_db_file.checksum(tmp_path / "table") == zlib.crc32(values)


def test_a_folder_in_place_of_the_file_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "dots-3x3.table").mkdir()
    with pytest.raises(InvalidDatabaseError, match="regular files only"):
        EndgameDb(Dots(3, 3), tmp_path / "dots-3x3.table")


def test_z2_a_link_in_place_of_the_file_is_no_table(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dots-2x2.table").symlink_to(folder / "dots-2x2.table")
    monkeypatch.setattr(endgame_db_file, "database_folder", lambda: tmp_path)
    with pytest.raises(InvalidDatabaseError, match="regular files only"):
        EndgameDb(Dots(2, 2), tmp_path / "dots-2x2.table")
    assert "regular files only" in str(endgame_db_file.endgame_databases()["dots-2x2.table"])


# The script


def test_a_stopped_run_goes_on(script: Any, folder: Path, tmp_path: Path) -> None:
    path, numbering = tmp_path / "dots-3x3.table", PositionNumbering(Dots(3, 3))
    part = tmp_path / "dots-3x3.table.part"
    done = script.Draft(numbering, part).fill_all(threads=1)
    assert [next(done), next(done)] == numbering.cores[:2]
    done.close()
    assert script.Draft(numbering, part).left == len(numbering.cores) - 2
    script.make(numbering.game, path)
    assert path.read_bytes() == (folder / path.name).read_bytes()
    assert not part.exists()


def test_two_threads_write_the_same_table(script: Any, folder: Path, tmp_path: Path) -> None:
    script.make(Dots(3, 3), tmp_path / "table", threads=2)
    assert (tmp_path / "table").read_bytes() == (folder / "dots-3x3.table").read_bytes()


def test_a_draft_of_another_board_is_begun_again(script: Any, folder: Path, tmp_path: Path) -> None:
    part = tmp_path / "table.part"
    part.write_bytes((folder / "dots-2x3.table").read_bytes())
    script.make(Dots(2, 2), tmp_path / "table")
    assert (tmp_path / "table").read_bytes() == (folder / "dots-2x2.table").read_bytes()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["1", "4"], "up to 16 boxes"),
        (["5", "5"], "up to 16 boxes"),
        (["0", "4"], "1 to 25 rows"),
        (["two", "2"], "invalid int value"),
        (["2", "2", "."], "is a folder"),
        (["2", "2", "--threads", "0"], "invalid choice"),
    ],
)
def test_bad_arguments_of_the_script(
    script: Any, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    with pytest.raises(SystemExit) as leaving:
        script.arguments(words)
    assert leaving.value.code == 2
    assert complaint in capsys.readouterr().err


def test_a_table_that_has_no_room_is_not_begun(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "room", lambda folder: 100)
    with pytest.raises(OSError, match="room for 100 bytes only"):
        script.make(Dots(2, 2), tmp_path / "table")
    assert not list(tmp_path.iterdir())
