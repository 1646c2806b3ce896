package operations_test

import (
	"context"
	"errors"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// Other names of the ports, because some have a method of the same name.
type (
	withdrawalsPort = ports.Withdrawals
	parkedPort      = ports.ParkedDeposits
	deliveriesPort  = ports.Deliveries
	webhooksPort    = ports.Webhooks
	alarmsPort      = ports.Alarms
)

// standings are things by their states.
type standings struct {
	withdrawalsPort
	parkedPort
	deliveriesPort
	webhooksPort

	payout   withdrawal.Status
	parked   deposit.Status
	review   bool
	delivery seamless.DeliveryStatus
	webhook  webhook.State
	err      error
}

func (s *standings) Withdrawal(_ context.Context, id string) (withdrawal.Withdrawal, error) {
	return withdrawal.Withdrawal{ID: id, Status: s.payout}, s.err
}

func (s *standings) Parked(_ context.Context, ref deposit.Ref) (deposit.Parked, error) {
	if ref.Token != money.SOL {
		return deposit.Parked{}, fault.New(fault.NotFound, "no such transaction")
	}
	return deposit.Parked{Ref: ref, Status: s.parked}, s.err
}

func (s *standings) SeamlessTransaction(_ context.Context, id string) (seamless.Transaction, error) {
	return seamless.Transaction{ID: id, Wallet: "alice", Status: seamless.Review}, s.err
}

func (s *standings) SeamlessTransactions(_ context.Context, f ports.SeamlessFilter, _ ports.Page) (ports.SeamlessPage, error) {
	page := ports.SeamlessPage{Transactions: []seamless.Transaction{{ID: "another"}}}
	if s.review && f.Open && f.Wallet == wallet.Address("alice") {
		page.Transactions = append(page.Transactions, seamless.Transaction{ID: "it"})
	}
	return page, s.err
}

func (s *standings) Delivery(_ context.Context, id string) (seamless.Delivery, error) {
	if id != "d1" && id != "it" {
		return seamless.Delivery{}, fault.New(fault.NotFound, "no delivery %q", id)
	}
	return seamless.Delivery{ID: id, Status: s.delivery}, s.err
}

func (s *standings) Webhook(_ context.Context, agent, id string) (webhook.Endpoint, error) {
	if agent != "acme" || s.webhook == "" {
		return webhook.Endpoint{}, fault.New(fault.NotFound, "no webhook %q", id)
	}
	return webhook.Endpoint{ID: id, State: s.webhook}, s.err
}

// TestTheWorkerClearsWhatTheStoreKnows tests each of these kinds while its cause holds and
// after its end.
func TestTheWorkerClearsWhatTheStoreKnows(t *testing.T) {
	t.Parallel()
	approved := alarm.Fact{Name: "status", Value: "approved"}
	payout := func(status withdrawal.Status) func(*standings) { return func(s *standings) { s.payout = status } }
	delivery := func(status seamless.DeliveryStatus) func(*standings) {
		return func(s *standings) { s.delivery = status }
	}
	for kind, c := range map[alarm.Kind]struct {
		facts       []alarm.Fact
		holds, over func(*standings)
	}{
		alarm.PayoutStuck:      {[]alarm.Fact{approved}, payout(withdrawal.Approved), payout(withdrawal.Sending)},
		alarm.PayoutUnsignable: {[]alarm.Fact{approved}, payout(withdrawal.Approved), payout(withdrawal.Rejected)},
		alarm.PayoutForged:     {[]alarm.Fact{{Name: "status", Value: "sending"}}, payout(withdrawal.Sending), payout(withdrawal.Failed)},
		alarm.PayoutCapped:     {[]alarm.Fact{approved}, payout(withdrawal.Approved), payout(withdrawal.Completed)},
		alarm.PayoutUnproved:   {[]alarm.Fact{approved}, payout(withdrawal.Approved), payout(withdrawal.Cancelled)},
		alarm.DepositReview: {
			[]alarm.Fact{{Name: "token", Value: apptest.SOL}}, func(s *standings) { s.parked = deposit.Review }, func(s *standings) { s.parked = deposit.Credited },
		},
		alarm.ProviderReview: {
			[]alarm.Fact{{Name: "wallet", Value: "alice"}}, func(s *standings) { s.review = true }, func(s *standings) { s.review = false },
		},
		alarm.SiteRefuses:   {nil, delivery(seamless.Rejected), delivery(seamless.Closed)},
		alarm.SiteUnsettled: {[]alarm.Fact{{Name: "delivery", Value: "d1"}}, delivery(seamless.Delivering), delivery(seamless.Rejected)},
		alarm.WebhookDisabled: {
			[]alarm.Fact{{Name: "agent", Value: "acme"}}, func(s *standings) { s.webhook = webhook.Disabled }, func(s *standings) { s.webhook = webhook.Active },
		},
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			h := bare(t)
			things := &standings{}
			h = h.Remade(func(d *app.Deps) {
				d.Store.Withdrawals, d.Store.ParkedDeposits, d.Store.SeamlessTransactions = things, things, things
				d.Store.Deliveries, d.Store.Webhooks = things, things
				d.WebhookSite, d.EventEncoder = fakes.NewWebhookSites(apptest.HookURL), apptest.PlainEncoder{}
			})
			h.raiseElsewhere(alarm.RoundVoided, "it") // which a person ends
			a := h.raiseElsewhere(kind, "it", c.facts...)
			look := func(what string, open bool) {
				t.Helper()
				apptest.OK(h.Alarms.AlarmWorker().Step(h.Ctx))(t)
				apptest.Equal(t, what, apptest.OK(h.Store.Alarm(h.Ctx, a.ID))(t).Open(), open)
			}
			c.holds(things)
			look("while it holds", true)
			things.err = errors.New("away")
			if err := apptest.ErrorOf(h.Alarms.AlarmWorker().Step(h.Ctx)); !errors.Is(err, things.err) {
				t.Errorf("a look that failed: %v", err)
			}
			apptest.Equal(t, "while nobody knows", apptest.OK(h.Store.Alarm(h.Ctx, a.ID))(t).Open(), true)
			things.err = nil
			c.over(things)
			look("when it is over", false)
			yes := true
			apptest.Equal(t, "what is left", len(h.StoredAlarms(ports.AlarmFilter{Open: &yes})), 1)
		})
	}
}
