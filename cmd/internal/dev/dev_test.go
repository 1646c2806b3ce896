package dev

import (
	"crypto/ed25519"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/test/fakes"
)

// TestProfilesAreWired: every profile provides each required value exactly once.
func TestProfilesAreWired(t *testing.T) {
	t.Parallel()
	treasury := solana.WatchOnly(fakes.Wallet("treasury"))
	node := []settings.Secret{"https://node.example"}
	postgres, err := settings.Database{DatabaseURL: "postgres://casino:pw@db/casino"}.Location()
	noError(t, err)
	for name, profile := range map[string]fx.Option{
		"dev": fx.Options(devProfile(Flags{}), fx.Supply(cli.Streams{Out: io.Discard, Err: io.Discard}), fx.Invoke(func(announcement) {})),
		"serve on SQLite": service.Production(settings.Serve{}, settings.Plan{
			Database: settings.SQLiteAt("casino.db"), RPC: node, Treasury: treasury,
		}, "test", telemetry.NoTraces),
		"serve on Postgres and Redis": service.Production(settings.Serve{}, settings.Plan{
			Database: postgres, Redis: "redis://redis:6379", RPC: node, Treasury: treasury,
		}, "test", telemetry.TracesByVariable),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := fx.ValidateApp(profile, fx.Supply(slog.New(slog.DiscardHandler), &service.Held{}, service.StopRequested{Context: t.Context()}), fx.NopLogger); err != nil {
				t.Error(err)
			}
		})
	}
	if err := fx.ValidateApp(service.Core, fx.Supply(slog.New(slog.DiscardHandler), &service.Held{}, service.StopRequested{Context: t.Context()}), fx.NopLogger); err == nil {
		t.Error("the core alone is wired: the profiles supply nothing, and this test can't fail")
	}
}

// TestKeypairFilesAreTheSolanaCLIs writes and reads a keypair file, and refuses invalid
// ones.
func TestKeypairFilesAreTheSolanaCLIs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key.json")
	made, err := readKeypair(path, fixedSeed{})
	noError(t, err)
	again, err := readKeypair(path, nil)
	if err != nil || !made.Equal(again) {
		t.Fatalf("read back: %v", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key file can be read by others: %v, %v", info.Mode(), err)
	}
	for name, text := range map[string]string{
		"too short": "[1,2,3]", "no array": "{}", "no byte": "[" + strings.Repeat("256,", 63) + "256]",
		"halves apart": "[" + strings.Repeat("1,", 63) + "1]",
	} {
		if _, err := ParseKeypair(path, []byte(text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// fixedSeed is entropy that always draws the same.
type fixedSeed struct{}

func (fixedSeed) Seed() [32]byte { return [32]byte{7} }
func (fixedSeed) ID() string     { return "id" }

// TestTheFolderHasItsTokensFile reads the tokens file of the first start, and then a
// changed one.
func TestTheFolderHasItsTokensFile(t *testing.T) {
	t.Parallel()
	folder := Folder(t.TempDir())
	keys := devKeys{mint: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}
	made, err := folderTerms(folder, keys)
	noError(t, err)
	for i, want := range demoTerms(keys) {
		want.BankrollShare = made[i].BankrollShare // 1/10 in other terms
		if made[i] != want {
			t.Errorf("the file says %+v, the demo %+v", made[i], want)
		}
	}
	text, err := os.ReadFile(folder.tokensPath())
	noError(t, err)
	noError(t, os.WriteFile(folder.tokensPath(), []byte(strings.Replace(string(text), `"maxWager": 10000000000`, `"maxWager": 7000000`, 1)), 0o600))
	if changed, err := folderTerms(folder, keys); err != nil || changed[0].MaxWager != 7_000_000 {
		t.Errorf("after the change: %+v, %v", changed, err)
	}
	noError(t, os.WriteFile(folder.tokensPath(), []byte(`{"tokens": []}`), 0o600))
	if _, err := folderTerms(folder, keys); err == nil || !strings.Contains(err.Error(), folder.tokensPath()) {
		t.Errorf("a file without tokens: %v", err)
	}
}

// TestTheChainNeedsTwoPorts: the error names the websocket if the next port is taken.
func TestTheChainNeedsTwoPorts(t *testing.T) {
	t.Parallel()
	pair, err := listenPair("127.0.0.1:0")
	noError(t, err)
	defer func() { _ = pair.websocket.Close() }()
	address := pair.Addr().String()
	noError(t, pair.Close())
	life := fxtest.NewLifecycle(t)
	flags := Flags{HTTPAddr: "127.0.0.1:0", ProviderAddr: "127.0.0.1:0", LocalnetAddr: address}
	_, _, _, err = openListeners(flags, life, &service.Held{})
	if err == nil || !strings.HasPrefix(err.Error(), "CASINO_LOCALNET_ADDR: its websocket, on the port above: ") {
		t.Error(err)
	}
	if err := life.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// noError ends the test on an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
