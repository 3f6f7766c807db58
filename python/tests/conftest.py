"""Fixtures of the tests: a small game, solved once."""

from __future__ import annotations

import pytest

import retrograde


@pytest.fixture(autouse=True)
def no_other_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the environment's table folders."""
    monkeypatch.delenv("RETROGRADE_TABLES", raising=False)


@pytest.fixture(scope="session")
def touchdown() -> retrograde.Game:
    """TouchDown on four by four squares, solved in memory."""
    return retrograde.open("touchdown:4x4", tables=None)
