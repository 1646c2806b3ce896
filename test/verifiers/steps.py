"""The games that are played step by step: what they offer, and what an action brings.

Written from docs/fairness/steps.md alone, for verify.py beside it. A game is a
generator: it takes its config and the draws, yields a Point for each action, is sent the
action that was taken, and returns its outcome and its multiplier when the round has
ended. STEPPED, at the end, has a line for each.
"""

import collections
import math
from fractions import Fraction

from games import (
    REQUIRED, TOWERS, Unverifiable, card, choice, decimal, different, hilo_right, integer, pick_card, pick_several,
    read_fields, required, several,
)


class Point:
    """A point of a round at which its player acts."""

    def __init__(self, offered, shown, prizes=None, chances=None):
        # The fields of each action that is offered, by its type; what is shown; of the games
        # that show them, what the round is worth after each action that is right, and how
        # likely that is.
        self.offered, self.shown, self.prizes, self.chances = offered, shown, prizes or {}, chances or {}


def follow(rules, config, draws, actions):
    """Take actions one after another. Return the points before each and the end, None where the round goes on."""
    game, fields = STEPPED[rules]
    steps, points = game(read_fields(fields, config, "config"), draws), []
    try:
        points.append(next(steps))
        for taken, action in enumerate(actions):
            action = read_action(points[-1].offered, action, "actions[%d]" % taken)
            points.append(steps.send(action))
    except StopIteration as end:
        if len(points) < len(actions):
            raise Unverifiable("actions: must be %d: the round has ended after them" % len(points)) from None
        return points, end.value
    return points, None


def take(rules, config, draws, actions):
    """Take the actions of a round one after another, and return its outcome and multiplier."""
    _, end = follow(rules, config, draws, actions)
    if end is None:
        raise Unverifiable("actions: are not all: the round goes on after them")
    return end


def leave_alone(rules, config, draws):
    """Return the outcome and multiplier of a round whose player is absent."""
    game, fields = STEPPED[rules]
    steps = game(read_fields(fields, config, "config"), draws)
    try:
        next(steps)
        while True:
            steps.send(LEFT_ALONE[rules])
    except StopIteration as end:
        return end.value


def staked_by(rules, actions):
    """Return how many first wagers the actions of a round staked, the first one included."""
    return 1 + sum(action["type"] in STAKING.get(rules, ()) for action in actions)


def read_action(offered, action, within):
    """Return an action as the game takes it, if it is one of those that are offered."""
    if not isinstance(action, dict):
        raise Unverifiable("%s: must be an object" % within)
    kind = action.get("type")
    if not isinstance(kind, str) or kind not in offered:
        raise Unverifiable("%s.type: must be one of %s" % (within, ", ".join(offered)))
    members = {name: value for name, value in action.items() if name != "type"}
    return {"type": kind, **read_fields(offered[kind], members, within)}


# Cash out at. It comes in ten thousandths, None where there is no such bound.

MAX_MULTIPLIER = decimal(10**4, 10**15, 4, None)


def passes(worth, config):
    """Say whether a round would be worth more than it may."""
    most = config["maxMultiplier"]
    return most is not None and worth * 10**4 > most


def check_bound(first_step, config):
    if passes(first_step, config):
        raise Unverifiable("config.maxMultiplier: is less than the first step pays")


RESERVE_MULTIPLE = 50


def opened_config(rules, opened):
    """Return the config that a round is opened with, by what was asked for, the first wager and maxPayout."""
    asked, wager, max_payout = opened["asked"], opened["wager"], opened["maxPayout"]
    config = read_fields(STEPPED[rules][1], asked, "opened.asked")
    if rules not in GREATEST:
        return asked
    named = config["maxMultiplier"]
    bound = min(max_payout * 10**4 // wager, RESERVE_MULTIPLE * 10**4 if named is None else named)
    if named is None and GREATEST[rules](config) * 10**4 <= bound:
        return asked
    return {**asked, "maxMultiplier": Fraction(bound, 10**4)}


# The games, as the page has them and in its order.


def mines(config, draws):
    count, opened = config["mines"], []
    check_bound(mines_worth(count, 1), config)
    placed = pick_several(draws, count, 25)
    while len(opened) < 25 - count and not passes(mines_worth(count, len(opened) + 1), config):
        closed = [tile for tile in range(25) if tile not in opened]
        safe = Fraction(len(closed) - count, len(closed))
        action = yield Point(
            {"open": {"tile": required(choice(*closed))}, "cashOut": {}}, {"opened": list(opened)},
            {"open": mines_worth(count, len(opened) + 1), "cashOut": mines_worth(count, len(opened))}, {"open": safe, "cashOut": 1})
        if action["type"] == "cashOut":
            break
        opened.append(action["tile"])
        if action["tile"] in placed:
            return {"opened": opened, "mines": placed}, 0
    return {"opened": opened, "mines": placed}, mines_worth(count, len(opened))


def mines_worth(count, opened):
    return Fraction(9900 * math.comb(25, opened) // math.comb(25 - count, opened), 10000)


def dragontower(config, draws):
    tiles, eggs = TOWERS[config["difficulty"]]
    worth = [Fraction(99, 100) * Fraction(tiles, eggs) ** level for level in range(10)]
    check_bound(worth[1], config)
    levels = [pick_several(draws, eggs, tiles) for _ in range(9)]
    picks = []
    while len(picks) < 9 and not passes(worth[len(picks) + 1], config):
        action = yield Point(
            {"climb": {"tile": required(choice(*range(tiles)))}, "cashOut": {}}, {"picks": list(picks)},
            {"climb": worth[len(picks) + 1], "cashOut": worth[len(picks)]}, {"climb": Fraction(eggs, tiles), "cashOut": 1})
        if action["type"] == "cashOut":
            break
        picks.append(action["tile"])
        if action["tile"] not in levels[len(picks) - 1]:
            return {"picks": picks, "levels": levels}, 0
    return {"picks": picks, "levels": levels}, worth[len(picks)]


def hilo(config, draws):
    worth, guessed = Fraction(99, 100), 0
    check_bound(worth * Fraction(13, 12), config)
    rank, name = pick_card(draws)
    cards = [name]
    while guessed < 15 and len(cards) < 52 and not passes(worth * Fraction(13, 12), config):
        ranks = {guess: hilo_right(guess, rank) for guess in ("higher", "lower")}
        after = {guess: worth * Fraction(13, len(right)) for guess, right in ranks.items()}
        offered = {guess: {} for guess in ranks if not passes(after[guess], config)}
        chances = {guess: Fraction(draws_within(ranks[guess]), 2**32) for guess in offered}
        guess = (yield Point(
            {**offered, "skip": {}, "cashOut": {}}, {"cards": list(cards), "right": len(cards) - 1},
            {**after, "skip": worth, "cashOut": worth}, {**chances, "skip": 1, "cashOut": 1}))["type"]
        if guess == "cashOut":
            break
        rank, name = pick_card(draws)
        cards.append(name)
        if guess != "skip":
            if rank not in ranks[guess]:
                return {"cards": cards, "right": len(cards) - 2}, 0
            worth, guessed = after[guess], guessed + 1
    return {"cards": cards, "right": len(cards) - 1}, worth


def draws_within(ranks):
    """Return how many of the 2^32 draws are a card of consecutive ranks."""
    return -(-2**32 * 4 * (ranks[-1] + 1) // 52) + (-2**32 * 4 * ranks[0] // 52)


def videopoker(config, draws):
    ten = [card(number) for number in pick_several(draws, 10, 52)]
    dealt, others = ten[:5], iter(ten[5:])
    action = yield Point({"draw": {"hold": different(several(integer(0, 4), 0, 5, REQUIRED))}}, {"dealt": names_of(dealt)})
    cards = [held if place in action["hold"] else next(others) for place, held in enumerate(dealt)]
    hand = videopoker_hand(cards)
    return {"dealt": names_of(dealt), "cards": names_of(cards), "hand": hand}, VIDEOPOKER_PAYS[hand]


VIDEOPOKER_PAYS = {
    "royal flush": 800, "straight flush": 50, "four of a kind": 25, "full house": 9, "flush": 6,
    "straight": 4, "three of a kind": 3, "two pairs": 2, "jacks or better": 1, "none": 0,
}
# How many ranks are alike, the most first.
VIDEOPOKER_ALIKE = {
    (4, 1): "four of a kind", (3, 2): "full house", (3, 1, 1): "three of a kind", (2, 2, 1): "two pairs",
}


def videopoker_hand(cards):
    ranks = sorted(rank for rank, _ in cards)
    flush = len({name[-1] for _, name in cards}) == 1
    straight = ranks in [[0, 1, 2, 3, 12]] + [list(range(low, low + 5)) for low in range(9)]
    if straight and flush:
        return "royal flush" if ranks[0] == 8 else "straight flush"
    if straight or flush:
        return "flush" if flush else "straight"
    counts = collections.Counter(ranks)
    if any(times == 2 and rank >= 9 for rank, times in counts.items()) and len(counts) == 4:
        return "jacks or better"
    return VIDEOPOKER_ALIKE.get(tuple(sorted(counts.values(), reverse=True)), "none")


def names_of(cards):
    return [name for _, name in cards]


def blackjack(config, draws):
    hands = [[pick_card(draws), pick_card(draws)]]
    dealer = [pick_card(draws), pick_card(draws)]
    stakes, split = [1], False
    at_deal = [blackjack_points(hand) == 21 for hand in (hands[0], dealer)]
    if any(at_deal):
        result = "push" if all(at_deal) else "blackjack" if at_deal[0] else "lose"
        return blackjack_end(hands, stakes, dealer, [result])
    ended = [False]
    for at in (0, 1):
        while at < len(hands) and not ended[at] and blackjack_points(hands[at]) < 21:
            hand = hands[at]
            offered = {"hit": {}, "stand": {}}
            if len(hand) == 2:
                offered["double"] = {}
                if hand[0][0] == hand[1][0] and not split:
                    offered["split"] = {}
            shown = {"hands": [names_of(each) for each in hands], "dealer": names_of(dealer[:1]), "hand": at}
            kind = (yield Point(offered, shown))["type"]
            if kind == "split":
                split = True
                hands[:] = [[hand[0], pick_card(draws)], [hand[1], pick_card(draws)]]
                stakes = [1, 1]
                ended = [hand[0][0] == 12] * 2
                continue
            if kind != "stand":
                hand.append(pick_card(draws))
            if kind == "double":
                stakes[at] = 2
            ended[at] = kind != "hit"
    points = [blackjack_points(hand) for hand in hands]
    if min(points) <= 21:
        while blackjack_points(dealer) < 17:
            dealer.append(pick_card(draws))
    against = blackjack_points(dealer)
    if against > 21:
        against = 0
    results = ["bust" if own > 21 else "win" if own > against else "push" if own == against else "lose" for own in points]
    return blackjack_end(hands, stakes, dealer, results)


# What a hand pays for each unit that was staked on it.
BLACKJACK_PAYS = {"blackjack": Fraction(5, 2), "win": 2, "push": 1, "lose": 0, "bust": 0}


def blackjack_end(hands, stakes, dealer, results):
    paid = sum(stake * BLACKJACK_PAYS[result] for stake, result in zip(stakes, results))
    outcome = {"hands": [names_of(hand) for hand in hands], "dealer": names_of(dealer), "results": results}
    return outcome, Fraction(paid) / sum(stakes)


def blackjack_points(hand):
    """The points of a hand, in which one ace counts 11 where that doesn't pass 21."""
    counts = [rank + 2 if rank < 8 else 10 if rank < 12 else 1 for rank, _ in hand]
    return sum(counts) + (10 if 1 in counts and sum(counts) <= 11 else 0)


# A game is a line here: its rules, its function, the fields of its config.
STEPPED = {
    "mines/1": (mines, {"mines": integer(1, 24, 3), "maxMultiplier": MAX_MULTIPLIER}),
    "dragontower/1": (dragontower, {"difficulty": choice(*TOWERS), "maxMultiplier": MAX_MULTIPLIER}),
    "hilo/1": (hilo, {"maxMultiplier": MAX_MULTIPLIER}),
    "videopoker/1": (videopoker, {}),
    "blackjack/1": (blackjack, {}),
}
# The most that a round can be worth without maxMultiplier, of the games that take one.
GREATEST = {
    "mines/1": lambda config: mines_worth(config["mines"], 25 - config["mines"]),
    "dragontower/1": lambda config: Fraction(99, 100) * Fraction(*TOWERS[config["difficulty"]]) ** 9,
    "hilo/1": lambda config: Fraction(99, 100) * 13**15,
}
# The actions that stake the first wager once more.
STAKING = {"blackjack/1": ("double", "split")}
# The action by which the house ends a round whose player is absent.
LEFT_ALONE = {
    "mines/1": {"type": "cashOut"}, "dragontower/1": {"type": "cashOut"}, "hilo/1": {"type": "cashOut"},
    "videopoker/1": {"type": "draw", "hold": [0, 1, 2, 3, 4]}, "blackjack/1": {"type": "stand"},
}
