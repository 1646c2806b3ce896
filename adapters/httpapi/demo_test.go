package httpapi_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// demoWallets are two on a fake chain.
type demoWallets struct{ chain *fakes.Chain }

func (demoWallets) Wallets() []httpapi.DemoWallet {
	return []httpapi.DemoWallet{{Name: "alice", Wallet: fakes.Wallet("alice")}, {Name: "finn", Wallet: fakes.Wallet("finn"), Role: "finance"}}
}

func (d demoWallets) known(name string) error {
	for _, w := range d.Wallets() {
		if w.Name == name {
			return nil
		}
	}
	return fault.New(fault.NotFound, "there is no demo wallet %q", name)
}

func (d demoWallets) SignMessage(name, text string) ([]byte, error) {
	if err := d.known(name); err != nil {
		return nil, err
	}
	return ed25519.Sign(fakes.Key(name), []byte(text)), nil
}

func (d demoWallets) SendTransaction(_ context.Context, name string, transaction []byte) (string, error) {
	if err := d.known(name); err != nil {
		return "", err
	}
	signature, landed := d.chain.Pay(fakes.Wallet(name), transaction)
	if !landed {
		return "", fault.New(fault.External, "the simulated chain refused the transaction")
	}
	return signature, nil
}

// TestADemoWalletSignsInAndDeposits does the steps of a page with the typed client.
func TestADemoWalletSignsInAndDeposits(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.chain.Fund(fakes.Wallet("alice"), tokens[0].Mint, 70_000)
	casino, ctx := h.client(), t.Context()
	listed, err := casino.DemoWallets(ctx)
	h.must(err)
	if len(listed) != 2 || listed[0].Role != nil || *listed[1].Role != "finance" {
		t.Fatalf("%+v", listed)
	}
	who, at := listed[0], h.clock.Now().UnixMilli()
	signed, err := casino.DemoSign(ctx, who.Name, api.DemoSignRequest{Message: wallet.LoginMessage(wallet.Address(who.Wallet), at)})
	h.must(err)
	session, err := casino.Login(ctx, api.LoginRequest{
		Wallet: who.Wallet, Timestamp: at, Signature: base64.StdEncoding.EncodeToString(signed),
	})
	h.must(err)
	alice := casino.WithToken(session.Token)
	built, err := alice.DepositTransaction(ctx, api.DepositTransactionRequest{Token: sol, Amount: 60_000})
	h.must(err)
	if built.LastValidBlockHeight == 0 {
		t.Errorf("%+v", built)
	}
	sent, err := alice.DemoSend(ctx, who.Name, api.DemoSendRequest{Transaction: built.Transaction})
	h.must(err)
	h.chain.Finalize()
	paid, err := alice.Deposit(ctx, api.DepositRequest{Signature: sent, Token: sol})
	h.must(err)
	if paid.Balance == nil || *paid.Balance != 60_000 {
		t.Errorf("%+v", paid)
	}
}

// TestThereAreNoDemoWalletsOutsideDevelopment: their paths don't exist.
func TestThereAreNoDemoWalletsOutsideDevelopment(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: func(c *httpapi.Config) { c.DemoWallets = nil }})
	h.get("", "/dev/wallets").is(http.StatusNotFound, "NOT_FOUND")
	h.post("", "/dev/wallets/alice/sign", object{"message": "x"}).is(http.StatusNotFound, "NOT_FOUND")
	h.post("", "/dev/wallets/alice/send", object{"transaction": "AAAA"}).is(http.StatusNotFound, "NOT_FOUND")
}

// TestSwaggerUISignsInWithDemoWallets, if there are any.
func TestSwaggerUISignsInWithDemoWallets(t *testing.T) {
	t.Parallel()
	const script = `ui.preauthorizeApiKey('bearer', token)`
	if page := string(newHouse(t).get("", "/docs").text); strings.Count(page, script) != 1 {
		t.Errorf("with demo wallets: %s", page)
	}
	h := openHouse(t, setup{config: func(c *httpapi.Config) { c.DemoWallets = nil }})
	if page := string(h.get("", "/docs").text); strings.Contains(page, script) || strings.Contains(page, "/dev/wallets") {
		t.Errorf("without demo wallets: %s", page)
	}
}

func TestWhatDemoWalletsRefuse(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.post("", "/dev/wallets/nobody/sign", object{"message": "x"}).is(http.StatusNotFound, "NOT_FOUND")
	h.post("", "/dev/wallets/nobody/send", object{"transaction": "AAAA"}).is(http.StatusNotFound, "NOT_FOUND")
	h.post("", "/dev/wallets/alice/send", object{"transaction": "AAAA"}).is(http.StatusBadGateway, "EXTERNAL_ERROR")
	for _, text := range []string{"", "A", "AAA", "AAAA\n", "AA==AA==", "????"} {
		got := h.post("", "/dev/wallets/alice/send", object{"transaction": text}).is(http.StatusBadRequest, "INVALID_PARAMETER")
		if got.at("details", "field") != "transaction" {
			t.Errorf("%q: %s", text, got.text)
		}
	}
	h.post("", "/dev/wallets/alice/sign", object{"message": ""}).is(http.StatusBadRequest, "INVALID_PARAMETER")
}

// TestTheDocumentMarksWhatIsForDevelopment, so that generated clients can leave it out.
func TestTheDocumentMarksWhatIsForDevelopment(t *testing.T) {
	t.Parallel()
	development := map[string]bool{}
	for _, line := range httpapi.DemoRoutes() {
		development[line.Path] = true
	}
	for path, item := range published(t).doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if marked := operation.Extensions["x-development-only"] == true; marked != development[path] {
				t.Errorf("%s %s is marked as for development: %v", method, path, marked)
			}
		}
	}
}
