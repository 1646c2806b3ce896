"""Check a capture of the casino, as docs/fairness/capture.md says.

The file is read once, line by line; what is kept is each player's present seed pair, a few
words for each block and each round, and the findings. players.py has the checks of one
player's lines.
"""

import collections
import hashlib
import math
import sys

import refusals
import selection
import signatures
from lines import Malformed, hidden_seed, member, plain
from players import Player
from receipts import as_whole, is_text, read_json, sha256
from sharedbets import SharedBets

SHOWN = 20  # findings of a check that are printed
KINDS = {"capture", "rules", "config", "balance", "seed", "rotation", "round", "open", "step", "kept", "refused", "unanswered", "limits", "keys",
         "solvency", "checkpoint", "shared", "sharedBet", "sharedCashOut", "sharedRound", "end"}
# The lines of bets on the shared crash, with their checks.
SHARED = {"shared": SharedBets.take_shared, "sharedBet": SharedBets.take_bet, "sharedCashOut": SharedBets.take_cash_out, "sharedRound": SharedBets.take_round}
OF_PLAYERS = {"balance", "seed", "rotation", "round", "open", "step", "kept", "refused", "unanswered", "solvency"}


class Unreadable(Exception):
    """Why a file is no capture."""


def ends_pair(line):
    """Say whether a line answers with a void round, which reveals its pair."""
    shown = line["answered"].get("round") if isinstance(line["answered"], dict) else None
    return isinstance(shown, dict) and "outcome" in shown and shown["outcome"] is None


class Config:
    """A config that is played: a line `config`."""

    def __init__(self, line):
        self.by_steps = line.get("name") == "steps"
        variance = line.get("answered", {}).get("variance") if isinstance(line.get("answered"), dict) else None
        decimal = plain(variance["decimal"]) if isinstance(variance, dict) and "decimal" in variance else None
        self.deviation = math.sqrt(max(0, decimal)) if decimal is not None else 1.0


class Checker:
    """Checks the lines of a capture, and keeps what lines of all players share."""

    def __init__(self):
        self.found, self.counts = collections.OrderedDict(), collections.Counter()
        self.header, self.keys, self.ledger, self.games, self.rules_lines = None, None, None, {}, 0
        self.configs, self.players, self.ids, self.seeds, self.client_seeds = {}, {}, set(), set(), set()
        self.blocks, self.max_payouts, self.limits, self.stated_limits, self.openings = {}, set(), set(), [], []
        self.selection, self.ended, self.stopped, self.digest, self.number = None, False, "", hashlib.sha256(), 0
        self.notes, self.rounds = set(), 0

    def add(self, check, line, text):
        """Add a finding."""
        findings = self.found.setdefault(check, [])
        self.counts[check] += 1
        if len(findings) < SHOWN:
            findings.append("%s: line %d: %s" % (check, line, text))

    # Reading.

    def read(self, file):
        for data in file:
            self.number += 1
            if not self.ended:
                self.read_line(data)
                self.digest.update(data)
            else:
                self.add("form", self.number, "a line after the end")
        if self.header is None:
            raise Unreadable("the file has no line `capture`")
        self.finish()

    def read_line(self, data):
        try:
            line = read_json(data.decode("utf-8"))
            kind = member(line, "line", str)
            if (self.number == 1) != (kind == "capture"):
                raise Malformed("the first line, and no other, is a line `capture`")
        except (ValueError, RecursionError, Malformed) as fault:
            if self.number == 1:
                raise Unreadable("the first line is no line `capture`: %s" % fault) from None
            self.add("form", self.number, "the line can't be read: %s" % fault)
            return
        try:
            if kind not in KINDS:
                raise Malformed("lines %s are unknown" % kind[:40])
            if kind not in ("rotation", "kept") and hidden_seed(line.get("answered")) and not ends_pair(line):
                self.add("hidden", self.number, "a server seed is shown before its reveal")
            if kind in SHARED:
                SHARED[kind](self.player(line).shared, self.number, line)
            elif kind in OF_PLAYERS:
                getattr(self.player(line), "take_" + kind)(self.number, line)
            elif kind != "checkpoint":
                getattr(self, "take_" + kind)(line)
        except Malformed as fault:
            self.add("form", self.number, str(fault))

    def player(self, line):
        number = member(line, "player", int)
        wallets = self.header["players"]
        if number not in self.players:
            if not 1 <= number <= max(1, len(wallets)):
                raise Malformed("the capture has no player %d" % number)
            wallet = wallets[number - 1] if number <= len(wallets) else ""
            self.players[number] = Player(self, number, wallet)
            if not wallet:
                self.notes.add("The wallet of player %d isn't known: receipts were not checked." % number)
        return self.players[number]

    # Lines of the capture as a whole.

    def take_capture(self, line):
        header = member(line, "capture", dict)
        if member(header, "form", int) != 1:
            raise Unreadable("the capture has another form than 1")
        games, players = member(header, "games", list), header.get("players")
        players = players if isinstance(players, list) else []
        if not all(map(is_text, games + players)):
            raise Unreadable("games or players of the capture are no texts")
        self.header = {"token": member(header, "token", str), "games": games, "players": players}
        self.selection = selection.Selection(games)

    def take_rules(self, line):
        """The rules are taken first and last, and are the same but for limits."""
        listed, games = member(member(line, "answered", dict), "games", list), {}
        for game in listed:
            if not isinstance(game, dict):
                raise Malformed("games has something that is no object")
            games[member(game, "gameType", str)] = {name: value for name, value in game.items() if name != "limits"}
            for limits in game.get("limits") or []:
                if isinstance(limits, dict) and limits.get("token") == self.header["token"]:
                    self.max_payouts.add(as_whole(limits.get("maxPayout")))
        self.rules_lines += 1
        if self.rules_lines == 1:
            self.games = games
        elif games != self.games:
            changed = sorted(name for name in games.keys() | self.games.keys() if games.get(name) != self.games.get(name))
            self.add("rules", self.number, "the published rules of %s have changed" % ", ".join(changed))

    def take_config(self, line):
        self.configs[member(line, "config", int)] = Config(line)

    def take_keys(self, line):
        keys = member(member(line, "answered", dict), "keys", list)
        keys = signatures.Keys([key for key in keys if isinstance(key, dict)])
        self.keys = keys if keys.keys else None

    def take_limits(self, line):
        answered = member(line, "answered", dict)
        others = {name: value for name, value in answered.items() if name != "receipt"}
        for token in member(answered, "tokens", list):
            if isinstance(token, dict) and token.get("token") == self.header["token"]:
                figures = tuple(as_whole(token.get(name)) for name in ("minWager", "maxWager", "maxPayout"))
                self.limits.add(figures)
                self.max_payouts.add(figures[2])
        if self.keys is None:
            return
        if "receipt" not in answered:
            self.add("limits", self.number, "the published limits are not signed")
            return
        statement, wrong = signatures.open_statement(self.keys, answered["receipt"], "limits")
        if wrong:
            self.add("limits", self.number, "the receipt of the published limits doesn't hold: " + wrong)
            return
        try:
            stated = read_json(statement.facts.get("limits", ""))
        except (ValueError, RecursionError):
            stated = None
        if stated != others:
            self.add("limits", self.number, "the published limits are not the signed ones")
        if statement.whole("time") is None or abs(statement.whole("time") - member(line, "at", int)) > refusals.CLOCKS:
            self.add("limits", self.number, "the published limits were signed at another time")
        self.same_ledger("limits", self.number, statement.facts.get("ledger"))

    def take_end(self, line):
        end, self.ended = member(line, "end", dict), True
        if end.get("sha256") != self.digest.hexdigest():
            self.add("form", self.number, "the SHA-256 of the lines before is %s" % self.digest.hexdigest())
        if as_whole(end.get("rounds")) != self.rounds:
            self.add("form", self.number, "the end counts %s rounds, the file has %d" % (end.get("rounds"), self.rounds))
        self.stopped = end.get("stopped") or ""

    # What lines of all players share.

    def same_ledger(self, check, line, ledger):
        self.ledger = self.ledger or ledger
        if ledger != self.ledger:
            self.add(check, line, "it is of the ledger %s, others are of %s" % (ledger, self.ledger))

    def add_block(self, line, head):
        """Take in a signed block: those of one place are the same, and each names the hash of the one before."""
        ledger, lane, seq, header, previous = head
        self.same_ledger("receipt", line, ledger)
        mine = line, sha256(header.encode()).hex(), previous
        first = self.blocks.setdefault((ledger, lane, seq), mine)
        if first[1] != mine[1]:
            self.add("receipt", line, "two histories: line %d has another block for lane %d, seq %d" % (first[0], lane, seq))
            return
        before, after = self.blocks.get((ledger, lane, seq - 1)), self.blocks.get((ledger, lane, seq + 1))
        if first is mine and before and before[1] != previous:
            self.add("receipt", line, "two histories: the block of lane %d, seq %d does not follow that of line %d" % (lane, seq, before[0]))
        if first is mine and after and after[2] != mine[1]:
            self.add("receipt", line, "two histories: the block of line %d does not follow that of lane %d, seq %d" % (after[0], lane, seq))

    def finish(self):
        """Check what only the whole file shows."""
        if not self.ended:
            self.add("form", self.number, "the file has no end")
        if self.rules_lines != 2 and not self.stopped:
            self.add("form", self.number, "the rules were asked for %d times, not first and last" % self.rules_lines)
        for player in self.players.values():
            player.finish(self.number)
        for line, figures in self.stated_limits:
            if figures not in self.limits:
                self.add("limits", line, "the signed refusal states limits that were never published: %d, %d, %d" % figures)
        for line, max_payout in self.openings:
            if max_payout not in self.max_payouts:
                self.add("asked", line, "the round was opened with the maxPayout %d, which was never published" % max_payout)
        for text in self.selection.findings():
            self.add("selection", self.number, text)

    def print(self):
        """Print the findings and a summary, and return the exit code."""
        for findings in self.found.values():
            print(*findings, sep="\n")
        for note in sorted(self.notes):
            print(note)
        if self.stopped:
            print("The capture ended early: %s" % self.stopped)
        if self.keys is None:
            print("The service has no receipt keys: receipts, refusals and solvency were not checked.")
        what = "%d rounds of %d players in %d lines: " % (self.rounds, len(self.players), self.number)
        total = sum(self.counts.values())
        each = ", ".join("%s %d" % pair for pair in self.counts.items())
        print(what + ("%d findings: %s" % (total, each) if total else "nothing was found"))
        return 1 if total else 0


def main(path):
    """Check a capture, and return the exit code."""
    checker = Checker()
    try:
        with open(path, "rb") as file:
            checker.read(file)
    except (OSError, Unreadable) as reason:
        print("can't be verified: %s" % reason, file=sys.stderr)
        return 2
    return checker.print()
