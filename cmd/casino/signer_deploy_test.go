package main

import (
	"bytes"
	"crypto/ed25519"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// TestTheSignersUnitHasWhatItNeeds starts the signer with the settings of the systemd unit,
// with test files in place of the credentials.
func TestTheSignersUnitHasWhatItNeeds(t *testing.T) {
	t.Parallel()
	unit := deployment(t)["systemd/casino-signer.service"]
	own := signerArguments(t, 0o600)
	credentials, state := filepath.Dir(own[4]), t.TempDir()
	for from, to := range map[string]string{own[4]: "treasury.json", own[8]: "signer.token"} {
		if err := os.Rename(from, filepath.Join(credentials, to)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"nodes": "https://one.example/secret\nhttps://two.example/secret\n", "tls.crt": "", "tls.key": ""} {
		if err := os.WriteFile(filepath.Join(credentials, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(state, "casino-signer"), 0o700); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"signer", "--signer-approvers", string(fakes.Wallet("ada")) + "," + string(fakes.Wallet("ben"))}
	for _, line := range regexp.MustCompile(`(?m)^Environment=CASINO_([A-Z_]+)=(.*)$`).FindAllStringSubmatch(unit, -1) {
		value := strings.NewReplacer("%d", credentials, "%S", state, "/etc/casino/tokens.json", own[6], ":9100", "127.0.0.1:0").Replace(line[2])
		arguments = append(arguments, "--"+strings.ToLower(strings.ReplaceAll(line[1], "_", "-")), value)
	}
	for _, used := range regexp.MustCompile(`%d/([a-z.]+)`).FindAllStringSubmatch(unit, -1) {
		if !strings.Contains(unit, "\nLoadCredential="+used[1]+":") {
			t.Errorf("%s is not loaded", used[1])
		}
	}
	var out, errors bytes.Buffer
	// The certificate is read last, after everything else was checked.
	if code := run(t.Context(), arguments, &out, &errors); code != exitUsage || !strings.Contains(errors.String(), "CASINO_TLS_CERT: tls: failed to find any PEM data") ||
		!strings.Contains(out.String(), "The signer is served at https://") {
		t.Errorf("exit code %d: %s%s", code, out.String(), errors.String())
	}
	if _, err := os.Stat(filepath.Join(state, "casino-signer", "journal")); err != nil {
		t.Errorf("no journal: %v", err)
	}
}

// payment returns the message of a payout of lamports.
func payment(t *testing.T, id string, lamports uint64, to solana.PublicKey) []byte {
	t.Helper()
	treasury := solana.PrivateKey(fakes.Key("treasury")).PublicKey()
	built, err := solana.NewTransaction([]solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(1_000).Build(), computebudget.NewSetComputeUnitPriceInstruction(1).Build(),
		system.NewTransferInstruction(lamports, treasury, to).Build(), solana.NewInstruction(solana.MemoProgramID, nil, []byte(id)),
	}, solana.Hash{1}, solana.TransactionPayer(treasury))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := built.Message.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestTheSignerCommandWantsItsApprovers: without an approver's signature the signer refuses
// finally; with one it calls its nodes, which don't exist.
func TestTheSignerCommandWantsItsApprovers(t *testing.T) {
	t.Parallel()
	url, stop := startSigner(t, append(signerArguments(t, 0o600), "--signer-approvers", string(fakes.Wallet("ada")),
		"--solana-rpc-urls", "http://127.0.0.1:1,http://127.0.0.1:2")...)
	defer stop()
	client := signerClient(t, url)
	w := withdrawal.Withdrawal{ID: "w-1", Token: money.SOL, Amount: 500, Destination: string(fakes.Wallet("alice"))}
	message := payment(t, w.ID, 500, solana.PrivateKey(fakes.Key("alice")).PublicKey())
	if _, err := client.Sign(t.Context(), message); !fault.Is(err, fault.AmountOutOfRange) || !strings.Contains(err.Error(), "the signer's approvers signed") {
		t.Errorf("unsigned: %v", err)
	}
	for name, want := range map[string]fault.Kind{"ada": fault.External, "mallory": fault.AmountOutOfRange} {
		millis := time.Now().UnixMilli()
		signature := ed25519.Sign(fakes.Key(name), []byte(w.ApprovalMessage(fakes.Wallet("treasury"), millis)))
		given := withdrawal.Approval{By: fakes.Wallet(name)}.WithSignature(signature, millis, fakes.Wallet("treasury"))
		if _, err := client.SignApproved(t.Context(), message, []withdrawal.Approval{given}); !fault.Is(err, want) {
			t.Errorf("signed by %s: %v", name, err)
		}
	}
}
