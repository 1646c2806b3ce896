package ports

import (
	"context"

	"github.com/casino-service/casino/domain/stream"
)

// Events reads what was committed as events, in their order.
//
// A page is read at one moment. Whoever goes on from each page's Next, or from an event's
// Cursor, hears every event once, whichever instance they ask and whatever the filter was
// before, also when lanes begin, instances come and go and months are detached. What was
// committed when After was called is in the pages that follow it.
type Events interface {
	// After returns at most limit events after a cursor, in their order: those of a wallet
	// as they happened to it. A page may be empty and have More: the filter left out what
	// was read. A page for one wallet is found by indexes: it doesn't read what other
	// wallets did. A limit below 1 is Invalid.
	//
	// A cursor into a month whose tables are gone is InvalidState with
	// Details["cursor"], the first place that can be read. One that names blocks
	// which aren't there, because a restore took them, is answered with LedgerRestored alone,
	// once; what comes after it is everything that was written since the restore was found,
	// and of the later epochs. Of a restore that nobody found nobody knows what was written
	// since: what comes then begins somewhere, and whoever adds up begins anew.
	After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error)
	// Newest returns the place after everything that is committed: where whoever wants
	// only what comes begins. It reads no more than the heads, so that it may be asked
	// often.
	Newest(ctx context.Context) (stream.Cursor, error)
}
