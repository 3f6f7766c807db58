"""Prints push-fight-moves.csv: solves small boards with 0, 1, 2, 3 and any number of moves.

    python3 docs/results/push-fight-moves.py target/release/retrograde

Tables go to a folder that is removed at the end.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

MOVES = ["0", "1", "2", "3", "unlimited"]
# Columns, rows, how many corners are missing, pushers and pawns of a side.
SMALL = [
    (4, 2, 0, 1, 1), (5, 2, 0, 1, 1), (6, 2, 0, 1, 1), (7, 2, 0, 1, 1), (8, 2, 0, 1, 1),
    (4, 3, 0, 1, 1), (5, 3, 0, 1, 1), (6, 3, 0, 1, 1), (4, 4, 0, 1, 1), (6, 4, 4, 1, 1),
    (4, 3, 0, 2, 1), (6, 2, 0, 2, 1), (6, 3, 4, 2, 1), (5, 3, 0, 2, 1), (6, 3, 2, 2, 1),
    (4, 4, 0, 2, 1), (6, 3, 4, 3, 1), (6, 3, 2, 2, 2),
]


def drawing(columns, rows, missing, pushers, pawns):
    """A board with rails along its first and last row, open on both other sides."""
    last = (columns - 1, rows - 1)
    corners = {0: [], 2: [(0, 0), last], 4: [(0, 0), (last[0], 0), (0, last[1]), last]}[missing]
    lines = [f"pushers = {pushers}", f"pawns = {pawns}"]
    for row in range(rows):
        rail = row == 0
        lines.append("+" + "".join(("-" if rail and (x, row) not in corners else " ") + "+" for x in range(columns)))
        lines.append("".join(" #" if (x, row) in corners else " ." for x in range(columns)))
    lines.append("+" + "".join((" " if (x, rows - 1) in corners else "-") + "+" for x in range(columns)))
    return "\n".join(lines) + "\n"


def numbers(retrograde, game, tables):
    subprocess.run([retrograde, "solve", game, "--tables", tables, "--json"], check=True, capture_output=True)
    command = [retrograde, "stats", game, "--all-positions", "--tables", tables, "--json"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return told | told.get("all_positions", {})


def rows(label, found):
    """A row for each number of moves."""
    for moves, one in zip(MOVES, found):
        share = [f"{100 * one.get(key, 0) / one['positions']:.1f}" for key in ("losses", "draws")]
        winner = {"win": "Red", "loss": "Blue", "draw": "draw"}[one["start"]["outcome"]]
        game = f"{winner} {one['start']['turns']}" if one["start"]["turns"] else winner
        longest = max((int(turns) for turns in one["by_turns"].get("win", {})), default=0)
        yield [*label, one["positions"], moves, *share, game, longest]


def main():
    retrograde = sys.argv[1]
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow("board pushers pawns positions moves lost_percent drawn_percent game longest".split())
    with tempfile.TemporaryDirectory() as folder:
        games = [(["pushfight:mini", 2, 2], "pushfight:mini")]
        for columns, height, missing, pushers, pawns in SMALL:
            path = Path(folder, f"{columns}x{height}-{missing}-{pushers}-{pawns}.board")
            path.write_text(drawing(columns, height, missing, pushers, pawns))
            cut = f", {missing} corners off" if missing else ""
            games.append(([f"{columns} × {height}{cut}", pushers, pawns], f"pushfight:{path}"))
        for label, game in games:
            found = [numbers(retrograde, f"{game},moves={moves}", str(Path(folder, "tables"))) for moves in MOVES]
            table.writerows(rows(label, found))


if __name__ == "__main__":
    main()
