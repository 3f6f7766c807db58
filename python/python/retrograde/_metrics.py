"""How near a policy is to perfection."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict

from ._answers import TurnValue
from ._errors import TurnError, UnsupportedError
from ._game import Game, OnePosition, Position

_RANK = {"win": 1, "draw": 0, "loss": -1}


class Score(TypedDict):
    """The findings of :func:`judge`. Rates are between 0 and 1, and ``None`` where nothing counts.

    Attributes:
        positions: positions that were judged: those in which the game is not over.
        optimal_rate: the share of turns that keep the outcome, win as soon and lose as late as can be.
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


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def judge(
    game: Game, policy: Callable[[Position], str], positions: Iterable[OnePosition]
) -> Score:
    """Compares the turns of a policy with perfect ones.

    Args:
        game: a game with a table that knows turns to the end.
        policy: gives the text of a turn for a position. Of several turns to one position, any.
        positions: texts, indices or objects, such as ``game.sample(1000)``. Those in which the game
            is over do not count.

    Raises:
        TurnError: if the policy gives a turn that is not legal.
        UnsupportedError: if a value is not known.
    """
    optimal: list[float] = []
    optimal_won: list[float] = []
    kept: list[float] = []
    kept_won: list[float] = []
    outcomes: list[float] = []
    turns: list[float] = []
    for one in positions:
        position = game.position(one)
        available = game.turns(position)
        if not available:
            continue
        best, made = available[0], _made(game, position, policy(position), available)
        if "unknown" in (best["outcome"], made["outcome"]):
            raise UnsupportedError(f"the value of {position.text} is not known", "unsupported")
        lost = _RANK[best["outcome"]] - _RANK[made["outcome"]]
        is_optimal = lost == 0 and made["turns"] == best["turns"]
        optimal.append(float(is_optimal))
        kept.append(float(lost == 0))
        outcomes.append(float(lost))
        if best["outcome"] == "win":
            optimal_won.append(float(is_optimal))
            kept_won.append(float(lost == 0))
        if lost == 0 and made["turns"] is not None and best["turns"] is not None:
            turns.append(float(abs(made["turns"] - best["turns"])))
    return {
        "positions": len(optimal),
        "optimal_rate": _mean(optimal),
        "optimal_rate_won": _mean(optimal_won),
        "outcome_kept_rate": _mean(kept),
        "outcome_kept_rate_won": _mean(kept_won),
        "outcome_regret": _mean(outcomes),
        "turns_regret": _mean(turns),
    }


def _made(game: Game, position: Position, turn: str, available: list[TurnValue]) -> TurnValue:
    """The value of a turn, which may be written otherwise than the one that stands for it."""
    for known in available:
        if known["turn"] == turn:
            return known
    after = position.play(turn).text
    for known in available:
        if known["position"] == after:
            return known
    raise TurnError(f"turn “{turn}”: it is no turn of {position.text}", "turn", turn)
