package scenario_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

const racesEach = 200

// decision is one of two racing decisions on a withdrawal.
type decision func(ctx context.Context, casino *app.Casino, player app.Caller, id string) error

func approves(admin string) decision {
	return func(ctx context.Context, casino *app.Casino, _ app.Caller, id string) error {
		_, err := casino.Payouts.ApproveWithdrawal(ctx, caller(admin), payouts.WithdrawalDecision{ID: id})
		return err
	}
}

func rejects(admin string) decision {
	return func(ctx context.Context, casino *app.Casino, _ app.Caller, id string) error {
		_, err := casino.Payouts.RejectWithdrawal(ctx, caller(admin), payouts.WithdrawalDecision{ID: id, Reason: "race"})
		return err
	}
}

func cancels(ctx context.Context, casino *app.Casino, player app.Caller, id string) error {
	_, err := casino.Payouts.CancelWithdrawal(ctx, player, id)
	return err
}

// TestOfRacingDecisionsOneWins lets two decisions meet on two instances of the service over one
// database, many times: one is carried out, the other is refused as too late, and the money is
// returned once or not at all.
func TestOfRacingDecisionsOneWins(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]decision{
		"approve and approve": {approves("finn"), approves("ada")},
		"approve and reject":  {approves("finn"), rejects("ada")},
		"reject and cancel":   {rejects("finn"), cancels},
	} {
		for engine, open := range engines {
			t.Run(name+" on "+engine, func(t *testing.T) {
				t.Parallel()
				decisionsRace(newHouse(t, open), pair, name == "approve and reject")
			})
		}
	}
}

// decisionsRace lets the pair meet on one withdrawal after another. bothMay says that the second
// decision may still be carried out after the first.
func decisionsRace(h *house, pair [2]decision, bothMay bool) {
	h.Helper()
	h.admin("finn", "finance", "")
	h.admin("ada", "finance", "")
	alice := h.player("alice", "")
	h.fund(alice, money.SOL, 1<<30)
	outcomes := map[withdrawal.Status]int{}
	left := int64(1 << 30)
	for n := range racesEach {
		amount := int64(1_000 + n)
		var made payouts.WithdrawalResult
		h.must(again(func() (err error) {
			made, err = h.Payouts.Withdraw(h.Context(), alice, payouts.WithdrawalRequest{Amount: amount, Token: string(money.SOL), Destination: string(alice.Wallet)})
			return err
		}))
		errs := h.race(alice, made.Withdrawal.ID, pair)
		stands, err := h.store.Withdrawal(h.Context(), made.Withdrawal.ID)
		h.must(err)
		outcomes[stands.Status]++
		if stands.Status == withdrawal.Approved {
			left -= amount
			h.must(h.rejectFree(stands.ID)) // makes room for the next one
			left += amount
		}
		h.oneWon(errs, bothMay)
		if balance := h.balanceOf(alice); balance != left {
			h.Fatalf("race %d came to %s and left %d, want %d", n, stands.Status, balance, left)
		}
	}
	total := 0
	for _, n := range outcomes {
		total += n
	}
	if total != racesEach || outcomes[withdrawal.Pending] > 0 {
		h.Errorf("outcomes: %v", outcomes)
	}
}

// race runs both decisions concurrently, each on its own instance.
func (h *house) race(player app.Caller, id string, pair [2]decision) [2]error {
	h.Helper()
	return h.meet(
		func(casino *app.Casino) error { return pair[0](h.Context(), casino, player, id) },
		func(casino *app.Casino) error { return pair[1](h.Context(), casino, player, id) },
	)
}

// again calls ask until the other instance is done with the player: on a busy machine that may
// take longer than an item waits, and then its answer is that nothing was done.
func again(ask func() error) (err error) {
	for range 100 {
		if err = ask(); !fault.Is(err, fault.Unavailable) {
			break
		}
	}
	return err
}

// meet runs both functions concurrently, each on its own instance.
func (h *house) meet(first, second func(*app.Casino) error) (errs [2]error) {
	h.Helper()
	var both sync.WaitGroup
	start := make(chan struct{})
	for i, casino := range []*app.Casino{h.Casino, h.other} {
		both.Go(func() {
			<-start
			errs[i] = again(func() error { return []func(*app.Casino) error{first, second}[i](casino) })
		})
	}
	close(start)
	both.Wait()
	return errs
}

// oneWon checks that one decision was carried out and the other is InvalidState. An approved
// withdrawal may still be rejected: then both were, one after the other.
func (h *house) oneWon(errs [2]error, bothMay bool) {
	h.Helper()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !fault.Is(err, fault.InvalidState):
			h.Error(err)
		}
	}
	if won != 1 && !(bothMay && won == 2) {
		h.Errorf("%d of two decisions were carried out: %v", won, fmt.Sprint(errs))
	}
}

func (h *house) rejectFree(id string) error {
	h.Helper()
	return again(func() error {
		_, err := h.Payouts.RejectWithdrawal(h.Context(), caller("finn"), payouts.WithdrawalDecision{ID: id, Reason: "after the race"})
		return err
	})
}

func (h *house) balanceOf(who app.Caller) int64 {
	h.Helper()
	balances, err := h.Accounts.Balances(h.Context(), who, time.Time{})
	h.must(err)
	for _, b := range balances {
		if b.Token == money.SOL {
			return int64(b.Amount)
		}
	}
	return 0
}
