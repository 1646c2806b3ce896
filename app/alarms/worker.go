package alarms

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// AlarmInterval is the pause between two steps of the AlarmWorker.
const AlarmInterval = 30 * time.Second

// alarmPages is the maximum number of pages of open alarms read in a step.
const alarmPages = 10

// AlarmWorker lists the open alarms, including those of other instances and earlier
// processes. It clears those with an end that the store shows, such as a paid withdrawal or
// a decided deposit. Other alarms, such as those about the treasury's holdings, are cleared
// by the worker that raises them.
type AlarmWorker struct{ casino *Service }

// AlarmWorker returns the worker.
func (c *Service) AlarmWorker() *AlarmWorker { return &AlarmWorker{c} }

// Step checks the open alarms once. It always reports false.
func (w *AlarmWorker) Step(ctx context.Context) (worked bool, err error) {
	c := w.casino
	c.core.Progress.Began(kernel.AlarmsWorker)
	open, err := c.everyOpenAlarm(ctx)
	if err != nil {
		return false, err
	}
	c.raised.setOpen(open)
	for _, a := range open {
		look := settledBy[a.Kind]
		if look == nil {
			continue
		}
		holds, failed := look(c, ctx, a)
		if failed != nil {
			err = errors.Join(err, failed)
		} else if !holds {
			c.raised.clearAlarm(ctx, kernel.AlarmKey{Kind: a.Kind, About: a.About}, func(present alarm.Alarm, _ time.Time) bool { return present.ID == a.ID })
		}
	}
	return false, err
}

// everyOpenAlarm returns the newest open alarms.
func (c *Service) everyOpenAlarm(ctx context.Context) (all []alarm.Alarm, err error) {
	open := true
	page := ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true}
	for range alarmPages {
		some, err := c.core.Store.Alarms.Alarms(ctx, ports.AlarmFilter{Open: &open}, page)
		if err != nil {
			return nil, err
		}
		all = append(all, some.Alarms...)
		if page.After = some.Next; page.After == "" {
			break
		}
	}
	return all, nil
}

// settledBy maps the kinds with a cause that the store shows to functions that report
// whether the cause still holds.
var settledBy = map[alarm.Kind]func(*Service, context.Context, alarm.Alarm) (holds bool, err error){
	alarm.PayoutStuck: (*Service).payoutWaits, alarm.PayoutUnsignable: (*Service).payoutWaits, alarm.PayoutForged: (*Service).payoutWaits,
	alarm.PayoutCapped: (*Service).payoutWaits, alarm.PayoutScreened: (*Service).payoutWaits, alarm.PayoutUnproved: (*Service).payoutWaits,
	alarm.DepositReview:  (*Service).depositInReview,
	alarm.ProviderReview: (*Service).winInReview,
	alarm.SiteRefuses: func(c *Service, ctx context.Context, a alarm.Alarm) (bool, error) {
		return c.deliveryIs(ctx, a.About, seamless.DeliveryStatus.Open)
	},
	alarm.SiteUnsettled: func(c *Service, ctx context.Context, a alarm.Alarm) (bool, error) {
		return c.deliveryIs(ctx, a.Fact("delivery"), seamless.DeliveryStatus.Pending)
	},
	alarm.WebhookDisabled: (*Service).webhookDisabled,
}

// payoutWaits reports whether a withdrawal still has the status from when its alarm was
// raised.
func (c *Service) payoutWaits(ctx context.Context, a alarm.Alarm) (bool, error) {
	w, err := c.core.Store.Withdrawals.Withdrawal(ctx, a.About)
	return err == nil && string(w.Status) == a.Fact(payouts.StatusFact), ifFound(err)
}

// depositInReview reports whether a transaction is still in review.
func (c *Service) depositInReview(ctx context.Context, a alarm.Alarm) (bool, error) {
	p, err := c.core.Store.ParkedDeposits.Parked(ctx, deposit.Ref{Signature: a.About, Token: money.Token(a.Fact("token"))})
	return err == nil && p.Status == deposit.Review, ifFound(err)
}

// winInReview reports whether a win is undecided.
func (c *Service) winInReview(ctx context.Context, a alarm.Alarm) (bool, error) {
	t, err := c.core.Store.SeamlessTransactions.SeamlessTransaction(ctx, a.About)
	if err != nil {
		return false, ifFound(err)
	}
	waiting, err := c.core.Store.SeamlessTransactions.SeamlessTransactions(ctx, ports.SeamlessFilter{
		Open: true, Wallet: wallet.Address(a.Fact("wallet")), From: t.At, To: t.At.Add(time.Microsecond),
	}, ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true})
	return slices.ContainsFunc(waiting.Transactions, func(one seamless.Transaction) bool { return one.ID == t.ID }), err
}

func (c *Service) deliveryIs(ctx context.Context, id string, is func(seamless.DeliveryStatus) bool) (bool, error) {
	d, err := c.core.Store.Deliveries.Delivery(ctx, id)
	return err == nil && is(d.Status), ifFound(err)
}

func (c *Service) webhookDisabled(ctx context.Context, a alarm.Alarm) (bool, error) {
	e, err := c.core.Store.Webhooks.Webhook(ctx, a.Agent, a.About)
	return err == nil && e.State == webhook.Disabled, ifFound(err)
}

// ifFound returns err, or nil for NotFound: the cause of a missing thing no longer holds.
func ifFound(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}
