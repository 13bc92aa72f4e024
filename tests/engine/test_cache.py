"""Compiled code is kept where it harms nobody, and thrown away when any kernel changes."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numba
import pytest
from numba.np import linalg

import papan
from papan import api, catalog
from papan.cli import doctor
from papan.core import PapanWarning
from papan.core.compiling import NotCompiledError, unawaited
from papan.engine import cache
from papan.engine.native import native

pytestmark = pytest.mark.thorough

CALLER = """
from papan.engine.callee import number
from papan.engine.native import native

@native()
def answer():
    return number()

print(answer())
"""

CALLEE = """
from papan.engine.native import native

@native()
def number():
    return {}
"""

SEARCHES = """
import papan
agents = map(papan.agent, ("alphabeta", "level:4"))
print(len([each.choose(papan.position("tictactoe")) for each in agents]), "moves")
"""

ALL_DOORS = """
import sys
from importlib import import_module
from threading import Barrier, Thread

import papan

doors = sys.argv[1:]
together = Barrier(len(doors))
faults = []

def enter(door):
    together.wait()
    try:
        import_module(door)
    except Exception as error:
        faults.append(f"{door}: {error}")

sys.setswitchinterval(1e-5)
threads = [Thread(target=enter, args=(door,)) for door in doors]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*faults, sep="\\n")
"""

PAGE = Path(__file__).parents[2] / "docs" / "add-a-game.md"


def clone(folder: Path, number: int) -> Path:
    """A papan that is hardly more than its kernels, two small ones among them."""
    package = folder / "papan"
    for part in ("engine", "core", "locales"):
        shutil.copytree(cache.PACKAGE / part, package / part)
    (package / "__init__.py").touch()
    (package / "engine" / "caller.py").write_text(CALLER)
    (package / "engine" / "callee.py").write_text(CALLEE.format(number))
    return folder


def run(code: str, place: Path, user_cache: Path) -> str:
    """What a new process prints that finds its modules in *place* alone.

    It writes no bytecode (-B): Python would take that for the newer source of the same second.
    """
    done = subprocess.run(
        [sys.executable, "-B", "-P", "-c", code],
        capture_output=True, text=True, check=True, cwd=place,
        env={**os.environ, "PYTHONPATH": str(place), "XDG_CACHE_HOME": str(user_cache)},
    )  # fmt: skip
    return done.stdout.strip()


def kept(user_cache: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in user_cache.rglob("*") if path.is_file()}


def linked(source: str, target: str) -> None:
    """Another name for the same file, which is replaced as a whole, never changed."""
    try:
        os.link(source, target)
    except OSError:  # on another disk
        shutil.copy2(source, target)


def test_l05_clones_share_what_is_compiled_until_a_kernel_is_edited(tmp_path: Path) -> None:
    one, two = (clone(tmp_path / name, 1) for name in ("one", "two"))
    user_cache = tmp_path / "cache"
    code = "import sys, papan.engine.caller; print('scipy.linalg' in sys.modules)"
    assert run(code, one, user_cache) == "1\nFalse"  # no kernel needs what takes long to load
    shared = kept(user_cache)
    assert shared
    assert run("import papan.engine.caller", two, user_cache) == "1"
    assert kept(user_cache) == shared
    (two / "papan" / "engine" / "callee.py").write_text(CALLEE.format(2))  # its caller is not
    assert run("import papan.engine.caller", two, user_cache) == "2"


def test_numba_still_asks_for_a_blas_as_the_engine_expects() -> None:
    """`cache._without_scipy` answers in place of `ensure_blas`: see whether Numba still asks so."""
    [path] = [Path(place) / "np" / "arraymath.py" for place in numba.__path__]
    module = ast.parse(path.read_text(encoding="utf-8"))
    imported = [
        (node.module, alias.name)
        for node in module.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert ("numba.np.linalg", "ensure_blas") in imported, "look at cache._without_scipy again"
    asked = [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.Try) and "ensure_blas()" in map(ast.unparse, node.body)
    ]
    assert len(asked) == 1, "it asks elsewhere now: look at cache._without_scipy again"
    assert [ast.unparse(handler.type) for handler in asked[0].handlers if handler.type] == [
        "ImportError"
    ]
    assert linalg.ensure_blas.__module__ == "numba.np.linalg", "it is as it was afterwards"


def test_t34_threads_may_load_the_engine_at_once_by_any_door() -> None:
    """Two boards of a notebook once thought for the first time at once, and one forfeited."""
    doors = [f"papan.engine.{path.stem}" for path in (cache.PACKAGE / "engine").glob("[a-z]*.py")]
    done = subprocess.run(
        [sys.executable, "-c", ALL_DOORS, *doors], capture_output=True, text=True, check=True
    )
    assert done.stdout == "\n"


def answer() -> int:
    return 42


def test_r01_code_that_cannot_be_read_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    assert native()(answer)() == 42
    [(path, whole)] = kept(tmp_path).items()
    with unawaited():
        assert native()(answer)() == 42
    path.write_bytes(whole[: len(whole) // 2])
    with unawaited(), pytest.raises(NotCompiledError):
        native()(answer)()
    assert native()(answer)() == 42
    assert len(path.read_bytes()) == len(whole)


def test_r01_rules_of_others_do_no_harm_where_they_cannot_be_imported(tmp_path: Path) -> None:
    """Both blocks of the page in one module, which searches while it is being imported."""
    papan.agent("alphabeta").choose(
        papan.position("tictactoe")
    )  # compiled for all tests, if at all
    shutil.copytree(
        cache.folder(), tmp_path / "cache" / "papan" / cache.folder().name, copy_function=linked
    )
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for place in (here, elsewhere):
        place.mkdir()
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (here / "matches.py").write_text("\n".join(blocks))
    before = {*(tmp_path / "cache").rglob("*")}
    run("import matches", here, tmp_path / "cache")
    assert {*(tmp_path / "cache").rglob("*")} > before  # its rules are kept, too
    assert run(SEARCHES, elsewhere, tmp_path / "cache") == "2 moves"


def test_r01_an_edit_beside_the_rules_of_others_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, neighbour = tmp_path / "rules.py", tmp_path / "neighbour.py"
    rules.touch()
    module = ModuleType("strange_rules")
    module.__file__ = str(rules)
    monkeypatch.setitem(sys.modules, "strange_rules", module)
    before = cache._sources.__wrapped__("strange_rules")
    neighbour.write_text("DEPTH = 3")
    assert cache._sources.__wrapped__("strange_rules") != before


def test_l05_every_file_that_kernels_take_numbers_from_is_among_their_sources() -> None:
    sources = {path for pattern in cache.SOURCES for path in cache.PACKAGE.glob(pattern)}
    taken = {
        cache.PACKAGE.joinpath(*name.split("."))
        for path in cache.PACKAGE.glob("games/*/kernel*.py")
        for name in re.findall(r"^from papan\.(games\.\w+\.\w+) import", path.read_text(), re.M)
    }
    assert len(taken) > 5
    assert {path.with_suffix(".py") for path in taken} <= sources


def test_l05_warm_is_done_at_once_where_everything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(
        api, "compiled_searches", lambda game: {game: lambda: searched.append(game)}
    )
    monkeypatch.setattr(doctor, "cores", lambda: 1)  # all of it happens in this process
    for _ in range(2):
        doctor.warm()
    assert searched == list(catalog.GAMES)
    doctor.warm(json=True)  # how long each takes is asked for
    assert searched == [*catalog.GAMES, *catalog.GAMES]


def test_warm_compiles_games_in_processes_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(catalog, "GAMES", {"dots": catalog.GAMES["dots"]})
    monkeypatch.setattr(doctor, "cores", lambda: 2)
    doctor.warm(json=True)
    took = json.loads(capsys.readouterr().out)
    assert {"dots:3,3", "dots alphabeta", "dots mcts"} <= took.keys()
    assert cache.all_compiled().exists()


def test_compiled_code_is_kept_outside_of_the_source() -> None:
    assert cache.PACKAGE not in cache.folder().parents


def test_compiled_code_of_old_versions_is_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "fingerprint", lambda: "now")
    for age in range(cache.VERSIONS_KEPT + 2):
        folder = tmp_path / f"kernels-{age}"
        folder.mkdir()
        (folder / "code").touch()
        os.utime(folder, (1e9 - age, 1e9 - age))
    (tmp_path / "other").mkdir()
    cache._made(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(f"kernels-{age}" for age in range(cache.VERSIONS_KEPT - 1)), "kernels-now", "other"
    ]  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the folders of users apart by itself")
def test_s12_compiled_code_is_read_only_where_nobody_else_can_write(tmp_path: Path) -> None:
    folder = cache._made(tmp_path)
    assert folder.stat().st_mode & 0o077 == 0
    folder.chmod(0o770)
    with pytest.raises(PermissionError):
        cache._made(tmp_path)


@pytest.fixture
def no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder, on a machine where the user's cache cannot be a folder."""
    (tmp_path / "file").touch()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(cache, "usual_folder", lambda: tmp_path / "file" / "papan")
    monkeypatch.setattr(cache, "gettempdir", lambda: str(temporary))
    return temporary


def test_c03_without_a_cache_folder_compiled_code_goes_to_a_temporary_one(no_cache: Path) -> None:
    with pytest.warns(PapanWarning, match="Compiled code cannot be kept in .*file"):
        folder = cache.folder.__wrapped__()
    assert folder.is_dir()
    assert no_cache in folder.parents
    assert folder.parent.stat().st_mode & 0o077 == 0
    with pytest.warns(PapanWarning):
        assert cache.folder.__wrapped__() == folder


@pytest.mark.skipif(os.name == "nt", reason="Windows has one temporary folder for each user")
def test_c03_code_that_others_could_have_written_is_not_run(no_cache: Path) -> None:
    with pytest.warns(PapanWarning):
        folder = cache.folder.__wrapped__()
    folder.parent.chmod(0o777)
    with pytest.warns(PapanWarning):
        assert not cache.folder.__wrapped__().exists()


def test_c03_papan_works_where_nothing_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "nowhere")

    @native()
    def twice(number):  # type: ignore[no-untyped-def]
        return number + number

    assert twice(21) == 42  # type: ignore[no-untyped-call]
