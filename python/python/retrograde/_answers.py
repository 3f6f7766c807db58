"""Answers as dictionaries with the fields of ``docs/json.md``, and their types.

Whole numbers are always ``int``, including the keys of ``by_turns`` (in JSON, large ones are strings).
"""

from __future__ import annotations

import json
from typing import Any, Literal, TypedDict, cast

Outcome = Literal["win", "loss", "draw", "unknown"]
Player = Literal["first", "second"]

#: Fields whose large numbers are strings in JSON.
_NUMBERS = frozenset(
    "positions indices index wins losses draws unknown memory disk work disk_free up_to_symmetry starts".split()
)


class Verdict(TypedDict):
    """A value for the side to move. ``turns`` is the number of turns of both players to the end;
    ``None`` for draws and if unknown."""

    outcome: Outcome
    turns: int | None


class TurnValue(Verdict):
    """A turn with its value *for the player who makes it*, including the turn itself."""

    turn: str
    turn_on_board: str
    position: str


class _Nodes(TypedDict, total=False):
    nodes: int
    incomplete: bool


class Probe(Verdict, _Nodes):
    """A position with its value for the side to move, and all its turns, best first. ``nodes`` is
    present after a search, and ``incomplete`` is true if a limit cut the list of turns short."""

    game: str
    position: str
    board: str
    to_move: Player
    source: Literal["table", "search", "rules", "published"]
    turns_available: list[TurnValue]


class LineStep(Verdict):
    """A position of a line with its value for the side to move, and the turn played."""

    position: str
    board: str
    to_move: Player
    turn: str
    turn_on_board: str


class Line(Verdict):
    """A best line. ``ends`` is the reason for its end: the game is ``"over"``, a drawn position
    ``"repeats"``, the value is ``"unknown"``, or the ``"limit"`` is reached."""

    game: str
    position: str
    source: Literal["table", "search", "rules", "published"]
    line: list[LineStep]
    end: str
    end_board: str
    end_to_move: Player
    ends: Literal["over", "repeats", "unknown", "limit"]


class ByTurns(TypedDict):
    """The numbers of won and lost positions, by turns to the end."""

    win: dict[int, int]
    loss: dict[int, int]


class _Solved(TypedDict, total=False):
    result: Literal["solved", "already-solved", "repaired", "wins-added"]
    notes: list[str]
    unknown: int
    horizon: int
    counted: str


class Statistics(_Solved):
    """Positions won, lost and drawn for the side to move; further fields as in ``docs/fields.md``."""

    game: str
    positions: int
    wins: int
    losses: int
    draws: int
    start: Verdict
    by_turns: ByTurns
    seconds: float | None


class Plan(TypedDict):
    """The cost of solving: ``memory``, ``disk`` and ``work`` in bytes; ``seconds`` is an estimate for
    this machine, or ``None``."""

    game: str
    positions: int
    method: str
    memory: int
    disk: int
    work: int
    seconds: float | None
    fits: bool
    advice: str
    counts: list[tuple[str, int]]


class About(TypedDict):
    """A game of :func:`games`."""

    game: str
    summary: str
    positions: int
    indices: int | None
    start: str
    numberings: list[str]


class Found(Verdict):
    """A position with its value for the side to move."""

    index: int
    position: str


class Puzzle(Found):
    """A position in which exactly one turn wins (or saves). ``solution`` is in the coordinates of the
    player who makes it, ``solution_on_board`` in those of the first player."""

    solution: str
    solution_on_board: str
    turns_available: int


class Annotation(TypedDict):
    """A turn of a played game: the values before and after it for the player who made it, its ``mark``
    (``"!"``, ``"?"``, ``"?!"`` or empty), a better turn if there was one, and a comment."""

    turn: str
    turn_on_board: str
    player: Player
    position: str
    before: Verdict
    after: Verdict
    mark: Literal["!", "?", "?!", ""]
    better: str | None
    better_on_board: str | None
    better_value: Verdict | None
    comment: str


class Verification(TypedDict):
    """The result of a check. ``proved`` is whether the checks prove the table."""

    game: str
    blocks: int
    positions: int
    full: bool
    proof: str
    proved: bool
    errors: list[str]
    error_count: int


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def _tidy(fields: dict[str, Any]) -> dict[str, Any]:
    for name, value in fields.items():
        if name in _NUMBERS:
            fields[name] = _number(value)
        elif name == "by_turns":
            fields[name] = {
                word: {int(turns): _number(count) for turns, count in counts.items()}
                for word, counts in value.items()
            }
        elif name == "counts":
            fields[name] = [(what, _number(count)) for what, count in value]
    return fields


def answer(text: str) -> Any:
    """Parses an answer."""
    return cast(Any, json.loads(text, object_hook=_tidy))
