"""How near policies and estimates of values are to perfection.

:func:`judge` judges the turns that a policy makes, :func:`judge_values` the values that somebody
estimates. Both say what people report of agents; ``None`` stands where nothing counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from . import _arguments as check
from ._errors import TurnError, UnsupportedError, UsageError
from ._game import DRAW, LOSS, UNKNOWN, WIN, Game, OnePosition, Position
from ._solved import SolvedGame, is_same
from ._walk import Walk

_RANK = {"win": WIN, "draw": DRAW, "loss": LOSS}

#: The least probability that counts in a cross-entropy: who is sure and wrong is not infinitely wrong.
LEAST_PROBABILITY = 1e-12


class Score(TypedDict):
    """The findings of :func:`judge`. Rates are between 0 and 1, and ``None`` where nothing counts.

    Attributes:
        positions: positions that were judged: those in which the game is not over.
        optimal_rate: the share of turns that keep the outcome, win as soon and lose as late as can be;
            ``None`` if the table does not know turns to the end.
        optimal_rate_won: the same among won positions alone.
        outcome_kept_rate: the share of turns that keep the outcome.
        outcome_kept_rate_won: the same among won positions alone.
        outcome_regret: outcomes given away on average, where a win is 1, a draw 0, a loss -1.
        turns_regret: turns to the end by which wins came later and losses sooner than need be, on
            average over the turns that kept a win, or had nothing but losses.
    """

    positions: int
    optimal_rate: float | None
    optimal_rate_won: float | None
    outcome_kept_rate: float | None
    outcome_kept_rate_won: float | None
    outcome_regret: float | None
    turns_regret: float | None


class ValueScore(TypedDict):
    """The findings of :func:`judge_values`; ``None`` where nothing counts.

    Attributes:
        positions: positions that were judged: those whose outcome is known.
        sign_accuracy: the share of estimates with the sign of the outcome: above 0 for a win, below 0
            for a loss, 0 for a draw.
        sign_accuracy_decided: the same among won and lost positions alone.
        cross_entropy: what the outcomes cost under the estimates, on average, in nats: 0 is perfect,
            0.693 a coin.
        mean_square_error: the mean square of the difference between estimate and outcome.
    """

    positions: int
    sign_accuracy: float | None
    sign_accuracy_decided: float | None
    cross_entropy: float | None
    mean_square_error: float | None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


class Judgement:
    """Collects what a policy does in position after position."""

    def __init__(self) -> None:
        self._optimal: list[float] = []
        self._optimal_won: list[float] = []
        self._kept: list[float] = []
        self._kept_won: list[float] = []
        self._outcome_regret: list[float] = []
        #: Whether the turns to the end were known wherever they matter.
        self._knows_turns = True
        #: Pairs of turns given away and the probability of the turns that gave them away.
        self._turns_regret: list[tuple[float, float]] = []

    def add(
        self,
        position: object,
        available: Sequence[Any],
        choice: Any,
        find: Callable[[Any], Any],
    ) -> None:
        """Judges the choice in a position.

        Args:
            position: its name in errors.
            available: its turns with their values, best first.
            choice: a turn, or probabilities of turns.
            find: the one of ``available`` that a turn is; raises if it is none.
        """
        best = available[0]
        chosen = choice.items() if isinstance(choice, Mapping) else [(choice, 1.0)]
        weighed = [(find(turn), check.number("probabilities", weight, 0)) for turn, weight in chosen]
        total = math.fsum(weight for _, weight in weighed)
        if not (math.isfinite(total) and total > 0):
            raise UsageError(
                f"the probabilities of turns in {position} are not negative and not all 0, found a sum of {total}",
                "usage",
            )
        optimal = kept = lost = 0.0
        for made, weight in weighed:
            if "unknown" in (best["outcome"], made["outcome"]):
                raise UnsupportedError(f"the value of {position} is not known", "unsupported")
            share = weight / total
            given_away = _RANK[best["outcome"]] - _RANK[made["outcome"]]
            lost += share * given_away
            if given_away == 0:
                kept += share
                optimal += share * (made["turns"] == best["turns"])
                self._knows_turns &= best["outcome"] == "draw" or None not in (made["turns"], best["turns"])
                if made["turns"] is not None and best["turns"] is not None:
                    self._turns_regret.append((abs(made["turns"] - best["turns"]), share))
        self._optimal.append(optimal)
        self._kept.append(kept)
        self._outcome_regret.append(lost)
        if best["outcome"] == "win":
            self._optimal_won.append(optimal)
            self._kept_won.append(kept)

    def score(self) -> Score:
        """The findings."""
        weight = math.fsum(share for _, share in self._turns_regret)
        regret = math.fsum(turns * share for turns, share in self._turns_regret)
        return {
            "positions": len(self._optimal),
            "optimal_rate": _mean(self._optimal) if self._knows_turns else None,
            "optimal_rate_won": _mean(self._optimal_won) if self._knows_turns else None,
            "outcome_kept_rate": _mean(self._kept),
            "outcome_kept_rate_won": _mean(self._kept_won),
            "outcome_regret": _mean(self._outcome_regret),
            "turns_regret": regret / weight if weight > 0 else None,
        }


def judge(
    game: Game | SolvedGame[Any, Any],
    policy: Callable[[Any], Any],
    positions: Iterable[Any],
) -> Score:
    """Compares the turns of a policy with perfect ones.

    Args:
        game: a game with a table, or a game of one's own from :func:`solve`.
        policy: gives a turn for a :class:`Position` (for a position of one's own game), or a dictionary
            with the probability of each turn; then the findings are expected ones. A turn of a game
            that comes with Retrograde is its text; of several turns to one position, any. For policies
            that choose actions see :func:`by_actions`.
        positions: texts, indices or objects, such as ``game.sample(1000)``; of a game of one's own
            its positions, such as ``game.positions(game.sample(1000))``. Those in which the game is
            over do not count.

    Raises:
        TurnError: if the policy gives a turn that is not legal.
        UnsupportedError: if a value is not known.
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
    raise TurnError(f"turn {turn!r}: it is no turn of {position!r}", "turn", repr(turn))


def _finder(game: Game, position: str, available: Sequence[Any]) -> Callable[[Any], Any]:
    """Finds the value of a turn, which may be written otherwise than the one that stands for it."""

    def find(turn: Any) -> Any:
        for known in available:
            if known["turn"] == turn:
                return known
        after = game.position(position).play(turn).text
        for known in available:
            if known["position"] == after:
                return known
        raise TurnError(f"turn “{turn}”: it is no turn of {position}", "turn", turn)

    return find


def by_actions(
    game: Game, choose: Callable[[dict[str, NDArray[Any]]], int]
) -> Callable[[OnePosition], str]:
    """A policy for :func:`judge` of an agent that chooses actions, as in the environments.

    Args:
        game: the game.
        choose: gives an action for an observation, a dictionary of ``observation`` and
            ``action_mask`` as :mod:`retrograde.perfect_v0` has it. It is asked again until the turn
            is whole: in Push Fight up to three times.

    Raises:
        TurnError: (when the policy is asked) if an action is not legal.
    """
    if not isinstance(game, Game):
        raise check.refuse("game", "an open game", game)
    check.function("choose", choose)
    walk = Walk(game)

    def policy(position: OnePosition) -> str:
        begun = game.position(position).text
        walk.reset(begun)
        while not walk.act(choose({"observation": walk.observation(0), "action_mask": walk.mask(0)})):
            pass
        return next(turn for turn, after in game._native.legal_turns(begun) if after == walk.position)

    return policy


def judge_values(estimates: Any, outcomes: Any, *, draw_below: float = 0.0) -> ValueScore:
    """Compares estimates of values with the true outcomes of positions.

    Args:
        estimates: N numbers between -1 and 1, the expected outcome for the side to move, such as the
            value head of a network gives; or N × 3 probabilities of a loss, a draw and a win.
        outcomes: N true ones, as :meth:`Game.probe_many` gives them: 1, 0, -1. Those that are 2 (not
            known) do not count.
        draw_below: numbers so near to 0 count as a draw when signs are compared. Of probabilities
            the greatest counts, and this means nothing.

    A number *v* counts as a win with probability (1 + *v*) / 2, and a draw as half a win, half a loss.
    Then even a perfect estimate of a draw costs 0.693; probabilities of all three have no such floor.

    Raises:
        UsageError: if shapes do not fit, numbers are not between -1 and 1, or probabilities are
            negative or do not sum to 1.
    """
    draw_below = check.number("draw_below", draw_below, 0)
    try:
        given, true = np.asarray(estimates, np.float64), np.asarray(outcomes)
    except (TypeError, ValueError):
        raise UsageError("`estimates` and `outcomes` must be arrays of numbers", "usage") from None
    if true.ndim != 1 or given.shape not in ((len(true),), (len(true), 3)):
        raise UsageError(
            f"estimates of {true.shape} outcomes have the shape (N,) or (N, 3), found {given.shape}", "usage"
        )
    if not np.isin(true, (LOSS, DRAW, WIN, UNKNOWN)).all():
        raise UsageError("outcomes are 1, 0 or -1, or 2 where they are not known", "usage")
    is_known = true != UNKNOWN
    given, true = given[is_known], true[is_known].astype(np.int64)
    if given.ndim == 1:
        if not (np.abs(given) <= 1).all():
            raise UsageError("estimates are between -1 and 1; those of other scales are scaled first", "usage")
        values = given
        signs = np.where(np.abs(given) <= draw_below, 0, np.sign(given))
        win = (1 + given) / 2
        target = (1 + true) / 2
        cost = -(target * _log(win) + (1 - target) * _log(1 - win))
    else:
        sums = given.sum(axis=1)
        if not ((given >= 0).all() and np.allclose(sums, 1, atol=1e-3)):
            raise UsageError("probabilities of loss, draw and win are not negative and sum to 1", "usage")
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
