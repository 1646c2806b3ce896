"""Reproduce published rounds of other houses with the draws and games of verify.py.

    python3 published.py fairness.json

Prints how many rows of each scheme were reproduced, as JSON, and each row that
wasn't on standard error, be it that its scheme has no line below.
"""

import hashlib
import hmac
import json
import sys
from fractions import Fraction

import crash as shared
import games
import verify


def draws(row):
    return verify.draws_of(row["serverSeed"], row["clientSeed"], row["nonce"])


def play(rules, drawn, **config):
    """Return the outcome of a game with its fields' defaults, but for those that are given."""
    game, _ = verify.GAMES[rules]
    return game(verify.read_config(rules, config), drawn)[0]


def both(at_once, rules, row, actions, of, **config):
    """What a round in one call has shown, if one by steps of the same seeds has shown it too."""
    outcome, _ = verify.decide(rules, config, actions, draws(row))
    return at_once if outcome[of] == at_once else "%s, by steps %s" % (at_once, outcome[of])


def two_decimals(value):
    hundredths = int(value * 100)
    return "%d.%02d" % divmod(hundredths, 100)


def dice(row):
    return two_decimals(play("dice/1", draws(row))["roll"])


def limbo(row):
    return two_decimals(play("limbo/1", draws(row))["multiplier"])


def crash(row):
    """These come from a chain of game hashes: the draw is of HMAC(key = hash as text, message = salt)."""
    point = two_decimals(Fraction(shared.point_of(row["gameHash"], row["salt"]), 100))
    alone = two_decimals(play("crash/1", iter([int.from_bytes(crash_block(row)[:4], "big")]))["crash"])
    return point if point == alone else "%s, of crash/1 %s" % (point, alone)


def crash_block(row):
    return hmac.digest(row["gameHash"].encode(), row["salt"].encode(), "sha256")


def whole_crash(part):
    """The same before it is rounded down; of another house's game with another part. Published were doubles."""

    def point(row):
        k = int.from_bytes(crash_block(row)[:4], "big")
        exact = max(Fraction(1), part * Fraction(2**32, k + 1))
        near = abs(exact / Fraction(row["expected"]) - 1) < Fraction(1, 10**15)
        return row["expected"] if near else float(exact)

    return point


def old_limbo(row):
    """An earlier form of limbo: 0.99 · 2^32 / k, rounded down."""
    return two_decimals(Fraction(99, 100) * 2**32 / next(draws(row)))


def slots_stops(row):
    """Where five reels of another house's slots stop, in each spin of a round."""
    drawn = draws(row)
    return [[games.pick(drawn, length) for length in (30, 30, 30, 30, 41)] for _ in row["expected"]]


def floats(row):
    """Draws as parts of 2^32, with twelve decimals."""
    drawn = draws(row)
    every = [next(drawn) for _ in range(row["offset"] + len(row["expected"]))][row["offset"]:]
    return [round(Fraction(k, 2**32) * 10**12) / 10**12 for k in every]


def chain(row):
    return shared.walk(row["hash"], 1)


def flips(row):
    return "".join(flip[0].upper() for flip in play("coinflip/1", draws(row), flips=20)["flips"])


def stream(row):
    """The bytes that draws are read from, from an offset on."""
    drawn, end = draws(row), row["offset"] + len(row["expected"])
    together = b"".join(next(drawn).to_bytes(4, "big") for _ in range(end // 4 + 1))
    return list(together[row["offset"]:end])


def commitment(row):
    return hashlib.sha256(row["serverSeed"].encode("ascii")).hexdigest()


def roulette(row):
    return play("roulette/1", draws(row))["number"]


def wheel(row):
    """Rows of wheel.index have the segments beside what is expected, those of wheel within it."""
    segments = row.get("segments") or row["expected"]["segments"]
    index = play("wheel/1", draws(row), segments=segments)["index"]
    return index if "segments" in row else {"segments": segments, "result": index}


def keno(row):
    return play("keno/1", draws(row))["draws"]


def from_one(game):
    """The same of a house that counts from 1."""
    return lambda row: [number + 1 for number in game(row)]


def mines(row):
    """These draw 24 mines, of which a round has the first few. To open the tile that is left ends it."""
    drawn = play("mines/1", draws(row), mines=24)["mines"]
    left = sum(range(25)) - sum(drawn)
    return both(drawn, "mines/1", row, [{"type": "open", "tile": left}], "mines", mines=24)


def plinko_path(row):
    return ["LR"[step] for step in play("plinko/1", draws(row))["path"]]


def plinko_bucket(row):
    return play("plinko/1", draws(row), rows=row["rows"], risk=row["risk"])["bucket"]


def baccarat(row):
    hands = play("baccarat/1", draws(row))
    player, banker = hands["player"], hands["banker"]
    return [number_of(card) for card in player[:2] + banker[:2] + player[2:] + banker[2:]]


def hilo(row):
    """A row of one card has nothing guessed: a guess draws a card more than it shows."""
    guesses = ["higher"] * max(1, len(row["expected"]) - 1)
    cards = play("hilo/1", draws(row), guesses=guesses)["cards"]
    skips = [{"type": "skip"}] * (len(row["expected"]) - 1)
    return both(cards[:len(row["expected"])], "hilo/1", row, skips + [{"type": "cashOut"}], "cards")


def hilo_numbers(row):
    return [number_of(card) for card in hilo(row)]


def hilo_names(row):
    return ["%s-%s" % (card[:-1], SUITS[card[-1]]) for card in hilo(row)]


SUITS = {"d": "diamond", "h": "heart", "s": "spade", "c": "club"}
RANKS = "two three four five six seven eight nine ten jack queen king ace".upper().split()


def number_of(card):
    return games.RANKS.index(card[:-1]) * 4 + list(SUITS).index(card[-1])


def cards(row):
    drawn = draws(row)
    return [games.pick_card(drawn) for _ in row["expected"]]


def card_numbers(row):
    return [number_of(name) for _, name in cards(row)]


def blackjack(row):
    """The player's cards, the dealer's and what anybody took. Who stands takes none, the dealer some."""
    try:
        outcome, _ = verify.decide("blackjack/1", {}, [], draws(row))
    except games.Unverifiable:
        outcome, _ = verify.decide("blackjack/1", {}, [{"type": "stand"}], draws(row))
    numbers, shown = card_numbers(row), [number_of(name) for name in outcome["hands"][0] + outcome["dealer"]]
    together = min(len(numbers), len(shown))
    return numbers if numbers[:together] == shown[:together] else shown


def video_poker(row):
    """The five cards that are dealt, and the five that take their places when none is held."""
    outcome, _ = verify.decide("videopoker/1", {}, [{"type": "draw", "hold": []}], draws(row))
    return outcome["dealt"] + outcome["cards"]


def video_poker_numbers(row):
    return [number_of(name) for name in video_poker(row)]


def video_poker_names(row):
    return ["%s %s" % (RANKS[games.RANKS.index(name[:-1])], SUITS[name[-1]].upper()) for name in video_poker(row)]


def card_names(row):
    return ["%s %s" % (RANKS[rank], SUITS[name[-1]].upper()) for rank, name in cards(row)]


def diamonds(row):
    return [gem.upper() for gem in play("diamonds/1", draws(row))["gems"]]


def diamond_poker(row):
    """Two hands, one after the other, whose pink is called orange."""
    drawn = draws(row)
    gems = play("diamonds/1", drawn)["gems"] + play("diamonds/1", drawn)["gems"]
    return [gem.replace("pink", "orange") for gem in gems]


def dragon_tower(row):
    levels = play("dragontower/1", draws(row), difficulty=row["difficulty"])["levels"]
    return both(levels, "dragontower/1", row, [{"type": "cashOut"}], "levels", difficulty=row["difficulty"])


SCHEMES = {
    "stake.dice": dice,
    "stake.limbo.v2": limbo,
    "stake.limbo.v1": old_limbo,
    "stake.crash": crash,
    "stake.crash.raw": whole_crash(Fraction(99, 100)),
    "stake.slide.raw": whole_crash(Fraction(98, 100)),
    "stake.slots.scarab": slots_stops,
    "stake.flip": flips,
    "stake.roulette": roulette,
    "stake.wheel": wheel,
    "stake.wheel.index": wheel,
    "stake.keno": keno,
    "stake.keno.1based": from_one(keno),
    "stake.mines": mines,
    "stake.mines.1based.sorted24": lambda row: sorted(from_one(mines)(row)),
    "stake.plinko.directions": plinko_path,
    "stake.plinko.index": plinko_bucket,
    "stake.baccarat": baccarat,
    "stake.hilo": hilo_numbers,
    "stake.hilo.cards": hilo_names,
    "stake.blackjack": blackjack,
    "stake.videopoker": video_poker_numbers,
    "stake.videopoker.cards": video_poker_names,
    "stake.cards.infinite": card_names,
    "stake.diamonds": diamonds,
    "stake.diamondpoker": diamond_poker,
    "stake.dragontower": dragon_tower,
    "stake.bytes": stream,
    "stake.floats": floats,
    "chain.sha256hex": chain,
    "commit.sha256utf8": commitment,
}


def main(path):
    with open(path, "rb") as file:
        rows = json.load(file)["vectors"]
    reproduced, wrong = dict.fromkeys(SCHEMES, 0), 0
    for number, row in enumerate(rows):
        scheme = row["scheme"]
        got = SCHEMES[scheme](row) if scheme in SCHEMES else "no such scheme here"
        if got == row["expected"]:
            reproduced[scheme] += 1
        else:
            wrong += 1
            print("row %d, %s: %s, published %s" % (number, scheme, got, row["expected"]), file=sys.stderr)
    print(json.dumps(reproduced))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
