package conformance

import (
	"fmt"
	"testing"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Deliveries is the suite of ports.Deliveries, and of what the Writer makes of
// transactions that are forwarded to agents' sites.
func Deliveries(t *testing.T, newStore func(t *testing.T) Store) {
	run(t, newStore, []story{
		{"a bet is reserved while its site is asked and moves agent to provider when the site accepts", forwardedBetIsPaid},
		{"a bet that the site refuses or doesn't answer is refused for good and no longer reserved", forwardedBetIsRefused},
		{"a response that a delivery doesn't wait for changes nothing", deliveryWaitsForItsResponse},
		{"a response to another message than the delivery waits for changes nothing", deliveryKnowsItsMessages},
		{"a bet that was refused for good but taken by the site is given back", forwardedBetIsReversed},
		{"a credit follows the site of its debit and moves provider to agent", forwardedCreditFollows},
		{"a whole round is its debit and then its credit", forwardedRoundIsTwoLegs},
		{"a win in review is delivered when an admin approves it", forwardedReviewIsDelivered},
		{"a repeat gets the first answer, or learns that there is none yet", forwardedRepeatIsAnswered},
		{"deliveries are found by id, transaction and status, open ones oldest first", deliveriesAreFound},
		{"an admin sends a delivery to another site or closes it", deliveryIsDecided},
		{"limits count a bet while it is asked for", limitsCountAskedBets},
		{"a delivery that differs from its transaction is refused", inconsistentDeliveryIsRefused},
		{"after a lost COMMIT nothing is reserved or booked twice", lostForwardIsResolved},
		{"deliveries and funds outlive reopening", deliveriesOutlive},
	})
}

const theSite = "https://acme.example/wallet"

// prepaidAgent makes an agent with a site and this prepaid account.
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

// forwarded is an item of a callback that goes to the site.
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
	if change.Seamless != nil || len(change.Deliveries) != 1 {
		b.Fatalf("a forwarded bet: %+v", change.Seamless)
	}
	return change.Deliveries[0]
}

// responded is an item of a site's response to a delivery, or of its absence.
func (b *bench) responded(r seamless.Delivery, event seamless.DeliveryEvent) player.Item {
	a := player.DeliveryResponse{
		DeliveryID: r.ID, Sent: r.Status, Site: r.Site, Event: event, Balance: 77, Reason: seamless.InsufficientFunds, CreditID: b.id(), Caps: generous, At: b.now(),
	}
	if !event.FromSite() {
		a.Balance, a.Reason = 0, seamless.AgentSeamless
	}
	return player.Item{
		Wallet: r.Wallet, At: a.At, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}},
		Needs: player.Needs{
			Deliveries: []string{r.ID}, Launches: []string{connection}, Funds: []agent.FundsRef{{Agent: r.Agent, Token: r.Token}},
			Hours: []seamless.HourRef{{Connection: connection, Token: r.Token}},
		},
		Decide: func(v player.View) (player.Change, error) { return player.SettleDelivery(v, a) },
	}
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

func forwardedBetIsPaid(b *bench) {
	b.prepaidAgent("acme", 1000, 500)
	b.member(alice, "acme")
	r := b.bet(alice, "acme", "t1", "300")
	b.same("while it is asked", b.fundsIn("acme"), agent.Funds{Balance: 1000, Reserved: 300, CreditLimit: 500})
	if r.Status != seamless.Asking || r.Site != theSite || r.Amount != 300 || r.SiteTxnID != "t1" {
		b.Errorf("the delivery is %+v", r)
	}
	change := b.commit(b.responded(r, seamless.SiteAccepted)).Change
	b.same("when it is paid", b.fundsIn("acme"), agent.Funds{Balance: 700, CreditLimit: 500})
	t := *change.Seamless
	if t.Status != seamless.Taken || t.Bet != 300 || t.Balance != 77 || t.Site != theSite {
		b.Errorf("the transaction is %+v", t)
	}
	b.same("transaction", must(b.SeamlessTransaction(background, t.ID))(b), t)
	if got := b.totalOf(ledger.AgentOf("acme"), money.SOL); got.String() != "700" {
		b.Errorf("the agent stands at %v", got)
	}
	if got := b.totalOf(ledger.ProviderOf(connection), money.SOL); got.String() != "300" {
		b.Errorf("the provider stands at %v", got)
	}
	if round := must(b.Round(background, t.RoundID))(b); round.Wager != 300 || round.Agent != "acme" {
		b.Errorf("the round is %+v", round)
	}
	if b.balance(alice) != 0 {
		b.Errorf("alice has %d here", b.balance(alice))
	}
	b.sound()
}

func forwardedBetIsRefused(b *bench) {
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
	if over.Seamless == nil || over.Seamless.Reason != seamless.AgentFunds || len(over.Deliveries) != 0 {
		b.Errorf("a bet that the funds don't cover: %+v", over)
	}
	b.sound()
}

func deliveryWaitsForItsResponse(b *bench) {
	b.prepaidAgent("acme", 1000, 0)
	b.member(alice, "acme")
	r := b.bet(alice, "acme", "t1", "300")
	b.commit(b.responded(r, seamless.SiteAccepted))
	for _, event := range []seamless.DeliveryEvent{seamless.SiteAccepted, seamless.SiteRefused, seamless.NoResponse, seamless.Close} {
		b.refuse(b.responded(r, event), fault.InvalidState)
	}
	b.refuse(b.responded(seamless.Delivery{ID: "nothing", Wallet: alice, Agent: "acme", Token: money.SOL}, seamless.SiteAccepted), fault.NotFound)
	foreign := b.bet(alice, "acme", "t2", "1")
	foreign.Wallet = bob
	b.refuse(b.responded(foreign, seamless.SiteAccepted), fault.NotFound)
	b.sound()
}

// deliveryKnowsItsMessages lets two callers receive the same acceptance of a bet that was refused for
// good: the second must not count as an acceptance of its return.
func deliveryKnowsItsMessages(b *bench) {
	b.prepaidAgent("acme", 1000, 0)
	b.member(alice, "acme")
	asked := b.bet(alice, "acme", "t1", "300")
	unknown := b.commit(b.responded(asked, seamless.NoResponse)).Change.Deliveries[0]
	b.commit(b.responded(asked, seamless.NotSent)) // about a message that wasn't sent: it stays unknown
	reversing := b.commit(b.responded(asked, seamless.SiteAccepted)).Change.Deliveries[0]
	if reversing.Status != seamless.Reversing {
		b.Errorf("a late acceptance makes it %s", reversing.Status)
	}
	for _, stale := range []seamless.Delivery{asked, unknown} {
		b.refuse(b.responded(stale, seamless.SiteAccepted), fault.InvalidState)
		b.refuse(b.responded(stale, seamless.SiteRefused), fault.InvalidState)
	}
	b.same("the delivery", must(b.Delivery(background, asked.ID))(b), reversing)
	gone := b.bet(alice, "acme", "t2", "300")
	if t := b.commit(b.responded(gone, seamless.NotSent)).Change; t.Seamless.Status != seamless.Refused || t.Deliveries[0].Status != seamless.Declined {
		b.Errorf("a bet that was never sent: %+v", t)
	}
	b.sound()
}

func forwardedBetIsReversed(b *bench) {
	b.prepaidAgent("acme", 1000, 0)
	b.member(alice, "acme")
	r := b.bet(alice, "acme", "t1", "300")
	for _, step := range []struct {
		event seamless.DeliveryEvent
		want  seamless.DeliveryStatus
	}{{seamless.NoResponse, seamless.Unknown}, {seamless.SiteAccepted, seamless.Reversing}, {seamless.SiteAccepted, seamless.Reversed}} {
		change := b.commit(b.responded(r, step.event)).Change
		r = change.Deliveries[0]
		if r.Status != step.want {
			b.Errorf("after %s it is %s", step.event, r.Status)
		}
		if id, leg := r.Message(); r.Status == seamless.Reversing && (id != "reversal-"+r.ID || leg != seamless.Credit) {
			b.Errorf("it is given back as %s %s", leg, id)
		}
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1000})
	}
	b.same("the delivery", must(b.Delivery(background, r.ID))(b), r)
	b.sound()
}

func forwardedCreditFollows(b *bench) {
	b.prepaidAgent("acme", 1000, 0)
	b.member(alice, "acme")
	b.commit(b.responded(b.bet(alice, "acme", "t1", "300"), seamless.SiteAccepted))
	item := b.forwarded(alice, "acme", "t1", seamless.Credit, "", "450.9")
	change := b.commit(item).Change
	if t := change.Seamless; t.Status != seamless.Taken || t.Win != 450 || t.Residue != "0.9" || t.Site != theSite {
		b.Fatalf("the credit is %+v", t)
	}
	r := change.Deliveries[0]
	if r.Status != seamless.Delivering || r.Leg != seamless.Credit || r.Amount != 450 {
		b.Errorf("its delivery is %+v", r)
	}
	b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1150})
	r = b.commit(b.responded(r, seamless.SiteAccepted)).Change.Deliveries[0]
	if r.Status != seamless.Delivered || r.Balance != 77 {
		b.Errorf("accepted, it is %+v", r)
	}
	if b.balance(alice) != 0 {
		b.Errorf("alice has %d here", b.balance(alice))
	}
	round := must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, whole))(b).Rounds
	if len(round) != 1 || round[0].Payout != 450 {
		b.Errorf("the rounds are %+v", round)
	}
	b.sound()
}

func forwardedRoundIsTwoLegs(b *bench) {
	b.prepaidAgent("acme", 1000, 0)
	b.member(alice, "acme")
	r := b.commit(b.forwarded(alice, "acme", "t1", seamless.DebitCredit, "300", "50")).Change.Deliveries[0]
	change := b.commit(b.responded(r, seamless.SiteAccepted)).Change
	if t := change.Seamless; t.Bet != 300 || t.Win != 50 || t.Kind != seamless.DebitCredit {
		b.Errorf("the transaction is %+v", t)
	}
	b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 750})
	legs := must(b.DeliveriesOf(background, r.TransactionID))(b)
	b.same("legs", legs, change.Deliveries)
	if len(legs) != 2 || legs[0].Status != seamless.Paid || legs[1].Status != seamless.Delivering || legs[1].Leg != seamless.Credit {
		b.Fatalf("the legs are %+v", legs)
	}
	b.commit(b.responded(legs[1], seamless.SiteAccepted))
	b.sound()
}

func forwardedReviewIsDelivered(b *bench) {
	b.prepaidAgent("acme", 1000, 0)
	b.member(alice, "acme")
	item := b.forwardedIn(alice, "acme", "big", seamless.Credit, "", "900", player.ProviderCaps{NetWin: 10, WithoutDebit: 10, Connection: 10})
	change := b.commit(item).Change
	t := *change.Seamless
	if t.Status != seamless.Review || len(change.Deliveries) != 0 {
		b.Fatalf("a win above the caps: %+v", change)
	}
	settle := b.settleReview(t, admin, true)
	settle.Needs.Funds = []agent.FundsRef{{Agent: "acme", Token: money.SOL}}
	settled := b.commit(settle).Change
	if len(settled.Deliveries) != 1 || settled.Deliveries[0].SiteTxnID != seamless.SettlementID(settled.Seamless.ID) || settled.Deliveries[0].Amount != 900 {
		b.Errorf("approved it is %+v", settled.Deliveries)
	}
	b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1900})
	b.sound()
}

func forwardedRepeatIsAnswered(b *bench) {
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
	b.same("afterwards", again(), first) // what became of it is the transaction of that id
	if !first.Same(alice, r.Ref, seamless.Debit, seamless.Requested{Bet: "300"}) {
		b.Errorf("a repeat isn't known as one: %+v", first)
	}
	b.sound()
}
