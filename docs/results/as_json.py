"""Writes the tables of the results' pages as JSON, a file for each page: tactics.json, touchdown.json and
classic-games.json. The pages stay the source, so both agree.

    python3 docs/results/as_json.py                   # writes the files
    python3 docs/results/as_json.py --tables tables   # also with the checksums of these tables' values
    python3 docs/results/as_json.py --check           # fails if a file and its page differ

Without `--tables`, checksums stay as they are in the files.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
VERSION = re.search(r'^version = "(.*)"', (HERE / "../../Cargo.toml").read_text(), re.M)[1]


def table(page, first):
    """The rows of the table of a page whose first heading is `first`, as dictionaries by heading."""
    lines = iter((HERE / page).read_text().splitlines())
    cells = lambda line: [cell.strip() for cell in line.strip("|").split("|")]
    heading = next(line for line in lines if line.startswith(f"| {first} |"))
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            return rows
        rows.append(dict(zip(cells(heading), cells(line))))
    return rows


def number(text):
    return int(text.replace(",", ""))


def value(text):
    """An outcome for the side to move, with the turns of both players if they are known: `win in 9`."""
    outcome, _, turns = text.partition(" in ")
    return {"outcome": outcome, "turns": int(turns) if turns else None}


def tactics():
    """Misère play, by board and longest line."""
    games = []
    for row in table("tactics.md", "board"):
        columns, rows = map(int, row["board"].split(" × "))
        last = row["3 and more"]
        for line in range(1, max(columns, rows) + 1):
            winner = row["*k* = 1"] if line == 1 else row["2"] if line == 2 else last.split()[0].rstrip(",")
            but = re.search(r"not decided for \*k\* = (\d)", last)
            only = re.search(r"for \*k\* = (\d), else not decided", last)
            open_line = but and line == int(but[1]) or only and line >= 3 and line != int(only[1])
            if winner == "not decided" or open_line:
                continue
            name = f"tactics:{columns}x{rows}" + (f",line={line}" if line != min(4, max(columns, rows)) else "")
            start = {"outcome": "win" if winner == "first" else "loss", "turns": None}
            games.append({"game": name, "start": start})
    for row in table("tactics.md", "TacTix"):
        game = next(game for game in games if game["game"] == row["game"].strip("`"))
        positions, losses = number(row["positions"]), number(row["lost"])
        game |= {"positions": positions, "wins": positions - losses, "losses": losses, "draws": 0}
    return "retrograde solve GAME --outcome-only", games


def touchdown():
    games = []
    for row in table("touchdown.md", "rows"):
        for columns, cell in zip(range(2, 8), list(row.values())[1:]):
            if cell:
                winner, turns = cell.split(", ")
                start = {"outcome": "win" if winner == "Red" else "loss", "turns": int(turns)}
                games.append({"game": f"touchdown:{columns}x{row['rows']}", "start": start})
    counts = {row["game"]: row for row in table("touchdown.md", "game")}
    for game in games:
        if row := counts.get(f"`{game['game']}`"):
            positions, wins, losses = (number(row[key]) for key in ("positions", "won", "lost"))
            game |= {"positions": positions, "wins": wins, "losses": losses, "draws": 0}
    return "retrograde solve GAME --reachable", games


def classic_games():
    games = []
    for row in [row for row in table("classic-games.md", "game | positions")]:
        longest = re.match(r"\d+", row["longest win"])
        counts = {key: number(row[of]) for key, of in
                  [("positions", "positions"), ("wins", "won"), ("losses", "lost"), ("draws", "drawn")]}
        start = value(row["start"])
        game = {"game": row["game"].strip("`"), "start": start, **counts,
                "longest_win": int(longest[0]) if longest else None}
        if not longest:
            game["command"] = "cargo run --release -p retrograde-classics --example dodgem_outcomes -- 6"
        games.append(game)
    return "retrograde-classics solve GAME", games


def with_checksums(games, known, tables):
    """Adds the checksum of the file with a game's values: of its table, or the one in the JSON file."""
    for game in games:
        folder = tables and tables / game["game"].translate(str.maketrans(":,=", "_+-"))
        checksum = known.get(game["game"])
        reachable, manifest = folder and folder / "reachable.rgo", folder and folder / "manifest.json"
        if folder and manifest.exists():
            made = json.loads(manifest.read_text())
            counts = {key: made["counts"][key] for key in ("positions", "wins", "losses", "draws")}
            assert game["start"]["outcome"] == made["start"]["outcome"], game
            assert all(game.get(key, count) == count for key, count in counts.items()), game
            checksum = {"values.rgt": "blake3 " + made["values"]["blake3"]}
        elif folder and reachable.exists():
            checksum = {"reachable.rgo": "sha256 " + hashlib.sha256(reachable.read_bytes()).hexdigest()}
        if checksum:
            game["checksum"] = checksum
    return games


def main(arguments):
    check = arguments == ["--check"]
    tables = Path(arguments[1]) if arguments[:1] == ["--tables"] else None
    differ = []
    for page, read in [("tactics", tactics), ("touchdown", touchdown), ("classic-games", classic_games)]:
        file = HERE / f"{page}.json"
        before = file.read_text() if file.exists() else '{"games": []}'
        known = {game["game"]: game.get("checksum") for game in json.loads(before)["games"]}
        command, games = read()
        head = {"version": VERSION, "page": f"{page}.md", "command": command}
        head = "".join(f" {json.dumps(key)}: {json.dumps(text)},\n" for key, text in head.items())
        lines = ",\n".join("  " + json.dumps(game) for game in with_checksums(games, known, tables))
        text = "{\n" + head + ' "games": [\n' + lines + "\n ]\n}\n"
        if check and text != before:
            differ.append(file.name)
        elif not check:
            file.write_text(text)
    if differ:
        sys.exit(f"{', '.join(differ)}: not as the pages say; run docs/results/as_json.py")


main(sys.argv[1:])
