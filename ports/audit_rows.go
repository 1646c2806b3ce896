package ports

import (
	"context"

	"github.com/casino-service/casino/domain/event"
)

// AuditRows reads the rows that services go by, so that auditors can hold them against
// the events that blocks cover.
type AuditRows interface {
	// Things calls visit once for each stored thing of a kind, with the event that would
	// make it what it is; of sign-ins for those whose message could still be used. Was is
	// empty. An error of visit ends the walk and is returned.
	Things(ctx context.Context, kind event.Kind, visit func(event.Event) error) error
	// SealedSeeds opens the server seed of each pair that is not revealed yet, and calls
	// visit with what is wrong with it: nil where it is the one that was committed to. It
	// shows no seed, and needs the keys that seeds are sealed with.
	SealedSeeds(ctx context.Context, visit func(pair string, wrong error) error) error
}
