"""Tests of the checks: python3 -m unittest checks.tests

The rules agree with the examples of the texts. And the comparisons notice: with any one rule made
wrong here, the two programs disagree. RETROGRADE names the command line.
"""

import contextlib
import io
import json
import os
import random
import tempfile
import unittest
from unittest import mock

from . import compare, positions, rules
from .program import Program
from .same import __main__ as same
from .same import answers, games, program, speed, tables


def outcomes(game, *places):
    values = positions.solve(game, set(places))
    return [values[place][0] for place in places]


class Examples(unittest.TestCase):
    def test_touchdown_db(self):
        game = rules.game("touchdown")
        won, lost = "...O/..O./..../.XX.", "...O/..O./..X./.X.."
        self.assertEqual(outcomes(game, won, lost), ["win", "loss"])
        self.assertEqual(outcomes(game, game.play(won, "b1b2")), ["loss"])
        self.assertEqual(game.turns(lost), {game.play(lost, "b1b2")})
        turned = game.moved("..O./.OX./O..X/X...", 12, 12)  # The pawn stays, only the board turns.
        self.assertEqual(turned, "...O/O..X/.OX./.X..")

    def test_solving_tactics(self):
        game = rules.game("tactics")
        square, pair = "_XXX/XXXX/XXXX/XXXX", "XX__/XXXX/XXXX/XXXX"
        box, larger = "XX__/XX__/XXXX/XXXX", "XX__/XX__/XX__/XXXX"
        self.assertEqual(outcomes(game, square, pair, box, larger), ["loss", "win", "loss", "win"])
        self.assertEqual(outcomes(game, "_X_X/X_X_/_X_X/X_X_"), ["win"])
        self.assertEqual(game.play(game.start, "a4-d4"), "XXXX/____/____/____")

    def test_solving_push_fight(self):
        game, position = rules.game("pushfight"), ".OX.....oxY....Oox.....OX."
        self.assertEqual(game.play(position, "c2-d2"), ".XO.....xoO.....Yxo....XO.")
        self.assertEqual(game.play(position, "d1-a2,d3-c3,c2-d2"), ".XO....x.oO..X..Yxo.....O.")
        self.assertIn(game.play(position, "d1-a2,d3-c3,c2-d2"), game.turns(position))
        with self.assertRaises(ValueError, msg="the game is over"):
            game.play(".OX.....oxY....O.x.....OX.", "d1-e1")
        for forbidden in ("d3-c3", "d1-a2,d3-c3,c2-c1,c3-c2", "d4-d3", "a1-a2", "f3-f2,c2-d2"):
            with self.assertRaises(ValueError, msg=forbidden):
                game.play(position, forbidden)

    def test_positions_are_as_many_as_the_texts_say(self):
        self.assertEqual(len(positions.all_positions(rules.game("touchdown"))), 755_591)
        self.assertEqual(len(rules.game("pushfight").turns("." * 26)), 12_870)


def wrong_push(rule):
    """A push with the rules for another position."""
    push = rules.PushFight.push
    return lambda game, position, source, step: push(game, rule(position), source, step)


def no_captures(game, position, pawn_turns=rules.TouchDown.pawn_turns):
    return [(source, target) for source, target in pawn_turns(game, position)
            if source - target == game.width]


def slowest_win(after, turn, back_up=positions.back_up):
    losses = [value[1] for value in after if value and value[0] == "loss"]
    return ("win", turn + max(losses)) if losses else back_up(after, turn)


WRONG_RULES = {
    "the anchor does not matter": (
        rules.PushFight, "push", wrong_push(lambda position: position.replace("Y", "X"))),
    "there are no rails": (rules, "RAIL", rules.OFF),
    "a move is one step": (rules.PushFight, "reachable", lambda game, position, source: {
        step for step in game.steps[source] if step >= 0 and position[step] == rules.EMPTY}),
    "pawns do not capture": (rules.TouchDown, "pawn_turns", no_captures),
    "who fills the last square wins": (rules.Tactics, "result", lambda game, position:
                                       "loss" if position == game.full else None),
    "placements count as turns": (positions, "counted", lambda game, position: 1),
    "the winner delays": (positions, "back_up", slowest_win),
}


class Comparisons(unittest.TestCase):
    """Uses the command line, which must exist."""

    def disagreements(self):
        report, choices = compare.Report(), random.Random(1)
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            program = Program(os.environ.get("RETROGRADE", "target/debug/retrograde"), folder)
            for name in ("pushfight:mini", "touchdown:3x4", "tactics:3x2"):
                compare.compare_turns(report, program, name, name, choices, 3)
            for name in ("touchdown:2x4", "tactics:3x2", self.board(folder)):
                compare.compare_whole_game(report, program, name, name, choices)
                compare.compare_values(report, program, name, name, choices, 3)
        return report.disagreements

    @staticmethod
    def board(folder):
        path = os.path.join(folder, "small.board")
        with open(path, "w", encoding="utf-8") as file:
            file.write("pushers = 1\npawns = 1\n"
                       "+ +-+-+ +\n . . . .\n+ + + +-+\n . . .|#\n+-+-+-+ +\n")
        return f"pushfight:{path}"

    def test_the_two_programs_agree(self):
        self.assertEqual(self.disagreements(), 0)

    def test_every_wrong_rule_is_noticed(self):
        for name, (owner, attribute, wrong) in WRONG_RULES.items():
            with self.subTest(name), mock.patch.object(owner, attribute, wrong):
                self.assertGreater(self.disagreements(), 0, name)


class Same(unittest.TestCase):
    """The pure parts of `checks.same`: each of its comparisons can fail."""

    @staticmethod
    def record(kept, recording=False):
        with mock.patch.object(same, "read", lambda name: kept):
            return same.Record("digests.json", recording)

    def test_a_changed_missing_or_additional_file_is_a_difference(self):
        record = self.record({"game": {"a": "1", "b": "2"}})
        self.assertEqual(record.differences("game", {"a": "1", "b": "2"}), [])
        self.assertEqual(record.differences("game", {"a": "1", "b": "3"}), ["b"])
        self.assertEqual(record.differences("game", {"a": "1"}), ["b"])
        self.assertEqual(record.differences("game", {"a": "1", "b": "2", "c": "3"}), ["c"])
        self.assertNotEqual(record.differences("other", {}), [])

    def test_two_ways_must_agree_while_they_are_recorded(self):
        with mock.patch.object(same, "write", lambda name, value: None):
            record = self.record({"game": {"a": "0"}}, recording=True)
            self.assertEqual(record.differences("game", {"a": "1"}), [])
            self.assertEqual(record.differences("game", {"a": "2"}), ["a"])

    def test_answers_are_compared_without_times_and_under_their_earlier_names(self):
        form = program.Form(renamed={"turns": "depth"})
        self.assertEqual(form.text('{"depth":3,"seconds":0.1,"b":[{"detail":"x"}]}'),
                         '{"b": [{}], "turns": 3}')
        self.assertNotEqual(form.text('{"depth":3}'), form.text('{"depth":4}'))
        self.assertIn("detail", program.Form(words=True).text('{"detail":"x"}'))
        self.assertEqual(form.text("id 1\nid 2"), "id 1\nid 2")

    def test_a_difference_is_shown_by_fields(self):
        shown = same.difference("probe", '{"a":1,"b":2}', '{"a":1,"b":3}').splitlines()
        self.assertIn('- "b": 2', shown)
        self.assertIn('+ "b": 3', shown)

    def test_a_row_that_another_table_contradicts_is_found(self):
        self.assertIsNone(tables.first_row_only_in(["1,a", "3,c"], ["1,a", "2,b", "3,c"]))
        self.assertEqual(tables.first_row_only_in(["1,a", "3,c"], ["1,a", "2,b", "3,x"]), "3,c")

    def test_tables_are_recorded_by_what_they_hold(self):
        self.assertEqual(games.kept("--memory 4M --reachable --max-turns 5"),
                         "--max-turns 5")
        self.assertEqual(tables.key("g", "--memory 4M", {"losses.rgp": ""}), "g (losses)")
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "game"))
            for name in ("values.rgt", "run.json", "lock", "phase-001-0.rgl"):
                with open(os.path.join(folder, "game", name), "w", encoding="utf-8"):
                    pass
            self.assertEqual(list(tables.published(folder)), ["values.rgt"])

    def test_every_route_is_asked(self):
        with open("docs/openapi.json", encoding="utf-8") as file:
            paths = json.load(file)["paths"]
        asked = {"/".join(["/api/v1/games/{game}", route.partition("?")[0]]).rstrip("/")
                 for route in answers.ROUTES} | set(answers.ANYWHERE_FETCHED)
        asked = {path.replace("/P", "/{position}") for path in asked}
        gets = {path for path, methods in paths.items() if "get" in methods}
        left = gets - asked - answers.NOT_FETCHED
        self.assertEqual({path for path in left if not path.startswith("/uwapi/{game}")}, set())

    def test_medians_are_compared(self):
        text = speed.line("solve", [[(2.0, 4000), (9.0, 4000), (2.0, 4000)], [(1.0, 2000)] * 3])
        self.assertEqual(text.split(), ["solve", "2.00", "1.00", "2.00", "4.00", "2.00", "2.00"])


if __name__ == "__main__":
    unittest.main()
