"""Metrics for policies and value estimates, compared with perfect play.

:func:`judge` scores the turns of a policy, :func:`judge_values` estimates of values. A metric is ``None``
if there is nothing to measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from . import _arguments as check
from ._errors import TurnError, UnsupportedError, UsageError
from ._game import DRAW, LOSS, UNKNOWN, WIN, Game, OnePosition, Position
from ._solved import SolvedGame, is_same
from ._walk import OwnWalk, Walk

_RANK = {"win": WIN, "draw": DRAW, "loss": LOSS}

#: The smallest probability in a cross-entropy, so that a wrong certainty has a finite cost.
LEAST_PROBABILITY = 1e-12


class Score(TypedDict):
    """The result of :func:`judge`. Rates are between 0 and 1; ``None`` if there is nothing to measure.

    Attributes:
        positions: the number of judged positions, in which the game is not over.
        optimal_rate: the share of best turns, which keep the outcome and win as soon or lose as late
            as possible; ``None`` if the table does not have turns to the end.
        optimal_rate_won: the same for won positions only.
        outcome_kept_rate: the share of turns that keep the outcome.
        outcome_kept_rate_won: the same for won positions only.
        outcome_kept_rate_drawn: the same for drawn positions only.
        outcome_regret: the average loss of outcome, where a win is 1, a draw 0 and a loss -1.
        turns_regret: the average number of turns by which wins come later and losses sooner than
            necessary, over turns that keep the outcome.
        intervals: the 95% confidence intervals of the numbers above, by name: Wilson's for rates, the normal
            one for regrets. A number that is ``None`` has none, and a regret needs two positions.
    """

    positions: int
    optimal_rate: float | None
    optimal_rate_won: float | None
    outcome_kept_rate: float | None
    outcome_kept_rate_won: float | None
    outcome_kept_rate_drawn: float | None
    outcome_regret: float | None
    turns_regret: float | None
    intervals: dict[str, tuple[float, float]]


class ValueScore(TypedDict):
    """The result of :func:`judge_values`; ``None`` if there is nothing to measure.

    Attributes:
        positions: the number of judged positions, whose outcome is known.
        sign_accuracy: the share of estimates with the sign of the outcome: positive for a win, negative
            for a loss, 0 for a draw.
        sign_accuracy_decided: the same for won and lost positions only.
        cross_entropy: the average cross-entropy of the estimates in nats: 0 is perfect, 0.693 is a coin
            flip.
        mean_square_error: the mean squared difference between estimate and outcome.
    """

    positions: int
    sign_accuracy: float | None
    sign_accuracy_decided: float | None
    cross_entropy: float | None
    mean_square_error: float | None


#: The quantile of the normal distribution for 95%.
_Z = 1.959963984540054

#: Weights and weighted values, one pair for each position.
_Values: TypeAlias = list[tuple[float, float]]


def _mean(values: _Values) -> float | None:
    return math.fsum(value for _, value in values) / math.fsum(weight for weight, _ in values) if values else None


def _wilson(values: _Values) -> tuple[float, float] | None:
    """Wilson's interval for the mean of shares with weight 1."""
    count = len(values)
    if not count:
        return None

    def least(points: float) -> float:
        root = math.sqrt(_Z * _Z + 4 * points * (count - points) / count)
        return max((2 * points + _Z * _Z - _Z * root) / (2 * (count + _Z * _Z)), 0.0)

    points = min(math.fsum(value for _, value in values), count)
    return least(points), 1 - least(count - points)


def _normal(values: _Values) -> tuple[float, float] | None:
    """The normal interval for the mean of numbers that are not negative. With weights, the mean is a ratio; its
    variance is that of its linearization."""
    mean, count = _mean(values), len(values)
    if mean is None or count < 2:
        return None
    squares = math.fsum((value - mean * weight) ** 2 for weight, value in values)
    half = _Z * math.sqrt(squares * count / (count - 1)) / math.fsum(weight for weight, _ in values)
    return max(mean - half, 0.0), mean + half


class Judgement:
    """Accumulates the scores of a policy over positions."""

    def __init__(self) -> None:
        self._optimal: _Values = []
        self._optimal_won: _Values = []
        self._kept: _Values = []
        self._kept_won: _Values = []
        self._kept_drawn: _Values = []
        self._outcome_regret: _Values = []
        #: Whether the turns to the end were always known where they matter.
        self._knows_turns = True
        #: Turns lost, with the probability that the outcome is kept.
        self._turns_regret: _Values = []

    def add(
        self,
        position: object,
        available: Sequence[Any],
        choice: Any,
        find: Callable[[Any], Any],
    ) -> None:
        """Scores the choice in a position.

        Args:
            position: the position, for error messages.
            available: its turns with their values, best first.
            choice: a turn, or probabilities of turns.
            find: finds a turn in ``available``, or raises.
        """
        best = available[0]
        chosen = choice.items() if isinstance(choice, Mapping) else [(choice, 1.0)]
        weighed = [(find(turn), check.number("probabilities", weight, 0)) for turn, weight in chosen]
        total = math.fsum(weight for _, weight in weighed)
        if not (math.isfinite(total) and total > 0):
            raise UsageError(
                f"the probabilities of turns in {position} must not be negative or all 0; their sum is {total}",
                "usage",
            )
        optimal = kept = lost = counted = turns_lost = 0.0
        for made, weight in weighed:
            if "unknown" in (best["outcome"], made["outcome"]):
                raise UnsupportedError(f"the value of {position} is unknown", "unsupported")
            share = weight / total
            given_away = _RANK[best["outcome"]] - _RANK[made["outcome"]]
            lost += share * given_away
            if given_away == 0:
                kept += share
                optimal += share * (made["turns"] == best["turns"])
                self._knows_turns &= best["outcome"] == "draw" or None not in (made["turns"], best["turns"])
                if made["turns"] is not None and best["turns"] is not None:
                    counted += share
                    turns_lost += share * abs(made["turns"] - best["turns"])
        self._optimal.append((1.0, optimal))
        self._kept.append((1.0, kept))
        self._outcome_regret.append((1.0, lost))
        if best["outcome"] == "win":
            self._optimal_won.append((1.0, optimal))
            self._kept_won.append((1.0, kept))
        elif best["outcome"] == "draw":
            self._kept_drawn.append((1.0, kept))
        if counted > 0:
            self._turns_regret.append((counted, turns_lost))

    def score(self) -> Score:
        """The result."""
        optimal, optimal_won = (self._optimal, self._optimal_won) if self._knows_turns else ([], [])
        intervals = {
            "optimal_rate": _wilson(optimal),
            "optimal_rate_won": _wilson(optimal_won),
            "outcome_kept_rate": _wilson(self._kept),
            "outcome_kept_rate_won": _wilson(self._kept_won),
            "outcome_kept_rate_drawn": _wilson(self._kept_drawn),
            "outcome_regret": _normal(self._outcome_regret),
            "turns_regret": _normal(self._turns_regret),
        }
        return {
            "positions": len(self._optimal),
            "optimal_rate": _mean(optimal),
            "optimal_rate_won": _mean(optimal_won),
            "outcome_kept_rate": _mean(self._kept),
            "outcome_kept_rate_won": _mean(self._kept_won),
            "outcome_kept_rate_drawn": _mean(self._kept_drawn),
            "outcome_regret": _mean(self._outcome_regret),
            "turns_regret": _mean(self._turns_regret),
            "intervals": {name: interval for name, interval in intervals.items() if interval is not None},
        }


def judge(
    game: Game | SolvedGame[Any, Any],
    policy: Callable[[Any], Any],
    positions: Iterable[Any],
) -> Score:
    """Compares the turns of a policy with perfect play.

    Args:
        game: a game with a table, or your own game from :func:`solve`.
        policy: takes a :class:`Position` (or a position of your own game), and returns a turn, or a
            dictionary with the probability of each turn, for expected scores. A turn of a built-in game
            is its text; any of several turns to the same position is accepted. For policies that choose
            actions see :func:`by_actions`.
        positions: texts, indices or objects, such as ``game.sample(1000)``; for your own game its
            positions, such as ``game.positions(game.sample(1000))``. Finished positions are skipped.

    Raises:
        TurnError: if the policy returns a turn that is not legal.
        UnsupportedError: if a value is unknown.
    """
    if not isinstance(game, (Game, SolvedGame)):
        raise check.refuse("game", "an open or a solved game", game)
    check.function("policy", policy)
    positions = check.items("positions", positions)
    judgement = Judgement()
    if isinstance(game, SolvedGame):
        for own in positions:
            listed = game.turns(own)
            if listed:
                judgement.add(own, listed, policy(own), lambda turn: _own(own, turn, listed))
        return judgement.score()
    for one in positions:
        position = game.position(one)
        available = game.turns(position)
        if available:
            find = _finder(game, position.text, available)
            judgement.add(position.text, available, policy(position), find)
    return judgement.score()


def _own(position: Any, turn: Any, available: Sequence[Any]) -> Any:
    for known in available:
        if is_same(known["turn"], turn):
            return known
    raise TurnError(f"turn {turn!r} is not a turn of {position!r}", "turn", repr(turn))


def _finder(game: Game, position: str, available: Sequence[Any]) -> Callable[[Any], Any]:
    """Returns a function that finds the value of a turn, also if the listed turn to the same position is
written differently."""

    def find(turn: Any) -> Any:
        for known in available:
            if known["turn"] == turn:
                return known
        after = game.position(position).play(turn).text
        for known in available:
            if known["position"] == after:
                return known
        raise TurnError(f"turn “{turn}” is not a turn of {position}", "turn", turn)

    return find


def by_actions(
    game: Game | SolvedGame[Any, Any], choose: Callable[[dict[str, NDArray[Any]]], int]
) -> Callable[[Any], Any]:
    """A policy for :func:`judge` from an agent that chooses actions, as in the environments.

    Args:
        game: an open game, or your own solved game.
        choose: returns an action for an observation, a dictionary with ``observation`` and
            ``action_mask`` as in :mod:`retrograde.perfect_v0`. It is called again until the turn is
            complete: in Push Fight up to three times.

    Raises:
        TurnError: if an action is not legal, when the policy is called.
    """
    if not isinstance(game, (Game, SolvedGame)):
        raise check.refuse("game", "an open or a solved game", game)
    check.function("choose", choose)
    if isinstance(game, SolvedGame):
        own = OwnWalk(game)
        turns = game.actions()

        def own_policy(position: Any) -> Any:
            own.reset(position)
            action = choose({"observation": own.observation(own.seat), "action_mask": own.mask(own.seat)})
            own.act(action)
            return turns[action]

        return own_policy
    walk = Walk(game)

    def policy(position: OnePosition) -> str:
        begun = game.position(position).text
        walk.reset(begun)
        while not walk.act(choose({"observation": walk.observation(0), "action_mask": walk.mask(0)})):
            pass
        return next(turn for turn, after in game._native.legal_turns(begun) if after == walk.position)

    return policy


def judge_values(estimates: Any, outcomes: Any, *, draw_below: float = 0.0) -> ValueScore:
    """Compares value estimates with the true outcomes of positions.

    Args:
        estimates: N numbers between -1 and 1, the expected outcome for the side to move, such as from the
            value head of a network; or N × 3 probabilities of loss, draw and win.
        outcomes: N true outcomes from :meth:`Game.probe_many`: 1, 0, -1. Unknown outcomes (2) are
            skipped.
        draw_below: numbers up to this absolute value count as a draw in sign comparisons. Ignored for
            probabilities, where the most likely outcome counts.

    In the cross-entropy, a number *v* means a win with probability (1 + *v*) / 2, and a draw is half a win and
    half a loss. So even a perfect estimate of a draw costs 0.693; probabilities of all three outcomes do not
    have this floor.

    Raises:
        UsageError: if shapes do not match, numbers are not between -1 and 1, or probabilities are
            negative or do not sum to 1.
    """
    draw_below = check.number("draw_below", draw_below, 0)
    try:
        given, true = np.asarray(estimates, np.float64), np.asarray(outcomes)
    except (TypeError, ValueError):
        raise UsageError("`estimates` and `outcomes` must be arrays of numbers", "usage") from None
    if true.ndim != 1 or given.shape not in ((len(true),), (len(true), 3)):
        raise UsageError(
            f"`estimates` must have the shape (N,) or (N, 3), and `outcomes` (N,), not {given.shape} and {true.shape}",
"usage",
        )
    if not np.isin(true, (LOSS, DRAW, WIN, UNKNOWN)).all():
        raise UsageError("outcomes must be 1, 0, -1, or 2 for unknown", "usage")
    is_known = true != UNKNOWN
    given, true = given[is_known], true[is_known].astype(np.int64)
    if given.ndim == 1:
        if not (np.abs(given) <= 1).all():
            raise UsageError("estimates must be between -1 and 1", "usage")
        values = given
        signs = np.where(np.abs(given) <= draw_below, 0, np.sign(given))
        win = (1 + given) / 2
        target = (1 + true) / 2
        cost = -(target * _log(win) + (1 - target) * _log(1 - win))
    else:
        sums = given.sum(axis=1)
        if not ((given >= 0).all() and np.allclose(sums, 1, atol=1e-3)):
            raise UsageError("probabilities of loss, draw and win must not be negative and must sum to 1", "usage")
        values = given[:, 2] - given[:, 0]
        signs = given.argmax(axis=1) - 1
        cost = -_log(given[np.arange(len(true)), true + 1])
    is_right = signs == true
    decided = is_right[true != DRAW]
    return {
        "positions": len(true),
        "sign_accuracy": float(is_right.mean()) if len(true) else None,
        "sign_accuracy_decided": float(decided.mean()) if len(decided) else None,
        "cross_entropy": float(cost.mean()) if len(true) else None,
        "mean_square_error": float(((values - true) ** 2).mean()) if len(true) else None,
    }


def _log(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    logs: NDArray[np.float64] = np.log(np.maximum(probabilities, LEAST_PROBABILITY))
    return logs
