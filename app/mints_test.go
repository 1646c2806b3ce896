package app_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// TestAMintThatChangesStopsItsDeposits: neither a new claim nor a pending one is judged
// by balances that the mint's new rules can undo, and none is lost.
func TestAMintThatChangesStopsItsDeposits(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := open(t, func(d *app.Deps) { d.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	mints := h.Deposits.MintWorker()
	alice := h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)

	h.chain.fake.SetMint(money.SOL, token.Mint{Program: token.System, Decimals: 9, Extensions: []token.Extension{14}})
	if worked, err := mints.Step(h.ctx); worked || err != nil {
		t.Fatal(worked, err)
	}
	if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "extension 14") {
		t.Errorf("no alarm: %s", log.String())
	}
	h.chain.finalize()
	h.unchanged(func() {
		refused(t, no(h.Deposits.Deposit(h.ctx, alice, signature, sol)), fault.TokenNotAccepted)
		h.follow()
	})
	equal(t, "status", h.claim(alice, signature).Status, deposit.Pending)

	h.chain.fake.SetMint(money.SOL, token.Mint{Program: token.System, Decimals: 9})
	ok(mints.Step(h.ctx))(t)
	h.follow()
	h.books("player 5000, chain -5000")
}

// TestAMintThatCannotBeReadStaysAsItWasFound: an outage neither stops deposits nor
// resumes them.
func TestAMintThatCannotBeReadStaysAsItWasFound(t *testing.T) {
	t.Parallel()
	h := open(t)
	mints := h.Deposits.MintWorker()
	ok(mints.Step(h.ctx))(t)
	h.chain.fake.SetUnreachable(true)
	ok(mints.Step(h.ctx))(t) // it isn't due
	h.clock.Advance(deposits.MintEvery)
	refused(t, no(mints.Step(h.ctx)), fault.External)
	h.chain.fake.SetUnreachable(false)
	h.player("alice", 5_000)

	h.chain.fake.SetMint(money.SOL, token.Mint{})
	ok(mints.Step(h.ctx))(t)
	h.chain.fake.SetUnreachable(true)
	refused(t, no(mints.Step(h.ctx)), fault.External)
	h.chain.fake.SetUnreachable(false)
	signature := h.chain.pay("alice", money.SOL, 5_000)
	refused(t, no(h.Deposits.Deposit(h.ctx, caller("alice"), signature, sol)), fault.TokenNotAccepted)
}

// TestAnExtendedMintWaitsForItsFirstCheck: until then its extensions are unknown.
func TestAnExtendedMintWaitsForItsFirstCheck(t *testing.T) {
	t.Parallel()
	terms := solTerms
	terms.Mint, terms.Program, terms.Decimals = fakes.Mint("fee"), token.Token2022, 6
	h := open(t, func(d *app.Deps) { d.Tokens = token.NewBook(terms) })
	alice, signature := h.enter("alice"), fakes.Signature("any")
	refused(t, no(h.Deposits.Deposit(h.ctx, alice, signature, string(terms.Mint))), fault.External)
	h.chain.fake.SetMint(terms.Mint, token.Mint{Program: token.Token2022, Decimals: 6, Extensions: []token.Extension{token.TransferFeeConfig}})
	ok(h.Deposits.MintWorker().Step(h.ctx))(t)
	equal(t, "status", ok(h.Deposits.Deposit(h.ctx, alice, signature, string(terms.Mint)))(t).Claim.Status, deposit.Pending)
}

// TestAWithdrawalMustOpenANewAccount: what the chain asks of one is the least that may be
// withdrawn, as soon as it was read.
func TestAWithdrawalMustOpenANewAccount(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 2_000_000)
	h.chain.fake.SetMint(money.SOL, token.Mint{Program: token.System, Decimals: 9, AccountMinimum: 890_880})
	request := func(amount int64) payouts.WithdrawalRequest {
		return payouts.WithdrawalRequest{Amount: amount, Token: sol, Destination: string(fakes.Wallet("fresh"))}
	}
	ok(h.Payouts.Withdraw(h.ctx, alice, request(1_000)))(t) // not known yet
	if _, err := h.Deposits.MintWorker().Step(h.ctx); err != nil {
		t.Fatal(err)
	}
	refused(t, no(h.Payouts.Withdraw(h.ctx, alice, request(890_879))), fault.AmountOutOfRange, "field", "amount")
	ok(h.Payouts.Withdraw(h.ctx, alice, request(890_880)))(t)
}
