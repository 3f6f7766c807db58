"""Checks that tables and answers are the same as before: python3 -m checks.same.

Solves every game of a list in many ways. Whatever the way, the SHA-256 of every file and of all
values must match the recorded one, and so must the answers of all commands and of the server.
See checks/README.md for usage. The exit status is 0 if everything is the same, 1 if something
differs, and 2 if the comparison was aborted.
"""

import argparse
import difflib
import hashlib
import json
import os
import random
import resource
import shutil
import sys
import tempfile

from . import answers, games, speed, tables
from .program import Form, Program

HERE = os.path.dirname(os.path.abspath(__file__))
# Longer answers are recorded as digests.
WHOLE = 120


def arguments():
    parser = argparse.ArgumentParser(prog="python3 -m checks.same", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--retrograde", default="target/debug/retrograde",
           help="the command line [default: %(default)s]")
    option("--classics", help="the command line of the classic games "
           "[default: retrograde-classics in the same folder, if it exists]")
    option("--full", action="store_true", help="the long list of games (about an hour)")
    option("--game", action="append", default=[],
           help="check this game of the list only; can be repeated")
    option("--folder", help="where to solve [default: a temporary folder]")
    option("--record", action="store_true", help="record what is found instead of comparing it")
    option("--against", metavar="PATH",
           help="compare the answers with those of another program, and show differences")
    option("--against-classics", metavar="PATH", help="the same for the classic games")
    option("--words", action="store_true", help="with --against: compare sentences too")
    option("--speed", action="store_true", help="with --against: compare time and memory instead")
    option("--times", type=int, default=5, help="with --speed: runs of each [default: 5]")
    option("--seed", type=int, default=random.randrange(10**6), help="seed of the random moments")
    options = parser.parse_args()
    if options.speed and not options.against:
        parser.error("--speed needs --against")
    beside = os.path.join(os.path.dirname(options.retrograde), "retrograde-classics")
    if not options.classics and os.path.exists(beside):
        options.classics = beside
    return options


def used():
    """Returns the core-seconds that all programs have taken so far."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def write(name, value):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        json.dump(value, file, indent=0, sort_keys=True, ensure_ascii=False)
        file.write("\n")


def short(text):
    """Returns an answer as it is recorded: long ones as digests."""
    whole = len(text) <= WHOLE
    return text if whole else "sha256 " + hashlib.sha256(text.encode()).hexdigest()[:24]


class Record:
    """The recorded digests or texts, by table and name.

    While recording, the first value of a name is kept, and later ones must match it.
    """

    def __init__(self, name, recording):
        self.name, self.recording, self.kept = name, recording, read(name)
        self.new = set()

    def differences(self, table, found):
        """Returns the names with values that differ from the recorded values."""
        if self.recording and table not in self.new:
            self.new.add(table)
            self.kept[table] = dict(found)
            write(self.name, self.kept)
        recorded = self.kept.get(table)
        if recorded is None:
            return ["(nothing is recorded)"]
        return sorted(name for name in {*recorded, *found}
                      if recorded.get(name) != found.get(name))


class Checks:
    """Solves games, asks commands and compares; prints a line for each comparison."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.failures, self.checks = 0, 0
        self.random = random.Random(options.seed)
        self.program = Program(options.retrograde)
        self.classics = Program(options.classics) if options.classics else None
        self.form = Form(renamed=read("renamed.json"))
        self.digests = Record("digests.json", options.record)
        self.answers = Record("answers.json", options.record)

    def say(self, what, differences, seconds=None):
        """Prints the result of a comparison."""
        self.checks += 1
        self.failures += bool(differences)
        time_ = "" if seconds is None else f"{seconds:.1f} s"
        more = f" and {len(differences) - 8} more" if len(differences) > 8 else ""
        verdict = "DIFFERS: " + ", ".join(differences[:8]) + more if differences else "same"
        print(f"{what:66} {time_:>9}  {verdict}", flush=True)

    def attempt(self, what, action):
        """Runs an action; a failure counts as a difference and does not end the run."""
        try:
            return action()
        except RuntimeError as error:
            self.say(what, [str(error)])
            return None

    def program_of(self, game):
        return self.classics if game.classic else self.program

    def ways(self, game):
        """Returns the ways that a program supports."""
        for way in game.ways:
            if "--processes" in way and not self.program_of(game).shared:
                print(f"{game.name} {way}: left out, the program was built without `cluster`")
            else:
                yield way

    def run(self, game):
        """Checks everything about a game."""
        if self.program_of(game) is None:
            print(f"{game.name}: left out, there is no program for it")
            return
        first = {}
        for way in self.ways(game):
            seconds = self.solved(game, way, first)
            if game.killed and seconds is not None:
                self.killed(game, way, seconds, first)
        for key, (folder, way) in first.items():
            self.of_table(game, way, key, folder)
        self.agreement(game, first)
        for folder, _ in first.values():
            shutil.rmtree(folder)

    def solved(self, game, way, first):
        """Solves a game without interruption. Returns the seconds, or `None` if it failed."""
        folder, name = os.path.join(self.folder, "solved"), f"{game.name} {way}"
        program = self.program_of(game)
        start = used()
        seconds = self.attempt(name, lambda: tables.solve(program, game.name, way, folder))
        if seconds is not None:
            self.compare_files(name, game, way, folder, first, used() - start)
        return seconds

    def killed(self, game, way, seconds, first):
        """Solves a game in a process that is killed at random moments."""
        folder = os.path.join(self.folder, "solved")
        times = 3 if self.options.full else 1
        program, start = self.program_of(game), used()
        name = f"{game.name} {way}, killed"
        kills = self.attempt(name, lambda: tables.solve_interrupted(
            program, game.name, way, folder, times, seconds, self.random))
        if kills is not None:
            self.compare_files(f"{name} {kills} times", game, way, folder, first,
                               used() - start)

    def compare_files(self, name, game, way, folder, first, seconds):
        """Compares the files of a table; keeps the first table of its key."""
        files = tables.published(folder)
        key = tables.key(game.name, way, files)
        self.say(name, self.digests.differences(key, files), seconds)
        if key not in first:
            first[key] = os.path.join(self.folder, f"table-{len(first)}"), way
            os.rename(folder, first[key][0])
        else:
            shutil.rmtree(folder)

    def of_table(self, game, way, key, folder):
        """Checks all values, runs `verify --full`, and checks the answers."""
        program = self.program_of(game)
        if game.exported:
            start = used()
            values = self.attempt(f"values of {key}", lambda: tables.values(
                program, game.name, way, folder))
            if values:
                # One digest serves all forms of a table, unless they hold different positions.
                held = f"{game.name} {games.kept(way)}" if values[0] == "merged" else key
                self.say(f"values of {key}", self.digests.differences(
                    f"values of {held.strip()}", dict([values])), used() - start)
        if game.proved:
            self.proved(game, key, folder)
        if game.shades and key in (f"{game.name} (values)", f"{game.name} (losses)"):
            self.shades(game, key, folder)
        if game.asked:
            self.asked(game, way, key, folder)

    def asked(self, game, way, key, folder):
        """Checks the answers of all commands and routes."""
        program, start = self.program_of(game), used()
        found = self.attempt(f"answers of {key}", lambda: answers.of_table(
            program, self.form, game.name, folder, self.folder, extent(game, way)))
        if found is not None:
            found = {name: short(text) for name, text in found.items()}
            self.say(f"{len(found)} answers of {key}", self.answers.differences(key, found),
                     used() - start)

    def proved(self, game, key, folder):
        start = used()
        found = self.attempt(f"verify --full of {key}", lambda: self.program_of(game).must(
            ["verify", game.name, "--full"], folder)[0])
        if found is not None:
            self.say(f"verify --full of {key}", [str(error) for error in found["errors"]],
                     used() - start)

    def shades(self, game, key, folder):
        start = used()
        program = self.program_of(game)
        if self.attempt(f"shades of {key}", lambda: program.must(
                ["shades", game.name], folder)) is not None:
            self.say(f"shades of {key}", self.digests.differences(
                f"{key} and shades", tables.published(folder)), used() - start)

    def agreement(self, game, first):
        """Checks that tables of a game with different positions agree where both have values."""
        whole = first.get(f"{game.name} (values)")
        for form in ("reachable", "losses"):
            part = first.get(f"{game.name} ({form})")
            if whole and part and game.exported:
                start = used()
                row = tables.disagreement(self.program_of(game), game.name, part[0], whole[0])
                self.say(f"{game.name}: ({form}) agrees with (values)",
                         [row.decode().strip()] if row else [], used() - start)

    def everywhere(self):
        """Checks the answers that do not need a table, and that every command is asked."""
        unknown = answers.commands_of(self.program) - answers.NOT_ASKED - answers.asked_commands()
        self.say("every command is asked", sorted(unknown))
        start = used()
        found = answers.of_none(self.program, self.form, self.folder)
        found = {name: short(text) for name, text in found.items()}
        self.say(f"{len(found)} answers without a table",
                 self.answers.differences("no table", found), used() - start)


def extent(game, way):
    """Returns how much to ask about a table; the short list must fit into a minute."""
    if game not in games.SHORT:
        return answers.Extent(200, False)
    return answers.Extent(10, True, not games.kept(way))


def difference(name, old, new):
    """Returns a diff of two answers, with each field on a separate line."""
    lines = [spread(text) for text in (old, new)]
    return "\n".join([f"--- {name}", *list(difflib.unified_diff(*lines, lineterm="", n=2))[2:]])


def spread(text):
    found = []
    for line in text.splitlines():
        try:
            line = json.dumps(json.loads(line), indent=1, ensure_ascii=False, sort_keys=True)
        except ValueError:
            pass
        found += line.splitlines()
    return found


class Against:
    """Compares the answers of two programs, each about its own tables."""

    def __init__(self, options, folder):
        self.folder = folder
        pairs = ((options.retrograde, options.against),
                 (options.classics, options.against_classics))
        self.pairs = [tuple(map(Program, pair)) if all(pair) else None for pair in pairs]
        self.forms = Form(options.words, read("renamed.json")), Form(options.words)
        self.failures, self.checks = 0, 0

    def compare(self, what, ask):
        """Asks both programs and prints the differences."""
        ours, theirs = ask(0), ask(1)
        names = [name for name in {**theirs, **ours} if theirs.get(name) != ours.get(name)]
        self.checks += len({**theirs, **ours})
        self.failures += len(names)
        print(f"{what}: {len(theirs)} answers, {len(names)} differ", flush=True)
        for name in names:
            print(difference(f"{what}: {name}", theirs.get(name, "(none)"),
                             ours.get(name, "(none)")), flush=True)

    def run(self, game):
        pair = self.pairs[game.classic]
        if pair is None:
            print(f"{game.name}: left out, there are no two programs for it")
            return
        # Ways that differ only in processes or threads are skipped.
        ways = [way for way in game.ways if "--processes" not in way and "--threads" not in way]
        for way in ways:
            def ask(number, way=way):
                folder = os.path.join(self.folder, "table")
                tables.solve(pair[number], game.name, way, folder)
                try:
                    return answers.of_table(pair[number], self.forms[number], game.name, folder,
                                            self.folder, extent(game, way))
                finally:
                    shutil.rmtree(folder)
            self.compare(f"{game.name} {way}".strip(), ask)

    def everywhere(self):
        self.compare("no table", lambda number: answers.of_none(
            self.pairs[0][number], self.forms[number], self.folder))


def chosen(options):
    """Returns the named games of the list, or all games."""
    found = games.FULL if options.full else games.SHORT
    if not options.game:
        return found
    unknown = set(options.game) - {game.name for game in games.FULL}
    if unknown:
        raise SystemExit(f"not in the list: {', '.join(unknown)}")
    return [game for game in games.FULL if game.name in options.game]


def compare_speed(options, folder):
    for pair, names in (((options.retrograde, options.against), speed.GAMES),
                        ((options.classics, options.against_classics), speed.CLASSICS)):
        names = [text for text in names if not options.game or text.split()[0] in options.game]
        if all(pair) and names:
            for line in speed.compare([Program(path) for path in pair], names, folder, options.times):
                print(line, flush=True)


def main():
    options = arguments()
    folder = options.folder or tempfile.mkdtemp(prefix="retrograde-same-")
    folder = os.path.abspath(folder)
    os.makedirs(folder, exist_ok=True)
    print(f"{options.retrograde}, seed {options.seed}, files in {folder}", flush=True)
    if options.speed:
        compare_speed(options, folder)
        return 0
    checks = Against(options, folder) if options.against else Checks(options, folder)
    try:
        if not options.game:
            checks.everywhere()
        for game in chosen(options):
            checks.run(game)
    except (OSError, RuntimeError, KeyboardInterrupt) as error:
        print(f"The comparison was aborted: {str(error) or 'Ctrl-C'}", file=sys.stderr)
        return 2
    print(f"{checks.checks} comparisons, {checks.failures} with differences")
    if not options.folder:
        shutil.rmtree(folder)
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
