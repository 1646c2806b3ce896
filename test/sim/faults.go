package sim

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

// faults decides, from the seed only, which port calls fail and how.
type faults struct {
	random *rand.Rand
	// perThousand is how many calls of a thousand fail; 0 disables faults.
	perThousand int
	injected    int
}

func (f *faults) strike() bool {
	if f.perThousand == 0 || f.random.IntN(1000) >= f.perThousand {
		return false
	}
	f.injected++
	return true
}

// store is a store with writes that fail before or after they took effect, like a database whose
// connection is lost.
type store struct {
	conformance.Ports
	world *World
}

func outcome(outcomeText string) error {
	return fault.New(fault.Unavailable, "the database is away").With("outcome", outcomeText)
}

// Commit fails with "none" before the item was taken, or with "unknown" before or after the
// commit.
func (s store) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	item = s.world.spoiled(item)
	if s.world.rerun {
		return s.runAgain(ctx, item)
	}
	if !s.world.faults.strike() {
		return s.commit(ctx, item)
	}
	switch s.world.faults.random.IntN(3) {
	case 0:
		return player.Receipt{}, outcome("none")
	case 1:
		return player.Receipt{}, outcome("unknown")
	}
	if _, err := s.commit(ctx, item); err != nil {
		return player.Receipt{}, err
	}
	return player.Receipt{}, outcome("unknown")
}

// runAgain commits an item twice, like a store after an unanswered COMMIT: the second run finds
// that the first one took effect.
func (s store) runAgain(ctx context.Context, item player.Item) (player.Receipt, error) {
	first, err := s.commit(ctx, item)
	if err != nil {
		return first, err
	}
	fresh := item.Fresh
	item.Fresh = false
	if s.world.planted == RerunForgetsID && fresh {
		item.Keys = []player.UniqueKey{{Kind: player.OperationKey, ID: s.world.entropy.ID()}}
	}
	second, err := s.commit(ctx, item)
	if err == nil && !second.Replayed {
		err = errors.New("an item took effect twice")
	}
	return first, err
}

// Lease fails or answers.
func (s store) Lease(ctx context.Context, id, worker string, now, until time.Time) (bool, error) {
	if s.world.faults.strike() {
		return false, outcome("unknown")
	}
	return s.Ports.Lease(ctx, id, worker, now, until)
}

// Release is not called by a worker that dies within a step: its lease stays.
func (s store) Release(ctx context.Context, id, worker string) error {
	if s.world.faults.strike() {
		return outcome("unknown")
	}
	return s.Ports.Release(ctx, id, worker)
}

// Advance fails before or after it took effect.
func (s store) Advance(ctx context.Context, mint money.Token, from string, to deposit.WatchProgress, parked []deposit.Parked) error {
	if s.world.planted == ParkedForgotten {
		parked = nil
	}
	if !s.world.faults.strike() {
		return s.Ports.Advance(ctx, mint, from, to, parked)
	}
	if s.world.faults.random.IntN(2) == 0 {
		_ = s.Ports.Advance(ctx, mint, from, to, parked) // only the answer is lost
	}
	return outcome("unknown")
}

// Pause returns the pause.
func (s store) Pause(ctx context.Context) (withdrawal.Pause, error) {
	pause, err := s.Ports.Pause(ctx)
	if s.world.planted == PauseUnseen {
		pause.Paused = false
	}
	return pause, err
}

// PayoutState returns the data that a signing commit would see.
func (s store) PayoutState(ctx context.Context, q withdrawal.PayoutQuery) (withdrawal.PayoutControls, error) {
	controls, err := s.Ports.PayoutState(ctx, q)
	return s.world.seenControls(controls), err
}

// node is a chain with RPC answers that get lost, before or after the request arrived, and with a
// network that delays transactions: those land later, when the sender may have given them up.
type node struct {
	app.Chain
	world *World
	held  *[]withdrawal.Attempt
}

// deliver delivers delayed transactions.
func (n node) deliver(ctx context.Context) {
	for _, attempt := range *n.held {
		_ = n.Chain.Send(ctx, attempt) // it may be too late
	}
	*n.held = nil
}

var errNode = fault.New(fault.External, "the RPC node did not answer")

// Observe fails or answers.
func (n node) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	if n.world.faults.strike() {
		return deposit.Observation{}, errNode
	}
	return n.Chain.Observe(ctx, signature)
}

// Since fails or answers.
func (n node) Since(ctx context.Context, terms token.Terms, cursor string, limit int) (ports.HistoryPage, error) {
	if n.world.faults.strike() {
		return ports.HistoryPage{}, errNode
	}
	page, err := n.Chain.Since(ctx, terms, cursor, limit)
	if n.world.planted == PageCutShort && len(page.Entries) > 2 {
		page.Entries = slices.Delete(slices.Clone(page.Entries), 1, 2)
	}
	return page, err
}

// history returns the treasury's transactions. Worlds with a planted defect have none: with it
// some defects of payouts would do no harm, and they must be found.
func (w *World) history() ports.TreasuryHistory {
	if w.planted != None {
		return nil
	}
	return w.node
}

// Signed fails or answers.
func (n node) Signed(ctx context.Context, from treasury.Position, limit int) (ports.TreasuryPage, error) {
	if n.world.faults.strike() {
		return ports.TreasuryPage{}, errNode
	}
	return n.world.chain.Signed(ctx, from, limit)
}

// Sign fails or answers; while it runs another worker may run.
func (n node) Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error) {
	if n.world.faults.strike() {
		return withdrawal.Attempt{}, errNode
	}
	attempt, err := n.Chain.Sign(ctx, w, terms)
	n.world.overtake(ctx)
	return attempt, err
}

// Send loses the request, loses the answer, or holds the request back.
func (n node) Send(ctx context.Context, attempt withdrawal.Attempt) error {
	if n.world.paused {
		n.world.found = append(n.world.found, "sent while payouts were paused: "+attempt.WithdrawalID)
	}
	lost := false
	for range 3 { // a network loses more than a node
		lost = n.world.faults.strike() || lost
	}
	if !lost {
		return n.Chain.Send(ctx, attempt)
	}
	switch n.world.faults.random.IntN(3) {
	case 0:
		_ = n.Chain.Send(ctx, attempt) // it arrived; only the answer is lost
	case 1:
		*n.held = append(*n.held, attempt)
	}
	return errNode
}

// Outcome fails or answers.
func (n node) Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	if n.world.faults.strike() {
		return withdrawal.Outcome{}, errNode
	}
	outcome, err := n.Chain.Outcome(ctx, attempt)
	if n.world.planted == UnknownIsDead && err == nil && outcome.Status == withdrawal.Unknown {
		outcome.Status = withdrawal.Dead
	}
	n.world.overtake(ctx)
	return outcome, err
}

// Defect is planted between the service and its ports, to check that the simulation finds it.
type Defect string

// The defects.
const (
	None Defect = ""
	// UnknownIsDead signs again when the chain doesn't know a payout.
	UnknownIsDead Defect = "an unknown payout is taken for dead"
	// CreditKeyDropped credits deposits without taking their key.
	CreditKeyDropped Defect = "credits don't take their key"
	// ParkedForgotten advances the cursor without storing uncredited transactions.
	ParkedForgotten Defect = "what can't be read is not parked"
	// PageCutShort loses a transaction of each longer page of history.
	PageCutShort Defect = "a page of history lacks one"
	// PauseUnseen hides the pause of payouts.
	PauseUnseen Defect = "the pause of payouts isn't seen"
	// CapUncounted hides payouts signed within the hour.
	CapUncounted Defect = "what was signed isn't counted"
	// DebitUnseen hides the debits of providers' credits.
	DebitUnseen Defect = "a credit's debit isn't seen"
	// HourUncounted hides what providers moved within the hour.
	HourUncounted Defect = "what a provider brought isn't counted"
	// BalanceRecomputed answers a repeated callback with the current balance.
	BalanceRecomputed Defect = "a repeat gets another balance"
	// RefusalForgotten answers a refused bet and stores nothing.
	RefusalForgotten Defect = "a refused bet isn't kept"
	// FundsUnseen shows agents more funds than they have.
	FundsUnseen Defect = "an agent's funds aren't seen"
	// SilenceIsRefusal assumes that a site without a response did nothing.
	SilenceIsRefusal Defect = "a silent site is taken for one that refused"
	// RenamedRepeat repeats a message to a site under another transaction id.
	RenamedRepeat Defect = "a repeated message has another id"
	// ReversalUnsent marks a bet as reversed without telling the site.
	ReversalUnsent Defect = "the return of a bet isn't sent"
	// RerunForgetsID runs a bet again without searching for its id.
	RerunForgetsID Defect = "a bet that is run again isn't found by its id"
	// BetsUnlimited doesn't count providers' bets towards limits.
	BetsUnlimited Defect = "providers' bets don't count towards limits"
	// WinsUncounted doesn't subtract own games' wins from the loss.
	WinsUncounted Defect = "a win doesn't lower the loss"
	// LimitsUnseen hides players' limits.
	LimitsUnseen Defect = "limits aren't seen"
	// CashOutsUnawaited settles rounds without waiting for cash-outs.
	CashOutsUnawaited Defect = "a settlement doesn't wait for cash-outs"
)

// Defects returns every defect.
func Defects() []Defect {
	return []Defect{UnknownIsDead, CreditKeyDropped, ParkedForgotten, PageCutShort, PauseUnseen, CapUncounted,
		DebitUnseen, HourUncounted, BalanceRecomputed, RefusalForgotten, FundsUnseen, SilenceIsRefusal, RenamedRepeat, ReversalUnsent,
		RerunForgetsID, BetsUnlimited, WinsUncounted, LimitsUnseen, CashOutsUnawaited}
}

// spoiled returns an item changed by the planted defect.
func (w *World) spoiled(item player.Item) player.Item {
	if w.planted == CreditKeyDropped && item.Keys[len(item.Keys)-1].Kind == player.DepositKey {
		item.Keys = []player.UniqueKey{{Kind: player.OperationKey, ID: w.entropy.ID()}}
	}
	decide := item.Decide
	item.Decide = func(v player.View) (player.Change, error) {
		v.Payouts = w.seenControls(v.Payouts)
		switch w.planted {
		case DebitUnseen:
			v.Seamless = nil
		case HourUncounted:
			if launch, ok := v.Launches[connection]; ok {
				launch.Net, launch.WithoutDebit = 0, 0
				v.Launches = map[string]seamless.Launch{connection: launch}
			}
		case FundsUnseen:
			v.Funds = plenty(v.Funds)
		case LimitsUnseen:
			v.Player.Protection = protection.State{}
		}
		change, err := decide(v)
		for i, route := range change.Deliveries {
			if w.planted == SilenceIsRefusal && route.Status == seamless.Unknown {
				change.Deliveries[i].Status = seamless.Declined
			}
		}
		change = w.unmetered(v, change)
		if w.planted == RefusalForgotten && err == nil && change.Seamless != nil && change.Seamless.Status == seamless.Refused {
			w.forgotten = change
			return player.Change{}, errForgotten
		}
		return change, err
	}
	return item
}

// unmetered returns a change with wrong meters by the planted defect.
func (w *World) unmetered(v player.View, c player.Change) player.Change {
	switch {
	case w.planted == BetsUnlimited && c.Seamless != nil:
		c.Player = nil
	case w.planted == WinsUncounted && c.Round != nil && c.Player != nil:
		row := *c.Player
		row.Protection, _ = v.Player.Protection.AddBet(c.Round.Token, c.Round.Wager, 0, c.Round.At)
		c.Player = &row
	}
	return c
}

// plenty returns agents' accounts with more funds than they have.
func plenty(funds map[agent.FundsRef]agent.Funds) map[agent.FundsRef]agent.Funds {
	seen := maps.Clone(funds)
	for ref, f := range seen {
		f.CreditLimit += capital
		seen[ref] = f
	}
	return seen
}

// errForgotten makes an item store nothing.
var errForgotten = errors.New("a planted defect")

// commit is the store's, with an answer changed by the planted defect.
func (s store) commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	receipt, err := s.Ports.Commit(ctx, item)
	switch {
	case errors.Is(err, errForgotten):
		return player.Receipt{Change: s.world.forgotten}, nil
	case s.world.planted == BalanceRecomputed && receipt.Replayed && receipt.Change.Seamless != nil:
		balances, err := s.Balances(ctx, item.Wallet)
		if err != nil {
			return player.Receipt{}, err
		}
		now := *receipt.Change.Seamless
		for _, line := range balances {
			if line.Token == now.Token {
				now.Balance = line.Amount
			}
		}
		receipt.Change.Seamless = &now
	}
	return receipt, err
}

// seenControls returns the payout controls that a worker sees.
func (w *World) seenControls(controls withdrawal.PayoutControls) withdrawal.PayoutControls {
	switch w.planted {
	case PauseUnseen:
		controls.Paused = false
	case CapUncounted:
		controls.Signed = money.Total{}
	}
	return controls
}

// overtake lets another payout worker run while one waits for the chain, sometimes after the
// first one's lease has expired.
func (w *World) overtake(ctx context.Context) {
	if !w.busy || w.random.IntN(8) > 0 {
		return
	}
	w.busy = false
	if w.random.IntN(2) == 0 {
		w.clock.Advance(withdrawal.LeaseTime)
	}
	_, _ = w.payouts[w.random.IntN(2)].Step(ctx) // a fault of a port: the next round tries again
	w.busy = true
}
