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

// New returns the use cases of events. From then on the writer of core wakes the broadcast
// and webhooks.
func New(core *kernel.Kernel, webhooks News) *Service {
	c := &Service{core: core, pseudonyms: newPseudonyms(core.Seals, core.Entropy)}
	c.broadcast = newBroadcast(core.Store.Events, core.Clock, c.publicEvent)
	core.Store.Writer = wakingWriter{core.Store.Writer, []News{c.broadcast.woken, webhooks}}
	return c
}
