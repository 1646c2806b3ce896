#!/usr/bin/env python3
"""Verify a round of the casino: is it what its seeds decide?

    python3 verify.py ROUND.json     the answer of GET /history/{id}, - for standard input; with the answer of
                                     POST /rounds beside it as "opened" the bound of a stepped round is checked too
    python3 verify.py --lines        a round a line on standard input, an answer a line
    python3 verify.py --receipt FILE --keys KEYS.json --wallet WALLET [--history FILE]
                                     receipts: an answer, or one a line, as docs/fairness/receipts.md says
        [--log URL [--checkpoints FILE]] [--witnesses FILE] [--anchor SIGNATURE --rpc URL]
                                     and their blocks in the public log, as docs/fairness/log.md says
    python3 verify.py --log URL --keys KEYS.json [--checkpoints FILE] [--witnesses FILE]
                                     checkpoints of the public log
    python3 verify.py --capture FILE a capture, as docs/fairness/capture.md says
    python3 verify.py --solvency FILE --keys KEYS.json
                                     an answer of GET /account/solvency, as docs/fairness/solvency.md says
    python3 verify.py --crash FILE [--before FILE] [--rpc URL]
                                     an answer of GET /crash/rounds/{number}, as docs/fairness/shared-crash.md says

Needs the other files of its folder: games.py and steps.py have the rules of the games.
All are written from docs/fairness alone, with nothing but Python's standard library
(3.9 or newer), so that they can be read next to those pages and trusted without
the service. Every number is an integer or an exact fraction.

Exit code 0: verified. 1: it differs, with a line for each thing that does, or it is void.
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

import crash
import publiclog
import receipts
import solvency
from games import GAMES, WAGERS, Unverifiable, is_number, read_config
from steps import GREATEST, STEPPED, opened_config, staked_by, take

# The draws, as docs/fairness/README.md has them.


def draws_of(server_seed, client_seed, nonce):
    """Yield the draws of a round, each 0 … 2^32-1, as many as are asked for."""
    for cursor in itertools.count():
        message = "%s:%d:%d" % (client_seed, nonce, cursor)
        block = hmac.digest(server_seed.encode("ascii"), message.encode("ascii"), "sha256")
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at:at + 4], "big")


# A round.


def verify(game_round):
    """Return what differs, as (name, what the round says, what its seeds decide)."""
    wager = game_round["wager"]
    decided = bound_of(game_round)
    decided["serverSeedHash"] = hashlib.sha256(game_round["serverSeed"].encode("ascii")).hexdigest()
    if is_void(game_round):
        decided.update(multiplier=1, payout=wager)
    else:
        outcome, multiplier = play(game_round)
        payout = wager * Fraction(multiplier)
        decided.update(outcome=outcome, multiplier=multiplier, payout=payout.numerator // payout.denominator)
        decided.update(wager=wager_of(game_round, outcome))
    return [(name, game_round[name], true) for name, true in decided.items() if not agrees(name, game_round[name], true)]


def bound_of(game_round):
    """Return the config that a stepped round must have by how it was opened, where that is known."""
    opened, rules = game_round.get("opened"), game_round["rules"]
    if opened is None:
        return {}
    if rules not in STEPPED:
        raise Unverifiable("opened: %s isn't played step by step" % show(rules))
    return {"config": opened_config(rules, opened)}


UNPROVEN = {
    "server": "The house chose both seeds (clientSeedSource server): it could have tried many until they suited it,"
              " so the round proves nothing against the house.",
    "repeated": "The house knew the client seed when it drew the server seed (clientSeedSource repeated): it could have"
                " drawn one that suits it, so the round proves nothing against the house.",
}


def notes_of(game_round):
    """Say in words what a round doesn't prove, and what a void one would have paid."""
    notes = []
    if is_void(game_round):
        notes.append("The round is void: its stake was returned. " + instead(game_round))
    if game_round.get("clientSeedSource") in ("server", "repeated"):
        notes.append(UNPROVEN[game_round["clientSeedSource"]])
    if game_round.get("actions") is not None and game_round["rules"] in GREATEST and game_round.get("opened") is None:
        notes.append("What was asked for at the opening isn't in the file: whether the round's bound is the published"
                     " one was not checked (docs/fairness/steps.md).")
    return notes


def instead(game_round):
    """Say what the seeds of a void round would have paid."""
    try:
        _, multiplier = play(game_round)
    except Unverifiable as reason:
        return "What its seeds would have paid can't be told: %s" % reason
    payout = game_round["wager"] * Fraction(multiplier)
    return ("Its seeds decide a multiplier of %s, which would have paid %d. Seeds can't show why a round failed:"
            " a house that voids wins has void rounds that would have paid."
            % (show(Fraction(multiplier)), payout.numerator // payout.denominator))


def agrees(name, said, true):
    """Compare as docs/fairness/README.md says: a multiplier that was cut to a billionth, all else exactly."""
    if name == "multiplier" and is_cut(Fraction(true)):
        return abs(Fraction(said) - true) <= Fraction(1, 10**9)
    return same(said, true)


def wager_of(game_round, outcome):
    """Return the wager, or what it had to be: what the bets of the config add up to, or a first wager so many times."""
    wager, rules = game_round["wager"], game_round["rules"]
    if game_round.get("actions") is not None:
        times = staked_by(rules, game_round["actions"])
        return wager if wager % times == 0 else "a whole first wager %d times" % times
    if rules in WAGERS and "bets" in game_round["config"]:
        return WAGERS[rules](game_round["config"])
    return wager


def is_cut(number):
    """Say whether a number has more than the 18 digits, before and after the point together, that a round shows."""
    decimals = max(0, 18 - len(str(number.numerator // number.denominator)))
    return (number * 10**decimals).denominator != 1


def decimals_of(number):
    """Return how many decimals a number takes, None for more than 19."""
    return next((n for n in range(20) if (Fraction(number) * 10**n).denominator == 1), None)


def is_void(game_round):
    """Say whether nothing could be drawn, so that the stake was returned."""
    return game_round["outcome"] is None


def play(game_round):
    """Play a round again from its revealed seeds."""
    rules = game_round["rules"]
    if not (rules in GAMES or rules in STEPPED) or rules.split("/")[0] != game_round["gameType"]:
        raise Unverifiable("rules: %s of %s are unknown here" % (show(rules), show(game_round["gameType"])))
    draws = draws_of(game_round["serverSeed"], game_round["clientSeed"], game_round["nonce"])
    return decide(rules, game_round["config"], game_round.get("actions"), draws)


def decide(rules, config, actions, draws):
    """Return what the rules make of a config, draws and, of a round that was played step by step, its actions."""
    if actions is None:
        if rules not in GAMES:
            raise Unverifiable("gameType: is played step by step alone, the round has no actions")
        game, _ = GAMES[rules]
        return game(read_config(rules, config), draws)
    if rules not in STEPPED:
        raise Unverifiable("gameType: isn't played step by step, the round has actions")
    return take(rules, config, draws, actions)


def read_round(text):
    """Read a round from JSON, bare or as {"round": …}, and refuse what is none."""
    try:
        answer = json.loads(text, parse_float=read_decimal, parse_constant=read_decimal, object_pairs_hook=read_object)
    except (ValueError, RecursionError) as fault:
        raise Unverifiable("malformed: no JSON: %s" % fault) from None
    opened = answer.get("opened") if isinstance(answer, dict) else None
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
    if not isinstance(answer.get("actions"), (list, type(None))):
        raise Unverifiable("actions: must be a list")
    return {**answer, "opened": read_opened(opened, answer)}


def read_opened(opened, game_round):
    """Read the answer of POST /rounds that stands beside a round, None where there is none."""
    if is_object(opened) and "round" in opened:
        opened = opened["round"]
    if opened is None:
        return None
    if not is_object(opened) or opened.get("id") != game_round.get("id"):
        raise Unverifiable("opened: is no opening of this round")
    for name, is_one in (("asked", is_object), ("wager", is_whole), ("maxPayout", is_whole)):
        if not is_one(opened.get(name)) or opened[name] == 0:
            raise Unverifiable("malformed: opened.%s is missing or no such thing" % name)
    return opened


def is_text(value):
    return isinstance(value, str)


def is_object(value):
    return isinstance(value, dict)


MOST = 2**63 - 1


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST


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
    """Write a value as JSON, but fractions that a round cuts as a/b."""
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (json.dumps(name), show(value[name])) for name in value)
    if isinstance(value, list):
        return "[%s]" % ",".join(map(show, value))
    if isinstance(value, Fraction) and not is_cut(value):
        value = Decimal(value.numerator) / value.denominator
    if isinstance(value, Decimal):
        return "{:f}".format(value)
    if isinstance(value, Fraction):
        return str(value)
    return json.dumps(value)


def answer_line(line):
    """Answer one round of many with a line of JSON."""
    try:
        game_round = read_round(line)
        differs = [name for name, _, _ in verify(game_round)]
    except Unverifiable as reason:
        return json.dumps({"error": str(reason)})
    nothing, notes = is_void(game_round), notes_of(game_round)
    answer = {"verified": not differs and not nothing, "differs": differs}
    if nothing:
        answer["void"] = True
    if notes:
        answer["notes"] = notes
    return json.dumps(answer)


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
        decides = "by how it was opened it is" if name == "config" else "its seeds decide"
        print("%s: the round says %s, %s %s" % (name, show(said), decides, show(true)))
    for note in notes_of(game_round):
        print(note)
    if differs or is_void(game_round):
        return 1
    print("verified")
    print("compare the commitment with what was shown before the round: %s" % game_round["serverSeedHash"])
    return 0


def main(arguments):
    if arguments == ["--lines"]:
        return answer_lines()
    if len(arguments) == 1 and (arguments[0] == "-" or not arguments[0].startswith("-")):
        return answer_file(arguments[0])
    options = dict(zip(arguments[::2], arguments[1::2]))
    if len(arguments) == 2 * len(options) and options.keys() == {"--capture"}:
        import captures  # which imports this file
        return captures.main(options["--capture"])
    if len(arguments) == 2 * len(options) and options.keys() == {"--solvency", "--keys"}:
        return solvency.main(options["--solvency"], options["--keys"])
    if len(arguments) == 2 * len(options) and {"--crash"} <= options.keys() <= {"--crash", "--before", "--rpc"}:
        return crash.main(options)
    names, log, anchor = {"--receipt", "--keys", "--wallet"}, {"--log", "--checkpoints", "--witnesses"}, {"--anchor", "--rpc"}
    if len(arguments) == 2 * len(options) and ("--log" in options or "--checkpoints" not in options) and len(anchor & options.keys()) != 1:
        if names <= options.keys() <= names | log | anchor | {"--history"}:
            return receipts.main(options)
        if {"--log", "--keys"} <= options.keys() <= log | {"--keys"}:
            return publiclog.main(options)
    print(__doc__.strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
