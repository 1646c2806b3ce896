package sim

import (
	"context"
	"errors"
	"maps"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Defect is planted between the service and its ports, to prove that the simulation
// finds it.
type Defect string

// The defects.
const (
	None Defect = ""
	// UnknownIsDead signs anew when the chain doesn't know a payout.
	UnknownIsDead Defect = "an unknown payout is taken for dead"
	// CreditKeyDropped credits deposits without taking their key.
	CreditKeyDropped Defect = "credits don't take their key"
	// ParkedForgotten moves the cursor on without keeping what was not credited.
	ParkedForgotten Defect = "what can't be read is not parked"
	// PageCutShort loses a transaction of each longer page of history.
	PageCutShort Defect = "a page of history lacks one"
	// PauseUnseen hides the pause of payouts.
	PauseUnseen Defect = "the pause of payouts isn't seen"
	// CapUncounted hides what was signed within the hour.
	CapUncounted Defect = "what was signed isn't counted"
	// DebitUnseen hides the debits that providers' credits belong to.
	DebitUnseen Defect = "a credit's debit isn't seen"
	// HourUncounted hides what providers brought within the hour.
	HourUncounted Defect = "what a provider brought isn't counted"
	// BalanceRetold answers a repeated callback with the present balance.
	BalanceRecomputed Defect = "a repeat gets another balance"
	// RefusalForgotten answers a refused bet and stores nothing of it.
	RefusalForgotten Defect = "a refused bet isn't kept"
	// FundsUnseen hides how little an agent has left.
	FundsUnseen Defect = "an agent's funds aren't seen"
	// SilenceIsNo assumes that a site without a response did nothing.
	SilenceIsRefusal Defect = "a silent site is taken for one that refused"
	// SecondName repeats a message to a site under another transaction id.
	RenamedRepeat Defect = "a repeated message has another id"
	// ReturnUnsaid marks a bet as given back without sending that to the site.
	ReversalUnsent Defect = "the return of a bet isn't sent"
	// RerunForgetsID runs a bet again without looking for its id.
	RerunForgetsID Defect = "a bet that is run again isn't found by its id"
	// BetsUnlimited doesn't count providers' bets towards limits.
	BetsUnlimited Defect = "providers' bets don't count towards limits"
	// WinsUncounted doesn't take own games' wins off the loss.
	WinsUncounted Defect = "a win doesn't lower the loss"
	// LimitsUnseen hides players' limits.
	LimitsUnseen Defect = "limits aren't seen"
)

// Defects returns every defect.
func Defects() []Defect {
	return []Defect{UnknownIsDead, CreditKeyDropped, ParkedForgotten, PageCutShort, PauseUnseen, CapUncounted,
		DebitUnseen, HourUncounted, BalanceRecomputed, RefusalForgotten, FundsUnseen, SilenceIsRefusal, RenamedRepeat, ReversalUnsent,
		RerunForgetsID, BetsUnlimited, WinsUncounted, LimitsUnseen}
}

// spoiled is an item as the planted defect leaves it.
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

// unmetered is a change whose meters the planted defect moves wrongly.
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

// plenty is agents' accounts that seem to have more than they do.
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

// commit is the store's, with what the planted defect makes of its answer.
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

// seenControls is what a worker sees of the payout controls.
func (w *World) seenControls(controls withdrawal.PayoutControls) withdrawal.PayoutControls {
	switch w.planted {
	case PauseUnseen:
		controls.Paused = false
	case CapUncounted:
		controls.Signed = money.Total{}
	}
	return controls
}

// overtake lets another payout worker run while one waits for the chain, now
// and then after the first one's lease ran out.
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
