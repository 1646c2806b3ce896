package chaos_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// TestWebhooksThroughKills kills casino dev while an agent's players play: the agent's own
// servers receive all of their events once and in order, even one that fails half of its answers,
// and no other events.
func TestWebhooksThroughKills(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	folder := t.TempDir()
	running := services.NewDev(t, folder)
	whole, half := listen(t, "127.0.0.1:0", false), listen(t, "127.0.0.1:0", true)
	top := client.New(running.BaseURL, nil).WithToken(running.SignIn(t, "superadmin"))
	made, err := top.CreateAgent(t.Context(), api.CreateAgentRequest{AgentCode: "acme", AgentRequest: api.AgentRequest{AgentName: ptr("Acme")}})
	noError(t, err)
	if _, err := top.GrantRole(t.Context(), string(fakes.Wallet("operator")), api.GrantRequest{Role: "operator", AgentCode: "acme"}); err != nil {
		t.Fatal(err)
	}
	place := hooked(t, top, made.Agent.ID, whole)
	hooked(t, top, made.Agent.ID, half, stream.RoundSettled)
	mint := running.Tokens[0].Mint
	tokens := map[string]string{}
	for name, code := range map[string]string{"ann": "acme", "abe": "acme", "guest": ""} {
		tokens[name] = signUp(t, running.BaseURL, name, code)
		if _, err := top.AdjustBalance(t.Context(), string(fakes.Wallet(name)), api.AdjustRequest{Token: mint, Amount: 1_000_000_000, Reason: "stakes for the test"}); err != nil {
			t.Fatal(err)
		}
	}
	const each = 4
	play := func(turn string) {
		t.Helper()
		var all sync.WaitGroup
		for name, bearer := range tokens {
			all.Go(func() {
				for n := range each {
					bet := api.PlayRequest{GameType: "dice", Wager: 10_000, Token: mint, IdempotencyKey: fmt.Sprint(name, turn, n)}
					if _, err := client.New(running.BaseURL, nil).WithToken(bearer).Play(t.Context(), bet); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
	}
	play("before")
	eventually(t, "something is heard before the kill", func() bool { return len(half.heard()) > 1 && len(whole.heard()) > 1 })
	running.Kill()
	running = services.NewDev(t, folder)
	play("after")
	operator := client.New(running.BaseURL, nil).WithToken(signUp(t, running.BaseURL, "operator", ""))
	half.heardAll(committedAfter(t, operator, place, string(stream.RoundSettled)))
	whole.heardAll(committedAfter(t, operator, place, ""))
	if rounds := len(half.heard()); rounds != 2*2*each {
		t.Errorf("%d rounds were heard", rounds)
	}
	running.Stop(t)
}

func ptr[T any](v T) *T { return &v }

// hooked makes an agent's endpoint at an ear, and returns the cursor where it begins.
func hooked(t testing.TB, top *client.Client, agentID string, at *ear, types ...stream.Type) string {
	t.Helper()
	at.mu.Lock() // requests that arrive at once wait until the secret is known
	defer at.mu.Unlock()
	made, err := top.CreateWebhook(t.Context(), agentID, api.CreateWebhookRequest{URL: at.url, Types: types})
	noError(t, err)
	at.secret = agent.SecretFrom(made.Secret)
	return made.Webhook.Cursor
}

// signUp signs a name's wallet in, as a player of an agent if it is new, and returns its bearer
// token.
func signUp(t testing.TB, url, name, agentCode string) string {
	t.Helper()
	login, err := client.SignLogin(fakes.Key(name), time.Now())
	noError(t, err)
	login.AgentCode = agentCode
	session, err := client.New(url, nil).Login(t.Context(), login)
	noError(t, err)
	return session.Token
}
