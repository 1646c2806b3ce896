package goldapi_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

// siteOf serves an agent's site over HTTP.
func siteOf(t *testing.T, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func TestSitesConformance(t *testing.T) {
	t.Parallel()
	conformance.AgentSite(t, func(t *testing.T, o *fakes.AgentSite) conformance.Site {
		server, gone := siteOf(t, o), httptest.NewServer(o)
		gone.Close()
		return conformance.Site{
			Gone:      gone.URL,
			AgentSite: goldapi.NewSites(server.Client(), goldapi.SitesConfig{Timeout: siteTimeout, BreakAfter: 1000}),
			To:        ports.SiteAccess{Endpoint: server.URL, Agent: o.Agent, Secret: agent.SecretFrom(o.Secret)},
		}
	})
}

// TestADeadSiteGetsNoMessages counts what still reaches a site that fails, and calls
// another one through the same client.
func TestADeadSiteGetsNoMessages(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	dead := siteOf(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	}))
	o := fakes.NewAgentSite("acme", "secret", 0)
	o.Pay("alice", 5)
	alive := siteOf(t, o)
	sites := goldapi.NewSites(dead.Client(), goldapi.SitesConfig{BreakAfter: 3, BreakFor: time.Hour})
	to := func(endpoint string) ports.SiteAccess {
		return ports.SiteAccess{Endpoint: endpoint, Agent: "acme", Secret: agent.SecretFrom("secret")}
	}
	for i := range 20 {
		want := fault.External
		if i >= 3 {
			want = fault.AgentSeamless // nothing is sent
		}
		_, err := sites.Send(t.Context(), to(dead.URL), ports.SiteMessage{Wallet: "alice", TxnID: "t", Leg: seamless.Debit, GameType: "slot", Amount: "1"})
		if !fault.Is(err, want) {
			t.Fatal(i, err)
		}
	}
	if reached.Load() != 3 {
		t.Errorf("%d messages reached the dead site", reached.Load())
	}
	if got, err := sites.PlayerBalance(t.Context(), to(alive.URL), "alice"); got != "5" || err != nil {
		t.Errorf("the other site: %q, %v", got, err)
	}
}
