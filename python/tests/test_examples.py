"""Runs the examples unchanged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def test_the_notebook_runs(tmp_path: Path) -> None:
    """The notebook is stored without outputs, and runs headless."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(EXAMPLES / "first_steps.ipynb", as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and all(not cell.outputs and cell.execution_count is None for cell in code)
    client = nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    shown = [output.get("data", {}) for cell in code for output in cell.outputs]
    assert sum("image/svg+xml" in data for data in shown) == 2, "two boards are drawn"
    assert sum("image/png" in data for data in shown) == 1, "and a plot"


def test_a_network_comes_nearer_to_perfection(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot, history = tmp_path / "learning.png", tmp_path / "history.json"
    command = [sys.executable, EXAMPLES / "train_touchdown.py", "--games", "2560", "--seconds", "300"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([*command, "--out", plot, "--history", history], check=True, cwd=tmp_path, env=environment)
    assert plot.read_bytes().startswith(b"\x89PNG") and plot.stat().st_size > 20_000
    figures = json.loads(history.read_text(encoding="utf-8"))
    first, last = figures["history"][0], figures["history"][-1]
    assert (first["games"], last["games"]) == (0, 2560)
    assert last["positions"] == 1000
    for name, better in (("optimal_rate", 0.03), ("sign_accuracy", 0.05)):
        assert last[name] > first[name] + better, name
    assert last["optimal_rate"] > figures["chance"]["optimal_rate"] + 0.15
    assert last["outcome_regret"] < first["outcome_regret"]
