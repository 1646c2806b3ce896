"""Compare the choices of an open round with what the rules offer, as docs/fairness/steps.md says."""

from fractions import Fraction

import steps
import verify
from games import Unverifiable


def choices_fault(rules, choices, point, wager):
    """Say how the choices of an open round differ from what the rules offer, None if they don't."""
    if not all(isinstance(choice, dict) and isinstance(choice.get("action"), dict) and verify.is_text(choice["action"].get("type")) for choice in choices):
        return "one of them has no action"
    offered = [choice["action"]["type"] for choice in choices]
    if sorted(offered) != sorted(point.offered):
        return "they are %s, the rules offer %s" % (", ".join(offered), ", ".join(point.offered))
    for choice in choices:
        kind = choice["action"]["type"]
        stake = wager if kind in steps.STAKING.get(rules, ()) else 0
        if choice.get("stake", 0) != stake:
            return "%s has the stake %s, it stakes %d" % (kind, choice.get("stake"), stake)
        if kind in point.prizes and not (verify.is_number(choice.get("prize")) and verify.agrees("multiplier", choice["prize"], point.prizes[kind])):
            return "%s has the prize %s, it pays %s" % (kind, choice.get("prize"), verify.show(Fraction(point.prizes[kind])))
        if kind in point.chances and choice.get("chance") != str(point.chances[kind]):
            return "%s has the chance %s, it is %s" % (kind, choice.get("chance"), point.chances[kind])
        values = offered_values(choice)
        if "tile" in point.offered[kind] and not accepts_exactly(point.offered[kind]["tile"][0], values):
            return "%s offers other tiles than the rules" % kind
    return None


def offered_values(choice):
    """Return the values that the schema of a field `tile` allows."""
    try:
        tile = choice["fields"]["properties"]["tile"]
        return tile["enum"] if "enum" in tile else list(range(tile["minimum"], tile["maximum"] + 1))
    except (KeyError, TypeError):
        return []


def accepts_exactly(read, values):
    """Say whether a field of the rules accepts these tiles of 0 … 24 and no others."""
    for tile in range(25):
        try:
            read(tile)
            accepted = True
        except Unverifiable:
            accepted = False
        if accepted != (tile in values):
            return False
    return True
