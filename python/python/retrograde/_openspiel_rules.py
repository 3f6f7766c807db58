"""OpenSpiel games as rules for :func:`retrograde.solve`. This module only calls methods of games and states,
so it does not import OpenSpiel."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from . import _arguments as check
from ._errors import UnsupportedError

#: The player to move (0 or 1), and the key of the state.
SpielPosition: TypeAlias = "tuple[int, str]"

#: Games with at most this many histories are compared completely, and can be solved by history.
HISTORIES = 100_000

#: The maximum seconds for comparing all histories with one key, and again for random games.
SECONDS = 5.0

#: The number of actions, and of characters of a key, in error messages.
LAST_ACTIONS, LETTERS = 12, 300

#: An allowance for states of different playouts with the same key by chance, when positions are counted.
BY_CHANCE = 3


def _text(state: Any) -> str:
    return str(state)


def _text_and_length(state: Any) -> str:
    return f"{state}\n{state.move_number()}"


def _history(state: Any) -> str:
    return " ".join(map(str, state.history()))


#: The keys that are tried, the one with the fewest positions first.
_KEYS: tuple[Callable[[Any], str], ...] = (_text, _text_and_length)


class _Seen(NamedTuple):
    """The properties that all states with the same key must share."""

    is_terminal: bool
    returns: tuple[float, ...]
    legal_actions: tuple[int, ...]
    #: The position after each action.
    after: tuple[SpielPosition, ...]


class _HiddenHistory(Exception):
    """Two states with the same key and different futures."""


#: The actions that lead to a state: the last action, and the path before it.
_Path: TypeAlias = "tuple[_Path, int] | None"


class _Comparison:
    """Compares each state with the first state of the same key."""

    def __init__(self, rules: SpielRules) -> None:
        self._rules = rules
        self._known: dict[SpielPosition, tuple[int, _Path]] = {}
        #: The number of computed keys.
        self.count = 0
        self._ends = time.monotonic() + SECONDS

    def is_late(self) -> bool:
        """Whether the time limit is exceeded."""
        return time.monotonic() > self._ends

    def compare(self, state: Any, player: int, path: _Path) -> tuple[_Seen, list[Any]]:
        """Compares a state, and returns its properties and the states after each action."""
        seen, children = self._rules._look(state, player)
        self.count += 1 + len(children)
        found = (hash(seen), path)
        before, known = self._known.setdefault(self._rules._position(state, player), found)
        if before != found[0]:
            actions = []
            while known is not None:
                known, action = known
                actions.append(action)
            raise self._rules._difference(self._rules._replayed(actions[::-1]), state, player)
        return seen, children


def _tensor_shape(game: Any, state: Any) -> tuple[int, ...] | None:
    """The shape of observations, if the game has any."""
    try:
        state.observation_tensor(0)
        return tuple(game.observation_tensor_shape())
    except Exception:
        return None


class SpielRules:
    """The rules of an OpenSpiel game for :func:`retrograde.solve`: two players who move one at a time, no
    chance, no hidden information, zero-sum. Only the sign of the returns counts.

    A position is the player to move and a key: a string that identifies the state. Turns are OpenSpiel's
    strings for actions.

    Two states with the same key and player must have the same future, so a key must contain everything
    that the rules depend on: the board, pieces in hand, scores, the right to pass or swap; and if the rules
    depend on the past, also counters and earlier positions (move limits, moves without a capture,
    repetitions, ko). By default the key is the text of the state. If this is not enough, it is the text and the
    number of moves; and if that is not enough either, all actions so far, in games of at most 100,000
    histories.

    States with the same key are compared: whether the game is over, returns, legal actions, and the key
    after each action. While a game is solved, this is done for each turn that leads to a known position;
    before that, for all histories of games with at most 100,000, and for random games otherwise. So in
    larger games, a difference that appears only after rare sequences of moves may be missed.

    Args:
        game: from ``pyspiel.load_game``; or a state, to solve only the positions that can follow it, such as
            the endgame of a game that is too large.
        key: returns the key of a state, instead of the default keys.

    Attributes:
        at_least: a number that the positions of the game almost certainly exceed.
        planes: returns OpenSpiel's observation of a position for the player to move, if the game has any.

    Raises:
        UnsupportedError: if the game is of another kind, or states with the same key differ. The message
            shows two such states.
    """

    def __init__(self, game: Any, key: Callable[[Any], str] | None = None) -> None:
        start = None
        if hasattr(game, "get_game"):
            start, game = game, game.get_game()
        if not hasattr(game, "new_initial_state"):
            raise check.refuse("game", "an OpenSpiel game or state", game)
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
                    f"{self.name}: only OpenSpiel games with {name} {word} can be solved, this one has "
                    f"{found.name}",
                    "unsupported",
                )
        if game.num_players() != 2:
            raise UnsupportedError(f"{self.name}: it has {game.num_players()} players, not two", "unsupported")
        try:
            self._first = game.new_initial_state() if start is None else start.clone()
        except Exception as error:
            raise UnsupportedError(f"{self.name}: OpenSpiel cannot start this game: {error}", "unsupported") from error
        self._key = self._usable_key(_KEYS if key is None else (check.function("key", key),))
        # States are large, so each is recreated from the actions that lead to it.
        self._actions: dict[SpielPosition, tuple[int, ...]] = {}
        self._known: dict[SpielPosition, int] = {}
        self.start: SpielPosition = self._position(self._first, _mover(self._first))
        self._actions[self.start] = ()
        self._shape = _tensor_shape(game, self._first)
        if self._shape is not None:
            self.planes: Callable[[SpielPosition], NDArray[np.float32]] = self._planes

    def _usable_key(self, keys: tuple[Callable[[Any], str], ...]) -> Callable[[Any], str]:
        """The first key whose states pass a comparison."""
        difference = _HiddenHistory()
        for self._key in keys:
            try:
                self.at_least: int = self._compare_states()
                return self._key
            except _HiddenHistory as found:
                difference = found
        self._key, self.at_least = _history, 0
        if keys is _KEYS and self._compare_histories(_Comparison(self)):
            return self._key
        raise UnsupportedError(f"{self.name}: {difference}", "unsupported")

    def _compare_states(self) -> int:
        """Compares many states with others of the same key. Returns a number that the positions almost
        certainly exceed.

        Raises:
            _HiddenHistory: about the first difference.
        """
        if self._compare_histories(_Comparison(self)):
            return 0
        return self._compare_playouts(_Comparison(self))

    def _compare_histories(self, comparison: _Comparison) -> bool:
        """Compares the states of all histories. Returns ``False`` if there are too many."""
        waiting: list[tuple[Any, int, _Path]] = [(self._first, _mover(self._first), None)]
        visited = 0
        while waiting:
            state, player, path = waiting.pop()
            visited += 1
            seen, children = comparison.compare(state, player, path)
            for action, (mover, _), child in zip(seen.legal_actions, seen.after, children, strict=True):
                waiting.append((child, mover, (path, action)))
            if visited + len(waiting) > HISTORIES or comparison.is_late():
                return False
        return True

    def _compare_playouts(self, comparison: _Comparison) -> int:
        """Compares the states of random games. Returns a number that the positions almost certainly exceed."""
        chance = random.Random(0)
        playouts: list[list[SpielPosition]] = []
        while comparison.count < 2 * HISTORIES and not comparison.is_late():
            state, player, path = self._first, _mover(self._first), cast(_Path, None)
            playout: list[SpielPosition] = []
            met: set[str] = set()
            # Half of the games repeat states if possible, to find move limits and rules on repetition.
            circles = len(playouts) % 2 == 1
            while True:
                seen, children = comparison.compare(state, player, path)
                playout.append(self._position(state, player))
                if not children or comparison.is_late():
                    break
                met.add(str(state))
                again = [n for n, child in enumerate(children) if str(child) in met] if circles else []
                choice = chance.choice(again or range(len(children)))
                state, player = children[choice], seen.after[choice][0]
                path = (path, seen.legal_actions[choice])
            playouts.append(playout)
        return _least_positions(playouts)

    def _position(self, state: Any, player: int) -> SpielPosition:
        return player, check.text("key", self._key(state))

    def _look(self, state: Any, player: int) -> tuple[_Seen, list[Any]]:
        """The properties of a state, and the states after each action."""
        if state.is_terminal():
            return _Seen(True, tuple(state.returns()), (), ()), []
        actions = tuple(state.legal_actions())
        children = [state.child(action) for action in actions]
        after = tuple(self._position(child, _to_move(child, player)) for child in children)
        return _Seen(False, (), actions, after), children

    def _seen(self, state: Any, player: int) -> _Seen:
        return self._look(state, player)[0]

    def _difference(self, one: Any, other: Any, player: int) -> _HiddenHistory:
        """The error about two states with one key."""
        first, second = self._seen(one, player), self._seen(other, player)
        if first.is_terminal != second.is_terminal:
            words = ["the game is over" if seen.is_terminal else "the game continues" for seen in (first, second)]
        elif first.returns != second.returns:
            words = [f"the returns are {list(seen.returns)}" for seen in (first, second)]
        elif first.legal_actions != second.legal_actions:
            words = [
                f"the legal actions are {[state.action_to_string(player, action) for action in seen.legal_actions]}"
                for state, seen in ((one, first), (other, second))
            ]
        else:
            number = next(n for n, pair in enumerate(zip(first.after, second.after)) if len(set(pair)) > 1)
            action = one.action_to_string(player, first.legal_actions[number])
            keys = [seen.after[number] for seen in (first, second)]
            words = [f"{action} leads to the key {_shortened(key)!r} (player {mover})" for mover, key in keys]
        return _HiddenHistory(
            f"the key of its states hides something that the rules depend on. Two states have the key "
            f"{_shortened(self._key(one))!r}: after {self._history(one)} {words[0]}, and after {self._history(other)} "
            f"{words[1]}. "
            f"Use SpielRules(game, key=...) with a key that contains more"
        )

    def _history(self, state: Any) -> str:
        """The texts of the actions that lead from the first state to this one."""
        made, texts = self._first.clone(), []
        for action in state.history()[len(made.history()) :]:
            texts.append(made.action_to_string(made.current_player(), action))
            made.apply_action(action)
        left_out = max(0, len(texts) - LAST_ACTIONS)
        return f"[{f'{left_out} actions, then ' if left_out else ''}{', '.join(texts[left_out:])}]"

    def _replayed(self, actions: Iterable[int]) -> Any:
        state = self._first.clone()
        for action in actions:
            state.apply_action(action)
        return state

    def position(self, state: Any) -> SpielPosition:
        """The position of an OpenSpiel state."""
        return self._position(state, _mover(state))

    def state(self, position: SpielPosition) -> Any:
        """An OpenSpiel state with this position; of several, the one that was found first."""
        return self._replayed(self._actions[position])

    def _planes(self, position: SpielPosition) -> NDArray[np.float32]:
        """The observation of the player to move."""
        observed = self.state(position).observation_tensor(position[0])
        return np.array(observed, np.float32).reshape(self._shape or ())

    def turns(self, position: SpielPosition) -> list[tuple[str, SpielPosition]]:
        """The texts of the legal actions, each with the position after it."""
        player, _ = position
        state = self.state(position)
        turns = []
        for action in state.legal_actions():
            child = state.child(action)
            mover = _to_move(child, player)
            after = self._position(child, mover)
            actions = (*self._actions[position], action)
            if self._actions.setdefault(after, actions) != actions:
                self._compare_with_known(child, mover, after)
            turns.append((state.action_to_string(player, action), after))
        return turns

    def _compare_with_known(self, state: Any, player: int, position: SpielPosition) -> None:
        """Compares a state with the first state that was found with its position."""
        if position not in self._known:
            self._known[position] = hash(self._seen(self.state(position), player))
        if self._known[position] != hash(self._seen(state, player)):
            raise UnsupportedError(
                f"{self.name}: {self._difference(self.state(position), state, player)}", "unsupported"
            )

    def result(self, position: SpielPosition) -> Literal["win", "loss", "draw"] | None:
        """The outcome for the side to move if the game is over."""
        state = self.state(position)
        if not state.is_terminal():
            return None
        value = state.returns()[position[0]]
        return "win" if value > 0 else "loss" if value < 0 else "draw"

    def to_move(self, position: SpielPosition) -> int:
        """The player to move; if the game is over, the player who did not move last."""
        return position[0]


def _to_move(state: Any, before: int) -> int:
    """The player to move in a state after a move of ``before`` (1 at the start)."""
    return 1 - before if state.is_terminal() else state.current_player()


def _mover(state: Any) -> int:
    """The player to move in a state."""
    history = state.full_history()
    return _to_move(state, history[-1].player if history else 1)


def _shortened(key: str) -> str:
    return key if len(key) <= LETTERS else f"{key[:LETTERS]}…"


def _least_positions(playouts: list[list[SpielPosition]]) -> int:
    """A number that the positions of a game almost certainly exceed, from random games.

    If random games visited N positions with equal probability, two of their states would be the same with
    probability 1/N, and more often with unequal probabilities. So the number of pairs of states, divided by
    the number of pairs with the same position, is at most N on average. Games have few first moves, so this
    is computed for the states from each move on, and the largest number counts.
    """
    met: Counter[SpielPosition] = Counter()
    states = pairs_apart = same = least = 0
    lengths = [0] * len(playouts)
    for move in range(max(map(len, playouts)) - 1, -1, -1):
        for number, playout in enumerate(playouts):
            if move < len(playout):
                pairs_apart += states - lengths[number]
                same += met[playout[move]]
                met[playout[move]] += 1
                states += 1
                lengths[number] += 1
        least = max(least, pairs_apart // (same + BY_CHANCE))
    return least
