"""Checks the package and a program that uses it with a strict type checker."""

from __future__ import annotations

import os
import pydoc
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

import retrograde

PROGRAM = '''
import numpy as np
import retrograde

game = retrograde.open("touchdown:4x4", tables=None)
outcomes, turns = game.probe_many(np.arange(10))
reveal_type(outcomes.dtype)
reveal_type(game.start.turns()[0]["turns"])
first: str = game.line()["line"][0]["turn"]


class Nim:
    start = 5

    def turns(self, sticks: int) -> list[tuple[str, int]]:
        return [(f"take {n}", sticks - n) for n in (1, 2) if n <= sticks]

    def result(self, sticks: int) -> None:
        return None


solved = retrograde.solve(Nim())
reveal_type(solved.start)
reveal_type(solved.turns()[0]["turn"])
'''


def check(*arguments: str) -> str:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_package_is_typed() -> None:
    check("-p", "retrograde")


def test_all_types_are_known() -> None:
    """Also those of attributes, which mypy infers. Needs ``pip install pyright``, which downloads more."""
    pytest.importorskip("pyright")
    pytest.importorskip("pettingzoo")
    # Pyright asks the first Python in the path where packages are.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [sys.executable, "-m", "pyright", "--verifytypes", "retrograde", "--ignoreexternal"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
    assert "Type completeness score: 100%" in done.stdout, done.stdout + done.stderr


def test_help_fits_two_screens() -> None:
    """Every public name is there once, with its own help elsewhere."""
    text = pydoc.plain(pydoc.render_doc(retrograde))
    lines = text.splitlines()
    assert len(lines) <= 2 * 45 and max(map(len, lines)) <= 120
    documented = re.findall(r"\w+", text)
    for name, member in vars(retrograde).items():
        is_ours = getattr(member, "__module__", "retrograde").startswith("retrograde")
        if is_ours and not name.startswith("_") and not isinstance(member, types.ModuleType):
            assert name in documented, name


def test_a_program_is_understood(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    told = check(str(program))
    for revealed in ("_8Bit", "int | None", 'type is "int"', 'type is "str"'):
        assert revealed in told.replace("builtins.", "").replace("int8", "_8Bit"), told
