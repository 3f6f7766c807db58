"""Solves your own games: Python objects with rules, whose positions are found by a search."""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypedDict, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from . import _retrograde
from ._answers import Outcome, Statistics, Verdict, Verification, answer
from . import _arguments as check
from ._errors import FileError, PositionError, TooLargeError, TurnError, UnsupportedError, UsageError
from ._game import ask, either, index_array, sampled
from ._openspiel_rules import SpielRules
from ._progress import Listener, Progress

P = TypeVar("P", bound=Hashable)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: The default limit of positions for a search.
LIMIT = 10_000_000

#: The first entry of a saved game: what it is, and the version of the format.
_SAVED = ("retrograde solved game", 1)


class GameRules(Protocol[P, T_co]):
    """The rules of a game for :func:`solve`.

    Positions are hashable and contain everything that the rules need, **including the player to move**
    (unless they are seen by the side to move, which halves their number). ``turns`` and ``result`` are called
    once for each position; ``turns`` is called again when the turns of a position are queried, and must
    return them in the same order each time.

    Optional attributes:

    - ``name``, a string.
    - ``outcome_without_turns``: the outcome for a player who has no turn if ``result`` is ``None``;
      ``"loss"`` by default.
    - ``to_move(position)``: the player to move, ``"first"`` or ``"second"`` (or 0 or 1). Only needed if
      a player can move twice in a row; by default the players alternate. It is called for every
      position, even if the game is over: ``result`` is then the outcome for this player.
    - ``planes(position)``: numbers for a network, as nested lists or an array, with the same shape for
      every position; for :meth:`SolvedGame.planes` and the environments.
    - ``actions``: a list of all turns that can occur, in the order of the action numbers of the
      environments. By default a search from the start numbers the turns as it finds them.
    """

    @property
    def start(self) -> P:
        """The position at the start of the game."""
        ...

    def turns(self, position: P, /) -> Iterable[tuple[T_co, P]]:
        """The turns of a position, each with the position after it. Not called if the game is over."""
        ...

    def result(self, position: P, /) -> Literal["win", "loss", "draw"] | int | None:
        """The outcome of a finished game **for the side to move**: ``"win"``, ``"loss"``, ``"draw"``, or 1,
        -1, 0; ``None`` if the game is not over. Anything else is rejected, even ``True`` and ``False``."""
        ...


class OwnTurnValue(Verdict, Generic[P, T]):
    """A turn with its value for the player who makes it, including the turn itself."""

    turn: T
    position: P


class OwnProbe(Verdict, Generic[P, T]):
    """A position with its value for the side to move, and all turns, best first."""

    game: str
    position: P
    source: Literal["table", "rules"]
    turns_available: list[OwnTurnValue[P, T]]


class OwnLineStep(Verdict, Generic[P, T]):
    """A position of a line with its value for the side to move, and the turn played."""

    position: P
    turn: T


class OwnLine(Verdict, Generic[P, T]):
    """A best line; ``ends`` is the reason for its end."""

    game: str
    position: P
    line: list[OwnLineStep[P, T]]
    end: P
    ends: Literal["over", "repeats", "limit"]


class OwnFound(Verdict, Generic[P]):
    """A position with its value for the side to move."""

    index: int
    position: P


class OwnPuzzle(OwnFound[P], Generic[P, T]):
    """A position in which all winning (or saving) turns lead to the same position."""

    solution: T
    turns_available: int


class SolvedGame(Generic[P, T]):
    """Your own game, solved by :func:`solve`; its values are in memory.

    Its methods and answers are like those of :class:`Game`, but positions and turns are your own
    objects. Indices number the positions in the order of a breadth-first search from the start, whose
    index is 0. Values are for the side to move; ``turns`` counts the turns of both players to the end.

    Attributes:
        rules: the rules of the game.
        name: its name.
    """

    def __init__(
        self,
        rules: GameRules[P, T],
        name: str,
        positions: list[P],
        graph: _retrograde._Graph,
        numbers: dict[P, int] | None = None,
        threads: int | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.rules = rules
        self.name = name
        self._positions = positions
        self._graph = graph
        self._numbers = dict(zip(positions, range(len(positions)))) if numbers is None else numbers
        self._native = _retrograde.solve_graph(name, graph, threads, listener)

    def __reduce__(self) -> tuple[object, ...]:
        # Its values are found again from the graph, without the rules, which takes a fraction of the time.
        return SolvedGame, (self.rules, self.name, self._positions, self._graph)

    def __copy__(self) -> SolvedGame[P, T]:
        return self

    def __deepcopy__(self, _: object) -> SolvedGame[P, T]:
        # Nothing in it changes.
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the game to a file for :meth:`load`, a pickle. The class of its rules must be importable.

        Raises:
            FileError: if the file cannot be written.
            UsageError: if the rules or positions cannot be pickled.
        """
        file = Path(check.path("path", path))
        partial = file.with_name(f".{file.name}.partial")
        try:
            data = pickle.dumps((_SAVED, self), protocol=5)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(f"{self.name} cannot be saved: {error}", "usage") from error
        try:
            partial.write_bytes(data)
            partial.replace(file)
        except OSError as error:
            with contextlib.suppress(OSError):
                partial.unlink()  # A full disk leaves a part of it.
            raise FileError(f"cannot write “{file}”: {error}", "file", str(file)) from error

    @staticmethod
    def load(path: str | os.PathLike[str]) -> SolvedGame[Any, Any]:
        """Reads a game that :meth:`save` wrote. A pickle can run any code: only load files that you trust.

        Raises:
            FileError: if the file cannot be read, or is not a saved game.
        """
        file = Path(check.path("path", path))
        try:
            found = pickle.loads(file.read_bytes())
        except OSError as error:
            raise FileError(f"cannot read “{file}”: {error}", "file", str(file)) from error
        except Exception as error:
            raise FileError(f"“{file}” is not a saved game: {error}", "file", str(file)) from error
        if not (isinstance(found, tuple) and len(found) == 2 and found[0] == _SAVED):
            raise FileError(f"“{file}” is not a saved game of this version", "file", str(file))
        return cast("SolvedGame[Any, Any]", found[1])

    def __repr__(self) -> str:
        return f"<SolvedGame {self.name}, {len(self):,} positions>"

    def __len__(self) -> int:
        """The number of positions reachable from the start."""
        return len(self._positions)

    def __contains__(self, position: object) -> bool:
        return position in self._numbers

    @property
    def start(self) -> P:
        """The position at the start of the game."""
        return self._positions[0]

    def index(self, position: P) -> int:
        """The index of a position.

        Raises:
            PositionError: if it cannot occur.
        """
        try:
            number = self._numbers.get(position)
        except TypeError:  # It is not hashable, so it is not a position of the game.
            number = None
        if number is None:
            raise PositionError(
                f"position {position!r} cannot occur in {self.name}", "position", repr(position)
            )
        return number

    def positions(self, indices: NDArray[Any] | Sequence[int] | None = None) -> list[P]:
        """The positions with the given indices; by default all, in order.

        Raises:
            PositionError: if an index is invalid; the message names the first.
        """
        if indices is None:
            return list(self._positions)
        array = index_array(indices)
        # The library reports the first invalid index.
        self._native.texts(array)
        return [self._positions[index] for index in array.tolist()]

    def probe(self, position: P | None = None) -> OwnProbe[P, T]:
        """The value of a position (default: the start) and of every turn, best first.

        Raises:
            PositionError: if it cannot occur.
        """
        here = self.start if position is None else position
        found = ask(self._native, "position", {"position": self.index(here)})
        after = {int(turn["position"]): (rank, turn) for rank, turn in enumerate(found["turns_available"])}
        turns = self._turns(here) if after else []
        if {self._numbers.get(following) for _, following in turns} != after.keys():
            raise self._changed(here)
        # Of turns to the same position the library lists only the first; add the others.
        ranked = sorted(turns, key=lambda pair: after[self._numbers[pair[1]]][0])
        available: list[OwnTurnValue[P, T]] = []
        for turn, following in ranked:
            value = after[self._numbers[following]][1]
            available.append(
                {"turn": turn, "position": following, "outcome": value["outcome"], "turns": value["turns"]}
            )
        return {
            "game": self.name,
            "position": here,
            "outcome": found["outcome"],
            "turns": found["turns"],
            "source": found["source"],
            "turns_available": available,
        }

    def turns(self, position: P | None = None) -> list[OwnTurnValue[P, T]]:
        """All turns with their values *for the player who makes them*, best first."""
        return self.probe(position)["turns_available"]

    def probe_many(
        self,
        positions: Iterable[P] | None = None,
        *,
        indices: NDArray[Any] | Sequence[int] | None = None,
    ) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """The values of many positions.

        Args:
            positions: N positions of the game. Integers are positions here, not indices.
            indices: N indices instead, such as those from :meth:`sample`.

        Returns:
            The same as :meth:`Game.probe_many`: outcomes for the side to move (``int8``: 1, 0, -1) and turns
            of both players to the end (``int32``; -1 for draws).

        Raises:
            PositionError: if a position cannot occur; the message names the first.
        """
        if either(positions, indices):
            return self._native.values(index_array(indices))
        listed = positions.tolist() if isinstance(positions, np.ndarray) else check.items("positions", positions)
        return self._native.values(np.array([self.index(position) for position in listed], np.uint64))

    def planes(
        self,
        positions: Iterable[P] | None = None,
        *,
        indices: NDArray[Any] | Sequence[int] | None = None,
    ) -> NDArray[Any]:
        """The planes of N positions, or of N indices, as one array of shape (N, …), from ``planes`` of the rules.

        Raises:
            PositionError: if a position cannot occur.
            UnsupportedError: if the rules have no ``planes``.
            UsageError: if the arrays have different shapes or types, or do not contain numbers.
        """
        if either(positions, indices):
            listed = self.positions(indices)
        else:
            listed = check.items("positions", positions)
            for position in listed:
                self.index(position)
        shape, dtype = self._plane_type
        planes = np.empty((len(listed), *shape), dtype)
        for number, position in enumerate(listed):
            found = self._planes(position)
            if found.shape != shape:
                raise UsageError(
                    f"`planes` returns the shape {found.shape} for {position!r}, but {shape} for the start", "usage"
                )
            if not np.can_cast(found.dtype, dtype, "safe"):
                raise UsageError(
                    f"`planes` returns {found.dtype} for {position!r}, but {dtype} for the start", "usage"
                )
            planes[number] = found
        return planes

    @property
    def has_planes(self) -> bool:
        """Whether the rules have ``planes``."""
        return getattr(self.rules, "planes", None) is not None

    @functools.cached_property
    def _plane_type(self) -> tuple[tuple[int, ...], np.dtype[Any]]:
        first = self._planes(self.start)
        return first.shape, first.dtype

    def _planes(self, position: P) -> NDArray[Any]:
        if not self.has_planes:
            raise UnsupportedError(f"the rules of {self.name} have no `planes`", "unsupported")
        planes = np.asarray(getattr(self.rules, "planes")(position))
        if planes.dtype.kind not in "biuf":
            raise UsageError(f"`planes` must return numbers, not {planes.dtype}", "usage")
        return planes.astype(np.uint8) if planes.dtype.kind == "b" else planes

    def actions(self) -> list[T]:
        """All turns that can occur, in the order of the actions of the environments: ``actions`` of the rules, or
        the turns of all positions, in the order of a search from the start.

        Raises:
            UnsupportedError: if turns are not hashable.
        """
        given = getattr(self.rules, "actions", None)
        found: dict[T, None] = {}
        try:
            if given is not None:
                return list(dict.fromkeys(check.items("actions", given)))
            for position in self._positions:
                if self.over(position) is None:
                    found.update(dict.fromkeys(turn for turn, _ in self._turns(position)))
        except TypeError as error:
            raise UnsupportedError(f"turns of {self.name} cannot be actions: {error}", "unsupported") from error
        return list(found)

    def line(self, position: P | None = None, *, limit: int = 200) -> OwnLine[P, T]:
        """A best line of at most ``limit`` turns."""
        here = self.start if position is None else position
        found = ask(self._native, "line", {"position": self.index(here), "limit": limit})
        steps: list[OwnLineStep[P, T]] = []
        reached = [int(step["position"]) for step in found["line"]] + [int(found["end"])]
        for step, end in zip(found["line"], reached[1:], strict=True):
            at = self._positions[int(step["position"])]
            turn = self._turn(at, step["turn"], self._positions[end])
            steps.append({"position": at, "turn": turn, "outcome": step["outcome"], "turns": step["turns"]})
        return {
            "game": self.name,
            "position": here,
            "outcome": found["outcome"],
            "turns": found["turns"],
            "line": steps,
            "end": self._positions[int(found["end"])],
            "ends": found["ends"],
        }

    def play(self, position: P, turn: T) -> P:
        """The position after a turn.

        Raises:
            TurnError: if there is no such turn.
        """
        for known, following in self._turns(position) if self.over(position) is None else []:
            if is_same(known, turn):
                return following
        raise TurnError(f"turn {turn!r} is not a turn of {position!r}", "turn", repr(turn))

    def over(self, position: P) -> Outcome | None:
        """The outcome for the side to move if the game is over in a position, else ``None``.

        Raises:
            PositionError: if it cannot occur.
        """
        return cast("Outcome | None", self._native.over(str(self.index(position))))

    def stats(self) -> Statistics:
        """The number of positions won, lost and drawn for the side to move, in total and by turns to the
        end."""
        return cast(Statistics, ask(self._native, "stats", {}))

    def sample(
        self, count: int, *, outcome: Outcome | None = None, turns: int | None = None, seed: int = 0
    ) -> NDArray[np.uint64]:
        """The indices (``uint64``) of distinct random positions; :meth:`positions` converts them."""
        return sampled(self._native, self._find, count, outcome, turns, seed)

    def find(
        self, outcome: Outcome, turns: int | None = None, *, limit: int = 10, seed: int | None = None
    ) -> list[OwnFound[P]]:
        """Positions with a given value, in index order, or chosen at random if there is a seed."""
        return self._find(outcome, turns, limit, seed)

    def _find(self, outcome: Outcome, turns: int | None, limit: int, seed: int | None) -> list[OwnFound[P]]:
        random = None if seed is None else True
        found = ask(
            self._native,
            "find",
            {"outcome": outcome, "turns": turns, "limit": limit, "random": random, "seed": seed},
        )
        return [
            {
                "index": one["index"],
                "position": self._positions[one["index"]],
                "outcome": one["outcome"],
                "turns": one["turns"],
            }
            for one in found["positions"]
        ]

    def puzzles(
        self,
        limit: int = 3,
        *,
        kind: Literal["win", "save"] = "win",
        turns: int | None = None,
        seed: int | None = None,
    ) -> list[OwnPuzzle[P, T]]:
        """Positions in which all turns that win, or (``kind="save"``) hold the draw or hold out longest,
        lead to the same position."""
        random = None if seed is None else True
        found = ask(
            self._native,
            "puzzles",
            {"kind": kind, "turns": turns, "limit": limit, "random": random, "seed": seed},
        )
        puzzles: list[OwnPuzzle[P, T]] = []
        for one in found["puzzles"]:
            position = self._positions[one["index"]]
            puzzles.append(
                {
                    "index": one["index"],
                    "position": position,
                    "outcome": one["outcome"],
                    "turns": one["turns"],
                    "solution": self._turn(position, one["solution"]),
                    "turns_available": one["turns_available"],
                }
            )
        return puzzles

    def verify(self, *, threads: int | None = None, memory: int | None = None) -> Verification:
        """Recomputes every value from the values after each turn."""
        memory = check.optional_whole("memory", memory, 1)
        return cast(Verification, answer(self._native.verify(None, check.threads(threads), memory)))

    def _turns(self, position: P) -> list[tuple[T, P]]:
        return [(turn, following) for turn, following in self.rules.turns(position)]

    def _turn(self, position: P, place: str, end: P | None = None) -> T:
        """The turn at a place in a position's list of turns; must lead to ``end`` if given."""
        turns = self._turns(position)
        if int(place) >= len(turns) or end is not None and turns[int(place)][1] != end:
            raise self._changed(position)
        return turns[int(place)][0]

    def _changed(self, position: P) -> UsageError:
        return UsageError(f"`turns` no longer returns the turns of {position!r} with which {self.name} was solved", "usage")


def is_same(one: object, other: object) -> bool:
    """Whether two turns are equal. Arrays are never equal."""
    try:
        return bool(one == other)
    except ValueError:
        return False


def solve(
    game: GameRules[P, T],
    *,
    name: str | None = None,
    limit: int = LIMIT,
    threads: int | None = None,
    progress: bool | Listener | None = None,
) -> SolvedGame[P, T]:
    """Solves your own game: an object with ``start``, ``turns`` and ``result``
    (:class:`GameRules`).

    A search finds all positions that are reachable from the start, and retrograde analysis computes their
    values. Positions may repeat: a player who can avoid losing forever draws. Everything is kept in memory:
    a few hundred bytes per position, mostly for Python objects.

    Args:
        game: the rules; or an OpenSpiel game from ``pyspiel.load_game``, or one of its states, which is wrapped in
            :class:`retrograde.SpielRules`: two players who move one at a time, no chance, no hidden
            information.
        name: its name; default: the attribute ``name``, or the name of the class.
        limit: the maximum number of positions.
        threads: default: all cores.
        progress: as in :func:`open`.

    Raises:
        TooLargeError: if there are more positions than ``limit``.
        UsageError: if ``turns``, ``result`` or ``to_move`` return something invalid. Exceptions that
            they raise are passed on.
        UnsupportedError: if an OpenSpiel game is of another kind, or its states have no usable key.
    """
    if isinstance(game, str):
        raise UsageError(
            f"`game` must be an object with rules, not a string; to solve a game by name, use open({game!r})", "usage"
        )
    if isinstance(game, type):
        raise UsageError(f"`game` must be an object, not the class {game.__name__}", "usage")
    limit, threads = check.whole("limit", limit, 1), check.threads(threads)
    if (hasattr(game, "new_initial_state") or hasattr(game, "get_game")) and not hasattr(game, "turns"):
        game = cast("GameRules[P, T]", SpielRules(game))
    for needed in ("start", "turns", "result"):
        if not hasattr(game, needed):
            raise UsageError(
                f"`game` must have `start`, `turns` and `result`, but {game!r} has no `{needed}`", "usage"
            )
    if isinstance(game, SpielRules) and game.at_least > limit:
        raise TooLargeError(
            f"{game.name} has at least {game.at_least:,} positions, more than `limit` allows ({limit:,})",
            "too-large",
        )
    start = game.start
    if callable(start):
        start = start()
    if name is None:
        name = getattr(game, "name", None) or type(game).__name__.lower()
    name, without_turns = check.text("name", name), getattr(game, "outcome_without_turns", "loss")
    with Progress(progress) as shown:
        positions, numbers, graph = _retrograde.search(game, start, without_turns, limit, shown.listener)
        return SolvedGame(game, name, positions, graph, numbers, threads, shown.listener)
