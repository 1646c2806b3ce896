"""Verify checkpoints of the casino's public log, as docs/fairness/log.md says.

Needs receipts.py and signatures.py in the same folder.
"""

import base64
import json
import os
import re
import sys
import urllib.error
import urllib.request

import receipts
from receipts import WHOLE, sha256
from signatures import ED25519, decode, load_verify

CHECKPOINT = re.compile(
    "((casino/([^ /\0-\x1f]+)/%s)\n([1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n(?:[^\0-\x1f]+\n)*)\n"
    "((?:\u2014 [^ \0-\x1f]+ [A-Za-z0-9+/]+={0,2}\n)+)" % WHOLE)
KEY = re.compile(r"([^ +\0-\x1f]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})")
LOG, WITNESS = 1, 4  # algorithms of keys
PUBLISHED = "--log"


class Wrong(Exception):
    """Why a proof or a checkpoint does not verify."""


class Key:
    """The verifier key of a log or of a witness."""

    def __init__(self, text):
        found = KEY.fullmatch(text)
        if not found:
            raise ValueError("no verifier key")
        key = base64.b64decode(found[3])
        self.name, self.algorithm, self.public = found[1], key[0], ED25519 + key[1:]
        self.id = sha256(self.name.encode() + b"\n" + key)[:4]
        if self.id.hex() != found[2]:
            raise ValueError("the id of a verifier key is not that of its name and key")

    def signed(self, text, lines):
        """Say whether one of a note's lines is a signature of its text."""
        return any(line.startswith("\u2014 %s " % self.name) and self.is_signature(text, line.rsplit(" ", 1)[1]) for line in lines)

    def is_signature(self, text, encoded):
        message, size = text.encode("utf-8", "surrogatepass"), 12 if self.algorithm == WITNESS else 4
        data = decode(encoded, size + 64)
        if not data or data[:4] != self.id:
            return False
        if self.algorithm == WITNESS:
            message = b"cosignature/v1\ntime %d\n%s" % (int.from_bytes(data[4:12], "big"), message)
        return load_verify()(self.public, message, data[size:])


def read_log_keys(answer):
    """Return the keys of the log in an answer of GET /public/keys, perhaps none."""
    keys = []
    for text in answer.get("log") or []:
        try:
            keys.append(Key(text))
        except ValueError:
            continue
    return keys


def read_witnesses(path):
    """Return the keys of witnesses in a file, one a line."""
    with open(path, encoding="utf-8") as file:
        keys = [Key(line.strip()) for line in file if line.strip()]
    if not keys or any(key.algorithm != WITNESS for key in keys):
        raise ValueError("the witnesses' keys have none, or one that is no key of a witness")
    return keys


def read_from(log):
    """Return a function that reads a file of a log below a URL or a folder, None for one that is missing."""
    def from_url(path):
        try:
            with urllib.request.urlopen("%s/%s" % (log.rstrip("/"), path), timeout=30) as response:
                return response.read(1 << 20)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    def from_folder(path):
        try:
            with open(os.path.join(log, path), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    return from_url if log.startswith(("http://", "https://")) else from_folder


class Checkpoint:
    """A signed checkpoint, with the source that findings name."""

    def __init__(self, source, found):
        self.source, self.origin, self.ledger, self.size = source, found[2], found[3], int(found[5])
        self.root = base64.b64decode(found[6])


class Log:
    """What proofs and checkpoints are checked with."""

    def __init__(self, keys, options):
        self.keys = read_log_keys(keys)
        self.witnesses = read_witnesses(options["--witnesses"]) if "--witnesses" in options else None
        self.notes, self.read = [], read_from(options["--log"]) if "--log" in options else None
        if "--checkpoints" in options:
            with open(options["--checkpoints"], "rb") as file:
                self.notes = split(file.read().decode("utf-8", "replace"))

    def open(self, source, note):
        """Return a checkpoint whose signatures are verified."""
        found = CHECKPOINT.fullmatch(note) if isinstance(note, str) else None
        if not found or int(found[5]) > receipts.MAX or not decode(found[6], 32):
            raise Wrong("the checkpoint has another form")
        text, lines = found[1], found[7].split("\n")
        if not any(key.algorithm == LOG and key.name == found[2] and key.signed(text, lines) for key in self.keys):
            raise Wrong("no key of the log signed the checkpoint")
        if self.witnesses is not None and not any(key.signed(text, lines) for key in self.witnesses):
            raise Wrong("no witness cosigned the checkpoint")
        return Checkpoint(source, found)

    def prove(self, source, answer):
        """Return the checkpoint of a verified receipt's answer, which has the block."""
        proof = answer.get("log")
        if not isinstance(proof, dict):
            raise Wrong("the answer has no proof for the log")
        index, path = receipts.as_index(proof.get("index")), as_hashes(proof.get("path"))
        if index is None or path is None:
            raise Wrong("the answer has no proof for the log")
        opened = self.open(source, proof.get("checkpoint"))
        ledger, header = block_of(answer)
        if opened.ledger != ledger:
            raise Wrong("the checkpoint is of another ledger")
        if receipts.root_of(header, index, opened.size, path) != opened.root.hex():
            raise Wrong("the log does not have the block")
        return opened

    def check(self, answers=()):
        """Return the findings about all checkpoints, how many verify, and how many there are. Answers are those of verified receipts."""
        asked = [(self.open, "checkpoint %d" % number, note) for number, note in enumerate(self.notes, 1)]
        asked += [(self.prove, "receipt %d" % number, answer) for number, answer in answers
                  if self.read or isinstance(answer.get("log"), dict)]
        if self.read:
            published = self.read("checkpoint")
            if published is None:
                raise ValueError("the log has no checkpoint")
            asked.insert(0, (self.open, PUBLISHED, published.decode("utf-8", "replace")))
        findings, opened = [], []
        for verify, source, given in asked:
            try:
                opened.append(verify(source, given))
            except Wrong as wrong:
                findings.append("%s: log: %s" % (source, wrong))
        return findings + self.compare(opened), len(opened), len(asked)

    def compare(self, opened):
        """Find checkpoints that contradict each other. The published one is the first."""
        published = opened[0] if opened and opened[0].source == PUBLISHED else None
        first, findings = {}, []
        for each in opened:
            if published and each.origin != published.origin:
                findings.append("%s: log: the checkpoint has another origin than the published one" % each.source)
                continue
            same = first.setdefault((each.origin, each.size), each)
            if same.root != each.root:
                findings.append("%s and %s: two histories: the checkpoints of %d entries have different roots" % (same.source, each.source, each.size))
        return findings + (self.extended(list(first.values())) if published else [])

    def extended(self, opened):
        """Find checkpoints that the largest does not extend."""
        largest, findings = max(opened, key=lambda each: each.size), []
        tiles = Tiles(self.read, largest.size)
        for each in opened:
            try:
                newer, older = tiles.root(0, largest.size, each.size), tiles.root(0, each.size, each.size)
            except Wrong as wrong:
                return findings + ["%s: log: %s" % (PUBLISHED, wrong)]
            if newer != largest.root:
                return findings + ["%s: log: the tiles do not lead to the root of %d entries" % (PUBLISHED, largest.size)]
            if older != each.root:
                findings.append("%s and %s: two histories: the checkpoint of %d entries does not extend the one of %d"
                                % (each.source, largest.source, largest.size, each.size))
        return findings


class Tiles:
    """The nodes of a tree, from the tiles of a log."""

    def __init__(self, read, size):
        self.read, self.size, self.kept = read, size, {}

    def root(self, lo, hi, m):
        """Return the hash of the entries from lo up to, but without hi, by nodes that have no entries on both sides of m."""
        size = hi - lo
        level = size.bit_length() - 1
        if size == 1 << level and not lo < m < hi:
            return self.node(level, lo >> level)
        k = 1 << (size - 1).bit_length() - 1
        return sha256(b"\1" + self.root(lo, lo + k, m) + self.root(lo + k, hi, m))

    def node(self, level, i):
        tile_level, r = divmod(level, 8)
        begin = i << r
        hashes = self.tile(tile_level, begin // 256)
        nodes = [hashes[at * 32:at * 32 + 32] for at in range(begin % 256, begin % 256 + (1 << r))]
        while len(nodes) > 1:
            nodes = [sha256(b"\1" + left + right) for left, right in zip(nodes[::2], nodes[1::2])]
        return nodes[0]

    def tile(self, level, number):
        width = min(256, (self.size >> 8 * level) - 256 * number)
        path = "tile/%d/%s%s" % (level, tile_path(number), "" if width == 256 else ".p/%d" % width)
        if path not in self.kept:
            data = self.read(path)
            if data is None or len(data) != width * 32:
                raise Wrong("the log lacks %s" % path)
            self.kept[path] = data
        return self.kept[path]


def tile_path(number):
    digits = str(number)
    groups = re.findall("...", digits.zfill((len(digits) + 2) // 3 * 3))
    return "/".join(["x" + group for group in groups[:-1]] + groups[-1:])


def split(text):
    """Return the notes of a text that has one after another: each ends with its lines of signatures."""
    notes, ended = [], False
    for line in re.findall("[^\n]*\n|[^\n]+", text):
        signature = line.startswith("\u2014 ")
        if not notes or ended and not signature:
            notes.append("")
        ended = signature
        notes[-1] += line
    return notes


def as_hashes(value):
    """Return the hashes of a list of base64 texts, None for another value."""
    hashes = [receipts.as_bytes(item, 32) for item in value] if isinstance(value, list) else [None]
    return None if None in hashes else hashes


def block_of(answer):
    """Return the ledger and the header of the block of a verified receipt."""
    found = receipts.TEXT.fullmatch(answer["receipt"]["text"])
    return found[1], found[2].encode()


def main(options):
    """Verify checkpoints of the log, and return the exit code."""
    try:
        with open(options["--keys"], "rb") as file:
            findings, verified, count = Log(json.load(file), options).check()
    except (OSError, ValueError, AttributeError, TypeError) as reason:
        print("can't be verified: %s" % reason, file=sys.stderr)
        return 2
    for finding in findings:
        print(finding)
    print("%d of %d checkpoints are verified" % (verified, count))
    return 1 if findings else 0
