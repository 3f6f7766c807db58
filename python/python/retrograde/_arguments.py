"""Checks of arguments. They raise a :class:`UsageError` that names the argument."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._errors import UsageError

#: The largest number that the library accepts.
MOST = (1 << 64) - 1


def refuse(name: str, expected: str, value: object) -> UsageError:
    """The error about an argument with a wrong value."""
    return UsageError(f"`{name}` must be {expected}, not {value!r}", "usage", repr(value))


def is_flag(value: object) -> bool:
    """Whether a value is a bool of Python or NumPy, which Python would accept as a number."""
    return isinstance(value, (bool, np.bool_))


def whole(name: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """Checks for a whole number of Python or NumPy."""
    try:
        number = None if is_flag(value) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        bounds = f"of at least {least}" if most == MOST else f"from {least} to {most}"
        raise refuse(name, f"a whole number {bounds}", value)
    return number


def optional_whole(name: str, value: Any, least: int = 0, most: int = MOST) -> int | None:
    """Checks for a whole number or ``None``."""
    return None if value is None else whole(name, value, least, most)


def number(name: str, value: Any, least: float = -math.inf, most: float = math.inf) -> float:
    """Checks for a number that is not NaN."""
    try:
        found = math.nan if is_flag(value) or isinstance(value, str) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not least <= found <= most:
        bounds = f"of at least {least:g}" if most == math.inf else f"from {least:g} to {most:g}"
        raise refuse(name, f"a number {bounds}", value)
    return found


def threads(value: Any) -> int | None:
    """Checks a number of threads; ``None`` means all cores."""
    return optional_whole("threads", value, 1, 1024)


def text(name: str, value: Any) -> str:
    """Checks for a string."""
    if not isinstance(value, str):
        raise refuse(name, "a string", value)
    return str(value)


def texts(name: str, value: Any) -> list[str]:
    """Checks for a list of strings. A single string is rejected, since it would be split into letters."""
    if isinstance(value, (str, bytes)):
        raise refuse(name, "a list of strings", value)
    return [text(name, one) for one in items(name, value)]


def items(name: str, value: Any) -> list[Any]:
    """The items of a list, an array or another iterable."""
    try:
        return list(value)
    except TypeError:
        raise refuse(name, "a list or an array", value) from None


def word(name: str, value: Any, words: Sequence[str]) -> str:
    """Checks for one of some words."""
    if not isinstance(value, str) or value not in words:
        listed = ", ".join(f"`{one}`" for one in words[:-1])
        raise refuse(name, f"{listed} or `{words[-1]}`", value)
    return str(value)


def flag(name: str, value: Any) -> bool:
    """Checks for ``True`` or ``False``."""
    if not is_flag(value):
        raise refuse(name, "`True` or `False`", value)
    return bool(value)


def path(name: str, value: Any) -> str | os.PathLike[str]:
    """Checks for a path of a file or folder."""
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise refuse(name, "a path", value)
    return value


def function(name: str, value: Any) -> Any:
    """Checks for a callable."""
    if not callable(value):
        raise refuse(name, "a function", value)
    return value
