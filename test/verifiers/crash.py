"""Verify a round of the shared crash, as docs/fairness/shared-crash.md says.

Needs receipts.py in the same folder.
"""

import bisect
import functools
import hashlib
import hmac
import json
import re
import sys
import urllib.request

from receipts import HASH, WHOLE, Number, Wrong, as_index, is_text, member, read_object

POSITIVE, CHAIN = "([1-9][0-9]{0,18})", "([0-9A-Za-z-]{1,64})"
COMMITMENT = re.compile(
    "casino crash chain 1\nchain: %s\nepoch: %s\nrules: crash/2\nterminal: %s\nlength: %s\nbeacon: (solana|drand)\nnetwork: ([0-9A-Za-z]+)\ndelay: %s\nwindow: %s\n"
    % (CHAIN, POSITIVE, HASH, POSITIVE, POSITIVE, WHOLE))
CLOSING = re.compile("casino crash round 1\nchain: %s\nround: %s\ncap: %s\nseen: %s\nheight: %s\nbets: %s\nroot: %s\n" % (CHAIN, POSITIVE, WHOLE, WHOLE, WHOLE, WHOLE, HASH))
VALUES = {"solana": "[1-9A-HJ-NP-Za-km-z]{32,44}", "drand": "[0-9a-f]{64}"}
LENGTH_MAX, CASH_OUT_MIN, CAP_MIN, CAP_MAX = 10_000_000, 101, 200, 100_000_000


# The curve, and the chain.


@functools.lru_cache
def make_table():
    """Return the multiplier of each millisecond, in hundredths."""
    table, x = [], 100 << 64
    while not table or table[-1] < CAP_MAX:
        table.append(min(x >> 64, CAP_MAX))
        x += x * 1106837849225996 >> 64
    return table


def end_of(point, cap):
    """Return the millisecond at which the curve ends."""
    return bisect.bisect_left(make_table(), min(point + 1, cap))


def walk(text, steps):
    """Return the hash so many rounds before."""
    for _ in range(steps):
        text = hashlib.sha256(text.encode()).hexdigest()
    return text


def point_of(text, salt):
    k = int.from_bytes(hmac.digest(text.encode(), salt.encode("utf-8", "surrogatepass"), "sha256")[:4], "big")
    return max(100, 99 * 2**32 // (k + 1))


def root_of(leaves):
    """Return the root of the tree of RFC 6962 over texts."""
    if len(leaves) < 2:
        return hashlib.sha256(b"\0" + leaves[0].encode() if leaves else b"").digest()
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + root_of(leaves[:split]) + root_of(leaves[split:])).digest()


# Reading.


def as_hundredths(value):
    """Return a multiplier with at most two decimals in hundredths, None for another value."""
    found = re.fullmatch(r"(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,2}))?", value) if isinstance(value, Number) else None
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else None


def as_text(value):
    return value if is_text(value) else None


def as_flag(value):
    return value if isinstance(value, bool) else None


# The members, those that are always there and those that may be missing.
CHAIN_MEMBERS = {"id": as_text, "commitment": as_text, "length": as_index}, {}
ROUND_MEMBERS = (
    {"chain": as_text, "number": as_index, "status": as_text, "cap": as_hundredths, "previousHash": as_text, "aboveHeight": as_index},
    {"openedAt": as_index, "closing": as_text, "height": as_index, "salt": as_text, "beaconHeight": as_index, "startedAt": as_index, "hash": as_text,
     "point": as_hundredths, "recovered": as_flag})
BET_MEMBERS = (
    {"id": as_text, "token": as_text, "wager": as_index, "cashOut": as_hundredths},
    {"cashedOut": as_hundredths, "multiplier": as_hundredths, "payout": as_index})


def read_members(thing, of, members):
    """Return the members of an object by name, None for one that may be missing and is."""
    if not isinstance(thing, dict):
        raise Wrong("malformed: %s" % of)
    needed, optional = members
    return {name: None if name in optional and thing.get(name) is None else member(thing, name, of, read) for name, read in {**needed, **optional}.items()}


class Answer:
    """An answer of GET /crash/rounds/{number}, or of GET /crash, which may have no round."""

    def __init__(self, answer):
        self.chain = read_members(answer.get("chain"), "chain", CHAIN_MEMBERS)
        self.round = None if answer.get("round") is None else read_members(answer["round"], "round", ROUND_MEMBERS)
        bets = [] if answer.get("bets") is None else answer["bets"]
        if not isinstance(bets, list):
            raise Wrong("malformed: bets")
        self.bets = [read_members(bet, "bets", BET_MEMBERS) for bet in bets]


class Rule:
    """What a commitment's text says, or Wrong."""

    def __init__(self, text):
        found = COMMITMENT.fullmatch(text)
        if not found:
            raise Wrong("the text is no commitment of a chain")
        self.chain, self.terminal, self.source, self.network = found[1], found[3], found[5], found[6]
        self.length, self.delay, self.window = int(found[4]), int(found[7]), int(found[8])
        if self.length > LENGTH_MAX or (self.source == "drand") != (self.window == 0) or not re.fullmatch(VALUES[self.source], self.network):
            raise Wrong("the text is no commitment of a chain")


# The checks. Each yields its findings, as (check, text).


def check(answer, before=None, block=None):
    """Yield the findings about a round that has ended. Before is an answer that was kept from before, block what read_block returned."""
    this = answer.round
    if this is None or this["hash"] is None or this["status"] not in ("crashed", "settled", "cancelled"):
        raise Wrong("not revealed: the hash is shown when the round ends")
    try:
        rule = Rule(answer.chain["commitment"])
    except Wrong as wrong:
        yield "commitment", str(wrong)
        return
    if not answer.chain["id"] == this["chain"] == rule.chain or answer.chain["length"] != rule.length or not 1 <= this["number"] <= rule.length:
        yield "commitment", "it is of another chain, or the chain has no round %d" % this["number"]
    yield from check_hash(this, rule)
    closing = CLOSING.fullmatch(this["closing"] or "")
    yield from check_closing(this, rule, closing)
    yield from check_beacon(this, rule, block)
    cancelled, point = this["status"] == "cancelled", None
    if not cancelled and this["salt"] is not None and re.fullmatch(HASH, this["hash"]):
        point = point_of(this["hash"], this["salt"])
    if this["point"] != point and (cancelled or point is not None):
        yield "point", "the round says %s, its hash and its salt decide %s" % (show(this["point"]), show(point))
    if not all(is_bet(this, bet) for bet in answer.bets):
        yield "bets", "the list has bets that the round does not take"
    else:
        yield from check_bets(this, answer.bets, closing)
        if cancelled or point is not None:
            yield from check_results(this, answer.bets, point)
    if before is not None:
        yield from check_before(answer, before, rule)


def check_hash(this, rule):
    if not re.fullmatch(HASH, this["hash"]):
        yield "hash", "it is not 64 hexadecimal digits in lower case"
        return
    if walk(this["hash"], 1) != this["previousHash"]:
        yield "hash", "it does not lead to that of the round before"
    if this["number"] <= rule.length and walk(this["hash"], this["number"]) != rule.terminal:
        yield "hash", "it does not lead to the terminal hash"


def check_closing(this, rule, closing):
    if this["closing"] is None and this["status"] == "cancelled":
        return
    if not closing:
        yield "closing", "the round has no closing commit"
        return
    if closing[1] != this["chain"] or [int(closing[2]), int(closing[3])] != [this["number"], this["cap"]]:
        yield "closing", "it is of another round, or has another cap"
    if not CAP_MIN <= this["cap"] <= CAP_MAX:
        yield "closing", "the cap is %s" % show(this["cap"])
    if not max(int(closing[4]), this["aboveHeight"]) + rule.delay == int(closing[5]) == this["height"]:
        yield "closing", "the height is not %d above the newest one" % rule.delay


def is_bet(this, bet):
    """Say whether a round takes such a bet."""
    return (re.fullmatch("[!-~]{1,64}", bet["id"]) and re.fullmatch("[!-~]{1,64}", bet["token"]) and bet["wager"] >= 1
            and CASH_OUT_MIN <= bet["cashOut"] <= this["cap"])


def check_bets(this, bets, closing):
    """Check the bets against the closing commit."""
    if len({bet["id"] for bet in bets}) != len(bets):
        yield "bets", "a bet is listed twice"
    if not closing:
        return
    root = root_of(["casino crash bet 1\nchain: %s\nround: %d\nid: %s\ntoken: %s\nwager: %d\ncash-out: %d\n"
                    % (this["chain"], this["number"], bet["id"], bet["token"], bet["wager"], bet["cashOut"])
                    for bet in sorted(bets, key=lambda bet: bet["id"])])
    if int(closing[6]) != len(bets):
        yield "bets", "the closing commit has %s bets, %d are listed" % (closing[6], len(bets))
    if root.hex() != closing[7]:
        yield "bets", "the root of the bets is %s" % root.hex()


def check_beacon(this, rule, block):
    height, slot = this["height"], this["beaconHeight"]
    if this["status"] == "cancelled":
        if this["salt"] is not None:
            yield "beacon", "the round is cancelled, and has a beacon"
        elif this["closing"] is not None and (rule.source == "drand" or None in (height, slot) or slot - height < rule.window):
            yield "beacon", "the round is cancelled, and nothing proves that no beacon came"
    else:
        if not re.fullmatch("%s:%s:%s" % (rule.source, slot, VALUES[rule.source]), this["salt"] or ""):
            yield "beacon", "the salt is none of the beacon at %s" % slot
        if None in (height, slot) or slot < height or slot - height >= max(1, rule.window):
            yield "beacon", "the beacon at %s is not the first at or after %s" % (slot, height)
    if block is not None and height is not None:
        first, value, parent = block
        if first != slot or parent >= height or this["salt"] not in (None, "solana:%s:%s" % (slot, value)):
            yield "beacon", "the first slot at or after %d is %d after %d, with the blockhash %s" % (height, first, parent, value)


def check_results(this, bets, point):
    table = make_table()
    for bet in bets:
        at, by_hand, said = bet["cashOut"], bet["cashedOut"], (bet["multiplier"], bet["payout"])
        if by_hand is not None:
            most = 0 if point is None else min(at, table[end_of(point, this["cap"]) - 1])
            if not CASH_OUT_MIN <= by_hand <= most or by_hand not in (at, table[bisect.bisect_left(table, by_hand)]):
                yield "result", "bet %s: no cash-out by hand at %s counts" % (ascii(bet["id"]), show(by_hand))
                continue
            at = by_hand
        decided = (at, bet["wager"] * at // 100)
        if point is None or at > point:
            decided = (100, bet["wager"]) if point is None or this["recovered"] else (0, 0)
        if said != decided and (said != (None, None) or this["status"] == "settled"):
            yield "result", "bet %s: the round says %s and pays %s, its point decides %s and %d" % (ascii(bet["id"]), show(said[0]), said[1], show(decided[0]), decided[1])


def check_before(answer, before, rule):
    """Compare with an answer that was kept from before."""
    this, earlier = answer.round, before.round
    if before.chain["commitment"] != answer.chain["commitment"]:
        yield "before", "the chain had another commitment"
    elif earlier is None:
        return
    elif earlier["number"] > this["number"]:
        raise Wrong("the answer from before is of a later round")
    elif earlier["number"] == this["number"]:
        for name, value in earlier.items():
            if name not in ("status", "recovered") and value not in (None, this[name]):
                yield "before", "%s was another" % name
        listed = {bet["id"]: bet for bet in answer.bets}
        for bet in before.bets:
            if any(bet[name] != listed.get(bet["id"], {}).get(name) for name in BET_MEMBERS[0]):
                yield "before", "bet %s was another" % ascii(bet["id"])
    elif earlier["hash"] is not None and this["number"] <= rule.length:
        if walk(this["hash"], this["number"] - earlier["number"]) != earlier["hash"]:
            yield "before", "the hash does not lead to that of round %d" % earlier["number"]
        above = max(earlier["aboveHeight"], earlier["height"] or 0, earlier["beaconHeight"] or 0)
        if earlier["number"] + 1 == this["number"] and this["aboveHeight"] != above:
            yield "before", "aboveHeight is not the greatest height of the round before, %d" % above


def notes_of(answer, before, block):
    """Say what was not checked."""
    this = answer.round
    if before is None:
        yield "not checked: whether the chain is the one that was published (--before)"
    if block is None and this["height"] is not None:
        yield "not checked: the beacon, by a node of its network (--rpc)"
    if this["status"] == "cancelled" and this["closing"] is None or this["recovered"]:
        yield "not checked: whether the database was restored, as the round says"
    waiting = sum(bet["multiplier"] is None and bet["payout"] is None for bet in answer.bets)
    if waiting and this["status"] != "settled":
        yield "not checked: %d bets have no result yet" % waiting


def show(hundredths):
    return "nothing" if hundredths is None else "%d.%02d" % divmod(hundredths, 100)


def read_block(rpc, height, network):
    """Return the first finalized slot at or after a height, its blockhash and its parent, from a node of the Solana cluster with that genesis hash."""
    def ask(method, *parameters):
        question = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters})
        request = urllib.request.Request(rpc, question.encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as response:
            answer = json.load(response)
        if not answer.get("result"):
            raise Wrong("the node does not answer %s: %s" % (method, answer.get("error")))
        return answer["result"]

    if ask("getGenesisHash") != network:
        raise Wrong("the node is of another network")
    slot, = ask("getBlocksWithLimit", height, 1, {"commitment": "finalized"})
    block = ask("getBlock", slot, {"commitment": "finalized", "transactionDetails": "none", "rewards": False, "maxSupportedTransactionVersion": 0})
    if block["parentSlot"] >= height:
        raise Wrong("the node lacks slots from %d" % height)
    return slot, block["blockhash"], block["parentSlot"]


def read_file(path):
    with (sys.stdin.buffer if path == "-" else open(path, "rb")) as file:
        return Answer(read_object(file.read().decode("utf-8-sig", "replace")))


def main(options):
    """Verify one answer, print what was found, and return the exit code."""
    try:
        answer, block = read_file(options["--crash"]), None
        before = read_file(options["--before"]) if "--before" in options else None
        this = answer.round or {}
        if "--rpc" in options and this.get("height") is not None:
            block = read_block(options["--rpc"], this["height"], Rule(answer.chain["commitment"]).network)
        findings = list(check(answer, before, block))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, Wrong) as reason:
        print("can't be verified: %s" % reason, file=sys.stderr)
        return 2
    for finding in findings:
        print("%s: %s" % finding)
    for note in notes_of(answer, before, block):
        print(note)
    if not findings:
        print("verified: round %d of chain %s with %d bets, point %s" % (this["number"], this["chain"], len(answer.bets), show(this["point"])))
    return 1 if findings else 0
