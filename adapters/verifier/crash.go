package verifier

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/money"
)

// CrashAnswer is an answer of GET /crash/rounds/{number}, or of GET /crash, whose round may be
// missing. docs/fairness/shared-crash.md has its form.
type CrashAnswer struct {
	Chain struct {
		ID, Commitment string
		Length         number
	}
	Round crashRound
	Bets  []crashBet
}

type crashRound struct {
	Chain, PreviousHash, Closing, Salt, Hash                       string
	Status                                                         crash.Status
	Number, AboveHeight, Height, BeaconHeight, OpenedAt, StartedAt number
	Cap, Point                                                     hundredths
	Recovered                                                      bool
}

type crashBet struct {
	ID                    string
	Token                 money.Token
	Wager                 number
	CashOut               hundredths
	CashedOut, Multiplier *hundredths
	Payout                *number
}

// hundredths is a JSON number with at most two decimals.
type hundredths uint64

var decimalText = regexp.MustCompile(`^(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,2}))?$`)

func (h *hundredths) UnmarshalJSON(text []byte) error {
	found := decimalText.FindSubmatch(text)
	if found == nil {
		return errors.New("must be a multiplier with at most two decimals")
	}
	digits := slices.Concat(found[1], append(found[2:3:3][0], "00"...)[:2])
	value, err := strconv.ParseUint(string(digits), 10, 64)
	*h = hundredths(value)
	return err
}

// ReadCrash reads an answer.
func ReadCrash(text []byte) (answer CrashAnswer, err error) {
	err = json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &answer, json.MatchCaseInsensitiveNames(true))
	return answer, err
}

// round returns the round as the domain has it; what is missing is zero.
func (a CrashAnswer) round() crash.Round {
	r := a.Round
	return crash.Round{
		Chain: r.Chain, Number: int64(r.Number), Status: r.Status, Cap: uint64(r.Cap), Previous: r.PreviousHash, Above: uint64(r.AboveHeight),
		OpenedAt: timeOf(r.OpenedAt), Closing: r.Closing, Height: uint64(r.Height), Salt: r.Salt, BeaconHeight: uint64(r.BeaconHeight),
		StartedAt: timeOf(r.StartedAt), Hash: r.Hash, Point: uint64(r.Point), Paying: true, Recovered: r.Recovered,
	}
}

// timeOf returns the time of milliseconds since 1970, the zero time for 0.
func timeOf(ms number) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}

// bets returns the bets as the domain has them.
func (a CrashAnswer) bets() []crash.Bet {
	bets := make([]crash.Bet, len(a.Bets))
	for i, b := range a.Bets {
		bets[i] = crash.Bet{ID: b.ID, Token: b.Token, Wager: money.Amount(b.Wager), Auto: uint64(b.CashOut)}
	}
	return bets
}

// CrashReport is what was found about a round. Findings begin with the name of their check;
// NotChecked is what needs more than the answer.
type CrashReport struct{ Findings, NotChecked []string }

func (r *CrashReport) expect(holds bool, check, format string, args ...any) {
	if !holds {
		r.Findings = append(r.Findings, check+": "+fmt.Sprintf(format, args...))
	}
}

// Verify verifies a round that has ended. It compares it with an answer that was kept from
// before, and with the first beacon at or above its height, as the network shows it; both may
// be nil. An error says why the round can't be verified.
func (a CrashAnswer) Verify(before *CrashAnswer, beacon *crash.Beacon) (report CrashReport, err error) {
	r := a.round()
	switch {
	case r.Hash == "" || !slices.Contains([]crash.Status{crash.Crashed, crash.Settled, crash.Cancelled}, r.Status):
		return report, errors.New("not revealed: the hash is shown when the round ends")
	case before != nil && before.Round.Number > a.Round.Number:
		return report, errors.New("the answer from before is of a later round")
	}
	of, err := crash.ParseCommitment(a.Chain.Commitment)
	if err != nil {
		report.expect(false, "commitment", "%v", err)
		return report, nil
	}
	report.expect(a.Chain.ID == of.Chain && r.Chain == of.Chain && int64(a.Chain.Length) == of.Length && r.Number >= 1 && r.Number <= of.Length,
		"commitment", "it is of another chain, or the chain has no round %d", r.Number)
	err = crash.CheckHash(r.Hash, 1, r.Previous, 0)
	if err == nil && r.Number <= of.Length {
		err = crash.CheckHash(r.Hash, r.Number, of.Terminal, 0)
	}
	report.expect(err == nil, "hash", "%v", err)
	report.checkClosing(of.Beacon, r, a.bets())
	report.checkBeacon(of.Beacon, r, beacon)
	taken := report.checkBets(r, a.bets())
	if report.checkPoint(&r) && taken {
		report.checkResults(r, a)
	}
	if before != nil {
		report.checkBefore(of, a, *before)
	}
	report.leaveOut(a, before, beacon)
	return report, nil
}

// checkClosing closes the round again, and compares the two texts.
func (r *CrashReport) checkClosing(rule crash.Rule, of crash.Round, bets []crash.Bet) {
	if of.Closing == "" && of.Status == crash.Cancelled {
		return
	}
	_, after, _ := strings.Cut(of.Closing, "\nseen: ")
	text, _, _ := strings.Cut(after, "\n")
	seen, _ := strconv.ParseUint(text, 10, 64) // the comparison of texts finds what isn't a number
	closed, err := crash.Round{Chain: of.Chain, Number: of.Number, Status: crash.Betting, Stopped: true, Cap: of.Cap, Above: of.Above}.Close(rule, seen, bets)
	said, is := strings.SplitAfter(of.Closing, "\n"), strings.SplitAfter(closed.Closing, "\n")
	const head = 6 // lines; the bets follow
	same := err == nil && len(said) == len(is) && slices.Equal(said[:head], is[:head])
	r.expect(same && of.Height == closed.Height && of.Cap >= crash.CapMin && of.Cap <= crash.CapMax, "closing", "the round says %q, it must be %q", of.Closing, closed.Closing)
	if err == nil && len(said) == len(is) {
		r.expect(slices.Equal(said[head:], is[head:]), "bets", "the closing commit says %q, the list makes %q", said[head:], is[head:])
	}
}

func (r *CrashReport) checkBeacon(rule crash.Rule, of crash.Round, beacon *crash.Beacon) {
	prefix := fmt.Sprintf("%s:%d:", rule.Source, of.BeaconHeight)
	first := crash.Beacon{Height: of.BeaconHeight, Parent: min(of.BeaconHeight, of.Height) - 1, Value: strings.TrimPrefix(of.Salt, prefix)}
	if beacon != nil && of.Height > 0 {
		r.expect(beacon.Height == of.BeaconHeight && beacon.Parent < of.Height && (of.Salt == "" || beacon.Value == first.Value),
			"beacon", "the network has %d:%s after %d", beacon.Height, beacon.Value, beacon.Parent)
	}
	switch salt, err := rule.Salt(of.Height, first); {
	case of.Status != crash.Cancelled:
		r.expect(err == nil && salt == of.Salt, "beacon", "the salt must be that of the first beacon at or after %d: %v", of.Height, err)
	case of.Salt != "":
		r.expect(false, "beacon", "the round is cancelled, and has a beacon")
	case of.Closing != "":
		r.expect(rule.Source == crash.Solana && first.Height >= of.Height && first.Height-of.Height >= rule.Window, "beacon", "nothing proves that no beacon came")
	}
}

// checkPoint compares the point, and gives the round the one that hash and salt decide. It
// returns false if they decide none.
func (r *CrashReport) checkPoint(of *crash.Round) bool {
	said := of.Point
	of.Point = 0
	if of.Status != crash.Cancelled {
		if of.Salt == "" || !hashText.MatchString(of.Hash) {
			return false
		}
		of.Point = crash.Point(fairness.ServerSeedFromText(of.Hash), of.Salt)
	}
	r.expect(of.Point == said, "point", "the round says %d hundredths, its hash and its salt decide %d", said, of.Point)
	return true
}

var (
	hashText = regexp.MustCompile("^[0-9a-f]{64}$")
	nameText = regexp.MustCompile("^[!-~]{1,64}$") // a text that keeps to its line of a leaf
)

// checkBets finds bets that no round takes, and returns false if there are some.
func (r *CrashReport) checkBets(of crash.Round, bets []crash.Bet) bool {
	ids := map[string]bool{}
	for _, b := range bets {
		taken := nameText.MatchString(b.ID) && nameText.MatchString(string(b.Token)) && b.Wager >= 1 && b.Auto >= crash.CashOutMin && b.Auto <= of.Cap
		if r.expect(taken && !ids[b.ID], "bets", "the round doesn't take bet %q, or takes it once", b.ID); !taken {
			return false
		}
		ids[b.ID] = true
	}
	return true
}

// checkResults settles each bet, and compares its result.
func (r *CrashReport) checkResults(of crash.Round, a CrashAnswer) {
	settled := of.Status == crash.Settled
	if settled {
		of.Status = crash.Crashed
	}
	for i, b := range a.bets() {
		said, outs := a.Bets[i], []crash.CashOut(nil)
		if at := said.CashedOut; at != nil {
			ms := time.Duration(crash.TimeOf(uint64(*at))) * time.Millisecond
			outs = []crash.CashOut{{Bet: b.ID, Received: of.StartedAt.Add(ms), Multiplier: uint64(*at)}}
		}
		is, err := of.Settle([]crash.Bet{b}, outs)
		if err != nil {
			r.expect(false, "result", "%v", err)
		} else if settled || said.Multiplier != nil || said.Payout != nil {
			r.expect(said.Multiplier != nil && said.Payout != nil && uint64(*said.Multiplier) == is[0].Multiplier && money.Amount(*said.Payout) == is[0].Payout,
				"result", "bet %s: the point decides %d at %d hundredths", b.ID, is[0].Payout, is[0].Multiplier)
		}
	}
}

// checkBefore compares with an answer that was kept from before.
func (r *CrashReport) checkBefore(of crash.Commitment, a, before CrashAnswer) {
	round, earlier := a.round(), before.round()
	switch {
	case before.Chain.Commitment != a.Chain.Commitment:
		r.expect(false, "before", "the chain had another commitment")
	case earlier.Number == round.Number:
		now := round.Covered()
		for _, was := range earlier.Covered().Fields {
			r.expect(was.Name == "status" || was.Name == "recovered" || now.Value(was.Name) == was.Value, "before", "%s was %q", was.Name, was.Value)
		}
		for _, bet := range before.bets() {
			r.expect(slices.Contains(a.bets(), bet), "before", "bet %s was another", bet.ID)
		}
	case earlier.Hash != "" && round.Number <= of.Length:
		err := crash.CheckHash(round.Hash, round.Number, earlier.Hash, earlier.Number)
		above := max(earlier.Above, earlier.Height, earlier.BeaconHeight)
		r.expect(err == nil && (earlier.Number+1 != round.Number || round.Above == above), "before", "it doesn't follow round %d: %v", earlier.Number, err)
	}
}

// leaveOut says what was not checked.
func (r *CrashReport) leaveOut(a CrashAnswer, before *CrashAnswer, beacon *crash.Beacon) {
	say := func(leftOut bool, text string) {
		if leftOut {
			r.NotChecked = append(r.NotChecked, text)
		}
	}
	waits := slices.ContainsFunc(a.Bets, func(b crashBet) bool { return b.Multiplier == nil && b.Payout == nil })
	say(before == nil, "whether the chain is the one that was published")
	say(beacon == nil && a.Round.Height > 0, "the beacon, by its network")
	say(a.Round.Recovered || a.Round.Status == crash.Cancelled && a.Round.Closing == "", "whether the database was restored, as the round says")
	say(a.Round.Status != crash.Settled && waits, "bets that have no result yet")
}
