"""Verify that a player is counted in what the casino states that it owes, as docs/fairness/solvency.md says."""

import hashlib
import json
import re
import sys

import receipts
import signatures

TOKEN_LINES = ["token", "root", "sum", "leaves", "treasury", "holding"]
PARTS = ["available", "held", "staked", "unclaimed"]
MAX = 2**63 - 1


class Wrong(Exception):
    """Why a proof does not verify."""


def digest(title, *lines):
    return hashlib.sha256(("casino solvency %s 1\n" % title + "".join("%s: %s\n" % line for line in lines)).encode("utf-8", "surrogatepass")).hexdigest()


def whole(thing, name):
    """Return an amount of an answer, or say that it is none."""
    value = receipts.as_whole(thing.get(name))
    if value is None or value < 0:
        raise Wrong("%s is not a whole number from 0 to 2^63-1" % name)
    return value


def add(left, right):
    if left + right > MAX:
        raise Wrong("a sum is more than 2^63-1")
    return left + right


def tokens_of(statement):
    """Return what a statement says of each token."""
    at = next((i for i, (name, _) in enumerate(statement.lines) if name == "token"), len(statement.lines))
    before = [name for name, _ in statement.lines[:at] if name != "head"]
    rest, tokens = statement.lines[at:], {}
    if before != ["purpose", "ledger", "epoch", "time", "slot"] or len(rest) % 6:
        raise Wrong("the statement's lines are not those of a solvency statement")
    for i in range(0, len(rest), 6):
        names, values = zip(*rest[i:i + 6])
        stated = signatures.Statement(rest[i:i + 6])
        if list(names) != TOKEN_LINES or values[0] in tokens or not re.fullmatch("[0-9a-f]{64}", values[1]):
            raise Wrong("the statement's lines are not those of a solvency statement")
        if stated.whole("sum") is None or stated.whole("leaves") is None or (values[5] != "unknown" and stated.whole("holding") is None):
            raise Wrong("the statement has a number that is none")
        tokens[values[0]] = (values[1], stated.whole("sum"), stated.whole("leaves"))
    return tokens


def path_of(text):
    """Return the nodes of a path, each a sum and a hash."""
    length = len(text) * 3 // 4 - text.count("=") if receipts.is_text(text) else -1
    data = receipts.as_bytes(text, length) if length > 0 else b"" if text == "" else None
    if data is None or len(data) % 40:
        raise Wrong("path is not a base64 text of nodes of 40 bytes")
    nodes = [(int.from_bytes(data[i:i + 8], "big"), data[i + 8:i + 40].hex()) for i in range(0, len(data), 40)]
    if any(total > MAX for total, _ in nodes):
        raise Wrong("path has a sum above 2^63-1")
    return nodes


def check_proof(proof, wallet, salt, tokens):
    """Return the amounts of one proof, or raise what is wrong."""
    token = proof.get("token")
    if not receipts.is_text(token) or token not in tokens:
        raise Wrong("the statement has no such token")
    root, total, leaves = tokens[token]
    amounts, index, path = [whole(proof, name) for name in PARTS], whole(proof, "index"), path_of(proof.get("path"))
    owed = 0
    for amount in amounts:
        owed = add(owed, amount)
    owner = digest("owner", ("wallet", wallet), ("salt", salt))
    node = owed, digest("leaf", ("owner", owner), ("token", token), *zip(PARTS, amounts))
    if index >= leaves:
        raise Wrong("index is not below the number of leaves")
    last = leaves - 1
    while last > 0:
        if index % 2 == 1 or index < last:
            if not path:
                raise Wrong("path ends before the root")
            left, right = (path.pop(0), node) if index % 2 else (node, path.pop(0))
            node = add(left[0], right[0]), digest("node", ("left", "%d:%s" % left), ("right", "%d:%s" % right))
        index, last = index // 2, last // 2
    if path:
        raise Wrong("path goes on after the root")
    if node != (total, root):
        raise Wrong("path does not lead to the root and the sum of the statement")
    return dict(zip(PARTS, amounts))


def check(answer, keys, wallet=None):
    """Return the statement of an answer of GET /account/solvency and the amounts of each token, or raise what is wrong."""
    statement, wrong = signatures.open_statement(keys, answer.get("signed"), "solvency")
    if wrong:
        raise Wrong("signed: " + wrong)
    if statement.whole("time") is None:
        raise Wrong("signed: time is no whole number")
    tokens, owed = tokens_of(statement), {}
    own, salt, proofs = answer.get("wallet"), answer.get("salt"), answer.get("proofs")
    if not receipts.is_text(own) or wallet not in (None, own):
        raise Wrong("wallet: it is not the player's")
    if not receipts.is_text(salt) or not re.fullmatch("[0-9a-f]{64}", salt):
        raise Wrong("salt: it is not 64 hexadecimal digits in lower case")
    if not isinstance(proofs, list) or not all(isinstance(proof, dict) for proof in proofs):
        raise Wrong("proofs: they are no list")
    for number, proof in enumerate(proofs):
        try:
            amounts = check_proof(proof, own, salt, tokens)
        except Wrong as wrong:
            raise Wrong("proofs[%d]: %s" % (number, wrong)) from None
        if proof["token"] in owed:
            raise Wrong("proofs[%d]: the token has another proof" % number)
        owed[proof["token"]] = amounts
    return statement, owed


def main(path, keys):
    """Verify one answer, print what is counted, and return the exit code."""
    try:
        with open(keys, "rb") as file:
            known = signatures.Keys(json.load(file)["keys"])
        with open(path, "rb") as file:
            answer = receipts.read_object(file.read().decode("utf-8-sig", "replace"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, receipts.Wrong) as reason:
        print("can't be verified: %s" % reason, file=sys.stderr)
        return 2
    try:
        statement, owed = check(answer, known)
    except Wrong as wrong:
        print("solvency: %s" % wrong)
        return 1
    print("verified: the statement of time %s has the wallet %s" % (statement.facts["time"], answer["wallet"]))
    for token in sorted(owed):
        print("%s: %s, together %d" % (token, ", ".join("%s %d" % part for part in owed[token].items()), sum(owed[token].values())))
    print("compare the amounts with what you know to be yours; in tokens that are missing nothing was counted as yours")
    return 0
