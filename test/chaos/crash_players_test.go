package chaos_test

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
)

// play bets on one round after the other until stop is closed. A third of the players leaves the
// rest to the automatic cash-out, the others cash out by hand.
func (c *crashTable) play(who *crashPlayer, stop <-chan struct{}) {
	for n := 0; !c.Failed(); n++ {
		select {
		case <-stop:
			return
		default:
		}
		last := int64(0)
		if len(who.bets) > 0 {
			last = who.bets[len(who.bets)-1].Round
		}
		if now := c.newest(); now.state() != "betting" || now.number == last {
			pause(c, 10*time.Millisecond)
			continue
		}
		if a := c.bet(who, n); a != nil {
			if who.number%3 > 0 {
				c.cashOut(who, n, a)
			}
			c.ends(who, n, a)
			who.bets = append(who.bets, a)
		}
	}
}

// bet bets on the newest round, and returns nil if it was refused.
func (c *crashTable) bet(who *crashPlayer, n int) *crashAnswers {
	order := api.PlaceCrashBetRequest{Wager: 10_000, Token: sol, IdempotencyKey: fmt.Sprint(who.name, "/", n)}
	if who.number%3 < 2 {
		order.CashOut = api.Number(fmt.Sprintf("1.%02d", 1+(n*7+who.number)%90))
	}
	var made api.CrashBetAndBalance
	if !c.insistAs(who.signedIn, n+who.number, "a bet of "+who.name, func(ctx context.Context, s *client.Client) (err error) {
		made, err = s.PlaceCrashBet(ctx, order)
		return err
	}, "INVALID_STATE", "WAGER_OUT_OF_RANGE") { // the house affords less while an instance begins
		return nil
	}
	return &crashAnswers{OwnCrashBet: made.Bet}
}

// cashOut comes back to another instance during the round, which knows the bet, and cashes out
// when the curve has risen for a while, twice.
func (c *crashTable) cashOut(who *crashPlayer, n int, a *crashAnswers) {
	wait := time.Duration(200+(n*977+who.number*331)%5_000) * time.Millisecond
	for now := c.newest(); now.number == a.Round && now.chain == a.Chain && !c.Failed(); now = c.newest() {
		if now.started > 0 && time.Since(time.UnixMicro(now.started)) > wait {
			break
		}
		pause(c, 5*time.Millisecond)
	}
	if now := c.newest(); now.number != a.Round || now.status != "flying" {
		return
	}
	for again := range 2 {
		var made api.CrashBetAndBalance
		done := c.insistAs(who.signedIn, n+again, "a cash-out of "+who.name, func(ctx context.Context, s *client.Client) (err error) {
			made, err = s.CashOutCrash(ctx, api.CashOutCrashRequest{Bet: a.ID})
			return err
		}, "INVALID_STATE")
		switch {
		case !done && again == 0:
			a.late = time.Now()
			return
		case !done:
			c.Errorf("%s: the cash-out was answered %+v, and then refused", who.name, a)
		case again == 0:
			a.OwnCrashBet = made.Bet
		case made.Bet != a.OwnCrashBet || !made.Replayed:
			c.Errorf("%s: the cash-out was answered %+v, and then %+v", who.name, a, made)
		}
	}
}

// ends waits for the result of the bet.
func (c *crashTable) ends(who *crashPlayer, n int, a *crashAnswers) {
	for now := c.newest(); now.number == a.Round && now.chain == a.Chain && now.status != "settled" && !c.Failed(); now = c.newest() {
		pause(c, 10*time.Millisecond)
	}
	c.insistAs(who.signedIn, n, "the result of "+who.name, func(ctx context.Context, s *client.Client) error {
		round, err := s.Round(ctx, a.ID)
		if client.CodeOf(err) == "NOT_FOUND" {
			return errWaiting
		}
		a.payout = round.Payout
		return err
	})
}

// listen follows the stream of an instance. Each connection begins with a whole snapshot, and what
// is told of a round is never taken back.
func (c *crashTable) listen(ctx context.Context, e *crashEar, at *instance) {
	ways := client.New("http://"+at.api+"/casino", &http.Client{Transport: forwarded{"198.51.100.9", at.transport}})
	order := []string{"", "betting", "closed", "flying", "crashed", "settled"}
	place := func(status string) (n int) {
		for n = range order {
			if order[n] == status {
				break
			}
		}
		return n
	}
	for ctx.Err() == nil {
		first := true
		_ = ways.CrashStream(ctx, func(n api.CrashNews) error { // until the instance is killed
			e.mu.Lock()
			defer e.mu.Unlock()
			whole := first
			if first && (n.Chain == nil || n.Round == nil || n.BettingMs != crashBetting.Milliseconds()) {
				c.Errorf("a stream begins with %+v", n)
			}
			if first {
				e.lives++
			}
			if first = false; n.Round == nil {
				return nil
			}
			c.say("the stream", *n.Round)
			last := e.last
			if !whole && last.Chain == n.Round.Chain && (n.Round.Number < last.Number || n.Round.Number == last.Number && place(n.Round.Status) < place(last.Status)) {
				c.Errorf("the stream goes back from %+v to %+v", last, n.Round)
			}
			e.last = *n.Round
			if !whole && (n.Round.Number != last.Number || n.Round.Status != last.Status) {
				if since, known := c.sinceChange(*n.Round); known {
					e.delays = append(e.delays, since)
				}
			}
			return nil
		})
		pause(c, 20*time.Millisecond)
	}
}

// sinceChange returns how long ago the database was first seen with the status of a round.
func (c *crashTable) sinceChange(r api.CrashRound) (time.Duration, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.changes) - 1; i >= 0; i-- {
		if now := c.changes[i]; now.chain == r.Chain && now.number == r.Number && now.status == r.Status {
			if i > 0 && c.changes[i-1].status == r.Status && c.changes[i-1].number == r.Number {
				continue
			}
			return time.Since(now.at), true
		}
	}
	return 0, true
}
