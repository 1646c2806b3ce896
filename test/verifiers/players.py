"""The checks of one player's lines of a capture, for captures.py."""

import hashlib
import re
from decimal import Decimal
from fractions import Fraction

import receipts
import refusals
import signatures
import solvency
import steps
import verify
from games import Unverifiable
from receipts import Number, Wrong, as_whole

# What the whole wager is on in games with bets that are left out.
WHOLE_BETS = {"roulette": {"type": "red"}, "baccarat": {"on": "player"}}
# What doesn't change from the opening of a round to its end.
STEPPED_FIXED = ("gameType", "rules", "token", "serverSeedHash", "clientSeed", "clientSeedSource", "nonce")


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


class Round:
    """A round: how it was asked for, and each answer about it."""

    def __init__(self, pair, asked, config, line):
        self.pair, self.asked, self.config, self.line = pair, asked, config, line
        self.answers, self.raw, self.held = [], None, True  # answers are (line, round) in order, raw is the last one as sent

    @property
    def last(self):
        return self.answers[-1][1]

    def is_open(self):
        return self.last.get("status") == "open"

    def staked(self):
        return self.last["stake"] if self.is_open() else self.last["wager"]


def read_round(answered):
    """Return the round of an answer, as sent and with its numbers, if it has all that the checks need."""
    raw = member(answered, "round", dict)
    shown = plain(raw)
    needed = dict(NEEDED, **(OPEN if shown.get("status") == "open" else ENDED))
    for name, is_one in needed.items():
        if name not in shown or not is_one(shown[name]):
            raise Malformed("round.%s is missing or has another form" % name)
    if not isinstance(shown.get("actions"), (list, type(None))) or not all(isinstance(action, dict) for action in shown.get("actions") or []):
        raise Malformed("round.actions has another form")
    return raw, shown


NEEDED = {"id": verify.is_text, "token": verify.is_text, "clientSeedSource": verify.is_text, "createdAt": verify.is_whole}
NEEDED.update({name: verify.MEMBERS[name][1] for name in ("gameType", "rules", "config", "serverSeedHash", "clientSeed", "nonce", "wager")})
ENDED = {name: verify.MEMBERS[name][1] for name in ("outcome", "multiplier", "payout")}
OPEN = {"stake": verify.is_whole, "asked": verify.is_object, "maxPayout": lambda value: verify.is_whole(value) and value > 0,
        "shown": verify.is_object, "choices": lambda value: isinstance(value, list), "actions": lambda value: isinstance(value, list)}


class Player:
    """Checks the lines of a player, in order."""

    def __init__(self, capture, number, wallet):
        self.capture, self.number, self.wallet = capture, number, wallet
        self.balance, self.pair, self.promised, self.used_seeds = None, None, None, set()
        self.before, self.open, self.waiting = None, {}, {}  # the pair before the first rotation; rounds by their ids
        self.balances = []  # (ledger, lane, seq, balance) of each answer with a receipt
        self.token = capture.header["token"]

    def add(self, check, line, text):
        self.capture.add(check, line, text)

    # Money.

    def take_balance(self, line, given):
        listed = member(member(given, "answered", dict), "balances", list)
        mine = [member(each, "balance", int) for each in listed if isinstance(each, dict) and each.get("token") == self.token]
        self.is_balance(line, mine[0] if mine else 0, 0)

    def is_balance(self, line, said, change):
        """Compare a balance with the one before and what has changed it since."""
        if self.balance is not None and said != self.balance + change:
            self.add("balance", line, "the balance is %d, it was %d and should be %d" % (said, self.balance, self.balance + change))
        self.balance = said

    # Seeds.

    def take_seed(self, line, given):
        answered = member(given, "answered", dict)
        active, following = member(answered, "serverSeedHash", str), member(answered, "nextServerSeedHash", str)
        if self.pair is None:
            self.before = Pair(active, member(answered, "clientSeed", str))
            self.before.nonce = member(answered, "nonce", int)
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
        self.pair, self.promised = Pair(commitment, seed["clientSeed"]), following

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
        raw, shown = read_round(answered)
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
        self.take_answer(line, given, played, raw, shown, 0)

    def take_answer(self, line, given, played, raw, shown, staked):
        """Take in an answer about a round, after which it is open or has ended."""
        answered = given["answered"]
        if abs(shown["createdAt"] - member(given, "at", int)) > refusals.CLOCKS:
            self.add("time", line, "the round was made at %d and answered at %s" % (shown["createdAt"], given["at"]))
        played.answers.append((line, shown))
        played.raw = raw
        change = staked - played.staked() + (0 if played.is_open() else shown["payout"])
        self.is_balance(line, member(answered, "balance", int), change)
        played.balance = self.balance
        played.held = self.check_receipt(line, answered, "round.open" if played.is_open() else "round")
        if played.is_open():
            self.open[shown["id"]] = played
            return
        self.open.pop(shown["id"], None)
        self.waiting[shown["id"]] = played
        if shown["outcome"] is None:
            self.add("void", line, "the round %s is void" % shown["id"])
            played.pair.declined.setdefault(shown["nonce"], []).append((played.asked, played.config))

    def take_step(self, line, given):
        answered = member(given, "answered", dict)
        raw, shown = read_round(answered)
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
        self.take_answer(line, given, played, raw, shown, staked)

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
        raw, shown = read_round(member(given, "answered", dict))
        played = self.waiting.pop(shown["id"], None)
        if played is None:
            self.add("history", line, "the history has a round %s that was not played, or has it twice" % shown["id"])
            return
        if played.pair.seed is not None and shown.get("serverSeed") != played.pair.seed:
            self.add("commitment", line, "the round has another server seed than the revealed one")
        mine = played.last
        was = played.balance - mine["payout"] + (0 if played.config.by_steps else mine["wager"])  # stakes of steps were taken before
        if (shown.get("balanceBefore"), shown.get("balanceAfter")) != (was, played.balance):
            self.add("history", line, "the round %s has other balances than when it was played" % shown["id"])
        other = [name for name in mine if name != "serverSeed" and (name not in shown or not equal(mine[name], shown[name]))]
        for name in other:
            self.add("history", line, "the round %s of line %d has another %s" % (shown["id"], played.answers[-1][0], name))
        if played.held and other:
            self.add("receipt", line, "the history shows another %s than the signed answer of line %d" % (other[0], played.answers[-1][0]))

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
                self.balances.append((*head[:3], self.balance))
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
        stated, least = sum(owed.get(self.token, {}).values()), self.least_owed(line, statement)
        if least is not None and stated < least:
            self.add("solvency", line, "it states %d, the player's balance was %d then" % (stated, least))

    def least_owed(self, line, statement):
        """Return the least that the player's answers show at a snapshot, None where they don't tell."""
        ledger, newest = statement.facts["ledger"], {}
        for name, value in statement.lines:
            found = re.fullmatch("([0-9]{1,19}):([0-9]{1,19}):([0-9a-f]{64})", value) if name == "head" else None
            if found:
                newest[int(found[1])] = int(found[2])
                block = self.capture.blocks.get((ledger, int(found[1]), int(found[2])))
                if block and block[1] != found[3]:
                    self.add("solvency", line, "two histories: line %d has another block for lane %s, seq %s" % (block[0], found[1], found[2]))
        before = after = None
        for of, lane, seq, balance in self.balances:
            if of == ledger and seq <= newest.get(lane, -1):
                before, after = balance, None
            elif after is None:
                after = balance
        return None if before is None else before if after is None else min(before, after)

    def finish(self, line):
        """Check that nothing is left open."""
        for played in self.open.values():
            self.add("form", played.line, "the round %s never ended" % played.last["id"])
        if self.pair is not None and self.pair.rounds and self.pair.seed is None:
            self.add("commitment", line, "the last pair of player %d was not revealed" % self.number)
        for played in self.waiting.values():
            self.add("history", played.line, "the round %s was not read again" % played.last["id"])


def equal(one, other):
    """Say whether two JSON values with numbers are equal by worth."""
    if isinstance(one, (dict, list)) or one is None or isinstance(other, (dict, list)):
        if isinstance(one, dict) and isinstance(other, dict):
            return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
        if isinstance(one, list) and isinstance(other, list):
            return len(one) == len(other) and all(map(equal, one, other))
        return one is None and other is None
    return verify.same(other, one)


def choices_fault(rules, choices, point, wager):
    """Say how the choices of an open round differ from what the rules offer, None if they don't."""
    if not all(isinstance(choice, dict) and isinstance(choice.get("action"), dict) and verify.is_text(choice["action"].get("type")) for choice in choices):
        return "one of them has no action"
    offered = [choice["action"]["type"] for choice in choices]
    if sorted(offered) != sorted(point.offered):
        return "they are %s, the rules offer %s" % (", ".join(offered), ", ".join(point.offered))
    for choice in choices:
        kind = choice["action"]["type"]
        stake = wager if kind in steps.STAKING.get(rules, ()) else 0
        if choice.get("stake", 0) != stake:
            return "%s has the stake %s, it stakes %d" % (kind, choice.get("stake"), stake)
        if kind in point.prizes and not (verify.is_number(choice.get("prize")) and verify.agrees("multiplier", choice["prize"], point.prizes[kind])):
            return "%s has the prize %s, it pays %s" % (kind, choice.get("prize"), verify.show(Fraction(point.prizes[kind])))
        if kind in point.chances and choice.get("chance") != str(point.chances[kind]):
            return "%s has the chance %s, it is %s" % (kind, choice.get("chance"), point.chances[kind])
        values = offered_values(choice)
        if "tile" in point.offered[kind] and not accepts_exactly(point.offered[kind]["tile"][0], values):
            return "%s offers other tiles than the rules" % kind
    return None


def offered_values(choice):
    """Return the values that the schema of a field `tile` allows."""
    try:
        tile = choice["fields"]["properties"]["tile"]
        return tile["enum"] if "enum" in tile else list(range(tile["minimum"], tile["maximum"] + 1))
    except (KeyError, TypeError):
        return []


def accepts_exactly(read, values):
    """Say whether a field of the rules accepts these tiles of 0 … 24 and no others."""
    for tile in range(25):
        try:
            read(tile)
            accepted = True
        except Unverifiable:
            accepted = False
        if accepted != (tile in values):
            return False
    return True
