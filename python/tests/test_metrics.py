"""Metrics, compared with values computed by hand, and evaluation sets."""

from __future__ import annotations

import hashlib
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograde
from retrograde import Game
from retrograde._metrics import Judgement


class Sticks:
    """The player who takes the last of five sticks wins; a turn takes one or two. By hand: 3 is lost
    in 2, 1 and 2 are won in 1, 4 is won in 3 (take 1), 5 in 3 (take 2); 0 is over."""

    start = 5

    def turns(self, sticks: int) -> list[tuple[int, int]]:
        return [(take, sticks - take) for take in (1, 2) if take <= sticks]

    def result(self, sticks: int) -> None:
        return None


SCORES: list[tuple[Any, dict[str, float | None]]] = [
    # Perfect: 1 → 1, 2 → 2, 3 → 1 (lost either way, both last two turns), 4 → 1, 5 → 2.
    (
        lambda sticks: {1: 1, 2: 2, 3: 1, 4: 1, 5: 2}[sticks],
        {"optimal_rate": 1, "optimal_rate_won": 1, "outcome_kept_rate": 1, "outcome_regret": 0, "turns_regret": 0},
    ),
    # Always one: right in 1, 3 and 4; in 2 and in 5 it turns a win into a loss, a regret of 2 each.
    (
        lambda sticks: 1,
        {
            "optimal_rate": 3 / 5,
            "optimal_rate_won": 2 / 4,
            "outcome_kept_rate": 3 / 5,
            "outcome_kept_rate_won": 2 / 4,
            "outcome_regret": 4 / 5,
            "turns_regret": 0,
        },
    ),
    # One with probability 3/4 if two is legal: right with probability 1, 1/4, 1, 3/4, 1/4 from 1 to 5 sticks.
    (
        lambda sticks: {1: 3, 2: 1} if sticks > 1 else {1: 0.5},
        {
            "optimal_rate": 3.25 / 5,
            "optimal_rate_won": 2.25 / 4,
            "outcome_kept_rate": 3.25 / 5,
            "outcome_regret": 2 * 1.75 / 5,
            "turns_regret": 0,
        },
    ),
]


@pytest.mark.parametrize(("policy", "expected"), SCORES)
def test_policies_are_judged_as_by_hand(policy: Any, expected: dict[str, float | None]) -> None:
    solved = retrograde.solve(Sticks())
    assert [(solved.probe(n)["outcome"], solved.probe(n)["turns"]) for n in range(6)] == [
        ("loss", 0),
        ("win", 1),
        ("win", 1),
        ("loss", 2),
        ("win", 3),
        ("win", 3),
    ]
    score = retrograde.judge(solved, policy, range(6))
    assert score["positions"] == 5
    assert {name: score[name] for name in expected} == pytest.approx(expected)  # type: ignore[literal-required]
    indices = np.array([solved.index(sticks) for sticks in range(6)], np.uint64)
    assert retrograde.judge(solved, policy, solved.positions(indices)) == score


class Ladder:
    """A game in which turns are wasted: from ``a`` one wins in 1, or in 3 by ``b`` (lost in 2 by the only
    turn to ``c``); from ``d`` both turns lose, one in 2 by ``c``, one in 4 by ``a``'s twin ``e``."""

    start = "s"
    tree = {"s": "ad", "a": "zb", "b": "c", "c": "z", "d": "ce", "e": "b", "z": ""}

    def turns(self, position: str) -> list[tuple[str, str]]:
        return [(following, following) for following in self.tree[position]]

    def result(self, position: str) -> str | None:
        return "loss" if position == "z" else None


def test_turns_given_away_are_counted_as_by_hand() -> None:
    solved = retrograde.solve(Ladder())
    value = {name: (solved.probe(name)["outcome"], solved.probe(name)["turns"]) for name in Ladder.tree}
    assert value == {
        "z": ("loss", 0),
        "c": ("win", 1),
        "b": ("loss", 2),
        "e": ("win", 3),
        "a": ("win", 1),
        "d": ("loss", 4),
        "s": ("win", 5),
    }
    slow = {"a": "b", "d": "c", "c": "z"}
    score = retrograde.judge(solved, lambda position: slow[position], ["a", "d", "c"])
    # In a the win comes 2 turns later, in d the loss 2 turns sooner, in c nothing is lost.
    assert score["turns_regret"] == pytest.approx(4 / 3)
    assert (score["optimal_rate"], score["outcome_kept_rate"]) == (pytest.approx(1 / 3), 1.0)
    assert score["optimal_rate_won"] == pytest.approx(1 / 2)
    # Half of the time, so half of the regret.
    score = retrograde.judge(solved, lambda _: {"z": 1, "b": 1}, ["a"])
    assert (score["turns_regret"], score["optimal_rate"]) == (pytest.approx(1.0), pytest.approx(0.5))


def test_intervals_are_those_by_hand() -> None:
    """The same numbers as in `judgement.rs` of the engine."""
    turns = {
        "best": {"outcome": "win", "turns": 1},
        "slow": {"outcome": "win", "turns": 3},
        "slower": {"outcome": "win", "turns": 5},
        "lost": {"outcome": "loss", "turns": 2},
    }
    judgement = Judgement()
    for choice in ("slow", {"best": 1, "lost": 1}, {"slower": 1, "lost": 3}):
        judgement.add("here", list(turns.values()), choice, turns.__getitem__)
    score = judgement.score()
    for name, value, low, high in [
        ("optimal_rate", 0.5 / 3, 0.017653, 0.690012),
        ("outcome_kept_rate_won", 1.75 / 3, 0.164165, 0.908919),
        ("outcome_regret", 2.5 / 3, 0.0, 1.697596),
        ("turns_regret", 3 / 1.75, 0.247888, 3.180683),
    ]:
        assert score[name] == pytest.approx(value)  # type: ignore[literal-required]
        assert score["intervals"][name] == pytest.approx((low, high), abs=1e-6)
    assert score["outcome_kept_rate_drawn"] is None and "outcome_kept_rate_drawn" not in score["intervals"]


@pytest.mark.parametrize("probabilities", [{}, {1: 0}, {1: -1, 2: 2}, {1: math.nan}, {1: math.inf}])
def test_what_is_no_distribution_is_refused(probabilities: dict[int, float]) -> None:
    with pytest.raises(retrograde.UsageError, match="probabilities"):
        retrograde.judge(retrograde.solve(Sticks()), lambda _: probabilities, [5])
    with pytest.raises(retrograde.TurnError):
        retrograde.judge(retrograde.solve(Sticks()), lambda _: 3, [5])


def test_estimates_are_judged_as_by_hand() -> None:
    # A win estimated at 3/4, a loss at 1/4 of a win, and a draw as even.
    score = retrograde.judge_values([0.5, 0.5, 0.0, 1.0], [1, -1, 0, retrograde.UNKNOWN])
    assert score["positions"] == 3
    assert score["sign_accuracy"] == pytest.approx(2 / 3)
    assert score["sign_accuracy_decided"] == pytest.approx(1 / 2)
    expected = -(math.log(3 / 4) + math.log(1 / 4) + math.log(1 / 2)) / 3
    assert score["cross_entropy"] == pytest.approx(expected)
    assert score["mean_square_error"] == pytest.approx((0.25 + 2.25 + 0) / 3)
    assert retrograde.judge_values([0.1, -0.3], [0, -1], draw_below=0.2)["sign_accuracy"] == 1.0
    # Probabilities of loss, draw, win.
    score = retrograde.judge_values([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0, 1, 0]], np.array([1, 0, 0]))
    assert score["sign_accuracy"] == pytest.approx(2 / 3)
    assert score["cross_entropy"] == pytest.approx(-(math.log(0.7) + math.log(0.3)) / 3)
    assert score["mean_square_error"] == pytest.approx((0.4**2 + 0.3**2 + 0) / 3)
    # A wrong certainty costs much, but not infinitely much.
    worst = retrograde.judge_values([-1.0], [1])["cross_entropy"]
    assert worst is not None and 20 < worst < 30
    assert retrograde.judge_values([], [])["cross_entropy"] is None


@pytest.mark.parametrize(
    ("estimates", "outcomes"),
    [([1.5], [1]), ([math.nan], [1]), ([0.5, 0.5], [1]), ([[0.5, 0.5]], [1]), ([[0.5, 0.5, 0.5]], [1]), ([0.0], [3])],
)
def test_estimates_that_are_none_are_refused(estimates: Any, outcomes: Any) -> None:
    with pytest.raises(retrograde.UsageError):
        retrograde.judge_values(estimates, outcomes)


@pytest.mark.parametrize("name", ["touchdown:3x4", "pushfight:mini,moves=1"])
def test_agents_that_choose_actions_are_judged(name: str) -> None:
    game = retrograde.open(name, tables=None)
    rng = np.random.default_rng(1)
    walk_positions = [game.start, *(game.position(int(index)) for index in game.sample(20, seed=2))]

    def first(observation: dict[str, Any]) -> int:
        assert observation["observation"].ndim == 3
        return int(np.flatnonzero(observation["action_mask"])[0])

    policy = retrograde.by_actions(game, first)
    score = retrograde.judge(game, policy, walk_positions)
    assert score == retrograde.judge(game, policy, walk_positions) and score["positions"] > 10
    for position in walk_positions:
        if position.over is None:
            assert policy(position) in game.legal_turns(position)
    random = retrograde.by_actions(game, lambda seen: int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    assert 0 < (retrograde.judge(game, random, walk_positions)["optimal_rate"] or 0) < 1
    with pytest.raises(retrograde.TurnError):
        retrograde.by_actions(game, lambda seen: int(np.flatnonzero(seen["action_mask"] == 0)[0]))(game.start)


def test_a_table_of_outcomes_alone_has_no_optimal_rate() -> None:
    judgement = Judgement()
    turns = [{"turn": "a", "outcome": "win", "turns": None}, {"turn": "b", "outcome": "loss", "turns": None}]
    judgement.add("here", turns, "a", lambda turn: next(one for one in turns if one["turn"] == turn))
    score = judgement.score()
    assert (score["outcome_kept_rate"], score["outcome_kept_rate_won"]) == (1, 1)
    assert score["optimal_rate"] is score["optimal_rate_won"] is score["turns_regret"] is None


def test_the_set_of_the_page_is_made_and_read(touchdown: Game, tmp_path: Path) -> None:
    """The set has the digests of docs/data-sets.md, and judges like the table."""
    folder = tmp_path / "set"
    touchdown.write_evaluation_set(folder)
    page = (Path(__file__).resolve().parents[2] / "docs" / "data-sets.md").read_text(encoding="utf-8")
    digests = dict(re.findall(r"\| `(\w+\.jsonl)` \| \d+ \| `([0-9a-f]{64})` \|", page))
    assert len(digests) == 3
    orbits: set[str] = set()
    for split in ("train", "validation", "test"):
        rows = retrograde.load_set(folder, split)  # type: ignore[arg-type]
        assert hashlib.sha256(rows.path.read_bytes()).hexdigest() == digests[rows.path.name]
        assert len(rows) >= 290
        met = {row["orbit"] for row in rows}
        assert len(met) == len(rows) and not met & orbits
        orbits |= met
    assert (rows.planes == touchdown.planes(rows.positions)).all() and rows.planes.dtype == np.uint8
    assert np.array(rows[0]["planes"]).shape == touchdown.plane_shape
    outcomes, turns = touchdown.probe_many(rows.positions)
    assert (outcomes == rows.outcomes).all() and (turns == rows.turns).all()
    score = rows.judge(lambda row: row["turns_available"][-1]["turn"])
    by_table = retrograde.judge(touchdown, lambda position: position.turns()[-1]["turn"], rows.positions)
    assert score == by_table
    only = rows.by_rule("only-move")
    assert 0 < len(only) < len(rows) and {row["rule"] for row in only} == {"only-move"}
    assert len(rows[:5]) == 5 and rows[0]["position"] == rows.positions[0]
    with pytest.raises(retrograde.TurnError):
        rows.judge(lambda row: "z9z9")
    with pytest.raises(retrograde.RetrogradeError, match="already"):
        touchdown.write_evaluation_set(folder)
    with pytest.raises(retrograde.UsageError, match="luck"):
        touchdown.write_evaluation_set(tmp_path / "other", rules=["luck"])  # type: ignore[list-item]
    assert not {*rows[0]} & {*rows[0]["turns_available"][0]}, "columns must not collide when turns become rows"
    rows.path.write_bytes(rows.path.read_bytes()[:-1])
    with pytest.raises(retrograde.RetrogradeError, match="SHA-256"):
        retrograde.load_set(folder)
    with pytest.raises(OSError):
        retrograde.load_set(tmp_path / "nowhere")
