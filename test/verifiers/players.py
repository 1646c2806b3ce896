"""The checks of one player's lines of a capture, for captures.py."""

import hashlib
import re
from fractions import Fraction

import receipts
import refusals
import solvency
import steps
import verify
from choices import choices_fault
from games import Unverifiable
from lines import Malformed, Pair, Round, equal, member, plain, read_round
from receipts import Wrong
from sharedbets import SharedBets

# What the whole wager is on in games with bets that are left out.
WHOLE_BETS = {"roulette": {"type": "red"}, "baccarat": {"on": "player"}}
# What doesn't change from the opening of a round to its end.
STEPPED_FIXED = ("gameType", "rules", "token", "serverSeedHash", "clientSeed", "clientSeedSource", "nonce")


class Player:
    """Checks the lines of a player, in order."""

    def __init__(self, capture, number, wallet):
        self.capture, self.number, self.wallet = capture, number, wallet
        self.balance, self.pair, self.promised, self.used_seeds = None, None, None, set()
        self.before, self.open, self.waiting = None, {}, {}  # the pair before the first rotation; rounds by their ids
        self.signed_balances = []  # (ledger, lane, seq, balance) of each answer with a receipt
        self.balances = []  # (at, balance) of each answer
        self.token = capture.header["token"]
        self.shared = SharedBets(self)

    def add(self, check, line, text):
        self.capture.add(check, line, text)

    # Money.

    def take_balance(self, line, given):
        listed = member(member(given, "answered", dict), "balances", list)
        mine = [member(each, "balance", int) for each in listed if isinstance(each, dict) and each.get("token") == self.token]
        self.is_balance(line, given, mine[0] if mine else 0, 0)

    def is_balance(self, line, given, said, change):
        """Compare a balance with the one before and what has changed it since."""
        if self.balance is not None and said != self.balance + change:
            self.add("balance", line, "the balance is %d, it was %d and should be %d" % (said, self.balance, self.balance + change))
        self.balance = said
        self.balances.append((member(given, "at", int), said))

    # Seeds.

    def take_seed(self, line, given):
        answered = member(given, "answered", dict)
        active, following = member(answered, "serverSeedHash", str), member(answered, "nextServerSeedHash", str)
        if self.pair is None:
            self.before = Pair(active, member(answered, "clientSeed", str))
            self.before.nonce = member(answered, "nonce", int)
        elif self.pair.void and active == self.promised:
            self.pair, self.promised = Pair(active, member(answered, "clientSeed", str)), None
            if member(answered, "nonce", int) != 0:
                self.add("nonce", line, "the pair after a void round begins with the nonce %s" % answered["nonce"])
        else:
            if active != self.pair.commitment:
                self.add("commitment", line, "the commitment of the active pair is %s, it was %s" % (active, self.pair.commitment))
            if member(answered, "clientSeed", str) != self.pair.client_seed:
                self.add("client seed", line, "the client seed of the active pair is another one")
            if member(answered, "nonce", int) != self.pair.nonce:
                self.add("nonce", line, "the next nonce is %s, %d rounds were played" % (answered["nonce"], self.pair.nonce))
        if self.promised not in (None, following):
            self.add("commitment", line, "the commitment of the next pair is %s, it was %s" % (following, self.promised))
        self.promised = following

    def take_rotation(self, line, given):
        answered, chosen = member(given, "answered", dict), member(given, "clientSeed", str)
        revealed, seed = member(answered, "revealed", dict), member(answered, "seed", dict)
        self.check_receipt(line, answered, "pair")
        self.reveal(line, revealed, self.pair or self.before)
        commitment, following = member(seed, "serverSeedHash", str), member(seed, "nextServerSeedHash", str)
        if self.promised is None:
            self.add("commitment", line, "the commitment of the new pair was not shown before its client seed was chosen")
        elif commitment != self.promised:
            self.add("commitment", line, "the new pair has the commitment %s, promised was %s" % (commitment, self.promised))
        if following == commitment:
            self.add("commitment", line, "the next pair has the commitment of the new one")
        if member(seed, "clientSeed", str) != chosen or seed.get("clientSeedSource") != "player":
            self.add("client seed", line, "the new pair has the client seed %s (%s), chosen was %s" % (seed["clientSeed"], seed.get("clientSeedSource"), chosen))
        if chosen in self.capture.client_seeds:
            self.add("client seed", line, "the client seed was used before")
        if member(seed, "nonce", int) != 0:
            self.add("nonce", line, "the new pair begins with the nonce %s" % seed["nonce"])
        self.capture.client_seeds.add(chosen)
        self.pair, self.promised = Pair(commitment, chosen), following

    def reveal(self, line, revealed, pair):
        """Check a revealed pair, and all that was drawn from it."""
        seed, commitment = member(revealed, "serverSeed", str), member(revealed, "serverSeedHash", str)
        if pair is None:
            raise Malformed("the rotation has no line `seed` before it")
        wrong = pair.commitment != commitment or not verify.is_server_seed(seed) or hashlib.sha256(seed.encode()).hexdigest() != commitment
        if wrong:
            self.add("commitment", line, "the revealed seed is not that of the commitment %s" % pair.commitment)
        if seed in self.capture.seeds:
            self.add("commitment", line, "the server seed was used before")
        self.capture.seeds.add(seed)
        if member(revealed, "clientSeed", str) != pair.client_seed:
            self.add("client seed", line, "the revealed pair has another client seed than its rounds")
        if member(revealed, "rounds", int) != pair.nonce:
            self.add("nonce", line, "the reveal counts %s rounds, %d were played" % (revealed["rounds"], pair.nonce))
        if wrong:
            return
        self.recompute(pair, seed)

    def recompute(self, pair, seed):
        """Recompute all that was drawn from a pair, or would have been."""
        pair.seed = seed
        for each in pair.rounds:
            self.check_outcome(each)
        self.take_declined(pair)

    def take_declined(self, pair):
        """Recompute the bets that were declined at each nonce."""
        for nonce in sorted(pair.declined):
            first_draw = next(verify.draws_of(pair.seed, pair.client_seed, nonce))
            bets = [(asked["gameType"], *self.would_return(pair, nonce, asked, config)) for asked, config in pair.declined[nonce]]
            self.capture.selection.take(first_draw, bets)

    def would_return(self, pair, nonce, asked, config):
        """Return what a declined bet would have returned, in stakes, None where it can't be played, and its deviation."""
        draws, rules = verify.draws_of(pair.seed, pair.client_seed, nonce), self.rules_of(asked["gameType"])
        try:
            if config.by_steps:
                opened = {"asked": asked["config"], "wager": asked["wager"], "maxPayout": self.max_payout()}
                _, multiplier = steps.leave_alone(rules, steps.opened_config(rules, opened), draws)
            else:
                _, multiplier = verify.decide(rules, asked["config"], None, draws)
        except (Unverifiable, KeyError):
            return None, 1.0
        return asked["wager"] * Fraction(multiplier) // 1 / asked["wager"], config.deviation

    def max_payout(self):
        return max((most for most in self.capture.max_payouts if most), default=verify.MOST)

    def rules_of(self, game_type):
        return self.capture.games.get(game_type, {}).get("rules", "")

    # Rounds.

    def asked_of(self, given):
        """Return what was asked for, as sent and with its numbers, and its config."""
        raw = member(given, "asked", dict)
        asked = plain({"config": {}, **raw})
        member(raw, "gameType", str)
        config = self.capture.configs.get(member(given, "config", int))
        if config is None or not isinstance(asked["config"], dict) or asked["gameType"] not in self.capture.header["games"]:
            raise Malformed("the bet has no config of the capture")
        return raw, asked, config

    def take_round(self, line, given):
        self.begin(line, given, False)

    def take_open(self, line, given):
        self.begin(line, given, True)

    def begin(self, line, given, by_steps):
        """Check the answer to a bet."""
        answered, (_, asked, config) = member(given, "answered", dict), self.asked_of(given)
        if self.pair is None:
            raise Malformed("the round has no rotation before it")
        shown = read_round(answered)
        played = Round(self.pair, asked, config, line)
        if shown["id"] in self.capture.ids:
            self.add("nonce", line, "the round %s came twice" % shown["id"])
        self.capture.ids.add(shown["id"])
        self.capture.rounds += 1
        if shown["nonce"] != self.pair.nonce:
            self.add("nonce", line, "the nonce is %d, %d is the next one" % (shown["nonce"], self.pair.nonce))
        self.pair.nonce = shown["nonce"] + 1
        if shown["serverSeedHash"] != self.pair.commitment or shown["clientSeed"] != self.pair.client_seed:
            self.add("bound", line, "the round %s names another pair than the active one" % shown["id"])
        if shown["clientSeedSource"] != "player":
            self.add("client seed", line, "the client seed is the house's (%s): the round proves nothing against it" % shown["clientSeedSource"])
        if shown["rules"] != self.rules_of(shown["gameType"]):
            self.add("rules", line, "the round is of the rules %s, published are %s" % (shown["rules"], self.rules_of(shown["gameType"])))
        self.check_asked(line, asked, shown, by_steps)
        self.pair.rounds.append(played)
        self.take_answer(line, given, played, shown, 0)

    def take_answer(self, line, given, played, shown, staked):
        """Take in an answer about a round, after which it is open or has ended."""
        answered = given["answered"]
        self.check_time(line, given, shown["createdAt"])
        played.answers.append((line, shown))
        change = staked - played.staked() + (0 if played.is_open() else shown["payout"])
        self.is_balance(line, given, member(answered, "balance", int), change)
        played.balance = self.balance
        played.held = self.check_receipt(line, answered, "round.open" if played.is_open() else "round")
        if played.is_open():
            self.open[shown["id"]] = played
            return
        self.open.pop(shown["id"], None)
        self.waiting[shown["id"]] = played
        if shown["outcome"] is None:
            self.add("void", line, "the round %s is void" % shown["id"])
            played.pair.void = True
            played.pair.declined.setdefault(shown["nonce"], []).append((played.asked, played.config))

    def check_time(self, line, given, time):
        if abs(time - member(given, "at", int)) > refusals.CLOCKS:
            self.add("time", line, "the answer has the time %d, and came at %s" % (time, given["at"]))

    def take_step(self, line, given):
        answered = member(given, "answered", dict)
        shown = read_round(answered)
        played = self.open.get(shown["id"])
        if played is None:
            raise Malformed("no round %s is open" % shown["id"])
        before, staked = played.last, played.staked()
        for name in (*STEPPED_FIXED, "config"):
            if not verify.same(shown[name], before[name]):
                self.add("bound", line, "the round has another %s than at its opening" % name)
        actions = plain(member(member(given, "asked", dict), "actions", list))
        if not verify.same(shown.get("actions"), before["actions"] + actions):
            self.add("asked", line, "the round has other actions than those that were sent: %s" % verify.show(shown.get("actions")))
        self.take_answer(line, given, played, shown, staked)

    def check_asked(self, line, asked, shown, by_steps):
        """Compare a round with what was asked for."""
        def differs(name, is_so, should):
            self.add("asked", line, "%s is %s, asked for was %s" % (name, verify.show(is_so), verify.show(should)))

        for name in ("gameType", "token", "wager"):
            if not verify.same(shown[name], asked.get(name)):
                differs(name, shown[name], asked.get(name))
        for name, of in (("serverSeedHash", "expectedServerSeedHash"), ("nonce", "expectedNonce")):
            if asked.get(of) is not None and not verify.same(shown[name], asked[of]):
                differs(name, shown[name], asked[of])
        published = self.capture.games.get(asked["gameType"], {})
        published = published.get("steps") if by_steps else published
        defaults = plain(published.get("defaults") if isinstance(published, dict) else None)
        wanted = {**(defaults or {}), **asked["config"]}
        if shown["gameType"] in WHOLE_BETS and "bets" not in wanted:
            wanted["bets"] = [{**WHOLE_BETS[shown["gameType"]], "amount": shown["wager"]}]
        if by_steps and shown.get("status") == "open":
            if not verify.same(shown["asked"], wanted):
                differs("asked", shown["asked"], wanted)
            self.capture.openings.append((line, shown["maxPayout"]))
            try:
                opened = {"asked": wanted, "wager": shown["wager"] or 1, "maxPayout": shown["maxPayout"]}
                wanted = steps.opened_config(shown["rules"], opened)
            except (Unverifiable, KeyError):
                pass
        if not verify.same(shown["config"], wanted):
            differs("config", shown["config"], wanted)

    # After the reveal.

    def check_outcome(self, played):
        """Recompute a round, and all that was shown of it."""
        line, ended = played.answers[-1]
        if played.is_open():
            return
        try:
            pair = played.pair
            known = {**ended, "serverSeed": pair.seed, "serverSeedHash": pair.commitment, "clientSeed": pair.client_seed, "opened": None}
            for name, said, true in verify.verify(known):
                self.add("outcome", line, "%s is %s, the seeds decide %s" % (name, verify.show(said), verify.show(true)))
            if ended.get("actions") is not None and ended["outcome"] is not None:
                self.check_steps(played, known)
        except (Unverifiable, KeyError) as reason:
            self.add("outcome", line, "the round can't be recomputed: %s" % reason)

    def check_steps(self, played, known):
        """Compare what was shown, offered and staked after each action."""
        draws = verify.draws_of(known["serverSeed"], known["clientSeed"], known["nonce"])
        points, _ = steps.follow(known["rules"], known["config"], draws, known["actions"])
        first = played.asked["wager"]
        for line, shown in played.answers:
            stake = first * steps.staked_by(known["rules"], shown["actions"])
            if (shown["stake"] if shown.get("status") == "open" else shown["wager"]) != stake:
                self.add("outcome", line, "the stake is %d, the actions staked %d" % (shown.get("stake", shown["wager"]), stake))
            if shown.get("status") != "open":
                continue
            if len(shown["actions"]) >= len(points):
                self.add("outcome", line, "the round is open after its end")
                continue
            point = points[len(shown["actions"])]
            if not verify.same(shown["shown"], point.shown):
                self.add("outcome", line, "shown is %s, the seeds decide %s" % (verify.show(shown["shown"]), verify.show(point.shown)))
            fault = choices_fault(known["rules"], shown["choices"], point, first)
            if fault:
                self.add("outcome", line, "choices: " + fault)

    def take_kept(self, line, given):
        shown = read_round(member(given, "answered", dict))
        played = self.waiting.pop(shown["id"], None)
        if played is None:
            self.add("history", line, "the history has a round %s that was not played, or has it twice" % shown["id"])
            return
        self.check_seed(line, shown.get("serverSeed"), played.pair)
        mine = played.last
        was = played.balance - mine["payout"] + (0 if played.config.by_steps else mine["wager"])  # stakes of steps were taken before
        if (shown.get("balanceBefore"), shown.get("balanceAfter")) != (was, played.balance):
            self.add("history", line, "the round %s has other balances than when it was played" % shown["id"])
        other = [name for name in mine if name != "serverSeed" and (name not in shown or not equal(mine[name], shown[name]))]
        for name in other:
            self.add("history", line, "the round %s of line %d has another %s" % (shown["id"], played.answers[-1][0], name))
        if played.held and other:
            self.add("receipt", line, "the history shows another %s than the signed answer of line %d" % (other[0], played.answers[-1][0]))

    def check_seed(self, line, seed, pair):
        """Compare the seed of a round in the history with its pair's, which a void round reveals there."""
        if pair.seed is None and pair.void and verify.is_server_seed(seed) and hashlib.sha256(seed.encode()).hexdigest() == pair.commitment:
            self.capture.seeds.add(seed)
            self.recompute(pair, seed)
        if seed != pair.seed or seed is None:
            self.add("commitment", line, "the round has another server seed than the revealed one")

    # What is signed.

    def check_receipt(self, line, answered, kind):
        """Check the receipt of an answer where there must be one, and say whether it holds."""
        if self.capture.keys is None or not self.wallet:
            return False
        heads = []
        try:
            receipts.Verifier(self.capture.keys, self.wallet).verify(answered, heads)
            if answered["receipt"]["leaf"]["kind"] != kind:
                raise Wrong("the leaf is no %s" % kind)
        except Wrong as wrong:
            self.add("receipt", line, str(wrong))
            return False
        for head in heads:
            self.capture.add_block(line, head)
            if kind != "pair":
                self.signed_balances.append((*head[:3], self.balance))
        return True

    def take_refused(self, line, given):
        self.check_refused(line, given, given.get("status"))

    def take_unanswered(self, line, given):
        self.check_refused(line, given, None)

    def check_refused(self, line, given, status):
        """Check a bet, or a step, that was declined."""
        if isinstance(given.get("asked"), dict) and "actions" in given["asked"]:
            return
        raw, asked, config = self.asked_of(given)
        if not verify.is_whole(asked.get("wager")) or asked["wager"] == 0:
            raise Malformed("asked.wager is missing or has another form")
        if self.pair is not None:
            self.pair.declined.setdefault(self.pair.nonce, []).append((asked, config))
        answered = given.get("answered")
        if status is None or self.capture.keys is None or not isinstance(answered, dict) or not refusals.must_be_signed(answered):
            return
        bet = refusals.Bet("/rounds" if config.by_steps else "/play", raw, self.pays_of(asked, config), **{
            "ledger": self.capture.ledger, "wallet": self.wallet or None, "game": asked["gameType"], "wager": asked["wager"], "token": asked.get("token"),
            "server-seed-hash": self.pair and self.pair.commitment, "nonce": self.pair and self.pair.nonce, "balance": self.balance})
        statement, faults = refusals.faults_of(self.capture.keys, answered, bet, member(given, "at", int))
        for fault in faults:
            self.add("refusal", line, fault)
        if statement and answered["code"] != "TOKEN_NOT_ACCEPTED":
            self.capture.stated_limits.append((line, tuple(statement.whole(name) for name in refusals.LIMITS)))

    def pays_of(self, asked, config):
        """Return what says how much a bet could pay at a maxPayout, None where that isn't known."""
        def pays(max_payout):
            try:
                rules = self.rules_of(asked["gameType"])
                return refusals.could_pay(rules, asked["config"], asked["wager"], max_payout if config.by_steps else None)
            except (Unverifiable, KeyError):
                return None

        return pays

    def take_solvency(self, line, given):
        if self.capture.keys is None:
            return
        try:
            statement, owed = solvency.check(member(given, "answered", dict), self.capture.keys, self.wallet or None)
        except solvency.Wrong as wrong:
            self.add("solvency", line, str(wrong))
            return
        self.capture.same_ledger("solvency", line, statement.facts["ledger"])
        stated = sum(owed.get(self.token, {}).values())
        self.check_heads(line, statement)
        for least in (self.least_around(statement.whole("time")), self.least_at_heads(statement)):
            if least is not None and stated < least:
                self.add("solvency", line, "it states %d, the player's balance was %d then" % (stated, least))
                break

    def check_heads(self, line, statement):
        for lane, (seq, digest) in heads_of(statement).items():
            block = self.capture.blocks.get((statement.facts["ledger"], lane, seq))
            if block and block[1] != digest:
                self.add("solvency", line, "two histories: line %d has another block for lane %d, seq %d" % (block[0], lane, seq))

    def least_around(self, time):
        """Return the least balance within three minutes of a time, and of the answers next to these."""
        least, before = None, None
        for at, balance in self.balances:
            if at < time - refusals.CLOCKS:
                before = balance
                continue
            least = balance if least is None else min(least, balance)
            if at > time + refusals.CLOCKS:
                break
        if before is None:
            return least if self.balances and self.balances[0][0] <= time else None
        return before if least is None else min(before, least)

    def least_at_heads(self, statement):
        """Return the lesser of the balances on both sides of a snapshot by the order of blocks, None where they don't tell."""
        newest, before, after = heads_of(statement), None, None
        for of, lane, seq, balance in self.signed_balances:
            if of == statement.facts["ledger"] and seq <= newest.get(lane, (-1, ""))[0]:
                before, after = balance, None
            elif after is None:
                after = balance
        return None if before is None else before if after is None else min(before, after)

    def finish(self, line):
        """Check that nothing is left open."""
        self.shared.finish()
        for played in self.open.values():
            self.add("form", played.line, "the round %s never ended" % played.last["id"])
        if self.pair is not None and self.pair.rounds and self.pair.seed is None:
            self.add("commitment", line, "the last pair of player %d was not revealed" % self.number)
        for played in self.waiting.values():
            self.add("history", played.line, "the round %s was not read again" % played.last["id"])


def heads_of(statement):
    """Return the number and the hash of the newest block of each lane."""
    found = [re.fullmatch("([0-9]{1,19}):([0-9]{1,19}):([0-9a-f]{64})", value) for name, value in statement.lines if name == "head"]
    return {int(head[1]): (int(head[2]), head[3]) for head in found if head}
