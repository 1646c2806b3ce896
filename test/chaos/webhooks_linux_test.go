package chaos_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/history"
	"github.com/casino-service/casino/test/services"
)

// The agents' own server of the test below: casino serve only sends to public addresses, so the
// test has its own network and host names file, in which this is its name and address.
const (
	earHost    = "hooks.example.com"
	earAddress = "93.184.216.34"
	apartName  = "CASINO_TEST_APART"
)

// TestServeWebhooksThroughKills kills two instances of the production service, and their
// database, under load: agents' own servers receive everything once and in order, over TLS, at a
// public address, even one that fails half of its answers; and no internal address is reached.
func TestServeWebhooksThroughKills(t *testing.T) {
	kills := number(t, "CASINO_TEST_HOOK_KILLS", 0)
	if kills == 0 {
		t.Skip("CASINO_TEST_HOOK_KILLS is not set") // allowed: make webhooks sets it, and takes minutes
	}
	if os.Getenv(apartName) == "" {
		apart(t)
		return
	}
	folder := t.TempDir()
	hosts(t, filepath.Join(folder, "hosts"))
	certificate := certified(t, filepath.Join(folder, "ca.pem"))
	cluster := services.NewCluster(t)
	d := deploy(t, cluster.URL(), services.StartRedis(t).URL())
	d.environment = append(d.environment, "SSL_CERT_FILE="+filepath.Join(folder, "ca.pem"))
	instances := []*instance{d.start(), d.start()}
	guests := invite(t, 16, instances...)
	top := instances[0].client("192.0.2.1").WithToken(signUp(t, "http://"+instances[0].api+"/casino", "superadmin", ""))
	insideIsRefused(t, top)

	moved := moving(t, top, filepath.Join(folder, "hosts"), certificate)
	whole, half := listenAs(t, earAddress, false, certificate), listenAs(t, earAddress, true, certificate)
	acme, err := top.CreateAgent(t.Context(), api.CreateAgentRequest{AgentCode: "acme", AgentRequest: api.AgentRequest{AgentName: ptr("Acme")}})
	noError(t, err)
	for _, agent := range []string{"house", "acme"} {
		if _, err := top.GrantRole(t.Context(), string(fakes.Wallet("operator of "+agent)), api.GrantRequest{Role: "operator", AgentCode: agent}); err != nil {
			t.Fatal(err)
		}
	}
	from := hooked(t, top, "house", whole)
	hooked(t, top, acme.Agent.ID, half, stream.BalanceChanged)
	stop := make(chan struct{})
	playing := guests.play(2, stopped(t, stop, 200*time.Millisecond))
	slowly := guests.playSlowly(top, stopped(t, stop, 1500*time.Millisecond))
	databaseKills := number(t, "CASINO_TEST_HOOK_POSTGRES_KILLS", 2)
	for n := range kills {
		guests.progress(100)
		if databaseKills > 0 && n%(kills/databaseKills+1) == 1 {
			cluster.Kill(t)
			cluster.Start(t)
			for _, i := range instances {
				i.ready()
			}
		}
		i := instances[n%len(instances)]
		i.kill()
		i.again()
	}
	guests.progress(100)
	close(stop)
	playing.Wait()
	moved()
	slowly.Wait()
	half.heardAll(committedAfter(t, operatorOf(t, instances[0], "acme"), from, string(stream.BalanceChanged)))
	whole.heardAll(committedAfter(t, operatorOf(t, instances[1], "house"), from, ""))
	balancesOf(t, whole, guests)
	guests.settle()
	for _, i := range instances {
		i.noLeaks()
		i.stop()
	}
	d.audited()
	t.Logf("%d kills of the service, %d of PostgreSQL", kills, databaseKills)
}

// apart runs the test again, with its own network and host names.
func apart(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may have a network of its own") // allowed: nothing else can make one and be another user in it
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=0")
	again.Env = append(os.Environ(), apartName+"=1")
	again.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS}
	out, err := again.CombinedOutput()
	if t.Logf("%s", out); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Error(err)
	}
}

// hosts gives this process and its children the address and the names.
func hosts(t *testing.T, file string) {
	t.Helper()
	for _, line := range [][]string{{"link", "set", "lo", "up"}, {"address", "add", earAddress + "/32", "dev", "lo"}} {
		if out, err := exec.CommandContext(t.Context(), "ip", line...).CombinedOutput(); err != nil {
			t.Fatalf("ip %v: %v: %s", line, err, out)
		}
	}
	named(t, file, earAddress)
	noError(t, syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, ""))
	if err := syscall.Mount(file, "/etc/hosts", "", syscall.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
}

// named writes the file of names. One of them has an internal address, and one moves.
func named(t *testing.T, file, movingTo string) {
	t.Helper()
	text := fmt.Sprintf("127.0.0.1 localhost inside.example.com\n%s %s\n%s moving.example.com\n", earAddress, earHost, movingTo)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil { //nolint:gosec // every user reads host names
		t.Fatal(err)
	}
}

// certified makes a certificate for the names, and the file by which the service trusts it.
func certified(t *testing.T, file string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	noError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{earHost, "moving.example.com"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	noError(t, err)
	noError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made}), 0o600))
	return tls.Certificate{Certificate: [][]byte{made}, PrivateKey: key}
}

// listenAs returns an ear with a name.
func listenAs(t *testing.T, address string, failing bool, certificate tls.Certificate) *ear {
	t.Helper()
	e := listen(t, address+":0", failing, certificate)
	e.url = strings.Replace(e.url, address, earHost, 1)
	return e
}

// insideIsRefused tries endpoints with names of internal addresses.
func insideIsRefused(t *testing.T, top *client.Client) {
	t.Helper()
	for _, url := range []string{"https://inside.example.com/", "https://localhost/", "https://127.0.0.1/", "http://" + earHost + "/", "https://nobody.example.com/"} {
		if _, err := top.CreateWebhook(t.Context(), "house", api.CreateWebhookRequest{URL: url}); client.CodeOf(err) != "INVALID_PARAMETER" && client.CodeOf(err) != "UNAVAILABLE" {
			t.Errorf("an endpoint at %s: %v", url, err)
		}
	}
}

// moving makes an endpoint whose name changes to an internal address once it exists. The function
// that it returns reports whether anything was sent there.
func moving(t *testing.T, top *client.Client, file string, certificate tls.Certificate) func() {
	t.Helper()
	trap := listen(t, "127.0.0.1:0", false, certificate)
	url := strings.Replace(trap.url, "127.0.0.1", "moving.example.com", 1)
	made, err := top.CreateWebhook(t.Context(), "house", api.CreateWebhookRequest{URL: url})
	noError(t, err)
	named(t, file, "127.0.0.1")
	return func() {
		t.Helper()
		found, err := top.Webhook(t.Context(), "house", made.Webhook.ID)
		if err != nil || found.Next == nil || found.Next.Failure == nil || *found.Next.Failure != string(webhook.Guarded) || found.FailingSince == nil {
			t.Errorf("the endpoint that moved inside: %+v, %v", found, err)
		}
		trap.mu.Lock()
		defer trap.mu.Unlock()
		if trap.answers != 0 {
			t.Errorf("what is inside was sent %d events", trap.answers)
		}
	}
}

// stopped returns a function that reports when a client that rests between its requests is done.
func stopped(t *testing.T, stop <-chan struct{}, rest time.Duration) func(int) bool {
	return func(int) bool {
		select {
		case <-stop:
			return true
		case <-time.After(rest):
			return t.Failed()
		}
	}
}

// playSlowly lets a player of acme bet until done.
func (p *party) playSlowly(top *client.Client, done func(int) bool) *sync.WaitGroup {
	p.Helper()
	g := &guest{signedIn: &signedIn{name: "guest of acme"}, wager: 10_000, balance: 1_000_000_000, rounds: map[string]int64{}, nonces: map[string][]int64{}}
	g.past, g.token = history.New(g.balance), signUp(p, "http://"+p.instances[0].api+"/casino", g.name, "acme")
	if _, err := top.AdjustBalance(p.Context(), string(fakes.Wallet(g.name)), api.AdjustRequest{Token: sol, Amount: g.balance, Reason: "money to play with"}); err != nil {
		p.Fatal(err)
	}
	p.players = append(p.players, g)
	var all sync.WaitGroup
	all.Go(func() {
		for n := 0; !done(n); n++ {
			p.bet(g, 0, n, fmt.Sprint(g.name, "/", n))
		}
	})
	return &all
}

func operatorOf(t *testing.T, at *instance, agent string) *client.Client {
	t.Helper()
	return at.client("192.0.2.3").WithToken(signUp(t, "http://"+at.api+"/casino", "operator of "+agent, ""))
}

// balancesOf sums up the events of an ear: each change begins where the previous one ended, and
// the last one is the balance that the player was told.
func balancesOf(t *testing.T, e *ear, guests *party) {
	t.Helper()
	balances := map[string]int64{}
	for _, one := range e.heard() {
		if one.Type != "casino.balance.changed" {
			continue
		}
		var changed api.EventBalance
		noError(t, one.Read(&changed))
		if before, known := balances[changed.Wallet]; known && before+changed.Amount != changed.Balance {
			t.Errorf("%s had %d, then %d by %d", changed.Wallet, before, changed.Balance, changed.Amount)
		}
		balances[changed.Wallet] = changed.Balance
	}
	for _, g := range guests.players {
		if balance, known := balances[string(fakes.Wallet(g.name))]; known && balance != g.balance {
			t.Errorf("%s has %d, and heard of %d", g.name, g.balance, balance)
		}
	}
	if len(balances) < len(guests.players)-1 {
		t.Errorf("changes of %d balances of %d players were heard", len(balances), len(guests.players))
	}
}
