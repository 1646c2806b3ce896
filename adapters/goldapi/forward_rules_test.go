package goldapi_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/app/sites"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// moves changes the site of an agent and nothing else of it.
func (h *house) moves(code, site string) {
	h.Helper()
	present, err := h.store.Agent(h.Context(), code)
	must(h.T, err)
	present.SiteEndpoint = site
	h.change(present)
}

// TestForwardedBetsAreBarredHere disables the game, the agent and the player in turn: no
// bet is sent to the site, but the win of an earlier round is.
func TestForwardedBetsAreBarredHere(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	o := h.operator("acme", 100_000_000)
	boss := app.Caller{Wallet: h.enter("boss of acme", 0).address}
	site, err := h.store.Agent(t.Context(), "acme")
	must(t, err)
	status := func(to agent.Status) {
		site.Status = to
		h.change(site)
	}
	for what, bar := range map[string]struct {
		reason seamless.Reason
		do     func(g guest)
	}{
		"a disabled game": {seamless.GameDisabled, func(guest) {
			_, err := h.casino.Providers.SwitchGame(h.Context(), boss, "cherry-rush", false, "")
			must(t, err)
		}},
		"a blocked agent":    {seamless.BlockedAgent, func(guest) { status(agent.Blocked) }},
		"an excluded player": {seamless.PlayerExcluded, func(g guest) { g.protect(func(s *protection.State) { s.Excluded = true }) }},
		"a frozen player":    {seamless.PlayerFrozen, func(g guest) { g.protect(func(s *protection.State) { s.Frozen = true }) }},
	} {
		name := strings.ReplaceAll(what, " ", "-")
		g := h.member(o, name, 5_000_000)
		user := string(g.address)
		first := h.post(callback(user, name+"1", "debit", "1", "0"))
		bar.do(g)
		bet := h.post(callback(user, name+"2", "debit", "1", "0"))
		whole := h.post(callback(user, name+"3", "debit_credit", "1", "9"))
		win := h.post(callback(user, name+"1", "credit", "0", "2"))
		if first.Status != 1 || bet.Status != 0 || bet.Message != string(bar.reason) || string(bet.Balance) != "4" ||
			whole.Status != 0 || win.Status != 1 || string(win.Balance) != "6" {
			t.Errorf("%s: first %+v, bet %+v, whole round %+v, win %+v", what, first, bet, whole, win)
		}
		if o.Received(name+"2", seamless.Debit)+o.Received(name+"3", seamless.Debit) != 0 {
			t.Errorf("%s: the site was asked", what)
		}
		_, err := h.casino.Providers.SwitchGame(h.Context(), boss, "cherry-rush", true, "")
		must(t, err)
		status(agent.Active)
	}
	h.audited()
}

// TestRoundsSettleWhereTheyBegan changes an agent's site with rounds open: one on a
// balance here, one at the first site, one at the second, and none in the end.
func TestRoundsSettleWhereTheyBegan(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	first := h.operator("acme", 100_000_000)
	second := fakes.NewAgentSite("acme", first.Secret, scale)
	site, err := h.store.Agent(t.Context(), "acme")
	must(t, err)
	oldSite, newSite := site.SiteEndpoint, siteOf(t, second).URL
	h.moves("acme", "")
	alice := h.enterAs("alice", 5_000_000, "acme").launch()
	first.Pay(alice.address, 5_000_000)
	second.Pay(alice.address, 5_000_000)
	a := string(alice.address)
	for _, step := range []struct {
		site, txn string
		balance   string
	}{{"", "here", "4"}, {oldSite, "first", "4"}, {newSite, "second", "4"}, {"", "again", "3"}} {
		h.moves("acme", step.site)
		if got := h.post(callback(a, step.txn, "debit", "1", "0")); got.Status != 1 || string(got.Balance) != step.balance {
			t.Errorf("a bet at %q: %+v", step.site, got)
		}
	}
	for txn, balance := range map[string]string{"first": "5.5", "second": "5.5"} {
		if got := h.post(callback(a, txn, "credit", "0", "1.5")); got.Status != 1 || string(got.Balance) != balance {
			t.Errorf("the win of %s: %+v", txn, got)
		}
	}
	h.moves("acme", newSite)
	for _, txn := range []string{"here", "again"} {
		if got := h.post(callback(a, txn, "credit", "0", "1.5")); got.Status != 1 {
			t.Errorf("the win of %s: %+v", txn, got)
		}
	}
	if alice.balance() != 6_000_000 || first.Has(alice.address) != 5_500_000 || second.Has(alice.address) != 5_500_000 {
		t.Errorf("the player has %d here, %d and %d there", alice.balance(), first.Has(alice.address), second.Has(alice.address))
	}
	if got := h.funds("acme"); got != (agent.Funds{Balance: 101_000_000}) {
		t.Errorf("the agent's account is %+v", got)
	}
	rounds, err := h.casino.Accounts.History(t.Context(), app.Caller{Wallet: alice.address}, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 10})
	must(t, err)
	if len(rounds.Rounds) != 4 || rounds.Rounds[1].Wager != 1_000_000 || rounds.Rounds[1].Payout != 1_500_000 || rounds.Rounds[1].Agent != "acme" {
		t.Errorf("the rounds are %+v", rounds.Rounds)
	}
	h.audited()
}

// TestAnUnreachableSiteNeedsAnAdmin shuts a site down with a win being delivered: a
// superadmin resends it to the agent's present site.
func TestAnUnreachableSiteNeedsAnAdmin(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	o := h.operator("acme", 100_000_000)
	alice := h.member(o, "alice", 5_000_000)
	a := string(alice.address)
	h.post(callback(a, "t", "debit", "1", "0"))
	o.Trouble(func(ports.SiteMessage) fakes.Trouble { return fakes.SiteMessageLost })
	if got := h.post(callback(a, "t", "credit", "0", "3")); got.HTTP != 503 {
		t.Errorf("a win that the site doesn't hear: %+v", got)
	}
	moved := fakes.NewAgentSite("acme", o.Secret, scale)
	moved.Pay(alice.address, o.Has(alice.address))
	h.moves("acme", siteOf(t, moved).URL)
	boss := app.Caller{Wallet: h.enter("boss of acme", 0).address}
	page, err := h.casino.Sites.Deliveries(t.Context(), boss, ports.DeliveryFilter{Open: true}, ports.Page{Number: 1, Limit: 10})
	must(t, err)
	if len(page.Deliveries) != 1 || page.Deliveries[0].Status != seamless.Delivering {
		t.Fatalf("open: %+v", page.Deliveries)
	}
	_, err = h.casino.Sites.DecideDelivery(t.Context(), boss, sites.DeliveryDecision{ID: page.Deliveries[0].ID, Resend: true, Reason: "they moved"})
	must(t, err)
	h.settle()
	if got := h.post(callback(a, "t", "credit", "0", "3")); got.Status != 1 || string(got.Balance) != "7" {
		t.Errorf("asked again: %+v", got)
	}
	if moved.Has(alice.address) != 7_000_000 {
		t.Errorf("the player has %d", moved.Has(alice.address))
	}
	_, err = h.casino.Sites.DecideDelivery(t.Context(), boss, sites.DeliveryDecision{ID: page.Deliveries[0].ID, Resend: true, Reason: "again"})
	if !fault.Is(err, fault.InvalidState) {
		t.Errorf("ordered at its end: %v", err)
	}
	h.audited()
}

// TestForwardedWinsAboveACapAreInReview approves one: it is sent to the site then.
func TestForwardedWinsAboveACapAreInReview(t *testing.T) {
	t.Parallel()
	caps := generous
	caps.NetWin = 2_000_000
	h := open(t, inMemory, caps, nil)
	o := h.operator("acme", 100_000_000)
	alice := h.member(o, "alice", 5_000_000)
	if got := h.post(callback(string(alice.address), "t", "debit_credit", "1", "9")); got.Status != 1 || string(got.Balance) != "4" {
		t.Errorf("a win above the cap: %+v", got)
	}
	boss := app.Caller{Wallet: h.enter("boss of acme", 0).address}
	reviews, err := h.casino.Providers.ProviderReviews(t.Context(), boss, ports.Page{Number: 1, Limit: 10})
	must(t, err)
	if len(reviews.Transactions) != 1 {
		t.Fatalf("in review: %+v", reviews.Transactions)
	}
	_, err = h.casino.Providers.DecideProviderReview(t.Context(), boss, providers.ReviewDecision{ID: reviews.Transactions[0].ID, Pay: true, Reason: "a jackpot"})
	must(t, err)
	h.settle()
	if o.Has(alice.address) != 13_000_000 || h.funds("acme").Balance != 108_000_000 || alice.balance() != money.Amount(0) {
		t.Errorf("the player has %d there and %d here, the agent %d", o.Has(alice.address), alice.balance(), h.funds("acme").Balance)
	}
	h.audited()
}
