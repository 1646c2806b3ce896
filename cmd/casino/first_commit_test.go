package main

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/simulated/provider"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// trustOnce makes this process trust httptest's certificate, because serve requires HTTPS
// of a provider. Go reads its roots once, at the first connection that needs them.
var trustOnce = sync.OnceValue(func() error {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	file, err := os.CreateTemp("", "casino-test-root-*.pem")
	if err != nil {
		return err
	}
	if err := pem.Encode(file, &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}); err != nil {
		return err
	}
	err = errors.Join(file.Close(), os.Setenv("SSL_CERT_FILE", file.Name()))
	_, read := x509.SystemCertPool()
	return errors.Join(err, read, os.Remove(file.Name()), os.Unsetenv("SSL_CERT_FILE"))
})

// trustedServer starts an HTTPS server that services in this process trust.
func trustedServer(t *testing.T, handler http.Handler) *httptest.Server {
	t.Helper()
	if err := trustOnce(); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	return server
}

// TestALaunchIsTheFirstCommitOfAnInstance runs two services on a fresh PostgreSQL and one
// Redis. The second one first commits a launch, which no block covers, and then callbacks.
// No alarm is raised and no restore found, also after both started again.
func TestALaunchIsTheFirstCommitOfAnInstance(t *testing.T) {
	t.Parallel()
	w := onServicesBeside(t, "", "")
	var games http.Handler
	server := trustedServer(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { games.ServeHTTP(rw, r) }))
	var callbacks string
	wallet := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, callbacks+"/gold_api", http.StatusTemporaryRedirect)
	}))
	t.Cleanup(wallet.Close)
	maker, err := provider.New(provider.Config{
		AgentCode: "casino-test", AgentToken: random(4), AgentSecret: random(5), CallbackURL: wallet.URL, PublicURL: server.URL,
		Now: time.Now, Random: func() uint64 { return 7 },
	})
	if err != nil {
		t.Fatal(err)
	}
	games = maker.Handler()
	for name, value := range map[string]string{
		"url": server.URL + "/api", "agent-code": "casino-test", "agent-token": random(4), "agent-secret": random(5),
		"token": string(money.SOL), "net-win-cap": "1000000000", "loose-cap": "1000000000", "enable-new": "true",
	} {
		w.settings["provider-"+name] = value
	}
	one, other := w.serve(), w.serve()
	callbacks = other.api
	w.do("capital", "book", string(money.SOL), "10000000000", "founding")
	alice, session, err := client.New(one.api, nil).SignIn(t.Context(), fakes.Key("alice"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	credited(t, alice, w.pay("alice", 1_000_000_000))

	there := client.New(other.api, nil).WithToken(session.Token)
	var game api.LaunchableGame
	until(t, "the games are synced", func() bool {
		found, err := there.LaunchableGames(t.Context(), api.LaunchableGamesParams{})
		if err == nil && len(found.Games) > 0 {
			game = found.Games[0]
		}
		return game.GameCode != ""
	})
	if _, err := there.Launch(t.Context(), api.LaunchRequest{GameCode: game.GameCode, UserCode: string(fakes.Wallet("alice"))}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []provider.Transaction{{Kind: "debit", TxnID: "1", Bet: "0.01"}, {Kind: "credit", TxnID: "2", Win: "0.02"}} {
		c.User, c.Maker, c.Game = string(fakes.Wallet("alice")), game.Provider, game.GameCode
		if reply, err := maker.Transact(t.Context(), c); err != nil || reply.Status != 1 {
			t.Fatalf("%s: %+v, %v", c.Kind, reply, err)
		}
	}
	one.stop()
	other.stop()
	if out, errOut, _ := runCasino(t, append([]string{"recover"}, w.flags()...)...); !strings.Contains(out+errOut, "the service is open") {
		t.Errorf("recover: %s%s", out, errOut)
	}
	for _, s := range []*running{w.serve(), w.serve()} {
		alarms, err := s.signIn("root").ListAlarms(t.Context(), api.ListAlarmsParams{})
		if err != nil || len(alarms.Alarms) > 0 {
			t.Errorf("alarms %+v, %v", alarms.Alarms, err)
		}
		if _, err := client.New(s.api, nil).WithToken(session.Token).Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: 1_000_000, Token: string(money.SOL)}); err != nil {
			t.Error(err)
		}
	}
}
