package conformance

import (
	"fmt"
	"testing"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Deliveries is the suite of ports.Deliveries, and of the Writer's handling of transactions that
// are forwarded to agents' sites.
func Deliveries(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, forwardCases, deliveriesCases)
}

var forwardCases = []story{
	{"a bet is reserved while its site is asked and moves agent to provider when the site accepts", Rows, func(b *bench) {
		b.prepaidAgent("acme", 1000, 500)
		b.member(alice, "acme")
		r := b.bet(alice, "acme", "t1", "300")
		b.same("while it is asked", b.fundsIn("acme"), agent.Funds{Balance: 1000, Reserved: 300, CreditLimit: 500})
		b.errorIf(r.Status != seamless.Asking || r.Site != theSite || r.Amount != 300 || r.SiteTxnID != "t1",
			"the delivery is %+v", r)
		change := b.commit(b.responded(r, seamless.SiteAccepted)).Change
		b.same("when it is paid", b.fundsIn("acme"), agent.Funds{Balance: 700, CreditLimit: 500})
		t := *change.Seamless
		b.errorIf(t.Status != seamless.Taken || t.Bet != 300 || t.Balance != 77 || t.Site != theSite,
			"the transaction is %+v", t)
		b.same("transaction", must(b.SeamlessTransaction(background, t.ID))(b), t)
		b.same("the agent stands at", b.totalOf(ledger.AgentOf("acme"), money.SOL), "700")
		b.same("the provider stands at", b.totalOf(ledger.ProviderOf(connection), money.SOL), "300")
		round := must(b.Round(background, t.RoundID))(b)
		b.errorIf(round.Wager != 300 || round.Agent != "acme", "the round is %+v", round)
		b.same("alice has", b.balance(alice), 0)
		b.sound()
	}},
	{"a bet that the site refuses or doesn't answer is refused for good and no longer reserved", Logic, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.member(alice, "acme")
		for i, event := range []seamless.DeliveryEvent{seamless.SiteRefused, seamless.NoResponse} {
			r := b.bet(alice, "acme", fmt.Sprint("t", i), "300")
			change := b.commit(b.responded(r, event)).Change
			want := map[seamless.DeliveryEvent]seamless.Reason{seamless.SiteRefused: seamless.InsufficientFunds, seamless.NoResponse: seamless.AgentSeamless}[event]
			if t := change.Seamless; t.Status != seamless.Refused || t.Reason != want || t.Bet != 0 {
				b.Errorf("after %s: %+v", event, t)
			}
			b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1000})
			b.same("the first answer", b.replay(b.forwarded(alice, "acme", r.TxnID, seamless.Debit, "300", "")).Change.Seamless.Status, seamless.Undecided)
		}
		over := b.commit(b.forwarded(alice, "acme", "over", seamless.Debit, "1001", "")).Change
		b.errorIf(over.Seamless == nil || over.Seamless.Reason != seamless.AgentFunds || len(over.Deliveries) != 0,
			"a bet that the funds don't cover: %+v", over)
		b.sound()
	}},
	{"a bet that was refused for good but taken by the site is given back", Logic, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.member(alice, "acme")
		r := b.bet(alice, "acme", "t1", "300")
		for _, step := range []struct {
			event seamless.DeliveryEvent
			want  seamless.DeliveryStatus
		}{{seamless.NoResponse, seamless.Unknown}, {seamless.SiteAccepted, seamless.Reversing}, {seamless.SiteAccepted, seamless.Reversed}} {
			change := b.commit(b.responded(r, step.event)).Change
			r = change.Deliveries[0]
			b.same(fmt.Sprint("after ", step.event), r.Status, step.want)
			if id, leg := r.Message(); r.Status == seamless.Reversing && (id != "reversal-"+r.ID || leg != seamless.Credit) {
				b.Errorf("it is given back as %s %s", leg, id)
			}
			b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1000})
		}
		b.same("the delivery", must(b.Delivery(background, r.ID))(b), r)
		b.sound()
	}},
	{"a credit follows the site of its debit and moves provider to agent", Rows, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.member(alice, "acme")
		b.commit(b.responded(b.bet(alice, "acme", "t1", "300"), seamless.SiteAccepted))
		item := b.forwarded(alice, "acme", "t1", seamless.Credit, "", "450.9")
		change := b.commit(item).Change
		t := change.Seamless
		b.fatalIf(t.Status != seamless.Taken || t.Win != 450 || t.Residue != "0.9" || t.Site != theSite, "the credit is %+v", t)
		r := change.Deliveries[0]
		b.errorIf(r.Status != seamless.Delivering || r.Leg != seamless.Credit || r.Amount != 450, "its delivery is %+v", r)
		b.reopen()
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1150})
		r = b.commit(b.responded(r, seamless.SiteAccepted)).Change.Deliveries[0]
		b.errorIf(r.Status != seamless.Delivered || r.Balance != 77, "accepted, it is %+v", r)
		b.same("alice has", b.balance(alice), 0)
		round := must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, whole))(b).Rounds
		b.errorIf(len(round) != 1 || round[0].Payout != 450, "the rounds are %+v", round)
		b.sound()
	}},
	{"a whole round is its debit and then its credit", Logic, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.member(alice, "acme")
		r := b.commit(b.forwarded(alice, "acme", "t1", seamless.DebitCredit, "300", "50")).Change.Deliveries[0]
		change := b.commit(b.responded(r, seamless.SiteAccepted)).Change
		t := change.Seamless
		b.errorIf(t.Bet != 300 || t.Win != 50 || t.Kind != seamless.DebitCredit, "the transaction is %+v", t)
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 750})
		legs := must(b.DeliveriesOf(background, r.TransactionID))(b)
		b.same("legs", legs, change.Deliveries)
		if len(legs) != 2 || legs[0].Status != seamless.Paid || legs[1].Status != seamless.Delivering || legs[1].Leg != seamless.Credit {
			b.Fatalf("the legs are %+v", legs)
		}
		b.commit(b.responded(legs[1], seamless.SiteAccepted))
		b.sound()
	}},
	{"a win in review is delivered when an admin approves it", Logic, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.member(alice, "acme")
		item := b.forwardedIn(alice, "acme", "big", seamless.Credit, "", "900", player.ProviderCaps{NetWin: 10, WithoutDebit: 10, Connection: 10})
		change := b.commit(item).Change
		t := *change.Seamless
		b.fatalIf(t.Status != seamless.Review || len(change.Deliveries) != 0, "a win above the caps: %+v", change)
		settle := b.settleReview(t, admin, true)
		settle.Needs.Funds = []agent.FundsRef{{Agent: "acme", Token: money.SOL}}
		settled := b.commit(settle).Change
		if len(settled.Deliveries) != 1 || settled.Deliveries[0].SiteTxnID != seamless.SettlementID(settled.Seamless.ID) || settled.Deliveries[0].Amount != 900 {
			b.Errorf("approved it is %+v", settled.Deliveries)
		}
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1900})
		b.sound()
	}},
	{"a repeat gets the first answer, or is told that there is no answer yet", Logic, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.member(alice, "acme")
		again := func() seamless.Transaction {
			b.Helper()
			return *b.replay(b.forwarded(alice, "acme", "t1", seamless.Debit, "300", "")).Change.Seamless
		}
		r := b.bet(alice, "acme", "t1", "300")
		first := again()
		b.same("while it is asked", first, r.Draft())
		b.commit(b.responded(r, seamless.SiteAccepted))
		b.same("afterwards", again(), first) // its outcome is the transaction with that id
		if !first.Same(alice, r.Ref, seamless.Debit, seamless.Requested{Bet: "300"}, "") {
			b.Errorf("a repeat isn't known as one: %+v", first)
		}
		b.sound()
	}},
}

const theSite = "https://acme.example/wallet"

// prepaidAgent creates an agent with a site and this prepaid account.
func (b *bench) prepaidAgent(code string, prepaid int64, limit money.Amount) {
	b.Helper()
	b.grant(admin, "superadmin")
	a := b.acme(code)
	a.SiteEndpoint = theSite
	b.keepAgent(a, nil)
	ref := agent.FundsRef{Agent: code, Token: money.SOL}
	if limit > 0 {
		b.commit(b.limits(ref, limit))
	}
	if prepaid != 0 {
		b.commit(b.funds(ref, prepaid))
	}
}

// member signs a player of the agent in and launches a game.
func (b *bench) member(w wallet.Address, code string) {
	b.Helper()
	b.commit(b.loginAs(w, b.now().UnixMilli(), code))
	b.commit(b.launch(w, money.SOL, 0))
}

// forwarded returns an item of a callback that goes to the site.
func (b *bench) forwarded(w wallet.Address, code, txn string, kind seamless.Kind, bet, win seamless.Decimal) player.Item {
	return b.forwardedIn(w, code, txn, kind, bet, win, generous)
}

func (b *bench) forwardedIn(w wallet.Address, code, txn string, kind seamless.Kind, bet, win seamless.Decimal, caps player.ProviderCaps) player.Item {
	c := player.ProviderCallback{
		ID: b.id(), Ref: seamless.Ref{Connection: connection, TxnID: txn, Provider: "MAKER", Game: "fruits"},
		Kind: kind, GameType: "slot", Requested: seamless.Requested{Bet: bet, Win: win}, Caps: caps, Site: theSite,
		Tokens: token.NewBook(terms(money.SOL), terms(usd)), At: b.now(),
	}
	return player.Item{
		Wallet: w, At: c.At, Keys: player.ProviderKeys(connection, txn, kind),
		Needs: player.Needs{
			Tokens: []money.Token{money.SOL}, Launches: []string{connection}, Seamless: []seamless.Ref{c.Ref},
			Funds: []agent.FundsRef{{Agent: code, Token: money.SOL}}, Hours: c.Hours(money.SOL, 0),
		},
		Decide: func(v player.View) (player.Change, error) { return player.Transact(v, c) },
	}
}

// bet begins a bet of the agent's player and returns its delivery.
func (b *bench) bet(w wallet.Address, code, txn string, amount seamless.Decimal) seamless.Delivery {
	b.Helper()
	change := b.commit(b.forwarded(w, code, txn, seamless.Debit, amount, "")).Change
	b.fatalIf(change.Seamless != nil || len(change.Deliveries) != 1, "a forwarded bet: %+v", change.Seamless)
	return change.Deliveries[0]
}

// responded returns an item of a site's response to a delivery, or of a missing one.
func (b *bench) responded(r seamless.Delivery, event seamless.DeliveryEvent) player.Item {
	a := player.DeliveryResponse{
		DeliveryID: r.ID, Sent: r.Status, Site: r.Site, Event: event, Balance: 77, Reason: seamless.InsufficientFunds, CreditID: b.id(), Caps: generous, At: b.now(),
	}
	if !event.FromSite() {
		a.Balance, a.Reason = 0, seamless.AgentSeamless
	}
	return itemOf(r.Wallet, a.At, operation(b.id()),
		player.Needs{
			Deliveries: []string{r.ID}, Launches: []string{connection}, Funds: []agent.FundsRef{{Agent: r.Agent, Token: r.Token}},
			Hours: []seamless.HourRef{{Connection: connection, Token: r.Token}},
		},
		func(v player.View) (player.Change, error) { return player.SettleDelivery(v, a) })
}

func (b *bench) fundsIn(code string) agent.Funds {
	b.Helper()
	for _, line := range must(b.FundsOf(background, code))(b) {
		if line.Token == money.SOL {
			return line.Funds
		}
	}
	return agent.Funds{}
}

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
			return itemOf(r.Wallet, o.At, operation(b.id()), player.Needs{Deliveries: []string{r.ID}, Roles: []wallet.Address{by}},
				func(v player.View) (player.Change, error) { return player.DecideDelivery(v, o) })
		}
		b.commit(b.responded(b.bet(alice, "acme", "t1", "10"), seamless.SiteAccepted))
		r := b.commit(b.forwarded(alice, "acme", "t1", seamless.Credit, "", "20")).Change.Deliveries[0]
		b.refuse(decide(r, other, seamless.Resend, "https://new.example"), fault.AdminForbidden)
		b.refuse(decide(r, admin, seamless.Resend, ""), fault.InvalidAgent)
		r = b.commit(b.responded(r, seamless.SiteRefused)).Change.Deliveries[0]
		b.same("refused by the site it is", r.Status, seamless.Rejected)
		r = b.commit(decide(r, admin, seamless.Resend, "https://new.example")).Change.Deliveries[0]
		b.errorIf(r.Status != seamless.Delivering || r.Site != "https://new.example",
			"sent again it is %s at %s", r.Status, r.Site)
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
		b.errorIf(over.Seamless == nil || over.Seamless.Reason != seamless.LimitExceeded,
			"a bet above the limit while another is asked for: %+v", over)
		b.commit(b.responded(first, seamless.SiteRefused))
		second := b.bet(alice, "acme", "t3", "300")
		b.commit(b.responded(second, seamless.SiteAccepted))
		if over := b.commit(b.forwarded(alice, "acme", "t4", seamless.Debit, "201", "")).Change; over.Seamless == nil {
			b.Error("a bet above the limit is asked for")
		}
		b.bet(alice, "acme", "t5", "200")
		b.sound()
	}},
	{"after a lost COMMIT nothing is reserved or booked twice", Races, func(b *bench) {
		// Lose the COMMIT of each of the two commits of a bet.
		if b.LoseCommit == nil {
			return
		}
		b.prepaidAgent("acme", 1000, 0)
		b.member(alice, "acme")
		for i, carriedOut := range []bool{true, false} {
			b.commitLost(b.forwarded(alice, "acme", fmt.Sprint("t", i), seamless.Debit, "300", ""), carriedOut)
			open := must(b.OpenDeliveries(background, "", 9))(b)
			if len(open) != 1 || b.fundsIn("acme") != (agent.Funds{Balance: int64(1000 - 300*i), Reserved: 300}) {
				b.Fatalf("asked for, carried out %v: %+v, %+v", carriedOut, open, b.fundsIn("acme"))
			}
			b.commitLost(b.responded(open[0], seamless.SiteAccepted), carriedOut)
			b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: int64(700 - 300*i)})
		}
		b.sound()
	}},
}
