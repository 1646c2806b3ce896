// Package webhooks sends events to agents' endpoints.
package webhooks

import (
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/ports"
)

// Service is the use cases of webhooks. It is safe for concurrent use.
type Service struct {
	core   *kernel.Kernel
	events *events.Service
	// webhookSite sends events, as encoder writes them; webhookNews wakes who sends them.
	webhookSite ports.WebhookSite
	encoder     ports.EventEncoder
	webhookNews events.News
}

// New returns the use cases of webhooks. From then on the writer of core wakes who sends.
func New(core *kernel.Kernel, all *events.Service, site ports.WebhookSite, encoder ports.EventEncoder) *Service {
	c := &Service{core, all, site, encoder, make(events.News, 1)}
	core.Store.Writer = events.WakingWriter{Writer: core.Store.Writer, News: c.webhookNews}
	return c
}
