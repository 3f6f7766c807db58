"""The tables of push-fight-moves.md: solves boards with 0, 1, 2, 3 and any number of moves.

    python3 docs/results/push-fight-moves.py target/release/retrograde small
    python3 docs/results/push-fight-moves.py target/release/retrograde pushfight:mini pushfight:twocolumn

`small` stands for the small boards of the page, whose files it writes. Tables go to a folder that
is removed at the end.
"""

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
    told = subprocess.run([retrograde, "stats", game, "--tables", tables, "--json"], check=True, capture_output=True)
    return json.loads(told.stdout)


def row(label, found):
    total = found[0]["positions"]
    share = lambda key: [f"{100 * one.get(key, 0) / total:.1f}" for one in found]
    winner = {"win": "Red", "loss": "Blue", "draw": "draw"}
    start = [one["start"] for one in found]
    values = [winner[one["outcome"]] + (f" {one['turns']}" if one["turns"] else "") for one in start]
    longest = [str(max((int(turns) for turns in one["by_turns"].get("win", {})), default=0)) for one in found]
    cells = [label, f"{total:,}", " · ".join(share("losses")), " · ".join(share("draws"))]
    return "| " + " | ".join(cells + [" · ".join(values), " · ".join(longest)]) + " |"


def main():
    retrograde, *wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        games = []
        for game in wanted:
            if game != "small":
                games.append((game, game))
                continue
            for columns, rows, missing, pushers, pawns in SMALL:
                path = Path(folder, f"{columns}x{rows}-{missing}-{pushers}-{pawns}.board")
                path.write_text(drawing(columns, rows, missing, pushers, pawns))
                cut = f", {missing} corners off" if missing else ""
                games.append((f"{columns} × {rows}{cut}; {pushers}, {pawns}", f"pushfight:{path}"))
        for label, game in games:
            found = [numbers(retrograde, f"{game},moves={moves}", str(Path(folder, "tables"))) for moves in MOVES]
            print(row(label, found), flush=True)


if __name__ == "__main__":
    main()
