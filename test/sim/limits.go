package sim

import (
	"context"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
)

// limits is what a player set for a day, with the day's sums so far. Own games and
// providers' count alike.
type limits struct {
	set          bool
	wager, loss  int64
	wagered, net int64 // net is wagered less won
	day          string
}

// on is the limits on a day: another day's sums begin at zero.
func (l *limits) on(day string) *limits {
	if l.day != day {
		l.day, l.wagered, l.net = day, 0, 0
	}
	return l
}

// forbid reports whether a wager could break one of them.
func (l *limits) forbid(wager int64) bool {
	return l.set && (l.wagered+wager > l.wager || l.net+wager > l.loss)
}

func (l *limits) count(wager, payout int64) {
	l.wagered, l.net = l.wagered+wager, l.net+wager-payout
}

// limitsOf is a player's limits as of now.
func (w *World) limitsOf(a *account) *limits {
	return a.limits.on(w.clock.Now().UTC().Format("2006-01-02"))
}

// limit has a player limit a day's wagers and losses, once.
func (w *World) limit(ctx context.Context, a *account) error {
	l := w.limitsOf(a)
	if l.set {
		return nil
	}
	l.wager, l.loss = 100_000_000+w.random.Int64N(600_000_000), 50_000_000+w.random.Int64N(300_000_000)
	requested := []protection.LimitRequest{
		{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Amount: money.Amount(l.wager)},
		{Kind: protection.Loss, Period: protection.Day, Token: money.SOL, Amount: money.Amount(l.loss)},
	}
	_, err := again(w, func() (protection.State, error) { return w.casino.Accounts.SetLimits(ctx, caller(a.wallet), requested) })
	l.set, l.wagered, l.net = err == nil, 0, 0
	return err
}

// unkeyed plays a round without a key, which the client can't repeat: the store has to
// resolve a lost COMMIT.
func (w *World) unkeyed(ctx context.Context, request play.PlayRequest, a *account) (play.PlayResult, error) {
	saved := w.faults.perThousand
	defer func() { w.faults.perThousand = saved }()
	w.faults.perThousand = 0
	w.rerun = w.random.IntN(4) == 0
	defer func() { w.rerun = false }()
	request.Idempotency = app.Idempotency{}
	return w.casino.Play.Play(ctx, caller(a.wallet), request)
}
