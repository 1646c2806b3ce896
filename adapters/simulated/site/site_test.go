package site_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/simulated/site"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// served is a site behind HTTP, with the casino's client for it.
type served struct {
	*testing.T
	site *site.Site
	url  string
	asks *goldapi.Sites
	to   ports.SiteAccess
}

func serve(t *testing.T, journal string) *served {
	t.Helper()
	s, err := site.Open(journal)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return &served{
		T: t, site: s, url: server.URL, asks: goldapi.NewSites(server.Client(), goldapi.SitesConfig{BreakAfter: 1000, Timeout: 10 * time.Second}),
		to: ports.SiteAccess{Endpoint: server.URL + "/", Agent: "acme", Secret: agent.SecretFrom("ags_secret")},
	}
}

func (s *served) do(method, path, body string) (int, string) {
	s.Helper()
	recorder := httptest.NewRecorder()
	s.site.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(s.Context(), method, path, strings.NewReader(body)))
	return recorder.Code, strings.TrimSpace(recorder.Body.String())
}

func (s *served) send(txn string, kind seamless.Kind, amount, want string) {
	s.Helper()
	got, err := s.asks.Send(s.Context(), s.to, ports.SiteMessage{
		Wallet: "alice", TxnID: txn, Leg: kind, Provider: "DEMOSPIN", Game: "cherry-rush", GameType: "slot", Amount: seamless.Decimal(amount),
	})
	if shown := fmt.Sprint(got.Accepted, " ", got.Balance, " ", got.Reason); err != nil || shown != want {
		s.Errorf("%s %s of %s: %s, %v, want %s", kind, txn, amount, shown, err, want)
	}
}

// TestASiteKeepsItsPlayersMoney sends the casino's messages, before and after a restart
// with an incomplete line.
func TestASiteKeepsItsPlayersMoney(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "site.jsonl")
	s := serve(t, journal)
	if _, err := s.asks.PlayerBalance(t.Context(), s.to, "alice"); !fault.Is(err, fault.External) {
		t.Errorf("an agent whose secret it doesn't know: %v", err)
	}
	if code, text := s.do(http.MethodPut, "/agents/acme", `{"secret":"ags_secret"}`); code != http.StatusNoContent {
		t.Fatalf("the secret: %d %s", code, text)
	}
	if has, err := s.asks.PlayerBalance(t.Context(), s.to, "alice"); err != nil || has != "1000" {
		t.Errorf("at first: %s, %v", has, err)
	}
	s.send("t1", seamless.Debit, "1.5", "true 998.5 ")
	s.send("t1", seamless.Debit, "1.5", "true 998.5 ")
	s.send("t1", seamless.Credit, "4.000001", "true 1002.500001 ")
	s.send("t2", seamless.Debit, "1002.500002", "false 1002.500001 INSUFFICIENT_USER_FUNDS")
	s.send("t3", seamless.Credit, "1", "true 1003.500001 ")
	s.send("t2", seamless.Debit, "1002.500002", "false 1002.500001 INSUFFICIENT_USER_FUNDS") // as the first time
	s.send("t4", seamless.Debit, "0.0000001", "false 1003.500001 INVALID_PARAMETER")
	s.send("t5", seamless.Credit, "9223372036854", "false 1003.500001 INVALID_PARAMETER")
	wrong := s.to
	wrong.Secret = agent.SecretFrom("another")
	if _, err := s.asks.PlayerBalance(t.Context(), wrong, "alice"); !fault.Is(err, fault.External) {
		t.Errorf("another secret: %v", err)
	}
	if err := s.site.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(journal, os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.WriteString(`{"agent":"acme","user":"ali`)
	}
	if err != nil || file.Close() != nil {
		t.Fatal(err)
	}
	again := serve(t, journal)
	again.send("t1", seamless.Debit, "1.5", "true 998.5 ")
	again.send("t6", seamless.Debit, "3.5", "true 1000.000001 ")
	if code, text := again.do(http.MethodGet, "/agents/acme/players/alice", ""); code != http.StatusOK || text != `{"balance":1000.000001,"user":"alice"}` {
		t.Errorf("shown: %d %s", code, text)
	}
}

func TestWhatASiteRefuses(t *testing.T) {
	t.Parallel()
	s := serve(t, "")
	if code, _ := s.do(http.MethodPut, "/agents/acme", `{"secret":"ags_secret"}`); code != http.StatusNoContent {
		t.Fatal(code)
	}
	known := `"agent_code":"acme","agent_secret":"ags_secret"`
	for _, row := range []struct {
		method, path, body string
		code               int
		text               string
	}{
		{http.MethodPost, "/", `{`, http.StatusBadRequest, "not a message of the protocol"},
		{http.MethodPost, "/", `{` + known + `,"method":"transaction","user_code":"alice","game_type":"slot"}`, http.StatusBadRequest, "not a transaction"},
		{http.MethodPost, "/", `{` + known + `,"method":"transaction","user_code":"alice","game_type":"slot","slot":{"txn_id":"t","txn_type":"steal"}}`, http.StatusBadRequest, "not a transaction"},
		{http.MethodPost, "/", `{` + known + `,"method":"dance","user_code":"alice"}`, http.StatusOK, "INVALID_METHOD"},
		{http.MethodPost, "/", `{` + known + `,"method":"user_balance"}`, http.StatusOK, "INVALID_USER"},
		{http.MethodPost, "/", `{"agent_code":"acme","method":"user_balance","user_code":"alice"}`, http.StatusOK, "INVALID_AGENT"},
		{http.MethodPut, "/agents/acme", `{}`, http.StatusBadRequest, "secret"},
		{http.MethodGet, "/agents/nobody/players/alice", "", http.StatusNotFound, "no such agent"},
		{http.MethodGet, "/nothing", "", http.StatusNotFound, ""},
	} {
		if code, text := s.do(row.method, row.path, row.body); code != row.code || !strings.Contains(text, row.text) {
			t.Errorf("%s %s %s: %d %s", row.method, row.path, row.body, code, text)
		}
	}
	for i := range 99 {
		if code, text := s.do(http.MethodPut, fmt.Sprint("/agents/a", i), `{"secret":"s"}`); code != http.StatusNoContent {
			t.Fatalf("agent %d: %d %s", i, code, text)
		}
	}
	if code, _ := s.do(http.MethodPut, "/agents/one-more", `{"secret":"s"}`); code != http.StatusConflict {
		t.Errorf("an agent too many: %d", code)
	}
	broken := filepath.Join(t.TempDir(), "site.jsonl")
	if err := os.WriteFile(broken, []byte("not JSON\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := site.Open(broken); err == nil {
		t.Error("a broken journal was opened")
	}
}
