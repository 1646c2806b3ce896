package conformance

import (
	"fmt"
	"slices"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

func routesAreFound(b *bench) {
	b.operator("acme", 1000, 0)
	b.operator("other", 1000, 0)
	b.member(alice, "acme")
	b.member(bob, "other")
	first, second := b.bet(alice, "acme", "t1", "1"), b.bet(bob, "other", "t2", "1")
	third := b.bet(alice, "acme", "t3", "1")
	second = b.commit(b.heard(second, seamless.Silent)).Change.Routes[0]
	first = b.commit(b.heard(first, seamless.Yes)).Change.Routes[0]
	b.same("open", must(b.OpenRoutes(background, "", 9))(b), []seamless.Route{second, third})
	b.same("open, the first", must(b.OpenRoutes(background, "", 1))(b), []seamless.Route{second})
	b.same("open, the rest", must(b.OpenRoutes(background, second.ID, 9))(b), []seamless.Route{third})
	for _, c := range []struct {
		filter ports.RouteFilter
		want   []seamless.Route
	}{
		{ports.RouteFilter{}, []seamless.Route{third, second, first}},
		{ports.RouteFilter{Open: true}, []seamless.Route{third, second}},
		{ports.RouteFilter{Agent: "acme"}, []seamless.Route{third, first}},
		{ports.RouteFilter{Status: seamless.Unknown}, []seamless.Route{second}},
		{ports.RouteFilter{Status: seamless.Unknown, Agent: "acme"}, []seamless.Route{}},
	} {
		b.same(fmt.Sprintf("%+v", c.filter), must(b.Routes(background, c.filter, whole))(b).Routes, c.want)
	}
	if _, err := b.Route(background, "nothing"); !fault.Is(err, fault.NotFound) {
		b.Errorf("no route: %v", err)
	}
	b.same("of no transaction", must(b.RoutesOf(background, "nothing"))(b), []seamless.Route{})
}

func routeIsOrdered(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	order := func(r seamless.Route, by wallet.Address, word seamless.Word, site string) player.Item {
		o := player.RouteOrder{
			RouteID: r.ID, Word: word, Site: site, By: by, Policy: b.policy, Reason: "they moved", AuditID: b.id(), At: b.now(),
		}
		return player.Item{
			Wallet: r.Wallet, At: o.At, Claims: []player.Claim{{Kind: player.Operation, ID: b.id()}},
			Needs:  player.Needs{Routes: []string{r.ID}, Roles: []wallet.Address{by}},
			Decide: func(v player.View) (player.Change, error) { return player.OrdersRoute(v, o) },
		}
	}
	b.commit(b.heard(b.bet(alice, "acme", "t1", "10"), seamless.Yes))
	r := b.commit(b.forwarded(alice, "acme", "t1", seamless.Credit, "", "20")).Change.Routes[0]
	b.refuse(order(r, other, seamless.Resend, "https://new.example"), fault.AdminForbidden)
	b.refuse(order(r, admin, seamless.Resend, ""), fault.InvalidAgent)
	r = b.commit(b.heard(r, seamless.No)).Change.Routes[0]
	if r.Status != seamless.Rejected {
		b.Errorf("refused by the site it is %s", r.Status)
	}
	r = b.commit(order(r, admin, seamless.Resend, "https://new.example")).Change.Routes[0]
	if r.Status != seamless.Delivering || r.Site != "https://new.example" {
		b.Errorf("sent again it is %s at %s", r.Status, r.Site)
	}
	unknown := b.commit(b.heard(b.bet(alice, "acme", "t3", "10"), seamless.Silent)).Change.Routes[0]
	b.commit(order(unknown, admin, seamless.Resend, "https://new.example"))
	if taken := b.commit(b.heard(unknown, seamless.Yes)).Change.Routes[0]; taken.Status != seamless.Reversing || taken.Site != theSite {
		b.Errorf("what the old site took is given back as %s at %s", taken.Status, taken.Site)
	}
	r = b.commit(order(r, admin, seamless.Close, "")).Change.Routes[0]
	b.same("closed", must(b.Route(background, r.ID))(b), r)
	b.refuse(order(r, admin, seamless.Close, ""), fault.InvalidState)
	b.refuse(order(b.bet(alice, "acme", "t2", "10"), admin, seamless.Close, ""), fault.InvalidState)
	b.sound()
}

func limitsCountAskedBets(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	b.commit(b.limit(alice, protection.Wager, 500))
	first := b.bet(alice, "acme", "t1", "300")
	over := b.commit(b.forwarded(alice, "acme", "t2", seamless.Debit, "300", "")).Change
	if over.Seamless == nil || over.Seamless.Reason != seamless.LimitExceeded {
		b.Errorf("a bet above the limit while another is asked for: %+v", over)
	}
	b.commit(b.heard(first, seamless.No))
	second := b.bet(alice, "acme", "t3", "300")
	b.commit(b.heard(second, seamless.Yes))
	if over := b.commit(b.forwarded(alice, "acme", "t4", seamless.Debit, "201", "")).Change; over.Seamless == nil {
		b.Error("a bet above the limit is asked for")
	}
	b.bet(alice, "acme", "t5", "200")
	b.sound()
}

func lyingRouteIsRefused(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	lies := map[string]func(c *player.Change){
		"another wallet's":    func(c *player.Change) { c.Routes[0].Wallet = bob },
		"begun as delivering": func(c *player.Change) { c.Routes[0].Status = seamless.Delivering },
		"begun as paid":       func(c *player.Change) { c.Routes[0].Status = seamless.Paid },
		"without a site":      func(c *player.Change) { c.Routes[0].Site = "" },
		"more than there is":  func(c *player.Change) { c.Routes[0].Amount = 1001 },
		"of another operator": func(c *player.Change) { c.Routes[0].Agent = "other" },
		"twice":               func(c *player.Change) { c.Routes = append(c.Routes, c.Routes[0]) },
	}
	refuse := func(what string, item player.Item, lie func(c *player.Change)) {
		b.Helper()
		decide := item.Decide
		item.Decide = func(v player.View) (player.Change, error) {
			c, err := decide(v)
			c.Routes = slices.Clone(c.Routes)
			lie(&c)
			return c, err
		}
		if _, err := b.Commit(background, item); err == nil {
			b.Errorf("a route %s was committed", what)
		}
	}
	for what, lie := range lies {
		refuse(what, b.forwarded(alice, "acme", "lie", seamless.Debit, "1", ""), lie)
	}
	r := b.bet(alice, "acme", "t1", "300")
	for what, lie := range map[string]func(c *player.Change){
		"answered without a transaction": func(c *player.Change) { c.Seamless, c.ProviderRound, c.Postings = nil, nil, nil },
		"that becomes larger":            func(c *player.Change) { c.Routes[0].Amount++ },
		"that is reversed at once":       func(c *player.Change) { c.Routes[0].Status = seamless.Reversed },
	} {
		refuse(what, b.heard(r, seamless.Yes), lie)
	}
	b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1000, Reserved: 300})
	b.sound()
}

// lostForwardIsFoundOut loses the COMMIT of each of the two commits of a bet.
func lostForwardIsFoundOut(b *bench) {
	if b.LoseCommit == nil {
		return
	}
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	committed := func(item player.Item, carriedOut bool) {
		b.Helper()
		b.LoseCommit(carriedOut)
		for range 3 {
			if _, err := b.Commit(background, item); !fault.Is(err, fault.Unavailable) {
				if err != nil {
					b.Errorf("lost, carried out %v: %v", carriedOut, err)
				}
				return
			}
		}
	}
	for i, carriedOut := range []bool{true, false} {
		committed(b.forwarded(alice, "acme", fmt.Sprint("t", i), seamless.Debit, "300", ""), carriedOut)
		open := must(b.OpenRoutes(background, "", 9))(b)
		if len(open) != 1 || b.fundsIn("acme") != (agent.Funds{Balance: int64(1000 - 300*i), Reserved: 300}) {
			b.Fatalf("asked for, carried out %v: %+v, %+v", carriedOut, open, b.fundsIn("acme"))
		}
		committed(b.heard(open[0], seamless.Yes), carriedOut)
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: int64(700 - 300*i)})
	}
	b.sound()
}

func routesOutlive(b *bench) {
	if !b.Durable {
		return
	}
	b.operator("acme", 1000, 50)
	b.member(alice, "acme")
	asked := b.bet(alice, "acme", "t1", "300")
	b.commit(b.heard(b.bet(alice, "acme", "t2", "100"), seamless.Yes))
	b.commit(b.forwarded(alice, "acme", "t2", seamless.Credit, "", "7"))
	before := b.snapshot()
	b.Store = b.Reopen(b.T)
	b.same("everything", b.snapshot(), before)
	b.commit(b.heard(asked, seamless.Silent))
	b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 907, CreditLimit: 50})
	b.sound()
}
