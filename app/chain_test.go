package app_test

import (
	"context"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// wire is the connection to the chain: it counts calls and fails where a test wants it
// to.
type wire struct {
	app.Chain
	fake *fakes.Chain

	calls map[string]int
	// fails are the outcomes of the next calls of a method; nil lets a call through.
	fails map[string][]error
	// lost are methods whose next call is carried out and its response lost.
	lost map[string]bool
	// sent is every payout's bytes that were sent, oldest first.
	sent []string
	// after runs once when the next call of a method has been made, before its result is
	// used.
	after map[string]func()
	// lacking makes it leave out what transactions did.
	lacking bool
	// forgets makes it call every attempt dead, as of so many blocks.
	forgets uint64
}

func newWire() *wire { return wireTo(fakes.NewChain(solTerms, closing)) }

func wireTo(fake *fakes.Chain) *wire {
	return &wire{Chain: fake, fake: fake, calls: map[string]int{}, fails: map[string][]error{}, lost: map[string]bool{}, after: map[string]func(){}}
}

// errChain is what an adapter returns when the chain can't be reached.
var errChain = fault.New(fault.External, "the chain can't be reached")

func (w *wire) call(method string) error {
	w.calls[method]++
	script := w.fails[method]
	if len(script) == 0 {
		return nil
	}
	w.fails[method] = script[1:]
	return script[0]
}

func (w *wire) then(method string) {
	if do := w.after[method]; do != nil {
		delete(w.after, method)
		do()
	}
}

func (w *wire) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	if err := w.call("Observe"); err != nil {
		return deposit.Observation{}, err
	}
	defer w.then("Observe")
	seen, err := w.Chain.Observe(ctx, signature)
	if w.lacking && seen.Finalized {
		seen = deposit.Observation{Signature: signature, Found: true, Incomplete: true}
	}
	return seen, err
}

func (w *wire) Sign(ctx context.Context, p withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error) {
	if err := w.call("Sign"); err != nil {
		return withdrawal.Attempt{}, err
	}
	defer w.then("Sign")
	return w.Chain.Sign(ctx, p, terms)
}

func (w *wire) Send(ctx context.Context, attempt withdrawal.Attempt) error {
	w.sent = append(w.sent, string(attempt.Transaction))
	if err := w.call("Send"); err != nil {
		return err
	}
	err := w.Chain.Send(ctx, attempt)
	if w.lost["Send"] {
		delete(w.lost, "Send")
		return errChain
	}
	return err
}

func (w *wire) Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	if err := w.call("Fate"); err != nil {
		return withdrawal.Outcome{}, err
	}
	defer w.then("Fate")
	if w.forgets > 0 {
		return withdrawal.Outcome{Status: withdrawal.Dead, Slot: w.forgets}, nil
	}
	return w.Chain.Outcome(ctx, attempt)
}

func (w *wire) Signed(ctx context.Context, from treasury.Position, limit int) (ports.TreasuryPage, error) {
	if err := w.call("Signed"); err != nil {
		return ports.TreasuryPage{}, err
	}
	defer w.then("Signed")
	return w.fake.Signed(ctx, from, limit)
}

// give adds so much of a token to an address.
func (w *wire) give(address string, of money.Token, amount money.Amount) {
	w.fake.Fund(wallet.Address(address), of, amount)
}

// pay lands a payment of a named wallet to the treasury.
func (w *wire) pay(name string, of money.Token, amount money.Amount) (signature string) {
	w.fake.Fund(fakes.Wallet(name), of, amount)
	return w.fake.Deposit(fakes.Wallet(name), of, amount)
}

func (w *wire) holds(address string, of money.Token) money.Amount { return w.fake.Held(address, of) }

func (w *wire) finalize() { w.fake.Finalize() }

// expire makes every payout dead that has not landed.
func (w *wire) expire() { w.fake.Expire() }

// fee is what a landed payout costs.
const fee = fakes.ChainFee
