"""Plays a game by numbered actions from a fixed list; a turn consists of one or more actions.

An action is ``from * squares + to``, where ``squares`` is rows × columns. Squares are numbered row by row
from the top, in the coordinates of the player who acts, like planes. The meaning of an action:

* TouchDown: moves a pawn from one square to another.
* Tactics: fills the squares of a line from one end to the other. The end with the lower number comes
  first; for a single square, both ends are equal.
* Push Fight: each move, and the push that ends the turn, is an action. So is placing each piece before the
  game, pushers first, where ``from`` and ``to`` are both its square.

In your own games (:class:`OwnWalk`), each turn is an action, numbered as in :meth:`SolvedGame.actions`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arguments as check
from ._answers import Player
from ._errors import PositionError, TurnError, UnsupportedError, UsageError
from ._game import LOSS, UNKNOWN, Game, OnePosition, Picture, Position, ask
from ._solved import SolvedGame

_CODES = {"win": 1, "draw": 0, "loss": -1, "unknown": UNKNOWN}

#: The outcome of an illegal action: below a loss, so that a maximum never chooses it.
ILLEGAL = LOSS - 1
_SQUARE = re.compile(r"([a-z]+)(\d+)")


class Untyped:
    """A base class for type checkers only. It replaces a class of a package without type annotations."""

    def __init__(self, *_: Any) -> None: ...

    def __getattr__(self, name: str) -> Any: ...


class Option(NamedTuple):
    """A legal action, with the best value that the turn can still have for the player who acts."""

    #: The step of the game, or ``None`` if a piece is placed and others follow.
    step: str | None
    #: The position after the turn if the action ends it, else ``None``.
    after: Any
    outcome: int
    turns: int


class Walk:
    """A game in progress, played action by action; :class:`OwnWalk` plays your own games.

    Args:
        game: the game; it must have planes.
        position: the first position; default: the start of the game. A :class:`Position` also
            determines the player to move; otherwise it is the first player.
        repetitions: the game is drawn when a position has occurred this many times with the same player to
            move; ``None``: only the rules end it.

    Raises:
        PositionError: if the game is over in this position.
    """

    def __init__(
        self, game: Game, position: OnePosition | None = None, repetitions: int | None = None
    ) -> None:
        if not game.plane_names:
            raise UnsupportedError(f"{game.name} has no planes, so it has no actions", "unsupported")
        self.game: Any = game
        self.has_table: bool = game.has_table
        self.rows: int = game.plane_shape[1]
        self.columns: int = game.plane_shape[2]
        self.squares: int = self.rows * self.columns
        self.actions: int = self.squares**2
        self.parts: int = self._most_parts()
        planes = game.plane_shape[0] + 2 * (self.parts - 1)
        self.shape: tuple[int, ...] = (planes, self.rows, self.columns)
        self.least: float = 0
        self.most: float = 1
        self.dtype: np.dtype[Any] = np.dtype(np.uint8)
        self._turned = self.parts == 1 and self._turns_the_board()
        self.repetitions = repetitions
        self._begins = self._beginning(position)
        self.reset()

    def _beginning(self, position: Any) -> tuple[Any, int]:
        """The first position, and the player to move."""
        to_move: Player = position.to_move if isinstance(position, Position) else "first"
        found = self.game.position(position, to_move)
        if found.over is not None:
            raise PositionError(f"position “{found}”: the game is over there, so there are no actions", "position")
        return found.text, int(found.to_move == "second")

    def reset(self, position: Any = None) -> None:
        """Starts over, optionally from another position, as in the constructor."""
        begins = self._begins if position is None else self._beginning(position)
        self.position: Any = begins[0]
        self.seat: int = begins[1]
        self.turns: int = 0
        self.begun: list[str] = []
        self.placed: list[int] = []
        self.made: list[int] = []
        self._options: dict[int, Option] | None = None
        self._times: dict[Any, int] = {}
        self._count()

    def copy(self) -> Walk:
        """An independent copy, which shares the game."""
        other = Walk.__new__(Walk)
        other.__dict__.update(self.__dict__)
        other.begun, other.placed, other.made = list(self.begun), list(self.placed), list(self.made)
        other._times = dict(self._times)
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Walk:
        return self.copy()

    def _most_parts(self) -> int:
        """The maximum number of actions in a turn, including placements."""
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
        # Without a table nothing is searched, so values are unknown. There is no time limit, so that all
        # actions are listed.
        return ask(self.game._native, "steps", {**params}, (0, math.inf))

    def square(self, name: str) -> int:
        """The number of a square from its name, such as ``b3``."""
        match = _SQUARE.fullmatch(name)
        assert match is not None, name
        column = 0
        for letter in match[1]:
            column = column * 26 + ord(letter) - ord("a") + 1
        return (self.rows - int(match[2])) * self.columns + column - 1

    def _turns_the_board(self) -> bool:
        """Whether the second player sees the board from the other side. This occurs only in games with one action
        per turn."""
        turns = self.game.legal_turns()
        return any(self.game._native.turn_on_board(self.game.start.text, "second", turn) != turn for turn in turns[:1])

    def action_on_board(self, seat: int, action: int) -> str:
        """An action of a player (0 or 1), such as ``b3-b4``: the squares as the first player sees the board."""
        squares = divmod(action, self.squares)
        if seat and self._turned:
            squares = self.squares - 1 - squares[0], self.squares - 1 - squares[1]
        return "-".join(map(self.square_name, squares))

    def square_name(self, square: int) -> str:
        """The name of a square, the inverse of :meth:`square`."""
        row, column = divmod(square, self.columns)
        name = ""
        while column >= 0:
            column, letter = divmod(column, 26)
            name, column = chr(ord("a") + letter) + name, column - 1
        return f"{name}{self.rows - row}"

    def options(self) -> dict[int, Option]:
        """The legal actions, a best one first; empty if the game is over."""
        if self._options is None:
            self._options = {} if self._is_repeated() else self._find_options()
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
            # Steps are sorted, best first, so the first placement with a square is its best.
            options.setdefault(action, Option(text, after, _CODES[step["outcome"]], turns))
        return options

    def _option(self, action: int) -> tuple[int, Option]:
        """Checks an action that is about to be played, and returns it with its option."""
        action = check.whole("action", action)
        option = self.options().get(action)
        if option is None:
            raise TurnError(f"action {action} is not legal here", "turn", str(action))
        self._options = None
        return action, option

    def act(self, action: int) -> bool:
        """Plays an action; returns whether it ends the turn.

        Raises:
            TurnError: if it is not legal.
        """
        action, option = self._option(action)
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
        self._count()
        return True

    def _key(self) -> Any:
        """The position, in a form that equal positions share."""
        return self.position

    def _count(self) -> None:
        """Counts how often the position has occurred with the same player to move."""
        if self.repetitions is not None:
            key = self._key(), self.seat
            self._times[key] = self._times.get(key, 0) + 1

    def _is_repeated(self) -> bool:
        """Whether the position has occurred as often as a draw takes."""
        return self.repetitions is not None and self._times[self._key(), self.seat] >= self.repetitions

    def over(self) -> int | None:
        """The outcome of a finished game for the side to move: 1, 0, -1; ``None`` if the game is not over."""
        over = self._over_by_rules()
        if over is None:
            return 0 if self._is_repeated() else None
        return _CODES[over]

    def _over_by_rules(self) -> str | None:
        over: str | None = self.game.position(self.position).over
        return over

    def observation(self, seat: int) -> NDArray[Any]:
        """Planes of 0 and 1 of ``shape``, seen by a player (0 or 1): the planes of the position before the
        turn, then two for each action of the turn but the last, for the squares it goes from and to."""
        planes = np.zeros(self.shape, np.uint8)
        # The library returns the first player's view, so the observing player takes the first seat.
        to_move = "first" if seat == self.seat else "second"
        seen = self.game._native.planes([self.position], to_move).reshape(self.game.plane_shape)
        planes[: self.game.plane_shape[0]] = seen
        # In games whose turns have several actions, both players use the same names of squares.
        flat = planes[self.game.plane_shape[0] :].reshape(-1, self.squares)
        for number, action in enumerate(self.made):
            flat[2 * number, action // self.squares] = 1
            flat[2 * number + 1, action % self.squares] = 1
        return planes

    def options_of(self, seat: int) -> dict[int, Option]:
        """The legal actions of a player (0 or 1); empty if the other player is to act."""
        return self.options() if seat == self.seat else {}

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for legal actions of a player (0 or 1), 0 for all others."""
        mask = np.zeros(self.actions, np.int8)
        mask[list(self.options_of(seat))] = 1
        return mask

    def values(self, seat: int) -> dict[str, Any]:
        """The values of all actions for a player (0 or 1), as arrays with one entry per action:
        ``action_outcome`` (``int8``: 1, 0, -1; 2 for unknown, -2 for illegal actions) and
        ``action_turns`` (``int32``; -1 if there is no number)."""
        outcomes = np.full(self.actions, ILLEGAL, np.int8)
        turns = np.full(self.actions, -1, np.int32)
        for action, option in self.options_of(seat).items():
            outcomes[action], turns[action] = option.outcome, option.turns
        return {"action_outcome": outcomes, "action_turns": turns}

    def value(self) -> int:
        """The outcome of the best actions."""
        return next((option.outcome for option in self.options().values()), UNKNOWN)

    def best(self) -> list[int]:
        """All best actions."""
        options = self.options()
        if not options:
            return []
        first = next(iter(options.values()))
        value = (first.outcome, first.turns)
        return [action for action, option in options.items() if (option.outcome, option.turns) == value]

    @property
    def player(self) -> Player:
        """The player to act."""
        return "second" if self.seat else "first"

    def pixels(self, width: int = 400) -> NDArray[np.uint8]:
        """A picture of the position as the first player sees it: ``uint8`` of shape (height, ``width``,
        3), with the pieces that are already placed. Moves of an incomplete turn are not drawn."""
        svg = self.game._native.svg(self.position, self.player, None, "light", self.placed)
        return Picture(svg).pixels(width)

    def board(self) -> str:
        """The position as the first player sees it, with the pieces that are already placed, and the moves of
        the turn so far."""
        begun = ", ".join(self.begun)
        board = self.game._native.board(self.position, self.player, self.placed)
        return f"{board}\n{self.player} to move{': ' + begun if begun else ''}\n"


class OwnWalk(Walk):
    """Your own game in progress: a :class:`Walk` for a :class:`SolvedGame`.

    Each turn is an action. Observations are the ``planes`` of the rules, as the side to move sees them. Without
    ``planes``, an observation is the index of the position.
    """

    def __init__(self, game: SolvedGame[Any, Any], position: Any = None, repetitions: int | None = None) -> None:
        self.game = game
        self.has_table = True
        self._numbers: dict[Hashable, int] = {turn: number for number, turn in enumerate(game.actions())}
        self.actions = len(self._numbers)
        self.parts = 1
        if game.has_planes:
            first = game.planes(indices=[0])
            self.shape, self.dtype = first.shape[1:], first.dtype
            limits: Any = np.iinfo(self.dtype) if self.dtype.kind in "iu" else None
            self.least, self.most = (-np.inf, np.inf) if limits is None else (limits.min, limits.max)
        else:
            self.shape, self.dtype, self.least, self.most = (1,), np.dtype(np.int64), 0, len(game) - 1
        self.repetitions = repetitions
        self._begins = self._beginning(position)
        self.reset()

    def _beginning(self, position: Any) -> tuple[Any, int]:
        position = self.game.start if position is None else position
        if self.game.over(position) is not None:
            raise PositionError(f"position {position!r}: the game is over there, so there are no actions", "position")
        return position, self._seat_at(position, 0)

    def _seat_at(self, position: Any, seat: int) -> int:
        """The player to move (0 or 1): determined by the rules, or else ``seat``."""
        to_move = getattr(self.game.rules, "to_move", None)
        return seat if to_move is None else int(to_move(position) in ("second", 1))

    def _find_options(self) -> dict[int, Option]:
        options: dict[int, Option] = {}
        for turn in self.game.turns(self.position):
            number = self._numbers.get(turn["turn"])
            if number is None:
                raise UsageError(f"`actions` of {self.game.name} lacks the turn {turn['turn']!r}", "usage")
            turns = -1 if turn["turns"] is None else turn["turns"]
            options[number] = Option(None, turn["position"], _CODES[turn["outcome"]], turns)
        return options

    def act(self, action: int) -> bool:
        _, option = self._option(action)
        self.position, self.turns = option.after, self.turns + 1
        self.seat = self._seat_at(self.position, 1 - self.seat)
        self._count()
        return True

    def _key(self) -> Any:
        return self.game.index(self.position)

    def _over_by_rules(self) -> str | None:
        over: str | None = self.game.over(self.position)
        return over

    def observation(self, seat: int) -> NDArray[Any]:
        """The planes of the position as the side to move sees it, or its index."""
        if not self.game.has_planes:
            return np.array([self.game.index(self.position)], self.dtype)
        planes: NDArray[Any] = self.game.planes([self.position])[0]
        return planes

    def pixels(self, width: int = 400) -> NDArray[np.uint8]:
        raise UnsupportedError(f"{self.game.name} has no pictures", "unsupported")

    def board(self) -> str:
        """The position as text."""
        return f"{self.position}\n{self.player} to move\n"
