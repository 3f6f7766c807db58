"""OpenSpiel games as rules, compared with an independent plain minimax over histories without keys."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterable
from typing import Any

import pytest

import retrograde
from retrograde import SpielRules, _openspiel_rules

pyspiel = pytest.importorskip("pyspiel")

#: The number of histories of a game to compare.
HISTORIES = 50_000

#: Sizes of all sequential OpenSpiel games with two players, without chance and with perfect information. An
#: empty list means that the game has only one size.
SIZES: dict[str, list[str]] = {
    "amazons": ["board_size=6"],
    "antichess": [],
    "breakthrough": ["rows=3,columns=2", "rows=4,columns=2"],
    "checkers": ["rows=4,columns=4", "rows=4,columns=5"],
    "chess": [],
    "chinese_checkers": [],
    "clobber": ["rows=2,columns=3", "rows=3,columns=3"],
    "connect_four": ["rows=3,columns=3,x_in_row=3", "rows=4,columns=3,x_in_row=3"],
    "crazyhouse": [],
    "cursor_go": ["board_size=2,max_cursor_moves=1", "board_size=2,max_cursor_moves=2"],
    "dots_and_boxes": ["num_rows=1,num_cols=1", "num_rows=1,num_cols=2", "num_rows=1,num_cols=2,utility_margin=true"],
    "go": ["board_size=2,komi=0.5", "board_size=2,komi=1.5", "board_size=2,komi=-1.0"],
    "gomoku": ["size=3,connect=3", "size=2,connect=2"],
    "havannah": ["board_size=2", "board_size=2,swap=true"],
    "hex": ["board_size=2", "num_cols=3,num_rows=2", "board_size=2,swap=true", "board_size=2,string_rep=explicit"],
    "hive": [],
    "lines_of_action": [],
    "mancala": [],
    "mnk": ["m=3,n=2,k=2", "m=3,n=2,k=3"],
    "nim": ["pile_sizes=1;2;3", "pile_sizes=2;2;1,is_misere=false"],
    "nine_mens_morris": [],
    "othello": [],
    "oware": ["num_houses_per_player=2,num_seeds_per_house=1", "num_houses_per_player=2,num_seeds_per_house=2"],
    "pentago": [],
    "quoridor": ["board_size=3,wall_count=0", "board_size=3,wall_count=1"],
    "shogi": [],
    "tic_tac_toe": [],
    "twixt": ["board_size=5"],
    "ultimate_tic_tac_toe": [],
    "xiangqi": [],
    "y": ["board_size=2", "board_size=3"],
}


class TooMany(Exception):
    """The game has more histories than the test compares."""


def histories(first: Any) -> dict[tuple[int, ...], tuple[str, int | None]]:
    """The value of every history that begins with a state, for the player to move (if the game is over, for the
    player who did not move last)."""
    values: dict[tuple[int, ...], tuple[str, int | None]] = {}

    def visit(state: Any, mover: int) -> tuple[float, int]:
        """The sign of the outcome for the first player, and the turns to the end."""
        if len(values) > HISTORIES or state.move_number() > first.move_number() + 200:
            raise TooMany
        history = tuple(state.history())
        values[history] = ("", None)
        if state.is_terminal():
            result = state.returns()[0]
            sign, turns = (result > 0) - (result < 0), 0
        else:
            mine = 1 if mover == 0 else -1
            children = [state.child(action) for action in state.legal_actions()]
            found = [visit(child, mover_of(child, mover)) for child in children]
            sign, turns = max(found, key=lambda value: (mine * value[0], -mine * value[0] * value[1]))
            turns += 1
        word = {1: "win", -1: "loss", 0: "draw"}[sign if mover == 0 else -sign]
        values[history] = (word, None if word == "draw" else turns)
        return sign, turns

    history = first.full_history()
    visit(first, mover_of(first, history[-1].player if history else 1))
    return values


def mover_of(state: Any, before: int) -> int:
    return 1 - before if state.is_terminal() else state.current_player()


def is_of_the_kind(kind: Any) -> bool:
    return (
        kind.dynamics.name == "SEQUENTIAL"
        and kind.chance_mode.name == "DETERMINISTIC"
        and kind.information.name == "PERFECT_INFORMATION"
        and kind.utility.name == "ZERO_SUM"
        and kind.reward_model.name == "TERMINAL"
        and kind.min_num_players <= 2 <= kind.max_num_players
        and kind.default_loadable
        and not kind.short_name.startswith("python_retrograde")
    )


def test_all_games_of_the_kind_are_here() -> None:
    # Games written in Python are registered only if another test imported them.
    kinds = [kind for kind in pyspiel.registered_games() if not kind.short_name.startswith("python_")]
    named = {kind.short_name for kind in kinds if is_of_the_kind(kind)}
    assert named <= SIZES.keys(), "games without a size to test"


CASES = [f"{name}({size})" if size else name for name, sizes in SIZES.items() for size in sizes or [""]]


@pytest.mark.parametrize("text", CASES)
def test_every_history_has_its_value_or_the_game_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if text.partition("(")[0] not in pyspiel.registered_names():
        pytest.skip("this OpenSpiel does not have the game")
    game = pyspiel.load_game(text)
    try:
        expected = histories(game.new_initial_state())
    except TooMany:
        # Either way it is quick and gives a reason.
        try:
            solved = retrograde.solve(game, limit=20_000)
        except (retrograde.UnsupportedError, retrograde.TooLargeError) as error:
            assert game.get_type().short_name in str(error) or "20000 positions" in str(error)
            return
        assert solved.verify()["proved"]
        return
    # Compares all histories, also on slow machines.
    monkeypatch.setattr(_openspiel_rules, "SECONDS", 600)
    solved = retrograde.solve(game)
    assert_equal(solved, game, expected)


def assert_equal(solved: Any, game: Any, expected: dict[tuple[int, ...], tuple[str, int | None]]) -> None:
    for history, value in expected.items():
        probed = solved.probe(solved.rules.position(played(game, history)))
        assert (probed["outcome"], probed["turns"]) == value, f"{solved.name} after {history}"


def played(game: Any, history: Iterable[int]) -> Any:
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


@pytest.mark.parametrize(
    ("text", "moves"), [("mancala", 3), ("mancala", 2), ("chinese_checkers(players=2)", 1), ("oware", 3), ("tic_tac_toe", 4)]
)
def test_the_end_of_a_large_game_is_solved(text: str, moves: int) -> None:
    game, chance = pyspiel.load_game(text), random.Random(0)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    late = played(game, state.history()[:-moves])
    expected = histories(late)
    solved = retrograde.solve(late)
    assert solved.verify()["proved"]
    assert solved.rules.position(late) == solved.start
    assert_equal(solved, game, expected)


def test_a_game_whose_text_hides_history_is_solved_by_what_tells_it() -> None:
    """Go forbids repetitions and Quoridor has a move limit, but their texts show neither."""
    solved = retrograde.solve(pyspiel.load_game("go(board_size=2,komi=0.5)"))
    assert len(solved) == 4635
    quoridor = retrograde.solve(pyspiel.load_game("quoridor(board_size=3,wall_count=0)"))
    lengths = {key.rsplit("\n", 1)[1] for _, key in quoridor.positions()}
    assert len(lengths) > 10


@pytest.mark.parametrize(
    "text", ["oware(num_houses_per_player=2,num_seeds_per_house=2)", "oware(num_houses_per_player=3,num_seeds_per_house=1)"]
)
def test_a_game_without_a_usable_key_is_refused_with_the_difference(text: str) -> None:
    with pytest.raises(retrograde.UnsupportedError, match=r"Two states have the key .*: after \[.*, and after \["):
        retrograde.solve(pyspiel.load_game(text))


def test_a_key_that_hides_something_is_refused() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    with pytest.raises(retrograde.UnsupportedError, match="hides something that the rules depend on.*after .*, and after"):
        SpielRules(game, key=lambda state: str(str(state).count("x")))
    with pytest.raises(retrograde.UsageError, match="`key` must be a string"):
        SpielRules(game, key=lambda state: 5)  # type: ignore[arg-type, return-value]
    with pytest.raises(retrograde.UsageError, match="`key` must be a function"):
        SpielRules(game, key="board")  # type: ignore[arg-type]


def test_a_difference_that_shows_while_solving_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skips the comparison before solving."""
    monkeypatch.setattr(SpielRules, "_compare_states", lambda rules: 0)
    with pytest.raises(retrograde.UnsupportedError, match="hides something"):
        retrograde.solve(pyspiel.load_game("go(board_size=2,komi=0.5)"))


def test_known_games_are_solved() -> None:
    solved = retrograde.solve(pyspiel.load_game("tic_tac_toe"))
    # The numbers of tic-tac-toe are known; see the README.
    assert (solved.name, len(solved), solved.probe()["outcome"]) == ("tic_tac_toe", 5478, "draw")
    assert solved.verify()["proved"]
    player, text = solved.play(solved.start, "x(1,1)")
    assert player == 1 and "x" in text
    # O must reply in a corner.
    best = {turn["turn"] for turn in solved.turns((player, text)) if turn["outcome"] == "draw"}
    assert best == {"o(0,0)", "o(0,2)", "o(2,0)", "o(2,2)"}
    # Retrograde's games, played through OpenSpiel, have the same values; states include turns and seats.
    importlib.import_module("retrograde.openspiel")
    for board in ("2x2", "3x1", "2x3"):
        game = pyspiel.load_game(f"python_retrograde_tactics(board={board})")
        rules: Any = SpielRules(game, key=lambda state: str(state).split()[0])
        ours = retrograde.open(f"tactics:{board}", tables=None)
        theirs = retrograde.solve(rules).probe()
        assert {name: theirs[name] for name in ("outcome", "turns")} == ours.start.value()


def test_players_who_move_twice_are_known() -> None:
    """In dots and boxes, a player who closes a box moves again."""
    solved = retrograde.solve(pyspiel.load_game("dots_and_boxes(num_rows=1,num_cols=2)"))
    twice = 0
    for position in solved.positions()[:200]:
        for turn in solved.turns(position):
            twice += turn["position"][0] == position[0]
    assert twice > 0 and solved.verify()["proved"]
    for step, after in zip((line := solved.line())["line"], [*line["line"][1:], None], strict=True):
        following = line["end"] if after is None else after["position"]
        assert solved.play(step["position"], step["turn"]) == following


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("kuhn_poker", "chance"),
        ("matrix_rps", "dynamics"),
        ("leduc_poker", "chance"),
        ("goofspiel", "dynamics|chance"),
        ("backgammon", "chance"),
        ("dark_hex(board_size=2)", "information"),
        ("quoridor(board_size=3,wall_count=0,players=3)", "3 players|utility"),
        ("go(board_size=1)", "OpenSpiel cannot start"),
    ],
)
def test_other_games_are_refused(name: str, reason: str) -> None:
    with pytest.raises(retrograde.UnsupportedError, match=reason):
        retrograde.solve(pyspiel.load_game(name))


@pytest.mark.parametrize("name", ["mancala", "nine_mens_morris", "othello", "chess"])
def test_large_games_are_refused_before_they_are_searched(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_openspiel_rules, "SECONDS", 600)
    with pytest.raises(retrograde.TooLargeError, match=f"{name} has at least .* positions, more than `limit`"):
        retrograde.solve(pyspiel.load_game(name), limit=1_000_000)
