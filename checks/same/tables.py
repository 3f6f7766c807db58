"""Solves games and computes the digests of their files and of all their values."""

import os
import shutil
import time

from .games import kept
from .program import sha256_of, sha256_of_file

# Files next to a table that are not part of it: locks, times, logs, and counts for `stats`.
BESIDE = {"lock", "run.json", "times.json", "others.json", "cluster.log"}
# The file that shows the form of a table.
FORMS = {"values.rgt": "values", "losses.rgp": "losses", "reachable.rgo": "reachable"}


def published(folder):
    """Returns the digest of every file of the only table in a folder."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            # The first folder below has the name of the game.
            below = os.path.relpath(path, folder).split(os.sep, 1)[-1]
            if name not in BESIDE and not name.endswith(".rgl"):
                found[below] = sha256_of_file(path)
    return found


def form(files):
    """Returns the form of a table with these files."""
    return next((FORMS[name] for name in FORMS if name in files), "nothing")


def key(game, way, files):
    """Returns the name under which the digests of a table are recorded."""
    return " ".join(filter(None, [game, kept(way), f"({form(files)})"]))


def solve(program, game, way, folder):
    """Solves a game into a new folder. Returns the seconds that it took."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    start = time.monotonic()
    program.must(["solve", game, *way.split()], folder)
    return time.monotonic() - start


def solve_interrupted(program, game, way, folder, times, seconds, choices):
    """Solves a game, killing the solver at random moments. Returns how often it was killed.

    A solve takes about `seconds`. If it ends before it is killed, it starts over and is killed
    sooner.
    """
    words, kills = ["solve", game, *way.split()], 0
    for _ in range(4 * times):
        if kills == 0:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        if program.kill_after(words, folder, choices.uniform(0, seconds)):
            kills += 1
        else:
            seconds /= 2
        if kills == times:
            break
    program.must(words, folder)
    return kills


def values(program, game, way, folder):
    """Returns the kind of export and its digest.

    `merged` has one byte for every position of a Push Fight board, whatever the form of its table.
    """
    if game.startswith("pushfight") and kept(way) in ("", "--with-wins"):
        words = ["export", game, "--format", "merged", "--sha256"]
        return "merged", program.must(words, folder)[0]["sha256"]
    with rows(program, game, folder) as process:
        digest = sha256_of(process.stdout)
    if process.returncode:
        raise RuntimeError(f"export {game}: status {process.returncode}")
    return "csv", digest


def rows(program, game, folder):
    return program.output_of(["export", game, "--format", "csv", "--out", "/dev/stdout"], folder)


def first_row_only_in(few, many):
    """Returns the first row of one iterator that the other lacks, in the same order."""
    many = iter(many)
    for row in few:
        if not any(row == other for other in many):
            return row
    return None


def disagreement(program, game, few, many):
    """Returns the first row of one table that another table contradicts, or `None`."""
    with rows(program, game, few) as small, rows(program, game, many) as large:
        row = first_row_only_in(small.stdout, large.stdout)
        large.kill()
        small.kill()
    return row

