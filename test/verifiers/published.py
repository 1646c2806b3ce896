"""Reproduce published rounds of other houses with the draws and games of verify.py.

    python3 published.py fairness.json

Prints how many rows of each scheme were reproduced, as JSON, and each row that
wasn't on standard error. Schemes that have no line below are passed over.
"""

import hashlib
import hmac
import json
import sys

import verify


def draws(row):
    return verify.draws_of(row["serverSeed"], row["clientSeed"], row["nonce"])


def play(rules, drawn, **config):
    """Return the outcome of a game with its fields' defaults, but for those that are given."""
    game, fields = verify.GAMES[rules]
    return game(dict(verify.read_config(fields, {}), **config), drawn)[0]


def two_decimals(value):
    hundredths = int(value * 100)
    return "%d.%02d" % divmod(hundredths, 100)


def dice(row):
    return two_decimals(play("dice/1", draws(row))["roll"])


def limbo(row):
    return two_decimals(play("limbo/1", draws(row))["multiplier"])


def crash(row):
    """These come from a chain of game hashes: the draw is of HMAC(key = hash as text, message = salt)."""
    block = hmac.digest(row["gameHash"].encode(), row["salt"].encode(), "sha256")
    return two_decimals(play("crash/1", iter([int.from_bytes(block[:4], "big")]))["crash"])


def flips(row):
    return "".join(flip[0].upper() for flip in play("coinflip/1", draws(row), flips=20)["flips"])


def stream(row):
    """The bytes that draws are read from, from an offset on."""
    drawn, end = draws(row), row["offset"] + len(row["expected"])
    together = b"".join(next(drawn).to_bytes(4, "big") for _ in range(end // 4 + 1))
    return list(together[row["offset"]:end])


def commitment(row):
    return hashlib.sha256(row["serverSeed"].encode("ascii")).hexdigest()


SCHEMES = {
    "stake.dice": dice,
    "stake.limbo.v2": limbo,
    "stake.crash": crash,
    "stake.flip": flips,
    "stake.bytes": stream,
    "commit.sha256utf8": commitment,
}


def main(path):
    with open(path, "rb") as file:
        rows = json.load(file)["vectors"]
    reproduced, wrong = dict.fromkeys(SCHEMES, 0), 0
    for number, row in enumerate(rows):
        scheme = row["scheme"]
        if scheme not in SCHEMES:
            continue
        got = SCHEMES[scheme](row)
        if got == row["expected"]:
            reproduced[scheme] += 1
        else:
            wrong += 1
            print("row %d, %s: %s, published %s" % (number, scheme, got, row["expected"]), file=sys.stderr)
    print(json.dumps(reproduced))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
