"""Compares the time and memory of two programs, run alternately."""

import json
import os
import shutil
import statistics
import subprocess
import sys

# Measures a child from a small process: Linux includes the parent's memory at the time of the fork
# in the child's peak.
MEASURE = """
import json, os, sys
child = os.fork()
if child == 0:
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(child, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
GAMES = ("touchdown:5x4", "tactics:5x5", "pushfight:mini", "pushfight:mini --memory 40M",
         "touchdown:5x5 --reachable")
CLASSICS = ("dodgem:4x4", "teeko:4x4", "connectfour:4x4 --reachable")
COMMANDS = ("solve", "probe", "pressure", "export")


def words_of(command, game, way):
    """Returns the arguments of a measured command."""
    return {"solve": ["solve", game, *way, "--again"],
            "probe": ["probe", game, "-"],
            "pressure": ["probe", game, "-", "--pressure", "--json"],
            "export": ["export", game, "--format", "csv", "--limit", "2000000", "--out", "/dev/null"],
            }[command]


def measured(command, lines):
    """Returns the core-seconds and the kilobytes of a command."""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, *command], check=True,
                          input=lines, capture_output=True, encoding="utf-8")
    status, seconds, kilobytes = json.loads(done.stdout)
    if status not in (0, 3):
        raise RuntimeError(f"{' '.join(command)}: status {status}")
    return seconds, kilobytes


def compare(programs, games, folder, times, positions=200):
    """Prints a line for each command and game: both medians and their ratio."""
    yield (f"{'':45} {'core-seconds':^24}   {'peak, MB':^24}\n"
           f"{'':45} {'this':>8} {'other':>8} ratio   {'this':>8} {'other':>8} ratio")
    for text in games:
        game, *way = text.split()
        tables = [os.path.join(folder, f"speed-{number}") for number in range(2)]
        for command in COMMANDS:
            lines = "" if command == "solve" else "".join(chosen(programs[0], game, tables[0], positions))
            runs = [[], []]
            # The first pair fills the caches and is not counted.
            for _ in range(times + 1):
                for number, program in enumerate(programs):
                    os.makedirs(tables[number], exist_ok=True)
                    words = program.command(words_of(command, game, way), tables[number])
                    runs[number].append(measured(words, lines))
            yield line(f"{command} {text}", [run[1:] for run in runs])
        for path in tables:
            shutil.rmtree(path)


def chosen(program, game, tables, count):
    """Returns positions to ask about, one per line."""
    for outcome in ("win", "loss", "draw"):
        out = program.run(["find", game, "--outcome", outcome, "--random", "--limit", count // 3,
                           "--json"], tables)[1]
        yield from (json.loads(found)["position"] + "\n" for found in out.splitlines()
                    if '"position"' in found)


def line(name, runs):
    """Returns the medians of both programs and the ratio of the first to the second."""
    texts = []
    for what, unit in ((0, 1), (1, 1e3)):
        this, other = (statistics.median(run[what] / unit for run in some) for some in runs)
        ratio = f"{this / other:.2f}" if other else "-"
        texts.append(f"{this:8.2f} {other:8.2f} {ratio:>5}")
    return f"{name:45} " + "   ".join(texts)
