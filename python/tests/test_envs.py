"""Environments, with the test suites of their frameworks, and metrics of policies."""

from __future__ import annotations

import copy
import os
import pickle
import random
import re
import subprocess
import sys
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
    """From random positions: actions and turns lead to the same positions, and an action's value is the best
    of the turns that begin with it."""
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
                assert walk.observation(0).sum() > 0


def reached(game: Game, position: str, walk: Walk) -> set[str]:
    """The positions after all complete sequences of actions, from the beginning of a turn."""
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
        assert (np.delete(info["action_outcome"], legal) < retrograde.LOSS).all()
        assert (environment.unwrapped.action_masks() == observation["action_mask"].astype(bool)).all()
        best = max(legal, key=lambda action: (info["action_outcome"][action], -info["action_turns"][action]))
        # The first player always wins this game.
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
    illegal = int(np.flatnonzero(~environment.action_masks())[0])
    _, reward, ended, _, info = environment.step(illegal)
    assert (reward, ended, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(retrograde.UsageError, match="`strength`"):
        Against(game, strength=2)
    without = retrograde.open("tactics:3x3", tables=None, solve=False)
    with pytest.raises(retrograde.NoTableError, match="`strength`"):
        Against(without)
    Against(without, strength=0).reset(seed=1)


@pytest.mark.parametrize("name", ["touchdown(board=3x4)", "tactics(board=3x3)", "pushfight(board=mini)"])
def test_openspiel_accepts_the_games(name: str) -> None:
    """OpenSpiel's simulation test plays a game, and checks copies, actions, texts, tensors and returns."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import minimax

    import retrograde.openspiel  # noqa: F401

    game = pyspiel.load_game(f"python_retrograde_{name}")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    assert game.make_py_observer().string_from(game.new_initial_state(), 0).endswith("first to move\n")
    # OpenSpiel's search finds the same value.
    for board in ("2x2", "3x1", "2x3"):
        value, _ = minimax.alpha_beta_search(pyspiel.load_game(f"python_retrograde_tactics(board={board})"))
        ours = retrograde.open(f"tactics:{board}", tables=None).start.value()["outcome"]
        assert value == {"win": 1.0, "loss": -1.0, "draw": 0.0}[ours]


#: A game of each family for OpenSpiel, with the seed of its recorded playthrough.
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
    # OpenSpiel creates a class of tests for each registered game.
    assert name in pyspiel.registered_names()
    members = {"game_name": name, "game": pyspiel.load_game(name)}
    tests = type("ApiTest", (api_test.EnforceAPIOnPartialTreeBase,), members)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(tests).run(result)
    assert result.testsRun >= 4
    assert result.wasSuccessful(), [text for _, text in (*result.failures, *result.errors)]


@pytest.mark.parametrize("family", OPENSPIEL)
def test_openspiel_plays_as_it_did(family: str) -> None:
    """OpenSpiel's playthroughs record all properties of the states of a game. UPDATE_PLAYTHROUGHS
    rewrites them."""
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


@pytest.mark.parametrize("family", OPENSPIEL)
def test_openspiel_s_actions_and_boards_name_the_same_squares(family: str) -> None:
    """In every state of some games: the text of an action names the squares of the turn on the board."""
    pyspiel = pytest.importorskip("pyspiel")
    import retrograde.openspiel  # noqa: F401

    game, rng = pyspiel.load_game(f"python_retrograde_{OPENSPIEL[family]}"), random.Random(1)
    compared = 0
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            walk, seat = state.walk, state.current_player()
            asked = walk.game.probe(walk.position, to_move=walk.player, nodes=0)
            assert str(state).startswith(f"{asked['board']} {seat} ")
            turns = {turn["position"]: turn["turn_on_board"] for turn in asked["turns_available"]}
            for action, option in walk.options().items():
                if option.after is None or walk.made:
                    continue
                squares = re.findall(r"[a-z]+\d+", turns[option.after])
                if len(squares) <= 2:
                    assert set(state.action_to_string(seat, action).split("-")) == set(squares)
                    compared += seat
            state.apply_action(rng.choice(state.legal_actions()))
    assert compared > 0


def test_pieces_are_shown_while_they_are_placed(games: dict[str, Game]) -> None:
    """After each placement, the board is the one after all placements, without the pieces to come."""
    pytest.importorskip("pettingzoo")
    for mode in ("ansi", "rgb_array"):
        environment = retrograde.env(games["pushfight:mini"], render_mode=mode).unwrapped
        environment.reset()
        walk, rng = environment.walk, random.Random(4)
        for _ in range(2):
            shown, squares, seat = [environment.render()], [], walk.player
            while not squares or walk.placed:
                action = rng.choice(list(walk.options()))
                squares.append(walk.square_name(action % walk.squares))
                environment.step(action)
                shown.append(environment.render())
            assert len(squares) == 4
            if mode == "rgb_array":
                assert all((before != after).any() for before, after in zip(shown, shown[1:]))
                continue
            letters = "OOoo" if seat == "first" else "XXxx"
            for number, letter in enumerate(letters):
                before, after = (board.splitlines() for board in shown[number : number + 2])
                changed = [
                    (line[at], row.split()[0])
                    for line, row in zip(after[:-2], before)
                    for at in range(len(line))
                    if line[at] != row[at]
                ]
                assert changed == [(letter, squares[number][1:])]


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


@pytest.mark.parametrize("name", GAMES)
def test_each_player_has_a_view(name: str, games: dict[str, Game]) -> None:
    """The mover sees the planes of the position, the other player sees the rotated board."""
    game, rng, compared = games[name], random.Random(5), 0
    walk, count = Walk(game), game.plane_shape[0]
    for _ in range(30):
        assert (walk.observation(walk.seat)[:count] == game.position(walk.position).planes).all()
        board = game.probe(walk.position, to_move="second")["board"]
        try:
            is_read = game.position(board).text == board and "P" not in board
        except retrograde.PositionError:
            is_read = False  # The other player cannot be to move here.
        if is_read:
            assert (walk.observation(1 - walk.seat)[:count] == game.planes([board])[0]).all()
            compared += 1
        if walk.over() is not None:
            break
        while not walk.act(rng.choice(list(walk.options()))):
            pass
    assert compared > 0


@pytest.mark.parametrize("name", ["touchdown:3x4", "pushfight:mini,moves=1"])
def test_observations_are_the_agent_s_own(name: str, games: dict[str, Game]) -> None:
    pytest.importorskip("pettingzoo")
    from retrograde.perfect_v0 import Against

    game = games[name]
    environment = retrograde.env(game).unwrapped
    environment.reset(seed=1)
    own = [number for number, plane in enumerate(game.plane_names) if plane.startswith("own ")]
    theirs = [number for number, plane in enumerate(game.plane_names) if plane.startswith("opponent ")]
    for _ in range(6):
        views = [environment.observe(agent)["observation"] for agent in environment.possible_agents]
        first, second = ((view[own].sum(), view[theirs].sum()) for view in views)
        assert first == second[::-1]
        if environment.terminations["player_0"]:
            break
        assert [environment.observe(agent)["action_mask"].any() for agent in environment.possible_agents] == [
            agent == environment.agent_selection for agent in environment.possible_agents
        ]
        environment.step(int(np.flatnonzero(environment.action_masks())[0]))
    # At the end the agent still sees the board from its own side, although the opponent would be to move.
    against = Against(game, strength=0.0)
    against.reset(seed=3)
    over = False
    while not over:
        legal = np.flatnonzero(against.action_masks())
        observation, _, over, cut_off, info = against.step(legal[0])
        over |= cut_off
        if name.startswith("touchdown"):
            mine = against.walk.game.planes([against.walk.position])[0]
            if against.walk.seat != 0:
                assert observation["observation"][own].sum() == mine[theirs].sum()
    assert not observation["action_mask"].any()


def test_openspiel_s_observers_see_their_own_view() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import retrograde.openspiel  # noqa: F401

    game = pyspiel.load_game("python_retrograde_touchdown(board=3x3)")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    observer = game.make_py_observer()
    views = []
    for player in (0, 1):
        observer.set_from(state, player)
        views.append(observer.tensor.reshape(2, 3, 3).copy())
    assert (views[0] != views[1]).any()
    # The players see the board from opposite sides.
    assert (views[0] == views[1][::-1, ::-1, ::-1]).all()


def test_illegal_actions_are_below_a_loss(games: dict[str, Game]) -> None:
    """Illegal actions have a smaller outcome than any legal one."""
    pytest.importorskip("pettingzoo")
    rng = random.Random(2)
    for game in games.values():
        environment = retrograde.env(game, values=True)
        environment.reset()
        for _ in range(12):
            observation, _, ended, cut_off, info = environment.last()
            if ended or cut_off:
                break
            assert observation["action_mask"][info["action_outcome"].argmax()] == 1
            environment.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))


def test_games_without_a_seed_differ(games: dict[str, Game]) -> None:
    pytest.importorskip("pettingzoo")
    from retrograde.perfect_v0 import Against

    def played(seed: int | None) -> tuple[int, ...]:
        environment = Against(games["touchdown:3x4"], strength=0.0, player="random")
        observation, _ = environment.reset(seed=seed)
        actions: list[int] = []
        for _ in range(3):
            legal = np.flatnonzero(observation["action_mask"])
            if len(legal) == 0:
                break
            observation, _, ended, _, _ = environment.step(legal[0])
            actions.append(int(observation["observation"].sum()) * 1000 + hash(observation["observation"].tobytes()))
            if ended:
                break
        return tuple(actions)

    assert len({played(None) for _ in range(20)}) > 1
    assert len({played(7) for _ in range(3)}) == 1
    environment = Against(games["touchdown:3x4"], player="random")
    environment.reset(seed=4)
    first = [environment.reset()[0]["observation"].tobytes() for _ in range(10)]
    environment.reset(seed=4)
    assert first == [environment.reset()[0]["observation"].tobytes() for _ in range(10)]


def test_environments_begin_at_the_given_position(games: dict[str, Game]) -> None:
    pytest.importorskip("pettingzoo")
    from retrograde.perfect_v0 import Against

    game = games["touchdown:3x4"]
    after = game.start.play(game.legal_turns()[0])
    assert after.to_move == "second"
    for position, agent in ((after, "player_1"), (after.text, "player_0"), (after.index, "player_0")):
        for environment in (retrograde.env(game, position=position), retrograde.env(game)):
            environment.reset(options={"position": position})
            assert environment.agent_selection == agent and environment.unwrapped.walk.position == after.text
            assert (environment.observe(agent)["observation"] == after.planes).all()
    environment = retrograde.env(game, position=after)
    environment.reset()
    assert environment.unwrapped.walk.position == after.text
    environment.reset(options={"position": game.start})
    assert environment.unwrapped.walk.position == game.start.text
    against = Against(game, position=after, player="second", strength=1.0)
    observation, _ = against.reset(seed=1)
    assert (observation["observation"] == after.planes).all()
    # The first player is to move at the start, so the opponent has moved.
    observation, _ = against.reset(options={"position": game.start})
    assert against.walk.seat == 1 and against.walk.turns == 1
    over = after
    while over.over is None:
        over = over.play(over.turns()[0]["turn"])
    for make in (retrograde.env, Against):
        with pytest.raises(retrograde.PositionError, match="the game is over there"):
            make(game, position=over)
        with pytest.raises(retrograde.PositionError, match="the game is over there"):
            make(game).reset(options={"position": over})
    with pytest.raises(retrograde.PositionError, match="belongs to"):
        retrograde.env(game, position=games["tactics:3x3"].start)


def test_openspiel_parameters_may_have_commas(tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import retrograde.openspiel  # noqa: F401

    tables = tmp_path / "with, commas (and) = more; 100%"
    retrograde.open("pushfight:mini,moves=1", tables=tables, solve=True)
    given = {"board": "mini,moves=1", "tables": str(tables)}
    game = pyspiel.load_game("python_retrograde_pushfight", given)
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    written = pyspiel.load_game("python_retrograde_pushfight(board=mini%2Cmoves%3D1)")
    assert written.game.name == game.game.name == "pushfight:mini,moves=1"
    assert game.game.has_table and not written.game.has_table
    for again in (pyspiel.load_game(str(game)), pickle.loads(pickle.dumps(game)), copy.deepcopy(game), copy.copy(game)):
        assert str(again) == str(game) and again.game.name == game.game.name and again.game.has_table
    for same in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), state.clone()):
        assert str(same) == str(state) and same.legal_actions() == state.legal_actions()
    assert str(pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]) == str(state)


@pytest.mark.parametrize(
    ("module", "use", "extra"),
    [
        ("gymnasium", "retrograde.env()", "envs"),
        ("pettingzoo", "import retrograde.perfect_v0", "envs"),
        ("pyspiel", "import retrograde.openspiel", "openspiel"),
    ],
)
def test_a_missing_package_is_named(module: str, use: str, extra: str) -> None:
    program = f"""
import sys
sys.modules[{module!r}] = None
import retrograde
try:
    {use}
except retrograde.MissingPackageError as error:
    assert isinstance(error, ImportError), error
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert module in done.stdout and f"'.[{extra}]'" in done.stdout, done.stdout + done.stderr


class Nim:
    """Take one or two of seven sticks; the player who takes the last one wins."""

    start = 7

    def turns(self, sticks: int) -> list[tuple[str, int]]:
        return [(f"take {number}", sticks - number) for number in (1, 2) if number <= sticks]

    def result(self, sticks: int) -> None:
        return None


class NimWithPlanes(Nim):
    actions = ["take 2", "take 1"]

    def planes(self, sticks: int) -> list[bool]:
        return [place < sticks for place in range(7)]


@pytest.mark.parametrize("rules", [Nim(), NimWithPlanes()])
def test_solved_games_are_environments(rules: Nim) -> None:
    pytest.importorskip("pettingzoo")
    import gymnasium
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test

    from retrograde.perfect_v0 import Against

    solved = retrograde.solve(rules)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(retrograde.env(solved, values=True), num_cycles=100)
        seed_test(lambda: retrograde.env(solved), num_cycles=20)
        check_env(gymnasium.make("retrograde/Perfect-v0", game=solved, strength=0.5).unwrapped, skip_render_check=True)
    environment = retrograde.env(solved, values=True, render_mode="ansi")
    environment.reset()
    assert environment.render() == "7\nfirst to move\n"
    while environment.agents:
        observation, _, ended, _, info = environment.last()
        if ended:
            environment.step(None)
            continue
        sticks, expected = environment.unwrapped.walk.position, observation["observation"]
        if isinstance(rules, NimWithPlanes):
            assert expected.tolist() == [int(place < sticks) for place in range(7)]
        else:
            assert solved.positions(expected) == [sticks]
        legal = np.flatnonzero(observation["action_mask"])
        assert {solved.actions()[action] for action in legal} == {turn["turn"] for turn in solved.turns(sticks)}
        best = int(info["action_outcome"].argmax())
        assert solved.actions()[best] == solved.turns(sticks)[0]["turn"] or sticks % 3 == 0
        environment.step(best)
    # The first legal action is a policy, as the turn that it means.
    by_action = retrograde.by_actions(solved, lambda seen: int(seen["action_mask"].argmax()))
    by_turn = {turn["turn"]: turn for turn in solved.turns()}
    assert by_action(7) == next(turn for turn in solved.actions() if turn in by_turn)
    assert retrograde.judge(solved, by_action, [7, 6, 5])["positions"] == 3
    with pytest.raises(retrograde.UnsupportedError, match="no pictures"):
        retrograde.env(solved, render_mode="rgb_array")
    # The perfect player wins from seven sticks, and as the second player from six.
    for player, position in (("second", 7), ("first", 6)):
        against = Against(solved, player=player, position=position)
        observation, _ = against.reset(seed=1)
        over = False
        while not over:
            observation, reward, over, _, _ = against.step(int(np.flatnonzero(observation["action_mask"])[0]))
        assert reward == -1


def test_a_solved_openspiel_game_has_planes_and_environments() -> None:
    pytest.importorskip("pettingzoo")
    pyspiel = pytest.importorskip("pyspiel")
    from pettingzoo.test import api_test

    solved = retrograde.solve(pyspiel.load_game("tic_tac_toe"))
    planes = solved.planes(solved.positions([0, 1]))
    assert planes.shape == (2, 3, 3, 3) and planes.dtype == np.float32
    assert (planes == solved.planes(indices=[0, 1])).all() and planes.sum() == 18
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(retrograde.env(solved), num_cycles=30)
    without = retrograde.solve(Nim())
    with pytest.raises(retrograde.UnsupportedError, match="no `planes`"):
        without.planes([7])


def test_planes_of_another_type_are_refused() -> None:
    class Changing(Nim):
        def planes(self, position: int) -> list[float]:
            return [1] if position == 7 else [0.5]

    with pytest.raises(retrograde.UsageError, match="float64 for 6, but int64"):
        retrograde.solve(Changing()).planes([7, 6])


class Circle:
    """Each player moves a token to the next of four places, for ever, or ends the game in a draw."""

    name = "circle"

    def start(self) -> int:
        return 0

    def turns(self, place: int) -> list[tuple[str, int]]:
        return [] if place == 4 else [("on", (place + 1) % 4), ("end", 4)]

    def result(self, place: int) -> str | None:
        return "draw" if place == 4 else None


def test_repeated_positions_are_drawn_if_asked() -> None:
    """A game ends exactly when a position has occurred three times with the same player to move."""
    from retrograde import perfect_v0

    board = retrograde.open("pushfight:mini,pushers=1,pawns=1", tables=None)
    for game, beginnings in [(board, board.sample(3, outcome="draw", seed=1)), (retrograde.solve(Circle()), [0, 2])]:
        environment = perfect_v0.raw_env(game, repetitions=3, turns=400)
        walk = environment.walk
        for beginning in beginnings:
            environment.reset(options={"position": beginning})
            seen: dict[tuple[str, int], int] = {}
            while True:
                if not walk.begun and not walk.placed:
                    key = str(walk.position), walk.seat
                    seen[key] = seen.get(key, 0) + 1
                over = any(environment.terminations.values())
                assert over == (max(seen.values()) == 3)
                if over:
                    break
                environment.step(walk.best()[0])  # Both keep the draw.
            assert set(environment.rewards.values()) == {0} and walk.over() == 0 and walk.turns > 4
            assert not environment.action_masks().any() and not walk.options()
    against = perfect_v0.Against(retrograde.solve(Circle()), strength=0, repetitions=2)
    on = retrograde.solve(Circle()).actions().index("on")
    for seed in range(8):
        against.reset(seed=seed)
        terminated = False
        while not terminated:
            _, reward, terminated, truncated, _ = against.step(on)
            assert not truncated and reward == 0
        assert against.walk.turns <= 8 and not against.action_masks().any()
    for wrong in [1, 0, -3, 2.5, "3", True]:
        with pytest.raises(retrograde.UsageError, match="repetitions"):
            retrograde.env("touchdown:3x4", repetitions=wrong)
