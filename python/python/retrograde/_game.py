"""The built-in games: opens, solves and queries them."""

from __future__ import annotations

import json
import os
import warnings
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from . import _retrograde
from ._answers import (
    About,
    Annotation,
    Found,
    Line,
    Outcome,
    Plan,
    Player,
    Probe,
    Puzzle,
    Statistics,
    TurnValue,
    Verdict,
    Verification,
    answer,
)
from . import _arguments as check
from ._errors import FileError, PositionError, TooLargeError, UsageError
from ._progress import Listener, Progress

#: The outcomes in arrays, for the side to move, as in exported data sets.
WIN, DRAW, LOSS, UNKNOWN = 1, 0, -1, 2

#: Games that take more than this are solved only with ``solve=True``.
UNASKED_SECONDS, UNASKED_BYTES = 30.0, 1 << 30

#: The largest width of a picture. Pictures whose height is too large are rejected later.
MOST_PIXELS = (1 << 32) - 1

#: The limits of a search without a table: positions and seconds.
NODES, SECONDS = 10_000_000, 5.0


class Picture:
    """A picture as SVG. Notebooks display it.

    Attributes:
        svg: the SVG document. It does not need fonts: all letters are paths.
    """

    def png(self, width: int = 400) -> bytes:
        """The picture as a PNG file, ``width`` pixels wide."""
        return _retrograde.png(self.svg, check.whole("width", width, 1, MOST_PIXELS))

    def pixels(self, width: int = 400) -> NDArray[np.uint8]:
        """The picture as ``uint8`` of shape (height, ``width``, 3): red, green, blue, rows from the
        top."""
        height, width, pixels = _retrograde.pixels(self.svg, check.whole("width", width, 1, MOST_PIXELS))
        return pixels.reshape(height, width, 3)

    def __init__(self, svg: str) -> None:
        self.svg: str = check.text("svg", svg)

    def save(self, path: str | os.PathLike[str], width: int = 400) -> None:
        """Writes the picture to a file: a PNG of ``width`` pixels if the name ends in ``.png``, else
        SVG in UTF-8."""
        file = Path(check.path("path", path))
        data = self.png(width) if file.suffix.lower() == ".png" else self.svg.encode()
        try:
            file.write_bytes(data)
        except OSError as error:
            raise FileError(f"cannot write “{file}”: {error}", "file", str(file)) from error

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg)} bytes of SVG>"


class Position:
    """A position of a game, seen by the side to move. Positions are compared by value and are hashable.

    Attributes:
        game: the game.
        text: its text, as ``retrograde probe`` reads and prints it.
        to_move: the player to move, ``"first"`` or ``"second"``. It affects only pictures and ``board``,
            since positions and values are always for the side to move.
    """

    __slots__ = ("game", "text", "to_move")

    def __init__(self, game: Game, text: str, to_move: Player = "first") -> None:
        if not isinstance(game, Game):
            raise check.refuse("game", "an open game", game)
        check.word("to_move", to_move, ("first", "second"))
        self.game: Game = game
        self.text: str = check.text("text", text)
        self.to_move: Player = to_move

    @property
    def index(self) -> int | None:
        """Its index in the game's numbering; ``None`` if the numbering does not include it."""
        index = int(self.game.indices([self.text])[0])
        return None if index < 0 else index

    @property
    def planes(self) -> NDArray[np.uint8]:
        """Its planes: 0 and 1, of shape ``game.plane_shape`` = (C, H, W), rows from the top."""
        planes: NDArray[np.uint8] = self.game.planes([self.text])[0]
        return planes

    @property
    def board(self) -> str:
        """The board as lines of text, as the first player sees it."""
        return self.game._native.board(self.text, self.to_move, [])

    @property
    def over(self) -> Outcome | None:
        """The outcome for the side to move if the game is over here, else ``None``."""
        return cast("Outcome | None", self.game._native.over(self.text))

    def value(self) -> Verdict:
        """The value for the side to move, from the table, the rules or a search."""
        probe = self.game.probe(self)
        return {"outcome": probe["outcome"], "turns": probe["turns"]}

    def probe(self) -> Probe:
        """Same as :meth:`Game.probe`."""
        return self.game.probe(self)

    def turns(self) -> list[TurnValue]:
        """Same as :meth:`Game.turns`."""
        return self.game.turns(self)

    def legal_turns(self) -> list[str]:
        """Same as :meth:`Game.legal_turns`."""
        return self.game.legal_turns(self)

    def play(self, turn: str, *, coordinates: Literal["mover", "board"] = "mover") -> Position:
        """The position after a turn, seen by the next player to move.

        Args:
            turn: its text.
            coordinates: how ``turn`` names squares: ``"mover"`` as the player who makes the turn sees them, like the
                field ``turn``; ``"board"`` as the first player sees them, like ``turn_on_board``.

        Raises:
            TurnError: if it cannot be parsed or is not legal here.
        """
        check.word("coordinates", coordinates, ("mover", "board"))
        text, on_board = check.text("turn", turn), coordinates == "board"
        return Position(self.game, *self.game._native.play(self.text, self.to_move, text, on_board))

    def picture(self, turn: str | None = None, theme: Literal["light", "dark"] = "light") -> Picture:
        """Same as :meth:`Game.picture`."""
        return self.game.picture(self, turn, theme=theme)

    def _repr_svg_(self) -> str:
        return self.picture().svg

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Position {self.text} of {self.game.name}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.game.name, self.text) == (other.game.name, other.text)

    def __hash__(self) -> int:
        return hash((self.game.name, self.text))


#: One position: a :class:`Position`, its text, its index, or its planes.
OnePosition: TypeAlias = "Position | str | int | np.integer[Any] | NDArray[Any]"

#: Many positions: indices (1-D, any integers), planes (N × C × H × W, 0 and 1 of any type), or texts.
ManyPositions: TypeAlias = "NDArray[Any] | Sequence[int] | Sequence[str] | Sequence[Position]"

_Params: TypeAlias = "dict[str, str | int | bool | None]"


def ask(
    native: _retrograde.Game,
    name: str,
    params: _Params,
    limits: tuple[int, float] = (NODES, SECONDS),
    body: object = None,
) -> Any:
    """Sends a request of the HTTP interface to a game; parameters that are ``None`` are left out."""
    texts = [
        (key, str(value).lower() if isinstance(value, bool) else str(value))
        for key, value in params.items()
        if value is not None
    ]
    return answer(native.ask(name, texts, limits, b"" if body is None else json.dumps(body).encode()))


def search_limits(nodes: int, seconds: float) -> tuple[int, float]:
    """The limits of a search."""
    return check.whole("nodes", nodes), check.number("seconds", seconds, 0)


def either(positions: object, indices: object) -> bool:
    """Whether a batch is given as indices rather than positions.

    Raises:
        UsageError: if both are given, or neither.
    """
    if (positions is None) == (indices is None):
        raise UsageError("either `positions` or `indices` must be given", "usage")
    return positions is None


def index_array(indices: Any) -> NDArray[np.uint64]:
    """Converts indices for the library.

    Raises:
        PositionError: if one is negative or too large.
        UsageError: if they are not integers in one dimension.
    """
    try:
        array = np.asarray(indices)
    except ValueError:
        raise UsageError("indices must be integers in one dimension", "usage") from None
    if array.size == 0 and array.ndim == 1:
        return np.empty(0, np.uint64)
    # Python integers that are too large for NumPy have the type object.
    are_integers = array.dtype.kind in "iu" or all(type(one) is int for one in array.flat)
    if not are_integers or array.ndim != 1:
        raise UsageError(
            f"indices must be integers in one dimension, not {array.dtype} of shape {array.shape}", "usage"
        )
    wrong = (array < 0) | (array > check.MOST)
    if wrong.any():
        number = int(np.argmax(wrong))
        reason = "negative" if array[number] < 0 else "too large"
        raise PositionError(
            f"position number {number}, counted from 0: index “{array[number]}” is {reason}",
            "index",
            str(array[number]),
        )
    return np.ascontiguousarray(array, np.uint64)


def sampled(
    native: _retrograde.Game,
    find: Callable[[Outcome, int | None, int, int | None], Sequence[Any]],
    count: int,
    outcome: Outcome | None,
    turns: int | None,
    seed: int,
) -> NDArray[np.uint64]:
    """Indices of random positions; ``find`` returns positions with a given value.

    Raises:
        UsageError: if a number is invalid, or ``turns`` is given without ``outcome``.
    """
    count, seed = check.whole("count", count), check.whole("seed", seed)
    if outcome is None:
        if turns is not None:
            raise UsageError("`turns` needs `outcome`", "usage")
        return native.sample(count, seed)
    return np.array([one["index"] for one in find(outcome, turns, count, seed)], np.uint64)


class _Closed:
    """In place of a closed game."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, attribute: str) -> Any:
        raise UsageError(f"the game {self.name} is closed", "usage")


class Game:
    """A built-in game. :func:`open` returns one.

    Values are always for **the side to move**, and ``turns`` counts the turns of both players to
    the end, if the winner hurries and the loser delays. In lists of turns (``turns_available``)
    values are for the player who makes the turn, and include this turn.

    Answers are dictionaries with the fields of ``docs/json.md``. A position can be a string, an index,
    planes or a :class:`Position`; the default is the start. Threads may share a game. Unpickling a game
    opens it again from its tables, or solves it again if there are none.

    Attributes:
        name: the canonical name: ``"touchdown:4x4"``.
        title: the name for people: ``"TouchDown 4 × 4"``.
        summary: the game in a sentence.
        plane_names: the meaning of each plane, seen by the side to move; empty if there are none.
        plane_shape: the number of planes, rows and columns: (C, H, W).
        has_table: whether values come from a table; otherwise positions are searched.
        solved: the result of solving, as in ``retrograde solve --json``, if this call of
            :func:`open` solved the game; else ``None``.
    """

    def __init__(
        self,
        native: _retrograde.Game,
        opened: tuple[str, tuple[str | os.PathLike[str], ...] | None],
        solved: Statistics | None = None,
    ) -> None:
        self._native = native
        self._opened = opened
        about = answer(native.about())
        self.name: str = about["game"]
        self.title: str = about["title"]
        self.summary: str = about["summary"]
        self.has_table: bool = about["table"]
        self.plane_names: tuple[str, ...] = tuple(about["planes"])
        planes, rows, columns = about["plane_shape"]
        self.plane_shape: tuple[int, int, int] = (planes, rows, columns)
        self.solved = solved
        self._start: str = about["start"]
        _OPEN[(*opened, self.has_table)] = self

    def __reduce__(self) -> tuple[object, ...]:
        # Another process opens it again; the same process gets the same object.
        return _reopened, (*self._opened, self.has_table)

    def __repr__(self) -> str:
        return f"<Game {self.name}{'' if self.has_table else ', without a table'}>"

    def __len__(self) -> int:
        """The number of positions in the table.

        Raises:
            NoTableError: if the game has no table.
        """
        return self._native.count()

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the files and frees the memory of the game. Then it cannot be used any more, and neither can
        its positions. ``with retrograde.open(…) as game:`` does this at the end."""
        _OPEN.pop((*self._opened, self.has_table), None)
        self._native = cast(_retrograde.Game, _Closed(self.name))

    # Positions.

    @property
    def start(self) -> Position:
        """The position at the start of the game."""
        return self.position()

    def position(self, position: OnePosition | None = None, to_move: Player = "first") -> Position:
        """Returns a position as an object.

        Args:
            position: a string, an index or planes (C × H × W); default: the start.
            to_move: the player to move, for pictures; ignored if the position determines it.

        Raises:
            PositionError: if it is not a position. The message locates the mistake.
        """
        check.word("to_move", to_move, ("first", "second"))
        text = self._native.canonical(self._text(position))
        return Position(self, text, self._native.to_move(text, to_move))

    def _text(self, position: OnePosition | None) -> str:
        if position is None:
            return self._start
        if isinstance(position, Position):
            if position.game.name != self.name:
                raise PositionError(
                    f"position “{position.text}” belongs to {position.game.name}, not to {self.name}",
                    "position",
                    position.text,
                )
            return position.text
        if isinstance(position, str):
            return position
        if isinstance(position, (int, np.integer)) and not isinstance(position, bool):
            return self._native.texts(index_array([position]))[0]
        if isinstance(position, np.ndarray) and position.shape == self.plane_shape:
            return self._native.texts(self._batch(position[np.newaxis]))[0]
        raise UsageError(
            f"a position of {self.name} must be a string, an index or planes of shape {self.plane_shape}, not "
            + (f"an array of shape {position.shape}" if isinstance(position, np.ndarray) else repr(position)),
            "usage",
        )

    def _batch(self, positions: ManyPositions) -> NDArray[np.uint64] | NDArray[np.uint8] | list[str]:
        if not isinstance(positions, np.ndarray):
            if isinstance(positions, (str, Position)):
                raise check.refuse("positions", "a list or an array of positions", positions)
            items = check.items("positions", positions)
            if any(isinstance(item, (str, Position)) for item in items):
                return self._texts(items)
            try:
                positions = np.asarray(items)
            except ValueError:
                raise UsageError("`positions` must all be of one kind and shape", "usage") from None
        if positions.dtype.kind in "UO" and positions.ndim == 1:
            return self._texts(positions.tolist())
        if positions.ndim == 4 and positions.shape[1:] == self.plane_shape and self.plane_names:
            if positions.dtype.kind not in "biuf" or not ((positions == 0) | (positions == 1)).all():
                raise PositionError("planes must contain only 0 and 1", "planes")
            return np.ascontiguousarray(positions, np.uint8).reshape(-1)
        if positions.ndim == 1:
            return index_array(positions)
        shape = ("N", *self.plane_shape)
        raise UsageError(
            f"positions of {self.name} must be indices of shape (N,), planes of shape "
            f"({', '.join(map(str, shape))}) or strings, not an array of shape {positions.shape}",
            "usage",
        )

    def _texts(self, items: list[Any]) -> list[str]:
        for number, item in enumerate(items):
            if item is None:
                raise PositionError(
                    f"position number {number}, counted from 0: `None` is not a position", "position", "None"
                )
        return [self._text(item) for item in items]

    def indices(self, positions: ManyPositions) -> NDArray[np.int64]:
        """The indices of N positions as ``int64``; -1 for positions without an index.

        Raises:
            PositionError: if one is not a position; the message names the first.
        """
        return self._native.indices(self._batch(positions))

    def texts(self, positions: ManyPositions) -> list[str]:
        """The texts of positions in canonical form.

        Raises:
            PositionError: if one is not a position; the message names the first.
        """
        return self._native.texts(self._batch(positions))

    def planes(self, positions: ManyPositions) -> NDArray[np.uint8]:
        """The planes of positions: 0 and 1 as ``uint8`` of shape (N, C, H, W), seen by the side to
        move, rows from the top. ``plane_names`` has their meaning.

        Raises:
            PositionError: if one is not a position; the message names the first.
            UnsupportedError: if the game has no planes.
        """
        return self._native.planes(self._batch(positions), "first").reshape(-1, *self.plane_shape)

    # Values.

    def probe(
        self,
        position: OnePosition | None = None,
        *,
        to_move: Player | None = None,
        nodes: int = NODES,
        seconds: float = SECONDS,
    ) -> Probe:
        """The value of a position and of every turn, best first: ``retrograde probe --json``.

        Args:
            position: default: the start.
            to_move: the player to move; it affects only ``board``, ``to_move`` and ``turn_on_board``.
            nodes, seconds: the limits of the search if there is no table. Values that it does not find
                are ``"unknown"``.

        Raises:
            PositionError: if it is not a position.
        """
        params: _Params = {"position": self._text(position), "to_move": self._seat(position, to_move)}
        return cast(Probe, ask(self._native, "position", params, search_limits(nodes, seconds)))

    def turns(
        self,
        position: OnePosition | None = None,
        *,
        to_move: Player | None = None,
        nodes: int = NODES,
        seconds: float = SECONDS,
    ) -> list[TurnValue]:
        """All turns of a position with their values *for the player who makes them*, best first, as in
        ``turns_available`` of :meth:`probe`. Empty if the game is over."""
        return self.probe(position, to_move=to_move, nodes=nodes, seconds=seconds)["turns_available"]

    def legal_turns(self, position: OnePosition | None = None) -> list[str]:
        """The texts of all turns, without values, which is faster. Only one of the turns to the same
        position is listed."""
        return [turn for turn, _ in self._native.legal_turns(self._text(position))]

    def probe_many(
        self, positions: ManyPositions | None = None, *, indices: NDArray[Any] | Sequence[int] | None = None
    ) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """The values of many positions from the table, at millions of positions per second.

        Nothing is searched. The GIL is released, so several threads can call this at once. Ctrl-C
        stops it.

        Args:
            positions: planes of 0 and 1, N × C × H × W; or N texts or :class:`Position` objects; or
                N indices.
            indices: N indices instead, as in :meth:`SolvedGame.probe_many`.

        Returns:
            Two arrays of N entries. The first, ``int8``, is the outcome **for the side to move**: 1 win
            (``WIN``), 0 draw (``DRAW``), -1 loss (``LOSS``), 2 unknown (``UNKNOWN``). The second,
            ``int32``, is the number of turns of both players to the end; -1 if drawn or unknown.

        Raises:
            PositionError: if a position is invalid; the message names the first.
            NoTableError: if the game has no table.
        """
        if either(positions, indices):
            return self._native.values(index_array(indices))
        return self._native.values(self._batch(cast(ManyPositions, positions)))

    def line(
        self,
        position: OnePosition | None = None,
        *,
        limit: int = 200,
        to_move: Player | None = None,
        nodes: int = NODES,
        seconds: float = SECONDS,
    ) -> Line:
        """A best line of at most ``limit`` turns: ``retrograde line --json``."""
        params: _Params = {
            "position": self._text(position),
            "to_move": self._seat(position, to_move),
            "limit": limit,
        }
        return cast(Line, ask(self._native, "line", params, search_limits(nodes, seconds)))

    def _seat(self, position: OnePosition | None, to_move: Player | None) -> Player:
        if to_move is not None:
            check.word("to_move", to_move, ("first", "second"))
            return to_move
        return position.to_move if isinstance(position, Position) else "first"

    # The table as a whole.

    def stats(self) -> Statistics:
        """The number of won, lost and drawn positions, in total and by turns to the end:
        ``retrograde stats --json``. The keys of ``by_turns`` are integers.

        Raises:
            NoTableError: if the game has no table.
        """
        return cast(Statistics, ask(self._native, "stats", {}))

    def sample(
        self,
        count: int,
        *,
        outcome: Outcome | None = None,
        turns: int | None = None,
        seed: int = 0,
    ) -> NDArray[np.uint64]:
        """The indices (``uint64``) of distinct random positions of the table, in random order.

        Args:
            count: the number of positions; fewer are returned if there are no more.
            outcome: only positions with this outcome for the side to move.
            turns: only positions with this number of turns to the end; needs ``outcome``.
            seed: the same seed gives the same positions.

        Raises:
            NoTableError: if the game has no table.
        """
        return sampled(self._native, self._find, count, outcome, turns, seed)

    def find(
        self, outcome: Outcome, turns: int | None = None, *, limit: int = 10, seed: int | None = None
    ) -> list[Found]:
        """Positions with a given value, in index order, or chosen at random if there is a seed:
        ``retrograde find --json``.

        Raises:
            NoTableError: if the game has no table.
        """
        return self._find(outcome, turns, limit, seed)

    def _find(self, outcome: Outcome, turns: int | None, limit: int, seed: int | None) -> list[Found]:
        params: _Params = {"outcome": outcome, "turns": turns, "limit": limit, "seed": seed}
        params["random"] = None if seed is None else True
        return cast("list[Found]", ask(self._native, "find", params)["positions"])

    def puzzles(
        self,
        limit: int = 3,
        *,
        kind: Literal["win", "save"] = "win",
        turns: int | None = None,
        seed: int | None = None,
    ) -> list[Puzzle]:
        """Positions in which exactly one turn wins, or (``kind="save"``) exactly one turn holds the draw
        or holds out longest: ``retrograde puzzles --json``.

        Args:
            limit: the number of puzzles.
            turns: the number of turns to the end; default: any number, but 1 only if there are no others.
            seed: chooses puzzles at random; by default they are in index order.

        Raises:
            NoTableError: if the game has no table.
        """
        params: _Params = {"kind": kind, "turns": turns, "limit": limit, "seed": seed}
        params["random"] = None if seed is None else True
        return cast("list[Puzzle]", ask(self._native, "puzzles", params)["puzzles"])

    def annotate(
        self, turns: Sequence[str], position: OnePosition | None = None, *, to_move: Player | None = None
    ) -> list[Annotation]:
        """Marks the turns of a played game: ``retrograde annotate --json``.

        Args:
            turns: their texts, as in lines and other answers.
            position: the first position of the game; default: the start.

        Raises:
            TurnError: if a turn is not legal; the message names the first.
        """
        body = {
            "position": self._text(position),
            "to_move": self._seat(position, to_move),
            "turns": check.texts("turns", turns),
        }
        return cast("list[Annotation]", ask(self._native, "annotate", {}, body=body)["turns"])

    def verify(
        self, sample: int | None = None, *, threads: int | None = None, memory: int | None = None
    ) -> Verification:
        """Checks the files, and recomputes values from the values after each turn: for ``sample``
        random positions or for all, within ``memory`` bytes (default: the free memory minus 10%, at
        least 1 GiB). Damage is reported in the answer and does not raise an exception.

        Raises:
            NoTableError: if the game has no table.
        """
        sample = check.optional_whole("sample", sample)
        memory = check.optional_whole("memory", memory, 1)
        return cast(Verification, answer(self._native.verify(sample, check.threads(threads), memory)))

    def write_evaluation_set(
        self,
        folder: str | os.PathLike[str],
        positions: int = 3000,
        *,
        seed: int = 1,
        rules: Sequence[Literal["depth", "only-move", "balanced"]] = ("depth", "only-move", "balanced"),
    ) -> None:
        """Chooses positions, and writes them with the values of all their turns to a new folder for
        :func:`load_set`: the same files as ``retrograde export evaluation``
        (``docs/data-sets.md``).

        Args:
            folder: a folder that does not exist yet.
            positions: the number of positions; fewer are written if the game has no more.
            seed: the same seed gives the same files.
            rules: the rules for choosing positions; each chooses an equal share.

        Raises:
            NoTableError: if the game has no table.
            UsageError, UnsupportedError: if the folder exists, or a rule needs information that the
                table does not have.
        """
        folder, seed = check.path("folder", folder), check.whole("seed", seed)
        listed = check.texts("rules", rules)
        if not listed:
            raise check.refuse("rules", "a list of at least one rule", rules)
        self._native.write_evaluation(folder, check.whole("positions", positions, 1), seed, listed)

    def write_book(self, file: str | os.PathLike[str], plies: int) -> None:
        """Writes an opening book: the turns of the first ``plies`` plies with their values, as CSV. The same file
        as from ``retrograde export book`` (``docs/data-sets.md``).

        Args:
            file: the file; an existing one is replaced.
            plies: the number of plies; placing one player's pieces is a ply.

        Raises:
            NoTableError: if the game has no table, and a value is unknown without one.
            FileError: if the file cannot be written.
        """
        self._native.write_book(check.path("file", file), check.whole("plies", plies, 1, (1 << 32) - 1))

    def perft(self, depth: int, position: OnePosition | None = None) -> int:
        """The number of ways to play exactly ``depth`` turns."""
        return self._native.perft(self._text(position), check.whole("depth", depth, 0, (1 << 32) - 1))

    def rules(self) -> dict[str, Any]:
        """The rules: ``title``, ``summary``, ``sentences`` and examples, as in
        ``retrograde rules --json``."""
        return cast("dict[str, Any]", ask(self._native, "rules", {}))

    # Pictures.

    def picture(
        self,
        position: OnePosition | None = None,
        turn: str | None = None,
        *,
        to_move: Player | None = None,
        theme: Literal["light", "dark"] = "light",
    ) -> Picture:
        """A picture of a position, as the first player sees it, optionally with a turn drawn on it (in
        the coordinates of the player who makes it). Notebooks display it.

        Raises:
            PositionError, TurnError: if one cannot be parsed, or the turn is not legal.
        """
        seat = self._seat(position, to_move)
        check.word("theme", theme, ("light", "dark"))
        turn = None if turn is None else check.text("turn", turn)
        return Picture(self._native.svg(self._text(position), seat, turn, theme, []))


#: Open games by name, folders and whether there is a table, for unpickling.
_OPEN: weakref.WeakValueDictionary[tuple[Any, ...], Game] = weakref.WeakValueDictionary()


def _reopened(name: str, tables: tuple[str | os.PathLike[str], ...] | None, has_table: bool) -> Game:
    """Unpickles a game."""
    return _OPEN.get((name, tables, has_table)) or open(name, tables, solve=has_table)


#: The argument `tables`: one folder, several folders, or `None`.
Tables: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None"


def _folders(tables: Tables) -> tuple[str | os.PathLike[str], ...] | None:
    """The folders in `tables`; empty for the default folders, `None` for no files at all."""
    if tables is None:
        return None
    if isinstance(tables, (str, os.PathLike)):
        tables = [tables]
    return tuple(check.path("tables", folder) for folder in check.items("tables", tables))


def games() -> list[About]:
    """Examples of all families of built-in games, as in ``retrograde games --json``."""
    return cast("list[About]", answer(_retrograde.list_games()))


def plan(
    game: str,
    *,
    tables: Tables = (),
    threads: int | None = None,
    memory: int | None = None,
) -> Plan:
    """The cost of solving a game, before it starts: ``retrograde plan --json``.

    Args:
        game: its name, such as ``"touchdown:5x5"``.
        tables: as in :func:`open`; ``None`` plans a solve in memory alone.
        threads: default: all cores.
        memory: the memory to use, in bytes; default: the free memory minus 10% (at least 1 GiB).
    """
    name, threads = check.text("game", game), check.threads(threads)
    memory = check.optional_whole("memory", memory, 1)
    return cast(Plan, answer(_retrograde.plan_game(name, _folders(tables) is None, threads, memory)))


def open(
    game: str,
    tables: Tables = (),
    *,
    solve: bool | None = None,
    threads: int | None = None,
    memory: int | None = None,
    progress: bool | Listener | None = None,
) -> Game:
    """Opens a game, and solves it if that is quick.

    Args:
        game: its name, as on the command line: ``"touchdown:4x4"``, ``"pushfight:mini"``, or a
            board file such as ``"pushfight:my.board"``. :func:`games` lists examples.
        tables: the folder with tables, or a list of folders: the first one with a table of the game
            is used, and a new table is written to the first folder. Default: the folders in the
            environment variable ``RETROGRADE_TABLES``, or else ``tables`` in the current folder, as
            on the command line. ``None``: no files; the game is solved in memory.
        solve: ``None`` solves a game without a table if :func:`plan` estimates at most half a minute
            and 1 GiB, and raises otherwise; ``True`` always solves it; ``False`` never does, and
            positions are searched. Solving creates the first folder if it does not exist, with a
            warning unless ``solve`` is ``True``; all other folders must exist.
        threads: default: all cores.
        memory: the memory for solving, in bytes; default: the free memory minus 10% (at least 1
            GiB).
        progress: ``True`` draws a progress bar on standard error, ``None`` only on a terminal or in a
            notebook; a function is called with ``(stage, done, total)``.

    Ctrl-C stops a solve cleanly and raises ``KeyboardInterrupt``; with ``tables`` the next call
    resumes it.

    Raises:
        GameError: there is no game with this name; the message may suggest another one.
        TooLargeError: the game does not fit, or needs ``solve=True``; the message has the cost.
        TableError: the table is damaged, or has another version.
        FileError: a folder with tables does not exist.
    """
    game, threads = check.text("game", game), check.threads(threads)
    memory = check.optional_whole("memory", memory, 1)
    if solve is not None:
        check.flag("solve", solve)
    folders = _folders(tables)
    native = _retrograde.open_game(game, folders)
    opened = Game(native, (game, folders))
    missing = None if folders is None else _retrograde.missing_folder(folders)
    if missing is not None and solve is False:
        raise FileError(missing, "file")
    if opened.has_table or solve is False:
        return opened
    if solve is None:
        _refuse_large(game, plan(game, tables=tables, threads=threads, memory=memory), missing)
        if missing is not None:
            warnings.warn(f"{missing}: creating it for {game}", stacklevel=2)
    with Progress(progress) as shown:
        native, told = _retrograde.solve_game(game, folders, (threads, memory, False), shown.listener)
    return Game(native, (game, folders), cast(Statistics, answer(told)))


def _refuse_large(game: str, needs: Plan, missing: str | None) -> None:
    """Raises an error if a solve is too large to start without ``solve=True``. ``missing`` is the message
    about a missing folder, if any."""
    seconds, memory = needs["seconds"], needs["memory"]
    also = "" if missing is None else f". Also, {missing}"
    if not needs["fits"]:
        raise TooLargeError(f"{game} was not solved. {needs['advice']}{also}", "too-large")
    if seconds is not None and seconds <= UNASKED_SECONDS and memory <= UNASKED_BYTES:
        return
    time = "an unknown time" if seconds is None else f"about {_duration(seconds)}"
    raise TooLargeError(
        f"{game} is not solved yet and has {needs['positions']:,} positions: solving would take {time}, "
        f"{_size(memory)} of memory and {_size(needs['disk'] + needs['work'])} of disk. Above "
        f"{_duration(UNASKED_SECONDS)} or {_size(UNASKED_BYTES)} this needs solve=True; solve=False opens the "
        f"game without a table{also}",
        "too-large",
    )


def _size(size: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
