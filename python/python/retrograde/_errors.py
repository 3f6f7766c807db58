"""The exceptions of the package. All are :class:`RetrogradeError`; where people expect a
``ValueError`` or a ``LookupError``, they are that too."""

from __future__ import annotations


class RetrogradeError(Exception):
    """Something that Retrograde cannot do, in a sentence that says what and where.

    Attributes:
        kind: a word that stays, one of those in ``docs/json.md``: ``"game"``, ``"position"``,
            ``"turn"``, ``"no-table"``, ``"too-large"``, ``"unsupported"``, ``"table"``, ``"file"``,
            ``"usage"``, ``"failed"`` and so on.
        text: the text with the mistake, where there is one.
        suggestion: the text that was probably meant, where one is near.
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
    """An argument that cannot be read: a word, a shape, a number."""


class GameError(UsageError):
    """No game has this name."""


class PositionError(UsageError):
    """A text, an index or planes of no position."""


class TurnError(UsageError):
    """A turn that cannot be read, or is not legal here."""


class NoTableError(RetrogradeError, LookupError):
    """The question needs a table, and there is none."""


class TooLargeError(RetrogradeError):
    """It does not fit this machine, or what was allowed."""


class UnsupportedError(RetrogradeError):
    """The game or its table cannot do this."""


class TableError(RetrogradeError):
    """The files of a table are damaged, or of another version."""


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
    """The error about a package that one of our optional dependencies would bring."""
    return MissingPackageError(
        f"this needs the package {error.name}: run `pip install '.[{extra}]'` in Retrograde's folder `python`",
        "unsupported",
        error.name,
    )


def error(
    kind: str, detail: str, text: str | None = None, suggestion: str | None = None
) -> RetrogradeError:
    """Makes the exception of a kind."""
    return _CLASSES.get(kind, RetrogradeError)(detail, kind, text, suggestion)
