"""The rules of Push Fight, TouchDown and Tactics, written a second time.

Written from these texts alone; the Rust code was not read, and nothing here is shared with it:

- "Solving Push Fight", the README of the first complete solution: pieces, turns, anchor, notation;
- J. Bosboom, E. D. Demaine, M. Rudoy, "Computational Complexity of Generalized Push Fight",
  section 2: any board, side rails, holes, who loses;
- touchdown_db, README: TouchDown; "Solving Tactics" (Bob Sidebotham): Tactics;
- docs/generalised-push-fight.md, docs/json.md and `retrograde games`: names of games, drawings of
  boards, texts of positions and turns; the shapes of the named boards are the pictures that
  `retrograde probe` prints.

`game(name)` gives an object with `start`, and with functions of a position, which is a text seen by
the side to move: `turns(position)` is the set of positions that its turns lead to, each seen by the
player who is to move then; it is empty if the game is over. `result(position)` is "win" or "loss"
for the side to move if the game is over, else None. `play(position, turn)` makes one turn, given as
text, and raises ValueError where the rules forbid it.

Clear before fast: positions stay texts. checks/README.md lists what the texts leave open.
"""

import itertools
import os
import re

EMPTY = "."


def game(name):
    """The game with a name such as `pushfight:mini,moves=1`, `touchdown:5x4`, `tactics,normal`."""
    family, *options = name.split(",")
    family, _, variant = family.partition(":")
    options = dict(option.partition("=")[::2] for option in options)
    if family == "pushfight":
        return PushFight.named(variant or "standard", options)
    width, height = (int(size) for size in (variant or "4x4").split("x"))
    if family == "tactics":
        return Tactics(width, height, int(options.get("line", 4)), normal="normal" in options)
    if family == "touchdown":
        return TouchDown(width, height)
    raise ValueError(f"no game is called {name}")


def square_name(row, column, rows):
    """Columns from the left are a … z, aa, ab …; rows from below are 1, 2 …"""
    letter = chr(ord("a") + column % 26)
    return (chr(ord("a") + column // 26 - 1) if column >= 26 else "") + letter + str(rows - row)


def squares_of(pieces, text):
    return [square for square, piece in enumerate(text) if piece in pieces]


def fill(text, changes):
    squares = list(text)
    for square, piece in changes.items():
        squares[square] = piece
    return "".join(squares)


class Grid:
    """A rectangle of squares, numbered row by row from the top; texts have a `/` between rows."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        places = itertools.product(range(height), range(width))
        self.names = [square_name(row, column, height) for row, column in places]

    def text(self, squares):
        return "/".join(squares[row:row + self.width] for row in range(0, len(squares), self.width))


class Tactics(Grid):
    """Fill one to `line` adjacent squares of a row or column; the player who fills the last one loses."""

    def __init__(self, width, height, line, normal):
        super().__init__(width, height)
        self.start = self.text("_" * width * height)
        self.full = self.start.replace("_", "X")
        self.when_full = "loss" if normal else "win"  # For the player to move on a full board.
        self.lines = {}  # The name of a line, such as a1 or a1-c1, and its squares.
        for row, column, length in itertools.product(range(height), range(width), range(line)):
            for down, right in ((0, length), (length, 0)):
                if row + down < height and column + right < width:
                    first, last = row * width + column, (row + down) * width + column + right
                    squares = list(range(first, last + 1, width if down else 1))
                    for ends in (first, last), (last, first):
                        name = "-".join(dict.fromkeys(self.names[end] for end in ends))
                        self.lines[name] = squares

    def result(self, position):
        return self.when_full if position == self.full else None

    def turns(self, position):
        squares = position.replace("/", "")
        return {self.text(fill(squares, dict.fromkeys(line, "X"))) for line in self.lines.values()
                if all(squares[square] == "_" for square in line)}

    def play(self, position, turn):
        squares, line = position.replace("/", ""), self.lines.get(turn, ())
        if not line or any(squares[square] != "_" for square in line):
            raise ValueError(f"{turn} is no turn in {position}")
        return self.text(fill(squares, dict.fromkeys(line, "X")))


class TouchDown(Grid):
    """Pawns step forward onto empty squares and capture diagonally forward. A player who reaches the
    other back rank wins; a player without a turn loses. The side to move is X and goes up."""

    def __init__(self, width, height):
        super().__init__(width, height)
        middle = EMPTY * width * (height - 2)
        self.start = self.text("O" * width + middle + "X" * width)

    def result(self, position):
        lost = "O" in position.split("/")[-1] or not self.pawn_turns(position)
        return "loss" if lost else None

    def pawn_turns(self, position):
        """All steps and captures, as the squares from and to."""
        squares, pairs = position.replace("/", ""), []
        for source in squares_of("X", squares[self.width:]):  # This index is the square ahead.
            for side, there in ((0, EMPTY), (-1, "O"), (1, "O")):
                on_board = 0 <= source % self.width + side < self.width
                if on_board and squares[source + side] == there:
                    pairs.append((source + self.width, source + side))
        return pairs

    def turns(self, position):
        if self.result(position):
            return set()
        return {self.moved(position, *pair) for pair in self.pawn_turns(position)}

    def moved(self, position, source, target):
        """After the move the other side sees the board from its own end, and its pawns as X."""
        squares = fill(position.replace("/", ""), {source: EMPTY, target: "X"})
        return self.text(squares[::-1].translate(str.maketrans("XO", "OX")))

    def play(self, position, turn):
        for source, target in [] if self.result(position) else self.pawn_turns(position):
            if turn == self.names[source] + self.names[target]:
                return self.moved(position, source, target)
        raise ValueError(f"{turn} is no turn in {position}")


OFF, RAIL = -1, -2  # The neighbour across an edge of the board.
SWAPPED = str.maketrans("oOxXYP", "xXoOOY")  # A new anchor is P until the other side is to move.


class PushFight:
    """Up to `moves` moves of own pieces along empty squares, then a push by a pusher. `oO` are
    pawns and pushers of the side to move, `xX` the opponent's, `Y` its pusher with the anchor."""

    def __init__(self, drawing, moves, pushers, pawns, homes):
        """`pushers`, `pawns` and `homes` (where to place) are pairs for the first and the second player."""
        lines = drawing.split("\n")
        rows, columns = len(lines) // 2, len(lines[0]) // 2
        lines = [line.ljust(2 * columns + 1) for line in lines]
        places = [(row, column) for row in range(rows) for column in range(columns)
                  if lines[2 * row + 1][2 * column + 1] not in " #"]
        number = {place: square for square, place in enumerate(places)}
        self.names = [square_name(row, column, rows) for row, column in places]
        self.steps = [[  # The neighbours above, below, left and right of each square.
            number.get((row + down, column + right),
                       OFF if lines[2 * row + 1 + down][2 * column + 1 + right] == " " else RAIL)
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))] for row, column in places]
        self.moves = moves
        self.start = "".join(lines[2 * row + 1][2 * column + 1] for row, column in places)
        self.sides = list(zip(pushers, pawns))
        if self.start != EMPTY * len(places):  # The drawing contains the pieces.
            self.start = self.start.translate(SWAPPED) if "P" in self.start else self.start
            self.sides = [self.count("oO", self.start), self.count("xX", self.start)]
        halves = ([s for s, (_, column) in enumerate(places) if column < columns // 2],
                  [s for s, (_, column) in enumerate(places) if column >= (columns + 1) // 2])
        self.homes = [[self.names.index(name) for name in home] or half
                      for home, half in zip(homes, halves)]

    @classmethod
    def named(cls, variant, options):
        """A named board, or a board file, with the options of the name of the game."""
        if variant == "2k3p":
            variant, options = "standard", {"pushers": "2", "pawns": "3", **options}
        known = os.path.join(os.path.dirname(__file__), "boards", variant + ".board")
        with open(known if os.path.exists(known) else variant, encoding="utf-8") as file:
            lines = file.read().strip("\n").split("\n")
        keys = {"moves": "2", "pushers": "3", "pawns": "2", "first": "", "second": ""}
        for line in lines + [f"{key}={value}" for key, value in options.items()]:
            key, is_key, value = (part.strip() for part in line.partition("="))
            if is_key:
                keys[key] = value
        pushers, pawns = ([int(count) for count in (keys[kind] + "-" + keys[kind]).split("-")[:2]]
                          for kind in ("pushers", "pawns"))
        drawing = "\n".join(line for line in lines if line.strip() and "=" not in line)
        return cls(drawing, float("inf") if keys["moves"] == "unlimited" else int(keys["moves"]),
                   pushers, pawns, [re.findall(r"\w+", keys[side]) for side in ("first", "second")])

    @staticmethod
    def count(pieces, position):
        """The numbers of pawns and pushers of a side, `oO` or `xX`."""
        pawn, pusher = pieces
        anchored = position.count("Y") if pusher == "X" else 0
        return position.count(pusher) + anchored, position.count(pawn)

    def side(self, position):
        """The side to move, 0 for the first player. An opponent that has just pushed has all its pieces."""
        if "Y" in position:
            return 1 if self.count("xX", position) == self.sides[0] else 0
        return 1 if self.placing(position) and position != EMPTY * len(position) else 0

    def placing(self, position):
        return not squares_of("oOY", position)

    def ejected(self, position):
        """Whether the side to move has lost a piece, and so the game."""
        side = self.sides[self.side(position)]
        return not self.placing(position) and self.count("oO", position) != side

    def result(self, position):
        return None if self.turns(position) else "loss"

    def turns(self, position):
        if self.ejected(position):
            return set()
        if self.placing(position):
            side = self.side(position)
            return {after.translate(SWAPPED) for after in self.placed(position, side)}
        reached, newest, moves = {position}, {position}, 0
        while newest and moves < self.moves:
            newest = {after for before in newest for after in self.moved(before)} - reached
            reached, moves = reached | newest, moves + 1
        return {after.translate(SWAPPED) for before in reached for after in self.pushed(before)}

    def placed(self, position, side):
        (pushers, pawns), home = self.sides[side], self.homes[side]
        for squares in itertools.combinations(home, pushers):
            rest = [square for square in home if square not in squares]
            for others in itertools.combinations(rest, pawns):
                yield fill(position, {**dict.fromkeys(squares, "O"), **dict.fromkeys(others, "o")})

    def moved(self, position):
        return [fill(position, {source: EMPTY, target: position[source]})
                for source in squares_of("oO", position)
                for target in self.reachable(position, source)]

    def reachable(self, position, source):
        """The empty squares that a piece can reach over empty squares."""
        reached, newest = set(), [source]
        while newest:
            around = {step for square in newest for step in self.steps[square] if step >= 0}
            newest = [step for step in around if position[step] == EMPTY and step not in reached]
            reached.update(newest)
        return reached

    def pushed(self, position):
        pushes = (self.push(position, source, direction)
                  for source in squares_of("O", position) for direction in range(4))
        return [after for after in pushes if after]

    def push(self, position, source, direction):
        """The position after a push, with the pusher as P, or None if the rules forbid it."""
        line, ahead = [source], self.steps[source][direction]
        while ahead >= 0 and position[ahead] != EMPTY:
            line.append(ahead)
            ahead = self.steps[ahead][direction]
        shifted = [position[square] for square in line[1:]]
        if not shifted or "Y" in shifted or ahead == RAIL:
            return None
        if ahead == OFF and shifted[-1] in "oO":
            return None  # It would eject an own piece.
        targets = line[1:] + ([ahead] if ahead >= 0 else [])
        return fill(position, {source: EMPTY, **dict(zip(targets, ["P"] + shifted))})

    def play(self, position, turn):
        after = self.place(position, turn) if ":" in turn else self.move_and_push(position, turn)
        if after is None or self.ejected(position):
            raise ValueError(f"{turn} is no turn in {position}")
        return after.translate(SWAPPED)

    def place(self, position, turn):
        """A placement such as `O:a2,b1 o:b2,c1`; the other side writes `X` and `x`."""
        changes = {self.names.index(name): piece.translate(str.maketrans("xX", "oO"))
                   for piece, names in re.findall(r"(\w):(\S+)", turn) for name in names.split(",")}
        after = fill(position, changes)
        side = self.side(position)
        whole = self.count("oO", after) == self.sides[side] and self.placing(position)
        return after if whole and set(changes) <= set(self.homes[side]) else None

    def move_and_push(self, position, turn):
        """Moves and a push such as `d1-a2,d3-c3,c2-d2`."""
        *moves, push = ([self.names.index(name) for name in step.split("-")]
                        for step in turn.split(","))
        for source, target in moves:
            if position[source] not in "oO" or target not in self.reachable(position, source):
                return None
            position = fill(position, {source: EMPTY, target: position[source]})
        source, target = push
        if len(moves) > self.moves or position[source] != "O" or target not in self.steps[source]:
            return None
        return self.push(position, source, self.steps[source].index(target))
