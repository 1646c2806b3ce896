package e2e_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/web"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	rules "github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/test/fakes"
)

const endpoint = "https://hooks.acme.example.com/casino"

// office is a casino in memory with a clock and endpoints controlled by the test.
type office struct {
	*testing.T
	clock  *fakes.Clock
	casino *app.Casino
	hooks  *fakes.WebhookSites
	site   *httptest.Server
	admin  *client.Client
}

func (o *office) must(err error) {
	o.Helper()
	noError(o, err)
}

// opened returns an office where alice has been a superadmin for some hours.
func opened(t *testing.T, ago time.Duration) *office {
	t.Helper()
	terms, machine, quiet := fakes.Terms(), system.Default(), slog.New(slog.DiscardHandler)
	o := &office{T: t, clock: fakes.NewClock(machine.Now().Add(-ago)), hooks: fakes.NewWebhookSites()}
	games, err := rules.NewRegistry(rules.House()...)
	o.must(err)
	store := memory.New()
	o.casino, err = app.New(app.Deps{
		Store: app.StoreOf(store), Chain: fakes.NewChain(terms), Clock: o.clock, Entropy: machine, Logger: quiet, Branding: branding.Default(),
		Sessions: fakes.NewSessions(o.clock, "office", 48*time.Hour), Games: games, Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
		WebhookSite: o.hooks, EventEncoder: httpapi.EventEncoder{},
	})
	o.must(err)
	o.casino.Began()
	wallet := fakes.Wallet("alice")
	o.must(store.ChangeRole(t.Context(), wallet, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		at := o.clock.Now()
		return &rbac.Assignment{Wallet: wallet, Role: rbac.Superadmin, GrantedAt: at, Founding: true},
			audit.Record{ID: machine.ID(), Action: audit.RoleGranted, Target: string(wallet), After: rbac.Superadmin, At: at}, nil
	}))
	handler, err := httpapi.New(o.casino, httpapi.Config{Limiter: local.New(machine), Logger: quiet})
	o.must(err)
	pages, err := web.New(web.Config{BasePath: httpapi.BasePathDefault, Demo: true}, wallets(t, handler, "alice", rbac.Superadmin))
	o.must(err)
	o.site = httptest.NewServer(pages)
	t.Cleanup(o.site.Close)
	o.admin = o.signedIn("alice")
	return o
}

func (o *office) signedIn(name string) *client.Client {
	o.Helper()
	found, _, err := client.New(o.site.URL+httpapi.BasePathDefault, nil).SignIn(o.Context(), fakes.Key(name), o.clock.Now())
	o.must(err)
	return found
}

// works sends due events every half hour, several times.
func (o *office) works(halves int) {
	o.Helper()
	worker := o.casino.Webhooks.WebhookWorker()
	for range halves {
		o.clock.Advance(30 * time.Minute)
		for worked := true; worked; {
			var err error
			worked, err = worker.Step(o.Context())
			o.must(err)
		}
	}
}

// TestConsoleSendsADeadLetterAgain checks that the admin sees the answer of an endpoint that
// refused an event until it was given up, and sends it again after the endpoint is repaired.
func TestConsoleSendsADeadLetterAgain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	const halves = 2 * webhook.TriesMax
	o := opened(t, halves*30*time.Minute)
	o.hooks.Answer(endpoint, func(context.Context, webhook.Message) webhook.Response {
		return webhook.Response{Status: http.StatusTeapot}
	})
	made, err := o.admin.CreateAgent(t.Context(), api.CreateAgentRequest{AgentCode: "acme", AgentRequest: api.AgentRequest{AgentName: new("Acme")}})
	o.must(err)
	hook, err := o.admin.CreateWebhook(t.Context(), made.Agent.ID, api.CreateWebhookRequest{URL: endpoint, Types: []stream.Type{"agent.changed"}})
	o.must(err)
	_, err = o.admin.ChangeAgent(t.Context(), made.Agent.ID, api.AgentRequest{AgentName: new("Acme & Sons")})
	o.must(err)
	o.works(halves)
	letters, err := o.admin.DeadLetters(t.Context(), made.Agent.ID, hook.Webhook.ID, api.DeadLettersParams{})
	o.must(err)
	if letters.Total != 1 {
		t.Fatalf("%d dead letters", letters.Total)
	}

	p := player{open(t, phone, o.site.URL+"/admin"), nil, new([]int)}
	p.do(chromedp.Evaluate[chromedp.Void](watching))
	p.signIn("alice")
	p.visit("#/agents/" + made.Agent.ID)
	p.press(`#webhooks .letters`)
	p.until(`document.querySelector('.again') !== null`)
	if said := p.text(`[data-row]:has(.again)`); !strings.Contains(said, "agent.changed") || !strings.Contains(said, "418") {
		t.Errorf("the letter is shown as %q", said)
	}
	p.picture("console-letters")
	o.hooks.Answer(endpoint, func(context.Context, webhook.Message) webhook.Response {
		return webhook.Response{Status: http.StatusOK}
	})
	p.press(`.again`)
	p.confirm("")
	p.until(`document.querySelector('.again') === null && document.querySelector('[data-row]:has(time)') !== null`)
	o.works(1)
	p.press(`#webhooks .letters`) // closed,
	p.press(`#webhooks .letters`) // and read again
	p.until(`[...document.querySelectorAll('#webhooks table')].at(-1).querySelector('tbody .muted') !== null`)
	letters, err = o.admin.DeadLetters(t.Context(), made.Agent.ID, hook.Webhook.ID, api.DeadLettersParams{})
	o.must(err)
	if letters.Total != 0 {
		t.Errorf("%d dead letters after the endpoint took it", letters.Total)
	}
	p.clean()
}

// wallets answers for a demo wallet of a name, and passes other requests to the API.
func wallets(t *testing.T, behind http.Handler, name string, role any) http.Handler {
	t.Helper()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var answer any
		switch path := strings.TrimPrefix(r.URL.Path, httpapi.BasePathDefault+"/dev/wallets"); path {
		case r.URL.Path:
			behind.ServeHTTP(w, r)
			return
		case "":
			answer = map[string]any{"wallets": []any{map[string]any{"name": name, "wallet": fakes.Wallet(name), "role": role}}}
		default:
			var asked struct {
				Message string `json:"message"`
			}
			if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
				t.Error(err)
			}
			answer = map[string]string{"signature": base64.StdEncoding.EncodeToString(ed25519.Sign(fakes.Key(name), []byte(asked.Message)))}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	})
}
