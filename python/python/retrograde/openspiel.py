"""Games for OpenSpiel: importing this module registers ``python_retrograde_touchdown``,
``python_retrograde_tactics`` and ``python_retrograde_pushfight``.

>>> import pyspiel, retrograde.openspiel
>>> game = pyspiel.load_game("python_retrograde_touchdown(board=4x4)")
>>> game.num_distinct_actions()
256

Parameters: ``board`` is the part of the game's name after the colon (``4x4``, ``mini``). OpenSpiel cannot parse
commas and ``= ( ) ;`` in a parameter, so escape them as in URLs:
``python_retrograde_pushfight(board=mini%2Cmoves%3D1)``; dictionaries of parameters accept both forms. Actions
are ``from * squares + to`` (:mod:`retrograde._walk`); their texts and all boards name squares as the first player
sees them. A game that is not over after 200 turns is a draw. Values are not needed to play; if ``tables`` names a
folder with a table of the game, ``state.walk.values(player)`` has the values of all actions. Needs the package
``open_spiel``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from ._errors import UnsupportedError, UsageError, missing
from ._game import Game, open
from ._walk import Walk

try:
    import pyspiel  # type: ignore[import-not-found]
    from open_spiel.python.observation import IIGObserverForPublicInfoGame  # type: ignore[import-untyped]
except ModuleNotFoundError as _error:
    raise missing(_error, "openspiel") from _error

if TYPE_CHECKING:
    from ._walk import Untyped as _Game
    from ._walk import Untyped as _State
else:
    _State, _Game = pyspiel.State, pyspiel.Game

#: Turns after which a game is a draw.
TURNS = 200


class RetrogradeState(_State):
    """A state of a game; ``walk`` is the game in progress."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.walk: Walk = game.walk.copy()

    def _result(self) -> int | None:
        """The outcome for the side to move, if the game is over."""
        over = self.walk.over()
        return 0 if over is None and self.walk.turns >= TURNS else over

    def current_player(self) -> Any:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.walk.seat

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.walk.options())

    def _apply_action(self, action: int) -> None:
        self.walk.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.walk.action_on_board(player, action)

    def is_terminal(self) -> bool:
        return self._result() is not None

    def returns(self) -> list[float]:
        result = self._result() or 0
        return [float(result), float(-result)] if self.walk.seat == 0 else [float(-result), float(result)]

    def __str__(self) -> str:
        walk = self.walk
        board = walk.game._native.board_text(walk.position, walk.player)
        return f"{board} {walk.seat} {walk.turns} {','.join(map(str, walk.made))}".rstrip()


class RetrogradeObserver:
    """The planes of :class:`Walk`, seen by the given player."""

    def __init__(self, walk: Walk, params: Any) -> None:
        if params:
            raise UsageError(f"observations must not have parameters, not {params}", "usage")
        self.tensor: NDArray[np.float32] = np.zeros(int(np.prod(walk.shape)), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {"observation": self.tensor.reshape(walk.shape)}

    def set_from(self, state: RetrogradeState, player: int) -> None:
        """Sets the tensor to a state, seen by a player."""
        self.dict["observation"][:] = state.walk.observation(player)

    def string_from(self, state: RetrogradeState, player: int) -> str:
        """The board as text."""
        return str(state.walk.board())


def _read(value: str) -> str:
    """Unescapes the value of a parameter."""
    return unquote(value)


def _written(value: str) -> str:
    """Escapes a parameter, so that OpenSpiel can parse it in the text of a game."""
    return quote(value, safe="/:.-_~+ @")


def _loaded(text: str) -> Any:
    """Loads a pickled or copied game."""
    return pyspiel.load_game(text)


class RetrogradeGame(_Game):
    """A game of Retrograde; ``game`` is the open game."""

    kind: Any
    family: str
    title: str
    board: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = {name: _written(_read(value)) for name, value in (params or {}).items()}
        tables = _read(params.get("tables", ""))
        name = f"{self.family}:{_read(params.get('board', self.board))}"
        self.game: Game = open(name, tables or None, solve=False)
        self.walk: Walk = Walk(self.game)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.walk.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=TURNS * self.walk.parts,
        )
        super().__init__(self.kind, info, params)

    def __reduce__(self) -> tuple[Any, ...]:
        # OpenSpiel would recreate the game without the attributes that `__init__` adds.
        return _loaded, (str(self),)

    def new_initial_state(self, state: Any = None) -> RetrogradeState:
        if state is not None:
            raise UnsupportedError("`state` is not supported: games begin at their start", "unsupported")
        return RetrogradeState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return RetrogradeObserver(self.walk, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class TouchdownGame(RetrogradeGame):
    """TouchDown."""

    family: str = "touchdown"
    title: str = "TouchDown"
    board: str = "4x4"


class TacticsGame(RetrogradeGame):
    """Tactics."""

    family: str = "tactics"
    title: str = "Tactics"
    board: str = "4x4"


class PushFightGame(RetrogradeGame):
    """Push Fight."""

    family: str = "pushfight"
    title: str = "Push Fight"
    board: str = "mini"


for _game in (TouchdownGame, TacticsGame, PushFightGame):
    _game.kind = pyspiel.GameType(
        short_name=f"python_retrograde_{_game.family}",
        long_name=f"Retrograde {_game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"board": _game.board, "tables": ""},
    )
    pyspiel.register_game(_game.kind, _game)
