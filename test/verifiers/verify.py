#!/usr/bin/env python3
"""Verify a round of the casino: is it what its seeds decide?

    python3 verify.py ROUND.json     the answer of GET /history/{id}, - for standard input
    python3 verify.py --lines        a round a line on standard input, an answer a line

Written from docs/fairness alone, with nothing but Python's standard library
(3.9 or newer), so that it can be read next to those pages and trusted without
the service. Every number is an integer or an exact fraction.

Exit code 0: verified. 1: it differs, with a line for each thing that does.
2: it can't be verified, with the reason.
"""

import hashlib
import hmac
import itertools
import json
import re
import sys
from decimal import Decimal
from fractions import Fraction


class Unverifiable(Exception):
    """Why a round can't be verified."""


# The draws, as docs/fairness/README.md has them.


def draws_of(server_seed, client_seed, nonce):
    """Yield the draws of a round, each 0 … 2^32-1, as many as are asked for."""
    for cursor in itertools.count():
        message = "%s:%d:%d" % (client_seed, nonce, cursor)
        block = hmac.digest(server_seed.encode("ascii"), message.encode("ascii"), "sha256")
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at:at + 4], "big")


def pick(draws, n):
    """Take one draw and give a number of 0 … n-1."""
    return next(draws) * n // 2**32


# The fields of a config. A reader takes what the round says and returns what
# the game computes with, or says what the field must be.


def decimal(least, greatest, decimals, default):
    """A number between two others, all of them in units of the last decimal."""

    def read(value):
        if is_number(value):
            units = Fraction(value) * 10**decimals
            written = -value.as_tuple().exponent if isinstance(value, Decimal) else 0
            if written <= decimals and least <= units <= greatest:
                return int(units)
        ends = tuple(show(Fraction(end, 10**decimals)) for end in (least, greatest))
        raise Unverifiable("must be a number from %s to %s" % ends + " with at most %d decimals" % decimals)

    return read, default


def integer(least, greatest, default):
    """A whole number between two others."""
    return decimal(least, greatest, 0, default)


def choice(*texts):
    """One of some texts, of which the first is the default."""

    def read(value):
        if isinstance(value, str) and value in texts:
            return value
        raise Unverifiable("must be one of " + ", ".join(texts))

    return read, texts[0]


def read_config(fields, config):
    """Return the config as the game computes with it; what is left out has its default."""
    for name in config:
        if name not in fields:
            raise Unverifiable("config: has no field %s" % show(name))
    values = {}
    for name, (read, default) in fields.items():
        values[name] = default
        if name in config:
            try:
                values[name] = read(config[name])
            except Unverifiable as refused:
                raise Unverifiable("config.%s: %s" % (name, refused)) from None
    return values


# The games, as docs/fairness/games.md has them. Each takes its config and the
# draws and returns its outcome and its multiplier. Decimals of the config come in
# units of their last decimal: a target of 50.00 is 5000.


def dice(config, draws):
    target = config["target"]
    winning = 10000 - target if config["direction"] == "over" else target
    pays = 99000000 // winning
    if pays < 10100:
        raise Unverifiable("config.target: pays less than 1.01")
    roll = pick(draws, 10001)
    won = roll > target if config["direction"] == "over" else roll < target
    return {"roll": Fraction(roll, 100)}, Fraction(pays, 10000) if won else 0


def limbo(config, draws):
    n = next(draws) // 256 + 1
    multiplier = max(100, 99 * 2**24 // n)
    won = multiplier >= config["target"]
    return {"multiplier": Fraction(multiplier, 100)}, Fraction(config["target"], 100) if won else 0


def crash(config, draws):
    crashed = max(100, 99 * 2**32 // (next(draws) + 1))
    won = crashed >= config["cashout"]
    return {"crash": Fraction(crashed, 100)}, Fraction(config["cashout"], 100) if won else 0


def coinflip(config, draws):
    flips = [("tails", "heads")[pick(draws, 2)] for _ in range(config["flips"])]
    won = all(flip == config["side"] for flip in flips)
    return {"flips": flips}, Fraction(99, 100) * 2**config["flips"] if won else 0


SLOT_REELS = (
    "PLSGLSGLBCPLGDBPLBPLCPS*GBPGSDLC",
    "PGLBPGLPDSPB*SWCBDLCPLGPLBGLSGLW",
    "LPGLCPWGBLGPSLPSLBDLGDPWCGB*PLBS",
    "GPLBDPGBLSPWLPBGLPS*GBLCSGCLWPDL",
    "SGLCGLPDBPSDLBPSLCPGLPGBSCL*GPLB",
)
SLOT_SYMBOLS = {
    "D": "diamond", "C": "crown", "S": "seven", "B": "bell", "G": "grapes",
    "P": "plum", "L": "lemon", "W": "wild", "*": "scatter",
}
# What three, four and five of a symbol pay, in tenths of the wager.
SLOT_PAYS = {
    "D": (80, 300, 1000), "C": (50, 150, 750), "S": (20, 70, 250), "B": (15, 50, 200),
    "G": (10, 30, 100), "P": (8, 20, 60), "L": (5, 12, 50), "*": (20, 100, 500),
}
# The row, from the top, that a line takes on each reel.
SLOT_LINES = (
    (1, 1, 1, 1, 1), (0, 0, 0, 0, 0), (2, 2, 2, 2, 2), (0, 1, 2, 1, 0), (2, 1, 0, 1, 2),
    (0, 0, 1, 2, 2), (2, 2, 1, 0, 0), (1, 0, 0, 0, 1), (1, 2, 2, 2, 1), (0, 1, 1, 1, 0),
)
SLOT_FREE_SPINS = {3: 8, 4: 10, 5: 12}


def slots(config, draws):
    outcome, tenths, scatters = slots_spin(draws, 1)
    outcome["freeSpins"] = []
    for _ in range(SLOT_FREE_SPINS.get(scatters, 0)):
        spin, more, _ = slots_spin(draws, 2)
        outcome["freeSpins"].append(spin)
        tenths += more
    return outcome, Fraction(tenths, 10)


def slots_spin(draws, times):
    """Spin the reels once: the outcome, what it pays in tenths, and how many scatters it shows."""
    stops = [pick(draws, 32) for _ in SLOT_REELS]
    window = [[reel[(stop + row) % 32] for reel, stop in zip(SLOT_REELS, stops)] for row in range(3)]
    wins = []
    for number, rows in enumerate(SLOT_LINES, 1):
        shown = [window[row][reel] for reel, row in enumerate(rows)]
        symbol = shown[0]
        count = len(list(itertools.takewhile(lambda s: s in (symbol, "W"), shown)))
        if symbol != "*" and count >= 3:
            wins.append((number, symbol, count))
    scatters = sum(row.count("*") for row in window)
    if scatters >= 3:
        wins.append((0, "*", scatters))
    lines, tenths = [], 0
    for number, symbol, count in wins:
        pays = times * SLOT_PAYS[symbol][count - 3]
        lines.append({"line": number, "symbol": SLOT_SYMBOLS[symbol], "count": count, "pays": Fraction(pays, 10)})
        tenths += pays
    names = [[SLOT_SYMBOLS[letter] for letter in row] for row in window]
    return {"stops": stops, "window": names, "lines": lines}, tenths, scatters


# A game is a line here: its rules, its function, the fields of its config.
GAMES = {
    "dice/1": (dice, {"target": decimal(1, 9999, 2, 5000), "direction": choice("over", "under")}),
    "limbo/1": (limbo, {"target": decimal(101, 1000000, 2, 200)}),
    "crash/1": (crash, {"cashout": decimal(101, 100000000, 2, 200)}),
    "coinflip/1": (coinflip, {"side": choice("heads", "tails"), "flips": integer(1, 20, 1)}),
    "slots/1": (slots, {}),
}


# A round.


def verify(game_round):
    """Return what differs, as (name, what the round says, what its seeds decide)."""
    wager = game_round["wager"]
    decided = {"serverSeedHash": hashlib.sha256(game_round["serverSeed"].encode("ascii")).hexdigest()}
    if is_void(game_round):
        decided.update(multiplier=1, payout=wager)
    else:
        outcome, multiplier = play(game_round)
        payout = wager * Fraction(multiplier)
        decided.update(outcome=outcome, multiplier=multiplier, payout=payout.numerator // payout.denominator)
    return [(name, game_round[name], true) for name, true in decided.items() if not same(game_round[name], true)]


def is_void(game_round):
    """Say whether nothing could be drawn, so that the stake was returned."""
    return game_round["outcome"] is None


def play(game_round):
    """Play a round again from its revealed seeds."""
    rules = game_round["rules"]
    if rules not in GAMES or rules.split("/")[0] != game_round["gameType"]:
        raise Unverifiable("rules: %s of %s are unknown here" % (show(rules), show(game_round["gameType"])))
    game, fields = GAMES[rules]
    config = read_config(fields, game_round["config"])
    return game(config, draws_of(game_round["serverSeed"], game_round["clientSeed"], game_round["nonce"]))


def read_round(text):
    """Read a round from JSON, bare or as {"round": …}, and refuse what is none."""
    try:
        answer = json.loads(text, parse_float=read_decimal, parse_constant=read_decimal, object_pairs_hook=read_object)
    except (ValueError, RecursionError) as fault:
        raise Unverifiable("malformed: no JSON: %s" % fault) from None
    if isinstance(answer, dict) and "round" in answer:
        answer = answer["round"]
    if not isinstance(answer, dict):
        raise Unverifiable("malformed: a round is a JSON object")
    if "rules" in answer and answer["rules"] is None and answer.get("serverSeedHash") is None:
        raise Unverifiable("a game provider has drawn the round: it has no seeds of the house")
    for name, (what, is_one) in MEMBERS.items():
        if name not in answer:
            raise Unverifiable("malformed: %s is missing" % name)
        if name == "serverSeed" and answer[name] is None:
            raise Unverifiable("not revealed: its server seed is shown when the seeds are rotated")
        if not is_one(answer[name]):
            raise Unverifiable("malformed: %s must be %s" % (name, what))
    return answer


def is_text(value):
    return isinstance(value, str)


def is_object(value):
    return isinstance(value, dict)


def is_number(value):
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def is_server_seed(value):
    return is_text(value) and re.fullmatch("[0-9a-f]{64}", value)


def is_client_seed(value):
    return is_text(value) and re.fullmatch("[ -~]{1,64}", value)


# What a round needs, what it must be, and what says whether it is.
MEMBERS = {
    "gameType": ("a text", is_text),
    "rules": ("a text", is_text),
    "config": ("an object", is_object),
    "serverSeed": ("64 hexadecimal digits in lower case", is_server_seed),
    "serverSeedHash": ("a text", is_text),
    "clientSeed": ("1 to 64 printable ASCII characters", is_client_seed),
    "nonce": ("a whole number from 0 to 2^63-1", is_whole),
    "outcome": ("an object, or null for a void round", lambda value: value is None or is_object(value)),
    "multiplier": ("a number", is_number),
    "wager": ("a whole number from 0 to 2^63-1", is_whole),
    "payout": ("a whole number from 0 to 2^63-1", is_whole),
}


def read_decimal(literal):
    """Keep a number's decimals as they are written. Exponents, Infinity and NaN are none of the casino's."""
    if not re.fullmatch(r"-?[0-9]+\.[0-9]+", literal):
        raise ValueError("numbers have no exponent: %s" % literal[:40])
    return Decimal(literal)


def read_object(members):
    """Refuse an object that says a thing twice: readers would differ about which holds."""
    as_one = dict(members)
    if len(as_one) != len(members):
        raise ValueError("an object has a member twice")
    return as_one


def same(said, true):
    """Compare by worth: 50 is 50.00, and members may come in any order."""
    if isinstance(true, dict):
        return isinstance(said, dict) and said.keys() == true.keys() and all(same(said[name], true[name]) for name in true)
    if isinstance(true, list):
        return isinstance(said, list) and len(said) == len(true) and all(map(same, said, true))
    if isinstance(true, (bool, str)):
        return type(said) is type(true) and said == true
    return is_number(said) and Fraction(said) == true


def show(value):
    """Write a value as JSON, fractions as the decimals that they are."""
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (json.dumps(name), show(value[name])) for name in value)
    if isinstance(value, list):
        return "[%s]" % ",".join(map(show, value))
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Fraction):
        scale = 0
        while (value * 10**scale).denominator != 1:
            scale += 1
        digits = str(int(value * 10**scale)).rjust(scale + 1, "0")
        return digits if scale == 0 else digits[:-scale] + "." + digits[-scale:]
    return json.dumps(value)


def answer_line(line):
    """Answer one round of many with a line of JSON."""
    try:
        differs = [name for name, _, _ in verify(read_round(line))]
    except Unverifiable as reason:
        return json.dumps({"error": str(reason)})
    return json.dumps({"verified": not differs, "differs": differs})


def answer_lines():
    for line in sys.stdin.buffer:
        print(answer_line(line.decode("utf-8", "replace")))
    return 0


def answer_file(path):
    """Answer one round for people, and return the exit code."""
    try:
        if path == "-":
            text = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                text = file.read()
        game_round = read_round(text.decode("utf-8-sig", "replace"))
        differs = verify(game_round)
    except (Unverifiable, OSError) as reason:
        print("can't be verified: %s" % reason, file=sys.stderr)
        return 2
    for name, said, true in differs:
        print("%s: the round says %s, its seeds decide %s" % (name, show(said), show(true)))
    if differs:
        return 1
    print("verified" if not is_void(game_round) else "verified: the round was void, its stake was returned")
    print("compare the commitment with what was shown before the round: %s" % game_round["serverSeedHash"])
    return 0


def main(arguments):
    if arguments == ["--lines"]:
        return answer_lines()
    if len(arguments) == 1 and (arguments[0] == "-" or not arguments[0].startswith("-")):
        return answer_file(arguments[0])
    print(__doc__.strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
