"""Sends ten requests to a server (argument: its URL) with a generated client, and prints one answer per line."""

import sys

from retrograde_client import Client
from retrograde_client.api.games import game, games, rules, stats
from retrograde_client.api.positions import annotate, batch, line, position, position_in_path
from retrograde_client.models import Batch, PlayedGame

client = Client(base_url=sys.argv[1])
known = {one.about.game: one.table for one in games.sync(client=client).games}
print("games", known["touchdown:3x3"], known["tactics:6x6"])
print("game", game.sync("touchdown:6x6", client=client).about.positions)
print("rules", len(rules.sync("tactics:3x3", client=client).examples))
numbers = stats.sync("touchdown:3x3", client=client)
print("stats", numbers.positions, numbers.start.outcome.value, numbers.start.turns)
probe = position.sync("touchdown:3x3", client=client, limit=2)
print("position", probe.outcome.value, probe.turns, probe.turns_available[0].turn, probe.page.next_)
inner = position_in_path.sync("tactics:3x3", "XX_/___/___", client=client)
print("path", inner.source.value, inner.turns)
some = batch.sync("touchdown:3x3", client=client, body=Batch(positions=["OOO/.../XXX", "?"])).answers
print("batch", some[0].answer.outcome.value, some[1].problem.type_)
best = line.sync("touchdown:3x3", client=client, limit=3)
print("line", len(best.line), best.ends.value)
played = annotate.sync("touchdown:3x3", client=client, body=PlayedGame(turns=["b1b2", "a1b2"]))
print("annotate", len(played.turns), played.turns[0].turn)
refused = position.sync_detailed("chess", client=client)
print("refused", refused.status_code.value, refused.parsed.type_)
