package deposits

import (
	"context"
	"math"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// WatchBeginning begins the watch of each unwatched token after everything that is
// finalized now. The treasury's earlier balance is capital; later receipts are found by the
// watch.
//
// In a restored database, a token that was first watched after the copy was made looks
// unwatched, but payments since then are not capital. So the watch begins at the slot that
// the treasury's index had reached when the copy was made.
type WatchBeginning struct {
	Cursors  ports.DepositCursors
	History  ports.DepositHistory
	Controls ports.Controls
	// Index is nil without an index of the treasury's transactions. The time of the copy is
	// then unknown, and a watch always begins after what is finalized now.
	Index  ports.TreasuryIndex
	Tokens token.Book
}

// BegunWatch is a watch that begins at the state of the copy.
type BegunWatch struct {
	Token money.Token
	// After is the slot after which the watch looks. It is 0 if the slot of the copy is
	// unknown: then the watch begins now and misses payments since the copy.
	After uint64
}

// BeginWatch begins the watch of each unwatched token, see WatchBeginning. It must run
// before the first player is served.
func (c *Service) BeginWatch(ctx context.Context) error {
	beginning := WatchBeginning{
		Cursors: c.core.Store.DepositCursors, History: c.core.Chain, Controls: c.core.Store.Controls, Index: c.core.Store.TreasuryIndex, Tokens: c.core.Tokens,
	}
	_, err := beginning.Begin(ctx)
	return err
}

// Missing returns the watches that Begin would begin at the state of the copy. It returns
// none if the database isn't restored.
func (w WatchBeginning) Missing(ctx context.Context) (missing []BegunWatch, err error) {
	state, err := w.Controls.State(ctx)
	if err != nil || state.Restored == nil {
		return nil, err
	}
	var reached uint64
	if w.Index != nil {
		position, err := w.Index.IndexPosition(ctx)
		if err != nil {
			return nil, err
		}
		reached = position.Slot
	}
	for _, terms := range w.Tokens.All() {
		_, err := w.Cursors.Cursor(ctx, terms.Mint)
		if fault.Is(err, fault.NotFound) {
			missing, err = append(missing, BegunWatch{Token: terms.Mint, After: reached}), nil
		}
		if err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// Begin begins the missing watches, and returns those that began at the state of the copy.
func (w WatchBeginning) Begin(ctx context.Context) ([]BegunWatch, error) {
	missing, err := w.Missing(ctx)
	if err != nil {
		return nil, err
	}
	until := uint64(math.MaxUint64)
	if len(missing) > 0 && missing[0].After > 0 {
		until = missing[0].After
	}
	for _, terms := range w.Tokens.All() {
		_, err := w.Cursors.Cursor(ctx, terms.Mint)
		if err == nil {
			continue
		}
		if !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		begin, err := w.findBeginning(ctx, terms, until)
		if err == nil {
			// Another instance that was faster set the same cursor.
			err = kernel.Overtaken(w.Cursors.Advance(ctx, terms.Mint, "", begin, nil))
		}
		if err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// findBeginning walks a token's history up to a slot.
func (w WatchBeginning) findBeginning(ctx context.Context, terms token.Terms, until uint64) (begin deposit.WatchProgress, err error) {
	for more := true; more; {
		page, err := w.History.Since(ctx, terms, begin.Cursor, ports.HistoryMax)
		if err != nil {
			return begin, err
		}
		for _, entry := range page.Entries {
			if entry.Slot > until {
				begin.After = until
				return begin, nil // earlier entries of the page are skipped by their slots
			}
			begin.After = max(begin.After, entry.Slot)
		}
		begin.Cursor, more = page.Next, page.More
	}
	return begin, nil
}
