package goldapi_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/simulated/provider"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

const (
	agentCode   = "agent-one"
	agentToken  = "token-0123456789abcdef"
	agentSecret = "secret-0123456789abcdef"
)

// site is a demo provider behind a server, which can be cut off.
type site struct {
	*provider.Provider
	server *httptest.Server
	cut    atomic.Bool
	clock  *fakes.Clock
}

func newSite(t *testing.T, callbackURL string) *site {
	t.Helper()
	s := &site{clock: fakes.NewClock(fakes.Start)}
	var handler http.Handler
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.cut.Load() {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.server.Close)
	if callbackURL == "" {
		callbackURL = s.server.URL + "/nobody"
	}
	provider, err := provider.New(provider.Config{
		AgentCode: agentCode, AgentToken: agentToken, AgentSecret: agentSecret, CallbackURL: callbackURL,
		PublicURL: s.server.URL, Now: s.clock.Now, Random: rand.NewPCG(1, 2).Uint64, Tries: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Provider, handler = provider, provider.Handler()
	return s
}

func newClient(t *testing.T, s *site, change func(*goldapi.Config)) *goldapi.Client {
	t.Helper()
	config := goldapi.Config{
		URL: s.server.URL + "/api", AgentCode: agentCode, AgentToken: agentToken, Loopback: true,
		Pause: time.Millisecond, BreakAfter: 1000, Timeout: 5 * time.Second,
	}
	if change != nil {
		change(&config)
	}
	client, err := goldapi.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

var messages = map[fault.Kind]string{
	fault.InvalidProvider: "INVALID_PROVIDER", fault.InvalidGame: "INVALID_GAME", fault.InvalidUser: "INVALID_USER",
	fault.BlockedAgent: "BLOCKED_AGENT", fault.InsufficientAgentFunds: "INSUFFICIENT_AGENT_FUNDS",
	fault.Maintenance: "API_CHECKING", fault.External: "EXTERNAL_ERROR " + agentToken,
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.GameProvider(t, func(t *testing.T) conformance.Provider {
		s := newSite(t, "")
		return conformance.Provider{
			GameProvider: newClient(t, s, nil), Maker: "DEMOSPIN", Game: "cherry-rush", Host: "127.0.0.1",
			Credentials: []string{agentToken, agentSecret},
			Refuse:      func(kind fault.Kind) { s.Script("game_launch", provider.Behaviour{Refuse: messages[kind]}) },
			Elsewhere: func(url string) {
				s.Script("game_launch", provider.Behaviour{Body: `{"status":1,"launch_url":` + quoted(url) + `}`})
			},
			Garble: func() {
				for _, method := range []string{"user_create", "provider_list", "money_info", "get_game_log"} {
					s.Script(method, provider.Behaviour{Body: "<html>" + agentToken})
				}
			},
			SetUnreachable: s.cut.Store,
			Play: func(w wallet.Address, at time.Time, bet, win seamless.Decimal) string {
				s.clock.Set(at)
				return s.Record(string(w), "DEMOSPIN", "cherry-rush", string(bet), string(win))
			},
		}
	})
}
