"""Games that come with Retrograde: opening, solving and asking them."""

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

#: Numbers of outcomes in arrays, for the side to move; the same as in exported data sets.
WIN, DRAW, LOSS, UNKNOWN = 1, 0, -1, 2

#: A game that takes more than this is solved only if ``solve=True`` says so.
UNASKED_SECONDS, UNASKED_BYTES = 30.0, 1 << 30

#: The widest picture that may be asked for. What is too large for its height is refused later.
MOST_PIXELS = (1 << 32) - 1

#: Limits of a search where there is no table: positions to look at, and seconds.
NODES, SECONDS = 10_000_000, 5.0


class Picture:
    """A picture as SVG, which notebooks show.

    Attributes:
        svg: the SVG document. It has no fonts: all letters are paths.
    """

    def png(self, width: int = 400) -> bytes:
        """The picture as a PNG file, ``width`` pixels across."""
        return _retrograde.png(self.svg, check.whole("width", width, 1, MOST_PIXELS))

    def pixels(self, width: int = 400) -> NDArray[np.uint8]:
        """The picture as ``uint8`` of shape (height, ``width``, 3): red, green, blue, rows from the
        top."""
        height, width, pixels = _retrograde.pixels(self.svg, check.whole("width", width, 1, MOST_PIXELS))
        return pixels.reshape(height, width, 3)

    def __init__(self, svg: str) -> None:
        self.svg = check.text("svg", svg)

    def save(self, path: str | os.PathLike[str], width: int = 400) -> None:
        """Writes the document to a file (UTF-8); if its name ends in ``.png``, a PNG of ``width``
        pixels across."""
        file = Path(check.path("path", path))
        data = self.png(width) if file.suffix.lower() == ".png" else self.svg.encode()
        try:
            file.write_bytes(data)
        except OSError as error:
            raise FileError(f"“{file}” cannot be written: {error}", "file", str(file)) from error

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg)} bytes of SVG>"


class Position:
    """A position of a game, seen by the player who is to move. It is a value: equal positions of one
    game are equal, and it can be a key of a dictionary.

    Attributes:
        game: the game.
        text: its text, as ``retrograde probe`` reads and prints it.
        to_move: ``"first"`` or ``"second"``: who is to move. It changes pictures and ``board``
            only, since positions and values are always those of the side to move.
    """

    __slots__ = ("game", "text", "to_move")

    def __init__(self, game: Game, text: str, to_move: Player = "first") -> None:
        if not isinstance(game, Game):
            raise check.refuse("game", "an open game", game)
        check.word("to_move", to_move, ("first", "second"))
        self.game = game
        self.text = check.text("text", text)
        self.to_move: Player = to_move

    @property
    def index(self) -> int | None:
        """Its number in the game's numbering; ``None`` if the numbering leaves it out."""
        index = int(self.game.indices([self.text])[0])
        return None if index < 0 else index

    @property
    def planes(self) -> NDArray[np.uint8]:
        """Its planes of 0 and 1, of shape ``game.plane_shape`` = (C, H, W), rows from the top."""
        planes: NDArray[np.uint8] = self.game.planes([self.text])[0]
        return planes

    @property
    def board(self) -> str:
        """The board as lines of text, as the first player sees it."""
        return self.game._native.board(self.text, self.to_move)

    @property
    def over(self) -> Outcome | None:
        """The outcome for the side to move if the game is over here, else ``None``."""
        return cast("Outcome | None", self.game._native.over(self.text))

    def value(self) -> Verdict:
        """The value for the side to move, from table, rules or a search."""
        probe = self.game.probe(self)
        return {"outcome": probe["outcome"], "turns": probe["turns"]}

    def probe(self) -> Probe:
        """As :meth:`Game.probe`."""
        return self.game.probe(self)

    def turns(self) -> list[TurnValue]:
        """As :meth:`Game.turns`."""
        return self.game.turns(self)

    def play(self, turn: str) -> Position:
        """The position after a turn, seen by the player who is then to move.

        Args:
            turn: its text, in the coordinates of the player who makes it: ``turn`` of answers.

        Raises:
            TurnError: if it cannot be read or is not legal here.
        """
        return Position(self.game, *self.game._native.play(self.text, self.to_move, check.text("turn", turn)))

    def picture(self, turn: str | None = None, theme: Literal["light", "dark"] = "light") -> Picture:
        """As :meth:`Game.picture`."""
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
    """Asks a request of the HTTP interface; parameters that are ``None`` are left out."""
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
    """Whether a batch is given as indices, not as positions.

    Raises:
        UsageError: if both are given, or neither.
    """
    if (positions is None) == (indices is None):
        raise UsageError("either `positions` or `indices` must be given", "usage")
    return positions is None


def index_array(indices: Any) -> NDArray[np.uint64]:
    """Indices as the library takes them.

    Raises:
        PositionError: if one is negative.
        UsageError: if they are no integers, or not in one row.
    """
    try:
        array = np.asarray(indices)
    except ValueError:
        raise UsageError("indices must be integers in one dimension", "usage") from None
    if array.size == 0 and array.ndim == 1:
        return np.empty(0, np.uint64)
    # Python's integers that are too large for NumPy are objects.
    are_integers = array.dtype.kind in "iu" or all(type(one) is int for one in array.flat)
    if not are_integers or array.ndim != 1:
        raise UsageError(
            f"indices are integers in one dimension, found {array.dtype} of shape {array.shape}", "usage"
        )
    wrong = (array < 0) | (array > check.MOST)
    if wrong.any():
        number = int(np.argmax(wrong))
        reason = "negative" if array[number] < 0 else "too large"
        raise PositionError(
            f"number {number} of the positions, counted from 0: index “{array[number]}”: it is {reason}",
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
    """Indices of random positions; ``find`` finds those with a value.

    Raises:
        UsageError: if a number cannot be, or ``turns`` comes without ``outcome``.
    """
    count, seed = check.whole("count", count), check.whole("seed", seed)
    if outcome is None:
        if turns is not None:
            raise UsageError("`turns` needs `outcome`: turns of wins or of losses?", "usage")
        return native.sample(count, seed)
    return np.array([one["index"] for one in find(outcome, turns, count, seed)], np.uint64)


class Game:
    """A game that comes with Retrograde, open for questions. :func:`open` makes one.

    Values are always for **the side to move**, and ``turns`` counts the turns of both players to
    the end, when the winner hurries and the loser delays. In lists of turns (``turns_available``)
    values are for the player who makes the turn, which is counted.

    Answers are dictionaries with the words of ``docs/json.md``. A position is given as its text, its
    index, its planes or a :class:`Position`; without one the start is meant. Threads may share a game. A
    pickled one is opened again from its tables; where there are none it is solved again.

    Attributes:
        name: the canonical name: ``"touchdown:4x4"``.
        title: the name that people read: ``"TouchDown 4 × 4"``.
        summary: the game in a sentence.
        plane_names: what each plane shows, seen by the side to move; empty if there are none.
        plane_shape: planes, rows and columns: (C, H, W).
        has_table: whether values come from a table; without one positions are searched.
        solved: what solving did, as ``retrograde solve --json`` has it, if this call of
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
        # Another process opens it again; in this one it is the same object.
        return _reopened, (*self._opened, self.has_table)

    def __repr__(self) -> str:
        return f"<Game {self.name}{'' if self.has_table else ', without a table'}>"

    # Positions.

    @property
    def start(self) -> Position:
        """The position in which the game begins."""
        return self.position()

    def position(self, position: OnePosition | None = None, to_move: Player = "first") -> Position:
        """A position as an object.

        Args:
            position: text, index or planes (C × H × W); the start if not given.
            to_move: who is to move, for pictures; a position that tells it itself is not asked.

        Raises:
            PositionError: if it is none. The message names the place of the mistake.
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
                    f"position “{position.text}”: it belongs to {position.game.name}, not to {self.name}",
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
            f"a position of {self.name} is a text, an index or planes of shape {self.plane_shape}, found "
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
            f"positions of {self.name} are indices of shape (N,), planes of shape "
            f"({', '.join(map(str, shape))}) or texts, found an array of shape {positions.shape}",
            "usage",
        )

    def _texts(self, items: list[Any]) -> list[str]:
        for number, item in enumerate(items):
            if item is None:
                raise PositionError(
                    f"number {number} of the positions, counted from 0: `None` is no position", "position", "None"
                )
        return [self._text(item) for item in items]

    def indices(self, positions: ManyPositions) -> NDArray[np.int64]:
        """The indices of positions, N of ``int64``; -1 where the numbering leaves one out.

        Raises:
            PositionError: about the first that is no position.
        """
        return self._native.indices(self._batch(positions))

    def texts(self, positions: ManyPositions) -> list[str]:
        """The texts of positions, in the form in which they are printed.

        Raises:
            PositionError: about the first that is no position.
        """
        return self._native.texts(self._batch(positions))

    def planes(self, positions: ManyPositions) -> NDArray[np.uint8]:
        """The planes of positions: ``uint8`` of 0 and 1 of shape (N, C, H, W), seen by the side to
        move, rows from the top; ``plane_names`` says what each shows.

        Raises:
            PositionError: about the first that is no position.
            UnsupportedError: if the game describes no planes.
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
            position: the start if not given.
            to_move: who is to move; it changes ``board``, ``to_move`` and ``turn_on_board`` only.
            nodes, seconds: limits of the search where there is no table. What it does not find is
                ``"unknown"``.

        Raises:
            PositionError: if it is none.
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
        """All turns of a position with their values *for the player who makes them*, best first:
        ``turns_available`` of :meth:`probe`. Empty if the game is over."""
        return self.probe(position, to_move=to_move, nodes=nodes, seconds=seconds)["turns_available"]

    def legal_turns(self, position: OnePosition | None = None) -> list[str]:
        """The texts of all turns, without values, which is quicker. Turns that lead to the same
        position stand here once."""
        return [turn for turn, _ in self._native.legal_turns(self._text(position))]

    def probe_many(
        self, positions: ManyPositions | None = None, *, indices: NDArray[Any] | Sequence[int] | None = None
    ) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """The values of many positions from the table, some millions a second.

        Nothing is searched. The interpreter's lock is not held meanwhile, so several threads can ask
        at once; Ctrl-C ends it.

        Args:
            positions: planes, N × C × H × W of 0 and 1; N texts or :class:`Position` objects; or
                N integers, which are indices.
            indices: N integers instead, as in :meth:`SolvedGame.probe_many`.

        Returns:
            Two arrays of N. The first, ``int8``, is the outcome **for the side to move**: 1 win
            (``WIN``), 0 draw (``DRAW``), -1 loss (``LOSS``), 2 not known (``UNKNOWN``). The second,
            ``int32``, counts the turns of both players to the end; -1 where it is a draw or not
            known.

        Raises:
            PositionError: about the first that is no position; ``text`` has its number.
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
        """A line in which both players play best, of at most ``limit`` turns:
        ``retrograde line --json``."""
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
        """How many positions are won, lost and drawn, and in how many turns:
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
        """Random positions of the table, each once, as their indices (``uint64``), in random order.

        Args:
            count: how many; fewer come if there are no more.
            outcome: only positions with this outcome for the side to move.
            turns: only positions with so many turns to the end; needs ``outcome``.
            seed: the same seed gives the same positions.

        Raises:
            NoTableError: if the game has no table.
        """
        return sampled(self._native, self._find, count, outcome, turns, seed)

    def find(
        self, outcome: Outcome, turns: int | None = None, *, limit: int = 10, seed: int | None = None
    ) -> list[Found]:
        """Positions with a value, by index, or at random with a seed: ``retrograde find --json``.

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
        """Positions in which exactly one turn wins, or (``kind="save"``) exactly one saves what can
        be saved: ``retrograde puzzles --json``.

        Args:
            limit: how many.
            turns: the turns to the end; any if not given.
            seed: at random with this seed; by index if not given.

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
            turns: their texts, as lines and answers have them.
            position: where the game began; the start if not given.

        Raises:
            TurnError: about the first turn that is not legal: which one.
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
        """Checks the files, and derives values again from those after each turn: ``sample`` random
        ones, or all, within ``memory`` bytes (by default what is free, less 1 GiB or a tenth). Damage is
        in the answer and raises nothing.

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
        """Draws positions with the values of all their turns, and writes them into a new folder for
        :func:`load_set`: the same files as ``retrograde export evaluation``, which
        ``docs/data-sets.md`` describes.

        Args:
            folder: what must not be there yet.
            positions: how many; fewer come if the game has no more.
            seed: the same seed gives the same bytes.
            rules: each draws the same share.

        Raises:
            NoTableError: if the game has no table.
            UsageError, UnsupportedError: if the folder is there, or a rule asks for what the table
                does not know.
        """
        folder, seed = check.path("folder", folder), check.whole("seed", seed)
        listed = check.texts("rules", rules)
        if not listed:
            raise check.refuse("rules", "a list of at least one rule", rules)
        self._native.write_evaluation(folder, check.whole("positions", positions, 1), seed, listed)

    def perft(self, depth: int, position: OnePosition | None = None) -> int:
        """The number of ways to play exactly ``depth`` turns."""
        return self._native.perft(self._text(position), check.whole("depth", depth, 0, (1 << 32) - 1))

    def rules(self) -> dict[str, Any]:
        """The rules: ``title``, ``summary``, ``sentences`` and examples, as
        ``retrograde rules --json`` has them."""
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
        """A position as a picture, as the first player sees it, with a turn drawn on it if one is
        given (in the coordinates of the player who makes it). Notebooks show it.

        Raises:
            PositionError, TurnError: if one cannot be read, or the turn is not legal.
        """
        seat = self._seat(position, to_move)
        check.word("theme", theme, ("light", "dark"))
        turn = None if turn is None else check.text("turn", turn)
        return Picture(self._native.svg(self._text(position), seat, turn, theme))


#: Open games by name, folder and whether there is a table, for those who unpickle one.
_OPEN: weakref.WeakValueDictionary[tuple[Any, ...], Game] = weakref.WeakValueDictionary()


def _reopened(name: str, tables: tuple[str | os.PathLike[str], ...] | None, has_table: bool) -> Game:
    """The game that was pickled."""
    return _OPEN.get((name, tables, has_table)) or open(name, tables, solve=has_table)


#: The argument `tables`: a folder, several, or none of them.
Tables: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None"


def _folders(tables: Tables) -> tuple[str | os.PathLike[str], ...] | None:
    """The folders that `tables` names; none for the usual ones, `None` for no files at all."""
    if tables is None:
        return None
    if isinstance(tables, (str, os.PathLike)):
        tables = [tables]
    return tuple(check.path("tables", folder) for folder in check.items("tables", tables))


def games() -> list[About]:
    """The games that come with Retrograde, one or more examples of each family, as
    ``retrograde games --json`` lists them."""
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
        threads: all cores if not given.
        memory: bytes that may be used; what is free, less 1 GiB or a tenth, if not given.
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
    """Opens a game, and solves it on the way if that is soon done.

    Args:
        game: its name, as ``retrograde`` takes it: ``"touchdown:4x4"``, ``"pushfight:mini"``, a
            file with a board as ``"pushfight:my.board"``. :func:`games` lists examples.
        tables: the folder with tables, or a list of folders: the first one with a table of the game
            is used, and a new table goes to the first. Not given: the folders that the environment
            variable ``RETROGRADE_TABLES`` names, or else ``tables`` in the current folder, as with the
            command line. ``None``: no files at all; a solve stays in memory.
        solve: ``None`` solves a game without a table if that takes at most half a minute and 1 GiB
            by :func:`plan`'s estimate, and otherwise refuses; ``True`` solves it in any case;
            ``False`` never: positions are searched then. A first folder that does not exist is made by
            a solve, with a warning unless ``solve`` is ``True``; otherwise a folder must exist.
        threads: all cores if not given.
        memory: bytes that solving may use; what is free, less 1 GiB or a tenth, if not given.
        progress: ``True`` draws a bar on standard error, ``None`` does where somebody sees it, and
            a function hears ``(stage, done, total)``.

    Ctrl-C ends a solve cleanly, with ``KeyboardInterrupt``; with ``tables`` the next call goes on
    where it was.

    Raises:
        GameError: no game has this name; the message has one that was perhaps meant.
        TooLargeError: it does not fit, or takes more than is begun unasked: how much.
        TableError: the table is damaged, or of another version.
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
            warnings.warn(f"{missing}: {game} is solved into a new one", stacklevel=2)
    with Progress(progress) as shown:
        native, told = _retrograde.solve_game(game, folders, (threads, memory, False), shown.listener)
    return Game(native, (game, folders), cast(Statistics, answer(told)))


def _refuse_large(game: str, needs: Plan, missing: str | None) -> None:
    """Refuses a solve that is too large to start without ``solve=True``. ``missing`` says which folder
    with tables does not exist, if one does not."""
    seconds, memory = needs["seconds"], needs["memory"]
    also = "" if missing is None else f". Also, {missing}"
    if not needs["fits"]:
        raise TooLargeError(f"{game}: {needs['advice']}{also}", "too-large")
    if seconds is not None and seconds <= UNASKED_SECONDS and memory <= UNASKED_BYTES:
        return
    time = "a time that cannot be told" if seconds is None else f"about {_duration(seconds)}"
    raise TooLargeError(
        f"{game} is not solved yet, and has {needs['positions']:,} positions: solving would take {time}, "
        f"{_size(memory)} of memory and {_size(needs['disk'] + needs['work'])} of disk. That is more than is "
        f"begun unasked ({_duration(UNASKED_SECONDS)}, {_size(UNASKED_BYTES)}): solve=True begins it, and "
        f"solve=False opens the game without a table{also}",
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
