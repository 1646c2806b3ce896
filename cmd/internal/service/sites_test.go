package service_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// TestAgentsSitesInsideAreNeverCalled sets agents' sites on this machine and in private
// networks, bypassing the check when they are saved. The client of serve doesn't connect or
// send.
func TestAgentsSitesInsideAreNeverCalled(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		_, _ = w.Write([]byte(`{"status":1,"user_balance":5}`))
	}))
	t.Cleanup(inside.Close)
	connected, err := service.ConnectProvider(settings.ProviderPlan{
		Client:    goldapi.Config{URL: "https://provider.example/api", AgentCode: "us"},
		AgentCode: "us", Token: settings.Secret(strings.Repeat("t", 20)), Secret: settings.Secret(strings.Repeat("s", 20)),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, endpoint := range []string{
		inside.URL, "http://169.254.169.254/latest/meta-data", "http://[::1]:8080/", "http://[::ffff:127.0.0.1]/", "http://2130706433/",
		"http://10.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)", "", "http://user@127.0.0.1/",
	} {
		to := ports.SiteAccess{Endpoint: endpoint, Agent: "acme", Secret: agent.SecretFrom("ags_secret")}
		message := ports.SiteMessage{Wallet: "alice", TxnID: "t", Leg: seamless.Debit, GameType: "slot", Amount: "1"}
		if got, err := connected.Connection.Sites.Send(t.Context(), to, message); !fault.Is(err, fault.AgentSeamless) && !fault.Is(err, fault.External) {
			t.Errorf("%q is told: %+v, %v", endpoint, got, err)
		}
		if got, err := connected.Connection.Sites.PlayerBalance(t.Context(), to, "alice"); !fault.Is(err, fault.AgentSeamless) && !fault.Is(err, fault.External) {
			t.Errorf("%q is asked: %q, %v", endpoint, got, err)
		}
	}
	if reached.Load() != 0 {
		t.Errorf("%d requests reached a server inside", reached.Load())
	}
}
