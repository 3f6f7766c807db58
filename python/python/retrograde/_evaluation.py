"""Evaluation sets: positions with all turns and their values, in files from ``retrograde export
evaluation`` or :meth:`retrograde.Game.write_evaluation_set`."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from ._answers import Outcome
from . import _arguments as check
from ._errors import FileError, RetrogradeError, TurnError, UnsupportedError
from ._metrics import Judgement, Score

Split: TypeAlias = Literal["train", "validation", "test"]
Rule: TypeAlias = Literal["depth", "only-move", "balanced"]

_CODES = {"win": 1, "draw": 0, "loss": -1}


class EvaluationTurn(TypedDict):
    """A turn with its value for the player who makes it, including the turn itself; ``turn_position`` is the
    position after it, seen by the other player."""

    turn: str
    turn_position: str
    turn_outcome: Outcome
    turn_turns: int | None


class _Planes(TypedDict, total=False):
    planes: list[list[list[int]]]


class EvaluationRow(_Planes):
    """A position with its value for the side to move, and its turns, best first. ``orbit`` is the smallest
    text of its images under the symmetries of the game, ``rule`` the rule that chose it. ``planes`` are those of
    :attr:`retrograde.Position.planes`, if the game has any."""

    index: int
    position: str
    orbit: str
    rule: Rule
    outcome: Outcome
    turns: int | None
    turns_available: list[EvaluationTurn]


class EvaluationSet(Sequence[EvaluationRow]):
    """A split of an evaluation set, as a sequence of rows; :func:`load_set` reads it.

    Attributes:
        split: ``"train"``, ``"validation"`` or ``"test"``.
        path: its file.
    """

    def __init__(self, rows: list[EvaluationRow], split: Split, path: Path) -> None:
        self._rows = rows
        self.split: Split = split
        self.path = path

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return EvaluationSet(self._rows[number], self.split, self.path)
        return self._rows[number]

    def __iter__(self) -> Iterator[EvaluationRow]:
        return iter(self._rows)

    def __repr__(self) -> str:
        return f"<EvaluationSet {self.path}, {len(self):,} positions>"

    @property
    def positions(self) -> list[str]:
        """The texts of the positions, for :meth:`retrograde.Game.planes` and others."""
        return [row["position"] for row in self._rows]

    @property
    def outcomes(self) -> NDArray[np.int8]:
        """The outcomes for the side to move: N of ``int8``, 1 win, 0 draw, -1 loss."""
        return np.array([_CODES[row["outcome"]] for row in self._rows], np.int8)

    @property
    def turns(self) -> NDArray[np.int32]:
        """The turns of both players to the end: N of ``int32``; -1 for draws, and if the set does not
        have them."""
        return np.array([-1 if row["turns"] is None else row["turns"] for row in self._rows], np.int32)

    @property
    def planes(self) -> NDArray[np.uint8]:
        """The planes of the positions: 0 and 1 as ``uint8`` of shape (N, C, H, W), as from
        :meth:`retrograde.Game.planes`.

        Raises:
            UnsupportedError: if the game has no planes.
        """
        if any("planes" not in row for row in self._rows):
            raise UnsupportedError(f"{self.path} has no planes", "unsupported")
        return np.array([row.get("planes") for row in self._rows], np.uint8)

    def by_rule(self, rule: Rule) -> EvaluationSet:
        """The rows that a rule chose."""
        check.word("rule", rule, ("depth", "only-move", "balanced"))
        return EvaluationSet([row for row in self._rows if row["rule"] == rule], self.split, self.path)

    def judge(self, policy: Callable[[EvaluationRow], Any]) -> Score:
        """Compares the turns of a policy with perfect play, as :func:`retrograde.judge` does, but without a
        table.

        Args:
            policy: takes a row, and returns the text of one of its ``turns_available``, or a dictionary
                with the probability of each.

        Raises:
            TurnError: if the policy returns another turn.
        """
        check.function("policy", policy)
        judgement = Judgement()
        for row in self._rows:
            by_text = {
                turn["turn"]: {"outcome": turn["turn_outcome"], "turns": turn["turn_turns"]}
                for turn in row["turns_available"]
            }

            def find(turn: Any, row: EvaluationRow = row, by_text: dict[str, Any] = by_text) -> Any:
                if not isinstance(turn, str) or turn not in by_text:
                    raise TurnError(
                        f"turn “{turn}” is not a turn of {row['position']} in {self.path}", "turn", str(turn)
                    )
                return by_text[turn]

            judgement.add(row["position"], list(by_text.values()), policy(row), find)
        return judgement.score()


def load_set(folder: str | os.PathLike[str], split: Split = "test") -> EvaluationSet:
    """Reads a split of an evaluation set, and verifies its checksum.

    Args:
        folder: a folder written by ``retrograde export evaluation``, with ``SHA256SUMS``.
        split: ``"train"``, ``"validation"`` or ``"test"``.

    Raises:
        FileError: if a file cannot be read.
        RetrogradeError: if the file was changed.
    """
    check.word("split", split, ("train", "validation", "test"))
    path = Path(check.path("folder", folder)) / f"{split}.jsonl"
    try:
        data = path.read_bytes()
        sums = (path.parent / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"cannot read the set in the folder “{folder}”: {error}", "file", str(folder)) from error
    wanted = {name: digest for digest, _, name in (line.partition("  ") for line in sums)}
    found = hashlib.sha256(data).hexdigest()
    if wanted.get(path.name) != found:
        raise RetrogradeError(
            f"“{path}” is damaged: its SHA-256 is {found}, but SHA256SUMS has "
            f"{wanted.get(path.name, 'no entry')}",
            "damaged",
        )
    rows: list[EvaluationRow] = [json.loads(line) for line in data.decode("utf-8").splitlines()]
    for row in rows:
        row["index"] = int(row["index"])
    return EvaluationSet(rows, split, path)
