"""Lines of a capture, and what is read from them, for captures.py and players.py."""

import re
from decimal import Decimal

import verify
from receipts import Number, as_whole


class Malformed(Exception):
    """What a line lacks."""


def member(thing, name, kind):
    """Return a member of one of the kinds str, int, list, dict, or raise that it is missing."""
    value = thing.get(name) if isinstance(thing, dict) else None
    if kind is int:
        value = as_whole(value) if isinstance(value, Number) else None
    if value is None or (kind is str and isinstance(value, Number)) or not isinstance(value, kind):
        raise Malformed("%s is missing or has another form" % name)
    return value


def plain(value):
    """Return a JSON value with its numbers as integers and decimals."""
    if isinstance(value, Number):
        if re.fullmatch("-?[0-9]{1,40}", value):
            return int(value)
        if re.fullmatch(r"-?[0-9]{1,40}\.[0-9]{1,400}", value):
            return Decimal(value)
        raise Malformed("the number %s has another form" % value[:40])
    if isinstance(value, dict):
        return {name: plain(of) for name, of in value.items()}
    if isinstance(value, list):
        return [plain(of) for of in value]
    return value


def hidden_seed(value):
    """Say whether an answer has a server seed somewhere."""
    if isinstance(value, dict):
        return value.get("serverSeed") is not None or any(map(hidden_seed, value.values()))
    return isinstance(value, list) and any(map(hidden_seed, value))


class Pair:
    """A seed pair in use: its rounds and the bets that were declined, by the nonce that waited."""

    def __init__(self, commitment, client_seed):
        self.commitment, self.client_seed, self.seed = commitment, client_seed, None
        self.nonce, self.rounds, self.declined = 0, [], {}
        self.void = False  # whether a void round has ended it


class Round:
    """A round: how it was asked for, and each answer about it."""

    def __init__(self, pair, asked, config, line):
        self.pair, self.asked, self.config, self.line = pair, asked, config, line
        self.answers, self.held = [], False  # (line, round) in order, and whether the last one has a receipt that holds
        self.balance = 0  # after the last answer

    @property
    def last(self):
        return self.answers[-1][1]

    def is_open(self):
        return self.last.get("status") == "open"

    def staked(self):
        return self.last["stake"] if self.is_open() else self.last["wager"]


def read_round(answered):
    """Return the round of an answer, if it has all that the checks need."""
    shown = plain(member(answered, "round", dict))
    needed = dict(NEEDED, **(OPEN if shown.get("status") == "open" else ENDED))
    for name, is_one in needed.items():
        if name not in shown or not is_one(shown[name]):
            raise Malformed("round.%s is missing or has another form" % name)
    if not isinstance(shown.get("actions"), (list, type(None))) or not all(isinstance(action, dict) for action in shown.get("actions") or []):
        raise Malformed("round.actions has another form")
    return shown


NEEDED = {"id": verify.is_text, "token": verify.is_text, "clientSeedSource": verify.is_text, "createdAt": verify.is_whole}
NEEDED.update({name: verify.MEMBERS[name][1] for name in ("gameType", "rules", "config", "serverSeedHash", "clientSeed", "nonce", "wager")})
ENDED = {name: verify.MEMBERS[name][1] for name in ("outcome", "multiplier", "payout")}
OPEN = {"stake": verify.is_whole, "asked": verify.is_object, "maxPayout": lambda value: verify.is_whole(value) and value > 0,
        "shown": verify.is_object, "choices": lambda value: isinstance(value, list), "actions": lambda value: isinstance(value, list)}


def equal(one, other):
    """Say whether two JSON values with numbers are equal by worth."""
    if isinstance(one, (dict, list)) or one is None or isinstance(other, (dict, list)):
        if isinstance(one, dict) and isinstance(other, dict):
            return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
        if isinstance(one, list) and isinstance(other, list):
            return len(one) == len(other) and all(map(equal, one, other))
        return one is None and other is None
    return verify.same(other, one)
