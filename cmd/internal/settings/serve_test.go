package settings_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// secretOf returns a secret of 32 bytes, different for each number.
func secretOf(n byte) string {
	secret := bytes.Repeat([]byte{n}, 32)
	secret[0] = 0xa5
	return hex.EncodeToString(secret)
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func keypairFile(t *testing.T, name string) string {
	t.Helper()
	return file(t, "treasury.json", strings.ReplaceAll(fmt.Sprint([]byte(fakes.Key(name))), " ", ","))
}

// good returns settings without a fault: Postgres, Redis, one node.
func good(t *testing.T) settings.Serve {
	t.Helper()
	return settings.Serve{
		API:      settings.API{BasePath: "/casino", WritesPerMinute: 60, AddressConnections: 512, Connections: 16384, AddressStreams: 32, BodyBytesPerSecond: 1024, TrustedProxies: []string{"10.0.0.0/8"}, CORSOrigins: []string{"https://example.com"}},
		Database: settings.Database{DatabaseURL: "postgres://casino:pw@db:5432/casino?sslmode=verify-full"},
		StateDir: "/srv/casino-state", HTTPAddr: ":8080", OpsAddr: "127.0.0.1:9090",
		TokensFile: file(t, "tokens.json", goodTokens), RedisURL: "rediss://default:pw@redis:6379/0",
		SolanaRPCURLs: []settings.Secret{"https://node.example/key", "https://other.example"}, SolanaGenesis: settings.MainnetGenesis,
		TreasuryKeypair: keypairFile(t, "treasury"), TreasuryAddress: string(fakes.Wallet("treasury")),
		JWTKeys:           []settings.Secret{settings.Secret("2026-02:" + secretOf(1)), settings.Secret("2026-01:" + secretOf(2))},
		SeedKeysFile:      file(t, "seed.keys", "# newest first\n\n2026-01:"+secretOf(3)+"\n"),
		Checkpoints:       settings.Checkpoints{CheckpointKeys: []settings.Secret{settings.Secret("2026-01:" + secretOf(4))}},
		SuperadminWallets: []string{string(fakes.Wallet("root"))},
	}
}

func TestGoodSettingsAreRead(t *testing.T) {
	t.Parallel()
	plan, err := good(t).Plan()
	if err != nil {
		t.Fatal(err)
	}
	if plan.Database.Engine != settings.Postgres || plan.Redis == "" || len(plan.RPC) != 2 || len(plan.Terms) != 1 {
		t.Errorf("plan: %+v", plan)
	}
	if ids := plan.Sessions.IDs(); len(ids) != 2 || ids[0] != "2026-02" {
		t.Errorf("session keys: %v", ids)
	}
	if plan.Treasury.Address() != fakes.Wallet("treasury") || plan.Superadmins[0] != fakes.Wallet("root") {
		t.Errorf("treasury %s, superadmins %v", plan.Treasury.Address(), plan.Superadmins)
	}
	for name, printed := range map[string]string{
		"%+v": fmt.Sprintf("%+v", plan), "%#v of the settings": fmt.Sprintf("%v %+v", good(t), good(t)),
	} {
		for _, secret := range []string{"pw@", secretOf(1), secretOf(3), "node.example/key"} {
			if strings.Contains(printed, secret) {
				t.Errorf("%s shows a secret: %s", name, printed)
			}
		}
	}
}

func TestSecretsDontPrint(t *testing.T) {
	t.Parallel()
	secret := settings.Secret("hunter2")
	encoded, err := json.Marshal(map[string]any{"a": secret})
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "secret", secret)
	for _, text := range []string{
		fmt.Sprintf("%v %s %q %x %#v %d", secret, secret, secret, secret, secret, secret), string(encoded), logged.String(), secret.String(),
	} {
		if strings.Contains(text, "hunter2") || !strings.Contains(text, "[secret]") {
			t.Errorf("printed as %q", text)
		}
	}
	if settings.Secret("").String() != "" {
		t.Error("a secret that isn't set looks as if it were")
	}
}

// faulty are changes that make good settings faulty, each with the name of the faulty
// setting and a part of the message.
var faulty = map[string]struct {
	change func(*testing.T, *settings.Serve)
	want   []string
}{
	"no database":            {func(_ *testing.T, s *settings.Serve) { s.DatabaseURL = "" }, []string{"CASINO_DATABASE_URL", "missing"}},
	"another engine":         {func(_ *testing.T, s *settings.Serve) { s.DatabaseURL = "mysql://db/casino" }, []string{"CASINO_DATABASE_URL", "postgres://"}},
	"no database's name":     {func(_ *testing.T, s *settings.Serve) { s.DatabaseURL = "postgres://casino:pw@db/" }, []string{"CASINO_DATABASE_URL", "form"}},
	"no SQLite file":         {func(_ *testing.T, s *settings.Serve) { s.DatabaseURL = "sqlite:" }, []string{"CASINO_DATABASE_URL", "file"}},
	"a URL and a file of it": {func(t *testing.T, s *settings.Serve) { s.DatabaseURLFile = file(t, "url", "sqlite:x") }, []string{"CASINO_DATABASE_URL", "one of them"}},
	"Postgres without Redis": {func(_ *testing.T, s *settings.Serve) { s.RedisURL = "" }, []string{"CASINO_REDIS_URL", "none"}},
	"no state folder":        {func(_ *testing.T, s *settings.Serve) { s.StateDir = "" }, []string{"CASINO_STATE_DIR", "missing"}},
	"state beside an SQLite file": {func(t *testing.T, s *settings.Serve) {
		s.StateDir = t.TempDir()
		s.DatabaseURL = settings.Secret("sqlite:" + filepath.Join(s.StateDir, "casino.db"))
	}, []string{"CASINO_STATE_DIR", "folder of the database"}},
	"state below it, by a link": {func(t *testing.T, s *settings.Serve) {
		data, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(data, link); err != nil {
			t.Fatal(err)
		}
		s.DatabaseURL, s.StateDir = settings.Secret("sqlite:"+filepath.Join(data, "casino.db")), filepath.Join(link, "not", "yet", "there")
	}, []string{"CASINO_STATE_DIR", "folder of the database"}},
	"no Redis URL":            {func(_ *testing.T, s *settings.Serve) { s.RedisURL = "redis:6379" }, []string{"CASINO_REDIS_URL", "form"}},
	"no node":                 {func(_ *testing.T, s *settings.Serve) { s.SolanaRPCURLs = nil }, []string{"CASINO_SOLANA_RPC_URLS", "missing"}},
	"no node's URL":           {func(_ *testing.T, s *settings.Serve) { s.SolanaRPCURLs = []settings.Secret{"https://a", "ftp://key@b"} }, []string{"CASINO_SOLANA_RPC_URLS", "entry 2"}},
	"one node":                {func(_ *testing.T, s *settings.Serve) { s.SolanaRPCURLs = s.SolanaRPCURLs[:1] }, []string{"CASINO_SOLANA_RPC_URLS", "SINGLE_NODE"}},
	"no genesis hash":         {func(_ *testing.T, s *settings.Serve) { s.SolanaGenesis = "mainnet" }, []string{"CASINO_SOLANA_GENESIS"}},
	"no treasury":             {func(_ *testing.T, s *settings.Serve) { s.TreasuryKeypair, s.TreasuryAddress = "", "" }, []string{"CASINO_TREASURY_KEYPAIR", "CASINO_TREASURY_ADDRESS"}},
	"another treasury":        {func(_ *testing.T, s *settings.Serve) { s.TreasuryAddress = string(fakes.Wallet("other")) }, []string{"CASINO_TREASURY_ADDRESS", string(fakes.Wallet("treasury"))}},
	"a treasury that is none": {func(_ *testing.T, s *settings.Serve) { s.TreasuryAddress = "treasury" }, []string{"CASINO_TREASURY_ADDRESS"}},
	"a key in two places": {func(_ *testing.T, s *settings.Serve) {
		s.TreasurySignerURL, s.TreasurySignerToken = "https://signer", settings.Secret(secretOf(8))
	}, []string{"CASINO_TREASURY_SIGNER_URL", "one place"}},
	"a signer of nobody": {func(_ *testing.T, s *settings.Serve) {
		s.TreasuryKeypair, s.TreasuryAddress, s.TreasurySignerURL = "", "", "https://signer"
	}, []string{"CASINO_TREASURY_SIGNER_URL", "CASINO_TREASURY_ADDRESS"}},
	"a signer in the clear": {func(_ *testing.T, s *settings.Serve) {
		s.TreasuryKeypair, s.TreasuryAddress, s.TreasurySignerURL = "", string(fakes.Wallet("treasury")), "http://signer"
		s.TreasurySignerToken = settings.Secret(secretOf(8))
	}, []string{"CASINO_TREASURY_SIGNER_URL", "https"}},
	"a signer without a token": {func(_ *testing.T, s *settings.Serve) {
		s.TreasuryKeypair, s.TreasuryAddress, s.TreasurySignerURL = "", string(fakes.Wallet("treasury")), "https://signer"
	}, []string{"CASINO_TREASURY_SIGNER_URL", "token"}},
	"a keypair for all": {func(t *testing.T, s *settings.Serve) {
		if err := os.Chmod(s.TreasuryKeypair, 0o644); err != nil {
			t.Fatal(err)
		}
	}, []string{"CASINO_TREASURY_KEYPAIR", "chmod 600"}},
	"no keys":                 {func(_ *testing.T, s *settings.Serve) { s.JWTKeys = nil }, []string{"CASINO_JWT_KEYS", "missing"}},
	"a file without keys":     {func(t *testing.T, s *settings.Serve) { s.SeedKeysFile = file(t, "empty", "# none\n") }, []string{"CASINO_SEED_KEYS", "is empty"}},
	"a file that isn't there": {func(_ *testing.T, s *settings.Serve) { s.SeedKeysFile = "/nowhere" }, []string{"CASINO_SEED_KEYS"}},
	"a short key":             {func(_ *testing.T, s *settings.Serve) { s.JWTKeys = []settings.Secret{"a:abcd"} }, []string{"CASINO_JWT_KEYS", "32"}},
	"a key of development": {func(_ *testing.T, s *settings.Serve) {
		s.JWTKeys = []settings.Secret{settings.Secret("dev:" + secretOf(9))}
	}, []string{"CASINO_JWT_KEYS", "casino dev"}},
	"one secret for two ends": {func(_ *testing.T, s *settings.Serve) {
		s.JWTKeys = []settings.Secret{settings.Secret("x:" + secretOf(3))}
	}, []string{"CASINO_SEED_KEYS", "shares"}},
	"no key for checkpoints": {func(_ *testing.T, s *settings.Serve) { s.CheckpointKeys = nil }, []string{"CASINO_CHECKPOINT_KEYS", "missing"}},
	"a long key for checkpoints": {func(_ *testing.T, s *settings.Serve) {
		s.CheckpointKeys = []settings.Secret{settings.Secret("x:" + secretOf(4) + "00")}
	}, []string{"CASINO_CHECKPOINT_KEYS", "exactly 32 bytes"}},
	"seeds sealed with the key of checkpoints": {func(_ *testing.T, s *settings.Serve) {
		s.CheckpointKeys = []settings.Secret{settings.Secret("x:" + secretOf(3))}
	}, []string{"CASINO_CHECKPOINT_KEYS", "shares"}},
	"a long key for receipts": {func(_ *testing.T, s *settings.Serve) {
		s.ReceiptKeys = []settings.Secret{settings.Secret("x:" + secretOf(7) + "00")}
	}, []string{"CASINO_RECEIPT_KEYS", "exactly 32 bytes"}},
	"receipts signed with the key of checkpoints": {func(_ *testing.T, s *settings.Serve) {
		s.ReceiptKeys = []settings.Secret{settings.Secret("x:" + secretOf(4))}
	}, []string{"CASINO_RECEIPT_KEYS", "shares"}},
	"witnesses without a log": {func(_ *testing.T, s *settings.Serve) { s.LogWitnesses = []string{witnessOf("one")} },
		[]string{"CASINO_LOG_WITNESSES", "needs CASINO_RECEIPT_KEYS"}},
	"a witness without a key": {func(_ *testing.T, s *settings.Serve) {
		s.LogWitnesses, s.ReceiptKeys = []string{"https://w.example"}, []settings.Secret{settings.Secret("x:" + secretOf(7))}
	}, []string{"CASINO_LOG_WITNESSES", "entry 1"}},
	"one witness twice": {func(_ *testing.T, s *settings.Serve) {
		s.ReceiptKeys = []settings.Secret{settings.Secret("x:" + secretOf(7))}
		s.LogWitnesses = []string{witnessOf("one"), witnessOf("two"), witnessOf("one")}
	}, []string{"CASINO_LOG_WITNESSES", "entry 3", "twice"}},
	"a lame duck for ever":           {func(_ *testing.T, s *settings.Serve) { s.LameDuck = time.Hour }, []string{"CASINO_LAME_DUCK", "5m"}},
	"no writes at all":               {func(_ *testing.T, s *settings.Serve) { s.API.WritesPerMinute = 0 }, []string{"CASINO_WRITES_PER_MINUTE"}},
	"frames of every site":           {func(_ *testing.T, s *settings.Serve) { s.GameFrames = []string{"https://ok.example", "https://*"} }, []string{"CASINO_GAME_FRAMES", `"https://*"`}},
	"frames of two policies":         {func(_ *testing.T, s *settings.Serve) { s.GameFrames = []string{"https://a.example;script-src"} }, []string{"CASINO_GAME_FRAMES"}},
	"a reality check each second":    {func(_ *testing.T, s *settings.Serve) { s.RealityCheck = time.Second }, []string{"CASINO_REALITY_CHECK", "1m"}},
	"no connection":                  {func(_ *testing.T, s *settings.Serve) { s.Connections = 0 }, []string{"CASINO_CONNECTIONS"}},
	"streams below none":             {func(_ *testing.T, s *settings.Serve) { s.EventStreams = -1 }, []string{"CASINO_EVENT_STREAMS"}},
	"no stream of an address":        {func(_ *testing.T, s *settings.Serve) { s.AddressStreams = 0 }, []string{"CASINO_EVENT_STREAMS_PER_ADDRESS"}},
	"no connection of an address":    {func(_ *testing.T, s *settings.Serve) { s.AddressConnections = 0 }, []string{"CASINO_CONNECTIONS_PER_ADDRESS"}},
	"bodies at no pace":              {func(_ *testing.T, s *settings.Serve) { s.BodyBytesPerSecond = 0 }, []string{"CASINO_BODY_BYTES_PER_SECOND"}},
	"no time between rounds":         {func(_ *testing.T, s *settings.Serve) { s.API.RoundPace = []string{"soon"} }, []string{"CASINO_ROUND_PACE", `"soon"`}},
	"a negative time between rounds": {func(_ *testing.T, s *settings.Serve) { s.API.RoundPace = []string{"slots=-1s"} }, []string{"CASINO_ROUND_PACE", `"slots=-1s"`}},
	"a long time between rounds":     {func(_ *testing.T, s *settings.Serve) { s.API.RoundPace = []string{"2h"} }, []string{"CASINO_ROUND_PACE", `"2h"`}},
	"two times between rounds":       {func(_ *testing.T, s *settings.Serve) { s.API.RoundPace = []string{"5s", "6s"} }, []string{"CASINO_ROUND_PACE", `"6s"`}},
	"two times of one game":          {func(_ *testing.T, s *settings.Serve) { s.API.RoundPace = []string{"slots=1s", "slots=2s"} }, []string{"CASINO_ROUND_PACE", `"slots=2s"`}},
	"no tokens":                      {func(_ *testing.T, s *settings.Serve) { s.TokensFile = "" }, []string{"CASINO_TOKENS_FILE", "missing"}},
	"two persons not stated": {func(t *testing.T, s *settings.Serve) {
		s.TokensFile = file(t, "tokens", strings.Replace(goodTokens, `"twoPersonAbove": null, `, ``, 1))
	}, []string{"CASINO_TOKENS_FILE", "twoPersonAbove"}},
	"no superadmin":          {func(_ *testing.T, s *settings.Serve) { s.SuperadminWallets = []string{"root"} }, []string{"CASINO_SUPERADMIN_WALLETS", "root"}},
	"no address":             {func(_ *testing.T, s *settings.Serve) { s.HTTPAddr = "8080" }, []string{"CASINO_HTTP_ADDR"}},
	"another machine":        {func(_ *testing.T, s *settings.Serve) { s.OpsAddr = "ops.example:9090" }, []string{"CASINO_OPS_ADDR"}},
	"one address for both":   {func(_ *testing.T, s *settings.Serve) { s.OpsAddr = s.HTTPAddr }, []string{"CASINO_OPS_ADDR", "public"}},
	"everybody trusted":      {func(_ *testing.T, s *settings.Serve) { s.TrustedProxies = []string{"::/0"} }, []string{"CASINO_TRUSTED_PROXIES"}},
	"a path that climbs":     {func(_ *testing.T, s *settings.Serve) { s.BasePath = "/a/../b" }, []string{"CASINO_BASE_PATH"}},
	"a slash at its end":     {func(_ *testing.T, s *settings.Serve) { s.BasePath = "/a/b/" }, []string{"CASINO_BASE_PATH"}},
	"no signature to show":   {func(_ *testing.T, s *settings.Serve) { s.ExplorerURL = "https://example.com/tx/" }, []string{"CASINO_EXPLORER_URL"}},
	"a script to show it":    {func(_ *testing.T, s *settings.Serve) { s.ExplorerURL = "javascript:alert('{signature}')" }, []string{"CASINO_EXPLORER_URL"}},
	"no multiplier to reach": {func(_ *testing.T, s *settings.Serve) { s.Crash = crashSettings; s.CrashCap = 1 }, []string{"CASINO_CRASH_CAP", "from 2"}},
	"no time to bet":         {func(_ *testing.T, s *settings.Serve) { s.Crash = crashSettings; s.CrashBetting = time.Millisecond }, []string{"CASINO_CRASH_BETTING", "1s"}},
	"a beacon that is known": {func(_ *testing.T, s *settings.Serve) { s.Crash = crashSettings; s.CrashDelay = 0 }, []string{"CASINO_CRASH_DELAY", "from 1"}},
	"no slot to decide":      {func(_ *testing.T, s *settings.Serve) { s.Crash = crashSettings; s.CrashWindow = 0 }, []string{"CASINO_CRASH_WINDOW", "from 1"}},
	"a chain without an end": {func(_ *testing.T, s *settings.Serve) { s.Crash = crashSettings; s.CrashLength = 10_000_001 }, []string{"CASINO_CRASH_LENGTH", "10000000"}},
	"no origin":              {func(_ *testing.T, s *settings.Serve) { s.CORSOrigins = []string{"example.com"} }, []string{"CASINO_CORS_ORIGINS"}},
}

// crashSettings are settings of the shared crash without a fault.
var crashSettings = settings.Crash{Crash: "solana", CrashCap: 1000, CrashBetting: 10 * time.Second, CrashDelay: 32, CrashWindow: 150, CrashLength: 1_000_000}

func TestTheSharedCrashIsSetUp(t *testing.T) {
	t.Parallel()
	s := good(t)
	if _, err := s.Plan(); err != nil || s.On() {
		t.Errorf("off: %t, %v", s.On(), err)
	}
	s.Crash = crashSettings
	want := sharedcrash.Rules{Cap: 1000_00, Betting: 10 * time.Second, Delay: 32, Window: 150, Length: 1_000_000}
	if _, err := s.Plan(); err != nil || !s.On() || s.Rules() != want {
		t.Errorf("%+v, %t, %v", s.Rules(), s.On(), err)
	}
}

func TestEachFaultIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range faulty {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			c.change(t, &s)
			_, err := s.Plan()
			if err == nil {
				t.Fatal("accepted")
			}
			for _, word := range c.want {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q does not hold %q", err, word)
				}
			}
			for _, secret := range []string{secretOf(1), secretOf(2), secretOf(3), secretOf(9), "pw@", "key@", "abcd"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("%q tells a secret", err)
				}
			}
			if lines := strings.Count(err.Error(), "\n"); lines != 0 {
				t.Errorf("one fault is told in %d lines: %q", lines+1, err)
			}
		})
	}
}

func TestAllFaultsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := settings.Serve{}.Plan()
	for _, name := range []string{
		"DATABASE_URL", "SOLANA_RPC_URLS", "SOLANA_GENESIS", "TREASURY_KEYPAIR", "JWT_KEYS", "SEED_KEYS", "CHECKPOINT_KEYS", "TOKENS_FILE",
		"HTTP_ADDR", "OPS_ADDR", "BASE_PATH", "STATE_DIR",
	} {
		if err == nil || !strings.Contains(err.Error(), "CASINO_"+name+":") {
			t.Errorf("the fault of CASINO_%s is not reported: %v", name, err)
		}
	}
}

func TestWhatMayBeLeftOut(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*settings.Serve){
		"Redis beside SQLite":    func(s *settings.Serve) { s.DatabaseURL, s.RedisURL = "sqlite:/var/lib/casino.db", "" },
		"Redis in so many words": func(s *settings.Serve) { s.RedisURL = settings.NoRedis },
		"the treasury's address": func(s *settings.Serve) { s.TreasuryAddress = "" },
		"the second node":        func(s *settings.Serve) { s.SolanaRPCURLs, s.SolanaSingleNode = s.SolanaRPCURLs[:1], true },
		"superadmins":            func(s *settings.Serve) { s.SuperadminWallets = nil },
	} {
		s := good(t)
		change(&s)
		if _, err := s.Plan(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	watching := good(t)
	watching.TreasuryKeypair = ""
	plan, err := watching.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Treasury.Sign(t.Context(), []byte("payout")); err == nil {
		t.Error("a treasury that is only watched signs")
	}
	if plan.Treasury.Address() != wallet.Address(watching.TreasuryAddress) {
		t.Error("another treasury is watched")
	}
}

func TestLocationsRevealOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	at, err := settings.Database{DatabaseURL: "postgres://casino:pw@db/casino"}.Location()
	if err != nil || at.Reveal() != "postgres://casino:pw@db/casino" {
		t.Fatalf("%v", errors.Join(err))
	}
	if text := fmt.Sprintf("%v %+v %s", at, at, at); strings.Contains(text, "pw") {
		t.Errorf("printed as %s", text)
	}
	for text, want := range map[string]string{"sqlite:casino.db": "casino.db", "sqlite:/var/casino.db": "/var/casino.db", "sqlite:///var/casino.db": "/var/casino.db"} {
		if at, err := (settings.Database{DatabaseURL: settings.Secret(text)}).Location(); err != nil || at.Reveal() != want {
			t.Errorf("%s: %s, %v", text, at.Reveal(), err)
		}
	}
}

func TestAStateFolderBesideTheDatabasesFolderIsTaken(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, state := range []string{"state", "data-state", "..data"} {
		s := good(t)
		s.DatabaseURL, s.StateDir = settings.Secret("sqlite:"+filepath.Join(folder, "data", "casino.db")), filepath.Join(folder, state)
		if plan, err := s.Plan(); err != nil || plan.StateDir != s.StateDir {
			t.Errorf("%s: %q, %v", state, plan.StateDir, err)
		}
	}
}

// witnessOf returns the setting of a witness of the public log.
func witnessOf(name string) string {
	return "https://witness.example " + fakes.NewLogWitness(name).Verifier().String()
}
