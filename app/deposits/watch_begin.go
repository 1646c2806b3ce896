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

// WatchBeginning begins the watch of each token that was never watched: behind everything
// that is finalized now. What the treasury held before is capital, and what arrives from
// here on is found.
//
// In a database that went back, a token that was first watched after the copy was made
// looks like one that was never watched, and what players paid since isn't capital. There
// the watch begins at the slot up to which the treasury's index reached when the copy was
// made.
type WatchBeginning struct {
	Cursors  ports.DepositCursors
	History  ports.DepositHistory
	Controls ports.Controls
	// Index is nil without an index of what the treasury signed: then nothing is known of
	// when the copy was made, and a watch always begins behind what is finalized now.
	Index  ports.TreasuryIndex
	Tokens token.Book
}

// BegunWatch is a watch that began where a copy was made.
type BegunWatch struct {
	Token money.Token
	// After is the slot after which it looks, 0 when it isn't known how far the copy
	// reached: then it begins now, and what players paid since the copy isn't found.
	After uint64
}

// BeginWatch begins the watch of each token that was never watched: see WatchBeginning. It
// must run before the first player is served.
func (c *Service) BeginWatch(ctx context.Context) error {
	beginning := WatchBeginning{
		Cursors: c.core.Store.DepositCursors, History: c.core.Chain, Controls: c.core.Store.Controls, Index: c.core.Store.TreasuryIndex, Tokens: c.core.Tokens,
	}
	_, err := beginning.Begin(ctx)
	return err
}

// Missing returns the watches that Begin would begin where the copy was made: none in a
// database that didn't go back.
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

// Begin begins what isn't watched, and returns the watches that began where a copy was
// made.
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
				return begin, nil // what the page has of before is passed over by its slot
			}
			begin.After = max(begin.After, entry.Slot)
		}
		begin.Cursor, more = page.Next, page.More
	}
	return begin, nil
}
