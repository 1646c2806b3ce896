package conformance

import (
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// ChainPorts is every port to the chain.
type ChainPorts interface {
	ports.DepositReader
	ports.DepositTransactions
	ports.DepositHistory
	ports.Mints
	ports.Payer
	ports.TreasuryHistory
	ports.ChainProbe
	ports.ChainHeights
	ports.HouseAddresses
}

// Chain is an adapter under test with a chain behind it, of this test alone. The
// treasury holds plenty of both tokens, finalized; nobody else holds anything.
// The functions fail the test themselves.
type Chain struct {
	ChainPorts
	// SOL and SPL are the terms of native SOL and of an accepted token.
	SOL, SPL token.Terms
	// NewWallet makes a key that owns nothing and returns its address.
	NewWallet func() wallet.Address
	// Fund gives a wallet of NewWallet money, and enough SOL beside it to pay for
	// its transactions.
	Fund func(w wallet.Address, terms token.Terms, amount money.Amount)
	// Deposit lands a payment to the treasury and returns its signature; with fails
	// it lands with an error. It isn't finalized yet.
	Deposit func(from wallet.Address, terms token.Terms, amount money.Amount, fails bool) (signature string)
	// Pay has a wallet of NewWallet sign the transaction, which needs no other signature,
	// and sends it. It returns its signature, and whether it landed by that, without an error.
	Pay func(from wallet.Address, transaction []byte) (signature string, landed bool)
	// Held is what an address holds now, finalized or not.
	Held func(address string, terms token.Terms) money.Amount
	// Finalize advances the chain until all that landed is finalized.
	Finalize func()
	// Expire advances the chain until nothing that was signed so far can land,
	// and that is finalized.
	Expire func()
	// Drain takes all that the treasury holds of a token away.
	Drain func(terms token.Terms)
	// Occupied returns the address of an account that belongs to a program, although
	// a key could sign for it.
	Occupied func() string
	// TooSmall is an amount of SOL that no new account can begin with.
	TooSmall money.Amount
	// SetUnreachable cuts the adapter off the chain and connects it again.
	SetUnreachable func(bool)
	// LoseAnswer carries the next call out and loses its answer.
	LoseAnswer func()
}

func (c Chain) both() map[string]token.Terms {
	return map[string]token.Terms{"SOL": c.SOL, "token": c.SPL}
}

// onChain runs a subtest on a chain of its own.
func onChain(t *testing.T, newChain func(t *testing.T) Chain, sentence string, prove func(t *testing.T, c Chain)) {
	t.Helper()
	sub(t, sentence, func(t *testing.T) { prove(t, newChain(t)) })
}

// approved is a withdrawal that waits to be signed.
func approved(id string, terms token.Terms, amount money.Amount, destination string) withdrawal.Withdrawal {
	return withdrawal.Withdrawal{
		ID: id, Wallet: alice, Token: terms.Mint, Amount: amount, Destination: destination, Status: withdrawal.Approved,
	}
}

// signed has a payout of the amount to the destination signed.
func (c Chain) signed(t *testing.T, id string, terms token.Terms, amount money.Amount, destination string) withdrawal.Attempt {
	t.Helper()
	attempt, err := c.Sign(t.Context(), approved(id, terms, amount, destination), terms)
	if err != nil {
		t.Fatalf("Sign: %v", err)
	}
	return attempt
}

func (c Chain) send(t *testing.T, attempt withdrawal.Attempt) {
	t.Helper()
	if err := c.Send(t.Context(), attempt); err != nil {
		t.Fatalf("Send: %v", err)
	}
}

// fate checks an attempt's fate and returns the outcome.
func (c Chain) fate(t *testing.T, attempt withdrawal.Attempt, want withdrawal.AttemptStatus) withdrawal.Outcome {
	t.Helper()
	outcome, err := c.Outcome(t.Context(), attempt)
	if err != nil || outcome.Status != want {
		t.Fatalf("Fate: %+v, %v; want fate %d", outcome, err, want)
	}
	return outcome
}

// holds checks a balance.
func (c Chain) holds(t *testing.T, address string, terms token.Terms, want money.Amount) {
	t.Helper()
	if got := c.Held(address, terms); got != want {
		t.Errorf("%s holds %d, want %d", address, got, want)
	}
}

// holding is what the treasury holds, finalized.
func (c Chain) holding(t *testing.T, terms token.Terms) money.Amount {
	t.Helper()
	held, err := c.Holding(t.Context(), terms)
	if err != nil {
		t.Fatalf("Holding: %v", err)
	}
	return held
}

// external checks for the fault of an unreachable chain.
func external(t *testing.T, what string, err error) {
	t.Helper()
	if !fault.Is(err, fault.External) {
		t.Errorf("%s: %v, want a fault of kind External", what, err)
	}
}
