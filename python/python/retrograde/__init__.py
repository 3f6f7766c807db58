"""Retrograde solves small two-player games: for every position, whether the side to move wins, loses or
draws with perfect play, and in how many turns.

>>> import retrograde
>>> game = retrograde.open("touchdown:4x4", tables=None)
>>> game.start.value()
{'outcome': 'win', 'turns': 11}

:func:`open` opens a built-in game, and solves it if necessary; :func:`solve` solves your own game. Values
are always for the side to move, and turns to the end count the turns of both players.
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
    """A game as a PettingZoo environment, the same as ``retrograde.perfect_v0.env``. See that module for
    documentation and for a Gymnasium environment. Needs ``pip install retrograde[envs]``."""
    from . import perfect_v0

    return perfect_v0.env(game, **options)


# Hides the private modules of classes, so that messages and help show `retrograde.Game`.
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
