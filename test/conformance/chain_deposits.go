package conformance

import (
	"testing"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// depositUnits is what the stories pay: more than any account's rent.
const depositUnits money.Amount = 25_000_000

// DepositReader proves the contract of ports.DepositReader.
func DepositReader(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Observe returns what the chain shows of a transaction, for the rules of domain/deposit: "+name, func(t *testing.T, c Chain) { observed(t, c, name) })
		onChain(t, newChain, "Observe tells the slot that a transaction landed in: "+name, func(t *testing.T, c Chain) { inSlots(t, c, name) })
		onChain(t, newChain, "a transaction that failed is found, and failed: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			c.Fund(player, terms, depositUnits)
			signature := c.Deposit(player, terms, depositUnits, true)
			c.Finalize()
			c.judged(t, signature, name, player, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.TransactionFailed})
		})
	}
	sub(t, "One that was never seen is an Observation with Found false, not an error", func(t *testing.T) {
		seen, err := newChain(t).Observe(t.Context(), fakes.Signature("never sent"))
		if err != nil || seen.Found || seen.Finalized || seen.Signature != fakes.Signature("never sent") {
			t.Errorf("%+v, %v", seen, err)
		}
	})
	onChain(t, newChain, "a text that is no signature is a fault of kind Invalid", func(t *testing.T, c Chain) {
		for _, text := range []string{"", "deposit", string(alice), fakes.Signature("x") + "1"} {
			if _, err := c.Observe(t.Context(), text); !fault.Is(err, fault.Invalid) {
				t.Errorf("Observe(%q): %v", text, err)
			}
		}
	})
	onChain(t, newChain, "a chain that can't be asked is a fault of kind External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Observe", errorOf(c.Observe(t.Context(), fakes.Signature("never sent"))))
	})
	onChain(t, newChain, "Treasury returns where deposits of a token arrive", func(t *testing.T, c Chain) {
		for name, terms := range c.both() {
			where, err := c.Treasury(terms)
			if err != nil || where.Owner != c.TreasuryAddress() || (where.TokenAccount == "") != (name == "SOL") || where.WrappedSOL == "" {
				t.Errorf("%s: %+v, %v", name, where, err)
			}
		}
	})
}

// observed follows a deposit of one token, with another player looking on.
func observed(t *testing.T, c Chain, name string) {
	terms, player, stranger := c.both()[name], c.NewWallet(), c.NewWallet()
	c.Fund(player, terms, depositUnits)
	signature := c.Deposit(player, terms, depositUnits-1, false)
	c.judged(t, signature, name, player, deposit.Verdict{Status: deposit.Pending})
	c.Finalize()
	good := deposit.Verdict{Status: deposit.Credited, Amount: depositUnits - 1, Sender: player}
	c.judged(t, signature, name, player, good)
	c.judged(t, signature, name, player, good)
	c.judged(t, signature, name, stranger, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.NotSender, Sender: player})
	for other := range c.both() {
		if other != name {
			c.judged(t, signature, other, player, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.NoCredit})
		}
	}
}

// inSlots follows two deposits, of which one is finalized before the other is made: what was
// paid before a watch began is told by its slot.
func inSlots(t *testing.T, c Chain, name string) {
	terms, player := c.both()[name], c.NewWallet()
	c.Fund(player, terms, 3*depositUnits)
	first := c.Deposit(player, terms, depositUnits, false)
	c.Finalize()
	second := c.Deposit(player, terms, depositUnits, false)
	c.Finalize()
	good := deposit.Verdict{Status: deposit.Credited, Amount: depositUnits, Sender: player}
	early := c.judged(t, first, name, player, good)
	late := c.judged(t, second, name, player, good)
	if early.Slot == 0 || late.Slot <= early.Slot {
		t.Errorf("the first landed in slot %d and the second in %d", early.Slot, late.Slot)
	}
}

// judged observes a transaction and checks the rules' verdict on it.
func (c Chain) judged(t *testing.T, signature, name string, claimant wallet.Address, want deposit.Verdict) deposit.Observation {
	t.Helper()
	terms := c.both()[name]
	seen, err := c.Observe(t.Context(), signature)
	if err != nil {
		t.Fatalf("Observe: %v", err)
	}
	if !seen.Found || seen.Signature != signature {
		t.Errorf("found %v, signature %s", seen.Found, seen.Signature)
	}
	where, err := c.Treasury(terms)
	if err != nil {
		t.Fatalf("Treasury: %v", err)
	}
	if got := deposit.Judge(seen, claimant, terms, where); got != want {
		t.Errorf("judged %+v, want %+v, of %+v", got, want, seen)
	}
	return seen
}
