// Package events hands what was committed to whoever listens, and shows bets to the public.
package events

import (
	"github.com/casino-service/casino/app/kernel"
)

// Service is the use cases of events. It is safe for concurrent use.
type Service struct {
	core *kernel.Kernel
	// pseudonyms are the players' names in public.
	pseudonyms pseudonyms
	broadcast  *broadcast
}

// New returns the use cases of events. From then on the writer of core wakes the broadcast.
func New(core *kernel.Kernel) *Service {
	c := &Service{core: core, pseudonyms: newPseudonyms(core.Seals, core.Entropy)}
	c.broadcast = newBroadcast(core.Store.Events, core.Clock, c.publicEvent)
	core.Store.Writer = WakingWriter{core.Store.Writer, c.broadcast.woken}
	return c
}
