"""Trains a small network to play TouchDown by self-play, and plots how far it is from perfect play during
training.

    pip install '.[plots]'
    python examples/train_touchdown.py --seconds 60 --out learning.png

The network has one hidden layer and uses only NumPy. It estimates the outcome of a position for the side to
move, and plays the turn after which the opponent's estimate is lowest. It learns from its own games: the
estimate of each position moves towards the estimate after the best turn. It never sees true values; they
are used to score it on the test split of an evaluation set. Its games never start at positions of this
split, or at symmetric images of them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import retrograde

#: Games that are played in parallel, to batch the evaluation.
TABLES = 256
#: Turns after which a game is abandoned.
LONGEST = 60


class Network:
    """Maps planes to an outcome between -1 and 1: one hidden layer, trained with Adam."""

    def __init__(self, inputs: int, hidden: int, rng: np.random.Generator) -> None:
        self.parameters = [
            rng.normal(0, (2 / inputs) ** 0.5, (inputs, hidden)),
            np.zeros(hidden),
            rng.normal(0, (1 / hidden) ** 0.5, hidden),
            np.zeros(1),
        ]
        self.moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.parameters]
        self.steps = 0

    def __call__(self, planes: np.ndarray) -> np.ndarray:
        """Estimates for the side to move: planes of shape (N, ...) to N numbers."""
        weights, bias, out, shift = self.parameters
        hidden = np.maximum(planes.reshape(len(planes), -1) @ weights + bias, 0)
        return np.tanh(hidden @ out + shift)

    def learn(self, planes: np.ndarray, targets: np.ndarray, rate: float) -> None:
        """A step towards targets, N numbers between -1 and 1."""
        weights, bias, out, shift = self.parameters
        inputs = planes.reshape(len(planes), -1).astype(np.float64)
        hidden = np.maximum(inputs @ weights + bias, 0)
        estimates = np.tanh(hidden @ out + shift)
        error = (estimates - targets) * (1 - estimates**2) / len(planes)
        back = np.outer(error, out) * (hidden > 0)
        gradients = [inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(keepdims=True)]
        self.steps += 1
        for parameter, gradient, (mean, square) in zip(self.parameters, gradients, self.moments):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            scale = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            parameter -= rate * (mean / (1 - 0.9**self.steps)) / scale


class Player:
    """A player that uses the network."""

    def __init__(self, game: retrograde.Game, hidden: int, seed: int) -> None:
        self.game = game
        self.rng = np.random.default_rng(seed)
        self.network = Network(int(np.prod(game.plane_shape)), hidden, self.rng)

    def estimates(self, texts: list[str]) -> np.ndarray:
        """The estimate for the side to move in each position; the outcome if the game is over."""
        found = self.network(self.game.planes(texts))
        # Finished positions have no index.
        for number in np.flatnonzero(self.game.indices(texts) < 0):
            over = self.game.position(texts[number]).over
            if over is not None:
                found[number] = {"win": 1.0, "draw": 0.0, "loss": -1.0}[over]
        return found

    def play(self, starts: list[str], explore: float, rate: float) -> None:
        """Plays a game from each start, and learns from every position in it."""
        positions = list(starts)
        for _ in range(LONGEST):
            listed = [[after for _, after in self.turns(text)] for text in positions]
            positions = [text for text, turns in zip(positions, listed) if turns]
            listed = [turns for turns in listed if turns]
            if not positions:
                return
            # The other player is to move after a turn.
            outlook = -self.estimates([after for turns in listed for after in turns])
            ends = np.cumsum([len(turns) for turns in listed])
            parts = np.split(outlook, ends[:-1])
            self.network.learn(self.game.planes(positions), np.array([part.max() for part in parts]), rate)
            chosen = [int(part.argmax()) for part in parts]
            for number in np.flatnonzero(self.rng.random(len(chosen)) < explore):
                chosen[number] = int(self.rng.integers(len(listed[number])))
            positions = [turns[choice] for turns, choice in zip(listed, chosen)]

    def turns(self, text: str) -> list[tuple[str, str]]:
        """The turns of a position, each with the position after it; empty if the game is over."""
        position = self.game.position(text)
        if position.over is not None:
            return []
        return [(turn, position.play(turn).text) for turn in self.game.legal_turns(position)]

    def choice(self, row: retrograde.EvaluationRow) -> str:
        """The player's turn in a position of an evaluation set."""
        turns = row["turns_available"]
        return turns[int(self.estimates([turn["turn_position"] for turn in turns]).argmin())]["turn"]


def judged(player: Player, rows: retrograde.EvaluationSet) -> dict[str, Any]:
    """The scores of a player."""
    values = retrograde.judge_values(player.estimates(rows.positions), rows.outcomes)
    return {**rows.judge(player.choice), **values}


def draw(history: list[dict[str, Any]], chance: dict[str, Any], title: str, out: Path) -> None:
    """Plots the history of a training."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 5.2), constrained_layout=True)
    figure.suptitle(title)
    games = [entry["games"] for entry in history]
    rates = [
        ("optimal_rate", "best turn", "tab:blue"),
        ("optimal_rate_won", "best turn, in won positions", "tab:cyan"),
        ("outcome_kept_rate", "outcome kept", "tab:green"),
        ("sign_accuracy", "outcome told", "tab:orange"),
    ]
    for name, label, colour in rates:
        left.plot(games, [100 * (1 - entry[name]) for entry in history], color=colour, label=label)
        if name in chance:
            left.axhline(100 * (1 - chance[name]), color=colour, linestyle=":", linewidth=1)
    left.set(xlabel="games played", ylabel="missed, in % of positions", ylim=(0, None))
    left.set_title("Distance from perfect play (0 is perfect; dotted: random turns)", fontsize=10)
    costs = [
        ("outcome_regret", "outcome lost per turn (win 1, loss -1)", "tab:red"),
        ("cross_entropy", "cross-entropy of estimates, in nats", "tab:purple"),
        ("turns_regret", "turns lost if the outcome is kept", "tab:brown"),
    ]
    for name, label, colour in costs:
        right.plot(games, [entry[name] for entry in history], color=colour, label=label)
    right.set(xlabel="games played", ylim=(0, None))
    right.set_title("Cost (0 is perfect)", fontsize=10)
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.set_xlim(0, games[-1])
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=1 if axes is right else 2, fontsize=9)
    figure.savefig(out, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains a small network, and plots how far it is from perfect play.")
    parser.add_argument("--game", default="touchdown:4x4", help="a small game with planes (%(default)s)")
    parser.add_argument("--seconds", type=float, default=60, help="time to train (%(default)s)")
    parser.add_argument("--games", type=int, help="the maximum number of training games")
    parser.add_argument("--hidden", type=int, default=128, help="the number of hidden units (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the random seed (%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("learning.png"), help="the plot (%(default)s)")
    parser.add_argument("--history", type=Path, help="a JSON file for the figures")
    args = parser.parse_args()

    game = retrograde.open(args.game, tables=None)
    with tempfile.TemporaryDirectory() as folder:
        game.write_evaluation_set(Path(folder) / "set", 30_000, seed=args.seed)
        train, test = (retrograde.load_set(Path(folder) / "set", split) for split in ("train", "test"))
        test = test[:1000]
    player = Player(game, args.hidden, args.seed)
    rng = np.random.default_rng(args.seed)
    chance = test.judge(lambda row: {turn["turn"]: 1.0 for turn in row["turns_available"]})
    history = [{"games": 0, "seconds": 0.0, **judged(player, test)}]
    began, played = time.monotonic(), 0
    while True:
        passed = time.monotonic() - began
        share = passed / args.seconds if args.games is None else played / args.games
        if passed >= args.seconds or share >= 1:
            break
        # Half of the games begin at the start, the others at random positions.
        starts = [game.start.text] * (TABLES // 2)
        starts += [train.positions[number] for number in rng.integers(len(train), size=TABLES - len(starts))]
        player.play(starts, explore=0.25, rate=0.003 * (1 - 0.9 * share))
        played += TABLES
        if share * 40 >= len(history):
            history.append({"games": played, "seconds": time.monotonic() - began, **judged(player, test)})
            latest = history[-1]
            print(
                f"{latest['games']:>7} games, {latest['seconds']:5.1f} s: best turn {latest['optimal_rate']:.1%}, "
                f"outcome kept {latest['outcome_kept_rate']:.1%}, outcome predicted {latest['sign_accuracy']:.1%}"
            )
    history.append({"games": played, "seconds": time.monotonic() - began, **judged(player, test)})
    if args.history is not None:
        args.history.write_text(json.dumps({"chance": chance, "history": history}), encoding="utf-8")
    title = f"A network of {args.hidden} units learns {game.title} by self-play ({history[-1]['seconds']:.0f} s)"
    draw(history, dict(chance), title, args.out)
    print(f"the plot is {args.out}")


if __name__ == "__main__":
    main()
