"""Retrograde finds perfect play: every position of a small two-player game, won, lost or drawn for
the side to move, and in how many turns.

>>> import retrograde
>>> game = retrograde.open("touchdown:4x4", tables=None)
>>> game.start.value()
{'outcome': 'win', 'turns': 11}

:func:`open` opens a game that comes with Retrograde and solves it on the way; :func:`solve` solves a
game of your own. Values are always for the side to move, and turns to the end count both players'.
"""

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
    GameError,
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
from ._solved import GameRules, SolvedGame, solve

__version__ = "0.1.0"

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
    "Found",
    "Game",
    "GameError",
    "GameRules",
    "Line",
    "LineStep",
    "NoTableError",
    "Picture",
    "Plan",
    "Position",
    "PositionError",
    "Probe",
    "Puzzle",
    "RetrogradeError",
    "SolvedGame",
    "Statistics",
    "TableError",
    "TooLargeError",
    "TurnError",
    "TurnValue",
    "UnsupportedError",
    "UsageError",
    "Verdict",
    "Verification",
    "games",
    "open",
    "plan",
    "solve",
]
