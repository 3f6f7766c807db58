"""All positions of a game, random positions, counts of turns, and values, using only rules.py.

`solve` is meant to be obviously right and not fast: it goes over all undecided positions again and
again, until nothing changes.
"""

import itertools
import sys

from .rules import EMPTY, PushFight, Tactics, TouchDown, fill, squares_of


def arrangements(pieces, length):
    """All texts of a length made of the given pieces ({"o": 2, …}) and empty squares."""
    texts = [EMPTY * length]
    for piece, count in pieces.items():
        texts = [fill(text, dict.fromkeys(squares, piece)) for text in texts
                 for squares in itertools.combinations(squares_of(EMPTY, text), count)]
    return texts


def shuffled(pieces, length, random):
    squares = "".join(piece * count for piece, count in pieces.items()).ljust(length, EMPTY)
    return "".join(random.sample(squares, length))


def with_anchor(game, side):
    """The letters of the pieces in a position of Push Fight with a given side to move."""
    (own, own_pawns), (other, other_pawns) = game.sides[side], game.sides[1 - side]
    return {"O": own, "o": own_pawns, "Y": 1, "X": other - 1, "x": other_pawns}


def all_positions(game):
    """All positions that Retrograde counts. Of Push Fight those with all pieces and an anchor. Of
    TouchDown those with up to a row of pawns a side, one of them of the opponent, since it has just
    moved, and no own pawn where it would have won already."""
    if isinstance(game, Tactics):
        return [game.text("".join(s)) for s in itertools.product("_X", repeat=len(game.names))]
    if isinstance(game, TouchDown):
        most, size = game.width, game.width * game.height
        texts = (text for own in range(most + 1) for other in range(1, most + 1)
                 for text in arrangements({"X": own, "O": other}, size))
        return [game.text(text) for text in texts if "X" not in text[:game.width]]
    sides = (0,) if game.sides[0] == game.sides[1] else (0, 1)
    size = len(game.start)
    return [text for side in sides for text in arrangements(with_anchor(game, side), size)]


def random_position(game, random):
    """Any position; of Push Fight one without an anchor in one case of eight."""
    if isinstance(game, Tactics):
        return game.text("".join(random.choices("_X", k=len(game.names))))
    if isinstance(game, TouchDown):
        pieces = {"X": random.randint(0, game.width), "O": random.randint(1, game.width)}
        own_rank = EMPTY * game.width  # Otherwise it would contain an opponent's pawn most of the time.
        text = shuffled(pieces, game.width * (game.height - 1), random) + own_rank
        if random.randrange(2) == 0:
            text = shuffled(pieces, game.width * game.height, random)
        return game.text(text) if "X" not in text[:game.width] else random_position(game, random)
    side = random.randrange(2)
    text = shuffled(with_anchor(game, side), len(game.start), random)
    return text.replace("Y", "X") if side == 0 and random.randrange(8) == 0 else text


def perft(game, position, most):
    """A depth of up to 5, and how many leaves the game tree has there.

    A leaf is a sequence of exactly so many turns; turns that lead to the same position are one.
    The tree grows as long as its last level has no more than `most` positions."""
    depth, leaves = 0, [position]
    while depth < 5 and 0 < len(leaves) <= most:
        depth, leaves = depth + 1, [after for before in leaves for after in game.turns(before)]
    return depth, len(leaves)


def counted(game, position):
    """Whether a turn in this position counts: all do except placements."""
    return 0 if isinstance(game, PushFight) and game.placing(position) else 1


def back_up(after, turn):
    """The value of a position from the values of the positions after its turns.

    A value is an outcome and the turns to the end, or None if there is none, or none yet. The
    winner hurries, the loser delays. `turn` is 1, or 0 where a turn does not count."""
    losses = [value[1] for value in after if value and value[0] == "loss"]
    if losses:
        return "win", turn + min(losses)
    if all(value and value[0] == "win" for value in after):
        return "loss", turn + max(value[1] for value in after)
    return None


def solve(game, newest):
    """The values of positions and of all positions reachable from them; None is a draw."""
    turns = {}
    while newest:
        for position in newest:  # Interned, a text is kept once, however many turns lead to it.
            turns[position] = set(map(sys.intern, game.turns(position)))
        newest = {after for position in newest for after in turns[position]} - turns.keys()
    values = {position: None if turns[position] else (game.result(position), 0)
              for position in turns}
    changed = True
    while changed:
        found = {position: back_up([values[after] for after in turns[position]],
                                   counted(game, position))
                 for position, value in values.items() if value is None}
        found = {position: value for position, value in found.items() if value}
        changed = bool(found)
        values.update(found)
    return values
