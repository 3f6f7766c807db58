"""A game played by numbers: a turn is made of sub-actions, each one of a fixed list.

An action is ``from * squares + to``, where squares are numbered row by row from the top, in the
coordinates of the player who acts, as planes are; ``squares`` is rows × columns. What an action means:

* TouchDown: a pawn steps from one square to another.
* Tactics: the squares from one end of a line to the other are filled; for one square both are that
  one. The end nearer to the beginning of the numbering stands first.
* Push Fight: each move, and the push that ends the turn, is an action; so is each piece that is
  placed before the game, pushers first, where ``from`` and ``to`` are its square.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arguments as check
from ._answers import Player
from ._errors import PositionError, TurnError, UnsupportedError
from ._game import LOSS, UNKNOWN, Game, OnePosition, Position, ask

_CODES = {"win": 1, "draw": 0, "loss": -1, "unknown": UNKNOWN}

#: The number of an action that is not legal: below a loss, so that no maximum chooses it.
ILLEGAL = LOSS - 1
_SQUARE = re.compile(r"([a-z]+)(\d+)")


class Option(NamedTuple):
    """An action that is legal now, with the best value that the turn can still have for the player who
    acts."""

    #: The step of the game, or ``None`` if a piece is placed and others follow.
    step: str | None
    #: The position after the turn if the action ends it, else ``None``.
    after: str | None
    outcome: int
    turns: int


class Walk:
    """A game that is being played, action by action.

    Args:
        game: the game; one without planes cannot be played by numbers.
        position: where it begins; the start of the game if not given. A :class:`Position` also says
            who is to move; otherwise the first player is.

    Raises:
        PositionError: if the game is over in this position.
    """

    def __init__(self, game: Game, position: OnePosition | None = None) -> None:
        if not game.plane_names:
            raise UnsupportedError(f"{game.name} describes no planes, so it has no actions", "unsupported")
        self.game = game
        _, self.rows, self.columns = game.plane_shape
        self.squares = self.rows * self.columns
        self.actions = self.squares**2
        self.parts = self._most_parts()
        planes = game.plane_shape[0] + 2 * (self.parts - 1)
        self.shape = (planes, self.rows, self.columns)
        self._begins = self._beginning(position)
        self.reset()

    def _beginning(self, position: OnePosition | None) -> tuple[str, int]:
        """The text of a position to begin in, and the player to move."""
        to_move: Player = position.to_move if isinstance(position, Position) else "first"
        found = self.game.position(position, to_move)
        if found.over is not None:
            raise PositionError(f"position “{found}”: the game is over there, so no action can be made", "position")
        return found.text, int(found.to_move == "second")

    def reset(self, position: OnePosition | None = None) -> None:
        """Goes back to the beginning, or to a position, as for the constructor."""
        self.position, self.seat = self._begins if position is None else self._beginning(position)
        self.turns = 0
        self.begun: list[str] = []
        self.placed: list[int] = []
        self.made: list[int] = []
        self._options: dict[int, Option] | None = None

    def copy(self) -> Walk:
        """The same, to be played on apart; both share the game."""
        other = Walk.__new__(Walk)
        other.__dict__.update(self.__dict__)
        other.begun, other.placed, other.made = list(self.begun), list(self.placed), list(self.made)
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Walk:
        return self.copy()

    def _most_parts(self) -> int:
        """The most actions of a turn. Placements stand before the game proper."""
        most, position = 1, self.game.start.text
        for _ in range(3):
            asked = self._steps(position, [])
            steps = asked["steps_available"]
            if not steps:
                break
            is_placed = steps[0]["kind"] == "place"
            most = max(most, len(asked["parts"]), len(steps[0]["squares"]) if is_placed else 1)
            if not is_placed:
                break
            position = steps[0]["position"]
        return most

    def _steps(self, position: str, begun: list[str]) -> Any:
        params = {"position": position, "moves": ",".join(begun) or None}
        # Without a table nothing is searched: the actions are legal, and their values unknown. All of
        # them are listed, however long it takes.
        return ask(self.game._native, "steps", {**params}, (0, math.inf))

    def square(self, name: str) -> int:
        """The number of a square with a name such as ``b3``."""
        match = _SQUARE.fullmatch(name)
        assert match is not None, name
        column = 0
        for letter in match[1]:
            column = column * 26 + ord(letter) - ord("a") + 1
        return (self.rows - int(match[2])) * self.columns + column - 1

    def square_name(self, square: int) -> str:
        """The name of a square, in the coordinates of the player who acts."""
        row, column = divmod(square, self.columns)
        name = ""
        while column >= 0:
            column, letter = divmod(column, 26)
            name, column = chr(ord("a") + letter) + name, column - 1
        return f"{name}{self.rows - row}"

    def options(self) -> dict[int, Option]:
        """The actions that are legal now, a best one first; none if the game is over."""
        if self._options is None:
            self._options = self._find_options()
        return self._options

    def _find_options(self) -> dict[int, Option]:
        options: dict[int, Option] = {}
        for step in self._steps(self.position, self.begun)["steps_available"]:
            squares = [self.square(name) for name in step["squares"]]
            ends, text = step["ends"], step["step"]
            if step["kind"] == "place":
                count = len(self.placed)
                if squares[:count] != self.placed:
                    continue
                ends = count + 1 == len(squares)
                text = text if ends else None
                squares = [squares[count]]
            elif step["kind"] == "fill":
                squares.sort()
            action = squares[0] * self.squares + squares[-1]
            turns = -1 if step["turns"] is None else step["turns"]
            after = step["position"] if ends else None
            # Steps come best first, so the first placement with a square is its best.
            options.setdefault(action, Option(text, after, _CODES[step["outcome"]], turns))
        return options

    def act(self, action: int) -> bool:
        """Makes an action; says whether it has ended the turn.

        Raises:
            TurnError: if it is not legal.
        """
        action = check.whole("action", action)
        option = self.options().get(action)
        if option is None:
            raise TurnError(f"action {action}: it is not legal here", "turn", str(action))
        self._options = None
        if option.after is None:
            self.made.append(action)
            if option.step is None:
                self.placed.append(action % self.squares)
            else:
                self.begun.append(option.step)
            return False
        other: Player = "first" if self.seat else "second"
        self.position, self.turns = option.after, self.turns + 1
        self.seat = int(self.game._native.to_move(self.position, other) == "second")
        self.begun, self.placed, self.made = [], [], []
        return True

    def over(self) -> int | None:
        """How the game is over for the side to move: 1, 0, -1; ``None`` if it goes on."""
        over = self.game.position(self.position).over
        return None if over is None else _CODES[over]

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """Planes of 0 and 1 of ``shape``, seen by a player (0 or 1): those of the position before the
        turn, then two for each action of the turn but the last, where it goes from and to."""
        planes = np.zeros(self.shape, np.uint8)
        # The library gives the first player's view, so the observing player counts as the first.
        to_move = "first" if seat == self.seat else "second"
        seen = self.game._native.planes([self.position], to_move).reshape(self.game.plane_shape)
        planes[: self.game.plane_shape[0]] = seen
        # Both players name squares alike in games whose turns have several actions.
        flat = planes[self.game.plane_shape[0] :].reshape(-1, self.squares)
        for number, action in enumerate(self.made):
            flat[2 * number, action // self.squares] = 1
            flat[2 * number + 1, action % self.squares] = 1
        return planes

    def options_of(self, seat: int) -> dict[int, Option]:
        """The actions that are legal now for a player (0 or 1): none if the other one is to act."""
        return self.options() if seat == self.seat else {}

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for actions that are legal now for a player (0 or 1), 0 for all others."""
        mask = np.zeros(self.actions, np.int8)
        mask[list(self.options_of(seat))] = 1
        return mask

    def values(self, seat: int) -> dict[str, Any]:
        """The values of all actions for a player (0 or 1): arrays of one entry an action,
        ``action_outcome`` (``int8``: 1, 0, -1; 2 where it is not known, -2 where the action is not
        legal) and ``action_turns`` (``int32``, -1 where there are none)."""
        outcomes = np.full(self.actions, ILLEGAL, np.int8)
        turns = np.full(self.actions, -1, np.int32)
        for action, option in self.options_of(seat).items():
            outcomes[action], turns[action] = option.outcome, option.turns
        return {"action_outcome": outcomes, "action_turns": turns}

    def value(self) -> int:
        """The outcome of the best actions."""
        return next((option.outcome for option in self.options().values()), UNKNOWN)

    def best(self) -> list[int]:
        """The actions that no other is better than."""
        options = self.options()
        if not options:
            return []
        first = next(iter(options.values()))
        value = (first.outcome, first.turns)
        return [action for action, option in options.items() if (option.outcome, option.turns) == value]

    def pixels(self, width: int = 400) -> NDArray[np.uint8]:
        """A picture of the position as the first player sees it: ``uint8`` of shape (height, ``width``,
        3). Actions of a turn that is not whole yet are not drawn."""
        return self.game.picture(self.position, to_move="second" if self.seat else "first").pixels(width)

    def board(self) -> str:
        """The position as the first player sees it, and the actions made of the turn."""
        seat = "second" if self.seat else "first"
        begun = ", ".join(self.begun)
        board = self.game._native.board(self.position, seat)
        return f"{board}\n{seat} to move{': ' + begun if begun else ''}\n"
