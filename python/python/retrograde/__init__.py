"""Retrograde solves small two-player games: for every position, whether the side to move wins, loses or
draws with perfect play, and in how many turns.

>>> import retrograde
>>> game = retrograde.open("touchdown:4x4", tables=None)
>>> game.start.value()
{'outcome': 'win', 'turns': 11}

Values are for the side to move, and turns to the end count the turns of both players. Each name below has
its own help, such as help(retrograde.open).

Built-in games
    open            opens a game, and solves it if that is quick
    games, plan     list the games, and estimate the cost of solving one
    Game            an open game: values, turns, lines, puzzles, pictures
    Position        a position of a game: Game.start, Game.position
    Picture         a picture of a position, as SVG, PNG or pixels

Your own games
    solve           solves your own game, or a game of OpenSpiel
    GameRules       the rules that `solve` needs: start, turns, result
    SolvedGame      the solved game
    SpielRules      a game of OpenSpiel as rules

Agents
    env             a game as a PettingZoo environment
    perfect_v0      the module with the environments, also for Gymnasium
    openspiel       the module that registers the games with OpenSpiel
    judge           compares a policy with perfect play (Score)
    judge_values    compares estimated outcomes with true ones (ValueScore)
    by_actions      makes a policy from an agent of the environments
    load_set        reads an evaluation set (EvaluationSet)

Outcomes in arrays
    WIN, DRAW, LOSS, UNKNOWN

Types of answers (dictionaries)
    About, Annotation, ByTurns, EvaluationRow, EvaluationTurn, Found, Line, LineStep, Plan, Probe, Puzzle,
    Score, Statistics, TurnValue, ValueScore, Verdict, Verification

Exceptions
    RetrogradeError, and derived from it: FileError, GameError, MissingPackageError, NoTableError,
    PositionError, TableError, TooLargeError, TurnError, UnsupportedError, UsageError
"""

from typing import Any

from ._answers import About as About
from ._answers import Annotation as Annotation
from ._answers import ByTurns as ByTurns
from ._answers import Found as Found
from ._answers import Line as Line
from ._answers import LineStep as LineStep
from ._answers import Plan as Plan
from ._answers import Probe as Probe
from ._answers import Puzzle as Puzzle
from ._answers import Statistics as Statistics
from ._answers import TurnValue as TurnValue
from ._answers import Verdict as Verdict
from ._answers import Verification as Verification
from ._errors import FileError as FileError
from ._errors import GameError as GameError
from ._errors import MissingPackageError as MissingPackageError
from ._errors import NoTableError as NoTableError
from ._errors import PositionError as PositionError
from ._errors import RetrogradeError as RetrogradeError
from ._errors import TableError as TableError
from ._errors import TooLargeError as TooLargeError
from ._errors import TurnError as TurnError
from ._errors import UnsupportedError as UnsupportedError
from ._errors import UsageError as UsageError
from ._evaluation import EvaluationRow as EvaluationRow
from ._evaluation import EvaluationSet as EvaluationSet
from ._evaluation import EvaluationTurn as EvaluationTurn
from ._evaluation import load_set as load_set
from ._game import DRAW as DRAW
from ._game import LOSS as LOSS
from ._game import UNKNOWN as UNKNOWN
from ._game import WIN as WIN
from ._game import Game as Game
from ._game import Picture as Picture
from ._game import Position as Position
from ._game import games as games
from ._game import open as open
from ._game import plan as plan
from ._metrics import Score as Score
from ._metrics import ValueScore as ValueScore
from ._metrics import by_actions as by_actions
from ._metrics import judge as judge
from ._metrics import judge_values as judge_values
from ._openspiel_rules import SpielRules as SpielRules
from ._solved import GameRules as GameRules
from ._solved import SolvedGame as SolvedGame
from ._solved import solve as solve

__version__ = "0.1.0"

#: Empty, so that `help(retrograde)` is short: it prints the text above and not the help of every class. And
#: `from retrograde import *` would hide Python's `open`.
__all__ = ()


def env(game: Game | SolvedGame[Any, Any] | str = "touchdown:4x4", **options: Any) -> Any:
    """A game as a PettingZoo environment, the same as ``retrograde.perfect_v0.env``. See that module for
    documentation and for a Gymnasium environment. Needs ``pip install retrograde[envs]``."""
    from . import perfect_v0

    return perfect_v0.env(game, **options)


# Hides the private modules of classes, so that messages and help show `retrograde.Game`.
for _public in list(globals().values()):
    if isinstance(_public, type) and _public.__module__.startswith("retrograde."):
        _public.__module__ = "retrograde"
del _public
