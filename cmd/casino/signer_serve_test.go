package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// TestASignedApprovalIsPaidByTheSigner tests the whole path of real money: an admin signs
// with casino approve, the service verifies and stores the signature, and the separate
// signer pays what was signed. It pays nothing for an admin who isn't on its list, whatever
// the service requests.
func TestASignedApprovalIsPaidByTheSigner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	payWhatWasSigned(t, w, "--treasury-keypair", w.settings["treasury-keypair"])
}

// payWhatWasSigned runs the path with a signer that has the treasury's key as its arguments
// say.
func payWhatWasSigned(t *testing.T, w *world, key ...string) {
	t.Helper()
	w.do("migrate", "up")
	url, stop := startSigner(t, append([]string{"signer", "--signer-addr", "127.0.0.1:0",
		"--tokens-file", w.settings["tokens-file"], "--signer-token", signerToken, "--signer-journal", filepath.Join(t.TempDir(), "journal"),
		"--solana-rpc-urls", w.node.URL, "--solana-genesis", w.settings["solana-genesis"], "--signer-approvers", string(fakes.Wallet("finance"))}, key...)...)
	defer stop()
	delete(w.settings, "treasury-keypair")
	w.settings["treasury-address"] = dev.PublicKey(w.treasury).String()
	w.settings["treasury-signer-url"], w.settings["treasury-signer-token"] = url, signerToken
	w.settings["signed-approvals"] = "true"
	s := w.serve()
	for _, name := range []string{"finance", "stranger"} {
		w.do("role", "grant", "--founding", string(fakes.Wallet(name)), "finance", "--seed-keys", "2026-01:"+random(3))
	}
	alice := s.signIn("alice")
	credited(t, alice, w.pay("alice", 1_000_000_000))
	approvedBy := func(name string) (id string) {
		t.Helper()
		asked, err := alice.Withdraw(t.Context(), api.WithdrawRequest{Amount: 100_000_000, Token: string(money.SOL), Destination: string(fakes.Wallet("alice"))})
		if err != nil {
			t.Fatal(err)
		}
		out, errOut, code := runCasino(t, "approve", "--base-url", s.api, "--keypair", signerFile(t, name, 0o600), "--withdrawal", asked.Withdrawal.ID, "--amount", "100000000")
		if code != exitDone || !strings.Contains(out, "the withdrawal is approved") {
			t.Fatalf("approving: exit code %d: %s%s", code, out, errOut)
		}
		return asked.Withdrawal.ID
	}
	unpaid, paid := approvedBy("stranger"), approvedBy("finance")
	admin := s.signIn("finance")
	until(t, "one is paid and the other refused", func() bool {
		return standing(t, admin, paid).Status == "completed" && standing(t, admin, unpaid).Reason != nil
	})
	if w := standing(t, admin, unpaid); w.Status != "approved" || !strings.Contains(*w.Reason, "0 of the signer's approvers signed") {
		t.Errorf("it is %s: %s", w.Status, *w.Reason)
	}
	if _, err := admin.RejectWithdrawal(t.Context(), api.RejectRequest{ID: unpaid, Reason: "the signer refused it"}); err != nil {
		t.Errorf("rejecting: %v", err)
	}
	s.stop()
	if out := w.do("audit"); !strings.Contains(out, "everything holds") {
		t.Errorf("audit: %s", out)
	}
}

func standing(t *testing.T, admin *client.Client, id string) api.Withdrawal {
	t.Helper()
	found, err := admin.AdminWithdrawal(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return found.Withdrawal
}
