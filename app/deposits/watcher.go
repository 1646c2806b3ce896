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

// watchPage is the number of transactions that a watcher handles in one step.
const watchPage = 25

// handledMax is the number of handled transactions that a watcher remembers, so that
// transactions on overlapping pages aren't read again.
const handledMax = 2048

// stillMax is the number of pages without news after which the cursor is stored anyway,
// because nodes must still know the transaction it points to.
const stillMax = 60

// DepositWatcher finds deposits that nobody claimed. It walks the history of the treasury's
// account of each token, credits deposits, and parks transactions that it can't credit. It
// retries unreadable transactions indefinitely, raises an alarm for those that a person
// must judge, and keeps money that isn't a deposit for the reconciliation. The cursor
// advances in the commit that parks, after the page's deposits were credited; after a crash
// the page is read again. Limits, exclusion and freezing never stop it, because the money
// is on chain.
//
// Before BeginWatch it returns a fault of kind InvalidState and reads nothing.
type DepositWatcher struct {
	casino *Service
	turn   int
	worked bool // in this pass
	seen   []deposit.Ref
	// doubted are handled transactions that the store may have lost; cursors are the stored
	// cursors as this watcher last set them.
	doubted []deposit.Ref
	cursors map[money.Token]string
	still   map[money.Token]int // pages without news since the cursor was stored
}

// DepositWatcher returns a watcher at the start of its pass.
func (c *Service) DepositWatcher() *DepositWatcher {
	return &DepositWatcher{casino: c, cursors: map[money.Token]string{}, still: map[money.Token]int{}}
}

// Step handles the next page of one token, or the next parked transaction. It reports false
// at the end of a pass without work.
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
		return false, nil // the alarm was raised; deposits are found once the token is accepted again
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
	// A cursor that only follows the chain's tip is stored only every stillMax pages.
	if w.still[terms.Mint]++; len(dealt) > 0 || page.More || w.still[terms.Mint] >= stillMax {
		w.still[terms.Mint] = 0
		// If another watcher was faster, nothing is stored, and nothing is remembered as
		// handled that may still need parking.
		if err := c.core.Store.DepositCursors.Advance(ctx, terms.Mint, from, watch, parked); err != nil {
			return false, kernel.Overtaken(err)
		}
		from = watch.Cursor
	}
	w.cursors[terms.Mint] = from
	w.rememberHandled(dealt)
	return len(dealt) > 0 || page.More, nil
}

// noteCursor compares the stored cursor with the one this watcher left. If they differ,
// another watcher moved it or the database was restored: then a transaction counts as
// handled only if the store has a trace of it.
func (w *DepositWatcher) noteCursor(token money.Token, cursor string) {
	if known, mine := w.cursors[token]; !mine || known != cursor {
		w.doubted, w.seen = append(w.doubted, w.seen...), nil
		w.doubted = slices.Clone(w.doubted[max(0, len(w.doubted)-handledMax):])
	}
}

// wasHandled reports whether a listed transaction was already handled.
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

// lookAt handles one transaction. It returns nil if that is done, or the transaction to
// park. An error always comes from the store, never from the transaction.
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
	verdict, err := c.screen(ctx, p.Ref, deposit.Find(seen, terms, treasury))
	if err != nil {
		return nil, err
	}
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
		return nil, nil // the treasury received nothing
	}
	return c.setAside(ctx, p, verdict, amount)
}

// setAside parks a receipt that isn't credited, for review or as no deposit. A receipt that
// was already booked, by a person or as capital, needs nothing.
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

// NeedsAPerson raises the alarm for a parked transaction that no worker can book.
func (c *Service) NeedsAPerson(ctx context.Context, p deposit.Parked) {
	c.core.Alarms.Raise(ctx, alarm.DepositReview, p.Signature, "token", string(p.Token), "amount", int64(p.Amount), "reason", string(p.Reason))
}

// creditArrival credits an unclaimed deposit to its sender.
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
	// An earlier credit is fine, whichever caller made it.
	return kernel.Overtaken(err)
}

// WatchInterval is the pause between two passes of the DepositWatcher.
const WatchInterval = DepositInterval
