package main

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/services"
)

// TestADemoWalletDepositsWithoutAKey does what a page in `casino dev` does: it uses only
// HTTP, and the keys stay in the service.
func TestADemoWalletDepositsWithoutAKey(t *testing.T) {
	t.Parallel()
	dev := services.NewDev(t, t.TempDir())
	casino, ctx := client.New(dev.BaseURL, nil), t.Context()
	listed, err := casino.DemoWallets(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, w := range listed {
		names = append(names, w.Name)
	}
	if got := strings.Join(names, " "); got != "alice bob superadmin finance" {
		t.Errorf("the wallets are %s", got)
	}
	who, at := listed[0], time.Now().UnixMilli()
	signed, err := casino.DemoSign(ctx, who.Name, api.DemoSignRequest{Message: wallet.LoginMessage(wallet.Address(who.Wallet), at)})
	if err != nil {
		t.Fatal(err)
	}
	session, err := casino.Login(ctx, api.LoginRequest{Wallet: who.Wallet, Timestamp: at, Signature: base64.StdEncoding.EncodeToString(signed)})
	if err != nil {
		t.Fatal(err)
	}
	alice := casino.WithToken(session.Token)
	const paid = 2_000_000
	for _, accepted := range dev.Tokens {
		built, err := alice.DepositTransaction(ctx, api.DepositTransactionRequest{Token: accepted.Mint, Amount: paid})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := alice.DemoSend(ctx, "bob", api.DemoSendRequest{Transaction: built.Transaction}); client.CodeOf(err) != "INVALID_PARAMETER" {
			t.Errorf("bob signed what alice must: %v", err)
		}
		sent, err := alice.DemoSend(ctx, who.Name, api.DemoSendRequest{Transaction: built.Transaction})
		if err != nil {
			t.Fatal(err)
		}
		if got := balanceAfter(ctx, t, alice, sent, accepted.Mint); got != paid {
			t.Errorf("%s: the balance is %d", accepted.Symbol, got)
		}
	}
	tooMuch, err := alice.DepositTransaction(ctx, api.DepositTransactionRequest{Token: string(money.SOL), Amount: 1 << 60})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := alice.DemoSend(ctx, who.Name, api.DemoSendRequest{Transaction: tooMuch.Transaction}); client.CodeOf(err) != "EXTERNAL_ERROR" || !strings.Contains(err.Error(), "refused") {
		t.Errorf("more than the wallet has: %v", err)
	}
	if _, err := alice.DemoSend(ctx, who.Name, api.DemoSendRequest{Transaction: []byte("no transaction")}); client.CodeOf(err) != "INVALID_PARAMETER" {
		t.Errorf("no transaction: %v", err)
	}
}

// balanceAfter claims a deposit until it is credited, as pages do, and returns the balance.
func balanceAfter(ctx context.Context, t *testing.T, player *client.Client, signature, token string) int64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for every := time.NewTicker(100 * time.Millisecond); ; {
		paid, err := player.Deposit(ctx, api.DepositRequest{Signature: signature, Token: token})
		switch {
		case err != nil:
			t.Fatal(err)
		case paid.Balance != nil:
			every.Stop()
			return *paid.Balance
		}
		<-every.C
	}
}

// TestServeHasNoDemoWallets: casino serve has no endpoints that use wallets' keys.
func TestServeHasNoDemoWallets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	s := w.serve()
	casino := client.New(s.api, nil)
	if _, err := casino.DemoWallets(t.Context()); client.CodeOf(err) != "NOT_FOUND" {
		t.Errorf("GET /dev/wallets: %v", err)
	}
	if _, err := casino.DemoSign(t.Context(), "alice", api.DemoSignRequest{Message: "hello"}); client.CodeOf(err) != "NOT_FOUND" {
		t.Errorf("signing: %v", err)
	}
	if _, err := casino.DemoSend(t.Context(), "alice", api.DemoSendRequest{Transaction: []byte{1}}); client.CodeOf(err) != "NOT_FOUND" {
		t.Errorf("sending: %v", err)
	}
	s.stop()
}
