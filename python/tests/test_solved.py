"""Your own games, compared with an independent plain evaluation."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograde

Value = tuple[str, int | None]


class Graph:
    """A random graph, possibly with cycles."""

    name = "graph"

    def __init__(self, seed: int, acyclic: bool) -> None:
        rng = random.Random(seed)
        count = rng.randint(1, 60)
        self.start = count - 1
        self.over: dict[int, str] = {}
        self.edges: dict[int, list[tuple[str, int]]] = {}
        for node in range(count):
            if node != self.start and rng.random() < 0.25:
                self.over[node] = rng.choice(["win", "loss", "loss", "draw"])
            below = node if acyclic else count
            number = rng.randint(0, 4) if below else 0
            # Several turns may lead to one position.
            self.edges[node] = [(f"turn {n}", rng.randrange(below)) for n in range(number)]
        self.outcome_without_turns = rng.choice(["loss", "draw", "win"])
        self.seats = [rng.choice(["first", "second"]) for _ in range(count)]

    def turns(self, position: int) -> Iterable[tuple[str, int]]:
        yield from self.edges[position]

    def result(self, position: int) -> str | None:
        return self.over.get(position)


class SeatedGraph(Graph):
    """The same with a random player to move, so that players move several times in a row."""

    def to_move(self, position: int) -> str:
        return self.seats[position]


def again(game: Graph, node: int, to: int) -> bool:
    """Whether the player who moves at a node moves again after it."""
    return isinstance(game, SeatedGraph) and game.seats[node] == game.seats[to]


FLIPPED = {"win": "loss", "loss": "win", "draw": "draw"}


def over_at(game: Graph, node: int) -> str | None:
    if node in game.over:
        return game.over[node]
    return None if game.edges[node] else game.outcome_without_turns


def reached(game: Graph) -> set[int]:
    met, open_nodes = {game.start}, [game.start]
    while open_nodes:
        node = open_nodes.pop()
        if node not in game.over:
            new = {to for _, to in game.edges[node]} - met
            met |= new
            open_nodes += new
    return met


def sweep(game: Graph) -> dict[int, Value]:
    """Decides, for increasing numbers of turns, the positions that end in exactly this many."""
    nodes = reached(game)
    values: dict[int, Value] = {}
    for node in nodes:
        over = over_at(game, node)
        if over is not None:
            values[node] = (over, None if over == "draw" else 0)
    for turns in range(1, 2 * len(nodes) + 2):
        new: dict[int, Value] = {}
        for node in nodes - values.keys():
            # The outcomes for the player to move at this node; `None` if not known yet.
            after = [outcome_before(game, node, to, values.get(to)) for _, to in game.edges[node]]
            if "win" in after:
                new[node] = ("win", turns)
            elif all(outcome == "loss" for outcome in after):
                new[node] = ("loss", turns)
        values |= new
    return {node: values.get(node, ("draw", None)) for node in nodes}


def outcome_before(game: Graph, node: int, to: int, value: Value | None) -> str | None:
    if value is None:
        return None
    return value[0] if again(game, node, to) else FLIPPED[value[0]]


@pytest.mark.parametrize("kind", [Graph, SeatedGraph])
@pytest.mark.parametrize("acyclic", [True, False])
def test_values_are_those_of_a_plain_sweep(acyclic: bool, kind: type[Graph]) -> None:
    seen: set[str] = set()
    for seed in range(150):
        graph = kind(seed, acyclic)
        values, solved = sweep(graph), retrograde.solve(graph)
        assert set(solved.positions()) == values.keys() and len(solved) == len(values)
        outcomes, counts = solved.probe_many(solved.positions())
        by_index = solved.probe_many(indices=np.arange(len(solved)))
        assert np.array_equal(by_index[0], outcomes) and np.array_equal(by_index[1], counts)
        for number, position in enumerate(solved.positions()):
            outcome, turns = values[position]
            seen.add(outcome)
            assert solved.index(position) == number and position in solved
            expected = {"win": 1, "draw": 0, "loss": -1}[outcome]
            assert (outcomes[number], counts[number]) == (expected, -1 if turns is None else turns), seed
            probe = solved.probe(position)
            assert (probe["outcome"], probe["turns"]) == (outcome, turns)
            edges = [] if over_at(graph, position) else graph.edges[position]
            available = probe["turns_available"]
            assert sorted((turn["turn"], turn["position"]) for turn in available) == sorted(edges)
            for turn in available:
                after = values[turn["position"]]
                more = None if after[1] is None else after[1] + 1
                expected_outcome = outcome_before(graph, position, turn["position"], after)
                assert (turn["outcome"], turn["turns"]) == (expected_outcome, more)
            if available:
                assert (available[0]["outcome"], available[0]["turns"]) == (outcome, turns)
        stats = solved.stats()
        for word, many in (("win", "wins"), ("loss", "losses"), ("draw", "draws")):
            assert stats[many] == sum(outcome == word for outcome, _ in values.values())  # type: ignore[literal-required]
        line = solved.line()
        position = solved.start
        for step in line["line"]:
            assert step["position"] == position
            position = solved.play(position, step["turn"])
        assert position == line["end"]
        if line["turns"] is not None:
            assert (line["ends"], len(line["line"])) == ("over", line["turns"])
        assert solved.verify()["proved"]
        for puzzle in solved.puzzles(3):
            wins = {turn["position"] for turn in solved.turns(puzzle["position"]) if turn["outcome"] == "win"}
            assert wins == {solved.play(puzzle["position"], puzzle["solution"])}
    assert seen == {"win", "loss", "draw"}


class Kalah:
    """Two pits and a store for each side, one seed per pit. A player who ends in the own store moves again. A
    position is the pits and stores in sowing order, and the player to move."""

    start = ((2, 2, 0, 2, 2, 0), "first")

    def turns(self, position: tuple[tuple[int, ...], str]) -> Iterable[tuple[int, tuple[tuple[int, ...], str]]]:
        pits, player = position
        first, store = (0, 2) if player == "first" else (3, 5)
        for pit in (first, first + 1):
            if pits[pit]:
                sown, at = list(pits), pit
                seeds, sown[pit] = pits[pit], 0
                while seeds:
                    at = (at + 1) % 6
                    # Skip the opponent's store.
                    if at != 7 - store:
                        sown[at] += 1
                        seeds -= 1
                other = "second" if player == "first" else "first"
                yield pit - first, (tuple(sown), player if at == store else other)

    def to_move(self, position: tuple[tuple[int, ...], str]) -> str:
        return position[1]

    def result(self, position: tuple[tuple[int, ...], str]) -> int | None:
        (a, b, one, c, d, two), player = position
        if a + b and c + d:
            return None
        lead = (a + b + one) - (c + d + two)
        sign = (lead > 0) - (lead < 0)
        return sign if player == "first" else -sign


def test_a_player_who_moves_again_keeps_the_value() -> None:
    rules = Kalah()
    solved = retrograde.solve(rules)

    def best(position: Any) -> int:
        """1 if the first player wins, by plain recursion."""
        over = rules.result(position)
        mine = 1 if position[1] == "first" else -1
        if over is not None:
            return mine * over
        return mine * max(mine * best(after) for _, after in rules.turns(position))

    twice = 0
    for position in solved.positions():
        outcome = {1: "win", 0: "draw", -1: "loss"}[best(position) * (1 if position[1] == "first" else -1)]
        assert solved.probe(position)["outcome"] == outcome
        twice += any(after[1] == position[1] for _, after in rules.turns(position))
    assert twice > 5 and solved.verify()["proved"]


class Nim:
    """Take one to three sticks; the player who takes the last one wins."""

    def __init__(self, sticks: int) -> None:
        self.sticks = sticks

    def start(self) -> int:
        return self.sticks

    def turns(self, sticks: int) -> list[tuple[int, int]]:
        return [(take, sticks - take) for take in (1, 2, 3) if take <= sticks]

    def result(self, sticks: int) -> None:
        return None


def test_a_long_game_and_samples() -> None:
    heard: list[str] = []
    solved = retrograde.solve(Nim(20_001), progress=lambda stage, done, total: heard.append(stage))
    assert (solved.name, solved.start, len(solved)) == ("nim", 20_001, 20_002)
    assert heard[0] == "searching positions"
    for sticks in range(0, 20_001, 997):
        value = solved.probe(sticks)
        assert value["outcome"] == ("loss" if sticks % 4 == 0 else "win")
    sampled = solved.sample(100, outcome="loss", seed=4)
    assert all(sticks % 4 == 0 for sticks in solved.positions(sampled))
    assert len(solved.sample(50)) == 50
    with pytest.raises(retrograde.UsageError):
        solved.sample(-1)
    with pytest.raises(retrograde.UsageError):
        solved.sample(1, turns=3)
    assert {found["position"] for found in solved.find("loss", 2)} == {4}


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(retrograde.TooLargeError, match="after 1000 positions"):
        retrograde.solve(Nim(5000), limit=1000)
    solved = retrograde.solve(Nim(10))
    with pytest.raises(retrograde.PositionError, match="position 11 cannot occur in nim"):
        solved.probe(11)
    with pytest.raises(retrograde.TurnError, match="turn 4"):
        solved.play(10, 4)
    with pytest.raises(retrograde.PositionError, match="number 1, "):
        solved.positions([3, 99])

    class Wrong(Nim):
        given: object = None

        def result(self, sticks: int) -> None:
            if sticks == 3:
                return self.given  # type: ignore[return-value]
            return None

    wrong = Wrong(10)
    wrong.given = "victory"
    with pytest.raises(retrograde.UsageError, match="not 'victory'"):
        retrograde.solve(wrong)
    for given in (1, -1, 0, np.int64(1), "draw"):
        wrong.given = given
        # The game is over at three sticks, but two are reached from four and five.
        solved = retrograde.solve(wrong)
        outcome = given if isinstance(given, str) else {1: "win", -1: "loss", 0: "draw"}[int(given)]
        assert (solved.probe(3)["outcome"], solved.turns(3)) == (outcome, [])

    class NoPairs(Nim):
        def turns(self, sticks: int) -> list[tuple[int, int]]:
            return [sticks - 1] if sticks else []  # type: ignore[list-item]

    with pytest.raises(retrograde.UsageError, match="pairs of a turn and the position after it"):
        retrograde.solve(NoPairs(3))

    class Fails(Nim):
        def turns(self, sticks: int) -> list[tuple[int, int]]:
            if sticks == 5:
                raise ZeroDivisionError("mine")
            return super().turns(sticks)

    with pytest.raises(ZeroDivisionError, match="mine"):
        retrograde.solve(Fails(10))

    class Unhashable(Nim):
        def turns(self, sticks: int) -> list[tuple[int, int]]:
            return [(1, [sticks])]  # type: ignore[list-item]

    with pytest.raises(retrograde.UsageError, match=r"hashable, and \[3\] is not"):
        retrograde.solve(Unhashable(3))


@pytest.mark.parametrize("kind", [Graph, SeatedGraph])
def test_saved_games_have_the_same_answers(kind: type[Graph], tmp_path: Path) -> None:
    for seed in range(20):
        game = retrograde.solve(kind(seed, seed % 2 == 0))
        file = tmp_path / "game.pickle"
        game.save(file)
        for again in (retrograde.SolvedGame.load(file), pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
            assert (again.name, len(again), again.positions()) == (game.name, len(game), game.positions())
            assert {**again.stats(), "seconds": 0} == {**game.stats(), "seconds": 0} and again.line() == game.line()
            for one, other in zip(again.probe_many(indices=range(len(game))), game.probe_many(game.positions())):
                assert np.array_equal(one, other)
        assert copy.copy(game) is game
    assert [path.name for path in tmp_path.iterdir()] == ["game.pickle"]


def test_what_is_not_a_saved_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.pickle"
    with pytest.raises(retrograde.FileError, match=r"cannot read .*game\.pickle"):
        retrograde.SolvedGame.load(file)
    game = retrograde.solve(Graph(3, True))
    game.save(file)
    whole = file.read_bytes()
    for data in (b"", whole[:-20], b"text", pickle.dumps(("something", 1)), pickle.dumps(game)):
        file.write_bytes(data)
        with pytest.raises(retrograde.FileError, match=r"not a saved game"):
            retrograde.SolvedGame.load(file)
    with pytest.raises(retrograde.FileError, match="cannot write"):
        game.save(tmp_path / "missing" / "game.pickle")

    class Local(Graph):
        """Not importable, so not saved."""

    with pytest.raises(retrograde.UsageError, match="graph cannot be saved"):
        retrograde.solve(Local(3, True)).save(file)


def test_parts_of_a_graph_that_do_not_fit_are_refused() -> None:
    game = retrograde.solve(Graph(5, False))
    begins, nodes, over, seats, without_turns = game._graph
    for parts in (
        (begins[:-1], nodes, over, seats, without_turns),
        (begins[::-1].copy(), nodes, over, seats, without_turns),
        (begins, nodes + np.uint32(1000), over, seats, without_turns),
        (begins, nodes, over[1:], seats, without_turns),
        (begins, nodes, np.full_like(over, 7), seats, without_turns),
        (begins, nodes, over, np.zeros(3, np.uint8), without_turns),
        (begins, nodes, over, seats, 5),
    ):
        with pytest.raises(retrograde.UsageError, match="do not fit together"):
            retrograde.SolvedGame(game.rules, game.name, game.positions(), parts)
