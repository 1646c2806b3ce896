"""Play games of verify.py with draws that somebody has chosen, as no seeds are known for.

Reads lines of {"rules", "config", "draws", "outcome", "multiplier"}, with "actions" of
rounds that were played step by step, and prints for each what differs, "" for nothing.
The multiplier is exact: "2.5", or "16731/3500".
"""

import json
import sys
from fractions import Fraction

import verify


def differs(line):
    given = json.loads(line, parse_float=verify.read_decimal)
    draws, actions = iter(given["draws"]), given.get("actions")
    try:
        outcome, multiplier = verify.decide(given["rules"], given["config"], actions, draws)
    except (StopIteration, RuntimeError):  # the latter where a generator has met the former
        return "takes more draws"
    except verify.Unverifiable as reason:
        return str(reason)
    if not verify.same(given["outcome"], outcome):
        return "outcome: " + verify.show(outcome)
    if Fraction(given["multiplier"]) != multiplier:
        return "multiplier: %s" % multiplier
    left = len(list(draws))
    return "takes %d draws less" % left if left and actions is None else ""


for each in sys.stdin:
    print(json.dumps(differs(each)))
