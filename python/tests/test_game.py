"""Built-in games: opening, solving and all queries."""

from __future__ import annotations

import csv
import json
import os
import pickle
import random
import re
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograde
from retrograde import DRAW, LOSS, UNKNOWN, WIN, Game

ROOT = Path(__file__).resolve().parents[2]
CODES = {"win": WIN, "draw": DRAW, "loss": LOSS, "unknown": UNKNOWN}

# Small games with draws, loops, placements, other shapes.
SMALL = [
    "tactics:3x2",
    "tactics:3x3,normal",
    "touchdown:2x2",
    "touchdown:3x4",
    "pushfight:mini,moves=1",
]


@pytest.mark.parametrize("name", SMALL)
def test_batches_agree_with_single_probes(name: str) -> None:
    game = retrograde.open(name, tables=None)
    indices = game.sample(300, seed=3)
    assert indices.dtype == np.uint64 and len(set(indices.tolist())) == len(indices) >= 9
    outcomes, turns = game.probe_many(indices)
    assert (outcomes.dtype, turns.dtype) == (np.int8, np.int32)
    for index, outcome, count in zip(indices.tolist(), outcomes.tolist(), turns.tolist(), strict=True):
        probe = game.probe(index)
        expected = -1 if probe["turns"] is None else probe["turns"]
        assert (CODES[probe["outcome"]], expected) == (outcome, count), probe["position"]
    planes, texts = game.planes(indices), game.texts(indices)
    assert planes.shape == (len(indices), *game.plane_shape) and planes.dtype == np.uint8
    assert planes.max() == 1
    positions = [game.position(text) for text in texts]
    for batch in (planes, planes.astype(bool), planes.astype(float), texts, np.array(texts), positions):
        assert np.array_equal(game.indices(batch), indices)
        again = game.probe_many(batch)
        assert np.array_equal(again[0], outcomes) and np.array_equal(again[1], turns)
    assert game.texts(planes) == texts and np.array_equal(game.planes(texts), planes)


@pytest.mark.parametrize("name", SMALL)
def test_a_value_follows_from_those_after_each_turn(name: str) -> None:
    game = retrograde.open(name, tables=None)
    for text in game.texts(game.sample(100, seed=5)):
        probe, position = game.probe(text), game.position(text)
        turns = probe["turns_available"]
        assert [turn["turn"] for turn in turns] != [] or position.over == probe["outcome"]
        assert sorted(turn["turn"] for turn in turns) == sorted(game.legal_turns(text))
        for turn in turns:
            after = position.play(turn["turn"])
            assert after.text == turn["position"]
            value = after.value()
            flipped = {"win": "loss", "loss": "win", "draw": "draw"}[value["outcome"]]
            assert turn["outcome"] == flipped
            if value["turns"] is not None:
                # Placements are not counted as turns.
                assert turn["turns"] in (value["turns"] + 1, value["turns"])
        if turns:
            assert (turns[0]["outcome"], turns[0]["turns"]) == (probe["outcome"], probe["turns"])


def test_lines_end_when_they_say(touchdown: Game) -> None:
    line = touchdown.line()
    assert (line["outcome"], line["turns"], line["ends"]) == ("win", 11, "over")
    assert len(line["line"]) == 11
    assert len(touchdown.line(limit=3)["line"]) == 3
    position = touchdown.start
    for step in line["line"]:
        assert (position.text, position.to_move) == (step["position"], step["to_move"])
        position = position.play(step["turn"])
    assert (position.text, position.over) == (line["end"], "loss")


def test_statistics_count_what_batches_find(touchdown: Game) -> None:
    stats = touchdown.stats()
    indices = touchdown.sample(10**9)
    outcomes, turns = touchdown.probe_many(indices)
    # Most finished positions have no index, so their value, a loss, comes from the rules.
    finished = stats["positions"] - len(indices)
    assert 0 < finished <= stats["by_turns"]["loss"][0]
    assert int((outcomes == WIN).sum()) == stats["wins"]
    assert int((outcomes == LOSS).sum()) == stats["losses"] - finished
    for count, number in stats["by_turns"]["win"].items():
        assert int(((outcomes == WIN) & (turns == count)).sum()) == number


def test_samples_are_what_was_asked_for(touchdown: Game) -> None:
    lost = touchdown.sample(50, outcome="loss", turns=4, seed=9)
    outcomes, turns = touchdown.probe_many(lost)
    assert len(set(lost.tolist())) == 50 and set(outcomes) == {LOSS} and set(turns) == {4}
    assert np.array_equal(lost, touchdown.sample(50, outcome="loss", turns=4, seed=9))
    assert not np.array_equal(touchdown.sample(50, seed=1), touchdown.sample(50, seed=2))
    assert len(touchdown.sample(0)) == 0
    with pytest.raises(retrograde.UsageError, match="needs `outcome`"):
        touchdown.sample(1, turns=3)


def test_puzzles_have_one_solution(touchdown: Game) -> None:
    puzzles = touchdown.puzzles(5, turns=7, seed=2)
    assert len(puzzles) == 5
    for puzzle in puzzles:
        winning = [turn for turn in touchdown.turns(puzzle["position"]) if turn["outcome"] == "win"]
        assert [turn["turn"] for turn in winning] == [puzzle["solution"]]
        assert puzzle["turns"] == 7


def test_empty_batches_have_empty_answers(touchdown: Game) -> None:
    for nothing in ([], np.empty(0, np.int64), np.empty((0, *touchdown.plane_shape), np.uint8)):
        outcomes, turns = touchdown.probe_many(nothing)
        assert (outcomes.shape, turns.shape) == ((0,), (0,))
    assert touchdown.texts([]) == [] and touchdown.planes([]).shape == (0, 2, 4, 4)


def test_positions_are_values(touchdown: Game) -> None:
    start = touchdown.start
    assert start == touchdown.position() == touchdown.position("OOOO/..../..../XXXX")
    assert start == touchdown.position(start.index) == touchdown.position(start.planes)
    assert start == touchdown.position("OOOO........XXXX") and len({start, touchdown.position()}) == 1
    assert start != touchdown.position(7) and start != "OOOO/..../..../XXXX"
    assert str(start) == start.text and repr(start) == "<Position OOOO/..../..../XXXX of touchdown:4x4>"
    # O has reached the last row. Such positions have no index and no turns.
    finished = touchdown.position("..../..../.X../O...")
    assert (finished.over, finished.index, finished.turns()) == ("loss", None, [])
    assert finished.value() == {"outcome": "loss", "turns": 0}
    assert start.over is None and "│ X │" in start.board


def test_games_and_positions_are_pickled(touchdown: Game, tmp_path: Path) -> None:
    position = pickle.loads(pickle.dumps(touchdown.start.play("a1a2")))
    assert position == touchdown.start.play("a1a2") and position.to_move == "second"
    assert position.game is touchdown
    for tables in (None, tmp_path):
        game = retrograde.open("touchdown:3x3", tables=tables)
        pickled, stats = pickle.dumps(game), game.stats()
        del game
        again = pickle.loads(pickled)
        assert again.has_table and {**again.stats(), "seconds": 0} == {**stats, "seconds": 0}


def test_turns_are_played_in_either_coordinates(touchdown: Game) -> None:
    position = touchdown.start
    for _ in range(4):
        assert position.legal_turns() == touchdown.legal_turns(position)
        for turn in position.turns():
            after = position.play(turn["turn"])
            assert position.play(turn["turn_on_board"], coordinates="board") == after
        position = position.play(position.legal_turns()[0])
    # The second player's turn, in coordinates of the board only.
    second = touchdown.start.play("a1a2")
    with pytest.raises(retrograde.TurnError):
        second.play("a1a2", coordinates="board")
    with pytest.raises(retrograde.UsageError, match="coordinates"):
        second.play("a1a2", coordinates="screen")  # type: ignore[arg-type]


def test_games_have_a_length_and_can_be_closed() -> None:
    with retrograde.open("tactics:3x3", tables=None) as game:
        assert len(game) == game.stats()["positions"] == 512
        start = game.start
    for ask in (game.stats, start.value, lambda: len(game)):
        with pytest.raises(retrograde.UsageError, match="tactics:3x3 is closed"):
            ask()
    game.close()
    assert game and retrograde.open("tactics:3x3", tables=None).stats()["positions"] == 512
    with retrograde.open("tactics:3x3", tables=None, solve=False) as bare, pytest.raises(retrograde.NoTableError):
        len(bare)


def test_pictures_are_svg(touchdown: Game, tmp_path: Path) -> None:
    start = touchdown.start
    plain, turned = start._repr_svg_(), start.picture("a1a2").svg
    assert plain.startswith("<svg ") and turned.startswith("<svg ") and plain != turned
    assert touchdown.picture(theme="dark")._repr_svg_() != plain
    # Blue's turn is drawn from Red's side.
    assert start.play("a1a2").picture("a1a2").svg != touchdown.picture(start.play("a1a2").text, "a1a2").svg
    start.picture().save(tmp_path / "start.svg")
    assert (tmp_path / "start.svg").read_text(encoding="utf-8") == plain


def test_pictures_have_pixels(touchdown: Game, tmp_path: Path) -> None:
    picture = touchdown.start.picture()
    picture.save(tmp_path / "start.PNG", width=300)
    data = (tmp_path / "start.PNG").read_bytes()
    assert data == picture.png(300) and data.startswith(b"\x89PNG")
    # The PNG header has the width and the height.
    assert int.from_bytes(data[16:20], "big") == 300
    pixels = picture.pixels(300)
    assert pixels.shape == (int.from_bytes(data[20:24], "big"), 300, 3) and pixels.dtype == np.uint8
    # The first player's pieces are at the bottom, the second player's at the top.
    assert (pixels != pixels[::-1]).any() and (pixels != touchdown.start.picture("a1a2").pixels(300)).any()
    for width in (0, 10**6):
        with pytest.raises(retrograde.UsageError, match="`width`|large"):
            picture.pixels(width)


def test_answers_are_those_of_the_documents() -> None:
    """The examples of docs/json.md, word for word."""
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    examples = dict(re.findall(r"<!-- (\w+) -->\n```json\n(.*?)```", text, flags=re.DOTALL))
    tactics = retrograde.open("tactics:2x2", tables=None)
    assert tactics.probe("X__X") == json.loads(examples["Probe"])
    line = tactics.line("__/X_", limit=1)
    assert {key: line[key] for key in line} == json.loads(examples["Line"])  # type: ignore[literal-required]
    touchdown = retrograde.open("touchdown:3x3", tables=None)
    assert touchdown.find("loss", 6, limit=1) == [json.loads(examples["Found"])]
    assert touchdown.puzzles(1) == [json.loads(examples["Puzzle"])]
    listed = {game["game"]: game for game in retrograde.games()}
    assert listed["touchdown:4x4"] == json.loads(examples["About"])
    expected = json.loads(examples["Statistics"])
    stats = touchdown.stats()
    assert {**stats, "seconds": 0} == {
        **expected,
        "seconds": 0,
        "by_turns": {
            outcome: {int(turns): count for turns, count in counts.items()}
            for outcome, counts in expected["by_turns"].items()
        },
    }
    annotated = json.loads(examples["Annotation"])
    assert annotated == {**tactics.annotate(["a1", "b1"])[1], "position": annotated["position"]}


@pytest.mark.parametrize(
    ("ask", "kind", "words"),
    [
        (lambda game: retrograde.open("touchdwn"), retrograde.GameError, "did you mean `touchdown`"),
        (lambda game: game.probe("X?"), retrograde.PositionError, "'?' at character 2"),
        (lambda game: game.position(10**9), retrograde.PositionError, "are below 280535"),
        (lambda game: game.probe_many([3, -1]), retrograde.PositionError, "number 1, .* negative"),
        (lambda game: game.probe_many([3] * 40_000 + [10**6]), retrograde.PositionError, "number 40000, "),
        (lambda game: game.probe_many([0.5]), retrograde.UsageError, "integers"),
        (lambda game: game.probe_many(np.ones((3, 5))), retrograde.UsageError, r"\(N, 2, 4, 4\)"),
        (lambda game: game.probe_many(np.ones((1, 2, 4, 4))), retrograde.PositionError, "two pieces are"),
        (lambda game: game.planes(np.full((1, 2, 4, 4), 0.5)), retrograde.PositionError, "only 0 and 1"),
        (lambda game: game.planes(["OOOO"]), retrograde.PositionError, "number 0, .* 12 more squares"),
        (lambda game: game.start.play("a1a9"), retrograde.TurnError, "a row from 1 to 4"),
        (lambda game: game.sample(1, outcome="victory"), retrograde.UsageError, "not victory"),
        (lambda game: game.picture(theme="pink"), retrograde.UsageError, "`light` or `dark`"),
        (lambda game: game.position(to_move="third"), retrograde.UsageError, "`first` or `second`"),
        (lambda game: game.probe(3.5), retrograde.UsageError, "a string, an index or planes"),
        (lambda game: retrograde.solve("chess"), retrograde.UsageError, "`game` .* open"),
        (lambda game: game.probe_many([game.start.text, None]), retrograde.PositionError, "number 1, .*`None`"),
        (lambda game: game.planes([None]), retrograde.PositionError, "number 0, .*`None`"),
        (lambda game: game.texts(np.array([None, None])), retrograde.PositionError, "number 0, .*`None`"),
        (lambda game: game.probe_many(game.start.text), retrograde.UsageError, "`positions`"),
        (lambda game: game.probe_many(), retrograde.UsageError, "either `positions` or `indices`"),
        (lambda game: game.probe_many([1], indices=[1]), retrograde.UsageError, "either `positions` or `indices`"),
        (lambda game: game.planes(np.full((1, 2, 4, 4), 256)), retrograde.PositionError, "only 0 and 1"),
    ],
)
def test_errors_say_what_and_where(ask: object, kind: type[Exception], words: str, touchdown: Game) -> None:
    assert callable(ask)
    with pytest.raises(kind, match=words) as raised:
        ask(touchdown)
    assert isinstance(raised.value, (ValueError, TypeError))
    if isinstance(raised.value, retrograde.RetrogradeError):
        copied = pickle.loads(pickle.dumps(raised.value))
        assert (str(copied), copied.kind) == (str(raised.value), raised.value.kind)


def test_positions_of_other_games_are_refused() -> None:
    """Also positions of a variant, whose texts could be parsed."""
    game = retrograde.open("tactics:3x2", tables=None)
    other = retrograde.open("tactics:3x2,normal", tables=None, solve=False).start
    game.probe(other.text)
    for ask in (game.probe, game.position, game.legal_turns, game.picture, game.line, game.turns):
        with pytest.raises(retrograde.PositionError, match="belongs to tactics:3x2,normal, not to tactics:3x2"):
            ask(other)
    for many in (game.probe_many, game.planes, game.indices, game.texts):
        with pytest.raises(retrograde.PositionError, match="belongs to"):
            many([game.start, other])
    with pytest.raises(retrograde.PositionError, match="belongs to"):
        game.annotate([], other)
    with pytest.raises(retrograde.PositionError, match="belongs to"):
        retrograde.judge(game, lambda position: "a1", [other])
    # The same game opened again counts as the same game.
    again = retrograde.open("tactics:3x2", tables=None, solve=False)
    assert game.probe(again.start)["turns"] == game.start.value()["turns"]


def test_large_games_are_not_solved_unasked(tmp_path: Path) -> None:
    with pytest.raises(retrograde.TooLargeError, match="401,567,166,000 positions.*solve=True") as raised:
        retrograde.open("pushfight", tables="no such folder")
    assert raised.value.kind == "too-large"
    assert "there is no folder “no such folder”" in str(raised.value)
    game = retrograde.open("pushfight", tables=tmp_path, solve=False)
    assert not game.has_table
    with pytest.raises(retrograde.NoTableError, match="there is no table of pushfight:standard"):
        game.stats()
    with pytest.raises(LookupError):
        game.probe_many([5])
    # A turn that ejects a piece is found without a table.
    assert game.probe("Ox..xO...X.Y...oO.X...o...", nodes=1000, seconds=1)["source"] == "search"
    assert not Path("no such folder").exists()


def test_tables_are_those_of_the_command_line(tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    solved = retrograde.open("touchdown:3x4", tables=tables, solve=True)
    assert solved.solved is not None and solved.solved["positions"] == solved.stats()["positions"]
    assert (tables / "touchdown_3x4" / "manifest.json").is_file()
    again = retrograde.open("touchdown:3x4", tables=str(tables), solve=False)
    assert again.solved is None and again.has_table
    everything = again.sample(10**6)
    in_memory = retrograde.open("touchdown:3x4", tables=None)
    assert np.array_equal(again.probe_many(everything), in_memory.probe_many(everything))
    assert again.verify()["proved"] and again.verify(10)["errors"] == []
    values = tables / "touchdown_3x4" / "values.rgt"
    damaged = bytearray(values.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    values.write_bytes(damaged)
    with pytest.raises(retrograde.TableError):
        retrograde.open("touchdown:3x4", tables=tables, solve=False).probe_many(everything)


def test_folders_that_do_not_exist_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RETROGRADE_TABLES", raising=False)
    # The default folder does not need to exist.
    assert not retrograde.open("tactics:2x2", solve=False).has_table
    for typo in ("typo", [tmp_path, "typo"]):
        with pytest.raises(retrograde.FileError, match="`tables`: there is no folder “typo”") as raised:
            retrograde.open("tactics:2x2", tables=typo, solve=False)
        assert isinstance(raised.value, OSError)
    # A new table is written to the first folder, which may be missing; the others must exist.
    with pytest.raises(retrograde.FileError, match="no folder “typo”"):
        retrograde.open("tactics:2x2", tables=[tmp_path, "typo"], solve=True)
    with pytest.warns(UserWarning, match="no folder “new”.*creating it for tactics:2x2"):
        retrograde.open("tactics:2x2", tables="new")
    retrograde.open("tactics:3x2", tables="newer", solve=True)
    assert (tmp_path / "newer" / "tactics_3x2" / "manifest.json").is_file()


def test_several_folders_are_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, second = tmp_path / "first", tmp_path / "second: 2"
    first.mkdir()
    retrograde.open("tactics:2x2", tables=second, solve=True)
    assert retrograde.open("tactics:2x2", tables=[first, second], solve=False).has_table
    game = retrograde.open("tactics:2x2", tables=(first, second))
    assert game.solved is None and pickle.loads(pickle.dumps(game)).has_table
    retrograde.open("tactics:3x2", tables=[first, second])
    assert (first / "tactics_3x2").is_dir() and not (second / "tactics_3x2").exists()
    monkeypatch.setenv("RETROGRADE_TABLES", f"{first}{os.pathsep}{tmp_path}")
    assert retrograde.open("tactics:3x2", solve=False).has_table
    assert retrograde.open("tactics:3x2").solved is None and not (tmp_path / "tables").exists()
    monkeypatch.setenv("RETROGRADE_TABLES", "typo")
    with pytest.raises(retrograde.FileError, match="RETROGRADE_TABLES: there is no folder “typo”"):
        retrograde.open("tactics:2x2", solve=False)
    assert not retrograde.open("tactics:2x2", tables=None, solve=False).has_table


def test_ctrl_c_ends_a_solve_that_then_goes_on(tmp_path: Path) -> None:
    # Background jobs of a shell ignore the signal, and Python inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    heard: list[tuple[str, int, int]] = []

    def listen(stage: str, done: int, total: int) -> None:
        heard.append((stage, done, total))
        if done > 0:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        retrograde.open("touchdown:5x5", tables=tmp_path, solve=True, progress=listen)
    assert heard[-1][1] < heard[-1][2]
    assert not (tmp_path / "touchdown_5x5" / "manifest.json").exists()
    game = retrograde.open("touchdown:5x5", tables=tmp_path, solve=True)
    assert game.solved is not None
    assert any("resuming from what an earlier run saved" in note for note in game.solved["notes"])
    assert game.stats()["start"]["outcome"] in ("win", "loss")


def test_a_listener_may_raise() -> None:
    def listen(stage: str, done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        retrograde.open("touchdown:5x5", tables=None, solve=True, progress=listen)


def test_threads_share_a_game(touchdown: Game) -> None:
    """Other threads run during a batch, and all get the same answers."""
    indices = np.resize(touchdown.sample(10**9), 2_000_000)
    expected = touchdown.probe_many(indices)
    steps, over = 0, threading.Event()
    answers: list[tuple[np.ndarray, np.ndarray]] = []  # type: ignore[type-arg]

    def ask() -> None:
        answers.append(touchdown.probe_many(indices))
        over.set()

    asking = threading.Thread(target=ask)
    asking.start()
    while not over.is_set():
        steps += 1
    asking.join()
    assert steps > 0
    assert np.array_equal(answers[0], expected)


@pytest.mark.parametrize(("name", "plies"), [("touchdown:3x4", 4), ("pushfight:mini,moves=1", 3), ("tactics:3x3", 9)])
def test_a_book_agrees_with_probing(name: str, plies: int, tmp_path: Path) -> None:
    game = retrograde.open(name, tables=None)
    game.write_book(tmp_path / "book.csv", plies)
    with (tmp_path / "book.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    by_position: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        by_position.setdefault(row["position"], []).append(row)
    # All positions within these plies, each at the first ply that reaches it.
    reached = [{game.start.text}]
    for _ in range(1, plies):
        after = {turn["position"] for text in reached[-1] for turn in game.turns(text)}
        reached.append(after.difference(*reached))
    expected = {text: ply for ply, texts in enumerate(reached) for text in texts if game.position(text).over is None}
    assert {text: int(found[0]["ply"]) for text, found in by_position.items()} == expected
    for text in random.Random(1).sample(sorted(by_position), min(60, len(by_position))):
        probe = game.probe(text)
        assert [
            (row["outcome"], row["turns"], row["turn"], row["turn_position"], row["turn_outcome"], row["turn_turns"])
            for row in by_position[text]
        ] == [
            (*value(probe), turn["turn"], turn["position"], *value(turn)) for turn in probe["turns_available"]
        ]


def value(verdict: Any) -> tuple[str, str]:
    return verdict["outcome"], "" if verdict["turns"] is None else str(verdict["turns"])


def test_a_book_of_published_placements_needs_no_table(tmp_path: Path) -> None:
    without = retrograde.open("pushfight:mini", tables=None, solve=False)
    with pytest.raises(retrograde.NoTableError):
        without.write_book(tmp_path / "book.csv", 1)
    assert not list(tmp_path.iterdir())
    retrograde.open("pushfight", tables=None, solve=False).write_book(tmp_path / "book.csv", 1)
    with (tmp_path / "book.csv").open(encoding="utf-8", newline="") as file:
        found = Counter((row["turn_outcome"], row["turn_turns"]) for row in csv.DictReader(file))
    published = json.loads((ROOT / "docs" / "results" / "push-fight-openings.json").read_bytes())["placements"]
    assert found == {(*value(placed),): placed["count"] for placed in published}
