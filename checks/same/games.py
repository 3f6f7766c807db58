"""The games, and the ways to solve each.

A way is a list of options for `solve`. Every way runs twice: once without interruption, and once
killed at random moments and resumed.
"""

from typing import NamedTuple


class Game(NamedTuple):
    """A game, and how it is checked."""

    name: str
    ways: tuple
    classic: bool = False  # Whether it belongs to `retrograde-classics`.
    shades: bool = False  # Whether shades of its draws are found.
    exported: bool = True  # Whether all its values are exported.
    proved: bool = True  # Whether `verify --full` takes minutes rather than hours.
    killed: bool = True  # Whether it is killed and resumed.
    asked: bool = True  # Whether commands and routes are asked about it.


SHORT = (
    Game("tactics:3x3", ("", "--outcome-only")),
    Game("touchdown:4x4", ("", "--threads 1", "--processes 2", "--reachable",
                           "--reachable --memory 10M", "--reachable --processes 2")),
    Game("pushfight:mini,pushers=1,pawns=1", (
        "", "--memory 16M", "--memory 17M", "--processes 2", "--memory 17M --with-wins",
        "--outcome-only", "--max-turns 2"), shades=True, asked=False),
)

# Answers are only recorded for the short list. They change with every better sentence, and recording
# them again takes an hour for the full list.
FULL = SHORT + tuple(game._replace(asked=False) for game in (
    Game("pushfight:mini,pawns=1", (
        "", "--memory 16M", "--memory 18M", "--processes 2", "--memory 18M --with-wins",
        "--outcome-only", "--max-turns 3", "--max-turns 3 --memory 18M"), shades=True),
    Game("tactics:5x5", ("", "--processes 2", "--outcome-only")),
    Game("touchdown:5x4", ("", "--processes 2", "--reachable", "--reachable --memory 20M",
                           "--reachable --processes 2")),
    Game("pushfight:mini", ("", "--memory 40M", "--memory 40M --keep-work", "--processes 2",
                            "--memory 40M --with-wins", "--outcome-only", "--max-turns 5"),
         shades=True),
    Game("connectfour:4x4", ("", "--reachable"), classic=True, shades=True),
    Game("dodgem:3x3", ("", "--reachable"), classic=True, shades=True),
    Game("teeko:4x4", ("", "--reachable"), classic=True, shades=True),
    Game("dodgem:5x5", ("", "--processes 2"), classic=True),
    Game("connectfour:5x5", ("", "--processes 2"), classic=True),
    Game("morris:6", ("", "--reachable", "--processes 2"), classic=True),
    Game("touchdown:5x5", ("", "--processes 2", "--reachable", "--reachable --memory 40M"),
         exported=False),
    Game("teeko:5x5", ("", "--memory 100M", "--processes 2", "--reachable",
                       "--reachable --memory 100M"), classic=True),
    Game("pushfight:twocolumn", ("--memory 1500M", "--memory 1500M --keep-work", "--memory 81M"),
         proved=False),
    Game("morris:9,men=5", ("",), classic=True, exported=False, killed=False),
    Game("pushfight:twocolumn", ("",), proved=False, killed=False),
    Game("touchdown:6x5", ("--reachable",), exported=False),
))

# Options that change what a table holds, with the number of values they take. Other options only
# change how the game is solved. Tables of reachable positions are not listed: they have their own
# form, which some games use without an option.
KEPT = {"--outcome-only": 0, "--with-wins": 0, "--max-turns": 1}


def kept(way):
    """Returns the options of a way that change what the table holds."""
    words, found = way.split(), []
    for place, word in enumerate(words):
        if word in KEPT:
            found += words[place:place + KEPT[word] + 1]
    return " ".join(found)
