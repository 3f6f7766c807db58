"""Retrograde finds perfect play: every position of a small two-player game, won, lost or drawn for
the side to move, and in how many turns.

>>> import retrograde
>>> game = retrograde.open("touchdown:4x4", tables=None)
>>> game.start.value()
{'outcome': 'win', 'turns': 11}

:func:`open` opens a game that comes with Retrograde and solves it on the way; :func:`solve` solves a
game of your own. Values are always for the side to move, and turns to the end count both players'.
"""

from typing import Any

from ._answers import (
    About,
    Annotation,
    ByTurns,
    Found,
    Line,
    LineStep,
    Plan,
    Probe,
    Puzzle,
    Statistics,
    TurnValue,
    Verdict,
    Verification,
)
from ._errors import (
    FileError,
    GameError,
    MissingPackageError,
    NoTableError,
    PositionError,
    RetrogradeError,
    TableError,
    TooLargeError,
    TurnError,
    UnsupportedError,
    UsageError,
)
from ._game import DRAW, LOSS, UNKNOWN, WIN, Game, Picture, Position, games, open, plan
from ._evaluation import EvaluationRow, EvaluationSet, EvaluationTurn, load_set
from ._metrics import Score, ValueScore, by_actions, judge, judge_values
from ._openspiel_rules import SpielRules
from ._solved import GameRules, SolvedGame, solve

__version__ = "0.1.0"


def env(game: Game | str = "touchdown:4x4", **options: Any) -> Any:
    """A game as an environment of PettingZoo, the same as ``retrograde.perfect_v0.env``: that module
    has the documentation, and an environment for Gymnasium. Needs ``pip install retrograde[envs]``."""
    from . import perfect_v0

    return perfect_v0.env(game, **options)


# The files that classes stand in are nobody's business: messages and help say `retrograde.Game`.
for _public in list(globals().values()):
    if isinstance(_public, type) and _public.__module__.startswith("retrograde."):
        _public.__module__ = "retrograde"
del _public

__all__ = [
    "DRAW",
    "LOSS",
    "UNKNOWN",
    "WIN",
    "About",
    "Annotation",
    "ByTurns",
    "EvaluationRow",
    "EvaluationSet",
    "EvaluationTurn",
    "FileError",
    "Found",
    "Game",
    "GameError",
    "GameRules",
    "Line",
    "LineStep",
    "MissingPackageError",
    "NoTableError",
    "Picture",
    "Plan",
    "Position",
    "PositionError",
    "Probe",
    "Puzzle",
    "RetrogradeError",
    "Score",
    "SolvedGame",
    "SpielRules",
    "Statistics",
    "TableError",
    "TooLargeError",
    "TurnError",
    "TurnValue",
    "UnsupportedError",
    "UsageError",
    "ValueScore",
    "Verdict",
    "Verification",
    "by_actions",
    "env",
    "games",
    "judge",
    "judge_values",
    "load_set",
    "open",
    "plan",
    "solve",
]
