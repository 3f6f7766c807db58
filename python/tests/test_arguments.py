"""Wrong arguments: the exception is always a `RetrogradeError` that names the argument."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograde

#: Values that most arguments reject; where one is accepted, the result is not checked.
WRONG: list[Any] = [
    None,
    True,
    -1,
    1 << 64,
    10**30,
    2.5,
    math.nan,
    math.inf,
    "",
    "no such thing",
    b"bytes",
    object(),
    [],
    {},
    (None,),
    [1, "a1"],
    [[1, 2], [3]],
    np.array([1.5]),
    np.array(["x"]),
    np.array([None]),
    np.zeros((2, 2)),
    np.bool_(True),
    lambda *arguments: None,
]


class Sticks:
    start = 5

    def turns(self, sticks: int) -> list[tuple[int, int]]:
        return [(take, sticks - take) for take in (1, 2) if take <= sticks]

    def result(self, sticks: int) -> None:
        return None

    def planes(self, sticks: int) -> list[bool]:
        return [place < sticks for place in range(5)]


def calls() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """All public functions with valid required arguments. Their optional arguments get wrong values too."""
    game = retrograde.open("tactics:3x2", tables=None)
    start, solved = game.start, retrograde.solve(Sticks())
    position = {"position": start}
    asked: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
        "open": (retrograde.open, {"game": "tactics:2x2", "tables": None}),
        "plan": (retrograde.plan, {"game": "tactics:2x2"}),
        "solve": (retrograde.solve, {"game": Sticks()}),
        "judge": (
            retrograde.judge,
            {"game": game, "policy": lambda one: one.turns()[0]["turn"], "positions": [start]},
        ),
        "by_actions": (retrograde.by_actions, {"game": game, "choose": lambda seen: 0}),
        "judge_values": (retrograde.judge_values, {"estimates": [0.5], "outcomes": [1]}),
        "load_set": (retrograde.load_set, {"folder": "no folder"}),
        "perft": (game.perft, {"depth": 2}),
        "sample": (game.sample, {"count": 2}),
        "find": (game.find, {"outcome": "win"}),
        "annotate": (game.annotate, {"turns": ["a1"]}),
        "write_book": (game.write_book, {"file": "book.csv", "plies": 1}),
        "write_evaluation_set": (game.write_evaluation_set, {"folder": "made"}),
        "own judge": (
            retrograde.judge,
            {"game": solved, "policy": lambda sticks: 1, "positions": [5]},
        ),
        "own play": (solved.play, {"position": 5, "turn": 1}),
        "own over": (solved.over, {"position": 5}),
        "own index": (solved.index, {"position": 5}),
        "own sample": (solved.sample, {"count": 2}),
        "own find": (solved.find, {"outcome": "win"}),
        "play": (start.play, {"turn": "a1"}),
        "Position": (retrograde.Position, {"game": game, "text": start.text}),
        "Picture": (retrograde.Picture, {"svg": start.picture().svg}),
        "Picture.png": (start.picture().png, {}),
        "Picture.pixels": (start.picture().pixels, {}),
        "Picture.save": (start.picture().save, {"path": "board.svg"}),
    }
    for name in ("indices", "texts", "planes", "probe_many"):
        asked[name] = (getattr(game, name), {"positions": [start]})
    for name in ("probe", "turns", "legal_turns", "line", "position", "picture"):
        asked[name] = (getattr(game, name), position)
    for name in ("stats", "puzzles", "verify", "rules"):
        asked[name] = (getattr(game, name), {})
    asked["own probe_many"] = (solved.probe_many, {"positions": [5]})
    asked["own planes"] = (solved.planes, {"positions": [5]})
    for name in ("positions", "probe", "turns", "line", "puzzles", "verify"):
        asked[f"own {name}"] = (getattr(solved, name), {})
    for name in ("probe", "turns", "picture"):
        asked[f"Position.{name}"] = (getattr(start, name), {})
    return asked


CALLS = calls()

#: Words in errors about arguments that use another name.
OTHER_WORDS = {
    "position": ["position", "index", "planes"],
    "positions": ["position", "index", "indices", "planes"],
    "indices": ["index", "indices", "integers"],
    "turn": ["turn", "action"],
    "turns": ["turn"],
    "game": ["game"],
    "policy": ["turn", "policy", "`probability`"],
    "estimates": ["estimates", "probabilities"],
    "outcomes": ["outcomes"],
    "outcome": ["outcome"],
}


@pytest.mark.parametrize("name", CALLS)
def test_the_exception_is_ours_and_names_the_argument(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call, right = CALLS[name]
    for argument in inspect.signature(call).parameters:
        for wrong in WRONG:
            try:
                call(**{**right, argument: wrong})
            except retrograde.RetrogradeError as error:
                words = OTHER_WORDS.get(argument, [argument])
                assert any(word in str(error) for word in words), f"{argument}={wrong!r}: {error}"
            except Exception as error:  # noqa: BLE001
                raise AssertionError(f"{name}({argument}={wrong!r}) raised {error!r}") from error


def test_environments_name_their_arguments() -> None:
    pytest.importorskip("pettingzoo")
    from retrograde.perfect_v0 import Against, raw_env

    game = retrograde.open("tactics:3x2", tables=None)
    for make in (raw_env, Against):
        for argument in inspect.signature(make).parameters:
            for wrong in WRONG:
                try:
                    environment = make(**{"game": game, argument: wrong})
                    environment.reset()
                except retrograde.RetrogradeError as error:
                    words = OTHER_WORDS.get(argument, [argument])
                    assert any(word in str(error) for word in words), f"{argument}={wrong!r}: {error}"
        environment = make(game)
        environment.reset()
        for wrong in WRONG:
            with pytest.raises(retrograde.RetrogradeError, match="action"):
                environment.step(wrong)
                raise retrograde.TurnError("an action that is not legal ends the game of Gymnasium")
            environment.reset()
            if wrong is not None:
                with pytest.raises(retrograde.RetrogradeError, match="position|index"):
                    environment.reset(options={"position": wrong})
                    raise retrograde.PositionError("this is a position after all")


class Rules(Sticks):
    """Rules with one method that returns a given value."""

    def __init__(self, name: str, given: Any) -> None:
        if name == "to_move":
            self.to_move = lambda sticks: given
        else:
            setattr(self, name, given if name in ("start", "outcome_without_turns") else lambda sticks: given)


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("result", ["win", "loss", "draw", 1, 0, -1, np.int8(1), np.str_("win"), None]),
        ("outcome_without_turns", ["win", "loss", "draw", 1, 0, -1, np.int64(-1)]),
        ("to_move", ["first", "second", 0, 1, np.int64(1)]),
    ],
)
def test_rules_give_nothing_but_documented_values(name: str, right: list[Any]) -> None:
    for value in right:
        retrograde.solve(Rules(name, value))
    wrong = [True, False, np.bool_(True), np.bool_(False), 2, -2, 1.0, 0.0, 0.5, "Win", "", b"win", "victory", [], object()]
    for value in [*wrong, *([None] if name != "result" else [])]:
        with pytest.raises(retrograde.UsageError, match=f"`{name}` must be"):
            retrograde.solve(Rules(name, value))


def test_rules_that_are_none() -> None:
    for game in (None, 5, object(), [], Sticks):
        with pytest.raises(retrograde.UsageError, match="`game`|`turns`"):
            retrograde.solve(game)  # type: ignore[call-overload]
    with pytest.raises(retrograde.UsageError, match="`turns` must return pairs"):
        retrograde.solve(Rules("turns", None))
    with pytest.raises(retrograde.UsageError, match="`turns` must return pairs"):
        retrograde.solve(Rules("turns", [1]))
    with pytest.raises(retrograde.UsageError, match="hashable"):
        retrograde.solve(Rules("start", [5]))


def test_a_game_that_is_over_at_its_start() -> None:
    for result in ("win", "loss", "draw"):
        solved = retrograde.solve(Rules("result", result))
        assert (len(solved), solved.probe()["outcome"], solved.turns()) == (1, result, [])
        assert solved.line()["line"] == [] and solved.puzzles() == [] and solved.verify()["proved"]
        assert solved.stats()["positions"] == 1 and len(solved.sample(3)) == 1
        with pytest.raises(retrograde.TurnError):
            solved.play(5, 1)
    solved = retrograde.solve(Rules("turns", []))
    assert solved.probe()["outcome"] == "loss"


def test_rules_that_change_are_noticed() -> None:
    class Fickle(Sticks):
        less = 0

        def turns(self, sticks: int) -> list[tuple[int, int]]:
            return [(take, sticks - take + self.less) for take in (1, 2) if take <= sticks][self.less :]

    rules = Fickle()
    solved = retrograde.solve(rules)
    rules.less = 1
    for ask in (solved.probe, solved.turns, solved.line):
        with pytest.raises(retrograde.UsageError, match="`turns` no longer returns the turns"):
            ask(4) if ask != solved.line else [solved.line(n) for n in range(1, 6)]
