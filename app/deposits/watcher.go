package deposits

import (
	"context"
	"slices"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// watchPage is how many transactions a watcher handles in one step.
const watchPage = 25

// handledMax is how many handled transactions a watcher remembers, so that those which
// pages repeat aren't read again.
const handledMax = 2048

// stillMax is how many pages without anything new may pass before the cursor is stored
// all the same: nodes must still know the transaction it points at.
const stillMax = 60

// DepositWatcher finds the deposits that nobody registered. It walks the history of the
// treasury's account of each token, credits what is a deposit by the rules, and parks
// what it can't credit. A transaction that can't be read is tried again without end, one
// that a person must judge raises an alarm, and money that is no deposit is kept for the
// reconciliation. The cursor advances in the commit that parks, after everything else of
// the page was credited, so a watcher that dies before reads the page again. Limits,
// exclusion and freezing never stop it: the money is on chain.
//
// Before BeginWatch it refuses with a fault of kind InvalidState and reads nothing.
type DepositWatcher struct {
	casino *Service
	turn   int
	worked bool // within this round
	seen   []deposit.Ref
	// doubted are those that the store may not know any more; cursors are where this
	// watcher left the stored ones.
	doubted []deposit.Ref
	cursors map[money.Token]string
	still   map[money.Token]int // pages without anything new since the cursor was stored
}

// DepositWatcher returns a watcher at the beginning of its round.
func (c *Service) DepositWatcher() *DepositWatcher {
	return &DepositWatcher{casino: c, cursors: map[money.Token]string{}, still: map[money.Token]int{}}
}

// Step handles the next page of one token, or the next parked transaction. It reports
// false at the end of a round in which there was nothing.
func (w *DepositWatcher) Step(ctx context.Context) (worked bool, err error) {
	w.casino.core.Progress.Began(kernel.WatcherWorker)
	tokens := w.casino.core.Tokens.All()
	if w.turn < len(tokens) {
		worked, err = w.handlePage(ctx, tokens[w.turn])
	} else {
		worked, err = w.retryParked(ctx)
	}
	w.worked = w.worked || worked
	if w.turn++; w.turn <= len(tokens) {
		return true, err
	}
	worked = w.worked
	w.turn, w.worked = 0, false
	return worked, err
}

// handlePage handles the next page of a token's history.
func (w *DepositWatcher) handlePage(ctx context.Context, terms token.Terms) (worked bool, err error) {
	c := w.casino
	if c.mints.isStopped(terms) {
		return false, nil // the alarm was raised; what arrives is found once its token is accepted again
	}
	watch, err := c.core.Store.DepositCursors.Cursor(ctx, terms.Mint)
	if fault.Is(err, fault.NotFound) {
		c.core.Progress.Watched(terms.Mint, false)
		err = kernel.ErrNotBegun(terms.Symbol)
		c.core.Alarms.Raise(ctx, alarm.DepositsUnwatched, string(terms.Mint), "reason", err.Error())
	}
	if err != nil {
		return false, err
	}
	c.core.Progress.Watched(terms.Mint, true)
	page, err := c.core.Chain.Since(ctx, terms, watch.Cursor, watchPage)
	if err != nil {
		c.core.Alarms.Raise(ctx, alarm.DepositsUnwatched, string(terms.Mint), "reason", err.Error())
		return false, err
	}
	c.core.Alarms.Over(ctx, alarm.DepositsUnwatched, string(terms.Mint))
	w.noteCursor(terms.Mint, watch.Cursor)
	var parked []deposit.Parked
	var dealt []deposit.Ref
	for _, entry := range page.Entries {
		ref := deposit.Ref{Signature: entry.Signature, Token: terms.Mint}
		if entry.Failed || entry.Slot <= watch.After {
			continue
		}
		if handled, err := w.wasHandled(ctx, ref); err != nil {
			return false, err
		} else if handled {
			continue
		}
		left, err := c.lookAt(ctx, deposit.Parked{Ref: ref, FoundAt: c.core.Now()}, terms)
		if err != nil {
			return false, err
		}
		if left != nil {
			parked = append(parked, *left)
		}
		dealt = append(dealt, ref)
	}
	from := watch.Cursor
	watch.Cursor = page.Next
	// A cursor that only follows the chain's tip is stored now and then.
	if w.still[terms.Mint]++; len(dealt) > 0 || page.More || w.still[terms.Mint] >= stillMax {
		w.still[terms.Mint] = 0
		// Where another watcher was faster nothing is stored, and nothing is remembered
		// that may still have to be parked.
		if err := c.core.Store.DepositCursors.Advance(ctx, terms.Mint, from, watch, parked); err != nil {
			return false, kernel.Overtaken(err)
		}
		from = watch.Cursor
	}
	w.cursors[terms.Mint] = from
	w.rememberHandled(dealt)
	return len(dealt) > 0 || page.More, nil
}

// noteCursor takes note of where the cursor was found. Where that is not where the watcher
// left it, another one moved it, or the database went back: then nothing counts as
// handled that has left no trace there.
func (w *DepositWatcher) noteCursor(token money.Token, cursor string) {
	if known, mine := w.cursors[token]; !mine || known != cursor {
		w.doubted, w.seen = append(w.doubted, w.seen...), nil
		w.doubted = slices.Clone(w.doubted[max(0, len(w.doubted)-handledMax):])
	}
}

// wasHandled reports whether a transaction was handled that a page lists.
func (w *DepositWatcher) wasHandled(ctx context.Context, ref deposit.Ref) (bool, error) {
	if slices.Contains(w.seen, ref) {
		return true, nil
	}
	if !slices.Contains(w.doubted, ref) {
		return false, nil
	}
	claims, err := w.casino.core.Store.Deposits.ClaimsOf(ctx, ref)
	if err != nil || slices.ContainsFunc(claims, func(c deposit.Claim) bool { return c.Status == deposit.Credited }) {
		return err == nil, err
	}
	_, err = w.casino.core.Store.ParkedDeposits.Parked(ctx, ref)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

func (w *DepositWatcher) rememberHandled(dealt []deposit.Ref) {
	w.seen = append(w.seen, dealt...)
	if over := len(w.seen) - handledMax; over > 0 {
		w.seen = slices.Clone(w.seen[over:])
	}
}

// retryParked reads the parked transaction again that has been due longest.
func (w *DepositWatcher) retryParked(ctx context.Context) (worked bool, err error) {
	c := w.casino
	due, err := c.core.Store.ParkedDeposits.ParkedDue(ctx, c.core.Now(), 1)
	if err != nil || len(due) == 0 {
		return false, err
	}
	terms, err := c.core.Tokens.Known(due[0].Token)
	if err != nil {
		return false, err
	}
	if c.mints.isStopped(terms) {
		return true, c.core.Store.ParkedDeposits.Park(ctx, due[0].Retry(due[0].Reason, c.core.Now()))
	}
	left, err := c.lookAt(ctx, due[0], terms)
	switch {
	case err != nil:
		return false, err
	case left == nil:
		return true, c.core.Store.ParkedDeposits.Unpark(ctx, due[0].Ref)
	}
	return true, c.core.Store.ParkedDeposits.Park(ctx, *left)
}

// lookAt handles one transaction. It returns nil when that is done, or the transaction
// as it is to be parked. An error is of the store, never of the transaction.
func (c *Service) lookAt(ctx context.Context, p deposit.Parked, terms token.Terms) (*deposit.Parked, error) {
	treasury, err := c.treasuryOf(ctx, terms)
	if err != nil {
		return nil, err
	}
	seen, err := c.core.Chain.Observe(ctx, p.Signature)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		c.core.Alarms.Raise(ctx, alarm.DepositUnreadable, p.Signature, "token", string(p.Token), "reason", err.Error())
		again := p.Retry(deposit.Unreadable, c.core.Now())
		return &again, nil
	}
	verdict := deposit.Find(seen, terms, treasury)
	if verdict.Status == deposit.Pending && verdict.Reason == deposit.Unreadable {
		c.core.Alarms.Raise(ctx, alarm.DepositUnreadable, p.Signature, "token", string(p.Token), "reason", "the chain's answer lacks token balances")
	} else {
		c.core.Alarms.Over(ctx, alarm.DepositUnreadable, p.Signature)
	}
	switch verdict.Status {
	case deposit.Pending:
		again := p.Retry(verdict.Reason, c.core.Now())
		return &again, nil
	case deposit.Credited:
		err := c.creditArrival(ctx, verdict.Sender, p.Ref, verdict.Amount)
		if !fault.Is(err, fault.AmountOutOfRange) {
			return nil, err
		}
		verdict.Status, verdict.Reason = deposit.Review, deposit.AmountTooLarge
	}
	amount, why := deposit.Arrived(seen, terms, treasury)
	if verdict.Status == deposit.Rejected && why != deposit.NoReason {
		return nil, nil // it brought nothing
	}
	return c.setAside(ctx, p, verdict, amount)
}

// setAside parks what arrived and isn't credited: for a person, or as no deposit. What
// was booked already, by a person or as capital, is done.
func (c *Service) setAside(ctx context.Context, p deposit.Parked, verdict deposit.Verdict, amount money.Amount) (*deposit.Parked, error) {
	if booked, err := c.core.Store.UnbookedDeposits.Booked(ctx, p.Ref); booked || err != nil {
		return nil, err
	}
	ended := p.Close(verdict.Status, verdict.Reason, amount)
	if ended.Status == deposit.Review {
		c.NeedsAPerson(ctx, ended)
	}
	return &ended, nil
}

// NeedsAPerson raises the alarm of a parked transaction that no worker can book.
func (c *Service) NeedsAPerson(ctx context.Context, p deposit.Parked) {
	c.core.Alarms.Raise(ctx, alarm.DepositReview, p.Signature, "token", string(p.Token), "amount", int64(p.Amount), "reason", string(p.Reason))
}

// creditArrival credits a deposit that nobody registered to its sender.
func (c *Service) creditArrival(ctx context.Context, sender wallet.Address, ref deposit.Ref, amount money.Amount) error {
	now := c.core.Now()
	fresh := deposit.Claim{ID: c.core.Entropy.ID(), Wallet: sender, Ref: ref, Status: deposit.Pending, CreatedAt: now, UpdatedAt: now}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: sender, Source: player.FromWorker,
		Keys:   kernel.CreditKeys(ref),
		Needs:  player.Needs{Tokens: []money.Token{ref.Token}, Deposits: []deposit.Ref{ref}, Open: true, Unclaimed: true},
		At:     now,
		Decide: func(v player.View) (player.Change, error) { return player.ReceiveDeposit(v, fresh, amount, now) },
	})
	if err == nil && !receipt.Replayed {
		c.core.Logger.InfoContext(ctx, "deposit found", "signature", ref.Signature, "token", string(ref.Token), "amount", int64(amount))
	}
	// Credited already is right, whoever did it.
	return kernel.Overtaken(err)
}

// WatchInterval is how long to rest between two rounds of the DepositWatcher.
const WatchInterval = DepositInterval
