package solana_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// driver is a payout worker over a book in memory: it commits the results of
// domain/player's decisions, and dies at any point between two steps.
type driver struct {
	*world
	random   *rand.Rand
	view     player.View
	attempts map[string]withdrawal.Attempt
	costs    money.Amount
	paid     map[money.Token]money.Amount
	reruns   int
}

// crashes says whether the worker dies here: one time in ten.
func (d *driver) crashes() bool { return d.random.IntN(10) == 0 }

func (d *driver) commit(change player.Change, err error) error {
	if err != nil {
		return err
	}
	next, err := player.Apply(d.view, change)
	if err != nil {
		return err
	}
	d.view = next
	if change.Attempt != nil {
		d.attempts[change.Attempt.WithdrawalID] = *change.Attempt
	}
	for _, posting := range change.Postings {
		for _, t := range posting.Transfers {
			switch {
			case posting.Key.Kind == ledger.PayoutFee:
				d.costs += t.Amount
			case posting.Key.Kind == ledger.Payout:
				d.paid[t.Token] += t.Amount
			}
		}
	}
	return nil
}

// step advances one withdrawal, as the real worker does.
func (d *driver) step(ctx context.Context, id string) error {
	w := d.view.Withdrawals[id]
	switch w.Status {
	case withdrawal.Approved:
		attempt, err := d.Sign(ctx, w, d.terms(w.Token))
		if err != nil || d.crashes() {
			return err
		}
		if err := d.commit(player.Sign(d.view, attempt, fakes.Start)); err != nil || d.crashes() {
			return err
		}
		return d.Send(ctx, attempt)
	case withdrawal.Sending:
		attempt := d.attempts[id]
		outcome, err := d.Outcome(ctx, attempt)
		switch {
		case err != nil || d.crashes():
			return err
		case outcome.Status == withdrawal.Unknown:
			return d.Send(ctx, attempt)
		case outcome.Status == withdrawal.Landed:
			return nil
		case outcome.Status == withdrawal.Dead:
			d.reruns++
		}
		return d.commit(player.Settle(d.view, id, attempt.Number, outcome, fakes.Start))
	}
	return nil
}

func (d *driver) terms(mint money.Token) token.Terms {
	if mint == money.SOL {
		return d.sol
	}
	return d.spl
}

// spoilSome makes the proxy spoil a share of the calls in a random way, and drops
// some sends as a congested chain does.
func (d *driver) spoilSome(share float64) {
	random := rand.New(rand.NewPCG(d.random.Uint64(), 3)) // the proxy is asked from other goroutines
	var mu sync.Mutex
	d.spoiled(func(c call) *reply {
		mu.Lock()
		defer mu.Unlock()
		if c.method == "sendTransaction" && random.Float64() < 0.5 {
			return c.result(fakes.Signature("accepted and forgotten"))
		}
		if random.Float64() >= share {
			return nil
		}
		switch random.IntN(4) {
		case 0: // a node that forgot, or was pruned
			if c.method == "getSignatureStatuses" {
				return c.result(statusOf(1, []any{nil}))
			}
			if c.method == "getFirstAvailableBlock" {
				return c.result(farAhead)
			}
		case 1: // a node that reports slots as heights
			if c.method == "getBlockHeight" {
				return c.result(farAhead)
			}
		}
		return spoils[random.IntN(len(spoils))].do(c)
	})
}

// TestRandomPayoutsLandOnce drives payouts through faults and crashes until all
// are paid, and counts every unit on chain. CASINO_TEST_PAYOUT_SEED replays one.
func TestRandomPayoutsLandOnce(t *testing.T) {
	t.Parallel()
	seeds := []uint64{1, 2, 3, 4}
	if text := os.Getenv("CASINO_TEST_PAYOUT_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seeds = []uint64{seed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			drive(t, seed)
		})
	}
}

const payouts = 48

func drive(t *testing.T, seed uint64) {
	d := &driver{
		world: newWorld(t), random: rand.New(rand.NewPCG(seed, 11)),
		attempts: map[string]withdrawal.Attempt{}, paid: map[money.Token]money.Amount{},
		view: player.View{
			Player: player.Player{Wallet: fakes.Wallet("alice")}, Withdrawals: map[string]withdrawal.Withdrawal{},
			Balances: map[money.Token]money.Amount{},
		},
	}
	owed := map[wallet.Address]map[money.Token]money.Amount{}
	people := []wallet.Address{d.newWallet(), d.newWallet(), d.newWallet(), d.newWallet(), d.newWallet()}
	for i := range payouts {
		terms := []token.Terms{d.sol, d.spl}[i%2]
		to := people[d.random.IntN(len(people))]
		amount := money.Amount(1_000_000 + d.random.Int64N(1_000_000))
		id := fmt.Sprintf("w%02d", i)
		d.view.Withdrawals[id] = withdrawal.Withdrawal{
			ID: id, Wallet: d.view.Player.Wallet, Token: terms.Mint, Amount: amount, Destination: string(to), Status: withdrawal.Approved,
		}
		if owed[to] == nil {
			owed[to] = map[money.Token]money.Amount{}
		}
		owed[to][terms.Mint] += amount
	}
	lamports, units := d.held(d.treasury.PublicKey().String(), d.sol), d.held(d.treasury.PublicKey().String(), d.spl)
	d.spoilSome(0.45)
	faults := 0
	open := payouts
	for round := 0; open > 0 && round < 5_000; round++ {
		id := fmt.Sprintf("w%02d", d.random.IntN(payouts))
		if err := d.step(t.Context(), id); err != nil {
			if faults++; !fault.Is(err, fault.External) {
				t.Fatalf("%s: %v", id, err)
			}
		}
		d.slots(d.random.IntN(12))
		if round%1_000 == 999 {
			d.spoilSome(0.1) // a quiet hour, or the rare ones never end
		}
		open = 0
		for _, w := range d.view.Withdrawals {
			if w.Status != withdrawal.Completed {
				open++
			}
		}
	}
	if open > 0 {
		t.Fatalf("%d of %d are still open", open, payouts)
	}
	for _, to := range people {
		for mint, amount := range owed[to] {
			if got := d.held(string(to), d.terms(mint)); got != amount {
				t.Errorf("%s was owed %d and got %d", to, amount, got)
			}
		}
	}
	gone := lamports - d.held(d.treasury.PublicKey().String(), d.sol)
	if gone != d.paid[money.SOL]+d.costs {
		t.Errorf("%d lamports left the treasury, %d are booked as paid and %d as cost", gone, d.paid[money.SOL], d.costs)
	}
	if gone := units - d.held(d.treasury.PublicKey().String(), d.spl); gone != d.paid[d.spl.Mint] {
		t.Errorf("%d of the token left the treasury, %d are booked", gone, d.paid[d.spl.Mint])
	}
	t.Logf("seed %d: %d payouts, %d faults, %d attempts proved dead", seed, payouts, faults, d.reruns)
	if faults < 20 || d.reruns < 1 {
		t.Error("too quiet a run to prove anything")
	}
}
