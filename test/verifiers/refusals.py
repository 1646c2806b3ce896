"""Verify refusals and limits of the casino that are signed, as docs/fairness/refusals.md says."""

import hashlib
import json
from fractions import Fraction

import games
import signatures
import steps
from receipts import Number

ANY = 2**63 - 1  # stands for more than any amount
CLOCKS = 180_000  # by how many milliseconds two clocks may differ

# Refusals that are signed: by their code, and by the reason or status of its details where not all are.
SIGNED = {
    "WAGER_OUT_OF_RANGE": None, "INSUFFICIENT_USER_FUNDS": None, "LIMIT_EXCEEDED": None, "PLAYER_EXCLUDED": None, "PLAYER_FROZEN": None,
    "BLOCKED_AGENT": None, "GAME_DISABLED": None, "TOKEN_NOT_ACCEPTED": None, "TOO_MANY_OPEN": None, "API_CHECKING": {"paused"},
    "RATE_LIMITED": {"pace"}, "FORBIDDEN": {"review", "deny"}, "INVALID_STATE": {"exhausted", "rotated", "played"},
}
LIMITS = ["min-wager", "max-wager", "max-payout"]
NUMBERS = ["nonce", "wager", *LIMITS, "room", "could-pay", "balance", "open-rounds", "time"]


def reasons_of(answer):
    details = answer.get("details")
    details = details if isinstance(details, dict) else {}
    return [details[name] for name in ("reason", "limit", "status") if isinstance(details.get(name), str)]


def must_be_signed(answer):
    """Say whether an error is one of those that are signed."""
    code = answer.get("code")
    if type(code) is not str or code not in SIGNED:
        return False
    return SIGNED[code] is None or not SIGNED[code].isdisjoint(reasons_of(answer))


def order_of(route, key, asked):
    """Return the digest of what was asked for; the body is all of it but the key."""
    body = {name: value for name, value in asked.items() if value is not None and name != "key"}
    text = "casino order 1\nroute: %s\nkey: %s\nbody: %s\n" % (route, key, canonical(body))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def canonical(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, list):
        return "[%s]" % ",".join(map(canonical, value))
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (canonical(name), canonical(value[name])) for name in sorted(value))
    return json.dumps(value, ensure_ascii=False)


# What a bet could pay.


def could_pay(rules, config, wager, bound=None):
    """Return the most that a bet may pay; bound is maxPayout for a round that is opened."""
    most = greatest(rules, config) if bound is None else greatest_by_steps(rules, config, wager, bound)
    return ANY if most is None else min(ANY, wager * Fraction(most) // 1)


def greatest(rules, config):
    """Return the greatest multiplier of a config that is decided in one call."""
    values = games.read_config(rules, config)
    return GREATEST[rules](values)


def greatest_by_steps(rules, config, wager, max_payout):
    """Return the greatest multiplier of a round that is opened, None where it can't be."""
    if rules in FIXED:
        return FIXED[rules] if wager * FIXED[rules] <= max_payout else None
    opened = steps.opened_config(rules, {"asked": config, "wager": wager, "maxPayout": max_payout})
    values = steps.read_fields(steps.STEPPED[rules][1], opened, "config")
    worths = WORTHS[rules](values)
    if steps.passes(worths[0], values):
        return None
    most = values["maxMultiplier"]
    if rules == "hilo/1" and most is not None:
        return Fraction(most, 10**4)
    return max([worth for worth in worths if not steps.passes(worth, values)] + [Fraction(99, 100)])


FIXED = {"videopoker/1": 800, "blackjack/1": 8}
# What a round can be worth after a step, the least first.
WORTHS = {
    "mines/1": lambda values: [steps.mines_worth(values["mines"], opened) for opened in range(1, 26 - values["mines"])],
    "dragontower/1": lambda values: [tower_worth(values["difficulty"], level) for level in range(1, 10)],
    "hilo/1": lambda values: [Fraction(99, 100) * Fraction(13, 12), Fraction(99, 100) * 13**15],
}


def tower_worth(difficulty, levels):
    return Fraction(99, 100) * Fraction(*games.TOWERS[difficulty]) ** levels


def roulette(values):
    bets = [(games.roulette_numbers(bet), bet["amount"]) for bet in values["bets"]]
    paid = [sum(Fraction(36 * amount, len(numbers)) for numbers, amount in bets if number in numbers) for number in range(37)]
    return max(paid) / games.sum_of_bets(values)


def baccarat(values):
    paid = [sum(pays.get(bet["on"], 0) * bet["amount"] for bet in values["bets"]) for pays in games.BACCARAT_PAYS.values()]
    return Fraction(max(paid)) / games.sum_of_bets(values)


def dice(values):
    winning = 10000 - values["target"] if values["direction"] == "over" else values["target"]
    return Fraction(99000000 // winning, 10000)


def hilo(values):
    """Of each rank of the last card, the greatest product with which all guesses so far are right."""
    best = dict.fromkeys(range(13), Fraction(99, 100))
    for guess in values["guesses"]:
        after = {}
        for rank, worth in best.items():
            ranks = range(13) if guess == "skip" else games.hilo_right(guess, rank)
            for following in ranks:
                after[following] = max(after.get(following, 0), worth * Fraction(13, len(ranks)))
        best = after
    return max(best.values())


# The greatest multiplier of a config.
GREATEST = {
    "dice/1": dice,
    "limbo/1": lambda values: Fraction(values["target"], 100),
    "crash/1": lambda values: Fraction(values["cashout"], 100),
    "coinflip/1": lambda values: Fraction(99, 100) * 2**values["flips"],
    "slots/1": lambda values: Fraction(7831, 2),  # docs/fairness/games.md
    "mines/1": lambda values: steps.mines_worth(values["mines"], len(values["picks"])),
    "plinko/1": lambda values: max(games.PLINKO_PAYS[values["risk"], values["rows"]]),
    "keno/1": lambda values: max(games.KENO_PAYS[values["risk"], len(values["picks"])]),
    "wheel/1": lambda values: max(games.WHEEL_PAYS[values["risk"], values["segments"]]),
    "roulette/1": roulette,
    "baccarat/1": baccarat,
    "diamonds/1": lambda values: Fraction(50),
    "dragontower/1": lambda values: tower_worth(values["difficulty"], len(values["picks"])),
    "hilo/1": hilo,
}


# A refusal.


class Bet:
    """A bet that was refused: what was asked, and what its player knew then."""

    def __init__(self, route, asked, pays, **known):
        # pays takes the maxPayout and says what the bet could pay, None for what isn't known; known are facts of the statement.
        self.route, self.asked, self.pays, self.known = route, asked, pays, known


def faults_of(keys, answer, bet, at):
    """Return the statement of a refusal, None where it doesn't hold, and what is wrong with it."""
    if "receipt" not in answer:
        return None, ["the refusal %s isn't signed" % answer.get("code")]
    statement, wrong = signatures.open_statement(keys, answer["receipt"], "refusal")
    if wrong:
        return None, ["its receipt doesn't hold: " + wrong]
    missing = [name for name in NUMBERS if statement.whole(name) is None]
    if missing:
        return None, ["its receipt doesn't hold: %s is no whole number" % missing[0]]
    faults = []
    expected = dict(bet.known, order=order_of(bet.route, bet.asked.get("key", ""), bet.asked), code=answer["code"])
    for name, value in expected.items():
        if value is not None and statement.facts.get(name) != str(value):
            faults.append("the signed refusal states the %s %s, it is %s" % (name, statement.facts.get(name), value))
    if statement.facts.get("reason") not in (reasons_of(answer) or ["none"]):
        faults.append("the signed refusal states another reason than the answer: %s" % statement.facts.get("reason"))
    if abs(statement.whole("time") - at) > CLOCKS:
        faults.append("the refusal was signed at %d and answered at %d" % (statement.whole("time"), at))
    pays = bet.pays(statement.whole("max-payout"))
    if pays is not None and statement.whole("could-pay") != pays:
        faults.append("the signed refusal states the most that the bet could pay as %s, it is %d" % (statement.facts["could-pay"], pays))
    if figures_allow(statement):
        faults.append("the figures of the signed refusal allow the bet")
    return statement, faults


def figures_allow(statement):
    """Say whether the figures of a refusal contradict its code."""
    figure = statement.whole
    wager, pays = figure("wager"), figure("could-pay")
    if statement.facts["code"] == "WAGER_OUT_OF_RANGE":
        within = figure("min-wager") <= wager <= figure("max-wager") and pays <= figure("max-payout") and pays <= figure("room")
        return within and figure("balance") - wager + pays <= ANY
    if statement.facts["code"] == "INSUFFICIENT_USER_FUNDS":
        return figure("balance") >= wager
    return False
