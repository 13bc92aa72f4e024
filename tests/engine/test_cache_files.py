"""The files of compiled code: what they are named after, who may read them, and how they appear."""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numba import types

from papan.core import compiling
from papan.core.compiling import NotCompiledError, notifying, unawaited
from papan.engine import cache
from papan.engine.board import for_kernels
from papan.engine.cache import KernelCache, digest_of
from papan.engine.control import spend
from papan.engine.rows import RowRules


def test_a_digest_is_of_names_and_contents_in_any_order(tmp_path: Path) -> None:
    def digest(**files: str) -> str:
        place = tmp_path / str(len(list(tmp_path.iterdir())))
        paths = []
        for name, text in files.items():
            path = place / name.replace("_", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            paths.append(path)
        found = digest_of(paths)
        assert found == digest_of(reversed(paths)) and len(found) == 16
        return found

    usual = digest(x_a="1", x_b="2")
    assert digest(x_a="1", x_b="2") == usual, "wherever the folder is"
    others = [digest(x_a="1", x_b="3"), digest(x_a="1", x_c="2"), digest(y_a="1", y_b="2")]
    assert len({usual, *others, digest(x_a="1"), digest(x_a="12", x_b="")}) == 6
    with pytest.raises(OSError):
        digest_of([tmp_path / "x" / "none"])


def test_the_fingerprint_changes_with_compiler_and_python(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Callable[[], str] = cache.fingerprint.__wrapped__
    usual = made()
    assert usual == made() and len(usual) == 16
    found = {usual}
    for name in ("numba", "llvmlite"):
        with monkeypatch.context() as patch:
            patch.setattr(cache, "version", lambda each, name=name: "9" * (1 + (each == name)))
            found.add(made())
    with monkeypatch.context() as patch:
        patch.setattr(sys, "version", "4.0")
        found.add(made())
    assert len(found) == 4


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the folders of users apart by itself")
@pytest.mark.parametrize("mode", [0o740, 0o720, 0o710, 0o704, 0o702, 0o701])
def test_a_folder_that_others_may_enter_is_refused(tmp_path: Path, mode: int) -> None:
    place = cache._private(tmp_path / "mine")
    assert cache._private(place) == place
    place.chmod(mode)
    with pytest.raises(PermissionError):
        cache._private(place)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the folders of users apart by itself")
def test_a_link_is_no_folder_of_ones_own_and_nor_is_another_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = cache._private(tmp_path / "mine")
    (tmp_path / "link").symlink_to(place)
    with pytest.raises(PermissionError):
        cache._private(tmp_path / "link")
    monkeypatch.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
    with pytest.raises(PermissionError):
        cache._private(place)


def test_old_versions_stay_while_this_one_is_not_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "fingerprint", lambda: "now")
    place = cache._made(tmp_path / "deep" / "er")
    assert place == tmp_path / "deep" / "er" / "kernels-now" and not [*place.iterdir()]
    for age in range(cache.VERSIONS_KEPT + 2):
        (place.parent / f"kernels-{age}").mkdir()
    os.utime(place, (0, 0))
    assert cache._made(place.parent) == place
    assert len([*place.parent.iterdir()]) == cache.VERSIONS_KEPT + 3
    assert place.stat().st_mtime > 1e9, "it is in use"


def test_a_file_appears_when_it_is_complete_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "code"
    for content in (b"one", b"another"):
        cache._write(path, content)
        assert path.read_bytes() == content and [*tmp_path.iterdir()] == [path]

    def replace(self: Path, target: Path) -> None:
        assert self.read_bytes() == b"third" and path.read_bytes() == b"another"
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(OSError, match="no"):
        cache._write(path, b"third")
    assert path.read_bytes() == b"another" and [*tmp_path.iterdir()] == [path]


class Rebuilt:
    """What stands for compiled code."""

    @staticmethod
    def _rebuild(context: object, *code: object) -> tuple[object, ...]:
        return context, *code


def test_code_is_read_only_as_a_whole_and_with_its_checksum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pickle

    monkeypatch.setattr(cache, "CompileResult", Rebuilt)
    code, path = pickle.dumps((1, 2)), tmp_path / "code"
    whole = hashlib.sha256(code).digest() + code
    kernel: Any = KernelCache(len)
    for content, found in (
        (whole, ("context", 1, 2)),
        (whole[:-1], None),
        (b"x" + whole[1:], None),
        (code, None),
        (b"", None),
        (hashlib.sha256(b"junk").digest() + b"junk", None),
    ):
        path.write_bytes(content)
        assert kernel._load(path, "context") == found
    assert kernel._load(tmp_path / "none", "context") is None
    assert kernel._load(None, "context") is None


def test_a_kernel_that_is_not_kept_is_compiled_if_that_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    context = SimpleNamespace(
        refresh=lambda: None, codegen=lambda: SimpleNamespace(magic_tuple=lambda: ("cpu",))
    )
    kernel: Any = KernelCache(spend.py_func)  # type: ignore[attr-defined]
    heard: list[bool] = []
    with notifying(heard.append):
        assert kernel.load_overload((types.int64,), context) is None
        with unawaited(), pytest.raises(NotCompiledError):
            kernel.load_overload((types.int64,), context)
    assert heard == [True]
    compiling.end()


def test_a_file_is_named_after_all_that_its_code_depends_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)

    def codegen(cpu: str) -> Any:
        return SimpleNamespace(magic_tuple=lambda: ("triple", cpu))

    function: Any = spend.py_func  # type: ignore[attr-defined]
    one, two = (types.int64,), (types.float64,)
    paths = [
        KernelCache(function, form)._path(sig, codegen(cpu))
        for form in ("", "inner")
        for sig in (one, two)
        for cpu in ("old", "new")
    ]
    assert len({*paths}) == 8 and None not in paths
    assert all(
        path and path.parent == tmp_path and path.name.startswith("papan.engine.control.spend-")
        for path in paths
    )
    assert KernelCache(function)._path(one, codegen("old")) == paths[0]
    monkeypatch.setattr(cache, "_line", lambda function: 1)
    assert KernelCache(function)._path(one, codegen("old")) != paths[0], "it stands elsewhere"


def test_code_that_only_this_process_could_use_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    codegen, number = SimpleNamespace(magic_tuple=lambda: ()), len(sys.argv)

    def enclosing() -> int:
        return number

    def alone() -> int:
        return 1

    assert KernelCache(enclosing)._path((), codegen) is None
    assert KernelCache(alone)._path((), codegen) is not None
    assert KernelCache(alone)._path("a function at 0x7f", codegen) is None
    for module in ("__main__", "typed_in"):
        alone.__module__ = module
        assert KernelCache(alone)._path((), codegen) is None


def test_modules_with_a_file_can_be_imported_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = ModuleType("bare_module")
    monkeypatch.setitem(sys.modules, "bare_module", bare)
    names = ("json", "__main__", "bare_module", "never_imported")
    assert [cache._can_be_imported(name) for name in names] == [True, False, False, False]


def test_named_tuples_are_found_within_a_type() -> None:
    from numba import typeof

    rules = RowRules(np.zeros(1, np.uint64), 9, 0, 1.0, 1.0)
    inner = typeof(for_kernels(rules))
    pair = types.Tuple((types.int64, inner))
    (found,) = cache._named_tuples(pair)
    assert found.declared is RowRules  # type: ignore[attr-defined]
    assert not [*cache._named_tuples(types.int64)]
