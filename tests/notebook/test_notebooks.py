"""The notebooks of the documentation run from the first cell to the last (J03)."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from tests.waiting import LONGEST_WAIT

pytestmark = pytest.mark.thorough

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))
SHOWN = {
    "position": ["image/svg+xml"],
    "analysis": ["text/html", "text/html"],
    "game": ["text/html", "text/html"],
    "tournament": ["text/html", "image/svg+xml"],
    "widget": ["application/vnd.jupyter.widget-view+json"] * 2,
}
"""What the cells of the first notebook show, one after the other."""


class OwnKernel(AsyncKernelManager):
    """A kernel of the Python that runs the tests, whatever kernels the machine knows."""

    @property
    def kernel_spec(self) -> KernelSpec:
        return KernelSpec(
            argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            display_name="papan",
            language="python",
        )


def name(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_j03_the_cells_of_a_notebook_run_one_after_the_other(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope: dict[str, object] = {"__name__": "notebook"}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), scope)
    assert capsys.readouterr().out  # what is shown


@pytest.mark.slow  # a kernel takes many seconds to start; other tests see what each thing shows
@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_j03_a_notebook_runs_and_shows_what_it_promises(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):  # nothing of this stays behind
        monkeypatch.setenv(place, str(tmp_path))
    notebook: Any = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=LONGEST_WAIT, kernel_manager_class=OwnKernel)
    asyncio.run(client.async_execute())
    for cell in notebook.cells:
        if cell.id in SHOWN:
            kinds = [set(output.data) for output in cell.outputs if "data" in output]
            assert len(kinds) == len(SHOWN[cell.id])
            assert all(want in found for want, found in zip(SHOWN[cell.id], kinds))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_a_notebook_is_kept_without_its_outputs(path: Path) -> None:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
