package telemetry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/test/fakes"
)

func TestDeliveriesAreCountedByWhatCameOfThem(t *testing.T) {
	t.Parallel()
	made, clock := open(t), &fakes.Clock{}
	sites := fakes.NewWebhookSites("https://there.example.com/")
	counted, err := made.Webhooks(sites, clock)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	for _, answer := range []webhook.Response{{Status: 200}, {Status: 204}, {Status: 404}, {Status: 503}, {Failure: webhook.TimedOut}, {Status: 410}} {
		sites.Answer("https://there.example.com/", func(context.Context, webhook.Message) webhook.Response {
			clock.Advance(2 * time.Second)
			return answer
		})
		if got, err := counted.Send(ctx, webhook.Message{URL: "https://there.example.com/"}); err != nil || got != answer {
			t.Errorf("%+v, %v", got, err)
		}
	}
	cancel()
	if _, err := counted.Send(ctx, webhook.Message{URL: "https://there.example.com/"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	wants(t, metrics(t, made), `casino_webhook_deliveries_total{result="delivered"} 2`, `casino_webhook_deliveries_total{result="refused"} 1`,
		`casino_webhook_deliveries_total{result="unavailable"} 2`, `casino_webhook_deliveries_total{result="gone"} 1`,
		`casino_webhook_duration_seconds_count 6`, `casino_webhook_duration_seconds_sum 12`)
}
