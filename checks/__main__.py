"""Compares a second rules program with the command line: python3 -m checks.

Three kinds of comparison share the time: the turns of positions on many boards; all values of small
games, which are solved here once more; values of tables, derived from the values of all turns.
checks/README.md says what that proves. The exit status is 0 if both programs agree on everything,
1 if they disagree, and 2 if the comparison broke off.
"""

import argparse
import itertools
import os
import random
import shutil
import sys
import tempfile
import time

from .boards import random_board
from .compare import Report, compare_turns, compare_values, compare_whole_game
from .program import Program

RANDOM = "random boards"
TURNS = [
    "pushfight:mini", "pushfight:twocolumn", "pushfight:onecolumn", "pushfight", "pushfight:2k3p",
    "pushfight:full", "pushfight:mini,moves=0", "pushfight:mini,moves=3",
    "pushfight:mini,moves=unlimited", "pushfight:mini,pushers=2-1",
    "pushfight:twocolumn,moves=1,pushers=1-3,pawns=2-0", "touchdown:1x2", "touchdown:3x5",
    "touchdown:4x4", "touchdown:6x4", "touchdown:5x5", "tactics:2x2", "tactics:4x4", "tactics:7x5",
    "tactics:30x1", "tactics:1x12,line=3,normal", "tactics:6x6,line=2"]
WHOLE = [
    "tactics:3x3", "touchdown:3x3", "tactics:3x4", "touchdown:2x5", "tactics:4x3,line=2,normal",
    "touchdown:1x7", "tactics:10x1", "touchdown:3x4"] + 10 * [RANDOM]
IN_MINUTES = ["pushfight:mini,pushers=1,pawns=1", "tactics:4x4", "touchdown:4x4"]
VALUES = ["pushfight:mini,moves=1", "touchdown:5x4", "tactics:4x5"]


def arguments():
    parser = argparse.ArgumentParser(prog="python3 -m checks", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--retrograde", default=find_program(),
           help="the command line [default: %(default)s]")
    option("--seconds", type=float, default=60, help="how long to compare [default: 60]")
    option("--positions", type=int, default=10,
           help="positions of each kind at a time [default: 10]")
    option("--largest", type=int, default=1500,
           help="positions of the largest random board that is solved [default: 1500]")
    option("--seed", type=int, default=random.randrange(10**6), help="seed of all random choices")
    option("--tables", help="folder with solved games, for --game")
    option("--game", action="append", default=[],
           help="a solved game whose values to derive, instead of small ones; can be repeated")
    options = parser.parse_args()
    if options.game and not options.tables:
        parser.error("--game needs --tables")
    return options


def find_program():
    built = ("target/release/retrograde", "target/debug/retrograde")
    return next(filter(os.path.exists, built), "retrograde")


class Checks:
    """The three kinds of comparison, for one game each; boards and tables go to a folder."""

    def __init__(self, options, folder):
        self.folder, self.count, self.largest = folder, options.positions, options.largest
        self.report, self.boards, self.games = Report(), 0, options.game
        tables = os.path.join(folder, "tables")
        os.mkdir(tables)
        self.program = Program(options.retrograde, tables)
        self.tables = Program(options.retrograde, options.tables) if options.game else self.program
        # One for each kind, since the clock decides which kind comes next.
        self.for_turns, self.for_whole, self.for_values = (
            random.Random(f"{options.seed} {kind}") for kind in ("turns", "whole", "values"))

    def new_board(self, squares, choices):
        """The name of a game on a random board."""
        self.boards += 1
        path = os.path.join(self.folder, f"odd{self.boards}.board")
        with open(path, "w", encoding="utf-8") as file:
            file.write(random_board(choices, squares))
        return f"pushfight:{path}"

    def turns(self, name):
        for board, game in ((name, name), (RANDOM, self.new_board(40, self.for_turns))):
            compare_turns(self.report, self.program, game, board, self.for_turns, self.count)

    def whole(self, board):
        name = board if board != RANDOM else self.new_board(9, self.for_whole)
        while board == RANDOM and self.program.positions(name) > self.largest:
            name = self.new_board(9, self.for_whole)
        compare_whole_game(self.report, self.program, name, board, self.for_whole)

    def values(self, name):
        if name not in self.games:
            self.tables.solve(name)
        compare_values(self.report, self.tables, name, name, self.for_values, self.count)


def run(checks, options):
    """Every game of the lists once; then always the kind that has had the least time."""
    end = time.monotonic() + options.seconds
    lists = {checks.turns: TURNS, checks.whole: WHOLE, checks.values: options.game or VALUES}
    ahead = {kind: itertools.chain(names, itertools.cycle(names)) for kind, names in lists.items()}
    minutes = IN_MINUTES if options.seconds >= 600 else []
    ahead[checks.whole] = itertools.chain(WHOLE, minutes, itertools.repeat(RANDOM))
    spent, told = dict.fromkeys(lists, 0.0), time.monotonic()
    first = [kind for kind, names in lists.items() for _ in names]
    while first or time.monotonic() < end:
        kind = first.pop(0) if first else min(spent, key=spent.get)
        start = time.monotonic()
        kind(next(ahead[kind]))
        spent[kind] += time.monotonic() - start
        if time.monotonic() > told + 60:
            told = time.monotonic()
            print(checks.report.total(), file=sys.stderr, flush=True)


def main():
    options = arguments()
    folder = tempfile.mkdtemp(prefix="retrograde-checks-")
    print(f"{options.retrograde}, seed {options.seed}, files in {folder}", flush=True)
    checks, broken = Checks(options, folder), None
    try:
        run(checks, options)
    except (OSError, RuntimeError, KeyboardInterrupt) as error:
        broken = f"The comparison broke off: {str(error) or 'Ctrl-C'}"
    print("\n".join(checks.report.lines() + [checks.report.total()]))
    if broken:
        print(broken, file=sys.stderr)
        return 2
    if checks.report.disagreements:
        return 1
    shutil.rmtree(folder)
    return 0


def run_quietly():
    """The exit status of main; 2 if the output is closed, as after `| head`."""
    try:
        status = main()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Prevents an error when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


if __name__ == "__main__":
    sys.exit(run_quietly())
