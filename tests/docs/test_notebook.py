"""The example notebook: it runs as it stands, without a warning, and shows what it says."""

import json
import os
import warnings
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")

NOTEBOOK = Path(__file__).parent.parent.parent / "examples" / "notebook.ipynb"
STRICT = "import warnings\nwarnings.simplefilter('error')"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The cells by id, after a kernel of this interpreter ran them with warnings as errors."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(STRICT))
    folder = tmp_path_factory.mktemp("notebook")
    source = str(NOTEBOOK.parent.parent / "src")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the client; what the notebook does is strict in the kernel
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH")))))
        patch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
        client = nbclient.NotebookClient(
            notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
        )
        client.execute()
    return {cell.id: cell for cell in notebook.cells if cell.cell_type == "code"}


def shown(run: dict[str, Any], cell: str, kind: str = "text/html") -> str:
    return "".join(output.data.get(kind, "") for output in run[cell].outputs if "data" in output)


def test_in_git_it_has_no_outputs() -> None:
    cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 10
    assert [cell["id"] for cell in cells if cell["outputs"] or cell["execution_count"]] == []


def test_it_runs_without_a_warning_and_every_display_is_there(run: dict[str, Any]) -> None:
    assert [output for cell in run.values() for output in cell.outputs if output.get("name") == "stderr"] == []
    assert "worst recordings" in shown(run, "score")
    assert "<mark" in shown(run, "alignment")
    assert "<svg" in shown(run, "lanes")
    assert "not told apart" in shown(run, "compare")
    assert "What mending" in shown(run, "diagnose")
    assert "kn_fever_04" in shown(run, "recordings")
    assert shown(run, "bars", "image/png")
    assert not any("<script" in shown(run, cell) for cell in ("score", "alignment", "lanes", "compare", "diagnose"))
