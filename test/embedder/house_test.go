// Package embedder tests an embedder's own database pool and own game.
package embedder_test

import (
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// terms are those of the only token of the embedder's casino.
var terms = token.Terms{
	Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System, MinDeposit: 1, MinWager: 1, MaxWager: 100_000,
	MaxPayout: 1_000_000, MinWithdrawal: 1, MaxWithdrawal: 1_000_000, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson,
	PayoutCap: 1_000_000, PayoutCapPerHour: 1_000_000, BankrollShare: money.Ratio{Num: 1, Den: 1},
}

// house is an embedder's casino.
type house struct {
	*testing.T
	*app.Casino
	chain *fakes.Chain
	clock *fakes.Clock
	roles ports.Roles
}

// open makes a casino on a store.
func open(t *testing.T, made app.Store) *house {
	t.Helper()
	h := &house{T: t, chain: fakes.NewChain(terms), clock: fakes.NewClock(fakes.Start), roles: made.Roles}
	games, err := game.NewRegistry(game.Standard()...)
	h.must(err)
	h.Casino, err = app.New(app.Deps{
		Store: made, Chain: h.chain, Clock: h.clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(h.clock, "embedder", time.Hour), Games: games, Tokens: token.NewBook(terms),
		Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
	})
	h.must(err)
	h.must(h.Deposits.BeginWatch(t.Context()))
	treasury := wallet.Address(h.chain.TreasuryAddress())
	h.chain.Fund(treasury, money.SOL, 100_000_000)
	_, err = h.Treasury.BookCapital(t.Context(), money.SOL, 100_000_000, "founding")
	h.must(err)
	return h
}

func (h *house) must(err error) {
	h.Helper()
	noError(h, err)
}

func (h *house) signIn(name string) app.Caller {
	h.Helper()
	w, millis := fakes.Wallet(name), h.clock.Now().UnixMilli()
	answer, err := h.Accounts.SignIn(h.Context(), accounts.SignInRequest{
		Wallet: string(w), Timestamp: millis, Signature: ed25519.Sign(fakes.Key(name), []byte(wallet.LoginMessage(w, millis))),
	})
	h.must(err)
	_, err = h.Accounts.Authenticate(h.Context(), answer.Token)
	h.must(err)
	return app.Caller{Wallet: w}
}

// story goes from a first deposit to a payout.
func (h *house) story() {
	h.Helper()
	ctx, alice := h.Context(), h.signIn("alice")
	h.chain.Fund(alice.Wallet, money.SOL, 5_000_000)
	signature := h.chain.Deposit(alice.Wallet, money.SOL, 1_000_000)
	h.chain.Finalize()
	deposited, err := h.Deposits.Deposit(ctx, alice, signature, string(money.SOL))
	h.must(err)
	if deposited.Balance != 1_000_000 {
		h.Fatalf("deposited: %+v", deposited)
	}
	played, err := h.Play.Play(ctx, alice, play.PlayRequest{GameType: "dice", Wager: 100, Token: string(money.SOL)})
	h.must(err)
	_, err = h.Play.Rotate(ctx, alice, play.RotateRequest{})
	h.must(err)
	shown, err := h.Accounts.Round(ctx, alice, played.Round.ID)
	h.must(err)
	if shown.ServerSeed == "" {
		h.Error("the seed of a round isn't shown after the rotation")
	}
	commands := admin.RoleCommands{Roles: h.roles, Policy: rbac.DefaultPolicy(), Clock: h.clock, Entropy: h.Entropy}
	h.must(commands.SeedSuperadmins(ctx, []wallet.Address{fakes.Wallet("root")}))
	root := h.signIn("root")
	asked, err := h.Payouts.Withdraw(ctx, alice, payouts.WithdrawalRequest{
		Amount: 1_000, Token: string(money.SOL), Destination: string(alice.Wallet),
	})
	h.must(err)
	_, err = h.Payouts.ApproveWithdrawal(ctx, root, payouts.WithdrawalDecision{ID: asked.Withdrawal.ID, Note: "fine"})
	h.must(err)
	worker := h.Payouts.PayoutWorker()
	for range 6 {
		_, err := worker.Step(ctx)
		h.must(err)
		h.chain.Finalize()
	}
	if found, err := h.Admin.AdminPlayer(ctx, root, string(alice.Wallet), time.Time{}); err != nil || len(found.OpenWithdrawals) != 0 {
		h.Errorf("the player afterwards: %+v, %v", found, err)
	}
	page, err := h.Accounts.AccountTransactions(ctx, alice, ports.TransactionFilter{}, ports.Page{Number: 1, Limit: 10})
	h.must(err)
	if len(page.Transactions) != 2 || page.Transactions[0].Status != string(withdrawal.Completed) {
		h.Errorf("transactions: %+v", page)
	}
	_, err = h.Deposits.DepositWorker().Step(ctx)
	h.must(err)
	_, err = h.Treasury.Treasury().Step(ctx)
	h.must(err)
	_, err = h.Operations.OperationsStatus(ctx)
	h.must(err)
}

// noError ends the test on an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
