"""Runs the README's examples unchanged in an empty folder."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import retrograde

README = Path(__file__).resolve().parents[1] / "README.md"


def test_the_readme_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # The end of a code block is not part of the output.
    text = README.read_text(encoding="utf-8").replace("```\n", "\n\n")
    examples = doctest.DocTestParser().get_doctest(text, {}, "README.md", str(README), 0)
    assert len(examples.examples) > 20
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples)
    assert found.failed == 0


def test_docstrings_are_true() -> None:
    found = doctest.testmod(retrograde)
    assert found.attempted > 0 and found.failed == 0
