package deposits_test

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
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// TestAMintThatChangesStopsItsDeposits: no claim is judged by balances that the mint's new
// rules can undo, and no claim is lost.
func TestAMintThatChangesStopsItsDeposits(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := open(t, func(d *app.Deps) { d.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	mints := h.Deposits.MintWorker()
	alice := h.SignIn("alice")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)

	h.Chain.Fake.SetMint(money.SOL, token.Mint{Program: token.System, Decimals: 9, Extensions: []token.Extension{14}})
	if worked, err := mints.Step(h.Ctx); worked || err != nil {
		t.Fatal(worked, err)
	}
	if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "extension 14") {
		t.Errorf("no alarm: %s", log.String())
	}
	h.Chain.Finalize()
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL)), fault.TokenNotAccepted)
		h.runDepositWorker()
	})
	apptest.Equal(t, "status", h.claim(alice, signature).Status, deposit.Pending)

	h.Chain.Fake.SetMint(money.SOL, token.Mint{Program: token.System, Decimals: 9})
	apptest.OK(mints.Step(h.Ctx))(t)
	h.runDepositWorker()
	h.CheckBooks("player 5000, chain -5000")
}

// TestAMintThatCannotBeReadStaysAsItWasFound: an outage neither stops deposits nor
// resumes them.
func TestAMintThatCannotBeReadStaysAsItWasFound(t *testing.T) {
	t.Parallel()
	h := open(t)
	mints := h.Deposits.MintWorker()
	apptest.OK(mints.Step(h.Ctx))(t)
	h.Chain.Fake.SetUnreachable(true)
	apptest.OK(mints.Step(h.Ctx))(t) // it isn't due
	h.Clock.Advance(deposits.MintEvery)
	apptest.Refused(t, apptest.ErrorOf(mints.Step(h.Ctx)), fault.External)
	h.Chain.Fake.SetUnreachable(false)
	h.NewPlayer("alice", 5_000)

	h.Chain.Fake.SetMint(money.SOL, token.Mint{})
	apptest.OK(mints.Step(h.Ctx))(t)
	h.Chain.Fake.SetUnreachable(true)
	apptest.Refused(t, apptest.ErrorOf(mints.Step(h.Ctx)), fault.External)
	h.Chain.Fake.SetUnreachable(false)
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, apptest.Caller("alice"), signature, apptest.SOL)), fault.TokenNotAccepted)
}

// TestAnExtendedMintWaitsForItsFirstCheck: until then its extensions are unknown.
func TestAnExtendedMintWaitsForItsFirstCheck(t *testing.T) {
	t.Parallel()
	terms := apptest.SOLTerms
	terms.Mint, terms.Program, terms.Decimals = fakes.Mint("fee"), token.Token2022, 6
	h := open(t, func(d *app.Deps) { d.Tokens = token.NewBook(terms) })
	alice, signature := h.SignIn("alice"), fakes.Signature("any")
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, signature, string(terms.Mint))), fault.External)
	h.Chain.Fake.SetMint(terms.Mint, token.Mint{Program: token.Token2022, Decimals: 6, Extensions: []token.Extension{token.TransferFeeConfig}})
	apptest.OK(h.Deposits.MintWorker().Step(h.Ctx))(t)
	apptest.Equal(t, "status", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, string(terms.Mint)))(t).Claim.Status, deposit.Pending)
}

// TestAWithdrawalMustOpenANewAccount: once the mint was read, a new account's minimum
// balance is the minimum withdrawal.
func TestAWithdrawalMustOpenANewAccount(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 2_000_000)
	h.Chain.Fake.SetMint(money.SOL, token.Mint{Program: token.System, Decimals: 9, AccountMinimum: 890_880})
	request := func(amount int64) payouts.WithdrawalRequest {
		return payouts.WithdrawalRequest{Amount: amount, Token: apptest.SOL, Destination: string(fakes.Wallet("fresh"))}
	}
	apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, request(1_000)))(t) // not known yet
	if _, err := h.Deposits.MintWorker().Step(h.Ctx); err != nil {
		t.Fatal(err)
	}
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.Withdraw(h.Ctx, alice, request(890_879))), fault.AmountOutOfRange, "field", "amount")
	apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, request(890_880)))(t)
}
