"""Random unusual boards of Push Fight: holes, islands, rails anywhere, uneven sides."""

from .rules import square_name


def random_board(random, squares, fewest=4):
    """The text of a board file with a limited number of squares, with room for all pieces."""
    while True:
        rows, columns = random.randint(1, 6), random.randint(2, 9)
        holes = random.choice((0, 0.15, 0.4))
        places = [(row, column) for row in range(rows) for column in range(columns)
                  if random.random() >= holes]
        if fewest <= len(places) <= squares:
            break
    names = [square_name(row, column, rows) for row, column in places]
    random.shuffle(names)
    half = len(names) // 2
    largest = min(half, 5)
    pieces = [split(random.randint(1, largest), random) for _ in range(2)]
    if random.random() < 0.7:
        pieces[1] = pieces[0]
    many = (3, "unlimited") if len(places) <= 10 else ()  # On larger boards that takes minutes.
    keys = {"moves": random.choice((0, 1, 1, 2, 2, 2) + many),
            "pushers": f"{pieces[0][0]}-{pieces[1][0]}", "pawns": f"{pieces[0][1]}-{pieces[1][1]}",
            "first": ", ".join(names[:random.randint(largest, half)]),
            "second": ", ".join(names[-random.randint(largest, half):])}
    lines = drawing(random, rows, columns, places)
    if random.random() < 0.2:  # The drawing contains the pieces at the start.
        del keys["pushers"], keys["pawns"]
        draw_pieces(random, lines, places, pieces)
    head = [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(head + ["".join(line).rstrip() for line in lines]) + "\n"


def split(pieces, random):
    """Pushers and pawns; each side has at least one pusher."""
    pushers = random.randint(1, min(3, pieces))
    return pushers, pieces - pushers


def drawing(random, rows, columns, places):
    """The characters of the lines; an edge between a square and empty space has a rail or not."""
    lines = [list(("+ " if line % 2 == 0 else " #") * columns + ("+" if line % 2 == 0 else " "))
             for line in range(2 * rows + 1)]
    often = random.choice((0, 0.3, 0.6, 0.9))
    for row, column in places:
        lines[2 * row + 1][2 * column + 1] = "."
        for down, right, rail in ((-1, 0, "-"), (1, 0, "-"), (0, -1, "|"), (0, 1, "|")):
            if (row + down, column + right) not in places and random.random() < often:
                lines[2 * row + 1 + down][2 * column + 1 + right] = rail
    return lines


def draw_pieces(random, lines, places, pieces):
    """One side's on some squares and the other's on others; sometimes a pusher has the anchor."""
    (own, own_pawns), (other, other_pawns) = pieces
    text = "O" * own + "o" * own_pawns + "X" * other + "x" * other_pawns
    anchor = random.choice(("", "OP", "XY"))
    text = text.replace(*anchor, 1) if anchor else text
    for (row, column), piece in zip(random.sample(places, len(text)), text):
        lines[2 * row + 1][2 * column + 1] = piece
