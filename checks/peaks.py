#!/usr/bin/env python3
"""Measures the most memory that commands take, and prints the table of docs/benchmarks.md.

    checks/peaks.py target/release/retrograde [GAME …]

Each command runs by itself. "process" is the most memory that it held (the system's `ru_maxrss`).
Where this user may make a control group, "with files" is the most that its group was charged with: the
process, and the pages of files that it read and wrote.
"""

import os
import pathlib
import sys
import tempfile

LIMITS = [None, "500M", "100M"]
GAMES = ["touchdown:5x5", "tactics:5x5", "pushfight:mini", "pushfight:twocolumn"]
GROUPS = pathlib.Path("/sys/fs/cgroup/memory"), pathlib.Path("/sys/fs/cgroup")


def commands(game, folder):
    """The commands to measure, after the one that solves the game."""
    large = game == "pushfight:twocolumn"
    yield ["solve", game, "--again"] + (["--with-wins"] if large else [])
    yield ["verify", game, "--full"]
    yield ["occurring", game]
    yield ["shades", game, "--again"]
    yield ["stats", game] + (["--all-positions"] if game.startswith("pushfight") else [])
    yield ["openings", game] if game.startswith("pushfight") else ["find", game, "--outcome", "win", "--limit", "1"]
    if large:
        yield ["export", game, "--format", "minimized", "--sha256"]
    yield ["export", game, "--limit", "1000000", "--out", f"{folder}/rows.csv"]
    yield ["export", "site", game, "--out", f"{folder}/site"]


def group():
    """A new control group, if one can be made: its folder and the name of its peak."""
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
    """The status of a command, the most bytes of its process, and those of its group."""
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
    if number is None:
        return ""
    return f"{number / 1e9:.2f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"


def main(program, *games):
    program = os.path.abspath(program)
    print("| command | `--memory` | process | with files |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="peaks-") as folder:
        for game in games or GAMES:
            for words in commands(game, folder):
                for limit in LIMITS:
                    command = [program] + words + (["--memory", limit] if limit else [])
                    code, process, charged = run(command, folder)
                    text = " ".join(words).replace(f"{folder}/", "")
                    ended = "" if code == 0 else pathlib.Path(folder, "output").read_text().splitlines()[-1]
                    held = f"refused: {ended}" if ended else size(process)
                    print(f"| `{text}` | {limit or ''} | {held} | {'' if ended else size(charged)} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
