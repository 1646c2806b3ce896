"""The games of the casino: their rules, their tables, the fields of their configs.

Written from docs/fairness/games.md alone, for verify.py beside it. A game takes its
config and the draws and returns its outcome and its multiplier, in integers and exact
fractions. GAMES, at the end, has a line for each.
"""

import collections
import itertools
import json
import math
from decimal import Decimal
from fractions import Fraction


class Unverifiable(Exception):
    """Why a round can't be verified."""


# What games make of draws.


def pick(draws, n):
    """Take one draw and give a number of 0 … n-1."""
    return next(draws) * n // 2**32


def pick_several(draws, count, n):
    """Draw some of the numbers 0 … n-1, none twice. Those that are left stand in ascending order."""
    left = list(range(n))
    return [left.pop(pick(draws, len(left))) for _ in range(count)]


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = "dhsc"


def card(number):
    """The card of a number of 0 … 51: its rank, from 0, and its name."""
    rank, suit = divmod(number, 4)
    return rank, RANKS[rank] + SUITS[suit]


def pick_card(draws):
    """Draw a card from a deck that never ends."""
    return card(pick(draws, 52))


# The fields of a config. A reader takes what the round says and returns what
# the game computes with, or says what the field must be. A field is a reader
# and what stands for the field where it is left out.

REQUIRED = object()


def decimal(least, greatest, decimals, default):
    """A number between two others, all of them in units of the last decimal."""

    def read(value):
        if is_number(value):
            units = Fraction(value) * 10**decimals
            written = -value.as_tuple().exponent if isinstance(value, Decimal) else 0
            if written <= decimals and least <= units <= greatest:
                return int(units)
        ends = tuple(Decimal(end).scaleb(-decimals) for end in (least, greatest))
        raise Unverifiable("must be a number from %s to %s" % ends + " with at most %d decimals" % decimals)

    return read, default


def integer(least, greatest, default=REQUIRED):
    """A whole number between two others."""
    return decimal(least, greatest, 0, default)


def choice(*values, default=None):
    """One of some values, of which the first is the default when no other is given."""

    def read(value):
        for one in values:
            if type(value) is type(one) and value == one:
                return value
        raise Unverifiable("must be one of " + ", ".join(map(str, values)))

    return read, values[0] if default is None else default


def several(item, least, most, default):
    """A list of what a field can be."""
    read_item, _ = item

    def read(value):
        if isinstance(value, list) and least <= len(value) <= most:
            return [read_item(each) for each in value]
        raise Unverifiable("must be a list of %d to %d" % (least, most))

    return read, default


def different(field, by=lambda value: value):
    """A list that has nothing twice."""
    read_list, default = field

    def read(value):
        values = read_list(value)
        if len(set(map(by, values))) < len(values):
            raise Unverifiable("must have nothing twice")
        return values

    return read, default


def required(field):
    """A field that can't be left out."""
    return field[0], REQUIRED


def record(fields):
    """An object with fields of its own."""

    def read(value):
        if isinstance(value, dict):
            return read_fields(fields, value, "each")
        raise Unverifiable("must be an object")

    return read, REQUIRED


def read_fields(fields, given, within):
    """Return the fields as the game computes with them; what is left out has its default."""
    for name in given:
        if name not in fields:
            raise Unverifiable("%s: has no field %s" % (within, json.dumps(name)))
    values = {}
    for name, (read, default) in fields.items():
        if name not in given and default is REQUIRED:
            raise Unverifiable("%s.%s: is missing" % (within, name))
        try:
            values[name] = read(given[name]) if name in given else default
        except Unverifiable as refused:
            raise Unverifiable("%s.%s: %s" % (within, name, refused)) from None
    return values


def read_config(rules, config):
    """Return a config as its game computes with it."""
    _, fields = GAMES[rules]
    return read_fields(fields, config, "config")


def is_number(value):
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def pays_table(text):
    """Read lines of a name, a number and what is paid: {(name, number): [pays, …]}."""
    table = {}
    for line in text.split("\n"):
        name, number, *pays = line.split()
        table[name, int(number)] = [Fraction(each) for each in pays]
    return table


# The games, as the page has them and in its order. Decimals of the config come in
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


def mines(config, draws):
    count, picks = config["mines"], config["picks"]
    if len(picks) > 25 - count:
        raise Unverifiable("config.picks: has more than the tiles without a mine")
    placed = pick_several(draws, count, 25)
    won = not set(picks) & set(placed)
    pays = 9900 * math.comb(25, len(picks)) // math.comb(25 - count, len(picks))
    return {"mines": placed}, Fraction(pays, 10000) if won else 0


# What a bucket pays, from 0 to the middle: the other side is the same.
PLINKO_PAYS = pays_table("""\
low       8  5.6 2.1 1.1 1 0.5
low       9  5.6 2 1.6 1 0.7
low      10  8.9 3 1.4 1.1 1 0.5
low      11  8.4 3 1.9 1.3 1 0.7
low      12  10 3 1.6 1.4 1.1 1 0.5
low      13  8.1 4 3 1.9 1.2 0.9 0.7
low      14  7.1 4 1.9 1.4 1.3 1.1 1 0.5
low      15  15 8 3 2 1.5 1.1 1 0.7
low      16  16 9 2 1.4 1.4 1.2 1.1 1 0.5
medium    8  13 3 1.3 0.7 0.4
medium    9  18 4 1.7 0.9 0.5
medium   10  22 5 2 1.4 0.6 0.4
medium   11  24 6 3 1.8 0.7 0.5
medium   12  33 11 4 2 1.1 0.6 0.3
medium   13  43 13 6 3 1.3 0.7 0.4
medium   14  58 15 7 4 1.9 1 0.5 0.2
medium   15  88 18 11 5 3 1.3 0.5 0.3
medium   16  110 41 10 5 3 1.5 1 0.5 0.3
high      8  29 4 1.5 0.3 0.2
high      9  43 7 2 0.6 0.2
high     10  76 10 3 0.9 0.3 0.2
high     11  120 14 5.2 1.4 0.4 0.2
high     12  170 24 8.1 2 0.7 0.2 0.2
high     13  260 37 11 4 1 0.2 0.2
high     14  420 56 18 5 1.9 0.3 0.2 0.2
high     15  620 83 27 8 3 0.5 0.2 0.2
high     16  1000 130 26 9 4 2 0.2 0.2 0.2
expert    8  50 4.6 1.1 0.1 0.1
expert    9  100 7.8 1.5 0.2 0.1
expert   10  201 11 2 0.6 0.1 0.1
expert   11  324 16 4 1.1 0.2 0.1
expert   12  619 30 6 1.5 0.4 0.1 0.1
expert   13  1012 52 10 3 0.6 0.1 0.1
expert   14  2369 80 16 3 1.2 0.2 0.1 0.1
expert   15  5000 125 23 6 1.8 0.2 0.1 0.1
expert   16  10000 216 26 7 2.5 1.1 0.1 0.1 0.1""")


def plinko(config, draws):
    rows = config["rows"]
    path = [pick(draws, 2) for _ in range(rows)]
    bucket = sum(path)
    pays = PLINKO_PAYS[config["risk"], rows][min(bucket, rows - bucket)]
    return {"path": path, "bucket": bucket}, pays


# What 0, 1, 2, … hits pay.
KENO_PAYS = pays_table("""\
classic   1  0 3.96
classic   2  0 1.9 4.5
classic   3  0 1 3.1 10.4
classic   4  0 0.8 1.8 5 22.5
classic   5  0 0.25 1.4 4.1 16.5 36
classic   6  0 0 1 3.68 7 16.5 40
classic   7  0 0 0.47 3 4.5 14 31 60
classic   8  0 0 0 2.2 4 13 22 55 70
classic   9  0 0 0 1.55 3 8 15 44 60 85
classic  10  0 0 0 1.4 2.25 4.5 8 17 50 80 100
low       1  0.7 1.85
low       2  0 2 3.8
low       3  0 1.1 1.38 26
low       4  0 0 2.2 7.9 90
low       5  0 0 1.5 4.2 13 300
low       6  0 0 1.1 2 6.2 100 700
low       7  0 0 1.1 1.6 3.5 15 225 700
low       8  0 0 1.1 1.5 2 5.5 39 100 800
low       9  0 0 1.1 1.3 1.7 2.5 7.5 50 250 1000
low      10  0 0 1.1 1.2 1.3 1.8 3.5 13 50 250 1000
medium    1  0.4 2.75
medium    2  0 1.8 5.1
medium    3  0 0 2.8 50
medium    4  0 0 1.7 10 100
medium    5  0 0 1.4 4 14 390
medium    6  0 0 0 3 9 180 710
medium    7  0 0 0 2 7 30 400 800
medium    8  0 0 0 2 4 11 67 400 900
medium    9  0 0 0 2 2.5 5 15 100 500 1000
medium   10  0 0 0 1.6 2 4 7 26 100 500 1000
high      1  0 3.96
high      2  0 0 17.1
high      3  0 0 0 81.5
high      4  0 0 0 10 259
high      5  0 0 0 4.5 48 450
high      6  0 0 0 0 11 350 710
high      7  0 0 0 0 7 90 400 800
high      8  0 0 0 0 5 20 270 600 900
high      9  0 0 0 0 4 11 56 500 800 1000
high     10  0 0 0 0 3.5 8 13 63 500 800 1000""")


def keno(config, draws):
    picks = config["picks"]
    drawn = pick_several(draws, 10, 40)
    hits = len(set(picks) & set(drawn))
    return {"draws": drawn, "hits": hits}, KENO_PAYS[config["risk"], len(picks)][hits]


# What each segment pays, from 0.
WHEEL_PAYS = pays_table("""\
low      10  1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0
medium   10  0 1.9 0 1.5 0 2 0 1.5 0 3
high     10  0 0 0 0 0 0 0 0 0 9.9
low      20  1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0
medium   20  1.5 0 2 0 2 0 2 0 1.5 0 3 0 1.8 0 2 0 2 0 2 0
high     20  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 19.8
low      30  1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0
medium   30  1.5 0 1.5 0 2 0 1.5 0 2 0 2 0 1.5 0 3 0 1.5 0 2 0 2 0 1.7 0 4 0 1.5 0 2 0
high     30  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 29.7
low      40  1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0
medium   40  2 0 3 0 2 0 1.5 0 3 0 1.5 0 1.5 0 2 0 1.5 0 3 0 1.5 0 2 0 2 0 1.6 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0
high     40  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 39.6
low      50  1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0 1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0
medium   50  2 0 1.5 0 2 0 1.5 0 3 0 1.5 0 1.5 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0 2 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0 1.5 0 5 0 1.5 0 2 0 1.5 0
high     50  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 49.5""")


def wheel(config, draws):
    index = pick(draws, config["segments"])
    return {"index": index}, WHEEL_PAYS[config["risk"], config["segments"]][index]


ROULETTE_RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
# The numbers of bets that have their own.
ROULETTE_OWN = {
    "column1": set(range(1, 35, 3)), "column2": set(range(2, 36, 3)), "column3": set(range(3, 37, 3)),
    "dozen1": set(range(1, 13)), "dozen2": set(range(13, 25)), "dozen3": set(range(25, 37)),
    "red": ROULETTE_RED, "black": set(range(1, 37)) - ROULETTE_RED,
    "odd": set(range(1, 37, 2)), "even": set(range(2, 37, 2)),
    "low": set(range(1, 19)), "high": set(range(19, 37)),
}
# The numbers that the other bets can have.
ROULETTE_CHOSEN = {
    "straight": [{a} for a in range(37)],
    "split": [{0, 1}, {0, 2}, {0, 3}] + [{a, a + 3} for a in range(1, 34)]
    + [{a, a + 1} for a in range(1, 36) if a % 3 != 0],
    "street": [{0, 1, 2}, {0, 2, 3}] + [{a, a + 1, a + 2} for a in range(1, 35, 3)],
    "corner": [{0, 1, 2, 3}] + [{a, a + 1, a + 3, a + 4} for a in range(1, 33) if a % 3 != 0],
    "line": [set(range(a, a + 6)) for a in range(1, 32, 3)],
}


def roulette(config, draws):
    bets = [(roulette_numbers(bet), bet["amount"]) for bet in config["bets"]]
    total = sum_of_bets(config)
    number = pick(draws, 37)
    paid = sum(Fraction(36 * amount, len(numbers)) for numbers, amount in bets if number in numbers)
    return {"number": number}, Fraction(paid) / total


def roulette_numbers(bet):
    """Return the numbers that a bet is on."""
    numbers = set(bet["numbers"])
    if bet["type"] in ROULETTE_OWN and not numbers:
        return ROULETTE_OWN[bet["type"]]
    if numbers in ROULETTE_CHOSEN.get(bet["type"], ()):
        return numbers
    raise Unverifiable("config.bets: there is no %s on %s" % (bet["type"], sorted(numbers)))


# The most that an amount, and all amounts of a round together, can be.
MOST_TOGETHER = 10**17


def sum_of_bets(config):
    """Add up the amounts of all bets, which are the round's wager."""
    total = sum(bet["amount"] for bet in config["bets"])
    if total > MOST_TOGETHER:
        raise Unverifiable("config.bets: are more than %d together" % MOST_TOGETHER)
    return total


def baccarat(config, draws):
    total = sum_of_bets(config)
    player = [pick_card(draws), pick_card(draws)]
    banker = [pick_card(draws), pick_card(draws)]
    if max(baccarat_points(player), baccarat_points(banker)) < 8:
        third = None
        if baccarat_points(player) <= 5:
            player.append(pick_card(draws))
            third = baccarat_points(player[2:])
        if third in BACCARAT_BANKER_DRAWS.get(baccarat_points(banker), ()):
            banker.append(pick_card(draws))
    ahead = baccarat_points(player) - baccarat_points(banker)
    winner = "player" if ahead > 0 else "banker" if ahead < 0 else "tie"
    paid = sum(BACCARAT_PAYS[winner].get(bet["on"], 0) * bet["amount"] for bet in config["bets"])
    names = [[name for _, name in hand] for hand in (player, banker)]
    return {"player": names[0], "banker": names[1], "winner": winner}, Fraction(paid) / total


def baccarat_points(hand):
    """The last digit of the sum: an ace counts 1, what is written with 10 or a letter 0."""
    counts = [rank + 2 if rank < 8 else 0 if rank < 12 else 1 for rank, _ in hand]
    return sum(counts) % 10


# At which third cards of the player the banker draws, None being none, by the banker's points.
BACCARAT_BANKER_DRAWS = {
    0: {None, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    1: {None, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    2: {None, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    3: {None, 0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {None, 2, 3, 4, 5, 6, 7},
    5: {None, 4, 5, 6, 7},
    6: {6, 7},
}
BACCARAT_PAYS = {
    "player": {"player": 2},
    "banker": {"banker": Fraction(195, 100)},
    "tie": {"tie": 9, "player": 1, "banker": 1},
}


GEMS = ("green", "purple", "yellow", "red", "cyan", "pink", "blue")
# How many gems are alike, the most first: the hand and what it pays.
DIAMONDS_HANDS = {
    (5,): ("five of a kind", 50),
    (4, 1): ("four of a kind", 5),
    (3, 2): ("full house", 4),
    (3, 1, 1): ("three of a kind", 3),
    (2, 2, 1): ("two pairs", 2),
    (2, 1, 1, 1): ("pair", Fraction(1, 10)),
    (1, 1, 1, 1, 1): ("none", 0),
}


def diamonds(config, draws):
    gems = [GEMS[pick(draws, 7)] for _ in range(5)]
    alike = tuple(sorted(collections.Counter(gems).values(), reverse=True))
    hand, pays = DIAMONDS_HANDS[alike]
    return {"gems": gems, "hand": hand}, pays


# The tiles of a level, and behind how many of them is an egg.
TOWERS = {"easy": (4, 3), "medium": (3, 2), "hard": (2, 1), "expert": (3, 1), "master": (4, 1)}


def dragontower(config, draws):
    tiles, eggs = TOWERS[config["difficulty"]]
    picks = config["picks"]
    if max(picks) >= tiles:
        raise Unverifiable("config.picks: a level has %d tiles" % tiles)
    levels = [pick_several(draws, eggs, tiles) for _ in range(9)]
    won = all(tile in level for tile, level in zip(picks, levels))
    return {"levels": levels}, Fraction(99, 100) * Fraction(tiles, eggs) ** len(picks) if won else 0


def hilo(config, draws):
    guesses = config["guesses"]
    if all(guess == "skip" for guess in guesses):
        raise Unverifiable("config.guesses: are all skips")
    cards = [pick_card(draws) for _ in range(len(guesses) + 1)]
    right, pays, lost = 0, Fraction(99, 100), False
    for guess, (rank, _), (following, _) in zip(guesses, cards, cards[1:]):
        if guess != "skip":
            ranks = hilo_right(guess, rank)
            pays *= Fraction(13, len(ranks))
            lost = lost or following not in ranks
        right += not lost
    return {"cards": [name for _, name in cards], "right": right}, 0 if lost else pays


def hilo_right(guess, rank):
    """Return the ranks of the next card with which a guess is right; the ace, 12, is the highest."""
    if guess == "higher":
        return range(max(rank, 1), 13)
    return range(0, min(rank, 11) + 1)


# A game is a line here: its rules, its function, the fields of its config.
GAMES = {
    "dice/1": (dice, {"target": decimal(1, 9999, 2, 5000), "direction": choice("over", "under")}),
    "limbo/1": (limbo, {"target": decimal(101, 1000000, 2, 200)}),
    "crash/1": (crash, {"cashout": decimal(101, 100000000, 2, 200)}),
    "coinflip/1": (coinflip, {"side": choice("heads", "tails"), "flips": integer(1, 20, 1)}),
    "slots/1": (slots, {}),
    "mines/1": (mines, {"mines": integer(1, 24, 3), "picks": different(several(integer(0, 24), 1, 24, [0]))}),
    "plinko/1": (plinko, {"rows": integer(8, 16, 16), "risk": choice("low", "medium", "high", "expert", default="medium")}),
    "keno/1": (keno, {
        "picks": different(several(integer(0, 39), 1, 10, list(range(10)))),
        "risk": choice("classic", "low", "medium", "high"),
    }),
    "wheel/1": (wheel, {"segments": choice(10, 20, 30, 40, 50), "risk": choice("low", "medium", "high")}),
    "roulette/1": (roulette, {"bets": several(record({
        "type": required(choice(*ROULETTE_CHOSEN, *ROULETTE_OWN)),
        "numbers": different(several(integer(0, 36), 1, 6, [])),
        "amount": integer(1, MOST_TOGETHER),
    }), 1, 64, [{"type": "red", "numbers": [], "amount": 1}])}),
    "baccarat/1": (baccarat, {"bets": different(several(record({
        "on": required(choice("player", "banker", "tie")),
        "amount": integer(1, MOST_TOGETHER),
    }), 1, 3, [{"on": "player", "amount": 1}]), by=lambda bet: bet["on"])}),
    "diamonds/1": (diamonds, {}),
    "dragontower/1": (dragontower, {"difficulty": choice(*TOWERS), "picks": several(integer(0, 3), 1, 9, [0])}),
    "hilo/1": (hilo, {"guesses": several(choice("higher", "lower", "skip"), 1, 15, ["higher"])}),
}
# Games whose configs say what is bet: their rules, and what adds it up.
WAGERS = {"roulette/1": sum_of_bets, "baccarat/1": sum_of_bets}
