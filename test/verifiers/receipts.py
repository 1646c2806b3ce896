"""Verify receipts of the casino, as docs/fairness/receipts.md says.

Needs signatures.py in the same folder.
"""

import hashlib
import json
import re
import sys

import signatures
from signatures import decode

WHOLE = "(0|[1-9][0-9]{0,18})"
HASH = "([0-9a-f]{64})"
TEXT = re.compile(
    "casino receipt 1\nledger: ([^\n]+)\n(casino block 3\nlane: %s\nseq: %s\nepoch: %s\nprevious: %s\ntime: %s\nroot: %s\nsize: %s\n)"
    % (WHOLE, WHOLE, WHOLE, HASH, WHOLE, HASH, WHOLE))
SOURCES = ["server", "player", "repeated"]
MAX = 2**63 - 1


class Number(str):
    """A number of a JSON text, as it is written."""


class Wrong(Exception):
    """Why a receipt does not verify."""


# Reading.


def read_json(text):
    """Read a JSON text with the digits of its numbers; members that are there twice are refused."""
    def members(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a member is there twice")
        return dict(pairs)

    def constant(name):
        raise ValueError(name)

    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=constant, object_pairs_hook=members)


def read_object(text):
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        raise Wrong("malformed: no JSON") from None
    if not isinstance(value, dict):
        raise Wrong("malformed: no JSON")
    return value


def is_text(value):
    return isinstance(value, str) and not isinstance(value, Number)


def as_whole(value):
    """Return an integer, a number or a text of digits, None for another value."""
    if isinstance(value, str) and re.fullmatch("0|-?[1-9][0-9]{0,18}", value) and -MAX - 1 <= int(value) <= MAX:
        return int(value)
    return None


def as_bytes(value, length):
    """Return the bytes of a base64 text, None unless it is the only one of as many bytes."""
    return decode(value, length) if is_text(value) else None


def member(thing, name, of, read=lambda value: value if is_text(value) else None):
    """Return a member, or say that it is missing or malformed."""
    value = read(thing.get(name))
    if value is None:
        raise Wrong("malformed: %s.%s" % (of, name))
    return value


def as_path(value):
    data = as_bytes(value, len(value) // 4 * 3 - value.count("=")) if is_text(value) else None
    return None if data is None or len(data) % 32 else [data[i:i + 32] for i in range(0, len(data), 32)]


def as_index(value):
    index = as_whole(value)
    return index if index is not None and index >= 0 else None


def as_ratio(value):
    found = re.fullmatch("%s/%s" % (WHOLE, WHOLE), value) if is_text(value) else None
    pair = [int(n) for n in found.groups()] if found else [0, 0]
    return pair if 0 < pair[1] and max(pair) <= MAX else None


def as_fields(value, length):
    return value if isinstance(value, list) and len(value) == length and all(map(is_text, value)) else None


# The leaf.


def integer(n):
    return n.to_bytes(8, "big", signed=True)


def text(s):
    data = s.encode("utf-8", "surrogatepass")
    return integer(len(data)) + data


def value(v):
    if v is None:
        return integer(0)
    if isinstance(v, bool):
        return integer(1) + integer(int(v))
    if isinstance(v, Number):
        return integer(2) + text(v)
    if isinstance(v, str):
        return integer(3) + text(v)
    if isinstance(v, list):
        return integer(4) + integer(len(v)) + b"".join(map(value, v))
    return integer(5) + integer(len(v)) + b"".join(text(name) + value(of) for name, of in v.items())


def round_leaf(answer, leaf, wallet):
    shown = answer.get("round")
    if not isinstance(shown, dict):
        raise Wrong("malformed: no round")
    said = {name: member(shown, name, "round") for name in ["id", "gameType", "rules", "token", "serverSeedHash", "clientSeed", "clientSeedSource"]}
    said.update({name: member(shown, name, "round", as_whole) for name in ["wager", "payout", "nonce", "createdAt"]})
    if said["clientSeedSource"] not in SOURCES:
        raise Wrong("malformed: round.clientSeedSource")
    agent, pair = member(leaf, "agentCode", "leaf"), member(leaf, "pairId", "leaf")
    ratio = member(leaf, "multiplier", "leaf", as_ratio)
    balance, time = member(leaf, "balance", "leaf", as_whole), member(leaf, "time", "leaf", as_whole)
    for name in ["config", "outcome"]:
        if name not in shown:
            raise Wrong("malformed: round.%s" % name)
    data = b"".join([
        *map(text, ["round", said["id"], wallet, agent, said["gameType"], said["rules"], said["token"]]),
        *map(integer, [said["wager"], said["payout"], *ratio]), value(shown["config"]), value(shown["outcome"]),
        integer(int(shown["outcome"] is None)), *map(text, [pair, said["serverSeedHash"], said["clientSeed"]]),
        integer(SOURCES.index(said["clientSeedSource"])), *map(integer, [said["nonce"], balance, time]), value(shown.get("actions"))])
    differs = None
    if not is_ratio(shown.get("multiplier"), *ratio):
        differs = "round.multiplier"
    elif said["createdAt"] != time // 1000:
        differs = "round.createdAt"
    return data, differs


def is_ratio(shown, numerator, denominator):
    """Say whether a number is a fraction, cut to a billionth."""
    if not isinstance(shown, Number) or not re.fullmatch(r"[0-9]{1,30}(\.[0-9]{1,30})?", shown):
        return False
    whole, _, decimals = shown.partition(".")
    scale = 10 ** len(decimals)
    return abs(int(whole + decimals) * denominator - numerator * scale) * 10**9 <= denominator * scale


# The thing in an answer that an event proves, and the event's fields: their forms, with the member where its name is another one.
EVENTS = {
    "round.open": ("round", {
        "agent": "own", "game": ("text", "gameType"), "rules": "text", "token": "text", "wager": "integer", "stake": "integer",
        "config": "value", "asked": "value", "maxPayout": "integer", "pair": "own", "commitment": ("text", "serverSeedHash"),
        "clientSeed": "text", "clientSource": ("text", "clientSeedSource"), "nonce": "integer, 0 too", "actions": "value", "shown": "value",
        "choices": "value", "maxMultiplierNum": "own", "maxMultiplierDen": "own", "exposure": "own", "openedAt": "own", "touchedAt": "own"}),
    "withdrawal": ("withdrawal", {
        "token": "text", "amount": "integer", "fee": "integer", "destination": "text", "status": "own", "createdAt": "own", "updatedAt": "own"}),
    "deposit": ("transaction", {
        "token": "text", "signature": "text", "status": "own", "amount": "integer or null", "reason": "own", "createdAt": "own", "updatedAt": "own"}),
    "pair": ("seed", {
        "state": "own", "commitment": ("text", "serverSeedHash"), "clientSeed": "text", "clientSource": ("text", "clientSeedSource"),
        "next": "own", "epoch": "own", "revealed": "own", "rounds": "own", "since": "own"}),
}

# The event of a bet on the shared crash.
CRASH_BET = ("bet", {
    "agent": "own", "game": "own", "rules": "own", "token": "text", "wager": "integer", "stake": "own", "config": "own", "asked": "own",
    "maxPayout": "own", "clientSource": "own", "nonce": "own", "chain": "text", "number": ("integer", "round"), "actions": "own", "shown": "own",
    "choices": "own", "maxMultiplierNum": "own", "maxMultiplierDen": "own", "exposure": "own", "openedAt": "own", "touchedAt": "own"})


def event_leaf(answer, leaf, kind, wallet):
    name, forms = CRASH_BET if kind == "round.open" and isinstance(answer.get("bet"), dict) else EVENTS[kind]
    was = member(leaf, "was", "leaf")
    if kind == "withdrawal" and was != "":
        raise Wrong("malformed: leaf.was")
    own = member(leaf, "fields", "leaf", lambda value: as_fields(value, list(forms.values()).count("own")))
    thing = answer.get(name)
    if not isinstance(thing, dict):
        raise Wrong("malformed: no %s" % name)
    event_id = member(leaf, "id", "leaf") if kind == "pair" else member(thing, "id", name)
    values, rest = {}, iter(own)
    for field, form in forms.items():
        form, shown = form if isinstance(form, tuple) else (form, field)
        values[field] = next(rest) if form == "own" else field_value(form, thing, shown, name)
    fields = [pair for pair in values.items() if pair[1] != ""]
    data = b"".join([*map(text, ["event", kind, event_id, wallet, was]), integer(len(fields)), *(text(part) for field in fields for part in field)])
    differs = None
    if kind == "round.open":
        ratio = as_ratio("%s/%s" % (values["maxMultiplierNum"], values["maxMultiplierDen"]))
        most = "cashOut" if name == "bet" else "maxMultiplier"
        if ratio is None or not is_ratio(thing.get(most), *ratio):
            differs = "%s.%s" % (name, most)
        elif name == "bet":
            differs = bet_differs(thing, values["actions"], values["openedAt"])
    return data, differs


def bet_differs(bet, actions, opened):
    """Return the member of a bet on the shared crash that its leaf has otherwise, None if there is none."""
    out = re.fullmatch(r'\[\{type: "cashOut", received: ([0-9]{4,19}), multiplier: ([0-9]{1,9})\.([0-9]{2})\}\]', actions)
    shown, received = bet.get("cashedOut"), bet.get("receivedAt")
    if not is_ratio(shown, int(out[2] + out[3]), 100) if out else actions != "[]" or shown is not None:
        return "bet.cashedOut"
    if as_whole(received) != as_whole(out[1][:-3]) if out else received is not None:
        return "bet.receivedAt"
    return None if as_whole(bet.get("createdAt")) == as_whole(opened[:-3]) else "bet.createdAt"


def field_value(form, thing, name, of):
    """Return a member of an answer as the fields of events have it, an empty text for a field that is left out."""
    if form == "text":
        return member(thing, name, of)
    if form == "value":
        return written(thing.get(name))
    if form == "integer or null" and thing.get(name) is None:
        return ""
    whole = member(thing, name, of, as_whole)
    return str(whole) if whole != 0 or form == "integer, 0 too" else ""


def written(v):
    """Write a value as the fields of events have it."""
    if v is None:
        return "absent"
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, Number):
        return str(v)
    if isinstance(v, str):
        return '"%s"' % v.replace("\\", "\\\\").replace('"', '\\"')
    if isinstance(v, list):
        return "[%s]" % ", ".join(map(written, v))
    return "{%s}" % ", ".join("%s: %s" % (name, written(of)) for name, of in v.items())


def sha256(data):
    return hashlib.sha256(data).digest()


def root_of(data, index, size, path):
    """Return the root to which a path leads, None if it is no path of the index."""
    if index >= size:
        return None
    node, last, rest = sha256(b"\0" + data), size - 1, list(path)
    while last > 0:
        if index % 2 == 1 or index < last:
            if not rest:
                return None
            other = rest.pop(0)
            node = sha256(b"\1" + other + node) if index % 2 else sha256(b"\1" + node + other)
        index, last = index // 2, last // 2
    return None if rest else node.hex()


# A receipt.


class Verifier:
    """Verifies the receipts of a wallet with the service's keys."""

    def __init__(self, keys, wallet):
        self.keys, self.wallet = keys, wallet

    def verify(self, answer, heads=None):
        """Raise what is wrong with the receipt of an answer. Signed blocks are added to heads."""
        receipt = answer.get("receipt")
        if not isinstance(receipt, dict):
            raise Wrong("malformed: no receipt")
        message, kid = member(receipt, "text", "receipt"), member(receipt, "kid", "receipt")
        signature = member(receipt, "signature", "receipt", lambda item: as_bytes(item, 64))
        index, path = member(receipt, "index", "receipt", as_index), member(receipt, "path", "receipt", as_path)
        leaf = member(receipt, "leaf", "receipt", lambda item: item if isinstance(item, dict) else None)
        if not self.keys.knows(kid):
            raise Wrong("key: no key for receipts has its name")
        if not self.keys.is_signed(kid, message, signature):
            raise Wrong("signature: the text is not signed by the key")
        found = TEXT.fullmatch(message)
        if not found or max(int(found[i]) for i in (3, 4, 5, 7, 9)) > MAX:
            raise Wrong("text: it is not the signed text of a block")
        if heads is not None:
            heads.append((found[1], int(found[3]), int(found[4]), found[2], found[6]))
        kind = member(leaf, "kind", "leaf")
        if kind != "round" and kind not in EVENTS:
            raise Wrong("malformed: leaf.kind")
        data, differs = round_leaf(answer, leaf, self.wallet) if kind == "round" else event_leaf(answer, leaf, kind, self.wallet)
        if root_of(data, index, int(found[9]), path) != found[8]:
            raise Wrong("path: the block does not have what the answer says")
        if differs:
            raise Wrong("answer: %s is not what the leaf has" % differs)


# Many receipts.


def check(lines, history, verifier, *more):
    """Return the findings about receipts, and how many of them verify. The history is None, or lines. More findings are asked of functions."""
    findings, answers, heads = [], [], []
    for number, line in enumerate(lines, 1):
        signed = []
        try:
            answer = read_object(line)
            verifier.verify(answer, signed)
            answers.append((number, answer))
        except Wrong as wrong:
            findings.append("receipt %d: %s" % (number, wrong))
        heads += [(number, *head) for head in signed]
    findings += contradictions(heads)
    for each in more:
        findings += each(answers)
    if history is not None:
        findings += compare(answers, history)
    return findings, len(answers)


def contradictions(heads):
    """Find two headers of one block, and a block that doesn't follow the one before."""
    first, findings = {}, []
    for number, ledger, lane, seq, header, _ in heads:
        before = first.setdefault((ledger, lane, seq), (number, header))
        if before[1] != header:
            findings.append("receipts %d and %d: two histories: they have different blocks for lane %d, seq %d" % (before[0], number, lane, seq))
    for number, ledger, lane, seq, _, previous in heads:
        before = first.get((ledger, lane, seq - 1))
        if before and sha256(before[1].encode()).hex() != previous:
            findings.append("receipts %d and %d: two histories: the block of lane %d, seq %d does not follow the other" % (before[0], number, lane, seq))
    return findings


COMPARED = ["gameType", "rules", "token", "wager", "payout", "multiplier", "config", "outcome", "actions", "serverSeedHash", "clientSeed",
            "clientSeedSource", "nonce", "createdAt"]


def compare(answers, history):
    """Find rounds of verified receipts that the history lacks or shows otherwise."""
    shown, findings = {}, []
    for line in history:
        for each in rounds_of(read_object(line)):
            shown[each.get("id")] = each
    for number, answer in answers:
        if answer["receipt"]["leaf"]["kind"] != "round":
            continue
        mine = answer["round"]
        other = shown.get(mine["id"])
        if other is None:
            findings.append("receipt %d: history: round %s is missing" % (number, mine["id"]))
            continue
        for name in COMPARED:
            if name == "outcome" and (mine.get(name) is None) != (other.get(name) is None):
                name = "void"
            elif as_whole(mine.get(name)) is not None and as_whole(mine.get(name)) == as_whole(other.get(name)):
                continue
            elif value(mine.get(name)) == value(other.get(name)):
                continue
            findings.append("receipt %d: history: round %s has another %s" % (number, mine["id"], name))
    return findings


def rounds_of(answer):
    """Return the rounds of an answer of GET /history or GET /history/{id}, or a bare round."""
    if isinstance(answer.get("rounds"), list):
        return [each for each in answer["rounds"] if isinstance(each, dict)]
    return [answer["round"] if isinstance(answer.get("round"), dict) else answer]


def read_lines(path):
    """Return the JSON texts of a file: one, or one a line."""
    with open(path, "rb") as file:
        whole = file.read().decode("utf-8", "replace")
    try:
        read_object(whole)
        return [whole]
    except Wrong:
        return [line for line in whole.split("\n") if line.strip()]


def main(options):
    """Verify a file of receipts, and return the exit code."""
    import anchors  # which imports this file, as publiclog does
    import publiclog
    try:
        with open(options["--keys"], "rb") as file:
            keys = json.load(file)
        more = [lambda answers: publiclog.Log(keys, options).check(answers)[0]]
        if "--anchor" in options:
            memo = anchors.read_memo(options["--anchor"], options["--rpc"])
            more.append(lambda answers: anchors.check(answers, keys["keys"], options["--anchor"], memo))
        verifier = Verifier(signatures.Keys(keys["keys"]), options["--wallet"])
        history = read_lines(options["--history"]) if "--history" in options else None
        findings, verified = check(lines := read_lines(options["--receipt"]), history, verifier, *more)
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, Wrong) as reason:
        print("can't be verified: %s" % reason, file=sys.stderr)
        return 2
    for finding in findings:
        print(finding)
    print("%d of %d receipts are verified" % (verified, len(lines)))
    return 1 if findings else 0
