"""The exceptions of the package. All are subclasses of :class:`RetrogradeError`, and of ``ValueError``
or ``LookupError`` where that is customary."""

from __future__ import annotations


class RetrogradeError(Exception):
    """An error of Retrograde, with a message that says what is wrong and where.

    Attributes:
        kind: a stable identifier from ``docs/json.md``: ``"game"``, ``"position"``,
            ``"turn"``, ``"no-table"``, ``"too-large"``, ``"unsupported"``, ``"table"``, ``"file"``,
            ``"usage"``, ``"failed"`` and so on.
        text: the text with the mistake, if any.
        suggestion: a similar valid text, if there is one.
    """

    def __init__(
        self, detail: str, kind: str = "failed", text: str | None = None, suggestion: str | None = None
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.text = text
        self.suggestion = suggestion

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.kind, self.text, self.suggestion)


class UsageError(RetrogradeError, ValueError):
    """An invalid argument."""


class GameError(UsageError):
    """There is no game with this name."""


class PositionError(UsageError):
    """A text, an index or planes that are not a position."""


class TurnError(UsageError):
    """A turn that cannot be parsed, or is not legal."""


class NoTableError(RetrogradeError, LookupError):
    """A table is needed, but there is none."""


class TooLargeError(RetrogradeError):
    """A solve exceeds this machine or a limit."""


class UnsupportedError(RetrogradeError):
    """The game or its table cannot do this."""


class TableError(RetrogradeError):
    """The files of a table are damaged, or have another version."""


class FileError(RetrogradeError, OSError):
    """A file or folder cannot be read or written."""


class MissingPackageError(UnsupportedError, ImportError):
    """An optional package is not installed; the message says how to install it."""


_CLASSES: dict[str, type[RetrogradeError]] = {
    "game": GameError,
    "file": FileError,
    "position": PositionError,
    "index": PositionError,
    "planes": PositionError,
    "turn": TurnError,
    "step": TurnError,
    "query": UsageError,
    "body": UsageError,
    "usage": UsageError,
    "no-table": NoTableError,
    "too-large": TooLargeError,
    "unsupported": UnsupportedError,
    "table": TableError,
}


def missing(error: ModuleNotFoundError, extra: str) -> MissingPackageError:
    """The error about a missing package of an optional dependency."""
    return MissingPackageError(
        f"the package {error.name} is missing: run `pip install '.[{extra}]'` in Retrograde's folder `python`",
        "unsupported",
        error.name,
    )


def error(
    kind: str, detail: str, text: str | None = None, suggestion: str | None = None
) -> RetrogradeError:
    """Creates the exception for a kind."""
    return _CLASSES.get(kind, RetrogradeError)(detail, kind, text, suggestion)
