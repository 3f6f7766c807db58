"""Compares rules.py with the command line: turns, whole small games, sampled values."""

from . import positions as listed
from .program import value
from .rules import game as rules_of

OTHER = {"win": "loss", "loss": "win"}


class Report:
    """Counts what was compared, by kind and board, and where the two programs disagree."""

    def __init__(self):
        self.counts, self.disagreements = {}, 0

    def count(self, kind, board, **numbers):
        row = self.counts.setdefault((kind, board), {})
        for what, number in numbers.items():
            row[what] = row.get(what, 0) + number

    def check(self, ours, theirs, what, game, position=""):
        if ours != theirs:
            self.disagreements += 1
            if self.disagreements <= 20:
                print(f"{game} {position}: {what}: rules.py {ours}, retrograde {theirs}",
                      flush=True)

    def lines(self):
        """A line for each kind and board."""
        return [f"{kind:7}{board:51}{figures(row)}"
                for (kind, board), row in sorted(self.counts.items())]

    def total(self):
        """All boards of each kind together, in one line."""
        kinds = {}
        for (kind, board), row in sorted(self.counts.items()):
            sums = kinds.setdefault(kind, {"boards": 0})
            for what, number in {"boards": 1, **row}.items():
                sums[what] = sums.get(what, 0) + number
        texts = [f"{kind}: {figures(sums)}" for kind, sums in kinds.items()]
        return "; ".join(texts + [f"{self.disagreements} disagreements"])


def figures(row):
    return ", ".join(f"{number:,} {what}" for what, number in row.items())


def check_turns(report, name, game, position, turns, answer):
    """The distinct positions after all turns, and the turns as written."""
    there = [turn["position"] for turn in answer["turns_available"]]
    report.check(position, answer["position"], "position", name, position)
    report.check(len(turns), len(there), "number of turns", name, position)
    report.check(sorted(turns - set(there)), sorted(set(there) - turns), "turns that only one has",
                 name, position)
    if not turns:
        report.check((game.result(position), 0), value(answer), "value at the end", name, position)
    for turn in answer["turns_available"]:
        try:
            after = game.play(position, turn["turn"])
        except (ValueError, IndexError) as error:
            after = str(error)
        report.check(after, turn["position"], f"position after {turn['turn']}", name, position)


def playout(game, position, random, most):
    """The positions of a random game, with their turns."""
    for _ in range(most):
        turns = game.turns(position)
        yield position, turns
        if not turns:
            break
        position = random.choice(sorted(turns))


def compare_turns(report, program, name, board, random, count):
    """Compares random positions and games: every turn, and perft to a depth that is fast."""
    game = rules_of(name)
    sample = [] if ("turns", board) in report.counts else [*playout(game, game.start, random, 4)]
    while len(sample) < 2 * count:
        sample += playout(game, listed.random_position(game, random), random, 4)
    for _, turns in sample[:count]:
        sample += playout(game, random.choice(sorted(turns)), random, 1) if turns else []
    answers = program.probe(name, [position for position, _ in sample])
    report.check(len(sample), len(answers), "number of answers", name)
    for (position, turns), answer in zip(sample, answers):
        check_turns(report, name, game, position, turns, answer)
    position, _ = random.choice(sample)
    depth, leaves = listed.perft(game, position, 5 * count)
    report.check(leaves, program.perft(name, position, depth), f"perft at depth {depth}",
                 name, position)
    made = sum(len(turns) for _, turns in sample)
    report.count("turns", board, positions=len(sample), turns=made, perft=1)


def compare_whole_game(report, program, name, board, random):
    """Solves a game with both programs, and compares the value of every position and all counts."""
    game = rules_of(name)
    numbered = listed.all_positions(game)
    values = listed.solve(game, {game.start, *numbered})
    summary = program.solve(name)
    report.check(values[game.start], value(summary["start"]), "value of the start", name)
    # In Push Fight, solving counts plausible positions.
    counted = program.counts(name)
    report.check(len(numbered), counted["positions"], "number of positions", name)
    for outcome, there in counted["by_turns"].items():
        turns = [values[p][1] for p in numbered if values[p] and values[p][0] == outcome]
        counts = {str(t): turns.count(t) for t in set(turns)}
        report.check(counts, there, f"{outcome} by turns", name)
    table = program.values(name)
    for position, there in table.items():
        report.check(values.get(position, "no position"), there, "value", name, position)
    rest = sorted(values.keys() - table.keys())  # Placements, and games that are over.
    rest = random.sample(rest, min(5000, len(rest)))
    answers = program.probe(name, rest)
    report.check(len(rest), len(answers), "number of answers", name)
    for position, answer in zip(rest, answers):
        report.check(values[position], value(answer), "value", name, position)
    report.count("solved", board, games=1, values=len(table) + len(rest))


def compare_values(report, program, name, board, random, count):
    """Derives values of a table from the values of all turns, along best lines to their ends."""
    game = rules_of(name)
    places = [listed.random_position(game, random) for _ in range(count)] + [game.start]
    rare = random.sample(program.lengths(name), 1)
    for outcome, turns in rare + [("loss", None), ("draw", None)]:
        places += program.find(name, outcome, turns, count, random.randrange(1 << 30))
    said = {}
    while places:
        ahead = []
        for position, answer in zip(places, program.probe(name, places)):
            turns, own = game.turns(position), value(answer)
            check_turns(report, name, game, position, turns, answer)
            report.check(said.get(position, own), own, "value, and as a turn's", name, position)
            after = {turn["position"]: opposite(game, position, turn)
                     for turn in answer["turns_available"]}
            if after:
                turn = listed.counted(game, position)
                report.check(listed.back_up(list(after.values()), turn), own,
                             "value from those of the turns", name, position)
                best = [p for p in after if listed.back_up([after[p]], turn) == own and own]
                ahead += random.sample(best, min(1, len(best)))
                said.update((p, after[p]) for p in best)
            report.count("values", board, values=1, turns=len(turns))
        places = ahead


def opposite(game, position, turn):
    """The value for the player to move after a turn."""
    mine = value(turn)
    if mine is None or mine[0] not in OTHER:
        return mine  # A draw, or a value that should be known and is not.
    return OTHER[mine[0]], mine[1] - listed.counted(game, position)
