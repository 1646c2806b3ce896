package main

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// TestRecover restores a backup. In the lost time a withdrawal of the backup was paid, and
// one that the backup lacks; rounds were played and a deposit arrived. Nothing happens
// twice, and nothing is forgotten.
func TestRecover(t *testing.T) {
	t.Parallel()
	t.Run("SQLite, while the service is down", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.do("migrate", "up")
		copied := filepath.Join(t.TempDir(), "backup.db")
		w.recovers(func() { w.do("backup", copied) }, func(first *running) *running {
			first.stop()
			w.putBack(copied)
			// The keys were rotated meanwhile: payouts have tags of the older key.
			w.settings["seed-keys"] = "2026-02:" + random(5) + ",2026-01:" + random(3)
			return w.serve()
		})
	})
	t.Run("PostgreSQL, under the running service", func(t *testing.T) {
		t.Parallel()
		w := onServices(t)
		dump := filepath.Join(t.TempDir(), "backup.dump")
		w.recovers(func() { w.postgres("pg_dump", "--format=custom", "--file="+dump, w.owner("postgres")) }, func(first *running) *running {
			w.postgres("createdb", "--template=template0", "--maintenance-db="+w.owner("template1"), "restored")
			w.postgres("pg_restore", "--exit-on-error", "--dbname="+w.owner("restored"), dump)
			w.postgres("psql", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--dbname="+w.owner("template1"),
				"--command=DROP DATABASE postgres WITH (FORCE)", "--command=ALTER DATABASE restored RENAME TO postgres")
			return first
		})
	})
}

// TestRecoverAsksTheChainOfItsFolder: beside a casino dev on any ports, the command uses
// that casino dev's chain.
func TestRecoverAsksTheChainOfItsFolder(t *testing.T) {
	t.Parallel()
	d := startDev(t)
	for _, args := range [][]string{nil, {"--localnet-addr", strings.TrimPrefix(d.RPCURL, "http://")}} {
		_, errOut, code := runCasino(t, append([]string{"recover", "--data-dir", d.folder}, args...)...)
		if code != exitFailed || !strings.Contains(errOut, "the service is open: there is nothing to recover from") {
			t.Errorf("%v: exit code %d, %s", args, code, errOut)
		}
	}
}

// owner returns the URL of a database on the world's server, as its owner.
func (w *world) owner(database string) string {
	u, err := url.Parse(w.settings["database-url"])
	if err != nil {
		w.t.Fatal(err)
	}
	u.User, u.Path = url.User("postgres"), "/"+database
	return u.String()
}

// postgres runs one of PostgreSQL's programs.
func (w *world) postgres(program string, args ...string) {
	w.t.Helper()
	command := exec.CommandContext(w.t.Context(), filepath.Join(services.PostgresBinaries(w.t), program), args...)
	if out, err := command.CombinedOutput(); err != nil {
		w.t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// recovers runs the scenario. backup copies the database beside the service; putBack
// restores the copy and returns the service on it.
func (w *world) recovers(backup func(), putBack func(first *running) *running) {
	t := w.t
	t.Helper()
	first := w.serve()
	w.do("capital", "book", string(money.SOL), "10000000000", "founding")
	w.do("role", "grant", "--founding", string(fakes.Wallet("finance")), "finance", "--seed-keys", "2026-01:"+random(3))
	alice := first.signIn("alice")
	credited(t, alice, w.pay("alice", 1_000_000_000))
	kept := w.asks(alice, 250_000_000)
	before, err := alice.Seed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	root, seal := first.signIn("root"), []string{"--seed-keys", w.settings["seed-keys"], "--state-dir", w.settings["state-dir"]}
	first.signIn("bob")
	w.do(append([]string{"role", "grant", string(fakes.Wallet("mallory")), "ops"}, seal...)...)
	backup()

	// Later restrictions are lost.
	if _, err := root.Freeze(t.Context(), string(fakes.Wallet("bob")), api.FreezeRequest{Frozen: true, Reason: "odd bets"}); err != nil {
		t.Fatal(err)
	}
	w.do(append([]string{"role", "revoke", string(fakes.Wallet("mallory"))}, seal...)...)
	w.do(append([]string{"play", "pause", "--game", "limbo", "odd wins"}, seal...)...)

	signed := time.Now()
	alice, opened, err := client.New(first.api, nil).SignIn(t.Context(), fakes.Key("alice"), signed)
	if err != nil {
		t.Fatal(err)
	}
	w.pays(first, alice, kept)
	until(t, "the bankroll is known", func() bool {
		_, err := alice.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: 1_000_000, Token: string(money.SOL)})
		return err == nil
	})
	credited(t, alice, w.pay("alice", 500_000_000))
	lost := w.asks(alice, 1_000_000_000)
	w.pays(first, alice, lost)
	paid := w.held()
	second := putBack(first)
	second.log.await(t, "the database was restored from an older copy")
	closed := time.Now()
	plan := w.recover()
	for _, part := range []string{"lost: block ", "paid: " + kept, "paid: " + lost, "was pending", "was unknown", "nothing was changed",
		"forbidden again: player " + string(fakes.Wallet("bob")) + " is frozen", "forbidden again: limbo is paused", "restrictions are kept since ",
		"forbidden again: the role ops of " + string(fakes.Wallet("mallory")) + " is revoked", "is taken as it is, version "} {
		if !strings.Contains(plan, part) {
			t.Errorf("the plan doesn't say %q:\n%s", part, plan)
		}
	}
	if again := w.recover(); again != plan {
		t.Errorf("planned once\n%s\nand again\n%s", plan, again)
	}
	if _, errOut, code := runCasino(t, append([]string{"recover", "--nothing-lost"}, w.flags()...)...); code != exitFailed || !strings.Contains(errOut, "the chain shows 2 payments") {
		t.Errorf("nothing was lost: %d %s", code, errOut)
	}
	report := w.recover("--apply")
	for _, part := range []string{"epoch 2 begins with block ", "paid: " + kept, "paid: " + lost, "the player owes 250000000\n", "recovered: epoch 2",
		"player " + string(fakes.Wallet("bob")) + " is frozen", "limbo is paused", "is revoked"} {
		if !strings.Contains(report, part) {
			t.Errorf("the report doesn't say %q:\n%s", part, report)
		}
	}
	w.recovered(second, client.New(second.api, nil).WithToken(opened.Token), signed, closed, before)
	if got := w.held(); got != paid {
		t.Errorf("alice holds %d on chain after the recovery, %d before: something was paid twice", got, paid)
	}
	bob, _, err := client.New(second.api, nil).SignIn(t.Context(), fakes.Key("bob"), time.Now().Add(55*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bob.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: 1_000_000, Token: string(money.SOL)}); !refusedAs(err, "PLAYER_FROZEN") {
		t.Errorf("a frozen player plays after the recovery: %v", err)
	}
	if out := w.do("play", "list"); !strings.Contains(out, "limbo") {
		t.Errorf("what play is paused: %s", out)
	}
	if out := w.do("role", "list"); strings.Contains(out, string(fakes.Wallet("mallory"))) || !strings.Contains(out, string(fakes.Wallet("root"))) {
		t.Errorf("the roles after the recovery: %s", out)
	}
	second.stop()
	if out := w.do("audit", "--seed-keys", w.settings["seed-keys"]); !strings.Contains(out, "everything holds") || !strings.Contains(out, "epoch 2") {
		t.Errorf("audit: %s", out)
	}
	if _, errOut, code := runCasino(t, append([]string{"recover", "--apply"}, w.flags()...)...); code != exitFailed || !strings.Contains(errOut, "the service is open") {
		t.Errorf("recovered twice: %d %s", code, errOut)
	}
}

// recovered checks that the old session, message and seeds are dead, and that the player's
// balance matches the chain.
func (w *world) recovered(s *running, old *client.Client, signed, closed time.Time, before api.Seed) {
	t := w.t
	t.Helper()
	until(t, "the service is open again", func() bool {
		health, err := client.New(s.api, nil).Health(t.Context())
		// Messages from up to a minute after the discovery may have been used, because they may
		// be stamped almost a minute ahead.
		return err == nil && health.Checks[kernel.LedgerCheck].Status == string(kernel.OK) && time.Since(closed) > 10*time.Second
	})
	alice, _, err := client.New(s.api, nil).SignIn(t.Context(), fakes.Key("alice"), time.Now().Add(55*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.Balance(t.Context(), api.BalanceParams{}); !refusedAs(err, "INVALID_TOKEN") {
		t.Errorf("the old session: %v", err)
	}
	if _, _, err := client.New(s.api, nil).SignIn(t.Context(), fakes.Key("alice"), signed); !refusedAs(err, "STALE_TIMESTAMP") {
		t.Errorf("the old message: %v", err)
	}
	now, err := alice.Seed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, seen := range []string{before.ServerSeedHash, before.NextServerSeedHash} {
		if now.ServerSeedHash == seen || now.NextServerSeedHash == seen || now.Nonce != 0 {
			t.Errorf("seed %s is used again: %+v", seen, now)
		}
	}
	revealed, err := alice.SeedHistory(t.Context(), api.SeedHistoryParams{})
	if err != nil || len(revealed.Seeds) != 2 {
		t.Errorf("revealed: %+v, %v", revealed, err)
	}
	until(t, "the deposit is found again", func() bool { return balanceOf(t, alice) == 500_000_000 })
	if _, err := alice.Withdraw(t.Context(), api.WithdrawRequest{
		Amount: 100_000_000, Token: string(money.SOL), Destination: string(fakes.Wallet("alice")),
	}); err != nil {
		t.Error(err)
	}
	if got := balanceOf(t, alice); got != 150_000_000 {
		t.Errorf("alice has %d once the debt is paid, want 150000000", got)
	}
}

func refusedAs(err error, code string) bool {
	var refused *client.Error
	return errors.As(err, &refused) && refused.Code == code
}

func balanceOf(t *testing.T, session *client.Client) int64 {
	t.Helper()
	all, err := session.Balance(t.Context(), api.BalanceParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		if b.Token == string(money.SOL) {
			return b.Balance
		}
	}
	return 0
}

// asks requests a withdrawal to the player's own wallet.
func (w *world) asks(session *client.Client, amount int64) (id string) {
	w.t.Helper()
	asked, err := session.Withdraw(w.t.Context(), api.WithdrawRequest{
		Amount: amount, Token: string(money.SOL), Destination: string(fakes.Wallet("alice")),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return asked.Withdrawal.ID
}

// pays approves a withdrawal and waits for its payout.
func (w *world) pays(s *running, session *client.Client, id string) {
	t := w.t
	t.Helper()
	if _, err := s.signIn("finance").ApproveWithdrawal(t.Context(), api.ApproveRequest{ID: id}); err != nil {
		t.Fatal(err)
	}
	until(t, "the payout is completed", func() bool {
		all, err := session.AccountTransactions(t.Context(), api.AccountTransactionsParams{})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range all.Transactions {
			if line.ID == id {
				return line.Status == "completed"
			}
		}
		return false
	})
}

// held returns the balance of alice's wallet on chain.
func (w *world) held() uint64 {
	w.t.Helper()
	held, err := w.rpc.GetBalance(w.t.Context(), dev.PublicKey(fakes.Key("alice")), rpc.CommitmentFinalized)
	if err != nil {
		w.t.Fatal(err)
	}
	return held.Value
}

// putBack replaces the database by a backup.
func (w *world) putBack(copied string) {
	w.t.Helper()
	database := strings.TrimPrefix(w.settings["database-url"], "sqlite:")
	content, err := os.ReadFile(copied)
	if err == nil {
		err = errors.Join(os.RemoveAll(database+"-wal"), os.RemoveAll(database+"-shm"), os.WriteFile(database, content, 0o600))
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// recover runs casino recover beside the service.
func (w *world) recover(args ...string) string {
	w.t.Helper()
	out, errOut, code := runCasino(w.t, append(append([]string{"recover"}, args...), w.flags()...)...)
	if code != exitDone {
		w.t.Fatalf("recover: exit %d\n%s%s", code, out, errOut)
	}
	return out
}
