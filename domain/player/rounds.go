package player

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
)

// Voiding holds the inputs for a failed round: its pair is retired, because its draws
// may be known.
type Voiding struct {
	Spare            fairness.Spare
	ServerClientSeed string
	// AuditID is the id of the audit record.
	AuditID string
}

// OpenRequest is a player's request for a stepped round.
type OpenRequest struct {
	Opening bet.Opening
	Voiding
	Seals seal.Authenticator // nil for none
}

var (
	errNoExposure          = fault.New(fault.Unavailable, "the store does not provide the exposure of open rounds").With("outcome", "none")
	errRoundOfEarlierEpoch = fault.New(fault.InvalidState, "the round was opened before a recovery of the service and will be ended like an abandoned one").
				With("status", "recovered")
	errTooManyOpen = fault.New(fault.TooManyOpen, "%d rounds are open: end one of them first", bet.OpenMax)
)

// OpenRound opens a round at the next nonce of the active seed pair. Its item needs the
// token's balance, Draw, OpenRounds and the Exposure of the token; an opening that
// retires its pair asks for Pair. Refusals in this order: those of the pair and of
// bet.Expected, those of MayBet and of the pace, TooManyOpen, those of bet.Opening.Admitted;
// each is a refusal.Refused. An opening that fails is a void Round.
func OpenRound(v View, r OpenRequest) (Change, error) {
	o := r.Opening
	if v.pairIsOutdated() {
		return Change{}, v.unusablePairFault()
	}
	if v.Exposed == nil {
		return Change{}, errNoExposure
	}
	begins, balance := v.currentTime(o.At), v.Balances[o.Terms.Mint]
	err := v.admitPlaced(o.Placed, o.GameType(), o.Wager(), begins)
	if err == nil && v.countStepped() >= bet.OpenMax {
		err = errTooManyOpen
	}
	admitted, exposure := o, money.Amount(0)
	if err == nil {
		admitted, exposure, err = o.Admitted(balance, *v.Exposed)
	}
	if err != nil {
		return Change{}, v.refused(err, o.Placed, o.Figures(*v.Exposed))
	}
	progress := admitted.Begin(exposure, v.Player.Agent, v.Pair, balance)
	change, err := v.roundProgress(bet.Open{}, progress, o.At, r.Voiding, r.Seals, o.Terms.LargeWin)
	if err != nil {
		return Change{}, err
	}
	paced, kept := v.Player.Protection.Began(o.Pace, begins)
	if change.Player != nil {
		paced, _ = change.Player.Protection.Began(o.Pace, begins)
	}
	change.Player = v.withMeters(paced, kept || change.Player != nil)
	return change, nil
}

// StepRequest is an action in an open round, or none to end a round for an absent
// player.
type StepRequest struct {
	RoundID string
	// Step is the number of actions before this one, as the player saw them.
	Step   int
	Action game.Value
	// Steps are the round's, planned again from its unchanging values.
	Steps game.Steps
	// LargeWin is the payout above which a round is recorded, 0 for none.
	LargeWin money.Amount
	At       time.Time
	// OpenedBefore makes AbandonRound end a round opened earlier, even if touched since;
	// zero for none.
	OpenedBefore time.Time
	// By is the admin for whom AbandonRound ends the round, even if just touched; empty if
	// none. Reason and RequestID are for the audit record.
	By                wallet.Address
	Reason, RequestID string
	Voiding
	Seals seal.Authenticator // nil for none
}

// StepRound takes an action in an open round. Its item needs the token's balance, Draw,
// OpenRounds and the round's Game; a step that retires its pair asks for Pair. Refusals
// in this order: InvalidState for a round that is no longer open, for one of an earlier
// epoch (its player may have seen its continuation before the restore: AbandonRound ends
// it) and for a step that isn't the next (Details["step"]); Invalid for an action that
// isn't offered; for an action with a further stake those of MayBet and
// InsufficientFunds. Restrictions of play don't apply to actions without a stake.
func StepRound(v View, r StepRequest) (Change, error) {
	open, pair, err := v.toStep(r)
	if err != nil {
		return Change{}, err
	}
	if v.ofEarlierEpoch(pair) {
		return Change{}, errRoundOfEarlierEpoch
	}
	if r.Step != open.Step() {
		return Change{}, fault.New(fault.InvalidState, "step: the round's next step is %d", open.Step()).
			With("status", "open").With("step", int64(open.Step())).With("field", "step")
	}
	balance := v.Balances[open.Token]
	progress, err := open.Take(r.Steps, pair, r.Action, balance, r.At, func(stake money.Amount) error {
		if err := v.MayBet(open.GameType, open.Token, stake, r.At); err != nil {
			return err
		}
		if stake > balance {
			return bet.Uncovered(open.Token, balance, stake, "a further stake")
		}
		return nil
	})
	if err != nil {
		return Change{}, err
	}
	return v.roundProgress(open, progress, r.At, r.Voiding, r.Seals, r.LargeWin)
}

// AbandonRound ends an open round by the actions of its rules. The round was last
// touched before a moment, was opened before OpenedBefore, is of an earlier epoch, or an
// admin ends it. Its item has the needs of StepRound, and Voiding has the audit record's
// id. A round that is no longer open, or was touched, is InvalidState.
func AbandonRound(v View, r StepRequest, untouched time.Time) (Change, error) {
	open, pair, err := v.toStep(r)
	if err != nil {
		return Change{}, err
	}
	idle := !open.TouchedAt.After(untouched) || open.OpenedAt.Before(r.OpenedBefore)
	if !idle && r.By == "" && !v.ofEarlierEpoch(pair) {
		return Change{}, fault.New(fault.InvalidState, "the round was continued in the meantime").With("status", "open")
	}
	progress := open.Finish(r.Steps, pair, v.Balances[open.Token], r.At)
	change, err := v.roundProgress(open, progress, r.At, r.Voiding, r.Seals, 0)
	if err != nil {
		return Change{}, err
	}
	if change.Audit == nil {
		change.Audit = []audit.Record{{
			ID: r.AuditID, Action: audit.RoundAbandoned, Target: open.ID,
			Before: "open since " + open.OpenedAt.UTC().Format(time.RFC3339) + ", step " + stepText(open),
			After:  "pays " + amountOf(change.Round.Payout, open.Token), At: r.At,
		}}
	}
	if record := &change.Audit[0]; r.By != "" {
		record.By, record.RequestID = r.By, r.RequestID
		record.After = strings.TrimPrefix(record.After+": "+r.Reason, ": ")
	}
	return change, nil
}

func stepText(o bet.Open) string { return o.StakePosting(o.Step(), 1).Key.Scope }

// ErrOpenRoundChanged is the error for an open round with a row that the service didn't
// write.
var ErrOpenRoundChanged = errors.New("an open round differs from what the service wrote")

// ErrSharedRound refuses to step, abandon or end a bet on a shared round, which ends with
// that.
var ErrSharedRound = fault.New(fault.InvalidState, "the bet is on a shared round and ends with it").With("status", "shared")

// toStep returns the round to continue, and its pair.
func (v *View) toStep(r StepRequest) (bet.Open, fairness.Pair, error) {
	open, known := v.OpenRounds[r.RoundID]
	if !known {
		return bet.Open{}, fairness.Pair{}, fault.New(fault.InvalidState, "the round has ended").With("status", "ended")
	}
	if open.IsShared() {
		return bet.Open{}, fairness.Pair{}, ErrSharedRound
	}
	if seal.Or(r.Seals).Verify(bet.OpenPurpose, open.Sealed(), open.Seal) != nil {
		return bet.Open{}, fairness.Pair{}, ErrOpenRoundChanged
	}
	if v.Pair.ID == open.PairID {
		return open, v.Pair, nil
	}
	if closing, known := v.Closing[open.PairID]; known {
		return open, closing.Pair, nil
	}
	return bet.Open{}, fairness.Pair{}, errors.New("player: an open round's seed pair is missing")
}

// roundProgress returns the change of a round that was opened or continued from before.
func (v *View) roundProgress(before bet.Open, p bet.Progress, at time.Time, void Voiding, seals seal.Authenticator, largeWin money.Amount) (Change, error) {
	change := Change{Steps: p.States, Round: p.Round}
	for i := range change.Steps {
		sealed := &change.Steps[i]
		var err error
		if sealed.Seal, err = seal.Or(seals).Seal(bet.OpenPurpose, sealed.Sealed()); err != nil {
			return Change{}, err
		}
	}
	last, of := p.Last(), before
	if of.ID == "" {
		of = last
	}
	state, moved := v.Player.Protection, false
	change.Balance = v.Balances[of.Token] - p.Staked
	if p.Staked > 0 {
		change.Postings = append(change.Postings, last.StakePosting(last.Step(), p.Staked))
		state, moved = state.Staked(of.Token, p.Staked, at)
	}
	if round := p.Round; round != nil {
		if _, fits := change.Balance.Add(round.Payout); !fits && round.Stepped() {
			return Change{}, fault.New(fault.AmountOutOfRange, "the balance would exceed the largest possible amount with what the round pays")
		}
		change.Balance, change.Postings = round.Balance, append(change.Postings, round.Posting())
		switch {
		case round.Void:
			change.Audit = []audit.Record{{ID: void.AuditID, Action: audit.RoundVoided, Target: round.ID, At: at}}
			if before.ID != "" {
				state, moved = state.RemoveBet(round.Token, round.Wager, before.OpenedAt, at)
			}
		default:
			state, moved = state.Settled(round.Token, round.Wager, round.Payout, of.OpenedAt, at)
			if largeWin > 0 && round.Payout > largeWin {
				change.Audit = []audit.Record{{
					ID: void.AuditID, Action: audit.LargeWin, By: round.Wallet, Target: round.ID, After: amountOf(round.Payout, round.Token), At: at,
				}}
			}
		}
	}
	if (p.Round != nil || change.opensRound()) && !of.IsShared() {
		if err := v.useNonce(&change, void, at); err != nil {
			return Change{}, err
		}
	}
	change.Player = v.withMeters(state, moved)
	return change, nil
}

// useNonce adds the effect of a round on its pair. The active pair takes its nonce;
// after a failed round or the pair's last one the next pair follows. A closing pair is
// revealed with its last open round. An active pair of an earlier epoch stays until its
// player's sign-in renews it.
func (v *View) useNonce(c *Change, by Voiding, at time.Time) error {
	drawn := v.Pair
	taking := c.opensRound() || !c.Round.Stepped()
	if !taking && c.Round.PairID != drawn.ID {
		if closing, ended := v.closingPairOf(c); ended {
			revealed := closing.Reveal()
			c.Closed = &revealed
		}
		return nil
	}
	if v.pairIsOutdated() {
		return nil
	}
	if taking {
		drawn = drawn.Advance()
	}
	if decided, void := c.decidedAt(); !void && !drawn.Ended(decided) {
		if taking {
			c.Pair = &drawn
		}
		return nil
	}
	if drawn.Next.ID == "" {
		return Missing(Needs{Pair: true})
	}
	revealed, next := drawn.Rotate(drawn.Kept(by.ServerClientSeed), by.Spare, at)
	v.replacePair(c, drawn, revealed, next)
	return nil
}

// drawnFrom returns the sorted ids of a pair's open rounds.
func (v *View) drawnFrom(pair string) (ids []string) {
	for id := range v.OpenRounds {
		if v.OpenRounds[id].PairID == pair {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// errRoundsOpen refuses to reveal a pair with open rounds.
func errRoundsOpen(ids []string) error {
	return fault.New(fault.InvalidState, "the seed pair has open rounds: end them first").
		With("status", "open").With("rounds", ids)
}
