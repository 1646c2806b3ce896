"""The checks of a player's bets on the shared crash in a capture, for captures.py."""

import crash
from lines import Malformed, equal, member
from receipts import Number, Wrong

# A bet as POST /crash/bets answers it.
BET = {"id": str, "chain": str, "round": int, "token": str, "wager": int, "createdAt": int}


def read_answer(given):
    try:
        return crash.Answer(member(given, "answered", dict))
    except Wrong as wrong:
        raise Malformed(str(wrong)) from None


def read_bet(given):
    """Return the bet of an answer with its numbers, and with its multipliers in hundredths."""
    shown = member(member(given, "answered", dict), "bet", dict)
    bet = {**shown, **{name: member(shown, name, kind) for name, kind in BET.items()}}
    bet["cashOut"], bet["cashedOut"] = (crash.as_hundredths(shown.get(name)) for name in ("cashOut", "cashedOut"))
    if bet["cashOut"] is None or bet["cashedOut"] is None and shown.get("cashedOut") is not None:
        raise Malformed("a cash-out of the bet has another form")
    return bet


class SharedBets:
    """Checks the lines of a player's bets on the shared crash, in order."""

    def __init__(self, player):
        self.player, self.add = player, player.add
        self.before, self.ended = None, None  # the round before the bet, and the last one that was read after its end
        self.bet, self.line = None, 0  # the bet that has no result yet

    def take_shared(self, line, given):
        self.before = read_answer(given)
        if self.before.round is None:
            raise Malformed("there is no round to bet on")
        if self.before.round["hash"] is not None or self.before.round["salt"] is not None:
            self.add("hidden", line, "the hash or the salt is shown while the round takes bets")

    def take_bet(self, line, given):
        bet, asked = read_bet(given), member(given, "asked", dict)
        if self.before is None or self.bet is not None:
            raise Malformed("no bet is due: it follows a line `shared`, and the result of the bet before")
        this, wager = self.before.round, member(asked, "wager", int)
        chosen = crash.as_hundredths(Number(asked["cashOut"])) if asked.get("cashOut") else bet["cashOut"]
        due = {"chain": this["chain"], "round": this["number"], "token": asked.get("token"), "wager": wager, "cashOut": chosen, "cashedOut": None}
        for name, value in due.items():
            if bet[name] != value:
                self.add("asked", line, "%s of the bet is %s, asked for was %s" % (name, bet[name], value))
        if bet["id"] in self.player.capture.ids:
            self.add("nonce", line, "the round %s came twice" % bet["id"])
        self.player.capture.ids.add(bet["id"])
        self.take_answer(line, given, bet, bet["createdAt"], wager)

    def take_cash_out(self, line, given):
        bet = read_bet(given)
        without = {name: value for name, value in bet.items() if name != "receivedAt"}
        if self.bet is None or bet["cashedOut"] is None or not equal({**without, "cashedOut": None}, self.bet):
            self.add("asked", line, "the cash-out answers another bet, or is the second one of it")
        self.take_answer(line, given, bet, member(bet, "receivedAt", int), 0)

    def take_answer(self, line, given, bet, time, staked):
        self.player.check_time(line, given, time)
        self.player.is_balance(line, given, member(given["answered"], "balance", int), -staked)
        self.player.check_receipt(line, given["answered"], "round.open")
        self.bet, self.line = bet, line

    def take_round(self, line, given):
        answer, bet = read_answer(given), self.bet
        if bet is None:
            raise Malformed("no bet waits for the result of a round")
        self.bet = None
        try:
            for finding in crash.check(answer, self.before):
                self.add("shared crash", line, "%s: %s" % finding)
            if self.ended is not None and self.ended.chain["id"] == answer.chain["id"]:
                for check, text in crash.check(answer, self.ended):
                    if check == "before":
                        self.add("shared crash", line, "after the round before: " + text)
        except Wrong as wrong:
            self.add("shared crash", line, str(wrong))
        self.ended = answer
        this = answer.round or {}
        found = [each for each in answer.bets if each["id"] == bet["id"] and each["payout"] is not None]
        if not found or (this.get("chain"), this.get("number")) != (bet["chain"], bet["round"]):
            self.add("shared crash", line, "the round has no bet %s, or no result of it" % bet["id"])
            return
        for name in ("token", "wager", "cashOut", "cashedOut"):
            if found[0][name] != bet[name]:
                self.add("shared crash", line, "%s of the bet is %s, answered was %s" % (name, found[0][name], bet[name]))
        if bet["cashedOut"] is not None:
            table, after = crash.make_table(), member(bet, "receivedAt", int) - (this["startedAt"] or 0)
            worth = min(bet["cashOut"], table[max(0, min(after, len(table) - 1))])
            if bet["cashedOut"] != worth:
                self.add("shared crash", line, "the cash-out is worth %s, when it was received it was %s" % (crash.show(bet["cashedOut"]), crash.show(worth)))
        self.player.balance += found[0]["payout"]

    def finish(self):
        if self.bet is not None:
            self.add("shared crash", self.line, "the round of the bet %s was not read after its end" % self.bet["id"])
