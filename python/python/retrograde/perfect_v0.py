"""Games as environments of PettingZoo (``env``, ``raw_env``) and Gymnasium (:class:`Against`), with
perfect play at hand. They need ``pip install retrograde[envs]``.

Agents are ``player_0``, who begins, and ``player_1``. An observation is a dictionary: ``observation``,
planes of 0 and 1 *seen by the side to move*, and ``action_mask``. Turns are made of actions of a fixed
list, ``from * squares + to`` (:mod:`retrograde._walk` says it in full); in Push Fight the same agent acts
up to three times. Rewards are 1, -1 or 0 at the end of the game.

Importing this module registers ``retrograde/Perfect-v0`` with Gymnasium. There is no ``parallel_env``:
the players act in turn, so nothing could happen at once.
"""

from __future__ import annotations

import random
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from ._errors import UsageError
from ._game import Game
from ._game import open as open_game
from ._walk import Walk

#: Turns after which a game is cut off, since some go in circles.
TURNS = 200


def _game(game: Game | str) -> Game:
    return open_game(game) if isinstance(game, str) else game


def _spaces(walk: Walk) -> tuple[spaces.Dict, spaces.Discrete]:
    observation = spaces.Dict(
        {
            "observation": spaces.Box(0, 1, walk.shape, np.uint8),
            "action_mask": spaces.Box(0, 1, (walk.actions,), np.int8),
        }
    )
    return observation, spaces.Discrete(walk.actions)


def env(game: Game | str = "touchdown:4x4", **options: Any) -> Any:
    """The environment with PettingZoo's usual wrappers: whoever makes an action that is not legal
    loses. The arguments are those of :class:`raw_env`."""
    wrapped = raw_env(game, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # type: ignore[misc]
    """A game as an agent environment cycle.

    Args:
        game: an open game, or a name for :func:`retrograde.open`, which solves small ones.
        render_mode: ``"ansi"`` gives the board as text, ``"human"`` prints it, ``"rgb_array"`` gives
            a picture, ``uint8`` of shape (height, 400, 3).
        values: whether ``info`` of the agent to act has the values of all actions
            (``action_outcome``, ``action_turns``).
        turns: turns after which a game is cut off (``truncations``).
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi", "human", "rgb_array"],
        "name": "retrograde_perfect_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        game: Game | str = "touchdown:4x4",
        *,
        render_mode: Literal["ansi", "human", "rgb_array"] | None = None,
        values: bool = False,
        turns: int = TURNS,
    ) -> None:
        super().__init__()
        self.walk = Walk(_game(game))
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents = list(self.possible_agents)
        observation, action = _spaces(self.walk)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = dict.fromkeys(self.possible_agents, action)
        self._values, self._turns = values, turns

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.walk.reset()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._inform()

    def _inform(self) -> None:
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self._values:
            self.infos[self.agent_selection] = self.walk.values()

    def observe(self, agent: str) -> dict[str, Any]:
        acts = agent == self.agent_selection and not self.terminations[agent] and not self.truncations[agent]
        mask = self.walk.mask() if acts else np.zeros(self.walk.actions, np.int8)
        return {"observation": self.walk.observation(), "action_mask": mask}

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
            gymnasium.logger.warn("render() shows nothing without a render_mode")
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
    """One agent against an opponent, for Gymnasium. An action that is not legal loses the game
    (``info["illegal"]``).

    Args:
        game: an open game, or a name for :func:`retrograde.open`.
        strength: the share of the opponent's actions that are best ones, the others being random
            among all that are legal: 1 is perfect, 0 random.
        player: who the agent is: ``"first"``, ``"second"``, or ``"random"`` in each game anew.
        render_mode: ``"ansi"`` gives the board as text, ``"rgb_array"`` a picture, ``uint8`` of shape
            (height, 400, 3).
        values: whether ``info`` has the values of all actions.
        turns: turns of both players after which a game is cut off.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}

    def __init__(
        self,
        game: Game | str = "touchdown:4x4",
        *,
        strength: float = 1.0,
        player: Literal["first", "second", "random"] = "first",
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        values: bool = False,
        turns: int = TURNS,
    ) -> None:
        if not 0 <= strength <= 1:
            raise UsageError(f"`strength` is between 0 and 1, found {strength}", "usage")
        if player not in ("first", "second", "random"):
            raise UsageError(f"`player` is `first`, `second` or `random`, found {player!r}", "usage")
        self.walk = Walk(_game(game))
        self.render_mode = render_mode
        self.observation_space, self.action_space = _spaces(self.walk)
        self._strength, self._player, self._values, self._turns = strength, player, values, turns
        self._seat = 0
        self._random = random.Random(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._random = random.Random(seed)
        self.walk.reset()
        self._seat = {"first": 0, "second": 1}.get(self._player, self._random.randrange(2))
        self._reply()
        return self._observation(), self._info()

    def _observation(self) -> dict[str, Any]:
        return {"observation": self.walk.observation(), "action_mask": self.walk.mask()}

    def _info(self) -> dict[str, Any]:
        return self.walk.values() if self._values else {}

    def _ended(self) -> bool:
        return self.walk.over() is not None or self.walk.turns >= self._turns

    def _reply(self) -> None:
        """Lets the opponent act until the agent is to act, or the game is over."""
        while self.walk.seat != self._seat and not self._ended():
            is_best = self._random.random() < self._strength
            actions = self.walk.best() if is_best else list(self.walk.options())
            self.walk.act(self._random.choice(actions))

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if int(action) not in self.walk.options():
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        self.walk.act(int(action))
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
