package verifiers_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/money"
)

// A shownCrash is an answer of GET /crash/rounds/{number}.
type shownCrash struct {
	Chain struct {
		ID         string `json:"id"`
		Commitment string `json:"commitment"`
		Length     int64  `json:"length"`
	} `json:"chain"`
	Round *shownRound `json:"round,omitempty"`
	Bets  []shownBet  `json:"bets"`
}

type shownRound struct {
	Chain        string       `json:"chain"`
	Number       int64        `json:"number"`
	Status       crash.Status `json:"status"`
	Cap          shownTimes   `json:"cap"`
	PreviousHash string       `json:"previousHash"`
	AboveHeight  uint64       `json:"aboveHeight"`
	OpenedAt     int64        `json:"openedAt"`
	Closing      string       `json:"closing,omitempty"`
	Height       uint64       `json:"height,omitempty"`
	Salt         string       `json:"salt,omitempty"`
	BeaconHeight uint64       `json:"beaconHeight,omitempty"`
	StartedAt    int64        `json:"startedAt,omitempty"`
	Hash         string       `json:"hash,omitempty"`
	Point        shownTimes   `json:"point,omitempty"`
	Recovered    bool         `json:"recovered,omitempty"`
}

type shownBet struct {
	ID         string      `json:"id"`
	Player     string      `json:"player"`
	Token      money.Token `json:"token"`
	Wager      int64       `json:"wager"`
	CashOut    shownTimes  `json:"cashOut"`
	CashedOut  *shownTimes `json:"cashedOut,omitempty"`
	Multiplier *shownTimes `json:"multiplier,omitempty"`
	Payout     *int64      `json:"payout,omitempty"`
}

// shownTimes is a multiplier in hundredths, with two decimals in JSON.
type shownTimes uint64

func (m shownTimes) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%02d", m/100, m%100), nil
}

func (m *shownTimes) UnmarshalJSON(text []byte) error {
	_, err := fmt.Sscan(strings.Replace(string(text), ".", "", 1), (*uint64)(m))
	return err
}

func (s shownCrash) json(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal(s)
	noError(t, err)
	return text
}

// clone returns a copy that shares nothing.
func (s shownCrash) clone(t *testing.T) (c shownCrash) {
	t.Helper()
	noError(t, json.Unmarshal(s.json(t), &c))
	return c
}

const crashBlock = "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"

// A crashHouse plays rounds of a chain.
type crashHouse struct {
	*testing.T
	chain      crash.Chain
	commitment crash.Commitment
	last       *crash.Round
}

func newCrashHouse(t *testing.T, seed string) *crashHouse {
	t.Helper()
	sum := sha256.Sum256([]byte(seed))
	chain, err := crash.NewChain(fairness.ServerSeedFromText(hex.EncodeToString(sum[:])), 50, 7)
	noError(t, err)
	rule := crash.Rule{Source: crash.Solana, Network: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", Delay: 32, Window: 150}
	return &crashHouse{T: t, chain: chain, commitment: crash.Commitment{Chain: "2026-1", Epoch: 1, Terminal: chain.Terminal, Length: chain.Length, Beacon: rule}}
}

var crashOpened = time.UnixMilli(1_800_000_000_000).UTC()

// play plays a round: its bets are cashed out by themselves at various heights, and every
// third one by hand after 2.5 seconds, if the round is up by then. A round is cancelled if its
// beacon is late.
func (h *crashHouse) play(bets int, late, recovered bool) shownCrash {
	h.Helper()
	r, err := crash.NextRound(h.commitment, 1, h.last, 100_00, crashOpened)
	noError(h, err)
	var placed []crash.Bet
	for i := range bets {
		auto := []uint64{101, 150, 100_00, 233, 20_000}[i%5]
		placed = append(placed, crash.Bet{ID: fmt.Sprintf("01980000-0000-7000-8000-%06d%06d", r.Number, bets-i), Token: money.SOL, Wager: money.Amount(1_000_007 * (i + 1)), Auto: min(auto, r.Cap)})
	}
	secret, err := h.chain.Hash(r.Number)
	noError(h, err)
	step := func(next crash.Round, err error) { h.Helper(); noError(h, err); r = next }
	step(r.Stop())
	step(r.Close(h.commitment.Beacon, 380_000_000, placed))
	beacon := crash.Beacon{Height: r.Height + 1, Parent: r.Height - 1, Value: crashBlock}
	var outs []crash.CashOut
	if late {
		beacon.Height += h.commitment.Beacon.Window
		step(r.Cancel(h.commitment.Beacon, beacon, secret))
	} else {
		step(r.Reveal(h.commitment.Beacon, beacon))
		step(r.Start(crashOpened.Add(20 * time.Second)))
		for i, b := range placed {
			if out, err := r.CashOut(b, r.StartedAt.Add(2500*time.Millisecond), secret); err == nil && i%3 == 2 {
				outs = append(outs, out)
			}
		}
		if recovered {
			step(r.Recover(secret))
		}
		ends, err := r.EndsAt(secret)
		noError(h, err)
		step(r.Crash(secret, ends))
	}
	step(r.BeginSettlement(crashOpened.Add(time.Hour)))
	results, err := r.Settle(placed, outs)
	noError(h, err)
	if !late {
		step(r.Finish(0))
	}
	h.last = &r
	return h.show(r, results, outs)
}

func (h *crashHouse) show(r crash.Round, results []crash.Result, outs []crash.CashOut) (s shownCrash) {
	h.Helper()
	text, err := h.commitment.Text()
	noError(h, err)
	s.Chain.ID, s.Chain.Commitment, s.Chain.Length = r.Chain, text, h.commitment.Length
	s.Round = &shownRound{
		Chain: r.Chain, Number: r.Number, Status: r.Status, Cap: shownTimes(r.Cap), PreviousHash: r.Previous, AboveHeight: r.Above, OpenedAt: r.OpenedAt.UnixMilli(),
		Closing: r.Closing, Height: r.Height, Salt: r.Salt, BeaconHeight: r.BeaconHeight, Hash: r.Hash, Point: shownTimes(r.Point), Recovered: r.Recovered,
	}
	if !r.StartedAt.IsZero() {
		s.Round.StartedAt = r.StartedAt.UnixMilli()
	}
	for _, result := range results {
		multiplier, payout := shownTimes(result.Multiplier), int64(result.Payout)
		bet := shownBet{ID: result.ID, Player: "p", Token: result.Token, Wager: int64(result.Wager), CashOut: shownTimes(result.Auto), Multiplier: &multiplier, Payout: &payout}
		for _, out := range outs {
			if at := shownTimes(out.Multiplier); out.Bet == result.ID {
				bet.CashedOut = &at
			}
		}
		s.Bets = append(s.Bets, bet)
	}
	return s
}

// A crashCase is a round with what it is compared with.
type crashCase struct {
	answer, before []byte
	beacon         *crash.Beacon
}

// crashPrograms are the three verifiers. Each returns, for each case, the names of the checks
// that found something, or "unverifiable".
var crashPrograms = map[string]func(*testing.T, []crashCase) []string{
	"casino verify": func(t *testing.T, cases []crashCase) []string {
		t.Helper()
		verdicts := make([]string, len(cases))
		for i, c := range cases {
			verdicts[i] = "unverifiable"
			answer, err := verifier.ReadCrash(c.answer)
			if err != nil {
				continue
			}
			var before *verifier.CrashAnswer
			if c.before != nil {
				read, err := verifier.ReadCrash(c.before)
				noError(t, err)
				before = &read
			}
			if report, err := answer.Verify(before, c.beacon); err == nil {
				verdicts[i] = namesOf(report.Findings)
			}
		}
		return verdicts
	},
	"verify.py": func(t *testing.T, cases []crashCase) []string {
		t.Helper()
		out, faults, code := python(t, crashLines(t, cases), "-c", `
import json, sys
import crash
from receipts import read_object
for line in sys.stdin:
    case = json.loads(line)
    try:
        before, block = case.get("before"), case.get("block")
        found = crash.check(crash.Answer(read_object(case["answer"])), before and crash.Answer(read_object(before)), block)
        print(json.dumps(["%s: %s" % finding for finding in found]))
    except crash.Wrong:
        print("null")
`)
		return verdictsOf(t, out, faults, code, len(cases))
	},
	"@casino-service/verify": func(t *testing.T, cases []crashCase) []string {
		t.Helper()
		out, faults, code := node(t, crashLines(t, cases), "--input-type=module", "-e", `
			import { readFileSync } from "node:fs";
			import { readCrash, verifyCrash, Unverifiable } from "./dist/index.js";
			for (const line of readFileSync(0, "utf8").trim().split("\n")) {
				const { answer, before, block } = JSON.parse(line);
				const [slot, blockhash, parent] = block ?? [];
				try {
					const { findings } = verifyCrash(readCrash(answer), before ? readCrash(before) : null, block ? { slot: BigInt(slot), blockhash, parent: BigInt(parent) } : null);
					console.log(JSON.stringify(findings.map(({ check, text }) => check + ": " + text)));
				} catch (error) {
					if (!(error instanceof Unverifiable)) throw error;
					console.log("null");
				}
			}`)
		return verdictsOf(t, out, faults, code, len(cases))
	},
}

func crashLines(t *testing.T, cases []crashCase) []byte {
	t.Helper()
	var lines []byte
	for _, c := range cases {
		line := map[string]any{"answer": string(c.answer)}
		if c.before != nil {
			line["before"] = string(c.before)
		}
		if c.beacon != nil {
			line["block"] = []any{c.beacon.Height, c.beacon.Value, c.beacon.Parent}
		}
		text, err := json.Marshal(line)
		noError(t, err)
		lines = append(append(lines, text...), '\n')
	}
	return lines
}

// verdictsOf reads a list of findings a line, or null.
func verdictsOf(t *testing.T, out, faults []byte, code, count int) (verdicts []string) {
	t.Helper()
	for line := range bytes.Lines(out) {
		var findings []string
		noError(t, json.Unmarshal(line, &findings))
		if verdict := namesOf(findings); findings != nil {
			verdicts = append(verdicts, verdict)
		} else {
			verdicts = append(verdicts, "unverifiable")
		}
	}
	if code != 0 || len(verdicts) != count {
		t.Fatalf("%d verdicts on %d cases, exit code %d\n%s", len(verdicts), count, code, faults)
	}
	return verdicts
}

// namesOf returns the names of the checks of findings, in order.
func namesOf(findings []string) string {
	var names []string
	for _, finding := range findings {
		name, _, _ := strings.Cut(finding, ":")
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " ")
}

// crashPlants are the cheats in a round, with the checks that find them. The round is the
// third of a chain, with seven bets and a point of 2.56. It is compared with the second one,
// and with its beacon.
var crashPlants = map[string]struct {
	checks string
	plant  func(s *shownCrash)
}{
	"nothing":                   {"", func(*shownCrash) {}},
	"another point":             {"point", func(s *shownCrash) { s.Round.Point++ }},
	"no point":                  {"point", func(s *shownCrash) { s.Round.Point = 0 }},
	"another point, paid":       {"point result", func(s *shownCrash) { s.Round.Point = 100; s.payBy(100) }},
	"another hash":              {"before hash point result", func(s *shownCrash) { s.Round.Hash = otherHash; s.payBy(100) }},
	"a hash in capitals":        {"before hash", func(s *shownCrash) { s.Round.Hash = strings.ToUpper(s.Round.Hash) }},
	"another previous hash":     {"hash", func(s *shownCrash) { s.Round.PreviousHash = otherHash }},
	"another number":            {"before bets closing hash", func(s *shownCrash) { s.Round.Number++ }},
	"a number above the length": {"bets closing commitment", func(s *shownCrash) { s.Round.Number = 51 }},
	"another salt":              {"beacon", func(s *shownCrash) { s.Round.Salt = strings.Replace(s.Round.Salt, "EkSn", "EkSm", 1); s.redecide() }},
	"a salt of drand":           {"beacon", func(s *shownCrash) { s.Round.Salt = "drand:380000098:" + otherHash; s.redecide() }},
	"no salt":                   {"beacon", func(s *shownCrash) { s.Round.Salt = "" }},
	"a later slot": {"beacon", func(s *shownCrash) {
		s.Round.BeaconHeight++
		s.Round.Salt = fmt.Sprintf("solana:%d:%s", s.Round.BeaconHeight, crashBlock)
		s.redecide()
	}},
	"a slot beyond the window": {"beacon", func(s *shownCrash) {
		s.Round.BeaconHeight += 149
		s.Round.Salt = fmt.Sprintf("solana:%d:%s", s.Round.BeaconHeight, crashBlock)
		s.redecide()
	}},
	"another beacon height":                      {"beacon", func(s *shownCrash) { s.Round.BeaconHeight++ }},
	"another root":                               {"bets", func(s *shownCrash) { s.inClosing("root: "+otherHash, "root: [0-9a-f]+") }},
	"another count":                              {"bets", func(s *shownCrash) { s.inClosing("bets: 8", "bets: 7") }},
	"another cap":                                {"closing", func(s *shownCrash) { s.inClosing("cap: 20000", "cap: 10000") }},
	"another cap in the round":                   {"closing", func(s *shownCrash) { s.Round.Cap++ }},
	"another height":                             {"closing", func(s *shownCrash) { s.inClosing("height: 1$1", `height: (\d+)`) }},
	"another height in the round":                {"beacon closing", func(s *shownCrash) { s.Round.Height -= 2 }},
	"another height seen":                        {"closing", func(s *shownCrash) { s.inClosing("seen: 380000099", `seen: \d+`) }},
	"another height before":                      {"before closing", func(s *shownCrash) { s.Round.AboveHeight-- }},
	"a closing of another round":                 {"closing", func(s *shownCrash) { s.inClosing("round: 2", "round: 3") }},
	"a closing of another chain":                 {"closing", func(s *shownCrash) { s.inClosing("chain: 2026-2", "chain: 2026-1") }},
	"no closing commit":                          {"closing", func(s *shownCrash) { s.Round.Closing = "" }},
	"a closing of another form":                  {"closing", func(s *shownCrash) { s.inClosing("height: 1\nheight", "height") }},
	"a bet dropped":                              {"bets", func(s *shownCrash) { s.Bets = s.Bets[1:] }},
	"a bet added":                                {"bets", func(s *shownCrash) { b := s.Bets[0]; b.ID += "1"; s.Bets = append(s.Bets, b) }},
	"a bet twice":                                {"bets", func(s *shownCrash) { s.Bets[1] = s.Bets[0] }},
	"another wager":                              {"bets result", func(s *shownCrash) { s.Bets[0].Wager *= 2 }},
	"another cash-out":                           {"bets", func(s *shownCrash) { s.Bets[3].CashOut = 240; s.payBy(256) }},
	"another token":                              {"bets", func(s *shownCrash) { s.Bets[0].Token = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" }},
	"a cash-out above the cap":                   {"bets", func(s *shownCrash) { s.Bets[4].CashOut++ }},
	"a bet of two lines":                         {"bets", func(s *shownCrash) { s.Bets[4].ID += "\ntoken: x" }},
	"another payout":                             {"result", func(s *shownCrash) { *s.Bets[0].Payout-- }},
	"another multiplier":                         {"result", func(s *shownCrash) { *s.Bets[0].Multiplier-- }},
	"no payout":                                  {"result", func(s *shownCrash) { s.Bets[0].Payout = nil }},
	"no result":                                  {"result", func(s *shownCrash) { s.Bets[0].Payout, s.Bets[0].Multiplier = nil, nil }},
	"a loss returned":                            {"result", func(s *shownCrash) { s.pay(4, 100) }},
	"a win by hand above the point":              {"result", func(s *shownCrash) { s.cashOut(4, 300); s.pay(4, 300) }},
	"a loss by hand above the point":             {"result", func(s *shownCrash) { s.cashOut(4, 300) }},
	"a win by hand at 1.00":                      {"result", func(s *shownCrash) { s.cashOut(4, 100); s.pay(4, 100) }},
	"a cash-out by hand forgotten":               {"result", func(s *shownCrash) { s.Bets[2].CashedOut = nil }},
	"a cash-out by hand above the automatic one": {"result", func(s *shownCrash) { s.cashOut(0, 116); s.pay(0, 116) }},
	"a recovery that returns stakes":             {"", func(s *shownCrash) { s.Round.Recovered = true; s.pay(4, 100) }},
	"a recovery that returns none":               {"result", func(s *shownCrash) { s.Round.Recovered = true }},
	"a chain of another id":                      {"commitment", func(s *shownCrash) { s.Chain.ID = "2026-2" }},
	"a chain of another length":                  {"commitment", func(s *shownCrash) { s.Chain.Length++ }},
	"a commitment of another form":               {"commitment", func(s *shownCrash) { s.Chain.Commitment += "more: 1\n" }},
	"cancelled":                                  {"beacon point result", func(s *shownCrash) { s.Round.Status = crash.Cancelled }},
	"cancelled without a proof": {"beacon result", func(s *shownCrash) {
		s.Round.Status, s.Round.Salt, s.Round.Point = crash.Cancelled, "", 0
	}},
	"still flying": {"unverifiable", func(s *shownCrash) { s.Round.Status, s.Round.Hash, s.Round.Point = crash.Flying, "", 0 }},
}

// inClosing replaces a part of the closing commit.
func (s *shownCrash) inClosing(with, part string) {
	s.Round.Closing = regexp.MustCompile(part).ReplaceAllString(s.Round.Closing, with)
}

// pay pays a bet by a multiplier.
func (s *shownCrash) pay(bet int, multiplier shownTimes) {
	payout := s.Bets[bet].Wager * int64(multiplier) / 100
	s.Bets[bet].Multiplier, s.Bets[bet].Payout = &multiplier, &payout
}

func (s *shownCrash) cashOut(bet int, at shownTimes) { s.Bets[bet].CashedOut = &at }

// payBy pays all bets by a point.
func (s *shownCrash) payBy(point uint64) {
	for i, bet := range s.Bets {
		at := bet.CashOut
		if bet.CashedOut != nil {
			at = *bet.CashedOut
		}
		if uint64(at) > point {
			at = 0
		}
		s.pay(i, at)
	}
}

// redecide makes point and results those of the hash and the salt. Cash-outs by hand are left out.
func (s *shownCrash) redecide() {
	point := crash.Point(fairness.ServerSeedFromText(s.Round.Hash), s.Round.Salt)
	s.Round.Point = shownTimes(point)
	for i := range s.Bets {
		s.Bets[i].CashedOut = nil
	}
	s.payBy(point)
}

// playTo plays rounds up to a number, and returns the last one.
func (h *crashHouse) playTo(number int64) (s shownCrash) {
	h.Helper()
	for h.last == nil || h.last.Number < number {
		s = h.play(7, false, false)
	}
	return s
}

// TestCheatsInSharedCrashAreFound plants one thing at a time in a round, and has all three
// programs find it by exactly the named checks.
func TestCheatsInSharedCrashAreFound(t *testing.T) {
	t.Parallel()
	h := newCrashHouse(t, crashSeed)
	before := h.playTo(2)
	honest := h.playTo(3)
	beacon := &crash.Beacon{Height: honest.Round.BeaconHeight, Parent: honest.Round.Height - 1, Value: crashBlock}
	if honest.Round.Point != 256 {
		t.Fatalf("the point is %d", honest.Round.Point)
	}
	var cases []crashCase
	var names, want []string
	add := func(name, checks string, answer, before shownCrash, beacon *crash.Beacon) {
		cases = append(cases, crashCase{answer.json(t), before.json(t), beacon})
		names, want = append(names, name), append(want, checks)
	}
	for name, row := range crashPlants {
		planted := honest.clone(t)
		row.plant(&planted)
		add(name, row.checks, planted, before, beacon)
	}
	beyond := honest.clone(t)
	crashPlants["a slot beyond the window"].plant(&beyond)
	add("a slot beyond the window, without a node", "beacon", beyond, before, nil)
	twice := honest.clone(t)
	twice.Bets[1] = twice.Bets[0]
	var listed []crash.Bet
	for _, b := range twice.Bets {
		listed = append(listed, crash.Bet{ID: b.ID, Token: b.Token, Wager: money.Amount(b.Wager), Auto: uint64(b.CashOut)})
	}
	twice.inClosing(fmt.Sprintf("root: %x", crash.Root("2026-1", 3, listed)), "root: [0-9a-f]+")
	add("a bet twice, also in the root", "bets", twice, before, beacon)
	kept := func(name, checks string, change func(s *shownCrash)) {
		earlier := honest.clone(t)
		earlier.Round.Status, earlier.Round.Hash, earlier.Round.Point = crash.Flying, "", 0
		change(&earlier)
		add("kept from before: "+name, checks, honest, earlier, beacon)
	}
	kept("the same", "", func(*shownCrash) {})
	kept("while it took bets", "", func(s *shownCrash) {
		*s.Round = shownRound{Chain: s.Round.Chain, Number: 3, Status: crash.Betting, Cap: s.Round.Cap, PreviousHash: s.Round.PreviousHash, AboveHeight: s.Round.AboveHeight, OpenedAt: s.Round.OpenedAt}
		s.Bets = s.Bets[:2]
	})
	kept("no round", "", func(s *shownCrash) { s.Round, s.Bets = nil, nil })
	kept("another closing commit", "before", func(s *shownCrash) { s.inClosing("root: "+otherHash, "root: [0-9a-f]+") })
	kept("another start", "before", func(s *shownCrash) { s.Round.StartedAt++ })
	kept("another salt", "before", func(s *shownCrash) { s.Round.Salt += "x" })
	kept("another cap", "before", func(s *shownCrash) { s.Round.Cap++ })
	kept("another bet", "before", func(s *shownCrash) { s.Bets[0].Wager++ })
	kept("a bet that was dropped", "before", func(s *shownCrash) { s.Bets[0].ID += "1" })
	kept("a later round", "unverifiable", func(s *shownCrash) { s.Round.Number++ })
	add("a chain replaced", "before", newCrashHouse(t, "another chain").playTo(3), before, beacon)
	add("another blockhash", "beacon", honest, before, &crash.Beacon{Height: beacon.Height, Parent: beacon.Parent, Value: strings.Replace(crashBlock, "Ek", "EL", 1)})
	add("another slot", "beacon", honest, before, &crash.Beacon{Height: beacon.Height - 1, Parent: beacon.Parent, Value: crashBlock})
	late := h.play(7, true, false)
	absent := &crash.Beacon{Height: late.Round.BeaconHeight, Parent: late.Round.Height - 1, Value: crashBlock}
	add("a late beacon", "", late, honest, absent)
	add("a late beacon that wasn't", "beacon", late, honest, beacon)
	waiting := late.clone(t)
	waiting.Bets[0].Multiplier, waiting.Bets[0].Payout = nil, nil
	add("a stake to be returned", "", waiting, honest, absent)
	*waiting.Bets[1].Payout--
	add("a stake returned in part", "result", waiting, honest, absent)
	restored := late.clone(t)
	restored.Round.Closing, restored.Round.Height, restored.Round.BeaconHeight = "", 0, 0
	add("a round that a restore cancelled", "", restored, honest, nil)
	add("a round that was recovered", "", h.play(7, false, true), late, nil)
	add("a round without bets", "", h.play(0, false, false), late, nil)

	for program, verify := range crashPrograms {
		for i, got := range verify(t, cases) {
			if got != want[i] {
				t.Errorf("%s: %s: found by %q, not %q\n%s", program, names[i], got, want[i], cases[i].answer)
			}
		}
	}
}

// TestEachValueOfSharedCrashIsCompared changes each value of an answer on its own: all three
// programs find it by the same checks, unless nothing covers it.
func TestEachValueOfSharedCrashIsCompared(t *testing.T) {
	t.Parallel()
	h := newCrashHouse(t, crashSeed)
	before, answer := h.playTo(2).json(t), h.playTo(3).json(t)
	var cases []crashCase
	var pointers []string
	for pointer, at := range scalars(t, answer) {
		forged := slices.Concat(answer[:at[0]], []byte(changed(string(answer[at[0]:at[1]]))), answer[at[1]:])
		cases, pointers = append(cases, crashCase{answer: forged, before: before}), append(pointers, pointer)
	}
	first := crashPrograms["casino verify"](t, cases)
	for program, verify := range crashPrograms {
		for i, got := range verify(t, cases) {
			uncovered := regexp.MustCompile(`/player$|openedAt$|startedAt$`).MatchString(pointers[i])
			if got != first[i] || (got == "") != uncovered {
				t.Errorf("%s: %s changed: found by %q, by casino verify %q", program, pointers[i], got, first[i])
			}
		}
	}
}

// TestTablesOfSharedCrashAreTheSame compares all multipliers of the curve, the published rows
// and the vectors of domain/crash in the three programs.
func TestTablesOfSharedCrashAreTheSame(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../domain/crash/testdata/vectors.json")
	noError(t, err)
	var vectors struct {
		Table        string
		Milliseconds int
		Cap          uint64
		Rounds       []struct {
			Hash, Salt string
			Point, End uint64
		}
	}
	noError(t, json.Unmarshal(raw, &vectors))
	digest, rounds := sha256.New(), ""
	for ms := range vectors.Milliseconds {
		fmt.Fprintln(digest, crash.MultiplierAt(int64(ms)))
	}
	for _, r := range vectors.Rounds {
		point := crash.Point(fairness.ServerSeedFromText(r.Hash), r.Salt)
		rounds += fmt.Sprint(point, " ", crash.EndTime(point, vectors.Cap), "\n")
	}
	want := ""
	for _, r := range vectors.Rounds {
		want += fmt.Sprint(r.Point, " ", r.End, "\n")
	}
	want = fmt.Sprint(vectors.Table, " ", vectors.Milliseconds, "\n", want)
	if got := fmt.Sprintf("%x %d\n%s", digest.Sum(nil), vectors.Milliseconds, rounds); len(vectors.Rounds) < 20 || got != want {
		t.Errorf("domain/crash: %s", got)
	}
	out, faults, _ := python(t, raw, "-c", `
import hashlib, json, sys
import crash
vectors, table = json.load(sys.stdin), crash.make_table()
print(hashlib.sha256("".join("%d\n" % m for m in table).encode()).hexdigest(), len(table))
for r in vectors["rounds"]:
    point = crash.point_of(r["hash"], r["salt"])
    print(point, crash.end_of(point, vectors["cap"]))
`)
	if string(out) != want {
		t.Errorf("verify.py: %s%s", out, faults)
	}
	out, faults, _ = node(t, raw, "--input-type=module", "-e", `
		import { readFileSync } from "node:fs";
		import { ascii, crashEndOf, crashMultiplierAt, crashPoint, crashTimeOf, hex, sha256 } from "./dist/index.js";
		const vectors = JSON.parse(readFileSync(0, "utf8"));
		const table = Array.from({ length: crashTimeOf(1e8) + 1 }, (_, ms) => crashMultiplierAt(ms));
		console.log(hex(sha256(ascii(table.map((m) => m + "\n").join("")))), table.length);
		for (const { hash, salt } of vectors.rounds) {
			const point = Number(crashPoint(hash, salt));
			console.log(point, crashEndOf(point, vectors.cap));
		}`)
	if string(out) != want {
		t.Errorf("@casino-service/verify: %s%s", out, faults)
	}
}

// crashSeed is the seed of a chain whose third round ends at 2.56.
const crashSeed = "seed 11"

// TestTheDocumentedSharedCrashIsVerified gives both programs the answer on the page, alone and
// with a kept answer and a node.
func TestTheDocumentedSharedCrashIsVerified(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/fairness/shared-crash.md")
	noError(t, err)
	example := string(documentedRound.FindSubmatch(page)[1])
	const network = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
	for name, c := range map[string]struct {
		answer, genesis, hash string
		parent, code          int
		says                  string
	}{
		"alone":           {example, "", "", 0, 0, "not checked: whether the chain"},
		"in order":        {example, network, crashBlock, 380_000_031, 0, "verified: round 1 of chain 2026-1 with 3 bets"},
		"another point":   {strings.Replace(example, "5.02", "5.03", 1), "", "", 0, 1, "point: "},
		"another block":   {example, network, network, 380_000_031, 1, "beacon: the first slot at or after 380000032"},
		"another network": {example, crashBlock, crashBlock, 380_000_031, 2, "can't be verified: the node is of another network"},
		"a slot missing":  {example, network, crashBlock, 380_000_032, 2, "can't be verified: the node"},
		"no answer":       {"{}", "", "", 0, 2, "can't be verified: malformed: chain"},
		"still flying":    {regexp.MustCompile(`,\s*"hash": "\w+", "point": 5.02`).ReplaceAllString(example, ""), "", "", 0, 2, "can't be verified: not revealed"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
			var asked struct{ Method string }
			noError(t, json.NewDecoder(r.Body).Decode(&asked))
			result := map[string]string{
				"getGenesisHash": fmt.Sprintf("%q", c.genesis), "getBlocksWithLimit": "[380000033]",
				"getBlock": fmt.Sprintf(`{"blockhash":%q,"parentSlot":%d}`, c.hash, c.parent),
			}[asked.Method]
			fmt.Fprintf(to, `{"jsonrpc":"2.0","id":1,"result":%s}`, result)
		}))
		t.Cleanup(server.Close)
		file := filepath.Join(t.TempDir(), "round.json")
		noError(t, os.WriteFile(file, []byte(c.answer), 0o600))
		arguments := []string{"--crash", file}
		if c.genesis != "" {
			arguments = append(arguments, "--before", file, "--rpc", server.URL)
		}
		for program, run := range map[string]func() ([]byte, []byte, int){
			"verify.py":              func() ([]byte, []byte, int) { return python(t, nil, append([]string{"verify.py"}, arguments...)...) },
			"@casino-service/verify": func() ([]byte, []byte, int) { return node(t, nil, append([]string{"dist/cli.js"}, arguments...)...) },
		} {
			printed, faults, code := run()
			if all := string(printed) + string(faults); code != c.code || !strings.Contains(all, c.says) {
				t.Errorf("%s, %s: exit code %d, want %d with %q\n%s", program, name, code, c.code, c.says, all)
			}
		}
	}
}
