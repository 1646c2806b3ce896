package app

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// whole returns the ports with a substitute for all of them where one is nil, or where no
// events are read: none works without the others.
func (w WebhookPorts) whole(events bool) WebhookPorts {
	if events && w.Webhooks != nil && w.WebhookQueue != nil && w.DeadLetters != nil {
		return w
	}
	none := absentWebhooks{absent{"webhooks"}}
	return WebhookPorts{Webhooks: none, WebhookQueue: none, DeadLetters: none}
}

type absentWebhooks struct{ absent }

func (a absentWebhooks) Webhook(context.Context, string, string) (webhook.Endpoint, error) {
	return webhook.Endpoint{}, a.refusal()
}

func (a absentWebhooks) WebhooksOf(context.Context, string) ([]webhook.Endpoint, error) {
	return nil, a.refusal()
}

func (a absentWebhooks) ChangeWebhook(context.Context, wallet.Address, string, string, ports.WebhookDecision) error {
	return a.refusal()
}

func (a absentWebhooks) WebhooksDue(context.Context, time.Time, string, int) ([]webhook.Endpoint, error) {
	return nil, a.refusal()
}

func (a absentWebhooks) ClaimWebhook(context.Context, string, string, time.Time, time.Time) (webhook.Endpoint, bool, error) {
	return webhook.Endpoint{}, false, a.refusal()
}

func (a absentWebhooks) SaveWebhook(context.Context, string, ports.WebhookProgress) error {
	return a.refusal()
}

func (a absentWebhooks) ReleaseWebhook(context.Context, string, string) error { return a.refusal() }

func (a absentWebhooks) DeadLetters(context.Context, string, ports.Page) (ports.DeadLetterPage, error) {
	return ports.DeadLetterPage{}, a.refusal()
}

func (a absentWebhooks) DeadLetter(context.Context, string, string) (webhook.DeadLetter, error) {
	return webhook.DeadLetter{}, a.refusal()
}

func (a absentWebhooks) DeadLettersDue(context.Context, time.Time, int) ([]webhook.DeadLetter, error) {
	return nil, a.refusal()
}

func (a absentWebhooks) ChangeDeadLetter(context.Context, wallet.Address, string, string, ports.DeadLetterDecision) error {
	return a.refusal()
}
