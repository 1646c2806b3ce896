package app

import (
	"context"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/withdrawal"
)

// PayoutWorker pays approved withdrawals: it signs, stores, sends, and follows
// each transaction to its end. Nothing is signed anew before the chain proves
// the old transaction dead, so a worker that dies at any point, or two that
// work at once, pay each withdrawal once.
type PayoutWorker struct {
	casino *Casino
	stage  int
	after  string
}

// stages are the states a worker goes round, those already in flight first.
var stages = [...]withdrawal.Status{withdrawal.Sending, withdrawal.Approved}

// PayoutWorker returns a worker at the beginning of its round.
func (c *Casino) PayoutWorker() *PayoutWorker { return &PayoutWorker{casino: c} }

// Step moves the next withdrawal on. It reports false at the end of a round.
func (p *PayoutWorker) Step(ctx context.Context) (worked bool, err error) {
	next, err := p.casino.Store.WithdrawalsIn(ctx, stages[p.stage], p.after, 1)
	if err != nil {
		return false, err
	}
	if len(next) == 0 {
		p.after, p.stage = "", (p.stage+1)%len(stages)
		return p.stage != 0, nil
	}
	p.after = next[0].ID
	if stages[p.stage] == withdrawal.Approved {
		return true, p.casino.startPayout(ctx, next[0])
	}
	return true, p.casino.followPayout(ctx, next[0])
}

// startPayout signs an approved withdrawal, stores the transaction, and sends
// it. A payout that can't be signed stays approved for an admin to reject.
func (c *Casino) startPayout(ctx context.Context, w withdrawal.Withdrawal) error {
	terms, err := c.Tokens.Known(w.Token)
	if err != nil {
		return err
	}
	attempt, err := c.Chain.Sign(ctx, w, terms)
	if err != nil {
		c.Logger.ErrorContext(ctx, "payout can't be signed", "withdrawal", w.ID, "error", err.Error())
		return err
	}
	now := c.now()
	attempt.WithdrawalID, attempt.Number, attempt.CreatedAt = w.ID, w.Attempt+1, now
	item := ofWithdrawal(w, []player.Claim{{Kind: player.Operation, ID: c.Entropy.ID()}})
	item.At = now
	item.Decide = func(v player.View) (player.Change, error) { return player.Signs(v, attempt, now) }
	if _, err := c.Store.Commit(ctx, item); err != nil {
		return overtaken(err)
	}
	return c.Chain.Send(ctx, attempt)
}

// followPayout asks what became of the stored transaction: it is settled, sent
// again as it is, or left to land.
func (c *Casino) followPayout(ctx context.Context, w withdrawal.Withdrawal) error {
	attempt, err := c.Store.Attempt(ctx, w.ID)
	if err != nil {
		return err
	}
	outcome, err := c.Chain.Fate(ctx, attempt)
	switch {
	case err != nil:
		return err
	case outcome.Fate == withdrawal.Landed:
		return nil
	case outcome.Fate == withdrawal.Unknown:
		return c.Chain.Send(ctx, attempt)
	case outcome.Fate == withdrawal.Errored:
		c.Logger.ErrorContext(ctx, "payout landed with an error", "withdrawal", w.ID, "signature", attempt.Signature, "reason", outcome.Reason)
	}
	now := c.now()
	item := ofWithdrawal(w, []player.Claim{{Kind: player.Operation, ID: c.Entropy.ID()}})
	item.At = now
	item.Decide = func(v player.View) (player.Change, error) {
		return player.Settles(v, w.ID, attempt.Number, outcome, now)
	}
	_, err = c.Store.Commit(ctx, item)
	return overtaken(err)
}

// overtaken hides the refusal that says another worker or an admin was faster:
// that is how races are meant to end.
func overtaken(err error) error {
	if fault.Is(err, fault.InvalidState) {
		return nil
	}
	return err
}
