package apptest

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

// Chain wraps the connection to the chain: it counts calls and fails where a test wants it to.
type Chain struct {
	app.Chain
	Fake *fakes.Chain

	Calls map[string]int
	// Fails are the outcomes of the next calls of a method; nil lets a call through.
	Fails map[string][]error
	// Lost are methods with a next call that is carried out and loses its response.
	Lost map[string]bool
	// Sent holds the bytes of every payout that was sent, oldest first.
	Sent []string
	// After runs once, after the next call of a method and before its result is used.
	After map[string]func()
	// Lacking makes it omit the effects of transactions.
	Lacking bool
	// Forgets makes it report every attempt as dead after this many blocks.
	Forgets uint64
}

// NewChain returns a chain that accepts the tokens under test.
func NewChain() *Chain { return ChainOver(fakes.NewChain(SOLTerms, ClosingTerms)) }

// ChainOver returns a chain over a fake that another may share.
func ChainOver(fake *fakes.Chain) *Chain {
	return &Chain{Chain: fake, Fake: fake, Calls: map[string]int{}, Fails: map[string][]error{}, Lost: map[string]bool{}, After: map[string]func(){}}
}

// ErrChain is what an adapter returns when the chain can't be reached.
var ErrChain = fault.New(fault.External, "the chain can't be reached")

func (w *Chain) call(method string) error {
	w.Calls[method]++
	script := w.Fails[method]
	if len(script) == 0 {
		return nil
	}
	w.Fails[method] = script[1:]
	return script[0]
}

func (w *Chain) then(method string) {
	if do := w.After[method]; do != nil {
		delete(w.After, method)
		do()
	}
}

// Observe implements ports.DepositReader.
func (w *Chain) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	if err := w.call("Observe"); err != nil {
		return deposit.Observation{}, err
	}
	defer w.then("Observe")
	seen, err := w.Chain.Observe(ctx, signature)
	if w.Lacking && seen.Finalized {
		seen = deposit.Observation{Signature: signature, Found: true, Incomplete: true}
	}
	return seen, err
}

// Sign implements ports.Payer.
func (w *Chain) Sign(ctx context.Context, p withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error) {
	if err := w.call("Sign"); err != nil {
		return withdrawal.Attempt{}, err
	}
	defer w.then("Sign")
	return w.Chain.Sign(ctx, p, terms)
}

// Send implements ports.Payer.
func (w *Chain) Send(ctx context.Context, attempt withdrawal.Attempt) error {
	w.Sent = append(w.Sent, string(attempt.Transaction))
	if err := w.call("Send"); err != nil {
		return err
	}
	err := w.Chain.Send(ctx, attempt)
	if w.Lost["Send"] {
		delete(w.Lost, "Send")
		return ErrChain
	}
	return err
}

// Outcome implements ports.Payer.
func (w *Chain) Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	if err := w.call("Fate"); err != nil {
		return withdrawal.Outcome{}, err
	}
	defer w.then("Fate")
	if w.Forgets > 0 {
		return withdrawal.Outcome{Status: withdrawal.Dead, Slot: w.Forgets}, nil
	}
	return w.Chain.Outcome(ctx, attempt)
}

// Signed implements ports.TreasuryHistory.
func (w *Chain) Signed(ctx context.Context, from treasury.Position, limit int) (ports.TreasuryPage, error) {
	if err := w.call("Signed"); err != nil {
		return ports.TreasuryPage{}, err
	}
	defer w.then("Signed")
	return w.Fake.Signed(ctx, from, limit)
}

// Give adds an amount of a token to an address.
func (w *Chain) Give(address string, of money.Token, amount money.Amount) {
	w.Fake.Fund(wallet.Address(address), of, amount)
}

// Pay lands a payment of a named wallet to the treasury.
func (w *Chain) Pay(name string, of money.Token, amount money.Amount) (signature string) {
	w.Fake.Fund(fakes.Wallet(name), of, amount)
	return w.Fake.Deposit(fakes.Wallet(name), of, amount)
}

// Held returns how much of a token an address holds.
func (w *Chain) Held(address string, of money.Token) money.Amount { return w.Fake.Held(address, of) }

// Finalize finalizes everything that landed.
func (w *Chain) Finalize() { w.Fake.Finalize() }

// Expire makes every payout dead that has not landed.
func (w *Chain) Expire() { w.Fake.Expire() }

// Fee is the cost of a landed payout.
const Fee = fakes.ChainFee
