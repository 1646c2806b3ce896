package app_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// optional are the ports that a deployment may do without: what removes each, and the
// use cases that need it.
var optional = map[string]struct {
	feature string
	drop    func(*app.Store)
	asks    func(h *house, root app.Caller) map[string]error
}{
	"DepositCursors": {"the deposit watcher", func(s *app.Store) { s.DepositCursors = nil }, func(h *house, _ app.Caller) map[string]error {
		return map[string]error{"begin": h.BeginWatch(h.ctx), "step": no(h.DepositWatcher().Step(h.ctx))}
	}},
	"ParkedDeposits": {"the deposit watcher", func(s *app.Store) { s.ParkedDeposits = nil }, func(h *house, _ app.Caller) map[string]error {
		if err := h.BeginWatch(h.ctx); err != nil {
			h.t.Fatal(err)
		}
		watcher, err := h.DepositWatcher(), error(nil)
		for range 10 {
			if _, err = watcher.Step(h.ctx); err != nil {
				break
			}
		}
		return map[string]error{"step": err}
	}},
	"Catalog": {"the catalogue of games", func(s *app.Store) { s.Catalog = nil }, func(h *house, root app.Caller) map[string]error {
		return map[string]error{
			"list":   no(h.ProviderGames(h.ctx, root, ports.GameFilter{}, ports.Page{Number: 1, Limit: 5})),
			"switch": no(h.SwitchGame(h.ctx, root, "dice", false, "")),
		}
	}},
	"SeamlessTransactions": {"transactions of game providers", func(s *app.Store) { s.SeamlessTransactions = nil },
		func(h *house, root app.Caller) map[string]error {
			return map[string]error{
				"list":   no(h.ProviderReviews(h.ctx, root, ports.Page{Number: 1, Limit: 5})),
				"decide": no(h.DecideProviderReview(h.ctx, root, app.ReviewDecision{ID: "one", Reason: "seen"})),
			}
		}},
	"Deliveries": {"deliveries to agents' sites", func(s *app.Store) { s.Deliveries = nil }, func(h *house, root app.Caller) map[string]error {
		return map[string]error{
			"list":  no(h.Deliveries(h.ctx, root, ports.DeliveryFilter{}, ports.Page{Number: 1, Limit: 5})),
			"order": no(h.DecideDelivery(h.ctx, root, app.DeliveryDecision{ID: "one", Reason: "seen"})),
		}
	}},
	"AgentFunds": {"agents' prepaid accounts", func(s *app.Store) { s.AgentFunds = nil }, func(h *house, root app.Caller) map[string]error {
		a := h.acme()
		answers := map[string]error{}
		h.unchanged(func() {
			answers["fund"] = no(h.FundAgent(h.ctx, root, app.FundingRequest{AgentID: a.ID, Token: sol, Amount: 5, Reason: "paid in"}))
			answers["credit"] = no(h.SetCreditLimit(h.ctx, root, a.ID, sol, 5))
		})
		return answers
	}},
	"Reports": {"reports", func(s *app.Store) { s.Reports = nil }, func(h *house, root app.Caller) map[string]error {
		return map[string]error{
			"overview": no(h.Overview(h.ctx, root)),
			"daily":    no(h.GGRDaily(h.ctx, root, 7, money.SOL)),
			"returns":  no(h.Returns(h.ctx, root, 7, money.SOL)),
			"share":    no(h.RevenueShare(h.ctx, root, 7, "")),
			"monitor":  no(h.RTPMonitor().Step(h.ctx)),
		}
	}},
	"AuditLog": {"the audit log", func(s *app.Store) { s.AuditLog = nil }, func(h *house, root app.Caller) map[string]error {
		return map[string]error{"list": no(h.AuditRecords(h.ctx, root, ports.AuditFilter{}, ports.Page{Number: 1, Limit: 5}))}
	}},
	"Brandings": {"changes of the branding", func(s *app.Store) { s.Brandings = nil }, func(h *house, root app.Caller) map[string]error {
		return map[string]error{"change": no(h.ChangeBranding(h.ctx, root, app.BrandingChange{Title: ptr("Palace")}))}
	}},
	"PlaySessions": {"what was played in a session", func(s *app.Store) { s.PlaySessions = nil }, func(h *house, root app.Caller) map[string]error {
		_, _, err := h.PlaySession(h.ctx, root)
		return map[string]error{"session": err}
	}},
	"Unclaimed": {"a list of unclaimed balances", func(s *app.Store) { s.Unclaimed = nil }, func(h *house, root app.Caller) map[string]error {
		return map[string]error{
			"list": no(h.UnclaimedBalances(h.ctx, root, ports.UnclaimedFilter{}, ports.Page{Number: 1, Limit: 5})),
			"assign": no(h.AssignUnclaimed(h.ctx, root, app.AssignRequest{
				Sender: string(fakes.Wallet("exchange")), To: string(fakes.Wallet("alice")), Token: sol, Amount: 1, Reason: "hers", Evidence: "a receipt",
			})),
		}
	}},
	"Controls": {"pauses of play", func(s *app.Store) { s.Controls = nil }, func(h *house, root app.Caller) map[string]error {
		return map[string]error{
			"pause":  no(h.PausePlay(h.ctx, root, app.PlayPauseRequest{Reason: "odd"})),
			"resume": no(h.ResumePlay(h.ctx, root, app.PlayPauseRequest{Reason: "odd"})),
		}
	}},
	"WalletProofs": {"", func(s *app.Store) { s.WalletProofs = nil }, func(*house, app.Caller) map[string]error { return nil }},
	"RoleLists":    {"", func(s *app.Store) { s.RoleLists = nil }, func(*house, app.Caller) map[string]error { return nil }},
	"Checkpoints": {"checkpoints", func(s *app.Store) { s.Checkpoints = nil }, func(h *house, _ app.Caller) map[string]error {
		return map[string]error{"heads": no(h.Checkpoint(h.ctx))}
	}},
	"RevealedSeeds": {"", func(s *app.Store) { s.RevealedSeeds = nil }, func(*house, app.Caller) map[string]error { return nil }},
	"OpenRounds": {"rounds that are played step by step", func(s *app.Store) { s.OpenRounds = nil }, func(h *house, root app.Caller) map[string]error {
		return map[string]error{
			"open": no(h.OpenRound(h.ctx, root, app.PlayRequest{GameType: "mines", Wager: 1_000, Token: sol})),
			"step": no(h.Step(h.ctx, root, app.StepRequest{RoundID: "one"})),
			"list": no(h.OpenRounds(h.ctx, root)),
		}
	}},
	"Events": {"", func(s *app.Store) { s.Events = nil }, func(*house, app.Caller) map[string]error { return nil }},
	"Alarms": {"alarms that are kept", func(s *app.Store) { s.Alarms = nil }, func(h *house, root app.Caller) map[string]error {
		return map[string]error{
			"list":        no(h.Alarms(h.ctx, root, ports.AlarmFilter{}, ports.Page{Number: 1, Limit: 5})),
			"acknowledge": no(h.AcknowledgeAlarm(h.ctx, root, app.Acknowledgement{ID: "one", Note: "seen"})),
			"worker":      no(h.AlarmWorker().Step(h.ctx)),
		}
	}},
	"Webhooks":     {"webhooks", func(s *app.Store) { s.Webhooks = nil }, asksForWebhooks},
	"WebhookQueue": {"webhooks", func(s *app.Store) { s.WebhookQueue = nil }, asksForWebhooks},
	"DeadLetters":  {"webhooks", func(s *app.Store) { s.DeadLetters = nil }, asksForWebhooks},
	"StoreClock":   {"", func(s *app.Store) { s.StoreClock = nil }, func(*house, app.Caller) map[string]error { return nil }},
}

func asksForWebhooks(h *house, root app.Caller) map[string]error {
	return map[string]error{
		"create": no(h.CreateWebhook(h.ctx, root, agent.House, app.WebhookRequest{URL: ptr("https://hooks.example.com")})),
		"list":   no(h.Webhooks(h.ctx, root, agent.House)),
		"read":   no(h.Webhook(h.ctx, root, agent.House, "one")),
		"change": no(h.ChangeWebhook(h.ctx, root, agent.House, "one", app.WebhookRequest{})),
		"rotate": no(h.RotateWebhookSecret(h.ctx, root, agent.House, "one")),
		"delete": h.DeleteWebhook(h.ctx, root, agent.House, "one"),
		"dead":   no(h.DeadLetters(h.ctx, root, agent.House, "one", ports.Page{Limit: 5})),
		"resend": no(h.ResendDeadLetter(h.ctx, root, agent.House, "one", "one")),
	}
}

// TestWhatIsNotProvidedIsRefused removes one optional port at a time: whatever needs it
// says so and does nothing, and everything else works.
func TestWhatIsNotProvidedIsRefused(t *testing.T) {
	t.Parallel()
	for name, port := range optional {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, func(d *app.Deps) { port.drop(&d.Store) })
			root := h.admin("root", "superadmin")
			h.works(root)
			for ask, err := range port.asks(h, root) {
				refused(t, err, fault.Unavailable, "status", "notProvided", "outcome", "none")
				if !errors.Is(err, app.ErrNotProvided) || !strings.HasSuffix(err.Error(), "does not provide "+port.feature) {
					t.Errorf("%s: %v", ask, err)
				}
			}
			h.solvent()
		})
	}
}

// works runs everything that needs no optional port.
func (h *house) works(root app.Caller) {
	h.t.Helper()
	alice := h.player("alice", 10_000)
	ok(h.Play(h.ctx, alice, flip(100)))(h.t)
	ok(h.Rotate(h.ctx, alice, app.RotateRequest{}))(h.t)
	h.chain.give(string(alice.Wallet), money.SOL, alive)
	w := h.withdraw(alice, 1_000)
	ok(h.ApproveWithdrawal(h.ctx, root, approving(w.ID)))(h.t)
	worker := h.PayoutWorker()
	h.pass(worker)
	h.chain.finalize()
	h.pass(worker)
	equal(h.t, "paid", string(h.stands(w.ID).Status), "completed")
	ok(h.Agents(h.ctx, root))(h.t)
	ok(h.AgentFunds(h.ctx, root))(h.t)
	ok(h.PublicBranding(h.ctx))(h.t)
	ok(h.OperationsStatus(h.ctx))(h.t)
	ok(h.Treasury().Step(h.ctx))(h.t)
	reconciled, known := h.Treasury().State(money.SOL)
	if !known || !reconciled.Reconciled() {
		h.t.Errorf("the treasury: %+v", reconciled)
	}
}

// TestAClaimIsDecidedWithoutAWatcher: players' claims are in review also where nobody
// watches the chain.
func TestAClaimIsDecidedWithoutAWatcher(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) { d.Store.WatchPorts = app.WatchPorts{} })
	h.enter("alice")
	h.enter("bob")
	signature := h.shared("alice", "bob")
	claim := ok(h.Deposit(h.ctx, caller("alice"), signature, sol))(t).Claim
	equal(t, "claimed", claim.Status, deposit.Review)
	ok(h.resolved(resolve(signature, "alice", "asked by mail")))(t)
	equal(t, "decided", h.claim(caller("alice"), signature).Status, deposit.Credited)
}

// TestAProviderNeedsItsPorts: bets in a provider's games are decided by what these ports
// read and stored, so none may be missing.
func TestAProviderNeedsItsPorts(t *testing.T) {
	t.Parallel()
	h := bare(t)
	deps := h.deps
	deps.Store.ProviderPorts = app.ProviderPorts{}
	ok(app.New(deps))(t)
	deps.Provider = &app.ProviderConnection{Code: "gold", Token: money.SOL, Scale: 6}
	const want = "app: Deps.Store.Catalog is missing\napp: Deps.Store.Launches is missing\n" +
		"app: Deps.Store.SeamlessTransactions is missing\napp: Deps.Store.Deliveries is missing"
	if err := no(app.New(deps)); err == nil || err.Error() != want {
		t.Errorf("New: %v", err)
	}
	deps.Store.ProviderPorts = h.deps.Store.ProviderPorts
	deps.Store.Reconciliations = nil
	casino := ok(app.New(deps))(t)
	refused(t, no(casino.ProviderReconciler().Step(h.ctx)), fault.Unavailable, "status", "notProvided", "outcome", "none")
}

// TestEveryOptionalPortIsCovered compares the fields of a store with the tables of this
// file and of New, so that none is added without either.
func TestEveryOptionalPortIsCovered(t *testing.T) {
	t.Parallel()
	err := no(app.New(app.Deps{Provider: &app.ProviderConnection{}}))
	if err == nil {
		t.Fatal("a casino of nothing")
	}
	elsewhere := map[string]bool{
		"Reconciliations": true, "UnbookedDeposits": true, // TestAProviderNeedsItsPorts, works
		"TreasuryIndex": true, "TreasuryReview": true, "TreasurySweeps": true, // TestWithoutAnIndexTheBooksDecideAlone
	}
	groups := reflect.TypeFor[app.Store]()
	for g := range groups.NumField() {
		group := groups.Field(g).Type
		for i := range group.NumField() {
			name := group.Field(i).Name
			_, tried := optional[name]
			if required := strings.Contains(err.Error(), "Store."+name+" is"); !required && !tried && !elsewhere[name] {
				t.Errorf("no test says what happens without %s", name)
			}
		}
	}
}
