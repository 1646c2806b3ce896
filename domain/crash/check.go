package crash

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
)

// Check returns an error unless the stored round is one of the chain after the last one, nil
// for the first, and everything that it states follows: its closing commit from all its bets,
// its salt and its cancellation from the rule, its hash from the one before it, its point from
// hash and salt. Nodes of the network show that the beacon is the first one.
func (r Round) Check(c Commitment, last *Round, bets []Bet) error {
	want, err := NextRound(c, c.Epoch, last, r.Cap, r.OpenedAt)
	if err != nil {
		return err
	}
	if want.Number != r.Number || want.Previous != r.Previous || want.Above != r.Above {
		return errors.New("crash: the round doesn't follow the one before it")
	}
	ended := r.Status == Crashed || r.Status == Settled
	if r.Closing == "" && r.Status != Betting && r.Status != Cancelled || r.Salt == "" && (ended || r.Status == Flying) || ended == (r.Point == 0) {
		return fmt.Errorf("crash: the round lacks what a round that is %s has", r.Status)
	}
	if r.Closing != "" {
		if err := r.checkClosing(c, want, bets); err != nil {
			return err
		}
	}
	if r.Hash != "" && fairness.ServerSeedFromText(r.Hash).Commitment() != r.Previous {
		return errors.New("crash: the hash doesn't lead to that of the round before")
	}
	if err := r.checkBeacon(c.Beacon); err != nil {
		return err
	}
	if ended && r.Point != Point(fairness.ServerSeedFromText(r.Hash), r.Salt) {
		return errors.New("crash: the point doesn't follow from hash and salt")
	}
	return nil
}

// checkClosing returns an error unless the closing commit states the bets, and a height by the
// chain's rule.
func (r Round) checkClosing(c Commitment, opened Round, bets []Bet) error {
	_, seen, _ := strings.Cut(r.Closing, "\nseen: ")
	seen, _, _ = strings.Cut(seen, "\n")
	height, err := strconv.ParseUint(seen, 10, 64)
	if err != nil {
		return errors.New("crash: the closing commit states no height")
	}
	opened.Stopped = true
	closed, err := opened.Close(c.Beacon, height, bets)
	if err == nil && (closed.Closing != r.Closing || closed.Height != r.Height) {
		err = errors.New("crash: the closing commit doesn't state the bets of the round")
	}
	return err
}

// checkBeacon returns an error unless the salt is of a beacon in the window, and a cancelled
// round's beacon beyond it.
func (r Round) checkBeacon(rule Rule) error {
	switch {
	case r.Salt != "":
		value := r.Salt[strings.LastIndex(r.Salt, ":")+1:]
		salt, err := rule.Salt(r.Height, Beacon{Height: r.BeaconHeight, Parent: max(r.Height, 1) - 1, Value: value})
		if rule.Source == Drand && r.BeaconHeight != r.Height || err == nil && salt != r.Salt {
			err = errors.New("crash: the salt is not that of the round's beacon")
		}
		return err
	case r.Status == Cancelled && r.Closing != "" && (r.BeaconHeight < r.Height || !rule.beyond(r.Height, Beacon{Height: r.BeaconHeight})):
		return errors.New("crash: the round was cancelled without a proof that its beacon never came to be")
	}
	return nil
}

// OutcomeText returns the outcome of a settled bet as a text, empty for a void one.
func OutcomeText(s bet.Round) string {
	if s.Void {
		return ""
	}
	return s.Outcome.String()
}

// Decides reports whether a settled bet may have the outcome, given by OutcomeText.
func (r Round) Decides(outcome string) bool {
	if outcome == "" {
		return r.Status == Cancelled || r.Recovered
	}
	return r.Status != Cancelled && r.Point != 0 && outcome == r.outcome().String()
}
