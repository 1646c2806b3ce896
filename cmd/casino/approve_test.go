package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	solanago "github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// runningDev is a running `casino dev` in this process, with clients of its demo wallets.
type runningDev struct {
	*testing.T
	dev.ReadyLine
	folder string
}

func startDev(t *testing.T, flags ...string) runningDev {
	t.Helper()
	folder := t.TempDir()
	line, _ := startFolder(t, folder, flags...)
	return runningDev{T: t, ReadyLine: line, folder: folder}
}

// keypair returns a demo wallet's file.
func (d runningDev) keypair(name string) string {
	for _, w := range d.Wallets {
		if w.Name == name {
			return w.KeypairFile
		}
	}
	d.Fatalf("no wallet %s", name)
	return ""
}

func (d runningDev) as(name string) (*client.Client, api.Session) {
	d.Helper()
	raw, err := os.ReadFile(d.keypair(name))
	if err != nil {
		d.Fatal(err)
	}
	key, err := dev.ParseKeypair(name, raw)
	if err != nil {
		d.Fatal(err)
	}
	c, session, err := client.New(d.BaseURL, nil).SignIn(d.Context(), key, time.Now())
	if err != nil {
		d.Fatal(err)
	}
	return c, session
}

// withdrawn requests a withdrawal by alice of money that the superadmin credited.
func (d runningDev) withdrawn(amount int64) (*client.Client, api.Withdrawal) {
	d.Helper()
	alice, session := d.as("alice")
	boss, _ := d.as("superadmin")
	sol := string(money.SOL)
	if _, err := boss.AdjustBalance(d.Context(), session.Wallet, api.AdjustRequest{Token: sol, Amount: amount, Reason: "for a test"}); err != nil {
		d.Fatal(err)
	}
	made, err := alice.Withdraw(d.Context(), api.WithdrawRequest{Amount: amount, Token: sol, Destination: session.Wallet})
	if err != nil {
		d.Fatal(err)
	}
	return alice, made.Withdrawal
}

// TestAnAdminApprovesByCommand on a service with signed approvals: the withdrawal is shown,
// refused if it differs from the flags, signed, and stored with the signature.
func TestAnAdminApprovesByCommand(t *testing.T) {
	t.Parallel()
	d := startDev(t, "--signed-approvals")
	alice, w := d.withdrawn(500_000_000)
	finance, approver := d.as("finance")
	if _, err := finance.ApproveWithdrawal(t.Context(), api.ApproveRequest{ID: w.ID}); client.CodeOf(err) != "INVALID_PARAMETER" {
		t.Errorf("without a signature: %v", err)
	}
	command := func(flags ...string) (out, errOut string, code int) {
		return runCasino(t, append([]string{"approve", "--data-dir", d.folder, "--keypair", d.keypair("finance"), "--withdrawal", w.ID}, flags...)...)
	}
	for name, c := range map[string]struct {
		flags []string
		want  string
	}{ // an address has ten sign-ins a minute
		"another amount":     {[]string{"--amount", "5"}, "its amount is 500000000, not 5"},
		"no such withdrawal": {[]string{"--withdrawal", "none"}, "NOT_FOUND"},
		"not an admin":       {[]string{"--keypair", d.keypair("alice")}, "ADMIN_FORBIDDEN"},
		"an old timestamp":   {[]string{"--timestamp", "5"}, "STALE_TIMESTAMP"},
	} {
		if out, errOut, code := command(c.flags...); code != exitFailed || !strings.Contains(errOut, c.want) || strings.Contains(out, "and approved") {
			t.Errorf("%s: exit code %d: %s%s", name, code, out, errOut)
		}
	}
	shown, _, code := command("--show")
	message := fmt.Sprintf("casino-approve:%s:%s:%s:500000000:%s:", d.Treasury, w.ID, w.Token, w.Destination)
	if code != exitDone || !strings.Contains(shown, message) || !strings.Contains(shown, "0.500000000 SOL") || !strings.Contains(shown, "the player's own wallet") {
		t.Errorf("shown: exit code %d: %s", code, shown)
	}
	before, err := finance.AdminWithdrawal(t.Context(), w.ID)
	if err != nil || len(before.Approvals) != 0 {
		t.Errorf("looking approved it: %+v, %v", before, err)
	}
	out, errOut, code := command("--amount", "500000000", "--destination", w.Destination, "--token", w.Token, "--treasury", d.Treasury, "--note", "known")
	if code != exitDone || !strings.Contains(out, "the withdrawal is approved, it will be paid") {
		t.Fatalf("exit code %d: %s%s", code, out, errOut)
	}
	after, err := finance.AdminWithdrawal(t.Context(), w.ID)
	if err != nil || len(after.Approvals) != 1 || after.Approvals[0].By != approver.Wallet || !strings.HasPrefix(*after.Approvals[0].Message, message) || *after.Approvals[0].Note != "known" {
		t.Errorf("kept as %+v, %v", after, err)
	}
	until(t, "the payout is finalized", func() bool {
		list, err := alice.AccountTransactions(t.Context(), api.AccountTransactionsParams{})
		return err == nil && slices.ContainsFunc(list.Transactions, func(p api.Transaction) bool { return p.ID == w.ID && p.Status == "completed" })
	})
}

// signerFile writes the keypair file of a name.
func signerFile(t *testing.T, name string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".json")
	if err := dev.WriteKeypair(path, fakes.Key(name)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnApprovalIsSignedWithoutANetwork(t *testing.T) {
	t.Parallel()
	treasury, to := fakes.Wallet("treasury"), fakes.Wallet("alice")
	out, errOut, code := runCasino(t, "approve", "--sign-only", "--keypair", signerFile(t, "ada", 0o600), "--withdrawal", "w-1", "--treasury", string(treasury),
		"--token", string(money.SOL), "--amount", "7", "--destination", string(to), "--timestamp", "1795262400000", "--base-url", "http://127.0.0.1:1/none")
	var signed struct {
		Wallet, Message, Signature string
		Timestamp                  int64
	}
	if err := json.Unmarshal([]byte(out), &signed); code != exitDone || err != nil {
		t.Fatalf("exit code %d: %s%s: %v", code, out, errOut, err)
	}
	w := withdrawal.Withdrawal{ID: "w-1", Token: money.SOL, Amount: 7, Destination: string(to)}
	a := withdrawal.Approval{By: wallet.Address(signed.Wallet), Timestamp: signed.Timestamp, Signature: signed.Signature}
	if signed.Wallet != string(fakes.Wallet("ada")) || signed.Message != w.ApprovalMessage(treasury, 1_795_262_400_000) || !w.Signed(treasury, a) {
		t.Errorf("signed: %s", out)
	}
}

// TestAnApprovalIsSignedByAnotherProgram, as with a hardware wallet. Its signature must be
// valid for the wallet and the message.
func TestAnApprovalIsSignedByAnotherProgram(t *testing.T) {
	t.Parallel()
	treasury, to := fakes.Wallet("treasury"), fakes.Wallet("alice")
	w := withdrawal.Withdrawal{ID: "w-1", Token: money.SOL, Amount: 7, Destination: string(to)}
	text := w.ApprovalMessage(treasury, 5)
	envelope := "\xffsolana offchain\x00\x00" + string([]byte{byte(len(text)), byte(len(text) >> 8)}) + text
	program := filepath.Join(t.TempDir(), "sign")
	for name, c := range map[string]struct{ key, printed, want string }{
		"the wallet's":      {"ada", "Waiting for your approval\n%s\n", ""},
		"somebody else's":   {"ben", "%s", "the signature is not by"},
		"no signature":      {"ada", "%s\nfailed", "not a signature in base58"},
		"another program's": {"", "", "no such file"},
	} {
		path := program + strings.ReplaceAll(name, " ", "-")
		if c.key != "" {
			signature := solanago.SignatureFromBytes(ed25519.Sign(fakes.Key(c.key), []byte(envelope)))
			script := "#!/bin/sh\n[ \"$1\" = sign ] && [ \"$2\" = '" + text + "' ] && cat <<END\n" + fmt.Sprintf(c.printed, signature) + "\nEND\n"
			if err := os.WriteFile(path, []byte(script), 0o700); err != nil { //nolint:gosec // the test runs it
				t.Fatal(err)
			}
		}
		out, errOut, code := runCasino(t, "approve", "--sign-only", "--wallet", string(fakes.Wallet("ada")), "--sign-with", path+" sign", "--withdrawal", "w-1",
			"--treasury", string(treasury), "--token", string(money.SOL), "--amount", "7", "--destination", string(to), "--timestamp", "5")
		var signed struct{ Signature string }
		_ = json.Unmarshal([]byte(out), &signed)
		a := withdrawal.Approval{By: fakes.Wallet("ada"), Timestamp: 5, Signature: signed.Signature}
		if good := code == exitDone && w.Signed(treasury, a); good != (c.want == "") || !strings.Contains(errOut, c.want) {
			t.Errorf("%s: exit code %d: %s%s", name, code, out, errOut)
		}
	}
}

func TestApproveIsRefused(t *testing.T) {
	t.Parallel()
	good := signerFile(t, "ada", 0o600)
	for name, c := range map[string]struct {
		keypair string
		flags   []string
		want    string
	}{
		"a key for all":       {signerFile(t, "ada", 0o644), nil, "chmod 600"},
		"no key":              {filepath.Join(t.TempDir(), "none"), nil, "keypair"},
		"in the clear":        {good, []string{"--base-url", "http://casino.example/casino"}, "--base-url"},
		"no address":          {good, []string{"--base-url", "here"}, "--base-url"},
		"two wallets":         {good, []string{"--wallet", string(fakes.Wallet("ada")), "--sign-with", "x"}, "give --keypair, or --wallet and --sign-with"},
		"nothing to sign":     {good, []string{"--sign-only"}, "--amount, --destination, --token, --treasury"},
		"a part of it":        {good, []string{"--sign-only", "--token", string(money.SOL), "--amount", "1", "--treasury", "x"}, "--destination, --treasury"},
		"a negative amount":   {good, []string{"--sign-only", "--amount", "-1"}, "--amount"},
		"an amount in words":  {good, []string{"--amount", "0.5"}, "--amount"},
		"nothing to be named": {good, []string{"--withdrawal", ""}, ""},
	} {
		_, errOut, code := runCasino(t, append([]string{"approve", "--keypair", c.keypair, "--withdrawal", "w-1"}, c.flags...)...)
		if code != exitUsage && c.want != "" || !strings.Contains(errOut, c.want) || code == exitDone {
			t.Errorf("%s: exit code %d: %s", name, code, errOut)
		}
	}
}

// decoded returns nil for invalid base64.
func decoded(text string) []byte {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return raw
}

// TestALyingServiceGetsNoSignature that it could use elsewhere, and can't control the
// terminal.
func TestALyingServiceGetsNoSignature(t *testing.T) {
	t.Parallel()
	good := api.Withdrawal{ID: "w-1", Token: string(money.SOL), Amount: 5, Destination: string(fakes.Wallet("alice")), Status: "pending"}
	for name, c := range map[string]struct {
		change   func(*api.WithdrawalDetails)
		approves bool
	}{
		"as asked":              {func(*api.WithdrawalDetails) {}, true},
		"another withdrawal":    {func(d *api.WithdrawalDetails) { d.Withdrawal.ID = "w-2" }, false},
		"another destination":   {func(d *api.WithdrawalDetails) { d.Withdrawal.Destination = string(fakes.Wallet("mallory")) }, false},
		"another treasury":      {func(d *api.WithdrawalDetails) { d.Treasury = string(fakes.Wallet("mallory")) }, false},
		"another token":         {func(d *api.WithdrawalDetails) { d.Withdrawal.Token = string(fakes.Mint("usd")) }, false},
		"another amount":        {func(d *api.WithdrawalDetails) { d.Withdrawal.Amount = 6 }, false},
		"no wallet":             {func(d *api.WithdrawalDetails) { d.Withdrawal.Destination = "a:b" }, false},
		"no treasury":           {func(d *api.WithdrawalDetails) { d.Treasury = "" }, false},
		"no token":              {func(d *api.WithdrawalDetails) { d.Withdrawal.Token = "So1:1" }, false},
		"letters on a terminal": {func(d *api.WithdrawalDetails) { d.Withdrawal.Wallet = "\x1b[2Jalice" }, true},
	} {
		details := api.WithdrawalDetails{Withdrawal: good, Treasury: string(fakes.Wallet("treasury"))}
		c.change(&details)
		var given *api.ApproveRequest
		mux := http.NewServeMux()
		answer := func(body any) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(body) }
		}
		mux.HandleFunc("/casino/auth/login", answer(api.Session{Token: "t"}))
		mux.HandleFunc("/casino/admin/withdrawals/", answer(details))
		mux.HandleFunc("/casino/public/tokens", answer(map[string]any{"tokens": []any{}}))
		mux.HandleFunc("/casino/admin/withdraw/approve", func(w http.ResponseWriter, r *http.Request) {
			given = &api.ApproveRequest{}
			_ = json.NewDecoder(r.Body).Decode(given)
			answer(api.DecidedWithdrawal{Withdrawal: details.Withdrawal})(w, r)
		})
		service := httptest.NewServer(mux)
		t.Cleanup(service.Close)
		flags := []string{"approve", "--keypair", signerFile(t, "ada", 0o600), "--withdrawal", "w-1", "--base-url", service.URL + "/casino"}
		if strings.HasPrefix(name, "another") {
			flags = append(flags, "--amount", "5", "--destination", good.Destination, "--treasury", string(fakes.Wallet("treasury")), "--token", good.Token)
		}
		out, errOut, code := runCasino(t, flags...)
		if (code == exitDone) != c.approves || (given != nil) != c.approves || strings.Contains(out+errOut, "\x1b") {
			t.Errorf("%s: exit code %d: %q%q", name, code, out, errOut)
		}
		if given != nil && !ed25519.Verify(fakes.Wallet("ada").PublicKey(), []byte(withdrawal.Withdrawal{
			ID: "w-1", Token: money.SOL, Amount: 5, Destination: good.Destination,
		}.ApprovalMessage(fakes.Wallet("treasury"), given.Timestamp)), decoded(given.Signature)) {
			t.Errorf("%s: signed something else: %+v", name, given)
		}
	}
}
