"""Games of OpenSpiel as rules for :func:`retrograde.solve`. OpenSpiel itself is not needed here: its
games and states are asked by their methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from ._errors import UnsupportedError

#: The player to move (0 or 1), and what tells the state from others.
SpielPosition: TypeAlias = "tuple[int, str]"


class SpielRules:
    """A game of OpenSpiel, as :func:`retrograde.solve` asks for its rules: two players in turn, no
    chance, nothing hidden, and what one wins the other loses.

    A position is the player to move and the text of the state. Turns are OpenSpiel's texts of actions.

    Args:
        game: from ``pyspiel.load_game``.
        key: gives a text for a state; states with the same text and player to move must have the same
            future. ``str`` if not given, which suits most games: not those whose rules look at the
            past, unless their text tells it.

    Raises:
        UnsupportedError: if the game is of another kind.
    """

    def __init__(self, game: Any, key: Callable[[Any], str] = str) -> None:
        kind = game.get_type()
        self.name: str = kind.short_name
        wanted = {
            "dynamics": "SEQUENTIAL",
            "chance_mode": "DETERMINISTIC",
            "information": "PERFECT_INFORMATION",
            "utility": "ZERO_SUM",
            "reward_model": "TERMINAL",
        }
        for name, word in wanted.items():
            found = getattr(kind, name)
            if found.name != word:
                raise UnsupportedError(
                    f"{self.name}: only games of OpenSpiel with {name} {word} are solved, this one has "
                    f"{found.name}",
                    "unsupported",
                )
        if game.num_players() != 2:
            raise UnsupportedError(f"{self.name}: it has {game.num_players()} players, not two", "unsupported")
        self._game = game
        self._key = key
        # States are large, so each is made again by the actions that have led to it.
        self._actions: dict[SpielPosition, tuple[int, ...]] = {}
        first = game.new_initial_state()
        self.start: SpielPosition = self._position(first, first.current_player(), ())

    def _position(self, state: Any, player: int, actions: tuple[int, ...]) -> SpielPosition:
        position = (player, self._key(state))
        self._actions.setdefault(position, actions)
        return position

    def state(self, position: SpielPosition) -> Any:
        """A state of OpenSpiel with this position; of several the one that was met first."""
        state = self._game.new_initial_state()
        for action in self._actions[position]:
            state.apply_action(action)
        return state

    def turns(self, position: SpielPosition) -> list[tuple[str, SpielPosition]]:
        """The legal actions by their texts, each with the position after it."""
        player, _ = position
        state = self.state(position)
        turns = []
        for action in state.legal_actions():
            after = state.child(action)
            if after.current_player() == player:
                raise UnsupportedError(
                    f"{self.name}: a player moves twice in a row, after {state.action_to_string(player, action)!r} "
                    f"in {self._key(state)!r}; only games in which players move in turn are solved",
                    "unsupported",
                )
            actions = (*self._actions[position], action)
            turns.append((state.action_to_string(player, action), self._position(after, 1 - player, actions)))
        return turns

    def result(self, position: SpielPosition) -> Literal["win", "loss", "draw"] | None:
        """The outcome for the side to move if the game is over."""
        state = self.state(position)
        if not state.is_terminal():
            return None
        value = state.returns()[position[0]]
        return "win" if value > 0 else "loss" if value < 0 else "draw"
