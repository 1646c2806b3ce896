package chaos_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/fakes"
)

// How long requests may take during a flood, and those that wait for the chain. These are no
// performance goals: they distinguish slow from starved on a busy machine.
const (
	answeredWithin = 20 * time.Second
	settledWithin  = time.Minute
)

// probes are what users of the service do while it is flooded. Each runs repeatedly; a refused
// one fails the test.
func (s *scene) probes() map[string]func(context.Context, int64) error {
	return map[string]func(context.Context, int64) error{
		"health": s.healthy, "sign-in": s.signsIn, "play": s.plays, "freeze": s.freezes, "deposit": s.paysIn, "payout": s.paysOut,
		"eleventh": s.eleventh,
	}
}

// probe runs all probes until the flood has ended, each at least once, and returns the most
// memory that the process used.
func (s *scene) probe(during string, ended func() bool) (most int64) {
	s.Helper()
	var probing sync.WaitGroup
	for name, do := range s.probes() {
		probing.Go(func() {
			for n := 0; (n == 0 || !ended()) && !s.Failed(); n++ {
				begin := time.Now()
				ctx, cancel := context.WithTimeout(context.Background(), settledWithin)
				err := do(ctx, visitors.Add(1))
				cancel()
				if took := time.Since(begin); err != nil {
					s.Errorf("%s during %s, after %v: %v", name, during, took, err)
				} else {
					s.figures.note(during, name, took)
				}
				pause(s, 100*time.Millisecond)
			}
		})
	}
	probed := make(chan struct{})
	go func() {
		probing.Wait()
		close(probed)
	}()
	for {
		most = max(most, s.resident())
		select {
		case <-probed:
			return most
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// visitors numbers the clients with separate addresses.
var visitors atomic.Int64

// visitor returns a client with its own address and connection.
func (s *scene) visitor(n int64, bearer string) *client.Client {
	address := fmt.Sprintf("100.%d.%d.7", 64+n>>8&63, n&255)
	return client.New("http://"+s.api+"/casino", &http.Client{
		Transport: forwarded{address, &http.Transport{DisableKeepAlives: true}}, Timeout: answeredWithin,
	}).WithToken(bearer)
}

// healthy checks the health. Redis, and the database's disk, may be too slow for their probes on
// a busy machine: then health says so for a short time. The chain may be degraded: with a deposit
// or a payout in progress at three checks in a row, treasury and ledger differ.
func (s *scene) healthy(ctx context.Context, n int64) error {
	health, err := s.visitor(n, "").Health(ctx)
	for _, name := range []string{"chain", "ledger", "workers"} {
		status := health.Checks[name].Status
		if err == nil && status != "ok" && (name != "chain" || status != "degraded") {
			err = fmt.Errorf("%s: %+v", name, health)
		}
	}
	return err
}

// signsIn begins the first session of a new player.
func (s *scene) signsIn(ctx context.Context, n int64) error {
	_, _, err := s.visitor(n, "").SignIn(ctx, fakes.Key(fmt.Sprint("newcomer ", n)), time.Now())
	return err
}

// eleventh checks that an address gets ten sign-ins in a minute and not one more, with any number
// of other addresses.
func (s *scene) eleventh(ctx context.Context, n int64) error {
	login, err := client.SignLogin(fakes.Key("nobody"), time.Now())
	if err != nil {
		return err
	}
	login.Timestamp++ // which is not the signed one
	visitor := s.visitor(n, "")
	for i := range loginsMax + 1 {
		want := "INVALID_SIGNATURE"
		if i == loginsMax {
			want = "RATE_LIMITED"
		}
		if _, err := visitor.Login(ctx, login); client.CodeOf(err) != want {
			return fmt.Errorf("sign-in %d of one address: %w", i+1, err)
		}
	}
	return nil
}

// plays plays a round of a player that doesn't flood.
func (s *scene) plays(ctx context.Context, n int64) error {
	g := s.party.players[0]
	played, err := s.visitor(n, g.bearer()).Play(ctx, api.PlayRequest{GameType: "dice", Wager: g.wager, Token: sol})
	if err == nil && played.Replayed {
		err = errors.New("an earlier round is answered")
	}
	return err
}

// freezes freezes the flooding player, and ends that.
func (s *scene) freezes(ctx context.Context, n int64) error {
	for _, frozen := range []bool{true, false} {
		if _, err := s.visitor(n, s.admin.bearer()).Freeze(ctx, string(fakes.Wallet(s.party.players[1].name)), api.FreezeRequest{Frozen: frozen, Reason: "a flood"}); err != nil {
			return err
		}
	}
	return nil
}

// paysIn pays on chain and claims the deposit until it is credited.
func (s *scene) paysIn(ctx context.Context, n int64) error {
	g := s.party.players[0]
	signature, err := s.party.transfer(g)
	if err != nil {
		return err
	}
	return s.until(ctx, "credited", func() (string, error) {
		paid, err := s.visitor(n, g.bearer()).Deposit(ctx, api.DepositRequest{Signature: signature.String(), Token: sol})
		return paid.Transaction.Status, err
	})
}

// paysOut withdraws, gets it approved, and waits until the money is final on chain.
func (s *scene) paysOut(ctx context.Context, n int64) error {
	g := s.party.players[0]
	visitor := s.visitor(n, g.bearer())
	asked, err := visitor.Withdraw(ctx, api.WithdrawRequest{Amount: paidOut, Token: sol, Destination: vault(g)})
	if err != nil {
		return err
	}
	if _, err := s.visitor(n, s.party.admin.bearer()).ApproveWithdrawal(ctx, api.ApproveRequest{ID: asked.Withdrawal.ID}); err != nil {
		return err
	}
	err = s.until(ctx, "completed", func() (string, error) {
		list, err := visitor.AccountTransactions(ctx, api.AccountTransactionsParams{Limit: 20})
		for _, t := range list.Transactions {
			if t.ID == asked.Withdrawal.ID {
				return t.Status, err
			}
		}
		return "", err
	})
	if err == nil {
		g.payouts++
	}
	return err
}

// until calls look until it returns the status.
func (s *scene) until(ctx context.Context, status string, look func() (string, error)) error {
	var seen []string
	for {
		now, err := look()
		if err != nil || now == status {
			return err
		}
		if len(seen) == 0 || seen[len(seen)-1] != now {
			seen = append(seen, now)
		}
		pause(s, 250*time.Millisecond)
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("it was %s, and never %s: %w", strings.Join(seen, ", "), status, err)
		}
	}
}
