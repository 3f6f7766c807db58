"""Environments, with the test suites of those who define them, and metrics of policies."""

from __future__ import annotations

import os
import random
import unittest
import warnings
from pathlib import Path

import numpy as np
import pytest

import retrograde
from retrograde import Game, Position
from retrograde._walk import Walk

GAMES = ["touchdown:3x4", "tactics:3x3", "pushfight:mini,moves=1", "pushfight:mini"]


@pytest.fixture(scope="module")
def games() -> dict[str, Game]:
    return {name: retrograde.open(name, tables=None) for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_actions_are_the_turns(name: str, games: dict[str, Game]) -> None:
    """From random positions: the actions lead to exactly the positions that the turns lead to, and an
    action's value is the best of the turns that begin with it."""
    game, rng = games[name], random.Random(7)
    walk = Walk(game)
    for _ in range(3 if name.startswith("pushfight") else 20):
        walk.reset()
        while walk.over() is None and walk.turns < 3:
            turns = game.turns(walk.position)
            position = walk.position
            best = max(option.outcome for option in walk.options().values())
            assert best == {"win": 1, "draw": 0, "loss": -1}[turns[0]["outcome"]]
            assert set(reached(game, position, walk)) == {turn["position"] for turn in turns}
            first = walk.best()[0]
            assert (walk.options()[first].outcome, walk.options()[first].turns) == (
                best,
                -1 if turns[0]["turns"] is None else turns[0]["turns"],
            )
            while not walk.act(rng.choice(list(walk.options()))):
                assert walk.observation().sum() > 0


def reached(game: Game, position: str, walk: Walk) -> set[str]:
    """The positions that all sequences of actions lead to, from the beginning of a turn."""
    found: set[str] = set()
    open_ways: list[tuple[list[str], list[int], list[int]]] = [([], [], [])]
    while open_ways:
        begun, placed, made = open_ways.pop()
        other = walk.copy()
        other.position, other.begun, other.placed, other.made = position, begun, placed, made
        other._options = None
        for action, option in other.options().items():
            if option.after is not None:
                found.add(option.after)
            elif option.step is None:
                open_ways.append((begun, [*placed, action % walk.squares], [*made, action]))
            else:
                open_ways.append(([*begun, option.step], placed, [*made, action]))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_accepts_the_environment(name: str, games: dict[str, Game]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, render_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(retrograde.env(games[name], values=True), num_cycles=100)
        seed_test(lambda: retrograde.env(games[name]), num_cycles=20)
        render_test(lambda render_mode: retrograde.env(games[name], render_mode=render_mode))


def test_best_actions_win_a_won_game(games: dict[str, Game]) -> None:
    pytest.importorskip("pettingzoo")
    environment = retrograde.env(games["pushfight:mini"], values=True)
    environment.reset(seed=1)
    rewards = {"player_0": 0.0, "player_1": 0.0}
    rng = random.Random(3)
    for agent in environment.agent_iter(1000):
        observation, reward, ended, cut_off, info = environment.last()
        rewards[agent] += reward
        if ended or cut_off:
            environment.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        assert (info["action_outcome"][legal] != retrograde.UNKNOWN).all()
        assert (np.delete(info["action_outcome"], legal) == retrograde.UNKNOWN).all()
        best = max(legal, key=lambda action: (info["action_outcome"][action], -info["action_turns"][action]))
        # The first player wins this game whatever the other does.
        environment.step(int(best) if agent == "player_0" else int(rng.choice(legal.tolist())))
    assert rewards == {"player_0": 1.0, "player_1": -1.0}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("player", ["first", "second", "random"])
def test_gymnasium_accepts_the_environment(name: str, player: str, games: dict[str, Game]) -> None:
    pytest.importorskip("pettingzoo")
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    import retrograde.perfect_v0  # noqa: F401

    options = {"game": games[name], "player": player, "strength": 0.5}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # By its name, so that the checker can make it with each render mode.
        check_env(gymnasium.make("retrograde/Perfect-v0", **options).unwrapped)


def test_pictures_show_the_position(games: dict[str, Game]) -> None:
    pytest.importorskip("pettingzoo")
    from retrograde.perfect_v0 import Against

    game = games["touchdown:3x4"]
    environment = retrograde.env(game, render_mode="rgb_array")
    environment.reset()
    first = environment.render()
    assert first.shape[1:] == (400, 3) and len(np.unique(first.reshape(-1, 3), axis=0)) > 5
    assert (first == game.start.picture().pixels(400)).all()
    environment.step(int(np.flatnonzero(environment.observe("player_0")["action_mask"])[0]))
    assert (environment.render() != first).any()
    against = Against(game, player="second", render_mode="rgb_array")
    against.reset(seed=1)
    shown = against.render()
    assert isinstance(shown, np.ndarray) and shown.shape == first.shape and (shown != first).any()


def test_strength_is_what_it_says(games: dict[str, Game]) -> None:
    pytest.importorskip("pettingzoo")
    from retrograde.perfect_v0 import Against

    def won(strength: float) -> int:
        environment, rng, wins = Against(games["tactics:3x3"], strength=strength, player="second"), random.Random(1), 0
        for seed in range(40):
            observation, _ = environment.reset(seed=seed)
            ended = cut_off = False
            reward = 0.0
            while not (ended or cut_off):
                legal = np.flatnonzero(observation["action_mask"]).tolist()
                observation, reward, ended, cut_off, _ = environment.step(rng.choice(legal))
            wins += reward > 0
        return wins

    game = games["tactics:3x3"]
    if game.start.value()["outcome"] == "win":
        assert won(1.0) == 0
    assert won(1.0) < won(0.0)
    environment = Against(game)
    environment.reset(seed=0)
    illegal = int(np.flatnonzero(environment.walk.mask() == 0)[0])
    _, reward, ended, _, info = environment.step(illegal)
    assert (reward, ended, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(retrograde.UsageError):
        Against(game, strength=2)


@pytest.mark.parametrize("name", ["touchdown(board=3x4)", "tactics(board=3x3)", "pushfight(board=mini)"])
def test_openspiel_accepts_the_games(name: str) -> None:
    """The simulation test of OpenSpiel plays a game, and checks copies, actions, texts, tensors and
    returns on the way."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import minimax

    import retrograde.openspiel  # noqa: F401

    game = pyspiel.load_game(f"python_retrograde_{name}")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    assert game.make_py_observer().string_from(game.new_initial_state(), 0).endswith("first to move\n")
    # Its own search finds our value.
    for board in ("2x2", "3x1", "2x3"):
        value, _ = minimax.alpha_beta_search(pyspiel.load_game(f"python_retrograde_tactics(board={board})"))
        ours = retrograde.open(f"tactics:{board}", tables=None).start.value()["outcome"]
        assert value == {"win": 1.0, "loss": -1.0, "draw": 0.0}[ours]


#: A game of each family for OpenSpiel, with the seed of the playthrough that is kept.
OPENSPIEL = {"touchdown": "touchdown(board=3x3)", "tactics": "tactics(board=3x2)", "pushfight": "pushfight"}


@pytest.mark.parametrize("family", OPENSPIEL)
def test_openspiel_s_own_api_test_passes(family: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from absl import flags
    from open_spiel.integration_tests import api_test

    import retrograde.openspiel  # noqa: F401

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["pytest"])
    name = f"python_retrograde_{family}"
    # As OpenSpiel makes a class of tests for each game that it knows.
    assert name in pyspiel.registered_names()
    members = {"game_name": name, "game": pyspiel.load_game(name)}
    tests = type("ApiTest", (api_test.EnforceAPIOnPartialTreeBase,), members)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(tests).run(result)
    assert result.testsRun >= 4
    assert result.wasSuccessful(), [text for _, text in (*result.failures, *result.errors)]


@pytest.mark.parametrize("family", OPENSPIEL)
def test_openspiel_plays_as_it_did(family: str) -> None:
    """OpenSpiel's playthroughs: a game with all that a state says on the way. With UPDATE_PLAYTHROUGHS
    they are written anew."""
    pytest.importorskip("pyspiel")
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    import retrograde.openspiel  # noqa: F401

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["pytest"])
    path = Path(__file__).parent / "playthroughs" / f"{family}.txt"
    if os.environ.get("UPDATE_PLAYTHROUGHS"):
        text = generate_playthrough.playthrough(f"python_retrograde_{OPENSPIEL[family]}", None, seed=1)
        path.write_text(text, encoding="utf-8")
    expected, found = generate_playthrough.replay(str(path))
    assert found == expected and "IsTerminal() = True" in expected


@pytest.mark.parametrize("rows", [3, 12])
def test_squares_have_their_names(rows: int, games: dict[str, Game]) -> None:
    walk = Walk(games["touchdown:3x4"])
    walk.rows, walk.columns = rows, 30
    names = [walk.square_name(square) for square in range(rows * 30)]
    assert (names[0], names[25], names[26], names[-1]) == (f"a{rows}", f"z{rows}", f"aa{rows}", "ad1")
    assert [walk.square(name) for name in names] == list(range(rows * 30))


def test_policies_are_judged(touchdown: Game) -> None:
    positions = touchdown.sample(200, seed=6)

    def perfect(position: Position) -> str:
        return position.turns()[0]["turn"]

    def worst(position: Position) -> str:
        return position.turns()[-1]["turn"]

    best = retrograde.judge(touchdown, perfect, positions)
    assert best["optimal_rate"] == best["optimal_rate_won"] == best["outcome_kept_rate"] == 1.0
    assert best["outcome_regret"] == best["turns_regret"] == 0.0
    bad = retrograde.judge(touchdown, worst, positions)
    assert bad["positions"] == best["positions"]
    assert bad["optimal_rate_won"] is not None and bad["optimal_rate_won"] < 0.9
    assert bad["outcome_regret"] is not None and 0 < bad["outcome_regret"] <= 2
    with pytest.raises(retrograde.TurnError):
        retrograde.judge(touchdown, lambda position: "z9z9", positions[:1])
    assert retrograde.judge(touchdown, perfect, [])["optimal_rate"] is None
