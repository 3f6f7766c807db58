"""Several processes open an unsolved game: one solves it, and the others wait."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
import retrograde
input()
game = retrograde.open("touchdown:4x4", tables=sys.argv[1], solve=True)
print(game.solved["result"] if game.solved else "opened", game.start.value())
"""


def test_processes_that_open_a_game_at_once_all_get_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "tables")]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(5)
    ]
    # They start to solve only after all have imported the package.
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    told = [process.communicate() for process in running]
    assert all(process.returncode == 0 for process in running), told
    answers = [out.split(maxsplit=1) for out, _ in told]
    assert {value.strip() for _, value in answers} == {"{'outcome': 'win', 'turns': 11}"}
    results = sorted(result for result, _ in answers)
    assert results.count("solved") == 1 and set(results) <= {"solved", "already-solved", "opened"}, results
