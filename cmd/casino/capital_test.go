package main

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// TestCapitalIsReadOnChain books a payment on the simulated chain by the command.
func TestCapitalIsReadOnChain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	w.serve().stop()
	signature := w.pay("alice", 1_000_000_000)
	sol := string(money.SOL)
	book := func(more ...string) (string, int) {
		t.Helper()
		args := append([]string{"capital", "book"}, more...)
		args = append(args, "--treasury-address", dev.PublicKey(w.treasury).String())
		out, errOut, code := runCasino(t, append(args, w.flags("database-url", "seed-keys", "solana-rpc-urls")...)...)
		return out + errOut, code
	}
	for want, args := range map[string][]string{
		"the transaction brought 1000000000, not 5": {sol, "5", signature},
		"no such transaction was seen on chain":     {sol, "1000000000", fakes.Signature("none")},
		"must be a transaction signature":           {sol, "1000000000", "founding"},
		"start casino serve with it in the tokens":  {string(fakes.Wallet("another mint")), "1000000000", signature},
	} {
		if out, code := book(args...); code != exitFailed || !strings.Contains(out, want) {
			t.Errorf("casino capital book %v: exit %d, %s, want %q", args, code, out, want)
		}
	}
	if out, code := book(sol, "1000000000", signature); code != exitDone || out != "booked 1000000000 of "+sol+"\n" {
		t.Fatalf("exit %d, %s", code, out)
	}
	if out, code := book(sol, "1000000000", signature); code != exitFailed || !strings.Contains(out, "already booked") {
		t.Errorf("again: exit %d, %s", code, out)
	}
	_, errOut, code := runCasino(t, append([]string{"capital", "book", sol, "1000000000", signature}, w.flags("database-url", "seed-keys", "solana-rpc-urls")...)...)
	if code != exitUsage || !strings.Contains(errOut, "CASINO_TREASURY_ADDRESS is missing") {
		t.Errorf("without a treasury: exit %d, %s", code, errOut)
	}
}
