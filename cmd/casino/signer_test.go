package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/solana/remotesigner"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/test/fakes"
)

const signerToken = "a-token-of-more-than-thirty-two-characters"

// signerArguments returns a keypair, a tokens file and a journal in a folder.
func signerArguments(t *testing.T, mode os.FileMode) []string {
	t.Helper()
	dir := t.TempDir()
	numbers := make([]int, 0, 64)
	for _, b := range fakes.Key("treasury") {
		numbers = append(numbers, int(b))
	}
	key, err := json.Marshal(numbers)
	if err != nil {
		t.Fatal(err)
	}
	tokens := `{"tokens":[{"mint":"So11111111111111111111111111111111111111112","symbol":"SOL","decimals":9,"program":"system",
		"minDeposit":1,"minWager":10000,"maxWager":100000,"maxPayout":100000,"minWithdrawal":1,"maxWithdrawal":1000,
		"twoPersonAbove":null,"twoPersonAbovePerDay":null,"payoutCap":1000,"payoutCapPerHour":1000,"bankrollShare":"0.01"}]}`
	paths := map[string]string{"key": string(key), "tokens": tokens, "token": signerToken + "\n"}
	for name, text := range paths {
		paths[name] = filepath.Join(dir, name)
		if err := os.WriteFile(paths[name], []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	return []string{
		"signer", "--signer-addr", "127.0.0.1:0", "--treasury-keypair", paths["key"], "--tokens-file", paths["tokens"],
		"--signer-token-file", paths["token"], "--signer-journal", filepath.Join(dir, "journal"),
		"--solana-rpc-urls", "https://one.example/secret,https://two.example/secret",
	}
}

func TestTheSignerCommandAnswersAndEnds(t *testing.T) {
	t.Parallel()
	url, stop := startSigner(t, signerArguments(t, 0o600)...)
	client := signerClient(t, url)
	if _, err := client.Sign(t.Context(), []byte("no payout")); !fault.Is(err, fault.AmountOutOfRange) {
		t.Errorf("%v", err)
	}
	stop()
}

// signerClient returns a client of the harness' signer.
func signerClient(t *testing.T, url string) *remotesigner.Client {
	t.Helper()
	client, err := remotesigner.NewClient(remotesigner.ClientConfig{
		URL: url, Token: signerToken, Treasury: fakes.Wallet("treasury"), Timeout: 5 * time.Second,
	})
	if err != nil {
		t.Fatalf("%q: %v", url, err)
	}
	return client
}

// startSigner runs the command until stop, which expects a clean end.
func startSigner(t *testing.T, arguments ...string) (url string, stop func()) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	var errors bytes.Buffer
	code := make(chan int, 1)
	go func() { code <- run(ctx, arguments, writer, &errors) }()
	first := make([]byte, 200)
	n, err := reader.Read(first)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`http://[0-9.:]+`).FindString(string(first[:n])), func() {
		end()
		if got := <-code; got != exitDone {
			t.Errorf("exit code %d: %s", got, errors.String())
		}
	}
}

// tokensWithoutThresholds writes a tokens file without thresholds for two persons.
func tokensWithoutThresholds(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens")
	text := `{"tokens":[{"mint":"So11111111111111111111111111111111111111112","symbol":"SOL","decimals":9,"program":"system",
		"minDeposit":1,"minWager":10000,"maxWager":100000,"maxPayout":100000,"minWithdrawal":1,"maxWithdrawal":1000,
		"payoutCap":1000,"payoutCapPerHour":1000,"bankrollShare":"0.01"}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheSignerCommandIsRefused(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		mode      os.FileMode
		arguments []string
		want      string
	}{
		"a keypair for all":    {0o644, nil, "chmod 600"},
		"in the clear":         {0o600, []string{"--signer-addr", "0.0.0.0:0"}, "CASINO_TLS_CERT"},
		"half a certificate":   {0o600, []string{"--tls-cert", "cert.pem"}, "CASINO_TLS_KEY"},
		"no certificate there": {0o600, []string{"--tls-cert", "cert.pem", "--tls-key", "key.pem"}, "CASINO_TLS_CERT"},
		"a node that is none":  {0o600, []string{"--solana-rpc-urls", "ftp://x"}, "CASINO_SOLANA_RPC_URLS"},
		"no such approver":     {0o600, []string{"--signer-approvers", "somebody"}, "CASINO_SIGNER_APPROVERS"},
		"one person twice":     {0o600, []string{"--signer-approvers", string(fakes.Wallet("ada")) + "," + string(fakes.Wallet("ada"))}, "named twice"},
		"approved by its key":  {0o600, []string{"--signer-approvers", string(fakes.Wallet("treasury"))}, "CASINO_SIGNER_APPROVERS"},
		"one where two sign":   {0o600, []string{"--signer-approvers", string(fakes.Wallet("ada")), "--tokens-file", "../../deploy/tokens.example.json"}, "can take two"},
		"thresholds unsaid":    {0o600, []string{"--signer-approvers", string(fakes.Wallet("ada")), "--tokens-file", tokensWithoutThresholds(t)}, "twoPersonAbove: must be stated"},
		"approvals of no age":  {0o600, []string{"--signer-approval-max-age", "0s"}, "CASINO_SIGNER_APPROVAL_MAX_AGE"},
		"a key in two places":  {0o600, []string{"--hsm-module", "/usr/lib/module.so"}, "exclude each other"},
		"two tokens":           {0o600, []string{"--signer-token", signerToken}, "CASINO_SIGNER_TOKEN"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errors bytes.Buffer
			code := run(t.Context(), append(signerArguments(t, row.mode), row.arguments...), &out, &errors)
			if code != exitUsage || !strings.Contains(errors.String(), row.want) || strings.Contains(errors.String(), signerToken) {
				t.Errorf("exit code %d: %s", code, errors.String())
			}
		})
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	var out, errors bytes.Buffer
	arguments := append(signerArguments(t, 0o600), "--signer-addr", fmt.Sprint(taken.Addr()))
	if code := run(t.Context(), arguments, &out, &errors); code != exitFailed || !strings.Contains(errors.String(), "CASINO_SIGNER_ADDR") {
		t.Errorf("exit code %d: %s", code, errors.String())
	}
}

// TestTheSignerCommandNeedsOneKey covers the settings of a key in a hardware security module.
func TestTheSignerCommandNeedsOneKey(t *testing.T) {
	t.Parallel()
	for want, key := range map[string][]string{
		"CASINO_TREASURY_KEYPAIR: is missing":          nil,
		"CASINO_HSM_PIN: is missing":                   {"--hsm-module", "/usr/lib/module.so"},
		"CASINO_HSM_PIN: is given both as a value":     {"--hsm-module", "/usr/lib/module.so", "--hsm-pin", "1234", "--hsm-pin-file", "pin"},
		"CASINO_HSM_MODULE: /usr/lib/module.so is not": {"--hsm-module", "/usr/lib/module.so", "--hsm-pin", "1234"},
	} {
		arguments := signerArguments(t, 0o600)
		at := slices.Index(arguments, "--treasury-keypair")
		var out, errors bytes.Buffer
		code := run(t.Context(), append(slices.Delete(arguments, at, at+2), key...), &out, &errors)
		if strings.Contains(want, "is not") && strings.Contains(errors.String(), "built without cgo") {
			continue // the static binary says so instead
		}
		if code != exitUsage || !strings.Contains(errors.String(), want) || strings.Contains(errors.String(), "1234") || strings.Contains(errors.String(), "RPC_URLS") {
			t.Errorf("%s: exit code %d: %s", want, code, errors.String())
		}
	}
}
