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

var deliveriesCases = []story{
	{"deliveries are found by id, transaction and status, open ones oldest first", Rows, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.prepaidAgent("other", 1000, 0)
		b.member(alice, "acme")
		b.member(bob, "other")
		first, second := b.bet(alice, "acme", "t1", "1"), b.bet(bob, "other", "t2", "1")
		third := b.bet(alice, "acme", "t3", "1")
		second = b.commit(b.responded(second, seamless.NoResponse)).Change.Deliveries[0]
		first = b.commit(b.responded(first, seamless.SiteAccepted)).Change.Deliveries[0]
		b.same("open", must(b.OpenDeliveries(background, "", 9))(b), []seamless.Delivery{second, third})
		b.same("open, the first", must(b.OpenDeliveries(background, "", 1))(b), []seamless.Delivery{second})
		b.same("open, the rest", must(b.OpenDeliveries(background, second.ID, 9))(b), []seamless.Delivery{third})
		for _, c := range []struct {
			filter ports.DeliveryFilter
			want   []seamless.Delivery
		}{
			{ports.DeliveryFilter{}, []seamless.Delivery{third, second, first}},
			{ports.DeliveryFilter{Open: true}, []seamless.Delivery{third, second}},
			{ports.DeliveryFilter{Agent: "acme"}, []seamless.Delivery{third, first}},
			{ports.DeliveryFilter{Status: seamless.Unknown}, []seamless.Delivery{second}},
			{ports.DeliveryFilter{Status: seamless.Unknown, Agent: "acme"}, []seamless.Delivery{}},
		} {
			b.same(fmt.Sprintf("%+v", c.filter), must(b.Deliveries(background, c.filter, whole))(b).Deliveries, c.want)
		}
		b.fails(fault.NotFound, errorOf(b.Delivery(background, "nothing")), "no delivery")
		b.same("of no transaction", must(b.DeliveriesOf(background, "nothing"))(b), []seamless.Delivery{})
	}},
	{"an admin sends a delivery to another site or closes it", Logic, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.member(alice, "acme")
		decide := func(r seamless.Delivery, by wallet.Address, event seamless.DeliveryEvent, site string) player.Item {
			o := player.DeliveryDecision{
				DeliveryID: r.ID, Event: event, Site: site, By: by, Policy: b.policy, Reason: "they moved", AuditID: b.id(), At: b.now(),
			}
			return player.Item{
				Wallet: r.Wallet, At: o.At, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}},
				Needs:  player.Needs{Deliveries: []string{r.ID}, Roles: []wallet.Address{by}},
				Decide: func(v player.View) (player.Change, error) { return player.DecideDelivery(v, o) },
			}
		}
		b.commit(b.responded(b.bet(alice, "acme", "t1", "10"), seamless.SiteAccepted))
		r := b.commit(b.forwarded(alice, "acme", "t1", seamless.Credit, "", "20")).Change.Deliveries[0]
		b.refuse(decide(r, other, seamless.Resend, "https://new.example"), fault.AdminForbidden)
		b.refuse(decide(r, admin, seamless.Resend, ""), fault.InvalidAgent)
		r = b.commit(b.responded(r, seamless.SiteRefused)).Change.Deliveries[0]
		b.same("refused by the site it is", r.Status, seamless.Rejected)
		r = b.commit(decide(r, admin, seamless.Resend, "https://new.example")).Change.Deliveries[0]
		if r.Status != seamless.Delivering || r.Site != "https://new.example" {
			b.Errorf("sent again it is %s at %s", r.Status, r.Site)
		}
		unknown := b.commit(b.responded(b.bet(alice, "acme", "t3", "10"), seamless.NoResponse)).Change.Deliveries[0]
		b.commit(decide(unknown, admin, seamless.Resend, "https://new.example"))
		if taken := b.commit(b.responded(unknown, seamless.SiteAccepted)).Change.Deliveries[0]; taken.Status != seamless.Reversing || taken.Site != theSite {
			b.Errorf("what the old site took is given back as %s at %s", taken.Status, taken.Site)
		}
		r = b.commit(decide(r, admin, seamless.Close, "")).Change.Deliveries[0]
		b.same("closed", must(b.Delivery(background, r.ID))(b), r)
		b.refuse(decide(r, admin, seamless.Close, ""), fault.InvalidState)
		b.refuse(decide(b.bet(alice, "acme", "t2", "10"), admin, seamless.Close, ""), fault.InvalidState)
		b.sound()
	}},
	{"limits count a bet while it is asked for", Logic, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.member(alice, "acme")
		b.commit(b.limit(alice, protection.Wager, 500))
		first := b.bet(alice, "acme", "t1", "300")
		over := b.commit(b.forwarded(alice, "acme", "t2", seamless.Debit, "300", "")).Change
		if over.Seamless == nil || over.Seamless.Reason != seamless.LimitExceeded {
			b.Errorf("a bet above the limit while another is asked for: %+v", over)
		}
		b.commit(b.responded(first, seamless.SiteRefused))
		second := b.bet(alice, "acme", "t3", "300")
		b.commit(b.responded(second, seamless.SiteAccepted))
		if over := b.commit(b.forwarded(alice, "acme", "t4", seamless.Debit, "201", "")).Change; over.Seamless == nil {
			b.Error("a bet above the limit is asked for")
		}
		b.bet(alice, "acme", "t5", "200")
		b.sound()
	}},
	{"a delivery that differs from its transaction is refused", Logic, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.member(alice, "acme")
		lies := map[string]func(c *player.Change){
			"another wallet's":    func(c *player.Change) { c.Deliveries[0].Wallet = bob },
			"begun as delivering": func(c *player.Change) { c.Deliveries[0].Status = seamless.Delivering },
			"begun as paid":       func(c *player.Change) { c.Deliveries[0].Status = seamless.Paid },
			"without a site":      func(c *player.Change) { c.Deliveries[0].Site = "" },
			"more than there is":  func(c *player.Change) { c.Deliveries[0].Amount = 1001 },
			"of another agent":    func(c *player.Change) { c.Deliveries[0].Agent = "other" },
			"twice":               func(c *player.Change) { c.Deliveries = append(c.Deliveries, c.Deliveries[0]) },
		}
		refuse := func(what string, item player.Item, lie func(c *player.Change)) {
			b.Helper()
			decide := item.Decide
			item.Decide = func(v player.View) (player.Change, error) {
				c, err := decide(v)
				c.Deliveries = slices.Clone(c.Deliveries)
				lie(&c)
				return c, err
			}
			if _, err := b.Commit(background, item); err == nil {
				b.Errorf("a delivery %s was committed", what)
			}
		}
		for what, lie := range lies {
			refuse(what, b.forwarded(alice, "acme", "lie", seamless.Debit, "1", ""), lie)
		}
		r := b.bet(alice, "acme", "t1", "300")
		for what, lie := range map[string]func(c *player.Change){
			"answered without a transaction": func(c *player.Change) { c.Seamless, c.ProviderRound, c.Postings = nil, nil, nil },
			"that becomes larger":            func(c *player.Change) { c.Deliveries[0].Amount++ },
			"that is reversed at once":       func(c *player.Change) { c.Deliveries[0].Status = seamless.Reversed },
		} {
			refuse(what, b.responded(r, seamless.SiteAccepted), lie)
		}
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1000, Reserved: 300})
		b.sound()
	}},
	{"after a lost COMMIT nothing is reserved or booked twice", Races, func(b *bench) {
		// Loses the COMMIT of each of the two commits of a bet.
		if b.LoseCommit == nil {
			return
		}
		b.prepaidAgent("acme", 1000, 0)
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
			open := must(b.OpenDeliveries(background, "", 9))(b)
			if len(open) != 1 || b.fundsIn("acme") != (agent.Funds{Balance: int64(1000 - 300*i), Reserved: 300}) {
				b.Fatalf("asked for, carried out %v: %+v, %+v", carriedOut, open, b.fundsIn("acme"))
			}
			committed(b.responded(open[0], seamless.SiteAccepted), carriedOut)
			b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: int64(700 - 300*i)})
		}
		b.sound()
	}},
	{"deliveries and funds outlive reopening", Rows, func(b *bench) {
		b.prepaidAgent("acme", 1000, 50)
		b.member(alice, "acme")
		asked := b.bet(alice, "acme", "t1", "300")
		b.commit(b.responded(b.bet(alice, "acme", "t2", "100"), seamless.SiteAccepted))
		b.commit(b.forwarded(alice, "acme", "t2", seamless.Credit, "", "7"))
		before := b.snapshot()
		b.reopen()
		b.same("everything", b.snapshot(), before)
		b.commit(b.responded(asked, seamless.NoResponse))
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 907, CreditLimit: 50})
		b.sound()
	}},
}
