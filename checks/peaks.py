#!/usr/bin/env python3
"""Measures the peak memory of commands, and prints the table of docs/benchmarks.md.

    checks/peaks.py target/release/retrograde [GAME …]

Each command runs by itself, without a limit, with `--memory 500M` and with `--memory 100M`. A cell has
the most memory that the process held (the system's `ru_maxrss`) and, where this user may make a
control group, the most that its group was charged with: private memory, and the pages of files that
the command read and wrote. `too little` is a command that refused to start.
"""

import os
import pathlib
import sys
import tempfile

LIMITS = [None, "500M", "100M"]
GAMES = ["touchdown:5x5", "tactics:5x5", "pushfight:mini"]
GROUPS = pathlib.Path("/sys/fs/cgroup/memory"), pathlib.Path("/sys/fs/cgroup")


def commands(game, folder):
    """The commands to measure after solving the game."""
    yield ["solve", game, "--again"]
    yield ["verify", game, "--full"]
    yield ["reachable", game]
    yield ["shades", game, "--again"]
    yield ["stats", game] + (["--all-positions"] if game.startswith("pushfight") else [])
    if game.startswith("pushfight"):
        yield ["openings", game]
    yield ["export", game, "--limit", "1000000", "--out", f"{folder}/rows.csv"]
    yield ["export", "site", game, "--out", f"{folder}/site"]


def group():
    """Creates a control group if possible: its folder and the name of its peak."""
    for parent, peak in zip(GROUPS, ["memory.max_usage_in_bytes", "memory.peak"]):
        folder = parent / f"retrograde-peaks-{os.getpid()}"
        try:
            folder.mkdir()
        except OSError:
            continue
        if (folder / peak).exists():
            return folder, peak
        folder.rmdir()
    return None


def run(command, folder):
    """The status of a command, and the peak bytes of its process and of its group."""
    made = group()
    child = os.fork()
    if child == 0:
        if made:
            (made[0] / "cgroup.procs").write_text(str(os.getpid()))
        os.chdir(folder)
        out = os.open("output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        os.execv(command[0], command)
    _, status, usage = os.wait4(child, 0)
    charged = None
    if made:
        charged = int((made[0] / made[1]).read_text())
        made[0].rmdir()
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, charged


def size(number):
    return f"{number / 1e9:.2f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"


def cell(command, folder):
    """The peaks of a command as text."""
    code, process, charged = run(command, folder)
    output = pathlib.Path(folder, "output").read_text().splitlines()
    if code != 0:
        return "too little" if "may be used" in output[-1] else f"failed: {output[-1]}"
    return size(process) if charged is None else f"{size(process)}, {size(charged)}"


def main(program, *games):
    program = os.path.abspath(program)
    print("| command | " + " | ".join(f"`--memory {limit}`" if limit else "no limit" for limit in LIMITS) + " |")
    print("|---" * (1 + len(LIMITS)) + "|")
    with tempfile.TemporaryDirectory(prefix="peaks-") as folder:
        for game in games or GAMES:
            for words in commands(game, folder):
                limits = [["--memory", limit] if limit else [] for limit in LIMITS]
                cells = [cell([program] + words + limit, folder) for limit in limits]
                print(f"| `{' '.join(words).replace(folder + '/', '')}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
