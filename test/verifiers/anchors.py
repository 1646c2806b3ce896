"""Follow receipts of the casino to a memo on Solana, as docs/fairness/log.md says.

Needs receipts.py, publiclog.py and signatures.py in the same folder.
"""

import base64
import json
import re
import urllib.request

import receipts
from publiclog import as_hashes, block_of
from signatures import ED25519, key_bytes, load_verify

MEMO_PROGRAMS = [
    bytes.fromhex("054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448d"),
    bytes.fromhex("054a5350f85dc882d614a55672788a296ddf1eababd0a60678884932f4eef6a0"),
]
MEMO = re.compile("casino-log-1 casino/([^ /]+)/%s %s ([A-Za-z0-9+/]{43}=)" % (receipts.WHOLE, receipts.WHOLE))


def read_memo(signature, rpc):
    """Return the memo of a finalized transaction and the public key that paid for it, None if there is no such transaction with one memo."""
    options = {"encoding": "base64", "commitment": "finalized", "maxSupportedTransactionVersion": 0}
    question = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "getTransaction", "params": [signature, options]})
    request = urllib.request.Request(rpc, question.encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        answer = json.load(response)
    shown = answer.get("result")
    if not shown or shown["meta"]["err"] is not None:
        return None
    return memo_of(base64.b64decode(shown["transaction"][0], validate=True))


class Reader:
    """Reads a transaction."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        self.at += length
        if self.at > len(self.data):
            raise ValueError("the transaction is cut off")
        return self.data[self.at - length:self.at]

    def count(self):
        number, shift, more = 0, 0, True
        while more:
            byte = self.take(1)[0]
            number, shift, more = number | (byte & 127) << shift, shift + 7, byte > 127
        return number

    def list(self, length):
        return [self.take(length) for _ in range(self.count())]


def memo_of(transaction):
    """Return the only memo of a transaction and the public key that paid for it and signed it, None without one memo."""
    reader = Reader(transaction)
    signed = reader.list(64)
    message = transaction[reader.at:]
    if message[:1] == b"\x80":
        reader.take(1)
    reader.take(3)
    accounts = reader.list(32)
    reader.take(32)
    memos = []
    for _ in range(reader.count()):
        program = reader.take(1)[0]
        reader.list(1)
        data = b"".join(reader.list(1))
        if program < len(accounts) and accounts[program] in MEMO_PROGRAMS:
            memos.append(data)
    if not signed or not load_verify()(ED25519 + accounts[0], message, signed[0]):
        raise ValueError("the node's transaction is not signed by its payer")
    return (memos[0].decode("utf-8", "replace"), accounts[0]) if len(memos) == 1 else None


def check(answers, keys, signature, made):
    """Return the findings about answers with verified receipts. The keys are those of GET /public/keys, made is the result of read_memo."""
    if made is None:
        return ["anchor: no finalized transaction %s with one memo" % signature]
    memo, payer = made
    if ED25519 + payer not in [key_bytes(key.get("publicKey")) for key in keys if key.get("use") == "anchors"]:
        return ["anchor: no key for anchors paid for the memo"]
    found = MEMO.fullmatch(memo)
    if not found or int(found[3]) > receipts.MAX:
        return ["anchor: the memo does not state a log"]
    findings = []
    for number, answer in answers:
        wrong = why_not(answer, found[1], int(found[3]), base64.b64decode(found[4]).hex())
        if wrong:
            findings.append("receipt %d: anchor: %s" % (number, wrong))
    return findings


def why_not(answer, ledger, size, root):
    """Say why the log of a memo does not have the block of an answer, None if it has."""
    log = answer.get("log")
    anchor = log.get("anchor") if isinstance(log, dict) else None
    if not isinstance(anchor, dict):
        return "the answer has no proof for an anchor"
    index, path = receipts.as_index(log.get("index")), as_hashes(anchor.get("path"))
    if index is None or path is None:
        return "the answer has no proof for an anchor"
    other, header = block_of(answer)
    if ledger != other:
        return "the memo is of another ledger"
    if receipts.root_of(header, index, size, path) != root:
        return "the anchored log does not have the block"
    return None
