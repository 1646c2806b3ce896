package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/doctor"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// examine runs casino doctor with the world's settings and readings of the machine, in JSON.
func (w *world) examine(machine doctor.Machine, args ...string) ([]doctor.Finding, error) {
	w.t.Helper()
	var line struct {
		Doctor doctor.Command `cmd:""`
	}
	line.Doctor.Machine = machine
	var out bytes.Buffer
	parser, err := kong.New(&line, kong.Name("casino"))
	if err != nil {
		w.t.Fatal(err)
	}
	command, err := parser.Parse(append(append([]string{"doctor", "--json", "--check-timeout=1m"}, w.flags()...), args...))
	if err != nil {
		w.t.Fatal(err)
	}
	command.BindTo(w.t.Context(), (*context.Context)(nil))
	ended := command.Run(cli.Streams{Out: &out, Err: io.Discard})
	var found struct {
		OK       bool
		Findings []doctor.Finding
	}
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		w.t.Fatalf("%v:\n%s", err, out.String())
	}
	if len(found.Findings) < 15 || found.OK != (ended == nil) {
		w.t.Errorf("%d findings, ok %t, ended with %v", len(found.Findings), found.OK, ended)
	}
	for _, f := range found.Findings {
		if f.Found == "" || (f.State == doctor.OK) != (f.Remedy == "") || f.Remedy != "" && !strings.HasSuffix(f.Remedy, ".") || strings.Contains(f.Found, "\n") {
			w.t.Errorf("not a finding with its remedy in one line: %+v", f)
		}
	}
	for _, secret := range []string{random(1), random(2), random(3), random(4), random(9), "password-of", "key-of-the-node"} {
		if strings.Contains(out.String(), secret) {
			w.t.Errorf("a secret was printed:\n%s", out.String())
		}
	}
	return found.Findings, ended
}

// expect checks that a check has a finding of this state with the text, and that other checks
// have no fault.
func expect(t *testing.T, findings []doctor.Finding, name string, state doctor.State, text string) {
	t.Helper()
	seen := false
	for _, f := range findings {
		seen = seen || f.Check == name && f.State == state && strings.Contains(f.Found+"\n"+f.Remedy, text)
		if f.State == doctor.Fault && f.Check != name {
			t.Errorf("besides %s: %+v", name, f)
		}
	}
	if !seen {
		t.Errorf("no %s of %q with %q in\n%s", state, name, text, shown(findings))
	}
}

func shown(findings []doctor.Finding) string {
	var text strings.Builder
	for _, f := range findings {
		fmt.Fprintln(&text, f.State, f.Check, f.Found, f.Remedy)
	}
	return text.String()
}

// contents returns the hash of each file below folders.
func contents(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for _, folder := range folders {
		if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			info, statErr := entry.Info()
			sums[path] = fmt.Sprintf("%x %v", sha256.Sum256(raw), info.Mode())
			return errors.Join(err, statErr)
		}); err != nil {
			t.Fatal(err)
		}
	}
	return sums
}

// TestDoctorOnSQLite examines a deployment before its first start, beside the running service,
// and after it. It finds no fault, and changes no file.
func TestDoctorOnSQLite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.settings["http-addr"], w.settings["ops-addr"] = services.FreeAddresses(t)
	w.do("migrate", "up")
	path := strings.TrimPrefix(w.settings["database-url"], "sqlite:")
	if err := os.Chmod(path, 0o640); err != nil { // which serve would change
		t.Fatal(err)
	}
	before := contents(t, w.folder, w.settings["state-dir"])
	found, err := w.examine(doctor.Machine{})
	expect(t, found, "instance", doctor.OK, "are free")
	expect(t, found, "node 1", doctor.OK, "right chain, healthy")
	expect(t, found, "database", doctor.OK, "sqlite")
	expect(t, found, "role", doctor.Skipped, "SQLite has none")
	expect(t, found, "witness file", doctor.Warning, "no head of this database")
	if after := contents(t, w.folder, w.settings["state-dir"]); err != nil || fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("%v; files before\n%v\nand after\n%v", err, before, after)
	}

	s := w.serve()
	s.signIn("alice")
	found, err = w.examine(doctor.Machine{})
	expect(t, found, "instance", doctor.OK, "is ready and healthy")
	expect(t, found, "witness file", doctor.OK, "the newest head was kept")
	expect(t, found, "seals", doctor.OK, "verify a newest block")
	if err != nil {
		t.Error(err)
	}
	s.stop()
	before = contents(t, w.folder, w.settings["state-dir"])
	out, errOut, code := runCasino(t, append([]string{"doctor"}, w.flags()...)...)
	if after := contents(t, w.folder, w.settings["state-dir"]); code != exitDone || fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("exit %d\n%s%s; files before\n%v\nand after\n%v", code, out, errOut, before, after)
	}
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) < 15 || !strings.HasPrefix(lines[0], "ok       settings         complete") {
		t.Errorf("printed\n%s", out)
	}

	// With other keys, and on an older copy of the file.
	w.settings["seed-keys"] = "2026-01:" + random(4)
	found, _ = w.examine(doctor.Machine{})
	expect(t, found, "seals", doctor.Fault, "verify the newest block of none")
	w.settings["seed-keys"] = "2026-01:" + random(3)
	older, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s = w.serve()
	s.signIn("alice")
	s.stop()
	if err := os.WriteFile(path, older, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err = w.examine(doctor.Machine{})
	expect(t, found, "witness", doctor.Fault, "it is an older copy")
	if err == nil {
		t.Error("an older copy is no fault")
	}
}

// altered is the world's node with other answers: pairs of a method and a member of JSON-RPC.
func (w *world) altered(answers ...string) string {
	w.t.Helper()
	node := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.t.Error(err)
		}
		var call struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.Unmarshal(body, &call); err != nil {
			w.t.Error(err)
		}
		for i := 0; i < len(answers); i += 2 {
			if call.Method == answers[i] {
				rw.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(rw, `{"jsonrpc":"2.0","id":%s,%s}`, call.ID, answers[i+1])
				return
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		w.chain.Handler().ServeHTTP(rw, r)
	}))
	w.t.Cleanup(node.Close)
	return node.URL
}

// answering returns the URL of a server that answers each request alike.
func answering(t *testing.T, status int, text string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, text, status) }))
	t.Cleanup(server.Close)
	return server.URL
}

// TestDoctorNamesWhatIsBroken breaks one thing at a time.
func TestDoctorNamesWhatIsBroken(t *testing.T) {
	t.Parallel()
	const away = "http://127.0.0.1:1/key-of-the-node"
	for name, c := range map[string]struct {
		broken func(*world)
		check  string
		state  doctor.State
		text   string
	}{
		"another chain": {func(w *world) { w.settings["solana-genesis"] = string(money.SOL) },
			"node 1", doctor.Fault, "CASINO_SOLANA_GENESIS is " + string(money.SOL)},
		"a node that is away": {func(w *world) { w.settings["solana-rpc-urls"] += "," + away }, "node 2", doctor.Fault, "Start the node"},
		"a node that is behind": {func(w *world) {
			w.settings["solana-rpc-urls"] = w.altered("getHealth", `"error":{"code":-32005,"message":"Node is behind by 42 slots"}`)
		}, "node 1", doctor.Fault, "behind by 42 slots"},
		"nodes apart": {func(w *world) {
			w.settings["solana-rpc-urls"] += "," + w.altered("getSlot", `"result":100000000`, "getBlockTime", fmt.Sprintf(`"result":%d`, time.Now().Unix()))
		}, "nodes", doctor.Warning, "node 1 is"},
		"a node without history": {func(w *world) { w.settings["solana-rpc-urls"] = w.altered("getFirstAvailableBlock", `"result":2`) }, "node 1", doctor.Warning, "--limit-ledger-size"},
		"an old block": {func(w *world) { w.settings["solana-rpc-urls"] = w.altered("getBlockTime", `"result":1700000000`) },
			"clock chain", doctor.Fault, "the newest finalized block is"},
		"no file": {func(w *world) { w.settings["database-url"] = "sqlite:" + filepath.Join(w.folder, "none.db") }, "database", doctor.Fault, "no such file"},
		"a missing migration": {func(w *world) { w.do("migrate", "down", "--lose-data") },
			"migrations", doctor.Fault, "Run casino migrate up"},
		"a server that is away": {func(w *world) {
			w.settings["database-url"] = "postgres://casino:password-of-it@127.0.0.1:1/casino?sslmode=disable"
			w.settings["redis-url"] = "none"
		}, "database", doctor.Fault, "Start the server"},
		"keys for everybody": {func(w *world) {
			if err := os.Chmod(w.settings["jwt-keys-file"], 0o644); err != nil {
				w.t.Fatal(err)
			}
		}, "keys", doctor.Warning, "Run chmod 600 "},
		"a treasury that is watched": {func(w *world) {
			delete(w.settings, "treasury-keypair")
			w.settings["treasury-address"] = string(fakes.Wallet("bank"))
		}, "treasury", doctor.Warning, "only watched"},
		"a signer that is away": {func(w *world) { w.sign(away) }, "treasury", doctor.Fault, "the signer can't be reached"},
		"a signer's token":      {func(w *world) { w.sign(answering(w.t, http.StatusUnauthorized, "no")) }, "treasury", doctor.Fault, "does not accept this service's token"},
		"a signer":              {func(w *world) { w.sign(answering(w.t, http.StatusBadRequest, "no message")) }, "treasury", doctor.OK, "the signer answers and accepts the token"},
		"a taken address": {func(w *world) {
			taken, err := new(net.ListenConfig).Listen(w.t.Context(), "tcp", "127.0.0.1:0")
			if err != nil {
				w.t.Fatal(err)
			}
			w.t.Cleanup(func() { _ = taken.Close() })
			w.settings["http-addr"] = taken.Addr().String()
		}, "instance", doctor.Fault, "CASINO_HTTP_ADDR can't be opened"},
		"an instance that isn't ready": {func(w *world) {
			w.settings["ops-addr"] = strings.TrimPrefix(answering(w.t, http.StatusServiceUnavailable, "the database can't be used"), "http://")
		}, "instance", doctor.Fault, "isn't ready: the database can't be used"},
		"a Redis that is away": {func(w *world) { w.settings["redis-url"] = "redis://:password-of-it@127.0.0.1:1/0" }, "redis", doctor.Fault, "Start Redis"},
		"a Redis that evicts": {func(w *world) {
			server := services.StartRedis(w.t)
			w.settings["redis-url"] = server.URL()
			client, err := redis.Open(server.URL(), time.Minute)
			if err != nil {
				w.t.Fatal(err)
			}
			w.t.Cleanup(func() { _ = client.Close() })
			if err := client.ConfigSet(w.t.Context(), "maxmemory-policy", "allkeys-lru").Err(); err != nil {
				w.t.Fatal(err)
			}
		}, "redis", doctor.Warning, "maxmemory_policy allkeys-lru"},
		"a witness of the log that is away": {func(w *world) {
			w.settings["receipt-keys"] = "2026-01:" + random(8)
			w.settings["log-witnesses"] = "http://127.0.0.1:1 " + fakes.NewLogWitness("witness.example").Verifier().String()
		}, "log witness", doctor.Fault, "the witness witness.example does not answer"},
		"a provider that is away": {func(w *world) {
			w.settings["provider-url"], w.settings["provider-agent-code"] = "https://127.0.0.1:1", "casino"
			w.settings["provider-agent-token"], w.settings["provider-agent-secret"] = "password-of-the-agent", "password-of-the-provider"
			w.settings["provider-token"], w.settings["provider-net-win-cap"] = string(money.SOL), "1000"
		}, "provider", doctor.Fault, "Ask the provider"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.do("migrate", "up")
			c.broken(w)
			found, err := w.examine(doctor.Machine{})
			expect(t, found, c.check, c.state, c.text)
			if (err != nil) != (c.state == doctor.Fault) {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

// sign gives the treasury's key to a remote signer.
func (w *world) sign(url string) {
	delete(w.settings, "treasury-keypair")
	w.settings["treasury-address"] = string(fakes.Wallet("bank"))
	w.settings["treasury-signer-url"], w.settings["treasury-signer-token"] = strings.TrimSuffix(url, "/key-of-the-node"), random(5)
}

// TestDoctorWithWrongSettings has a line for each fault, and makes the other checks.
func TestDoctorWithWrongSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	w.settings["jwt-keys-file"] = filepath.Join(w.folder, "none.keys")
	w.settings["treasury-address"] = string(fakes.Wallet("another"))
	found, err := w.examine(doctor.Machine{})
	if err == nil {
		t.Error("wrong settings are no fault")
	}
	text := shown(found)
	for _, line := range []string{
		"fault settings CASINO_JWT_KEYS: open", "fault settings CASINO_TREASURY_ADDRESS: is not the keypair's address",
		"fault keys CASINO_JWT_KEYS_FILE: open", "ok node 1", "ok database", "ok migrations",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

// TestDoctorReadsThisMachine has a clock that is wrong, a full disk, and readings that fail.
func TestDoctorReadsThisMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	found, _ := w.examine(doctor.Machine{Now: func() time.Time { return time.Now().Add(time.Hour) }})
	if text := shown(found); !strings.Contains(text, "fault clock database the database's clock is 1h0m0") || !strings.Contains(text, "fault clock chain the newest finalized block is 1h0m") {
		t.Errorf("a clock an hour ahead:\n%s", text)
	}
	for name, c := range map[string]struct {
		space func(string) (uint64, bool, error)
		state doctor.State
		text  string
	}{
		"full":            {func(string) (uint64, bool, error) { return 100 << 20, true, nil }, doctor.Fault, "100 MB free"},
		"nearly full":     {func(string) (uint64, bool, error) { return 1 << 30, true, nil }, doctor.Warning, "1024 MB free"},
		"somebody else's": {func(string) (uint64, bool, error) { return 1 << 40, false, nil }, doctor.Fault, "this user may not write"},
		"broken":          {func(string) (uint64, bool, error) { return 0, false, errors.New("input/output error") }, doctor.Fault, "input/output error"},
		"a panic":         {func(string) (uint64, bool, error) { panic("out of range") }, doctor.Fault, "the check itself failed: out of range"},
	} {
		found, err := w.examine(doctor.Machine{DiskSpace: c.space})
		expect(t, found, "disk", c.state, c.text)
		if (err != nil) != (c.state == doctor.Fault) {
			t.Errorf("%s: ended with %v", name, err)
		}
	}
	hang := make(chan struct{})
	defer close(hang)
	found, _ = w.examine(doctor.Machine{DiskSpace: func(string) (uint64, bool, error) { <-hang; return 0, false, nil }}, "--check-timeout=3s")
	if text := shown(found); !strings.Contains(text, "fault disk no result within 3s") || !strings.Contains(text, "ok settings") {
		t.Errorf("a reading that hangs:\n%s", text)
	}
}

// TestDoctorOnPostgres examines a deployment on PostgreSQL and Redis, and what is wrong with its
// login and its server.
func TestDoctorOnPostgres(t *testing.T) {
	t.Parallel()
	w := onServices(t)
	admin, err := sql.Open("pgx", strings.Replace(w.settings["database-url"], "casino_app@", "postgres@", 1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = admin.Close() })
	do := func(statement string) {
		t.Helper()
		if _, err := admin.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	found, err := w.examine(doctor.Machine{})
	expect(t, found, "role", doctor.OK, "casino_app has the rights of casino_runtime and no others")
	expect(t, found, "durability", doctor.Warning, "synchronous_standby_names")
	expect(t, found, "connections", doctor.OK, "are free")
	expect(t, found, "redis", doctor.OK, "noeviction")
	if err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name, broken, repaired, check string
		state                         doctor.State
		text                          string
	}{
		{"a missing grant", "REVOKE INSERT ON rounds FROM casino_runtime", "GRANT INSERT ON rounds TO casino_runtime", "role", doctor.Fault, "GRANT INSERT ON rounds TO casino_runtime"},
		{"a missing column", "REVOKE UPDATE (seal) ON blocks FROM casino_runtime", "GRANT UPDATE (seal) ON blocks TO casino_runtime", "role", doctor.Fault, "casino_app lacks UPDATE (seal) on blocks"},
		{"no partitions", "REVOKE EXECUTE ON FUNCTION make_months FROM casino_runtime", "GRANT EXECUTE ON FUNCTION make_months TO casino_runtime", "role", doctor.Fault, "EXECUTE on make_months"},
		{"one right more", "GRANT DELETE ON rounds TO casino_app", "REVOKE DELETE ON rounds FROM casino_app", "role", doctor.Fault, "casino_app may DELETE on rounds"},
		{"a column more", "GRANT UPDATE (payout) ON rounds TO casino_app", "REVOKE UPDATE (payout) ON rounds FROM casino_app", "role", doctor.Fault, "casino_app may UPDATE (payout) on rounds"},
		{"a part more", "GRANT UPDATE ON rounds_rest TO casino_app", "REVOKE UPDATE ON rounds_rest FROM casino_app", "role", doctor.Fault, "casino_app may UPDATE on rounds_rest"},
		{"months to detach", "GRANT EXECUTE ON FUNCTION detach_month TO casino_app", "REVOKE EXECUTE ON FUNCTION detach_month FROM casino_app", "role", doctor.Fault, "EXECUTE on detach_month"},
		{"a creator", "ALTER ROLE casino_app CREATEROLE", "ALTER ROLE casino_app NOCREATEROLE", "role", doctor.Fault, "may create roles"},
		{"no origin", "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC", "GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC", "role", doctor.Warning, "pg_control_system"},
		{"commits that may be lost", "ALTER ROLE casino_app SET synchronous_commit = off", "ALTER ROLE casino_app RESET synchronous_commit", "durability", doctor.Fault, "synchronous_commit=off"},
		{"few connections", "ALTER ROLE casino_app CONNECTION LIMIT 12", "ALTER ROLE casino_app CONNECTION LIMIT -1", "connections", doctor.Warning, "of 12 are free"},
	} {
		do(c.broken)
		found, err := w.examine(doctor.Machine{})
		expect(t, found, c.check, c.state, c.text)
		if (err != nil) != (c.state == doctor.Fault) {
			t.Errorf("%s: ended with %v", c.name, err)
		}
		do(c.repaired)
	}
	own := w.settings["database-url"]
	w.settings["database-url"] = strings.Replace(own, "casino_app@", "postgres@", 1)
	found, _ = w.examine(doctor.Machine{})
	expect(t, found, "role", doctor.Fault, "postgres is a superuser")
	w.settings["database-url"] = own

	s := w.serve()
	s.signIn("alice")
	found, err = w.examine(doctor.Machine{})
	expect(t, found, "witness redis", doctor.OK, "the newest head was kept")
	expect(t, found, "witness file", doctor.OK, "the newest head was kept")
	if err != nil {
		t.Error(err)
	}
	s.stop()
}
