"""Checks the package and a program that uses it with a strict type checker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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


def test_a_program_is_understood(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    told = check(str(program))
    for revealed in ("_8Bit", "int | None", 'type is "int"', 'type is "str"'):
        assert revealed in told.replace("builtins.", "").replace("int8", "_8Bit"), told
