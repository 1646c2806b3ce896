package treasury

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// TreasuryInterval is the pause between two steps of the Treasury.
const TreasuryInterval = 30 * time.Second

// comparisonsMax is the number of consecutive mismatches that raise an alarm. Money on its
// way between chain and ledger causes short ones.
const comparisonsMax = 3

// costInFlight is the maximum cost of a payout in flight beside its amount, in lamports:
// fee, priority fee, and the rent of a token account.
const costInFlight money.Amount = 3_000_000

// TreasuryState compares the treasury on chain with the ledger for one token, in base
// units.
type TreasuryState struct {
	Token money.Token
	// Holding is the finalized balance of the treasury's accounts.
	Holding money.Amount
	// Booked is the treasury's balance in the ledger.
	Booked money.Total
	// Unbooked was received on chain but not booked: parked transactions.
	Unbooked money.Total
	// InFlight is the sum of payouts that are signed and not settled, each with its maximum
	// cost. It may or may not have left the treasury.
	InFlight money.Total
	// OnTheWay was received on chain but not handled by a watcher when the ledger was read,
	// so it may or may not be booked. CheckTreasury leaves it 0.
	OnTheWay money.Total
	// Players, Held and Unclaimed are owed to players.
	Players, Held, Unclaimed money.Total
	// Assigned is the part of Unclaimed that is taken for players but not credited yet.
	Assigned money.Total
	At       time.Time
}

// Liabilities returns the amount that is owed to players.
func (s TreasuryState) Liabilities() money.Total { return s.Players.Add(s.Held).Add(s.Unclaimed) }

// Solvent reports whether the treasury holds at least the liabilities.
func (s TreasuryState) Solvent() bool { return money.TotalOf(s.Holding).Cmp(s.Liabilities()) >= 0 }

// Difference returns the holding less booked and parked amounts. It is negative if the
// treasury holds less.
func (s TreasuryState) Difference() money.Total {
	return money.TotalOf(s.Holding).Sub(s.Booked.Add(s.Unbooked))
}

// Reconciled reports whether chain and ledger agree, up to payouts in flight and deposits
// on their way.
func (s TreasuryState) Reconciled() bool {
	difference := s.Difference()
	return difference.Cmp(s.OnTheWay) <= 0 && difference.Add(s.InFlight).Sign() >= 0
}

// TreasuryStore has the ports that CheckTreasury reads.
type TreasuryStore struct {
	Figures     ports.Figures
	Withdrawals ports.Withdrawals
	Unbooked    ports.UnbookedDeposits
}

// CheckTreasury compares the chain with the ledger and returns one state for each token,
// sorted by token. SOL is always included, because it pays the fees. An error means that
// something could not be read.
func CheckTreasury(ctx context.Context, store TreasuryStore, chain ports.ChainProbe, tokens []token.Terms, at time.Time) ([]TreasuryState, error) {
	flying := map[string]withdrawal.Withdrawal{}
	if err := addSending(ctx, store.Withdrawals, flying); err != nil {
		return nil, err
	}
	totals, err := store.Figures.Totals(ctx)
	if err != nil {
		return nil, err
	}
	unbooked, err := store.Unbooked.Unbooked(ctx)
	if err != nil {
		return nil, err
	}
	var states []TreasuryState
	var unanswered []error
	for _, terms := range withSOL(tokens) {
		held, err := chain.Holding(ctx, terms)
		if err != nil {
			unanswered = append(unanswered, err)
			continue
		}
		state := bookedState(terms.Mint, totals)
		state.Holding, state.Unbooked, state.At = held, unbooked[terms.Mint], at
		states = append(states, state)
	}
	// Payouts in flight before or after the reads may be on either side.
	if err := addSending(ctx, store.Withdrawals, flying); err != nil {
		return nil, err
	}
	for i := range states {
		for _, w := range flying {
			if w.Token == states[i].Token {
				states[i].InFlight = states[i].InFlight.AddAmount(w.Amount)
			}
			if states[i].Token == money.SOL {
				states[i].InFlight = states[i].InFlight.AddAmount(costInFlight)
			}
		}
	}
	return states, errors.Join(unanswered...)
}

// withSOL adds native SOL to the tokens if it is missing.
func withSOL(tokens []token.Terms) []token.Terms {
	if slices.ContainsFunc(tokens, func(t token.Terms) bool { return t.Mint == money.SOL }) {
		return tokens
	}
	return append(slices.Clone(tokens), token.Terms{Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System})
}

// addSending adds every payout that is signed and not settled.
func addSending(ctx context.Context, store ports.Withdrawals, all map[string]withdrawal.Withdrawal) error {
	for after := ""; ; {
		page, err := store.WithdrawalsIn(ctx, withdrawal.Sending, after, ports.PageMax)
		if err != nil {
			return err
		}
		for _, w := range page {
			all[w.ID], after = w, w.ID
		}
		if len(page) < ports.PageMax {
			return nil
		}
	}
}

func bookedState(mint money.Token, totals []ledger.Balance) TreasuryState {
	state := TreasuryState{Token: mint}
	for _, total := range totals {
		if total.Token != mint {
			continue
		}
		switch total.Account.Kind {
		case ledger.Chain:
			state.Booked = state.Booked.Sub(total.Amount)
		case ledger.Player, ledger.Stake:
			state.Players = state.Players.Add(total.Amount)
		case ledger.Hold:
			state.Held = state.Held.Add(total.Amount)
		case ledger.Unclaimed:
			state.Unclaimed = state.Unclaimed.Add(total.Amount)
		case ledger.Assigned:
			state.Unclaimed, state.Assigned = state.Unclaimed.Add(total.Amount), state.Assigned.Add(total.Amount)
		}
	}
	return state
}

// Treasury keeps the newest comparison of chain and ledger, and raises its alarms.
type Treasury struct {
	casino *Service
	mu     sync.Mutex
	states []TreasuryState

	step   sync.Mutex     // held by Step, which runs one at a time
	wrong  map[string]int // consecutive mismatches, by alarm and token
	coming onTheWay
}

func newTreasury(c *Service) *Treasury {
	return &Treasury{casino: c, wrong: map[string]int{}, coming: onTheWay{casino: c, arrived: map[deposit.Ref]*arrival{}}}
}

// Treasury returns the comparison shared by all callers of this Casino.
func (c *Service) Treasury() *Treasury { return c.treasury }

// treasuryFresh is the maximum age of a comparison that is still shown.
const treasuryFresh = 5 * time.Minute

// States returns the newest comparison, sorted by token, without tokens that could not be
// read from the chain within treasuryFresh.
func (t *Treasury) States() []TreasuryState {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.casino.core.Now()
	return slices.DeleteFunc(slices.Clone(t.states), func(s TreasuryState) bool { return now.Sub(s.At) > treasuryFresh })
}

// State returns the newest comparison of one token, or false if there is none.
func (t *Treasury) State(mint money.Token) (TreasuryState, bool) {
	for _, s := range t.States() {
		if s.Token == mint {
			return s, true
		}
	}
	return TreasuryState{}, false
}

// Step compares once. It always reports false, so that the caller pauses for
// TreasuryInterval.
func (t *Treasury) Step(ctx context.Context) (worked bool, err error) {
	c := t.casino
	t.step.Lock()
	defer t.step.Unlock()
	c.core.Progress.Began(kernel.TreasuryWorker)
	store := TreasuryStore{c.core.Store.Figures, c.core.Store.Withdrawals, c.core.Store.UnbookedDeposits}
	watched, err := t.coming.readProgress(ctx)
	if err != nil {
		return false, err
	}
	states, err := CheckTreasury(ctx, store, c.core.Chain, c.core.Tokens.All(), c.core.Now())
	err = errors.Join(err, t.coming.addArrivals(ctx, states, watched))
	t.mu.Lock()
	t.states = mergedStates(t.states, states)
	t.mu.Unlock()
	doubtful := false
	for _, s := range states {
		facts := []any{
			"holding", int64(s.Holding), "booked", s.Booked.String(), "unbooked", s.Unbooked.String(),
			"difference", s.Difference().String(), "on_the_way", s.OnTheWay.String(), "liabilities", s.Liabilities().String(),
		}
		doubtful = t.countMismatch(ctx, alarm.TreasuryDiffers, s, !s.Reconciled(), facts) || doubtful
		doubtful = t.countMismatch(ctx, alarm.Insolvent, s, !s.Solvent(), facts) || doubtful
		t.countMismatch(ctx, alarm.AssignmentInterrupted, s, s.Assigned.Sign() != 0, []any{"assigned", s.Assigned.String()})
		if s.Token == money.SOL && s.Holding < c.core.Settings.FeeFloor {
			c.core.Alarms.Raise(ctx, alarm.LowFees, string(s.Token), "holding", int64(s.Holding), "floor", int64(c.core.Settings.FeeFloor))
		} else {
			c.core.Alarms.Over(ctx, alarm.LowFees, string(s.Token))
		}
	}
	c.core.Health.Doubt(kernel.ChainCheck, doubtful)
	return false, errors.Join(err, c.remindOfReviews(ctx))
}

// remindMax is the number of deposits in review for which a step repeats the alarm.
const remindMax = 10

// remindOfReviews repeats the alarm for the deposits longest in review, because the watcher
// raises it only once.
func (c *Service) remindOfReviews(ctx context.Context) error {
	waiting, err := c.core.Store.UnbookedDeposits.ParkedIn(ctx, deposit.Review, remindMax)
	for _, p := range waiting {
		c.deposits.NeedsAPerson(ctx, p)
	}
	return err
}

// countMismatch counts consecutive mismatches and raises the alarm once there are
// comparisonsMax. It reports whether there are.
func (t *Treasury) countMismatch(ctx context.Context, kind alarm.Kind, s TreasuryState, wrong bool, facts []any) bool {
	key := string(kind) + " " + string(s.Token)
	if !wrong {
		delete(t.wrong, key)
		t.casino.core.Alarms.Over(ctx, kind, string(s.Token))
		return false
	}
	t.wrong[key]++
	lasts := t.wrong[key] >= comparisonsMax
	if lasts {
		t.casino.core.Alarms.Raise(ctx, kind, string(s.Token), facts...)
	}
	return lasts
}

// mergedStates replaces older states with fresh ones.
func mergedStates(old, fresh []TreasuryState) []TreasuryState {
	merged := slices.Clone(fresh)
	for _, s := range old {
		if !slices.ContainsFunc(fresh, func(f TreasuryState) bool { return f.Token == s.Token }) {
			merged = append(merged, s)
		}
	}
	slices.SortFunc(merged, func(a, b TreasuryState) int { return cmp.Compare(a.Token, b.Token) })
	return merged
}
