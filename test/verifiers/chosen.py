"""Play games of verify.py with draws that somebody has chosen, as no seeds are known for.

Reads lines of {"rules", "config", "draws", "outcome", "multiplier"} and prints for
each what differs, "" for nothing. The multiplier is exact: "2.5", or "16731/3500".
"""

import json
import sys
from fractions import Fraction

import verify


def differs(line):
    given = json.loads(line, parse_float=verify.read_decimal)
    game, _ = verify.GAMES[given["rules"]]
    draws = iter(given["draws"])
    try:
        outcome, multiplier = game(verify.read_config(given["rules"], given["config"]), draws)
    except StopIteration:
        return "takes more draws"
    if not verify.same(given["outcome"], outcome):
        return "outcome: " + verify.show(outcome)
    if Fraction(given["multiplier"]) != multiplier:
        return "multiplier: %s" % multiplier
    left = len(list(draws))
    return "takes %d draws less" % left if left else ""


for each in sys.stdin:
    print(json.dumps(differs(each)))
