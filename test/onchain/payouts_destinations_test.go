package onchain_test

import (
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	token2022 "github.com/gagliardetto/solana-go/programs/token-2022"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// extends gives an owner's Token-2022 account room for an extension and enables it.
func extends(owner person, terms token.Terms, extension token2022.ExtensionType, enables func(account, owner sol.PublicKey) sol.Instruction) []sol.Instruction {
	own, key := account(owner.PublicKey(), terms), owner.PublicKey()
	return []sol.Instruction{
		token2022.NewReallocateInstruction([]token2022.ExtensionType{extension}, own, key, key, nil).Build(),
		enables(own, key),
	}
}

func requiresMemo(account, owner sol.PublicKey) sol.Instruction {
	return token2022.NewEnableMemoTransferInstruction(account, owner, nil).Build()
}

func guardsCPI(account, owner sol.PublicKey) sol.Instruction {
	return token2022.NewEnableCpiGuardInstruction(account, owner, nil).Build()
}

// TestPayoutsToAccountsWithExtensions checks that a payout arrives with any extension that the
// owner of a Token-2022 account may have enabled, or the withdrawal says why not and its player
// cancels it. The token takes a fee on all transfers.
func TestPayoutsToAccountsWithExtensions(t *testing.T) {
	t.Parallel()
	b := newBank(t, planted{}, 1, 6)
	p, authority := b.players[0], b.authority
	freezes := func(owner sol.PublicKey, terms token.Terms) {
		b.do([]sol.Instruction{
			token2022.NewFreezeAccountInstruction(account(owner, terms), mintOf(terms), authority.PublicKey(), nil).Build(),
		}, authority)
	}
	thaws := func(owner sol.PublicKey, terms token.Terms) {
		b.do([]sol.Instruction{
			token2022.NewThawAccountInstruction(account(owner, terms), mintOf(terms), authority.PublicKey(), nil).Build(),
		}, authority)
	}
	for name, extension := range map[string]struct {
		number  token2022.ExtensionType
		enables func(account, owner sol.PublicKey) sol.Instruction
	}{
		"a memo is required": {token2022.ExtensionMemoTransfer, requiresMemo},
		"CPI guard":          {token2022.ExtensionCpiGuard, guardsCPI},
	} {
		t.Log(name)
		friend := b.stranger()
		b.do(extends(friend, b.fee, extension.number, extension.enables), friend.PrivateKey)
		b.slots(3)
		before := b.received(friend.Wallet, b.fee)
		id := b.withdraws(p, b.fee, payout, string(friend.Wallet))
		b.rounds(b.start(0).Payouts.PayoutWorker(), 4)
		if w := b.stands(id); w.Status != withdrawal.Completed {
			t.Errorf("%s: it is %s: %s", name, w.Status, w.Reason)
		}
		if got := b.received(friend.Wallet, b.fee) - before; got != arrives(b.fee, payout) {
			t.Errorf("%s: %d arrived, want %d", name, got, arrives(b.fee, payout))
		}
	}

	t.Log("a frozen account")
	friend := b.stranger()
	freezes(friend.PublicKey(), b.fee)
	b.slots(3)
	b.cancelled(p, b.fee, friend.Wallet, "frozen")

	t.Log("the treasury's account is frozen: nobody's fault but ours, and not for good")
	freezes(b.treasury.PublicKey(), b.fee)
	b.slots(3)
	to := b.fresh()
	id := b.withdraws(p, b.fee, payout, string(to))
	b.clock.Advance(payouts.StuckAfter)
	b.rounds(b.start(0).Payouts.PayoutWorker(), 2)
	if w := b.stands(id); w.Status != withdrawal.Approved || w.Cancellable() || !strings.Contains(w.Reason, "account frozen") {
		t.Errorf("%s: %q", w.Status, w.Reason)
	}
	thaws(b.treasury.PublicKey(), b.fee)
	b.slots(3)
	b.rounds(b.start(0).Payouts.PayoutWorker(), 4)
	if w := b.stands(id); w.Status != withdrawal.Completed || w.Reason != "" {
		t.Errorf("%s: %q", w.Status, w.Reason)
	}
	for _, fault := range b.balanced() {
		t.Error(fault)
	}
}

// TestPayoutsOfATokenWhoseAccountsBeginFrozen checks that, until the account is thawed, the
// withdrawal says so and its player may cancel it.
func TestPayoutsOfATokenWhoseAccountsBeginFrozen(t *testing.T) {
	t.Parallel()
	b := newBank(t, planted{}, 1, 7)
	p, house := b.players[0], b.treasury.PublicKey()
	terms := termsOf(b.extendedMint("begins frozen", transferFee, refusedExtensions[1]), "COLD", decimals, token.Token2022)
	b.late = terms
	thaws := func(owner sol.PublicKey) {
		b.do([]sol.Instruction{
			opens(b.authority.PublicKey(), owner, terms),
			token2022.NewThawAccountInstruction(account(owner, terms), mintOf(terms), b.authority.PublicKey(), nil).Build(),
		}, b.authority)
	}
	thaws(house)
	b.mint(terms, house, fortune)
	b.node = b.newNode(b.proxy.URL)
	b.Casino = b.start(0).Casino
	noError(t, b.Deposits.BeginWatch(t.Context()))
	// Deposits of such a mint are refused: the player got the token before the mint was changed.
	ben := app.Caller{Wallet: fakes.Wallet("ben"), RequestID: "ben"}
	commands := admin.RoleCommands{Roles: b.store, Withdrawals: b.store, Policy: b.Policy, Clock: b.clock, Entropy: b.Entropy}
	noError(t, commands.Found(t.Context(), ben.Wallet, "finance", ""))
	if _, err := b.Admin.AdjustBalance(t.Context(), ben, admin.AdjustmentRequest{
		User: string(p.Wallet), Token: string(terms.Mint), Amount: stake, Reason: "a deposit from before",
	}); err != nil {
		t.Fatal(err)
	}
	b.slots(3)
	to := b.fresh()
	b.cancelled(p, terms, b.fresh(), "frozen")
	b.cancelled(p, terms, b.fresh(), "frozen")
	thaws(sol.MPK(string(to)))
	b.slots(3)
	id := b.withdraws(p, terms, payout, string(to))
	b.rounds(b.start(0).Payouts.PayoutWorker(), 4)
	b.paid(id, 1, to, terms, payout)
}

// cancelled checks that a payout to the wallet can't be made for a reason that contains the word,
// and that its player gets the money back by cancelling it.
func (b *bank) cancelled(p person, terms token.Terms, to wallet.Address, word string) {
	b.Helper()
	before := b.balance(p, terms)
	id := b.withdraws(p, terms, payout, string(to))
	b.rounds(b.start(0).Payouts.PayoutWorker(), 2)
	if w := b.stands(id); w.Status != withdrawal.Approved || !strings.Contains(w.Reason, word) {
		b.Errorf("it is %s: %q", w.Status, w.Reason)
	}
	if _, err := b.Payouts.CancelWithdrawal(b.Context(), p.Caller, id); err != nil {
		b.Errorf("cancelling it: %v", err)
	}
	if after := b.balance(p, terms); after != before {
		b.Errorf("the player has %d, had %d", after, before)
	}
}
