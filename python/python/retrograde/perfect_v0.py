"""Games as environments for PettingZoo (``env``, ``raw_env``) and Gymnasium (:class:`Against`), with
values of perfect play. They need ``pip install retrograde[envs]``.

The agents are ``player_0``, who moves first, and ``player_1``. An observation is a dictionary with
``observation``, planes of 0 and 1 *seen by the observing agent*, and ``action_mask``. Turns consist of actions
from a fixed list, ``from * squares + to`` (see :mod:`retrograde._walk`); in Push Fight the same agent acts up to
three times. Rewards are 1, -1 or 0 at the end of the game.

A game begins at its start, at the ``position`` of the environment, or at ``reset(options={"position": ...})``. A
position is a string, an index, planes or a :class:`retrograde.Position`. The first player is to move, unless the
:class:`retrograde.Position` says otherwise.

In your own games (:class:`retrograde.SolvedGame`), positions are your objects. Each turn is one action, numbered as
in :meth:`retrograde.SolvedGame.actions`. ``observation`` is what ``planes`` of the rules returns, seen by the side to
move; without ``planes`` it is the index of the position, one number.

Importing this module registers ``retrograde/Perfect-v0`` with Gymnasium. There is no ``parallel_env``, since the
players take turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _arguments as check
from ._errors import NoTableError, UnsupportedError, UsageError, missing
from ._game import UNKNOWN, Game
from ._game import open as open_game
from ._solved import SolvedGame
from ._walk import OwnWalk, Walk

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ModuleNotFoundError as _error:
    raise missing(_error, "envs") from _error

if TYPE_CHECKING:
    from ._walk import Untyped as _AECEnv
else:
    _AECEnv = AECEnv

#: Turns after which a game is truncated, since some never end.
TURNS = 200


#: A game, or the name of one.
AnyGame: TypeAlias = "Game | SolvedGame[Any, Any] | str"


def _walk(game: AnyGame, position: Any, repetitions: int | None) -> Walk:
    repetitions = check.optional_whole("repetitions", repetitions, 2)
    if isinstance(game, SolvedGame):
        return OwnWalk(game, position, repetitions)
    if not isinstance(game, (Game, str)):
        raise check.refuse("game", "an open or a solved game, or the name of one", game)
    return Walk(open_game(game) if isinstance(game, str) else game, position, repetitions)


def _position(options: dict[str, Any] | None) -> Any:
    """The position in the ``options`` of a reset."""
    return (options or {}).get("position")


def _render_mode(environment: Any, render_mode: Any) -> Any:
    """Checks for a render mode of an environment, or ``None``."""
    if render_mode is None:
        return None
    check.word("render_mode", render_mode, environment.metadata["render_modes"])
    if render_mode == "rgb_array" and isinstance(environment.walk, OwnWalk):
        raise UnsupportedError(f"{environment.walk.game.name} has no pictures; use `render_mode` `ansi`", "unsupported")
    return render_mode


def _spaces(walk: Walk) -> tuple[spaces.Dict, spaces.Discrete]:
    observation = spaces.Dict(
        {
            "observation": spaces.Box(walk.least, walk.most, walk.shape, walk.dtype.type),
            "action_mask": spaces.Box(0, 1, (walk.actions,), np.int8),
        }
    )
    return observation, spaces.Discrete(walk.actions)


def env(game: AnyGame = "touchdown:4x4", **options: Any) -> Any:
    """The environment with PettingZoo's usual wrappers: an agent that plays an illegal action loses. The
    arguments are the same as for :class:`raw_env`."""
    wrapped = raw_env(game, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(_AECEnv):
    """A game as an agent environment cycle (AEC).

    Args:
        game: an open game, your own solved game, or a name for :func:`retrograde.open`, which solves small ones.
        render_mode: ``"ansi"`` returns the board as text, ``"human"`` prints it, ``"rgb_array"`` returns
            a picture, ``uint8`` of shape (height, 400, 3).
        values: whether ``info`` of the agent to act has the values of all actions
            (``action_outcome``, ``action_turns``).
        turns: the number of turns after which a game is truncated (``truncations``).
        position: the first position of each game; default: the start of the game.
        repetitions: the game ends in a draw when a position has occurred this many times with the same player
            to move, such as 3; default: never, as in the rules.

    Raises:
        UsageError: if an argument is invalid, or the game is over in ``position``.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi", "human", "rgb_array"],
        "name": "retrograde_perfect_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        game: AnyGame = "touchdown:4x4",
        *,
        render_mode: Literal["ansi", "human", "rgb_array"] | None = None,
        values: bool = False,
        turns: int = TURNS,
        position: Any = None,
        repetitions: int | None = None,
    ) -> None:
        super().__init__()
        self._values, self._turns = check.flag("values", values), check.whole("turns", turns, 1)
        self.walk: Walk = _walk(game, position, repetitions)
        self.render_mode: str | None = _render_mode(self, render_mode)
        self.possible_agents: list[str] = ["player_0", "player_1"]
        self.agents: list[str] = list(self.possible_agents)
        observation, action = _spaces(self.walk)
        self.observation_spaces: dict[str, spaces.Dict] = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces: dict[str, spaces.Discrete] = dict.fromkeys(self.possible_agents, action)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.walk.reset(_position(options))
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, int] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.agent_selection: str = self.agents[self.walk.seat]
        self._inform()

    def _inform(self) -> None:
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self._values:
            self.infos[self.agent_selection] = self.walk.values(self.walk.seat)

    def observe(self, agent: str) -> dict[str, Any]:
        check.word("agent", agent, self.possible_agents)
        acts = agent == self.agent_selection and not self.terminations[agent] and not self.truncations[agent]
        seat = self.possible_agents.index(agent)
        mask = self.walk.mask(seat) if acts else np.zeros(self.walk.actions, np.int8)
        return {"observation": self.walk.observation(seat), "action_mask": mask}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of the agent to act as bools; called by ``MaskablePPO`` and others."""
        mask: NDArray[np.bool_] = self.observe(self.agent_selection)["action_mask"].astype(bool)
        return mask

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        if self.walk.act(action):
            self.agent_selection = self.possible_agents[self.walk.seat]
            over = self.walk.over()
            if over is not None:
                other = self.possible_agents[1 - self.walk.seat]
                self.rewards = {self.agent_selection: over, other: -over}
                self.terminations = dict.fromkeys(self.agents, True)
            elif self.walk.turns >= self._turns:
                self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._inform()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | NDArray[np.uint8] | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
            return None
        if self.render_mode == "rgb_array":
            return self.walk.pixels()
        board = self.walk.board()
        if self.render_mode == "human":
            print(board)
            return None
        return board

    def close(self) -> None:
        pass


class Against(gymnasium.Env[dict[str, Any], Any]):
    """One agent against an opponent, for Gymnasium. An illegal action loses the game (``info["illegal"]``).

    Args:
        game: an open game, your own solved game, or a name for :func:`retrograde.open`.
        strength: the share of the opponent's actions that are best; the others are random legal
            actions. 1 is perfect, 0 is random. Above 0 it needs a table. If the table has outcomes
            only, the opponent keeps the outcome but may never finish.
        player: the agent's player: ``"first"``, ``"second"``, or ``"random"`` for each game.
        render_mode: ``"ansi"`` returns the board as text, ``"rgb_array"`` a picture, ``uint8`` of shape
            (height, 400, 3).
        values: whether ``info`` has the values of all actions.
        turns: the number of turns of both players after which a game is truncated.
        position: the first position of each game; default: the start of the game.
        repetitions: the game ends in a draw when a position has occurred this many times with the same player
            to move, such as 3; default: never, as in the rules.

    Raises:
        UsageError: if an argument is invalid, or the game is over in ``position``.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}

    def __init__(
        self,
        game: AnyGame = "touchdown:4x4",
        *,
        strength: float = 1.0,
        player: Literal["first", "second", "random"] = "first",
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        values: bool = False,
        turns: int = TURNS,
        position: Any = None,
        repetitions: int | None = None,
    ) -> None:
        self._strength = check.number("strength", strength, 0, 1)
        self._player = check.word("player", player, ("first", "second", "random"))
        self._values, self._turns = check.flag("values", values), check.whole("turns", turns, 1)
        self.walk: Walk = _walk(game, position, repetitions)
        self.render_mode: str | None = _render_mode(self, render_mode)
        if self._strength > 0 and not self.walk.has_table:
            raise NoTableError(f"`strength` above 0 needs a table of {self.walk.game.name}", "no-table")
        observation, action = _spaces(self.walk)
        self.observation_space: spaces.Dict = observation
        self.action_space: spaces.Discrete = action
        self._seat = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=check.optional_whole("seed", seed))
        self.walk.reset(_position(options))
        seats = {"first": 0, "second": 1}
        self._seat = seats[self._player] if self._player in seats else int(self.np_random.integers(2))
        self._reply()
        if self._ended():
            name = "turns" if self.walk.over() is None else "position"
            raise UsageError(f"`{name}` leaves the agent no turn: the opponent's turn ended the game", "usage")
        return self._observation(), self._info()

    def _observation(self) -> dict[str, Any]:
        return {"observation": self.walk.observation(self._seat), "action_mask": self.walk.mask(self._seat)}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of the agent as bools; called by ``MaskablePPO`` and others. All are ``False``
        when the game is over."""
        mask: NDArray[np.bool_] = self.walk.mask(self._seat).astype(bool)
        return mask

    def _info(self) -> dict[str, Any]:
        return self.walk.values(self._seat) if self._values else {}

    def _ended(self) -> bool:
        return self.walk.over() is not None or self.walk.turns >= self._turns

    def _reply(self) -> None:
        """Plays the opponent's actions until the agent is to act or the game is over."""
        while self.walk.seat != self._seat and not self._ended():
            is_best = self.np_random.random() < self._strength
            if is_best and self.walk.value() == UNKNOWN:
                raise UnsupportedError(f"the value of {self.walk.position} is unknown", "unsupported")
            actions = self.walk.best() if is_best else list(self.walk.options())
            self.walk.act(int(self.np_random.choice(actions)))

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        action = check.whole("action", action)
        if action not in self.walk.options():
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        self.walk.act(action)
        self._reply()
        over = self.walk.over()
        if over is not None:
            reward = over if self.walk.seat == self._seat else -over
            return self._observation(), float(reward), True, False, self._info()
        cut_off = self.walk.turns >= self._turns
        return self._observation(), 0.0, False, cut_off, self._info()

    def render(self) -> str | NDArray[np.uint8] | None:
        if self.render_mode == "rgb_array":
            return self.walk.pixels()
        return self.walk.board() if self.render_mode == "ansi" else None


gymnasium.register("retrograde/Perfect-v0", entry_point="retrograde.perfect_v0:Against")
