package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// TestServeFromTheFirstStart does an operator's first steps: migrate, serve, book capital.
// Then a player deposits, plays and withdraws, and everything is audited.
func TestServeFromTheFirstStart(t *testing.T) {
	t.Parallel()
	startFirst(newWorld(t), func() {})
}

// TestCitusFromTheFirstStart does the same on a Citus cluster.
func TestCitusFromTheFirstStart(t *testing.T) {
	t.Parallel()
	cluster := services.NewCitus(t, 2)
	w := newWorld(t)
	w.settings["database-url"], w.settings["redis-url"] = cluster.URL(), "none"
	startFirst(w, func() {
		if err := services.Distribute(t.Context(), cluster.URL()); err != nil {
			t.Fatal(err)
		}
		w.settings["database-url"] = services.CitusService(cluster.URL())
	})
}

// startFirst is the story; migrated is called when the schema is there.
func startFirst(w *world, migrated func()) {
	t := w.t
	t.Helper()
	if out := w.do("migrate", "up"); !strings.Contains(out, "done ") {
		t.Errorf("migrate up: %q", out)
	}
	if out := w.do("migrate", "status"); !strings.Contains(out, "done ") || strings.Contains(out, "missing") {
		t.Errorf("migrate status: %q", out)
	}
	migrated()
	s := w.serve()
	w.do("capital", "book", string(money.SOL), "10000000000", "founding")
	grant := []string{"role", "grant", string(fakes.Wallet("finance")), "finance"}
	if _, errOut, code := runCasino(t, append(grant, w.flags("database-url")...)...); code != exitUsage || !strings.Contains(errOut, "CASINO_SEED_KEYS") {
		t.Errorf("a role is granted without the keys that seal the list: exit %d, %s", code, errOut)
	}
	w.do("role", "grant", "--founding", string(fakes.Wallet("finance")), "finance", "--seed-keys", "2026-01:"+random(3))
	if out := w.do("role", "list"); !strings.Contains(out, string(fakes.Wallet("root"))) {
		t.Errorf("the superadmin of the settings has no role:\n%s", out)
	}

	w.session(s)
	if out, errOut, code := runCasino(t, "ready", "--ops-addr", strings.TrimPrefix(s.ops, "http://")); code != exitDone {
		t.Errorf("casino ready: %d %s%s", code, out, errOut)
	}
	for _, path := range []string{"/livez", "/readyz"} {
		if status, text := s.get(path); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	head := w.checkpointHolds(s)
	s.stop()
	if out := w.do("audit", "--head", head); !strings.Contains(out, "everything holds") {
		t.Errorf("audit with the head of the checkpoint: %s", out)
	}
	if _, _, code := runCasino(t, "ready", "--ops-addr", strings.TrimPrefix(s.ops, "http://")); code != exitFailed {
		t.Errorf("casino ready of a service that is gone: %d", code)
	}
	if out := w.do("audit"); !strings.Contains(out, "everything holds") {
		t.Errorf("audit: %s", out)
	}
	// Two players and their pairs: with the key every seed is opened, with another none.
	if out := w.do("audit", "--seed-keys", "2026-01:"+random(3)); !strings.Contains(out, "4 sealed seeds opened, 18 seals verified, 0 blocks in the public log: everything holds") {
		t.Errorf("audit with the keys: %s", out)
	}
	// After a change of keys all seals are replaced once; seeds stay unchanged.
	rotated := "2026-02:" + random(5) + ",2026-01:" + random(3)
	for _, anew := range []string{"18", "0"} {
		if out := w.do("keys", "reseal", "--seed-keys", rotated); out != "18 seals verified, "+anew+" replaced with the newest key\n" {
			t.Errorf("casino keys reseal: %s", out)
		}
	}
	wrong := append([]string{"audit", "--seed-keys", "2026-01:" + random(4)}, w.flags("database-url")...)
	if out, _, code := runCasino(t, wrong...); code != exitFailed || strings.Count(out, "FOUND pair") != 4 {
		t.Errorf("audit with another key: exit %d\n%s", code, out)
	}
	for _, secret := range []string{random(1), random(2), random(3), "eyJ"} {
		if strings.Contains(s.log.String(), secret) {
			t.Errorf("the log holds a secret:\n%s", s.log)
		}
	}
	if strings.Contains(s.log.String(), `"level":"ERROR"`) {
		t.Errorf("the log holds an error:\n%s", s.log)
	}
}

// session runs a deposit, a bet, and a withdrawal with its approval and payout.
func (w *world) session(s *running) {
	t := w.t
	t.Helper()
	alice := s.signIn("alice")
	credited(t, alice, w.pay("alice", 1_000_000_000))
	until(t, "the bankroll is known", func() bool {
		_, err := alice.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: 1_000_000, Token: string(money.SOL)})
		return err == nil
	})
	asked, err := alice.Withdraw(t.Context(), api.WithdrawRequest{
		Amount: 100_000_000, Token: string(money.SOL), Destination: string(fakes.Wallet("alice")),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.signIn("finance").ApproveWithdrawal(t.Context(), api.ApproveRequest{ID: asked.Withdrawal.ID}); err != nil {
		t.Fatal(err)
	}
	until(t, "the payout is completed", func() bool {
		all, err := alice.AccountTransactions(t.Context(), api.AccountTransactionsParams{})
		if err != nil {
			t.Fatal(err)
		}
		return all.Transactions[0].Status == "completed"
	})
}
