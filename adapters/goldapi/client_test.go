package goldapi_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/simulated/provider"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

func quoted(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func cherries() ports.LaunchRequest {
	return ports.LaunchRequest{Wallet: fakes.Wallet("alice"), Provider: "DEMOSPIN", Game: "cherry-rush", Language: "pt"}
}

func TestConfigurationIsCheckedAtOnce(t *testing.T) {
	t.Parallel()
	for what, config := range map[string]goldapi.Config{
		"plain http":        {URL: "http://provider.example/api", AgentCode: "a", AgentToken: "t"},
		"http elsewhere":    {URL: "http://provider.example/api", AgentCode: "a", AgentToken: "t", Loopback: true},
		"http, not allowed": {URL: "http://127.0.0.1:1/api", AgentCode: "a", AgentToken: "t"},
		"credentials":       {URL: "https://user:pass@provider.example/api", AgentCode: "a", AgentToken: "t"},
		"no host":           {URL: "https:///api", AgentCode: "a", AgentToken: "t"},
		"no URL":            {URL: "://", AgentCode: "a", AgentToken: "t"},
		"no code":           {URL: "https://provider.example/api", AgentToken: "t"},
		"no token":          {URL: "https://provider.example/api", AgentCode: "a"},
	} {
		if _, err := goldapi.New(config); err == nil || strings.Contains(err.Error(), "pass") {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := goldapi.New(goldapi.Config{})
	if err == nil || !strings.Contains(err.Error(), "URL") || !strings.Contains(err.Error(), "token") {
		t.Errorf("everything missing: %v", err)
	}
}

func TestOnlyWhatChangesNothingIsRepeated(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	client := newClient(t, s, nil)
	bad := provider.Behaviour{Status: http.StatusBadGateway}
	s.Script("money_info", bad, bad)
	s.Script("user_create", provider.Behaviour{Lose: true}, bad)
	if _, err := client.Funds(t.Context()); err != nil {
		t.Errorf("two bad answers of three: %v", err)
	}
	if _, err := client.Launch(t.Context(), cherries()); err != nil {
		t.Errorf("a user who was made although the answer was lost: %v", err)
	}
	s.Script("game_launch", bad)
	if _, err := client.Launch(t.Context(), cherries()); !fault.Is(err, fault.External) {
		t.Errorf("a launch was repeated: %v", err)
	}
	s.Script("game_launch", provider.Behaviour{Refuse: "DUPLICATED_USER"})
	if _, err := client.Launch(t.Context(), cherries()); !fault.Is(err, fault.External) {
		t.Errorf("a message at the wrong place: %v", err)
	}
}

func TestASlowProviderIsGivenUp(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	client := newClient(t, s, func(c *goldapi.Config) { c.Timeout, c.Tries = 50*time.Millisecond, 1 })
	s.Script("money_info", provider.Behaviour{Hang: true})
	if _, err := client.Funds(t.Context()); !fault.Is(err, fault.External) {
		t.Errorf("a provider that hangs: %v", err)
	}
}

func TestABrokenProviderGetsNoCalls(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	client := newClient(t, s, func(c *goldapi.Config) { c.Tries, c.BreakAfter, c.BreakFor = 1, 3, time.Hour })
	s.cut.Store(true)
	for range 3 {
		_, _ = client.Funds(t.Context())
	}
	s.cut.Store(false)
	if _, err := client.Funds(t.Context()); !fault.Is(err, fault.External) {
		t.Errorf("the provider is asked although it failed three times: %v", err)
	}
	refusing := newClient(t, s, func(c *goldapi.Config) { c.BreakAfter = 1 })
	s.Script("money_info", provider.Behaviour{Refuse: "API_CHECKING"})
	if _, err := refusing.Funds(t.Context()); !fault.Is(err, fault.Maintenance) {
		t.Errorf("in maintenance: %v", err)
	}
	if _, err := refusing.Funds(t.Context()); err != nil {
		t.Errorf("a refusal counts as a failure: %v", err)
	}
}

// TestSoManyLaunchesAreUnderWay: at the limit a launch doesn't call the provider until
// another has ended.
func TestSoManyLaunchesAreUnderWay(t *testing.T) {
	t.Parallel()
	const most = 2
	entered, leave := make(chan struct{}, most+1), make(chan struct{})
	var asked atomic.Int32
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if text, _ := io.ReadAll(r.Body); strings.Contains(string(text), "user_create") {
			_, _ = w.Write([]byte(`{"status":1}`))
			return
		}
		entered <- struct{}{}
		<-leave
		_, _ = w.Write([]byte(`{"status":1,"launch_url":"http://127.0.0.1/game"}`))
	}))
	t.Cleanup(slow.Close)
	client, err := goldapi.New(goldapi.Config{URL: slow.URL, AgentCode: agentCode, AgentToken: agentToken, Loopback: true, LaunchesAtOnce: most})
	must(t, err)
	var all sync.WaitGroup
	for range most {
		all.Go(func() {
			if _, err := client.Launch(t.Context(), cherries()); err != nil {
				t.Errorf("a launch: %v", err)
			}
		})
	}
	for range most {
		<-entered
	}
	waiting, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if _, err := client.Launch(waiting, cherries()); !fault.Is(err, fault.Unavailable) || asked.Load() != 2*most {
		t.Errorf("one more: %v, the provider was asked %d times", err, asked.Load())
	}
	close(leave)
	all.Wait()
	if _, err := client.Launch(t.Context(), cherries()); err != nil {
		t.Errorf("when they have ended: %v", err)
	}
}

func TestRedirectsGetNoCredential(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(thief.Close)
	lure := httptest.NewServer(http.RedirectHandler(thief.URL, http.StatusTemporaryRedirect))
	t.Cleanup(lure.Close)
	client, err := goldapi.New(goldapi.Config{URL: lure.URL, AgentCode: agentCode, AgentToken: agentToken, Loopback: true, Tries: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Funds(t.Context()); !fault.Is(err, fault.External) || asked.Load() != 0 {
		t.Errorf("redirected: %v, the other was asked %d times", err, asked.Load())
	}
}

func TestWhatAProviderListsIsSanitized(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	client := newClient(t, s, nil)
	s.Script("provider_list", provider.Behaviour{Body: `{"status":1,"providers":[{"code":"DEMOSPIN","status":1},{"code":"../evil","status":1}]}`})
	s.Script("game_list", provider.Behaviour{Body: `{"status":1,"games":[
		{"game_code":"a","game_name":"Nice\u202e\u0000 game","banner":"javascript:alert(1)","status":0,"new":"field"},
		{"game_code":"b/c","game_name":"bad code","status":1},
		{"game_code":"d","game_name":"\u200b","banner":"https://cdn.example/d.png","status":1}]}`})
	games, unread, err := client.Games(t.Context())
	if err != nil || len(games) != 2 || len(unread) != 2 {
		t.Fatalf("games %+v, %+v, %v", games, unread, err)
	}
	if g := games[0]; g.Name != "Nice game" || g.Banner != "" || g.Open {
		t.Errorf("%+v", g)
	}
	if g := games[1]; g.Name != "d" || g.Banner == "" || !g.Open {
		t.Errorf("%+v", g)
	}
}
