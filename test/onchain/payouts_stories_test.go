package onchain_test

import (
	"sync"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/validator"
)

const payout money.Amount = 4_000_000

// rounds runs a worker's steps several times, with a second of the chain between two.
func (b *bank) rounds(worker *payouts.PayoutWorker, count int) (faults []error) {
	b.Helper()
	for range count {
		for range 40 {
			worked, err := worker.Step(b.Context())
			if err != nil {
				faults = append(faults, err)
			}
			if !worked {
				break
			}
		}
		b.slots(50)
	}
	return faults
}

// paid checks that a withdrawal was paid once, by its n-th transaction, and booked.
func (b *bank) paid(id string, attempts int, to wallet.Address, terms token.Terms, amount money.Amount) {
	b.Helper()
	if w := b.stands(id); w.Status != withdrawal.Completed || w.Attempt != attempts {
		b.Errorf("%s is %s after %d attempts: %s", id, w.Status, w.Attempt, w.Reason)
	}
	if got := b.received(to, terms); got != arrives(terms, amount) {
		b.Errorf("%d arrived, want %d", got, arrives(terms, amount))
	}
	for _, fault := range b.balanced() {
		b.Error(fault)
	}
}

// forgetting drops payouts: the node accepts them and forwards nothing.
func forgetting(c validator.Call) *validator.Reply {
	if c.Method != "sendTransaction" {
		return nil
	}
	return c.Result("1111111111111111111111111111111111111111111111111111111111111111")
}

// TestAnExpiredPayoutIsPaidOnceByItsSecondSignature also checks that the first bytes can't land
// if they appear later.
func TestAnExpiredPayoutIsPaidOnceByItsSecondSignature(t *testing.T) {
	t.Parallel()
	b := newBank(t, planted{}, 1, 2)
	for _, terms := range b.tokens() {
		to := b.fresh()
		id := b.withdraws(b.players[0], terms, payout, string(to))
		service := b.start(0)
		worker := service.Payouts.PayoutWorker()
		b.proxy.Spoil(func(c validator.Call) *validator.Reply {
			if b.stands(id).Attempt > 1 {
				return nil
			}
			return forgetting(c)
		})
		b.rounds(worker, 2)
		first, err := b.store.Attempt(t.Context(), id)
		if err != nil || b.stands(id).Status != withdrawal.Sending {
			t.Fatalf("%+v, %v", b.stands(id), err)
		}
		b.rounds(worker, 8) // beyond its last height, and final
		if err := b.node.Send(t.Context(), first); err != nil {
			t.Errorf("the first bytes: %v", err)
		}
		b.rounds(worker, 4)
		b.paid(id, 2, to, terms, payout)
	}
}

// TestAWorkerThatWasAwayForLong checks that it finds its payouts although their statuses left the
// recent cache long ago; and that a node without history proves nothing.
func TestAWorkerThatWasAwayForLong(t *testing.T) {
	t.Parallel()
	b := newBank(t, planted{}, 1, 3)
	terms, to := b.usd, b.fresh()
	id := b.withdraws(b.players[0], terms, payout, string(to))
	before := b.start(0)
	sent := false
	b.proxy.Spoil(func(c validator.Call) *validator.Reply {
		if c.Method != "sendTransaction" {
			return nil
		}
		c.Pass()
		sent, before.life.dead = true, true // it lands, and the process dies at once
		return &validator.Reply{Drop: true}
	})
	b.rounds(before.Payouts.PayoutWorker(), 3)
	if !sent || b.stands(id).Status != withdrawal.Sending {
		t.Fatalf("sent %v, %+v", sent, b.stands(id))
	}
	b.slots(10_000)
	for _, f := range validator.Faults {
		if f.Name != "pruned" && f.Name != "the statuses are gone" && f.Name != "stale" {
			continue
		}
		b.proxy.Spoil(f.Do)
		b.rounds(b.start(0).Payouts.PayoutWorker(), 10)
		if w := b.stands(id); w.Status != withdrawal.Sending || w.Attempt != 1 {
			t.Fatalf("%s: %+v", f.Name, w)
		}
	}
	b.proxy.Spoil(nil)
	b.rounds(b.start(0).Payouts.PayoutWorker(), 2)
	b.paid(id, 1, to, terms, payout)
}

// TestTwoWorkersOnOneQueuePayOnce runs them concurrently, with faults, until all is paid.
func TestTwoWorkersOnOneQueuePayOnce(t *testing.T) {
	t.Parallel()
	b := newBank(t, planted{}, 4, 4)
	var ids []string
	var to []wallet.Address
	for i := range openMax * len(b.players) {
		to = append(to, b.fresh())
		ids = append(ids, b.withdraws(b.players[i%len(b.players)], b.usd, payout, string(to[i])))
	}
	b.proxy.Spoil(b.randomly(0.15))
	for round := 0; round < 40 && !b.allEnded(ids); round++ {
		var both sync.WaitGroup
		for range 2 {
			worker := b.start(0).Payouts.PayoutWorker()
			both.Go(func() {
				for range 40 {
					if _, err := worker.Step(b.Context()); err != nil && !fault.Is(err, fault.External) {
						t.Errorf("%v", err)
					}
				}
			})
		}
		both.Wait()
		b.slots(50)
	}
	b.proxy.Spoil(nil)
	b.rounds(b.start(0).Payouts.PayoutWorker(), 8)
	for i, id := range ids {
		if w := b.stands(id); w.Status != withdrawal.Completed {
			t.Errorf("%s is %s: %s", id, w.Status, w.Reason)
		}
		if got := b.received(to[i], b.usd); got != uint64(payout) {
			t.Errorf("%s brought %d", id, got)
		}
	}
	for _, fault := range b.balanced() {
		t.Error(fault)
	}
}

// refused lets an impossible payout wait, rejects it, and checks that the player has the money
// back.
func (b *bank) refused(id string, p person, terms token.Terms, want withdrawal.Status) {
	b.Helper()
	if w := b.stands(id); w.Status != want {
		b.Errorf("%s is %s, want %s", id, w.Status, want)
	}
	if _, err := b.Payouts.RejectWithdrawal(b.Context(), b.ada, payouts.WithdrawalDecision{ID: id, Reason: "it can't be paid there"}); err != nil {
		b.Errorf("rejecting it: %v", err)
	}
	if got := b.balance(p, terms); got != stakeOf(terms) {
		b.Errorf("the player has %d of %s, had %d", got, terms.Symbol, stakeOf(terms))
	}
	for _, fault := range b.balanced() {
		b.Error(fault)
	}
}

// stakeOf returns what arrived of a player's stake.
func stakeOf(terms token.Terms) money.Amount { return money.Amount(arrives(terms, stake)) }

// TestPayoutsThatCannotBeMadeLoseNothing checks that each ends in a definite state, with the
// money back.
func TestPayoutsThatCannotBeMadeLoseNothing(t *testing.T) {
	t.Parallel()
	b := newBank(t, planted{}, 1, 5)
	p, authority := b.players[0], b.authority
	freezes := func(owner sol.PublicKey) sol.Instruction {
		return spltoken.NewFreezeAccountInstruction(account(owner, b.usd), mintOf(b.usd), authority.PublicKey(), nil).Build()
	}

	t.Log("an account that is frozen")
	friend := b.stranger()
	b.do([]sol.Instruction{freezes(friend.PublicKey())}, authority)
	id := b.withdraws(p, b.usd, payout, string(friend.Wallet))
	b.slots(3)
	b.rounds(b.start(0).Payouts.PayoutWorker(), 3)
	b.refused(id, p, b.usd, withdrawal.Approved)

	t.Log("an account that is frozen after the signature")
	friend = b.stranger()
	b.slots(3)
	id = b.withdraws(p, b.usd, payout, string(friend.Wallet))
	frozen := false
	b.proxy.Spoil(func(c validator.Call) *validator.Reply {
		if c.Method == "sendTransaction" && !frozen {
			b.do([]sol.Instruction{freezes(friend.PublicKey())}, authority)
			frozen = true
		}
		return nil
	})
	b.rounds(b.start(0).Payouts.PayoutWorker(), 4)
	b.refused(id, p, b.usd, withdrawal.Failed)

	t.Log("below what keeps an account alive")
	tooLittle := payouts.WithdrawalRequest{Amount: 100_000, Token: string(b.sol.Mint), Destination: string(b.fresh())}
	if _, err := b.Payouts.Withdraw(b.Context(), p.Caller, tooLittle); !fault.Is(err, fault.AmountOutOfRange) {
		b.Errorf("a withdrawal below the rent-exempt minimum: %v", err)
	}

	t.Log("an account that was handed over")
	friend = b.stranger()
	b.do([]sol.Instruction{handsOver(account(friend.PublicKey(), b.usd), friend.PublicKey(), p.PublicKey())}, friend.PrivateKey)
	b.slots(3)
	id = b.withdraws(p, b.usd, payout, string(friend.Wallet))
	b.rounds(b.start(0).Payouts.PayoutWorker(), 3)
	b.refused(id, p, b.usd, withdrawal.Approved)

	t.Log("a wallet without an account")
	to := b.fresh()
	id = b.withdraws(p, b.usd, payout, string(to))
	b.rounds(b.start(0).Payouts.PayoutWorker(), 4)
	b.paid(id, 1, to, b.usd, payout)
}
