"""Queries the command line: turns and values of many positions with one process, counts, tables."""

import csv
import json
import os
import subprocess


class Program:
    """The `retrograde` at a path, with a folder of tables."""

    def __init__(self, path, tables):
        self.path, self.tables = path, os.path.abspath(tables)

    def run(self, *words, positions=()):
        command = [self.path, *map(str, words), "--tables", self.tables, "--json"]
        done = subprocess.run(command, input="".join(p + "\n" for p in positions),
                              capture_output=True, text=True, check=False)
        # 3: nothing is known, or nothing was found.
        if done.returncode not in (0, 3):
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def probe(self, game, positions):
        """An answer for each position, with every turn; values are unknown without a table."""
        return self.run("probe", game, "-", "--time", 0, "--nodes", 1, positions=positions)

    def perft(self, game, position, depth):
        return self.run("perft", game, position, "--depth", depth)[0]["leaves"]

    def solve(self, game):
        return self.run("solve", game)[0]

    def positions(self, game):
        return int(self.run("games", game)[0]["positions"])

    def counts(self, game):
        """The statistics of all positions of a solved game."""
        statistics = self.run("stats", game, "--all-positions")[0]
        return statistics.get("all_positions") or statistics

    def lengths(self, game):
        """All values that occur, such as ("win", 5)."""
        by_turns = self.run("stats", game)[0]["by_turns"]
        return [(outcome, int(turns)) for outcome in by_turns for turns in by_turns[outcome]]

    def find(self, game, outcome, turns, limit, seed):
        words = ["--outcome", outcome, "--random", "--limit", limit, "--seed", seed]
        words += [] if turns is None else ["--turns", turns]
        return [found["position"] for found in self.run("find", game, *words)]

    def values(self, game):
        """The values of all numbered positions of a table."""
        file = os.path.join(self.tables, "values.csv")
        self.run("export", game, "--out", file, "--force")
        with open(file, encoding="utf-8", newline="") as rows:
            return {row["position"]: value(row) for row in csv.DictReader(rows)}


def value(answer):
    """(outcome, turns) of an answer or a row; None for a draw."""
    if answer["outcome"] == "draw":
        return None
    return answer["outcome"], int(answer["turns"]) if answer["turns"] not in (None, "") else None
