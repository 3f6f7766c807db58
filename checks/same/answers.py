"""Asks every command that prints answers, and every GET route of the server.

An answer is recorded under a name. Its text omits everything that depends on the machine or the
time. Searches run with one thread and a node limit, so they end at the same point on any machine.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import NamedTuple

from .program import sha256_of_file

# Commands without an answer, or whose answers are compared elsewhere (solve, serve, export, shades;
# survey prints what stats does; a test of bench compares it with sums).
NOT_ASKED = {"bench", "completions", "convert", "export", "help", "manual", "new", "play", "serve",
             "shades", "solve", "survey"}
# Routes that serve the page's files, depend on the time, or describe the other routes.
NOT_FETCHED = {"/", "/assets/{file}", "/metrics", "/module.wasm", "/openapi.json"}
SEARCH = ["--time", 1000, "--nodes", 2000]
AT_A_TIME = 10

# Asked once. {folder} has files made below.
ANYWHERE = (
    "games", "rules pushfight", "rules tactics:5x4,line=3,normal", "rules touchdown:6x6",
    "games touchdown --numbering 24-bit", "games chess", "probe tactics:2x2 X?_X",
    "index pushfight .OX.....oxY....Oox.....OX.",
    "index pushfight .OX.....oxX.....Oox...OY.. --numbering minimized",
    "position pushfight 5 --numbering minimized", "position touchdown 0x341964 --numbering 24-bit",
    "perft pushfight --depth 1", "perft touchdown:6x6 --depth 3",
    "probe touchdown:8x6 --nodes 50 --time 1000 --threads 1",
    "probe touchdown:8x6 --pressure --nodes 50 --time 1000 --threads 1",
    "probe tactics:3x2,normal X_____ --nimbers --threads 1",
    "line tactics:3x2,normal --nodes 50000 --time 1000 --threads 1",
    "plan tactics:6x6 --memory 8G --threads 2", "plan touchdown:8x6 --memory 8G --threads 2",
    "plan pushfight --memory 3G --threads 2", "plan pushfight --memory 20G --threads 2",
    "mate {folder}/small.board", "mate {folder}/small.board --moves unlimited", "mate +-+/|O|/+-+",
    "board check {folder}/small.board", "board show {folder}/small.board",
    "board check {folder}/wrong.board", "reduce steiner 0,0", "reduce steiner 0,0,2,3",
    "reduce qbf {folder}/small.qdimacs --solve")
FILES = {
    "small.board": "+-+-+-+-+\n . o O x\n+-+-+-+-+\n",
    "wrong.board": "+-+-+-+-+\n . o ? x\n+-+-+-+-+\n",
    "small.qdimacs": "p cnf 1 1\ne 1 0\n1 0\n"}
ANYWHERE_FETCHED = ("/healthz", "/readyz", "/api/v1/games", "/uwapi/", "/nothing",
                    "/api/v1/games/chess")

# Asked about every table.
OF_TABLES = (
    "games GAME", "rules GAME", "plan GAME --memory 1G --threads 2",
    "plan GAME --reachable --memory 1G --threads 2", "perft GAME --depth 2", "stats GAME",
    "stats GAME --all-positions", "find GAME --outcome win --limit 5",
    "find GAME --outcome loss --limit 5", "find GAME --outcome draw --limit 5",
    "find GAME --outcome win --turns 3 --random --limit 5", "puzzles GAME --limit 5 --solutions",
    "puzzles GAME --kind save --limit 3", "puzzles GAME --kind press --limit 3",
    "puzzles GAME --seed 1 --limit 3", "openings GAME --limit 3", "verify GAME --sample 10",
    "match perfect perfect --game GAME --games 2 --time 100 --clock 1000+1000",
    "match perfect random --game GAME --games 2 --time 1000", "line GAME", "index GAME ?")
# Asked about small games only, since they examine every position.
OF_SMALL = ("reachable GAME",)
WRITTEN = (
    "certificate GAME --threads 1 --out OUT.cert",
    "certificate GAME --side blue --threads 1 --out OUT.cert",
    "render GAME --out OUT.svg", "render GAME --dark --out OUT.png",
    "stats GAME --out OUT.svg", "puzzles GAME --seed 1 --sheet OUT.svg",
    "puzzles GAME --format anki --limit 2 --out OUT.csv", "export GAME --limit 100 --out OUT.csv",
    "export GAME --sample 100 --out OUT.npy", "export evaluation GAME --positions 50 --out OUT")

# Routes under /api/v1/games/{game}/. P is a position, T a turn in it.
ROUTES = (
    "", "positions", "positions?position=P&limit=3", "positions?to_move=second", "positions/P",
    "positions?nimbers=true&limit=2", "pressure", "pressure?position=P&limit=2", "line?limit=3",
    "line?position=P", "steps", "steps?position=P&limit=3", "rules", "stats", "refusal?squares=a1",
    "refusal?squares=a1,b2", "view", "view?position=P&turn=T", "view?to_move=second", "view?board=P",
    "puzzles?limit=2", "puzzles?kind=save&limit=1&seed=3&random=true", "puzzles?kind=press&limit=1",
    "puzzles?position=P", "puzzles/depths", "puzzles/depths?kind=save", "find?outcome=win&limit=2",
    "find?outcome=loss&random=true&seed=1&limit=2", "find?outcome=draw&limit=2", "find",
    "picture.svg?position=P&turn=T", "picture.svg?theme=dark&square=20",
    "picture.png?position=P&width=200", "picture.gif?position=P&turns=T&width=120")


class Asker:
    """Asks a program about the table of a game and keeps the answers by name."""

    def __init__(self, program, form, game, tables, folder):
        self.program, self.form, self.game = program, form, game
        self.tables, self.folder, self.answers = tables, folder, {}

    def keep(self, name, text):
        text = text.replace(self.folder, "FOLDER")
        self.answers[name] = self.form.text(text)

    def ask(self, name, words, lines=(), ordered=True):
        """Runs a command and returns its standard output. Some print lines in any order."""
        status, out, error = self.program.run([*words, "--json"], self.tables, lines, self.folder)
        if not ordered:
            out = "".join(sorted(out.splitlines(keepends=True)))
        self.keep(name, f"status {status}\n{out}{refusals(error)}")
        return out

    def words(self, question):
        return [word.replace("GAME", self.game) for word in question.split()]

    def everything(self, extent):
        """Asks all commands."""
        for question in OF_TABLES + (OF_SMALL if extent.small else ()):
            self.ask(question, self.words(question))
        for question in WRITTEN:
            self.written(question)
        self.positions(extent.positions)
        self.engines()

    def values(self, extent):
        """Asks the commands that only look up values."""
        self.ask("stats GAME", ["stats", self.game])
        self.positions(extent.positions)

    def written(self, question):
        """Runs a command that writes files; their digests are part of the answer."""
        made = os.path.join(self.folder, "made")
        os.makedirs(made)
        words = [word.replace("OUT", "made/out") for word in self.words(question)]
        status, out, error = self.program.run([*words, "--json"], self.tables, (), self.folder)
        lines = [f"status {status}", out + refusals(error)]
        for place, _, names in sorted(os.walk(made)):
            lines += [f"{name} {sha256_of_file(os.path.join(place, name))}"
                      for name in sorted(names)]
        shutil.rmtree(made)
        self.keep(question, "\n".join(lines))

    def positions(self, count):
        """Asks for values, pressure and lines of positions, chosen by number and at random."""
        found = self.numbered(count // 2) + self.found(count)
        found = found[:count]
        for first in range(0, len(found), AT_A_TIME):
            some = found[first:first + AT_A_TIME]
            name = f"{first}-{first + len(some) - 1}"
            for more in ([], ["--pressure"]):
                self.ask(" ".join(["probe", *more, name]),
                         ["probe", self.game, "-", *more, *SEARCH], some)
        for number, position in enumerate(found[::max(3, count // 10)]):
            self.ask(f"line {number}", ["line", self.game, position, *SEARCH])
            self.ask(f"index {number}", ["index", self.game, position])
        self.examples = found[:1] + found[-1:]

    def numbered(self, count):
        """Returns positions whose numbers are far apart."""
        facts = json.loads(self.program.run(["games", self.game, "--json"])[1].splitlines()[0])
        step = max(1, int(facts["indices"]) // count)
        found = []
        for number in range(0, int(facts["indices"]), step):
            out = self.ask(f"position {number}", ["position", self.game, number])
            found += [json.loads(line)["position"] for line in out.splitlines()
                      if line.startswith('{"') and '"error"' not in line]
        return found

    def found(self, count):
        found = []
        for outcome in ("win", "loss", "draw"):
            out = self.ask(f"find {outcome} at random", [
                "find", self.game, "--outcome", outcome, "--random", "--limit", count // 4])
            found += [json.loads(line)["position"] for line in out.splitlines()
                      if '"position"' in line]
        return found

    def engines(self):
        """Asks about a played game, with both engines."""
        out = self.ask("line", ["line", self.game, *SEARCH])
        turns = [step["turn_on_board"] for step in json.loads(out).get("line", [])
                 if "turn_on_board" in step] if out.startswith("{") else []
        self.ask("annotate", ["annotate", self.game, "-"], turns)
        self.ask("engine --json", ["engine", self.game, "--threads", 1], [
            '{"id": 1, "limit": 1, "line": 1}', '{"id": 2, "position": "?"}', "nonsense",
            json.dumps({"id": 3, "turns": turns, "coordinates": "board", "annotate": True})],
            ordered=False)
        talk = ["ugi", "isready", "position startpos", "go depth 1", "quit"]
        status, out, _ = self.program.run(["engine", self.game], self.tables, talk)
        # `info` lines contain the search speed.
        lines = [line for line in out.splitlines()
                 if not line.startswith(("info", "id version", "id name"))]
        self.keep("engine", "\n".join([f"status {status}", *lines]))

    def routes(self, url):
        """Asks every route under the game. Routes with a position are asked about two."""
        base = f"/api/v1/games/{urllib.parse.quote(self.game)}"
        family, _, variant = self.game.partition(":")
        for number, position in enumerate(self.examples):
            turn = self.turn(position)
            for route in ROUTES:
                if number and not re.search(r"\b[PT]\b", route):
                    continue
                path = re.sub(r"\bP\b", urllib.parse.quote(position, safe=""), route)
                path = re.sub(r"\bT\b", urllib.parse.quote(turn, safe=""), path)
                separator = "/" if route else ""
                self.fetch(f"GET {route} {number}", url + base + separator + path)
        body = json.dumps({"positions": [*self.examples, "?"]})
        self.fetch("POST positions", f"{url}{base}/positions", body)
        self.fetch("POST annotate", f"{url}{base}/annotate", json.dumps({"turns": []}))
        for path in (f"{family}/", f"{family}/{variant}/", f"{family}/{variant}/positions/",
                     f"{family}/{variant}/positions/?p=1_"
                     + urllib.parse.quote(self.examples[0], safe="")):
            name = path.partition("?")[0].replace(variant, "VARIANT")
            self.fetch(f"GET uwapi {name} {'?' in path}", f"{url}/uwapi/{path}")

    def turn(self, position):
        """Returns the first turn of a position, or an empty string if it has no turns."""
        _, out, _ = self.program.run(["probe", self.game, position, "--json", *SEARCH], self.tables)
        turns = json.loads(out).get("turns_available", []) if out.startswith("{") else []
        return min((turn["turn_on_board"] for turn in turns), default="")

    def fetch(self, name, url, body=None):
        request = urllib.request.Request(url, body and body.encode(),
                                         {"Content-Type": "application/json"} if body else {})
        try:
            with urllib.request.urlopen(request, timeout=100) as reply:
                status, kind, text = reply.status, reply.headers["Content-Type"], reply.read()
        except urllib.error.HTTPError as reply:
            status, kind, text = reply.code, reply.headers["Content-Type"], reply.read()
        shown = text.decode("utf-8", "backslashreplace")
        self.keep(name, f"status {status} {kind}\n{shown}")


def refusals(error):
    """Returns the errors on standard error, without notes and progress."""
    return "".join(f"{line}\n" for line in error.splitlines() if line.startswith('{"error"'))


@contextlib.contextmanager
def server(program, tables, folder):
    """Runs a server of tables and yields its address."""
    log = os.path.join(folder, "server.log")
    words = ["serve", "--listen", "127.0.0.1:0", "--time", 100, "--work", 100000]
    with open(log, "w", encoding="utf-8") as file:
        child = subprocess.Popen(program.command(words, tables), stdout=file, stderr=file,
                                 stdin=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with open(log, encoding="utf-8") as file:
                found = re.search(r"http://127\.0\.0\.1:\d+", file.read())
            if found or child.poll() is not None:
                break
            time.sleep(0.05)
        if not found:
            raise RuntimeError(f"the server did not start: see {log}")
        yield found.group()
    finally:
        child.terminate()
        child.wait()


class Extent(NamedTuple):
    """How much to ask about a table."""

    positions: int
    small: bool  # Whether every position may be looked at.
    whole: bool = True  # Whether every command and route is asked, or only those for values.


def of_table(program, form, game, tables, folder, extent):
    """Returns all answers about a table."""
    asker = Asker(program, form, game, tables, folder)
    if not extent.whole:
        asker.values(extent)
        return asker.answers
    asker.everything(extent)
    with server(program, tables, folder) as url:
        asker.routes(url)
    return asker.answers


def of_none(program, form, folder):
    """Returns all answers that do not need a table."""
    tables = os.path.join(folder, "none")
    os.makedirs(tables, exist_ok=True)
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    asker = Asker(program, form, "", tables, folder)
    for question in ANYWHERE:
        asker.ask(question, [word.format(folder=folder) for word in question.split()])
    with server(program, tables, folder) as url:
        for path in ANYWHERE_FETCHED:
            asker.fetch(f"GET {path}", url + path)
    return asker.answers


def commands_of(program):
    """Returns the names of all commands, from the help."""
    text = program.run(["--help"])[1].partition("Commands:\n")[2].partition("\n\n")[0]
    return {line.split()[0] for line in text.splitlines() if line.startswith("  ") and line[2] != " "}


def asked_commands():
    questions = ANYWHERE + OF_TABLES + OF_SMALL + WRITTEN
    return {question.split()[0] for question in questions} | {"annotate", "engine", "probe"}
