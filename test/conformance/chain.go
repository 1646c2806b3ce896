package conformance

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
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
	ports.Memos
}

// Chain is an adapter under test and its chain, for one test. The treasury holds plenty of both
// tokens, finalized; other accounts are empty. The functions fail the test themselves.
type Chain struct {
	ChainPorts
	// SOL and SPL are the terms of native SOL and of an accepted token.
	SOL, SPL token.Terms
	// NewWallet makes a key without any money and returns its address.
	NewWallet func() wallet.Address
	// Fund gives money to a wallet of NewWallet, and enough SOL to pay for its transactions.
	Fund func(w wallet.Address, terms token.Terms, amount money.Amount)
	// Deposit lands a payment to the treasury, not finalized yet, and returns its signature; with
	// fails it lands with an error.
	Deposit func(from wallet.Address, terms token.Terms, amount money.Amount, fails bool) (signature string)
	// Pay makes a wallet of NewWallet sign the transaction, which needs no other signature, and
	// sends it. It returns its signature, and whether it landed without an error.
	Pay func(from wallet.Address, transaction []byte) (signature string, landed bool)
	// Held returns the current balance of an address, finalized or not.
	Held func(address string, terms token.Terms) money.Amount
	// Finalize advances the chain until all landed transactions are finalized.
	Finalize func()
	// Expire advances the chain until no transaction signed so far can land, and until this is
	// finalized.
	Expire func()
	// Drain removes all that the treasury holds of a token.
	Drain func(terms token.Terms)
	// Occupied returns the address of a program's account for which a key could also sign.
	Occupied func() string
	// TooSmall is an amount of SOL that is below the minimum of a new account.
	TooSmall money.Amount
	// SetUnreachable disconnects the adapter from the chain or connects it again.
	SetUnreachable func(bool)
	// LoseAnswer carries out the next call and loses its answer.
	LoseAnswer func()
}

func (c Chain) both() map[string]token.Terms {
	return map[string]token.Terms{"SOL": c.SOL, "token": c.SPL}
}

// onChain runs a subtest on its own chain.
func onChain(t *testing.T, newChain func(t *testing.T) Chain, sentence string, prove func(t *testing.T, c Chain)) {
	t.Helper()
	sub(t, sentence, func(t *testing.T) { prove(t, newChain(t)) })
}

// approved returns a withdrawal that waits to be signed.
func approved(id string, terms token.Terms, amount money.Amount, destination string) withdrawal.Withdrawal {
	return withdrawal.Withdrawal{
		ID: id, Wallet: alice, Token: terms.Mint, Amount: amount, Destination: destination, Status: withdrawal.Approved,
	}
}

// signed signs a payout of the amount to the destination.
func (c Chain) signed(t *testing.T, id string, terms token.Terms, amount money.Amount, destination string) withdrawal.Attempt {
	t.Helper()
	attempt, err := c.Sign(t.Context(), approved(id, terms, amount, destination), terms)
	fatalIf(t, err != nil, "Sign: %v", err)
	return attempt
}

func (c Chain) send(t *testing.T, attempt withdrawal.Attempt) {
	t.Helper()
	err := c.Send(t.Context(), attempt)
	fatalIf(t, err != nil, "Send: %v", err)
}

// fate checks an attempt's status and returns the outcome.
func (c Chain) fate(t *testing.T, attempt withdrawal.Attempt, want withdrawal.AttemptStatus) withdrawal.Outcome {
	t.Helper()
	outcome, err := c.Outcome(t.Context(), attempt)
	fatalIf(t, err != nil || outcome.Status != want, "Fate: %+v, %v; want fate %d", outcome, err, want)
	return outcome
}

// holds checks a balance.
func (c Chain) holds(t *testing.T, address string, terms token.Terms, want money.Amount) {
	t.Helper()
	got := c.Held(address, terms)
	errorIf(t, got != want, "%s holds %d, want %d", address, got, want)
}

// holding returns the treasury's finalized balance.
func (c Chain) holding(t *testing.T, terms token.Terms) money.Amount {
	t.Helper()
	held, err := c.Holding(t.Context(), terms)
	fatalIf(t, err != nil, "Holding: %v", err)
	return held
}

// external checks for the fault of an unreachable chain.
func external(t *testing.T, what string, err error) {
	t.Helper()
	errorIf(t, !fault.Is(err, fault.External), "%s: %v, want a fault of kind External", what, err)
}

// FakeChain returns fakes.Chain in the form for the suites, with plenty of SOL and of one token
// in its treasury. Use it for the ports that your adapter doesn't implement.
func FakeChain() Chain {
	sol, spl := fakes.Terms(), fakes.TermsOf("usd")
	sol.MinDeposit, spl.MinDeposit = 1, 1
	chain := fakes.NewChain(sol, spl)
	house := wallet.Address(chain.TreasuryAddress())
	chain.Fund(house, sol.Mint, 1_000_000_000_000)
	chain.Fund(house, spl.Mint, 1_000_000_000_000)
	made := 0
	return Chain{
		ChainPorts: chain, SOL: sol, SPL: spl,
		NewWallet: func() wallet.Address {
			made++
			return fakes.Wallet(fmt.Sprintf("wallet %d", made))
		},
		Fund: func(w wallet.Address, terms token.Terms, amount money.Amount) { chain.Fund(w, terms.Mint, amount) },
		Deposit: func(from wallet.Address, terms token.Terms, amount money.Amount, fails bool) string {
			if fails {
				return chain.FailedDeposit(from, terms.Mint)
			}
			return chain.Deposit(from, terms.Mint, amount)
		},
		Pay:      chain.Pay,
		Held:     func(address string, terms token.Terms) money.Amount { return chain.Held(address, terms.Mint) },
		Finalize: chain.Finalize,
		Expire:   chain.Expire,
		Drain:    func(terms token.Terms) { chain.Drain(terms.Mint) },
		Occupied: func() string {
			chain.Occupy(string(fakes.Wallet("program")))
			return string(fakes.Wallet("program"))
		},
		TooSmall: fakes.ChainMinimum - 1, SetUnreachable: chain.SetUnreachable,
		LoseAnswer: func() { chain.Script("Send", fakes.AnswerLost) },
	}
}

// ChainHeights proves the contract of ports.ChainHeights.
func ChainHeights(t *testing.T, newChain func(t *testing.T) Chain) {
	heights := func(t *testing.T, c Chain) ports.Heights {
		t.Helper()
		h, err := c.Heights(t.Context())
		ok(t, err)
		return h
	}
	onChain(t, newChain, "a transaction that is signed until now can land until the last valid height", func(t *testing.T, c Chain) {
		attempt := c.signed(t, "w1", c.SOL, payoutUnits, string(c.NewWallet()))
		if got := heights(t, c); got.LastValid < attempt.LastValidHeight || got.Finalized >= got.LastValid {
			t.Errorf("%+v, an attempt can land until %d", got, attempt.LastValidHeight)
		}
	})
	onChain(t, newChain, "a signed payout never lands once the finalized height is beyond it", func(t *testing.T, c Chain) {
		attempt := c.signed(t, "w1", c.SOL, payoutUnits, string(c.NewWallet()))
		before := heights(t, c)
		c.Expire()
		if after := heights(t, c); after.Finalized <= before.LastValid || after.Finalized < before.Finalized {
			t.Errorf("%+v, and %+v when everything had expired", before, after)
		}
		_ = c.Send(t.Context(), attempt) // its error doesn't say whether it landed
		c.Finalize()
		if outcome, err := c.Outcome(t.Context(), attempt); err != nil || outcome.Status != withdrawal.Dead {
			t.Errorf("%+v, %v", outcome, err)
		}
	})
	onChain(t, newChain, "a chain that can't be asked is a fault of kind External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Heights", errorOf(c.Heights(t.Context())))
	})
}

// Memos proves the contract of ports.Memos.
func Memos(t *testing.T, newChain func(t *testing.T) Chain) {
	onChain(t, newChain, "Key returns the address that signs and pays, and its public key", func(t *testing.T, c Chain) {
		if address, key := c.Key(); address != c.TreasuryAddress() || !bytes.Equal(key, wallet.Address(address).PublicKey()) {
			t.Errorf("%s %x", address, key)
		}
	})
	onChain(t, newChain, "a memo is read once it is finalized, as it was signed, and lands only once", func(t *testing.T, c Chain) {
		for _, text := range []string{"casino-log-1 casino/l/1 5 AAAA", "ä", strings.Repeat("a", 400)} {
			signed, err := c.SignMemo(t.Context(), text)
			ok(t, err)
			for range 2 {
				ok(t, c.SendMemo(t.Context(), signed))
			}
			if early, err := c.ReadMemo(t.Context(), signed.Signature); !fault.Is(err, fault.NotFound) {
				t.Errorf("before it is finalized: %+v, %v", early, err)
			}
			c.Finalize()
			memo, err := c.ReadMemo(t.Context(), signed.Signature)
			ok(t, err)
			if memo.Text != text || memo.By != c.TreasuryAddress() || memo.Slot == 0 {
				t.Errorf("read as %+v, signed %q", memo, text)
			}
		}
	})
	onChain(t, newChain, "SignMemo sends nothing, and above LastValidHeight the bytes can't land", func(t *testing.T, c Chain) {
		signed, err := c.SignMemo(t.Context(), "late")
		ok(t, err)
		c.Expire()
		heights, err := c.Heights(t.Context())
		ok(t, err)
		errorIf(t, heights.Finalized <= signed.LastValidHeight, "%d is finalized, the memo is valid up to %d", heights.Finalized, signed.LastValidHeight)
		_ = c.SendMemo(t.Context(), signed) // a node may refuse or ignore it
		c.Finalize()
		if memo, err := c.ReadMemo(t.Context(), signed.Signature); !fault.Is(err, fault.NotFound) {
			t.Errorf("%+v, %v", memo, err)
		}
	})
	onChain(t, newChain, "a transaction without a memo and an unknown one are not found", func(t *testing.T, c Chain) {
		player := c.NewWallet()
		c.Fund(player, c.SOL, 2*payoutUnits)
		paid := c.Deposit(player, c.SOL, payoutUnits, false)
		c.Finalize()
		for _, signature := range []string{paid, fakes.Signature("none")} {
			if memo, err := c.ReadMemo(t.Context(), signature); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %+v, %v", signature, memo, err)
			}
		}
	})
	onChain(t, newChain, "a chain that can't be queried is a fault of kind External", func(t *testing.T, c Chain) {
		signed, err := c.SignMemo(t.Context(), "text")
		ok(t, err)
		c.SetUnreachable(true)
		external(t, "SignMemo", errorOf(c.SignMemo(t.Context(), "text")))
		external(t, "SendMemo", c.SendMemo(t.Context(), signed))
		external(t, "ReadMemo", errorOf(c.ReadMemo(t.Context(), fakes.Signature("none"))))
	})
}

// ChainHead proves the contract of ports.ChainHead, on an adapter and the chain behind it.
func ChainHead(t *testing.T, newChain func(t *testing.T) (Chain, ports.ChainHead)) {
	head := func(t *testing.T, of ports.ChainHead) (uint64, time.Time) {
		t.Helper()
		slot, made, err := of.Head(t.Context())
		ok(t, err)
		return slot, made
	}
	sub(t, "a finalized slot and its time in whole seconds", func(t *testing.T) {
		c, of := newChain(t)
		c.Finalize()
		if slot, made := head(t, of); slot == 0 || made.Year() < 2020 || made.Nanosecond() != 0 {
			t.Errorf("slot %d, made %s", slot, made)
		}
	})
	sub(t, "a deposit finalized later has a greater slot", func(t *testing.T) {
		c, of := newChain(t)
		player := c.NewWallet()
		c.Fund(player, c.SOL, payoutUnits)
		before, at := head(t, of)
		c.Deposit(player, c.SOL, payoutUnits/2, false)
		c.Finalize()
		if after, made := head(t, of); after <= before || made.Before(at) {
			t.Errorf("slot %d of %s, then %d of %s", before, at, after, made)
		}
	})
	sub(t, "a chain that can't be asked is a fault of kind External", func(t *testing.T) {
		c, of := newChain(t)
		c.SetUnreachable(true)
		_, _, err := of.Head(t.Context())
		external(t, "Head", err)
	})
}

// Mints proves the contract of ports.Mints.
func Mints(t *testing.T, newChain func(t *testing.T) Chain) {
	onChain(t, newChain, "Mint returns the token's mint, finalized", func(t *testing.T, c Chain) {
		for name, terms := range c.both() {
			mint, err := c.Mint(t.Context(), terms)
			errorIf(t, err != nil || mint.Program != terms.Program || mint.Decimals != terms.Decimals || len(mint.Extensions) > 0,
				"%s: %+v, %v", name, mint, err)
			if err := terms.CheckMint(mint); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	onChain(t, newChain, "One that does not exist, or is no mint, is the zero Mint, not an error", func(t *testing.T, c Chain) {
		terms := c.SPL
		for _, address := range []string{string(fakes.Mint("nowhere")), string(c.NewWallet()), c.TreasuryAddress()} {
			terms.Mint = money.Token(address)
			mint, err := c.Mint(t.Context(), terms)
			errorIf(t, err != nil || mint.Program != "" || mint.Decimals != 0 || len(mint.Extensions) > 0,
				"%s: %+v, %v", address, mint, err)
		}
	})
	onChain(t, newChain, "a chain that can't be asked is a fault of kind External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Mint", errorOf(c.Mint(t.Context(), c.SPL)))
	})
}

// ChainProbe proves the contract of ports.ChainProbe.
func ChainProbe(t *testing.T, newChain func(t *testing.T) Chain) {
	onChain(t, newChain, "Genesis returns the chain's genesis hash", func(t *testing.T, c Chain) {
		first, err := c.Genesis(t.Context())
		fatalIf(t, err != nil || first == "", "%q, %v", first, err)
		c.Finalize()
		if again, err := c.Genesis(t.Context()); err != nil || again != first {
			t.Errorf("%q, %v; before %q", again, err, first)
		}
		c.SetUnreachable(true)
		_, err = c.Genesis(t.Context())
		external(t, "Genesis", err)
	})
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Holding returns what the treasury holds of a token, finalized, in base units: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			c.Fund(player, terms, depositUnits)
			before := c.holding(t, terms)
			c.Deposit(player, terms, depositUnits, false)
			if got := c.holding(t, terms); got != before {
				t.Errorf("%d before and %d after a deposit that isn't finalized", before, got)
			}
			c.Finalize()
			if got := c.holding(t, terms); got != before+depositUnits {
				t.Errorf("%d before, %d after a deposit of %d", before, got, depositUnits)
			}
			c.Drain(terms)
			c.Finalize()
			if got := c.holding(t, terms); name != "SOL" && got != 0 {
				t.Errorf("%d after all was taken away", got)
			}
			c.SetUnreachable(true)
			_, err := c.Holding(t.Context(), terms)
			external(t, "Holding", err)
		})
	}
	onChain(t, newChain, "Healthy returns nil when the chain answers and is not behind", func(t *testing.T, c Chain) {
		if err := c.Healthy(t.Context()); err != nil {
			t.Error(err)
		}
		c.SetUnreachable(true)
		external(t, "Healthy", c.Healthy(t.Context()))
		c.SetUnreachable(false)
		if err := c.Healthy(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// HouseAddresses proves the contract of ports.HouseAddresses.
func HouseAddresses(t *testing.T, newChain func(t *testing.T) Chain) {
	onChain(t, newChain, "TreasuryAddress returns the wallet deposits are sent to", func(t *testing.T, c Chain) {
		if _, err := wallet.Parse(c.TreasuryAddress()); err != nil {
			t.Errorf("%s: %v", c.TreasuryAddress(), err)
		}
		if where, err := c.Treasury(c.SOL); err != nil || where.Owner != c.TreasuryAddress() {
			t.Errorf("%+v, %v", where, err)
		}
	})
	onChain(t, newChain, "Reserved reports whether the address is the treasury, one of its token accounts, or an accepted mint", func(t *testing.T, c Chain) {
		where, err := c.Treasury(c.SPL)
		ok(t, err)
		for _, address := range []string{
			c.TreasuryAddress(), where.TokenAccount, where.WrappedSOL, string(c.SPL.Mint), string(c.SOL.Mint),
		} {
			errorIf(t, !c.Reserved(address), "%s isn't reserved", address)
		}
		for _, address := range []string{"", string(alice), string(c.NewWallet()), c.TreasuryAddress() + " "} {
			errorIf(t, c.Reserved(address), "%q is reserved", address)
		}
	})
}
