package main

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/ports"
)

// refused runs serve and expects it to end at once, with each of the texts and without
// secrets in its output.
func (w *world) refused(words ...string) {
	w.t.Helper()
	out, errOut, code := runCasino(w.t, append([]string{"serve"}, w.flags()...)...)
	if code == exitDone {
		w.t.Fatalf("it served:\n%s%s", out, errOut)
	}
	for _, text := range words {
		if !strings.Contains(errOut, text) {
			w.t.Errorf("%q is not in the output:\n%s", text, errOut)
		}
	}
	for _, secret := range []string{random(1), random(2), random(3), "api-key-of-the-node", "the-password"} {
		if strings.Contains(errOut, secret) {
			w.t.Errorf("a secret is told:\n%s", errOut)
		}
	}
}

func TestServeRefusesWhatIsNotProduction(t *testing.T) {
	t.Parallel()
	t.Run("no database and another chain, both told at once", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.settings["solana-genesis"] = settings.MainnetGenesis
		w.refused("CASINO_DATABASE_URL", "migrate up", "CASINO_SOLANA_RPC_URLS", "another chain")
	})
	t.Run("an unmigrated schema", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.do("migrate", "up")
		w.do("migrate", "down", "--lose-data")
		if out := w.do("migrate", "status"); !strings.Contains(out, "missing ") {
			t.Errorf("migrate status: %q", out)
		}
		w.refused("CASINO_DATABASE_URL", "not migrated", "migrate up")
	})
	t.Run("a node that is away", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.do("migrate", "up")
		w.settings["solana-rpc-urls"] = "http://127.0.0.1:1/api-key-of-the-node"
		w.refused("CASINO_SOLANA_RPC_URLS", "node 1")
	})
	t.Run("withdrawals too small for a new account", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.do("migrate", "up")
		w.settings["tokens-file"] = w.file("small.json", strings.Replace(productionTokens, `"minWithdrawal": 1000000`, `"minWithdrawal": 890879`, 1))
		w.refused("minWithdrawal of SOL in CASINO_TOKENS_FILE is 890879 lamports", "must hold 890880")
	})
	t.Run("a database of casino dev", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		store, err := dev.OpenDatabase(t.Context(), dev.Folder(w.folder), system.Default())
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: w.settings["solana-genesis"]}); err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		w.refused("mode differs", `"dev"`)
	})
	t.Run("a database of another chain", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.do("migrate", "up")
		w.serve().stop()
		other := newWorldOf(t, "another genesis")
		other.settings["database-url"] = w.settings["database-url"]
		other.refused("genesis hash differs")
	})
	t.Run("a port that is taken", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.do("migrate", "up")
		s := w.serve()
		w.settings["http-addr"] = strings.TrimPrefix(s.ops, "http://")
		w.refused("CASINO_HTTP_ADDR", "in use")
	})
}
