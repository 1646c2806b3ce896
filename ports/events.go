package ports

import (
	"context"

	"github.com/casino-service/casino/domain/stream"
)

// Events reads commits as events, in order.
//
// A page is read at one moment. A caller who continues from each page's Next, or from an
// event's Cursor, gets every event once. This holds on every instance, after any filter,
// and also while lanes begin, instances change and months are detached. Everything
// committed when After was called is in the following pages.
type Events interface {
	// After returns at most limit events after a cursor; events of a wallet are in the
	// order they happened. If the filter removed all events that were read, the page is
	// empty with More set. A page for one wallet uses indexes and doesn't read other
	// wallets' events. A limit below 1 is Invalid.
	//
	// A cursor into a detached month is InvalidState; Details["cursor"] is the first
	// readable place. A cursor that names blocks lost in a restore gets one page with
	// LedgerRestored alone. The next pages have everything written since the restore was
	// detected, and later epochs. After an undetected restore the pages may begin anywhere
	// after it, so callers who keep sums must start again.
	After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error)
	// Newest returns the cursor after everything committed, for callers who want only new
	// events. It reads only the heads, so it may be called often.
	Newest(ctx context.Context) (stream.Cursor, error)
}
