package sharedcrash

import (
	"context"
	"errors"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// BetRequest is a bet on the newest round, unchecked.
type BetRequest struct {
	Wager int64
	Token string
	// CashOut is the automatic cash-out in hundredths, 0 for the greatest possible one.
	CashOut     uint64
	Idempotency kernel.Idempotency
}

// BetResult is a bet as it stands. Replayed means that the same request got this result
// earlier.
type BetResult struct {
	Bet       bet.Open
	Balance   money.Amount
	Replayed  bool
	Committed kernel.Committed
}

// PlaceBet bets on the newest round. Refusals are those of the fields, NotFound before the
// first round, and those of player.BetCrash. As with Play, errors may come before an
// Unconfirmed session was checked.
func (c *Service) PlaceBet(ctx context.Context, caller kernel.Caller, r BetRequest) (BetResult, error) {
	wager, err := kernel.ParseAmount("wager", r.Wager)
	if err != nil {
		return BetResult{}, err
	}
	mint, err := money.ParseToken(r.Token)
	if err != nil {
		return BetResult{}, err
	}
	now, err := c.newestRound(ctx, roundFresh)
	if err != nil {
		return BetResult{}, err
	}
	if !now.round.Gate().Betting { // a new one may have been opened since
		if now, err = c.newestRound(ctx, roundFreshest); err != nil {
			return BetResult{}, err
		}
	}
	request := player.CrashBetRequest{Round: now.round, Wager: wager, Auto: r.CashOut, Seals: c.core.Seals}
	refusal, err := c.play.Place(ctx, caller, mint, crash.GameType, &request.Placed)
	if err != nil {
		return BetResult{}, err
	}
	if request.Auto == 0 {
		request.Auto = now.round.MostFor(wager, request.Terms.MaxPayout)
	}
	result, err := c.commit(ctx, caller, player.Item{
		Wallet: caller.Wallet, At: request.At,
		Keys:  r.Idempotency.Keys(caller.Wallet, player.OperationKey, request.ID),
		Needs: player.Needs{Tokens: []money.Token{mint}, OpenRounds: true, Exposure: mint, Game: crash.GameType},
		Decide: caller.Confirmed(func(v player.View) (player.Change, error) {
			if refusal != nil {
				return player.Change{}, refusal
			}
			return player.BetCrash(v, request)
		}),
	})
	if bet.RefusedForRoom(err) {
		c.core.Alarms.Raise(ctx, alarm.OpenRoundsFull, string(mint), "game", crash.GameType, "wager", int64(wager))
	}
	return result, err
}

var errEnded = fault.New(fault.InvalidState, "the bet has ended").With("status", "ended")

// CashOut cashes out the caller's bet as of the moment at which the whole request was
// received. Call Receive before it, at that moment. Repeating it is safe: the first answer
// counts. Refusals: NotFound for a bet that isn't the caller's, Unavailable while this
// instance's clock is off or its reports can't be written, and those of player.CashOutCrash.
func (c *Service) CashOut(ctx context.Context, caller kernel.Caller, betID string, received time.Time) (BetResult, error) {
	item := player.Item{
		Wallet: caller.Wallet, At: c.core.Now(), Source: player.FromCashOut,
		Keys: []player.UniqueKey{{Kind: player.StepKey, Scope: betID, ID: "0", Fingerprint: "cash-out"}},
	}
	open, err := c.core.Store.OpenRounds.OpenRound(ctx, betID)
	switch {
	case fault.Is(err, fault.NotFound):
		settled, err := c.core.Store.Rounds.Round(ctx, betID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return BetResult{}, err
		}
		if err != nil || settled.Wallet != caller.Wallet || !settled.IsShared() {
			return BetResult{}, errNoBet(betID)
		}
		item.Decide = caller.Confirmed(func(player.View) (player.Change, error) { return player.Change{}, errEnded })
		return c.commit(ctx, caller, item)
	case err != nil:
		return BetResult{}, err
	case open.Wallet != caller.Wallet || !open.IsShared():
		return BetResult{}, errNoBet(betID)
	}
	round, err := c.core.Store.CrashRounds.CrashRound(ctx, open.Shared.Chain, open.Shared.Number)
	if err != nil {
		return BetResult{}, err
	}
	request := player.CrashCashOutRequest{BetID: betID, Round: round, Received: received, At: item.At, Seals: c.core.Seals}
	if request.Hash, err = c.secret(ctx, round); err != nil {
		return BetResult{}, err
	}
	refusal := c.answers.mayAnswer(item.At)
	item.Needs = player.Needs{Tokens: []money.Token{open.Token}, OpenRounds: true, Game: crash.GameType}
	item.Decide = caller.Confirmed(func(v player.View) (player.Change, error) {
		change, err := player.CashOutCrash(v, request)
		if err == nil {
			err = refusal
		}
		return change, err
	})
	result, err := c.commit(ctx, caller, item)
	if errors.Is(err, player.ErrOpenRoundChanged) {
		c.raiseForged(ctx, open)
	}
	return result, err
}

func (c *Service) raiseForged(ctx context.Context, open bet.Open) {
	c.core.Alarms.Raise(ctx, alarm.OpenRoundForged, open.ID, "round", open.ID, "wallet", string(open.Wallet))
}

func errNoBet(id string) error { return fault.New(fault.NotFound, "no bet %q on the shared crash", id) }

// commit commits a bet or a cash-out.
func (c *Service) commit(ctx context.Context, caller kernel.Caller, item player.Item) (BetResult, error) {
	receipt, err := c.play.CommitRound(ctx, caller, item)
	if err != nil {
		return BetResult{}, err
	}
	steps := receipt.Change.Steps
	if len(steps) == 0 {
		return BetResult{}, kernel.ErrResultLost
	}
	made := steps[len(steps)-1]
	return BetResult{
		Bet: made, Balance: receipt.Change.Balance, Replayed: receipt.Replayed, Committed: kernel.CommittedBy(caller.Wallet, made.ID, &receipt),
	}, nil
}

// OwnBet returns the caller's newest bet that has no result yet, or NotFound.
func (c *Service) OwnBet(ctx context.Context, caller kernel.Caller) (found bet.Open, err error) {
	open, err := c.core.Store.OpenRounds.OpenRoundsOf(ctx, caller.Wallet)
	if err != nil {
		return bet.Open{}, err
	}
	for _, o := range open {
		if o.IsShared() && o.ID > found.ID {
			found = o
		}
	}
	if found.ID == "" {
		return bet.Open{}, fault.New(fault.NotFound, "you have no bet on the shared crash")
	}
	return found, nil
}
