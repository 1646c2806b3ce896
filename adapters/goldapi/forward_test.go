package goldapi_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/sites"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// siteTimeout is the time-out for slow sites. A working site must answer within it even on
// a busy machine.
const siteTimeout = 2 * time.Second

// operator creates an agent with its own site, connected in both directions over HTTP, and
// a prepaid amount.
func (h *house) operator(code string, prepaid int64) *fakes.AgentSite {
	h.Helper()
	o := fakes.NewAgentSite(code, "ags_secret_of_"+code, scale)
	server := siteOf(h.T, o)
	h.casino.Provider.Sites = goldapi.NewSites(server.Client(), goldapi.SitesConfig{Timeout: siteTimeout, BreakAfter: 1 << 30})
	at := h.clock.Now()
	h.serial++
	record := audit.Record{ID: fmt.Sprint("agent-", h.serial), Action: audit.AgentChanged, Target: code, At: at}
	must(h.T, h.store.ChangeAgent(h.Context(), "", code, func(rbac.Assignment, *agent.Agent) (ports.AgentChange, audit.Record, error) {
		return ports.AgentChange{
			Agent: agent.Agent{
				ID: "id-" + code, Code: code, Name: code, Status: agent.Active, SiteEndpoint: server.URL, CreatedAt: at, UpdatedAt: at,
			},
			Credentials: &agent.Credentials{Token: agent.SecretFrom("agt_token_of_" + code), Secret: agent.SecretFrom(o.Secret)},
		}, record, nil
	}))
	boss := h.enter("boss of "+code, 0)
	h.grant(boss.address)
	_, err := h.casino.Admin.FundAgent(h.Context(), app.Caller{Wallet: boss.address}, admin.FundingRequest{
		AgentID: "id-" + code, Token: string(money.SOL), Amount: prepaid, Reason: "wire",
	})
	must(h.T, err)
	h.Cleanup(func() {
		if strings.Contains(h.log.String(), o.Secret) || strings.Contains(h.log.String(), server.URL) {
			h.Error("an agent's secret or address is in the log")
		}
	})
	return o
}

// member is a player of the agent with money there.
func (h *house) member(o *fakes.AgentSite, name string, amount money.Amount) guest {
	h.Helper()
	g := h.enterAs(name, 0, o.Agent)
	o.Pay(g.address, amount)
	return g.launch()
}

func (h *house) funds(code string) agent.Funds {
	h.Helper()
	lines, err := h.store.FundsOf(h.Context(), code)
	must(h.T, err)
	for _, line := range lines {
		return line.Funds
	}
	return agent.Funds{}
}

// settle runs the worker until no delivery is open.
func (h *house) settle() {
	h.Helper()
	worker := h.casino.Sites.DeliveryWorker()
	for range 10_000 {
		worked, err := worker.Step(h.Context())
		must(h.T, err)
		if worked {
			continue
		}
		open, err := h.store.OpenDeliveries(h.Context(), "", 1)
		must(h.T, err)
		if len(open) == 0 {
			return
		}
		h.clock.Advance(time.Second)
	}
	h.Error("deliveries stay open")
}

// TestForwardedCallbacks is a table of messages in order, each with the site's failure and
// the response to the provider.
func TestForwardedCallbacks(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	o := h.operator("acme", 100_000_000) // 100 units
	alice := h.member(o, "alice", 10_000_000)
	a := string(alice.address)
	balance := strings.Replace(callback(a, "-", "-", "0", "0"), `"transaction"`, `"user_balance"`, 1)
	for i, row := range []struct {
		what, body string
		trouble    fakes.Trouble
		http       int
		status     int
		balance    string
		message    string
	}{
		{"the balance", balance, fakes.SiteFine, 200, 1, "10", ""},
		{"the balance of an unreachable site", balance, fakes.SiteMessageLost, 200, 0, "0", "AGENT_SEAMLESS"},
		{"a bet", callback(a, "t1", "debit", "1.5", "0"), fakes.SiteFine, 200, 1, "8.5", ""},
		{"the bet again while the site is unreachable", callback(a, "t1", "debit", "1.5", "0"), fakes.SiteMessageLost, 200, 1, "8.5", ""},
		{"another bet under its id", callback(a, "t1", "debit", "1.6", "0"), fakes.SiteFine, 200, 0, "8.5", "DUPLICATED_TRANSACTION"},
		{"its win", callback(a, "t1", "credit", "0", "2"), fakes.SiteFine, 200, 1, "10.5", ""},
		{"its win again", callback(a, "t1", "credit", "0", "2"), fakes.SiteFine, 200, 1, "10.5", ""},
		{"a bet that the site's player can't pay", callback(a, "t2", "debit", "11", "0"), fakes.SiteFine, 200, 0, "10.5", "INSUFFICIENT_USER_FUNDS"},
		{"the same again", callback(a, "t2", "debit", "11", "0"), fakes.SiteFine, 200, 0, "10.5", "INSUFFICIENT_USER_FUNDS"},
		{"a bet that the agent can't pay", callback(a, "t3", "debit", "101", "0"), fakes.SiteFine, 200, 0, "10.5", "INSUFFICIENT_AGENT_FUNDS"},
		{"a bet finer than the scale", callback(a, "t4", "debit", "0.0000001", "0"), fakes.SiteFine, 200, 0, "10.5", "INVALID_PARAMETER"},
		{"a whole round", callback(a, "t5", "debit_credit", "1", "0.25"), fakes.SiteFine, 200, 1, "9.75", ""},
		{"a bet whose answer is lost", callback(a, "t6", "debit", "1", "0"), fakes.SiteAnswerLost, 200, 0, "0", "AGENT_SEAMLESS"},
		{"a bet answered too late", callback(a, "t7", "debit", "1", "0"), fakes.SiteTooLate, 200, 0, "0", "AGENT_SEAMLESS"},
		{"a bet answered with garbage", callback(a, "t8", "debit", "1", "0"), fakes.SiteGarbage, 200, 0, "0", "AGENT_SEAMLESS"},
		{"a bet answered with other types", callback(a, "t9", "debit", "1", "0"), fakes.SiteWrongTypes, 200, 0, "0", "AGENT_SEAMLESS"},
		{"a bet answered endlessly", callback(a, "t10", "debit", "1", "0"), fakes.SiteHuge, 200, 0, "0", "AGENT_SEAMLESS"},
		{"a bet answered with a redirect", callback(a, "t11", "debit", "0.5", "0"), fakes.SiteRedirect, 200, 0, "0", "AGENT_SEAMLESS"},
		{"a bet that leaves the player below zero", callback(a, "t12", "debit", "0.5", "0"), fakes.SiteNegativeBalance, 200, 0, "0", "AGENT_SEAMLESS"},
		{"a bet of a broken site", callback(a, "t13", "debit", "1", "0"), fakes.SiteBroken, 200, 0, "0", "AGENT_SEAMLESS"},
		{"the first of them again, once the site is there", callback(a, "t6", "debit", "1", "0"), fakes.SiteFine, 200, 0, "0", "AGENT_SEAMLESS"},
		{"a win whose answer is lost", callback(a, "t1b", "credit", "0", "3"), fakes.SiteAnswerLost, 503, 0, "0", "INTERNAL_ERROR"},
		{"the win again", callback(a, "t1b", "credit", "0", "3"), fakes.SiteFine, 200, 1, "6.75", ""}, // six bets are still to be given back
		{"a whole round whose bet's answer is lost", callback(a, "t14", "debit_credit", "1", "5"), fakes.SiteAnswerLost, 200, 0, "0", "AGENT_SEAMLESS"},
	} {
		o.Trouble(func(ports.SiteMessage) fakes.Trouble { return row.trouble })
		got := h.post(row.body)
		if got.HTTP != row.http || got.Status != row.status || string(got.Balance) != row.balance || got.Message != row.message {
			t.Errorf("%d. %s: %+v, want %d %d %s %q", i, row.what, got, row.http, row.status, row.balance, row.message)
		}
	}
	o.Trouble(nil)
	h.settle()
	if got := o.Has(alice.address); got != 12_750_000 {
		t.Errorf("in the end the player has %d", got)
	}
	if got := h.funds("acme"); got != (agent.Funds{Balance: 102_750_000}) {
		t.Errorf("in the end the agent's account is %+v", got)
	}
	if alice.balance() != 0 {
		t.Errorf("the player has %d here", alice.balance())
	}
	h.audited()
}

// TestALateAnswerChangesNothing has a site carry out a bet and answer after the time-out,
// and again when the worker repeats it.
func TestALateAnswerChangesNothing(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	o := h.operator("acme", 10_000_000)
	alice := h.member(o, "alice", 5_000_000)
	a := string(alice.address)
	o.Trouble(func(ports.SiteMessage) fakes.Trouble { return fakes.SiteTooLate })
	began := time.Now()
	if got := h.post(callback(a, "t", "debit", "2", "0")); got.Message != "AGENT_SEAMLESS" || time.Since(began) > 10*time.Second {
		t.Errorf("a slow site: %+v after %v", got, time.Since(began))
	}
	if !o.Took("t", seamless.Debit) || o.Has(alice.address) != 3_000_000 {
		t.Error("the site did not take the bet")
	}
	worker := h.casino.Sites.DeliveryWorker()
	for range 5 { // it stays slow: the bet stays unknown
		_, err := worker.Step(t.Context())
		must(t, err)
		h.clock.Advance(time.Minute)
	}
	o.Trouble(nil)
	h.settle()
	if got := o.Has(alice.address); got != 5_000_000 {
		t.Errorf("the player has %d", got)
	}
	if got := h.post(callback(a, "t", "debit", "2", "0")); got.Status != 0 || got.Message != "AGENT_SEAMLESS" {
		t.Errorf("asked again: %+v", got)
	}
	if o.Received("t", seamless.Debit) < 2 || o.Received("t", seamless.Credit) != 0 {
		t.Errorf("the site got the bet %d times, and %d credits under its id", o.Received("t", seamless.Debit), o.Received("t", seamless.Credit))
	}
	h.audited()
}

// TestAnAgentsCredentialsAreNotTheProviders makes callbacks with an agent's credentials.
func TestAnAgentsCredentialsAreNotTheProviders(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	o := h.operator("acme", 10_000_000)
	alice := h.member(o, "alice", 5_000_000)
	for _, with := range [][2]string{{"acme", o.Secret}, {"acme", "agt_token_of_acme"}, {agentCode, o.Secret}, {"acme", agentSecret}} {
		body := strings.Replace(callback(string(alice.address), "t", "credit", "0", "5"), fmt.Sprintf("%q", agentCode), fmt.Sprintf("%q", with[0]), 1)
		body = strings.Replace(body, fmt.Sprintf("%q", agentSecret), fmt.Sprintf("%q", with[1]), 1)
		if got := h.post(body); got.Status != 0 || got.Message != "INVALID_AGENT" {
			t.Errorf("with %v: %+v", with, got)
		}
	}
	if o.Has(alice.address) != 5_000_000 {
		t.Error("money moved")
	}
}

// TestARefusedWinNeedsAnAdmin has a site refuse a win that was accepted towards the
// provider.
func TestARefusedWinNeedsAnAdmin(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	o := h.operator("acme", 10_000_000)
	alice := h.member(o, "alice", 5_000_000)
	a := string(alice.address)
	h.post(callback(a, "t", "debit", "1", "0"))
	o.Refuse(seamless.Credit, seamless.PlayerFrozen)
	if got := h.post(callback(a, "t", "credit", "0", "3")); got.Status != 1 {
		t.Errorf("a win that the site refuses: %+v", got)
	}
	if !strings.Contains(h.log.String(), alarm.SiteRefuses.Message()) {
		t.Error("it raises no alarm")
	}
	o.Refuse(seamless.Credit, seamless.None)
	boss := app.Caller{Wallet: h.enter("boss of acme", 0).address}
	page, err := h.casino.Sites.Deliveries(t.Context(), boss, ports.DeliveryFilter{Status: seamless.Rejected}, ports.Page{Number: 1, Limit: 10})
	must(t, err)
	if len(page.Deliveries) != 1 {
		t.Fatalf("rejected: %+v", page.Deliveries)
	}
	_, err = h.casino.Sites.DecideDelivery(t.Context(), app.Caller{Wallet: alice.address}, sites.DeliveryDecision{ID: page.Deliveries[0].ID, Resend: true, Reason: "x"})
	if !fault.Is(err, fault.AdminForbidden) {
		t.Errorf("ordered by a player: %v", err)
	}
	ordered, err := h.casino.Sites.DecideDelivery(t.Context(), boss, sites.DeliveryDecision{ID: page.Deliveries[0].ID, Reason: "paid outside the service"})
	must(t, err)
	if ordered.Status != seamless.Closed {
		t.Errorf("closed it is %s", ordered.Status)
	}
	h.audited()
}

// TestForwardedStorm sends mixed callbacks of several players of one agent, each one to
// three times in random order, many at a time, while a third of the site's messages fail
// and two workers interfere, until all are answered.
func TestForwardedStorm(t *testing.T) {
	t.Parallel()
	h := open(t, onSQLite, generous, nil)
	const prepaid, start = 400_000_000, 60_000_000
	o := h.operator("acme", prepaid)
	random := rand.New(rand.NewPCG(20261121, 3))
	var guests []guest
	for i := range 4 {
		guests = append(guests, h.member(o, fmt.Sprint("player ", i), start))
	}
	var lock sync.Mutex
	o.Trouble(func(ports.SiteMessage) fakes.Trouble {
		lock.Lock()
		defer lock.Unlock()
		if random.IntN(3) > 0 {
			return fakes.SiteFine
		}
		quick := []fakes.Trouble{fakes.SiteMessageLost, fakes.SiteBroken, fakes.SiteAnswerLost, fakes.SiteGarbage, fakes.SiteWrongTypes, fakes.SiteRedirect}
		return quick[random.IntN(len(quick))]
	})
	type storming struct {
		guest    guest
		body     string
		bet, win int64
		mu       sync.Mutex
		first    *said
	}
	var all, queue []*storming
	for i := range 240 {
		g, bet, win := guests[i%4], int64(random.IntN(900)), int64(random.IntN(900))
		kind := []string{"debit", "debit_credit", "credit"}[random.IntN(3)]
		m := &storming{guest: g, body: callback(string(g.address), fmt.Sprint("t", i), kind, fmt.Sprintf("%d.%03d", bet/1000, bet%1000),
			fmt.Sprintf("%d.%03d", win/1000, win%1000))}
		if kind != "credit" {
			m.bet = bet * 1000
		}
		if kind != "debit" {
			m.win = win * 1000
		}
		all = append(all, m)
		for range 1 + random.IntN(3) {
			queue = append(queue, m)
		}
	}
	random.Shuffle(len(queue), func(i, j int) { queue[i], queue[j] = queue[j], queue[i] })
	deliver := func(m *storming) {
		got := h.post(m.body)
		if got.HTTP == http.StatusServiceUnavailable {
			return
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.first == nil {
			m.first = &got
		}
		if got.Status != m.first.Status || got.Message != m.first.Message {
			t.Errorf("answered %+v and then %+v", *m.first, got)
		}
	}
	work := make(chan *storming)
	var senders sync.WaitGroup
	for range 24 {
		senders.Go(func() {
			for m := range work {
				deliver(m)
			}
		})
	}
	// By the clock every message takes very long, so that the workers also take up messages
	// that callbacks, and each other, are still processing.
	stop, workers := make(chan struct{}), sync.WaitGroup{}
	interfere := func() {
		for forwarder := h.casino.Sites.DeliveryWorker(); ; h.clock.Advance(7 * time.Second) {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := forwarder.Step(t.Context()); err != nil && !fault.Is(err, fault.RateLimited) {
				t.Errorf("the worker: %v", err)
			}
		}
	}
	workers.Go(interfere)
	workers.Go(interfere)
	for _, m := range queue {
		work <- m
	}
	close(work)
	senders.Wait()
	close(stop)
	workers.Wait()
	o.Trouble(nil)
	h.settle()
	want, account := map[guest]int64{}, int64(prepaid)
	for _, m := range all {
		deliver(m)
		if m.first == nil {
			t.Fatal("a message is never answered")
		}
		if m.first.Status == 1 {
			want[m.guest] += m.win - m.bet
			account += m.win - m.bet
		}
	}
	for i, g := range guests {
		if got := int64(o.Has(g.address)); got != start+want[g] {
			t.Errorf("player %d has %d at the site, the provider makes it %d", i, got, start+want[g])
		}
	}
	if got := h.funds("acme"); got.Balance != account || got.Reserved != 0 {
		t.Errorf("the agent's account is %+v, by the provider it is %d", got, account)
	}
	totals, err := h.store.Totals(t.Context())
	must(t, err)
	for _, line := range totals {
		if line.Account == ledger.ProviderOf("goldapi") && line.Amount != money.TotalOfInt(prepaid-account) {
			t.Errorf("the provider stands at %v", line.Amount)
		}
	}
	h.audited()
}
