"""A progress bar on standard error: one line that is updated, and removed at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType

from ._arguments import is_flag, refuse

#: Called with the stage, the units done and their total (0 if unknown).
Listener = Callable[[str, int, int], None]

_WIDTH = 24
#: Seconds before the bar appears, and between two updates.
_QUIET, _PACE = 0.3, 0.1


def _is_watched() -> bool:
    """Whether standard error is a terminal or a notebook."""
    stderr = sys.stderr
    return stderr is not None and (stderr.isatty() or type(stderr).__module__.startswith("ipykernel"))


class Progress:
    """A context manager with a progress listener.

    Args:
        progress: ``True`` draws a bar, ``False`` is silent, ``None`` draws one on a terminal or in a
            notebook; a function is called with ``(stage, done, total)`` a few times per second.
    """

    def __init__(self, progress: bool | Listener | None) -> None:
        self._began = time.monotonic()
        self._drawn = 0.0
        self._length = 0
        self.listener: Listener | None
        if callable(progress):
            self.listener = progress
        else:
            if progress is not None and not is_flag(progress):
                raise refuse("progress", "`True`, `False`, `None` or a function", progress)
            shown = _is_watched() if progress is None else progress
            self.listener = self._draw if shown else None

    def _draw(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._began < _QUIET or now - self._drawn < _PACE:
            return
        self._drawn = now
        if total > 0:
            share = min(done / total, 1.0)
            full = int(share * _WIDTH)
            text = f"{stage} [{'#' * full}{'.' * (_WIDTH - full)}] {share:4.0%}"
        else:
            text = f"{stage} {done:,}" if done else stage
        self._write(f"{text}  {now - self._began:.0f} s")

    def _write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._length))
        sys.stderr.flush()
        self._length = len(text)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._length:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()
