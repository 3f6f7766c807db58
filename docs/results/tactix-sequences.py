"""The sequences of tactix-sequences/, one term per line as in the b-files of the OEIS.

    python3 docs/results/tactix-sequences.py target/release/retrograde 5

computes the terms of boards with up to 5 columns and writes the files; 6 needs 8.6 GB of memory, and
minutes. Terms that the files already have are compared or kept: nimbers of more than 16 squares are from a
second program, which computes the nimbers of all sets of squares.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent / "tactix-sequences"
# Nimbers take longer than outcomes: only up to this many squares.
NIMBER_SQUARES = 16


def ask(program, tables, *arguments):
    command = [program, *arguments, "--json", "--tables", tables]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(output.splitlines()[-1])


def solved(program, tables, columns, rows):
    """The winner of TacTix, 1 or 2, and the number of lost positions."""
    answer = ask(program, tables, "solve", f"tactix:{columns}x{rows}", "--outcome-only")
    return 1 if answer["start"]["outcome"] == "win" else 2, int(answer["losses"])


def nimber(program, tables, columns, rows):
    if columns % 2 == 0 and rows % 2 == 0:
        return 0  # docs/results/tactics.md has the proof
    if columns * rows > NIMBER_SQUARES:
        return None
    name = f"tactix:{columns}x{rows},normal"
    return ask(program, tables, "probe", name, "--nimbers", "--nodes", "1000000000", "--time", "600")["nimber"]


def write(name, comment, terms):
    """Writes a file, with the terms that it has and the new ones."""
    file = FOLDER / f"b-{name}.txt"
    lines = file.read_text().splitlines() if file.exists() else []
    known = dict(map(int, line.split()) for line in lines if not line.startswith("#"))
    for n, term in terms.items():
        assert known.get(n, term) == term, f"{name}: term {n} was {known[n]} and is {term}"
    known |= terms
    head = [f"# {line}" for line in comment.strip().splitlines()]
    FOLDER.mkdir(exist_ok=True)
    file.write_text("\n".join(head + [f"{n} {known[n]}" for n in sorted(known)]) + "\n")


def main(program, largest):
    with tempfile.TemporaryDirectory() as tables:
        squares = {n: solved(program, tables, n, n) for n in range(1, largest + 1)}
        rows = {n: solved(program, tables, n, 1)[1] for n in range(1, 4 * largest + 1)}
        pairs = [(n, k) for n in range(1, largest + 1) for k in range(1, n + 1)]
        nimbers = {place: nimber(program, tables, n, k) for place, (n, k) in enumerate(pairs, 1)}
    rules = "A turn fills one or more adjacent empty squares of one row or column; who fills the last square "
    write("winner", f"""
a(n) is the player, 1 or 2, who wins TacTix (Piet Hein; also called Bulo) on a board of n X n squares.
{rules}loses.
Offset 1.""", {n: winner for n, (winner, _) in squares.items()})
    write("lost", f"""
a(n) is the number of sets of filled squares of an n X n board from which the player to move loses TacTix.
{rules}loses.
Offset 1. Of 2^(n^2) sets; symmetric ones count separately.""", {n: lost for n, (_, lost) in squares.items()})
    write("lost-row", f"""
a(n) is the number of sets of filled squares of a row of n squares from which the player to move loses.
{rules}loses.
Offset 1. Of 2^n sets; symmetric ones count separately.""", rows)
    write("nimbers", f"""
Triangle read by rows: T(n,k), 1 <= k <= n, is the nimber of an empty board of n X k squares.
{rules}wins.
Offset 1. T(n,1) = n: a turn leaves a and b squares with a + b < n, so (a XOR b) < n, and b may be 0.
T(n,k) = 0 if n and k are even, and only then: the second player answers with the opposite squares.""",
          {place: term for place, term in nimbers.items() if term is not None})


main(sys.argv[1], int(sys.argv[2]))
